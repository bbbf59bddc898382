//! Exact rays against the bottom and against triangle meshes, for whatever measures by echo, and sound from one modem to another.
//!
//! World: east, north, up. Metres and radians, f64 everywhere. Every way of casting calls one arithmetic for a ray and a triangle, so
//! that all of them give the same bits: cell by cell over a grid of heights, a whole fan of rays at once, down a tree of boxes, or
//! triangle by triangle. The crate must not know vehicles, scenario files, tables, where data files lie, or the wall clock.
//! Model and limits: `docs/models/sea-echo.md`.
//!
//! ```
//! use sea_echo::{Fan, HeightGrid, Surface};
//! use sim_core::{DVec2, DVec3};
//!
//! // A level bottom at -10 m, and three rays: to port, down and to starboard of a sensor that looks north.
//! let bottom = HeightGrid::new(DVec2::splat(-50.0), 25.0, 5, vec![-10.0; 25])?;
//! let mut fan = Fan::new(&[-0.5, 0.0, 0.5], 100.0)?;
//! fan.place(DVec3::ZERO, [DVec3::NEG_Z, DVec3::X])?;
//! let mut hits = vec![None; 3];
//! bottom.cast_fan(&fan, &mut hits);
//! let slant_m = 10.0 / sim_core::ops::cos(0.5);
//! assert!(hits[0].is_some_and(|hit| (hit.distance_m - slant_m).abs() < 1e-12));
//! assert_eq!(hits[1].map(|hit| hit.distance_m), Some(10.0));
//! assert_eq!(hits[1], bottom.cast(&fan.rays()[1]));
//! # Ok::<(), sim_core::ParamError>(())
//! ```

pub mod acoustic;
mod bodies;
mod bounds;
mod capsule;
mod echo;
mod fan;
mod grid;
pub mod imaging;
mod material;
pub mod mesh;
pub mod modem;
pub mod multibeam;
mod multipath;
mod ray;
pub mod scan;
mod set;
mod surface;
mod sweep;

pub use acoustic::{AcousticParams, Acoustics, BeamPattern, PointTarget, Scattering, ScatteringTable};
pub use bodies::{Bodies, Body, BodyShape, WithBodies};
pub use capsule::Capsule;
pub use echo::{Echo, Scene, SensorPose};
pub use fan::{Fan, MAX_FAN_RAYS};
pub use grid::HeightGrid;
pub use imaging::{ImagingParams, ImagingSonar};
pub use material::Material;
pub use mesh::{MeshParams, TriangleMesh};
pub use multibeam::{Multibeam, MultibeamParams};
pub use multipath::Multipath;
pub use ray::{Hit, Ray};
pub use set::SurfaceSet;
pub use surface::Surface;
pub use sweep::{Ball, Touch, Touchable, nearer};
