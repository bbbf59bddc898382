//! The objects of BlueZ: paths, properties, and their description in XML.
//!
//! Source: `org.bluez.Adapter`, `Device`, `GattService` and `GattCharacteristic` of BlueZ 5.66. Clients cut paths into pieces: the device
//! is the first 37 characters of a characteristic's path, the address the last 17 of the device's, the handle the last four.

use super::wire::Value;
use crate::link::gatt::address;
use sim_world::{Device, DeviceCharacteristic};
use std::fmt::Write as _;

/// Path of the only adapter.
pub const ADAPTER: &str = "/org/bluez/hci0";
const ADAPTER_ADDRESS: &str = "00:00:00:00:00:00";
/// Handle of the service's declaration, and of the first characteristic's. They are those of a real cube: its values have the handles 12,
/// 16, 20, 23, 26, 30, 34 and 38.
const SERVICE_HANDLE: usize = 0x0a;
const FIRST_HANDLE: usize = 0x0b;
/// ATT MTU of a connection.
const MTU_BYTES: u16 = 185;

/// Names of interfaces.
pub mod interface {
    pub const BUS: &str = "org.freedesktop.DBus";
    pub const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
    pub const MANAGER: &str = "org.freedesktop.DBus.ObjectManager";
    pub const ADAPTER: &str = "org.bluez.Adapter1";
    pub const DEVICE: &str = "org.bluez.Device1";
    pub const SERVICE: &str = "org.bluez.GattService1";
    pub const CHARACTERISTIC: &str = "org.bluez.GattCharacteristic1";
}

/// An object by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// `/`
    Root,
    /// `/org`
    Org,
    /// `/org/bluez`
    Bluez,
    /// The adapter.
    Adapter,
    /// A device.
    Device(usize),
    /// The service of a device.
    Service(usize),
    /// A characteristic of a device.
    Characteristic(usize, usize),
}

/// Handle of a characteristic's declaration. Its value follows, then its configuration if it notifies, then its description.
fn handle(characteristics: &[DeviceCharacteristic], at: usize) -> usize {
    characteristics[..at].iter().fold(FIRST_HANDLE, |handle, before| handle + 3 + usize::from(before.notify))
}

impl Object {
    /// Its path.
    #[must_use]
    pub fn path(self, devices: &[Device]) -> String {
        let service = |device: usize| format!("{}/service{SERVICE_HANDLE:04x}", Self::Device(device).path(devices));
        match self {
            Self::Root => "/".to_owned(),
            Self::Org => "/org".to_owned(),
            Self::Bluez => "/org/bluez".to_owned(),
            Self::Adapter => ADAPTER.to_owned(),
            Self::Device(device) => format!("{ADAPTER}/dev_{}", address(device).replace(':', "_")),
            Self::Service(device) => service(device),
            Self::Characteristic(device, at) => {
                format!("{}/char{:04x}", service(device), handle(&devices[device].characteristics, at))
            }
        }
    }

    /// The object at a path, whether a client sees it or not.
    #[must_use]
    pub fn at(path: &str, devices: &[Device]) -> Option<Self> {
        let known = [Self::Root, Self::Org, Self::Bluez, Self::Adapter];
        if let Some(object) = known.into_iter().find(|object| object.path(devices) == path) {
            return Some(object);
        }
        let rest = path.strip_prefix(ADAPTER)?.strip_prefix("/dev_F0_00_00_00_")?;
        let (high, low) = (rest.get(..2)?, rest.get(3..5)?);
        let device = usize::from_str_radix(&format!("{high}{low}"), 16).ok().filter(|at| *at < devices.len())?;
        let below = [Self::Device(device), Self::Service(device)].into_iter();
        let characteristics = (0..devices[device].characteristics.len()).map(|at| Self::Characteristic(device, at));
        below.chain(characteristics).find(|object| object.path(devices) == path)
    }

    /// The one interface of its own.
    #[must_use]
    pub fn interface(self) -> &'static str {
        match self {
            Self::Root | Self::Org | Self::Bluez => interface::MANAGER,
            Self::Adapter => interface::ADAPTER,
            Self::Device(_) => interface::DEVICE,
            Self::Service(_) => interface::SERVICE,
            Self::Characteristic(..) => interface::CHARACTERISTIC,
        }
    }
}

/// What a process sees of the adapter and the devices.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// It scans.
    pub scans: bool,
    /// It has found the device.
    pub known: Vec<bool>,
    /// It holds the device.
    pub connected: Vec<bool>,
    /// Characteristics that notify it, by device.
    pub notifying: Vec<Vec<bool>>,
    /// Signal strength of the devices, dBm.
    pub rssi_dbm: Vec<i16>,
}

