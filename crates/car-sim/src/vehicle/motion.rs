//! How a car moves in one step: two ramps, and the rear axle's path between their ends.
//!
//! # Equation
//! ```text
//! x' = v cos(yaw)    y' = v sin(yaw)    yaw' = v tan(d) / L    d' = n    v' = a
//! ```
//! x, y, yaw: the middle of the rear axle, which has no side slip; v: its speed; d: the middle steering angle; n, a: the rates of the two
//! ramps. d moves towards its target at the steering rate and stops on it. v does the same, gaining speed at one rate and losing it at
//! another; if it has to change its sign it stops at zero in between. A step is cut where a ramp ends, so that rates are constant in each
//! piece, and each piece is one step of the classic Runge-Kutta method of fourth order. Source: car facts, sections 3, 4 and 4.6.

use super::ackermann::{Ackermann, arc_end};
use crate::Pose;
use sim_core::{DVec2, StateHash, angle};

/// What a command asks of the rear axle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Goal {
    pub(super) steering_rad: f64,
    pub(super) velocity_m_s: f64,
    /// Rates, 0 or more; with 0 nothing changes.
    pub(super) steering_rate_rad_s: f64,
    pub(super) acceleration_m_s2: f64,
    pub(super) deceleration_m_s2: f64,
}

/// How the rear axle moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// The middle of the rear axle in the world; yaw in (-pi, pi].
    pub rear: Pose,
    /// Middle steering angle.
    pub steering_rad: f64,
    /// Speed of the rear axle along the car, m/s.
    pub velocity_m_s: f64,
    /// Its rate at the end of the last step, m/s^2.
    pub acceleration_m_s2: f64,
    /// Rate of the middle steering angle at the end of the last step.
    pub steering_rate_rad_s: f64,
}

/// A value that moves at a constant rate until it arrives.
#[derive(Clone, Copy, Debug)]
struct Ramp {
    rate: f64,
    end: f64,
    /// Time until it arrives, s; infinite for one that stands or moves nowhere.
    left_s: f64,
}

impl Ramp {
    fn between(value: f64, end: f64, speed: f64) -> Self {
        let way = end - value;
        if way == 0.0 || speed == 0.0 {
            return Self { rate: 0.0, end: value, left_s: f64::INFINITY };
        }
        Self { rate: speed.copysign(way), end, left_s: way.abs() / speed }
    }

    fn after(self, value: f64, time_s: f64) -> f64 {
        if time_s >= self.left_s { self.end } else { value + self.rate * time_s }
    }
}

impl Goal {
    fn steering_ramp(&self, steering_rad: f64) -> Ramp {
        Ramp::between(steering_rad, self.steering_rad, self.steering_rate_rad_s)
    }

    fn velocity_ramp(&self, velocity_m_s: f64) -> Ramp {
        let (now, end) = (velocity_m_s, self.velocity_m_s);
        let turns_round = now != 0.0 && end != 0.0 && (now < 0.0) != (end < 0.0);
        if turns_round {
            Ramp::between(now, 0.0, self.deceleration_m_s2)
        } else if end.abs() > now.abs() {
            Ramp::between(now, end, self.acceleration_m_s2)
        } else {
            Ramp::between(now, end, self.deceleration_m_s2)
        }
    }
}

impl Motion {
    /// Goes on by `step_s`.
    pub(super) fn advance(&mut self, ackermann: &Ackermann, goal: &Goal, step_s: f64) {
        let mut left_s = step_s;
        while left_s > 0.0 {
            let steering = goal.steering_ramp(self.steering_rad);
            let velocity = goal.velocity_ramp(self.velocity_m_s);
            let piece_s = left_s.min(steering.left_s).min(velocity.left_s);
            self.steering_rate_rad_s = steering.rate;
            self.acceleration_m_s2 = velocity.rate;
            self.rear = self.rear_after(ackermann, piece_s);
            self.steering_rad = steering.after(self.steering_rad, piece_s);
            self.velocity_m_s = velocity.after(self.velocity_m_s, piece_s);
            left_s -= piece_s;
        }
    }

    /// Runge-Kutta's step of the rear axle with both rates held.
    fn rear_after(&self, ackermann: &Ackermann, h: f64) -> Pose {
        let velocity = |t: f64| self.velocity_m_s + self.acceleration_m_s2 * t;
        let turn =
            |t: f64| velocity(t) * ackermann.rear_curvature_1_m(self.steering_rad + self.steering_rate_rad_s * t);
        let yaw = self.rear.yaw_rad;
        let travel = |t: f64, yaw_rad: f64| velocity(t) * angle::unit(yaw_rad);
        let (w_start, w_middle, w_end) = (turn(0.0), turn(0.5 * h), turn(h));
        let v1 = travel(0.0, yaw);
        let v2 = travel(0.5 * h, yaw + 0.5 * h * w_start);
        let v3 = travel(0.5 * h, yaw + 0.5 * h * w_middle);
        let v4 = travel(h, yaw + h * w_middle);
        Pose {
            position_m: self.rear.position_m + h / 6.0 * (v1 + 2.0 * (v2 + v3) + v4),
            yaw_rad: angle::wrap_rad(yaw + h / 6.0 * (w_start + 4.0 * w_middle + w_end)),
        }
    }

    /// Where the rear axle was so long ago, had the steering angle and the acceleration been all the while what they are.
    pub(crate) fn rear_before(&self, ackermann: &Ackermann, time_s: f64) -> Pose {
        let way_m = -(self.velocity_m_s - 0.5 * self.acceleration_m_s2 * time_s) * time_s;
        self.rear.compose(arc_end(self.curvature_1_m(ackermann), way_m))
    }

    /// Curvature of the rear axle's path, 1/m.
    pub(super) fn curvature_1_m(&self, ackermann: &Ackermann) -> f64 {
        ackermann.rear_curvature_1_m(self.steering_rad)
    }

    /// The base point in the world.
    pub(super) fn base(&self, ackermann: &Ackermann) -> Pose {
        ackermann.base_of(self.rear)
    }

    /// At rest with the base point at `base`.
    pub(super) fn resting(ackermann: &Ackermann, base: Pose) -> Self {
        let base = Pose { yaw_rad: angle::wrap_rad(base.yaw_rad), ..base };
        Self {
            rear: Pose { position_m: base.point(DVec2::new(-ackermann.base_to_rear_axle_m, 0.0)), ..base },
            steering_rad: 0.0,
            velocity_m_s: 0.0,
            acceleration_m_s2: 0.0,
            steering_rate_rad_s: 0.0,
        }
    }

    /// Puts the state into `hash`.
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.vec2(self.rear.position_m);
        for value in
            [self.rear.yaw_rad, self.steering_rad, self.velocity_m_s, self.acceleration_m_s2, self.steering_rate_rad_s]
        {
            hash.f64(value);
        }
    }
}
