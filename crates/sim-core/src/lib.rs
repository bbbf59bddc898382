//! The ground that every robot world stands on: ticks, random streams found by address, angles, rectangles, a grid of points, portable
//! mathematics, coloured noise, what sensors make of the truth, the state hash, and the words for measures.
//!
//! It must not know any robot, file format, file, thread or the wall clock. Everything here gives the same bits on every
//! machine: functions that the processor or the C library may round differently live in [`ops`], and nowhere else.
//!
//! ```
//! use sim_core::{Purpose, RunKey, Tick};
//!
//! let key = RunKey { seed: 7, run_index: 0 };
//! let tick = Tick(120);
//! let mut stream = key.stream(Purpose::new(7), 3, tick.0);
//! let first = stream.uniform();
//! // The same address gives the same numbers, whatever was drawn elsewhere.
//! assert_eq!(first, key.stream(Purpose::new(7), 3, tick.0).uniform());
//! assert_eq!(tick.seconds(60), 2.0);
//! ```

pub mod angle;
pub mod grid;
pub mod hash;
pub mod measure;
pub mod noise;
pub mod ones;
pub mod ops;
pub mod param;
pub mod random;
pub mod rect;
pub mod sensing;
pub mod time;

pub use glam::{DQuat, DVec2, DVec3};
pub use grid::Grid;
pub use hash::StateHash;
pub use noise::OrnsteinUhlenbeck;
pub use ones::Ones;
pub use param::ParamError;
pub use random::{Purpose, RunKey, Stream};
pub use rect::Rect;
pub use time::Tick;
