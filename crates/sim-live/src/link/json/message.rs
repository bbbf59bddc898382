//! The messages of the protocol: requests as they come, answers and events as they go.
//!
//! They are those of noble's WebSocket bindings (noble 1.9.1, `lib/websocket/bindings.js`). UUIDs have no dashes, bytes are hexadecimal
//! digits. Answers to what failed have an `error`, which noble does not read.

use crate::link::gatt::address;
use crate::message::bytes_of_digits;
use serde::Deserialize;
use serde_json::{Value, json};
use sim_world::Device;
use std::fmt::Write as _;

/// Longest message, bytes.
pub const MAX_MESSAGE_BYTES: usize = 16 << 10;

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// Advertisements of devices that are free.
    StartScanning,
    /// No more advertisements.
    StopScanning,
    /// A connection to a device.
    Connect,
    /// The end of a connection.
    Disconnect,
    /// The signal strength of a device.
    UpdateRssi,
    /// The services of a device.
    DiscoverServices,
    /// The services in a service.
    DiscoverIncludedServices,
    /// The characteristics of a service.
    DiscoverCharacteristics,
    /// The descriptors of a characteristic.
    DiscoverDescriptors,
    /// The value of a characteristic.
    Read,
    /// Another value of a characteristic.
    Write,
    /// Notifications of a characteristic, or no more of them.
    Notify,
}

/// A message of a client. Fields that an action does not need are not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// What it asks for.
    pub action: Action,
    peripheral_uuid: Option<String>,
    characteristic_uuid: Option<String>,
    service_uuids: Option<Vec<String>>,
    uuids: Option<Vec<String>>,
    characteristic_uuids: Option<Vec<String>>,
    data: Option<String>,
    notify: Option<bool>,
}

impl Request {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_MESSAGE_BYTES {
            return Err(format!("has {} bytes, more than {MAX_MESSAGE_BYTES}", text.len()));
        }
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The device that it is about.
    ///
    /// # Errors
    /// If it names none.
    pub fn device(&self, devices: &[Device]) -> Result<usize, String> {
        let wanted = self.peripheral_uuid.as_deref().ok_or("has no peripheralUuid")?;
        let known = (0..devices.len()).find(|&device| device_id(device) == wanted);
        known.ok_or_else(|| "names no such peripheral".to_owned())
    }

    /// The characteristic of a device that it is about.
    ///
    /// # Errors
    /// If it names none.
    pub fn characteristic(&self, device: &Device) -> Result<usize, String> {
        let wanted = plain(self.characteristic_uuid.as_deref().ok_or("has no characteristicUuid")?);
        let known = device.characteristics.iter().position(|known| plain(&known.uuid) == wanted);
        known.ok_or_else(|| "names no such characteristic".to_owned())
    }

    /// The bytes to be written.
    ///
    /// # Errors
    /// If they are no pairs of hexadecimal digits.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        bytes_of_digits(self.data.as_deref().ok_or("has no data")?)
    }

    /// True if notifications are to begin.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.notify == Some(true)
    }

    /// The services that are asked for, without dashes; none for all.
    #[must_use]
    pub fn services(&self) -> Vec<String> {
        let asked = self.service_uuids.iter().chain(&self.uuids).flatten();
        asked.map(|uuid| plain(uuid)).collect()
    }

    fn wants_characteristic(&self, uuid: &str) -> bool {
        let asked = self.characteristic_uuids.as_deref().unwrap_or_default();
        asked.is_empty() || asked.iter().any(|asked| plain(asked) == uuid)
    }
}

/// A UUID in small letters without dashes.
#[must_use]
pub fn plain(uuid: &str) -> String {
    uuid.replace('-', "").to_lowercase()
}

