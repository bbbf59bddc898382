//! What there is to know of a car at a moment.

use super::ackermann::{Steering, Twist, WheelSpeeds};
use super::car::Status;
use crate::Pose;
use sim_core::DVec2;

/// Everything that tables and drawings show of a car but its sensors. SI units, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarReport {
    /// Simulated time since the last reset, whole nanoseconds.
    pub time_ns: u64,
    /// Whether it drives or has hit something.
    pub status: Status,
    /// The base point; yaw in (-pi, pi].
    pub base: Pose,
    /// Curvature and velocity of the base point.
    pub base_twist: Twist,
    /// The same as the command asks for, within the limits.
    pub target_twist: Twist,
    /// Velocity of the base point in the world, m/s. Off the car's axis when the wheels are turned.
    pub base_velocity_in_world_m_s: DVec2,
    /// How fast the car turns.
    pub yaw_rate_rad_s: f64,
    /// Steering angles.
    pub steering: Steering,
    /// Steering angles that the command asks for.
    pub target_steering: Steering,
    /// How the wheels spin.
    pub wheel_speeds: WheelSpeeds,
    /// Turns of the motor a second.
    pub motor_rps: f64,
    /// Turns of the motor a second that the command asks for.
    pub target_motor_rps: f64,
}

/// Names, with their units, and meanings of what [`CarReport::drive_values`] returns, in its order.
pub const DRIVE_QUANTITIES: [(&str, &str); 10] = [
    ("target_steer_rad", "middle steering angle that the command asks for, left positive"),
    ("target_steer_left_rad", "angle of the left front wheel that the command asks for"),
    ("target_steer_right_rad", "angle of the right front wheel that the command asks for"),
    ("vx_m_s", "velocity of the base point along the world's x"),
    ("vy_m_s", "velocity of the base point along the world's y"),
    ("curvature_1_m", "curvature of the base point's path, left positive when driving forward"),
    ("wheel_rear_left_rad_s", "spin of the rear left wheel, positive rolls forward"),
    ("wheel_rear_right_rad_s", "spin of the rear right wheel"),
    ("wheel_front_left_rad_s", "spin of the front left wheel"),
    ("wheel_front_right_rad_s", "spin of the front right wheel"),
];

impl CarReport {
    /// The values of [`DRIVE_QUANTITIES`]: what a table may show beside place, speed and steering.
    #[must_use]
    pub fn drive_values(&self) -> [f64; DRIVE_QUANTITIES.len()] {
        let (velocity, target, wheels) = (self.base_velocity_in_world_m_s, self.target_steering, self.wheel_speeds);
        [
            target.middle_rad,
            target.left_rad,
            target.right_rad,
            velocity.x,
            velocity.y,
            self.base_twist.curvature_1_m,
            wheels.rear_left_rad_s,
            wheels.rear_right_rad_s,
            wheels.front_left_rad_s,
            wheels.front_right_rad_s,
        ]
    }
}
