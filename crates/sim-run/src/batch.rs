//! Many runs of one scenario: the same run with another run index, as many at a time as there are jobs.
//!
//! Runs finish in any order. Their results are taken in by run index all the same: what comes early waits, and a worker
//! that is too far ahead of the oldest unfinished run waits too. So the tables and the folded numbers do not depend on
//! the number of jobs, and memory does not grow with the number of runs.

use crate::error::RunError;
use crate::inputs::with_inputs;
use crate::progress::Control;
use crate::report::RunReport;
use crate::resume::{Past, Rows, Wanted, rename_to_partial, reopen, reopen_end_tables};
use crate::run::{RunOptions, run_one, version};
use crate::run_folder::{BATCH_FORMAT, BatchRecord, RUNS_CSV, RunFolder, SCENARIO_JSON};
use crate::run_folder::{SUMMARY_CSV, TIMING_JSON, UNFINISHED, input_file_name, run_folder_name};
use crate::summary::BatchSummary;
use crate::tables::file::TableFile;
use crate::tables::streams::{describe, header, is_running, table_name};
use crate::timing::{StepTimes, Timing};
use crate::worker_pool::{Next, TaskQueue, work};
use sim_world::{Column, Model, RunInfo, Stream};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// How many finished runs per job may wait for an older one.
const AHEAD_PER_JOB: u64 = 16;

/// Which runs, and how many at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// Indices of the runs.
    pub run_indices: Range<u64>,
    /// Runs made at the same time; 0 counts as 1.
    pub jobs: usize,
}

/// Result of a batch.
#[derive(Clone, Debug)]
pub struct BatchReport {
    /// True if all runs were made.
    pub complete: bool,
    /// Measures over the runs that were made.
    pub summary: BatchSummary,
    /// Wall-clock figures over all runs.
    pub timing: Timing,
}

/// Makes the runs. With a folder, each gets its own in it; without tables (`trace_every` none) only `runs.csv`, the tables of
/// the streams at the end and the summary are written.
///
/// # Errors
/// The error of the failed run with the smallest index; runs before it are whole. Errors of the folder.
pub fn run_batch(
    model: &Arc<dyn Model>,
    options: &RunOptions,
    batch: &BatchOptions,
    control: &Control<'_>,
) -> Result<BatchReport, RunError> {
    if batch.run_indices.is_empty() {
        return Err(RunError::Options("a batch needs at least one run".into()));
    }
    let streams: Vec<Stream> = model.outputs().iter().filter(|stream| !is_running(stream)).map(of_batch).collect();
    let inputs = model.inputs().iter().map(|stream| input_file_name(&stream.name));
    let names: Vec<String> = streams.iter().map(table_name).chain(inputs).collect();
    let record = record_of(&**model, options, batch);
    let wanted = Wanted {
        model: &**model,
        options,
        record: &record,
        end_streams: &streams,
        scenario_json: scenario_of_batch(&**model, options),
    };
    let opened = options.out.as_deref().map(|path| open(path, &names, &wanted)).transpose()?;
    let (folder, past) = opened.unzip();
    let past = past.unwrap_or_default();
    let mut writer = BatchWriter::new(folder.as_ref(), &**model, record);
    if past.is_complete {
        writer.add_past(&past, &**model, control)?;
        return Ok(BatchReport { complete: true, timing: writer.timing(0.0), summary: writer.summary });
    }
    writer.begin((&**model, &streams), options, &past)?;
    writer.add_past(&past, &**model, control)?;
    let ahead = AHEAD_PER_JOB * batch.jobs.max(1) as u64;
    let queue = Queue { next: writer.next_index, ahead, early: BTreeMap::new(), writer, control };
    let start_s = control.stopwatch.now_s();
    let queue = work(queue, batch.jobs, |run_index| {
        (run_index, run_one(model, model.key(run_index), &options_of_run(options, run_index), control))
    })?;
    queue.writer.finish(control.stopwatch.now_s() - start_s)
}

/// The folder of the batch, and the runs that it has already.
fn open(path: &Path, tables: &[String], wanted: &Wanted<'_>) -> Result<(RunFolder, Past), RunError> {
    let options = wanted.options;
    let mut overwrite = options.overwrite;
    if options.resume {
        if let Some(opened) = reopen(path, wanted)? {
            return Ok(opened);
        }
        // No run of it is whole: there is nothing to keep.
        overwrite = true;
    }
    Ok((RunFolder::claim(&options.disk, path, overwrite, tables)?, Past::default()))
}

