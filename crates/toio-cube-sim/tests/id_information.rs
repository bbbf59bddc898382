//! When IDs are reported and missed (toio facts, sections 6.1, 6.7 and 8.7).

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use toio_cube_sim::wire::{PositionId, StandardId};
use toio_cube_sim::{Characteristic, Printed, Profile, Protocol};

fn at(x: u16, y: u16, deg: u16) -> Printed {
    Printed::Position(PositionId { centre_x: x, centre_y: y, centre_deg: deg, ..PositionId::default() })
}

fn card(value: u32, deg: u16) -> Printed {
    Printed::Standard(StandardId { value, deg })
}

/// Steps with each of these under the sensor; the number of ID reports after each.
fn reports(rig: &mut Rig, printed: &[Printed]) -> Vec<usize> {
    let count = |&printed: &Printed| {
        rig.senses.printed = printed;
        rig.step_as_told();
        rig.take(0x101).len()
    };
    printed.iter().map(count).collect()
}

/// Up to 2.1.0: any change, nothing without, and missed at once.
#[test]
fn early_versions_report_every_change() {
    for protocol in [Protocol::V2_0_0, Protocol::V2_1_0] {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        let seen =
            [at(1, 2, 3), at(1, 2, 3), at(1, 2, 4), at(2, 2, 4), Printed::Nothing, Printed::Nothing, at(2, 2, 4)];
        assert_eq!(reports(&mut rig, &seen), [1, 0, 1, 1, 1, 0, 1], "{protocol}");
    }
}

/// The default from 2.2.0 on: what is new at once, what is unchanged every 300 ms, that is every 15 steps.
#[test]
fn condition_ff_pauses_300_ms_while_unchanged() {
    let mut rig = Rig::for_profile(Protocol::V2_2_0, Profile::Device);
    let mut seen = vec![at(5, 5, 5); 31];
    let mut expected = vec![0; 31];
    for index in [0, 15, 30] {
        expected[index] = 1;
    }
    seen.extend([at(5, 5, 6), at(5, 6, 6)]);
    expected.extend([1, 1]);
    assert_eq!(reports(&mut rig, &seen), expected);
}

#[test]
fn condition_00_reports_at_its_interval() {
    let mut rig = Rig::device();
    rig.write(0x1ff, "18 00 06 00");
    // 60 ms are three steps of 20 ms.
    assert_eq!(reports(&mut rig, &[at(5, 5, 5); 9]), [1, 0, 0, 1, 0, 0, 1, 0, 0]);
    rig.write(0x1ff, "18 00 00 00");
    assert_eq!(reports(&mut rig, &[at(5, 5, 5); 4]), [1, 1, 1, 1]);
}

/// The interval holds for changes too, and a report then tells the latest.
#[test]
fn changes_wait_for_the_interval() {
    let mut rig = Rig::device();
    rig.write(0x1ff, "18 00 06 ff");
    let seen: Vec<Printed> = (0..7).map(|step| at(step, 0, 0)).collect();
    assert_eq!(reports(&mut rig, &seen), [1, 0, 0, 1, 0, 0, 1]);
}

/// Fault 5: 3 degrees either way are a change, 2 degrees are none, also across 0; the comparison is with the last report.
#[test]
fn fault_5_three_degrees_either_way() {
    for (from, to, expected) in [
        (10, 12, 0),
        (10, 8, 0),
        (10, 9, 0),
        (10, 13, 1),
        (10, 7, 1),
        (359, 1, 0),
        (359, 2, 1),
        (1, 358, 1),
        (360, 1, 0),
    ] {
        for is_card in [false, true] {
            let mut rig = Rig::device();
            rig.write(0x1ff, "18 00 01 01");
            let under = |deg| if is_card { card(7, deg) } else { at(100, 100, deg) };
            assert_eq!(reports(&mut rig, &[under(from), under(to)]), [1, expected], "{from} to {to}");
        }
    }
    // Dot by dot: each second one counts.
    let mut rig = Rig::device();
    rig.write(0x1ff, "18 00 01 01");
    let seen: Vec<Printed> = (100..106).map(|x| at(x, 100, 0)).collect();
    assert_eq!(reports(&mut rig, &seen), [1, 0, 1, 0, 1, 0]);
    let seen: Vec<Printed> = (0..4).map(|back| at(105, 100 - back, 0)).collect();
    assert_eq!(reports(&mut rig, &seen), [0, 0, 1, 0]);
}

#[test]
fn another_card_is_a_change() {
    for condition in ["01", "ff"] {
        let mut rig = Rig::device();
        rig.write(0x1ff, &format!("18 00 01 {condition}"));
        assert_eq!(reports(&mut rig, &[card(7, 0), card(7, 0), card(8, 0)]), [1, 0, 1]);
    }
}

/// Another kind of ID is first contact: the interval does not hold it back.
#[test]
fn from_mat_to_card_at_once() {
    let mut rig = Rig::device();
    rig.write(0x1ff, "18 00 ff 01");
    assert_eq!(reports(&mut rig, &[at(5, 5, 5), card(7, 0), at(5, 5, 5), at(90, 5, 5)]), [1, 1, 1, 0]);
}

/// 70 ms by default, once, and as the kind that is missed; shorter gaps are not seen at all.
#[test]
fn missed_after_the_sensitivity_time() {
    let none = Printed::Nothing;
    let mut rig = Rig::device();
    let seen = [at(5, 5, 5), none, none, none, none, at(5, 5, 5), none, none, none, none, none, none];
    let counts = reports(&mut rig, &seen);
    // Without an ID at 0, 20, 40 and 60 ms: nothing yet. At 80 ms it is missed.
    assert_eq!(counts, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(rig.cube.read(Characteristic::Id).unwrap().to_vec(), bytes("03"));
    let mut rig = Rig::device();
    rig.write(0x1ff, "19 00 0a");
    reports(&mut rig, &[card(7, 0)]);
    let counts = reports(&mut rig, &[none; 7]);
    assert_eq!(counts, [0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(rig.cube.read(Characteristic::Id).unwrap().to_vec(), bytes("04"));
    // The unity profile starts with 0 ms.
    let mut rig = Rig::unity();
    assert_eq!(reports(&mut rig, &[at(5, 5, 5), none, none]), [1, 1, 0]);
}

/// Nothing has been seen, so nothing is missed.
#[test]
fn no_report_without_any_id() {
    let mut rig = Rig::device();
    assert_eq!(reports(&mut rig, &[Printed::Nothing; 50]), [0; 50]);
    assert_eq!(rig.cube.read(Characteristic::Id).unwrap().to_vec(), bytes("03"));
}

/// A new client hears the ID that the cube has stood on all the time.
#[test]
fn a_new_client_is_told_at_once() {
    let mut rig = Rig::for_profile(Protocol::V2_0_0, Profile::Device);
    assert_eq!(reports(&mut rig, &[at(5, 5, 5), at(5, 5, 5)]), [1, 0]);
    rig.cube.disconnect();
    assert_eq!(reports(&mut rig, &[at(5, 5, 5)]), [0]);
    rig.cube.connect();
    rig.cube.subscribe_all();
    assert_eq!(reports(&mut rig, &[at(5, 5, 5), at(5, 5, 5)]), [1, 0]);
    assert_eq!(rig.cube.read(Characteristic::Id).unwrap().to_vec(), bytes("01 05 00 05 00 05 00 00 00 00 00 00 00"));
}
