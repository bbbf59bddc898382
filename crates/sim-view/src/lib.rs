//! What people look at: pictures, films, sounds and plots, drawn from the files of a run folder.
//!
//! The crate knows files, not how they came to be: old folders and other people's folders can be drawn as well as ours. Lengths in mm on
//! the mat's plane, x right, y down; in m on
//! the road's, x right, y up. Angles in rad from +x towards +y.

pub mod draw;
mod error;
mod file;
pub mod film;
pub mod folder;
pub mod frame;
mod palette;
pub mod picture;
pub mod plot;
pub mod replay;
pub mod report;
pub mod sound;
pub mod still;
pub mod theme;

pub use error::ViewError;
