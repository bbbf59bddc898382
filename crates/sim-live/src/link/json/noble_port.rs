//! The WebSocket at the address that classic noble has built in: `ws://localhost:2846`, without a path or a token.
//!
//! A browser is refused by its `Origin`, and a name that is bound to this address by its `Host`. Programs of other users of the machine
//! are not kept out: noble sends nothing that could tell them apart.

use crate::server::http::{Answer, MAX_HEAD, answer_program, end_of_head, plain};
use rustix::event::{PollFd, PollFlags};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};

/// The port.
const PORT: u16 = 0xb1e;
/// Connections without a whole head at most; the oldest one makes place.
const MAX_ASKING: usize = 16;

/// The listeners, with those who have come and not said all yet.
#[derive(Debug, Default)]
pub struct NoblePort {
    listeners: Vec<TcpListener>,
    asking: Vec<(TcpStream, Vec<u8>)>,
}

impl NoblePort {
    /// Listens on both loopback addresses, as far as they are free.
    pub fn open() -> Self {
        let addresses = [SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)), SocketAddr::from((Ipv6Addr::LOCALHOST, PORT))];
        let bind = |address: SocketAddr| {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok::<_, std::io::Error>(listener)
        };
        let listeners = addresses.into_iter().filter_map(|address| {
            bind(address).inspect_err(|error| tracing::warn!("no port for NOBLE_WEBSOCKET: {address}: {error}")).ok()
        });
        Self { listeners: listeners.collect(), asking: Vec::new() }
    }

    /// What the loop waits for.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.extend(self.listeners.iter().map(|listener| PollFd::new(listener, PollFlags::IN)));
        waits.extend(self.asking.iter().map(|(stream, _)| PollFd::new(stream, PollFlags::IN)));
    }

    /// Connections whose clients have been answered.
    pub fn hear(&mut self) -> Vec<TcpStream> {
        for listener in &self.listeners {
            while let Ok((stream, _)) = listener.accept() {
                // Notifications are small and shall not wait for each other.
                let _ = stream.set_nodelay(true);
                if stream.set_nonblocking(true).is_ok() {
                    self.asking.push((stream, Vec::new()));
                }
            }
        }
        let beyond = self.asking.len().saturating_sub(MAX_ASKING);
        self.asking.drain(..beyond);
        let mut ready = Vec::new();
        for (stream, head) in std::mem::take(&mut self.asking) {
            self.read_head(stream, head, &mut ready);
        }
        ready
    }

    fn read_head(&mut self, mut stream: TcpStream, mut head: Vec<u8>, ready: &mut Vec<TcpStream>) {
        let mut part = [0; 1024];
        while head.len() <= MAX_HEAD {
            match stream.read(&mut part) {
                Ok(count) if count > 0 => head.extend(&part[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return self.asking.push((stream, head)),
                _ => return,
            }
            if let Some(end) = end_of_head(&head) {
                let address = stream.local_addr();
                let answer = address.map_or(Answer::Refused(400, "Bad Request"), |of| answer_program(&head[..end], of));
                // A new socket takes so few bytes at once.
                return match answer {
                    Answer::Devices(head) => ready.extend(stream.write_all(head.as_bytes()).is_ok().then_some(stream)),
                    Answer::Refused(status, reason) => {
                        tracing::warn!(reason, "request for the port of noble refused");
                        let _ = stream.write_all(&plain((status, reason), ("", ""), &format!("{reason}\n")));
                    }
                    _ => {}
                };
            }
        }
    }
}
