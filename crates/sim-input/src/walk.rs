//! A file's tree against its schema: all that is wrong with single keys, in one pass.
//!
//! What passes comes out as plain JSON for serde. A key that is wrong is left out, so that its default stands in for it and
//! the checks after this one can still say something about the rest.

use serde_json::{Map, Number, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diagnostic::{Fault, Origin, line_and_column};
use crate::nearest::{did_you_mean, nearest};
use crate::schema::{HEX_PATTERN, NAME_PATTERN, all_paths, alternatives, choices, kinds, nullable, properties};
use crate::tree::{Member, Node, Value};
use crate::words::allowed;

/// Most faults that are listed.
pub const MAX_FAULTS: usize = 100;

/// What the walk found.
pub struct Walked {
    /// What passed.
    pub json: Json,
    /// What did not.
    pub faults: Vec<Fault>,
}

/// Checks `root` against `schema`. `text` is the file's, for the numbers of its lines; `noun` is what it is called.
pub fn walk(root: &Node, noun: &str, schema: &Json, text: &str) -> Walked {
    let mut walk = Walk { noun, root: schema, text, faults: Vec::new(), more: 0 };
    let json = walk.node(root, schema, "").unwrap_or_else(|| json!({}));
    if walk.more > 0 {
        let message = format!("{} more mistakes are not listed", walk.more);
        walk.faults.push(Fault::new("", message));
    }
    Walked { json, faults: walk.faults }
}

struct Walk<'a> {
    noun: &'a str,
    root: &'a Json,
    text: &'a str,
    faults: Vec<Fault>,
    more: usize,
}

