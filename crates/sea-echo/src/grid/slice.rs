//! A fan of rays over a grid: the cells that its plane cuts, each with the rays that can meet it.
//!
//! # Method
//! The fan is taken in sectors within a right angle. Its plane crosses the columns or the rows of the grid, whichever it is more across
//! to, in a strip of cells. On the plane a place is fixed by its coordinate across these columns and its height. So is its slope over
//! the middle of the sector: forward and side are linear in both. The slopes of the four extreme places of a cell bound the rays that
//! can meet it; rays are found among their own slopes. Cells are taken from the fan's origin outwards, and rays that have met something
//! nearer are passed over. Places are taken a slack wider than they are, so that no pair is left out by rounding.

use super::HeightGrid;
use crate::bounds::{Bounds, extent};
use crate::fan::{Fan, Sector};
use crate::ray::{Hit, Ray};
use sim_core::DVec3;

/// Planes that are less steep than this, as the horizontal part of their normal, cut too many cells: their rays walk one by one.
const MIN_STEEPNESS: f64 = 0.05;

/// The first triangle that each ray of a fan meets.
pub fn cast_fan(grid: &HeightGrid, fan: &Fan, hits: &mut [Option<Hit>]) {
    let count = fan.rays.len().min(hits.len());
    let (rays, hits) = (&fan.rays[..count], &mut hits[..count]);
    if fan.normal().truncate().length() < MIN_STEEPNESS {
        rays.iter().zip(hits).for_each(|(ray, hit)| *hit = super::walk::cast(grid, ray));
        return;
    }
    hits.fill(None);
    for sector in &fan.sectors {
        let part = sector.rays.start.min(count)..sector.rays.end.min(count);
        let (rays, slopes) = (&rays[part.clone()], &fan.slopes[part.clone()]);
        if let Some(slice) = Slice::new(grid, fan, sector, rays, slopes) {
            slice.cast(&mut hits[part]);
        }
    }
}

/// The rays of a sector over a grid. Places are relative to the fan's origin.
struct Slice<'a> {
    grid: &'a HeightGrid,
    rays: &'a [Ray],
    slopes: &'a [f64],
    origin_m: DVec3,
    slack_m: f64,
    /// Where rays of the sector and heights of the grid are.
    low_m: DVec3,
    high_m: DVec3,
    /// The axis across which strips of cells lie side by side, and the axis along them.
    along: usize,
    across: usize,
    /// On the plane: coordinate along a strip, forward and side of a sector, for a metre along `along` and for a metre of height.
    strip: [f64; 2],
    forward: [f64; 2],
    side: [f64; 2],
}

impl<'a> Slice<'a> {
    /// None if no ray comes near the grid.
    fn new(grid: &'a HeightGrid, fan: &Fan, sector: &Sector, rays: &'a [Ray], slopes: &'a [f64]) -> Option<Self> {
        let origin_m = rays.first()?.origin_m;
        let slack_m = grid.bounds.slack_m(origin_m);
        let ends = Bounds::around(rays.iter().map(|ray| ray.direction * ray.length_m)).with(DVec3::ZERO);
        let low_m = (grid.bounds.low_m - origin_m).max(ends.low_m) - slack_m;
        let high_m = (grid.bounds.high_m - origin_m).min(ends.high_m) + slack_m;
        if !low_m.cmple(high_m).all() {
            return None;
        }
        let normal = fan.normal();
        let across = usize::from(normal.y.abs() > normal.x.abs());
        let along = 1 - across;
        let strip = [-normal[along] / normal[across], -normal.z / normal[across]];
        let on_plane = |way: DVec3| [way[along] + way[across] * strip[0], way.z + way[across] * strip[1]];
        let [forward, side] = fan.middle(sector).map(on_plane);
        Some(Self { grid, rays, slopes, origin_m, slack_m, low_m, high_m, along, across, strip, forward, side })
    }

