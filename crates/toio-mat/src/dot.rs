//! Mat units as a cube reports them: whole dots and whole degrees, and how exact values become whole (toio facts, section 1.3).
//!
//! Coordinates and degrees go to the nearest integer, ties to the even one. Degrees lie in 0 to 359: 359.5 is a tie between
//! 359 and 360, goes to 360, and 360 is 0.

use sim_core::{DVec2, ParamError};

/// A place on a mat in whole dots.
///
/// Signed and wider than the 16 bits of the wire, since a centre may lie off the mat that its sensor reads, even left of
/// column 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dot {
    /// Dots to the right.
    pub x: i32,
    /// Dots down.
    pub y: i32,
}

impl Dot {
    /// The nearest dot, ties to even, of an exact place in dots. Places beyond 32 bits end at the nearest dot that fits.
    #[must_use]
    pub fn rounded(exact_dot: DVec2) -> Self {
        Self { x: exact_dot.x.round_ties_even() as i32, y: exact_dot.y.round_ties_even() as i32 }
    }

    /// The exact place of the dot, in dots.
    #[must_use]
    pub fn exact(self) -> DVec2 {
        DVec2::new(f64::from(self.x), f64::from(self.y))
    }
}

/// A place and a heading in mat units, as a position notification carries them and a motor target asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotPose {
    /// Place.
    pub dot: Dot,
    /// Heading on the mat, degrees clockwise from its +x.
    pub degrees: u16,
}

/// The printed range of a mat: all places between two corners, borders included, in dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DotRange {
    min: [u16; 2],
    max: [u16; 2],
}

impl DotRange {
    /// Range from the upper left corner `min` = \[x1, y1\] to the lower right corner `max` = \[x2, y2\], both printed.
    ///
    /// # Errors
    /// If the range would have no width or no height: a corner on the wrong side of the other, or on a line with it.
    pub fn new(min: [u16; 2], max: [u16; 2]) -> Result<Self, ParamError> {
        for (field, low, high) in [("x2_dot", min[0], max[0]), ("y2_dot", min[1], max[1])] {
            if low >= high {
                let message = format!("is {high}, must be greater than the first corner's {low}");
                return Err(ParamError::new(field, message));
            }
        }
        Ok(Self { min, max })
    }

    /// For tables of this crate, whose corners stand in the order of [`DotRange::new`].
    pub(crate) const fn from_corners(x1: u16, y1: u16, x2: u16, y2: u16) -> Self {
        Self { min: [x1, y1], max: [x2, y2] }
    }

    /// Upper left corner.
    #[must_use]
    pub fn min(self) -> Dot {
        Dot { x: i32::from(self.min[0]), y: i32::from(self.min[1]) }
    }

    /// Lower right corner.
    #[must_use]
    pub fn max(self) -> Dot {
        Dot { x: i32::from(self.max[0]), y: i32::from(self.max[1]) }
    }

    /// Width and height in dots, corner to corner: 410 for 45 to 455.
    #[must_use]
    pub fn size_dot(self) -> DVec2 {
        self.max().exact() - self.min().exact()
    }

    /// Middle, in dots; may lie between two dots.
    #[must_use]
    pub fn center_dot(self) -> DVec2 {
        (self.max().exact() + self.min().exact()) * 0.5
    }

    /// True if the range holds the dot; borders belong to it.
    #[must_use]
    pub fn contains(self, dot: Dot) -> bool {
        let (min, max) = (self.min(), self.max());
        dot.x >= min.x && dot.x <= max.x && dot.y >= min.y && dot.y <= max.y
    }
}

/// The same direction in [0, 360) degrees.
#[must_use]
pub fn normalized_degrees(degrees: f64) -> f64 {
    let turned = degrees.rem_euclid(360.0);
    // A tiny negative angle plus 360 is 360 in floating point. The sum makes a negative zero positive.
    if turned >= 360.0 { 0.0 } else { turned + 0.0 }
}

/// The nearest whole degree, ties to even, in 0 to 359.
#[must_use]
pub fn rounded_degrees(degrees: f64) -> u16 {
    normalized_degrees(degrees).round_ties_even() as u16 % 360
}
