//! Escape paths: what robots do whose band ends at a place that a foot will cover.
//!
//! The viability tube tells that a robot can still get away, not that it does. Robots that wait until the last moment leave all at once,
//! meet in the gap between foot and wall, and some are caught. So a robot whose band ends at a place that does not last leaves at once. Its
//! band restarts along the quickest path to the nearest place that lasts, by the cautious tube if there is one.

use super::rows::Row;
use super::tube::{EscapePath, KNOTS_PER_LAYER, Tube, Tubes};
use sim_core::DVec2;

/// The escape paths of one plan.
#[derive(Clone, Debug, Default)]
pub struct EscapePaths {
    /// The robots that have one, and whether it lies in the cautious tube.
    robots: Vec<(u32, bool)>,
    /// The last knot of a path.
    last: usize,
    /// Place of the `j`-th of these robots at knot `k`, at `j * (last + 1) + k`.
    knots_mm: Vec<DVec2>,
    path: EscapePath,
}

impl EscapePaths {
    /// Finds a path for every robot whose band leaves the tube around it or ends, at knot `last`, at a place that does not last.
    pub fn find(&mut self, tubes: &Tubes, rows: &[Row], last: usize) {
        self.last = last;
        self.robots.clear();
        self.knots_mm.clear();
        if !tubes.expected.is_active() {
            return;
        }
        self.robots.reserve(rows.len());
        self.knots_mm.reserve(rows.len() * (last + 1));
        for (i, row) in rows.iter().enumerate() {
            if !leaves_tube(tubes, row, last) {
                continue;
            }
            let band_mm = |k: usize| row.at_mm(k.min(last));
            let mut has_path =
                |tube: &Tube| tube.escape_path(band_mm(0), |layer| band_mm(layer * KNOTS_PER_LAYER), &mut self.path);
            let is_cautious = has_path(&tubes.cautious);
            if is_cautious || has_path(&tubes.expected) {
                self.robots.push((i as u32, is_cautious));
                self.knots_mm.extend((0..=last).map(|k| at_knot(&self.path.places_mm, k)));
            }
        }
    }

    /// Restarts the bands of the robots that have a path along it.
    pub fn restart_bands(&self, rows: &mut [Row]) {
        for (j, &(i, _)) in self.robots.iter().enumerate() {
            (1..=self.last).for_each(|k| rows[i as usize].set_mm(k, self.place_mm(j, k)));
        }
    }

    /// Moves the knots of bands towards the escape paths, by a share of their distance. It is the first of `shares` for places
    /// outside the tube of the path, the second for those inside. The full share ends a cell's width before the path, so that the steps of
    /// the grid push no robot back and forth. Returns the largest step, mm.
    pub fn attract(&self, tubes: &Tubes, shares: (f64, f64), rows: &mut [Row], moved: &mut [bool]) -> f64 {
        let mut largest_mm = 0.0_f64;
        for (j, &(i, is_cautious)) in self.robots.iter().enumerate() {
            let tube = if is_cautious { &tubes.cautious } else { &tubes.expected };
            for k in 1..=self.last {
                let place = rows[i as usize].at_mm(k);
                let share = if tube.is_outside(k, place) { shares.0 } else { shares.1 };
                let off = self.place_mm(j, k) - place;
                let length = off.length();
                if share > 0.0 && length > tube.cell_mm() {
                    rows[i as usize].set_mm(k, place + off * (share * (1.0 - tube.cell_mm() / length)));
                    moved[i as usize] = true;
                    largest_mm = largest_mm.max(share * (length - tube.cell_mm()));
                }
            }
        }
        largest_mm
    }

    fn place_mm(&self, j: usize, k: usize) -> DVec2 {
        self.knots_mm[j * (self.last + 1) + k]
    }
}

/// True if a row leaves the tube around it or ends, at knot `last`, at a place that does not last. False where there is no tube.
pub(super) fn leaves_tube(tubes: &Tubes, row: &Row, last: usize) -> bool {
    if !tubes.expected.is_active() {
        return false;
    }
    let tube = tubes.around(row.at_mm(0));
    !tube.lasts(row.at_mm(last)) || (1..=last).any(|k| tube.is_outside(k, row.at_mm(k)))
}

/// Place of a path at knot `k`, half way between those of two layers at every other knot, mm.
fn at_knot(layers_mm: &[DVec2], k: usize) -> DVec2 {
    let (before, after) = (k / KNOTS_PER_LAYER, k.div_ceil(KNOTS_PER_LAYER));
    (layers_mm[before] + layers_mm[after]) * 0.5
}
