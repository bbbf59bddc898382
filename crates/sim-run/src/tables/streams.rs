//! The streams of a run as tables: one CSV file a stream, and `tables.json`, which describes them.

use super::file::{Row, TableFile};
use crate::error::RunError;
use crate::run_folder::{RunFolder, TABLES_JSON, VIEW_JSON};
use serde_json::{Value as Json, json};
use sim_core::Tick;
use sim_world::{Cadence, Column, Model, Stream, StreamSet, World};

/// Rows are sent to the files at least this often, counted in recorded steps: a run that is killed loses no more.
const FLUSH_EVERY_RECORDS: u64 = 60;

/// Name of the table of a stream.
#[must_use]
pub fn table_name(stream: &Stream) -> String {
    format!("{}.csv", stream.name)
}

/// Header line of the table of a stream.
#[must_use]
pub fn header(stream: &Stream) -> String {
    stream.csv_columns().collect::<Vec<_>>().join(",")
}

/// The streams whose rows come while a run goes on.
#[must_use]
pub fn is_running(stream: &Stream) -> bool {
    stream.cadence != Cadence::AtEnd
}

/// Writes what a reader of a run folder needs to know of its tables: `tables.json` with the given streams, and `view.json`.
pub(crate) fn describe<'a>(
    folder: &RunFolder,
    model: &dyn Model,
    streams: impl IntoIterator<Item = &'a Stream>,
) -> Result<(), RunError> {
    describe_tables(folder, streams, model.inputs())?;
    folder.write_json(VIEW_JSON, &model.view())
}

/// Writes `tables.json`.
fn describe_tables<'a>(
    folder: &RunFolder,
    streams: impl IntoIterator<Item = &'a Stream>,
    inputs: &[Stream],
) -> Result<(), RunError> {
    folder.write_json(TABLES_JSON, &json!({ "streams": described(streams), "inputs": described(inputs) }))
}

/// Streams as `tables.json` and `sim-cli streams` describe them: with the unit of each column.
#[must_use]
pub fn described<'a>(streams: impl IntoIterator<Item = &'a Stream>) -> Json {
    let column = |column: &Column| {
        let mut json = json!(column);
        json["unit"] = json!(column.unit());
        json
    };
    let stream = |stream: &Stream| {
        let columns: Vec<Json> = stream.columns.iter().map(column).collect();
        json!({ "name": stream.name, "about": stream.about, "cadence": stream.cadence, "columns": columns })
    };
    streams.into_iter().map(stream).collect()
}

/// The tables of a run that is going on.
#[derive(Debug)]
pub struct StreamTables {
    folder: RunFolder,
    /// The streams that the run takes, for `tables.json`.
    inputs: Vec<Stream>,
    every: u64,
    records: u64,
    tables: Vec<StreamTable>,
}

#[derive(Debug)]
struct StreamTable {
    /// Place of the stream in the model's list.
    place: usize,
    stream: Stream,
    /// None before the first row of a sparse stream.
    file: Option<TableFile>,
}

impl StreamTable {
    fn create(folder: &RunFolder, stream: &Stream) -> Result<TableFile, RunError> {
        TableFile::create(folder, &table_name(stream), &header(stream))
    }

    fn is_sampled(&self) -> bool {
        matches!(self.stream.cadence, Cadence::Sampled { .. })
    }

    /// Adds the rows of the world's stream; returns true if these began the table.
    fn record(&mut self, folder: &RunFolder, world: &dyn World) -> Result<bool, RunError> {
        let mut has_rows = false;
        if self.file.is_none() {
            world.rows(self.place, &mut |_| has_rows = true);
            if has_rows {
                self.file = Some(Self::create(folder, &self.stream)?);
            }
        }
        let columns = &self.stream.columns;
        if let Some(file) = &mut self.file {
            world.rows(self.place, &mut |values| file.row().values(columns, values).end());
        }
        Ok(has_rows)
    }
}

