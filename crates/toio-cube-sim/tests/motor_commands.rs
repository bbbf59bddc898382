//! The five motor commands in the closed loop: durations, ramps, headings on arrival, answers (toio facts, sections 6.2 and 8.2 to
//! 8.6).

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, target, targets};
use sim_core::{Purpose, RunKey, Tick};
use toio_cube_sim::light::Rgb;
use toio_cube_sim::micros::Micros;
use toio_cube_sim::wire::{ErrorCode, KEEP, Movement, SpeedCurve, Target, TargetHeading, Travel, Turn};
use toio_cube_sim::{CubeParams, Outputs, Printed, Profile, Protocol, Refusal};

fn travel(request_id: u8, max_speed: u8) -> Travel {
    Travel { request_id, timeout_s: 5, movement: Movement::Arc, max_speed, speed_curve: SpeedCurve::Constant }
}

fn place(x: u16, y: u16, turn: Turn, deg: u16) -> Target {
    Target { x, y, heading: TargetHeading::new(turn, deg).unwrap() }
}

fn angle_between(a_deg: f64, b_deg: f64) -> f64 {
    ((a_deg - b_deg + 180.0).rem_euclid(360.0) - 180.0).abs()
}

/// Fault 20: 100 ms are five steps of 20 ms and not one more or less, wherever in the run they start; at other rates the last step is
/// one in part.
#[test]
fn fault_20_durations_do_not_jitter() {
    for (step_hz, expected) in [(50, 5), (60, 6), (100, 10), (64, 7)] {
        for wait in [0, 1, 7, 33] {
            let mut rig = Rig::with(CubeParams { step_hz, ..CubeParams::default() });
            rig.run(wait);
            rig.write(0x102, "02 01 01 64 02 02 14 0a");
            let mut active_s = 0.0;
            let active = (0..40).filter(|_| {
                rig.step();
                let is_active = rig.motor() == [100.0, -20.0];
                active_s += if is_active { rig.outputs.actuators.motor_share / f64::from(step_hz) } else { 0.0 };
                is_active
            });
            assert_eq!(active.count(), expected, "{step_hz} Hz, after {wait} steps");
            assert!((active_s - 0.1).abs() < 1e-5, "{step_hz} Hz: {active_s} s");
            assert_eq!(rig.motor(), [0.0; 2]);
        }
    }
}

/// A duration is exact at every step rate, although it ends inside a step: the way of a `02` and of a `05`, the light of a lamp, the sound
/// of a note. The specification's unit is 10 ms; the bound is 1 ms.
#[test]
fn durations_do_not_depend_on_the_step_rate() {
    for step_hz in [50, 60, 64, 90, 100, 120, 240] {
        for units in [1_u8, 2, 4, 7, 25] {
            let expected_s = f64::from(units) / 100.0;
            for write in [format!("02 01 01 32 02 01 32 {units:02x}"), format!("05 32 00 00 00 00 00 00 {units:02x}")] {
                let mut rig = Rig::with(CubeParams { step_hz, ..CubeParams::default() });
                rig.write(0x102, &write);
                rig.run_s(1.5);
                let driven_s = (rig.pose.x - 250.0) / (50.0 * 2.065_527);
                assert!((driven_s - expected_s).abs() < 1e-3, "{write} at {step_hz} Hz: {driven_s} s");
            }
            let mut rig = Rig::with(CubeParams { step_hz, ..CubeParams::default() });
            rig.run_s(2.0);
            rig.write(0x103, &format!("04 01 02 {units:02x} 01 01 ff 00 00 01 01 01 00 ff 00"));
            rig.write(0x104, &format!("03 01 01 {units:02x} 3c ff"));
            let (red_s, note_s) = shown_s(&mut rig, step_hz, 0.5);
            assert!((red_s - expected_s).abs() < 1e-3, "lamp at {step_hz} Hz: {red_s} s");
            assert!((note_s - expected_s).abs() < 1e-3, "note at {step_hz} Hz: {note_s} s");
        }
    }
}

