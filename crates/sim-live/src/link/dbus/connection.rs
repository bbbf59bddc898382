//! One connection of a bus client: bytes in, bytes out, and what the bus knows of it.

use super::auth::Auth;
use super::rules::MatchRule;
use super::wire::{Kind, MAX_MESSAGE_BYTES, Message, Value, message_bytes};
use crate::link::socket::Socket;

/// Name under which the bus itself and BlueZ speak.
pub const OWNER: &str = ":1.0";
/// Well-known name of BlueZ.
pub const BLUEZ: &str = "org.bluez";
/// Match rules of a connection at most.
const MAX_RULES: usize = 4096;

/// A connection.
#[derive(Debug)]
pub struct Connection {
    pub socket: Socket,
    auth: Auth,
    /// Its number; its unique name is `:1.` and the number.
    pub id: u32,
    /// The process that it is of, by its place in the bus.
    pub process: usize,
    /// It asked for discovery.
    pub scans: bool,
    rules: Vec<(String, MatchRule)>,
    serial: u32,
}

impl Connection {
    /// A connection that has just been accepted.
    pub fn new(socket: Socket, id: u32, process: usize) -> Self {
        Self { socket, auth: Auth::default(), id, process, scans: false, rules: Vec::new(), serial: 0 }
    }

    /// Its unique name.
    pub fn name(&self) -> String {
        format!(":1.{}", self.id)
    }

    /// The messages that have come, in their order. A connection that breaks the rules is closed.
    pub fn hear(&mut self, guid: &str) -> Vec<Message> {
        self.socket.read();
        if self.auth != Auth::Done && self.auth.advance(guid, &mut self.socket.input, &mut self.socket.output).is_err()
        {
            self.socket.close("it does not begin as a D-Bus client does");
        }
        let mut messages = Vec::new();
        if self.auth != Auth::Done {
            return messages;
        }
        let mut taken = 0;
        loop {
            let rest = &self.socket.input[taken..];
            let length = match message_bytes(rest) {
                Ok(Some(length)) => length,
                Ok(None) => break,
                Err(error) => {
                    self.socket.close(error.0);
                    break;
                }
            };
            match Message::parse(&rest[..length]) {
                Ok(message) => messages.push(message),
                Err(error) => {
                    self.socket.close(error.0);
                    break;
                }
            }
            taken += length;
        }
        self.socket.input.drain(..taken);
        debug_assert!(self.socket.input.len() <= MAX_MESSAGE_BYTES || !self.socket.is_open());
        messages
    }

    /// Adds a match rule. Returns false if it is none, or there are too many.
    pub fn add_rule(&mut self, text: &str) -> bool {
        let rule = MatchRule::parse(text).filter(|_| self.rules.len() < MAX_RULES);
        let is_taken = rule.is_some();
        self.rules.extend(rule.map(|rule| (text.to_owned(), rule)));
        is_taken
    }

    /// Takes one match rule of that text away. Returns false if there is none.
    pub fn remove_rule(&mut self, text: &str) -> bool {
        let at = self.rules.iter().position(|(known, _)| known == text);
        at.map(|at| self.rules.remove(at)).is_some()
    }

    /// Sends a signal if a rule wants it.
    pub fn signal(&mut self, signal: &Message) {
        if self.rules.iter().any(|(_, rule)| rule.wants(signal, BLUEZ)) {
            self.send(signal.clone());
        }
    }

    /// Answers a call.
    pub fn reply(&mut self, reply_serial: u32, body: Vec<Value>) {
        self.send(Message { kind: Kind::Return, reply_serial, body, ..Message::default() });
    }

    /// Answers a call that has failed.
    pub fn fail(&mut self, reply_serial: u32, (name, text): (&str, &str)) {
        let body = vec![Value::str(text)];
        self.send(Message { kind: Kind::Error, reply_serial, error_name: name.to_owned(), body, ..Message::default() });
    }

    fn send(&mut self, message: Message) {
        self.serial = self.serial.checked_add(1).unwrap_or(1);
        let destination = if message.kind == Kind::Signal { String::new() } else { self.name() };
        let message = Message { serial: self.serial, sender: OWNER.to_owned(), destination, ..message };
        message.write_to(&mut self.socket.output);
    }
}
