//! JSON text as a tree that remembers where everything stands.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use std::ops::Range;

use crate::diagnostic::{Fault, Origin, char_start};

/// Deepest nesting of lists and objects that is read.
pub const MAX_DEPTH: usize = 32;

/// Something in a file, with the place where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What stands there.
    pub value: Value,
    /// Where.
    pub origin: Origin,
}

/// What stands there. Numbers stay as they were written.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A text, unquoted.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// An object.
    Object(Vec<Member>),
}

/// A key of an object and its value. A key that was written twice is here twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub name: String,
    /// Where the key was written.
    pub name_origin: Origin,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// The value of a key, the first if it was written twice.
    pub fn member(&self, name: &str) -> Option<&Self> {
        match &self.value {
            Value::Object(members) => members.iter().find(|member| member.name == name).map(|member| &member.node),
            _ => None,
        }
    }

    /// Puts a value at a key, in the place of the one that is there; the key comes last if it is new.
    pub fn insert(&mut self, name: &str, node: Self) {
        let Value::Object(members) = &mut self.value else { return };
        match members.iter_mut().find(|member| member.name == name) {
            Some(member) => member.node = node,
            None => members.push(Member { name: name.to_owned(), name_origin: node.origin.clone(), node }),
        }
    }

    /// Takes a key and its value away.
    pub fn remove(&mut self, name: &str) {
        if let Value::Object(members) = &mut self.value {
            members.retain(|member| member.name != name);
        }
    }

    /// The deepest node on the way to `path` (`agents.goals.sites_mm[2]`), and whether it is the whole way.
    pub fn find(&self, path: &str) -> (&Self, bool) {
        let mut node = self;
        for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
            let next = match (&node.value, step.strip_suffix(']')) {
                (Value::List(items), Some(index)) => index.parse().ok().and_then(|index: usize| items.get(index)),
                _ => node.member(step),
            };
            match next {
                Some(next) => node = next,
                None => return (node, false),
            }
        }
        (node, true)
    }

    /// The value in plain JSON; of keys that are written twice the last.
    pub fn json(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(literal) => serde_json::from_str(literal).unwrap_or(Json::Null),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(items) => items.iter().map(Self::json).collect(),
            Value::Object(members) => members.iter().map(|member| (member.name.clone(), member.node.json())).collect(),
        }
    }

    /// The value as it was written, shortened to something that fits into a sentence.
    pub fn shown(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(literal) => shortened(literal),
            Value::Text(text) => format!("{:?}", shortened(text)),
            Value::List(items) if items.is_empty() => "an empty list".to_owned(),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Object(_) => "an object".to_owned(),
        }
    }
}

fn shortened(text: &str) -> String {
    const LENGTH: usize = 40;
    if text.chars().count() <= LENGTH {
        return text.to_owned();
    }
    text.chars().take(LENGTH).chain("...".chars()).collect()
}

/// Reads JSON to the letter. `origin` says where a range of the text stands; `least` is an example of what is wanted, for a
/// file without anything in it.
pub fn parse(text: &str, least: &str, origin: &dyn Fn(Range<usize>) -> Origin) -> Result<Node, Box<Fault>> {
    let error = |range: Range<usize>, message: String| Box::new(Fault::at(origin(range), "", message));
    if let Some((at, message)) = trouble_ahead(text) {
        return Err(error(at..at + 1, message));
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &strict())
        .map_err(|problem| error(range_of(&problem), syntax_message(&problem, text)))?;
    // The parser above knows the places, this one knows every letter of the standard.
    if let Err(problem) = serde_json::from_str::<IgnoredAny>(text)
        && parsed.value.is_some()
    {
        let at = byte_at(text, problem.line(), problem.column());
        let words = problem.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        return Err(error(at..at, format!("this is not JSON: {words}")));
    }
    match parsed.value {
        Some(value) => Ok(node_of(&value, origin)),
        None => Err(error(0..0, format!("there is nothing here; the least that is needed is {least}"))),
    }
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// What the parser does not look for: nesting deeper than [`MAX_DEPTH`] (brackets inside text do not count) and control
/// characters inside text. With the byte where it stands.
fn trouble_ahead(text: &str) -> Option<(usize, String)> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            // Text ends with its line at the latest: the parser will say that it was left open.
            b'\n' => (in_text, escaped) = (false, false),
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => {}
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            0..0x20 if in_text => {
                return Some((at, format!("a control character stands in this text; write it as \\u{byte:04x}")));
            }
            b'{' | b'[' if !in_text => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some((at, format!("lists and objects are nested more than {MAX_DEPTH} deep")));
                }
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn node_of(value: &ast::Value<'_>, origin: &dyn Fn(Range<usize>) -> Origin) -> Node {
    let range = value.range();
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::NumberLit(literal) => Value::Number(literal.value.to_owned()),
        ast::Value::StringLit(literal) => Value::Text(literal.value.to_string()),
        ast::Value::Array(list) => Value::List(list.elements.iter().map(|item| node_of(item, origin)).collect()),
        ast::Value::Object(object) => {
            Value::Object(object.properties.iter().map(|property| member_of(property, origin)).collect())
        }
    };
    Node { value, origin: origin(range.start..range.end) }
}

