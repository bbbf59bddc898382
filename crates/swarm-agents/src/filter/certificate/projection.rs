//! The joint one-step projection: the smallest change of all velocities together that keeps the next distances.
//!
//! Each pair remembers how far it was pushed apart, and takes as much back as other pairs make needless (Hildreth's method, over-relaxed):
//! without that, robots end farther from their wishes than they have to.
//!
//! For a pair, a foot and a wall the closing speed along the line between them is bounded by [`stoppable_mm_s`] of the gap. The linear
//! bound is conservative for the true distance after the step. At zero gap it asks a pair not to close, and never to separate, so standing
//! still always solves a tight chain.

use super::active_set::ActiveSet;
use super::is_led;
use super::motions::{BRAKE_SHARE, HalfPlane};
use crate::drive::{self, nearest_in_disc, stoppable_mm_s};
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use crate::filter::near_feet::NearFeet;
use crate::{Neighbours, SwarmModel};
use sim_core::{DVec2, Rect};

/// Maximum number of rounds in all ticks of a decision; the certificate handles the rest.
pub const MAX_ROUNDS: usize = 40;
/// Change of a velocity, mm/s, below which a round counts as clean.
const CLEAN_MM_S: f64 = 1.0;
/// Over-relaxation of pairs: fewer rounds to the same velocities. Below 2 the method converges.
const RELAXATION: f64 = 1.5;
/// Change of a velocity, mm/s, below which others do not have to follow it.
const SLIGHT_MM_S: f64 = 0.05;
/// Gap beyond which a foot bounds no velocity, mm.
pub(in crate::filter) const FOOT_GAP_MM: f64 = 40.0;
/// Reserved pairs per robot; six discs touch a seventh, and each pair belongs to two robots.
const PAIRS_PER_ROBOT: usize = 6;

/// The bounds of a tick. They depend on places alone, so they are computed once for all rounds.
#[derive(Clone, Debug, Default)]
pub struct ProjectionScratch {
    /// Place of each foot at the start of the tick and at its end, mm.
    foot_steps_mm: Vec<(DVec2, DVec2)>,
    feet: Vec<FootBound>,
    pairs: Vec<PairBound>,
    /// Velocities from which each robot stops before the edge of the box, mm/s.
    edges_mm_s: Vec<Rect>,
    active: ActiveSet,
}

/// The velocity of a robot is bounded by a foot.
#[derive(Clone, Copy, Debug)]
struct FootBound {
    robot: u32,
    bound: HalfPlane,
}

/// Two robots close at no more than `max_mm_s`; `apart` points from the second to the first.
#[derive(Clone, Copy, Debug)]
struct PairBound {
    robots: (u32, u32),
    apart: DVec2,
    max_mm_s: f64,
    /// By how much they were pushed apart so far, mm/s.
    pushed_mm_s: f64,
    /// Shares of a change that the two make.
    shares: (f64, f64),
}

/// What [`project`] looks at.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// Robots near each other.
    pub robots: &'a Neighbours,
    /// Feet near robots.
    pub feet: &'a NearFeet,
    /// Whether a plan leads each robot: the others give way to it. Empty without a plan.
    pub led: &'a [bool],
    /// Ticks from the present to the step whose velocities are projected. Feet are expected to go their own way until then.
    pub ahead_ticks: f64,
    /// Maximum number of rounds.
    pub max_rounds: usize,
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
    scratch.bound_by_feet(&model.swarm, input, near, d_h_mm);
    scratch.bound_pairs(&model.swarm, input, near, d_r_mm);
    scratch.edges_mm_s.clear();
    scratch
        .edges_mm_s
        .extend(input.agents.position_mm.iter().map(|&place_mm| drive::edge_speeds(&model.swarm, place_mm)));
    scratch.active.restart(velocities_mm_s.len());
    keep_reachable(model, input, &scratch.edges_mm_s, &mut scratch.active, velocities_mm_s);
    for _ in 0..near.max_rounds {
        scratch.active.begin_round();
        let mut change = clear_feet(&scratch.feet, &mut scratch.active, velocities_mm_s);
        change = change.max(separate_pairs(&mut scratch.pairs, &mut scratch.active, velocities_mm_s));
        change = change.max(keep_reachable(model, input, &scratch.edges_mm_s, &mut scratch.active, velocities_mm_s));
        if change < CLEAN_MM_S {
            break;
        }
    }
}

