//! From the XML of a URDF to a structure.

use super::UrdfError;
use super::structure::{Inertial, Joint, JointDynamics, JointKind, Link, Origin, Shape, ShapeKind, Structure};
use roxmltree::{Document, Node, ParsingOptions};

/// Most elements, attributes and texts of a file.
const MAX_NODES: u32 = 200_000;
/// Most links of a robot.
const MAX_LINKS: usize = 1000;

impl Structure {
    /// Reads the text of a URDF. Elements that it does not know (materials, transmissions, plug-ins) are left out.
    ///
    /// # Errors
    /// If it is no XML, still holds xacro macros, a number is missing or wrong, a mass has no inertia, a joint is of an unknown
    /// type, a name stands there twice, or the links do not form one tree. The line of the fault goes with it where there is one.
    pub fn from_urdf(text: &str) -> Result<Self, UrdfError> {
        let document = parse(text)?;
        let robot = document.root_element();
        if !robot.has_tag_name("robot") {
            return Err(fault(&robot, format!("the root is `{}`, must be `robot`", robot.tag_name().name())));
        }
        if let Some(node) = robot.descendants().find(|node| is_xacro(node)) {
            return Err(fault(&node, "holds macros of xacro: expand them with xacro first"));
        }
        let links = children(&robot, "link").count().max(children(&robot, "joint").count());
        if links > MAX_LINKS {
            return Err(fault(&robot, format!("has {links} links or joints, must have at most {MAX_LINKS}")));
        }
        check_names(&robot, "link")?;
        check_names(&robot, "joint")?;
        let structure = Self {
            name: robot.attribute("name").unwrap_or_default().to_owned(),
            links: children(&robot, "link").map(|node| read_link(&node)).collect::<Result<_, _>>()?,
            joints: children(&robot, "joint").map(|node| read_joint(&node)).collect::<Result<_, _>>()?,
        };
        structure.check_tree()?;
        Ok(structure)
    }
}

/// The tree of an XML text.
pub(super) fn parse(text: &str) -> Result<Document<'_>, UrdfError> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options)
        .map_err(|error| UrdfError { line: Some(error.pos().row), message: format!("no XML: {error}") })
}

fn is_xacro(node: &Node<'_, '_>) -> bool {
    node.tag_name().namespace().is_some_and(|namespace| namespace.contains("xacro"))
}

pub(super) fn fault(node: &Node<'_, '_>, message: impl Into<String>) -> UrdfError {
    let line = node.document().text_pos_at(node.range().start).row;
    UrdfError { line: Some(line), message: message.into() }
}

pub(super) fn children<'a, 'b: 'a>(node: &Node<'a, 'b>, tag: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(move |child| child.has_tag_name(tag))
}

pub(super) fn child<'a, 'b>(node: &Node<'a, 'b>, tag: &'static str) -> Option<Node<'a, 'b>> {
    children(node, tag).next()
}

/// What an element is called in messages: its tag and its name.
pub(super) fn title(node: &Node<'_, '_>) -> String {
    let named = node.ancestors().find(|ancestor| ancestor.has_attribute("name"));
    let owner = named.unwrap_or(*node);
    let name = owner.attribute("name").unwrap_or_default();
    let part = if owner == *node { String::new() } else { format!(", {}", node.tag_name().name()) };
    format!("{} `{name}`{part}", owner.tag_name().name())
}

pub(super) fn attribute<'a>(node: &Node<'a, '_>, name: &str) -> Result<&'a str, UrdfError> {
    let missing = || fault(node, format!("{}: `{name}` is missing", title(node)));
    node.attribute(name).filter(|value| !value.is_empty()).ok_or_else(missing)
}

pub(super) fn number(node: &Node<'_, '_>, name: &str) -> Result<f64, UrdfError> {
    let text = attribute(node, name)?;
    let value = text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| fault(node, format!("{}: `{name}` is \"{text}\", must be a number", title(node))))
}

