//! Sweeps: the same bytes for any number of jobs and shards and after any interruption, rows that say what single runs say, and
//! messages that help.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::verify::verify_folder;
use sim_run::{Control, Disk, RunError, RunOptions, accepted, run_one};
use sim_sweep::{Shard, Sweep, SweepControl, SweepObserver, SweepOptions, SweepProgress};
use sim_sweep::{load, merge, plan, run_shard, run_sweep};
use sim_worlds::WORLDS;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Barrier, Mutex};
use tempfile::TempDir;

/// Five robots for a fifth of a second.
const SCENARIO: &str =
    r#"{ "name": "tiny", "world": "mat", "steps": 12, "agents": { "count": 5 }, "patches": { "count": 2 } }"#;

/// Robots and feet, on the same draws.
const GRID: &str = r#"{ "name": "grid", "scenario": "tiny.json", "repeats": 4, "measures": ["speed_mean_mm_s", "moving_share"],
    "axes": [{ "path": "agents.count", "name": "robots", "values": [3, 5, 90] }, { "path": "feet.travel", "values": ["core", "full"] }],
    "baseline": { "agents.count": 3 } }"#;

/// Cells that end early, since without a filter robots come too near soon: whole groups all the same.
const STOPPED: &str = r#"{ "name": "stopped", "scenario": "tiny.json", "set": { "steps": 60, "agents.count": 20 }, "repeats": 12,
    "axes": [{ "path": "safety.filter", "values": ["none", "joint"] }, { "path": "agents.sigma_v", "values": [0.5, 1] }],
    "stop": { "every": 3, "violations": 2 } }"#;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("tiny.json"), SCENARIO).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sweep(&self, text: &str) -> Sweep {
        self.try_sweep(text).unwrap_or_else(|said| panic!("{said}"))
    }

    /// A sweep, or what is said about its file.
    fn try_sweep(&self, text: &str) -> Result<Sweep, String> {
        let path = self.path("sweep.json");
        fs::write(&path, text).unwrap();
        let folder = format!("{}/", self.0.path().display());
        load(WORLDS, &path).map_err(|refused| refused.to_string().replace(&folder, ""))
    }

    fn options(&self, out: &str, jobs: usize) -> SweepOptions {
        let disk = Disk::default().without_sync();
        SweepOptions { out: self.path(out), jobs, build: "test".into(), disk, ..SweepOptions::default() }
    }

    fn run(&self, sweep: &Sweep, out: &str, jobs: usize) -> BTreeMap<String, Vec<u8>> {
        assert!(run_sweep(sweep, &self.options(out, jobs), &SweepControl::none()).unwrap().complete);
        files(&self.path(out))
    }
}

/// All files below a folder by their path, but for those that tell the time and parts that were put together.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.strip_prefix(folder).unwrap().display().to_string();
            if entry.is_dir() {
                open.push(entry);
            } else if !name.ends_with("timing.json") && !name.starts_with("shards/") {
                found.insert(name, fs::read(&entry).unwrap());
            }
        }
    }
    found
}

/// Rows of a table, by the names of its columns.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn jobs_and_shards_never_change_a_byte() {
    let place = Place::new();
    for text in [GRID, STOPPED] {
        let sweep = place.sweep(text);
        let whole = place.run(&sweep, &format!("{}-1", sweep.name()), 1);
        assert!(whole.keys().filter(|name| name.starts_with("worst/")).count() >= 20, "{:?}", whole.keys());
        assert_eq!(place.run(&sweep, &format!("{}-3", sweep.name()), 3), whole);
        for of in [1, 2, 7, 50] {
            let out = format!("{}-of-{of}", sweep.name());
            // In any order, and twice: what is whole is skipped.
            for index in (0..of).rev().chain(0..of) {
                let report =
                    run_shard(&sweep, Shard { of, index }, &place.options(&out, 2), &SweepControl::none()).unwrap();
                assert!(report.complete && report.path.exists());
            }
            merge(&sweep, &place.options(&out, 2), &SweepControl::none()).unwrap();
            assert!(files(&place.path(&out)) == whole, "{text} in {of} shards");
        }
    }
}

