//! The drives: what is reached stays within the limits, is the nearest of what can be reached, and never leaves the
//! box.

mod common;

use common::{mat_model, with_limits};
use proptest::prelude::*;
use sim_core::{DVec2, angle};
use std::f64::consts::{FRAC_PI_2, PI};
use swarm_agents::drive::{
    Motion, advance, advance_differential, advance_point, braked_straight, executed, heading_following, stoppable_mm_s,
};
use swarm_agents::{Drive, SwarmModel, Wheels};

/// A wall is nowhere near: a mat of 4 m with the robot in its middle.
fn open_model(drive: Drive) -> SwarmModel {
    common::model_on(4000.0, 16.0, drive)
}

fn at(position_mm: DVec2) -> Motion {
    Motion { position_mm, velocity_mm_s: DVec2::ZERO, heading_rad: 0.0, speed_mm_s: 0.0, omega_rad_s: 0.0 }
}

fn middle(model: &SwarmModel) -> DVec2 {
    model.bounds.center()
}

/// A wheeled robot that moves along its heading at a signed speed.
fn rolling(position_mm: DVec2, heading_rad: f64, speed_mm_s: f64) -> Motion {
    Motion { velocity_mm_s: angle::unit(heading_rad) * speed_mm_s, speed_mm_s, heading_rad, ..at(position_mm) }
}

/// The laws of one step, with the tolerance of one part in a million that the acceptance lines have too.
fn assert_lawful(model: &SwarmModel, before: &Motion, after: &Motion) {
    let limits = &model.limits;
    let slack = 1.0 + 1e-6;
    let change = after.velocity_mm_s.distance(before.velocity_mm_s);
    assert!(change <= limits.a_max_mm_s2 * model.step_s * slack, "changed by {change}\n{before:?}\n{after:?}");
    assert!(after.velocity_mm_s.length() <= limits.v_max_mm_s * slack, "{after:?}");
    let turn = angle::wrap_rad(after.heading_rad - before.heading_rad);
    assert!(turn.abs() <= limits.omega_max_rad_s * model.step_s * slack, "turned by {turn}\n{before:?}\n{after:?}");
    assert!((after.omega_rad_s * model.step_s - turn).abs() < 1e-9, "{after:?}");
    assert!((before.position_mm + after.velocity_mm_s * model.step_s).distance(after.position_mm) < 1e-9);
    assert!(after.heading_rad > -PI && after.heading_rad <= PI);
    match model.drive {
        Drive::Point => assert!((after.speed_mm_s - after.velocity_mm_s.length()).abs() < 1e-9),
        Drive::Differential => {
            let along = angle::unit(after.heading_rad) * after.speed_mm_s;
            assert!(along.distance(after.velocity_mm_s) < 1e-9, "not along the heading: {after:?}");
        }
    }
}

#[test]
fn a_point_gets_what_it_wants_if_it_can() {
    let model = open_model(Drive::Point);
    let next = advance(&model, &at(middle(&model)), DVec2::new(30.0, -39.0));
    assert_eq!(next.velocity_mm_s, DVec2::new(30.0, -39.0));
}

/// Reading A19: 3000 mm/s2 are 50 mm/s in a frame; from rest to 252 mm/s takes six frames.
#[test]
fn a_point_speeds_up_by_fifty_mm_s_a_frame() {
    let model = open_model(Drive::Point);
    let mut robot = at(middle(&model));
    for expected in [50.0, 100.0, 150.0, 200.0, 250.0, 252.0, 252.0] {
        robot = advance(&model, &robot, DVec2::new(0.0, 1000.0));
        assert!((robot.velocity_mm_s - DVec2::new(0.0, expected)).length() < 1e-6, "{robot:?}");
    }
}

/// At full speed, with a wish to one side: the answer lies where both circles meet, which is 252 mm/s long and 50 mm/s
/// off.
#[test]
fn both_limits_at_once() {
    let model = open_model(Drive::Point);
    let before = Motion { velocity_mm_s: DVec2::new(252.0, 0.0), ..at(middle(&model)) };
    let after = advance_point(&model, &before, DVec2::new(300.0, 300.0));
    assert!((after.velocity_mm_s.length() - 252.0).abs() < 1e-6);
    assert!((after.velocity_mm_s.distance(before.velocity_mm_s) - 50.0).abs() < 1e-6);
    assert!(after.velocity_mm_s.y > 0.0);
}

