//! Many runs: how a batch spreads in each measure, and what a number of clean runs says about the runs that were not made.
//! How runs become one figure is said by [`super::Fold`] in the list of measures.

use super::catalogue::{DEFINITIONS, Metric};

/// How the runs of a batch spread in one measure. Runs without a value (NaN) are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Name of the measure.
    pub name: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    sorted: Vec<f64>,
    sum: f64,
}

impl Spread {
    /// Values of one measure over runs, in run order (so that the sum has the same bits for the same batch).
    #[must_use]
    pub fn new(name: &'static str, unit: &'static str, values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
        let sum = sorted.iter().sum();
        sorted.sort_by(f64::total_cmp);
        Self { name, unit, sorted, sum }
    }

    /// Number of runs that have a value.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.sorted.len()
    }

    /// Sum of the values; NaN without any.
    #[must_use]
    pub fn sum(&self) -> f64 {
        if self.sorted.is_empty() { f64::NAN } else { self.sum }
    }

    /// Mean of the values; NaN without any.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum() / self.sorted.len() as f64
    }

    /// Smallest value; NaN without any.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.sorted.first().copied().unwrap_or(f64::NAN)
    }

    /// Largest value; NaN without any.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.sorted.last().copied().unwrap_or(f64::NAN)
    }

    /// Value that `share` (0 to 1) of the runs do not exceed, linear between runs (the usual definition of spreadsheets); NaN without any.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let Some(last) = self.sorted.len().checked_sub(1) else { return f64::NAN };
        let place = share.clamp(0.0, 1.0) * last as f64;
        let low = place.floor() as usize;
        let (a, b) = (self.sorted[low], self.sorted[(low + 1).min(last)]);
        if a == b { a } else { a + (b - a) * (place - low as f64) }
    }
}

/// Spreads of all measures of a batch, in the order of [`DEFINITIONS`]. Each run is what [`super::Inspector::finish`] gave.
#[must_use]
pub fn spreads<R: AsRef<[Metric]>>(runs: &[R]) -> Vec<Spread> {
    let values = |index: usize| runs.iter().filter_map(move |run| run.as_ref().get(index)).map(|metric| metric.value);
    DEFINITIONS.iter().enumerate().map(|(index, line)| Spread::new(line.name, line.unit, values(index))).collect()
}

/// Largest failure rate p for which `failed` or fewer failures in `runs` runs still have a chance of 5 % (Clopper and Pearson, one
/// sided). Without failures it is `1 - 0.05^(1/runs)`, nearly 3 / runs.
#[must_use]
pub fn failure_rate_upper_95(failed: usize, runs: usize) -> f64 {
    if failed >= runs {
        return if runs == 0 { f64::NAN } else { 1.0 };
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if chance_of_at_most(failed, runs, middle) > 0.05 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Binomial distribution: chance of at most `failed` failures in `runs` runs at rate `p`, 0 < p < 1.
fn chance_of_at_most(failed: usize, runs: usize, p: f64) -> f64 {
    let (ln_p, ln_q) = (sim_core::ops::ln(p), sim_core::ops::ln(1.0 - p));
    let mut ln_ways = 0.0;
    let mut chance = 0.0;
    for k in 0..=failed {
        if k > 0 {
            ln_ways += sim_core::ops::ln((runs - k + 1) as f64) - sim_core::ops::ln(k as f64);
        }
        chance += sim_core::ops::exp(ln_ways + k as f64 * ln_p + (runs - k) as f64 * ln_q);
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_of_four_runs() {
        let spread = Spread::new("foot_waits", "1", [4.0, 1.0, f64::NAN, 3.0, 2.0]);
        assert_eq!((spread.runs(), spread.sum(), spread.mean()), (4, 10.0, 2.5));
        assert_eq!((spread.min(), spread.max()), (1.0, 4.0));
        assert_eq!((spread.quantile(0.0), spread.quantile(0.5), spread.quantile(1.0)), (1.0, 2.5, 4.0));
        assert_eq!(spread.quantile(0.25), 1.75);
    }

    #[test]
    fn nothing_to_spread() {
        let spread = Spread::new("foot_waits", "1", [f64::NAN]);
        for value in [spread.sum(), spread.mean(), spread.min(), spread.max(), spread.quantile(0.5)] {
            assert!(value.is_nan());
        }
    }

    /// 0 of 1000: 1 - 0.05^(1/1000) = 0.0029912... and the rule of three. 1 of 10: 0.3942 (tables of the exact binomial limit).
    #[test]
    fn failure_rates_that_stay_possible() {
        assert!((failure_rate_upper_95(0, 1000) - 0.002_991_2).abs() < 1e-6);
        assert!((failure_rate_upper_95(0, 1000) / (3.0 / 1000.0) - 1.0).abs() < 0.01);
        assert!((failure_rate_upper_95(1, 10) - 0.394_2).abs() < 1e-4);
        assert_eq!(failure_rate_upper_95(10, 10), 1.0);
    }
}
