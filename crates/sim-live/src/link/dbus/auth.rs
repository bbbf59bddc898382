//! The lines with which a D-Bus connection begins.
//!
//! The socket lies in a folder that its owner alone may enter, so that every client is accepted whatever it calls itself.
//! Source: the D-Bus specification 0.43, section "Authentication Protocol".

/// Longest line, bytes.
const MAX_LINE_BYTES: usize = 1024;

/// The beginning of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Auth {
    /// The zero byte has not come yet.
    #[default]
    Zero,
    /// Lines come.
    Lines,
    /// Messages come.
    Done,
}

/// A connection does not begin as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAuth;

impl Auth {
    /// Takes lines from the front of `input` until messages begin or no whole line is there, and appends the answers to `output`.
    ///
    /// # Errors
    /// If the first byte is not zero, or a line is too long.
    pub fn advance(&mut self, guid: &str, input: &mut Vec<u8>, output: &mut Vec<u8>) -> Result<(), NoAuth> {
        if *self == Self::Zero {
            match input.first() {
                None => return Ok(()),
                Some(0) => drop(input.remove(0)),
                Some(_) => return Err(NoAuth),
            }
            *self = Self::Lines;
        }
        while *self == Self::Lines {
            let Some(end) = input.windows(2).take(MAX_LINE_BYTES).position(|pair| pair == b"\r\n") else {
                return if input.len() > MAX_LINE_BYTES { Err(NoAuth) } else { Ok(()) };
            };
            let line = String::from_utf8_lossy(&input[..end]).into_owned();
            input.drain(..end + 2);
            let mut words = line.split_ascii_whitespace();
            let answer = match (words.next(), words.next(), words.next()) {
                (Some("AUTH"), Some("EXTERNAL"), None) => "DATA".to_owned(),
                (Some("AUTH"), Some("EXTERNAL" | "ANONYMOUS"), _) | (Some("DATA"), ..) => format!("OK {guid}"),
                (Some("AUTH" | "CANCEL" | "ERROR"), ..) => "REJECTED EXTERNAL ANONYMOUS".to_owned(),
                (Some("NEGOTIATE_UNIX_FD"), ..) => "AGREE_UNIX_FD".to_owned(),
                (Some("BEGIN"), ..) => {
                    *self = Self::Done;
                    continue;
                }
                _ => "ERROR".to_owned(),
            };
            output.extend(answer.as_bytes());
            output.extend(b"\r\n");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "0123456789abcdef0123456789abcdef";

    fn talk(lines: &[u8]) -> (Result<(), NoAuth>, Auth, String, Vec<u8>) {
        let (mut auth, mut input, mut output) = (Auth::default(), lines.to_vec(), Vec::new());
        let result = auth.advance(GUID, &mut input, &mut output);
        (result, auth, String::from_utf8(output).unwrap(), input)
    }

    /// What dbus-fast and libdbus send; the first message may come in the same read.
    #[test]
    fn clients_begin() {
        let (result, auth, answers, rest) = talk(b"\0AUTH EXTERNAL 30\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\nl\x01");
        assert_eq!((result, auth, &rest[..]), (Ok(()), Auth::Done, &b"l\x01"[..]));
        assert_eq!(answers, format!("OK {GUID}\r\nAGREE_UNIX_FD\r\n"));
        let (_, auth, answers, _) = talk(b"\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n");
        assert_eq!((auth, answers), (Auth::Done, format!("DATA\r\nOK {GUID}\r\n")));
    }

    #[test]
    fn other_ways_are_told_what_there_is() {
        let (_, auth, answers, _) = talk(b"\0AUTH\r\nAUTH DBUS_COOKIE_SHA1 30\r\nhello\r\n");
        assert_eq!(auth, Auth::Lines);
        assert_eq!(answers, "REJECTED EXTERNAL ANONYMOUS\r\nREJECTED EXTERNAL ANONYMOUS\r\nERROR\r\n");
    }

    #[test]
    fn what_is_no_client_is_refused() {
        assert_eq!(talk(b"GET / HTTP/1.1\r\n").0, Err(NoAuth));
        assert_eq!(talk(&[&[0][..], &[b'A'; 2000]].concat()).0, Err(NoAuth));
        // Half a line waits for its other half.
        let (result, auth, answers, rest) = talk(b"\0AUTH EXT");
        assert_eq!((result, auth, answers.len(), rest.len()), (Ok(()), Auth::Lines, 0, 8));
    }
}
