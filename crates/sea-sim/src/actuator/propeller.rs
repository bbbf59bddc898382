//! Propellers and thrusters: thrust from speed, inflow and density, torque, and the nozzle that aims them.

use super::Values;
use super::params::{Inflow, OpenWaterParams, PropellerParams, ThrustLaw, TorqueLaw};
use crate::body::Surroundings;
use crate::spatial::Vec6;
use glam::{DMat3, DVec3};
use sim_core::{ParamError, ops};

/// Seconds of a minute: the open-water law counts revolutions a second, its command is in rpm.
const S_PER_MIN: f64 = 60.0;

/// A checked propeller, ready for steps.
#[derive(Clone, Debug)]
pub struct Propeller {
    position_m: DVec3,
    axis: DVec3,
    thrust: ThrustLaw,
    torque: TorqueLaw,
    immersion_m: Option<f64>,
    nozzle: Option<Nozzle>,
}

#[derive(Clone, Copy, Debug)]
struct Nozzle {
    /// Numbers of the two hinges.
    yaw: usize,
    pitch: usize,
    pivot_m: DVec3,
}

impl Propeller {
    pub(super) fn new(params: &PropellerParams, names: &[&str]) -> Result<Self, ParamError> {
        let hinge = |field: &'static str, name: &str| {
            let unknown = || ParamError::new(field, format!("is `{name}`, no actuator of this vehicle"));
            names.iter().position(|&other| other == name).ok_or_else(unknown)
        };
        let nozzle = params.nozzle.as_ref().map(|nozzle| {
            Ok::<Nozzle, ParamError>(Nozzle {
                yaw: hinge("actuator.propeller.nozzle.yaw", &nozzle.yaw)?,
                pitch: hinge("actuator.propeller.nozzle.pitch", &nozzle.pitch)?,
                pivot_m: DVec3::from_array(nozzle.pivot_m),
            })
        });
        Ok(Self {
            position_m: DVec3::from_array(params.position_m),
            axis: DVec3::from_array(params.axis).normalize(),
            thrust: params.thrust.clone(),
            torque: params.torque,
            immersion_m: params.immersion_m,
            nozzle: nozzle.transpose()?,
        })
    }

    /// Direction of positive thrust with the nozzle straight, body axes.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Thrust at rest in still water of a density, N.
    #[must_use]
    pub fn static_thrust_n(&self, speed: f64, density_kg_m3: f64) -> f64 {
        self.thrust_and_torque(speed, density_kg_m3, 0.0).0
    }

    /// Speed whose thrust at rest is `thrust_n`, for laws that are linear or quadratic; otherwise none.
    #[must_use]
    pub fn speed_for_thrust(&self, thrust_n: f64) -> Option<f64> {
        let slope = |forward: f64, reverse: f64| if thrust_n >= 0.0 { forward } else { reverse };
        match self.thrust {
            ThrustLaw::Linear { forward, reverse } => Some(thrust_n / slope(forward, reverse)),
            ThrustLaw::Quadratic { forward, reverse } => {
                Some((thrust_n.abs() / slope(forward, reverse)).sqrt().copysign(thrust_n))
            }
            ThrustLaw::OddPowers(_) | ThrustLaw::OpenWater(_) => None,
        }
    }

    /// Whether the wrench follows from the speed alone: neither water nor hinges matter.
    pub(super) fn is_steady(&self) -> bool {
        self.immersion_m.is_none() && self.nozzle.is_none() && !matches!(self.thrust, ThrustLaw::OpenWater(_))
    }

    /// Wrench on the body at a speed of a propeller that is steady.
    pub(super) fn steady_wrench(&self, speed: f64) -> Vec6 {
        // Density and inflow count in the open-water law only.
        let (thrust, torque) = self.thrust_and_torque(speed, 0.0, 0.0);
        wrench_of(thrust, torque, (self.position_m, self.axis))
    }

    /// Wrench on the body at a speed, with the angles of all hinges.
    #[inline]
    pub(super) fn wrench(&self, speed: f64, angles: &Values, around: &Surroundings) -> Vec6 {
        let (place, axis) = self.aimed(angles);
        let immersed = self.immersion(place, around);
        if immersed == 0.0 || speed == 0.0 {
            return Vec6::ZERO;
        }
        let inflow = match &self.thrust {
            ThrustLaw::OpenWater(open) => inflow_m_s(open, axis, around),
            _ => 0.0,
        };
        let (thrust, torque) = self.thrust_and_torque(speed, around.water.density_kg_m3, inflow);
        let wrench = wrench_of(thrust, torque, (place, axis));
        if immersed == 1.0 { wrench } else { wrench * immersed }
    }

    /// Thrust (N) and torque about the axis (N m).
    fn thrust_and_torque(&self, n: f64, density: f64, inflow_m_s: f64) -> (f64, f64) {
        let side = |forward: f64, reverse: f64| if n > 0.0 { forward } else { reverse };
        let (thrust, turning) = match &self.thrust {
            ThrustLaw::Linear { forward, reverse } => (n * side(*forward, *reverse), 0.0),
            ThrustLaw::Quadratic { forward, reverse } => (n * n.abs() * side(*forward, *reverse), 0.0),
            ThrustLaw::OddPowers(factors) => {
                (n * factors.iter().rev().fold(0.0, |sum, factor| sum * n * n + factor), 0.0)
            }
            ThrustLaw::OpenWater(open) => open_water(open, n / S_PER_MIN, density, inflow_m_s),
        };
        let torque = match self.torque {
            TorqueLaw::None => 0.0,
            TorqueLaw::PerThrust(arm_m) => arm_m * thrust,
            TorqueLaw::OpenWater(sign) => sign * turning,
        };
        (thrust, torque)
    }

    /// Place and direction of the thrust.
    pub(crate) fn aimed(&self, angles: &Values) -> (DVec3, DVec3) {
        let Some(nozzle) = &self.nozzle else { return (self.position_m, self.axis) };
        let (yaw, pitch) = (angles[nozzle.yaw], angles[nozzle.pitch]);
        if yaw == 0.0 && pitch == 0.0 {
            return (self.position_m, self.axis);
        }
        let ((sy, cy), (sp, cp)) = (ops::sin_cos(yaw), ops::sin_cos(pitch));
        let turn = DMat3::from_cols(
            DVec3::new(cy * cp, sy * cp, -sp),
            DVec3::new(-sy, cy, 0.0),
            DVec3::new(cy * sp, sy * sp, cp),
        );
        (nozzle.pivot_m + turn * (self.position_m - nozzle.pivot_m), turn * self.axis)
    }

    /// Share of the thrust that the depth of the propeller leaves, 0 to 1.
    fn immersion(&self, place: DVec3, around: &Surroundings) -> f64 {
        let Some(full_m) = self.immersion_m else { return 1.0 };
        let depth_m = around.water.surface_m - around.up.dot(place);
        // Deep down, where most propellers work, nothing is divided.
        if depth_m >= full_m { 1.0 } else { (depth_m / full_m).max(0.0) }
    }
}

