//! One ray at a time: along the cells that it passes, from the lidar outwards, until what was hit is nearer than all cells to come.

use super::sight::{Sight, larger};
use crate::map::{Segment, SegmentMap};
use crate::traffic::Traffic;
use sim_core::DVec2;

/// A hit is not computed nearer than it is by more than this share of it and this distance: see the errors in `sight`.
const NEARER_BY_ROUNDING: f64 = 1e-6;
const NEARER_BY_ROUNDING_M: f64 = 1e-9;

/// One ray in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beam {
    pub origin_m: DVec2,
    pub direction: DVec2,
    pub range_max_m: f64,
}

impl Beam {
    /// Inverse range of one segment.
    pub fn inverse_range(&self, segment: &Segment) -> f64 {
        let (from, to) = (segment.from_m - self.origin_m, segment.to_m - self.origin_m);
        Sight::new(from, to, segment.span_m()).inverse_range(self.direction)
    }

    /// Largest inverse range, of what was hit before and of the map.
    pub fn into_map(self, map: &SegmentMap, hit: f64) -> f64 {
        let (cell_index, mut nearest) = (map.cell_index(), hit);
        cell_index.cells().walk(&self.path(), 0.0, |cell, nearest_m| {
            for &number in cell_index.in_cell(cell) {
                nearest = larger(nearest, self.inverse_range(&map.segments()[number as usize]));
            }
            !ends_before(nearest, surely_m(nearest_m))
        });
        nearest
    }

    /// Largest inverse range, of what was hit before and of all cars but one.
    pub fn into_traffic(self, traffic: &Traffic, own_car: Option<usize>, hit: f64) -> f64 {
        let (cell_index, mut nearest) = (traffic.cell_index(), hit);
        cell_index.cells().walk(&self.path(), traffic.radius_m(), |cell, nearest_m| {
            for &car in cell_index.in_cell(cell) {
                if Some(car as usize) != own_car && !self.passes(traffic.center_m(car), traffic.radius_m()) {
                    let edges = traffic.outlines()[car as usize].edges();
                    nearest = edges.iter().fold(nearest, |nearest, edge| larger(nearest, self.inverse_range(edge)));
                }
            }
            !ends_before(nearest, surely_m(nearest_m))
        });
        nearest
    }

    fn path(&self) -> Segment {
        Segment::new(self.origin_m, self.origin_m + self.direction * in_range_m(self.range_max_m))
    }

    /// True if the ray's line passes by a circle.
    fn passes(&self, center_m: DVec2, radius_m: f64) -> bool {
        surely_m(self.direction.perp_dot(center_m - self.origin_m).abs()) > radius_m
    }
}

/// A hit at `nearest_m` or farther is surely not computed nearer than this.
#[inline]
pub(super) fn surely_m(nearest_m: f64) -> f64 {
    nearest_m * (1.0 - NEARER_BY_ROUNDING) - NEARER_BY_ROUNDING_M
}

/// A hit that is farther away than this is surely not computed to be within the range.
#[inline]
pub(super) fn in_range_m(range_max_m: f64) -> f64 {
    range_max_m * (1.0 + 2.0 * NEARER_BY_ROUNDING) + 2.0 * NEARER_BY_ROUNDING_M
}

/// True if a ray ends before a distance; of a distance that is not above zero, never. A product rounds by far less than distances are
/// taken shorter.
#[inline]
pub(super) fn ends_before(inverse: f64, surely_m: f64) -> bool {
    inverse * surely_m > 1.0
}
