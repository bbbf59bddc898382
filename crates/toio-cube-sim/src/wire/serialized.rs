//! Serialized info: the state of the cube in `F0` and 19 bytes (toio facts, section 6.8).
//!
//! Bit 0 is the least significant bit of the first byte after `F0`; fields are little-endian and lie across byte borders.

use super::{
    Bytes, IdReport, PositionId, StandardId, WireError,
    sensor::{decode_magnet_state, decode_posture},
};
use crate::{magnet::MagnetState, motion::Posture};

/// Value of [`SerializedInfo::motor_code`] while a `03` or `04` runs.
pub const CODE_WHILE_RUNNING: u8 = 0x1f;

const FIRST_BYTE: u8 = 0xf0;
const LENGTH: usize = 20;

const ID_NONE: u32 = 3;
const ID_POSITION: u32 = 2;
const ID_STANDARD: u32 = 1;

/// Content of the serialized info.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SerializedInfo {
    /// The button is pressed.
    pub button: bool,
    /// ID under the sensor. A Position ID holds the centre only; the sensor's place reads 0.
    pub id: IdReport,
    /// Heading of the ID that was read last, in degrees, when there is none now.
    pub last_deg: u16,
    /// Left wheel speed, in command units; 0 unless its report is on.
    pub left_speed: u8,
    /// Right wheel speed.
    pub right_speed: u8,
    /// Code of the last `83` or `84`; [`CODE_WHILE_RUNNING`] while one runs.
    pub motor_code: u8,
    /// Which side is up.
    pub posture: Option<Posture>,
    /// Battery, in percent.
    pub battery_percent: u8,
    /// The cube is flat.
    pub is_flat: bool,
    /// How hard it is shaken, 0 to 10.
    pub shake: u8,
    /// It has just been hit.
    pub collision: bool,
    /// It has just been tapped twice.
    pub double_tap: bool,
    /// Roll, pitch and yaw in whole degrees.
    pub euler_deg: [i16; 3],
    /// Pattern of magnets.
    pub magnet_state: MagnetState,
    /// Strength of the magnetic field.
    pub magnet_strength: u8,
}

impl SerializedInfo {
    /// The bytes of a notification.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        let mut bytes = [0; LENGTH];
        bytes[0] = FIRST_BYTE;
        let bits = &mut bytes[1..];
        put(bits, 4, 1, u32::from(self.button));
        self.put_id(bits);
        put(bits, 72, 8, u32::from(self.left_speed));
        put(bits, 80, 8, u32::from(self.right_speed));
        put(bits, 88, 5, u32::from(self.motor_code));
        put(bits, 93, 3, self.posture.map_or(0, |posture| posture as u32));
        put(bits, 96, 7, u32::from(self.battery_percent));
        put(bits, 103, 1, u32::from(self.is_flat));
        put(bits, 104, 5, u32::from(self.shake));
        put(bits, 109, 1, u32::from(self.collision));
        put(bits, 110, 1, u32::from(self.double_tap));
        for (index, angle_deg) in self.euler_deg.into_iter().enumerate() {
            put(bits, 112 + 8 * index, 8, u32::from(angle_deg.unsigned_abs()));
            put(bits, 136 + index, 1, u32::from(angle_deg < 0));
        }
        put(bits, 141, 3, self.magnet_state as u32);
        put(bits, 144, 8, u32::from(self.magnet_strength));
        Bytes::from_slice(&bytes)
    }

    fn put_id(&self, bits: &mut [u8]) {
        let state = match self.id {
            IdReport::Position(_) => ID_POSITION,
            IdReport::Standard(_) => ID_STANDARD,
            IdReport::PositionMissed | IdReport::StandardMissed => ID_NONE,
        };
        put(bits, 5, 2, state);
        let deg = match self.id {
            IdReport::Position(id) => {
                put(bits, 16, 14, u32::from(id.centre_x));
                put(bits, 30, 14, u32::from(id.centre_y));
                id.centre_deg
            }
            IdReport::Standard(id) => {
                put(bits, 44, 28, id.value);
                id.deg
            }
            IdReport::PositionMissed | IdReport::StandardMissed => self.last_deg,
        };
        put(bits, 7, 9, u32::from(deg));
    }

    /// The meaning of a notification.
    ///
    /// # Errors
    /// If it is not 20 bytes that start with `F0`, or a field is out of its range.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let (&[FIRST_BYTE, ref bits @ ..], LENGTH) = (bytes, bytes.len()) else {
            return Err(WireError::wrong_length(bytes));
        };
        let byte = |start| get(bits, start, 8) as u8;
        let flag = |start| get(bits, start, 1) == 1;
        let angle = |index: usize| {
            let magnitude = get(bits, 112 + 8 * index, 8) as i16;
            if flag(136 + index) { -magnitude } else { magnitude }
        };
        Ok(Self {
            button: flag(4),
            id: id_of(bits)?,
            last_deg: get(bits, 7, 9) as u16,
            left_speed: byte(72),
            right_speed: byte(80),
            motor_code: get(bits, 88, 5) as u8,
            posture: decode_posture(get(bits, 93, 3) as u8)?,
            battery_percent: get(bits, 96, 7) as u8,
            is_flat: flag(103),
            shake: get(bits, 104, 5) as u8,
            collision: flag(109),
            double_tap: flag(110),
            euler_deg: [0, 1, 2].map(angle),
            magnet_state: decode_magnet_state(get(bits, 141, 3) as u8)?,
            magnet_strength: byte(144),
        })
    }
}

/// The kind of a missed ID is not encoded; it decodes as a Position ID.
fn id_of(bits: &[u8]) -> Result<IdReport, WireError> {
    let deg = get(bits, 7, 9) as u16;
    match get(bits, 5, 2) {
        ID_STANDARD => Ok(IdReport::Standard(StandardId { value: get(bits, 44, 28), deg })),
        ID_POSITION => Ok(IdReport::Position(PositionId {
            centre_x: get(bits, 16, 14) as u16,
            centre_y: get(bits, 30, 14) as u16,
            centre_deg: deg,
            ..PositionId::default()
        })),
        ID_NONE => Ok(IdReport::PositionMissed),
        state => Err(WireError::out_of_range("ID state", state as u16)),
    }
}

/// Writes the lowest `width` bits of `value`; what is above them is cut off.
fn put(bits: &mut [u8], start: usize, width: usize, value: u32) {
    for index in (0..width).filter(|index| value >> index & 1 == 1) {
        let bit = start + index;
        bits[bit / 8] |= 1 << (bit % 8);
    }
}

fn get(bits: &[u8], start: usize, width: usize) -> u32 {
    let bit = |bit: usize| u32::from(bits[bit / 8] >> (bit % 8) & 1);
    (0..width).fold(0, |value, index| value | bit(start + index) << index)
}