fn positive(node: &Node<'_, '_>, name: &str) -> Result<f64, UrdfError> {
    let value = number(node, name)?;
    if value > 0.0 {
        return Ok(value);
    }
    Err(fault(node, format!("{}: `{name}` is {value}, must be above 0", title(node))))
}

/// Three numbers of an attribute, or what stands for a missing one.
fn three(node: &Node<'_, '_>, name: &str, missing: [f64; 3]) -> Result<[f64; 3], UrdfError> {
    let Some(text) = node.attribute(name) else { return Ok(missing) };
    let mut values = [0.0; 3];
    let mut words = text.split_ascii_whitespace();
    for value in &mut values {
        let word = words.next().and_then(|word| word.parse::<f64>().ok()).filter(|number| number.is_finite());
        *value = word.ok_or_else(|| three_wanted(node, name, text))?;
    }
    match words.next() {
        None => Ok(values),
        Some(_) => Err(three_wanted(node, name, text)),
    }
}

fn three_wanted(node: &Node<'_, '_>, name: &str, text: &str) -> UrdfError {
    fault(node, format!("{}: `{name}` is \"{text}\", must be three numbers", title(node)))
}

fn read_origin(node: &Node<'_, '_>) -> Result<Origin, UrdfError> {
    let Some(origin) = child(node, "origin") else { return Ok(Origin::default()) };
    Ok(Origin { xyz_m: three(&origin, "xyz", [0.0; 3])?, rpy_rad: three(&origin, "rpy", [0.0; 3])? })
}

fn read_link(node: &Node<'_, '_>) -> Result<Link, UrdfError> {
    let shapes = |tag| children(node, tag).map(|shape| read_shape(&shape)).collect::<Result<Vec<_>, _>>();
    Ok(Link {
        name: attribute(node, "name")?.to_owned(),
        inertial: child(node, "inertial").map(|inertial| read_inertial(&inertial)).transpose()?,
        visuals: shapes("visual")?,
        collisions: shapes("collision")?,
    })
}

fn read_inertial(node: &Node<'_, '_>) -> Result<Inertial, UrdfError> {
    let missing = |tag: &str| fault(node, format!("{}: has no `{tag}`", title(node)));
    let mass = child(node, "mass").ok_or_else(|| missing("mass"))?;
    let mass_kg = number(&mass, "value")?;
    if mass_kg < 0.0 {
        return Err(fault(&mass, format!("{}: `value` is {mass_kg}, must not be below 0", title(&mass))));
    }
    let inertia = child(node, "inertia").ok_or_else(|| missing("inertia"))?;
    let moments_kg_m2 = [number(&inertia, "ixx")?, number(&inertia, "iyy")?, number(&inertia, "izz")?];
    if moments_kg_m2.iter().any(|&moment| moment < 0.0) {
        let message = format!("{}: the moments {moments_kg_m2:?} must not be below 0", title(&inertia));
        return Err(fault(&inertia, message));
    }
    let mut products_kg_m2 = [0.0; 3];
    for (product, name) in products_kg_m2.iter_mut().zip(["ixy", "ixz", "iyz"]) {
        if inertia.has_attribute(name) {
            *product = number(&inertia, name)?;
        }
    }
    Ok(Inertial { origin: read_origin(node)?, mass_kg, moments_kg_m2, products_kg_m2 })
}

fn read_shape(node: &Node<'_, '_>) -> Result<Shape, UrdfError> {
    let geometry = child(node, "geometry");
    let Some(kind) = geometry.and_then(|geometry| geometry.first_element_child()) else {
        return Err(fault(node, format!("{}: has no shape in `geometry`", title(node))));
    };
    let kind = match kind.tag_name().name() {
        "mesh" => {
            ShapeKind::Mesh { file: attribute(&kind, "filename")?.to_owned(), scale: three(&kind, "scale", [1.0; 3])? }
        }
        "box" => {
            attribute(&kind, "size")?;
            ShapeKind::Box { size_m: three(&kind, "size", [0.0; 3])? }
        }
        "cylinder" => {
            ShapeKind::Cylinder { radius_m: positive(&kind, "radius")?, length_m: positive(&kind, "length")? }
        }
        "sphere" => ShapeKind::Sphere { radius_m: positive(&kind, "radius")? },
        other => {
            let message = format!("{}: `{other}` must be mesh, box, cylinder or sphere", title(node));
            return Err(fault(&kind, message));
        }
    };
    Ok(Shape { origin: read_origin(node)?, kind })
}

