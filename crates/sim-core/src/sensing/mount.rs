//! Where a sensor sits on a body and which way its axes point.

use crate::{DVec3, ParamError};
use glam::DQuat;

/// Farthest that a sensor may sit from the origin of its body, along an axis.
const MAX_ARM_M: f64 = 100.0;

/// A sensor's place and axes in the frame of the body that carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    position_in_body_m: DVec3,
    body_from_sensor: DQuat,
}

impl Mount {
    /// At the body's origin, axes along the body's.
    pub const IDENTITY: Self = Self { position_in_body_m: DVec3::ZERO, body_from_sensor: DQuat::IDENTITY };

    /// A mount from a place in the body's frame, metres, and the rotation from sensor to body as a quaternion (x, y, z, w), which is
    /// scaled to unit length.
    ///
    /// # Errors
    /// If the place is not finite or farther than 100 m along an axis, or the quaternion is not finite or its length not within 1 % of 1.
    pub fn new(position_in_body_m: DVec3, body_from_sensor_xyzw: [f64; 4]) -> Result<Self, ParamError> {
        for coordinate in position_in_body_m.to_array() {
            ParamError::check_range("position_in_body_m", coordinate, -MAX_ARM_M, MAX_ARM_M)?;
        }
        let rotation = DQuat::from_array(body_from_sensor_xyzw);
        let length = rotation.length();
        if !(0.99..=1.01).contains(&length) {
            let message =
                format!("is {body_from_sensor_xyzw:?} with length {length}, must be a unit quaternion (x, y, z, w)");
            return Err(ParamError::new("body_from_sensor_xyzw", message));
        }
        Ok(Self { position_in_body_m, body_from_sensor: rotation * (1.0 / length) })
    }

    /// Place of the sensor in the body's frame, metres.
    #[must_use]
    pub fn position_in_body_m(&self) -> DVec3 {
        self.position_in_body_m
    }

    /// A vector given along the body's axes, along the sensor's axes.
    #[must_use]
    pub fn in_sensor_axes(&self, vector_in_body: DVec3) -> DVec3 {
        self.body_from_sensor.inverse() * vector_in_body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A camera's optical frame (x right, y down, z forward) on a body with x forward, y left, z up.
    #[test]
    fn the_optical_frame_looks_forward() {
        let mount = Mount::new(DVec3::new(0.2, 0.0, 0.0), [-0.5, 0.5, -0.5, 0.5]).unwrap();
        let near = |a: DVec3, b: DVec3| (a - b).length() < 1e-15;
        assert!(near(mount.in_sensor_axes(DVec3::X), DVec3::Z));
        assert!(near(mount.in_sensor_axes(DVec3::Y), -DVec3::X));
        assert!(near(mount.in_sensor_axes(DVec3::Z), -DVec3::Y));
        assert_eq!(mount.position_in_body_m().x, 0.2);
    }

    #[test]
    fn what_is_no_mount_is_refused() {
        let error = |place, xyzw| Mount::new(place, xyzw).unwrap_err().field;
        assert_eq!(error(DVec3::new(0.0, f64::NAN, 0.0), [0.0, 0.0, 0.0, 1.0]), "position_in_body_m");
        assert_eq!(error(DVec3::new(0.0, 0.0, 101.0), [0.0, 0.0, 0.0, 1.0]), "position_in_body_m");
        assert_eq!(error(DVec3::ZERO, [0.0; 4]), "body_from_sensor_xyzw");
        assert_eq!(error(DVec3::ZERO, [0.0, f64::NAN, 0.0, 1.0]), "body_from_sensor_xyzw");
    }

    #[test]
    fn a_rounded_quaternion_is_scaled() {
        let mount = Mount::new(DVec3::ZERO, [0.0, 0.0, 0.7071, 0.7071]).unwrap();
        assert!((mount.in_sensor_axes(DVec3::X) - -DVec3::Y).length() < 1e-12);
    }
}
