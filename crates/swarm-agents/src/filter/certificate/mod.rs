//! The certificate: a stored set of trajectories that end at rest and are mutually clear, renewed only by a set that is clear, too.
//!
//! | module | content |
//! |---|---|
//! | [`proof`] | the guarantee with its assumptions, and the distances kept |
//! | `foot_rates` | speed profiles of feet that may wait |
//! | `free` | what robots propose that no plan leads |
//! | `levels` | levels of caution of a robot |
//! | `reaches` | which robots have to do with each other |
//! | `rollout` | what all robots do up to the next decision if they follow their proposals |
//! | `search` | from proposals to a clear set |
//! | `motions` | braking, the way back to the band, bounds on a step |
//! | [`projection`], [`active_set`] | all velocities of a tick at once |

pub mod active_set;
mod foot_rates;
mod free;
mod levels;
mod motions;
pub mod projection;
pub mod proof;
mod reaches;
mod rollout;
mod search;

use super::exchange::{Decision, FilterInput, FilterOutput};
use super::model::FilterModel;
use super::trajectories::{StoredMotion, Trajectories};
use crate::drive::{self, State};
use crate::{Agents, Neighbours};
use foot_rates::FootRates;
use free::HeldBack;
use motions::brake;
use proof::{ClearDistances, horizon};
use search::ClearSetSearch;
pub use search::{CertificateScratch, Proposal};
use sim_core::{DVec2, StateHash, angle};
use swarm_field::Manner;

/// Robots of which one refused proposal may wait for the next plan if feet wait, too. Among thousands some robot is always refused, and a
/// plan is made for all.
const ROBOTS_PER_REFUSAL: usize = 60;

/// The stored set, with the number of its frames that were executed already.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    stored: Trajectories,
    age: usize,
    feet: FootRates,
    held_back: HeldBack,
    decisions: Vec<Decision>,
}

