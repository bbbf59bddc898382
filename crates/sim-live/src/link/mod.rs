//! The door for real client programs of the devices of a world, such as toio cubes.
//!
//! ```text
//! gatt      who holds which device; requests become rows, rows become events
//! dbus      programs that use BlueZ
//! json      programs that use noble or Web Bluetooth
//! osc       programs that speak OSC to a bridge
//! clocks    programs whose time is that of the world
//! program   the program that a session is started for
//! ```

pub mod clocks;
pub mod dbus;
mod gatt;
pub mod json;
pub mod osc;
mod program;
mod socket;

use self::clocks::Clocks;
use self::dbus::DbusDoor;
use self::gatt::{Gatt, GattEvent};
use self::json::JsonDoor;
use self::osc::{OscDoor, OscOptions};
use self::program::Program;
use self::socket::PrivateFolder;
use crate::door::{Door, Gate, Inbox};
use rustix::event::PollFd;
use sim_run::Session;
use sim_world::Model;
use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Virtual time for Python programs: the module that their interpreter reads first.
const PYTHON_SHIM: &str = include_str!("../../python/sitecustomize.py");

/// noble without Bluetooth: the module that Node reads first.
const NODE_SHIM: &str = include_str!("../../node/toio-sim-noble.cjs");
const NODE_SHIM_FILE: &str = "toio-sim-noble.cjs";

/// Which doors are opened, and for which program.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// A bus with BlueZ on it.
    pub dbus: bool,
    /// Messages in JSON for noble, over a socket and a port of their own.
    pub noble: bool,
    /// Messages in JSON for pages and scripts, which the stage lets in.
    pub web: bool,
    /// OSC packets, at ports of this machine.
    pub osc: Option<OscOptions>,
    /// Clients make the time.
    pub lockstep: bool,
    /// Program with its arguments that the session is for; it ends with it.
    pub program: Vec<OsString>,
}

/// All doors for client programs.
#[derive(Debug)]
pub struct Link {
    gatt: Gatt,
    dbus: Option<DbusDoor>,
    json: Option<JsonDoor>,
    osc: Option<OscDoor>,
    clocks: Option<Clocks>,
    program: Option<Program>,
    exit_code: Rc<Cell<Option<i32>>>,
    folder: PrivateFolder,
    /// Simulated time since the session began, over all its runs.
    now_us: u64,
    /// Of which the present run had not begun.
    began_us: u64,
    /// Bytes that had moved when clients were last woken.
    moved: u64,
}

impl Link {
    /// Opens the doors at the start of a session.
    ///
    /// # Errors
    /// If the world has no devices, a socket cannot be made or the program cannot be started.
    pub fn open(model: &dyn Model, folder: PathBuf, options: &LinkOptions) -> io::Result<Self> {
        let gatt = Gatt::new(model).ok_or_else(|| {
            io::Error::new(io::ErrorKind::Unsupported, "this world has no devices that programs could talk to")
        })?;
        let folder = PrivateFolder::create(folder)?;
        let dbus = options.dbus.then(|| DbusDoor::bind(&folder.path().join("bus"), &gatt)).transpose()?;
        let clocks = options.lockstep.then(|| Clocks::bind(&folder.path().join("clock"))).transpose()?;
        let json = match (options.noble, options.web) {
            (true, _) => Some(JsonDoor::for_noble(&folder.path().join("gatt"))?),
            (false, web) => web.then(JsonDoor::default),
        };
        let osc = options.osc.map(OscDoor::bind).transpose()?;
        std::fs::write(folder.path().join("sitecustomize.py"), PYTHON_SHIM)?;
        std::fs::write(folder.path().join(NODE_SHIM_FILE), NODE_SHIM)?;
        let environment = environment(folder.path(), options);
        let program = Program::start(&options.program, &environment)?;
        let exit_code = Rc::default();
        Ok(Self { gatt, dbus, json, osc, clocks, program, exit_code, folder, now_us: 0, began_us: 0, moved: 0 })
    }

    /// Variables of the environment that a program needs, for a person who starts it by hand.
    #[must_use]
    pub fn environment(&self, options: &LinkOptions) -> Vec<(&'static str, OsString)> {
        environment(self.folder.path(), options)
    }

    /// Where the exit status of the program stands once it has ended.
    #[must_use]
    pub fn exit_code(&self) -> Rc<Cell<Option<i32>>> {
        Rc::clone(&self.exit_code)
    }

