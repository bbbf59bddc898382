//! The spec's safety filter read to the letter: a penalty on velocities that would go below D_r or D_h (spec 1.3).
//!
//! # Equation
//! Another body stands at the distance d; n is the unit vector from it to the robot. A velocity v goes below D within
//! the horizon h if it closes faster than the gap allows. Its lack is added, in a few rounds over all bodies:
//! ```text
//! v += k max(0, v_min - v . n) n       robots:  v_min = -(d - D) / (2 h)         each of the two uses half of the gap
//!                                       feet:    v_min = w . n - (d - D) / h      w: velocity of the foot
//! ```
//! D is `d_r` or `d_h` and a margin; lengths in mm, velocities in mm/s, h in s, k = 1/2. The wish goes through the
//! boundary filter before and the recomputed velocity after it, then through the speed limit.
//!
//! # Where it stops being true
//! Penalties add up and cancel: between a foot and a wall, or in a crowd, there is no guarantee. It is a baseline.

use crate::{Agents, Neighbours, SwarmModel, boundary};
use sim_core::DVec2;

/// Horizon h, s.
const HORIZON_S: f64 = 0.1;
/// Kept from robots beyond `d_r`, mm.
const ROBOT_MARGIN_MM: f64 = 5.0;
/// Kept from feet beyond `d_h`, mm.
const FOOT_MARGIN_MM: f64 = 15.0;
/// Share k of the lack that is added in a round.
const GAIN: f64 = 0.5;
/// Maximum number of rounds.
const MAX_ROUNDS: usize = 6;

/// Another body as one robot sees it: the robot's velocity along `direction` should be at least `min_mm_s`.
#[derive(Clone, Copy, Debug)]
struct Other {
    direction: DVec2,
    min_mm_s: f64,
}

/// Buffers.
#[derive(Clone, Debug, Default)]
pub struct PenaltyScratch {
    others: Vec<Other>,
}

/// Reserved neighbours of one robot, so that a denser moment later on does not allocate.
const RESERVED_NEIGHBOURS: usize = 64;

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
        scratch.others.reserve(agents.len().min(RESERVED_NEIGHBOURS) + feet.len());
        scratch.others.extend(others(model, agents, feet, neighbours, i));
        let mut velocity = boundary::bounded(model, place, wish_mm_s[i]);
        for _ in 0..MAX_ROUNDS {
            let penalty: DVec2 = scratch.others.iter().map(|other| penalty(other, velocity)).sum();
            velocity += penalty;
            if penalty == DVec2::ZERO {
                break;
            }
        }
        out_mm_s[i] = boundary::bounded(model, place, velocity).clamp_length_max(model.limits.v_max_mm_s);
    }
}

/// The feet, then the neighbours of robot `i`, without those that bind no possible velocity.
fn others<'a>(
    model: &'a SwarmModel,
    agents: &'a Agents,
    feet: &'a [(DVec2, DVec2)],
    neighbours: &'a Neighbours,
    i: usize,
) -> impl Iterator<Item = Other> + 'a {
    let place = agents.position_mm[i];
    let foot_mm = model.clearances.d_h_mm + FOOT_MARGIN_MM;
    let robot_mm = model.clearances.d_r_mm + ROBOT_MARGIN_MM;
    let feet = feet.iter().map(move |&(foot, velocity)| foot_limit(place - foot, velocity, foot_mm));
    let robots = neighbours.of(i).iter().map(move |&j| robot_limit(place - agents.position_mm[j as usize], robot_mm));
    feet.chain(robots).filter(move |other| other.min_mm_s > -model.limits.v_max_mm_s)
}

/// The limit beside a foot, which does not give way. `apart_mm` leads from it to the robot.
fn foot_limit(apart_mm: DVec2, foot_mm_s: DVec2, distance_mm: f64) -> Other {
    let direction = apart_mm.normalize_or(DVec2::X);
    let min_mm_s = foot_mm_s.dot(direction) - (apart_mm.length() - distance_mm) / HORIZON_S;
    Other { direction, min_mm_s }
}

/// The limit beside a robot, which gives way by half.
fn robot_limit(apart_mm: DVec2, distance_mm: f64) -> Other {
    let min_mm_s = -(apart_mm.length() - distance_mm) / (2.0 * HORIZON_S);
    Other { direction: apart_mm.normalize_or(DVec2::X), min_mm_s }
}

/// Penalty of one body on a velocity, mm/s.
fn penalty(other: &Other, velocity_mm_s: DVec2) -> DVec2 {
    other.direction * (GAIN * (other.min_mm_s - velocity_mm_s.dot(other.direction)).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 70 mm apart, 62 to keep: 8 mm in 0.1 s are 80 mm/s, 40 for each. At 100 mm/s 60 are too many, and half of them
    /// is added at once.
    #[test]
    fn a_velocity_that_would_come_too_near_is_pushed_back() {
        let push = penalty(&robot_limit(DVec2::new(-70.0, 0.0), 62.0), DVec2::new(100.0, 0.0));
        assert!((push - DVec2::new(-30.0, 0.0)).length() < 1e-9, "{push}");
    }

    #[test]
    fn a_robot_that_leaves_or_passes_by_has_no_penalty() {
        let other = robot_limit(DVec2::new(-70.0, 0.0), 62.0);
        assert_eq!(penalty(&other, DVec2::new(-100.0, 0.0)), DVec2::ZERO);
        assert_eq!(penalty(&other, DVec2::new(0.0, 200.0)), DVec2::ZERO);
    }

    /// 2 mm too near: 20 mm/s apart are wanted, 10 from each.
    #[test]
    fn too_near_already_means_away() {
        let push = penalty(&robot_limit(DVec2::new(0.0, 60.0), 62.0), DVec2::ZERO);
        assert!((push - DVec2::new(0.0, 5.0)).length() < 1e-9, "{push}");
    }

    /// A foot comes at 200 mm/s and is 115 mm away, 5 more than it must be: 50 of the 200 mm/s are spare.
    #[test]
    fn a_foot_that_comes_is_evaded_by_a_robot_at_rest() {
        let push = penalty(&foot_limit(DVec2::new(-115.0, 0.0), DVec2::new(-200.0, 0.0), 110.0), DVec2::ZERO);
        assert!((push - DVec2::new(-75.0, 0.0)).length() < 1e-9, "{push}");
    }
}
