//! REMUS 100 and Otter against the continuous solution of Fossen's published simulators (DOP853, relative tolerance
//! 1e-10), and the order of the method.

use crate::support::{Water, assert_printed, fossen, run, vehicle};
use glam::DVec3;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyState, BuoyancyParams, Loads};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{Vehicle, VehicleState};
use std::f64::consts::PI;

const DEG: f64 = PI / 180.0;
const REMUS_WATER: f64 = 1026.0;
const OTTER_WATER: f64 = 1025.0;

/// A row: time, place, angles, speeds, rates in degrees a second.
type Row = (f64, [f64; 3], [f64; 3], [f64; 3], [f64; 3]);

/// Compares with rows printed with so many decimals; two speeds of each table's last row have one more and are as good.
fn assert_rows(name: &str, density: f64, commands: &[(&str, f64)], rows: &[Row], decimals: i32) {
    let vehicle = vehicle(name);
    let times: Vec<f64> = rows.iter().map(|row| row.0).collect();
    let water = if name == "otter" { Water::flat(density) } else { Water::deep(density) };
    let mut rows = rows.iter();
    run(&vehicle, &water, BodyState::default(), commands, (0.02, &times), |time, state| {
        let (_, place, angles, speeds, rates) = rows.next().unwrap();
        let found = fossen(&state.body);
        for i in 0..3 {
            let at = |what: &str| format!("{name} {commands:?} at {time} s, {what} {i}");
            let turned = found.angles_deg[i] + 360.0 * ((angles[i] - found.angles_deg[i]) / 360.0).round();
            assert_printed(&at("place"), found.position_m[i], place[i], decimals);
            assert_printed(&at("angle"), turned, angles[i], decimals);
            assert_printed(&at("speed"), found.speed_m_s[i], speeds[i], decimals);
            assert_printed(&at("rate"), found.rates_rad_s[i] / DEG, rates[i], decimals);
        }
    });
}

#[test]
fn remus_runs_straight_as_published() {
    let rows: [Row; 4] = [
        (
            1.0,
            [0.14396, 0.00013, 0.00046],
            [0.74868, -0.49596, -0.00249],
            [0.48016, 0.00014, -0.00119],
            [0.83077, -1.47332, 0.00718],
        ),
        (
            5.0,
            [7.88929, -0.00503, 0.41647],
            [1.01930, -2.35361, -0.01747],
            [2.51072, -0.00026, 0.01543],
            [-0.00073, 1.29880, 0.00044],
        ),
        (
            20.0,
            [46.15011, 0.00455, 0.58673],
            [1.01878, -0.00001, 0.02483],
            [2.55365, -0.00026, 0.0],
            [0.0, 0.00003, 0.0],
        ),
        (100.0, [250.44174, 0.07278, 0.58637], [1.01878, 0.0, 0.02483], [2.553646, -0.00025, 0.0], [0.0, 0.0, 0.0]),
    ];
    assert_rows("remus100", REMUS_WATER, &[("propeller", 1525.0)], &rows, 5);
}

#[test]
fn remus_turns_as_published() {
    let rows: [Row; 3] = [
        (
            5.0,
            [4.55307, 0.06959, 0.14176],
            [0.68361, -1.81123, 5.38228],
            [1.60167, -0.07744, 0.00439],
            [0.14427, 0.73512, 2.45746],
        ),
        (
            20.0,
            [28.03688, 7.58623, 0.26076],
            [0.79487, -0.07614, 37.35217],
            [1.66450, -0.11627, 0.00043],
            [0.00278, 0.02906, 2.09244],
        ),
        (
            100.0,
            [-13.28163, 88.46108, 0.34293],
            [0.79487, -0.07612, 204.76336],
            [1.664502, -0.116268, 0.000429],
            [0.00278, 0.02903, 2.092437],
        ),
    ];
    assert_rows("remus100", REMUS_WATER, &[("propeller", 1000.0), ("rudder", 5.0 * DEG)], &rows, 5);
}

#[test]
fn remus_rises_as_published() {
    let rows: [Row; 3] = [
        (
            5.0,
            [7.86857, 0.00671, -0.23818],
            [1.04492, 11.95959, 0.24365],
            [2.50104, -0.0003, 0.11363],
            [-0.00084, 5.49854, 0.00092],
        ),
        (
            10.0,
            [19.98427, 0.07795, -3.98924],
            [1.09283, 20.91024, 0.41864],
            [2.54917, -0.00032, 0.0327],
            [0.0, 0.05155, 0.00001],
        ),
        (
            60.0,
            [139.6202, 0.9064, -48.01321],
            [1.09246, 20.85669, 0.41755],
            [2.54947, -0.00031, 0.02925],
            [0.0, 0.0, 0.0],
        ),
    ];
    assert_rows("remus100", REMUS_WATER, &[("propeller", 1525.0), ("stern", -5.0 * DEG)], &rows, 5);
}

