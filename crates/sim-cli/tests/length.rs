//! How long runs are: steps or seconds, in every world, from the file, by `--set` and by flags.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use serde_json::{Value, json};

/// The resolved scenario of `line`.
fn explained(place: &Place, line: &str) -> Value {
    serde_json::from_str(&place.ends(&format!("explain {line}"), 0).out).unwrap()
}

/// A place with a short scenario for each world, without its length.
fn worlds() -> Place {
    let place = Place::new();
    for (name, keys) in [
        ("mat", r#""agents": { "count": 1 }, "feet": { "count": 0 }"#),
        ("road", r#""cars": [{}]"#),
        ("sea", r#""vehicles": [{ "name": "a", "model": "buoy" }]"#),
    ] {
        let text = |length: &str| format!(r#"{{ "name": "{name}", "world": "{name}", {keys}{length} }}"#);
        place.write(&format!("{name}.json"), &text(""));
        place.write(&format!("{name}-seconds.json"), &text(r#", "duration_s": 1.5"#));
        place.write(&format!("{name}-steps.json"), &text(r#", "steps": 90"#));
    }
    place
}

/// Steps a second by default.
const WORLDS: [(&str, f64); 3] = [("mat", 60.0), ("road", 100.0), ("sea", 50.0)];

#[test]
fn a_duration_takes_the_place_of_steps_in_every_world() {
    let place = worlds();
    for (world, step_hz) in WORLDS {
        let resolved = explained(&place, &format!("{world}-seconds.json"));
        assert_eq!((&resolved["duration_s"], resolved.get("steps")), (&json!(1.5), None), "{world}");
        let said = place.ends(&format!("run {world}-seconds.json --no-trace --out {world} --format json"), 0);
        assert_eq!(said.result()["steps"], json!((1.5 * step_hz) as u64), "{world}");
        // The resolved scenario of the run is the same scenario again.
        assert_eq!(
            place.read(&format!("{world}/scenario.json")),
            place.ends(&format!("explain {world}-seconds.json"), 0).out
        );
        assert_eq!(explained(&place, &format!("{world}-steps.json"))["steps"], 90, "{world}");
    }
}

#[test]
fn a_changed_rate_of_steps_keeps_the_seconds() {
    let place = worlds();
    for (world, step_hz) in WORLDS {
        let ten_minutes = |line: &str| {
            let resolved = explained(&place, line);
            resolved["steps"].as_f64().unwrap() / resolved["step_hz"].as_f64().unwrap()
        };
        assert_eq!(ten_minutes(&format!("{world}.json")), 600.0, "{world}");
        assert_eq!(ten_minutes(&format!("{world}.json --set step_hz=40")), 600.0, "{world}");
        let resolved = explained(&place, &format!("{world}-steps.json --set step_hz=200"));
        assert_eq!(resolved["steps"], json!((90.0 / step_hz * 200.0) as u64), "{world}");
        let resolved = explained(&place, &format!("{world}-steps.json --set step_hz=200 --set steps=90"));
        assert_eq!(resolved["steps"], 90, "{world}");
        let resolved = explained(&place, &format!("{world}-seconds.json --set step_hz=200"));
        assert_eq!(resolved["duration_s"], 1.5, "{world}");
    }
}

#[test]
fn a_duration_becomes_the_nearest_whole_number_of_steps() {
    let place = worlds();
    // 60 steps a second: 1.0249 s are 61.494 steps, 1.125 s are 67.5.
    for (duration, steps) in [("1.0249", 61), ("1.125s", 68), ("0.02min", 72), ("0.0005h", 108), ("0.009", 1)] {
        let line = format!("run mat.json --duration {duration} --no-trace --overwrite --out a --format json");
        assert_eq!(place.ends(&line, 0).result()["steps"], steps, "{duration}");
    }
    assert!(place.read("a/summary.csv").len() > 100 && place.json("a/scenario.json")["duration_s"] == 0.009);
}

#[test]
fn a_flag_takes_the_place_of_the_length_in_the_file_and_in_set() {
    let place = worlds();
    let lasts = |line: &str| {
        let said = place.ends(&format!("run {line} --no-trace -q --overwrite --out a"), 0);
        assert_eq!(said.err, "", "{line}");
        place.json("a/run.json")["steps_done"].as_u64().unwrap()
    };
    assert_eq!(lasts("mat-steps.json --duration 2s"), 120);
    assert_eq!(lasts("mat-seconds.json --steps 6"), 6);
    assert_eq!(lasts("mat-steps.json --set duration_s=1"), 60);
    assert_eq!(lasts("mat-seconds.json --set steps=9"), 9);
    assert_eq!(lasts("mat.json --set steps=9 --duration 1"), 60);
    assert_eq!(lasts("mat.json --set duration_s=9 --steps 7"), 7);
    // The command that repeats a run keeps it.
    let said = place.ends("run mat-steps.json --duration 0.1s --no-trace --format json --out b", 0);
    assert!(said.result()["repeat"].as_str().unwrap().contains(" --duration 0.1 "), "{}", said.out);
}

#[test]
fn wrong_lengths_are_refused_with_what_helps() {
    let place = worlds();
    let both = r#"{ "name": "a", "world": "mat", "steps": 90, "duration_s": 4 }"#;
    place.write("both.json", both);
    let said = place.ends("check both.json", 2).err;
    assert!(
        said.contains("duration_s: cannot be given beside steps (90 steps at 60 Hz are 1.5 s): choose one"),
        "{said}"
    );
    assert!(said.contains("both.json:1:59"), "{said}");
    let refused = |set: &str, words: &str| {
        let said = place.ends(&format!("check mat.json --set {set}"), 2).err;
        assert!(said.contains(words), "{set}: {said}");
    };
    let range = "must be a number from 0 to 1000000000 s";
    for value in ["-3", "NaN", "1e999", "1e10", "true", "60s"] {
        refused(&format!("duration_s={value}"), range);
    }
    refused("duration_s=0", "duration_s: means 0 s, 0 steps at 60 Hz; a run has 1 to 1000000000 steps");
    refused("duration_s=0.008", "duration_s: means 0.008 s, 0 steps at 60 Hz");
    refused("duration_s=1e9", "duration_s: means 1000000000 s, 60000000000 steps at 60 Hz");
    refused("duraton_s=3", "did you mean \"duration_s\"?");
    // A rate that an override mends means nothing for the length.
    place.write("mended.json", r#"{ "name": "a", "world": "mat", "steps": 90, "step_hz": 0 }"#);
    assert_eq!(explained(&place, "mended.json --set step_hz=120")["steps"], 180);
    // A wrong rate of steps is told once, without a second fault about the length.
    let said = place.ends("check mat-seconds.json --set step_hz=7", 2).err;
    assert!(said.contains("step_hz: is 7") && !said.contains("duration_s"), "{said}");
}

#[test]
fn a_sweep_takes_durations_and_rates_of_steps() {
    let place = worlds();
    place.write(
        "a.json",
        r#"{ "name": "a", "scenario": "mat-steps.json", "set": { "duration_s": 0.1 }, "repeats": 1,
        "axes": [{ "path": "step_hz", "values": [30, 60] }] }"#,
    );
    place.write(
        "b.json",
        r#"{ "name": "b", "scenario": "mat-steps.json", "repeats": 1,
        "axes": [{ "path": "duration_s", "values": [0.1, 0.2] }], "measures": ["moving_share"] }"#,
    );
    for sweep in ["a", "b"] {
        place.ends(&format!("sweep {sweep}.json -q --out {sweep}"), 0);
        assert_eq!(common::rows(&place.path(&format!("{sweep}/runs.csv"))).len(), 2);
    }
}
