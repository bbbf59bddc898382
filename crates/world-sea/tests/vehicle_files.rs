//! Vehicles' files: what is wrong with one of a user's own, and the equipment that files list.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{WORLDS, loaded, model, text};
use sea_sim::contact::{Capsule, Hull, capsules_in_box};
use serde_json::{Value as Json, json};
use sim_core::DVec3;
use sim_run::scenario::{Loaded, load, parse};
use std::fs;
use world_sea::SeaModel;
use world_sea::scenario::vehicle_text;

const OWN: &str = r#""vehicles": [{"name": "a", "model": "mine.json"}]"#;

/// A scenario beside `mine.json`; or what is wrong, one line a fault.
fn beside(own: &str, members: &str) -> Result<Loaded, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.json"), own).unwrap();
    fs::write(folder.path().join("a.json"), text(members)).unwrap();
    let place = format!("{}/", folder.path().display());
    load(WORLDS, &folder.path().join("a.json"), &[]).map_err(|refused| refused.to_string().replace(&place, ""))
}

/// What is said of the vehicle `custom` with a change: `§` in `to` stands before what the message must point at.
#[track_caller]
fn assert_wrong(from: &str, to: &str, message: &str) {
    let custom = vehicle_text("custom").unwrap();
    assert!(custom.contains(from), "{from} is not in the file");
    let marked = custom.replacen(from, to, 1);
    let (before, _) = marked.split_once('§').unwrap();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    let said = beside(&marked.replace('§', ""), OWN).map(|_| ()).unwrap_err();
    assert_eq!(said, format!("mine.json:{line}:{column}: {message}"));
}

