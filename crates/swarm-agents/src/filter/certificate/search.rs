//! The search for a clear set near the proposals.

use super::foot_rates::{FOOT_STORED, FootProposals, FootRates};
use super::free::{self, HeldBack};
use super::is_led;
use super::levels::{LAST_FOLLOWING, SOLO, STORED, decision, follow_ticks, next};
use super::motions::{BRAKE_SHARE, HalfPlane, Obstacle, brake, track};
use super::projection::{FOOT_GAP_MM, MAX_ROUNDS, Near, reachable_inside};
use super::proof::{ClearDistances, moving_frames};
use super::reaches::{contact_mm, reaches_mm, travel_mm};
use super::rollout::Rollout;
use crate::drive::{self, State, step_towards};
use crate::filter::exchange::{Decision, FilterInput};
use crate::filter::model::FilterModel;
use crate::filter::near_feet::NearFeet;
use crate::filter::planner::band::Plan;
use crate::filter::trajectories::Trajectories;
use crate::{Drive, Neighbours};
use sim_core::DVec2;
use swarm_field::Manner;

/// Maximum number of rounds of the projection of a step of a robot's own.
const MAX_SOLO_ROUNDS: usize = 12;
/// Squared change of a velocity, (mm/s)^2, below which that projection counts as done.
const SOLO_CLEAN_MM2_S2: f64 = 1e-4;

/// What a proposer asks for.
#[derive(Clone, Copy, Debug)]
pub enum Proposal<'a> {
    /// Follow the band if the plan leads the robot, else take the wished velocity up to the next decision.
    Plan(&'a Plan),
    /// Take these velocities up to the next decision, mm/s. Later motion is open.
    Velocities(&'a [DVec2]),
}

impl Proposal<'_> {
    /// Whether each robot follows a band; empty if none does.
    fn led(&self) -> &[bool] {
        match self {
            Self::Plan(plan) => plan.led(),
            Self::Velocities(_) => &[],
        }
    }
}

/// Buffers of the certificate.
#[derive(Clone, Debug, Default)]
pub struct CertificateScratch {
    neighbours: Neighbours,
    near_feet: NearFeet,
    rollout: Rollout,
    robots: RobotProposals,
    feet: FootProposals,
}

/// The trajectories that a search proposes.
#[derive(Clone, Debug, Default)]
struct RobotProposals {
    chosen: Trajectories,
    /// How far from its place each robot can have to do with others, mm.
    reach_mm: Vec<f64>,
    /// Level of caution of each robot, see [`super::levels`].
    level: Vec<u8>,
    /// Velocity that the proposal asks for in the coming tick, mm/s.
    wanted_mm_s: Vec<DVec2>,
    /// Number of changes of levels so far, and by robot that of its last one, and of the one by which it left its proposal.
    changes: u32,
    changed_at: Vec<u32>,
    left_at: Vec<u32>,
    /// Raised robots, to be compared with all others again.
    stack: Vec<u32>,
    /// Bounds on the velocity of a robot that takes a step of its own.
    solo: Vec<HalfPlane>,
    /// The velocities of such steps, mm/s, those of a robot together.
    solo_mm_s: Vec<DVec2>,
    /// Number of these velocities that are known, tick after tick. They change with the places of feet alone.
    solo_known: Vec<u32>,
}

impl CertificateScratch {
    /// Moves the result of a search into the certificate.
    pub(super) fn swap_into(&mut self, stored: &mut Trajectories, feet: &mut FootRates, decisions: &mut Vec<Decision>) {
        std::mem::swap(stored, &mut self.robots.chosen);
        feet.store(&self.feet);
        decisions.clear();
        decisions.extend(self.robots.level.iter().map(|&level| decision(level)));
    }
}

/// The search for a clear set: what it reads, and the buffers that it changes.
pub(super) struct ClearSetSearch<'a, 'b> {
    pub(super) model: &'a FilterModel,
    pub(super) input: &'a FilterInput<'a>,
    pub(super) proposal: &'a Proposal<'b>,
    pub(super) clear: ClearDistances,
    /// The stored trajectories, which start at this tick.
    pub(super) stored: &'a Trajectories,
    /// For how long robots have been held back.
    pub(super) held_back: &'a HeldBack,
    /// The stored speed profiles of the feet.
    pub(super) feet: &'a FootRates,
    pub(super) scratch: &'a mut CertificateScratch,
}

