//! Sweeps as a user meets them: plans, tables, a report, messages, and kills in the middle.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::{Place, Said, program};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Two cells of runs that take a few milliseconds each, one that cannot be run.
const SWEEP: &str = r#"{
  "name": "few",
  "question": "How many <robots> are few?",
  "scenario": "small.json",
  "set": { "steps": 60 },
  "axes": [{ "path": "agents.count", "name": "robots", "values": [3, 6, 90] }],
  "repeats": 40,
  "measures": ["moving_share"]
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("few.json", SWEEP);
    place
}

#[test]
fn a_plan_says_what_would_be_run_and_writes_nothing() {
    let place = place();
    let Said { out, err } = place.ends("sweep few.json --plan", 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "few: 3 cells, at most 80 runs");
    assert_eq!(lines[1], "question: How many <robots> are few?");
    assert_eq!(lines[2], "axis: agents.count = 3, 6, 90");
    assert_eq!(lines[3], "runs: 40 in each cell");
    assert!(lines[4].starts_with("about 0:0") && lines[4].contains(" on one core, "), "{out}");
    assert!(
        lines[5].starts_with("1 cells cannot be run; the first is cell 2: agents.count: is 90, but only "),
        "{out}"
    );
    assert_eq!(err, "");
    assert!(!place.path("out").exists());
    let plan = place.ends("sweep few.json --plan --format json", 0).result();
    assert_eq!((plan["cells"].as_u64(), plan["runs_at_most"].as_u64()), (Some(3), Some(80)));
}

#[test]
fn a_sweep_of_the_road_ends_in_its_own_measures_and_a_report() {
    let place = Place::new();
    place.write(
        "cars.json",
        r#"{ "name": "cars", "world": "road", "steps": 300, "cars": [{ "start": { "x_m": 2 } },
            { "driver": { "commands": [{ "at_s": 0, "velocity_m_s": 0.8 }] } }] }"#,
    );
    place.write(
        "road.json",
        r#"{ "name": "road", "scenario": "cars.json", "repeats": 2,
            "axes": [{ "path": "cars[1].params.velocity_max_m_s", "name": "speed", "values": [0.01, 0.8] }] }"#,
    );
    let Said { out, err } = place.ends("sweep road.json", 0);
    assert!(out.starts_with("road: 2 cells, 4 runs of which 2 were clean"), "{out}");
    // The cars that meet are the worst: two collisions, one of each car.
    let worst = fs::read_to_string(place.path("out/road/worst.csv")).unwrap();
    assert!(worst.lines().nth(1).unwrap().starts_with("1,2,1,0,1,0,0.8,0.0,2.0,"), "{worst}");
    assert!(out.ends_with("\nresults are in out/road\nreport: out/road/report.html\n"), "{out}");
    assert!(!format!("{out}{err}").contains("cannot be played"), "{err}");
}

/// A mean of summary.csv with four decimals, as shares are printed.
fn mean_of(summary: &str, cell: &str, measure: &str) -> String {
    let row = summary.lines().find(|line| line.starts_with(cell) && line.contains(measure)).unwrap();
    format!("{:.4}", row.split(',').nth(6).unwrap().parse::<f64>().unwrap())
}

#[test]
fn a_sweep_without_measures_of_its_own_ends_in_its_clean_runs() {
    let place = place();
    let named = "sweep few.json --out out/named";
    place.write("few.json", &SWEEP.replace("[\"moving_share\"]", "[\"clean\", \"moving_share\"]"));
    let Said { out, .. } = place.ends(named, 0);
    assert!(out.contains("  6             none of 40 runs") && !out.contains("moving_share"), "{out}");
    assert_eq!(place.json("out/named/sweep.json")["headline"], "clean");
    place.write("few.json", &SWEEP.replace("\"measures\":", "\"headline\": \"speed_mean_mm_s\", \"measures\":"));
    let said = place.ends("sweep few.json --out out/other", 2).err;
    assert!(
        said.contains("headline: \"speed_mean_mm_s\" is not kept; kept are clean, least_room_mm, moving_share"),
        "{said}"
    );
}

/// For programs: the same means and intervals as in summary.csv, by setting.
/// One run has no interval, and is drawn all the same: a dot for each setting.
#[test]
fn single_runs_are_dots_in_the_plots() {
    let place = place();
    let dots = |repeats: u32| {
        let sweep = SWEEP.replace("40", &repeats.to_string()).replace("3, 6, 90", "3, 5, 6");
        place.write("few.json", &sweep);
        place.ends("sweep few.json --overwrite -q", 0);
        let plot = fs::read_to_string(place.path("out/few/plots/moving-share-over-robots.svg")).unwrap();
        // Of all shapes in a plot dots alone are round.
        plot.lines().filter(|line| line.starts_with("<path") && line.contains('C')).count()
    };
    assert_eq!([dots(1), dots(2)], [3, 3]);
}

