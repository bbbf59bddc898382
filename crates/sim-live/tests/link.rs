//! Programs that drive devices: a bus client and a clock client against the doors, step by step, without a clock on the wall.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod stage;

use sim_live::link::LinkOptions;
use sim_live::link::dbus::wire::{Kind, Message, Value, message_bytes};
use sim_live::{Door, Gate};
use sim_world::DeviceState;
use stage::{Stage, repeated};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;

const BUS: &str = "org.freedesktop.DBus";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const ADAPTER: &str = "/org/bluez/hci0";
const CUBE_A: &str = "/org/bluez/hci0/dev_F0_00_00_00_00_00";
const CUBE_B: &str = "/org/bluez/hci0/dev_F0_00_00_00_00_01";
/// Steps of a tenth of a second: what any call takes at most.
const SOON: u64 = 20;

fn char_of(cube: &str, handle: &str) -> String {
    format!("{cube}/service000a/char{handle}")
}

fn dbus() -> LinkOptions {
    LinkOptions { dbus: true, ..LinkOptions::default() }
}

/// A bus client.
struct Client {
    stream: UnixStream,
    input: Vec<u8>,
    serial: u32,
}

impl Client {
    fn new(stage: &mut Stage) -> Self {
        let mut stream = UnixStream::connect(stage.folder.path().join("doors/bus")).unwrap();
        stream.set_nonblocking(true).unwrap();
        stream.write_all(b"\0AUTH EXTERNAL 30\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n").unwrap();
        stage.hear();
        let mut client = Self { stream, input: Vec::new(), serial: 0 };
        client.read();
        let lines = String::from_utf8(std::mem::take(&mut client.input)).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert!(lines[0].strip_prefix("OK ").is_some_and(|guid| guid.len() == 32), "{lines:?}");
        assert_eq!(lines[1..], ["AGREE_UNIX_FD"]);
        let name = client.call(stage, ("/org/freedesktop/DBus", BUS, "Hello"), vec![]).unwrap();
        assert!(matches!(&name[..], [Value::Str(name)] if name.starts_with(":1.")), "{name:?}");
        client
    }

    /// A client that listens, has scanned and is connected with a cube.
    fn holding(stage: &mut Stage, cube: &str) -> Self {
        let mut client = Self::new(stage);
        client.listen(stage);
        client.scan(stage);
        client.connect(stage, cube).unwrap();
        client
    }

