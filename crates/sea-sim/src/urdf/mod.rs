//! Vehicles out of URDF: structure from the robot's file, function from a file of components beside it.
//!
//! A URDF knows links, joints, inertia and shapes. It knows nothing of water, thrust and commands. Those stand in
//! [`Components`], which name links and joints. [`Structure::from_urdf`] reads the one, [`import`] joins both to a
//! [`VehicleParams`](crate::vehicle::VehicleParams), the content of a file under `vehicles/`. All of it can be written as
//! JSON and read back. Rules: `docs/models/sea-urdf.md`.
//!
//! ```
//! use sea_sim::urdf::{Components, Structure, import};
//!
//! let text = r#"<robot name="float"><link name="base"><inertial>
//!     <origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
//! </inertial></link></robot>"#;
//! let structure = Structure::from_urdf(text)?;
//! let imported = import(&structure, &Components { size_m: [1.0, 0.5, 0.5], ..Components::default() })?;
//! assert_eq!(structure.mass_kg(), 2.0);
//! assert!(imported.disabled.is_empty());
//! # Ok::<(), sea_sim::urdf::UrdfError>(())
//! ```

mod articulation;
mod collada;
mod components;
mod hull;
mod import;
mod mesh_file;
mod read;
mod structure;
mod tree;

pub use articulation::{Articulation, Drive, DriveKind, Drives, TurnedInertia};
pub use components::{
    Collider, Components, DrivenJoint, ForcePoint, ForcePoints, LinkInertial, Mount, MountedActuator, MountedFrame,
};
pub use import::{Disabled, Imported, NamedPlace, Omitted, ReadFile, ShapePlace, import, import_with};
pub use mesh_file::{mesh_volume_m3, read_mesh};
pub use structure::{Inertial, Joint, JointDynamics, JointKind, Link, Origin, Shape, ShapeKind, Structure};

use std::fmt;

/// A robot's file or its components cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrdfError {
    /// Line of the robot's file, counted from 1; none if no line is to blame.
    pub line: Option<u32>,
    /// The link, joint or component, and what is wrong with it.
    pub message: String,
}

impl UrdfError {
    fn new(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }
}

impl fmt::Display for UrdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for UrdfError {}
