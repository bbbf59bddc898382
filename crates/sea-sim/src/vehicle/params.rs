//! What a vehicle file says.

use super::hydrofoil::HydrofoilParams;
use super::keys::KeyMapParams;
use super::torpedo::TorpedoParams;
use crate::actuator::{ActuatorParams, MAX_ACTUATORS};
use crate::body::BodyParams;
use crate::contact::{Capsule, Hull, MAX_CAPSULES, capsules_in_box};
use glam::DVec3;
use sim_core::ParamError;

/// Smallest length, beam or height of a vehicle, m: twice the smallest radius of a hull.
pub const MIN_SIZE_M: f64 = 0.002;
/// Largest length, beam or height of a vehicle, m: a hull reaches 1000 m from its origin.
pub const MAX_SIZE_M: f64 = 2000.0;

/// A vehicle: how it moves, out of a file under `vehicles/`. What else stands there, such as sensors, is not read into this.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct VehicleParams {
    /// One sentence: what it is.
    pub about: String,
    /// Where its numbers come from.
    pub sources: Vec<String>,
    /// Length, beam and height, m: for pictures, and for contact if there is no `hull`.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = MIN_SIZE_M, max = MAX_SIZE_M))))]
    pub size_m: [f64; 3],
    /// What of it touches, at most 16 capsules. Without any, capsules fill `size_m`.
    #[cfg_attr(feature = "schema", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_CAPSULES)))]
    pub hull: Vec<CapsuleParams>,
    /// How it moves.
    pub motion: MotionParams,
    /// What the keys of a keyboard ask of it, by their names; `space+i` acts while both are held.
    #[cfg_attr(feature = "schema", serde(default, skip_serializing_if = "KeyMapParams::is_empty"))]
    pub keys: KeyMapParams,
}

/// All points within a radius of a piece of line; a sphere if the piece has no length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct CapsuleParams {
    /// Ends of the piece of line, m, at most 1000 m away.
    #[cfg_attr(feature = "schema", schemars(inner(inner(range(min = -Hull::MAX_END_M, max = Hull::MAX_END_M)))))]
    pub ends_m: [[f64; 3]; 2],
    /// Radius, m, 0.001 to 100.
    #[cfg_attr(feature = "schema", schemars(range(min = Hull::RADII_M[0], max = Hull::RADII_M[1])))]
    pub radius_m: f64,
}

/// How a vehicle moves.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
#[expect(clippy::large_enum_variant, reason = "a description is made once")]
pub enum MotionParams {
    /// As a rigid body under forces.
    Rigid(RigidParams),
    /// As a rigid body whose coefficients follow from length, diameter and mass.
    Torpedo(TorpedoParams),
    /// By kinematic rules of a hydrofoil craft.
    Hydrofoil(HydrofoilParams),
    /// Not at all: a station.
    Fixed,
}

/// A rigid body with actuators.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct RigidParams {
    /// The body.
    pub body: BodyParams,
    /// Its actuators, at most 16.
    #[cfg_attr(feature = "schema", serde(default))]
    pub actuators: Vec<ActuatorParams>,
}

impl VehicleParams {
    /// Things that are possible and look wrong.
    #[must_use]
    pub fn warnings(&self) -> Vec<ParamError> {
        let center = match &self.motion {
            MotionParams::Rigid(rigid) => rigid.body.center_m().to_array(),
            MotionParams::Torpedo(torpedo) => torpedo.center_of_gravity_m,
            MotionParams::Hydrofoil(_) | MotionParams::Fixed => return Vec::new(),
        };
        let is_outside = center.iter().zip(self.size_m).any(|(place, size)| place.abs() > 0.5 * size);
        let [length, beam, height] = self.size_m;
        let message = format!("is {center:?}, outside of a hull of {length} x {beam} x {height} m around the origin");
        is_outside.then(|| ParamError::new("body.center_of_gravity_m", message)).into_iter().collect()
    }

    /// What of it may touch.
    ///
    /// # Errors
    /// If there are more than 16 capsules, or a size or place is out of its range.
    pub fn hull(&self) -> Result<Hull, ParamError> {
        if self.hull.is_empty() {
            return Hull::new(capsules_in_box(self.size_m));
        }
        let capsule = |c: &CapsuleParams| Capsule { ends_m: c.ends_m.map(DVec3::from_array), radius_m: c.radius_m };
        Hull::new(self.hull.iter().map(capsule).collect())
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        self.size_m.iter().try_for_each(|&size| ParamError::check_range("size_m", size, MIN_SIZE_M, MAX_SIZE_M))
    }
}

/// Refuses lists of actuators that no vehicle can have.
pub(super) fn check_names(actuators: &[ActuatorParams]) -> Result<(), ParamError> {
    if actuators.len() > MAX_ACTUATORS {
        let message = format!("has {} elements, must have at most {MAX_ACTUATORS}", actuators.len());
        return Err(ParamError::new("actuators", message));
    }
    for (number, actuator) in actuators.iter().enumerate() {
        if actuators[..number].iter().any(|other| other.name == actuator.name) {
            return Err(ParamError::new("actuators", format!("has two actuators with the name `{}`", actuator.name)));
        }
    }
    Ok(())
}
