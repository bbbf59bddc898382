//! A Unix socket that never waits: what comes in is kept up to a limit, and so is what a slow client does not read.

use rustix::event::{PollFd, PollFlags};
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// Bytes that a client may leave unread; then it is dropped.
pub const MAX_UNREAD_BYTES: usize = 8 << 20;
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 16 << 10;
/// Bytes that come in between two looks of the loop at most; the rest waits in the kernel.
const MAX_INPUT_BYTES: usize = 256 << 10;

/// A connected socket with its two queues.
#[derive(Debug)]
pub struct Socket {
    stream: UnixStream,
    is_open: bool,
    /// Bytes that have come and are not taken yet.
    pub input: Vec<u8>,
    /// Bytes that are to go.
    pub output: Vec<u8>,
    /// Bytes that have come and gone so far.
    pub moved: u64,
}

impl Socket {
    fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self { stream, is_open: true, input: Vec::new(), output: Vec::new(), moved: 0 })
    }

    /// False once either side has closed it.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The socket itself.
    pub fn stream(&self) -> &UnixStream {
        &self.stream
    }

    /// Closes it for a reason, which goes to the log.
    pub fn close(&mut self, why: &str) {
        if std::mem::replace(&mut self.is_open, false) {
            tracing::warn!("a client of the link is dropped: {why}");
        }
    }

    /// Reads what is there.
    pub fn read(&mut self) {
        let mut chunk = [0; CHUNK_BYTES];
        while self.is_open && self.input.len() < MAX_INPUT_BYTES {
            match self.stream.read(&mut chunk) {
                Ok(0) => self.is_open = false,
                Ok(count) => {
                    self.input.extend(&chunk[..count]);
                    self.moved += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.is_open = false,
            }
        }
    }

    /// Writes what it takes.
    pub fn write(&mut self) {
        let mut gone = 0;
        while self.is_open && gone < self.output.len() {
            match self.stream.write(&self.output[gone..]) {
                Ok(count) => gone += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.is_open = false,
            }
        }
        self.output.drain(..gone);
        self.moved += gone as u64;
        if self.output.len() > MAX_UNREAD_BYTES {
            self.close("it does not read what it is sent");
        }
    }

    /// What the loop waits for.
    pub fn watch(&self) -> PollFd<'_> {
        let writes = if self.output.is_empty() { PollFlags::empty() } else { PollFlags::OUT };
        PollFd::new(&self.stream, PollFlags::IN | writes)
    }
}

/// A folder that its owner alone may enter, with the sockets in it. It goes with the value.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
}

impl PrivateFolder {
    /// Makes a folder of that name, which must not exist, with mode 0700.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(path: PathBuf) -> io::Result<Self> {
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A socket that clients connect to.
#[derive(Debug)]
pub struct Listener {
    listener: UnixListener,
}

impl Listener {
    /// Listens at a path.
    ///
    /// # Errors
    /// If the socket cannot be made.
    pub fn bind(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener })
    }

    /// The next client that has come; none if none waits.
    pub fn accept(&self) -> Option<Socket> {
        let (stream, _) = self.listener.accept().ok()?;
        Socket::new(stream).ok()
    }

    /// What the loop waits for.
    pub fn watch(&self) -> PollFd<'_> {
        PollFd::new(&self.listener, PollFlags::IN)
    }
}