impl Walk<'_> {
    /// True if enough was found already; then the fault is only counted. A megabyte holds 100,000 mistakes.
    fn is_full(&mut self) -> bool {
        let full = self.faults.len() >= MAX_FAULTS;
        self.more += usize::from(full);
        full
    }

    /// The value in plain JSON, or None if it is wrong and cannot be used.
    fn node(&mut self, node: &Node, schema: &Json, path: &str) -> Option<Json> {
        if matches!(node.value, Value::Null) && nullable(schema) {
            return Some(Json::Null);
        }
        if let Some(words) = choices(schema) {
            return self.choice(node, schema, &words, path);
        }
        if let Some(parts) = alternatives(schema) {
            return self.alternative(node, (schema, parts), path);
        }
        if kinds(schema).next().is_none() && !nullable(schema) {
            return Some(node.json());
        }
        let is = |name: &str| kinds(schema).any(|kind| kind == name);
        let found = match &node.value {
            Value::Object(members) if is("object") => return self.object(node, members, schema, path),
            Value::List(items) if is("array") => self.list(items, schema, path)?,
            Value::Text(text) if is("string") => text_of(text, schema),
            Value::Number(literal) if is("number") => number_of(literal, schema),
            Value::Number(literal) if is("integer") => whole_number_of(literal, schema),
            // A flag has no quotes: `--set name=7` means the text.
            Value::Number(text) if is("string") && matches!(node.origin, Origin::Override(_)) => text_of(text, schema),
            Value::Bool(value) if is("boolean") => Some(json!(value)),
            _ => None,
        };
        if found.is_none() {
            self.wrong(node, schema, path, None);
        }
        found
    }

    fn choice(&mut self, node: &Node, schema: &Json, words: &[&str], path: &str) -> Option<Json> {
        let Value::Text(text) = &node.value else {
            self.wrong(node, schema, path, None);
            return None;
        };
        if words.contains(&text.as_str()) {
            return Some(json!(text));
        }
        self.wrong(node, schema, path, nearest(text, words.iter().copied()));
        None
    }

    /// A value that fits one of several schemas. Objects are told apart by their keys.
    fn alternative(&mut self, node: &Node, (schema, parts): (&Json, &[Json]), path: &str) -> Option<Json> {
        let is = |part: &&Json, name: &str| kinds(part).any(|kind| kind == name);
        let fitting = match &node.value {
            Value::Null => parts.iter().find(|part| nullable(part)),
            Value::Object(members) => {
                let objects: Vec<&Json> = parts.iter().filter(|part| is(part, "object")).collect();
                match (objects.as_slice(), members.as_slice()) {
                    ([only], _) => Some(*only),
                    ([_, _, ..], [first, others @ ..]) => return self.variant(node, &objects, (first, others), path),
                    _ => None,
                }
            }
            Value::List(items) => {
                let is_nested = items.iter().any(|item| matches!(item.value, Value::List(_)));
                let lists = parts.iter().filter(|part| is(part, "array"));
                let mut lists: Vec<&Json> = lists.collect();
                lists.sort_by_key(|list| is(&&list["items"], "array") != is_nested);
                lists.into_iter().next()
            }
            Value::Text(_) => parts.iter().find(|part| is(part, "string")),
            Value::Number(_) => parts.iter().find(|part| is(part, "number") || is(part, "integer")),
            Value::Bool(_) => parts.iter().find(|part| is(part, "boolean")),
        };
        let words: Vec<&str> = parts.iter().filter_map(choices).flatten().collect();
        let is_word = |text: &str| words.contains(&text);
        match (fitting, &node.value) {
            (Some(part), Value::Text(text)) if choices(part).is_some() && !is_word(text) => {
                self.wrong(node, schema, path, nearest(text, words.iter().copied()));
                None
            }
            (Some(_), Value::Text(text)) if is_word(text) => Some(json!(text)),
            (Some(part), _) => self.node(node, part, path),
            (None, _) => {
                self.wrong(node, schema, path, None);
                None
            }
        }
    }

    /// An object of one key, which says what it is.
    fn variant(
        &mut self,
        node: &Node,
        parts: &[&Json],
        (first, others): (&Member, &[Member]),
        path: &str,
    ) -> Option<Json> {
        let has = |part: &Json, key: &str| properties(part).is_some_and(|known| known.contains_key(key));
        let Some(part) = parts.iter().find(|part| has(part, &first.name)) else {
            let known = parts.iter().filter_map(|part| properties(part)).flatten();
            let known: Map<String, Json> = known.map(|(key, schema)| (key.clone(), schema.clone())).collect();
            self.unknown(first, &known, &join(path, &first.name));
            return None;
        };
        let beside = others.iter().find(|other| !has(part, &other.name) && parts.iter().any(|p| has(p, &other.name)));
        if let Some(beside) = beside {
            let message = format!("cannot be given beside {}: choose one of them", first.name);
            self.faults.push(Fault::at(beside.name_origin.clone(), join(path, &beside.name), message));
            return None;
        }
        self.node(node, part, path)
    }

    /// Some(None): the list itself is wrong. None: one of its items is, and has been reported.
    #[expect(clippy::option_option, reason = "the caller reports the outer case, the inner is reported here")]
    fn list(&mut self, items: &[Node], schema: &Json, path: &str) -> Option<Option<Json>> {
        let length = items.len() as u64;
        let fits = schema["minItems"].as_u64().is_none_or(|least| length >= least)
            && schema["maxItems"].as_u64().is_none_or(|most| length <= most);
        if !fits {
            return Some(None);
        }
        let good: Vec<Option<Json>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.node(item, &schema["items"], &format!("{path}[{index}]")))
            .collect();
        good.into_iter().collect::<Option<Vec<_>>>().map(|items| Some(Json::Array(items)))
    }

    fn object(&mut self, node: &Node, members: &[Member], schema: &Json, path: &str) -> Option<Json> {
        let none = Map::new();
        let known = properties(schema).unwrap_or(&none);
        let others = schema.get("additionalProperties").filter(|others| others.is_object());
        let mut seen: BTreeMap<&str, &Member> = BTreeMap::new();
        let mut good = Map::new();
        for member in members {
            let path = join(path, &member.name);
            if let Some(first) = seen.get(member.name.as_str()) {
                self.twice(member, first, &path);
                continue;
            }
            if let Some(property) = known.get(&member.name).or(others) {
                if let Some(json) = self.node(&member.node, property, &path) {
                    good.insert(member.name.clone(), json);
                }
            } else {
                self.unknown(member, known, &path);
            }
            seen.insert(&member.name, member);
        }
        self.required(node, &seen, schema, path);
        let complete = required_keys(schema).all(|key| good.contains_key(key));
        (complete || path.is_empty()).then_some(Json::Object(good))
    }

    fn required(&mut self, node: &Node, seen: &BTreeMap<&str, &Member>, schema: &Json, path: &str) {
        for key in required_keys(schema).filter(|key| !seen.contains_key(key)) {
            let allowed = allowed(&schema["properties"][key], key);
            let message = format!("is missing; must be {allowed}");
            let at = first_letter(&node.origin);
            self.faults.push(Fault::at(at, join(path, key), message).allowed(allowed));
        }
    }

    fn wrong(&mut self, node: &Node, schema: &Json, path: &str, meant: Option<&str>) {
        if self.is_full() {
            return;
        }
        let key = path.rsplit('.').next().unwrap_or_default();
        let allowed = allowed(schema, key.split('[').next().unwrap_or_default());
        let subject = if path.is_empty() { format!("{} ", self.noun) } else { String::new() };
        let hint = did_you_mean(meant);
        let message = format!("{subject}is {}, must be {allowed}{hint}", node.shown());
        let mut fault = Fault::at(node.origin.clone(), path, message).value(node.shown()).allowed(allowed);
        fault.suggestion = meant.map(str::to_owned);
        self.faults.push(fault);
    }

    fn twice(&mut self, member: &Member, first: &Member, path: &str) {
        if self.is_full() {
            return;
        }
        let first = match &first.name_origin {
            Origin::Text(span) | Origin::Named(_, span) => {
                format!(", first on line {}", line_and_column(self.text, span.start).0)
            }
            Origin::Override(_) => String::new(),
        };
        let fault = Fault::at(member.name_origin.clone(), path, format!("is written twice{first}"));
        self.faults.push(fault.value(member.node.shown()));
    }

    fn unknown(&mut self, member: &Member, known: &Map<String, Json>, path: &str) {
        if self.is_full() {
            return;
        }
        let keys = || known.keys().map(String::as_str);
        let paths = all_paths(self.root);
        let same_elsewhere = || {
            let end = format!(".{}", member.name);
            let mut found = paths.iter().filter(|path| path.ends_with(&end) || **path == member.name);
            found.next().filter(|_| found.next().is_none()).map(String::as_str)
        };
        let meant = nearest(&member.name, keys()).or_else(same_elsewhere);
        let all = keys().collect::<Vec<_>>().join(", ");
        let message = match meant {
            Some(meant) => format!("unknown key; did you mean {meant:?}?"),
            None if known.is_empty() => "unknown key; none is known here: write {}".to_owned(),
            None => format!("unknown key; known here: {all}"),
        };
        let mut fault = Fault::at(member.name_origin.clone(), path, message)
            .value(member.name.clone())
            .allowed(format!("one of {all}"));
        fault.suggestion = meant.map(str::to_owned);
        self.faults.push(fault);
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn required_keys(schema: &Json) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str)
}

