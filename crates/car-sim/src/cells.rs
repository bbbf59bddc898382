//! A plane cut into square cells: which of them a rectangle or a segment reaches into, rings of them around a point, and things filed by
//! the cells that they lie in.
//!
//! Whoever looks something up must find everything that is there, so what is near a border counts as lying on both sides of it:
//! every answer is widened by [`SLACK`] of a cell, far more than rounding can move a point.

use crate::map::Segment;
use sim_core::{DVec2, Rect};
use std::ops::RangeInclusive;

/// Share of a cell by which answers are widened.
const SLACK: f64 = 1e-6;
/// Cells that a point may lie away from all cells; from farther away, all of them are in about one ring.
const FAR_CELLS: f64 = 1e9;

/// Columns and rows of square cells over a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cells {
    corner_m: DVec2,
    size_m: f64,
    columns: u32,
    rows: u32,
}

impl Default for Cells {
    /// One cell at the origin.
    fn default() -> Self {
        Self { corner_m: DVec2::ZERO, size_m: 1.0, columns: 1, rows: 1 }
    }
}

impl Cells {
    /// About `wanted` cells over a rectangle.
    pub fn over(area: Rect, wanted: usize) -> Self {
        let extent_m = area.size();
        // Over a narrow rectangle, no more than `wanted` in a row.
        let size_m = (extent_m.x * extent_m.y / wanted as f64).sqrt().max(extent_m.max_element() / wanted as f64);
        let size_m = if size_m > 0.0 { size_m } else { 1.0 };
        let count = |length_m: f64| (length_m / size_m) as u32 + 1;
        Self { corner_m: area.min, size_m, columns: count(extent_m.x), rows: count(extent_m.y) }
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Middle of a cell, m.
    pub fn center_m(&self, cell: usize) -> DVec2 {
        let (column, row) = (cell % self.columns as usize, cell / self.columns as usize);
        self.corner_m + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.size_m
    }

    /// Radius of the circle around the middle of a cell that holds the part of a segment for which it is filed there, m.
    pub fn radius_m(&self) -> f64 {
        self.size_m * (std::f64::consts::FRAC_1_SQRT_2 + 2.0 * SLACK)
    }

    /// The cell of a point; of a point outside, the nearest one.
    pub fn cell_of(&self, point_m: DVec2) -> usize {
        let at = (point_m - self.corner_m) / self.size_m;
        self.cell((at.x as u32).min(self.columns - 1), (at.y as u32).min(self.rows - 1))
    }

    fn cell(&self, column: u32, row: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// All cells that a rectangle reaches into.
    pub fn visit_rect(&self, area: Rect, mut visit: impl FnMut(usize)) {
        for row in self.rows_of(area.min.y, area.max.y).into_iter().flatten() {
            for column in self.columns_of(area.min.x, area.max.x).into_iter().flatten() {
                visit(self.cell(column, row));
            }
        }
    }

    /// All cells that a segment passes as near as `reach_m`, and a few more.
    pub fn visit_near(&self, segment: &Segment, reach_m: f64, mut visit: impl FnMut(usize)) {
        let (from, to) = (segment.from_m, segment.to_m);
        let [left, right] = if from.x <= to.x { [from, to] } else { [to, from] };
        let slope = (right.y - left.y) / (right.x - left.x);
        let widening_m = reach_m + SLACK * self.size_m;
        for column in self.columns_of(left.x - reach_m, right.x + reach_m).into_iter().flatten() {
            let start_m = self.corner_m.x + f64::from(column) * self.size_m;
            let (enter_m, leave_m) = (start_m - widening_m, start_m + self.size_m + widening_m);
            let enter_y = if enter_m > left.x { left.y + (enter_m - left.x) * slope } else { left.y };
            let leave_y = if leave_m < right.x { left.y + (leave_m - left.x) * slope } else { right.y };
            let rows = self.rows_of(enter_y.min(leave_y) - reach_m, enter_y.max(leave_y) + reach_m);
            rows.into_iter().flatten().for_each(|row| visit(self.cell(column, row)));
        }
    }

    fn columns_of(&self, low_m: f64, high_m: f64) -> Option<RangeInclusive<u32>> {
        self.range(low_m - self.corner_m.x, high_m - self.corner_m.x, self.columns)
    }

    fn rows_of(&self, low_m: f64, high_m: f64) -> Option<RangeInclusive<u32>> {
        self.range(low_m - self.corner_m.y, high_m - self.corner_m.y, self.rows)
    }

    fn range(&self, low_m: f64, high_m: f64, count: u32) -> Option<RangeInclusive<u32>> {
        let (low, high) = (low_m / self.size_m - SLACK, high_m / self.size_m + SLACK);
        // What lies before the first cell becomes 0 as a whole number.
        (high >= 0.0 && low < f64::from(count)).then(|| low as u32..=(high as u32).min(count - 1))
    }

    /// Rings of cells around a point.
    pub fn rings(&self, point_m: DVec2) -> Rings<'_> {
        let at = (point_m - self.corner_m) / self.size_m;
        let whole = at.floor().clamp(DVec2::splat(-FAR_CELLS), DVec2::splat(FAR_CELLS));
        let before = (at - whole).clamp(DVec2::ZERO, DVec2::ONE);
        let to_edge = before.min(DVec2::ONE - before).min_element();
        Rings { cells: self, column: whole.x as i64, row: whole.y as i64, to_edge_m: to_edge * self.size_m }
    }
}

/// Square rings of cells around the cell of a point, which is ring 0. The point may lie outside of all cells.
pub(crate) struct Rings<'a> {
    cells: &'a Cells,
    column: i64,
    row: i64,
    to_edge_m: f64,
}

