//! A plane cut into square cells: which of them a rectangle or a segment reaches into, rings of them around a point, and an index
//! of things by the cells that they lie in.
//!
//! A search must find everything that is there, so what is near a border counts as lying on both sides of it:
//! every answer is widened by [`SLACK`] of a cell, far more than rounding can move a point.

use crate::map::Segment;
use sim_core::{DVec2, Rect};
use std::ops::{Range, RangeInclusive};

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

    /// No ring around a point has more cells.
    pub fn most_in_ring(&self) -> usize {
        2 * (self.columns as usize + self.rows as usize)
    }

    /// Side of a cell, m.
    pub fn size_m(&self) -> f64 {
        self.size_m
    }

    /// Middle of a cell, m.
    pub fn center_m(&self, cell: usize) -> DVec2 {
        let (column, row) = (cell % self.columns as usize, cell / self.columns as usize);
        self.corner_m + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.size_m
    }

    /// Radius of the circle around the middle of a cell that holds the part of a segment that is indexed there, m.
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
        let low = (area.min - self.corner_m) / self.size_m;
        let high = (area.max - self.corner_m) / self.size_m;
        let columns = within(low.x - SLACK, high.x + SLACK, self.columns);
        let rows = within(low.y - SLACK, high.y + SLACK, self.rows);
        let (Some((left, right)), Some((lowest, highest))) = (columns, rows) else { return };
        for row in lowest..=highest {
            (left..=right).for_each(|column| visit(self.cell(column, row)));
        }
    }

    /// All cells that a path passes as near as `reach_m`, and a few more, in slices across the path from its start to its end, with a
    /// distance, m, that no place on the path in that slice or in later ones falls short of. Ends where `visit` gives false.
    pub fn walk(&self, path: &Segment, reach_m: f64, mut visit: impl FnMut(usize, f64) -> bool) {
        // From here on in cells: `along` the axis that the path follows more, `across` the other one.
        let [from, to] = [path.from_m, path.to_m].map(|point_m| (point_m - self.corner_m) / self.size_m);
        let reach = reach_m / self.size_m + SLACK;
        let is_along_x = (to.x - from.x).abs() >= (to.y - from.y).abs();
        let (from, to) = if is_along_x { (from, to) } else { (DVec2::new(from.y, from.x), DVec2::new(to.y, to.x)) };
        let (slices, lanes) = if is_along_x { (self.columns, self.rows) } else { (self.rows, self.columns) };
        let is_ahead = to.x >= from.x;
        let (low, high) = if is_ahead { (from.x, to.x) } else { (to.x, from.x) };
        let slope = if low < high { (to.y - from.y) / (to.x - from.x) } else { 0.0 };
        let length_m = self.size_m * (1.0 + slope * slope).sqrt();
        let Some((first, last)) = within(low - reach, high + reach, slices) else { return };
        for step in 0..=last - first {
            let slice = if is_ahead { first + step } else { last - step };
            let (start, end) = (f64::from(slice) - reach, f64::from(slice + 1) + reach);
            let across = [start, end].map(|along| from.y + (along.clamp(low, high) - from.x) * slope);
            let (least, most) = if across[0] < across[1] { (across[0], across[1]) } else { (across[1], across[0]) };
            let Some((lowest, highest)) = within(least - reach, most + reach, lanes) else { continue };
            let nearest_m = length_m * if is_ahead { start - from.x } else { from.x - end };
            for lane in lowest..=highest {
                let cell = if is_along_x { self.cell(slice, lane) } else { self.cell(lane, slice) };
                if !visit(cell, nearest_m) {
                    return;
                }
            }
        }
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

/// First and last of the cells `0..count` of a row that `low..=high`, in cells, reaches into.
#[inline]
fn within(low: f64, high: f64, count: u32) -> Option<(u32, u32)> {
    // What lies before the first cell becomes 0 as a whole number.
    (high >= 0.0 && low < f64::from(count)).then(|| (low as u32, (high as u32).min(count - 1)))
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

    /// The cells of a ring, in runs of neighbours along a row.
    pub fn visit(&self, ring: i64, mut visit: impl FnMut(Range<usize>)) {
        let (columns, rows) = (i64::from(self.cells.columns), i64::from(self.cells.rows));
        let (left, right) = (self.column - ring, self.column + ring);
        let mut visit_run = |row: i64, first: i64, last: i64| {
            let (first, end) = (first.max(0), (last + 1).min(columns));
            if first < end {
                let start = row * columns;
                visit((start + first) as usize..(start + end) as usize);
            }
        };
        for row in (self.row - ring).max(0)..=(self.row + ring).min(rows - 1) {
            if (row - self.row).abs() == ring {
                visit_run(row, left, right);
            } else {
                visit_run(row, left, left);
                visit_run(row, right, right);
            }
        }
    }
}

/// Numbers of things by the cells that they lie in. Filling it again keeps its buffers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CellIndex {
    cells: Cells,
    /// Things in cell `c` are `numbers[starts[c]..starts[c + 1]]`, in order.
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl CellIndex {
    /// Indexes the things `0..count`, each under all cells that `visit_cells` gives.
    pub fn fill(&mut self, cells: Cells, count: usize, mut visit_cells: impl FnMut(usize, &mut dyn FnMut(usize))) {
        self.cells = cells;
        self.starts.clear();
        // Cells over moving things are now more, now fewer, but never more than twice as many as wanted, a row and a corner.
        self.starts.reserve(3 * count + 4);
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

    /// The cells of the index.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Things in a cell.
    pub fn in_cell(&self, cell: usize) -> &[u32] {
        self.in_run(cell..cell + 1)
    }

    /// Things in some neighbouring cells of a row.
    pub fn in_run(&self, cells: Range<usize>) -> &[u32] {
        match (self.starts.get(cells.start), self.starts.get(cells.end)) {
            (Some(&start), Some(&end)) => &self.numbers[start as usize..end as usize],
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
    fn things_are_found_in_their_cells() {
        let places = [DVec2::new(0.5, 1.5), DVec2::new(6.5, 4.5), DVec2::new(0.6, 1.6)];
        let mut cell_index = CellIndex::default();
        assert_eq!(cell_index.in_cell(0), [0_u32; 0]);
        for _ in 0..2 {
            cell_index.fill(cells(), 3, |thing, insert| insert(cells().cell_of(places[thing])));
            assert_eq!(cell_index.in_cell(cells().cell_of(places[0])), [0, 2]);
            assert_eq!(cell_index.in_cell(cells().cell_of(places[1])), [1]);
            assert_eq!((0..cells().count()).map(|cell| cell_index.in_cell(cell).len()).sum::<usize>(), 3);
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
            let mut last_m = f64::NEG_INFINITY;
            cells().walk(&Segment::new(from, to), reach_m, |cell, nearest_m| {
                assert!(nearest_m >= last_m);
                last_m = nearest_m;
                found.insert(cell);
                // The point lies off the path by less than it is along it too much.
                assert!(cell != cells().cell_of(point) || nearest_m <= from.distance(from.lerp(to, share)));
                true
            });
            prop_assert!(found.contains(&cells().cell_of(point)));
        }

        #[test]
        fn rings_hold_every_cell_once_and_none_too_near(from in place(), to in place()) {
            let (cells, mut seen) = (cells(), BTreeSet::new());
            let rings = cells.rings(from);
            for ring in rings.numbers() {
                rings.visit(ring, |run| {
                    let holds = AREA.contains(to) && run.contains(&cells.cell_of(to));
                    assert!(!holds || rings.nearest_m(ring) <= from.distance(to));
                    run.for_each(|cell| assert!(seen.insert(cell), "a cell is in one ring"));
                });
            }
            prop_assert_eq!(seen.len(), cells.count());
        }
    }
}
