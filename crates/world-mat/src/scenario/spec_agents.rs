//! Start places and goals of robots in a scenario file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use swarm_agents::goals::GoalsParams;

/// Where a robot starts, at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartSpec {
    /// Its centre, along x.
    #[schemars(range(min = 0, max = 100_000))]
    pub x_mm: f64,
    /// Its centre, along y.
    #[schemars(range(min = 0, max = 100_000))]
    pub y_mm: f64,
    /// Its heading, clockwise seen from above from +x.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub heading_deg: f64,
}

/// Outline of a robot of drive `point` or `differential`. Decisions are about centres: it is drawn, and distances are checked against it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeSpec {
    /// What it looks like from above.
    pub outline: OutlineSpec,
    /// Side of the square, or diameter of the disc.
    #[schemars(range(min = 1, max = 1000))]
    pub size_mm: f64,
}

/// What a robot looks like from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutlineSpec {
    /// A square, whose front is a side.
    Square,
    /// A disc.
    Disc,
}

impl ShapeSpec {
    /// Largest distance of two centres at which two of these can touch, mm: corner to corner, or rim to rim.
    #[must_use]
    pub fn contact_mm(&self) -> f64 {
        match self.outline {
            OutlineSpec::Square => self.size_mm * std::f64::consts::SQRT_2,
            OutlineSpec::Disc => self.size_mm,
        }
    }

    /// The largest size with this outline whose contact distance is no more than `distance_mm`, in tenths of a mm.
    #[must_use]
    pub fn largest_within_mm(&self, distance_mm: f64) -> f64 {
        (10.0 * distance_mm * self.size_mm / self.contact_mm() + 1e-9).floor() / 10.0
    }

    /// Two of them, in words.
    #[must_use]
    pub fn pair_in_words(&self) -> String {
        match self.outline {
            OutlineSpec::Square => format!("two squares of {} mm", self.size_mm),
            OutlineSpec::Disc => format!("two discs of {} mm", self.size_mm),
        }
    }
}

/// Places that robots are sent to: sites for all of them, or a script of places for each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GoalsSpec {
    /// Places, [x, y] each, each robot to one of them, so that the sum of the ways is least. Either these or a script.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000), inner(inner(range(min = 0, max = 100_000))))]
    pub sites_mm: Vec<[f64; 2]>,
    /// Time from one assignment of `sites_mm` to the next.
    #[schemars(range(min = GoalsParams::EVERY_S[0], max = GoalsParams::EVERY_S[1]))]
    pub every_s: f64,
    /// Pull towards the place: speed gained per distance left.
    #[schemars(range(min = GoalsParams::GAIN_PER_S[0], max = GoalsParams::GAIN_PER_S[1]))]
    pub gain_per_s: f64,
    /// Distance from its goal within which a robot has arrived.
    #[schemars(range(min = GoalsParams::ARRIVAL_MM[0], max = GoalsParams::ARRIVAL_MM[1]))]
    pub arrival_mm: f64,
    /// Goals that change in time, in any order. A robot keeps one until its next one; before its first it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100_000))]
    pub script: Vec<GoalSpec>,
    /// A CSV file in place of `script`, relative to the scenario: columns `time_s` (or `step`), `robot`, `x_mm`, `y_mm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub script_csv: Option<String>,
}

impl Default for GoalsSpec {
    fn default() -> Self {
        let GoalsParams { every_s, gain_per_s, arrival_mm, .. } = GoalsParams::default();
        Self { sites_mm: Vec::new(), every_s, gain_per_s, arrival_mm, script: Vec::new(), script_csv: None }
    }
}

/// A robot is sent to a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoalSpec {
    /// When it gets the goal, since the start.
    #[schemars(range(min = 0, max = 1e9))]
    pub time_s: f64,
    /// Number of the robot.
    #[schemars(range(min = 0, max = 99_999))]
    pub robot: u32,
    /// The place, [x, y]; `null`: it has no goal from then on.
    #[serde(default)]
    #[schemars(inner(inner(range(min = 0, max = 100_000))))]
    pub at_mm: Option<[f64; 2]>,
}