    fn read(&mut self) {
        let mut chunk = [0; 4096];
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => return,
                Ok(count) => self.input.extend(&chunk[..count]),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    return;
                }
            }
        }
    }

    /// What has come so far.
    fn messages(&mut self) -> Vec<Message> {
        self.read();
        let mut messages = Vec::new();
        while let Some(length) = message_bytes(&self.input).unwrap() {
            messages.push(Message::parse(&self.input[..length]).unwrap());
            self.input.drain(..length);
        }
        messages
    }

    fn send(&mut self, (path, interface, member): (&str, &str, &str), body: Vec<Value>) {
        self.serial += 1;
        let destination = if interface == BUS { BUS } else { "org.bluez" };
        let [path, interface, member, destination] = [path, interface, member, destination].map(str::to_owned);
        let message = Message {
            kind: Kind::Call,
            serial: self.serial,
            path,
            interface,
            member,
            destination,
            body,
            ..Message::default()
        };
        let mut bytes = Vec::new();
        message.write_to(&mut bytes);
        self.stream.write_all(&bytes).unwrap();
    }

    /// Calls a method. Returns everything that comes up to its reply, which is the last, and the steps that it took.
    fn exchange(&mut self, stage: &mut Stage, method: (&str, &str, &str), body: Vec<Value>) -> (Vec<Message>, u64) {
        self.send(method, body);
        stage.hear();
        let mut all = Vec::new();
        for steps in 0..SOON {
            all.extend(self.messages());
            if let Some(at) = all.iter().position(|message| message.reply_serial == self.serial) {
                assert_eq!(at + 1, all.len(), "nothing comes with a reply behind it");
                return (all, steps);
            }
            stage.step();
        }
        panic!("{method:?} has no reply: {all:?}");
    }

    fn call(&mut self, stage: &mut Stage, method: (&str, &str, &str), body: Vec<Value>) -> Result<Vec<Value>, String> {
        let reply = self.exchange(stage, method, body).0.pop().unwrap();
        if reply.kind == Kind::Error { Err(reply.error_name) } else { Ok(reply.body) }
    }

    fn listen(&mut self, stage: &mut Stage) {
        for member in ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged"] {
            let rule = format!("type=signal,member={member}");
            self.call(stage, ("/org/freedesktop/DBus", BUS, "AddMatch"), vec![Value::Str(rule)]).unwrap();
        }
    }

    fn scan(&mut self, stage: &mut Stage) {
        self.call(stage, (ADAPTER, "org.bluez.Adapter1", "StartDiscovery"), vec![]).unwrap();
        (0..2 * SOON).for_each(|_| stage.step());
        self.call(stage, (ADAPTER, "org.bluez.Adapter1", "StopDiscovery"), vec![]).unwrap();
        self.messages();
    }

    fn connect(&mut self, stage: &mut Stage, cube: &str) -> Result<Vec<Value>, String> {
        self.call(stage, (cube, "org.bluez.Device1", "Connect"), vec![])
    }

    fn read_value(&mut self, stage: &mut Stage, path: &str) -> Result<Vec<u8>, String> {
        let method = (path, "org.bluez.GattCharacteristic1", "ReadValue");
        let body = self.call(stage, method, vec![Value::properties([])])?;
        let [Value::Bytes(bytes)] = &body[..] else { panic!("{body:?}") };
        Ok(bytes.clone())
    }

    fn write_value(&mut self, stage: &mut Stage, path: &str, bytes: &[u8]) -> Result<Vec<Value>, String> {
        let method = (path, "org.bluez.GattCharacteristic1", "WriteValue");
        let options = Value::properties([("type", Value::str("command"))]);
        self.call(stage, method, vec![Value::Bytes(bytes.to_vec()), options])
    }

    fn notify(&mut self, stage: &mut Stage, path: &str) -> Result<Vec<Value>, String> {
        self.call(stage, (path, "org.bluez.GattCharacteristic1", "StartNotify"), vec![])
    }
}

/// Path and changed properties of the signals `PropertiesChanged` among messages.
fn changes(messages: &[Message]) -> Vec<(String, String, Value)> {
    let changed = messages.iter().filter(|message| message.member == "PropertiesChanged");
    changed
        .map(|message| {
            let [_, Value::Dict(_, pairs), _] = &message.body[..] else { panic!("{message:?}") };
            let [(Value::Str(name), Value::Variant(value))] = &pairs[..] else { panic!("{message:?}") };
            (message.path.clone(), name.clone(), (**value).clone())
        })
        .collect()
}

fn properties_of(client: &mut Client, stage: &mut Stage, path: &str, interface: &str) -> Vec<(String, Value)> {
    let body = client.call(stage, (path, PROPERTIES, "GetAll"), vec![Value::str(interface)]).unwrap();
    let [Value::Dict(kind, pairs)] = &body[..] else { panic!("{body:?}") };
    assert_eq!(kind, "sv");
    pairs
        .iter()
        .map(|(name, value)| {
            let Value::Variant(value) = value else { panic!("{value:?}") };
            (name.as_str().unwrap().to_owned(), (**value).clone())
        })
        .collect()
}

