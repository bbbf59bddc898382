//! A cube's program: what its client does, and when. Every write of the protocol has words for its fields (toio facts, section 6); any
//! bytes at all can be written too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::characteristics;
use super::spec_commands::{
    CollisionThresholdSpec, ConnectionIntervalSpec, DoubleTapIntervalSpec, FlatThresholdSpec, IdMissedSpec,
    IdNotificationSpec, LightBlinkSpec, LightSequenceSpec, LightSpec, MotorAccelerateSpec, MotorRunForSpec,
    MotorTargetSpec, MotorTargetsSpec, NothingSpec, PowerOffSpec, RequestAttitudeSpec, SetAttitudeSpec, SetMagnetSpec,
    SetMuteSpec, SetSerializedInfoSpec, SetWheelSpeedSpec, SoundEffectSpec, SoundNotesSpec,
};
use sim_input::schema::HEX_PATTERN;
use toio_cube_sim::wire::WheelCommands;

/// One thing that a cube's client does: a moment, and exactly one of the other keys (`write` goes with `hex`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandSpec {
    /// When the client does it.
    #[schemars(range(min = 0, max = 100_000_000))]
    pub at_s: f64,
    /// Turn the wheels until the next motor command (`01`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WheelCommands")]
    pub motor_run: Option<WheelCommands>,
    /// Turn the wheels for a time (`02`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MotorRunForSpec")]
    pub motor_run_for: Option<MotorRunForSpec>,
    /// Go to a target (`03`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MotorTargetSpec")]
    pub motor_target: Option<MotorTargetSpec>,
    /// Go through targets (`04`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MotorTargetsSpec")]
    pub motor_targets: Option<MotorTargetsSpec>,
    /// Go at a speed and turn at a rate (`05`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MotorAccelerateSpec")]
    pub motor_accelerate: Option<MotorAccelerateSpec>,
    /// Light the lamp (`03`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LightSpec")]
    pub light: Option<LightSpec>,
    /// Show colours one after the other (`04`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LightSequenceSpec")]
    pub light_sequence: Option<LightSequenceSpec>,
    /// All lamps off (`01`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub light_off: Option<NothingSpec>,
    /// The one lamp off (`02`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub light_one_off: Option<NothingSpec>,
    /// Blink smoothly (`70`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LightBlinkSpec")]
    pub light_blink: Option<LightBlinkSpec>,
    /// Play a built-in effect (`02`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SoundEffectSpec")]
    pub sound_effect: Option<SoundEffectSpec>,
    /// Play notes (`03`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SoundNotesSpec")]
    pub sound_notes: Option<SoundNotesSpec>,
    /// Silence (`01`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub sound_stop: Option<NothingSpec>,
    /// Ask for one motion report (`81`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub request_motion: Option<NothingSpec>,
    /// Ask for one magnet report (`82`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub request_magnet: Option<NothingSpec>,
    /// Ask for one attitude report (`83`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RequestAttitudeSpec")]
    pub request_attitude: Option<RequestAttitudeSpec>,
    /// Ask for the protocol version (`01`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub ask_version: Option<NothingSpec>,
    /// Tilt above which the cube is not flat (`05`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "FlatThresholdSpec")]
    pub set_flat_threshold: Option<FlatThresholdSpec>,
    /// How hard a hit is a collision (`06`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CollisionThresholdSpec")]
    pub set_collision_threshold: Option<CollisionThresholdSpec>,
    /// How far apart two taps may be (`17`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DoubleTapIntervalSpec")]
    pub set_double_tap_interval: Option<DoubleTapIntervalSpec>,
    /// When IDs are reported (`18`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "IdNotificationSpec")]
    pub set_id_notification: Option<IdNotificationSpec>,
    /// How long an ID must be gone to be missed (`19`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "IdMissedSpec")]
    pub set_id_missed: Option<IdMissedSpec>,
    /// What the magnet sensor reports (`1B`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SetMagnetSpec")]
    pub set_magnet: Option<SetMagnetSpec>,
    /// Report the speed of the wheels, or do not (`1C`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SetWheelSpeedSpec")]
    pub set_wheel_speed: Option<SetWheelSpeedSpec>,
    /// What the attitude sensor reports (`1D`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SetAttitudeSpec")]
    pub set_attitude: Option<SetAttitudeSpec>,
    /// Report everything in one message (`1E`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SetSerializedInfoSpec")]
    pub set_serialized_info: Option<SetSerializedInfoSpec>,
    /// Ask for a connection interval (`30`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ConnectionIntervalSpec")]
    pub set_connection_interval: Option<ConnectionIntervalSpec>,
    /// Which interval was asked for (`31`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub ask_requested_interval: Option<NothingSpec>,
    /// Which interval it is (`32`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub ask_actual_interval: Option<NothingSpec>,
    /// What is muted; the button must be held (`33`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SetMuteSpec")]
    pub set_mute: Option<SetMuteSpec>,
    /// Forget what is saved; the button must be held (`0F`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub reset_settings: Option<NothingSpec>,
    /// Switch off by radio (`34`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PowerOffSpec")]
    pub power_off: Option<PowerOffSpec>,
    /// The client connects; not a write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub connect: Option<NothingSpec>,
    /// The client goes; not a write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "NothingSpec")]
    pub disconnect: Option<NothingSpec>,
    /// Read the present value of a characteristic, given by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "characteristics")]
    pub read: Option<String>,
    /// Begin the notifications of a characteristic, given by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "characteristics")]
    pub subscribe: Option<String>,
    /// End the notifications of a characteristic, given by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "characteristics")]
    pub unsubscribe: Option<String>,
    /// Write any bytes to a characteristic, given by its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "characteristics")]
    pub write: Option<String>,
    /// The bytes, as pairs of hexadecimal digits; spaces may stand between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", pattern(HEX_PATTERN))]
    pub hex: Option<String>,
}
