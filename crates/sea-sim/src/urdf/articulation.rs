//! Drives and masses of links that joints move: the `articulations` of a component file of SMARCUnityAssets.

use super::UrdfError;
use super::components::{Components, DrivenJoint};
use super::import::Notes;
use super::structure::{Joint, JointKind, Link, Structure};
use crate::actuator::{ActuatorKind, ResponseParams};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What moves a link on its joint. The drive along or about the joint's own axis is `x`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Articulation {
    /// Name of the link, after those of the links that lead to it with `/` between them. The last name alone counts.
    pub path: String,
    /// Springs and dampers between the joint and its command.
    #[serde(default)]
    pub drives: Drives,
    /// Decay of the link's velocity, 1/s.
    #[serde(default)]
    pub linear_damping_per_s: f64,
    /// Decay of the link's turn rate, 1/s.
    #[serde(default)]
    pub angular_damping_per_s: f64,
    /// Inertia of the link about its centre of mass. None: that of the URDF.
    #[serde(default)]
    pub inertia: Option<TurnedInertia>,
    /// Centre of mass in the link's frame, m. None: that of the URDF.
    #[serde(default)]
    pub center_of_mass_m: Option<[f64; 3]>,
    /// Friction of the joint, N s/m or N m s/rad.
    #[serde(default)]
    pub joint_friction: f64,
}

/// Principal moments of inertia in a turned frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnedInertia {
    /// Moments about the axes of its frame, kg m².
    pub moments_kg_m2: [f64; 3],
    /// Turn of its frame in the link's: roll, pitch, yaw, rad.
    #[serde(default)]
    pub rpy_rad: [f64; 3],
}

/// Drives of a joint by its axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Drives {
    /// Along or about the joint's axis.
    pub x: Option<Drive>,
    /// Across it; a joint of a URDF does not move there.
    pub y: Option<Drive>,
    /// Across both; a joint of a URDF does not move there.
    pub z: Option<Drive>,
}

/// A spring and a damper that hold a joint at its command: force `k (x* - x) - c v`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Drive {
    /// Stiffness k, N/m or N m/rad.
    pub stiffness: f64,
    /// Damping c, N s/m or N m s/rad.
    pub damping: f64,
    /// Largest force, N or N m. None: no limit.
    pub force_limit: Option<f64>,
    /// Smallest value of the joint, m or rad. None: that of the URDF.
    pub lower: Option<f64>,
    /// Largest value of the joint, m or rad. None: that of the URDF.
    pub upper: Option<f64>,
    /// What the drive does.
    #[serde(rename = "type")]
    pub kind: DriveKind,
}

/// Kinds of drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveKind {
    /// It pushes with its force.
    #[default]
    Force,
    /// It pushes with its force times the mass that it moves.
    Acceleration,
    /// It is at its command at once.
    Target,
    /// It follows a speed.
    Velocity,
}

impl Drive {
    /// Time constant of a light link: `k (x* - x) = c v` gives `x' = (x* - x) / (c/k)`, s.
    fn lag_s(&self) -> Result<f64, &'static str> {
        match self.kind {
            DriveKind::Target => Ok(0.0),
            DriveKind::Velocity => Err("drive x of a speed: actuators follow places and angles"),
            DriveKind::Force | DriveKind::Acceleration if self.stiffness > 0.0 => Ok(self.damping / self.stiffness),
            DriveKind::Force | DriveKind::Acceleration => Err("drive x without stiffness: it holds no command"),
        }
    }

    fn check(&self) -> Result<(), String> {
        not_negative("stiffness", self.stiffness)?;
        not_negative("damping", self.damping)?;
        not_negative("force_limit", self.force_limit.unwrap_or(0.0))?;
        all_finite("lower", &[self.lower.unwrap_or(0.0)])?;
        all_finite("upper", &[self.upper.unwrap_or(0.0)])
    }

    /// The joint's ends with those of the drive in their place.
    fn lay_limits(&self, joint: &mut Joint) -> Result<(), String> {
        let [least, most] = joint.limits.map_or([None; 2], |ends| ends.map(Some));
        let ends = self.lower.or(least).zip(self.upper.or(most));
        if let Some((lower, upper)) = ends.filter(|(lower, upper)| lower > upper) {
            return Err(format!("drives.x: lower is {lower}, must not be above upper, {upper}"));
        }
        joint.limits = ends.map(|(lower, upper)| [lower, upper]);
        Ok(())
    }
}

