//! Laws that no set of coefficients may break.

use crate::support::{NAMES, Water, body_load, rigid, run, run_loaded, vehicle};
use glam::{DMat3, DVec3};
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyParams, BodyState, BuoyancyParams, DampingParams, Loads, Matrix6, SubmergedParams};
use sea_sim::current::{Currents, Flow};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{RigidParams, Vehicle, VehicleState};
use sea_sim::water::{SeaWater, SurfaceShape, Wave, Waves};
use sea_sim::{Medium, Sea, WaterSample};
use sim_core::RunKey;
use std::f64::consts::PI;
use test_alloc::allocations_of;

const STILL: Loads = Loads { world: Vec6::ZERO, body: Vec6::ZERO };

/// The vehicle of `custom.json`, neutral in water of 1000 kg/m³, with changes.
fn custom(change: impl FnOnce(&mut BodyParams)) -> Vehicle {
    let mut params = RigidParams { actuators: Vec::new(), ..rigid("custom") };
    change(&mut params.body);
    Vehicle::from_rigid(&params).unwrap()
}

fn undamped(body: &mut BodyParams) {
    body.damping = DampingParams::default();
    body.center_of_gravity_m = [0.0; 3];
}

fn tilted() -> BodyState {
    let attitude = RollPitchYaw { roll_rad: 0.4, pitch_rad: -0.7, yaw_rad: 2.0 }.to_quat();
    BodyState { position_m: DVec3::new(3.0, -4.0, -20.0), attitude, velocity: Vec6::ZERO }
}

/// Momentum of body and entrained water in the world, and its moment about the world's origin.
fn momentum(vehicle: &Vehicle, state: &VehicleState) -> [DVec3; 2] {
    let inertia = vehicle.mass(state).unwrap().inertia().plus(vehicle.body().unwrap().added_mass(), 1.0);
    let own = inertia.momentum(state.body.velocity);
    let (linear, angular) = (state.body.attitude * own.linear, state.body.attitude * own.angular);
    [linear, angular + state.body.position_m.cross(linear)]
}

#[test]
fn a_body_keeps_the_velocity_of_a_uniform_current() {
    for (name, density) in [("remus100", 1026.0), ("custom", 1000.0)] {
        let vehicle = vehicle(name);
        let current_m_s = DVec3::new(0.4, -0.3, 0.0);
        let water = Water { current_m_s, ..Water::deep(density) };
        for yaw_rad in [0.0, 0.7, -2.5] {
            let attitude = RollPitchYaw { yaw_rad, ..RollPitchYaw::default() }.to_quat();
            let velocity = Vec6::new(attitude.conjugate() * current_m_s, DVec3::ZERO);
            let start = vehicle.start(BodyState { attitude, velocity, ..BodyState::default() });
            let after = run_loaded(&vehicle, &water, start, &STILL, (0.02, 30_000));
            let change = after.body.world_velocity_m_s() - current_m_s;
            assert!(change.length() < 1e-12, "{name} at {yaw_rad}: {change}");
        }
    }
}

#[test]
fn energy_of_an_undamped_neutral_body_is_kept() {
    let vehicle = custom(undamped);
    let mut start = vehicle.start(tilted());
    start.body.velocity = Vec6::from_array([0.3, -0.2, 0.1, 0.1, -0.1, 0.15]);
    let inertia = vehicle.mass(&start).unwrap().inertia().plus(vehicle.body().unwrap().added_mass(), 1.0);
    let energy = |state: &VehicleState| 0.5 * state.body.velocity.dot(inertia.momentum(state.body.velocity));
    let after = run_loaded(&vehicle, &Water::deep(1000.0), start, &STILL, (0.02, 30_000));
    assert!((after.body.velocity - start.body.velocity).linear.length() > 0.1, "it tumbles");
    assert!((energy(&after) / energy(&start) - 1.0).abs() < 1e-8, "{} J, {} J", energy(&start), energy(&after));
}

