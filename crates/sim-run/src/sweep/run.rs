//! A sweep from its first run to its last table.

use super::cells::Sweep;
use super::digest::{Digest, digest};
use super::execute::{MakeRun, Past, Sweeping, Swept, make_run};
use super::folder::{self, SweepRecord};
use super::rows::header;
use super::worst::write_worst;
use crate::error::RunError;
use crate::progress::{Control, SweepProgress};
use crate::run_folder::{RUN_JSON, RUNS_CSV, RunFolder, TIMING_JSON};
use crate::tables::file::{TableFile, partial_name};
use serde::Serialize;
use std::path::PathBuf;

/// How a sweep is made.
#[derive(Clone, Debug, Default)]
pub struct SweepOptions {
    /// Its folder.
    pub out: PathBuf,
    /// Runs made at the same time; 0 counts as 1.
    pub jobs: usize,
    /// Whether what the folder holds may be replaced.
    pub overwrite: bool,
    /// Whether to go on with what the folder holds.
    pub resume: bool,
    /// Which build of the program this is, in 16 hexadecimal digits: a sweep is only gone on with by the one that began it. Empty if nobody
    /// says.
    pub build: String,
}

/// What came of a sweep.
#[derive(Clone, Debug)]
pub struct SweepReport {
    /// True if all runs were made and every table is whole.
    pub complete: bool,
    /// What was made, earlier attempts included.
    pub progress: SweepProgress,
    /// What the tables say in short; of a sweep that is not complete nothing.
    pub digest: Digest,
}

/// `timing.json` of a sweep: the only file in it, besides those of its worst runs, that depends on the clock.
#[derive(Clone, Copy, Debug, Serialize)]
struct SweepTiming {
    /// Rows of `runs.csv` that this attempt made.
    rows: u64,
    /// Time from the first to the last of them, s.
    wall_s: f64,
    /// Runs made at the same time.
    jobs: usize,
}

/// Makes a sweep, or the rest of one, with its tables.
///
/// # Errors
/// If the folder is not free, holds another sweep, or cannot be written. What was written is kept, and can be gone on with. A run that
/// fails is no error: it is a row.
pub fn run_sweep(sweep: &Sweep, options: &SweepOptions, control: &Control<'_>) -> Result<SweepReport, RunError> {
    run_sweep_with(sweep, options, control, &make_run)
}

pub(super) fn run_sweep_with(
    sweep: &Sweep,
    options: &SweepOptions,
    control: &Control<'_>,
    make: MakeRun<'_>,
) -> Result<SweepReport, RunError> {
    let record = SweepRecord::new(sweep, &options.build);
    let folder = if options.resume {
        folder::resume(&options.out, sweep, &record)?
    } else {
        folder::claim(&options.out, options.overwrite, sweep, &record)?
    };
    let start_s = control.stopwatch.now_s();
    let mut progress = SweepProgress::default();
    if !folder.path().join(RUNS_CSV).exists() {
        let (sweeping, found) = begin(sweep, &folder, options, control)?;
        let Swept { table, complete, progress: made } = sweeping
            .finish(options.jobs, make)
            .map_err(|error| error.with_kept("whole rows are kept, and the sweep can be gone on with"))?;
        progress = made;
        if !complete {
            let record = SweepRecord { reason: Some("stopped".into()), ..with_counts(record, &progress) };
            folder.write_json(RUN_JSON, &record)?;
            return Ok(SweepReport { complete, progress, digest: Digest::default() });
        }
        let wall_s = control.stopwatch.now_s() - start_s;
        folder.write_json(TIMING_JSON, &SweepTiming { rows: made.rows - found, wall_s, jobs: options.jobs })?;
        table.finish()?;
    }
    conclude(sweep, &folder, options, control, (record, progress))
}

/// Makes the tables of a folder whose `runs.csv` is whole.
pub(super) fn conclude(
    sweep: &Sweep,
    folder: &RunFolder,
    options: &SweepOptions,
    control: &Control<'_>,
    (record, progress): (SweepRecord, SweepProgress),
) -> Result<SweepReport, RunError> {
    let digest = digest(sweep, folder)?;
    let complete = write_worst(sweep, folder, &digest.worst, options.jobs, control)?;
    let record = SweepRecord {
        runs: digest.runs,
        failed_runs: digest.failed_runs,
        infeasible_cells: digest.infeasible_cells,
        complete,
        reason: (!complete).then(|| "stopped".into()),
        ..record
    };
    folder.write_json(RUN_JSON, &record)?;
    Ok(SweepReport { complete, progress, digest })
}

fn with_counts(record: SweepRecord, progress: &SweepProgress) -> SweepRecord {
    SweepRecord {
        runs: progress.rows - progress.infeasible,
        failed_runs: progress.failed,
        infeasible_cells: progress.infeasible,
        ..record
    }
}

/// The runs of the whole sweep, with the rows that the folder has already, and how many those are.
fn begin<'a>(
    sweep: &'a Sweep,
    folder: &RunFolder,
    options: &SweepOptions,
    control: &'a Control<'a>,
) -> Result<(Sweeping<'a>, u64), RunError> {
    let partial = partial_name(&folder.path().join(RUNS_CSV));
    let mut past = Past::nothing(sweep, 0..sweep.runs_at_most(), options.jobs);
    if options.resume && partial.exists() {
        past.read(&partial)?;
    }
    let found = past.progress.rows;
    let table = match past.whole_bytes {
        Some(bytes) => TableFile::resume(folder.path(), RUNS_CSV, bytes)?,
        None => TableFile::create(folder.path(), RUNS_CSV, &header(sweep))?,
    };
    Ok((Sweeping::new(past, table, control), found))
}
