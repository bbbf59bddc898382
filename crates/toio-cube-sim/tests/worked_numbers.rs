//! The worked numbers of the toio facts, section 15, through the whole cube: bytes in, motor commands out, wheels and plane by
//! section 2.3. 733.93 dots a metre.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::Rig;
use toio_cube_sim::motor::constants::{SPEED_PER_UNIT_M_S, rotation_units};
use toio_cube_sim::wire::ErrorCode;

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} within {tolerance}");
}

/// First commands of the wheels on the way to (x, y) from a pose, at most 80 units fast.
fn first_output(rig: Rig, x: u16, y: u16) -> [f64; 2] {
    let mut rig = rig;
    let ([a, b], [c, d]) = (x.to_le_bytes(), y.to_le_bytes());
    rig.write(0x102, &format!("03 00 05 00 50 00 00 {a:02x} {b:02x} {c:02x} {d:02x} 00 00"));
    rig.step();
    rig.motor()
}

/// Also section 2.2. The speed per unit is tested where the command units meet metres: in the wheel-speed report.
#[test]
fn derived_constants() {
    near(SPEED_PER_UNIT_M_S, 0.002_814_343, 5e-10);
    near(SPEED_PER_UNIT_M_S * rig::DOTS_PER_M, 2.065_527_0, 5e-7);
    near(115.0 * SPEED_PER_UNIT_M_S, 0.323_65, 5e-6);
}

#[test]
fn command_100_from_rest() {
    let mut rig = Rig::device();
    rig.write(0x102, "01 01 01 64 02 01 64");
    for speed in [50.0, 75.0, 87.5, 93.75] {
        rig.step();
        assert_eq!(rig.wheels, [speed; 2]);
    }
}

#[test]
fn straight_100_for_one_second_travels_206_553_dots() {
    let mut rig = Rig::device().at(100.0, 250.0, 0.0);
    rig.write(0x102, "02 01 01 64 02 01 64 64");
    rig.run_s(2.0);
    near(rig.pose.x - 100.0, 206.553, 5e-4);
    near(rig.pose.y, 250.0, 1e-9);
}

#[test]
fn spin_50_for_one_second_turns_606_20_degrees() {
    let mut rig = Rig::device();
    rig.write(0x102, "02 01 01 32 02 02 32 64");
    rig.run_s(2.0);
    near(rig.turned_deg, 606.20, 5e-3);
}

/// Radius from three points of the way, once the wheels are up to speed.
#[test]
fn arc_60_30_has_a_radius_of_29_284_dots() {
    let mut rig = Rig::device();
    rig.write(0x102, "01 01 01 3c 02 01 1e");
    rig.run_s(2.0);
    let (start_deg, first) = (rig.turned_deg, rig.pose);
    rig.run_s(0.5);
    near((rig.turned_deg - start_deg) / 0.5, 181.86, 5e-3);
    // Half the chord over the sine of half the turn. The plane steps along chords as long as the arcs, which adds 1.7e-4 to the radius.
    let chord =
        ((rig.pose.x - first.x) * (rig.pose.x - first.x) + (rig.pose.y - first.y) * (rig.pose.y - first.y)).sqrt();
    let half_turn = (0.5 * (rig.turned_deg - start_deg)).to_radians();
    near(chord / (2.0 * sim_core::ops::sin(half_turn)), 29.284, 0.01);
}

/// 115, 115: 323.6 mm/s.
#[test]
fn full_speed_is_237_54_dots_a_second() {
    let mut rig = Rig::device().at(0.0, 250.0, 0.0);
    rig.write(0x102, "01 01 01 ff 02 01 73");
    rig.run_s(1.0);
    let before = rig.pose.x;
    rig.run_s(1.0);
    near(rig.pose.x - before, 237.54, 5e-3);
}

#[test]
fn law_from_150_250_to_350_300() {
    for rig in [Rig::unity(), Rig::device()] {
        let [left, right] = first_output(rig.at(150.0, 250.0, 0.0), 350, 300);
        near(left, 91.937, 1e-3);
        near(right, 68.063, 1e-3);
    }
}

/// Before limiting (156.539, 3.461).
#[test]
fn law_at_90_degrees_and_its_two_ways_of_limiting() {
    let [left, right] = first_output(Rig::unity().at(150.0, 250.0, 270.0), 350, 250);
    near(left, 115.0, 0.0);
    near(right, 3.461, 1e-3);
    let [left, right] = first_output(Rig::device().at(150.0, 250.0, 270.0), 350, 250);
    near(left, 115.0, 0.0);
    near(right, -38.078, 1e-3);
}

#[test]
fn law_with_the_target_behind() {
    let [left, right] = first_output(Rig::unity().at(150.0, 250.0, 190.0), 350, 250);
    near(left, -88.504, 1e-3);
    near(right, -71.496, 1e-3);
}

