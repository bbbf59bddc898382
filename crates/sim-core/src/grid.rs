//! A uniform grid: points sorted into cells, so that those near a place are found without looking at all.
//!
//! Buffers are kept from call to call: after the first calls nothing is allocated.

use crate::{DVec2, Ones};
use std::ops::{Range, RangeInclusive};
use wide::f64x4;

/// Distances that are compared side by side.
const LANES: usize = 4;
/// Largest number of columns, and of rows, less one.
const MAX_COLUMNS: f64 = 1024.0;

/// Points sorted into cells, row by row of them: those of neighbouring cells of a row stand side by side.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    origin_mm: DVec2,
    cell_mm: DVec2,
    cells_per_mm: DVec2,
    columns: usize,
    rows: usize,
    /// The cell of each point.
    cells: Vec<u32>,
    /// Points of cell `c` stand at `start[c]..start[c + 1]`.
    start: Vec<u32>,
    ids: Vec<u32>,
    /// Three more than there are points, so that four can be read from each one on.
    x_mm: Vec<f64>,
    y_mm: Vec<f64>,
}

/// Points of a [`Grid`] that stand side by side.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    /// Place of the first one in the order of the grid.
    pub first: usize,
    /// Numbers of the points.
    pub ids: &'a [u32],
    /// Their places, mm.
    pub x_mm: &'a [f64],
    /// Their places, mm.
    pub y_mm: &'a [f64],
}

impl<'a> Span<'a> {
    /// The points with their places, mm.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u32, DVec2)> + use<'a> {
        let places = self.x_mm.iter().zip(self.y_mm).map(|(&x, &y)| DVec2::new(x, y));
        self.ids.iter().copied().zip(places)
    }

    /// Visits the points with a distance from `p` of at most `distance_mm`, the reach of `p` and their own, in their order. `slot_reach_mm`
    /// has the reaches of all points of the grid.
    #[inline]
    pub fn for_each_in_reach(
        &self,
        p: DVec2,
        distance_mm: f64,
        reach_mm: f64,
        slot_reach_mm: &[f64],
        mut visit: impl FnMut(u32),
    ) {
        let (reach_fours, reach_rest) = slot_reach_mm[self.first..][..self.ids.len()].as_chunks();
        let ((x_fours, x_rest), (y_fours, y_rest)) = (self.x_mm.as_chunks(), self.y_mm.as_chunks());
        let (id_fours, id_rest) = self.ids.as_chunks::<LANES>();
        let (x, y) = (f64x4::splat(p.x), f64x4::splat(p.y));
        for (((ids, &x_mm), &y_mm), &reaches_mm) in id_fours.iter().zip(x_fours).zip(y_fours).zip(reach_fours) {
            let (dx, dy) = (f64x4::new(x_mm) - x, f64x4::new(y_mm) - y);
            let limits_mm = distance_mm + (reach_mm + f64x4::new(reaches_mm));
            let near = (dx * dx + dy * dy).simd_le(limits_mm * limits_mm).to_bitmask();
            Ones(u64::from(near)).for_each(|lane| visit(ids[lane as usize]));
        }
        for (((&id, &x_mm), &y_mm), &other_mm) in id_rest.iter().zip(x_rest).zip(y_rest).zip(reach_rest) {
            let limit_mm = distance_mm + (reach_mm + other_mm);
            if DVec2::new(x_mm, y_mm).distance_squared(p) <= limit_mm * limit_mm {
                visit(id);
            }
        }
    }

    /// The points at these places in the span.
    #[inline]
    pub fn part(&self, range: Range<usize>) -> Self {
        let first = self.first + range.start;
        Self { first, ids: &self.ids[range.clone()], x_mm: &self.x_mm[range.clone()], y_mm: &self.y_mm[range] }
    }
}

impl Grid {
    /// Sorts the points into square cells as wide as a radius, for all that asks for points within it.
    pub fn rebuild(&mut self, positions_mm: &[DVec2], radius_mm: f64) {
        self.rebuild_cells(positions_mm, DVec2::splat(radius_mm));
    }