/// Whichever part comes first makes the folder. Parts without runs do nothing else, so they meet there.
#[test]
fn parts_that_begin_at_the_same_moment_share_the_folder() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    for round in 0..200 {
        let options = place.options(&format!("{round}"), 1);
        let begin = Barrier::new(4);
        let part = |of| {
            begin.wait();
            run_shard(&sweep, Shard { of, index: 0 }, &options, &SweepControl::none()).map(|report| report.complete)
        };
        std::thread::scope(|scope| {
            let parts = [100, 101, 102, 103].map(|of| scope.spawn(move || part(of)));
            for part in parts {
                assert!(part.join().unwrap().unwrap(), "round {round}");
            }
        });
    }
}

#[test]
fn a_sweep_goes_on_from_any_byte_of_its_table() {
    let place = Place::new();
    for text in [GRID, STOPPED] {
        let sweep = place.sweep(text);
        let out = format!("{}-cut", sweep.name());
        let whole = place.run(&sweep, &out, 2);
        let rows = &whole["runs.csv"];
        let header = rows.iter().position(|&b| b == b'\n').unwrap();
        // Every byte of the header's end and of a row, and then a few of each.
        let cuts = (0..header).step_by(40).chain(header - 2..header + 90).chain((header..=rows.len()).step_by(61));
        for cut in cuts {
            let folder = place.path(&out);
            fs::rename(folder.join("runs.csv"), folder.join("runs.csv.partial")).unwrap();
            fs::write(folder.join("runs.csv.partial"), &rows[..cut]).unwrap();
            fs::remove_file(folder.join("summary.csv")).unwrap();
            let options = SweepOptions { resume: true, ..place.options(&out, 2) };
            run_sweep(&sweep, &options, &SweepControl::none()).unwrap();
            assert!(files(&folder) == whole, "cut at byte {cut} of {}", rows.len());
        }
    }
}

#[test]
fn what_a_lost_machine_leaves_behind_the_last_whole_row_is_made_again() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let whole = place.run(&sweep, "a", 1);
    let rows = String::from_utf8(whole["runs.csv"].clone()).unwrap();
    let lines: Vec<&str> = rows.split_inclusive('\n').collect();
    let half = lines[..5].concat();
    let later = lines[9];
    let other = lines[5].replace(",done,", ",maybe,");
    let folder = place.path("a");
    for tail in ["\0\0\0\0\0\n", "7,8,9\n", later, &other, "\u{fffd}\n", "\"", ",,,,,,,,,,,\n"] {
        fs::remove_file(folder.join("runs.csv")).unwrap();
        fs::write(folder.join("runs.csv.partial"), format!("{half}{tail}")).unwrap();
        let options = SweepOptions { resume: true, ..place.options("a", 1) };
        run_sweep(&sweep, &options, &SweepControl::none()).unwrap();
        assert!(files(&folder) == whole, "{tail:?}");
    }
}

/// A table as it is, and after each of many damages: a bit flipped, a row lost, a cut at a row and elsewhere.
fn damaged(whole: &[u8]) -> Vec<Vec<u8>> {
    let flipped = (0..whole.len()).step_by(29).map(|place| {
        let mut bytes = whole.to_vec();
        bytes[place] ^= 1 << (place % 8);
        bytes
    });
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let lost = (0..lines.len()).map(|lost| [&lines[..lost], &lines[lost + 1..]].concat().concat());
    let cut = (0..lines.len()).map(|kept| lines[..kept].concat());
    flipped.chain(lost).chain(cut).chain([whole[..whole.len() / 2].to_vec()]).collect()
}

#[test]
fn what_does_not_match_its_checksum_is_made_again() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let whole = place.run(&sweep, "a", 2);
    let folder = place.path("a");
    assert!(verify_folder(&folder).faults.is_empty(), "{:?}", verify_folder(&folder));
    let options = SweepOptions { resume: true, ..place.options("a", 2) };
    for name in ["runs.csv", "runs.csv.sums"] {
        for (number, bytes) in damaged(&whole[name]).iter().enumerate() {
            fs::write(folder.join(name), bytes).unwrap();
            let faults = verify_folder(&folder).faults;
            assert!(faults.len() == 1 && faults[0].file == folder.join("runs.csv"), "{name} {number}: {faults:?}");
            let said = merge(&sweep, &place.options("a", 2), &SweepControl::none()).unwrap_err().to_string();
            assert!(said.ends_with(" is missing or does not match its checksum; --resume makes it again"), "{said}");
            run_sweep(&sweep, &options, &SweepControl::none()).unwrap();
            assert!(files(&folder) == whole, "{name} {number}");
        }
    }
    for (number, bytes) in damaged(&whole["runs.csv"]).iter().enumerate() {
        fs::remove_file(folder.join("runs.csv")).unwrap();
        fs::write(folder.join("runs.csv.partial"), bytes).unwrap();
        run_sweep(&sweep, &options, &SweepControl::none()).unwrap();
        assert!(files(&folder) == whole, "partial {number}");
    }
}

