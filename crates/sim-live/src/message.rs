//! Messages of pages: text to a message, and cells to the values of a row.

use serde::Deserialize;
use sim_run::inputs::Kept;
use sim_world::{Column, ColumnKind, Stream};

/// Longest message, bytes.
pub const MAX_MESSAGE: usize = 16 * 1024;
/// Rows of a message at most.
pub const MAX_ROWS: usize = 64;
/// Steps that one message may ask for at most.
pub const MAX_STEPS: u64 = 100_000;

/// A message of a page. `do` says which.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// Rows of an input stream for the next step.
    Rows {
        /// Name of the stream.
        stream: String,
        /// Values in the order of its columns; the last ones may be left out.
        rows: Vec<Vec<Cell>>,
    },
    /// Pause, or go on.
    Pause {
        /// Which of both.
        on: bool,
    },
    /// Some steps, then a pause.
    Step {
        /// How many, 1 to [`MAX_STEPS`].
        n: u64,
    },
    /// Another speed.
    Speed {
        /// Simulated seconds a second; none for the fastest.
        times: Option<f64>,
    },
    /// Begin again.
    Reset {
        /// With other draws.
        other: bool,
    },
    /// Frames that the page has drawn or left out, counted from its first one.
    Ack {
        /// How many.
        frames: u64,
    },
    /// The page wants the controls.
    Ask {},
    /// The page gives the controls to the first that asked.
    Give {},
}

/// A value of a row in JSON. Bytes are a text of hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A whole number.
    Integer(i64),
    /// Another number.
    Number(f64),
    /// A text.
    Text(String),
    /// A missing value.
    Missing(()),
}

/// Reads a message.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Message, String> {
    if text.len() > MAX_MESSAGE {
        return Err(format!("has {} bytes, more than {MAX_MESSAGE}", text.len()));
    }
    let message = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match &message {
        Message::Rows { rows, .. } if rows.len() > MAX_ROWS => {
            Err(format!("has {} rows, more than {MAX_ROWS}", rows.len()))
        }
        Message::Step { n } if !(1..=MAX_STEPS).contains(n) => Err(format!("asks for {n} steps, not 1 to {MAX_STEPS}")),
        _ => Ok(message),
    }
}

/// The values of a row of a stream. What else may be wrong with them is found by the step that takes them.
///
/// # Errors
/// If there are too many, or bytes are no pairs of hexadecimal digits.
pub fn row(stream: &Stream, cells: Vec<Cell>) -> Result<Vec<Kept>, String> {
    let (given, columns) = (cells.len(), stream.columns.len());
    if given > columns {
        return Err(format!("has {given} values, a row of {} has {columns}", stream.name));
    }
    let cells = cells.into_iter().chain((given..columns).map(|_| Cell::Missing(())));
    stream.columns.iter().zip(cells).map(|(column, cell)| value(column, cell)).collect()
}

fn value(column: &Column, cell: Cell) -> Result<Kept, String> {
    Ok(match cell {
        Cell::Integer(integer) => Kept::Integer(integer),
        Cell::Number(number) => Kept::Number(number),
        Cell::Text(text) if column.kind == ColumnKind::Bytes => Kept::Bytes(bytes_of_digits(&text)?),
        Cell::Text(text) => Kept::Text(text),
        Cell::Missing(()) => Kept::Missing,
    })
}

/// The bytes of hexadecimal digits.
///
/// # Errors
/// If they are no pairs of such.
pub(crate) fn bytes_of_digits(digits: &str) -> Result<Vec<u8>, String> {
    let wrong = || "has bytes that are no pairs of hexadecimal digits".to_owned();
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let pairs = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
    pairs.collect::<Result<_, _>>().map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_world::Cadence;

    fn stream() -> Stream {
        let columns =
            [Column::integer("cube", ""), Column::number("x_mm", ""), Column::new("hex", ColumnKind::Bytes, "")];
        Stream::new("writes", "", Cadence::OnEvent { at_most: None }, columns)
    }

    fn row_of(text: &str) -> Result<Vec<Kept>, String> {
        let Message::Rows { mut rows, .. } = parse(&format!(r#"{{"do":"rows","stream":"writes","rows":[{text}]}}"#))?
        else {
            return Err("no rows".into());
        };
        row(&stream(), rows.remove(0))
    }

    #[test]
    fn rows_have_the_values_of_their_columns_and_the_last_may_be_missing() {
        assert_eq!(
            row_of(r#"[3,1.5,"02ff"]"#),
            Ok(vec![Kept::Integer(3), Kept::Number(1.5), Kept::Bytes(vec![2, 255])])
        );
        assert_eq!(row_of("[3,null]"), Ok(vec![Kept::Integer(3), Kept::Missing, Kept::Missing]));
        for wrong in
            [r#"[1,2,"f"]"#, r#"[1,2,"zz"]"#, r#"[1,2,"+1"]"#, r#"[1,2,"éé"]"#, r#"[1,2,"",4]"#, "[[1]]", "[true]"]
        {
            assert!(row_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn messages_are_read_and_others_refused() {
        assert_eq!(parse(r#"{"do":"pause","on":true}"#), Ok(Message::Pause { on: true }));
        assert_eq!(parse(r#"{"do":"speed","times":null}"#), Ok(Message::Speed { times: None }));
        assert_eq!(parse(r#"{"do":"ask"}"#), Ok(Message::Ask {}));
        let many = format!(r#"{{"do":"rows","stream":"x","rows":[{}[]]}}"#, "[],".repeat(64));
        let long = format!(r#"{{"do":"rows","stream":"{}","rows":[]}}"#, "x".repeat(MAX_MESSAGE));
        let deep = "[".repeat(10_000);
        for wrong in [
            "",
            "{}",
            "null",
            "[]",
            r#"{"do":"pause"}"#,
            r#"{"do":"pause","on":1}"#,
            r#"{"do":"pause","on":true,"x":1}"#,
            r#"{"do":"step","n":0}"#,
            r#"{"do":"step","n":100001}"#,
            r#"{"do":"step","n":-1}"#,
            r#"{"do":"open","path":"/"}"#,
            &many,
            &long,
            &deep,
        ] {
            assert!(parse(wrong).is_err(), "{wrong:.60}");
        }
    }
}
