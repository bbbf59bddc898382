//! JSON of views, and the types of `view.json` as the page expects them.
#![allow(dead_code, reason = "each file of tests uses a part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Debug;

const SPEC: &str = include_str!("../../../sim-view/page/spec.js");

/// A value reads from its JSON and is written as the same again.
pub fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(json: &Value) -> T {
    let value: T = serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(serde_json::to_value(&value).unwrap(), *json);
    value
}

/// The message with which a value is refused.
pub fn refused<T: DeserializeOwned + Debug>(json: &Value) -> String {
    serde_json::from_value::<T>(json.clone()).unwrap_err().to_string()
}

/// A type of the page as its definition has it, between the outer braces.
pub fn definition_of(name: &str) -> String {
    let text = SPEC.replace("\n *  ", "");
    let definition = text.lines().find_map(|line| {
        let (body, rest) = line.strip_prefix(" * @typedef {")?.rsplit_once("} ")?;
        (rest.split(' ').next() == Some(name)).then(|| body.trim().to_owned())
    });
    definition.unwrap_or_else(|| panic!("{name} is no type of the page"))
}

/// Names of the members of an object type of the page, and whether each may be left out.
pub fn members_of(name: &str) -> BTreeMap<String, bool> {
    let body = definition_of(name);
    let body = body.strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or_else(|| panic!("{body}"));
    let (mut depth, mut members, mut word) = (0, BTreeMap::new(), String::new());
    for c in body.chars() {
        match c {
            '[' | '{' | '<' | '(' => depth += 1,
            ']' | '}' | '>' | ')' => depth -= 1,
            ':' if depth == 0 => {
                let may_lack = word.ends_with('?');
                members.insert(word.trim_end_matches('?').to_owned(), may_lack);
            }
            ',' if depth == 0 => word.clear(),
            c if depth == 0 && !c.is_whitespace() => word.push(c),
            _ => {}
        }
    }
    members
}

/// The members of a value are those that the page reads: none is missing, and none is left over.
pub fn has_the_members_of<T: Serialize>(value: &T, name: &str) {
    let json = serde_json::to_value(value).unwrap();
    let object = json.as_object().unwrap_or_else(|| panic!("{name} is no object: {json}"));
    let expected = members_of(name);
    for key in object.keys() {
        assert!(expected.contains_key(key), "the page knows no {key} of {name}");
    }
    for (key, may_lack) in &expected {
        assert!(*may_lack || object.contains_key(key), "{name} lacks {key}");
    }
}
