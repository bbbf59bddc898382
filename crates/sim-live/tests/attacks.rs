//! What must not hurt a stage: each attack is refused and counted, the session goes on, and time is the test's own.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use sim_live::server::{Counts, Server, Status};
use sim_live::{Command, Inbox, ServerOptions};
use sim_run::scenario::{self, Override};
use sim_run::{RunOptions, Session};
use sim_worlds::WORLDS;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A session with its server, on one thread, by a clock that the test sets.
struct Stage {
    server: Server,
    session: Session,
    inbox: Inbox,
    now: Duration,
}

impl Stage {
    fn new(options: &RunOptions) -> Self {
        let overrides: [Override; 2] = ["agents.count=3".parse().unwrap(), "steps=1000000".parse().unwrap()];
        let loaded = scenario::load(WORLDS, Path::new("../../scenarios/swarm-10.json"), &overrides).unwrap();
        let options = RunOptions { scenario_json: loaded.resolved.clone(), ..options.clone() };
        let session = Session::start(&loaded.model, loaded.model.key(0), &options).unwrap();
        let server = Server::start(&ServerOptions::new("127.0.0.1:0".parse().unwrap()), &session).unwrap();
        Self { server, session, inbox: Inbox::default(), now: Duration::from_secs(1) }
    }

    fn host(&self) -> String {
        let url = self.server.url();
        url.strip_prefix("http://").unwrap().split_once('/').unwrap().0.to_owned()
    }

    fn query(&self) -> String {
        self.server.url().split_once('?').unwrap().1.to_owned()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_nonblocking(true).unwrap();
        stream
    }

    /// One turn of the loop of a session: clients, a step, a frame.
    fn turn(&mut self) {
        self.now += Duration::from_millis(20);
        self.server.hear(self.now, &self.session, &mut self.inbox);
        self.inbox.step(&mut self.session).unwrap();
        self.server.note_step(&self.session);
        self.server.publish(self.now, &self.session, &Status::default());
    }

    /// Turns until a client has got the end of its answer, which must not take many; the answer.
    fn answer(&mut self, stream: &mut TcpStream) -> Vec<u8> {
        let mut answer = Vec::new();
        for _ in 0..2000 {
            self.turn();
            if read_some(stream, &mut answer) {
                return answer;
            }
        }
        panic!("no end after {} bytes", answer.len());
    }

    /// Status line of the answer to a request.
    fn status(&mut self, target: &str, fields: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(format!("GET {target} HTTP/1.1\r\n{fields}\r\n").as_bytes()).unwrap();
        let answer = self.answer(&mut stream);
        String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
    }

    /// A page that has its socket.
    fn page(&mut self) -> TcpStream {
        let request = format!("GET /live?{} HTTP/1.1\r\nHost: {}\r\n{UPGRADE}\r\n", self.query(), self.host());
        let ask = |stage: &Self| {
            let mut stream = stage.connect();
            stream.write_all(request.as_bytes()).map(|()| stream)
        };
        let mut stream = ask(self).unwrap();
        let mut answer = Vec::new();
        for _ in 0..2000 {
            self.turn();
            // Clients that have just gone away may still count.
            if read_some(&mut stream, &mut answer) {
                stream = ask(self).unwrap();
            }
            if answer.starts_with(b"HTTP/1.1 101 ") && answer.len() > 1000 {
                return stream;
            }
        }
        panic!("no socket: {}", String::from_utf8_lossy(&answer));
    }

    /// Turns until something is so, which must not take many. A socket may bring a message later than it was sent.
    fn until(&mut self, mut is_so: impl FnMut(&Self) -> bool) {
        for _ in 0..5000 {
            if is_so(self) {
                return;
            }
            self.turn();
            std::thread::yield_now();
        }
        panic!("{:?}", self.counts());
    }

    /// Sends a message, and hears clients until it has come; one that cannot be read tells so after it.
    fn send(&mut self, page: &mut TcpStream, text: &str) {
        let before = self.counts().messages;
        page.write_all(&[message(text), message("?")].concat()).unwrap();
        for _ in 0..100_000 {
            self.server.hear(self.now, &self.session, &mut self.inbox);
            if self.counts().messages > before {
                return;
            }
            std::thread::yield_now();
        }
        panic!("{text} has not come");
    }

    /// The session goes on, and another page is served.
    fn goes_on(&mut self) {
        let before = self.session.tick();
        let mut page = self.page();
        let mut frames = Vec::new();
        self.until(|stage| {
            read_some(&mut page, &mut frames);
            stage.session.tick().0 >= before.0 + 20 && !frames.is_empty()
        });
    }

    fn counts(&self) -> Counts {
        self.server.counts()
    }
}

