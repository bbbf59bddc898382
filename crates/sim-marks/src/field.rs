//! Values all over the plane, in colours.

use super::{Color, Ink};
use serde::{Deserialize, Serialize};

/// The field of a `Wells` mark: `scale` times the sum of hills less the integral over the window of `exp(-beta tau) G(x - mu(tau), S)`,
/// where `S` is `sigma^2` and along the motion `(stretch_s v)^2` more, as in [`Draw::Ellipse`](super::Draw::Ellipse).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wells {
    /// Stream of the party whose owners are wells.
    pub wells: String,
    /// Stream of the party whose owners are hills.
    pub hills: String,
    /// Columns of a hill's standard deviation and height.
    pub hill: [String; 2],
    /// Height of everything.
    pub scale: f64,
    /// Standard deviation of a well at rest.
    pub sigma: f64,
    /// How much a well grows along the motion, as time.
    pub stretch_s: f64,
    /// How fast later times count less.
    pub beta_per_s: f64,
    /// How far ahead wells count.
    pub window_s: f64,
    /// Times at which the way ahead is looked at, in the window.
    pub frames: u32,
    /// Where the colours end, in both directions.
    pub extent: f64,
    /// Words of the scale: title, remark, what is at the low end, what at the high end.
    pub words: [String; 4],
}

/// Values at even places of the plane, at most about 250 by 250 of them, which the page carries too. Between four known values they are
/// bilinear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raster {
    /// Name by which profiles find it.
    pub name: String,
    /// Place of the first value, which has the least x and y.
    pub from: [f64; 2],
    /// Distance between two values along x and y.
    pub step: [f64; 2],
    /// Values along x.
    pub columns: usize,
    /// The values row by row, each row along x, from the least y; none where it is not known: nothing is drawn there.
    pub values: Vec<Option<f64>>,
    /// Values at the ends of the colours, the lower one first.
    pub range: [f64; 2],
    /// Colours at even values from one end to the other; straight between two of them.
    pub colors: Vec<Color>,
    /// Words of the scale: title with unit, what is at the low end, what at the high end.
    pub words: [String; 3],
    /// If the values are heights: fill and line of the ground from the side. It is drawn up to the highest value across the view, and up
    /// to the lowest one again. None: nothing from the side.
    pub ground: Option<Ink>,
}
