//! Names of files that are not complete.

use crate::disk::{Disk, DiskFile};
use crate::error::RunError;
use std::path::{Path, PathBuf};

/// Added to the name of a file that is not complete.
pub const PARTIAL_SUFFIX: &str = ".partial";

/// `NAME.partial` beside `NAME`.
#[must_use]
pub fn partial_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL_SUFFIX);
    PathBuf::from(name)
}

/// Makes `NAME.0.partial`, or the first such name with another number that is free.
///
/// # Errors
/// If no file can be made.
pub fn create_unique(disk: &Disk, path: &Path) -> Result<(DiskFile, PathBuf), RunError> {
    let mut number = 0_u64;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}{PARTIAL_SUFFIX}"));
        match disk.create_new(Path::new(&name)) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(RunError::io("create", Path::new(&name), error)),
            Ok(file) => return Ok((file, name.into())),
        }
    }
}