#[test]
fn the_folder_of_the_sockets_is_private() {
    let stage = Stage::new(&dbus());
    let doors = stage.folder.path().join("doors");
    assert_eq!(doors.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    drop(stage.link);
    assert!(!doors.exists(), "it goes with the session");
}

/// Devices come to those who scan, with what bluez-async asks of them; known ones tell their strength again and again.
#[test]
fn a_client_that_scans_finds_the_cubes() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::new(&mut stage);
    client.listen(&mut stage);
    let objects = |client: &mut Client, stage: &mut Stage| {
        let body =
            client.call(stage, ("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"), vec![]).unwrap();
        let [Value::Dict(_, pairs)] = &body[..] else { panic!("{body:?}") };
        pairs.iter().map(|(path, _)| path.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(objects(&mut client, &mut stage), [ADAPTER]);
    client.call(&mut stage, (ADAPTER, "org.bluez.Adapter1", "StartDiscovery"), vec![]).unwrap();
    assert_eq!(
        client.call(&mut stage, (ADAPTER, "org.bluez.Adapter1", "StartDiscovery"), vec![]),
        Err("org.bluez.Error.InProgress".to_owned())
    );
    (0..60).for_each(|_| stage.step());
    let messages = client.messages();
    let added: Vec<&str> = messages
        .iter()
        .filter(|message| message.member == "InterfacesAdded")
        .map(|m| m.body[0].as_str().unwrap())
        .collect();
    assert_eq!(added, [CUBE_A, CUBE_B]);
    // Ten advertisements a second, the first of each as an object.
    let strengths = changes(&messages).into_iter().filter(|(path, name, _)| path == CUBE_A && name == "RSSI");
    let strengths: Vec<Value> = strengths.map(|(_, _, value)| value).collect();
    assert!((8..=10).contains(&strengths.len()), "{strengths:?}");
    assert!(strengths.windows(2).all(|pair| pair[0] != pair[1]), "each is news: {strengths:?}");
    assert_eq!(objects(&mut client, &mut stage), [ADAPTER, CUBE_A, CUBE_B]);
    let device = properties_of(&mut client, &mut stage, CUBE_A, "org.bluez.Device1");
    let needed =
        ["Address", "AddressType", "Paired", "Connected", "ServicesResolved", "Trusted", "Blocked", "LegacyPairing"];
    assert!(needed.iter().all(|name| device.iter().any(|(known, _)| known == name)), "{device:?}");
    assert!(device.contains(&("UUIDs".to_owned(), Value::strings(["10b20100-5b3b-4571-9508-cf3efcd7bbae"]))));
    client.call(&mut stage, (ADAPTER, "org.bluez.Adapter1", "StopDiscovery"), vec![]).unwrap();
    client.messages();
    (0..30).for_each(|_| stage.step());
    assert_eq!(changes(&client.messages()), []);
}

/// Signals first, the reply 40 ms later: three steps of 16.7 ms.
#[test]
fn the_reply_of_a_connection_comes_after_its_signals() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::new(&mut stage);
    client.listen(&mut stage);
    client.scan(&mut stage);
    let (messages, steps) = client.exchange(&mut stage, (CUBE_A, "org.bluez.Device1", "Connect"), vec![]);
    assert!((3..=5).contains(&steps), "{steps} steps");
    let members: Vec<&str> = messages.iter().map(|message| message.member.as_str()).collect();
    // Connected, the service with eight characteristics, ServicesResolved, the reply.
    assert_eq!(members, [&["PropertiesChanged"][..], &["InterfacesAdded"; 9], &["PropertiesChanged", ""]].concat());
    let told: Vec<(String, String, Value)> = changes(&messages);
    let yes = |name: &str| (CUBE_A.to_owned(), name.to_owned(), Value::Bool(true));
    assert_eq!(told, [yes("Connected"), yes("ServicesResolved")]);
    // Handles of a real cube, less one: 12, 16, 20, 23, 26, 30, 34, 38.
    let added: Vec<&str> = messages[2..10].iter().map(|message| message.body[0].as_str().unwrap()).collect();
    let handles = ["000b", "000f", "0013", "0016", "0019", "001d", "0021", "0025"];
    assert_eq!(added, handles.map(|handle| char_of(CUBE_A, handle)));
    assert_eq!(stage.session.device_state(0), DeviceState::Connected);
    let motor = properties_of(&mut client, &mut stage, &char_of(CUBE_A, "000f"), "org.bluez.GattCharacteristic1");
    assert!(
        motor.contains(&("Flags".to_owned(), Value::strings(["read", "write-without-response", "notify"]))),
        "{motor:?}"
    );
    assert!(motor.contains(&("MTU".to_owned(), Value::U16(185))));
    assert!(!motor.iter().any(|(name, _)| name == "NotifyAcquired"), "or bleak 2 asks for a socket");
}

/// As toio.py begins: the version by a write and a read, then the button.
#[test]
fn a_client_writes_reads_and_is_notified() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::holding(&mut stage, CUBE_A);
    let configuration = char_of(CUBE_A, "0025");
    assert_eq!(client.read_value(&mut stage, &configuration), Ok(vec![]), "no answer has been given yet");
    client.write_value(&mut stage, &configuration, &[1, 0]).unwrap();
    assert_eq!(client.read_value(&mut stage, &configuration), Ok(b"\x81\x002.5.0".to_vec()));
    let button = char_of(CUBE_A, "001d");
    client.notify(&mut stage, &button).unwrap();
    stage.hand(0, "button_down");
    stage.step();
    let value = |bytes: &[u8]| (button.clone(), "Value".to_owned(), Value::Bytes(bytes.to_vec()));
    assert_eq!(changes(&client.messages()), [value(&[1, 0x80])]);
    stage.hand(0, "button_up");
    stage.step();
    assert_eq!(changes(&client.messages()), [value(&[1, 0])]);
    // The lamp without a response and the motor with one: both are what clients do.
    client.write_value(&mut stage, &char_of(CUBE_A, "0013"), &[3, 0, 1, 1, 255, 0, 0]).unwrap();
    stage.step();
    stage.step();
    assert_eq!(stage.session.numbers("cubes", ["led_r"]).unwrap(), [[255.0], [0.0]]);
}

