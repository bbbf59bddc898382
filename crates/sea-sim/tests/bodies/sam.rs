//! SAM: trim, heave, thrust, nozzle, and what its actuators do, against closed forms; and its hold of depth and pitch.

use crate::support::{Water, rigid, run, run_loaded, vehicle};
use glam::DVec3;
use sea_sim::actuator::{ActuatorKind, ThrustLaw, received_hz};
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyState, BuoyancyParams, DampingParams, DecayParams, Loads, Matrix6, SubmergedParams};
use sea_sim::driver::{Readings, TrimHold, TrimHoldParams};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{RigidParams, Vehicle, VehicleState};
use std::f64::consts::PI;

const FRESH: f64 = 997.0;
/// Mass at a share of the ballast: hull, battery, piston and water.
fn mass_kg(share: f64) -> f64 {
    12.012 + 2.7 + 0.3 + 0.997 * 0.25 * share
}

/// SAM with a volume that is neutral at a share of the ballast, the centre of buoyancy at the origin.
fn neutral(share: f64) -> RigidParams {
    let mut params = rigid("sam");
    params.body.buoyancy =
        BuoyancyParams::Submerged(SubmergedParams { volume_m3: mass_kg(share) / FRESH, center_m: [0.0; 3] });
    params
}

/// The same with the decay of velocity of the original instead of hull forces.
fn with_decay(share: f64) -> Vehicle {
    let mut params = neutral(share);
    params.body.added_mass = Matrix6::default();
    let decay = DecayParams {
        water_linear_per_s: 1.02,
        water_angular_per_s: 1.5,
        air_linear_per_s: 0.1,
        air_angular_per_s: 0.1,
        ..DecayParams::default()
    };
    params.body.damping = DampingParams { decay: Some(decay), ..DampingParams::default() };
    Vehicle::from_rigid(&params).unwrap()
}

fn after(vehicle: &Vehicle, commands: &[(&str, f64)], seconds: f64) -> VehicleState {
    let mut last = vehicle.start(BodyState::default());
    run(vehicle, &Water::deep(FRESH), BodyState::default(), commands, (0.02, &[seconds]), |_, state| last = *state);
    last
}

/// Static trim: `tan(pitch) = x_G / |z_G|`, positive with the nose down.
#[test]
fn ballast_and_battery_trim_the_hull() {
    for (vbs, lcg, pitch_deg) in [
        (0.0, 50.0, 5.548),
        (50.0, 50.0, -1.874),
        (50.3, 50.0, -1.913),
        (100.0, 50.0, -7.468),
        (50.0, 0.0, -24.112),
        (50.0, 100.0, 20.914),
    ] {
        let vehicle = Vehicle::from_rigid(&neutral(0.01 * vbs)).unwrap();
        let state = after(&vehicle, &[("vbs", vbs), ("lcg", lcg)], 120.0);
        let found = RollPitchYaw::from_quat(state.body.attitude).pitch_rad * 180.0 / PI;
        assert!((found - pitch_deg).abs() < 0.05, "VBS {vbs}, LCG {lcg}: {found} is not {pitch_deg} deg");
        assert!((vehicle.mass(&state).unwrap().mass_kg - mass_kg(0.01 * vbs)).abs() < 1e-9);
    }
}