impl ClearSetSearch<'_, '_> {
    /// Searches; the clear set is left in the buffers.
    pub(super) fn run(&mut self) {
        self.prepare();
        self.find_clear_set();
        self.retry_raised();
    }

    fn prepare(&mut self) {
        let (model, input, horizon) = (self.model, self.input, self.stored.horizon());
        let n = input.agents.len();
        self.find_near();
        let CertificateScratch { robots, neighbours, rollout, .. } = &mut *self.scratch;
        rollout.start(model.swarm.drive, input.agents);
        robots.chosen.resize(model.swarm.drive, n, horizon);
        let wanted = |i| match self.proposal {
            Proposal::Velocities(v) => v[i],
            Proposal::Plan(plan) if plan.led()[i] => {
                let now = (input.agents.position_mm[i], input.agents.velocity_mm_s[i]);
                track(&model.swarm, plan, i, plan.age(), now)
            }
            Proposal::Plan(_) => free::velocity_mm_s(model, input, (self.held_back, neighbours), i),
        };
        robots.wanted_mm_s.clear();
        robots.wanted_mm_s.extend((0..n).map(wanted));
        robots.level.clear();
        robots.level.resize(n, 0);
        robots.changes = 0;
        for times in [&mut robots.changed_at, &mut robots.left_at] {
            times.clear();
            times.resize(n, 0);
        }
        robots.solo_mm_s.resize(n * model.decision_ticks(), DVec2::ZERO);
        robots.solo_known.clear();
        robots.solo_known.resize(n, 0);
        self.scratch.feet.start(model, self.feet, horizon);
        self.roll_out();
    }

    /// Rolls the proposals out up to the next decision.
    fn roll_out(&mut self) {
        let (model, clear) = (self.model, self.clear);
        let CertificateScratch { robots, neighbours, near_feet, rollout, .. } = &mut *self.scratch;
        let (led, max_rounds) = (self.proposal.led(), MAX_ROUNDS / model.decision_ticks());
        let near = Near { robots: neighbours, feet: near_feet, led, ahead_ticks: 0.0, max_rounds };
        let of = (model, self.input, self.proposal);
        rollout.run(of, &near, (clear.pair_mm, clear.foot_mm), &robots.wanted_mm_s);
    }

    /// Finds the robots and feet that can meet within the horizon.
    fn find_near(&mut self) {
        let (model, input, clear) = (self.model, self.input, self.clear);
        let (swarm, places_mm) = (&model.swarm, &input.agents.position_mm);
        let CertificateScratch { robots, neighbours, near_feet, .. } = &mut *self.scratch;
        robots.reach_mm.clear();
        robots.reach_mm.extend(reaches_mm(model, &input.agents.velocity_mm_s, self.stored, self.proposal.led()));
        neighbours.rebuild_by_reach(places_mm, contact_mm(clear), &robots.reach_mm);
        let foot_travel_mm = model.foot_speed_max_mm_s * swarm.step_s * self.stored.horizon() as f64;
        let foot_radius_mm = clear.foot_mm + FOOT_GAP_MM + travel_mm(swarm, moving_frames(model)) + foot_travel_mm;
        near_feet.rebuild(places_mm, input.feet_mm(), foot_radius_mm);
    }

    /// Raises robots until the set is clear. If feet have to slow for that, their places change: then the robots near them return to their
    /// proposals. All such feet slow at once, so that many feet take no more rounds than one.
    fn find_clear_set(&mut self) {
        let (robots, feet) = (self.input.agents.len(), self.input.feet.len());
        (0..feet).for_each(|k| self.place_foot(k));
        (0..robots).for_each(|i| self.propose_permitted(i));
        let mut is_clear = self.raise_until_clear();
        while !is_clear {
            self.slow_feet();
            is_clear = self.clear_stack();
        }
    }

