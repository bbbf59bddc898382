//! What values an axis has, and which of them belongs to a place on it.

use super::decimal::{self, Steps};
use sim_core::{ParamError, ops};
use sim_stats::normal_quantile;

/// Values of one axis. The first three have points, which a grid visits one by one; the others are distributions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Axis {
    /// Values that the caller holds (numbers, text), found by their place from 0. As a distribution: each as likely as the others.
    List {
        /// How many, 1 or more.
        count: u64,
    },
    /// `from`, `from + step` and so on, `to` included if the steps reach it. Reckoned in decimals, so that 0.1 and two steps of
    /// 0.1 are 0.3.
    Range {
        /// First value.
        from: f64,
        /// Largest value, above `from`.
        to: f64,
        /// Above 0.
        step: f64,
    },
    /// Values with equal ratios, from end to end. Those between the ends are rounded to 12 significant digits.
    LogRange {
        /// First value, above 0.
        from: f64,
        /// Last value, above `from`.
        to: f64,
        /// How many, 2 or more.
        count: u64,
    },
    /// Every value as likely as the others.
    Uniform {
        /// Smallest value.
        from: f64,
        /// Largest value, above `from`.
        to: f64,
    },
    /// The logarithm is uniform.
    LogUniform {
        /// Smallest value, above 0.
        from: f64,
        /// Largest value, above `from`.
        to: f64,
    },
    /// Normal (Gaussian), without limits: about one value in 15,800 is farther than 4 `sd` from the mean.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, above 0.
        sd: f64,
    },
}

/// Value of an axis in one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Place in the list, from 0.
    Listed(usize),
}

impl Axis {
    /// Whether the axis can be used, without making a design.
    ///
    /// # Errors
    /// Names the first of its numbers that is wrong.
    pub fn check(&self) -> Result<(), ParamError> {
        CheckedAxis::new(*self).map(|_| ())
    }
}

/// An axis whose numbers make sense.
#[derive(Clone, Copy, Debug)]
pub(super) enum CheckedAxis {
    List { count: u64 },
    Range(Steps),
    LogRange { from: f64, to: f64, count: u64 },
    Uniform { from: f64, to: f64 },
    LogUniform { from: f64, to: f64 },
    Normal { mean: f64, sd: f64 },
}

impl CheckedAxis {
    pub(super) fn new(axis: Axis) -> Result<Self, ParamError> {
        Ok(match axis {
            Axis::List { count } => Self::List { count: at_least(1, count)? },
            Axis::Range { from, to, step } => {
                check_ends(from, to)?;
                check_positive("step", step)?;
                Self::Range(Steps::new(from, to, step)?)
            }
            Axis::LogRange { from, to, count } => {
                check_log_ends(from, to)?;
                Self::LogRange { from, to, count: at_least(2, count)? }
            }
            Axis::Uniform { from, to } => {
                check_ends(from, to)?;
                Self::Uniform { from, to }
            }
            Axis::LogUniform { from, to } => {
                check_log_ends(from, to)?;
                Self::LogUniform { from, to }
            }
            Axis::Normal { mean, sd } => {
                check_finite("mean", mean)?;
                check_positive("sd", sd)?;
                Self::Normal { mean, sd }
            }
        })
    }

    /// Number of values that a grid visits; none for a distribution.
    pub(super) fn points(&self) -> Option<u64> {
        match self {
            Self::List { count } | Self::LogRange { count, .. } => Some(*count),
            Self::Range(steps) => Some(steps.count()),
            Self::Uniform { .. } | Self::LogUniform { .. } | Self::Normal { .. } => None,
        }
    }

    /// Value number `index`, below [`Self::points`]; of a distribution its middle.
    pub(super) fn point(&self, index: u64) -> Value {
        match *self {
            Self::List { .. } => Value::Listed(index as usize),
            Self::Range(steps) => Value::Number(steps.value(index)),
            Self::LogRange { from, to, count } => Value::Number(log_point(from, to, index, count)),
            Self::Uniform { .. } | Self::LogUniform { .. } | Self::Normal { .. } => self.at(0.5),
        }
    }

    /// Value at a place in the open interval (0, 1): the inverse of the distribution function.
    pub(super) fn at(&self, place: f64) -> Value {
        match *self {
            Self::List { count } | Self::LogRange { count, .. } => self.point(share(place, count)),
            Self::Range(steps) => self.point(share(place, steps.count())),
            Self::Uniform { from, to } => Value::Number((from + (to - from) * place).clamp(from, to)),
            Self::LogUniform { from, to } => Value::Number(between_logs(from, to, place).clamp(from, to)),
            Self::Normal { mean, sd } => Value::Number(mean + sd * normal_quantile(place)),
        }
    }
}

/// Which of `count` equal shares of the unit interval a place is in.
fn share(place: f64, count: u64) -> u64 {
    ((place * count as f64) as u64).min(count - 1)
}

fn between_logs(from: f64, to: f64, place: f64) -> f64 {
    let (low, high) = (ops::ln(from), ops::ln(to));
    ops::exp(low + (high - low) * place)
}

fn log_point(from: f64, to: f64, index: u64, count: u64) -> f64 {
    match index {
        0 => from,
        _ if index + 1 == count => to,
        _ => decimal::twelve_digits(between_logs(from, to, index as f64 / (count - 1) as f64)),
    }
}

fn at_least(least: u64, count: u64) -> Result<u64, ParamError> {
    if count >= least {
        Ok(count)
    } else {
        Err(ParamError::new("count", format!("is {count}, must be at least {least}")))
    }
}

fn check_finite(field: &'static str, value: f64) -> Result<(), ParamError> {
    if value.is_finite() { Ok(()) } else { Err(ParamError::new(field, format!("is {value}, must be a finite number"))) }
}

fn check_positive(field: &'static str, value: f64) -> Result<(), ParamError> {
    check_finite(field, value)?;
    if value > 0.0 { Ok(()) } else { Err(ParamError::new(field, format!("is {value}, must be above 0"))) }
}

fn check_ends(from: f64, to: f64) -> Result<(), ParamError> {
    check_finite("from", from)?;
    check_finite("to", to)?;
    check_finite("to", to - from)?;
    if from < to {
        Ok(())
    } else {
        Err(ParamError::new("to", format!("is {to}, must be above `from`, which is {from}")))
    }
}

fn check_log_ends(from: f64, to: f64) -> Result<(), ParamError> {
    check_positive("from", from)?;
    check_ends(from, to)
}
