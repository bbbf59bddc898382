//! The server of the stage: the page, and a socket for each page that looks at the run.
//!
//! One thread serves all, between two steps, without waiting for any: what a page does not read is left out for it.

pub mod http;
mod rate;
mod viewer;

use crate::door::{Command, Inbox};
use crate::error::LiveError;
use crate::message::{self, Message};
use crate::pace::Speed;
use http::{Answer, MAX_HEAD, Policy, end_of_head};
use rustix::event::{PollFd, PollFlags};
use serde::Serialize;
use sim_run::Session;
use sim_view::stage::{FrameWriter, Scene, page};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;
use tungstenite::{Bytes, Message as Packet};
use viewer::{Fate, Viewer};

/// Connections at most; further ones are closed at once.
const MAX_CONNECTIONS: usize = 64;
/// Pages at most.
const MAX_VIEWERS: usize = 16;
/// Time for the head of a request, and for reading an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Least time between two frames: 60 a second, and a little less than their interval.
const FRAME_EVERY: Duration = Duration::from_micros(15_500);
/// Warnings about clients that are logged at most.
const MAX_LOGGED: u64 = 20;

/// What was refused so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Requests with a wrong token, host, origin or path, or with no end.
    pub requests: u64,
    /// Connections beyond the limit.
    pub connections: u64,
    /// Pages that sent too much, in one message or in many.
    pub floods: u64,
    /// Messages that cannot be read.
    pub messages: u64,
    /// Messages of pages without the controls.
    pub spectators: u64,
    /// Frames that were left out because a page was behind.
    pub frames: u64,
}

/// A client by what it has done so far.
#[derive(Debug)]
enum Connection {
    /// It has sent a part of a head.
    Asking { stream: TcpStream, head: Vec<u8>, since: Duration },
    /// It gets an answer, after which it is closed.
    Answered { stream: TcpStream, answer: Vec<u8>, at: usize, since: Duration },
    /// It looks at the run.
    Viewing(Box<Viewer>),
}

/// What a page is told of the session.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Status {
    /// No step is made by itself.
    pub paused: bool,
    /// Simulated seconds a second; none for the fastest.
    pub speed: Option<f64>,
    /// Lateness that 99 of 100 steps keep below, ms.
    pub late_ms: f64,
    /// Wall time that was not caught up, s.
    pub lost_s: f64,
    /// Index of the run.
    pub run: u64,
    /// Rows that were wrong.
    pub refused: u64,
    /// What was wrong with the last of the first ones.
    pub wrong: String,
    /// Distances and limits broken so far.
    pub violations: u64,
    /// True after the last step.
    pub over: bool,
}

/// The script that stands in for Web Bluetooth, with a place for the address of the socket.
const WEB_BLUETOOTH_SCRIPT: &str = include_str!("../../web/toio-web-bluetooth.js");

/// Where the stage is served, and for whom.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where it listens.
    pub address: SocketAddr,
    /// Token of its address; none for a random one.
    pub token: Option<String>,
    /// True if programs in browsers may drive devices.
    pub serves_devices: bool,
    /// Origins of other sites whose pages may do so, such as `https://example.org`.
    pub origins: Vec<String>,
}

impl ServerOptions {
    /// A stage at an address, with a random token, for its own pages alone.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self { address, token: None, serves_devices: false, origins: Vec::new() }
    }
}

/// The server.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    policy: Policy,
    page: String,
    connections: Vec<Connection>,
    /// Sockets of programs that drive devices, for a door to take.
    device_sockets: Vec<TcpStream>,
    next_id: u64,
    /// The page that has the controls, then those that want them.
    turns: Vec<u64>,
    counts: Counts,
    frames: FrameWriter,
    hello: String,
    framed: Duration,
    /// True if a frame has been made that no page could be sent yet.
    is_changed: bool,
}

