//! Depth and heading autopilots of Fossen's simulators (Fossen 2021, chapters 15 and 16): successive loops for depth,
//! integral sliding mode or pole placement for heading, reference models before them.
//!
//! The laws are written for down and starboard. Readings come in the house's axes and are turned here: depth rate and
//! pitch change sign, yaw and its rate too.

use super::Readings;
use crate::check;
use sim_core::angle::wrap_rad;
use sim_core::{ParamError, StateHash, ops};

/// Depth by the stern planes: PI of depth gives a pitch, PID of pitch gives an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct DepthAutopilotParams {
    /// Natural frequency of the filter of the reference, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub filter_rad_s: f64,
    /// Pitch per depth error, rad/m.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub depth_gain_rad_m: f64,
    /// Integral time of the depth loop, s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub integral_s: f64,
    /// Angle per pitch error.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub pitch_gain: f64,
    /// Angle per pitch rate, s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub rate_gain_s: f64,
    /// Angle per integral of the pitch error, 1/s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub pitch_integral_per_s: f64,
    /// Angle per heave velocity, rad s/m.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub heave_gain_rad_s_m: f64,
    /// Largest pitch that is asked for, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub pitch_max_rad: f64,
}

impl Default for DepthAutopilotParams {
    /// Gains of the REMUS 100 of Fossen's simulators. The limit of the pitch is ours.
    fn default() -> Self {
        Self {
            filter_rad_s: 0.02,
            depth_gain_rad_m: 0.1,
            integral_s: 100.0,
            pitch_gain: 5.0,
            rate_gain_s: 2.0,
            pitch_integral_per_s: 0.3,
            heave_gain_rad_s_m: 5.0,
            pitch_max_rad: std::f64::consts::FRAC_PI_6,
        }
    }
}

/// State of a depth autopilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthAutopilot {
    params: DepthAutopilotParams,
    filtered_m: Option<f64>,
    depth_integral: f64,
    pitch_integral: f64,
    stern_rad: f64,
}

impl DepthAutopilot {
    /// An autopilot at the start of a run.
    ///
    /// # Errors
    /// If a gain is not finite or the integral time not positive.
    pub fn new(params: DepthAutopilotParams) -> Result<Self, ParamError> {
        check::not_negative("depth.filter_rad_s", params.filter_rad_s)?;
        check::positive("depth.integral_s", params.integral_s)?;
        check::positive("depth.pitch_max_rad", params.pitch_max_rad)?;
        let gains = [params.depth_gain_rad_m, params.pitch_gain, params.rate_gain_s];
        check::all_finite("depth gains", &gains)?;
        check::all_finite("depth gains", &[params.pitch_integral_per_s, params.heave_gain_rad_s_m])?;
        Ok(Self { params, filtered_m: None, depth_integral: 0.0, pitch_integral: 0.0, stern_rad: 0.0 })
    }

    /// Begins again from what is measured: the goal is of another kind now.
    pub fn restart(&mut self) {
        (self.filtered_m, self.depth_integral) = (None, 0.0);
    }

    /// Angle of the stern planes (positive lowers the nose) for a depth. `depth_m` is the measured one; an altitude
    /// is handed over as minus itself, with minus the wanted altitude.
    pub fn decide(&mut self, wanted_m: f64, depth_m: Option<f64>, readings: &Readings, step_s: f64) -> f64 {
        let (Some(depth), Some(attitude), Some(rates)) = (depth_m, readings.attitude, readings.turn_rate_rad_s) else {
            return self.stern_rad;
        };
        let p = &self.params;
        let kept = ops::exp(-step_s * p.filter_rad_s);
        let filtered = kept * self.filtered_m.unwrap_or(depth) + (1.0 - kept) * wanted_m;
        self.filtered_m = Some(filtered);
        let depth_error = depth - filtered;
        let asked = p.depth_gain_rad_m * (depth_error + self.depth_integral / p.integral_s);
        let pitch_goal = asked.clamp(-p.pitch_max_rad, p.pitch_max_rad);
        let pitch_error = wrap_rad(-attitude.pitch_rad - pitch_goal);
        let heave = readings.velocity_m_s.map_or(0.0, |velocity| -velocity.z);
        let by_error = p.pitch_gain * pitch_error - p.rate_gain_s * rates.y;
        self.stern_rad = by_error + p.pitch_integral_per_s * self.pitch_integral + p.heave_gain_rad_s_m * heave;
        if asked == pitch_goal {
            self.depth_integral += step_s * depth_error;
        }
        self.pitch_integral += step_s * pitch_error;
        self.stern_rad
    }

    /// Puts the state into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(u64::from(self.filtered_m.is_some()));
        let filtered_m = self.filtered_m.unwrap_or_default();
        let numbers = [filtered_m, self.depth_integral, self.pitch_integral, self.stern_rad];
        numbers.into_iter().for_each(|number| hash.f64(number));
    }
}