impl Sight {
    /// True if the object is there for this process.
    #[must_use]
    pub fn has(&self, object: Object) -> bool {
        match object {
            Object::Root | Object::Org | Object::Bluez | Object::Adapter => true,
            Object::Device(device) => self.known[device],
            Object::Service(device) | Object::Characteristic(device, _) => self.connected[device],
        }
    }

    /// The properties of an object's own interface.
    #[must_use]
    pub fn properties(&self, object: Object, devices: &[Device]) -> Vec<(&'static str, Value)> {
        match object {
            Object::Root | Object::Org | Object::Bluez => Vec::new(),
            Object::Adapter => self.of_adapter(),
            Object::Device(device) => self.of_device(device, devices),
            Object::Service(device) => vec![
                ("UUID", Value::str(&devices[device].service)),
                ("Primary", Value::Bool(true)),
                ("Device", Value::Path(Object::Device(device).path(devices))),
                ("Includes", Value::Array("o".to_owned(), Vec::new())),
            ],
            Object::Characteristic(device, at) => self.of_characteristic((device, at), devices),
        }
    }

    fn of_adapter(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("Address", Value::str(ADAPTER_ADDRESS)),
            ("AddressType", Value::str("public")),
            ("Name", Value::str("toio simulator")),
            ("Alias", Value::str("toio simulator")),
            ("Modalias", Value::str("usb:v1D6Bp0246d0542")),
            ("Class", Value::U32(0)),
            ("Powered", Value::Bool(true)),
            ("Discovering", Value::Bool(self.scans)),
            ("Discoverable", Value::Bool(false)),
            ("Pairable", Value::Bool(false)),
            ("Roles", Value::strings(["central"])),
            ("UUIDs", Value::strings([""; 0])),
        ]
    }

    fn of_device(&self, device: usize, devices: &[Device]) -> Vec<(&'static str, Value)> {
        let is_connected = self.connected[device];
        let no = || Value::Bool(false);
        let mut properties = vec![
            ("Address", Value::Str(address(device))),
            ("AddressType", Value::str("random")),
            ("Name", Value::str(&devices[device].name)),
            ("Alias", Value::str(&devices[device].name)),
            ("Paired", no()),
            ("Bonded", no()),
            ("Trusted", no()),
            ("Blocked", no()),
            ("LegacyPairing", no()),
            ("Connected", Value::Bool(is_connected)),
            ("ServicesResolved", Value::Bool(is_connected)),
            ("UUIDs", Value::strings([&devices[device].service])),
            ("Adapter", Value::Path(ADAPTER.to_owned())),
            ("AdvertisingFlags", Value::Bytes(vec![6])),
        ];
        if !is_connected {
            properties.push(("RSSI", Value::I16(self.rssi_dbm[device])));
        }
        properties
    }

    fn of_characteristic(&self, (device, at): (usize, usize), devices: &[Device]) -> Vec<(&'static str, Value)> {
        let known = &devices[device].characteristics[at];
        let words = [
            (known.read, "read"),
            (known.write_without_response, "write-without-response"),
            (known.write, "write"),
            (known.notify, "notify"),
        ];
        let mut properties = vec![
            ("UUID", Value::str(&known.uuid)),
            ("Service", Value::Path(Object::Service(device).path(devices))),
            ("Value", Value::Bytes(Vec::new())),
            ("Flags", Value::strings(words.into_iter().filter_map(|(has, word)| has.then_some(word)))),
            ("MTU", Value::U16(MTU_BYTES)),
        ];
        if known.notify {
            properties.push(("Notifying", Value::Bool(self.notifying[device][at])));
        }
        properties
    }

    /// Every object that a client of the process sees, for the manager: path, interface, properties.
    #[must_use]
    pub fn managed(&self, devices: &[Device]) -> Value {
        let below = |device: usize| {
            let characteristics =
                (0..devices[device].characteristics.len()).map(move |at| Object::Characteristic(device, at));
            [Object::Device(device), Object::Service(device)].into_iter().chain(characteristics)
        };
        let all = [Object::Adapter].into_iter().chain((0..devices.len()).flat_map(below));
        let seen = all.filter(|object| self.has(*object));
        let pairs = seen.map(|object| (Value::Path(object.path(devices)), self.interfaces(object, devices)));
        Value::Dict("oa{sa{sv}}".to_owned(), pairs.collect())
    }

    /// `a{sa{sv}}`: the interface of an object with its properties.
    #[must_use]
    pub fn interfaces(&self, object: Object, devices: &[Device]) -> Value {
        let properties = Value::properties(self.properties(object, devices));
        Value::Dict("sa{sv}".to_owned(), vec![(Value::str(object.interface()), properties)])
    }

    /// The description of an object, with the names of what lies below it.
    #[must_use]
    pub fn xml(&self, object: Object, devices: &[Device]) -> String {
        let mut xml = String::from("<node>");
        for text in COMMON.iter().chain(methods(object)) {
            xml.push_str(text);
        }
        let properties = self.properties(object, devices);
        if !properties.is_empty() {
            // The interface is still open.
            for (name, value) in properties {
                let _ = write!(xml, r#"<property name="{name}" type="{}" access="read"/>"#, value.signature());
            }
        }
        xml.push_str("</interface>");
        for name in self.below(object, devices) {
            let _ = write!(xml, r#"<node name="{name}"/>"#);
        }
        xml.push_str("</node>");
        xml
    }

    fn below(&self, object: Object, devices: &[Device]) -> Vec<String> {
        let last = |object: Object| {
            let path = object.path(devices);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        };
        match object {
            Object::Root => vec!["org".to_owned()],
            Object::Org => vec!["bluez".to_owned()],
            Object::Bluez => vec![last(Object::Adapter)],
            Object::Adapter => (0..devices.len())
                .filter(|&device| self.known[device])
                .map(|device| last(Object::Device(device)))
                .collect(),
            Object::Device(device) if self.connected[device] => vec![last(Object::Service(device))],
            Object::Service(device) => {
                let all = 0..devices[device].characteristics.len();
                all.map(|at| last(Object::Characteristic(device, at))).collect()
            }
            Object::Device(_) | Object::Characteristic(..) => Vec::new(),
        }
    }
}

/// The interfaces of every object.
const COMMON: [&str; 2] = [
    r#"<interface name="org.freedesktop.DBus.Introspectable"><method name="Introspect"><arg name="xml" type="s" direction="out"/></method></interface>"#,
    r#"<interface name="org.freedesktop.DBus.Properties"><method name="Get"><arg name="interface" type="s" direction="in"/><arg name="name" type="s" direction="in"/><arg name="value" type="v" direction="out"/></method><method name="Set"><arg name="interface" type="s" direction="in"/><arg name="name" type="s" direction="in"/><arg name="value" type="v" direction="in"/></method><method name="GetAll"><arg name="interface" type="s" direction="in"/><arg name="properties" type="a{sv}" direction="out"/></method><signal name="PropertiesChanged"><arg name="interface" type="s"/><arg name="changed_properties" type="a{sv}"/><arg name="invalidated_properties" type="as"/></signal></interface>"#,
];

/// The beginning of an object's own interface, up to its properties.
fn methods(object: Object) -> &'static [&'static str] {
    match object {
        Object::Root => &[
            r#"<interface name="org.freedesktop.DBus.ObjectManager"><method name="GetManagedObjects"><arg name="objects" type="a{oa{sa{sv}}}" direction="out"/></method>"#,
            r#"<signal name="InterfacesAdded"><arg name="object" type="o"/><arg name="interfaces" type="a{sa{sv}}"/></signal>"#,
            r#"<signal name="InterfacesRemoved"><arg name="object" type="o"/><arg name="interfaces" type="as"/></signal>"#,
        ],
        Object::Org | Object::Bluez => &[r#"<interface name="org.freedesktop.DBus.Peer"><method name="Ping"/>"#],
        Object::Adapter => &[
            r#"<interface name="org.bluez.Adapter1"><method name="StartDiscovery"/><method name="StopDiscovery"/>"#,
            r#"<method name="SetDiscoveryFilter"><arg name="properties" type="a{sv}" direction="in"/></method>"#,
            r#"<method name="GetDiscoveryFilters"><arg name="filters" type="as" direction="out"/></method>"#,
            r#"<method name="RemoveDevice"><arg name="device" type="o" direction="in"/></method>"#,
        ],
        Object::Device(_) => {
            &[r#"<interface name="org.bluez.Device1"><method name="Connect"/><method name="Disconnect"/>"#]
        }
        Object::Service(_) => &[r#"<interface name="org.bluez.GattService1">"#],
        Object::Characteristic(..) => &[
            r#"<interface name="org.bluez.GattCharacteristic1"><method name="ReadValue"><arg name="options" type="a{sv}" direction="in"/><arg name="value" type="ay" direction="out"/></method>"#,
            r#"<method name="WriteValue"><arg name="value" type="ay" direction="in"/><arg name="options" type="a{sv}" direction="in"/></method>"#,
            r#"<method name="StartNotify"/><method name="StopNotify"/>"#,
        ],
    }
}