/// Maximum 100 over 250 dots: 41.046 units a second, seen as the change of the commands over ten steps of 0.02 s. The cube is
/// held, so that the law sees the same place all the time and the steering stays 0.
#[test]
fn acceleration_on_the_way_to_a_target() {
    let mut rig = Rig::unity().at(100.0, 250.0, 0.0);
    rig.write(0x102, "03 00 05 00 64 01 00 5e 01 fa 00 00 00");
    rig.step();
    let held = rig.pose;
    near(rig.motor()[0], 8.0, 1e-9);
    for _ in 0..10 {
        rig.pose = held;
        rig.step();
    }
    near((rig.motor()[0] - 8.0) / 0.2, 41.046, 1e-3);
}

#[test]
fn rotation_of_05() {
    near(rotation_units(15.0), 1.2372, 5e-5);
    near(rotation_units(300.0), 24.744, 5e-4);
    for (hex, sign) in [("05 00 00 2c 01 00 00 00 00", 1.0), ("05 00 00 2c 01 01 00 00 00", -1.0)] {
        let mut rig = Rig::unity();
        rig.write(0x102, hex);
        rig.step();
        near(rig.motor()[0], sign * 24.744, 5e-4);
        near(rig.motor()[1], -sign * 24.744, 5e-4);
    }
}

/// The law of section 8.3 in a few lines of its own, for constant speed and type 0, with a turn to an absolute heading the shorter
/// way; the loop closes over the same kinematics. The cube has to arrive within 1 step, 1 dot and 1 degree of it.
#[test]
fn unity_profile_reproduces_the_law_in_a_closed_loop() {
    for (x, y, deg, goal) in [(350_u16, 300_u16, 0.0, 90_u16), (120, 180, 300.0, 0), (250, 100, 45.0, 270)] {
        let mut rig = Rig::unity().at(250.0, 250.0, deg);
        let ([a, b], [c, d], [e, f]) = (x.to_le_bytes(), y.to_le_bytes(), goal.to_le_bytes());
        rig.write(0x102, &format!("03 09 0a 00 50 00 00 {a:02x} {b:02x} {c:02x} {d:02x} {e:02x} {f:02x}"));
        let mut reference = rig.clone();
        let (answer, steps) = rig.run_to_answer(10.0).unwrap();
        assert_eq!(answer, rig::target(9, ErrorCode::Arrived));
        let expected_steps = reference_run(&mut reference, [f64::from(x), f64::from(y), f64::from(goal)]);
        assert!(steps.abs_diff(expected_steps) <= 1, "{steps} steps, expected {expected_steps}");
        near(rig.pose.x, reference.pose.x, 1.0);
        near(rig.pose.y, reference.pose.y, 1.0);
        near(rig.pose.deg, reference.pose.deg, 1.0);
    }
}

fn wrap(deg: f64) -> f64 {
    (deg + 180.0).rem_euclid(360.0) - 180.0
}

/// Drives the rig's plane by the law alone. Returns the number of the step at which it ends.
fn reference_run(rig: &mut Rig, [x, y, goal]: [f64; 3]) -> usize {
    let mut has_arrived = false;
    for step in 1..500 {
        let (px, py, th) = (
            rig.pose.x.round_ties_even(),
            rig.pose.y.round_ties_even(),
            rig.pose.deg.rem_euclid(360.0).round_ties_even(),
        );
        let was_there = has_arrived;
        let (dx, dy) = (x - px, y - py);
        has_arrived |= (dx * dx + dy * dy).sqrt() < 10.0;
        let rest = wrap(goal - th);
        let (tr, mut rot) = if has_arrived {
            if was_there && rest.abs() < 15.0 {
                rig.drive([0.0; 2]);
                return step;
            }
            (0.0, rest.signum() * rest.abs().clamp(8.0, 80.0))
        } else {
            let delta = wrap(sim_core::ops::atan2(dy, dx).to_degrees() - th);
            let back = (delta + 360.0).rem_euclid(360.0) - 180.0;
            if delta.abs() <= 90.0 { (80.0, 0.6 * delta) } else { (-80.0, 0.6 * back) }
        };
        let share = f64::abs(tr / 115.0);
        rot *= share * f64::abs(tr / 50.0) + 1.0 - share;
        rig.drive(limit_as_unity(tr + rot, tr - rot));
    }
    panic!("the law never ends");
}

fn limit_as_unity(mut left: f64, mut right: f64) -> [f64; 2] {
    if left.max(right) > 115.0 {
        left -= left.max(right) - 115.0;
        right -= (left.max(right) - 115.0).max(0.0);
    }
    if left.min(right) < -115.0 {
        left -= left.min(right) + 115.0;
        right -= (left.min(right) + 115.0).min(0.0);
    }
    [left, right]
}
