//! One run, from the start to the last step, with its files.

use crate::checksum::hash_text;
use crate::disk::Disk;
use crate::error::RunError;
use crate::inputs::{InputLog, Kept, Recording, as_recorded, check_input, edited, with_inputs};
use crate::progress::{Control, Progress};
use crate::report::{RefusedRows, RunReport};
use crate::run_folder::{HASH_EVERY, RUN_FORMAT, RunFolder, RunRecord, SCENARIO_JSON};
use crate::run_folder::{SUMMARY_CSV, TIMING_JSON, UNFINISHED, input_file_name};
use crate::summary::summary_csv;
use crate::tables::streams::{StreamTables, describe, end_lines, is_running, table_name, wanted};
use crate::timing::{NoStopwatch, StepTimes, Stopwatch, Timing};
use sim_core::{RunKey, Tick};
use sim_world::{DeviceState, Input, Model, RowSink, RunInfo, Stream, Value, World, run_length};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a run is written down.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Folder of the run; none: nothing is written.
    pub out: Option<PathBuf>,
    /// Whether a run that the folder holds may be replaced.
    pub overwrite: bool,
    /// Whether a batch goes on with the runs that its folder holds; begun where there is none. A single run does not.
    pub resume: bool,
    /// Steps between two rows of a table; none: no tables.
    pub trace_every: Option<u64>,
    /// Text of `scenario.json`: the scenario with every default written out, without the key `inputs`. The run adds that key once it
    /// records what comes in.
    pub scenario_json: String,
    /// What comes in from files.
    pub inputs: Arc<Recording>,
    /// Whether the report brings the rows of the streams at the end.
    pub end_streams: bool,
    /// The way to the disk.
    pub disk: Disk,
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
    let mut session = Session::start(model, key, options)?;
    let RunInfo { name, steps, step_hz, .. } = model.info();
    tracing::debug!(scenario = %name, seed = key.seed, run = key.run_index, steps, "run begins");
    let show = |session: &Session| control.observer.progress(&session.progress());
    let start_s = control.stopwatch.now_s();
    show(&session);
    while !session.is_done() && !control.is_stopped() {
        let before_s = control.stopwatch.now_s();
        if let Err(error) = session.step_timed(&[], control.stopwatch, before_s) {
            return session.fail(error, control.stopwatch.now_s() - start_s);
        }
        if session.tick().is_due(u64::from(step_hz), 0) {
            show(&session);
        }
    }
    show(&session);
    let wall_s = control.stopwatch.now_s() - start_s;
    tracing::debug!(run = key.run_index, steps = session.tick().0, wall_s, "run ends");
    session.end(wall_s)
}

/// One run that a program makes step by step: it gives inputs, reads streams, and has the same files as any other run if it wants them.
///
/// ```
/// use sim_run::{RunOptions, Session, scenario};
/// use sim_world::{Input, Value};
/// use sim_worlds::WORLDS;
///
/// let text = r#"{ "name": "mine", "world": "mat", "steps": 30, "feet": { "count": 0 }, "agents": { "count": 1 } }"#;
/// let model = scenario::parse(WORLDS, text, "mine.json", &[])?.model;
/// let mut session = Session::start(&model, model.key(0), &RunOptions::default())?;
/// let wishes = session.input("wishes")?;
/// while !session.is_done() {
///     let to_the_right = [[Value::Integer(0), Value::Number(50.0), Value::Number(0.0)]];
///     session.step(&Input::rows(wishes, &to_the_right))?;
/// }
/// let velocities_mm_s = session.numbers("agents", ["vx_mm_s", "vy_mm_s"])?;
/// assert!((velocities_mm_s[0][0] - 50.0).abs() < 0.1, "{velocities_mm_s:?}");
/// assert!(session.finish()?.complete);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    model: Arc<dyn Model>,
    recorded: Arc<Recording>,
    key: RunKey,
    world: Box<dyn World>,
    log: Option<RunLog>,
    trace: RunTrace,
    refused: RefusedRows,
    end_streams: bool,
    /// Steps of the whole run.
    steps: u64,
}

