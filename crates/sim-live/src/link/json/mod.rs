//! The door for programs that use noble, pages that use Web Bluetooth, and scripts: one protocol, messages in JSON.
//!
//! ```text
//! > {"action":"connect","peripheralUuid":"f00000000000"}
//! < {"type":"connect","peripheralUuid":"f00000000000"}
//! > {"action":"write","peripheralUuid":"f00000000000","characteristicUuid":"10b20102…","data":"0201011e02011e64"}
//! < {"type":"write", …}
//! ```
//!
//! Messages come as lines over a socket in the private folder, over the WebSocket `/gatt` of the stage, and over the one at port 2846 that
//! noble knows. A client is a connection; once it closes, its devices are free. Answers about one device come in the order of the
//! questions, in simulated time.

mod channel;
mod client;
mod message;
mod noble_port;

use self::channel::Channel;
use self::client::Client;
use self::noble_port::NoblePort;
use super::gatt::{ADVERTISING_US, ClientId, Gatt, GattEvent, Way};
use super::socket::Listener;
use rustix::event::PollFd;
use std::io;
use std::net::TcpStream;
use std::path::Path;

pub use self::message::{Action, MAX_MESSAGE_BYTES, Request};

/// Clients at once at most.
const MAX_CLIENTS: usize = 64;
/// Refusals that are logged at most.
const MAX_LOGGED: u64 = 20;

/// All clients of the protocol.
#[derive(Debug, Default)]
pub(super) struct JsonDoor {
    lines: Option<Listener>,
    noble: NoblePort,
    clients: Vec<Client>,
    next_number: u32,
    now_us: u64,
    /// Advertisements that have gone out.
    advertised: u64,
    /// Messages that were refused.
    refused: u64,
}

impl JsonDoor {
    /// A door for programs with noble: a socket at a path, and the port that noble knows.
    ///
    /// # Errors
    /// If the socket cannot be made.
    pub fn for_noble(path: &Path) -> io::Result<Self> {
        Ok(Self { lines: Some(Listener::bind(path)?), noble: NoblePort::open(), ..Self::default() })
    }

    /// What the loop waits for.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.extend(self.lines.iter().map(Listener::watch));
        self.noble.watch(waits);
        waits.extend(self.clients.iter().map(|client| client.channel.watch()));
    }

    /// A client that the stage has let in.
    pub fn adopt(&mut self, stream: TcpStream, gatt: &Gatt) {
        self.welcome(Channel::web(stream), gatt);
    }

    /// Hears clients in the order of their connections.
    pub fn hear(&mut self, gatt: &mut Gatt) {
        while let Some(socket) = self.lines.as_ref().and_then(Listener::accept) {
            self.welcome(Channel::Lines(socket), gatt);
        }
        for stream in self.noble.hear() {
            self.welcome(Channel::web(stream), gatt);
        }
        for at in 0..self.clients.len() {
            for why in self.clients[at].hear(self.now_us, gatt) {
                self.refused += 1;
                if self.refused <= MAX_LOGGED {
                    tracing::warn!(why, count = self.refused, "message of a program refused");
                }
            }
        }
        self.release(gatt);
    }

    fn welcome(&mut self, channel: Channel, gatt: &Gatt) {
        if self.clients.len() >= MAX_CLIENTS {
            tracing::warn!("a client of the link is dropped: there are {MAX_CLIENTS} already");
            return;
        }
        let id = ClientId { way: Way::Json, number: self.next_number };
        self.next_number += 1;
        let is_free = |place: &usize| self.clients.iter().all(|client| client.place != *place);
        let place = (0..).find(is_free).unwrap_or_default();
        self.clients.push(Client::new(channel, id, place, gatt.devices().len()));
    }

    /// Tells clients what a step yielded, and what is due at `now_us`.
    pub fn tell(&mut self, now_us: u64, events: &[GattEvent], gatt: &mut Gatt) {
        self.now_us = now_us;
        for event in events {
            if let Some(client) = self.clients.iter_mut().find(|client| client.id == event.client()) {
                client.note(event, now_us, gatt.devices());
            }
        }
        let advertised = now_us / ADVERTISING_US;
        if std::mem::replace(&mut self.advertised, advertised) != advertised {
            self.advertise((advertised % 2) as i16, gatt);
        }
        self.clients.iter_mut().for_each(|client| client.advance(now_us));
        self.release(gatt);
    }

    fn advertise(&mut self, wavers_dbm: i16, gatt: &Gatt) {
        for device in (0..gatt.devices().len()).filter(|&device| gatt.is_free(device)) {
            self.clients.iter_mut().for_each(|client| client.advertise(device, wavers_dbm, gatt.devices()));
        }
    }

    /// Lets go of what clients that have gone held.
    fn release(&mut self, gatt: &mut Gatt) {
        for client in self.clients.extract_if(.., |client| !client.channel.is_open()) {
            gatt.release(client.id);
        }
    }
}
