//! The safety filter: from wished velocities to motions that keep every distance.
//!
//! It is the last phase that changes a velocity (reading A17): its result is executed as it is. Two layers share the work:
//!
//! - a *proposer* gives each robot's next motion: the look-ahead [`planner`] of the `joint` filter, the spec's [`penalty`], the half
//!   planes of [`orca`], the nearest velocity that the next step allows, or the wish alone;
//! - the [`certificate`] stores, for every robot and every foot that may wait, a trajectory that ends at rest. All of them are mutually
//!   clear. It accepts a proposal only if the set stays clear.
//!
//! With considerate feet the certificate checks every proposer, and zero violations is a theorem. With stubborn feet it checks `joint`
//! alone: there it guarantees robot-robot distances and walls, and the planner avoids the feet.

pub mod certificate;
pub mod comparison;
mod exchange;
pub mod model;
pub mod near_feet;
mod nearest;
pub mod orca;
pub mod penalty;
pub mod planner;
mod proposals;
pub mod trajectories;

pub use exchange::{Decision, FilterInput, FilterOutput, Sight};
pub use model::{FilterKind, FilterModel};

use crate::{Agents, drive};
use certificate::proof::ClearDistances;
use certificate::{Certificate, CertificateScratch, Proposal};
use planner::{Plan, PlannerScratch};
use proposals::ProposalScratch;
use sim_core::{DVec2, StateHash};

/// Distances of two robots, and of a robot and a foot, that are clear: with them `d_r_mm` and `d_h_mm` are kept between two ticks, too.
#[must_use]
pub fn clear_distances_mm(model: &FilterModel) -> (f64, f64) {
    let clear = ClearDistances::new(model);
    (clear.pair_mm, clear.foot_mm)
}

/// The filter's memory from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct FilterState {
    plan: Plan,
    certificate: Certificate,
}

impl FilterState {
    /// Begins a certificate among robots that move: each brakes to a stop. Returns false, and remembers nothing, unless these ways are
    /// clear of each other and of walls. Feet are not looked at: this is for those that never wait.
    pub fn start_moving(&mut self, model: &FilterModel, agents: &Agents, feet: usize) -> bool {
        *self = Self::default();
        let is_clear = self.certificate.start_moving(model, agents, feet);
        if !is_clear {
            *self = Self::default();
        }
        is_clear
    }

    /// Robot `i` rests at a place from now on, mm and rad. Returns false, and changes nothing, if the stored trajectory of another one
    /// comes too near to it. The caller keeps it clear of walls and feet.
    pub fn put(&mut self, model: &FilterModel, i: usize, place_mm: DVec2, heading_rad: f64) -> bool {
        self.certificate.put(model, i, place_mm, heading_rad)
    }

    /// True if a new plan is due: by its age, or at once where robots that are led could not follow it.
    fn is_plan_due(&self, model: &FilterModel) -> bool {
        let decisions = self.certificate.decisions();
        let max_refused = certificate::max_refused(model, decisions.len());
        model.kind == FilterKind::Joint && self.plan.is_due(model.plan_ticks(), decisions, max_refused)
    }

    /// Adds the whole memory to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.plan.hash_into(hash);
        self.certificate.hash_into(hash);
    }
}

/// Buffers of the filter; may be dropped between ticks.
#[derive(Clone, Debug, Default)]
pub struct FilterScratch {
    proposals: ProposalScratch,
    planner: PlannerScratch,
    certificate: CertificateScratch,
}

impl FilterScratch {
    /// The planner's buffers and counters.
    pub fn planner_mut(&mut self) -> &mut PlannerScratch {
        &mut self.planner
    }
}

/// One tick of the filter: a plan and a decision where they are due, then a tick of what is decided.
pub fn filter_step(
    model: &FilterModel,
    state: &mut FilterState,
    scratch: &mut FilterScratch,
    input: &FilterInput<'_>,
    output: &mut FilterOutput,
) {
    output.prepare(input.agents.len(), input.feet.len());
    // Without robots nothing has to be kept safe, and feet wait for none.
    if input.agents.is_empty() {
        return;
    }
    if !model.is_certified() {
        execute_proposals(model, &mut scratch.proposals, input, output);
        return;
    }
    state.certificate.start(model, input);
    let is_plan_due = state.is_plan_due(model);
    if is_plan_due {
        planner::plan(model, &mut state.plan, &mut scratch.planner, &state.certificate.stored(), input);
    }
    if is_plan_due || state.certificate.is_due(model) {
        decide(model, state, scratch, input);
    }
    state.certificate.execute(model, input, output);
    state.plan.end_tick();
}

/// Executes the proposed velocities without a certificate.
fn execute_proposals(
    model: &FilterModel,
    scratch: &mut ProposalScratch,
    input: &FilterInput<'_>,
    output: &mut FilterOutput,
) {
    scratch.propose(model, input);
    for (i, &velocity_mm_s) in scratch.velocities_mm_s().iter().enumerate() {
        output.next.set(i, drive::advance(&model.swarm, &input.agents.motion(i), velocity_mm_s));
    }
}

/// Makes proposals and renews the certificate from them.
fn decide(model: &FilterModel, state: &mut FilterState, scratch: &mut FilterScratch, input: &FilterInput<'_>) {
    let FilterState { plan, certificate } = state;
    let proposal = if model.kind == FilterKind::Joint {
        Proposal::Plan(plan)
    } else {
        scratch.proposals.propose(model, input);
        Proposal::Velocities(scratch.proposals.velocities_mm_s())
    };
    certificate.renew(model, &mut scratch.certificate, input, &proposal);
    if plan.age() == 0 {
        plan.note_decisions(certificate.decisions());
    }
}
