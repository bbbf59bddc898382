//! Numbers of a CSV file that a scenario names: a header line, then a row a line. Columns may stand in any order, and others are ignored.
//!
//! What is wrong is a clause that follows the name of the file: `, line 3, column x_mm: is "a", must be a number from 0 to 100`.

use sim_input::nearest::{did_you_mean, nearest};
use std::fmt::Display;

/// A column to read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberColumn {
    /// Name in the header.
    pub(super) name: &'static str,
    /// Smallest and largest number.
    pub(super) range: [f64; 2],
    /// Whether all numbers are whole.
    pub(super) is_whole: bool,
    /// Whether the column, or a field of it, may be missing.
    pub(super) is_optional: bool,
}

impl NumberColumn {
    /// A column of numbers within a range. Every row has one.
    #[must_use]
    pub(super) const fn new(name: &'static str, range: [f64; 2]) -> Self {
        Self { name, range, is_whole: false, is_optional: false }
    }

    /// The same for whole numbers.
    #[must_use]
    pub(super) const fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// The same where the column, or a field of it, may be missing.
    #[must_use]
    pub(super) const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    fn number(&self, field: &str) -> Option<f64> {
        let [least, most] = self.range;
        let number: f64 = field.parse().ok()?;
        ((least..=most).contains(&number) && !(self.is_whole && number.fract() != 0.0)).then_some(number)
    }

    /// What is allowed, in words.
    fn allowed(&self) -> String {
        let [least, most] = self.range;
        let (kind, missing) = (
            if self.is_whole { "a whole number" } else { "a number" },
            if self.is_optional { ", or nothing" } else { "" },
        );
        format!("{kind} from {least} to {most}{missing}")
    }
}

/// A row of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NumberRow<const N: usize> {
    /// Line of the file, counted from 1.
    pub(super) line: u64,
    /// Its numbers, in the order of the columns that were asked for.
    pub(super) numbers: [Option<f64>; N],
}

/// Clause that says what is wrong with a file, to follow its name.
pub(super) type Clause = String;

/// The columns of a file, row by row.
///
/// # Errors
/// A column that is missing, a field that is not allowed, no row, or more rows than `max_rows`.
pub(super) fn read_numbers<const N: usize>(
    text: &str,
    columns: &[NumberColumn; N],
    max_rows: usize,
) -> Result<Vec<NumberRow<N>>, Clause> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(clause)?.clone();
    let places = columns.each_ref().map(|column| header.iter().position(|found| found == column.name));
    let missing = columns.iter().zip(places).find(|(column, place)| place.is_none() && !column.is_optional);
    if let Some((column, _)) = missing {
        return Err(format!(" has no column {}{}", column.name, did_you_mean(nearest(column.name, header.iter()))));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(clause)?;
        let line = record.position().map_or(0, |start| line_after_blanks(text, start));
        let mut row = NumberRow { line, numbers: [None; N] };
        for ((column, place), number) in columns.iter().zip(places).zip(&mut row.numbers) {
            let field = place.and_then(|place| record.get(place)).unwrap_or_default();
            *number = column.number(field);
            if number.is_none() && !(column.is_optional && field.is_empty()) {
                return Err(at(line, column.name, &format!("is {field:?}, must be {}", column.allowed())));
            }
        }
        rows.push(row);
        if rows.len() > max_rows {
            return Err(format!(" has more than {max_rows} rows"));
        }
    }
    if rows.is_empty() { Err(" has no rows".to_owned()) } else { Ok(rows) }
}

/// Line of a record that is read from `start` on: the reader skips blank lines only then.
fn line_after_blanks(text: &str, start: &csv::Position) -> u64 {
    let from_start = text.as_bytes().iter().skip(start.byte() as usize);
    let blanks = from_start.take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|byte| **byte == b'\n');
    start.line() + blanks.count() as u64
}

/// A clause about a field of a file.
#[must_use]
pub(super) fn at(line: u64, column: &str, message: &str) -> Clause {
    format!(", line {line}, column {column}: {message}")
}

fn clause(why: impl Display) -> Clause {
    format!(": {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [NumberColumn; 3] = [
        NumberColumn::new("time_s", [0.0, 60.0]),
        NumberColumn::new("robot", [0.0, 9.0]).whole(),
        NumberColumn::new("x_mm", [0.0, 400.0]).optional(),
    ];

    fn said(text: &str) -> String {
        read_numbers(text, &COLUMNS, 2).map(|_| ()).expect_err("wrong")
    }

    #[test]
    fn columns_stand_in_any_order_and_may_be_missing_where_that_is_allowed() {
        let rows = read_numbers("\u{feff}robot, note, time_s, x_mm\n3, a, 0.5, 7\n4, b, 1,\n", &COLUMNS, 2);
        let row = |line, time_s, robot, x_mm| NumberRow { line, numbers: [Some(time_s), Some(robot), x_mm] };
        assert_eq!(rows, Ok(vec![row(2, 0.5, 3.0, Some(7.0)), row(3, 1.0, 4.0, None)]));
        let without = read_numbers("robot,time_s\n3,0.5\n", &COLUMNS, 2);
        assert_eq!(without, Ok(vec![row(2, 0.5, 3.0, None)]));
    }

    #[test]
    fn what_is_wrong_names_line_and_column() {
        assert_eq!(said("time_s,robto\n1,2\n"), " has no column robot; did you mean \"robto\"?");
        assert_eq!(
            said("time_s,robot\n1,2.5\n"),
            ", line 2, column robot: is \"2.5\", must be a whole number from 0 to 9"
        );
        assert_eq!(said("time_s,robot\n\n61,2\n"), ", line 3, column time_s: is \"61\", must be a number from 0 to 60");
        assert_eq!(
            said("time_s,robot,x_mm\n1,2,nan\n"),
            ", line 2, column x_mm: is \"nan\", must be a number from 0 to 400, or nothing"
        );
        assert_eq!(said("time_s,robot\n"), " has no rows");
        assert_eq!(said("time_s,robot\n1,2\n1,3\n1,4\n"), " has more than 2 rows");
        assert!(said("time_s,robot\n1,2,3\n").contains("line: 2"), "fields that have no header are not ignored");
    }
}
