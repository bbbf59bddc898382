//! Clients whose time is that of the world (lockstep).
//!
//! A client connects once and writes a line whenever it has nothing to do: the moment of its next timer in microseconds, or `never`. Then
//! it waits for a line: the moment that it is now. `cancel` takes a wish back: the client has something to do after all, and gets no
//! answer for it.
//!
//! ```text
//! > 1500000            nothing to do until 1.5 s, or until a message comes
//! < 1016667            it is 1.016667 s: a message has come
//! > sleep 1500000      nothing to do until 1.5 s, whatever comes
//! < 1500000
//! ```
//!
//! The world makes a step only while every client waits and none has a timer that is due.

use super::socket::{Listener, Socket};
use rustix::event::PollFd;
use std::io;
use std::path::Path;

/// Longest line, bytes.
const MAX_LINE_BYTES: usize = 32;
/// Clients at once at most.
const MAX_CLIENTS: usize = 64;

/// All clients of a clock.
#[derive(Debug)]
pub(super) struct Clocks {
    listener: Listener,
    clients: Vec<Client>,
}

#[derive(Debug)]
struct Client {
    socket: Socket,
    /// Moment that it waits for; none while it does something.
    wish_us: Option<u64>,
    /// No message wakes it.
    sleeps: bool,
}

/// What clients write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing to do until a moment or a message; `u64::MAX` is never.
    Wait(u64),
    /// Nothing to do until a moment.
    Sleep(u64),
    /// The wish is taken back.
    Cancel,
}

impl Line {
    /// The line of these bytes, without its end.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        match bytes {
            b"never" => Some(Self::Wait(u64::MAX)),
            b"cancel" => Some(Self::Cancel),
            _ => match bytes.strip_prefix(b"sleep ") {
                Some(digits) => number(digits).map(Self::Sleep),
                None => number(bytes).map(Self::Wait),
            },
        }
    }
}

/// A number of digits alone.
fn number(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok()?;
    text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse().ok())?
}

impl Clocks {
    /// A clock at a path.
    ///
    /// # Errors
    /// If the socket cannot be made.
    pub fn bind(path: &Path) -> io::Result<Self> {
        Ok(Self { listener: Listener::bind(path)?, clients: Vec::new() })
    }

    /// What the loop waits for.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.push(self.listener.watch());
        waits.extend(self.clients.iter().map(|client| client.socket.watch()));
    }

    /// Hears at a moment what clients wait for.
    pub fn hear(&mut self, now_us: u64) {
        while self.clients.len() < MAX_CLIENTS {
            let Some(socket) = self.listener.accept() else { break };
            self.clients.push(Client { socket, wish_us: None, sleeps: false });
        }
        self.clients.iter_mut().for_each(|client| client.hear(now_us));
        self.clients.retain(|client| client.socket.is_open());
    }

    /// True if no client is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Moment up to which the world may go; none while a client does something, or none is there.
    #[must_use]
    pub fn wish_us(&self) -> Option<u64> {
        let wishes: Option<Vec<u64>> = self.clients.iter().map(|client| client.wish_us).collect();
        wishes?.into_iter().min()
    }

    /// Wakes at a moment the clients that wait for it, and if there is a message for any of them all that do not sleep.
    pub fn wake(&mut self, now_us: u64, has_message: bool) {
        for client in &mut self.clients {
            if client.wish_us.is_some_and(|wish_us| wish_us <= now_us) || (has_message && !client.sleeps) {
                client.answer(now_us);
                client.socket.write();
            }
        }
    }
}

impl Client {
    /// Answers a wish, if there is one.
    fn answer(&mut self, now_us: u64) {
        if self.wish_us.take().is_some() {
            self.socket.output.extend(format!("{now_us}\n").as_bytes());
        }
    }

    fn hear(&mut self, now_us: u64) {
        self.socket.read();
        while let Some(end) = self.socket.input.iter().take(MAX_LINE_BYTES).position(|&byte| byte == b'\n') {
            let line = Line::parse(&self.socket.input[..end]);
            self.socket.input.drain(..=end);
            match line {
                Some(Line::Wait(wish_us)) => (self.wish_us, self.sleeps) = (Some(wish_us), false),
                Some(Line::Sleep(wish_us)) => (self.wish_us, self.sleeps) = (Some(wish_us), true),
                Some(Line::Cancel) => self.answer(now_us),
                None => return self.socket.close("the clock has no such line"),
            }
        }
        if self.socket.input.len() >= MAX_LINE_BYTES {
            self.socket.close("a line of the clock is too long");
        }
        self.socket.write();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_moments_or_words() {
        assert_eq!(Line::parse(b"1500000"), Some(Line::Wait(1_500_000)));
        assert_eq!(Line::parse(b"never"), Some(Line::Wait(u64::MAX)));
        assert_eq!(Line::parse(b"sleep 20"), Some(Line::Sleep(20)));
        assert_eq!(Line::parse(b"cancel"), Some(Line::Cancel));
        for wrong in [&b""[..], b"-1", b"1.5", b"99999999999999999999", b"\xff", b"now", b"sleep", b"sleep ", b"+1"] {
            assert_eq!(Line::parse(wrong), None, "{wrong:?}");
        }
    }
}
