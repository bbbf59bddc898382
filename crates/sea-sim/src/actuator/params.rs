//! What describes an actuator: its response to commands, its stops, and what it does to the body.

use crate::check;
use sim_core::ParamError;

/// Something on a vehicle that obeys a command.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct ActuatorParams {
    /// Name, once on a vehicle.
    pub name: String,
    /// How it follows its command.
    #[cfg_attr(feature = "schema", serde(default))]
    pub response: ResponseParams,
    /// What it is.
    pub kind: ActuatorKind,
}

/// How an actuator follows its command.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct ResponseParams {
    /// Time constant of the first-order lag, s; 0 follows at once.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub time_constant_s: f64,
    /// Fastest change, units of the command per second. None: no limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub rate_limit_per_s: Option<f64>,
    /// Value at the start of a run and after a reset by the watchdog.
    pub rest: f64,
    /// Commands per second that the watchdog expects; a longer silence resets the command. None: no watchdog.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub watchdog_hz: Option<f64>,
}

/// Kinds of actuators and what they do.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
#[expect(clippy::large_enum_variant, reason = "a description is made once")]
pub enum ActuatorKind {
    /// An angle, rad, that aims a propeller.
    Hinge(HingeParams),
    /// An angle, rad, of a control surface in the flow.
    Fin(FinParams),
    /// An angle, rad, of a control surface that meets the flow at its own place.
    Surface(SurfaceParams),
    /// A mass that slides, in percent of its travel.
    Slider(SliderParams),
    /// A piston that admits water, in percent of its travel.
    Ballast(BallastParams),
    /// A propeller or thruster, in its own unit.
    Propeller(PropellerParams),
}

/// A hinge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct HingeParams {
    /// Largest command to either side, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub command_max_rad: f64,
    /// Hard stop to either side, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub stop_rad: f64,
    /// Whether a positive command turns the other way.
    #[cfg_attr(feature = "schema", serde(default))]
    pub reversed: bool,
}

/// A control surface: force `1/2 rho U² A C delta` against its normal, U in the plane of forward axis and normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct FinParams {
    /// Largest angle to either side, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub stop_rad: f64,
    /// Place of its force, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub position_m: [f64; 3],
    /// Direction against which a positive angle pushes, across the forward axis.
    pub normal: [f64; 3],
    /// Area, m².
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub area_m2: f64,
    /// Lift per radian; the drag is that times the angle's square.
    pub lift_per_rad: f64,
}

/// A control surface by two multipliers, as the SMaRC simulator has it. Its place moves through the water at `c` along its
/// chord and `n` along its normal, `U² = c² + n²`: force `-k_L U n` along the normal, `-k_D U c` along the chord.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct SurfaceParams {
    /// Largest command to either side, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub command_max_rad: f64,
    /// Hard stop to either side, rad.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub stop_rad: f64,
    /// Place of its force, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub position_m: [f64; 3],
    /// Axis that it turns about, across the forward axis. At rest the chord points forward.
    pub axis: [f64; 3],
    /// Lift `k_L`, N s²/m².
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub lift_n_s2_m2: f64,
    /// Drag `k_D`, N s²/m².
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub drag_n_s2_m2: f64,
}

/// A mass on a slide along the forward axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct SliderParams {
    /// Mass, kg.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub mass_kg: f64,
    /// Its inertia about its own centre on the diagonal, kg m².
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub inertia_kg_m2: [f64; 3],
    /// Where its centre is at 0 percent, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub position_m: [f64; 3],
    /// Travel towards the bow from 0 to 100 percent, m.
    pub travel_m: f64,
}

/// A variable buoyancy system: a piston and the water behind it, as one mass at the piston. The hull's volume
/// stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct BallastParams {
    /// Mass of the piston, kg.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub piston_kg: f64,
    /// Water at 100 percent, m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub water_m3: f64,
    /// Density of the water taken in, kg/m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub water_density_kg_m3: f64,
    /// Radius of the cylinder, m: inertia of the load as a solid cylinder of its stroke.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub radius_m: f64,
    /// Where the mass is at 0 percent, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub position_m: [f64; 3],
    /// Travel of that place towards the bow from 0 to 100 percent, m.
    pub travel_m: f64,
}

