//! A place and an attitude in the world.

use glam::DQuat;
use sim_core::{DVec3, ops};

/// Where a body is, and how it is turned. World: x east, y north, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Place of the body's origin, m.
    pub position_m: DVec3,
    /// Rotation from the body's axes to the world's, of length 1.
    pub world_from_body: DQuat,
}

/// A small motion of a body, or a rate of motion, along and about its own axes: first along x, y, z, then about them.
pub type Twist = [f64; 6];

impl Pose {
    /// The origin of the world, not turned.
    pub const ORIGIN: Self = Self { position_m: DVec3::ZERO, world_from_body: DQuat::IDENTITY };

    /// A point of the body, m, in the world.
    #[must_use]
    pub fn point_m(&self, in_body_m: DVec3) -> DVec3 {
        self.position_m + self.world_from_body * in_body_m
    }

    /// A direction of the world along the body's axes.
    #[must_use]
    pub fn in_body(&self, in_world: DVec3) -> DVec3 {
        self.world_from_body.conjugate() * in_world
    }

    /// The pose after a displacement along and about the body's present axes, m and rad.
    #[must_use]
    pub fn displaced(&self, displacement: &Twist) -> Self {
        let (along, about) = halves(displacement);
        let turned = self.world_from_body * DQuat::from_scaled_axis(about);
        Self { position_m: self.position_m + self.world_from_body * along, world_from_body: turned.normalize() }
    }

    /// The displacement that leads from this pose to another: the inverse of [`Pose::displaced`] for turns below pi.
    #[must_use]
    pub fn displacement_to(&self, other: &Self) -> Twist {
        let along = self.in_body(other.position_m - self.position_m);
        let turn = self.world_from_body.conjugate() * other.world_from_body;
        // Of the two quaternions of a turn the one with w >= 0 is the short way.
        let (axis, w) = if turn.w < 0.0 { (-turn.xyz(), -turn.w) } else { (turn.xyz(), turn.w) };
        let sin = axis.length();
        let per_sin = if sin > 1e-9 { 2.0 * ops::atan2(sin, w) / sin } else { 2.0 };
        twist(along, axis * per_sin)
    }
}

/// The parts along and about the axes.
#[must_use]
pub fn halves(twist: &Twist) -> (DVec3, DVec3) {
    let [a, b, c, d, e, f] = *twist;
    (DVec3::new(a, b, c), DVec3::new(d, e, f))
}

/// A twist out of its parts along and about the axes.
#[must_use]
pub fn twist(along: DVec3, about: DVec3) -> Twist {
    [along.x, along.y, along.z, about.x, about.y, about.z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_lead_from_one_pose_to_the_other() {
        let start = Pose { position_m: DVec3::new(1.0, -2.0, 3.0), world_from_body: DQuat::from_rotation_z(0.7) };
        for about in [DVec3::ZERO, DVec3::new(1e-12, 0.0, 0.0), DVec3::new(0.3, -0.2, 0.9), DVec3::new(0.0, 3.1, 0.0)] {
            let displacement = twist(DVec3::new(0.1, 0.2, -0.3), about);
            let found = start.displacement_to(&start.displaced(&displacement));
            for (a, b) in found.into_iter().zip(displacement) {
                assert!((a - b).abs() < 1e-14, "{found:?} {displacement:?}");
            }
        }
        // A metre ahead at yaw 0.7 rad.
        let ahead = start.displaced(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).position_m - start.position_m;
        assert!((ahead - DVec3::new(ops::cos(0.7), ops::sin(0.7), 0.0)).length() < 1e-15);
    }
}