impl Server {
    /// Listens on an address, for the pages of a session.
    ///
    /// # Errors
    /// If the address cannot be had, there is no randomness for the token, or the run cannot be drawn.
    pub fn start(options: &ServerOptions, session: &Session) -> Result<Self, LiveError> {
        let ServerOptions { address, token, serves_devices, origins } = options.clone();
        let fault = |reason| LiveError::Listen { address, reason };
        let listener = TcpListener::bind(address).map_err(fault)?;
        listener.set_nonblocking(true).map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let token = token.map_or_else(random_word, Ok)?;
        let policy = Policy { address, token, nonce: random_word()?, serves_devices, origins };
        let page = page(session.model().info().name, &policy.nonce);
        let (frames, hello) = scene(session)?;
        Ok(Self {
            listener,
            policy,
            page,
            connections: Vec::new(),
            device_sockets: Vec::new(),
            next_id: 0,
            turns: Vec::new(),
            counts: Counts::default(),
            frames,
            hello,
            framed: Duration::ZERO,
            is_changed: true,
        })
    }

    /// Address of the page, with the token.
    #[must_use]
    pub fn url(&self) -> String {
        let Policy { address, token, .. } = &self.policy;
        format!("http://{address}/?token={token}")
    }

    /// Sockets of programs that drive devices, whose requests have been answered.
    pub fn take_device_sockets(&mut self) -> Vec<TcpStream> {
        std::mem::take(&mut self.device_sockets)
    }

    /// What was refused so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// A run is at its start; the pages stay.
    ///
    /// # Errors
    /// If the run cannot be drawn.
    pub fn begin(&mut self, session: &Session) -> Result<(), LiveError> {
        (self.frames, self.hello) = scene(session)?;
        let hello = &self.hello;
        for viewer in viewers(&mut self.connections) {
            viewer.begin();
            viewer.write(Packet::text(hello));
        }
        (self.is_changed, self.framed) = (true, Duration::ZERO);
        Ok(())
    }

