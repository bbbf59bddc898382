//! Rows from outside: commands, setpoints and other places.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{loaded, numbers, step_with, steps, world};
use sim_run::{Recording, RunOptions, Session};
use sim_world::{Input, Value, World};
use std::fs;
use std::path::Path;
use world_sea::SeaWorld;

const DIVER: &str = r#""terrain": {"flat_z_m": -60}, "water": {"density_kg_m3": 1026},
    "vehicles": [{"name": "remus", "model": "remus100", "start": {"z_m": -5, "u_m_s": 1}, "watchdog_s": 2,
        "sensors": {"imu": {}, "pressure": {}, "dvl": {}},
        "driver": {"setpoints": {"list": [{"depth_m": 5, "yaw_deg": 0, "speed": 1200}]}}},
        {"name": "buoy", "model": "buoy", "start": {"x_m": 50}}]"#;

fn setpoint(values: [Option<f64>; 7]) -> [Value<'static>; 8] {
    let mut row = [Value::Missing; 8];
    row[0] = Value::Integer(0);
    row[1..].iter_mut().zip(values).for_each(|(cell, value)| *cell = value.map_or(Value::Missing, Value::Number));
    row
}

const NOTHING: [Option<f64>; 7] = [None; 7];

#[test]
fn setpoints_take_the_place_of_the_drivers_own_until_they_are_silent() {
    let mut world = world(DIVER);
    let to_20_m = setpoint([Some(1.0), Some(20.0), None, None, None, None, None]);
    step_with(&mut world, &[("setpoints", &to_20_m)]).unwrap();
    let goal = *world.state().vehicles[0].pilot.goal();
    assert_eq!((goal.yaw_rad, goal.speed), (Some(1.0), Some(1200.0)));
    // Silence of 2 s: 100 steps later it is 2 s old and still there, one more and it is older.
    let told = common::events(&mut world, 150);
    let watchdogs: Vec<_> = told.iter().filter(|(_, text)| text.starts_with("watchdog")).collect();
    assert_eq!(watchdogs, [&(102, "watchdog 0 input".to_owned())]);
    assert_eq!(world.state().vehicles[0].pilot.goal().yaw_rad, Some(0.0));
}

#[test]
fn a_row_without_values_gives_the_vehicle_back() {
    let mut world = world(DIVER);
    let turned = setpoint([Some(1.0), None, None, None, None, None, None]);
    step_with(&mut world, &[("setpoints", &turned)]).unwrap();
    step_with(&mut world, &[("setpoints", &setpoint(NOTHING))]).unwrap();
    assert_eq!(world.state().vehicles[0].pilot.goal().yaw_rad, Some(0.0));
}

#[test]
fn commands_take_the_place_of_one_actuator() {
    let mut world = world(DIVER);
    let rudder = [0_usize.into(), "rudder".into(), 0.2.into()];
    step_with(&mut world, &[("commands", &rudder)]).unwrap();
    steps(&mut world, 20);
    let commands = world.state().vehicles[0].motion.commands;
    assert_eq!((commands[0], commands[2]), (0.2, 1200.0));
    // Missing gives it back: the driver steers again.
    step_with(&mut world, &[("commands", &[0_usize.into(), "rudder".into(), Value::Missing])]).unwrap();
    assert_ne!(world.state().vehicles[0].motion.commands[0], 0.2);
}

#[test]
fn a_vehicle_is_put_elsewhere_at_rest() {
    let mut world = world(DIVER);
    let row = [1_usize.into(), 70.0.into(), Value::Missing, Value::Missing, Value::Missing, Value::Missing, 1.0.into()];
    step_with(&mut world, &[("teleport", &row)]).unwrap();
    assert!((numbers(&world, "vehicles", "x_m")[1] - 70.0).abs() < 1e-3);
    assert!((numbers(&world, "vehicles", "yaw_rad")[1] - 1.0).abs() < 1e-3);
}

