//! The table of versions (toio facts, sections 5, 6.5 and 7): what each takes and what each says.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use sim_core::ParamError;
use toio_cube_sim::Protocol::{self, V2_0_0, V2_1_0, V2_2_0, V2_3_0, V2_4_0, V2_5_0};
use toio_cube_sim::advertising::{ADVERTISING_FLAGS, Advertisement, NameSuffix, gap_device_name};
use toio_cube_sim::gatt::{Properties, SERVICE_UUID};
use toio_cube_sim::{Characteristic, CubeParams, Profile};

/// Every write of sections 6.2 to 6.7 with the version that brought it, and the first that no longer takes it in this form.
const WRITES: [(u16, &str, Protocol, Option<Protocol>); 37] = [
    (0x102, "01 01 01 64 02 02 14", V2_0_0, None),
    (0x102, "02 01 01 64 02 02 14 0a", V2_0_0, None),
    (0x102, "03 00 05 00 50 00 00 bc 02 82 01 5a 00", V2_1_0, None),
    (0x102, "04 00 05 00 50 00 00 00 64 00 64 00 00 00", V2_1_0, None),
    (0x102, "05 32 05 0f 00 00 00 00 64", V2_1_0, None),
    (0x103, "03 10 01 01 ff 00 00", V2_0_0, None),
    (0x103, "04 00 02 1e 01 01 00 ff 00 1e 01 01 00 00 ff", V2_0_0, None),
    (0x103, "01", V2_0_0, None),
    (0x103, "02 01 01", V2_0_0, None),
    (0x103, "70 00 01 01 0a ff ff ff", V2_5_0, None),
    (0x104, "02 04 ff", V2_0_0, None),
    (0x104, "03 00 03 1e 3c ff 1e 3e ff 1e 40 ff", V2_0_0, None),
    (0x104, "01", V2_0_0, None),
    (0x106, "81", V2_2_0, None),
    (0x106, "82", V2_2_0, None),
    (0x106, "83 01", V2_3_0, None),
    (0x106, "83 02", V2_4_0, None),
    (0x106, "83 03", V2_4_0, None),
    (0x1ff, "01 00", V2_0_0, None),
    (0x1ff, "05 0a", V2_0_0, Some(V2_1_0)),
    (0x1ff, "05 00 0a", V2_1_0, None),
    (0x1ff, "06 0a", V2_0_0, Some(V2_1_0)),
    (0x1ff, "06 00 0a", V2_1_0, None),
    (0x1ff, "17 00 07", V2_1_0, None),
    (0x1ff, "18 00 01 01", V2_2_0, None),
    (0x1ff, "19 00 0a", V2_2_0, None),
    (0x1ff, "1b 00 01", V2_2_0, Some(V2_3_0)),
    (0x1ff, "1b 00 02 01 01", V2_3_0, None),
    (0x1ff, "1c 00 01", V2_2_0, None),
    (0x1ff, "1d 00 01 01 01", V2_3_0, None),
    (0x1ff, "1d 00 02 01 01", V2_4_0, None),
    (0x1ff, "1d 00 03 01 01", V2_4_0, None),
    (0x1ff, "1e 00 01 01", V2_3_0, None),
    (0x1ff, "30 00 08 00 50 00", V2_4_0, None),
    (0x1ff, "31 00", V2_4_0, None),
    (0x1ff, "32 00", V2_4_0, None),
    (0x1ff, "34 00 0a", V2_5_0, None),
];

fn takes_its_writes_only(protocol: Protocol) {
    for (short_id, hex, first, gone) in WRITES {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        rig.run(2);
        rig.write(short_id, hex);
        rig.step();
        let is_taken = protocol >= first && gone.is_none_or(|gone| protocol < gone);
        assert_eq!(rig.drops().is_empty(), is_taken, "{protocol}: {short_id:x} {hex}");
    }
    // Mute and reset want the button held.
    for hex in ["33 00 01", "0f", "0f 00"] {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        rig.senses.button_is_pressed = true;
        rig.step();
        rig.write(0x1ff, hex);
        rig.step();
        assert_eq!(rig.drops().is_empty(), protocol >= V2_5_0, "{protocol}: {hex}");
    }
}

fn says_its_version(protocol: Protocol, text: &str) {
    let mut rig = Rig::for_profile(protocol, Profile::Device);
    rig.write(0x1ff, "01 00");
    rig.step();
    let expected = [&[0x81, 0][..], text.as_bytes()].concat();
    assert_eq!(rig.take(0x1ff), std::slice::from_ref(&expected));
    assert_eq!(rig.cube.read(Characteristic::Configuration).unwrap().to_vec(), expected);
    assert_eq!(Protocol::from_text(text), Some(protocol));
}

/// Tilted to its right side by 90 degrees: no longer flat, and posture 6 where there is one.
fn motion_report(protocol: Protocol) -> Vec<Vec<u8>> {
    let mut rig = Rig::for_profile(protocol, Profile::Device);
    rig.run(2);
    rig.senses.attitude.roll_rad = std::f64::consts::FRAC_PI_2;
    rig.senses.specific_force_m_s2 = sim_core::DVec3::new(0.0, -9.806_65, 0.0);
    rig.run(2);
    rig.take(0x106)
}

