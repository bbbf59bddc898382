//! The values of one measure over the runs of one cell.

use crate::distribution::student_t_reach;
use crate::{Interval, TAIL, bootstrap};
use sim_core::Stream;

/// Values of one measure over runs. What is not finite (no value, or an infinite one) is left out and counted.
///
/// A figure that too few values leave undefined is NaN, or no interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    values: Vec<f64>,
    sorted: Vec<f64>,
    missing: usize,
    mean: f64,
    sd: f64,
}

impl Sample {
    /// Values in run order, so that sums and resamples have the same bits for the same runs.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let (values, missing): (Vec<f64>, Vec<f64>) = values.into_iter().partition(|value| value.is_finite());
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let mean = mean_of(&values);
        Self { sd: sd_of(&values, mean), mean, missing: missing.len(), sorted, values }
    }

    /// `of` minus `baseline`, run by run. A pair without one of its values counts as missing; so does a run that only one of them has.
    #[must_use]
    pub fn from_differences(of: &[f64], baseline: &[f64]) -> Self {
        let unpaired = of.len().abs_diff(baseline.len());
        let differences = of.iter().zip(baseline).map(|(value, base)| value - base);
        Self::new(differences.chain(std::iter::repeat_n(f64::NAN, unpaired)))
    }

    /// Number of values.
    #[must_use]
    pub fn n(&self) -> usize {
        self.values.len()
    }

    /// Number of runs without a value.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// Arithmetic mean; NaN without values.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Standard deviation with n - 1 below the sum; NaN with fewer than two values.
    #[must_use]
    pub fn sd(&self) -> f64 {
        self.sd
    }

    /// Smallest value; NaN without values.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.sorted.first().copied().unwrap_or(f64::NAN)
    }

    /// Largest value; NaN without values.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.sorted.last().copied().unwrap_or(f64::NAN)
    }

    /// Quantile at `share` (0 to 1), linear between values: type 7 of Hyndman and Fan, as numpy, pandas and spreadsheets have it.
    /// NaN without values.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        quantile_of_sorted(&self.sorted, share)
    }

    /// 95 % interval of the mean from Student's t. None with fewer than two values. Without width if all are equal.
    #[must_use]
    pub fn t_interval(&self) -> Option<Interval> {
        let n = self.n();
        (n >= 2).then(|| {
            let reach = student_t_reach((n - 1) as f64, 1.0 - 2.0 * TAIL);
            Interval::around(self.mean, reach * self.sd / (n as f64).sqrt())
        })
    }

    /// 95 % interval of the mean from [`super::RESAMPLES`] resamples (bootstrap, bias-corrected and accelerated). None with fewer
    /// than two values.
    /// Without width if all are equal. The stream is found by the address of cell and measure.
    #[must_use]
    pub fn bootstrap_interval(&self, stream: &mut Stream) -> Option<Interval> {
        if self.n() < 2 {
            return None;
        }
        if self.sd == 0.0 {
            return Some(Interval::around(self.mean, 0.0));
        }
        let means = bootstrap::resampled_means(&self.values, stream);
        Some(bootstrap::corrected_interval(&self.values, self.mean, &means))
    }
}

/// The second sum takes away what rounding left in the first, so that equal values have just that value as their mean.
fn mean_of(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let rough = values.iter().sum::<f64>() / n;
    rough + values.iter().map(|value| value - rough).sum::<f64>() / n
}