/// Seconds in which the lamp is red and in which a note sounds.
fn shown_s(rig: &mut Rig, step_hz: u32, seconds: f64) -> (f64, f64) {
    let mut shown = Vec::new();
    let first = (2.0 * f64::from(step_hz)).round() as u64;
    for tick in first..first + (seconds * f64::from(step_hz)) as u64 {
        let Outputs { actuators, changes, .. } = rig.step();
        shown.push((Micros::from_tick(Tick(tick), step_hz), actuators.lamp, actuators.sounding));
        shown.extend(changes.iter().map(|change| (change.at, change.lamp, change.sounding)));
    }
    let mut sums = (0.0, 0.0);
    for pair in shown.windows(2) {
        let [(from, lamp, sounding), (until, ..)] = [pair[0], pair[1]];
        let span_s = until.since(from).seconds();
        sums.0 += if lamp == Rgb::new(255, 0, 0) { span_s } else { 0.0 };
        sums.1 += if sounding.is_some() { span_s } else { 0.0 };
    }
    sums
}

#[test]
fn wheels_are_clamped_to_the_version_and_run_until_the_next_write() {
    for (protocol, most, least, below) in
        [(Protocol::V2_0_0, 100.0, 10.0, 9), (Protocol::V2_1_0, 115.0, 8.0, 7), (Protocol::V2_5_0, 115.0, 8.0, 7)]
    {
        let mut rig = Rig::for_profile(protocol, Profile::Device);
        rig.write(0x102, "01 02 02 ff 01 01 78");
        rig.run(600);
        assert_eq!(rig.motor(), [most, -most]);
        rig.write(0x102, &format!("02 01 01 {:02x} 02 02 {below:02x} 00", least as u8));
        rig.run(600);
        assert_eq!(rig.motor(), [least, 0.0]);
    }
}

/// "Same motor id given twice: write ignored".
#[test]
fn the_same_wheel_twice_changes_nothing() {
    let mut rig = Rig::device();
    rig.write(0x102, "01 01 01 64 02 01 64");
    rig.step();
    rig.write(0x102, "01 01 01 14 01 01 14");
    rig.step();
    assert_eq!(rig.motor(), [100.0; 2]);
    assert_eq!(rig.drops().len(), 1);
}

#[test]
fn a_target_is_reached_within_the_tolerance_of_the_specification() {
    for (x, y, deg) in [(350, 300, 90_u16), (120, 400, 0), (260, 100, 225), (100, 250, 180)] {
        for movement in [Movement::Arc, Movement::ArcForward, Movement::TurnThenMove] {
            let mut rig = Rig::device().at(250.0, 250.0, 30.0);
            rig.cube.motor_target(Travel { movement, ..travel(7, 60) }, place(x, y, Turn::Shorter, deg));
            let (answer, _) = rig.run_to_answer(5.0).unwrap();
            assert_eq!(answer, target(7, ErrorCode::Arrived));
            // The answer looks at whole dots and degrees before the step: half a unit, and what one step adds while turning.
            assert!((rig.pose.x - f64::from(x)).abs() < 16.0 && (rig.pose.y - f64::from(y)).abs() < 16.0);
            assert!(angle_between(rig.pose.deg, f64::from(deg)) < 4.5 + 2.5, "{movement:?} {:?}", rig.pose);
            assert_eq!(rig.motor(), [0.0; 2]);
            rig.run(100);
            assert_eq!(rig.answers().len(), 1);
        }
    }
}

/// Fault 6: arrival without a turn ends at once, without one step of turning.
#[test]
fn fault_6_no_turn_means_no_turn() {
    for rig in [Rig::device(), Rig::unity()] {
        let mut rig = rig.at(250.0, 250.0, 0.0);
        rig.cube.motor_target(travel(1, 60), Target { x: 350, y: 250, heading: TargetHeading::NONE });
        let (answer, _) = rig.run_to_answer(5.0).unwrap();
        assert_eq!(answer, target(1, ErrorCode::Arrived));
        assert_eq!(rig.motor(), [0.0; 2]);
        rig.run(50);
        assert_eq!(rig.turned_deg, 0.0);
    }
}

/// Fault 7: relative counter-clockwise turns counter-clockwise: from 0 by 90 to 270 degrees, not to 90.
#[test]
fn fault_7_relative_counter_clockwise_turns_counter_clockwise() {
    for (rig, tolerance) in [(Rig::device(), 7.0), (Rig::unity(), 15.0 + 6.0)] {
        for (turn, sign) in [(Turn::RelativeCounterClockwise, -1.0), (Turn::RelativeClockwise, 1.0)] {
            let mut rig = rig.clone();
            rig.cube.motor_target(travel(1, 40), place(KEEP, KEEP, turn, 90));
            assert_eq!(rig.run_to_answer(5.0).unwrap().0, target(1, ErrorCode::Arrived));
            assert!((rig.turned_deg - sign * 90.0).abs() < tolerance, "{turn:?}: turned {}", rig.turned_deg);
        }
    }
}

