//! What sound loses at the surface and at the bottom.
//!
//! # Equations
//! A rough surface of standard deviation sigma reflects, at the grazing angle t and the wave number k, `-exp(-2 (k sigma sin t)^2)`. A
//! bottom of density ratio m and speed ratio `1/n` reflects after Rayleigh
//!
//! ```text
//! R = (m sin t - sqrt(n^2 - cos^2 t))/(m sin t + sqrt(n^2 - cos^2 t))        |R| = 1 where n^2 < cos^2 t: total reflection
//! ```

use super::decibels;
use sim_core::ParamError;
use std::f64::consts::LOG10_E;

/// What the bottom is made of, against the water above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bottom {
    /// Density over that of the water, 0.1 to 10.
    pub density_ratio: f64,
    /// Speed of sound over that of the water, 0.1 to 10.
    pub speed_ratio: f64,
}

impl Bottom {
    /// Sand.
    pub const SAND: Self = Self { density_ratio: 1.9, speed_ratio: 1.12 };
    /// Mud.
    pub const MUD: Self = Self { density_ratio: 1.2, speed_ratio: 0.98 };

    /// Refuses ratios that are not from 0.1 to 10.
    ///
    /// # Errors
    /// Names the ratio.
    pub fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("density_ratio", self.density_ratio, 0.1, 10.0)?;
        ParamError::check_range("speed_ratio", self.speed_ratio, 0.1, 10.0)
    }

    /// Share of the amplitude that returns, 0 to 1, at a sine of the grazing angle.
    #[must_use]
    pub fn reflection(&self, sine: f64) -> f64 {
        let index = 1.0 / self.speed_ratio;
        let root_squared = index * index - (1.0 - sine) * (1.0 + sine);
        if root_squared <= 0.0 {
            return 1.0;
        }
        let (own, other) = (self.density_ratio * sine, root_squared.sqrt());
        ((own - other) / (own + other)).abs()
    }

    /// The same as a loss, dB, 0 or more.
    #[must_use]
    pub fn loss_db(&self, sine: f64) -> f64 {
        -2.0 * decibels(self.reflection(sine))
    }
}

/// Loss at a surface of a standard deviation of `roughness_m`, dB, for a wave number in 1/m and a sine of the grazing angle.
#[must_use]
pub fn surface_loss_db(wave_number_per_m: f64, roughness_m: f64, sine: f64) -> f64 {
    let phase = wave_number_per_m * roughness_m * sine;
    20.0 * LOG10_E * 2.0 * phase * phase
}
