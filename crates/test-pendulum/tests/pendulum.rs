//! A world of its own beside those of the registry: it runs, batches, sweeps and takes inputs without a line for it elsewhere.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::ops;
use sim_run::scenario::{self, Loaded};
use sim_run::{BatchOptions, Control, Recording, RunOptions, Session, Worlds, run_batch, run_one};
use sim_sweep::{SweepControl, SweepOptions, load, run_sweep};
use sim_world::{Input, Value, WorldKind};
use sim_worlds::WORLDS;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::fs;
use std::sync::Arc;
use test_pendulum::Pendulum;
use test_runs::{files, json, table, temporary};

const KINDS: &[&dyn WorldKind] = &[WORLDS.0[0], WORLDS.0[1], &Pendulum];
const ALL: Worlds = Worlds(KINDS);

const GRAVITY_M_S2: f64 = 9.81;
const STEP_S: f64 = 0.01;

fn text(length_m: f64, start_rad: f64, spread_rad: f64) -> String {
    format!(
        r#"{{"name": "swing", "world": "pendulum", "seed": 1, "steps": 3000,
            "length_m": {length_m}, "start_rad": {start_rad}, "spread_rad": {spread_rad}}}"#
    )
}

fn swing(length_m: f64, start_rad: f64) -> Loaded {
    scenario::parse(ALL, &text(length_m, start_rad, 0.0), "swing.json", &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Mean time between two passes through the lowest place to the right, between rows of its table.
fn period_s(swing: &Loaded) -> f64 {
    let (_place, out) = temporary();
    run_one(&swing.model, swing.model.key(0), &swing.options(&out), &Control::none()).unwrap();
    let (_, rows) = table(&out.join("pendulum.csv"));
    let number = |cell: &String| cell.parse::<f64>().unwrap();
    let angles_rad: Vec<f64> = rows.iter().map(|row| number(&row[3])).collect();
    let passes = angles_rad.windows(2).enumerate().filter(|(_, pair)| pair[0] < 0.0 && pair[1] >= 0.0);
    let passes_s: Vec<f64> = passes.map(|(n, pair)| STEP_S * (n as f64 + pair[0] / (pair[0] - pair[1]))).collect();
    (passes_s[passes_s.len() - 1] - passes_s[0]) / (passes_s.len() - 1) as f64
}

fn small_angle_period_s(length_m: f64) -> f64 {
    TAU * (length_m / GRAVITY_M_S2).sqrt()
}

/// T = 2 pi sqrt(L / g) (1 + a^2 / 16); velocity Verlet, whose frequency obeys sin(w' dt / 2) = w dt / 2, makes it shorter by
/// (w dt)^2 / 24.
#[test]
fn a_small_swing_has_the_period_of_the_closed_form() {
    for length_m in [0.25, 1.0, 4.0] {
        let start_rad = 0.02;
        let turn = TAU * STEP_S / small_angle_period_s(length_m);
        let expected_s = small_angle_period_s(length_m) * (1.0 + start_rad * start_rad / 16.0 - turn * turn / 24.0);
        let period_s = period_s(&swing(length_m, start_rad));
        // What is left is of the fourth order in angle and step.
        assert!((period_s / expected_s - 1.0).abs() < 2e-6, "{length_m} m: {period_s} s, expected {expected_s} s");
    }
}

/// T = 2 pi sqrt(L / g) / agm(1, cos(a / 2)), which is 18 % longer at a right angle.
#[test]
fn a_wide_swing_has_the_period_of_the_arithmetic_geometric_mean() {
    let (mut mean, mut geometric) = (1.0, ops::cos(FRAC_PI_2 / 2.0));
    for _ in 0..6 {
        (mean, geometric) = ((mean + geometric) / 2.0, (mean * geometric).sqrt());
    }
    let expected_s = small_angle_period_s(1.0) / mean;
    let period_s = period_s(&swing(1.0, FRAC_PI_2));
    assert!((period_s / expected_s - 1.0).abs() < 1e-4, "{period_s} s, expected {expected_s} s");
}

#[test]
fn its_scenario_is_checked_by_its_schema_and_named_among_the_worlds() {
    let refused = |text: &str| scenario::parse(ALL, text, "swing.json", &[]).unwrap_err().to_string();
    let message = refused(&text(1.0, 0.1, 0.0).replace("length_m", "lenght_m"));
    assert!(message.contains(r#"lenght_m: unknown key; did you mean "length_m"?"#), "{message}");
    let message = refused(&text(0.0, 0.1, 0.0));
    assert_eq!(message, "swing.json:2:25: length_m: is 0, must be a number from 0.01 to 100 m");
    let message = refused(&text(1.0, 0.1, 0.0).replace("pendulum", "pendulun"));
    assert!(message.contains("pendulum"), "{message}");
}

/// A run of a program that pushes a hanging pendulum once.
fn pushed(swing: &Loaded, kick_rad_s: f64, options: &RunOptions) -> (u64, f64) {
    let mut session = Session::start(&swing.model, swing.model.key(0), options).unwrap();
    let push = session.input("push").unwrap();
    let kick = [[Value::Number(kick_rad_s)]];
    while !session.is_done() {
        let inputs = if session.tick().0 == 100 { Input::rows(push, &kick) } else { Vec::new() };
        session.step(&inputs).unwrap();
    }
    let report = session.finish().unwrap();
    (report.final_state_hash, report.metrics[0].value)
}

/// Energy: the rate w at the lowest place carries it up to cos(a) = 1 - L w^2 / (2 g).
#[test]
fn a_push_swings_as_high_as_its_energy() {
    let (_, angle_max_rad) = pushed(&swing(1.0, 0.0), 2.0, &RunOptions::default());
    let expected_rad = ops::acos(1.0 - 4.0 / (2.0 * GRAVITY_M_S2));
    assert!((angle_max_rad / expected_rad - 1.0).abs() < 1e-3, "{angle_max_rad} rad, expected {expected_rad} rad");
}

#[test]
fn a_run_with_inputs_repeats_from_its_record() {
    let (place, mine) = temporary();
    let swing = swing(1.0, 0.0);
    let (hash, _) = pushed(&swing, 2.0, &swing.options(&mine));
    assert_eq!(fs::read_to_string(mine.join("inputs-push.csv")).unwrap(), "step,kick_rad_s\n101,2.0\n");

    let inputs = Arc::new(Recording::read_folder(&mine, &*swing.model).unwrap());
    let again = RunOptions { inputs, ..swing.options(place.path().join("again")) };
    assert_eq!(run_one(&swing.model, swing.model.key(0), &again, &Control::none()).unwrap().final_state_hash, hash);
    assert_eq!(files(&mine), files(&place.path().join("again")));

    // A scenario that names the file of its inputs is the same run.
    let named = text(1.0, 0.0, 0.0).replace(r#""seed": 1"#, r#""seed": 1, "inputs": {"push": "run/inputs-push.csv"}"#);
    fs::write(place.path().join("named.json"), named).unwrap();
    let named = scenario::load(ALL, &place.path().join("named.json"), &[]).unwrap();
    let out = named.options(place.path().join("named"));
    assert_eq!(run_one(&named.model, named.model.key(0), &out, &Control::none()).unwrap().final_state_hash, hash);
    // The key is the last one, and its files lie beside the scenario in the folder of the run.
    let written = json(&place.path().join("named/scenario.json"));
    assert_eq!(written["inputs"], serde_json::json!({ "push": "inputs-push.csv" }));

    fs::write(mine.join("inputs-push.csv"), "step,kick_rad_s\n7,11\n").unwrap();
    let message = Recording::read_folder(&mine, &*swing.model).unwrap_err().to_string();
    assert!(message.ends_with("inputs-push.csv:2:3: kick_rad_s: is 11, must be from -10 to 10"), "{message}");
}

#[test]
fn a_run_has_its_tables() {
    let (_place, out) = temporary();
    let swing = swing(1.0, 0.1);
    run_one(&swing.model, swing.model.key(0), &swing.options(&out), &Control::none()).unwrap();
    let (header, rows) = table(&out.join("pendulum.csv"));
    assert_eq!(header.join(","), "step,time_s,pendulum,angle_rad,x_m,z_m");
    assert_eq!(rows.len(), 3001);
    assert_eq!(rows[0], ["0", "0.0", "0", "0.1", "0.09983341664682815", "-0.9950041652780258"]);
    assert_eq!(json(&out.join("tables.json"))["inputs"][0]["name"], "push");
    assert_eq!(table(&out.join("summary.csv")).1[0][0], "angle_max_rad");
}

#[test]
fn runs_of_a_batch_differ_by_their_draws() {
    let (_place, out) = temporary();
    let swing = scenario::parse(ALL, &text(1.0, 0.5, 0.2), "swing.json", &[]).unwrap();
    let batch = BatchOptions { run_indices: 0..4, jobs: 2 };
    let report = run_batch(&swing.model, &swing.options(&out), &batch, &Control::none()).unwrap();
    assert!(report.complete);
    let (header, rows) = table(&out.join("runs.csv"));
    let highest = header.iter().position(|name| name == "angle_max_rad").unwrap();
    let angles: Vec<f64> = rows.iter().map(|row| row[highest].parse().unwrap()).collect();
    assert!(angles.iter().all(|angle| (0.3..0.7001).contains(angle)), "{angles:?}");
    assert!(angles.windows(2).all(|pair| pair[0] != pair[1]), "{angles:?}");
}

/// A sweep without `measures` keeps all of them, and its worst runs are those of the ranking measure.
#[test]
fn a_sweep_over_its_start_has_its_measures_and_its_worst_runs() {
    let (place, out) = temporary();
    fs::write(place.path().join("swing.json"), text(1.0, 0.02, 0.01)).unwrap();
    let spec = r#"{"name": "starts", "scenario": "swing.json", "repeats": 2, "axes": [{"path": "start_rad", "values": [0.5, 1]}]}"#;
    fs::write(place.path().join("sweep.json"), spec).unwrap();
    let sweep = load(ALL, &place.path().join("sweep.json")).unwrap_or_else(|error| panic!("{error}"));
    let options = SweepOptions { out: out.clone(), jobs: 2, ..SweepOptions::default() };
    assert!(run_sweep(&sweep, &options, &SweepControl::none()).unwrap().complete);
    let (header, rows) = table(&out.join("runs.csv"));
    let place_of = |name: &str| header.iter().position(|column| column == name).unwrap();
    for (row, start_rad) in rows.iter().zip([0.5, 0.5, 1.0, 1.0]) {
        // It swings as high as it started, which is off by up to 0.01 rad. Verlet adds less than 1e-4 of it.
        let angle_rad: f64 = row[place_of("angle_max_rad")].parse().unwrap();
        assert!((angle_rad - start_rad).abs() < 0.0101, "{row:?}");
    }
    let (header, worst) = table(&out.join("worst.csv"));
    assert!(header.contains(&"angle_max_rad".to_owned()) && worst.len() == 4, "{header:?} {worst:?}");
}
