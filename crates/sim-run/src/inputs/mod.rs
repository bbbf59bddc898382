//! What comes into a run: rows of its input streams, kept by step. They are read from files, written beside the tables before the step that
//! takes them, and so repeat a run bit for bit.
//!
//! The file of a stream is `inputs-STREAM.csv`: the column `step`, which is the number of the step that takes the row, from 1, then the
//! stream's columns. An empty field is a missing value.

mod kept;
mod read;

pub(crate) use kept::{Kept, as_recorded};

use crate::error::RunError;
use crate::run_folder::{RunFolder, input_file_name, stream_of_input_file};
use crate::tables::file::{Row, TableFile};
use kept::KeptRow;
use read::read_rows;
use sim_input::diagnostic::{Diagnostic, Diagnostics, Severity};
use sim_input::nearest::nearest;
use sim_world::{Input, Model, RowFault, Stream, Value, check_row};
use std::collections::BTreeMap;
use std::fs;
use std::io;
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

    /// Names of the streams that have rows, in the model's order.
    #[must_use]
    pub fn streams(&self, model: &dyn Model) -> Vec<String> {
        let has_rows = |place: usize| self.rows.iter().any(|row| row.stream == place);
        let streams = model.inputs().iter().enumerate().filter(|(place, _)| has_rows(*place));
        streams.map(|(_, stream)| stream.name.to_string()).collect()
    }

    /// Reads the files of a model's input streams that lie in a folder, such as the folder of a run that had inputs.
    ///
    /// # Errors
    /// If there is none, or for all that is wrong with them.
    pub fn read_folder(folder: &Path, model: &dyn Model) -> Result<Self, Diagnostics> {
        let mut files = Vec::new();
        for (stream, path) in input_files(folder)? {
            let Some(place) = model.inputs().iter().position(|known| known.name == *stream) else {
                let message = format!("is of no input stream of this scenario{}", hint(model, &stream));
                return Err(refused(vec![fault_of_file(&path, message)]));
            };
            files.push((place, path));
        }
        if files.is_empty() {
            let message = format!("holds no file of inputs, {}", input_file_name("STREAM"));
            return Err(refused(vec![fault_of_file(folder, message)]));
        }
        Self::read_files(&files, model)
    }

    /// Reads files, each with the place of its stream in the model's list.
    ///
    /// # Errors
    /// For all that is wrong with them.
    pub fn read_files(files: &[(usize, PathBuf)], model: &dyn Model) -> Result<Self, Diagnostics> {
        Self::read_from(&|path| fs::read(path), files, model)
    }

    /// As [`Recording::read_files`], from wherever `bytes` finds the bytes of a path.
    pub(crate) fn read_from(
        bytes: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
        files: &[(usize, PathBuf)],
        model: &dyn Model,
    ) -> Result<Self, Diagnostics> {
        let mut recording = Self::default();
        let mut faults = Vec::new();
        for (place, path) in files {
            match bytes(path) {
                Ok(bytes) => recording.rows.extend(read_rows((path, &bytes), *place, model, &mut faults)),
                Err(error) => faults.push(fault_of_file(path, format!("cannot be opened: {error}"))),
            }
        }
        if !faults.is_empty() {
            return Err(refused(faults));
        }
        // Stable: rows of one step and stream stay in the order of their file.
        recording.rows.sort_by_key(|row| (row.step, row.stream));
        Ok(recording)
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
        let mut files = InputFiles::new();
        for row in &self.rows {
            let stream = &model.inputs()[row.stream];
            let begin = || format!("{}\n", header(stream)).into_bytes();
            let bytes = files.entry(input_file_name(&stream.name)).or_insert_with(begin);
            Row::begin(bytes).integer(row.step).values(&stream.columns, &row.values()).end();
        }
        files
    }

    /// Writes the files of the streams that have rows into a folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &RunFolder, model: &dyn Model) -> Result<(), RunError> {
        let mut log = InputLog::new(folder, model);
        for row in &self.rows {
            log.write(row.step, &Input { stream: row.stream, row: &row.values() })?;
        }
        log.finish()
    }
}

/// Checks a row as far as its stream's columns and its world can say.
///
/// # Errors
/// What is wrong with it.
pub fn check_input(model: &dyn Model, input: &Input<'_>) -> Result<(), RowFault> {
    let Some(stream) = model.inputs().get(input.stream) else {
        let message = format!("belongs to input stream {}, of which there are {}", input.stream, model.inputs().len());
        return Err(RowFault { column: None, message });
    };
    check_row(stream, input.row)?;
    model.check_input(input)
}

/// The streams of `inputs-STREAM.csv` in a folder with their paths, by name.
fn input_files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Diagnostics> {
    let unreadable = |error| refused(vec![fault_of_file(folder, format!("cannot be read: {error}"))]);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(stream) = stream_of_input_file(name) {
            files.push((stream.to_owned(), path.clone()));
        }
    }
    files.sort();
    Ok(files)
}

/// The nearest known stream, or all of them.
pub(crate) fn hint(model: &dyn Model, name: &str) -> String {
    let names = || model.inputs().iter().map(|stream| &*stream.name);
    match nearest(name, names()) {
        Some(meant) => format!("; did you mean {meant:?}?"),
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
