//! The worst runs of a sweep, made once more with their near misses, so that a report can show them.

use crate::aggregate::WorstRun;
use crate::cells::Sweep;
use crate::progress::SweepControl;
use rayon::prelude::*;
use sim_run::RunOptions;
use sim_run::batch::{BatchOptions, run_batch};
use sim_run::error::RunError;
use sim_run::run_folder::{RUN_JSON, RunFolder, WORST, WORST_CSV, run_folder_name};
use sim_run::tables::file::TableFile;

/// Writes `worst.csv` and a folder for each of the runs. False if it was stopped.
pub(super) fn write_worst(
    sweep: &Sweep,
    folder: &RunFolder,
    worst: &[WorstRun],
    jobs: usize,
    control: &SweepControl<'_>,
) -> Result<bool, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.max(1))
        .build()
        .map_err(|e| RunError::Options(format!("{jobs} jobs cannot be started: {e}")))?;
    let made: Result<Vec<bool>, RunError> =
        pool.install(|| worst.par_iter().map(|run| make_again(sweep, folder, run, control)).collect());
    write_table(sweep, folder, worst)?;
    let made = made?;
    for run in worst {
        folder.add_earlier_file(&format!("{}/{RUN_JSON}", folder_name(sweep, run)))?;
    }
    Ok(made.into_iter().all(|complete| complete))
}

fn folder_name(sweep: &Sweep, run: &WorstRun) -> String {
    format!("{WORST}/{}", run_folder_name(sweep.run_number(run.cell, run.repeat)))
}

fn make_again(sweep: &Sweep, folder: &RunFolder, run: &WorstRun, control: &SweepControl<'_>) -> Result<bool, RunError> {
    let scenario = sweep.scenario(run.cell).map_err(RunError::Options)?;
    let options = RunOptions {
        overwrite: true,
        trace_every: None,
        disk: folder.disk().clone(),
        ..scenario.options(folder.path().join(folder_name(sweep, run)))
    };
    let index = sweep.run_index(run.cell, run.repeat);
    let batch = BatchOptions { run_indices: index..index + 1, jobs: 1 };
    let report = run_batch(&scenario.model, &options, &batch, &control.of_run())?;
    Ok(report.complete)
}

fn write_table(sweep: &Sweep, folder: &RunFolder, worst: &[WorstRun]) -> Result<(), RunError> {
    let axes: String = sweep.axis_paths().flat_map(|path| [path, ","]).collect();
    let ranking = sweep.kind().ranking().name();
    let header = format!("rank,run,cell,repeat,seed,run_index,{axes}clean,{ranking},folder,command");
    let mut table = TableFile::create(folder, WORST_CSV, &header)?;
    for (run, rank) in worst.iter().zip(1..) {
        let WorstRun { cell, repeat, .. } = *run;
        let line = table.row().integer(rank).integer(sweep.run_number(cell, repeat)).integer(cell).integer(repeat);
        let line = line.integer(sweep.seed()).integer(sweep.run_index(cell, repeat));
        let line = sweep.values(cell).iter().fold(line, |line, value| line.text(&value.to_string()));
        let line = line.number(f64::from(u8::from(run.is_clean))).number(run.ranking);
        line.text(&folder_name(sweep, run)).text(&sweep.command(cell, repeat)).end();
    }
    table.finish()
}