#[test]
fn errors_have_the_names_that_clients_know() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::new(&mut stage);
    fn unknown<T>(kind: &str) -> Result<T, String> {
        Err(format!("org.freedesktop.DBus.Error.Unknown{kind}"))
    }
    assert_eq!(client.connect(&mut stage, CUBE_A), unknown("Object"), "it has not been found yet");
    client.scan(&mut stage);
    assert_eq!(client.call(&mut stage, (ADAPTER, "org.bluez.Adapter1", "Dance"), vec![]), unknown("Method"));
    assert_eq!(client.read_value(&mut stage, &char_of(CUBE_A, "000b")), unknown("Object"), "it is not connected");
    client.connect(&mut stage, CUBE_A).unwrap();
    let not_permitted = Err("org.bluez.Error.NotPermitted".to_owned());
    assert_eq!(client.read_value(&mut stage, &char_of(CUBE_A, "0013")), not_permitted);
    assert_eq!(client.write_value(&mut stage, &char_of(CUBE_A, "000b"), &[1]).map(drop), not_permitted.map(drop));
    let not_supported = Err("org.bluez.Error.NotSupported".to_owned());
    assert_eq!(client.notify(&mut stage, &char_of(CUBE_A, "0013")), not_supported);
    let no_value =
        client.call(&mut stage, (&char_of(CUBE_A, "0013"), "org.bluez.GattCharacteristic1", "WriteValue"), vec![]);
    assert_eq!(no_value, Err("org.freedesktop.DBus.Error.InvalidArgs".to_owned()));
    let owner = |client: &mut Client, stage: &mut Stage, name: &str| {
        client.call(stage, ("/org/freedesktop/DBus", BUS, "GetNameOwner"), vec![Value::str(name)])
    };
    assert_eq!(owner(&mut client, &mut stage, "org.bluez"), Ok(vec![Value::str(":1.0")]));
    assert_eq!(owner(&mut client, &mut stage, "org.else"), Err("org.freedesktop.DBus.Error.NameHasNoOwner".to_owned()));
}

/// The reply first, the signals 40 ms later; then the cube is as new.
#[test]
fn the_signals_of_a_disconnection_come_after_its_reply() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::holding(&mut stage, CUBE_A);
    client.write_value(&mut stage, &char_of(CUBE_A, "0013"), &[3, 0, 1, 1, 255, 0, 0]).unwrap();
    let (messages, steps) = client.exchange(&mut stage, (CUBE_A, "org.bluez.Device1", "Disconnect"), vec![]);
    assert_eq!((messages.len(), steps), (1, 0));
    let mut lamp_was_on = false;
    for _ in 0..3 {
        stage.step();
        lamp_was_on |= stage.session.numbers("cubes", ["led_r"]).unwrap()[0] == [255.0];
        assert_eq!(client.messages(), []);
    }
    assert!(lamp_was_on, "what was written before the disconnection reaches the cube");
    assert_eq!(stage.session.device_state(0), DeviceState::Free);
    assert_eq!(stage.session.numbers("cubes", ["led_r"]).unwrap()[0], [0.0]);
    (0..4).for_each(|_| stage.step());
    let messages = client.messages();
    let no = |name: &str| (CUBE_A.to_owned(), name.to_owned(), Value::Bool(false));
    assert_eq!(changes(&messages), [no("ServicesResolved"), no("Connected")]);
    assert_eq!(messages.iter().filter(|message| message.member == "InterfacesRemoved").count(), 9);
    client.connect(&mut stage, CUBE_A).unwrap();
}

