//! The potential at single places, straight from its Gaussians: what robots read in every step.
//!
//! Feet count as four wells each, as on the grid. On a mat with many Gaussians each place looks at those of its cell alone, four at once.
//! A cell has all that reach it within five standard deviations, where 4e-6 of the peak is left.

use super::{FieldModel, hills_of, wells::GL4, wells::Well};
use crate::feet::Forecast;
use crate::patches::Patches;
use sim_core::{DVec2, Rect};
use wide::f64x4;

/// Gaussians that are evaluated at once, those of an [`f64x4`].
const LANES: usize = 4;
/// Places whose gradients are computed side by side: an exponential is a long chain of products, and a processor overlaps two.
const SIDE_BY_SIDE: usize = 2;
/// Number of Gaussians up to which all are evaluated everywhere.
const ALL_UP_TO: usize = 64;
/// Width of a cell where there are more, mm.
const CELL_MM: f64 = 240.0;
/// Where a Gaussian is cut, in standard deviations.
const CUT: f64 = 5.0;
/// Exponents from here on give nothing.
const FAR: f64 = -40.0;
/// Squarings of [`exp_up_to_zero`].
const SQUARINGS: i32 = 8;

/// The Gaussians of a tick: a pure function of the forecasts and patches of the last [`Gaussians::refresh`].
#[derive(Clone, Debug, Default)]
pub struct Gaussians {
    /// Those of feet with negative amplitudes, then the hills of patches.
    wells: Vec<Well>,
    cells: Cells,
    of_feet: ByCell<Four>,
    of_patches: ByCell<RoundFour>,
}

/// Square cells on the mat.
#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    origin_mm: DVec2,
    columns: usize,
    rows: usize,
}

impl Cells {
    /// The cells for so many Gaussians.
    fn new(mat: Rect, wells: usize) -> Self {
        let cells = if wells <= ALL_UP_TO { DVec2::ONE } else { (mat.size() / CELL_MM).ceil() };
        Self { origin_mm: mat.min, columns: cells.x as usize, rows: cells.y as usize }
    }

    fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// Column and row of the cell nearest to a place.
    fn column_and_row(&self, p_mm: DVec2) -> (usize, usize) {
        if self.count() <= 1 {
            return (0, 0);
        }
        let at = (p_mm - self.origin_mm) * (1.0 / CELL_MM);
        // Negative numbers become 0 in the conversion. One to 32 bits is quicker.
        ((at.x as u32 as usize).min(self.columns - 1), (at.y as u32 as usize).min(self.rows - 1))
    }

    /// Number of the cell nearest to a place.
    #[inline(always)]
    fn index(&self, p_mm: DVec2) -> usize {
        let (column, row) = self.column_and_row(p_mm);
        row * self.columns + column
    }

    /// Visits the cells that a Gaussian reaches. One whose axes are not those of the mat counts as filling its box.
    #[inline]
    fn for_each_reached(&self, well: &Well, mut visit: impl FnMut(usize)) {
        if self.count() == 1 {
            return visit(0);
        }
        let (reach_mm, fills_box) = (well.spread_mm * CUT, well.inverse[1] != 0.0);
        let (first_column, first_row) = self.column_and_row(well.center_mm - reach_mm);
        let (last_column, last_row) = self.column_and_row(well.center_mm + reach_mm);
        let (center, reach) = ((well.center_mm - self.origin_mm) / CELL_MM, (reach_mm / CELL_MM).recip());
        for row in first_row..=last_row {
            let y = gap(row, center.y) * reach.y;
            for column in first_column..=last_column {
                let x = gap(column, center.x) * reach.x;
                if fills_box || x * x + y * y <= 1.0 {
                    visit(row * self.columns + column);
                }
            }
        }
    }
}

/// Distance of a coordinate from a column or row of cells, in cells.
fn gap(number: usize, at: f64) -> f64 {
    (number as f64 - at).max(at - (number + 1) as f64).max(0.0)
}

/// Four Gaussians, field by field.
pub(super) trait Lanes: Copy + Default {
    fn set(&mut self, lane: usize, well: &Well);

    /// Values at a place, and the inverse covariances times the way there from the centres, per mm.
    fn at(&self, p_mm: DVec2) -> (f64x4, [f64x4; 2]);
}

/// Four Gaussians of any shape; see [`Well`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Four {
    center_mm: [[f64; LANES]; 2],
    inverse: [[f64; LANES]; 3],
    amplitude: [f64; LANES],
}

/// Four round Gaussians, which take two thirds of the memory.
#[derive(Clone, Copy, Debug, Default)]
struct RoundFour {
    center_mm: [[f64; LANES]; 2],
    inverse: [f64; LANES],
    amplitude: [f64; LANES],
}

