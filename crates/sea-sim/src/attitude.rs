//! Attitudes as people write them: roll, pitch and yaw.
//!
//! World: east, north, up. Body: forward, left, up. The rotation from body to world is yaw about up, then pitch about
//! left, then roll about forward: a positive yaw turns left, a positive pitch lowers the nose, a positive roll lifts
//! the left side.

use glam::{DMat3, DQuat, DVec3};
use sim_core::ops;

/// Roll, pitch and yaw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollPitchYaw {
    /// About the forward axis, in (-pi, pi].
    pub roll_rad: f64,
    /// About the left axis, in [-pi/2, pi/2]; positive lowers the nose.
    pub pitch_rad: f64,
    /// About the up axis, from east towards north, in (-pi, pi].
    pub yaw_rad: f64,
}

impl RollPitchYaw {
    /// The angles of a rotation from body to world.
    #[must_use]
    pub fn from_quat(world_from_body: DQuat) -> Self {
        Self::from_matrix(&DMat3::from_quat(world_from_body))
    }

    /// The angles of a rotation matrix from body to world.
    #[must_use]
    pub fn from_matrix(world_from_body: &DMat3) -> Self {
        let (forward, left, up) = (world_from_body.x_axis, world_from_body.y_axis, world_from_body.z_axis);
        Self {
            roll_rad: ops::atan2(left.z, up.z),
            pitch_rad: ops::asin((-forward.z).clamp(-1.0, 1.0)),
            yaw_rad: ops::atan2(forward.y, forward.x),
        }
    }

    /// The rotation from body to world.
    #[must_use]
    pub fn to_quat(self) -> DQuat {
        let half = |angle: f64, axis: DVec3| {
            let (s, c) = ops::sin_cos(0.5 * angle);
            DQuat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
        };
        half(self.yaw_rad, DVec3::Z) * half(self.pitch_rad, DVec3::Y) * half(self.roll_rad, DVec3::X)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_go_in_and_out() {
        for (roll, pitch, yaw) in [(0.1, -0.2, 0.3), (-3.0, 1.5, 3.1), (0.0, 0.0, -2.0), (2.0, -1.2, 0.0)] {
            let angles = RollPitchYaw { roll_rad: roll, pitch_rad: pitch, yaw_rad: yaw };
            let back = RollPitchYaw::from_quat(angles.to_quat());
            let errors = [back.roll_rad - roll, back.pitch_rad - pitch, back.yaw_rad - yaw];
            assert!(errors.iter().all(|error| error.abs() < 1e-12), "{errors:?}");
        }
    }

    #[test]
    fn a_positive_pitch_lowers_the_nose_and_a_positive_yaw_turns_left() {
        let nose = |angles: RollPitchYaw| angles.to_quat() * DVec3::X;
        assert!(nose(RollPitchYaw { pitch_rad: 0.1, ..Default::default() }).z < 0.0);
        assert!(nose(RollPitchYaw { yaw_rad: 0.1, ..Default::default() }).y > 0.0);
        let left = RollPitchYaw { roll_rad: 0.1, ..Default::default() }.to_quat() * DVec3::Y;
        assert!(left.z > 0.0);
    }
}
