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
use crate::drive::{self, State, is_stoppable, nearest_in_disc, stoppable_mm_s};
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use crate::filter::near_feet::NearFeet;
use crate::wheels::WheelStep;
use crate::{Neighbours, SwarmModel};
use sim_core::{DVec2, Rect};

/// Maximum number of rounds in all ticks of a decision; the certificate handles the rest.
pub const MAX_ROUNDS: usize = 40;
/// Maximum number of those that decide the headings of wheels.
const MAX_HEADING_ROUNDS: usize = 12;
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

/// Buffers of a tick's projection.
#[derive(Clone, Debug, Default)]
pub struct ProjectionScratch {
    /// Place of each foot at the start of the tick and at its end, mm.
    foot_steps_mm: Vec<(DVec2, DVec2)>,
    bounds: Bounds,
    /// Velocities from which each robot stops before the edge of the box, mm/s.
    edges_mm_s: Vec<Rect>,
    wheels: Vec<WheelStep>,
}

/// The bounds of a tick. They depend on places alone, so they are computed once for all rounds.
#[derive(Clone, Debug, Default)]
struct Bounds {
    feet: Vec<FootBound>,
    pairs: Vec<PairBound>,
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
    let ProjectionScratch { bounds, edges_mm_s, .. } = scratch;
    bounds.settle(near.max_rounds, velocities_mm_s, |active, v| keep_reachable(model, input, edges_mm_s, active, v));
}

/// Projects the velocities of robots on wheels in place, and returns the steps that have them. [`project`] decides the headings: wheels
/// turn to what they would do as points. Then velocities along the headings are projected. Were headings left to the projection, a robot
/// that is pushed across would not turn away: along its heading it has nowhere to go.
pub(super) fn project_wheels<'s>(
    model: &FilterModel,
    scratch: &'s mut ProjectionScratch,
    (input, states): (&FilterInput<'_>, &[State]),
    near: &Near<'_>,
    distances_mm: (f64, f64),
    velocities_mm_s: &mut [DVec2],
) -> &'s [WheelStep] {
    let as_points = Near { max_rounds: MAX_HEADING_ROUNDS.min(near.max_rounds), ..*near };
    project(model, scratch, input, &as_points, distances_mm, velocities_mm_s);
    let ProjectionScratch { bounds, wheels, .. } = scratch;
    let towards = |(now, &velocity): (&State, &DVec2)| WheelStep::towards(&model.swarm, now, velocity);
    wheels.clear();
    wheels.extend(states.iter().zip(&*velocities_mm_s).map(towards));
    bounds.settle(near.max_rounds, velocities_mm_s, |active, v| keep_headings(wheels, active, v));
    wheels
}

