//! Which rays may meet a thing: from a direction, at low cost, to a range of ray numbers that is a little too wide.

use sim_core::DVec2;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

/// Bound of the error of [`turn_of`] and of the sums made with it, in turns; the polynomial's own is below 2e-6.
const TURN_SLACK: f64 = 1e-5;

/// An arc of fewer rays is narrow.
const NARROW_RAYS: f64 = 4.0;

/// Rays at even angles around a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fan {
    /// Direction of ray 0, in turns, in [0, 1).
    start: f64,
    /// Rays in a full turn, not always whole.
    rays_per_turn: f64,
    /// Number of the last ray.
    last: u32,
}

/// Neighbouring rays, the first one within a turn, the last one after it: beyond a turn it counts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arc {
    first: f64,
    last: f64,
}

impl Fan {
    /// So many rays from the direction `start`, `increment_rad` apart.
    pub fn new(start: DVec2, increment_rad: f64, count: usize) -> Self {
        Self { start: turn_of(start), rays_per_turn: TAU / increment_rad, last: count as u32 - 1 }
    }

    /// Rays between two directions less than half a turn apart, counter-clockwise from `right` to `left`.
    #[inline]
    pub fn between(&self, right: DVec2, left: DVec2) -> Arc {
        let [from, to] = turns_of([right, left]);
        let width = from_zero(to - from);
        // Directions that are nearly the same may come out in the wrong order.
        let width = if width > 0.75 { 0.0 } else { width };
        self.arc(from, width)
    }

    /// Rays that come as near to a point as `radius_m`; none if those may be more than a third of all.
    #[inline]
    pub fn around(&self, center: DVec2, distance_m: f64, radius_m: f64) -> Option<Arc> {
        // asin(x) < 1.05 x up to x = 1/2, and 1.05 / TAU < 0.168.
        let half_width = 0.168 * radius_m / distance_m;
        (radius_m < 0.5 * distance_m).then(|| self.arc(turn_of(center) - half_width, 2.0 * half_width))
    }

    #[inline]
    fn arc(&self, from: f64, width: f64) -> Arc {
        let start = from_zero(from_zero(from - self.start - TURN_SLACK));
        let first = start * self.rays_per_turn;
        Arc { first, last: first + (width + 3.0 * TURN_SLACK) * self.rays_per_turn }
    }

    /// The rays of an arc by number: one range, or two where it passes ray 0.
    #[inline]
    pub fn for_ranges(&self, arc: Arc, mut use_range: impl FnMut(RangeInclusive<usize>)) {
        let Arc { mut first, mut last } = arc;
        while last >= 0.0 {
            // Through u32, which takes fewer instructions than straight to usize.
            let first_ray = if first > 0.0 { first as u32 + 1 } else { 0 };
            let last_ray = (last as u32).min(self.last);
            if first_ray <= last_ray {
                use_range(first_ray as usize..=last_ray as usize);
            }
            (first, last) = (first - self.rays_per_turn, last - self.rays_per_turn);
        }
    }
}

/// A direction below 0 turns, a turn later.
#[inline]
fn from_zero(turns: f64) -> f64 {
    if turns < 0.0 { turns + 1.0 } else { turns }
}

impl Arc {
    /// True if it holds a few rays only.
    #[inline]
    pub fn is_narrow(self) -> bool {
        self.last - self.first < NARROW_RAYS
    }
}

/// Direction of a vector in turns, in [0, 1], to 2e-6.
#[inline]
fn turn_of(v: DVec2) -> f64 {
    turns_of([v])[0]
}

