//! What an inertial measurement unit feels, and how the vehicle is turned.
//!
//! # Equation
//! For a point at r of a body whose origin has velocity v and turn rate w, all along the body's axes:
//! ```text
//! a = dv/dt + w x v + dw/dt x r + w x (w x r)          f = a - R^T g,   g = (0, 0, -9.81) in the world
//! ```
//! f is what an accelerometer reads: 9.81 m/s^2 upwards at rest, 0 in free fall. Source: Titterton and Weston, Strapdown Inertial
//! Navigation Technology, 2004, chapter 3.

use super::Observed;
use crate::GRAVITY_M_S2;
use crate::pose::{Pose, halves};
use sim_core::sensing::Mount;
use sim_core::{DVec3, ops};

/// Specific force at a point of a vehicle along the vehicle's axes, m/s^2.
#[must_use]
pub fn specific_force_m_s2(observed: &Observed<'_>, in_body_m: DVec3) -> DVec3 {
    let (velocity, rate) = halves(&observed.velocity);
    let (change, rate_change) = halves(&observed.acceleration);
    let acceleration = change + rate.cross(velocity) + rate_change.cross(in_body_m) + rate.cross(rate.cross(in_body_m));
    acceleration + observed.pose.in_body(DVec3::new(0.0, 0.0, GRAVITY_M_S2))
}

/// The same at a mount along the sensor's axes.
pub(super) fn felt(observed: &Observed<'_>, mount: &Mount) -> DVec3 {
    mount.in_sensor_axes(specific_force_m_s2(observed, mount.position_in_body_m()))
}

/// Direction of the vehicle's x axis, rad clockwise from the world's north, in (-pi, pi].
#[must_use]
pub fn heading_rad(pose: &Pose) -> f64 {
    let forward = pose.world_from_body * DVec3::X;
    ops::atan2(forward.x, forward.y)
}
