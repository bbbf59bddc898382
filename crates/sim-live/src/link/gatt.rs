//! Devices of a world as all doors see them: who holds which, what is asked of them, and what they answer.
//!
//! A device belongs to one client at a time, which is a process for a bus and a connection for a socket. The row that ends a connection
//! goes one step after the rows before it, so that what a client asked before it went still reaches the device.

use crate::door::Inbox;
use sim_run::Session;
use sim_world::{DEVICE_MESSAGES, DEVICE_REQUESTS, Device, DeviceState, Model, Stream, Value};
use std::collections::VecDeque;

/// Most bytes of a write: what an ATT value holds.
pub const MAX_WRITE_BYTES: usize = 512;
/// Rows that wait for one step at most, and those of one device; requests beyond them are refused. A client that floods its own device
/// leaves space for the others.
const MAX_WAITING: usize = 2048;
const MAX_WAITING_OF_DEVICE: usize = 256;

/// What a real link takes to begin or end, which clients rely on.
pub const LINK_DELAY_US: u64 = 40_000;
/// Between two advertisements of a device.
pub const ADVERTISING_US: u64 = 100_000;
/// Signal strength of the nearest device, and what each farther one has less, dBm.
const NEAREST_DBM: i16 = -40;
const FARTHER_DBM: i16 = 2;
/// Least signal strength, dBm.
const WEAKEST_DBM: i16 = -100;

/// The way by which a client comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The bus.
    Dbus,
    /// Messages in JSON.
    Json,
    /// OSC packets.
    Osc,
}

/// A client of devices, by the number that its door gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientId {
    /// Its door.
    pub way: Way,
    /// Its number there, never given twice.
    pub number: u32,
}

/// What a client learns after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GattEvent {
    /// The connection stands.
    Connected { client: ClientId, device: usize },
    /// The device took no connection.
    ConnectFailed { client: ClientId, device: usize },
    /// The connection has ended: the client or the device ended it.
    Disconnected { client: ClientId, device: usize },
    /// The device notified.
    Notified { client: ClientId, device: usize, characteristic: usize, bytes: Vec<u8> },
    /// The answer to a read: nothing if there is no value.
    Answered { client: ClientId, device: usize, characteristic: usize, token: u64, bytes: Option<Vec<u8>> },
}

impl GattEvent {
    /// The client that learns of it.
    #[must_use]
    pub fn client(&self) -> ClientId {
        match self {
            Self::Connected { client, .. }
            | Self::ConnectFailed { client, .. }
            | Self::Disconnected { client, .. }
            | Self::Notified { client, .. }
            | Self::Answered { client, .. } => *client,
        }
    }
}

/// Address of a device: random and static, as its two highest bits say.
#[must_use]
pub fn address(device: usize) -> String {
    format!("F0:00:00:00:{:02X}:{:02X}", device >> 8 & 0xff, device & 0xff)
}

/// Signal strength of a device for the client at a place, dBm. Each client has another nearest one, or programs that start together would
/// all choose the same.
#[must_use]
pub fn strength_dbm(device: usize, place: usize, count: usize) -> i16 {
    let rank = (device + count - place % count) % count;
    (NEAREST_DBM - FARTHER_DBM * rank as i16).max(WEAKEST_DBM)
}

/// Why nothing is asked of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another client has it, or it has one of its scenario.
    Taken,
    /// It is off.
    Off,
    /// The client holds no connection to it.
    NotConnected,
    /// The characteristic does not allow it.
    NotPermitted,
    /// More bytes than a write takes.
    TooLong,
    /// The client asks more than a step takes.
    Busy,
}

impl Refusal {
    /// In words, for clients.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Taken => "taken by another client",
            Self::Off => "off",
            Self::NotConnected => "not connected",
            Self::NotPermitted => "not permitted",
            Self::TooLong => "too long",
            Self::Busy => "too many requests",
        }
    }
}

/// What stands between a device and its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    None,
    /// The row that connects goes before the next step.
    Connecting(ClientId),
    Connected(ClientId),
    /// The row that disconnects goes before the step after the next one.
    Closing(ClientId),
    /// It goes before the next step.
    Gone(ClientId),
}

/// One row of the input stream of requests.
#[derive(Clone, Debug)]
struct Row {
    device: usize,
    does: &'static str,
    characteristic: Option<usize>,
    bytes: Option<Vec<u8>>,
}

/// The devices of a model, with the clients that hold them.
#[derive(Debug)]
pub struct Gatt {
    devices: Vec<Device>,
    states: Vec<DeviceState>,
    links: Vec<Link>,
    /// Reads without an answer, by device: characteristic and token, oldest first.
    reads: Vec<VecDeque<(usize, u64)>>,
    waiting: Vec<Row>,
    requests: usize,
    messages: usize,
}

