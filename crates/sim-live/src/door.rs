//! Doors: how clients other than pages take part in a session.

use crate::pace::Speed;
use rustix::event::PollFd;
use sim_run::Session;
use sim_run::inputs::Kept;
use sim_world::{Input, Value};
use std::net::TcpStream;

/// Rows that wait for a step at most: a client that gives more in one step, or during a pause, is refused the others.
const MAX_ROWS: usize = 4096;

/// What a client asks of the session itself. It changes when steps are made, or which run, and never what a step does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Pause, or go on.
    Pause(bool),
    /// Pause, or go on if it is paused.
    TogglePause,
    /// So many steps, then pause.
    Step(u64),
    /// Another speed.
    Speed(Speed),
    /// End the run and begin again; with other draws if `is_other`.
    Reset {
        /// True for the next run index, whose draws are others.
        is_other: bool,
    },
    /// End the session.
    End,
}

/// What came in between two steps: rows that wait for the next step, in the order in which they came, and commands.
#[derive(Debug, Default)]
pub struct Inbox {
    rows: Vec<(usize, Vec<Kept>)>,
    commands: Vec<Command>,
    dropped: u64,
}

impl Inbox {
    /// Adds a command.
    pub fn command(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Hands over the commands, in the order in which they came.
    pub fn take_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }

    /// Adds a row of the input stream at the place `stream` of the model's list; [`Session::input`] knows the place by the name. Returns
    /// false, and counts the row, if too many wait. What is wrong with the row is found by the step, which leaves it out and counts it.
    pub fn push(&mut self, stream: usize, row: &[Value<'_>]) -> bool {
        self.push_kept(stream, row.iter().map(|value| Kept::from(*value)).collect())
    }

    /// As [`Inbox::push`], with values of its own.
    pub fn push_kept(&mut self, stream: usize, row: Vec<Kept>) -> bool {
        let has_space = self.rows.len() < MAX_ROWS;
        if has_space {
            self.rows.push((stream, row));
        } else {
            self.dropped += 1;
        }
        has_space
    }

    /// Rows that were refused because too many waited.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Makes the next step with the rows, which are then gone.
    ///
    /// # Errors
    /// As [`Session::step_live`].
    pub fn step(&mut self, session: &mut Session) -> Result<(), sim_run::RunError> {
        let rows = std::mem::take(&mut self.rows);
        let values: Vec<(usize, Vec<Value<'_>>)> =
            rows.iter().map(|(stream, row)| (*stream, row.iter().map(Kept::value).collect())).collect();
        let inputs: Vec<Input<'_>> = values.iter().map(|(stream, row)| Input { stream: *stream, row }).collect();
        session.step_live(&inputs)
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }
}

/// Whether a door lets the next step be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Steps come when the wall clock wants them.
    Clock,
    /// The clients of this door make the time (lockstep), and wait for a step: it is made at once, whatever the speed.
    Open,
    /// The clients of this door make the time, and are not ready: no step is made.
    Closed,
}

/// A way into a session beside the page: a bus, a socket, a pipe. The loop of the session calls it, always on the same thread:
///
/// ```text
/// begin                     once a run: at the start, and after each reset
/// loop
///     watch                 sockets that the loop sleeps on
///     hear                  messages of clients become rows of the next step; answers that need no step go out
///     gate, is_over
///     (the step, if it is due: rows are recorded, then taken)
///     tell                  after each step: what the step yielded goes to clients
/// ```
///
/// A door never blocks: its sockets do not wait, what a slow client does not read is kept up to a limit, and then the client is dropped.
/// A door reads streams by [`Session::rows`] and answers in simulated time ([`Session::time_s`]), never by the wall clock: a session
/// whose rows came in before the same steps ends in the same state. What is wrong with a client is logged, not returned.
pub trait Door {
    /// A run is at its start. Clients stay connected.
    fn begin(&mut self, session: &Session);

    /// Adds what the loop sleeps on.
    fn watch<'a>(&'a self, _waits: &mut Vec<PollFd<'a>>) {}

    /// Takes the socket of a program that came by the stage to drive devices. A door for others gives it back.
    fn adopt(&mut self, socket: TcpStream) -> Option<TcpStream> {
        Some(socket)
    }

    /// Hears clients, between two steps and during a pause. What they want goes to `inbox`.
    fn hear(&mut self, session: &Session, inbox: &mut Inbox);

    /// Tells clients what the step that was just made yielded.
    fn tell(&mut self, _session: &Session) {}

    /// Whether the next step may be made.
    fn gate(&self) -> Gate {
        Gate::Clock
    }

    /// True if the session shall end, as when the only program that it was started for has ended.
    fn is_over(&self) -> bool {
        false
    }
}
