//! The kind of world that the sea is.

use crate::inspector::MEASURES;
use crate::scenario::SeaScenario;
use serde_json::Value as Json;
use sim_core::measure::Measure;
use sim_input::checks::{Checks, deserialize};
use sim_input::write::hand_written;
use sim_world::run_length::scenario_schema;
use sim_world::{Files, LoadedWorld, Ranking, Words, WorldKind};
use std::sync::{Arc, OnceLock};

/// Vehicles in moving water over a bottom.
#[derive(Clone, Copy, Debug)]
pub struct Sea;

const RANKING: Ranking = Ranking::Largest { measure: "mishaps", unit: "count" };

/// Measures that tell how vehicles moved, each with an explanation.
const WORDS: Words = Words {
    agent: "vehicle",
    heading: "Under way",
    highlights: &[
        ("distance_m", "through the world by all vehicles together"),
        ("map_coverage", "of the cells of the map sounded"),
        ("map_error_rms_m", "error of the map"),
        ("packets_delivered", "packets received by the modems that they are for"),
        ("speed_mean_m_s", "mean speed over ground"),
        ("speed_max_m_s", "highest speed over ground"),
        ("depth_max_m", "deepest place"),
        ("altitude_min_m", "least height above the bottom"),
        ("tilt_max_rad", "largest angle from upright"),
        ("depth_error_mean_m", "mean distance from the depth that was asked for"),
        ("yaw_error_mean_rad", "mean angle from the heading that was asked for"),
        ("waypoints_passed", "waypoints of routes"),
        ("under_water_share", "of the time under water"),
    ],
};

impl WorldKind for Sea {
    fn name(&self) -> &'static str {
        "sea"
    }

    fn schema(&self) -> &'static Json {
        static SCHEMA: OnceLock<Json> = OnceLock::new();
        SCHEMA.get_or_init(|| scenario_schema::<SeaScenario>("Scenario of the sea"))
    }

    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }

    /// What people ask first: is it safe, how far and how deep, and how well it is steered.
    fn default_measures(&self) -> Vec<&'static str> {
        vec!["groundings", "collisions", "distance_m", "depth_max_m", "depth_error_mean_m", "yaw_error_mean_rad"]
    }

    fn ranking(&self) -> &'static Ranking {
        &RANKING
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn load(&self, scenario: Json, files: &dyn Files, checks: &mut Checks<'_>) -> Option<LoadedWorld> {
        let mut own: SeaScenario = deserialize(&scenario, checks)?;
        let model = Arc::new(own.complete(&scenario, files, checks)?);
        Some(LoadedWorld { resolved: hand_written(&own), model })
    }
}
