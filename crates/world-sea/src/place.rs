//! Places where no vehicle can be.

use crate::model::SeaModel;
use sea_sim::terrain::Terrain;
use sim_core::DVec3;

/// The axis whose coordinate is wrong, 0 to 2, and why.
type Misplaced = (usize, String);

impl SeaModel {
    /// What is wrong with a vehicle at a place, m: it is not above the bottom, or beyond its border.
    pub(crate) fn misplaced(&self, at_m: DVec3) -> Option<Misplaced> {
        match (&self.terrain, self.ground(at_m)) {
            (Some(_), Some(ground)) if at_m.z <= ground.z_m => {
                Some((2, format!("is {}, below the bottom, which is at {:.2} m there", at_m.z, ground.z_m)))
            }
            (Some(Terrain::Grid(grid)), None) => {
                let [low, high] = grid.span_m();
                let message = format!(
                    "is {} with y_m {}, beyond the bottom, which ends at [{}, {}] and [{}, {}]",
                    at_m.x, at_m.y, low.x, low.y, high.x, high.y
                );
                Some((0, message))
            }
            _ => None,
        }
    }
}