#[test]
fn ballast_follows_its_command_as_a_lag() {
    let vehicle = vehicle("sam");
    let (vbs, lcg) = (vehicle.actuator("vbs").unwrap(), vehicle.actuator("lcg").unwrap());
    let start = |actuator: usize| {
        let mut state = vehicle.start(BodyState::default());
        state.actuators[actuator] = 50.0;
        state
    };
    let follow = |actuator: usize, lag_s: f64, times: &[(f64, f64)]| {
        let mut state = start(actuator);
        let mut step = 0_u32;
        for &(time, percent) in times {
            while f64::from(step) * 0.01 < time - 0.005 {
                vehicle.command(&mut state, actuator, 100.0);
                vehicle
                    .step(&mut state, &Water::deep(FRESH), &Loads::default(), (f64::from(step) * 0.01, 0.01))
                    .unwrap();
                step += 1;
            }
            let found = state.actuators[actuator];
            assert!((found - (100.0 - 50.0 * libm::exp(-time / lag_s))).abs() < 1e-9, "{time} s: {found}");
            assert!((found - percent).abs() < 1e-4, "{time} s: {found}");
        }
    };
    follow(vbs, 3.0, &[(1.0, 64.1734), (3.0, 81.6060), (6.0, 93.2332), (9.0, 97.5107), (12.0, 99.0842)]);
    follow(lcg, 0.5, &[(0.25, 69.6735), (0.5, 81.6060), (1.0, 93.2332), (2.0, 99.0842)]);
}

#[test]
fn water_and_piston_make_the_mass_of_the_ballast() {
    let vehicle = vehicle("sam");
    let vbs = vehicle.actuator("vbs").unwrap();
    for (percent, kg) in [(0.0, 0.3), (50.0, 0.424_625), (50.3, 0.425_373), (100.0, 0.549_25)] {
        let mut state = vehicle.start(BodyState::default());
        state.actuators[vbs] = percent;
        let found = vehicle.mass(&state).unwrap().mass_kg - 12.012 - 2.7;
        assert!((found - kg).abs() < 5e-7, "{percent}: {found}");
    }
}

/// Wrench on the body at rest by actuators alone, forward, left, up.
fn wrench(vehicle: &Vehicle, commands: &[(&str, f64)], seconds: f64) -> Vec6 {
    let moved = after(vehicle, commands, seconds);
    let still = VehicleState { body: BodyState::default(), ..moved };
    let idle = VehicleState { actuators: vehicle.start(BodyState::default()).actuators, ..still };
    let of = |state: &VehicleState| {
        let inertia = vehicle.mass(state).unwrap().inertia().plus(vehicle.body().unwrap().added_mass(), 1.0);
        let rates = vehicle.rates(state, &Water::deep(FRESH), &Loads::default(), 0.0).unwrap();
        inertia.momentum(rates.acceleration)
    };
    of(&still) - of(&idle)
}

#[test]
fn thrust_is_linear_in_rpm_and_less_in_reverse() {
    let vehicle = vehicle("sam");
    for (rpm, thrust_n) in [(1000.0, 5.0), (-1000.0, -3.0), (1200.0, 5.0), (300.0, 1.5)] {
        let found = wrench(&vehicle, &[("propeller_front", rpm)], 1.0).linear.x;
        assert!((found - thrust_n).abs() < 1e-9, "{rpm} rpm: {found} N");
    }
    let opposed = [("propeller_front", 1000.0), ("propeller_back", -1000.0)];
    let found = wrench(&vehicle, &opposed, 1.0).linear.x;
    assert!((found - 2.0).abs() < 1e-9, "the reverse factor leaves 2 N: {found}");
    // Without that factor reverse thrust is forward thrust, and opposed propellers cancel.
    let mut params = rigid("sam");
    for actuator in &mut params.actuators {
        if let ActuatorKind::Propeller(propeller) = &mut actuator.kind {
            propeller.thrust = ThrustLaw::Linear { forward: 0.005, reverse: 0.005 };
        }
    }
    let alike = Vehicle::from_rigid(&params).unwrap();
    let reverse = wrench(&alike, &[("propeller_front", -1000.0)], 1.0).linear.x;
    assert!((reverse + 5.0).abs() < 1e-9, "{reverse}");
    assert!(wrench(&alike, &opposed, 1.0).linear.length() < 1e-12);
}