#[test]
fn a_damaged_shard_is_refused_with_its_row_and_made_again() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let whole = place.run(&sweep, "whole", 2);
    let options = place.options("a", 1);
    let shard = |index| run_shard(&sweep, Shard { of: 2, index }, &options, &SweepControl::none()).unwrap();
    shard(0);
    let path = shard(1).path;
    let bytes = fs::read(&path).unwrap();
    for (number, damaged) in damaged(&bytes).iter().enumerate() {
        fs::write(&path, damaged).unwrap();
        let first = bytes.iter().zip(damaged).take_while(|(was, is)| was == is).count();
        let line = bytes[..first].iter().filter(|&&byte| byte == b'\n').count();
        let row = if line == 0 { "the header".to_owned() } else { format!("row {line}") };
        let said = merge(&sweep, &options, &SweepControl::none()).unwrap_err().to_string();
        let wanted = format!(
            "/a/shards/runs-00001-of-00002.csv: {row} is missing or does not match its checksum; make that shard again"
        );
        assert!(said.ends_with(&wanted), "{number}: {said}");
    }
    assert!(!shard(1).skipped && shard(1).skipped);
    merge(&sweep, &options, &SweepControl::none()).unwrap();
    assert!(files(&place.path("a")) == whole);
}

#[test]
fn two_programs_do_not_write_one_table() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let whole = place.run(&sweep, "a", 1);
    let partial = place.path("a/runs.csv.partial");
    fs::rename(place.path("a/runs.csv"), &partial).unwrap();
    let other = fs::File::open(&partial).unwrap();
    other.lock().unwrap();
    let options = SweepOptions { resume: true, ..place.options("a", 1) };
    let said = run_sweep(&sweep, &options, &SweepControl::none()).unwrap_err();
    assert!(said.is_input() && said.to_string().starts_with("another program is writing "), "{said}");
    assert_eq!(fs::read(&partial).unwrap(), whole["runs.csv"]);
    drop(other);
    run_sweep(&sweep, &options, &SweepControl::none()).unwrap();
    assert!(files(&place.path("a")) == whole);
}

/// The first sweep is held in the middle of its runs; what others do meanwhile must not touch its folder.
#[test]
fn a_folder_is_refused_while_a_sweep_lives_there() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let whole = place.run(&sweep, "a", 1);
    let others = |out: &str| {
        let options = place.options(out, 1);
        let all = [
            run_sweep(&sweep, &SweepOptions { overwrite: true, ..options.clone() }, &SweepControl::none()).map(drop),
            run_sweep(&sweep, &SweepOptions { resume: true, ..options.clone() }, &SweepControl::none()).map(drop),
            run_sweep(&sweep, &options, &SweepControl::none()).map(drop),
            run_shard(&sweep, Shard { of: 2, index: 0 }, &options, &SweepControl::none()).map(drop),
            merge(&sweep, &options, &SweepControl::none()).map(drop),
        ];
        all.map(|said| said.unwrap_err().to_string())
    };
    for (out, overwrite) in [("a", true), ("b", false)] {
        let watcher = Meanwhile { others: &|| others(out), refused: Mutex::new(Vec::new()) };
        let options = SweepOptions { overwrite, ..place.options(out, 1) };
        run_sweep(&sweep, &options, &SweepControl { observer: &watcher, ..SweepControl::none() }).unwrap();
        let refused = watcher.refused.into_inner().unwrap();
        assert!(refused.len() > 5, "{refused:?}");
        assert!(refused.iter().all(|said| said.starts_with("another program is writing ")), "{refused:?}");
        assert!(files(&place.path(out)) == whole);
    }
}

