//! A grid of heights, and rays that walk over it.

mod slice;
mod sweep;
mod walk;

use crate::bounds::Bounds;
use crate::fan::Fan;
use crate::ray::{Hit, MAX_COORDINATE_M, Ray, edge};
use crate::surface::Surface;
use sim_core::{DVec2, DVec3, ParamError};
use std::ops::Range;

/// Most heights of a grid: 400 MB.
const MAX_POSTS: usize = 50_000_000;
/// Cells along a side of the blocks whose extents of heights are kept.
const BLOCK: usize = 8;
/// Heights, m.
const HEIGHTS_M: [f64; 2] = [-12_000.0, 12_000.0];

/// A checked grid of heights. A cell is two triangles; they meet at the diagonal from its south-western to its north-eastern post.
///
/// Triangles count cell by cell, row by row from south, in a row from west to east; the southern triangle of a cell comes first.
#[derive(Clone, Debug)]
pub struct HeightGrid {
    origin_m: DVec2,
    cell_m: f64,
    /// Number of cells from west to east and from south to north.
    cells: [usize; 2],
    heights_m: Vec<f64>,
    /// Least and greatest height of each block of cells, row by row from south.
    blocks_m: Vec<[f64; 2]>,
    bounds: Bounds,
}

impl HeightGrid {
    /// A grid of so many columns: the place of its south-western post, m, the distance between posts, m, and the heights of the posts, m,
    /// row by row from south, in a row from west to east.
    ///
    /// # Errors
    /// If there are fewer than 2 columns or rows, more than 5e7 posts, a row that is not full, a cell that is not from 0.001 to 100 000 m,
    /// a border that is not from -1e7 to 1e7 m, or a height that is not from -12 000 to 12 000 m.
    pub fn new(origin_m: DVec2, cell_m: f64, columns: usize, heights_m: Vec<f64>) -> Result<Self, ParamError> {
        ParamError::check_range("cell_m", cell_m, 0.001, 100_000.0)?;
        if heights_m.len() > MAX_POSTS {
            let message = format!("has {} heights, must have at most {MAX_POSTS}", heights_m.len());
            return Err(ParamError::new("heights_m", message));
        }
        if columns < 2 || heights_m.len() < 2 * columns || !heights_m.len().is_multiple_of(columns) {
            let message = format!("has {} heights, must have 2 or more full rows of {columns} >= 2", heights_m.len());
            return Err(ParamError::new("heights_m", message));
        }
        let is_wrong = |height_m: &f64| ParamError::check_within("heights_m", *height_m, HEIGHTS_M).is_err();
        if let Some(index) = heights_m.iter().position(is_wrong) {
            let (row, column, height_m) = (index / columns, index % columns, heights_m[index]);
            let message = format!("has {height_m} in row {row}, column {column}, must be from -12000 to 12000");
            return Err(ParamError::new("heights_m", message));
        }
        let cells = [columns - 1, heights_m.len() / columns - 1];
        let blocks_m = blocks_m(cells, &heights_m);
        let mut grid = Self { origin_m, cell_m, cells, heights_m, blocks_m, bounds: Bounds::EMPTY };
        grid.bounds = Bounds::around([grid.post_m(0, 0), grid.post_m(cells[0], cells[1])]);
        for border_m in [grid.bounds.low_m, grid.bounds.high_m] {
            ParamError::check_range("origin_m", border_m.x, -MAX_COORDINATE_M, MAX_COORDINATE_M)?;
            ParamError::check_range("origin_m", border_m.y, -MAX_COORDINATE_M, MAX_COORDINATE_M)?;
        }
        for &height_m in &grid.heights_m {
            grid.bounds.low_m.z = grid.bounds.low_m.z.min(height_m);
            grid.bounds.high_m.z = grid.bounds.high_m.z.max(height_m);
        }
        Ok(grid)
    }

    /// Column and row of the cell that a triangle is part of, counted from its south-western post.
    #[must_use]
    pub fn cell_of(&self, triangle: u32) -> [usize; 2] {
        let cell = triangle as usize / 2;
        [cell % self.cells[0], cell / self.cells[0]]
    }

    fn post_m(&self, column: usize, row: usize) -> DVec3 {
        let [x_m, y_m] = [self.border_m(0, column), self.border_m(1, row)];
        DVec3::new(x_m, y_m, self.heights_m[row * (self.cells[0] + 1) + column])
    }

    /// Where the posts of a column (axis 0) or a row (axis 1) stand on their axis.
    #[inline]
    fn border_m(&self, axis: usize, number: usize) -> f64 {
        self.origin_m[axis] + self.cell_m * number as f64
    }

