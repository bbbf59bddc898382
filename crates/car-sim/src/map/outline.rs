//! The outline of a car on the plane, and what it touches.
//!
//! A rectangle and a segment, or two rectangles, are apart if and only if some side of one of them (or the segment's own line) has them on
//! different sides: the separating axis. Touching counts as overlap.

use super::segment::Segment;
use crate::pose::Pose;
use sim_core::{DVec2, Rect, angle};

/// A turned rectangle on the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    corners_m: [DVec2; 4],
    forward: DVec2,
}

impl Outline {
    /// The rectangle `body_m`, given in the axes of a body, when the body is at `pose`.
    #[must_use]
    pub fn new(body_m: Rect, pose: Pose) -> Self {
        let forward = angle::unit(pose.yaw_rad);
        let corner = |x_m, y_m| pose.position_m + forward.rotate(DVec2::new(x_m, y_m));
        let Rect { min, max } = body_m;
        let corners_m = [corner(max.x, max.y), corner(max.x, min.y), corner(min.x, min.y), corner(min.x, max.y)];
        Self { corners_m, forward }
    }

    /// Its corners, m: front left, front right, rear right, rear left.
    #[must_use]
    pub fn corners_m(&self) -> [DVec2; 4] {
        self.corners_m
    }

    /// Its edges, in the order of the corners: front, right, rear, left.
    #[must_use]
    pub fn edges(&self) -> [Segment; 4] {
        let [a, b, c, d] = self.corners_m;
        [Segment::new(a, b), Segment::new(b, c), Segment::new(c, d), Segment::new(d, a)]
    }

    /// Its middle, m.
    #[must_use]
    pub fn center_m(&self) -> DVec2 {
        self.corners_m[0].midpoint(self.corners_m[2])
    }

    /// Distance from its middle to a corner, m.
    #[must_use]
    pub fn radius_m(&self) -> f64 {
        self.corners_m[0].distance(self.corners_m[2]) / 2.0
    }

    /// The smallest axis-parallel rectangle around it, m.
    #[must_use]
    pub fn bounds_m(&self) -> Rect {
        let [a, b, c, d] = self.corners_m;
        Rect { min: a.min(b).min(c.min(d)), max: a.max(b).max(c.max(d)) }
    }

    /// True if a piece of the segment lies in the rectangle, its border included.
    #[must_use]
    pub fn touches_segment(&self, segment: &Segment) -> bool {
        let ends = [segment.from_m, segment.to_m];
        let is_apart_along = |axis: DVec2| are_apart(span(&self.corners_m, axis), span(&ends, axis));
        !(is_apart_along(self.forward)
            || is_apart_along(self.forward.perp())
            || is_apart_along(segment.span_m().perp()))
    }

    /// True if the two rectangles have a point in common, borders included.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        let axes = [self.forward, self.forward.perp(), other.forward, other.forward.perp()];
        !axes.into_iter().any(|axis| are_apart(span(&self.corners_m, axis), span(&other.corners_m, axis)))
    }
}

/// Smallest and largest coordinate along an axis.
fn span(points: &[DVec2], axis: DVec2) -> [f64; 2] {
    points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| {
        let along = axis.dot(*point);
        [low.min(along), high.max(along)]
    })
}

fn are_apart([a_low, a_high]: [f64; 2], [b_low, b_high]: [f64; 2]) -> bool {
    a_high < b_low || b_high < a_low
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_6;

    const CAR: Rect = Rect { min: DVec2::new(-0.2525, -0.1565), max: DVec2::new(0.2525, 0.1565) };

    /// Car facts, T11.
    #[test]
    fn t11_corners_of_a_turned_car() {
        let outline = Outline::new(CAR, Pose::new(1.0, 2.0, FRAC_PI_6));
        let expected = [
            (1.140_421_414_46, 2.261_782_975_69),
            (1.296_921_414_46, 1.990_717_024_31),
            (0.859_578_585_544, 1.738_217_024_31),
            (0.703_078_585_544, 2.009_282_975_69),
        ];
        for (corner, (x_m, y_m)) in outline.corners_m().into_iter().zip(expected) {
            // The reference gives twelve digits.
            assert!((corner - DVec2::new(x_m, y_m)).length() < 1e-11, "{corner}");
        }
    }

    #[test]
    fn each_edge_and_the_inside_touch() {
        let outline = Outline::new(CAR, Pose::ORIGIN);
        let touches = |a: (f64, f64), b: (f64, f64)| {
            outline.touches_segment(&Segment::new(DVec2::new(a.0, a.1), DVec2::new(b.0, b.1)))
        };
        for side in [1.0, -1.0] {
            assert!(touches((side * 0.2525, -1.0), (side * 0.2525, 1.0)), "a wall at the front or rear touches");
            assert!(!touches((side * 0.2526, -1.0), (side * 0.2526, 1.0)), "a wall before the front or rear does not");
            assert!(touches((-1.0, side * 0.1565), (1.0, side * 0.1565)), "a wall along a flank touches");
            assert!(!touches((-1.0, side * 0.1566), (1.0, side * 0.1566)), "a wall beside a flank does not");
        }
        assert!(touches((0.0, 0.0), (0.01, 0.01)), "a short segment inside touches");
        assert!(touches((-1.0, -0.7), (1.0, 0.7)), "a long segment through it touches");
        // The line x + y = 0.41 passes the corner at 0.409.
        assert!(!touches((0.41, 0.0), (0.0, 0.41)), "a slanting wall off the corner does not");
        assert!(touches((0.408, 0.0), (0.0, 0.408)), "a slanting wall that cuts the corner touches");
    }

    #[test]
    fn two_outlines() {
        let at = |x_m, y_m, yaw_rad| Outline::new(CAR, Pose::new(x_m, y_m, yaw_rad));
        assert!(at(0.0, 0.0, 0.0).touches(&at(0.505, 0.0, 0.0)));
        assert!(!at(0.0, 0.0, 0.0).touches(&at(0.506, 0.0, 0.0)));
        assert!(at(0.0, 0.0, 0.0).touches(&at(0.0, 0.0, 1.0)), "one in the other");
        // Turned by 45 degrees a corner reaches sqrt(1/2) (0.2525 + 0.1565) = 0.2892 along x.
        let quarter = std::f64::consts::FRAC_PI_4;
        assert!(at(0.0, 0.0, 0.0).touches(&at(0.541, 0.0, quarter)));
        assert!(!at(0.0, 0.0, 0.0).touches(&at(0.542, 0.0, quarter)));
    }
}
