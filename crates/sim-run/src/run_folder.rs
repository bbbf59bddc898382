//! The folder of a run on disk: what it is called, when it may be written, and the files that say what it is.
//!
//! A folder belongs to us if its `run.json` says so. Such a folder may be overwritten, file by file and by the names
//! below only: other files stay. Small files are written under a temporary name, synced and renamed;
//! `run.json` is the first file to come and the last to go, so that a folder that was left in a hurry is still known as
//! ours, and as not complete. Nothing is called complete before the disk has it.

use crate::checksum::{Checksum, FileSum};
use crate::disk::{Access, Disk, DiskFile, try_lock};
use crate::error::RunError;
use crate::partial::{create_unique, partial_name};
use crate::tables::sums::{ROWS_SUMS, ShortSums};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Format mark of `run.json` in the folder of one run.
pub const RUN_FORMAT: &str = "sim-run/1";
/// Format mark of `run.json` in the folder of a batch.
pub const BATCH_FORMAT: &str = "sim-batch/1";
/// Format mark of `run.json` in the folder of a sweep.
pub const SWEEP_FORMAT: &str = "sim-sweep/1";
/// Steps between two state hashes in `run.json`.
pub const HASH_EVERY: u64 = 600;

/// What a run is and how far it came.
pub const RUN_JSON: &str = "run.json";
/// The scenario with every default written out.
pub const SCENARIO_JSON: &str = "scenario.json";
/// Measures.
pub const SUMMARY_CSV: &str = "summary.csv";
/// Wall-clock figures.
pub const TIMING_JSON: &str = "timing.json";
/// The streams of the run with their columns, units and meanings.
pub const TABLES_JSON: &str = "tables.json";
/// How the run is drawn.
pub const VIEW_JSON: &str = "view.json";
/// One row a run of a batch or a sweep.
pub const RUNS_CSV: &str = "runs.csv";
/// Checksums of the rows of [`RUNS_CSV`].
pub const RUNS_CSV_SUMS: &str = "runs.csv.sums";

/// A sweep with every default written out.
pub const SWEEP_JSON: &str = "sweep.json";
/// One row a cell of a sweep.
pub const CELLS_CSV: &str = "cells.csv";
/// Cells of a sweep less their baselines.
pub const DIFFERENCES_CSV: &str = "differences.csv";
/// Rank correlations of axes and measures.
pub const CORRELATIONS_CSV: &str = "correlations.csv";
/// Runs of a sweep that failed.
pub const FAILURES_CSV: &str = "failures.csv";
/// Runs of a sweep with the smallest margins.
pub const WORST_CSV: &str = "worst.csv";
/// The report of a sweep.
pub const REPORT_HTML: &str = "report.html";
/// Folder of the plots of a report.
pub const PLOTS: &str = "plots";
/// Folder of the worst runs of a sweep.
pub const WORST: &str = "worst";
/// Folder of the parts of a sweep that was split.
pub const SHARDS: &str = "shards";

/// What is drawn of a run under these names unless the user chooses others: a page and a picture. They go with the run.
const DRAWN_FILES: [&str; 3] = ["replay.html", "compare.html", "frame.png"];

/// Every name that a run, a batch or a sweep writes beside the tables of its streams, `run.json` last.
const OUR_FILES: [&str; 16] = [
    SCENARIO_JSON,
    SWEEP_JSON,
    CELLS_CSV,
    DIFFERENCES_CSV,
    CORRELATIONS_CSV,
    FAILURES_CSV,
    WORST_CSV,
    REPORT_HTML,
    SUMMARY_CSV,
    RUNS_CSV,
    RUNS_CSV_SUMS,
    ROWS_SUMS,
    TIMING_JSON,
    TABLES_JSON,
    VIEW_JSON,
    RUN_JSON,
];

/// `run.json` of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// [`RUN_FORMAT`].
    pub format: String,
    /// Version of the simulator.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Kind of world.
    pub world: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Index of the run in its batch.
    pub run_index: u64,
    /// Steps that were asked for.
    pub steps: u64,
    /// Steps that were made.
    pub steps_done: u64,
    /// True if all steps were made and every table is whole.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
    /// Hash of the state after the last step, 16 hexadecimal digits.
    pub final_state_hash: Option<String>,
    /// Steps between two entries of `state_hashes`.
    pub state_hash_every: u64,
    /// Hashes of the state after steps `state_hash_every`, twice that, and so on.
    pub state_hashes: Vec<String>,
    /// Rows of live clients that were refused, by input stream.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused_inputs: BTreeMap<String, u64>,
    /// Finished files by name.
    #[serde(default)]
    pub files: BTreeMap<String, FileSum>,
}

