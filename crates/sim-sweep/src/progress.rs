//! How far a sweep has come, and how it is asked to stop.

use sim_run::{Control, NoObserver, Stopwatch};
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepProgress {
    /// Rows that are written: runs, and cells that cannot be run.
    pub rows: u64,
    /// Number of the last run that is written, in the whole sweep: the runs before it are done.
    pub run_number: u64,
    /// Runs that were not clean.
    pub not_clean: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Cells that cannot be run.
    pub infeasible: u64,
}

impl SweepProgress {
    /// Adds a later part of the same sweep.
    pub fn add(&mut self, later: &Self) {
        self.rows += later.rows;
        self.run_number = self.run_number.max(later.run_number);
        self.not_clean += later.not_clean;
        self.failed += later.failed;
        self.infeasible += later.infeasible;
    }
}

/// Hears how far a sweep has come.
pub trait SweepObserver: Sync {
    /// Rows were written. Called in their order; the sweep waits meanwhile.
    fn swept(&self, _progress: &SweepProgress) {}
}

impl SweepObserver for NoObserver {}

/// The hooks of a sweep: the observer, the clock, and the flag that stops it.
#[derive(Clone, Copy)]
pub struct SweepControl<'a> {
    /// Hears of the rows.
    pub observer: &'a dyn SweepObserver,
    /// The clock.
    pub stopwatch: &'a dyn Stopwatch,
    /// Checked before each run and each of its steps; once true, the sweep ends and is marked as not complete.
    pub stop: &'a AtomicBool,
}

impl SweepControl<'static> {
    /// No observer, no clock, no end before the last run.
    #[must_use]
    pub fn none() -> Self {
        let Control { stopwatch, stop, .. } = Control::none();
        Self { observer: &NoObserver, stopwatch, stop }
    }
}

impl<'a> SweepControl<'a> {
    /// True once the sweep is asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The hooks of its runs.
    #[must_use]
    pub fn of_run(&self) -> Control<'a> {
        Control { observer: &NoObserver, stopwatch: self.stopwatch, stop: self.stop }
    }
}
