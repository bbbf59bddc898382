//! Plain requests: what is asked for, whether it may be had, and the heads of answers.
//!
//! Four things are served: the page at `/` and its socket at `/live`; for programs in browsers that drive devices, a script at
//! [`WEB_BLUETOOTH`] and its socket at `/gatt`. No part of a request names a file.

use std::net::SocketAddr;
use tungstenite::handshake::derive_accept_key;

/// Longest head of a request.
pub const MAX_HEAD: usize = 8192;

/// Path of the script that stands in for Web Bluetooth.
pub const WEB_BLUETOOTH: &str = "/toio-web-bluetooth.js";

/// Who may ask.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Where the server listens.
    pub address: SocketAddr,
    /// What the query of each request must have.
    pub token: String,
    /// What scripts and styles of the page have.
    pub nonce: String,
    /// True if devices are served.
    pub serves_devices: bool,
    /// Origins of other sites whose pages may drive devices.
    pub origins: Vec<String>,
}

/// What a request gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The page; the head of the answer needs its length.
    Page {
        /// The host that was asked.
        host: String,
    },
    /// The script that stands in for Web Bluetooth.
    Script {
        /// The host that was asked.
        host: String,
    },
    /// The socket, with the head of the answer.
    Socket(String),
    /// The socket of devices, with the head of the answer.
    Devices(String),
    /// A refusal: status and reason.
    Refused(u16, &'static str),
}

/// The end of the head in the bytes that came so far, if it is there.
#[must_use]
pub fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

/// A request for an address of this server by its own name.
struct Request<'a> {
    method: &'a str,
    target: &'a str,
    fields: &'a str,
    host: &'a str,
}

impl<'a> Request<'a> {
    fn parse(head: &'a [u8], address: SocketAddr) -> Result<Self, Answer> {
        let bad = || Answer::Refused(400, "Bad Request");
        let head = std::str::from_utf8(head).map_err(|_| bad())?;
        let (line, fields) = head.split_once("\r\n").unwrap_or((head, ""));
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
            return Err(bad());
        };
        if words.next().is_some() || !version.starts_with("HTTP/1.") {
            return Err(bad());
        }
        let host = value_of(fields, "host").unwrap_or_default();
        if !is_own_host(host, address) {
            return Err(Answer::Refused(421, "Misdirected Request"));
        }
        Ok(Self { method, target, fields, host })
    }

    /// The head of the answer that opens a socket, for a request from an origin that may have it. A program names no origin.
    fn socket(&self, is_allowed: impl Fn(&str) -> bool) -> Result<String, Answer> {
        let field = |name: &str| value_of(self.fields, name);
        let has_origin = self
            .fields
            .split("\r\n")
            .any(|line| line.get(..7).is_some_and(|name| name.eq_ignore_ascii_case("origin:")));
        if has_origin && !field("origin").is_some_and(is_allowed) {
            return Err(Answer::Refused(403, "Forbidden"));
        }
        let has = |name, word: &str| field(name).is_some_and(|value| has_word(value, word));
        match field("sec-websocket-key") {
            Some(key)
                if has("upgrade", "websocket")
                    && has("connection", "upgrade")
                    && has("sec-websocket-version", "13") =>
            {
                let key = derive_accept_key(key.as_bytes());
                let fields = "Upgrade: websocket\r\nConnection: Upgrade";
                Ok(format!("HTTP/1.1 101 Switching Protocols\r\n{fields}\r\nSec-WebSocket-Accept: {key}\r\n\r\n"))
            }
            _ => Err(Answer::Refused(426, "Upgrade Required")),
        }
    }

    fn is_own_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://") == Some(self.host)
    }
}

/// What a request gets by its head.
#[must_use]
pub fn answer(head: &[u8], policy: &Policy) -> Answer {
    let request = match Request::parse(head, policy.address) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    if request.method != "GET" {
        return Answer::Refused(405, "Method Not Allowed");
    }
    let (path, query) = request.target.split_once('?').unwrap_or((request.target, ""));
    let has_token = query.split('&').filter_map(|part| part.strip_prefix("token="));
    let has_token = has_token.fold(false, |found, token| found | are_equal(token, &policy.token));
    let is_own = |origin: &str| request.is_own_origin(origin);
    let host = request.host.to_owned();
    match path {
        "/" | "/live" if !has_token => Answer::Refused(403, "Forbidden"),
        WEB_BLUETOOTH | "/gatt" if policy.serves_devices && !has_token => Answer::Refused(403, "Forbidden"),
        "/" => Answer::Page { host },
        "/live" => request.socket(is_own).map_or_else(|refused| refused, Answer::Socket),
        WEB_BLUETOOTH if policy.serves_devices => Answer::Script { host },
        "/gatt" if policy.serves_devices => {
            let is_allowed = |origin: &str| is_own(origin) || policy.origins.iter().any(|known| known == origin);
            request.socket(is_allowed).map_or_else(|refused| refused, Answer::Devices)
        }
        _ => Answer::Refused(404, "Not Found"),
    }
}

