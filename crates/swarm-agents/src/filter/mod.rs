//! The safety filter: from wished velocities to motions that keep every distance.
//!
//! It is the last phase that touches a velocity (reading A17): what it returns is executed as it is. Two layers share the work:
//!
//! - a *proposer* says what each robot would like to do next: the look-ahead [`planner`] of the `joint` filter, the spec's
//!   [`penalty`], the half planes of [`orca`], or nothing but the wish;
//! - the [`certificate`] keeps, for every robot and every foot that may wait, a trajectory that ends at rest, all of them
//!   mutually clear, and lets a proposal through only if the set stays clear.
//!
//! With considerate feet the certificate stands behind every proposer and zero violations is a theorem. With stubborn feet it
//! stands behind `joint` alone, where it still guarantees robot-robot distances and walls; feet are then kept clear of by the planner.

pub mod attempts;
pub mod cells;
pub mod certificate;
pub mod districts;
pub mod feet_ahead;
pub mod near_feet;
pub mod orca;
pub mod penalty;
pub mod planner;
pub mod projection;
pub mod trajectories;
pub mod tube;
pub mod unsettled;
pub mod ways_out;

use crate::boundary::bounded;
use crate::drive;
use crate::purpose;
use crate::{Agents, Neighbours, SwarmModel};
use certificate::{Certificate, CertificateScratch};
use planner::{Plan, PlannerScratch};
use sim_core::{DVec2, ParamError, RunKey, StateHash, Tick};
use swarm_field::{Domain, Feet, Forecast, Manner};

/// Who proposes motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// Planner, projection and certificate: ours.
    Joint,
    /// The spec's literal text: a penalty on velocities that would come too near.
    Penalty,
    /// Optimal reciprocal collision avoidance with half planes, the baseline that people know.
    Orca,
    /// The wish itself, within what the drive can reach.
    None,
    /// A random velocity each tick: the adversary that tests the certificate.
    Random,
}

/// What became of a robot's proposal in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// The proposal was followed.
    #[default]
    Proposed,
    /// The first step of the proposal, then braking.
    Brake,
    /// A step of its own with everybody else on their stored trajectories, then braking.
    Solo,
    /// The stored trajectory: the fallback.
    Stored,
}

/// Everything about the filter that is fixed during a run.
#[derive(Clone, Debug)]
pub struct FilterModel {
    /// Box, limits, clearances and drive.
    pub swarm: SwarmModel,
    /// Who proposes.
    pub kind: FilterKind,
    /// Whether feet wait for robots.
    pub manner: Manner,
    /// Where foot centres may be.
    pub domain: Domain,
    /// Numbers of the planner.
    pub tuning: planner::Tuning,
    /// Largest speed of a foot in any phase, mm/s: the proof leans on it.
    pub foot_speed_max_mm_s: f64,
    /// The window T of the forecast, in ticks: beyond it nothing is known of a foot.
    pub forecast_frames: usize,
}

impl FilterModel {
    /// Checks that the clearances and limits go together.
    ///
    /// # Errors
    /// If the box leaves no room for a robot.
    pub fn new(swarm: SwarmModel, kind: FilterKind, feet: &swarm_field::FeetModel) -> Result<Self, ParamError> {
        if swarm.bounds.is_empty() {
            return Err(ParamError::new("wall_margin_mm", "leaves no room for a robot on this mat"));
        }
        let params = feet.params();
        Ok(Self {
            kind,
            manner: params.manner,
            domain: *feet.domain(),
            foot_speed_max_mm_s: feet.speed_bound_mm_s(),
            tuning: planner::Tuning::new(swarm.drive, params),
            forecast_frames: feet.forecast_frames(),
            swarm,
        })
    }

