//! Where scenarios come from: files and their near names, standard input, and those that came along.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::{Place, Said, objects};
use std::fs;
use std::path::Path;

const SWEEP: &str =
    r#"{ "name": "few", "scenario": "../scenarios/swarm-10.json", "repeats": 2, "set": { "steps": 6 } }"#;

/// A place with the folders `scenarios` and `sweeps`.
fn place() -> Place {
    let place = Place::new();
    for folder in ["scenarios", "sweeps"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    place.write("scenarios/swarm-10.json", common::SMALL);
    place.write("scenarios/scenario.schema.json", &place.ends("schema", 0).out);
    place.write("sweeps/few.json", SWEEP);
    place
}

#[test]
fn a_sweep_and_a_scenario_in_the_place_of_the_other_are_told_apart() {
    let place = place();
    for command in ["run", "check", "explain", "streams"] {
        let said = place.ends(&format!("{command} sweeps/few.json"), 2).err;
        let words = "sweeps/few.json: is a sweep, not a scenario; `sim-cli sweep sweeps/few.json` runs it";
        assert!(said.contains(words) && said.matches("error: ").count() == 1, "{command}: {said}");
    }
    let said = place.ends("sweep scenarios/swarm-10.json", 2).err;
    let words = "is a scenario, not a sweep; `sim-cli run scenarios/swarm-10.json` runs it";
    assert!(said.contains(words) && said.matches("error: ").count() == 1, "{said}");
    let said = place.ends("run scenarios/scenario.schema.json", 2).err;
    assert!(said.contains("is a JSON Schema, which editors read, not a scenario"), "{said}");
}

#[test]
fn a_file_that_is_not_there_gets_a_near_name() {
    let place = place();
    for (line, meant) in [
        ("run swarm-10", "scenarios/swarm-10.json"),
        ("run scenarios/swarm-1O.json", "scenarios/swarm-10.json"),
        ("check smal.json", "small.json"),
        ("explain scenarios/patches-onyl.json", "@patches-only"),
        ("sweep sweeps/fwe.json", "sweeps/few.json"),
        ("sweep few", "sweeps/few.json"),
    ] {
        let said = place.ends(line, 2).err;
        assert!(
            said.contains("No such file") && said.contains(&format!("; did you mean \"{meant}\"?")),
            "{line}: {said}"
        );
    }
    let said = place.ends("run nothing-like-it.json", 2).err;
    assert!(said.contains("No such file") && !said.contains("did you mean"), "{said}");
    let said = place.ends("run swarm-10 --format json", 2).err;
    assert_eq!(objects(&said)[0]["suggestion"], "scenarios/swarm-10.json");
}

#[test]
fn check_skips_the_schema_that_lies_beside_scenarios() {
    let place = place();
    let said = place.ends("check scenarios/scenario.schema.json scenarios/swarm-10.json", 0);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "skip   scenarios/scenario.schema.json: a JSON Schema for editors");
    assert!(lines.len() == 2 && lines[1].starts_with("ok     scenarios/swarm-10.json"), "{}", said.out);
    assert_eq!(said.err, "");
    let said = place.ends("check scenarios/scenario.schema.json --format json", 0);
    assert_eq!(said.result()["skipped"], "a JSON Schema for editors");
}

#[test]
fn a_scenario_is_read_from_standard_input() {
    let place = place();
    let piped =
        |line: &str, text: &str, status: i32| Said::new(&place.sim(line).write_stdin(text).assert().code(status));
    assert!(piped("check -", common::SMALL, 0).out.starts_with("ok     -"));
    assert_eq!(piped("explain -", common::SMALL, 0).out, place.ends("explain small.json", 0).out);
    assert_eq!(piped("run - --steps 6 -q --out a", common::SMALL, 0).err, "");
    assert_eq!(place.json("a/run.json")["steps_done"], 6);
    let said = piped("check -", "{\n  \"name\": \"x\", \"wrold\": \"mat\"\n}", 2).err;
    assert!(said.contains("standard input:2:16") && said.contains("did you mean \"world\"?"), "{said}");
}

/// Each file in the folder of scenarios is held, and is the same scenario by its name and by its path.
#[test]
fn all_scenarios_of_the_folder_came_along() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect();
    files.retain(|name| !name.ends_with(".schema"));
    files.sort();
    let listed = place.ends("scenarios --format json", 0).result();
    let entries = listed["scenarios"].as_array().unwrap();
    let mut held: Vec<&str> = entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    held.sort_unstable();
    assert_eq!(held, files);
    let text = place.ends("scenarios", 0).out;
    for (entry, name) in entries.iter().zip(&files) {
        let (about, shown) = (entry["about"].as_str().unwrap(), entry["name"].as_str().unwrap());
        assert!(
            about.ends_with('.')
                && text.lines().any(|line| line.starts_with(&format!("@{shown} ")) && line.ends_with(about))
        );
        let by_path = folder.join(format!("{name}.json"));
        let by_path = place.sim_words(&["explain", by_path.to_str().unwrap()]).output().unwrap();
        assert_eq!(place.ends(&format!("explain @{name}"), 0).out.as_bytes(), by_path.stdout, "{name}");
    }
}

#[test]
fn a_scenario_that_came_along_is_checked_run_and_swept_by_its_name() {
    let place = place();
    let said = place.ends("check @swarm-10 @car-loop", 0).out;
    assert!(said.starts_with("ok     @swarm-10") && said.contains("\nok     @car-loop"), "{said}");
    let said = place.ends("run @swarm-10 --steps 6 --format json --out a", 0);
    assert!(said.result()["repeat"].as_str().unwrap().starts_with("sim-cli run @swarm-10 --steps 6 "), "{}", said.out);
    place.write("mine.json", &SWEEP.replace("../scenarios/swarm-10.json", "@swarm-10"));
    place.ends("sweep mine.json -q --out b", 0);
    assert_eq!(common::rows(&place.path("b/runs.csv")).len(), 2);
    assert!(place.ends("streams @car-wall", 0).out.contains("lidar.csv"));
}

#[test]
fn a_misspelt_name_of_one_that_came_along_gets_the_near_one() {
    let place = place();
    place.write("mine.json", &SWEEP.replace("../scenarios/swarm-10.json", "@sqeeze"));
    for (line, meant) in
        [("run @swarm10", "@swarm-10"), ("explain @plaza-100", "@plaza-1000"), ("sweep mine.json", "@squeeze")]
    {
        let said = place.ends(line, 2).err;
        assert!(
            said.contains(&format!("did you mean \"{meant}\"?")) && said.contains("`sim-cli scenarios` lists"),
            "{said}"
        );
    }
}
