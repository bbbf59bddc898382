//! What can be wrong with a folder.

use std::io;
use std::path::{Path, PathBuf};

/// Why a folder, or a file in it, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There is no such folder.
    #[error("there is no folder {}", path.display())]
    NoFolder {
        /// What was looked for.
        path: PathBuf,
    },
    /// A file was named where a folder is wanted.
    #[error("{} is a file; name the folder of a run, which holds it", path.display())]
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// The folder holds no run.
    #[error("{} holds no run: it has no run.json", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds many runs where one is wanted.
    #[error("{} holds a batch of runs; choose one of them, as in {}", path.display(), path.join("run-00000").display())]
    Batch {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds one run where a batch is wanted.
    #[error("{} holds one run, not a batch", path.display())]
    NoBatch {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds a sweep where a run or a batch is wanted.
    #[error("{} holds a sweep: its page is its report.html; a run of it lies below worst", path.display())]
    Sweep {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds no sweep.
    #[error("{} holds no sweep, but a run or a batch", path.display())]
    NoSweep {
        /// The folder.
        path: PathBuf,
    },
    /// A format that this version does not know.
    #[error("{} says format {format:?}, and this version reads {known:?}: it was made by a newer version, or is no run", path.display())]
    Format {
        /// `run.json`.
        path: PathBuf,
        /// What it says.
        format: String,
        /// What can be read.
        known: &'static str,
    },
    /// A file that must be there is not.
    #[error("{} is missing{why}", path.display())]
    MissingFile {
        /// The file.
        path: PathBuf,
        /// Why it must be there; empty or a clause that begins with a comma.
        why: String,
    },
    /// A run of which no table was written.
    #[error("{} holds no tables: a run with --no-trace writes none", path.display())]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// A JSON file does not have the expected shape.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        source: serde_json::Error,
    },
    /// A table has no header line.
    #[error("{} is empty: it has not even a header line", path.display())]
    NoHeader {
        /// The table.
        path: PathBuf,
    },
    /// A table lacks a column.
    #[error("{}: column {column} is missing; it has {found}", path.display())]
    MissingColumn {
        /// The table.
        path: PathBuf,
        /// The column.
        column: String,
        /// The columns that it has.
        found: String,
    },
    /// A table and `tables.json` or `view.json` do not go together.
    #[error("{}: {problem}", path.display())]
    Stream {
        /// The table.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A row has more or fewer cells than the header.
    #[error("{}, line {line}: {cells} cells where the header has {columns}", path.display())]
    RowLength {
        /// The table.
        path: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// Cells of the row.
        cells: u64,
        /// Columns of the table.
        columns: u64,
    },
    /// A table that should be whole ends in the middle of a row.
    #[error("{} ends in the middle of a row, though run.json says that it is complete: it was cut off later", path.display())]
    CutOff {
        /// The table.
        path: PathBuf,
    },
    /// A cell does not hold what its column promises.
    #[error("{}, line {line}, column {column}: {problem}", path.display())]
    Cell {
        /// The table.
        path: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// The column.
        column: String,
        /// What is wrong.
        problem: String,
    },
    /// Rows are not in the order of their steps.
    #[error("{}, line {line}: step {step} comes after step {before}; rows must be in the order of their steps", path.display())]
    Order {
        /// The table.
        path: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// Its step.
        step: u64,
        /// Step of the row before.
        before: u64,
    },
    /// The operating system refused.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's answer.
        source: io::Error,
    },
}

impl FolderError {
    /// True if the choice of folder or what it holds is to blame, not the machine.
    #[must_use]
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::Io { .. })
    }

    pub(super) fn read(path: &Path, source: io::Error) -> Self {
        Self::Io { action: "read", path: path.to_path_buf(), source }
    }
}