#[test]
fn the_same_rows_lead_to_the_same_state() {
    let run = || -> SeaWorld {
        let mut world = world(DIVER);
        for step in 0..200_i64 {
            let depth_m = 5.0 + step as f64 * 0.05;
            let row = setpoint([Some(0.01 * step as f64), Some(depth_m), None, None, None, None, None]);
            step_with(&mut world, &[("setpoints", &row)]).unwrap();
        }
        world
    };
    assert_eq!(run().state_hash(), run().state_hash());
    let mut other = world(DIVER);
    steps(&mut other, 200);
    assert_ne!(run().state_hash(), other.state_hash());
}

#[test]
fn wrong_rows_are_refused_in_words() {
    let mut world = world(DIVER);
    let mut said = |stream: &str, row: &[Value<'_>]| step_with(&mut world, &[(stream, row)]).unwrap_err();
    assert_eq!(
        said("commands", &[0_usize.into(), "ruder".into(), 0.1.into()]),
        r#"actuator is "ruder", remus has rudder, stern, propeller; did you mean "rudder"?"#
    );
    assert_eq!(said("commands", &[0_usize.into(), Value::Missing, 0.1.into()]), "actuator is missing");
    assert_eq!(said("commands", &[7_usize.into(), "rudder".into(), 0.1.into()]), "vehicle is 7, must be from 0 to 1");
    assert_eq!(
        said("commands", &[1_usize.into(), "rudder".into(), 0.1.into()]),
        r#"actuator is "rudder", buoy has none"#
    );
    let mut both = setpoint([None, Some(3.0), Some(4.0), None, None, None, None]);
    assert_eq!(said("setpoints", &both), "altitude_m cannot be given beside depth_m");
    both = setpoint([None, None, None, None, Some(1.0), None, None]);
    assert_eq!(
        said("setpoints", &both),
        "x_m means nothing to remus: its driver has actuators and sensors for yaw_rad, depth_m, altitude_m, speed"
    );
    both[0] = Value::Integer(1);
    assert_eq!(said("setpoints", &both), "vehicle is 1: buoy has no driver that obeys setpoints");
}

/// Events of the last step: kind and object.
fn told(world: &SeaWorld) -> Vec<String> {
    world.events().iter().map(|event| format!("{} {}", event.kind, event.object)).collect()
}

/// The bottom is at -60 m. Where all coordinates are given the row is refused; where one is missing it is known at its step alone.
#[test]
fn a_vehicle_is_not_put_below_the_bottom() {
    let mut world = world(DIVER);
    let at = |z_m: f64, x_m: Value<'static>| {
        let missing = Value::Missing;
        [0_usize.into(), x_m, 0.0.into(), z_m.into(), missing, missing, missing]
    };
    let refused = step_with(&mut world, &[("teleport", &at(-60.5, 3.0.into()))]).unwrap_err();
    assert_eq!(refused, "z_m is -60.5, below the bottom, which is at -60.00 m there");
    // Its hull is a cylinder of 0.19 m.
    let refused = step_with(&mut world, &[("teleport", &at(-59.95, 3.0.into()))]).unwrap_err();
    assert_eq!(refused, "z_m is -59.95, where the hull is 0.045 m deep in the bottom");
    let refused = step_with(&mut world, &[("teleport", &at(-13_000.0, Value::Missing))]).unwrap_err();
    assert_eq!(refused, "z_m is -13000, must be from -12000 to 12000");
    for z_m in [-60.5, -59.95] {
        step_with(&mut world, &[("teleport", &at(z_m, Value::Missing))]).unwrap();
        assert_eq!(told(&world), ["refused input"], "{z_m}");
    }
    assert!((numbers(&world, "vehicles", "z_m")[0] + 5.0).abs() < 0.1);
}

