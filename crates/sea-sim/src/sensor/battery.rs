//! A battery that empties evenly.

use sim_core::ParamError;

/// A battery that loses charge evenly over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Battery {
    /// Charge at time 0, percent, 0 to 100.
    pub start_percent: f64,
    /// Charge lost a minute, percent, 0 to 100.
    pub drain_percent_per_min: f64,
    /// Voltage when empty and when full, V, 0 to 1000.
    pub voltages_v: [f64; 2],
}

impl Default for Battery {
    /// 95 %, 1 % a minute, 21 to 25.2 V: six lithium cells.
    fn default() -> Self {
        Self { start_percent: 95.0, drain_percent_per_min: 1.0, voltages_v: [21.0, 25.2] }
    }
}

impl Battery {
    pub(super) fn checked(self) -> Result<Self, ParamError> {
        ParamError::check_range("start_percent", self.start_percent, 0.0, 100.0)?;
        ParamError::check_range("drain_percent_per_min", self.drain_percent_per_min, 0.0, 100.0)?;
        ParamError::check_span("voltages_v", self.voltages_v, [0.0, 1000.0])?;
        Ok(self)
    }

    /// Charge at a time, s, in percent; it stops at 0.
    #[must_use]
    pub fn charge_percent(&self, time_s: f64) -> f64 {
        (self.start_percent - self.drain_percent_per_min * time_s / 60.0).max(0.0)
    }

    /// Voltage at a charge, V.
    #[must_use]
    pub fn voltage_v(&self, charge_percent: f64) -> f64 {
        self.voltages_v[0] + (self.voltages_v[1] - self.voltages_v[0]) * charge_percent / 100.0
    }
}