impl Gatt {
    /// The devices of a model; none if it has none.
    #[must_use]
    pub fn new(model: &dyn Model) -> Option<Self> {
        let devices = model.devices();
        let place = |streams: &[Stream], name: &str| streams.iter().position(|stream| stream.name == name);
        let (requests, messages) = (place(model.inputs(), DEVICE_REQUESTS)?, place(model.outputs(), DEVICE_MESSAGES)?);
        let count = devices.len();
        let gatt = Self {
            devices,
            states: vec![DeviceState::Off; count],
            links: vec![Link::None; count],
            reads: vec![VecDeque::new(); count],
            waiting: Vec::new(),
            requests,
            messages,
        };
        (count > 0).then_some(gatt)
    }

    /// Another run begins: all connections have ended.
    pub fn begin(&mut self, session: &Session) -> Vec<GattEvent> {
        self.waiting.clear();
        self.states.fill(DeviceState::Off);
        let mut events = Vec::new();
        for device in 0..self.devices.len() {
            // A client that was about to connect learns of a connection that failed.
            self.follow(device, &mut events);
            self.states[device] = session.device_state(device);
        }
        events
    }

    /// The devices, by their numbers.
    #[must_use]
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// Whether a device advertises.
    #[must_use]
    pub fn is_free(&self, device: usize) -> bool {
        self.links[device] == Link::None && self.states[device] == DeviceState::Free
    }

    /// The client that holds a standing connection to a device.
    #[must_use]
    pub fn holder(&self, device: usize) -> Option<ClientId> {
        match self.links[device] {
            Link::Connected(client) => Some(client),
            _ => None,
        }
    }

    /// A client wants a connection.
    ///
    /// # Errors
    /// If the device is off or taken.
    pub fn connect(&mut self, client: ClientId, device: usize) -> Result<(), Refusal> {
        match self.links[device] {
            Link::None if self.states[device] == DeviceState::Off => Err(Refusal::Off),
            Link::None if self.states[device] == DeviceState::Free => {
                self.ask(Row { device, does: "connect", characteristic: None, bytes: None })?;
                self.links[device] = Link::Connecting(client);
                Ok(())
            }
            _ => Err(Refusal::Taken),
        }
    }

    /// A client goes. Nothing happens if it has not come.
    pub fn disconnect(&mut self, client: ClientId, device: usize) {
        if matches!(self.links[device], Link::Connected(holder) | Link::Connecting(holder) if holder == client) {
            self.links[device] = Link::Closing(client);
        }
    }

    /// A client lets go of all that it has, as when it dies.
    pub fn release(&mut self, client: ClientId) {
        (0..self.devices.len()).for_each(|device| self.disconnect(client, device));
    }

    /// A client writes.
    ///
    /// # Errors
    /// If it holds no connection, the characteristic takes no writes, or there are too many bytes.
    pub fn write(
        &mut self,
        client: ClientId,
        (device, characteristic): (usize, usize),
        bytes: Vec<u8>,
    ) -> Result<(), Refusal> {
        self.check(client, device)?;
        let known = &self.devices[device].characteristics[characteristic];
        if !known.write && !known.write_without_response {
            return Err(Refusal::NotPermitted);
        }
        if bytes.len() > MAX_WRITE_BYTES {
            return Err(Refusal::TooLong);
        }
        let bytes = (!bytes.is_empty()).then_some(bytes);
        self.ask(Row { device, does: "write", characteristic: Some(characteristic), bytes })
    }

    /// A client reads; the answer comes with the token.
    ///
    /// # Errors
    /// If it holds no connection or the characteristic cannot be read.
    pub fn read(
        &mut self,
        client: ClientId,
        (device, characteristic): (usize, usize),
        token: u64,
    ) -> Result<(), Refusal> {
        self.check(client, device)?;
        if !self.devices[device].characteristics[characteristic].read {
            return Err(Refusal::NotPermitted);
        }
        self.ask(Row { device, does: "read", characteristic: Some(characteristic), bytes: None })?;
        self.reads[device].push_back((characteristic, token));
        Ok(())
    }

    /// A client begins or ends notifications.
    ///
    /// # Errors
    /// If it holds no connection or the characteristic does not notify.
    pub fn subscribe(
        &mut self,
        client: ClientId,
        (device, characteristic): (usize, usize),
        is_on: bool,
    ) -> Result<(), Refusal> {
        self.check(client, device)?;
        if !self.devices[device].characteristics[characteristic].notify {
            return Err(Refusal::NotPermitted);
        }
        let does = if is_on { "subscribe" } else { "unsubscribe" };
        self.ask(Row { device, does, characteristic: Some(characteristic), bytes: None })
    }

