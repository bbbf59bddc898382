//! Which run is to be made next.
//!
//! Runs are made in any order and written in one: by cell, then by repeat. A cell with a stopping rule hands out its runs in
//! groups; whether another group follows is decided by all of the cell's runs so far, so it does not depend on which of them was
//! made first.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use crate::cells::{CellSetup, Sweep};
use crate::rows::{Outcome, Row};
use crate::stop::Verdict;
use sim_run::worker_pool::Next;

/// A run to be made.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// Its cell.
    pub cell: u64,
    /// Its number in the cell.
    pub repeat: u64,
    /// What the run is made of.
    pub setup: CellSetup,
}

/// The runs of a sweep, or of a part of it, on their way to the table.
#[derive(Debug)]
pub(super) struct Schedule<'a> {
    sweep: &'a Sweep,
    /// Cells whose rows are not all written, the oldest first.
    open: VecDeque<OpenCell>,
    next_cell: u64,
    /// Numbers of the runs: cell times repeats plus repeat.
    numbers: Range<u64>,
    /// Runs that were handed out and whose rows are not written.
    on_their_way: u64,
    most_on_their_way: u64,
}

impl<'a> Schedule<'a> {
    /// Runs `numbers` of a sweep (cell times repeats plus repeat), not many more than `most_on_their_way` at a time. With a stopping rule,
    /// cells must be whole.
    #[must_use]
    pub fn new(sweep: &'a Sweep, numbers: Range<u64>, most_on_their_way: u64) -> Self {
        let next_cell = numbers.start / sweep.repeats();
        Self { sweep, open: VecDeque::new(), next_cell, numbers, on_their_way: 0, most_on_their_way }
    }

    /// Adds a row that an earlier attempt has written. False if it is not the one that comes next.
    pub fn replay(&mut self, row: &Row) -> bool {
        if self.is_done() {
            return false;
        }
        let is_next = self.open.front_mut().is_some_and(|cell| cell.replay(row, self.sweep));
        self.close_front();
        is_next
    }

    /// The next run to make.
    pub fn next(&mut self) -> Next<Task> {
        loop {
            let full = self.on_their_way >= self.most_on_their_way || self.open.len() as u64 > self.most_on_their_way;
            // All cells wait for the oldest one, and so for its next group, which is never held back.
            match self.open.iter().position(OpenCell::is_ready) {
                Some(at) if at == 0 || !full => {
                    if let Some(task) = self.open[at].hand_out() {
                        self.on_their_way += 1;
                        return Next::Make(task);
                    }
                }
                Some(_) => return Next::Wait,
                None if !full && self.open_next() => {}
                None if self.is_done() => return Next::Nothing,
                None => return Next::Wait,
            }
        }
    }

    /// Adds the result of a run.
    pub fn complete(&mut self, cell: u64, repeat: u64, outcome: Outcome) {
        if let Some(open) = self.open.iter_mut().find(|open| open.cell == cell) {
            open.outcomes.insert(repeat, outcome);
            open.judge(self.sweep);
        }
    }

    /// True once every row was taken out. Of a cell that cannot be run there is one row, so a part of it may have none.
    pub fn is_done(&mut self) -> bool {
        while self.open.is_empty() && self.open_next() {}
        self.open.is_empty()
    }

    /// Takes out the next row of the table, if it is there.
    pub fn take_row(&mut self) -> Option<Row> {
        let cell = self.open.front_mut()?;
        let row = cell.take_row()?;
        self.on_their_way -= u64::from(cell.setup.is_ok());
        self.close_front();
        Some(row)
    }

    fn is_at_end(&self) -> bool {
        self.next_cell * self.sweep.repeats() >= self.numbers.end
    }

    /// Opens the next cell; false if there is none.
    fn open_next(&mut self) -> bool {
        if self.is_at_end() {
            return false;
        }
        let repeats = self.sweep.repeats();
        let first = self.next_cell * repeats;
        let own = self.numbers.start.max(first) - first..self.numbers.end.min(first + repeats) - first;
        let cell = OpenCell::new(self.next_cell, own, self.sweep);
        self.next_cell += 1;
        if !cell.is_written() {
            self.open.push_back(cell);
        }
        true
    }

    fn close_front(&mut self) {
        if self.open.front().is_some_and(OpenCell::is_written) {
            self.open.pop_front();
        }
    }
}

#[derive(Debug)]
struct OpenCell {
    cell: u64,
    setup: Result<CellSetup, String>,
    /// The next repeat to hand out, and the first that may not be handed out yet.
    next: u64,
    released: u64,
    /// The end of its repeats: it comes nearer if the rule is met.
    end: u64,
    /// Outcomes that are not written.
    outcomes: BTreeMap<u64, Outcome>,
    judged: u64,
    written: u64,
    verdict: Verdict,
}

impl OpenCell {
    fn new(cell: u64, repeats: Range<u64>, sweep: &Sweep) -> Self {
        let Range { start, end } = repeats;
        let group = sweep.rule().map_or(end, |rule| rule.spec.every);
        let setup = sweep.setup(cell);
        // Of a cell that cannot be run there is one row, where its first run would stand.
        let end = match setup {
            Err(_) => start + u64::from(start == 0),
            Ok(_) => end,
        };
        Self {
            cell,
            setup,
            next: start,
            released: (start + group).min(end),
            end,
            outcomes: BTreeMap::new(),
            judged: start,
            written: start,
            verdict: Verdict::default(),
        }
    }

    fn is_ready(&self) -> bool {
        self.setup.is_ok() && self.next < self.released
    }

    fn hand_out(&mut self) -> Option<Task> {
        let setup = self.setup.as_ref().ok()?.clone();
        self.next += 1;
        Some(Task { cell: self.cell, repeat: self.next - 1, setup })
    }

    /// Shows the rule what has come in without a gap.
    fn judge(&mut self, sweep: &Sweep) {
        while let Some(outcome) = self.outcomes.get(&self.judged) {
            self.verdict.add(outcome, sweep.rule());
            self.judged += 1;
            if self.verdict.ended().is_some() {
                self.end = self.judged;
            } else if let (true, Some(rule)) = (self.judged == self.released, sweep.rule()) {
                self.released = (self.released + rule.spec.every).min(self.end);
            }
        }
    }

    fn take_row(&mut self) -> Option<Row> {
        let outcome = match &self.setup {
            Ok(_) => self.outcomes.remove(&self.written)?,
            Err(cause) if self.written < self.end => Outcome::Infeasible(cause.clone()),
            Err(_) => return None,
        };
        self.written += 1;
        Some(Row { cell: self.cell, repeat: self.written - 1, outcome })
    }

    fn replay(&mut self, row: &Row, sweep: &Sweep) -> bool {
        let is_next = (row.cell, row.repeat) == (self.cell, self.written) && !self.is_written();
        if !is_next || matches!(row.outcome, Outcome::Infeasible(_)) != self.setup.is_err() {
            return false;
        }
        if self.setup.is_ok() {
            self.next += 1;
            self.outcomes.insert(row.repeat, row.outcome.clone());
            self.judge(sweep);
        }
        self.take_row().is_some()
    }

    fn is_written(&self) -> bool {
        self.written >= self.end
    }
}