#[test]
fn otter_runs_straight_as_published() {
    let rows: [Row; 3] = [
        (1.0, [0.750335, 0.0, 0.036923], [0.0, -0.869562, 0.0], [1.555780, 0.0, -0.024132], [0.0, 0.305743, 0.0]),
        (5.0, [11.058041, 0.0, 0.049165], [0.0, -2.190845, 0.0], [2.933284, 0.0, -0.111679], [0.0, -0.055538, 0.0]),
        (60.0, [175.135207, 0.0, 0.049819], [0.0, -2.258444, 0.0], [2.981965, 0.0, -0.117602], [0.0, 0.0, 0.0]),
    ];
    assert_rows("otter", OTTER_WATER, &[("left", 100.0), ("right", 100.0)], &rows, 6);
}

#[test]
fn otter_turns_as_published() {
    let rows: [Row; 3] = [
        (
            1.0,
            [0.618124, -0.014832, 0.037167],
            [0.151302, -0.976578, -4.704623],
            [1.284638, 0.035506, -0.024584],
            [-0.092067, 0.464695, -8.043362],
        ),
        (
            5.0,
            [8.023426, -3.386132, 0.045472],
            [0.759294, -1.894403, -54.072439],
            [2.321688, 0.226527, -0.079641],
            [-0.456005, -0.213028, -14.810619],
        ),
        (
            60.0,
            [4.418757, -17.673628, 0.045568],
            [0.790809, -1.904333, -886.120764],
            [2.327543, 0.238051, -0.080682],
            [-0.502872, -0.208743, -15.122925],
        ),
    ];
    assert_rows("otter", OTTER_WATER, &[("left", 80.0), ("right", 100.0)], &rows, 6);
}

/// Largest differences of place (m), attitude (deg) and velocity over a run, sampled every four seconds.
struct Differences {
    place_m: f64,
    attitude_deg: f64,
    velocity: f64,
}

fn samples(name: &str, commands: &[(&str, f64)], water: &Water, step_s: f64) -> Vec<VehicleState> {
    let times: Vec<f64> = (1..=15).map(|k| 4.0 * f64::from(k)).collect();
    let mut states = Vec::new();
    // It begins at rest in the water.
    let start = BodyState { velocity: Vec6::new(water.current_m_s, DVec3::ZERO), ..BodyState::default() };
    run(&vehicle(name), water, start, commands, (step_s, &times), |_, state| states.push(*state));
    states
}

fn differences(found: &[VehicleState], reference: &[VehicleState]) -> Differences {
    let mut most = Differences { place_m: 0.0, attitude_deg: 0.0, velocity: 0.0 };
    for (one, other) in found.iter().zip(reference) {
        let (a, b): (&BodyState, &BodyState) = (&one.body, &other.body);
        // For small angles twice the vector part of the relative rotation; no arc cosine, which is blind there.
        let between = a.attitude.conjugate() * b.attitude;
        let angle = 2.0 * DVec3::new(between.x, between.y, between.z).length();
        let velocity = a.velocity - b.velocity;
        most.place_m = most.place_m.max((a.position_m - b.position_m).length());
        most.attitude_deg = most.attitude_deg.max(angle / DEG);
        most.velocity = most.velocity.max(velocity.to_array().into_iter().fold(0.0, |m, x| m.max(x.abs())));
    }
    most
}

/// A vehicle, its commands and its water.
type Manoeuvre = (&'static str, Vec<(&'static str, f64)>, Water);

/// Manoeuvres whose errors are measured: the five of the tables.
fn manoeuvres() -> [Manoeuvre; 5] {
    let (deep, flat) = (Water::deep(REMUS_WATER), Water::flat(OTTER_WATER));
    [
        ("remus100", vec![("propeller", 1525.0)], deep),
        ("remus100", vec![("propeller", 1000.0), ("rudder", 5.0 * DEG)], deep),
        ("remus100", vec![("propeller", 1525.0), ("stern", -5.0 * DEG)], deep),
        ("otter", vec![("left", 100.0), ("right", 100.0)], flat),
        ("otter", vec![("left", 80.0), ("right", 100.0)], flat),
    ]
}

