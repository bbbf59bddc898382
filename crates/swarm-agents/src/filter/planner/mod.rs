//! The look-ahead planner: one space-time elastic band for all robots together.
//!
//! Each robot has a short future path of knots, a fifteenth of a second apart. The set of paths is kept from plan to plan. It is shifted
//! by the elapsed time, pulled towards the wishes, and repaired by projection sweeps. A sweep corrects one constraint after the other:
//! pairs apart *at equal times*, knots outside the predicted feet and inside the box, steps and bends within the limits of motion. Large
//! mats are swept block by block.
//!
//! The planner guarantees nothing: the certificate checks its proposals. It decides how lively the swarm is and how rarely a robot
//! brakes. It also clears the way of a foot early: braking does not save a robot at rest in front of one.
//!
//! | module | content |
//! |---|---|
//! | [`tuning`] | numbers chosen by measurement |
//! | [`band`], [`rows`] | the knots, from plan to plan |
//! | [`foot_prediction`] | feet at the times of the knots |
//! | [`tube`], [`cells`] | places from which a lone robot can still get away |
//! | [`escape_paths`] | quickest paths to places that stay free |
//! | `leading` | which robots are led |
//! | `pull` | wish, flow and comfort |
//! | `contacts`, `limits`, `sweeps` | projection sweeps |
//! | [`blocks`] | parts of a large mat, swept separately |
//! | [`restarts`], `ways` | further attempts at a plan with faults |

pub mod band;
pub mod blocks;
pub mod cells;
mod contacts;
pub mod escape_paths;
pub mod foot_prediction;
mod leading;
mod limits;
mod pull;
pub mod restarts;
pub mod rows;
mod surroundings;
mod sweeps;
pub mod tube;
pub mod tuning;
mod ways;

pub use band::Plan;
pub use tuning::Tuning;

use super::exchange::FilterInput;
use super::model::FilterModel;
use super::trajectories::StoredMotion;
use crate::purpose;
use blocks::Blocks;
use contacts::{CONTACT_STRAY_MM, ContactLists, PAIR_STRAY_MM};
use escape_paths::EscapePaths;
use leading::LeadingScratch;
use limits::{FootLimits, SweepLimits};
use restarts::Restarts;
use std::ops::Range;
use surroundings::Surroundings;
use swarm_field::Manner;
use sweeps::BlockSweeper;
use ways::Ways;

/// Sweeps for which a list of contacts is good: between two lists few knots move farther than its slack.
const SWEEPS_PER_LIST: usize = 8;
/// Distances beyond `d_r_mm` and beyond `d_h_mm` that the knots of a flawless plan keep, mm. The sweeps aim at larger ones: most plans that
/// lack no more than the difference can be followed.
const FAULT_SLACK_MM: (f64, f64) = (0.5, 1.0);
/// The first third of all attempts does without the freest way: with it, robots change sides more often. Where a plan leads all robots,
/// all attempts do without: escape paths lead robots out there, or bodies follow late.
const FREEST_AFTER: usize = 3;

/// Buffers of the planner.
#[derive(Clone, Debug, Default)]
pub struct PlannerScratch {
    /// Sweeps done so far, for the profile.
    pub sweeps_done: u64,
    surroundings: Surroundings,
    leading: LeadingScratch,
    contacts: ContactLists,
    blocks: Blocks,
    /// Robots with knots that moved since their motion was limited.
    moved: Vec<bool>,
    escape_paths: EscapePaths,
    restarts: Restarts,
}

