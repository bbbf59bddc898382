//! Levels of echoes in decibels: the sonar equation of a patch of bottom and of a small target.
//!
//! # Equations
//! A ray that meets something at distance r, at incidence i, in a direction where the beam's one-way power is b, stands for a patch of
//! area A and returns the level
//!
//! ```text
//! EL = SL - 2 TL(r) + S + 10 log A + 2 B        TL = 20 log r + alpha r/1000        B = 10 log b        A = r^2 dOmega/cos i
//! ```
//!
//! S is the strength of a square metre, by Lambert `mu + 10 log sin^2 t` with the grazing angle t = 90 deg - i, or by a table over t. A
//! small target has its strength TS in place of `S + 10 log A`; a rigid sphere of radius a, large against the wave, has `20 log(a/2)`.
//! Levels add up as powers. A receiver has noise of the level NL; a display adds `k log r + 2 alpha r/1000 + gain`.
//!
//! Speckle: the amplitude is complex Gaussian, so the power of one look is exponential about its mean, and the mean of N looks has a
//! standard deviation of 1/sqrt N of it. Source: sea facts, section 7; Lurton, An Introduction to Underwater Acoustics, 2010.

use crate::echo::Echo;
use crate::material::Material;
use crate::multipath::Multipath;
use sim_core::{DVec3, ParamError, Stream, ops};
use std::f64::consts::{FRAC_PI_2, LN_10, PI};

/// Where `(sin x/x)^2` is 1/2.
const HALF_POWER: f64 = 1.391_557_378_251_51;
/// Standard deviation of a Gaussian as a share of its width at half power.
const DEVIATION_PER_WIDTH: f64 = 1.0 / 2.354_820_045_030_949_3;
/// Distances below this count as this, m.
const NEAREST_M: f64 = 1e-3;
/// Cosines of incidence below this count as this.
const LEAST_COSINE: f64 = 1e-9;
/// Most looks that are averaged.
pub const MAX_LOOKS: u32 = 1000;

/// Ten times the common logarithm.
#[must_use]
pub fn db(power: f64) -> f64 {
    10.0 / LN_10 * ops::ln(power)
}

/// The power of a level.
#[must_use]
pub fn power(level_db: f64) -> f64 {
    ops::exp(LN_10 / 10.0 * level_db)
}

/// Loss of level one way, dB: by spreading as a sphere and by absorption.
#[must_use]
pub fn loss_db(distance_m: f64, absorption_db_km: f64) -> f64 {
    2.0 * db(distance_m.max(NEAREST_M)) + 1e-3 * absorption_db_km * distance_m
}

/// How the power of a beam falls off from its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BeamPattern {
    /// Not at all.
    Even,
    /// As that of a line: `(sin x/x)^2` with `x = 1.391557 sin(angle)/sin(width/2)`.
    #[default]
    Sinc,
    /// As a Gaussian with a standard deviation of width/2.354820.
    Gaussian,
}

impl BeamPattern {
    /// Power at an angle from the axis of a beam of a width, rad: 1 on the axis, 1/2 at half the width.
    #[must_use]
    pub fn power(self, off_axis_rad: f64, width_rad: f64) -> f64 {
        match self {
            Self::Even => 1.0,
            Self::Sinc => {
                let x = HALF_POWER * ops::sin(off_axis_rad.abs().min(FRAC_PI_2)) / ops::sin(0.5 * width_rad);
                if x < 1e-9 { 1.0 } else { (ops::sin(x) / x) * (ops::sin(x) / x) }
            }
            Self::Gaussian => {
                let share = off_axis_rad / (DEVIATION_PER_WIDTH * width_rad);
                ops::exp(-0.5 * share * share)
            }
        }
    }
}

/// What a square metre of a material returns.
#[derive(Clone, Debug, PartialEq)]
pub enum Scattering {
    /// By Lambert: this level, dB, at right angles.
    Lambert(f64),
    /// Grazing angles, rad, in ascending order, with levels, dB; linear between, even beyond.
    Table(Vec<[f64; 2]>),
}

impl Scattering {
    /// Level of a square metre, dB, by the cosine of the incidence, 0 to 1.
    #[must_use]
    pub fn strength_db(&self, cos_incidence: f64) -> f64 {
        match self {
            Self::Lambert(level_db) => level_db + 2.0 * db(cos_incidence),
            Self::Table(rows) => {
                let grazing_rad = ops::asin(cos_incidence.min(1.0));
                let after = rows.partition_point(|row| row[0] <= grazing_rad);
                let (Some(low), Some(high)) = (rows.get(after.saturating_sub(1)), rows.get(after.min(rows.len() - 1)))
                else {
                    return f64::NEG_INFINITY;
                };
                let share = if high[0] > low[0] { (grazing_rad - low[0]) / (high[0] - low[0]) } else { 0.0 };
                low[1] + share.clamp(0.0, 1.0) * (high[1] - low[1])
            }
        }
    }