    fn check(&self, client: ClientId, device: usize) -> Result<(), Refusal> {
        if self.holder(device) == Some(client) { Ok(()) } else { Err(Refusal::NotConnected) }
    }

    fn ask(&mut self, row: Row) -> Result<(), Refusal> {
        let of_device = self.waiting.iter().filter(|waits| waits.device == row.device).count();
        if self.waiting.len() >= MAX_WAITING || of_device >= MAX_WAITING_OF_DEVICE {
            return Err(Refusal::Busy);
        }
        self.waiting.push(row);
        Ok(())
    }

    /// Gives what waits to the next step.
    pub fn give(&mut self, inbox: &mut Inbox) {
        for Row { device, does, characteristic, bytes } in self.waiting.drain(..) {
            let name = characteristic.map(|at| self.devices[device].characteristics[at].name.as_ref());
            let row = [
                Value::from(device),
                does.into(),
                name.map_or(Value::Missing, Value::Text),
                bytes.as_deref().map_or(Value::Missing, Value::Bytes),
            ];
            inbox.push(self.requests, &row);
        }
    }

    /// Tells what the step that was just made yielded, in the order of the devices but for notifications and answers, which come first
    /// and in their own.
    pub fn look(&mut self, session: &Session) -> Vec<GattEvent> {
        let mut events = Vec::new();
        session.rows(self.messages, &mut |row| self.hear(row, &mut events));
        for device in 0..self.devices.len() {
            self.states[device] = session.device_state(device);
            self.follow(device, &mut events);
        }
        events
    }

