//! Any bytes of a client of the link: the lines and messages of D-Bus, match rules, lines of the clock.
//!
//! No panic and no hang. What is read as a message is written and read back as the same one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_live::link::clocks::Line;
use sim_live::link::dbus::wire::{Kind, Message, message_bytes};
use sim_live::link::dbus::{Auth, MatchRule};

fuzz_target!(|input: &[u8]| {
    let (mut auth, mut output) = (Auth::default(), Vec::new());
    let _ = auth.advance("0123", &mut input.to_vec(), &mut output);
    let _ = Line::parse(input);
    if let Ok(text) = std::str::from_utf8(input) {
        let _ = MatchRule::parse(text);
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
