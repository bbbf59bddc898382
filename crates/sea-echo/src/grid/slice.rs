//! A fan of rays over a grid: the cells that its plane cuts, each with the rays that can meet it.
//!
//! # Method
//! The fan is taken in sectors within a right angle. Its plane crosses the columns or the rows of the grid, whichever it is more across
//! to, in a strip of cells. On the plane a place is fixed by its coordinate across these columns and its height. So is its slope over
//! the middle of the sector: forward and side are linear in both. The slopes of the four extreme places of a cell bound the rays that
//! can meet it; rays are found among their own slopes. Cells are taken from the fan's origin outwards, and rays that have met something
//! nearer are passed over. Where the plane leans, it cuts more cells of a strip the more their heights differ; so the heights of blocks
//! of cells say which ones to look at. Places are taken a slack wider than they are, so that no pair is left out by rounding.

use super::{BLOCK, HeightGrid};
use crate::bounds::extent;
use crate::fan::{Fan, Sector};
use crate::ray::{Hit, Ray};
use sim_core::DVec3;
use std::ops::Range;

/// Planes that are less steep than this, as the horizontal part of their normal, cut too many cells: their rays walk one by one.
const MIN_STEEPNESS: f64 = 0.05;

/// How many strips on either side pass until the fan checks whether all its rays have ended before the next ones.
const CHECKED: usize = 4;

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
        let ends = fan.bounds_of(sector);
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

    /// All strips, from the origin outwards on both sides, until every ray has met something before what comes.
    fn cast(&self, hits: &mut [Option<Hit>]) {
        let Self { grid, along, origin_m, .. } = *self;
        let reach_m = [origin_m[along] + self.low_m[along], origin_m[along] + self.high_m[along]];
        let strips = grid.cells_between(along, reach_m);
        let start = grid.cells_between(along, [f64::NEG_INFINITY, origin_m[along]]).end;
        let start = start.clamp(strips.start, strips.end);
        for step in 0..(strips.end - start).max(start - strips.start) {
            if step % CHECKED == CHECKED - 1 {
                let near_m = (step - 1) as f64 * grid.cell_m - self.slack_m;
                if self.ends_before(near_m, hits) {
                    return;
                }
            }
            if start + step < strips.end {
                self.cast_in_strip(start + step, hits);
            }
            if start > strips.start + step {
                self.cast_in_strip(start - step - 1, hits);
            }
        }
    }

    /// Whether every ray has met something nearer than so far across the strips.
    fn ends_before(&self, near_m: f64, hits: &[Option<Hit>]) -> bool {
        let met_m = |ray: &Ray, hit: Hit| hit.distance_m * ray.direction[self.along].abs();
        self.rays.iter().zip(hits).rev().all(|(ray, hit)| hit.is_some_and(|hit| met_m(ray, hit) < near_m))
    }

    /// The cells of a strip that the plane cuts, block by block.
    fn cast_in_strip(&self, strip: usize, hits: &mut [Option<Hit>]) {
        let Self { grid, along, across, slack_m, .. } = *self;
        let border_m = |number| grid.border_m(along, number) - self.origin_m[along];
        let borders_m = [border_m(strip) - slack_m, border_m(strip + 1) + slack_m];
        let cell_at = |place| if across == 0 { [place, strip] } else { [strip, place] };
        let all = self.cells_of_strip(borders_m, [self.low_m.z, self.high_m.z]);
        let mut next = all.start;
        while next < all.end {
            let end = (next / BLOCK * BLOCK + BLOCK).min(all.end);
            let heights_m = self.seen_m(grid.block_extent_m(cell_at(next)));
            let cut = self.cells_of_strip(borders_m, heights_m);
            for place in cut.start.max(next)..cut.end.min(end) {
                self.cast_in_cell(cell_at(place), borders_m, hits);
            }
            next = end;
        }
    }

    /// The part of an extent of heights that rays of the sector reach, from the origin.
    #[inline]
    fn seen_m(&self, [lowest_m, highest_m]: [f64; 2]) -> [f64; 2] {
        let (low_z, high_z) = (lowest_m - self.origin_m.z - self.slack_m, highest_m - self.origin_m.z + self.slack_m);
        [low_z.max(self.low_m.z), high_z.min(self.high_m.z)]
    }

    /// The cells along a strip where the plane may be between two borders of it and two heights.
    #[inline]
    fn cells_of_strip(&self, borders_m: [f64; 2], heights_m: [f64; 2]) -> Range<usize> {
        let Self { across, origin_m, .. } = *self;
        let [from_m, to_m] = self.along_strip_m(borders_m, heights_m);
        let (from_m, to_m) = (from_m.max(self.low_m[across]), to_m.min(self.high_m[across]));
        if heights_m[0] > heights_m[1] || from_m > to_m {
            return 0..0;
        }
        self.grid.cells_between(across, [from_m + origin_m[across], to_m + origin_m[across]])
    }

    /// Where the plane may be along a strip, between two borders of it and two heights.
    #[inline]
    fn along_strip_m(&self, [first, last]: [f64; 2], [low_z, high_z]: [f64; 2]) -> [f64; 2] {
        let (a, b) = (first * self.strip[0], last * self.strip[0]);
        let (c, d) = (low_z * self.strip[1], high_z * self.strip[1]);
        [a.min(b) + c.min(d) - self.slack_m, a.max(b) + c.max(d) + self.slack_m]
    }

    /// The rays that may meet a cell between two borders of its strip.
    #[inline]
    fn cast_in_cell(&self, cell: [usize; 2], borders_m: [f64; 2], hits: &mut [Option<Hit>]) {
        let Self { grid, across, origin_m, .. } = *self;
        let heights_m = grid.heights_m(cell);
        let [low_z, high_z] = self.seen_m(extent(heights_m));
        let [from_m, to_m] = self.along_strip_m(borders_m, [low_z, high_z]);
        let border_m = |number| grid.border_m(across, number) - origin_m[across];
        if low_z > high_z || from_m > border_m(cell[across] + 1) || to_m < border_m(cell[across]) {
            return;
        }
        let [low, high] = self.slopes_of(borders_m, [low_z, high_z]);
        let start = self.slopes.partition_point(|&slope| slope < low);
        if self.slopes.get(start).is_none_or(|&slope| slope > high) {
            return;
        }
        let near_m2 = square_to_zero(borders_m) + square_to_zero([low_z, high_z]);
        let posts = grid.posts_from_m(cell, heights_m, origin_m);
        let triangle = grid.triangle(cell);
        let (rays, slopes) = (&self.rays[start..], &self.slopes[start..]);
        for ((ray, &slope), hit) in rays.iter().zip(slopes).zip(&mut hits[start..]) {
            if slope > high {
                break;
            }
            if hit.is_none_or(|hit| hit.distance_m * hit.distance_m >= near_m2) {
                HeightGrid::meet_cell(ray, &posts, triangle, hit);
            }
        }
    }

    /// The slopes between which a part of the plane is seen, between two borders and two heights.
    #[inline]
    fn slopes_of(&self, [first, last]: [f64; 2], [low_z, high_z]: [f64; 2]) -> [f64; 2] {
        let at = |by: [f64; 2]| {
            let (first, last, low, high) = (by[0] * first, by[0] * last, by[1] * low_z, by[1] * high_z);
            [first + low, first + high, last + low, last + high]
        };
        let (forward, side) = (at(self.forward), at(self.side));
        let [nearest_m, farthest_m] = extent(forward);
        if nearest_m > self.slack_m {
            let slope = |corner: usize| side[corner] / forward[corner];
            return extent([slope(0), slope(1), slope(2), slope(3)]);
        }
        // It reaches the line across the sector through the origin: either all of it is behind, or any ray may meet it.
        if farthest_m < -self.slack_m { [f64::INFINITY, f64::NEG_INFINITY] } else { [f64::NEG_INFINITY, f64::INFINITY] }
    }
}

/// Square of the least distance from 0 to a span.
#[inline]
fn square_to_zero([low, high]: [f64; 2]) -> f64 {
    let distance = low.max(-high).max(0.0);
    distance * distance
}
