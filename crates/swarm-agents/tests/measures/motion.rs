//! Speed, acceleration, turning, jerk and their limits.

use crate::stage::{HZ, Stage, at_rest, mm};
use sim_core::{DVec2, angle, ops};
use std::f64::consts::PI;
use swarm_agents::Agents;
use swarm_agents::measures::{Party, RobotLimit};

/// A robot that drives `speed_mm_s` along `heading_rad` and turns with it.
fn driving(position_mm: DVec2, speed_mm_s: f64, heading_rad: f64, omega_rad_s: f64) -> Agents {
    Agents {
        velocity_mm_s: vec![angle::unit(heading_rad) * speed_mm_s],
        heading_rad: vec![angle::wrap_rad(heading_rad)],
        speed_mm_s: vec![speed_mm_s],
        omega_rad_s: vec![omega_rad_s],
        ..at_rest(&[position_mm])
    }
}

#[test]
fn constant_velocity() {
    let start = mm(50.0, 200.0);
    let mut stage = Stage::new(&[start], &[]);
    stage.agents = driving(start, 120.0, 0.0, 0.0);
    for step in 1..=60 {
        stage.show(driving(start + mm(2.0 * f64::from(step), 0.0), 120.0, 0.0, 0.0), &[]);
    }
    for name in
        ["accel_max_mm_s2", "accel_mean_mm_s2", "jerk_rms_mm_s3", "turn_rate_max_rad_s", "speed_change_max_mm_s2"]
    {
        stage.expect(name, 0.0);
    }
    stage.expect("speed_max_mm_s", 120.0);
    stage.expect("speed_mean_mm_s", 120.0);
    stage.expect("path_length_mean_mm", 120.0);
    stage.expect("straightness_1s", 1.0);
    assert!(stage.value("motion_error_max_mm") < 1e-12);
    assert_eq!(stage.metric("speed_max_mm_s").ok, Some(true));
}

/// Round a circle in chords: each turns by `w dt`. Then |v'-v| = 2 |v| sin(w dt / 2), and once more for the jerk, which tend to v^2/r
/// and v^3/r^2 for small steps.
#[test]
fn round_a_circle() {
    let (center, radius_mm, omega_rad_s) = (mm(200.0, 200.0), 80.0, 1.5);
    let turn = omega_rad_s / HZ;
    let speed_mm_s = 2.0 * radius_mm * ops::sin(0.5 * turn) * HZ;
    let at = |step: i32| {
        let place = center + angle::unit(f64::from(step) * turn) * radius_mm;
        driving(place, speed_mm_s, (f64::from(step) - 0.5) * turn + 0.5 * PI, omega_rad_s)
    };
    let mut stage = Stage::new(&at(0).position_mm, &[]);
    stage.agents = at(0);
    (1..=300).for_each(|step| stage.show(at(step), &[]));
    let gain = 2.0 * ops::sin(0.5 * turn) * HZ;
    stage.expect("speed_mean_mm_s", speed_mm_s);
    stage.expect("accel_mean_mm_s2", speed_mm_s * gain);
    stage.expect("accel_max_mm_s2", speed_mm_s * gain);
    stage.expect("jerk_rms_mm_s3", speed_mm_s * gain * gain);
    stage.expect("jerk_rms_normalised", speed_mm_s * gain * gain / 252.0);
    stage.expect("turn_rate_mean_rad_s", omega_rad_s);
    stage.expect("turn_rate_max_rad_s", omega_rad_s);
    stage.expect("turn_rate_p99_rad_s", stage.value("turn_rate_max_rad_s"));
    stage.expect("speed_change_max_mm_s2", 0.0);
    let (v, r) = (omega_rad_s * radius_mm, radius_mm);
    assert!((stage.value("accel_mean_mm_s2") / (v * v / r) - 1.0).abs() < turn * turn);
    assert!((stage.value("jerk_rms_mm_s3") / (v * v * v / (r * r)) - 1.0).abs() < turn * turn);
    assert!(stage.value("motion_error_max_mm") < 1e-9);
}

/// 980 robot-steps at 100 mm/s2 and 20 at 1000: the 99 % value lies among the large ones; bins are 6000 / 2048 wide.
#[test]
fn the_99_percent_value() {
    let mut stage = Stage::new(&[mm(50.0, 200.0)], &[]);
    let mut speed_mm_s = 0.0;
    for step in 0..1000 {
        let acceleration_mm_s2 = if step % 50 == 0 { 1000.0 } else { 100.0 };
        // Up and down in turn, so that the speed stays small.
        speed_mm_s += if speed_mm_s > 0.0 { -acceleration_mm_s2 / HZ } else { acceleration_mm_s2 / HZ };
        let place = stage.agents.position_mm[0] + mm(speed_mm_s / HZ, 0.0);
        stage.show(driving(place, speed_mm_s, 0.0, 0.0), &[]);
    }
    stage.expect("accel_mean_mm_s2", 0.98 * 100.0 + 0.02 * 1000.0);
    stage.expect("speed_change_mean_mm_s2", 0.98 * 100.0 + 0.02 * 1000.0);
    for name in ["accel_p99_mm_s2", "speed_change_p99_mm_s2"] {
        let p99 = stage.value(name);
        assert!((1000.0 - 1e-6..=1000.0 + 6000.0 / 2048.0).contains(&p99), "{name} {p99}");
    }
}

