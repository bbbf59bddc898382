//! Schemas from structs, how they are looked into, and what they allow in words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use sim_input::nearest::nearest;
use sim_input::schema::{all_paths, choices, kinds, nullable, schema_at, schema_of, schema_text, split_unit};
use sim_input::words::{allowed, plain_number};

/// A sample whose description
/// goes over two lines.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the struct is its schema")]
struct Sample {
    /// Its name.
    name: String,
    /// How many.
    #[serde(default = "twelve")]
    #[schemars(range(min = 1, max = 30))]
    count: u32,
    /// How fast.
    #[serde(default = "fast")]
    a_max_mm_s2: f64,
    /// Its parts.
    #[serde(default)]
    parts: Vec<Part>,
    /// What moves it.
    #[serde(default)]
    drive: Drive,
    /// Its only part.
    #[serde(default)]
    part: Part,
}

fn twelve() -> u32 {
    12
}

fn fast() -> f64 {
    2000.0
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Part {
    /// Where it begins.
    from_mm: [f64; 2],
}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Drive {
    /// A point.
    #[default]
    Point,
    /// Two wheels.
    TwoWheels,
}

fn schema() -> Json {
    schema_of::<Sample>("Sample")
}

#[test]
fn a_schema_has_titles_with_units_and_no_noise_for_editors() {
    let schema = schema();
    assert_eq!(
        (&schema["title"], &schema["$schema"]),
        (&json!("Sample"), &json!("http://json-schema.org/draft-07/schema#"))
    );
    assert_eq!(schema["description"], "A sample whose description goes over two lines.");
    let title = |path: &str| schema_at(&schema, path).unwrap()["title"].clone();
    assert_eq!((title("a_max_mm_s2"), title("count")), (json!("a max (mm/s²)"), json!("count")));
    assert_eq!(title("part.from_mm"), "from (mm)");
    let text = schema_text(&schema);
    assert!(!text.contains("\"format\"") && text.ends_with("}\n") && !text.ends_with("\n\n"), "{text}");
    // Subschemas stand in their places.
    assert!(!text.contains("$ref") && !text.contains("definitions"), "{text}");
}

#[test]
fn defaults_are_numbers_as_people_write_them() {
    let schema = schema();
    assert_eq!(schema["properties"]["a_max_mm_s2"]["default"].to_string(), "2000");
    assert_eq!(schema["properties"]["count"]["default"].to_string(), "12");
    assert_eq!(schema["properties"]["part"].get("default"), None, "its keys have their own");
    assert_eq!(schema["properties"]["part"]["properties"]["from_mm"]["default"].to_string(), "[0,0]");
}

#[test]
fn keys_are_found_by_their_paths() {
    let schema = schema();
    let kind = |path: &str| schema_at(&schema, path).map(|schema| kinds(schema).collect::<Vec<_>>().join(" "));
    assert_eq!(kind("count").as_deref(), Some("integer"));
    assert_eq!(kind("parts[0].from_mm").as_deref(), Some("array"));
    assert_eq!(kind("parts[7].from_mm[1]").as_deref(), Some("number"));
    for path in ["cuont", "parts.from_mm", "count.x", "count[0]", "", "part.from_mm[0][0]"] {
        assert_eq!(kind(path), None, "{path:?}");
    }
    let mut paths = all_paths(&schema);
    paths.sort();
    // Keys of items have no path of their own: which item?
    assert_eq!(paths, ["a_max_mm_s2", "count", "drive", "name", "part", "part.from_mm", "parts"]);
}

#[test]
fn types_and_choices_are_read_from_every_form_of_schema() {
    let kinds = |schema: &Json| kinds(schema).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(kinds(&json!({"type": ["null", "object", "string"]})), ["object", "string"]);
    assert_eq!((kinds(&json!({"type": "null"})), kinds(&json!({}))), (vec![], vec![]));
    assert!(nullable(&json!({"type": ["number", "null"]})) && !nullable(&json!({"type": "number"})));
    let schema = schema();
    assert_eq!(choices(&schema["properties"]["drive"]), Some(vec!["point", "two_wheels"]));
    assert_eq!(choices(&json!({"enum": ["a", "b"]})), Some(vec!["a", "b"]));
    assert_eq!(choices(&json!({"const": "a"})), Some(vec!["a"]));
    assert_eq!(choices(&json!({"oneOf": [{"enum": ["a", "b"]}, {"const": "c"}]})), Some(vec!["a", "b", "c"]));
    assert_eq!(choices(&json!({"type": "string"})), None);
}

#[test]
fn units_are_split_off_keys() {
    let cases = [
        ("a_max_mm_s2", "a_max", Some("mm/s²")),
        ("v_max_mm_s", "v_max", Some("mm/s")),
        ("acceleration_limit_m_s2", "acceleration_limit", Some("m/s²")),
        ("velocity_max_m_s", "velocity_max", Some("m/s")),
        ("curvature_limit_1_m", "curvature_limit", Some("1/m")),
        ("dots_per_m", "dots", Some("1/m")),
        ("impulse_mn_s", "impulse", Some("mN s")),
        ("omega_max_rad_s", "omega_max", Some("rad/s")),
        ("turn_deg_s", "turn", Some("°/s")),
        ("walk_std_per_sqrt_s", "walk_std", Some("per √s")),
        ("beta_per_s", "beta", Some("1/s")),
        ("width_mm", "width", Some("mm")),
        ("range_max_m", "range_max", Some("m")),
        ("step_hz", "step", Some("Hz")),
        ("every_ms", "every", Some("ms")),
        ("yaw_deg", "yaw", Some("°")),
        ("at_dot", "at", Some("dots")),
        ("mass_g", "mass", Some("g")),
        ("load_n", "load", Some("N")),
        ("at_s", "at", Some("s")),
        ("spread_rad", "spread", Some("rad")),
        ("count", "count", None),
        ("items", "items", None),
        ("$schema", "$schema", None),
    ];
    for (key, words, unit) in cases {
        assert_eq!(split_unit(key), (words, unit), "{key}");
    }
}

#[test]
fn what_is_allowed_is_a_noun_with_its_range_and_unit() {
    let words = |schema: Json| allowed(&schema, "speed_mm_s");
    assert_eq!(words(json!({"type": "number"})), "a number");
    assert_eq!(words(json!({"type": "number", "minimum": 0})), "a number of at least 0 mm/s");
    assert_eq!(words(json!({"type": "integer", "maximum": 7.0})), "a whole number of at most 7 mm/s");
    assert_eq!(
        words(json!({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.25})),
        "a number from 0 to 1 mm/s in steps of 0.25"
    );
    assert_eq!(words(json!({"type": "boolean"})), "true or false");
    assert_eq!(words(json!({"type": ["number", "string", "null"]})), "a number or text in double quotes or null");
    assert_eq!(
        words(json!({"type": "array", "minItems": 1, "items": {"type": "integer"}})),
        "a list of at least 1 whole numbers"
    );
    assert_eq!(
        words(json!({"type": "array", "minItems": 1, "maxItems": 4, "items": {"type": "object"}})),
        "a list of 1 to 4 objects { ... }"
    );
    assert_eq!(words(json!({"type": "array", "items": {"enum": ["a"]}})), "a list of values");
    assert_eq!(words(json!({"properties": {}})), "an object { ... }");
    assert_eq!(words(json!({"const": "mat"})), r#""mat""#);
    assert_eq!(words(json!({"enum": ["a", "b"]})), r#"one of "a", "b""#);
}

#[test]
fn a_long_list_of_choices_is_counted() {
    let names: Vec<String> = (0..25).map(|n| format!("card-{n}")).collect();
    let many = json!({"enum": names});
    assert_eq!(allowed(&many, "item"), r#"one of the 25 names that the schema lists, such as "card-0""#);
    let listed = allowed(&json!({"enum": &names[..24]}), "item");
    assert!(listed.ends_with(r#""card-22", "card-23""#), "{listed}");
}

#[test]
fn numbers_of_a_schema_have_no_needless_point() {
    let plain = [json!(100.0), json!(0.001), json!(-5), json!(1e21)].map(|number| plain_number(&number));
    assert_eq!(plain, ["100", "0.001", "-5", "1000000000000000000000"]);
}

/// Damerau and Levenshtein: insertion, deletion, substitution and the swap of two neighbours count one each. A third of the letters
/// may be wrong.
#[test]
fn the_nearest_word_is_found_by_its_typing_errors() {
    let near = |word: &str, known: &[&'static str]| nearest(word, known.iter().copied());
    assert_eq!(near("wihses", &["wishes", "feet"]), Some("wishes"));
    assert_eq!(near("abcdefxyz", &["abcdefghi"]), Some("abcdefghi"), "three of nine");
    assert_eq!(near("abcdewxyz", &["abcdefghi"]), None, "four of nine");
    assert_eq!(near("feat", &["foot", "feet"]), Some("feet"));
    assert_eq!(near("bat", &["cat", "mat"]), Some("cat"), "of equals the first");
    assert_eq!(near("a", &["b"]), None, "nothing is left of a word of one letter");
    assert_eq!(near("wishes", &[]), None);
    assert_eq!(near(&"wishes".repeat(10_000), &["wishes"]), None);
}
