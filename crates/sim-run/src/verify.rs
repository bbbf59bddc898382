//! Whether a folder of a run, a batch or a sweep is whole and as it was written.
//!
//! `run.json` has a checksum of itself, and the size and checksum of every finished file but `timing.json`, which holds the clock's
//! figures, and what is drawn from the others. `runs.csv` has a checksum for each row, and `rows.sums` one for each row of the other
//! tables.

use crate::checksum::FileSum;
use crate::run_folder::{RUN_JSON, RUNS_CSV, SHARDS, is_record_true, run_folder_name};
use crate::tables::sums::{Matching, ROWS_SUMS};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderFault {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it, as the end of a sentence; it names the row where there is one.
    pub message: String,
}

impl fmt::Display for FolderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.message)
    }
}

/// What was looked at, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Files that were compared with their checksums.
    pub files: u64,
    /// All that is wrong; empty for a folder that is whole and true.
    pub faults: Vec<FolderFault>,
}

/// What the records of all kinds of folders share.
#[derive(Deserialize)]
struct Record {
    complete: bool,
    reason: Option<String>,
    files: Option<BTreeMap<String, FileSum>>,
    #[serde(default)]
    run_folders: bool,
    #[serde(default)]
    first_run_index: u64,
    #[serde(default)]
    runs: u64,
}

/// Compares a folder, and those inside it, with their checksums.
#[must_use]
pub fn verify_folder(path: &Path) -> Verified {
    let mut verified = Verified::default();
    verified.folder(path);
    verified
}

impl Verified {
    fn fault(&mut self, file: PathBuf, message: impl Into<String>) {
        self.faults.push(FolderFault { file, message: message.into() });
    }

    fn folder(&mut self, path: &Path) {
        let Some(record) = self.record(path) else { return };
        if !record.complete {
            let reason = record.reason.unwrap_or_default();
            self.fault(path.join(RUN_JSON), format!("is of a folder that is not complete: {reason}"));
        }
        let files = record.files.unwrap_or_default();
        for name in files.keys() {
            let file = path.join(name);
            self.file(path, name, &files);
            // A part has a record of its own.
            if let (Some(part), Some(RUN_JSON)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) {
                self.folder(part);
            }
        }
        if record.run_folders {
            let runs = record.first_run_index..record.first_run_index.saturating_add(record.runs);
            runs.for_each(|index| self.folder(&path.join(run_folder_name(index))));
        }
        self.shards(&path.join(SHARDS));
    }

    fn record(&mut self, path: &Path) -> Option<Record> {
        let file = path.join(RUN_JSON);
        let read = fs::read_to_string(&file).map_err(|error| format!("cannot be read: {error}"));
        let parsed = read.and_then(|text| match serde_json::from_str::<Record>(&text) {
            Err(error) => Err(format!("is no record of a run, a batch or a sweep: {error}")),
            Ok(Record { files: None, .. }) => Err("lists no checksums: an older version wrote it".to_owned()),
            Ok(_) if !is_record_true(&text) => Err("does not match its checksum".to_owned()),
            Ok(record) => Ok(record),
        });
        self.files += 1;
        parsed.map_err(|message| self.fault(file, message)).ok()
    }

    fn file(&mut self, folder: &Path, name: &str, files: &BTreeMap<String, FileSum>) {
        self.files += 1;
        let (file, sum) = (folder.join(name), &files[name]);
        let is_true = match FileSum::from_file(&file) {
            Err(error) => return self.fault(file, format!("cannot be read: {error}")),
            Ok(found) => found == *sum,
        };
        let before = self.faults.len();
        if file.file_name().is_some_and(|name| name == RUNS_CSV) {
            self.rows(&file);
        }
        if is_true || self.faults.len() > before {
            return;
        }
        let message = match damaged_row(folder, name, files) {
            Some(place) => not_as_written(&place),
            None => format!("does not match its checksum; it had {} bytes", sum.bytes),
        };
        self.fault(file, message);
    }

    /// A table with checksums of its rows.
    fn rows(&mut self, table: &Path) {
        match Matching::from_table(table) {
            Err(error) => self.fault(table.to_path_buf(), error.to_string()),
            Ok(Matching { is_whole: true, .. }) => {}
            Ok(matching) => self.fault(table.to_path_buf(), not_as_written(&matching.place())),
        }
    }

    /// The parts of a sweep, where there are any.
    fn shards(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut shards: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        shards.retain(|path| path.extension().is_some_and(|ending| ending == "csv"));
        shards.sort();
        self.files += shards.len() as u64;
        shards.iter().for_each(|shard| self.rows(shard));
    }
}

fn not_as_written(place: &str) -> String {
    format!("{place} is missing or does not match its checksum")
}

/// The first damaged row of a damaged table, if the checksums of its rows are there and true.
fn damaged_row(folder: &Path, table: &str, files: &BTreeMap<String, FileSum>) -> Option<String> {
    let sums = folder.join(ROWS_SUMS);
    if FileSum::from_file(&sums).ok()? != *files.get(ROWS_SUMS)? {
        return None;
    }
    let matching = Matching::from_rows(&folder.join(table), &fs::read(sums).ok()?).ok()??;
    (!matching.is_whole).then(|| matching.place())
}
