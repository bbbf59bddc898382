//! The water as a vehicle meets it: one place, one moment, everything that acts there.

use sim_core::DVec3;

/// The water at one place and time, in the world frame: east, north, up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterSample {
    /// Height of the surface above this place, m; negative in air.
    pub surface_m: f64,
    /// Velocity of the water, current plus waves, m/s.
    pub velocity_m_s: DVec3,
    /// Acceleration of the water that is at this place, local plus convective (the material derivative of the velocity), m/s^2.
    pub acceleration_m_s2: DVec3,
    /// Pressure of the waves beyond that of still water, Pa.
    pub dynamic_pressure_pa: f64,
    /// Density, kg/m^3.
    pub density_kg_m3: f64,
}

/// Water as a vehicle meets it.
pub trait Medium {
    /// The water at a place of the world, m, and a time, s.
    fn at(&self, position_m: DVec3, time_s: f64) -> WaterSample;

    /// The water at several places at one time, into `samples`, one a place; places beyond the shorter of the two are left out.
    fn at_each(&self, positions_m: &[DVec3], time_s: f64, samples: &mut [WaterSample]) {
        for (sample, &position_m) in samples.iter_mut().zip(positions_m) {
            *sample = self.at(position_m, time_s);
        }
    }
}
