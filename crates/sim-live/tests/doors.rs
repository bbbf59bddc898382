//! Programs that come by JSON or OSC: clients against the doors, step by step, without a clock on the wall.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod stage;

use proptest::prelude::*;
use serde_json::{Value, json};
use sim_live::link::LinkOptions;
use sim_live::link::json::Request;
use sim_live::link::osc::{Dialect, OscOptions, message, parse, write};
use sim_live::server::http::{Answer, Policy, answer, answer_program};
use sim_live::{Door, message as page_message};
use sim_world::DeviceState;
use stage::Stage;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

const CUBE_A: &str = "f00000000000";
const CUBE_B: &str = "f00000000001";
const SERVICE: &str = "10b201005b3b45719508cf3efcd7bbae";
/// Steps of a third of a second: what any answer takes at most.
const SOON: u64 = 20;
/// Steps that a cube takes to go off, 0.7 s, or to come on, with a connection.
const POWER: u64 = 60;

fn uuid(short: &str) -> String {
    format!("10b20{short}5b3b45719508cf3efcd7bbae")
}

fn noble() -> LinkOptions {
    LinkOptions { noble: true, ..LinkOptions::default() }
}

/// A client of the protocol, over lines or a WebSocket.
enum Client {
    Lines(UnixStream, Vec<u8>),
    Web(Box<WebSocket<TcpStream>>),
}

impl Client {
    fn lines(stage: &mut Stage) -> Self {
        let stream = UnixStream::connect(stage.folder.path().join("doors/gatt")).unwrap();
        stream.set_nonblocking(true).unwrap();
        Self::Lines(stream, Vec::new()).welcomed(stage)
    }

    fn web(stage: &mut Stage) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (socket, _) = listener.accept().unwrap();
        socket.set_nonblocking(true).unwrap();
        stream.set_nonblocking(true).unwrap();
        // No step waits for the network.
        socket.set_nodelay(true).unwrap();
        stream.set_nodelay(true).unwrap();
        assert!(stage.link.adopt(socket).is_none(), "the door takes it");
        Self::Web(Box::new(WebSocket::from_raw_socket(stream, Role::Client, None))).welcomed(stage)
    }

    fn welcomed(mut self, stage: &mut Stage) -> Self {
        stage.hear();
        assert_eq!(self.messages(), [json!({ "type": "stateChange", "state": "poweredOn" })]);
        self
    }

    fn send(&mut self, message: &Value) {
        match self {
            Self::Lines(stream, _) => stream.write_all(format!("{message}\n").as_bytes()).unwrap(),
            Self::Web(socket) => socket.send(Message::text(message.to_string())).unwrap(),
        }
    }

    /// What has come so far.
    fn messages(&mut self) -> Vec<Value> {
        match self {
            Self::Lines(stream, input) => {
                let mut chunk = [0; 4096];
                while let Ok(count) = stream.read(&mut chunk)
                    && count > 0
                {
                    input.extend(&chunk[..count]);
                }
                let whole = input.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                let lines: Vec<u8> = input.drain(..whole).collect();
                lines.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
            }
            Self::Web(socket) => {
                let texts = std::iter::from_fn(|| socket.read().ok());
                texts.map(|text| serde_json::from_str(text.to_text().unwrap()).unwrap()).collect()
            }
        }
    }

    /// Asks, and steps until an answer of that type has come. Returns it with what came before it, and the steps that it took.
    fn ask(&mut self, stage: &mut Stage, question: &Value, kind: &str) -> (Value, Vec<Value>, u64) {
        self.send(question);
        stage.hear();
        let mut before = Vec::new();
        for steps in 0..SOON {
            for message in self.messages() {
                if message["type"] == kind && message["isNotification"] != true {
                    return (message, before, steps);
                }
                before.push(message);
            }
            stage.step();
        }
        panic!("{question} has no answer: {before:?}");
    }

    fn connect(&mut self, stage: &mut Stage, cube: &str) -> Value {
        self.ask(stage, &json!({ "action": "connect", "peripheralUuid": cube }), "connect").0
    }

    /// The question about a characteristic, with more fields.
    fn about(action: &str, cube: &str, short: &str, more: &[(&str, Value)]) -> Value {
        let mut question = json!({
            "action": action, "peripheralUuid": cube, "serviceUuid": SERVICE, "characteristicUuid": uuid(short),
        });
        more.iter().for_each(|(name, value)| question[*name] = value.clone());
        question
    }

    fn write(&mut self, stage: &mut Stage, cube: &str, short: &str, digits: &str) -> Value {
        let question = Self::about("write", cube, short, &[("data", digits.into()), ("withoutResponse", true.into())]);
        self.ask(stage, &question, "write").0
    }

    fn read(&mut self, stage: &mut Stage, cube: &str, short: &str) -> Value {
        self.ask(stage, &Self::about("read", cube, short, &[]), "read").0
    }

    fn subscribe(&mut self, stage: &mut Stage, cube: &str, short: &str) -> Value {
        self.ask(stage, &Self::about("notify", cube, short, &[("notify", true.into())]), "notify").0
    }

    /// Ids and strengths of the devices that advertise in half a second.
    fn scan(&mut self, stage: &mut Stage) -> Vec<(String, i64)> {
        self.send(&json!({ "action": "startScanning", "serviceUuids": [SERVICE], "allowDuplicates": true }));
        (0..30).for_each(|_| stage.step());
        self.send(&json!({ "action": "stopScanning" }));
        stage.step();
        let heard = self.messages();
        let mut found: Vec<(String, i64)> = heard
            .iter()
            .map(|message| (message["peripheralUuid"].as_str().unwrap().to_owned(), message["rssi"].as_i64().unwrap()))
            .collect();
        found.sort();
        found.dedup_by_key(|(id, _)| id.clone());
        found
    }
}