    /// Lets raised robots try their proposals again, one by one, against the present choices of all others. Replacing one trajectory by
    /// another that is clear of all others keeps the set clear. Otherwise a robot raised for another that was then raised itself stands
    /// beside it for ever. Robots far from feet begin and give way to the nearer ones. A robot with no neighbour that changed since it was
    /// raised would come to the same end.
    fn retry_raised(&mut self) {
        let CertificateScratch { robots: RobotProposals { stack, level, .. }, near_feet, .. } = &mut *self.scratch;
        let foot_mm2 = |i: u32| near_feet.nearest_mm2(i as usize);
        let raised = (0..level.len() as u32).rev().filter(|&i| level[i as usize] > 0);
        // The stack is emptied from its end: the nearest come first in it. Those that no foot is near have their order already.
        stack.clear();
        stack.extend(raised.clone().filter(|&i| foot_mm2(i).is_finite()));
        stack.sort_unstable_by(|&i, &j| foot_mm2(i).total_cmp(&foot_mm2(j)).then(j.cmp(&i)));
        stack.extend(raised.filter(|&i| foot_mm2(i).is_infinite()));
        while let Some(i) = self.scratch.robots.stack.pop() {
            let i = i as usize;
            if !self.has_changed_since_raised(i) {
                continue;
            }
            self.withdraw(i);
            while self.level(i) != STORED && !self.is_clear(i) {
                self.raise(i);
            }
        }
    }

    /// True if a neighbour of robot `i` changed its level since robot `i` left its proposal. A foot that slows returns it to that.
    fn has_changed_since_raised(&self, i: usize) -> bool {
        let RobotProposals { changed_at, left_at, .. } = &self.scratch.robots;
        self.scratch.neighbours.of(i).iter().any(|&j| changed_at[j as usize] > left_at[i])
    }

    /// Sets the level of robot `i`.
    fn set_level(&mut self, i: usize, level: u8) {
        let robots = &mut self.scratch.robots;
        robots.changes += 1;
        robots.changed_at[i] = robots.changes;
        if robots.level[i] == 0 {
            robots.left_at[i] = robots.changes;
        }
        robots.level[i] = level;
    }

    /// True if the chosen trajectory of robot `i` is clear of the feet that wait and of all other robots.
    fn is_clear(&self, i: usize) -> bool {
        (self.model.manner == Manner::Stubborn || self.first_foot_met(i).is_none())
            && !self.scratch.neighbours.of(i).iter().any(|&j| self.conflict(i, j as usize))
    }

    /// Raises robots until the set is clear with the feet at their present levels; false if feet have to slow first. Each pair is compared
    /// once, and again when one of the two is raised.
    fn raise_until_clear(&mut self) -> bool {
        let robots = self.input.agents.len();
        let stack = &mut self.scratch.robots.stack;
        stack.clear();
        // A robot is on it at most once for a foot that slows, and once for each level that it is raised to.
        stack.reserve(robots * usize::from(STORED + 1));
        (0..robots).fold(true, |is_clear, i| is_clear & self.clear_robot(i, i + 1) & self.clear_stack())
    }

    /// Compares the robots of the stack with all others, and raises robots until all is clear; false if feet have to slow first.
    fn clear_stack(&mut self) -> bool {
        let mut is_clear = true;
        while let Some(raised) = self.scratch.robots.stack.pop() {
            is_clear &= self.clear_robot(raised as usize, 0);
        }
        is_clear
    }

    /// Raises robots until robot `i` is clear of feet that wait and of other robots: from `first` on if it is not raised itself, else of
    /// all. False if feet have to slow first.
    fn clear_robot(&mut self, i: usize, first: usize) -> bool {
        let level = self.level(i);
        if self.model.manner == Manner::Considerate && !self.clear_of_feet(i) {
            return false;
        }
        self.clear_of_robots(i, if self.level(i) == level { first } else { 0 });
        true
    }