impl Session {
    /// A run at its start. With a folder in `options`, its tables begin there.
    ///
    /// # Errors
    /// If the start cannot be laid out or a file cannot be written.
    pub fn start(model: &Arc<dyn Model>, key: RunKey, options: &RunOptions) -> Result<Self, RunError> {
        if options.trace_every == Some(0) {
            return Err(RunError::Options("rows every 0 steps: give at least 1, or leave the tables out".into()));
        }
        // A program may read what it likes.
        let world = Arc::clone(model).start(key, &wanted(&**model, true, options.end_streams))?;
        let log = match options.out.as_deref() {
            None => None,
            Some(path) => Some(RunLog::create(path, options, (&**model, key), &*world)?),
        };
        let (model, recorded) = (Arc::clone(model), Arc::clone(&options.inputs));
        let (trace, refused) = (RunTrace::default(), RefusedRows::default());
        let (steps, end_streams) = (model.info().steps, options.end_streams);
        Ok(Self { model, recorded, key, world, log, trace, refused, end_streams, steps })
    }

    /// The model that the run is of.
    #[must_use]
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    /// Address of the draws of the run.
    #[must_use]
    pub fn key(&self) -> RunKey {
        self.key
    }

    /// The last step made; 0 at the start.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.world.tick()
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        self.tick().seconds(self.model.info().step_hz)
    }

    /// True once all steps of the scenario are made.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.tick().0 >= self.steps
    }

    /// Place of an input stream, for [`Input::stream`].
    ///
    /// # Errors
    /// If the model has none of that name.
    pub fn input(&self, name: &str) -> Result<usize, RunError> {
        place_of(self.model.inputs(), name, "input")
    }

    /// Place of an output stream, for [`Session::rows`].
    ///
    /// # Errors
    /// If the model has none of that name.
    pub fn output(&self, name: &str) -> Result<usize, RunError> {
        place_of(self.model.outputs(), name, "output")
    }

    /// Hands the rows of an output stream after the last step to `out`.
    pub fn rows(&self, stream: usize, out: &mut RowSink<'_>) {
        self.world.rows(stream, out);
    }

    /// The numbers in some columns of an output stream after the last step, a line for each row; not a number where a value is missing.
    ///
    /// # Errors
    /// If the model has no stream or no column of that name.
    pub fn numbers<const COLUMNS: usize>(
        &self,
        stream: &str,
        columns: [&str; COLUMNS],
    ) -> Result<Vec<[f64; COLUMNS]>, RunError> {
        let place = self.output(stream)?;
        let mut at = [0; COLUMNS];
        for (at, name) in at.iter_mut().zip(columns) {
            *at = column_of(&self.model.outputs()[place], name)?;
        }
        let mut lines = Vec::new();
        self.rows(place, &mut |row| lines.push(at.map(|at| row[at].as_number().unwrap_or(f64::NAN))));
        Ok(lines)
    }

    /// What a [device](Model::devices) does after the last step.
    #[must_use]
    pub fn device_state(&self, device: usize) -> DeviceState {
        self.world.device_state(device)
    }

    /// Hash of the complete state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// One step with the rows of a program: rows of files, then these, in the order of their streams. All are written down first, so that
    /// the record repeats the run. Rows of clients that the program does not answer for go to [`Session::step_live`].
    ///
    /// # Errors
    /// [`RunError::Input`] for a row that is wrong: no step is made then, and the run can go on. [`RunError::Options`] after the last
    /// step. Otherwise if a file cannot be written or the state stops being finite.
    pub fn step(&mut self, inputs: &[Input<'_>]) -> Result<(), RunError> {
        let step = self.next_step()?;
        inputs.iter().try_for_each(|input| self.check(step, input))?;
        self.step_timed(inputs, &NoStopwatch, 0.0)
    }

    /// One step with the rows of live clients, as [`Session::step`]; but a row that is wrong is left out and counted in
    /// [`Session::refused`].
    ///
    /// # Errors
    /// [`RunError::Options`] after the last step. Otherwise if a file cannot be written or the state stops being finite.
    pub fn step_live(&mut self, inputs: &[Input<'_>]) -> Result<(), RunError> {
        let step = self.next_step()?;
        let mut accepted = Vec::with_capacity(inputs.len());
        for input in inputs {
            match self.check(step, input) {
                Ok(()) => accepted.push(*input),
                Err(error) => self.refused.add(self.model.inputs().get(input.stream), error),
            }
        }
        self.step_timed(&accepted, &NoStopwatch, 0.0)
    }

    /// Violations that have begun so far.
    #[must_use]
    pub fn violations(&self) -> u64 {
        self.world.violations()
    }

    /// Rows that [`Session::step_live`] has refused so far.
    #[must_use]
    pub fn refused(&self) -> &RefusedRows {
        &self.refused
    }

    fn next_step(&self) -> Result<u64, RunError> {
        let Tick(made) = self.tick();
        if self.is_done() {
            return Err(RunError::Options(format!("all {made} steps of the run are made")));
        }
        Ok(made + 1)
    }

    fn check(&self, step: u64, input: &Input<'_>) -> Result<(), RunError> {
        check_input(&*self.model, input).map_err(|fault| RunError::input(&*self.model, step, input, &fault))
    }

    /// The step itself; the rows have passed their checks.
    fn step_timed(&mut self, given: &[Input<'_>], stopwatch: &dyn Stopwatch, before_s: f64) -> Result<(), RunError> {
        let step = self.next_step()?;
        let kept = |Input { stream, row }: &Input<'_>| (*stream, as_recorded(&self.model.inputs()[*stream], row));
        let given: Vec<(usize, Vec<Kept>)> = given.iter().map(kept).collect();
        let given = given.iter().map(|(stream, row)| (*stream, row.iter().map(Kept::value).collect()));
        let mut rows: Vec<(usize, Vec<Value<'_>>)> = self.recorded.at(step).into_iter().chain(given).collect();
        // Stable, as the order in which a recording yields them.
        rows.sort_by_key(|(stream, _)| *stream);
        let inputs: Vec<Input<'_>> = rows.iter().map(|(stream, row)| Input { stream: *stream, row }).collect();
        if let (Some(log), false) = (&mut self.log, inputs.is_empty()) {
            log.record_inputs(step, &inputs)?;
        }
        self.world.step(&inputs)?;
        self.trace.times.add(stopwatch.now_s() - before_s);
        if let Some(log) = &mut self.log {
            log.record(&*self.world)?;
        }
        if self.world.tick().is_due(HASH_EVERY, 0) {
            self.trace.state_hashes.push(self.world.state_hash());
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            run_index: self.key.run_index,
            steps_done: self.tick().0,
            steps: self.steps,
            violations: self.world.violations(),
        }
    }

    /// Ends the run and its files. One that is ended before its last step is marked as not complete.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self) -> Result<RunReport, RunError> {
        self.end(0.0)
    }

    /// Ends the run as one of so many steps as were made: its folder is complete, and its scenario names that length. Before the first
    /// step, as [`Session::finish`].
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish_here(mut self) -> Result<RunReport, RunError> {
        let Tick(made) = self.tick();
        if made > 0 && made < self.steps {
            self.steps = made;
            if let Some(log) = &mut self.log {
                log.shorten(made)?;
            }
        }
        self.end(0.0)
    }

    fn end(mut self, wall_s: f64) -> Result<RunReport, RunError> {
        let report = self.report(wall_s);
        match self.log {
            None => Ok(report),
            Some(log) => log.close(&*self.world, Ok(()), report),
        }
    }

    /// Ends the run after an error of a step: its folder is marked as not complete, with the error as the reason.
    ///
    /// # Errors
    /// Always: the error, with the place of what is kept.
    pub fn abort(self, error: RunError) -> Result<RunReport, RunError> {
        self.fail(error, 0.0)
    }

    /// Ends the files of a run that failed.
    fn fail(mut self, error: RunError, wall_s: f64) -> Result<RunReport, RunError> {
        let report = self.report(wall_s);
        match self.log {
            None => Err(error),
            Some(log) => log.close(&*self.world, Err(error), report),
        }
    }

    fn report(&mut self, wall_s: f64) -> RunReport {
        let Tick(steps_done) = self.tick();
        let RunInfo { agents, .. } = self.model.info();
        let final_state_hash = self.world.state_hash();
        let metrics = self.world.finish();
        let trace = std::mem::take(&mut self.trace);
        let at_end = || end_lines(&*self.model, &*self.world, self.key.run_index);
        RunReport {
            run_index: self.key.run_index,
            steps_done,
            complete: steps_done == self.steps,
            final_state_hash,
            state_hashes: trace.state_hashes,
            ranking: self.model.kind().ranking().value(&metrics),
            metrics,
            timing: Timing::new(steps_done, agents, wall_s, &trace.times),
            times: trace.times,
            refused: self.refused.clone(),
            end_lines: if self.end_streams { at_end() } else { Vec::new() },
        }
    }
}

fn place_of(streams: &[Stream], name: &str, kind: &str) -> Result<usize, RunError> {
    let place = streams.iter().position(|stream| stream.name == name);
    place.ok_or_else(|| {
        let known: Vec<&str> = streams.iter().map(|stream| &*stream.name).collect();
        RunError::Options(format!("this scenario has no {kind} stream {name:?}; it has {}", known.join(", ")))
    })
}

fn column_of(stream: &Stream, name: &str) -> Result<usize, RunError> {
    stream.column(name).ok_or_else(|| {
        let known: Vec<&str> = stream.columns.iter().map(|column| &*column.name).collect();
        RunError::Options(format!("{} has no column {name:?}; it has {}", stream.name, known.join(", ")))
    })
}

/// What the loop over the steps notes beside the world.
#[derive(Debug, Default)]
struct RunTrace {
    times: StepTimes,
    state_hashes: Vec<u64>,
}

/// The files of a run that is going on.
struct RunLog {
    folder: RunFolder,
    record: RunRecord,
    tables: Option<StreamTables>,
    inputs: InputLog,
    scenario_json: String,
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
        let inputs = model.inputs().iter().map(|stream| input_file_name(&stream.name));
        let names: Vec<String> = streams.iter().map(|stream| table_name(stream)).chain(inputs).collect();
        let folder = RunFolder::claim(&options.disk, path, options.overwrite, &names)?;
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
            refused_inputs: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        folder.write_record(&record)?;
        folder.write(SCENARIO_JSON, options.scenario_json.as_bytes())?;
        describe(&folder, model, streams.into_iter().filter(|stream| !stream.is_sparse))?;
        folder.sync()?;
        let tables = match options.trace_every {
            None => None,
            Some(every) => Some(StreamTables::create(&folder, model, world, every)?),
        };
        let inputs = InputLog::new(&folder, model);
        Ok(Self { folder, record, tables, inputs, scenario_json: options.scenario_json.clone() })
    }

    /// Writes down what comes in; it is in the files when this returns, and the scenario of the folder names those files.
    fn record_inputs(&mut self, step: u64, inputs: &[Input<'_>]) -> Result<(), RunError> {
        let named = self.inputs.streams().len();
        inputs.iter().try_for_each(|input| self.inputs.write(step, input))?;
        self.inputs.flush()?;
        let streams = self.inputs.streams();
        if streams.len() == named {
            return Ok(());
        }
        self.folder.write(SCENARIO_JSON, with_inputs(&self.scenario_json, &streams).as_bytes())
    }

    /// Makes the length so many steps, in the record and in the scenario.
    fn shorten(&mut self, steps: u64) -> Result<(), RunError> {
        self.record.steps = steps;
        self.scenario_json = edited(&self.scenario_json, |root| run_length::set_steps(root, steps));
        self.folder.write(SCENARIO_JSON, with_inputs(&self.scenario_json, &self.inputs.streams()).as_bytes())
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
        let said = self.folder.conclude(&self.record);
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
        record.refused_inputs = report.refused.rows.clone();
        record.files = self.folder.files();
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
            self.inputs.finish()?;
            self.folder.finish_row_sums()?;
            self.folder.write(SUMMARY_CSV, &summary_csv(&report.metrics))?;
        }
        self.folder.write_json(TIMING_JSON, &report.timing)
    }
}
