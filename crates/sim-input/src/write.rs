//! JSON as a person would write it.

use crate::tree::{Node, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer as AnySerializer};
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// A value as indented JSON, keys in the order of the struct, ending with a line feed. Reading it gives the same value
/// again, bit for bit.
pub fn hand_written(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, HandWritten { pretty: PrettyFormatter::new() });
    // Writing into memory cannot fail, and all keys are text.
    let written = value.serialize(&mut serializer);
    debug_assert!(written.is_ok());
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// A tree is written as what it was read from: keys stay in their order.
impl Serialize for Node {
    fn serialize<S: AnySerializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::List(items) => serializer.collect_seq(items),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|member| map.serialize_entry(&member.name, &member.node))?;
                map.end()
            }
            _ => self.json().serialize(serializer),
        }
    }
}

/// Writes as a person would: a list on one line, whole numbers without a point.
struct HandWritten<'a> {
    pretty: PrettyFormatter<'a>,
}

impl Formatter for HandWritten<'_> {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // Below 2^53 a whole number and its decimals are the same thing.
        if value.fract() == 0.0 && value.abs() < 9e15 && !(value == 0.0 && value.is_sign_negative()) {
            return write!(writer, "{}", value as i64);
        }
        // Serde's own shortest form: through a value, as the trait's default method is this one.
        write!(writer, "{}", serde_json::Value::from(value))
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Sample {
        name: &'static str,
        feet: Feet,
        goals: Option<u8>,
    }

    #[derive(Serialize)]
    struct Feet {
        idle_s: [f64; 2],
        beta_per_s: f64,
        home_mm: Vec<f64>,
        offset: f64,
    }

    #[test]
    fn numbers_and_lists_look_hand_written() {
        let feet = Feet { idle_s: [5.0, 8.0], beta_per_s: 2.5, home_mm: vec![], offset: -0.0 };
        let wanted = "{
  \"name\": \"x\",
  \"feet\": {
    \"idle_s\": [5, 8],
    \"beta_per_s\": 2.5,
    \"home_mm\": [],
    \"offset\": -0.0
  },
  \"goals\": null
}
";
        assert_eq!(hand_written(&Sample { name: "x", feet, goals: None }), wanted);
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        let text = "{
  \"z\": [1, -0.0, 1e+300, 18446744073709551615, 0.30000000000000004],
  \"a\": {
    \"text\": \"a \\\"b\\\"\",
    \"none\": null,
    \"empty\": {}
  },
  \"b\": [[true], []]
}
";
        let tree = crate::tree::parse(text, "{}", &crate::diagnostic::Origin::Text).unwrap();
        assert_eq!(hand_written(&tree), text);
    }
}
