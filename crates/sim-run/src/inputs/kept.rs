//! Values of input rows that are kept: as a file of them brings them back.

use sim_world::{Column, ColumnKind, Stream, Value};

/// A value that is kept: [`Value`] with its own text and numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// A whole number.
    Integer(i64),
    /// A real number.
    Number(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Real numbers.
    Numbers(Vec<f64>),
    /// Nothing.
    Missing,
}

impl From<Value<'_>> for Kept {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Integer(integer) => Self::Integer(integer),
            Value::Number(number) => Self::Number(number),
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Value::Numbers(numbers) => Self::Numbers(numbers.to_vec()),
            Value::Missing => Self::Missing,
        }
    }
}

impl Kept {
    /// The value that a file brings back after this one was written to it; a name is written as the number that it stands for.
    fn as_recorded(value: &Value<'_>, column: &Column) -> Self {
        match (column.kind, *value) {
            (ColumnKind::Number, Value::Integer(integer)) => Self::Number(integer as f64),
            (ColumnKind::Integer, Value::Text(name)) => column.number_of(name).map_or(Self::Missing, Self::Integer),
            (_, Value::Integer(integer)) => Self::Integer(integer),
            (_, Value::Number(number)) => Self::Number(unsigned_zero(number)),
            (_, Value::Text(text)) if text.trim().is_empty() => Self::Missing,
            (_, Value::Text(text)) => Self::Text(text.to_owned()),
            (_, Value::Bytes([]) | Value::Numbers([]) | Value::Missing) => Self::Missing,
            (_, Value::Bytes(bytes)) => Self::Bytes(bytes.to_vec()),
            (_, Value::Numbers(numbers)) => Self::Numbers(numbers.iter().copied().map(unsigned_zero).collect()),
        }
    }

    /// The value, borrowed.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        match self {
            Self::Integer(integer) => Value::Integer(*integer),
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Numbers(numbers) => Value::Numbers(numbers),
            Self::Missing => Value::Missing,
        }
    }
}

/// Zeros have no sign in a table.
pub(crate) fn unsigned_zero(number: f64) -> f64 {
    number + 0.0
}

/// The values of a row that a file brings back: a run takes the same values from a program as from its record.
pub(crate) fn as_recorded(stream: &Stream, row: &[Value<'_>]) -> Vec<Kept> {
    stream.columns.iter().zip(row).map(|(column, value)| Kept::as_recorded(value, column)).collect()
}

/// A row that is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptRow {
    pub step: u64,
    pub stream: usize,
    pub values: Vec<Kept>,
}

impl KeptRow {
    pub fn values(&self) -> Vec<Value<'_>> {
        self.values.iter().map(Kept::value).collect()
    }
}