impl Four {
    /// The first wells of a list; lanes that it leaves over are zero.
    pub(super) fn of(wells: &[Well]) -> Self {
        let mut four = Self::default();
        wells.iter().take(LANES).enumerate().for_each(|(lane, well)| four.set(lane, well));
        four
    }
}

impl Lanes for Four {
    fn set(&mut self, lane: usize, well: &Well) {
        let Well { center_mm, inverse, amplitude, .. } = *well;
        (self.center_mm[0][lane], self.center_mm[1][lane], self.amplitude[lane]) =
            (center_mm.x, center_mm.y, amplitude);
        self.inverse.iter_mut().zip(inverse).for_each(|(lanes, inverse)| lanes[lane] = inverse);
    }

    #[inline(always)]
    fn at(&self, p_mm: DVec2) -> (f64x4, [f64x4; 2]) {
        let [dx, dy] = way(p_mm, &self.center_mm);
        let [a, b, c] = self.inverse.map(f64x4::new);
        value_and_slope([dx, dy], [a * dx + b * dy, b * dx + c * dy], self.amplitude)
    }
}

impl Lanes for RoundFour {
    fn set(&mut self, lane: usize, well: &Well) {
        let Well { center_mm, inverse, amplitude, .. } = *well;
        (self.center_mm[0][lane], self.center_mm[1][lane]) = (center_mm.x, center_mm.y);
        (self.inverse[lane], self.amplitude[lane]) = (inverse[0], amplitude);
    }

    #[inline(always)]
    fn at(&self, p_mm: DVec2) -> (f64x4, [f64x4; 2]) {
        let [dx, dy] = way(p_mm, &self.center_mm);
        let inverse = f64x4::new(self.inverse);
        value_and_slope([dx, dy], [inverse * dx, inverse * dy], self.amplitude)
    }
}

/// Ways to a place from some centres.
#[inline(always)]
fn way(p_mm: DVec2, center_mm: &[[f64; LANES]; 2]) -> [f64x4; 2] {
    let [x_mm, y_mm] = center_mm.map(f64x4::new);
    [f64x4::splat(p_mm.x) - x_mm, f64x4::splat(p_mm.y) - y_mm]
}

/// Values at the end of a way from the centres, on which the inverse covariances make `steep`, and `steep` itself.
#[inline(always)]
fn value_and_slope(way: [f64x4; 2], steep: [f64x4; 2], amplitude: [f64; LANES]) -> (f64x4, [f64x4; 2]) {
    let exponent = (steep[0] * way[0] + steep[1] * way[1]) * f64x4::splat(-0.5);
    (f64x4::new(amplitude) * exp_up_to_zero(exponent), steep)
}

/// Gaussians of one kind cell by cell; those in many cells stand there many times.
#[derive(Clone, Debug, Default)]
struct ByCell<T> {
    /// Number of Gaussians in each cell.
    count: Vec<usize>,
    /// Lanes that a cell leaves over are zero.
    fours: Vec<T>,
    /// Those of cell `c` stand at `start[c]..start[c + 1]`.
    start: Vec<usize>,
}

impl<T: Lanes> ByCell<T> {
    /// Those of a cell; none before the first sorting.
    #[inline(always)]
    fn in_cell(&self, cell: usize) -> &[T] {
        if self.start.is_empty() { &[] } else { &self.fours[self.start[cell]..self.start[cell + 1]] }
    }

    /// Sorts wells into the cells that they reach.
    fn sort(&mut self, cells: &Cells, wells: &[Well]) {
        let Self { count, fours, start } = self;
        count.clear();
        count.resize(cells.count(), 0);
        wells.iter().for_each(|well| cells.for_each_reached(well, |cell| count[cell] += 1));
        start.clear();
        start.push(0);
        let mut end = 0;
        start.extend(count.iter().map(|count| {
            end += count.div_ceil(LANES);
            end
        }));
        if fours.capacity() < end {
            fours.reserve(2 * end);
        }
        fours.resize(end, T::default());
        // The last ones of the cells have the lanes that are left over.
        start.windows(2).filter(|span| span[0] < span[1]).for_each(|span| fours[span[1] - 1] = T::default());
        count.fill(0);
        for well in wells {
            cells.for_each_reached(well, |cell| {
                fours[start[cell] + count[cell] / LANES].set(count[cell] % LANES, well);
                count[cell] += 1;
            });
        }
    }
}

impl Gaussians {
    /// Takes over the feet and patches of a tick. Allocates nothing once there is room for a crowd.
    pub fn refresh(&mut self, model: &FieldModel, forecasts: &[Forecast], patches: &Patches) {
        let Self { wells, cells, of_feet, of_patches } = self;
        let feet = forecasts.iter().flat_map(|forecast| GL4.wells(model, forecast));
        wells.clear();
        wells.extend(feet.map(|well| Well { amplitude: -well.amplitude, ..well }));
        let feet = wells.len();
        wells.extend(hills_of(model, patches.hills()));
        *cells = Cells::new(model.mat(), wells.len());
        of_feet.sort(cells, &wells[..feet]);
        of_patches.sort(cells, &wells[feet..]);
    }

