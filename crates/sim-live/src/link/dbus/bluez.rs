//! BlueZ and the bus under it: what methods do, and when replies and signals go.

use super::connection::{BLUEZ, Connection, OWNER};
use super::objects::{Object, Sight, interface};
use super::wire::{Kind, Message, Value};
use crate::link::gatt::{ADVERTISING_US, ClientId, Gatt, GattEvent, LINK_DELAY_US, Refusal, Way, strength_dbm};
use sim_world::Device;

/// Number of the bus.
pub const GUID: &str = "746f696f73696d756c61746f72627573";

/// Names of errors that decide what clients raise, with a text.
mod error {
    pub const UNKNOWN_METHOD: (&str, &str) = ("org.freedesktop.DBus.Error.UnknownMethod", "no such method");
    pub const UNKNOWN_OBJECT: (&str, &str) = ("org.freedesktop.DBus.Error.UnknownObject", "no such object");
    pub const UNKNOWN_PROPERTY: (&str, &str) = ("org.freedesktop.DBus.Error.UnknownProperty", "no such property");
    pub const UNKNOWN_SERVICE: (&str, &str) = ("org.freedesktop.DBus.Error.ServiceUnknown", "no such name on this bus");
    pub const NO_OWNER: (&str, &str) = ("org.freedesktop.DBus.Error.NameHasNoOwner", "the name has no owner");
    pub const INVALID_RULE: (&str, &str) = ("org.freedesktop.DBus.Error.MatchRuleInvalid", "no match rule");
    pub const NO_RULE: (&str, &str) = ("org.freedesktop.DBus.Error.MatchRuleNotFound", "no such match rule");
    pub const INVALID_ARGS: (&str, &str) = ("org.freedesktop.DBus.Error.InvalidArgs", "arguments of another type");
    pub const IN_PROGRESS: (&str, &str) = ("org.bluez.Error.InProgress", "Operation already in progress");
    pub const NO_DISCOVERY: (&str, &str) = ("org.bluez.Error.Failed", "No discovery started");
    pub const NO_CONNECTION: (&str, &str) = ("org.bluez.Error.Failed", "Not connected");
    pub const NO_ANSWER: (&str, &str) = ("org.bluez.Error.Failed", "The device does not answer");
    pub const TAKEN: (&str, &str) = ("org.bluez.Error.Failed", "The device belongs to another client");
    pub const TOO_LONG: (&str, &str) = ("org.bluez.Error.InvalidValueLength", "The value is too long");
    pub const NO_READ: (&str, &str) = ("org.bluez.Error.NotPermitted", "Read not permitted");
    pub const NO_WRITE: (&str, &str) = ("org.bluez.Error.NotPermitted", "Write not permitted");
    pub const NO_NOTIFY: (&str, &str) = ("org.bluez.Error.NotSupported", "Notify not supported");
}

type Failure = (&'static str, &'static str);

/// What a method gives: its results now, a failure, or nothing yet.
enum Outcome {
    Now(Vec<Value>),
    Fail(Failure),
    Later,
}

impl From<Result<Vec<Value>, Failure>> for Outcome {
    fn from(result: Result<Vec<Value>, Failure>) -> Self {
        result.map_or_else(Self::Fail, Self::Now)
    }
}

const DONE: Outcome = Outcome::Now(Vec::new());

/// A call that is answered later.
#[derive(Clone, Copy, Debug)]
struct Caller {
    connection: u32,
    serial: u32,
}

impl Caller {
    fn token(self) -> u64 {
        u64::from(self.connection) << 32 | u64::from(self.serial)
    }

    fn from_token(token: u64) -> Self {
        Self { connection: (token >> 32) as u32, serial: token as u32 }
    }
}

/// What is to go at a moment.
#[derive(Clone, Copy, Debug)]
enum Due {
    Reply(Caller),
    /// The signals of a device that a process has lost.
    Gone {
        process: usize,
        device: usize,
    },
}

/// The state of BlueZ as all processes see it.
#[derive(Debug, Default)]
pub struct Bluez {
    sights: Vec<Sight>,
    /// Calls that wait for a connection to a device.
    connecting: Vec<(usize, Caller)>,
    /// Connections of bus clients that use a device, by device.
    users: Vec<Vec<u32>>,
    /// By moment, then in the order in which they came.
    due: Vec<(u64, Due)>,
    /// Advertisements that have gone out.
    advertised: u64,
}

/// The one who calls, and everything that a method may touch.
struct Call<'a> {
    connections: &'a mut [Connection],
    /// Place of the caller.
    at: usize,
    process: usize,
    caller: Caller,
    body: &'a [Value],
    gatt: &'a mut Gatt,
}

