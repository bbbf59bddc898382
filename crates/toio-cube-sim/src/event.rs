//! Events inside a cube that no client is notified of.

use crate::gatt::Characteristic;
use crate::wire::WireError;
use std::fmt;

/// Something worth a line in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A write was dropped: it has changed nothing.
    Dropped {
        /// Where it was written.
        characteristic: Characteristic,
        /// What was written.
        bytes: Vec<u8>,
        /// Why it was dropped.
        why: Refusal,
    },
    /// The client wants a connection interval, in units of 1.25 ms; 0xFFFF is any. It is the link's to grant it, by
    /// [`Cube::set_connection_interval`](crate::Cube::set_connection_interval).
    IntervalRequested {
        /// Shortest.
        min: u16,
        /// Longest.
        max: u16,
    },
}

/// Why a write was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No client is connected, or the cube is off.
    NotConnected,
    /// The cube is being switched off.
    PoweringOff,
    /// The characteristic takes no writes in this protocol version.
    NotWritable,
    /// The bytes have no meaning.
    Malformed(WireError),
    /// The setting wants the button held down.
    ButtonNotHeld,
    /// Answer 3: a target asks for nothing.
    NothingAsked,
    /// Answer 6: the largest speed is too low.
    TooSlow,
    /// Answer 7: a command waits already.
    QueueFull,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConnected => f.write_str("no client is connected"),
            Self::PoweringOff => f.write_str("the cube is being switched off"),
            Self::NotWritable => f.write_str("this characteristic takes no writes"),
            Self::Malformed(error) => error.fmt(f),
            Self::ButtonNotHeld => f.write_str("the button is not held"),
            Self::NothingAsked => f.write_str("a target asks for nothing"),
            Self::TooSlow => f.write_str("the largest speed is below 10"),
            Self::QueueFull => f.write_str("a command waits already"),
        }
    }
}
