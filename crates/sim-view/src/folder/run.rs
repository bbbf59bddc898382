//! The folder of one run.

use super::error::FolderError;
use super::files::{Kind, kind_of, locate, read_json, read_text};
use super::moment::Moment;
use super::record::{FinishedFiles, RUN_JSON, RunRecord, is_newer};
use super::rows::{EventRow, SummaryRow};
use super::stream_table::{StepRows, StreamTable};
use super::table::{Row, Table};
use super::tables::{Tables, VIEW_JSON, file_of};
use sim_world::{Cadence, Stream, View};
use std::path::{Path, PathBuf};

const SCENARIO_JSON: &str = "scenario.json";
/// Later than any run goes: thirty years.
const LATEST_S: f64 = 1e9;

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

impl Span {
    /// Time of the row that is nearest to `time_s`.
    #[must_use]
    pub fn nearest_row_s(&self, time_s: f64) -> f64 {
        let row_s = self.row_s();
        if row_s <= 0.0 {
            return self.first.time_s;
        }
        let rows = ((self.last.time_s - self.first.time_s) / row_s).round();
        let row = ((time_s - self.first.time_s) / row_s).round().clamp(0.0, rows);
        self.first.time_s + row * row_s
    }

    /// A step whose row is not after `time_s`, one or two rows before it.
    #[must_use]
    pub fn step_before(&self, time_s: f64) -> u64 {
        let row_s = self.row_s();
        let rows = if row_s > 0.0 { ((time_s - self.first.time_s) / row_s).floor() - 1.0 } else { 0.0 };
        self.first.step.saturating_add(self.every.saturating_mul(rows.max(0.0) as u64))
    }

    /// Time from one row to the next; 0 if there is only one.
    #[must_use]
    pub fn row_s(&self) -> f64 {
        let rows = self.last.step.saturating_sub(self.first.step) / self.every.max(1);
        (self.last.time_s - self.first.time_s) / rows.max(1) as f64
    }
}

/// A run that can be read.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    record: RunRecord,
    tables: Tables,
    view: View,
    scenario_text: String,
    span: Span,
    notes: Vec<String>,
}

impl RunFolder {
    /// Reads what the run is, how it is drawn, and where its tables begin and end. Rows between are looked at when they are asked for.
    ///
    /// # Errors
    /// If it is no run, or a batch, or made by another version; if a file or a column is missing or wrong; if no step was recorded.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        match kind_of(path)? {
            Kind::Run => {}
            Kind::Batch => return Err(FolderError::Batch { path: path.to_path_buf() }),
            Kind::Sweep => return Err(FolderError::Sweep { path: path.to_path_buf() }),
        }
        let record: RunRecord = read_json(&path.join(RUN_JSON))?;
        let scenario_text = read_text(&path.join(SCENARIO_JSON))?;
        let tables = Tables::read(path)?;
        let view: View = read_json(&path.join(VIEW_JSON))?;
        let mut notes = first_notes(&record);
        notes.extend(view.remarks.iter().cloned());
        let finished: FinishedFiles = read_json(&path.join(RUN_JSON))?;
        let mut survey = Survey { folder: path, view: &view, finished, span: None, of_sparse: None, notes };
        survey.look_at_all(&tables)?;
        let Survey { span, of_sparse, notes, .. } = survey;
        let span = span.or(of_sparse).ok_or_else(|| FolderError::NoTables { path: path.to_path_buf() })?;
        if span.last.step < span.first.step || span.last.time_s < span.first.time_s {
            let problem = "the tables have no step in common".to_owned();
            return Err(FolderError::Stream { path: path.to_path_buf(), problem });
        }
        Ok(Self { path: path.to_path_buf(), record, tables, view, scenario_text, span, notes })
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

    /// The streams of the run.
    #[must_use]
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// How it is drawn.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// `scenario.json` as it stands: all of the scenario.
    #[must_use]
    pub fn scenario_text(&self) -> &str {
        &self.scenario_text
    }

    /// The steps that all tables hold whose owners stay. Without any, those that one of the others holds.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// What a reader of the run should know: that it is not complete, which tables are missing or cut, a newer version.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The table of a stream, of which the columns that `wanted` names are read beside step, time and owner. Nothing if the run has no
    /// such table: a sampled stream without owners, a sparse one without rows, a table of a run that ended early.
    ///
    /// # Errors
    /// If `tables.json` does not know the stream, the table cannot be read, or its header or last rows are wrong.
    pub fn stream(&self, name: &str, wanted: impl Fn(&str) -> bool) -> Result<Option<StreamTable>, FolderError> {
        let Some(stream) = self.tables.stream(name) else {
            if is_sparse(&self.view, name) {
                return Ok(None);
            }
            let problem = format!("view.json names stream {name:?}, which tables.json does not have");
            return Err(FolderError::Stream { path: self.path.join(VIEW_JSON), problem });
        };
        let Some(file) = locate(&self.path, &file_of(name)) else { return Ok(None) };
        let mut table = StreamTable::open(&file.path, stream, wanted)?;
        if matches!(stream.cadence, Cadence::Sampled { .. }) {
            table.find_ends(!is_sparse(&self.view, name))?;
        }
        Ok(Some(table))
    }

    /// A table row by row by a row type: [`EventRow`], [`SummaryRow`], or one of your own. Nothing if the run has no such table.
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

