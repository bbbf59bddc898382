//! The joint one-step projection: all velocities at once, changed as little as it takes to keep the next distances.
//!
//! For a pair, a foot and a wall the closing speed along the line between them is bounded by what can still be stopped in the gap:
//! [`stoppable_mm_s`]. A linear bound along the line is conservative for the true
//! distance after the step. At zero gap it asks for "do not close", never for separation, so standing still always solves a tight chain.

use super::near_feet::NearFeet;
use super::unsettled::Unsettled;
use super::{FilterInput, FilterModel};
use crate::boundary::bounded;
use crate::drive::stoppable_mm_s;
use crate::{Neighbours, SwarmModel};
use sim_core::DVec2;

/// Share of the acceleration limit that stopping may count on.
const BRAKE_SHARE: f64 = 0.8;
/// Rounds after which the rest is left to the certificate.
const ROUNDS: usize = 30;
/// Change of a velocity, mm/s, below which a round counts as clean.
const CLEAN_MM_S: f64 = 0.05;
/// Gap to a foot beyond which the foot bounds nothing, mm.
pub(super) const FOOT_GAP_MM: f64 = 40.0;
/// Bounded pairs per robot that room is made for; six discs touch a seventh, and each pair is two robots'.
const PAIRS_PER_ROBOT: usize = 6;

/// The bounds of a tick. They hang on places alone, so they are found once and serve all rounds.
#[derive(Clone, Debug, Default)]
pub struct ProjectionScratch {
    feet: Vec<FootBound>,
    pairs: Vec<PairBound>,
    unsettled: Unsettled,
}

/// A robot's velocity along `away` from a foot is at least `least_mm_s`.
#[derive(Clone, Copy, Debug)]
struct FootBound {
    robot: u32,
    away: DVec2,
    least_mm_s: f64,
}

/// Two robots close at `most_mm_s` at most; `apart` points from the second to the first.
#[derive(Clone, Copy, Debug)]
struct PairBound {
    robots: (u32, u32),
    apart: DVec2,
    most_mm_s: f64,
}

/// Who is near whom, for [`project`].
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// Robots near each other.
    pub robots: &'a Neighbours,
    /// Feet near robots.
    pub feet: &'a NearFeet,
}

/// Projects `velocities_mm_s` in place. `d_r_mm` and `d_h_mm` are the distances to keep, the between-frames margin included.
pub fn project(
    model: &FilterModel,
    scratch: &mut ProjectionScratch,
    input: &FilterInput<'_>,
    near: &Near<'_>,
    (d_r_mm, d_h_mm): (f64, f64),
    velocities_mm_s: &mut [DVec2],
) {
    scratch.bound_by_feet(&model.swarm, input, near.feet, d_h_mm);
    scratch.bound_pairs(&model.swarm, input, near.robots, d_r_mm);
    scratch.unsettled.restart(velocities_mm_s.len());
    for _ in 0..ROUNDS {
        scratch.unsettled.begin_round();
        let mut change = clear_feet(&scratch.feet, &mut scratch.unsettled, velocities_mm_s);
        change = change.max(separate_pairs(&scratch.pairs, &mut scratch.unsettled, velocities_mm_s));
        change = change.max(keep_reachable(&model.swarm, input, &mut scratch.unsettled, velocities_mm_s));
        if change < CLEAN_MM_S {
            break;
        }
    }
}

impl ProjectionScratch {
    fn bound_by_feet(&mut self, swarm: &SwarmModel, input: &FilterInput<'_>, near: &NearFeet, d_h_mm: f64) {
        let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
        let far_mm = d_h_mm + FOOT_GAP_MM;
        self.feet.clear();
        self.feet.reserve(near.room());
        for &(robot, foot) in near.pairs() {
            let foot_mm = input.foot_mm(foot as usize, 0.0);
            let d = input.agents.position_mm[robot as usize] - foot_mm;
            let d2 = d.length_squared();
            if d2 > far_mm * far_mm {
                continue;
            }
            let length = d2.sqrt();
            let away = d / length;
            let foot_mm_s = (input.foot_mm(foot as usize, 1.0) - foot_mm).dot(away) / swarm.step_s;
            let least_mm_s = ((d_h_mm - length) / swarm.step_s)
                .max(foot_mm_s - stoppable_mm_s(length - d_h_mm - 0.05, a, swarm.step_s));
            self.feet.push(FootBound { robot, away, least_mm_s });
        }
    }

