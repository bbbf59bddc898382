//! Poses on the plane, and the plane seen from the 3D world.
//!
//! Plane: mm, x right, y down, headings from +x towards +y, which is clockwise seen from above. World: m, z up, right handed:
//! `x_world = x_plane / 1000`, `y_world = -y_plane / 1000`, `yaw_world = -heading`.

use sim_core::angle::wrap_rad;
use sim_core::{DVec2, ParamError};

/// Farthest from the origin that a sheet may be placed, along each axis: a kilometre. Positions of dots are then exact to 1e-9.
const FARTHEST_MM: f64 = 1e6;
/// Largest yaw that a sheet may be given; any direction is within half a turn, more turns cost digits.
const LARGEST_YAW_RAD: f64 = 1000.0;

/// A place and a heading on the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanePose {
    /// Place.
    pub position_mm: DVec2,
    /// Heading, or yaw of a sheet, from +x towards +y.
    pub heading_rad: f64,
}

impl PlanePose {
    /// At the origin, along +x.
    pub const ORIGIN: Self = Self::new(0.0, 0.0, 0.0);

    /// Pose from its numbers. Placing a sheet checks them, asking what is under a point accepts any.
    #[must_use]
    pub const fn new(x_mm: f64, y_mm: f64, heading_rad: f64) -> Self {
        Self { position_mm: DVec2::new(x_mm, y_mm), heading_rad }
    }

    /// Pose of a body whose place, projected along z, is `position_m` in the world, and whose yaw about z is `yaw_rad`.
    #[must_use]
    pub fn from_world(position_m: DVec2, yaw_rad: f64) -> Self {
        Self { position_mm: plane_mm_from_world_m(position_m), heading_rad: wrap_rad(-yaw_rad) }
    }

    /// The yaw about the world's z that goes with the heading, in (-pi, pi]. The place is [`world_m_from_plane_mm`]'s.
    #[must_use]
    pub fn world_yaw_rad(self) -> f64 {
        wrap_rad(-self.heading_rad)
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.position_mm.is_finite() && self.heading_rad.is_finite()
    }

    /// Refuses a pose that no sheet can have.
    pub(crate) fn check(self) -> Result<(), ParamError> {
        ParamError::check_range("x_mm", self.position_mm.x, -FARTHEST_MM, FARTHEST_MM)?;
        ParamError::check_range("y_mm", self.position_mm.y, -FARTHEST_MM, FARTHEST_MM)?;
        ParamError::check_range("yaw_rad", self.heading_rad, -LARGEST_YAW_RAD, LARGEST_YAW_RAD)
    }
}

/// Place in the world (x, y), m, of a place on the plane.
#[must_use]
pub fn world_m_from_plane_mm(place_mm: DVec2) -> DVec2 {
    DVec2::new(place_mm.x, -place_mm.y) / 1000.0
}

/// Place on the plane of a place in the world (x, y), m.
#[must_use]
pub fn plane_mm_from_world_m(place_m: DVec2) -> DVec2 {
    DVec2::new(place_m.x, -place_m.y) * 1000.0
}
