//! The road: cars among walls, with lidar, inertial unit, odometry and position sensor, each with a driver.
//!
//! [`Road`] is the kind of world, [`RoadModel`] is fixed for a run, [`RoadWorld`] is one run. [`RoadWorld::step`] is the table of contents
//! of a step.
//!
//! It must not know other worlds, files or how runs are written.

mod driver;
mod events;
mod inputs;
mod inspector;
mod kind;
mod lidar_rows;
mod model;
mod phases;
mod readings;
pub mod scenario;
mod streams;
mod view;
mod world;

pub use driver::{DriverModel, WallEyes};
pub use events::{EventObject, RoadEvent};
pub use inspector::{MEASURES, RoadInspector, limit};
pub use kind::Road;
pub use lidar_rows::LidarRows;
pub use model::{CarSetup, MapOutlines, RoadModel, SUBSTEP_NS, SensorKind, SensorSetup, TICKS_PER_S};
pub use readings::{Arrival, Readings};
pub use scenario::RoadScenario;
pub use world::{CarState, RoadScratch, RoadState, RoadWorld};
