//! Events, contact and the script.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{events, loaded, numbers, steps, world};
use sim_world::{Model, World};

#[test]
fn a_heavy_body_sinks_to_the_bottom_and_stays() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -5}, "water": {"density_kg_m3": 900},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": 1}}]"#,
    );
    let told = events(&mut world, 1500);
    let kinds: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(kinds, ["submerged 0", "grounded 0 bottom"]);
    // The hull is 0.3 m high and touches with its lowest point.
    let at_m = numbers(&world, "vehicles", "altitude_m")[0];
    assert!((at_m - 0.15).abs() < 1e-3, "{at_m}");
    let before = world.state().vehicles[0].motion.body.position_m;
    steps(&mut world, 3000);
    let creep_m = world.state().vehicles[0].motion.body.position_m.distance(before);
    assert!(creep_m < 1e-3, "{creep_m}");
    let metrics = world.finish();
    let of = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value;
    assert_eq!((of("groundings"), of("mishaps"), of("collisions")), (1.0, 1.0, 0.0));
    assert!((of("depth_max_m") - 4.85).abs() < 1e-3, "{}", of("depth_max_m"));
}

/// 0.9 kg too heavy on 40 kg of mass and added mass: 0.22 m/s^2. A hop of 0.15 m/s takes 1.36 s and is 0.05 m high: it lies aground all
/// the same. One of 0.5 m/s is 0.57 m high and ends in another grounding.
#[test]
fn a_body_that_does_not_rise_clear_of_the_bottom_stays_aground() {
    let mut world = world(
        r#""terrain": {"flat_z_m": -5}, "water": {"density_kg_m3": 970},
        "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -4.8}}],
        "script": [{"at_s": 4, "vehicle": "a", "push_n_s": [0, 0, 6]}, {"at_s": 8, "vehicle": "a", "push_n_s": [0, 0, 6]},
            {"at_s": 12, "vehicle": "a", "push_n_s": [0, 0, 20]}]"#,
    );
    let told = events(&mut world, 200);
    assert!(matches!(told.as_slice(), [(_, text)] if text == "grounded 0 bottom"), "{told:?}");
    let mut highest_m = 0.0_f64;
    for _ in 0..200 {
        assert_eq!(events(&mut world, 1), []);
        highest_m = highest_m.max(numbers(&world, "vehicles", "altitude_m")[0]);
    }
    assert!(highest_m > 0.17 && highest_m < 0.25, "{highest_m}");
    let told = events(&mut world, 600);
    assert!(matches!(told.as_slice(), [(700.., text)] if text == "grounded 0 bottom"), "{told:?}");
}

/// Two cells that slope down to the north at 20 degrees, friction angles of 31 degrees in the west (0.6) and of 11 in the east (0.2): one
/// body stays where it lies, the other slides by `w (sin a - mu cos a)/(m + m_A)` a second, less what the water takes.
#[test]
fn bodies_touch_by_the_material_of_the_bottom() {
    let mut world = world(
        r#""terrain": {"heights": {"from_m": [-20, -10], "cell_m": 20, "columns": 3, "materials": [1, 2],
            "z_m": [3.6397, 3.6397, 3.6397, -3.6397, -3.6397, -3.6397]}},
        "contact": {"friction": 0, "materials": [{"material": 1, "friction": 0.6}, {"material": 2, "friction": 0.2}]},
        "water": {"level_m": 50, "density_kg_m3": 900},
        "vehicles": [{"name": "rough", "model": "custom", "start": {"x_m": -10, "z_m": 0.162, "yaw_deg": 90, "pitch_deg": 20}},
            {"name": "smooth", "model": "custom", "start": {"x_m": 10, "z_m": 0.162, "yaw_deg": 90, "pitch_deg": 20}}]"#,
    );
    steps(&mut world, 100);
    let [rough_m, smooth_m] = numbers(&world, "vehicles", "y_m")[..] else { panic!() };
    assert!(rough_m.abs() < 0.02, "{rough_m}");
    // 3 kg too heavy: 29.43 N (0.3420 - 0.2 0.9397) / 40 kg = 0.1133 m/s^2, 0.227 m in 2 s without drag.
    assert!(smooth_m > 0.12 && smooth_m < 0.25, "{smooth_m}");
}

