//! The worlds that a scenario may be of. What differs from world to world between a file and its model is listed here and nowhere else.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_path_to_error::Error as PathError;
use std::collections::BTreeSet;
use std::path::Path;

use super::promise::Promise;
use super::road::{self, RoadScenario};
use super::spec::MatScenario;
use super::{Diagnostics, feasibility};
use crate::world::road::MEASURES as ROAD_MEASURES;
use crate::world::seam::Model;
use sim_core::measure::Measure;
use sim_input::diagnostic::{Fault, Locator};
use sim_input::tree::Node;
use swarm_agents::measures::MEASURES as MAT_MEASURES;

/// Kinds of world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum World {
    /// Robots, feet and points of interest, toio cubes and hands on a flat mat.
    Mat,
    /// Cars with Ackermann steering, lidar and inertial unit among walls.
    Road,
}

impl World {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Mat, Self::Road];

    /// The word for it in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mat => "mat",
            Self::Road => "road",
        }
    }

    /// The measures of its runs, in the order of their table.
    #[must_use]
    pub fn measures(self) -> &'static [Measure] {
        match self {
            Self::Mat => MAT_MEASURES,
            Self::Road => ROAD_MEASURES,
        }
    }

    /// The measure of that name, of whichever world.
    #[must_use]
    pub fn measure(name: &str) -> Option<&'static Measure> {
        Self::ALL.iter().flat_map(|world| world.measures()).find(|measure| measure.name == name)
    }
}

/// A scenario that was read, defaults filled in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Scenario {
    /// Of the mat.
    Mat(Box<MatScenario>),
    /// Of the road.
    Road(Box<RoadScenario>),
}

impl Scenario {
    /// From JSON that has passed the walk.
    pub(super) fn of_json(world: World, json: Json) -> Result<Self, PathError<serde_json::Error>> {
        Ok(match world {
            World::Mat => Self::Mat(serde_path_to_error::deserialize(json)?),
            World::Road => Self::Road(serde_path_to_error::deserialize(json)?),
        })
    }

    /// Reads the files that the scenario names into it, relative to `folder`, and says what only several keys together can say. Faults
    /// about keys of `known_wrong` are left out.
    pub(super) fn complete(&mut self, root: &Node, known_wrong: &BTreeSet<String>, folder: &Path) -> Vec<Fault> {
        match self {
            Self::Mat(scenario) => feasibility::check(scenario, root, known_wrong),
            Self::Road(scenario) => road::complete(scenario, root, known_wrong, folder),
        }
    }

    /// Which world it is of.
    #[must_use]
    pub fn world(&self) -> World {
        match self {
            Self::Mat(_) => World::Mat,
            Self::Road(_) => World::Road,
        }
    }

    /// The scenario of the mat, if it is one.
    #[must_use]
    pub fn mat(&self) -> Option<&MatScenario> {
        match self {
            Self::Mat(scenario) => Some(scenario),
            Self::Road(_) => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Mat(scenario) => &scenario.name,
            Self::Road(scenario) => &scenario.name,
        }
    }

    /// Its seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        match self {
            Self::Mat(scenario) => scenario.seed,
            Self::Road(scenario) => scenario.seed,
        }
    }

    /// Where editors find the schema of its file.
    #[must_use]
    pub fn schema(&self) -> Option<&str> {
        match self {
            Self::Mat(scenario) => scenario.schema.as_deref(),
            Self::Road(scenario) => scenario.schema.as_deref(),
        }
    }

    /// The same in a folder where no schema lies.
    #[must_use]
    pub fn without_schema(mut self) -> Self {
        match &mut self {
            Self::Mat(scenario) => scenario.schema = None,
            Self::Road(scenario) => scenario.schema = None,
        }
        self
    }

    /// What is promised about the distances, where anything is.
    #[must_use]
    pub fn promise(&self) -> Option<Promise> {
        match self {
            Self::Mat(scenario) => Some(scenario.promise()),
            Self::Road(_) => None,
        }
    }

    /// The model of its world.
    ///
    /// # Errors
    /// For what the models refuse; nothing, if the scenario came from [`load`](super::load) or [`parse`](super::parse), which have
    /// asked them already.
    pub fn model(&self) -> Result<Model, Diagnostics> {
        match self {
            Self::Mat(scenario) => scenario.mat_world().map(Model::from),
            Self::Road(scenario) => scenario.road_world().map(Model::from).map_err(|fault| {
                let fault = Fault::new(&fault.path, fault.message);
                unlocated(&scenario.name, fault)
            }),
        }
    }
}

impl From<MatScenario> for Scenario {
    fn from(scenario: MatScenario) -> Self {
        Self::Mat(Box::new(scenario))
    }
}

/// A fault about a scenario of which there is no text any more.
pub(super) fn unlocated(name: &str, fault: Fault) -> Diagnostics {
    let items = Locator { file: name, text: "", flags: &[] }.diagnostics(vec![fault]);
    Diagnostics { items, text: String::new() }
}
