//! The error of a constructor for a parameter that it cannot accept.

use std::fmt;

/// A parameter is out of its range, or does not go with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// Name of the parameter's field, unit included.
    pub field: &'static str,
    /// What was given and what is allowed, in words.
    pub message: String,
}

impl ParamError {
    /// An error for `field`.
    #[must_use]
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }

    /// Refuses a value that is not finite or not in `min..=max`.
    ///
    /// # Errors
    /// If the value is outside.
    pub fn check_range(field: &'static str, value: f64, min: f64, max: f64) -> Result<(), Self> {
        if value >= min && value <= max {
            return Ok(());
        }
        Err(Self::new(field, format!("is {value}, must be from {min} to {max}")))
    }

    /// [`Self::check_range`] with both ends in one value.
    ///
    /// # Errors
    /// If the value is outside.
    pub fn check_within(field: &'static str, value: f64, [min, max]: [f64; 2]) -> Result<(), Self> {
        Self::check_range(field, value, min, max)
    }

    /// Refuses a pair that is not an increasing range inside `range`.
    ///
    /// # Errors
    /// If one end is outside or the ends are in the wrong order.
    pub fn check_span(field: &'static str, span: [f64; 2], range: [f64; 2]) -> Result<(), Self> {
        Self::check_within(field, span[0], range)?;
        Self::check_within(field, span[1], range)?;
        if span[0] <= span[1] {
            return Ok(());
        }
        Err(Self::new(field, format!("is [{}, {}], must run from the smaller to the larger", span[0], span[1])))
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.message)
    }
}

impl std::error::Error for ParamError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_a_number_is_out_of_every_range() {
        assert!(ParamError::check_range("x_mm", f64::NAN, 0.0, 1.0).is_err());
        assert!(ParamError::check_range("x_mm", 1.0, 0.0, 1.0).is_ok());
        assert!(ParamError::check_span("x_mm", [0.6, 0.5], [0.0, 1.0]).is_err());
    }
}
