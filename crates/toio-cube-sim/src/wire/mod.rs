//! Every byte layout of the cube, both ways: typed values to bytes and bytes to typed values (toio facts, sections 5 and 6).
//!
//! All multi-byte numbers are little-endian. A typed value that a layout cannot hold does not wrap into another one: it is
//! encoded as the nearest value, or as one that the cube refuses.

mod bytes;
mod config;
mod error;
mod id;
mod light;
mod motor;
mod sensor;
mod serialized;
mod sound;
mod traffic;

pub(crate) use bytes::hash_optional;
pub use bytes::{Bytes, MAX_MESSAGE_BYTES};
pub use config::{AttitudeKind, ConfigCommand, ConfigReport, IdCondition, MagnetMode, Setting};
pub use error::WireError;
pub use id::{IdReport, PositionId, StandardId};
pub use light::LightCommand;
pub use motor::{
    Acceleration, ErrorCode, KEEP, MAX_ANGLE_DEG, MAX_TARGETS, MAX_WHEEL_UNITS, MotorCommand, MotorReport, Movement,
    Priority, SpeedCurve, Target, TargetHeading, Travel, Turn, WheelCommands,
};
pub use sensor::{AttitudeReport, MagnetReport, MotionReport, SensorRequest};
pub use serialized::{CODE_WHILE_RUNNING, SerializedInfo};
pub use sound::{MAX_SOUND_EFFECT, SoundCommand};
pub use traffic::{Command, Message, Notification};

use crate::version::Protocol;

/// True unless a feature is newer than the cube's protocol.
fn since(first: Protocol, protocol: Protocol) -> Result<(), WireError> {
    if protocol >= first { Ok(()) } else { Err(WireError::UnknownOperation) }
}

/// Passes a byte that lies in `min..=max`.
fn in_range(field: &'static str, value: u8, min: u8, max: u8) -> Result<u8, WireError> {
    if (min..=max).contains(&value) { Ok(value) } else { Err(WireError::out_of_range(field, value)) }
}

/// A byte that means no or yes.
fn flag(field: &'static str, value: u8) -> Result<bool, WireError> {
    in_range(field, value, 0, 1).map(|byte| byte == 1)
}

fn u16_of(low: u8, high: u8) -> u16 {
    u16::from_le_bytes([low, high])
}
