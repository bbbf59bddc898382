//! ID information, characteristic 101 (toio facts, section 6.1).

use super::{Bytes, WireError, u16_of};

/// A Position ID: where the cube is on a mat. Dots of the mat, degrees clockwise from the mat's x axis, 0 to 360.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PositionId {
    /// x of the cube's centre, in dots.
    pub centre_x: u16,
    /// y of the cube's centre, in dots.
    pub centre_y: u16,
    /// Heading of the cube, in degrees.
    pub centre_deg: u16,
    /// x of the read sensor, in dots.
    pub sensor_x: u16,
    /// y of the read sensor, in dots.
    pub sensor_y: u16,
    /// Heading of the read sensor, in degrees.
    pub sensor_deg: u16,
}

/// A Standard ID: which card or sticker the cube stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StandardId {
    /// Number of the printed item.
    pub value: u32,
    /// Heading of the cube on it, in degrees clockwise, 0 to 360.
    pub deg: u16,
}

/// Report of the ID under the sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdReport {
    /// On a mat.
    Position(PositionId),
    /// On a card or sticker.
    Standard(StandardId),
    /// The Position ID that was read last is gone.
    PositionMissed,
    /// The Standard ID that was read last is gone.
    StandardMissed,
}

impl IdReport {
    /// The bytes of a notification.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        match *self {
            Self::Position(id) => {
                let words = [id.centre_x, id.centre_y, id.centre_deg, id.sensor_x, id.sensor_y, id.sensor_deg];
                Bytes::from_slice(&[1]).with(words.into_iter().flat_map(u16::to_le_bytes))
            }
            Self::Standard(id) => Bytes::from_slice(&[2]).with(id.value.to_le_bytes()).with(id.deg.to_le_bytes()),
            Self::PositionMissed => Bytes::from_slice(&[3]),
            Self::StandardMissed => Bytes::from_slice(&[4]),
        }
    }

    /// The meaning of a notification.
    ///
    /// # Errors
    /// If the first byte is unknown or the length is not that of its layout.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        match *bytes {
            [1, a, b, c, d, e, f, g, h, i, j, k, l] => Ok(Self::Position(PositionId {
                centre_x: u16_of(a, b),
                centre_y: u16_of(c, d),
                centre_deg: u16_of(e, f),
                sensor_x: u16_of(g, h),
                sensor_y: u16_of(i, j),
                sensor_deg: u16_of(k, l),
            })),
            [2, a, b, c, d, e, f] => {
                Ok(Self::Standard(StandardId { value: u32::from_le_bytes([a, b, c, d]), deg: u16_of(e, f) }))
            }
            [3] => Ok(Self::PositionMissed),
            [4] => Ok(Self::StandardMissed),
            [1..=4, ..] | [] => Err(WireError::wrong_length(bytes)),
            _ => Err(WireError::UnknownOperation),
        }
    }
}
