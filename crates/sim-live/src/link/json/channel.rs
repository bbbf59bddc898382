//! Texts there and back: lines over a Unix socket, or messages of a WebSocket.

use super::message::MAX_MESSAGE_BYTES;
use crate::link::socket::{MAX_UNREAD_BYTES, Socket};
use rustix::event::{PollFd, PollFlags};
use std::io::ErrorKind;
use std::net::TcpStream;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

/// Messages that are read in one turn; further ones wait in the client's own socket.
const AT_ONCE: usize = 256;

/// A connected client.
#[derive(Debug)]
pub enum Channel {
    /// A text a line.
    Lines(Socket),
    /// A text a message.
    Web(Box<Web>),
}

/// A WebSocket that never waits.
#[derive(Debug)]
pub struct Web {
    socket: WebSocket<TcpStream>,
    is_open: bool,
    /// Bytes wait until the client reads.
    is_pending: bool,
}

impl Channel {
    /// A WebSocket whose client has been answered.
    pub fn web(stream: TcpStream) -> Self {
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE_BYTES))
            .max_frame_size(Some(MAX_MESSAGE_BYTES))
            .read_buffer_size(MAX_MESSAGE_BYTES)
            .max_write_buffer_size(MAX_UNREAD_BYTES);
        let socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
        Self::Web(Box::new(Web { socket, is_open: true, is_pending: false }))
    }

    /// False once either side has closed it.
    pub fn is_open(&self) -> bool {
        match self {
            Self::Lines(socket) => socket.is_open(),
            Self::Web(web) => web.is_open,
        }
    }

    /// What the loop waits for.
    pub fn watch(&self) -> PollFd<'_> {
        match self {
            Self::Lines(socket) => socket.watch(),
            Self::Web(web) => {
                let out = if web.is_pending { PollFlags::OUT } else { PollFlags::empty() };
                PollFd::new(web.socket.get_ref(), PollFlags::IN | out)
            }
        }
    }

    /// The texts that have come.
    pub fn hear(&mut self) -> Vec<String> {
        match self {
            Self::Lines(socket) => lines(socket),
            Self::Web(web) => web.hear(),
        }
    }

    /// Queues a text. A client that does not read is dropped.
    pub fn send(&mut self, text: &str) {
        match self {
            Self::Lines(socket) => {
                socket.output.extend(text.as_bytes());
                socket.output.push(b'\n');
            }
            Self::Web(web) => web.send(text),
        }
    }

    /// Writes what is queued, as far as the client reads.
    pub fn flush(&mut self) {
        match self {
            Self::Lines(socket) => socket.write(),
            Self::Web(web) => web.flush(),
        }
    }
}

fn lines(socket: &mut Socket) -> Vec<String> {
    socket.read();
    let mut texts = Vec::new();
    let mut taken = 0;
    while let Some(length) = socket.input[taken..].iter().position(|&byte| byte == b'\n') {
        texts.push(String::from_utf8_lossy(&socket.input[taken..taken + length]).into_owned());
        taken += length + 1;
    }
    socket.input.drain(..taken);
    if socket.input.len() > MAX_MESSAGE_BYTES {
        socket.close("a line is too long");
    }
    texts
}

impl Web {
    fn hear(&mut self) -> Vec<String> {
        let mut texts = Vec::new();
        for _ in 0..AT_ONCE {
            match self.socket.read() {
                Ok(Message::Text(text)) => texts.push(text.as_str().to_owned()),
                Ok(Message::Close(_)) => self.is_open = false,
                Ok(_) => {}
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => break,
                Err(Error::Capacity(error)) => self.close(&error.to_string()),
                Err(_) => self.is_open = false,
            }
            if !self.is_open {
                break;
            }
        }
        texts
    }

    fn send(&mut self, text: &str) {
        match self.socket.write(Message::text(text)) {
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => self.is_pending = true,
            Err(Error::WriteBufferFull(_)) => self.close("it does not read what it is sent"),
            Err(_) => self.is_open = false,
            Ok(()) => {}
        }
    }

    fn flush(&mut self) {
        match self.socket.flush() {
            Ok(()) => self.is_pending = false,
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => self.is_pending = true,
            Err(_) => self.is_open = false,
        }
    }

    fn close(&mut self, why: &str) {
        if std::mem::replace(&mut self.is_open, false) {
            tracing::warn!("a client of the link is dropped: {why}");
        }
    }
}
