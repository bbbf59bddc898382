//! Going on with a batch that was cut short: which of its runs are whole, and their results as its tables have them.

use crate::differences::Differences;
use crate::disk::Access;
use crate::error::RunError;
use crate::partial::partial_name;
use crate::report::{RefusedRows, RunReport};
use crate::run::RunOptions;
use crate::run_folder::{BATCH_FORMAT, BatchRecord, RUN_JSON, RUNS_CSV, RunFolder, RunRecord, SCENARIO_JSON};
use crate::run_folder::{holds_run, run_folder_name};
use crate::tables::file::TableFile;
use crate::tables::streams::{header, table_name};
use crate::tables::sums::Matching;
use crate::timing::{StepTimes, Timing};
use serde::de::DeserializeOwned;
use sim_core::measure::{Measure, Metric};
use sim_world::{Model, Stream};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The runs of a batch that its folder has already, from its first one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Past {
    /// How many.
    pub runs: u64,
    /// Bytes of `runs.csv` up to the end of the row of the last one.
    pub bytes: u64,
    /// True if these are all, and nothing is left to do.
    pub is_complete: bool,
}

/// The batch that is to be gone on with.
pub(crate) struct Wanted<'a> {
    /// Its model.
    pub model: &'a dyn Model,
    /// How it is written.
    pub options: &'a RunOptions,
    /// Its record before the first run.
    pub record: &'a BatchRecord,
    /// Its tables of the streams at the end.
    pub end_streams: &'a [Stream],
    /// The text of its `scenario.json`.
    pub scenario_json: String,
}

/// The folder of the batch and the runs that it has; none in a new or empty folder, and where no run is whole.
///
/// # Errors
/// If it holds anything else, naming what differs, or cannot be read.
pub(crate) fn reopen(path: &Path, wanted: &Wanted<'_>) -> Result<Option<(RunFolder, Past)>, RunError> {
    let folder = RunFolder::enter(&wanted.options.disk, path, Access::Alone)?;
    if !holds_run(path) {
        return Ok(None);
    }
    let found: Option<BatchRecord> = record_in(path);
    let found = found.filter(|found| found.format == BATCH_FORMAT);
    let found = found.ok_or_else(|| RunError::HoldsRun { path: path.to_path_buf() })?;
    // It comes before the first run.
    if path.join(SCENARIO_JSON).exists() {
        refuse_other(path, wanted, &found)?;
    }
    let record = wanted.record;
    let Some(mut rows) = Rows::open(path, wanted.model, record)? else { return Ok(None) };
    let mut most = record.runs;
    for stream in wanted.end_streams {
        most = most.min(runs_kept_by(&path.join(table_name(stream)), record.first_run_index)?);
    }
    let mut past = Past::default();
    while past.runs < most {
        let Some(report) = rows.next()?.filter(|report| !record.run_folders || is_whole(path, report)) else { break };
        past = Past { runs: report.run_index - record.first_run_index + 1, bytes: rows.bytes, is_complete: false };
    }
    past.is_complete = found.complete && past.runs == record.runs;
    Ok((past.runs > 0).then_some((folder, past)))
}

/// Runs whose rows in a table of a stream at the end are whole: those before the last one in it. After a loss of power the table may end
/// earlier than `runs.csv`, anywhere; one that has its name is whole.
fn runs_kept_by(table: &Path, first_run: u64) -> Result<u64, RunError> {
    let partial = partial_name(table);
    if table.exists() {
        return Ok(u64::MAX);
    }
    let Ok(file) = File::open(&partial) else { return Ok(0) };
    let (mut reader, mut line, mut last) = (BufReader::new(file), Vec::new(), first_run);
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(|e| RunError::io("read", &partial, e))?;
        match run_of(&line).filter(|run| *run >= last) {
            Some(run) => last = run,
            // The header.
            None if line.starts_with(b"run,") => {}
            None => return Ok(last - first_run),
        }
    }
}

/// The run that a row of a table of a batch belongs to.
fn run_of(line: &[u8]) -> Option<u64> {
    std::str::from_utf8(line).ok()?.split(',').next()?.parse().ok()
}

fn refuse_other(path: &Path, wanted: &Wanted<'_>, found: &BatchRecord) -> Result<(), RunError> {
    let Wanted { model, options, record, scenario_json, .. } = wanted;
    let mut differences = Differences::default();
    differences.value("the program's version", &found.version, &record.version);
    differences.value("the index of the first run", &found.first_run_index, &record.first_run_index);
    differences.value("the number of runs", &found.runs, &record.runs);
    let folders = |record: &BatchRecord| if record.run_folders { "written" } else { "left out" };
    differences.value("what becomes of the tables of single runs", &folders(found), &folders(record));
    for (name, wanted) in options.inputs.files_up_to(*model, model.info().steps) {
        differences.file(&path.join(name), &wanted)?;
    }
    differences.file(&path.join(SCENARIO_JSON), scenario_json.as_bytes())?;
    differences.refuse(path, "batch")
}

fn record_in<T: DeserializeOwned>(folder: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(folder.join(RUN_JSON)).ok()?).ok()
}

/// True if the folder of a run of the batch is whole.
fn is_whole(batch: &Path, report: &RunReport) -> bool {
    let record: Option<RunRecord> = record_in(&batch.join(run_folder_name(report.run_index)));
    record.is_some_and(|record| record.complete)
}

