//! The words of each command of a cube's program. Durations are in ms, as people think of them; the wire counts tens of ms.

use super::spec_cubes::INTERVAL_MS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toio_cube_sim::radio::INTERVAL_UNIT_MS;
use toio_cube_sim::sound::{FULL_VOLUME, Mute, REST};
use toio_cube_sim::wire::{
    AttitudeKind, IdCondition, KEEP, MAX_ANGLE_DEG, MAX_WHEEL_UNITS, MagnetMode, Movement, Priority, SpeedCurve, Turn,
};

/// A command that needs no words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NothingSpec {}

/// Both wheels for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotorRunForSpec {
    /// Left wheel, command units; negative is backwards.
    #[schemars(range(min = -MAX_WHEEL_UNITS, max = MAX_WHEEL_UNITS))]
    pub left: i16,
    /// Right wheel, command units; negative is backwards.
    #[schemars(range(min = -MAX_WHEEL_UNITS, max = MAX_WHEEL_UNITS))]
    pub right: i16,
    /// How long; 0 is until the next motor command.
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub duration_ms: u16,
}

/// A target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotorTargetSpec {
    /// Where, in dots of the mat; left out: stay at the present x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = KEEP - 1))]
    pub x: Option<u16>,
    /// Where, in dots of the mat; left out: stay at the present y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = KEEP - 1))]
    pub y: Option<u16>,
    /// Heading on arrival, to be understood as `turn` says. Left out: 0 beside a `turn`; without one the cube keeps the heading with
    /// which it arrives (`none`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = MAX_ANGLE_DEG))]
    pub angle_deg: Option<u16>,
    /// What the angle means. Left out: `shorter` beside an angle, else `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Turn")]
    pub turn: Option<Turn>,
    /// Chosen by the client, repeated in the answer.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub request_id: u8,
    /// Seconds until the cube gives up; 0 is 10 s.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub timeout_s: u8,
    /// How the cube gets there.
    #[serde(default)]
    pub movement: Movement,
    /// Largest speed, command units; cubes refuse less than 10.
    #[serde(default = "default_max_speed")]
    #[schemars(range(min = 0, max = 255))]
    pub max_speed: u8,
    /// How the speed changes on the way.
    #[serde(default)]
    pub speed_curve: SpeedCurve,
}

/// A target among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointSpec {
    /// Where, in dots of the mat; left out: as the target before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = KEEP - 1))]
    pub x: Option<u16>,
    /// Where, in dots of the mat; left out: as the target before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = KEEP - 1))]
    pub y: Option<u16>,
    /// Heading on arrival, to be understood as `turn` says. Left out: 0 beside a `turn`; without one the cube keeps the heading with
    /// which it arrives (`none`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = MAX_ANGLE_DEG))]
    pub angle_deg: Option<u16>,
    /// What the angle means. Left out: `shorter` beside an angle, else `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Turn")]
    pub turn: Option<Turn>,
}

/// Targets one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotorTargetsSpec {
    /// The targets. Cubes refuse more than 29, or none.
    #[schemars(length(max = 40))]
    pub targets: Vec<WaypointSpec>,
    /// Wait for the end of targets that are under way instead of replacing them.
    #[serde(default)]
    pub append: bool,
    /// Chosen by the client, repeated in the answer.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub request_id: u8,
    /// Seconds until the cube gives up, for each target; 0 is 10 s.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub timeout_s: u8,
    /// How the cube gets there.
    #[serde(default)]
    pub movement: Movement,
    /// Largest speed, command units; cubes refuse less than 10.
    #[serde(default = "default_max_speed")]
    #[schemars(range(min = 0, max = 255))]
    pub max_speed: u8,
    /// How the speed changes over the whole way.
    #[serde(default)]
    pub speed_curve: SpeedCurve,
}

fn default_max_speed() -> u8 {
    80
}

/// A speed and a turn rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotorAccelerateSpec {
    /// Translation, command units; negative is backwards.
    #[schemars(range(min = -MAX_WHEEL_UNITS, max = MAX_WHEEL_UNITS))]
    pub speed: i16,
    /// Change of the translation in command units per 100 ms; 0 is at once.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub acceleration: u8,
    /// Turn rate; negative is counter-clockwise.
    #[serde(default)]
    #[schemars(range(min = -65_535, max = 65_535))]
    pub rotation_deg_s: i32,
    /// What is kept when the motors cannot do both.
    #[serde(default)]
    pub priority: Priority,
    /// How long; 0 is for ever.
    #[serde(default)]
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub duration_ms: u16,
}

/// A colour of the lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LightSpec {
    /// Red, green and blue.
    #[schemars(inner(range(min = 0, max = 255)))]
    pub rgb: [u8; 3],
    /// How long; 0 is for ever.
    #[serde(default)]
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub duration_ms: u16,
}

/// Colours one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LightSequenceSpec {
    /// How often; 0 is for ever.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub repeat: u8,
    /// The colours. Cubes refuse more than 29, or none.
    #[schemars(length(max = 40))]
    pub operations: Vec<LightSpec>,
}

