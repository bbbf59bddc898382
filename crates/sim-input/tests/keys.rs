//! A tree against its schema: each kind of fault at its key, all of them at once, with what was meant.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_faults, lines, read};
use serde_json::{Value as Json, json};
use sim_input::diagnostic::Fault;
use sim_input::overrides::Override;
use sim_input::schema::{HEX_PATTERN, NAME_PATTERN};
use sim_input::walk::{MAX_FAULTS, bytes_of_hex, paths_of, walk};

/// A key of every kind.
fn schema() -> Json {
    let pair = json!({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number", "minimum": 0, "maximum": 400}});
    json!({
        "type": "object",
        "required": ["name"],
        "additionalProperties": false,
        "properties": {
            "name": {"type": "string", "pattern": NAME_PATTERN},
            "drive": {"type": "string", "enum": ["point", "differential", "cube"]},
            "count": {"type": "integer", "minimum": 1, "maximum": 30},
            "speed_mm_s": {"type": "number", "minimum": 0, "maximum": 500},
            "every_ms": {"type": "number", "minimum": 10, "maximum": 100, "multipleOf": 10},
            "is_on": {"type": "boolean"},
            "write": {"type": "string", "pattern": HEX_PATTERN},
            "note": {"type": ["string", "null"]},
            "home_mm": {"type": "array", "maxItems": 3, "items": pair},
            "noise": {"type": "object", "properties": {
                "bias_mm": {"type": "number", "minimum": -5},
                "floor": {"type": "object", "properties": {"depth_mm": {"type": "number"}}}
            }},
            "parts": {"type": "array", "items": {
                "type": "object", "required": ["at_s"],
                "properties": {"at_s": {"type": "number", "minimum": 0}, "turn": {"type": "object", "properties": {}}}
            }},
            "inputs": {"type": "object", "additionalProperties": {"type": "string"}},
            "anything": {}
        }
    })
}

fn faults(text: &str) -> Vec<Fault> {
    walk(&read(text).unwrap(), "the sample", &schema(), text).faults
}

fn assert_fault(marked: &str, message: &str) {
    assert_faults(marked, &[message], faults);
}

/// What passes of a text.
fn passed(text: &str) -> Json {
    walk(&read(text).unwrap(), "the sample", &schema(), text).json
}

#[test]
fn a_right_text_passes_as_it_is() {
    let text = r#"{"name": "a-1", "drive": "cube", "count": 30, "speed_mm_s": 0.5, "every_ms": 20, "is_on": true, "write": "03 00ff",
        "note": null, "home_mm": [[0, 400], [1.5, 2]], "noise": {"floor": {"depth_mm": -1}}, "parts": [{"at_s": 0}],
        "inputs": {"wishes": "a.csv"}, "anything": [1, {"b": null}]}"#;
    assert!(faults(text).is_empty());
    let plain: Json = serde_json::from_str(text).unwrap();
    let is_equal = |key: &str| match (&passed(text)[key], &plain[key]) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) if key == "home_mm" => a.len() == b.len(),
        (a, b) if key == "noise" || key == "parts" => a.is_object() == b.is_object(),
        (a, b) => a == b,
    };
    assert!(plain.as_object().unwrap().keys().all(|key| is_equal(key)), "{}", passed(text));
}