fn each(test: impl Fn(&mut Stage, fn(&mut Stage) -> Client)) {
    for open in [Client::lines as fn(&mut Stage) -> Client, Client::web] {
        test(&mut Stage::new(&noble()), open);
    }
}

#[test]
fn a_client_that_scans_finds_the_cubes() {
    each(|stage, open| {
        let mut client = open(stage);
        client.send(&json!({ "action": "startScanning", "serviceUuids": [], "allowDuplicates": true }));
        (0..60).for_each(|_| stage.step());
        let heard = client.messages();
        // Ten advertisements a second of each cube.
        let of_a: Vec<&Value> = heard.iter().filter(|message| message["peripheralUuid"] == CUBE_A).collect();
        assert!((9..=10).contains(&of_a.len()), "{}", of_a.len());
        let first = of_a[0];
        assert_eq!((&first["type"], &first["address"]), (&json!("discover"), &json!("f0:00:00:00:00:00")));
        assert_eq!((&first["addressType"], &first["connectable"]), (&json!("random"), &json!(true)));
        assert_eq!(first["advertisement"]["serviceUuids"], json!([SERVICE]));
        assert!(first["advertisement"]["localName"].as_str().unwrap().starts_with("toio-"));
        // Who scans for something else, or no more, hears nothing.
        client.send(&json!({ "action": "startScanning", "serviceUuids": ["180f"] }));
        stage.hear();
        client.messages();
        (0..30).for_each(|_| stage.step());
        assert_eq!(client.messages(), [] as [Value; 0]);
    });
}

/// Programs that start together do not all choose the same cube.
#[test]
fn each_client_has_another_nearest_cube() {
    let mut stage = Stage::new(&noble());
    let (mut one, mut other) = (Client::lines(&mut stage), Client::web(&mut stage));
    let nearest = |found: Vec<(String, i64)>| found.into_iter().max_by_key(|(_, dbm)| *dbm).unwrap().0;
    assert_eq!(nearest(one.scan(&mut stage)), CUBE_A);
    assert_eq!(nearest(other.scan(&mut stage)), CUBE_B);
}

#[test]
fn a_client_connects_writes_reads_and_is_notified() {
    each(|stage, open| {
        let mut client = open(stage);
        let question = json!({ "action": "connect", "peripheralUuid": CUBE_A });
        let (answer, _, steps) = client.ask(stage, &question, "connect");
        assert_eq!(answer, json!({ "type": "connect", "peripheralUuid": CUBE_A }));
        // 40 ms after the step that connects: three steps of 16.7 ms, and that one.
        assert!((3..=5).contains(&steps), "{steps} steps");
        assert_eq!(stage.session.device_state(0), DeviceState::Connected);
        let services = json!({ "action": "discoverServices", "peripheralUuid": CUBE_A, "uuids": [] });
        assert_eq!(client.ask(stage, &services, "servicesDiscover").0["serviceUuids"], json!([SERVICE]));
        let all = json!({ "action": "discoverCharacteristics", "peripheralUuid": CUBE_A, "characteristicUuids": [] });
        let found = client.ask(stage, &all, "characteristicsDiscover").0;
        assert_eq!(found["characteristics"].as_array().unwrap().len(), 8);
        assert_eq!(found["characteristics"][5], json!({ "uuid": uuid("107"), "properties": ["read", "notify"] }));
        // The version, as toio.js asks for it.
        assert!(client.write(stage, CUBE_A, "1ff", "0100").get("error").is_none());
        assert_eq!(client.read(stage, CUBE_A, "1ff")["data"], "8100322e352e30");
        assert_eq!(client.subscribe(stage, CUBE_A, "107")["state"], true);
        stage.step();
        client.messages();
        stage.hand(0, "button_down");
        stage.step();
        stage.step();
        let pressed = client.messages();
        assert_eq!(pressed.len(), 1, "{pressed:?}");
        assert_eq!((&pressed[0]["data"], &pressed[0]["isNotification"]), (&json!("0180"), &json!(true)));
        assert_eq!(pressed[0]["characteristicUuid"], uuid("107"));
    });
}