#[test]
fn the_measure_that_was_asked_for_is_in_the_json() {
    let place = place();
    let headline = place.ends("sweep few.json --format json", 0).result()["headline"].clone();
    assert_eq!(headline["measure"], "moving_share");
    let summary = place.read("out/few/summary.csv");
    let cells = headline["cells"].as_array().unwrap();
    let mut means = Vec::new();
    for (cell, count) in cells.iter().zip([3, 6]) {
        assert_eq!(cell["setting"]["agents.count"].as_f64(), Some(f64::from(count)));
        let mean = cell["mean"].as_f64().unwrap();
        let row = summary.lines().find(|line| line.contains(&format!(",{count},moving_share,"))).unwrap();
        assert_eq!(row.split(',').nth(6).unwrap().parse(), Ok(mean), "{row}");
        let interval = cell["interval"].as_array().unwrap();
        assert!(interval[0].as_f64().unwrap() <= mean && mean <= interval[1].as_f64().unwrap(), "{cell}");
        means.push(mean);
    }
    // The third setting cannot be run.
    assert_eq!((cells.len(), &cells[2]["mean"]), (3, &serde_json::Value::Null));
    let [low, high] = if means[0] < means[1] { [0, 1] } else { [1, 0] };
    assert_eq!((&headline["lowest"], &headline["highest"]), (&cells[low], &cells[high]));
}

#[test]
fn a_sweep_ends_in_tables_and_a_report() {
    let place = place();
    let Said { out, .. } = place.ends("sweep few.json", 0);
    assert!(out.starts_with("few: 3 cells, 80 runs of which 80 were clean, in 0:0"), "{out}");
    // The measure that was asked for stands in each row and in the last lines, as summary.csv has it.
    let summary = place.read("out/few/summary.csv");
    let means: Vec<String> = ["0,3,", "1,6,"].into_iter().map(|cell| mean_of(&summary, cell, "moving_share")).collect();
    assert!(out.contains("\n  agents.count  moving_share"), "{out}");
    let clean = "none of 40 runs went wrong: with 95 % confidence fewer than 7.3 % would (one-sided)";
    let row = out.lines().find(|line| line.starts_with("  6  ")).unwrap();
    assert!(row.contains(&format!("  {} (", means[1])) && row.ends_with(&format!(")  {clean}")), "{out}");
    let [low, high] =
        if means[0] < means[1] { [(3, &means[0]), (6, &means[1])] } else { [(6, &means[1]), (3, &means[0])] };
    let at =
        |(count, mean): (u64, &String), word: &str| (format!("{word} {mean} ("), format!(") at agents.count {count}"));
    let last = out.lines().rev().nth(3).unwrap();
    for (start, end) in [at(low, "lowest"), at(high, "highest")] {
        assert!(last.contains(&start) && last.contains(&end), "{out}");
    }
    assert!(out.ends_with("\n\nresults are in out/few\nreport: out/few/report.html\n"), "{out}");
    for name in ["runs.csv", "summary.csv", "cells.csv", "worst.csv", "failures.csv", "sweep.json", "scenario.json"] {
        assert!(place.path("out/few").join(name).exists(), "{name}");
    }
    assert_eq!(place.json("out/few/run.json")["complete"], true);
    let report = place.read("out/few/report.html");
    assert!(report.starts_with("<!doctype html>") && !report.contains("<robots>"));
    assert!(fs::read_dir(place.path("out/few/plots")).unwrap().count() > 0);
    // The report can be made again, if that is wanted.
    let Said { err, .. } = place.ends("replay out/few", 2);
    assert!(err.contains("out/few/report.html is already there; --overwrite replaces it"), "{err}");
    place.ends("replay out/few --out page.html", 2);
    fs::remove_file(place.path("out/few/report.html")).unwrap();
    let Said { out, .. } = place.ends("replay out/few", 0);
    assert!(out.starts_with("out/few/report.html (") && place.read("out/few/report.html") == report, "{out}");
    // The command that the table names makes the run again.
    let worst = place.read("out/few/worst.csv");
    let command = worst.lines().nth(1).unwrap().rsplit(',').next().unwrap().strip_prefix("sim-cli ").unwrap();
    let mut again = Command::new(program());
    let again = again.current_dir(place.path("out/few")).args(command.split(' ')).args(["--out", "again", "-q"]);
    assert!(again.status().unwrap().success());
    // Not twice into the same folder, and never into a folder of the user's own.
    let Said { err, .. } = place.ends("sweep few.json", 2);
    assert!(
        err.contains("out/few already holds a sweep; --resume goes on with it, --overwrite replaces it, "),
        "{err}"
    );
    place.ends("sweep few.json --overwrite -q", 0);
    assert!(place.path("out/few/again/agents.csv").exists(), "what is not ours stays");
    fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/summary.csv", "mine");
    place.ends("sweep few.json --out mine", 2);
    assert_eq!(place.read("mine/summary.csv"), "mine");
}

