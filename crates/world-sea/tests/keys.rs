//! What the keyboards of the original do, as commands by the clock.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, model, numbers, steps};
use sim_core::ops;
use sim_world::World;
use world_sea::SeaWorld;

/// SAM's keys: 800 rpm on both propellers ahead and astern, 0.1 rad of the nozzle, ballast and battery at 0, 50 and 100 %.
const SAM: &str = r#""trace": {"forces": true}, "water": {"density_kg_m3": 997},
    "vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -50}, "driver": {"commands": [
        {"at_s": 0, "actuator": "propeller_front", "value": 800}, {"at_s": 0, "actuator": "propeller_back", "value": 800},
        {"at_s": 1, "actuator": "nozzle_yaw", "value": 0.1}, {"at_s": 1, "actuator": "nozzle_pitch", "value": -0.1},
        {"at_s": 1, "actuator": "vbs", "value": 100}, {"at_s": 1, "actuator": "lcg", "value": 0},
        {"at_s": 4, "actuator": "propeller_front", "value": -800}, {"at_s": 4, "actuator": "propeller_back", "value": -800},
        {"at_s": 4, "actuator": "nozzle_yaw", "value": 0}, {"at_s": 4, "actuator": "nozzle_pitch", "value": 0}]}}]"#;

/// Where an actuator is.
fn actual(world: &SeaWorld, name: &str) -> f64 {
    let actuator = world.model().vehicles[0].vehicle.actuator(name).unwrap();
    numbers(world, "actuators", "actual")[actuator]
}

/// Force of all actuators, ahead, N.
fn thrust_n(world: &SeaWorld) -> f64 {
    numbers(world, "forces", "x_n")[5]
}

/// 5 N for each 1000 rpm and 60 % of it astern: 8 N and -4.8 N from both propellers. Ballast and battery start at 50.3 and 50 % and follow
/// with lags of 3 s and 0.5 s, the nozzle with 0.1 s.
#[test]
fn the_keys_of_sam_as_commands() {
    let mut world = SeaWorld::new(model(SAM), KEY).unwrap();
    steps(&mut world, 50);
    assert!((thrust_n(&world) - 8.0).abs() < 1e-9, "{}", thrust_n(&world));
    // The step that begins at 1 s is the first of the new commands.
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
    let mut again = SeaWorld::new(model(SAM), KEY).unwrap();
    steps(&mut again, 350);
    assert_eq!(again.state_hash(), world.state_hash());
}

/// A quadrotor hovers; its lifting key adds 100 rpm to each rotor, which is 0.5 N each on 4.34 kg, until it is let go.
#[test]
fn the_lifting_key_of_a_quadrotor_as_commands() {
    let hover_rpm = 4.34 * 9.81 / 4.0 / 0.005;
    let rotors = ["front", "right", "back", "left"];
    let commands = [(0.0, 0.0), (1.0, 100.0), (2.0, 0.0)].iter().flat_map(|(at_s, lift_rpm)| {
        let value = hover_rpm + lift_rpm;
        rotors.map(|rotor| format!(r#"{{"at_s": {at_s}, "actuator": "{rotor}", "value": {value}}}"#))
    });
    let commands = commands.collect::<Vec<_>>().join(", ");
    let members = format!(
        r#""vehicles": [{{"name": "a", "model": "quadrotor", "start": {{"z_m": 30}}, "driver": {{"commands": [{commands}]}}}}]"#
    );
    let mut world = SeaWorld::new(model(&members), KEY).unwrap();
    let climb_m_s = |world: &SeaWorld| numbers(world, "vehicles", "w_m_s")[0];
    steps(&mut world, 50);
    assert!(climb_m_s(&world).abs() < 1e-9, "{}", climb_m_s(&world));
    steps(&mut world, 50);
    assert!((climb_m_s(&world) - 2.0 / 4.34).abs() < 1e-9, "{}", climb_m_s(&world));
    steps(&mut world, 50);
    assert!((climb_m_s(&world) - 2.0 / 4.34).abs() < 1e-9, "{}", climb_m_s(&world));
    assert!(numbers(&world, "vehicles", "pitch_rad")[0].abs() < 1e-12);
}
