//! The certificate: a set of trajectories that end at rest and are mutually clear, renewed only by a set that is clear too.
//!
//! # Why it is safe
//! *Mutually clear* means: in every coming frame all pairs of robots keep `d_r_mm`, and all robots and feet keep `d_h_mm` (feet at the
//! places that their rate profile gives). Places are compared at equal times, so convoys stay possible. That all robots are in the box
//! needs no comparing: [`crate::drive`] makes every step of a trajectory, and none of its steps leads out.
//! Invariant: the stored set is mutually clear and starts at the present places. [`Certificate::renew`] starts from proposals, finds
//! conflicts, and raises one of the two robots to a more cautious level, at last to its stored trajectory; a foot that would be
//! in the way slows, at last by its stored profile. Levels only rise, so this ends, and the top level of everybody is the stored set,
//! which is clear. Then those who were raised try again one by one: a clear set stays clear if one of it takes another way that is clear
//! of everybody's. Executing one frame leaves the remainder of a clear set. Nothing is assumed of the proposals.
//!
//! With stubborn feet the same holds between robots and at the walls; feet never slow, so their distance is left to the planner.
//!
//! # Needed for the proof
//! The foot's own path is known for its braking length (the simulator makes it), trajectories are executed as stored, and the horizon
//! covers the longest stop. Between two frames a pair at distance `D'` dips to no less than `sqrt(D'^2 - (s/2)^2)` when it moves by at
//! most `s`; the distances kept here are larger by that much.

use super::near_feet::NearFeet;
use super::planner::{FRAMES_PER_KNOT, Plan};
use super::projection::{FOOT_GAP_MM, Near, ProjectionScratch, project, within_reach};
use super::trajectories::Trajectories;
use super::{Decision, FilterInput, FilterKind, FilterModel, FilterOutput};
use crate::boundary::bounded;
use crate::drive::{self, Motion, stoppable_mm_s};
use crate::{Drive, Neighbours, SwarmModel};
use sim_core::{DVec2, StateHash};
use swarm_field::Manner;

/// Ticks for which a proposal follows the plan before it brakes, level by level.
const FOLLOW_FRAMES: [usize; 4] = [8, 4, 2, 1];
/// Ticks in which a robot comes back onto its band. Two follow it closely and tremble with it; four cut the jerk to a quarter.
const TRACK_FRAMES: usize = 4;
/// Level below which a proposal follows the plan long enough to be better than an older trajectory.
const LAST_FOLLOWING: u8 = 1;
/// Level at which a robot takes a step of its own.
const SOLO: u8 = FOLLOW_FRAMES.len() as u8;
/// Level at which a robot keeps its stored trajectory.
const STORED: u8 = SOLO + 1;
/// Change of a foot's play rate per tick when it speeds up.
const RATE_UP: f64 = 0.05;
/// Change of a foot's play rate per tick when it brakes. Quicker braking lets feet come closer and jams more.
const RATE_DOWN: f64 = 0.1;
/// The same when it slows only a little.
const RATE_EASE: f64 = 0.03;
/// Level at which a foot keeps its stored profile.
const FOOT_STORED: u8 = 3;
/// Robots of which one refused proposal may wait for the next plan if feet wait too. Among thousands somebody is always refused, and a
/// plan is made for everybody.
const ROBOTS_PER_REFUSAL: usize = 60;
/// Play rate below which a foot counts as held up.
const SLOW_RATE: f64 = 0.2;
/// Time for which a foot is held up before it gives its way up, s.
const PATIENCE_S: f64 = 1.0;

/// What a proposer wants.
#[derive(Clone, Copy, Debug)]
pub enum Proposal<'a> {
    /// Follow the band.
    Plan(&'a Plan),
    /// Take these velocities now, mm/s; nothing is known of later.
    Velocities(&'a [DVec2]),
}

/// The stored set, with the frames of it that were executed already.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    stored: Trajectories,
    age: usize,
    /// Play rates of foot `k`: `rates[k * rate_frames + m]` holds for the tick after frame `m`.
    rates: Vec<f64>,
    /// Rate that each foot was given last.
    last_rate: Vec<f64>,
    decisions: Vec<Decision>,
    slow_ticks: Vec<u32>,
}

