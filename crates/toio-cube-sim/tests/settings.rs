//! Settings: ranges, answers, what they do, and what a disconnect undoes (toio facts, sections 5, 6.7 and 8.7).

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes, is_malformed};
use sim_core::{DVec3, StateHash};
use toio_cube_sim::wire::{ConfigCommand, IdReport, Notification, PositionId, StandardId};
use toio_cube_sim::{Characteristic, Event, Printed, Profile, Protocol, Refusal};

fn state(rig: &Rig) -> u64 {
    let mut hash = StateHash::new();
    rig.cube.hash_into(&mut hash);
    hash.finish()
}

/// Writes of section 6.7 that are done, each with its answer.
#[test]
fn settings_are_answered() {
    let rows = [
        ("01 00", Some("81 00 32 2e 35 2e 30")),
        ("05 00 01", None),
        ("05 00 2d", None),
        ("06 00 01", None),
        ("06 00 0a", None),
        ("17 00 00", None),
        ("17 00 07", None),
        ("18 00 00 00", Some("98 00 00")),
        ("18 00 ff ff", Some("98 00 00")),
        ("19 00 00", Some("99 00 00")),
        ("1b 00 00 00 00", Some("9b 00 00")),
        ("1b 00 02 ff 01", Some("9b 00 00")),
        ("1c 00 01", Some("9c 00 00")),
        ("1d 00 03 01 00", Some("9d 00 00")),
        ("1e 00 05 00", Some("9e 00 00")),
        ("30 00 06 00 80 0c", Some("b0 00 00")),
        ("30 00 ff ff ff ff", Some("b0 00 00")),
        ("30 00 ff ff 50 00", Some("b0 00 00")),
        ("32 00", Some("b2 00 08 00")),
        ("34 00 ff", Some("b4 00 00")),
    ];
    for (hex, answer) in rows {
        let mut rig = Rig::device();
        rig.write(0x1ff, hex);
        rig.step();
        let expected: Vec<Vec<u8>> = answer.iter().map(|hex| bytes(hex)).collect();
        let said = rig.take(0x1ff);
        assert_eq!(said.first(), expected.first(), "{hex}");
        assert_eq!(rig.drops(), [], "{hex}");
        assert_eq!(rig.cube.read(Characteristic::Configuration).map(|b| b.to_vec()).as_ref(), expected.first());
    }
}

/// Fault 16: settings are range-checked. A wrong value is answered as refused where the setting has an answer; a wrong length has no
/// answer at all; and nothing changes either way.
#[test]
fn fault_16_settings_are_range_checked() {
    let rows = [
        ("05 00 00", None),
        ("05 00 2e", None),
        ("06 00 00", None),
        ("06 00 0b", None),
        ("17 00 08", None),
        ("18 00 01 02", Some("98")),
        ("18 00 01 fe", Some("98")),
        ("1b 00 03 01 01", Some("9b")),
        ("1b 00 01 01 02", Some("9b")),
        ("1c 00 02", Some("9c")),
        ("1d 00 00 01 00", Some("9d")),
        ("1d 00 04 01 00", Some("9d")),
        ("1d 00 01 01 02", Some("9d")),
        ("1e 00 01 02", Some("9e")),
        ("30 00 05 00 50 00", Some("b0")),
        ("30 00 08 00 81 0c", Some("b0")),
        ("30 00 50 00 08 00", Some("b0")),
        ("33 00 03", Some("b3")),
        ("18 00 01", None),
        ("19 00", None),
        ("1b 00 01", None),
        ("1d 00 01 01", None),
        ("1e 00 01", None),
        ("01", None),
        ("05 0a", None),
        ("31 00 00", None),
        ("34 00", None),
    ];
    for (hex, answer) in rows {
        let mut rig = Rig::device();
        rig.run(3);
        let mut untouched = rig.clone();
        rig.write(0x1ff, hex);
        rig.step();
        untouched.step();
        let said = rig.take(0x1ff);
        match answer {
            Some(op) => {
                assert_eq!(said.len(), 1, "{hex}");
                assert_eq!(said[0][..2], bytes(&format!("{op} 00"))[..], "{hex}");
                assert_ne!(said[0][2], 0, "{hex}");
                // Only what a read of the answer gives may differ: a written version question makes that the same again.
                [&mut rig, &mut untouched].into_iter().for_each(|rig| rig.write(0x1ff, "01 00"));
            }
            None => assert_eq!(said, Vec::<Vec<u8>>::new(), "{hex}"),
        }
        assert!(matches!(&rig.drops()[..], [why] if is_malformed(why)), "{hex}: {:?}", rig.drops());
        assert!(matches!(&rig.events[0], Event::Dropped { bytes: b, .. } if *b == bytes(hex)));
        assert_eq!(state(&rig), state(&untouched), "{hex}");
    }
}