/// The opening bracket of an object: enough to point at.
fn first_letter(origin: &Origin) -> Origin {
    let first = |span: &Range<usize>| span.start..(span.start + 1).min(span.end);
    match origin {
        Origin::Text(span) => Origin::Text(first(span)),
        Origin::Named(named, span) => Origin::Named(named.clone(), first(span)),
        Origin::Override(index) => Origin::Override(*index),
    }
}

fn text_of(text: &str, schema: &Json) -> Option<Json> {
    let fits = match schema["pattern"].as_str() {
        None => true,
        Some(NAME_PATTERN) => is_name(text),
        Some(HEX_PATTERN) => bytes_of_hex(text).is_some(),
        Some(_) => false,
    };
    fits.then(|| json!(text))
}

/// True if [`NAME_PATTERN`] matches.
fn is_name(text: &str) -> bool {
    let letters = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    letters && text.len() <= 64 && text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
}

/// The bytes that pairs of hexadecimal digits mean, if [`HEX_PATTERN`] matches.
pub fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let mut rest = text;
    let mut bytes = Vec::new();
    while !rest.is_empty() {
        let pair = rest.get(..2).filter(|pair| pair.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(pair, 16).ok()?);
        rest = &rest[2..];
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    Some(bytes)
}

fn in_range(value: f64, schema: &Json) -> bool {
    value.is_finite()
        && schema["multipleOf"].as_f64().is_none_or(|step| value % step == 0.0)
        && schema["minimum"].as_f64().is_none_or(|least| value >= least)
        && schema["maximum"].as_f64().is_none_or(|most| value <= most)
}

fn number_of(literal: &str, schema: &Json) -> Option<Json> {
    let value: f64 = literal.parse().ok()?;
    // A zero has one sign here, so that equal scenarios are equal to the bit.
    let value = if value == 0.0 { 0.0 } else { value };
    if in_range(value, schema) { Number::from_f64(value).map(Json::Number) } else { None }
}

/// Whole numbers may be written `30`, `30.0` or `3e1`.
fn whole_number_of(literal: &str, schema: &Json) -> Option<Json> {
    let value: f64 = literal.parse().ok()?;
    if value.fract() != 0.0 || !in_range(value, schema) {
        return None;
    }
    let exact = literal.parse::<i64>().unwrap_or(value as i64);
    Some(json!(exact))
}

/// Paths about which something was found: checks that depend on them are skipped.
pub fn paths_of(faults: &[Fault]) -> BTreeSet<String> {
    faults.iter().map(|fault| fault.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_written_as_people_do() {
        let schema = json!({"minimum": 0, "maximum": crate::schema::SEED_MAX});
        for (literal, value) in [("30", 30), ("30.0", 30), ("3e1", 30), ("9007199254740991", 9_007_199_254_740_991_i64)]
        {
            assert_eq!(whole_number_of(literal, &schema), Some(json!(value)), "{literal}");
        }
        for literal in ["30.5", "-1", "1e999", "9007199254740992", "99999999999999999999999"] {
            assert_eq!(whole_number_of(literal, &schema), None, "{literal}");
        }
    }

    #[test]
    fn hexadecimal_digits_come_in_pairs() {
        assert_eq!(bytes_of_hex("03 00fF"), Some(vec![3, 0, 255]));
        assert_eq!(bytes_of_hex(""), Some(vec![]));
        for text in ["0", "0g", " 00", "00  00", "+1", "0x00", "\u{e4}"] {
            assert_eq!(bytes_of_hex(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_names_of_folders() {
        for name in ["a", "swarm-30", "A_b-9", &"x".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-a", "_a", "a/b", "a b", "..", "\u{e4}", &"x".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