/// Makes the plan of this tick from the plan before. `stored` is the motion that is executed meanwhile.
pub fn plan(
    model: &FilterModel,
    plan: &mut Plan,
    scratch: &mut PlannerScratch,
    stored: &StoredMotion<'_>,
    input: &FilterInput<'_>,
) {
    let reach_mm = model.swarm.limits.v_max_mm_s * model.knot_s();
    plan.knot_ticks = model.knot_ticks;
    plan.shift(input.agents, model.tuning.horizon.knots, stored, 1.1 * reach_mm);
    plan.predict_rates(stored, model.sixtieths());
    scratch.surroundings.rebuild(model, plan, input);
    plan.age = 0;
    let limits = SweepLimits::new(model);
    record_feet(model, plan, &scratch.surroundings, limits.foot);
    scratch.leading.choose(plan, &limits, &scratch.surroundings, stored, input.agents);
    Planning { model, input, stored, plan, scratch, limits }.run();
}

/// Records where feet will be that do not wait: robots that are not led keep out of their way. The certificate keeps them clear of others.
fn record_feet(model: &FilterModel, plan: &mut Plan, surroundings: &Surroundings, limits: FootLimits) {
    plan.foot_limits = limits;
    plan.feet.clear();
    if model.manner == Manner::Stubborn {
        plan.feet.extend(surroundings.feet.rows(plan.last));
    }
}

/// One plan in the making.
struct Planning<'a> {
    model: &'a FilterModel,
    input: &'a FilterInput<'a>,
    stored: &'a StoredMotion<'a>,
    plan: &'a mut Plan,
    scratch: &'a mut PlannerScratch,
    limits: SweepLimits,
}

