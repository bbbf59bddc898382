//! A multibeam echo sounder by rays.
//!
//! # Equations
//! Beam b of n leaves the sensor at `b B/(n - 1) - B/2` from straight down, towards starboard; a single beam goes straight down. Its m rays
//! are spread evenly over the width w of the beam: ray k at `w ((k + 1/2)/m - 1/2)` from its middle. A beam reads the mean distance of its
//! rays that met something, and the mean return of all its rays, where a miss returns 0. Source: REF 12.7 of the sea facts.

use crate::acoustic::{Acoustics, db, power};
use crate::echo::{Echo, Scene, SensorPose, even_angle_rad};
use crate::fan::{Fan, MAX_FAN_RAYS};
use crate::material::Material;
use crate::ray::Hit;
use crate::surface::Surface;
use sim_core::{DVec3, ParamError, Stream};
use std::f64::consts::{FRAC_PI_2, PI};

/// How a multibeam is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultibeamParams {
    /// Number of beams, 1 to 10 000.
    pub beams: u32,
    /// Angle from the first beam to the last, rad, 0 to pi.
    pub opening_rad: f64,
    /// How far it hears, m, 0.01 to 100 000.
    pub range_m: f64,
    /// Rays of a beam, 1 to 1000.
    pub rays_per_beam: u32,
    /// Width of a beam across the track, rad, 0 to pi/2; neighbouring beams may overlap.
    pub beam_width_rad: f64,
    /// Which distance a beam reads.
    pub reading: BeamReading,
}

/// Which distance of its rays a beam reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BeamReading {
    /// The mean.
    #[default]
    Mean,
    /// The least, as an echo sounder does that waits for the first return.
    First,
}

impl Default for MultibeamParams {
    /// That of the reference: 256 beams of one ray over 45 deg, 100 m.
    fn default() -> Self {
        Self {
            beams: 256,
            opening_rad: PI / 4.0,
            range_m: 100.0,
            rays_per_beam: 1,
            beam_width_rad: 0.0,
            reading: BeamReading::Mean,
        }
    }
}

/// What a beam reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beam {
    /// Mean distance of its rays that met something, m; none if no ray did.
    pub range_m: Option<f64>,
    /// How many of its rays met something.
    pub hits: u32,
    /// Mean return of all its rays, 0 to 1.
    pub intensity: f64,
    /// What its display shows, dB; none without acoustics.
    pub level_db: Option<f64>,
    /// Class of what returned most; 0 if nothing did.
    pub class: u8,
    /// The triangle that returned most; none if nothing did.
    pub triangle: Option<u32>,
}

/// One ping. A ping that is read again keeps its buffers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ping {
    /// Beams from port to starboard.
    pub beams: Vec<Beam>,
    /// Rays, beam by beam, each from port to starboard: the point cloud.
    pub echoes: Vec<Option<Echo>>,
}

/// A checked multibeam with its rays.
#[derive(Clone, Debug)]
pub struct Multibeam {
    params: MultibeamParams,
    fan: Fan,
    hits: Vec<Option<Hit>>,
    /// Number in the fan of each ray, beam by beam: beams that overlap share a piece of it.
    in_fan: Vec<u32>,
}

impl MultibeamParams {
    /// Angle of a beam's middle from straight down towards starboard, rad.
    #[must_use]
    pub fn beam_angle_rad(&self, beam: u32) -> f64 {
        even_angle_rad(beam, self.beams, self.opening_rad)
    }

    fn ray_angle_rad(&self, beam: u32, ray: u32) -> f64 {
        let share = (f64::from(ray) + 0.5) / f64::from(self.rays_per_beam) - 0.5;
        self.beam_angle_rad(beam) + self.beam_width_rad * share
    }

    fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("beams", f64::from(self.beams), 1.0, 10_000.0)?;
        ParamError::check_range("opening_rad", self.opening_rad, 0.0, PI)?;
        ParamError::check_range("range_m", self.range_m, 0.01, 100_000.0)?;
        ParamError::check_range("rays_per_beam", f64::from(self.rays_per_beam), 1.0, 1000.0)?;
        ParamError::check_range("beam_width_rad", self.beam_width_rad, 0.0, FRAC_PI_2)?;
        let rays = self.beams as usize * self.rays_per_beam as usize;
        if rays > MAX_FAN_RAYS {
            let message = format!("makes {rays} rays in all, must be at most {MAX_FAN_RAYS}");
            return Err(ParamError::new("rays_per_beam", message));
        }
        Ok(())
    }
}

