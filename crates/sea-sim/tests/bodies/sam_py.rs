//! The published Python model of SAM, exactly as printed, defects included: it proves solver, Coriolis form and
//! method on a second system.
//!
//! smarc_modelling, `vehicles/SAM.py` of October 2025: north, east, down; forward, right, down; explicit RK4 at 10
//! ms. Its defects (thrusters at the bow, exchanged axes of their moment, centre of gravity outside of the hull,
//! stroke of the battery, no coupling of mass and centre of gravity, doubled roll inertia, smoothed absolute values)
//! are on the page `docs/models/sam.md`.

use crate::support::assert_printed;
use glam::{DMat3, DQuat, DVec3};
use sea_sim::rk4::{self, Integrand};
use sea_sim::spatial::{Cholesky6, Inertia6, Vec6, coriolis_wrench, skew};
use sea_sim::vehicle::lamb_factors;
use std::f64::consts::PI;

const STEP_S: f64 = 0.01;
const DENSITY: f64 = 1026.0;
const GRAVITY: f64 = 9.81;
const DEG: f64 = PI / 180.0;
/// Frame of the measured places in the body frame; its third number has the wrong sign.
const OFFSET_M: DVec3 = DVec3::new(-0.75, 0.0, 0.06);
const HULL_KG: f64 = 14.9;
const BATTERY_KG: f64 = 2.6;
const BATTERY_M: f64 = 0.223;
const STROKE_M: f64 = 0.045;
const MENDED_STROKE_M: f64 = 0.06;
const PISTON_M: f64 = 0.0425;
const QUADRATIC: [f64; 6] = [3.0, 50.0, 50.0, 40.0, 200.0, 10.0];

/// Position, quaternion, velocity and the six actuators.
#[derive(Clone, Copy)]
pub struct State {
    pub position: DVec3,
    pub attitude: DQuat,
    pub velocity: Vec6,
    actuators: [f64; 6],
}

/// Defects of the original that are mended; none as printed.
#[derive(Clone, Copy, Default)]
pub struct Mended {
    pub place: bool,
    pub axes: bool,
    pub side: bool,
    pub stroke: bool,
    pub coupling: bool,
    pub roll: bool,
    pub absolute: bool,
}

impl Mended {
    fn offset_m(self) -> DVec3 {
        if self.side { OFFSET_M.with_z(-OFFSET_M.z) } else { OFFSET_M }
    }

    /// The size of a number, smoothed as printed.
    fn abs(self, x: f64) -> f64 {
        if self.absolute { x.abs() } else { (x * x + 1e-9).sqrt() }
    }

    /// Where the battery's middle is in the frame of the measured places, m.
    fn battery_m(self, percent: f64) -> f64 {
        let share = percent / 100.0;
        0.608
            + BATTERY_M / 2.0
            + if self.stroke { 0.5 * BATTERY_M + (share - 0.5) * MENDED_STROKE_M } else { share * BATTERY_M }
    }
}

impl Integrand for State {
    type Rates = Self;

    fn advanced(&self, rates: &Self, duration_s: f64) -> Self {
        Self {
            position: self.position + rates.position * duration_s,
            attitude: self.attitude + rates.attitude * duration_s,
            velocity: self.velocity + rates.velocity * duration_s,
            actuators: std::array::from_fn(|i| self.actuators[i] + rates.actuators[i] * duration_s),
        }
    }

    fn weighted_mean([a, b, c, d]: &[Self; 4]) -> Self {
        let sixth = 1.0 / 6.0;
        Self {
            position: (a.position + b.position * 2.0 + c.position * 2.0 + d.position) * sixth,
            attitude: (a.attitude + b.attitude * 2.0 + c.attitude * 2.0 + d.attitude) * sixth,
            velocity: (a.velocity + b.velocity * 2.0 + c.velocity * 2.0 + d.velocity) * sixth,
            actuators: std::array::from_fn(|i| {
                (a.actuators[i] + 2.0 * b.actuators[i] + 2.0 * c.actuators[i] + d.actuators[i]) * sixth
            }),
        }
    }
}

fn cylinder(mass: f64, radius: f64, length: f64) -> DMat3 {
    let across = mass * (3.0 * radius * radius + length * length) / 12.0;
    DMat3::from_diagonal(DVec3::new(0.5 * mass * radius * radius, across, across))
}

fn water_kg(percent: f64) -> f64 {
    DENSITY * PI * PISTON_M * PISTON_M * percent / 100.0 * STROKE_M
}