/// A client that is killed says nothing: its cube advertises again within half a second.
#[test]
fn a_cube_of_a_client_that_dies_is_free_again() {
    let mut stage = Stage::new(&dbus());
    let mut listener = Client::new(&mut stage);
    listener.scan(&mut stage);
    // bleak has a connection of its own for each cube, beside the one that listens.
    let mut client = Client::new(&mut stage);
    client.connect(&mut stage, CUBE_A).unwrap();
    client.connect(&mut stage, CUBE_B).unwrap();
    drop(client);
    (0..4).for_each(|_| stage.step());
    assert_eq!([0, 1].map(|cube| stage.session.device_state(cube)), [DeviceState::Free; 2]);
}

/// A cube that is switched off goes by itself, and its client hears of it within a second.
#[test]
fn a_cube_that_vanishes_is_told_to_its_client() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::holding(&mut stage, CUBE_A);
    stage.hand(0, "power_off");
    // 0.7 s to go off, and 40 ms.
    (0..48).for_each(|_| stage.step());
    let told = changes(&client.messages());
    assert!(told.contains(&(CUBE_A.to_owned(), "Connected".to_owned(), Value::Bool(false))), "{told:?}");
    assert_eq!(client.connect(&mut stage, CUBE_A), Err("org.bluez.Error.Failed".to_owned()), "it is off");
}

/// A hand takes a cube away: its client hears of that at once, and no scan finds it until it is brought.
#[test]
fn a_cube_that_leaves_and_comes_back() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::holding(&mut stage, CUBE_A);
    stage.hand(0, "take_away");
    // The step, and 40 ms.
    (0..4).for_each(|_| stage.step());
    let told = changes(&client.messages());
    assert!(told.contains(&(CUBE_A.to_owned(), "Connected".to_owned(), Value::Bool(false))), "{told:?}");
    let finds = |client: &mut Client, stage: &mut Stage| {
        client.call(stage, (ADAPTER, "org.bluez.Adapter1", "StartDiscovery"), vec![]).unwrap();
        (0..SOON).for_each(|_| stage.step());
        let heard = changes(&client.messages());
        client.call(stage, (ADAPTER, "org.bluez.Adapter1", "StopDiscovery"), vec![]).unwrap();
        [CUBE_A, CUBE_B].map(|cube| heard.iter().any(|(path, name, _)| path == cube && name == "RSSI"))
    };
    assert_eq!(finds(&mut client, &mut stage), [false, true]);
    assert_eq!(client.connect(&mut stage, CUBE_A), Err("org.bluez.Error.Failed".to_owned()), "it is off");
    stage.hand(0, "bring");
    // It takes 0.5 s to come on.
    (0..31).for_each(|_| stage.step());
    assert_eq!(finds(&mut client, &mut stage), [true, true]);
    client.connect(&mut stage, CUBE_A).unwrap();
    assert_eq!(stage.session.device_state(0), DeviceState::Connected);
    assert!(stage.repeats());
}