fn read_joint(node: &Node<'_, '_>) -> Result<Joint, UrdfError> {
    let word = attribute(node, "type")?;
    let Some((_, kind)) = JointKind::NAMES.into_iter().find(|(name, _)| *name == word) else {
        let message = format!("{}: type `{word}` must be fixed, revolute, continuous or prismatic", title(node));
        return Err(fault(node, message));
    };
    let link = |tag: &'static str| {
        let missing = || fault(node, format!("{}: has no `{tag}`", title(node)));
        attribute(&child(node, tag).ok_or_else(missing)?, "link").map(str::to_owned)
    };
    Ok(Joint {
        name: attribute(node, "name")?.to_owned(),
        kind,
        parent: link("parent")?,
        child: link("child")?,
        origin: read_origin(node)?,
        axis: read_axis(node, kind)?,
        limits: read_limits(node, kind)?,
        dynamics: read_dynamics(node)?,
        follows: child(node, "mimic").map(|mimic| attribute(&mimic, "joint").map(str::to_owned)).transpose()?,
    })
}

/// Effort and speed of `limit`, damping and friction of `dynamics`, as far as they are there.
fn read_dynamics(node: &Node<'_, '_>) -> Result<JointDynamics, UrdfError> {
    let part = |tag, name| match child(node, tag).filter(|part| part.has_attribute(name)) {
        None => Ok(None),
        Some(part) => match number(&part, name)? {
            value if value < 0.0 => {
                Err(fault(&part, format!("{}: `{name}` is {value}, must not be below 0", title(&part))))
            }
            value => Ok(Some(value)),
        },
    };
    Ok(JointDynamics {
        effort_max: part("limit", "effort")?,
        speed_max: part("limit", "velocity")?,
        damping: part("dynamics", "damping")?.unwrap_or(0.0),
        friction: part("dynamics", "friction")?.unwrap_or(0.0),
    })
}

/// The axis with length 1; x where none is given.
fn read_axis(node: &Node<'_, '_>, kind: JointKind) -> Result<[f64; 3], UrdfError> {
    const X: [f64; 3] = [1.0, 0.0, 0.0];
    let Some(axis) = child(node, "axis").filter(|_| kind != JointKind::Fixed) else { return Ok(X) };
    let [x, y, z] = three(&axis, "xyz", X)?;
    let length = (x * x + y * y + z * z).sqrt();
    if length == 0.0 {
        return Err(fault(&axis, format!("{}: `xyz` is 0 0 0, must be a direction", title(&axis))));
    }
    Ok([x / length, y / length, z / length])
}

/// Ends of the motion. A joint that slides or turns between stops must say them.
fn read_limits(node: &Node<'_, '_>, kind: JointKind) -> Result<Option<[f64; 2]>, UrdfError> {
    if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        return Ok(None);
    }
    let missing = || fault(node, format!("{}: has no `limit`", title(node)));
    let limit = child(node, "limit").ok_or_else(missing)?;
    // URDF: an end that is not given is 0.
    let end = |name: &str| if limit.has_attribute(name) { number(&limit, name) } else { Ok(0.0) };
    let [least, most] = [end("lower")?, end("upper")?];
    if least > most {
        let message = format!("{}: `lower` is {least}, must not be above `upper`, {most}", title(&limit));
        return Err(fault(&limit, message));
    }
    Ok(Some([least, most]))
}

fn check_names(robot: &Node<'_, '_>, tag: &'static str) -> Result<(), UrdfError> {
    let mut seen = Vec::new();
    for node in children(robot, tag) {
        let name = attribute(&node, "name")?;
        if seen.contains(&name) {
            return Err(fault(&node, format!("{tag} `{name}` stands there twice")));
        }
        seen.push(name);
    }
    Ok(())
}
