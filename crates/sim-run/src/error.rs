//! What can go wrong when a run is made.

use sim_world::{Input, Model, RowFault, StartError, StepError};
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a run, or a batch of them, was not made or not finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder holds a run and may not be overwritten.
    #[error("{} already holds a run; choose another folder, or allow it to be overwritten", path.display())]
    HoldsRun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is not one of ours, yet it holds a file under a name that the run would write.
    #[error("{} is in the way: its folder holds no run, so nothing in it is replaced; choose another", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The options do not go together.
    #[error("{0}")]
    Options(String),
    /// The start could not be laid out.
    #[error("the start could not be laid out: {0}")]
    Start(#[from] StartError),
    /// A file could not be made, written or renamed.
    #[error("could not {action} {}: {source}{}", path.display(), kept_clause(kept))]
    Io {
        /// What was tried, as a verb: `create`, `write`, `sync`, `rename`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's answer.
        source: io::Error,
        /// What is kept on disk all the same; empty if nothing.
        kept: String,
    },
    /// A row that came in is wrong.
    #[error("step {step}: a row of {stream} {message}")]
    Input {
        /// The step that was to take it.
        step: u64,
        /// Name of its stream.
        stream: String,
        /// What is wrong with it.
        message: String,
    },
    /// A step could not be made: a number stopped being finite, or bodies could not be moved on.
    #[error(transparent)]
    Step(#[from] StepError),
}

fn kept_clause(kept: &str) -> String {
    if kept.is_empty() { String::new() } else { format!("; {kept}") }
}

impl RunError {
    /// An I/O error on `path`; `action` is a verb.
    #[must_use]
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source, kept: String::new() }
    }

    /// Another process is writing there.
    #[must_use]
    pub fn in_use(path: &Path) -> Self {
        Self::Options(format!("another program is writing {}", path.display()))
    }

    /// A row that came in is wrong.
    #[must_use]
    pub fn input(model: &dyn Model, step: u64, input: &Input<'_>, fault: &RowFault) -> Self {
        let stream = model.inputs().get(input.stream);
        let message = stream.map_or_else(|| fault.message.clone(), |stream| fault.in_words(stream));
        Self::Input { step, stream: stream.map_or_else(String::new, |stream| stream.name.to_string()), message }
    }

    /// The same error, with a word on what is kept on disk. Errors of other kinds stay as they are.
    #[must_use]
    pub fn with_kept(mut self, words: impl Into<String>) -> Self {
        if let Self::Io { kept, .. } = &mut self {
            *kept = words.into();
        }
        self
    }

    /// True if the input is to blame (flags, scenario, choice of folder), not the machine or the computation.
    #[must_use]
    pub fn is_input(&self) -> bool {
        match self {
            Self::HoldsRun { .. } | Self::InTheWay { .. } | Self::Options(_) | Self::Start(_) | Self::Input { .. } => {
                true
            }
            Self::Io { .. } | Self::Step(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_io_error_names_the_file_the_cause_and_what_is_kept() {
        let error = RunError::io("write", Path::new("out/a/agents.csv.partial"), io::Error::other("no space"));
        assert_eq!(error.to_string(), "could not write out/a/agents.csv.partial: no space");
        let error = error.with_kept("rows up to step 120 are kept");
        assert_eq!(
            error.to_string(),
            "could not write out/a/agents.csv.partial: no space; rows up to step 120 are kept"
        );
        assert!(!error.is_input());
    }
}