/// Each of the seven kinds of heading, on the spot, from 30 degrees: how far the cube turns.
#[test]
fn headings_turn_the_way_that_they_say() {
    let cases = [
        (Turn::Shorter, 90, 60.0),
        (Turn::Shorter, 300, -90.0),
        // Section 8 wraps to [-180, 180): a tie turns counter-clockwise.
        (Turn::Shorter, 210, -180.0),
        (Turn::Clockwise, 300, 270.0),
        (Turn::CounterClockwise, 90, -300.0),
        (Turn::RelativeClockwise, 300, 300.0),
        (Turn::RelativeClockwise, 450, 450.0),
        (Turn::RelativeCounterClockwise, 720, -720.0),
        (Turn::RelativeCounterClockwise, 0, 0.0),
    ];
    for (turn, deg, expected) in cases {
        let mut rig = Rig::device().at(250.0, 250.0, 30.0);
        rig.cube.motor_target(travel(1, 40), place(KEEP, KEEP, turn, deg));
        assert_eq!(rig.run_to_answer(5.0).unwrap().0, target(1, ErrorCode::Arrived));
        assert!((rig.turned_deg - expected).abs() < 7.0, "{turn:?} {deg}: turned {}", rig.turned_deg);
    }
    // As written: away, and back to 30 degrees.
    let mut rig = Rig::device().at(250.0, 250.0, 30.0);
    rig.cube.motor_target(travel(1, 40), Target { x: 250, y: 350, heading: TargetHeading::AS_WRITTEN });
    assert_eq!(rig.run_to_answer(5.0).unwrap().0, target(1, ErrorCode::Arrived));
    assert!(angle_between(rig.pose.deg, 30.0) < 7.0 && rig.pose.y > 330.0, "{:?}", rig.pose);
}

#[test]
fn code_1_after_the_timeout_and_after_10_s_if_none_is_given() {
    for (timeout_s, expected_s) in [(2, 2.0), (0, 10.0)] {
        let mut rig = Rig::device();
        rig.cube.motor_target(Travel { timeout_s, ..travel(3, 40) }, place(350, 250, Turn::Shorter, 0));
        let held = rig.pose;
        let mut steps = 0;
        while rig.answers().is_empty() && steps < 600 {
            rig.step();
            rig.pose = held;
            steps += 1;
        }
        assert_eq!(rig.answers(), [target(3, ErrorCode::Timeout)]);
        // More than the timeout must have passed: the step after the one at which it is just over.
        assert_eq!(steps, (expected_s * 50.0) as usize + 2);
        assert_eq!(rig.motor(), [0.0; 2]);
    }
}

#[test]
fn code_2_off_the_mat_at_once_and_on_the_way() {
    let mut rig = Rig::device();
    rig.on_mat = false;
    rig.cube.motor_target(travel(4, 40), place(350, 250, Turn::Shorter, 0));
    rig.step();
    assert_eq!(rig.answers(), [target(4, ErrorCode::IdMissed)]);
    let mut rig = Rig::device();
    rig.cube.motor_target(travel(5, 40), place(350, 250, Turn::Shorter, 0));
    rig.run(3);
    rig.on_mat = false;
    // Missed after 70 ms without an ID: the fifth step finds that 80 ms have passed.
    rig.run(4);
    assert_eq!(rig.answers(), []);
    rig.run(1);
    assert_eq!(rig.answers(), [target(5, ErrorCode::IdMissed)]);
    assert_eq!(rig.motor(), [0.0; 2]);
    // A card is no mat.
    let mut rig = Rig::device();
    rig.senses.printed = Printed::Standard(toio_cube_sim::wire::StandardId { value: 3_670_016, deg: 0 });
    rig.cube.motor_target(travel(6, 40), place(350, 250, Turn::Shorter, 0));
    rig.step_as_told();
    assert_eq!(rig.answers(), [target(6, ErrorCode::IdMissed)]);
}

