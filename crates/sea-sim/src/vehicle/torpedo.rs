//! A torpedo-shaped vehicle from its length, diameter and mass: the formulae of Fossen's REMUS 100.
//!
//! The hull is a prolate spheroid with semi-axes `a = L/2`, `b = D/2`. Added mass by Lamb's factors (Fossen 2021,
//! section 8.4.2), low-speed damping by time constants and relative damping ratios, drag by a coefficient on the
//! frontal area, cross-flow drag on strips.

use super::params::RigidParams;
use crate::actuator::ActuatorParams;
use crate::body::{
    AddedCoriolis, BodyParams, BuoyancyParams, CellParams, CrossFlowParams, DampingParams, FlowPlane, LiftDragParams,
    LowSpeedDamping, Matrix6,
};
use crate::check;
use crate::{GRAVITY_M_S2, spatial::Inertia6};
use glam::{DMat3, DVec3};
use sim_core::{ParamError, ops};
use std::f64::consts::PI;

/// Cells of the hull's volume along its length.
const CELLS: usize = 8;
/// Added inertia of rolling, as a share of the own one.
const ROLL_ADDED: f64 = 0.3;
/// Area of the hull as a wing, as a share of length times diameter.
const WING_SHARE: f64 = 0.7;
/// Oswald's efficiency number of the hull.
const OSWALD: f64 = 0.7;
/// How fast low-speed damping fades, s/m.
const FADE_S_M: f64 = 3.0;

/// A torpedo-shaped vehicle.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct TorpedoParams {
    /// Length, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub length_m: f64,
    /// Diameter, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub diameter_m: f64,
    /// Mass, kg. None: that of the displaced water, neutral.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub mass_kg: Option<f64>,
    /// Density of the water that makes it neutral, kg/m³.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub water_density_kg_m3: f64,
    /// Centre of gravity, m; the centre of buoyancy is the origin.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -check::FAR_M, max = check::FAR_M))))]
    pub center_of_gravity_m: [f64; 3],
    /// Drag coefficient on the frontal area.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub drag_coefficient: f64,
    /// Two-dimensional drag coefficient of the cross flow.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub cross_flow_coefficient: f64,
    /// Time constants of surge, sway and heave, s.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub time_constants_s: [f64; 3],
    /// Relative damping ratios of roll and pitch.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0))))]
    pub damping_ratios: [f64; 2],
    /// Time constant of yaw, s.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub yaw_time_constant_s: f64,
    /// Actuators.
    pub actuators: Vec<ActuatorParams>,
}

impl Default for TorpedoParams {
    /// The REMUS 100 of Fossen's simulators, without actuators.
    fn default() -> Self {
        Self {
            length_m: 1.6,
            diameter_m: 0.19,
            mass_kg: None,
            water_density_kg_m3: 1026.0,
            center_of_gravity_m: [0.0, 0.0, -0.02],
            drag_coefficient: 0.42,
            cross_flow_coefficient: 1.197_728_834_355_828_3,
            time_constants_s: [20.0, 20.0, 20.0],
            damping_ratios: [0.3, 0.8],
            yaw_time_constant_s: 1.0,
            actuators: Vec::new(),
        }
    }
}

/// Lamb's factors of added mass of a prolate spheroid: along, across, and for turning across.
#[must_use]
pub fn lamb_factors(length_m: f64, diameter_m: f64) -> [f64; 3] {
    let ratio = diameter_m / length_m;
    let square = 1.0 - ratio * ratio;
    let e = square.sqrt();
    let logarithm = ops::ln((1.0 + e) / (1.0 - e));
    let cube = square * e;
    let alpha = 2.0 * (1.0 - square) / cube * (0.5 * logarithm - e);
    let beta = 1.0 / square - (1.0 - square) / (2.0 * cube) * logarithm;
    let turning =
        square * square * (beta - alpha) / ((2.0 - square) * (2.0 * square - (2.0 - square) * (beta - alpha)));
    [alpha / (2.0 - alpha), beta / (2.0 - beta), turning]
}

impl TorpedoParams {
    /// The same vehicle with every coefficient written out.
    ///
    /// # Errors
    /// If a number is out of range: the diameter must be less than the length.
    pub fn to_rigid(&self) -> Result<RigidParams, ParamError> {
        self.check()?;
        let volume = PI / 6.0 * self.length_m * self.diameter_m * self.diameter_m;
        let displaced_kg = self.water_density_kg_m3 * volume;
        let mass_kg = self.mass_kg.unwrap_or(displaced_kg);
        let (a, b) = (0.5 * self.length_m, 0.5 * self.diameter_m);
        let (along, across) = (0.4 * mass_kg * b * b, 0.2 * mass_kg * (a * a + b * b));
        let mut body = BodyParams {
            mass_kg,
            center_of_gravity_m: self.center_of_gravity_m,
            inertia_kg_m2: [[along, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]],
            added_mass: Matrix6::Diagonal(self.added_mass(displaced_kg)),
            added_coriolis: AddedCoriolis::RollOnly,
            buoyancy: BuoyancyParams::Cells(spheroid_cells(self.length_m, self.diameter_m)),
            ..BodyParams::default()
        };
        body.damping = self.damping(&body);
        Ok(RigidParams { body, actuators: self.actuators.clone() })
    }