/// 4.34 kg on four propellers of 0.005 N/rpm: 2128.77 rpm each, and it stays where it is.
#[test]
fn a_quadrotor_may_start_hovering() {
    let mut world = world(r#""vehicles": [{"name": "a", "model": "quadrotor", "start": {"z_m": 20, "hover": true}}]"#);
    steps(&mut world, 500);
    let motion = &world.state().vehicles[0].motion;
    assert!(motion.actuators[..4].iter().all(|rpm| (rpm - 2128.77).abs() < 1e-9), "{:?}", motion.actuators);
    assert!((motion.body.position_m.z - 20.0).abs() < 1e-9, "{}", motion.body.position_m);
}

/// A third of a second by ten digits, at three steps a second: a command and a setpoint of that time belong to the second step. A command
/// of 0.2 s belongs to it too, and the later one holds.
#[test]
fn commands_and_setpoints_of_one_time_begin_in_one_step() {
    let mut world = world(
        r#""step_hz": 3, "vehicles": [
            {"name": "a", "model": "otter", "driver": {"commands": [{"at_s": 0.3333333334, "actuator": "left", "value": 50},
                {"at_s": 0.2, "actuator": "left", "value": 20}]}},
            {"name": "b", "model": "otter", "start": {"y_m": 20}, "sensors": {"imu": {}},
                "driver": {"setpoints": {"list": [{"at_s": 0.3333333334, "speed": 80}]}}}]"#,
    );
    let begun = |world: &world_sea::SeaWorld| {
        let [a, b] = [0, 1].map(|number: usize| &world.state().vehicles[number]);
        (a.motion.commands[0] == 50.0, b.pilot.goal().speed.is_some())
    };
    steps(&mut world, 1);
    assert_eq!(begun(&world), (false, false));
    steps(&mut world, 1);
    assert_eq!(begun(&world), (true, true));
}

#[test]
fn a_light_body_comes_up() {
    let mut world = world(
        r#""water": {"density_kg_m3": 1100}, "vehicles": [{"name": "a", "model": "buoy", "start": {"z_m": -3}}]"#,
    );
    let told = events(&mut world, 1500);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].1, "surfaced 0");
}

/// A ballasted sphere has its metacentre in its middle, above its centre of gravity.
#[test]
fn a_buoy_that_is_heeled_comes_upright() {
    let mut world =
        world(r#""vehicles": [{"name": "a", "model": "buoy", "start": {"roll_deg": 30, "pitch_deg": -20}}]"#);
    steps(&mut world, 1500);
    assert!(numbers(&world, "vehicles", "roll_rad")[0].abs() < 1e-3);
    assert!(numbers(&world, "vehicles", "pitch_rad")[0].abs() < 1e-3);
}

#[test]
fn two_that_meet_collide_once_and_neither_goes_through() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "torpedo", "start": {"z_m": -20, "u_m_s": 2}},
            {"name": "b", "model": "torpedo", "start": {"x_m": 5, "z_m": -20, "yaw_deg": 180, "u_m_s": 2}}]"#,
    );
    let told = events(&mut world, 300);
    assert_eq!(told.iter().filter(|(_, text)| text == "collision 0 vehicle 1").count(), 1, "{told:?}");
    let [a_m, b_m] = [0, 1].map(|number: usize| world.state().vehicles[number].motion.body.position_m);
    assert!(b_m.distance(a_m) > 0.18, "{a_m} {b_m}");
    assert_eq!(world.violations(), 1);
}

#[test]
fn what_leaves_the_grid_is_out_of_the_world() {
    let mut world = world(
        r#""terrain": {"generated": {"from_m": [-10, -10], "size_m": [20, 20], "cell_m": 1, "base_z_m": -50, "relief_m": 0}},
        "vehicles": [{"name": "a", "model": "torpedo", "start": {"x_m": 8, "z_m": -20, "u_m_s": 2}}]"#,
    );
    let told = events(&mut world, 200);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].1, "out_of_world 0");
    assert!(numbers(&world, "vehicles", "altitude_m")[0].is_nan());
}

