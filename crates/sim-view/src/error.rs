//! What can go wrong when a run is shown.

use crate::draw::pixels::BadSize;
use crate::folder::FolderError;
use sim_core::ParamError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a picture, a film or a sound was not made.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The folder, or a file in it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A number of the scenario that no field or mat can have.
    #[error("scenario.json: {0}")]
    Scenario(#[from] ParamError),
    /// The picture would be too large, or nothing.
    #[error(transparent)]
    Size(#[from] BadSize),
    /// What was asked for does not go together, or is not there.
    #[error("{0}")]
    Wrong(String),
    /// The file that would be written is there already.
    #[error("{} is already there; choose another file, or allow it to be overwritten", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// No `ffmpeg` can be started.
    #[error(
        "MP4 films are made by ffmpeg, and none can be started: {source}; install it (Debian: apt install ffmpeg), or make a GIF"
    )]
    NoFfmpeg {
        /// The operating system's answer.
        source: io::Error,
    },
    /// `ffmpeg` gave up.
    #[error("ffmpeg gave up: {words}")]
    Ffmpeg {
        /// The end of what it said.
        words: String,
    },
    /// The observer asked to stop.
    #[error("stopped after {frames} frames; nothing is left of the film")]
    Stopped {
        /// Frames that were made.
        frames: u64,
    },
    /// The operating system refused.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's answer.
        source: io::Error,
    },
}

impl ViewError {
    /// True if what was asked for, or the folder, is to blame, not the machine.
    #[must_use]
    pub fn is_input(&self) -> bool {
        match self {
            Self::Folder(error) => error.is_input(),
            Self::Scenario(_) | Self::Size(_) | Self::Wrong(_) | Self::Exists { .. } => true,
            Self::NoFfmpeg { .. } | Self::Ffmpeg { .. } | Self::Stopped { .. } | Self::Io { .. } => false,
        }
    }

    /// An I/O error on `path`; `action` is a verb.
    #[must_use]
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source }
    }
}
