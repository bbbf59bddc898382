//! What real clients send and expect (toio facts, section 13), one test a row.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use toio_cube_sim::gatt::DEFAULT_WRITE_BYTES;
use toio_cube_sim::{Characteristic, Profile, Protocol};

/// Steps and fails if the cube dropped anything.
fn step_without_drops(rig: &mut Rig) {
    rig.step();
    assert_eq!(rig.drops(), []);
}

/// Version by write and read, request id 0, `30 01`, the flat threshold in place of the collision threshold.
#[test]
fn toio_py() {
    let mut rig = Rig::for_profile(Protocol::V2_4_0, Profile::Device);
    rig.write(0x1ff, "01 00");
    assert_eq!(rig.cube.read(Characteristic::Configuration).unwrap().to_vec(), bytes("81 00 32 2e 34 2e 30"));
    for hex in ["30 01 08 00 50 00", "05 00 0a", "17 00 01", "18 00 01 01", "19 00 0a"] {
        rig.write(0x1ff, hex);
        step_without_drops(&mut rig);
    }
    assert_eq!(rig.take(0x1ff)[1], bytes("b0 00 00"));
    rig.write(0x102, "03 00 05 00 50 00 00 5e 01 2c 01 5a 00");
    step_without_drops(&mut rig);
    rig.run(200);
    assert_eq!(rig.take(0x102), [bytes("83 00 00")]);
}

/// Repeats its requests until one motion, one Euler and one magnet notification have come.
#[test]
fn toio_py_simple_cube() {
    let mut rig = Rig::for_profile(Protocol::V2_4_0, Profile::Device);
    rig.write(0x1ff, "1b 00 01 03 01");
    rig.write(0x1ff, "1d 00 01 05 01");
    step_without_drops(&mut rig);
    rig.take(0x106);
    for hex in ["81", "83 01", "82"] {
        rig.write(0x106, hex);
    }
    step_without_drops(&mut rig);
    let said = rig.take(0x106);
    for (first, length) in [(1, 6), (2, 6), (3, 8)] {
        assert!(said.iter().any(|said| said[0] == first && said.len() == length), "{said:?}");
    }
}

/// The motor with response, always `02`, speed 0 with direction 2.
#[test]
fn toio_js_1_0() {
    for protocol in Protocol::ALL {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        // A write with response reaches the cube like any other; that the motor offers none is not held against it.
        assert!(Characteristic::Motor.takes_writes(protocol) && !Characteristic::Motor.properties(protocol).write);
        rig.write(0x102, "02 01 02 00 02 01 64 00");
        step_without_drops(&mut rig);
        assert_eq!(rig.motor(), [0.0, 100.0]);
    }
    let mut rig = Rig::device();
    rig.write(0x102, "03 01 05 00 50 00 00 5e 01 2c 01 5a 00");
    rig.run(200);
    assert_eq!(rig.take(0x102), [bytes("83 01 00")]);
}

/// Needs the version as a notification, and writes `81` and `82` right after connecting.
#[test]
fn toio_js_1_1() {
    let mut rig = Rig::device();
    rig.write(0x1ff, "01 00");
    rig.write(0x106, "81");
    rig.write(0x106, "82");
    step_without_drops(&mut rig);
    assert_eq!(rig.take(0x1ff), [bytes("81 00 32 2e 35 2e 30")]);
    // At rest on its wheels: flat, posture 1.
    assert_eq!(rig.take(0x106), [bytes("01 01 00 00 01 00"), bytes("02 00 00 00 00 00")]);
}

/// At most 58 notes.
#[test]
fn unity_cube_real() {
    let mut rig = Rig::unity();
    rig.write(0x104, &format!("03 01 3a {}", "01 3c ff ".repeat(58)));
    step_without_drops(&mut rig);
    // 58 notes of 10 ms: 29 steps, of which the first is over.
    rig.run(28);
    assert!(rig.outputs.actuators.sounding.is_some());
    step_without_drops(&mut rig);
    assert!(rig.outputs.actuators.sounding.is_none());
}

/// Takes the name apart at its last `-`, appends every `04`, and stops after 5 s without a notification; motion reports from 2.2.0 on
/// have the byte 5 that it looks at.
#[test]
fn ramark_ob_toio() {
    for protocol in [Protocol::V2_3_0, Protocol::V2_4_0, Protocol::V2_5_0] {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        let mut waiting = rig.cube.clone();
        waiting.disconnect();
        let name = waiting.advertisement().unwrap().local_name;
        assert!(name.contains("toio"));
        assert_eq!(name.rsplit('-').next().unwrap().len(), 3, "{name}");
        // Nothing under the cube and nothing moves: only the battery speaks.
        rig.on_mat = false;
        let mut silent = 0;
        for _ in 0..3000 {
            let has_spoken = !rig.step().messages.is_empty();
            silent = if has_spoken { 0 } else { silent + 1 };
            assert!(silent <= 250, "5 s of silence");
        }
        rig.on_mat = true;
        rig.write(0x102, "04 00 05 00 50 00 00 01 5e 01 2c 01 00 00");
        rig.write(0x106, "81");
        step_without_drops(&mut rig);
        assert!(rig.take(0x106)[0].len() > 5);
        rig.run(200);
        assert_eq!(rig.take(0x102), [bytes("84 00 00")]);
    }
}

/// At the default MTU a write carries two targets at most (section 5).
#[test]
fn two_targets_fit_the_default_mtu() {
    let hex = |count: usize| format!("04 00 05 00 50 00 00 00 {}", "5e 01 2c 01 00 00 ".repeat(count));
    assert!(bytes(&hex(2)).len() <= DEFAULT_WRITE_BYTES && bytes(&hex(3)).len() > DEFAULT_WRITE_BYTES);
    // 29 fit the protocol, 0 and 30 do not.
    for (count, is_taken) in [(0, false), (1, true), (29, true), (30, false)] {
        let mut rig = Rig::device();
        rig.write(0x102, &hex(count));
        rig.step();
        assert_eq!(rig.drops().is_empty(), is_taken, "{count}");
    }
}
