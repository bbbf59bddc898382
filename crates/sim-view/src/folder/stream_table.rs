//! The table of a stream, row by row or step by step.

use super::cells::{CellFault, Cells};
use super::error::FolderError;
use super::moment::Moment;
use super::table::{Records, TableFile};
use super::tables::{MAX_COLUMNS, file_of, places_of, width_of};
use sim_world::{Cadence, ColumnKind, Stream};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows are searched line by line once they are narrowed down to this many bytes.
const NARROW: u64 = 1 << 15;

/// Texts of a table: a row holds their places.
#[derive(Clone, Debug, Default)]
pub struct Words {
    places: BTreeMap<String, usize>,
    texts: Arc<Vec<String>>,
}

impl Words {
    /// All texts so far, by place.
    #[must_use]
    pub fn texts(&self) -> &Arc<Vec<String>> {
        &self.texts
    }

    /// The text at a place; empty for a missing value.
    #[must_use]
    pub fn text(&self, value: f64) -> &str {
        text_at(&self.texts, value)
    }

    /// Place of a text, which is taken in if it is not there yet.
    pub fn place_of(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.texts.len();
        Arc::make_mut(&mut self.texts).push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }
}

/// The text that stands at a place; empty for a missing value.
#[must_use]
pub fn text_at(texts: &[String], value: f64) -> &str {
    if value >= 0.0 { texts.get(value as usize).map_or("", String::as_str) } else { "" }
}

/// The rows of a step: numbers, row after row. A missing value is not a number; a text is its place among the table's [`Words`].
#[derive(Clone, Debug, Default)]
pub struct StepRows {
    width: usize,
    values: Vec<f64>,
}

impl StepRows {
    /// The rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn push(&mut self, row: &[f64]) {
        self.width = row.len();
        self.values.extend_from_slice(row);
    }
}

/// What is read of a place in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reading {
    Skipped,
    Number { at_most: f64 },
    Range { at_most: f64 },
    Text,
}

/// The table of a stream. Memory holds one step; [`StreamTable::seek`] finds a step by its place in the file.
#[derive(Debug)]
pub struct StreamTable {
    stream: Stream,
    records: Records,
    readings: Vec<Reading>,
    words: Words,
    /// The row that was read last, and the first of the next step.
    row: Vec<f64>,
    pending: Option<Moment>,
    before: u64,
    ends: Option<[Moment; 2]>,
    lost_rows: usize,
}

impl StreamTable {
    /// Opens the table of a stream at `path`; of the columns after step, time and owner only `wanted` ones are read.
    pub(super) fn open(path: &Path, stream: &Stream, wanted: impl Fn(&str) -> bool) -> Result<Self, FolderError> {
        let table = TableFile::open(path)?;
        let wrong = |problem: String| FolderError::Stream { path: path.to_path_buf(), problem };
        let width = stream.columns.iter().fold(0, |width: usize, column| width.saturating_add(width_of(column.kind)));
        if width > MAX_COLUMNS {
            return Err(wrong(format!("a row has {width} values, more than {MAX_COLUMNS}")));
        }
        if stream.columns.len() < 2 || stream.columns[0].name != "step" || stream.columns[1].name != "time_s" {
            return Err(wrong("its first columns are not step and time_s".to_owned()));
        }
        let mut readings = Vec::with_capacity(width);
        for (n, column) in stream.columns.iter().enumerate() {
            let is_wanted = n < 2 || stream.owner() == Some(n) || wanted(&column.name);
            let reading = match column.kind {
                _ if !is_wanted => Reading::Skipped,
                ColumnKind::Integer | ColumnKind::Number => Reading::Number { at_most: f64::MAX },
                ColumnKind::Numbers(_) => Reading::Range { at_most: f64::MAX },
                ColumnKind::Text | ColumnKind::Bytes => Reading::Text,
            };
            readings.extend(std::iter::repeat_n(reading, width_of(column.kind)));
        }
        let by_name: BTreeMap<&str, usize> = table.header.iter().map(String::as_str).zip(0..).collect();
        let mut places = Vec::with_capacity(width);
        for name in stream.csv_columns() {
            places.push(match by_name.get(&*name) {
                Some(&place) => place,
                None => table.places(&[&*name])?[0],
            });
        }
        let records = Records::new(table, places)?;
        let (words, row) = (Words::default(), Vec::with_capacity(width));
        let stream = stream.clone();
        Ok(Self { stream, records, readings, words, row, pending: None, before: 0, ends: None, lost_rows: 0 })
    }

