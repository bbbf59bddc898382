//! Drawing without knowing what: a list of shapes, and two ways to show it.
//!
//! A [`Scene`] is measured in px, x right, y down, from its upper left corner. [`svg::document`] writes it as text, [`pixels::paint`] as
//! pixels: what is drawn is decided once.

pub mod color;
pub mod font;
pub mod path;
pub mod pixels;
pub mod scene;
pub mod svg;

pub use color::{Color, Diverging};
pub use path::Path;
pub use scene::{Anchor, Image, Ink, Line, Scene, Shape, Text, Weight};
