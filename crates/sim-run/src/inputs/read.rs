//! Files of input rows, read and checked.

use super::files::InputFile;
use super::kept::{Kept, KeptRow, unsigned_zero};
use super::{check_input, fault_of_file};
use sim_input::diagnostic::{Diagnostic, Severity};
use sim_input::nearest::{did_you_mean, nearest};
use sim_input::walk::{MAX_FAULTS, bytes_of_hex};
use sim_world::{Column, ColumnKind, Input, Model, Stream, kind_in_words};
use std::path::Path;

/// Reads the rows of the input stream at `place` of a model out of a file. What is wrong is added to `faults`, and warnings of rows that
/// no step takes, or that a record lacks.
pub(super) fn read_rows(
    file: &InputFile,
    place: usize,
    model: &dyn Model,
    faults: &mut Vec<Diagnostic>,
) -> Vec<KeptRow> {
    let InputFile { path, bytes, cut_after } = file;
    let mut reader = Reader { path, bytes, place, stream: &model.inputs()[place], model, faults, late: None };
    let rows = reader.read();
    reader.warn_of_late_rows();
    if let Some(steps_done) = *cut_after {
        let last_row = rows.last().map_or(0, |row| row.step);
        reader.warn_of_cut(steps_done.max(last_row));
    }
    rows
}

/// Reads one file.
struct Reader<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    place: usize,
    stream: &'a Stream,
    model: &'a dyn Model,
    faults: &'a mut Vec<Diagnostic>,
    late: Option<LateRows>,
}

/// Rows that come after the last step of the run.
struct LateRows {
    /// Line and step of the first one.
    line: usize,
    step: u64,
    count: u64,
}

/// Where the value of a column of the file goes.
#[derive(Clone, Copy)]
enum Target {
    Step,
    Column(usize),
    /// The number at an index of a column of many numbers.
    Part(usize, usize),
}

impl Target {
    fn column(self) -> Option<usize> {
        match self {
            Self::Step => None,
            Self::Column(place) | Self::Part(place, _) => Some(place),
        }
    }
}

impl Reader<'_> {
    fn read(&mut self) -> Vec<KeptRow> {
        let mut rows = Vec::new();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(self.bytes);
        let mut records = reader.records();
        let Some(targets) = self.header(records.next()) else { return rows };
        let mut last_step = 0;
        for record in records {
            if self.faults.len() >= MAX_FAULTS {
                break;
            }
            match record {
                Ok(record) => {
                    let line = self.line_of(record.position());
                    if let Some(row) = self.row(&record, &targets, line, last_step) {
                        last_step = row.step;
                        self.note_if_late(last_step, line);
                        rows.push(row);
                    }
                }
                Err(error) => self.unreadable(&error),
            }
        }
        rows
    }

    fn note_if_late(&mut self, step: u64, line: usize) {
        if step > self.model.info().steps {
            self.late.get_or_insert(LateRows { line, step, count: 0 }).count += 1;
        }
    }

    fn warn_of_late_rows(&mut self) {
        let Some(LateRows { line, step, count }) = self.late.take() else { return };
        let rows = if count == 1 { "this row is".to_owned() } else { format!("this row and {} more are", count - 1) };
        let last = self.model.info().steps;
        self.warning(Some(line), "step", format!("is {step}, after the last step, {last}: {rows} not taken"));
    }

    /// The record of a run that did not reach its last step repeats the steps that it made.
    fn warn_of_cut(&mut self, steps: u64) {
        if steps < self.model.info().steps {
            let message = format!(
                "is the record of a run that was cut short: no rows come after step {steps}; --steps {steps} repeats that run"
            );
            self.warning(None, "", message);
        }
    }

    /// The line where a record begins. Its position is that of the empty lines before it.
    fn line_of(&self, position: Option<&csv::Position>) -> usize {
        let Some(position) = position else { return 0 };
        let before = &self.bytes[self.bytes.len().min(position.byte() as usize)..];
        let empty = before.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|&&byte| byte == b'\n');
        position.line() as usize + empty.count()
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
        let message = match error.kind() {
            csv::ErrorKind::Utf8 { .. } => "is not UTF-8; save the file as UTF-8".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        self.fault(self.line_of(error.position()), None, String::new(), message);
    }

    fn targets(&mut self, header: &csv::StringRecord) -> Option<Vec<Target>> {
        let (before, line) = (self.faults.len(), self.line_of(header.position()));
        let known = known_columns(self.stream);
        let mut targets = Vec::new();
        for (field, name) in header.iter().enumerate() {
            match known.iter().find(|(known, _)| known == name) {
                Some((_, target)) => targets.push(*target),
                None => {
                    let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
                    let hint = nearest(name, known.iter().copied())
                        .map_or_else(|| format!("; known are {}", known.join(", ")), |meant| did_you_mean(Some(meant)));
                    self.fault(line, Some(column_of(header, field)), name.to_owned(), format!("is no column{hint}"));
                }
            }
        }
        let names: Vec<&str> = header.iter().collect();
        for (field, name) in names.iter().enumerate().filter(|(field, name)| names[..*field].contains(name)) {
            let at = Some(column_of(header, field));
            self.fault(line, at, (*name).to_owned(), "is named twice among the columns".to_owned());
        }
        // The step, and the first column of the stream.
        for (name, _) in known.iter().take(2).filter(|(name, _)| !names.contains(&name.as_str())) {
            self.fault(line, None, name.clone(), "is missing among the columns".to_owned());
        }
        (self.faults.len() == before).then_some(targets)
    }

    fn row(&mut self, record: &csv::StringRecord, targets: &[Target], line: usize, last_step: u64) -> Option<KeptRow> {
        if record.len() != targets.len() {
            let message = format!("has {} fields, the first line has {}", record.len(), targets.len());
            self.fault(line, None, String::new(), message);
            return None;
        }
        let values = self.stream.columns.iter().map(no_value).collect();
        let mut row = KeptRow { step: 0, stream: self.place, values };
        for (field, (text, target)) in record.iter().zip(targets).enumerate() {
            if let Err(message) = self.take(&mut row, *target, text, last_step) {
                let name = target.column().map_or("step", |place| &*self.stream.columns[place].name).to_owned();
                self.fault(line, Some(column_of(record, field)), name, message);
                return None;
            }
        }
        let checked = end_of_numbers(&mut row).map_err(|(place, message)| (Some(place), message)).and_then(|()| {
            let input = Input { stream: self.place, row: &row.values() };
            check_input(self.model, &input).map_err(|fault| (fault.column, fault.message))
        });
        let Err((place, message)) = checked else { return Some(row) };
        let name = place.map_or("", |place| &*self.stream.columns[place].name).to_owned();
        let of_fault = |target: &Target| target.column().is_some() && target.column() == place;
        let at = targets.iter().position(of_fault).map(|field| column_of(record, field));
        self.fault(line, at, name, message);
        None
    }

    /// Reads a field into its place in the row.
    fn take(&self, row: &mut KeptRow, target: Target, text: &str, last_step: u64) -> Result<(), String> {
        match target {
            Target::Step => row.step = step_of(text, last_step)?,
            Target::Column(place) => row.values[place] = kept_of(text, &self.stream.columns[place])?,
            Target::Part(place, index) => {
                if let Kept::Numbers(numbers) = &mut row.values[place] {
                    numbers[index] = part_of(text)?;
                }
            }
        }
        Ok(())
    }

    fn warning(&mut self, line: Option<usize>, name: &str, message: String) {
        self.faults.push(Diagnostic {
            severity: Severity::Warning,
            line,
            column: line.map(|_| 1),
            path: name.to_owned(),
            ..fault_of_file(self.path, message)
        });
    }

    fn fault(&mut self, line: usize, column: Option<usize>, name: String, message: String) {
        let line = (line > 0).then_some(line);
        // Line and column are told together.
        let column = line.map(|_| column.unwrap_or(1));
        self.faults.push(Diagnostic { line, column, path: name, ..fault_of_file(self.path, message) });
    }
}

