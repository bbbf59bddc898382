//! Rows of the tables of a sweep.

use super::cells::{CellFault, Cells};
use super::table::Row;
use std::fmt;
use std::ops::Range;

/// Columns after a row's own.
#[derive(Clone, Debug)]
pub struct More {
    /// One for each axis.
    pub axes: Range<usize>,
    /// One for each measure, in tables that have them.
    pub measures: Range<usize>,
    /// Names of these measures.
    pub names: Vec<String>,
}

/// Which measures a table has a column for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measures {
    /// None.
    None,
    /// Those of the sweep.
    OfSweep,
    /// Whichever stand between two of the table's own columns.
    Between(&'static str, &'static str),
}

/// What is read from a line of a table in which each line says its setting.
pub trait SweepRow: Sized {
    /// File name of the table.
    const FILE: &'static str;
    /// The columns that are wanted, besides those of the axes.
    const COLUMNS: &'static [&'static str];
    /// Columns of measures.
    const MEASURES: Measures = Measures::None;

    /// Reads a line; columns are counted as in [`SweepRow::COLUMNS`], then as `more` says.
    ///
    /// # Errors
    /// What is wrong with the first cell that is.
    fn read(cells: &Cells<'_>, more: &More) -> Result<Self, CellFault>;
}

/// The value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Level {
    /// A number, in the axis' unit.
    Number(f64),
    /// A word.
    Text(String),
}

impl Level {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }

    fn read(text: &str) -> Self {
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Self::Number(value),
            _ => Self::Text(text.to_owned()),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The result of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellRow {
    /// Its number, from 0.
    pub cell: u64,
    /// The value of each axis.
    pub setting: Vec<Level>,
    /// `done` or `infeasible`.
    pub status: String,
    /// Runs that were made.
    pub runs: u64,
    /// Runs that failed.
    pub failed_runs: u64,
    /// Runs in which all limits were kept.
    pub clean_runs: u64,
    /// Lower end of the 95 % interval of the share of clean runs, the share, and the upper end.
    pub clean: [Option<f64>; 3],
    /// What ended it: `repeats`, `violations` or `narrow`.
    pub ended: String,
    /// Its result, in a sentence.
    pub words: String,
}

/// A measure in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureRow {
    /// The cell's number.
    pub cell: u64,
    /// Name of the measure.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// What is asked.
    pub limit: Option<f64>,
    /// Runs that have a value.
    pub n: u64,
    /// Lower end of the 95 % interval of the mean, the mean, and the upper end.
    pub mean: [Option<f64>; 3],
    /// Standard deviation over the runs.
    pub sd: Option<f64>,
    /// Smallest value, quantiles 5, 25, 50, 75 and 95 %, and largest value.
    pub quantiles: [Option<f64>; 7],
    /// How the interval was made.
    pub interval: String,
}

/// A cell less the baseline, run by run.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceRow {
    /// The cell's number.
    pub cell: u64,
    /// The value of each axis.
    pub setting: Vec<Level>,
    /// Name of the measure.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// Pairs of runs.
    pub pairs: u64,
    /// Lower end of the 95 % interval of the mean difference, that difference, and the upper end.
    pub mean: [Option<f64>; 3],
}

/// How a measure goes along with an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrelationRow {
    /// Path of the axis.
    pub axis: String,
    /// Name of the measure.
    pub measure: String,
    /// Cells.
    pub n: u64,
    /// Lower end of the 95 % interval of Spearman's rank correlation, the correlation, and the upper end.
    pub spearman: [Option<f64>; 3],
}

/// One of the worst runs.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstRow {
    /// 1 for the worst.
    pub rank: u64,
    /// Number of the run in the sweep.
    pub run: u64,
    /// Its cell.
    pub cell: u64,
    /// The value of each axis.
    pub setting: Vec<Level>,
    /// 1 if all limits were kept, else 0.
    pub clean: Option<f64>,
    /// The measures that runs are ranked by, with their names.
    pub ranked_by: Vec<(String, Option<f64>)>,
    /// Where its near misses lie, below the sweep's folder.
    pub folder: String,
    /// What makes it again, inside the sweep's folder.
    pub command: String,
}

/// A run that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct FailureRow {
    /// Number of the run in the sweep.
    pub run: u64,
    /// The value of each axis.
    pub setting: Vec<Level>,
    /// Why it failed.
    pub cause: String,
    /// What makes it again, inside the sweep's folder.
    pub command: String,
}

/// A run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRunRow {
    /// The measures of the sweep.
    pub values: Vec<Option<f64>>,
}

fn setting(cells: &Cells<'_>, more: &More) -> Result<Vec<Level>, CellFault> {
    more.axes.clone().map(|column| cells.text(column).map(Level::read)).collect()
}

fn measures(cells: &Cells<'_>, more: &More) -> Result<Vec<Option<f64>>, CellFault> {
    more.measures.clone().map(|column| cells.maybe(column)).collect()
}