#[test]
fn setpoints_that_a_driver_cannot_steer_for_are_refused() {
    let mut world = world(
        r#""vehicles": [{"name": "otter", "model": "otter", "sensors": {"imu": {}},
            "driver": {"setpoints": {"list": [{"yaw_deg": 0, "speed": 50}]}}},
        {"name": "drone", "model": "quadrotor", "start": {"x_m": 30, "z_m": 5}, "sensors": {"imu": {}, "gnss": {}},
            "driver": {"hover": {"list": [{"z_m": 5}]}}}]"#,
    );
    let mut said = |vehicle: i64, values: [Option<f64>; 7]| {
        let mut row = setpoint(values);
        row[0] = Value::Integer(vehicle);
        step_with(&mut world, &[("setpoints", &row)]).err().unwrap_or_default()
    };
    assert_eq!(said(0, [Some(1.0), None, None, Some(80.0), None, None, None]), "");
    assert_eq!(
        said(0, [None, Some(3.0), None, None, None, None, None]),
        "depth_m means nothing to otter: its driver has actuators and sensors for yaw_rad, speed"
    );
    assert_eq!(said(1, [Some(1.0), None, None, None, Some(30.0), Some(0.0), Some(6.0)]), "");
    assert_eq!(
        said(1, [None, None, None, Some(1.0), None, None, None]),
        "speed means nothing to drone: its driver has actuators and sensors for yaw_rad, x_m, y_m, z_m"
    );
    assert_eq!(
        said(1, [None, None, None, None, Some(1.0), None, None]),
        "x_m must be given with y_m and z_m, or none of them"
    );
}

/// T-65 of the original for a whole vehicle: a command of 500 rpm at 1 s and a watchdog of 0.5 s. It turns until 1.5 s and goes to rest at
/// the first step whose command is older, not to the command of the start.
#[test]
fn what_came_too_long_ago_leaves_an_actuator_at_rest() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "remus100", "watchdog_s": 0.5,
            "start": {"z_m": -5, "commands": {"propeller": 1200}}}]"#,
    );
    steps(&mut world, 50);
    step_with(&mut world, &[("commands", &[0_usize.into(), "propeller".into(), 500.0.into()])]).unwrap();
    let propeller = |world: &SeaWorld| world.state().vehicles[0].motion.commands[2];
    // The step that begins at 1.5 s is number 76.
    steps(&mut world, 25);
    assert_eq!((world.state().tick.0, propeller(&world)), (76, 500.0));
    let told = common::events(&mut world, 10);
    assert_eq!(told, [(77, "watchdog 0 input".to_owned())]);
    assert_eq!(propeller(&world), 0.0);
}

/// The recording of a file of commands, or what is wrong with it, without the folder's name.
fn read_commands(folder: &Path, text: &str) -> Result<Recording, String> {
    fs::write(folder.join("inputs-commands.csv"), text).unwrap();
    let read = Recording::read_folder(folder, &*loaded(DIVER).model);
    read.map_err(|error| error.to_string().replace(&folder.display().to_string(), ""))
}