/// A smooth blink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LightBlinkSpec {
    /// Red, green and blue.
    #[schemars(inner(range(min = 0, max = 255)))]
    pub rgb: [u8; 3],
    /// Time from one flash to the next; cubes refuse less than 100.
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub period_ms: u16,
    /// How often; 0 is for ever.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub count: u8,
}

/// Built-in effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectSpec {
    /// Number 0.
    Enter,
    /// Number 1.
    Selected,
    /// Number 2.
    Cancel,
    /// Number 3.
    Cursor,
    /// Number 4.
    MatIn,
    /// Number 5.
    MatOut,
    /// Number 6.
    #[serde(rename = "get_1")]
    Get1,
    /// Number 7.
    #[serde(rename = "get_2")]
    Get2,
    /// Number 8.
    #[serde(rename = "get_3")]
    Get3,
    /// Number 9.
    #[serde(rename = "effect_1")]
    Effect1,
    /// Number 10.
    #[serde(rename = "effect_2")]
    Effect2,
}

/// A built-in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoundEffectSpec {
    /// Which effect it is.
    pub effect: EffectSpec,
    /// 0 is silent, anything else full.
    #[serde(default = "full_volume")]
    #[schemars(range(min = 0, max = 255))]
    pub volume: u8,
}

fn full_volume() -> u8 {
    FULL_VOLUME
}

/// A note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteSpec {
    /// MIDI number of the note: 57 is 440 Hz, 128 a rest.
    #[schemars(range(min = 0, max = REST))]
    pub note: u8,
    /// How long it sounds.
    #[schemars(range(min = 10, max = 2550), extend("multipleOf" = 10))]
    pub duration_ms: u16,
    /// 0 is silent, anything else full.
    #[serde(default = "full_volume")]
    #[schemars(range(min = 0, max = 255))]
    pub volume: u8,
}

/// Notes one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoundNotesSpec {
    /// How often; 0 is for ever.
    #[serde(default = "once")]
    #[schemars(range(min = 0, max = 255))]
    pub repeat: u8,
    /// The notes. Cubes refuse more than 59, or none.
    #[schemars(length(max = 70))]
    pub notes: Vec<NoteSpec>,
}

fn once() -> u8 {
    1
}

/// A request for one attitude report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestAttitudeSpec {
    /// Format of the report.
    #[serde(default)]
    pub format: AttitudeKind,
}

/// The threshold of flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlatThresholdSpec {
    /// Tilt; cubes refuse what is not 1 to 45.
    #[schemars(range(min = 0, max = 255))]
    pub tilt_deg: u8,
}

/// The threshold of collisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CollisionThresholdSpec {
    /// Level; cubes refuse what is not 1 to 10.
    #[schemars(range(min = 0, max = 255))]
    pub level: u8,
}

/// The interval of double taps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoubleTapIntervalSpec {
    /// Level; cubes refuse what is not 0 to 7.
    #[schemars(range(min = 0, max = 255))]
    pub level: u8,
}

/// ID notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdNotificationSpec {
    /// Least time from one to the next.
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub interval_ms: u16,
    /// When there is one.
    pub condition: IdCondition,
}

/// Missed IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdMissedSpec {
    /// How long an ID must be gone.
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub after_ms: u16,
}

/// Magnet notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMagnetSpec {
    /// What the sensor does.
    pub mode: MagnetMode,
    /// Least time from one report to the next; 0 is off.
    #[serde(default = "twenty_ms")]
    #[schemars(range(min = 0, max = 5100), extend("multipleOf" = 20))]
    pub interval_ms: u16,
    /// Report changes only.
    #[serde(default = "yes")]
    pub on_change: bool,
}

fn twenty_ms() -> u16 {
    20
}

fn yes() -> bool {
    true
}

/// Wheel speed notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetWheelSpeedSpec {
    /// Whether there are any.
    pub on: bool,
}

/// Attitude notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetAttitudeSpec {
    /// Format of the reports.
    #[serde(default)]
    pub format: AttitudeKind,
    /// Least time from one report to the next; 0 is off.
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub interval_ms: u16,
    /// Report changes only.
    #[serde(default = "yes")]
    pub on_change: bool,
}

/// Everything in one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetSerializedInfoSpec {
    /// Least time from one report to the next; 0 is off.
    #[schemars(range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub interval_ms: u16,
    /// Report changes only.
    #[serde(default = "yes")]
    pub on_change: bool,
}

/// A wish for a connection interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectionIntervalSpec {
    /// Shortest; left out: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = INTERVAL_MS[0], max = INTERVAL_MS[1]), extend("multipleOf" = INTERVAL_UNIT_MS))]
    pub min_ms: Option<f64>,
    /// Longest; left out: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = INTERVAL_MS[0], max = INTERVAL_MS[1]), extend("multipleOf" = INTERVAL_UNIT_MS))]
    pub max_ms: Option<f64>,
}

/// The mute setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMuteSpec {
    /// What is muted.
    pub mute: Mute,
}

/// Switching off by radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PowerOffSpec {
    /// After how long; 0 is at once.
    #[serde(default)]
    #[schemars(range(min = 0, max = 255))]
    pub after_s: u8,
}