#[test]
fn version_2_0_0() {
    takes_its_writes_only(V2_0_0);
    says_its_version(V2_0_0, "2.0.0");
    assert_eq!((V2_0_0.dead_zone(), V2_0_0.max_command()), (10.0, 100.0));
    assert_eq!(motion_report(V2_0_0), [bytes("01 00 00")]);
    let rig = Rig::for_profile(V2_0_0, Profile::Device);
    assert_eq!(rig.cube.read(Characteristic::Motor), None);
}

#[test]
fn version_2_1_0() {
    takes_its_writes_only(V2_1_0);
    says_its_version(V2_1_0, "2.1.0");
    assert_eq!((V2_1_0.dead_zone(), V2_1_0.max_command()), (8.0, 115.0));
    assert_eq!(motion_report(V2_1_0), [bytes("01 00 00 00 06")]);
    let mut rig = Rig::for_profile(V2_1_0, Profile::Device);
    rig.write(0x102, "03 00 05 00 09 00 00 bc 02 82 01 5a 00");
    rig.step();
    assert_eq!(rig.cube.read(Characteristic::Motor).unwrap().to_vec(), bytes("83 00 06"));
}

#[test]
fn version_2_2_0() {
    takes_its_writes_only(V2_2_0);
    says_its_version(V2_2_0, "2.2.0");
    assert_eq!(motion_report(V2_2_0), [bytes("01 00 00 00 06 00")]);
    let mut rig = Rig::for_profile(V2_2_0, Profile::Device);
    rig.write(0x1ff, "1b 00 01");
    rig.step();
    assert_eq!(rig.take(0x106), [bytes("02 00")]);
    rig.write(0x106, "82");
    rig.step();
    assert_eq!(rig.take(0x106), [bytes("02 00")]);
}

#[test]
fn version_2_3_0() {
    takes_its_writes_only(V2_3_0);
    says_its_version(V2_3_0, "2.3.0");
    assert_eq!(motion_report(V2_3_0).len(), 1);
    let mut rig = Rig::for_profile(V2_3_0, Profile::Device);
    rig.write(0x106, "82");
    rig.step();
    assert_eq!(rig.take(0x106), [bytes("02 00 00 00 00 00")]);
    // Strength and direction, Euler angles, serialized info: 20 000 A/m down are 44 steps of 450.
    rig.senses.magnetic_field_a_m.z = 20_000.0;
    rig.write(0x1ff, "1b 00 02 01 00");
    rig.write(0x106, "83 01");
    rig.write(0x1ff, "1e 00 01 00");
    rig.step();
    assert_eq!(rig.take(0x106), [bytes("02 00 2c 00 00 0a"), bytes("03 01 00 00 00 00 00 00")]);
    let told: Vec<(u8, usize)> = rig.take(0x1ff).iter().map(|said| (said[0], said.len())).collect();
    assert_eq!(told, [(0x9b, 3), (0x9e, 3), (0xf0, 20)]);
}

/// No yaw drift, so that what is said of the attitude is known.
fn without_drift(protocol: Protocol) -> Rig {
    let attitude = toio_cube_sim::attitude::AttitudeParams::exact();
    Rig::with(CubeParams { attitude, ..CubeParams::for_profile(protocol, Profile::Device) })
}

#[test]
fn version_2_4_0() {
    takes_its_writes_only(V2_4_0);
    // Not "2.3.0", which the Unity simulator reports for this one (section 9).
    says_its_version(V2_4_0, "2.4.0");
    let mut rig = without_drift(V2_4_0);
    rig.run(2);
    rig.write(0x106, "83 02");
    rig.write(0x106, "83 03");
    rig.step();
    let level = "03 03 00 00 00 00 00 00 00 00 00 00 00 00";
    assert_eq!(rig.take(0x106), [V36, level].map(bytes));
    // The interval that it asks for by itself (V54), and the one that it gets, told when asked and not when it changes.
    rig.cube.set_connection_interval(24);
    rig.step();
    assert_eq!(rig.take(0x1ff), Vec::<Vec<u8>>::new());
    rig.write(0x1ff, "31 00");
    rig.write(0x1ff, "32 00");
    rig.step();
    assert_eq!(rig.take(0x1ff), [bytes("b1 00 08 00 50 00"), bytes("b2 00 18 00")]);
}

/// The identity, as section 14 writes it.
const V36: &str = "03 02 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00";

