//! Radio devices of a world that programs of its users can talk to, as data: what a Bluetooth door advertises and serves.
//!
//! A model that has devices takes what clients do with them by the input stream [`DEVICE_REQUESTS`] and tells the results by the
//! output stream [`DEVICE_MESSAGES`]. The first columns of both are fixed:
//!
//! | stream | columns |
//! |---|---|
//! | [`DEVICE_REQUESTS`] | number of the device; `does`; `characteristic`; `hex` |
//! | [`DEVICE_MESSAGES`] | `step`; `time_s`; number of the device; `dir`; `characteristic`; `hex` |
//!
//! `does` is `connect`, `disconnect`, `write`, `read`, `subscribe` or `unsubscribe`. `dir` is the request as it came, `notify` or `answer`,
//! each with `drop_` where it was lost.
//!
//! Characteristics are called by [`DeviceCharacteristic::name`].

use std::borrow::Cow;

/// Input stream of what clients do with devices.
pub const DEVICE_REQUESTS: &str = "clients";
/// Output stream of what goes over the radios of devices.
pub const DEVICE_MESSAGES: &str = "messages";

/// A device as a client finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Name that it advertises.
    pub name: String,
    /// UUID of its one primary service, in small letters with dashes.
    pub service: String,
    /// Characteristics of the service, in their order.
    pub characteristics: Vec<DeviceCharacteristic>,
}

/// A characteristic of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceCharacteristic {
    /// What the streams call it.
    pub name: Cow<'static, str>,
    /// UUID, in small letters with dashes.
    pub uuid: String,
    /// It may be read.
    pub read: bool,
    /// It may be written, with a response.
    pub write: bool,
    /// It may be written without a response.
    pub write_without_response: bool,
    /// It notifies.
    pub notify: bool,
}

/// What a device does after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceState {
    /// It is off: it neither advertises nor answers.
    #[default]
    Off,
    /// It advertises and can be connected.
    Free,
    /// A client is connected.
    Connected,
}
