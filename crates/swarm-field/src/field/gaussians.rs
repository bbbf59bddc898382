//! The potential at single places, straight from its Gaussians: what robots read in every step.
//!
//! Feet count as four wells each, as on the grid. On a mat with many Gaussians each place looks at those of its cell alone, four at once.
//! A cell has all that reach it within five standard deviations along each axis, where 4e-6 of the peak is left.

use super::{FieldModel, hills_of, wells::GL4, wells::Well};
use crate::feet::Forecast;
use crate::patches::Patches;
use sim_core::{DVec2, Rect};
use wide::f64x4;

/// Gaussians that are evaluated at once, those of an [`f64x4`].
const LANES: usize = 4;
/// Places whose gradients are computed side by side: an exponential is a long chain, and a processor overlaps two of them.
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
    /// Those of feet with negative amplitudes.
    wells: Vec<Well>,
    cells: Cells,
    /// Number of Gaussians in each cell.
    count: Vec<usize>,
    /// The Gaussians cell by cell; those in many cells stand there many times. Lanes that a cell leaves over are zero.
    fours: Vec<Four>,
    /// Those of cell `c` stand at `start[c]..start[c + 1]`.
    start: Vec<usize>,
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
        if self.count() == 1 {
            return (0, 0);
        }
        let at = (p_mm - self.origin_mm) / CELL_MM;
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }

    /// The cells that a Gaussian reaches.
    fn reached_by(&self, well: &Well) -> impl Iterator<Item = usize> {
        let (first_column, first_row) = self.column_and_row(well.center_mm - well.spread_mm * CUT);
        let (last_column, last_row) = self.column_and_row(well.center_mm + well.spread_mm * CUT);
        let stride = self.columns;
        (first_row..=last_row)
            .flat_map(move |row| (first_column..=last_column).map(move |column| row * stride + column))
    }
}

/// Four Gaussians, field by field; see [`Well`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Four {
    center_mm: [[f64; LANES]; 2],
    inverse: [[f64; LANES]; 3],
    amplitude: [f64; LANES],
}

impl Four {
    /// The first wells of a list; lanes that it leaves over are zero.
    pub(super) fn of(wells: &[Well]) -> Self {
        let mut four = Self::default();
        wells.iter().take(LANES).enumerate().for_each(|(lane, well)| four.set(lane, well));
        four
    }

    fn set(&mut self, lane: usize, well: &Well) {
        let Well { center_mm, inverse, amplitude, .. } = *well;
        (self.center_mm[0][lane], self.center_mm[1][lane], self.amplitude[lane]) =
            (center_mm.x, center_mm.y, amplitude);
        self.inverse.iter_mut().zip(inverse).for_each(|(lanes, inverse)| lanes[lane] = inverse);
    }

    /// Values at a place, and the inverse covariances times the way there from the centres, per mm.
    #[inline(always)]
    fn at(&self, p_mm: DVec2) -> (f64x4, [f64x4; 2]) {
        let dx = f64x4::splat(p_mm.x) - f64x4::new(self.center_mm[0]);
        let dy = f64x4::splat(p_mm.y) - f64x4::new(self.center_mm[1]);
        let [a, b, c] = self.inverse.map(f64x4::new);
        let steep = [a * dx + b * dy, b * dx + c * dy];
        let exponent = (steep[0] * dx + steep[1] * dy) * f64x4::splat(-0.5);
        (f64x4::new(self.amplitude) * exp_up_to_zero(exponent), steep)
    }
}

impl Gaussians {
    /// Takes over the feet and patches of a tick. Allocates nothing once there is room for a crowd.
    pub fn refresh(&mut self, model: &FieldModel, forecasts: &[Forecast], patches: &Patches) {
        let feet = forecasts.iter().flat_map(|forecast| GL4.wells(model, forecast));
        self.wells.clear();
        self.wells.extend(feet.map(|well| Well { amplitude: -well.amplitude, ..well }));
        self.wells.extend(hills_of(model, patches.hills()));
        self.sort_into_cells(model.mat());
    }

    /// U at a place.
    #[must_use]
    pub fn potential(&self, p_mm: DVec2) -> f64 {
        sum_at(self.near(p_mm), p_mm)
    }

    /// Gradient of U at a place, per mm.
    #[must_use]
    pub fn gradient(&self, p_mm: DVec2) -> DVec2 {
        let [slope] = gradients_of(self.near(p_mm), [p_mm]);
        slope
    }

    /// Gradient of U at each place, per mm.
    pub fn gradients(&self, places_mm: &[DVec2], slopes: &mut [DVec2]) {
        for (places_mm, slopes) in places_mm.chunks(SIDE_BY_SIDE).zip(slopes.chunks_mut(SIDE_BY_SIDE)) {
            match <[DVec2; SIDE_BY_SIDE]>::try_from(places_mm) {
                Ok(places_mm) if self.are_in_one_cell(places_mm) => {
                    slopes.copy_from_slice(&gradients_of(self.near(places_mm[0]), places_mm));
                }
                _ => slopes.iter_mut().zip(places_mm).for_each(|(slope, &p_mm)| *slope = self.gradient(p_mm)),
            }
        }
    }

    fn are_in_one_cell(&self, places_mm: [DVec2; SIDE_BY_SIDE]) -> bool {
        let cell = self.cells.column_and_row(places_mm[0]);
        places_mm[1..].iter().all(|&p_mm| self.cells.column_and_row(p_mm) == cell)
    }

    /// The Gaussians that reach a place; none before the first refresh.
    #[inline(always)]
    fn near(&self, p_mm: DVec2) -> &[Four] {
        if self.start.is_empty() {
            return &[];
        }
        let (column, row) = self.cells.column_and_row(p_mm);
        let cell = row * self.cells.columns + column;
        &self.fours[self.start[cell]..self.start[cell + 1]]
    }

    fn sort_into_cells(&mut self, mat: Rect) {
        let Self { wells, cells, count, fours, start } = self;
        *cells = Cells::new(mat, wells.len());
        count.clear();
        count.resize(cells.count(), 0);
        wells.iter().flat_map(|well| cells.reached_by(well)).for_each(|cell| count[cell] += 1);
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
        fours.resize(end, Four::default());
        // The last ones of the cells have the lanes that are left over.
        start.windows(2).filter(|span| span[0] < span[1]).for_each(|span| fours[span[1] - 1] = Four::default());
        count.fill(0);
        for well in &*wells {
            for cell in cells.reached_by(well) {
                fours[start[cell] + count[cell] / LANES].set(count[cell] % LANES, well);
                count[cell] += 1;
            }
        }
    }
}

/// Gradients of a sum of Gaussians at some places, per mm.
#[inline(always)]
fn gradients_of<const PLACES: usize>(fours: &[Four], places_mm: [DVec2; PLACES]) -> [DVec2; PLACES] {
    let mut sums = [[f64x4::ZERO; 2]; PLACES];
    for four in fours {
        for (sum, &p_mm) in sums.iter_mut().zip(&places_mm) {
            let (u, [x, y]) = four.at(p_mm);
            *sum = [sum[0] - u * x, sum[1] - u * y];
        }
    }
    sums.map(|sum| DVec2::from(sum.map(sum_of_lanes)))
}

/// Sum of Gaussians at a place.
pub(super) fn sum_at(fours: &[Four], p_mm: DVec2) -> f64 {
    sum_of_lanes(fours.iter().fold(f64x4::ZERO, |sum, four| sum + four.at(p_mm).0))
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
