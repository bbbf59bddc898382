//! Motion, magnet and attitude, characteristic 106 (toio facts, section 6.5).

use super::{AttitudeKind, Bytes, WireError, flag, since, u16_of};
use crate::{magnet::MagnetState, motion::Posture, version::Protocol};

/// A write that asks for one report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SensorRequest {
    /// `81`: motion, from 2.2.0 on.
    Motion,
    /// `82`: magnet, from 2.2.0 on.
    Magnet,
    /// `83`: attitude, from 2.3.0 on.
    Attitude(AttitudeKind),
}

impl SensorRequest {
    /// The bytes of a write.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match *self {
            Self::Motion => vec![0x81],
            Self::Magnet => vec![0x82],
            Self::Attitude(kind) => vec![0x83, kind as u8],
        }
    }

    /// The meaning of a write.
    ///
    /// # Errors
    /// If the operation, the length or the attitude type is not one that `protocol` takes.
    pub fn decode(bytes: &[u8], protocol: Protocol) -> Result<Self, WireError> {
        since(Protocol::V2_2_0, protocol)?;
        match *bytes {
            [0x81] => Ok(Self::Motion),
            [0x82] => Ok(Self::Magnet),
            [0x83, ref operands @ ..] => {
                since(Protocol::V2_3_0, protocol)?;
                let &[kind] = operands else { return Err(WireError::wrong_length(bytes)) };
                AttitudeKind::decode(kind, protocol).map(Self::Attitude)
            }
            [0x81 | 0x82, ..] | [] => Err(WireError::wrong_length(bytes)),
            _ => Err(WireError::UnknownOperation),
        }
    }
}

/// What the motion sensor says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionReport {
    /// The cube stands or lies flat.
    pub is_flat: bool,
    /// It has just been hit.
    pub collision: bool,
    /// It has just been tapped twice; from 2.1.0 on.
    pub double_tap: bool,
    /// Which side is up, from 2.1.0 on; unknown is sent as 0.
    pub posture: Option<Posture>,
    /// How hard it is shaken, 0 to 10; from 2.2.0 on.
    pub shake: u8,
}

impl MotionReport {
    /// The bytes of a notification: 3, 5 or 6, as `protocol` has it.
    #[must_use]
    pub fn encode(&self, protocol: Protocol) -> Bytes {
        let posture = self.posture.map_or(0, |posture| posture as u8);
        let [flat, hit, taps] = [self.is_flat, self.collision, self.double_tap].map(u8::from);
        let length = match protocol {
            Protocol::V2_0_0 => 3,
            Protocol::V2_1_0 => 5,
            _ => 6,
        };
        Bytes::from_slice(&[1, flat, hit, taps, posture, self.shake][..length])
    }

    fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let (flat, hit, taps, posture, shake) = match *bytes {
            [_, flat, hit] => (flat, hit, 0, 0, 0),
            [_, flat, hit, taps, posture] => (flat, hit, taps, posture, 0),
            [_, flat, hit, taps, posture, shake] => (flat, hit, taps, posture, shake),
            _ => return Err(WireError::wrong_length(bytes)),
        };
        Ok(Self {
            is_flat: flag("flat", flat)?,
            collision: flag("collision", hit)?,
            double_tap: flag("double tap", taps)?,
            posture: decode_posture(posture)?,
            shake: if shake <= 10 { shake } else { return Err(WireError::out_of_range("shake", shake)) },
        })
    }
}

pub(super) fn decode_posture(number: u8) -> Result<Option<Posture>, WireError> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(Posture::Top)),
        2 => Ok(Some(Posture::Bottom)),
        3 => Ok(Some(Posture::Rear)),
        4 => Ok(Some(Posture::Front)),
        5 => Ok(Some(Posture::Right)),
        6 => Ok(Some(Posture::Left)),
        _ => Err(WireError::out_of_range("posture", number)),
    }
}

/// What the magnet sensor says. State and strength exclude each other; the other one's fields are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MagnetReport {
    /// Pattern of magnets under the cube.
    pub state: MagnetState,
    /// Strength of the field; from 2.3.0 on.
    pub strength: u8,
    /// Direction of the field in the cube's own axes, each -10 to 10; from 2.3.0 on.
    pub direction: [i8; 3],
}

impl MagnetReport {
    /// The bytes of a notification: 2 in 2.2.0, 6 later.
    #[must_use]
    pub fn encode(&self, protocol: Protocol) -> Bytes {
        let [x, y, z] = self.direction.map(i8::cast_unsigned);
        let length = if protocol <= Protocol::V2_2_0 { 2 } else { 6 };
        Bytes::from_slice(&[2, self.state as u8, self.strength, x, y, z][..length])
    }

    fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        match *bytes {
            [_, state] => Ok(Self { state: decode_magnet_state(state)?, ..Self::default() }),
            [_, state, strength, x, y, z] => {
                let direction = [x, y, z].map(u8::cast_signed);
                Ok(Self { state: decode_magnet_state(state)?, strength, direction })
            }
            _ => Err(WireError::wrong_length(bytes)),
        }
    }
}

pub(super) fn decode_magnet_state(number: u8) -> Result<MagnetState, WireError> {
    use MagnetState::{CenterN, CenterS, LeftN, LeftS, None, RightN, RightS};
    let states = [None, CenterS, CenterN, RightS, RightN, LeftS, LeftN];
    states.get(usize::from(number)).copied().ok_or(WireError::out_of_range("magnet state", number))
}

/// What the attitude sensor says. Roll is positive with the right side down, pitch with the nose up, yaw clockwise from above;
/// yaw is 0 at the heading at power-on. Degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttitudeReport {
    /// Whole degrees.
    Euler {
        /// -179 to 180.
        roll_deg: i16,
        /// -90 to 90.
        pitch_deg: i16,
        /// -179 to 180.
        yaw_deg: i16,
    },
    /// Unit quaternion.
    Quaternion {
        /// Real part.
        w: f32,
        /// Along the cube's forward axis.
        x: f32,
        /// Along the axis to the cube's right.
        y: f32,
        /// Along the axis downwards.
        z: f32,
    },
    /// Degrees as floats.
    FineEuler {
        /// (-180, 180].
        roll_deg: f32,
        /// (-90, 90].
        pitch_deg: f32,
        /// (-180, 180].
        yaw_deg: f32,
    },
}

impl AttitudeReport {
    /// The bytes of a notification.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        match *self {
            Self::Euler { roll_deg, pitch_deg, yaw_deg } => {
                Bytes::from_slice(&[3, 1]).with([roll_deg, pitch_deg, yaw_deg].into_iter().flat_map(i16::to_le_bytes))
            }
            Self::Quaternion { w, x, y, z } => {
                Bytes::from_slice(&[3, 2]).with([w, x, y, z].into_iter().flat_map(f32::to_le_bytes))
            }
            Self::FineEuler { roll_deg, pitch_deg, yaw_deg } => {
                Bytes::from_slice(&[3, 3]).with([roll_deg, pitch_deg, yaw_deg].into_iter().flat_map(f32::to_le_bytes))
            }
        }
    }

    /// Also takes the older quaternion of 10 bytes, in ten-thousandths.
    fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let (shorts, _) = bytes[1..].get(1..).unwrap_or_default().as_chunks::<2>();
        let short = |index: usize| u16_of(shorts[index][0], shorts[index][1]).cast_signed();
        let (floats, _) = bytes[1..].get(1..).unwrap_or_default().as_chunks::<4>();
        let float = |index: usize| f32::from_le_bytes(floats[index]);
        match (bytes.get(1), bytes.len()) {
            (Some(1), 8) => Ok(Self::Euler { roll_deg: short(0), pitch_deg: short(1), yaw_deg: short(2) }),
            (Some(2), 10) => {
                let [w, x, y, z] = [0, 1, 2, 3].map(|index| f32::from(short(index)) / 10_000.0);
                Ok(Self::Quaternion { w, x, y, z })
            }
            (Some(2), 18) => Ok(Self::Quaternion { w: float(0), x: float(1), y: float(2), z: float(3) }),
            (Some(3), 14) => Ok(Self::FineEuler { roll_deg: float(0), pitch_deg: float(1), yaw_deg: float(2) }),
            (Some(1..=3) | None, _) => Err(WireError::wrong_length(bytes)),
            (Some(&kind), _) => Err(WireError::out_of_range("attitude type", kind)),
        }
    }
}

/// A report of the sensor characteristic, of any kind.
pub(super) enum SensorReport {
    Motion(MotionReport),
    Magnet(MagnetReport),
    Attitude(AttitudeReport),
}

pub(super) fn decode_report(bytes: &[u8]) -> Result<SensorReport, WireError> {
    match bytes {
        [1, ..] => MotionReport::decode(bytes).map(SensorReport::Motion),
        [2, ..] => MagnetReport::decode(bytes).map(SensorReport::Magnet),
        [3, ..] => AttitudeReport::decode(bytes).map(SensorReport::Attitude),
        [] => Err(WireError::wrong_length(bytes)),
        _ => Err(WireError::UnknownOperation),
    }
}
