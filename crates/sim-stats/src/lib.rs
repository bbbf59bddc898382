//! What a number of runs says about the runs that were not made: spreads, 95 % intervals and rank correlations.
//!
//! Pure functions of numbers, without files, threads or clock. Logarithms, exponentials and gamma functions come from `libm`, directly or
//! below the crate `special`, so that every figure has the same bits on every machine. Formulas, sources and limits stand in
//! `docs/models/statistics.md`.
//!
//! ```
//! use sim_stats::{Sample, rate_interval, rate_words};
//!
//! let margin_mm = Sample::new([2.0, 4.0, f64::NAN, 9.0]);
//! assert_eq!((margin_mm.n(), margin_mm.missing(), margin_mm.mean()), (3, 1, 5.0));
//! let mean = margin_mm.t_interval().expect("two values or more");
//! assert!(mean.low < 5.0 && mean.high > 5.0);
//! assert!(rate_interval(3, 50).is_some_and(|rate| rate.low < 0.06 && rate.high > 0.06));
//! assert_eq!(rate_words(0, 50), "none of 50 runs went wrong: with 95 % confidence fewer than 5.9 % would (one-sided)");
//! ```

mod bootstrap;
mod distribution;
mod rank;
mod rate;
mod sample;

pub use bootstrap::{RESAMPLES, resampled_means};
pub use distribution::normal_quantile;
pub use rank::{Correlation, spearman};
pub use rate::{rate_interval, rate_upper_95, rate_words};
pub use sample::Sample;

/// Chance that the truth lies above the upper end of a two-sided interval, and that it lies below the lower end.
const TAIL: f64 = 0.025;

/// An interval that holds the truth in 95 % of all repetitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// From end to end.
    #[must_use]
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// The part of it between two bounds that all values keep: the mean of such values lies there too, so no coverage is lost.
    #[must_use]
    pub fn within(self, [low, high]: [f64; 2]) -> Self {
        Self { low: self.low.max(low).min(high), high: self.high.min(high).max(low) }
    }

    fn around(middle: f64, reach: f64) -> Self {
        Self { low: middle - reach, high: middle + reach }
    }
}
