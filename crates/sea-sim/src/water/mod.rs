//! The water of a world: its surface, its motion under waves, and what it is made of.
//!
//! World axes: x east, y north, z up. Model, sources and limits: `docs/models/water.md`.

mod dispersion;
mod gerstner;
mod lanes;
mod nearby;
mod seawater;
mod spectrum;
mod waves;

pub use dispersion::{group_speed_m_s, wavenumber_rad_m};
pub use nearby::Nearby;
pub use seawater::{SeaWater, thorp_absorption_db_km};
pub use spectrum::Spectrum;
pub use waves::{BREAKING_STEEPNESS, MAX_COMPONENTS, SeaState, Wave, Waves};

use crate::GRAVITY_M_S2;
use crate::current::Flow;
use crate::medium::WaterSample;
use sim_core::{DVec2, DVec3, ParamError};
use waves::Orbit;

/// Shape of crests and troughs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SurfaceShape {
    /// Sines.
    #[default]
    Airy,
    /// Trochoids: sharp crests and flat troughs (Gerstner). The motion of the water underneath stays that of Airy waves.
    Gerstner {
        /// How sharp: 0 gives sines; the product with the steepest slope of the waves must be below 1, where crests would cross themselves.
        steepness: f64,
    },
}

/// Water. Fixed for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Water {
    level_m: f64,
    made_of: SeaWater,
    waves: Waves,
    shape: SurfaceShape,
}

/// The surface above a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Height on the world's z axis, m.
    pub height_m: f64,
    /// Unit vector that stands on it, upwards.
    pub normal: DVec3,
}

impl Water {
    /// Water whose surface, when still, is at `level_m` on the world's z axis.
    ///
    /// # Errors
    /// If a value is out of its range, or if trochoidal crests would cross themselves.
    pub fn new(level_m: f64, made_of: SeaWater, waves: Waves, shape: SurfaceShape) -> Result<Self, ParamError> {
        ParamError::check_range("level_m", level_m, -12_000.0, 12_000.0)?;
        made_of.check()?;
        if let SurfaceShape::Gerstner { steepness } = shape {
            ParamError::check_range("steepness", steepness, 0.0, 1.0)?;
            if steepness * waves.max_slope() >= 1.0 {
                let message = format!("is {steepness}, must be below {:.3} for these waves", 1.0 / waves.max_slope());
                return Err(ParamError::new("steepness", message));
            }
        }
        Ok(Self { level_m, made_of, waves, shape })
    }

    /// Height of still water on the world's z axis, m.
    #[must_use]
    pub fn level_m(&self) -> f64 {
        self.level_m
    }

    /// What it is made of.
    #[must_use]
    pub fn made_of(&self) -> &SeaWater {
        &self.made_of
    }

    /// Its waves.
    #[must_use]
    pub fn waves(&self) -> &Waves {
        &self.waves
    }

    /// The surface above (x, y), m, at a time, s.
    #[must_use]
    pub fn surface(&self, x_m: f64, y_m: f64, time_s: f64) -> Surface {
        let (elevation_m, slope) = match self.shape {
            SurfaceShape::Airy => self.waves.surface(x_m, y_m, time_s),
            SurfaceShape::Gerstner { steepness } => {
                gerstner::surface(&self.waves, steepness, DVec2::new(x_m, y_m), time_s)
            }
        };
        let normal = DVec3::new(-slope.x, -slope.y, 1.0).normalize();
        Surface { height_m: self.level_m + elevation_m, normal }
    }

    /// Height of the surface above a place, m. Where no wave comes within `reach_m` of the place, that of still water: it lies on the
    /// same side.
    #[must_use]
    pub fn surface_near_m(&self, position_m: DVec3, reach_m: f64, time_s: f64) -> f64 {
        if (position_m.z - self.level_m).abs() > self.waves.most_height_m() + reach_m {
            return self.level_m;
        }
        self.surface(position_m.x, position_m.y, time_s).height_m
    }

    /// Pressure beyond that of the air at a place, Pa: weight of the water above the place plus the pressure of waves, 0 above the surface.
    #[must_use]
    pub fn pressure_pa(&self, position_m: DVec3, time_s: f64) -> f64 {
        let orbit = self.waves.orbit(position_m.with_z(position_m.z - self.level_m), time_s);
        let still = GRAVITY_M_S2 * (self.level_m - position_m.z);
        (self.made_of.density_kg_m3 * (still + orbit.pressure_over_density_m2_s2)).max(0.0)
    }

    /// The water at a place where a current flows, without regard for where the surface is.
    #[must_use]
    pub fn sample(&self, position_m: DVec3, time_s: f64, current: &Flow) -> WaterSample {
        let orbit = self.waves.orbit(position_m.with_z(position_m.z - self.level_m), time_s);
        let elevation_m = match self.shape {
            SurfaceShape::Airy => orbit.elevation_m,
            SurfaceShape::Gerstner { steepness } => {
                gerstner::surface(&self.waves, steepness, position_m.truncate(), time_s).0
            }
        };
        self.sample_of(&orbit, elevation_m, position_m, current)
    }

    fn sample_of(&self, orbit: &Orbit, elevation_m: f64, position_m: DVec3, current: &Flow) -> WaterSample {
        let velocity_m_s = orbit.velocity_m_s + current.velocity_m_s;
        let convective = orbit.change_along(velocity_m_s) + current.gradient_1_s * velocity_m_s;
        WaterSample {
            surface_m: self.level_m + elevation_m - position_m.z,
            velocity_m_s,
            acceleration_m_s2: orbit.local_acceleration_m_s2 + current.local_acceleration_m_s2 + convective,
            dynamic_pressure_pa: self.made_of.density_kg_m3 * orbit.pressure_over_density_m2_s2,
            density_kg_m3: self.made_of.density_kg_m3,
        }
    }
}
