//! The frames of this crate and the turns between them.
//!
//! | frame | axes | used for |
//! |---|---|---|
//! | plane | x right, y down, headings from +x towards +y (clockwise seen from above) | places and headings on the mat |
//! | world | x right, y = minus the plane's y, z up from the mat; attached to the mat | everything in three dimensions |
//! | level | like the world, but z away from the centre of the earth; equal to the world unless the mat is tilted | attitude |
//! | cube | X forward, Y right, Z down, from the body centre (toio facts, section 1.5) | what a cube's sensors measure |
//!
//! Lengths are metres, angles radians.

use glam::{DQuat, DVec3};
use sim_core::{DVec2, angle, ops};

/// A point of the mat's plane, `height_m` above it, in the world.
#[must_use]
pub fn world_from_plane(point_m: DVec2, height_m: f64) -> DVec3 {
    DVec3::new(point_m.x, -point_m.y, height_m)
}

/// The point of the mat's plane below (or above) a point of the world.
#[must_use]
pub fn plane_from_world(point_m: DVec3) -> DVec2 {
    DVec2::new(point_m.x, -point_m.y)
}

/// Cube axes to axes that point forward, left and up, or back: half a turn about X.
#[must_use]
pub(crate) fn upright(v: DVec3) -> DVec3 {
    DVec3::new(v.x, -v.y, -v.z)
}

/// Roll, pitch and yaw of toio facts, section 1.5: yaw, then pitch, then roll.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attitude {
    /// Right side down is positive; in (-pi, pi].
    pub roll_rad: f64,
    /// Nose up is positive; in [-pi/2, pi/2].
    pub pitch_rad: f64,
    /// Clockwise seen from above, 0 along the plane's +x; in (-pi, pi].
    pub yaw_rad: f64,
}

impl Attitude {
    /// Standing level with a heading.
    #[must_use]
    pub fn level(yaw_rad: f64) -> Self {
        Self { yaw_rad, ..Self::default() }
    }

    /// The attitude of a turn from the cube's axes to the plane's (x right, y down, z into the mat).
    #[must_use]
    pub fn from_turn(plane_from_cube: DQuat) -> Self {
        let (x, y, z) = (plane_from_cube * DVec3::X, plane_from_cube * DVec3::Y, plane_from_cube * DVec3::Z);
        Self {
            roll_rad: ops::atan2(y.z, z.z),
            pitch_rad: ops::asin((-x.z).clamp(-1.0, 1.0)),
            yaw_rad: angle::wrap_rad(ops::atan2(x.y, x.x)),
        }
    }

    /// The turn from the cube's axes to the plane's.
    #[must_use]
    pub fn plane_from_cube(self) -> DQuat {
        about(DVec3::Z, self.yaw_rad) * about(DVec3::Y, self.pitch_rad) * about(DVec3::X, self.roll_rad)
    }
}

/// The turn by `angle_rad` about a unit axis.
pub(crate) fn about(axis: DVec3, angle_rad: f64) -> DQuat {
    let (sin, cos) = ops::sin_cos(0.5 * angle_rad);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// The turn by the length of a vector about its direction.
pub(crate) fn turn_by(rotation_rad: DVec3) -> DQuat {
    let angle_rad = rotation_rad.length();
    if angle_rad < 1e-12 {
        return DQuat::from_xyzw(0.5 * rotation_rad.x, 0.5 * rotation_rad.y, 0.5 * rotation_rad.z, 1.0).normalize();
    }
    about(rotation_rad / angle_rad, angle_rad)
}

/// The shortest rotation vector whose [`turn_by`] is `turn`.
pub(crate) fn rotation_of(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = turn.xyz();
    let sin = axis.length();
    if sin < 1e-12 {
        return 2.0 * axis;
    }
    axis * (2.0 * ops::atan2(sin, turn.w) / sin)
}

/// The same turn seen from axes that are half a turn about X away: cube and plane (z down) on one side, upright body and world (z up)
/// on the other.
pub(crate) fn flipped(turn: DQuat) -> DQuat {
    DQuat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}