    /// Columns (axis 0) or rows (axis 1) of cells from one place on their axis to another.
    #[inline]
    fn cells_between(&self, axis: usize, [low_m, high_m]: [f64; 2]) -> Range<usize> {
        let number = |place_m: f64| (place_m - self.origin_m[axis]) / self.cell_m;
        let (first, last) = (number(low_m), number(high_m));
        let end = if last < 0.0 { 0 } else { (last as usize + 1).min(self.cells[axis]) };
        (first as usize).min(end)..end
    }

    /// Number of the southern triangle of a cell.
    fn triangle(&self, [column, row]: [usize; 2]) -> u32 {
        (2 * (row * self.cells[0] + column)) as u32
    }

    /// Heights of the south-western, south-eastern, north-western and north-eastern posts of a cell.
    #[inline]
    fn heights_m(&self, [column, row]: [usize; 2]) -> [f64; 4] {
        let (columns, south_west) = (self.cells[0] + 1, row * (self.cells[0] + 1) + column);
        let [south, north] = [south_west, south_west + columns].map(|first| &self.heights_m[first..first + 2]);
        [south[0], south[1], north[0], north[1]]
    }

    /// Least and greatest height of the block of a cell.
    #[inline]
    fn block_extent_m(&self, [column, row]: [usize; 2]) -> [f64; 2] {
        self.blocks_m[row / BLOCK * self.cells[0].div_ceil(BLOCK) + column / BLOCK]
    }

    /// The same posts seen from a place: their coordinates along each axis.
    #[inline]
    fn posts_from_m(&self, cell: [usize; 2], [a, b, c, d]: [f64; 4], origin_m: DVec3) -> [[f64; 4]; 3] {
        let border_m = |axis: usize, number: usize| self.border_m(axis, number) - origin_m[axis];
        let (west, east) = (border_m(0, cell[0]), border_m(0, cell[0] + 1));
        let (south, north) = (border_m(1, cell[1]), border_m(1, cell[1] + 1));
        let heights = [a - origin_m.z, b - origin_m.z, c - origin_m.z, d - origin_m.z];
        [[west, east, west, east], [south, south, north, north], heights]
    }

    /// Keeps the nearest of the hits of a ray and both triangles of a cell, whose posts are seen from the ray's origin.
    #[inline]
    fn meet_cell(ray: &Ray, posts: &[[f64; 4]; 3], triangle: u32, best: &mut Option<Hit>) {
        let [south_west, south_east, north_west, north_east] = ray.sheared_four(posts);
        // Both triangles have this edge: once forward, once backward.
        let diagonal = edge(south_west, north_east);
        let south = [edge(north_east, south_east), diagonal, edge(south_east, south_west)];
        let north = [edge(north_west, north_east), edge(south_west, north_west), -diagonal];
        Hit::keep_nearer(best, ray.meets_by_edges([south_west, south_east, north_east], south), triangle);
        Hit::keep_nearer(best, ray.meets_by_edges([south_west, north_east, north_west], north), triangle + 1);
    }
}

/// Least and greatest height of each block of a grid of so many cells, the posts on its borders included.
fn blocks_m(cells: [usize; 2], heights_m: &[f64]) -> Vec<[f64; 2]> {
    let [columns, rows] = cells.map(|count| count.div_ceil(BLOCK));
    let extent_m = |block: usize| {
        let from = [block % columns * BLOCK, block / columns * BLOCK];
        let to = [0, 1].map(|axis: usize| (from[axis] + BLOCK).min(cells[axis]));
        let posts = (from[1]..=to[1]).flat_map(|row| &heights_m[row * (cells[0] + 1)..][from[0]..=to[0]]);
        posts.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &height_m| [low.min(height_m), high.max(height_m)])
    };
    (0..columns * rows).map(extent_m).collect()
}

impl Surface for HeightGrid {
    fn triangle_count(&self) -> u32 {
        (2 * self.cells[0] * self.cells[1]) as u32
    }

    fn corners_m(&self, triangle: u32) -> [DVec3; 3] {
        let [column, row] = self.cell_of(triangle);
        let third = if triangle.is_multiple_of(2) { [1, 0] } else { [0, 1] };
        let [south_west, north_east, third] =
            [[0, 0], [1, 1], third].map(|[east, north]| self.post_m(column + east, row + north));
        if triangle.is_multiple_of(2) { [south_west, third, north_east] } else { [south_west, north_east, third] }
    }

    fn cast(&self, ray: &Ray) -> Option<Hit> {
        walk::cast(self, ray)
    }

    fn cast_fan(&self, fan: &Fan, hits: &mut [Option<Hit>]) {
        slice::cast_fan(self, fan, hits);
    }
}
