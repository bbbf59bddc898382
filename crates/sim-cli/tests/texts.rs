//! The commands that only print: schema, explain, completions.
#![allow(clippy::print_stderr, reason = "a skipped check says so")]

mod common;

use common::{Place, Said};
use serde_json::Value;

#[test]
fn the_schema_is_printed_or_written_the_same() {
    let place = Place::new();
    let printed = place.ends("schema", 0).out;
    let schema: Value = serde_json::from_str(&printed).unwrap();
    let [mat, road] = [0, 1].map(|world| &schema["oneOf"][world]["properties"]);
    assert!(mat["agents"]["properties"]["count"].is_object());
    assert!(road["cars"]["items"]["properties"]["driver"].is_object());
    let said = place.ends("schema --write a.json", 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    assert_eq!(place.read("a.json"), printed);
    let said = place.ends("schema --write none/a.json", 1);
    assert!(said.err.starts_with("error: could not write the schema to none/a.json: "), "{}", said.err);
}

#[test]
fn an_explained_scenario_says_all_and_explains_itself_the_same() {
    let place = Place::new();
    let first = place.ends("explain small.json --set agents.alpha=0.5", 0).out;
    let value: Value = serde_json::from_str(&first).unwrap();
    assert_eq!((value["agents"]["alpha"].as_f64(), value["limits"]["v_max_mm_s"].as_f64()), (Some(0.5), Some(252.0)));
    place.write("again.json", &first);
    assert_eq!(place.ends("explain again.json", 0).out, first);
    assert_eq!(place.ends("run again.json --steps 6 --out a -q", 0).err, "");
}

#[test]
fn each_shell_gets_its_completions() {
    let place = Place::new();
    let scripts = ["bash", "zsh", "fish", "powershell", "elvish"].map(|shell| {
        let script = place.ends(&format!("completions {shell}"), 0).out;
        assert!(
            ["run-index", "trace-every", "overwrite", "explain"].iter().all(|word| script.contains(word)),
            "{shell}"
        );
        script
    });
    assert!(scripts.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_a_failure_and_a_closed_pipe_is_not() {
    use std::process::{Command, Stdio};
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(common::program()).arg("schema").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: could not write to standard output: "));
    let mut child = Command::new(common::program()).arg("schema").stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// `script` lends the program a terminal.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_colours_and_a_bar() {
    if !std::path::Path::new("/usr/bin/script").exists() {
        eprintln!("skipped: there is no `script` here to lend a terminal");
        return;
    }
    let place = Place::new();
    let on_terminal = |words: &str, no_color: &str| {
        let line = format!("{} {words}", common::program());
        let mut command = assert_cmd::Command::new("/usr/bin/script");
        command.current_dir(place.path("")).args(["-qec", &line, "/dev/null"]);
        Said::new(&command.env("TERM", "xterm").env("NO_COLOR", no_color).assert()).out
    };
    let seen = on_terminal("run careless.json --steps 600 --out a", "");
    assert!(seen.contains("\u{1b}[") && seen.contains(" of 600 steps, ") && seen.contains(" left, "), "{seen}");
    assert!(seen.contains("\u{1b}[1m\u{1b}[31mMISSED"), "{seen}");
    let seen = on_terminal("check careless.json --set agents.cuont=1", "1");
    assert!(seen.contains("error: --set agents.cuont=1") && !seen.contains("\u{1b}["), "{seen}");
}