impl StreamTables {
    /// Starts the tables of the running streams in `folder` with the rows of the start; sampled rows come every `every` steps.
    ///
    /// # Errors
    /// If a file cannot be made or written.
    pub fn create(folder: &RunFolder, model: &dyn Model, world: &dyn World, every: u64) -> Result<Self, RunError> {
        let running = model.outputs().iter().enumerate().filter(|(_, stream)| is_running(stream));
        let table = |(place, stream): (usize, &Stream)| {
            let file = if stream.is_sparse { None } else { Some(StreamTable::create(folder, stream)?) };
            Ok(StreamTable { place, stream: stream.clone(), file })
        };
        let tables = running.map(table).collect::<Result<_, RunError>>()?;
        let (folder, inputs) = (folder.clone(), model.inputs().to_vec());
        let mut tables = Self { folder, inputs, every: every.max(1), records: 0, tables };
        tables.record(world)?;
        Ok(tables)
    }

    /// Writes what the world's step has brought, and the rows that are due.
    ///
    /// # Errors
    /// If a file cannot be written; whole rows that were written are kept.
    pub fn record(&mut self, world: &dyn World) -> Result<(), RunError> {
        let is_due = world.tick().is_due(self.every, 0);
        self.record_rows(world, is_due)?;
        self.records += u64::from(is_due);
        if is_due && self.records.is_multiple_of(FLUSH_EVERY_RECORDS) {
            return self.flush();
        }
        self.files().try_for_each(TableFile::flush_if_large)
    }

    /// Adds rows to the tables of events and, if they are due, to those of sampled streams. All tables have the step's rows before any of
    /// them meets a full disk.
    fn record_rows(&mut self, world: &dyn World, is_due: bool) -> Result<(), RunError> {
        let mut has_begun = false;
        for table in self.tables.iter_mut().filter(|table| is_due || !table.is_sampled()) {
            has_begun |= table.record(&self.folder, world)?;
        }
        if !has_begun {
            return Ok(());
        }
        let with_file = self.tables.iter().filter(|table| table.file.is_some());
        describe_tables(&self.folder, with_file.map(|table| &table.stream), &self.inputs)
    }

    fn files(&mut self) -> impl Iterator<Item = &mut TableFile> {
        self.tables.iter_mut().filter_map(|table| table.file.as_mut())
    }

    /// Writes what the end of the run has brought: the rows of each table are in the order of their steps then.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn record_end(&mut self, world: &dyn World) -> Result<(), RunError> {
        self.flush()?;
        self.record_rows(world, false)?;
        let Tick(last_step) = world.tick();
        self.files().map(|file| file.flush_end(last_step)).fold(Ok(()), Result::and)
    }

    /// Sends all rows to the files.
    ///
    /// # Errors
    /// The first error; the other tables are sent all the same.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.files().map(TableFile::flush).fold(Ok(()), Result::and)
    }

    /// Writes what is left and gives all tables their names.
    ///
    /// # Errors
    /// If a file cannot be written or renamed; no table is renamed before all are written.
    pub fn finish(mut self) -> Result<(), RunError> {
        self.flush()?;
        self.tables.into_iter().filter_map(|table| table.file).try_for_each(TableFile::finish)
    }
}

/// The rows of the streams at the end of a run, as lines of CSV that begin with the run's index: a batch collects them in tables of
/// its own. One entry for each such stream, in the model's order.
#[must_use]
pub fn end_lines(model: &dyn Model, world: &dyn World, run_index: u64) -> Vec<Vec<u8>> {
    let at_end = model.outputs().iter().enumerate().filter(|(_, stream)| !is_running(stream));
    let lines = |(place, stream): (usize, &Stream)| {
        let mut bytes = Vec::new();
        world.rows(place, &mut |values| {
            Row::begin(&mut bytes).integer(run_index).values(&stream.columns, values).end();
        });
        bytes
    };
    at_end.map(lines).collect()
}

/// The streams that are wanted of a run: those that come while it goes on, those at its end.
#[must_use]
pub fn wanted(model: &dyn Model, running: bool, at_end: bool) -> StreamSet {
    StreamSet::from_filter(model.outputs(), |stream| if is_running(stream) { running } else { at_end })
}