/// Codes 3 and 6: answered, dropped, and what runs goes on.
#[test]
fn codes_3_and_6_change_nothing() {
    let mut rig = Rig::device();
    rig.cube.motor_target(travel(1, 40), place(350, 250, Turn::Shorter, 0));
    rig.step();
    for heading in [TargetHeading::NONE, TargetHeading::AS_WRITTEN] {
        rig.cube.motor_target(travel(2, 40), Target { x: KEEP, y: KEEP, heading });
    }
    rig.cube.motor_target(travel(3, 9), place(100, 100, Turn::Shorter, 0));
    rig.cube.motor_targets(travel(4, 9), false, &[place(100, 100, Turn::Shorter, 0)]);
    rig.step();
    let bad = target(2, ErrorCode::BadCombination);
    let slow = [target(3, ErrorCode::Unsupported), targets(4, ErrorCode::Unsupported)];
    assert_eq!(rig.answers(), [bad, bad, slow[0], slow[1]]);
    assert_eq!(rig.drops(), [Refusal::NothingAsked, Refusal::NothingAsked, Refusal::TooSlow, Refusal::TooSlow]);
    assert!(rig.motor()[0] > 30.0);
    assert_eq!(rig.run_to_answer(5.0).unwrap().0, target(1, ErrorCode::Arrived));
}

#[test]
fn code_4_when_the_power_goes() {
    let mut rig = Rig::device();
    rig.cube.motor_targets(travel(1, 40), false, &[place(350, 250, Turn::Shorter, 0)]);
    rig.step();
    rig.cube.motor_targets(travel(2, 40), true, &[place(350, 250, Turn::Shorter, 0)]);
    rig.step();
    rig.cube.motor_target(travel(3, 40), place(350, 250, Turn::Shorter, 0));
    rig.cube.power_off();
    rig.step();
    rig.cube.motor_target(travel(4, 40), place(350, 250, Turn::Shorter, 0));
    rig.step();
    let code = ErrorCode::PoweringOff;
    assert_eq!(rig.answers(), [targets(1, code), targets(2, code), target(3, code), target(4, code)]);
    assert_eq!(rig.drops(), [Refusal::PoweringOff, Refusal::PoweringOff]);
    assert_eq!(rig.motor(), [0.0; 2]);
}

/// Section 8.6: any motor write ends a `03` or `04` with 5, each gets exactly one answer.
#[test]
fn code_5_by_every_other_motor_write() {
    let others = ["01 01 01 64 02 02 14", "02 01 01 64 02 02 14 0a", "05 32 05 0f 00 00 00 00 64"];
    for hex in others {
        for is_path in [false, true] {
            let mut rig = Rig::device();
            if is_path {
                rig.cube.motor_targets(travel(1, 40), false, &[place(350, 250, Turn::Shorter, 0)]);
            } else {
                rig.cube.motor_target(travel(1, 40), place(350, 250, Turn::Shorter, 0));
            }
            rig.step();
            rig.write(0x102, hex);
            rig.run(200);
            let expected = if is_path { targets(1, ErrorCode::Replaced) } else { target(1, ErrorCode::Replaced) };
            assert_eq!(rig.answers(), [expected], "{hex}");
        }
    }
    // 03 over 03, 04 over 03, and 04 over 04 with one waiting, which is answered too.
    let mut rig = Rig::device();
    rig.cube.motor_target(travel(1, 40), place(350, 250, Turn::Shorter, 0));
    rig.step();
    rig.cube.motor_target(travel(2, 40), place(350, 250, Turn::Shorter, 0));
    rig.cube.motor_targets(travel(3, 40), true, &[place(350, 250, Turn::Shorter, 0)]);
    rig.cube.motor_targets(travel(4, 40), true, &[place(300, 250, Turn::Shorter, 0)]);
    rig.cube.motor_targets(travel(5, 40), false, &[place(350, 250, Turn::Shorter, 0)]);
    rig.run(300);
    let code = ErrorCode::Replaced;
    let ended = targets(5, ErrorCode::Arrived);
    assert_eq!(rig.answers(), [target(1, code), target(2, code), targets(3, code), targets(4, code), ended]);
}

/// Code 7: one may wait, a second one may not; the refused write changes nothing.
#[test]
fn code_7_when_one_waits_already() {
    let mut rig = Rig::device();
    for (id, x) in [(1, 300), (2, 350), (3, 100)] {
        rig.cube.motor_targets(travel(id, 40), true, &[place(x, 250, Turn::Shorter, 0)]);
    }
    rig.run(200);
    let refused = targets(3, ErrorCode::AppendRefused);
    assert_eq!(rig.answers(), [refused, targets(1, ErrorCode::Arrived), targets(2, ErrorCode::Arrived)]);
    assert_eq!(rig.drops(), [Refusal::QueueFull]);
    assert!((rig.pose.x - 350.0).abs() < 18.0);
}

