//! Chargers: low blocks on the plane. A cube that stands on one has no ground under its wheels, and its battery charges.

use sim_core::{DVec3, angle};
use toio_mat::PlanePose;
use toio_physics::{CubeReport, Footprint, Wall, geometry};

/// Width and length of a charger, and its height. Assumed: wide enough to carry a cube, high enough to take it off its wheels.
const SIDE_MM: f64 = 44.0;
const HEIGHT_MM: f64 = 8.0;
/// How far the middle of a cube may be from that of the charger for their contacts to touch. Assumed.
const CONTACT_MM: f64 = 5.0;
/// How much higher than a cube that lies on the charger. Assumed.
const GAP_MM: f64 = 1.0;
/// Least cosine of the tilt of a cube that lies on it, 10 degrees.
const UPRIGHT: f64 = 0.985;

/// A charger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Charger {
    /// Its middle, and how it is turned.
    pub pose: PlanePose,
    /// Current that it gives, mA.
    pub current_ma: f64,
}

impl Charger {
    /// Its body.
    #[must_use]
    pub fn block(&self) -> Wall {
        let half_m = angle::unit(self.pose.heading_rad) * (0.5 * SIDE_MM / 1000.0);
        let middle_m = self.pose.position_mm / 1000.0;
        Wall {
            from_m: middle_m - half_m,
            to_m: middle_m + half_m,
            height_m: HEIGHT_MM / 1000.0,
            thickness_m: SIDE_MM / 1000.0,
        }
    }

    /// Height of the ground that a cube on it would stand on, m: its flat bottom lies on the charger, its wheels reach farther down.
    #[must_use]
    pub fn ground_m() -> f64 {
        HEIGHT_MM / 1000.0 - geometry::CLEARANCE_M
    }

    /// True if a cube of that footprint cannot stand on the plane because of it.
    #[must_use]
    pub fn is_under(&self, cube: &Footprint) -> bool {
        Footprint::from_wall(&self.block()).overlaps(cube)
    }

    /// True if a cube lies on it so that it charges, whichever way it points.
    #[must_use]
    pub fn charges(&self, cube: &CubeReport) -> bool {
        let place_mm = cube.centre_in_plane_m() * 1000.0;
        let height_mm = (cube.centre_m.z - geometry::BODY_CENTRE_HEIGHT_M - Self::ground_m()) * 1000.0;
        let is_upright = (cube.plane_from_cube * DVec3::Z).z > UPRIGHT;
        is_upright && height_mm.abs() < GAP_MM && place_mm.distance(self.pose.position_mm) < CONTACT_MM
    }
}