/// Fault 16, its second half: the ID settings do not survive a disconnect, and neither does any other setting.
#[test]
fn fault_16_settings_end_with_the_connection() {
    let mut rig = Rig::device();
    rig.run(2);
    for hex in [
        "05 00 0a",
        "06 00 0a",
        "17 00 07",
        "18 00 ff 00",
        "19 00 ff",
        "1b 00 01 01 01",
        "1c 00 01",
        "1d 00 01 01 00",
        "1e 00 01 00",
        "30 00 10 00 20 00",
    ] {
        rig.write(0x1ff, hex);
    }
    rig.write(0x102, "01 01 01 64 02 01 64");
    rig.write(0x103, "03 00 01 01 ff 00 00");
    rig.step();
    assert!(rig.motor()[0] > 0.0 && rig.outputs.actuators.lamp.r == 255);
    rig.cube.disconnect();
    rig.step();
    assert_eq!(rig.motor(), [0.0; 2]);
    assert_eq!(rig.outputs.actuators.lamp.r, 0);
    rig.run(5);
    rig.cube.connect();
    rig.cube.subscribe_all();
    rig.heard.clear();
    rig.write(0x1ff, "31 00");
    rig.run(32);
    // No more than the ID, the answer and, after 300 ms, the ID again: twice.
    assert_eq!(rig.take(0x1ff), [bytes("b1 00 08 00 50 00")]);
    assert_eq!(rig.take(0x106), Vec::<Vec<u8>>::new());
    assert_eq!(rig.take(0x102), Vec::<Vec<u8>>::new());
    assert_eq!(rig.take(0x101).len(), 3);
    // A tilt of 20 degrees is flat again (45, not 10).
    rig.senses.attitude.roll_rad = 20.0_f64.to_radians();
    rig.write(0x106, "81");
    rig.step();
    assert_eq!(rig.take(0x106)[0][1], 1);
    // Missed after 70 ms again.
    rig.on_mat = false;
    rig.run(5);
    assert_eq!(rig.take(0x101), [bytes("03")]);
}

/// Section 5: "All settings return to default on disconnect". Whatever one client has set, the next one finds the very state that it
/// would have found without it: each setting by itself, and all of them.
#[test]
fn a_disconnect_leaves_no_trace_of_any_setting() {
    let settings = [
        "05 00 0a",
        "06 00 0a",
        "17 00 00",
        "18 00 05 00",
        "19 00 ff",
        "1b 00 01 01 00",
        "1b 00 02 05 01",
        "1c 00 01",
        "1d 00 02 01 00",
        "1e 00 01 00",
        "30 00 10 00 20 00",
    ];
    let ended_with = |writes: &[&str], disconnects: bool| {
        let mut rig = Rig::device();
        rig.run(2);
        writes.iter().for_each(|hex| rig.write(0x1ff, hex));
        rig.run(20);
        assert_eq!(rig.drops(), [], "{writes:?}");
        if disconnects {
            rig.cube.disconnect();
            rig.run(5);
            rig.cube.connect();
            rig.cube.subscribe_all();
        }
        // When an ID was last told is no setting: another one is told at once, whatever was told before.
        rig.pose.x += 50.0;
        rig.write(0x1ff, "01 00");
        rig.run(20);
        state(&rig)
    };
    let untouched = ended_with(&[], true);
    for hex in settings {
        assert_eq!(ended_with(&[hex], true), untouched, "{hex}");
        assert_ne!(ended_with(&[hex], false), ended_with(&[], false), "{hex} is in the state");
    }
    assert_eq!(ended_with(&settings, true), untouched);
}