#[test]
fn version_2_5_0() {
    takes_its_writes_only(V2_5_0);
    says_its_version(V2_5_0, "2.5.0");
    // Smooth blink, a change of the interval told by itself, mute that is saved, and power off from afar.
    let mut rig = Rig::for_profile(V2_5_0, Profile::Device);
    rig.senses.button_is_pressed = true;
    rig.step();
    rig.cube.set_connection_interval(24);
    rig.write(0x103, "70 00 01 01 c8 ff ff ff");
    rig.write(0x1ff, "33 00 01");
    rig.write(0x1ff, "34 00 01");
    // Half of a blink of 2 s is 1 s, at which the power goes: at three quarters of it the lamp is past its half.
    rig.run(38);
    assert!(rig.outputs.actuators.lamp.r > 128);
    assert_eq!(rig.take(0x1ff), ["b2 00 18 00", "b3 00 00", "b4 00 00"].map(bytes));
    rig.write(0x104, "02 04 ff");
    rig.step();
    assert_eq!(rig.outputs.actuators.sounding, None);
    rig.run(13);
    assert_eq!(rig.outputs.actuators.power, toio_cube_sim::PowerState::Stopping);
    assert_eq!(Protocol::default(), V2_5_0);
    assert_eq!(Protocol::from_text("2.6.0"), None);
}

#[test]
fn uuids_and_properties() {
    assert_eq!(SERVICE_UUID, "10B20100-5B3B-4571-9508-CF3EFCD7BBAE");
    let uuids = [
        (Characteristic::Id, "10B20101-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Motor, "10B20102-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Light, "10B20103-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Sound, "10B20104-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Sensor, "10B20106-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Button, "10B20107-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Battery, "10B20108-5B3B-4571-9508-CF3EFCD7BBAE"),
        (Characteristic::Configuration, "10B201FF-5B3B-4571-9508-CF3EFCD7BBAE"),
    ];
    assert_eq!(uuids.map(|(characteristic, _)| characteristic), Characteristic::ALL);
    for (characteristic, uuid) in uuids {
        assert_eq!(characteristic.uuid(), uuid);
    }
    assert_eq!(Characteristic::from_short_id(0x105), None);
    let letters = |characteristic: Characteristic, protocol| {
        let Properties { read, write, write_without_response, notify } = characteristic.properties(protocol);
        let all = [(read, 'r'), (write, 'w'), (write_without_response, 'c'), (notify, 'n')];
        all.iter().filter(|(has, _)| *has).map(|&(_, letter)| letter).collect::<String>()
    };
    let of = |protocol| Characteristic::ALL.map(|characteristic| letters(characteristic, protocol));
    assert_eq!(of(V2_0_0), ["rn", "c", "w", "w", "rn", "rn", "rn", "rwn"]);
    assert_eq!(of(V2_1_0), ["rn", "rcn", "w", "w", "rn", "rn", "rn", "rwn"]);
    for protocol in [V2_2_0, V2_3_0, V2_4_0, V2_5_0] {
        assert_eq!(of(protocol), ["rn", "rcn", "w", "w", "rwn", "rn", "rn", "rwn"]);
    }
}

#[test]
fn names_by_version() -> Result<(), ParamError> {
    let suffix = NameSuffix::new("a1B")?;
    let rows = [
        (V2_0_0, "toio Core Cube", true, "toio Core Cube"),
        (V2_1_0, "toio Core Cube", true, "toio Core Cube"),
        (V2_2_0, "toio Core Cube", true, "toio Core Cube"),
        (V2_3_0, "toio Core Cube-a1B", true, "toio Core Cube-a1B"),
        (V2_4_0, "toio-a1B", false, "toio-a1B (toio Core Cube)"),
        (V2_5_0, "toio-a1B", false, "toio-a1B (toio Core Cube)"),
    ];
    for (protocol, local_name, name_is_complete, device_name) in rows {
        let expected = Advertisement {
            flags: ADVERTISING_FLAGS,
            service_uuid: SERVICE_UUID,
            local_name: local_name.to_owned(),
            name_is_complete,
        };
        assert_eq!(Advertisement::new(protocol, suffix), expected);
        assert_eq!(gap_device_name(protocol, suffix), device_name);
    }
    // General discoverable and no BR/EDR: bits 1 and 2.
    assert_eq!(ADVERTISING_FLAGS, 0b110);
    // Real fleets hold these too (section 5).
    for text in ["r52", "65r", "07F", "822", "31j"] {
        assert!(NameSuffix::new(text).is_ok());
    }
    for text in ["", "a1", "a1Bc", "a-1", "aé"] {
        assert!(NameSuffix::new(text).is_err());
    }
    Ok(())
}

#[test]
fn generated_names_are_letter_digit_letter_without_the_banned_ones() {
    let mut names = std::collections::BTreeSet::new();
    for number in 0..1000 {
        let name = Advertisement::new(V2_5_0, NameSuffix::from_number(number)).local_name;
        let suffix: Vec<char> = name["toio-".len()..].chars().collect();
        assert!(suffix[0].is_ascii_alphabetic() && suffix[1].is_ascii_digit() && suffix[2].is_ascii_alphabetic());
        assert!(!suffix.iter().any(|letter| "lIoOgqsSvVuUwWxXyYzZ".contains(*letter)), "{name}");
        names.insert(name);
    }
    // 32 x 10 x 32 names; a thousand draws of them leave about 953 different ones.
    assert!((900..1000).contains(&names.len()), "{}", names.len());
}