#[test]
fn twenty_kills_at_any_moment_leave_the_same_bytes() {
    let place = place();
    place.ends("sweep few.json --out whole -q", 0);
    let mut killed = 0;
    for attempt in 0..60 {
        let mut command = Command::new(program());
        command
            .current_dir(place.path(""))
            .args(["sweep", "few.json", "--out", "cut", "--resume", "--jobs", "2", "-q"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // From before the first row to after the last table.
        sleep(Duration::from_millis(3 + 7 * (attempt * 13 % 29)));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
        if killed == 20 {
            break;
        }
    }
    place.ends("sweep few.json --out cut --resume -q", 0);
    assert!(place.files("cut") == place.files("whole"), "after {killed} kills");
    assert!(killed >= 5, "only {killed} of the kills came in time");
}

#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let place = place();
    place.write("long.json", &SWEEP.replace(r#""steps": 60"#, r#""steps": 6000"#).replace("few", "long"));
    let mut command = Command::new(program());
    command.current_dir(place.path("")).args(["sweep", "long.json", "--jobs", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let rows = place.path("out/long/runs.csv.partial");
    let has_rows = || fs::read_to_string(&rows).is_ok_and(|text| text.lines().count() > 1);
    (0..3000).take_while(|_| !has_rows()).for_each(|_| sleep(Duration::from_millis(10)));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(2), "{err}");
    let last = err.lines().last().unwrap();
    assert!(
        last.starts_with("error: interrupted after ") && last.ends_with(" kept in out/long, and --resume goes on"),
        "{err}"
    );
    assert_eq!(place.json("out/long/run.json")["reason"], "stopped");
    assert!(!place.path("out/long/report.html").exists());
    // Another file does not go on with it, and says what differs.
    place.write("long.json", &SWEEP.replace("few", "long"));
    let Said { err, .. } = place.ends("sweep long.json --resume", 2);
    assert!(
        err.contains(
            "out/long holds another sweep, which cannot be gone on with: sweep.set.steps was 6000 and is 60; "
        ),
        "{err}"
    );
}

#[test]
fn shards_from_the_command_line_make_the_same_bytes() {
    let place = place();
    place.ends("sweep few.json --out whole -q", 0);
    for shard in ["1/3", "0/3"] {
        let Said { out, .. } = place.ends(&format!("sweep few.json --out parts --shard {shard}"), 0);
        assert!(out.starts_with(&format!("shard {shard} is made: ")), "{out}");
    }
    let Said { err, .. } = place.ends("sweep few.json --out parts --merge", 2);
    assert!(err.contains("not all shards are in parts/shards: missing are 2/3"), "{err}");
    place.ends("sweep few.json --out parts --shard 2/3 -q", 0);
    let Said { out, .. } = place.ends("sweep few.json --out parts --shard 2/3", 0);
    assert!(out.starts_with("shard 2/3 is there already"), "{out}");
    place.ends("sweep few.json --out parts --merge -q", 0);
    // The sweep is whole now, and its other splits are not needed: what is named is there.
    let Said { out, .. } = place.ends("sweep few.json --out parts --shard 1/4", 0);
    assert_eq!(out, "shard 1/4 is not needed: the sweep is whole (parts/runs.csv)\n");
    let Said { out, .. } = place.ends("sweep few.json --out whole --shard 1/3 --format json", 0);
    let named = serde_json::from_str::<serde_json::Value>(&out).unwrap()["file"].as_str().unwrap().to_owned();
    assert!(place.path(&named).exists() && !place.path("whole/shards").exists(), "{out}");
    let mut parts = place.files("parts");
    parts.retain(|name, _| !name.starts_with("shards/"));
    assert!(parts == place.files("whole"));
    let Said { err, .. } = place.ends("sweep few.json --shard 3/3", 2);
    assert!(err.contains("write i/N with i from 0 to N - 1: of four shards 0/4, 1/4, 2/4 and 3/4"), "{err}");
}

#[test]
fn a_full_disk_keeps_whole_rows_and_the_sweep_goes_on() {
    let place = place();
    place.ends("sweep few.json --out whole -q", 0);
    // A quota on the size of a file stands for a full disk: 4 KiB hold some of the 80 rows, and all small files.
    let line = format!("trap '' XFSZ; ulimit -f 8; exec {} sweep few.json --out full --jobs 2", program());
    let output = Command::new("sh").current_dir(place.path("")).args(["-c", &line]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("could not write full/runs.csv.partial: ") && err.contains("whole rows are kept"), "{err}");
    let rows = place.read("full/runs.csv.partial");
    assert!(rows.ends_with('\n') && rows.lines().count() > 5, "{rows}");
    place.ends("sweep few.json --out full --resume -q", 0);
    assert!(place.files("full") == place.files("whole"));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let place = place();
    place.write("file", "mine");
    let Said { err, .. } = place.ends("sweep few.json --out file/out", 1);
    assert!(err.contains("could not create file/out: "), "{err}");
}
