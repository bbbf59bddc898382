//! JSON Schemas of the files that people write, generated from the structs that describe them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// What the name of a scenario or sweep looks like, as a regular expression: it becomes the name of a folder.
pub const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

/// What the bytes of a write look like, as a regular expression.
pub const HEX_PATTERN: &str = "^([0-9A-Fa-f]{2} ?)*$";

/// Largest seed: the largest whole number that every reader of JSON keeps exactly (2^53 - 1).
pub const SEED_MAX: u64 = 9_007_199_254_740_991;

/// The schema of a struct, subschemas written in place.
pub fn schema_of<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    schema["title"] = json!(title);
    tidy(&mut schema);
    schema
}

/// The text of a schema as it is committed. Ends with a line feed.
pub fn schema_text(schema: &Value) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Gives every key a title with its unit, joins the lines of the descriptions, and drops what an editor's user need not see.
fn tidy(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if map.get("format").is_some_and(Value::is_string) {
        map.remove("format");
    }
    for limit in ["minimum", "maximum"] {
        map.get_mut(limit).map(plain_numbers);
    }
    match map.get_mut("default") {
        // The keys inside have defaults of their own.
        Some(Value::Object(_)) => drop(map.remove("default")),
        Some(default) => plain_numbers(default),
        None => {}
    }
    if let Some(Value::String(words)) = map.get_mut("description") {
        *words = words.replace('\n', " ");
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for (key, property) in properties {
            title(key, property);
            tidy(property);
        }
    }
    if let Some(items) = map.get_mut("items") {
        tidy(items);
    }
    if let Some(Value::String(words)) = map.get("description").cloned() {
        explain_only_key(map, words);
    }
    for word in PARTS {
        map.get_mut(word).and_then(Value::as_array_mut).into_iter().flatten().for_each(tidy);
    }
}

/// A variant of a choice is an object of one key: what is said of the variant holds for the key, if nothing is said of that.
fn explain_only_key(map: &mut Map<String, Value>, words: String) {
    let keys = map.get_mut("properties").and_then(Value::as_object_mut).filter(|keys| keys.len() == 1);
    let only = keys.and_then(|keys| keys.values_mut().next()).and_then(Value::as_object_mut);
    only.map(|only| only.entry("description").or_insert(Value::String(words)));
}

/// 120, not 120.0.
fn plain_numbers(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(plain_numbers),
        Value::Number(number) => {
            if let Some(whole) = number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 1e15) {
                *value = json!(whole as i64);
            }
        }
        _ => {}
    }
}

fn title(key: &str, property: &mut Value) {
    let Value::Object(map) = property else { return };
    let (words, unit) = split_unit(key);
    let words = words.trim_start_matches('$').replace('_', " ");
    let title = unit.map_or_else(|| words.clone(), |unit| format!("{words} ({unit})"));
    map.insert("title".to_owned(), Value::String(title));
}

/// A key without its unit, and the unit as people write it: `a_max_mm_s2` is `a_max` in `mm/s²`.
pub fn split_unit(key: &str) -> (&str, Option<&'static str>) {
    const UNITS: [(&str, &str); 24] = [
        ("_mm_s2", "mm/s²"),
        ("_mm_s", "mm/s"),
        ("_m_s2", "m/s²"),
        ("_m_s", "m/s"),
        ("_1_m", "1/m"),
        ("_per_m", "1/m"),
        ("_mn_s", "mN s"),
        ("_rad_s", "rad/s"),
        ("_deg_s", "°/s"),
        ("_per_sqrt_s", "per √s"),
        ("_per_s", "1/s"),
        ("_mah", "mAh"),
        ("_ma", "mA"),
        ("_mx", "Mx"),
        ("_mm", "mm"),
        ("_m", "m"),
        ("_hz", "Hz"),
        ("_ms", "ms"),
        ("_deg", "°"),
        ("_dot", "dots"),
        ("_g", "g"),
        ("_n", "N"),
        ("_s", "s"),
        ("_rad", "rad"),
    ];
    UNITS
        .iter()
        .find_map(|(suffix, unit)| key.strip_suffix(suffix).map(|words| (words, Some(*unit))))
        .unwrap_or((key, None))
}

/// The keys of an object's schema.
pub fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// The schema of the key at a path, `agents.count` or `cars[0].start`.
pub fn schema_at<'a>(schema: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(schema, |schema, step| {
        let (key, items) = step.split_once('[').map_or((step, 0), |(key, rest)| (key, rest.matches(']').count()));
        (0..items).try_fold(properties(schema)?.get(key)?, |list, _| list.get("items"))
    })
}

/// Paths of all keys, `agents.count`, in the order of the schema.
pub fn all_paths(schema: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    collect_paths(schema, "", &mut paths);
    paths
}

fn collect_paths(schema: &Value, prefix: &str, paths: &mut Vec<String>) {
    for (key, property) in properties(schema).into_iter().flatten() {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        collect_paths(property, &path, paths);
        paths.push(path);
    }
}

/// Words under which a schema lists schemas of which one must fit.
const PARTS: [&str; 2] = ["oneOf", "anyOf"];

/// The schemas of which a value fits one; none if the schema speaks for itself, or is a choice of words.
pub fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    PARTS.iter().find_map(|word| schema.get(word)).and_then(Value::as_array).filter(|_| choices(schema).is_none())
}

/// The types of value that a schema takes, `null` apart: `object`, `array`, `string`, `number`, `integer`, `boolean`.
pub fn kinds(schema: &Value) -> impl Iterator<Item = &str> {
    let kinds = schema["type"].as_array().into_iter().flatten().chain(std::iter::once(&schema["type"]));
    kinds.filter_map(Value::as_str).filter(|kind| *kind != "null")
}

/// True if `null` is allowed too.
pub fn nullable(schema: &Value) -> bool {
    schema["type"] == "null" || schema["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")))
}

/// The words that a key may be, if it is one of a few.
pub fn choices(schema: &Value) -> Option<Vec<&str>> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return Some(words.iter().filter_map(Value::as_str).collect());
    }
    if let Some(word) = schema.get("const") {
        return Some(word.as_str().into_iter().collect());
    }
    let parts = schema.get("oneOf").and_then(Value::as_array)?;
    Some(parts.iter().map(choices).collect::<Option<Vec<_>>>()?.concat())
}
