//! Measures: how a run is judged. A measure has a name, a unit, a bound and a way in which many runs become one value.
//!
//! What is measured, and of whom, is a world's matter; the words for it are shared, so that tables, sweeps and reports read any world's.

/// How the values of many runs become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Counts add up.
    Sum,
    /// Shares, means and quantiles: the mean over the runs that have a value.
    Mean,
    /// The smallest of the runs.
    Min,
    /// The largest of the runs.
    Max,
    /// Means nothing over several runs (a moment of one run): left out.
    Skip,
}

/// Value that a measure is held to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// The same for every run.
    Constant(f64),
    /// A parameter of the model, by its name, such as `d_r_mm`. A model without it holds the measure to nothing.
    Parameter(&'static str),
}

/// Allowed distance beyond a limit, because rounding must not count as breaking it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// None.
    Exact,
    /// In the measure's unit.
    Absolute(f64),
    /// As a share of the limit.
    Relative(f64),
}

impl Tolerance {
    /// The largest value that still keeps a ceiling.
    fn above(self, limit: f64) -> f64 {
        match self {
            Self::Exact => limit,
            Self::Absolute(excess) => limit + excess,
            Self::Relative(share) => limit * (1.0 + share),
        }
    }

    /// The smallest value that still keeps a floor.
    fn below(self, limit: f64) -> f64 {
        match self {
            Self::Exact => limit,
            Self::Absolute(shortfall) => limit - shortfall,
            Self::Relative(share) => limit * (1.0 - share),
        }
    }
}

/// What a measure is held to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Nothing.
    Free,
    /// A ceiling.
    AtMost(Limit, Tolerance),
    /// A floor.
    AtLeast(Limit, Tolerance),
}

impl Bound {
    /// Exactly zero: of counts of what must not happen.
    pub const ZERO: Self = Self::AtMost(Limit::Constant(0.0), Tolerance::Exact);

    /// Which way a value may not go beyond a limit: `ceiling` or `floor`; empty without a limit.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Free => "",
            Self::AtMost(..) => "ceiling",
            Self::AtLeast(..) => "floor",
        }
    }

    /// Whether `value` keeps to `limit`, tolerance included.
    #[must_use]
    pub fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Free => true,
            Self::AtMost(_, tolerance) => value <= tolerance.above(limit),
            Self::AtLeast(_, tolerance) => value >= tolerance.below(limit),
        }
    }

    /// The limit's value. `parameter` looks a model's parameter up by its name.
    pub fn limit(self, parameter: impl Fn(&'static str) -> Option<f64>) -> Option<f64> {
        match self {
            Self::Free => None,
            Self::AtMost(limit, _) | Self::AtLeast(limit, _) => match limit {
                Limit::Constant(value) => Some(value),
                Limit::Parameter(name) => parameter(name),
            },
        }
    }
}

/// What a measure is called and how it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Name, which never changes: tables and scripts look for it.
    pub name: &'static str,
    /// Unit of its value; `1` for shares and ratios, `count` for counts.
    pub unit: &'static str,
    /// What it is held to.
    pub bound: Bound,
    /// How runs are put together.
    pub fold: Fold,
}

impl Measure {
    /// A measure.
    #[must_use]
    pub const fn new(name: &'static str, unit: &'static str, bound: Bound, fold: Fold) -> Self {
        Self { name, unit, bound, fold }
    }

    /// The figure of a run, judged by `limit`. What is not a number is not judged.
    #[must_use]
    pub fn metric(&self, value: f64, limit: Option<f64>) -> Metric {
        let ok = limit.filter(|_| !value.is_nan()).map(|limit| self.bound.holds(value, limit));
        Metric { name: self.name, value, unit: self.unit, bound: self.bound, limit, ok }
    }
}

/// One measured figure of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Name of the measure.
    pub name: &'static str,
    /// Value in `unit`; NaN where the question does not arise (no feet, no patches, no pair), to be written as an empty cell.
    pub value: f64,
    /// Unit; `1` for shares and ratios, `count` for counts.
    pub unit: &'static str,
    /// What it is held to.
    pub bound: Bound,
    /// The limit that it is held to, if there is one.
    pub limit: Option<f64>,
    /// Whether the limit is kept; `None` without a limit or without a value.
    pub ok: Option<bool>,
}

/// True if no measure breaks its limit.
#[must_use]
pub fn accepted(metrics: &[Metric]) -> bool {
    metrics.iter().all(|metric| metric.ok != Some(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_and_a_floor_are_kept_within_their_tolerance() {
        let limit = Limit::Parameter("v_max_mm_s");
        let ceiling = Bound::AtMost(limit, Tolerance::Relative(1e-6));
        assert!(ceiling.holds(250.0002, 250.0) && !ceiling.holds(250.0003, 250.0));
        let floor = Bound::AtLeast(limit, Tolerance::Absolute(1e-6));
        assert!(floor.holds(59.999_999_5, 60.0) && !floor.holds(59.999_998, 60.0));
        assert!(Bound::ZERO.holds(0.0, 0.0) && !Bound::ZERO.holds(1.0, 0.0));
        assert!(Bound::Free.holds(f64::MAX, 0.0));
    }

    #[test]
    fn limits_come_from_constants_and_from_the_model() {
        let parameter = |name: &str| (name == "d_r_mm").then_some(60.0);
        let at_least = |name| Bound::AtLeast(Limit::Parameter(name), Tolerance::Exact);
        assert_eq!(at_least("d_r_mm").limit(parameter), Some(60.0));
        assert_eq!(at_least("d_h_mm").limit(parameter), None);
        assert_eq!(Bound::ZERO.limit(parameter), Some(0.0));
        assert_eq!(Bound::Free.limit(parameter), None);
    }

    #[test]
    fn a_value_that_is_no_number_is_not_judged() {
        let measure = Measure::new("collisions", "count", Bound::ZERO, Fold::Sum);
        assert_eq!(measure.metric(f64::NAN, Some(0.0)).ok, None);
        assert_eq!(measure.metric(2.0, None).ok, None);
        assert_eq!(measure.metric(2.0, Some(0.0)).ok, Some(false));
        assert!(accepted(&[measure.metric(0.0, Some(0.0))]) && !accepted(&[measure.metric(1.0, Some(0.0))]));
    }
}
