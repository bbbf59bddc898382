//! The one block that every sensor of every world shares: when it measures, and what goes wrong.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::sensing::{ErrorParams, SensorParams, ValueRange};

/// When a sensor measures and what goes wrong, the same block for every sensor. Values are in the unit of what is measured; times are
/// rounded to whole steps on the mat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SensingSpec {
    /// Time from one measurement to the next, whole ms.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every_ms: u64,
    /// Time of the first measurement, whole ms.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub phase_ms: u64,
    /// Time from the measurement to its arrival, whole ms.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub delay_ms: u64,
    /// Share of whole readings that never arrive.
    #[schemars(range(min = 0, max = 1))]
    pub loss: f64,
    /// Factor on the true value.
    #[schemars(range(min = ErrorParams::SCALE[0], max = ErrorParams::SCALE[1]))]
    pub scale: f64,
    /// Constant offset.
    #[schemars(range(min = -ErrorParams::MAX_ERROR, max = ErrorParams::MAX_ERROR))]
    pub bias: f64,
    /// Standard deviation of a further offset, drawn once a run for each channel.
    #[schemars(range(min = 0, max = ErrorParams::MAX_ERROR))]
    pub bias_std: f64,
    /// Random walk of the offset: its standard deviation after one second; grows with the square root of time.
    #[schemars(range(min = 0, max = ErrorParams::MAX_ERROR))]
    pub walk_std_per_sqrt_s: f64,
    /// Standard deviation of the white noise.
    #[schemars(range(min = 0, max = ErrorParams::MAX_ERROR))]
    pub noise_std: f64,
    /// Values are whole multiples of this; 0 does not round.
    #[schemars(range(min = 0, max = ErrorParams::MAX_ERROR))]
    pub quantum: f64,
    /// Smallest and largest value that can be reported, others read the nearer end; of a lidar they count as no return. `null`: any.
    #[schemars(inner(range(min = -1e9, max = 1e9)))]
    pub range: Option<[f64; 2]>,
    /// Share of single values that are lost.
    #[schemars(range(min = 0, max = 1))]
    pub dropout: f64,
}

impl Default for SensingSpec {
    fn default() -> Self {
        let errors = ErrorParams::default();
        Self {
            every_ms: 10,
            phase_ms: 0,
            delay_ms: 0,
            loss: SensorParams::default().loss,
            scale: errors.scale,
            bias: errors.bias,
            bias_std: errors.bias_std,
            walk_std_per_sqrt_s: errors.walk_std_per_sqrt_s,
            noise_std: errors.noise_std,
            quantum: errors.quantum,
            range: None,
            dropout: errors.dropout,
        }
    }
}

impl SensingSpec {
    /// The sensor's parameters where `ticks_per_s` ticks are a second. Times are rounded to whole ticks, and at least one passes from
    /// one measurement to the next. What a range finder cannot tell is no return; others read the nearer end.
    #[must_use]
    pub fn params(&self, ticks_per_s: u32, is_range_finder: bool) -> SensorParams {
        let ticks = |ms: u64| (ms * u64::from(ticks_per_s) + 500) / 1000;
        let range = match self.range {
            None => ValueRange::Unlimited,
            Some([min, max]) if is_range_finder => ValueRange::Signalling { min, max },
            Some([min, max]) => ValueRange::Saturating { min, max },
        };
        SensorParams {
            period_ticks: ticks(self.every_ms).max(1),
            phase_ticks: ticks(self.phase_ms),
            delay_ticks: ticks(self.delay_ms),
            loss: self.loss,
            errors: ErrorParams {
                scale: self.scale,
                bias: self.bias,
                bias_std: self.bias_std,
                walk_std_per_sqrt_s: self.walk_std_per_sqrt_s,
                noise_std: self.noise_std,
                quantum: self.quantum,
                range,
                dropout: self.dropout,
                ..ErrorParams::default()
            },
        }
    }
}
