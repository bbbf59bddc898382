//! A vehicle of a scenario: its model, where it starts, what it carries, who drives it.

use super::spec::FAR_M;
use super::spec_sensors::SensorsSpec;
use super::vehicle_file::{actuators_schema, parameters_schema};
use crate::control::ControlSource;
use schemars::JsonSchema;
use sea_sim::driver::{DepthAutopilotParams, GeometricParams, HeadingPidParams, HeadingSmcParams, TrimHoldParams};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use sim_input::schema::NAME_PATTERN;
use std::collections::BTreeMap;

/// A vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VehicleSpec {
    /// Its name, once in the scenario. What is drawn for it depends on its name and not on its place in the list.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// What vehicle it is: a model that came along (`remus100`, `otter`, `bluerov2`, `sam`, `sam_kth`, `lolo`, `quadrotor`,
    /// `evolo`, `buoy`, `station`, `torpedo`, `custom`), a file of one's own that ends in `.json`, relative to the scenario, or
    /// `inline` if `parameters` says everything.
    pub model: String,
    /// Keys of the model's file that are to have other values. A file of one's own is read into this.
    #[serde(default = "no_keys", skip_serializing_if = "is_empty")]
    #[schemars(schema_with = "parameters_schema")]
    pub parameters: Json,
    /// Keys of single actuators, by their names, that are to have other values.
    #[serde(default = "no_keys", skip_serializing_if = "is_empty")]
    #[schemars(schema_with = "actuators_schema")]
    pub actuators: Json,
    /// Where and how it starts.
    #[serde(default)]
    pub start: StartSpec,
    /// What it carries beside `sensors`. The keys of `sensors` lie over the equipment; `null` there leaves a sensor out.
    #[serde(default, skip_serializing_if = "EquipmentSpec::is_none")]
    pub equipment: EquipmentSpec,
    /// What it carries.
    #[serde(default)]
    pub sensors: SensorsSpec,
    /// Who drives it: one of the keys, or none.
    #[serde(default)]
    pub driver: DriverSpec,
    /// Whose commands it obeys: its driver's, those of rows from outside, or both.
    #[serde(default)]
    pub control_source: ControlSource,
    /// What came in from outside for this vehicle is forgotten after this time, s, unless it comes again; `null`: never.
    #[serde(default)]
    #[schemars(range(min = 0.001, max = 1_000_000))]
    pub watchdog_s: Option<f64>,
}

/// Sensors that come with a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EquipmentSpec {
    /// None: it carries what `sensors` says and nothing else.
    #[default]
    None,
    /// Those that its model's file lists under `sensors`. They are read into the scenario's `sensors`.
    Model,
}

impl EquipmentSpec {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

fn no_keys() -> Json {
    Json::Object(Map::new())
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_empty(json: &Json) -> bool {
    json.as_object().is_some_and(Map::is_empty)
}

/// Where and how a vehicle starts. The rotation is yaw, then pitch (positive lowers the nose), then roll (positive lifts the left side).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StartSpec {
    /// Its place, east of the origin.
    #[schemars(range(min = -FAR_M, max = FAR_M))]
    pub x_m: f64,
    /// Its place, north of the origin.
    #[schemars(range(min = -FAR_M, max = FAR_M))]
    pub y_m: f64,
    /// Its height over the origin.
    #[schemars(range(min = -12_000, max = 12_000))]
    pub z_m: f64,
    /// Roll about the forward axis.
    #[schemars(range(min = -360, max = 360))]
    pub roll_deg: f64,
    /// Pitch about the left axis, positive lowers the nose.
    #[schemars(range(min = -90, max = 90))]
    pub pitch_deg: f64,
    /// Yaw, from east towards north.
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
    /// Velocity forward.
    #[schemars(range(min = -50, max = 50))]
    pub u_m_s: f64,
    /// Velocity to the left.
    #[schemars(range(min = -50, max = 50))]
    pub v_m_s: f64,
    /// Velocity upward.
    #[schemars(range(min = -50, max = 50))]
    pub w_m_s: f64,
    /// Turn rate about forward.
    #[schemars(range(min = -1000, max = 1000))]
    pub p_deg_s: f64,
    /// Turn rate about left.
    #[schemars(range(min = -1000, max = 1000))]
    pub q_deg_s: f64,
    /// Turn rate about up.
    #[schemars(range(min = -1000, max = 1000))]
    pub r_deg_s: f64,
    /// Whether its equal, upward propellers start with the command that carries its weight.
    #[serde(skip_serializing_if = "is_false")]
    pub hover: bool,
    /// Commands that actuators have at the start, by their names, in their units.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub commands: BTreeMap<String, f64>,
}

/// Who drives a vehicle: exactly one of the keys, or none. Drivers know what sensors told, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DriverSpec {
    /// Commands by the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<TimedCommandSpec>", length(min = 1, max = 50_000))]
    pub commands: Option<Vec<TimedCommandSpec>>,
    /// A CSV file of commands, relative to the scenario, with the columns `time_s,actuator,value`. It is read into `commands`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub commands_csv: Option<String>,
    /// Keys that are pressed and released by the clock. What each does stands under `keys` of the model's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<StrokeSpec>", length(min = 1, max = 50_000))]
    pub keys: Option<Vec<StrokeSpec>>,
    /// Headings and depths by the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SetpointsSpec")]
    pub setpoints: Option<SetpointsSpec>,
    /// A route.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WaypointsSpec")]
    pub waypoints: Option<WaypointsSpec>,
    /// Places by the clock, for a quadrotor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HoverSpec")]
    pub hover: Option<HoverSpec>,
}