/// Fault 8: the first leg counts, also when it is the only one. 250 dots at most 100: 41.046 units a second (section 15).
#[test]
fn fault_8_the_first_leg_counts() {
    let mut rig = Rig::unity().at(100.0, 250.0, 0.0);
    let how = Travel { speed_curve: SpeedCurve::Accelerate, ..travel(1, 100) };
    rig.cube.motor_targets(how, false, &[place(350, 250, Turn::Shorter, 0)]);
    rig.step();
    assert_eq!(rig.motor(), [8.0; 2]);
    rig.run(10);
    assert!((rig.motor()[0] - 8.0 - 0.2 * 41.046).abs() < 1e-3, "{:?}", rig.motor());
    // Two legs of 125 dots are the same length, so the speed at the same time is the same.
    let mut two = Rig::unity().at(100.0, 250.0, 0.0);
    two.cube.motor_targets(how, false, &[place(225, 250, Turn::None, 0), place(350, 250, Turn::Shorter, 0)]);
    two.run(11);
    assert_eq!(two.motor(), rig.motor());
}

/// The third part of the vendor's example `motor_control`: two targets, turning before each way, faster then slower, 5 s for each. With
/// one clock over both ways and all turns the curve was over early, and the rest of the way at 8 units took until the timeout.
#[test]
fn a_turn_before_a_leg_does_not_use_up_its_speed_curve() {
    let starts = [(150.0, 150.0, 0.0), (350.0, 180.0, 90.0), (250.0, 400.0, 200.0)];
    for (profile, step_hz) in [(Profile::Device, 50), (Profile::Device, 60), (Profile::Unity, 50), (Profile::Unity, 60)]
    {
        for (x, y, deg) in starts {
            let params = CubeParams::for_profile(Protocol::V2_4_0, profile);
            let mut rig = Rig::with(CubeParams { step_hz, ..params }).at(x, y, deg);
            rig.write(0x102, "04 00 05 02 64 03 00 00 fa 00 fa 00 00 00 78 00 aa 00 00 00");
            let (answer, steps) = rig.run_to_answer(12.0).unwrap();
            assert_eq!(answer, targets(0, ErrorCode::Arrived), "{profile:?} at {step_hz} Hz from ({x}, {y})");
            // 153 dots of the second way alone take 1.4 s at the curve's mean speed.
            assert!((1.5..5.0).contains(&(steps as f64 / f64::from(step_hz))), "{steps} steps at {step_hz} Hz");
        }
    }
}

/// The curve runs over the whole path: a leg begins at the speed that the curve has at its beginning, here half way, where it is
/// highest, and is at the slowest speed at the end, whatever turns there were.
#[test]
fn a_leg_goes_on_where_the_curve_is() {
    let mut rig = Rig::device().at(100.0, 250.0, 0.0);
    let how =
        Travel { movement: Movement::TurnThenMove, speed_curve: SpeedCurve::AccelerateThenDecelerate, ..travel(1, 80) };
    rig.cube.motor_targets(how, false, &[place(225, 250, Turn::None, 0), place(225, 375, Turn::None, 0)]);
    let mut ways = Vec::new();
    while rig.answers().is_empty() {
        rig.step();
        let [left, right] = rig.motor();
        ways.push(0.5 * (left + right));
    }
    let turn = ways.iter().position(|&units| units == 0.0).unwrap();
    let second = turn + ways[turn..].iter().position(|&units| units > 0.0).unwrap();
    assert!(ways[..turn].windows(2).all(|pair| pair[0] <= pair[1]), "it accelerates all over the first leg");
    assert!((ways[second] - 80.0).abs() < 1e-9, "{}", ways[second]);
    let last = ways.iter().rposition(|&units| units > 0.0).unwrap();
    assert!(ways[second..=last].windows(2).all(|pair| pair[0] >= pair[1]), "it decelerates all over the second");
}

/// Fault 9: the timeout counts for each target from where its leg starts.
#[test]
fn fault_9_every_target_has_its_timeout() {
    let mut rig = Rig::device();
    let how = Travel { timeout_s: 2, ..travel(1, 20) };
    // 40 dots a second: the first leg takes 1.5 s, the second is 4.5 s long.
    rig.cube.motor_targets(how, false, &[place(325, 250, Turn::None, 0), place(500, 250, Turn::None, 0)]);
    let (answer, steps) = rig.run_to_answer(10.0).unwrap();
    assert_eq!(answer, targets(1, ErrorCode::Timeout));
    let first_leg_s = (75.0 - 15.0) / (20.0 * 2.0655) + 0.04;
    assert!((steps as f64 / 50.0 - (first_leg_s + 2.0)).abs() < 0.1, "{steps}");
}

