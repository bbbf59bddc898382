//! The next place of a foot that follows a point from outside.
//!
//! ```text
//! wanted   = towards the point, at most the speed from which a foot still stops on it
//! steered  = v + (wanted - v), cut to a dt
//! braked   = v_x - b_x dt, v_y - b_y dt                  b: the least braking that stops a foot at the border
//! ```
//!
//! The next velocity is the first mixture of steered and braked, from steered on, after which `|b| <= max(a, |b| before)` in a part of the
//! domain. Braking keeps b, so there always is one: a foot never leaves the domain, and no velocity changes by more than
//! `max(a, |b|) dt`. Once `|b| <= a` holds, at the latest at the first rest, it holds for good.

use super::params::FeetModel;
use sim_core::{DVec2, Rect, StateHash};

/// Distance by which rounding may place a foot outside a part of the domain, mm.
const TOUCH_MM: f64 = 1e-9;
/// Speed below which a foot needs no braking, mm/s.
const REST_MM_S: f64 = 1e-9;
/// Share of the acceleration with which a stop is planned: the rest makes up for rounding.
const PLANNED_SHARE: f64 = 1.0 - 1e-6;
/// Shares of braking in the velocities that are tried, before braking alone.
const BRAKING_SHARES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];

/// What leads a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Guide {
    /// Its own walk.
    OwnWalk,
    /// A point in the domain that it follows.
    Point(DVec2),
    /// Nothing since the last point: it comes to rest and stays.
    Rest,
}

impl Guide {
    /// Adds nothing for a foot on its own walk.
    pub(super) fn hash_into(self, hash: &mut StateHash) {
        match self {
            Self::OwnWalk => {}
            Self::Point(target_mm) => {
                hash.u64(1);
                hash.vec2(target_mm);
            }
            Self::Rest => hash.u64(2),
        }
    }
}

/// The place after `here_mm`, one path frame later, of a foot that was at `before_mm` one frame earlier. It stops on `target_mm`, or as
/// soon as it can if there is none. All places lie in the domain.
pub(super) fn next_place_mm(model: &FeetModel, target_mm: Option<DVec2>, [before_mm, here_mm]: [DVec2; 2]) -> DVec2 {
    let hz = f64::from(model.step_hz());
    let velocity_mm_s = (here_mm - before_mm) * hz;
    let stop_mm = target_mm.map_or(here_mm, |to_mm| model.domain().next_stop(here_mm, to_mm));
    let change_mm_s = wanted_mm_s(model, stop_mm - here_mm) - velocity_mm_s;
    let steered_mm_s = velocity_mm_s + change_mm_s.clamp_length_max(model.follow_acceleration_mm_s2() / hz);

    let brakings = model.domain().parts().map(|part| least_braking_mm_s2(part, here_mm, velocity_mm_s, hz));
    let safer = usize::from(brakings[1].length_squared() < brakings[0].length_squared());
    let braked_mm_s = slowed_mm_s(velocity_mm_s, brakings[safer] / hz);
    let limit_mm_s2 = brakings[safer].length().max(model.follow_acceleration_mm_s2());

    for share in BRAKING_SHARES {
        let tried_mm_s = steered_mm_s.lerp(braked_mm_s, share);
        let place_mm = here_mm + tried_mm_s / hz;
        // A part that holds both places holds the line between them.
        let stays_in = |part: &&Rect| {
            part.outside_mm(here_mm) <= TOUCH_MM
                && least_braking_mm_s2(**part, place_mm, tried_mm_s, hz).length() <= limit_mm_s2
        };
        if let Some(part) = model.domain().parts().iter().find(stays_in) {
            return part.clamp(place_mm);
        }
    }
    model.domain().parts()[safer].clamp(here_mm + braked_mm_s / hz)
}

/// Velocity towards a point that is `way_mm` away: the largest from which the acceleration of a follower stops it there.
fn wanted_mm_s(model: &FeetModel, way_mm: DVec2) -> DVec2 {
    let planned_mm_s2 = PLANNED_SHARE * model.follow_acceleration_mm_s2();
    let speed_mm_s = stoppable_mm_s(way_mm.length(), planned_mm_s2, f64::from(model.step_hz()));
    way_mm.normalize_or_zero() * speed_mm_s.min(model.speed_bound_mm_s())
}

/// `velocity_mm_s` less `change_mm_s` in each component, which never changes its sign.
fn slowed_mm_s(velocity_mm_s: DVec2, change_mm_s: DVec2) -> DVec2 {
    velocity_mm_s - velocity_mm_s.signum() * change_mm_s.min(velocity_mm_s.abs())
}

