//! The folder of one run.

use super::error::FolderError;
use super::files::{Kind, kind_of, locate, parse_json, read_json, read_text};
use super::record::{RUN_JSON, RunRecord, is_newer};
use super::rows::{AgentRow, CubeRow, EventRow, FootRow, MessageRow, PatchRow, SummaryRow};
use super::scenario::Scenario;
use super::step_table::{Moment, StepRow, StepTable};
use super::table::{Row, Table};
use std::path::{Path, PathBuf};

const SCENARIO_JSON: &str = "scenario.json";

/// The steps that every table of a run holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first one.
    pub first: Moment,
    /// The last one.
    pub last: Moment,
    /// Steps from one row to the next; 1 if there is only one.
    pub every: u64,
}

/// A run that can be read.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    record: RunRecord,
    scenario: Scenario,
    scenario_text: String,
    span: Span,
    notes: Vec<String>,
}

impl RunFolder {
    /// Reads what the run is, and where its tables begin and end. Rows between are looked at when they are asked for.
    ///
    /// # Errors
    /// If it is no run, or a batch, or made by a newer version; if a file or a column is missing or wrong; if no step was recorded.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        match kind_of(path)? {
            Kind::Run => {}
            Kind::Batch => return Err(FolderError::Batch { path: path.to_path_buf() }),
            Kind::Sweep => return Err(FolderError::Sweep { path: path.to_path_buf() }),
        }
        let record: RunRecord = read_json(&path.join(RUN_JSON))?;
        let scenario_json = path.join(SCENARIO_JSON);
        let scenario_text = read_text(&scenario_json)?;
        let scenario: Scenario = parse_json(&scenario_json, &scenario_text)?;
        let mut survey = Survey { folder: path, span: None, notes: first_notes(&record, &scenario) };
        survey.look_at_all(&scenario)?;
        let Survey { span, notes, .. } = survey;
        let span = span.ok_or_else(|| FolderError::NoTables { path: path.to_path_buf() })?;
        Ok(Self { path: path.to_path_buf(), record, scenario, scenario_text, span, notes })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is and how far it came.
    #[must_use]
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// The scenario, as far as a picture needs it.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// `scenario.json` as it stands: all of the scenario.
    #[must_use]
    pub fn scenario_text(&self) -> &str {
        &self.scenario_text
    }

    /// The steps that all tables hold.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// What whoever looks at the run should know: that it is not complete, where tables were cut, a newer version.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A table that has a row for each owner in each recorded step: [`AgentRow`], [`FootRow`], [`PatchRow`], [`CubeRow`], or a row type
    /// of your own with fewer columns. Nothing if the run has no such table.
    ///
    /// # Errors
    /// If the table cannot be read, or its header, first or last rows are wrong.
    pub fn steps<R: StepRow>(&self) -> Result<Option<StepTable<R>>, FolderError> {
        locate(&self.path, R::FILE).map(|file| StepTable::open(&file.path)).transpose()
    }

    /// A table row by row, for those without owners: [`EventRow`], [`MessageRow`], or a row type of your own. Nothing if the run has no
    /// such table.
    ///
    /// # Errors
    /// If the table cannot be read, or its header is wrong.
    pub fn rows<R: Row>(&self) -> Result<Option<Table<R>>, FolderError> {
        locate(&self.path, R::FILE).map(|file| Table::open(&file.path)).transpose()
    }

    /// What happened.
    ///
    /// # Errors
    /// As [`RunFolder::rows`].
    pub fn events(&self) -> Result<Option<Table<EventRow>>, FolderError> {
        self.rows()
    }

    /// The measures; nothing if the run did not come to its end.
    ///
    /// # Errors
    /// As [`RunFolder::rows`], or if a row is wrong.
    pub fn summary(&self) -> Result<Option<Vec<SummaryRow>>, FolderError> {
        self.rows()?.map(Iterator::collect).transpose()
    }
}

fn first_notes(record: &RunRecord, scenario: &Scenario) -> Vec<String> {
    let mut notes = Vec::new();
    if is_newer(&record.version) {
        let ours = env!("CARGO_PKG_VERSION");
        notes.push(format!("the run was made by version {}, which is newer than this one, {ours}", record.version));
    }
    if !record.complete {
        notes.push(format!("the run is not complete: {}", record.reason.as_deref().unwrap_or("nobody said why")));
    }
    if scenario.agents.count == 0 && scenario.cubes.is_empty() {
        notes.push("the run has no robots".to_owned());
    }
    notes
}

/// What is found out about the tables of a folder.
struct Survey<'a> {
    folder: &'a Path,
    span: Option<Span>,
    notes: Vec<String>,
}

impl Survey<'_> {
    fn look_at_all(&mut self, scenario: &Scenario) -> Result<(), FolderError> {
        let names = [AgentRow::FILE, FootRow::FILE, PatchRow::FILE, CubeRow::FILE, EventRow::FILE];
        if names.iter().all(|name| locate(self.folder, name).is_none()) {
            return Err(FolderError::NoTables { path: self.folder.to_path_buf() });
        }
        self.look_at::<AgentRow>(scenario.agents.count, "robots")?;
        self.look_at::<FootRow>(scenario.feet.count, "feet")?;
        self.look_at::<PatchRow>(scenario.patches.count, "patches")?;
        self.look_at::<CubeRow>(scenario.cubes.len() as u64, "cubes")?;
        self.look_at_rows::<EventRow>()?;
        self.look_at_rows::<MessageRow>()
    }

    /// Checks a table that must be there if there are owners.
    fn look_at<R: StepRow>(&mut self, owners: u64, who: &str) -> Result<(), FolderError> {
        let Some(file) = locate(self.folder, R::FILE) else {
            let path = self.folder.join(R::FILE);
            let why = format!(", though the scenario has {owners} {who}");
            return if owners == 0 { Ok(()) } else { Err(FolderError::MissingFile { path, why }) };
        };
        let mut table = StepTable::<R>::open(&file.path)?;
        let (Some(first), Some(last)) = (table.first(), table.last()) else {
            self.notes.push(format!("{} has no rows", R::FILE));
            return Ok(());
        };
        if table.is_cut_off() || table.lost_rows() > 0 {
            let within = if table.lost_rows() > 0 { "a step" } else { "a row" };
            self.notes.push(format!("{} ends in the middle of {within}; it counts up to step {}", R::FILE, last.step));
        }
        let mut rows = Vec::new();
        table.next_step(&mut rows)?;
        let second = table.next_step(&mut rows)?;
        let every = second.map_or(1, |second| second.step - first.step);
        self.narrow(Span { first, last, every });
        Ok(())
    }

    fn look_at_rows<R: Row>(&mut self) -> Result<(), FolderError> {
        let Some(file) = locate(self.folder, R::FILE) else { return Ok(()) };
        if Table::<R>::open(&file.path)?.is_cut_off() {
            self.notes.push(format!("{} ends in the middle of a row, which does not count", R::FILE));
        }
        Ok(())
    }

    fn narrow(&mut self, table: Span) {
        let narrowed = self.span.map_or(table, |span| Span {
            first: if table.first.step > span.first.step { table.first } else { span.first },
            last: if table.last.step < span.last.step { table.last } else { span.last },
            every: span.every.max(table.every),
        });
        self.span = Some(narrowed);
    }
}