/// The names of the columns of a stream's file, each with the place of its values.
fn known_columns(stream: &Stream) -> Vec<(String, Target)> {
    let of_column = |(place, column): (usize, &Column)| {
        let is_many = matches!(column.kind, ColumnKind::Numbers(_));
        let target = move |index| if is_many { Target::Part(place, index) } else { Target::Column(place) };
        let names = column.csv_names().enumerate();
        names.map(|(index, name)| (name.into_owned(), target(index))).collect::<Vec<_>>()
    };
    let columns = stream.columns.iter().enumerate().flat_map(of_column);
    std::iter::once(("step".to_owned(), Target::Step)).chain(columns).collect()
}

/// The value of a column without fields. Numbers stand there until all fields are read; those that are missing are not a number.
fn no_value(column: &Column) -> Kept {
    match column.kind {
        ColumnKind::Numbers(count) => Kept::Numbers(vec![f64::NAN; count as usize]),
        _ => Kept::Missing,
    }
}

/// Takes missing numbers from the ends of lists.
///
/// # Errors
/// The place of a list in which a number is missing before another one.
fn end_of_numbers(row: &mut KeptRow) -> Result<(), (usize, String)> {
    for (place, value) in row.values.iter_mut().enumerate() {
        let Kept::Numbers(numbers) = value else { continue };
        let count = numbers.iter().rposition(|number| !number.is_nan()).map_or(0, |last| last + 1);
        numbers.truncate(count);
        if let Some(gap) = numbers.iter().position(|number| number.is_nan()) {
            return Err((place, format!("lacks number {gap}, which stands before others; they count from 0")));
        }
        if numbers.is_empty() {
            *value = Kept::Missing;
        }
    }
    Ok(())
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
        ColumnKind::Integer => match field.parse() {
            Ok(integer) => Some(Kept::Integer(integer)),
            Err(_) => return column.number_of(field).map(Kept::Integer),
        },
        ColumnKind::Number => field.parse().ok().map(unsigned_zero).map(Kept::Number),
        ColumnKind::Text => Some(Kept::Text(text.to_owned())),
        ColumnKind::Bytes => bytes_of_hex(field).map(Kept::Bytes),
        // Their fields are parts.
        ColumnKind::Numbers(_) => None,
    };
    parsed.ok_or_else(|| format!("is {field:?}, must be {}", kind_in_words(column.kind)))
}

/// A number of a list; not a number if it is missing.
fn part_of(text: &str) -> Result<f64, String> {
    let field = text.trim();
    if field.is_empty() {
        return Ok(f64::NAN);
    }
    let finite = field.parse().ok().filter(|number: &f64| number.is_finite()).map(unsigned_zero);
    finite.ok_or_else(|| format!("is {field:?}, must be a finite number"))
}