#[test]
fn a_points_heading_follows_on_the_shorter_way() {
    let model = open_model(Drive::Point);
    // 12 rad/s are 0.2 rad in a frame.
    let (heading, omega) = heading_following(&model, 3.0, DVec2::new(-100.0, -1.0));
    assert!(angle::wrap_rad(heading - (0.01 - PI)).abs() < 1e-5 && omega > 0.0, "{heading} {omega}");
    let (heading, omega) = heading_following(&model, 0.0, DVec2::new(0.0, -100.0));
    assert!((heading + 0.2).abs() < 1e-9 && (omega + 12.0).abs() < 1e-6);
    // So slow a motion has no direction worth turning for.
    assert_eq!(heading_following(&model, 1.0, DVec2::new(0.0, 4.9)), (1.0, 0.0));
}

#[test]
fn wheels_turn_in_place_towards_a_wish_across() {
    let model = open_model(Drive::Differential);
    let mut robot = at(middle(&model));
    for _ in 0..60 {
        let before = robot;
        robot = advance_differential(&model, &robot, DVec2::new(0.0, 100.0));
        assert_lawful(&model, &before, &robot);
    }
    assert!((robot.velocity_mm_s - DVec2::new(0.0, 100.0)).length() < 1e-6, "{robot:?}");
    assert!((robot.heading_rad.abs() - FRAC_PI_2).abs() < 1e-9);
}

/// A wish straight back is met in reverse: no turn, and 50 mm/s a frame.
#[test]
fn wheels_reverse_rather_than_turn() {
    let model = open_model(Drive::Differential);
    let mut robot = rolling(middle(&model), 0.5, 120.0);
    for expected in [70.0, 20.0, -30.0, -80.0, -80.0] {
        robot = advance_differential(&model, &robot, angle::unit(0.5) * -80.0);
        assert!((robot.speed_mm_s - expected).abs() < 1e-6 && (robot.heading_rad - 0.5).abs() < 1e-9, "{robot:?}");
    }
}

#[test]
fn a_wish_of_nothing_brakes_straight() {
    let model = open_model(Drive::Differential);
    for speed in [200.0, -200.0, 30.0, 0.0] {
        let before = rolling(middle(&model), 1.0, speed);
        let after = advance_differential(&model, &before, DVec2::ZERO);
        let expected = if speed.abs() <= 50.0 { 0.0 } else { speed - speed.signum() * 50.0 };
        assert!((after.speed_mm_s - expected).abs() < 1e-6 && after.heading_rad == 1.0, "{speed}: {after:?}");
        assert!((after.speed_mm_s - braked_straight(&model, &before).speed_mm_s).abs() < 1e-6);
    }
}

#[test]
fn a_tiny_wish_does_not_make_wheels_twitch() {
    let model = open_model(Drive::Differential);
    let after = advance_differential(&model, &at(middle(&model)), DVec2::new(0.0, 0.5));
    assert!(after.omega_rad_s.abs() < 0.12 + 1e-9, "a hundredth of the limit: {after:?}");
}

#[test]
fn a_place_decided_elsewhere_is_taken_as_it_is() {
    let wheels = open_model(Drive::Differential);
    let before = rolling(middle(&wheels), 0.0, 60.0);
    let place = before.position_mm - angle::unit(0.1) * 0.5;
    let after = executed(&wheels, &before, place, angle::unit(0.1));
    assert_eq!(after.position_mm, place);
    assert!((after.speed_mm_s + 30.0).abs() < 1e-9 && (after.omega_rad_s - 6.0).abs() < 1e-9, "{after:?}");
    let turned_rad = executed(&wheels, &before, place, angle::unit(1e-9)).heading_rad;
    assert!((turned_rad - 1e-9).abs() < 1e-15, "a small turn is a turn: {turned_rad}");
    let point = open_model(Drive::Point);
    let after = executed(&point, &before, place, angle::unit(3.0));
    assert!((after.speed_mm_s - 30.0).abs() < 1e-9 && (after.heading_rad.abs() - 0.2).abs() < 1e-9, "{after:?}");
}

/// The law `v dt + v^2 / (2 a) = gap` that the formula solves.
#[test]
fn what_can_be_stopped() {
    for gap in [1e-9, 0.01, 1.0, 12.0, 300.0] {
        let v = stoppable_mm_s(gap, 2100.0, 1.0 / 60.0);
        assert!(((v / 60.0 + v * v / 4200.0) / gap - 1.0).abs() < 1e-12);
    }
    assert_eq!(stoppable_mm_s(-1.0, 2100.0, 1.0 / 60.0), 0.0);
}