    /// Sorts the points into cells of some size along x and y, mm. Those are larger where the points are far apart.
    pub fn rebuild_cells(&mut self, positions_mm: &[DVec2], cell_mm: DVec2) {
        let count = positions_mm.len();
        self.ids.resize(count, 0);
        self.x_mm.resize(count + LANES - 1, 0.0);
        self.y_mm.resize(count + LANES - 1, 0.0);
        let min = positions_mm.iter().fold(DVec2::INFINITY, |m, &p| m.min(p));
        let max = positions_mm.iter().fold(DVec2::NEG_INFINITY, |m, &p| m.max(p));
        self.origin_mm = min;
        self.cell_mm = cell_mm.max((max - min) / MAX_COLUMNS);
        self.cells_per_mm = self.cell_mm.recip();
        [self.columns, self.rows] = ((max - min) * self.cells_per_mm).to_array().map(|cells| cells as usize + 1);
        self.start.clear();
        self.start.resize(self.columns * self.rows + 1, 0);
        self.cells.clear();
        for &p in positions_mm {
            let cell = self.cell_of(p);
            self.cells.push(cell as u32);
            self.start[cell + 1] += 1;
        }
        for cell in 0..self.columns * self.rows {
            self.start[cell + 1] += self.start[cell];
        }
        for (i, (&cell, p)) in (0..).zip(self.cells.iter().zip(positions_mm)) {
            let start = &mut self.start[cell as usize];
            let slot = *start as usize;
            *start += 1;
            (self.ids[slot], self.x_mm[slot], self.y_mm[slot]) = (i, p.x, p.y);
        }
        self.start.rotate_right(1);
        self.start[0] = 0;
    }

    /// All points, in the order of the grid.
    #[inline]
    #[must_use]
    pub fn all(&self) -> Span<'_> {
        self.span(0..self.ids.len())
    }

    /// Places of points that stand side by side, x and y, four by four, mm. Lanes that are left over at the end have any numbers.
    #[inline]
    #[must_use]
    pub fn fours_mm(&self, range: &Range<usize>) -> [&[[f64; LANES]]; 2] {
        let whole = range.start..range.start + range.len().next_multiple_of(LANES);
        [&self.x_mm, &self.y_mm].map(|all| all[whole.clone()].as_chunks().0)
    }

    /// Number of the point at a place in the order of the grid.
    #[inline]
    #[must_use]
    pub fn id(&self, slot: usize) -> u32 {
        self.ids[slot]
    }

    /// Its place, mm.
    #[inline]
    #[must_use]
    pub fn place_mm(&self, slot: usize) -> DVec2 {
        DVec2::new(self.x_mm[slot], self.y_mm[slot])
    }

    /// Rows of cells between two y, mm; the nearest one where there are none.
    #[inline]
    #[must_use]
    pub fn rows_between(&self, low_mm: f64, high_mm: f64) -> RangeInclusive<usize> {
        self.row(low_mm)..=self.row(high_mm)
    }

    /// The lowest and the highest y of a row of cells, mm.
    #[inline]
    #[must_use]
    pub fn row_mm(&self, row: usize) -> (f64, f64) {
        let low_mm = self.origin_mm.y + row as f64 * self.cell_mm.y;
        (low_mm, low_mm + self.cell_mm.y)
    }

    /// All points of a row of cells between two x, mm, and some beside them: their places in the order of the grid.
    #[inline]
    #[must_use]
    pub fn between(&self, row: usize, low_mm: f64, high_mm: f64) -> Range<usize> {
        self.in_row(row, self.column(low_mm), self.column(high_mm))
    }

    #[inline]
    fn column(&self, x_mm: f64) -> usize {
        number((x_mm - self.origin_mm.x) * self.cells_per_mm.x, self.columns)
    }

    #[inline]
    fn row(&self, y_mm: f64) -> usize {
        number((y_mm - self.origin_mm.y) * self.cells_per_mm.y, self.rows)
    }

    #[inline]
    fn cell_of(&self, p: DVec2) -> usize {
        self.row(p.y) * self.columns + self.column(p.x)
    }

    /// Points of some columns of a row.
    #[inline]
    fn in_row(&self, row: usize, first_column: usize, last_column: usize) -> Range<usize> {
        let cells = (row * self.columns + first_column, row * self.columns + last_column);
        self.start[cells.0] as usize..self.start[cells.1 + 1] as usize
    }

    /// Visits every point that may be within the radius of `p`, and some that are not, row of cells by row of cells.
    #[inline]
    pub fn for_each_near(&self, p: DVec2, mut visit: impl FnMut(Span<'_>)) {
        if self.ids.is_empty() {
            return;
        }
        let (column, row) = (self.column(p.x), self.row(p.y));
        let (first_column, last_column) = (column.saturating_sub(1), (column + 1).min(self.columns - 1));
        for row in row.saturating_sub(1)..(row + 2).min(self.rows) {
            visit(self.span(self.in_row(row, first_column, last_column)));
        }
    }

    /// Visits all points in the order of the grid, by their place in it, each with those after it that may be within the radius, and some
    /// that are not: each pair of points comes up once.
    #[inline]
    pub fn for_each_with_later(&self, mut visit: impl FnMut(usize, [Span<'_>; 2])) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let (first_column, last_column) = (column.saturating_sub(1), (column + 1).min(self.columns - 1));
                let beside_end = self.in_row(row, column, last_column).end;
                let below = if row + 1 < self.rows { self.in_row(row + 1, first_column, last_column) } else { 0..0 };
                let below = self.span(below);
                for slot in self.in_row(row, column, column) {
                    visit(slot, [self.span(slot + 1..beside_end), below]);
                }
            }
        }
    }

    #[inline]
    fn span(&self, range: Range<usize>) -> Span<'_> {
        let (x_mm, y_mm) = (&self.x_mm[range.clone()], &self.y_mm[range.clone()]);
        Span { first: range.start, ids: &self.ids[range], x_mm, y_mm }
    }
}