/// 10 N at 7 degrees: the line of action passes through the hinge, the propellers' own offset adds nothing.
#[test]
fn the_nozzle_turns_the_thrust_about_its_hinge() {
    let vehicle = vehicle("sam");
    let both = [("propeller_front", 1000.0), ("propeller_back", 1000.0)];
    let yawed = wrench(&vehicle, &[both[0], both[1], ("nozzle_yaw", 0.2)], 3.0);
    let (sine, cosine) = libm::sincos(7.0 * PI / 180.0);
    assert!((yawed.linear - DVec3::new(10.0 * cosine, 10.0 * sine, 0.0)).length() < 1e-9, "{yawed:?}");
    assert!((yawed.linear.y - 1.218_693).abs() < 5e-7 && (yawed.angular.z + 0.825_055).abs() < 5e-7, "{yawed:?}");
    let pitched = wrench(&vehicle, &[both[0], both[1], ("nozzle_pitch", 0.2)], 3.0);
    assert!((pitched.linear.z + 1.218_693).abs() < 5e-7 && (pitched.angular.y + 0.825_055).abs() < 5e-7, "{pitched:?}");
}

#[test]
fn a_hinge_settles_at_its_stop_or_its_command() {
    let vehicle = vehicle("sam");
    let yaw = vehicle.actuator("nozzle_yaw").unwrap();
    for (command, angle) in [(0.2, 0.122_173), (-0.3, -0.122_173), (0.1, 0.1)] {
        let found = after(&vehicle, &[("nozzle_yaw", command)], 3.0).actuators[yaw];
        assert!((found - angle).abs() < 5e-7, "{command}: {found}");
    }
}

/// Half a second without a command, and the propeller stops with the first step that is later; without a watchdog it
/// goes on.
#[test]
fn the_watchdog_stops_a_propeller_that_hears_nothing() {
    let mut params = rigid("sam");
    let number = params.actuators.iter().position(|actuator| actuator.name == "propeller_front").unwrap();
    for (watchdog_hz, last_running_step) in [(Some(2.0), 75), (None, 200)] {
        params.actuators[number].response.watchdog_hz = watchdog_hz;
        let vehicle = Vehicle::from_rigid(&params).unwrap();
        let mut state = vehicle.start(BodyState::default());
        let mut last = 0;
        assert_eq!(state.command_age[number], u32::MAX, "nothing came yet");
        for step in 0..=200_u32 {
            if step > 50 {
                let expected = 1.0 / (0.02 * f64::from(step - 50));
                let found = received_hz(u64::from(state.command_age[number]), 0.02);
                assert!((found / expected - 1.0).abs() < 1e-12, "step {step}: {found} Hz");
            }
            if step == 50 {
                vehicle.command(&mut state, number, 500.0);
            }
            vehicle.step(&mut state, &Water::deep(FRESH), &Loads::default(), (f64::from(step) * 0.02, 0.02)).unwrap();
            if state.actuators[number] == 500.0 {
                last = step;
            }
        }
        assert_eq!(last, last_running_step.min(200), "{watchdog_hz:?}");
    }
}

/// Net buoyancy over mass over decay: the decay acts on the whole mass.
#[test]
fn heave_and_surge_reach_the_speeds_of_the_decay() {
    let vehicle = with_decay(0.5);
    for (percent, net_n, speed_m_s) in [(0.0, 1.222_571, 0.079_84), (100.0, -1.222_571, -0.078_54)] {
        let share = 0.01 * percent;
        assert!(((mass_kg(0.5) - mass_kg(share)) * 9.81 - net_n).abs() < 5e-7);
        let state = after(&vehicle, &[("vbs", percent)], 60.0);
        let found = state.body.world_velocity_m_s().z;
        assert!((found - net_n / (1.02 * mass_kg(share))).abs() < 1e-6, "{found}");
        assert!((found - speed_m_s).abs() < 5e-6, "{found}");
    }
    let driven = after(&vehicle, &[("propeller_front", 1000.0), ("propeller_back", 1000.0), ("vbs", 50.0)], 60.0);
    assert!((driven.body.velocity.linear.length() - 0.6477).abs() < 5e-5, "{:?}", driven.body.velocity);
}

