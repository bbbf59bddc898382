//! Cubes as bodies: motors, wheels, traction, contact, hands and magnets, on a real rigid-body engine.
//!
//! SI units. Places on the mat are in its plane (x right, y down, headings clockwise seen from above), everything in three dimensions is
//! in a world whose z points up from the mat; its sensor values are in its own axes (X forward, Y right, Z down). See [`frame`].
//! Models: `docs/models/motor.md`, `contact.md`, `magnets.md`. Sources: "toio facts" stands for those under `docs/models/README.md`.
//!
//! The crate must not know firmware, bytes or swarms: it takes motor commands in the firmware's units and hands, and reports where cubes
//! are and what their sensors measure.
//!
//! ```
//! use sim_core::DVec2;
//! use toio_physics::{CubeStart, MotorParams, Physics, PhysicsModel, PhysicsParams, WheelCommand};
//!
//! let model = PhysicsModel::new(PhysicsParams::default())?;
//! let start = CubeStart { id: 0, axle_m: DVec2::ZERO, heading_rad: 0.0, motor: MotorParams::default(), is_away: false };
//! let mut physics = Physics::new(&model, &[start], &[])?;
//! let forward = WheelCommand { left_units: 50.0, right_units: 50.0, active_share: 1.0, is_forced_stop: false };
//! for _ in 0..50 {
//!     physics.step(&model, &[forward])?;
//! }
//! // 50 units are 141 mm/s; the motor's lag of 28.9 ms costs 4 mm of the first second.
//! let x_mm = physics.reports()[0].axle_m().x * 1000.0;
//! assert!((x_mm - 136.6).abs() < 1.0, "{x_mm}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod frame;
pub mod geometry;
pub mod motor;

mod blow;
mod engine;
mod footprint;
mod hands;
mod magnets;
mod params;
mod physics;
mod report;

pub use footprint::Footprint;
pub use frame::Attitude;
pub use hands::HandAction;
pub use magnets::{MU0_H_M, Magnet, Mount, PlacedMagnet, REACH_M, WEBER_PER_MAXWELL};
pub use motor::{Characteristic, LagLaw, Motor, MotorParams};
pub use params::{BodyParams, CubeStart, PhysicsModel, PhysicsParams, Wall};
pub use physics::{BringError, Physics, StepError, WheelCommand};
pub use report::{CubeReport, Impact, Touched, WheelReport};
pub use toio_hardware::{GRAVITY_M_S2, SPEED_PER_UNIT_M_S};
