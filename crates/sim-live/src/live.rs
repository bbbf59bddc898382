//! The loop of a session: it waits for clients and for the next step, hears clients, makes the step, and tells what it yielded.

use crate::clock::Clock;
use crate::door::{Command, Door, Gate, Inbox};
use crate::error::LiveError;
use crate::pace::{Pace, Speed};
use crate::server::{Counts, Server, ServerOptions, Status};
use rustix::event::{PollFd, Timespec, poll};
use rustix::io::Errno;
use sim_run::{Model, RunError, RunKey, RunOptions, RunReport, Session};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Longest sleep: a signal to stop and clients that say nothing are noticed after it.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// How a session is made.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// How its runs are written down. Runs after the first one get folders of their own beside that, `NAME-2` and so on.
    pub run: RunOptions,
    /// Draws of its first run.
    pub key: RunKey,
    /// Speed at the start.
    pub speed: Speed,
    /// Where the stage is served; none: nowhere.
    pub listen: Option<ServerOptions>,
}

/// What the caller hears of a session.
#[derive(Debug)]
pub enum News<'a> {
    /// The stage can be opened.
    Serving {
        /// Address of the page, with its token.
        url: &'a str,
    },
    /// A step was too late to be caught up; said once a run.
    Late(Duration),
    /// A run has ended, complete up to its last step.
    Ended {
        /// Its folder.
        folder: Option<&'a Path>,
        /// What it yielded.
        report: &'a RunReport,
        /// How late its steps began.
        pace: &'a Pace,
    },
}

/// A session.
pub struct Live<'a> {
    options: LiveOptions,
    session: Session,
    folder: Option<PathBuf>,
    runs: u64,
    clock: Clock,
    pace: Pace,
    server: Option<Server>,
    doors: Vec<Box<dyn Door + 'a>>,
    inbox: Inbox,
    news: &'a mut dyn FnMut(News<'_>),
    stop: &'a AtomicBool,
}

