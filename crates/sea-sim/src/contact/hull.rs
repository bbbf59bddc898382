//! Outlines of vehicles: spheres and capsules.

use crate::pose::Pose;
use sim_core::{DVec3, ParamError};

/// Most capsules of a hull.
pub const MAX_CAPSULES: usize = 16;

/// All points within a radius of a piece of line; a sphere if the piece has no length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Ends of the piece of line in the body's axes, m, at most 1000 m away.
    pub ends_m: [DVec3; 2],
    /// Radius, m, 0.001 to 100.
    pub radius_m: f64,
}

impl Capsule {
    /// A sphere.
    #[must_use]
    pub fn sphere(center_m: DVec3, radius_m: f64) -> Self {
        Self { ends_m: [center_m; 2], radius_m }
    }

    /// A capsule along the body's x axis about its origin, with its caps as long as `length_m` in all.
    #[must_use]
    pub fn along_x(length_m: f64, radius_m: f64) -> Self {
        let half = DVec3::new((0.5 * length_m - radius_m).max(0.0), 0.0, 0.0);
        Self { ends_m: [-half, half], radius_m }
    }

    /// The same in the world.
    #[must_use]
    pub(super) fn at(&self, pose: &Pose) -> Self {
        Self { ends_m: self.ends_m.map(|end| pose.point_m(end)), ..*self }
    }
}

/// Capsules along x that fill a box about the origin, m. Of a flat or wide box several lie side by side.
#[must_use]
pub fn capsules_in_box([length_m, beam_m, height_m]: [f64; 3]) -> Vec<Capsule> {
    let radius_m = 0.5 * beam_m.min(height_m).min(length_m);
    let places = |extent_m: f64, along: DVec3| {
        let half_m = (0.5 * extent_m - radius_m).max(0.0);
        let count = if half_m > 0.0 { 2 } else { 1 };
        (0..count).map(move |side| along * if count == 1 { 0.0 } else { half_m * (2.0 * f64::from(side) - 1.0) })
    };
    let ends = Capsule::along_x(length_m, radius_m).ends_m;
    let places = places(beam_m, DVec3::Y).flat_map(|y| places(height_m, DVec3::Z).map(move |z| y + z));
    places.map(|place| Capsule { ends_m: ends.map(|end| end + place), radius_m }).collect()
}

/// The outline of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    capsules: Vec<Capsule>,
    radius_m: f64,
}

impl Hull {
    /// Smallest and largest radius, m.
    pub const RADII_M: [f64; 2] = [0.001, 100.0];
    /// Farthest coordinate of an end of an axis, m.
    pub const MAX_END_M: f64 = 1000.0;

    /// A hull of 1 to 16 capsules in the body's axes.
    ///
    /// # Errors
    /// If there are none or too many, or a value is out of its range.
    pub fn new(capsules: Vec<Capsule>) -> Result<Self, ParamError> {
        if capsules.is_empty() || capsules.len() > MAX_CAPSULES {
            let message = format!("has {} capsules, must have 1 to {MAX_CAPSULES}", capsules.len());
            return Err(ParamError::new("hull", message));
        }
        for capsule in &capsules {
            ParamError::check_range("radius_m", capsule.radius_m, Self::RADII_M[0], Self::RADII_M[1])?;
            for coordinate in capsule.ends_m.iter().flat_map(DVec3::to_array) {
                ParamError::check_range("ends_m", coordinate, -Self::MAX_END_M, Self::MAX_END_M)?;
            }
        }
        let farthest =
            |capsule: &Capsule| capsule.radius_m + capsule.ends_m[0].length().max(capsule.ends_m[1].length());
        let radius_m = capsules.iter().map(farthest).fold(0.0, f64::max);
        Ok(Self { capsules, radius_m })
    }

    /// Its capsules.
    #[must_use]
    pub fn capsules(&self) -> &[Capsule] {
        &self.capsules
    }

    /// Radius of the sphere about the body's origin that holds it, m.
    #[must_use]
    pub fn radius_m(&self) -> f64 {
        self.radius_m
    }
}
