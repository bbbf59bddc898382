//! Commands from outside: what they do to a car, how long, and which rows are refused in which words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_near, number, numbers, step_with, walk};
use sim_core::ops;
use sim_world::{Input, Model, Value, World, check_row};
use test_runs::{key, road, road_model};
use world_road::RoadWorld;

const ROUNDING: f64 = 1e-10;

/// A car without a driver.
const CAR: &str = r#""cars": [{}]"#;

/// Rows of the stream must name a car; everything else may be missing.
#[test]
fn commands_have_the_limits_of_the_cars() {
    let model = road_model(r#""cars": [{}, {"start": {"x_m": 3}, "params": {"inner_steering_limit_deg": 20}}]"#);
    let stream = &model.inputs()[0];
    let names: Vec<_> = stream.columns.iter().map(|column| &*column.name).collect();
    assert_eq!((&*stream.name, names), ("commands", vec!["car", "speed_m_s", "steer_rad", "acceleration_m_s2"]));
    let ranges: Vec<_> = stream.columns.iter().map(|column| column.range.unwrap()).collect();
    assert_eq!((ranges[0], ranges[1], ranges[3]), ([0.0, 1.0], [-100.0, 100.0], [0.0, 1000.0]));
    // The default car steers farthest: its inner wheel at 40 degrees, docs/models/car.md.
    let tan = ops::tan(40.0_f64.to_radians());
    let middle_rad = ops::atan2(0.405 * tan, 0.405 + 0.213 / 2.0 * tan);
    assert_near(ranges[2][1], middle_rad, ROUNDING, "steering");
    assert_eq!(ranges[2][0], -ranges[2][1]);
}

/// What is wrong with a row, by its columns or by what the road says beyond them.
fn fault(row: [Value<'_>; 4]) -> String {
    let model = road_model(r#""cars": [{}, {"start": {"x_m": 3}}]"#);
    let stream = &model.inputs()[0];
    check_row(stream, &row)
        .and_then(|()| model.check_input(&Input { stream: 0, row: &row }))
        .map_or_else(|fault| fault.in_words(stream), |()| String::new())
}

#[test]
fn rows_that_mean_nothing_are_refused() {
    let (one, none) = (Value::Number(1.0), Value::Missing);
    let car = Value::Integer(1);
    for right in
        [[car, one, none, none], [car, none, none, none], [car, one, Value::Number(0.5), one], [car, one, none, one]]
    {
        assert_eq!(fault(right), "", "{right:?}");
    }
    assert_eq!(fault([none, one, none, none]), "car is missing");
    assert_eq!(fault([Value::Integer(2), one, none, none]), "car is 2, must be from 0 to 1");
    assert_eq!(fault([Value::Integer(-1), one, none, none]), "car is -1, must be from 0 to 1");
    assert_eq!(fault([one, one, none, none]), "car must be a whole number");
    assert_eq!(fault([car, Value::Text("fast"), none, none]), "speed_m_s must be a number");
    assert_eq!(fault([car, Value::Number(-100.5), none, none]), "speed_m_s is -100.5, must be from -100 to 100");
    assert_eq!(fault([car, Value::Number(f64::INFINITY), none, none]), "speed_m_s is inf, must be a finite number");
    assert_eq!(fault([car, one, none, Value::Number(-0.1)]), "acceleration_m_s2 is -0.1, must be from 0 to 1000");
    assert!(fault([car, one, Value::Number(0.7), none]).starts_with("steer_rad is 0.7, must be from -0.60"));
    for [steer, acceleration] in [[one, none], [none, one], [one, one]] {
        let steer = steer.as_number().map_or(none, |_| Value::Number(0.1));
        assert_eq!(fault([car, none, steer, acceleration]), "speed_m_s is missing beside the other values");
    }
}

/// Speed alone: straight on, at the car's own 1 m/s^2; with an acceleration, at that.
#[test]
fn a_command_is_kept_until_the_next_one() {
    let mut world = road(CAR, 0);
    step_with(&mut world, &[(0, [Some(0.6), None, None])]);
    walk(&mut world, 99);
    // 0.6 s up to speed, 0.18 m; 0.4 s at 0.6 m/s.
    assert_near(number(&world, "cars", "x_m"), 0.18 + 0.24, ROUNDING, "x");
    step_with(&mut world, &[(0, [Some(0.2), None, Some(0.5)])]);
    walk(&mut world, 99);
    // 0.8 s down at 0.5 m/s^2, 0.32 m; 0.2 s at 0.2 m/s.
    assert_near(number(&world, "cars", "x_m"), 0.42 + 0.32 + 0.04, ROUNDING, "x");
    assert_near(number(&world, "cars", "speed_m_s"), 0.2, ROUNDING, "speed");
}

/// The rear axle turns at v_r tan(d) / L, and v = v_r sqrt(1 + (tan(d) l_b / L)^2).
#[test]
fn steering_is_the_angle_of_the_middle_of_the_front_axle() {
    for steer_rad in [0.3, -0.55, 0.0] {
        let mut world = road(CAR, 0);
        step_with(&mut world, &[(0, [Some(0.5), Some(steer_rad), None])]);
        walk(&mut world, 199);
        let tan = ops::tan(steer_rad);
        let share = (1.0 + (0.5 * tan) * (0.5 * tan)).sqrt();
        assert_near(number(&world, "cars", "steer_rad"), steer_rad, ROUNDING, "steering");
        assert_near(number(&world, "cars", "speed_m_s"), 0.5, ROUNDING, "speed");
        assert_near(number(&world, "cars", "yaw_rate_rad_s"), 0.5 / share * tan / 0.405, ROUNDING, "turn rate");
    }
}

/// What is beyond the limits of a car counts as the limits.
#[test]
fn commands_beyond_a_car_are_cut_to_it() {
    let mut world = road(CAR, 0);
    step_with(&mut world, &[(0, [Some(100.0), None, Some(1000.0)])]);
    walk(&mut world, 39);
    assert_near(number(&world, "cars", "speed_m_s"), 0.4, ROUNDING, "no faster than 1 m/s^2");
    walk(&mut world, 100);
    assert_near(number(&world, "cars", "speed_m_s"), 0.8, ROUNDING, "no faster than 0.8 m/s");
    step_with(&mut world, &[(0, [Some(-100.0), None, None])]);
    walk(&mut world, 199);
    assert_near(number(&world, "cars", "speed_m_s"), -0.5, ROUNDING, "backwards");
}

#[test]
fn of_two_commands_in_a_step_the_last_one_counts_and_other_cars_keep_theirs() {
    let mut world = road(r#""cars": [{}, {"start": {"y_m": 3}}]"#, 0);
    step_with(&mut world, &[(1, [Some(0.3), None, None]), (1, [Some(0.7), None, None])]);
    walk(&mut world, 99);
    step_with(&mut world, &[(0, [Some(-0.2), None, None])]);
    walk(&mut world, 99);
    let speeds = numbers(&world, "cars", "speed_m_s");
    assert_near(speeds[0], -0.2, ROUNDING, "car 0");
    assert_near(speeds[1], 0.7, ROUNDING, "car 1");
}

#[test]
fn a_car_without_a_driver_that_is_given_back_stops() {
    let mut world = road(CAR, 0);
    step_with(&mut world, &[(0, [Some(0.8), None, None])]);
    walk(&mut world, 99);
    step_with(&mut world, &[(0, [None, None, None])]);
    walk(&mut world, 19);
    assert_near(number(&world, "cars", "speed_m_s"), 0.4, ROUNDING, "0.2 s of braking at 2 m/s^2");
    walk(&mut world, 100);
    assert_eq!(number(&world, "cars", "speed_m_s"), 0.0);
}

/// A plan goes by the clock: given back, the car does what the plan says by then.
#[test]
fn a_car_with_a_plan_that_is_given_back_goes_on_with_it() {
    let plan =
        r#""cars": [{"driver": {"commands": [{"at_s": 0, "velocity_m_s": 0.1}, {"at_s": 1.5, "velocity_m_s": 0.4}]}}]"#;
    let mut world = road(plan, 0);
    step_with(&mut world, &[(0, [Some(-0.3), None, None])]);
    walk(&mut world, 199);
    assert_near(number(&world, "cars", "speed_m_s"), -0.3, ROUNDING, "in place of the plan");
    step_with(&mut world, &[(0, [None, None, None])]);
    walk(&mut world, 99);
    assert_near(number(&world, "cars", "speed_m_s"), 0.4, ROUNDING, "the second command of the plan");
}

/// A driver of a route looks for its way from where the car is.
#[test]
fn a_car_with_a_route_that_is_given_back_finds_its_way() {
    let route =
        r#""cars": [{"driver": {"waypoints": {"points_m": [[0, 0], [30, 0]], "closed": false, "speed_m_s": 0.5}}}]"#;
    let mut world = road(route, 0);
    step_with(&mut world, &[(0, [Some(0.5), Some(0.2), None])]);
    walk(&mut world, 199);
    assert!(number(&world, "cars", "y_m") > 0.2, "{}", number(&world, "cars", "y_m"));
    step_with(&mut world, &[(0, [None, None, None])]);
    walk(&mut world, 1999);
    assert_near(number(&world, "cars", "y_m"), 0.0, 0.01, "back on the route");
    assert_near(number(&world, "cars", "speed_m_s"), 0.5, 1e-6, "speed");
}

#[test]
fn a_command_is_part_of_the_state() {
    let (mut idle, mut commanded) = (road(CAR, 0), road(CAR, 0));
    walk(&mut idle, 1);
    // The car stands in both, but only one of them was told so.
    step_with(&mut commanded, &[(0, [Some(0.0), None, None])]);
    assert_eq!(number(&idle, "cars", "x_m"), number(&commanded, "cars", "x_m"));
    assert_ne!(idle.state_hash(), commanded.state_hash());
    let hash_after = |row: [Option<f64>; 3]| {
        let mut world = road(CAR, 0);
        step_with(&mut world, &[(0, row)]);
        world.state_hash()
    };
    assert_ne!(hash_after([Some(0.0), None, None]), hash_after([Some(0.0), None, Some(0.0)]));

    step_with(&mut commanded, &[(0, [Some(0.5), Some(0.2), None])]);
    let mut resumed = RoadWorld::resume(road_model(CAR), key(0), commanded.state().clone());
    walk(&mut resumed, 100);
    walk(&mut commanded, 100);
    assert_eq!(resumed.state_hash(), commanded.state_hash());
    assert_near(number(&resumed, "cars", "speed_m_s"), 0.5, ROUNDING, "the command goes on");
}

#[test]
fn a_car_that_has_hit_something_takes_no_command() {
    let mut world = road(r#""map": {"walls_m": [[[0.3, -1], [0.3, 1]]]}, "cars": [{}]"#, 0);
    step_with(&mut world, &[(0, [Some(0.8), None, None])]);
    walk(&mut world, 100);
    assert_eq!(world.violations(), 1);
    let stands_m = number(&world, "cars", "x_m");
    step_with(&mut world, &[(0, [Some(-0.5), None, None])]);
    walk(&mut world, 100);
    assert_eq!(number(&world, "cars", "x_m"), stands_m);
}