/// Reads what is there; true at the end of the stream.
fn read_some(stream: &mut TcpStream, out: &mut Vec<u8>) -> bool {
    let mut part = [0; 65536];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return true,
            Ok(count) => out.extend(&part[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
            Err(_) => return true,
        }
    }
}

/// A message as a browser sends it, masked with zeros.
fn message(text: &str) -> Vec<u8> {
    let length = text.len();
    let mut bytes = vec![0x81];
    match u8::try_from(length) {
        Ok(short) if short < 126 => bytes.push(0x80 | short),
        _ => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(length).unwrap().to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(text.as_bytes());
    bytes
}

fn stage() -> Stage {
    Stage::new(&RunOptions::default())
}

#[test]
fn a_page_is_served_to_its_token_with_a_policy_that_lets_its_own_socket_alone() {
    let mut stage = stage();
    let (host, query) = (stage.host(), stage.query());
    let mut stream = stage.connect();
    stream.write_all(format!("GET /?{query} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
    let page = String::from_utf8(stage.answer(&mut stream)).unwrap();
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK"));
    assert!(
        head.contains("default-src 'none'") && head.contains(&format!("connect-src 'self' ws://{host};")),
        "{head}"
    );
    assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())) && body.ends_with("</html>\n"));
    assert_eq!(stage.counts(), Counts::default());
}

#[test]
fn a_wrong_token_gets_nothing() {
    let mut stage = stage();
    let host = format!("Host: {}\r\n", stage.host());
    for target in ["/", "/?token=00000000000000000000000000000000", "/live", "/live?token=0"] {
        assert_eq!(stage.status(target, &format!("{host}{UPGRADE}")), "HTTP/1.1 403 Forbidden", "{target}");
    }
    assert_eq!(stage.counts().requests, 4);
    stage.goes_on();
}

#[test]
fn a_foreign_origin_or_host_gets_nothing() {
    let mut stage = stage();
    let (host, target) = (stage.host(), format!("/live?{}", stage.query()));
    let fields = format!("Host: {host}\r\n{UPGRADE}Origin: http://evil.example\r\n");
    assert_eq!(stage.status(&target, &fields), "HTTP/1.1 403 Forbidden");
    let (_, port) = host.split_once(':').unwrap();
    let fields = format!("Host: evil.example:{port}\r\n{UPGRADE}");
    assert_eq!(stage.status(&target, &fields), "HTTP/1.1 421 Misdirected Request");
    assert_eq!(stage.counts().requests, 2);
    stage.goes_on();
}

#[test]
fn a_message_of_100_mb_closes_its_page_at_its_head() {
    let mut stage = stage();
    let mut page = stage.page();
    let mut head = vec![0x82, 0x80 | 127];
    head.extend(100_000_000_u64.to_be_bytes());
    head.extend([0; 4]);
    page.write_all(&head).unwrap();
    stage.answer(&mut page);
    assert_eq!(stage.counts().floods, 1);
    stage.goes_on();
}

/// Many parts of a message are no way round the limit.
#[test]
fn a_message_in_endless_parts_closes_its_page() {
    let mut stage = stage();
    let mut page = stage.page();
    let mut part = vec![0x01, 0x80 | 126];
    part.extend(8000_u16.to_be_bytes());
    part.extend([0; 4 + 8000]);
    page.write_all(&part).unwrap();
    part[0] = 0x00;
    let _ = (0..3).map(|_| page.write_all(&part)).collect::<Vec<_>>();
    stage.answer(&mut page);
    assert_eq!(stage.counts().floods, 1);
}

