//! What people look at: pictures, films, sounds and plots, drawn from the files of a run folder.
//!
//! The crate knows files and marks, not worlds nor how runs are made: `tables.json` names the streams of a run and `view.json` tells how
//! it is drawn. Lengths are in the unit of the view, angles in rad from +x towards +y.

pub mod chart;
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
pub mod stage;
pub mod still;
pub mod theme;

pub use error::ViewError;