/// The scenario of the batch, which names its files of inputs.
fn scenario_of_batch(model: &dyn Model, options: &RunOptions) -> String {
    with_inputs(&options.scenario_json, &options.inputs.streams(model, model.info().steps))
}

fn record_of(model: &dyn Model, options: &RunOptions, batch: &BatchOptions) -> BatchRecord {
    let Range { start, end } = batch.run_indices;
    let RunInfo { name, seed, .. } = model.info();
    BatchRecord {
        format: BATCH_FORMAT.into(),
        version: version().into(),
        scenario: name.into(),
        world: model.kind().name().into(),
        seed,
        first_run_index: start,
        runs: end.saturating_sub(start),
        runs_done: 0,
        complete: false,
        reason: Some(UNFINISHED.into()),
        run_folders: options.trace_every.is_some(),
        files: BTreeMap::new(),
    }
}

/// A stream at the end of a run as the table of a batch: its first column says which run.
fn of_batch(stream: &Stream) -> Stream {
    let run = [Column::integer("run", "index of the run")];
    Stream { columns: run.into_iter().chain(stream.columns.iter().cloned()).collect(), ..stream.clone() }
}

/// A run's own folder, if its tables are wanted; everything about the others stands in the batch's tables.
fn options_of_run(options: &RunOptions, run_index: u64) -> RunOptions {
    let batch_folder = options.out.as_ref().filter(|_| options.trace_every.is_some());
    RunOptions {
        out: batch_folder.map(|path| path.join(run_folder_name(run_index))),
        // Of an earlier attempt, what is not in the tables of the batch is made again.
        overwrite: options.resume,
        end_streams: options.out.is_some(),
        ..options.clone()
    }
}

/// The runs that wait to be made and those that wait to be written.
struct Queue<'a> {
    next: u64,
    /// How far the next run may be ahead of the oldest unwritten one.
    ahead: u64,
    early: BTreeMap<u64, Result<RunReport, RunError>>,
    writer: BatchWriter<'a>,
    control: &'a Control<'a>,
}

impl TaskQueue for Queue<'_> {
    type Task = u64;
    type Done = (u64, Result<RunReport, RunError>);

    fn next(&mut self) -> Next<u64> {
        let end = self.writer.record.first_run_index + self.writer.record.runs;
        if self.next >= end || self.control.is_stopped() || self.writer.failure.is_some() {
            return Next::Nothing;
        }
        if self.next >= self.writer.next_index + self.ahead {
            return Next::Wait;
        }
        self.next += 1;
        Next::Make(self.next - 1)
    }

    fn complete(&mut self, (run_index, result): Self::Done) {
        self.early.insert(run_index, result);
        while let Some(result) = self.early.remove(&self.writer.next_index) {
            self.writer.add_result(result, self.control);
        }
    }

    fn abort(&mut self) {
        self.next = u64::MAX;
    }
}

/// Adds the runs by index: folds their measures and appends their rows.
struct BatchWriter<'a> {
    folder: Option<&'a RunFolder>,
    runs_csv: Option<TableFile>,
    /// Tables of the streams at the end, in the model's order.
    end_tables: Vec<TableFile>,
    record: BatchRecord,
    agents: usize,
    next_index: u64,
    summary: BatchSummary,
    times: StepTimes,
    steps: u64,
    failure: Option<RunError>,
}

impl<'a> BatchWriter<'a> {
    fn new(folder: Option<&'a RunFolder>, model: &dyn Model, record: BatchRecord) -> Self {
        Self {
            folder,
            runs_csv: None,
            end_tables: Vec::new(),
            agents: model.info().agents,
            next_index: record.first_run_index,
            record,
            summary: BatchSummary::new(model.kind().measures()),
            times: StepTimes::default(),
            steps: 0,
            failure: None,
        }
    }