#[test]
fn commands_saturate_and_the_watchdog_of_an_actuator_speaks() {
    let mut world = world(r#""vehicles": [{"name": "a", "model": "bluerov2", "start": {"z_m": -20}}]"#);
    let row = [0_usize.into(), "front_right".into(), 1.5.into()];
    common::step_with(&mut world, &[("commands", &row)]).unwrap();
    let first: Vec<_> = world.events().iter().map(|event| (event.kind, event.value)).collect();
    assert_eq!(first, [("saturated", 1.5)]);
    let outputs = world.model().outputs();
    let place = outputs.iter().position(|stream| stream.name == "events").unwrap();
    let (column, mut objects) = (outputs[place].column("object").unwrap(), Vec::new());
    world.rows(place, &mut |row| objects.push(format!("{:?}", row[column])));
    assert_eq!(objects, [r#"Text("actuator front_right")"#]);
    // Two commands a second are expected: after more than half a second of silence the thruster stops.
    let told = events(&mut world, 60);
    assert_eq!(told, [(27, "watchdog 0 actuator 0".to_owned())]);
    assert_eq!(world.state().vehicles[0].motion.commands[0], 0.0);
}

/// More than half a second of silence where two commands a second are expected: the last one is 26 steps old, that is 1/0.52 s.
#[test]
fn the_watchdog_of_an_actuator_tells_how_often_commands_came() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -5, "commands": {"propeller_front": 500}}}]"#,
    );
    let mut told = Vec::new();
    for _ in 0..60 {
        steps(&mut world, 1);
        let of_watchdogs = world.events().iter().filter(|event| event.kind == "watchdog");
        told.extend(of_watchdogs.map(|event| (event.tick.0, event.value, event.unit)));
    }
    let [(27, received_hz, "Hz")] = told[..] else { panic!("{told:?}") };
    assert!((received_hz - 1.0 / 0.52).abs() < 1e-9, "{received_hz}");
}

#[test]
fn the_script_moves_pushes_and_leaks() {
    let mut world = world(
        r#""water": {"density_kg_m3": 1000}, "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -20}}],
        "script": [{"at_s": 1, "vehicle": "a", "teleport": {"x_m": 5, "z_m": -9, "yaw_deg": 90}},
            {"at_s": 2, "vehicle": "a", "push_n_s": [0, 10, 0]}, {"at_s": 3, "vehicle": "a", "leak": true}]"#,
    );
    steps(&mut world, 50);
    assert_eq!(numbers(&world, "vehicles", "x_m"), [0.0]);
    steps(&mut world, 1);
    assert!((numbers(&world, "vehicles", "x_m")[0] - 5.0).abs() < 1e-3);
    steps(&mut world, 49);
    let before = world.state().vehicles[0].motion.body;
    steps(&mut world, 1);
    // Northward is forward now: 10 N s on the mass and the added mass forward, less a step of drag.
    let change_m_s = world.state().vehicles[0].motion.body.velocity.linear - before.velocity.linear;
    assert!(change_m_s.x > 0.2 && change_m_s.x < 10.0 / 30.0 && change_m_s.y.abs() < 1e-3, "{change_m_s}");
    let told = events(&mut world, 60);
    assert_eq!(told, [(151, "leak 0".to_owned())]);
}

#[test]
fn the_scenario_read_back_is_the_same() {
    let members = r#""terrain": {"flat_z_m": -30}, "vehicles": [{"name": "a", "model": "sam", "start": {"z_m": -2},
        "sensors": {"imu": {}, "pressure": {}, "dvl": {}},
        "parameters": {"motion": {"rigid": {"body": {"mass_kg": 12.5}}}},
        "actuators": {"vbs": {"response": {"watchdog_hz": null}}},
        "driver": {"setpoints": {"list": [{"depth_m": 3, "speed": 500}]}}}]"#;
    let once = loaded(members);
    let again = sim_run::scenario::parse(common::WORLDS, &once.resolved, "b.json", &[]).unwrap();
    assert_eq!(once.resolved, again.resolved);
    assert_eq!(format!("{:?}", once.model), format!("{:?}", again.model));
}

