//! Rectangles on the mat that bodies and walls cover.

use crate::engine::BodyState;
use crate::params::{BodyParams, CubeStart, Wall};
use crate::{frame, geometry};
use glam::DVec3;
use sim_core::{DVec2, angle};

/// A rectangle in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Its middle, m.
    pub middle_m: DVec2,
    /// Unit vector along its first side.
    pub along: DVec2,
    /// Half of its first and of its second side, m.
    pub half_m: DVec2,
}

impl Footprint {
    /// The square under a cube.
    #[must_use]
    pub fn from_start(start: &CubeStart) -> Self {
        Self::from_axle(start.axle_m, start.heading_rad)
    }

    /// The same by the middle of its axle and its heading.
    #[must_use]
    pub fn from_axle(axle_m: DVec2, heading_rad: f64) -> Self {
        let along = angle::unit(heading_rad);
        let middle_m = axle_m - along * geometry::AXLE_AHEAD_M;
        Self { middle_m, along, half_m: DVec2::splat(0.5 * geometry::FOOTPRINT_M) }
    }

    /// The least rectangle along a body's heading that holds all of its box, however it is turned.
    pub(crate) fn from_body(params: &BodyParams, body: &BodyState) -> Self {
        let turned = |v: DVec3| body.world_from_body * v;
        let forward = frame::plane_from_world(turned(DVec3::X));
        let along = forward.normalize_or(DVec2::X);
        let half = 0.5 * geometry::FOOTPRINT_M;
        let half_height_m = 0.5 * (params.top_height_m - geometry::CLEARANCE_M);
        let middle = DVec3::Z * (geometry::CLEARANCE_M + half_height_m - geometry::BODY_CENTRE_HEIGHT_M);
        let sides = [DVec3::X * half, DVec3::Y * half, DVec3::Z * half_height_m].map(turned);
        let reach_m =
            |axis: DVec2| sides.iter().map(|&side| frame::plane_from_world(side).dot(axis).abs()).sum::<f64>();
        let middle_m = frame::plane_from_world(body.position_m + turned(middle));
        Self { middle_m, along, half_m: DVec2::new(reach_m(along), reach_m(along.perp())) }
    }

    /// The rectangle under a wall.
    #[must_use]
    pub fn from_wall(wall: &Wall) -> Self {
        let way_m = wall.to_m - wall.from_m;
        let half_m = 0.5 * DVec2::new(way_m.length(), wall.thickness_m);
        Self { middle_m: 0.5 * (wall.from_m + wall.to_m), along: way_m.normalize_or(DVec2::X), half_m }
    }

    /// True unless one of the four side directions separates the two rectangles. Rectangles that touch do not overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let between_m = other.middle_m - self.middle_m;
        let separates = |axis: DVec2| axis.dot(between_m).abs() >= self.reach_m(axis) + other.reach_m(axis);
        ![self.along, self.along.perp(), other.along, other.along.perp()].into_iter().any(separates)
    }

    /// Its corners, m, one after the other.
    #[must_use]
    pub fn corners_m(&self) -> [DVec2; 4] {
        let (along, across) = (self.along * self.half_m.x, self.along.perp() * self.half_m.y);
        [along + across, across - along, -along - across, along - across].map(|arm| self.middle_m + arm)
    }

    /// Half of its extent along a unit vector.
    fn reach_m(&self, axis: DVec2) -> f64 {
        self.half_m.x * axis.dot(self.along).abs() + self.half_m.y * axis.perp_dot(self.along).abs()
    }
}
