//! A page that looks at the run.

use super::rate::Rate;
use crate::message::MAX_MESSAGE;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

/// Frames that may be under way to a page; it says how many it has had. The system's own buffers would hold seconds of them.
const MAX_UNDER_WAY: u64 = 16;
/// Bytes that wait for a page at most.
const MAX_WAITING: usize = 1 << 20;
/// A page that has so many frames under way and says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(30);
/// Messages that are read in one turn, so that one page cannot hold up the others.
const AT_ONCE: usize = 64;

/// A page that looks at the run.
#[derive(Debug)]
pub struct Viewer {
    /// Its number, by which it has the controls or not.
    pub id: u64,
    socket: WebSocket<TcpStream>,
    rate: Rate,
    heard: Duration,
    sent: u64,
    acknowledged: u64,
    words: usize,
    /// What it was told last of the session.
    status: String,
    is_pending: bool,
}

/// What became of a page in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays.
    Stays,
    /// It went away, or broke the protocol.
    Left,
    /// It sent too much.
    TooMuch,
}

impl Viewer {
    /// A page behind an accepted socket.
    pub fn new(id: u64, stream: TcpStream, now: Duration) -> Self {
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE))
            .read_buffer_size(MAX_MESSAGE)
            .write_buffer_size(0)
            .max_write_buffer_size(MAX_WAITING);
        let socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
        let (status, rate) = (String::new(), Rate::new(now));
        Self { id, socket, rate, heard: now, sent: 0, acknowledged: 0, words: 0, status, is_pending: false }
    }

    /// Its socket.
    pub fn stream(&self) -> &TcpStream {
        self.socket.get_ref()
    }

    /// True if bytes wait until it reads.
    pub fn is_pending(&self) -> bool {
        self.is_pending
    }

    /// Reads what it sent; texts go to `texts`.
    pub fn hear(&mut self, now: Duration, texts: &mut Vec<String>) -> Fate {
        for _ in 0..AT_ONCE {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => break,
                Err(Error::Capacity(_)) => return Fate::TooMuch,
                Err(_) => return Fate::Left,
            };
            self.heard = now;
            // Control frames count as well: they are answered.
            if !self.rate.take(now) {
                return Fate::TooMuch;
            }
            match message {
                Message::Text(text) => texts.push(text.as_str().to_owned()),
                Message::Close(_) => return Fate::Left,
                _ => {}
            }
        }
        self.flush()
    }

    /// Counts frames that it has had.
    pub fn acknowledge(&mut self, frames: u64) {
        self.acknowledged = frames.clamp(self.acknowledged, self.sent);
    }

    /// True if it will read no more.
    pub fn is_gone(&self, now: Duration) -> bool {
        !self.has_space() && now.saturating_sub(self.heard) > SILENCE
    }

    fn has_space(&self) -> bool {
        self.sent - self.acknowledged < MAX_UNDER_WAY
    }

    /// Sends a frame, with rows to be listed and the words that it does not know yet; returns false if all is left out because the page is
    /// behind.
    pub fn frame(&mut self, frame: &Bytes, lists: Option<&str>, words: &[String]) -> bool {
        if self.is_pending || !self.has_space() {
            return false;
        }
        if self.words < words.len() {
            let more = serde_json::json!({ "words": &words[self.words..] });
            self.write(Message::text(more.to_string()));
            self.words = words.len();
        }
        if let Some(lists) = lists {
            self.write(Message::text(lists));
        }
        self.sent += 1;
        self.write(Message::Binary(frame.clone()));
        true
    }

    /// Sends the state of the session if it differs from what was sent last.
    pub fn tell(&mut self, status: String) {
        if self.status != status && !self.is_pending {
            self.write(Message::text(&*status));
            self.status = status;
        }
    }

    /// Sends a text. What a page without space would miss is left out.
    pub fn write(&mut self, message: Message) {
        if self.socket.write(message).is_ok() {
            self.flush();
        }
    }

    /// Forgets what the page was told of the run that is over.
    pub fn begin(&mut self) {
        self.words = 0;
        self.status.clear();
    }

    /// Sends what waits, as far as the page reads.
    pub fn flush(&mut self) -> Fate {
        match self.socket.flush() {
            Ok(()) => self.is_pending = false,
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => self.is_pending = true,
            Err(_) => return Fate::Left,
        }
        Fate::Stays
    }
}