    /// U at a place.
    #[must_use]
    pub fn potential(&self, p_mm: DVec2) -> f64 {
        let cell = self.cells.index(p_mm);
        let of_feet = add_at(f64x4::ZERO, self.of_feet.in_cell(cell), p_mm);
        sum_of_lanes(add_at(of_feet, self.of_patches.in_cell(cell), p_mm))
    }

    /// Gradient of U at a place, per mm.
    #[must_use]
    pub fn gradient(&self, p_mm: DVec2) -> DVec2 {
        let [slope] = self.gradients_at([p_mm]);
        slope
    }

    /// Gradient of U at each place, per mm.
    pub fn gradients(&self, places_mm: &[DVec2], slopes: &mut [DVec2]) {
        let (places_mm, last_mm) = places_mm.as_chunks::<SIDE_BY_SIDE>();
        let (slopes, last) = slopes.as_chunks_mut();
        places_mm.iter().zip(slopes).for_each(|(&places_mm, slopes)| *slopes = self.gradients_at(places_mm));
        last_mm.iter().zip(last).for_each(|(&p_mm, slope)| *slope = self.gradient(p_mm));
    }

    #[inline(always)]
    fn gradients_at<const PLACES: usize>(&self, places_mm: [DVec2; PLACES]) -> [DVec2; PLACES] {
        let mut sums = [[f64x4::ZERO; 2]; PLACES];
        let cells = places_mm.map(|p_mm| self.cells.index(p_mm));
        climb(&mut sums, cells.map(|cell| self.of_feet.in_cell(cell)), places_mm);
        climb(&mut sums, cells.map(|cell| self.of_patches.in_cell(cell)), places_mm);
        sums.map(|sum| DVec2::from(sum.map(sum_of_lanes)))
    }
}

/// Adds the gradients of the Gaussians of each place, side by side as far as all places have some.
#[inline(always)]
fn climb<const PLACES: usize>(
    sums: &mut [[f64x4; 2]; PLACES],
    fours: [&[impl Lanes]; PLACES],
    places_mm: [DVec2; PLACES],
) {
    let mut climb = |n: usize, k: usize| {
        let (u, [x, y]) = fours[n][k].at(places_mm[n]);
        sums[n] = [sums[n][0] - u * x, sums[n][1] - u * y];
    };
    let all_have = fours.iter().map(|fours| fours.len()).min().unwrap_or(0);
    (0..all_have).for_each(|k| (0..PLACES).for_each(|n| climb(n, k)));
    (0..PLACES).for_each(|n| (all_have..fours[n].len()).for_each(|k| climb(n, k)));
}

/// Sum of Gaussians at a place.
pub(super) fn sum_at(fours: &[Four], p_mm: DVec2) -> f64 {
    sum_of_lanes(add_at(f64x4::ZERO, fours, p_mm))
}

fn add_at(sum: f64x4, fours: &[impl Lanes], p_mm: DVec2) -> f64x4 {
    fours.iter().fold(sum, |sum, four| sum + four.at(p_mm).0)
}

/// Sum of the lanes, in an order that no instruction set of the processor changes.
fn sum_of_lanes(lanes: f64x4) -> f64 {
    let [a, b, c, d] = lanes.to_array();
    (a + b) + (c + d)
}

/// `exp(x)` for x up to 0, with a relative error below 3e-9: the series of `exp(x / 256)` up to the seventh power, squared eight times.
/// Products and sums alone give the same bits on every machine.
fn exp_up_to_zero(x: f64x4) -> f64x4 {
    const FIRST: f64 = 1.0 / 5040.0;
    const TERMS: [f64; 7] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let y = x.fast_max(f64x4::splat(FAR)) * f64x4::splat(1.0 / f64::from(1 << SQUARINGS));
    let series = TERMS.iter().fold(f64x4::splat(FIRST), |sum, &term| sum * y + f64x4::splat(term));
    (0..SQUARINGS).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::ops;

    #[test]
    fn the_exponential_is_right_to_a_part_in_three_hundred_million() {
        for n in 0..=4000 {
            let x = -0.01 * f64::from(n);
            let relative = exp_up_to_zero(f64x4::splat(x)).to_array()[2] / ops::exp(x) - 1.0;
            assert!(relative.abs() < 3e-9, "{x}: {relative:e}");
        }
        assert_eq!(exp_up_to_zero(f64x4::ZERO).to_array(), [1.0; 4]);
        assert!(exp_up_to_zero(f64x4::splat(-1e9)).to_array()[0] < 1e-17);
    }
}
