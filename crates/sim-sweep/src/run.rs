//! A sweep from its first run to its last table.

use crate::aggregate::{SweepSummary, aggregate};
use crate::cells::Sweep;
use crate::execute::{MakeRun, Past, Sweeping, Swept, make_run};
use crate::folder::{self, SweepRecord};
use crate::progress::{SweepControl, SweepProgress};
use crate::rows::header;
use crate::worst::write_worst;
use serde::Serialize;
use sim_run::disk::Disk;
use sim_run::error::RunError;
use sim_run::partial::partial_name;
use sim_run::run_folder::{RUNS_CSV, RunFolder, TIMING_JSON};
use sim_run::tables::file::TableFile;
use sim_run::tables::sums::Matching;
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
    /// Which build of the program this is, in 16 hexadecimal digits: only the one that began a sweep goes on with it. Empty if it is not
    /// known.
    pub build: String,
    /// The way to the disk.
    pub disk: Disk,
}

/// Result of a sweep.
#[derive(Clone, Debug)]
pub struct SweepReport {
    /// True if all runs were made and every table is whole.
    pub complete: bool,
    /// What was made, earlier attempts included.
    pub progress: SweepProgress,
    /// What the tables say in short; of a sweep that is not complete nothing.
    pub summary: SweepSummary,
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
pub fn run_sweep(sweep: &Sweep, options: &SweepOptions, control: &SweepControl<'_>) -> Result<SweepReport, RunError> {
    run_sweep_with(sweep, options, control, &make_run)
}

pub(super) fn run_sweep_with(
    sweep: &Sweep,
    options: &SweepOptions,
    control: &SweepControl<'_>,
    make: MakeRun<'_>,
) -> Result<SweepReport, RunError> {
    let record = SweepRecord::new(sweep, &options.build);
    let folder = if options.resume {
        folder::resume(options, sweep, &record)?
    } else {
        folder::claim(options, options.overwrite, sweep, &record)?
    };
    let start_s = control.stopwatch.now_s();
    let mut progress = SweepProgress::default();
    keep_if_true(&folder)?;
    if !folder.path().join(RUNS_CSV).exists() {
        let (sweeping, found) = begin(sweep, &folder, options, control)?;
        let Swept { table, complete, progress: made } = sweeping
            .finish(options.jobs, make)
            .map_err(|error| error.with_kept("whole rows are kept, and the sweep can be gone on with"))?;
        progress = made;
        if !complete {
            let record = SweepRecord { reason: Some("stopped".into()), ..with_counts(record, &progress) };
            folder.conclude(&record)?;
            return Ok(SweepReport { complete, progress, summary: SweepSummary::default() });
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
    control: &SweepControl<'_>,
    (record, progress): (SweepRecord, SweepProgress),
) -> Result<SweepReport, RunError> {
    if SweepRecord::from_folder(folder.path()).is_some_and(|found| found.complete) {
        // Its files are replaced now.
        folder.conclude(&record)?;
    }
    let summary = aggregate(sweep, folder)?;
    let complete = write_worst(sweep, folder, &summary.worst, options.jobs, control)?;
    folder.finish_row_sums()?;
    for name in sweep.definition().keys().map(String::as_str).chain([RUNS_CSV]) {
        folder.add_earlier_file(name)?;
    }
    let record = SweepRecord {
        runs: summary.runs,
        failed_runs: summary.failed_runs,
        infeasible_cells: summary.infeasible_cells,
        complete,
        reason: (!complete).then(|| "stopped".into()),
        files: folder.files(),
        ..record
    };
    folder.conclude(&record)?;
    Ok(SweepReport { complete, progress, summary })
}

fn with_counts(record: SweepRecord, progress: &SweepProgress) -> SweepRecord {
    SweepRecord {
        runs: progress.rows - progress.infeasible,
        failed_runs: progress.failed,
        infeasible_cells: progress.infeasible,
        ..record
    }
}

/// A whole table that does not match its checksums is gone on with from the first row that does not.
fn keep_if_true(folder: &RunFolder) -> Result<(), RunError> {
    let table = folder.path().join(RUNS_CSV);
    if !table.exists() || Matching::from_table(&table)?.is_whole {
        return Ok(());
    }
    let partial = partial_name(&table);
    folder.disk().rename(&table, &partial).map_err(|e| RunError::io("rename", &table, e))?;
    folder.sync()
}

/// The runs of the whole sweep, with the rows that the folder has already, and how many those are.
fn begin<'a>(
    sweep: &'a Sweep,
    folder: &RunFolder,
    options: &SweepOptions,
    control: &'a SweepControl<'a>,
) -> Result<(Sweeping<'a>, u64), RunError> {
    let partial = partial_name(&folder.path().join(RUNS_CSV));
    let mut past = Past::nothing(sweep, 0..sweep.runs_at_most(), options.jobs);
    if options.resume && partial.exists() {
        past.read(&partial, Matching::from_table(&partial)?.lines)?;
    }
    let found = past.progress.rows;
    let table = match past.whole_bytes {
        Some(bytes) => TableFile::resume(folder, RUNS_CSV, bytes, 1 + found)?,
        None => TableFile::create_with_sums(folder, RUNS_CSV, &header(sweep))?,
    };
    table.lock()?;
    folder.sync()?;
    Ok((Sweeping::new(past, table, control), found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::CellSetup;
    use crate::load;
    use sim_run::run_folder::RUN_JSON;
    use sim_run::{Control, RunKey, RunReport};
    use sim_world::StartError;
    use sim_worlds::WORLDS;
    use std::fs;
    use std::path::Path;

    const SWEEP: &str = r#"{ "name": "faults", "scenario": "tiny.json", "repeats": 4, "measures": [],
        "axes": [{ "path": "agents.count", "values": [2, 3] }] }"#;

    fn sweep(folder: &Path) -> Sweep {
        let scenario = r#"{ "name": "tiny", "world": "mat", "steps": 2, "agents": { "count": 2 } }"#;
        fs::write(folder.join("tiny.json"), scenario).unwrap();
        fs::write(folder.join("sweep.json"), SWEEP).unwrap();
        load(WORLDS, &folder.join("sweep.json")).unwrap()
    }

    /// Run 1 of each cell panics, run 2 fails; the others go on.
    fn faulty(setup: &CellSetup, key: RunKey, control: &Control<'_>) -> Result<RunReport, RunError> {
        match key.run_index {
            1 => panic!("a wheel, \"the left\",\nfell off"),
            2 => Err(RunError::Start(StartError("no space".into()))),
            _ => make_run(setup, key, control),
        }
    }

    #[test]
    fn runs_that_fail_are_rows_and_the_others_go_on() {
        let place = tempfile::tempdir().unwrap();
        let sweep = sweep(place.path());
        let mut tables = Vec::new();
        for jobs in [1, 3] {
            let out = place.path().join(format!("out-{jobs}"));
            let options = SweepOptions { out: out.clone(), jobs, ..SweepOptions::default() };
            let report = run_sweep_with(&sweep, &options, &SweepControl::none(), &faulty).unwrap();
            let SweepSummary { runs, clean_runs, failed_runs, .. } = report.summary;
            assert_eq!((runs, clean_runs, failed_runs), (8, 4, 4));
            let failures = fs::read_to_string(out.join("failures.csv")).unwrap();
            assert_eq!(
                failures.lines().nth(1),
                Some(
                    "1,0,1,1,1,2,\"the program failed: a wheel, \"\"the left\"\", fell off\",sim-cli run scenario.json --set \
                     agents.count=2 --run-index 1"
                )
            );
            assert!(failures.lines().nth(2).unwrap().contains(",the start could not be laid out: no space,"));
            let cells = fs::read_to_string(out.join("cells.csv")).unwrap();
            assert!(cells.lines().nth(1).unwrap().starts_with("0,2,done,4,2,2,0.5,"), "{cells}");
            tables.push([failures, cells, fs::read_to_string(out.join("runs.csv")).unwrap()]);
        }
        assert_eq!(tables[0], tables[1]);
    }

    #[test]
    fn a_stopped_sweep_is_marked_and_goes_on() {
        let place = tempfile::tempdir().unwrap();
        let sweep = sweep(place.path());
        let stop = std::sync::atomic::AtomicBool::new(false);
        let control = SweepControl { stop: &stop, ..SweepControl::none() };
        let options = SweepOptions { out: place.path().join("out"), jobs: 1, ..SweepOptions::default() };
        let stopping = |setup: &_, key: RunKey, control: &Control<'_>| {
            stop.store(key.run_index == 3, std::sync::atomic::Ordering::Relaxed);
            make_run(setup, key, control)
        };
        let report = run_sweep_with(&sweep, &options, &control, &stopping).unwrap();
        assert!(!report.complete && report.progress.rows == 3);
        let record = fs::read_to_string(options.out.join(RUN_JSON)).unwrap();
        assert!(record.contains("\"complete\": false") && record.contains("\"reason\": \"stopped\""), "{record}");
        assert!(!options.out.join("summary.csv").exists());
        let again = SweepOptions { resume: true, ..options.clone() };
        assert!(run_sweep(&sweep, &again, &SweepControl::none()).unwrap().complete);
        let whole = SweepOptions { out: place.path().join("whole"), ..options };
        run_sweep(&sweep, &whole, &SweepControl::none()).unwrap();
        let rows = |out: &Path| fs::read(out.join(RUNS_CSV)).unwrap();
        assert!(rows(&again.out) == rows(&whole.out));
    }
}
