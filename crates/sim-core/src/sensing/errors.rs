//! From ideal values to reported ones. A pure function of the values and an address.

use super::purpose;
use super::walk;
use crate::{ParamError, Purpose, RunKey, Tick};

/// Which values a sensor can report, in its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ValueRange {
    /// Any.
    #[default]
    Unlimited,
    /// Values outside are reported as the nearest end: gyros, accelerometers.
    Saturating {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Values above are reported as +infinity, below as -infinity (ROS REP 117): range finders.
    Signalling {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
}

impl ValueRange {
    fn check(self) -> Result<(), ParamError> {
        match self {
            Self::Unlimited => Ok(()),
            Self::Saturating { min, max } | Self::Signalling { min, max } => {
                ParamError::check_span("range", [min, max], [f64::MIN, f64::MAX])
            }
        }
    }

    /// The same for a sensor that can report no more than `min` to `max`; values that an unlimited one would report outside are signalled.
    /// What leaves nothing to report is refused where sensors are checked.
    #[must_use]
    pub fn narrowed(self, min: f64, max: f64) -> Self {
        match self {
            Self::Unlimited => Self::Signalling { min, max },
            Self::Saturating { min: low, max: high } => Self::Saturating { min: low.max(min), max: high.min(max) },
            Self::Signalling { min: low, max: high } => Self::Signalling { min: low.max(min), max: high.min(max) },
        }
    }

    /// Whether a reading stands at an end that values beyond it are reported as.
    #[must_use]
    pub fn is_saturated(self, reading: f64) -> bool {
        matches!(self, Self::Saturating { min, max } if reading == min || reading == max)
    }

    fn limit(self, value: f64) -> f64 {
        match self {
            Self::Unlimited => value,
            Self::Saturating { min, max } => value.clamp(min, max),
            Self::Signalling { max, .. } if value > max => f64::INFINITY,
            Self::Signalling { min, .. } if value < min => f64::NEG_INFINITY,
            Self::Signalling { .. } => value,
        }
    }
}

/// What is wrong with every value of a quantity, in the quantity's unit. The default is a perfect sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorParams {
    /// Factor on the true value, 0.001 to 1000.
    pub scale: f64,
    /// Constant offset.
    pub bias: f64,
    /// Standard deviation of a further constant offset, drawn once a run for each channel.
    pub bias_std: f64,
    /// Random walk of the offset: its standard deviation after one second, growing with the square root of time.
    pub walk_std_per_sqrt_s: f64,
    /// Time after which the walk has forgotten all but 1/e, s, 0.001 to 1e9: it then wanders about 0 with a standard deviation of
    /// `walk_std_per_sqrt_s sqrt(walk_correlation_s / 2)`. Infinite: it forgets nothing and wanders without bound.
    pub walk_correlation_s: f64,
    /// Standard deviation of the white noise on each value.
    pub noise_std: f64,
    /// Values are rounded to whole multiples of this; 0 does not round.
    pub quantum: f64,
    /// Which values can be reported.
    pub range: ValueRange,
    /// Share of single values that are lost and read +infinity, 0 to 1.
    pub dropout: f64,
}

impl Default for ErrorParams {
    fn default() -> Self {
        Self {
            scale: 1.0,
            bias: 0.0,
            bias_std: 0.0,
            walk_std_per_sqrt_s: 0.0,
            walk_correlation_s: f64::INFINITY,
            noise_std: 0.0,
            quantum: 0.0,
            range: ValueRange::Unlimited,
            dropout: 0.0,
        }
    }
}

impl ErrorParams {
    /// Smallest and largest factor on the true value.
    pub const SCALE: [f64; 2] = [0.001, 1000.0];
    /// Largest offset, deviation or quantum, in the unit of the quantity.
    pub const MAX_ERROR: f64 = 1e6;