/// Answers about one device keep the order of the questions, though a read needs a step and a write does not.
#[test]
fn answers_come_in_the_order_of_the_questions() {
    each(|stage, open| {
        let mut client = open(stage);
        client.connect(stage, CUBE_A);
        client.send(&Client::about("read", CUBE_A, "108", &[]));
        client.send(&Client::about("write", CUBE_A, "102", &[("data", "01010100020100".into())]));
        client.send(&Client::about("read", CUBE_A, "107", &[]));
        (0..3).for_each(|_| stage.step());
        let answers = client.messages();
        let kinds: Vec<&Value> = answers.iter().map(|answer| &answer["characteristicUuid"]).collect();
        assert_eq!(kinds, [&json!(uuid("108")), &json!(uuid("102")), &json!(uuid("107"))]);
    });
}

#[test]
fn what_cannot_be_done_is_told() {
    each(|stage, open| {
        let (mut client, mut other) = (open(stage), open(stage));
        assert_eq!(client.write(stage, CUBE_A, "102", "00")["error"], "not connected");
        client.connect(stage, CUBE_A);
        assert_eq!(client.write(stage, CUBE_A, "108", "00")["error"], "not permitted");
        assert_eq!(client.read(stage, CUBE_A, "103")["error"], "not permitted");
        assert_eq!(client.subscribe(stage, CUBE_A, "103")["error"], "not permitted");
        assert_eq!(client.write(stage, CUBE_A, "103", &"00".repeat(513))["error"], "too long");
        assert_eq!(other.connect(stage, CUBE_A)["error"], "taken by another client");
        assert_eq!(other.read(stage, CUBE_A, "108")["error"], "not connected");
        for wrong in [
            json!({ "action": "open" }),
            json!({ "action": "connect" }),
            json!({ "action": "connect", "peripheralUuid": "../etc" }),
            Client::about("write", CUBE_A, "102", &[("data", "0".into())]),
            Client::about("read", CUBE_A, "999", &[]),
            json!("x"),
        ] {
            assert!(client.ask(stage, &wrong, "refused").0["error"].is_string(), "{wrong}");
        }
    });
}

#[test]
fn a_client_that_goes_lets_go_of_its_cubes() {
    each(|stage, open| {
        let mut client = open(stage);
        client.connect(stage, CUBE_A);
        client.connect(stage, CUBE_B);
        client.ask(stage, &json!({ "action": "disconnect", "peripheralUuid": CUBE_B }), "disconnect");
        assert_eq!(stage.session.device_state(1), DeviceState::Free);
        client.write(stage, CUBE_A, "102", "01010132020132");
        drop(client);
        (0..4).for_each(|_| stage.step());
        assert_eq!(stage.session.device_state(0), DeviceState::Free);
        assert!(open(stage).connect(stage, CUBE_A).get("error").is_none());
    });
}

#[test]
fn a_cube_that_is_switched_off_ends_its_connection() {
    each(|stage, open| {
        let mut client = open(stage);
        client.connect(stage, CUBE_A);
        stage.hand(0, "power_off");
        (0..POWER).for_each(|_| stage.step());
        assert_eq!(client.messages(), [json!({ "type": "disconnect", "peripheralUuid": CUBE_A })]);
        assert_eq!(client.connect(stage, CUBE_A)["error"], "off");
    });
}

#[test]
fn a_session_with_a_program_repeats_from_its_record() {
    let mut stage = Stage::new(&noble());
    let mut client = Client::web(&mut stage);
    client.connect(&mut stage, CUBE_A);
    client.subscribe(&mut stage, CUBE_A, "101");
    client.write(&mut stage, CUBE_A, "102", "0201013c02011464");
    (0..90).for_each(|_| stage.step());
    drop(client);
    (0..30).for_each(|_| stage.step());
    assert!(stage.repeats());
}

