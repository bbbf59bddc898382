//! Many Gaussians at many places: each Gaussian visits the places that it reaches, four at once.
//!
//! A Gaussian ends at five standard deviations, where 4e-6 of its peak is left. So what a place reads depends on the Gaussians and on the
//! place alone, not on the other places.

use super::exponential::exp_near_zero;
use super::wells::Well;
use sim_core::{DVec2, Grid};
use wide::f64x4;

/// Places that are visited at once.
const LANES: usize = 4;
/// Size of the cells that places are sorted into, mm: few rows to visit, and few places beside the reach.
const CELL_MM: DVec2 = DVec2::new(30.0, 240.0);
/// Where a Gaussian ends, in standard deviations.
const CUT: f64 = 5.0;
/// Up to where its places are looked for: farther than the cut by more than rounding.
const LOOKED_FOR: f64 = CUT + 1e-9;
/// By number of places that are left: 1 for those, 0 for the lanes beyond them.
const LEFT: [[f64; LANES]; LANES + 1] =
    [[0.0; 4], [1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [1.0; 4]];

/// Buffers to read many Gaussians: the places in cells, and sums there. They are kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    grid: Grid,
    /// In the order of the grid, with room for the lanes beyond the last place.
    sums: [Vec<f64>; 2],
}

impl Lookup {
    /// Adds up what all wells have at each place: one number or two, by the number of the place. `part` makes them from the values of a
    /// well at four places, and from its inverse covariance times the ways there, per mm.
    #[inline]
    pub(super) fn add_up<const PARTS: usize>(
        &mut self,
        wells: &[Well],
        places_mm: &[DVec2],
        part: impl Fn(f64x4, [f64x4; 2]) -> [f64x4; PARTS],
    ) -> impl Iterator<Item = (usize, [f64; 2])> {
        let Self { grid, sums } = self;
        grid.rebuild_cells(places_mm, CELL_MM);
        for sums in &mut *sums {
            sums.clear();
            sums.resize(places_mm.len() + LANES - 1, 0.0);
        }
        for well in wells {
            let (reach, lanes) = (Reach::new(well), WellLanes::new(well));
            for row in grid.rows_between(reach.low_mm(), reach.high_mm()) {
                let (low_mm, high_mm) = reach.span_mm(grid.row_mm(row));
                let range = grid.between(row, low_mm, high_mm);
                let [x_mm, y_mm] = grid.fours_mm(&range);
                let mut sums = sums.each_mut().map(|sums| sums[range.start..].as_chunks_mut().0);
                for (four, (&x_mm, &y_mm)) in x_mm.iter().zip(y_mm).enumerate() {
                    let left = LEFT[(range.len() - four * LANES).min(LANES)];
                    let (value, steep) = lanes.at([x_mm, y_mm], left);
                    for (sums, part) in sums.iter_mut().zip(part(value, steep)) {
                        sums[four] = (f64x4::new(sums[four]) + part).to_array();
                    }
                }
            }
        }
        let [first, second] = sums;
        let sums = first.iter().zip(&*second).map(|(&first, &second)| [first, second]);
        grid.all().ids.iter().map(|&i| i as usize).zip(sums)
    }
}

/// A Gaussian for four places at once.
struct WellLanes {
    center_mm: [f64x4; 2],
    inverse: [f64x4; 3],
    amplitude: f64x4,
}

impl WellLanes {
    #[inline]
    fn new(well: &Well) -> Self {
        Self {
            center_mm: well.center_mm.to_array().map(f64x4::splat),
            inverse: well.inverse.map(f64x4::splat),
            amplitude: f64x4::splat(well.amplitude),
        }
    }

    /// Values at four places, zero beyond the cut and in lanes that are not left, and the inverse covariance times the ways there, per mm.
    #[inline(always)]
    fn at(&self, [x_mm, y_mm]: [[f64; LANES]; 2], left: [f64; LANES]) -> (f64x4, [f64x4; 2]) {
        let (dx, dy) = (f64x4::new(x_mm) - self.center_mm[0], f64x4::new(y_mm) - self.center_mm[1]);
        let [a, b, c] = self.inverse;
        let steep = [a * dx + b * dy, b * dx + c * dy];
        let exponent = (steep[0] * dx + steep[1] * dy) * f64x4::splat(-0.5);
        let is_within = exponent.simd_ge(f64x4::splat(-0.5 * CUT * CUT));
        ((self.amplitude * f64x4::new(left) * exp_near_zero(exponent)) & is_within, steep)
    }
}

/// The ellipse in which the places of a Gaussian are looked for.
struct Reach {
    center_mm: DVec2,
    half_height_mm: f64,
    /// Way of the middle along x on a way along y.
    lean: f64,
    /// Square of half of the width at the height of the centre, mm^2.
    half_width2: f64,
    /// Loss of that on a way along y, over the square of that way.
    narrowing: f64,
}

