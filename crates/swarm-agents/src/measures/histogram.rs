//! A histogram with even bins: quantiles of millions of values in constant memory.

/// Number of even bins; values beyond go to one more bin.
const BINS: usize = 2048;

/// Counts of non-negative values.
///
/// Bins are `top / 2048` wide. A quantile is the upper edge of its bin, so it is at most one bin width too large and never too small. Among
/// values beyond `top` it is the largest value seen.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    counts: Vec<u32>,
    bins_per_unit: f64,
    total: u64,
    largest: f64,
    sum: f64,
}

impl Histogram {
    /// A histogram of values from 0 to `top`.
    pub(super) fn new(top: f64) -> Self {
        Self { counts: vec![0; BINS + 1], bins_per_unit: BINS as f64 / top, total: 0, largest: 0.0, sum: 0.0 }
    }

    /// Counts values, none of which may be negative.
    #[inline]
    pub(super) fn add_all(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            // A value far beyond the top saturates in the conversion and so lands in the last bin too. One to 32 bits is quicker.
            let bin = ((value * self.bins_per_unit) as u32 as usize).min(BINS);
            self.counts[bin] = self.counts[bin].saturating_add(1);
            self.total += 1;
            self.sum += value;
            self.largest = if value > self.largest { value } else { self.largest };
        }
    }

    /// Smallest bin edge that at least `share` of the values do not exceed; NaN without values.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        if self.total == 0 {
            return f64::NAN;
        }
        let wanted = ((share * self.total as f64).ceil() as u64).max(1);
        let mut below = 0;
        for (bin, &count) in self.counts[..BINS].iter().enumerate() {
            below += u64::from(count);
            if below >= wanted {
                return ((bin + 1) as f64 / self.bins_per_unit).min(self.largest);
            }
        }
        self.largest
    }

    /// Largest value; NaN without values.
    pub(super) fn max(&self) -> f64 {
        if self.total == 0 { f64::NAN } else { self.largest }
    }

    /// Mean value; NaN without values.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1000 even values: the exact 99 % quantile is 990, and a bin is 2000 / 2048 wide.
    #[test]
    fn quantile_is_at_most_one_bin_too_large() {
        let mut histogram = Histogram::new(2000.0);
        histogram.add_all((1..=1000).map(f64::from));
        let p99 = histogram.quantile(0.99);
        assert!((990.0..=990.0 + 2000.0 / 2048.0).contains(&p99), "{p99}");
        assert_eq!(histogram.mean(), 500.5);
        assert_eq!(histogram.max(), 1000.0);
    }

    #[test]
    fn values_beyond_the_top_are_kept_as_the_largest() {
        let mut histogram = Histogram::new(10.0);
        histogram.add_all([1.0, 1e30, 20.0]);
        assert_eq!(histogram.quantile(0.99), 1e30);
        assert!(histogram.quantile(0.3) < 1.01);
    }

    #[test]
    fn a_quantile_never_exceeds_the_largest_value() {
        let mut histogram = Histogram::new(10.0);
        histogram.add_all([0.0]);
        assert_eq!(histogram.quantile(0.99), 0.0);
        assert!(Histogram::new(1.0).quantile(0.5).is_nan());
    }
}
