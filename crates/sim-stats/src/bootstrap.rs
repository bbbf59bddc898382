//! The interval of a mean without a normal distribution behind it: Efron's bootstrap, bias-corrected and accelerated (BCa; Efron,
//! JASA 82, 1987).
//!
//! ```text
//! z0 = quantile(share of the resampled means below the mean; those equal to it count half)
//! a  = sum (x - mean)^3 / (6 (sum (x - mean)^2)^1.5)
//! level of an end = probability(z0 + (z0 + z) / (1 - a (z0 + z))),  z = quantile(2.5 %), quantile(97.5 %)
//! ```
//!
//! It takes the skewness of the values into account. With few values (below 20) it is too narrow: see `docs/models/statistics.md`.

use crate::distribution::{normal_probability, normal_quantile};
use crate::sample::quantile_of_sorted;
use crate::{Interval, TAIL};
use sim_core::Stream;

/// Resamples behind an interval. The ends then have a simulation error of 0.16 % in probability.
pub const RESAMPLES: usize = 9_999;

/// Means of [`RESAMPLES`] resamples, each of as many values as there are, drawn with replacement; ascending. There is at least one value.
#[must_use]
pub fn resampled_means(values: &[f64], stream: &mut Stream) -> Vec<f64> {
    let n = values.len() as u64;
    let mut mean = || (0..n).map(|_| values[stream.below(n) as usize]).sum::<f64>() / n as f64;
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| mean()).collect();
    means.sort_by(f64::total_cmp);
    means
}

/// The interval from values that are not all equal, their mean, and the ascending means of their resamples.
pub(super) fn corrected_interval(values: &[f64], mean: f64, means: &[f64]) -> Interval {
    let z0 = normal_quantile(middle_share(means, mean));
    let acceleration = acceleration(values, mean);
    let end = |tail: f64| {
        let z = z0 + normal_quantile(tail);
        quantile_of_sorted(means, normal_probability(z0 + z / (1.0 - acceleration * z)))
    };
    Interval { low: end(TAIL), high: end(1.0 - TAIL) }
}

/// Share of the ascending means that are below the mean, half of those equal to it included. Kept off 0 and 1, where its quantile
/// is infinite.
fn middle_share(means: &[f64], mean: f64) -> f64 {
    let (below, up_to) = (means.partition_point(|&m| m < mean), means.partition_point(|&m| m <= mean));
    let half = 0.5 / means.len() as f64;
    ((below + up_to) as f64 * half).clamp(half, 1.0 - half)
}

/// A sixth of the skewness of the jackknifed mean.
fn acceleration(values: &[f64], mean: f64) -> f64 {
    let sum = |power: fn(f64) -> f64| values.iter().map(|value| power(value - mean)).sum::<f64>();
    let (squares, cubes) = (sum(|d| d * d), sum(|d| d * d * d));
    cubes / (6.0 * squares * squares.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sample;
    use sim_core::{Purpose, RunKey, ops};

    fn stream(trial: u64) -> Stream {
        RunKey { seed: 5, run_index: trial }.stream(Purpose::new(17), 2, 0)
    }

    /// Of resamples of n values, the mean has the mean and the variance (n - 1) sd^2 / n^2 of the values.
    #[test]
    fn resampled_means_spread_as_they_must() {
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let (sample, means) = (Sample::new(values), Sample::new(resampled_means(&values, &mut stream(0))));
        let sd = (4.0_f64 / 25.0).sqrt() * sample.sd();
        // Four standard errors of a mean and of a standard deviation of 9,999 draws.
        assert!((means.mean() - 6.2).abs() < 4.0 * sd / 100.0);
        assert!((means.sd() / sd - 1.0).abs() < 4.0 / 141.0);
    }

    /// Symmetric values: no bias and no acceleration, so the ends are plain quantiles of the resampled means, up to the drawn z0.
    #[test]
    fn of_symmetric_values_it_is_the_plain_percentile_interval() {
        let values: Vec<f64> = (0..40).map(|i| f64::from(i) - 19.5).collect();
        assert_eq!(acceleration(&values, 0.0), 0.0);
        let means = resampled_means(&values, &mut stream(0));
        let interval = corrected_interval(&values, 0.0, &means);
        let sd = Sample::new(means).sd();
        assert!((interval.low / (-1.96 * sd) - 1.0).abs() < 0.06 && (interval.high / (1.96 * sd) - 1.0).abs() < 0.06);
    }

    /// 500 samples of 40 exponential values (mean 1, skewness 2).
    #[test]
    fn of_exponential_values_it_holds_the_truth_nearly_as_often_as_it_says() {
        let trials = 500;
        let hits = (0..trials).filter(|&trial| {
            let mut draws = stream(trial);
            let values = Sample::new((0..40).map(|_| -ops::ln(1.0 - draws.uniform())));
            let interval = values.bootstrap_interval(&mut draws).unwrap();
            interval.low <= 1.0 && 1.0 <= interval.high
        });
        let share = hits.count() as f64 / trials as f64;
        assert!((0.90..=0.97).contains(&share), "{share}");
    }
}