/// The wheel speed: every 100 ms at most, only when it has changed, without a sign.
#[test]
fn wheel_speed_is_told_every_100_ms_on_change() {
    let mut rig = Rig::device();
    rig.write(0x102, "01 01 01 64 02 02 64");
    rig.run(1);
    rig.write(0x1ff, "1c 00 01");
    let mut at = Vec::new();
    for step in 0..40 {
        rig.step();
        at.extend(rig.take(0x102).iter().map(|said| (step, said.clone())));
    }
    // At once: 50 units after one step (section 15); then every 5 steps while the speed still grows: 98 after 6, 100 after 11.
    let said = |units: u8| vec![0xe0, units, units];
    assert_eq!(at[..3], [(0, said(50)), (5, said(98)), (10, said(100))]);
    assert_eq!(at.len(), 3);
    rig.write(0x1ff, "1c 00 00");
    rig.write(0x102, "01 01 01 00 02 02 00");
    rig.run(40);
    assert_eq!(rig.take(0x102), Vec::<Vec<u8>>::new());
    // The unity profile looks at every step.
    let mut rig = Rig::unity();
    rig.write(0x102, "01 01 01 64 02 02 64");
    rig.write(0x1ff, "1c 00 01");
    rig.run(4);
    assert_eq!(rig.take(0x102), [said(0), said(50), said(75), said(88)]);
}

#[test]
fn attitude_and_magnet_are_told_at_their_intervals() {
    let mut rig = Rig::device();
    rig.write(0x1ff, "1d 00 03 06 00");
    rig.write(0x1ff, "1b 00 01 02 00");
    // Interval 60 ms: steps 0, 3, 6, 9, of 14 bytes; 40 ms: steps 0, 2, 4, 6, 8.
    rig.run(10);
    let said = rig.take(0x106);
    assert_eq!(said.iter().filter(|said| said[..2] == [3, 3] && said.len() == 14).count(), 4);
    assert_eq!(said.iter().filter(|said| said[..] == [2, 0, 0, 0, 0, 0]).count(), 5);
    // On change: a field of 20 kA/m from below, pole S facing the sensor, is state 1 (section 6.5), told once.
    rig.write(0x1ff, "1d 00 03 00 00");
    rig.write(0x1ff, "1b 00 01 01 01");
    rig.run(3);
    rig.take(0x106);
    rig.senses.magnetic_field_a_m = DVec3::new(0.0, 0.0, -20_000.0);
    rig.run(10);
    assert_eq!(rig.take(0x106), [bytes("02 01 00 00 00 00")]);
    // Strength instead: the state reads 0. 20 000 / 450 is 44.4.
    rig.write(0x1ff, "1b 00 02 01 01");
    rig.run(10);
    assert_eq!(rig.take(0x106), [bytes("02 00 2c 00 00 f6")]);
}

