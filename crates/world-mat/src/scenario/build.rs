//! From a scenario to the model of the mat.

use super::spec::MatScenario;
use super::{feasibility, files};
use crate::bodies::BodiesModel;
use crate::inputs::Inputs;
use crate::streams::Outputs;
use crate::things::ThingKind;
use crate::view::title_of;
use crate::world::MatModel;
use sim_input::checks::Checks;
use sim_input::diagnostic::Fault;
use sim_world::Files;
use std::collections::BTreeMap;

impl MatScenario {
    /// Reads the files that the scenario names into it; returns what is wrong with them.
    pub(crate) fn read_files(&mut self, files: &dyn Files) -> Vec<Fault> {
        files::read_into(self, files)
    }

    /// The model of the mat; everything that is wrong with the scenario goes to `checks`. None if anything is.
    pub(crate) fn build(&self, checks: &mut Checks<'_>) -> Option<MatModel> {
        let (cubes, cube_faults) = self.cubes_model();
        let (sensing, sensing_faults) = self.sensing_model();
        let faults = cube_faults.into_iter().chain(sensing_faults).collect();
        let models = feasibility::check(self, faults, checks)?;
        let drive = self.cube_drive_model(&cubes);
        // Its faults are among those of the cubes.
        let ground = self.ground(&mut Vec::new());
        let standing = self.standing(&ground);
        let mut model = MatModel {
            name: self.name.clone(),
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace.every,
            agent_count: self.agents.count as usize,
            measures: self.measures(&models.swarm),
            guarantee: self.guarantee(),
            patches: models.patches,
            field: models.field,
            wish: models.wish,
            goals: models.goals,
            start: self.start_agents(),
            shape: self.agents.shape,
            filter: models.filter,
            feet: models.feet,
            swarm: models.swarm,
            sensing,
            walls: standing.visible_walls(),
            obstacles: self.obstacle_rings().collect(),
            rim_mm: standing.rim_mm(),
            things: self.things(),
            card_titles: BTreeMap::new(),
            ground,
            bodies: BodiesModel::new(cubes, drive),
            outputs: Outputs::default(),
            inputs: Inputs::default(),
        };
        if model.things.count(ThingKind::Card) > 0 {
            model.card_titles =
                model.ground.cards().iter().map(|card| (card.value(), title_of(card.value()))).collect();
        }
        model.outputs = Outputs::new(&model);
        model.inputs = Inputs::new(&model);
        Some(model)
    }
}
