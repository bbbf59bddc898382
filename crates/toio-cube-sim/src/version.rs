//! Protocol versions and what the motor of each can do (toio facts, sections 2.1 and 7).

use std::fmt;
use toio_hardware::{MOTOR_RANGE_V2_0, MOTOR_RANGE_V2_1, MotorRange};

/// Version of the BLE protocol that a cube speaks. Later versions compare greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// Firmware 02.0000.
    V2_0_0,
    /// Firmware 02.0001 and 02.0003: targets, acceleration, double tap, posture.
    V2_1_0,
    /// Firmware 02.0004: ID settings, shake, magnet state, wheel speed, requests.
    V2_2_0,
    /// Firmware 02.0005: magnet strength, Euler attitude, serialized info.
    V2_3_0,
    /// Firmware 02.0006: quaternion, fine Euler angles, connection interval.
    V2_4_0,
    /// Firmware 02.0007: savable settings, remote power off, smooth blink.
    #[default]
    V2_5_0,
}

impl Protocol {
    /// Every version, oldest first.
    pub const ALL: [Self; 6] = [Self::V2_0_0, Self::V2_1_0, Self::V2_2_0, Self::V2_3_0, Self::V2_4_0, Self::V2_5_0];

    /// The text of the version answer.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_0_0 => "2.0.0",
            Self::V2_1_0 => "2.1.0",
            Self::V2_2_0 => "2.2.0",
            Self::V2_3_0 => "2.3.0",
            Self::V2_4_0 => "2.4.0",
            Self::V2_5_0 => "2.5.0",
        }
    }

    /// The version with this text, if there is one.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.as_str() == text)
    }

    /// Smallest motor command, in command units, that turns a wheel.
    #[must_use]
    pub fn dead_zone(self) -> f64 {
        self.motor_range().least_units
    }

    /// Motor command, in command units, above which a wheel turns no faster.
    #[must_use]
    pub fn max_command(self) -> f64 {
        self.motor_range().saturation_units
    }

    fn motor_range(self) -> MotorRange {
        if self == Self::V2_0_0 { MOTOR_RANGE_V2_0 } else { MOTOR_RANGE_V2_1 }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