/// V56 from a cube that stands there, and the same again only when something has changed.
#[test]
fn serialized_info_of_a_cube_at_rest() {
    let params = toio_cube_sim::CubeParams { charge_percent: 80.0, ..toio_cube_sim::CubeParams::default() };
    let mut rig = Rig::with(params);
    rig.cube.set(ConfigCommand::SerializedInfo { interval_10_ms: 1, on_change: true });
    let id =
        PositionId { centre_x: 709, centre_y: 383, centre_deg: 306, sensor_x: 700, sensor_y: 386, sensor_deg: 306 };
    rig.senses.printed = Printed::Position(id);
    rig.step_as_told();
    let v56 = bytes("f0 40 99 c5 c2 5f 00 00 00 00 00 00 20 d0 00 00 00 00 00 00");
    assert_eq!(rig.take(0x1ff), [bytes("9e 00 00"), v56]);
    for _ in 0..10 {
        rig.step_as_told();
    }
    assert_eq!(rig.take(0x1ff), Vec::<Vec<u8>>::new());
    rig.senses.button_is_pressed = true;
    rig.senses.printed = Printed::Standard(StandardId { value: 3_670_016, deg: 21 });
    rig.step_as_told();
    let said = rig.take(0x1ff);
    let Ok(Notification::Config(toio_cube_sim::wire::ConfigReport::Serialized(info))) =
        Notification::decode(Characteristic::Configuration, &said[0])
    else {
        panic!("{said:?}")
    };
    assert!(info.button && info.id == IdReport::Standard(StandardId { value: 3_670_016, deg: 21 }));
    // While a target is under way the code is 0x1F, afterwards that of its answer.
    rig.senses.button_is_pressed = false;
    rig.write(0x102, "03 00 05 00 50 00 00 bc 02 82 01 5a 00");
    rig.step();
    let code = |said: &[Vec<u8>]| said.last().map(|said| said[12] & 0x1f);
    assert_eq!(code(&rig.take(0x1ff)), Some(0x1f));
    rig.write(0x102, "01 01 01 00 02 01 00");
    rig.step();
    assert_eq!(code(&rig.take(0x1ff)), Some(5));
}

#[test]
fn connection_interval_is_asked_for_granted_and_told() {
    for (protocol, tells) in [(Protocol::V2_4_0, false), (Protocol::V2_5_0, true)] {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        rig.write(0x1ff, "30 00 10 00 20 00");
        rig.step();
        assert_eq!(rig.events, [Event::IntervalRequested { min: 16, max: 32 }]);
        rig.take(0x1ff);
        rig.cube.set_connection_interval(24);
        rig.cube.set_connection_interval(24);
        rig.step();
        let expected = if tells { vec![bytes("b2 00 18 00")] } else { Vec::new() };
        assert_eq!(rig.take(0x1ff), expected);
        rig.write(0x1ff, "32 00");
        rig.write(0x1ff, "31 00");
        rig.step();
        assert_eq!(rig.take(0x1ff), [bytes("b2 00 18 00"), bytes("b1 00 10 00 20 00")]);
    }
}

/// The savable settings: refused without the button, kept over a disconnect with it. Both forms of the reset are taken.
#[test]
fn mute_wants_the_button_and_is_saved() {
    let sounds = |rig: &mut Rig| {
        rig.write(0x104, "02 04 ff");
        rig.step();
        rig.outputs.actuators.sounding.is_some()
    };
    let mut rig = Rig::device();
    rig.step();
    rig.write(0x1ff, "33 00 01");
    assert!(sounds(&mut rig));
    rig.write(0x1ff, "0f");
    rig.step();
    let said = rig.take(0x1ff);
    assert_eq!([&said[0][..2], &said[1][..2]], [&[0xb3, 0][..], &[0x8f, 0]]);
    assert!(said[0][2] != 0 && said[1][2] != 0);
    assert_eq!(rig.drops(), [Refusal::ButtonNotHeld; 2]);
    assert!(sounds(&mut rig));
    rig.senses.button_is_pressed = true;
    rig.step();
    rig.write(0x1ff, "33 00 01");
    assert!(!sounds(&mut rig));
    assert_eq!(rig.take(0x1ff), [bytes("b3 00 00")]);
    rig.cube.disconnect();
    rig.cube.connect();
    rig.cube.subscribe_all();
    assert!(!sounds(&mut rig));
    // Without the button the reset is refused: still mute.
    rig.senses.button_is_pressed = false;
    rig.step();
    rig.write(0x1ff, "0f 00");
    assert!(!sounds(&mut rig));
    rig.senses.button_is_pressed = true;
    rig.step();
    rig.take(0x1ff);
    for reset in ["0f", "0f 00"] {
        rig.write(0x1ff, "33 00 01");
        assert!(!sounds(&mut rig));
        rig.write(0x1ff, reset);
        assert!(sounds(&mut rig));
        assert_eq!(rig.take(0x1ff), [bytes("b3 00 00"), bytes("8f 00 00")]);
    }
    // System sounds only: a client's effect is heard, the connection is not.
    rig.write(0x1ff, "33 00 02");
    assert!(sounds(&mut rig));
    rig.cube.disconnect();
    rig.step();
    assert_eq!(rig.outputs.actuators.sounding, None);
}

