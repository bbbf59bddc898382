//! Toio cubes on the mat: bodies, firmware, radio, and the programs and hands that use them.
//!
//! [`CubesModel`] is fixed for the run, [`Cubes`] is the complete state, [`CubesScratch`] holds buffers and what there is to tell. A
//! step of the mat calls the phases of `step` in this order: hands take hold, bodies move, sensors are read, clients write, firmware runs
//! between the two directions of the radio. Motor commands of one step drive the bodies in the next.
//!
//! A controller from outside does as a program does: [`Cubes::send`] writes through the radio, and [`Cubes::inbox`] is what has come
//! back.

mod away;
mod charger;
mod link;
mod model;
mod senses;
mod state;
pub(crate) mod step;

pub use charger::Charger;
pub use link::{Direction, Loss, TracedMessage};
pub use model::{ClientAct, CubeModel, CubesModel, Hand, HandDoes, ProgramStep};
pub use state::{CubeView, Cubes, CubesScratch};
