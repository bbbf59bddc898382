//! What a URDF says, as data.

use crate::pose::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::DVec3;

/// Links and the joints between them. Lengths m, masses kg, angles rad; axes forward, left, up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// Name of the robot.
    pub name: String,
    /// Links in the order of the file.
    pub links: Vec<Link>,
    /// Joints in the order of the file.
    pub joints: Vec<Joint>,
}

/// A rigid part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Its name, the only one of that name.
    pub name: String,
    /// Mass and inertia; none for a link that is a frame only.
    pub inertial: Option<Inertial>,
    /// What it looks like.
    #[serde(default)]
    pub visuals: Vec<Shape>,
    /// What touches.
    #[serde(default)]
    pub collisions: Vec<Shape>,
}

/// Mass of a link and its inertia about the centre of gravity, along the axes of its own frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inertial {
    /// The frame of the inertia, at the centre of gravity, in the link's frame.
    #[serde(default)]
    pub origin: Origin,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Inertia, kg m²: xx, yy, zz.
    pub moments_kg_m2: [f64; 3],
    /// Elements of the inertia matrix beside the diagonal, kg m²: xy, xz, yz.
    #[serde(default)]
    pub products_kg_m2: [f64; 3],
}

/// A frame in the frame that it hangs on: turned by roll about x, then pitch about y, then yaw about z of the outer frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Place, m.
    #[serde(default)]
    pub xyz_m: [f64; 3],
    /// Roll, pitch, yaw, rad.
    #[serde(default)]
    pub rpy_rad: [f64; 3],
}

/// A shape of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Where it is in the link's frame.
    pub origin: Origin,
    /// What it is.
    pub kind: ShapeKind,
}

/// Kinds of shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ShapeKind {
    /// A file of triangles.
    Mesh {
        /// Its name as it stands in the URDF.
        file: String,
        /// Factors along its axes.
        scale: [f64; 3],
    },
    /// A box.
    Box {
        /// Lengths of its edges, m.
        size_m: [f64; 3],
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius_m: f64,
        /// Length, m.
        length_m: f64,
    },
    /// A cylinder along z between two half spheres.
    Capsule {
        /// Radius, m.
        radius_m: f64,
        /// Length with both half spheres, m.
        length_m: f64,
    },
    /// A sphere.
    Sphere {
        /// Radius, m.
        radius_m: f64,
    },
}

/// How two links hang together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Its name, the only one of that name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link that it hangs on.
    pub parent: String,
    /// The link that it moves.
    pub child: String,
    /// The child's frame in the parent's, the joint at zero.
    pub origin: Origin,
    /// Axis in the child's frame, of length 1.
    pub axis: [f64; 3],
    /// Smallest and largest value, rad or m; none without limits.
    pub limits: Option<[f64; 2]>,
    /// What else holds its motion back.
    #[serde(default)]
    pub dynamics: JointDynamics,
    /// Name of the joint whose motion it is to follow, if there is one.
    #[serde(default)]
    pub follows: Option<String>,
}

/// Effort, speed, damping and friction of a joint, N or N m and m/s or rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JointDynamics {
    /// Largest effort; none or 0: not given.
    pub effort_max: Option<f64>,
    /// Largest speed; none or 0: not given.
    pub speed_max: Option<f64>,
    /// Damping against its speed.
    pub damping: f64,
    /// Friction at any speed.
    pub friction: f64,
}

/// Kinds of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointKind {
    /// It does not move.
    #[default]
    Fixed,
    /// It turns about its axis between two stops.
    Revolute,
    /// It turns without end.
    Continuous,
    /// It slides along its axis between two stops.
    Prismatic,
}

impl JointKind {
    /// All kinds by the names of URDF.
    pub(super) const NAMES: [(&'static str, Self); 4] = [
        ("fixed", Self::Fixed),
        ("revolute", Self::Revolute),
        ("continuous", Self::Continuous),
        ("prismatic", Self::Prismatic),
    ];
}

impl Joint {
    /// The value nearest to zero that its limits allow.
    #[must_use]
    pub fn rest(&self) -> f64 {
        self.limits.map_or(0.0, |[least, most]| 0.0_f64.max(least).min(most))
    }

    /// The child's frame in the parent's at a value.
    #[must_use]
    pub fn pose_at(&self, value: f64) -> Pose {
        let axis = DVec3::from_array(self.axis) * value;
        let [x, y, z] = axis.to_array();
        let motion = match self.kind {
            JointKind::Fixed => return self.origin.pose(),
            JointKind::Prismatic => [x, y, z, 0.0, 0.0, 0.0],
            JointKind::Revolute | JointKind::Continuous => [0.0, 0.0, 0.0, x, y, z],
        };
        self.origin.pose().displaced(&motion)
    }
}

impl Structure {
    /// Sum of the links' masses, kg.
    #[must_use]
    pub fn mass_kg(&self) -> f64 {
        self.links.iter().filter_map(|link| link.inertial.as_ref()).map(|inertial| inertial.mass_kg).sum()
    }

    /// A link by its name.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// A joint by its name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }
}
