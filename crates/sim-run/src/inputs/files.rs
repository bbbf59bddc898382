//! Files of inputs on the disk.

use crate::partial::{PARTIAL_SUFFIX, partial_name};
use crate::run_folder::{RUN_JSON, stream_of_input_file};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Largest file of inputs, bytes. The wishes of 30 robots at each of 60 steps a second fill it in about 50 minutes.
pub(crate) const MAX_INPUT_BYTES: u64 = 256 << 20;

/// A file of inputs.
#[derive(Debug)]
pub(crate) struct InputFile {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// Steps that its run made, if that run did not reach its last step.
    pub cut_after: Option<u64>,
}

impl InputFile {
    /// Reads a file or, where there is none, the partial one of a run that did not reach its last step.
    ///
    /// # Errors
    /// Why it cannot be read, as a clause that follows its name.
    pub fn read(path: PathBuf) -> Result<Self, String> {
        let partial = partial_name(&path);
        if path.exists() || !partial.exists() {
            return Ok(Self { bytes: read_regular(&path, MAX_INPUT_BYTES)?, path, cut_after: None });
        }
        let mut bytes = read_regular(&partial, MAX_INPUT_BYTES)?;
        // A loss of power can leave half a line, which would be read as another row.
        bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1));
        Ok(Self { cut_after: Some(steps_done(&path)), path: partial, bytes })
    }
}

/// The bytes of a regular file. A device or a pipe may yield bytes without end.
///
/// # Errors
/// Why it cannot be read, as a clause that follows its name.
pub(crate) fn read_regular(path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let unopened = |error: io::Error| format!("cannot be opened: {error}");
    let too_large = || format!("is larger than {} MiB", max_bytes >> 20);
    let found = fs::metadata(path).map_err(unopened)?;
    if !found.is_file() {
        return Err("is no regular file".to_owned());
    }
    if found.len() > max_bytes {
        return Err(too_large());
    }
    let (file, mut bytes) = (File::open(path).map_err(unopened)?, Vec::new());
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    // It can have grown.
    if bytes.len() as u64 > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

/// Steps that the run made whose folder holds the file: 0 if it was killed.
fn steps_done(file: &Path) -> u64 {
    #[derive(Deserialize)]
    struct Record {
        steps_done: u64,
    }
    let text = fs::read_to_string(file.with_file_name(RUN_JSON)).unwrap_or_default();
    serde_json::from_str(&text).map_or(0, |Record { steps_done }| steps_done)
}

/// The streams of the files of inputs in a folder with their paths, by name; partial files have the path of the whole one.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn input_files(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_str().unwrap_or_default();
        let name = name.strip_suffix(PARTIAL_SUFFIX).unwrap_or(name);
        if let Some(stream) = stream_of_input_file(name) {
            files.push((stream.to_owned(), folder.join(name)));
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}
