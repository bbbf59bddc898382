//! Autopilots against the published laws, number by number, and vehicles that they steer.

use crate::support::{Water, vehicle};
use glam::{DVec2, DVec3};
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyState, Loads};
use sea_sim::driver::{
    DepthAutopilot, DepthAutopilotParams, HeadingPid, HeadingPidParams, HeadingSmc, HeadingSmcParams, Level, Readings,
    Route, RouteParams, Timed, TimedCommand, Waypoint, twin_propeller_speeds,
};
use sea_sim::vehicle::{Vehicle, VehicleState};
use sim_core::angle::wrap_rad;
use std::f64::consts::PI;

const DEG: f64 = PI / 180.0;
const STEP_S: f64 = 0.02;

/// Readings of a table of down and starboard: depth, pitch and its rate, yaw and its rate, heave.
fn published_readings(k: f64) -> Readings {
    let (pitch, yaw) = (0.02 * libm::sin(0.1 * k), 0.3 * libm::sin(0.05 * k));
    Readings {
        depth_m: Some(0.02 * k),
        attitude: Some(RollPitchYaw { roll_rad: 0.0, pitch_rad: -pitch, yaw_rad: -yaw }),
        turn_rate_rad_s: Some(DVec3::new(0.0, -0.02 * libm::cos(0.1 * k), -0.1 * libm::cos(0.05 * k))),
        velocity_m_s: Some(DVec3::new(1.5, 0.0, -0.01 * libm::sin(0.03 * k))),
        ..Readings::default()
    }
}

/// Numbers of `remus100.depthHeadingAutopilot` (5 m, 40 deg) and `otter.headingAutopilot` (-30 deg) of Fossen's
/// Python simulator, run on the same readings.
#[test]
fn autopilots_give_the_angles_of_the_published_ones() {
    let mut depth = DepthAutopilot::new(DepthAutopilotParams::default()).unwrap();
    let mut heading = HeadingSmc::new(HeadingSmcParams::default()).unwrap();
    let mut pid = HeadingPid::new(HeadingPidParams::default()).unwrap();
    for k in 0..200_u32 {
        let readings = published_readings(f64::from(k));
        let stern = depth.decide(5.0, readings.depth_m, &readings, STEP_S);
        let rudder = heading.decide(-40.0 * DEG, &readings, STEP_S);
        let [left, right] = twin_propeller_speeds(120.0, pid.decide(30.0 * DEG, &readings, STEP_S), 0.01108, 0.395);
        let expected = match k {
            0 => [-0.48, 0.0409998, 59.3572482, 85.48123768],
            100 => [0.343963573, -1.04235656, 102.02140878, 20.54159344],
            199 => [0.653509517, -1.95746910, 43.39020213, 94.59183511],
            _ => continue,
        };
        for (found, expected) in [rudder, stern, left, right].into_iter().zip(expected) {
            assert!((found - expected).abs() < 6e-9 * (1.0 + expected.abs()), "{k}: {found} is not {expected}");
        }
    }
}

#[test]
fn a_reading_that_has_not_come_leaves_the_command() {
    let mut heading = HeadingSmc::new(HeadingSmcParams::default()).unwrap();
    let before = heading.decide(1.0, &published_readings(3.0), STEP_S);
    assert_ne!(before, 0.0);
    let state = heading;
    assert_eq!(heading.decide(1.0, &Readings::default(), STEP_S), before);
    assert_eq!(heading, state);
}

fn readings(state: &VehicleState) -> Readings {
    Readings {
        position_m: Some(state.body.position_m),
        depth_m: Some(-state.body.position_m.z),
        altitude_m: Some(state.body.position_m.z + 60.0),
        attitude: Some(RollPitchYaw::from_quat(state.body.attitude)),
        turn_rate_rad_s: Some(state.body.velocity.angular),
        velocity_m_s: Some(state.body.velocity.linear),
    }
}