/// Total mass, centre of gravity and inertia, for the percentages of ballast and battery.
fn mass_properties(actuators: &[f64; 6], mended: Mended) -> (f64, DVec3, DMat3) {
    let stroke = actuators[0] / 100.0 * STROKE_M;
    let offset_m = mended.offset_m();
    let parts = [
        (HULL_KG, offset_m + DVec3::new(0.74, 0.0, 0.06), {
            let (a, b) = (0.75, 0.095);
            let across = 0.2 * HULL_KG * (a * a + b * b);
            DMat3::from_diagonal(DVec3::new(0.4 * HULL_KG * b * b, across, across))
        }),
        (
            water_kg(actuators[0]),
            offset_m + DVec3::new(0.404, 0.0, 0.0125),
            cylinder(water_kg(actuators[0]), PISTON_M, stroke),
        ),
        (
            BATTERY_KG,
            offset_m + DVec3::new(mended.battery_m(actuators[1]), 0.0, 0.130),
            cylinder(BATTERY_KG, 0.04, BATTERY_M),
        ),
    ];
    let mass: f64 = parts.iter().map(|part| part.0).sum();
    let center: DVec3 = parts.iter().map(|part| part.1 * (part.0 / mass)).sum();
    let mut inertia =
        parts.iter().fold(DMat3::ZERO, |sum, (m, place, own)| sum + *own - skew(*place) * skew(*place) * *m);
    if !mended.roll {
        inertia.x_axis.x *= 2.0;
    }
    (mass, center, inertia)
}

/// Force and moment of both propellers, moments with exchanged axes.
fn propulsion(state: &State, mended: Mended) -> Vec6 {
    let (stern, rudder) = (state.actuators[2], state.actuators[3]);
    let ((ss, cs), (sr, cr)) = (libm::sincos(stern), libm::sincos(rudder));
    let about_y = DMat3::from_cols(DVec3::new(cs, 0.0, ss), DVec3::Y, DVec3::new(-ss, 0.0, cs));
    let about_z = DMat3::from_cols(DVec3::new(cr, -sr, 0.0), DVec3::new(sr, cr, 0.0), DVec3::Z);
    let turn = about_z * about_y;
    let inflow = (turn * DVec3::X).dot(state.velocity.linear);
    let inflow = 0.944 * mended.abs(inflow);
    let (d, mut sum) = (0.14_f64, Vec6::ZERO);
    for (i, along) in [0.03, 0.04].into_iter().enumerate() {
        let n = state.actuators[4 + i] / 60.0;
        let forward = 0.5 * (1.0 + libm::tanh(100.0 * n));
        let gate = 0.5 * (1.0 + libm::tanh(8.0 * (n.abs() / (5.0 + 1e-9) - 1.0)));
        let advance = gate * (inflow / d) * mended.abs(n) / 0.6632;
        let thrust = DENSITY * d * d * d * d * (0.4566 * n * mended.abs(n) + (0.1798 - 0.4566) * advance);
        let torque = DENSITY * d * d * d * d * d * (0.0700 * n * mended.abs(n) + (0.0312 - 0.0700) * advance);
        let side = forward + (1.0 - forward) / 5.0;
        let force = turn * DVec3::new(thrust * side, 0.0, 0.0);
        let behind = turn * DVec3::new(along, 0.0, 0.0);
        let arm = if mended.place { DVec3::X * OFFSET_M.x - behind } else { behind - mended.offset_m() };
        let spin = if i == 0 { 1.0 } else { -1.0 };
        let moment = arm.cross(force) + DVec3::new(spin * torque * side, 0.0, 0.0);
        let exchanged = DVec3::new(moment.z, moment.y, moment.x);
        sum += Vec6::new(force, if mended.axes { moment } else { exchanged });
    }
    sum
}

fn rates(state: &State, commands: &[f64; 6], mended: Mended) -> State {
    let bounded = |values: &[f64; 6]| {
        let mut values = *values;
        values[0] = values[0].clamp(0.0, 100.0);
        values[1] = values[1].clamp(0.0, 100.0);
        values
    };
    let state = State { actuators: bounded(&state.actuators), ..*state };
    let (mass, center, inertia) = mass_properties(&state.actuators, mended);
    let [k1, k2, turning] = lamb_factors(1.5, 0.19);
    let coupling = if mended.coupling { -skew(center * mass) } else { DMat3::ZERO };
    let own = Inertia6 { linear: DMat3::from_diagonal(DVec3::splat(mass)), coupling, angular: inertia };
    let pitch = turning * inertia.y_axis.y;
    let added = Inertia6 {
        linear: DMat3::from_diagonal(DVec3::new(mass * k1, mass * k2, mass * k2)),
        coupling: DMat3::ZERO,
        angular: DMat3::from_diagonal(DVec3::new(0.3 * inertia.x_axis.x, pitch, pitch)),
    };
    let total = own.plus(&added, 1.0);
    let rotation = DMat3::from_quat(state.attitude.normalize());
    let down = rotation.transpose() * DVec3::Z;
    // Buoyancy is the weight at the start, with both percentages at 50.
    let buoyancy = (HULL_KG + water_kg(50.0) + BATTERY_KG) * GRAVITY;
    let weight = mass * GRAVITY;
    let velocity = state.velocity.to_array();
    let damping = Vec6::from_array(std::array::from_fn(|i| QUADRATIC[i] * mended.abs(velocity[i]) * velocity[i]));
    let restoring = Vec6::new(down * (weight - buoyancy), center.cross(down * weight));
    let coriolis = coriolis_wrench(state.velocity, total.momentum(state.velocity));
    let wrench = propulsion(&state, mended) + coriolis + restoring - damping;
    let limits = [7.0, 15.0];
    let spin = DQuat::from_xyzw(velocity[3], velocity[4], velocity[5], 0.0);
    State {
        position: rotation * state.velocity.linear,
        attitude: state.attitude.normalize() * spin * 0.5,
        velocity: Cholesky6::new(&total).unwrap().solve(wrench),
        actuators: std::array::from_fn(|i| {
            let rate = (bounded(commands)[i] - state.actuators[i]) / STEP_S;
            limits.get(i).map_or(rate, |limit| rate.clamp(-limit, *limit))
        }),
    }
}

