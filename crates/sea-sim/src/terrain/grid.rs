//! A grid of heights.

use super::Ground;
use sim_core::{DVec2, DVec3, ParamError};

/// Most heights of a grid: 400 MB.
pub(super) const MAX_POSTS: usize = 50_000_000;

/// What a piece of bottom is made of: a number whose meaning the caller knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material(pub u8);

/// A grid of heights.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightGridParams {
    /// Place of the south-western post, m.
    pub origin_m: DVec2,
    /// Distance between two posts, m, 0.001 to 100 000.
    pub cell_m: f64,
    /// Number of posts from west to east, 2 or more.
    pub columns: usize,
    /// Number of posts from south to north, 2 or more.
    pub rows: usize,
    /// Heights, m, -12 000 to 12 000: row by row from south, in a row from west to east.
    pub heights_m: Vec<f64>,
    /// Materials of the cells in the same order, (columns - 1) by (rows - 1); a single one is that of all.
    pub materials: Vec<Material>,
}

/// A checked grid. A cell is two triangles; they meet at the diagonal from its south-western to its north-eastern post.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightGrid {
    params: HeightGridParams,
}

/// A cell by the column and row of its south-western post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub column: usize,
    pub row: usize,
}

impl HeightGrid {
    /// Checks the grid.
    ///
    /// # Errors
    /// If the number of heights or materials is not that of the grid, or a value is out of its range.
    pub fn new(params: HeightGridParams) -> Result<Self, ParamError> {
        let HeightGridParams { columns, rows, .. } = params;
        ParamError::check_range("origin_m", params.origin_m.x, -1e7, 1e7)?;
        ParamError::check_range("origin_m", params.origin_m.y, -1e7, 1e7)?;
        ParamError::check_range("cell_m", params.cell_m, 0.001, 100_000.0)?;
        for (field, count) in [("columns", columns), ("rows", rows)] {
            if count < 2 {
                return Err(ParamError::new(field, format!("is {count}, must be 2 or more")));
            }
        }
        let posts = columns.checked_mul(rows).filter(|&posts| posts <= MAX_POSTS);
        if posts != Some(params.heights_m.len()) {
            let message = format!(
                "has {} heights, must have {rows} rows of {columns} and at most {MAX_POSTS} in all",
                params.heights_m.len()
            );
            return Err(ParamError::new("heights_m", message));
        }
        check_heights(&params)?;
        let cells = (columns - 1) * (rows - 1);
        if params.materials.len() != 1 && params.materials.len() != cells {
            let message = format!("has {} entries, must have 1 or {cells}", params.materials.len());
            return Err(ParamError::new("materials", message));
        }
        Ok(Self { params })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &HeightGridParams {
        &self.params
    }

    /// South-western and north-eastern corners, m.
    #[must_use]
    pub fn span_m(&self) -> [DVec2; 2] {
        let HeightGridParams { origin_m, cell_m, columns, rows, .. } = self.params;
        [origin_m, origin_m + cell_m * DVec2::new((columns - 1) as f64, (rows - 1) as f64)]
    }

    /// The bottom under (x, y), m; none beyond the border.
    #[must_use]
    pub fn ground(&self, x_m: f64, y_m: f64) -> Option<Ground> {
        let cell = self.cell_at(x_m, y_m)?;
        let [south_west, south_east, north_west, north_east] = self.corners(cell);
        let cell_m = self.params.cell_m;
        let (u, v) = ((x_m - south_west.x) / cell_m, (y_m - south_west.y) / cell_m);
        let (along_x, along_y) = if u >= v {
            (south_east.z - south_west.z, north_east.z - south_east.z)
        } else {
            (north_east.z - north_west.z, north_west.z - south_west.z)
        };
        let normal = DVec3::new(-along_x / cell_m, -along_y / cell_m, 1.0).normalize();
        let z_m = south_west.z + u * along_x + v * along_y;
        Some(Ground { z_m, normal, material: self.material(cell) })
    }

    /// Material of a cell.
    pub(crate) fn material(&self, cell: Cell) -> Material {
        let index = cell.row * (self.params.columns - 1) + cell.column;
        self.params.materials.get(index).or(self.params.materials.first()).copied().unwrap_or_default()
    }

    /// The cell that holds (x, y); posts and edges belong to the cell north-east of them, those of the far borders to the last cell.
    pub(crate) fn cell_at(&self, x_m: f64, y_m: f64) -> Option<Cell> {
        let HeightGridParams { origin_m, cell_m, columns, rows, .. } = self.params;
        let along = |offset: f64, posts: usize| {
            let at = offset / cell_m;
            (at >= 0.0 && at <= (posts - 1) as f64).then(|| (at as usize).min(posts - 2))
        };
        Some(Cell { column: along(x_m - origin_m.x, columns)?, row: along(y_m - origin_m.y, rows)? })
    }

    /// A post.
    pub(crate) fn post(&self, column: usize, row: usize) -> DVec3 {
        let HeightGridParams { origin_m, cell_m, columns, ref heights_m, .. } = self.params;
        let height_m = heights_m[row * columns + column];
        DVec3::new(origin_m.x + cell_m * column as f64, origin_m.y + cell_m * row as f64, height_m)
    }

    /// The post so many columns and rows from the south-western one of a cell; none beyond the border.
    pub(crate) fn post_beside(&self, cell: Cell, columns: isize, rows: isize) -> Option<DVec3> {
        let column = cell.column.checked_add_signed(columns).filter(|&column| column < self.params.columns)?;
        let row = cell.row.checked_add_signed(rows).filter(|&row| row < self.params.rows)?;
        Some(self.post(column, row))
    }

    /// First and last cell of those that a rectangle touches; none if it lies beyond the border.
    pub(crate) fn cells_between(&self, low_m: DVec2, high_m: DVec2) -> Option<[Cell; 2]> {
        let [south_west, north_east] = self.span_m();
        let (low, high) = (low_m.max(south_west), high_m.min(north_east));
        if !(low.x <= high.x && low.y <= high.y) {
            return None;
        }
        Some([self.cell_at(low.x, low.y)?, self.cell_at(high.x, high.y)?])
    }

    /// South-western, south-eastern, north-western and north-eastern posts of a cell.
    pub(crate) fn corners(&self, Cell { column, row }: Cell) -> [DVec3; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, north)| self.post(column + east, row + north))
    }

    /// The two triangles of a cell, the southern one first, corners counter-clockwise seen from above.
    pub(crate) fn triangles(&self, cell: Cell) -> [[DVec3; 3]; 2] {
        let [south_west, south_east, north_west, north_east] = self.corners(cell);
        [[south_west, south_east, north_east], [south_west, north_east, north_west]]
    }
}

fn check_heights(params: &HeightGridParams) -> Result<(), ParamError> {
    let bad = params.heights_m.iter().position(|height| !(-12_000.0..=12_000.0).contains(height));
    bad.map_or(Ok(()), |index| {
        let (row, column, height) = (index / params.columns, index % params.columns, params.heights_m[index]);
        let message = format!("has {height} in row {row}, column {column}, must be from -12000 to 12000");
        Err(ParamError::new("heights_m", message))
    })
}