/// Lets others try whenever the sweep reports its progress.
struct Meanwhile<'a> {
    others: &'a (dyn Fn() -> [String; 5] + Sync),
    refused: Mutex<Vec<String>>,
}

impl SweepObserver for Meanwhile<'_> {
    fn swept(&self, _: &SweepProgress) {
        self.refused.lock().unwrap().extend((self.others)());
    }
}

#[test]
fn every_row_is_the_run_that_its_command_makes() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    place.run(&sweep, "a", 2);
    let rows = table(&place.path("a/runs.csv"));
    assert_eq!(rows.len(), 4 * 4 + 2);
    for row in rows.iter().filter(|row| row["status"] == "done") {
        let (cell, repeat) = (row["cell"].parse().unwrap(), row["repeat"].parse().unwrap());
        let overrides =
            [format!("agents.count={}", row["agents.count"]), format!("feet.travel={}", row["feet.travel"])];
        let overrides: Vec<_> = overrides.iter().map(|text| text.parse().unwrap()).collect();
        let model = sim_run::scenario::load(WORLDS, &place.path("a/scenario.json"), &overrides).unwrap().model;
        let key = model.key(row["run_index"].parse().unwrap());
        let report = run_one(&model, key, &RunOptions::default(), &Control::none()).unwrap();
        let value = |name: &str| report.metrics.iter().find(|m| m.name == name).unwrap().value;
        for name in ["speed_mean_mm_s", "moving_share"] {
            assert_eq!(row[name].parse::<f64>().unwrap().to_bits(), value(name).to_bits(), "{row:?}");
        }
        assert_eq!(row["clean"], if accepted(&report.metrics) { "1.0" } else { "0.0" });
        let room = (value("min_robot_robot_mm") - 60.0).min(value("min_robot_foot_mm") - 100.0);
        assert_eq!(row["least_room_mm"].parse::<f64>().unwrap(), room);
        let wanted = format!(
            "--set {} --set {} --run-index {}",
            row_flag(row, "agents.count"),
            row_flag(row, "feet.travel"),
            row["run_index"]
        );
        assert_eq!(sweep.command(cell, repeat), format!("sim-cli run scenario.json {wanted}"));
    }
    // Paired: the first run of each cell has the same draws.
    assert!(rows.iter().filter(|row| row["status"] == "done").all(|row| row["run_index"] == row["repeat"]));
}

fn row_flag(row: &BTreeMap<String, String>, path: &str) -> String {
    format!("{path}={}", row[path])
}

#[test]
fn a_cell_that_cannot_be_run_is_marked_and_the_others_run() {
    let place = Place::new();
    place.run(&place.sweep(GRID), "a", 2);
    let cells = table(&place.path("a/cells.csv"));
    let status: Vec<&str> = cells.iter().map(|cell| cell["status"].as_str()).collect();
    assert_eq!(status, ["done", "done", "done", "done", "infeasible", "infeasible"]);
    assert!(cells[4]["words"].starts_with("agents.count: is 90, but only "), "{:?}", cells[4]);
    assert_eq!((cells[4]["runs"].as_str(), cells[4]["clean_share"].as_str()), ("0", ""));
    let rows = table(&place.path("a/runs.csv"));
    let last: Vec<&BTreeMap<_, _>> = rows.iter().filter(|row| row["status"] == "infeasible").collect();
    assert_eq!(last.len(), 2);
    assert!(last[0]["cause"].starts_with("agents.count: is 90") && last[0]["repeat"].is_empty());
}

