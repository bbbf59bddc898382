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
    line: Line,
    thrust: Thrust,
    torque: TorqueLaw,
    immersion_m: Option<f64>,
    nozzle: Option<Nozzle>,
}

/// Where a thrust acts and along what.
#[derive(Clone, Copy, Debug)]
struct Line {
    place_m: DVec3,
    axis: DVec3,
    /// Moment of a thrust of 1 N about the body's origin, m.
    arm_m: DVec3,
}

impl Line {
    fn new(place_m: DVec3, axis: DVec3) -> Self {
        Self { place_m, axis, arm_m: place_m.cross(axis) }
    }

    /// Wrench of a thrust, N, and of a torque about the axis, N m.
    #[inline]
    fn wrench(&self, thrust: f64, torque: f64) -> Vec6 {
        Vec6::new(self.axis * thrust, self.arm_m * thrust + self.axis * torque)
    }
}

/// A law of thrust, ready for steps.
#[derive(Clone, Debug)]
enum Thrust {
    Linear { forward: f64, reverse: f64 },
    Quadratic { forward: f64, reverse: f64 },
    OddPowers(Vec<f64>),
    OpenWater(OpenWater),
}

impl Thrust {
    fn new(law: &ThrustLaw) -> Self {
        match law {
            &ThrustLaw::Linear { forward, reverse } => Self::Linear { forward, reverse },
            &ThrustLaw::Quadratic { forward, reverse } => Self::Quadratic { forward, reverse },
            ThrustLaw::OddPowers(factors) => Self::OddPowers(factors.clone()),
            ThrustLaw::OpenWater(params) => Self::OpenWater(OpenWater::new(params)),
        }
    }
}

/// Open-water coefficients, linear in the advance ratio `inflow / (n D)`, in what multiplies speeds and density.
#[derive(Clone, Copy, Debug)]
struct OpenWater {
    inflow: Inflow,
    inflow_factor: f64,
    /// Thrust and torque by the square of the speed, in rpm, and a density.
    at_rest: [f64; 2],
    /// More of them by speed, in rpm, inflow and density.
    by_advance: [f64; 2],
    reverse_factor: f64,
}

impl OpenWater {
    fn new(params: &OpenWaterParams) -> Self {
        let d = params.diameter_m;
        let fourth = d * d * d * d;
        let scales = [params.thrust_factor * fourth, params.torque_factor * fourth * d];
        let coefficients = [params.thrust_coefficients, params.torque_coefficients];
        let slope = |[at_rest, at_max]: [f64; 2]| (at_max - at_rest) / params.advance_max;
        Self {
            inflow: params.inflow,
            inflow_factor: params.inflow_factor,
            at_rest: [0, 1].map(|i| scales[i] * coefficients[i][0] / (S_PER_MIN * S_PER_MIN)),
            by_advance: [0, 1].map(|i| scales[i] * slope(coefficients[i]) / (d * S_PER_MIN)),
            reverse_factor: params.reverse_factor,
        }
    }

    fn inflow_m_s(&self, axis: DVec3, around: &Surroundings) -> f64 {
        let speed = match self.inflow {
            Inflow::OverGround => around.velocity.linear.length(),
            Inflow::AlongAxis => around.through_water.linear.dot(axis).max(0.0),
        };
        self.inflow_factor * speed
    }