    /// Raises the feet that have to slow to their next, slower level. Robots near them return to their proposals, to be compared again.
    fn slow_feet(&mut self) {
        for k in 0..self.input.feet.len() {
            if self.scratch.feet.slowing[k] {
                self.scratch.feet.level[k] += 1;
                self.place_foot(k);
            }
        }
        for i in 0..self.input.agents.len() {
            let CertificateScratch { robots, near_feet, feet, .. } = &mut *self.scratch;
            if near_feet.of(i).any(|k| feet.slowing[k]) {
                robots.solo_known[i] = 0;
                robots.stack.push(i as u32);
                self.withdraw(i);
            }
        }
        self.scratch.feet.slowing.fill(false);
    }

    fn place_foot(&mut self, k: usize) {
        self.scratch.feet.place(self.model, self.input, self.feet, k);
    }

    fn level(&self, i: usize) -> u8 {
        self.scratch.robots.level[i]
    }

    /// Returns a raised robot to its proposal.
    fn withdraw(&mut self, i: usize) {
        if self.level(i) != 0 {
            self.set_level(i, 0);
            self.propose_permitted(i);
        }
    }

    /// Chooses the proposal of robot `i`, or its first more cautious choice that is permitted.
    fn propose_permitted(&mut self, i: usize) {
        self.propose(i);
        if !self.is_permitted(i) {
            self.raise(i);
        }
    }

    /// True if the chosen trajectory of robot `i` meets no robot but those it is compared with, is clear of walls, and leaves the plan as
    /// it is.
    fn is_permitted(&self, i: usize) -> bool {
        let robots = &self.scratch.robots;
        robots.chosen.reach_mm(i) <= robots.reach_mm[i] && !self.meets_wall(i) && !self.is_in_the_way(i)
    }

    /// True if the chosen trajectory of a robot that is not led would be in the way of a foot, or of the band of a robot that is led.
    fn is_in_the_way(&self, i: usize) -> bool {
        let Proposal::Plan(plan) = self.proposal else { return false };
        if plan.led()[i] {
            return false;
        }
        let CertificateScratch { robots, near_feet, neighbours, .. } = &*self.scratch;
        let places_mm = robots.chosen.places_mm(i);
        let last = places_mm.len() - 1;
        let row = plan.row_of(self.input.agents.position_mm[i], |ticks| places_mm[(ticks - 1).min(last)]);
        let meets_band = |&j: &u32| plan.led()[j as usize] && plan.meets_band(&row, j as usize, self.clear.pair_mm);
        near_feet.of(i).any(|foot| plan.meets_foot(&row, foot)) || neighbours.of(i).iter().any(meets_band)
    }

    /// True if the chosen trajectory of robot `i` comes too near to a wall.
    fn meets_wall(&self, i: usize) -> bool {
        let walls = &self.model.walls;
        !walls.is_empty() && !self.scratch.robots.chosen.places_mm(i).iter().all(|&place| walls.is_clear(place))
    }

    /// Chooses for robot `i`: what is rolled out, then the plan for the frames of its level, then braking.
    fn propose(&mut self, i: usize) {
        let swarm = &self.model.swarm;
        let CertificateScratch { robots: RobotProposals { chosen, level, .. }, rollout, .. } = &mut *self.scratch;
        let rolled_out = self.model.decision_ticks();
        for frame in 0..rolled_out {
            let state = rollout.state(i, frame);
            chosen.set(i, frame, state.position_mm, state.ahead);
        }
        let (mut frames, mut state) = (rolled_out, rollout.state(i, rolled_out - 1));
        if let Proposal::Plan(plan) = self.proposal
            && plan.led()[i]
        {
            frames = follow_ticks(self.model, level[i]);
            for frame in rolled_out..frames {
                let wanted = track(swarm, plan, i, plan.age() + frame, (state.position_mm, state.velocity_mm_s));
                state = step_towards(swarm, &state, wanted);
                chosen.set(i, frame, state.position_mm, state.ahead);
            }
        }
        self.brake_from(i, frames, &state);
    }

    /// Chooses for robot `i`: steps of its own up to the next decision, then braking.
    fn propose_alone(&mut self, i: usize) {
        let frames = self.model.decision_ticks();
        let mut state = self.scratch.rollout.present(i);
        for frame in 0..frames {
            let velocity_mm_s = self.known_solo_velocity(i, frame, &state);
            state = step_towards(&self.model.swarm, &state, velocity_mm_s);
            self.scratch.robots.chosen.set(i, frame, state.position_mm, state.ahead);
        }
        self.brake_from(i, frames, &state);
    }

