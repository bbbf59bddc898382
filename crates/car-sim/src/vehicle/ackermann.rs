//! The geometry of Ackermann steering: all wheels roll about one centre, which lies on the line through the rear axle.
//!
//! # Equations
//! ```text
//! rear axle   k = tan(d) / L           yaw rate = k v_r = C v
//! base point  C = k / q     v = v_r q  q = sqrt(1 + (k l_b)^2)
//! back        k = C / r     v_r = v r  r = sqrt(1 - (C l_b)^2)
//! front       left = atan2(k L, 1 - k w/2)     right = atan2(k L, 1 + k w/2)
//! wheels      s = v_r / R, h = k w/2, u = k L: rear (1 -+ h) s, front s sqrt((1 -+ h)^2 + u^2), left with -, right with +
//! motor       rps = v_r / (2 pi R G)
//! ```
//! | symbol | meaning |
//! |---|---|
//! | C, v | curvature (1/m, left positive) and velocity (m/s, back negative) of the base point |
//! | k, v_r | the same of the middle of the rear axle |
//! | d | middle steering angle, that of a bicycle with the same axles; rad, left positive |
//! | L, w, l_b | wheelbase, track, distance from the rear axle forward to the base point; m |
//! | R, G | wheel radius, m; wheel turns per motor turn |
//!
//! Source: car facts, section 3. True while tyres do not slip, and while the centre of rotation lies outside the car (`|k| w/2 < 1`).

use crate::Pose;
use sim_core::{angle, ops};
use std::f64::consts::TAU;

/// Curvature and velocity of a point of the car along its own path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Curvature of the path, 1/m; positive turns left when driving forward.
    pub curvature_1_m: f64,
    /// Speed along the path, m/s; negative drives back.
    pub velocity_m_s: f64,
}

impl Twist {
    /// How fast the car turns, counter-clockwise.
    #[must_use]
    pub fn yaw_rate_rad_s(self) -> f64 {
        self.curvature_1_m * self.velocity_m_s
    }
}

/// Steering angles, positive to the left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// Of a bicycle with the same axles.
    pub middle_rad: f64,
    /// Of the left front wheel.
    pub left_rad: f64,
    /// Of the right front wheel.
    pub right_rad: f64,
}

/// How fast the wheels spin, rad/s; positive rolls forward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelSpeeds {
    /// Rear left.
    pub rear_left_rad_s: f64,
    /// Rear right.
    pub rear_right_rad_s: f64,
    /// Front left.
    pub front_left_rad_s: f64,
    /// Front right.
    pub front_right_rad_s: f64,
}

/// Lengths and ratios that the equations need. Part of a checked [`CarModel`](super::CarModel).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ackermann {
    pub(super) wheelbase_m: f64,
    pub(super) track_m: f64,
    pub(super) base_to_rear_axle_m: f64,
    pub(super) wheel_radius_m: f64,
    pub(super) motor_ratio: f64,
}

impl Ackermann {
    /// From the rear axle's twist to the base point's.
    #[must_use]
    pub fn base_from_rear(&self, rear: Twist) -> Twist {
        let lever = rear.curvature_1_m * self.base_to_rear_axle_m;
        let q = (1.0 + lever * lever).sqrt();
        Twist { curvature_1_m: rear.curvature_1_m / q, velocity_m_s: rear.velocity_m_s * q }
    }

    /// From the base point's twist to the rear axle's. The curvature must be less than one over the distance between the two.
    #[must_use]
    pub fn rear_from_base(&self, base: Twist) -> Twist {
        let r = self.rear_share(base.curvature_1_m);
        Twist { curvature_1_m: base.curvature_1_m / r, velocity_m_s: base.velocity_m_s * r }
    }

    /// Speed of the rear axle for each m/s of the base point, on a path of the base point with this curvature.
    #[must_use]
    pub fn rear_share(&self, base_curvature_1_m: f64) -> f64 {
        let lever = base_curvature_1_m * self.base_to_rear_axle_m;
        (1.0 - lever * lever).sqrt()
    }

    /// Curvature of the rear axle's path at a middle steering angle, 1/m.
    #[must_use]
    pub fn rear_curvature_1_m(&self, middle_rad: f64) -> f64 {
        ops::tan(middle_rad) / self.wheelbase_m
    }

    /// Middle steering angle for a curvature of the rear axle's path.
    #[must_use]
    pub fn middle_rad(&self, rear_curvature_1_m: f64) -> f64 {
        ops::atan2(rear_curvature_1_m * self.wheelbase_m, 1.0)
    }

    /// How far the base point's velocity points to the left of the car's axis.
    #[must_use]
    pub fn base_slip_rad(&self, rear_curvature_1_m: f64) -> f64 {
        ops::atan2(rear_curvature_1_m * self.base_to_rear_axle_m, 1.0)
    }

    /// Both front wheels at a middle steering angle.
    #[must_use]
    pub fn steering(&self, middle_rad: f64) -> Steering {
        let k = self.rear_curvature_1_m(middle_rad);
        let (ahead, h) = (k * self.wheelbase_m, 0.5 * k * self.track_m);
        Steering { middle_rad, left_rad: ops::atan2(ahead, 1.0 - h), right_rad: ops::atan2(ahead, 1.0 + h) }
    }

    /// How the four wheels spin.
    #[must_use]
    pub fn wheel_speeds(&self, rear: Twist) -> WheelSpeeds {
        let s = rear.velocity_m_s / self.wheel_radius_m;
        let (u, h) = (rear.curvature_1_m * self.wheelbase_m, 0.5 * rear.curvature_1_m * self.track_m);
        let (left, right) = (1.0 - h, 1.0 + h);
        WheelSpeeds {
            rear_left_rad_s: left * s,
            rear_right_rad_s: right * s,
            front_left_rad_s: s * (left * left + u * u).sqrt(),
            front_right_rad_s: s * (right * right + u * u).sqrt(),
        }
    }

    /// Turns of the motor a second at a speed of the rear axle.
    #[must_use]
    pub fn motor_rps(&self, rear_velocity_m_s: f64) -> f64 {
        rear_velocity_m_s / (TAU * self.wheel_radius_m * self.motor_ratio)
    }

    /// The base point when the rear axle is at `rear`.
    #[must_use]
    pub fn base_of(&self, rear: Pose) -> Pose {
        rear.compose(Pose::new(self.base_to_rear_axle_m, 0.0, 0.0))
    }

    /// Largest curvature of the rear axle's path that the front wheels allow, 1/m.
    pub(super) fn steered_limit_1_m(&self, inner_limit_rad: f64, outer_limit_rad: f64) -> f64 {
        let (inner, outer) = (ops::tan(inner_limit_rad), ops::tan(outer_limit_rad));
        let by_inner = inner / (self.wheelbase_m + 0.5 * self.track_m * inner);
        let clear_m = self.wheelbase_m - 0.5 * self.track_m * outer;
        // An outer wheel that would have to point past the rear axle's line limits nothing.
        if clear_m > 0.0 { by_inner.min(outer / clear_m) } else { by_inner }
    }
}

/// Where one is after a way along an arc that begins at the origin along x.
pub(crate) fn arc_end(curvature_1_m: f64, way_m: f64) -> Pose {
    let half_turn_rad = 0.5 * curvature_1_m * way_m;
    let chord_m = if half_turn_rad == 0.0 { way_m } else { way_m * ops::sin(half_turn_rad) / half_turn_rad };
    Pose { position_m: chord_m * angle::unit(half_turn_rad), yaw_rad: 2.0 * half_turn_rad }
}