/// btleplug finds services by the description of the device, and dbus-next calls nothing that is not described.
#[test]
fn objects_describe_themselves_and_what_is_below_them() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::new(&mut stage);
    client.scan(&mut stage);
    client.connect(&mut stage, CUBE_A).unwrap();
    let mut xml = |path: &str| {
        let body =
            client.call(&mut stage, (path, "org.freedesktop.DBus.Introspectable", "Introspect"), vec![]).unwrap();
        body[0].as_str().unwrap().to_owned()
    };
    for (path, below, method) in [
        ("/", "org", "GetManagedObjects"),
        ("/org/bluez", "hci0", "Ping"),
        (ADAPTER, "dev_F0_00_00_00_00_00", "StartDiscovery"),
        (CUBE_A, "service000a", "Connect"),
        (&format!("{CUBE_A}/service000a"), "char000b", "GetAll"),
        (&char_of(CUBE_A, "000f"), "", "WriteValue"),
    ] {
        let text = xml(path);
        assert!(text.contains(&format!(r#"<method name="{method}""#)), "{path}: {text}");
        assert!(below.is_empty() || text.contains(&format!(r#"<node name="{below}"/>"#)), "{path}: {text}");
        assert_eq!(text.matches("<interface").count(), text.matches("</interface>").count(), "{text}");
    }
}

/// What programs did is in the record: the run repeats without them.
#[test]
fn a_session_with_a_program_repeats_from_its_record() {
    let mut stage = Stage::new(&dbus());
    let mut client = Client::new(&mut stage);
    client.scan(&mut stage);
    client.connect(&mut stage, CUBE_A).unwrap();
    client.notify(&mut stage, &char_of(CUBE_A, "000b")).unwrap();
    client.write_value(&mut stage, &char_of(CUBE_A, "000f"), &[2, 1, 1, 60, 2, 1, 20, 100]).unwrap();
    (0..90).for_each(|_| stage.step());
    drop(client);
    (0..30).for_each(|_| stage.step());
    assert!(stage.repeats());
}

/// SplitMix64: the next of a row of numbers below `below`.
fn draw(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) % below
}

/// Something that a person may do with the mouse or a key.
fn hand_at_random(stage: &mut Stage, seed: &mut u64) {
    use sim_world::Value::{Integer, Missing, Number, Text};
    const DOES: [&str; 10] =
        ["pull", "release", "tap", "button_down", "button_up", "power_off", "power_on", "drag", "take_away", "bring"];
    let place = stage.session.input("hands").unwrap();
    let stream = &stage.session.model().inputs()[place];
    let mut row = vec![Missing; stream.columns.len()];
    let does = DOES[draw(seed, DOES.len() as u64) as usize];
    (row[0], row[1]) = (Integer(draw(seed, 2) as i64), Text(does));
    let mut set = |column: &str, value| row[stream.column(column).unwrap()] = value;
    if ["pull", "drag"].contains(&does) {
        set("x_mm", Number(150.0 + draw(seed, 300) as f64));
        set("y_mm", Number(120.0 + draw(seed, 240) as f64));
    }
    if does == "drag" {
        set("height_mm", Number(draw(seed, 40) as f64));
    }
    if does == "tap" {
        set("side", Text("top"));
        set("impulse_mn_s", Number(6.0));
    }
    assert!(stage.inbox.push(place, &row));
}

/// Something that a program may do: connect, drive, listen, go, or die without a word.
fn program_at_random(stage: &mut Stage, client: &mut Option<Client>, seed: &mut u64) {
    let cube = [CUBE_A, CUBE_B][draw(seed, 2) as usize];
    let act = draw(seed, 6);
    let Some(one) = client else {
        let mut new = Client::new(stage);
        new.scan(stage);
        *client = Some(new);
        return;
    };
    // What a cube refuses, as one that is off does, is an answer as well.
    let _ = match act {
        0 => one.connect(stage, cube),
        1 => one.call(stage, (cube, "org.bluez.Device1", "Disconnect"), vec![]),
        2 => one.notify(stage, &char_of(cube, "000b")),
        3 => {
            let speed = draw(seed, 60) as u8;
            one.write_value(stage, &char_of(cube, "000f"), &[2, 1, 1, speed, 2, 2, speed, 50])
        }
        4 => one.read_value(stage, &char_of(cube, "000b")).map(|_| Vec::new()),
        _ => {
            *client = None;
            Ok(Vec::new())
        }
    };
}

/// Ten minutes of hands, the switch and programs that come, drive and die, all at random.
#[test]
fn ten_minutes_of_anything_repeat_from_their_record() {
    const STEPS: u64 = 600 * 60;
    let (mut stage, mut client, mut seed, mut deaths) = (Stage::new(&dbus()), None, 2411, 0);
    while stage.session.tick().0 < STEPS {
        if draw(&mut seed, 12) == 0 {
            hand_at_random(&mut stage, &mut seed);
        }
        if draw(&mut seed, 30) == 0 {
            let was = client.is_some();
            program_at_random(&mut stage, &mut client, &mut seed);
            deaths += u64::from(was && client.is_none());
        }
        stage.step();
    }
    assert!(deaths > 20, "{deaths}");
    let Stage { session, folder, .. } = stage;
    let report = session.finish_here().unwrap();
    assert_eq!(report.refused.rows.values().sum::<u64>(), 0, "{:?}", report.refused);
    for words in ["connect", "disconnect", "write", "subscribe"] {
        let record = std::fs::read_to_string(folder.path().join("run/inputs-clients.csv")).unwrap();
        assert!(record.contains(&format!(",{words},")), "{words}");
    }
    assert_eq!(repeated(folder.path(), report.steps_done), report.final_state_hash);
}

/// A client of the clock: the world goes as far as all of them let it, and stops for a message.
#[test]
fn time_goes_while_every_client_waits() {
    let mut stage = Stage::new(&LinkOptions { lockstep: true, ..dbus() });
    stage.hear();
    assert_eq!(stage.link.gate(), Gate::Closed, "no client has come yet");
    let connect = |stage: &Stage| {
        let stream = UnixStream::connect(stage.folder.path().join("doors/clock")).unwrap();
        stream.set_nonblocking(true).unwrap();
        stream
    };
    let line = |stream: &mut UnixStream| {
        let mut text = [0; 64];
        stream
            .read(&mut text)
            .map_or_else(|_| String::new(), |count| String::from_utf8_lossy(&text[..count]).into_owned())
    };
    let (mut one, mut other) = (connect(&stage), connect(&stage));
    one.write_all(b"100000\n").unwrap();
    stage.hear();
    assert_eq!(stage.link.gate(), Gate::Closed, "the other one is at work");
    other.write_all(b"never\n").unwrap();
    stage.hear();
    let mut steps = 0;
    while stage.link.gate() == Gate::Open {
        assert_eq!(line(&mut one), "");
        stage.step();
        steps += 1;
    }
    // 0.1 s is the sixth step at 60 Hz; the other one goes on waiting.
    assert_eq!((steps, line(&mut one), line(&mut other)), (6, "100000\n".to_owned(), String::new()));
    // A wish that is taken back has its one answer at once.
    one.write_all(b"never\n").unwrap();
    stage.hear();
    one.write_all(b"cancel\n").unwrap();
    stage.hear();
    assert_eq!(line(&mut one), "100000\n");
    one.write_all(b"cancel\n").unwrap();
    stage.hear();
    assert_eq!((line(&mut one), stage.link.gate()), (String::new(), Gate::Closed));
    drop((one, other));
    // A message wakes before the time. It is heard while no client of the clock is at work.
    let mut client = Client::new(&mut stage);
    let mut one = connect(&stage);
    stage.hear();
    client.send((ADAPTER, "org.bluez.Adapter1", "StartDiscovery"), vec![]);
    stage.hear();
    assert_eq!(client.messages(), []);
    one.write_all(b"never\n").unwrap();
    stage.hear();
    assert_eq!(client.messages().len(), 1);
    assert_eq!(line(&mut one), "100000\n", "it has an answer to read");
    assert_eq!(stage.link.gate(), Gate::Closed);
    // One that sleeps is not woken by a message.
    one.write_all(b"sleep 200000\n").unwrap();
    client.send((ADAPTER, "org.bluez.Adapter1", "StopDiscovery"), vec![]);
    stage.hear();
    assert_eq!((client.messages().len(), line(&mut one), stage.link.gate()), (1, String::new(), Gate::Open));
    one.write_all(b"soon\n").unwrap();
    stage.hear();
    assert_eq!((line(&mut one), stage.link.gate()), (String::new(), Gate::Closed), "what is no line ends the client");
}