/// Buffers of the certificate.
#[derive(Clone, Debug, Default)]
pub struct CertificateScratch {
    neighbours: Neighbours,
    near_feet: NearFeet,
    projection: ProjectionScratch,
    chosen: Trajectories,
    first_mm_s: Vec<DVec2>,
    wanted_mm_s: Vec<DVec2>,
    stack: Vec<u32>,
    level: Vec<u8>,
    foot_level: Vec<u8>,
    /// Feet that have to slow before the set can be clear.
    slowing: Vec<bool>,
    foot_place_mm: Vec<DVec2>,
    proposed_rates: Vec<f64>,
}

/// Distances that the stored set keeps, between frames included.
#[derive(Clone, Copy, Debug)]
struct Clear {
    pair_mm: f64,
    foot_mm: f64,
}

impl Clear {
    fn new(model: &FilterModel) -> Self {
        let swarm = &model.swarm;
        let step_mm = swarm.limits.v_max_mm_s * swarm.step_s;
        let foot_step_mm = step_mm + model.foot_speed_max_mm_s * swarm.step_s;
        let (d_r, d_h) = (swarm.clearances.d_r_mm, swarm.clearances.d_h_mm);
        Self {
            pair_mm: (d_r * d_r + step_mm * step_mm).sqrt(),
            foot_mm: (d_h * d_h + 0.25 * foot_step_mm * foot_step_mm).sqrt(),
        }
    }
}

/// Ticks after which a foot that rose for a whole period has come to rest.
fn rate_frames() -> usize {
    (1.0 / RATE_DOWN).ceil() as usize + FRAMES_PER_KNOT
}

fn horizon(swarm: &SwarmModel) -> usize {
    let stop = (swarm.limits.v_max_mm_s / (swarm.limits.a_max_mm_s2 * swarm.step_s)).ceil() as usize + 1;
    (FOLLOW_FRAMES[0] + stop).max(rate_frames() + 1)
}

impl Certificate {
    /// True if a new set is due at this tick: after the period, and at once where more robots than may wait could not follow their
    /// proposals.
    #[must_use]
    pub fn is_due(&self, model: &FilterModel, input: &FilterInput<'_>) -> bool {
        let robots = input.agents.len();
        self.stored.len() != robots
            || self.age as u64 >= model.period()
            || self.decisions.iter().filter(|&&decision| decision != Decision::Proposed).count()
                > may_wait(model, robots)
    }

    /// Ticks that were executed of the stored set.
    #[must_use]
    pub fn age(&self) -> usize {
        self.age
    }

    /// Where the stored set has robot `i` so many ticks, at least one, after now.
    #[must_use]
    pub fn stored_place_mm(&self, i: usize, ticks: usize) -> DVec2 {
        self.stored.places_mm(i)[(self.age + ticks - 1).min(self.stored.horizon() - 1)]
    }

    /// Play rates of the feet in the last tick.
    #[must_use]
    pub fn last_rates(&self) -> &[f64] {
        &self.last_rate
    }

    /// What became of the proposals of the last renewal.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Takes the stored set into a state hash.
    #[expect(clippy::should_implement_trait, reason = "it feeds the state hash, as every part of the state does")]
    pub fn hash(&self, hash: &mut StateHash) {
        self.stored.hash(hash);
        hash.u64(self.age as u64);
        self.rates.iter().chain(&self.last_rate).for_each(|&r| hash.f64(r));
        self.slow_ticks.iter().for_each(|&t| hash.u64(u64::from(t)));
    }

    /// Replaces the stored set by one that is clear and as near to the proposals as the rules find.
    pub fn renew(
        &mut self,
        model: &FilterModel,
        scratch: &mut CertificateScratch,
        input: &FilterInput<'_>,
        proposal: &Proposal<'_>,
    ) {
        self.bring_up_to_date(model, input);
        let n = input.agents.len();
        let swarm = &model.swarm;
        let clear = Clear::new(model);
        scratch.find_near(model, input, clear, self.stored.horizon());
        scratch.chosen.resize(n, self.stored.horizon());
        scratch.wanted_mm_s.clear();
        scratch.wanted_mm_s.extend((0..n).map(|i| wanted_velocity(swarm, input, proposal, i)));
        scratch.project_first(model, input, clear);
        scratch.foot_level.clear();
        let level = |k| if model.manner == Manner::Considerate && self.gives_up(model, k) { FOOT_STORED } else { 0 };
        scratch.foot_level.extend((0..input.feet.len()).map(level));
        scratch.slowing.resize(input.feet.len(), false);
        scratch.foot_place_mm.resize(input.feet.len() * self.stored.horizon(), DVec2::ZERO);
        scratch.proposed_rates.resize(input.feet.len() * rate_frames(), 0.0);
        Round { model, input, proposal, clear, kept: self, scratch }.settle();
        std::mem::swap(&mut self.stored, &mut scratch.chosen);
        self.age = 0;
        self.decisions.clear();
        self.decisions.extend(scratch.level.iter().map(|&level| decision(level)));
        self.rates.clone_from(&scratch.proposed_rates);
    }

