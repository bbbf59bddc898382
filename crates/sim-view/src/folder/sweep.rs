//! The folder of a sweep.

use super::error::FolderError;
use super::files::{Kind, kind_of, locate, read_json, read_text};
use super::record::{RUN_JSON, is_newer};
use super::sweep_rows::{Measures, More, SweepRow};
use super::table::{Records, Row, Table, TableFile};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

const SWEEP_JSON: &str = "sweep.json";

/// `run.json` of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SweepRecord {
    /// Version of the simulator that made it.
    pub version: String,
    /// Name of the sweep.
    pub sweep: String,
    /// Settings that were asked for.
    pub cells: u64,
    /// Runs that were made, failed ones included.
    pub runs: u64,
    /// Runs that failed.
    #[serde(default)]
    pub failed_runs: u64,
    /// Settings that no scenario can have.
    #[serde(default)]
    pub infeasible_cells: u64,
    /// True if all runs were made.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
}

/// `sweep.json`: what was asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SweepSpec {
    /// Its name.
    pub name: String,
    /// What it is to answer; may be empty.
    #[serde(default)]
    pub question: String,
    /// Values that all cells have in place of the scenario's, by path.
    #[serde(default)]
    pub set: BTreeMap<String, serde_json::Value>,
    /// `grid`, `random`, `latin_hypercube` or `sobol`.
    pub design: String,
    /// What is varied.
    pub axes: Vec<AxisSpec>,
    /// The most runs of a cell.
    pub repeats: u64,
    /// Seed of all draws.
    pub seed: u64,
    /// True if run k of every cell meets the same draws.
    pub paired_seeds: bool,
    /// The measures that were kept.
    pub measures: Vec<String>,
    /// The one of them that is answered first.
    #[serde(default = "clean")]
    pub headline: String,
    /// How intervals of means were made.
    #[serde(default)]
    pub interval: String,
    /// When a cell stops early.
    pub stop: Option<StopSpec>,
    /// What cells are compared with: the cell that has these values on these axes, and their own on all others.
    pub baseline: Option<BTreeMap<String, serde_json::Value>>,
}

fn clean() -> String {
    "clean".to_owned()
}

/// One thing that is varied.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct AxisSpec {
    /// Its key in the scenario.
    pub path: String,
    /// What a person calls it.
    #[serde(default)]
    pub name: String,
    /// Its unit; empty for words and plain numbers.
    #[serde(default)]
    pub unit: String,
    /// How its values are chosen: one key, the kind, with its numbers or list.
    #[serde(flatten)]
    pub choice: BTreeMap<String, serde_json::Value>,
}

/// When a cell stops early.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct StopSpec {
    /// Runs after which it is looked at again.
    pub every: Option<u64>,
    /// Runs gone wrong that are enough.
    pub violations: Option<u64>,
    /// Width of the interval that is narrow enough.
    pub width: Option<f64>,
    /// Of which measure.
    pub measure: Option<String>,
}

/// A sweep that can be read.
#[derive(Clone, Debug)]
pub struct SweepFolder {
    path: PathBuf,
    record: SweepRecord,
    spec: SweepSpec,
    notes: Vec<String>,
}