    /// Writes what describes the batch and opens its tables, after the rows of past runs.
    fn begin(
        &mut self,
        (model, end_streams): (&dyn Model, &[Stream]),
        options: &RunOptions,
        past: &Past,
    ) -> Result<(), RunError> {
        let Some(folder) = self.folder else { return Ok(()) };
        folder.write_record(&self.record)?;
        folder.write(SCENARIO_JSON, scenario_of_batch(model, options).as_bytes())?;
        describe(folder, model, end_streams)?;
        options.inputs.write(folder, model)?;
        folder.sync()?;
        if past.runs == 0 {
            let create = |stream| TableFile::create(folder, &table_name(stream), &header(stream));
            self.end_tables = end_streams.iter().map(create).collect::<Result<_, _>>()?;
            return Ok(());
        }
        self.end_tables = reopen_end_tables(folder, end_streams, (self.record.first_run_index, past))?;
        rename_to_partial(folder, RUNS_CSV)?;
        self.runs_csv = Some(TableFile::resume(folder, RUNS_CSV, past.bytes, 1 + past.runs)?);
        Ok(())
    }

    /// Adds the results of past runs, whose rows are in the tables.
    fn add_past(&mut self, past: &Past, model: &dyn Model, control: &Control<'_>) -> Result<(), RunError> {
        let Some(folder) = self.folder.filter(|_| past.runs > 0) else { return Ok(()) };
        let mut rows = Rows::open(folder.path(), model, &self.record)?;
        for _ in 0..past.runs {
            let Some(report) = rows.as_mut().map_or(Ok(None), Rows::next)? else { break };
            control.observer.finished(&report);
            self.summary.add(&report.metrics);
            self.next_index += 1;
        }
        Ok(())
    }

    fn timing(&self, wall_s: f64) -> Timing {
        Timing::new(self.steps, self.agents, wall_s, &self.times)
    }

    /// The first error is kept. Runs that were made all the same are taken in: their rows stand in order, with a gap
    /// before them.
    fn add_result(&mut self, result: Result<RunReport, RunError>, control: &Control<'_>) {
        self.next_index += 1;
        let taken = result.and_then(|report| {
            control.observer.finished(&report);
            if report.complete { self.add(&report) } else { Ok(()) }
        });
        if let (Err(error), None) = (taken, &self.failure) {
            self.failure = Some(error);
        }
    }

    fn add(&mut self, report: &RunReport) -> Result<(), RunError> {
        self.summary.add(&report.metrics);
        self.times.merge(&report.times);
        self.steps += report.steps_done;
        for (table, lines) in self.end_tables.iter_mut().zip(&report.end_lines) {
            table.append_lines(lines);
            table.flush()?;
        }
        let Some(folder) = self.folder else { return Ok(()) };
        let table = match &mut self.runs_csv {
            Some(table) => table,
            empty => {
                let names: Vec<&str> = report.metrics.iter().map(|m| m.name).collect();
                let header = format!("run,seed,{}", names.join(","));
                empty.insert(TableFile::create_with_sums(folder, RUNS_CSV, &header)?)
            }
        };
        let row = table.row().integer(report.run_index).integer(self.record.seed);
        report.metrics.iter().fold(row, |row, metric| row.number(metric.value)).end();
        table.flush()
    }

    fn finish(mut self, wall_s: f64) -> Result<BatchReport, RunError> {
        let timing = self.timing(wall_s);
        let complete = self.failure.is_none() && self.summary.runs() == self.record.runs;
        self.record.runs_done = self.summary.runs();
        self.record.complete = complete;
        self.record.reason = match (&self.failure, complete) {
            (Some(error), _) => Some(error.to_string()),
            (None, false) => Some("stopped".into()),
            (None, true) => None,
        };
        let kept = format!("{} of {} runs are whole", self.summary.runs(), self.record.runs);
        let written = self.write_end(&timing);
        match self.failure.map_or(written, Err) {
            Ok(()) => Ok(BatchReport { complete, summary: self.summary, timing }),
            Err(error) => Err(error.with_kept(kept)),
        }
    }

    /// A partial batch keeps the partial name of `runs.csv` and has no summary over all runs.
    fn write_end(&mut self, timing: &Timing) -> Result<(), RunError> {
        let Some(folder) = self.folder else { return Ok(()) };
        if self.record.complete {
            self.runs_csv.take().map_or(Ok(()), TableFile::finish)?;
            self.end_tables.drain(..).try_for_each(TableFile::finish)?;
            folder.finish_row_sums()?;
            folder.write(SUMMARY_CSV, &self.summary.csv())?;
        } else {
            self.end_tables.iter().chain(&self.runs_csv).try_for_each(TableFile::sync)?;
        }
        folder.write_json(TIMING_JSON, timing)?;
        self.record.files = folder.files();
        folder.conclude(&self.record)
    }
}