fn sd_of(values: &[f64], mean: f64) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// Quantile of ascending values, linear between neighbours; NaN without values.
pub(super) fn quantile_of_sorted(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    a + (b - a) * (place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::{Purpose, RunKey};

    fn stream() -> Stream {
        RunKey { seed: 1, run_index: 0 }.stream(Purpose::new(17), 0, 0)
    }

    #[test]
    fn nothing_says_nothing() {
        for sample in [Sample::new([]), Sample::new([f64::NAN, f64::INFINITY])] {
            let figures = [sample.mean(), sample.sd(), sample.min(), sample.max(), sample.quantile(0.5)];
            assert!(sample.n() == 0 && figures.iter().all(|figure| figure.is_nan()));
            assert_eq!((sample.t_interval(), sample.bootstrap_interval(&mut stream())), (None, None));
        }
        assert_eq!(Sample::new([f64::NAN, f64::INFINITY]).missing(), 2);
    }

    #[test]
    fn one_value_has_no_spread() {
        let sample = Sample::new([f64::NAN, 4.5]);
        assert_eq!((sample.n(), sample.missing(), sample.mean(), sample.quantile(0.05)), (1, 1, 4.5, 4.5));
        assert!(sample.sd().is_nan());
        assert_eq!((sample.t_interval(), sample.bootstrap_interval(&mut stream())), (None, None));
    }

    /// Two values a, b: the t of one degree of freedom, tan(0.475 pi), times their distance over 2.
    #[test]
    fn two_values() {
        let interval = Sample::new([3.0, 5.0]).t_interval().unwrap();
        let reach = sim_core::ops::tan(0.475 * std::f64::consts::PI);
        assert!((interval.high - 4.0 - reach).abs() < 1e-12 && (4.0 - interval.low - reach).abs() < 1e-12);
        let bootstrap = Sample::new([3.0, 5.0]).bootstrap_interval(&mut stream()).unwrap();
        assert_eq!((bootstrap.low, bootstrap.high), (3.0, 5.0));
    }

    /// A tenth is no binary number, so a plain sum would drift.
    #[test]
    fn equal_values_are_their_mean_without_width() {
        for n in [2, 3, 10, 1000] {
            let sample = Sample::new(vec![0.1; n]);
            assert_eq!((sample.mean(), sample.sd(), sample.quantile(0.37)), (0.1, 0.0, 0.1));
            assert_eq!(sample.t_interval(), Some(Interval { low: 0.1, high: 0.1 }));
            assert_eq!(sample.bootstrap_interval(&mut stream()), Some(Interval { low: 0.1, high: 0.1 }));
        }
    }

    /// 1 to 5: mean 3, sum of squares 10, so sd = sqrt(2.5). Type 7 at 0.1 is 1 + 0.4. t with 4 degrees of freedom: 2.776445105198
    /// (tables).
    #[test]
    fn five_values() {
        let sample = Sample::new([4.0, 1.0, 5.0, 3.0, 2.0]);
        assert_eq!((sample.mean(), sample.sd(), sample.min(), sample.max()), (3.0, 2.5_f64.sqrt(), 1.0, 5.0));
        assert!(
            (sample.quantile(0.1) - 1.4).abs() < 1e-15 && sample.quantile(0.5) == 3.0 && sample.quantile(2.0) == 5.0
        );
        let reach = 2.776_445_105_198 * (2.5_f64 / 5.0).sqrt();
        assert!((sample.t_interval().unwrap().width() / (2.0 * reach) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_large_offset_leaves_the_spread_alone() {
        let sample = Sample::new([1.0, 2.0, 3.0, 4.0].map(|x| x + 1e9));
        assert_eq!((sample.mean(), sample.sd()), (1e9 + 2.5, (5.0_f64 / 3.0).sqrt()));
    }

    #[test]
    fn differences_go_by_pairs() {
        let differences = Sample::from_differences(&[5.0, f64::NAN, 7.0, 1.0], &[4.0, 2.0, 4.0]);
        assert_eq!((differences.n(), differences.missing(), differences.mean()), (2, 2, 2.0));
    }

    /// 1,000 samples of 8 normal values: the truth is inside 95 %, with a binomial standard error of 0.7 %; 4 of them either way.
    #[test]
    fn the_t_interval_holds_the_truth_in_95_of_100() {
        let hits = (0..1_000).filter(|&trial| {
            let mut draws = RunKey { seed: 11, run_index: trial }.stream(Purpose::new(17), 1, 0);
            let interval = Sample::new((0..8).map(|_| 2.0 + 3.0 * draws.normal())).t_interval().unwrap();
            interval.low <= 2.0 && 2.0 <= interval.high
        });
        let share = hits.count() as f64 / 1_000.0;
        assert!((0.922..=0.978).contains(&share), "{share}");
    }
}