/// Largest speed of the coming frame that ends exactly `gap_mm` ahead, if the speed falls by `a dt` in each frame after it. With
/// `x = gap / (a dt^2)` and n whole frames of braking after the first, it is `(x / (n + 1) + n / 2) a dt`: the discrete form of
/// `sqrt(2 a gap)`.
fn stoppable_mm_s(gap_mm: f64, a_mm_s2: f64, hz: f64) -> f64 {
    if a_mm_s2 <= 0.0 {
        return 0.0;
    }
    let gap = gap_mm * hz * hz / a_mm_s2;
    let frames = ((0.25 + 2.0 * gap).sqrt() - 0.5).floor();
    (gap / (frames + 1.0) + 0.5 * frames) * a_mm_s2 / hz
}

/// Least braking of each component that keeps a foot in `part` if it starts in the next frame; infinite outside.
fn least_braking_mm_s2(part: Rect, place_mm: DVec2, velocity_mm_s: DVec2, hz: f64) -> DVec2 {
    if part.outside_mm(place_mm) > TOUCH_MM {
        return DVec2::INFINITY;
    }
    let ahead_mm = DVec2::select(velocity_mm_s.cmpgt(DVec2::ZERO), part.max - place_mm, place_mm - part.min);
    let braking = |speed_mm_s: f64, gap_mm: f64| least_mm_s2(speed_mm_s.abs(), gap_mm.max(0.0), hz);
    DVec2::new(braking(velocity_mm_s.x, ahead_mm.x), braking(velocity_mm_s.y, ahead_mm.y))
}

/// Least deceleration, from the next frame on, that stops within `gap_mm`: the discrete form of `v^2 / (2 gap)`. The way in n frames,
/// `n v dt - b dt^2 n (n + 1) / 2`, may be no longer than the gap for any n; with `m = gap / (v dt)` the strictest n is the first from 2 m
/// on.
fn least_mm_s2(speed_mm_s: f64, gap_mm: f64, hz: f64) -> f64 {
    if speed_mm_s <= REST_MM_S {
        return 0.0;
    }
    let gap = gap_mm * hz / speed_mm_s;
    let frames = (2.0 * gap).ceil().max(1.0);
    2.0 * speed_mm_s * hz * (frames - gap) / (frames * (frames + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FeetParams, Travel};
    use proptest::prelude::*;

    /// A foot in the left arm of the cross, on its upper side, at 100 mm/s into the middle and 3.5 mm/s outwards, which it can still
    /// brake in one frame. Without that it would be in the upper arm one frame later, past the corner between both.
    #[test]
    fn the_line_between_two_places_cuts_no_corner() {
        let params = FeetParams { travel: Travel::Edge, noise_std_mm_s: 0.0, ..FeetParams::default() };
        let model = FeetModel::new(params, Rect::from_size(400.0, 400.0), 0.6, 60).unwrap();
        let (here, velocity) = (DVec2::new(119.0, 120.0), DVec2::new(100.0, -3.5));
        let next = next_place_mm(&model, Some(DVec2::new(130.0, 10.0)), [here - velocity / 60.0, here]);
        assert!(next.x > 120.0 && next.y >= 120.0, "{next}");
    }

    /// Way in mm from a speed that falls by `b / hz` in each frame, from the first on.
    fn way_mm(mut speed_mm_s: f64, b_mm_s2: f64, hz: f64) -> f64 {
        let mut way = 0.0;
        while speed_mm_s > b_mm_s2 / hz {
            speed_mm_s -= b_mm_s2 / hz;
            way += speed_mm_s / hz;
        }
        way
    }

    proptest! {
        /// Summed frame by frame: the stop is on the spot, and the braking for it is the declared one.
        #[test]
        fn stops_are_exact(gap in 1e-3..500.0, a in 50.0..2_000.0, hz in 30.0..240.0) {
            let speed = stoppable_mm_s(gap, a, hz);
            prop_assert!((speed / hz + way_mm(speed, a, hz) - gap).abs() < 1e-9);
            prop_assert!(speed <= (2.0 * a * gap).sqrt());
            let left = gap - speed / hz;
            prop_assert!(least_mm_s2(speed, left.max(0.0), hz) <= a * (1.0 + 1e-6));
        }

        /// The least braking just stops in the gap; a thousandth less does not.
        #[test]
        fn least_braking_is_least(speed in 1.0..500.0, gap in 0.01..300.0, hz in 30.0..240.0) {
            let b = least_mm_s2(speed, gap, hz);
            prop_assert!(way_mm(speed, b, hz) <= gap + 1e-9);
            prop_assert!(way_mm(speed, 0.999 * b, hz) > gap);
        }
    }
}