/// Digits are a number, whatever the vehicles are called: a record repeats its run.
#[test]
fn files_may_have_the_names_of_vehicles() {
    let folder = tempfile::tempdir().unwrap();
    let read = |text: &str| read_commands(folder.path(), text);
    let numbered = "step,vehicle,actuator,value\n3,0,rudder,0.2\n9,0,rudder,\n";
    let named = read(&numbered.replace(",0,rudder", ", remus,rudder")).unwrap();
    assert_eq!(named, read(numbered).unwrap());
    let record = named.files(&*loaded(DIVER).model);
    assert_eq!(String::from_utf8_lossy(&record["inputs-commands.csv"]), numbered);
    let refused = read("step,vehicle,actuator,value\n3,rhemus,rudder,0.2\n").unwrap_err();
    let expected = r#"/inputs-commands.csv:2:3: vehicle: is "rhemus", the name of no vehicle; did you mean "remus"?"#;
    assert!(refused.contains(expected), "{refused}");
    // The world sees the number.
    let refused = read("step,vehicle,actuator,value\n3,buoy,rudder,0.2\n").unwrap_err();
    assert!(refused.contains(r#"actuator: is "rudder", buoy has none"#), "{refused}");

    let one = DIVER.replace(r#""name": "buoy""#, r#""name": "0""#);
    let model = loaded(&one).model;
    fs::write(folder.path().join("inputs-commands.csv"), numbered).unwrap();
    assert_eq!(Recording::read_folder(folder.path(), &*model).unwrap(), named);
}

#[test]
fn a_program_may_name_a_vehicle() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, vehicle: Value<'static>| {
        let (loaded, out) = (loaded(&format!("\"steps\": 20, {DIVER}")), folder.path().join(name));
        let options = RunOptions { out: Some(out.clone()), ..RunOptions::default() };
        let mut session = Session::start(&loaded.model, loaded.model.key(0), &options).unwrap();
        let commands = session.input("commands").unwrap();
        session.step(&Input::rows(commands, &[[vehicle, "rudder".into(), 0.2.into()]])).unwrap();
        let wrong = [["rem".into(), "rudder".into(), 0.2.into()]];
        let refused = session.step(&Input::rows(commands, &wrong)).unwrap_err().to_string();
        assert!(refused.contains(r#"vehicle is "rem", the name of no vehicle"#), "{refused}");
        let hash = session.state_hash();
        session.finish().unwrap();
        (hash, fs::read_to_string(out.join("inputs-commands.csv.partial")).unwrap())
    };
    let named = run("named", "remus".into());
    assert_eq!(named, run("numbered", 0_usize.into()));
    assert!(named.1.ends_with("1,0,rudder,0.2\n"), "{}", named.1);
}

/// The same scenario with another source of control for its first vehicle, and a script.
fn controlled(source: &str, script: &str) -> String {
    let key = format!(r#""watchdog_s": 2, "control_source": "{source}""#);
    format!(r#"{}, "script": [{script}]"#, DIVER.replace(r#""watchdog_s": 2"#, &key))
}

const RUDDER: [Value<'static>; 3] = [Value::Integer(0), Value::Text("rudder"), Value::Number(0.2)];

/// The command of the rudder.
fn rudder_rad(world: &SeaWorld) -> f64 {
    world.state().vehicles[0].motion.commands[0]
}

#[test]
fn a_vehicle_may_obey_its_driver_alone() {
    let mut world = world(&controlled("driver", ""));
    let mut said = |stream: &str, row: &[Value<'_>]| step_with(&mut world, &[(stream, row)]).err().unwrap_or_default();
    let refused = said("commands", &RUDDER);
    assert_eq!(refused, "vehicle is remus, whose control_source is driver: it takes no commands from outside");
    let to_20_m = setpoint([None, Some(20.0), None, None, None, None, None]);
    let refused = said("setpoints", &to_20_m);
    assert_eq!(
        refused,
        "vehicle is remus, whose control_source is not shared: its driver takes no setpoints from outside"
    );
    // Another place is no control.
    let missing = Value::Missing;
    let elsewhere = [0_usize.into(), 9.0.into(), missing, missing, missing, missing, missing];
    assert_eq!(said("teleport", &elsewhere), "");
    assert_eq!(world.state().vehicles[0].motion.commands[2], 1200.0);
}

#[test]
fn a_vehicle_may_obey_inputs_alone() {
    let mut world = world(&controlled("inputs", ""));
    let to_20_m = setpoint([None, Some(20.0), None, None, None, None, None]);
    assert!(step_with(&mut world, &[("setpoints", &to_20_m)]).is_err());
    steps(&mut world, 10);
    assert_eq!(world.state().vehicles[0].motion.commands[..3], [0.0; 3], "the driver asks for 1200 rpm");
    step_with(&mut world, &[("commands", &RUDDER)]).unwrap();
    steps(&mut world, 10);
    assert_eq!(world.state().vehicles[0].motion.commands[..3], [0.2, 0.0, 0.0]);
    // It steers for nothing, so no error is counted.
    let metrics = world.finish();
    assert!(metrics.iter().find(|metric| metric.name == "yaw_error_mean_rad").unwrap().value.is_nan());
}

/// At 0.2 s the rows have no say any more, at 0.4 s the driver has none. A row in between does nothing but an event.
#[test]
fn the_script_changes_the_source_of_control() {
    let script = r#"{"at_s": 0.2, "vehicle": "remus", "control_source": "driver"},
        {"at_s": 0.4, "vehicle": "remus", "control_source": "inputs"}"#;
    let mut world = world(&controlled("shared", script));
    step_with(&mut world, &[("commands", &RUDDER)]).unwrap();
    steps(&mut world, 9);
    assert_eq!(rudder_rad(&world), 0.2);
    steps(&mut world, 1);
    assert_eq!(told(&world), ["control driver"]);
    assert_ne!(rudder_rad(&world), 0.2);
    let before = rudder_rad(&world);
    step_with(&mut world, &[("commands", &RUDDER)]).unwrap();
    assert_eq!(told(&world), ["refused input"]);
    assert!((rudder_rad(&world) - before).abs() < 0.1);
    steps(&mut world, 9);
    assert_eq!(told(&world), ["control inputs"]);
    // Commands in force stay until new ones.
    let left = world.state().vehicles[0].motion.commands;
    steps(&mut world, 20);
    assert_eq!(world.state().vehicles[0].motion.commands, left);
    assert_eq!(left[2], 1200.0);
    step_with(&mut world, &[("commands", &RUDDER)]).unwrap();
    assert_eq!((rudder_rad(&world), told(&world).len()), (0.2, 0));
}

/// The list has 500 rpm from the start and 1000 rpm from 0.3 s on; the driver is off from 0.2 s to 0.4 s.
#[test]
fn a_driver_that_was_off_goes_on_by_the_clock() {
    let mut world = world(
        r#""vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -5}, "driver": {"commands": [
            {"at_s": 0, "actuator": "propeller", "value": 500}, {"at_s": 0.3, "actuator": "propeller", "value": 1000}]}}],
        "script": [{"at_s": 0.2, "vehicle": "a", "control_source": "inputs"},
            {"at_s": 0.4, "vehicle": "a", "control_source": "shared"}]"#,
    );
    for (count, expected) in [(10, 500.0), (10, 500.0), (1, 1000.0)] {
        steps(&mut world, count);
        assert_eq!(world.state().vehicles[0].motion.commands[2], expected, "{} s", world.time_s());
    }
}

/// A record of a run that had no source of control repeats it.
#[test]
fn shared_control_is_the_default() {
    let run = |members: &str| {
        let mut world = world(members);
        step_with(&mut world, &[("commands", &RUDDER)]).unwrap();
        steps(&mut world, 50);
        world.state_hash()
    };
    assert_eq!(run(DIVER), run(&controlled("shared", "")));
    assert!(loaded(DIVER).resolved.contains(r#""control_source": "shared""#));
}

/// A row of a file ends the run before it begins; one of a live client is left out and counted.
#[test]
fn rows_that_have_no_say_are_refused_at_their_door() {
    let folder = tempfile::tempdir().unwrap();
    let model = loaded(&controlled("driver", "")).model;
    fs::write(folder.path().join("inputs-commands.csv"), "step,vehicle,actuator,value\n\n3,remus,rudder,0.2\n")
        .unwrap();
    let refused = Recording::read_folder(folder.path(), &*model).unwrap_err().to_string();
    let message = "/inputs-commands.csv:3:3: vehicle: is remus, whose control_source is driver: it takes no commands";
    assert!(refused.contains(message), "{refused}");
    let mut session = Session::start(&model, model.key(0), &RunOptions::default()).unwrap();
    let commands = session.input("commands").unwrap();
    session.step_live(&Input::rows(commands, &[RUDDER])).unwrap();
    assert_eq!(session.refused().rows["commands"], 1);
}