impl Call<'_> {
    fn text(&self, at: usize) -> Result<&str, Failure> {
        self.body.get(at).and_then(Value::as_str).ok_or(error::INVALID_ARGS)
    }

    fn client(&self) -> ClientId {
        client(self.process)
    }
}

impl Bluez {
    /// BlueZ with so many devices.
    pub fn new(devices: usize) -> Self {
        Self { users: vec![Vec::new(); devices], ..Self::default() }
    }

    /// Another process has come.
    pub fn add_process(&mut self, devices: &[Device]) {
        let (count, place) = (devices.len(), self.sights.len());
        self.sights.push(Sight {
            scans: false,
            known: vec![false; count],
            connected: vec![false; count],
            notifying: devices.iter().map(|device| vec![false; device.characteristics.len()]).collect(),
            rssi_dbm: (0..count).map(|device| strength_dbm(device, place, count)).collect(),
        });
    }

    /// A message of a client. Only calls do anything.
    pub fn call(&mut self, connections: &mut [Connection], at: usize, message: &Message, gatt: &mut Gatt) {
        if message.kind != Kind::Call {
            return;
        }
        let caller = Caller { connection: connections[at].id, serial: message.serial };
        let process = connections[at].process;
        let mut call = Call { connections, at, process, caller, body: &message.body, gatt };
        let outcome = match message.destination.as_str() {
            interface::BUS => bus_method(&mut call, message).into(),
            BLUEZ | OWNER | "" => self.method(&mut call, message),
            _ => Outcome::Fail(error::UNKNOWN_SERVICE),
        };
        if !message.wants_no_reply {
            match outcome {
                Outcome::Now(body) => connections[at].reply(message.serial, body),
                Outcome::Fail(failure) => connections[at].fail(message.serial, failure),
                Outcome::Later => {}
            }
        }
    }

    fn method(&mut self, call: &mut Call<'_>, message: &Message) -> Outcome {
        if message.member == "Ping" {
            return DONE;
        }
        let object = Object::at(&message.path, call.gatt.devices());
        let Some(object) = object.filter(|object| self.sights[call.process].has(*object)) else {
            return Outcome::Fail(error::UNKNOWN_OBJECT);
        };
        let sight = &self.sights[call.process];
        let devices = call.gatt.devices();
        let members = (object, message.member.as_str());
        match members {
            (_, "Introspect") => Outcome::Now(vec![Value::Str(sight.xml(object, devices))]),
            (_, "Get" | "GetAll" | "Set") => properties(sight, object, call, &message.member).into(),
            (Object::Root, "GetManagedObjects") => Outcome::Now(vec![sight.managed(devices)]),
            (Object::Adapter, _) => self.adapter_method(call, &message.member),
            (Object::Device(device), "Connect") => self.connect(call, device),
            (Object::Device(device), "Disconnect") => {
                call.gatt.disconnect(call.client(), device);
                DONE
            }
            (Object::Characteristic(device, at), _) => self.value_method(call, (device, at), &message.member),
            _ => Outcome::Fail(error::UNKNOWN_METHOD),
        }
    }

    fn adapter_method(&mut self, call: &mut Call<'_>, member: &str) -> Outcome {
        match member {
            "SetDiscoveryFilter" => DONE,
            "GetDiscoveryFilters" => Outcome::Now(vec![Value::strings([
                "UUIDs",
                "RSSI",
                "Pathloss",
                "Transport",
                "DuplicateData",
                "Pattern",
            ])]),
            "StartDiscovery" | "StopDiscovery" => self.scan(call, member == "StartDiscovery").into(),
            "RemoveDevice" => self.remove(call).into(),
            _ => Outcome::Fail(error::UNKNOWN_METHOD),
        }
    }

    fn scan(&mut self, call: &mut Call<'_>, begins: bool) -> Result<Vec<Value>, Failure> {
        let scans = &mut call.connections[call.at].scans;
        match (*scans, begins) {
            (true, true) => return Err(error::IN_PROGRESS),
            (false, false) => return Err(error::NO_DISCOVERY),
            _ => *scans = begins,
        }
        self.note_scans(call.connections, call.process);
        Ok(Vec::new())
    }

    /// Tells a process whether any connection of it scans.
    fn note_scans(&mut self, connections: &mut [Connection], process: usize) {
        let scans = connections.iter().any(|connection| connection.process == process && connection.scans);
        if std::mem::replace(&mut self.sights[process].scans, scans) != scans {
            let changed = changed(Object::Adapter, &[], [("Discovering", Value::Bool(scans))]);
            tell(connections, process, &changed);
        }
    }

