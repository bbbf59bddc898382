//! Attempts at a plan: what a band lacks, the best one so far, and how the next one begins.
//!
//! Sweeps repair a band by small pushes, so they end where no small push helps: two robots that were led to one way out push each other
//! to and fro for ever, though a detour of one of them, or a moment's wait, would do. Such a plan is refused robot by robot, and robots
//! stand in front of a foot for it. So bands that are still too near somebody begin anew in another way, the rest of the plan stays, and
//! the sweeps are tried again; the best attempt is kept.

use sim_core::DVec2;

/// Most attempts at one plan.
pub const MOST: usize = 36;
/// Ways in which a band begins anew.
pub const WAYS: u64 = 3;
/// What a robot counts that ends where it cannot get away, mm^2: as much as one that lacks 10 mm once.
const LOST_MM2: f64 = 100.0;
/// Sum of squares below which a plan lacks nothing, mm^2.
const NOTHING_MM2: f64 = 0.1;

/// Most attempts at one plan among so many feet. Between several nearly every plan lacks something, whatever is tried.
#[must_use]
pub const fn among(feet: usize) -> usize {
    if feet > 1 { 3 } else { MOST }
}

/// What a plan lacks.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Squares of the lengths that places lack to their distances, summed over knots, and something for each robot that is lost, mm^2.
    sum_mm2: f64,
    /// Whether robot `i` is too near somebody at some knot.
    robots: Vec<bool>,
}

impl Faults {
    /// Nobody lacks anything.
    pub fn clear(&mut self, robots: usize) {
        self.sum_mm2 = 0.0;
        self.robots.clear();
        self.robots.resize(robots, false);
    }

    /// Takes down that these robots are at fault if two places, of two of them or of one and a foot, are nearer than `distance_mm`.
    pub fn compare(&mut self, robots: &[u32], places_mm: (DVec2, DVec2), distance_mm: f64) {
        let d2 = places_mm.0.distance_squared(places_mm.1);
        if d2 < distance_mm * distance_mm {
            let lack_mm = distance_mm - d2.sqrt();
            self.sum_mm2 += lack_mm * lack_mm;
            robots.iter().for_each(|&robot| self.robots[robot as usize] = true);
        }
    }

    /// Takes down that a robot ends where it cannot get away. It is not at fault: a way out for it is sought in every attempt.
    pub fn lose(&mut self) {
        self.sum_mm2 += LOST_MM2;
    }
}

/// The attempts at one plan.
#[derive(Clone, Debug, Default)]
pub struct Attempts {
    /// What the present attempt lacks, until it is kept.
    pub faults: Faults,
    /// What the best one lacks.
    least: Faults,
    /// The band of the best one.
    best_mm: Vec<DVec2>,
    /// The band of the plan before.
    former_mm: Vec<DVec2>,
}

impl Attempts {
    /// Forgets the attempts at the plan before, and remembers its band, moved on to the present.
    pub fn begin(&mut self, former_mm: &[DVec2]) {
        self.best_mm.clear();
        self.former_mm.clear();
        self.former_mm.extend_from_slice(former_mm);
    }

    /// Returns to the band of the plan before.
    pub fn recall(&self, knots_mm: &mut [DVec2]) {
        knots_mm.copy_from_slice(&self.former_mm);
    }

    /// Remembers a band, whose faults have been taken down, if it is the first or the best so far.
    pub fn keep_better(&mut self, knots_mm: &[DVec2]) {
        if self.best_mm.is_empty() || self.faults.sum_mm2 < self.least.sum_mm2 {
            std::mem::swap(&mut self.least, &mut self.faults);
            self.best_mm.clear();
            self.best_mm.extend_from_slice(knots_mm);
        }
    }

    /// True if the best band so far lacks nothing.
    #[must_use]
    pub fn is_flawless(&self) -> bool {
        self.least.sum_mm2 < NOTHING_MM2
    }

    /// Returns to the best band so far.
    pub fn restore(&self, knots_mm: &mut [DVec2]) {
        knots_mm.copy_from_slice(&self.best_mm);
    }

