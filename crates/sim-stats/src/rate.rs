//! How often something happens, from how often it happened: the exact binomial interval of Clopper and Pearson (Biometrika 26, 1934).

use crate::distribution::beta_quantile;
use crate::{Interval, TAIL};

/// Two-sided 95 % interval of the rate behind `seen` of `runs` runs. None without runs, or if more were seen than made.
#[must_use]
pub fn rate_interval(seen: u64, runs: u64) -> Option<Interval> {
    is_possible(seen, runs).then(|| Interval { low: lower(seen, runs, TAIL), high: upper(seen, runs, TAIL) })
}

/// Largest rate that `seen` of `runs` runs leave open at 95 % confidence, one-sided. Without any seen it is `1 - 0.05^(1/runs)`,
/// nearly 3 / runs. None without runs, or if more were seen than made.
#[must_use]
pub fn rate_upper_95(seen: u64, runs: u64) -> Option<f64> {
    is_possible(seen, runs).then(|| upper(seen, runs, 2.0 * TAIL))
}

fn is_possible(seen: u64, runs: u64) -> bool {
    runs > 0 && seen <= runs
}

/// The rate at which `seen` or more of `runs` still have the chance `tail`.
fn lower(seen: u64, runs: u64, tail: f64) -> f64 {
    if seen == 0 {
        return 0.0;
    }
    beta_quantile(seen as f64, (runs - seen + 1) as f64, tail)
}

/// The rate at which `seen` or fewer of `runs` still have the chance `tail`.
fn upper(seen: u64, runs: u64, tail: f64) -> f64 {
    if seen == runs {
        return 1.0;
    }
    beta_quantile((seen + 1) as f64, (runs - seen) as f64, 1.0 - tail)
}

/// What `bad` of `runs` runs say, in one sentence. If none or all went wrong, the bound is one-sided, otherwise
/// the interval is two-sided; the sentence says which. Percentages are rounded away
/// from the middle, so that the sentence never promises more than the interval.
#[must_use]
pub fn rate_words(bad: u64, runs: u64) -> String {
    let plural = if runs == 1 { "" } else { "s" };
    if !is_possible(bad, runs) {
        return "no run was made, so nothing is known".to_owned();
    }
    if bad == 0 {
        let most = percent_up(upper(0, runs, 2.0 * TAIL));
        return format!(
            "none of {runs} run{plural} went wrong: with 95 % confidence fewer than {most} would (one-sided)"
        );
    }
    if bad == runs {
        let least = percent_down(lower(bad, runs, 2.0 * TAIL));
        return format!(
            "{runs} of {runs} run{plural} went wrong: with 95 % confidence more than {least} would (one-sided)"
        );
    }
    let (low, high) = (percent_down(lower(bad, runs, TAIL)), percent_up(upper(bad, runs, TAIL)));
    format!("{bad} of {runs} run{plural} went wrong: between {low} and {high} would, with 95 % confidence (two-sided)")
}

/// Rounding noise of a share times a power of ten, which must not lift 95 % to 95.1 %.
const NOISE: f64 = 1e-9;

fn percent_up(share: f64) -> String {
    percent(share, |steps| (steps - NOISE).ceil())
}

fn percent_down(share: f64) -> String {
    percent(share, |steps| (steps + NOISE).floor())
}