    /// Hands out the coming frame of the stored set.
    pub fn execute(&mut self, model: &FilterModel, input: &FilterInput<'_>, output: &mut FilterOutput) {
        let swarm = &model.swarm;
        let frame = self.age.min(self.stored.horizon() - 1);
        for i in 0..input.agents.len() {
            let place = self.stored.places_mm(i)[frame];
            let motion = drive::executed(swarm, &input.agents.motion(i), place, self.stored.heading_rad(i, frame));
            output.next.set(i, motion);
        }
        output.decisions.copy_from_slice(&self.decisions);
        for k in 0..input.feet.len() {
            output.play_rates[k] = self.rates[k * rate_frames() + self.age.min(rate_frames() - 1)];
            self.last_rate[k] = output.play_rates[k];
            self.watch_slow_foot(model, input, output, k);
        }
        self.age += 1;
    }

    /// A foot that has hardly moved for a while gives up: it comes to rest, and then looks for another way on the side away from the
    /// nearest robot.
    fn watch_slow_foot(&mut self, model: &FilterModel, input: &FilterInput<'_>, output: &mut FilterOutput, k: usize) {
        self.slow_ticks[k] = if output.play_rates[k] < SLOW_RATE { self.slow_ticks[k] + 1 } else { 0 };
        let stands = self.rates[k * rate_frames()..(k + 1) * rate_frames()].iter().all(|&r| r == 0.0);
        if stands && output.play_rates[k] == 0.0 && self.gives_up(model, k) {
            self.slow_ticks[k] = 0;
            let foot = input.foot_mm(k, 0.0);
            let nearest = input
                .agents
                .position_mm
                .iter()
                .min_by(|a, b| a.distance_squared(foot).total_cmp(&b.distance_squared(foot)));
            output.re_aim[k] = nearest.copied();
        }
    }

    fn gives_up(&self, model: &FilterModel, k: usize) -> bool {
        f64::from(self.slow_ticks[k]) * model.swarm.step_s >= PATIENCE_S
    }

    /// At the start of a run everybody rests: that set is clear because the start places are.
    pub fn start(&mut self, model: &FilterModel, input: &FilterInput<'_>) {
        let (n, feet) = (input.agents.len(), input.feet.len());
        if self.stored.len() == n && self.last_rate.len() == feet {
            return;
        }
        self.stored.resize(n, horizon(&model.swarm));
        for i in 0..n {
            self.stored.set(i, 0, input.agents.position_mm[i], input.agents.heading_rad[i]);
            self.stored.rest_from(i, 0);
        }
        self.age = 0;
        self.decisions.clear();
        self.decisions.resize(n, Decision::Proposed);
        self.rates.clear();
        self.rates.resize(feet * rate_frames(), model.initial_rate());
        self.last_rate.clear();
        self.last_rate.resize(feet, model.initial_rate());
        self.slow_ticks.clear();
        self.slow_ticks.resize(feet, 0);
    }

    /// Makes the stored set start at this tick.
    fn bring_up_to_date(&mut self, model: &FilterModel, input: &FilterInput<'_>) {
        self.start(model, input);
        self.stored.shift(self.age);
        for rates in self.rates.chunks_exact_mut(rate_frames()) {
            rates.copy_within(self.age.., 0);
            let left = rates.len() - self.age;
            rates[left..].fill(0.0);
        }
        self.age = 0;
        for (i, &place) in input.agents.position_mm.iter().enumerate() {
            self.stored.measure_reach(i, place);
        }
    }
}