impl Multibeam {
    /// Checks the parameters and prepares the rays.
    ///
    /// # Errors
    /// If a value is out of its range, or there are more than a million rays in all.
    pub fn new(params: MultibeamParams) -> Result<Self, ParamError> {
        params.check()?;
        let rays_of = |beam| (0..params.rays_per_beam).map(move |ray| params.ray_angle_rad(beam, ray));
        let angles_rad: Vec<f64> = (0..params.beams).flat_map(rays_of).collect();
        let mut order: Vec<u32> = (0..angles_rad.len() as u32).collect();
        order.sort_by(|&one, &other| angles_rad[one as usize].total_cmp(&angles_rad[other as usize]));
        let ascending: Vec<f64> = order.iter().map(|&ray| angles_rad[ray as usize]).collect();
        let mut in_fan = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &ray)| in_fan[ray as usize] = place);
        let fan = Fan::new(&ascending, params.range_m)?;
        Ok(Self { params, fan, hits: vec![None; order.len()], in_fan })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &MultibeamParams {
        &self.params
    }

    /// Pings from a pose. The reading depends on the pose and the scene alone.
    ///
    /// # Errors
    /// If the pose is farther than 1e7 m from the world's origin, not finite, or its rotation is not of length 1 to 1e-6.
    pub fn ping<S: Surface + ?Sized, M: Fn(u32) -> Material>(
        &mut self,
        pose: &SensorPose,
        scene: &Scene<'_, S, M>,
        ping: &mut Ping,
    ) -> Result<(), ParamError> {
        let Self { fan, hits, .. } = self;
        pose.place(fan, [DVec3::NEG_Z, DVec3::NEG_Y])?;
        scene.surface.cast_fan(fan, hits);
        let met = |&number: &u32| (&fan.rays()[number as usize], hits[number as usize]);
        ping.echoes.clear();
        ping.echoes.extend(scene.echoes(self.in_fan.iter().map(met)));
        ping.beams.clear();
        ping.beams.extend(
            ping.echoes
                .chunks_exact(self.params.rays_per_beam as usize)
                .map(|echoes| Beam::from_echoes(echoes, self.params.reading)),
        );
        Ok(())
    }

    /// Turns a ping that was just read into what acoustics make of it. Each beam draws its speckle, whether it meets something or not.
    pub fn hear(&self, acoustics: &Acoustics, draws: &mut Stream, ping: &mut Ping) {
        let rays = self.params.rays_per_beam;
        let ray_rad = self.params.beam_width_rad / f64::from(rays);
        let Ping { beams, echoes } = ping;
        for (beam, echoes) in beams.iter_mut().zip(echoes.chunks_exact(rays as usize)) {
            let (mut sum, mut amplitudes, mut weighted_m, mut nearest_m) = (0.0, 0.0, 0.0, f64::INFINITY);
            for (echo, ray) in echoes.iter().zip(0..).filter_map(|(echo, ray)| Some((echo.as_ref()?, ray))) {
                let off_axis_rad = ray_rad * (f64::from(ray) + 0.5) - 0.5 * self.params.beam_width_rad;
                let heard = acoustics.two_way(off_axis_rad, 0.0) * power(acoustics.level_of(echo, ray_rad));
                sum += heard;
                amplitudes += heard.sqrt();
                weighted_m += heard.sqrt() * echo.distance_m;
                nearest_m = nearest_m.min(echo.distance_m);
            }
            let mean_m = weighted_m / amplitudes;
            let read = acoustics.receive(sum, draws);
            let is_heard = acoustics.is_detected(read) && amplitudes > 0.0;
            let range_m = if self.params.reading == BeamReading::First { nearest_m } else { mean_m };
            beam.range_m = is_heard.then_some(range_m);
            let shown_db = if is_heard { acoustics.displayed_db(read, range_m) } else { db(read) };
            beam.level_db = Some(shown_db);
        }
    }
}

impl Beam {
    fn from_echoes(echoes: &[Option<Echo>], reading: BeamReading) -> Self {
        let met = || echoes.iter().flatten();
        let hits = met().count();
        let (distances_m, intensities): (f64, f64) =
            met().fold((0.0, 0.0), |sums, echo| (sums.0 + echo.distance_m, sums.1 + echo.intensity));
        let nearest_m = met().map(|echo| echo.distance_m).fold(f64::INFINITY, f64::min);
        let range_m = if reading == BeamReading::First { nearest_m } else { distances_m / hits as f64 };
        let strongest = met().reduce(|best, echo| if echo.intensity > best.intensity { echo } else { best });
        Self {
            range_m: (hits > 0).then_some(range_m),
            hits: hits as u32,
            intensity: intensities / echoes.len() as f64,
            level_db: None,
            class: strongest.map_or(0, |echo| echo.class),
            triangle: strongest.map(|echo| echo.triangle),
        }
    }
}
