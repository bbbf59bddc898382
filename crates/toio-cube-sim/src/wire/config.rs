//! Settings and their answers, characteristic 1FF (toio facts, section 6.7).
//!
//! The second byte of a write is reserved. Clients send 0 there, one of them sends 1, and cubes take both.

use super::{Bytes, SerializedInfo, WireError, flag, in_range, since, u16_of};
use crate::{sound::Mute, version::Protocol};

/// When an ID is reported, once the least interval has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum IdCondition {
    /// Whenever the interval has passed.
    Always = 0x00,
    /// When it has changed by 2 dots in x or y, or by 3 degrees, since the last report.
    OnChange = 0x01,
    /// When it has changed at all, or 300 ms have passed.
    #[default]
    PauseUnchanged = 0xff,
}

/// What the magnet sensor does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum MagnetMode {
    /// Nothing.
    #[default]
    Off = 0,
    /// Finds the pattern of magnets under the cube.
    State = 1,
    /// Measures strength and direction, from protocol 2.3.0 on.
    Strength = 2,
}

/// Format of an attitude report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum AttitudeKind {
    /// Roll, pitch and yaw in whole degrees.
    #[default]
    Euler = 1,
    /// Unit quaternion, from protocol 2.4.0 on.
    Quaternion = 2,
    /// Roll, pitch and yaw in fractions of degrees, from protocol 2.4.0 on.
    FineEuler = 3,
}

impl AttitudeKind {
    /// The format with this number, if `protocol` has it.
    pub(super) fn decode(number: u8, protocol: Protocol) -> Result<Self, WireError> {
        match number {
            1 => Ok(Self::Euler),
            2 if protocol >= Protocol::V2_4_0 => Ok(Self::Quaternion),
            3 if protocol >= Protocol::V2_4_0 => Ok(Self::FineEuler),
            _ => Err(WireError::out_of_range("attitude type", number)),
        }
    }
}

/// A write to the configuration characteristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigCommand {
    /// `01`: which protocol version is this?
    AskVersion,
    /// `05`: tilt above which the cube is not flat, 1 to 45 degrees.
    FlatThreshold(u8),
    /// `06`: collision level, 1 to 10.
    CollisionThreshold(u8),
    /// `17`: double-tap level, 0 to 7; from 2.1.0 on.
    DoubleTapInterval(u8),
    /// `18`: when IDs are reported; from 2.2.0 on.
    IdNotify {
        /// Least interval, in units of 10 ms.
        interval_10_ms: u8,
        /// Condition.
        condition: IdCondition,
    },
    /// `19`: how long an ID must be gone to be missed, in units of 10 ms; from 2.2.0 on.
    IdMissed(u8),
    /// `1B`: magnet sensor; from 2.2.0 on, there without interval and condition.
    Magnet {
        /// What is measured.
        mode: MagnetMode,
        /// Interval, in units of 20 ms; 0 is off.
        interval_20_ms: u8,
        /// Report changes only.
        on_change: bool,
    },
    /// `1C`: report the wheel speed; from 2.2.0 on.
    WheelSpeed(bool),
    /// `1D`: attitude; from 2.3.0 on.
    Attitude {
        /// Format.
        kind: AttitudeKind,
        /// Interval, in units of 10 ms; 0 is off.
        interval_10_ms: u8,
        /// Report changes only.
        on_change: bool,
    },
    /// `1E`: serialized info; from 2.3.0 on.
    SerializedInfo {
        /// Interval, in units of 10 ms; 0 is off.
        interval_10_ms: u8,
        /// Report changes only.
        on_change: bool,
    },
    /// `30`: ask the central for a connection interval, in units of 1.25 ms; from 2.4.0 on.
    ConnectionInterval {
        /// Shortest, 6 to 0x0C80, or 0xFFFF for any.
        min: u16,
        /// Longest, likewise.
        max: u16,
    },
    /// `31`: which interval was asked for? From 2.4.0 on.
    AskRequestedInterval,
    /// `32`: which interval is it? From 2.4.0 on.
    AskActualInterval,
    /// `33`: leave sounds out, while the button is held; from 2.5.0 on.
    Mute(Mute),
    /// `0F`: forget what is saved, while the button is held; from 2.5.0 on.
    Reset,
    /// `34`: switch off after so many seconds; from 2.5.0 on.
    PowerOffAfter(u8),
}