    fn remove(&mut self, call: &mut Call<'_>) -> Result<Vec<Value>, Failure> {
        let Some(Object::Device(device)) = Object::at(call.text(0)?, call.gatt.devices()) else {
            return Err(error::UNKNOWN_OBJECT);
        };
        call.gatt.disconnect(call.client(), device);
        if std::mem::take(&mut self.sights[call.process].known[device]) {
            tell(call.connections, call.process, &removed(Object::Device(device), call.gatt.devices()));
        }
        Ok(Vec::new())
    }

    fn connect(&mut self, call: &mut Call<'_>, device: usize) -> Outcome {
        let users = &mut self.users[device];
        if !users.contains(&call.caller.connection) {
            users.push(call.caller.connection);
        }
        let is_own = call.gatt.holder(device) == Some(call.client());
        if self.sights[call.process].connected[device] {
            return if is_own { DONE } else { Outcome::Fail(error::IN_PROGRESS) };
        }
        let waits = self.connecting.iter().any(|(known, caller)| {
            *known == device
                && call.connections.iter().any(|of| of.id == caller.connection && of.process == call.process)
        });
        if !waits && let Err(refusal) = call.gatt.connect(call.client(), device) {
            let failure = if refusal == Refusal::Off { error::NO_ANSWER } else { error::TAKEN };
            return Outcome::Fail(failure);
        }
        self.connecting.push((device, call.caller));
        Outcome::Later
    }

    fn value_method(&mut self, call: &mut Call<'_>, at: (usize, usize), member: &str) -> Outcome {
        let client = call.client();
        match member {
            "ReadValue" => match call.gatt.read(client, at, call.caller.token()) {
                Ok(()) => Outcome::Later,
                Err(refusal) => Outcome::Fail(failure(refusal, error::NO_READ)),
            },
            "WriteValue" => {
                let bytes = match call.body.first() {
                    Some(Value::Bytes(bytes)) => bytes.clone(),
                    _ => return Outcome::Fail(error::INVALID_ARGS),
                };
                let written = call.gatt.write(client, at, bytes);
                written.map(|()| Vec::new()).map_err(|refusal| failure(refusal, error::NO_WRITE)).into()
            }
            "StartNotify" | "StopNotify" => {
                let is_on = member == "StartNotify";
                let asked = call.gatt.subscribe(client, at, is_on);
                if asked.is_ok() {
                    self.sights[call.process].notifying[at.0][at.1] = is_on;
                }
                asked.map(|()| Vec::new()).map_err(|refusal| failure(refusal, error::NO_NOTIFY)).into()
            }
            _ => Outcome::Fail(error::UNKNOWN_METHOD),
        }
    }

    /// What a step told of the devices.
    pub fn note(&mut self, connections: &mut [Connection], now_us: u64, event: &GattEvent, gatt: &Gatt) {
        let devices = gatt.devices();
        match event {
            GattEvent::Connected { client, device } => {
                self.connected(connections, now_us, (client.number as usize, *device), devices)
            }
            GattEvent::ConnectFailed { device, .. } => {
                for caller in self.take_connecting(*device) {
                    answer(connections, caller, Err(error::NO_ANSWER));
                }
            }
            GattEvent::Disconnected { client, device } => {
                for caller in self.take_connecting(*device) {
                    answer(connections, caller, Err(error::NO_ANSWER));
                }
                self.users[*device].clear();
                let gone = Due::Gone { process: client.number as usize, device: *device };
                self.due.push((now_us + LINK_DELAY_US, gone));
            }
            GattEvent::Notified { client, device, characteristic, bytes } => {
                let object = Object::Characteristic(*device, *characteristic);
                tell(
                    connections,
                    client.number as usize,
                    &changed(object, devices, [("Value", Value::Bytes(bytes.clone()))]),
                );
            }
            GattEvent::Answered { client, device, token, bytes, .. } => {
                let body = vec![Value::Bytes(bytes.clone().unwrap_or_default())];
                let is_there = bytes.is_some() || gatt.holder(*device) == Some(*client);
                answer(
                    connections,
                    Caller::from_token(*token),
                    if is_there { Ok(body) } else { Err(error::NO_CONNECTION) },
                );
            }
        }
    }

    fn take_connecting(&mut self, device: usize) -> Vec<Caller> {
        let taken = self.connecting.iter().filter(|(known, _)| *known == device).map(|(_, caller)| *caller).collect();
        self.connecting.retain(|(known, _)| *known != device);
        taken
    }

