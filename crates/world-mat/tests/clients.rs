//! Clients from outside: they find, connect and ask cubes by rows, and leave them as they were.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_near, check, cube, cubes, number, row, start, step_with, texts, walk};
use sim_core::DVec2;
use sim_world::{Column, DeviceState, Input, Model, Value, World};
use test_runs::mat_model;
use world_mat::MatWorld;

/// A cube that waits for a client.
fn free_cube() -> MatWorld {
    let mut world = start(&cubes(&cube("a", r#""at_mm": [300, 300], "connected": false"#)));
    walk(&mut world, 2);
    world
}

type Cells<'a> = Vec<(&'static str, Value<'a>)>;

fn cells<'a>(does: &'a str, characteristic: Option<&'a str>, hex: Option<&'a [u8]>) -> Cells<'a> {
    let mut cells = vec![("cube", Value::Integer(0)), ("does", Value::Text(does))];
    cells.extend(characteristic.map(|word| ("characteristic", Value::Text(word))));
    cells.extend(hex.map(|bytes| ("hex", Value::Bytes(bytes))));
    cells
}

fn client(world: &mut MatWorld, does: &str, characteristic: Option<&str>, hex: Option<&[u8]>) {
    step_with(world, "clients", &cells(does, characteristic, hex));
}

fn hand(world: &mut MatWorld, does: &'static str) {
    step_with(world, "hands", &[("cube", Value::Integer(0)), ("does", Value::Text(does))]);
}

/// What went over the radio in the last step: direction, characteristic, bytes.
fn messages(world: &MatWorld) -> Vec<(String, String, Vec<u8>)> {
    let stream = world.model().outputs().iter().position(|known| known.name == "messages").unwrap();
    let mut found = Vec::new();
    world.rows(stream, &mut |row| {
        let (Value::Text(dir), Value::Text(characteristic), Value::Bytes(bytes)) = (row[3], row[4], row[5]) else {
            panic!("{row:?}")
        };
        found.push((dir.to_owned(), characteristic.to_owned(), bytes.to_vec()));
    });
    found
}

fn message(dir: &str, characteristic: &str, bytes: &[u8]) -> (String, String, Vec<u8>) {
    (dir.to_owned(), characteristic.to_owned(), bytes.to_vec())
}

/// The specification's tables: names, UUIDs and what may be done with each characteristic.
#[test]
fn a_cube_is_a_device_of_the_specification() {
    let model = mat_model(&cubes(&cube("a", r#""at_mm": [300, 300]"#)));
    let devices = model.devices();
    assert_eq!(devices.len(), 1);
    assert_eq!(devices[0].service, "10b20100-5b3b-4571-9508-cf3efcd7bbae");
    assert!(devices[0].name.starts_with("toio-") && devices[0].name.len() == 8, "{}", devices[0].name);
    let told: Vec<String> = devices[0]
        .characteristics
        .iter()
        .map(|known| {
            let words = [
                (known.read, "read"),
                (known.write, "write"),
                (known.write_without_response, "command"),
                (known.notify, "notify"),
            ];
            let words: Vec<&str> = words.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
            format!("{} {} {}", known.name, &known.uuid[..8], words.join(" "))
        })
        .collect();
    assert_eq!(
        told,
        [
            "101 10b20101 read notify",
            "102 10b20102 read command notify",
            "103 10b20103 write",
            "104 10b20104 write",
            "106 10b20106 read write notify",
            "107 10b20107 read notify",
            "108 10b20108 read notify",
            "1FF 10b201ff read write notify",
        ]
    );
}

#[test]
fn a_client_connects_asks_and_goes() {
    let mut world = free_cube();
    assert_eq!(world.device_state(0), DeviceState::Free);
    assert_eq!(world.device_state(1), DeviceState::Off);
    client(&mut world, "connect", None, None);
    assert_eq!(world.device_state(0), DeviceState::Connected);
    assert_eq!(texts(&world, "events", "kind"), ["cube_connected"]);
    // A new cube has a full battery, and its level is a byte.
    client(&mut world, "read", Some("108"), None);
    assert_eq!(messages(&world), [message("read", "108", &[]), message("answer", "108", &[100])]);
    // Without a subscription nothing is notified: 107 tells 01 80 when the button goes down, 01 00 when it comes up.
    hand(&mut world, "button_down");
    assert_eq!(messages(&world), []);
    hand(&mut world, "button_up");
    client(&mut world, "subscribe", Some("107"), None);
    assert_eq!(messages(&world), [message("subscribe", "107", &[1, 0])]);
    hand(&mut world, "button_down");
    assert_eq!(messages(&world), [message("notify", "107", &[1, 0x80])]);
    walk(&mut world, 100);
    client(&mut world, "read", Some("107"), None);
    assert_eq!(messages(&world)[1], message("answer", "107", &[1, 0x80]), "it stays down");
    hand(&mut world, "button_up");
    assert_eq!(messages(&world), [message("notify", "107", &[1, 0])]);
    client(&mut world, "unsubscribe", Some("107"), None);
    hand(&mut world, "button_down");
    assert_eq!(messages(&world), []);
    client(&mut world, "disconnect", None, None);
    assert_eq!(world.device_state(0), DeviceState::Free);
    assert_eq!(texts(&world, "events", "kind"), ["cube_disconnected"]);
}

/// Rows of one step are one conversation: they come to the cube in their order.
#[test]
fn rows_of_a_step_keep_their_order() {
    let mut world = free_cube();
    let rows = [
        cells("connect", None, None),
        cells("subscribe", Some("1ff"), None),
        // Ask for the version (1FF, 01 00), and read its answer.
        cells("write", Some("1FF"), Some(&[1, 0])),
        cells("read", Some("1FF"), None),
    ];
    let rows = rows.map(|cells| row(world.model(), "clients", &cells));
    let inputs: Vec<_> = rows.iter().map(|(stream, row)| Input { stream: *stream, row }).collect();
    World::step(&mut world, &inputs).unwrap();
    let dirs: Vec<String> = messages(&world).into_iter().map(|(dir, ..)| dir).collect();
    assert_eq!(dirs[..3], ["subscribe", "write", "read"]);
    // 81 00, then the version in ASCII.
    let version: &[u8] = b"\x81\x002.5.0";
    assert!(messages(&world).contains(&message("answer", "1FF", version)), "{:?}", messages(&world));
    assert!(messages(&world).contains(&message("notify", "1FF", version)), "{:?}", messages(&world));
}

/// Lamp, motor, sound and settings are those of a new connection after a client has gone.
#[test]
fn a_cube_returns_to_its_defaults_when_its_client_goes() {
    let mut world = free_cube();
    client(&mut world, "connect", None, None);
    // Lamp red without end; both motors at 30 without end; ID notifications every 1280 ms.
    client(&mut world, "write", Some("103"), Some(&[3, 0, 1, 1, 255, 0, 0]));
    client(&mut world, "write", Some("102"), Some(&[1, 1, 1, 30, 2, 1, 30]));
    client(&mut world, "write", Some("1FF"), Some(&[0x18, 0, 128, 0]));
    walk(&mut world, 30);
    assert_eq!(number(&world, "cubes", "led_r"), 255.0);
    assert!(number(&world, "cubes", "left_mm_s") > 50.0);
    client(&mut world, "disconnect", None, None);
    walk(&mut world, 60);
    assert_eq!(number(&world, "cubes", "led_r"), 0.0);
    assert_near(number(&world, "cubes", "left_mm_s"), 0.0, 0.1, "it stands");
    client(&mut world, "connect", None, None);
    client(&mut world, "subscribe", Some("101"), None);
    client(&mut world, "write", Some("102"), Some(&[1, 1, 1, 30, 2, 1, 30]));
    let mut told = 0;
    for _ in 0..60 {
        walk(&mut world, 1);
        told += messages(&world).iter().filter(|(dir, ..)| dir == "notify").count();
    }
    // The default notifies every 10 ms on a change, so at each step of 16.7 ms while it drives.
    assert!(told > 20, "{told} positions in a second");
}

#[test]
fn power_is_switched_by_hand() {
    let mut world = free_cube();
    client(&mut world, "connect", None, None);
    hand(&mut world, "power_off");
    // 0.7 s to go off, 0.5 s to come on.
    walk(&mut world, 44);
    assert_eq!(world.device_state(0), DeviceState::Off);
    client(&mut world, "connect", None, None);
    assert_eq!(world.device_state(0), DeviceState::Off, "a cube that is off takes no client");
    hand(&mut world, "power_on");
    walk(&mut world, 32);
    assert_eq!(world.device_state(0), DeviceState::Free);
}

/// Nothing reaches a cube without a connection, and the table says so.
#[test]
fn a_request_without_a_connection_is_dropped() {
    let mut world = free_cube();
    client(&mut world, "write", Some("103"), Some(&[3, 0, 1, 1, 255, 0, 0]));
    client(&mut world, "read", Some("108"), None);
    assert_eq!(messages(&world), [message("drop_read", "108", &[])]);
    walk(&mut world, 3);
    assert_eq!(number(&world, "cubes", "led_r"), 0.0);
}

#[test]
fn rows_of_clients_that_mean_nothing_are_refused() {
    let world = free_cube();
    let fault = |cells: &Cells<'_>| {
        let (place, row) = row(world.model(), "clients", cells);
        check(world.model(), place, &row)
            .map_or_else(|fault| fault.in_words(&world.model().inputs()[place]), |()| String::new())
    };
    let words = "must be connect, disconnect, write, read, subscribe or unsubscribe";
    assert_eq!(fault(&cells("hug", None, None)), format!("does is \"hug\", {words}"));
    assert_eq!(fault(&vec![("cube", Value::Integer(0))]), format!("does {words}"));
    assert_eq!(
        fault(&vec![("cube", Value::Integer(1)), ("does", Value::Text("connect"))]),
        "cube is 1, must be from 0 to 0"
    );
    let names = "must be one of 101, 102, 103, 104, 106, 107, 108, 1FF";
    assert_eq!(fault(&cells("read", None, None)), format!("characteristic is missing, {names}"));
    assert_eq!(fault(&cells("subscribe", Some("105"), None)), format!("characteristic is \"105\", {names}"));
    assert_eq!(fault(&cells("connect", Some("101"), None)), "characteristic must be missing for connect");
    assert_eq!(fault(&cells("read", Some("101"), Some(&[1]))), "hex must be missing for read");
    assert_eq!(fault(&cells("disconnect", None, Some(&[1]))), "hex must be missing for disconnect");
    // A client can write no bytes at all.
    assert_eq!(fault(&cells("write", Some("103"), None)), "");
    assert_eq!(fault(&cells(" connect ", None, None)), "");
}

fn middle_mm(world: &MatWorld) -> DVec2 {
    DVec2::new(number(world, "cubes", "x_mm"), number(world, "cubes", "y_mm"))
}

/// A pull leads the point that it holds. 2 mm: what friction of locked wheels leaves, 0.25 N (see the page of hands).
#[test]
fn a_pulled_point_follows_its_goal() {
    for [ahead, right] in [[0.0, 0.0], [12.0, -10.0]] {
        let mut world = free_cube();
        let goal = DVec2::new(380.0, 340.0);
        let number_of = Value::Number;
        let pull = [
            ("cube", Value::Integer(0)),
            ("does", Value::Text("pull")),
            ("x_mm", number_of(goal.x)),
            ("y_mm", number_of(goal.y)),
            ("ahead_mm", number_of(ahead)),
            ("right_mm", number_of(right)),
        ];
        step_with(&mut world, "hands", &pull);
        let held_mm = |world: &MatWorld| {
            let (sin, cos) = sim_core::ops::sin_cos(number(world, "cubes", "yaw_rad"));
            middle_mm(world) + DVec2::new(cos, sin) * ahead + DVec2::new(-sin, cos) * right
        };
        let mut held = held_mm(&world);
        for _ in 0..120 {
            walk(&mut world, 1);
            let now = held_mm(&world);
            // A millimetre for the step in which it begins to slide.
            assert!(now.distance(held) < 1000.0 / 60.0 + 1.0, "at most 1 m/s: {held} to {now}");
            held = now;
        }
        assert_near(held.distance(goal), 0.0, 4.0, "held point");
        assert_near(number(&world, "cubes", "z_mm"), 0.0, 0.5, "it stays on the mat");
        // By its middle it keeps its heading but for the wheels; by a corner it turns.
        let is_turned = number(&world, "cubes", "yaw_rad").abs() > 0.2;
        assert_eq!(is_turned, ahead != 0.0, "{}", number(&world, "cubes", "yaw_rad"));
        let before = middle_mm(&world);
        hand(&mut world, "release");
        walk(&mut world, 60);
        assert!(middle_mm(&world).distance(before) < 3.0, "it stays where it was let go");
    }
}

/// The columns that every model with devices has.
#[test]
fn the_streams_of_devices_have_their_columns() {
    let world = free_cube();
    let names = |columns: &[Column]| columns.iter().map(|column| column.name.to_string()).collect::<Vec<_>>();
    let model = world.model();
    let taken = model.inputs().iter().find(|stream| stream.name == sim_world::DEVICE_REQUESTS).unwrap();
    assert_eq!(names(&taken.columns), ["cube", "does", "characteristic", "hex"]);
    let told = model.outputs().iter().find(|stream| stream.name == sim_world::DEVICE_MESSAGES).unwrap();
    assert_eq!(names(&told.columns)[..6], ["step", "time_s", "cube", "dir", "characteristic", "hex"]);
}