impl CertificateScratch {
    /// Who could meet whom within the horizon.
    fn find_near(&mut self, model: &FilterModel, input: &FilterInput<'_>, clear: Clear, horizon: usize) {
        let swarm = &model.swarm;
        let horizon_s = swarm.step_s * horizon as f64;
        let travel_mm = swarm.limits.v_max_mm_s * horizon_s;
        let foot_travel_mm = model.foot_speed_max_mm_s * horizon_s;
        self.neighbours.rebuild(&input.agents.position_mm, clear.pair_mm + 2.0 * travel_mm);
        let foot_radius_mm = clear.foot_mm + FOOT_GAP_MM + travel_mm + foot_travel_mm;
        self.near_feet.rebuild(&input.agents.position_mm, input.feet_mm(), foot_radius_mm);
    }

    /// First velocities: the wanted ones, for the joint filter projected so that nobody closes too fast.
    fn project_first(&mut self, model: &FilterModel, input: &FilterInput<'_>, clear: Clear) {
        self.first_mm_s.clone_from(&self.wanted_mm_s);
        if model.kind == FilterKind::Joint {
            let near = Near { robots: &self.neighbours, feet: &self.near_feet };
            let distances_mm = (clear.pair_mm, clear.foot_mm);
            project(model, &mut self.projection, input, &near, distances_mm, &mut self.first_mm_s);
        }
    }
}

/// Robots whose refused proposals may wait for the next plan: none in front of feet that do not wait themselves.
fn may_wait(model: &FilterModel, robots: usize) -> usize {
    match model.manner {
        Manner::Stubborn => 0,
        Manner::Considerate => robots.saturating_sub(1) / ROBOTS_PER_REFUSAL,
    }
}

fn decision(level: u8) -> Decision {
    match level {
        0 => Decision::Proposed,
        SOLO => Decision::Solo,
        STORED => Decision::Stored,
        _ => Decision::Brake,
    }
}

/// Velocity that a proposal asks for in the coming tick.
fn wanted_velocity(swarm: &SwarmModel, input: &FilterInput<'_>, proposal: &Proposal<'_>, i: usize) -> DVec2 {
    match proposal {
        Proposal::Velocities(v) => v[i],
        Proposal::Plan(plan) => track(swarm, plan, i, 0, input.agents.position_mm[i], input.agents.velocity_mm_s[i]),
    }
}

/// Velocity of the coming frame on the way back to the band: the constant acceleration `a` that meets it in `n` frames, since those
/// carry a robot `n v dt + a dt^2 n (n + 1) / 2` on. More frames make a smoother way that cuts corners.
fn track(swarm: &SwarmModel, plan: &Plan, i: usize, frame: usize, place_mm: DVec2, velocity_mm_s: DVec2) -> DVec2 {
    let n = TRACK_FRAMES as f64;
    let target = plan.place_mm(i, frame + TRACK_FRAMES);
    let off = target - place_mm - velocity_mm_s * (n * swarm.step_s);
    velocity_mm_s + off / (0.5 * n * (n + 1.0) * swarm.step_s)
}

/// The search for a clear set.
struct Round<'a, 'b> {
    model: &'a FilterModel,
    input: &'a FilterInput<'a>,
    proposal: &'a Proposal<'b>,
    clear: Clear,
    kept: &'a Certificate,
    scratch: &'a mut CertificateScratch,
}

impl Round<'_, '_> {
    /// Raises robots until the set is clear. If feet have to slow for that, their places change: then all robots begin anew with what
    /// they proposed. All such feet slow at once, so that many feet take no more attempts than one.
    fn settle(&mut self) {
        let n = self.input.agents.len();
        self.scratch.level.clear();
        self.scratch.level.resize(n, 0);
        (0..self.input.feet.len()).for_each(|k| self.place_foot(k));
        (0..n).for_each(|i| self.propose(i));
        while !self.raise_until_clear() {
            (0..self.input.feet.len()).for_each(|k| self.slow(k));
            (0..n).for_each(|i| self.withdraw(i));
        }
        self.reconsider();
    }