#[test]
fn values_of_another_type() {
    let name = r#""name": "x""#;
    assert_fault("§[]", "the sample is an empty list, must be an object { ... }");
    assert_fault("§3", "the sample is 3, must be an object { ... }");
    assert_fault(&format!(r#"{{{name}, "count": §"3"}}"#), r#"count: is "3", must be a whole number from 1 to 30"#);
    assert_fault(&format!(r#"{{{name}, "count": §null}}"#), "count: is null, must be a whole number from 1 to 30");
    assert_fault(&format!(r#"{{{name}, "is_on": §1}}"#), "is_on: is 1, must be true or false");
    assert_fault(&format!(r#"{{{name}, "is_on": §"true"}}"#), r#"is_on: is "true", must be true or false"#);
    assert_fault(&format!(r#"{{{name}, "note": §3}}"#), "note: is 3, must be text in double quotes or null");
    assert_fault(&format!(r#"{{{name}, "noise": §[1, 2]}}"#), "noise: is a list of 2, must be an object { ... }");
    assert_fault(&format!(r#"{{{name}, "parts": §{{}}}}"#), "parts: is an object, must be a list of objects { ... }");
    assert_fault(
        &format!(r#"{{{name}, "drive": §4}}"#),
        r#"drive: is 4, must be one of "point", "differential", "cube""#,
    );
    assert_fault(
        &format!(r#"{{{name}, "inputs": {{"wishes": §1}}}}"#),
        "inputs.wishes: is 1, must be text in double quotes",
    );
}

#[test]
fn numbers_out_of_their_ranges() {
    let case = |member: &str, message: &str| assert_fault(&format!("{{\"name\": \"x\",\n {member}}}"), message);
    case(r#""count": §0"#, "count: is 0, must be a whole number from 1 to 30");
    case(r#""count": §31"#, "count: is 31, must be a whole number from 1 to 30");
    case(r#""count": §2.5"#, "count: is 2.5, must be a whole number from 1 to 30");
    case(r#""speed_mm_s": §500.0000001"#, "speed_mm_s: is 500.0000001, must be a number from 0 to 500 mm/s");
    case(r#""speed_mm_s": §-1e-300"#, "speed_mm_s: is -1e-300, must be a number from 0 to 500 mm/s");
    case(r#""speed_mm_s": §1e999"#, "speed_mm_s: is 1e999, must be a number from 0 to 500 mm/s");
    case(r#""every_ms": §15"#, "every_ms: is 15, must be a number from 10 to 100 ms in steps of 10");
    case(r#""noise": {"bias_mm": §-6}"#, "noise.bias_mm: is -6, must be a number of at least -5 mm");
    let digits = "1".repeat(60);
    case(
        &format!(r#""count": §{digits}"#),
        &format!("count: is {}..., must be a whole number from 1 to 30", &digits[..40]),
    );
}

#[test]
fn texts_and_lists_that_do_not_fit() {
    let case = |member: &str, message: &str| assert_fault(&format!("{{\"name\": \"x\",\n {member}}}"), message);
    case(r#""write": §"030""#, r#"write: is "030", must be pairs of hexadecimal digits, as in "0300ff" or "03 00 ff""#);
    case(
        r#""home_mm": §[[0, 0], [0, 0], [0, 0], [0, 0]]"#,
        "home_mm: is a list of 4, must be a list of at most 3 lists of 2 numbers from 0 to 400 mm",
    );
    case(r#""home_mm": [[0, 0], §[1]]"#, "home_mm[1]: is a list of 1, must be a list of 2 numbers from 0 to 400 mm");
    case(r#""home_mm": [[0, 0], [1, §401]]"#, "home_mm[1][1]: is 401, must be a number from 0 to 400 mm");
    assert_fault(
        "{\"name\": §\"\"}",
        "name: is \"\", must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
    );
    let long = "x".repeat(65);
    assert_fault(
        &format!("{{\"name\": §{long:?}}}"),
        &format!(
            "name: is \"{}...\", must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
            &long[..40]
        ),
    );
}

#[test]
fn unknown_keys_are_answered_with_what_was_meant() {
    let case = |member: &str, message: &str| assert_fault(&format!("{{\"name\": \"x\",\n {member}}}"), message);
    case(r#"§"cuont": 3"#, r#"cuont: unknown key; did you mean "count"?"#);
    case(r#"§"speed": 3"#, r#"speed: unknown key; did you mean "speed_mm_s"?"#);
    case(r#"§"is-on": true"#, r#"is-on: unknown key; did you mean "is_on"?"#);
    case(r#""noise": {§"bais_mm": 1}"#, r#"noise.bais_mm: unknown key; did you mean "bias_mm"?"#);
    // A key that stands elsewhere is named with its path.
    case(r#"§"depth_mm": 3"#, r#"depth_mm: unknown key; did you mean "noise.floor.depth_mm"?"#);
    case(r#""noise": {"floor": {§"is_on": true}}"#, r#"noise.floor.is_on: unknown key; did you mean "is_on"?"#);
    case(r#""noise": {§"": 1}"#, "noise.: unknown key; known here: bias_mm, floor");
    case(
        r#""parts": [{"at_s": 0}, {"at_s": 1, "turn": {§"by_deg": 3}}]"#,
        "parts[1].turn.by_deg: unknown key; none is known here: write {}",
    );
    assert_fault(
        "{§\"\u{e4}\u{f6}\": 1, \"name\": \"x\"}",
        "\u{e4}\u{f6}: unknown key; known here: anything, count, drive, every_ms, home_mm, inputs, is_on, name, noise, note, parts, speed_mm_s, write",
    );
}

#[test]
fn words_are_answered_with_the_nearest_one() {
    let case = |member: &str, message: &str| assert_fault(&format!("{{\"name\": \"x\",\n {member}}}"), message);
    let choices = r#"must be one of "point", "differential", "cube""#;
    case(r#""drive": §"diferential""#, &format!(r#"drive: is "diferential", {choices}; did you mean "differential"?"#));
    case(r#""drive": §"Cube""#, &format!(r#"drive: is "Cube", {choices}; did you mean "cube"?"#));
    case(r#""drive": §"wheels""#, &format!(r#"drive: is "wheels", {choices}"#));
    case(r#""drive": §"""#, &format!(r#"drive: is "", {choices}"#));
}

#[test]
fn keys_that_are_missing_are_told_where_their_object_begins() {
    assert_fault(
        "\n  §{\"count\": 3}",
        "name: is missing; must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
    );
    assert_fault(
        "{\"name\": \"x\", \"parts\": [{\"at_s\": 1}, §{}]}",
        "parts[1].at_s: is missing; must be a number of at least 0 s",
    );
}

#[test]
fn keys_that_are_written_twice_name_the_first_line() {
    assert_fault("{\"name\": \"x\",\n \"count\": 1,\n §\"count\": 2}", "count: is written twice, first on line 2");
    assert_fault(
        "{\"name\": \"x\",\n \"noise\": {\"bias_mm\": 1, §\"bias_mm\": 1}}",
        "noise.bias_mm: is written twice, first on line 2",
    );
    // The first one counts.
    assert_eq!(passed("{\"name\": \"x\", \"count\": 1, \"count\": 2}")["count"], 1);
    let three = "{\"name\": \"x\", \"count\": 1, §\"count\": 2, §\"count\": \"many\"}";
    assert_faults(three, &["count: is written twice, first on line 1"; 2], faults);
}

/// Faults come in the order of the text, whatever the order of the schema, and one hides no other.
#[test]
fn all_faults_are_told_at_once_in_the_order_of_the_text() {
    assert_faults(
        "§{\n  §\"nmae\": \"x\",\n  \"speed_mm_s\": §-1,\n  \"parts\": [§{\"turn\": §4}, {\"at_s\": §\"now\"}],\n  \"count\": §\"many\"\n}",
        &[
            "name: is missing; must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
            r#"nmae: unknown key; did you mean "name"?"#,
            "speed_mm_s: is -1, must be a number from 0 to 500 mm/s",
            "parts[0].at_s: is missing; must be a number of at least 0 s",
            "parts[0].turn: is 4, must be an object { ... }",
            r#"parts[1].at_s: is "now", must be a number of at least 0 s"#,
            r#"count: is "many", must be a whole number from 1 to 30"#,
        ],
        faults,
    );
}

/// The rest goes on to the next checks: what is wrong is left out, so that its default stands in for it.
#[test]
fn what_is_wrong_is_left_out_of_what_passes() {
    let passed = passed(
        r#"{"name": "x", "count": 99, "cuont": 3, "noise": {"bias_mm": "much"}, "home_mm": [[0, 0], [1]], "is_on": true}"#,
    );
    assert_eq!(passed, json!({"name": "x", "noise": {}, "is_on": true}));
    let text = r#"{"count": 99, "noise": {"bias_mm": "much"}}"#;
    let paths: Vec<String> = paths_of(&faults(text)).into_iter().collect();
    assert_eq!(paths, ["count", "name", "noise.bias_mm"]);
}

#[test]
fn a_hundred_faults_are_listed_and_the_others_counted() {
    let items = vec!["{\"at_s\": -1}"; MAX_FAULTS + 7].join(", ");
    let text = format!("{{\"name\": \"x\", \"parts\": [{items}]}}");
    let told = lines(&text, &[], faults(&text));
    assert_eq!(told.len(), MAX_FAULTS + 1);
    assert_eq!(told[MAX_FAULTS], "a.json: 7 more mistakes are not listed");
}

/// Programs read the same facts from the fields.
#[test]
fn faults_hold_their_facts_for_programs() {
    let fault = |text: &str| faults(text).into_iter().next().unwrap();
    let unknown = fault(r#"{"name": "x", "cuont": 3}"#);
    assert_eq!((unknown.path.as_str(), unknown.value.as_deref()), ("cuont", Some("cuont")));
    assert_eq!(unknown.suggestion.as_deref(), Some("count"));
    let wrong = fault(r#"{"name": "x", "count": 31}"#);
    assert_eq!((wrong.value.as_deref(), wrong.allowed.as_deref()), (Some("31"), Some("a whole number from 1 to 30")));
    assert_eq!(wrong.suggestion, None);
    let word = fault(r#"{"name": "x", "drive": "pont"}"#);
    assert_eq!((word.value.as_deref(), word.suggestion.as_deref()), (Some("\"pont\""), Some("point")));
}

#[test]
fn a_zero_has_one_sign_and_whole_numbers_are_exact() {
    let passed = passed(r#"{"name": "x", "speed_mm_s": -0.0, "count": 3e1}"#);
    assert!(passed["speed_mm_s"].as_f64().unwrap().is_sign_positive());
    assert_eq!((passed["count"].as_i64(), passed["count"].is_i64()), (Some(30), true));
}

/// The faults of a text with flags laid over it.
fn with_flags(text: &str, flags: &[&str]) -> Vec<String> {
    let flags: Vec<Override> = flags.iter().map(|flag| flag.parse().unwrap()).collect();
    let mut root = read(text).unwrap();
    let refused: Vec<Fault> = flags
        .iter()
        .enumerate()
        .filter_map(|(index, flag)| flag.apply(index, &mut root).err().map(|fault| *fault))
        .collect();
    let found = walk(&root, "the sample", &schema(), text).faults;
    lines(text, &flags, refused.into_iter().chain(found).collect())
}

#[test]
fn what_a_flag_says_is_told_with_the_flag() {
    let text = "{\"name\": \"x\",\n \"count\": 99}";
    assert_eq!(with_flags(text, &["count=3"]), [""; 0]);
    assert_eq!(
        with_flags(text, &["count=3", "speed_mm_s=fast"]),
        [r#"--set speed_mm_s=fast: speed_mm_s: is "fast", must be a number from 0 to 500 mm/s"#]
    );
    // Faults of the file come first.
    assert_eq!(
        with_flags(text, &["cuont=3", "name.first=x"]),
        [
            "a.json:2:11: count: is 99, must be a whole number from 1 to 30",
            "--set name.first=x: name.first: name is \"x\" and has no keys",
            "--set cuont=3: cuont: unknown key; did you mean \"count\"?",
        ]
    );
    // A flag has no quotes: a number may stand for a text.
    assert_eq!(with_flags(text, &["count=3", "name=7"]), [""; 0]);
    assert_eq!(with_flags(text, &["count=3", "note=7", "drive=cube", "write=0300"]), [""; 0]);
}

#[test]
fn an_override_of_a_program_or_of_another_flag_is_named_as_it_was_given() {
    assert_eq!(Override::new("agents.count", "20").to_string(), "agents.count=20");
    assert_eq!(Override::from_flag("--seed", "seed", 7).to_string(), "--seed 7");
    assert_eq!("a=b".parse::<Override>().unwrap().to_string(), "--set a=b");
}

#[test]
fn bytes_are_read_from_digits_of_either_case() {
    assert_eq!(bytes_of_hex("0aFF 10"), Some(vec![10, 255, 16]));
    assert_eq!(bytes_of_hex("ff "), Some(vec![255]));
    assert_eq!((bytes_of_hex("f f"), bytes_of_hex("\u{ff10}0")), (None, None));
}