/// Steers a REMUS along a route, and returns the state at the end and the waypoints in the order of their coming.
fn steer(route: &Route, water: &Water, seconds: f64) -> (VehicleState, Vec<usize>) {
    let vehicle: Vehicle = vehicle("remus100");
    let [rudder, stern, propeller] = ["rudder", "stern", "propeller"].map(|name| vehicle.actuator(name).unwrap());
    let mut depth = DepthAutopilot::new(DepthAutopilotParams { filter_rad_s: 0.1, ..Default::default() }).unwrap();
    // The published reference is for steps of the heading; a line of sight moves faster.
    let mut heading = HeadingSmc::new(HeadingSmcParams { reference_rad_s: 0.5, ..Default::default() }).unwrap();
    let mut state = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, -5.0), ..BodyState::default() });
    let mut progress = route.start(DVec2::ZERO);
    let mut passed = vec![0];
    for step in 0..(seconds / STEP_S) as u64 {
        let seen = readings(&state);
        let guidance = route.guide(&mut progress, seen.position_m.unwrap().truncate());
        if passed.last() != Some(&guidance.waypoint) {
            passed.push(guidance.waypoint);
        }
        let (wanted, measured) = match guidance.level {
            Level::DepthM(depth) => (depth, seen.depth_m),
            Level::AltitudeM(altitude) => (-altitude, seen.altitude_m.map(|altitude| -altitude)),
        };
        vehicle.command(&mut state, stern, depth.decide(wanted, measured, &seen, STEP_S));
        vehicle.command(&mut state, rudder, heading.decide(guidance.yaw_rad, &seen, STEP_S));
        vehicle.command(&mut state, propeller, 1200.0);
        vehicle.step(&mut state, water, &Loads::default(), (step as f64 * STEP_S, STEP_S)).unwrap();
    }
    (state, passed)
}

fn route(points: &[([f64; 2], Level)], is_loop: bool) -> Route {
    let waypoints = points.iter().map(|&(place_m, level)| Waypoint { place_m, level }).collect();
    Route::new(RouteParams { waypoints, radius_m: 10.0, lookahead_m: 30.0, is_loop }).unwrap()
}

#[test]
fn remus_comes_to_its_depth_and_heading() {
    let far = route(&[([10_000.0, 10_000.0], Level::DepthM(20.0))], false);
    let (state, _) = steer(&far, &Water::flat(1026.0), 400.0);
    let seen = readings(&state);
    assert!((seen.depth_m.unwrap() - 20.0).abs() < 0.3, "{:?}", seen.depth_m);
    assert!(wrap_rad(seen.attitude.unwrap().yaw_rad - 45.0 * DEG).abs() < DEG, "{:?}", seen.attitude);
}

#[test]
fn remus_holds_an_altitude() {
    let far = route(&[([10_000.0, 0.0], Level::AltitudeM(30.0))], false);
    let (state, _) = steer(&far, &Water::flat(1026.0), 400.0);
    assert!((readings(&state).altitude_m.unwrap() - 30.0).abs() < 0.3, "{:?}", state.body.position_m);
}

/// A triangle, in still water and across a current: every waypoint in its order, again and again.
#[test]
fn remus_follows_a_route() {
    let level = Level::DepthM(10.0);
    let triangle = route(&[([150.0, 0.0], level), ([150.0, 150.0], level), ([0.0, 0.0], level)], true);
    for current_m_s in [DVec3::ZERO, DVec3::new(0.0, 0.3, 0.0)] {
        let (_, passed) = steer(&triangle, &Water { current_m_s, ..Water::flat(1026.0) }, 600.0);
        assert!(passed.len() >= 5 && passed.iter().enumerate().all(|(k, &waypoint)| waypoint == k % 3), "{passed:?}");
    }
}

#[test]
fn a_route_that_ends_says_so() {
    let route = route(&[([10.0, 0.0], Level::DepthM(0.0)), ([100.0, 0.0], Level::DepthM(1.0))], false);
    let mut progress = route.start(DVec2::ZERO);
    let at = |progress: &mut _, x: f64| route.guide(progress, DVec2::new(x, 0.0));
    assert_eq!(at(&mut progress, 5.0).waypoint, 1, "the first is within the radius");
    assert!(!at(&mut progress, 80.0).is_finished);
    assert!(at(&mut progress, 95.0).is_finished);
    // Left of the path the course leads back to the right.
    assert!(route.guide(&mut progress, DVec2::new(50.0, 5.0)).yaw_rad < 0.0);
}