    /// Begins another attempt from the best one. Robot `i`, if it is at fault there, stands where `draw(i)`, below [`WAYS`], is 0, does
    /// what is stored for it, `stored_mm(i, k)` at knot `k`, where it is 1, and else goes straight to where its band ends.
    pub fn begin_anew(
        &self,
        knots_mm: &mut [DVec2],
        draw: impl Fn(usize) -> u64,
        stored_mm: impl Fn(usize, usize) -> DVec2,
    ) {
        self.restore(knots_mm);
        let n = self.least.robots.len();
        let last = knots_mm.len() / n - 1;
        for i in (0..n).filter(|&i| self.least.robots[i]) {
            let (way, here, end) = (draw(i), knots_mm[i], knots_mm[last * n + i]);
            for k in 1..=last {
                knots_mm[k * n + i] = match way {
                    0 => here,
                    1 => stored_mm(i, k),
                    _ => here.lerp(end, k as f64 / last as f64),
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two places, 10 mm apart.
    const PLACES: (DVec2, DVec2) = (DVec2::ZERO, DVec2::new(6.0, 8.0));

    #[test]
    fn faults_are_squares_of_what_is_lacking() {
        let mut faults = Faults::default();
        faults.clear(4);
        faults.compare(&[0], PLACES, 10.0);
        faults.compare(&[1], PLACES, 13.0);
        faults.compare(&[3, 2], PLACES, 14.0);
        assert_eq!((faults.sum_mm2, &faults.robots[..]), (25.0, &[false, true, true, true][..]));
        faults.lose();
        assert_eq!((faults.sum_mm2, &faults.robots[..]), (125.0, &[false, true, true, true][..]));
        faults.clear(1);
        assert_eq!((faults.sum_mm2, &faults.robots[..]), (0.0, &[false][..]));
    }

    /// Three attempts that lack 9, 4 and 16 mm^2: the second is the best.
    #[test]
    fn the_best_attempt_is_kept() {
        let mut attempts = Attempts::default();
        attempts.begin(&[]);
        for (lack_mm, x) in [(3.0, 1.0), (2.0, 2.0), (4.0, 3.0)] {
            attempts.faults.clear(1);
            attempts.faults.compare(&[0], PLACES, 10.0 + lack_mm);
            attempts.keep_better(&[DVec2::splat(x)]);
        }
        let mut band = [DVec2::ZERO];
        attempts.restore(&mut band);
        assert!(band == [DVec2::splat(2.0)] && !attempts.is_flawless());
        attempts.faults.clear(1);
        attempts.keep_better(&[DVec2::splat(5.0)]);
        attempts.restore(&mut band);
        assert!(band == [DVec2::splat(5.0)] && attempts.is_flawless());
        attempts.begin(&[DVec2::splat(7.0)]);
        attempts.recall(&mut band);
        assert_eq!(band, [DVec2::splat(7.0)]);
        attempts.faults.compare(&[0], PLACES, 15.0);
        attempts.keep_better(&[DVec2::splat(6.0)]);
        assert!(!attempts.is_flawless(), "another plan");
    }

    /// Robot 0 is at fault: it stands, does what is stored (to go 7 a knot), or goes straight to where its band ends. Robot 1 is not.
    #[test]
    fn those_at_fault_begin_anew() {
        let mut attempts = Attempts::default();
        let bent = [[20.0, 0.0], [50.0, 1.0], [40.0, 5.0]].map(|xs| xs.map(DVec2::splat)).concat();
        attempts.begin(&[]);
        attempts.faults.clear(2);
        attempts.faults.compare(&[0], PLACES, 20.0);
        attempts.keep_better(&bent);
        for (way, expected) in [(0, [20.0; 3]), (1, [20.0, 7.0, 14.0]), (2, [20.0, 30.0, 40.0])] {
            let mut band = vec![DVec2::ZERO; 6];
            attempts.begin_anew(&mut band, |_| way, |_, k| DVec2::splat(7.0 * k as f64));
            let of = |robot: usize| [band[robot].x, band[2 + robot].x, band[4 + robot].x];
            assert_eq!((of(0), of(1)), (expected, [0.0, 1.0, 5.0]));
        }
    }
}
