//! The tables of a report, as texts beside the numbers that they are sorted by.

use super::data::{Data, Measure};
use super::format::{axis_name, number, plain_name, shared_decimals, thousands, unit_words, with_interval};
use crate::folder::{CellRow, Level};
use serde::Serialize;

/// Rows of the table of all measures.
const MAX_ROWS: usize = 6000;

/// A table.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    pub id: &'static str,
    pub title: &'static str,
    pub caption: String,
    /// The file that holds all of it.
    pub file: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    pub name: String,
    /// More of it, for those who ask.
    pub about: String,
    pub is_number: bool,
}

/// What stands in a table, and the number that it is sorted by if it is one.
#[derive(Clone, Debug, Serialize)]
pub struct Cell(String, Option<f64>);

impl Cell {
    fn text(text: impl Into<String>) -> Self {
        Self(text.into(), None)
    }

    fn count(count: u64) -> Self {
        Self(thousands(count), Some(count as f64))
    }

    fn number(value: Option<f64>) -> Self {
        Self(value.map(number).unwrap_or_default(), value)
    }

    fn level(level: &Level) -> Self {
        match level {
            Level::Number(value) => Self::number(Some(*value)),
            Level::Text(text) => Self::text(text.clone()),
        }
    }

    fn interval(values: [Option<f64>; 3], factor: f64, decimals: usize) -> Self {
        Self(with_interval(values, factor, decimals), values[1])
    }
}