/// Fault 10: every answer to a `04` is an 84, and each reason has its own code.
#[test]
fn fault_10_answers_to_04_are_84() {
    let mut rig = Rig::device();
    let keep = Target { x: KEEP, y: KEEP, heading: TargetHeading::NONE };
    rig.cube.motor_targets(travel(1, 9), false, &[place(300, 250, Turn::Shorter, 0)]);
    rig.cube.motor_targets(travel(2, 40), false, &[keep]);
    rig.cube.motor_targets(travel(3, 40), false, &[place(300, 250, Turn::Shorter, 0)]);
    rig.run(100);
    rig.on_mat = false;
    rig.run(10);
    rig.cube.motor_targets(travel(4, 40), false, &[place(300, 250, Turn::Shorter, 0)]);
    rig.step();
    let expected = ["84 01 06", "84 02 03", "84 03 00", "84 04 02"].map(rig::bytes);
    assert_eq!(rig.take(0x102), expected);
}

/// Fault 11: each turn of a path starts from scratch, and a waiting command's speed curve starts when it does.
#[test]
fn fault_11_turns_and_waiting_commands_start_afresh() {
    // Clockwise by 90 from the heading at the time of writing, twice: the second turn has nothing left to do.
    let mut rig = Rig::device();
    let quarter = place(KEEP, KEEP, Turn::RelativeClockwise, 90);
    let half = place(KEEP, KEEP, Turn::RelativeClockwise, 180);
    rig.cube.motor_targets(travel(1, 40), false, &[quarter, half]);
    assert_eq!(rig.run_to_answer(5.0).unwrap().0, targets(1, ErrorCode::Arrived));
    assert!((rig.turned_deg - 180.0).abs() < 7.0, "turned {}", rig.turned_deg);
    // The unity profile takes each from the heading on arrival.
    let mut rig = Rig::unity();
    rig.cube.motor_targets(travel(1, 40), false, &[quarter, quarter]);
    assert_eq!(rig.run_to_answer(5.0).unwrap().0, targets(1, ErrorCode::Arrived));
    assert!((rig.turned_deg - 180.0).abs() < 30.0, "turned {}", rig.turned_deg);
    // A waiting command accelerates from the dead zone, however long it has waited.
    let mut rig = Rig::device().at(100.0, 250.0, 0.0);
    rig.cube.motor_targets(travel(1, 40), false, &[place(200, 250, Turn::None, 0)]);
    let faster = Travel { speed_curve: SpeedCurve::Accelerate, ..travel(2, 100) };
    rig.cube.motor_targets(faster, true, &[place(400, 250, Turn::None, 0)]);
    assert_eq!(rig.run_to_answer(5.0).unwrap().0, targets(1, ErrorCode::Arrived));
    assert_eq!(rig.motor(), [8.0; 2]);
}

/// Fault 12: left and right mirror each other.
#[test]
fn fault_12_left_and_right_turns_mirror() {
    for deg in [0.0, 40.0, 89.0, 90.0] {
        let commands = [-1.0, 1.0].map(|side| {
            let mut rig = Rig::device().at(250.0, 250.0, side * deg);
            rig.cube.motor_target(travel(1, 115), place(350, 250, Turn::Shorter, 0));
            rig.step();
            rig.motor()
        });
        let [[left, right], mirror] = commands;
        assert_eq!([right, left], mirror, "{deg}");
        assert!(left.abs().max(right.abs()) <= 115.0);
    }
}

/// Speed types of section 8.3 at maximum 100 over 250 dots, the cube held in its place: a = 41.046 units a second.
#[test]
fn speed_curves() {
    let a = 41.046;
    let at = |curve, elapsed_s: f64| {
        let mut rig = Rig::device().at(100.0, 250.0, 0.0);
        let held = rig.pose;
        rig.cube.motor_target(
            Travel { speed_curve: curve, timeout_s: 9, ..travel(1, 100) },
            place(350, 250, Turn::None, 0),
        );
        for _ in 0..=(elapsed_s * 50.0).round() as usize {
            rig.pose = held;
            rig.step();
        }
        rig.motor()[0]
    };
    for elapsed_s in [0.0_f64, 1.0, 2.0, 4.0] {
        let middle_s = 92.0 / (2.0 * a);
        let cases = [
            (SpeedCurve::Constant, 100.0),
            (SpeedCurve::Accelerate, 8.0 + a * elapsed_s),
            (SpeedCurve::Decelerate, 100.0 - a * elapsed_s),
            (SpeedCurve::AccelerateThenDecelerate, 100.0 - 2.0 * a * (elapsed_s - middle_s).abs()),
        ];
        for (curve, expected) in cases {
            let found = at(curve, elapsed_s);
            assert!((found - expected.clamp(8.0, 100.0)).abs() < 2e-3, "{curve:?} at {elapsed_s}: {found}");
        }
    }
}