const MIN_INTERVAL: u16 = 6;
const MAX_INTERVAL: u16 = 0x0c80;
/// A connection interval that leaves the choice to the central.
const ANY_INTERVAL: u16 = 0xffff;

impl ConfigCommand {
    /// The bytes of a write, in the form that `protocol` takes.
    #[must_use]
    pub fn encode(&self, protocol: Protocol) -> Vec<u8> {
        let is_first = protocol == Protocol::V2_0_0;
        match *self {
            Self::AskVersion => vec![0x01, 0],
            Self::FlatThreshold(deg) if is_first => vec![0x05, deg],
            Self::FlatThreshold(deg) => vec![0x05, 0, deg],
            Self::CollisionThreshold(level) if is_first => vec![0x06, level],
            Self::CollisionThreshold(level) => vec![0x06, 0, level],
            Self::DoubleTapInterval(level) => vec![0x17, 0, level],
            Self::IdNotify { interval_10_ms, condition } => vec![0x18, 0, interval_10_ms, condition as u8],
            Self::IdMissed(time_10_ms) => vec![0x19, 0, time_10_ms],
            Self::Magnet { mode, .. } if protocol <= Protocol::V2_2_0 => vec![0x1b, 0, mode as u8],
            Self::Magnet { mode, interval_20_ms, on_change } => {
                vec![0x1b, 0, mode as u8, interval_20_ms, u8::from(on_change)]
            }
            Self::WheelSpeed(is_on) => vec![0x1c, 0, u8::from(is_on)],
            Self::Attitude { kind, interval_10_ms, on_change } => {
                vec![0x1d, 0, kind as u8, interval_10_ms, u8::from(on_change)]
            }
            Self::SerializedInfo { interval_10_ms, on_change } => vec![0x1e, 0, interval_10_ms, u8::from(on_change)],
            Self::ConnectionInterval { min, max } => {
                let ([a, b], [c, d]) = (min.to_le_bytes(), max.to_le_bytes());
                vec![0x30, 0, a, b, c, d]
            }
            Self::AskRequestedInterval => vec![0x31, 0],
            Self::AskActualInterval => vec![0x32, 0],
            Self::Mute(mute) => vec![0x33, 0, mute as u8],
            Self::Reset => vec![0x0f, 0],
            Self::PowerOffAfter(delay_s) => vec![0x34, 0, delay_s],
        }
    }

    /// The meaning of a write.
    ///
    /// # Errors
    /// If the operation, the length or a field is not one that `protocol` takes.
    pub fn decode(bytes: &[u8], protocol: Protocol) -> Result<Self, WireError> {
        let op = *bytes.first().ok_or(WireError::wrong_length(bytes))?;
        since(first_version(op).ok_or(WireError::UnknownOperation)?, protocol)?;
        let operands = operands(op, bytes, protocol)?;
        match (op, operands) {
            (0x01, []) => Ok(Self::AskVersion),
            (0x05, &[deg]) => in_range("flat threshold", deg, 1, 45).map(Self::FlatThreshold),
            (0x06, &[level]) => in_range("collision level", level, 1, 10).map(Self::CollisionThreshold),
            (0x17, &[level]) => in_range("double-tap level", level, 0, 7).map(Self::DoubleTapInterval),
            (0x18, &[interval_10_ms, condition]) => {
                Ok(Self::IdNotify { interval_10_ms, condition: id_condition(condition)? })
            }
            (0x19, &[time_10_ms]) => Ok(Self::IdMissed(time_10_ms)),
            (0x1b, magnet) => decode_magnet(magnet, bytes, protocol),
            (0x1c, &[is_on]) => flag("wheel speed", is_on).map(Self::WheelSpeed),
            (0x1d, &[kind, interval_10_ms, condition]) => Ok(Self::Attitude {
                kind: AttitudeKind::decode(kind, protocol)?,
                interval_10_ms,
                on_change: flag("condition", condition)?,
            }),
            (0x1e, &[interval_10_ms, condition]) => {
                Ok(Self::SerializedInfo { interval_10_ms, on_change: flag("condition", condition)? })
            }
            (0x30, &[a, b, c, d]) => decode_interval(u16_of(a, b), u16_of(c, d)),
            (0x31, []) => Ok(Self::AskRequestedInterval),
            (0x32, []) => Ok(Self::AskActualInterval),
            (0x33, &[mute]) => decode_mute(mute),
            (0x0f, []) => Ok(Self::Reset),
            (0x34, &[delay_s]) => Ok(Self::PowerOffAfter(delay_s)),
            _ => Err(WireError::wrong_length(bytes)),
        }
    }
}

