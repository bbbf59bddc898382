//! The spec's safety filter read to the letter: a penalty on velocities that would go below D_r or D_h (spec 1.3).
//!
//! # Equation
//! Another body at offset x (mm) from the robot, with relative velocity w (mm/s) of the robot against it, comes nearest within the horizon h at
//! `t* = clamp(x.w / w^2, 0, h)`, at the distance `|x - w t*|`. Where that is less than D the robot's velocity gets a penalty
//! ```text
//! v += k (D - |x - w t*|) / h  n        n: unit vector from the other's place then to the robot's,  k = 1/2 (robots), 1 (feet)
//! ```
//! D is `d_r` or `d_h` and a margin. The velocity is recomputed in a few rounds, in which the others keep theirs, and then
//! goes through the boundary filter and the speed limit.
//!
//! # Where it stops being true
//! Penalties add up and cancel: between a foot and a wall, or in a crowd, nothing is promised. It is a baseline.

use crate::{Agents, Neighbours, SwarmModel, boundary};
use sim_core::DVec2;

/// Horizon h, s.
const HORIZON_S: f64 = 0.2;
/// Kept from robots beyond `d_r`, mm.
const ROBOT_MARGIN_MM: f64 = 3.0;
/// Kept from feet beyond `d_h`, mm.
const FOOT_MARGIN_MM: f64 = 15.0;
/// Rounds of recomputing.
const ROUNDS: usize = 4;

/// Another body as one robot sees it.
#[derive(Clone, Copy, Debug)]
struct Other {
    offset_mm: DVec2,
    velocity_mm_s: DVec2,
    distance_mm: f64,
    gain: f64,
}

/// Buffers.
#[derive(Clone, Debug, Default)]
pub struct PenaltyScratch {
    others: Vec<Other>,
}

/// Writes each robot's velocity to `out_mm_s`. `feet` are places (mm) and velocities (mm/s).
pub fn penalty_velocities(
    model: &SwarmModel,
    scratch: &mut PenaltyScratch,
    agents: &Agents,
    wish_mm_s: &[DVec2],
    feet: &[(DVec2, DVec2)],
    neighbours: &Neighbours,
    out_mm_s: &mut [DVec2],
) {
    for (i, &place) in agents.position_mm.iter().enumerate() {
        scratch.others.clear();
        scratch.others.extend(others(model, agents, feet, neighbours, i));
        let mut velocity = boundary::bounded(model, place, wish_mm_s[i]);
        for _ in 0..ROUNDS {
            let penalty: DVec2 = scratch.others.iter().map(|other| penalty(other, velocity)).sum();
            velocity += penalty;
            if penalty == DVec2::ZERO {
                break;
            }
        }
        out_mm_s[i] = boundary::bounded(model, place, velocity).clamp_length_max(model.limits.v_max_mm_s);
    }
}

/// The feet, then the neighbours of robot `i`.
fn others<'a>(
    model: &'a SwarmModel,
    agents: &'a Agents,
    feet: &'a [(DVec2, DVec2)],
    neighbours: &'a Neighbours,
    i: usize,
) -> impl Iterator<Item = Other> + 'a {
    let place = agents.position_mm[i];
    let foot_mm = model.clearances.d_h_mm + FOOT_MARGIN_MM;
    let near = move |other: &Other| {
        let reach_mm = foot_mm + HORIZON_S * (model.limits.v_max_mm_s + other.velocity_mm_s.length());
        other.offset_mm.length_squared() < reach_mm * reach_mm
    };
    let feet = feet.iter().map(move |&(foot, velocity_mm_s)| Other {
        offset_mm: foot - place,
        velocity_mm_s,
        distance_mm: foot_mm,
        gain: 1.0,
    });
    let robots = neighbours.of(i).iter().map(move |&j| Other {
        offset_mm: agents.position_mm[j as usize] - place,
        velocity_mm_s: agents.velocity_mm_s[j as usize],
        distance_mm: model.clearances.d_r_mm + ROBOT_MARGIN_MM,
        gain: 0.5,
    });
    feet.filter(near).chain(robots)
}

/// Penalty of one body on a velocity, mm/s.
fn penalty(other: &Other, velocity_mm_s: DVec2) -> DVec2 {
    let closing = velocity_mm_s - other.velocity_mm_s;
    let closing2 = closing.length_squared();
    let time_s = if closing2 > 0.0 { (other.offset_mm.dot(closing) / closing2).clamp(0.0, HORIZON_S) } else { 0.0 };
    let apart = closing * time_s - other.offset_mm;
    let distance2 = apart.length_squared();
    if distance2 >= other.distance_mm * other.distance_mm {
        return DVec2::ZERO;
    }
    let distance = distance2.sqrt();
    let direction = if distance > 1e-9 { apart / distance } else { (-other.offset_mm).normalize_or_zero() };
    direction * (other.gain * (other.distance_mm - distance) / HORIZON_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(offset_mm: DVec2, velocity_mm_s: DVec2, gain: f64) -> Other {
        Other { offset_mm, velocity_mm_s, distance_mm: 60.0, gain }
    }

    /// Head on at 100 mm/s from 70 mm away: after 0.2 s 50 mm are left, 10 too few, so 10 / 0.2 mm/s backwards.
    #[test]
    fn a_velocity_that_would_come_too_near_is_pushed_back() {
        let push = penalty(&other(DVec2::new(70.0, 0.0), DVec2::ZERO, 1.0), DVec2::new(100.0, 0.0));
        assert!((push - DVec2::new(-50.0, 0.0)).length() < 1e-9, "{push}");
    }

    #[test]
    fn who_leaves_or_passes_by_pays_nothing() {
        assert_eq!(penalty(&other(DVec2::new(80.0, 0.0), DVec2::ZERO, 1.0), DVec2::new(-100.0, 0.0)), DVec2::ZERO);
        assert_eq!(penalty(&other(DVec2::new(10.0, 61.0), DVec2::ZERO, 1.0), DVec2::new(100.0, 0.0)), DVec2::ZERO);
    }

    #[test]
    fn too_near_already_means_away_and_half_for_robots() {
        let whole = penalty(&other(DVec2::new(0.0, 50.0), DVec2::ZERO, 1.0), DVec2::ZERO);
        let half = penalty(&other(DVec2::new(0.0, 50.0), DVec2::ZERO, 0.5), DVec2::ZERO);
        assert!((whole - DVec2::new(0.0, -50.0)).length() < 1e-9 && (whole - half * 2.0).length() < 1e-12);
    }

    #[test]
    fn a_foot_that_comes_is_evaded_by_a_robot_at_rest() {
        let push = penalty(&other(DVec2::new(80.0, 0.0), DVec2::new(-200.0, 0.0), 1.0), DVec2::ZERO);
        assert!((push - DVec2::new(-100.0, 0.0)).length() < 1e-9, "{push}");
    }
}