/// From rest, after a time with commands: percent of ballast and battery, rad of stern and rudder, rpm.
pub fn after(commands: [f64; 6], seconds: f64, mended: Mended) -> State {
    let mut state = State {
        position: DVec3::ZERO,
        attitude: DQuat::IDENTITY,
        velocity: Vec6::ZERO,
        actuators: [50.0, 50.0, 0.0, 0.0, 0.0, 0.0],
    };
    for _ in 0..(seconds / STEP_S).round() as u64 {
        let first = rates(&state, &commands, mended);
        state = rk4::step(&state, first, STEP_S, |state, _| rates(state, &commands, mended));
    }
    state
}

/// Roll, pitch and yaw of the published frames, deg.
pub fn angles_deg(attitude: DQuat) -> [f64; 3] {
    let r = DMat3::from_quat(attitude.normalize());
    let roll = libm::atan2(r.y_axis.z, r.z_axis.z);
    let (pitch, yaw) = (libm::asin(-r.x_axis.z), libm::atan2(r.x_axis.y, r.x_axis.x));
    [roll, pitch, yaw].map(|angle| angle / DEG)
}

/// Commands (percent, degrees, rpm), a time, and then place, angles, speeds and turn rates as the Python original gives them.
type Row = ([f64; 6], f64, [f64; 12]);

const ROWS: [Row; 7] = [
    (
        [50.0, 50.0, 0.0, 0.0, 1000.0, 1000.0],
        1.0,
        [1.427599, 0.0, 0.062421, 0.0, -5.99776, 0.0, 2.111361, 0.0, -0.077650, 0.0, -0.093147, 0.0],
    ),
    (
        [50.0, 50.0, 0.0, 0.0, 1000.0, 1000.0],
        5.0,
        [10.199921, 0.0, 2.105582, 0.0, -29.12262, 0.0, 2.273152, 0.0, -0.247746, 0.0, -0.005419, 0.0],
    ),
    (
        [50.0, 50.0, 0.0, 7.0, 1000.0, 1000.0],
        1.0,
        [
            1.417350, -0.060233, 0.064255, -8.16456, -4.68051, 10.35611, 2.050156, -0.309431, -0.083135, 0.162288,
            -0.103869, 0.675850,
        ],
    ),
    (
        [50.0, 50.0, 0.0, 7.0, 1000.0, 1000.0],
        5.0,
        [
            1.181699, 1.125030, -0.352393, -10.68435, 3.73280, -41.68717, 1.314693, -0.854564, -0.390983, -0.090166,
            -0.254952, 1.329591,
        ],
    ),
    (
        [50.0, 50.0, 7.0, 0.0, 1000.0, 1000.0],
        3.0,
        [5.868780, 0.0, 0.576731, 0.0, 11.39894, 0.0, 2.218257, 0.0, 0.376698, 0.0, 0.178951, 0.0],
    ),
    (
        [100.0, 100.0, 0.0, 0.0, 0.0, 0.0],
        5.0,
        [0.011283, 0.0, 0.105640, 0.0, -6.78455, 0.0, 0.014568, 0.0, 0.059458, 0.0, 0.018473, 0.0],
    ),
    (
        [50.0, 50.0, 0.0, 0.0, -500.0, -400.0],
        3.0,
        [
            -1.138024, 0.011112, 0.007809, -0.00305, 0.52410, -1.97686, -0.784190, -0.010073, -0.000898, 0.000205,
            0.005568, -0.035695,
        ],
    ),
];

#[test]
fn sam_py_moves_as_printed() {
    for (mut commands, time, printed) in ROWS {
        commands[2] *= DEG;
        commands[3] *= DEG;
        let state = after(commands, time, Mended::default());
        let (place, velocity) = (state.position.to_array(), state.velocity.to_array());
        let found = place.into_iter().chain(angles_deg(state.attitude)).chain(velocity);
        for (number, (found, printed)) in found.zip(printed).enumerate() {
            let decimals = if (3..6).contains(&number) { 5 } else { 6 };
            assert_printed(&format!("{commands:?} at {time} s, number {number}"), found, printed, decimals);
        }
    }
}
