//! What a folder is, and under which name a file lies in it.

use super::error::FolderError;
use super::record::{BATCH_FORMAT, RUN_FORMAT, RUN_JSON, SWEEP_FORMAT};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What lies in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One run.
    Run,
    /// A batch of runs.
    Batch,
    /// A sweep: batches over a range of settings.
    Sweep,
}

/// Says what lies in a folder, by its `run.json`.
///
/// # Errors
/// If there is no folder, no `run.json`, or a format that this version does not know.
pub fn kind_of(path: &Path) -> Result<Kind, FolderError> {
    #[derive(Deserialize)]
    struct Mark {
        format: String,
    }
    if path.is_file() {
        return Err(FolderError::NotAFolder { path: path.to_path_buf() });
    }
    if !path.is_dir() {
        return Err(FolderError::NoFolder { path: path.to_path_buf() });
    }
    let run_json = path.join(RUN_JSON);
    if !run_json.exists() {
        return Err(FolderError::NoRun { path: path.to_path_buf() });
    }
    let Mark { format } = read_json(&run_json)?;
    match format.as_str() {
        RUN_FORMAT => Ok(Kind::Run),
        BATCH_FORMAT => Ok(Kind::Batch),
        SWEEP_FORMAT => Ok(Kind::Sweep),
        other => {
            let family = other.split('/').next().unwrap_or_default();
            let ours = [BATCH_FORMAT, SWEEP_FORMAT].into_iter().find(|format| format.split('/').next() == Some(family));
            let known = ours.unwrap_or(RUN_FORMAT);
            Err(FolderError::Format { path: run_json, format: other.to_owned(), known })
        }
    }
}

/// A file as it lies in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located {
    pub path: PathBuf,
    /// True if it goes by its partial name.
    pub is_partial: bool,
}

/// Finds `name`, or the partial table of that name. A whole table counts more than a partial one beside it.
pub(super) fn locate(folder: &Path, name: &str) -> Option<Located> {
    let whole = folder.join(name);
    if whole.is_file() {
        return Some(Located { path: whole, is_partial: false });
    }
    let partial = folder.join(format!("{name}.partial"));
    partial.is_file().then_some(Located { path: partial, is_partial: true })
}

/// Reads a file as text; one that is missing is an error of its own.
pub(super) fn read_text(path: &Path) -> Result<String, FolderError> {
    fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => FolderError::MissingFile { path: path.to_path_buf(), why: String::new() },
        _ => FolderError::read(path, error),
    })
}

pub(super) fn parse_json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, FolderError> {
    serde_json::from_str(text).map_err(|source| FolderError::Json { path: path.to_path_buf(), source })
}

pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, FolderError> {
    parse_json(path, &read_text(path)?)
}
