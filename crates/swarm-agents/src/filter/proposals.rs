//! Proposed velocities of the proposers that use the present alone: `penalty`, `orca`, `nearest`, `none` and the
//! adversary.

use super::exchange::FilterInput;
use super::model::{FilterKind, FilterModel};
use super::nearest::{NearestScratch, project_wishes};
use super::orca::{OrcaScratch, orca_velocities};
use super::penalty::{PenaltyScratch, penalty_velocities};
use crate::purpose;
use crate::{Neighbours, SwarmModel};
use sim_core::DVec2;

/// Buffers and the result.
#[derive(Clone, Debug, Default)]
pub(super) struct ProposalScratch {
    neighbours: Neighbours,
    bounded_mm_s: Vec<DVec2>,
    velocities_mm_s: Vec<DVec2>,
    /// Places (mm) and velocities (mm/s) of the feet.
    feet: Vec<(DVec2, DVec2)>,
    orca: OrcaScratch,
    penalty: PenaltyScratch,
    nearest: NearestScratch,
}

impl ProposalScratch {
    /// The proposed velocity of each robot, mm/s.
    pub(super) fn velocities_mm_s(&self) -> &[DVec2] {
        &self.velocities_mm_s
    }

    /// Computes the proposed velocities: boundary filter first, then the filter of the model's kind.
    pub(super) fn propose(&mut self, model: &FilterModel, input: &FilterInput<'_>) {
        let swarm = &model.swarm;
        self.bounded_mm_s.clear();
        self.bounded_mm_s.extend(input.bounded_wishes_mm_s(model));
        self.velocities_mm_s.clone_from(&self.bounded_mm_s);
        match model.kind {
            FilterKind::Random => self.draw_velocities(swarm, input),
            FilterKind::Penalty | FilterKind::Orca => self.avoid(model, input),
            FilterKind::Nearest => project_wishes(model, &mut self.nearest, input, &mut self.velocities_mm_s),
            FilterKind::Joint | FilterKind::None => {}
        }
        if !model.walls.is_empty() {
            for (velocity, &place) in self.velocities_mm_s.iter_mut().zip(&input.agents.position_mm) {
                *velocity = model.walls.bounded(swarm, place, *velocity);
            }
        }
    }

    fn draw_velocities(&mut self, swarm: &SwarmModel, input: &FilterInput<'_>) {
        for (i, velocity) in self.velocities_mm_s.iter_mut().enumerate() {
            let mut stream = input.key.stream(purpose::ADVERSARY, i as u64, input.tick.0 / 20);
            *velocity = stream.direction() * stream.range(0.0, 1.5 * swarm.limits.v_max_mm_s);
        }
    }

    fn avoid(&mut self, model: &FilterModel, input: &FilterInput<'_>) {
        let (swarm, agents) = (&model.swarm, input.agents);
        self.feet.clear();
        self.feet.extend((0..input.feet.len()).map(|k| (input.foot_mm(k, 0.0), input.foot_mm_s(k))));
        self.neighbours.rebuild(&agents.position_mm, neighbour_radius_mm(swarm));
        let (neighbours, feet, wish) = (&self.neighbours, &self.feet, &self.bounded_mm_s);
        let out = &mut self.velocities_mm_s;
        if model.kind == FilterKind::Orca {
            orca_velocities(swarm, &mut self.orca, agents, wish, feet, neighbours, out);
        } else {
            penalty_velocities(swarm, &mut self.penalty, agents, wish, feet, neighbours, out);
        }
    }
}

/// Radius of the neighbours that penalty and ORCA consider: those within reach of their short horizons.
fn neighbour_radius_mm(swarm: &SwarmModel) -> f64 {
    swarm.clearances.d_r_mm + 0.4 * swarm.limits.v_max_mm_s
}
