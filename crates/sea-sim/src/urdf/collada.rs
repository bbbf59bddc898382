//! Triangles out of Collada: the meshes of a scene, each in the frame of its node, in metres, z up.

use super::UrdfError;
use super::mesh_file::{Surface, numbers};
use super::read::{attribute, child, children, fault, number, parse, title};
use glam::{DMat4, DQuat, DVec3, DVec4};
use roxmltree::Node;

/// Elements that would change the surface and are not read.
const NOT_READ: [&str; 6] = ["instance_node", "instance_controller", "tristrips", "trifans", "convex_mesh", "spline"];

/// Reads triangles, polygons and lists of polygons.
///
/// # Errors
/// With the line of what is wrong or not read.
pub(super) fn collada(text: &str, surface: &mut Surface) -> Result<(), UrdfError> {
    let document = parse(text)?;
    let root = document.root_element();
    if !root.has_tag_name("COLLADA") {
        return Err(fault(&root, format!("the root is `{}`, must be `COLLADA`", root.tag_name().name())));
    }
    if let Some(node) = root.descendants().find(|node| NOT_READ.contains(&node.tag_name().name())) {
        let message = format!("`{}` is not read here: save the mesh as STL or OBJ", node.tag_name().name());
        return Err(fault(&node, message));
    }
    let upright = upright(&root)?;
    let scene = root.descendants().find(|node| node.has_tag_name("instance_visual_scene"));
    let scene = scene.and_then(|scene| scene.attribute("url")).map(|url| url.trim_start_matches('#'));
    let is_shown = |node: &Node<'_, '_>| {
        node.ancestors()
            .any(|above| above.has_tag_name("visual_scene") && scene.is_none_or(|id| above.attribute("id") == Some(id)))
    };
    let instances = root.descendants().filter(|node| node.has_tag_name("instance_geometry") && is_shown(node));
    let mut is_placed = false;
    for instance in instances {
        let geometry = referred(&instance, "url")?;
        add_geometry(&geometry, &(upright * frame(&instance)?), surface)?;
        is_placed = true;
    }
    if !is_placed {
        for geometry in root.descendants().filter(|node| node.has_tag_name("geometry")) {
            add_geometry(&geometry, &upright, surface)?;
        }
    }
    Ok(())
}

/// From the file's unit and axes to metres with z up.
fn upright(root: &Node<'_, '_>) -> Result<DMat4, UrdfError> {
    let asset = child(root, "asset");
    let unit = asset.and_then(|asset| child(&asset, "unit")).filter(|unit| unit.has_attribute("meter"));
    let meters = unit.map_or(Ok(1.0), |unit| number(&unit, "meter"))?;
    let up = asset.and_then(|asset| child(&asset, "up_axis"));
    let axes = match up.and_then(|up| up.text()).map_or("Y_UP", str::trim) {
        "X_UP" => [DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y],
        "Y_UP" => [DVec3::X, DVec3::Z, DVec3::NEG_Y],
        "Z_UP" => [DVec3::X, DVec3::Y, DVec3::Z],
        other => {
            return Err(fault(&up.unwrap_or(*root), format!("`up_axis` is `{other}`, must be X_UP, Y_UP or Z_UP")));
        }
    };
    let [x, y, z] = axes.map(|axis| (axis * meters).extend(0.0));
    Ok(DMat4::from_cols(x, y, z, DVec4::W))
}

/// The frame of the node that an instance hangs on: the product of the transforms of all nodes above it, the outer ones first.
fn frame(instance: &Node<'_, '_>) -> Result<DMat4, UrdfError> {
    let mut frame = DMat4::IDENTITY;
    for node in instance.ancestors().filter(|above| above.has_tag_name("node")) {
        let mut own = DMat4::IDENTITY;
        for part in node.children().filter(Node::is_element) {
            own *= transform(&part)?;
        }
        frame = own * frame;
    }
    Ok(frame)
}

fn transform(part: &Node<'_, '_>) -> Result<DMat4, UrdfError> {
    Ok(match part.tag_name().name() {
        "matrix" => DMat4::from_cols_array(&listed::<16>(part)?).transpose(),
        "translate" => DMat4::from_translation(DVec3::from_array(listed(part)?)),
        "scale" => DMat4::from_scale(DVec3::from_array(listed(part)?)),
        "rotate" => {
            let [x, y, z, angle_deg] = listed(part)?;
            let axis = DVec3::new(x, y, z).try_normalize();
            let axis = axis.ok_or_else(|| fault(part, "`rotate` has the axis 0 0 0, must be a direction"))?;
            DMat4::from_quat(DQuat::from_axis_angle(axis, angle_deg.to_radians()))
        }
        "lookat" | "skew" => {
            return Err(fault(part, "`lookat` and `skew` are not read here: save the mesh as STL or OBJ"));
        }
        _ => DMat4::IDENTITY,
    })
}