impl Rings<'_> {
    /// The rings that hold cells.
    pub fn numbers(&self) -> RangeInclusive<i64> {
        let (last_column, last_row) = (i64::from(self.cells.columns) - 1, i64::from(self.cells.rows) - 1);
        let first = (-self.column).max(self.column - last_column).max(-self.row).max(self.row - last_row);
        let last = self.column.max(last_column - self.column).max(self.row).max(last_row - self.row);
        first.max(0)..=last
    }

    /// Nothing that lies in a cell of this ring or of those farther out is nearer to the point, m.
    pub fn nearest_m(&self, ring: i64) -> f64 {
        let between = (ring - 1) as f64 - 2.0 * SLACK;
        (self.to_edge_m + between * self.cells.size_m).max(0.0)
    }

    /// The cells of a ring.
    pub fn visit(&self, ring: i64, mut visit: impl FnMut(usize)) {
        let (columns, rows) = (i64::from(self.cells.columns), i64::from(self.cells.rows));
        let mut visit_at = |column: i64, row: i64| visit(self.cells.cell(column as u32, row as u32));
        let (left, right) = (self.column - ring, self.column + ring);
        for row in (self.row - ring).max(0)..=(self.row + ring).min(rows - 1) {
            if (row - self.row).abs() == ring {
                (left.max(0)..=right.min(columns - 1)).for_each(|column| visit_at(column, row));
                continue;
            }
            for column in [left, right] {
                if (0..columns).contains(&column) {
                    visit_at(column, row);
                }
            }
        }
    }
}

