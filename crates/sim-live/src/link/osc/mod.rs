//! The door for Processing, Max and other programs that speak OSC to a bridge for toio cubes.
//!
//! The door is the bridge: it holds every cube that is free, hears all notifications, and sends them to a port of this machine. Packets
//! come in at another port. Nothing beyond the machine is heard or sent to.

mod packet;
mod words;

use super::gatt::{ClientId, Gatt, GattEvent, Way};
use rustix::event::{PollFd, PollFlags};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

pub use self::packet::{MAX_PACKET_BYTES, Message, parse};
pub use self::words::{Dialect, Write, message, write};

/// The only client of the door.
const CLIENT: ClientId = ClientId { way: Way::Osc, number: 0 };
/// Packets that are read in one turn.
const AT_ONCE: usize = 256;
/// Refusals that are logged at most.
const MAX_LOGGED: u64 = 20;

/// Where packets come and go, and how they are written.
#[derive(Clone, Copy, Debug)]
pub struct OscOptions {
    /// Port that packets come in at.
    pub listen: u16,
    /// Port that packets go to.
    pub send: u16,
    /// How messages are written.
    pub dialect: Dialect,
}

/// The door.
#[derive(Debug)]
pub(super) struct OscDoor {
    socket: UdpSocket,
    to: SocketAddr,
    dialect: Dialect,
    refused: u64,
}

impl OscDoor {
    /// Listens at a port of this machine.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn bind(options: OscOptions) -> io::Result<Self> {
        let at = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let socket = UdpSocket::bind(at(options.listen))
            .map_err(|error| io::Error::new(error.kind(), format!("port {} for OSC: {error}", options.listen)))?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, to: at(options.send), dialect: options.dialect, refused: 0 })
    }

    /// What the loop waits for.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.push(PollFd::new(&self.socket, PollFlags::IN));
    }

    /// Hears what has come.
    pub fn hear(&mut self, gatt: &mut Gatt) {
        // One byte more tells a packet that is too long.
        let mut bytes = [0; MAX_PACKET_BYTES + 1];
        for _ in 0..AT_ONCE {
            let Ok(count) = self.socket.recv(&mut bytes) else { return };
            match parse(&bytes[..count]) {
                Ok(messages) => messages.iter().for_each(|message| {
                    if let Err(why) = take(message, self.dialect, gatt) {
                        self.refuse(why);
                    }
                }),
                Err(why) => self.refuse(why),
            }
        }
    }

    fn refuse(&mut self, why: &str) {
        self.refused += 1;
        if self.refused <= MAX_LOGGED {
            tracing::warn!(why, count = self.refused, "OSC packet refused");
        }
    }

    /// Sends what cubes notify, and takes those that are free.
    pub fn tell(&mut self, events: &[GattEvent], gatt: &mut Gatt) {
        for event in events.iter().filter(|event| event.client() == CLIENT) {
            match event {
                GattEvent::Connected { device, .. } => subscribe(*device, gatt),
                GattEvent::Notified { device, characteristic, bytes, .. } => {
                    let name = &gatt.devices()[*device].characteristics[*characteristic].name;
                    if let Some(message) = message(*device, name, bytes, self.dialect) {
                        // UDP: whether anyone hears it is not known.
                        let _ = self.socket.send_to(&message.to_bytes(), self.to);
                    }
                }
                _ => {}
            }
        }
        for device in 0..gatt.devices().len() {
            if gatt.is_free(device) {
                let _ = gatt.connect(CLIENT, device);
            }
        }
    }
}

fn take(message: &Message, dialect: Dialect, gatt: &mut Gatt) -> Result<(), &'static str> {
    let Write { cube, characteristic, bytes } = write(message, dialect)?;
    let known = usize::try_from(cube).ok().and_then(|cube| Some((cube, gatt.devices().get(cube)?)));
    let (cube, device) = known.ok_or("names no cube")?;
    let place = device.characteristics.iter().position(|known| known.name == characteristic);
    let place = place.ok_or("asks what the device does not have")?;
    gatt.write(CLIENT, (cube, place), bytes).map_err(|refusal| refusal.text())
}

/// Asks for all notifications of a cube.
fn subscribe(device: usize, gatt: &mut Gatt) {
    for place in 0..gatt.devices()[device].characteristics.len() {
        if gatt.devices()[device].characteristics[place].notify {
            let _ = gatt.subscribe(CLIENT, (device, place), true);
        }
    }
}