/// `run.json` of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRecord {
    /// [`BATCH_FORMAT`].
    pub format: String,
    /// Version of the simulator.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Kind of world.
    pub world: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Index of the first run.
    pub first_run_index: u64,
    /// Runs that were asked for.
    pub runs: u64,
    /// Runs whose row stands in `runs.csv`.
    pub runs_done: u64,
    /// True if all runs were made.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
    /// Whether each run has a folder of its own.
    #[serde(default)]
    pub run_folders: bool,
    /// Finished files by name; those of runs with folders stand in their own records.
    #[serde(default)]
    pub files: BTreeMap<String, FileSum>,
}

/// Reason that stands in `run.json` from the start, for a run that is killed without a word.
pub const UNFINISHED: &str = "not finished: still going on, or killed";

/// A folder that this process may fill. As long as it lives, no other process may: the folder itself is locked.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    disk: Disk,
    /// The folder, opened and locked, where folders can be.
    _lock: Option<Arc<File>>,
    /// Files that this process has finished in the folder.
    files: Arc<Mutex<BTreeMap<String, FileSum>>>,
    /// Checksums of the rows of its tables.
    row_sums: Arc<Mutex<ShortSums>>,
}

impl RunFolder {
    /// Makes the folder, or takes one that is free. With `overwrite`, a run that it holds is removed first.
    ///
    /// # Errors
    /// If another process is writing there; [`RunError::HoldsRun`] without `overwrite`; [`RunError::InTheWay`] if it holds no run but a
    /// file of one of our names, or of one of `tables`; [`RunError::Io`] if it cannot be made or cleared.
    pub fn claim(disk: &Disk, path: &Path, overwrite: bool, tables: &[String]) -> Result<Self, RunError> {
        let folder = Self::enter(disk, path, Access::Alone)?;
        if holds_run(path) {
            if !overwrite {
                return Err(RunError::HoldsRun { path: path.to_path_buf() });
            }
            folder.remove_run(path)?;
        }
        let mut names = OUR_FILES.into_iter().chain(tables.iter().map(String::as_str));
        if let Some(name) = names.find(|name| path.join(name).exists()) {
            return Err(RunError::InTheWay { path: path.join(name) });
        }
        Ok(folder)
    }

    /// A folder that is known to be ours, or empty. It is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made, or another process is writing there.
    pub fn enter(disk: &Disk, path: &Path, access: Access) -> Result<Self, RunError> {
        disk.create_folder(path).map_err(|e| RunError::io("create", path, e))?;
        let lock = File::open(path).ok();
        if lock.as_ref().is_some_and(|folder| !try_lock(folder, access)) {
            return Err(RunError::in_use(path));
        }
        Ok(Self {
            path: path.to_path_buf(),
            disk: disk.clone(),
            _lock: lock.map(Arc::new),
            files: Arc::default(),
            row_sums: Arc::default(),
        })
    }

