//! Faults with their places: what depends on what, the order of messages, one line each, and values written as text again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_faults, lines, read};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use sim_core::ParamError;
use sim_input::checks::{Checks, deserialize};
use sim_input::diagnostic::{Diagnostic, Diagnostics, Fault, Origin, Severity, char_start, line_and_column};
use sim_input::tree::Node;
use sim_input::walk::MAX_FAULTS;
use sim_input::write::hand_written;
use std::collections::BTreeSet;

/// The faults that some checks find in a text of which these paths are known to be wrong.
fn found(text: &str, known_wrong: &[&str], check: impl Fn(&mut Checks<'_>)) -> Vec<Fault> {
    let (root, wrong): (Node, BTreeSet<String>) =
        (read(text).unwrap(), known_wrong.iter().map(|path| (*path).to_owned()).collect());
    let mut checks = Checks::new(&root, &wrong);
    check(&mut checks);
    checks.faults
}

const CROWD: &str = "{\n \"mat\": {\"width_mm\": §300},\n \"agents\": {\"count\": 99}}";

#[test]
fn a_fault_points_at_the_first_of_its_keys_that_is_written() {
    let too_many = |keys: &'static [&'static str]| {
        move |text: &str| found(text, &[], |checks| checks.error(keys, "is too much".to_owned(), None))
    };
    assert_faults(CROWD, &["mat.width_mm: is too much"], too_many(&["mat.width_mm", "agents.count"]));
    // The key to change is not written; what is written and matters is pointed at.
    assert_faults(CROWD, &["mat.height_mm: is too much"], too_many(&["mat.height_mm", "mat.width_mm"]));
    // None is written: the innermost object around the first.
    let around = CROWD.replace("§", "").replace("\"mat\": {", "\"mat\": §{");
    assert_faults(&around, &["mat.height_mm: is too much"], too_many(&["mat.height_mm", "limits.v_max_mm_s"]));
    assert_faults("§{}", &["mat.height_mm: is too much"], too_many(&["mat.height_mm"]));
}

#[test]
fn a_fault_has_the_value_of_its_own_key_only() {
    let value = |keys: &[&str]| {
        let faults =
            found(&CROWD.replace('§', ""), &[], |checks| checks.error(keys, String::new(), Some("3".to_owned())));
        (faults[0].value.clone(), faults[0].suggestion.clone())
    };
    assert_eq!(value(&["agents.count"]), (Some("99".to_owned()), Some("3".to_owned())));
    assert_eq!(value(&["mat.height_mm", "agents.count"]), (None, Some("3".to_owned())));
}

/// A mistake is reported once: what follows from a key that is wrong anyway is left out.
#[test]
fn faults_that_depend_on_a_wrong_key_are_left_out() {
    let text = r#"{"mat": {"width_mm": 1}, "cars": [{"start": {}}], "material": 2}"#;
    let is_told = |known_wrong: &[&str], keys: &[&str]| {
        !found(text, known_wrong, |checks| checks.error(keys, String::new(), None)).is_empty()
    };
    assert!(is_told(&[], &["mat.width_mm"]));
    assert!(!is_told(&["mat.width_mm"], &["agents.count", "mat.width_mm"]), "the key itself");
    assert!(!is_told(&["mat"], &["mat.width_mm"]), "an object around it");
    assert!(!is_told(&["mat.width_mm"], &["mat"]), "a key in it");
    assert!(!is_told(&["cars[0].start.x_m"], &["cars[0]"]), "a key in an item");
    assert!(is_told(&["cars[1]"], &["cars[0].start"]), "another item");
    assert!(is_told(&["material"], &["mat"]) && is_told(&["mat"], &["material"]), "a word that begins so");
    assert!(!is_told(&[], &[]), "a fault of nothing");
}

#[test]
fn a_fault_of_a_model_brings_its_path_and_what_it_depends_on() {
    let error = ParamError { field: "speed", message: "is 3, must be from 0 to 1".to_owned() };
    let fault = Fault::from_param("agents", "v_max_mm_s", &error);
    assert_eq!((fault.path.as_str(), fault.message.as_str()), ("agents.v_max_mm_s", "is 3, must be from 0 to 1"));
    assert_eq!(Fault::from_param("agents", "", &error).path, "agents");
    let text = r#"{"limits": 1, "agents": 2}"#;
    let depending = || fault.clone().depends("limits").allowed("less").value("3");
    assert!(found(text, &["limits"], |checks| checks.fault(depending())).is_empty());
    let located = found(text, &["cars"], |checks| checks.fault(depending()));
    assert_eq!(located[0].origin, Some(Origin::Text(11..12)), "agents.v_max_mm_s is not written, limits is");
}

