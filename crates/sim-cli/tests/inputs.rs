//! What comes into runs by files: `run --inputs`, the key `inputs` of a scenario, and what is said of files that are wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

#[allow(dead_code, reason = "an example has its own start")]
#[path = "../../../examples/flock.rs"]
mod flock;
#[allow(dead_code, reason = "an example has its own start")]
#[path = "../../../examples/pointer.rs"]
mod pointer;

use common::Place;
use std::fs;

/// The first steps of `scenarios/swarm-30.json`.
const SWARM_30: &str = r#"{ "name": "swarm-30", "world": "mat", "steps": 240,
  "feet": { "count": 1, "travel": "core", "manner": "stubborn" }, "agents": { "count": 30, "drive": "point" } }"#;

/// Cubes that take every stream of the mat.
const CUBES: &str = r#"{ "name": "cubes", "world": "mat", "steps": 240, "trace": { "every": 2 },
  "limits": { "v_max_mm_s": 220, "a_max_mm_s2": 2000, "omega_max_rad_s": 6 }, "feet": { "manner": "considerate" },
  "agents": { "count": 5, "drive": "cube" },
  "mat": { "printed": [{ "kind": "collection-ring", "x_mm": 200, "y_mm": 200 }] } }"#;

/// Files of every stream of the mat.
const OF_THE_MAT: [(&str, &str); 6] = [
    ("wishes", "step,agent,vx_mm_s,vy_mm_s\n1,0,40,-20\n60,3,-100.5,0.1\n60,3,9999,9999\n120,0,,\n"),
    ("feet", "step,foot,x_mm,y_mm\n3,0,210,190.5\n160,0,,\n"),
    (
        "hands",
        "step,cube,does,height_mm,impulse_mn_s,duration_s\n20,2,lift,30,,0.2\n60,3,tap,,4,\n70,4,button_down,,,\n90,2,release,,,\n\
         95,4,button_up,,,\n100,4,power_off,,,\n",
    ),
    (
        "clients",
        "step,cube,does,characteristic,hex\n30,1,disconnect,,\n40,1,connect,,\n41,1,subscribe,101,\n50,1,write,103,03000101c86432\n\
         60,1,read,108,\n",
    ),
    ("writes", "step,cube,characteristic,hex\n20,2,103,03000101c86432\n"),
    ("target", "step,x_mm,y_mm\n5,120.5,80\n200,,\n"),
];

/// Both forms of a command, and a car given back.
const OF_THE_ROAD: [(&str, &str); 1] = [(
    "commands",
    "step,car,speed_m_s,steer_rad,acceleration_m_s2\n10,0,0.4,0.2,\n100,0,0.8,0,0.25\n250,0,,,\n10000,0,1,,\n",
)];

impl Place {
    fn write_inputs(&self, files: &[(&str, &str)]) {
        let _ = fs::remove_dir_all(self.path("in"));
        fs::create_dir(self.path("in")).unwrap();
        files.iter().for_each(|(stream, text)| self.write(&format!("in/inputs-{stream}.csv"), text));
    }

    fn hash(&self, folder: &str) -> String {
        self.json(&format!("{folder}/run.json"))["final_state_hash"].as_str().unwrap().to_owned()
    }
}

/// The two lines that every example shows.
#[test]
fn runs_of_the_examples_repeat_from_their_record() {
    let place = Place::new();
    place.write("swarm-30.json", SWARM_30);
    place.ends("run swarm-30.json --out out/own", 0);
    let own = place.hash("out/own");
    for (name, run) in [("flock", flock::run as fn(&_, &_) -> _), ("pointer", pointer::run)] {
        let (mine, again) = (format!("out/{name}"), format!("out/{name}-again"));
        run(&place.path("swarm-30.json"), &place.path(&mine)).unwrap_or_else(|e| panic!("{name}: {e}"));
        place.ends(&format!("run swarm-30.json --inputs {mine} --out {again}"), 0);
        assert_eq!(place.hash(&mine), place.hash(&again), "{name}");
        assert_ne!(place.hash(&mine), own, "{name}");
        assert_eq!(place.files(&mine), place.files(&again), "{name}");
        // Thirty rows for each step, and the header.
        assert_eq!(place.read(&format!("{again}/inputs-wishes.csv")).lines().count(), 30 * 240 + 1, "{name}");
    }
}

