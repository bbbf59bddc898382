//! Any bytes of a client of the link: the lines and messages of D-Bus, match rules, lines of the clock, requests in JSON, OSC packets.
//!
//! No panic and no hang. What is read as a message is written and read back as the same one; what an OSC message writes to a cube fits.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_live::link::clocks::Line;
use sim_live::link::dbus::wire::{Kind, Message, message_bytes};
use sim_live::link::dbus::{Auth, MatchRule};
use sim_live::link::json::Request;
use sim_live::link::osc::{self, Dialect, MAX_PACKET_BYTES};

fuzz_target!(|input: &[u8]| {
    let (mut auth, mut output) = (Auth::default(), Vec::new());
    let _ = auth.advance("0123", &mut input.to_vec(), &mut output);
    let _ = Line::parse(input);
    if let Ok(text) = std::str::from_utf8(input) {
        let _ = MatchRule::parse(text);
        if let Ok(request) = Request::parse(text) {
            let _ = (request.device(&[]), request.bytes(), request.services(), request.is_on());
        }
    }
    for message in osc::parse(input).unwrap_or_default() {
        assert_eq!(osc::parse(&message.to_bytes()), Ok(vec![message.clone()]));
        for dialect in [Dialect::Old, Dialect::New] {
            if let Ok(write) = osc::write(&message, dialect) {
                assert!(!write.bytes.is_empty() && write.bytes.len() <= MAX_PACKET_BYTES);
            }
        }
    }
    for characteristic in ["101", "102", "106", "107", "108"] {
        for dialect in [Dialect::Old, Dialect::New] {
            let _ = osc::message(0, characteristic, input, dialect);
        }
    }
    let Ok(Some(length)) = message_bytes(input) else { return };
    let Ok(message) = Message::parse(&input[..length]) else { return };
    if message.kind == Kind::Other {
        return;
    }
    let mut bytes = Vec::new();
    message.write_to(&mut bytes);
    // A message that is read may be longer once it is written, with a body of one type after the other.
    if let Ok(again) = Message::parse(&bytes) {
        let same = format!("{:?}", again.body) == format!("{:?}", message.body);
        assert!(same, "{message:?} became {again:?}");
    }
});
