//! What comes of runs: folders, summaries, verdicts, and the same bytes again.

mod common;

use common::{Place, objects, rows};
use std::fs;
use std::process::Command;

#[test]
fn a_run_is_summarised_and_its_folder_named() {
    let place = Place::new();
    let said = place.ends("run small.json", 0);
    assert!(said.out.starts_with("small: seed 1, run 0, 240 steps, 4 s simulated\ntook "), "{}", said.out);
    let words = [
        "All 14 limits are kept.\n  ok      min_robot_robot_mm  ",
        "Liveliness:\n          wish_followed_share  ",
        "are in out/small\nall measures: summary.csv, or -v\nto watch it: sim-cli replay out/small\nto repeat it: ",
    ];
    for words in words {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert!(!said.out.contains("MISSED") && !said.out.contains("d_r_violations"));
    assert!(said.out.lines().count() <= 18, "a screen at a glance: {}", said.out);
    // Without tables there is nothing to watch.
    assert!(!place.ends("run small.json --no-trace --out bare", 0).out.contains("to watch it"));
    assert_eq!(place.json("out/small/run.json")["complete"], true);
    for name in ["agents.csv", "feet.csv", "patches.csv", "events.csv", "summary.csv", "timing.json", "scenario.json"] {
        assert!(place.path("out/small").join(name).exists(), "{name}");
    }
    let timing = place.json("out/small/timing.json");
    assert!(timing["wall_s"].as_f64().unwrap() > 0.0 && timing["step_us_p50"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_line_of_the_summary_repeats_the_table() {
    let place = Place::new();
    let said = place.ends("run small.json --format json --out a", 0);
    assert_eq!(said.err, "");
    let result = said.result();
    assert_eq!((result["kind"].as_str(), result["name"].as_str()), (Some("run"), Some("small")));
    assert_eq!((result["seed"].as_u64(), result["run_index"].as_u64()), (Some(1), Some(0)));
    assert_eq!((result["simulated_s"].as_f64(), result["accepted"].as_bool()), (Some(4.0), Some(true)));
    assert_eq!(result["final_state_hash"], place.json("a/run.json")["final_state_hash"]);
    let table = rows(&place.path("a/summary.csv"));
    let metrics = result["metrics"].as_array().unwrap();
    assert_eq!(metrics.len(), table.len());
    for (metric, row) in metrics.iter().zip(&table) {
        assert_eq!(metric["metric"], row[0]);
        assert_eq!(metric["value"].as_f64(), row[1].parse::<f64>().ok(), "{row:?}");
        assert_eq!(metric["ok"].as_bool(), row[4].parse().ok(), "{row:?}");
        assert_eq!(metric["bound"].as_str().unwrap_or_default(), row[5], "{row:?}");
    }
    let text = place.ends("run small.json --out b -v", 0).out;
    for (bound, words) in [("floor", "   at least "), ("ceiling", "   at most ")] {
        let limited = table.iter().filter(|row| row[5] == bound && !row[3].is_empty()).count();
        assert!(limited > 0);
        assert_eq!(text.lines().filter(|line| line.contains(words)).count(), limited, "{text}");
    }
    // One measure of the liveliness block has no value without feet that roam.
    let block = text.split("Liveliness:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(block.lines().count() >= 9, "{block}");
}

#[test]
fn flags_change_what_they_say() {
    let place = Place::new();
    place.ends("run small.json --steps 60 --seed 9 --trace-every 30 --set agents.count=7 --out a -q", 0);
    let scenario = place.json("a/scenario.json");
    assert_eq!((scenario["steps"].as_u64(), scenario["seed"].as_u64()), (Some(60), Some(9)));
    assert_eq!((scenario["agents"]["count"].as_u64(), scenario["trace"]["every"].as_u64()), (Some(7), Some(30)));
    assert_eq!(place.json("a/run.json")["steps_done"], 60);
    // Steps 0, 30 and 60 of seven robots.
    assert_eq!(rows(&place.path("a/agents.csv")).len(), 21);
    place.ends("run small.json --steps 60 --no-trace --out b -q", 0);
    let names: Vec<String> = place.files("b").into_keys().collect();
    assert_eq!(names, ["run.json", "scenario.json", "summary.csv", "tables.json", "view.json"]);
}

#[test]
fn quiet_says_nothing_and_verbose_says_more_elsewhere() {
    let place = Place::new();
    let said = place.ends("run careless.json --steps 60 -q --out a", 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    let said = place.ends("run small.json --steps 60 -v --out b", 0);
    assert!(said.err.contains("run begins") && said.err.contains("steps=60"), "{}", said.err);
    assert!(said.out.starts_with("small: "));
}

#[test]
fn nothing_is_coloured_that_is_not_read_by_eyes() {
    let place = Place::new();
    let said = place.ends("run careless.json --steps 60 --accept -v --out a", 3);
    assert!(said.out.contains("MISSED"));
    let usage = place.ends("run small.json --fast", 2);
    let drawn = place.ends("check careless.json --set agents.cuont=1", 2);
    let help = place.ends("run --help", 0);
    let all = [said, usage, drawn, help].map(|said| said.out + &said.err).concat();
    assert!(!all.contains('\u{1b}'), "{all}");
}

#[test]
fn accept_ends_with_status_3_and_names_the_lines() {
    let place = Place::new();
    let said = place.ends("run careless.json --accept --out a", 3);
    assert!(said.out.contains("  MISSED  d_r_violations"), "{}", said.out);
    let last = said.err.lines().last().unwrap();
    assert!(last.starts_with("error: not accepted: d_r_violations = "), "{}", said.err);
    assert_eq!(place.json("a/run.json")["complete"], true);
    // Without --accept the same run ends with status 0.
    place.ends("run careless.json --out b", 0);
    assert_eq!(place.files("a"), place.files("b"));
    place.ends("run small.json --accept --out c", 0);
    place.ends("run small.json --accept --runs 2 --out d", 0);
    let said = place.ends("run careless.json --accept --runs 2 --no-trace --out e --format json", 3);
    assert_eq!(objects(&said.err).last().unwrap()["message"], "not accepted: 2 of 2 runs");
    assert_eq!(said.result()["accepted"], false);
    let said = place.ends("run careless.json --accept -q --out f", 3);
    assert!(said.out.is_empty() && said.err.lines().count() == 1, "{}", said.err);
}

#[test]
fn a_run_alone_has_the_bytes_that_it_has_in_the_batch() {
    let place = Place::new();
    place.ends("run small.json --runs 4 --jobs 2 --out batch -q", 0);
    place.ends("run small.json --runs 4 --jobs 1 --out one-job -q", 0);
    assert_eq!(place.files("batch"), place.files("one-job"));
    place.ends("run small.json --run-index 3 --out alone -q", 0);
    let of_batch = place.files("batch/run-00003");
    assert_eq!(place.files("alone"), of_batch);
    assert!(of_batch.len() == 11 && of_batch != place.files("batch/run-00002"));
}

#[test]
fn a_batch_is_summarised_with_its_worst_runs() {
    let place = Place::new();
    let said = place.ends("run careless.json --runs 3 --no-trace --out a", 0);
    assert!(said.out.starts_with("careless: seed 1, 3 runs of 600 steps (10 s simulated each)\n"), "{}", said.out);
    assert!(
        said.out.contains("\n0 of 3 runs accepted; at 95 % confidence at most 100 % of such runs fail\n"),
        "{}",
        said.out
    );
    let result = place.ends("run careless.json --runs 3 --no-trace --out b --format json", 0).result();
    assert_eq!((result["kind"].as_str(), result["runs"].as_u64()), (Some("batch"), Some(3)));
    assert_eq!(result["accepted_runs"], 0);
    // The worst of them has the most violations in the table.
    let table = rows(&place.path("a/runs.csv"));
    let count = |row: &Vec<String>| row[2].parse::<f64>().unwrap() + row[3].parse::<f64>().unwrap();
    let worst = table.iter().max_by(|a, b| count(a).total_cmp(&count(b))).unwrap();
    assert_eq!(result["worst"][0]["run_index"].as_u64(), worst[0].parse().ok());
    let first = said.out.split("Worst runs:\n").nth(1).unwrap().lines().next().unwrap();
    assert!(first.starts_with(&format!("  run {}: d_r_violations ", worst[0])), "{first}");
}

/// The commands that are printed are typed again, through a shell, from the same folder.
#[test]
#[cfg(unix)]
fn the_commands_that_repeat_runs_do() {
    let place = Place::new();
    fs::rename(place.path("small.json"), place.path("my small.json")).unwrap();
    let again = |command: &str| {
        let line = command.replacen("sim-cli", &format!("'{}'", common::program()), 1) + " -q";
        let status = Command::new("sh").args(["-c", &line]).current_dir(place.path("")).status().unwrap();
        assert!(status.success(), "{line}");
    };
    let run = |words: &str| {
        let line: Vec<&str> =
            ["run", "my small.json", "--format", "json"].into_iter().chain(words.split(' ')).collect();
        common::Said::new(&place.sim_words(&line).assert().code(0)).result()
    };
    let one = run("--set feet.idle_s=[3,4] --seed 4 --steps 120 --trace-every 20 --run-index 2 --out one");
    again(one["repeat"].as_str().unwrap());
    assert_eq!(place.files("one"), place.files("one-again"));

    let batch = run("--steps 120 --runs 3 --out batch");
    again(batch["repeat"].as_str().unwrap());
    assert_eq!(place.files("batch"), place.files("batch-again"));
    let index = batch["worst"][0]["run_index"].as_u64().unwrap();
    again(batch["worst"][0]["repeat"].as_str().unwrap());
    assert_eq!(place.files(&format!("batch-run-{index}")), place.files(&format!("batch/run-{index:05}")));
}

#[test]
fn a_run_is_not_overwritten_unless_that_was_asked_for() {
    let place = Place::new();
    place.ends("run small.json --out a -q", 0);
    let before = place.files("a");
    let said = place.ends("run small.json --out a --seed 2", 2);
    assert_eq!(said.err, "error: a already holds a run; --overwrite replaces it, --out DIR chooses another folder\n");
    assert_eq!(place.files("a"), before);
    fs::write(place.path("a/notes.txt"), "mine").unwrap();
    place.ends("run small.json --out a --seed 2 --overwrite -q --no-trace", 0);
    assert_eq!(place.json("a/run.json")["seed"], 2);
    assert!(!place.path("a/agents.csv").exists(), "the old run's tables are gone");
    assert_eq!(place.read("a/notes.txt"), "mine");
}

#[test]
fn a_folder_that_is_not_a_runs_is_never_cleared() {
    let place = Place::new();
    fs::create_dir(place.path("a")).unwrap();
    fs::write(place.path("a/agents.csv"), "mine").unwrap();
    let said = place.ends("run small.json --out a --overwrite", 2);
    assert!(said.err.starts_with("error: a/agents.csv is in the way"), "{}", said.err);
    assert_eq!(place.files("a").len(), 1);
    assert_eq!(place.read("a/agents.csv"), "mine");
}

#[test]
fn a_folder_that_cannot_be_made_ends_with_status_1_and_is_named() {
    let place = Place::new();
    fs::write(place.path("taken"), "mine").unwrap();
    for out in ["taken", "taken/below"] {
        let said = place.ends(&format!("run small.json --out {out}"), 1);
        assert!(said.err.starts_with(&format!("error: could not create {out}: ")), "{}", said.err);
        let said = place.ends(&format!("run small.json --runs 2 --out {out} --format json"), 1);
        assert_eq!(objects(&said.err)[0]["kind"], "run");
    }
    assert_eq!(place.read("taken"), "mine");
}

#[test]
fn tables_too_long_for_a_spreadsheet_are_warned_of_with_what_fits() {
    let place = Place::new();
    let said = place.ends("run small.json --steps 1 --out a", 0);
    assert_eq!(said.err, "");
    // The warning comes before the run, which then finds a file where its folder should be.
    let long = "run endless.json --set steps=3000000 --set trace.every=1 --out taken --format json";
    fs::write(place.path("taken"), "mine").unwrap();
    let said = place.ends(long, 1);
    let warned = objects(&said.err);
    let messages: Vec<&str> = warned.iter().filter_map(|line| line["message"].as_str()).collect();
    // 5 robots: 5 (3000000 / k + 1) + 1 rows fit 1048576 from k = 15 on. The swarm and one foot: k = 3. Ten patches: k = 29.
    for (message, (rows, fits)) in
        messages.iter().zip([("15000006", "15"), ("3000002", "3"), ("3000002", "3"), ("30000011", "29")])
    {
        assert!(message.contains(&format!("will have {rows} rows")), "{message}");
        assert!(message.ends_with(&format!("--trace-every {fits} fits")), "{message}");
    }
    assert_eq!(warned.iter().filter(|line| line["kind"] == "table_length").count(), 4);
}

#[test]
fn a_replaced_run_takes_its_page_and_picture_along_and_names_what_stays() {
    let place = Place::new();
    for (batch, folder) in [("", "a"), ("--runs 2", "a/run-00001")] {
        place.ends(&format!("run small.json --steps 60 {batch} --overwrite -q --out a"), 0);
        place.ends(&format!("replay {folder}"), 0);
        place.ends(&format!("render {folder}"), 0);
        assert!(place.path(folder).join("replay.html").exists() && place.path(folder).join("frame.png").exists());
        let said = place.ends(&format!("run small.json --steps 30 {batch} --overwrite --out a"), 0).err;
        assert!(!place.path(folder).join("replay.html").exists() && !place.path(folder).join("frame.png").exists());
        assert!(!said.contains("stays as it is"), "{said}");
    }
    place.ends("run small.json --steps 60 --overwrite -q --out a", 0);
    place.ends("render a --out a/mine.svg", 0);
    let said = place.ends("run small.json --steps 30 --overwrite --out a", 0).err;
    assert!(said.contains("warning: a/mine.svg stays as it is; it does not show this run"), "{said}");
    assert!(place.path("a/mine.svg").exists());
}
