//! The radio of a cube with what goes over it, and what is told of that.

use sim_core::{ParamError, RunKey, StateHash};
use std::fmt;
use toio_cube_sim::micros::Micros;
use toio_cube_sim::radio::{Delivery, Direction as Way, Radio, RadioParams, Refused};
use toio_cube_sim::wire::Message;
use toio_cube_sim::{Characteristic, Refusal};

/// What goes over the radio.
#[derive(Clone, Debug)]
enum Packet {
    Write(Characteristic, Vec<u8>),
    Notification(Message),
}

impl Packet {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Write(_, bytes) => bytes,
            Self::Notification(message) => &message.bytes,
        }
    }

    fn hash_into(&self, hash: &mut StateHash) {
        let (Self::Write(characteristic, _) | Self::Notification(Message { characteristic, .. })) = self;
        hash_bytes(*characteristic, self.bytes(), hash);
    }
}

pub(super) fn hash_bytes(characteristic: Characteristic, bytes: &[u8], hash: &mut StateHash) {
    hash.u64(u64::from(characteristic.short_id()));
    hash.u64(bytes.len() as u64);
    bytes.iter().for_each(|&byte| hash.u64(u64::from(byte)));
}

/// Both directions between a client and its cube.
#[derive(Clone, Debug)]
pub(super) struct Link {
    radio: Radio<Packet>,
}

impl Link {
    /// The link of cube `owner`; a perfect one without parameters.
    pub fn new(params: Option<&RadioParams>, key: RunKey, owner: u64) -> Result<Self, ParamError> {
        let radio = match params {
            Some(params) => Radio::new(params.clone(), key, owner)?,
            None => Radio::off(),
        };
        Ok(Self { radio })
    }

    /// The client writes. The motor is written without response, everything else with one (toio facts, section 5).
    pub fn write(&mut self, now: Micros, characteristic: Characteristic, bytes: Vec<u8>) -> Result<(), Refused> {
        let delivery = match characteristic {
            Characteristic::Motor => Delivery::Unacknowledged,
            _ => Delivery::Acknowledged,
        };
        self.radio.push(Way::ToCube, delivery, now, bytes.len(), Packet::Write(characteristic, bytes))
    }

    /// The cube notifies.
    pub fn notify(&mut self, now: Micros, message: Message) -> Result<(), Refused> {
        let (length, packet) = (message.bytes.len(), Packet::Notification(message));
        self.radio.push(Way::FromCube, Delivery::Unacknowledged, now, length, packet)
    }

    /// The next write that has come to the cube.
    pub fn next_write(&mut self, now: Micros) -> Option<(Characteristic, Vec<u8>)> {
        match self.radio.pop_due(Way::ToCube, now)?.1 {
            Packet::Write(characteristic, bytes) => Some((characteristic, bytes)),
            Packet::Notification(_) => None,
        }
    }

    /// The next notification that has come to the client.
    pub fn next_notification(&mut self, now: Micros) -> Option<Message> {
        match self.radio.pop_due(Way::FromCube, now)?.1 {
            Packet::Notification(message) => Some(message),
            Packet::Write(..) => None,
        }
    }

    /// Connection interval in units of 1.25 ms, unless the link is perfect.
    pub fn interval_units(&self) -> Option<u16> {
        self.radio.interval_units()
    }

    /// The client grants the interval nearest the present one that the cube's wish allows; 0xFFFF in a wish means any. Returns it.
    pub fn grant_interval(&mut self, now: Micros, min: u16, max: u16) -> Option<u16> {
        const ANY: u16 = 0xffff;
        let present = self.radio.interval_units()?;
        let at_most = if max == ANY { present } else { present.min(max) };
        let granted = if min == ANY { at_most } else { at_most.max(min) };
        self.radio.set_interval(now, granted).ok().map(|()| granted)
    }

    /// Ends the connection: forgets what was agreed on. Returns what was under way, as the rows that tell of its loss.
    pub fn clear(&mut self, now: Micros) -> impl Iterator<Item = (Direction, Characteristic, Vec<u8>)> {
        self.radio.clear(now).into_iter().map(|(_, packet)| match packet {
            Packet::Write(characteristic, bytes) => (Direction::DropWrite(Loss::Disconnected), characteristic, bytes),
            Packet::Notification(Message { characteristic, bytes }) => {
                (Direction::DropNotify(Loss::Disconnected), characteristic, bytes.to_vec())
            }
        })
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        self.radio.hash_into(hash, Packet::hash_into);
    }
}

/// A message of the last step, as `messages.csv` tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedMessage {
    /// The cube, by its number.
    pub cube: usize,
    /// What became of it.
    pub direction: Direction,
    /// Characteristic that it was written to, or that notified.
    pub characteristic: Characteristic,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A write came to the cube.
    Write,
    /// A notification came to the client.
    Notify,
    /// A write was dropped.
    DropWrite(Loss),
    /// A notification was dropped.
    DropNotify(Loss),
}

/// Why a message was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The cube does not do what it asks.
    Refused(Refusal),
    /// It is longer than the radio takes.
    TooLong {
        /// Bytes that it takes.
        limit: usize,
    },
    /// The sender's buffer is full.
    BufferFull,
    /// The connection ended while it was under way.
    Disconnected,
}

impl From<Refused> for Loss {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooLong { limit } => Self::TooLong { limit },
            Refused::BufferFull => Self::BufferFull,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => why.fmt(f),
            Self::TooLong { limit } => write!(f, "it is longer than the {limit} bytes that the radio takes"),
            Self::BufferFull => f.write_str("the sender's buffer is full"),
            Self::Disconnected => f.write_str("the connection ended while it was under way"),
        }
    }
}
