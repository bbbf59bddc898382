//! What the tests share: vehicles from their files, simple waters, and the frames of published tables.

use glam::DVec3;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyState, Loads};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{MotionParams, RigidParams, Vehicle, VehicleParams, VehicleState};
use sea_sim::{Medium, WaterSample};

/// Names of all vehicles that come along.
pub const NAMES: [&str; 12] = [
    "bluerov2",
    "buoy",
    "custom",
    "evolo",
    "lolo",
    "otter",
    "quadrotor",
    "remus100",
    "sam",
    "sam_kth",
    "station",
    "torpedo",
];

/// Text of a vehicle's file.
pub fn file(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../vehicles/{name}.json", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Content of a vehicle's file.
pub fn params(name: &str) -> VehicleParams {
    serde_json::from_str(&file(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// The rigid body and the actuators of a vehicle's file.
pub fn rigid(name: &str) -> RigidParams {
    match params(name).motion {
        MotionParams::Rigid(rigid) => rigid,
        MotionParams::Torpedo(torpedo) => torpedo.to_rigid().unwrap(),
        MotionParams::Hydrofoil(_) | MotionParams::Fixed => panic!("{name} is no rigid body"),
    }
}

pub fn vehicle(name: &str) -> Vehicle {
    Vehicle::new(&params(name)).unwrap()
}

/// Water with a uniform current whose surface is at a height.
#[derive(Clone, Copy)]
pub struct Water {
    pub surface_z_m: f64,
    pub density_kg_m3: f64,
    pub current_m_s: DVec3,
}

impl Water {
    /// Water far above a body at the origin.
    pub fn deep(density_kg_m3: f64) -> Self {
        Self { surface_z_m: 1000.0, density_kg_m3, current_m_s: DVec3::ZERO }
    }

    /// Water whose surface is at height 0.
    pub fn flat(density_kg_m3: f64) -> Self {
        Self { surface_z_m: 0.0, ..Self::deep(density_kg_m3) }
    }
}

impl Medium for Water {
    fn at(&self, position_m: DVec3, _: f64) -> WaterSample {
        WaterSample {
            surface_m: self.surface_z_m - position_m.z,
            velocity_m_s: self.current_m_s,
            acceleration_m_s2: DVec3::ZERO,
            dynamic_pressure_pa: 0.0,
            density_kg_m3: self.density_kg_m3,
        }
    }
}

/// A state as Fossen's tables have it: north, east, down; forward, right, down; degrees.
pub struct Fossen {
    pub position_m: [f64; 3],
    pub angles_deg: [f64; 3],
    pub speed_m_s: [f64; 3],
    pub rates_rad_s: [f64; 3],
}

/// The published form of a state of a body that started towards east: that is the tables' first axis, south their
/// second.
///
/// East and not north, because the attitude of such a body is exact, and so is the symmetry of a straight run:
/// directional instability of a surface craft would blow up the rounding of a quaternion of 90 degrees within a
/// minute.
pub fn fossen(state: &BodyState) -> Fossen {
    let angles = RollPitchYaw::from_quat(state.attitude);
    let (p, v) = (state.position_m, state.velocity);
    Fossen {
        position_m: [p.x, -p.y, -p.z],
        angles_deg: [angles.roll_rad.to_degrees(), -angles.pitch_rad.to_degrees(), -angles.yaw_rad.to_degrees()],
        speed_m_s: [v.linear.x, -v.linear.y, -v.linear.z],
        rates_rad_s: [v.angular.x, -v.angular.y, -v.angular.z],
    }
}

/// A vector of a published table in the body's own axes: forward, left, up.
pub fn flu(frd: [f64; 3]) -> DVec3 {
    DVec3::new(frd[0], -frd[1], -frd[2])
}

/// Runs a vehicle with commands held from the start, and hands the state over after each of the given times.
pub fn run(
    vehicle: &Vehicle,
    medium: &impl Medium,
    start: BodyState,
    commands: &[(&str, f64)],
    (step_s, times_s): (f64, &[f64]),
    mut seen: impl FnMut(f64, &VehicleState),
) {
    let mut state = vehicle.start(start);
    let mut step = 0_u64;
    for &time_s in times_s {
        while (step as f64) * step_s < time_s - 0.5 * step_s {
            for (name, value) in commands {
                vehicle.command(&mut state, vehicle.actuator(name).unwrap(), *value);
            }
            vehicle.step(&mut state, medium, &Loads::default(), (step as f64 * step_s, step_s)).unwrap();
            step += 1;
        }
        seen(time_s, &state);
    }
}

/// Steps a vehicle with constant loads and no commands.
pub fn run_loaded(
    vehicle: &Vehicle,
    medium: &impl Medium,
    mut state: VehicleState,
    loads: &Loads,
    (step_s, steps): (f64, u64),
) -> VehicleState {
    for step in 0..steps {
        vehicle.step(&mut state, medium, loads, (step as f64 * step_s, step_s)).unwrap();
    }
    state
}

/// Loads of one wrench in body axes.
pub fn body_load(wrench: [f64; 6]) -> Loads {
    Loads { body: Vec6::from_array(wrench), ..Loads::default() }
}

/// Checks a number against one printed with so many decimals.
pub fn assert_printed(what: &str, value: f64, printed: f64, decimals: i32) {
    let half = 0.5 * (0..decimals).fold(1.0, |unit, _| unit * 0.1);
    assert!(
        (value - printed).abs() <= half * 1.000_001 + 1e-12,
        "{what}: {value} is not {printed} to {decimals} decimals"
    );
}
