//! Sweeps of a scenario that names files of inputs: every run takes them, and they are a part of what the sweep is.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::scenario::{self, Override};
use sim_run::verify::verify_folder;
use sim_run::{Control, Disk, Metric, RunOptions, run_one};
use sim_sweep::{Shard, Sweep, SweepControl, SweepOptions, load, merge, run_shard, run_sweep};
use sim_worlds::WORLDS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SCENARIO: &str = r#"{ "name": "tiny", "world": "mat", "steps": 60, "inputs": { "wishes": "walks/w.csv" },
    "agents": { "count": 5 }, "feet": { "count": 0 }, "patches": { "count": 2 } }"#;
const SWEEP: &str = r#"{ "name": "s", "scenario": "tiny.json", "repeats": 2, "measures": ["speed_mean_mm_s", "moving_share"],
    "axes": [{ "path": "agents.count", "values": [2, 5] }, { "path": "limits.v_max_mm_s", "values": [50, 90] }] }"#;
/// Robots 0 and 1 hurry; empty lines and short numbers are not what the sweep keeps.
const WISHES: &str = "step,agent,vx_mm_s,vy_mm_s\n1,0,200,0\n\n1,1,0,-200\n30,0,0,200\n";

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.path("walks")).unwrap();
        place.write("tiny.json", SCENARIO);
        place.write("walks/w.csv", WISHES);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn sweep(&self, text: &str) -> Result<Sweep, String> {
        self.write("sweep.json", text);
        let folder = format!("{}/", self.0.path().display());
        load(WORLDS, &self.path("sweep.json")).map_err(|refused| refused.to_string().replace(&folder, ""))
    }

    fn options(&self, out: &str) -> SweepOptions {
        let disk = Disk::default().without_sync();
        SweepOptions { out: self.path(out), jobs: 2, build: "test".into(), disk, ..SweepOptions::default() }
    }

    fn made(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let sweep = self.sweep(SWEEP).unwrap_or_else(|said| panic!("{said}"));
        assert!(run_sweep(&sweep, &self.options(out), &SweepControl::none()).unwrap().complete);
        files(&self.path(out))
    }
}

/// Files of a folder but for those that tell the time and the folders inside it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file() && entry.file_name() != "timing.json");
    files.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn rows(folder: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.join("runs.csv")).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The measures of a run of a scenario file, made as any other run.
fn measured(file: &Path, row: &BTreeMap<String, String>) -> Vec<Metric> {
    let set = |path: &str| Override::new(path, &row[path]);
    let loaded = scenario::load(WORLDS, file, &[set("agents.count"), set("limits.v_max_mm_s")]).unwrap();
    let key = loaded.model.key(row["run_index"].parse().unwrap());
    let options = RunOptions { inputs: loaded.inputs, ..RunOptions::default() };
    run_one(&loaded.model, key, &options, &Control::none()).unwrap().metrics
}

