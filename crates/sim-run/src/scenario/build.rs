//! From a scenario to the model of its world.

use super::feasibility::path_of;
use super::spec::MatScenario;
use super::worlds::unlocated;
use crate::input::diagnostic::{Diagnostics, Finding};
use crate::world::mat::MatModel;
use sim_core::ParamError;

impl MatScenario {
    /// The mat world's model.
    ///
    /// # Errors
    /// For what the models refuse; nothing, if the scenario came from [`load`](super::load) or [`parse`](super::parse), which have
    /// asked them already.
    pub fn mat_world(&self) -> Result<MatModel, Diagnostics> {
        let refused = |section: &'static str| move |error: ParamError| self.refused(section, &error);
        let swarm = self.swarm_model().map_err(refused("safety"))?;
        let feet = self.feet_model().map_err(refused("feet"))?;
        let (cubes, faults) = self.cubes_model();
        let (sensing, sensing_faults) = self.sensing_model();
        let mut ground_faults = Vec::new();
        let ground = self.ground(&mut ground_faults);
        if let Some(fault) = faults.into_iter().chain(sensing_faults).chain(ground_faults).next() {
            return Err(unlocated(&self.name, Finding::error(None, &fault.path, fault.message)));
        }
        Ok(MatModel {
            name: self.name.clone(),
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace.every,
            agent_count: self.agents.count as usize,
            patches: self.patches_model().map_err(refused("patches"))?,
            field: self.field_model().map_err(refused("field"))?,
            wish: self.wish_model(&swarm).map_err(refused("agents"))?,
            goals: self.goals_model(&swarm).map_err(refused("agents.goals"))?,
            filter: self.filter_model(swarm, &feet).map_err(refused("safety"))?,
            measures: self.measures(&swarm),
            cube_drive: self.cube_drive_model(&cubes),
            ground,
            walls: self.walls(),
            feet,
            swarm,
            sensing,
            cubes,
        })
    }

    fn refused(&self, section: &str, error: &ParamError) -> Diagnostics {
        unlocated(&self.name, Finding::error(None, &path_of(section, error.field), error.message.clone()))
    }
}