    /// Robots that were held back try again, one by one, against what all others have chosen by now: a clear set stays clear if one of it
    /// takes another way that is clear of everybody. Who was held back by a robot that then was held back itself would otherwise
    /// stand beside it for ever. Those far from feet begin, so that they have made room when the nearer ones try.
    fn reconsider(&mut self) {
        let CertificateScratch { stack, level, near_feet, .. } = &mut *self.scratch;
        stack.clear();
        stack.extend((0..level.len() as u32).filter(|&i| level[i as usize] > 0));
        let foot_mm2 = |i: u32| near_feet.nearest_foot_mm2(self.input.agents.position_mm[i as usize]);
        // From the end: the nearest stand first.
        stack.sort_unstable_by(|&i, &j| foot_mm2(i).total_cmp(&foot_mm2(j)).then(j.cmp(&i)));
        while let Some(i) = self.scratch.stack.pop() {
            let i = i as usize;
            self.withdraw(i);
            while self.scratch.level[i] != STORED && !self.is_clear(i) {
                self.raise(i);
            }
        }
    }

    /// True if the chosen trajectory of robot `i` is clear of the feet that wait and of all other robots.
    fn is_clear(&self, i: usize) -> bool {
        (self.model.manner == Manner::Stubborn || self.first_foot_met(i).is_none())
            && !self.scratch.neighbours.of(i).iter().any(|&j| self.conflict(i, j as usize))
    }

    /// Raises robots until the set is clear with the feet at their present levels. False if feet have to slow first.
    fn raise_until_clear(&mut self) -> bool {
        let mut is_clear = true;
        self.scratch.stack.clear();
        self.scratch.stack.extend((0..self.input.agents.len() as u32).rev());
        while let Some(i) = self.scratch.stack.pop() {
            let i = i as usize;
            if self.model.manner == Manner::Considerate && !self.clear_of_feet(i) {
                is_clear = false;
                continue;
            }
            self.clear_of_robots(i);
        }
        is_clear
    }

    /// Takes a foot to its next, slower level if it has to slow.
    fn slow(&mut self, k: usize) {
        if std::mem::take(&mut self.scratch.slowing[k]) {
            self.scratch.foot_level[k] += 1;
            self.place_foot(k);
        }
    }

    /// Rate profile and places of a foot at its present level: 0 proposes to speed up, 1 to keep the present rate, 2 to slow a
    /// little, [`FOOT_STORED`] is stored.
    fn place_foot(&mut self, k: usize) {
        let (frames, horizon) = (rate_frames(), self.kept.stored.horizon());
        let stored = &self.kept.rates[k * frames..(k + 1) * frames];
        let mut rate = self.kept.last_rate[k];
        let mut phase = 0.0;
        for m in 0..horizon {
            self.scratch.foot_place_mm[k * horizon + m] = self.input.foot_mm(k, phase);
            let rising = (m as u64) < self.model.period();
            rate = match (self.model.manner, self.scratch.foot_level[k]) {
                (Manner::Stubborn, _) => 1.0,
                (_, FOOT_STORED) => stored.get(m).copied().unwrap_or(0.0),
                (_, 0) if rising => (rate + RATE_UP).min(1.0),
                (_, 1) if rising => rate,
                (_, 2) if rising => (rate - RATE_EASE).max(0.0),
                _ => (rate - RATE_DOWN).max(0.0),
            };
            if m < frames {
                self.scratch.proposed_rates[k * frames + m] = rate;
            }
            phase += rate;
        }
    }

    /// Takes a robot that was raised back to what it proposed.
    fn withdraw(&mut self, i: usize) {
        if self.scratch.level[i] != 0 {
            self.scratch.level[i] = 0;
            self.propose(i);
        }
    }

    /// The first step, then the plan for the frames of the robot's level, then braking.
    fn propose(&mut self, i: usize) {
        let (swarm, agents) = (&self.model.swarm, self.input.agents);
        let follow = match self.proposal {
            Proposal::Plan(_) => FOLLOW_FRAMES[self.scratch.level[i] as usize],
            Proposal::Velocities(_) => 1,
        };
        let mut motion = step_towards(swarm, &agents.motion(i), self.scratch.first_mm_s[i]);
        self.scratch.chosen.set(i, 0, motion.position_mm, motion.heading_rad);
        if let Proposal::Plan(plan) = self.proposal {
            for frame in 1..follow {
                let wanted = track(swarm, plan, i, frame, motion.position_mm, motion.velocity_mm_s);
                motion = step_towards(swarm, &motion, wanted);
                self.scratch.chosen.set(i, frame, motion.position_mm, motion.heading_rad);
            }
        }
        brake(swarm, &mut self.scratch.chosen, i, follow, &motion);
        self.scratch.chosen.measure_reach(i, agents.position_mm[i]);
    }

