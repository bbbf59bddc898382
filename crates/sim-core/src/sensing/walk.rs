//! A random walk that can be asked for any tick without having been followed there.
//!
//! # Equation
//! `W(n)` is the sum of n independent standard normal steps. Following it would take a state; instead it is filled in from coarse to fine
//! (Levy's construction), so that each value belongs to an address:
//! ```text
//! W(0) = 0    W(1) = z(1)    W(2b) = W(b) + sqrt(b) z(2b)              for b a power of two
//! W((a + b) / 2) = (W(a) + W(b)) / 2 + sqrt(b - a) / 2 z((a + b) / 2)    between neighbours a and b that are known
//! ```
//! `z(n)` is the draw at address n. Mean, variance and covariances are exactly those of the sum. `W(n)` takes at most `2 log2(n) + 1`
//! draws.
//!
//! A walk may be pulled back (the Ornstein-Uhlenbeck process from 0). With f the share that it forgets in a tick, `k(h) = exp(-f h)` and
//! `v(h) = (1 - exp(-2 f h))/(2 f)`, the same construction reads
//! ```text
//! W(2b) = k(b) W(b) + sqrt(v(b)) z(2b)         half way, h from both ends:  k/(1 + k^2) (W(a) + W(b)) + sqrt(v/(1 + k^2)) z
//! ```
//! which is the walk above for f = 0, to the last bit.

use crate::ops;

/// How strongly a walk is pulled back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    /// Tick over correlation time: 0 for a free walk.
    pub per_tick: f64,
}

impl Pull {
    /// What is left of a value after `ticks`, and the variance that has come in meanwhile.
    fn after(self, ticks: u64) -> (f64, f64) {
        let h = ticks as f64;
        if self.per_tick == 0.0 {
            return (1.0, h);
        }
        (ops::exp(-self.per_tick * h), -ops::exp_m1(-2.0 * self.per_tick * h) / (2.0 * self.per_tick))
    }
}

/// `W(n)` from the draws `z`, called with the number that each belongs to.
pub(super) fn at(n: u64, pull: Pull, mut z: impl FnMut(u64) -> f64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    let (mut low, mut w_low) = (1_u64, pull.after(1).1.sqrt() * z(1));
    let further = |low: u64, w_low: f64, z: f64| {
        let (keep, variance) = pull.after(low);
        keep * w_low + variance.sqrt() * z
    };
    while low <= n / 2 {
        w_low = further(low, w_low, z(2 * low));
        low *= 2;
    }
    if low == n {
        return w_low;
    }
    bridge(n, pull, (low, w_low), (2 * low, further(low, w_low, z(2 * low))), z)
}