/// Wrench of a thrust and of a torque along an axis.
fn wrench_of(thrust: f64, torque: f64, (place, axis): (DVec3, DVec3)) -> Vec6 {
    Vec6::from_force_at(axis * thrust, place) + Vec6::new(DVec3::ZERO, axis * torque)
}

fn inflow_m_s(open: &OpenWaterParams, axis: DVec3, around: &Surroundings) -> f64 {
    let speed = match open.inflow {
        Inflow::OverGround => around.velocity.linear.length(),
        Inflow::AlongAxis => around.through_water.linear.dot(axis).max(0.0),
    };
    open.inflow_factor * speed
}

/// Thrust (N) and torque (N m) by open-water coefficients, linear in the advance ratio `inflow / (n D)`.
fn open_water(open: &OpenWaterParams, n: f64, density: f64, inflow_m_s: f64) -> (f64, f64) {
    let d = open.diameter_m;
    let [thrust, torque] = [open.thrust_coefficients, open.torque_coefficients].map(|[at_rest, at_max]| {
        let advance = if n > 0.0 { (at_max - at_rest) / open.advance_max * (inflow_m_s / d) * n } else { 0.0 };
        at_rest * n.abs() * n + advance
    });
    let side = if n > 0.0 { 1.0 } else { open.reverse_factor };
    let square = d * d;
    (
        density * square * square * thrust * open.thrust_factor * side,
        density * square * square * d * torque * open.torque_factor * side,
    )
}