/// One decimal, or as many as it takes for two digits of a share that is near 0 or near 1.
fn percent(share: f64, round: impl Fn(f64) -> f64) -> String {
    let rare = 100.0 * share.min(1.0 - share);
    let (mut decimals, mut scale) = (1, 10.0);
    while rare > 0.0 && rare * scale < 10.0 - NOISE && decimals < 12 {
        decimals += 1;
        scale *= 10.0;
    }
    format!("{:.decimals$} %", round(100.0 * share * scale) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) -> bool {
        (value - expected).abs() <= tolerance
    }

    /// Chances of 0, 1, ... n out of n at rate `p`, run by run.
    fn chances(n: u64, p: f64) -> Vec<f64> {
        (0..n).fold(vec![1.0], |before, _| {
            let stays = before.iter().map(|chance| chance * (1.0 - p)).chain([0.0]);
            let grows = [0.0].into_iter().chain(before.iter().map(|chance| chance * p));
            stays.zip(grows).map(|(a, b)| a + b).collect()
        })
    }

    fn chance_of_at_most(k: u64, n: u64, p: f64) -> f64 {
        chances(n, p).iter().take(k as usize + 1).sum()
    }

    /// The definition itself: at the ends, what was seen has a chance of 2.5 %.
    #[test]
    fn the_ends_are_where_the_chance_is_a_fortieth() {
        for (seen, runs) in [(1, 2), (1, 10), (3, 50), (25, 50), (49, 50), (7, 400)] {
            let Interval { low, high } = rate_interval(seen, runs).unwrap();
            assert!(near(chance_of_at_most(seen, runs, high), 0.025, 1e-12), "{seen} of {runs}");
            assert!(near(1.0 - chance_of_at_most(seen - 1, runs, low), 0.025, 1e-12), "{seen} of {runs}");
        }
    }

    /// The promise of Clopper and Pearson: at any rate, the chances of those counts whose interval holds it add up to 95 % or more.
    /// (That they are not wider than that takes is the test before this one.)
    #[test]
    fn at_least_95_of_100_intervals_hold_the_truth() {
        for runs in [1, 5, 20, 50, 200] {
            let intervals: Vec<Interval> = (0..=runs).map(|seen| rate_interval(seen, runs).unwrap()).collect();
            for rate in [0.001, 0.02, 0.1, 0.3, 0.5, 0.77, 0.95, 0.999] {
                let weighed = intervals.iter().zip(chances(runs, rate));
                let coverage: f64 =
                    weighed.filter(|(i, _)| i.low <= rate && rate <= i.high).map(|(_, chance)| chance).sum();
                assert!(coverage >= 0.95, "{runs} runs at {rate}: {coverage}");
            }
        }
    }

    #[test]
    fn none_and_all() {
        // 0.025^(1/10) and its complement.
        let tenth = sim_core::ops::exp(sim_core::ops::ln(0.025) / 10.0);
        let (none, all) = (rate_interval(0, 10).unwrap(), rate_interval(10, 10).unwrap());
        assert!(none.low == 0.0 && near(none.high, 1.0 - tenth, 1e-14));
        assert!(all.high == 1.0 && near(all.low, tenth, 1e-14));
        assert_eq!((rate_interval(0, 0), rate_interval(3, 2)), (None, None));
    }

    /// 0 of 1000: 1 - 0.05^(1/1000) = 0.0029912..., near the rule of three. 1 of 10: 0.3942 (tables of the exact binomial limit).
    #[test]
    fn one_sided_bounds() {
        assert!(near(rate_upper_95(0, 1000).unwrap(), 0.002_991_2, 1e-6));
        assert!(near(rate_upper_95(0, 1000).unwrap() / 0.003, 1.0, 0.01));
        assert!(near(rate_upper_95(1, 10).unwrap(), 0.394_2, 1e-4));
        assert_eq!((rate_upper_95(10, 10), rate_upper_95(0, 0)), (Some(1.0), None));
    }

    /// 1 - 0.05^(1/50) = 5.82 %; 3 of 50: 1.25 % to 16.55 %; all of 50: 94.18 %; 1 - 0.05^(1/1e6) = 0.0002996 %.
    #[test]
    fn sentences() {
        assert_eq!(
            rate_words(0, 50),
            "none of 50 runs went wrong: with 95 % confidence fewer than 5.9 % would (one-sided)"
        );
        assert_eq!(
            rate_words(3, 50),
            "3 of 50 runs went wrong: between 1.2 % and 16.6 % would, with 95 % confidence (two-sided)"
        );
        assert_eq!(
            rate_words(50, 50),
            "50 of 50 runs went wrong: with 95 % confidence more than 94.1 % would (one-sided)"
        );
        assert_eq!(
            rate_words(0, 1),
            "none of 1 run went wrong: with 95 % confidence fewer than 95.0 % would (one-sided)"
        );
        assert_eq!(rate_words(1, 1), "1 of 1 run went wrong: with 95 % confidence more than 5.0 % would (one-sided)");
        assert_eq!(rate_words(0, 0), "no run was made, so nothing is known");
        assert_eq!(
            rate_words(0, 1_000_000),
            "none of 1000000 runs went wrong: with 95 % confidence fewer than 0.00030 % would (one-sided)"
        );
        assert_eq!(
            rate_words(999_999, 1_000_000),
            "999999 of 1000000 runs went wrong: between 99.99944 % and 99.9999975 % would, with 95 % confidence (two-sided)"
        );
    }
}
