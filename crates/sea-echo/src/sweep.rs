//! Balls that move along a ray: what they touch first.
//!
//! A ball touches a triangle where its centre meets the plane at the radius above it, inside, or one of the capsules round its edges. A
//! ball that begins in touch touches at once.

use crate::capsule::Capsule;
use crate::mesh::TriangleMesh;
use crate::ray::Ray;
use crate::surface::Surface;
use sim_core::DVec3;

/// Where a ball touches something first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Distance that its centre has gone, m.
    pub distance_m: f64,
    /// Unit vector from what it touches to its centre.
    pub normal: DVec3,
}

/// A ball on its way.
#[derive(Clone, Copy, Debug)]
pub struct Ball<'a> {
    /// The way of its centre.
    pub way: &'a Ray,
    /// Its radius, m, above 0.
    pub radius_m: f64,
}

/// What a ball may touch.
pub trait Touchable {
    /// The first touch of a ball; none up to the end of its way.
    fn touch(&self, ball: &Ball<'_>) -> Option<Touch>;
}

impl Ball<'_> {
    /// The first touch of a triangle.
    #[must_use]
    pub fn touch_triangle(&self, corners_m @ [a, b, c]: [DVec3; 3]) -> Option<Touch> {
        let edges = [[a, b], [b, c], [c, a]].map(|ends_m| self.touch_capsule(&Capsule { ends_m, radius_m: 0.0 }));
        edges.into_iter().chain([self.touch_face(corners_m)]).flatten().reduce(nearer)
    }

    /// The first touch of a capsule.
    #[must_use]
    pub fn touch_capsule(&self, capsule: &Capsule) -> Option<Touch> {
        let wider = Capsule { radius_m: capsule.radius_m + self.radius_m, ..*capsule };
        let [enters_m, leaves_m] = wider.span_m(self.way)?;
        let distance_m = enters_m.max(0.0);
        if leaves_m < 0.0 || distance_m > self.way.length_m() {
            return None;
        }
        let center_m = self.way.at(distance_m);
        let normal = (center_m - capsule.nearest_on_axis_m(center_m)).normalize_or(-self.way.direction());
        Some(Touch { distance_m, normal })
    }

    fn touch_face(&self, [a, b, c]: [DVec3; 3]) -> Option<Touch> {
        let upright = (b - a).cross(c - a).normalize();
        let height_m = (self.way.origin_m() - a).dot(upright);
        let normal = if height_m < 0.0 { -upright } else { upright };
        let sinks = -self.way.direction().dot(normal);
        let gap_m = height_m.abs() - self.radius_m;
        let distance_m = if gap_m <= 0.0 { 0.0 } else { gap_m / sinks };
        // Not so of a triangle without an area, whose normal is not a number.
        if !(distance_m >= 0.0 && distance_m <= self.way.length_m()) {
            return None;
        }
        let place_m = self.way.at(distance_m);
        let is_left = |from: DVec3, to: DVec3| (to - from).cross(place_m - from).dot(upright) >= 0.0;
        (is_left(a, b) && is_left(b, c) && is_left(c, a)).then_some(Touch { distance_m, normal })
    }
}

/// The touch that comes first.
pub fn nearer(one: Touch, other: Touch) -> Touch {
    if other.distance_m < one.distance_m { other } else { one }
}

impl Touchable for TriangleMesh {
    fn touch(&self, ball: &Ball<'_>) -> Option<Touch> {
        let found = self.cast_wider(ball.way, ball.radius_m, |triangle| {
            ball.touch_triangle(self.corners_m(triangle)).map(|touch| touch.distance_m)
        });
        found.and_then(|hit| ball.touch_triangle(self.corners_m(hit.triangle)))
    }
}
