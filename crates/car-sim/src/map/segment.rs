//! A straight piece of an obstacle's border.

use sim_core::{DVec2, Rect};

/// A straight piece of an obstacle's border, both ends included; seen and touched from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// One end, m.
    pub from_m: DVec2,
    /// The other end, m.
    pub to_m: DVec2,
}

impl Segment {
    /// The segment between two points.
    #[must_use]
    pub const fn new(from_m: DVec2, to_m: DVec2) -> Self {
        Self { from_m, to_m }
    }

    /// From one end to the other, m.
    #[inline]
    #[must_use]
    pub fn span_m(&self) -> DVec2 {
        self.to_m - self.from_m
    }

    /// Distance from a point to the nearest point of a segment that has a length, m.
    pub(crate) fn distance_m(&self, point_m: DVec2) -> f64 {
        let (span, to_point) = (self.span_m(), point_m - self.from_m);
        let share = (span.dot(to_point) / span.length_squared()).clamp(0.0, 1.0);
        to_point.distance(share * span)
    }
}

/// The smallest rectangle that holds all segments; none without any.
pub(crate) fn bounds_m(segments: &[Segment]) -> Option<Rect> {
    let boxes = segments.iter().map(|s| Rect { min: s.from_m.min(s.to_m), max: s.from_m.max(s.to_m) });
    boxes.reduce(|a, b| Rect { min: a.min.min(b.min), max: a.max.max(b.max) })
}