/// A propeller: thrust along an axis, torque about it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct PropellerParams {
    /// Unit of command and state: "rpm", "rad/s", "1".
    pub unit: String,
    /// Smallest and largest command.
    pub range: [f64; 2],
    /// Commands below this size count as 0.
    #[cfg_attr(feature = "schema", serde(default))]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub dead_band: f64,
    /// Where the thrust acts, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub position_m: [f64; 3],
    /// Direction of positive thrust.
    pub axis: [f64; 3],
    /// Thrust from command.
    pub thrust: ThrustLaw,
    /// Torque about the axis.
    #[cfg_attr(feature = "schema", serde(default))]
    pub torque: TorqueLaw,
    /// Depth over which thrust grows as the propeller goes under water, m. None: it works anywhere.
    #[cfg_attr(feature = "schema", serde(default))]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub immersion_m: Option<f64>,
    /// The hinges that aim it. None: it is fixed.
    #[cfg_attr(feature = "schema", serde(default))]
    pub nozzle: Option<NozzleParams>,
}

/// A pair of hinges that turns a propeller: first yaw about up, then pitch about left.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct NozzleParams {
    /// Name of the hinge about up.
    pub yaw: String,
    /// Name of the hinge about left.
    pub pitch: String,
    /// Where both axes cross, m.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub pivot_m: [f64; 3],
}

/// Thrust (N) from the speed of a propeller in its unit.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum ThrustLaw {
    /// `forward n` or `reverse n`, N per unit.
    Linear {
        /// N per unit, turning forward.
        forward: f64,
        /// N per unit, turning backward.
        reverse: f64,
    },
    /// `forward n |n|` or `reverse n |n|`, N per unit squared.
    Quadratic {
        /// N per unit squared, turning forward.
        forward: f64,
        /// N per unit squared, turning backward.
        reverse: f64,
    },
    /// Odd powers of the command: element k times `n^(2 k + 1)`.
    OddPowers(Vec<f64>),
    /// Open-water coefficients, linear in the advance ratio.
    OpenWater(OpenWaterParams),
}

impl Default for ThrustLaw {
    fn default() -> Self {
        Self::Linear { forward: 0.0, reverse: 0.0 }
    }
}

/// Open-water coefficients: `K = K_0 + (K_max - K_0) J / J_max`, thrust `rho D⁴ K_T n |n|`, torque `rho D⁵ K_Q n
/// |n|`, n in revolutions a second. Backward the inflow does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct OpenWaterParams {
    /// Diameter, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub diameter_m: f64,
    /// Thrust coefficient at rest and at the largest advance ratio.
    pub thrust_coefficients: [f64; 2],
    /// Torque coefficient at rest and at the largest advance ratio.
    pub torque_coefficients: [f64; 2],
    /// The advance ratio of the second coefficients.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub advance_max: f64,
    /// Inflow per speed: one less the wake fraction.
    pub inflow_factor: f64,
    /// Which speed that is.
    pub inflow: Inflow,
    /// Share of the thrust that the hull keeps.
    pub thrust_factor: f64,
    /// Share of the torque that the hull feels.
    pub torque_factor: f64,
    /// Share of thrust and torque when turning backward.
    pub reverse_factor: f64,
}

/// Which speed feeds a propeller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Inflow {
    /// Speed through the water along the axis, never below 0.
    #[default]
    AlongAxis,
    /// Size of the velocity over ground, as Fossen's simulators have it.
    OverGround,
}

/// Torque of a propeller about its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum TorqueLaw {
    /// None, as of a pair that turns both ways.
    #[default]
    None,
    /// Thrust times this arm, m; its sign is that of the moment about the axis.
    PerThrust(f64),
    /// By the open-water coefficients, times this: 1 or -1.
    OpenWater(f64),
}

impl ActuatorParams {
    /// Refuses what no actuator can have.
    ///
    /// # Errors
    /// If a number is not finite or out of range.
    pub fn check(&self) -> Result<(), ParamError> {
        self.response.check()?;
        match &self.kind {
            ActuatorKind::Hinge(hinge) => {
                check::not_negative("actuator.hinge.command_max_rad", hinge.command_max_rad)?;
                check::not_negative("actuator.hinge.stop_rad", hinge.stop_rad)
            }
            ActuatorKind::Fin(fin) => {
                check::not_negative("actuator.fin.stop_rad", fin.stop_rad)?;
                check::place("actuator.fin.position_m", &fin.position_m)?;
                check::direction("actuator.fin.normal", fin.normal)?;
                check::not_negative("actuator.fin.area_m2", fin.area_m2)?;
                check::finite("actuator.fin.lift_per_rad", fin.lift_per_rad)
            }
            ActuatorKind::Surface(surface) => surface.check(),
            ActuatorKind::Slider(slider) => {
                check::not_negative("actuator.slider.mass_kg", slider.mass_kg)?;
                slider
                    .inertia_kg_m2
                    .iter()
                    .try_for_each(|&i| check::not_negative("actuator.slider.inertia_kg_m2", i))?;
                check::place("actuator.slider.position_m", &slider.position_m)?;
                check::finite("actuator.slider.travel_m", slider.travel_m)
            }
            ActuatorKind::Ballast(ballast) => {
                check::not_negative("actuator.ballast.piston_kg", ballast.piston_kg)?;
                check::not_negative("actuator.ballast.water_m3", ballast.water_m3)?;
                check::positive("actuator.ballast.water_density_kg_m3", ballast.water_density_kg_m3)?;
                check::not_negative("actuator.ballast.radius_m", ballast.radius_m)?;
                check::place("actuator.ballast.position_m", &ballast.position_m)?;
                check::finite("actuator.ballast.travel_m", ballast.travel_m)
            }
            ActuatorKind::Propeller(propeller) => propeller.check(),
        }
    }
}