#[test]
fn momentum_of_body_and_entrained_water_is_kept() {
    let vehicle = custom(undamped);
    let mut start = vehicle.start(tilted());
    start.body.velocity = Vec6::from_array([0.5, -0.3, 0.2, 0.2, -0.15, 0.25]);
    let before = momentum(&vehicle, &start);
    let after = momentum(&vehicle, &run_loaded(&vehicle, &Water::deep(1000.0), start, &STILL, (0.02, 3000)));
    assert!((after[0] - before[0]).length() < 1e-8 * before[0].length(), "{before:?} {after:?}");
    assert!((after[1] - before[1]).length() < 1e-7 * before[1].length(), "{before:?} {after:?}");
}

#[test]
fn a_neutral_body_at_rest_keeps_every_bit() {
    let vehicle = custom(|body| body.center_of_gravity_m = [0.0; 3]);
    let start = vehicle.start(tilted());
    assert_eq!(run_loaded(&vehicle, &Water::deep(1000.0), start, &STILL, (0.02, 10_000)), start);
}

/// Damping of SAM's published model stops a spin within milliseconds: far stiffer than a step.
#[test]
fn a_stiff_spin_stays_finite_and_right() {
    let vehicle = vehicle("sam_kth");
    let mut start = vehicle.start(BodyState::default());
    start.body.velocity.angular.x = 5.0;
    let water = Water::deep(1026.0);
    let parts = |state| vehicle.stiffness(state, &water, (0.0, 0.02)).unwrap().parts();
    assert!(parts(&start)[0] > 100.0);
    assert!(parts(&vehicle.start(BodyState::default())).iter().all(|&parts| parts <= 1.0));
    let at =
        |step_s: f64, steps: u64| run_loaded(&vehicle, &water, start, &STILL, (step_s, steps)).body.velocity.angular.x;
    for (coarse, fine) in [(1, 200), (5, 1000), (50, 10_000), (100, 20_000)] {
        let (coarse, fine) = (at(0.02, coarse), at(0.0001, fine));
        assert!((coarse - fine).abs() < 1e-4, "{coarse} is not {fine}");
    }
}

/// The same command from four places and headings gives the same motion in body axes.
#[test]
fn motion_does_not_depend_on_place_and_heading() {
    for (name, density, z, seconds, commands) in [
        ("remus100", 1026.0, -50.0, 20.0, &[("propeller", 1200.0), ("rudder", 0.1), ("stern", -0.05)][..]),
        ("otter", 1025.0, 0.0, 20.0, &[("left", 70.0), ("right", 90.0)]),
        ("bluerov2", 1000.0, -50.0, 20.0, &[("front_left", 0.4), ("rear_right", -0.2), ("up_front_left", 0.3)]),
        (
            "sam",
            997.0,
            -50.0,
            20.0,
            &[("propeller_front", 600.0), ("nozzle_yaw", 0.05), ("nozzle_pitch", -0.03), ("vbs", 60.0), ("lcg", 30.0)],
        ),
        ("quadrotor", 1000.0, 50.0, 3.0, &[("front", 2200.0), ("right", 2100.0), ("back", 2150.0), ("left", 2120.0)]),
    ] {
        let vehicle = vehicle(name);
        let mut velocities = Vec::new();
        for (x, y, yaw_rad) in [(0.0, 0.0, 0.0), (100.0, -20.0, 1.0), (-7.0, 300.0, PI), (1.0, 1.0, -2.2)] {
            let attitude = RollPitchYaw { yaw_rad, ..RollPitchYaw::default() }.to_quat();
            let start = BodyState { position_m: DVec3::new(x, y, z), attitude, velocity: Vec6::ZERO };
            run(&vehicle, &Water::flat(density), start, commands, (0.02, &[seconds]), |_, state| {
                velocities.push(state.body.velocity)
            });
        }
        for other in &velocities[1..] {
            let most = (*other - velocities[0]).to_array().into_iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert!(most < 1e-9, "{name}: {most}");
        }
    }
}