impl SweepFolder {
    /// Reads what the sweep is.
    ///
    /// # Errors
    /// If it is no sweep, was made in a format that this version does not know, or lacks a file.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        if kind_of(path)? != Kind::Sweep {
            return Err(FolderError::NoSweep { path: path.to_path_buf() });
        }
        let record: SweepRecord = read_json(&path.join(RUN_JSON))?;
        let spec: SweepSpec = read_json(&path.join(SWEEP_JSON))?;
        let mut notes = Vec::new();
        if is_newer(&record.version) {
            let ours = env!("CARGO_PKG_VERSION");
            let theirs = &record.version;
            notes.push(format!("the sweep was made by version {theirs}, which is newer than this one, {ours}"));
        }
        if !record.complete {
            let why = record.reason.as_deref().unwrap_or("no reason is given");
            notes.push(format!("the sweep is not complete: {why}; what follows is true of the runs that were made"));
        }
        Ok(Self { path: path.to_path_buf(), record, spec, notes })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the sweep is and how far it came.
    #[must_use]
    pub fn record(&self) -> &SweepRecord {
        &self.record
    }

    /// What was asked for.
    #[must_use]
    pub fn spec(&self) -> &SweepSpec {
        &self.spec
    }

    /// What a reader of the sweep should know.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// `scenario.json` as it stands.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn scenario_text(&self) -> Result<String, FolderError> {
        read_text(&self.path.join("scenario.json"))
    }

    /// A table that every sweep has, row by row.
    ///
    /// # Errors
    /// If it is missing or lacks a column, or, in a complete sweep, ends in the middle of a row.
    pub fn rows<R: SweepRow>(&self) -> Result<SweepTable<R>, FolderError> {
        let file = locate(&self.path, R::FILE).ok_or_else(|| self.missing(R::FILE))?;
        let path = file.path;
        let table = TableFile::open(&path)?;
        self.refuse_cut_off(&path, table.is_cut_off)?;
        let axes: Vec<&str> = self.spec.axes.iter().map(|axis| axis.path.as_str()).collect();
        let names = self.measures_of(R::MEASURES, &table.header);
        let measures: Vec<&str> = names.iter().map(String::as_str).collect();
        let places = table.places(&[R::COLUMNS, &axes, &measures].concat())?;
        let (own, end) = (R::COLUMNS.len(), R::COLUMNS.len() + axes.len());
        let more = More { axes: own..end, measures: end..end + names.len(), names };
        Ok(SweepTable { records: Records::new(table, places)?, more, has_failed: false, rows: PhantomData })
    }

    /// A table that only some sweeps have.
    ///
    /// # Errors
    /// As [`SweepFolder::rows`].
    pub fn rows_if_any<R: SweepRow>(&self) -> Result<Option<SweepTable<R>>, FolderError> {
        locate(&self.path, R::FILE).map(|_| self.rows()).transpose()
    }

    /// A table without settings that only some sweeps have.
    ///
    /// # Errors
    /// As [`SweepFolder::rows`].
    pub fn plain_rows_if_any<R: Row>(&self) -> Result<Option<Table<R>>, FolderError> {
        let Some(file) = locate(&self.path, R::FILE) else { return Ok(None) };
        let table = Table::open(&file.path)?;
        self.refuse_cut_off(&file.path, table.is_cut_off())?;
        Ok(Some(table))
    }

    fn measures_of(&self, measures: Measures, header: &[String]) -> Vec<String> {
        match measures {
            Measures::None => Vec::new(),
            Measures::OfSweep => self.spec.measures.clone(),
            Measures::Between(first, last) => {
                let after = header.iter().skip_while(|name| *name != first).skip(1);
                after.take_while(|name| *name != last).cloned().collect()
            }
        }
    }

    fn missing(&self, name: &str) -> FolderError {
        let why = if self.record.complete { "" } else { ", since the sweep has not come to its end" };
        FolderError::MissingFile { path: self.path.join(name), why: why.into() }
    }

    /// A table of a sweep in progress may end in the middle of a row, which is left out; one that came to its end may not.
    fn refuse_cut_off(&self, path: &Path, is_cut_off: bool) -> Result<(), FolderError> {
        if is_cut_off && self.record.complete { Err(FolderError::CutOff { path: path.to_path_buf() }) } else { Ok(()) }
    }
}

/// A table of a sweep, row by row: an iterator that ends after its first error.
#[derive(Debug)]
pub struct SweepTable<R> {
    records: Records,
    more: More,
    has_failed: bool,
    rows: PhantomData<R>,
}

impl<R: SweepRow> Iterator for SweepTable<R> {
    type Item = Result<R, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let row = self.records.next(|cells| R::read(cells, &self.more)).transpose();
        self.has_failed = matches!(row, Some(Err(_)));
        row
    }
}
