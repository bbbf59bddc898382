//! A write or a notification of any characteristic.

use super::sensor::{SensorReport, decode_report};
use super::{
    AttitudeReport, Bytes, ConfigCommand, ConfigReport, IdReport, LightCommand, MagnetReport, MotionReport,
    MotorCommand, MotorReport, SensorRequest, SoundCommand, WireError,
};
use crate::{gatt::Characteristic, version::Protocol};

/// A write to a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To 102.
    Motor(MotorCommand),
    /// To 103.
    Light(LightCommand),
    /// To 104.
    Sound(SoundCommand),
    /// To 106.
    Sensor(SensorRequest),
    /// To 1FF.
    Config(ConfigCommand),
}

impl Command {
    /// Where it is written.
    #[must_use]
    pub fn characteristic(&self) -> Characteristic {
        match self {
            Self::Motor(_) => Characteristic::Motor,
            Self::Light(_) => Characteristic::Light,
            Self::Sound(_) => Characteristic::Sound,
            Self::Sensor(_) => Characteristic::Sensor,
            Self::Config(_) => Characteristic::Configuration,
        }
    }

    /// The bytes of the write, in the form that `protocol` takes.
    #[must_use]
    pub fn encode(&self, protocol: Protocol) -> Vec<u8> {
        match self {
            Self::Motor(command) => command.encode(),
            Self::Light(command) => command.encode(),
            Self::Sound(command) => command.encode(),
            Self::Sensor(request) => request.encode(),
            Self::Config(command) => command.encode(protocol),
        }
    }

    /// The meaning of a write.
    ///
    /// # Errors
    /// If the operation, the length or a field is not one that `protocol` takes on this characteristic.
    pub fn decode(characteristic: Characteristic, bytes: &[u8], protocol: Protocol) -> Result<Self, WireError> {
        match characteristic {
            Characteristic::Motor => MotorCommand::decode(bytes, protocol).map(Self::Motor),
            Characteristic::Light => LightCommand::decode(bytes, protocol).map(Self::Light),
            Characteristic::Sound => SoundCommand::decode(bytes).map(Self::Sound),
            Characteristic::Sensor => SensorRequest::decode(bytes, protocol).map(Self::Sensor),
            Characteristic::Configuration => ConfigCommand::decode(bytes, protocol).map(Self::Config),
            Characteristic::Id | Characteristic::Button | Characteristic::Battery => Err(WireError::UnknownOperation),
        }
    }
}

/// A notification of a cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notification {
    /// On 101.
    Id(IdReport),
    /// On 102.
    Motor(MotorReport),
    /// On 106.
    Motion(MotionReport),
    /// On 106.
    Magnet(MagnetReport),
    /// On 106.
    Attitude(AttitudeReport),
    /// On 107.
    Button {
        /// It is pressed.
        is_pressed: bool,
    },
    /// On 108.
    Battery {
        /// 0 to 100, in steps of 10.
        percent: u8,
    },
    /// On 1FF.
    Config(ConfigReport),
}

impl Notification {
    /// The characteristic that notifies.
    #[must_use]
    pub fn characteristic(&self) -> Characteristic {
        match self {
            Self::Id(_) => Characteristic::Id,
            Self::Motor(_) => Characteristic::Motor,
            Self::Motion(_) | Self::Magnet(_) | Self::Attitude(_) => Characteristic::Sensor,
            Self::Button { .. } => Characteristic::Button,
            Self::Battery { .. } => Characteristic::Battery,
            Self::Config(_) => Characteristic::Configuration,
        }
    }

    /// The bytes that a cube of this protocol sends.
    #[must_use]
    pub fn encode(&self, protocol: Protocol) -> Bytes {
        match self {
            Self::Id(report) => report.encode(),
            Self::Motor(report) => report.encode(),
            Self::Motion(report) => report.encode(protocol),
            Self::Magnet(report) => report.encode(protocol),
            Self::Attitude(report) => report.encode(),
            Self::Button { is_pressed } => Bytes::from_slice(&[1, if *is_pressed { 0x80 } else { 0 }]),
            Self::Battery { percent } => Bytes::from_slice(&[*percent]),
            Self::Config(report) => report.encode(),
        }
    }

    /// The meaning of a notification. Reports of every version are understood.
    ///
    /// # Errors
    /// If the first byte is unknown, the length is not that of a layout, or a field is out of its range.
    pub fn decode(characteristic: Characteristic, bytes: &[u8]) -> Result<Self, WireError> {
        match characteristic {
            Characteristic::Id => IdReport::decode(bytes).map(Self::Id),
            Characteristic::Motor => MotorReport::decode(bytes).map(Self::Motor),
            Characteristic::Sensor => Ok(match decode_report(bytes)? {
                SensorReport::Motion(report) => Self::Motion(report),
                SensorReport::Magnet(report) => Self::Magnet(report),
                SensorReport::Attitude(report) => Self::Attitude(report),
            }),
            Characteristic::Button => decode_button(bytes),
            Characteristic::Battery => decode_battery(bytes),
            Characteristic::Configuration => ConfigReport::decode(bytes).map(Self::Config),
            Characteristic::Light | Characteristic::Sound => Err(WireError::UnknownOperation),
        }
    }
}

fn decode_button(bytes: &[u8]) -> Result<Notification, WireError> {
    match *bytes {
        [1, 0x80] => Ok(Notification::Button { is_pressed: true }),
        [1, 0x00] => Ok(Notification::Button { is_pressed: false }),
        [1, state] => Err(WireError::out_of_range("button", state)),
        [1, ..] | [] => Err(WireError::wrong_length(bytes)),
        _ => Err(WireError::UnknownOperation),
    }
}

fn decode_battery(bytes: &[u8]) -> Result<Notification, WireError> {
    match *bytes {
        [percent @ 0..=100] => Ok(Notification::Battery { percent }),
        [percent] => Err(WireError::out_of_range("battery", percent)),
        _ => Err(WireError::wrong_length(bytes)),
    }
}

/// A notification as it leaves the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Who notifies.
    pub characteristic: Characteristic,
    /// What is sent.
    pub bytes: Bytes,
}

impl Message {
    /// What it means.
    ///
    /// # Errors
    /// Never for a message that a cube has sent.
    pub fn decode(&self) -> Result<Notification, WireError> {
        Notification::decode(self.characteristic, &self.bytes)
    }
}
