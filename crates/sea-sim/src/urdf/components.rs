//! What stands beside a URDF: water, thrust, commands, and where they hang.

use super::articulation::Articulation;
use super::structure::{Inertial, Origin, ShapeKind};
use crate::actuator::{ActuatorParams, ResponseParams};
use crate::attitude::RollPitchYaw;
use crate::body::{AddedCoriolis, BuoyancyParams, DampingParams, Matrix6};
use crate::pose::Pose;
use glam::{DMat3, DQuat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::DVec3;

/// Function of a vehicle whose structure is a URDF. Matrices and buoyancy are about the root link's origin and along its axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Components {
    /// Name of the URDF that this stands beside.
    pub urdf: String,
    /// One sentence: what the vehicle is.
    pub about: String,
    /// Where the numbers come from.
    pub sources: Vec<String>,
    /// Length, beam and height, m.
    pub size_m: [f64; 3],
    /// Added mass: kg, kg m, kg m².
    pub added_mass: Matrix6,
    /// Which Coriolis terms of the added mass act.
    pub added_coriolis: AddedCoriolis,
    /// Forces against the velocity through the water.
    pub damping: DampingParams,
    /// How the water carries it; not together with force points.
    pub buoyancy: BuoyancyParams,
    /// Masses of links, in place of those of the URDF: many files have none.
    pub inertials: Vec<LinkInertial>,
    /// Points that share one volume, each on a link.
    pub force_points: Option<ForcePoints>,
    /// Joints that obey commands. All others stay at rest.
    pub joints: Vec<DrivenJoint>,
    /// Drives, masses and damping of links that joints move.
    pub articulations: Vec<Articulation>,
    /// What touches, in place of the URDF's collision shapes.
    pub colliders: Vec<Collider>,
    /// Actuators that hang on links.
    pub actuators: Vec<MountedActuator>,
    /// Frames on links, such as those of sensors.
    pub frames: Vec<MountedFrame>,
}

/// Mass and inertia of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkInertial {
    /// Name of the link.
    pub link: String,
    /// What it has.
    pub inertial: Inertial,
}

/// Points that share one volume equally.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForcePoints {
    /// Volume of the whole body, m³. None: that of the shapes of `volume_of`.
    #[serde(default)]
    pub volume_m3: Option<f64>,
    /// Name of the link whose shapes displace the volume: those that touch if there are any, else those that are seen.
    #[serde(default)]
    pub volume_of: Option<String>,
    /// Depth from which a point bears its full share, m.
    pub depth_before_submerged_m: f64,
    /// Largest force of the whole body, N.
    pub max_force_n: f64,
    /// The points.
    pub points: Vec<ForcePoint>,
}

/// A point on a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForcePoint {
    /// Name of the link.
    pub link: String,
    /// Place in the link's frame, m.
    pub position_m: [f64; 3],
}

/// A shape that touches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Where it hangs.
    pub mount: Mount,
    /// What it is.
    pub kind: ShapeKind,
}

/// A joint that obeys commands: one that turns becomes a hinge, one that slides becomes a sliding mass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrivenJoint {
    /// Name of the joint and of the actuator.
    pub joint: String,
    /// How it follows its command.
    #[serde(default)]
    pub response: ResponseParams,
    /// Largest command of a hinge to either side, rad; none: its stop.
    #[serde(default)]
    pub command_max_rad: Option<f64>,
    /// Whether a positive command of a hinge turns the other way.
    #[serde(default)]
    pub reversed: bool,
}

/// An actuator in the frame of its mount: places and directions in it are along the mount's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MountedActuator {
    /// Where it hangs.
    pub mount: Mount,
    /// What it is, as in a vehicle's file.
    pub actuator: ActuatorParams,
}

/// A frame with a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MountedFrame {
    /// Its name.
    pub name: String,
    /// Where it hangs.
    pub mount: Mount,
}

/// A frame on a link, by the link's name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Name of the link.
    pub link: String,
    /// Place and turn in the link's frame.
    #[serde(default)]
    pub origin: Origin,
    /// Whether the frame is then turned to a camera's: x right, y down, z ahead.
    #[serde(default)]
    pub ros_camera: bool,
}

impl Mount {
    /// The frame in that of the link.
    #[must_use]
    pub fn pose(&self) -> Pose {
        let pose = self.origin.pose();
        if !self.ros_camera {
            return pose;
        }
        let axes = DMat3::from_cols(DVec3::NEG_Y, DVec3::NEG_Z, DVec3::X);
        Pose { world_from_body: pose.world_from_body * DQuat::from_mat3(&axes), ..pose }
    }
}

impl Origin {
    /// The same as a pose.
    #[must_use]
    pub fn pose(&self) -> Pose {
        let [roll_rad, pitch_rad, yaw_rad] = self.rpy_rad;
        let world_from_body = RollPitchYaw { roll_rad, pitch_rad, yaw_rad }.to_quat();
        Pose { position_m: DVec3::from_array(self.xyz_m), world_from_body }
    }

    pub(super) fn from_pose(pose: &Pose) -> Self {
        let angles = RollPitchYaw::from_quat(pose.world_from_body);
        Self { xyz_m: pose.position_m.to_array(), rpy_rad: [angles.roll_rad, angles.pitch_rad, angles.yaw_rad] }
    }
}
