//! From structure and components to a vehicle's file.

use super::UrdfError;
use super::articulation::articulate;
use super::components::{Components, DrivenJoint, ForcePoints, Mount, MountedActuator};
use super::structure::{Inertial, Joint, JointDynamics, JointKind, Origin, ShapeKind, Structure};
use super::tree::{Placed, central_inertia, composed};
use crate::actuator::{ActuatorKind, ActuatorParams, HingeParams, ResponseParams, SliderParams};
use crate::body::{BodyParams, BuoyancyParams, PointParams, RigidMass};
use crate::pose::Pose;
use crate::vehicle::{KeyMapParams, MotionParams, RigidParams, Vehicle, VehicleParams};
use glam::{DMat3, DVec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Off-axis parts and products of inertia below this share count as rounding.
const ROUNDING: f64 = 1e-9;

/// Gives the bytes of a mesh file by its name in the URDF, or a clause that says why it cannot.
pub type ReadFile<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// A vehicle out of a URDF, and what its file has no place for. Frames are those of the root link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The content of a file under `vehicles/`.
    pub vehicle: VehicleParams,
    /// Every link, all joints at rest.
    pub links: Vec<NamedPlace>,
    /// The mounted frames.
    pub frames: Vec<NamedPlace>,
    /// Every shape: meshes by name and scale, others by size.
    pub shapes: Vec<ShapePlace>,
    /// Components that hang on nothing. The others work without them.
    pub disabled: Vec<Disabled>,
    /// Numbers of the URDF and the components that a vehicle has no place for. The vehicle works without them.
    #[serde(default)]
    pub omitted: Vec<Omitted>,
}

/// A frame with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedPlace {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub origin: Origin,
}

/// A shape of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapePlace {
    /// Name of the link.
    pub link: String,
    /// Whether it touches; otherwise it is only seen.
    pub collides: bool,
    /// Where it is.
    pub origin: Origin,
    /// What it is.
    pub kind: ShapeKind,
}

/// A component whose link or joint the structure does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disabled {
    /// Its name.
    pub component: String,
    /// What is missing.
    pub reason: String,
}

/// Something that a vehicle has no place for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Omitted {
    /// Name of the joint or component.
    pub component: String,
    /// What of it is left out.
    pub what: String,
}

/// What is left out on the way.
#[derive(Default)]
pub(super) struct Notes {
    disabled: Vec<Disabled>,
    omitted: Vec<Omitted>,
}

impl Notes {
    pub(super) fn disable(&mut self, component: &str, reason: String) {
        self.disabled.push(Disabled { component: component.to_owned(), reason });
    }

    pub(super) fn omit(&mut self, component: &str, what: impl Into<String>) {
        self.omitted.push(Omitted { component: component.to_owned(), what: what.into() });
    }
}

/// A vehicle from its structure and its components. Fixed links and joints without commands become one body; a component that names a link
/// or a joint that is not there is left out and listed. So is what a vehicle has no place for, such as a joint's friction.
///
/// # Errors
/// If the links are not one tree, a joint cannot be driven as asked, or the vehicle is none that [`Vehicle::new`] accepts.
pub fn import(structure: &Structure, components: &Components) -> Result<Imported, UrdfError> {
    import_with(structure, components, &|_| Err("is a mesh, which is not read here".to_owned()))
}

/// The same with mesh files, for volumes and hulls: `read` gives the bytes of a file by its name in the URDF, or says why it cannot.
///
/// # Errors
/// As [`import`], or if a mesh that displaces the volume cannot be read or is not closed.
pub fn import_with(structure: &Structure, components: &Components, read: &ReadFile<'_>) -> Result<Imported, UrdfError> {
    structure.check_tree()?;
    let mut notes = Notes::default();
    let (structure, components) = (&mut with_inertials(structure, components, &mut notes), &mut components.clone());
    let by_drive = articulate(structure, components, &mut notes)?;
    check_numbers(structure)?;
    let mut importer = Importer { structure, placed: structure.place_all(), notes, read };
    let driven = importer.driven_joints(components, &by_drive);
    let mut actuators = Vec::new();
    for (joint, number) in &driven {
        actuators.push(importer.actuator_of(joint, *number, &driven)?);
        importer.note_joint(*number, actuators.last());
    }
    for mounted in &components.actuators {
        actuators.extend(importer.mounted(mounted)?);
    }
    importer.note_followers();
    let body = importer.body(components, &driven)?;
    let frames = importer.frames(components);
    let (links, shapes) = (importer.links(), importer.shapes());
    let hull = importer.hull(&components.colliders, &shapes);
    let vehicle = VehicleParams {
        about: described(structure, components),
        sources: components.sources.clone(),
        size_m: components.size_m,
        hull,
        motion: MotionParams::Rigid(RigidParams { body, actuators }),
        keys: KeyMapParams::default(),
    };
    Vehicle::new(&vehicle).map_err(|error| UrdfError::new(format!("the vehicle: {error}")))?;
    let Notes { disabled, omitted } = importer.notes;
    Ok(Imported { vehicle, links, frames, shapes, disabled, omitted })
}

