//! The battery: charge, drain by what the cube does, a charger's current, and the report in steps of ten percent.
//!
//! # Equation
//! ```text
//! dQ/dt = C - I      I = I_base + I_motor (|u_left| + |u_right|) / 115 + I_lamp (r + g + b) / 765      0 <= Q <= capacity
//! ```
//! Q charge (mAh), C current of the charger (mA; 0 off it), u motor commands (units, 115 is the highest), r, g, b the lamp's channels.
//! Without power I is 0. The capacity of 260 mAh and the report in
//! steps of ten about every 5 s are the device's (toio facts, sections 1.1, 6.6 and 11). The currents are not published; the
//! defaults are assumed so that a full charge lasts 2.2 hours of driving at half speed and 4.3 hours of standing.
//!
//! # Where it stops being true
//! No voltage, temperature, ageing or self-discharge; a blocked motor draws no more than a free one. A charger gives all its current
//! until the battery is full.

use crate::light::Rgb;
use crate::micros::Micros;
use sim_core::{ParamError, StateHash};
use toio_hardware::MOTOR_RANGE_V2_1;

/// Highest motor command, in command units.
const MAX_UNITS: f64 = MOTOR_RANGE_V2_1.saturation_units;
/// Time between reports.
const REPORT_PERIOD: Micros = Micros::from_ms(5000);

/// Capacity and currents.
#[derive(Clone, Debug, PartialEq)]
pub struct BatteryParams {
    /// Charge when full, mAh.
    pub capacity_mah: f64,
    /// Current of processor, radio and sensors, mA. Assumed.
    pub base_ma: f64,
    /// Current of one motor at the highest command, mA. Assumed.
    pub motor_ma: f64,
    /// Current of the lamp in full white, mA. Assumed.
    pub lamp_ma: f64,
}

impl Default for BatteryParams {
    fn default() -> Self {
        Self { capacity_mah: 260.0, base_ma: 60.0, motor_ma: 58.0, lamp_ma: 15.0 }
    }
}

/// What draws and gives current during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Command of the left and of the right motor, in command units of either sign.
    pub motor_units: [f64; 2],
    /// Colour of the lamp.
    pub lamp: Rgb,
    /// Current of the charger, mA.
    pub charger_ma: f64,
}

/// A battery in use.
#[derive(Clone, Debug, PartialEq)]
pub struct Battery {
    params: BatteryParams,
    charge_mah: f64,
    next_report: Micros,
}

impl Battery {
    /// A battery with `charge_percent` (0 to 100) of its capacity.
    ///
    /// # Errors
    /// If a parameter or the charge is out of range.
    pub fn new(params: BatteryParams, charge_percent: f64) -> Result<Self, ParamError> {
        ParamError::check_range("capacity_mah", params.capacity_mah, 1.0, 1e5)?;
        for (field, value) in [("base_ma", params.base_ma), ("motor_ma", params.motor_ma), ("lamp_ma", params.lamp_ma)]
        {
            ParamError::check_range(field, value, 0.0, 1e5)?;
        }
        ParamError::check_range("charge_percent", charge_percent, 0.0, 100.0)?;
        let charge_mah = params.capacity_mah * charge_percent / 100.0;
        Ok(Self { params, charge_mah, next_report: REPORT_PERIOD })
    }

    /// Current that `load` draws, mA, whatever a charger gives.
    #[must_use]
    pub fn current_ma(&self, load: &Load) -> f64 {
        let motors: f64 = load.motor_units.iter().map(|units| units.abs().min(MAX_UNITS) / MAX_UNITS).sum();
        let lamp = [load.lamp.r, load.lamp.g, load.lamp.b].map(f64::from).iter().sum::<f64>() / 765.0;
        self.params.base_ma + self.params.motor_ma * motors + self.params.lamp_ma * lamp
    }

    /// Drains and charges by `load` over a step of `step_s` that ends at `now`. Returns the percent to be notified if a report is due.
    pub fn step(&mut self, now: Micros, step_s: f64, load: &Load) -> Option<u8> {
        self.charge(step_s, load.charger_ma - self.current_ma(load));
        if now < self.next_report {
            return None;
        }
        self.next_report = now.after(REPORT_PERIOD);
        Some(self.percent())
    }

    /// Charges by a current for a step; a negative one drains.
    pub fn charge(&mut self, step_s: f64, current_ma: f64) {
        self.charge_mah = (self.charge_mah + current_ma * step_s / 3600.0).clamp(0.0, self.params.capacity_mah);
    }

    /// Exact charge, in percent of the capacity.
    #[must_use]
    pub fn charge_percent(&self) -> f64 {
        100.0 * self.charge_mah / self.params.capacity_mah
    }

    /// What the cube reports: the charge rounded to the nearest ten percent, 0 to 100.
    #[must_use]
    pub fn percent(&self) -> u8 {
        ((self.charge_percent() / 10.0).round() * 10.0) as u8
    }

    /// True if nothing is left, so that the cube goes off.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.charge_mah <= 0.0
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.f64(self.charge_mah);
        hash.u64(self.next_report.0);
    }
}