    fn bound_pairs(&mut self, swarm: &SwarmModel, input: &FilterInput<'_>, neighbours: &Neighbours, d_r_mm: f64) {
        let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
        let far_mm = d_r_mm + 2.0 * swarm.stopping_mm() + 8.0;
        let places = &input.agents.position_mm;
        self.pairs.clear();
        self.pairs.reserve(places.len() * PAIRS_PER_ROBOT);
        for &robots in neighbours.pairs() {
            let d = places[robots.0 as usize] - places[robots.1 as usize];
            let d2 = d.length_squared();
            if d2 > far_mm * far_mm {
                continue;
            }
            let length = d2.sqrt();
            let most_mm_s = stoppable_mm_s(length - d_r_mm - 0.02, 2.0 * a, swarm.step_s);
            self.pairs.push(PairBound { robots, apart: d / length, most_mm_s });
        }
    }
}

/// Raises velocities to what their feet ask; returns the largest change, mm/s.
fn clear_feet(bounds: &[FootBound], unsettled: &mut Unsettled, v: &mut [DVec2]) -> f64 {
    let mut change = 0.0_f64;
    for bound in bounds {
        let i = bound.robot as usize;
        if !unsettled.has(i) {
            continue;
        }
        let lack = bound.least_mm_s - v[i].dot(bound.away);
        if lack > 0.0 {
            v[i] += bound.away * lack;
            unsettled.note(i);
            change = change.max(lack);
        }
    }
    change
}

/// Takes what pairs close too fast from both alike; returns the largest excess, mm/s.
fn separate_pairs(bounds: &[PairBound], unsettled: &mut Unsettled, v: &mut [DVec2]) -> f64 {
    let mut change = 0.0_f64;
    for bound in bounds {
        let (i, j) = (bound.robots.0 as usize, bound.robots.1 as usize);
        if !unsettled.has_either(i, j) {
            continue;
        }
        let closing = -(v[i] - v[j]).dot(bound.apart);
        let excess = closing - bound.most_mm_s;
        if excess > 0.0 {
            v[i] += bound.apart * (0.5 * excess);
            v[j] -= bound.apart * (0.5 * excess);
            unsettled.note(i);
            unsettled.note(j);
            change = change.max(excess);
        }
    }
    change
}

/// Brings velocities back to what walls and limits allow; returns the largest change, mm/s.
fn keep_reachable(swarm: &SwarmModel, input: &FilterInput<'_>, unsettled: &mut Unsettled, v: &mut [DVec2]) -> f64 {
    let mut change = 0.0_f64;
    for (i, v) in v.iter_mut().enumerate() {
        if !unsettled.has(i) {
            continue;
        }
        let inside = bounded(swarm, input.agents.position_mm[i], *v);
        let reachable = within_reach(swarm, input.agents.velocity_mm_s[i], inside);
        change = change.max((reachable - *v).abs().max_element());
        if reachable != *v {
            unsettled.note(i);
        }
        *v = reachable;
    }
    change
}

/// The nearest velocity that the limits of acceleration and speed allow one step after `before_mm_s`, walls left aside.
#[must_use]
pub fn within_reach(swarm: &SwarmModel, before_mm_s: DVec2, wanted_mm_s: DVec2) -> DVec2 {
    let change = (wanted_mm_s - before_mm_s).clamp_length_max(swarm.velocity_step_mm_s());
    (before_mm_s + change).clamp_length_max(swarm.limits.v_max_mm_s)
}