/// A unicycle that goes from 20 mm/s forward to 20 mm/s backward changes its signed speed by 40, its velocity vector too.
#[test]
fn reversing_is_a_change_of_speed() {
    let start = mm(100.0, 100.0);
    let mut stage = Stage::new(&[start], &[]);
    stage.agents = driving(start, 20.0, 0.0, 0.0);
    let mut back = driving(start - mm(20.0 / HZ, 0.0), -20.0, 0.0, 0.0);
    back.velocity_mm_s[0] = mm(-20.0, 0.0);
    stage.show(back, &[]);
    stage.expect("speed_change_max_mm_s2", 40.0 * HZ);
    stage.expect("accel_max_mm_s2", 40.0 * HZ);
    stage.expect("speed_mean_mm_s", 20.0);
}

#[test]
fn a_turn_over_the_end_of_the_circle_is_short() {
    let mut stage = Stage::new(&[mm(100.0, 100.0)], &[]);
    stage.agents.heading_rad[0] = 3.1;
    let mut after = stage.agents.clone();
    after.heading_rad[0] = -3.1;
    stage.show(after, &[]);
    stage.expect("turn_rate_max_rad_s", (2.0 * PI - 6.2) * HZ);
    stage.expect("turn_limit_violations", 0.0);
}

/// Each limit: met to the last bit or so is fine, one part in 300,000 above is not.
#[test]
fn limits_are_held_to_a_millionth() {
    let start = mm(100.0, 100.0);
    for (excess, count) in [(1.0, 0.0), (1.0 + 5e-7, 0.0), (1.0 + 3e-6, 1.0)] {
        let mut stage = Stage::new(&[start], &[]);
        let speed_mm_s = 3000.0 / HZ * excess;
        stage.show(driving(start + mm(speed_mm_s / HZ, 0.0), speed_mm_s, 0.0, 0.0), &[]);
        stage.expect("accel_limit_violations", count);
        assert_eq!(stage.metric("accel_max_mm_s2").ok, Some(count == 0.0));

        let mut stage = Stage::new(&[start], &[]);
        stage.agents = driving(start, 252.0 * excess, 0.0, 0.0);
        stage.show(driving(start + mm(252.0 * excess / HZ, 0.0), 252.0 * excess, 0.0, 0.0), &[]);
        stage.expect("speed_limit_violations", count);

        let mut stage = Stage::new(&[start], &[]);
        stage.show(driving(start, 0.0, 0.2 * excess, 12.0), &[]);
        stage.expect("turn_limit_violations", count);
    }
}

/// The box of centres ends 16 mm inside the mat.
#[test]
fn outside_is_beyond_the_box_of_centres() {
    for (x, count) in [(16.0, 0.0), (16.0 - 5e-7, 0.0), (15.5, 3.0)] {
        let mut stage = Stage::new(&[mm(x, 100.0)], &[]);
        stage.rest(3);
        stage.expect("outside_mat", count);
        assert!((stage.value("outside_max_mm") - (16.0 - x)).abs() < 1e-12);
        assert_eq!(stage.metric("outside_max_mm").ok, Some(count == 0.0));
    }
}

/// Two steps too fast, one fine, one too fast: two events that name robot and value.
#[test]
fn a_broken_limit_is_reported_when_it_begins() {
    let mut stage = Stage::new(&[mm(100.0, 100.0), mm(200.0, 200.0)], &[]);
    let mut y = 200.0;
    for speed_mm_s in [300.0, 310.0, 200.0, 320.0] {
        y += speed_mm_s / HZ;
        stage.go(&[mm(100.0, 100.0), mm(200.0, y)], &[]);
    }
    stage.expect("speed_limit_violations", 3.0);
    let rows: Vec<_> = stage.events.iter().map(|event| (event.tick().0, event.row())).collect();
    let speeding: Vec<_> = rows.iter().filter(|(_, row)| row.kind == "speed_limit_exceeded").collect();
    assert_eq!(speeding.len(), 2);
    assert_eq!((speeding[0].0, speeding[0].1.subject, speeding[0].1.unit), (1, Party::Agent(1), "mm/s"));
    assert!((speeding[0].1.value - 300.0).abs() < 1e-9 && speeding[1].0 == 4);
    assert_eq!(format!("{:?}", RobotLimit::Speed), "Speed");
}

/// A place that the velocity does not explain: the state lies.
#[test]
fn a_place_that_the_velocity_does_not_explain() {
    let mut stage = Stage::new(&[mm(100.0, 100.0)], &[]);
    let mut after = stage.agents.clone();
    after.position_mm[0].x += 1e-3;
    stage.show(after, &[]);
    assert!((stage.value("motion_error_max_mm") - 1e-3).abs() < 1e-9);
    assert_eq!(stage.metric("motion_error_max_mm").ok, Some(false));
}