/// The tables of a sweep.
pub fn tables(data: &Data) -> Vec<Table> {
    let mut tables = vec![cells(data), measures(data), differences(data), correlations(data)];
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn column(name: impl Into<String>, about: impl Into<String>, is_number: bool) -> Column {
    Column { name: name.into(), about: about.into(), is_number }
}

fn axis_columns(data: &Data) -> Vec<Column> {
    let is_number =
        |n: usize| data.cells.rows.iter().all(|row| row.setting.get(n).is_some_and(|l| l.number().is_some()));
    let name = |unit: &str, name: String| if unit.is_empty() { name } else { format!("{name}, {unit}") };
    let columns = data.axes().iter().enumerate();
    columns.map(|(n, axis)| column(name(unit_words(&axis.unit), axis_name(axis)), &axis.path, is_number(n))).collect()
}

/// The measures that have a value in some cell.
fn measured(data: &Data) -> impl Iterator<Item = &Measure> {
    data.measures.iter().filter(|measure| !measure.is_empty())
}

fn measure_column(measure: &Measure) -> Column {
    let unit = if measure.name == "clean" { "%" } else { unit_words(&measure.unit) };
    let name = if measure.name == "clean" { "clean runs".to_owned() } else { plain_name(&measure.name) };
    let name = if unit.is_empty() { name } else { format!("{name}, {unit}") };
    column(name, format!("{}: mean and two-sided 95 % interval", measure.name), true)
}

fn decimals(measure: &Measure, factor: f64) -> usize {
    shared_decimals(measure.cells.values().map(|stats| stats.mean), factor)
}

fn factor(measure: &str) -> f64 {
    if measure == "clean" { 100.0 } else { 1.0 }
}

fn cells(data: &Data) -> Table {
    let mut columns = vec![column("cell", "number of the setting", true)];
    columns.extend(axis_columns(data));
    columns.push(column("runs", "runs that were made, failed ones included", true));
    columns.extend(measured(data).map(measure_column));
    columns.push(column("ended", "what ended it: all repeats, enough violations, or a narrow interval", false));
    let decimals: Vec<usize> = measured(data).map(|measure| decimals(measure, factor(&measure.name))).collect();
    let row = |row: &CellRow| {
        let mut cells = vec![Cell::count(row.cell)];
        cells.extend(row.setting.iter().map(Cell::level));
        cells.push(Cell::count(row.runs));
        let mean = |(measure, &decimals): (&Measure, &usize)| match measure.cells.get(&row.cell) {
            Some(stats) => Cell::interval(stats.mean, factor(&measure.name), decimals),
            None => Cell::number(None),
        };
        cells.extend(measured(data).zip(&decimals).map(mean));
        let failed = if row.failed_runs > 0 { format!("{} failed ", row.failed_runs) } else { String::new() };
        let ended = if row.status == "done" { &row.ended } else { &row.status };
        cells.push(Cell::text(format!("{failed}{ended}")));
        cells
    };
    let rows: Vec<Vec<Cell>> = data.cells.rows.iter().map(row).collect();
    let caption = if data.cells.is_all() {
        "One row for each setting: the mean of each measure and, in brackets, its two-sided 95 % interval.".to_owned()
    } else {
        format!(
            "The {} settings of {} in which most went wrong: the mean of each measure and, in brackets, its two-sided 95 % interval.",
            thousands(rows.len() as u64),
            thousands(data.cells.total)
        )
    };
    Table { id: "cells", title: "Settings", caption, file: "cells.csv", columns, rows }
}

fn measures(data: &Data) -> Table {
    let mut columns = vec![column("cell", "number of the setting", true)];
    columns.extend(axis_columns(data));
    columns.push(column("measure", "", false));
    columns.push(column("unit", "", false));
    columns.push(column("n", "runs that have a value", true));
    columns.push(column("mean", "mean and its two-sided 95 % interval", true));
    let numbers = ["sd", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"];
    columns.extend(numbers.map(|name| column(name, "over the runs", true)));
    columns.push(column("interval", "how it was made", false));
    let mut rows = Vec::new();
    for cell in &data.cells.rows {
        for measure in &data.measures {
            let Some(stats) = measure.cells.get(&cell.cell).filter(|_| rows.len() < MAX_ROWS) else { continue };
            let mut row = vec![Cell::count(cell.cell)];
            row.extend(cell.setting.iter().map(Cell::level));
            row.extend([Cell::text(&measure.name), Cell::text(unit_words(&measure.unit)), Cell::count(stats.n)]);
            row.push(Cell::interval(stats.mean, 1.0, decimals(measure, 1.0)));
            row.push(Cell::number(stats.sd));
            row.extend(stats.quantiles.map(Cell::number));
            row.push(Cell::text(&stats.interval));
            rows.push(row);
        }
    }
    let caption = "Every measure of every setting, over its runs.".into();
    Table { id: "measures", title: "All measures", caption, file: "summary.csv", columns, rows }
}

fn differences(data: &Data) -> Table {
    let mut columns = vec![column("cell", "number of the setting", true)];
    columns.extend(axis_columns(data));
    columns.push(column("measure", "", false));
    columns.push(column("unit", "", false));
    columns.push(column("pairs", "pairs of runs with the same draws", true));
    columns.push(column("difference", "mean of setting minus baseline, and its two-sided 95 % interval", true));
    let rows = data.differences.iter().take(MAX_ROWS).map(|row| {
        let mut cells = vec![Cell::count(row.cell)];
        cells.extend(row.setting.iter().map(Cell::level));
        cells.extend([Cell::text(&row.measure), Cell::text(unit_words(&row.unit)), Cell::count(row.pairs)]);
        let of_measure = data.differences.iter().filter(|other| other.measure == row.measure);
        cells.push(Cell::interval(row.mean, 1.0, shared_decimals(of_measure.map(|row| row.mean), 1.0)));
        cells
    });
    let rows = rows.collect();
    let caption = "Each setting less the baseline, run by run on the same draws.".into();
    Table { id: "differences-table", title: "Differences", caption, file: "differences.csv", columns, rows }
}

fn correlations(data: &Data) -> Table {
    let columns = vec![
        column("axis", "", false),
        column("measure", "", false),
        column("cells", "settings", true),
        column("rank correlation", "Spearman's, and its two-sided 95 % interval", true),
    ];
    let rows = data.correlations.iter().take(MAX_ROWS).map(|row| {
        let correlation = Cell::interval(row.spearman, 1.0, 3);
        vec![Cell::text(&row.axis), Cell::text(&row.measure), Cell::count(row.n), correlation]
    });
    let rows = rows.collect();
    let caption = "How each measure goes along with each axis.".into();
    Table { id: "correlations-table", title: "Rank correlations", caption, file: "correlations.csv", columns, rows }
}
