//! A Doppler velocity log: four slanted beams, each with a distance and a speed along it.
//!
//! # Equation
//! Beam k leaves along `b_k = (sin a cos f_k, sin a sin f_k, -cos a)` of the sensor's axes (z up). It reads `m_k = b_k . u`, where u is
//! the sensor's velocity over the bottom, or through the water of a layer, along its own axes. The velocity is the least-squares solution
//! `(sum b b^T) u = sum m b` over the beams that came back; three will do. Noise belongs to beams: with four it gives a deviation of
//! `s/(sqrt 2 sin a)` along x and y and `s/(2 cos a)` along z. Source: Brokloff, Matrix algorithm for Doppler sonar navigation, OCEANS
//! 1994.

use super::Observed;
use crate::medium::Medium;
use crate::terrain::Ray;
use glam::{DMat3, DQuat};
use sim_core::sensing::{Mount, MountParams};
use sim_core::{DVec3, ParamError, ops};
use std::f64::consts::FRAC_PI_4;

/// Beams of a log.
pub const BEAMS: usize = 4;

/// Determinant of `sum b b^T` up to which beams lie in one plane and cannot tell the velocity across it.
const FLAT: f64 = 1e-9;

/// Beams that must come back for a velocity.
const MIN_BEAMS: usize = 3;

/// What a log measures its speed against.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Track {
    /// The bottom.
    #[default]
    Bottom,
    /// The water of a layer below the sensor: the mean over bins of equal thickness. The bottom must lie below the layer.
    Water {
        /// Distances below the sensor at which the layer begins and ends, along its axis, m.
        layer_m: [f64; 2],
        /// Number of bins, 1 to 256.
        bins: u32,
    },
}

/// A Doppler velocity log. The default looks straight down from the vehicle's origin, with beams 22.5 degrees off the vertical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DvlParams {
    /// Place and axes on the vehicle; the beams leave downwards, around minus z.
    pub mount: MountParams,
    /// Angle between a beam and the sensor's minus z, rad, 0.05 to 1.2.
    pub beam_angle_rad: f64,
    /// Directions of the beams about the sensor's z, rad from x towards y.
    pub azimuths_rad: [f64; BEAMS],
    /// Distances along a beam between which it comes back, m, 0 to 12 000.
    pub range_m: [f64; 2],
    /// What speeds are measured against.
    pub track: Track,
}

impl Default for DvlParams {
    fn default() -> Self {
        Self {
            mount: MountParams::default(),
            beam_angle_rad: 0.5 * FRAC_PI_4,
            azimuths_rad: [5.0, 3.0, 1.0, -1.0].map(|quarters| quarters * FRAC_PI_4),
            range_m: [0.05, 50.0],
            track: Track::Bottom,
        }
    }
}

/// A checked log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dvl {
    position_in_body_m: DVec3,
    body_from_sensor: DQuat,
    beams: [DVec3; BEAMS],
    cos_angle: f64,
    range_m: [f64; 2],
    track: Track,
}