#[test]
fn warnings_do_not_stop_a_run() {
    let root = read("{\"a\": 1}").unwrap();
    let none = BTreeSet::new();
    let mut checks = Checks::new(&root, &none);
    checks.warning(&["a"], "is unwise".to_owned());
    assert!(!checks.has_errors());
    assert_eq!(lines("{\"a\": 1}", &[], checks.faults.clone()), ["a.json:1:7: warning: a: is unwise"]);
    checks.error(&["a"], "is wrong".to_owned(), None);
    assert!(checks.has_errors());
    (0..2 * MAX_FAULTS).for_each(|_| checks.warning(&["a"], String::new()));
    assert_eq!(checks.faults.len(), MAX_FAULTS);
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Cars {
    cars: Vec<Car>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Car {
    doors: u8,
}

#[test]
fn what_serde_refuses_is_told_at_its_item() {
    let read_cars = |text: &str| {
        let mut value = None;
        let faults = found(text, &[], |checks| {
            assert_eq!(deserialize::<Cars>(&read(text).unwrap().json(), checks).is_some(), checks.faults.is_empty());
        });
        if faults.is_empty() {
            value = serde_json::from_str::<Cars>(text).ok();
        }
        (faults, value)
    };
    let (faults, value) = read_cars(r#"{"cars": [{"doors": 4}]}"#);
    assert!(faults.is_empty() && value == Some(Cars { cars: vec![Car { doors: 4 }] }));
    assert_faults(
        "{\"cars\": [{\"doors\": 4},\n {\"doors\": §999}]}",
        &["cars[1].doors: invalid value: integer `999`, expected u8"],
        |text| read_cars(text).0,
    );
}

fn diagnostic(line: Option<usize>, path: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: "--seed x".to_owned(),
        line,
        column: line.map(|_| 2),
        path: path.to_owned(),
        message: "is wrong".to_owned(),
        value: None,
        allowed: None,
        suggestion: None,
        span: None,
        named: None,
    }
}

#[test]
fn a_message_has_as_much_of_a_place_as_is_known() {
    assert_eq!(diagnostic(Some(7), "a.b").to_string(), "--seed x:7:2: a.b: is wrong");
    assert_eq!(diagnostic(None, "a.b").to_string(), "--seed x: a.b: is wrong");
    assert_eq!(diagnostic(Some(7), "").to_string(), "--seed x:7:2: is wrong");
    let warning = Diagnostic { severity: Severity::Warning, ..diagnostic(None, "a") };
    assert_eq!(warning.to_string(), "--seed x: warning: a: is wrong");
    let both = Diagnostics { items: vec![diagnostic(None, "a"), warning], text: String::new() };
    assert_eq!(both.to_string(), "--seed x: a: is wrong\n--seed x: warning: a: is wrong");
    let facts = json!(diagnostic(Some(7), "a.b"));
    assert_eq!((&facts["severity"], &facts["line"], &facts["value"]), (&json!("error"), &json!(7), &Json::Null));
}

#[test]
fn messages_come_in_the_order_of_the_text_and_those_without_a_place_last() {
    let at = |byte: usize| Fault::at(Origin::Text(byte..byte), byte.to_string(), "");
    let flag = Fault::at(Origin::Override(9), "flag", "");
    let told = lines("abc\ndef", &[], vec![Fault::new("none", ""), at(5), flag, at(0), at(99)]);
    assert_eq!(told, ["a.json:1:1: 0: ", "a.json:2:2: 5: ", "a.json:2:4: 99: ", "a.json: none: ", ": flag: "]);
}

#[test]
fn places_are_those_of_whole_characters() {
    let text = "a\u{1f600}\n\u{e4}b";
    // The bytes 1 to 4 are one character, and so are 6 and 7.
    assert_eq!([0, 1, 2, 4, 5, 6, 7, 8, 9, 99].map(|byte| char_start(text, byte)), [0, 1, 1, 1, 5, 6, 6, 8, 9, 9]);
    let places = [0, 1, 3, 5, 6, 7, 8, 9].map(|byte| line_and_column(text, byte));
    assert_eq!(places, [(1, 1), (1, 2), (1, 2), (1, 3), (2, 1), (2, 1), (2, 2), (2, 3)]);
    assert_eq!(line_and_column("", 0), (1, 1));
}

#[test]
fn values_are_shown_short_enough_for_a_sentence() {
    let shown = |text: &str| read(text).unwrap().shown();
    let cases = [
        ("null", "null"),
        ("true", "true"),
        ("1e3", "1e3"),
        ("\"a\\\"b\"", r#""a\"b""#),
        ("[]", "an empty list"),
        ("[[], {}]", "a list of 2"),
        ("{\"a\": 1}", "an object"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected);
    }
    let letters = "\u{e4}".repeat(41);
    assert_eq!(shown(&format!("{letters:?}")), format!("\"{}...\"", "\u{e4}".repeat(40)));
    assert_eq!(shown(&format!("{:?}", "x".repeat(40))), format!("{:?}", "x".repeat(40)));
}

#[test]
fn what_is_written_looks_hand_written() {
    let value =
        json!({"a": [], "b": {}, "c": [[1.0, -2.5], ["x\ny", null, true]], "d": {"e": 9_007_199_254_740_992_i64}});
    let expected = r#"{
  "a": [],
  "b": {},
  "c": [[1, -2.5], ["x\ny", null, true]],
  "d": {
    "e": 9007199254740992
  }
}
"#;
    assert_eq!(hand_written(&value), expected);
    // Lists stay on one line, objects in them do not.
    assert_eq!(hand_written(&json!([{"a": 1}])), "[{\n  \"a\": 1\n}]\n");
}

proptest! {
    #[test]
    fn numbers_are_written_to_the_bit(number in any::<f64>().prop_filter("JSON has no others", |number| number.is_finite())) {
        let again: f64 = hand_written(&number).trim_end().parse().unwrap();
        prop_assert_eq!(again.to_bits(), number.to_bits());
        // And the tree reads what was written.
        prop_assert_eq!(read(&hand_written(&number)).unwrap().json().as_f64().map(f64::to_bits), Some(number.to_bits()));
    }
}
