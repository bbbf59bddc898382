//! What a loss of power leaves on a disk, at any moment of what a program did there.
//!
//! A [`Recorder`] hears of each change through a [`Disk`]. Afterwards it knows, for the moment after each of them, every folder that a
//! loss may leave: the names that the folders were synced with or all that were given, and of the bytes that were not synced all,
//! none, half of them, or zeros in their place.

use sim_run::disk::{Disk, DiskLog, Operation};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder as a loss leaves it: paths with the bytes of files; folders have none.
pub type Left = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Hears of changes and keeps the state of the disk after each of them.
#[derive(Debug, Default)]
pub struct Recorder {
    states: Mutex<Vec<State>>,
}

impl DiskLog for Recorder {
    fn note(&self, operation: Operation<'_>) {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = states.last().cloned().unwrap_or_default();
        state.apply(operation);
        states.push(state);
    }
}

impl Recorder {
    /// A recorder, and a way to the disk that tells it everything and waits for nothing.
    #[must_use]
    pub fn new() -> (Arc<Self>, Disk) {
        let recorder = Arc::new(Self::default());
        let disk = Disk::with_log(Arc::<Self>::clone(&recorder)).without_sync();
        (recorder, disk)
    }

    /// All that a loss may have left, each once, in the order of the moments.
    #[must_use]
    pub fn all_left(&self) -> Vec<Left> {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = BTreeSet::new();
        let left = states.iter().flat_map(State::all_left);
        left.filter(|left| seen.insert(left.clone())).collect()
    }

    /// For the moment after each change, all that was done and what is sure to be left of it.
    #[must_use]
    pub fn done_and_sure(&self) -> Vec<(Left, Left)> {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let both = |state: &State| (state.left(false, Bytes::All), state.left(true, Bytes::None));
        states.iter().map(both).collect()
    }
}

/// Puts what is left into the place of `folder`.
///
/// # Panics
/// If the folder cannot be written.
pub fn put(left: &Left, folder: &Path) {
    if folder.exists() {
        fs::remove_dir_all(folder).unwrap();
    }
    for (path, bytes) in left {
        match bytes {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            None => fs::create_dir(path).unwrap(),
        }
    }
}

/// What is left of bytes that were not synced.
#[derive(Clone, Copy)]
enum Bytes {
    All,
    None,
    Half,
    Zeros,
}

/// A file's number, or a folder.
type Names = BTreeMap<PathBuf, Option<usize>>;

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<FileState>,
    /// Names as programs see them, and those that the disk has.
    names: Names,
    synced_names: Names,
}

#[derive(Clone, Debug, Default)]
struct FileState {
    bytes: Vec<u8>,
    /// The first bytes, which the disk has.
    synced: usize,
}

impl FileState {
    fn left(&self, unsynced: Bytes) -> Vec<u8> {
        let (first, rest) = self.bytes.split_at(self.synced);
        let rest = match unsynced {
            Bytes::All => rest.to_vec(),
            Bytes::None => Vec::new(),
            Bytes::Half => rest[..rest.len() / 2].to_vec(),
            Bytes::Zeros => vec![0; rest.len()],
        };
        [first, &rest].concat()
    }
}

impl State {
    fn apply(&mut self, operation: Operation<'_>) {
        match operation {
            Operation::CreateFolder(path) => {
                self.synced_names.retain(|name, _| name == path || !name.starts_with(path));
                self.names.insert(path.to_path_buf(), None);
            }
            Operation::Create(path) => self.create(path),
            Operation::Append(path, bytes) => self.file(path).bytes.extend_from_slice(bytes),
            Operation::Cut(path, bytes) => {
                let file = self.file(path);
                file.bytes.truncate(bytes as usize);
                file.synced = file.synced.min(bytes as usize);
            }
            Operation::SyncFile(path) => {
                let file = self.file(path);
                file.synced = file.bytes.len();
            }
            Operation::SyncFolder(folder) => self.sync_folder(folder),
            Operation::Rename(from, to) => {
                let entry = self.names.remove(from).unwrap();
                self.names.insert(to.to_path_buf(), entry);
            }
            Operation::Remove(path) | Operation::RemoveFolder(path) => {
                self.names.remove(path);
            }
        }
    }

    fn file(&mut self, path: &Path) -> &mut FileState {
        let number = self.names[path].unwrap();
        &mut self.files[number]
    }

    fn create(&mut self, path: &Path) {
        if self.names.contains_key(path) {
            *self.file(path) = FileState::default();
        } else {
            self.names.insert(path.to_path_buf(), Some(self.files.len()));
            self.files.push(FileState::default());
        }
    }

    fn sync_folder(&mut self, folder: &Path) {
        let names = &self.names;
        let is_in = |path: &Path| path.parent() == Some(folder);
        self.synced_names.retain(|path, _| !is_in(path) || names.contains_key(path));
        self.synced_names
            .extend(names.iter().filter(|(path, _)| is_in(path)).map(|(path, entry)| (path.clone(), *entry)));
    }

    fn all_left(&self) -> Vec<Left> {
        let bytes = [Bytes::All, Bytes::None, Bytes::Half, Bytes::Zeros];
        bytes.into_iter().flat_map(|bytes| [false, true].map(|synced| self.left(synced, bytes))).collect()
    }

    /// A file or folder without its folder is lost with it.
    fn left(&self, only_synced_names: bool, unsynced: Bytes) -> Left {
        let names = if only_synced_names { &self.synced_names } else { &self.names };
        let is_ours = |path: &Path| self.names.contains_key(path) || self.synced_names.contains_key(path);
        let is_lost = |path: &Path| path.ancestors().skip(1).any(|above| is_ours(above) && !names.contains_key(above));
        let there = names.iter().filter(|(path, _)| !is_lost(path));
        there.map(|(path, entry)| (path.clone(), entry.map(|number| self.files[number].left(unsynced)))).collect()
    }
}
