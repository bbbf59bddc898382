//! Places where no vehicle can be.

use crate::model::SeaModel;
use sea_sim::body::BodyState;
use sea_sim::contact::depth_in_bottom_m;
use sea_sim::terrain::Terrain;
use sea_sim::{Medium, WaterSample};
use sim_core::DVec3;

/// The axis whose coordinate is wrong, 0 to 2, and why.
type Misplaced = (usize, String);

/// Hulls may overlap by this where they are put: what rests on another begins in touch with it, m.
pub(crate) const OVERLAP_M: f64 = 1e-3;

/// Still water, to look at a vehicle before a run.
pub(crate) struct StillWater {
    pub level_m: f64,
    pub density_kg_m3: f64,
}

impl Medium for StillWater {
    fn at(&self, position_m: DVec3, _time_s: f64) -> WaterSample {
        let (surface_m, density_kg_m3) = (self.level_m - position_m.z, self.density_kg_m3);
        WaterSample { surface_m, density_kg_m3, ..WaterSample::default() }
    }
}

impl SeaModel {
    /// What is wrong with a vehicle at a place: its origin is not above the bottom or beyond its border, or its hull is in the bottom.
    pub(crate) fn misplaced(&self, vehicle: usize, body: &BodyState) -> Option<Misplaced> {
        self.misplaced_origin(body.position_m).or_else(|| Some((2, self.in_bottom(vehicle, body)?)))
    }

    /// What is wrong with the height of a hull in the bottom. A station may stand in it; what rides by rules rides on still water.
    fn in_bottom(&self, vehicle: usize, body: &BodyState) -> Option<String> {
        let (setup, terrain) = (&self.vehicles[vehicle], self.terrain.as_ref()?);
        if setup.vehicle.is_fixed() {
            return None;
        }
        let mut motion = setup.vehicle.start(*body);
        let water = StillWater { level_m: self.level_m, density_kg_m3: self.made_of.density_kg_m3 };
        setup.vehicle.settle(&mut motion, &water, 0.0);
        let depth_m = depth_in_bottom_m(&setup.hull, &motion.body.pose(), terrain);
        let of_ride = if setup.vehicle.rules().is_some() { " on the water" } else { "" };
        let z_m = body.position_m.z;
        (depth_m > OVERLAP_M).then(|| format!("is {z_m}, where the hull{of_ride} is {depth_m:.3} m deep in the bottom"))
    }

    fn misplaced_origin(&self, at_m: DVec3) -> Option<Misplaced> {
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