/// A reference model of third order with a limit on its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReferenceModel {
    /// Reference of the angle, rad.
    pub angle_rad: f64,
    /// Its rate, rad/s.
    pub rate_rad_s: f64,
    /// Its acceleration, rad/s².
    pub acceleration_rad_s2: f64,
}

impl ReferenceModel {
    /// Puts it into a hash.
    fn hash_into(&self, hash: &mut StateHash) {
        [self.angle_rad, self.rate_rad_s, self.acceleration_rad_s2].into_iter().for_each(|number| hash.f64(number));
    }

    fn advance(&mut self, goal_rad: f64, (frequency, damping, most): (f64, f64, f64), step_s: f64) {
        let spread = 2.0 * damping + 1.0;
        let to_goal = wrap_rad(goal_rad - self.angle_rad);
        let jerk = frequency
            * (frequency * (frequency * to_goal - spread * self.rate_rad_s) - spread * self.acceleration_rad_s2);
        self.angle_rad += step_s * self.rate_rad_s;
        self.rate_rad_s += step_s * self.acceleration_rad_s2;
        self.acceleration_rad_s2 += step_s * jerk;
        self.rate_rad_s = self.rate_rad_s.clamp(-most, most);
    }
}

/// Heading by integral sliding mode control on a Nomoto model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct HeadingSmcParams {
    /// Nomoto's time constant, s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub nomoto_s: f64,
    /// Nomoto's gain: turn rate per rudder angle, 1/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub nomoto_gain_per_s: f64,
    /// Natural frequency of the reference model, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub reference_rad_s: f64,
    /// Its relative damping.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub reference_damping: f64,
    /// Its largest turn rate, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub rate_max_rad_s: f64,
    /// Gain of the sliding variable, 1/s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub gain_per_s: f64,
    /// Switching gain, 1/s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub switching_per_s: f64,
    /// Bandwidth of the sliding surface, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub surface_rad_s: f64,
    /// Thickness of the boundary layer, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub boundary_rad_s: f64,
}

impl Default for HeadingSmcParams {
    /// Values of the REMUS 100 of Fossen's simulators.
    fn default() -> Self {
        Self {
            nomoto_s: 1.0,
            nomoto_gain_per_s: 0.25,
            reference_rad_s: 0.1,
            reference_damping: 1.0,
            rate_max_rad_s: 5.0 * std::f64::consts::PI / 180.0,
            gain_per_s: 0.5,
            switching_per_s: 0.05,
            surface_rad_s: 0.1,
            boundary_rad_s: 0.1,
        }
    }
}

/// State of a sliding-mode heading autopilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadingSmc {
    params: HeadingSmcParams,
    /// In the sense of a compass: positive to starboard.
    reference: Option<ReferenceModel>,
    integral: f64,
    rudder_rad: f64,
}

impl HeadingSmc {
    /// An autopilot at the start of a run.
    ///
    /// # Errors
    /// If a number is not finite, or one that divides is not positive.
    pub fn new(params: HeadingSmcParams) -> Result<Self, ParamError> {
        check::positive("heading.nomoto_gain_per_s", params.nomoto_gain_per_s)?;
        check::positive("heading.boundary_rad_s", params.boundary_rad_s)?;
        check::positive("heading.reference_rad_s", params.reference_rad_s)?;
        check::positive("heading.rate_max_rad_s", params.rate_max_rad_s)?;
        let rest = [params.nomoto_s, params.reference_damping, params.gain_per_s];
        check::all_finite("heading gains", &rest)?;
        check::all_finite("heading gains", &[params.switching_per_s, params.surface_rad_s])?;
        Ok(Self { params, reference: None, integral: 0.0, rudder_rad: 0.0 })
    }

    /// Rudder angle (positive turns to starboard) for a yaw, counter-clockwise from east.
    pub fn decide(&mut self, wanted_yaw_rad: f64, readings: &Readings, step_s: f64) -> f64 {
        let (Some(attitude), Some(rates)) = (readings.attitude, readings.turn_rate_rad_s) else {
            return self.rudder_rad;
        };
        let p = self.params;
        let (heading, rate) = (-attitude.yaw_rad, -rates.z);
        let start = ReferenceModel { angle_rad: heading, ..ReferenceModel::default() };
        let mut reference = self.reference.unwrap_or(start);
        let (error, rate_error) = (wrap_rad(heading - reference.angle_rad), rate - reference.rate_rad_s);
        let square = p.surface_rad_s * p.surface_rad_s;
        let virtual_acceleration = reference.acceleration_rad_s2 - 2.0 * p.surface_rad_s * rate_error - square * error;
        let virtual_rate = reference.rate_rad_s - 2.0 * p.surface_rad_s * error - square * self.integral;
        let sliding = rate_error + 2.0 * p.surface_rad_s * error + square * self.integral;
        let switching = p.switching_per_s * (sliding / p.boundary_rad_s).clamp(-1.0, 1.0);
        let wanted = p.nomoto_s * virtual_acceleration + virtual_rate - p.gain_per_s * sliding - switching;
        self.rudder_rad = wanted / p.nomoto_gain_per_s;
        self.integral += step_s * error;
        reference.advance(-wanted_yaw_rad, (p.reference_rad_s, p.reference_damping, p.rate_max_rad_s), step_s);
        self.reference = Some(reference);
        self.rudder_rad
    }