    /// A folder inside this one, for the same processes.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn inside(&self, name: &str) -> Result<Self, RunError> {
        let path = self.path.join(name);
        self.disk.create_folder(&path).map_err(|e| RunError::io("create", &path, e))?;
        Ok(Self { path, files: Arc::default(), row_sums: Arc::default(), ..self.clone() })
    }

    /// The way to the disk.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Waits until the disk has the names of all files that were written.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn sync(&self) -> Result<(), RunError> {
        self.disk.sync_folder(&self.path).map_err(|e| RunError::io("sync", &self.path, e))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a small file under a temporary name and gives it its own.
    ///
    /// # Errors
    /// If it cannot be written or renamed.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path.join(name);
        let partial = partial_name(&path);
        self.disk.create(&partial).and_then(|file| write_synced(file, bytes)).map_err(|e| {
            // What came to be written of it is of no use, and its space may be wanted.
            let _ = self.disk.remove(&partial);
            RunError::io("write", &path, e)
        })?;
        self.rename(&partial, name)?;
        self.add_file(name, Checksum::from_bytes(bytes).file_sum());
        Ok(())
    }

    /// As [`RunFolder::write`], where other processes may write the same bytes under that name at the same time.
    ///
    /// # Errors
    /// As [`RunFolder::write`].
    pub fn write_among_others(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let (file, partial) = create_unique(&self.disk, &self.path.join(name))?;
        write_synced(file, bytes).map_err(|e| RunError::io("write", &partial, e))?;
        self.rename(&partial, name)
    }

    /// Gives a file, whose bytes the disk has, its name in this folder.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn rename(&self, from: &Path, name: &str) -> Result<(), RunError> {
        self.disk.rename(from, &self.path.join(name)).map_err(|e| RunError::io("rename", from, e))
    }

    /// Writes a value as indented JSON.
    ///
    /// # Errors
    /// As [`RunFolder::write`].
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), RunError> {
        let mut bytes = serde_json::to_vec_pretty(value)
            .map_err(|e| RunError::io("write", &self.path.join(name), io::Error::other(e)))?;
        bytes.push(b'\n');
        self.write(name, &bytes)
    }

    /// The files that were finished, by name. `run.json` and `timing.json` are not among them: the first has the list, and the second
    /// depends on the clock.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, FileSum> {
        let mut files = self.finished().clone();
        files.retain(|name, _| ![RUN_JSON, TIMING_JSON].contains(&name.as_str()));
        files
    }

    /// Adds a finished file to the list.
    pub fn add_file(&self, name: &str, sum: FileSum) {
        self.finished().insert(name.to_owned(), sum);
    }

    /// Adds a file to the list that an earlier process has finished.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn add_earlier_file(&self, name: &str) -> Result<(), RunError> {
        let path = self.path.join(name);
        let sum = FileSum::from_file(&path).map_err(|e| RunError::io("read", &path, e))?;
        self.add_file(name, sum);
        Ok(())
    }

    fn finished(&self) -> MutexGuard<'_, BTreeMap<String, FileSum>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the checksums of the next lines of a table to the file of all of them.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub(crate) fn add_row_sums(&self, table: &str, digits: &[u8]) -> Result<(), RunError> {
        if digits.is_empty() {
            return Ok(());
        }
        self.row_sums().add((&self.disk, &self.path), table, digits)
    }

    /// Makes the checksums of the lines of a table void, for a table that is written again.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub(crate) fn void_row_sums(&self, table: &str) -> Result<(), RunError> {
        self.row_sums().void((&self.disk, &self.path), table)
    }

    fn row_sums(&self) -> MutexGuard<'_, ShortSums> {
        self.row_sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the file of the checksums of all rows, after the last table.
    ///
    /// # Errors
    /// If it cannot be written or renamed.
    pub fn finish_row_sums(&self) -> Result<(), RunError> {
        let row_sums = std::mem::take(&mut *self.row_sums());
        if row_sums.is_empty() {
            return Ok(());
        }
        let (partial, sum) = row_sums.finish(&self.disk, &self.path)?;
        self.rename(&partial, ROWS_SUMS)?;
        self.add_file(ROWS_SUMS, sum);
        Ok(())
    }

    /// Writes `run.json`; its last line is a checksum of those before.
    ///
    /// # Errors
    /// As [`RunFolder::write`].
    pub fn write_record(&self, record: &impl Serialize) -> Result<(), RunError> {
        self.write(RUN_JSON, record_text(record).as_bytes())
    }

    /// Writes `run.json` once the disk has all that it rests on, and waits until the disk has it too.
    ///
    /// # Errors
    /// As [`RunFolder::write`], and if the disk does not take the names.
    pub fn conclude(&self, record: &impl Serialize) -> Result<(), RunError> {
        self.sync()?;
        self.write_record(record)?;
        self.sync()
    }
}

/// What stands before the checksum of a record, and after it.
const CHECKSUM_KEY: &str = ",\n  \"checksum\": \"";
const RECORD_END: &str = "\"\n}\n";

/// The text of a record's `run.json`, with its checksum.
#[must_use]
pub fn record_text(record: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(record).expect("a record always serialises into memory");
    let members = text.trim_end_matches("\n}");
    format!("{members}{CHECKSUM_KEY}{}{RECORD_END}", Checksum::from_bytes(members.as_bytes()).text())
}

