//! One segment as one lidar sees it: the arithmetic that every way of scanning shares.
//!
//! With the lidar in the origin, a segment from `p` to `e`, `d = e - p`, `N = p x d` and a ray along the unit vector `u`:
//!
//! ```text
//! the ray meets the segment's line at   r = N / (u x d),   so   1/r = u.x A + u.y B   with   A = d.y / N,  B = -d.x / N
//! it meets the segment                  if one end is not left of the ray and the other not right of it, in front
//! ```
//!
//! Which side an end is on is the sign of `u x end`, computed from the end and the direction alone, zero being both sides. So two segments
//! with a common end agree on it, and no ray slips between them. Inverse ranges need no division per ray, and the largest one is the
//! nearest hit; that nothing is hit is 0.
//!
//! Rounding can turn the sign of `N` only if it is below [`ROUNDING`] `reach^2` (`reach`: largest coordinate of an end). The lidar is then
//! on the segment's line as far as anyone can tell: either on the segment, or it sees it edge-on. While `N` is below [`GRAZING`]
//! `reach |d|`, its relative error may be more than 1e-11, and the range is interpolated between the ends instead: it cannot leave them.

use sim_core::DVec2;

/// Bound of the rounding errors in `N` and in the sides of ends, relative to `reach^2`: 128 units of 2^-53, of which 40 are used up.
const ROUNDING: f64 = 1.0 / (1_u64 << 46) as f64;
/// Below this, relative to `reach |d|`, `N` has lost 13 of its 53 bits.
const GRAZING: f64 = 1.0 / (1_u64 << 13) as f64;

/// A segment as a lidar sees it. Ends are relative to the lidar, m; seen from it, `left` is counter-clockwise of `right`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sight {
    /// From the side: the equation above, with this `d` and `N`.
    Plain { right: DVec2, left: DVec2, span: DVec2, normal: f64 },
    /// At a small angle. Nothing of it is nearer than `nearest_m`.
    Grazing { right: DVec2, left: DVec2, nearest_m: f64 },
    /// End-on: one end hides the rest.
    EdgeOn { ends: [DVec2; 2], nearest_m: f64 },
    /// The lidar is on it: every ray starts there.
    Contact,
}

impl Sight {
    /// A segment with its ends relative to the lidar and its `span_m` as it is in the map.
    #[inline]
    pub fn new(from: DVec2, to: DVec2, span: DVec2) -> Self {
        let normal = from.perp_dot(span);
        let reach = larger(larger(from.x.abs(), from.y.abs()), larger(to.x.abs(), to.y.abs()));
        let size = larger(span.x.abs(), span.y.abs());
        let (right, left) = if normal > 0.0 { (from, to) } else { (to, from) };
        if normal.abs() > reach * larger(GRAZING * size, ROUNDING * reach) {
            return Self::Plain { right, left, span, normal };
        }
        if normal.abs() > ROUNDING * reach * reach {
            return Self::Grazing { right, left, nearest_m: nearest_m(right, left) };
        }
        if from.dot(to) <= 0.0 {
            return Self::Contact;
        }
        // What is not a number ends here too, and no ray meets it.
        Self::EdgeOn { ends: [from, to], nearest_m: from.length().min(to.length()) }
    }

    /// Inverse of the range along `direction`, 1/m; 0 if the ray does not meet the segment.
    #[inline]
    pub fn inverse_range(&self, direction: DVec2) -> f64 {
        match *self {
            Self::Plain { right, left, span, normal } if is_between(direction, right, left) => {
                Slopes::new(span, normal).inverse_range(direction.x, direction.y)
            }
            Self::Grazing { right, left, nearest_m } if is_between(direction, right, left) => {
                1.0 / larger(interpolated_range(direction, right, left), nearest_m)
            }
            Self::EdgeOn { ends: [p, e], nearest_m } if is_on_line(direction, p, e) && direction.dot(p + e) > 0.0 => {
                1.0 / nearest_m
            }
            Self::Contact => f64::INFINITY,
            _ => 0.0,
        }
    }
}

/// `A` and `B` of a plain segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    a: f64,
    b: f64,
}

impl Slopes {
    #[inline]
    pub fn new(span: DVec2, normal: f64) -> Self {
        let inverse = 1.0 / normal;
        Self { a: span.y * inverse, b: -span.x * inverse }
    }

    /// Inverse range of a ray that meets the segment.
    #[inline]
    pub fn inverse_range(self, x: f64, y: f64) -> f64 {
        x * self.a + y * self.b
    }
}

/// True if the ray passes a point on the left or goes through it, within half a turn.
#[inline]
pub(super) fn is_left_or_on(direction: DVec2, point: DVec2) -> bool {
    direction.perp_dot(point) <= 0.0
}

/// True if the ray passes a point on the right or goes through it, within half a turn.
#[inline]
pub(super) fn is_right_or_on(direction: DVec2, point: DVec2) -> bool {
    direction.perp_dot(point) >= 0.0
}

/// True if the ray passes between the ends or through one of them.
#[inline]
fn is_between(direction: DVec2, right: DVec2, left: DVec2) -> bool {
    is_left_or_on(direction, right) && is_right_or_on(direction, left)
}

fn is_on_line(direction: DVec2, p: DVec2, e: DVec2) -> bool {
    is_between(direction, p, e) || is_between(direction, e, p)
}

fn interpolated_range(direction: DVec2, right: DVec2, left: DVec2) -> f64 {
    let (to_right, to_left) = (-direction.perp_dot(right), direction.perp_dot(left));
    let (along_right, along_left) = (direction.dot(right), direction.dot(left));
    // Both ends are on the ray if their distances from it vanish: then the nearer one counts, which is the bound.
    if to_right + to_left > 0.0 {
        along_right + to_right / (to_right + to_left) * (along_left - along_right)
    } else {
        0.0
    }
}

/// Distance from the lidar to the segment between two points.
fn nearest_m(right: DVec2, left: DVec2) -> f64 {
    let span = left - right;
    let share = (-right.dot(span) / span.length_squared()).clamp(0.0, 1.0);
    (right + span * share).length()
}

/// The larger of two numbers; the first one if they are not in order. One instruction, which `f64::max` is not.
#[inline]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The smaller of two numbers; the first one if they are not in order.
#[inline]
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}
