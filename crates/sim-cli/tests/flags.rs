//! Flags that are wrong, or do not go together: status 2, the flag's name, and nothing written.

mod common;

use common::{Place, objects};

#[test]
fn wrong_flags_are_named() {
    let place = Place::new();
    let cases = [
        ("fly", "unrecognized subcommand 'fly'"),
        ("run", "<SCENARIO.json>"),
        ("run small.json --fast", "unexpected argument '--fast'"),
        ("run small.json --step 5", "a similar argument exists: '--steps'"),
        ("run small.json --steps many", "invalid value 'many' for '--steps <N>'"),
        ("run small.json --steps 0", "--steps 0: steps: is 0, must be a whole number from 1 to 1000000000"),
        ("run small.json --duration soon", "'soon' for '--duration <TIME>': write a number with its unit s, min or h"),
        ("run small.json --duration 0s", "a run lasts more than 0 s"),
        ("run small.json --duration -1.5min", "a run lasts more than 0 s"),
        ("run small.json --duration NaN", "write a number with its unit s, min or h"),
        ("run small.json --duration 0.001s", "--duration 0.001: duration_s: means 0.001 s, 0 steps at 60 Hz"),
        ("run small.json --duration 5000h", "duration_s: means 18000000 s, 1080000000 steps at 60 Hz; a run has 1 to "),
        ("run small.json --duration 4s --steps 9", "cannot be used with"),
        ("run small.json --seed -4", "invalid value '-4' for '--seed <S>': write a whole number that is not negative"),
        ("run small.json --steps -5", "invalid value '-5' for '--steps <N>'"),
        ("run small.json --run-index -1", "invalid value '-1' for '--run-index <I>'"),
        ("run small.json --runs -2", "invalid value '-2' for '--runs <R>'"),
        ("run small.json --jobs -2", "invalid value '-2' for '--jobs <J>'"),
        ("run small.json --trace-every -2", "invalid value '-2' for '--trace-every <K>'"),
        ("run small.json --seed 9007199254740992", "--seed 9007199254740992: seed: "),
        ("run small.json --runs 0", "0 is not in 1..=10000000"),
        ("run small.json --runs 2 --run-index 1", "cannot be used with"),
        ("run small.json --run-index", "a value is required for '--run-index <I>'"),
        ("run small.json --jobs 0", "0 is not in 1..=1024"),
        ("run small.json --trace-every 0", "--trace-every 0: trace.every: is 0, must be a whole number"),
        ("run small.json --trace-every 2 --no-trace", "cannot be used with"),
        ("run small.json -q -v", "cannot be used with"),
        ("run small.json --format xml", "[possible values: text, json]"),
        ("run small.json --set agents.count", "write path=value, as in agents.count=20"),
        ("run small.json --set =3", "write path=value, as in agents.count=20"),
        (
            "run small.json --set agents.cuont=3",
            "--set agents.cuont=3: agents.cuont: unknown key; did you mean \"count\"?",
        ),
        ("run small.json --set agents.count=abc", "agents.count: is \"abc\", must be a whole number from 0 to 100000"),
        ("run small.json --set name.first=x", "--set name.first=x: name"),
        ("check", "<SCENARIO.json|FOLDER>..."),
        ("completions cobol", "invalid value 'cobol'"),
        ("schema --write", "a value is required for '--write <FILE>'"),
    ];
    for (line, words) in cases {
        let said = place.ends(line, 2);
        assert!(said.err.contains(words), "{line}: {}", said.err);
        assert_eq!(said.out, "", "{line}");
    }
    assert!(!place.path("out").exists());
}

#[test]
fn wrong_flags_are_said_in_json_if_that_was_asked_for() {
    let said = Place::new().ends("run small.json --fast --format json", 2);
    let objects = objects(&said.err);
    assert_eq!(objects.len(), 1);
    assert_eq!((objects[0]["kind"].as_str(), objects[0]["severity"].as_str()), (Some("usage"), Some("error")));
    assert!(objects[0]["message"].as_str().unwrap().starts_with("unexpected argument '--fast' found"), "{}", said.err);
}

#[test]
fn a_flag_of_its_own_wins_over_set() {
    let place = Place::new();
    place.ends("run small.json --set steps=9 --set seed=4 --steps 60 --seed 5 -q --out a", 0);
    let scenario = place.json("a/scenario.json");
    assert_eq!((scenario["steps"].as_u64(), scenario["seed"].as_u64()), (Some(60), Some(5)));
}

#[test]
fn the_last_of_two_overrides_wins() {
    let place = Place::new();
    place.ends("run small.json --set agents.count=9 --set agents.count=4 --steps 6 -q --out a", 0);
    assert_eq!(place.json("a/scenario.json")["agents"]["count"], 4);
}

/// Commands that do work, with what makes each of them work.
const WORK: [&str; 5] = [
    "run small.json --steps 6 --overwrite --out out/run",
    "check small.json",
    "render out/small --overwrite",
    "replay out/small --overwrite",
    "sweep few.json --overwrite",
];

fn with_results() -> Place {
    let place = Place::new();
    place.write("few.json", r#"{ "name": "few", "scenario": "small.json", "repeats": 2, "set": { "steps": 6 } }"#);
    place.ends("run small.json --steps 60 -q", 0);
    place
}

#[test]
fn quiet_and_json_are_the_same_flags_in_all_commands_that_do_work() {
    let place = with_results();
    for line in WORK {
        let said = place.ends(&format!("{line} -q"), 0);
        assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""), "{line}");
        let said = place.ends(&format!("{line} --format json"), 0);
        assert!(said.result()["kind"].is_string(), "{line}: {}", said.out);
        assert!(place.ends(&format!("{line} -q -v"), 2).err.contains("cannot be used with"), "{line}");
    }
    let picture = place.ends("render out/small --at 0.5 --overwrite --format json", 0).result();
    assert_eq!((picture["kind"].as_str(), picture["time_s"].as_f64()), (Some("picture"), Some(0.5)));
    assert_eq!(picture["file"], "out/small/frame.png");
}

#[test]
fn verbose_tells_the_work_and_twice_each_change_on_the_disk() {
    let place = with_results();
    for line in WORK {
        let once = place.ends(&format!("{line} -v"), 0).err;
        assert!(once.contains("DEBUG") && !once.contains("TRACE"), "{line}: {once}");
    }
    let twice = place.ends(&format!("{} -vv", WORK[0]), 0).err;
    assert!(twice.contains("TRACE") && twice.contains("summary.csv") && twice.contains("DEBUG"), "{twice}");
}