impl Planning<'_> {
    fn run(&mut self) {
        let restarts = self.model.tuning.effort.max_attempts > 1 && !self.input.feet.is_empty();
        if restarts {
            self.scratch.restarts.begin(&self.plan.rows);
        }
        pull::pull(self.model, self.plan, &self.scratch.surroundings, self.input);
        self.scratch.contacts.reserve(self.plan, self.scratch.surroundings.near_feet.capacity());
        self.scratch.moved.resize(self.plan.rows.len(), false);
        self.find_escape_paths();
        self.scratch.escape_paths.restart_bands(&mut self.plan.rows);
        let limits = self.limits;
        self.sweep(&limits);
        if restarts {
            self.try_again(&self.limits.for_further_attempts(self.model));
        }
    }

    /// Keeps the first attempt if it is flawless, else the best of further ones. The second attempt goes on with the plan before, the
    /// others with the best so far.
    fn try_again(&mut self, limits: &SweepLimits) {
        for attempt in 1..self.model.tuning.effort.max_attempts {
            if self.is_flawless() {
                return;
            }
            self.restart(attempt);
            self.find_escape_paths();
            self.sweep(limits);
        }
        if !self.is_flawless() {
            self.scratch.restarts.load_best(&mut self.plan.rows);
        }
    }

    fn restart(&mut self, attempt: usize) {
        let (input, stored, last, rows) = (self.input, self.stored, self.plan.last, &mut self.plan.rows);
        if attempt == 1 {
            self.scratch.restarts.load_previous(rows);
            return;
        }
        let PlannerScratch { restarts, surroundings, .. } = &mut *self.scratch;
        let (limits, agents, knot_ticks) = (&self.limits, input.agents, self.model.knot_ticks);
        let max_attempts = self.model.tuning.effort.max_attempts;
        let is_late = attempt >= max_attempts / FREEST_AFTER;
        let tries_freest = is_late && !limits.leads_all();
        let ways = Ways { limits, surroundings, stored, agents, last, knot_ticks, tries_freest };
        let address = input.tick.0 * max_attempts as u64 + attempt as u64;
        let stream = |i: usize| input.key.stream(purpose::PLAN_ATTEMPT, i as u64, address);
        restarts.restart(rows, |i, best| ways.draw(i, best, stream(i)));
    }

    fn find_escape_paths(&mut self) {
        let (plan, tubes) = (&*self.plan, &self.scratch.surroundings.tubes);
        self.scratch.escape_paths.find(tubes, &plan.rows, plan.last);
    }

    /// Sweeps all blocks until they are clean or the sweeps are used up. Where bands strayed from their contacts, clean is not enough: a
    /// few pushes take them past the lists, into robots that no list names.
    fn sweep(&mut self, limits: &SweepLimits) {
        self.scratch.blocks.rebuild(self.model.swarm.bounds, &self.input.agents.position_mm);
        self.find_pairs();
        let max_sweeps = self.model.tuning.effort.max_sweeps;
        for first in (0..max_sweeps).step_by(SWEEPS_PER_LIST) {
            let end = (first + SWEEPS_PER_LIST).min(max_sweeps);
            if self.scratch.blocks.stray_from_pairs(PAIR_STRAY_MM) {
                self.find_pairs();
            }
            let mut is_done = true;
            for block in 0..self.scratch.blocks.count() {
                let blocks = &self.scratch.blocks;
                if !blocks.is_clean(block, limits.clean_mm) || blocks.strays_from_contacts(block, CONTACT_STRAY_MM) {
                    is_done = false;
                    self.sweep_block(limits, block, first..end);
                }
            }
            if is_done {
                break;
            }
        }
    }

    /// Sweeps a block until it is clean or these sweeps are used up.
    fn sweep_block(&mut self, limits: &SweepLimits, block: usize, sweeps: Range<usize>) {
        let PlannerScratch { sweeps_done, surroundings, contacts, blocks, moved, escape_paths, .. } =
            &mut *self.scratch;
        let (agents, plan) = (self.input.agents, &mut *self.plan);
        let mut sweeper = BlockSweeper { limits, agents, surroundings, escape_paths, contacts, blocks, moved, block };
        sweeper.start(plan);
        for sweep in sweeps {
            *sweeps_done += 1;
            if sweeper.sweep(plan, sweep) {
                break;
            }
        }
    }

    fn find_pairs(&mut self) {
        let bands = (&*self.plan, &self.input.agents.position_mm[..]);
        let PlannerScratch { contacts, surroundings, blocks, .. } = &mut *self.scratch;
        contacts.find_pairs(self.model.swarm.clearances.d_r_mm, &surroundings.neighbours, bands, blocks);
        blocks.pairs_listed();
    }

    /// True if the plan has no faults. Else it is saved if it is the best so far.
    fn is_flawless(&mut self) -> bool {
        self.find_faults();
        let restarts = &mut self.scratch.restarts;
        let is_flawless = restarts.is_flawless();
        if !is_flawless {
            restarts.save_best(&self.plan.rows);
        }
        is_flawless
    }

    /// Lists the lacks of distance of robots that are led: the others follow no band.
    fn find_faults(&mut self) {
        let (plan, clearances) = (&*self.plan, &self.model.swarm.clearances);
        let bands = (plan, &self.input.agents.position_mm[..]);
        let PlannerScratch { surroundings, contacts, restarts, .. } = &mut *self.scratch;
        let faults = &mut restarts.faults;
        faults.clear(plan.rows.len());
        contacts.find_led_pairs(clearances.d_r_mm, &surroundings.neighbours, bands);
        let is_led = |robot: u32| plan.led[robot as usize];
        for k in 1..=plan.last {
            let at_mm = |robot: u32| plan.rows[robot as usize].at_mm(k);
            for &(i, j) in contacts.led_pairs() {
                let places_mm = (at_mm(i), at_mm(j));
                faults.compare(&[i, j], places_mm, clearances.d_r_mm + FAULT_SLACK_MM.0);
            }
            for &(i, foot) in surroundings.near_feet.pairs().iter().filter(|&&(i, _)| is_led(i)) {
                let places_mm = (at_mm(i), surroundings.feet.place_mm(foot as usize, k));
                faults.compare(&[i], places_mm, clearances.d_h_mm + FAULT_SLACK_MM.1);
            }
        }
        let tube = &surroundings.tubes.expected;
        let lost = plan.rows.iter().filter(|row| tube.is_outside(plan.last, row.at_mm(plan.last)));
        lost.for_each(|_| faults.add_lost());
    }
}
