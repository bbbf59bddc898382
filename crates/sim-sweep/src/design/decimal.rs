//! Ranges in decimals, as people write them: with binary numbers 0.1 and two steps of 0.1 would be 0.30000000000000004.

use sim_core::ParamError;

/// `from + index * step`, exact in decimals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    from: i128,
    step: i128,
    count: u64,
    exponent: i32,
}

/// Values that a range may have. More are a mistake in its step.
const MAX_VALUES: i128 = 1_000_000_000;

impl Steps {
    /// All values from `from` up to `to`; `from` < `to`, 0 < `step`, all finite.
    pub(super) fn new(from: f64, to: f64, step: f64) -> Result<Self, ParamError> {
        let parts = [Decimal::from_f64(from), Decimal::from_f64(to), Decimal::from_f64(step)];
        let exponent = parts.iter().map(|part| part.exponent).min().unwrap_or(0);
        let [Some(first), Some(last), Some(stride)] = parts.map(|part| part.in_units_of(exponent)) else {
            return Err(ParamError::new("step", format!("is {step}, too small beside {from} and {to}")));
        };
        let count = (last - first) / stride + 1;
        if count == 1 {
            return Err(ParamError::new("step", format!("is {step}, longer than the way from {from} to {to}")));
        }
        if count > MAX_VALUES {
            return Err(ParamError::new(
                "step",
                format!("is {step}, which makes {count} values; at most {MAX_VALUES}"),
            ));
        }
        Ok(Self { from: first, step: stride, count: count as u64, exponent })
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Number `index` below `count`: the floating-point number nearest to the decimal one.
    pub(super) fn value(&self, index: u64) -> f64 {
        let digits = self.from + self.step * i128::from(index);
        parse(&format!("{digits}e{}", self.exponent))
    }
}

/// The number rounded to 12 significant digits: enough for any setting, and 10 instead of 10.000000000000002.
pub(super) fn twelve_digits(value: f64) -> f64 {
    parse(&format!("{value:.11e}"))
}

/// The text comes from a number, so it is one.
fn parse(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// `digits * 10^exponent`: the shortest decimal that reads back as the number, which is how it was written.
#[derive(Clone, Copy)]
struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    fn from_f64(value: f64) -> Self {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
        let digits = mantissa.replace('.', "").parse().unwrap_or(0);
        Self { digits, exponent: exponent.parse().unwrap_or(0) - decimals }
    }

    /// As a multiple of 10^exponent, which is at most its own; none if that has more than 30 digits.
    fn in_units_of(self, exponent: i32) -> Option<i128> {
        let more = u32::try_from(self.exponent - exponent).ok()?;
        let unit = 10_i128.checked_pow(more)?;
        self.digits.checked_mul(unit).filter(|units| units.unsigned_abs() < 10_u128.pow(30))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(from: f64, to: f64, step: f64) -> Vec<f64> {
        let steps = Steps::new(from, to, step).unwrap();
        (0..steps.count()).map(|index| steps.value(index)).collect()
    }

    #[test]
    fn values_are_what_one_would_write() {
        assert_eq!(values(0.1, 0.5, 0.1), [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(values(-0.3, 0.3, 0.15), [-0.3, -0.15, 0.0, 0.15, 0.3]);
        assert_eq!(values(10.0, 30.0, 5.0), [10.0, 15.0, 20.0, 25.0, 30.0]);
        assert_eq!(values(1e-3, 3e-3, 1e-3), [0.001, 0.002, 0.003]);
        assert_eq!(values(1e9, 1_000_000_001.0, 0.25).len(), 5);
    }

    #[test]
    fn an_end_that_is_not_reached_is_left_out() {
        assert_eq!(values(0.0, 1.0, 0.3), [0.0, 0.3, 0.6, 0.9]);
        assert_eq!(values(0.0, 0.999_999_999, 0.333_333_333).last(), Some(&0.999_999_999));
    }

    #[test]
    fn hopeless_steps_are_refused() {
        for (from, to, step) in [(0.0, 1.0, 2.0), (0.0, 1.0, 1e-12), (1e300, 2e300, 1e-300), (0.0, 1e40, 1.0)] {
            assert_eq!(Steps::new(from, to, step).unwrap_err().field, "step", "{from} {to} {step}");
        }
    }

    #[test]
    fn twelve_digits_are_kept() {
        assert_eq!(twelve_digits(10.000_000_000_000_002), 10.0);
        assert_eq!(twelve_digits(0.123_456_789_012_34), 0.123_456_789_012);
        assert_eq!(twelve_digits(-6.02e23), -6.02e23);
    }
}