/// The same for several, step by step for all of them: the processor does two at once.
///
/// In the first quadrant the direction is an eighth of a turn and the arc tangent of `(y - x) / (y + x)`, which is from -1 to 1: the
/// range of the polynomial of Abramowitz and Stegun, 4.4.49. No step asks which of two cases it has: that may cost more than a division.
#[inline]
fn turns_of<const N: usize>(vectors: [DVec2; N]) -> [f64; N] {
    let quarters = vectors.map(|v| {
        let (x, y) = (v.x.abs(), v.y.abs());
        let t = (y - x) / (y + x);
        let s = t * t;
        let series = 0.999_866 + s * (-0.330_299_5 + s * (0.180_141 + s * (-0.085_133 + s * 0.020_835_1)));
        0.125 + t * series * (1.0 / TAU)
    });
    std::array::from_fn(|k| {
        let half = if vectors[k].x < 0.0 { 0.5 - quarters[k] } else { quarters[k] };
        if vectors[k].y < 0.0 { 1.0 - half } else { half }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::{angle, ops};

    #[test]
    fn a_direction_in_turns_is_good_to_two_millionths() {
        for k in 0..100_000 {
            let turn = f64::from(k) / 100_000.0;
            let error = turn_of(angle::unit(turn * TAU) * 3.0) - turn;
            assert!((error - error.round()).abs() < 2e-6, "{turn}: {error}");
        }
    }

    fn rays(fan: &Fan, arc: Arc) -> Vec<usize> {
        let mut rays = Vec::new();
        fan.for_ranges(arc, |range| rays.extend(range));
        rays
    }

    #[test]
    fn a_narrow_thing_has_the_rays_around_it() {
        let fan = Fan::new(angle::unit(0.1), TAU / 360.0, 360);
        let degrees = |d: f64| angle::unit(0.1 + d.to_radians());
        assert_eq!(rays(&fan, fan.between(degrees(10.5), degrees(13.5))), [11, 12, 13]);
        assert_eq!(rays(&fan, fan.between(degrees(-1.5), degrees(1.5))), [359, 0, 1]);
        assert_eq!(rays(&fan, fan.between(degrees(0.0), degrees(0.0))), [0]);
    }

    #[test]
    fn what_lies_in_the_blind_sector_has_no_rays() {
        // A quarter to the left and right of the axis: rays 0 to 180.
        let fan = Fan::new(angle::unit(-TAU / 4.0), TAU / 360.0, 181);
        let degrees = |d: f64| angle::unit(d.to_radians());
        assert_eq!(rays(&fan, fan.between(degrees(170.5), degrees(190.5))), [0_usize; 0]);
        assert_eq!(rays(&fan, fan.between(degrees(88.5), degrees(190.5))), [179, 180]);
        assert_eq!(rays(&fan, fan.between(degrees(190.5), degrees(-88.5))), [0, 1]);
    }

    #[test]
    fn a_round_thing_has_the_rays_that_touch_it_wherever_ray_0_points() {
        let (distance_m, radius_m) = (5.0, 0.9);
        for case in 0..400 {
            // Both on either side of the x axis, where turns jump from 1 to 0.
            let (start_rad, center_rad) = (0.02 * f64::from(case / 20) - 0.2, 0.02 * f64::from(case % 20) - 0.2);
            let fan = Fan::new(angle::unit(start_rad), TAU / 360.0, 360);
            let center = angle::unit(center_rad) * distance_m;
            let found = rays(&fan, fan.around(center, distance_m, radius_m).unwrap());
            for ray in 0..360 {
                let off_rad = angle::wrap_rad(start_rad + f64::from(ray).to_radians() - center_rad);
                let touches = off_rad.abs() < 1.0 && ops::sin(off_rad).abs() * distance_m <= radius_m;
                assert!(!touches || found.contains(&(ray as usize)), "case {case}, ray {ray}");
            }
            assert!(found.len() < 30, "case {case}: {found:?}");
        }
    }

    #[test]
    fn a_near_thing_may_have_any_rays() {
        let fan = Fan::new(DVec2::X, TAU / 360.0, 360);
        assert!(fan.around(DVec2::X * 5.0, 5.0, 2.6).is_none());
    }
}