impl SurfaceParams {
    fn check(&self) -> Result<(), ParamError> {
        check::not_negative("actuator.surface.command_max_rad", self.command_max_rad)?;
        check::not_negative("actuator.surface.stop_rad", self.stop_rad)?;
        check::place("actuator.surface.position_m", &self.position_m)?;
        check::direction("actuator.surface.axis", self.axis)?;
        if self.axis[0] != 0.0 {
            let message = format!("is {:?}, must lie across the forward axis: begin with 0", self.axis);
            return Err(ParamError::new("actuator.surface.axis", message));
        }
        check::not_negative("actuator.surface.lift_n_s2_m2", self.lift_n_s2_m2)?;
        check::not_negative("actuator.surface.drag_n_s2_m2", self.drag_n_s2_m2)
    }
}

impl ResponseParams {
    fn check(&self) -> Result<(), ParamError> {
        check::not_negative("actuator.response.time_constant_s", self.time_constant_s)?;
        check::finite("actuator.response.rest", self.rest)?;
        if let Some(limit) = self.rate_limit_per_s {
            check::positive("actuator.response.rate_limit_per_s", limit)?;
            if self.time_constant_s == 0.0 {
                let message = "is 0, must be above 0 where a rate limit is given";
                return Err(ParamError::new("actuator.response.time_constant_s", message));
            }
        }
        self.watchdog_hz.map_or(Ok(()), |hz| check::positive("actuator.response.watchdog_hz", hz))
    }
}

impl PropellerParams {
    fn check(&self) -> Result<(), ParamError> {
        check::ordered("actuator.propeller.range", self.range)?;
        check::not_negative("actuator.propeller.dead_band", self.dead_band)?;
        check::place("actuator.propeller.position_m", &self.position_m)?;
        check::direction("actuator.propeller.axis", self.axis)?;
        if let Some(depth) = self.immersion_m {
            check::positive("actuator.propeller.immersion_m", depth)?;
        }
        if let Some(nozzle) = &self.nozzle {
            check::place("actuator.propeller.nozzle.pivot_m", &nozzle.pivot_m)?;
        }
        match self.torque {
            TorqueLaw::None => {}
            TorqueLaw::PerThrust(arm) => check::finite("actuator.propeller.torque.per_thrust", arm)?,
            TorqueLaw::OpenWater(sign) => {
                check::finite("actuator.propeller.torque.open_water", sign)?;
                if !matches!(self.thrust, ThrustLaw::OpenWater(_)) {
                    let message = "needs a thrust law of the kind open_water";
                    return Err(ParamError::new("actuator.propeller.torque.open_water", message));
                }
            }
        }
        self.thrust.check()
    }
}

impl ThrustLaw {
    fn check(&self) -> Result<(), ParamError> {
        match self {
            Self::Linear { forward, reverse } => {
                check::all_finite("actuator.propeller.thrust.linear", &[*forward, *reverse])
            }
            Self::Quadratic { forward, reverse } => {
                check::all_finite("actuator.propeller.thrust.quadratic", &[*forward, *reverse])
            }
            Self::OddPowers(factors) => check::all_finite("actuator.propeller.thrust.odd_powers", factors),
            Self::OpenWater(open) => {
                check::positive("actuator.propeller.thrust.open_water.diameter_m", open.diameter_m)?;
                check::positive("actuator.propeller.thrust.open_water.advance_max", open.advance_max)?;
                let numbers = [
                    open.thrust_coefficients[0],
                    open.thrust_coefficients[1],
                    open.torque_coefficients[0],
                    open.torque_coefficients[1],
                    open.inflow_factor,
                    open.thrust_factor,
                    open.torque_factor,
                    open.reverse_factor,
                ];
                check::all_finite("actuator.propeller.thrust.open_water", &numbers)
            }
        }
    }
}
