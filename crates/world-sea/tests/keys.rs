//! What the keyboards of the original do, as keys by the clock. What each key asks for stands in the vehicles' files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, model, numbers, steps, text};
use sim_core::ops;
use sim_run::scenario::parse;
use sim_world::World;
use world_sea::SeaWorld;

/// Rotation speed of each of four rotors that carries 4.34 kg at 0.005 N a rpm.
const HOVER_RPM: f64 = 4.34 * 9.81 / 4.0 / 0.005;

/// A run of one vehicle whose keys are pressed and released: key, from, to, s.
fn pressed(vehicle: &str, keys: &[(&str, f64, f64)]) -> SeaWorld {
    let keys =
        keys.iter().map(|(key, from_s, to_s)| format!(r#"{{"key": "{key}", "from_s": {from_s}, "to_s": {to_s}}}"#));
    let keys = keys.collect::<Vec<_>>().join(", ");
    let members = format!(
        r#""trace": {{"forces": true}}, "water": {{"density_kg_m3": 997}},
        "vehicles": [{{"name": "a", {vehicle}, "driver": {{"keys": [{keys}]}}}}]"#
    );
    SeaWorld::new(model(&members), KEY).unwrap()
}

const SAM: &str = r#""model": "sam", "start": {"z_m": -50}"#;
const DRONE: &str = r#""model": "quadrotor", "start": {"z_m": 30, "hover": true}"#;
const EVOLO: &str = r#""model": "evolo""#;

/// Where an actuator is.
fn actual(world: &SeaWorld, name: &str) -> f64 {
    let actuator = world.model().vehicles[0].vehicle.actuator(name).unwrap();
    numbers(world, "actuators", "actual")[actuator]
}

/// The commands of some actuators.
fn commands<const COUNT: usize>(world: &SeaWorld, names: [&str; COUNT]) -> [f64; COUNT] {
    let vehicle = &world.model().vehicles[0].vehicle;
    names.map(|name| numbers(world, "actuators", "command")[vehicle.actuator(name).unwrap()])
}

/// A column of the vehicle.
fn own(world: &SeaWorld, column: &str) -> f64 {
    numbers(world, "vehicles", column)[0]
}

/// Force of all actuators, ahead, N.
fn thrust_n(world: &SeaWorld) -> f64 {
    numbers(world, "forces", "x_n")[5]
}

/// SAM's keys: 800 rpm on both propellers ahead and astern, 0.1 rad of the nozzle, ballast and battery at 0, 50 and 100 %. 5 N for each
/// 1000 rpm and 60 % of it astern: 8 N and -4.8 N from both propellers. Ballast and battery start at 50.3 and 50 % and follow with lags of
/// 3 s and 0.5 s, the nozzle with 0.1 s.
#[test]
fn the_keys_of_sam() {
    let keys = [
        ("up", 0.0, 4.0),
        ("d", 1.0, 4.0),
        ("w", 1.0, 4.0),
        ("c", 1.0, 1.1),
        ("t", 1.0, 1.1),
        ("down", 4.0, 7.0),
        ("f", 7.0, 7.1),
    ];
    let mut world = pressed(SAM, &keys);
    steps(&mut world, 50);
    assert!((thrust_n(&world) - 8.0).abs() < 1e-9, "{}", thrust_n(&world));
    // The step that begins at 1 s is the first of the new keys.
    steps(&mut world, 150);
    let ballast = 100.0 - (100.0 - 50.3) * ops::exp(-1.0);
    assert!((actual(&world, "vbs") - ballast).abs() < 1e-9, "{}", actual(&world, "vbs"));
    let battery = 50.0 * ops::exp(-6.0);
    assert!((actual(&world, "lcg") - battery).abs() < 1e-9, "{}", actual(&world, "lcg"));
    let hinge_rad = 0.1 * (1.0 - ops::exp(-30.0));
    assert!(
        (actual(&world, "nozzle_yaw") - hinge_rad).abs() < 1e-12
            && (actual(&world, "nozzle_pitch") + hinge_rad).abs() < 1e-12
    );
    steps(&mut world, 150);
    assert!(actual(&world, "nozzle_yaw").abs() < 1e-12);
    assert!((thrust_n(&world) + 4.8).abs() < 1e-9, "{}", thrust_n(&world));
    // A key that is released gives its actuators back; a position stays until the next one.
    assert_eq!(commands(&world, ["propeller_front", "vbs"]), [-800.0, 100.0]);
    steps(&mut world, 1);
    assert_eq!(commands(&world, ["propeller_front", "propeller_back", "vbs", "lcg"]), [0.0, 0.0, 50.0, 0.0]);
    let mut again = pressed(SAM, &keys);
    steps(&mut again, 351);
    assert_eq!(again.state_hash(), world.state_hash());
}

/// The left key turns to the left, the forward key lowers the nose.
#[test]
fn the_keys_of_sam_steer_to_their_sides() {
    for (key, column, sign) in
        [("a", "yaw_rad", 1.0), ("d", "yaw_rad", -1.0), ("w", "pitch_rad", 1.0), ("s", "pitch_rad", -1.0)]
    {
        let mut idle = pressed(SAM, &[("up", 0.0, 9.0)]);
        let mut steered = pressed(SAM, &[("up", 0.0, 9.0), (key, 1.0, 9.0)]);
        steps(&mut idle, 200);
        steps(&mut steered, 200);
        let change_rad = own(&steered, column) - own(&idle, column);
        assert!(change_rad * sign > 0.05, "{key}: {change_rad} rad");
    }
}

/// Keys that are held together add up: opposite ones cancel, and one that is released leaves the other.
#[test]
fn held_keys_add_up() {
    let mut world = pressed(SAM, &[("up", 0.0, 1.0), ("down", 0.5, 2.0), ("q", 0.5, 1.0)]);
    let both = ["propeller_front", "propeller_back"];
    for (count, expected) in [(25, [800.0; 2]), (25, [-100.0, 100.0]), (50, [-800.0; 2]), (1, [0.0; 2])] {
        steps(&mut world, count);
        assert_eq!(commands(&world, both), expected, "{}", world.time_s());
    }
}

/// 1500 rpm for motion, a quarter of it for height, on top of the hover rpm of 2128.77; the lifting key doubles both. No rotor turns
/// backward: 2128.77 - 3000 is 0.
#[test]
fn the_keys_of_a_quadrotor_add_to_its_hover() {
    let rotors = ["front", "right", "back", "left"];
    let moved = |keys: &[(&str, f64, f64)]| {
        let mut world = pressed(DRONE, keys);
        steps(&mut world, 1);
        commands(&world, rotors)
    };
    assert!((HOVER_RPM - 2128.77).abs() < 0.005, "{HOVER_RPM}");
    let (hover, ahead) = (moved(&[("u", 1.0, 2.0)]), moved(&[("i", 0.0, 1.0)]));
    let lifting = moved(&[("space", 0.0, 1.0), ("j", 0.0, 1.0)]);
    for (found, added) in [
        (hover, [0.0; 4]),
        (ahead, [-1500.0, -1500.0, 1500.0, 1500.0]),
        (lifting, [-HOVER_RPM, 3000.0, 3000.0, -HOVER_RPM]),
        (moved(&[("space", 0.0, 1.0)]), [0.0; 4]),
    ] {
        let off = found.iter().zip(added).map(|(rpm, added)| (rpm - HOVER_RPM - added).abs());
        assert!(off.fold(0.0, f64::max) < 1e-9, "{found:?}");
    }
}

/// 375 rpm on each rotor are 1.875 N each on 4.34 kg, twice that with the lifting key, and nothing once it is let go.
#[test]
fn the_height_keys_of_a_quadrotor_lift_it() {
    let mut world = pressed(DRONE, &[("u", 1.0, 2.0), ("n", 3.0, 4.0), ("space", 3.0, 5.0)]);
    let climb_m_s = 4.0 * 1.875 / 4.34;
    for (count, expected) in [(50, 0.0), (50, climb_m_s), (50, climb_m_s), (50, -climb_m_s), (50, -climb_m_s)] {
        steps(&mut world, count);
        assert!((own(&world, "w_m_s") - expected).abs() < 1e-9, "{} s: {}", world.time_s(), own(&world, "w_m_s"));
    }
    assert!(own(&world, "pitch_rad").abs() < 1e-12);
}

/// Goals of speed after each press: 8 from rest, 13, 8 before a stop, 0, and back at -3. Roll follows while the key is held.
#[test]
fn the_keys_of_evolo_obey_its_goal_rule() {
    let at = |key, from_s: f64| (key, from_s, from_s + 0.1);
    let keys =
        [at("w", 1.0), at("w", 8.0), at("s", 16.0), at("s", 17.0), at("x", 27.0), ("a", 9.0, 10.0), ("d", 10.0, 11.0)];
    let mut world = pressed(EVOLO, &keys);
    let roll_max_rad = 13.0_f64.to_radians();
    for (count, goal_kn, roll_rad) in [
        (50, 0.0, 0.0),
        (1, 8.0, 0.0),
        (350, 13.0, 0.0),
        (50, 13.0, -roll_max_rad),
        (50, 13.0, roll_max_rad),
        (50, 13.0, 0.0),
        (250, 8.0, 0.0),
        (50, 0.0, 0.0),
        (500, -3.0, 0.0),
    ] {
        steps(&mut world, count);
        let [goal, roll] = commands(&world, ["speed", "roll"]);
        assert_eq!(goal, goal_kn, "{} s", world.time_s());
        assert!((roll - roll_rad).abs() < 1e-12, "{} s: {roll}", world.time_s());
    }
}

/// A user's key lies over those of the model, and takes a place beside them.
#[test]
fn keys_are_data() {
    let more = r#""model": "sam", "start": {"z_m": -50},
        "parameters": {"keys": {"up": {"hold": {"propeller_front": 500}}, "b": {"press": {"vbs": 75}, "hold": {"lcg": -20}}}}"#;
    let mut world = pressed(more, &[("up", 0.0, 1.0), ("b", 0.0, 1.0)]);
    let names = ["propeller_front", "propeller_back", "vbs", "lcg"];
    steps(&mut world, 1);
    assert_eq!(commands(&world, names), [500.0, 800.0, 75.0, 30.0]);
    steps(&mut world, 50);
    assert_eq!(commands(&world, names), [0.0, 0.0, 75.0, 50.0]);
}

#[test]
fn wrong_keys_are_named() {
    let said = |vehicle: &str| {
        let members = text(&format!(r#""vehicles": [{{"name": "a", {vehicle}}}]"#));
        parse(common::WORLDS, &members, "a.json", &[]).map(|_| String::new()).unwrap_or_else(|error| error.to_string())
    };
    for (vehicle, expected) in [
        (
            r#""model": "evolo", "driver": {"keys": [{"key": "v", "from_s": 1}]}"#,
            r#"driver.keys[0].key: is "v", no key of the model's file; it has a, d, s, w, x"#,
        ),
        (
            r#""model": "quadrotor", "start": {"z_m": 5}, "driver": {"keys": [{"key": "space+i", "from_s": 1}]}"#,
            r#"driver.keys[0].key: is "space+i", no key of the model's file; it has i, j, k, l, n, space, u"#,
        ),
        (
            r#""model": "buoy", "driver": {"keys": [{"key": "w", "from_s": 1}]}"#,
            r#"driver.keys[0].key: is "w", no key of the model's file; it has none"#,
        ),
        (
            r#""model": "evolo", "driver": {"keys": [{"key": "w", "from_s": 1, "to_s": 1.0}]}"#,
            "driver.keys[0].to_s: is 1, must be at least a step after from_s, which is 1",
        ),
        (
            r#""model": "evolo", "driver": {"keys": [{"key": "w", "from_s": 1}], "commands": [{"at_s": 0, "actuator": "speed", "value": 8}]}"#,
            "driver.keys: cannot be given beside commands: a vehicle has one driver",
        ),
        (
            r#""model": "evolo", "parameters": {"keys": {"w": {"hold": {"sped": 1}}}}"#,
            r#"keys has "sped" of key "w", the name of no actuator; it has speed, roll"#,
        ),
        (
            r#""model": "evolo", "parameters": {"keys": {"w+": {"hold": {"speed": 1}}}}"#,
            "keys has a key without a name",
        ),
    ] {
        let told = said(vehicle);
        assert!(told.contains(expected), "{expected}\n{told}");
    }
}