    /// Takes a robot to its next, more cautious level.
    fn raise(&mut self, i: usize) {
        let level = match (self.proposal, self.scratch.level[i]) {
            (Proposal::Velocities(_), 0) => SOLO,
            (_, LAST_FOLLOWING) if self.keeps_going(i) => STORED,
            (_, level) => level + 1,
        };
        self.scratch.level[i] = level;
        match level {
            STORED => {
                self.scratch.chosen.copy(i, &self.kept.stored);
                self.turn_in_place(i);
            }
            SOLO => self.step_and_brake(i, self.solo_velocity(i)),
            _ => self.propose(i),
        }
    }

    /// True if the stored trajectory still moves: in front of a foot that never waits, going on by an older plan beats braking by a new
    /// one.
    fn keeps_going(&self, i: usize) -> bool {
        let places = self.kept.stored.places_mm(i);
        self.model.manner == Manner::Stubborn && places[3] != places[2]
    }

    /// A differential drive that has to stay where it is turns to where it wants to go: that moves no centre, so the set stays clear, and
    /// two robots that face each other do not stand for ever.
    fn turn_in_place(&mut self, i: usize) {
        let swarm = &self.model.swarm;
        if swarm.drive == Drive::Differential && self.kept.stored.reach_mm(i) == 0.0 {
            let place = self.input.agents.position_mm[i];
            let turned = step_towards(swarm, &self.input.agents.motion(i), self.scratch.wanted_mm_s[i]);
            self.scratch.chosen.set(i, 0, place, turned.heading_rad);
            self.scratch.chosen.rest_from(i, 0);
        }
    }

    fn step_and_brake(&mut self, i: usize, velocity_mm_s: DVec2) {
        let (swarm, agents) = (&self.model.swarm, self.input.agents);
        let motion = step_towards(swarm, &agents.motion(i), velocity_mm_s);
        self.scratch.chosen.set(i, 0, motion.position_mm, motion.heading_rad);
        brake(swarm, &mut self.scratch.chosen, i, 1, &motion);
        self.scratch.chosen.measure_reach(i, agents.position_mm[i]);
    }

    /// The wanted velocity projected on the robot's own constraints, with everybody else on their stored trajectories.
    fn solo_velocity(&self, i: usize) -> DVec2 {
        let (swarm, agents) = (&self.model.swarm, self.input.agents);
        let (place, before) = (agents.position_mm[i], agents.velocity_mm_s[i]);
        let a = 0.8 * swarm.limits.a_max_mm_s2;
        let mut v = self.scratch.wanted_mm_s[i];
        for _ in 0..12 {
            let start = v;
            for k in self.scratch.near_feet.of(i) {
                let next = self.scratch.foot_place_mm[k * self.kept.stored.horizon() + 1];
                v = keep_from(swarm, v, place, next, self.clear.foot_mm, a);
            }
            for &j in self.scratch.neighbours.of(i) {
                let next = self.kept.stored.places_mm(j as usize)[0];
                v = keep_from(swarm, v, place, next, self.clear.pair_mm, a);
            }
            v = within_reach(swarm, before, bounded(swarm, place, v));
            if (v - start).length_squared() < 1e-4 {
                break;
            }
        }
        v
    }

    /// Settles robot `i` with all feet near it; false if one of them must slow first. A robot that was raised for one foot is held
    /// against all of them again.
    fn clear_of_feet(&mut self, i: usize) -> bool {
        while let Some(k) = self.first_foot_met(i) {
            let last_resort = self.scratch.level[i] + 1 >= SOLO;
            if last_resort && self.scratch.foot_level[k] < FOOT_STORED && self.meets_foot(&self.kept.stored, i, k) {
                self.scratch.slowing[k] = true;
                return false;
            }
            if self.scratch.level[i] == STORED {
                debug_assert!(false, "a stored trajectory meets a stored profile");
                return true;
            }
            self.raise(i);
        }
        true
    }

    /// A foot that the chosen trajectory of robot `i` meets.
    fn first_foot_met(&self, i: usize) -> Option<usize> {
        self.scratch.near_feet.of(i).find(|&k| self.meets_foot(&self.scratch.chosen, i, k))
    }

