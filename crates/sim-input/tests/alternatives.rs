//! Keys whose value may be one of several things: variants with keys of their own, words, lists of one or two levels.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_faults, read};
use schemars::JsonSchema;
use serde_json::{Value as Json, json};
use sim_input::diagnostic::{Fault, Locator, NamedFile, Origin};
use sim_input::schema::{alternatives, choices, schema_of};
use sim_input::tree;
use sim_input::walk::walk;
use sim_input::words::allowed;
use std::sync::Arc;

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code, reason = "the struct is its schema")]
struct Sample {
    /// How it moves.
    motion: Motion,
    /// A diagonal or rows.
    #[schemars(default)]
    matrix: Matrix,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[allow(dead_code, reason = "the enum is its schema")]
enum Motion {
    /// On wheels.
    Wheels { radius_m: f64 },
    /// On legs.
    Legs(Vec<u32>),
    /// Not at all.
    Fixed,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code, reason = "the enum is its schema")]
enum Matrix {
    Diagonal([f64; 2]),
    Rows([[f64; 2]; 2]),
}

impl Default for Matrix {
    fn default() -> Self {
        Self::Diagonal([0.0; 2])
    }
}

fn schema() -> Json {
    schema_of::<Sample>("Sample")
}

fn faults(text: &str) -> Vec<Fault> {
    walk(&read(text).unwrap(), "the sample", &schema(), text).faults
}

#[test]
fn each_of_several_things_passes() {
    for text in [
        r#"{"motion": "fixed"}"#,
        r#"{"motion": {"wheels": {"radius_m": 0.5}}}"#,
        r#"{"motion": {"legs": [1, 2]}, "matrix": [1, 2]}"#,
        r#"{"motion": "fixed", "matrix": [[1, 2], [3, 4]]}"#,
    ] {
        let walked = walk(&read(text).unwrap(), "the sample", &schema(), text);
        assert!(walked.faults.is_empty(), "{text}");
        let motion = serde_json::from_str::<Json>(text).unwrap()["motion"].take();
        assert_eq!(walked.json["motion"], motion, "{text}");
    }
}

#[test]
fn a_fault_is_told_of_the_thing_that_was_meant() {
    let moves = "an object with one of the keys wheels, legs or \"fixed\"";
    let told = |marked: &str, message: &str| assert_faults(marked, &[message], faults);
    told(r#"{"motion": {§"weels": {"radius_m": 1}}}"#, r#"motion.weels: unknown key; did you mean "wheels"?"#);
    told(r#"{"motion": {"wheels": {"radius_m": §"1"}}}"#, r#"motion.wheels.radius_m: is "1", must be a number"#);
    told(r#"{"motion": {"wheels": §{}}}"#, "motion.wheels.radius_m: is missing; must be a number");
    told(
        r#"{"motion": {"legs": [], §"wheels": {"radius_m": 1}}}"#,
        "motion.wheels: cannot be given beside legs: choose one of them",
    );
    told(r#"{"motion": {"legs": [§-1]}}"#, "motion.legs[0]: is -1, must be a whole number of at least 0");
    told(r#"{"motion": §"fixd"}"#, &format!(r#"motion: is "fixd", must be {moves}; did you mean "fixed"?"#));
    told(r#"{"motion": §7}"#, &format!("motion: is 7, must be {moves}"));
    told(r#"{"motion": §{}}"#, &format!("motion: is an object, must be {moves}"));
    told(r#"{"motion": "fixed", "matrix": §[1]}"#, "matrix: is a list of 1, must be a list of 2 numbers");
    told(r#"{"motion": "fixed", "matrix": [[1, 2], §[3]]}"#, "matrix[1]: is a list of 1, must be a list of 2 numbers");
}

#[test]
fn the_key_of_a_variant_is_explained_by_the_variant() {
    let schema = schema();
    let motion = &schema["properties"]["motion"];
    assert_eq!([choices(motion), alternatives(motion).map(|_| Vec::new())], [None, Some(Vec::new())]);
    assert_eq!(motion["oneOf"][1]["properties"]["legs"]["description"], "On legs.");
    assert_eq!(allowed(&json!({"anyOf": [{"type": "number"}, {"type": "null"}]}), "a_s"), "a number or null");
}

/// A file that the text names has lines of its own, and stands after the text.
#[test]
fn faults_of_a_named_file_have_its_lines() {
    let named = Arc::new(NamedFile { file: "b.json".to_owned(), text: "{\n  \"motion\": 7\n}".to_owned() });
    let origin = |span| Origin::Named(Arc::clone(&named), span);
    let root = tree::parse(&named.text, "{}", &origin).unwrap();
    let mut faults = walk(&root, "the sample", &schema(), &named.text).faults;
    faults.push(Fault::at(Origin::Text(9..10), "x", "is wrong"));
    let found = Locator { file: "a.json", text: "{\"x\":     1}", flags: &[] }.diagnostics(faults);
    let places: Vec<_> = found.iter().map(|item| (item.file.as_str(), item.line, item.column)).collect();
    assert_eq!(places, [("a.json", Some(1), Some(10)), ("b.json", Some(2), Some(13))]);
    assert_eq!(found[1].named.as_ref().map(|named| named.file.as_str()), Some("b.json"));
}