#[test]
fn ten_thousand_messages_close_their_page() {
    let mut stage = stage();
    let mut page = stage.page();
    let flood = message(r#"{"do":"pause","on":true}"#).repeat(10_000);
    let (mut at, mut left) = (0, 0);
    while at < flood.len() && left == 0 {
        match page.write(&flood[at..]) {
            Ok(count) => at += count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => stage.turn(),
            Err(_) => left += 1,
        }
    }
    stage.answer(&mut page);
    assert_eq!(stage.counts().floods, 1);
    stage.goes_on();
}

#[test]
fn a_thousand_connections_leave_a_place_for_none_more_and_then_for_all() {
    let mut stage = stage();
    // As many at once as a process may have open on most machines.
    let mut held = Vec::new();
    for n in 0..1000 {
        held.push(stage.connect());
        if n % 50 == 49 {
            stage.turn();
            let mut ended = Vec::new();
            held.retain_mut(|stream| !read_some(stream, &mut ended));
        }
    }
    stage.until(|stage| {
        let mut ended = Vec::new();
        held.retain_mut(|stream| !read_some(stream, &mut ended));
        stage.counts().connections >= 1000 - 64 && held.len() <= 64
    });
    held.clear();
    stage.goes_on();
}

#[test]
fn a_request_without_an_end_is_closed_after_five_seconds() {
    let mut stage = stage();
    let mut stream = stage.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    // Far less than five seconds.
    (0..10).for_each(|_| stage.turn());
    assert!(!read_some(&mut stream, &mut Vec::new()));
    stage.now += Duration::from_secs(5);
    stage.answer(&mut stream);
    assert_eq!(stage.counts().requests, 1);
    // A head that is too long needs no waiting.
    let mut stream = stage.connect();
    stream.write_all(&[b'a'; 9000]).unwrap();
    stage.answer(&mut stream);
    assert_eq!(stage.counts().requests, 2);
    stage.goes_on();
}

#[test]
fn paths_lead_to_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new(&RunOptions { out: Some(folder.path().join("run")), ..RunOptions::default() });
    let (host, query) = (format!("Host: {}\r\n", stage.host()), stage.query());
    for path in ["/run.json", "/../run/run.json", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/live/../run.json"] {
        assert_eq!(stage.status(&format!("{path}?{query}"), &host), "HTTP/1.1 404 Not Found", "{path}");
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["run"]);
}

/// One that never reads loses frames; one beside it that reads has all of them.
#[test]
fn a_page_that_never_reads_loses_frames_and_then_its_place() {
    let mut stage = stage();
    let mut deaf = stage.page();
    let mut page = stage.page();
    let before = stage.counts().frames;
    let (mut seen, mut sent) = (Vec::new(), 0);
    for turn in 1..=400_u64 {
        stage.turn();
        read_some(&mut page, &mut seen);
        if turn % 8 == 0 {
            sent += 1;
            stage.send(&mut page, &format!(r#"{{"do":"ack","frames":{}}}"#, 8 * sent));
        }
    }
    // Sixteen frames are under way at most; all the others of 400 were left out for it, and for it alone.
    let lost = stage.counts().frames - before;
    assert!((400 - 16..=400).contains(&lost), "{lost}");
    stage.now += Duration::from_secs(31);
    stage.send(&mut page, r#"{"do":"ack","frames":400}"#);
    stage.answer(&mut deaf);
    assert!(!read_some(&mut page, &mut seen));
}

#[test]
fn malformed_messages_are_refused_and_counted_and_the_page_stays() {
    let mut stage = stage();
    let mut page = stage.page();
    for text in ["", "{", r#"{"do":"open","path":"/etc/passwd"}"#, r#"{"do":"rows","stream":"x","rows":[]}"#, "\u{0}"] {
        page.write_all(&message(text)).unwrap();
    }
    page.write_all(&message(r#"{"do":"rows","stream":"wishes","rows":[[0,1e999,0],[99,1,1],[0,1]]}"#)).unwrap();
    page.write_all(&message(r#"{"do":"rows","stream":"wishes","rows":[[99,1,1],[0,1],["x"],[1,5,5]]}"#)).unwrap();
    // Rows that can be read are judged by the step that would take them.
    stage.until(|stage| stage.session.refused().rows.get("wishes") == Some(&3));
    assert_eq!(stage.counts().messages, 6);
    assert!(!read_some(&mut page, &mut Vec::new()));
}

#[test]
fn one_page_has_the_controls_and_gives_them_to_the_first_that_asks() {
    let mut stage = stage();
    let (mut first, mut second) = (stage.page(), stage.page());
    let pause = r#"{"do":"pause","on":true}"#;
    stage.send(&mut second, pause);
    assert_eq!((stage.inbox.take_commands(), stage.counts().spectators), (vec![], 1));
    stage.send(&mut first, pause);
    assert_eq!(stage.inbox.take_commands(), [Command::Pause(true)]);
    // Given before anyone has asked, they stay.
    stage.send(&mut first, r#"{"do":"give"}"#);
    stage.send(&mut first, pause);
    assert_eq!(stage.inbox.take_commands(), [Command::Pause(true)]);
    stage.send(&mut second, r#"{"do":"ask"}"#);
    stage.send(&mut first, r#"{"do":"give"}"#);
    stage.send(&mut second, pause);
    stage.send(&mut first, pause);
    assert_eq!((stage.inbox.take_commands(), stage.counts().spectators), (vec![Command::Pause(true)], 2));
    // A page that goes away leaves the controls to another one, whether that asked or not.
    drop(second);
    for _ in 0..100_000 {
        stage.send(&mut first, pause);
        if !stage.inbox.take_commands().is_empty() {
            return;
        }
        stage.now += Duration::from_millis(20);
    }
    panic!("the controls are lost");
}
