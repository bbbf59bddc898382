//! Input and output of one tick of the filter.

use super::model::FilterModel;
use crate::Agents;
use sim_core::{DVec2, RunKey, Tick};
use swarm_field::{Feet, Forecast};

/// Result of a robot's proposal in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// The proposal is followed.
    #[default]
    Proposed,
    /// The first steps of the proposal, then braking.
    Brake,
    /// One step of its own, with all other robots on their stored trajectories, then braking.
    Solo,
    /// The stored trajectory: the fallback.
    Stored,
}

/// Source of the feet's present places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// The feet themselves: robots sense their present places.
    #[default]
    Present,
    /// The forecast: robots sensed the feet earlier.
    Foretold,
}

/// The input of a tick.
#[derive(Clone, Copy, Debug)]
pub struct FilterInput<'a> {
    /// The robots before the tick.
    pub agents: &'a Agents,
    /// Wished velocity per robot, mm/s.
    pub wish_mm_s: &'a [DVec2],
    /// The feet, already at this tick's places.
    pub feet: &'a Feet,
    /// The forecasts that robots receive, one per foot.
    pub forecasts: &'a [Forecast],
    /// Source of the feet's present places. Feet that may wait need [`Sight::Present`]: their path speed factors are decided for their
    /// true places.
    pub sight: Sight,
    /// Address of the run's draws.
    pub key: RunKey,
    /// This tick.
    pub tick: Tick,
}

impl FilterInput<'_> {
    /// Wished velocities after the boundary filter, mm/s.
    pub(super) fn bounded_wishes_mm_s(&self, model: &FilterModel) -> impl Iterator<Item = DVec2> {
        let wishes = self.wish_mm_s.iter().zip(&self.agents.position_mm);
        wishes.map(|(&wish, &place)| model.bounded(place, wish))
    }

    /// Place of foot `k` after `frames` frames of its path, as robots know it, mm.
    #[must_use]
    pub fn foot_mm(&self, k: usize, frames: f64) -> DVec2 {
        match self.sight {
            Sight::Present => self.feet.path_mm(k, frames),
            Sight::Foretold => self.forecasts[k].at(frames).unwrap_or_default().0,
        }
    }

    /// Present places of the feet, as robots know them, mm.
    pub fn feet_mm(&self) -> impl ExactSizeIterator<Item = DVec2> + '_ {
        (0..self.feet.len()).map(|k| self.foot_mm(k, 0.0))
    }

    /// Present velocity of foot `k`, as robots know it, mm/s.
    pub(super) fn foot_mm_s(&self, k: usize) -> DVec2 {
        match self.sight {
            Sight::Present => self.feet.velocity_mm_s(k),
            Sight::Foretold => self.forecasts[k].at(0.0).unwrap_or_default().1,
        }
    }
}

/// The decisions of a tick; buffers are re-used.
#[derive(Clone, Debug, Default)]
pub struct FilterOutput {
    /// The robots after this tick.
    pub next: Agents,
    /// Path speed factor of each foot in the coming tick, 0 to 1.
    pub path_speed_factors: Vec<f64>,
    /// For each foot that was blocked for long: the place of the robot in front of it. The foot turns to another target.
    pub retarget: Vec<Option<DVec2>>,
    /// Result of each robot's proposal.
    pub decisions: Vec<Decision>,
}

impl FilterOutput {
    /// Sizes the buffers and fills them with defaults.
    pub(super) fn prepare(&mut self, robots: usize, feet: usize) {
        self.next.resize(robots);
        self.path_speed_factors.clear();
        self.path_speed_factors.resize(feet, 1.0);
        self.retarget.clear();
        self.retarget.resize(feet, None);
        self.decisions.clear();
        self.decisions.resize(robots, Decision::Proposed);
    }
}
