//! What a user reads who asks for help. A change of these texts shows up as a change of a snapshot.

mod common;

use common::Place;

fn help(line: &str) -> String {
    let said = Place::new().ends(line, 0);
    assert_eq!(said.err, "");
    assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{}", said.out);
    said.out
}

#[test]
fn the_program() {
    insta::assert_snapshot!(help("--help"));
}

#[test]
fn the_program_in_short() {
    insta::assert_snapshot!(help("-h"));
}

#[test]
fn run() {
    insta::assert_snapshot!(help("run --help"));
}

#[test]
fn run_in_short() {
    insta::assert_snapshot!(help("run -h"));
}

#[test]
fn scenarios() {
    insta::assert_snapshot!(help("scenarios --help"));
}

#[test]
fn new() {
    insta::assert_snapshot!(help("new --help"));
}

#[test]
fn docs() {
    insta::assert_snapshot!(help("docs --help"));
}

#[test]
fn check() {
    insta::assert_snapshot!(help("check --help"));
}

#[test]
fn render() {
    insta::assert_snapshot!(help("render --help"));
}

#[test]
fn schema() {
    insta::assert_snapshot!(help("schema --help"));
}

#[test]
fn explain() {
    insta::assert_snapshot!(help("explain --help"));
}

#[test]
fn replay() {
    insta::assert_snapshot!(help("replay --help"));
}

#[test]
fn sweep() {
    insta::assert_snapshot!(help("sweep --help"));
}

#[test]
fn live() {
    insta::assert_snapshot!(help("live --help"));
}

#[test]
fn streams() {
    insta::assert_snapshot!(help("streams --help"));
}

#[test]
fn completions() {
    insta::assert_snapshot!(help("completions --help"));
}

#[test]
fn the_version() {
    assert_eq!(help("--version"), format!("sim-cli {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_help_is_shown_and_that_is_an_error() {
    let said = Place::new().ends("", 2);
    assert!(said.err.contains("Usage: sim-cli <COMMAND>") && said.out.is_empty(), "{}", said.err);
}