#[test]
fn runs_with_files_of_inputs_repeat_from_their_record() {
    let place = Place::new();
    place.write("cubes.json", CUBES);
    let all = OF_THE_MAT.map(|file| ("cubes.json", vec![file])).to_vec();
    let cases = [("cubes.json", OF_THE_MAT.to_vec()), ("road.json", OF_THE_ROAD.to_vec())];
    for (at, (scenario, files)) in all.into_iter().chain(cases).enumerate() {
        place.write_inputs(&files);
        let (first, again) = (format!("out/{at}"), format!("out/{at}-again"));
        place.ends(&format!("run {scenario} --inputs in --out {first}"), 0);
        place.ends(&format!("run {scenario} --inputs {first} --out {again}"), 0);
        assert_eq!(place.hash(&first), place.hash(&again), "{files:?}");
        assert_eq!(place.files(&first), place.files(&again), "{files:?}");
        for (stream, _) in files {
            let record = place.read(&format!("{first}/inputs-{stream}.csv"));
            assert!(record.starts_with("step,") && record.lines().count() > 1, "{record}");
        }
    }
}

#[test]
fn a_scenario_names_files_of_inputs_by_their_stream() {
    let place = Place::new();
    place.write("cubes.json", CUBES);
    place.write_inputs(&OF_THE_MAT);
    place.ends("run cubes.json --inputs in --out out/flag", 0);
    let names = OF_THE_MAT.map(|(stream, _)| format!(r#""{stream}": "in/inputs-{stream}.csv""#)).join(", ");
    let named = CUBES.replace(r#""steps": 240"#, &format!(r#""steps": 240, "inputs": {{ {names} }}"#));
    place.write("named.json", &named);
    place.ends("run named.json --out out/key", 0);
    assert_eq!(place.hash("out/flag"), place.hash("out/key"));
    // The scenario of the run folder names the record that lies beside it.
    place.ends("run out/key/scenario.json --out out/again", 0);
    assert_eq!(place.files("out/key"), place.files("out/again"));

    place.write("wrong.json", &named.replace(r#""wishes":"#, r#""wish":"#));
    let said = place.ends("run wrong.json --out out/wrong", 2).err;
    assert!(said.contains(r#"inputs.wish: is no input stream of this scenario; did you mean "wishes"?"#), "{said}");
}

/// A file that cannot be read is a fault of the key that names it; a folder of inputs makes that key count for nothing.
#[test]
fn a_missing_file_of_inputs_is_told_at_its_key() {
    let place = Place::new();
    place.write_inputs(&[("wishes", "step,agent,vx_mm_s,vy_mm_s\n1,0,40,0\n")]);
    let small = common::SMALL.replace(r#""steps""#, r#""inputs": { "wishes": "in/nowhere.csv" }, "steps""#);
    place.write("missing.json", &small);
    let fault = r#""in/nowhere.csv" cannot be opened: No such file or directory (os error 2)"#;
    let said = place.ends("check missing.json", 2).err;
    assert!(said.starts_with(&format!("error: inputs.wishes: {fault}\n --> missing.json:4:25\n")), "{said}");
    let said = place.ends("check small.json --set inputs.wishes=in/nowhere.csv", 2).err;
    assert_eq!(said, format!("error: --set inputs.wishes=in/nowhere.csv: inputs.wishes: {fault}\n"));
    place.ends("run missing.json --inputs in --out out/missing", 0);
    place.ends("run small.json --inputs in --out out/small", 0);
    assert_eq!(place.files("out/missing"), place.files("out/small"));
}

/// The folder of a run names its record, from whichever source the rows came.
#[test]
fn the_scenario_of_a_run_folder_repeats_a_run_with_inputs() {
    let place = Place::new();
    place.write("cubes.json", CUBES);
    place.write_inputs(&OF_THE_MAT);
    place.ends("run cubes.json --inputs in --out out/flag", 0);
    place.ends("run out/flag/scenario.json --out out/again", 0);
    assert_eq!(place.files("out/flag"), place.files("out/again"));
    let written = place.json("out/flag/scenario.json");
    assert_eq!(written["inputs"]["wishes"], "inputs-wishes.csv");
    assert_eq!(written["inputs"].as_object().unwrap().len(), OF_THE_MAT.len());

    place.write("swarm-30.json", SWARM_30);
    pointer::run(&place.path("swarm-30.json"), &place.path("out/program")).unwrap_or_else(|e| panic!("{e}"));
    place.ends("run out/program/scenario.json --out out/repeated", 0);
    assert_eq!(place.files("out/program"), place.files("out/repeated"));

    place.ends("run cubes.json --inputs in --runs 2 --out out/batch", 0);
    place.ends("run out/batch/scenario.json --runs 2 --out out/batch-again", 0);
    assert_eq!(place.files("out/batch"), place.files("out/batch-again"));
}

#[test]
fn rows_after_the_last_step_are_told_and_name_no_file() {
    let place = Place::new();
    place.write_inputs(&[("wishes", "step,agent,vx_mm_s,vy_mm_s\n200,0,40,0\n241,1,40,0\n\n500,1,,\n")]);
    for (steps, warning) in [
        (199, "2:1: step: is 200, after the last step, 199: this row and 2 more are not taken"),
        (499, "5:1: step: is 500, after the last step, 499: this row is not taken"),
        (500, ""),
    ] {
        let out = format!("out/{steps}");
        let said = place.ends(&format!("run small.json --inputs in --steps {steps} --out {out}"), 0).err;
        let told = said.lines().find(|line| line.contains("after the last step")).unwrap_or_default();
        assert_eq!(told.trim_start_matches("warning: in/inputs-wishes.csv:"), warning);
        assert_eq!(place.path(&out).join("inputs-wishes.csv").exists(), steps > 199);
        assert_eq!(place.json(&format!("{out}/scenario.json")).get("inputs").is_some(), steps > 199);
        place.ends(&format!("run {out}/scenario.json --out {out}-again"), 0);
        assert_eq!(place.files(&out), place.files(&format!("{out}-again")));
    }
    // The key of a scenario is told in the same way, and a batch names what it wrote.
    let line = "small.json --set inputs.wishes=in/inputs-wishes.csv --set steps=9";
    assert!(place.ends(&format!("check {line}"), 0).err.contains("is 200, after the last step, 9"));
    place.ends(&format!("run {line} --runs 2 --out out/batch"), 0);
    assert!(!place.path("out/batch/inputs-wishes.csv").exists());
    place.ends("run out/batch/scenario.json --runs 2 --out out/batch-again", 0);
    assert_eq!(place.files("out/batch"), place.files("out/batch-again"));
}

/// What is promised rests on feet whose path is known ahead, and what was measured on wishes of the robots' own.
#[test]
fn feet_from_outside_are_not_covered_by_a_guarantee() {
    let place = Place::new();
    place.write_inputs(&[("feet", "step,foot,x_mm,y_mm\n1,0,210,190\n"), ("wishes", "step,agent\n241,0\n")]);
    let none = "distances are seldom broken (no promise: it does not cover feet from outside)";
    let measured = common::SMALL.replace(r#""patches": { "count": 3 }"#, r#""patches": { "count": 10 }"#);
    place.write("small.json", &measured);
    let levels = |members: &str| {
        place.write("own.json", &measured.replace(r#""steps""#, &format!("{members} \"steps\"")));
        let inputs = "--set inputs.feet=in/inputs-feet.csv";
        let text = [String::new(), format!(" {inputs}")].map(|more| {
            let said = place.ends(&format!("check own.json{more}"), 0).out;
            said.trim_start_matches("ok     own.json: ").trim_end().to_owned()
        });
        let level = |more: &str| {
            let line = format!("run own.json {more} --out out/own --overwrite --format json");
            place.ends(&line, 0).result()["promise"].as_str().unwrap().to_owned()
        };
        (text, ["", inputs, "--inputs in"].map(level))
    };
    let (text, level) = levels("");
    let runs = "in none of 50 runs of ten minutes (measured with 10 robots: swarm-10; feet never wait)";
    assert_eq!(text, [&format!("no distance is broken: {runs}"), none]);
    assert_eq!(level, ["measured", "best_effort", "best_effort"]);
    let (text, level) = levels(r#""feet": { "manner": "considerate" },"#);
    assert_eq!(text, ["no distance is ever broken (proven: feet wait when they must)", none]);
    assert_eq!(level, ["proven", "best_effort", "best_effort"]);
    let (text, level) = levels(r#""safety": { "filter": "none" },"#);
    assert_eq!(text, ["distances will be broken (a baseline, for comparison)"; 2]);
    assert_eq!(level, ["nothing"; 3]);
    let said = place.ends("run own.json --inputs in --set safety.filter=joint --out out/said", 0).out;
    assert!(said.contains(&format!("promised: {none}\n")), "{said}");
    // Wishes leave a proof as it is, and take the ground from what was measured.
    for (manner, steps, level) in
        [("considerate", 241, "proven"), ("stubborn", 241, "best_effort"), ("stubborn", 240, "measured")]
    {
        let line = format!(
            "run small.json --set feet.manner={manner} --steps {steps} --set inputs.wishes=in/inputs-wishes.csv"
        );
        assert_eq!(
            place.ends(&format!("{line} --out out/{manner}-{steps} --format json"), 0).result()["promise"],
            level
        );
    }
}

#[test]
fn a_file_of_inputs_has_a_largest_size() {
    let place = Place::new();
    place.write_inputs(&[("wishes", "step,agent\n1,0\n")]);
    let file = fs::File::options().write(true).open(place.path("in/inputs-wishes.csv")).unwrap();
    file.set_len((256 << 20) + 1).unwrap();
    let said = place.ends("run small.json --inputs in --out out/large", 2).err;
    assert_eq!(said, "error: in/inputs-wishes.csv: is larger than 256 MiB\n");
    let said = place.ends("check small.json --set inputs.wishes=in/inputs-wishes.csv", 2).err;
    assert!(said.ends_with("inputs.wishes: \"in/inputs-wishes.csv\" is larger than 256 MiB\n"), "{said}");
}

/// They may yield bytes without end, or none until another program writes them.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files_of_inputs() {
    let place = Place::new();
    place.write_inputs(&[]);
    let made = std::process::Command::new("mkfifo").arg(place.path("in/inputs-wishes.csv")).status().unwrap();
    assert!(made.success());
    let said = place.ends("run small.json --inputs in --out out/pipe", 2).err;
    assert_eq!(said, "error: in/inputs-wishes.csv: is no regular file\n");
    let said = place.ends("check small.json --set inputs.wishes=/dev/zero", 2).err;
    assert!(said.ends_with("inputs.wishes: \"/dev/zero\" is no regular file\n"), "{said}");
}

/// A loss of power can leave half a line; that the run was killed leaves no count of its steps.
#[test]
fn the_partial_record_of_a_killed_run_is_read_up_to_its_last_whole_row() {
    let place = Place::new();
    place.write_inputs(&[]);
    place.write("in/inputs-wishes.csv.partial", "step,agent,vx_mm_s,vy_mm_s\n1,0,40,0\n90,1,40,0\n91,1,40,1");
    let said = place.ends("run small.json --inputs in --out out/killed", 0).err;
    let warning = "is the record of a run that was cut short: no rows come after step 90; --steps 90 repeats that run";
    assert!(said.contains(&format!("in/inputs-wishes.csv.partial: {warning}")), "{said}");
    assert_eq!(place.read("out/killed/inputs-wishes.csv"), "step,agent,vx_mm_s,vy_mm_s\n1,0,40.0,0.0\n90,1,40.0,0.0\n");
    // The whole file comes before a partial one.
    place.write("in/inputs-wishes.csv", "step,agent\n7,0\n");
    assert!(!place.ends("run small.json --inputs in --out out/whole", 0).err.contains("cut short"));
    assert_eq!(place.read("out/whole/inputs-wishes.csv"), "step,agent,vx_mm_s,vy_mm_s\n7,0,,\n");
}

/// A wrong file: its stream, its bytes, and all that is said of it after the path of its folder.
type Case = (&'static str, &'static [u8], &'static str);

const WRONG: [Case; 26] = [
    ("wish", b"step,agent\n", r#"/inputs-wish.csv: is of no input stream of this scenario; did you mean "wishes"?"#),
    ("wishes", b"", "/inputs-wishes.csv:1:1: is empty: its first line names the columns"),
    (
        "wishes",
        b"step,agent,vx,vy_mm_s\n1,0,1,1\n",
        "/inputs-wishes.csv:1:12: vx: is no column; known are step, agent, vx_mm_s, vy_mm_s",
    ),
    ("wishes", b"agent,vx_mm_s,vy_mm_s\n0,1,1\n", "/inputs-wishes.csv:1:1: step: is missing among the columns"),
    ("wishes", b"step,vx_mm_s,vy_mm_s\n1,1,1\n", "/inputs-wishes.csv:1:1: agent: is missing among the columns"),
    ("wishes", b"step,agent,agent\n1,1,1\n", "/inputs-wishes.csv:1:12: agent: is named twice among the columns"),
    ("wishes", b"step,agent\n0,1\n", r#"/inputs-wishes.csv:2:1: step: is "0", must be the number of a step, from 1"#),
    (
        "wishes",
        b"step,agent\nnow,1\n",
        r#"/inputs-wishes.csv:2:1: step: is "now", must be the number of a step, from 1"#,
    ),
    (
        "wishes",
        b"step,agent\n7,1\n6,1\n",
        "/inputs-wishes.csv:3:1: step: is 6 after 7: rows come in the order of their steps",
    ),
    ("wishes", b"step,agent\n1,5\n", "/inputs-wishes.csv:2:3: agent: is 5, must be from 0 to 4"),
    ("wishes", b"step,agent\n1,\n", "/inputs-wishes.csv:2:3: agent: is missing"),
    // Empty lines are left out, and are lines all the same.
    ("wishes", b"step,agent\n\n\r\n1,0\n\n1,9\n", "/inputs-wishes.csv:6:3: agent: is 9, must be from 0 to 4"),
    ("wishes", b"step,agent\r\n1,0\r\n1,8\r\n", "/inputs-wishes.csv:3:3: agent: is 8, must be from 0 to 4"),
    ("wishes", b"step,agent\n1,1.5\n", r#"/inputs-wishes.csv:2:3: agent: is "1.5", must be a whole number"#),
    (
        "wishes",
        b"step,agent,vx_mm_s,vy_mm_s\n1,0,2,inf\n",
        "/inputs-wishes.csv:2:7: vy_mm_s: is inf, must be a finite number",
    ),
    (
        "wishes",
        b"step,agent,vx_mm_s,vy_mm_s\n1,0,10001,0\n",
        "/inputs-wishes.csv:2:5: vx_mm_s: is 10001, must be from -10000 to 10000",
    ),
    (
        "wishes",
        b"step,agent,vx_mm_s,vy_mm_s\n1,0,,3\n",
        "/inputs-wishes.csv:2:5: vx_mm_s: is missing beside the other one",
    ),
    ("wishes", b"step,agent,vx_mm_s,vy_mm_s\n1,0,2\n", "/inputs-wishes.csv:2:1: has 3 fields, the first line has 4"),
    ("wishes", b"step,agent\n1,\xff\n", "/inputs-wishes.csv:2:1: is not UTF-8; save the file as UTF-8"),
    ("feet", b"step,foot,x_mm,y_mm\n9,1,200,200\n", "/inputs-feet.csv:2:3: foot: is 1, must be from 0 to 0"),
    ("target", b"step,x_mm,y_mm\n9,200,\n", "/inputs-target.csv:2:7: y_mm: is missing beside the other one"),
    (
        "writes",
        b"step,cube,characteristic,hex\n1,0,103,030\n",
        r#"/inputs-writes.csv:2:9: hex: is "030", must be bytes as pairs of hexadecimal digits"#,
    ),
    (
        "writes",
        b"step,cube,characteristic,hex\n1,0,105,03\n",
        r#"/inputs-writes.csv:2:5: characteristic: is "105", must be one of 101, 102, 103, 104, 106, 107, 108, 1FF"#,
    ),
    ("writes", b"step,cube,characteristic\n1,0,103\n", "/inputs-writes.csv:2:1: hex: is missing"),
    ("hands", b"step,cube,does,height_mm\n1,0,lift,\n", "/inputs-hands.csv:2:10: height_mm: is missing for lift"),
    (
        "hands",
        b"step,cube,does\n1,0,hug\n",
        r#"/inputs-hands.csv:2:5: does: is "hug", must be lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, power_on, power_off, take_away, bring or release"#,
    ),
];

#[test]
fn files_of_inputs_that_are_wrong_are_told_with_their_places() {
    let place = Place::new();
    place.write("cubes.json", CUBES);
    for (stream, bytes, message) in WRONG {
        place.write_inputs(&[]);
        fs::write(place.path(&format!("in/inputs-{stream}.csv")), bytes).unwrap();
        let said = place.ends("run cubes.json --inputs in --out out/wrong", 2);
        assert_eq!(said.err, format!("error: in{message}\n"));
        assert!(!place.path("out/wrong").exists());
    }
}

#[test]
fn folders_without_files_of_inputs_are_told() {
    let place = Place::new();
    place.write_inputs(&[]);
    let said = place.ends("run small.json --inputs in", 2).err;
    assert_eq!(said, "error: in: holds no file of inputs, inputs-STREAM.csv\n");
    let said = place.ends("run small.json --inputs nowhere", 2).err;
    assert_eq!(said, "error: nowhere: cannot be read: No such file or directory (os error 2)\n");
    // All that is wrong is told at once.
    place.write_inputs(&[("wishes", "step,agent\n1,9\n2,8\n"), ("feet", "step,foot\n1,3\n")]);
    assert_eq!(place.ends("run small.json --inputs in", 2).err.lines().count(), 3);
}
