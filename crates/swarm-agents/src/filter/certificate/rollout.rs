//! The rollout: what all robots do up to the next decision if they follow their proposals, tick by tick.

use super::motions::{step_towards, track};
use super::projection::{Near, ProjectionScratch, project, project_wheels};
use super::search::Proposal;
use crate::drive::Motion;
use crate::filter::exchange::FilterInput;
use crate::filter::model::{FilterKind, FilterModel};
use crate::{Agents, Drive};
use sim_core::DVec2;

/// The motions of all robots in the coming ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Rollout {
    /// The robots at the start of the tick that is rolled out.
    ahead: Agents,
    /// Velocities in that tick, mm/s.
    velocities_mm_s: Vec<DVec2>,
    /// Motions at the end of the ticks, all robots of a tick together.
    motions: Vec<Motion>,
    projection: ProjectionScratch,
}

impl Rollout {
    /// Rolls out what robots want in the coming tick, mm/s: those that no plan leads want it in later ticks, too. For the joint filter all
    /// velocities of a tick are projected, so that no pair closes too fast; `distances_mm` are those of robots and of feet.
    pub(super) fn run(
        &mut self,
        (model, input, proposal): (&FilterModel, &FilterInput<'_>, &Proposal<'_>),
        near: &Near<'_>,
        distances_mm: (f64, f64),
        wanted_mm_s: &[DVec2],
    ) {
        self.ahead.copy_from(input.agents);
        self.motions.clear();
        for tick in 0..model.decision_ticks() {
            self.velocities_mm_s.clear();
            self.velocities_mm_s.extend_from_slice(wanted_mm_s);
            if tick > 0 {
                self.track_bands(model, proposal, tick);
            }
            self.step(model, input, &Near { ahead_ticks: tick as f64, ..*near }, distances_mm);
        }
    }

    /// Motion of robot `i` after a number of ticks, from 0 for the coming one on.
    pub(super) fn motion(&self, i: usize, tick: usize) -> Motion {
        self.motions[tick * self.ahead.len() + i]
    }

    /// Sets the velocities that the bands of robots ask for that a plan leads.
    fn track_bands(&mut self, model: &FilterModel, proposal: &Proposal<'_>, tick: usize) {
        let Proposal::Plan(plan) = proposal else { return };
        for (i, velocity) in self.velocities_mm_s.iter_mut().enumerate().filter(|&(i, _)| plan.led()[i]) {
            *velocity = track(&model.swarm, plan, i, plan.age() + tick, &self.ahead.motion(i));
        }
    }

    /// Takes the step of a tick.
    fn step(&mut self, model: &FilterModel, input: &FilterInput<'_>, near: &Near<'_>, distances_mm: (f64, f64)) {
        let Self { ahead, velocities_mm_s, motions, projection } = self;
        let input = FilterInput { agents: ahead, ..*input };
        let wheels = match (model.kind, model.swarm.drive) {
            (FilterKind::Joint, Drive::Differential) => {
                project_wheels(model, projection, &input, near, distances_mm, velocities_mm_s)
            }
            (FilterKind::Joint, Drive::Point) => {
                project(model, projection, &input, near, distances_mm, velocities_mm_s);
                &[]
            }
            _ => &[],
        };
        for (i, &velocity_mm_s) in velocities_mm_s.iter().enumerate() {
            let now = ahead.motion(i);
            let step = wheels.get(i).map(|step| step.motion(&model.swarm, &now, velocity_mm_s));
            let motion = step.unwrap_or_else(|| step_towards(&model.swarm, &now, velocity_mm_s));
            ahead.set(i, motion);
            motions.push(motion);
        }
    }
}
