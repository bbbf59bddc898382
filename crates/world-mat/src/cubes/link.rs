//! The radio of a cube with what goes over it, and what is reported of that.

use sim_core::{ParamError, RunKey, StateHash};
use std::fmt;
use toio_cube_sim::att::{ReadAnswer, Request};
use toio_cube_sim::micros::Micros;
use toio_cube_sim::radio::{Delivery, Direction as Way, Radio, RadioParams, Refused};
use toio_cube_sim::wire::Message;
use toio_cube_sim::{Characteristic, Refusal};

/// What goes over the radio.
#[derive(Clone, Debug)]
enum Packet {
    Request(Request),
    Notification(Message),
    Answer(ReadAnswer),
}

impl Packet {
    fn hash_into(&self, hash: &mut StateHash) {
        match self {
            Self::Request(request) => request.hash_into(hash),
            Self::Notification(Message { characteristic, bytes }) => hash_bytes(*characteristic, bytes, hash),
            Self::Answer(ReadAnswer { characteristic, value }) => {
                hash.u64(value.is_some().into());
                hash_bytes(*characteristic, value.as_deref().unwrap_or_default(), hash);
            }
        }
    }

    /// The row of its loss.
    fn lost(self, why: Loss) -> (Direction, Characteristic, Vec<u8>) {
        match self {
            Self::Request(request) => (drop_of(&request, why), request.characteristic(), request.bytes().to_vec()),
            Self::Notification(Message { characteristic, bytes }) => {
                (Direction::DropNotify(why), characteristic, bytes.to_vec())
            }
            Self::Answer(ReadAnswer { characteristic, value }) => {
                (Direction::DropAnswer(why), characteristic, value.as_deref().unwrap_or_default().to_vec())
            }
        }
    }
}

/// How the loss of a request is reported.
pub(super) fn drop_of(request: &Request, why: Loss) -> Direction {
    match request {
        Request::Write(..) => Direction::DropWrite(why),
        Request::Read(_) => Direction::DropRead(why),
        Request::Subscribe(..) => Direction::DropSubscribe(why),
    }
}

/// What comes to a client.
pub(super) enum Incoming {
    Notification(Message),
    Answer(ReadAnswer),
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

    /// The client asks.
    pub fn request(&mut self, now: Micros, request: Request) -> Result<(), Refused> {
        let (delivery, length) = (request.delivery(), request.bytes().len());
        self.radio.push(Way::ToCube, delivery, now, length, Packet::Request(request))
    }

    /// The cube notifies.
    pub fn notify(&mut self, now: Micros, message: Message) -> Result<(), Refused> {
        let (length, packet) = (message.bytes.len(), Packet::Notification(message));
        self.radio.push(Way::FromCube, Delivery::Unacknowledged, now, length, packet)
    }

    /// The cube answers a read. No buffer refuses an answer.
    pub fn answer(&mut self, now: Micros, answer: ReadAnswer) -> Result<(), Refused> {
        let length = answer.value.map_or(0, |value| value.len());
        self.radio.push(Way::FromCube, Delivery::Acknowledged, now, length, Packet::Answer(answer))
    }

    /// The next request that has come to the cube.
    pub fn next_request(&mut self, now: Micros) -> Option<Request> {
        match self.radio.pop_due(Way::ToCube, now)?.1 {
            Packet::Request(request) => Some(request),
            Packet::Notification(_) | Packet::Answer(_) => None,
        }
    }

    /// What has come to the client next.
    pub fn next_incoming(&mut self, now: Micros) -> Option<Incoming> {
        match self.radio.pop_due(Way::FromCube, now)?.1 {
            Packet::Notification(message) => Some(Incoming::Notification(message)),
            Packet::Answer(answer) => Some(Incoming::Answer(answer)),
            Packet::Request(_) => None,
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
        self.radio.clear(now).into_iter().map(|(_, packet)| packet.lost(Loss::Disconnected))
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
    /// A read came to the cube.
    Read,
    /// The answer to a read came to the client.
    Answer,
    /// A subscription, or its end, came to the cube.
    Subscribe,
    /// A write was dropped.
    DropWrite(Loss),
    /// A notification was dropped.
    DropNotify(Loss),
    /// A read was dropped.
    DropRead(Loss),
    /// The answer to a read was dropped.
    DropAnswer(Loss),
    /// A subscription, or its end, was dropped.
    DropSubscribe(Loss),
}

impl Direction {
    /// It did not come through.
    #[must_use]
    pub fn is_drop(self) -> bool {
        match self {
            Self::Write | Self::Notify | Self::Read | Self::Answer | Self::Subscribe => false,
            Self::DropWrite(_)
            | Self::DropNotify(_)
            | Self::DropRead(_)
            | Self::DropAnswer(_)
            | Self::DropSubscribe(_) => true,
        }
    }
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
