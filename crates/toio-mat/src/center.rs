//! Where "the centre" of a position reading is (toio facts, section 1.4).
//!
//! A reading names two points: the sensor, and a centre that follows from it. Sources differ in which centre, so it is a
//! parameter: the offset `f` forward and `r` to the right of the sensor, in the cube's own axes. At heading h
//!
//! ```text
//! cx = sx + f cos h - r sin h        cy = sy + f sin h + r cos h
//! ```

use crate::name::UnknownName;
use crate::plane::PlanePose;
use sim_core::angle::unit;
use sim_core::{DVec2, ParamError};
use std::str::FromStr;

/// Largest offset that is accepted: well beyond the 31.8 mm of a cube.
const LARGEST_OFFSET_MM: f64 = 100.0;

/// The point that readings call the centre, seen from the ID sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CenterPoint {
    forward_mm: f64,
    right_mm: f64,
}

impl Default for CenterPoint {
    /// The body's centre, which the example of the device specification fits.
    fn default() -> Self {
        Self::BODY_CENTER
    }
}

impl CenterPoint {
    /// Centre of the body: 11.1 mm ahead of the sensor, 9.4 mm to its right.
    pub const BODY_CENTER: Self = Self { forward_mm: 11.1, right_mm: 9.4 };
    /// Middle of the axle, which the Unity simulator reports: 14.9 mm ahead of the sensor, 9.4 mm to its right.
    pub const AXLE_MIDPOINT: Self = Self { forward_mm: 14.9, right_mm: 9.4 };
    /// The conventions that have a name.
    const NAMED: [(&'static str, Self); 2] =
        [("body-center", Self::BODY_CENTER), ("axle-midpoint", Self::AXLE_MIDPOINT)];

    /// A centre of one's own, at most 100 mm from the sensor along each axis.
    ///
    /// # Errors
    /// If an offset is larger or not finite.
    pub fn new(forward_mm: f64, right_mm: f64) -> Result<Self, ParamError> {
        ParamError::check_range("forward_mm", forward_mm, -LARGEST_OFFSET_MM, LARGEST_OFFSET_MM)?;
        ParamError::check_range("right_mm", right_mm, -LARGEST_OFFSET_MM, LARGEST_OFFSET_MM)?;
        Ok(Self { forward_mm, right_mm })
    }

    /// From the sensor forward, mm.
    #[must_use]
    pub fn forward_mm(self) -> f64 {
        self.forward_mm
    }

    /// From the sensor to the right, mm.
    #[must_use]
    pub fn right_mm(self) -> f64 {
        self.right_mm
    }

    /// From the sensor to the centre at a heading, mm in the axes that the heading is measured in.
    #[must_use]
    pub fn offset_mm(self, heading_rad: f64) -> DVec2 {
        let forward = unit(heading_rad);
        forward * self.forward_mm + forward.perp() * self.right_mm
    }

    /// Pose of the centre of a cube whose sensor is at `sensor`.
    #[must_use]
    pub fn center_from_sensor(self, sensor: PlanePose) -> PlanePose {
        PlanePose { position_mm: sensor.position_mm + self.offset_mm(sensor.heading_rad), ..sensor }
    }

    /// Pose of the sensor of a cube whose centre is at `center`.
    #[must_use]
    pub fn sensor_from_center(self, center: PlanePose) -> PlanePose {
        PlanePose { position_mm: center.position_mm - self.offset_mm(center.heading_rad), ..center }
    }
}

impl FromStr for CenterPoint {
    type Err = UnknownName;

    /// `body-center` or `axle-midpoint`.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let named = Self::NAMED.into_iter().find(|(known, _)| *known == name);
        named.map(|(_, point)| point).ok_or_else(|| UnknownName {
            what: "centre point",
            given: name.to_owned(),
            known: Self::NAMED.map(|(known, _)| known).to_vec(),
        })
    }
}
