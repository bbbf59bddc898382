//! What a run tells whoever watches it, and how it is asked to stop.

use crate::run::RunReport;
use crate::timing::{NoStopwatch, Stopwatch};
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Index of the run in its batch.
    pub run_index: u64,
    /// Steps made so far.
    pub steps_done: u64,
    /// Steps that were asked for.
    pub steps: u64,
    /// Safety violations so far, counted as in the summary.
    pub violations: u64,
}

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepProgress {
    /// Rows that are written: runs, and cells that cannot be run.
    pub rows: u64,
    /// Number of the last run that is written, in the whole sweep: what came before it is done with.
    pub run_number: u64,
    /// Runs that were not clean.
    pub not_clean: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Cells that cannot be run.
    pub infeasible: u64,
}

impl SweepProgress {
    /// Takes in a later part of the same sweep.
    pub fn add(&mut self, later: &Self) {
        self.rows += later.rows;
        self.run_number = self.run_number.max(later.run_number);
        self.not_clean += later.not_clean;
        self.failed += later.failed;
        self.infeasible += later.infeasible;
    }
}

/// Somebody who watches. Several runs of a batch may report at once, from their own threads.
pub trait Observer: Sync {
    /// A run has come this far. Called at its start, about once per simulated second, and at its end.
    fn progress(&self, _progress: &Progress) {}

    /// A run of a batch is over, complete or stopped. Called in the order of the run indices; the batch waits meanwhile.
    fn finished(&self, _report: &RunReport) {}

    /// Rows of a sweep were written. Called in their order; the sweep waits meanwhile.
    fn swept(&self, _progress: &SweepProgress) {}
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// The hooks of a run: who watches, who holds the clock, and the flag that stops it.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Who watches.
    pub observer: &'a dyn Observer,
    /// Who holds the clock.
    pub stopwatch: &'a dyn Stopwatch,
    /// Looked at before each step; once true, the run ends and is marked as not complete.
    pub stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Control<'static> {
    /// Nobody watches, nobody times, nobody stops.
    #[must_use]
    pub fn none() -> Self {
        Self { observer: &NoObserver, stopwatch: &NoStopwatch, stop: &NEVER }
    }
}

impl Control<'_> {
    /// True once somebody asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
