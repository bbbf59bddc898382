//! One run, from the start to the last step, with its files.

use crate::closest::{Clip, ClosestCalls};
use crate::error::RunError;
use crate::progress::{Control, Progress};
use crate::run_folder::{HASH_EVERY, RUN_FORMAT, RUN_JSON, RunFolder, RunRecord, SCENARIO_JSON};
use crate::run_folder::{SUMMARY_CSV, TIMING_JSON, UNFINISHED, hash_text};
use crate::summary::summary_csv;
use crate::timing::{StepTimes, Timing};
use crate::world::mat::MatWorld;
use crate::world::road::RoadWorld;
use crate::world::seam::{Head, Model, RunTables, RunWorld};
use sim_core::measure::Metric;
use sim_core::{RunKey, Tick};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a run is written down.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Folder of the run; none: nothing is written.
    pub out: Option<PathBuf>,
    /// Whether a run that the folder holds may be replaced.
    pub overwrite: bool,
    /// Steps between two rows of a table; none: no tables.
    pub trace_every: Option<u64>,
    /// Text of `scenario.json`: the scenario with every default written out.
    pub scenario_json: String,
    /// Whether the report brings the closest calls.
    pub closest_calls: bool,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// Index of the run in its batch.
    pub run_index: u64,
    /// Steps made.
    pub steps_done: u64,
    /// False if it was stopped before its last step.
    pub complete: bool,
    /// Hash of the state after the last step.
    pub final_state_hash: u64,
    /// Hash of the state after every [`HASH_EVERY`] steps.
    pub state_hashes: Vec<u64>,
    /// Measures, in the order of their table.
    pub metrics: Vec<Metric>,
    /// Wall-clock figures; zeros where nobody held a stopwatch.
    pub timing: Timing,
    /// Durations of the steps.
    pub times: StepTimes,
    /// The closest calls, the closest first; none if they were not asked for.
    pub closest: Vec<Clip>,
}

/// Version that the files carry.
#[must_use]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

impl RunReport {
    /// See [`least_room_mm`].
    #[must_use]
    pub fn least_room_mm(&self) -> f64 {
        least_room_mm(&self.metrics)
    }
}

/// The smallest of the distances to robots and feet less their limits, mm; infinite if nobody was near anybody.
#[must_use]
pub fn least_room_mm(metrics: &[Metric]) -> f64 {
    let distances = metrics.iter().filter(|m| matches!(m.name, "min_robot_robot_mm" | "min_robot_foot_mm"));
    let rooms = distances.filter_map(|m| m.limit.map(|limit| m.value - limit));
    // `f64::min` leaves out what is not a number: a run without feet has no distance to them.
    rooms.fold(f64::INFINITY, f64::min)
}

/// Makes the run at `key`. A run that is stopped by its [`Control`] is reported as not complete; its tables keep their
/// partial names.
///
/// # Errors
/// If the start cannot be laid out, a file cannot be written, or the state stops being finite. What was written until
/// then is kept, marked as not complete.
pub fn run_one(model: &Model, key: RunKey, options: &RunOptions, control: &Control<'_>) -> Result<RunReport, RunError> {
    match model {
        Model::Mat(model) => run_in::<MatWorld>(model, key, options, control),
        Model::Road(model) => run_in::<RoadWorld>(model, key, options, control),
    }
}

fn run_in<W: RunWorld>(
    model: &Arc<W::Model>,
    key: RunKey,
    options: &RunOptions,
    control: &Control<'_>,
) -> Result<RunReport, RunError> {
    if options.trace_every == Some(0) {
        return Err(RunError::Options("rows every 0 steps: give at least 1, or leave the tables out".into()));
    }
    let mut world = W::begin(Arc::clone(model), key)?;
    let mut log = match options.out.as_deref() {
        None => None,
        Some(path) => Some(RunLog::create(path, options, &world)?),
    };
    let closest = if options.closest_calls { world.watch_closest() } else { None };
    let mut pace = Pace { closest, ..Pace::default() };
    let Head { name, steps, .. } = world.head();
    tracing::debug!(scenario = %name, seed = key.seed, run = key.run_index, steps, "run begins");
    let start_s = control.stopwatch.now_s();
    let outcome = walk(&mut world, log.as_mut(), &mut pace, control);
    let wall_s = control.stopwatch.now_s() - start_s;
    let report = report(&mut world, pace, wall_s);
    tracing::debug!(run = key.run_index, steps = report.steps_done, complete = report.complete, wall_s, "run ends");
    match log {
        None => outcome.map(|()| report),
        Some(log) => log.close(&world, outcome, report),
    }
}

/// What the loop over the steps notes beside the world.
#[derive(Debug, Default)]
struct Pace {
    times: StepTimes,
    state_hashes: Vec<u64>,
    closest: Option<ClosestCalls>,
}