#[test]
fn differences_are_taken_run_by_run() {
    let place = Place::new();
    place.run(&place.sweep(GRID), "a", 1);
    let rows = table(&place.path("a/runs.csv"));
    let speeds = |cell: &str| -> Vec<f64> {
        rows.iter().filter(|row| row["cell"] == cell).map(|row| row["speed_mean_mm_s"].parse().unwrap()).collect()
    };
    let differences = table(&place.path("a/differences.csv"));
    let cells: Vec<&str> = differences.iter().map(|row| row["cell"].as_str()).collect();
    assert_eq!(cells, ["2"; 4].into_iter().chain(["3"; 4]).collect::<Vec<_>>());
    // Cell 3 is five robots with feet anywhere; its baseline is cell 1, three robots with feet anywhere.
    let row = differences.iter().find(|row| row["cell"] == "3" && row["measure"] == "speed_mean_mm_s").unwrap();
    let pairs: Vec<f64> = speeds("3").iter().zip(speeds("1")).map(|(a, b)| a - b).collect();
    let mean = pairs.iter().sum::<f64>() / 4.0;
    assert!((row["mean_difference"].parse::<f64>().unwrap() - mean).abs() < 1e-12 * mean.abs().max(1.0));
    let variance = pairs.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / 3.0;
    // Student's t with 3 degrees of freedom: 3.182446305284263 (tables).
    let reach = 3.182_446_305_284_263 * (variance / 4.0).sqrt();
    assert!((row["high_95"].parse::<f64>().unwrap() - mean - reach).abs() < 1e-9 * reach);
    assert_eq!((row["pairs"].as_str(), row["unit"].as_str()), ("4", "mm/s"));
}

#[test]
fn a_cell_ends_with_the_group_in_which_its_rule_was_met() {
    let place = Place::new();
    place.run(&place.sweep(STOPPED), "a", 2);
    let rows = table(&place.path("a/runs.csv"));
    let cells = table(&place.path("a/cells.csv"));
    assert!(
        cells.iter().any(|cell| cell["ended"] == "violations") && cells.iter().any(|cell| cell["ended"] == "repeats")
    );
    for cell in &cells {
        let clean: Vec<bool> =
            rows.iter().filter(|row| row["cell"] == cell["cell"]).map(|r| r["clean"] == "1.0").collect();
        let bad_before = |groups: usize| clean.iter().take(3 * groups).filter(|clean| !**clean).count();
        let ends_after = (1..=4).find(|&groups| bad_before(groups) >= 2).unwrap_or(4);
        assert_eq!(clean.len(), 3 * ends_after, "{cell:?}");
        assert_eq!(cell["ended"], if bad_before(ends_after) >= 2 { "violations" } else { "repeats" });
    }
}

#[test]
fn a_narrow_interval_ends_a_cell() {
    let place = Place::new();
    let text = r#"{ "name": "narrow", "scenario": "tiny.json", "repeats": 40, "measures": ["speed_mean_mm_s"],
        "stop": { "every": 5, "width": 1e9, "measure": "speed_mean_mm_s" } }"#;
    place.run(&place.sweep(text), "a", 2);
    let cells = table(&place.path("a/cells.csv"));
    assert_eq!((cells.len(), cells[0]["runs"].as_str(), cells[0]["ended"].as_str()), (1, "5", "narrow"));
}

#[test]
fn designs_other_than_grids_have_cells_and_correlations() {
    let place = Place::new();
    for design in ["random", "latin_hypercube", "sobol"] {
        let text = format!(
            r#"{{ "name": "d", "scenario": "tiny.json", "repeats": 2, "cells": 8, "design": "{design}", "measures": ["speed_mean_mm_s"],
               "axes": [{{ "path": "limits.v_max_mm_s", "uniform": {{ "from": 220, "to": 300 }} }},
                        {{ "path": "agents.count", "uniform": {{ "from": 2, "to": 9 }} }}] }}"#
        );
        place.run(&place.sweep(&text), design, 2);
        let cells = table(&place.path(design).join("cells.csv"));
        assert_eq!(cells.len(), 8);
        for cell in &cells {
            let robots: f64 = cell["agents.count"].parse().unwrap();
            let speed: f64 = cell["limits.v_max_mm_s"].parse().unwrap();
            assert!(
                robots.fract() == 0.0 && (2.0..=9.0).contains(&robots) && (220.0..=300.0).contains(&speed),
                "{cell:?}"
            );
        }
        if design == "latin_hypercube" {
            let mut eighths: Vec<u32> = cells
                .iter()
                .map(|c| ((c["limits.v_max_mm_s"].parse::<f64>().unwrap() - 220.0) / 10.0) as u32)
                .collect();
            eighths.sort_unstable();
            assert_eq!(eighths, [0, 1, 2, 3, 4, 5, 6, 7]);
        }
        let correlations = table(&place.path(design).join("correlations.csv"));
        assert_eq!(correlations.len(), 2 * 3);
        let speeds = correlations.iter().filter(|row| row["measure"] == "speed_mean_mm_s");
        assert!(speeds.map(|row| row["n"].as_str()).eq(["8", "8"]));
    }
}

