//! What comes into a run: rows of its input streams, kept by step. They are read from files, written beside the tables before the step that
//! takes them, and so repeat a run bit for bit.
//!
//! The file of a stream is `inputs-STREAM.csv`: the column `step`, which is the number of the step that takes the row, from 1, then the
//! stream's columns. An empty field is a missing value.

use crate::error::RunError;
use crate::run_folder::RunFolder;
use crate::tables::file::TableFile;
use sim_input::diagnostic::{Diagnostic, Diagnostics, Severity};
use sim_input::nearest::nearest;
use sim_input::walk::bytes_of_hex;
use sim_world::{Column, ColumnKind, Input, Model, RowFault, Stream, Value, check_row, kind_in_words};
use std::fs;
use std::path::{Path, PathBuf};

/// What names of such files begin with.
const PREFIX: &str = "inputs-";

/// Name of the file of an input stream.
#[must_use]
pub fn input_file_name(stream: &str) -> String {
    format!("{PREFIX}{stream}.csv")
}

/// A value that is kept.
#[derive(Clone, Debug, PartialEq)]
enum Kept {
    Integer(i64),
    Number(f64),
    Text(String),
    Bytes(Vec<u8>),
    Numbers(Vec<f64>),
    Missing,
}

impl Kept {
    fn new(value: &Value<'_>) -> Self {
        match *value {
            Value::Integer(integer) => Self::Integer(integer),
            Value::Number(number) => Self::Number(number),
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Value::Numbers(numbers) => Self::Numbers(numbers.to_vec()),
            Value::Missing => Self::Missing,
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Integer(integer) => Value::Integer(*integer),
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Numbers(numbers) => Value::Numbers(numbers),
            Self::Missing => Value::Missing,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct KeptRow {
    step: u64,
    stream: usize,
    values: Vec<Kept>,
}

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

    /// Adds a row that the step `step` takes.
    pub fn push(&mut self, step: u64, input: &Input<'_>) {
        let row = KeptRow { step, stream: input.stream, values: input.row.iter().map(Kept::new).collect() };
        let at = self.rows.partition_point(|other| (other.step, other.stream) <= (step, input.stream));
        self.rows.insert(at, row);
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
        let mut recording = Self::default();
        let mut faults = Vec::new();
        for (place, path) in files {
            let mut reader =
                Reader { path, place: *place, stream: &model.inputs()[*place], model, faults: &mut faults };
            recording.rows.extend(reader.read());
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
        rows.map(|row| (row.stream, row.values.iter().map(Kept::value).collect())).collect()
    }

    /// Writes the files of the streams that have rows into a folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &RunFolder, model: &dyn Model) -> Result<(), RunError> {
        let mut log = InputLog::new(folder, model);
        for row in &self.rows {
            let values: Vec<Value<'_>> = row.values.iter().map(Kept::value).collect();
            log.write(row.step, &Input { stream: row.stream, row: &values })?;
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

/// Makes the values of a row those that a file of it brings back: a run takes the same values from a program as from its record.
pub(crate) fn make_as_recorded(stream: &Stream, row: &mut [Value<'_>]) {
    for (column, value) in stream.columns.iter().zip(row) {
        *value = match (column.kind, *value) {
            (ColumnKind::Number, Value::Integer(integer)) => Value::Number(integer as f64),
            // Zeros have no sign in a table.
            (_, Value::Number(number)) => Value::Number(number + 0.0),
            (_, Value::Text(text)) if text.trim().is_empty() => Value::Missing,
            (_, Value::Bytes([])) => Value::Missing,
            (_, other) => other,
        };
    }
}

/// The streams of `inputs-STREAM.csv` in a folder with their paths, by name.
fn input_files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Diagnostics> {
    let unreadable = |error| refused(vec![fault_of_file(folder, format!("cannot be read: {error}"))]);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(stream) = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(".csv")) {
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
    }
}

/// Reads one file.
struct Reader<'a> {
    path: &'a Path,
    place: usize,
    stream: &'a Stream,
    model: &'a dyn Model,
    faults: &'a mut Vec<Diagnostic>,
}

/// Where the value of a column of the file goes.
enum Target {
    Step,
    Column(usize),
}

impl Reader<'_> {
    fn read(&mut self) -> Vec<KeptRow> {
        let mut rows = Vec::new();
        let mut reader = match csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(self.path) {
            Ok(reader) => reader,
            Err(error) => {
                self.fault(0, None, String::new(), format!("cannot be opened: {error}"));
                return rows;
            }
        };
        let mut records = reader.records();
        let Some(targets) = self.header(records.next()) else { return rows };
        let mut last_step = 0;
        for record in records {
            if self.faults.len() >= sim_input::walk::MAX_FAULTS {
                break;
            }
            match record {
                Ok(record) => {
                    let line = record.position().map_or(0, csv::Position::line) as usize;
                    if let Some(row) = self.row(&record, &targets, line, last_step) {
                        last_step = row.step;
                        rows.push(row);
                    }
                }
                Err(error) => self.unreadable(&error),
            }
        }
        rows
    }

    fn header(&mut self, record: Option<csv::Result<csv::StringRecord>>) -> Option<Vec<Target>> {
        match record {
            Some(Ok(header)) => self.targets(&header),
            Some(Err(error)) => {
                self.unreadable(&error);
                None
            }
            None => {
                self.fault(1, None, String::new(), "is empty: its first line names the columns".to_owned());
                None
            }
        }
    }

    fn unreadable(&mut self, error: &csv::Error) {
        let line = error.position().map_or(0, csv::Position::line) as usize;
        let message = match error.kind() {
            csv::ErrorKind::Utf8 { .. } => "is not UTF-8; save the file as UTF-8".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        self.fault(line, None, String::new(), message);
    }

    fn targets(&mut self, header: &csv::StringRecord) -> Option<Vec<Target>> {
        let before = self.faults.len();
        let mut targets = Vec::new();
        for (field, name) in header.iter().enumerate() {
            match (name, self.stream.column(name)) {
                ("step", _) => targets.push(Target::Step),
                (_, Some(place)) => targets.push(Target::Column(place)),
                (_, None) => {
                    let known = ["step"].into_iter().chain(self.stream.columns.iter().map(|column| &*column.name));
                    let known: Vec<&str> = known.collect();
                    let hint = nearest(name, known.iter().copied()).map_or_else(
                        || format!("; known are {}", known.join(", ")),
                        |m| format!("; did you mean {m:?}?"),
                    );
                    self.fault(1, Some(column_of(header, field)), name.to_owned(), format!("is no column{hint}"));
                }
            }
        }
        let names: Vec<&str> = header.iter().collect();
        for (field, name) in names.iter().enumerate().filter(|(field, name)| names[..*field].contains(name)) {
            let at = Some(column_of(header, field));
            self.fault(1, at, (*name).to_owned(), "is named twice among the columns".to_owned());
        }
        let needed = ["step"].into_iter().chain(self.stream.columns.first().map(|column| &*column.name));
        for name in needed.filter(|name| !names.contains(name)) {
            self.fault(1, None, name.to_owned(), "is missing among the columns".to_owned());
        }
        (self.faults.len() == before).then_some(targets)
    }

    fn row(&mut self, record: &csv::StringRecord, targets: &[Target], line: usize, last_step: u64) -> Option<KeptRow> {
        if record.len() != targets.len() {
            let message = format!("has {} fields, the first line has {}", record.len(), targets.len());
            self.fault(line, None, String::new(), message);
            return None;
        }
        let mut row = KeptRow { step: 0, stream: self.place, values: vec![Kept::Missing; self.stream.columns.len()] };
        for (field, (text, target)) in record.iter().zip(targets).enumerate() {
            let (name, parsed) = match target {
                Target::Step => ("step", step_of(text, last_step).map(|step| row.step = step)),
                Target::Column(place) => {
                    let column = &self.stream.columns[*place];
                    (&*column.name, kept_of(text, column).map(|value| row.values[*place] = value))
                }
            };
            if let Err(message) = parsed {
                let (name, at) = (name.to_owned(), column_of(record, field));
                self.fault(line, Some(at), name, message);
                return None;
            }
        }
        let values: Vec<Value<'_>> = row.values.iter().map(Kept::value).collect();
        if let Err(fault) = check_input(self.model, &Input { stream: self.place, row: &values }) {
            let name = fault.column.map_or("", |place| &*self.stream.columns[place].name).to_owned();
            let is_it = |target: &Target| matches!(target, Target::Column(place) if Some(*place) == fault.column);
            let at = targets.iter().position(is_it).map(|field| column_of(record, field));
            self.fault(line, at, name, fault.message);
            return None;
        }
        Some(row)
    }

    fn fault(&mut self, line: usize, column: Option<usize>, name: String, message: String) {
        let line = (line > 0).then_some(line);
        // Line and column are told together.
        let column = line.map(|_| column.unwrap_or(1));
        self.faults.push(Diagnostic { line, column, path: name, ..fault_of_file(self.path, message) });
    }
}

/// Column of a field in its line, from 1, in characters.
fn column_of(record: &csv::StringRecord, field: usize) -> usize {
    record.iter().take(field).map(|text| text.chars().count() + 1).sum::<usize>() + 1
}

fn step_of(text: &str, last_step: u64) -> Result<u64, String> {
    match text.trim().parse::<u64>() {
        Ok(0) | Err(_) => Err(format!("is {text:?}, must be the number of a step, from 1")),
        Ok(step) if step < last_step => {
            Err(format!("is {step} after {last_step}: rows come in the order of their steps"))
        }
        Ok(step) => Ok(step),
    }
}

fn kept_of(text: &str, column: &Column) -> Result<Kept, String> {
    let field = text.trim();
    if field.is_empty() {
        return Ok(Kept::Missing);
    }
    let parsed = match column.kind {
        ColumnKind::Integer => field.parse().ok().map(Kept::Integer),
        ColumnKind::Number => field.parse().ok().map(Kept::Number),
        ColumnKind::Text => Some(Kept::Text(text.to_owned())),
        ColumnKind::Bytes => bytes_of_hex(field).map(Kept::Bytes),
        ColumnKind::Numbers(_) => field.split(' ').map(|n| n.parse().ok()).collect::<Option<_>>().map(Kept::Numbers),
    };
    parsed.ok_or_else(|| format!("is {field:?}, must be {}", kind_in_words(column.kind)))
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
            empty => {
                let columns: Vec<_> = stream.csv_columns().collect();
                let header = format!("step,{}", columns.join(","));
                empty.insert(TableFile::create(&self.folder, &input_file_name(&stream.name), &header)?)
            }
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