/// Fault 14, in the whole cube: the first report comes in the step after the setting, however long the interval, and a request tells
/// the field of now, not that of the last report.
#[test]
fn fault_14_the_first_report_is_not_late() {
    let mut rig = Rig::device();
    rig.run(3);
    rig.write(0x1ff, "1b 00 01 ff 01");
    rig.step();
    assert_eq!(rig.take(0x106), [bytes("02 00 00 00 00 00")]);
    rig.senses.magnetic_field_a_m = DVec3::new(0.0, 0.0, -20_000.0);
    rig.step();
    assert_eq!(rig.take(0x106), Vec::<Vec<u8>>::new());
    rig.write(0x106, "82");
    rig.step();
    assert_eq!(rig.take(0x106), [bytes("02 01 00 00 00 00")]);
}

/// Fault 13, in the whole cube: requests get exactly one report each, in the format asked for, whether the report is on or not.
#[test]
fn fault_13_requests_get_one_report_each() {
    let mut rig = Rig::device();
    rig.run(3);
    for (hex, first, length) in
        [("81", [1, 1], 6), ("82", [2, 0], 6), ("83 01", [3, 1], 8), ("83 02", [3, 2], 18), ("83 03", [3, 3], 14)]
    {
        rig.take(0x106);
        rig.write(0x106, hex);
        rig.run(20);
        let said = rig.take(0x106);
        assert_eq!(said.len(), 1, "{hex}");
        assert_eq!((said[0][..2].to_vec(), said[0].len()), (first.to_vec(), length), "{hex}");
    }
    assert_eq!(rig.cube.read(Characteristic::Sensor).unwrap()[..2], [3, 3]);
}

/// Every collision and every double tap is told, also when nothing else has changed since the one before; 2.0.0 knows no double tap.
/// The shocks are far above every threshold: 0.5 m/s within one step.
#[test]
fn collisions_and_double_taps_are_told_each_time() {
    let hit = |rig: &mut Rig, shock: DVec3| {
        let rest = rig.senses.specific_force_m_s2;
        rig.senses.specific_force_m_s2 = rest + shock;
        rig.step();
        rig.senses.specific_force_m_s2 = rest;
        rig.run(9);
    };
    for protocol in [Protocol::V2_0_0, Protocol::V2_1_0, Protocol::V2_5_0] {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        rig.run(50);
        for _ in 0..3 {
            hit(&mut rig, DVec3::new(-25.0, 0.0, 0.0));
            rig.run(50);
        }
        let said = rig.take(0x106);
        assert_eq!(said.len(), 3, "{protocol}");
        assert!(said.iter().all(|said| said[2] == 1), "{protocol}: {said:?}");
        for _ in 0..2 {
            hit(&mut rig, DVec3::new(0.0, 0.0, 25.0));
        }
        rig.run(50);
        let said = rig.take(0x106);
        let expected = usize::from(protocol >= Protocol::V2_1_0);
        assert_eq!(said.len(), expected, "{protocol}: {said:?}");
        assert!(said.iter().all(|said| said[3] == 1), "{protocol}: {said:?}");
    }
}
