//! The folder of a batch of runs.

use super::cells::{CellFault, Cells};
use super::error::FolderError;
use super::files::{Kind, kind_of, locate, read_json, read_text};
use super::near_misses::NearMisses;
use super::record::{BatchRecord, RUN_JSON, is_newer};
use super::rows::SummaryRow;
use super::table::{Records, Row, Table, TableFile};
use super::tables::VIEW_JSON;
use sim_world::View;
use std::path::{Path, PathBuf};

const RUNS_CSV: &str = "runs.csv";
const OWN_COLUMNS: [&str; 2] = ["run", "seed"];

/// A batch that can be read.
#[derive(Clone, Debug)]
pub struct BatchFolder {
    path: PathBuf,
    record: BatchRecord,
    notes: Vec<String>,
}

/// One run of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchRow {
    /// Index of the run.
    pub run: u64,
    /// Seed of the scenario.
    pub seed: u64,
    /// Its measures, in the order of [`BatchRows::metrics`].
    pub values: Vec<Option<f64>>,
}

/// The runs of a batch, one after the other: an iterator that ends after its first error.
#[derive(Debug)]
pub struct BatchRows {
    metrics: Vec<String>,
    records: Records,
    has_failed: bool,
}

impl BatchFolder {
    /// Reads what the batch is.
    ///
    /// # Errors
    /// If it is no batch, or was made by a newer version.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        match kind_of(path)? {
            Kind::Batch => {}
            Kind::Run => return Err(FolderError::NoBatch { path: path.to_path_buf() }),
            Kind::Sweep => return Err(FolderError::Sweep { path: path.to_path_buf() }),
        }
        let record: BatchRecord = read_json(&path.join(RUN_JSON))?;
        let mut notes = Vec::new();
        if is_newer(&record.version) {
            let ours = env!("CARGO_PKG_VERSION");
            notes.push(format!(
                "the batch was made by version {}, which is newer than this one, {ours}",
                record.version
            ));
        }
        if !record.complete {
            notes.push(format!(
                "the batch is not complete: {}",
                record.reason.as_deref().unwrap_or("no reason is given")
            ));
        }
        Ok(Self { path: path.to_path_buf(), record, notes })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the batch is and how far it came.
    #[must_use]
    pub fn record(&self) -> &BatchRecord {
        &self.record
    }

    /// What a reader of the batch should know.
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

    /// How the world of its runs is drawn: the batch's own `view.json`, or that of the first run that has one. Nothing without any.
    ///
    /// # Errors
    /// If the file cannot be read or is no view.
    pub fn view(&self) -> Result<Option<View>, FolderError> {
        let runs = self.record.first_run_index..self.record.first_run_index.saturating_add(self.record.runs);
        let folders = std::iter::once(self.path.clone()).chain(runs.map(|run| self.run_path(run)));
        let found = folders.map(|folder| folder.join(VIEW_JSON)).find(|path| path.is_file());
        found.map(|path| read_json(&path)).transpose()
    }

    /// The near misses of its runs, row by row. Nothing if its world has none.
    ///
    /// # Errors
    /// If the table cannot be read, or its header is wrong.
    pub fn near_misses(&self) -> Result<Option<NearMisses>, FolderError> {
        NearMisses::open(&self.path)
    }

    /// Whether the table of near misses is listed and is not there.
    #[must_use]
    pub fn lacks_near_misses(&self) -> bool {
        NearMisses::are_missing(&self.path)
    }

    /// Folder of a run.
    #[must_use]
    pub fn run_path(&self, run: u64) -> PathBuf {
        self.path.join(format!("run-{run:05}"))
    }

    /// The table with a row for each run.
    ///
    /// # Errors
    /// If it is missing, cannot be read, or lacks a column.
    pub fn runs(&self) -> Result<BatchRows, FolderError> {
        let path = locate(&self.path, RUNS_CSV).map_or_else(|| self.path.join(RUNS_CSV), |file| file.path);
        let table = TableFile::open(&path)?;
        let mut places = table.places(&OWN_COLUMNS)?;
        let rest: Vec<usize> = (0..table.header.len()).filter(|place| !places.contains(place)).collect();
        let metrics = rest.iter().map(|&place| table.header[place].clone()).collect();
        places.extend(rest);
        Ok(BatchRows { metrics, records: Records::new(table, places)?, has_failed: false })
    }

    /// A table of the whole batch, row by row. Nothing if there is none.
    ///
    /// # Errors
    /// If the table cannot be read, or its header is wrong.
    pub fn rows<R: Row>(&self) -> Result<Option<Table<R>>, FolderError> {
        locate(&self.path, R::FILE).map(|file| Table::open(&file.path)).transpose()
    }

    /// The measures over all runs; nothing if the batch did not come to its end.
    ///
    /// # Errors
    /// If the table cannot be read or a row is wrong.
    pub fn summary(&self) -> Result<Option<Vec<SummaryRow>>, FolderError> {
        self.rows()?.map(Iterator::collect).transpose()
    }
}

impl BatchRows {
    /// Names of the measures.
    #[must_use]
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }
}

impl Iterator for BatchRows {
    type Item = Result<BatchRow, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let metrics = self.metrics.len();
        let row = self.records.next(|cells| read_row(cells, metrics)).transpose();
        self.has_failed = matches!(row, Some(Err(_)));
        row
    }
}

fn read_row(cells: &Cells<'_>, metrics: usize) -> Result<BatchRow, CellFault> {
    let own = OWN_COLUMNS.len();
    let values = (own..own + metrics).map(|column| cells.maybe(column)).collect::<Result<_, _>>()?;
    Ok(BatchRow { run: cells.integer(0)?, seed: cells.integer(1)?, values })
}
