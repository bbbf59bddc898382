//! A table with a row for each owner in each step that was recorded.

use super::cells::Cells;
use super::error::FolderError;
use super::table::{Records, Row, TableFile};
use std::path::Path;

/// Rows are searched line by line once they are narrowed down to this many bytes.
const NARROW: u64 = 1 << 15;

/// A step that was recorded, and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The step.
    pub step: u64,
    /// Its time.
    pub time_s: f64,
}

/// A row of a table that is ordered by steps. The first of its [`Row::COLUMNS`] must be `step`.
pub trait StepRow: Row {
    /// When it was recorded.
    fn moment(&self) -> Moment;
}

/// A table, step by step. Memory holds one step.
#[derive(Debug)]
pub struct StepTable<R> {
    records: Records,
    /// The first row of the next step.
    pending: Option<R>,
    /// Step of the last row that was read.
    before: u64,
    first: Option<Moment>,
    last: Option<Moment>,
}

impl<R: StepRow> StepTable<R> {
    pub(super) fn open(path: &Path) -> Result<Self, FolderError> {
        let table = TableFile::open(path)?;
        let places = table.places(R::COLUMNS)?;
        let records = Records::new(table, places)?;
        let mut table = Self { records, pending: None, before: 0, first: None, last: None };
        table.find_ends()?;
        table.seek(0)?;
        Ok(table)
    }

    /// The first step.
    #[must_use]
    pub fn first(&self) -> Option<Moment> {
        self.first
    }

    /// The last whole step.
    #[must_use]
    pub fn last(&self) -> Option<Moment> {
        self.last
    }

    /// Fills `rows` with the rows of the next step and says which it is; nothing at the end of the table.
    ///
    /// # Errors
    /// If a row is wrong, or comes before one of an earlier step.
    pub fn next_step(&mut self, rows: &mut Vec<R>) -> Result<Option<Moment>, FolderError> {
        rows.clear();
        let Some(first) = self.pending.take() else { return Ok(None) };
        let moment = first.moment();
        rows.push(first);
        while let Some(row) = self.next_row()? {
            if row.moment().step != moment.step {
                self.pending = Some(row);
                break;
            }
            rows.push(row);
        }
        Ok(Some(moment))
    }

    /// Goes, forwards or back, to the first step that is `step` or later: the next [`StepTable::next_step`] fills in that one.
    ///
    /// # Errors
    /// If a row that is looked at on the way is wrong.
    pub fn seek(&mut self, step: u64) -> Result<(), FolderError> {
        let start = self.line_before(step)?;
        self.records.restart(start)?;
        self.before = 0;
        self.pending = loop {
            match self.next_row()? {
                Some(row) if row.moment().step < step => {}
                found => break found,
            }
        };
        Ok(())
    }

    fn next_row(&mut self) -> Result<Option<R>, FolderError> {
        let Some(row) = self.records.next(R::read)? else { return Ok(None) };
        let (step, before) = (row.moment().step, self.before);
        if step < before {
            let (path, line) = (self.records.table.path.clone(), self.records.line());
            return Err(FolderError::Order { path, line, step, before });
        }
        self.before = step;
        Ok(Some(row))
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

    /// Notes the first and the last whole step, and cuts off the rows of a last step that is not whole.
    fn find_ends(&mut self) -> Result<(), FolderError> {
        let mut rows = Vec::new();
        self.pending = self.next_row()?;
        self.first = self.next_step(&mut rows)?;
        let (Some(first), owners) = (self.first, rows.len()) else { return Ok(()) };
        let end = self.records.table.end;
        let last_line = self.records.table.line_start(end - 1)?;
        let last_step = self.step_at(last_line)?;
        self.seek(last_step)?;
        self.last = self.next_step(&mut rows)?;
        if rows.len() >= owners || self.last == Some(first) {
            return Ok(());
        }
        self.records.table.end = self.start_of(last_step)?;
        let last_line = self.records.table.line_start(self.records.table.end - 1)?;
        self.records.restart(last_line)?;
        self.last = self.records.next(R::read)?.map(|row| row.moment());
        Ok(())
    }

    /// Start of the first line of a step that is there.
    fn start_of(&mut self, step: u64) -> Result<u64, FolderError> {
        let start = self.line_before(step)?;
        self.records.restart(start)?;
        while self.records.next(|cells: &Cells<'_>| cells.integer(0))?.is_some_and(|found| found < step) {}
        Ok(self.records.at())
    }
}