/// The structure with the masses that the components give.
fn with_inertials(structure: &Structure, components: &Components, notes: &mut Notes) -> Structure {
    let mut structure = structure.clone();
    for given in &components.inertials {
        match structure.links.iter_mut().find(|link| link.name == given.link) {
            Some(link) => link.inertial = Some(given.inertial),
            None => {
                notes.disable(&format!("mass of {}", given.link), format!("there is no link `{}`", given.link));
            }
        }
    }
    structure
}

/// Refuses numbers that a URDF cannot have, but a structure or components out of JSON can.
fn check_numbers(structure: &Structure) -> Result<(), UrdfError> {
    for link in &structure.links {
        let Some(Inertial { mass_kg, .. }) = link.inertial.filter(|it| it.mass_kg < 0.0 || it.mass_kg.is_nan()) else {
            continue;
        };
        return Err(UrdfError::new(format!("link `{}`: mass_kg is {mass_kg}, must not be below 0", link.name)));
    }
    for joint in &structure.joints {
        let length = DVec3::from_array(joint.axis).length();
        if (length - 1.0).abs() > ROUNDING || length.is_nan() {
            return Err(UrdfError::new(format!("joint `{}`: axis has the length {length}, must have 1", joint.name)));
        }
        let JointDynamics { effort_max, speed_max, damping, friction } = joint.dynamics;
        for value in [effort_max.unwrap_or(0.0), speed_max.unwrap_or(0.0), damping, friction] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(UrdfError::new(format!(
                    "joint `{}`: dynamics hold {value}, must not be below 0",
                    joint.name
                )));
            }
        }
    }
    Ok(())
}

fn described(structure: &Structure, components: &Components) -> String {
    if components.about.is_empty() { format!("{}, out of a URDF.", structure.name) } else { components.about.clone() }
}

/// Joints that obey commands, with their numbers among the joints.
type Driven<'a> = [(&'a DrivenJoint, usize)];

pub(super) struct Importer<'a> {
    pub structure: &'a Structure,
    placed: Vec<Placed>,
    notes: Notes,
    pub read: &'a ReadFile<'a>,
}

impl<'a> Importer<'a> {
    pub(super) fn disable(&mut self, component: &str, reason: String) {
        self.notes.disable(component, reason);
    }

