//! What comes into a run: rows of its input streams, kept by step. They are read from files, written beside the tables before the step that
//! takes them, and so repeat a run bit for bit.
//!
//! The file of a stream is `inputs-STREAM.csv`: the column `step`, which is the number of the step that takes the row, from 1, then the
//! stream's columns. An empty field is a missing value.

mod files;
mod kept;
mod names;
mod read;

pub(crate) use files::{InputFile, read_regular};
pub use kept::Kept;
pub(crate) use kept::as_recorded;
pub(crate) use names::{INPUTS_KEY, edited, name_inputs, with_inputs};

use crate::error::RunError;
use crate::run_folder::{RunFolder, input_file_name};
use crate::tables::file::{Row, TableFile};
use files::input_files;
use kept::KeptRow;
use read::read_rows;
use sim_input::diagnostic::{Diagnostic, Diagnostics, Severity};
use sim_input::nearest::{did_you_mean, nearest};
use sim_world::{Column, ColumnKind, Input, Model, RowFault, Stream, StreamSet, Value, check_row};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files of inputs by name, as [`Recording::files`] makes them.
pub type InputFiles = BTreeMap<String, Vec<u8>>;

/// Rows of input streams by step; those of a step in the order of their stream and row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    rows: Vec<KeptRow>,
}

impl Recording {
    /// True if nothing comes in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Names of the streams that have rows up to the step `last`, in the model's order.
    #[must_use]
    pub fn streams<'a>(&self, model: &'a dyn Model, last: u64) -> Vec<&'a str> {
        let has_rows = |place: usize| self.up_to(last).iter().any(|row| row.stream == place);
        let streams = model.inputs().iter().enumerate().filter(|(place, _)| has_rows(*place));
        streams.map(|(_, stream)| &*stream.name).collect()
    }

    /// The streams of which a run takes rows.
    #[must_use]
    pub fn taken(&self, model: &dyn Model) -> StreamSet {
        let names = self.streams(model, model.info().steps);
        StreamSet::from_filter(model.inputs(), |stream| names.contains(&&*stream.name))
    }

    fn up_to(&self, last: u64) -> &[KeptRow] {
        &self.rows[..self.rows.partition_point(|row| row.step <= last)]
    }

    /// Reads the files of a model's input streams that lie in a folder, such as the folder of a run that had inputs. The partial files of a
    /// run that did not reach its last step are read too.
    ///
    /// # Errors
    /// If there is none, or for all that is wrong with them.
    pub fn read_folder(folder: &Path, model: &dyn Model) -> Result<Self, Diagnostics> {
        let (recording, found) = read_folder(folder, model);
        if has_errors(&found) { Err(refused(found)) } else { Ok(recording) }
    }

    /// Reads files, each with the place of its stream in the model's list.
    ///
    /// # Errors
    /// For all that is wrong with them.
    pub fn read_files(files: &[(usize, PathBuf)], model: &dyn Model) -> Result<Self, Diagnostics> {
        let files = files.iter().map(|(place, path)| (*place, path.clone())).collect();
        let (recording, found) = read_paths(files, model);
        if has_errors(&found) { Err(refused(found)) } else { Ok(recording) }
    }

    /// Reads files that were found, each with the place of its stream in the model's list, and returns what is to be said about them.
    pub(crate) fn read_from(files: &[(usize, InputFile)], model: &dyn Model) -> (Self, Vec<Diagnostic>) {
        let mut recording = Self::default();
        let mut found = Vec::new();
        for (place, file) in files {
            recording.rows.extend(read_rows(file, *place, model, &mut found));
        }
        // Stable: rows of one step and stream stay in the order of their file.
        recording.rows.sort_by_key(|row| (row.step, row.stream));
        (recording, found)
    }

    /// The rows that the step `step` takes, each with the place of its stream.
    #[must_use]
    pub fn at(&self, step: u64) -> Vec<(usize, Vec<Value<'_>>)> {
        let start = self.rows.partition_point(|row| row.step < step);
        let rows = self.rows[start..].iter().take_while(|row| row.step == step);
        rows.map(|row| (row.stream, row.values())).collect()
    }

    /// The files of the streams that have rows, by name. Reading them gives the same recording.
    #[must_use]
    pub fn files(&self, model: &dyn Model) -> InputFiles {
        self.files_up_to(model, u64::MAX)
    }

    /// The files of the rows up to the step `last`, by name.
    pub(crate) fn files_up_to(&self, model: &dyn Model, last: u64) -> InputFiles {
        let mut files = InputFiles::new();
        for row in self.up_to(last) {
            let stream = &model.inputs()[row.stream];
            let begin = || format!("{}\n", header(stream)).into_bytes();
            let bytes = files.entry(input_file_name(&stream.name)).or_insert_with(begin);
            Row::begin(bytes).integer(row.step).values(&stream.columns, &row.values()).end();
        }
        files
    }

    /// Writes the rows that a run takes into a folder, a file for each stream that has any.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &RunFolder, model: &dyn Model) -> Result<(), RunError> {
        let mut log = InputLog::new(folder, model);
        for row in self.up_to(model.info().steps) {
            log.write(row.step, &Input { stream: row.stream, row: &row.values() })?;
        }
        log.finish()
    }
}