    /// The signals of a connection, and its replies later.
    fn connected(
        &mut self,
        connections: &mut [Connection],
        now_us: u64,
        (process, device): (usize, usize),
        devices: &[Device],
    ) {
        let sight = &mut self.sights[process];
        sight.connected[device] = true;
        sight.notifying[device].fill(false);
        tell(connections, process, &changed(Object::Device(device), devices, [("Connected", Value::Bool(true))]));
        let characteristics = (0..devices[device].characteristics.len()).map(|at| Object::Characteristic(device, at));
        for object in [Object::Service(device)].into_iter().chain(characteristics) {
            tell(connections, process, &added(sight, object, devices));
        }
        tell(
            connections,
            process,
            &changed(Object::Device(device), devices, [("ServicesResolved", Value::Bool(true))]),
        );
        for caller in self.take_connecting(device) {
            self.due.push((now_us + LINK_DELAY_US, Due::Reply(caller)));
        }
    }

    /// What is due goes out, and devices advertise.
    pub fn advance(&mut self, connections: &mut [Connection], now_us: u64, gatt: &Gatt) {
        let (due, later) = std::mem::take(&mut self.due).into_iter().partition(|(moment, _)| *moment <= now_us);
        self.due = later;
        let due: Vec<(u64, Due)> = due;
        for (_, due) in due {
            match due {
                Due::Reply(caller) => answer(connections, caller, Ok(Vec::new())),
                Due::Gone { process, device } => self.gone(connections, (process, device), gatt.devices()),
            }
        }
        let advertised = now_us / ADVERTISING_US;
        if std::mem::replace(&mut self.advertised, advertised) != advertised {
            self.advertise(connections, gatt);
        }
    }

    /// The signals of a disconnection.
    fn gone(&mut self, connections: &mut [Connection], (process, device): (usize, usize), devices: &[Device]) {
        self.sights[process].connected[device] = false;
        for name in ["ServicesResolved", "Connected"] {
            tell(connections, process, &changed(Object::Device(device), devices, [(name, Value::Bool(false))]));
        }
        let characteristics = (0..devices[device].characteristics.len()).map(|at| Object::Characteristic(device, at));
        for object in characteristics.chain([Object::Service(device)]) {
            tell(connections, process, &removed(object, devices));
        }
    }

    /// Every device that is free tells each process that scans of itself; its strength wavers, so that each time is news.
    fn advertise(&mut self, connections: &mut [Connection], gatt: &Gatt) {
        let devices = gatt.devices();
        for process in 0..self.sights.len() {
            let sight = &mut self.sights[process];
            if !sight.scans {
                continue;
            }
            for device in (0..devices.len()).filter(|&device| gatt.is_free(device)) {
                if sight.connected[device] {
                    continue;
                }
                let object = Object::Device(device);
                let signal = if std::mem::replace(&mut sight.known[device], true) {
                    let rssi_dbm = sight.rssi_dbm[device] + (self.advertised % 2) as i16;
                    changed(object, devices, [("RSSI", Value::I16(rssi_dbm))])
                } else {
                    added(sight, object, devices)
                };
                tell(connections, process, &signal);
            }
        }
    }

    /// A connection has ended. A device that no other one of its process uses is let go of.
    pub fn leave(&mut self, connections: &[Connection], gone: &Connection, gatt: &mut Gatt) {
        let process = gone.process;
        let stays = |id: &u32| connections.iter().any(|of| of.id == *id && of.process == process);
        self.connecting.retain(|(_, caller)| caller.connection != gone.id);
        for (device, users) in self.users.iter_mut().enumerate() {
            let was = users.len();
            users.retain(|id| *id != gone.id);
            if users.len() < was && !users.iter().any(stays) {
                gatt.disconnect(client(process), device);
            }
        }
        if !connections.iter().any(|of| of.process == process) {
            gatt.release(client(process));
        }
        self.sights[process].scans = connections.iter().any(|of| of.process == process && of.scans);
    }
}

/// The client that a process is.
fn client(process: usize) -> ClientId {
    ClientId { way: Way::Dbus, number: process as u32 }
}

fn failure(refusal: Refusal, not_permitted: Failure) -> Failure {
    match refusal {
        Refusal::NotPermitted => not_permitted,
        Refusal::NotConnected => error::NO_CONNECTION,
        Refusal::TooLong => error::TOO_LONG,
        Refusal::Busy => error::IN_PROGRESS,
        Refusal::Off => error::NO_ANSWER,
        Refusal::Taken => error::TAKEN,
    }
}

