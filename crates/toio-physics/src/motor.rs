//! The motor of one wheel: from command units to the speed of the wheel's surface. A pure model; it knows no body.
//!
//! # Equation
//! ```text
//! target = V u                            u = 0 if |u| is in the dead zone, else clamped to +-saturation
//! tau ds/dt = target - s                  s: speed of the tyre's surface along the ground, m/s
//! ```
//! V = 4.3 rpm/unit * pi * 12.5 mm / 60 s = 0.002814343 m/s per unit, tau = 28.9 ms; dead zone and saturation by protocol version.
//! Source: toio facts, sections 2.1 to 2.3 and 15.
//!
//! # Two ways to step it
//! [`LagLaw::Exact`] solves the equation over the step, so that the step's length does not matter: steps of 1 ms and of 20 ms meet at
//! the same speeds. [`LagLaw::Unity`] is the Euler step of the Unity simulator, whose numbers are 50, 75, 87.5 units after the first
//! steps of
//! 20 ms. Its constant of 40 ms belongs to that rule: each step of 20 ms halves the error, and so does an exact lag of 20 ms / ln 2 =
//! 28.9 ms, which is the default of the exact law. Both hold the wheel to the *mean* speed of the step, so that a command from rest to
//! rest travels exactly V u T.
//!
//! # Where it stops being true
//! The motor is a speed source: load does not slow it, and its torque is bounded by the tyre's grip alone.

use sim_core::{ParamError, StateHash, ops};
use toio_hardware::{MOTOR_LAG_S, MOTOR_RANGE_V2_0, MOTOR_RANGE_V2_1, MotorRange, SPEED_PER_UNIT_M_S};

/// Dead zone and saturation of a protocol version (toio facts, section 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Characteristic {
    /// Protocol 2.0.0: commands below 10 do not turn the wheel, above 100 they do not turn it faster.
    V2_0,
    /// Protocol 2.1.0 and later: 8 and 115.
    #[default]
    V2_1,
}

impl Characteristic {
    /// Smallest command that turns the wheel.
    #[must_use]
    pub fn least_units(self) -> f64 {
        self.range().least_units
    }

    /// Command above which the wheel does not turn faster.
    #[must_use]
    pub fn greatest_units(self) -> f64 {
        self.range().saturation_units
    }

    fn range(self) -> MotorRange {
        match self {
            Self::V2_0 => MOTOR_RANGE_V2_0,
            Self::V2_1 => MOTOR_RANGE_V2_1,
        }
    }

    /// The speed that a command asks for, m/s.
    #[must_use]
    pub fn target_m_s(self, units: f64) -> f64 {
        if units.abs() < self.least_units() {
            return 0.0;
        }
        SPEED_PER_UNIT_M_S * units.clamp(-self.greatest_units(), self.greatest_units())
    }
}

/// How the lag is stepped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum LagLaw {
    /// The exact solution: independent of the step.
    #[default]
    Exact,
    /// Euler's rule, as in the Unity simulator: `s += (target - s) dt / max(tau, dt)`.
    Unity,
}

/// Parameters of a motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorParams {
    /// Dead zone and saturation.
    pub characteristic: Characteristic,
    /// How the lag is stepped.
    pub lag_law: LagLaw,
    /// Time constant of the lag, 0 to 10 s; 0 follows at once.
    pub tau_s: f64,
}

impl Default for MotorParams {
    fn default() -> Self {
        Self::with_law(LagLaw::default())
    }
}

impl LagLaw {
    /// Time constant that goes with the law, s: both halve an error in 20 ms.
    #[must_use]
    pub fn default_tau_s(self) -> f64 {
        match self {
            Self::Exact => MOTOR_LAG_S,
            Self::Unity => 0.04,
        }
    }
}

impl MotorParams {
    /// A motor of the present protocol with the time constant that goes with its law.
    #[must_use]
    pub fn with_law(lag_law: LagLaw) -> Self {
        Self { characteristic: Characteristic::default(), lag_law, tau_s: lag_law.default_tau_s() }
    }

    /// Refuses a time constant out of its range.
    ///
    /// # Errors
    /// If `tau_s` is not in 0 to 10 s.
    pub fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("tau_s", self.tau_s, 0.0, 10.0)
    }
}

/// Difference from the target at which a motor has arrived.
const ARRIVED_M_S: f64 = 1e-9;

/// State of a motor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor {
    speed_m_s: f64,
}

impl Motor {
    /// Speed of the tyre's surface at the end of the last step; positive drives forward.
    #[must_use]
    pub fn speed_m_s(self) -> f64 {
        self.speed_m_s
    }

    /// Goes on by `step_s` under a command in units and returns the mean speed of the step.
    pub fn advance(&mut self, params: &MotorParams, units: f64, step_s: f64) -> f64 {
        let target = params.characteristic.target_m_s(units);
        let error = self.speed_m_s - target;
        match params.lag_law {
            LagLaw::Exact if params.tau_s > 0.0 => {
                // The share of the error that goes in this step, without cancellation when the step is short.
                let gone = -ops::exp_m1(-step_s / params.tau_s);
                let left = error * (1.0 - gone);
                // An exponential never ends; a motor that is a nanometre a second off has arrived.
                self.speed_m_s = if left.abs() < ARRIVED_M_S { target } else { target + left };
                target + error * gone * params.tau_s / step_s
            }
            LagLaw::Exact => {
                self.speed_m_s = target;
                target
            }
            LagLaw::Unity => self.euler(target, params, step_s),
        }
    }

    /// The same under a command that holds for a share of the step, 0 to 1, from its beginning; after it the command is 0. The dead zone
    /// is that of the whole command, and a motor that starts and ends at rest travels `V u share step_s`.
    pub fn advance_in_part(&mut self, params: &MotorParams, units: f64, share: f64, step_s: f64) -> f64 {
        match params.lag_law {
            _ if share >= 1.0 => self.advance(params, units, step_s),
            LagLaw::Exact if share > 0.0 => {
                let active = self.advance(params, units, share * step_s);
                let rest = self.advance(params, 0.0, (1.0 - share) * step_s);
                active * share + rest * (1.0 - share)
            }
            LagLaw::Exact => self.advance(params, 0.0, step_s),
            // Euler's rule takes the mean of its input over the step.
            LagLaw::Unity => self.euler(params.characteristic.target_m_s(units) * share, params, step_s),
        }
    }

    /// The Unity simulator holds the new speed during the step.
    fn euler(&mut self, target_m_s: f64, params: &MotorParams, step_s: f64) -> f64 {
        self.speed_m_s -= (self.speed_m_s - target_m_s) * step_s / params.tau_s.max(step_s);
        self.speed_m_s
    }

    /// Stops at once: forced stop, button held or not connected (toio facts, section 2.3).
    pub fn force_stop(&mut self) {
        self.speed_m_s = 0.0;
    }

    /// Puts the state into `hash`.
    pub fn hash_into(self, hash: &mut StateHash) {
        hash.f64(self.speed_m_s);
    }
}
