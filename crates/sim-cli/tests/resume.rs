//! Batches that go on after they were cut short, to the same bytes as one that was never interrupted.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::{Place, program};
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const BATCH: &str = "run small.json --set agents.count=8 --set safety.filter=none --steps 300 --runs 12 --jobs 2";

/// Starts the batch, waits until `rows` rows are written, sends a signal, and returns the rows that are there then.
fn cut(place: &Place, line: &str, signal: &str, rows: usize) -> usize {
    let mut command = Command::new(program());
    command.current_dir(place.path("")).args(line.split_whitespace());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let table = place.path("a/runs.csv.partial");
    let count = || fs::read_to_string(&table).map_or(0, |text| text.lines().count().saturating_sub(1));
    let mut is_over = false;
    while count() < rows && !is_over {
        sleep(Duration::from_millis(1));
        is_over = child.try_wait().unwrap().is_some();
    }
    if !is_over {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }
    child.wait().unwrap();
    count()
}

/// Compares all files but those of timing.
fn assert_same(place: &Place, a: &str, b: &str) {
    let (a, b) = (place.files(a), place.files(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    let other: Vec<&String> = a.keys().filter(|name| a[*name] != b[*name]).collect();
    assert!(other.is_empty(), "{other:?}");
}

#[test]
fn a_batch_that_was_killed_or_stopped_again_and_again_ends_in_the_same_bytes() {
    for tables in ["", " --no-trace"] {
        let place = Place::new();
        let whole = place.ends(&format!("{BATCH}{tables} --out whole --format json"), 0).result();
        let line = format!("{BATCH}{tables} --out a --resume");
        let mut cuts = 0;
        for (signal, rows) in [("-KILL", 1), ("-INT", 3), ("-KILL", 6), ("-TERM", 8)] {
            cuts += usize::from((rows..12).contains(&cut(&place, &line, signal, rows)));
        }
        assert!(cuts >= 1, "no signal came in time");
        let said = place.ends(&format!("{line} --format json"), 0).result();
        assert_same(&place, "a", "whole");
        for key in ["accepted_runs", "failure_rate_upper_95", "metrics"] {
            assert_eq!(said[key], whole[key], "{key}");
        }
        let worst = |said: &serde_json::Value| {
            said["worst"].as_array().unwrap().iter().map(|run| run["run_index"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(worst(&said), worst(&whole));
        assert_eq!(place.ends("check a", 0).err, "");
    }
}

#[test]
fn rows_that_are_damaged_and_files_that_were_named_too_early_are_made_again() {
    let place = Place::new();
    place.ends(&format!("{BATCH} --out whole -q"), 0);
    place.ends(&format!("{BATCH} --out a -q"), 0);
    // The rows from the sixth on are lost; all tables have their final names, and the record says nothing of it.
    let text = place.read("a/runs.csv");
    let at = text.match_indices('\n').nth(5).unwrap().0 + 4;
    let mut damaged = text.into_bytes();
    damaged[at] ^= 1;
    fs::write(place.path("a/runs.csv"), damaged).unwrap();
    fs::remove_dir_all(place.path("a/run-00009")).unwrap();
    place.ends(&format!("{BATCH} --out a --resume -q"), 0);
    assert_same(&place, "a", "whole");
    // A run whose folder is gone is made again, with all after it.
    fs::remove_file(place.path("a/run-00003/run.json")).unwrap();
    fs::remove_dir_all(place.path("a/run-00003")).unwrap();
    place.ends(&format!("{BATCH} --out a --resume -q"), 0);
    assert_same(&place, "a", "whole");
}

/// As a loss of power may leave it: the table of near misses ends earlier than the rows of the runs, in the middle of a run.
#[test]
fn near_misses_that_are_lost_are_made_again_with_their_runs() {
    let place = Place::new();
    let line = format!("{BATCH} --no-trace");
    place.ends(&format!("{line} --out whole -q"), 0);
    for share in [0, 1, 4, 7, 8] {
        place.ends(&format!("{line} --out a --overwrite -q"), 0);
        for name in ["runs.csv", "closest.csv"] {
            fs::rename(place.path(&format!("a/{name}")), place.path(&format!("a/{name}.partial"))).unwrap();
        }
        fs::remove_file(place.path("a/summary.csv")).unwrap();
        place.write("a/run.json", &place.read("a/run.json").replace("\"complete\": true", "\"complete\": false"));
        let table = fs::read(place.path("a/closest.csv.partial")).unwrap();
        fs::write(place.path("a/closest.csv.partial"), &table[..table.len() * share / 8]).unwrap();
        place.ends(&format!("{line} --out a --resume -q"), 0);
        assert_same(&place, "a", "whole");
    }
}

#[test]
fn a_batch_that_is_whole_stays_and_one_that_is_not_there_begins() {
    let place = Place::new();
    place.ends(&format!("{BATCH} --out a --resume -q"), 0);
    let before = place.files("a");
    let timing = place.read("a/timing.json");
    let said = place.ends(&format!("{BATCH} --out a --resume"), 0);
    assert!(said.out.contains("12 runs of 300 steps"), "{}", said.out);
    assert!(place.files("a") == before && place.read("a/timing.json") == timing);
    place.ends(&format!("{BATCH} --out b -q"), 0);
    assert_same(&place, "a", "b");
}

#[test]
fn what_comes_in_from_files_and_cars_resume_too() {
    let place = Place::new();
    fs::create_dir(place.path("in")).unwrap();
    place.write("in/inputs-feet.csv", "step,foot,x_mm,y_mm\n1,0,210,190\n30,0,180,220\n");
    for line in ["run small.json --inputs in --runs 6 --jobs 1", "run road.json --runs 6 --jobs 1"] {
        let place = &place;
        place.ends(&format!("{line} --out whole --overwrite -q"), 0);
        let _ = fs::remove_dir_all(place.path("a"));
        cut(place, &format!("{line} --out a"), "-KILL", 2);
        place.ends(&format!("{line} --out a --resume -q"), 0);
        assert_same(place, "a", "whole");
    }
    place.write("in/inputs-feet.csv", "step,foot,x_mm,y_mm\n1,0,210,190\n30,0,180,221\n");
    place.ends("run small.json --inputs in --runs 6 --overwrite --out a -q", 0);
    place.write("in/inputs-feet.csv", "step,foot,x_mm,y_mm\n1,0,210,190\n30,0,180,220\n");
    let said = place.ends("run small.json --inputs in --runs 6 --resume --out a", 2).err;
    assert!(said.contains("line 3 of inputs-feet.csv was \"30,0,180.0,221.0\" and is \"30,0,180.0,220.0\""), "{said}");
}

#[test]
fn another_batch_is_refused_with_what_differs_and_stays() {
    let place = Place::new();
    place.ends(&format!("{BATCH} --out a -q"), 0);
    let before = place.files("a");
    let refused = |line: &str, words: &str| {
        let said = place.ends(line, 2).err;
        assert!(said.contains(words), "{line}: {said}");
        assert!(place.files("a") == before, "{line}");
    };
    let other = "error: a holds another batch, which cannot be gone on with: ";
    refused(&format!("{BATCH} --out a --resume --seed 7"), &format!("{other}scenario.seed was 1 and is 7"));
    refused(&format!("{BATCH} --out a --resume --set feet.count=2"), "scenario.feet.count was 1 and is 2");
    refused(&BATCH.replace("--runs 12", "--runs 13 --resume --out a"), "the number of runs was 12 and is 13");
    refused(&format!("{BATCH} --out a --resume --no-trace"), "the tables of single runs was written and is left out");
    refused(&format!("{BATCH} --out a"), "a already holds a batch; --resume goes on with it, --overwrite replaces it");
    refused("run small.json --out a --resume", "--resume goes on with a batch: give its number of runs by --runs");
    refused(&format!("{BATCH} --out a --resume --overwrite"), "cannot be used with");
    // Another version of the program.
    let record = place.read("a/run.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    place.write("a/run.json", &record.replace(&version, "\"version\": \"0.0.1\""));
    let said = place.ends(&format!("{BATCH} --out a --resume"), 2).err;
    assert!(said.contains("the program's version was 0.0.1 and is "), "{said}");
    // A single run and a sweep are no batches.
    place.ends("run small.json --steps 6 --out b -q", 0);
    let said = place.ends(&format!("{BATCH} --out b --resume"), 2).err;
    assert!(said.contains("b already holds a run; --overwrite replaces it"), "{said}");
}