    /// Added mass on the diagonal: Lamb's factors of the displaced water.
    fn added_mass(&self, displaced_kg: f64) -> [f64; 6] {
        let [k1, k2, turning] = lamb_factors(self.length_m, self.diameter_m);
        let (a, b) = (0.5 * self.length_m, 0.5 * self.diameter_m);
        let roll = ROLL_ADDED * 0.4 * displaced_kg * b * b;
        let pitch = turning * 0.2 * displaced_kg * (a * a + b * b);
        [displaced_kg * k1, displaced_kg * k2, displaced_kg * k2, roll, pitch, pitch]
    }

    fn damping(&self, body: &BodyParams) -> DampingParams {
        let center = DVec3::from_array(body.center_of_gravity_m);
        let own = crate::body::RigidMass::at(body.mass_kg, center, body.central_inertia()).inertia();
        let total: Inertia6 = own.plus(&body.added_inertia(), 1.0);
        let [surge, sway, heave, roll, pitch, yaw] = total.diagonal();
        let stiffness = body.mass_kg * GRAVITY_M_S2 * -center.z.min(0.0);
        let oscillator = |inertia: f64, ratio: f64| 2.0 * ratio * (stiffness * inertia).sqrt();
        let [t_surge, t_sway, t_heave] = self.time_constants_s;
        let [roll_ratio, pitch_ratio] = self.damping_ratios;
        let turning = [oscillator(roll, roll_ratio), oscillator(pitch, pitch_ratio), yaw / self.yaw_time_constant_s];
        let radius = 0.5 * self.diameter_m;
        let wing_m2 = WING_SHARE * self.length_m * self.diameter_m;
        DampingParams {
            linear: Matrix6::Diagonal([0.0, 0.0, heave / t_heave, turning[0], turning[1], turning[2]]),
            low_speed: Some(LowSpeedDamping {
                linear: [surge / t_surge, sway / t_sway, 0.0, 0.0, 0.0, 0.0],
                fade_s_m: FADE_S_M,
            }),
            cross_flow: vec![CrossFlowParams {
                plane: FlowPlane::Horizontal,
                length_m: self.length_m,
                width_m: self.diameter_m,
                drag_coefficient: self.cross_flow_coefficient,
            }],
            lift_drag: Some(LiftDragParams {
                span_m: self.diameter_m,
                area_m2: wing_m2,
                zero_lift_drag: self.drag_coefficient * PI * radius * radius / wing_m2,
                oswald: OSWALD,
            }),
            ..DampingParams::default()
        }
    }

    fn check(&self) -> Result<(), ParamError> {
        check::positive("torpedo.length_m", self.length_m)?;
        check::positive("torpedo.diameter_m", self.diameter_m)?;
        if self.diameter_m >= self.length_m {
            let message = format!("is {}, must be less than the length of {}", self.diameter_m, self.length_m);
            return Err(ParamError::new("torpedo.diameter_m", message));
        }
        self.mass_kg.map_or(Ok(()), |mass| check::positive("torpedo.mass_kg", mass))?;
        check::positive("torpedo.water_density_kg_m3", self.water_density_kg_m3)?;
        check::place("torpedo.center_of_gravity_m", &self.center_of_gravity_m)?;
        check::not_negative("torpedo.drag_coefficient", self.drag_coefficient)?;
        check::not_negative("torpedo.cross_flow_coefficient", self.cross_flow_coefficient)?;
        self.time_constants_s.iter().try_for_each(|&t| check::positive("torpedo.time_constants_s", t))?;
        self.damping_ratios.iter().try_for_each(|&ratio| check::not_negative("torpedo.damping_ratios", ratio))?;
        check::positive("torpedo.yaw_time_constant_s", self.yaw_time_constant_s)
    }
}

/// A spheroid around the origin in slices along its length, each with its exact volume and centre.
#[must_use]
pub fn spheroid_cells(length_m: f64, diameter_m: f64) -> Vec<CellParams> {
    let half = 0.5 * length_m;
    let section = 0.25 * PI * diameter_m * diameter_m;
    let slice = |number: usize| {
        // Bounds in half lengths; the section at s is that of a circle, (1 - s²) of the largest.
        let bound = |k: usize| (2.0 * k as f64 - CELLS as f64) / CELLS as f64;
        let (from, to) = (bound(number), bound(number + 1));
        let volume = |s: f64| s - s * s * s / 3.0;
        let moment = |s: f64| s * s * 0.5 - s * s * s * s * 0.25;
        let share = volume(to) - volume(from);
        let center = (moment(to) - moment(from)) / share;
        let middle = 0.5 * (from + to);
        CellParams {
            center_m: [half * center, 0.0, 0.0],
            volume_m3: section * half * share,
            height_m: diameter_m * (1.0 - middle * middle).sqrt(),
        }
    };
    (0..CELLS).map(slice).collect()
}

/// Inertia of a solid prolate spheroid about its centre.
#[must_use]
pub fn spheroid_inertia(mass_kg: f64, length_m: f64, diameter_m: f64) -> DMat3 {
    let (a, b) = (0.5 * length_m, 0.5 * diameter_m);
    let across = 0.2 * mass_kg * (a * a + b * b);
    DMat3::from_diagonal(DVec3::new(0.4 * mass_kg * b * b, across, across))
}