    /// Puts the state into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(u64::from(self.reference.is_some()));
        self.reference.unwrap_or_default().hash_into(hash);
        hash.f64(self.integral);
        hash.f64(self.rudder_rad);
    }
}

/// Heading by a PID whose poles are placed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct HeadingPidParams {
    /// Inertia in yaw with added mass, kg m².
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub inertia_kg_m2: f64,
    /// Damping in yaw, N m s/rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub damping_n_m_s: f64,
    /// Natural frequency of the closed loop, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub loop_rad_s: f64,
    /// Its relative damping.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub loop_damping: f64,
    /// Natural frequency of the reference model, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub reference_rad_s: f64,
    /// Its relative damping.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub reference_damping: f64,
    /// Its largest turn rate, rad/s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub rate_max_rad_s: f64,
}

impl Default for HeadingPidParams {
    /// Values of the Otter of Fossen's simulators.
    fn default() -> Self {
        Self {
            inertia_kg_m2: 41.4,
            damping_n_m_s: 41.4,
            loop_rad_s: 2.5,
            loop_damping: 1.0,
            reference_rad_s: 0.5,
            reference_damping: 1.0,
            rate_max_rad_s: 10.0 * std::f64::consts::PI / 180.0,
        }
    }
}

/// State of a PID heading autopilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadingPid {
    params: HeadingPidParams,
    reference: Option<ReferenceModel>,
    integral: f64,
    moment_n_m: f64,
}

impl HeadingPid {
    /// An autopilot at the start of a run.
    ///
    /// # Errors
    /// If a number is not finite or not positive.
    pub fn new(params: HeadingPidParams) -> Result<Self, ParamError> {
        check::positive("heading.inertia_kg_m2", params.inertia_kg_m2)?;
        check::not_negative("heading.damping_n_m_s", params.damping_n_m_s)?;
        check::positive("heading.loop_rad_s", params.loop_rad_s)?;
        check::not_negative("heading.loop_damping", params.loop_damping)?;
        check::positive("heading.reference_rad_s", params.reference_rad_s)?;
        check::not_negative("heading.reference_damping", params.reference_damping)?;
        check::positive("heading.rate_max_rad_s", params.rate_max_rad_s)?;
        Ok(Self { params, reference: None, integral: 0.0, moment_n_m: 0.0 })
    }

    /// Moment (N m, positive to starboard) for a yaw, counter-clockwise from east.
    pub fn decide(&mut self, wanted_yaw_rad: f64, readings: &Readings, step_s: f64) -> f64 {
        let (Some(attitude), Some(rates)) = (readings.attitude, readings.turn_rate_rad_s) else {
            return self.moment_n_m;
        };
        let p = self.params;
        let (heading, rate) = (-attitude.yaw_rad, -rates.z);
        let start = ReferenceModel { angle_rad: heading, ..ReferenceModel::default() };
        let mut reference = self.reference.unwrap_or(start);
        let (error, rate_error) = (wrap_rad(heading - reference.angle_rad), rate - reference.rate_rad_s);
        let proportional = p.inertia_kg_m2 * p.loop_rad_s * p.loop_rad_s;
        let derivative = 2.0 * p.inertia_kg_m2 * p.loop_damping * p.loop_rad_s - p.damping_n_m_s;
        let integral = 0.1 * p.loop_rad_s * proportional;
        self.moment_n_m = -proportional * error - derivative * rate_error - integral * self.integral;
        self.integral += step_s * error;
        reference.advance(-wanted_yaw_rad, (p.reference_rad_s, p.reference_damping, p.rate_max_rad_s), step_s);
        self.reference = Some(reference);
        self.moment_n_m
    }

    /// Puts the state into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(u64::from(self.reference.is_some()));
        self.reference.unwrap_or_default().hash_into(hash);
        hash.f64(self.integral);
        hash.f64(self.moment_n_m);
    }
}

/// Speeds of a left and a right propeller for a surge force (N) and a moment (N m, positive to starboard): thrust
/// `factor n |n|`, each propeller `arm_m` off the middle.
#[must_use]
pub fn twin_propeller_speeds(surge_n: f64, moment_n_m: f64, factor: f64, arm_m: f64) -> [f64; 2] {
    let side = moment_n_m / arm_m;
    [surge_n + side, surge_n - side].map(|twice| {
        let square = 0.5 * twice / factor;
        square.abs().sqrt().copysign(square)
    })
}