    fn meets_foot(&self, of: &Trajectories, i: usize, k: usize) -> bool {
        let horizon = of.horizon();
        let places = &self.scratch.foot_place_mm[k * horizon..(k + 1) * horizon];
        let far = self.clear.foot_mm
            + of.reach_mm(i)
            + self.model.foot_speed_max_mm_s * self.model.swarm.step_s * horizon as f64;
        if self.input.agents.position_mm[i].distance_squared(places[0]) > far * far {
            return false;
        }
        let least2 = self.clear.foot_mm * self.clear.foot_mm;
        of.places_mm(i).iter().zip(places).any(|(p, q)| p.distance_squared(*q) < least2)
    }

    /// Settles robot `i` with all others; robots that were raised on the way are looked at again.
    fn clear_of_robots(&mut self, i: usize) {
        let mut at = 0;
        while at < self.scratch.neighbours.of(i).len() {
            let j = self.scratch.neighbours.of(i)[at] as usize;
            at += 1;
            if !self.conflict(i, j) {
                continue;
            }
            let loser = self.loser(i, j);
            if self.scratch.level[loser] == STORED {
                debug_assert!(false, "two stored trajectories are in conflict");
                continue;
            }
            self.raise(loser);
            self.scratch.stack.push(loser as u32);
            if loser == i {
                return;
            }
            at -= 1;
        }
    }

    fn conflict(&self, i: usize, j: usize) -> bool {
        let chosen = &self.scratch.chosen;
        let may_meet = self.clear.pair_mm + chosen.reach_mm(i) + chosen.reach_mm(j);
        let positions = &self.input.agents.position_mm;
        positions[i].distance_squared(positions[j]) < may_meet * may_meet
            && !chosen.are_clear(i, j, self.clear.pair_mm * self.clear.pair_mm)
    }

    /// Of two robots in conflict the one that is raised: the less cautious so far while both still take their proposed step, then the
    /// one that is farther from a foot, up to its stored trajectory, so that a robot in front of a foot is held back last.
    fn loser(&self, i: usize, j: usize) -> usize {
        let (a, b) = (self.scratch.level[i], self.scratch.level[j]);
        if a != b && (a.min(b) < SOLO - 1 || a.max(b) == STORED) {
            return if a < b { i } else { j };
        }
        let distance2 = |robot: usize| self.scratch.near_feet.nearest_foot_mm2(self.input.agents.position_mm[robot]);
        if distance2(i) >= distance2(j) { i } else { j }
    }
}

/// The next motion of a trajectory. A point's heading plays no part in safety and follows when the step is executed.
fn step_towards(swarm: &SwarmModel, now: &Motion, wanted_mm_s: DVec2) -> Motion {
    if swarm.drive == Drive::Differential {
        return drive::advance_differential(swarm, now, wanted_mm_s);
    }
    let velocity_mm_s = drive::point_velocity(swarm, now.position_mm, now.velocity_mm_s, wanted_mm_s);
    Motion { position_mm: now.position_mm + velocity_mm_s * swarm.step_s, velocity_mm_s, ..*now }
}

/// From frame `from` on the robot brakes as hard as it may.
fn brake(swarm: &SwarmModel, trajectories: &mut Trajectories, i: usize, from: usize, last: &Motion) {
    let mut motion = *last;
    for frame in from..trajectories.horizon() {
        motion = match swarm.drive {
            Drive::Point => step_towards(swarm, &motion, DVec2::ZERO),
            Drive::Differential => drive::braked_straight(swarm, &motion),
        };
        if motion.velocity_mm_s == DVec2::ZERO {
            trajectories.rest_from(i, frame - 1);
            return;
        }
        trajectories.set(i, frame, motion.position_mm, motion.heading_rad);
    }
}

/// Bounds the closing speed towards something that will be at `next_mm`.
fn keep_from(swarm: &SwarmModel, v: DVec2, place_mm: DVec2, next_mm: DVec2, distance_mm: f64, a_mm_s2: f64) -> DVec2 {
    let d = place_mm - next_mm;
    let d2 = d.length_squared();
    let far = distance_mm + FOOT_GAP_MM;
    if d2 > far * far || d2 == 0.0 {
        return v;
    }
    let length = d2.sqrt();
    let n = d / length;
    let least = ((distance_mm - length) / swarm.step_s).max(-stoppable_mm_s(
        length - distance_mm - 0.02,
        a_mm_s2,
        swarm.step_s,
    ));
    let lack = least - v.dot(n);
    if lack > 0.0 { v + n * lack } else { v }
}
