//! The potential at single places, straight from its Gaussians: what robots read in every step.
//!
//! Feet count as four wells each, as on the grid. Few Gaussians are all evaluated at each place, four at once. Of many each one is
//! evaluated at the places that it reaches, see [`Lookup`].

use super::exponential::exp_up_to_zero;
use super::lookup::Lookup;
use super::{FieldModel, hills_of, wells::GL4, wells::Well};
use crate::feet::Forecast;
use crate::patches::Patches;
use sim_core::DVec2;
use wide::f64x4;

/// Gaussians that are evaluated at once, those of an [`f64x4`].
const LANES: usize = 4;
/// Places whose gradients are computed side by side: an exponential is a long chain of products, and a processor overlaps two.
const SIDE_BY_SIDE: usize = 2;
/// Number of Gaussians up to which they are few.
const FEW: usize = 64;

/// The Gaussians of a tick: a pure function of the forecasts and patches of the last [`Gaussians::refresh`].
#[derive(Clone, Debug, Default)]
pub struct Gaussians {
    /// Those of feet with negative amplitudes, then the hills of patches.
    wells: Vec<Well>,
    /// The same four by four; used if they are few.
    of_feet: Vec<Four>,
    of_patches: Vec<RoundFour>,
}

/// Four Gaussians, field by field.
pub(super) trait Lanes: Copy + Default {
    fn set(&mut self, lane: usize, well: &Well);

    /// The first wells of a list; lanes that it leaves over are zero.
    fn of(wells: &[Well]) -> Self {
        let mut four = Self::default();
        wells.iter().take(LANES).enumerate().for_each(|(lane, well)| four.set(lane, well));
        four
    }

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

impl Gaussians {
    /// Takes over the feet and patches of a tick. Allocates nothing once there is room for a crowd.
    pub fn refresh(&mut self, model: &FieldModel, forecasts: &[Forecast], patches: &Patches) {
        let feet = forecasts.iter().flat_map(|forecast| GL4.wells(model, forecast));
        self.wells.clear();
        self.wells.extend(feet.map(|well| Well { amplitude: -well.amplitude, ..well }));
        let feet = self.wells.len();
        self.wells.extend(hills_of(model, patches.hills()));
        if !self.are_many() {
            line_up(&mut self.of_feet, &self.wells[..feet]);
            line_up(&mut self.of_patches, &self.wells[feet..]);
        }
    }

    /// U at a place: the sum of all Gaussians.
    #[must_use]
    pub fn potential(&self, p_mm: DVec2) -> f64 {
        if self.are_many() {
            return self.wells.iter().map(|well| well.value(p_mm)).sum();
        }
        sum_of_lanes(add_at(add_at(f64x4::ZERO, &self.of_feet, p_mm), &self.of_patches, p_mm))
    }

    /// Gradient of U at a place, per mm: the sum of all Gaussians.
    #[must_use]
    pub fn gradient(&self, p_mm: DVec2) -> DVec2 {
        if self.are_many() {
            return self.wells.iter().map(|well| well.gradient(p_mm)).sum();
        }
        let [slope] = self.gradients_at([p_mm]);
        slope
    }

    /// U at each place. Of many Gaussians each is cut at five standard deviations.
    pub fn potentials(&self, places_mm: &[DVec2], lookup: &mut Lookup, potentials: &mut [f64]) {
        if self.are_many() {
            let sums = lookup.add_up(&self.wells, places_mm, |value, _| [value]);
            return sums.for_each(|(i, [u, _])| potentials[i] = u);
        }
        places_mm.iter().zip(potentials).for_each(|(&p_mm, potential)| *potential = self.potential(p_mm));
    }

    /// Gradient of U at each place, per mm. Of many Gaussians each is cut at five standard deviations.
    pub fn gradients(&self, places_mm: &[DVec2], lookup: &mut Lookup, slopes: &mut [DVec2]) {
        if self.are_many() {
            let sums = lookup.add_up(&self.wells, places_mm, |value, [x, y]| [-value * x, -value * y]);
            return sums.for_each(|(i, slope)| slopes[i] = slope.into());
        }
        let (places_mm, last_mm) = places_mm.as_chunks::<SIDE_BY_SIDE>();
        let (slopes, last) = slopes.as_chunks_mut();
        places_mm.iter().zip(slopes).for_each(|(&places_mm, slopes)| *slopes = self.gradients_at(places_mm));
        last_mm.iter().zip(last).for_each(|(&p_mm, slope)| *slope = self.gradient(p_mm));
    }

    fn are_many(&self) -> bool {
        self.wells.len() > FEW
    }

    #[inline(always)]
    fn gradients_at<const PLACES: usize>(&self, places_mm: [DVec2; PLACES]) -> [DVec2; PLACES] {
        let mut sums = [[f64x4::ZERO; 2]; PLACES];
        climb(&mut sums, &self.of_feet, places_mm);
        climb(&mut sums, &self.of_patches, places_mm);
        sums.map(|sum| DVec2::from(sum.map(sum_of_lanes)))
    }
}

fn line_up<T: Lanes>(fours: &mut Vec<T>, wells: &[Well]) {
    fours.clear();
    fours.extend(wells.chunks(LANES).map(T::of));
}

/// Adds the gradients of some Gaussians at all places, side by side.
#[inline(always)]
fn climb<const PLACES: usize>(sums: &mut [[f64x4; 2]; PLACES], fours: &[impl Lanes], places_mm: [DVec2; PLACES]) {
    for four in fours {
        for (sum, p_mm) in sums.iter_mut().zip(places_mm) {
            let (u, [x, y]) = four.at(p_mm);
            *sum = [sum[0] - u * x, sum[1] - u * y];
        }
    }
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