impl Reach {
    /// With the inverse covariance (a, b, c) it is `a dx^2 + 2 b dx dy + c dy^2 <= k^2`, so dx is `-b / a dy` and at most
    /// `sqrt(k^2 / a - (c - b^2 / a) / a dy^2)` more or less.
    #[inline]
    fn new(well: &Well) -> Self {
        let [a, b, c] = well.inverse;
        let lean = -b / a;
        Self {
            center_mm: well.center_mm,
            half_height_mm: well.spread_mm.y * LOOKED_FOR,
            lean,
            half_width2: LOOKED_FOR * LOOKED_FOR / a,
            narrowing: (c + b * lean) / a,
        }
    }

    #[inline]
    fn low_mm(&self) -> f64 {
        self.center_mm.y - self.half_height_mm
    }

    #[inline]
    fn high_mm(&self) -> f64 {
        self.center_mm.y + self.half_height_mm
    }

    /// Span of x that holds the part of the ellipse between two y, mm.
    #[inline]
    fn span_mm(&self, (low_mm, high_mm): (f64, f64)) -> (f64, f64) {
        let low_mm = (low_mm - self.center_mm.y).max(-self.half_height_mm);
        let high_mm = (high_mm - self.center_mm.y).min(self.half_height_mm);
        let nearest_mm = low_mm.max(0.0) + high_mm.min(0.0);
        let half_mm = (self.half_width2 - self.narrowing * nearest_mm * nearest_mm).max(0.0).sqrt();
        let (at_low_mm, at_high_mm) = (self.lean * low_mm, self.lean * high_mm);
        let x_mm = self.center_mm.x;
        (x_mm + at_low_mm.min(at_high_mm) - half_mm, x_mm + at_low_mm.max(at_high_mm) + half_mm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A sum of the wells within the cut at one place after the other.
    fn within_cut(wells: &[Well], p_mm: DVec2) -> (f64, DVec2) {
        let of = |well: &Well| {
            let ([a, b, c], d) = (well.inverse, p_mm - well.center_mm);
            let is_within = a * d.x * d.x + 2.0 * b * d.x * d.y + c * d.y * d.y < CUT * CUT;
            if is_within { (well.value(p_mm), well.gradient(p_mm)) } else { (0.0, DVec2::ZERO) }
        };
        wells.iter().map(of).fold((0.0, DVec2::ZERO), |(u, slope), more| (u + more.0, slope + more.1))
    }

    fn read(wells: &[Well], places_mm: &[DVec2]) -> Vec<(f64, DVec2)> {
        let (mut lookup, mut read) = (Lookup::default(), vec![(f64::NAN, DVec2::NAN); places_mm.len()]);
        lookup.add_up(wells, places_mm, |value, _| [value]).for_each(|(i, [u, _])| read[i].0 = u);
        let slopes = lookup.add_up(wells, places_mm, |value, [x, y]| [-value * x, -value * y]);
        slopes.for_each(|(i, slope)| read[i].1 = slope.into());
        read
    }

    fn wells() -> impl Strategy<Value = Vec<Well>> {
        let well = (-300.0..1500.0, -300.0..900.0, 20.0..60.0, -150.0..150.0, -150.0..150.0, -1.0..1.0);
        prop::collection::vec(well, 0..40).prop_map(|wells| {
            let well = |(x, y, sigma_mm, q_x, q_y, amplitude)| {
                Well::moving(DVec2::new(x, y), sigma_mm, DVec2::new(q_x, q_y), amplitude)
            };
            wells.into_iter().map(well).collect()
        })
    }

    proptest! {
        /// Each place gets all wells that reach it, once. An error of the exponential is below 1.2e-8 of a peak, and the steepest way to
        /// it is `5 / 20` per mm.
        #[test]
        fn each_place_reads_the_wells_that_reach_it(
            wells in wells(), places in prop::collection::vec((0.0_f64..1200.0, 0.0_f64..600.0), 0..60),
        ) {
            let places_mm: Vec<_> = places.into_iter().map(DVec2::from).collect();
            let peaks: f64 = wells.iter().map(|well| well.amplitude.abs()).sum();
            for (&p_mm, (u, slope)) in places_mm.iter().zip(read(&wells, &places_mm)) {
                let expected = within_cut(&wells, p_mm);
                prop_assert!((u - expected.0).abs() <= 1.2e-8 * peaks, "{u} {}", expected.0);
                prop_assert!(slope.distance(expected.1) <= 0.3e-8 * peaks, "{slope} {}", expected.1);
                prop_assert_eq!(&read(&wells, &[p_mm])[..], &[(u, slope)], "the same, to the bit, alone");
            }
        }
    }

    #[test]
    fn a_well_ends_at_five_standard_deviations() {
        let well = Well::moving(DVec2::ZERO, 40.0, DVec2::new(30.0, 0.0), 1.0);
        let places_mm =
            [DVec2::new(0.0, 199.9), DVec2::new(0.0, 200.1), DVec2::new(249.9, 0.0), DVec2::new(250.1, 0.0)];
        let read = read(&[well], &places_mm).into_iter();
        assert_eq!(read.map(|(u, _)| u > 0.0).collect::<Vec<_>>(), [true, false, true, false]);
    }
}
