//! The folder of a sweep: when it may be written, and whether it holds the sweep that is asked for.

use crate::cells::Sweep;
use crate::run::SweepOptions;
use serde::{Deserialize, Serialize};
use sim_run::checksum::{Checksum, FileSum};
use sim_run::differences::Differences;
use sim_run::disk::Access;
use sim_run::error::RunError;
use sim_run::partial::partial_name;
use sim_run::run_folder::{
    RUN_JSON, RUNS_CSV, RunFolder, SCENARIO_JSON, SWEEP_FORMAT, SWEEP_JSON, UNFINISHED, holds_run, inputs_named_in,
    record_text,
};
use sim_run::version;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// `run.json` of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepRecord {
    /// [`SWEEP_FORMAT`].
    pub format: String,
    /// Version of the simulator.
    pub version: String,
    /// Which build of it, 16 hexadecimal digits; empty if that was not known.
    pub build: String,
    /// Name of the sweep.
    pub sweep: String,
    /// Cells of its design.
    pub cells: u64,
    /// Runs whose row stands in `runs.csv`.
    pub runs: u64,
    /// Those that failed.
    pub failed_runs: u64,
    /// Cells that cannot be run.
    pub infeasible_cells: u64,
    /// True if all runs were made and every table is whole.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
    /// Finished files by name, the records of its worst runs among them; not the report, which is drawn from the others.
    #[serde(default)]
    pub files: BTreeMap<String, FileSum>,
}

/// Which build a program is: a hash of its file, 16 hexadecimal digits.
///
/// # Errors
/// If the file cannot be read.
pub fn build_of(program: &Path) -> Result<String, RunError> {
    let bytes = fs::read(program).map_err(|e| RunError::io("read", program, e))?;
    Ok(Checksum::from_bytes(&bytes).text())
}

impl SweepRecord {
    pub(super) fn new(sweep: &Sweep, build: &str) -> Self {
        Self {
            format: SWEEP_FORMAT.into(),
            version: version().into(),
            build: build.into(),
            sweep: sweep.name().into(),
            cells: sweep.cells(),
            runs: 0,
            failed_runs: 0,
            infeasible_cells: 0,
            complete: false,
            reason: Some(UNFINISHED.into()),
            files: BTreeMap::new(),
        }
    }

    /// The record of the sweep that a folder holds.
    pub(super) fn from_folder(path: &Path) -> Option<Self> {
        let record: Self = serde_json::from_slice(&fs::read(path.join(RUN_JSON)).ok()?).ok()?;
        (record.format == SWEEP_FORMAT).then_some(record)
    }
}

/// Claims a folder for a new sweep.
pub(super) fn claim(
    options: &SweepOptions,
    overwrite: bool,
    sweep: &Sweep,
    record: &SweepRecord,
) -> Result<RunFolder, RunError> {
    let inputs: Vec<String> = sweep.input_files().keys().cloned().collect();
    let folder = RunFolder::claim(&options.disk, &options.out, overwrite, &inputs)?;
    folder.write_record(record)?;
    // The inputs last: without the scenario, which names them, they would be a stranger's.
    let definition = sweep.definition();
    let (inputs, others): (Vec<_>, Vec<_>) =
        definition.iter().partition(|(name, _)| sweep.input_files().contains_key(*name));
    for files in [others, inputs] {
        files.into_iter().try_for_each(|(name, bytes)| folder.write(name, bytes))?;
        folder.sync()?;
    }
    Ok(folder)
}

/// Goes on with the sweep that a folder holds; begins it where there is none.
pub(super) fn resume(options: &SweepOptions, sweep: &Sweep, record: &SweepRecord) -> Result<RunFolder, RunError> {
    let path = &options.out;
    let folder = RunFolder::enter(&options.disk, path, Access::Alone)?;
    match SweepRecord::from_folder(path) {
        Some(found) if has_begun(path) => {
            refuse_other(path, sweep, record, &found)?;
            Ok(folder)
        }
        found => {
            drop(folder);
            claim(options, found.is_some(), sweep, record)
        }
    }
}

/// False if it was left before the files that define it were written, and so before its table.
fn has_begun(path: &Path) -> bool {
    let has_table = [path.join(RUNS_CSV), partial_name(&path.join(RUNS_CSV))].iter().any(|table| table.exists());
    let inputs = inputs_named_in(path);
    let mut definition = [SWEEP_JSON, SCENARIO_JSON].into_iter().chain(inputs.iter().map(String::as_str));
    has_table || definition.all(|name| path.join(name).exists())
}

/// The folder that the parts of a sweep share. Several processes may come to it at the same time; the one that puts the parts together
/// comes alone.
pub(super) fn join(
    options: &SweepOptions,
    access: Access,
    sweep: &Sweep,
    record: &SweepRecord,
) -> Result<RunFolder, RunError> {
    let path = &options.out;
    let folder = RunFolder::enter(&options.disk, path, access)?;
    // In this order: another part may put its record there between the two looks, and no part takes it away.
    if holds_run(path) {
        let found = SweepRecord::from_folder(path).ok_or_else(|| RunError::HoldsRun { path: path.to_path_buf() })?;
        refuse_other(path, sweep, record, &found)?;
        return Ok(folder);
    }
    sweep.definition().iter().try_for_each(|(name, bytes)| folder.write_among_others(name, bytes))?;
    folder.sync()?;
    // The record comes last: where it is, the others are.
    folder.write_among_others(RUN_JSON, record_text(record).as_bytes())?;
    folder.sync()?;
    Ok(folder)
}

/// Numbers of two sweeps, or of two programs, must not get into one table.
fn refuse_other(path: &Path, sweep: &Sweep, record: &SweepRecord, found: &SweepRecord) -> Result<(), RunError> {
    let mut differences = Differences::default();
    differences.value("the program's version", &found.version, &record.version);
    differences.value("the program's build", &found.build, &record.build);
    // The inputs last: a scenario without them differs too.
    for (name, wanted) in sweep.definition().iter().rev() {
        differences.file(&path.join(name), wanted)?;
    }
    differences.refuse(path, "sweep")
}
