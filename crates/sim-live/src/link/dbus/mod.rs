//! The door for programs that use Bluetooth through BlueZ: bleak, toio.py, btleplug, noble with its D-Bus bindings.
//!
//! The door is its own bus: clients of BlueZ never talk to each other, so that nothing has to be routed. Each connection talks to the bus
//! (`org.freedesktop.DBus`) and to BlueZ (`org.bluez`), which are both this program.
//!
//! Replies and signals of one event go out in an order that clients need, on sockets of their own: signals of a connection, then the
//! reply 40 ms later; the reply of a disconnection, then the signals 40 ms later. A real link takes 50 to 200 ms. All delays are simulated
//! time.

mod auth;
mod bluez;
mod connection;
mod objects;
mod rules;
pub mod wire;

use self::bluez::Bluez;
use self::connection::Connection;
use super::gatt::{Gatt, GattEvent, Way};
use super::socket::Listener;
use rustix::event::PollFd;
use std::io;
use std::path::Path;

pub use self::auth::{Auth, NoAuth};
pub use self::rules::MatchRule;

/// Connections at once at most.
const MAX_CONNECTIONS: usize = 256;

/// The bus with everything on it.
#[derive(Debug)]
pub(super) struct DbusDoor {
    listener: Listener,
    connections: Vec<Connection>,
    /// Processes that connections are of, by their first appearance.
    processes: Vec<Process>,
    bluez: Bluez,
    next_id: u32,
    /// Bytes that moved over connections that have ended.
    moved: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    pid: Option<i32>,
}

impl DbusDoor {
    /// A bus at a path.
    ///
    /// # Errors
    /// If the socket cannot be made.
    pub fn bind(path: &Path, gatt: &Gatt) -> io::Result<Self> {
        let listener = Listener::bind(path)?;
        let bluez = Bluez::new(gatt.devices().len());
        Ok(Self { listener, connections: Vec::new(), processes: Vec::new(), bluez, next_id: 1, moved: 0 })
    }

    /// What the loop waits for.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.push(self.listener.watch());
        waits.extend(self.connections.iter().map(|connection| connection.socket.watch()));
    }

    /// Bytes that came and went so far.
    pub fn moved(&self) -> u64 {
        self.moved + self.connections.iter().map(|connection| connection.socket.moved).sum::<u64>()
    }

    /// Hears clients in the order of their connections.
    pub fn hear(&mut self, gatt: &mut Gatt) {
        while self.connections.len() < MAX_CONNECTIONS {
            let Some(socket) = self.listener.accept() else { break };
            let pid = rustix::net::sockopt::socket_peercred(socket.stream()).ok();
            let process = self.process(pid.map(|of| of.pid.as_raw_nonzero().get()), gatt);
            self.connections.push(Connection::new(socket, self.next_id, process));
            self.next_id += 1;
        }
        for at in 0..self.connections.len() {
            for message in self.connections[at].hear(bluez::GUID) {
                self.bluez.call(&mut self.connections, at, &message, gatt);
            }
        }
        self.flush(gatt);
    }

    /// Tells clients what a step yielded, and what is due at `now_us`.
    pub fn tell(&mut self, now_us: u64, events: &[GattEvent], gatt: &mut Gatt) {
        for event in events.iter().filter(|event| event.client().way == Way::Dbus) {
            self.bluez.note(&mut self.connections, now_us, event, gatt);
        }
        self.bluez.advance(&mut self.connections, now_us, gatt);
        self.flush(gatt);
    }

    /// Writes what is to go, and lets go of what clients that have gone held.
    fn flush(&mut self, gatt: &mut Gatt) {
        self.connections.iter_mut().for_each(|connection| connection.socket.write());
        while let Some(at) = self.connections.iter().position(|connection| !connection.socket.is_open()) {
            let gone = self.connections.remove(at);
            self.moved += gone.socket.moved;
            self.bluez.leave(&self.connections, &gone, gatt);
        }
    }

    /// The place of a process; one that is not known by its number has a place of its own.
    fn process(&mut self, pid: Option<i32>, gatt: &Gatt) -> usize {
        let process = Process { pid };
        let known = self.processes.iter().position(|known| pid.is_some() && *known == process);
        known.unwrap_or_else(|| {
            self.processes.push(process);
            self.bluez.add_process(gatt.devices());
            self.processes.len() - 1
        })
    }
}
