//! Making the runs of a sweep and writing their rows.

use crate::cells::{CellSetup, Sweep};
use crate::progress::{SweepControl, SweepProgress};
use crate::rows::{self, Outcome, Reader, Row};
use crate::schedule::{Schedule, Task};
use sim_core::RunKey;
use sim_run::error::RunError;
use sim_run::tables::file::TableFile;
use sim_run::worker_pool::{Next, TaskQueue, work};
use sim_run::{Control, RunOptions, RunReport, run_one};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// How many runs per job may be on their way to the table.
const ON_THEIR_WAY_PER_JOB: u64 = 32;

/// Longest time that a row may be lost if the power fails, s.
const SYNC_EVERY_S: f64 = 1.0;

/// Makes one run: [`run_one`], or what stands for it in a test.
pub(super) type MakeRun<'a> = &'a (dyn Fn(&CellSetup, RunKey, &Control<'_>) -> Result<RunReport, RunError> + Sync);

/// Makes a run as any other run is made, without files.
pub(super) fn make_run(setup: &CellSetup, key: RunKey, control: &Control<'_>) -> Result<RunReport, RunError> {
    let options = RunOptions { inputs: Arc::clone(&setup.inputs), ..RunOptions::default() };
    run_one(&setup.model, key, &options, control)
}

/// The runs of a sweep, or of a part of it, on their way to a table.
pub(super) struct Sweeping<'a> {
    sweep: &'a Sweep,
    schedule: Schedule<'a>,
    table: TableFile,
    control: &'a SweepControl<'a>,
    progress: SweepProgress,
    synced_s: f64,
    failure: Option<RunError>,
    stopped: bool,
}

/// What was made.
pub(super) struct Swept {
    /// The table, if nothing failed; its rows are in the file.
    pub table: TableFile,
    /// True if no row is missing.
    pub complete: bool,
    pub progress: SweepProgress,
}

/// What an earlier attempt has made, and what is left to do.
pub(super) struct Past<'a> {
    sweep: &'a Sweep,
    schedule: Schedule<'a>,
    pub progress: SweepProgress,
    /// Bytes of the table up to the end of its last whole row; `None` without a table.
    pub whole_bytes: Option<u64>,
}

impl<'a> Past<'a> {
    /// Nothing made of the runs `numbers`.
    pub fn nothing(sweep: &'a Sweep, numbers: Range<u64>, jobs: usize) -> Self {
        let schedule = Schedule::new(sweep, numbers, ON_THEIR_WAY_PER_JOB * jobs.max(1) as u64);
        Self { sweep, schedule, progress: SweepProgress::default(), whole_bytes: None }
    }

    /// Reads the rows among the first `lines` of a table, up to the first that is not whole or not the one that comes next.
    ///
    /// # Errors
    /// If the table cannot be read or is another sweep's.
    pub fn read(&mut self, path: &Path, lines: u64) -> Result<(), RunError> {
        if lines == 0 {
            return Ok(());
        }
        let Some(mut reader) = Reader::open(path, self.sweep)? else { return Ok(()) };
        self.whole_bytes = Some(reader.whole_bytes());
        for _ in 1..lines {
            let Some(row) = reader.next()?.filter(|row| self.schedule.replay(row)) else { break };
            count(&mut self.progress, self.sweep, &row);
            self.whole_bytes = Some(reader.whole_bytes());
        }
        Ok(())
    }

    /// True if no row is missing.
    pub fn is_whole(&mut self) -> bool {
        self.schedule.is_done()
    }
}

fn count(progress: &mut SweepProgress, sweep: &Sweep, row: &Row) {
    progress.rows += 1;
    progress.run_number = sweep.run_number(row.cell, row.repeat);
    match row.outcome {
        Outcome::Done(_) => progress.not_clean += u64::from(!row.outcome.is_clean()),
        Outcome::Failed(_) => progress.failed += 1,
        Outcome::Infeasible(_) => progress.infeasible += 1,
    }
}

impl<'a> Sweeping<'a> {
    /// Goes on after what was made, whose rows `table` holds.
    pub fn new(past: Past<'a>, table: TableFile, control: &'a SweepControl<'a>) -> Self {
        let Past { sweep, schedule, progress, .. } = past;
        let synced_s = control.stopwatch.now_s();
        Self { sweep, schedule, table, control, progress, synced_s, failure: None, stopped: false }
    }

    /// Makes what is missing, `jobs` at a time.
    ///
    /// # Errors
    /// If the table cannot be written. The results of runs, even of those that failed, are in it.
    pub fn finish(self, jobs: usize, make: MakeRun<'_>) -> Result<Swept, RunError> {
        let (sweep, control) = (self.sweep, self.control);
        control.observer.swept(&self.progress);
        let mut done = work(self, jobs, |task| {
            let outcome = outcome_of(sweep, &task, control, make);
            (task, outcome)
        })?;
        if let Some(error) = done.failure {
            return Err(error);
        }
        done.table.sync()?;
        let complete = done.schedule.is_done();
        Ok(Swept { complete, table: done.table, progress: done.progress })
    }

    /// Writes the rows that are due. True if there were any.
    fn write_due(&mut self) -> bool {
        let before = self.progress.rows;
        while let Some(row) = self.schedule.take_row() {
            rows::append(&mut self.table, self.sweep, &self.sweep.values(row.cell), &row);
            count(&mut self.progress, self.sweep, &row);
        }
        let wrote = self.progress.rows > before;
        if wrote {
            self.failure = self.failure.take().or_else(|| self.flush().err());
            self.control.observer.swept(&self.progress);
        }
        wrote
    }

    fn flush(&mut self) -> Result<(), RunError> {
        self.table.flush()?;
        let now_s = self.control.stopwatch.now_s();
        if now_s - self.synced_s >= SYNC_EVERY_S {
            self.synced_s = now_s;
            self.table.sync()?;
        }
        Ok(())
    }
}

impl TaskQueue for Sweeping<'_> {
    type Task = Task;
    type Done = (Task, Option<Outcome>);

    fn next(&mut self) -> Next<Task> {
        loop {
            if self.stopped || self.failure.is_some() || self.control.is_stopped() {
                return Next::Nothing;
            }
            match self.schedule.next() {
                // Cells that cannot be run have rows at once, and writing them makes space.
                Next::Wait if self.write_due() => {}
                next => return next,
            }
        }
    }

    fn complete(&mut self, (task, outcome): Self::Done) {
        match outcome {
            Some(outcome) => {
                self.schedule.complete(task.cell, task.repeat, outcome);
                self.write_due();
            }
            None => self.stopped = true,
        }
    }

    fn abort(&mut self) {
        self.stopped = true;
    }
}

/// Result of a run; `None` if it was stopped. A run that fails, even by a mistake in the program, is one row: the others go on.
fn outcome_of(sweep: &Sweep, task: &Task, control: &SweepControl<'_>, make: MakeRun<'_>) -> Option<Outcome> {
    let key = task.setup.model.key(sweep.run_index(task.cell, task.repeat));
    match catch_unwind(AssertUnwindSafe(|| make(&task.setup, key, &control.of_run()))) {
        Ok(Ok(report)) if report.complete => Some(Outcome::Done(sweep.kept(&report))),
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(Outcome::Failed(error.to_string())),
        Err(panic) => Some(Outcome::Failed(format!("the program failed: {}", panic_words(&*panic)))),
    }
}

fn panic_words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}
