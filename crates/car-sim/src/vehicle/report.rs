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
