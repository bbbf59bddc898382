//! Where two runs differ: of each table the first row that is not the same in both, cell by cell as the files hold them.

use crate::error::ViewError;
use crate::folder::{Moment, RunFolder, StreamTable};
use serde::Serialize;
use std::collections::BTreeSet;

/// How the tables of a stream compare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamDifference {
    /// The stream.
    pub stream: String,
    /// In words if one of the runs has no such table, or other columns.
    pub words: Option<String>,
    /// Rows from the start that are the same.
    pub same_rows: u64,
    /// The first row that differs; none if all rows of both are the same.
    pub first: Option<FirstDifference>,
}

/// The first row that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstDifference {
    pub step: u64,
    pub time_s: f64,
    /// Number of the owner, where the stream has owners.
    pub owner: Option<u64>,
    /// The first column that differs; none if only one of the runs has the row.
    pub column: Option<String>,
    /// What stands there in each; empty for a missing value, or if the row is missing.
    pub values: [String; 2],
}

/// Compares all tables of two runs, in the order of the streams of the first.
///
/// # Errors
/// If a table cannot be read.
pub fn differences(runs: [&RunFolder; 2]) -> Result<Vec<StreamDifference>, ViewError> {
    let names = runs.map(|run| run.tables().streams.iter().map(|stream| stream.name.clone()).collect::<Vec<_>>());
    let mut seen = BTreeSet::new();
    let all = names.iter().flatten().filter(|name| seen.insert(name.to_string()));
    all.map(|name| of_stream(runs, name)).filter_map(Result::transpose).collect()
}

/// Nothing if neither run has the table.
fn of_stream(runs: [&RunFolder; 2], name: &str) -> Result<Option<StreamDifference>, ViewError> {
    let open = |run: &RunFolder| match run.tables().stream(name) {
        Some(_) => run.stream(name, |_| true),
        None => Ok(None),
    };
    let difference = |words: &str| StreamDifference {
        stream: name.to_string(),
        words: Some(words.to_owned()),
        same_rows: 0,
        first: None,
    };
    Ok(match (open(runs[0])?, open(runs[1])?) {
        (None, None) => None,
        (Some(_), None) => Some(difference("only the first run has it")),
        (None, Some(_)) => Some(difference("only the second run has it")),
        (Some(a), Some(b)) if a.stream().columns != b.stream().columns => {
            Some(difference("its columns are not the same in both"))
        }
        (Some(a), Some(b)) => {
            let (same_rows, first) = compare([a, b])?;
            Some(StreamDifference { stream: name.to_string(), words: None, same_rows, first })
        }
    })
}

/// Rows that are the same, and the first that is not.
fn compare([mut a, mut b]: [StreamTable; 2]) -> Result<(u64, Option<FirstDifference>), ViewError> {
    let mut same = 0;
    loop {
        let rows = [next(&mut a)?, next(&mut b)?];
        let first = match &rows {
            [None, None] => None,
            [Some((moment, row)), None] | [None, Some((moment, row))] => Some(found(&a, *moment, row, None)),
            [Some(one), Some(other)] => match first_column([&a, &b], [&one.1, &other.1]) {
                None => {
                    same += 1;
                    continue;
                }
                Some(column) => Some(found(&a, one.0, &one.1, Some((column, [&a, &b], [&one.1, &other.1])))),
            },
        };
        return Ok((same, first));
    }
}

fn next(table: &mut StreamTable) -> Result<Option<(Moment, Vec<f64>)>, ViewError> {
    Ok(table.next_row()?.map(|(moment, row)| (moment, row.to_vec())))
}

/// Place of the first value that differs.
fn first_column(tables: [&StreamTable; 2], [one, other]: [&[f64]; 2]) -> Option<usize> {
    let is_text = texts(tables[0]);
    one.iter().zip(other).enumerate().position(|(place, (a, b))| {
        if is_text[place] {
            tables[0].words().text(*a) != tables[1].words().text(*b)
        } else {
            a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
        }
    })
}

/// Which places of a row are texts.
fn texts(table: &StreamTable) -> Vec<bool> {
    use sim_world::ColumnKind::{Bytes, Text};
    let columns = &table.stream().columns;
    columns.iter().flat_map(|column| column.csv_names().map(|_| matches!(column.kind, Text | Bytes))).collect()
}

type Cells<'a> = (usize, [&'a StreamTable; 2], [&'a [f64]; 2]);

fn found(table: &StreamTable, moment: Moment, row: &[f64], cells: Option<Cells<'_>>) -> FirstDifference {
    let stream = table.stream();
    let value = |table: &StreamTable, place: usize, value: f64| match value {
        _ if texts(table)[place] => table.words().text(value).to_owned(),
        value if value.is_nan() => String::new(),
        value => value.to_string(),
    };
    FirstDifference {
        step: moment.step,
        time_s: moment.time_s,
        owner: stream.owner().map(|place| row[place] as u64),
        column: cells.and_then(|(place, ..)| stream.csv_columns().nth(place).map(|name| name.to_string())),
        values: cells.map_or_else(Default::default, |(place, tables, rows)| {
            [0, 1].map(|n| value(tables[n], place, rows[n][place]))
        }),
    }
}