impl ProjectionScratch {
    fn bound_by_feet(&mut self, swarm: &SwarmModel, input: &FilterInput<'_>, near: &Near<'_>, d_h_mm: f64) {
        let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
        let far_mm = d_h_mm + FOOT_GAP_MM;
        let place_mm = |foot, ticks| input.foot_mm(foot, near.ahead_ticks + ticks);
        self.foot_steps_mm.clear();
        self.foot_steps_mm.extend((0..input.feet.len()).map(|foot| (place_mm(foot, 0.0), place_mm(foot, 1.0))));
        self.feet.clear();
        self.feet.reserve(near.feet.capacity());
        for &(robot, foot) in near.feet.pairs() {
            let (foot_mm, next_mm) = self.foot_steps_mm[foot as usize];
            let d = input.agents.position_mm[robot as usize] - foot_mm;
            let d2 = d.length_squared();
            if d2 > far_mm * far_mm {
                continue;
            }
            let length = d2.sqrt();
            let away = d / length;
            let foot_mm_s = (next_mm - foot_mm).dot(away) / swarm.step_s;
            let min_mm_s = ((d_h_mm - length) / swarm.step_s)
                .max(foot_mm_s - stoppable_mm_s(length - d_h_mm - 0.05, a, swarm.step_s));
            let bound = HalfPlane { away, min_mm_s };
            if bound.can_bind(input.agents.velocity_mm_s[robot as usize], swarm.velocity_step_mm_s()) {
                self.feet.push(FootBound { robot, bound });
            }
        }
    }

    fn bound_pairs(&mut self, swarm: &SwarmModel, input: &FilterInput<'_>, near: &Near<'_>, d_r_mm: f64) {
        let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
        let far_mm = pair_radius_mm(swarm, d_r_mm);
        let (places, before_mm_s) = (&input.agents.position_mm, &input.agents.velocity_mm_s);
        let change_mm_s = 2.0 * swarm.velocity_step_mm_s();
        self.pairs.clear();
        self.pairs.reserve(places.len() * PAIRS_PER_ROBOT);
        for &robots in near.robots.pairs() {
            let d = places[robots.0 as usize] - places[robots.1 as usize];
            let d2 = d.length_squared();
            if d2 > far_mm * far_mm {
                continue;
            }
            let length = d2.sqrt();
            let max_mm_s = stoppable_mm_s(length - d_r_mm - 0.02, 2.0 * a, swarm.step_s);
            let apart = d / length;
            let closing_mm_s = (before_mm_s[robots.1 as usize] - before_mm_s[robots.0 as usize]).dot(apart);
            if closing_mm_s + change_mm_s <= max_mm_s {
                continue;
            }
            let shares = near.shares(robots);
            self.pairs.push(PairBound { robots, apart, max_mm_s, pushed_mm_s: 0.0, shares });
        }
    }
}

impl Near<'_> {
    /// Shares of a change of velocities that two robots make: half each, unless a plan leads only one of them. Then the other makes all.
    fn shares(&self, (i, j): (u32, u32)) -> (f64, f64) {
        match (is_led(self.led, i as usize), is_led(self.led, j as usize)) {
            (true, false) => (0.0, 1.0),
            (false, true) => (1.0, 0.0),
            _ => (0.5, 0.5),
        }
    }
}

/// Distance of two centres beyond which they bound no velocity, mm.
pub(in crate::filter) fn pair_radius_mm(swarm: &SwarmModel, d_r_mm: f64) -> f64 {
    d_r_mm + 2.0 * swarm.stopping_mm() + 8.0
}

