//! Places where no vehicle can be.

use crate::model::SeaModel;
use sea_sim::body::BodyState;
use sea_sim::contact::depth_in_bottom_m;
use sea_sim::terrain::Terrain;
use sea_sim::{Medium, WaterSample};
use sim_core::{DVec2, DVec3};
use std::fmt;

/// Why a vehicle cannot be at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Misplaced {
    /// Its origin is at a height that is not above that of the bottom, m.
    Below { z_m: f64, bottom_z_m: f64 },
    /// Its origin is beyond the border of the bottom, between these corners, m.
    Beyond { at_m: DVec2, span_m: [DVec2; 2] },
    /// Its hull is in the bottom by a depth, m; on still water if it rides there by rules.
    InBottom { z_m: f64, depth_m: f64, is_riding: bool },
}

impl Misplaced {
    /// The axis whose coordinate is wrong, 0 to 2.
    pub fn axis(&self) -> usize {
        match self {
            Self::Beyond { .. } => 0,
            Self::Below { .. } | Self::InBottom { .. } => 2,
        }
    }
}

/// What is wrong with the coordinate along its axis.
impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Below { z_m, bottom_z_m } => {
                write!(f, "is {z_m}, below the bottom, which is at {bottom_z_m:.2} m there")
            }
            Self::Beyond { at_m: DVec2 { x, y }, span_m: [low, high] } => write!(
                f,
                "is {x} with y_m {y}, beyond the bottom, which ends at [{}, {}] and [{}, {}]",
                low.x, low.y, high.x, high.y
            ),
            Self::InBottom { z_m, depth_m, is_riding } => {
                let of_ride = if is_riding { " on the water" } else { "" };
                write!(f, "is {z_m}, where the hull{of_ride} is {depth_m:.3} m deep in the bottom")
            }
        }
    }
}

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
    /// Why a vehicle cannot be at a place: its origin is not above the bottom or beyond its border, or its hull is in the bottom.
    pub(crate) fn misplaced(&self, vehicle: usize, body: &BodyState) -> Option<Misplaced> {
        self.misplaced_origin(body.position_m).or_else(|| self.in_bottom(vehicle, body))
    }

    /// A hull in the bottom. A station may stand in it; what rides by rules rides on still water.
    fn in_bottom(&self, vehicle: usize, body: &BodyState) -> Option<Misplaced> {
        let (setup, terrain) = (&self.vehicles[vehicle], self.terrain.as_ref()?);
        if setup.vehicle.is_fixed() {
            return None;
        }
        let mut motion = setup.vehicle.start(*body);
        let water = StillWater { level_m: self.level_m, density_kg_m3: self.made_of.density_kg_m3 };
        setup.vehicle.settle(&mut motion, &water, 0.0);
        let depth_m = depth_in_bottom_m(&setup.hull, &motion.body.pose(), terrain);
        let is_riding = setup.vehicle.rules().is_some();
        (depth_m > OVERLAP_M).then_some(Misplaced::InBottom { z_m: body.position_m.z, depth_m, is_riding })
    }

    /// Why no origin can be at a place.
    pub(crate) fn misplaced_origin(&self, at_m: DVec3) -> Option<Misplaced> {
        match (&self.terrain, self.ground(at_m)) {
            (Some(_), Some(ground)) if at_m.z <= ground.z_m => {
                Some(Misplaced::Below { z_m: at_m.z, bottom_z_m: ground.z_m })
            }
            (Some(Terrain::Grid(grid)), None) => {
                Some(Misplaced::Beyond { at_m: at_m.truncate(), span_m: grid.span_m() })
            }
            _ => None,
        }
    }
}