    fn check(&self) -> Result<(), ParamError> {
        let levels_db = [-200.0, 60.0];
        match self {
            Self::Lambert(level_db) => ParamError::check_within("scattering", *level_db, levels_db),
            Self::Table(rows) if rows.is_empty() => {
                Err(ParamError::new("scattering", "has no row, must have 1 or more"))
            }
            Self::Table(rows) => {
                if let Some(pair) = rows.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
                    let message = format!("has angles that do not ascend: {} rad after {} rad", pair[1][0], pair[0][0]);
                    return Err(ParamError::new("scattering", message));
                }
                rows.iter().try_for_each(|row| {
                    ParamError::check_range("scattering", row[0], 0.0, FRAC_PI_2)?;
                    ParamError::check_within("scattering", row[1], levels_db)
                })
            }
        }
    }
}

/// What each material returns; by Lambert with -27 dB unless it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatteringTable([Scattering; Material::ALL.len()]);

impl Default for ScatteringTable {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Scattering::Lambert(-27.0)))
    }
}

impl ScatteringTable {
    /// The same with another law for a material.
    #[must_use]
    pub fn with(mut self, material: Material, law: Scattering) -> Self {
        self.0[material as usize] = law;
        self
    }

    /// The law of a material.
    #[must_use]
    pub fn of(&self, material: Material) -> &Scattering {
        &self.0[material as usize]
    }
}

/// A sonar's sender, receiver and display.
#[derive(Clone, Debug, PartialEq)]
pub struct AcousticParams {
    /// Source level on the axis, dB re 1 uPa at 1 m, 0 to 300.
    pub source_level_db: f64,
    /// Level of the noise in the receiver's band, dB re 1 uPa, -200 to 200.
    pub noise_level_db: f64,
    /// Absorption, dB/km, 0 to 10 000.
    pub absorption_db_km: f64,
    /// Speed of sound, m/s, 1000 to 2000.
    pub sound_speed_m_s: f64,
    /// Length of a pulse, s, 1e-6 to 1.
    pub pulse_s: f64,
    /// Width of a beam at half power in its plane, rad, 0.0001 to pi.
    pub width_rad: f64,
    /// Width of a beam across its plane, rad, 0.0001 to pi.
    pub across_rad: f64,
    /// How its power falls off.
    pub pattern: BeamPattern,
    /// How many looks are averaged; 0 for no speckle, at most 1000.
    pub looks: u32,
    /// Factor k of the display's `k log r + 2 alpha r/1000`, 0 to 100; none: levels as they are received.
    pub tvg: Option<f64>,
    /// What the display adds, dB, -200 to 200.
    pub gain_db: f64,
    /// How far a beam must be above the noise to be detected, dB, 0 to 100.
    pub threshold_db: f64,
    /// What materials return.
    pub scattering: ScatteringTable,
    /// Echoes by way of the surface, of sonars that read levels over distance; none: straight ways alone.
    pub multipath: Option<Multipath>,
}

impl Default for AcousticParams {
    /// A side scan of 450 kHz in the ocean.
    fn default() -> Self {
        Self {
            source_level_db: 215.0,
            noise_level_db: 50.0,
            absorption_db_km: 109.1982,
            sound_speed_m_s: 1500.0,
            pulse_s: 1e-4,
            width_rad: 50_f64.to_radians(),
            across_rad: 1_f64.to_radians(),
            pattern: BeamPattern::default(),
            looks: 1,
            tvg: Some(30.0),
            gain_db: 0.0,
            threshold_db: 10.0,
            scattering: ScatteringTable::default(),
            multipath: None,
        }
    }
}

/// A small target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointTarget {
    /// Its place in the world, m.
    pub place_m: DVec3,
    /// Its strength, dB, -200 to 100.
    pub strength_db: f64,
}

impl PointTarget {
    /// A rigid sphere that is large against the wave.
    #[must_use]
    pub fn sphere(place_m: DVec3, radius_m: f64) -> Self {
        Self { place_m, strength_db: 2.0 * db(0.5 * radius_m) }
    }
}

/// A checked sender, receiver and display.
#[derive(Clone, Debug, PartialEq)]
pub struct Acoustics {
    params: AcousticParams,
    noise: f64,
}

