//! What an inertial measurement unit feels where it is mounted: turn rate and specific force.
//!
//! # Equation
//! For a point at (p_x, p_y) of the body, with r_x = p_x + l_b and r_y = p_y counted from the rear axle:
//! ```text
//! w = k v    alpha = a k + v n / (L cos^2 d)
//! a_x = a   - alpha r_y - w^2 r_x
//! a_y = w v + alpha r_x - w^2 r_y
//! ```
//! v, a, d, n, k: speed and acceleration of the rear axle, steering angle and its rate, curvature of the rear axle's path. It is the second
//! time derivative of the point's place; nothing divides by k, so driving straight is no special case. An accelerometer reads specific
//! force: what holds it up counts, 9.81 m/s^2 upwards at rest. Both vectors are turned into the sensor's axes.
//! Source: car facts, section 7.

use super::ackermann::Ackermann;
use super::motion::Motion;
use sim_core::sensing::{Mount, MountParams};
use sim_core::{DVec3, ops};

/// Gravity of the car facts, m/s^2.
pub const GRAVITY_M_S2: f64 = 9.81;

/// Place and axes of the default car's unit, which are those of a camera: x right, y down, z forward (car facts, section 2).
pub const DEFAULT_IMU_MOUNT: MountParams = MountParams {
    position_in_body_m: DVec3::new(0.233_98, 0.019_78, -0.0326),
    body_from_sensor_xyzw: [-0.5, 0.5, -0.5, 0.5],
};

/// What the unit feels, without errors, in its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertial {
    /// Turn rates, rad/s.
    pub gyro_rad_s: DVec3,
    /// Specific force, m/s^2.
    pub accelerometer_m_s2: DVec3,
}

impl Inertial {
    /// What is felt at `mount`, given in the base point's frame.
    #[must_use]
    pub fn felt(ackermann: &Ackermann, motion: &Motion, mount: &Mount) -> Self {
        let (v, a, n) = (motion.velocity_m_s, motion.acceleration_m_s2, motion.steering_rate_rad_s);
        let k = motion.curvature_1_m(ackermann);
        let cos = ops::cos(motion.steering_rad);
        let w = k * v;
        let alpha = a * k + v * n / (ackermann.wheelbase_m * cos * cos);
        let place_m = mount.position_in_body_m();
        let (rx, ry) = (place_m.x + ackermann.base_to_rear_axle_m, place_m.y);
        let force = DVec3::new(a - alpha * ry - w * w * rx, w * v + alpha * rx - w * w * ry, GRAVITY_M_S2);
        Self {
            gyro_rad_s: mount.in_sensor_axes(DVec3::new(0.0, 0.0, w)),
            accelerometer_m_s2: mount.in_sensor_axes(force),
        }
    }
}