/// Ten minutes at rest, by ballast and battery alone, from sensors alone.
#[test]
fn ballast_and_battery_hold_depth_and_pitch() {
    let vehicle = vehicle("sam");
    let (vbs, lcg) = (vehicle.actuator("vbs").unwrap(), vehicle.actuator("lcg").unwrap());
    let mut hold = TrimHold::new(TrimHoldParams::default()).unwrap();
    let mut state = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, -10.0), ..BodyState::default() });
    let mut most = (0.0_f64, 0.0_f64);
    for step in 0..30_000_u32 {
        let attitude = RollPitchYaw::from_quat(state.body.attitude);
        let readings = Readings {
            depth_m: Some(-state.body.position_m.z),
            attitude: Some(attitude),
            turn_rate_rad_s: Some(state.body.velocity.angular),
            velocity_m_s: Some(state.body.velocity.linear),
            ..Readings::default()
        };
        let commands = hold.decide((10.0, readings.depth_m), 0.0, &readings, 0.02);
        vehicle.command(&mut state, vbs, commands.ballast_percent);
        vehicle.command(&mut state, lcg, commands.battery_percent);
        vehicle.step(&mut state, &Water::flat(FRESH), &Loads::default(), (f64::from(step) * 0.02, 0.02)).unwrap();
        most.0 = most.0.max((state.body.position_m.z + 10.0).abs());
        if step > 3000 {
            most.1 = most.1.max(attitude.pitch_rad.abs());
        }
    }
    assert!(most.0 < 0.1, "{} m", most.0);
    assert!(most.1 < 0.01, "{} rad a minute after the start", most.1);
}

/// The file's coefficients are those of the formulae that its sources name.
#[test]
fn the_coefficients_of_the_file_follow_from_its_formulae() {
    let params = rigid("sam");
    let [k1, k2, turning] = sea_sim::vehicle::lamb_factors(1.334, 0.126);
    let displaced = FRESH * 0.015_182_9;
    let across = 0.2 * displaced * (0.667 * 0.667 + 0.063 * 0.063);
    let expected = [
        k1 * displaced,
        k2 * displaced,
        k2 * displaced,
        0.3 * 0.4 * displaced * 0.063 * 0.063,
        turning * across,
        turning * across,
    ];
    let Matrix6::Diagonal(found) = params.body.added_mass else { panic!("a diagonal") };
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 1e-9, "{found:?} is not {expected:?}");
    }
    let BuoyancyParams::Cells(cells) = &params.body.buoyancy else { panic!("cells") };
    assert!((cells.iter().map(|cell| cell.volume_m3).sum::<f64>() - 0.015_182_9).abs() < 1e-12);
    assert!(params.actuators.iter().any(|actuator| matches!(actuator.kind, ActuatorKind::Ballast(_))));
}

/// The mended model of the Python original: a rudder turns it, and does not roll it over.
#[test]
fn the_mended_model_turns_by_its_nozzle() {
    let vehicle = vehicle("sam_kth");
    let commands = [("propeller_front", 1000.0), ("propeller_back", 1000.0), ("nozzle_yaw", 0.1)];
    let start = BodyState { position_m: DVec3::new(0.0, 0.0, -20.0), ..BodyState::default() };
    let mut most_roll = 0.0_f64;
    let mut state = vehicle.start(start);
    for step in 0..500_u32 {
        for (name, value) in commands {
            vehicle.command(&mut state, vehicle.actuator(name).unwrap(), value);
        }
        state = run_loaded(&vehicle, &Water::flat(1026.0), state, &Loads::default(), (0.02, 1));
        most_roll = most_roll.max(RollPitchYaw::from_quat(state.body.attitude).roll_rad.abs());
        assert!(state.is_finite(), "step {step}");
    }
    assert!(state.body.velocity.angular.z < -0.1, "{:?}", state.body.velocity);
    assert!(most_roll < 0.5, "{most_roll}");
}