/// What a request gets at a port for programs alone: a socket for one that comes from no page, whatever its path.
#[must_use]
pub fn answer_program(head: &[u8], address: SocketAddr) -> Answer {
    match Request::parse(head, address) {
        Ok(request) if request.method == "GET" => {
            request.socket(|_| false).map_or_else(|refused| refused, Answer::Devices)
        }
        Ok(_) => Answer::Refused(405, "Method Not Allowed"),
        Err(answer) => answer,
    }
}

/// The whole answer to a request for a script, which pages of any origin may load.
#[must_use]
pub fn script(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/javascript; charset=utf-8\r\nContent-Length: {length}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n\
         Cross-Origin-Resource-Policy: cross-origin\r\nConnection: close\r\n\r\n{body}",
        length = body.len()
    )
    .into_bytes()
}

/// The whole answer to a request that gets no socket.
#[must_use]
pub fn plain((status, reason): (u16, &str), (host, nonce): (&str, &str), body: &str) -> Vec<u8> {
    let kind = if status == 200 { "text/html" } else { "text/plain" };
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; \
         connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\n\
         Content-Security-Policy: {policy}\r\nX-Frame-Options: DENY\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Connection: close\r\n\r\n{body}",
        length = body.len()
    )
    .into_bytes()
}

/// The only value of a field of a head; none if it is there twice.
fn value_of<'a>(fields: &'a str, name: &str) -> Option<&'a str> {
    let lines = fields.split("\r\n").filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

fn has_word(value: &str, word: &str) -> bool {
    value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word))
}

/// True if a browser that was sent to this host meant this server: the host is an address, not a name that could have been bound to it
/// (DNS rebinding), or `localhost`. A server on a loopback address is no other machine's.
fn is_own_host(host: &str, address: SocketAddr) -> bool {
    if let Ok(asked) = host.parse::<SocketAddr>() {
        return asked.port() == address.port() && (asked.ip().is_loopback() || !address.ip().is_loopback());
    }
    host.strip_prefix("localhost:") == Some(&*address.port().to_string())
}

