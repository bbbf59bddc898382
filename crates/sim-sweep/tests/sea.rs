//! Sweeps of the sea: runs are ranked by a measure that has no limit.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_sweep::{SweepControl, SweepOptions, load, run_sweep};
use sim_worlds::WORLDS;
use std::fs;
use test_runs::table;

/// A vehicle that starts downward runs aground, one at rest does not; both runs are clean, for running aground breaks no limit.
#[test]
fn a_ranking_by_a_measure_is_held_to_the_limit_of_the_measure_alone() {
    let place = tempfile::tempdir().unwrap();
    let scenario = r#"{"name": "x", "world": "sea", "steps": 300, "terrain": {"flat_z_m": -2},
        "vehicles": [{"name": "r", "model": "remus100", "start": {"z_m": -1}}]}"#;
    fs::write(place.path().join("x.json"), scenario).unwrap();
    let spec = r#"{"name": "s", "scenario": "x.json", "repeats": 1, "measures": ["collisions"],
        "axes": [{"path": "vehicles[0].start.w_m_s", "values": [0, -3]}]}"#;
    fs::write(place.path().join("s.json"), spec).unwrap();
    let loaded = load(WORLDS, &place.path().join("s.json")).unwrap_or_else(|error| panic!("{error}"));
    let out = place.path().join("out");
    let options = SweepOptions { out: out.clone(), jobs: 1, ..SweepOptions::default() };
    assert!(run_sweep(&loaded, &options, &SweepControl::none()).unwrap().complete);
    let (header, rows) = table(&out.join("summary.csv"));
    let cells = |measure: &str, name: &str| -> Vec<String> {
        let place = |name: &str| header.iter().position(|column| column == name).unwrap();
        let of = rows.iter().filter(|row| row[place("measure")] == measure);
        of.map(|row| row[place(name)].clone()).collect()
    };
    assert_eq!(cells("mishaps", "limit"), ["", ""]);
    assert_eq!(cells("collisions", "limit"), ["0.0", "0.0"]);
    assert_eq!(cells("clean", "mean"), ["1.0", "1.0"]);
    assert_eq!(cells("mishaps", "mean"), ["0.0", "1.0"]);
}