/// Three that are pressed against each other touch in every step: each pair is told once.
#[test]
fn three_in_contact_are_told_pair_by_pair_and_once() {
    let mut world = world(
        r#""water": {"fields": [{"towards": [0, 0, 0], "force_n": 40}]}, "vehicles": [
            {"name": "a", "model": "buoy", "start": {"x_m": 0.75}},
            {"name": "b", "model": "buoy", "start": {"x_m": -0.375, "y_m": 0.65}},
            {"name": "c", "model": "buoy", "start": {"x_m": -0.375, "y_m": -0.65}}]"#,
    );
    let told: Vec<String> = events(&mut world, 3000).into_iter().map(|(_, text)| text).collect();
    let collisions = |pair: &str| told.iter().filter(|text| **text == format!("collision {pair}")).count();
    assert_eq!(
        [collisions("0 vehicle 1"), collisions("0 vehicle 2"), collisions("1 vehicle 2")],
        [1, 1, 1],
        "{told:?}"
    );
}

/// 4 kn are 2.0578 m/s. The origin rides 0.175 m + 0.4 m above the water there, 0.4 m at rest; it cannot hold 4 kn and slows by 2 kn/s.
#[test]
fn a_hydrofoil_starts_at_its_speed_and_on_the_water() {
    let mut world = world(
        r#""script": [{"at_s": 10, "vehicle": "a", "teleport": {"x_m": 50, "z_m": 3, "u_m_s": 2.0577778}}],
        "vehicles": [{"name": "a", "model": "evolo", "start": {"z_m": 9, "u_m_s": 2.0577778}}]"#,
    );
    let body = |world: &world_sea::SeaWorld| world.state().vehicles[0].motion.body;
    assert!((body(&world).position_m.z - 0.575).abs() < 1e-6, "{}", body(&world).position_m);
    steps(&mut world, 1);
    assert!((body(&world).velocity.linear.x - (4.0 - 0.04) * 1852.0 / 3600.0).abs() < 1e-6);
    assert!((body(&world).position_m.x - 0.02 * 3.98 * 1852.0 / 3600.0).abs() < 1e-6);
    steps(&mut world, 499);
    assert!((body(&world).position_m.z - 0.4).abs() < 1e-9 && body(&world).velocity.linear.x.abs() < 1e-9);
    steps(&mut world, 1);
    // 4 kn, less 2 kn/s for a step: 0.4 + 0.35 * 3.96/8.
    assert!((body(&world).position_m.z - 0.57325).abs() < 1e-6, "{}", body(&world).position_m);
}

/// A speed that it cannot hold is flown at the slowest: no turning on and off.
#[test]
fn a_hydrofoil_that_is_asked_for_too_little_speed_flies_steadily() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "evolo", "sensors": {"imu": {}},
            "driver": {"setpoints": {"list": [{"at_s": 0, "speed": 5, "yaw_deg": 0}, {"at_s": 20, "speed": 0, "yaw_deg": 0}]}}}]"#,
    );
    let speed_kn = |world: &world_sea::SeaWorld| world.state().vehicles[0].motion.actuators[0];
    steps(&mut world, 400);
    for _ in 0..500 {
        assert_eq!(speed_kn(&world), 8.0);
        steps(&mut world, 1);
    }
    steps(&mut world, 600);
    assert_eq!(speed_kn(&world), 0.0);
}

/// A speed that it can hold is its goal from the start; a command changes it.
#[test]
fn a_hydrofoil_keeps_the_speed_that_it_starts_with() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "evolo", "start": {"u_m_s": 5}},
            {"name": "b", "model": "evolo", "start": {"y_m": 90, "u_m_s": 5, "commands": {"speed": 11}}}]"#,
    );
    steps(&mut world, 250);
    let speed_kn = |number: usize| world.state().vehicles[number].motion.actuators[0];
    assert!((speed_kn(0) - 5.0 * 3600.0 / 1852.0).abs() < 1e-9, "{}", speed_kn(0));
    assert_eq!(speed_kn(1), 11.0);
}

