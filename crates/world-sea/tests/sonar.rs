//! Multibeam sonars of vehicles, from the scenario to the tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, WORLDS, loaded, model, steps, text, world};
use sea_sim::terrain::Ray;
use serde_json::{Value as Json, json};
use sim_core::{DQuat, DVec2, DVec3, ops};
use sim_run::scenario::{Loaded, load, parse};
use sim_world::{Fork, Model, World};
use std::fs;
use test_alloc::allocations_of;
use test_runs::rows::Rows;
use world_sea::SeaWorld;
use world_sea::scenario::vehicle_text;

fn rows(world: &SeaWorld) -> Rows<'_> {
    Rows { model: world.model(), world }
}

/// What the beams of the ping read that arrived now.
fn beams(world: &SeaWorld, stream: &str) -> Vec<f64> {
    let mut lists = rows(world).lists(stream, "beam_#_m");
    assert_eq!(lists.len(), 1, "{stream}");
    lists.remove(0)
}

/// Angle of a beam from the sensor's down towards starboard, as the reference has it.
fn angle_rad(beam: usize, beams: usize, opening_deg: f64) -> f64 {
    (beam as f64 / (beams - 1) as f64 - 0.5) * opening_deg.to_radians()
}

/// Direction of a beam along the sensor's axes.
fn way(angle_rad: f64) -> DVec3 {
    let (sin, cos) = ops::sin_cos(angle_rad);
    DVec3::new(0.0, -sin, -cos)
}

/// Fixed 20 m above a level bottom.
fn fixed(start: &str, mbes: &str) -> SeaWorld {
    world(&format!(
        r#""terrain": {{"flat_z_m": -30}},
        "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -10, {start}}}, "sensors": {{"mbes": [{mbes}]}}}}]"#
    ))
}

