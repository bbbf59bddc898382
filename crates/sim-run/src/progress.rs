//! How far a run has come, for its observer, and how it is asked to stop.

use crate::report::RunReport;
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

/// Hears of runs. Several runs of a batch may report at once, from their own threads.
pub trait Observer: Sync {
    /// A run has come this far. Called at its start, about once per simulated second, and at its end.
    fn progress(&self, _progress: &Progress) {}

    /// A run of a batch is over, complete or stopped. Called in the order of the run indices; the batch waits meanwhile.
    fn finished(&self, _report: &RunReport) {}
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// The hooks of a run: the observer, the clock, and the flag that stops it.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Hears of the run.
    pub observer: &'a dyn Observer,
    /// The clock.
    pub stopwatch: &'a dyn Stopwatch,
    /// Checked before each step; once true, the run ends and is marked as not complete.
    pub stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Control<'static> {
    /// No observer, no clock, no end before the last step.
    #[must_use]
    pub fn none() -> Self {
        Self { observer: &NoObserver, stopwatch: &NoStopwatch, stop: &NEVER }
    }
}

impl Control<'_> {
    /// True once the run is asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