/// True if the text of a `run.json` matches its checksum.
#[must_use]
pub fn is_record_true(text: &str) -> bool {
    let parts = text.strip_suffix(RECORD_END).and_then(|text| text.rsplit_once(CHECKSUM_KEY));
    parts.is_some_and(|(members, checksum)| Checksum::from_bytes(members.as_bytes()).text() == checksum)
}

fn write_synced(mut file: DiskFile, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync()
}

/// What names of files of inputs begin with.
const INPUTS: &str = "inputs-";

/// Name of the file of an input stream.
#[must_use]
pub fn input_file_name(stream: &str) -> String {
    format!("{INPUTS}{stream}.csv")
}

/// The input stream whose file has this name; none if it is another file.
#[must_use]
pub fn stream_of_input_file(name: &str) -> Option<&str> {
    name.strip_prefix(INPUTS)?.strip_suffix(".csv")
}

/// Name of a run's folder inside its batch.
#[must_use]
pub fn run_folder_name(run_index: u64) -> String {
    format!("run-{run_index:05}")
}

fn is_run_folder_name(name: &str) -> bool {
    name.strip_prefix("run-").is_some_and(|digits| digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// True if the folder's `run.json` carries one of our format marks.
#[must_use]
pub fn holds_run(path: &Path) -> bool {
    format_mark(path).is_some_and(|mark| [RUN_FORMAT, BATCH_FORMAT, SWEEP_FORMAT].contains(&mark.as_str()))
}

/// True if the folder holds a batch.
#[must_use]
pub fn holds_batch(path: &Path) -> bool {
    format_mark(path).is_some_and(|mark| mark == BATCH_FORMAT)
}

/// True if the folder holds a sweep.
#[must_use]
pub fn holds_sweep(path: &Path) -> bool {
    format_mark(path).is_some_and(|mark| mark == SWEEP_FORMAT)
}

fn format_mark(path: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Mark {
        format: String,
    }
    let bytes = fs::read(path.join(RUN_JSON)).ok()?;
    serde_json::from_slice::<Mark>(&bytes).ok().map(|mark| mark.format)
}

/// Removal, by the names of what runs, batches and sweeps write; anything else stays.
impl RunFolder {
    fn remove_run(&self, path: &Path) -> Result<(), RunError> {
        match format_mark(path).as_deref() {
            Some(BATCH_FORMAT) => self.remove_runs_in(path)?,
            Some(SWEEP_FORMAT) => self.remove_parts_of_sweep(path)?,
            _ => {}
        }
        // `tables.json` and `scenario.json` name the tables, so they go after them, and `run.json` after all: it says whose the others are.
        let [others @ .., record] = &OUR_FILES;
        let tables: Vec<String> = tables_in(path).into_iter().chain(inputs_named_in(path)).collect();
        self.remove_files(path, tables.iter().map(String::as_str))?;
        self.remove_files(path, DRAWN_FILES.into_iter().chain(others.iter().copied()))?;
        self.remove(&partial_name(&path.join(record)))?;
        self.remove(&path.join(record))
    }

    fn remove_runs_in(&self, path: &Path) -> Result<(), RunError> {
        for run in run_folders(path)? {
            self.remove_run(&run)?;
            // It stays if it holds other files.
            let _ = self.disk.remove_folder(&run);
        }
        Ok(())
    }

    /// The folders inside a sweep's: its worst runs, its plots and its parts.
    fn remove_parts_of_sweep(&self, path: &Path) -> Result<(), RunError> {
        let worst = path.join(WORST);
        if worst.is_dir() {
            self.remove_runs_in(&worst)?;
            let _ = self.disk.remove_folder(&worst);
        }
        for (folder, ending) in [(PLOTS, "svg"), (SHARDS, "csv"), (SHARDS, "sums")] {
            let folder = path.join(folder);
            let files = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
            for file in files.filter(|file| file.extension().is_some_and(|found| found == ending)) {
                self.remove(&file)?;
            }
            let _ = self.disk.remove_folder(&folder);
        }
        Ok(())
    }

    /// Files and what there is of them under partial names; once this returns, no loss of power brings them back.
    fn remove_files<'a>(&self, path: &Path, names: impl Iterator<Item = &'a str>) -> Result<(), RunError> {
        for file in names.map(|name| path.join(name)) {
            let partial = partial_name(&file);
            self.remove(&partial_name(&partial))?;
            self.remove(&partial)?;
            self.remove(&file)?;
        }
        self.disk.sync_folder(path).map_err(|e| RunError::io("sync", path, e))
    }

    fn remove(&self, file: &Path) -> Result<(), RunError> {
        self.disk.remove(file).map_err(|e| RunError::io("remove", file, e))
    }
}

/// The tables of the streams that a folder describes. Only plain file names count, whatever the file says.
fn tables_in(path: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Tables {
        streams: Vec<Name>,
        #[serde(default)]
        inputs: Vec<Name>,
    }
    #[derive(Deserialize)]
    struct Name {
        name: String,
    }
    let tables = fs::read(path.join(TABLES_JSON)).ok().and_then(|bytes| serde_json::from_slice::<Tables>(&bytes).ok());
    let Some(Tables { streams, inputs }) = tables else { return Vec::new() };
    let outputs =
        streams.into_iter().filter(|stream| is_plain(&stream.name)).map(|stream| format!("{}.csv", stream.name));
    let inputs = inputs.into_iter().filter(|stream| is_plain(&stream.name)).map(|stream| input_file_name(&stream.name));
    outputs.chain(inputs).collect()
}

/// The files of inputs in a folder that its scenario names: only those that are called as a run calls them.
#[must_use]
pub fn inputs_named_in(path: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Scenario {
        #[serde(default)]
        inputs: BTreeMap<String, String>,
    }
    let scenario = fs::read(path.join(SCENARIO_JSON)).ok();
    let named = scenario.and_then(|bytes| serde_json::from_slice::<Scenario>(&bytes).ok());
    let inputs = named.map(|Scenario { inputs }| inputs).unwrap_or_default();
    inputs
        .into_iter()
        .filter(|(stream, file)| is_plain(stream) && *file == input_file_name(stream))
        .map(|(_, file)| file)
        .collect()
}

/// True for a plain name of a stream: what a folder says never leads out of it.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn run_folders(path: &Path) -> Result<Vec<PathBuf>, RunError> {
    let entries = fs::read_dir(path).map_err(|e| RunError::io("read", path, e))?;
    let mut runs: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|e| e.file_name().to_str().is_some_and(is_run_folder_name))
        .map(|e| e.path())
        .filter(|p| holds_run(p))
        .collect();
    runs.sort();
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(complete: bool) -> RunRecord {
        RunRecord {
            format: RUN_FORMAT.into(),
            version: "0.0.0".into(),
            scenario: "s".into(),
            world: "mat".into(),
            seed: 1,
            run_index: 0,
            steps: 10,
            steps_done: 10,
            complete,
            reason: None,
            final_state_hash: Some(crate::checksum::hash_text(255)),
            state_hash_every: HASH_EVERY,
            state_hashes: vec![],
            refused_inputs: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }

    #[test]
    fn a_new_folder_is_made_with_its_parents() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("out/deep/run");
        RunFolder::claim(&Disk::default(), &path, false, &[]).unwrap();
        assert!(path.is_dir());
    }

    #[test]
    fn a_run_is_only_overwritten_when_allowed_and_foreign_files_stay() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::claim(&Disk::default(), root.path(), false, &[]).unwrap();
        folder.write_json(RUN_JSON, &record(false)).unwrap();
        folder.write(TABLES_JSON, br#"{"streams":[{"name":"agents"},{"name":"../notes"}]}"#).unwrap();
        folder.write("agents.csv", b"old").unwrap();
        fs::write(root.path().join("agents.csv.partial"), "old").unwrap();
        fs::write(root.path().join("notes.txt"), "mine").unwrap();

        drop(folder);
        let refused = RunFolder::claim(&Disk::default(), root.path(), false, &[]).unwrap_err();
        assert!(matches!(refused, RunError::HoldsRun { .. }) && refused.is_input());
        assert!(root.path().join("agents.csv").exists());

        RunFolder::claim(&Disk::default(), root.path(), true, &[]).unwrap();
        let left: Vec<_> = fs::read_dir(root.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["notes.txt"]);
    }

    #[test]
    fn a_file_of_our_name_in_a_folder_without_a_run_is_never_touched() {
        for json in [None, Some("{}"), Some("not json"), Some("{\"format\":\"other/1\"}")] {
            let root = tempfile::tempdir().unwrap();
            fs::write(root.path().join(SUMMARY_CSV), "mine").unwrap();
            if let Some(text) = json {
                fs::write(root.path().join(RUN_JSON), text).unwrap();
            }
            let refused = RunFolder::claim(&Disk::default(), root.path(), true, &[]).unwrap_err();
            assert!(matches!(refused, RunError::InTheWay { .. }), "{refused}");
            assert_eq!(fs::read_to_string(root.path().join(SUMMARY_CSV)).unwrap(), "mine");
        }
    }

    #[test]
    fn overwriting_a_batch_removes_its_runs_and_spares_folders_that_only_look_alike() {
        let root = tempfile::tempdir().unwrap();
        let batch = RunFolder::claim(&Disk::default(), root.path(), false, &[]).unwrap();
        batch.write(RUN_JSON, b"{\"format\":\"sim-batch/1\"}").unwrap();
        for index in 0..3 {
            let run =
                RunFolder::claim(&Disk::default(), &batch.path().join(run_folder_name(index)), false, &[]).unwrap();
            run.write_json(RUN_JSON, &record(true)).unwrap();
            run.write(SUMMARY_CSV, b"old").unwrap();
        }
        fs::write(root.path().join("run-00002/picture.png"), "mine").unwrap();
        fs::create_dir(root.path().join("run-away")).unwrap();
        fs::write(root.path().join("run-away/feet.csv"), "mine").unwrap();

        drop(batch);
        RunFolder::claim(&Disk::default(), root.path(), true, &[]).unwrap();
        assert!(!root.path().join("run-00000").exists());
        assert!(!root.path().join("run-00002/summary.csv").exists());
        assert!(root.path().join("run-00002/picture.png").exists());
        assert!(root.path().join("run-away/feet.csv").exists());
    }

    #[test]
    fn a_folder_is_refused_as_long_as_another_fills_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        let disk = Disk::default();
        let folder = RunFolder::claim(&disk, &path, false, &[]).unwrap();
        folder.write_json(RUN_JSON, &record(false)).unwrap();
        let held = folder.clone();
        drop(folder);
        for overwrite in [false, true] {
            let refused = RunFolder::claim(&disk, &path, overwrite, &[]).unwrap_err();
            assert!(refused.is_input());
            assert_eq!(refused.to_string(), format!("another program is writing {}", path.display()));
        }
        assert!(RunFolder::enter(&disk, &path, Access::Shared).is_err());
        assert!(path.join(RUN_JSON).exists());
        drop(held);
        let shared = [(); 2].map(|()| RunFolder::enter(&disk, &path, Access::Shared).unwrap());
        assert!(RunFolder::claim(&disk, &path, true, &[]).is_err());
        drop(shared);
        RunFolder::claim(&disk, &path, true, &[]).unwrap();
    }

    #[test]
    fn a_record_reads_back_and_the_temporary_name_is_gone() {
        let root = tempfile::tempdir().unwrap();
        let folder = RunFolder::claim(&Disk::default(), root.path(), false, &[]).unwrap();
        folder.write_record(&record(true)).unwrap();
        let bytes = fs::read(root.path().join(RUN_JSON)).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(is_record_true(&text));
        for place in 0..text.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1;
            assert!(!String::from_utf8(flipped).is_ok_and(|text| is_record_true(&text)), "{place}");
            assert!(!is_record_true(&text[..place]));
        }
        assert_eq!(serde_json::from_slice::<RunRecord>(&bytes).unwrap(), record(true));
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
        assert!(String::from_utf8(bytes).unwrap().contains("00000000000000ff"));
    }

    #[test]
    fn a_file_where_the_folder_should_be_is_an_io_error_that_names_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("taken");
        fs::write(&path, "mine").unwrap();
        let error = RunFolder::claim(&Disk::default(), &path, true, &[]).unwrap_err();
        assert!(error.to_string().starts_with(&format!("could not create {}", path.display())), "{error}");
    }
}
