//! The section `driver` of a car: who drives it.

use car_sim::CarParams;
use car_sim::driver::{MIN_CRUISE_M_S, PursuitParams, WallFollowerParams};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who drives a car: exactly one of the keys, or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DriverSpec {
    /// Commands by the clock, in the order of their times.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<TimedCommandSpec>", length(min = 1, max = 50_000))]
    pub commands: Option<Vec<TimedCommandSpec>>,
    /// A CSV file of commands, relative to the scenario, with the columns of `recording`. It is read into that when the scenario is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub commands_csv: Option<String>,
    /// Commands by the clock, column by column: what was recorded is driven again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RecordingSpec")]
    pub recording: Option<RecordingSpec>,
    /// A route, followed by pure pursuit with a speed profile. This driver knows exactly where the car is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WaypointsSpec")]
    pub waypoints: Option<WaypointsSpec>,
    /// A wall, followed with the lidar's scans alone. The car needs a lidar.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WallFollowerParams")]
    pub wall: Option<WallFollowerParams>,
}

/// A command and the moment from which it is in force. What is beyond the car's limits counts as the limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimedCommandSpec {
    /// When it begins, later than the one before.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub at_s: f64,
    /// Speed of the base point; negative drives back.
    #[schemars(range(min = -CarParams::MAX_SPEED_M_S, max = CarParams::MAX_SPEED_M_S))]
    pub velocity_m_s: f64,
    /// Curvature of the base point's path; positive turns left when driving forward.
    #[serde(default)]
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub curvature_1_m: f64,
    /// Gains and losses of speed are no larger than this; `null`: no larger than the car's limits.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub acceleration_m_s2: Option<f64>,
}

/// Commands column by column, all columns of one length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordingSpec {
    /// When each begins, rising.
    #[schemars(length(min = 1, max = 50_000), inner(range(min = 0, max = 1_000_000_000)))]
    pub time_s: Vec<f64>,
    /// Speeds of the base point.
    #[schemars(length(min = 1, max = 50_000), inner(range(min = -CarParams::MAX_SPEED_M_S, max = CarParams::MAX_SPEED_M_S)))]
    pub velocity_m_s: Vec<f64>,
    /// Curvatures of the base point's path.
    #[schemars(length(min = 1, max = 50_000), inner(range(min = -1_000_000, max = 1_000_000)))]
    pub curvature_1_m: Vec<f64>,
    /// Bounds on gains and losses of speed; empty: the car's limits.
    #[serde(default)]
    #[schemars(length(max = 50_000), inner(range(min = 0, max = 1_000_000)))]
    pub acceleration_m_s2: Vec<f64>,
}

/// A route and how it is driven.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointsSpec {
    /// Its waypoints, [x, y] each.
    #[schemars(length(min = 2, max = 20_000), inner(inner(range(min = -100_000, max = 100_000))))]
    pub points_m: Vec<[f64; 2]>,
    /// Whether it leads back to its first waypoint, round and round. An open route ends in a standstill.
    #[serde(default = "yes")]
    pub closed: bool,
    /// Cruising speed, up to the car's largest.
    #[serde(default = "default_speed_m_s")]
    #[schemars(range(min = MIN_CRUISE_M_S, max = CarParams::MAX_SPEED_M_S))]
    pub speed_m_s: f64,
    /// Largest sideways acceleration in bends.
    #[serde(default = "default_lateral_acceleration_m_s2")]
    #[schemars(range(min = PursuitParams::LATERAL_ACCELERATION_M_S2[0], max = PursuitParams::LATERAL_ACCELERATION_M_S2[1]))]
    pub lateral_acceleration_m_s2: f64,
    /// The aim is as far ahead as the car drives in this time.
    #[serde(default = "default_lookahead_s")]
    #[schemars(range(min = PursuitParams::LOOKAHEAD_S[0], max = PursuitParams::LOOKAHEAD_S[1]))]
    pub lookahead_s: f64,
    /// Smallest and largest distance of the aim.
    #[serde(default = "default_lookahead_m")]
    #[schemars(inner(range(min = PursuitParams::LOOKAHEAD_MIN_M[0], max = PursuitParams::FARTHEST_AIM_M)))]
    pub lookahead_m: [f64; 2],
}

fn yes() -> bool {
    true
}

fn default_speed_m_s() -> f64 {
    PursuitParams::default().speed_m_s
}

fn default_lateral_acceleration_m_s2() -> f64 {
    PursuitParams::default().lateral_acceleration_m_s2
}

fn default_lookahead_s() -> f64 {
    PursuitParams::default().lookahead_s
}

fn default_lookahead_m() -> [f64; 2] {
    let PursuitParams { lookahead_min_m, lookahead_max_m, .. } = PursuitParams::default();
    [lookahead_min_m, lookahead_max_m]
}