/// What the protocol calls a device: its address without colons.
fn device_id(device: usize) -> String {
    address(device).replace(':', "").to_lowercase()
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The adapter is ready, which a client learns first.
#[must_use]
pub fn powered_on() -> Value {
    json!({ "type": "stateChange", "state": "poweredOn" })
}

/// A message that cannot be done.
#[must_use]
pub fn refused(why: &str) -> Value {
    json!({ "type": "refused", "error": why })
}

/// A device advertises.
#[must_use]
pub fn discovered(at: usize, device: &Device, rssi_dbm: i16) -> Value {
    let advertisement = json!({ "localName": device.name, "serviceUuids": [plain(&device.service)] });
    json!({
        "type": "discover", "peripheralUuid": device_id(at), "address": address(at).to_lowercase(), "addressType": "random",
        "connectable": true, "advertisement": advertisement, "rssi": rssi_dbm,
    })
}

/// An answer or an event about a device.
#[must_use]
pub fn of_device(kind: &str, device: usize) -> Value {
    json!({ "type": kind, "peripheralUuid": device_id(device) })
}

/// An answer or an event about the service of a device.
#[must_use]
fn of_service(kind: &str, at: usize, device: &Device) -> Value {
    let mut message = of_device(kind, at);
    message["serviceUuid"] = plain(&device.service).into();
    message
}

/// An answer or an event about a characteristic of a device.
#[must_use]
pub fn of_characteristic(kind: &str, (at, characteristic): (usize, usize), devices: &[Device]) -> Value {
    let mut message = of_service(kind, at, &devices[at]);
    message["characteristicUuid"] = plain(&devices[at].characteristics[characteristic].uuid).into();
    message
}

/// A value of a characteristic, as an answer or a notification.
#[must_use]
pub fn value(place: (usize, usize), devices: &[Device], bytes: &[u8], is_notification: bool) -> Value {
    let mut message = of_characteristic("read", place, devices);
    message["data"] = digits(bytes).into();
    message["isNotification"] = is_notification.into();
    message
}

/// A message with the reason why what was asked for is not done.
#[must_use]
pub fn failed(mut message: Value, why: &str) -> Value {
    message["error"] = why.into();
    message
}

/// The answer to a question about what a device has.
#[must_use]
pub fn found(request: &Request, at: usize, device: &Device) -> Value {
    match request.action {
        Action::DiscoverServices => {
            let (own, wanted) = (plain(&device.service), request.services());
            let is_wanted = wanted.is_empty() || wanted.contains(&own);
            let mut message = of_device("servicesDiscover", at);
            message["serviceUuids"] = if is_wanted { json!([own]) } else { json!([]) };
            message
        }
        Action::DiscoverIncludedServices => {
            let mut message = of_service("includedServicesDiscover", at, device);
            message["includedServiceUuids"] = json!([]);
            message
        }
        _ => {
            let characteristics = device.characteristics.iter().map(|known| (plain(&known.uuid), known));
            let wanted = characteristics.filter(|(uuid, _)| request.wants_characteristic(uuid));
            let described = wanted.map(|(uuid, known)| {
                let words = [
                    (known.read, "read"),
                    (known.write_without_response, "writeWithoutResponse"),
                    (known.write, "write"),
                    (known.notify, "notify"),
                ];
                let words: Vec<&str> = words.into_iter().filter_map(|(has, word)| has.then_some(word)).collect();
                json!({ "uuid": uuid, "properties": words })
            });
            let mut message = of_service("characteristicsDiscover", at, device);
            message["characteristics"] = described.collect();
            message
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Device {
        let characteristic =
            |name: &'static str, read, write_without_response, notify| sim_world::DeviceCharacteristic {
                name: name.into(),
                uuid: format!("10b20{name}-5b3b-4571-9508-cf3efcd7bbae"),
                read,
                write: false,
                write_without_response,
                notify,
            };
        Device {
            name: "toio-A7j".into(),
            service: "10b20100-5b3b-4571-9508-cf3efcd7bbae".into(),
            characteristics: vec![characteristic("101", true, false, true), characteristic("102", false, true, false)],
        }
    }

    const MOTOR: &str = r#""characteristicUuid":"10b20102-5B3B-45719508cf3efcd7bbae""#;

    #[test]
    fn requests_name_devices_characteristics_and_bytes() {
        let text = format!(
            r#"{{"action":"write","peripheralUuid":"f00000000000",{MOTOR},"data":"0201","withoutResponse":true}}"#
        );
        let request = Request::parse(&text).unwrap();
        assert_eq!((request.action, request.device(&[cube()])), (Action::Write, Ok(0)));
        assert_eq!((request.characteristic(&cube()), request.bytes()), (Ok(1), Ok(vec![2, 1])));
        let other = Request::parse(r#"{"action":"connect","peripheralUuid":"f00000000001"}"#).unwrap();
        assert!(other.device(&[cube()]).is_err() && other.characteristic(&cube()).is_err() && other.bytes().is_err());
    }

    #[test]
    fn others_are_refused() {
        let long = format!(r#"{{"action":"connect","peripheralUuid":"{}"}}"#, "f".repeat(MAX_MESSAGE_BYTES));
        let deep = "[".repeat(10_000);
        for wrong in ["", "{}", "null", "[]", r#"{"action":"open"}"#, r#"{"action":"notify","notify":1}"#, &long, &deep]
        {
            assert!(Request::parse(wrong).is_err(), "{wrong:.60}");
        }
        for digits in ["0", "zz", "+1", "éé"] {
            let text = format!(r#"{{"action":"write","data":"{digits}"}}"#);
            assert!(Request::parse(&text).unwrap().bytes().is_err(), "{digits}");
        }
    }

    /// The shapes that noble reads.
    #[test]
    fn answers_have_the_fields_of_noble() {
        let ask = |text: &str| found(&Request::parse(text).unwrap(), 0, &cube());
        let own = "10b201005b3b45719508cf3efcd7bbae";
        let services = ask(r#"{"action":"discoverServices","uuids":[]}"#);
        assert_eq!(
            services,
            json!({ "type": "servicesDiscover", "peripheralUuid": "f00000000000", "serviceUuids": [own] })
        );
        assert_eq!(ask(r#"{"action":"discoverServices","uuids":["180f"]}"#)["serviceUuids"], json!([]));
        let all = ask(r#"{"action":"discoverCharacteristics"}"#);
        assert_eq!(all["serviceUuid"], own);
        let motor = json!({ "uuid": "10b201025b3b45719508cf3efcd7bbae", "properties": ["writeWithoutResponse"] });
        assert_eq!(all["characteristics"][1], motor);
        let one = ask(
            r#"{"action":"discoverCharacteristics","characteristicUuids":["10b20102-5b3b-4571-9508-cf3efcd7bbae"]}"#,
        );
        assert_eq!(one["characteristics"], json!([motor]));
        let told = value((0, 0), &[cube()], &[3, 0xff], true);
        assert_eq!((told["data"].as_str(), told["isNotification"].as_bool()), (Some("03ff"), Some(true)));
    }
}
