//! Restarts of a plan: its faults, the best attempt so far, and the start of the next one.
//!
//! Sweeps repair a band by small pushes, so they end where no small push helps. Two robots on one escape path push each other back and
//! forth for ever, though a detour of one of them would do. The certificate refuses such a plan robot by robot, and robots stand in front
//! of a foot for it. So bands at fault restart in another way, the rest of the plan stays, and the sweeps are repeated. The best attempt is
//! the plan.

use super::rows::Row;
use sim_core::DVec2;

/// Fault of a robot that ends where it cannot get away, mm^2: the same as one lack of 10 mm.
const LOST_MM2: f64 = 100.0;
/// Sum of squares below which a plan is flawless, mm^2.
const FLAWLESS_MM2: f64 = 0.5;

/// Square of what the distance of two places lacks to `distance_mm`, mm^2; 0 if it lacks nothing.
#[inline]
pub(super) fn squared_lack_mm2((a, b): (DVec2, DVec2), distance_mm: f64) -> f64 {
    let d2 = a.distance_squared(b);
    if d2 >= distance_mm * distance_mm {
        return 0.0;
    }
    let lack_mm = distance_mm - d2.sqrt();
    lack_mm * lack_mm
}

/// Faults of a plan: distances that it does not keep.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Sum over all knots of squared lacks of distance, and a constant for each lost robot, mm^2.
    sum_mm2: f64,
    /// Whether robot `i` is too near a robot or a foot at some knot.
    robots: Vec<bool>,
}

impl Faults {
    /// Resets to a plan without faults.
    pub fn clear(&mut self, robots: usize) {
        self.sum_mm2 = 0.0;
        self.robots.clear();
        self.robots.resize(robots, false);
    }

    /// Compares two places, of two robots or of a robot and a foot. Nearer than `distance_mm`, `robots` are at fault.
    pub fn compare(&mut self, robots: &[u32], places_mm: (DVec2, DVec2), distance_mm: f64) {
        let lack_mm2 = squared_lack_mm2(places_mm, distance_mm);
        if lack_mm2 > 0.0 {
            self.sum_mm2 += lack_mm2;
            robots.iter().for_each(|&robot| self.robots[robot as usize] = true);
        }
    }

    /// Adds a robot that ends where it cannot get away. It is not at fault: every attempt searches an escape path for it.
    pub fn add_lost(&mut self) {
        self.sum_mm2 += LOST_MM2;
    }
}

/// The attempts at one plan.
#[derive(Clone, Debug, Default)]
pub struct Restarts {
    /// Faults of the present attempt, until it is saved.
    pub faults: Faults,
    /// Faults of the best attempt.
    best_faults: Faults,
    /// Bands of the best attempt.
    best: Vec<Row>,
    /// Bands of the plan before.
    previous: Vec<Row>,
}

impl Restarts {
    /// Forgets all attempts and saves the bands of the plan before, moved on to the present.
    pub fn begin(&mut self, previous: &[Row]) {
        self.best.clear();
        self.previous.clear();
        self.previous.extend_from_slice(previous);
    }

    /// Loads the bands of the plan before.
    pub fn load_previous(&self, rows: &mut [Row]) {
        rows.copy_from_slice(&self.previous);
    }

    /// True if the present bands have no faults.
    #[must_use]
    pub fn is_flawless(&self) -> bool {
        self.faults.sum_mm2 < FLAWLESS_MM2
    }

    /// Saves bands with the present [`Self::faults`] if they are the first or the best so far.
    pub fn save_best(&mut self, rows: &[Row]) {
        if self.best.is_empty() || self.faults.sum_mm2 < self.best_faults.sum_mm2 {
            std::mem::swap(&mut self.best_faults, &mut self.faults);
            self.best.clear();
            self.best.extend_from_slice(rows);
        }
    }

    /// Loads the best bands so far.
    pub fn load_best(&self, rows: &mut [Row]) {
        rows.copy_from_slice(&self.best);
    }

