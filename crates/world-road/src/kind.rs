//! The kind of world that the road is.

use crate::inspector::MEASURES;
use crate::scenario::RoadScenario;
use serde_json::Value as Json;
use sim_core::measure::Measure;
use sim_input::checks::{Checks, deserialize};
use sim_input::write::hand_written;
use sim_world::run_length::scenario_schema;
use sim_world::{Files, LoadedWorld, Ranking, Words, WorldKind};
use std::sync::{Arc, OnceLock};

/// Cars with Ackermann steering, lidar and inertial unit among walls.
#[derive(Clone, Copy, Debug)]
pub struct Road;

const RANKING: Ranking = Ranking::Largest { measure: "collisions", unit: "count" };

/// Measures that tell how cars drove, each with an explanation.
const WORDS: Words = Words {
    agent: "car",
    heading: "Driving",
    highlights: &[
        ("distance_m", "driven by all cars together"),
        ("speed_mean_m_s", "mean speed"),
        ("speed_max_m_s", "highest speed"),
        ("lateral_accel_max_m_s2", "largest sideways acceleration"),
        ("standing_share", "of the time at rest"),
        ("laps", "laps of closed routes"),
        ("lap_mean_s", "mean time of a lap"),
        ("off_route_max_m", "farthest off the route"),
        ("off_route_mean_m", "mean distance off the route"),
    ],
};

impl WorldKind for Road {
    fn name(&self) -> &'static str {
        "road"
    }

    fn schema(&self) -> &'static Json {
        static SCHEMA: OnceLock<Json> = OnceLock::new();
        SCHEMA.get_or_init(|| scenario_schema::<RoadScenario>("Scenario of the road"))
    }

    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }

    /// What people ask first: is it safe, how far and how fast, and how well routes are kept.
    fn default_measures(&self) -> Vec<&'static str> {
        vec!["collisions", "distance_m", "speed_mean_m_s", "laps", "off_route_max_m"]
    }

    fn ranking(&self) -> &'static Ranking {
        &RANKING
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn load(&self, scenario: Json, files: &dyn Files, checks: &mut Checks<'_>) -> Option<LoadedWorld> {
        let mut scenario: RoadScenario = deserialize(&scenario, checks)?;
        let model = Arc::new(scenario.complete(files, checks)?);
        Some(LoadedWorld { resolved: hand_written(&scenario), model })
    }
}