#[test]
fn another_sweep_or_program_does_not_go_on_with_a_folder() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    place.run(&sweep, "a", 1);
    let go_on = |sweep: &Sweep, build: &str| {
        let options = SweepOptions { resume: true, build: build.into(), ..place.options("a", 1) };
        run_sweep(sweep, &options, &SweepControl::none()).unwrap_err()
    };
    let said = |error: &RunError| {
        assert!(error.is_input());
        error.to_string().replace(&place.path("a").display().to_string(), "a")
    };
    assert_eq!(
        said(&go_on(&sweep, "new")),
        "a holds another sweep, which cannot be gone on with: the program's build was test and is new"
    );
    let other = place.sweep(&GRID.replace(r#""repeats": 4"#, r#""repeats": 5"#).replace("[3, 5, 90]", "[3, 6, 90]"));
    assert_eq!(
        said(&go_on(&other, "test")),
        "a holds another sweep, which cannot be gone on with: sweep.axes[0].values[1] was 5 and is 6; sweep.repeats was 4 and is 5"
    );
    fs::write(place.path("tiny.json"), SCENARIO.replace(r#""count": 2"#, r#""count": 1"#)).unwrap();
    let other = place.sweep(GRID);
    assert_eq!(
        said(&go_on(&other, "test")),
        "a holds another sweep, which cannot be gone on with: scenario.patches.count was 2 and is 1"
    );
    let shard = run_shard(&other, Shard { of: 2, index: 0 }, &place.options("a", 1), &SweepControl::none());
    assert!(matches!(shard, Err(RunError::Options(_))));
    let again = run_sweep(&sweep, &place.options("a", 1), &SweepControl::none());
    assert!(matches!(again, Err(RunError::HoldsRun { .. })));
}

#[test]
fn missing_and_broken_shards_are_named() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let options = place.options("a", 1);
    let said = || merge(&sweep, &options, &SweepControl::none()).unwrap_err().to_string();
    assert!(said().ends_with("/a/shards: none is there; make them with --shard i/N"), "{}", said());
    for index in [0, 2] {
        run_shard(&sweep, Shard { of: 4, index }, &options, &SweepControl::none()).unwrap();
    }
    assert!(said().ends_with("/a/shards: missing are 1/4, 3/4"), "{}", said());
    for index in 0..4 {
        run_shard(&sweep, Shard { of: 4, index }, &options, &SweepControl::none()).unwrap();
    }
    let path = place.path("a/shards/runs-00001-of-00004.csv");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    assert!(
        said().ends_with(
            "runs-00001-of-00004.csv: row 6 is missing or does not match its checksum; make that shard again"
        ),
        "{}",
        said()
    );
    // A part that is damaged is not skipped.
    run_shard(&sweep, Shard { of: 4, index: 1 }, &options, &SweepControl::none()).unwrap();
    assert!(fs::read(&path).unwrap() == whole);
    merge(&sweep, &options, &SweepControl::none()).unwrap();
    assert!(files(&place.path("a")) == place.run(&sweep, "b", 1));
}

#[test]
fn shards_share_all_runs_out() {
    let place = Place::new();
    for text in [GRID, STOPPED] {
        let sweep = place.sweep(text);
        for of in [1, 2, 3, 5, 1000] {
            let mut next = 0;
            for index in 0..of {
                let numbers = Shard { of, index }.numbers(&sweep);
                assert_eq!(numbers.start, next);
                assert!(sweep.rule().is_none() || numbers.start.is_multiple_of(sweep.repeats()));
                next = numbers.end;
            }
            assert_eq!(next, sweep.runs_at_most());
        }
    }
    for text in ["2/2", "1", "a/b", "0/0", "-1/2", "1/2/3", ""] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    assert_eq!("1/2".parse(), Ok(Shard { of: 2, index: 1 }));
}

#[test]
fn a_million_cells_are_planned_and_not_loaded() {
    let place = Place::new();
    let text = r#"{ "name": "m", "scenario": "tiny.json", "repeats": 3,
        "axes": [{ "path": "agents.sigma_v", "range": { "from": 0.001, "to": 10, "step": 0.001 } },
                 { "path": "agents.count", "range": { "from": 1, "to": 100, "step": 1 } }] }"#;
    let sweep = place.sweep(text);
    assert_eq!(sweep.cells(), 1_000_000);
    assert_eq!(sweep.values(999_999).iter().map(ToString::to_string).collect::<Vec<_>>(), ["10", "100"]);
    let plan = plan(&sweep);
    assert_eq!((plan.cells, plan.looked_at), (1_000_000, 1_000));
    // Cells 0, 1000, 2000… are all of one robot, so all of them can be run.
    assert_eq!((plan.infeasible, plan.runs_at_most), (0, 3_000_000));
}

/// A sweep file with more members, and one with an axis.
fn with(members: &str) -> String {
    format!(r#"{{ "name": "t", "scenario": "tiny.json", {members} }}"#)
}

fn axis(axis: &str) -> String {
    with(&format!(r#""axes": [{axis}]"#))
}

/// Holds files to what is said of them: the text, where in it the message points, and the message.
fn assert_told(cases: &[(String, &str, &str)]) {
    let place = Place::new();
    for (text, at, wanted) in cases {
        let said = place.try_sweep(text).expect_err(text);
        let column = text.find(at).unwrap() + 1;
        assert_eq!(said, format!("sweep.json:1:{column}: {wanted}"), "{text}");
    }
}

#[test]
fn an_axis_that_is_wrong_is_told_where_and_what() {
    assert_told(&[
        (
            axis(r#"{ "path": "agents.cuont", "values": [1] }"#),
            r#""agents.cuont""#,
            r#"axes[0].path: agents.cuont: unknown key; did you mean "count"?"#,
        ),
        (
            axis(r#"{ "path": "agents.count", "values": [1, "x"] }"#),
            r#""x""#,
            r#"axes[0].values[1]: agents.count is "x", must be a whole number from 0 to 100000"#,
        ),
        (
            axis(r#"{ "path": "agents.count" }"#),
            "{ \"path",
            "axes[0]: needs exactly one of values, range, log_range, uniform, log_uniform, normal or choice",
        ),
        (
            axis(r#"{ "path": "agents.count", "values": [1], "choice": [2] }"#),
            "{ \"path",
            "axes[0]: needs exactly one of values, range, log_range, uniform, log_uniform, normal or choice",
        ),
        (
            axis(r#"{ "path": "agents.count", "range": { "from": 5, "to": 1, "step": 1 } }"#),
            "{ \"path",
            "axes[0]: to is 1, must be above `from`, which is 5",
        ),
        (
            axis(r#"{ "path": "agents.sigma_v", "log_range": { "from": 0, "to": 1, "count": 3 } }"#),
            "{ \"path",
            "axes[0]: from is 0, must be above 0",
        ),
        (
            axis(r#"{ "path": "agents.sigma_v", "normal": { "mean": 1, "sd": 1 } }"#),
            "{ \"path",
            "axes[0]: values are a distribution; a grid needs a list, a range or a log range",
        ),
        (
            axis(r#"{ "path": "agents.sigma_v", "values": [1] }, { "path": "agents.sigma_v", "values": [2] }"#),
            r#""agents.sigma_v", "values": [2]"#,
            "axes[1].path: agents.sigma_v has an axis already",
        ),
    ]);
}

#[test]
fn a_sweep_file_that_is_wrong_is_told_where_and_what() {
    assert_told(&[
        (
            with(r#""design": "sobol", "axes": [{ "path": "agents.sigma_v", "uniform": { "from": 0, "to": 1 } }]"#),
            "{ \"name",
            "cells: is missing: how many cells shall this design have?",
        ),
        (
            with(r#""cells": 5"#),
            "5",
            "cells: a grid has as many cells as its axes make: leave it out, or choose another design",
        ),
        (with(r#""design": "random", "cells": 5"#), "{ \"name", "axes: are none: all cells would be the same"),
        (with(r#""set": { "agents.cuont": 3 }"#), "3", r#"set: agents.cuont: unknown key; did you mean "count"?"#),
        (
            with(r#""set": { "agents.count": 300 }"#),
            "300",
            "set: agents.count: is 300, but only 43 robots fit with a foot at the worst place, 60 mm apart and 16 mm from the edge; must be at most 43",
        ),
        (
            with(r#""measures": ["moving_shar"]"#),
            r#""moving_shar""#,
            r#"measures[0]: no measure is called "moving_shar"; did you mean "moving_share"?"#,
        ),
        (with(r#""stop": { "every": 5 }"#), "{ \"every", "stop: asks nothing: give violations, width, or both"),
        (
            with(r#""measures": [], "stop": { "width": 0.1, "measure": "moving_share" }"#),
            r#""moving_share""#,
            r#"stop.measure: "moving_share" is not kept; kept are clean, least_room_mm"#,
        ),
        (with(r#""repeats": 0"#), "0", "repeats: is 0, must be a whole number from 1 to 1000000"),
        (
            with(r#""baseline": { "agents.count": 3 }"#),
            "{ \"agents",
            r#"baseline: no axis has the path "agents.count""#,
        ),
        (
            with(
                r#""paired_seeds": false, "axes": [{ "path": "agents.count", "values": [1] }], "baseline": { "agents.count": 1 }"#,
            ),
            "{ \"agents",
            "baseline: is for a grid with paired seeds: run by run, only those can be compared",
        ),
        (with(r#""axis": []"#), r#""axis""#, r#"axis: unknown key; did you mean "axes"?"#),
        (
            String::new(),
            "",
            r#"there is nothing here; the least that is needed is { "name": "my-sweep", "scenario": "../scenarios/swarm-30.json" }"#,
        ),
        ("[]".into(), "[", "the sweep is an empty list, must be an object { ... }"),
    ]);
}

#[test]
fn a_length_in_steps_and_in_seconds_is_refused() {
    assert_told(&[
        (
            with(r#""set": { "steps": 60, "duration_s": 2 }"#),
            "2",
            "set: duration_s: cannot be given beside steps: choose one of them",
        ),
        (
            with(r#""axes": [{ "path": "steps", "values": [60] }, { "path": "duration_s", "values": [2] }]"#),
            r#""duration_s""#,
            "axes[1].path: duration_s cannot have an axis beside steps: choose one of them",
        ),
    ]);
}

#[test]
fn a_scenario_that_is_wrong_or_missing_is_named() {
    let place = Place::new();
    let said = place.try_sweep(r#"{ "name": "t", "scenario": "nowhere.json" }"#).unwrap_err();
    assert_eq!(said, "nowhere.json: cannot be opened: No such file or directory (os error 2)");
    fs::write(place.path("tiny.json"), SCENARIO.replace("patches", "patchs")).unwrap();
    let said = place.try_sweep(GRID).unwrap_err();
    assert_eq!(said, r#"tiny.json:1:74: patchs: unknown key; did you mean "patches"?"#);
}

#[test]
fn a_resolved_sweep_is_a_sweep_with_the_same_rows() {
    let place = Place::new();
    let sweep = place.sweep(GRID);
    let first = place.run(&sweep, "a", 1);
    let again = load(WORLDS, &place.path("a/sweep.json")).unwrap_or_else(|said| panic!("{said}"));
    assert_eq!(again.sweep_json(), sweep.sweep_json());
    assert!(place.run(&again, "b", 1) == first);
}

#[test]
fn every_sweep_that_is_shipped_can_be_run_as_a_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sweeps");
    let mut names = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.to_str().unwrap().ends_with(".schema.json") {
            continue;
        }
        let sweep = load(WORLDS, &path).unwrap_or_else(|said| panic!("{said}"));
        let plan = plan(&sweep);
        assert_eq!((plan.looked_at, plan.first_infeasible), (sweep.cells(), None), "{}", sweep.name());
        assert_eq!(path.file_stem().unwrap().to_str(), Some(sweep.name()));
        assert!(
            !sweep.spec().question.is_empty() && fs::read_to_string(&path).unwrap().contains("./sweep.schema.json")
        );
        names.push(sweep.name().to_owned());
    }
    names.sort();
    assert_eq!(
        names,
        ["current-and-waves", "filters", "how-many-robots", "latency", "limits", "map-drift", "sensitivity"]
    );
}