/// Compares without telling by its time where two texts differ.
fn are_equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(address: &str) -> Policy {
        Policy {
            address: address.parse().unwrap(),
            token: "0123abcd".into(),
            nonce: "n".into(),
            serves_devices: true,
            origins: vec!["https://sketch.example".into()],
        }
    }

    fn ask(target: &str, fields: &str) -> Answer {
        let head = format!("GET {target} HTTP/1.1\r\n{fields}\r\n\r\n");
        answer(head.as_bytes(), &policy("127.0.0.1:8123"))
    }

    const HOST: &str = "Host: 127.0.0.1:8123";
    const UPGRADE: &str = "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                           Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

    fn status(answer: &Answer) -> u16 {
        match answer {
            Answer::Page { .. } | Answer::Script { .. } => 200,
            Answer::Socket(_) | Answer::Devices(_) => 101,
            Answer::Refused(status, _) => *status,
        }
    }

    #[test]
    fn the_page_needs_the_token() {
        assert_eq!(status(&ask("/?token=0123abcd", HOST)), 200);
        for target in ["/", "/?token=", "/?token=0123abce", "/?token=0123abcd0", "/?x=0123abcd", "/live"] {
            assert_eq!(status(&ask(target, HOST)), 403, "{target}");
        }
    }

    #[test]
    fn a_foreign_host_is_misdirected() {
        for host in ["evil.example:8123", "127.0.0.1", "127.0.0.1:80", "", "10.0.0.7:8123", "localhost", "localhost:1"]
        {
            assert_eq!(status(&ask("/?token=0123abcd", &format!("Host: {host}"))), 421, "{host}");
        }
        assert_eq!(status(&ask("/?token=0123abcd", "X: y")), 421);
        assert_eq!(status(&ask("/?token=0123abcd", &format!("{HOST}\r\n{HOST}"))), 421);
        for host in ["localhost:8123", "[::1]:8123"] {
            assert_eq!(status(&ask("/?token=0123abcd", &format!("Host: {host}"))), 200, "{host}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_answers_addresses_and_no_names() {
        let ask = |host: &str| {
            let head = format!("GET /?token=0123abcd HTTP/1.1\r\nHost: {host}\r\n\r\n");
            status(&answer(head.as_bytes(), &policy("0.0.0.0:8123")))
        };
        assert_eq!([ask("192.168.7.9:8123"), ask("evil.example:8123"), ask("192.168.7.9:80")], [200, 421, 421]);
    }

    #[test]
    fn the_socket_is_for_own_pages_and_for_programs() {
        let live = |origin: &str| ask("/live?token=0123abcd", &format!("{HOST}\r\n{UPGRADE}{origin}"));
        // The key and its answer are those of RFC 6455, section 1.3.
        let Answer::Socket(head) = live("") else { panic!("{:?}", live("")) };
        assert!(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{head}");
        assert_eq!(status(&live("\r\nOrigin: http://127.0.0.1:8123")), 101);
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:8123", "http://127.0.0.1:9", "http://localhost:8123"]
        {
            assert_eq!(status(&live(&format!("\r\nOrigin: {origin}"))), 403, "{origin}");
        }
        assert_eq!(status(&ask("/live?token=0123abcd", HOST)), 426);
    }

    /// The stage is for its own pages; devices are for those of allowed origins as well.
    #[test]
    fn devices_are_for_allowed_origins() {
        let gatt = |query: &str, origin: &str| {
            status(&ask(&format!("/gatt{query}"), &format!("{HOST}\r\n{UPGRADE}\r\nOrigin: {origin}")))
        };
        let token = "?token=0123abcd";
        assert_eq!([gatt(token, "http://127.0.0.1:8123"), gatt(token, "https://sketch.example")], [101, 101]);
        for origin in ["https://evil.example", "null", "http://sketch.example", "https://sketch.example.evil", ""] {
            assert_eq!(gatt(token, origin), 403, "{origin}");
        }
        assert_eq!(gatt("", "https://sketch.example"), 403);
        assert_eq!(
            status(&ask("/live?token=0123abcd", &format!("{HOST}\r\n{UPGRADE}\r\nOrigin: https://sketch.example"))),
            403
        );
        assert_eq!(status(&ask("/toio-web-bluetooth.js?token=0123abcd", HOST)), 200);
        assert_eq!(status(&ask("/toio-web-bluetooth.js", HOST)), 403);
        let closed = Policy { serves_devices: false, ..policy("127.0.0.1:8123") };
        for path in ["/gatt", "/toio-web-bluetooth.js"] {
            let head = format!("GET {path}?token=0123abcd HTTP/1.1\r\n{HOST}\r\n{UPGRADE}\r\n\r\n");
            assert_eq!(status(&answer(head.as_bytes(), &closed)), 404, "{path}");
        }
    }

    /// The port that noble knows has no token, and no page may use it.
    #[test]
    fn the_port_for_programs_is_for_no_page() {
        let address = "127.0.0.1:2846".parse().unwrap();
        let ask =
            |fields: &str| status(&answer_program(format!("GET / HTTP/1.1\r\n{fields}\r\n\r\n").as_bytes(), address));
        assert_eq!(ask(&format!("Host: localhost:2846\r\n{UPGRADE}")), 101);
        for origin in ["http://evil.example", "null", "http://localhost:2846", ""] {
            assert_eq!(ask(&format!("Host: localhost:2846\r\n{UPGRADE}\r\nOrigin: {origin}")), 403, "{origin}");
        }
        let twice = "Origin: http://localhost:2846\r\nOrigin: http://localhost:2846";
        assert_eq!(ask(&format!("Host: localhost:2846\r\n{UPGRADE}\r\n{twice}")), 403);
        assert_eq!(ask(&format!("Host: evil.example:2846\r\n{UPGRADE}")), 421);
    }

    #[test]
    fn paths_lead_nowhere_else() {
        for path in ["/../etc/passwd", "/%2e%2e/run.json", "//live", "/live/", "/run.json", "http://127.0.0.1:8123/"] {
            assert_eq!(status(&ask(&format!("{path}?token=0123abcd"), HOST)), 404, "{path}");
        }
    }

    #[test]
    fn what_is_no_get_request_is_refused() {
        let policy = policy("127.0.0.1:8123");
        let ask = |line: &str| status(&answer(format!("{line}\r\n{HOST}\r\n\r\n").as_bytes(), &policy));
        assert_eq!(ask("POST /?token=0123abcd HTTP/1.1"), 405);
        for line in ["", "GET /", "GET  / HTTP/1.1", "GET / HTTP/2", "GET / HTTP/1.1 x"] {
            assert_eq!(ask(line), 400, "{line}");
        }
        assert_eq!(status(&answer(b"\xff\xfe", &policy)), 400);
        assert_eq!(end_of_head(b"a\r\n\r\nb"), Some(5));
    }
}