/// `W(n)` for n strictly between two known places whose distance is a power of two.
fn bridge(n: u64, pull: Pull, mut low: (u64, f64), mut high: (u64, f64), mut z: impl FnMut(u64) -> f64) -> f64 {
    loop {
        let half = (high.0 - low.0) / 2;
        let middle = low.0 + half;
        let (keep, variance) = pull.after(half);
        let share = 1.0 + keep * keep;
        let w = keep / share * (low.1 + high.1) + (variance / share).sqrt() * z(middle);
        match n.cmp(&middle) {
            std::cmp::Ordering::Less => high = (middle, w),
            std::cmp::Ordering::Equal => return w,
            std::cmp::Ordering::Greater => low = (middle, w),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunKey;

    const FREE: Pull = Pull { per_tick: 0.0 };

    fn walk(n: u64, owner: u64) -> f64 {
        walk_with(FREE, n, owner)
    }

    fn walk_with(pull: Pull, n: u64, owner: u64) -> f64 {
        let key = RunKey { seed: 5, run_index: 0 };
        at(n, pull, |place| key.stream(crate::sensing::purpose::SENSOR_WALK, owner, place).normal())
    }

    /// Law of a random walk: cov(W(m), W(n)) = min(m, n). Over 20 000 walks the standard error of a variance is 1 % of it, that of a
    /// covariance at most 1.3 % of sqrt(m n); 5 % is more than three of those for every pair.
    #[test]
    fn covariances_are_those_of_a_sum_of_steps() {
        let places = [1_u64, 2, 3, 5, 8, 13, 21, 37];
        let walks: Vec<Vec<f64>> = (0..20_000).map(|owner| places.iter().map(|&n| walk(n, owner)).collect()).collect();
        for (i, &m) in places.iter().enumerate() {
            for (j, &n) in places.iter().enumerate() {
                let mean = walks.iter().map(|w| w[i] * w[j]).sum::<f64>() / walks.len() as f64;
                let error = (mean - m.min(n) as f64) / ((m * n) as f64).sqrt();
                assert!(error.abs() < 0.05, "cov(W({m}), W({n})) = {mean}");
            }
        }
    }

    /// Law of the Ornstein-Uhlenbeck process from 0: cov(W(m), W(n)) = (exp(-f (n - m)) - exp(-f (n + m)))/(2 f) for m <= n. Errors as
    /// above.
    #[test]
    fn covariances_of_a_pulled_walk_are_those_of_its_process() {
        let (places, f) = ([1_u64, 3, 5, 8, 21, 37, 90], 0.1);
        let walks: Vec<Vec<f64>> = (0..20_000)
            .map(|owner| places.iter().map(|&n| walk_with(Pull { per_tick: f }, n, owner)).collect())
            .collect();
        let law = |m: u64, n: u64| {
            let (m, n) = (m.min(n) as f64, m.max(n) as f64);
            (ops::exp(-f * (n - m)) - ops::exp(-f * (n + m))) / (2.0 * f)
        };
        for (i, &m) in places.iter().enumerate() {
            for (j, &n) in places.iter().enumerate() {
                let mean = walks.iter().map(|w| w[i] * w[j]).sum::<f64>() / walks.len() as f64;
                let error = (mean - law(m, n)) / (law(m, m) * law(n, n)).sqrt();
                assert!(error.abs() < 0.05, "cov(W({m}), W({n})) = {mean}, not {}", law(m, n));
            }
        }
    }

    #[test]
    fn a_pull_that_takes_for_ever_is_none() {
        for n in [1, 2, 3, 100, 12_345] {
            assert!((walk_with(Pull { per_tick: 1e-15 }, n, 3) - walk(n, 3)).abs() < 1e-6);
        }
    }

    /// The steps of one long walk are standard normal and independent: 16 383 of them leave a standard error of 1.1 % on the variance
    /// and 0.8 % on the correlation of neighbours.
    #[test]
    fn steps_along_one_walk_are_white() {
        let values: Vec<f64> = (0..16_384).map(|n| walk(n, 3)).collect();
        let steps: Vec<f64> = values.windows(2).map(|w| w[1] - w[0]).collect();
        let n = steps.len() as f64;
        let variance = steps.iter().map(|s| s * s).sum::<f64>() / n;
        let neighbours = steps.windows(2).map(|s| s[0] * s[1]).sum::<f64>() / n;
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
        assert!(neighbours.abs() < 0.04, "{neighbours}");
    }

    #[test]
    fn the_first_places_are_what_the_equation_says() {
        // z(n) = n: W(1) = 1, W(2) = 1 + 2, W(4) = 3 + sqrt(2) 4, W(3) halfway between W(2) and W(4) plus sqrt(2)/2 3.
        let w = |n| at(n, FREE, |place| place as f64);
        let w4 = 3.0 + 2.0_f64.sqrt() * 4.0;
        assert_eq!([w(0), w(1), w(2), w(4)], [0.0, 1.0, 3.0, w4]);
        assert_eq!(w(3), 0.5 * (3.0 + w4) + 0.5 * 2.0_f64.sqrt() * 3.0);
    }
}
