//! What a client asks of a cube over the attribute protocol: writes, reads and subscriptions, and how the radio treats each.
//!
//! Source: the Bluetooth core specification, volume 3, part F (ATT): a request waits for its response before the next request goes, a
//! command and a notification wait for none. A subscription is a write to the Client Characteristic Configuration Descriptor.

use crate::gatt::Characteristic;
use crate::radio::Delivery;
use crate::wire::Bytes;
use sim_core::StateHash;

/// Bytes of the value of a Client Characteristic Configuration Descriptor.
const CCCD_BYTES: usize = 2;

/// One thing that a client asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write a value. The motor is written without response, everything else with one (toio facts, section 5).
    Write(Characteristic, Vec<u8>),
    /// Read the present value.
    Read(Characteristic),
    /// Begin (true) or end notifications.
    Subscribe(Characteristic, bool),
}

impl Request {
    /// The characteristic that it is about.
    #[must_use]
    pub fn characteristic(&self) -> Characteristic {
        match self {
            Self::Write(characteristic, _) | Self::Read(characteristic) | Self::Subscribe(characteristic, _) => {
                *characteristic
            }
        }
    }

    /// The value that it carries: the written bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Write(_, bytes) => bytes,
            Self::Read(_) => &[],
            Self::Subscribe(_, true) => &[1, 0],
            Self::Subscribe(_, false) => &[0; CCCD_BYTES],
        }
    }

    /// How the radio treats it.
    #[must_use]
    pub fn delivery(&self) -> Delivery {
        match self {
            Self::Write(Characteristic::Motor, _) => Delivery::Unacknowledged,
            Self::Write(..) | Self::Read(_) | Self::Subscribe(..) => Delivery::Acknowledged,
        }
    }

    /// Mixes it into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        let kind = match self {
            Self::Write(..) => 0,
            Self::Read(_) => 1,
            Self::Subscribe(..) => 2,
        };
        let bytes = self.bytes();
        [kind, self.characteristic().short_id().into(), bytes.len() as u64].iter().for_each(|&word| hash.u64(word));
        bytes.iter().for_each(|&byte| hash.u64(byte.into()));
    }
}

/// The answer to a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadAnswer {
    /// What was read.
    pub characteristic: Characteristic,
    /// Its value; nothing if the characteristic cannot be read or has no value yet.
    pub value: Option<Bytes>,
}

/// Characteristics whose notifications a client has asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subscriptions(u16);

impl Subscriptions {
    fn bit(characteristic: Characteristic) -> u16 {
        1 << (characteristic as u16)
    }

    pub(crate) fn set(&mut self, characteristic: Characteristic, is_on: bool) {
        if is_on {
            self.0 |= Self::bit(characteristic);
        } else {
            self.0 &= !Self::bit(characteristic);
        }
    }

    pub(crate) fn contains(self, characteristic: Characteristic) -> bool {
        self.0 & Self::bit(characteristic) != 0
    }

    pub(crate) fn word(self) -> u64 {
        self.0.into()
    }
}
