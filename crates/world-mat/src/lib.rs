//! The mat: robots that keep out of the way of walking feet and are drawn to drifting points of interest, and toio cubes down to their
//! bytes.
//!
//! [`Mat`] is the kind of world, [`MatModel`] is fixed for a run, [`MatWorld`] is one run. [`MatWorld::step_with`] is the table of contents
//! of a step.
//!
//! It must not know other worlds, files or how runs are written.

pub mod bodies;
mod controls;
pub mod cube_drive;
mod cube_measures;
mod cube_streams;
pub mod cubes;
mod devices;
pub mod events;
mod handling;
pub mod inputs;
mod kind;
pub mod near_misses;
pub mod phase_timer;
mod phases;
mod putting;
pub mod scenario;
pub mod sensing;
mod streams;
pub mod things;
mod view;
mod view_places;
mod view_things;
pub mod world;

pub use cube_measures::CUBE_MEASURES;
pub use kind::Mat;
pub use scenario::MatScenario;
pub use world::{MatModel, MatWorld};