    /// What the table holds.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The texts that were read so far.
    #[must_use]
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Places of the values of a column in a row.
    ///
    /// # Errors
    /// If the stream has no such column.
    pub fn places(&self, column: &str) -> Result<Range<usize>, FolderError> {
        places_of(&self.stream, column).ok_or_else(|| no_such_column(&self.stream, column))
    }

    /// Refuses values of a column that are farther from 0.
    ///
    /// # Errors
    /// If the stream has no such column, or the first row breaks the bound.
    pub fn bound(&mut self, column: &str, most: f64) -> Result<(), FolderError> {
        for place in self.places(column)? {
            if let Reading::Number { at_most } | Reading::Range { at_most } = &mut self.readings[place] {
                *at_most = most;
            }
        }
        // The first row has been read without that bound.
        if self.pending.is_some() { self.seek(0) } else { Ok(()) }
    }

    /// Reads `-inf` in a column as what was too near for a range finder; in columns of many numbers that is so anyway.
    ///
    /// # Errors
    /// If the stream has no such column.
    pub fn read_ranges(&mut self, column: &str) -> Result<(), FolderError> {
        for place in self.places(column)? {
            self.readings[place] = Reading::Range { at_most: f64::MAX };
        }
        Ok(())
    }

    /// The next row and when it is; nothing at the end. Steps must not be mixed with rows.
    ///
    /// # Errors
    /// If a row is wrong, or comes before one of an earlier step.
    pub fn next_row(&mut self) -> Result<Option<(Moment, &[f64])>, FolderError> {
        Ok(self.read_row()?.map(|moment| (moment, self.row.as_slice())))
    }

    /// Fills `rows` with the rows of the next step and returns when it is; nothing at the end.
    ///
    /// # Errors
    /// As [`StreamTable::next_row`].
    pub fn next_step(&mut self, rows: &mut StepRows) -> Result<Option<Moment>, FolderError> {
        rows.values.clear();
        let moment = match self.pending.take() {
            Some(moment) => moment,
            None => match self.read_row()? {
                Some(moment) => moment,
                None => return Ok(None),
            },
        };
        rows.push(&self.row);
        while let Some(next) = self.read_row()? {
            if next.step != moment.step {
                self.pending = Some(next);
                break;
            }
            rows.push(&self.row);
        }
        Ok(Some(moment))
    }

    /// Goes, forwards or back, to the first step that is `step` or later.
    ///
    /// # Errors
    /// If a row that is looked at on the way is wrong.
    pub fn seek(&mut self, step: u64) -> Result<(), FolderError> {
        let start = self.line_before(step)?;
        self.records.restart(start)?;
        self.before = 0;
        self.pending = loop {
            match self.read_row()? {
                Some(moment) if moment.step < step => {}
                found => break found,
            }
        };
        Ok(())
    }

    /// The first and the last whole step, once `find_ends` has looked for them.
    #[must_use]
    pub fn ends(&self) -> Option<[Moment; 2]> {
        self.ends
    }

    pub(super) fn is_cut_off(&self) -> bool {
        self.records.table.is_cut_off
    }

    /// Rows of a last step that has fewer of them than the first one, and does not count.
    pub(super) fn lost_rows(&self) -> usize {
        self.lost_rows
    }