impl Dvl {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: DvlParams) -> Result<Self, ParamError> {
        let mount = Mount::new(params.mount)?;
        ParamError::check_range("beam_angle_rad", params.beam_angle_rad, 0.05, 1.2)?;
        ParamError::check_span("range_m", params.range_m, [0.0, 12_000.0])?;
        for azimuth in params.azimuths_rad {
            ParamError::check_range("azimuths_rad", azimuth, -100.0, 100.0)?;
        }
        if let Track::Water { layer_m, bins } = params.track {
            ParamError::check_span("layer_m", layer_m, [0.0, 12_000.0])?;
            ParamError::check_range("bins", f64::from(bins), 1.0, 256.0)?;
        }
        let (sin, cos_angle) = ops::sin_cos(params.beam_angle_rad);
        let beam = |azimuth: f64| DVec3::new(sin * ops::cos(azimuth), sin * ops::sin(azimuth), -cos_angle);
        let beams = params.azimuths_rad.map(beam);
        if beams.iter().map(|&beam| outer(beam)).sum::<DMat3>().determinant() <= FLAT {
            let message = "leave all beams in one plane, across which they tell no velocity";
            return Err(ParamError::new("azimuths_rad", message));
        }
        Ok(Self {
            position_in_body_m: mount.position_in_body_m(),
            body_from_sensor: DQuat::from_array(params.mount.body_from_sensor_xyzw).normalize(),
            beams,
            cos_angle,
            range_m: params.range_m,
            track: params.track,
        })
    }

    /// Directions of the beams in the sensor's axes, unit vectors.
    #[must_use]
    pub fn beams(&self) -> &[DVec3; BEAMS] {
        &self.beams
    }

    /// Distances and speeds without errors, infinite where a beam is lost.
    pub(super) fn measure(&self, observed: &Observed<'_>, ranges_m: &mut [f64], speeds_m_s: &mut [f64]) {
        let place_m = observed.pose.point_m(self.position_in_body_m);
        let world_from_sensor = observed.pose.world_from_body * self.body_from_sensor;
        let velocity_m_s = observed.pose.world_from_body * observed.velocity_at_m_s(self.position_in_body_m);
        for (n, &beam) in self.beams.iter().enumerate() {
            let direction = world_from_sensor * beam;
            ranges_m[n] = self.range_along(observed, place_m, direction);
            let over_m_s = match self.track {
                Track::Bottom => ranges_m[n].is_finite().then_some(DVec3::ZERO),
                Track::Water { layer_m, bins } => {
                    let depths_m = layer_m.map(|depth| depth / self.cos_angle);
                    let is_above_bottom = depths_m[1] < ranges_m[n].min(self.range_m[1]);
                    is_above_bottom.then(|| mean_water_m_s(observed, place_m, direction, depths_m, bins))
                }
            };
            speeds_m_s[n] = over_m_s.map_or(f64::INFINITY, |over| direction.dot(velocity_m_s - over));
        }
    }

    fn range_along(&self, observed: &Observed<'_>, place_m: DVec3, direction: DVec3) -> f64 {
        let [min, max] = self.range_m;
        let hit = Ray::new(place_m, direction, max).ok().and_then(|ray| observed.terrain?.cast(&ray));
        hit.map(|hit| hit.distance_m).filter(|&distance_m| distance_m >= min).unwrap_or(f64::INFINITY)
    }

    /// The velocity along the sensor's axes, m/s, out of the speeds along its beams; none if fewer than three are finite.
    #[must_use]
    pub fn velocity_m_s(&self, speeds_m_s: &[f64; BEAMS]) -> Option<DVec3> {
        let (mut matrix, mut right, mut count) = (DMat3::ZERO, DVec3::ZERO, 0);
        for (&beam, &speed) in self.beams.iter().zip(speeds_m_s).filter(|(_, speed)| speed.is_finite()) {
            matrix += outer(beam);
            right += beam * speed;
            count += 1;
        }
        let is_solvable = count >= MIN_BEAMS && matrix.determinant() > FLAT;
        is_solvable.then(|| matrix.inverse() * right)
    }

    /// Height above the bottom along the sensor's axis, m: the mean over the beams that came back; none if none did.
    #[must_use]
    pub fn altitude_m(&self, ranges_m: &[f64; BEAMS]) -> Option<f64> {
        let heard = ranges_m.iter().filter(|range| range.is_finite());
        let count = heard.clone().count();
        (count > 0).then(|| heard.sum::<f64>() / count as f64 * self.cos_angle)
    }
}

/// `b b^T`.
fn outer(beam: DVec3) -> DMat3 {
    DMat3::from_cols(beam * beam.x, beam * beam.y, beam * beam.z)
}

/// Mean velocity of the water along a beam, at the middles of its bins.
fn mean_water_m_s(observed: &Observed<'_>, place_m: DVec3, direction: DVec3, span_m: [f64; 2], bins: u32) -> DVec3 {
    let thickness = (span_m[1] - span_m[0]) / f64::from(bins);
    let middle = |bin: u32| place_m + direction * (span_m[0] + thickness * (f64::from(bin) + 0.5));
    let sum: DVec3 = (0..bins).map(|bin| observed.sea.at(middle(bin), observed.time_s).velocity_m_s).sum();
    sum / f64::from(bins)
}