/// Things by number, filed under the cells that they lie in. Filling it again keeps its buffers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filing {
    cells: Cells,
    /// What is filed under cell `c` is `numbers[starts[c]..starts[c + 1]]`, in order.
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Filing {
    /// Files the things `0..count`, each under all cells that `visit_cells` shows.
    pub fn fill(&mut self, cells: Cells, count: usize, mut visit_cells: impl FnMut(usize, &mut dyn FnMut(usize))) {
        self.cells = cells;
        self.starts.clear();
        self.starts.resize(cells.count() + 1, 0);
        for thing in 0..count {
            visit_cells(thing, &mut |cell| self.starts[cell] += 1);
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.numbers.clear();
        self.numbers.resize(total as usize, 0);
        // Each entry is now the end of its cell, and moves back to its start as the cell is filled.
        for thing in (0..count).rev() {
            visit_cells(thing, &mut |cell| {
                self.starts[cell] -= 1;
                self.numbers[self.starts[cell] as usize] = thing as u32;
            });
        }
    }

    /// The cells under which things are filed.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// What is filed under a cell.
    pub fn in_cell(&self, cell: usize) -> &[u32] {
        match self.starts.get(cell..cell + 2) {
            Some(&[start, end]) => &self.numbers[start as usize..end as usize],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const AREA: Rect = Rect { min: DVec2::new(-3.0, 1.0), max: DVec2::new(7.0, 5.0) };

    fn cells() -> Cells {
        Cells::over(AREA, 40)
    }

    #[test]
    fn forty_cells_over_ten_by_four_are_of_a_metre() {
        // One more column and row, for what lies on the far border.
        assert_eq!((cells().size_m, cells().count()), (1.0, 11 * 5));
        assert_eq!(cells().center_m(cells().cell_of(DVec2::new(-1.2, 3.9))), DVec2::new(-1.5, 3.5));
        assert_eq!(cells().cell_of(DVec2::splat(-100.0)), 0);
        assert_eq!(cells().cell_of(DVec2::splat(100.0)), cells().count() - 1);
    }

    #[test]
    fn a_line_or_a_point_has_cells_too() {
        let wall = Cells::over(Rect { min: DVec2::ZERO, max: DVec2::new(0.0, 8.0) }, 4);
        assert_eq!((wall.size_m, wall.count()), (2.0, 5));
        assert_eq!(Cells::over(Rect { min: DVec2::ONE, max: DVec2::ONE }, 4).count(), 1);
    }

    #[test]
    fn things_are_found_where_they_are_filed() {
        let places = [DVec2::new(0.5, 1.5), DVec2::new(6.5, 4.5), DVec2::new(0.6, 1.6)];
        let mut filing = Filing::default();
        assert_eq!(filing.in_cell(0), [0_u32; 0]);
        for _ in 0..2 {
            filing.fill(cells(), 3, |thing, file| file(cells().cell_of(places[thing])));
            assert_eq!(filing.in_cell(cells().cell_of(places[0])), [0, 2]);
            assert_eq!(filing.in_cell(cells().cell_of(places[1])), [1]);
            assert_eq!((0..cells().count()).map(|cell| filing.in_cell(cell).len()).sum::<usize>(), 3);
        }
    }

    fn place() -> impl Strategy<Value = DVec2> {
        (-6.0..10.0, -2.0..8.0).prop_map(|(x, y)| DVec2::new(x, y))
    }

    proptest! {
        #[test]
        fn what_is_near_a_segment_lies_in_its_cells(
            from in place(), to in place(), share in 0.0..1.0, reach_m in 0.0..1.0, turn_rad in 0.0..7.0,
        ) {
            let point = from.lerp(to, share) + sim_core::angle::unit(turn_rad) * (reach_m * 0.999);
            prop_assume!(AREA.contains(point));
            let mut found = BTreeSet::new();
            cells().visit_near(&Segment::new(from, to), reach_m, |cell| {
                found.insert(cell);
            });
            prop_assert!(found.contains(&cells().cell_of(point)));
        }

        #[test]
        fn rings_hold_every_cell_once_and_none_too_near(from in place(), to in place()) {
            let (cells, mut seen) = (cells(), BTreeSet::new());
            let rings = cells.rings(from);
            for ring in rings.numbers() {
                rings.visit(ring, |cell| {
                    assert!(seen.insert(cell), "a cell is in one ring");
                    let holds = AREA.contains(to) && cell == cells.cell_of(to);
                    assert!(!holds || rings.nearest_m(ring) <= from.distance(to));
                });
            }
            prop_assert_eq!(seen.len(), cells.count());
        }
    }
}