/// A client that asks without end is told of each request whether it is done; the session goes on, and its connection stays.
#[test]
fn a_flood_is_bounded() {
    each(|stage, open| {
        let mut client = open(stage);
        client.connect(stage, CUBE_A);
        let mut answered = 0;
        for _ in 0..50 {
            (0..200).for_each(|_| client.send(&Client::about("write", CUBE_A, "103", &[("data", "01".into())])));
            (0..3).for_each(|_| stage.step());
            answered += client.messages().iter().filter(|answer| answer["type"] == "write").count();
        }
        assert_eq!(answered, 10_000);
        assert!(client.read(stage, CUBE_A, "108")["data"].is_string());
    });
}

/// What is too long ends the connection, and nothing of it is kept.
#[test]
fn a_message_without_end_closes_the_connection() {
    each(|stage, open| {
        let mut client = open(stage);
        client.connect(stage, CUBE_A);
        let flood = vec![b'x'; 64 << 10];
        match &mut client {
            Client::Lines(stream, _) => stream.write_all(&flood).unwrap(),
            Client::Web(socket) => {
                // The head of a frame of 100 MB.
                let head = [0x81, 0xff, 0, 0, 0, 0, 0x05, 0xf5, 0xe1, 0, 1, 2, 3, 4];
                socket.get_mut().write_all(&head).unwrap();
                socket.get_mut().write_all(&flood).unwrap();
            }
        }
        (0..SOON).for_each(|_| stage.step());
        assert_eq!(stage.session.device_state(0), DeviceState::Free);
    });
}

/// A client that never reads is dropped once so many bytes wait for it.
#[test]
fn a_client_that_never_reads_is_dropped() {
    each(|stage, open| {
        let mut client = open(stage);
        client.connect(stage, CUBE_A);
        let question = json!({ "action": "discoverCharacteristics", "peripheralUuid": CUBE_A });
        let text = format!("{question}\n");
        let mut asked = 0;
        while stage.session.device_state(0) == DeviceState::Connected && asked < 100_000 {
            for _ in 0..200 {
                asked += 1;
                let _ = match &mut client {
                    Client::Lines(stream, _) => stream.write_all(text.as_bytes()).map_err(|error| error.kind()),
                    Client::Web(socket) => socket.send(Message::text(&*text)).map_err(|_| ErrorKind::WouldBlock),
                };
            }
            stage.step();
        }
        assert_eq!(stage.session.device_state(0), DeviceState::Free, "after {asked} questions");
    });
}

#[test]
fn so_many_clients_are_heard() {
    let mut stage = Stage::new(&noble());
    let path = stage.folder.path().join("doors/gatt");
    let mut streams = Vec::new();
    for _ in 0..200 {
        let stream = UnixStream::connect(&path).unwrap();
        stream.set_nonblocking(true).unwrap();
        streams.push(stream);
        stage.hear();
    }
    let mut greeted = 0;
    for stream in &mut streams {
        greeted += usize::from(stream.read(&mut [0; 8]).is_ok_and(|count| count > 0));
    }
    assert_eq!(greeted, 64);
}

/// A program with OSC: a socket that hears and a stage with a door that sends to it.
fn osc(dialect: Dialect) -> (Stage, UdpSocket, std::net::SocketAddr) {
    let program = UdpSocket::bind("127.0.0.1:0").unwrap();
    program.set_nonblocking(true).unwrap();
    // A port that was free a moment ago.
    let listen = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let send = program.local_addr().unwrap().port();
    let options = OscOptions { listen: listen.port(), send, dialect };
    let mut stage = Stage::new(&LinkOptions { osc: Some(options), ..LinkOptions::default() });
    (0..5).for_each(|_| stage.step());
    (stage, program, listen)
}

fn packets(program: &UdpSocket) -> Vec<Vec<u8>> {
    let mut packet = [0; 512];
    std::iter::from_fn(|| program.recv(&mut packet).ok().map(|count| packet[..count].to_vec())).collect()
}

