//! Depth and pitch of a vehicle at rest, by variable buoyancy and a moving battery alone.

use super::Readings;
use crate::check;
use sim_core::{ParamError, StateHash};

/// Gains of a trim controller.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct TrimHoldParams {
    /// Ballast at which the vehicle is thought neutral, percent.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub neutral_percent: f64,
    /// Battery at which it is thought level, percent.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub level_percent: f64,
    /// Ballast per depth error, percent/m.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub depth_percent_m: f64,
    /// Ballast per integral of the depth error, percent/(m s).
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub depth_integral_percent_m_s: f64,
    /// Ballast per rate of depth, percent s/m.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub depth_rate_percent_s_m: f64,
    /// Battery per pitch error, percent/rad.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub pitch_percent_rad: f64,
    /// Battery per integral of the pitch error, percent/(rad s).
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub pitch_integral_percent_rad_s: f64,
    /// Battery per pitch rate, percent s/rad.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub pitch_rate_percent_s_rad: f64,
}

impl Default for TrimHoldParams {
    /// Gains for SAM: a loop of about 0.05 rad/s in depth and 0.1 rad/s in pitch.
    fn default() -> Self {
        Self {
            neutral_percent: 50.0,
            level_percent: 50.0,
            depth_percent_m: 4.0,
            depth_integral_percent_m_s: 0.05,
            depth_rate_percent_s_m: 90.0,
            pitch_percent_rad: 20.0,
            pitch_integral_percent_rad_s: 12.0,
            pitch_rate_percent_s_rad: 30.0,
        }
    }
}

/// What a trim controller asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrimCommands {
    /// Variable buoyancy, percent.
    pub ballast_percent: f64,
    /// Moving battery, percent.
    pub battery_percent: f64,
}

/// State of a trim controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrimHold {
    params: TrimHoldParams,
    depth_integral: f64,
    pitch_integral: f64,
    commands: TrimCommands,
}

impl TrimHold {
    /// A controller at the start of a run.
    ///
    /// # Errors
    /// If a gain is not finite.
    pub fn new(params: TrimHoldParams) -> Result<Self, ParamError> {
        let p = &params;
        check::all_finite("trim gains", &[p.neutral_percent, p.level_percent, p.depth_percent_m])?;
        check::all_finite(
            "trim gains",
            &[p.depth_integral_percent_m_s, p.depth_rate_percent_s_m, p.pitch_percent_rad],
        )?;
        check::all_finite("trim gains", &[p.pitch_integral_percent_rad_s, p.pitch_rate_percent_s_rad])?;
        let commands = TrimCommands { ballast_percent: p.neutral_percent, battery_percent: p.level_percent };
        Ok(Self { params, depth_integral: 0.0, pitch_integral: 0.0, commands })
    }

    /// Commands for a depth and a pitch (positive lowers the nose). `measured_m` is the measured depth; an altitude is
    /// handed over as minus itself, with minus the wanted altitude.
    pub fn decide(
        &mut self,
        (wanted_m, measured_m): (f64, Option<f64>),
        pitch_rad: f64,
        readings: &Readings,
        step_s: f64,
    ) -> TrimCommands {
        let p = &self.params;
        if let (Some(depth_m), Some(velocity)) = (measured_m, readings.velocity_m_s) {
            let error = wanted_m - depth_m;
            let by_rate = p.depth_percent_m * error + p.depth_rate_percent_s_m * velocity.z;
            let asked = p.neutral_percent + by_rate + p.depth_integral_percent_m_s * self.depth_integral;
            self.commands.ballast_percent = asked.clamp(0.0, 100.0);
            if asked == self.commands.ballast_percent {
                self.depth_integral += step_s * error;
            }
        }
        if let (Some(attitude), Some(rates)) = (readings.attitude, readings.turn_rate_rad_s) {
            let error = pitch_rad - attitude.pitch_rad;
            let by_rate = p.pitch_percent_rad * error - p.pitch_rate_percent_s_rad * rates.y;
            let asked = p.level_percent + by_rate + p.pitch_integral_percent_rad_s * self.pitch_integral;
            self.commands.battery_percent = asked.clamp(0.0, 100.0);
            if asked == self.commands.battery_percent {
                self.pitch_integral += step_s * error;
            }
        }
        self.commands
    }

    /// Puts the state into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        let TrimCommands { ballast_percent, battery_percent } = self.commands;
        let numbers = [self.depth_integral, self.pitch_integral, ballast_percent, battery_percent];
        numbers.into_iter().for_each(|number| hash.f64(number));
    }
}