/// A command and the moment from which it is in force. It must lie in the range of the actuator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimedCommandSpec {
    /// When it begins.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub at_s: f64,
    /// Name of the actuator.
    pub actuator: String,
    /// Value in the actuator's unit.
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub value: f64,
}

/// A key that is held for a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrokeSpec {
    /// Name of the key, as the model's file has it.
    pub key: String,
    /// When it is pressed.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub from_s: f64,
    /// When it is released, a step later or more; without it, it stays held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 1_000_000_000))]
    pub to_s: Option<f64>,
}

/// How the autopilots of a vehicle are set. Defaults are those of its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GainsSpec {
    /// Of the depth autopilot: fins and nozzles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DepthAutopilotParams")]
    pub depth: Option<DepthAutopilotParams>,
    /// Of the heading autopilot by sliding mode: fins and nozzles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HeadingSmcParams")]
    pub heading: Option<HeadingSmcParams>,
    /// Of the heading autopilot by pole placement: two propellers side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HeadingPidParams")]
    pub heading_pid: Option<HeadingPidParams>,
    /// Of depth and pitch at rest by ballast and battery.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TrimHoldParams")]
    pub trim: Option<TrimHoldParams>,
}

/// Headings and depths by the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetpointsSpec {
    /// The list, in the order of its times.
    #[schemars(length(min = 1, max = 50_000))]
    pub list: Vec<SetpointSpec>,
    /// How the autopilots are set.
    #[serde(default)]
    pub gains: GainsSpec,
}

/// What to steer for from a moment on. What is not said stays as it was; before it was ever said, the vehicle does nothing about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SetpointSpec {
    /// When it begins, not before the one before it.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub at_s: f64,
    /// Yaw, from east towards north.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -360, max = 360))]
    pub yaw_deg: Option<f64>,
    /// Depth below the surface, of a vehicle that can dive; not beside `altitude_m`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 12_000))]
    pub depth_m: Option<f64>,
    /// Height above the bottom, of a vehicle that can dive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 12_000))]
    pub altitude_m: Option<f64>,
    /// How fast: the command of the propellers in their unit; of two propellers side by side the force in N, of thrusters a share of
    /// their most, of a hydrofoil its speed in kn. With 0, a vehicle with ballast and battery holds depth and pitch by these.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -100_000, max = 100_000))]
    pub speed: Option<f64>,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointsSpec {
    /// Its waypoints.
    #[schemars(length(min = 1, max = 20_000))]
    pub points: Vec<WaypointSpec>,
    /// How fast, as `speed` of a setpoint.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub speed: f64,
    /// Distance at which a waypoint is reached.
    #[serde(default = "default_radius_m")]
    #[schemars(range(min = 0.01, max = 100_000))]
    pub radius_m: f64,
    /// Distance ahead on the path at which to aim.
    #[serde(default = "default_lookahead_m")]
    #[schemars(range(min = 0.01, max = 100_000))]
    pub lookahead_m: f64,
    /// Whether the last waypoint leads back to the first.
    #[serde(default)]
    pub closed: bool,
    /// How the autopilots are set.
    #[serde(default)]
    pub gains: GainsSpec,
}

fn default_radius_m() -> f64 {
    10.0
}

fn default_lookahead_m() -> f64 {
    30.0
}

/// A waypoint, at `x_m` and `y_m` or at `lat_deg` and `lon_deg`. A vehicle that cannot dive goes by its place alone: one route serves boats
/// and divers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointSpec {
    /// Its place, east of the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -FAR_M, max = FAR_M))]
    pub x_m: Option<f64>,
    /// Its place, north of the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -FAR_M, max = FAR_M))]
    pub y_m: Option<f64>,
    /// Its latitude, north positive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -90, max = 90))]
    pub lat_deg: Option<f64>,
    /// Its longitude, east positive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -180, max = 180))]
    pub lon_deg: Option<f64>,
    /// Depth on the way there; 0 if neither this nor `altitude_m` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 12_000))]
    pub depth_m: Option<f64>,
    /// Height above the bottom on the way there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 12_000))]
    pub altitude_m: Option<f64>,
}

/// Places by the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoverSpec {
    /// The list, in the order of its times.
    #[schemars(length(min = 1, max = 50_000))]
    pub list: Vec<HoverTargetSpec>,
    /// What the controller thinks the quadrotor is, and its gains.
    #[serde(default)]
    pub gains: GeometricParams,
}

/// A place from a moment on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HoverTargetSpec {
    /// When it begins, not before the one before it.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub at_s: f64,
    /// Its place, east of the origin.
    #[schemars(range(min = -FAR_M, max = FAR_M))]
    pub x_m: f64,
    /// Its place, north of the origin.
    #[schemars(range(min = -FAR_M, max = FAR_M))]
    pub y_m: f64,
    /// Its height over the origin.
    #[schemars(range(min = -12_000, max = 12_000))]
    pub z_m: f64,
    /// Yaw of its nose, from east towards north.
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
}