/// `05`: acceleration only counts between one `05` and the next; the unity profile ramps from rest.
#[test]
fn acceleration_counts_between_consecutive_05() {
    let mut device = Rig::device();
    device.write(0x102, "05 32 05 00 00 00 00 00 00");
    device.step();
    assert_eq!(device.motor(), [50.0; 2]);
    let mut unity = Rig::unity();
    unity.write(0x102, "05 32 05 00 00 00 00 00 00");
    unity.run(6);
    // 5 units per 100 ms: 5 after 0.1 s.
    assert!((unity.motor()[0] - 5.0).abs() < 1e-9);
    // From 50 to -50 at 10 per 100 ms: 0.5 s later at 0, 1 s later there, and not beyond.
    device.write(0x102, "05 32 0a 00 00 00 01 00 00");
    device.run(26);
    assert!(device.motor()[0].abs() < 1e-9);
    device.run(25);
    assert_eq!(device.motor(), [-50.0; 2]);
    device.run(100);
    assert_eq!(device.motor(), [-50.0; 2]);
    // 0 is at once, also between two 05.
    device.write(0x102, "05 64 00 00 00 00 00 00 0a");
    device.step();
    assert_eq!(device.motor(), [100.0; 2]);
    device.run(4);
    assert_eq!(device.motor(), [100.0; 2]);
    device.step();
    assert_eq!(device.motor(), [0.0; 2]);
}

/// A `05` that is over has stopped: the next one ramps from 0.
#[test]
fn acceleration_starts_from_0_after_the_end() {
    let mut rig = Rig::device();
    rig.write(0x102, "05 32 00 00 00 00 00 00 0a");
    rig.run(10);
    rig.write(0x102, "05 32 05 00 00 00 00 00 00");
    rig.step();
    assert_eq!(rig.motor(), [0.0; 2]);
    rig.run(5);
    assert!((rig.motor()[0] - 5.0).abs() < 1e-9);
}

/// Section 8.5: 115 forward and 300 degrees a second, of which one has to give way.
#[test]
fn priorities_of_05() {
    for (priority, expected) in [("00", [115.0, 115.0]), ("01", [115.0, 115.0 - 2.0 * 24.744])] {
        let mut rig = Rig::device();
        rig.write(0x102, &format!("05 73 00 2c 01 00 00 {priority} 00"));
        rig.step();
        let found = rig.motor();
        assert!((found[0] - expected[0]).abs() < 1e-3 && (found[1] - expected[1]).abs() < 1e-3, "{found:?}");
    }
    // A turn that no motor can do, with rotation first: it takes everything.
    let mut rig = Rig::device();
    rig.write(0x102, "05 73 00 ff ff 01 00 01 00");
    rig.step();
    assert_eq!(rig.motor(), [-115.0, 115.0]);
}

/// The button holds the motors in the unity profile only (section 2.3 against the device specification).
#[test]
fn a_pressed_button_stops_the_motors_of_the_unity_profile() {
    for (rig, expected) in [(Rig::unity(), 0.0), (Rig::device(), 100.0)] {
        let mut rig = rig;
        rig.write(0x102, "01 01 01 64 02 01 64");
        rig.senses.button_is_pressed = true;
        rig.step();
        assert_eq!(rig.motor(), [expected; 2]);
        rig.senses.button_is_pressed = false;
        rig.step();
        assert_eq!(rig.motor(), [100.0; 2]);
    }
}

/// From the second target of `04`, `FFFF` and heading type 6 keep the previous target's setting.
#[test]
fn later_targets_keep_what_the_previous_one_set() {
    let mut rig = Rig::device().at(250.0, 250.0, 0.0);
    let down = place(300, 350, Turn::Shorter, 90);
    let left_of_it = Target { x: 200, y: KEEP, heading: TargetHeading::AS_WRITTEN };
    rig.cube.motor_targets(travel(1, 60), false, &[down, left_of_it]);
    assert_eq!(rig.run_to_answer(9.0).unwrap().0, targets(1, ErrorCode::Arrived));
    assert!((rig.pose.x - 200.0).abs() < 16.0 && (rig.pose.y - 350.0).abs() < 16.0, "{:?}", rig.pose);
    assert!(angle_between(rig.pose.deg, 90.0) < 7.0, "{:?}", rig.pose);
}

