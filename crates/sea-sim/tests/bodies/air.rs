//! Quadrotor with geometric tracking, and the hydrofoil's rules.

use crate::support::{Water, vehicle};
use glam::{DVec2, DVec3};
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyState, Loads};
use sea_sim::driver::{Geometric, GeometricParams, Readings, Target};
use sea_sim::vehicle::{HYDROFOIL_ROLL, HYDROFOIL_SPEED, HydrofoilParams, Vehicle, VehicleState};
use std::f64::consts::{FRAC_PI_4, PI};

const DEG: f64 = PI / 180.0;
/// The published controller keeps the nose to the north-east.
const NOSE: f64 = FRAC_PI_4;

fn geometric() -> Geometric {
    Geometric::new(GeometricParams::default()).unwrap()
}

fn readings(state: &BodyState) -> Readings {
    Readings {
        position_m: Some(state.position_m),
        attitude: Some(RollPitchYaw::from_quat(state.attitude)),
        velocity_m_s: Some(state.velocity.linear),
        turn_rate_rad_s: Some(state.velocity.angular),
        ..Readings::default()
    }
}

/// A hovering state whose nose points to a yaw.
fn hovering(yaw_rad: f64) -> BodyState {
    let attitude = RollPitchYaw { yaw_rad, ..RollPitchYaw::default() }.to_quat();
    BodyState { attitude, ..BodyState::default() }
}

/// A vector of the published axes, right, forward, up, in ours: forward, left, up.
fn from_right(v: [f64; 3]) -> DVec3 {
    DVec3::new(v[1], -v[0], v[2])
}

fn assert_forces(found: [f64; 4], expected: [f64; 4]) {
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 2e-6, "{found:?} is not {expected:?}");
    }
}

#[test]
fn on_target_it_hovers() {
    let rpm = geometric().decide(&Target { yaw_rad: NOSE, ..Target::default() }, &readings(&hovering(NOSE))).unwrap();
    assert!(rpm.iter().all(|rpm| (rpm - 2128.77).abs() < 5e-3), "{rpm:?}");
    let vehicle = vehicle("quadrotor");
    let start = vehicle.start(hovering(NOSE));
    assert!((vehicle.hover_command(&start).unwrap() - 2128.77).abs() < 1e-9);
}

#[test]
fn below_its_target_it_pulls_harder() {
    let target = Target { position_m: DVec3::Z, yaw_rad: NOSE, ..Target::default() };
    let wanted = geometric().thrust_and_moment(&target, &readings(&hovering(NOSE))).unwrap();
    assert!((wanted.thrust_n - 98.9954).abs() < 5e-5, "{wanted:?}");
    let rpm = geometric().decide(&target, &readings(&hovering(NOSE))).unwrap();
    assert!(rpm.iter().all(|rpm| (rpm - 4949.77).abs() < 5e-3), "{rpm:?}");
}

/// Target 3 m to the east, capped at 1 m: from the hover attitude, and from the body's own axes along the world's.
#[test]
fn a_target_aside_tilts_it() {
    let target = Target { position_m: DVec3::new(3.0, 0.0, 0.0), yaw_rad: NOSE, ..Target::default() };
    for (nose, moment, forces) in [
        (NOSE, [-5.498303, 4.300606, -1.700058], [-3.396298, 9.130174, 14.058633, 22.782892]),
        (2.0 * NOSE, [-3.011978, 5.330476, -6.046215], [-13.031489, 21.077199, -3.469654, 37.999344]),
    ] {
        let wanted = geometric().thrust_and_moment(&target, &readings(&hovering(nose))).unwrap();
        assert!((wanted.moment_n_m - from_right(moment)).length() < 2e-6, "{wanted:?}");
        assert!((wanted.thrust_n - 42.5754).abs() < 5e-5);
        assert_forces(geometric().rotor_forces_n(&wanted), forces);
    }
}

#[test]
fn velocity_and_turn_rate_enter() {
    let mut state = hovering(NOSE);
    state.velocity.linear = state.attitude.conjugate() * DVec3::new(0.1, -0.2, 0.3);
    state.velocity.angular = from_right([0.2, -0.1, 0.5]);
    let wanted =
        geometric().thrust_and_moment(&Target { yaw_rad: NOSE, ..Target::default() }, &readings(&state)).unwrap();
    assert!((wanted.moment_n_m - from_right([-0.737130, -1.123114, -0.739052])).length() < 2e-6, "{wanted:?}");
    assert_forces(geometric().rotor_forces_n(&wanted), [5.341463, 12.913309, 7.681559, 9.347869]);
}

