//! Every change that this project's runs make on a disk goes through here: folders and files are made, written, synced, renamed, removed.
//!
//! A disk may lose all that was not synced when the power fails. So a file is synced before it gets its final name, and its folder
//! before anything that rests on that name. A [`DiskLog`] hears of each change in order: tests rebuild from it what a loss leaves.

use std::fmt::Debug;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One change, as it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation<'a> {
    /// A folder was made.
    CreateFolder(&'a Path),
    /// An empty folder was removed.
    RemoveFolder(&'a Path),
    /// An empty file was made, or a file was emptied.
    Create(&'a Path),
    /// Bytes were added at the end of a file.
    Append(&'a Path, &'a [u8]),
    /// A file was cut to its first bytes.
    Cut(&'a Path, u64),
    /// The disk has the bytes of a file.
    SyncFile(&'a Path),
    /// The disk has the names in a folder.
    SyncFolder(&'a Path),
    /// A file has another name.
    Rename(&'a Path, &'a Path),
    /// A file was removed.
    Remove(&'a Path),
}

/// Hears of changes.
pub trait DiskLog: Debug + Send + Sync {
    /// A change was made.
    fn note(&self, operation: Operation<'_>);
}

/// The way to the disk.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    log: Option<Arc<dyn DiskLog>>,
    is_unsynced: bool,
}

impl Disk {
    /// The disk, with a listener.
    #[must_use]
    pub fn with_log(log: Arc<dyn DiskLog>) -> Self {
        Self { log: Some(log), ..Self::default() }
    }

    /// The same without waiting for the disk: for folders that need not survive a loss of power.
    #[must_use]
    pub fn without_sync(self) -> Self {
        Self { is_unsynced: true, ..self }
    }

    fn noted<T>(&self, done: io::Result<T>, operation: Operation<'_>) -> io::Result<T> {
        if done.is_ok() {
            if !matches!(operation, Operation::Append(..)) {
                tracing::trace!(?operation, "disk");
            }
            self.log.iter().for_each(|log| log.note(operation));
        }
        done
    }

    /// Makes an empty file; one that is there is emptied.
    ///
    /// # Errors
    /// The operating system's.
    pub fn create(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.noted(File::create(path), Operation::Create(path))?;
        Ok(DiskFile { file, path: path.to_path_buf(), disk: self.clone() })
    }

    /// As [`Disk::create`]; fails if the file is there.
    ///
    /// # Errors
    /// The operating system's.
    pub fn create_new(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.noted(File::create_new(path), Operation::Create(path))?;
        Ok(DiskFile { file, path: path.to_path_buf(), disk: self.clone() })
    }

    /// Opens a file that is there; see [`DiskFile::cut`].
    ///
    /// # Errors
    /// The operating system's.
    pub fn open(&self, path: &Path) -> io::Result<DiskFile> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(DiskFile { file, path: path.to_path_buf(), disk: self.clone() })
    }

    /// Gives a file another name in its folder.
    ///
    /// # Errors
    /// The operating system's.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.noted(fs::rename(from, to), Operation::Rename(from, to))
    }

    /// Removes a file if it is there.
    ///
    /// # Errors
    /// The operating system's.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => self.noted(done, Operation::Remove(path)),
        }
    }

    /// Removes a folder, which must be empty.
    ///
    /// # Errors
    /// The operating system's.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.noted(fs::remove_dir(path), Operation::RemoveFolder(path))
    }

    /// Makes a folder and those above it, as far as they are missing.
    ///
    /// # Errors
    /// The operating system's.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        let parent = path.parent().unwrap_or(Path::new(""));
        self.create_folder(parent)?;
        match fs::create_dir(path) {
            // Another process was faster.
            Err(_) if path.is_dir() => return Ok(()),
            done => self.noted(done, Operation::CreateFolder(path))?,
        }
        self.sync_folder(parent)
    }

    /// Waits until the disk has the names in a folder.
    ///
    /// # Errors
    /// The operating system's.
    pub fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let done = if self.is_unsynced { Ok(()) } else { sync_names(path) };
        self.noted(done, Operation::SyncFolder(path))
    }
}

/// File systems that cannot sync a folder say so, and do without.
#[cfg(unix)]
fn sync_names(path: &Path) -> io::Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    match File::open(path)?.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// Names are as durable there as the system makes them: a folder cannot be opened.
#[cfg(not(unix))]
fn sync_names(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A file that is written at its end.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl DiskFile {
    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file itself, to read and to lock.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Cuts the file to its first `bytes`; what is written next follows them.
    ///
    /// # Errors
    /// The operating system's.
    pub fn cut(&mut self, bytes: u64) -> io::Result<()> {
        let done = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::End(0)).map(drop));
        self.disk.noted(done, Operation::Cut(&self.path, bytes))
    }

    /// Gives the file another name in its folder.
    ///
    /// # Errors
    /// The operating system's.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        self.disk.rename(&self.path, to)?;
        self.path = to.to_path_buf();
        Ok(())
    }

    /// Waits until the disk has all bytes.
    ///
    /// # Errors
    /// The operating system's.
    pub fn sync(&self) -> io::Result<()> {
        let done = if self.disk.is_unsynced { Ok(()) } else { self.file.sync_data() };
        self.disk.noted(done, Operation::SyncFile(&self.path))
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.file.write(bytes)?;
        self.disk.noted(Ok(taken), Operation::Append(&self.path, &bytes[..taken]))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Who may be in a folder, or have a file, beside this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// None.
    Alone,
    /// Others that share it.
    Shared,
}

/// Locks a file or folder. False if another has it. The lock ends with the file, and so with the process, however that ends. File systems
/// that know no locks do without.
#[must_use]
pub fn try_lock(file: &File, access: Access) -> bool {
    let locked = match access {
        Access::Alone => file.try_lock(),
        Access::Shared => file.try_lock_shared(),
    };
    !matches!(locked, Err(TryLockError::WouldBlock))
}