/// True if the owners of a stream come and go.
fn is_sparse(view: &View, stream: &str) -> bool {
    view.parties.iter().any(|party| party.is_sparse && party.stream == stream)
}

fn first_notes(record: &RunRecord) -> Vec<String> {
    let mut notes = Vec::new();
    if is_newer(&record.version) {
        let ours = env!("CARGO_PKG_VERSION");
        notes.push(format!("the run was made by version {}, which is newer than this one, {ours}", record.version));
    }
    if !record.complete {
        notes.push(format!("the run is not complete: {}", record.reason.as_deref().unwrap_or("no reason is given")));
    }
    notes
}

/// What is found out about the tables of a folder.
struct Survey<'a> {
    folder: &'a Path,
    view: &'a View,
    finished: FinishedFiles,
    span: Option<Span>,
    /// Steps of tables whose owners come and go.
    of_sparse: Option<Span>,
    notes: Vec<String>,
}

impl Survey<'_> {
    /// Tables are left out of a run as a whole.
    fn look_at_all(&mut self, tables: &Tables) -> Result<(), FolderError> {
        let is_there = |stream: &&Stream| locate(self.folder, &file_of(&stream.name)).is_some();
        if !tables.streams.iter().any(|stream| is_there(&stream)) {
            return Err(FolderError::NoTables { path: self.folder.to_path_buf() });
        }
        for stream in &tables.streams {
            match stream.cadence {
                Cadence::Sampled { owners } => self.look_at_steps(stream, owners)?,
                Cadence::OnEvent { .. } => self.look_at_rows(stream)?,
                Cadence::AtEnd => {}
            }
        }
        Ok(())
    }

    /// Checks a table that must be there if there are owners.
    fn look_at_steps(&mut self, stream: &Stream, owners: u64) -> Result<(), FolderError> {
        let name = file_of(&stream.name);
        let Some(file) = locate(self.folder, &name) else {
            let why = format!(", though {owners} owners have rows in it");
            let path = self.folder.join(name);
            return if owners == 0 { Ok(()) } else { Err(FolderError::MissingFile { path, why }) };
        };
        let mut table = StreamTable::open(&file.path, stream, |_| true)?;
        let owners_stay = !is_sparse(self.view, &stream.name);
        table.find_ends(owners_stay)?;
        let Some([first, last]) = table.ends() else {
            self.notes.push(format!("{name} has no rows"));
            return Ok(());
        };
        if last.time_s < first.time_s || last.time_s > LATEST_S {
            let problem = format!("its times go from {} s to {} s", first.time_s, last.time_s);
            return Err(FolderError::Stream { path: file.path, problem });
        }
        if table.is_cut_off() || table.lost_rows() > 0 {
            let within = if table.lost_rows() > 0 { "a step" } else { "a row" };
            self.notes.push(format!("{name} ends in the middle of {within}; it counts up to step {}", last.step));
        }
        let mut rows = StepRows::default();
        table.next_step(&mut rows)?;
        let second = table.next_step(&mut rows)?;
        let every = second.map_or(1, |second| second.step.saturating_sub(first.step)).max(1);
        let span = Span { first, last, every };
        if owners_stay {
            self.narrow(span)
        } else {
            self.widen(span)
        }
        Ok(())
    }

    /// Checks a table that is there if the run wrote it.
    fn look_at_rows(&mut self, stream: &Stream) -> Result<(), FolderError> {
        let name = file_of(&stream.name);
        let Some(file) = locate(self.folder, &name) else {
            if self.finished.contains(&name) {
                self.notes.push(format!("{name} is missing, though {RUN_JSON} lists it; its rows are left out"));
            }
            return Ok(());
        };
        if StreamTable::open(&file.path, stream, |_| false)?.is_cut_off() {
            self.notes.push(format!("{name} ends in the middle of a row, which does not count"));
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

    /// Of two tables that begin, end or pause when their owners do, the run has the steps of both.
    fn widen(&mut self, table: Span) {
        let widened = self.of_sparse.map_or(table, |span| Span {
            first: if table.first.step < span.first.step { table.first } else { span.first },
            last: if table.last.step > span.last.step { table.last } else { span.last },
            every: span.every.min(table.every),
        });
        self.of_sparse = Some(widened);
    }
}
