//! A hydrofoil craft by kinematic rules: speed bands, banked turns, height by speed. No forces, no lift curves.
//!
//! ```text
//! yaw rate = -g tan(roll) / v      (a positive roll lifts the left side and turns right)
//! height   = ride height * min(v / flying speed, 1), 0 backward
//! ```

use super::VehicleState;
use crate::attitude::RollPitchYaw;
use crate::body::BodyState;
use crate::check;
use crate::medium::Medium;
use crate::spatial::Vec6;
use crate::{GRAVITY_M_S2, M_S_PER_KN};
use glam::DVec3;
use sim_core::{ParamError, ops};

/// Number of the actuator that holds the speed, kn.
pub const SPEED: usize = 0;
/// Number of the actuator that holds the roll, rad.
pub const ROLL: usize = 1;
/// Names of both actuators.
pub(super) const NAMES: [&str; 2] = ["speed", "roll"];
/// Their units.
pub(super) const UNITS: [&str; 2] = ["kn", "rad"];

/// Largest roll to either side that may be allowed, rad: at a right angle a bank has no turn rate.
const MAX_ROLL_RAD: f64 = 1.5;

/// Rules of a hydrofoil craft.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct HydrofoilParams {
    /// Slowest speed, backward, kn; below 0.
    #[cfg_attr(feature = "schema", schemars(range(max = 0)))]
    pub reverse_kn: f64,
    /// Slowest and fastest flying speed, kn.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub flying_kn: [f64; 2],
    /// Change of speed, kn/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub acceleration_kn_s: f64,
    /// Largest roll to either side, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = MAX_ROLL_RAD)))]
    pub roll_max_rad: f64,
    /// Change of roll, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub roll_rate_rad_s: f64,
    /// Speed below which it does not bank, kn.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub bank_from_kn: f64,
    /// Speed below which it does not turn, kn.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub turn_from_kn: f64,
    /// Height above the water when flying, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub ride_height_m: f64,
    /// Height of the origin above the part that rides, m.
    #[cfg_attr(feature = "schema", schemars(range(min = -check::FAR_M, max = check::FAR_M)))]
    pub origin_above_m: f64,
}

impl Default for HydrofoilParams {
    fn default() -> Self {
        let degrees = std::f64::consts::PI / 180.0;
        Self {
            reverse_kn: -3.0,
            flying_kn: [8.0, 13.0],
            acceleration_kn_s: 2.0,
            roll_max_rad: 13.0 * degrees,
            roll_rate_rad_s: 25.0 * degrees,
            bank_from_kn: 7.0,
            turn_from_kn: 7.5,
            ride_height_m: 0.35,
            origin_above_m: 0.0,
        }
    }
}

