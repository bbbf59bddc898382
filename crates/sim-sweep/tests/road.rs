//! Sweeps of the road: its own measures, its own ranking, its own words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_sweep::{SweepControl, SweepOptions, load, plan, run_sweep};
use sim_worlds::WORLDS;
use std::fs;
use std::path::Path;
use test_runs::{MEETING, table};

/// A sweep of cars that meet, in the folder; the cars drive slowly in the first cell.
fn write(folder: &Path, spec_members: &str) -> String {
    let scenario = format!(r#"{{"name": "x", "world": "road", "steps": 600, {MEETING}}}"#);
    fs::write(folder.join("x.json"), scenario).unwrap();
    let spec = format!(
        r#"{{"name": "s", "scenario": "x.json", "repeats": 2, {spec_members}
            "axes": [{{"path": "cars[0].params.velocity_max_m_s", "values": [0.001, 0.8]}}]}}"#
    );
    fs::write(folder.join("s.json"), &spec).unwrap();
    spec
}

/// The values of a column.
fn column(path: &Path, name: &str) -> Vec<String> {
    let (header, rows) = table(path);
    let place = header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{name} is in {header:?}"));
    rows.into_iter().map(|row| row[place].clone()).collect()
}

#[test]
fn a_sweep_of_the_road_has_its_measures() {
    let place = tempfile::tempdir().unwrap();
    let spec = write(place.path(), r#""measures": ["collisions", "distance_m"],"#);
    let loaded = load(WORLDS, &place.path().join("s.json")).unwrap_or_else(|error| panic!("{error}"));
    assert!(plan(&loaded).cpu_seconds > 0.0);
    let out = place.path().join("out");
    let options = SweepOptions { out: out.clone(), jobs: 2, ..SweepOptions::default() };
    assert!(run_sweep(&loaded, &options, &SweepControl::none()).unwrap().complete);
    assert_eq!(column(&out.join("summary.csv"), "limit")[..2], ["1.0", "0.0"]);
    // A car that hardly moves does not come to the one that stands; the third hits its wall all the same.
    assert_eq!(column(&out.join("runs.csv"), "collisions"), ["1.0", "1.0", "3.0", "3.0"]);
    assert!(!table(&out.join("runs.csv")).0.contains(&"least_room_mm".to_owned()));

    let wrong = spec.replace("distance_m", "distance").replace("cars[0].params.velocity_max_m_s", "agents.count");
    fs::write(place.path().join("s.json"), wrong).unwrap();
    let message = load(WORLDS, &place.path().join("s.json")).unwrap_err().to_string();
    assert!(message.contains(r#"no measure is called "distance"; did you mean "distance_m"?"#), "{message}");
    assert!(message.contains("axes[0].path: agents: unknown key"), "{message}");
}

#[test]
fn a_sweep_of_the_road_without_measures_keeps_those_of_the_road_and_lists_its_worst_runs() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), "");
    let loaded = load(WORLDS, &place.path().join("s.json")).unwrap_or_else(|error| panic!("{error}"));
    let kept: Vec<&str> = loaded.measures().collect();
    assert_eq!(kept, ["clean", "collisions", "distance_m", "speed_mean_m_s", "laps", "off_route_max_m"]);
    let out = place.path().join("out");
    let options = SweepOptions { out: out.clone(), jobs: 2, ..SweepOptions::default() };
    assert!(run_sweep(&loaded, &options, &SweepControl::none()).unwrap().complete);
    // The most collisions first: the runs of the second cell.
    assert_eq!(column(&out.join("worst.csv"), "collisions"), ["3.0", "3.0", "1.0", "1.0"]);
    assert_eq!(column(&out.join("worst.csv"), "cell"), ["1", "1", "0", "0"]);
}