    /// All strips, the nearest ones to the origin first on either side.
    fn cast(&self, hits: &mut [Option<Hit>]) {
        let origin_m = self.origin_m[self.along];
        let strips = self
            .grid
            .cells_between(self.along, [origin_m + self.low_m[self.along], origin_m + self.high_m[self.along]]);
        let at_origin = self.grid.cells_between(self.along, [f64::NEG_INFINITY, origin_m]).end;
        let start = at_origin.clamp(strips.start, strips.end.max(strips.start));
        (start..strips.end).for_each(|strip| self.cast_in_strip(strip, hits));
        (strips.start..start).rev().for_each(|strip| self.cast_in_strip(strip, hits));
    }

    /// The cells of a strip that the plane cuts.
    fn cast_in_strip(&self, strip: usize, hits: &mut [Option<Hit>]) {
        let Self { grid, along, across, slack_m, .. } = *self;
        let border_m = |number| grid.border_m(along, number) - self.origin_m[along];
        let [low_m, high_m] = [border_m(strip) - slack_m, border_m(strip + 1) + slack_m];
        let places = self.along_strip_m([low_m, high_m], [self.low_m.z, self.high_m.z]);
        let low_place = places[0].max(self.low_m[across]) + self.origin_m[across];
        let high_place = places[1].min(self.high_m[across]) + self.origin_m[across];
        if low_place > high_place {
            return;
        }
        for place in grid.cells_between(across, [low_place, high_place]) {
            let cell = if across == 0 { [place, strip] } else { [strip, place] };
            self.cast_in_cell(cell, [low_m, high_m], hits);
        }
    }

    /// Where the plane may be along a strip, between two borders of it and two heights.
    fn along_strip_m(&self, borders_m: [f64; 2], heights_m: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = [borders_m.map(|border| border * self.strip[0]), heights_m.map(|z| z * self.strip[1])];
        [a.min(b) + c.min(d) - self.slack_m, a.max(b) + c.max(d) + self.slack_m]
    }

    /// The rays that may meet a cell between two borders of its strip.
    fn cast_in_cell(&self, cell: [usize; 2], borders_m: [f64; 2], hits: &mut [Option<Hit>]) {
        let posts = self.grid.posts_m(cell).map(|post_m| post_m - self.origin_m);
        let [lowest_m, highest_m] = extent(posts.map(|post| post.z));
        let heights_m = [self.low_m.z.max(lowest_m - self.slack_m), self.high_m.z.min(highest_m + self.slack_m)];
        let cut = self.along_strip_m(borders_m, heights_m);
        let [first, last] = [posts[0][self.across], posts[3][self.across]];
        if heights_m[0] > heights_m[1] || cut[0] > last || cut[1] < first {
            return;
        }
        let (near_m, [low, high]) = self.slopes_of(borders_m, heights_m);
        let start = self.slopes.partition_point(|&slope| slope < low);
        let triangle = self.grid.triangle(cell);
        for ((ray, &slope), hit) in self.rays.iter().zip(self.slopes).zip(hits).skip(start) {
            if slope > high {
                break;
            }
            if hit.is_none_or(|hit| hit.distance_m >= near_m) {
                HeightGrid::meet_cell(ray, &posts, triangle, hit);
            }
        }
    }

    /// Least distance to a part of the plane between two borders and two heights, and the slopes between which it is seen.
    #[inline]
    fn slopes_of(&self, [first, last]: [f64; 2], [low_z, high_z]: [f64; 2]) -> (f64, [f64; 2]) {
        let extremes = [[first, low_z], [first, high_z], [last, low_z], [last, high_z]];
        let at = |by: [f64; 2]| extremes.map(|[place, z]| by[0] * place + by[1] * z);
        let (forward, side) = (at(self.forward), at(self.side));
        let [nearest_m, farthest_m] = extent(forward);
        if nearest_m > self.slack_m {
            return (nearest_m, extent([0, 1, 2, 3].map(|corner| side[corner] / forward[corner])));
        }
        // It reaches the line across the sector through the origin: either all of it is behind, or any ray may meet it.
        let is_behind = farthest_m < -self.slack_m;
        (0.0, if is_behind { [f64::INFINITY, f64::NEG_INFINITY] } else { [f64::NEG_INFINITY, f64::INFINITY] })
    }
}