impl Acoustics {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: AcousticParams) -> Result<Self, ParamError> {
        for (field, value, [min, max]) in [
            ("source_level_db", params.source_level_db, [0.0, 300.0]),
            ("noise_level_db", params.noise_level_db, [-200.0, 200.0]),
            ("absorption_db_km", params.absorption_db_km, [0.0, 10_000.0]),
            ("sound_speed_m_s", params.sound_speed_m_s, [1000.0, 2000.0]),
            ("pulse_s", params.pulse_s, [1e-6, 1.0]),
            ("width_rad", params.width_rad, [1e-4, PI]),
            ("across_rad", params.across_rad, [1e-4, PI]),
            ("looks", f64::from(params.looks), [0.0, f64::from(MAX_LOOKS)]),
            ("tvg", params.tvg.unwrap_or(0.0), [0.0, 100.0]),
            ("gain_db", params.gain_db, [-200.0, 200.0]),
            ("threshold_db", params.threshold_db, [0.0, 100.0]),
        ] {
            ParamError::check_range(field, value, min, max)?;
        }
        params.scattering.0.iter().try_for_each(Scattering::check)?;
        params.multipath.iter().try_for_each(Multipath::check)?;
        Ok(Self { noise: power(params.noise_level_db), params })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &AcousticParams {
        &self.params
    }

    /// Length of a pulse there and back, m: what is nearer to each other is one echo.
    #[must_use]
    pub fn resolution_m(&self) -> f64 {
        0.5 * self.params.sound_speed_m_s * self.params.pulse_s
    }

    /// Level at the receiver of something of a strength, dB, before the beam's pattern.
    #[must_use]
    pub fn echo_level_db(&self, distance_m: f64, strength_db: f64) -> f64 {
        let AcousticParams { source_level_db, absorption_db_km, .. } = self.params;
        source_level_db - 2.0 * loss_db(distance_m, absorption_db_km) + strength_db
    }

    /// Strength of the patch of a material that a ray of a solid angle, sr, stands for, dB.
    #[must_use]
    pub fn patch_db(&self, material: Material, (distance_m, cos_incidence): (f64, f64), solid_angle_sr: f64) -> f64 {
        let cos_incidence = cos_incidence.max(LEAST_COSINE);
        let area_m2 = distance_m * distance_m * solid_angle_sr / cos_incidence;
        self.params.scattering.of(material).strength_db(cos_incidence) + db(area_m2)
    }

    /// Level at the receiver of the patch that a ray of a width, rad, stands for, before the beam's pattern, dB.
    pub(crate) fn level_of(&self, echo: &Echo, ray_rad: f64) -> f64 {
        let Echo { distance_m, material, cos_incidence, .. } = *echo;
        let solid_angle_sr = ray_rad * self.params.across_rad;
        self.echo_level_db(distance_m, self.patch_db(material, (distance_m, cos_incidence), solid_angle_sr))
    }

    /// Power two ways of a beam at an angle from its axis, in its plane and across it.
    pub(crate) fn two_way(&self, in_plane_rad: f64, across_rad: f64) -> f64 {
        let one_way = self.one_way(in_plane_rad, across_rad);
        one_way * one_way
    }

    /// Power one way.
    pub(crate) fn one_way(&self, in_plane_rad: f64, across_rad: f64) -> f64 {
        let AcousticParams { pattern, width_rad, across_rad: across_width_rad, .. } = self.params;
        pattern.power(in_plane_rad, width_rad) * pattern.power(across_rad, across_width_rad)
    }

    /// What the receiver reads of a mean power, its noise included.
    pub(crate) fn receive(&self, mean: f64, draws: &mut Stream) -> f64 {
        (mean + self.noise) * speckle(self.params.looks, draws)
    }

    /// What the display shows of a power from a distance, dB.
    #[must_use]
    pub fn displayed_db(&self, power: f64, distance_m: f64) -> f64 {
        let AcousticParams { tvg, gain_db, absorption_db_km, .. } = self.params;
        let distance_m = distance_m.max(NEAREST_M);
        let compensated = |k: f64| 0.1 * k * db(distance_m) + 2e-3 * absorption_db_km * distance_m;
        db(power) + tvg.map_or(0.0, compensated) + gain_db
    }

    /// Whether a power stands out of the noise.
    pub(crate) fn is_detected(&self, read: f64) -> bool {
        read > self.noise * power(self.params.threshold_db)
    }
}

/// Power of speckle over so many looks, of mean 1; 1 without looks.
#[must_use]
pub fn speckle(looks: u32, draws: &mut Stream) -> f64 {
    if looks == 0 {
        return 1.0;
    }
    // Uniform draws are below 1, so that no logarithm is infinite.
    let sum: f64 = (0..looks).map(|_| -ops::ln(1.0 - draws.uniform())).sum();
    sum / f64::from(looks)
}

/// A share of 1 as a display of so many bits has it: a whole number from 0, rounded down; of 32 bits and more the share itself.
#[inline]
#[must_use]
pub fn quantised(share: f64, bits: u32) -> f64 {
    // Most of an image is empty.
    if bits >= 32 || share == 0.0 {
        return share;
    }
    (f64::from((1_u32 << bits) - 1) * share.clamp(0.0, 1.0)).floor()
}
