//! What a schema allows, in words.

use serde_json::Value as Json;

use crate::schema::{HEX_PATTERN, NAME_PATTERN, alternatives, choices, kinds, nullable, properties, split_unit};

/// Most choices that a sentence lists.
const MAX_CHOICES: usize = 24;

/// What the schema of `key` allows: "a number from 100 to 100000 mm".
pub fn allowed(schema: &Json, key: &str) -> String {
    if let Some(words) = choices(schema) {
        if words.len() > MAX_CHOICES {
            return format!("one of the {} names that the schema lists, such as {:?}", words.len(), words[0]);
        }
        let list = words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        return if words.len() == 1 { list } else { format!("one of {list}") };
    }
    if let Some(parts) = alternatives(schema) {
        return of_parts(parts, key);
    }
    if schema["type"] == "null" {
        return "null".to_owned();
    }
    let mut words: Vec<String> = kinds(schema).map(|kind| of_kind(kind, schema, key)).collect();
    if words.is_empty() {
        words.push(of_kind("object", schema, key));
    }
    if nullable(schema) {
        words.push("null".to_owned());
    }
    words.join(" or ")
}

/// One of several: "an object with one of the keys rigid, torpedo or "fixed"".
fn of_parts(parts: &[Json], key: &str) -> String {
    let (objects, others): (Vec<&Json>, Vec<&Json>) = parts.iter().partition(|part| properties(part).is_some());
    let mut words: Vec<String> = Vec::new();
    match objects.as_slice() {
        [] => {}
        [only] => words.push(allowed(only, key)),
        several => {
            let keys = several.iter().filter_map(|part| properties(part)).flat_map(|known| known.keys().cloned());
            words.push(format!("an object with one of the keys {}", keys.collect::<Vec<_>>().join(", ")));
        }
    }
    words.extend(others.iter().map(|part| allowed(part, key)));
    words.join(" or ")
}

fn of_kind(kind: &str, schema: &Json, key: &str) -> String {
    match kind {
        "number" => format!("a number{}", range(schema, key)),
        "integer" => format!("a whole number{}", range(schema, key)),
        "string" if schema["pattern"] == NAME_PATTERN => {
            "a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit".to_owned()
        }
        "string" if schema["pattern"] == HEX_PATTERN => {
            r#"pairs of hexadecimal digits, as in "0300ff" or "03 00 ff""#.to_owned()
        }
        "string" => "text in double quotes".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => format!("a list of {}", many(schema, key)),
        _ => "an object { ... }".to_owned(),
    }
}

/// The items of a list: "2 numbers from 0 to 3600 s".
fn many(schema: &Json, key: &str) -> String {
    let count = match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => format!("{least} "),
        (Some(least), Some(most)) => format!("{least} to {most} "),
        (None, Some(most)) => format!("at most {most} "),
        (Some(least), None) => format!("at least {least} "),
        (None, None) => String::new(),
    };
    let items = &schema["items"];
    let kind = match kinds(items).next().unwrap_or_default() {
        "number" => format!("numbers{}", range(items, key)),
        "integer" => format!("whole numbers{}", range(items, key)),
        "array" => format!("lists of {}", many(items, key)),
        "object" => "objects { ... }".to_owned(),
        _ => "values".to_owned(),
    };
    count + &kind
}

fn range(schema: &Json, key: &str) -> String {
    let unit = split_unit(key).1.map_or_else(String::new, |unit| format!(" {unit}"));
    let steps =
        schema.get("multipleOf").map_or_else(String::new, |step| format!(" in steps of {}", plain_number(step)));
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => format!(" from {} to {}{unit}{steps}", plain_number(least), plain_number(most)),
        (Some(least), None) => format!(" of at least {}{unit}", plain_number(least)),
        (None, Some(most)) => format!(" of at most {}{unit}", plain_number(most)),
        (None, None) => String::new(),
    }
}

/// A number of the schema as people write it: 100, not 100.0.
pub fn plain_number(number: &Json) -> String {
    number.as_f64().map_or_else(|| number.to_string(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ranges_and_lists_are_said_with_their_units() {
        let number = json!({"type": "number", "minimum": 0.5, "maximum": 3600.0});
        assert_eq!(allowed(&number, "idle_s"), "a number from 0.5 to 3600 s");
        let pair = json!({"type": "array", "items": number, "minItems": 2, "maxItems": 2});
        assert_eq!(allowed(&pair, "idle_s"), "a list of 2 numbers from 0.5 to 3600 s");
        let pairs = json!({"type": "array", "items": pair, "maxItems": 9});
        assert_eq!(allowed(&pairs, "home_mm"), "a list of at most 9 lists of 2 numbers from 0.5 to 3600 mm");
        let maybe = json!({"type": ["object", "null"]});
        assert_eq!(allowed(&maybe, "goals"), "an object { ... } or null");
    }
}
