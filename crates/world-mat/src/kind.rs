//! The kind of world that the mat is.

use crate::cube_measures::CUBE_MEASURES;
use crate::scenario::MatScenario;
use serde_json::Value as Json;
use sim_core::measure::Measure;
use sim_input::checks::{Checks, deserialize};
use sim_input::write::hand_written;
use sim_world::run_length::scenario_schema;
use sim_world::{Files, LoadedWorld, Ranking, Words, WorldKind};
use std::sync::{Arc, LazyLock, OnceLock};
use swarm_agents::measures::MEASURES;

/// Robots, walking feet and drifting points of interest, toio cubes and hands on a flat mat.
#[derive(Clone, Copy, Debug)]
pub struct Mat;

/// The margin that a run kept from breaking a distance.
const RANKING: Ranking =
    Ranking::SmallestMargin { name: "least_room_mm", unit: "mm", of: &["min_robot_robot_mm", "min_robot_foot_mm"] };

/// Measures that tell whether the swarm lives, each with an explanation.
const WORDS: Words = Words {
    agent: "robot",
    heading: "Liveliness",
    highlights: &[
        ("wish_followed_share", "of the wishes followed within 5 mm/s"),
        ("near_patch_ratio", "1 is indifferent to the patches, more is drawn to them"),
        ("moving_share", "of the time in motion"),
        ("foot_waits", "of the feet's progress lost"),
        ("wish_followed_free_share", "of the wishes followed by robots with room"),
        ("wish_feasible_followed_share", "of the wishes followed as far as neighbours allow"),
        ("moving_share_roam", "in motion while a foot roams"),
        ("speed_mean_mm_s", "mean speed"),
        ("path_length_mean_mm", "way of a robot"),
        ("straightness_1s", "near 1 goes, near 0 trembles"),
        ("still_longest_s", "longest rest of one robot"),
        ("coverage_share", "of the reachable cells visited"),
        ("inner_use_ratio", "use of the inner square over its share of the area"),
    ],
};

/// The words for runs of cubes without a swarm.
pub(crate) const CUBE_WORDS: Words = Words {
    agent: "cube",
    heading: "Cubes",
    highlights: &[
        ("cube_messages", "messages over the radios"),
        ("cube_targets_reached", "targets reached"),
        ("cube_targets_missed", "targets that ended otherwise"),
        ("cube_way_mean_mm", "way of a cube"),
        ("cube_messages_lost", "messages dropped, on the way or by the cube"),
        ("cube_touches", "touches of cubes, walls and things"),
        ("cube_exits", "times that a cube left all mats and walls"),
        ("cube_position_share", "of the time with a position ID"),
    ],
};

/// JSON Schema of the scenarios of the mat.
pub(crate) fn schema() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| scenario_schema::<MatScenario>("Scenario of the mat"))
}

impl WorldKind for Mat {
    fn name(&self) -> &'static str {
        "mat"
    }

    fn schema(&self) -> &'static Json {
        schema()
    }

    fn measures(&self) -> &'static [Measure] {
        static ALL: LazyLock<Vec<Measure>> = LazyLock::new(|| [MEASURES, &CUBE_MEASURES].concat());
        &ALL
    }

    /// What people ask first: is it safe, how safe, does it do what it wishes, and is it alive.
    fn default_measures(&self) -> Vec<&'static str> {
        let safe = ["violating_step_share", "min_robot_robot_mm", "min_robot_foot_mm"];
        let alive = ["wish_followed_share", "moving_share", "foot_waits"];
        safe.into_iter().chain(alive).collect()
    }

    fn ranking(&self) -> &'static Ranking {
        &RANKING
    }

    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn load(&self, scenario: Json, files: &dyn Files, checks: &mut Checks<'_>) -> Option<LoadedWorld> {
        let mut scenario: MatScenario = deserialize(&scenario, checks)?;
        scenario.read_files(files).into_iter().for_each(|fault| checks.fault(fault));
        let model = Arc::new(scenario.build(checks)?);
        Some(LoadedWorld { resolved: hand_written(&scenario), model })
    }
}
