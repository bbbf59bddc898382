//! OSC packets whose arguments are whole numbers.
//!
//! Source: Open Sound Control 1.0: an address and a type tag string, each padded with zeros to four bytes, then big-endian arguments;
//! a bundle is `#bundle`, a time tag, and elements with their lengths. Time tags are not looked at.

/// Longest packet, bytes.
pub const MAX_PACKET_BYTES: usize = 4096;
const BUNDLE: &[u8] = b"#bundle\0";
/// Bytes of the head of a bundle, with the time tag.
const BUNDLE_HEAD: usize = 16;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its address pattern, such as `/led`.
    pub address: String,
    /// Its arguments.
    pub arguments: Vec<i32>,
}

impl Message {
    /// The bytes of the message.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_text(&mut bytes, &self.address);
        push_text(&mut bytes, &format!(",{}", "i".repeat(self.arguments.len())));
        bytes.extend(self.arguments.iter().flat_map(|argument| argument.to_be_bytes()));
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        let (address, rest) = take_text(bytes)?;
        let (types, rest) = take_text(rest)?;
        let types = types.strip_prefix(',').ok_or("has no type tags")?;
        if !address.starts_with('/') {
            return Err("has no address");
        }
        if types.bytes().any(|tag| tag != b'i') {
            return Err("has arguments that are no whole numbers");
        }
        if rest.len() != 4 * types.len() {
            return Err("has more or fewer arguments than type tags");
        }
        let arguments = rest.chunks_exact(4).filter_map(|four| four.try_into().ok().map(i32::from_be_bytes));
        Ok(Self { address: address.to_owned(), arguments: arguments.collect() })
    }
}

/// The messages of a packet: one, or those of a bundle without bundles in it.
///
/// # Errors
/// What is wrong with it. Then none of its messages is taken.
pub fn parse(bytes: &[u8]) -> Result<Vec<Message>, &'static str> {
    if bytes.len() > MAX_PACKET_BYTES {
        return Err("is too long");
    }
    if !bytes.starts_with(BUNDLE) {
        return Ok(vec![Message::parse(bytes)?]);
    }
    let mut rest = bytes.get(BUNDLE_HEAD..).ok_or("is a part of a bundle")?;
    let mut messages = Vec::new();
    while !rest.is_empty() {
        let (length, more) = rest.split_first_chunk().ok_or("is a part of a bundle")?;
        let length = u32::from_be_bytes(*length) as usize;
        let (element, after) = more.split_at_checked(length).ok_or("is a part of a bundle")?;
        messages.push(Message::parse(element)?);
        rest = after;
    }
    Ok(messages)
}

/// Appends a text with one to four zeros behind it.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
}

/// The text at the front, and what is behind its padding.
fn take_text(bytes: &[u8]) -> Result<(&str, &[u8]), &'static str> {
    let end = bytes.iter().position(|&byte| byte == 0).ok_or("has a text without an end")?;
    let (padded, rest) = bytes.split_at_checked(end / 4 * 4 + 4).ok_or("has a text without padding")?;
    if padded[end..].iter().any(|&byte| byte != 0) {
        return Err("has a text without padding");
    }
    let text = std::str::from_utf8(&padded[..end]).map_err(|_| "has a text that is no text")?;
    Ok((text, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By hand, after the specification: `/led 0 100 255 0 0`.
    const LED: &[u8] = b"/led\0\0\0\0,iiiii\0\0\0\0\0\0\0\0\0\x64\0\0\0\xff\0\0\0\0\0\0\0\0";

    fn led() -> Message {
        Message { address: "/led".into(), arguments: vec![0, 100, 255, 0, 0] }
    }

    fn bundle(elements: &[&[u8]]) -> Vec<u8> {
        let head = [BUNDLE, &[0, 0, 0, 0, 0, 0, 0, 1]].concat();
        elements.iter().fold(head, |all, element| [&all, &(element.len() as u32).to_be_bytes()[..], element].concat())
    }

    #[test]
    fn messages_are_bytes_of_the_specification() {
        assert_eq!(parse(LED), Ok(vec![led()]));
        assert_eq!(led().to_bytes(), LED);
        assert_eq!(parse(&bundle(&[LED, LED])), Ok(vec![led(), led()]));
        let minus = Message { address: "/abc".into(), arguments: vec![-1] };
        assert_eq!(minus.to_bytes(), b"/abc\0\0\0\0,i\0\0\xff\xff\xff\xff");
    }

    #[test]
    fn others_are_refused() {
        let wrong: [&[u8]; 11] = [
            b"",
            b"/led",
            b"/led\0\0\0\0",
            b"/led\0\0\0\0iiii\0\0\0\0",
            b"/led\0\0\0\0,i\0\0",
            b"/led\0\0\0\0,i\0\0\0\0\0\x01\0\0\0\x02",
            b"/led\0\0\0\0,f\0\0\0\0\0\0",
            b"/led\0x\0\0,\0\0\0",
            b"led\0,\0\0\0",
            b"/\xff\xfe\0,\0\0\0",
            b"#bundle\0",
        ];
        for bytes in wrong {
            assert!(parse(bytes).is_err(), "{bytes:?}");
        }
        assert!(parse(&bundle(&[&bundle(&[LED])])).is_err(), "bundles in bundles");
        assert!(parse(&bundle(&[LED])[..40]).is_err(), "half a bundle");
        assert!(parse(&bundle(&[LED, b"/x"])).is_err(), "all or nothing");
        assert!(parse(&[LED, &[0; MAX_PACKET_BYTES]].concat()).is_err());
    }

    proptest! {
        #[test]
        fn messages_come_back_as_they_went(address in "/[a-zA-Z/]{0,20}", arguments in proptest::collection::vec(any::<i32>(), 0..40)) {
            let message = Message { address, arguments };
            let bytes = message.to_bytes();
            prop_assert_eq!(bytes.len() % 4, 0);
            prop_assert_eq!(parse(&bytes), Ok(vec![message]));
        }

        #[test]
        fn bytes_that_mean_nothing_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200), is_bundle in any::<bool>()) {
            let bytes = if is_bundle { bundle(&[&bytes]) } else { bytes };
            if let Ok(messages) = parse(&bytes) {
                prop_assert!(messages.iter().map(|message| message.arguments.len()).sum::<usize>() * 4 <= bytes.len());
            }
        }
    }
}