impl<'a> Live<'a> {
    /// Begins a session. It ends after the last step, by a command, once a door is over, or when `stop` turns true.
    ///
    /// # Errors
    /// If the run cannot begin or the stage cannot be served.
    pub fn start(
        model: &Arc<dyn Model>,
        options: LiveOptions,
        doors: Vec<Box<dyn Door + 'a>>,
        news: &'a mut dyn FnMut(News<'_>),
        stop: &'a AtomicBool,
    ) -> Result<Self, LiveError> {
        let session = Session::start(model, options.key, &options.run)?;
        let clock = Clock::start();
        let pace = Pace::new(model.info().step_hz, options.speed, clock.now());
        let server = options.listen.as_ref().map(|listen| Server::start(listen, &session)).transpose()?;
        if let Some(server) = &server {
            news(News::Serving { url: &server.url() });
        }
        let folder = options.run.out.clone();
        let inbox = Inbox::default();
        let mut live = Self { options, session, folder, runs: 1, clock, pace, server, doors, inbox, news, stop };
        live.doors.iter_mut().for_each(|door| door.begin(&live.session));
        Ok(live)
    }

    /// Goes on until the session ends. Returns what the server refused.
    ///
    /// # Errors
    /// If a step fails or a file cannot be written. What was written is kept.
    pub fn run(mut self) -> Result<Counts, LiveError> {
        let mut is_over = false;
        while !(is_over || self.is_stopped()) {
            self.sleep()?;
            is_over = self.hear()?;
            if !is_over && self.wait(self.clock.now()) == Some(Duration::ZERO) {
                if let Err(error) = self.step() {
                    return Err(self.session.abort(error).err().map_or(LiveError::Stopped, LiveError::Run));
                }
                is_over = self.session.is_done();
            }
            self.publish(is_over);
        }
        let counts = self.server.as_ref().map(Server::counts).unwrap_or_default();
        let Self { session, folder, pace, news, .. } = self;
        let report = session.finish_here()?;
        news(News::Ended { folder: folder.as_deref(), report: &report, pace: &pace });
        Ok(counts)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time until the next step; none if nothing but a client brings it.
    fn wait(&self, now: Duration) -> Option<Duration> {
        match self.gate() {
            _ if self.pace.is_paused() => self.pace.wait(now),
            Gate::Closed => None,
            Gate::Open => Some(Duration::ZERO),
            Gate::Clock => self.pace.wait(now),
        }
    }

    /// What all doors together want: a closed one keeps the time for all.
    fn gate(&self) -> Gate {
        let gates = || self.doors.iter().map(|door| door.gate());
        let has = |gate| gates().any(|one| one == gate);
        if has(Gate::Closed) {
            Gate::Closed
        } else if has(Gate::Open) {
            Gate::Open
        } else {
            Gate::Clock
        }
    }

    fn sleep(&self) -> Result<(), LiveError> {
        let wait = self.wait(self.clock.now()).unwrap_or(LONGEST_SLEEP).min(LONGEST_SLEEP);
        let mut waits: Vec<PollFd<'_>> = Vec::new();
        self.server.iter().for_each(|server| server.watch(&mut waits));
        self.doors.iter().for_each(|door| door.watch(&mut waits));
        let timeout = Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
        match poll(&mut waits, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(LiveError::System { what: "waiting for clients", reason: error.into() }),
        }
    }

    /// Hears all clients and does what they ask of the session; true if it shall end.
    fn hear(&mut self) -> Result<bool, LiveError> {
        let now = self.clock.now();
        if let Some(server) = &mut self.server {
            server.hear(now, &self.session, &mut self.inbox);
            for socket in server.take_device_sockets() {
                let mut left = Some(socket);
                for door in &mut self.doors {
                    left = left.and_then(|socket| door.adopt(socket));
                }
            }
        }
        for door in &mut self.doors {
            door.hear(&self.session, &mut self.inbox);
        }
        for command in self.inbox.take_commands() {
            match command {
                Command::Pause(on) => self.pace.pause(on, now),
                Command::TogglePause => self.pace.pause(!self.pace.is_paused(), now),
                Command::Step(count) => self.pace.owe(count, now),
                Command::Speed(speed) => self.pace.set_speed(speed, now),
                Command::Reset { is_other } => self.reset(is_other)?,
                Command::End => return Ok(true),
            }
            self.server.iter_mut().for_each(Server::touch);
        }
        Ok(self.doors.iter().any(|door| door.is_over()))
    }

    fn step(&mut self) -> Result<(), RunError> {
        if self.gate() == Gate::Clock
            && let Some(late) = self.pace.begin_step(self.clock.now())
        {
            let is_first = self.pace.lost() == late;
            tracing::debug!(late_s = late.as_secs_f64(), "the run stays late");
            if is_first {
                (self.news)(News::Late(late));
            }
        }
        self.inbox.step(&mut self.session)?;
        self.doors.iter_mut().for_each(|door| door.tell(&self.session));
        if let Some(server) = &mut self.server {
            server.note_step(&self.session);
        }
        Ok(())
    }

    /// Ends the run and begins another one, in a folder of its own.
    fn reset(&mut self, is_other: bool) -> Result<(), LiveError> {
        let key = self.session.key();
        let key = RunKey { run_index: key.run_index + u64::from(is_other), ..key };
        let model = Arc::clone(self.session.model());
        let (session, folder) = self.start_next(&model, key)?;
        let ended = std::mem::replace(&mut self.session, session).finish_here()?;
        (self.news)(News::Ended { folder: self.folder.as_deref(), report: &ended, pace: &self.pace });
        self.folder = folder;
        self.inbox.clear();
        let (speed, is_paused, now) = (self.pace.speed(), self.pace.is_paused(), self.clock.now());
        self.pace = Pace::new(model.info().step_hz, speed, now);
        self.pace.pause(is_paused, now);
        self.doors.iter_mut().for_each(|door| door.begin(&self.session));
        self.server.as_mut().map_or(Ok(()), |server| server.begin(&self.session))
    }

    /// The next run, in the first folder beside the first one that holds no run.
    fn start_next(&mut self, model: &Arc<dyn Model>, key: RunKey) -> Result<(Session, Option<PathBuf>), LiveError> {
        loop {
            self.runs += 1;
            let folder = self.options.run.out.as_deref().map(|first| numbered(first, self.runs));
            let options = RunOptions { out: folder.clone(), ..self.options.run.clone() };
            match Session::start(model, key, &options) {
                Err(RunError::HoldsRun { .. }) => {}
                started => return Ok((started?, folder)),
            }
        }
    }

    fn publish(&mut self, is_over: bool) {
        let Some(server) = &mut self.server else { return };
        let speed = if let Speed::Times(times) = self.pace.speed() { Some(times) } else { None };
        let refused = self.session.refused();
        let tenths = |number: f64| (10.0 * number).round() / 10.0;
        let status = Status {
            paused: self.pace.is_paused(),
            speed,
            late_ms: tenths(1e3 * self.pace.lateness().quantile_s(0.99)),
            lost_s: tenths(self.pace.lost().as_secs_f64()),
            run: self.session.key().run_index,
            refused: refused.rows.values().sum(),
            wrong: refused.messages.last().cloned().unwrap_or_default(),
            violations: self.session.violations(),
            over: is_over,
        };
        server.publish(self.clock.now(), &self.session, &status);
    }
}

/// Folder of a later run: `out/name-2` after `out/name`.
fn numbered(first: &Path, number: u64) -> PathBuf {
    let mut name = first.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    first.with_file_name(name)
}