/// Each is named with its file, line, column and path, the value, what is allowed, and the nearest key.
#[test]
fn faults_of_a_users_own_vehicle_are_named_at_their_lines() {
    let body = "motion.rigid.body";
    let main = "motion.rigid.actuators[0]";
    let mass = r#""mass_kg": 30"#;
    assert_wrong(mass, r#"§"mass_kq": 30"#, &format!(r#"{body}.mass_kq: unknown key; did you mean "mass_kg"?"#));
    assert_wrong(
        mass,
        r#""mass_kg": §"heavy""#,
        &format!(r#"{body}.mass_kg: is "heavy", must be a number of at least 0"#),
    );
    assert_wrong(
        r#"[0, 0, -0.02]"#,
        "§[0, -0.02]",
        &format!("{body}.center_of_gravity_m: is a list of 2, must be a list of 3 numbers from -1000 to 1000 m"),
    );
    assert_wrong("\"cells\"", "§\"cels\"", &format!(r#"{body}.buoyancy.cels: unknown key; did you mean "cells"?"#));
    assert_wrong(
        r#""quadratic": { "forward""#,
        r#""linear": { "forward": 1, "reverse": 1 }, §"quadratic": { "forward""#,
        &format!("{main}.kind.propeller.thrust.quadratic: cannot be given beside linear: choose one of them"),
    );
    assert_wrong(
        r#""damping""#,
        r#""added_coriolis": §"ful", "damping""#,
        &format!(r#"{body}.added_coriolis: is "ful", must be one of "full", "roll_only"; did you mean "full"?"#),
    );
    assert_wrong(
        r#""size_m""#,
        r#""sensors": { "imu": { "device": §"adis16449" } }, "size_m""#,
        r#"sensors.imu.device: is "adis16449", must be one of "perfect", "adis16448", "sparton_m2"; did you mean "adis16448"?"#,
    );
    assert_wrong(
        "\"volume_m3\": 0.0075",
        "\"volume_m3\": §1e999",
        &format!("{body}.buoyancy.cells[0].volume_m3: is 1e999, must be a number of at least 0"),
    );
    assert_wrong("\"sources\"", "§1", "a key stands in double quotes");
}

/// What single keys cannot say is told of the file too.
#[test]
fn what_no_vehicle_may_have_is_named_at_its_line() {
    let body = "motion.rigid.body";
    let main = "motion.rigid.actuators[0]";
    assert_wrong(r#""mass_kg": 30"#, r#""mass_kg": §0"#, &format!("{body}.mass_kg: is 0, must be above 0"));
    assert_wrong(
        r#""watchdog_hz": 2"#,
        r#""watchdog_hz": §0"#,
        &format!("{main}.response.watchdog_hz: is 0, must be above 0"),
    );
    assert_wrong(
        "[-1500, 1500]",
        "§[1500, -1500]",
        &format!("{main}.kind.propeller.range: is [1500, -1500], must run from the smaller to the larger"),
    );
    assert_wrong(
        "\"added_mass\": [\n          [10, 0,",
        "\"added_mass\": §[\n          [10, 1,",
        &format!("{body}.added_mass: is not symmetric: row 2, column 1 is 0, its mirror image 1"),
    );
    assert_wrong("{\n        \"mass_kg\": 30,", "§{", &format!("{body}: mass_kg is 0, must be above 0"));
    let size = "must be a number from 0.002 to 2000 m";
    assert_wrong("[1.0, 0.4, 0.3]", "[1.0, §0, 0.3]", &format!("size_m[1]: is 0, {size}"));
    assert_wrong("[1.0, 0.4, 0.3]", "[§2001, 0.4, 0.3]", &format!("size_m[0]: is 2001, {size}"));
}

/// A value that the scenario lays over a file is the scenario's fault.
#[test]
fn values_of_the_scenario_are_told_of_the_scenario() {
    let members = OWN.replace("\"}", r#"", "parameters": {"motion": {"rigid": {"body": {"mass_kg": -3}}}}}"#);
    let said = beside(vehicle_text("custom").unwrap(), &members).map(|_| ()).unwrap_err();
    assert!(said.starts_with("a.json:2:"), "{said}");
    assert!(
        said.ends_with(
            "vehicles[0].parameters.motion.rigid.body.mass_kg: is -3, must be a number of at least 0 or null"
        ),
        "{said}"
    );
}

/// Two vehicles of one file have its faults once, and the fault of the scenario stands first.
#[test]
fn a_file_is_reported_once() {
    let members =
        r#""seed": -1, "vehicles": [{"name": "a", "model": "mine.json"}, {"name": "b", "model": "mine.json"}]"#;
    let said = beside(r#"{"about": "x", "sources": [], "size_m": [1, 1, 1], "motion": "fixd"}"#, members);
    let said = said.map(|_| ()).unwrap_err();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].starts_with("a.json:2:9: seed: is -1"), "{said}");
    let moves = r#"an object with one of the keys rigid, torpedo, hydrofoil or "fixed"; did you mean "fixed"?"#;
    assert_eq!(lines[1], format!(r#"mine.json:1:62: motion: is "fixd", must be {moves}"#));
}

/// Every file that came along obeys the schema that it names, as one of a user's own does.
#[test]
fn vehicles_that_came_along_can_be_copied() {
    for name in world_sea::scenario::vehicle_names() {
        let own = vehicle_text(name).unwrap();
        let copied = beside(own, OWN).unwrap_or_else(|said| panic!("{name}: {said}"));
        assert!(own.contains(r#""$schema": "vehicle.schema.json""#), "{name}");
        assert!(!copied.resolved.contains("$schema"), "{name}");
        assert_eq!(parse(WORLDS, &copied.resolved, "b.json", &[]).unwrap().resolved, copied.resolved, "{name}");
    }
}

fn sensors(loaded: &Loaded) -> Json {
    serde_json::from_str::<Json>(&loaded.resolved).unwrap()["vehicles"][0]["sensors"].take()
}

fn vehicle(model: &str, keys: &str) -> String {
    format!(r#""vehicles": [{{"name": "a", "model": "{model}"{keys}}}]"#)
}

/// The prefab `sam_auv_v1` of SMARCUnityAssets: inertial unit, log, satellites 10 times a second, pressure 25 times, leak 7 times; places
/// of their links; a gauge of 300 m; battery of 21 to 25.2 V.
#[test]
fn sam_carries_the_sensors_of_its_prefab() {
    for name in ["sam", "sam_kth"] {
        let found = sensors(&loaded(&vehicle(name, r#", "equipment": "model""#)));
        let carried: Vec<&str> = found
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, sensor)| !sensor.is_null())
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(carried, ["battery", "dvl", "gnss", "imu", "leak", "pressure"]);
        let hz = |pointer: &str| 1000.0 / found.pointer(pointer).unwrap()["every_ms"].as_f64().unwrap();
        for at in
            ["/imu/gyro", "/imu/accelerometer", "/imu/attitude", "/dvl/ranges", "/dvl/velocities", "/gnss/sensing"]
        {
            assert_eq!(hz(at), 10.0, "{at}");
        }
        assert_eq!(hz("/pressure/sensing"), 25.0);
        assert!((hz("/leak") - 7.0).abs() < 0.01, "whole ms are next to a seventh of a second");
        assert_eq!(found["imu"]["mount"]["position_m"], json!([0.24, 0, -0.036]));
        assert_eq!(found["dvl"]["mount"]["position_m"], json!([0.573, 0, -0.063]));
        assert_eq!(found["gnss"]["antenna_m"], json!([0.528, 0, 0.071]));
        assert_eq!(found["pressure"]["position_m"], json!([-0.503, 0.025, 0.057]));
        // 300 m of the water in which SAM is neutral, and the air: 101325 + 997 * 9.81 * 300 Pa.
        assert_eq!(found["pressure"]["sensing"]["range"], json!([0, 3_035_496]));
        assert_eq!([&found["dvl"]["range_m"], &found["dvl"]["beam_angle_deg"]], [&json!([0.05, 50]), &json!(22.5)]);
    }
}

/// 95 percent less 0.4 a minute is 71 percent after an hour, 23.982 V.
#[test]
fn sams_battery_lasts_as_long_as_its_prefabs() {
    let battery = model(&vehicle("sam", r#", "equipment": "model""#)).vehicles[0].battery.unwrap();
    let charge_percent = battery.charge_percent(3600.0);
    // Both are sums of decimals: a few units of the last digit.
    assert!((charge_percent - 71.0).abs() < 1e-12, "{charge_percent}");
    assert!((battery.voltage_v(charge_percent) - 23.982).abs() < 1e-12, "{}", battery.voltage_v(charge_percent));
}

#[test]
fn keys_of_sensors_lie_over_the_equipment() {
    let over = r#", "equipment": "model", "sensors": {"dvl": null, "battery": {"drain_per_min": 2}, "compass": {}}"#;
    let found = loaded(&vehicle("sam", over));
    assert!(!found.resolved.contains("equipment"));
    assert_eq!(parse(WORLDS, &found.resolved, "b.json", &[]).unwrap().resolved, found.resolved);
    let found = sensors(&found);
    assert_eq!([&found["dvl"], &found["compass"]["sensing"]["every_ms"]], [&Json::Null, &json!(100)]);
    assert_eq!([&found["battery"]["drain_per_min"], &found["battery"]["voltages_v"]], [&json!(2), &json!([21, 25.2])]);
    let without = sensors(&loaded(&vehicle("sam", "")));
    assert!(without.as_object().unwrap().values().all(Json::is_null), "{without}");
}

/// A receiver of beacons comes along where there are beacons: elsewhere it would be a fault.
#[test]
fn a_receiver_comes_along_where_beacons_are() {
    let alone = vehicle("quadrotor", r#", "equipment": "model""#);
    assert_eq!(sensors(&loaded(&alone))["range"], Json::Null);
    let heard = format!(r#""beacons": [{{"name": "b", "x_m": 1, "y_m": 0, "z_m": 0}}], {alone}"#);
    let found = sensors(&loaded(&heard));
    assert_eq!([&found["range"]["reach_m"], &found["altimeter"]["reach_m"]], [&json!(10), &json!(30)]);
    assert_eq!([&found["imu"]["gyro"]["every_ms"], &found["gnss"]["sensing"]["every_ms"]], [&json!(50), &json!(50)]);
    assert_eq!(found["battery"]["voltages_v"], json!([40, 44.76]));
}

#[test]
fn equipment_comes_out_of_a_users_own_file_too() {
    let own = vehicle_text("custom").unwrap().replace("\"size_m\"", r#""sensors": { "compass": {} }, "size_m""#);
    let members = OWN.replace("\"}", r#"", "equipment": "model"}"#);
    assert!(sensors(&beside(&own, &members).unwrap())["compass"].is_object());
    assert_eq!(sensors(&beside(&own, OWN).unwrap())["compass"], Json::Null);
    let said = beside(vehicle_text("custom").unwrap(), &members).map(|_| ()).unwrap_err();
    assert!(said.ends_with("vehicles[0].equipment: cannot be \"model\": the model's file lists no sensors"), "{said}");
}

/// A file may say what of the vehicle touches; without it, capsules fill its size.
#[test]
fn a_hull_of_the_file_takes_the_place_of_its_size() {
    let hull_of = |key: &str| {
        let own = vehicle_text("custom").unwrap().replace("\"size_m\"", &format!("{key}\"size_m\""));
        beside(&own, OWN).map(|loaded| loaded.model.as_any().downcast::<SeaModel>().unwrap().vehicles[0].hull.clone())
    };
    let own = hull_of(r#""hull": [{ "ends_m": [[-1, 0, 0], [1, 0, 0]], "radius_m": 0.25 }], "#).unwrap();
    let ends_m = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]].map(DVec3::from_array);
    assert_eq!(own, Hull::new(vec![Capsule { ends_m, radius_m: 0.25 }]).unwrap());
    assert_eq!(hull_of("").unwrap(), Hull::new(capsules_in_box([1.0, 0.4, 0.3])).unwrap());
    let said = hull_of(r#""hull": [{ "ends_m": [[-1, 0, 0], [1, 0, 0]], "radius_m": 0 }], "#).unwrap_err();
    assert!(said.contains("hull[0].radius_m: is 0, must be a number from 0.001 to 100 m"), "{said}");
    let many = vec![r#"{ "ends_m": [[-1, 0, 0], [1, 0, 0]], "radius_m": 1 }"#; 17].join(", ");
    let said = hull_of(&format!(r#""hull": [{many}], "#)).unwrap_err();
    assert!(said.ends_with("hull: is a list of 17, must be a list of at most 16 objects { ... }"), "{said}");
}

/// Noise does not change how often a sensor measures.
#[test]
fn a_block_keeps_the_time_of_its_sensor() {
    let blocks = [
        ("imu", "gyro", 20),
        ("imu", "accelerometer", 20),
        ("imu", "attitude", 20),
        ("pressure", "sensing", 100),
        ("compass", "sensing", 100),
        ("dvl", "ranges", 200),
        ("dvl", "velocities", 200),
        ("altimeter", "sensing", 200),
        ("gnss", "sensing", 1000),
        ("battery", "sensing", 1000),
    ];
    for (sensor, block, every_ms) in blocks {
        let with = |keys: &str| {
            let keys = format!(r#", "sensors": {{"{sensor}": {keys}}}"#);
            sensors(&loaded(&vehicle("remus100", &keys)))[sensor][block].take()
        };
        let (plain, mut noisy) = (with("{}"), with(&format!(r#"{{"{block}": {{"noise_std": 0.5}}}}"#)));
        assert_eq!((&plain["every_ms"], noisy["noise_std"].take()), (&json!(every_ms), json!(0.5)), "{sensor}.{block}");
        assert_eq!(plain["every_ms"], noisy["every_ms"], "{sensor}.{block}");
        let rare = with(&format!(r#"{{"{block}": {{"every_ms": 40}}}}"#));
        assert_eq!(rare["every_ms"], 40, "{sensor}.{block}");
    }
}