fn flight(target: &Target, step_s: f64, times_s: &[f64]) -> Vec<VehicleState> {
    let (vehicle, geometric) = (vehicle("quadrotor"), geometric());
    let mut state = vehicle.start(hovering(NOSE));
    let mut step = 0_u64;
    let each = times_s.iter().map(|time| {
        while (step as f64) < time / step_s - 0.5 {
            let rpm = geometric.decide(target, &readings(&state.body)).unwrap();
            rpm.into_iter().enumerate().for_each(|(rotor, rpm)| vehicle.command(&mut state, rotor, rpm));
            vehicle.step(&mut state, &Water::flat(1000.0), &Loads::default(), (step as f64 * step_s, step_s)).unwrap();
            step += 1;
        }
        state
    });
    each.collect()
}

/// z'' = -13 (z - 1) - 5.6 z' in closed form. Commands are held during a step, an error of first order that
/// extrapolation takes out.
#[test]
fn a_climb_is_a_damped_oscillation() {
    let target = Target { position_m: DVec3::Z, yaw_rad: NOSE, ..Target::default() };
    let times = [0.25, 0.5, 1.0, 2.0, 3.0];
    let (coarse, fine) = (flight(&target, 0.002, &times), flight(&target, 0.001, &times));
    for ((coarse, fine), expected) in coarse.iter().zip(&fine).zip([0.252135, 0.620425, 0.981918, 1.005116, 0.999666]) {
        let (coarse, fine) = (coarse.body.position_m.z, fine.body.position_m.z);
        assert!((coarse - expected).abs() < 3e-3, "{coarse} is not {expected}");
        assert!((2.0 * fine - coarse - expected).abs() < 5e-6, "{} is not {expected}", 2.0 * fine - coarse);
    }
}

/// Its highest point: exp(-2.8 t) above the target at t = pi / sqrt(13 - 2.8^2), worked out from the state next to it.
#[test]
fn a_climb_overshoots_by_two_percent() {
    let target = Target { position_m: DVec3::Z, yaw_rad: NOSE, ..Target::default() };
    let peak = |step_s: f64| {
        let body = flight(&target, step_s, &[1.384])[0].body;
        let (z, speed) = (body.position_m.z, body.world_velocity_m_s().z);
        let acceleration = -13.0 * (z - 1.0) - 5.6 * speed;
        DVec2::new(z - 0.5 * speed * speed / acceleration, 1.384 - speed / acceleration)
    };
    let found = 2.0 * peak(0.001) - peak(0.002);
    assert!((found.x - 1.020_81).abs() < 5e-6, "{found}");
    assert!((found.y - 1.383_01).abs() < 2e-5, "{found}");
}

#[test]
fn a_far_target_is_flown_to_at_the_cruise_speed() {
    let target = Target { position_m: DVec3::new(200.0, 0.0, 0.0), yaw_rad: NOSE, ..Target::default() };
    let cruise = flight(&target, 0.01, &[30.0])[0].body.world_velocity_m_s();
    assert!((cruise.x - 2.321_429).abs() < 1e-5 && cruise.y.abs() < 1e-3, "{cruise}");
}

#[test]
fn no_force_and_a_force_along_the_nose_have_an_attitude() {
    let level = readings(&hovering(0.0));
    for acceleration_m_s2 in [DVec3::new(0.0, 0.0, -9.81), DVec3::new(0.0, 30.0, -9.81), DVec3::new(5.0, 0.0, -9.81)] {
        let wanted = geometric().thrust_and_moment(&Target { acceleration_m_s2, ..Target::default() }, &level).unwrap();
        assert!(wanted.moment_n_m.is_finite() && wanted.thrust_n.is_finite());
    }
}

// ---- hydrofoil

fn evolo() -> (Vehicle, VehicleState) {
    let vehicle = vehicle("evolo");
    let start = vehicle.start(BodyState::default());
    (vehicle, start)
}

fn sail(vehicle: &Vehicle, state: &mut VehicleState, seconds: f64) {
    for step in 0..(seconds / 0.02).round() as u64 {
        vehicle.step(state, &Water::flat(1025.0), &Loads::default(), (step as f64 * 0.02, 0.02)).unwrap();
    }
}

/// The published figures count 0.51444 m/s a knot: two parts in a hundred thousand less.
#[test]
fn it_turns_by_its_bank() {
    let rules = HydrofoilParams::default();
    for (speed_kn, roll_deg, rate_deg_s, radius_m) in [
        (8.0, 13.0, 31.5305, 7.4785),
        (10.0, 5.0, 9.5589, 30.8353),
        (10.0, 13.0, 25.2244, 11.6852),
        (13.0, 13.0, 19.4034, 19.7480),
    ] {
        let rate = -rules.yaw_rate_rad_s(speed_kn, roll_deg * DEG);
        assert!((rate / DEG / rate_deg_s - 1.0).abs() < 2e-5, "{}", rate / DEG);
        assert!((speed_kn * 1852.0 / 3600.0 / rate / radius_m - 1.0).abs() < 3e-5);
    }
}

