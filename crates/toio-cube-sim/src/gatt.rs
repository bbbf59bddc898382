//! The GATT service: characteristics, their UUIDs and what each version allows with them (toio facts, section 5).

use crate::version::Protocol;

/// UUID of the primary service.
pub const SERVICE_UUID: &str = "10B20100-5B3B-4571-9508-CF3EFCD7BBAE";

/// ATT payload of a write at the default MTU of 23 bytes.
pub const DEFAULT_WRITE_BYTES: usize = 20;

/// A characteristic of the cube's service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Characteristic {
    /// 101: Position ID and Standard ID.
    Id,
    /// 102: motor commands, their answers and the wheel speed.
    Motor,
    /// 103: the lamp.
    Light,
    /// 104: the buzzer.
    Sound,
    /// 106: motion, magnet and attitude.
    Sensor,
    /// 107: the function button.
    Button,
    /// 108: the battery.
    Battery,
    /// 1FF: settings, their answers and the serialized info.
    Configuration,
}

/// What a client may do with a characteristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// It may be read.
    pub read: bool,
    /// It may be written, with a response.
    pub write: bool,
    /// It may be written without a response.
    pub write_without_response: bool,
    /// It notifies.
    pub notify: bool,
}

impl Characteristic {
    /// Every characteristic, in the order of its number.
    pub const ALL: [Self; 8] = [
        Self::Id,
        Self::Motor,
        Self::Light,
        Self::Sound,
        Self::Sensor,
        Self::Button,
        Self::Battery,
        Self::Configuration,
    ];

    /// Bytes 3 and 4 of the UUID, by which people call it: 0x101 to 0x1FF.
    #[must_use]
    pub fn short_id(self) -> u16 {
        match self {
            Self::Id => 0x101,
            Self::Motor => 0x102,
            Self::Light => 0x103,
            Self::Sound => 0x104,
            Self::Sensor => 0x106,
            Self::Button => 0x107,
            Self::Battery => 0x108,
            Self::Configuration => 0x1ff,
        }
    }

    /// The characteristic called so, if there is one.
    #[must_use]
    pub fn from_short_id(short_id: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|characteristic| characteristic.short_id() == short_id)
    }

    /// Full UUID, in capitals.
    #[must_use]
    pub fn uuid(self) -> String {
        format!("10B2{:04X}-5B3B-4571-9508-CF3EFCD7BBAE", self.short_id())
    }

    /// What `protocol` allows. The motor answers from 2.1.0 on, the sensor takes requests from 2.2.0 on.
    #[must_use]
    pub fn properties(self, protocol: Protocol) -> Properties {
        let none = Properties::default();
        let report = Properties { read: true, notify: true, ..none };
        match self {
            Self::Id | Self::Button | Self::Battery => report,
            Self::Motor if protocol >= Protocol::V2_1_0 => Properties { write_without_response: true, ..report },
            Self::Motor => Properties { write_without_response: true, ..none },
            Self::Light | Self::Sound => Properties { write: true, ..none },
            Self::Sensor => Properties { write: protocol >= Protocol::V2_2_0, ..report },
            Self::Configuration => Properties { write: true, ..report },
        }
    }

    /// True if `protocol` takes writes here. The kind of write is not looked at: real clients write the motor with a response
    /// although it offers none, and real cubes take it (toio facts, section 13).
    #[must_use]
    pub fn takes_writes(self, protocol: Protocol) -> bool {
        let properties = self.properties(protocol);
        properties.write || properties.write_without_response
    }
}
