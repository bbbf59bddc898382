//! The rows that a run has now, column by column.

use sim_run::Model;
use sim_world::{Value, World};

/// A run with its model.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// What is fixed.
    pub model: &'a dyn Model,
    /// The run.
    pub world: &'a dyn World,
}

impl Rows<'_> {
    /// The values of a column of the rows that a stream has now.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column<T>(&self, stream: &str, column: &str, value: impl Fn(&Value<'_>) -> T) -> Vec<T> {
        let streams = self.model.outputs();
        let place = streams.iter().position(|known| known.name == stream);
        let place = place.unwrap_or_else(|| panic!("no stream {stream}"));
        let cell = streams[place].column(column).unwrap_or_else(|| panic!("{stream} has no column {column}"));
        let mut values = Vec::new();
        self.world.rows(place, &mut |row| values.push(value(&row[cell])));
        values
    }

    /// The numbers of a column; not a number where it is missing.
    #[must_use]
    pub fn numbers(&self, stream: &str, column: &str) -> Vec<f64> {
        self.column(stream, column, |value| value.as_number().unwrap_or(f64::NAN))
    }

    /// The number of the only row.
    ///
    /// # Panics
    /// If there are none or more.
    #[must_use]
    pub fn number(&self, stream: &str, column: &str) -> f64 {
        let numbers = self.numbers(stream, column);
        assert_eq!(numbers.len(), 1, "{stream}.{column}: {numbers:?}");
        numbers[0]
    }

    /// The lists of a column.
    ///
    /// # Panics
    /// If it holds something else.
    #[must_use]
    pub fn lists(&self, stream: &str, column: &str) -> Vec<Vec<f64>> {
        self.column(stream, column, |value| match value {
            Value::Numbers(numbers) => numbers.to_vec(),
            other => panic!("{stream}.{column}: {other:?} is no list"),
        })
    }

    /// The texts of a column.
    ///
    /// # Panics
    /// If it holds something else.
    #[must_use]
    pub fn texts(&self, stream: &str, column: &str) -> Vec<String> {
        self.column(stream, column, |value| match value {
            Value::Text(text) => (*text).to_owned(),
            other => panic!("{stream}.{column}: {other:?} is no text"),
        })
    }
}

/// Checks a number.
///
/// # Panics
/// If it is farther off than the tolerance.
pub fn assert_near(value: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((value - expected).abs() <= tolerance, "{what} is {value}, expected {expected}");
}