/// Checks a row as far as its stream's columns and its world can say. The world sees numbers where the row has names.
///
/// # Errors
/// What is wrong with it.
pub fn check_input(model: &dyn Model, input: &Input<'_>) -> Result<(), RowFault> {
    let Some(stream) = model.inputs().get(input.stream) else {
        let message = format!("belongs to input stream {}, of which there are {}", input.stream, model.inputs().len());
        return Err(RowFault { column: None, message });
    };
    check_row(stream, input.row)?;
    let is_name =
        |(column, value): (&Column, &Value<'_>)| column.kind == ColumnKind::Integer && matches!(value, Value::Text(_));
    if !stream.columns.iter().zip(input.row).any(is_name) {
        return model.check_input(input);
    }
    let numbered = as_recorded(stream, input.row);
    let row: Vec<Value<'_>> = numbered.iter().map(Kept::value).collect();
    model.check_input(&Input { row: &row, ..*input })
}

/// Reads the files of a model's input streams that lie in a folder, and returns what is to be said about them.
pub(crate) fn read_folder(folder: &Path, model: &dyn Model) -> (Recording, Vec<Diagnostic>) {
    let refused = |path: &Path, message: String| (Recording::default(), vec![fault_of_file(path, message)]);
    let in_folder = match input_files(folder) {
        Ok(files) => files,
        Err(error) => return refused(folder, format!("cannot be read: {error}")),
    };
    let mut files = Vec::new();
    for (stream, path) in in_folder {
        let Some(place) = model.inputs().iter().position(|known| known.name == *stream) else {
            return refused(&path, format!("is of no input stream of this scenario{}", hint(model, &stream)));
        };
        files.push((place, path));
    }
    if files.is_empty() {
        return refused(folder, format!("holds no file of inputs, {}", input_file_name("STREAM")));
    }
    read_paths(files, model)
}

fn read_paths(paths: Vec<(usize, PathBuf)>, model: &dyn Model) -> (Recording, Vec<Diagnostic>) {
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    for (place, path) in paths {
        match InputFile::read(path.clone()) {
            Ok(file) => files.push((place, file)),
            Err(message) => unread.push(fault_of_file(&path, message)),
        }
    }
    let (recording, found) = Recording::read_from(&files, model);
    unread.extend(found);
    (recording, unread)
}

/// True if anything found in files keeps them from being used.
pub(crate) fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|item| item.severity == Severity::Error)
}

/// The nearest known stream, or all of them.
pub(crate) fn hint(model: &dyn Model, name: &str) -> String {
    let names = || model.inputs().iter().map(|stream| &*stream.name);
    match nearest(name, names()) {
        meant @ Some(_) => did_you_mean(meant),
        None if model.inputs().is_empty() => "; it has none".to_owned(),
        None => format!("; it has {}", names().collect::<Vec<_>>().join(", ")),
    }
}

fn refused(items: Vec<Diagnostic>) -> Diagnostics {
    Diagnostics { items, text: String::new() }
}

fn fault_of_file(path: &Path, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: path.display().to_string(),
        line: None,
        column: None,
        path: String::new(),
        message,
        value: None,
        allowed: None,
        suggestion: None,
        span: None,
        named: None,
    }
}

/// Header line of the file of an input stream.
fn header(stream: &Stream) -> String {
    let columns: Vec<_> = stream.csv_columns().collect();
    format!("step,{}", columns.join(","))
}

/// The files of what comes into a run that goes on. A file exists where something came in.
#[derive(Debug)]
pub(crate) struct InputLog {
    folder: RunFolder,
    streams: Vec<Stream>,
    tables: Vec<Option<TableFile>>,
}

impl InputLog {
    pub fn new(folder: &RunFolder, model: &dyn Model) -> Self {
        let streams = model.inputs().to_vec();
        Self { folder: folder.clone(), tables: streams.iter().map(|_| None).collect(), streams }
    }

    /// Names of the streams that have a file.
    pub fn streams(&self) -> Vec<&str> {
        let with_file = self.streams.iter().zip(&self.tables).filter(|(_, table)| table.is_some());
        with_file.map(|(stream, _)| &*stream.name).collect()
    }

    /// Adds a row; it reaches the file with the next flush.
    pub fn write(&mut self, step: u64, input: &Input<'_>) -> Result<(), RunError> {
        let (stream, table) = (&self.streams[input.stream], &mut self.tables[input.stream]);
        let table = match table {
            Some(table) => table,
            empty => empty.insert(TableFile::create(&self.folder, &input_file_name(&stream.name), &header(stream))?),
        };
        table.row().integer(step).values(&stream.columns, input.row).end();
        Ok(())
    }

    /// Sends all rows to the files.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.tables.iter_mut().flatten().map(TableFile::flush).fold(Ok(()), Result::and)
    }

    pub fn finish(&mut self) -> Result<(), RunError> {
        self.tables.iter_mut().filter_map(Option::take).try_for_each(TableFile::finish)
    }
}
