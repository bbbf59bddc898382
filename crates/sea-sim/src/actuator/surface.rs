//! Control surfaces by two multipliers, in the flow of their own place.

use super::params::SurfaceParams;
use crate::body::{Reach, Surroundings};
use crate::spatial::Vec6;
use glam::DVec3;
use sim_core::ops;

/// A checked control surface, ready for steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    position_m: DVec3,
    /// Normal at rest: the chord crossed with the axis.
    normal: DVec3,
    lift: f64,
    drag: f64,
}

impl Surface {
    pub(super) fn new(params: &SurfaceParams) -> Self {
        let axis = DVec3::from_array(params.axis).normalize();
        Self {
            position_m: DVec3::from_array(params.position_m),
            normal: DVec3::X.cross(axis),
            lift: params.lift_n_s2_m2,
            drag: params.drag_n_s2_m2,
        }
    }

    /// Wrench at an angle about the axis.
    pub(super) fn wrench(&self, angle_rad: f64, around: &Surroundings) -> Vec6 {
        let (sin, cos) = ops::sin_cos(angle_rad);
        // A turn about the axis takes the normal to the chord: axis x normal = chord.
        let (chord, normal) = (DVec3::X * cos - self.normal * sin, self.normal * cos + DVec3::X * sin);
        let Vec6 { linear, angular } = around.through_water;
        let flow = linear + angular.cross(self.position_m);
        let (along, across) = (flow.dot(chord), flow.dot(normal));
        let speed = (along * along + across * across).sqrt();
        let force = normal * (-self.lift * speed * across) - chord * (self.drag * speed * along);
        Vec6::from_force_at(force, self.position_m)
    }

    /// Its place, m, and its normal at rest.
    pub(super) fn plane(&self) -> (DVec3, DVec3) {
        (self.position_m, self.normal)
    }

    /// Upper bound of what a small change of the flow adds to the force, N s/m.
    pub(super) fn slope(&self, reach: &Reach) -> f64 {
        let speed = reach.speed_m_s + reach.turn_rad_s * self.position_m.length();
        2.0 * (self.lift + self.drag) * speed
    }
}