    #[inline(always)]
    fn brake_from(&mut self, i: usize, frame: usize, last: &State) {
        let chosen = &mut self.scratch.robots.chosen;
        brake(&self.model.swarm, chosen, i, frame, last);
        chosen.measure_reach(i, self.input.agents.position_mm[i]);
    }

    /// Raises a robot to its next, more cautious level that is permitted. The stored trajectory always is.
    fn raise(&mut self, i: usize) {
        self.raise_once(i);
        while self.level(i) != STORED && !self.is_permitted(i) {
            self.raise_once(i);
        }
        debug_assert!(!self.meets_wall(i), "a stored trajectory meets a wall");
    }

    fn raise_once(&mut self, i: usize) {
        let level = match (is_led(self.proposal.led(), i), self.level(i)) {
            (false, 0) => SOLO,
            (true, LAST_FOLLOWING) if self.keeps_going(i) => STORED,
            (_, level) => next(self.model, level),
        };
        self.set_level(i, level);
        match level {
            STORED => {
                self.scratch.robots.chosen.copy(i, self.stored);
                self.turn_in_place(i);
            }
            SOLO => self.propose_alone(i),
            _ => self.propose(i),
        }
    }

    /// True if the stored trajectory still moves in front of a foot that never waits: an older plan is then better than braking.
    fn keeps_going(&self, i: usize) -> bool {
        let places = self.stored.places_mm(i);
        let last = self.model.knot_ticks.max(2) - 1;
        self.model.manner == Manner::Stubborn && places[last] != places[last - 1]
    }

    /// Turns a differential drive that has to stay in place towards its wanted velocity. That moves no centre, so the set stays clear, and
    /// two robots that face each other do not stand for ever.
    fn turn_in_place(&mut self, i: usize) {
        let swarm = &self.model.swarm;
        if swarm.drive == Drive::Differential && self.stored.reach_mm(i) == 0.0 {
            let CertificateScratch { robots, rollout, .. } = &mut *self.scratch;
            let now = rollout.present(i);
            let turned = step_towards(swarm, &now, robots.wanted_mm_s[i]);
            robots.chosen.set(i, 0, now.position_mm, turned.ahead);
            robots.chosen.rest_from(i, 0);
        }
    }

    fn known_solo_velocity(&mut self, i: usize, frame: usize, before: &State) -> DVec2 {
        let at = i * self.model.decision_ticks() + frame;
        if frame == self.scratch.robots.solo_known[i] as usize {
            self.scratch.robots.solo_mm_s[at] = self.solo_velocity(i, frame, before);
            self.scratch.robots.solo_known[i] += 1;
        }
        self.scratch.robots.solo_mm_s[at]
    }

    /// The wanted velocity projected on the robot's own constraints in a frame, with all other robots on their stored trajectories.
    fn solo_velocity(&mut self, i: usize, frame: usize, before: &State) -> DVec2 {
        self.bound_solo(i, frame, before);
        let model = self.model;
        let now = (before.position_mm, before.velocity_mm_s);
        let edges = drive::edge_speeds(&model.swarm, now.0);
        let mut v = self.scratch.robots.wanted_mm_s[i];
        for _ in 0..MAX_SOLO_ROUNDS {
            let start = v;
            for bound in &self.scratch.robots.solo {
                v += bound.away * bound.lack_mm_s(v).unwrap_or_default();
            }
            v = reachable_inside(model, now, edges, v);
            if (v - start).length_squared() < SOLO_CLEAN_MM2_S2 {
                break;
            }
        }
        v
    }