    fn check(&self) -> Result<(), ParamError> {
        ParamError::check_within("scale", self.scale, Self::SCALE)?;
        ParamError::check_range("bias", self.bias, -Self::MAX_ERROR, Self::MAX_ERROR)?;
        ParamError::check_range("bias_std", self.bias_std, 0.0, Self::MAX_ERROR)?;
        ParamError::check_range("walk_std_per_sqrt_s", self.walk_std_per_sqrt_s, 0.0, Self::MAX_ERROR)?;
        if self.walk_correlation_s != f64::INFINITY {
            ParamError::check_range("walk_correlation_s", self.walk_correlation_s, 0.001, 1e9)?;
        }
        ParamError::check_range("noise_std", self.noise_std, 0.0, Self::MAX_ERROR)?;
        ParamError::check_range("quantum", self.quantum, 0.0, Self::MAX_ERROR)?;
        self.range.check()?;
        ParamError::check_range("dropout", self.dropout, 0.0, 1.0)
    }
}

/// Whose draws they are: the run, and a number that no other sensor of the run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    key: RunKey,
    owner: u64,
}

impl Address {
    /// The address of the sensor with number `sensor` on the vehicle with number `vehicle`.
    #[must_use]
    pub fn new(key: RunKey, vehicle: u32, sensor: u32) -> Self {
        Self { key, owner: (u64::from(vehicle) << 32) | u64::from(sensor) }
    }

    pub(super) fn stream(self, purpose: Purpose, tick: u64) -> crate::Stream {
        self.key.stream(purpose, self.owner, tick)
    }
}

/// Channels whose draws of one place of the walk have addresses side by side.
const WALK_CHANNELS: u64 = 1 << 16;

/// Checked errors at a given step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    params: ErrorParams,
    walk_std_per_tick: f64,
    walk_pull: walk::Pull,
}

impl ErrorModel {
    /// Checks the parameters. A tick is `step_s` long.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: ErrorParams, step_s: f64) -> Result<Self, ParamError> {
        params.check()?;
        ParamError::check_range("step_s", step_s, 1e-9, 1e6)?;
        let walk_pull = walk::Pull { per_tick: step_s / params.walk_correlation_s };
        Ok(Self { params, walk_std_per_tick: params.walk_std_per_sqrt_s * step_s.sqrt(), walk_pull })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &ErrorParams {
        &self.params
    }

    /// Replaces the ideal values of a tick, one a channel, by what the sensor reports. A value that is infinite already ("no return")
    /// takes no error; only saturation makes it finite.
    pub fn apply(&self, address: Address, tick: Tick, values: &mut [f64]) {
        let ErrorParams { scale, bias, bias_std, noise_std, quantum, range, dropout, .. } = self.params;
        values.iter_mut().for_each(|x| *x = scale * *x + bias);
        if bias_std > 0.0 {
            add_normals(values, bias_std, &mut address.stream(purpose::SENSOR_BIAS, 0));
        }
        if self.walk_std_per_tick > 0.0 {
            for (channel, value) in values.iter_mut().enumerate() {
                *value += self.walk_std_per_tick * walk_of(address, channel as u64, tick.0, self.walk_pull);
            }
        }
        if noise_std > 0.0 {
            add_normals(values, noise_std, &mut address.stream(purpose::SENSOR_NOISE, tick.0));
        }
        if quantum > 0.0 {
            values.iter_mut().for_each(|x| *x = (*x / quantum).round() * quantum);
        }
        values.iter_mut().for_each(|x| *x = range.limit(*x));
        if dropout > 0.0 {
            let mut stream = address.stream(purpose::SENSOR_DROPOUT, tick.0);
            for value in values.iter_mut().filter(|_| stream.uniform() < dropout) {
                *value = f64::INFINITY;
            }
        }
    }
}

/// Adds independent deviates, two channels a draw: more channels leave those of the first as they were.
fn add_normals(values: &mut [f64], std: f64, stream: &mut crate::Stream) {
    for pair in values.chunks_mut(2) {
        let deviates = stream.normal2().to_array();
        pair.iter_mut().zip(deviates).for_each(|(value, deviate)| *value += std * deviate);
    }
}