/// Numbers in columns that need not hold one.
fn numbers<const N: usize>(cells: &Cells<'_>, columns: [usize; N]) -> Result<[Option<f64>; N], CellFault> {
    let mut values = [None; N];
    for (value, column) in values.iter_mut().zip(columns) {
        *value = cells.maybe(column)?;
    }
    Ok(values)
}

fn maybe_integer(cells: &Cells<'_>, column: usize) -> Result<Option<u64>, CellFault> {
    if cells.text(column)?.is_empty() { Ok(None) } else { cells.integer(column).map(Some) }
}

impl SweepRow for CellRow {
    const FILE: &'static str = "cells.csv";
    const COLUMNS: &'static [&'static str] = &[
        "cell",
        "status",
        "runs",
        "failed_runs",
        "clean_runs",
        "clean_low_95",
        "clean_share",
        "clean_high_95",
        "ended",
        "words",
    ];

    fn read(cells: &Cells<'_>, more: &More) -> Result<Self, CellFault> {
        Ok(Self {
            cell: cells.integer(0)?,
            setting: setting(cells, more)?,
            status: cells.text(1)?.to_owned(),
            runs: maybe_integer(cells, 2)?.unwrap_or(0),
            failed_runs: maybe_integer(cells, 3)?.unwrap_or(0),
            clean_runs: maybe_integer(cells, 4)?.unwrap_or(0),
            clean: numbers(cells, [5, 6, 7])?,
            ended: cells.text(8)?.to_owned(),
            words: cells.text(9)?.to_owned(),
        })
    }
}

impl SweepRow for MeasureRow {
    const FILE: &'static str = "summary.csv";
    const COLUMNS: &'static [&'static str] = &[
        "cell", "measure", "unit", "limit", "n", "low_95", "mean", "high_95", "sd", "min", "q05", "q25", "q50", "q75",
        "q95", "max", "interval",
    ];

    fn read(cells: &Cells<'_>, _: &More) -> Result<Self, CellFault> {
        Ok(Self {
            cell: cells.integer(0)?,
            measure: cells.text(1)?.to_owned(),
            unit: cells.text(2)?.to_owned(),
            limit: cells.maybe(3)?,
            n: cells.integer(4)?,
            mean: numbers(cells, [5, 6, 7])?,
            sd: cells.maybe(8)?,
            quantiles: numbers(cells, [9, 10, 11, 12, 13, 14, 15])?,
            interval: cells.text(16)?.to_owned(),
        })
    }
}

impl SweepRow for DifferenceRow {
    const FILE: &'static str = "differences.csv";
    const COLUMNS: &'static [&'static str] =
        &["cell", "measure", "unit", "pairs", "low_95", "mean_difference", "high_95"];

    fn read(cells: &Cells<'_>, more: &More) -> Result<Self, CellFault> {
        Ok(Self {
            cell: cells.integer(0)?,
            setting: setting(cells, more)?,
            measure: cells.text(1)?.to_owned(),
            unit: cells.text(2)?.to_owned(),
            pairs: cells.integer(3)?,
            mean: numbers(cells, [4, 5, 6])?,
        })
    }
}

impl Row for CorrelationRow {
    const FILE: &'static str = "correlations.csv";
    const COLUMNS: &'static [&'static str] = &["axis", "measure", "n", "low_95", "spearman", "high_95"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self {
            axis: cells.text(0)?.to_owned(),
            measure: cells.text(1)?.to_owned(),
            n: cells.integer(2)?,
            spearman: numbers(cells, [3, 4, 5])?,
        })
    }
}

impl SweepRow for WorstRow {
    const FILE: &'static str = "worst.csv";
    const COLUMNS: &'static [&'static str] = &["rank", "run", "cell", "clean", "folder", "command"];
    const MEASURES: Measures = Measures::Between("clean", "folder");

    fn read(cells: &Cells<'_>, more: &More) -> Result<Self, CellFault> {
        Ok(Self {
            rank: cells.integer(0)?,
            run: cells.integer(1)?,
            cell: cells.integer(2)?,
            setting: setting(cells, more)?,
            clean: cells.maybe(3)?,
            ranked_by: more.names.iter().cloned().zip(measures(cells, more)?).collect(),
            folder: cells.text(4)?.to_owned(),
            command: cells.text(5)?.to_owned(),
        })
    }
}

impl SweepRow for FailureRow {
    const FILE: &'static str = "failures.csv";
    const COLUMNS: &'static [&'static str] = &["run", "cause", "command"];

    fn read(cells: &Cells<'_>, more: &More) -> Result<Self, CellFault> {
        Ok(Self {
            run: cells.integer(0)?,
            setting: setting(cells, more)?,
            cause: cells.text(1)?.to_owned(),
            command: cells.text(2)?.to_owned(),
        })
    }
}

impl SweepRow for SweepRunRow {
    const FILE: &'static str = "runs.csv";
    const COLUMNS: &'static [&'static str] = &["run", "cell", "status"];
    const MEASURES: Measures = Measures::OfSweep;

    fn read(cells: &Cells<'_>, more: &More) -> Result<Self, CellFault> {
        Ok(Self { values: measures(cells, more)? })
    }
}