    /// Lists the bounds of feet and robots on the velocity of robot `i` in a frame.
    fn bound_solo(&mut self, i: usize, frame: usize, before: &State) {
        let (swarm, clear) = (&self.model.swarm, self.clear);
        let a_mm_s2 = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
        let CertificateScratch { robots, near_feet, neighbours, feet, .. } = &mut *self.scratch;
        let foot = |k| Obstacle { next_mm: feet.places_mm(k)[frame + 1], distance_mm: clear.foot_mm };
        let robot =
            |&j: &u32| Obstacle { next_mm: self.stored.places_mm(j as usize)[frame], distance_mm: clear.pair_mm };
        let obstacles = near_feet.of(i).map(foot).chain(neighbours.of(i).iter().map(robot));
        robots.solo.clear();
        robots.solo.reserve(self.input.agents.len() + self.input.feet.len());
        let can_bind = |bound: &HalfPlane| bound.can_bind(before.velocity_mm_s, swarm.velocity_step_mm_s());
        let bounds = obstacles.filter_map(|obstacle| obstacle.bound(swarm, before.position_mm, a_mm_s2));
        robots.solo.extend(bounds.filter(can_bind));
    }

    /// Raises robot `i` until it is clear of all feet near it; false if one of them has to slow first. A robot raised for one foot is
    /// compared with all of them again.
    fn clear_of_feet(&mut self, i: usize) -> bool {
        while let Some(k) = self.first_foot_met(i) {
            let last_resort = self.level(i) + 1 >= SOLO;
            if last_resort && self.scratch.feet.level[k] < FOOT_STORED && self.meets_foot(self.stored, i, k) {
                self.scratch.feet.slowing[k] = true;
                return false;
            }
            if self.level(i) == STORED {
                debug_assert!(false, "a stored trajectory meets a stored profile");
                return true;
            }
            self.raise(i);
        }
        true
    }

    /// A foot that the chosen trajectory of robot `i` meets.
    fn first_foot_met(&self, i: usize) -> Option<usize> {
        self.scratch.near_feet.of(i).find(|&k| self.meets_foot(&self.scratch.robots.chosen, i, k))
    }

    fn meets_foot(&self, trajectories: &Trajectories, i: usize, k: usize) -> bool {
        let places = self.scratch.feet.places_mm(k);
        let far = self.clear.foot_mm
            + trajectories.reach_mm(i)
            + self.model.foot_speed_max_mm_s * self.model.swarm.step_s * trajectories.horizon() as f64;
        if self.input.agents.position_mm[i].distance_squared(places[0]) > far * far {
            return false;
        }
        let min2 = self.clear.foot_mm * self.clear.foot_mm;
        trajectories.places_mm(i).iter().zip(places).any(|(p, q)| p.distance_squared(*q) < min2)
    }

    /// Raises robots until robot `i` is clear of all others from `first` on; robots raised on the way are compared with all others again.
    fn clear_of_robots(&mut self, i: usize, first: usize) {
        let mut at = self.scratch.neighbours.of(i).partition_point(|&j| (j as usize) < first);
        while at < self.scratch.neighbours.of(i).len() {
            let j = self.scratch.neighbours.of(i)[at] as usize;
            at += 1;
            if !self.conflict(i, j) {
                continue;
            }
            let loser = self.loser(i, j);
            if self.level(loser) == STORED {
                debug_assert!(false, "two stored trajectories are in conflict");
                continue;
            }
            self.raise(loser);
            self.scratch.robots.stack.push(loser as u32);
            if loser == i {
                return;
            }
            at -= 1;
        }
    }

    fn conflict(&self, i: usize, j: usize) -> bool {
        let chosen = &self.scratch.robots.chosen;
        let may_meet = self.clear.pair_mm + chosen.reach_mm(i) + chosen.reach_mm(j);
        let now_mm = self.input.agents.position_mm[i] - self.input.agents.position_mm[j];
        now_mm.length_squared() < may_meet * may_meet && !chosen.are_clear(i, j, now_mm, self.clear.pair())
    }

    /// The one of two robots in conflict that is raised. While both still take their proposed step it is the less cautious one. Then it is
    /// the one farther from a foot, up to its stored trajectory: a robot in front of a foot is held back last.
    fn loser(&self, i: usize, j: usize) -> usize {
        let (a, b) = (self.level(i), self.level(j));
        if a != b && (a.min(b) < SOLO - 1 || a.max(b) == STORED) {
            return if a < b { i } else { j };
        }
        let distance2 = |robot: usize| self.scratch.near_feet.nearest_mm2(robot);
        if distance2(i) >= distance2(j) { i } else { j }
    }
}