#[test]
fn a_full_circle_takes_its_time_and_closes() {
    let (vehicle, mut state) = evolo();
    vehicle.command(&mut state, HYDROFOIL_SPEED, 10.0);
    vehicle.command(&mut state, HYDROFOIL_SPEED, 10.0);
    vehicle.command(&mut state, HYDROFOIL_ROLL, 13.0 * DEG);
    sail(&vehicle, &mut state, 20.0);
    let (from, heading) = (state.body.position_m, state.body.attitude);
    // 14.2719 s, as a whole number of steps of a slightly other length.
    let period_s = 2.0 * PI * (10.0 * 1852.0 / 3600.0) / (9.81 * libm::tan(13.0 * DEG));
    assert!((period_s / 14.2719 - 1.0).abs() < 2e-5);
    for _ in 0..700 {
        vehicle.step(&mut state, &Water::flat(1025.0), &Loads::default(), (0.0, period_s / 700.0)).unwrap();
    }
    assert!((state.body.position_m - from).length() < 1e-9, "{}", state.body.position_m - from);
    assert!(heading.dot(state.body.attitude).abs() > 1.0 - 1e-12);
}

#[test]
fn it_takes_five_seconds_to_ten_knots() {
    let (vehicle, mut state) = evolo();
    vehicle.command(&mut state, HYDROFOIL_SPEED, 8.0);
    vehicle.command(&mut state, HYDROFOIL_SPEED, 10.0);
    sail(&vehicle, &mut state, 4.98);
    assert!(state.actuators[HYDROFOIL_SPEED] < 10.0);
    sail(&vehicle, &mut state, 0.02);
    assert!((state.actuators[HYDROFOIL_SPEED] - 10.0).abs() < 1e-12);
    sail(&vehicle, &mut state, 5.0);
    assert!((state.body.position_m.x - 38.583).abs() < 5e-4, "{}", state.body.position_m.x);
}

#[test]
fn it_rises_with_its_speed() {
    let rules = HydrofoilParams::default();
    for (speed_kn, height_m) in [(4.0, 0.175), (8.0, 0.35), (13.0, 0.35), (-3.0, 0.0)] {
        assert!((rules.height_m(speed_kn) - height_m).abs() < 1e-12);
    }
    let (vehicle, mut state) = evolo();
    sail(&vehicle, &mut state, 1.0);
    assert!((state.body.position_m.z - 0.4).abs() < 1e-12, "the origin lies 0.4 m above what rides");
}

/// The published sequence, but for the last command, which the original takes as it is.
#[test]
fn commands_of_speed_in_the_published_sequence() {
    let (vehicle, mut state) = evolo();
    let goals = [1.0, 20.0, 0.0, 0.0, -10.0].map(|command| {
        vehicle.command(&mut state, HYDROFOIL_SPEED, command);
        state.commands[HYDROFOIL_SPEED]
    });
    assert_eq!(goals, [8.0, 13.0, 8.0, 0.0, -3.0]);
}

/// A command from flying slows it to the slowest flying speed first; backward speed has its limit too.
#[test]
fn commands_of_speed_follow_the_bands() {
    let (vehicle, mut state) = evolo();
    let goals = [1.0, 20.0, 5.0, 5.0, 0.0, 0.0, -10.0, 5.0].map(|command| {
        vehicle.command(&mut state, HYDROFOIL_SPEED, command);
        state.commands[HYDROFOIL_SPEED]
    });
    assert_eq!(goals, [8.0, 13.0, 8.0, 8.0, 0.0, 0.0, -3.0, 0.0]);
}

#[test]
fn it_does_not_bank_before_it_flies() {
    let (vehicle, mut state) = evolo();
    vehicle.command(&mut state, HYDROFOIL_SPEED, 8.0);
    vehicle.command(&mut state, HYDROFOIL_ROLL, 13.0 * DEG);
    sail(&vehicle, &mut state, 2.5);
    assert!((state.actuators[HYDROFOIL_SPEED] - 5.0).abs() < 1e-9);
    assert_eq!((state.actuators[HYDROFOIL_ROLL], state.body.velocity.angular.z), (0.0, 0.0));
    sail(&vehicle, &mut state, 3.0);
    assert!((state.actuators[HYDROFOIL_ROLL] - 13.0 * DEG).abs() < 1e-12 && state.body.velocity.angular.z < 0.0);
}
