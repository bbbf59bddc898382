//! A loss of power at any moment of a sweep: going on ends in the same bytes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::{Disk, RunError};
use sim_sweep::{Shard, Sweep, SweepControl, SweepOptions, load, merge, run_shard, run_sweep};
use sim_worlds::WORLDS;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use test_runs::power_loss::{Recorder, put};

const SCENARIO: &str = r#"{ "name": "tiny", "world": "mat", "steps": 2, "inputs": { "wishes": "w.csv" },
    "agents": { "count": 2 }, "feet": { "count": 0 }, "patches": { "count": 0 } }"#;
const WISHES: &str = "step,agent,vx_mm_s,vy_mm_s\n1,0,20,0\n";
const SWEEP: &str = r#"{ "name": "loss", "scenario": "tiny.json", "repeats": 2, "measures": ["speed_mean_mm_s"],
    "axes": [{ "path": "agents.count", "values": [2, 90] }], "baseline": { "agents.count": 2 } }"#;

fn sweep() -> (TempDir, Sweep) {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("tiny.json"), SCENARIO).unwrap();
    fs::write(place.path().join("w.csv"), WISHES).unwrap();
    fs::write(place.path().join("sweep.json"), SWEEP).unwrap();
    let sweep = load(WORLDS, &place.path().join("sweep.json")).unwrap();
    (place, sweep)
}

/// All files below a folder but for those that tell the time, parts, and what was left under a temporary name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        if entry.is_dir() {
            found.extend(files(&entry).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else if name != "timing.json" && !name.ends_with(".partial") {
            found.insert(name, fs::read(&entry).unwrap());
        }
    }
    found.retain(|name, _| !name.starts_with("shards/"));
    found
}

/// Makes a sweep, and again after each loss: it must end in the same bytes, and before that only those count as complete.
fn survives_every_loss(make: &dyn Fn(&Sweep, &SweepOptions) -> Result<(), RunError>) {
    let (place, sweep) = sweep();
    let out = place.path().join("out");
    let (recorder, disk) = Recorder::new();
    let options = SweepOptions { out: out.clone(), jobs: 1, resume: true, disk, ..SweepOptions::default() };
    make(&sweep, &options).unwrap();
    let whole = files(&out);
    let all_left = recorder.all_left();
    assert!(all_left.len() > 200, "{} is few", all_left.len());
    let options = SweepOptions { disk: Disk::default().without_sync(), ..options };
    for (number, left) in all_left.iter().enumerate() {
        put(left, &out);
        let record = left.get(&out.join("run.json")).cloned().flatten().unwrap_or_default();
        if String::from_utf8(record).unwrap_or_default().contains("\"complete\": true") {
            assert!(files(&out) == whole, "{number}: complete, and yet {:?}", left.keys());
        }
        make(&sweep, &options).unwrap_or_else(|error| panic!("{number}: {error}: {:?}", left.keys()));
        assert!(files(&out) == whole, "{number}: {:?}", left.keys());
    }
}

#[test]
fn a_sweep_goes_on_after_a_loss_of_power_at_any_moment() {
    survives_every_loss(&|sweep, options| run_sweep(sweep, options, &SweepControl::none()).map(drop));
}

#[test]
fn the_parts_of_a_sweep_are_made_again_after_a_loss_of_power_at_any_moment() {
    survives_every_loss(&|sweep, options| {
        for index in 0..2 {
            run_shard(sweep, Shard { of: 2, index }, options, &SweepControl::none())?;
        }
        merge(sweep, options, &SweepControl::none()).map(drop)
    });
}