/// The steps, until the last one or until somebody asks to stop.
fn walk<W: RunWorld>(
    world: &mut W,
    mut log: Option<&mut RunLog<W>>,
    pace: &mut Pace,
    control: &Control<'_>,
) -> Result<(), RunError> {
    let Head { steps, step_hz, .. } = world.head();
    tell(world, control);
    while world.tick().0 < steps && !control.is_stopped() {
        let before_s = control.stopwatch.now_s();
        world.step()?;
        pace.times.add(control.stopwatch.now_s() - before_s);
        if let Some(closest) = &mut pace.closest {
            world.show_closest(closest);
        }
        if let Some(log) = &mut log {
            log.record(world)?;
        }
        if world.tick().is_due(HASH_EVERY, 0) {
            pace.state_hashes.push(world.state_hash());
        }
        if world.tick().is_due(u64::from(step_hz), 0) {
            tell(world, control);
        }
    }
    tell(world, control);
    Ok(())
}

fn tell(world: &impl RunWorld, control: &Control<'_>) {
    control.observer.progress(&Progress {
        run_index: world.key().run_index,
        steps_done: world.tick().0,
        steps: world.head().steps,
        violations: world.violations(),
    });
}

fn report(world: &mut impl RunWorld, pace: Pace, wall_s: f64) -> RunReport {
    let Tick(steps_done) = world.tick();
    let Head { steps, agents, .. } = world.head();
    RunReport {
        run_index: world.key().run_index,
        steps_done,
        complete: steps_done == steps,
        final_state_hash: world.state_hash(),
        state_hashes: pace.state_hashes,
        metrics: world.finish(),
        timing: Timing::new(steps_done, agents, wall_s, &pace.times),
        times: pace.times,
        closest: pace.closest.map_or_else(Vec::new, ClosestCalls::finish),
    }
}

/// The files of a run that is going on.
struct RunLog<W: RunWorld> {
    folder: RunFolder,
    record: RunRecord,
    tables: Option<W::Tables>,
}

impl<W: RunWorld> RunLog<W> {
    fn create(path: &Path, options: &RunOptions, world: &W) -> Result<Self, RunError> {
        let head = world.head();
        let folder = RunFolder::claim(path, options.overwrite)?;
        let record = RunRecord {
            format: RUN_FORMAT.into(),
            version: version().into(),
            scenario: head.name.into(),
            world: head.world.into(),
            seed: world.key().seed,
            run_index: world.key().run_index,
            steps: head.steps,
            steps_done: 0,
            complete: false,
            reason: Some(UNFINISHED.into()),
            final_state_hash: None,
            state_hash_every: HASH_EVERY,
            state_hashes: Vec::new(),
        };
        folder.write_json(RUN_JSON, &record)?;
        folder.write(SCENARIO_JSON, options.scenario_json.as_bytes())?;
        let tables = match options.trace_every {
            None => None,
            Some(every) => Some(W::Tables::create(folder.path(), world, every)?),
        };
        Ok(Self { folder, record, tables })
    }

    fn record(&mut self, world: &W) -> Result<(), RunError> {
        self.tables.as_mut().map_or(Ok(()), |tables| tables.record(world))
    }

    /// Names the tables if the run is complete, leaves them partial otherwise, and says so in `run.json`.
    fn close(mut self, world: &W, outcome: Result<(), RunError>, report: RunReport) -> Result<RunReport, RunError> {
        let outcome = outcome.and_then(|()| self.write_end(world, &report));
        // After an error, rows of tables that still take them must not be lost; the first error is the one to report.
        let _ = self.tables.as_mut().map(W::Tables::flush);
        self.complete_record(&outcome, &report);
        let said = self.folder.write_json(RUN_JSON, &self.record);
        outcome.and(said).map_err(|error| error.with_kept(self.kept(&report))).map(|()| report)
    }

    fn complete_record(&mut self, outcome: &Result<(), RunError>, report: &RunReport) {
        let record = &mut self.record;
        record.steps_done = report.steps_done;
        record.complete = report.complete && outcome.is_ok();
        record.reason = match outcome {
            Err(error) => Some(error.to_string()),
            Ok(()) if !report.complete => {
                Some(format!("stopped after {} of {} steps", report.steps_done, record.steps))
            }
            Ok(()) => None,
        };
        record.final_state_hash = record.complete.then(|| hash_text(report.final_state_hash));
        record.state_hashes = report.state_hashes.iter().map(|&hash| hash_text(hash)).collect();
    }

    fn kept(&self, report: &RunReport) -> String {
        let folder = self.folder.path().display();
        format!("what was written up to step {} is kept in {folder}, marked as not complete", report.steps_done)
    }

    /// The last rows, the summary and the timing.
    fn write_end(&mut self, world: &W, report: &RunReport) -> Result<(), RunError> {
        if let Some(tables) = &mut self.tables {
            tables.record_events(world)?;
            tables.flush()?;
        }
        if report.complete {
            self.tables.take().map_or(Ok(()), W::Tables::finish)?;
            self.folder.write(SUMMARY_CSV, &summary_csv(&report.metrics))?;
        }
        self.folder.write_json(TIMING_JSON, &report.timing)
    }
}
