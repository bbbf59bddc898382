//! A loss of power at any moment of a batch: what is called complete or listed is whole, and the folder can be overwritten.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::{Control, Disk, RunOptions, run_batch};
use std::fs;
use std::path::{Path, PathBuf};
use test_runs::power_loss::{Left, Recorder, put};
use test_runs::{batch, scenario, traced};

const TINY: &str = r#""steps": 2, "agents": {"count": 2}, "feet": {"count": 1}, "patches": {"count": 0}"#;

/// What a folder holds but for the figures of the clock and what has a temporary name.
fn inside(left: &Left, folder: &Path) -> Left {
    let counts =
        |path: &Path| !path.ends_with("timing.json") && path.extension().is_none_or(|ending| ending != "partial");
    let files = left.iter().filter(|(path, _)| path.starts_with(folder) && counts(path));
    files.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
}

/// The folder as it is on disk.
fn read(folder: &Path, left: &mut Left) {
    left.insert(folder.to_path_buf(), None);
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            read(&entry, left);
        } else {
            left.insert(entry.clone(), Some(fs::read(&entry).unwrap()));
        }
    }
}

fn text(left: &Left, path: &Path) -> String {
    left.get(path).cloned().flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// A batch of two runs, all that was done and lost on the way, and its folder at the end.
fn recorded(out: &Path) -> (std::sync::Arc<Recorder>, Left) {
    let (recorder, disk) = Recorder::new();
    let options = RunOptions { disk, ..traced(TINY, out, 1) };
    run_batch(&scenario(TINY).model, &options, &batch(0..2, 1), &Control::none()).unwrap();
    let mut whole = Left::new();
    read(out, &mut whole);
    (recorder, inside(&whole, out))
}

#[test]
fn what_is_called_complete_is_whole_and_the_rest_can_be_overwritten() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let (recorder, whole) = recorded(&out);
    let folders: [PathBuf; 3] = [out.clone(), out.join("run-00000"), out.join("run-00001")];
    let options = RunOptions { overwrite: true, disk: Disk::default().without_sync(), ..traced(TINY, &out, 1) };
    for (number, left) in recorder.all_left().iter().enumerate() {
        for folder in &folders {
            let is_complete = text(left, &folder.join("run.json")).contains("\"complete\": true");
            assert!(!is_complete || inside(left, folder) == inside(&whole, folder), "{number}: {}", folder.display());
        }
        put(left, &out);
        run_batch(&scenario(TINY).model, &options, &batch(0..2, 1), &Control::none())
            .unwrap_or_else(|error| panic!("{number}: {error}: {:?}", left.keys()));
        let mut again = Left::new();
        read(&out, &mut again);
        assert!(inside(&again, &out) == whole, "{number}: {:?}", left.keys());
    }
}

#[test]
fn a_run_is_listed_after_the_disk_has_all_its_files() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let (recorder, whole) = recorded(&out);
    let mut listed = 0;
    for (number, (done, sure)) in recorder.done_and_sure().iter().enumerate() {
        let rows = text(done, &out.join("runs.csv.partial")) + &text(done, &out.join("runs.csv"));
        for run in rows.lines().skip(1).filter_map(|row| row.split(',').next()) {
            let folder = out.join(format!("run-0000{run}"));
            assert!(inside(sure, &folder) == inside(&whole, &folder), "{number}: run {run}: {:?}", sure.keys());
            listed += 1;
        }
    }
    assert!(listed > 2);
}