/// A simple-minded search over turns and speeds, against which "nearest" is held.
fn nearest_by_search(model: &SwarmModel, before: &Motion, wanted: DVec2) -> f64 {
    let (dt, limits) = (model.step_s, &model.limits);
    let mut least = f64::INFINITY;
    for t in -400..=400 {
        let heading = before.heading_rad + f64::from(t) / 400.0 * limits.omega_max_rad_s * dt;
        for s in -504..=504 {
            let v = angle::unit(heading) * (f64::from(s) * 0.5);
            if v.length() <= limits.v_max_mm_s && v.distance(before.velocity_mm_s) <= limits.a_max_mm_s2 * dt {
                least = least.min(v.distance(wanted));
            }
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The gentle turn for small wishes costs at most a few mm/s; from 60 mm/s on at most one, plus the search's own
    /// grid.
    #[test]
    fn wheels_reach_the_nearest_velocity(
        heading in -PI..PI, speed in -252.0_f64..252.0, wish in 60.0_f64..252.0, towards in -PI..PI
    ) {
        let model = open_model(Drive::Differential);
        let before = rolling(middle(&model), heading, speed);
        let wanted = angle::unit(towards) * wish;
        let after = advance_differential(&model, &before, wanted);
        assert_lawful(&model, &before, &after);
        let least = nearest_by_search(&model, &before, wanted);
        let missed = after.velocity_mm_s.distance(wanted);
        prop_assert!(missed <= least + 1.0, "{missed} {least}");
    }
}

fn drives() -> impl Strategy<Value = Drive> {
    prop_oneof![Just(Drive::Point), Just(Drive::Differential)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// From rest in the box, under wishes as wild as they come: lawful in every step, and never outside.
    #[test]
    fn lawful_and_inside_for_ever(
        drive in drives(),
        start in (0.0_f64..1.0, 0.0_f64..1.0, -PI..PI),
        v_max in 20.0_f64..500.0, a_max in 300.0_f64..8000.0, omega_max in 0.1_f64..100.0, margin in 0.0_f64..60.0,
        wishes in prop::collection::vec((-PI..PI, 0.0_f64..600.0), 40)
    ) {
        let model = with_limits(mat_model(drive), v_max, a_max, omega_max, margin);
        let place = model.bounds.min + model.bounds.size() * DVec2::new(start.0, start.1);
        let mut robot = Motion { heading_rad: start.2, ..at(model.bounds.clamp(place)) };
        for (towards, wish) in wishes {
            // Several frames for each wish, so that walls and full speed are reached.
            for _ in 0..8 {
                let before = robot;
                robot = advance(&model, &before, angle::unit(towards) * wish);
                assert_lawful(&model, &before, &robot);
                prop_assert!(model.bounds.contains(robot.position_mm), "outside: {robot:?}");
            }
        }
    }

    /// Wheels that can do 300 mm/s: whatever is wanted, speed and turning together ask no more of either of them.
    #[test]
    fn wheels_are_never_asked_for_more_than_they_can(
        heading in -PI..PI, wishes in prop::collection::vec((-PI..PI, 0.0_f64..300.0), 60)
    ) {
        let wheels = Wheels { speed_max_mm_s: 300.0, tread_mm: 26.6 };
        let model = open_model(Drive::Differential).on_wheels(wheels);
        let mut robot = Motion { heading_rad: heading, ..at(middle(&model)) };
        for (towards, wish) in wishes {
            for _ in 0..4 {
                let before = robot;
                robot = advance(&model, &before, angle::unit(towards) * wish);
                assert_lawful(&model, &before, &robot);
                let wheel_mm_s = robot.speed_mm_s.abs() + 13.3 * robot.omega_rad_s.abs();
                prop_assert!(wheel_mm_s <= 300.0 * (1.0 + 1e-9), "{wheel_mm_s}: {robot:?}");
            }
        }
    }

    /// From any lawful motion braking straight is one of the motions that the drive has.
    #[test]
    fn straight_braking_is_always_reachable(heading in -PI..PI, speed in -252.0_f64..252.0) {
        let model = open_model(Drive::Differential);
        let before = rolling(middle(&model), heading, speed);
        let after = braked_straight(&model, &before);
        assert_lawful(&model, &before, &after);
        prop_assert!(after.speed_mm_s.abs() <= (speed.abs() - 50.0).max(0.0) + 1e-6);
        prop_assert_eq!((after.heading_rad, after.omega_rad_s), (heading, 0.0));
    }

    /// Which way x or y points makes no difference: mirrored state and wish give the mirrored motion.
    #[test]
    fn a_point_has_no_preferred_side(
        vx in -150.0_f64..150.0, vy in -150.0_f64..150.0, wx in -300.0_f64..300.0, wy in -300.0_f64..300.0
    ) {
        let model = open_model(Drive::Point);
        let step = |mirror: DVec2| {
            let before = Motion { velocity_mm_s: DVec2::new(vx, vy) * mirror, ..at(middle(&model)) };
            advance_point(&model, &before, DVec2::new(wx, wy) * mirror).velocity_mm_s * mirror
        };
        for mirror in [DVec2::new(-1.0, 1.0), DVec2::new(1.0, -1.0)] {
            prop_assert!(step(DVec2::ONE).distance(step(mirror)) < 1e-9);
        }
    }
}
