//! Sets of cells of a grid, a bit each: the layers of the viability tube.
//!
//! A row is a `u128`, so a grid has up to 128 columns and rows. All lengths are in cells.

use sim_core::DVec2;

/// Column and row.
pub type Cell = (usize, usize);

/// A set of cells, one number per row, one bit per column.
#[derive(Clone, Debug)]
pub struct Cells([u128; 128]);

impl Cells {
    /// No cell.
    pub const EMPTY: Self = Self([0; 128]);

    /// All cells of a grid.
    #[must_use]
    pub fn all(columns: usize, rows: usize) -> Self {
        let mut all = Self::EMPTY;
        all.0[..rows].fill(all_columns(columns));
        all
    }

    /// One cell.
    #[must_use]
    pub fn one((column, row): Cell) -> Self {
        let mut one = Self::EMPTY;
        one.0[row] = 1 << column;
        one
    }

    /// True if a cell is in the set.
    #[must_use]
    pub fn contains(&self, (column, row): Cell) -> bool {
        self.0[row] >> column & 1 == 1
    }

    /// Number of cells.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Adds the cells of another set.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(row, other)| *row |= other);
    }

    /// Keeps only the cells that are in another set, too.
    pub fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(row, other)| *row &= other);
    }

    /// Removes one cell.
    pub fn remove(&mut self, (column, row): Cell) {
        self.0[row] &= !(1 << column);
    }

    /// Removes a disc around a place in columns and rows.
    pub fn remove_disc(&mut self, center: DVec2, radius: f64) {
        for (r, row) in self.0.iter_mut().enumerate() {
            let dy = r as f64 - center.y;
            let left = radius * radius - dy * dy;
            if left < 0.0 {
                continue;
            }
            let half = left.sqrt();
            // A negative number becomes 0 when it is cast.
            let first = (center.x - half).ceil() as usize;
            let end = ((center.x + half).floor() + 1.0) as usize;
            *row &= !(all_columns(end) & !all_columns(first));
        }
    }

    /// Removes and returns a connected part of the set, that of a cell of its first row; none if the set is empty.
    pub fn take_component(&mut self) -> Option<Self> {
        let first = self.0.iter().position(|&row| row != 0)?;
        let mut component = Self::one((self.0[first].trailing_zeros() as usize, first));
        let mut grown = true;
        while grown {
            grown = false;
            for r in (0..128).chain((0..128).rev()) {
                let mut seeds = component.0[r];
                if r > 0 {
                    seeds |= component.0[r - 1];
                }
                if r < 127 {
                    seeds |= component.0[r + 1];
                }
                let filled = fill_row(seeds & self.0[r], self.0[r]);
                if filled & !component.0[r] != 0 {
                    component.0[r] |= filled;
                    grown = true;
                }
            }
        }
        self.0.iter_mut().zip(&component.0).for_each(|(row, taken)| *row &= !taken);
        Some(component)
    }

    /// Sets this set to `from`, grown by a disc of `radius` in the first `rows` rows; it may grow past the last column. From the disc's top
    /// row to its middle the half widths grow, so one copy of the set is widened step by step.
    pub fn grow(&mut self, from: &Self, rows: usize, radius: f64) {
        self.0.fill(0);
        let mut wide = from.clone();
        let mut done = 0;
        for away in (0..=radius as usize).rev() {
            let half = (radius * radius - (away * away) as f64).sqrt() as u32;
            for _ in done..half {
                wide.0[..rows].iter_mut().for_each(|row| *row |= *row << 1 | *row >> 1);
            }
            done = half;
            for (to, row) in self.0[..rows - away].iter_mut().zip(&wide.0[away..rows]) {
                *to |= row;
            }
            for (to, row) in self.0[away..rows].iter_mut().zip(&wide.0[..rows - away]) {
                *to |= row;
            }
        }
    }

    /// The cell nearest to `to` among those no farther than `reach` from `around`; none if there is none.
    #[must_use]
    pub fn nearest(&self, around: Cell, to: Cell, reach: f64) -> Option<Cell> {
        let max_rows = reach as usize;
        let mut best = None;
        let mut best_d2 = usize::MAX;
        let first = around.1.saturating_sub(max_rows);
        for (r, &row) in self.0.iter().enumerate().skip(first).take(around.1 + max_rows + 1 - first) {
            let away = r.abs_diff(around.1);
            let half = (reach * reach - (away * away) as f64).max(0.0).sqrt() as usize;
            let span = all_columns(around.0 + half + 1) & !all_columns(around.0.saturating_sub(half));
            if let Some(c) = nearest_bit(row & span, to.0) {
                let d2 = r.abs_diff(to.1).pow(2) + c.abs_diff(to.0).pow(2);
                if d2 < best_d2 {
                    best_d2 = d2;
                    best = Some((c, r));
                }
            }
        }
        best
    }
}

/// The first columns of a row, at most all of it.
fn all_columns(columns: usize) -> u128 {
    if columns >= 128 { u128::MAX } else { (1 << columns) - 1 }
}

/// Spreads seeds along the runs of set cells around them.
fn fill_row(mut seeds: u128, open: u128) -> u128 {
    // Parallel-prefix flood in both directions: log2(128) doubling steps.
    let (mut up, mut down) = (open, open);
    let mut low = seeds;
    for shift in [1_u32, 2, 4, 8, 16, 32, 64] {
        seeds |= up & (seeds << shift);
        up &= up << shift;
        low |= down & (low >> shift);
        down &= down >> shift;
    }
    seeds | low
}

/// The set cell nearest to `column`.
fn nearest_bit(row: u128, column: usize) -> Option<usize> {
    let above = row >> column;
    let below = row << (127 - column);
    let up = (above != 0).then(|| column + above.trailing_zeros() as usize);
    let down = (below != 0).then(|| column - below.leading_zeros() as usize);
    match (up, down) {
        (Some(u), Some(d)) => Some(if u - column < column - d { u } else { d }),
        (u, d) => u.or(d),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_grows_to_a_disc() {
        let mut grown = Cells::EMPTY;
        grown.grow(&Cells::one((40, 50)), 128, 7.3);
        for r in 0..128_usize {
            for c in 0..128_usize {
                let inside = (r.abs_diff(50).pow(2) + c.abs_diff(40).pow(2)) as f64 <= 7.3 * 7.3;
                assert_eq!(grown.contains((c, r)), inside, "{r} {c}");
            }
        }
    }

    #[test]
    fn nearest_bit_looks_both_ways() {
        assert_eq!(nearest_bit(1 << 3 | 1 << 100, 40), Some(3));
        assert_eq!(nearest_bit(1 << 3 | 1 << 100, 90), Some(100));
        assert_eq!(nearest_bit(0, 5), None);
        assert_eq!(nearest_bit(1 << 5, 5), Some(5));
    }

    #[test]
    fn a_component_ends_at_closed_cells() {
        let mut open = Cells::all(100, 100);
        (0..100).for_each(|r| open.0[r] &= !(1 << 30));
        let parts = std::iter::from_fn(|| open.take_component());
        assert_eq!(parts.map(|part| part.count()).collect::<Vec<_>>(), [30 * 100, 69 * 100]);
    }

    #[test]
    fn a_row_fills_its_run_only() {
        assert_eq!(fill_row(1 << 5, 0b1111_0111_1110), 0b0111_1110);
        assert_eq!(fill_row(1 << 5 | 1 << 9, 0b1111_0111_1110), 0b1111_0111_1110);
    }
}
