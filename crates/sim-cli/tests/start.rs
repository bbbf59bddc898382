//! What a new user starts from: `new` and the tables of `docs`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use serde_json::Value;
use std::fs;

fn explained(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.ends(&format!("explain {name}"), 0).out).unwrap()
}

/// The start is the swarm of ten, with more keys written out.
#[test]
fn a_new_scenario_is_the_swarm_of_ten_with_its_keys_explained() {
    let place = Place::new();
    let said = place.ends("new deep/mine.json", 0);
    assert!(
        said.out.starts_with("deep/mine.json is written, and deep/scenario.schema.json beside it\n"),
        "{}",
        said.out
    );
    for words in
        ["  duration_s ", "Length of a run in seconds", "  safety.filter ", "\"joint\"", "sim-cli run deep/mine.json"]
    {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert_eq!(place.read("deep/scenario.schema.json"), place.ends("schema", 0).out);
    let (mut mine, mut ten) = (explained(&place, "deep/mine.json"), explained(&place, "@swarm-10"));
    assert_eq!((&mine["name"], &mine["duration_s"], &ten["steps"]), (&"mine".into(), &600.into(), &36_000.into()));
    for scenario in [&mut mine, &mut ten] {
        ["name", "duration_s", "steps", "$schema"].iter().for_each(|key| {
            scenario.as_object_mut().unwrap().remove(*key);
        });
    }
    assert_eq!(mine, ten);
    place.ends("run deep/mine.json --steps 6 -q", 0);
    assert!(place.path("out/mine/run.json").exists());
}

#[test]
fn every_scenario_that_came_along_can_be_copied_and_is_the_same_but_for_its_name() {
    let place = Place::new();
    let listed = place.ends("scenarios --format json", 0).result();
    for entry in listed["scenarios"].as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let said = place.ends(&format!("new copies/my-{name}.json --from @{name} --format json"), 0).result();
        assert_eq!(said["kind"], "new");
        let (mut copy, mut original) =
            (explained(&place, &format!("copies/my-{name}.json")), explained(&place, &format!("@{name}")));
        assert_eq!(copy["name"], format!("my-{name}"));
        original["name"] = copy["name"].take();
        copy["name"] = original["name"].clone();
        assert_eq!(copy, original, "{name}");
    }
    assert!(place.path("copies/maps/course.geojson").exists());
    assert!(place.path("copies/routes/gallery.csv").exists());
}

#[test]
fn new_never_replaces_a_file_and_refuses_names_that_no_scenario_can_have() {
    let place = Place::new();
    fs::create_dir(place.path("a")).unwrap();
    place.write("a/mine.json", "mine");
    place.write("a/scenario.schema.json", "mine too");
    let said = place.ends("new a/mine.json", 2).err;
    assert!(said.contains("a/mine.json is already there and stays as it is; choose another name"), "{said}");
    place.ends("new a/other.json", 0);
    assert_eq!((place.read("a/mine.json"), place.read("a/scenario.schema.json")), ("mine".into(), "mine too".into()));
    let refused = |words: &[&str], wanted: &str| {
        let output = place.sim_words(words).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(wanted), "{said}");
    };
    refused(&["new", "mine.txt"], "mine.txt does not end in .json");
    refused(&["new", "my swarm.json"], "name: is \"my swarm\", must be a name of 1 to 64 letters, digits, - and _");
    refused(&["new", "b.json", "--from", "@squeze"], "did you mean \"@squeeze\"?");
    assert!(!place.path("my swarm.json").exists() && !place.path("b.json").exists());
}

#[test]
fn all_measures_of_all_worlds_are_printed_with_what_they_mean() {
    let place = Place::new();
    let rows = place.ends("docs measures --format json", 0).result();
    let rows = rows["rows"].as_array().unwrap();
    let find =
        |world: &str, name: &str| rows.iter().find(|row| row["world"] == world && row["measure"] == name).unwrap();
    let near = find("mat", "min_robot_foot_mm");
    assert_eq!(
        (near["unit"].as_str(), near["bound"].as_str(), near["runs"].as_str()),
        (Some("mm"), Some(">= d_h_mm"), Some("min"))
    );
    assert_eq!(near["about"], "smallest swept distance of a robot and a foot");
    assert_eq!(find("sea", "depth_error_max_m")["runs"], "max");
    // A few names say all; their cells are empty on the pages too.
    let silent: Vec<&Value> = rows.iter().filter(|row| row["about"] == "").collect();
    assert!(silent.iter().all(|row| row["world"] == "mat") && silent.len() < 12, "{silent:?}");
    // A run prints the same names in the same order.
    place.ends("run small.json --steps 60 --no-trace -q --out a", 0);
    let of_run = common::rows(&place.path("a/summary.csv"));
    let of_mat: Vec<&str> =
        rows.iter().filter(|row| row["world"] == "mat").filter_map(|row| row["measure"].as_str()).collect();
    assert_eq!(of_mat, of_run.iter().map(|row| row[0].as_str()).collect::<Vec<_>>());
    let text = place.ends("docs measures --world road", 0).out;
    assert!(text.lines().count() > 5 && text.lines().all(|line| line.starts_with("road  ")), "{text}");
}

#[test]
fn keys_and_events_are_printed_with_what_they_mean() {
    let place = Place::new();
    let text = place.ends("docs keys --world mat", 0).out;
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| *line == "mat  agents.count = 30").unwrap();
    assert!(lines[at + 1].trim_start().starts_with("a whole number from 0 to 100000. "), "{}", lines[at + 1]);
    let rows = place.ends("docs keys --format json", 0).result();
    let rows = rows["rows"].as_array().unwrap().clone();
    assert!(rows.iter().any(|row| row["world"] == "road" && row["key"] == "cars[].start.x_m"));
    assert!(rows.iter().any(|row| row["world"] == "sea" && row["key"] == "duration_s"));
    // Kinds of events of each world, as runs write them.
    let events = place.ends("docs events", 0).out;
    for kind in ["d_r_violation_begin", "foot_phase", "collision", "surfaced"] {
        assert!(events.lines().any(|line| line.split(", ").any(|word| word == kind)), "{kind}: {events}");
    }
    place.ends("run careless.json -q --out a", 0);
    for row in common::rows(&place.path("a/events.csv")) {
        let kind = row[2].strip_suffix("_in_sealed_pocket").unwrap_or(&row[2]);
        assert!(events.lines().any(|line| line.split(", ").any(|word| word == kind)), "{kind}");
    }
}

#[test]
fn misspelt_tables_and_worlds_get_the_near_ones() {
    let place = Place::new();
    assert!(place.ends("docs mesures", 2).err.contains("'measures'"));
    let said = place.ends("docs keys --world raod", 2).err;
    assert!(said.contains("\"raod\" is no world: there are mat, road, sea; did you mean \"road\"?"), "{said}");
}
