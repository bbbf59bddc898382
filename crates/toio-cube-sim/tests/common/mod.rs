//! A cube on a mat for the motion sensor's tests: an independent model of its body, integrated in steps of 50 microseconds.
//!
//! Wheels follow their targets with a lag of 0.04 s (toio facts, section 2.3); friction of a given coefficient pulls the body centre
//! after them; anything else comes from outside as an acceleration by time. What the sensor gets is the mean over its own step, in the
//! axes at the end of the step, as a physics engine gives it.
#![allow(dead_code, reason = "each test file uses its part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use sim_core::{DVec2, DVec3, ops};
use std::f64::consts::PI;
use toio_cube_sim::attitude::Euler;
use toio_cube_sim::behaviour::PostureCones;
use toio_cube_sim::motion::{MotionInput, MotionReport, MotionSensor};

pub const GRAVITY: f64 = 9.806_65;
/// Speed of a wheel per command unit, m/s (toio facts, section 2.2).
pub const UNIT_M_S: f64 = 0.002_814_343;
/// Step rates at which everything must hold.
pub const RATES_HZ: [u32; 6] = [50, 60, 100, 200, 500, 1000];

const LAG_S: f64 = 0.04;
const TREAD_M: f64 = 0.0266;
const CENTER_BEHIND_M: f64 = 0.0038;
const FINE_S: f64 = 5e-5;

/// Half a sine of `span_s` from `start_s` on whose integral is `change_m_s`: the shape of a short shock.
pub fn shock(t: f64, start_s: f64, span_s: f64, change_m_s: f64) -> f64 {
    let phase = (t - start_s) / span_s;
    if (0.0..1.0).contains(&phase) { change_m_s * PI / (2.0 * span_s) * ops::sin(PI * phase) } else { 0.0 }
}

/// What a run has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub collisions: u32,
    pub double_taps: u32,
    pub most_shake: u8,
}

pub struct Bench {
    pub sensor: MotionSensor,
    pub attitude: Euler,
    pub friction: f64,
    hz: u32,
    ticks: u64,
    wheels: [f64; 2],
    velocity: DVec2,
    heading: f64,
    pub seen: Seen,
}

impl Bench {
    pub fn new(hz: u32) -> Self {
        Self {
            sensor: MotionSensor::new(PostureCones::Fixed, hz).unwrap(),
            attitude: Euler::default(),
            friction: 0.8,
            hz,
            ticks: 0,
            wheels: [0.0; 2],
            velocity: DVec2::ZERO,
            heading: 0.0,
            seen: Seen::default(),
        }
    }

    pub fn time_s(&self) -> f64 {
        self.ticks as f64 / f64::from(self.hz)
    }

    /// Runs for `span_s` with motor commands in units by time and an outside acceleration in body axes (m/s²) by time; both times count
    /// from the start of this run.
    pub fn run(
        &mut self,
        span_s: f64,
        commands: impl Fn(f64) -> [f64; 2],
        outside: impl Fn(f64) -> DVec3,
    ) -> MotionReport {
        let steps = (span_s * f64::from(self.hz)).round() as u64;
        for k in 0..steps {
            let start_s = k as f64 / f64::from(self.hz);
            let input = self.step(start_s, &commands, &outside);
            self.feel(&input);
        }
        self.sensor.peek()
    }

    /// Runs with wheels that stand.
    pub fn stand(&mut self, span_s: f64, outside: impl Fn(f64) -> DVec3) -> MotionReport {
        self.run(span_s, |_| [0.0; 2], outside)
    }

    /// Gives the sensor an input made by hand.
    pub fn feel(&mut self, input: &MotionInput) {
        self.ticks += 1;
        if self.sensor.step(input) {
            let report = self.sensor.take_report();
            self.seen.collisions += u32::from(report.collision);
            self.seen.double_taps += u32::from(report.double_tap);
            self.seen.most_shake = self.seen.most_shake.max(report.shake);
        }
    }

    /// Feeds `span_s` of a specific force in body axes by time, as the mean over each step.
    pub fn held(&mut self, span_s: f64, specific_force: impl Fn(f64) -> DVec3) {
        let step_s = 1.0 / f64::from(self.hz);
        for k in 0..(span_s * f64::from(self.hz)).round() as u64 {
            let fine = (step_s / FINE_S).round() as u64;
            let at = |i: u64| specific_force(k as f64 * step_s + (i as f64 + 0.5) * step_s / fine as f64);
            let mean = (0..fine).map(at).fold(DVec3::ZERO, |sum, f| sum + f) / fine as f64;
            let input = self.input(mean, 0.0);
            self.feel(&input);
        }
    }

    fn input(&self, specific_force_m_s2: DVec3, turn_rad_s: f64) -> MotionInput {
        MotionInput {
            specific_force_m_s2,
            angular_rate_rad_s: DVec3::new(0.0, 0.0, turn_rad_s),
            attitude: self.attitude,
            wheel_speed_m_s: self.wheels,
        }
    }

    fn step(
        &mut self,
        start_s: f64,
        commands: &impl Fn(f64) -> [f64; 2],
        outside: &impl Fn(f64) -> DVec3,
    ) -> MotionInput {
        let step_s = 1.0 / f64::from(self.hz);
        let fine = (step_s / FINE_S).round() as u64;
        let dt = step_s / fine as f64;
        let (before, heading_before) = (self.velocity, self.heading);
        let mut along_z = 0.0;
        for i in 0..fine {
            let t = start_s + (i as f64 + 0.5) * dt;
            let targets = commands(t).map(|units| units * UNIT_M_S);
            for (wheel, target) in self.wheels.iter_mut().zip(targets) {
                *wheel += (target - *wheel) * (1.0 - ops::exp(-dt / LAG_S));
            }
            let omega = (self.wheels[0] - self.wheels[1]) / TREAD_M;
            self.heading += omega * dt;
            let wanted = DVec2::new(0.5 * (self.wheels[0] + self.wheels[1]), -CENTER_BEHIND_M * omega);
            let wanted = sim_core::angle::unit(self.heading).rotate(wanted);
            let pull = (wanted - self.velocity).clamp_length_max(self.friction * GRAVITY * dt);
            let outside = outside(t);
            let pushed = sim_core::angle::unit(self.heading).rotate(outside.truncate()) * dt;
            self.velocity += pull + pushed;
            along_z += outside.z / fine as f64;
        }
        let in_world = (self.velocity - before) / step_s;
        let in_body = sim_core::angle::unit(-self.heading).rotate(in_world);
        let turn_rad_s = (self.heading - heading_before) / step_s;
        let weight = -self.attitude.down_in_body() * GRAVITY;
        self.input(in_body.extend(along_z) + weight, turn_rad_s)
    }
}