impl HydrofoilParams {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("hydrofoil.reverse_kn", self.reverse_kn, f64::MIN, 0.0)?;
        check::ordered("hydrofoil.flying_kn", self.flying_kn)?;
        check::positive("hydrofoil.flying_kn", self.flying_kn[0])?;
        check::positive("hydrofoil.acceleration_kn_s", self.acceleration_kn_s)?;
        ParamError::check_range("hydrofoil.roll_max_rad", self.roll_max_rad, 0.0, MAX_ROLL_RAD)?;
        check::positive("hydrofoil.roll_rate_rad_s", self.roll_rate_rad_s)?;
        check::not_negative("hydrofoil.bank_from_kn", self.bank_from_kn)?;
        check::positive("hydrofoil.turn_from_kn", self.turn_from_kn)?;
        check::not_negative("hydrofoil.ride_height_m", self.ride_height_m)?;
        check::place("hydrofoil.origin_above_m", &[self.origin_above_m])
    }

    /// Goal of speed after a command, from the goal before it, kn. Asked to stop or to go back while it flies, it slows to the slowest
    /// flying speed first, and a second command stops it.
    #[must_use]
    pub fn speed_goal_kn(&self, before: f64, command: f64) -> f64 {
        let [slowest, fastest] = self.flying_kn;
        if before < 0.0 || (before == 0.0 && command <= 0.0) {
            command.clamp(self.reverse_kn, 0.0)
        } else if before == 0.0 {
            slowest
        } else if before == slowest && command <= 0.0 {
            0.0
        } else {
            command.clamp(slowest, fastest)
        }
    }

    /// Goal of speed of one that starts at a speed, kn: that speed where it can be held, else 0.
    pub(super) fn start_goal_kn(&self, speed_kn: f64) -> f64 {
        let [slowest, fastest] = self.flying_kn;
        let is_held = (self.reverse_kn..=0.0).contains(&speed_kn) || (slowest..=fastest).contains(&speed_kn);
        if is_held { speed_kn } else { 0.0 }
    }

    /// Takes a command: a speed in kn or a roll in rad.
    pub(super) fn command(&self, state: &mut VehicleState, actuator: usize, value: f64) {
        state.commands[actuator] = match actuator {
            SPEED => self.speed_goal_kn(state.commands[SPEED], value),
            _ => value.clamp(-self.roll_max_rad, self.roll_max_rad),
        };
    }

    /// Largest roll to either side at a speed, rad.
    #[must_use]
    pub fn roll_most_rad(&self, speed_kn: f64) -> f64 {
        if speed_kn < self.bank_from_kn { 0.0 } else { self.roll_max_rad }
    }

    /// Turn rate about up at a speed and roll, rad/s.
    #[must_use]
    pub fn yaw_rate_rad_s(&self, speed_kn: f64, roll_rad: f64) -> f64 {
        if speed_kn < self.turn_from_kn {
            return 0.0;
        }
        -GRAVITY_M_S2 * ops::tan(roll_rad) / (speed_kn * M_S_PER_KN)
    }

    /// Height of the origin above the water at a speed, m.
    #[must_use]
    pub fn height_m(&self, speed_kn: f64) -> f64 {
        self.ride_height_m * (speed_kn / self.flying_kn[0]).clamp(0.0, 1.0) + self.origin_above_m
    }

    /// Moves on by a step.
    pub(super) fn step<M: Medium + ?Sized>(&self, state: &mut VehicleState, medium: &M, time_s: f64, step_s: f64) {
        let before_kn = state.actuators[SPEED];
        let speed_kn = approach(before_kn, state.commands[SPEED], self.acceleration_kn_s * step_s);
        let goal_rad = if speed_kn < self.bank_from_kn { 0.0 } else { state.commands[ROLL] };
        let before_rad = state.actuators[ROLL];
        let roll_rad = approach(before_rad, goal_rad, self.roll_rate_rad_s * step_s);
        let middle_kn = 0.5 * (before_kn + speed_kn);
        let yaw_rate = self.yaw_rate_rad_s(middle_kn, 0.5 * (before_rad + roll_rad));
        let way_m = M_S_PER_KN * step_s * self.mean_speed_kn(before_kn, speed_kn, step_s);

        let angles = RollPitchYaw::from_quat(state.body.attitude);
        let (middle_rad, turn) = (angles.yaw_rad + 0.5 * yaw_rate * step_s, 0.5 * yaw_rate * step_s);
        // The chord of an arc is shorter than the arc.
        let chord_m = if turn == 0.0 { way_m } else { way_m * ops::sin(turn) / turn };
        let (sin, cos) = ops::sin_cos(middle_rad);
        let mut place = state.body.position_m + DVec3::new(cos * chord_m, sin * chord_m, 0.0);
        place.z += medium.at(place, time_s + step_s).surface_m + self.height_m(speed_kn);
        let rise_m_s = (place.z - state.body.position_m.z) / step_s;
        let attitude = RollPitchYaw { roll_rad, yaw_rad: angles.yaw_rad + yaw_rate * step_s, ..angles };
        state.actuators[..2].copy_from_slice(&[speed_kn, roll_rad]);
        let roll_rate = (roll_rad - before_rad) / step_s;
        state.body = Self::body_at(place, &attitude, speed_kn, [rise_m_s, roll_rate, yaw_rate]);
    }

    /// Takes speed and roll from velocity and attitude, as far as the rules allow, and rides on the water at that speed.
    pub(super) fn settle<M: Medium + ?Sized>(&self, state: &mut VehicleState, medium: &M, time_s: f64) {
        let angles = RollPitchYaw::from_quat(state.body.attitude);
        let speed_kn = (state.body.velocity.linear.x / M_S_PER_KN).clamp(self.reverse_kn, self.flying_kn[1]);
        let roll_max_rad = self.roll_most_rad(speed_kn);
        let roll_rad = angles.roll_rad.clamp(-roll_max_rad, roll_max_rad);
        let mut place = state.body.position_m;
        place.z += medium.at(place, time_s).surface_m + self.height_m(speed_kn);
        state.actuators[..2].copy_from_slice(&[speed_kn, roll_rad]);
        let rates = [0.0, 0.0, self.yaw_rate_rad_s(speed_kn, roll_rad)];
        state.body = Self::body_at(place, &RollPitchYaw { roll_rad, ..angles }, speed_kn, rates);
    }

    /// Puts it back where it was, at rest, and onto the water there.
    pub(super) fn halt<M: Medium + ?Sized>(
        &self,
        state: &mut VehicleState,
        before: &BodyState,
        medium: &M,
        time_s: f64,
    ) {
        state.body = BodyState { velocity: Vec6::ZERO, ..*before };
        self.settle(state, medium, time_s);
    }

    /// The body at a place and attitude, ahead at a speed, with the rates of height (m/s), roll and yaw (rad/s).
    fn body_at(position_m: DVec3, angles: &RollPitchYaw, speed_kn: f64, [rise, roll, yaw]: [f64; 3]) -> BodyState {
        let attitude = angles.to_quat();
        let into_body = attitude.conjugate();
        let (sin, cos) = ops::sin_cos(angles.yaw_rad);
        let ahead = speed_kn * M_S_PER_KN;
        let turning = into_body * DVec3::new(0.0, 0.0, yaw) + DVec3::X * roll;
        let velocity = Vec6::new(into_body * DVec3::new(ahead * cos, ahead * sin, rise), turning);
        BodyState { position_m, attitude, velocity }
    }

    /// Mean speed of a step that ramps from one speed to another and stays there.
    fn mean_speed_kn(&self, from: f64, to: f64, step_s: f64) -> f64 {
        let ramp_s = (to - from).abs() / self.acceleration_kn_s;
        to + (from - to) * 0.5 * ramp_s / step_s
    }
}

/// A value that moves towards a goal by no more than a change.
fn approach(value: f64, goal: f64, most: f64) -> f64 {
    value + (goal - value).clamp(-most, most)
}
