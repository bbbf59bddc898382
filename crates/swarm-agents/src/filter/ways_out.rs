//! Ways out: what robots do that would be lost if they lingered where their band ends.
//!
//! The viability tube says that a robot can still get away, not that it goes. Robots that wait until the last moment leave all at
//! once, meet in the gap between foot and wall, and some are caught. So a robot whose band ends where nobody lasts leaves at once:
//! its band begins anew along the quickest way to the nearest place that lasts, by the cautious tube if there is one.

use super::tube::{KNOTS_PER_LAYER, Tube, Tubes, Way};
use sim_core::DVec2;

/// The ways of one plan.
#[derive(Clone, Debug, Default)]
pub struct WaysOut {
    /// The robots that have one, and whether it goes by the cautious tube.
    robots: Vec<(u32, bool)>,
    /// The last knot of a way.
    last: usize,
    /// Place of the `j`-th of these robots at knot `k`, at `j * (last + 1) + k`.
    knots_mm: Vec<DVec2>,
    way: Way,
}

impl WaysOut {
    /// Finds a way for every robot whose band leaves the tube around it or ends where nobody lasts. `knots_mm` holds the bands of `n`
    /// robots, knot by knot up to `last`.
    pub fn find(&mut self, tubes: &Tubes, knots_mm: &[DVec2], n: usize, last: usize) {
        self.last = last;
        self.robots.clear();
        self.knots_mm.clear();
        if !tubes.expected.is_active() {
            return;
        }
        self.robots.reserve(n);
        self.knots_mm.reserve(n * (last + 1));
        for i in 0..n {
            let band_mm = |k: usize| knots_mm[k.min(last) * n + i];
            let tube = tubes.around(band_mm(0));
            if tube.lasts(band_mm(last)) && (1..=last).all(|k| !tube.is_outside(k, band_mm(k))) {
                continue;
            }
            let mut finds_way =
                |tube: &Tube| tube.way_out(band_mm(0), |layer| band_mm(layer * KNOTS_PER_LAYER), &mut self.way);
            let is_cautious = finds_way(&tubes.cautious);
            if is_cautious || finds_way(&tubes.expected) {
                self.robots.push((i as u32, is_cautious));
                self.knots_mm.extend((0..=last).map(|k| at_knot(&self.way.places_mm, k)));
            }
        }
    }

    /// Lays the bands of the robots that have a way along it.
    pub fn begin_anew(&self, knots_mm: &mut [DVec2], n: usize) {
        for (j, &(i, _)) in self.robots.iter().enumerate() {
            (1..=self.last).for_each(|k| knots_mm[k * n + i as usize] = self.place_mm(j, k));
        }
    }

    /// Moves the bands' places at knot `k` towards the ways: those outside the tubes of their ways by the first of `shares` of what they
    /// are off, those inside by the second. All of it would end a cell's width short of the ways, so that the grid's steps do not push
    /// anybody to and fro. Returns the largest step, mm.
    pub fn lead(
        &self,
        tubes: &Tubes,
        k: usize,
        shares: (f64, f64),
        places_mm: &mut [DVec2],
        moved: &mut [bool],
    ) -> f64 {
        let mut largest_mm = 0.0_f64;
        for (j, &(i, is_cautious)) in self.robots.iter().enumerate() {
            let tube = if is_cautious { &tubes.cautious } else { &tubes.expected };
            let place = &mut places_mm[i as usize];
            let share = if tube.is_outside(k, *place) { shares.0 } else { shares.1 };
            if share == 0.0 {
                continue;
            }
            let off = self.place_mm(j, k) - *place;
            let length = off.length();
            if length > tube.cell_mm() {
                *place += off * (share * (1.0 - tube.cell_mm() / length));
                moved[i as usize] = true;
                largest_mm = largest_mm.max(share * (length - tube.cell_mm()));
            }
        }
        largest_mm
    }

    fn place_mm(&self, j: usize, k: usize) -> DVec2 {
        self.knots_mm[j * (self.last + 1) + k]
    }
}

/// Place of a way at knot `k`, half way between those of two layers at every other knot.
fn at_knot(layers_mm: &[DVec2], k: usize) -> DVec2 {
    let (before, after) = (k / KNOTS_PER_LAYER, k.div_ceil(KNOTS_PER_LAYER));
    (layers_mm[before] + layers_mm[after]) * 0.5
}
