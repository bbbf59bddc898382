//! Columns of a CSV file that a person wrote: a header line, then a row a line. Columns may stand in any order, and others are ignored.
//!
//! What is wrong is a clause that follows the name of the file: `, line 3, column x_mm: is "a", must be a number from 0 to 100`.

use crate::nearest::{did_you_mean, nearest};
use std::fmt::Display;

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberColumn {
    name: &'static str,
    /// Smallest and largest number.
    range: [f64; 2],
    is_whole: bool,
    /// Whether the column, or a field of it, may be missing.
    is_optional: bool,
}

impl NumberColumn {
    /// A column of numbers within a range. Every row has one.
    #[must_use]
    pub const fn new(name: &'static str, range: [f64; 2]) -> Self {
        Self { name, range, is_whole: false, is_optional: false }
    }

    /// The same for whole numbers.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// The same where the column, or a field of it, may be missing.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// The number in a field of a line; none where it may be missing, and is.
    fn number_at(&self, line: u64, field: &str) -> Result<Option<f64>, Clause> {
        if field.is_empty() && self.is_optional {
            return Ok(None);
        }
        let number = field.parse().ok().filter(|number| self.allows(*number));
        let wrong = || at(line, self.name, &format!("is {field:?}, must be {}", self.allowed()));
        number.map(Some).ok_or_else(wrong)
    }

    fn allows(&self, number: f64) -> bool {
        let [least, most] = self.range;
        (least..=most).contains(&number) && !(self.is_whole && number.fract() != 0.0)
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

/// A row of a file: what stands in the columns that were asked for, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<const NUMBERS: usize, const WORDS: usize> {
    /// Line of the file, counted from 1.
    pub line: u64,
    /// Numbers; none where a field of an optional column is empty.
    pub numbers: [Option<f64>; NUMBERS],
    /// Words as they are written.
    pub words: [String; WORDS],
}

/// A row of numbers alone.
pub type NumberRow<const NUMBERS: usize> = Row<NUMBERS, 0>;

/// Clause that says what is wrong with a file, to follow its name.
pub type Clause = String;

/// The numbers of a file, row by row.
///
/// # Errors
/// As [`read_rows`].
pub fn read_numbers<const NUMBERS: usize>(
    text: &str,
    numbers: &[NumberColumn; NUMBERS],
    max_rows: usize,
) -> Result<Vec<NumberRow<NUMBERS>>, Clause> {
    read_rows(text, (numbers, []), max_rows)
}

/// The columns of numbers and those of words of a file, row by row.
///
/// # Errors
/// A column that is missing, a field that is not allowed, no row, or more rows than `max_rows`.
pub fn read_rows<const NUMBERS: usize, const WORDS: usize>(
    text: &str,
    (numbers, words): (&[NumberColumn; NUMBERS], [&str; WORDS]),
    max_rows: usize,
) -> Result<Vec<Row<NUMBERS, WORDS>>, Clause> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(clause)?.clone();
    let places =
        (numbers.each_ref().map(|column| place_of(&header, column.name)), words.map(|name| place_of(&header, name)));
    let needed = numbers.iter().map(|column| (column.name, column.is_optional)).chain(words.map(|name| (name, false)));
    let missing =
        needed.zip(places.0.iter().chain(&places.1)).find(|((_, is_optional), place)| place.is_none() && !is_optional);
    if let Some(((name, _), _)) = missing {
        return Err(format!(" has no column {name}{}", did_you_mean(nearest(name, header.iter()))));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(clause)?;
        let line = record.position().map_or(0, |start| line_after_blanks(text, start));
        let field = |place: Option<usize>| place.and_then(|place| record.get(place)).unwrap_or_default();
        let mut row = Row { line, numbers: [None; NUMBERS], words: places.1.map(|place| field(place).to_owned()) };
        for ((column, place), number) in numbers.iter().zip(places.0).zip(&mut row.numbers) {
            *number = column.number_at(line, field(place))?;
        }
        rows.push(row);
        if rows.len() > max_rows {
            return Err(format!(" has more than {max_rows} rows"));
        }
    }
    if rows.is_empty() { Err(" has no rows".to_owned()) } else { Ok(rows) }
}

fn place_of(header: &csv::StringRecord, name: &str) -> Option<usize> {
    header.iter().position(|found| found == name)
}

/// Line of a record that is read from `start` on: the reader skips blank lines only then.
fn line_after_blanks(text: &str, start: &csv::Position) -> u64 {
    let from_start = text.as_bytes().iter().skip(start.byte() as usize);
    let blanks = from_start.take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|byte| **byte == b'\n');
    start.line() + blanks.count() as u64
}

/// A clause about a field of a file.
#[must_use]
pub fn at(line: u64, column: &str, message: &str) -> Clause {
    format!(", line {line}, column {column}: {message}")
}

/// The message of a reader of files, as a clause.
#[must_use]
pub fn clause(why: impl Display) -> Clause {
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
        let row = |line, time_s, robot, x_mm| Row { line, numbers: [Some(time_s), Some(robot), x_mm], words: [] };
        assert_eq!(rows, Ok(vec![row(2, 0.5, 3.0, Some(7.0)), row(3, 1.0, 4.0, None)]));
        let without = read_numbers("robot,time_s\n3,0.5\n", &COLUMNS, 2);
        assert_eq!(without, Ok(vec![row(2, 0.5, 3.0, None)]));
    }

    #[test]
    fn words_stand_beside_numbers() {
        let read = |text| read_rows(text, (&[COLUMNS[0]], ["name"]), 2);
        let row = Row { line: 2, numbers: [Some(0.5)], words: ["left motor".to_owned()] };
        assert_eq!(read("name, time_s\nleft motor, 0.5\n"), Ok(vec![row]));
        assert_eq!(read("nam,time_s\na,1\n"), Err(" has no column name; did you mean \"nam\"?".to_owned()));
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
