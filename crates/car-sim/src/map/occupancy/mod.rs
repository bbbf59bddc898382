//! Maps as occupancy grids: a picture in which dark cells are occupied, and a YAML file that places it, as ROS's `map_server` has them.
//!
//! The borders of occupied cells become rings ([`trace`]), which may be made simpler within a tolerance. Cells that meet at a corner only
//! count as joined, so that walls drawn as slanting lines have no holes. Cells that are unknown are no obstacles.

mod image;
mod trace;
mod yaml;

pub use image::GrayImage;
pub use yaml::OccupancySpec;

use super::rings::Ring;
use super::{MapError, Outermost, SegmentMap};
use sim_core::DVec2;

impl SegmentMap {
    /// Reads a map from an occupancy grid. Its borders are within `tolerance_m` of those of the occupied cells, and the other way round;
    /// 0 keeps every corner of every cell. Half a cell makes slanting walls straight.
    ///
    /// # Errors
    /// If nothing is occupied, the grid reaches beyond [`super::FARTHEST_M`], or the tolerance is negative or not finite.
    pub fn from_occupancy(spec: &OccupancySpec, image: &GrayImage, tolerance_m: f64) -> Result<Self, MapError> {
        if !(tolerance_m >= 0.0 && tolerance_m.is_finite()) {
            return Err(MapError::new("tolerance_m", format!("is {tolerance_m}, must be 0 or more")));
        }
        let (width, height) = (image.width(), image.height());
        // The picture's first row is the top one.
        let is_occupied = |x: usize, y: usize| spec.is_occupied(image.gray(x, height - 1 - y));
        let exact: Vec<Ring> = trace::rings(width, height, is_occupied)
            .into_iter()
            .enumerate()
            .map(|(number, corners)| Ring {
                place: format!("border {number}"),
                points_m: corners.into_iter().map(|(x, y)| spec.place_m(x, y)).collect(),
            })
            .collect();
        if exact.is_empty() {
            return Err(MapError::new(&spec.image, "has no occupied cell; for a free plane, give no map"));
        }
        exact.iter().try_for_each(Ring::check)?;
        let exact_map = Self::from_unchecked_rings(&exact, Outermost::Solid, Vec::new())?;
        if tolerance_m == 0.0 { Ok(exact_map) } else { simplified(&exact, tolerance_m, spec.resolution_m / 4.0) }
    }
}

/// Rings made simpler. Those that come to cross each other get half the tolerance, and are left as they are below `least_m`.
fn simplified(exact: &[Ring], tolerance_m: f64, least_m: f64) -> Result<SegmentMap, MapError> {
    let mut tolerances_m = vec![tolerance_m; exact.len()];
    loop {
        let rings: Vec<Ring> =
            exact.iter().zip(&tolerances_m).map(|(ring, &tolerance_m)| simpler(ring, tolerance_m)).collect();
        let map = SegmentMap::from_unchecked_rings(&rings, Outermost::Solid, Vec::new())?;
        let mut crossing: Vec<usize> = map.crossings().flat_map(|(a, b)| [map.ring_of(a), map.ring_of(b)]).collect();
        crossing.retain(|&ring| tolerances_m[ring] > 0.0);
        if crossing.is_empty() {
            return Ok(map);
        }
        crossing.sort_unstable();
        crossing.dedup();
        for ring in crossing {
            let half_m = tolerances_m[ring] / 2.0;
            tolerances_m[ring] = if half_m < least_m { 0.0 } else { half_m };
        }
    }
}

fn simpler(ring: &Ring, tolerance_m: f64) -> Ring {
    let points_m: Vec<DVec2> = trace::simplified(&ring.points_m, tolerance_m);
    // What would become a line keeps its corners.
    if points_m.len() < 3 { ring.clone() } else { Ring { place: ring.place.clone(), points_m } }
}
