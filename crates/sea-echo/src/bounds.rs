//! Boxes, and which part of a ray is in one.

use crate::ray::Ray;
use sim_core::DVec3;

/// A box along the world's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub low_m: DVec3,
    pub high_m: DVec3,
}

/// Rounding of places against the largest coordinate in play: 1e5 times that of a double, which costs next to nothing.
const ROUNDING: f64 = 1e-11;

impl Bounds {
    /// Around nothing.
    pub const EMPTY: Self = Self { low_m: DVec3::INFINITY, high_m: DVec3::NEG_INFINITY };

    /// Around some places.
    pub fn around(places_m: impl IntoIterator<Item = DVec3>) -> Self {
        places_m.into_iter().fold(Self::EMPTY, Self::with)
    }

    pub fn with(self, place_m: DVec3) -> Self {
        Self { low_m: self.low_m.min(place_m), high_m: self.high_m.max(place_m) }
    }

    pub fn union(self, other: Self) -> Self {
        self.with(other.low_m).with(other.high_m)
    }

    /// How far from its triangle, at most, a place that rays from an origin read in this box may lie, m.
    pub fn slack_m(&self, origin_m: DVec3) -> f64 {
        let farthest = self.low_m.abs().max(self.high_m.abs()).max_element();
        ROUNDING * (farthest + origin_m.abs().max_element())
    }
}

/// Least and greatest of four numbers.
#[inline]
pub(crate) fn extent([a, b, c, d]: [f64; 4]) -> [f64; 2] {
    [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
}

/// A ray that meets boxes, each a slack wider than it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxRay {
    /// The origin moved by the slack: towards the upper corner, and towards the lower one.
    up_m: DVec3,
    down_m: DVec3,
    inverse: DVec3,
    length_m: f64,
}

impl BoxRay {
    pub fn new(ray: &Ray, slack_m: f64) -> Self {
        Self {
            up_m: ray.origin_m + slack_m,
            down_m: ray.origin_m - slack_m,
            // Finite, so that a distance of 0 across the ray stays a number.
            inverse: ray.direction.recip().clamp(DVec3::MIN, DVec3::MAX),
            length_m: ray.length_m,
        }
    }

    /// From which distance to which the ray is in a box, m; none if it is not.
    #[inline]
    pub fn span_m(&self, bounds: &Bounds) -> Option<[f64; 2]> {
        let (low, high) = ((bounds.low_m - self.up_m) * self.inverse, (bounds.high_m - self.down_m) * self.inverse);
        let from_m = low.min(high).max_element().max(0.0);
        let to_m = low.max(high).min_element().min(self.length_m);
        (from_m <= to_m).then_some([from_m, to_m])
    }

    /// The same along one axis between two borders, without the ray's ends.
    #[inline]
    pub fn span_along_m(&self, axis: usize, [low_m, high_m]: [f64; 2]) -> [f64; 2] {
        let (low, high) =
            ((low_m - self.up_m[axis]) * self.inverse[axis], (high_m - self.down_m[axis]) * self.inverse[axis]);
        [low.min(high), low.max(high)]
    }
}