    /// True unless a client of the clock is at work.
    fn hears_messages(&self) -> bool {
        self.clocks.as_ref().is_none_or(|clocks| clocks.is_empty() || clocks.wish_us().is_some())
    }

    fn tell_clients(&mut self, events: &[GattEvent]) {
        if let Some(dbus) = &mut self.dbus {
            dbus.tell(self.now_us, events, &mut self.gatt);
        }
        if let Some(json) = &mut self.json {
            json.tell(self.now_us, events, &mut self.gatt);
        }
        if let Some(osc) = &mut self.osc {
            osc.tell(events, &mut self.gatt);
        }
    }

    /// Wakes clients if something came to them, or their moment has come.
    fn wake(&mut self) {
        let moved = self.dbus.as_ref().map_or(0, DbusDoor::moved);
        let Some(clocks) = &mut self.clocks else { return };
        if clocks.wish_us().is_some() {
            let has_message = std::mem::replace(&mut self.moved, moved) != moved;
            clocks.wake(self.now_us, has_message);
        }
    }
}

fn environment(folder: &Path, options: &LinkOptions) -> Vec<(&'static str, OsString)> {
    let mut variables = Vec::new();
    if options.dbus {
        let mut address = OsString::from("unix:path=");
        address.push(folder.join("bus"));
        variables.push(("DBUS_SYSTEM_BUS_ADDRESS", address));
    }
    if options.noble {
        variables.push(("TOIO_SIM_GATT", folder.join("gatt").into_os_string()));
        let mut node = OsString::from("--require \"");
        node.push(folder.join(NODE_SHIM_FILE));
        node.push("\"");
        if let Some(others) = std::env::var_os("NODE_OPTIONS") {
            node.push(" ");
            node.push(others);
        }
        variables.push(("NODE_OPTIONS", node));
    }
    if options.lockstep {
        variables.push(("TOIO_SIM_CLOCK", folder.join("clock").into_os_string()));
        let mut path = folder.as_os_str().to_owned();
        if let Some(others) = std::env::var_os("PYTHONPATH") {
            path.push(":");
            path.push(others);
        }
        variables.push(("PYTHONPATH", path));
        variables.push(("PYTHONHASHSEED", "0".into()));
    }
    variables
}

impl Door for Link {
    fn begin(&mut self, session: &Session) {
        self.began_us = self.now_us;
        let events = self.gatt.begin(session);
        self.tell_clients(&events);
    }

    fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        if let Some(clocks) = &self.clocks {
            clocks.watch(waits);
        }
        if let Some(dbus) = self.dbus.as_ref().filter(|_| self.hears_messages()) {
            dbus.watch(waits);
        }
        if let Some(json) = &self.json {
            json.watch(waits);
        }
        if let Some(osc) = &self.osc {
            osc.watch(waits);
        }
        if let Some(program) = &self.program {
            program.watch(waits);
        }
    }

    fn adopt(&mut self, socket: TcpStream) -> Option<TcpStream> {
        match &mut self.json {
            None => Some(socket),
            Some(json) => {
                json.adopt(socket, &self.gatt);
                None
            }
        }
    }

    /// Clocks first: what a client wrote before it said that it waits is then there. While a client of the clock is at work, the others
    /// are not heard, so that the order of what they want does not depend on how fast they are.
    fn hear(&mut self, _session: &Session, inbox: &mut Inbox) {
        if let Some(clocks) = &mut self.clocks {
            clocks.hear(self.now_us);
        }
        let is_heard = self.hears_messages();
        if let Some(dbus) = self.dbus.as_mut().filter(|_| is_heard) {
            dbus.hear(&mut self.gatt);
        }
        if let Some(json) = &mut self.json {
            json.hear(&mut self.gatt);
        }
        if let Some(osc) = &mut self.osc {
            osc.hear(&mut self.gatt);
        }
        self.gatt.give(inbox);
        if let Some(program) = &mut self.program {
            self.exit_code.set(program.look());
        }
        self.wake();
    }

    fn tell(&mut self, session: &Session) {
        self.now_us = self.began_us + session.tick().0 * 1_000_000 / u64::from(session.model().info().step_hz);
        let events = self.gatt.look(session);
        self.tell_clients(&events);
        self.wake();
    }

    fn gate(&self) -> Gate {
        match &self.clocks {
            None => Gate::Clock,
            Some(clocks) if clocks.wish_us().is_some_and(|wish_us| wish_us > self.now_us) => Gate::Open,
            Some(_) => Gate::Closed,
        }
    }

    fn is_over(&self) -> bool {
        self.exit_code.get().is_some()
    }
}