impl Bounds {
    /// Projects on one bound after the other until all velocities keep them, or for a number of rounds. `limit` bounds each velocity on its
    /// own, and returns the largest change, mm/s.
    fn settle(
        &mut self,
        max_rounds: usize,
        v: &mut [DVec2],
        mut limit: impl FnMut(&mut ActiveSet, &mut [DVec2]) -> f64,
    ) {
        let Self { feet, pairs, active } = self;
        pairs.iter_mut().for_each(|pair| pair.pushed_mm_s = 0.0);
        active.restart(v.len());
        limit(active, v);
        for _ in 0..max_rounds {
            active.begin_round();
            let mut change = clear_feet(feet, active, v);
            change = change.max(separate_pairs(pairs, active, v));
            change = change.max(limit(active, v));
            if change < CLEAN_MM_S {
                break;
            }
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
        self.bounds.feet.clear();
        self.bounds.feet.reserve(near.feet.capacity());
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
                self.bounds.feet.push(FootBound { robot, bound });
            }
        }
    }

    fn bound_pairs(&mut self, swarm: &SwarmModel, input: &FilterInput<'_>, near: &Near<'_>, d_r_mm: f64) {
        let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
        let far_mm = pair_radius_mm(swarm, d_r_mm);
        let (places, before_mm_s) = (&input.agents.position_mm, &input.agents.velocity_mm_s);
        let change_mm_s = 2.0 * swarm.velocity_step_mm_s();
        self.bounds.pairs.clear();
        self.bounds.pairs.reserve(places.len() * PAIRS_PER_ROBOT);
        for robots in near.robots.pairs() {
            let d = places[robots.0 as usize] - places[robots.1 as usize];
            let d2 = d.length_squared();
            if d2 > far_mm * far_mm {
                continue;
            }
            let length = d2.sqrt();
            let (apart, gap_mm) = (d / length, length - d_r_mm - 0.02);
            let closing_mm_s = (before_mm_s[robots.1 as usize] - before_mm_s[robots.0 as usize]).dot(apart);
            if is_stoppable(closing_mm_s + change_mm_s, gap_mm, 2.0 * a, swarm.step_s) {
                continue;
            }
            let max_mm_s = stoppable_mm_s(gap_mm, 2.0 * a, swarm.step_s);
            let shares = near.shares(robots);
            self.bounds.pairs.push(PairBound { robots, apart, max_mm_s, pushed_mm_s: 0.0, shares });
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
#[inline(always)]
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
    active.limit_each(|i| {
        let now = (input.agents.position_mm[i], input.agents.velocity_mm_s[i]);
        let by_mm_s = reachable_inside(model, now, edges_mm_s[i], v[i]);
        let moved_mm_s = replace(&mut v[i], by_mm_s);
        change = change.max(moved_mm_s);
        moved_mm_s > SLIGHT_MM_S
    });
    change
}

/// Bounds velocities by the headings of wheels; returns the largest change, mm/s.
fn keep_headings(wheels: &[WheelStep], active: &mut ActiveSet, v: &mut [DVec2]) -> f64 {
    let mut change = 0.0_f64;
    active.limit_each(|i| {
        let by_mm_s = wheels[i].nearest(v[i]);
        let moved_mm_s = replace(&mut v[i], by_mm_s);
        change = change.max(moved_mm_s);
        moved_mm_s > SLIGHT_MM_S
    });
    change
}

/// Replaces a velocity; returns the larger change of its components, mm/s.
fn replace(velocity_mm_s: &mut DVec2, by_mm_s: DVec2) -> f64 {
    let before_mm_s = std::mem::replace(velocity_mm_s, by_mm_s);
    (by_mm_s - before_mm_s).abs().max_element()
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

/// The velocity nearest to `wanted_mm_s` that the limits of acceleration and speed allow one step after `before_mm_s`, mm/s. Walls are
/// ignored.
#[must_use]
pub fn within_reach(swarm: &SwarmModel, before_mm_s: DVec2, wanted_mm_s: DVec2) -> DVec2 {
    nearest_in_disc(before_mm_s, swarm.velocity_step_mm_s(), wanted_mm_s).clamp_length_max(swarm.limits.v_max_mm_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::exchange::Sight;
    use crate::filter::model::fixture::in_the_core;
    use crate::{Agents, Drive};
    use sim_core::{RunKey, Tick, angle, ops};
    use std::f64::consts::FRAC_PI_2;
    use swarm_field::Feet;

    /// A robot at rest that looks along x wants to go along y, with another one across its way. As a point it would reach 50 mm/s in a
    /// tick, so it turns by 0.2 rad, times `50^2 / (50^2 + 5^2)`, though it has no speed along that heading: the gap is nothing. With the
    /// other one behind it, it has what the heading leaves of the 50 mm/s.
    #[test]
    fn wheels_turn_where_they_have_nowhere_to_go() {
        let (mut model, feet) = in_the_core();
        model.swarm.drive = Drive::Differential;
        let key = RunKey { seed: 1, run_index: 0 };
        let feet = Feet::new(&feet, key);
        let place_mm = DVec2::new(200.0, 330.0);
        let turned_rad: f64 = 0.2 * 2500.0 / 2525.0;
        for (other_mm, expected_mm_s) in [(60.0, 0.0), (-60.0, 50.0 * ops::sin(turned_rad))] {
            let mut agents = Agents::at_rest(vec![place_mm, place_mm + DVec2::new(other_mm, 0.0)]);
            agents.heading_rad[1] = FRAC_PI_2;
            let wish_mm_s = [DVec2::new(0.0, 100.0), DVec2::ZERO];
            let (agents, sight, tick) = (&agents, Sight::Present, Tick(1));
            let input = FilterInput { agents, wish_mm_s: &wish_mm_s, feet: &feet, forecasts: &[], sight, key, tick };
            let mut robots = Neighbours::default();
            robots.rebuild(&agents.position_mm, 100.0);
            let near = Near { robots: &robots, feet: &NearFeet::default(), led: &[], ahead_ticks: 0.0, max_rounds: 40 };
            let (mut scratch, mut velocities_mm_s) = (ProjectionScratch::default(), wish_mm_s);
            let states = [0, 1].map(|i| State::new(Drive::Differential, &agents.motion(i)));
            let steps =
                project_wheels(&model, &mut scratch, (&input, &states), &near, (60.0, 100.0), &mut velocities_mm_s);
            let next = steps[0].state(&model.swarm, &states[0], velocities_mm_s[0]);
            assert!((angle::heading_of(next.ahead) - turned_rad).abs() < 1e-6, "{next:?}");
            assert!((next.velocity_mm_s.dot(next.ahead) - expected_mm_s).abs() < 1.0, "{next:?}");
        }
    }
}
