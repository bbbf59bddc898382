//! A ray over a grid, cell by cell.
//!
//! # Method
//! The ray crosses the columns or the rows of the grid, whichever its direction is steeper in, one after the other (Amanatides and
//! Woo 1987). In each it passes few cells; those that it passes above or below are left out. Places are taken a slack wider than they
//! are, so that no cell is left out by rounding. The walk ends where what comes is farther than the nearest hit.

use super::HeightGrid;
use crate::bounds::{BoxRay, extent};
use crate::ray::{Hit, Ray};
use sim_core::DVec3;

/// The first triangle that a ray meets.
pub fn cast(grid: &HeightGrid, ray: &Ray) -> Option<Hit> {
    let slack_m = grid.bounds.slack_m(ray.origin_m);
    let boxes = BoxRay::new(ray, slack_m);
    let [from_m, to_m] = boxes.span_m(&grid.bounds)?;
    let along = usize::from(ray.direction.y.abs() > ray.direction.x.abs());
    let walk = Walk { grid, ray, slack_m, across: 1 - along };
    let [low_m, high_m] = walk.box_between_m(from_m, to_m);
    let slabs = grid.cells_between(along, [low_m[along], high_m[along]]);
    let mut best: Option<Hit> = None;
    for step in 0..slabs.len() {
        let slab = if ray.direction[along] < 0.0 { slabs.end - 1 - step } else { slabs.start + step };
        let borders_m = [grid.border_m(along, slab), grid.border_m(along, slab + 1)];
        let [enter_m, leave_m] = boxes.span_along_m(along, borders_m);
        let (enter_m, leave_m) = (enter_m.max(from_m), leave_m.min(to_m));
        if best.is_some_and(|hit| hit.distance_m < enter_m) {
            break;
        }
        if enter_m <= leave_m {
            walk.cast_in_slab(slab, walk.box_between_m(enter_m, leave_m), &mut best);
        }
    }
    best
}

struct Walk<'a> {
    grid: &'a HeightGrid,
    ray: &'a Ray,
    slack_m: f64,
    /// The axis along which a slab runs.
    across: usize,
}

impl Walk<'_> {
    /// Corners of the box of the ray between two distances, a slack wider.
    #[inline]
    fn box_between_m(&self, from_m: f64, to_m: f64) -> [DVec3; 2] {
        let (from, to) = (self.ray.at(from_m), self.ray.at(to_m));
        [from.min(to) - self.slack_m, from.max(to) + self.slack_m]
    }

    /// All cells of a column or row that the ray may meet in a box.
    #[inline]
    fn cast_in_slab(&self, slab: usize, [low_m, high_m]: [DVec3; 2], best: &mut Option<Hit>) {
        let Self { grid, ray, across, .. } = *self;
        for place in grid.cells_between(across, [low_m[across], high_m[across]]) {
            let cell = if across == 0 { [place, slab] } else { [slab, place] };
            let heights_m = grid.heights_m(cell);
            let [lowest_m, highest_m] = extent(heights_m);
            if lowest_m <= high_m.z && highest_m >= low_m.z {
                let posts = grid.posts_from_m(cell, heights_m, ray.origin_m);
                HeightGrid::meet_cell(ray, &posts, grid.triangle(cell), best);
            }
        }
    }
}
