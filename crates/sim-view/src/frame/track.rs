//! The rows round a moment, some time before it and some time ahead of it.

use crate::folder::{FolderError, Moment, Span, StepRows, StreamTable};
use std::collections::VecDeque;

/// Times closer than this are the same.
pub(super) const SAME_S: f64 = 1e-9;
/// A way ahead of more rows than this is jumped, not read.
const WALK_ROWS: f64 = 30.0;

/// A table with the rows from just before a moment to some time after it.
#[derive(Debug)]
pub(super) struct Track {
    pub table: StreamTable,
    span: Span,
    window: VecDeque<(Moment, StepRows)>,
    spare: Vec<StepRows>,
}

impl Track {
    pub fn new(table: StreamTable, span: Span) -> Self {
        Self { table, span, window: VecDeque::new(), spare: Vec::new() }
    }

    /// Reads on, or jumps, so that the rows from just before `from_s` to `to_s` are at hand.
    pub fn go_to(&mut self, from_s: f64, to_s: f64) -> Result<(), FolderError> {
        if !self.is_near(from_s) {
            self.spare.extend(self.window.drain(..).map(|(_, rows)| rows));
            self.table.seek(self.span.step_before(from_s))?;
        }
        while self.window.back().is_none_or(|(last, _)| last.time_s < to_s - SAME_S) {
            let mut rows = self.spare.pop().unwrap_or_default();
            let Some(moment) = self.table.next_step(&mut rows)? else { break };
            if moment.step > self.span.last.step {
                break;
            }
            self.window.push_back((moment, rows));
            self.drop_past(from_s);
        }
        self.drop_past(from_s);
        Ok(())
    }

    /// All rows at hand: the last ones that are not after the start of the stretch, and later ones.
    pub fn window(&self) -> impl Iterator<Item = (Moment, &StepRows)> {
        self.window.iter().map(|(moment, rows)| (*moment, rows))
    }

    /// The rows before and after `time_s`, and how far it is from one to the other; the same twice at the end. Nothing where the table
    /// has no rows for longer than from one row to the next: before a sparse one begins, in its gaps and after its end.
    pub fn around(&self, time_s: f64) -> Option<Around<'_>> {
        let later = self.window.partition_point(|(moment, _)| moment.time_s <= time_s + SAME_S);
        let (first, before) = self.window.get(later.checked_sub(1)?)?;
        if time_s > first.time_s + self.span.row_s() + SAME_S {
            return None;
        }
        let (second, after) = self.window.get(later).unwrap_or(&self.window[later - 1]);
        let gap_s = second.time_s - first.time_s;
        let share = if gap_s > 0.0 { ((time_s - first.time_s) / gap_s).clamp(0.0, 1.0) } else { 0.0 };
        // On a row, what comes after it does not matter: a place may be missing there.
        let after = if share > 0.0 { after } else { before };
        Some(Around { before, after, share, step: if share < 0.5 { first.step } else { second.step } })
    }

    fn is_near(&self, time_s: f64) -> bool {
        let (Some((first, _)), Some((last, _))) = (self.window.front(), self.window.back()) else { return false };
        first.time_s <= time_s + SAME_S && time_s <= last.time_s + WALK_ROWS * self.span.row_s()
    }

    fn drop_past(&mut self, time_s: f64) {
        while self.window.get(1).is_some_and(|(second, _)| second.time_s <= time_s + SAME_S) {
            self.spare.extend(self.window.pop_front().map(|(_, rows)| rows));
        }
    }
}

/// The rows on both sides of a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    before: &'a StepRows,
    after: &'a StepRows,
    /// 0 at the rows before, 1 at those after.
    pub share: f64,
    /// Step of the nearer ones.
    pub step: u64,
}

impl<'a> Around<'a> {
    /// Each row before with the row after of the same owner, which stands at `owner` if there are several, and the nearer of the two.
    pub fn pairs(&self, owner: Option<usize>) -> impl Iterator<Item = Pair<'a>> {
        let Self { before, after, share, .. } = *self;
        before.iter().zip(after.iter().map(Some).chain(std::iter::repeat(None))).map(move |(row, same)| {
            let is_same = |other: &&[f64]| owner.is_none_or(|at| other[at] == row[at]);
            let other = same.filter(is_same).or_else(|| after.iter().find(is_same)).unwrap_or(row);
            Pair { before: row, after: other, nearer: if share < 0.5 { row } else { other } }
        })
    }
}

/// An owner's rows on both sides of a moment.
pub(super) struct Pair<'a> {
    pub before: &'a [f64],
    pub after: &'a [f64],
    pub nearer: &'a [f64],
}