/// Number of the column or row, of so many, that lies so many of them from the first one's start.
#[inline]
fn number(cells: f64, count: usize) -> usize {
    // Negative numbers become 0 in the conversion. One to 32 bits is quicker.
    (cells as u32 as usize).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(points: &[DVec2], cell_mm: DVec2) -> Grid {
        let mut grid = Grid::default();
        // The buffers of many serve for few.
        grid.rebuild(&[DVec2::ZERO; 300], 1.0);
        grid.rebuild_cells(points, cell_mm);
        grid
    }

    fn points() -> impl Strategy<Value = Vec<DVec2>> {
        let point = (-300.0_f64..900.0, 0.0_f64..500.0).prop_map(DVec2::from);
        prop::collection::vec(point, 1..150)
    }

    proptest! {
        /// A rectangle's points are in the rows between its y, and there between its x; each row of cells is asked for its own part.
        #[test]
        fn points_of_a_rectangle_are_found_row_by_row(
            points in points(), cell in (3.0_f64..200.0, 3.0_f64..200.0),
            low in (-400.0_f64..900.0, -100.0_f64..500.0), size in (0.0_f64..500.0, 0.0_f64..500.0),
        ) {
            let grid = sorted(&points, cell.into());
            let (low, high) = (DVec2::from(low), DVec2::from(low) + DVec2::from(size));
            let mut found = Vec::new();
            for row in grid.rows_between(low.y, high.y) {
                let range = grid.between(row, low.x, high.x);
                let [x_mm, y_mm] = grid.fours_mm(&range);
                prop_assert_eq!(x_mm.len(), range.len().div_ceil(LANES));
                let fours: Vec<DVec2> =
                    x_mm.as_flattened().iter().zip(y_mm.as_flattened()).map(|(&x, &y)| DVec2::new(x, y)).collect();
                for (slot, place) in range.zip(fours) {
                    prop_assert_eq!((points[grid.id(slot) as usize], grid.place_mm(slot)), (place, place));
                    let (bottom, top) = grid.row_mm(row);
                    prop_assert!((bottom - 1e-9..=top + 1e-9).contains(&place.y));
                    found.push(grid.id(slot));
                }
            }
            let is_inside = |p: &DVec2| p.cmpge(low).all() && p.cmple(high).all();
            for (i, p) in (0..).zip(&points) {
                let times = found.iter().filter(|&&id| id == i).count();
                prop_assert!(times <= 1 && times >= usize::from(is_inside(p)));
            }
        }

        /// All points within the radius of a place come up once.
        #[test]
        fn points_within_the_radius_are_near(points in points(), radius in 5.0_f64..200.0, p in (-300.0_f64..900.0, 0.0_f64..500.0)) {
            let (grid, p) = (sorted(&points, DVec2::splat(radius)), DVec2::from(p));
            let mut found = Vec::new();
            grid.for_each_near(p, |span| {
                let near = span.iter().filter(|(_, q)| q.distance_squared(p) <= radius * radius);
                found.extend(near.map(|(i, _)| i));
            });
            found.sort_unstable();
            let expected = (0..).zip(&points).filter(|(_, q)| q.distance_squared(p) <= radius * radius);
            prop_assert_eq!(found, expected.map(|(i, _)| i).collect::<Vec<_>>());
        }
    }

    #[test]
    fn points_far_apart_take_few_cells() {
        let points = [DVec2::ZERO, DVec2::splat(1e12)];
        let grid = sorted(&points, DVec2::ONE);
        assert_eq!(grid.between(0, 0.0, 1.0), 0..1);
        assert!(grid.start.len() <= 1025 * 1025 + 1);
        assert_eq!(sorted(&[], DVec2::ONE).all().ids, []);
    }
}