/// Over a level bottom a beam reads the altitude over its cosine.
#[test]
fn ranges_over_a_level_bottom_are_altitude_over_cosine() {
    let mut world = fixed(r#""x_m": 300, "y_m": -200, "yaw_deg": 33"#, r#"{"beams": 101, "opening_deg": 140}"#);
    for step in 0..=100 {
        if step % 10 > 0 {
            assert_eq!(rows(&world).lists("mbes-s-main", "beam_#_m").len(), 0);
        } else {
            let read = beams(&world, "mbes-s-main");
            for (beam, range_m) in read.iter().enumerate() {
                // The grid of a level bottom is exact to 1e-9 m over 1 km.
                let expected_m = 20.0 / ops::cos(angle_rad(beam, 101, 140.0));
                assert!((range_m - expected_m).abs() < 1e-9, "{beam} {range_m} {expected_m}");
            }
            let of = |column: &str| rows(&world).number("sonar", column);
            let head = ["step", "time_s", "vehicle", "taken_s", "ping", "beams", "hits"].map(of);
            let time_s = step as f64 / 50.0;
            assert_eq!(head, [step as f64, time_s, 0.0, time_s, (step / 10) as f64, 101.0, 101.0]);
            assert!((of("min_m") - 20.0).abs() < 1e-12 && (of("nadir_m") - 20.0).abs() < 1e-12);
            assert!(of("mean_level_db").is_nan());
            assert_eq!(rows(&world).texts("sonar", "sensor"), ["main"]);
            assert_eq!(rows(&world).texts("mbes-s-main", "sensor"), ["main"]);
        }
        steps(&mut world, 1);
    }
}

/// 20 m down and 40 m far, 60 degrees to either side reach the bottom: of beams every 10 degrees those at 70 degrees do not.
#[test]
fn beams_that_meet_nothing_within_range_read_nothing() {
    let world = fixed(r#""x_m": 0"#, r#"{"beams": 15, "opening_deg": 140, "range_m": 40.1}"#);
    let read = beams(&world, "mbes-s-main");
    let is_met = |beam: usize| (1..14).contains(&beam);
    assert!(read.iter().enumerate().all(|(beam, range_m)| range_m.is_finite() == is_met(beam)), "{read:?}");
    assert_eq!(rows(&world).number("sonar", "hits"), 13.0);
    // Only the middle one, with an odd number of beams, goes straight down; of two, none does.
    let world = fixed(r#""x_m": 0"#, r#"{"beams": 2, "opening_deg": 160, "range_m": 40}"#);
    assert_eq!([rows(&world).number("sonar", "beams"), rows(&world).number("sonar", "hits")], [2.0, 0.0]);
    for column in ["min_m", "nadir_m"] {
        assert!(rows(&world).number("sonar", column).is_nan());
    }
}

/// A roll lifts the port side: the beam at an angle to starboard is then at that angle less the roll from straight down.
#[test]
fn a_vehicle_on_its_side_looks_to_port() {
    let world = fixed(r#""x_m": 900000, "y_m": -450000, "roll_deg": 25"#, r#"{"beams": 91, "opening_deg": 90}"#);
    for (beam, range_m) in beams(&world, "mbes-s-main").iter().enumerate() {
        let expected_m = 20.0 / ops::cos(angle_rad(beam, 91, 90.0) - 25_f64.to_radians());
        assert!((range_m - expected_m).abs() < 1e-9, "{beam} {range_m} {expected_m}");
    }
    assert!((rows(&world).number("sonar", "nadir_m") - 20.0 / ops::cos(25_f64.to_radians())).abs() < 1e-9);
}

/// A body that rolls, dives and turns over a slope, with its sensor off its middle and tilted: where the beam's line meets the plane.
#[test]
fn ranges_of_a_rolling_vehicle_over_a_slope_are_closed_forms() {
    let slope = DVec2::new(0.1, -0.2);
    let height_m = |x_m: f64, y_m: f64| -40.0 + slope.x * x_m + slope.y * y_m;
    let heights: Vec<String> = [(-200.0, -200.0), (200.0, -200.0), (-200.0, 200.0), (200.0, 200.0)]
        .map(|(x_m, y_m)| height_m(x_m, y_m).to_string())
        .to_vec();
    let mut world = world(&format!(
        r#""terrain": {{"heights": {{"from_m": [-200, -200], "cell_m": 400, "columns": 2, "z_m": [{}]}}}},
        "water": {{"density_kg_m3": 1000}},
        "vehicles": [{{"name": "a", "model": "custom", "start": {{"z_m": -10, "yaw_deg": 40, "pitch_deg": 5,
            "u_m_s": 1, "p_deg_s": 60, "q_deg_s": 4, "r_deg_s": -8}},
            "sensors": {{"mbes": [{{"name": "deep", "beams": 64, "opening_deg": 50, "sensing": {{"every_ms": 140}},
                "mount": {{"position_m": [0.4, -0.1, -0.2], "orientation_xyzw": [0, 0.1, 0, 0.995]}}}}]}}}}]"#,
        heights.join(", ")
    ));
    let tilt = DQuat::from_xyzw(0.0, 0.1, 0.0, 0.995).normalize();
    let upright = (-slope).extend(1.0).normalize();
    let mut turned_rad = 0.0_f64;
    for _ in 0..30 {
        let body = world.state().vehicles[0].motion.body;
        let sensor_m = body.position_m + body.attitude * DVec3::new(0.4, -0.1, -0.2);
        let above_m = (sensor_m - DVec3::new(0.0, 0.0, -40.0)).dot(upright);
        for (beam, range_m) in beams(&world, "mbes-a-deep").iter().enumerate() {
            let way = body.attitude * (tilt * way(angle_rad(beam, 64, 50.0)));
            let expected_m = above_m / -way.dot(upright);
            // Coordinates of some hundred metres, and a few roundings of rotations.
            assert!((range_m - expected_m).abs() < 1e-11, "{beam} {range_m} {expected_m}");
        }
        turned_rad = turned_rad.max(rows(&world).numbers("vehicles", "roll_rad")[0].abs());
        steps(&mut world, 7);
    }
    assert!(turned_rad > 0.1, "{turned_rad}");
}

/// The terrain's own rays go over the same hills by another arithmetic.
#[test]
fn the_bottom_is_that_of_other_sensors() {
    let mut world = world(
        r#""terrain": {"generated": {"from_m": [-60, -60], "size_m": [120, 120], "cell_m": 3, "base_z_m": -25, "relief_m": 4}},
        "vehicles": [{"name": "a", "model": "remus100", "start": {"z_m": -8, "yaw_deg": 20, "u_m_s": 1.5},
            "sensors": {"mbes": [{"beams": 81, "opening_deg": 160, "range_m": 70}]}}]"#,
    );
    let (mut met, mut missed) = (0, 0);
    for _ in 0..20 {
        let body = world.state().vehicles[0].motion.body;
        for (beam, &range_m) in beams(&world, "mbes-a-main").iter().enumerate() {
            let way = body.attitude * way(angle_rad(beam, 81, 160.0));
            let ray = Ray::new(body.position_m, way, 70.0).unwrap();
            let expected_m = world.model().terrain.as_ref().unwrap().cast(&ray).map(|hit| hit.distance_m);
            match expected_m {
                Some(expected_m) => assert!((range_m - expected_m).abs() < 1e-9, "{beam} {range_m} {expected_m}"),
                None => assert_eq!(range_m, f64::INFINITY, "{beam}"),
            }
            (met, missed) = (met + usize::from(range_m.is_finite()), missed + usize::from(range_m.is_infinite()));
        }
        steps(&mut world, 10);
    }
    assert!(met > 1000 && missed > 20, "{met} {missed}");
}

/// Three rays over 20 degrees: the mean of their distances.
#[test]
fn a_wide_beam_reads_the_mean_of_its_rays() {
    let world = fixed(r#""x_m": 0"#, r#"{"beams": 1, "rays_per_beam": 3, "beam_width_deg": 30}"#);
    let read = beams(&world, "mbes-s-main");
    let expected_m = (20.0 + 2.0 * 20.0 / ops::cos(10_f64.to_radians())) / 3.0;
    assert!(read.len() == 1 && (read[0] - expected_m).abs() < 1e-9, "{read:?} {expected_m}");
}

/// Pings arrive late with the number and the time of their sending; lost ones leave a gap in the numbers; below the least distance a beam
/// is too near.
#[test]
fn pings_come_late_and_some_never() {
    let mut world = fixed(
        r#""x_m": 0"#,
        r#"{"beams": 3, "opening_deg": 120, "sensing": {"phase_ms": 260, "delay_ms": 40, "loss": 0.3, "range": [21, 90]}}"#,
    );
    let mut told = Vec::new();
    for step in 1..=1000 {
        steps(&mut world, 1);
        for ping in rows(&world).numbers("sonar", "ping") {
            let taken_s = rows(&world).number("sonar", "taken_s");
            assert!((taken_s - 0.26 - 0.2 * ping).abs() < 1e-9 && step as f64 == 15.0 + 10.0 * ping, "{step} {ping}");
            // 20 m straight down are too near, 40 m to the sides are not.
            let read = beams(&world, "mbes-s-main");
            assert_eq!(read[1], f64::NEG_INFINITY);
            assert!((read[0] - 40.0).abs() < 1e-9 && (read[2] - 40.0).abs() < 1e-9, "{read:?}");
            assert_eq!(rows(&world).number("sonar", "hits"), 2.0);
            assert_eq!(rows(&world).numbers("mbes-s-main", "ping"), [ping]);
            told.push(ping);
        }
    }
    // 99 pings of which 70 arrive, with a standard deviation of 4.6.
    assert!((52..=88).contains(&told.len()), "{}", told.len());
    assert!(told.is_sorted_by(|a, b| a < b));
}

/// Noise of 0.1 m on 5000 beams: the standard error of the mean is 0.0014 m, that of the deviation 0.001 m.
#[test]
fn beams_have_errors_of_their_own() {
    let mut world = fixed(r#""x_m": 0"#, r#"{"beams": 500, "opening_deg": 0, "sensing": {"noise_std": 0.1}}"#);
    let mut errors_m = Vec::new();
    for _ in 0..10 {
        errors_m.extend(beams(&world, "mbes-s-main").iter().map(|range_m| range_m - 20.0));
        steps(&mut world, 10);
    }
    let mean_m = errors_m.iter().sum::<f64>() / 5000.0;
    let deviation_m = (errors_m.iter().map(|error_m| error_m * error_m).sum::<f64>() / 5000.0).sqrt();
    assert!(mean_m.abs() < 0.007 && (deviation_m - 0.1).abs() < 0.005, "{mean_m} {deviation_m}");
}

/// A sonar more, or a vehicle more before it, leaves the errors of the others as they were.
#[test]
fn draws_have_addresses() {
    let noisy = r#"{"beams": 4, "opening_deg": 0, "sensing": {"noise_std": 0.1, "bias_std": 0.1}}"#;
    let other = noisy.replacen('{', r#"{"name": "other", "#, 1);
    let alone = fixed(r#""x_m": 0"#, noisy);
    let both = fixed(r#""x_m": 0"#, &format!("{noisy}, {other}"));
    let read = beams(&alone, "mbes-s-main");
    assert_eq!(read, beams(&both, "mbes-s-main"));
    assert!(read.iter().zip(beams(&both, "mbes-s-other")).all(|(a, b)| *a != b));
    let station = |name: &str, x_m: i32| {
        format!(
            r#"{{"name": "{name}", "model": "station", "start": {{"x_m": {x_m}, "z_m": -10}}, "sensors": {{"mbes": [{noisy}]}}}}"#
        )
    };
    let more =
        world(&format!(r#""terrain": {{"flat_z_m": -30}}, "vehicles": [{}, {}]"#, station("t", 50), station("s", 0)));
    assert_eq!(read, beams(&more, "mbes-s-main"));
    assert!(read.iter().zip(beams(&more, "mbes-t-main")).all(|(a, b)| *a != b));
}

/// A vehicle with two multibeams, one of them turned to port, and one with a late one.
const SURVEY: &str = r#""terrain": {"generated": {"from_m": [-80, -80], "size_m": [160, 160], "cell_m": 2, "base_z_m": -20, "relief_m": 3}},
    "vehicles": [{"name": "a-1", "model": "remus100", "start": {"z_m": -6, "u_m_s": 1.5},
            "sensors": {"pressure": {}, "mbes": [{"name": "down", "beams": 40, "opening_deg": 120, "sensing": {"noise_std": 0.02}},
                {"name": "left", "beams": 5, "opening_deg": 30, "range_m": 30, "sensing": {"every_ms": 100},
                    "mount": {"orientation_xyzw": [0.5, 0, 0, 0.8660254]}}]}},
        {"name": "b", "model": "otter", "start": {"x_m": 20}, "sensors": {"mbes": [{"rays_per_beam": 4, "beam_width_deg": 2,
            "sensing": {"dropout": 0.1, "delay_ms": 300}}]}}]"#;

#[test]
fn each_multibeam_has_a_table_and_all_share_one() {
    let model = model(SURVEY);
    let streams: Vec<String> = model.outputs().iter().map(|stream| stream.name.to_string()).collect();
    let expected =
        ["vehicles", "actuators", "pressure", "sonar", "events", "mbes-a-1-down", "mbes-a-1-left", "mbes-b-main"];
    assert_eq!(streams, expected);
    let columns = |stream: usize| model.outputs()[stream].csv_columns().collect::<Vec<_>>().join(",");
    assert_eq!(columns(3), "step,time_s,vehicle,sensor,taken_s,ping,beams,hits,min_m,nadir_m,mean_level_db");
    let head = "step,time_s,vehicle,sensor,taken_s,ping";
    assert_eq!(columns(6), format!("{head},beam_0_m,beam_1_m,beam_2_m,beam_3_m,beam_4_m"));
    assert_eq!(columns(7).split(',').count(), 6 + 256);
    let silent = common::model(&format!(r#""trace": {{"sensors": false}}, {SURVEY}"#));
    let streams: Vec<_> = silent.outputs().iter().map(|stream| &*stream.name).collect();
    assert_eq!(streams, ["vehicles", "actuators", "events"]);
}

#[test]
fn pings_do_not_allocate() {
    let mut world = world(SURVEY);
    steps(&mut world, 100);
    assert_eq!(allocations_of(|| steps(&mut world, 200)), 0);
}

/// What a run does follows from its state alone, and each vehicle's readings from its own.
#[test]
fn sonars_repeat_bit_for_bit() {
    let model = model(SURVEY);
    let run = |drops: bool| {
        let mut world = SeaWorld::new(model.clone(), KEY).unwrap();
        let mut told = Vec::new();
        for _ in 0..60 {
            steps(&mut world, 1);
            if drops {
                world.drop_scratch();
            }
            for stream in ["mbes-a-1-down", "mbes-a-1-left", "mbes-b-main"] {
                let lists = rows(&world).lists(stream, "beam_#_m");
                told.extend(lists.into_iter().flatten().map(f64::to_bits));
            }
        }
        let mut fork = world.fork();
        fork.step(&[]).unwrap();
        world.step().unwrap();
        assert_eq!(fork.state_hash(), world.state_hash());
        (world.state_hash(), told)
    };
    assert_eq!(run(false), run(true));
    let changed = common::model(&SURVEY.replace(r#""noise_std": 0.02"#, r#""noise_std": 0.03"#));
    let mut other = SeaWorld::new(changed, KEY).unwrap();
    steps(&mut other, 61);
    // Readings are part of the state: those of the sonar are all that differs.
    assert_ne!(other.state_hash(), run(false).0);
}

/// Files of runs: empty cells without an echo, and the same bytes on one thread and on two, also where idle threads take the pings of
/// other vehicles.
#[test]
fn tables_are_the_same_on_any_number_of_threads() {
    let loaded = loaded(&format!(r#""steps": 60, {SURVEY}"#));
    let run = |jobs| test_runs::batch_folder(&loaded, 0..4, jobs);
    let ((_one, one), (_two, two)) = (run(1), run(2));
    assert_eq!(test_runs::files(&one), test_runs::files(&two));
    let alone = |jobs| test_runs::batch_folder(&loaded, 0..1, jobs);
    let ((_alone, alone), (_helped, helped)) = (alone(1), alone(4));
    assert_eq!(test_runs::files(&alone), test_runs::files(&helped));
    let (header, pings) = test_runs::table(&one.join("run-00001/mbes-a-1-left.csv"));
    assert_eq!(header[..7].join(","), "step,time_s,vehicle,sensor,taken_s,ping,beam_0_m");
    // Every 5 steps, the start included. 60 degrees to port and up to 15 more: beams above 75 degrees reach no bottom within 30 m.
    assert_eq!(pings.len(), 13);
    assert_eq!(pings[2][..6].join(","), "10,0.2,0,left,0.2,2");
    assert!(pings.iter().all(|row| row.len() == 11 && row[6].is_empty() && !row[10].is_empty()), "{pings:?}");
    let summary = test_runs::table(&one.join("run-00001/sonar.csv")).1;
    let of_left = summary.iter().filter(|row| row[3] == "left");
    assert!(of_left.clone().all(|row| row[6] == "5" && row[10].is_empty()));
    for (row, ping) in of_left.zip(&pings) {
        let met: Vec<f64> = ping[6..].iter().filter_map(|cell| cell.parse().ok()).collect();
        assert_eq!(
            (row[7].parse(), row[8].parse()),
            (Ok(met.len()), Ok(met.iter().copied().fold(f64::INFINITY, f64::min)))
        );
        assert_eq!(row[9], ping[8]);
    }
}

/// The resolved scenario has every default, and is the same scenario.
#[test]
fn a_multibeam_is_written_out_in_full() {
    let once = loaded(SURVEY);
    let again = parse(WORLDS, &once.resolved, "b.json", &[]).unwrap();
    assert_eq!(again.resolved, once.resolved);
    let main = serde_json::from_str::<Json>(&once.resolved).unwrap()["vehicles"][1]["sensors"]["mbes"][0].take();
    let keys = ["mode", "beams", "opening_deg", "range_m", "rays_per_beam"].map(|key| &main[key]);
    assert_eq!(keys, [&json!("rays"), &json!(256), &json!(45), &json!(100), &json!(4)]);
    assert_eq!(main["sensing"]["every_ms"], 200);
}

/// Posts every 100 km from 1000 km on: the last of 95 is 10 400 km away, beyond the reach of rays.
#[test]
fn a_bottom_that_ends_too_far_away_is_refused_beside_a_sonar() {
    let said = |sensors: &str| {
        let heights = vec!["-30"; 190].join(", ");
        let members = format!(
            r#""terrain": {{"heights": {{"from_m": [1000000, 0], "cell_m": 100000, "columns": 95, "z_m": [{heights}]}}}},
            "vehicles": [{{"name": "s", "model": "station", "start": {{"x_m": 1000000, "y_m": 10}}, "sensors": {{{sensors}}}}}]"#
        );
        parse(WORLDS, &text(&members), "a.json", &[]).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(said(r#""altimeter": {}"#), Ok(()));
    let far = "a.json:2:12: terrain: is too far for sonars: a border is 10400000, must be from -10000000 to 10000000";
    assert_eq!(said(r#""mbes": [{}]"#), Err(far.to_owned()));
}

/// In a vehicle's own file as in a scenario: faults at their lines, and equipment for scenarios that have a bottom.
#[test]
fn a_vehicles_file_may_list_multibeams() {
    let folder = tempfile::tempdir().unwrap();
    let listed = |keys: &str, terrain: &str| {
        let own = vehicle_text("custom").unwrap();
        let own = own.replacen("\"size_m\"", &format!("\"sensors\": {{\n\"mbes\": [{{{keys}}}]}}, \"size_m\""), 1);
        let members = format!(r#"{terrain} "vehicles": [{{"name": "a", "model": "mine.json", "equipment": "model"}}]"#);
        fs::write(folder.path().join("mine.json"), &own).unwrap();
        fs::write(folder.path().join("a.json"), text(&members)).unwrap();
        let line = own[..own.find("\"mbes\"").unwrap()].matches('\n').count() + 1;
        (load(WORLDS, &folder.path().join("a.json"), &[]), line)
    };
    let bottom = r#""terrain": {"flat_z_m": -9},"#;
    let streams =
        |loaded: Loaded| loaded.model.outputs().iter().map(|stream| stream.name.to_string()).collect::<Vec<_>>();
    let with = streams(listed(r#""beams": 7"#, bottom).0.unwrap());
    assert_eq!(with.last().map(String::as_str), Some("mbes-a-main"));
    let without = streams(listed(r#""beams": 7"#, "").0.unwrap());
    assert!(!without.iter().any(|name| name == "sonar"), "{without:?}");
    let (refused, line) = listed(r#""beams": 0"#, bottom);
    let said = refused.map(|_| ()).unwrap_err().to_string();
    let place = format!("mine.json:{line}:20: sensors.mbes[0].beams: is 0, must be a whole number from 1 to 10000");
    assert!(said.ends_with(&place), "{said} {place}");
}
