//! What a row that comes in must be, whatever its world says beyond it.

use crate::{Column, ColumnKind, Stream, Value};
use std::fmt;

/// What is wrong with a row that comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// Place of the column; none if it is the whole row.
    pub column: Option<usize>,
    /// What is wrong, in words that follow the column's name.
    pub message: String,
}

impl RowFault {
    /// A fault of a column, by its name.
    #[must_use]
    pub fn for_column(stream: &Stream, name: &str, message: impl Into<String>) -> Self {
        Self { column: stream.column(name), message: message.into() }
    }

    /// The fault with the name of its column, as one clause.
    #[must_use]
    pub fn in_words(&self, stream: &Stream) -> String {
        match self.column.and_then(|place| stream.columns.get(place)) {
            Some(column) => format!("{} {}", column.name, self.message),
            None => self.message.clone(),
        }
    }
}

/// Checks that a row has a value for each column, of its kind, finite and within its range, or a name that stands for its number. Any value
/// may be missing but the owner's.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_row(stream: &Stream, row: &[Value<'_>]) -> Result<(), RowFault> {
    if row.len() != stream.columns.len() {
        let message = format!("has {} values, a row of {} has {}", row.len(), stream.name, stream.columns.len());
        return Err(RowFault { column: None, message });
    }
    for (place, (column, value)) in stream.columns.iter().zip(row).enumerate() {
        let is_owner = place == 0 && column.kind == ColumnKind::Integer;
        check_value(column, value, is_owner).map_err(|message| RowFault { column: Some(place), message })?;
    }
    Ok(())
}

fn check_value(column: &Column, value: &Value<'_>, is_needed: bool) -> Result<(), String> {
    match (column.kind, value) {
        (_, Value::Missing) if is_needed => Err("is missing".to_owned()),
        (_, Value::Missing) | (ColumnKind::Text, Value::Text(_)) | (ColumnKind::Bytes, Value::Bytes(_)) => Ok(()),
        (ColumnKind::Integer, Value::Integer(integer)) => in_range(column, *integer as f64, integer),
        (ColumnKind::Integer, Value::Text(name)) if !column.names.is_empty() => column.number_of(name).map(|_| ()),
        (ColumnKind::Number, Value::Integer(integer)) => in_range(column, *integer as f64, integer),
        (ColumnKind::Number, Value::Number(number)) => finite_in_range(column, *number),
        (ColumnKind::Numbers(count), Value::Numbers(numbers)) if numbers.len() <= count as usize => {
            numbers.iter().try_for_each(|&number| finite_in_range(column, number))
        }
        (kind, _) => Err(format!("must be {}", in_words(kind))),
    }
}

fn finite_in_range(column: &Column, number: f64) -> Result<(), String> {
    if number.is_finite() {
        in_range(column, number, number)
    } else {
        Err(format!("is {number}, must be a finite number"))
    }
}

fn in_range(column: &Column, value: f64, shown: impl fmt::Display) -> Result<(), String> {
    match column.range {
        Some([min, max]) if !(min..=max).contains(&value) => Err(format!("is {shown}, must be from {min} to {max}")),
        _ => Ok(()),
    }
}

/// A kind of values as a noun.
#[must_use]
pub fn in_words(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "a whole number",
        ColumnKind::Number => "a number",
        ColumnKind::Text => "a text",
        ColumnKind::Bytes => "bytes as pairs of hexadecimal digits",
        ColumnKind::Numbers(_) => "a list of numbers",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cadence;

    fn wishes() -> Stream {
        let columns = [
            Column::integer("agent", "the robot").with_range(0.0, 29.0),
            Column::number("vx_mm_s", "velocity").with_range(-500.0, 500.0),
            Column::text("note", "anything"),
        ];
        Stream::new("wishes", "a wish", Cadence::OnEvent { at_most: None }, columns)
    }

    fn fault(row: &[Value<'_>]) -> String {
        check_row(&wishes(), row).unwrap_err().in_words(&wishes())
    }

    #[test]
    fn whole_rows_in_range_pass() {
        let row = [Value::Integer(29), Value::Number(-500.0), Value::Text("x")];
        assert_eq!(check_row(&wishes(), &row), Ok(()));
        assert_eq!(check_row(&wishes(), &[Value::Integer(0), Value::Integer(3), Value::Missing]), Ok(()));
        assert_eq!(check_row(&wishes(), &[Value::Integer(0), Value::Missing, Value::Missing]), Ok(()));
    }

    #[test]
    fn each_fault_names_its_column_and_what_is_allowed() {
        let (x, none) = (Value::Number(1.0), Value::Missing);
        assert_eq!(fault(&[Value::Integer(30), x, none]), "agent is 30, must be from 0 to 29");
        assert_eq!(fault(&[Value::Integer(-1), x, none]), "agent is -1, must be from 0 to 29");
        assert_eq!(fault(&[none, x, none]), "agent is missing");
        assert_eq!(fault(&[Value::Number(1.0), x, none]), "agent must be a whole number");
        assert_eq!(
            fault(&[Value::Integer(1), Value::Number(f64::NAN), none]),
            "vx_mm_s is NaN, must be a finite number"
        );
        assert_eq!(
            fault(&[Value::Integer(1), Value::Number(500.5), none]),
            "vx_mm_s is 500.5, must be from -500 to 500"
        );
        assert_eq!(fault(&[Value::Integer(1), x, x]), "note must be a text");
        assert_eq!(fault(&[Value::Integer(1), x]), "has 2 values, a row of wishes has 3");
    }

    #[test]
    fn each_number_of_a_list_is_finite_and_in_range() {
        let gains = Column::new("gain_#", ColumnKind::Numbers(3), "gain of a wheel").with_range(0.0, 2.0);
        let gains = Stream::new("gains", "gains", Cadence::OnEvent { at_most: None }, [gains]);
        let checked = |numbers: &[f64]| check_row(&gains, &[Value::Numbers(numbers)]).map_err(|fault| fault.message);
        assert_eq!(checked(&[0.0, 2.0]), Ok(()));
        assert_eq!(checked(&[0.5, 2.5]).unwrap_err(), "is 2.5, must be from 0 to 2");
        assert_eq!(checked(&[0.5, f64::NEG_INFINITY]).unwrap_err(), "is -inf, must be a finite number");
        assert_eq!(checked(&[0.5; 4]).unwrap_err(), "must be a list of numbers");
    }
}