/// A bottom that rises out of the water stops it, and says so once.
#[test]
fn a_hydrofoil_runs_aground_in_words() {
    let mut world = world(
        r#""terrain": {"heights": {"from_m": [-50, -50], "cell_m": 50, "columns": 5,
            "z_m": [-10, -10, 4, 4, 4, -10, -10, 4, 4, 4, -10, -10, 4, 4, 4]}},
        "vehicles": [{"name": "a", "model": "evolo", "start": {"u_m_s": 5, "commands": {"speed": 10}}}]"#,
    );
    let told = events(&mut world, 1000);
    // The front end of its axis, 0.85 m ahead and 0.75 m high, comes within 0.4 m of the slope of 0.28 at 36.06 m.
    assert!(matches!(told.as_slice(), [(345..360, text)] if text == "grounded 0 bottom"), "{told:?}");
    let body = |world: &world_sea::SeaWorld| world.state().vehicles[0].motion.body;
    let stranded_m = body(&world).position_m;
    assert!((35.9..36.1).contains(&stranded_m.x) && stranded_m.y == 0.0, "{stranded_m}");
    assert!(body(&world).velocity.linear.length() == 0.0 && (stranded_m.z - 0.4).abs() < 1e-9, "{:?}", body(&world));
    assert_eq!(events(&mut world, 1000), []);
    assert_eq!(body(&world).position_m, stranded_m);
}

/// Backward it comes free of the bottom that stopped it.
#[test]
fn a_hydrofoil_ashore_comes_free_backward() {
    let mut world = world(
        r#""terrain": {"heights": {"from_m": [-50, -50], "cell_m": 50, "columns": 5,
            "z_m": [-10, -10, 4, 4, 4, -10, -10, 4, 4, 4, -10, -10, 4, 4, 4]}},
        "vehicles": [{"name": "a", "model": "evolo", "start": {"u_m_s": 5},
            "driver": {"commands": [{"at_s": 10, "actuator": "speed", "value": 0}, {"at_s": 11, "actuator": "speed", "value": 0},
                {"at_s": 12, "actuator": "speed", "value": -3}]}}]"#,
    );
    steps(&mut world, 600);
    let stranded_m = world.state().vehicles[0].motion.body.position_m;
    // A second and a half to -3 kn (1.5433 m/s), and 8.5 s at it.
    steps(&mut world, 500);
    let way_m = stranded_m.x - world.state().vehicles[0].motion.body.position_m.x;
    assert!((way_m - 1.5433 * 9.25).abs() < 0.05, "{way_m}");
}

/// Two hydrofoils that meet head-on, and one that runs over a neutral body: both are told once, and the hydrofoils go on bit for bit as if
/// they were alone. What moves by forces is struck.
#[test]
fn collisions_of_a_hydrofoil_are_told_and_do_not_stop_it() {
    const EVOLO: &str = r#"{"name": "a", "model": "evolo", "start": {"u_m_s": 5, "commands": {"speed": 10}}}"#;
    const OTHER: &str = r#"{"name": "b", "model": "evolo", "start": {"x_m": 30, "yaw_deg": 180, "u_m_s": 5, "commands": {"speed": 10}}}"#;
    const BODY: &str = r#"{"name": "c", "model": "custom", "start": {"x_m": 20, "z_m": 0.35},
        "parameters": {"motion": {"rigid": {"body": {"buoyancy": {"submerged": {"volume_m3": 0.03, "center_m": [0, 0, 0]}}}}}}}"#;
    let water = r#""water": {"density_kg_m3": 1000}"#;
    let mut alone = world(&format!(r#"{water}, "vehicles": [{EVOLO}]"#));
    let mut both = world(&format!(r#"{water}, "vehicles": [{EVOLO}, {OTHER}]"#));
    let told = events(&mut both, 600);
    assert_eq!(told.iter().filter(|(_, text)| text == "collision 0 vehicle 1").count(), 1, "{told:?}");
    steps(&mut alone, 600);
    assert_eq!(both.state().vehicles[0].motion, alone.state().vehicles[0].motion);
    // 60 m apart by now: they went through each other.
    let [a_m, b_m] = [0, 1].map(|number: usize| both.state().vehicles[number].motion.body.position_m.x);
    assert!(a_m > 50.0 && b_m < -20.0, "{a_m} {b_m}");
    let mut over = world(&format!(r#"{water}, "vehicles": [{EVOLO}, {BODY}]"#));
    let told = events(&mut over, 600);
    assert_eq!(told.iter().filter(|(_, text)| text == "collision 0 vehicle 1").count(), 1, "{told:?}");
    assert_eq!(over.state().vehicles[0].motion, alone.state().vehicles[0].motion);
    assert!(over.state().vehicles[1].motion.body.position_m.x > 20.5);
}