    /// Notes the first and the last whole step, cuts off the rows of a last step that is not whole, and goes back to the start. Where
    /// owners come and go, the number of rows does not tell whether a step is whole: the last one is not if its last row is cut off.
    pub(super) fn find_ends(&mut self, owners_stay: bool) -> Result<(), FolderError> {
        let mut rows = StepRows::default();
        let Some(first) = self.next_step(&mut rows)? else { return Ok(()) };
        let owners = rows.len();
        let last_line = self.records.table.line_start(self.records.table.end - 1)?;
        let last_step = self.step_at(last_line)?;
        self.seek(last_step)?;
        let mut last = self.next_step(&mut rows)?.unwrap_or(first);
        let is_cut = if owners_stay { rows.len() < owners } else { self.is_cut_off() };
        if is_cut && last.step != first.step {
            self.lost_rows = rows.len();
            self.records.table.end = self.start_of(last.step)?;
            let last_line = self.records.table.line_start(self.records.table.end - 1)?;
            self.records.restart(last_line)?;
            self.before = 0;
            last = self.read_row()?.unwrap_or(first);
        }
        self.ends = Some([first, last]);
        self.seek(0)
    }

    fn read_row(&mut self) -> Result<Option<Moment>, FolderError> {
        let Self { records, readings, words, row, .. } = self;
        row.clear();
        let read = |cells: &Cells<'_>| -> Result<Moment, CellFault> {
            for (place, reading) in readings.iter().enumerate() {
                row.push(read_cell(cells, place, *reading, words)?);
            }
            Ok(Moment { step: cells.integer(0)?, time_s: cells.number(1)? })
        };
        let Some(moment) = records.next(read)? else { return Ok(None) };
        // Events are written when they are known: a nearest miss at the end of the run.
        let is_ordered = matches!(self.stream.cadence, Cadence::Sampled { .. });
        if is_ordered && moment.step < self.before {
            let (path, line) = (self.records.table.path.clone(), self.records.line());
            return Err(FolderError::Order { path, line, step: moment.step, before: self.before });
        }
        self.before = moment.step;
        Ok(Some(moment))
    }

    /// Start of a line with no row of `step` before it, found by halving.
    fn line_before(&mut self, step: u64) -> Result<u64, FolderError> {
        let (mut low, mut high) = (self.records.table.body, self.records.table.end);
        while high.saturating_sub(low) > NARROW {
            let line = self.records.table.line_start(low + (high - low) / 2)?;
            if line <= low {
                break;
            }
            if self.step_at(line)? < step {
                low = line;
            } else {
                high = line;
            }
        }
        Ok(low)
    }

    fn step_at(&mut self, line: u64) -> Result<u64, FolderError> {
        self.records.restart(line)?;
        Ok(self.records.next(|cells: &Cells<'_>| cells.integer(0))?.unwrap_or(u64::MAX))
    }

    /// Start of the first line of a step that is there.
    fn start_of(&mut self, step: u64) -> Result<u64, FolderError> {
        let start = self.line_before(step)?;
        self.records.restart(start)?;
        while self.records.next(|cells: &Cells<'_>| cells.integer(0))?.is_some_and(|found| found < step) {}
        Ok(self.records.at())
    }
}

pub(crate) fn no_such_column(stream: &Stream, column: &str) -> FolderError {
    let problem = format!("view.json asks for column {column:?}, which stream {:?} does not have", stream.name);
    FolderError::Stream { path: file_of(&stream.name).into(), problem }
}

fn read_cell(cells: &Cells<'_>, place: usize, reading: Reading, words: &mut Words) -> Result<f64, CellFault> {
    match reading {
        Reading::Skipped => Ok(f64::NAN),
        Reading::Text => match cells.text(place)? {
            "" => Ok(f64::NAN),
            text => Ok(words.place_of(text) as f64),
        },
        Reading::Range { .. } if cells.text(place)? == "-inf" => Ok(f64::NEG_INFINITY),
        Reading::Number { at_most } | Reading::Range { at_most } => match cells.maybe(place)? {
            Some(value) if value.abs() > at_most => {
                Err(CellFault { column: place, problem: format!("{value} is farther from 0 than {at_most}") })
            }
            value => Ok(value.unwrap_or(f64::NAN)),
        },
    }
}