/// A method of the bus itself.
fn bus_method(call: &mut Call<'_>, message: &Message) -> Result<Vec<Value>, Failure> {
    let is_owned = |name: &str| [BLUEZ, OWNER, interface::BUS].contains(&name);
    match message.member.as_str() {
        "Hello" => Ok(vec![Value::Str(call.connections[call.at].name())]),
        "AddMatch" | "RemoveMatch" => {
            let text = call.text(0)?.to_owned();
            let connection = &mut call.connections[call.at];
            let (is_done, failure) = match message.member.as_str() {
                "AddMatch" => (connection.add_rule(&text), error::INVALID_RULE),
                _ => (connection.remove_rule(&text), error::NO_RULE),
            };
            if is_done { Ok(Vec::new()) } else { Err(failure) }
        }
        "GetNameOwner" => match call.text(0)? {
            name if is_owned(name) => Ok(vec![Value::str(OWNER)]),
            _ => Err(error::NO_OWNER),
        },
        "NameHasOwner" => Ok(vec![Value::Bool(is_owned(call.text(0)?))]),
        "ListNames" => Ok(vec![Value::strings([interface::BUS, BLUEZ, OWNER])]),
        "GetId" | "GetMachineId" => Ok(vec![Value::str(GUID)]),
        "Ping" => Ok(Vec::new()),
        "Introspect" => Ok(vec![Value::str(BUS_XML)]),
        _ => Err(error::UNKNOWN_METHOD),
    }
}

const BUS_XML: &str = concat!(
    r#"<node><interface name="org.freedesktop.DBus"><method name="Hello">"#,
    r#"<arg type="s" direction="out"/></method><method name="AddMatch"><arg type="s" direction="in"/>"#,
    r#"</method><method name="RemoveMatch"><arg type="s" direction="in"/></method>"#,
    r#"<method name="GetNameOwner"><arg type="s" direction="in"/><arg type="s" direction="out"/>"#,
    r#"</method><method name="NameHasOwner"><arg type="s" direction="in"/>"#,
    r#"<arg type="b" direction="out"/></method><method name="ListNames">"#,
    r#"<arg type="as" direction="out"/></method><signal name="NameOwnerChanged"><arg type="s"/>"#,
    r#"<arg type="s"/><arg type="s"/></signal></interface></node>"#,
);

/// `Get`, `GetAll` and `Set`. Nothing can be changed, and the adapter is always powered, so that setting it is done at once.
fn properties(sight: &Sight, object: Object, call: &Call<'_>, member: &str) -> Result<Vec<Value>, Failure> {
    let name = call.text(0)?;
    let properties =
        if name == object.interface() { sight.properties(object, call.gatt.devices()) } else { Vec::new() };
    match member {
        "GetAll" => Ok(vec![Value::properties(properties)]),
        "Set" if object == Object::Adapter => Ok(Vec::new()),
        "Get" => {
            let wanted = call.text(1)?;
            let found = properties.into_iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| vec![value.variant()]).ok_or(error::UNKNOWN_PROPERTY)
        }
        _ => Err(error::UNKNOWN_PROPERTY),
    }
}

/// Answers a call whose connection may have gone.
fn answer(connections: &mut [Connection], caller: Caller, result: Result<Vec<Value>, Failure>) {
    let Some(connection) = connections.iter_mut().find(|of| of.id == caller.connection) else { return };
    match result {
        Ok(body) => connection.reply(caller.serial, body),
        Err(failure) => connection.fail(caller.serial, failure),
    }
}

/// Sends a signal to the connections of a process that want it.
fn tell(connections: &mut [Connection], process: usize, signal: &Message) {
    connections.iter_mut().filter(|of| of.process == process).for_each(|of| of.signal(signal));
}

fn signal(path: String, interface: &str, member: &str, body: Vec<Value>) -> Message {
    let (interface, member) = (interface.to_owned(), member.to_owned());
    Message { kind: Kind::Signal, path, interface, member, sender: OWNER.to_owned(), body, ..Message::default() }
}

fn changed<const COUNT: usize>(object: Object, devices: &[Device], values: [(&'static str, Value); COUNT]) -> Message {
    let body = vec![Value::str(object.interface()), Value::properties(values), Value::strings([""; 0])];
    signal(object.path(devices), interface::PROPERTIES, "PropertiesChanged", body)
}

fn added(sight: &Sight, object: Object, devices: &[Device]) -> Message {
    let body = vec![Value::Path(object.path(devices)), sight.interfaces(object, devices)];
    signal("/".to_owned(), interface::MANAGER, "InterfacesAdded", body)
}

fn removed(object: Object, devices: &[Device]) -> Message {
    let body = vec![Value::Path(object.path(devices)), Value::strings([object.interface()])];
    signal("/".to_owned(), interface::MANAGER, "InterfacesRemoved", body)
}