/// Deep water of 1000 kg/m³ under a regular wave of 0.3 m along east, as worlds have it.
fn swell(period_s: f64) -> sea_sim::water::Water {
    let wave = Wave { amplitude_m: 0.3, period_s, direction_rad: 0.0, phase_rad: 0.0 };
    let waves = Waves::from_components(&[wave], f64::INFINITY).unwrap();
    let made_of = SeaWater { density_kg_m3: 1000.0, ..SeaWater::default() };
    sea_sim::water::Water::new(0.0, made_of, waves, SurfaceShape::Airy).unwrap()
}

/// How a vehicle meets the water during a step: read at each stage, or near its place at the middle of the step to first order.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Each,
    Nearby,
}

/// A step of 20 ms through a swell.
fn ride(vehicle: &Vehicle, state: &mut VehicleState, water: &sea_sim::water::Water, reading: Reading, step: u32) {
    let (currents, begin_s) = (Currents::new(Vec::new(), 0.02).unwrap(), f64::from(step) * 0.02);
    let flows = currents.start(RunKey { seed: 1, run_index: 0 });
    let sea = Sea { water, currents: &currents, state: &flows };
    let middle_m = state.body.position_m + state.body.world_velocity_m_s() * 0.01;
    match reading {
        Reading::Each => vehicle.step(state, &sea, &STILL, (begin_s, 0.02)),
        Reading::Nearby => vehicle.step(state, &sea.nearby(middle_m, begin_s + 0.01), &STILL, (begin_s, 0.02)),
    }
    .unwrap();
}

/// A stagnation flow (s x, -s y): what drifts in it moves by exponentials.
struct Stagnation(f64);

impl Medium for Stagnation {
    fn at(&self, p: DVec3, _: f64) -> WaterSample {
        let s = self.0;
        WaterSample {
            surface_m: 1000.0,
            velocity_m_s: DVec3::new(s * p.x, -s * p.y, 0.0),
            acceleration_m_s2: DVec3::new(s * s * p.x, s * s * p.y, 0.0),
            dynamic_pressure_pa: 0.0,
            density_kg_m3: 1000.0,
        }
    }
}

/// A neutral sphere of 0.1 m radius with the added mass of a sphere and no drag.
fn sphere() -> Vehicle {
    let volume_m3 = 4.0 / 3.0 * PI * 0.001;
    let mass_kg = 1000.0 * volume_m3;
    let inertia = 0.4 * mass_kg * 0.01;
    let rotor = DMat3::from_diagonal(DVec3::splat(inertia));
    let added = 0.5 * mass_kg;
    let body = BodyParams {
        mass_kg,
        inertia_kg_m2: [0, 1, 2].map(|i| rotor.col(i).to_array()),
        added_mass: Matrix6::Diagonal([added, added, added, 0.0, 0.0, 0.0]),
        buoyancy: BuoyancyParams::Submerged(SubmergedParams { volume_m3, center_m: [0.0; 3] }),
        ..BodyParams::default()
    };
    Vehicle::from_rigid(&RigidParams { body, actuators: Vec::new() }).unwrap()
}

/// Buoyancy of the pressure gradient and added mass together carry a small neutral body along with the water. Read nearby, the acceleration
/// is held for a step: it is off by `w s` of itself at either end, by next to nothing over the step.
#[test]
fn a_neutral_sphere_moves_with_the_orbit_of_the_water() {
    let (vehicle, water) = (sphere(), swell(5.0));
    let flow = |p: DVec3, time_s: f64| water.sample(p, time_s, &Flow::STILL).velocity_m_s;
    for (reading, most_m_s) in [(Reading::Each, 1e-6), (Reading::Nearby, 1e-4)] {
        let mut state = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, -3.0), ..BodyState::default() });
        state.body.velocity.linear = flow(state.body.position_m, 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for step in 0..1500_u32 {
            ride(&vehicle, &mut state, &water, reading, step);
            (low, high) = (low.min(state.body.position_m.z), high.max(state.body.position_m.z));
            let error = state.body.world_velocity_m_s() - flow(state.body.position_m, f64::from(step + 1) * 0.02);
            assert!(error.length() < most_m_s, "{reading:?}: it leaves the water by {error} at step {step}");
        }
        let k = (2.0 * PI / 5.0) * (2.0 * PI / 5.0) / 9.81;
        let radius = 0.3 * libm::exp(k * 0.5 * (low + high));
        assert!((0.5 * (high - low) / radius - 1.0).abs() < 0.02, "{reading:?}: {low} {high} {radius}");
    }
}

