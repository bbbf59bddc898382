//! A file that appears when it is whole.

use crate::error::ViewError;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A file to come. It grows under a partial name, which is removed if it is never finished.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    partial: PathBuf,
}

impl NewFile {
    /// Refuses to replace a file, unless that is allowed.
    pub fn claim(path: &Path, overwrite: bool) -> Result<Self, ViewError> {
        if path.exists() && !overwrite {
            return Err(ViewError::Exists { path: path.to_path_buf() });
        }
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        Ok(Self { path: path.to_path_buf(), partial: partial.into() })
    }

    /// The file under its partial name.
    pub fn create(&self) -> Result<File, ViewError> {
        File::create(&self.partial).map_err(|error| ViewError::io("create", &self.path, error))
    }

    /// Where it grows.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Gives it its name.
    pub fn finish(self) -> Result<(), ViewError> {
        fs::rename(&self.partial, &self.path).map_err(|error| ViewError::io("rename", &self.partial, error))
    }

    /// All of it at once.
    pub fn write(self, bytes: &[u8]) -> Result<(), ViewError> {
        fs::write(&self.partial, bytes).map_err(|error| ViewError::io("write", &self.path, error))?;
        self.finish()
    }

    /// An error while writing it.
    pub fn error(&self, source: std::io::Error) -> ViewError {
        ViewError::io("write", &self.path, source)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Nothing to remove once it has its name, or if it was never begun.
        let _ = fs::remove_file(&self.partial);
    }
}