/// "Previous target's setting" of a heading is where it points, turned to the shorter way; of a relative one it is the turn.
#[test]
fn later_targets_turn_as_the_previous_one() {
    let mut rig = Rig::device().at(250.0, 250.0, 0.0);
    let here = place(KEEP, KEEP, Turn::Clockwise, 340);
    let there = Target { x: 350, y: KEEP, heading: TargetHeading::AS_WRITTEN };
    rig.cube.motor_targets(travel(1, 60), false, &[here, there]);
    assert_eq!(rig.run_to_answer(9.0).unwrap().0, targets(1, ErrorCode::Arrived));
    assert!((rig.turned_deg - 340.0).abs() < 7.0, "turned {}", rig.turned_deg);
    let mut rig = Rig::unity();
    let again = Target { x: KEEP, y: 251, heading: TargetHeading::AS_WRITTEN };
    rig.cube.motor_targets(travel(1, 40), false, &[place(KEEP, KEEP, Turn::RelativeClockwise, 90), again]);
    assert_eq!(rig.run_to_answer(9.0).unwrap().0, targets(1, ErrorCode::Arrived));
    assert!((rig.turned_deg - 180.0).abs() < 30.0, "turned {}", rig.turned_deg);
}

/// Section 8.3, first outputs at most 80 fast: type 2 turns on the spot at 90 degrees (0.6 of it) and moves below 15; type 1 turns
/// round where type 0 goes backwards (170 degrees: 0.6 of it, mixed, is more than both motors can do).
#[test]
fn movement_types_begin_as_the_law_says() {
    let first = |movement, deg| {
        let mut rig = Rig::device().at(150.0, 250.0, deg);
        rig.cube.motor_target(Travel { movement, ..travel(1, 80) }, place(350, 250, Turn::Shorter, 0));
        rig.step();
        rig.motor()
    };
    assert_eq!(first(Movement::TurnThenMove, 270.0), [54.0, -54.0]);
    assert_eq!(first(Movement::TurnThenMove, 345.0), [9.0, -9.0]);
    let [left, right] = first(Movement::TurnThenMove, 346.0);
    assert!(left > right && (left + right - 160.0).abs() < 1e-9);
    assert_eq!(first(Movement::ArcForward, 190.0), [115.0, -115.0]);
    let [left, right] = first(Movement::Arc, 190.0);
    assert!((left + right + 160.0).abs() < 1e-9);
}

/// From anywhere to anywhere, every way to move, at every speed and in both profiles: the cube arrives, in the time of the straight
/// way and a half, and 8 s for turns (360 degrees on the spot and 180 on the way, at 10 units or 121 degrees a second, twice over).
#[test]
fn every_target_is_reached() {
    let mut draws = RunKey { seed: 1, run_index: 0 }.stream(Purpose::new(6), 0, 0);
    for lap in 0..600 {
        let base = if lap % 2 == 0 { Rig::device() } else { Rig::unity() };
        let movement = [Movement::Arc, Movement::ArcForward, Movement::TurnThenMove][lap % 3];
        let turn = [Turn::Shorter, Turn::Clockwise, Turn::CounterClockwise][draws.below(3) as usize];
        let max_speed = 10 + draws.below(106) as u8;
        let (x, y, deg) = (100 + draws.below(300) as u16, 100 + draws.below(300) as u16, draws.below(360) as u16);
        let mut rig = base.at(draws.range(100.0, 400.0), draws.range(100.0, 400.0), draws.range(0.0, 360.0));
        let (dx, dy) = (f64::from(x) - rig.pose.x, f64::from(y) - rig.pose.y);
        let straight_s = (dx * dx + dy * dy).sqrt() / (f64::from(max_speed) * 2.0655);
        rig.cube.motor_target(Travel { timeout_s: 60, movement, ..travel(1, max_speed) }, place(x, y, turn, deg));
        let answer = rig.run_to_answer(1.5 * straight_s + 8.0).map(|(answer, _)| answer);
        assert_eq!(answer, Some(target(1, ErrorCode::Arrived)), "{movement:?} {turn:?} {max_speed} from {lap}");
    }
}
