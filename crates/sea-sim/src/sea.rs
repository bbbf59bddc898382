//! The sea at one step: waves, currents and what the water is made of, as vehicles meet them.

use crate::current::{CurrentState, Currents, Flow};
use crate::medium::{Medium, WaterSample};
use crate::water::{Nearby, Water};
use sim_core::DVec3;

/// Water with its currents at the present step: what vehicles move through.
#[derive(Clone, Copy, Debug)]
pub struct Sea<'a> {
    /// Waves and what the water is made of.
    pub water: &'a Water,
    /// Its currents.
    pub currents: &'a Currents,
    /// Their state.
    pub state: &'a CurrentState,
}

impl Sea<'_> {
    /// The water near a place, m, and a time, s, to first order: for many points or stages at the cost of one.
    #[must_use]
    pub fn nearby(&self, position_m: DVec3, time_s: f64) -> Nearby {
        self.water.nearby(position_m, time_s, &self.flow(position_m, time_s))
    }

    fn flow(&self, position_m: DVec3, time_s: f64) -> Flow {
        let depth_m = self.water.level_m() - position_m.z;
        self.currents.flow(self.state, position_m, depth_m, time_s)
    }
}

impl Medium for Sea<'_> {
    fn at(&self, position_m: DVec3, time_s: f64) -> WaterSample {
        self.water.sample(position_m, time_s, &self.flow(position_m, time_s))
    }
}
