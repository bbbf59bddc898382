//! Where a sensor sits on a body and which way its axes point.

use crate::{DVec3, ParamError};
use glam::{DMat3, DQuat};

/// Farthest that a sensor may sit from the origin of its body, along an axis.
const MAX_ARM_M: f64 = 100.0;

/// Where a sensor sits on a body and which way its axes point. The default is the body's own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MountParams {
    /// Place of the sensor in the body's frame, m, at most 100 m away along each axis.
    pub position_in_body_m: DVec3,
    /// The rotation from sensor to body as a quaternion (x, y, z, w), of length 1 to within 1 %.
    pub body_from_sensor_xyzw: [f64; 4],
}

impl Default for MountParams {
    fn default() -> Self {
        Self { position_in_body_m: DVec3::ZERO, body_from_sensor_xyzw: [0.0, 0.0, 0.0, 1.0] }
    }
}

/// A checked mount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    position_in_body_m: DVec3,
    sensor_from_body: DMat3,
}

impl Mount {
    /// Checks the parameters and scales the quaternion to unit length.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: MountParams) -> Result<Self, ParamError> {
        let MountParams { position_in_body_m, body_from_sensor_xyzw } = params;
        for coordinate in position_in_body_m.to_array() {
            ParamError::check_range("position_in_body_m", coordinate, -MAX_ARM_M, MAX_ARM_M)?;
        }
        let rotation = DQuat::from_array(body_from_sensor_xyzw);
        let length = rotation.length();
        if !(0.99..=1.01).contains(&length) {
            let message = format!("is {body_from_sensor_xyzw:?}, must be a quaternion (x, y, z, w) of length 1");
            return Err(ParamError::new("body_from_sensor_xyzw", message));
        }
        Ok(Self { position_in_body_m, sensor_from_body: DMat3::from_quat(rotation.conjugate() * (1.0 / length)) })
    }

    /// Place of the sensor in the body's frame, metres.
    #[must_use]
    pub fn position_in_body_m(&self) -> DVec3 {
        self.position_in_body_m
    }

    /// A vector given along the body's axes, along the sensor's axes.
    #[must_use]
    pub fn in_sensor_axes(&self, vector_in_body: DVec3) -> DVec3 {
        self.sensor_from_body * vector_in_body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mount(position_in_body_m: DVec3, body_from_sensor_xyzw: [f64; 4]) -> Result<Mount, ParamError> {
        Mount::new(MountParams { position_in_body_m, body_from_sensor_xyzw })
    }

    /// A camera's optical frame (x right, y down, z forward) on a body with x forward, y left, z up.
    #[test]
    fn the_optical_frame_looks_forward() {
        let mount = mount(DVec3::new(0.2, 0.0, 0.0), [-0.5, 0.5, -0.5, 0.5]).unwrap();
        assert_eq!(mount.in_sensor_axes(DVec3::X), DVec3::Z);
        assert_eq!(mount.in_sensor_axes(DVec3::Y), -DVec3::X);
        assert_eq!(mount.in_sensor_axes(DVec3::Z), -DVec3::Y);
        assert_eq!(mount.position_in_body_m().x, 0.2);
    }

    #[test]
    fn what_is_no_mount_is_refused() {
        let error = |place, xyzw| mount(place, xyzw).unwrap_err().field;
        assert_eq!(error(DVec3::new(0.0, f64::NAN, 0.0), [0.0, 0.0, 0.0, 1.0]), "position_in_body_m");
        assert_eq!(error(DVec3::new(0.0, 0.0, 101.0), [0.0, 0.0, 0.0, 1.0]), "position_in_body_m");
        assert_eq!(error(DVec3::ZERO, [0.0; 4]), "body_from_sensor_xyzw");
        assert_eq!(error(DVec3::ZERO, [0.0, f64::NAN, 0.0, 1.0]), "body_from_sensor_xyzw");
    }

    #[test]
    fn a_rounded_quaternion_is_scaled() {
        let mount = mount(DVec3::ZERO, [0.0, 0.0, 0.707, 0.707]).unwrap();
        assert!((mount.in_sensor_axes(DVec3::X) - -DVec3::Y).length() < 1e-12);
    }
}
