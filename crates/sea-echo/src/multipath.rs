//! Still water over a sonar, which mirrors it.

use sim_core::{DVec3, ParamError, ops};

/// Still water above a sonar, and what is lost at it and at the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multipath {
    /// Height of still water, m.
    pub surface_z_m: f64,
    /// Standard deviation of the surface's height, m, 0 to 100.
    pub roughness_m: f64,
    /// Wave number of the sound, 1/m, 0.1 to 1e5.
    pub wave_number_per_m: f64,
    /// What a reflection at the bottom takes, dB, 0 to 200.
    pub bottom_loss_db: f64,
}

impl Multipath {
    pub(crate) fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("roughness_m", self.roughness_m, 0.0, 100.0)?;
        ParamError::check_range("wave_number_per_m", self.wave_number_per_m, 0.1, 1e5)?;
        ParamError::check_range("bottom_loss_db", self.bottom_loss_db, 0.0, 200.0)
    }

    /// A place mirrored in still water, m.
    pub(crate) fn mirrored(&self, place_m: DVec3) -> DVec3 {
        place_m.with_z(2.0 * self.surface_z_m - place_m.z)
    }

    /// Share of power that a reflection at the surface leaves to a way along a direction.
    pub(crate) fn surface_share(&self, way: DVec3) -> f64 {
        let phase = self.wave_number_per_m * self.roughness_m * way.z;
        ops::exp(-4.0 * phase * phase)
    }
}
