//! One run, from the start to the last step, with its files.

use crate::error::RunError;
use crate::progress::{Control, Progress};
use crate::run_folder::{HASH_EVERY, RUN_FORMAT, RUN_JSON, RunFolder, RunRecord, SCENARIO_JSON};
use crate::run_folder::{SUMMARY_CSV, TABLES_JSON, TIMING_JSON, UNFINISHED, hash_text};
use crate::summary::summary_csv;
use crate::tables::streams::{StreamTables, described, end_lines, is_running, table_name, wanted};
use crate::timing::{StepTimes, Timing};
use serde_json::json;
use sim_core::measure::Metric;
use sim_core::{RunKey, Tick};
use sim_world::{Model, RunInfo, World};
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
    /// Whether the report brings the rows of the streams at the end.
    pub end_streams: bool,
}

/// Result of a run.
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
    /// Wall-clock figures; zeros without a stopwatch.
    pub timing: Timing,
    /// Durations of the steps.
    pub times: StepTimes,
    /// How bad the run was, by the value of its world's [`Ranking`](sim_world::Ranking).
    pub ranking: f64,
    /// The rows of each stream at the end, as lines of CSV that begin with the run's index; none if they were not asked for.
    pub end_lines: Vec<Vec<u8>>,
}

/// Version that the files carry.
#[must_use]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Makes the run at `key`. A run that is stopped by its [`Control`] is reported as not complete; its tables keep their
/// partial names.
///
/// # Errors
/// If the start cannot be laid out, a file cannot be written, or the state stops being finite. What was written until
/// then is kept, marked as not complete.
pub fn run_one(
    model: &Arc<dyn Model>,
    key: RunKey,
    options: &RunOptions,
    control: &Control<'_>,
) -> Result<RunReport, RunError> {
    if options.trace_every == Some(0) {
        return Err(RunError::Options("rows every 0 steps: give at least 1, or leave the tables out".into()));
    }
    let is_traced = options.out.is_some() && options.trace_every.is_some();
    let mut world = Arc::clone(model).start(key, &wanted(&**model, is_traced, options.end_streams))?;
    let mut log = match options.out.as_deref() {
        None => None,
        Some(path) => Some(RunLog::create(path, options, (&**model, key), &*world)?),
    };
    let RunInfo { name, steps, .. } = model.info();
    tracing::debug!(scenario = %name, seed = key.seed, run = key.run_index, steps, "run begins");
    let start_s = control.stopwatch.now_s();
    let mut trace = RunTrace::default();
    let outcome = walk(&**model, key, &mut *world, log.as_mut(), &mut trace, control);
    let wall_s = control.stopwatch.now_s() - start_s;
    let mut report = report(&**model, key, &mut *world, trace, wall_s);
    if options.end_streams {
        report.end_lines = end_lines(&**model, &*world, key.run_index);
    }
    tracing::debug!(run = key.run_index, steps = report.steps_done, complete = report.complete, wall_s, "run ends");
    match log {
        None => outcome.map(|()| report),
        Some(log) => log.close(&*world, outcome, report),
    }
}

/// What the loop over the steps notes beside the world.
#[derive(Debug, Default)]
struct RunTrace {
    times: StepTimes,
    state_hashes: Vec<u64>,
}

/// The steps, until the last one or until a stop is asked for.
fn walk(
    model: &dyn Model,
    key: RunKey,
    world: &mut dyn World,
    mut log: Option<&mut RunLog>,
    trace: &mut RunTrace,
    control: &Control<'_>,
) -> Result<(), RunError> {
    let RunInfo { steps, step_hz, .. } = model.info();
    let show = |world: &dyn World| {
        let (run_index, steps_done, violations) = (key.run_index, world.tick().0, world.violations());
        control.observer.progress(&Progress { run_index, steps_done, steps, violations });
    };
    show(world);
    while world.tick().0 < steps && !control.is_stopped() {
        let before_s = control.stopwatch.now_s();
        world.step(&[])?;
        trace.times.add(control.stopwatch.now_s() - before_s);
        if let Some(log) = &mut log {
            log.record(world)?;
        }
        if world.tick().is_due(HASH_EVERY, 0) {
            trace.state_hashes.push(world.state_hash());
        }
        if world.tick().is_due(u64::from(step_hz), 0) {
            show(world);
        }
    }
    show(world);
    Ok(())
}

fn report(model: &dyn Model, key: RunKey, world: &mut dyn World, trace: RunTrace, wall_s: f64) -> RunReport {
    let Tick(steps_done) = world.tick();
    let RunInfo { steps, agents, .. } = model.info();
    let final_state_hash = world.state_hash();
    let metrics = world.finish();
    RunReport {
        run_index: key.run_index,
        steps_done,
        complete: steps_done == steps,
        final_state_hash,
        state_hashes: trace.state_hashes,
        ranking: model.kind().ranking().value(&metrics),
        metrics,
        timing: Timing::new(steps_done, agents, wall_s, &trace.times),
        times: trace.times,
        end_lines: Vec::new(),
    }
}

/// The files of a run that is going on.
struct RunLog {
    folder: RunFolder,
    record: RunRecord,
    tables: Option<StreamTables>,
}

impl RunLog {
    fn create(
        path: &Path,
        options: &RunOptions,
        (model, key): (&dyn Model, RunKey),
        world: &dyn World,
    ) -> Result<Self, RunError> {
        let info = model.info();
        let streams: Vec<_> = model.outputs().iter().filter(|stream| is_running(stream)).collect();
        let names: Vec<String> = streams.iter().map(|stream| table_name(stream)).collect();
        let folder = RunFolder::claim(path, options.overwrite, &names)?;
        let record = RunRecord {
            format: RUN_FORMAT.into(),
            version: version().into(),
            scenario: info.name.into(),
            world: model.kind().name().into(),
            seed: key.seed,
            run_index: key.run_index,
            steps: info.steps,
            steps_done: 0,
            complete: false,
            reason: Some(UNFINISHED.into()),
            final_state_hash: None,
            state_hash_every: HASH_EVERY,
            state_hashes: Vec::new(),
        };
        folder.write_json(RUN_JSON, &record)?;
        folder.write(SCENARIO_JSON, options.scenario_json.as_bytes())?;
        folder.write_json(TABLES_JSON, &json!({ "streams": described(streams) }))?;
        let tables = match options.trace_every {
            None => None,
            Some(every) => Some(StreamTables::create(folder.path(), model, world, every)?),
        };
        Ok(Self { folder, record, tables })
    }

    fn record(&mut self, world: &dyn World) -> Result<(), RunError> {
        self.tables.as_mut().map_or(Ok(()), |tables| tables.record(world))
    }

    /// Names the tables if the run is complete, leaves them partial otherwise, and says so in `run.json`.
    fn close(
        mut self,
        world: &dyn World,
        outcome: Result<(), RunError>,
        report: RunReport,
    ) -> Result<RunReport, RunError> {
        let outcome = outcome.and_then(|()| self.write_end(world, &report));
        // After an error, rows of tables that still take them must not be lost; the first error is the one to report.
        let _ = self.tables.as_mut().map(StreamTables::flush);
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
    fn write_end(&mut self, world: &dyn World, report: &RunReport) -> Result<(), RunError> {
        if let Some(tables) = &mut self.tables {
            tables.record_end(world)?;
        }
        if report.complete {
            self.tables.take().map_or(Ok(()), StreamTables::finish)?;
            self.folder.write(SUMMARY_CSV, &summary_csv(&report.metrics))?;
        }
        self.folder.write_json(TIMING_JSON, &report.timing)
    }
}
