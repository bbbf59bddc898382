//! Starts at the limits of a scenario's keys: 50 m/s and 1000 degrees a second along and about each axis.

use crate::support::{NAMES, Water, file, rigid, run_loaded, vehicle};
use sea_sim::body::{BodyState, Loads, Matrix6};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{Vehicle, VehicleState};

const STILL: Loads = Loads { world: Vec6::ZERO, body: Vec6::ZERO };

fn moving(vehicle: &Vehicle, velocity: [f64; 6]) -> VehicleState {
    vehicle.start(BodyState { velocity: Vec6::from_array(velocity), ..BodyState::default() })
}

/// Each velocity at both of its limits, all at once, and two that a step of one part has lost all numbers by.
fn extremes() -> Vec<[f64; 6]> {
    let turn = 1000.0_f64.to_radians();
    let alone = |(axis, sign): (usize, f64)| {
        let mut velocity = [0.0; 6];
        velocity[axis] = sign * if axis < 3 { 50.0 } else { turn };
        velocity
    };
    let mut all: Vec<[f64; 6]> = (0..6).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]).map(alone).collect();
    all.extend([
        [50.0, -50.0, 50.0, turn, -turn, turn],
        [-30.0, 0.0, -20.0, 0.0, 0.0, 0.0],
        [0.0, -5.0, 0.0, 0.0, 0.0, 0.0],
    ]);
    all
}

/// Largest size of an element of a velocity.
fn largest(velocity: Vec6) -> f64 {
    velocity.to_array().into_iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Ten seconds in water take the energy out of every vehicle, at the usual rate of steps and at a fifth of it. A hull that
/// floats by stiffness may gain for a while: its stiffness, linear at any height and angle, holds energy, too.
#[test]
fn damping_stops_every_start_that_a_scenario_allows() {
    for name in NAMES.into_iter().filter(|&name| name != "quadrotor") {
        let vehicle = vehicle(name);
        let Some(body) = vehicle.body() else { continue };
        let floats = file(name).contains("waterline");
        let water = if floats { Water::flat(1025.0) } else { Water::deep(1025.0) };
        // What weight and buoyancy may add in ten seconds: by the difference over the way, and by their arm.
        let gain_j = 10.0 * vehicle.mass(&moving(&vehicle, [0.0; 6])).unwrap().mass_kg * 9.81;
        for velocity in extremes() {
            let start = moving(&vehicle, velocity);
            let inertia = vehicle.mass(&start).unwrap().inertia().plus(body.added_mass(), 1.0);
            let energy_j = |state: &VehicleState| 0.5 * state.body.velocity.dot(inertia.momentum(state.body.velocity));
            for hz in [50.0, 10.0] {
                let (mut state, mut most_j) = (start, 0.0_f64);
                for step in 0..(10.0 * hz) as u32 {
                    let moved = vehicle.step(&mut state, &water, &STILL, (f64::from(step) / hz, 1.0 / hz));
                    moved.unwrap_or_else(|why| panic!("{name} {velocity:?} at {hz} Hz, step {step}: {why}"));
                    most_j = most_j.max(energy_j(&state));
                }
                let (first_j, last_j) = (energy_j(&start), energy_j(&state));
                assert!(
                    floats || most_j < first_j + gain_j,
                    "{name} {velocity:?} at {hz} Hz: {first_j} J, up to {most_j} J"
                );
                assert!(last_j < first_j.max(gain_j), "{name} {velocity:?} at {hz} Hz: {first_j} J, {last_j} J");
            }
        }
    }
}

/// SAM's published roll damping answers a start without any roll: sway couples into it within the first step.
#[test]
fn roll_damping_that_a_step_wakes_up_is_resolved() {
    let (vehicle, water) = (vehicle("sam_kth"), Water::deep(1026.0));
    for sway in [-3.0, -4.0, -5.0, -50.0] {
        let start = moving(&vehicle, [0.0, sway, 0.0, 0.0, 0.0, 0.0]);
        for (hz, steps, fine_steps) in [(50.0, 1, 200), (50.0, 25, 5000), (10.0, 5, 5000)] {
            let coarse = run_loaded(&vehicle, &water, start, &STILL, (1.0 / hz, steps)).body.velocity;
            let fine = run_loaded(&vehicle, &water, start, &STILL, (1e-4, fine_steps)).body.velocity;
            // Parts of 0.5 / rate leave about 0.5^5/120 of what damping changes in one: 3e-4 of some m/s and rad/s.
            assert!(largest(coarse - fine) < 1e-3, "{sway} m/s at {hz} Hz, {steps}: {coarse:?} {fine:?}");
        }
    }
}

/// In the air nothing damps: a coarse step agrees with a fine one.
#[test]
fn a_vehicle_of_the_air_tumbles_as_by_a_fine_step() {
    let (vehicle, water) = (vehicle("quadrotor"), Water::flat(1025.0));
    for velocity in extremes() {
        let start = moving(&vehicle, velocity);
        let coarse = run_loaded(&vehicle, &water, start, &STILL, (0.02, 10)).body.velocity;
        let fine = run_loaded(&vehicle, &water, start, &STILL, (1e-4, 2000)).body.velocity;
        // Parts turn by 0.3 rad or less: each leaves 0.3^5/120 of 87 m/s, twenty of them 0.035 m/s.
        assert!(largest(coarse - fine) < 0.035, "{velocity:?}: {}", largest(coarse - fine));
    }
}

/// Damping that no speed makes slower, of 1e5 N m s in roll: a step is told by its product and fails, and is no number that looks right.
#[test]
fn damping_beyond_the_parts_of_a_step_is_told() {
    let with_roll_damping = |damping: f64| {
        let mut params = rigid("custom");
        params.body.damping.linear = Matrix6::Diagonal([10.0, 20.0, 25.0, damping, 4.0, 4.0]);
        Vehicle::from_rigid(&params).unwrap()
    };
    let (water, step) = (Water::deep(1000.0), (0.0, 0.1));
    let vehicle = with_roll_damping(1e5);
    let start = moving(&vehicle, [0.0, 0.0, 0.0, 500.0_f64.to_radians(), 0.0, 0.0]);
    let stiffness = vehicle.stiffness(&start, &water, step).unwrap();
    // Roll couples with sway by the centre of gravity, 0.02 m below, and by added mass: 0.6 - 0.5 = 0.1 kg m.
    let inertia = 0.9 + 30.0 * 0.02 * 0.02 + 0.5 - 0.1 * 0.1 / 55.0;
    let expected = 0.1 * (1e5 + 2.0 * 500.0_f64.to_radians()) / inertia;
    assert!((stiffness.lambda_dt / expected - 1.0).abs() < 1e-9, "{stiffness:?} {expected}");
    assert!(!stiffness.is_resolved);
    assert!(vehicle.step(&mut start.clone(), &water, &STILL, step).is_err());
    // A thousand parts of 0.5 reach 500; quadratic damping that is faster at the start slows down within the step.
    assert!(with_roll_damping(6000.0).stiffness(&start, &water, step).unwrap().is_resolved);
    let kth = crate::support::vehicle("sam_kth");
    let spinning = moving(&kth, [0.0, 0.0, 0.0, 1000.0_f64.to_radians(), 0.0, 0.0]);
    let stiffness = kth.stiffness(&spinning, &water, step).unwrap();
    assert!(stiffness.lambda_dt > 500.0 && stiffness.is_resolved, "{stiffness:?}");
    assert_eq!(crate::support::vehicle("station").stiffness(&start, &water, step), None);
}
