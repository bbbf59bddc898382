//! Writes of a wrong length or with a value out of its range, row by row through sections 6.2 to 6.5 of the toio facts: each is dropped,
//! leaves nothing behind and is told as an event with its bytes. Those of section 6.7 are in `settings.rs`.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use sim_core::StateHash;
use toio_cube_sim::wire::WireError;
use toio_cube_sim::{Event, Refusal};

fn state(rig: &Rig) -> u64 {
    let mut hash = StateHash::new();
    rig.cube.hash_into(&mut hash);
    hash.finish()
}

/// A cube that drives, shines and sounds, so that whatever a write changed would show.
fn busy() -> Rig {
    let mut rig = Rig::device();
    rig.write(0x102, "01 01 01 32 02 01 28");
    rig.write(0x103, "03 00 01 01 0a 14 1e");
    rig.write(0x104, "03 00 01 ff 3c ff");
    rig.write(0x1ff, "1b 00 01 01 00");
    rig.run(5);
    rig
}

/// Why a write was dropped, after it has been seen that it changed nothing and is told with its bytes.
fn refused(short_id: u16, hex: &str) -> Refusal {
    let mut rig = busy();
    let mut untouched = rig.clone();
    rig.events.clear();
    rig.write(short_id, hex);
    for _ in 0..30 {
        rig.step();
        untouched.step();
        assert_eq!(rig.outputs.messages, untouched.outputs.messages, "{short_id:x} {hex}");
        assert_eq!(rig.outputs.actuators, untouched.outputs.actuators, "{short_id:x} {hex}");
    }
    assert_eq!(state(&rig), state(&untouched), "{short_id:x} {hex}");
    let [Event::Dropped { characteristic, bytes: told, why }] = &rig.events[..] else {
        panic!("{short_id:x} {hex}: {:?}", rig.events)
    };
    assert_eq!((characteristic.short_id(), told), (short_id, &bytes(hex)));
    *why
}

fn assert_wrong_length(short_id: u16, writes: &[&str]) {
    for hex in writes {
        let length = bytes(hex).len();
        assert_eq!(refused(short_id, hex), Refusal::Malformed(WireError::WrongLength { length }), "{short_id:x} {hex}");
    }
}

fn assert_out_of_range(short_id: u16, writes: &[&str]) {
    for hex in writes {
        let why = refused(short_id, hex);
        assert!(matches!(why, Refusal::Malformed(WireError::OutOfRange { .. })), "{short_id:x} {hex}: {why}");
    }
}

#[test]
fn motor() {
    assert_wrong_length(
        0x102,
        &[
            "",
            "01 01 01 64 02 02",
            "01 01 01 64 02 02 14 00",
            "02 01 01 64 02 02 14",
            "02 01 01 64 02 02 14 0a 00",
            "03 00 05 00 50 00 00 bc 02 82 01 5a",
            "03 00 05 00 50 00 00 bc 02 82 01 5a 00 00",
            "04 00 05 00 50 00 00",
            "04 00 05 00 50 00 00 00 64 00 64 00 00",
            "05 32 05 0f 00 00 00 00",
            "05 32 05 0f 00 00 00 00 64 00",
        ],
    );
    assert_out_of_range(
        0x102,
        &[
            "01 00 01 64 02 02 14",
            "01 01 01 64 03 02 14",
            "01 01 00 64 02 02 14",
            "01 01 01 64 02 03 14",
            "02 01 03 64 02 02 14 0a",
            "03 00 05 03 50 00 00 bc 02 82 01 5a 00",
            "03 00 05 00 50 04 00 bc 02 82 01 5a 00",
            "03 00 05 00 50 00 00 bc 02 82 01 00 e0",
            "04 00 05 00 50 00 00 00",
            "04 00 05 00 50 00 00 02 64 00 64 00 00 00",
            "05 32 05 0f 00 02 00 00 64",
            "05 32 05 0f 00 00 02 00 64",
            "05 32 05 0f 00 00 00 02 64",
        ],
    );
    assert_eq!(refused(0x102, "01 02 01 64 02 02 14"), Refusal::Malformed(WireError::SameWheelTwice));
    assert_eq!(refused(0x102, "06"), Refusal::Malformed(WireError::UnknownOperation));
}

#[test]
fn light() {
    assert_wrong_length(
        0x103,
        &[
            "",
            "01 00",
            "02 01",
            "03 10 01 01 ff 00",
            "03 10 01 01 ff 00 00 00",
            "04 00 02 1e 01 01 00 ff 00",
            "04 00 01 1e 01 01 00 ff",
            "70 00 01 01 0a ff ff",
        ],
    );
    assert_out_of_range(
        0x103,
        &[
            "02 02 01",
            "02 01 02",
            "03 10 02 01 ff 00 00",
            "03 10 01 00 ff 00 00",
            "04 00 00 1e 01 01 00 ff 00",
            "04 00 1e 1e 01 01 00 ff 00",
            "04 00 01 00 01 01 00 ff 00",
            "04 00 01 1e 01 02 00 ff 00",
            "70 00 01 01 09 ff ff ff",
        ],
    );
    assert_eq!(refused(0x103, "05"), Refusal::Malformed(WireError::UnknownOperation));
}

#[test]
fn sound() {
    assert_wrong_length(0x104, &["", "01 00", "02 04", "02 04 ff 00", "03 00 02 1e 3c ff", "03 00 01 1e 3c", "03 00"]);
    assert_out_of_range(
        0x104,
        &["02 0b ff", "03 00 00 1e 3c ff", "03 00 3c 1e 3c ff", "03 00 01 00 3c ff", "03 00 01 1e 81 ff"],
    );
    assert_eq!(refused(0x104, "04"), Refusal::Malformed(WireError::UnknownOperation));
}

#[test]
fn sensor() {
    assert_wrong_length(0x106, &["", "81 00", "82 00", "83", "83 01 00"]);
    assert_out_of_range(0x106, &["83 00", "83 04"]);
    assert_eq!(refused(0x106, "84"), Refusal::Malformed(WireError::UnknownOperation));
}

/// Section 6.3 and 6.4: "n smaller: only the first n play". More operations than announced are no wrong length.
#[test]
fn more_operations_than_announced_do_not_play() {
    let mut rig = Rig::device();
    rig.write(0x103, "04 01 01 02 01 01 ff 00 00 02 01 01 00 ff 00");
    rig.write(0x104, "03 01 01 02 3c ff 02 3e ff");
    rig.step();
    assert_eq!((rig.outputs.actuators.lamp.r, rig.outputs.actuators.sounding.map(|s| s.note)), (255, Some(0x3c)));
    rig.step();
    assert_eq!((rig.outputs.actuators.lamp.g, rig.outputs.actuators.sounding), (0, None));
    assert_eq!(rig.drops(), []);
}
