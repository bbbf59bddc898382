//! Whether one thing grows with another, whatever the curve: Spearman's rank correlation.

use crate::distribution::normal_quantile;
use crate::{Interval, TAIL};
use sim_core::ops;

/// Rank correlation of two columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// Number of rows that have both values.
    pub n: usize,
    /// Spearman's coefficient, -1 to 1; NaN with fewer than two rows, or if one of the columns never changes.
    pub spearman: f64,
    /// Its 95 % interval, by Fisher's z with the variance (1 + r^2 / 2) / (n - 3) of Bonett and Wright (Psychometrika 65, 2000).
    /// None with fewer than four rows, and at -1 and 1, where z is infinite.
    pub interval: Option<Interval>,
}

/// Correlation of the ranks of `x` and `y`, row by row; equal values share the mean of their ranks. Rows with a value that is not finite
/// are left out, as are those that only one of the columns has.
#[must_use]
pub fn spearman(x: &[f64], y: &[f64]) -> Correlation {
    let both = |(x, y): &(&f64, &f64)| x.is_finite() && y.is_finite();
    let (x, y): (Vec<f64>, Vec<f64>) = x.iter().zip(y).filter(both).unzip();
    let n = x.len();
    let spearman = if n < 2 { f64::NAN } else { correlation(&ranks(&x), &ranks(&y)) };
    Correlation { n, spearman, interval: fisher_interval(spearman, n) }
}

/// Rank of each value less the mean rank. Whole or half numbers, so that their sums are exact.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let middle = (2 * first + tied.len()) as f64 * 0.5 - values.len() as f64 * 0.5;
        tied.iter().for_each(|&row| ranks[row] = middle);
        first += tied.len();
    }
    ranks
}

/// Pearson's coefficient of columns whose mean is 0; NaN if one of them is 0 throughout.
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let spread = (sum(x, x) * sum(y, y)).sqrt();
    (sum(x, y) / spread).clamp(-1.0, 1.0)
}

fn fisher_interval(r: f64, n: usize) -> Option<Interval> {
    if n < 4 || r.is_nan() || r.abs() == 1.0 {
        return None;
    }
    let z = 0.5 * ops::ln((1.0 + r) / (1.0 - r));
    let error = ((1.0 + 0.5 * r * r) / (n - 3) as f64).sqrt();
    let ends = Interval::around(z, normal_quantile(1.0 - TAIL) * error);
    Some(Interval { low: ops::tanh(ends.low), high: ops::tanh(ends.high) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::{Purpose, RunKey};

    #[test]
    fn any_rising_curve_is_1_and_any_falling_one_is_minus_1() {
        let x = [0.1, 0.5, 2.0, 3.0, 10.0];
        let rising = spearman(&x, &x.map(|x| x * x * x));
        let falling = spearman(&x, &x.map(|x| 1.0 / x));
        assert_eq!((rising.n, rising.spearman, rising.interval), (5, 1.0, None));
        assert_eq!((falling.spearman, falling.interval), (-1.0, None));
    }

    /// Without ties r = 1 - 6 sum d^2 / (n (n^2 - 1)): d = 1, -1, 1, -1, 0, so 1 - 24 / 120.
    #[test]
    fn the_formula_for_rows_without_ties() {
        let r = spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 1.0, 4.0, 3.0, 5.0]);
        assert!((r.spearman - 0.8).abs() < 1e-15);
        // z = ln(9)/2 = ln 3, error = sqrt(1.32 / 2).
        let reach = 1.959_963_984_540_054 * 0.66_f64.sqrt();
        let end = |z: f64| ops::tanh(ops::ln(3.0) + z);
        let interval = r.interval.unwrap();
        assert!((interval.low - end(-reach)).abs() < 1e-12 && (interval.high - end(reach)).abs() < 1e-12);
    }

    /// Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: sums of products 4.5, 4.5 and 5.
    #[test]
    fn equal_values_share_a_rank() {
        let r = spearman(&[7.0, 8.0, 8.0, 9.0], &[1.0, 2.0, 3.0, 4.0]);
        assert!((r.spearman - (4.5_f64 / 5.0).sqrt()).abs() < 1e-15);
        let zeros = spearman(&[0.0, -0.0, 1.0], &[1.0, 2.0, 3.0]);
        assert!((zeros.spearman - 0.75_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn rows_without_a_value_are_left_out() {
        let r = spearman(&[1.0, f64::NAN, 2.0, 3.0, 9.0], &[3.0, 0.0, 2.0, f64::INFINITY]);
        assert_eq!((r.n, r.spearman), (2, -1.0));
        for (x, y) in [(&[][..], &[][..]), (&[1.0], &[1.0]), (&[1.0, 1.0, 1.0, 1.0, 1.0], &[1.0, 2.0, 3.0, 4.0, 5.0])] {
            let r = spearman(x, y);
            assert!(r.spearman.is_nan() && r.interval.is_none());
        }
    }

    /// Normal pairs with correlation rho have the rank correlation (6/pi) asin(rho/2). Of 2,000 intervals
    /// 95 % hold it, with a binomial standard error of 0.5 %; 4 of them.
    #[test]
    fn the_interval_holds_the_truth_in_95_of_100() {
        for (rho, seed) in [(0.0, 1), (0.6, 2)] {
            let truth = 6.0 / std::f64::consts::PI * ops::asin(0.5 * rho);
            let hits = (0..2_000).filter(|&trial| {
                let mut draws = RunKey { seed, run_index: trial }.stream(Purpose::new(17), 3, 0);
                let rows = (0..60).map(|_| draws.normal2()).map(|v| (v.x, rho * v.x + (1.0 - rho * rho).sqrt() * v.y));
                let (x, y): (Vec<f64>, Vec<f64>) = rows.unzip();
                spearman(&x, &y).interval.is_some_and(|i| i.low <= truth && truth <= i.high)
            });
            let share = hits.count() as f64 / 2_000.0;
            assert!((0.93..=0.97).contains(&share), "{rho}: {share}");
        }
    }
}