    /// A row of the stream of messages.
    fn hear(&mut self, row: &[Value<'_>], events: &mut Vec<GattEvent>) {
        let [Value::Integer(device), Value::Text(dir), Value::Text(name), Value::Bytes(bytes)] = row[2..6] else {
            return;
        };
        let device = device as usize;
        let Some(client) = self.links.get(device).and_then(|link| link.client()) else { return };
        let known = self.devices[device].characteristics.iter().position(|known| known.name == name);
        let Some(characteristic) = known else { return };
        match dir {
            "notify" => {
                events.push(GattEvent::Notified { client, device, characteristic, bytes: bytes.to_vec() });
            }
            "answer" => {
                let bytes = (!bytes.is_empty()).then(|| bytes.to_vec());
                self.answer((client, device, characteristic), bytes, events);
            }
            "drop_read" | "drop_answer" => self.answer((client, device, characteristic), None, events),
            _ => {}
        }
    }

    /// The oldest read of a characteristic is answered.
    fn answer(
        &mut self,
        (client, device, characteristic): (ClientId, usize, usize),
        bytes: Option<Vec<u8>>,
        events: &mut Vec<GattEvent>,
    ) {
        let at = self.reads[device].iter().position(|(asked, _)| *asked == characteristic);
        if let Some((_, token)) = at.and_then(|at| self.reads[device].remove(at)) {
            events.push(GattEvent::Answered { client, device, characteristic, token, bytes });
        }
    }

    /// The link goes on as the device is after the step.
    fn follow(&mut self, device: usize, events: &mut Vec<GattEvent>) {
        let is_connected = self.states[device] == DeviceState::Connected;
        self.links[device] = match self.links[device] {
            Link::Connecting(client) if is_connected => {
                events.push(GattEvent::Connected { client, device });
                Link::Connected(client)
            }
            Link::Connecting(client) => {
                events.push(GattEvent::ConnectFailed { client, device });
                Link::None
            }
            Link::Closing(client) if is_connected => {
                self.waiting.push(Row { device, does: "disconnect", characteristic: None, bytes: None });
                Link::Gone(client)
            }
            Link::Connected(client) | Link::Closing(client) | Link::Gone(client) if !is_connected => {
                for (characteristic, token) in std::mem::take(&mut self.reads[device]) {
                    events.push(GattEvent::Answered { client, device, characteristic, token, bytes: None });
                }
                events.push(GattEvent::Disconnected { client, device });
                Link::None
            }
            link => link,
        };
    }
}

impl Link {
    fn client(self) -> Option<ClientId> {
        match self {
            Self::None => None,
            Self::Connecting(client) | Self::Connected(client) | Self::Closing(client) | Self::Gone(client) => {
                Some(client)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_run::{RunOptions, scenario};
    use sim_worlds::WORLDS;

    const CUBE: &str = r#"{ "name": "one", "world": "mat", "steps": 600, "feet": { "count": 0 }, "patches": { "count": 0 },
        "agents": { "count": 0 }, "cubes": [{ "name": "a", "at_mm": [200, 200], "connected": false,
        "radio": { "link": "perfect" } }] }"#;
    const BATTERY: (usize, usize) = (0, 6);
    const LAMP: (usize, usize) = (0, 2);

    fn client(number: u32) -> ClientId {
        ClientId { way: Way::Dbus, number }
    }

    fn start() -> (Session, Gatt) {
        let model = scenario::parse(WORLDS, CUBE, "one.json", &[]).unwrap().model;
        let session = Session::start(&model, model.key(0), &RunOptions::default()).unwrap();
        let mut gatt = Gatt::new(&*model).unwrap();
        assert_eq!(gatt.begin(&session), []);
        (session, gatt)
    }

    fn step(session: &mut Session, gatt: &mut Gatt) -> Vec<GattEvent> {
        let mut inbox = Inbox::default();
        gatt.give(&mut inbox);
        inbox.step(session).unwrap();
        assert_eq!(session.refused().rows.values().sum::<u64>(), 0);
        gatt.look(session)
    }

    #[test]
    fn a_device_belongs_to_one_client() {
        let (mut session, mut gatt) = start();
        assert!(gatt.is_free(0));
        gatt.connect(client(7), 0).unwrap();
        assert_eq!(gatt.connect(client(8), 0), Err(Refusal::Taken));
        assert_eq!(step(&mut session, &mut gatt), [GattEvent::Connected { client: client(7), device: 0 }]);
        assert_eq!((gatt.holder(0), gatt.is_free(0)), (Some(client(7)), false));
        assert_eq!(gatt.connect(client(8), 0), Err(Refusal::Taken));
        assert_eq!(gatt.read(client(8), BATTERY, 1), Err(Refusal::NotConnected));
        gatt.release(client(8));
        assert_eq!(gatt.holder(0), Some(client(7)), "only its holder lets go");
        gatt.release(client(7));
        assert_eq!(step(&mut session, &mut gatt), []);
        assert_eq!(step(&mut session, &mut gatt), [GattEvent::Disconnected { client: client(7), device: 0 }]);
        gatt.connect(client(8), 0).unwrap();
        assert_eq!(step(&mut session, &mut gatt), [GattEvent::Connected { client: client(8), device: 0 }]);
    }

    #[test]
    fn answers_go_to_their_questions() {
        let (mut session, mut gatt) = start();
        gatt.connect(client(7), 0).unwrap();
        step(&mut session, &mut gatt);
        gatt.read(client(7), BATTERY, 11).unwrap();
        gatt.read(client(7), BATTERY, 12).unwrap();
        let answer = |token| GattEvent::Answered {
            client: client(7),
            device: 0,
            characteristic: 6,
            token,
            bytes: Some(vec![100]),
        };
        assert_eq!(step(&mut session, &mut gatt), [answer(11), answer(12)]);
        assert_eq!(gatt.read(client(7), LAMP, 13), Err(Refusal::NotPermitted));
        assert_eq!(gatt.write(client(7), BATTERY, vec![1]), Err(Refusal::NotPermitted));
        assert_eq!(gatt.write(client(7), LAMP, vec![0; MAX_WRITE_BYTES + 1]), Err(Refusal::TooLong));
        assert_eq!(gatt.subscribe(client(7), LAMP, true), Err(Refusal::NotPermitted));
        // Malformed bytes are for the device to drop.
        gatt.write(client(7), LAMP, vec![]).unwrap();
        assert_eq!(step(&mut session, &mut gatt), []);
    }

    /// A client that asks without end is refused, and what it asked before is still taken.
    #[test]
    fn the_queue_of_a_step_is_bounded() {
        let (mut session, mut gatt) = start();
        gatt.connect(client(7), 0).unwrap();
        step(&mut session, &mut gatt);
        let asked = (0..3 * MAX_WAITING_OF_DEVICE).filter(|_| gatt.write(client(7), LAMP, vec![0]).is_ok()).count();
        assert_eq!(asked, MAX_WAITING_OF_DEVICE);
        step(&mut session, &mut gatt);
        assert_eq!(gatt.write(client(7), LAMP, vec![0]), Ok(()));
    }

    #[test]
    fn a_run_that_begins_again_ends_connections() {
        let (mut session, mut gatt) = start();
        gatt.connect(client(7), 0).unwrap();
        step(&mut session, &mut gatt);
        gatt.read(client(7), BATTERY, 11).unwrap();
        let (next, _) = start();
        let unanswered =
            GattEvent::Answered { client: client(7), device: 0, characteristic: 6, token: 11, bytes: None };
        assert_eq!(gatt.begin(&next), [unanswered, GattEvent::Disconnected { client: client(7), device: 0 }]);
        assert!(gatt.is_free(0));
    }
}