/// The version that brought an operation.
fn first_version(op: u8) -> Option<Protocol> {
    match op {
        0x01 | 0x05 | 0x06 => Some(Protocol::V2_0_0),
        0x17 => Some(Protocol::V2_1_0),
        0x18 | 0x19 | 0x1b | 0x1c => Some(Protocol::V2_2_0),
        0x1d | 0x1e => Some(Protocol::V2_3_0),
        0x30..=0x32 => Some(Protocol::V2_4_0),
        0x0f | 0x33 | 0x34 => Some(Protocol::V2_5_0),
        _ => None,
    }
}

/// What follows the operation and the reserved byte. The first version's thresholds have no reserved byte, and the reset is
/// written with and without one.
fn operands(op: u8, bytes: &[u8], protocol: Protocol) -> Result<&[u8], WireError> {
    let is_short = matches!(op, 0x05 | 0x06) && protocol == Protocol::V2_0_0;
    let start = if is_short || bytes == [0x0f] { 1 } else { 2 };
    bytes.get(start..).ok_or(WireError::wrong_length(bytes))
}

fn id_condition(condition: u8) -> Result<IdCondition, WireError> {
    match condition {
        0x00 => Ok(IdCondition::Always),
        0x01 => Ok(IdCondition::OnChange),
        0xff => Ok(IdCondition::PauseUnchanged),
        _ => Err(WireError::out_of_range("condition", condition)),
    }
}

fn decode_magnet(operands: &[u8], bytes: &[u8], protocol: Protocol) -> Result<ConfigCommand, WireError> {
    // In 2.2.0 there is only the state, reported on change as soon as it is measured.
    let (mode, interval_20_ms, condition) = match (operands, protocol) {
        (&[mode], Protocol::V2_2_0) => (in_range("magnet mode", mode, 0, 1)?, 1, 1),
        (&[mode, interval, condition], _) if protocol > Protocol::V2_2_0 => (mode, interval, condition),
        _ => return Err(WireError::wrong_length(bytes)),
    };
    let mode = match mode {
        0 => MagnetMode::Off,
        1 => MagnetMode::State,
        2 => MagnetMode::Strength,
        _ => return Err(WireError::out_of_range("magnet mode", mode)),
    };
    Ok(ConfigCommand::Magnet { mode, interval_20_ms, on_change: flag("condition", condition)? })
}

fn decode_interval(min: u16, max: u16) -> Result<ConfigCommand, WireError> {
    let is_known = |units: u16| units == ANY_INTERVAL || (MIN_INTERVAL..=MAX_INTERVAL).contains(&units);
    if let Some(&units) = [min, max].iter().find(|&&units| !is_known(units)) {
        return Err(WireError::out_of_range("connection interval", units));
    }
    if min != ANY_INTERVAL && max < min {
        return Err(WireError::out_of_range("longest connection interval", max));
    }
    Ok(ConfigCommand::ConnectionInterval { min, max })
}

fn decode_mute(byte: u8) -> Result<ConfigCommand, WireError> {
    Mute::from_wire(byte).map(ConfigCommand::Mute).ok_or(WireError::out_of_range("mute", byte))
}

