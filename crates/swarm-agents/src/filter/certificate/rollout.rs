//! The rollout: what all robots do up to the next decision if they follow their proposals, tick by tick.

use super::motions::track;
use super::projection::{Near, ProjectionScratch, project, project_wheels};
use super::search::Proposal;
use crate::drive::{self, State};
use crate::filter::exchange::FilterInput;
use crate::filter::model::{FilterKind, FilterModel};
use crate::{Agents, Drive};
use sim_core::DVec2;

/// The states of all robots in the coming ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Rollout {
    /// The robots at the start of the tick that is rolled out: places and velocities. The rest is of the present, and not read.
    agents: Agents,
    /// Velocities in that tick, mm/s.
    velocities_mm_s: Vec<DVec2>,
    /// States now, then at the end of each tick, all robots of a tick together.
    states: Vec<State>,
    projection: ProjectionScratch,
}

impl Rollout {
    /// Starts from the present motion of all robots.
    pub(super) fn start(&mut self, drive: Drive, agents: &Agents) {
        self.agents.copy_from(agents);
        self.states.clear();
        self.states.extend((0..agents.len()).map(|i| State::new(drive, &agents.motion(i))));
    }

    /// Rolls out what robots want in the coming tick, mm/s: those that no plan leads want it in later ticks, too. For the joint filter all
    /// velocities of a tick are projected, so that no pair closes too fast; `distances_mm` are those of robots and of feet.
    pub(super) fn run(
        &mut self,
        (model, input, proposal): (&FilterModel, &FilterInput<'_>, &Proposal<'_>),
        near: &Near<'_>,
        distances_mm: (f64, f64),
        wanted_mm_s: &[DVec2],
    ) {
        for tick in 0..model.decision_ticks() {
            self.velocities_mm_s.clear();
            self.velocities_mm_s.extend_from_slice(wanted_mm_s);
            if tick > 0 {
                self.track_bands(model, proposal, tick);
            }
            self.step(model, input, &Near { ahead_ticks: tick as f64, ..*near }, distances_mm);
        }
    }

    /// Present state of robot `i`.
    #[inline]
    pub(super) fn present(&self, i: usize) -> State {
        self.states[i]
    }

    /// State of robot `i` after a number of ticks, from 0 for the coming one on.
    #[inline]
    pub(super) fn state(&self, i: usize, tick: usize) -> State {
        self.states[(tick + 1) * self.agents.len() + i]
    }

    /// Sets the velocities that the bands of robots ask for that a plan leads.
    fn track_bands(&mut self, model: &FilterModel, proposal: &Proposal<'_>, tick: usize) {
        let Proposal::Plan(plan) = proposal else { return };
        let now = self.agents.position_mm.iter().copied().zip(self.agents.velocity_mm_s.iter().copied());
        for (i, (velocity, now)) in self.velocities_mm_s.iter_mut().zip(now).enumerate().filter(|&(i, _)| plan.led()[i])
        {
            *velocity = track(&model.swarm, plan, i, plan.age() + tick, now);
        }
    }

    /// Takes the step of a tick.
    fn step(&mut self, model: &FilterModel, input: &FilterInput<'_>, near: &Near<'_>, distances_mm: (f64, f64)) {
        let Self { agents, velocities_mm_s, states, projection } = self;
        let input = FilterInput { agents, ..*input };
        let first = states.len() - velocities_mm_s.len();
        let wheels = match (model.kind, model.swarm.drive) {
            (FilterKind::Joint, Drive::Differential) => {
                project_wheels(model, projection, (&input, &states[first..]), near, distances_mm, velocities_mm_s)
            }
            (FilterKind::Joint, Drive::Point) => {
                project(model, projection, &input, near, distances_mm, velocities_mm_s);
                &[]
            }
            _ => &[],
        };
        for (i, &velocity_mm_s) in velocities_mm_s.iter().enumerate() {
            let now = states[first + i];
            let step = wheels.get(i).map(|step| step.state(&model.swarm, &now, velocity_mm_s));
            let next = step.unwrap_or_else(|| drive::step_towards(&model.swarm, &now, velocity_mm_s));
            (agents.position_mm[i], agents.velocity_mm_s[i]) = (next.position_mm, next.velocity_mm_s);
            states.push(next);
        }
    }
}