/// The leg leads north-east to (100, 100): the plane through that waypoint is the line `x + y = 200`. A place 40 m abeam of it is beyond
/// the radius of 10 m and passes the waypoint once it is on the far side of the line, not before. So does the end of an open route.
#[test]
fn a_waypoint_that_is_missed_is_passed_abeam() {
    let level = Level::DepthM(0.0);
    let bend = route(&[([100.0, 100.0], level), ([0.0, 200.0], level)], false);
    let mut progress = bend.start(DVec2::ZERO);
    let at = |progress: &mut _, x, y| {
        let guidance = bend.guide(progress, DVec2::new(x, y));
        (guidance.passed, guidance.waypoint, guidance.is_finished)
    };
    assert_eq!(at(&mut progress, 128.0, 71.9), (0, 0, false));
    assert_eq!(at(&mut progress, 128.0, 72.1), (1, 1, false));
    // The next leg leads north-west; its plane is the line `y - x = 200`.
    assert_eq!(at(&mut progress, 30.0, 229.9), (0, 1, false));
    assert_eq!(at(&mut progress, 30.0, 230.1), (0, 1, true));
}

/// Three waypoints within 10 m of a place, of which the last ends the route: two are passed at once.
#[test]
fn several_waypoints_are_passed_at_once() {
    let level = Level::DepthM(0.0);
    let close = route(&[([5.0, 0.0], level), ([5.0, 0.0], level), ([9.0, 0.0], level)], false);
    let mut progress = close.start(DVec2::new(-20.0, 0.0));
    let guidance = close.guide(&mut progress, DVec2::ZERO);
    assert_eq!((guidance.passed, guidance.waypoint, guidance.is_finished), (2, 2, true));
    assert_eq!(close.guide(&mut progress, DVec2::ZERO).passed, 0);
}

/// Twice the same waypoint, with the vehicle north of it and beyond the radius: it steers south, not along a leg without a direction.
#[test]
fn a_leg_without_a_length_leads_to_its_end() {
    let level = Level::DepthM(0.0);
    let twice = route(&[([0.0, 0.0], level), ([0.0, 0.0], level)], false);
    let mut progress = twice.start(DVec2::ZERO);
    twice.guide(&mut progress, DVec2::ZERO);
    let guidance = twice.guide(&mut progress, DVec2::new(0.0, 50.0));
    assert!((guidance.yaw_rad + 0.5 * PI).abs() < 1e-12, "{}", guidance.yaw_rad);
}

#[test]
fn otter_holds_a_heading_by_its_two_propellers() {
    let vehicle = vehicle("otter");
    let mut pid = HeadingPid::new(HeadingPidParams::default()).unwrap();
    let mut state = vehicle.start(BodyState::default());
    for step in 0..3000_u32 {
        let moment = pid.decide(100.0 * DEG, &readings(&state), STEP_S);
        let speeds = twin_propeller_speeds(120.0, moment, 0.01108, 0.395);
        speeds.into_iter().enumerate().for_each(|(side, speed)| vehicle.command(&mut state, side, speed));
        vehicle.step(&mut state, &Water::flat(1025.0), &Loads::default(), (f64::from(step) * STEP_S, STEP_S)).unwrap();
    }
    let yaw = RollPitchYaw::from_quat(state.body.attitude).yaw_rad;
    assert!((yaw - 100.0 * DEG).abs() < 0.5 * DEG, "{}", yaw / DEG);
}

#[test]
fn timed_commands_come_when_they_are_due() {
    let command = |step, value| TimedCommand { step, actuator: 0, value };
    let timed = Timed::new(vec![command(100, 3.0), command(0, 1.0), command(100, 4.0)]).unwrap();
    let values = |given, step| timed.due(given, step).iter().map(|command| command.value).collect::<Vec<_>>();
    assert_eq!(values(0, 0), [1.0]);
    assert_eq!(values(1, 99), [] as [f64; 0]);
    assert_eq!(values(1, 100), [3.0, 4.0], "two of one step keep their order");
    assert_eq!(values(3, 450), [] as [f64; 0]);
    assert!(Timed::new(vec![command(0, f64::NAN)]).is_err());
}