impl Articulation {
    fn link(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    fn title(&self) -> String {
        format!("articulation of {}", self.link())
    }

    fn check(&self) -> Result<(), String> {
        not_negative("linear_damping_per_s", self.linear_damping_per_s)?;
        not_negative("angular_damping_per_s", self.angular_damping_per_s)?;
        not_negative("joint_friction", self.joint_friction)?;
        all_finite("center_of_mass_m", &self.center_of_mass_m.unwrap_or_default())?;
        let TurnedInertia { moments_kg_m2, rpy_rad } = self.inertia.unwrap_or_default();
        all_finite("inertia.rpy_rad", &rpy_rad)?;
        moments_kg_m2.iter().try_for_each(|&moment| not_negative("inertia.moments_kg_m2", moment))?;
        for (name, drive) in [("x", self.drives.x), ("y", self.drives.y), ("z", self.drives.z)] {
            drive.map_or(Ok(()), |drive| drive.check()).map_err(|why| format!("drives.{name}.{why}"))?;
        }
        Ok(())
    }

    fn lay_mass(&self, link: &mut Link, notes: &mut Notes) {
        if self.inertia.is_none() && self.center_of_mass_m.is_none() {
            return;
        }
        let Some(inertial) = &mut link.inertial else {
            return notes.omit(&self.title(), "inertia and centre of mass of a link without a mass");
        };
        inertial.origin.xyz_m = self.center_of_mass_m.unwrap_or(inertial.origin.xyz_m);
        if let Some(TurnedInertia { moments_kg_m2, rpy_rad }) = self.inertia {
            (inertial.moments_kg_m2, inertial.products_kg_m2) = (moments_kg_m2, [0.0; 3]);
            inertial.origin.rpy_rad = rpy_rad;
        }
    }

    /// Names the numbers that no vehicle has a place for.
    fn note_rest(&self, notes: &mut Notes) {
        let force_limit = self.drives.x.and_then(|drive| drive.force_limit).unwrap_or(0.0);
        for (what, number) in [
            ("linear damping", self.linear_damping_per_s),
            ("angular damping", self.angular_damping_per_s),
            ("joint friction", self.joint_friction),
            ("force limit of drive x", force_limit),
        ] {
            if number > 0.0 {
                notes.omit(&self.title(), format!("{what} of {number}"));
            }
        }
        for (name, drive) in [("y", self.drives.y), ("z", self.drives.z)] {
            if drive.is_some() {
                notes.omit(&self.title(), format!("drive {name}: a joint of a URDF has one axis"));
            }
        }
    }

    /// Gives the drive's ends to the joint and its lag to what it moves: to actuators that hang on the link, else to the joint. The
    /// name of a joint that obeys commands because of the drive alone.
    fn lay_drive(
        &self,
        drive: &Drive,
        structure: &mut Structure,
        components: &mut Components,
        notes: &mut Notes,
    ) -> Result<Option<String>, String> {
        let moves = |joint: &&mut Joint| joint.child == self.link() && joint.kind != JointKind::Fixed;
        let Some(joint) = structure.joints.iter_mut().find(moves) else {
            notes.omit(&self.title(), "drive x: no joint moves the link");
            return Ok(None);
        };
        drive.lay_limits(joint)?;
        let lag_s = match drive.lag_s() {
            Ok(lag_s) => lag_s,
            Err(why) => {
                notes.omit(&self.title(), why);
                return Ok(None);
            }
        };
        let lay = |response: &mut ResponseParams| {
            if response.time_constant_s == 0.0 {
                response.time_constant_s = lag_s;
            }
        };
        let mut is_mounted = false;
        for mounted in components.actuators.iter_mut().filter(|mounted| mounted.mount.link == self.link()) {
            if !matches!(mounted.actuator.kind, ActuatorKind::Propeller(_)) {
                lay(&mut mounted.actuator.response);
                is_mounted = true;
            }
        }
        let mut asked = components.joints.iter_mut().filter(|asked| asked.joint == joint.name).peekable();
        let is_asked = asked.peek().is_some();
        asked.for_each(|asked| lay(&mut asked.response));
        if is_mounted || is_asked {
            return Ok(None);
        }
        let response = ResponseParams { time_constant_s: lag_s, ..ResponseParams::default() };
        components.joints.push(DrivenJoint { joint: joint.name.clone(), response, ..DrivenJoint::default() });
        Ok(Some(joint.name.clone()))
    }
}

/// Lays the articulations over links, joints and actuators. The names of the joints that obey commands because of them alone.
///
/// # Errors
/// If a number is out of range.
pub(super) fn articulate(
    structure: &mut Structure,
    components: &mut Components,
    notes: &mut Notes,
) -> Result<Vec<String>, UrdfError> {
    let mut by_drive = Vec::new();
    for articulation in std::mem::take(&mut components.articulations) {
        let title = articulation.title();
        let named = |why: String| UrdfError::new(format!("{title}: {why}"));
        articulation.check().map_err(named)?;
        let Some(link) = structure.links.iter_mut().find(|link| link.name == articulation.link()) else {
            notes.disable(&title, format!("there is no link `{}`", articulation.link()));
            continue;
        };
        articulation.lay_mass(link, notes);
        articulation.note_rest(notes);
        if let Some(drive) = &articulation.drives.x {
            by_drive.extend(articulation.lay_drive(drive, structure, components, notes).map_err(named)?);
        }
    }
    Ok(by_drive)
}

fn not_negative(name: &str, value: f64) -> Result<(), String> {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { Err(format!("{name} is {value}, must not be below 0")) }
}

fn all_finite(name: &str, values: &[f64]) -> Result<(), String> {
    let wrong = values.iter().find(|value| !value.is_finite());
    wrong.map_or(Ok(()), |value| Err(format!("{name} is {value}, must be a finite number")))
}