    /// True if proposals pass through the certificate.
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.kind == FilterKind::Joint || self.manner == Manner::Considerate
    }

    /// Play rate of every foot in the first tick: a considerate foot starts from rest, as the certificate's invariant asks.
    #[must_use]
    pub fn initial_rate(&self) -> f64 {
        if self.manner == Manner::Stubborn { 1.0 } else { 0.0 }
    }

    /// Ticks between two plans; in between the stored trajectories are executed.
    #[must_use]
    pub fn period(&self) -> u64 {
        if self.kind == FilterKind::Joint { planner::FRAMES_PER_KNOT as u64 } else { 1 }
    }
}

/// What the filter remembers from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct FilterState {
    plan: Plan,
    certificate: Certificate,
}

impl FilterState {
    /// Takes the whole memory into a state hash.
    #[expect(clippy::should_implement_trait, reason = "it feeds the state hash, as every part of the state does")]
    pub fn hash(&self, hash: &mut StateHash) {
        self.plan.hash(hash);
        self.certificate.hash(hash);
    }
}

/// Buffers of the filter; may be thrown away between ticks.
#[derive(Clone, Debug, Default)]
pub struct FilterScratch {
    neighbours: Neighbours,
    bounded_mm_s: Vec<DVec2>,
    proposal_mm_s: Vec<DVec2>,
    feet_now: Vec<(DVec2, DVec2)>,
    planner: PlannerScratch,
    certificate: CertificateScratch,
    orca: orca::OrcaScratch,
    penalty: penalty::PenaltyScratch,
}

impl FilterScratch {
    /// The planner's buffers, its tuning and its counters.
    pub fn planner_mut(&mut self) -> &mut PlannerScratch {
        &mut self.planner
    }
}

/// How well robots know where the feet are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// They see them at their present places.
    #[default]
    Present,
    /// They saw them earlier: where a foot is now and in the next tick is what its forecast says.
    Foretold,
}

/// What the filter reads.
#[derive(Clone, Copy, Debug)]
pub struct FilterInput<'a> {
    /// The robots as they are.
    pub agents: &'a Agents,
    /// Wished velocity per robot, mm/s.
    pub wish_mm_s: &'a [DVec2],
    /// The feet, already at this tick's places.
    pub feet: &'a Feet,
    /// What robots are told about the feet.
    pub forecasts: &'a [Forecast],
    /// Which of the two says where the feet are. The rates of feet that may wait are decided for the feet as they are, so it has to be
    /// [`Sight::Present`] there.
    pub sight: Sight,
    /// Address of the run's draws.
    pub key: RunKey,
    /// This tick.
    pub tick: Tick,
}

impl FilterInput<'_> {
    /// Where foot `k` is after `frames` frames of its path, as far as robots know, mm.
    #[must_use]
    pub fn foot_mm(&self, k: usize, frames: f64) -> DVec2 {
        match self.sight {
            Sight::Present => self.feet.path_mm(k, frames),
            Sight::Foretold => self.forecasts[k].at(frames).unwrap_or_default().0,
        }
    }

    /// Where the feet are now, as far as robots know, mm.
    pub fn feet_mm(&self) -> impl ExactSizeIterator<Item = DVec2> + '_ {
        (0..self.feet.len()).map(|k| self.foot_mm(k, 0.0))
    }

    fn foot_mm_s(&self, k: usize) -> DVec2 {
        match self.sight {
            Sight::Present => self.feet.velocity_mm_s(k),
            Sight::Foretold => self.forecasts[k].at(0.0).unwrap_or_default().1,
        }
    }
}

/// What the filter decides; buffers are re-used.
#[derive(Clone, Debug, Default)]
pub struct FilterOutput {
    /// The robots after this tick.
    pub next: Agents,
    /// Play rate of each foot in the coming tick, 0 to 1.
    pub play_rates: Vec<f64>,
    /// Feet that have been blocked so long that they choose another way, with the place of the robot in front of them.
    pub re_aim: Vec<Option<DVec2>>,
    /// What became of each robot's proposal.
    pub decisions: Vec<Decision>,
}

