//! Letters on a terminal that steer a live session. A terminal gives whole lines, so each takes the enter key.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use sim_live::{Command, Door, Inbox, Speed};
use sim_run::Session;
use std::io::{Read, Stdin, stdin};

/// Speeds of `+` and `-`.
const SPEEDS: [f64; 9] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];

/// Standard input as a door.
#[derive(Debug)]
pub struct Terminal {
    input: Stdin,
    /// Place of the speed among [`SPEEDS`].
    speed: usize,
    is_closed: bool,
}

impl Default for Terminal {
    fn default() -> Self {
        Self { input: stdin(), speed: 3, is_closed: false }
    }
}

impl Terminal {
    /// True if a line can be read without waiting.
    fn has_line(&self) -> bool {
        let mut waits = [PollFd::new(&self.input, PollFlags::IN)];
        !self.is_closed && poll(&mut waits, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|count| count > 0)
    }

    /// What a letter asks for.
    fn command(&mut self, letter: u8) -> Option<Command> {
        Some(match letter {
            b'p' => Command::TogglePause,
            b's' => Command::Step(1),
            b'r' => Command::Reset { is_other: false },
            b'n' => Command::Reset { is_other: true },
            b'q' => Command::End,
            b'+' | b'-' => {
                let next = if letter == b'+' { self.speed + 1 } else { self.speed.saturating_sub(1) };
                self.speed = next.min(SPEEDS.len() - 1);
                Command::Speed(Speed::Times(SPEEDS[self.speed]))
            }
            _ => return None,
        })
    }
}

impl Door for Terminal {
    fn begin(&mut self, _session: &Session) {}

    fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        if !self.is_closed {
            waits.push(PollFd::new(&self.input, PollFlags::IN));
        }
    }

    fn hear(&mut self, _session: &Session, inbox: &mut Inbox) {
        if !self.has_line() {
            return;
        }
        let mut line = [0; 256];
        let count = self.input.read(&mut line).unwrap_or(0);
        self.is_closed = count == 0;
        line[..count].iter().filter_map(|letter| self.command(*letter)).for_each(|command| inbox.command(command));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_commands_and_others_are_nothing() {
        let mut terminal = Terminal::default();
        assert_eq!(terminal.command(b'p'), Some(Command::TogglePause));
        assert_eq!(terminal.command(b'+'), Some(Command::Speed(Speed::Times(2.0))));
        assert_eq!(terminal.command(b'\n'), None);
        for _ in 0..9 {
            assert!(terminal.command(b'-').is_some());
        }
        assert_eq!(terminal.command(b'-'), Some(Command::Speed(Speed::Times(0.1))));
    }
}
