//! The program that a session is started for.

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};

/// A program that runs, or has ended.
#[derive(Debug)]
pub struct Program {
    child: Child,
    /// Readable once it has ended.
    end: Option<OwnedFd>,
    status: Option<ExitStatus>,
}

impl Program {
    /// Starts a program with its arguments; none if there is none.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(words: &[OsString], environment: &[(&str, OsString)]) -> io::Result<Option<Self>> {
        let Some((name, arguments)) = words.split_first() else { return Ok(None) };
        let mut command = Command::new(name);
        command.args(arguments).envs(environment.iter().map(|(name, value)| (name, value)));
        let child = command.spawn()?;
        let pid = Pid::from_raw(child.id() as i32);
        let end = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        Ok(Some(Self { child, end, status: None }))
    }

    /// What the loop waits for.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.extend(self.end.as_ref().filter(|_| self.status.is_none()).map(|end| PollFd::new(end, PollFlags::IN)));
    }

    /// Its exit status, once it has ended; 128 and the number of the signal that ended it.
    pub fn look(&mut self) -> Option<i32> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        let status = self.status?;
        status.code().or_else(|| status.signal().map(|signal| 128 + signal))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if self.look().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
