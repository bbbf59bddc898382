//! The keys of a cube that its profile decides if they are left out: each choice by itself, its battery and its attitude.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toio_cube_sim::attitude::{AttitudeParams, QuaternionForm};
use toio_cube_sim::battery::BatteryParams;
use toio_cube_sim::behaviour::{ArrivalRule, Behaviour, FirstRamp, Limiting, PostureCones, RelativeOrigin};
use toio_physics::LagLaw;

/// Single choices where the sources differ. What is left out is that of the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BehaviourSpec {
    /// When a target counts as reached; left out: `specified`, for `unity` `unity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ArrivalRule")]
    pub arrival: Option<ArrivalRule>,
    /// What happens to wheel commands that are more than the motors can do; left out: `symmetric`, for `unity` `left_first`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Limiting")]
    pub limiting: Option<Limiting>,
    /// Which heading a relative angle of `motor_targets` starts from; left out: `writing`, for `unity` `arrival`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RelativeOrigin")]
    pub relative_origin: Option<RelativeOrigin>,
    /// What the first `motor_accelerate` after another command does; left out: `jump`, for `unity` `from_rest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "FirstRamp")]
    pub first_ramp: Option<FirstRamp>,
    /// Least interval between ID reports until a client sets it; left out: 10, for `unity` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub id_interval_ms: Option<u16>,
    /// How long an ID must be gone to be missed, until a client sets it; left out: 70, for `unity` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 0, max = 2550), extend("multipleOf" = 10))]
    pub id_missed_ms: Option<u16>,
    /// Time between two looks at the wheel speed; left out: 100, for `unity` 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 10_000))]
    pub wheel_speed_period_ms: Option<u32>,
    /// The motors get no command while the button is pressed; left out: no, for `unity` yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub button_stops_motors: Option<bool>,
    /// How far from straight up a side may point and still be the posture; left out: `fixed`, for `unity` `flat_threshold`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PostureCones")]
    pub posture_cones: Option<PostureCones>,
    /// How the lag of the motors is stepped; left out: `exact`, for `unity` `unity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LagLaw")]
    pub lag_law: Option<LagLaw>,
    /// Wheels, and a body on them, stop at once while no client is connected or the button is pressed; left out: no, for `unity` yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub forced_stop: Option<bool>,
}

impl BehaviourSpec {
    /// The choices of the firmware over those of a profile.
    pub(super) fn over(&self, profile: Behaviour) -> Behaviour {
        let in_10_ms = |ms: u16| (ms / 10) as u8;
        Behaviour {
            arrival: self.arrival.unwrap_or(profile.arrival),
            limiting: self.limiting.unwrap_or(profile.limiting),
            relative_origin: self.relative_origin.unwrap_or(profile.relative_origin),
            first_ramp: self.first_ramp.unwrap_or(profile.first_ramp),
            id_interval_10_ms: self.id_interval_ms.map_or(profile.id_interval_10_ms, in_10_ms),
            id_missed_10_ms: self.id_missed_ms.map_or(profile.id_missed_10_ms, in_10_ms),
            wheel_speed_period_ms: self.wheel_speed_period_ms.unwrap_or(profile.wheel_speed_period_ms),
            button_stops_motors: self.button_stops_motors.unwrap_or(profile.button_stops_motors),
            posture_cones: self.posture_cones.unwrap_or(profile.posture_cones),
        }
    }
}

/// The battery. What is left out is that of the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BatterySpec {
    /// Charge when full; left out: 260.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 1, max = 100_000))]
    pub capacity_mah: Option<f64>,
    /// Current of processor, radio and sensors; left out: 60, for `unity` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 100_000))]
    pub base_ma: Option<f64>,
    /// Current of one motor at the highest command; left out: 58, for `unity` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 100_000))]
    pub motor_ma: Option<f64>,
    /// Current of the lamp in full white; left out: 15, for `unity` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 100_000))]
    pub lamp_ma: Option<f64>,
}

impl BatterySpec {
    /// The battery over that of a profile.
    pub(super) fn over(&self, profile: &BatteryParams) -> BatteryParams {
        BatteryParams {
            capacity_mah: self.capacity_mah.unwrap_or(profile.capacity_mah),
            base_ma: self.base_ma.unwrap_or(profile.base_ma),
            motor_ma: self.motor_ma.unwrap_or(profile.motor_ma),
            lamp_ma: self.lamp_ma.unwrap_or(profile.lamp_ma),
        }
    }
}

/// The attitude that a cube reports. What is left out is that of the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AttitudeSpec {
    /// Factor on the yaw drift at rest; left out: 1, about one degree every few seconds; 0 is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 1000))]
    pub drift: Option<f64>,
    /// Largest error of the turn rate as a share, each cube its own within it; left out: 0.01, for `unity` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 0.5))]
    pub turn_error: Option<f64>,
    /// What the reported quaternion is; left out: `documented`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "QuaternionForm")]
    pub quaternion: Option<QuaternionForm>,
}

impl AttitudeSpec {
    /// The errors over those of a profile.
    pub(super) fn over(&self, profile: &AttitudeParams) -> AttitudeParams {
        AttitudeParams {
            drift: self.drift.unwrap_or(profile.drift),
            turn_error: self.turn_error.unwrap_or(profile.turn_error),
            quaternion: self.quaternion.unwrap_or(profile.quaternion),
        }
    }
}
