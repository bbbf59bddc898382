//! Waiting feet, arrivals, departures, and the middle that is used again.

use crate::stage::{HZ, Stage, mm};
use swarm_field::FootPhase;

#[test]
fn feet_that_wait() {
    let mut stage = Stage::new(&[mm(50.0, 50.0)], &[mm(300.0, 300.0), mm(300.0, 100.0)]);
    for rate in [1.0, 0.5, 0.0, 0.04, 1.0] {
        stage.rates = vec![rate, 1.0];
        stage.rest(1);
    }
    stage.expect("foot_waits", 2.46 / 10.0);
    stage.expect("foot_waits_worst", 2.46 / 5.0);
    stage.expect("foot_slowed_share", 0.3);
    stage.expect("foot_stopped_share", 0.2);
    stage.expect("foot_block_longest_s", 2.0 / HZ);
}

#[test]
fn without_feet_no_wait_is_counted() {
    let mut stage = Stage::new(&[mm(50.0, 50.0)], &[]);
    stage.rest(3);
    for name in ["foot_waits", "foot_waits_worst", "foot_slowed_share", "foot_stopped_share", "foot_block_longest_s"] {
        assert!(stage.value(name).is_nan(), "{name}");
    }
    for name in ["min_robot_foot_mm", "near_foot_share", "refill_max_s", "inner_reuse_max_s", "arrivals_cleared_share"]
    {
        assert!(stage.value(name).is_nan(), "{name}");
    }
}

/// The foot arrives; the robot is 110 mm away and goes 2 mm a step: after 5 steps at 120, in the sixth beyond.
#[test]
fn clearing_after_an_arrival() {
    let foot = mm(300.0, 200.0);
    let mut stage = Stage::new(&[mm(190.0, 200.0)], &[foot]);
    stage.phases[0] = FootPhase::MoveOut;
    stage.rest(3);
    stage.phases[0] = FootPhase::Roam;
    stage.rest(1);
    (1..=10).for_each(|step| stage.go(&[mm(190.0 - 2.0 * f64::from(step), 200.0)], &[foot]));
    stage.expect("arrivals_cleared_share", 1.0);
    stage.expect("arrival_clear_mean_s", 6.0 / HZ);
    // A second arrival: no robot goes away before the foot leaves. A third is no arrival, for the foot did not walk.
    stage.phases[0] = FootPhase::Return;
    stage.go(&[mm(195.0, 200.0)], &[foot]);
    stage.phases[0] = FootPhase::Idle;
    stage.rest(4);
    stage.phases[0] = FootPhase::Roam;
    stage.rest(4);
    stage.expect("arrivals_cleared_share", 0.5);
    stage.expect("arrival_clear_mean_s", 6.0 / HZ);
}

/// The foot leaves (200, 200) to the right by 10 mm a step; after 10 steps it is 100 mm away and the place is free. A robot stands
/// 30 mm from it from the 14th step on.
#[test]
fn refilling_a_place_that_a_foot_left() {
    let mut stage = Stage::new(&[mm(60.0, 200.0)], &[mm(200.0, 200.0)]);
    stage.rest(2);
    stage.phases[0] = FootPhase::MoveOut;
    for step in 1..=16 {
        let robot = if step < 14 { mm(60.0, 200.0) } else { mm(170.0, 200.0) };
        stage.go(&[robot], &[mm(200.0 + 10.0 * f64::from(step), 200.0)]);
    }
    stage.expect("refill_mean_s", 4.0 / HZ);
    stage.expect("refill_max_s", 4.0 / HZ);
}

/// A place that stays empty counts with its time so far.
#[test]
fn a_place_never_filled_is_in_the_longest() {
    let mut stage = Stage::new(&[mm(60.0, 60.0)], &[mm(200.0, 200.0)]);
    stage.rest(1);
    stage.phases[0] = FootPhase::MoveOut;
    stage.go(&[mm(60.0, 60.0)], &[mm(320.0, 200.0)]);
    stage.rest(30);
    assert!(stage.value("refill_mean_s").is_nan());
    stage.expect("refill_max_s", 30.0 / HZ);
    // The foot comes back before any robot: that wait is over, and a robot that comes now refills nothing.
    stage.go(&[mm(60.0, 60.0)], &[mm(250.0, 200.0)]);
    stage.go(&[mm(200.0, 190.0)], &[mm(340.0, 200.0)]);
    assert!(stage.value("refill_mean_s").is_nan());
}

/// Blocks of 50 mm: the foot at (125, 125) holds, among others, the block round (175, 175), 70.7 mm away. It goes to (25, 25) and lets all
/// four corner blocks of the inner square go but those within 100 mm. A robot then enters the block of (175, 175) after 12 steps.
#[test]
fn a_block_of_the_middle_is_used_again() {
    let mut stage = Stage::new(&[mm(380.0, 380.0)], &[mm(125.0, 125.0)]);
    stage.rest(5);
    assert!(stage.value("inner_reuse_max_s").is_nan());
    stage.go(&[mm(380.0, 380.0)], &[mm(25.0, 25.0)]);
    stage.rest(11);
    stage.go(&[mm(151.0, 199.0)], &[mm(25.0, 25.0)]);
    stage.expect("inner_reuse_mean_s", 12.0 / HZ);
    stage.rest(7);
    stage.expect("inner_reuse_mean_s", 12.0 / HZ);
    // Other blocks are empty still.
    stage.expect("inner_reuse_max_s", 19.0 / HZ);
}