    /// Thrust (N) and torque (N m) at a speed in rpm. Astern there is no advance.
    #[inline]
    fn thrust_and_torque(&self, speed: f64, density: f64, inflow_m_s: f64) -> (f64, f64) {
        let (scale, inflow_m_s) =
            if speed > 0.0 { (density * speed, inflow_m_s) } else { (density * speed * self.reverse_factor, 0.0) };
        let [thrust, torque] =
            [0, 1].map(|i| scale * (self.at_rest[i] * speed.abs() + self.by_advance[i] * inflow_m_s));
        (thrust, torque)
    }
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
            line: Line::new(DVec3::from_array(params.position_m), DVec3::from_array(params.axis).normalize()),
            thrust: Thrust::new(&params.thrust),
            torque: params.torque,
            immersion_m: params.immersion_m,
            nozzle: nozzle.transpose()?,
        })
    }

    /// Direction of positive thrust with the nozzle straight, body axes.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.line.axis
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
            Thrust::Linear { forward, reverse } => Some(thrust_n / slope(forward, reverse)),
            Thrust::Quadratic { forward, reverse } => {
                Some((thrust_n.abs() / slope(forward, reverse)).sqrt().copysign(thrust_n))
            }
            Thrust::OddPowers(_) | Thrust::OpenWater(_) => None,
        }
    }

    /// Whether the wrench follows from the speed alone: neither water nor hinges matter.
    pub(super) fn is_steady(&self) -> bool {
        self.immersion_m.is_none() && self.nozzle.is_none() && !matches!(self.thrust, Thrust::OpenWater(_))
    }

    /// Wrench on the body at a speed of a propeller that is steady.
    pub(super) fn steady_wrench(&self, speed: f64) -> Vec6 {
        // Density and inflow count in the open-water law only.
        let (thrust, torque) = self.thrust_and_torque(speed, 0.0, 0.0);
        self.line.wrench(thrust, torque)
    }

    /// Wrench on the body at a speed, with the angles of all hinges.
    #[inline]
    pub(super) fn wrench(&self, speed: f64, angles: &Values, around: &Surroundings) -> Vec6 {
        let line = self.aimed_line(angles);
        let immersed = self.immersion(line.place_m, around);
        if immersed == 0.0 || speed == 0.0 {
            return Vec6::ZERO;
        }
        let inflow_m_s = match &self.thrust {
            Thrust::OpenWater(open) => open.inflow_m_s(line.axis, around),
            _ => 0.0,
        };
        let (thrust, torque) = self.thrust_and_torque(speed, around.water.density_kg_m3, inflow_m_s);
        let wrench = line.wrench(thrust, torque);
        if immersed == 1.0 { wrench } else { wrench * immersed }
    }

    /// Thrust (N) and torque about the axis (N m).
    fn thrust_and_torque(&self, n: f64, density: f64, inflow_m_s: f64) -> (f64, f64) {
        let side = |forward: f64, reverse: f64| if n > 0.0 { forward } else { reverse };
        let (thrust, turning) = match &self.thrust {
            Thrust::Linear { forward, reverse } => (n * side(*forward, *reverse), 0.0),
            Thrust::Quadratic { forward, reverse } => (n * n.abs() * side(*forward, *reverse), 0.0),
            Thrust::OddPowers(factors) => (n * factors.iter().rev().fold(0.0, |sum, factor| sum * n * n + factor), 0.0),
            Thrust::OpenWater(open) => open.thrust_and_torque(n, density, inflow_m_s),
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
        let line = self.aimed_line(angles);
        (line.place_m, line.axis)
    }

    #[inline]
    fn aimed_line(&self, angles: &Values) -> Line {
        let Some(nozzle) = &self.nozzle else { return self.line };
        let (yaw, pitch) = (angles[nozzle.yaw], angles[nozzle.pitch]);
        if yaw == 0.0 && pitch == 0.0 {
            return self.line;
        }
        let ((sy, cy), (sp, cp)) = (ops::sin_cos(yaw), ops::sin_cos(pitch));
        let turn = DMat3::from_cols(
            DVec3::new(cy * cp, sy * cp, -sp),
            DVec3::new(-sy, cy, 0.0),
            DVec3::new(cy * sp, sy * sp, cp),
        );
        Line::new(nozzle.pivot_m + turn * (self.line.place_m - nozzle.pivot_m), turn * self.line.axis)
    }

    /// Share of the thrust that the depth of the propeller leaves, 0 to 1.
    fn immersion(&self, place: DVec3, around: &Surroundings) -> f64 {
        let Some(full_m) = self.immersion_m else { return 1.0 };
        let depth_m = around.water.surface_m - around.up.dot(place);
        // Deep down, where most propellers work, nothing is divided.
        if depth_m >= full_m { 1.0 } else { (depth_m / full_m).max(0.0) }
    }
}