/// A write that is answered with a result: 0 is done, anything else is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// `8F`.
    Reset = 0x8f,
    /// `98`.
    IdNotify = 0x98,
    /// `99`.
    IdMissed = 0x99,
    /// `9B`.
    Magnet = 0x9b,
    /// `9C`.
    WheelSpeed = 0x9c,
    /// `9D`.
    Attitude = 0x9d,
    /// `9E`.
    SerializedInfo = 0x9e,
    /// `B0`.
    ConnectionInterval = 0xb0,
    /// `B3`.
    Mute = 0xb3,
    /// `B4`.
    PowerOff = 0xb4,
}

impl Setting {
    /// The setting that a write with this first byte is answered as, if it is answered with a result at all.
    #[must_use]
    pub fn from_operation(op: u8) -> Option<Self> {
        match op | 0x80 {
            0x8f => Some(Self::Reset),
            0x98 => Some(Self::IdNotify),
            0x99 => Some(Self::IdMissed),
            0x9b => Some(Self::Magnet),
            0x9c => Some(Self::WheelSpeed),
            0x9d => Some(Self::Attitude),
            0x9e => Some(Self::SerializedInfo),
            0xb0 => Some(Self::ConnectionInterval),
            0xb3 => Some(Self::Mute),
            0xb4 => Some(Self::PowerOff),
            _ => None,
        }
    }
}

/// What the configuration characteristic says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigReport {
    /// `81`: five ASCII characters, such as `2.4.0`.
    Version([u8; 5]),
    /// Answer to a setting.
    Result {
        /// Which.
        setting: Setting,
        /// 0 if it was done; anything else if it was refused.
        result: u8,
    },
    /// `B1`: connection interval asked for, in units of 1.25 ms.
    RequestedInterval {
        /// Shortest.
        min: u16,
        /// Longest.
        max: u16,
    },
    /// `B2`: connection interval in use, in units of 1.25 ms.
    ActualInterval(u16),
    /// `F0`: the state of the cube in 19 bytes.
    Serialized(SerializedInfo),
}

impl ConfigReport {
    /// The answer to the question for the version.
    #[must_use]
    pub fn version(protocol: Protocol) -> Self {
        let mut text = [0; 5];
        text.copy_from_slice(protocol.as_str().as_bytes());
        Self::Version(text)
    }

    /// The bytes of a notification.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        match *self {
            Self::Version(text) => Bytes::from_slice(&[0x81, 0]).with(text),
            Self::Result { setting, result } => Bytes::from_slice(&[setting as u8, 0, result]),
            Self::RequestedInterval { min, max } => {
                Bytes::from_slice(&[0xb1, 0]).with(min.to_le_bytes()).with(max.to_le_bytes())
            }
            Self::ActualInterval(current) => Bytes::from_slice(&[0xb2, 0]).with(current.to_le_bytes()),
            Self::Serialized(info) => info.encode(),
        }
    }

    /// The meaning of a notification.
    ///
    /// # Errors
    /// If the first byte is unknown or the length is not that of its layout.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        match *bytes {
            [0x81, _, a, b, c, d, e] => Ok(Self::Version([a, b, c, d, e])),
            [0xb1, _, a, b, c, d] => Ok(Self::RequestedInterval { min: u16_of(a, b), max: u16_of(c, d) }),
            [0xb2, _, a, b] => Ok(Self::ActualInterval(u16_of(a, b))),
            [0xf0, ..] => SerializedInfo::decode(bytes).map(Self::Serialized),
            [0x81 | 0xb1 | 0xb2, ..] | [] => Err(WireError::wrong_length(bytes)),
            [op @ 0x80..=0xff, ref operands @ ..] => {
                let setting = Setting::from_operation(op).ok_or(WireError::UnknownOperation)?;
                let &[_, result] = operands else { return Err(WireError::wrong_length(bytes)) };
                Ok(Self::Result { setting, result })
            }
            _ => Err(WireError::UnknownOperation),
        }
    }
}