impl Certificate {
    /// The remainder of the stored set.
    #[must_use]
    pub fn stored(&self) -> StoredMotion<'_> {
        StoredMotion { trajectories: &self.stored, age: self.age, path_speed_factors: self.feet.last() }
    }

    /// Results of the proposals of the last renewal.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Adds the stored set to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.stored.hash_into(hash);
        hash.u64(self.age as u64);
        self.held_back.hash_into(hash);
        self.feet.hash_into(hash);
    }

    /// True if a renewal is due by the time since the last one.
    #[must_use]
    pub fn is_due(&self, model: &FilterModel) -> bool {
        self.age == 0 || self.age >= model.decision_ticks()
    }

    /// Replaces the stored set by one that is clear and as near to the proposals as the search finds.
    pub fn renew(
        &mut self,
        model: &FilterModel,
        scratch: &mut CertificateScratch,
        input: &FilterInput<'_>,
        proposal: &Proposal<'_>,
    ) {
        self.start(model, input);
        self.held_back.count(input, self.age.max(1) as u32);
        self.drop_executed(input);
        let (clear, stored, held_back, feet) = (ClearDistances::new(model), &self.stored, &self.held_back, &self.feet);
        ClearSetSearch { model, input, proposal, clear, stored, held_back, feet, scratch }.run();
        scratch.swap_into(&mut self.stored, &mut self.feet, &mut self.decisions);
    }

    /// Writes the coming frame of the stored set to the output.
    pub fn execute(&mut self, model: &FilterModel, input: &FilterInput<'_>, output: &mut FilterOutput) {
        let swarm = &model.swarm;
        let frame = self.age.min(self.stored.horizon() - 1);
        for i in 0..input.agents.len() {
            let place = self.stored.places_mm(i)[frame];
            let now = input.agents.motion(i);
            output.next.set(i, drive::executed(swarm, &now, place, self.stored.ahead(i, frame)));
        }
        output.decisions.copy_from_slice(&self.decisions);
        for k in 0..input.feet.len() {
            output.path_speed_factors[k] = self.feet.execute(k, self.age);
            if self.feet.takes_other_target(model, k) {
                output.retarget[k] = nearest_robot_mm(input, input.foot_mm(k, 0.0));
            }
        }
        self.age += 1;
    }

    /// Stores the first set of a run: all robots rest, which is clear because the start places are.
    pub fn start(&mut self, model: &FilterModel, input: &FilterInput<'_>) {
        let (n, feet) = (input.agents.len(), input.feet.len());
        if self.stored.len() == n && self.feet.len() == feet {
            return;
        }
        self.stored.resize(model.swarm.drive, n, horizon(model));
        for i in 0..n {
            self.stored.set(i, 0, input.agents.position_mm[i], angle::unit(input.agents.heading_rad[i]));
            self.stored.rest_from(i, 0);
        }
        self.age = 0;
        self.decisions.clear();
        self.decisions.resize(n, Decision::Proposed);
        self.held_back.start(n);
        self.feet.start(model, feet);
    }

    /// Stores a set in which every robot brakes to a stop from its present motion. Returns whether it is clear of robots and walls.
    pub fn start_moving(&mut self, model: &FilterModel, agents: &Agents, feet: usize) -> bool {
        let n = agents.len();
        self.stored.resize(model.swarm.drive, n, horizon(model));
        for i in 0..n {
            let first = drive::braked(&model.swarm, &State::new(model.swarm.drive, &agents.motion(i)));
            self.stored.set(i, 0, first.position_mm, first.ahead);
            brake(&model.swarm, &mut self.stored, i, 1, &first);
            self.stored.measure_reach(i, agents.position_mm[i]);
        }
        self.age = 0;
        // A plan is due at once.
        self.decisions.clear();
        self.decisions.resize(n, Decision::Stored);
        self.held_back.start(n);
        self.feet.start(model, feet);
        self.is_clear(model, agents)
    }

    /// True if the stored trajectories keep clear of each other and of walls.
    fn is_clear(&self, model: &FilterModel, agents: &Agents) -> bool {
        let clear = ClearDistances::new(model);
        let places_mm = &agents.position_mm;
        let farthest_mm = (0..agents.len()).map(|i| self.stored.reach_mm(i)).fold(0.0, f64::max);
        let mut neighbours = Neighbours::default();
        neighbours.rebuild(places_mm, clear.pair_mm + 2.0 * farthest_mm);
        (0..agents.len()).all(|i| {
            let mut near = neighbours.of(i).iter();
            near.all(|&j| self.stored.are_clear(i, j as usize, places_mm[i] - places_mm[j as usize], clear.pair()))
                && self.stored.places_mm(i).iter().all(|&place_mm| model.walls.is_clear(place_mm))
        })
    }

    /// Robot `i` rests at a place from now on, unless the stored trajectory of another one comes too near to it.
    pub fn put(&mut self, model: &FilterModel, i: usize, place_mm: DVec2, heading_rad: f64) -> bool {
        if self.stored.is_empty() {
            return true;
        }
        let from = self.age.min(self.stored.horizon() - 1);
        let pair_mm = ClearDistances::new(model).pair_mm;
        let is_clear = |j: usize| {
            self.stored.places_mm(j)[from..].iter().all(|other| other.distance_squared(place_mm) >= pair_mm * pair_mm)
        };
        if !(0..self.stored.len()).filter(|&j| j != i).all(is_clear) {
            return false;
        }
        self.stored.set(i, from, place_mm, angle::unit(heading_rad));
        self.stored.rest_from(i, from);
        true
    }

    /// Drops the executed frames: the stored set starts at this tick afterwards.
    fn drop_executed(&mut self, input: &FilterInput<'_>) {
        self.stored.shift(self.age);
        self.feet.shift(self.age);
        self.age = 0;
        for (i, &place) in input.agents.position_mm.iter().enumerate() {
            self.stored.measure_reach(i, place);
        }
    }
}

/// True if a plan leads robot `i`; `led` is empty without a plan.
#[inline]
fn is_led(led: &[bool], i: usize) -> bool {
    led.get(i).copied().unwrap_or_default()
}

/// Maximum number of robots whose refused proposals wait for the next plan: none in front of feet that do not wait themselves.
pub(super) fn max_refused(model: &FilterModel, robots: usize) -> usize {
    match model.manner {
        Manner::Stubborn => 0,
        Manner::Considerate => robots.saturating_sub(1) / ROBOTS_PER_REFUSAL,
    }
}

/// Place of the robot nearest to a foot, mm.
fn nearest_robot_mm(input: &FilterInput<'_>, foot_mm: DVec2) -> Option<DVec2> {
    let distance2 = |place_mm: &DVec2| place_mm.distance_squared(foot_mm);
    let places_mm = input.agents.position_mm.iter();
    places_mm.min_by(|a, b| distance2(a).total_cmp(&distance2(b))).copied()
}