#[test]
fn every_row_is_the_run_with_those_inputs() {
    let place = Place::new();
    place.made("a");
    let rows = rows(&place.path("a"));
    assert_eq!(rows.len(), 8);
    place.write("without.json", &SCENARIO.replace(r#""inputs": { "wishes": "walks/w.csv" },"#, ""));
    for row in &rows {
        // By the user's own files, and by those in the folder of the sweep.
        for file in ["tiny.json", "a/scenario.json"] {
            for metric in measured(&place.path(file), row).iter().filter(|metric| row.contains_key(metric.name)) {
                assert_eq!(
                    row[metric.name].parse::<f64>().unwrap().to_bits(),
                    metric.value.to_bits(),
                    "{file} {row:?}"
                );
            }
        }
        let without = measured(&place.path("without.json"), row);
        let speed = without.iter().find(|metric| metric.name == "speed_mean_mm_s").unwrap();
        assert_ne!(row["speed_mean_mm_s"].parse::<f64>().unwrap(), speed.value, "{row:?}");
    }
    // The worst runs have them too.
    let worst = place.path("a/worst/run-00000");
    let record = "step,agent,vx_mm_s,vy_mm_s\n1,0,200.0,0.0\n1,1,0.0,-200.0\n30,0,0.0,200.0\n";
    assert_eq!(fs::read_to_string(worst.join("inputs-wishes.csv")).unwrap(), record);
    assert_eq!(verify_folder(&place.path("a")).faults, []);
}

#[test]
fn parts_and_the_sweep_in_its_own_folder_give_the_same_bytes() {
    let place = Place::new();
    let whole = place.made("a");
    assert!(whole.contains_key("inputs-wishes.csv"), "{:?}", whole.keys());
    let sweep = place.sweep(SWEEP).unwrap();
    for index in 0..3 {
        run_shard(&sweep, Shard { of: 3, index }, &place.options("b"), &SweepControl::none()).unwrap();
    }
    merge(&sweep, &place.options("b"), &SweepControl::none()).unwrap();
    assert_eq!(files(&place.path("b")), whole);
    // `sweep.json` is itself a sweep file, and its scenario names what lies beside it.
    let again = load(WORLDS, &place.path("a/sweep.json")).unwrap();
    run_sweep(&again, &place.options("c"), &SweepControl::none()).unwrap();
    assert_eq!(files(&place.path("c")), whole);
}

#[test]
fn a_sweep_with_other_inputs_does_not_go_on_with_a_folder() {
    let place = Place::new();
    place.made("a");
    let go_on = |options: SweepOptions| {
        let sweep = place.sweep(SWEEP).unwrap();
        let said = run_sweep(&sweep, &options, &SweepControl::none());
        said.map_err(|error| error.to_string().replace(&place.path("a").display().to_string(), "a"))
    };
    let resume = || SweepOptions { resume: true, ..place.options("a") };
    assert!(go_on(resume()).unwrap().complete);
    // Another way to write the same rows is no other input.
    place.write("walks/w.csv", &WISHES.replace("\n\n", "\n"));
    assert!(go_on(resume()).unwrap().complete);
    place.write("walks/w.csv", &WISHES.replace("30,0,0,200", "31,0,0,200"));
    assert_eq!(
        go_on(resume()).unwrap_err(),
        "a holds another sweep, which cannot be gone on with: line 4 of inputs-wishes.csv was \"30,0,0.0,200.0\" and is \
         \"31,0,0.0,200.0\""
    );
    place.write("tiny.json", &SCENARIO.replace(r#""inputs": { "wishes": "walks/w.csv" },"#, ""));
    assert_eq!(
        go_on(resume()).unwrap_err(),
        "a holds another sweep, which cannot be gone on with: scenario.inputs was {\"wishes\":\"inputs-wishes.csv\"} and is null"
    );
    // Replaced as a whole, nothing of it stays.
    assert!(go_on(SweepOptions { overwrite: true, ..place.options("a") }).unwrap().complete);
    assert!(!place.path("a/inputs-wishes.csv").exists());
    place.write("tiny.json", SCENARIO);
    fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/inputs-wishes.csv", "mine");
    let in_the_way = go_on(place.options("mine")).unwrap_err();
    assert!(in_the_way.contains("inputs-wishes.csv is in the way"), "{in_the_way}");
}

#[test]
fn inputs_that_do_not_fit_a_cell_are_named_with_their_place() {
    let place = Place::new();
    place.write("walks/w.csv", &WISHES.replace("1,1,0", "1,4,0"));
    place.made("a");
    let cells = fs::read_to_string(place.path("a/cells.csv")).unwrap();
    let of_two = cells.lines().nth(1).unwrap();
    assert!(of_two.starts_with("0,2,50,infeasible,0,"), "{of_two}");
    assert!(of_two.contains("inputs-wishes.csv:3:3: agent: is 4, must be from 0 to 1"), "{of_two}");
    assert_eq!(cells.lines().filter(|line| line.contains(",done,2,")).count(), 2, "{cells}");
}

#[test]
fn an_axis_of_inputs_is_refused() {
    let place = Place::new();
    for path in ["inputs", "inputs.wishes"] {
        let said = place.sweep(&SWEEP.replace("agents.count", path)).unwrap_err();
        let words = "names files of inputs, which are the same in all cells: make a sweep for each of them";
        assert!(said.contains(&format!("axes[0].path: {path} {words}")), "{said}");
    }
}