/// One tick of the filter.
pub fn filter_step(
    model: &FilterModel,
    state: &mut FilterState,
    scratch: &mut FilterScratch,
    input: &FilterInput<'_>,
    output: &mut FilterOutput,
) {
    output.prepare(input.agents.len(), input.feet.len());
    // Nobody to keep safe, and nobody for whom a foot would wait.
    if input.agents.is_empty() {
        return;
    }
    if !model.is_certified() {
        propose_velocities(model, scratch, input);
        for i in 0..input.agents.len() {
            let before = input.agents.motion(i);
            let next = drive::advance(&model.swarm, &before, scratch.proposal_mm_s[i]);
            output.next.set(i, next);
        }
        return;
    }
    if state.certificate.is_due(model, input) {
        if model.kind == FilterKind::Joint {
            state.certificate.start(model, input);
            planner::plan(model, &mut state.plan, &mut scratch.planner, &state.certificate, input);
        } else {
            propose_velocities(model, scratch, input);
        }
        let proposal = match model.kind {
            FilterKind::Joint => certificate::Proposal::Plan(&state.plan),
            _ => certificate::Proposal::Velocities(&scratch.proposal_mm_s),
        };
        state.certificate.renew(model, &mut scratch.certificate, input, &proposal);
        state.plan.note_decisions(state.certificate.decisions());
    }
    state.certificate.execute(model, input, output);
}

impl FilterOutput {
    fn prepare(&mut self, robots: usize, feet: usize) {
        self.next.resize(robots);
        self.play_rates.clear();
        self.play_rates.resize(feet, 1.0);
        self.re_aim.clear();
        self.re_aim.resize(feet, None);
        self.decisions.clear();
        self.decisions.resize(robots, Decision::Proposed);
    }
}

/// Wanted velocities of the proposers that look at the present only: boundary filter first, then safety filter.
fn propose_velocities(model: &FilterModel, scratch: &mut FilterScratch, input: &FilterInput<'_>) {
    let swarm = &model.swarm;
    scratch.bounded_mm_s.clear();
    let inside =
        input.wish_mm_s.iter().zip(&input.agents.position_mm).map(|(&wish, &place)| bounded(swarm, place, wish));
    scratch.bounded_mm_s.extend(inside);
    scratch.proposal_mm_s.clone_from(&scratch.bounded_mm_s);
    scratch.feet_now.clear();
    scratch.feet_now.extend((0..input.feet.len()).map(|k| (input.foot_mm(k, 0.0), input.foot_mm_s(k))));
    match model.kind {
        FilterKind::Random => {
            for (i, velocity) in scratch.proposal_mm_s.iter_mut().enumerate() {
                let mut stream = input.key.stream(purpose::ADVERSARY, i as u64, input.tick.0 / 20);
                *velocity = stream.direction() * stream.range(0.0, 1.5 * swarm.limits.v_max_mm_s);
            }
        }
        FilterKind::Penalty | FilterKind::Orca => {
            scratch.neighbours.rebuild(&input.agents.position_mm, baseline_radius_mm(swarm));
            let (neighbours, feet, wish) = (&scratch.neighbours, &scratch.feet_now, &scratch.bounded_mm_s);
            let out = &mut scratch.proposal_mm_s;
            if model.kind == FilterKind::Orca {
                orca::orca_velocities(swarm, &mut scratch.orca, input.agents, wish, feet, neighbours, out);
            } else {
                penalty::penalty_velocities(swarm, &mut scratch.penalty, input.agents, wish, feet, neighbours, out);
            }
        }
        FilterKind::Joint | FilterKind::None => {}
    }
}

/// Neighbours that penalty and ORCA look at: those that could be reached within their short horizons.
fn baseline_radius_mm(swarm: &SwarmModel) -> f64 {
    swarm.clearances.d_r_mm + 0.4 * swarm.limits.v_max_mm_s
}
