//! The tables of the mat, each column once more from the others or from a closed form.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{STEP_HZ, assert_near, cube, cubes, number, numbers, start, texts, vectors, walk};
use sim_core::{DVec2, angle, ops};
use sim_world::{Cadence, Model, Value};
use std::collections::BTreeSet;
use test_runs::mat_model;
use world_mat::MatWorld;

const ROUNDING: f64 = 1e-9;
/// A drive integrates its velocity once a step: places and velocities agree to rounding of some hundred mm.
const STEP_MM_S: f64 = 1e-6;

fn places(world: &MatWorld, stream: &str) -> Vec<DVec2> {
    vectors(world, stream, ["x_mm", "y_mm"])
}

#[test]
fn streams_are_there_for_what_is_on_the_mat() {
    let of = |members: &str| {
        let model = mat_model(members);
        let streams = model.outputs().iter().map(|stream| {
            let owners =
                if let Cadence::Sampled { owners } = stream.cadence { owners.to_string() } else { String::new() };
            format!("{}{owners}", stream.name)
        });
        streams.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        of(r#""agents": {"count": 3}, "feet": {"count": 2}, "patches": {"count": 4}"#),
        "agents3 swarm1 feet2 patches4 target1 events closest"
    );
    assert_eq!(of(&cubes(&cube("a", r#""at_mm": [300, 300]"#))), "cubes1 messages target1 events closest");
    assert_eq!(of(test_runs::SWARM_OF_CUBES), "agents6 swarm1 feet1 patches10 cubes6 messages target1 events closest");
}

/// The nearest distance of each robot, over all pairs.
#[test]
fn nearest_distances_are_those_of_all_pairs() {
    let mut world =
        start(r#""agents": {"count": 14}, "feet": {"count": 2, "travel": "full", "manner": "considerate"}"#);
    for _ in 0..400 {
        walk(&mut world, 1);
        let (robots, feet) = (places(&world, "agents"), places(&world, "feet"));
        let nearest = |from: usize, others: &[DVec2], own: Option<usize>| {
            let others = others.iter().enumerate().filter(|(number, _)| Some(*number) != own);
            others.map(|(_, place)| place.distance(robots[from])).fold(f64::INFINITY, f64::min)
        };
        for (robot, told) in numbers(&world, "agents", "nearest_agent_mm").into_iter().enumerate() {
            assert_near(told, nearest(robot, &robots, Some(robot)), ROUNDING, "nearest robot");
        }
        for (robot, told) in numbers(&world, "agents", "nearest_foot_mm").into_iter().enumerate() {
            assert_near(told, nearest(robot, &feet, None), ROUNDING, "nearest foot");
        }
    }
    // Where there is none, the cell is empty.
    let mut alone = start(r#""agents": {"count": 1}, "feet": {"count": 0}"#);
    walk(&mut alone, 2);
    assert!(
        number(&alone, "agents", "nearest_agent_mm").is_nan() && number(&alone, "agents", "nearest_foot_mm").is_nan()
    );
}

/// The row of the swarm, once more from those of its robots.
#[test]
fn the_row_of_the_swarm_folds_those_of_its_robots() {
    let mut world =
        start(r#""agents": {"count": 14}, "feet": {"count": 2, "travel": "full", "manner": "considerate"}"#);
    for _ in 0..200 {
        walk(&mut world, 2);
        let told = |column| number(&world, "swarm", column);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let near = |told, wanted, what| assert_near(told, wanted, ROUNDING, what);
        let least = |column| numbers(&world, "agents", column).into_iter().fold(f64::INFINITY, f64::min);
        near(told("min_robot_robot_mm"), least("nearest_agent_mm"), "two robots");
        near(told("min_robot_foot_mm"), least("nearest_foot_mm"), "robot and foot");
        near(told("nearest_robot_mean_mm"), mean(&numbers(&world, "agents", "nearest_agent_mm")), "nearest");
        let velocities = vectors(&world, "agents", ["vx_mm_s", "vy_mm_s"]);
        let speeds: Vec<f64> = velocities.iter().map(|velocity| velocity.length()).collect();
        near(told("speed_mean_mm_s"), mean(&speeds), "mean speed");
        near(told("speed_max_mm_s"), speeds.iter().copied().fold(0.0, f64::max), "top speed");
        near(told("moving_share"), speeds.iter().filter(|&&speed| speed > 10.0).count() as f64 / 14.0, "moving");
        let wishes = vectors(&world, "agents", ["wish_x_mm_s", "wish_y_mm_s"]);
        let off: Vec<f64> = velocities.iter().zip(&wishes).map(|(velocity, wish)| velocity.distance(*wish)).collect();
        near(told("wish_difference_mean_mm_s"), mean(&off), "difference");
        near(told("wish_followed_share"), off.iter().filter(|&&off| off <= 5.0).count() as f64 / 14.0, "followed");
        assert_eq!(told("violations"), 0.0);
    }
    // Distances that are not there leave their cells empty, and broken ones are counted.
    let mut alone = start(r#""agents": {"count": 1}, "feet": {"count": 0}"#);
    walk(&mut alone, 2);
    for column in ["min_robot_robot_mm", "nearest_robot_mean_mm", "min_robot_foot_mm"] {
        assert!(number(&alone, "swarm", column).is_nan(), "{column}");
    }
    let mut careless = start(r#""agents": {"count": 14}, "safety": {"filter": "none"}"#);
    let mut broken = 0;
    for _ in 0..600 {
        walk(&mut careless, 1);
        let begins = texts(&careless, "events", "kind");
        broken += begins.iter().filter(|kind| kind.ends_with("_violation_begin")).count();
        assert_eq!(number(&careless, "swarm", "violations"), broken as f64);
    }
    assert!(broken > 0);
}

/// A point moves by its velocity; a unicycle along its heading, turned by half of the turn of the step.
#[test]
fn places_velocities_and_headings_agree() {
    for drive in ["point", "differential"] {
        let mut world = start(&format!(r#""agents": {{"count": 8, "drive": "{drive}"}}"#));
        for step in 1..=300_u32 {
            let (before, turned) = (places(&world, "agents"), numbers(&world, "agents", "heading_rad"));
            walk(&mut world, 1);
            assert_eq!(numbers(&world, "agents", "step"), [f64::from(step); 8]);
            assert_near(numbers(&world, "agents", "time_s")[7], f64::from(step) / STEP_HZ, ROUNDING, "time");
            let velocities = vectors(&world, "agents", ["vx_mm_s", "vy_mm_s"]);
            let speeds = numbers(&world, "agents", "speed_mm_s");
            let headings = numbers(&world, "agents", "heading_rad");
            let rates = numbers(&world, "agents", "omega_rad_s");
            for (robot, place) in places(&world, "agents").into_iter().enumerate() {
                let moved_mm_s = (place - before[robot]) * STEP_HZ;
                assert_near(moved_mm_s.distance(velocities[robot]), 0.0, STEP_MM_S, &format!("{drive}: velocity"));
                let turn_rad = angle::wrap_rad(headings[robot] - turned[robot]);
                assert_near(rates[robot], turn_rad * STEP_HZ, STEP_MM_S, &format!("{drive}: turn rate"));
                assert!(rates[robot].abs() <= 12.0 * (1.0 + 1e-6), "{drive}: {} rad/s", rates[robot]);
                assert_near(speeds[robot].abs(), velocities[robot].length(), 1e-3, &format!("{drive}: speed"));
            }
        }
    }
}

#[test]
fn feet_move_by_their_velocity_through_the_phases_of_a_walk() {
    let mut world = start(
        r#""agents": {"count": 0}, "patches": {"count": 0}, "feet": {"count": 2, "travel": "full", "idle_s": [2, 2.5]}"#,
    );
    let mut phases = BTreeSet::new();
    for _ in 0..1800 {
        let before = places(&world, "feet");
        walk(&mut world, 1);
        phases.extend(texts(&world, "feet", "state"));
        let velocities = vectors(&world, "feet", ["vx_mm_s", "vy_mm_s"]);
        for (foot, place) in places(&world, "feet").into_iter().enumerate() {
            assert_near(((place - before[foot]) * STEP_HZ).distance(velocities[foot]), 0.0, STEP_MM_S, "velocity");
            // 200 mm/s and the slack of 15 mm/s for the noise, docs/models/feet.md.
            assert!(velocities[foot].length() <= 215.0 + STEP_MM_S, "{} mm/s", velocities[foot].length());
            assert!((0.0..=400.0).contains(&place.x) && (0.0..=400.0).contains(&place.y), "{place}");
        }
    }
    assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["idle", "move_out", "return", "roam"]);
}

/// Changes of a foot's phase are events of the step in which its row shows the new one.
#[test]
fn a_phase_is_told_when_it_begins() {
    let mut world =
        start(r#""agents": {"count": 0}, "patches": {"count": 0}, "feet": {"count": 1, "idle_s": [2, 2.5]}"#);
    let mut changes = 0;
    for _ in 0..1800 {
        let before = texts(&world, "feet", "state");
        walk(&mut world, 1);
        let now = texts(&world, "feet", "state");
        let kinds = texts(&world, "events", "kind").into_iter().zip(texts(&world, "events", "object"));
        let told: Vec<String> = kinds.filter(|(kind, _)| kind == "foot_phase").map(|(_, object)| object).collect();
        if before == now {
            assert!(told.is_empty(), "{told:?}");
        } else {
            assert_eq!((told, texts(&world, "events", "subject")[0].as_str()), (now, "foot 0"));
            changes += 1;
        }
    }
    assert!(changes >= 6, "{changes}");
}

/// docs/models/patches.md: 5 to 15 mm/s on the mat, hills of 30 to 60 mm and at most 0.3, which another one replaces at the height 0.
#[test]
fn patches_drift_within_their_ranges() {
    let mut world =
        start(r#""agents": {"count": 0}, "feet": {"count": 0}, "patches": {"count": 5, "lifetime_s": [6, 8]}"#);
    let mut exchanges = 0;
    for _ in 0..1500 {
        let (before, sizes, heights) =
            (places(&world, "patches"), numbers(&world, "patches", "sigma_mm"), numbers(&world, "patches", "peak"));
        walk(&mut world, 1);
        let now = places(&world, "patches");
        for (patch, sigma_mm) in numbers(&world, "patches", "sigma_mm").into_iter().enumerate() {
            let peak = numbers(&world, "patches", "peak")[patch];
            assert!(
                (30.0..=60.0).contains(&sigma_mm) && (0.0..=0.3 + ROUNDING).contains(&peak),
                "{sigma_mm} mm, {peak}"
            );
            assert!(now[patch].min_element() >= 0.0 && now[patch].max_element() <= 400.0, "{}", now[patch]);
            if sigma_mm == sizes[patch] {
                let speed_mm_s = now[patch].distance(before[patch]) * STEP_HZ;
                assert!(speed_mm_s <= 15.0 + STEP_MM_S, "{speed_mm_s} mm/s");
                // A height fades in within two seconds: by the steepest slope of the ease, 1.875 / 2 s of 0.3.
                assert!((peak - heights[patch]).abs() <= 0.3 * 1.875 / 2.0 / STEP_HZ + ROUNDING, "{peak}");
            } else {
                exchanges += 1;
                assert!(heights[patch] < 0.01 && peak < 0.01, "{} and {peak}", heights[patch]);
            }
        }
    }
    // 25 s of lives of 6 to 8 s: three to five for each patch.
    assert!((10..=25).contains(&exchanges), "{exchanges}");
}

/// A cube that stands reads the dot below it; its lamp, its motors and its charge are as a cube comes.
#[test]
fn a_cube_at_rest_fills_its_columns() {
    let mut world = start(&cubes(&cube("a", r#""at_mm": [340, 260], "heading_deg": 60"#)));
    walk(&mut world, 60);
    let near = |column: &str, expected: f64, tolerance: f64| {
        assert_near(number(&world, "cubes", column), expected, tolerance, column)
    };
    near("x_mm", 340.0, 0.05);
    near("y_mm", 260.0, 0.05);
    near("z_mm", 0.0, 0.05);
    near("yaw_rad", 60.0_f64.to_radians(), 0.005);
    near("pitch_rad", 0.0, 0.005);
    near("roll_rad", 0.0, 0.005);
    // 411 dots are 560 mm; the middle of the mat is dot (250, 250) at (300, 300) mm.
    near("mat_x", 250.0 + 40.0 * 411.0 / 560.0, 1.0);
    near("mat_y", 250.0 - 40.0 * 411.0 / 560.0, 1.0);
    near("mat_deg", 60.0, 1.0);
    for column in ["left_mm_s", "right_mm_s", "led_r", "led_g", "led_b"] {
        near(column, 0.0, 0.0);
    }
    assert!(number(&world, "cubes", "sound").is_nan(), "no note sounds");
    assert!((0.0..=100.0).contains(&number(&world, "cubes", "battery_percent")));
}

/// What a program writes is what the lamp, the motors and the buzzer show, from the next step on.
#[test]
fn a_program_shows_in_the_columns() {
    let program = r#"{"at_s": 0.5, "light": {"rgb": [10, 20, 30]}}, {"at_s": 1, "motor_run": {"left": 40, "right": -20}},
        {"at_s": 1.5, "sound_notes": {"repeat": 1, "notes": [{"note": 69, "duration_ms": 500}]}}"#;
    let mut world = start(&cubes(&cube("a", &format!(r#""at_mm": [300, 300], "program": [{program}]"#))));
    let lamp = |world: &MatWorld| ["led_r", "led_g", "led_b"].map(|column| number(world, "cubes", column));
    walk(&mut world, 29);
    assert_eq!(lamp(&world), [0.0; 3]);
    walk(&mut world, 3);
    assert_eq!(lamp(&world), [10.0, 20.0, 30.0]);
    walk(&mut world, 50);
    // 2.814343 mm/s a unit, docs/models/motor.md.
    assert_near(number(&world, "cubes", "left_mm_s"), 40.0 * 2.814_343, 1.0, "left");
    assert_near(number(&world, "cubes", "right_mm_s"), -20.0 * 2.814_343, 1.0, "right");
    walk(&mut world, 15);
    assert_eq!(number(&world, "cubes", "sound"), 69.0);
    walk(&mut world, 40);
    assert!(number(&world, "cubes", "sound").is_nan(), "half a second is over");
}

/// A cube whose wheels run at speeds l and r turns at (l - r) / track and goes (l + r) / 2: a circle, docs/models/motor.md.
#[test]
fn unequal_wheels_drive_a_circle() {
    let program = r#"{"at_s": 0.5, "motor_run": {"left": 40, "right": 20}}"#;
    let mut world = start(&cubes(&cube("a", &format!(r#""at_mm": [300, 300], "program": [{program}]"#))));
    walk(&mut world, 90);
    let [left, right] = ["left_mm_s", "right_mm_s"].map(|column| number(&world, "cubes", column));
    let (from, yaw) = (places(&world, "cubes")[0], number(&world, "cubes", "yaw_rad"));
    walk(&mut world, 30);
    let turned = angle::wrap_rad(number(&world, "cubes", "yaw_rad") - yaw) / 0.5;
    // Between the contacts of the wheels: 26.6 mm, docs/models/contact.md.
    let track_mm = 26.6;
    assert_near(turned, (left - right) / track_mm, 0.05 * turned, "turn rate");
    // The chord of an arc of half a second: 2 R sin(turn / 2).
    let chord = 2.0 * (left + right) / 2.0 / turned * ops::sin(turned * 0.25);
    assert_near(places(&world, "cubes")[0].distance(from), chord, 0.05 * chord, "way");
}

/// Bytes and their meaning, in both directions.
#[test]
fn messages_are_told_with_their_bytes_and_their_meaning() {
    let program = r#"{"at_s": 0.1, "light": {"rgb": [1, 2, 3], "duration_ms": 160}}"#;
    let mut world = start(&cubes(&cube("a", &format!(r#""at_mm": [300, 300], "program": [{program}]"#))));
    let mut told = Vec::new();
    for _ in 0..30 {
        walk(&mut world, 1);
        let bytes = common::rows(&world).column("messages", "hex", |value| match value {
            Value::Bytes(bytes) => bytes.to_vec(),
            other => panic!("{other:?}"),
        });
        let meanings = texts(&world, "messages", "meaning");
        let dirs = texts(&world, "messages", "dir").into_iter().zip(texts(&world, "messages", "characteristic"));
        told.extend(dirs.zip(bytes).zip(meanings));
    }
    let lamp = told.iter().find(|(((dir, characteristic), _), _)| dir == "write" && characteristic == "103").unwrap();
    // toio core cube specification, light control: 03, duration of 10 ms units, one lamp, lamp 1, red, green, blue.
    assert_eq!(lamp.0.1, [3, 16, 1, 1, 1, 2, 3]);
    assert!(["1", "2", "3", "160"].iter().all(|word| lamp.1.contains(word)), "{}", lamp.1);
    assert!(told.iter().any(|(((dir, _), _), _)| dir == "notify"), "{told:?}");
}
