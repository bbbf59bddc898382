//! Geometric tracking control of a quadrotor on SE(3): T. Lee, M. Leok and N. H. McClamroch (2010).
//!
//! ```text
//! A = -k_x e_x - k_v e_v + m g e3 + m a_d,   f = A . R e3
//! M = -k_R e_R - k_W e_W + W x J W,          e_R = 1/2 vee(R_dᵀ R - Rᵀ R_d)
//! ```
//!
//! The length of `e_x` is capped, so that a far target is flown to at `k_x cap / k_v`.

use super::Readings;
use crate::{GRAVITY_M_S2, check};
use glam::{DMat3, DVec3};
use sim_core::{ParamError, ops};

/// Length below which a vector has no direction, as a share of the weight or of one.
const NO_DIRECTION: f64 = 1e-6;

/// A quadrotor and the gains of its controller. Gains of place are per mass.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct GeometricParams {
    /// Mass of the quadrotor, kg.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub mass_kg: f64,
    /// Inertia about forward, left and up, kg m².
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0.000_001, max = 1_000_000))))]
    pub inertia_kg_m2: [f64; 3],
    /// Length of the arms, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub arm_m: f64,
    /// Torque per thrust of a rotor, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub torque_per_thrust_m: f64,
    /// Thrust per rpm, N.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub thrust_n_per_rpm: f64,
    /// Of place, 1/s².
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub place_gain_per_s2: f64,
    /// Of velocity, 1/s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub velocity_gain_per_s: f64,
    /// Of attitude, N m.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub attitude_gain_n_m: f64,
    /// Of turn rate, N m s.
    #[cfg_attr(feature = "schema", schemars(range(min = -1_000_000, max = 1_000_000)))]
    pub rate_gain_n_m_s: f64,
    /// Largest error of place that counts, m.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.000_001, max = 1_000_000)))]
    pub place_error_max_m: f64,
}

impl Default for GeometricParams {
    /// The quadrotor of the SMaRC simulator.
    fn default() -> Self {
        Self {
            mass_kg: 4.34,
            inertia_kg_m2: [0.082, 0.082, 0.1377],
            arm_m: 0.315,
            torque_per_thrust_m: 0.08,
            thrust_n_per_rpm: 0.005,
            place_gain_per_s2: 13.0,
            velocity_gain_per_s: 5.6,
            attitude_gain_n_m: 8.81,
            rate_gain_n_m_s: 1.54,
            place_error_max_m: 1.0,
        }
    }
}

/// Where a quadrotor shall be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// Place: east, north, up.
    pub position_m: DVec3,
    /// Velocity there.
    pub velocity_m_s: DVec3,
    /// Acceleration there.
    pub acceleration_m_s2: DVec3,
    /// Yaw of its nose, counter-clockwise from east.
    pub yaw_rad: f64,
}

/// A checked controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    params: GeometricParams,
}

/// What the controller wants of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThrustAndMoment {
    /// Force of all rotors along up of the body, N.
    pub thrust_n: f64,
    /// Moment in body axes: about forward, left, up; N m.
    pub moment_n_m: DVec3,
}

impl Geometric {
    /// A controller from its parameters.
    ///
    /// # Errors
    /// If a number is not finite, or one that divides is not positive.
    pub fn new(params: GeometricParams) -> Result<Self, ParamError> {
        check::positive("geometric.mass_kg", params.mass_kg)?;
        params.inertia_kg_m2.iter().try_for_each(|&inertia| check::positive("geometric.inertia_kg_m2", inertia))?;
        check::positive("geometric.arm_m", params.arm_m)?;
        check::positive("geometric.torque_per_thrust_m", params.torque_per_thrust_m)?;
        check::positive("geometric.thrust_n_per_rpm", params.thrust_n_per_rpm)?;
        check::positive("geometric.place_error_max_m", params.place_error_max_m)?;
        check::all_finite("geometric gains", &[params.place_gain_per_s2, params.velocity_gain_per_s])?;
        check::all_finite("geometric gains", &[params.attitude_gain_n_m, params.rate_gain_n_m_s])?;
        Ok(Self { params })
    }

    /// Speeds of the front, right, back and left rotor, rpm. None as long as a reading has not come.
    #[must_use]
    pub fn decide(&self, target: &Target, readings: &Readings) -> Option<[f64; 4]> {
        let forces = self.rotor_forces_n(&self.thrust_and_moment(target, readings)?);
        Some(forces.map(|force| force.max(0.0) / self.params.thrust_n_per_rpm))
    }

    /// Force and moment that track a target.
    #[must_use]
    pub fn thrust_and_moment(&self, target: &Target, readings: &Readings) -> Option<ThrustAndMoment> {
        let (place, attitude) = (readings.position_m?, readings.attitude?);
        let (velocity, turning) = (readings.velocity_m_s?, readings.turn_rate_rad_s?);
        let rotation = DMat3::from_quat(attitude.to_quat());
        let force = self.force(target, place, rotation * velocity);
        let wanted = self.wanted_attitude(force, target.yaw_rad);
        let relative = wanted.transpose() * rotation;
        let moment = -self.params.attitude_gain_n_m * attitude_error(&relative) - self.params.rate_gain_n_m_s * turning
            + turning.cross(DVec3::from_array(self.params.inertia_kg_m2) * turning);
        Some(ThrustAndMoment { thrust_n: force.dot(rotation.z_axis), moment_n_m: moment })
    }

    /// Force that the rotors should give, in the world.
    fn force(&self, target: &Target, place: DVec3, velocity: DVec3) -> DVec3 {
        let p = &self.params;
        let error = (place - target.position_m).clamp_length_max(p.place_error_max_m);
        let by_error = error * -p.place_gain_per_s2 - (velocity - target.velocity_m_s) * p.velocity_gain_per_s;
        (by_error + DVec3::Z * GRAVITY_M_S2 + target.acceleration_m_s2) * p.mass_kg
    }

    /// Attitude with up along a force and the nose towards a yaw. No force at all leaves up upwards; a force along
    /// the nose leaves the nose where it can be.
    fn wanted_attitude(&self, force: DVec3, yaw_rad: f64) -> DMat3 {
        let has_direction = force.length() > NO_DIRECTION * self.params.mass_kg * GRAVITY_M_S2;
        let up = if has_direction { force.normalize() } else { DVec3::Z };
        let (sin, cos) = ops::sin_cos(yaw_rad);
        let left_of_nose = DVec3::new(-sin, cos, 0.0);
        let across = left_of_nose.cross(up);
        let forward = if across.length() > NO_DIRECTION { across.normalize() } else { DVec3::new(cos, sin, 0.0) };
        DMat3::from_cols(forward, up.cross(forward), up)
    }

    /// Forces of the front, right, back and left rotor, N; they may be negative.
    #[must_use]
    pub fn rotor_forces_n(&self, wanted: &ThrustAndMoment) -> [f64; 4] {
        let (arm, per_thrust) = (self.params.arm_m, self.params.torque_per_thrust_m);
        let mean = 0.25 * wanted.thrust_n;
        let [roll, pitch] = [wanted.moment_n_m.x, wanted.moment_n_m.y].map(|moment| 0.5 * moment / arm);
        let yaw = 0.25 * wanted.moment_n_m.z / per_thrust;
        [mean - pitch + yaw, mean - roll - yaw, mean + pitch + yaw, mean + roll - yaw]
    }
}

/// Half of the vector of the skew part of a relative rotation.
fn attitude_error(relative: &DMat3) -> DVec3 {
    let (x, y, z) = (relative.x_axis, relative.y_axis, relative.z_axis);
    0.5 * DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x)
}