    /// Starts another attempt from the best one: `new_band(i, best)` is the new band of a robot `i` at fault.
    pub fn restart(&self, rows: &mut [Row], new_band: impl Fn(usize, &[Row]) -> Row) {
        self.load_best(rows);
        for (i, row) in rows.iter_mut().enumerate().filter(|&(i, _)| self.best_faults.robots[i]) {
            *row = new_band(i, &self.best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two places, 10 mm apart.
    const PLACES: (DVec2, DVec2) = (DVec2::ZERO, DVec2::new(6.0, 8.0));

    /// The band of a robot that stays.
    fn at(x: f64) -> Row {
        Row::at_rest(DVec2::splat(x))
    }

    #[test]
    fn lacks_of_distance_are_squared() {
        let places = (DVec2::ZERO, DVec2::new(6.0, 8.0));
        assert_eq!([9.0, 10.0, 13.0].map(|distance_mm| squared_lack_mm2(places, distance_mm)), [0.0, 0.0, 9.0]);
    }

    #[test]
    fn faults_are_squared_lacks_of_distance() {
        let mut faults = Faults::default();
        faults.clear(4);
        faults.compare(&[0], PLACES, 10.0);
        faults.compare(&[1], PLACES, 13.0);
        faults.compare(&[3, 2], PLACES, 14.0);
        assert_eq!((faults.sum_mm2, &faults.robots[..]), (25.0, &[false, true, true, true][..]));
        faults.add_lost();
        assert_eq!((faults.sum_mm2, &faults.robots[..]), (125.0, &[false, true, true, true][..]));
        faults.clear(1);
        assert_eq!((faults.sum_mm2, &faults.robots[..]), (0.0, &[false][..]));
    }

    /// Three attempts with faults of 9, 4 and 16 mm^2: the second is the best.
    #[test]
    fn the_best_attempt_is_kept() {
        let mut restarts = Restarts::default();
        restarts.begin(&[]);
        for (lack_mm, x) in [(3.0, 1.0), (2.0, 2.0), (4.0, 3.0)] {
            restarts.faults.clear(1);
            restarts.faults.compare(&[0], PLACES, 10.0 + lack_mm);
            restarts.save_best(&[at(x)]);
        }
        let mut band = [at(0.0)];
        restarts.load_best(&mut band);
        assert!(band == [at(2.0)] && !restarts.is_flawless());
        restarts.faults.clear(1);
        assert!(restarts.is_flawless());
        restarts.save_best(&[at(5.0)]);
        restarts.load_best(&mut band);
        assert_eq!(band, [at(5.0)]);
        restarts.begin(&[at(7.0)]);
        restarts.load_previous(&mut band);
        assert_eq!(band, [at(7.0)]);
        restarts.faults.compare(&[0], PLACES, 15.0);
        assert!(!restarts.is_flawless(), "another plan");
        restarts.save_best(&[at(6.0)]);
        restarts.load_best(&mut band);
        assert_eq!(band, [at(6.0)]);
    }

    /// A lack of 0.70 mm is 0.49 mm^2, one of 0.71 mm is 0.504 mm^2.
    #[test]
    fn small_lacks_are_no_flaws() {
        let mut restarts = Restarts::default();
        for (lack_mm, is_flawless) in [(0.70, true), (0.71, false)] {
            restarts.faults.clear(1);
            restarts.faults.compare(&[0], PLACES, 10.0 + lack_mm);
            assert_eq!(restarts.is_flawless(), is_flawless);
        }
    }

    /// Robot 0 is at fault, robot 1 is not.
    #[test]
    fn bands_at_fault_restart() {
        let mut restarts = Restarts::default();
        restarts.begin(&[]);
        restarts.faults.clear(2);
        restarts.faults.compare(&[0], PLACES, 20.0);
        restarts.save_best(&[at(1.0), at(2.0)]);
        let mut bands = [at(0.0); 2];
        restarts.restart(&mut bands, |i, best| at(best[i].at_mm(0).x + 10.0));
        assert!(bands == [at(11.0), at(2.0)]);
    }
}