#[test]
fn a_drifting_body_does_not_lag_in_a_current_that_varies_in_space() {
    let (vehicle, flow) = (sphere(), Stagnation(0.1));
    let mut start = vehicle.start(BodyState { position_m: DVec3::new(1.0, 5.0, 0.0), ..BodyState::default() });
    start.body.velocity.linear = DVec3::new(0.1, -0.5, 0.0);
    let after = run_loaded(&vehicle, &flow, start, &STILL, (0.02, 1000));
    let expected = DVec3::new(libm::exp(2.0), 5.0 * libm::exp(-2.0), 0.0);
    assert!((after.body.position_m - expected).length() < 1e-7, "{}", after.body.position_m);
}

/// A buoy let go above its rest comes to rest, and stays: no chatter at the surface.
#[test]
fn a_buoy_comes_to_rest_at_the_surface() {
    let vehicle = vehicle("buoy");
    let start = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, 0.2), ..BodyState::default() });
    let rest = run_loaded(&vehicle, &Water::flat(1025.0), start, &STILL, (0.02, 3000));
    assert!(rest.body.velocity.linear.length() < 1e-6, "{:?}", rest.body.velocity);
    assert!(rest.body.position_m.z.abs() < 1e-3, "half under water: {}", rest.body.position_m.z);
}

/// In a wave much longer than itself a craft rises and falls with the surface, once a period: no chatter.
#[test]
fn surface_craft_ride_a_long_wave() {
    let water = swell(6.0);
    for (name, reading) in
        ["otter", "buoy"].into_iter().flat_map(|name| [(name, Reading::Each), (name, Reading::Nearby)])
    {
        let vehicle = vehicle(name);
        let mut state = vehicle.start(BodyState::default());
        let (mut heights, mut turns, mut rising) = (Vec::new(), 0, true);
        for step in 0..4500_u32 {
            ride(&vehicle, &mut state, &water, reading, step);
            let is_rising = state.body.world_velocity_m_s().z > 0.0;
            if step >= 1500 {
                heights.push(state.body.position_m.z);
                turns += u32::from(is_rising != rising);
            }
            rising = is_rising;
        }
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!((0.5 * (high - low) / 0.3 - 1.0).abs() < 0.1, "{name}, {reading:?}: {low} {high}");
        assert!((19..=21).contains(&turns), "{name}, {reading:?}: ten periods have twenty turns, {turns}");
    }
}

/// A blow sideways meets mass and added mass: a slender hull answers about half as fast as its mass alone would.
#[test]
fn an_impulse_meets_the_added_mass() {
    let vehicle = vehicle("remus100");
    let mut state = vehicle.start(BodyState::default());
    vehicle.push(&mut state, Vec6::new(DVec3::new(0.0, 10.0, 0.0), DVec3::ZERO), &Water::deep(1026.0), 0.0);
    let (mass, added, arm) = (31.029_384_975_8, 29.437_636_615_7, 0.02);
    // Sway couples with roll by the centre of gravity below the origin.
    let roll = 0.112_016_079_76 + mass * arm * arm + 0.033_604_823_9;
    let expected = 10.0 / (mass + added - mass * arm * mass * arm / roll);
    assert!((state.body.velocity.linear.y - expected).abs() < 1e-9, "{:?}", state.body.velocity);
}

/// After its start a run allocates nothing, whatever moves.
#[test]
fn a_step_allocates_nothing() {
    for name in NAMES {
        let vehicle = vehicle(name);
        let mut state = vehicle.start(BodyState::default());
        (0..vehicle.actuator_names().len()).for_each(|actuator| vehicle.command(&mut state, actuator, 1.0));
        let count = allocations_of(|| {
            for step in 0..50_u32 {
                vehicle
                    .step(&mut state, &Water::flat(1025.0), &body_load([1.0; 6]), (f64::from(step) * 0.02, 0.02))
                    .unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}
