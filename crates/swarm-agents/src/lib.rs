//! The swarm on the plane: wishes, the safety filter, motion models, assignment, and measures of the result.
//!
//! It must not know the cube (bytes, motors, latency), scenario files or the wall clock. Units are mm, mm/s and rad; the plane
//! is the mat's: x right, y down, headings from +x towards +y.

pub mod agents;
pub mod boundary;
pub mod capacity;
pub mod drive;
pub mod filter;
pub mod goals;
pub mod measures;
pub mod model;
pub mod neighbours;
pub mod placement;
pub mod purpose;
pub mod swept;
pub mod walls;
mod wheels;
pub mod wish;

pub use agents::Agents;
pub use model::{Clearances, Drive, Limits, SwarmModel, Wheels};
pub use neighbours::Neighbours;
pub use walls::Walls;