fn member_of(property: &ast::ObjectProp<'_>, origin: &dyn Fn(Range<usize>) -> Origin) -> Member {
    let range = property.name.range();
    Member {
        name: property.name.as_str().to_owned(),
        name_origin: origin(range.start..range.end),
        node: node_of(&property.value, origin),
    }
}

fn range_of(problem: &ParseError) -> Range<usize> {
    problem.range().start..problem.range().end.max(problem.range().start)
}

/// Byte of a place that serde_json names: lines from 1, columns in bytes.
fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    char_start(text, start + column.saturating_sub(1))
}

fn syntax_message(problem: &ParseError, text: &str) -> String {
    use ParseErrorKind as Kind;
    let here = || shortened(text.get(range_of(problem)).unwrap_or_default());
    match problem.kind() {
        Kind::UnexpectedWord | Kind::UnexpectedToken | Kind::UnexpectedTokenInObject => unexpected(&here()),
        Kind::UnexpectedCloseBrace => unexpected("}"),
        Kind::UnexpectedCloseBracket => unexpected("]"),
        Kind::UnexpectedColon => unexpected(":"),
        Kind::UnexpectedComma => unexpected(","),
        Kind::NonFiniteNumbersNotAllowed => not_finite(&here()),
        Kind::UnterminatedObject => "this object is never closed: the text ends before its `}`".to_owned(),
        Kind::UnterminatedArray => "this list is never closed: the text ends before its `]`".to_owned(),
        other => fixed_message(other).to_owned(),
    }
}

fn unexpected(what: &str) -> String {
    match what.to_ascii_lowercase().as_str() {
        "nan" | "inf" | "infinity" => not_finite(what),
        "" => "the text ends too early".to_owned(),
        _ => format!("`{what}` has no place here"),
    }
}

fn not_finite(what: &str) -> String {
    format!("{what} is not a number that JSON knows; write a finite one")
}

fn fixed_message(kind: &ParseErrorKind) -> &'static str {
    use ParseErrorKind as Kind;
    match kind {
        Kind::BareDecimalPointNumbersNotAllowed => "a number needs digits on both sides of its point: 0.5, not .5",
        Kind::CommentsNotAllowed | Kind::UnterminatedCommentBlock => "JSON has no comments",
        Kind::ExpectedColonAfterObjectKey => "a colon is missing here",
        Kind::ExpectedObjectValue => "the value of this key is missing",
        Kind::ExpectedStringObjectProperty => "a key stands in double quotes",
        Kind::HexadecimalNumbersNotAllowed => "a number is written in decimal digits",
        Kind::ExpectedComma => "a comma is missing here",
        Kind::MultipleRootJsonValues => "something follows after the end",
        Kind::SingleQuotedStringsNotAllowed => "text stands in double quotes, not in single ones",
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => "this text is never closed by a double quote",
        Kind::String(_) => "the backslash begins nothing that JSON knows",
        Kind::TrailingCommasNotAllowed => "a comma stands before the closing bracket; take it out",
        Kind::UnaryPlusNumbersNotAllowed => "a number has no plus sign in front",
        _ => "this is not a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Node, Box<Fault>> {
        parse(text, "{}", &Origin::Text)
    }

    #[test]
    fn paths_lead_to_nodes_or_as_far_as_there_are_any() {
        let tree = read(r#"{"a": {"b": [1, [2, 3]]}}"#).unwrap();
        let (node, whole) = tree.find("a.b[1][0]");
        assert!(whole && node.value == Value::Number("2".to_owned()));
        let (node, whole) = tree.find("a.c.d");
        assert!(!whole && node.origin == Origin::Text(6..24));
        assert!(tree.find("").1);
    }

    #[test]
    fn brackets_in_text_are_not_nesting() {
        let text = format!(r#"{{"a\"": "{}"}}"#, "[".repeat(100));
        assert!(read(&text).is_ok());
        assert!(read(&format!("{}{}", "[".repeat(32), "]".repeat(32))).is_ok());
        assert!(read(&"[".repeat(33)).unwrap_err().message.contains("32 deep"));
    }

    #[test]
    fn the_standard_is_followed_to_the_letter() {
        for text in [
            "{\"a\": \"\t\"}",
            "[01]",
            "[1.]",
            "[1 2]",
            "{'a': 1}",
            "{a: 1}",
            "[+1]",
            "[0x10]",
            "// x\n[]",
            "[1,]",
            "\u{a0}[]",
            "[\"\u{a0}\r\"]",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