/// Against our own runs at 0.5 ms, at the usual step and at half of it, at rest and in a current.
#[test]
fn steps_of_20_and_10_ms_agree_with_half_a_millisecond() {
    for (name, commands, still) in manoeuvres() {
        for current_m_s in [DVec3::ZERO, DVec3::new(0.3, -0.4, 0.0)] {
            let water = Water { current_m_s, ..still };
            let reference = samples(name, &commands, &water, 0.0005);
            for step_s in [0.02, 0.01] {
                let most = differences(&samples(name, &commands, &water, step_s), &reference);
                let text = format!("{name} {commands:?} in {current_m_s} at {step_s} s");
                assert!(most.place_m < 1e-6, "{text}: {} m", most.place_m);
                assert!(most.attitude_deg < 1e-6, "{text}: {} deg", most.attitude_deg);
                assert!(most.velocity < 1e-7, "{text}: {}", most.velocity);
            }
        }
    }
}

/// Halving the step divides the error by sixteen, with steps that are not cut: those of REMUS.
#[test]
fn the_method_is_of_fourth_order() {
    for (name, commands, water) in manoeuvres().into_iter().take(3) {
        let coarse_s = 0.1;
        let reference = samples(name, &commands, &water, coarse_s / 20.0);
        let error = |step_s: f64| differences(&samples(name, &commands, &water, step_s), &reference).place_m;
        let (coarse, fine) = (error(coarse_s), error(0.5 * coarse_s));
        let order = libm::log2(coarse / fine);
        assert!((3.8..4.2).contains(&order), "{name} {commands:?}: order {order} from {coarse:e} and {fine:e} m");
    }
}

/// In a current the propeller's inflow counts the speed over ground, everything else the speed through the water: a
/// body that drifts with the current has thrust reduced by `0.944 U` although no water passes it.
#[test]
fn the_inflow_of_the_propeller_counts_speed_over_ground() {
    let vehicle = vehicle("remus100");
    let current_m_s = DVec3::X;
    let water = Water { current_m_s, ..Water::deep(REMUS_WATER) };
    let mut state = vehicle.start(BodyState::default());
    state.body.velocity.linear = DVec3::X;
    state.actuators[vehicle.actuator("propeller").unwrap()] = 1525.0;
    let rates = vehicle.rates(&state, &water, &Default::default(), 0.0).unwrap();
    let (n, d) = (1525.0 / 60.0, 0.14);
    let thrust = 1026.0 * d * d * d * d * (0.4566 * n * n - (0.4566 - 0.1798) / 0.6632 * (0.944 / d) * n);
    // Nothing else acts along the axis of a level body that rests in the water; r_G couples surge with pitch.
    let mass = vehicle.mass(&state).unwrap().inertia().plus(vehicle.body().unwrap().added_mass(), 1.0);
    let force = mass.momentum(rates.acceleration).linear.x;
    assert!((force - 0.9 * thrust).abs() < 1e-9, "{force} is not {}", 0.9 * thrust);
}

/// Without a command Otter creeps ahead, as published: the payload's weight acts along the world's down and has a part
/// along the trimmed hull, the stiffness that bears it acts along the body's axes and has none. Heave and pitch balance at
/// 0.02602 rad, nose down: `[7541.4375, 1508.2875; 1508.2875, 2743.3705 - 0.35 W] [z, pitch] = W [-1, 0.05]`, W = 245.25 N;
/// surge damping of 77.554 N s/m balances W sin(pitch) at 0.0823 m/s. The Munk moment of that speed and the drag of heave
/// change both by less than 4 %.
#[test]
fn otter_creeps_ahead_by_its_payload_as_published() {
    let resting = |payload_kg: f64| {
        let mut params = crate::support::rigid("otter");
        let BuoyancyParams::Waterline(line) = &mut params.body.buoyancy else { panic!("a hull that floats") };
        line.payload_kg = payload_kg;
        let vehicle = Vehicle::from_rigid(&params).unwrap();
        let start = vehicle.start(BodyState::default());
        crate::support::run_loaded(&vehicle, &Water::flat(OTTER_WATER), start, &Loads::default(), (0.02, 5000)).body
    };
    let crept = resting(25.0);
    let pitch_rad = RollPitchYaw::from_quat(crept.attitude).pitch_rad;
    assert!((pitch_rad / 0.026_02 - 1.0).abs() < 0.04, "{pitch_rad}");
    let expected_m_s = 245.25 * libm::sin(pitch_rad) / 77.554_432;
    assert!((crept.velocity.linear.x / expected_m_s - 1.0).abs() < 0.04, "{} {expected_m_s}", crept.velocity.linear);
    assert_eq!(resting(0.0), BodyState::default());
}