/// Raises velocities to the bounds of their feet; returns the largest change, mm/s.
fn clear_feet(bounds: &[FootBound], active: &mut ActiveSet, v: &mut [DVec2]) -> f64 {
    let mut change = 0.0_f64;
    for &FootBound { robot, bound } in bounds {
        let i = robot as usize;
        if active.has(i)
            && let Some(lack) = bound.lack_mm_s(v[i])
        {
            v[i] += bound.away * lack;
            active.note(i);
            change = change.max(lack);
        }
    }
    change
}

/// Reduces excess closing speeds, and takes back what a pair was pushed apart too far; returns the largest change, mm/s.
fn separate_pairs(bounds: &mut [PairBound], active: &mut ActiveSet, v: &mut [DVec2]) -> f64 {
    let mut change = 0.0_f64;
    for bound in bounds {
        let (i, j) = (bound.robots.0 as usize, bound.robots.1 as usize);
        if !active.has_either(i, j) {
            continue;
        }
        let excess = -(v[i] - v[j]).dot(bound.apart) - bound.max_mm_s;
        let push = (RELAXATION * excess).max(-bound.pushed_mm_s);
        if push.abs() > SLIGHT_MM_S {
            bound.pushed_mm_s += push;
            v[i] += bound.apart * (bound.shares.0 * push);
            v[j] -= bound.apart * (bound.shares.1 * push);
            active.note(i);
            active.note(j);
            change = change.max(push.abs());
        }
    }
    change
}

/// Bounds velocities by walls and limits; returns the largest change, mm/s.
fn keep_reachable(
    model: &FilterModel,
    input: &FilterInput<'_>,
    edges_mm_s: &[Rect],
    active: &mut ActiveSet,
    v: &mut [DVec2],
) -> f64 {
    let mut change = 0.0_f64;
    for (i, (v, edges)) in v.iter_mut().zip(edges_mm_s).enumerate() {
        if !active.is_unlimited(i) {
            continue;
        }
        let now = (input.agents.position_mm[i], input.agents.velocity_mm_s[i]);
        if model.walls.is_empty() && edges.contains(*v) && is_within_reach(&model.swarm, now.1, *v) {
            active.note_limited(i, false);
            continue;
        }
        let reachable = reachable_inside(model, now, *edges, *v);
        let moved_mm_s = (reachable - *v).abs().max_element();
        change = change.max(moved_mm_s);
        active.note_limited(i, moved_mm_s > SLIGHT_MM_S);
        *v = reachable;
    }
    change
}

/// The velocity that edges, walls and limits leave of `wanted_mm_s` to a robot with this place and velocity, mm and mm/s. `edges_mm_s` are
/// its [`drive::edge_speeds`].
pub(super) fn reachable_inside(
    model: &FilterModel,
    (place_mm, before_mm_s): (DVec2, DVec2),
    edges_mm_s: Rect,
    wanted_mm_s: DVec2,
) -> DVec2 {
    let inside_mm_s = model.walls.bounded(&model.swarm, place_mm, edges_mm_s.clamp(wanted_mm_s));
    within_reach(&model.swarm, before_mm_s, inside_mm_s)
}

/// True if the limits of acceleration and speed allow a velocity one step after `before_mm_s`, mm/s.
#[inline]
fn is_within_reach(swarm: &SwarmModel, before_mm_s: DVec2, velocity_mm_s: DVec2) -> bool {
    let (change_mm_s, v_max_mm_s) = (swarm.velocity_step_mm_s(), swarm.limits.v_max_mm_s);
    velocity_mm_s.distance_squared(before_mm_s) <= change_mm_s * change_mm_s
        && velocity_mm_s.length_squared() <= v_max_mm_s * v_max_mm_s
}

/// The velocity nearest to `wanted_mm_s` that the limits of acceleration and speed allow one step after `before_mm_s`, mm/s. Walls are
/// ignored.
#[must_use]
pub fn within_reach(swarm: &SwarmModel, before_mm_s: DVec2, wanted_mm_s: DVec2) -> DVec2 {
    nearest_in_disc(before_mm_s, swarm.velocity_step_mm_s(), wanted_mm_s).clamp_length_max(swarm.limits.v_max_mm_s)
}