/// Packets are written by hand, after the specification of OSC.
#[test]
fn a_program_with_osc_drives_every_cube_and_hears_it() {
    let (mut stage, program, door) = osc(Dialect::Old);
    assert_eq!([0, 1].map(|cube| stage.session.device_state(cube)), [DeviceState::Connected; 2]);
    packets(&program);
    stage.hand(1, "button_down");
    stage.step();
    let button = b"/button\0,iii\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x80";
    assert!(packets(&program).contains(&button.to_vec()));
    // Both wheels of cube 1 at speed 50, forwards.
    let drive = b"/motorbasic\0,iiiii\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x32\0\0\0\x01\0\0\0\x32";
    program.send_to(drive, door).unwrap();
    (0..60).for_each(|_| stage.step());
    // Of cube 1: the host is 0, then comes the cube.
    let head = b"/position\0\0\0,iiiiiii\0\0\0\0\0\0\0\0\0\0\0\x01";
    let positions: Vec<Vec<u8>> = packets(&program).into_iter().filter(|packet| packet.starts_with(head)).collect();
    let x_of = |packet: &Vec<u8>| i32::from_be_bytes(packet[32..36].try_into().unwrap());
    let (first, last) = (positions.first().unwrap(), positions.last().unwrap());
    assert!(x_of(last) > x_of(first) + 30, "{} to {}", x_of(first), x_of(last));
    assert!(stage.repeats());
}

#[test]
fn the_new_dialect_names_no_host() {
    let (mut stage, program, _) = osc(Dialect::New);
    packets(&program);
    stage.hand(0, "button_down");
    stage.step();
    assert!(packets(&program).contains(&b"/button\0,ii\0\0\0\0\0\0\0\0\0".to_vec()));
}

/// Packets that mean nothing, and very many, leave the session as it is.
#[test]
fn osc_packets_that_mean_nothing_are_dropped() {
    let (mut stage, program, door) = osc(Dialect::Old);
    for wrong in [&b""[..], b"/led", b"GET / HTTP/1.1\r\n\r\n", b"/led\0\0\0\0,i\0\0\0\0\0\x09", &[0xff; 60_000]] {
        program.send_to(wrong, door).unwrap();
    }
    (0..10_000).for_each(|_| drop(program.send_to(b"/dance\0\0,i\0\0\0\0\0\0", door)));
    (0..5).for_each(|_| stage.step());
    let (mut quiet, _, _) = osc(Dialect::Old);
    (0..5).for_each(|_| quiet.step());
    assert_eq!(stage.session.state_hash(), quiet.session.state_hash());
}

/// A cube that comes on again is taken again.
#[test]
fn osc_takes_cubes_that_come_back() {
    let (mut stage, _, _) = osc(Dialect::Old);
    stage.hand(0, "power_off");
    (0..POWER).for_each(|_| stage.step());
    assert_eq!(stage.session.device_state(0), DeviceState::Off);
    stage.hand(0, "power_on");
    (0..POWER).for_each(|_| stage.step());
    assert_eq!(stage.session.device_state(0), DeviceState::Connected);
}

const REQUEST: &str =
    r#"{"action":"write","peripheralUuid":"f00000000000","characteristicUuid":"10b20102","data":"0201"}"#;
const ROWS: &str = r#"{"do":"rows","stream":"hands","rows":[[0,"tap",1.5,null]]}"#;
const HEAD: &str = "GET /gatt?token=00ff HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\nOrigin: https://example.org\r\n\r\n";
const OSC: &str = "/motorbasic\0,iiiii\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x32\0\0\0\x01\0\0\0\x32";

/// All readers of what anyone may send.
fn read_all(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(request) = Request::parse(&text) {
        let _ = (request.device(&[]), request.bytes(), request.services(), request.is_on());
    }
    let _ = page_message::parse(&text);
    let address = ([127, 0, 0, 1], 8123).into();
    let (token, nonce, origins) = ("00ff".to_owned(), "n".to_owned(), vec!["https://example.org".to_owned()]);
    let policy = Policy { address, token, nonce, serves_devices: true, origins };
    if let Answer::Page { host } | Answer::Script { host } = answer(bytes, &policy) {
        assert!(host.ends_with(":8123"), "{host}");
    }
    let _ = answer_program(bytes, address);
    for dialect in [Dialect::Old, Dialect::New] {
        for packet in parse(bytes).unwrap_or_default() {
            let _ = write(&packet, dialect);
        }
        for name in ["101", "102", "106", "107", "108"] {
            let _ = message(0, name, bytes, dialect);
        }
    }
}

proptest! {
    #[test]
    fn bytes_that_mean_nothing_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_all(&bytes);
    }

    /// A message of which some bytes are other ones.
    #[test]
    fn damaged_messages_do_no_harm(which in 0_usize..4, damage in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4)) {
        let mut bytes = [REQUEST, ROWS, HEAD, OSC][which].as_bytes().to_vec();
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        read_all(&bytes);
    }
}
