//! The rows round a moment, and some time ahead of it.

use crate::folder::{FolderError, Moment, Span, StepRow, StepTable};
use std::collections::VecDeque;

/// Times closer than this are the same.
const SAME_S: f64 = 1e-9;
/// A way ahead of more rows than this is jumped, not read.
const WALK_ROWS: f64 = 30.0;

/// A step of a table.
type Group<R> = (Moment, Vec<R>);

/// A table with the rows from just before a moment to some time after it.
#[derive(Debug)]
pub(super) struct Track<R> {
    table: StepTable<R>,
    span: Span,
    ahead_s: f64,
    window: VecDeque<Group<R>>,
    spare: Vec<Vec<R>>,
}

impl<R: StepRow> Track<R> {
    pub fn new(table: StepTable<R>, span: Span, ahead_s: f64) -> Self {
        Self { table, span, ahead_s, window: VecDeque::new(), spare: Vec::new() }
    }

    /// Reads on, or jumps, so that the rows round `time_s` are at hand.
    pub fn go_to(&mut self, time_s: f64) -> Result<(), FolderError> {
        if !self.is_near(time_s) {
            self.spare.extend(self.window.drain(..).map(|(_, rows)| rows));
            self.table.seek(self.step_before(time_s))?;
        }
        while self.window.back().is_none_or(|(last, _)| last.time_s < time_s + self.ahead_s - SAME_S) {
            let mut rows = self.spare.pop().unwrap_or_default();
            let Some(moment) = self.table.next_step(&mut rows)? else { break };
            if moment.step > self.span.last.step {
                break;
            }
            self.window.push_back((moment, rows));
            self.drop_past(time_s);
        }
        self.drop_past(time_s);
        Ok(())
    }

    /// All rows at hand: the last ones that are not after the moment, and later ones.
    pub fn window(&self) -> impl Iterator<Item = (Moment, &[R])> {
        self.window.iter().map(|(moment, rows)| (*moment, rows.as_slice()))
    }

    /// The rows before and after `time_s`, and how far it is from one to the other; the same twice at and beyond the ends.
    pub fn around(&self, time_s: f64) -> Option<Around<'_, R>> {
        let (first, before) = self.window.front()?;
        let (second, after) = self.window.get(1).unwrap_or(&self.window[0]);
        let gap_s = second.time_s - first.time_s;
        let share = if gap_s > 0.0 { ((time_s - first.time_s) / gap_s).clamp(0.0, 1.0) } else { 0.0 };
        Some(Around { before, after, share, step: if share < 0.5 { first.step } else { second.step } })
    }

    fn is_near(&self, time_s: f64) -> bool {
        let (Some((first, _)), Some((last, _))) = (self.window.front(), self.window.back()) else { return false };
        first.time_s <= time_s + SAME_S && time_s <= last.time_s + WALK_ROWS * self.row_s()
    }

    fn drop_past(&mut self, time_s: f64) {
        while self.window.get(1).is_some_and(|(second, _)| second.time_s <= time_s + SAME_S) {
            self.spare.extend(self.window.pop_front().map(|(_, rows)| rows));
        }
    }

    /// Time from one row to the next.
    fn row_s(&self) -> f64 {
        let Span { first, last, every } = self.span;
        (last.time_s - first.time_s) * every as f64 / (last.step - first.step).max(1) as f64
    }

    /// A step whose row is not after `time_s`.
    fn step_before(&self, time_s: f64) -> u64 {
        let Span { first, every, .. } = self.span;
        let rows = if self.row_s() > 0.0 { ((time_s - first.time_s) / self.row_s()).floor() - 1.0 } else { 0.0 };
        first.step + every * rows.max(0.0) as u64
    }
}

/// The rows on both sides of a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a, R> {
    pub before: &'a [R],
    pub after: &'a [R],
    /// 0 at the rows before, 1 at those after.
    pub share: f64,
    /// Step of the nearer ones.
    pub step: u64,
}

impl<'a, R> Around<'a, R> {
    /// Each row before with the row after of the same owner, and the nearer of the two.
    pub fn pairs(&self, id: impl Fn(&R) -> u64) -> impl Iterator<Item = Pair<'a, R>> {
        let Self { before, after, share, .. } = *self;
        before.iter().enumerate().map(move |(n, row)| {
            let same = after.get(n).filter(|other| id(other) == id(row));
            let other = same.or_else(|| after.iter().find(|other| id(other) == id(row))).unwrap_or(row);
            Pair { before: row, after: other, nearer: if share < 0.5 { row } else { other } }
        })
    }
}

/// An owner's rows on both sides of a moment.
pub(super) struct Pair<'a, R> {
    pub before: &'a R,
    pub after: &'a R,
    pub nearer: &'a R,
}