fn walk_of(address: Address, channel: u64, tick: u64, pull: walk::Pull) -> f64 {
    walk::at(tick, pull, |place| {
        address.stream(purpose::SENSOR_WALK, place.wrapping_mul(WALK_CHANNELS).wrapping_add(channel)).normal()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(sensor: u32) -> Address {
        Address::new(RunKey { seed: 11, run_index: 2 }, 3, sensor)
    }

    fn reported(params: ErrorParams, sensor: u32, tick: u64, ideal: &[f64]) -> Vec<f64> {
        let mut values = ideal.to_vec();
        ErrorModel::new(params, 0.01).unwrap().apply(address(sensor), Tick(tick), &mut values);
        values
    }

    #[test]
    fn a_perfect_sensor_tells_the_truth() {
        let truth = [1.5, -2.25, f64::INFINITY, 0.1];
        assert_eq!(reported(ErrorParams::default(), 0, 7, &truth), truth);
    }

    #[test]
    fn scale_bias_rounding_and_limits_in_their_order() {
        let errors = ErrorParams { scale: 2.0, bias: 0.3, quantum: 0.5, ..ErrorParams::default() };
        // 2.3 rounds to 2.5, -1.7 to -1.5, 8.3 to 8.5.
        assert_eq!(reported(errors, 0, 0, &[1.0, -1.0, 4.0]), [2.5, -1.5, 8.5]);
        let saturating = ErrorParams { range: ValueRange::Saturating { min: -1.0, max: 8.2 }, ..errors };
        assert_eq!(reported(saturating, 0, 0, &[1.0, -1.0, 4.0, f64::INFINITY]), [2.5, -1.0, 8.2, 8.2]);
        let signalling = ErrorParams { range: ValueRange::Signalling { min: -1.0, max: 8.5 }, ..errors };
        let infinite = f64::INFINITY;
        assert_eq!(reported(signalling, 0, 0, &[4.0, 4.5, -1.0, infinite]), [8.5, infinite, -infinite, infinite]);
    }

    #[test]
    fn a_narrowed_range_lies_in_both() {
        use ValueRange::{Saturating, Signalling, Unlimited};
        assert_eq!(Unlimited.narrowed(0.5, 9.0), Signalling { min: 0.5, max: 9.0 });
        assert_eq!(Signalling { min: 0.0, max: 5.0 }.narrowed(0.5, 9.0), Signalling { min: 0.5, max: 5.0 });
        assert_eq!(Saturating { min: 1.0, max: 20.0 }.narrowed(0.5, 9.0), Saturating { min: 1.0, max: 9.0 });
        let nothing =
            ErrorParams { range: Signalling { min: 10.0, max: 20.0 }.narrowed(0.5, 9.0), ..ErrorParams::default() };
        assert_eq!(ErrorModel::new(nothing, 0.01).unwrap_err().field, "range");
    }

    #[test]
    fn no_return_takes_no_noise() {
        let errors = ErrorParams { noise_std: 1.0, bias: 2.0, quantum: 0.1, ..ErrorParams::default() };
        let values = reported(errors, 0, 0, &[f64::INFINITY, f64::NEG_INFINITY, 1.0]);
        assert_eq!(values[..2], [f64::INFINITY, f64::NEG_INFINITY]);
        assert!(values[2].is_finite());
    }

    /// 200 000 draws: standard error 0.0022 on the mean, 0.3 % on the variance.
    #[test]
    fn noise_has_the_declared_deviation_over_ticks_and_channels() {
        let errors = ErrorParams { noise_std: 3.0, bias: 1.0, ..ErrorParams::default() };
        let draws: Vec<f64> = (0..40_000).flat_map(|tick| reported(errors, 0, tick, &[0.0; 5])).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws.len() as f64;
        assert!((mean - 1.0).abs() < 0.04, "{mean}");
        assert!((variance / 9.0 - 1.0).abs() < 0.02, "{variance}");
    }

    #[test]
    fn an_offset_stays_for_the_run_and_a_walk_spreads_with_the_root_of_time() {
        let offset = ErrorParams { bias_std: 1.0, ..ErrorParams::default() };
        assert_eq!(reported(offset, 0, 1, &[0.0; 3]), reported(offset, 0, 9999, &[0.0; 3]));
        assert_ne!(reported(offset, 0, 1, &[0.0; 3]), reported(offset, 1, 1, &[0.0; 3]));
        // Ticks of 10 ms: after 400 of them 4 s have passed, so the deviation is 2 x 0.1. 4000 walks: standard error of 2.2 %
        // on the variance.
        let walk = ErrorParams { walk_std_per_sqrt_s: 0.1, ..ErrorParams::default() };
        let square = |sensor| reported(walk, sensor, 400, &[0.0; 2]).iter().map(|x| x * x).sum::<f64>();
        let variance = (0..2000).map(square).sum::<f64>() / 4000.0;
        assert!((variance / 0.04 - 1.0).abs() < 0.1, "{variance}");
    }

    /// What one error adds is the same with and without the others, to the rounding of a sum of numbers around 1.
    #[test]
    fn switching_one_error_off_leaves_the_draws_of_the_others() {
        let all = ErrorParams { bias_std: 1.0, walk_std_per_sqrt_s: 1.0, noise_std: 1.0, ..ErrorParams::default() };
        let only = [
            ErrorParams { walk_std_per_sqrt_s: 0.0, noise_std: 0.0, ..all },
            ErrorParams { bias_std: 0.0, noise_std: 0.0, ..all },
            ErrorParams { bias_std: 0.0, walk_std_per_sqrt_s: 0.0, ..all },
        ];
        let parts: Vec<_> = only.map(|errors| reported(errors, 4, 77, &[0.0; 3])).into();
        let whole = reported(all, 4, 77, &[0.0; 3]);
        for channel in 0..3 {
            let sum: f64 = parts.iter().map(|part| part[channel]).sum();
            assert!((whole[channel] - sum).abs() < 1e-14);
        }
    }

    #[test]
    fn more_channels_leave_the_draws_of_the_first() {
        let errors = ErrorParams {
            bias_std: 1.0,
            walk_std_per_sqrt_s: 1.0,
            noise_std: 1.0,
            dropout: 0.2,
            ..ErrorParams::default()
        };
        let few = reported(errors, 0, 5, &[0.0; 3]);
        assert_eq!(reported(errors, 0, 5, &[0.0; 8])[..3], few);
    }

    /// 100 000 values at 0.2: standard error 0.0013.
    #[test]
    fn single_values_are_lost_at_the_declared_share() {
        let errors = ErrorParams { dropout: 0.2, ..ErrorParams::default() };
        let lost = |tick| reported(errors, 0, tick, &[1.0; 100]).iter().filter(|x| x.is_infinite()).count();
        let share = (0..1000).map(lost).sum::<usize>() as f64 / 100_000.0;
        assert!((share - 0.2).abs() < 0.007, "{share}");
    }

    #[test]
    fn bad_errors_are_named() {
        let field = |params| ErrorModel::new(params, 0.01).unwrap_err().field;
        let good = ErrorParams::default();
        assert_eq!(field(ErrorParams { scale: 0.0, ..good }), "scale");
        assert_eq!(field(ErrorParams { bias: f64::NAN, ..good }), "bias");
        assert_eq!(field(ErrorParams { bias_std: -1.0, ..good }), "bias_std");
        assert_eq!(field(ErrorParams { walk_std_per_sqrt_s: -1.0, ..good }), "walk_std_per_sqrt_s");
        assert_eq!(field(ErrorParams { noise_std: f64::INFINITY, ..good }), "noise_std");
        assert_eq!(field(ErrorParams { quantum: -0.1, ..good }), "quantum");
        assert_eq!(field(ErrorParams { dropout: 1.1, ..good }), "dropout");
        assert_eq!(field(ErrorParams { range: ValueRange::Saturating { min: 1.0, max: 0.0 }, ..good }), "range");
        assert_eq!(ErrorModel::new(good, 0.0).unwrap_err().field, "step_s");
    }
}