fn add_geometry(geometry: &Node<'_, '_>, frame: &DMat4, surface: &mut Surface) -> Result<(), UrdfError> {
    let Some(mesh) = child(geometry, "mesh") else { return Ok(()) };
    // A frame that mirrors turns the order of corners round.
    let is_mirrored = frame.determinant() < 0.0;
    for part in mesh.children().filter(|part| matches!(part.tag_name().name(), "triangles" | "polylist" | "polygons")) {
        let is_corner = |input: &Node<'_, '_>| input.attribute("semantic") == Some("VERTEX");
        let missing = || fault(&part, format!("{}: has no input `VERTEX`", title(&part)));
        let input = children(&part, "input").find(is_corner).ok_or_else(missing)?;
        let corners: Vec<u32> =
            places(&input)?.into_iter().map(|place| surface.corner(frame.transform_point3(place).to_array())).collect();
        let offset = |input: Node<'_, '_>| input.attribute("offset").and_then(|at| at.parse().ok()).unwrap_or(0_usize);
        let width = children(&part, "input").map(offset).max().map_or(1, |most| most + 1);
        for mut polygon in polygons(&part, [offset(input), width])? {
            if is_mirrored {
                polygon.reverse();
            }
            let numbers: Option<Vec<u32>> = polygon.iter().map(|&number| corners.get(number).copied()).collect();
            surface.polygon(&numbers.ok_or_else(|| fault(&part, "a corner's number is beyond the list of places"))?);
        }
    }
    Ok(())
}

/// Numbers of corners, a list a polygon. Each corner has `width` numbers, the one at `offset` is that of its place.
fn polygons(part: &Node<'_, '_>, [offset, width]: [usize; 2]) -> Result<Vec<Vec<usize>>, UrdfError> {
    let mut found = Vec::new();
    for list in children(part, "p") {
        let all: Vec<usize> = values(&list)?;
        let corners: Vec<usize> = all.chunks_exact(width).map(|corner| corner[offset]).collect();
        let sizes = match child(part, "vcount") {
            Some(counts) => values(&counts)?,
            None if part.has_tag_name("polygons") => vec![corners.len()],
            None => vec![3; corners.len() / 3],
        };
        let mut rest = corners.as_slice();
        for size in sizes {
            let (polygon, after) =
                rest.split_at_checked(size).ok_or_else(|| fault(&list, "`p` has fewer corners than `vcount` says"))?;
            found.push(polygon.to_vec());
            rest = after;
        }
    }
    Ok(found)
}

/// The places that an input `VERTEX` names.
fn places(input: &Node<'_, '_>) -> Result<Vec<DVec3>, UrdfError> {
    let vertices = referred(input, "source")?;
    let is_place = |input: &Node<'_, '_>| input.attribute("semantic") == Some("POSITION");
    let missing = || fault(&vertices, "`vertices` has no input `POSITION`");
    let source = referred(&children(&vertices, "input").find(is_place).ok_or_else(missing)?, "source")?;
    let missing = |what: &str| fault(&source, format!("`source` has no `{what}`"));
    let array = child(&source, "float_array").ok_or_else(|| missing("float_array"))?;
    let accessor = source.descendants().find(|node| node.has_tag_name("accessor"));
    let step = |name: &str, otherwise: usize| {
        accessor.and_then(|it| it.attribute(name)).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, stride) = (step("offset", 0), step("stride", 3).max(3));
    let all: Vec<f64> = values(&array)?;
    if all.iter().any(|value| !value.is_finite()) {
        return Err(fault(&array, "`float_array` must hold finite numbers"));
    }
    let corners = all.get(first..).unwrap_or_default().chunks(stride);
    Ok(corners.filter(|corner| corner.len() >= 3).map(DVec3::from_slice).collect())
}

/// The element that an attribute refers to by `#id`.
fn referred<'a, 'b>(node: &Node<'a, 'b>, name: &str) -> Result<Node<'a, 'b>, UrdfError> {
    let url = attribute(node, name)?;
    let id = url.trim_start_matches('#');
    let found = node.document().descendants().find(|other| other.attribute("id") == Some(id));
    found.ok_or_else(|| fault(node, format!("there is no element `{id}`")))
}

fn values<T: std::str::FromStr>(node: &Node<'_, '_>) -> Result<Vec<T>, UrdfError> {
    let tag = node.tag_name().name();
    numbers(node.text().unwrap_or_default().split_ascii_whitespace())
        .ok_or_else(|| fault(node, format!("`{tag}` must hold numbers")))
}

fn listed<const N: usize>(node: &Node<'_, '_>) -> Result<[f64; N], UrdfError> {
    let all: Vec<f64> = values(node)?;
    let finite = all.try_into().ok().filter(|all: &[f64; N]| all.iter().all(|value| value.is_finite()));
    finite.ok_or_else(|| fault(node, format!("`{}` must hold {N} finite numbers", node.tag_name().name())))
}