    fn joint(&self, number: usize) -> &'a Joint {
        &self.structure.joints[number]
    }

    /// The joints that obey commands. One that does so `by_drive` alone and cannot is left out and named.
    fn driven_joints<'b>(&mut self, components: &'b Components, by_drive: &[String]) -> Vec<(&'b DrivenJoint, usize)> {
        let mut driven = Vec::new();
        for joint in &components.joints {
            match self.structure.joints.iter().position(|other| other.name == joint.joint) {
                Some(number) => driven.push((joint, number)),
                None => self.disable(&joint.joint, format!("there is no joint `{}`", joint.joint)),
            }
        }
        let mut at = 0;
        while let Some(&(joint, number)) = driven.get(at) {
            at += 1;
            if let Err(error) = self.actuator_of(joint, number, &driven)
                && by_drive.contains(&joint.joint)
            {
                self.notes.omit(&joint.joint, format!("its drive: {error}"));
                driven.remove(at - 1);
                // What hung on it may now hang elsewhere.
                at = 0;
            }
        }
        driven
    }

    /// Names the joints that would follow others.
    fn note_followers(&mut self) {
        for joint in &self.structure.joints {
            if let Some(leader) = &joint.follows {
                self.notes.omit(&joint.name, format!("motion with joint `{leader}`"));
            }
        }
    }

    /// Names what a joint's actuator has no place for.
    fn note_joint(&mut self, number: usize, actuator: Option<&ActuatorParams>) {
        let Joint { name, dynamics, .. } = self.joint(number);
        let is_limited = actuator.is_some_and(|it| it.response.rate_limit_per_s.is_some());
        let speed = dynamics.speed_max.filter(|_| !is_limited);
        for (what, value) in [
            ("a largest effort", dynamics.effort_max.unwrap_or(0.0)),
            ("a largest speed, which needs a lag,", speed.unwrap_or(0.0)),
            ("damping", dynamics.damping),
            ("friction", dynamics.friction),
        ] {
            if value > 0.0 {
                self.notes.omit(name, format!("{what} of {value}"));
            }
        }
    }

    /// The frame of a link, all joints at rest.
    fn link_pose(&self, name: &str) -> Option<Pose> {
        self.placed.iter().find(|placed| self.structure.links[placed.link].name == name).map(|placed| placed.pose)
    }

    pub(super) fn mount_pose(&mut self, component: &str, mount: &Mount) -> Option<Pose> {
        let pose = self.link_pose(&mount.link);
        if pose.is_none() {
            self.disable(component, format!("there is no link `{}`", mount.link));
        }
        pose.map(|pose| composed(&pose, &mount.pose()))
    }

    /// The slide that a link moves with, if one of the driven joints above it slides.
    fn slide_of(&self, placed: &Placed, driven: &Driven<'_>) -> Option<usize> {
        let mut at = placed.joint;
        while let Some(number) = at {
            let joint = self.joint(number);
            if joint.kind == JointKind::Prismatic && driven.iter().any(|(_, other)| *other == number) {
                return Some(number);
            }
            at = self.placed.iter().find(|p| self.structure.links[p.link].name == joint.parent)?.joint;
        }
        None
    }

    fn actuator_of(
        &self,
        driven_joint: &DrivenJoint,
        number: usize,
        driven: &Driven<'_>,
    ) -> Result<ActuatorParams, UrdfError> {
        let joint = self.joint(number);
        let kind = match (joint.kind, joint.limits) {
            (JointKind::Prismatic, Some(limits)) => self.slider(number, limits, driven).map(ActuatorKind::Slider),
            (JointKind::Revolute | JointKind::Continuous, Some(limits)) => {
                hinge(driven_joint, limits).map(ActuatorKind::Hinge)
            }
            _ => Err("must turn or slide between stops to obey commands".to_owned()),
        };
        let kind = kind.map_err(|message| UrdfError::new(format!("joint `{}`: {message}", joint.name)))?;
        let per_unit = match &kind {
            ActuatorKind::Slider(slider) => 100.0 / slider.travel_m.abs(),
            _ => 1.0,
        };
        let response = with_speed_limit(driven_joint.response, joint, per_unit);
        Ok(ActuatorParams { name: joint.name.clone(), response, kind })
    }

    /// All that hangs on a joint that slides, as one mass.
    fn slider(&self, number: usize, [least, most]: [f64; 2], driven: &Driven<'_>) -> Result<SliderParams, String> {
        let child = &self.joint(number).child;
        let Some(placed) = self.placed.iter().find(|p| self.structure.links[p.link].name == *child) else {
            return Err(format!("there is no link `{child}`"));
        };
        let along = placed.pose.world_from_body * DVec3::from_array(self.joint(number).axis);
        let moved = self.structure.mass_of(self.placed.iter().filter(|p| self.slide_of(p, driven) == Some(number)));
        if along.y.abs().max(along.z.abs()) > ROUNDING {
            return Err(format!("slides along {along}, a mass slides along the forward axis only"));
        }
        if let Some(outer) = self.parent_slide(number, driven) {
            return Err(format!("slides on `{}`, which slides itself", self.joint(outer).name));
        }
        if moved.mass_kg == 0.0 {
            return Err("moves no mass".to_owned());
        }
        let position = moved.center_m() + along * (least - self.joint(number).rest());
        Ok(SliderParams {
            mass_kg: moved.mass_kg,
            inertia_kg_m2: diagonal_of(&central_inertia(&moved))?,
            position_m: position.to_array(),
            travel_m: (most - least) * along.x,
        })
    }

    fn parent_slide(&self, number: usize, driven: &Driven<'_>) -> Option<usize> {
        let parent = &self.joint(number).parent;
        let placed = self.placed.iter().find(|p| self.structure.links[p.link].name == *parent)?;
        self.slide_of(placed, driven)
    }

    /// An actuator in the root's frame; none if its link is not there.
    fn mounted(&mut self, mounted: &MountedActuator) -> Result<Option<ActuatorParams>, UrdfError> {
        let mut actuator = mounted.actuator.clone();
        let Some(pose) = self.mount_pose(&actuator.name, &mounted.mount) else { return Ok(None) };
        let place = |at: &mut [f64; 3]| *at = pose.point_m(DVec3::from_array(*at)).to_array();
        let turn = |axis: &mut [f64; 3]| *axis = (pose.world_from_body * DVec3::from_array(*axis)).to_array();
        match &mut actuator.kind {
            ActuatorKind::Hinge(_) => {}
            ActuatorKind::Fin(fin) => {
                place(&mut fin.position_m);
                turn(&mut fin.normal);
            }
            ActuatorKind::Surface(surface) => {
                place(&mut surface.position_m);
                turn(&mut surface.axis);
                if forward_share(&pose, &actuator.name)? < 0.0 {
                    return Err(UrdfError::new(format!("`{}`: its chord points aft", actuator.name)));
                }
                surface.axis[0] = 0.0;
            }
            ActuatorKind::Propeller(propeller) => {
                place(&mut propeller.position_m);
                turn(&mut propeller.axis);
                if let Some(nozzle) = &mut propeller.nozzle {
                    place(&mut nozzle.pivot_m);
                }
            }
            ActuatorKind::Slider(slider) => {
                place(&mut slider.position_m);
                slider.travel_m *= forward_share(&pose, &actuator.name)?;
                let turn = DMat3::from_quat(pose.world_from_body);
                let own = DMat3::from_diagonal(DVec3::from_array(slider.inertia_kg_m2));
                let named = |message| UrdfError::new(format!("`{}`: {message}", actuator.name));
                slider.inertia_kg_m2 = diagonal_of(&(turn * own * turn.transpose())).map_err(named)?;
            }
            ActuatorKind::Ballast(ballast) => {
                place(&mut ballast.position_m);
                ballast.travel_m *= forward_share(&pose, &actuator.name)?;
            }
        }
        Ok(Some(actuator))
    }

    fn body(&mut self, components: &Components, driven: &Driven<'_>) -> Result<BodyParams, UrdfError> {
        let mass = self.structure.mass_of(self.placed.iter().filter(|placed| self.slide_of(placed, driven).is_none()));
        if mass.mass_kg == 0.0 {
            return Err(UrdfError::new("no link has a mass, but for those that slide"));
        }
        Ok(BodyParams {
            mass_kg: mass.mass_kg,
            center_of_gravity_m: mass.center_m().to_array(),
            inertia_kg_m2: rows_of(&mass),
            added_mass: components.added_mass,
            added_coriolis: components.added_coriolis,
            damping: components.damping.clone(),
            buoyancy: self.buoyancy(components)?,
        })
    }

    fn buoyancy(&mut self, components: &Components) -> Result<BuoyancyParams, UrdfError> {
        let Some(points) = &components.force_points else { return Ok(components.buoyancy.clone()) };
        if components.buoyancy != BuoyancyParams::None {
            return Err(UrdfError::new("`buoyancy` and `force_points` are both there, must be one of them"));
        }
        let volume_m3 = self.volume_m3(points)?;
        Ok(BuoyancyParams::Points(self.points(points, volume_m3)))
    }

    /// The volume that is given, or that of a link's shapes. One without a link is 0 and listed.
    fn volume_m3(&mut self, points: &ForcePoints) -> Result<f64, UrdfError> {
        let (given, named) = (points.volume_m3, points.volume_of.as_ref());
        let Some(name) = named.filter(|_| given.is_none()) else {
            return given.ok_or_else(|| UrdfError::new("`force_points` need `volume_m3` or `volume_of`"));
        };
        let Some(link) = self.structure.link(name) else {
            self.disable("volume of the force points", format!("there is no link `{name}`"));
            return Ok(0.0);
        };
        let shapes = if link.collisions.is_empty() { &link.visuals } else { &link.collisions };
        if shapes.is_empty() {
            return Err(UrdfError::new(format!("link `{name}` has no shapes that could displace a volume")));
        }
        shapes.iter().map(|shape| self.shape_volume_m3(&shape.kind)).sum()
    }

    fn points(&mut self, given: &ForcePoints, volume_m3: f64) -> PointParams {
        let mut points_m = Vec::new();
        for (number, point) in given.points.iter().enumerate() {
            let origin = Origin { xyz_m: point.position_m, ..Origin::default() };
            let mount = Mount { link: point.link.clone(), origin, ros_camera: false };
            let pose = self.mount_pose(&format!("force point {}", number + 1), &mount);
            points_m.extend(pose.map(|pose| pose.position_m.to_array()));
        }
        PointParams {
            volume_m3,
            depth_before_submerged_m: given.depth_before_submerged_m,
            max_force_n: given.max_force_n,
            points_m,
            is_center_of_gravity: false,
        }
    }

    fn frames(&mut self, components: &Components) -> Vec<NamedPlace> {
        let mut frames = Vec::new();
        for frame in &components.frames {
            let pose = self.mount_pose(&frame.name, &frame.mount);
            frames.extend(pose.map(|pose| NamedPlace { name: frame.name.clone(), origin: Origin::from_pose(&pose) }));
        }
        frames
    }

    fn links(&self) -> Vec<NamedPlace> {
        let place = |placed: &Placed| NamedPlace {
            name: self.structure.links[placed.link].name.clone(),
            origin: Origin::from_pose(&placed.pose),
        };
        self.placed.iter().map(place).collect()
    }

    fn shapes(&self) -> Vec<ShapePlace> {
        let mut shapes = Vec::new();
        for placed in &self.placed {
            let link = &self.structure.links[placed.link];
            for (collides, list) in [(false, &link.visuals), (true, &link.collisions)] {
                shapes.extend(list.iter().map(|shape| ShapePlace {
                    link: link.name.clone(),
                    collides,
                    origin: Origin::from_pose(&composed(&placed.pose, &shape.origin.pose())),
                    kind: shape.kind.clone(),
                }));
            }
        }
        shapes
    }
}