    /// Adds what the loop sleeps on.
    pub fn watch<'a>(&'a self, waits: &mut Vec<PollFd<'a>>) {
        waits.push(PollFd::new(&self.listener, PollFlags::IN));
        waits.extend(self.connections.iter().map(|connection| match connection {
            Connection::Asking { stream, .. } => PollFd::new(stream, PollFlags::IN),
            Connection::Answered { stream, .. } => PollFd::new(stream, PollFlags::OUT),
            Connection::Viewing(viewer) => {
                let out = if viewer.is_pending() { PollFlags::OUT } else { PollFlags::empty() };
                PollFd::new(viewer.stream(), PollFlags::IN | out)
            }
        }));
    }

    /// Serves all clients once.
    pub fn hear(&mut self, now: Duration, session: &Session, inbox: &mut Inbox) {
        for connection in std::mem::take(&mut self.connections) {
            let left = match &connection {
                Connection::Viewing(viewer) => Some(viewer.id),
                _ => None,
            };
            match self.serve(connection, now, session, inbox) {
                Some(connection) => self.connections.push(connection),
                None => self.turns.retain(|id| Some(*id) != left),
            }
        }
        // After those that went away have left their places.
        self.accept(now);
        // The controls that none has go to the page that has been there longest.
        if self.turns.is_empty() {
            self.turns.extend(viewers(&mut self.connections).map(|viewer| viewer.id).min());
            self.is_changed |= !self.turns.is_empty();
        }
    }

    fn accept(&mut self, now: Duration) {
        for _ in 0..MAX_CONNECTIONS {
            let Ok((stream, _)) = self.listener.accept() else { return };
            if self.connections.len() >= MAX_CONNECTIONS || stream.set_nonblocking(true).is_err() {
                self.counts.connections += 1;
                continue;
            }
            // Frames are small and shall not wait for each other; without it they are only later.
            let _ = stream.set_nodelay(true);
            self.connections.push(Connection::Asking { stream, head: Vec::new(), since: now });
        }
    }

    /// Serves a client once; none if it is done with.
    fn serve(
        &mut self,
        connection: Connection,
        now: Duration,
        session: &Session,
        inbox: &mut Inbox,
    ) -> Option<Connection> {
        match connection {
            Connection::Asking { stream, head, since } => self.read_head(stream, head, since, now),
            Connection::Answered { stream, answer, at, since } => send(stream, answer, at, since, now),
            Connection::Viewing(viewer) => self.serve_viewer(viewer, now, session, inbox).map(Connection::Viewing),
        }
    }

    fn read_head(
        &mut self,
        mut stream: TcpStream,
        mut head: Vec<u8>,
        since: Duration,
        now: Duration,
    ) -> Option<Connection> {
        let mut part = [0; 1024];
        let end = loop {
            match stream.read(&mut part) {
                Ok(0) => return None,
                Ok(count) => head.extend(&part[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break end_of_head(&head),
                Err(_) => return None,
            }
            if let Some(end) = end_of_head(&head) {
                break Some(end);
            }
            if head.len() > MAX_HEAD {
                break None;
            }
        };
        match end {
            Some(end) => self.answer(stream, &head[..end], now),
            None if head.len() <= MAX_HEAD && now.saturating_sub(since) < PATIENCE => {
                Some(Connection::Asking { stream, head, since })
            }
            None => {
                self.refuse("a request has no end");
                None
            }
        }
    }

    fn answer(&mut self, mut stream: TcpStream, head: &[u8], now: Duration) -> Option<Connection> {
        let viewing = self.connections.iter().filter(|one| matches!(one, Connection::Viewing(_))).count();
        let nonce = &self.policy.nonce;
        let answer = match http::answer(head, &self.policy) {
            Answer::Page { host } => http::plain((200, "OK"), (&host, nonce), &self.page),
            Answer::Socket(_) if viewing >= MAX_VIEWERS => {
                self.refuse("too many pages");
                http::plain((503, "Service Unavailable"), ("", ""), "too many pages\n")
            }
            Answer::Socket(head) => {
                // A new socket takes so few bytes at once.
                stream.write_all(head.as_bytes()).ok()?;
                let mut viewer = Viewer::new(self.next_id, stream, now);
                self.next_id += 1;
                viewer.write(Packet::text(&*self.hello));
                self.is_changed = true;
                return Some(Connection::Viewing(Box::new(viewer)));
            }
            Answer::Script { host } => {
                let socket = format!("ws://{host}/gatt?token={}", self.policy.token);
                http::script(&WEB_BLUETOOTH_SCRIPT.replace("SOCKET_ADDRESS", &socket))
            }
            Answer::Devices(head) => {
                stream.write_all(head.as_bytes()).ok()?;
                self.device_sockets.push(stream);
                return None;
            }
            Answer::Refused(status, reason) => {
                self.refuse(reason);
                http::plain((status, reason), ("", ""), &format!("{reason}\n"))
            }
        };
        send(stream, answer, 0, now, now)
    }

    fn refuse(&mut self, why: &str) {
        self.counts.requests += 1;
        if self.counts.requests <= MAX_LOGGED {
            tracing::warn!(why, count = self.counts.requests, "request refused");
        }
    }

    fn serve_viewer(
        &mut self,
        mut viewer: Box<Viewer>,
        now: Duration,
        session: &Session,
        inbox: &mut Inbox,
    ) -> Option<Box<Viewer>> {
        let mut texts = Vec::new();
        let fate = viewer.hear(now, &mut texts);
        for text in texts {
            if let Err(why) = self.take(&text, &mut viewer, session, inbox) {
                self.counts.messages += 1;
                if self.counts.messages <= MAX_LOGGED {
                    tracing::warn!(why, count = self.counts.messages, "message refused");
                }
                viewer.write(Packet::text(serde_json::json!({ "refused": why }).to_string()));
            }
        }
        if fate == Fate::TooMuch {
            self.counts.floods += 1;
            tracing::warn!(page = viewer.id, "a page sent too much and is closed");
        }
        (fate == Fate::Stays && !viewer.is_gone(now)).then_some(viewer)
    }

    /// Does what a message asks for.
    fn take(&mut self, text: &str, viewer: &mut Viewer, session: &Session, inbox: &mut Inbox) -> Result<(), String> {
        let message = message::parse(text)?;
        let has_controls = self.turns.first() == Some(&viewer.id);
        match message {
            Message::Ack { frames } => viewer.acknowledge(frames),
            Message::Ask {} if !self.turns.contains(&viewer.id) => {
                self.turns.push(viewer.id);
                self.is_changed = true;
            }
            Message::Ask {} => {}
            Message::Give {} if has_controls && self.turns.len() > 1 => {
                self.turns.remove(0);
                self.is_changed = true;
            }
            _ if !has_controls => self.counts.spectators += 1,
            Message::Give {} => {}
            Message::Rows { stream, rows } => {
                let place = session.input(&stream).map_err(|error| error.to_string())?;
                let columns = &session.model().inputs()[place];
                for cells in rows {
                    if !inbox.push_kept(place, message::row(columns, cells)?) {
                        return Err("too many rows wait for a step".into());
                    }
                }
            }
            Message::Pause { on } => inbox.command(Command::Pause(on)),
            Message::Step { n } => inbox.command(Command::Step(n)),
            Message::Speed { times: None } => inbox.command(Command::Speed(Speed::Max)),
            Message::Speed { times: Some(times) } => {
                let speed = Speed::from_times(times).ok_or_else(|| format!("speed {times} is not 0.1 to 50"))?;
                inbox.command(Command::Speed(speed));
            }
            Message::Reset { other } => inbox.command(Command::Reset { is_other: other }),
        }
        Ok(())
    }

    /// Keeps what the step that was just made yielded for the next frame.
    pub fn note_step(&mut self, session: &Session) {
        self.is_changed = true;
        self.frames.note_events(&|stream, out| session.rows(stream, out));
    }

    /// Sends a frame to all pages, if anything has changed and the last one is long enough ago, and the state of the session.
    pub fn publish(&mut self, now: Duration, session: &Session, status: &Status) {
        if !self.is_changed || now.saturating_sub(self.framed) < FRAME_EVERY && self.framed > Duration::ZERO {
            return;
        }
        (self.is_changed, self.framed) = (false, now);
        if !self.connections.iter().any(|one| matches!(one, Connection::Viewing(_))) {
            return;
        }
        let rows = |stream, out: &mut sim_world::RowSink<'_>| session.rows(stream, out);
        let frame = Bytes::from(self.frames.frame(session.tick().0, session.time_s(), &rows));
        let lists = self.frames.take_lists();
        let Self { frames, connections, turns, counts, .. } = self;
        let count = connections.iter().filter(|one| matches!(one, Connection::Viewing(_))).count();
        for viewer in viewers(connections) {
            if !viewer.frame(&frame, lists.as_deref(), frames.words()) {
                counts.frames += 1;
                // What it missed is sent once it has read.
                self.is_changed = true;
            }
        }
        for viewer in viewers(connections) {
            let turn = turns.iter().position(|id| *id == viewer.id);
            let is_asked = turn == Some(0) && turns.len() > 1;
            let status = serde_json::json!({ "status": status, "pages": count, "turn": turn, "asked": is_asked });
            viewer.tell(status.to_string());
        }
    }

    /// Tells the pages the state of the session where it differs from what they know.
    pub fn touch(&mut self) {
        self.is_changed = true;
    }
}

fn viewers(connections: &mut [Connection]) -> impl Iterator<Item = &mut Viewer> {
    connections
        .iter_mut()
        .filter_map(|one| if let Connection::Viewing(viewer) = one { Some(&mut **viewer) } else { None })
}

/// Sends the rest of an answer, as far as the client reads.
fn send(mut stream: TcpStream, answer: Vec<u8>, mut at: usize, since: Duration, now: Duration) -> Option<Connection> {
    while at < answer.len() {
        match stream.write(&answer[at..]) {
            Ok(count) if count > 0 => at += count,
            Err(error) if error.kind() == ErrorKind::WouldBlock && now.saturating_sub(since) < PATIENCE => {
                return Some(Connection::Answered { stream, answer, at, since });
            }
            _ => return None,
        }
    }
    // Closing with unread bytes would take back what was sent.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    None
}

/// What a page must know before its first frame.
fn scene(session: &Session) -> Result<(FrameWriter, String), LiveError> {
    #[derive(Serialize)]
    struct Hello<'a> {
        hello: u32,
        title: &'a str,
        step_hz: u32,
        steps: u64,
        inputs: &'a [sim_world::Stream],
        controls: Vec<sim_world::Control>,
        #[serde(flatten)]
        scene: Scene,
    }
    let model = &**session.model();
    let info = model.info();
    let rows = |stream, out: &mut sim_world::RowSink<'_>| session.rows(stream, out);
    let (frames, scene) = FrameWriter::new(&model.view(), model.outputs(), &rows)?;
    let (inputs, controls) = (model.inputs(), model.controls());
    let hello = Hello { hello: 1, title: info.name, step_hz: info.step_hz, steps: info.steps, inputs, controls, scene };
    let hello = serde_json::to_string(&hello).map_err(|error| LiveError::Page(error.to_string()))?;
    Ok((frames, hello))
}

/// 128 random bits in hexadecimal digits.
fn random_word() -> Result<String, LiveError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| LiveError::Page(format!("no random bits for a token: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