/// The results of runs, read back from the rows of `runs.csv` that match their checksums.
pub(crate) struct Rows<'a> {
    reader: BufReader<File>,
    path: PathBuf,
    model: &'a dyn Model,
    seed: u64,
    next_run: u64,
    /// Lines that are left.
    lines: u64,
    /// Bytes up to the end of the last row that was read.
    pub bytes: u64,
}

impl<'a> Rows<'a> {
    /// The table of a batch, whole or partial; none if there is none with this header.
    pub fn open(folder: &Path, model: &'a dyn Model, record: &BatchRecord) -> Result<Option<Self>, RunError> {
        let whole = folder.join(RUNS_CSV);
        let path = if whole.exists() { whole } else { partial_name(&whole) };
        if !path.exists() {
            return Ok(None);
        }
        let lines = Matching::from_table(&path)?.lines;
        let file = File::open(&path).map_err(|e| RunError::io("read", &path, e))?;
        let (reader, seed, next_run) = (BufReader::new(file), record.seed, record.first_run_index);
        let mut rows = Self { reader, path, model, seed, next_run, lines, bytes: 0 };
        let names: Vec<&str> = model.kind().measures().iter().map(|measure| measure.name).collect();
        let wanted = format!("run,seed,{}\n", names.join(","));
        Ok(rows.line()?.filter(|header| *header == wanted).map(|_| rows))
    }

    /// The result of the next run; none after the last one that is whole.
    pub fn next(&mut self) -> Result<Option<RunReport>, RunError> {
        let bytes = self.bytes;
        let report = self.line()?.and_then(|line| self.report(&line));
        match &report {
            Some(_) => self.next_run += 1,
            None => self.bytes = bytes,
        }
        Ok(report)
    }

    fn line(&mut self) -> Result<Option<String>, RunError> {
        if self.lines == 0 {
            return Ok(None);
        }
        let mut line = String::new();
        let read = self.reader.read_line(&mut line).map_err(|e| RunError::io("read", &self.path, e))?;
        self.lines -= 1;
        self.bytes += read as u64;
        Ok(Some(line))
    }

    fn report(&self, line: &str) -> Option<RunReport> {
        let mut cells = line.strip_suffix('\n')?.split(',');
        let is_next = cells.next()?.parse() == Ok(self.next_run) && cells.next()?.parse() == Ok(self.seed);
        let kind = self.model.kind();
        let mut metric = |measure: &Measure| {
            let value = match cells.next()? {
                "" => f64::NAN,
                cell => cell.parse().ok()?,
            };
            Some(measure.metric(value, self.model.limit(measure)))
        };
        let metrics: Vec<Metric> = kind.measures().iter().map(&mut metric).collect::<Option<_>>()?;
        (is_next && cells.next().is_none()).then(|| RunReport {
            run_index: self.next_run,
            steps_done: self.model.info().steps,
            complete: true,
            final_state_hash: 0,
            state_hashes: Vec::new(),
            ranking: kind.ranking().value(&metrics),
            metrics,
            timing: Timing::new(0, 0, 0.0, &StepTimes::default()),
            times: StepTimes::default(),
            refused: RefusedRows::default(),
            end_lines: Vec::new(),
        })
    }
}

/// Opens the tables of the streams at the end after the rows of the past runs. Their short checksums are added as these runs added them:
/// run by run, each time for all tables.
pub(crate) fn reopen_end_tables(
    folder: &RunFolder,
    streams: &[Stream],
    (first_run, past): (u64, &Past),
) -> Result<Vec<TableFile>, RunError> {
    let (mut tables, mut added) = (Vec::new(), Vec::new());
    for stream in streams {
        let (name, header) = (table_name(stream), header(stream));
        rename_to_partial(folder, &name)?;
        // The header is the first group, the rows of each run are one.
        let group_of = |line: &[u8]| {
            if line.strip_suffix(b"\n") == Some(header.as_bytes()) {
                return Some(0);
            }
            run_of(line)?.checked_sub(first_run).filter(|run| *run < past.runs).map(|run| run + 1)
        };
        let (table, groups) = TableFile::resume_by_groups(folder, &name, group_of)?;
        if groups.first().is_none_or(|(group, _)| *group != 0) {
            let path = folder.path().join(name).display().to_string();
            return Err(RunError::Options(format!("{path} has lost its header; --overwrite makes the batch again")));
        }
        added.extend(groups.into_iter().map(|(group, digits)| (group, name.clone(), digits)));
        tables.push(table);
    }
    // Stable: tables of one group stay in the order of their streams.
    added.sort_by_key(|(group, ..)| *group);
    added.iter().try_for_each(|(_, name, digits)| folder.add_row_sums(name, digits))?;
    Ok(tables)
}

/// A table that has its name already gets its partial one, under which it is gone on with.
pub(crate) fn rename_to_partial(folder: &RunFolder, name: &str) -> Result<(), RunError> {
    let whole = folder.path().join(name);
    if !whole.exists() {
        return Ok(());
    }
    folder.disk().rename(&whole, &partial_name(&whole)).map_err(|e| RunError::io("rename", &whole, e))
}