/// The response with the joint's largest speed, if it has a lag and no limit of its own. `per_unit`: command for a metre or radian.
fn with_speed_limit(response: ResponseParams, joint: &Joint, per_unit: f64) -> ResponseParams {
    let speed = joint.dynamics.speed_max.filter(|&speed| speed > 0.0 && response.time_constant_s > 0.0);
    let limit = speed.map(|speed| speed * per_unit).filter(|limit| limit.is_finite());
    ResponseParams { rate_limit_per_s: response.rate_limit_per_s.or(limit), ..response }
}

/// A hinge stops at the same angle on either side.
fn hinge(joint: &DrivenJoint, [least, most]: [f64; 2]) -> Result<HingeParams, String> {
    if (least + most).abs() > ROUNDING * most.abs() {
        return Err(format!("stops at {least} and {most} rad, a hinge stops at the same angle on either side"));
    }
    let command_max_rad = joint.command_max_rad.unwrap_or(most);
    Ok(HingeParams { command_max_rad, stop_rad: most, reversed: joint.reversed })
}

/// 1 if the mount's x axis is the vehicle's, -1 if it is turned round.
fn forward_share(mount: &Pose, name: &str) -> Result<f64, UrdfError> {
    let along = mount.world_from_body * DVec3::X;
    if along.y.abs().max(along.z.abs()) <= ROUNDING {
        return Ok(along.x.signum());
    }
    Err(UrdfError::new(format!("`{name}`: its x axis points along {along}, it must be the forward axis")))
}

/// The diagonal of an inertia that has nothing beside it.
fn diagonal_of(inertia: &DMat3) -> Result<[f64; 3], String> {
    let [x, y, z] = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
    let (largest, beside) = (x.x.max(y.y).max(z.z), x.y.abs().max(x.z.abs()).max(y.z.abs()));
    if beside > ROUNDING * largest {
        return Err(format!("has products of inertia up to {beside} kg m², a sliding mass knows its diagonal only"));
    }
    Ok([x.x, y.y, z.z])
}

/// Inertia about the centre of gravity in rows, exactly symmetric.
fn rows_of(mass: &RigidMass) -> [[f64; 3]; 3] {
    let inertia = central_inertia(mass);
    let even = (inertia + inertia.transpose()) * 0.5;
    [0, 1, 2].map(|row| even.row(row).to_array())
}
