//! Sonars by rays whose beams are lines of buckets over distance: side scan and forward looking.
//!
//! # Equations
//! The n rays of a beam are spread evenly over the opening B, from the tilt t below the horizon down: with their middle at `t + B/2`.
//! A side scan has two beams, to port and to starboard. A sonar that looks forward has m beams, spread evenly over its width from port to
//! starboard.
//!
//! A ray is heard at `d' = max(0, d + N(mu, sigma))` and counts in bucket `floor(d'/(R/k))` of k, if there is one. A bucket holds the mean
//! return of its rays times the gain, at most 1. Source: REF 12.7 of the sea facts; levels that overflow are cut off.

use crate::echo::{Echo, Scene, SensorPose, byte, even_angle_rad};
use crate::fan::{Fan, MAX_FAN_RAYS};
use crate::material::Material;
use crate::ray::Hit;
use crate::surface::Surface;
use sim_core::{DVec3, ParamError, Stream, angle};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Most buckets of all beams together.
const MAX_BUCKETS: usize = 10_000_000;

/// What both kinds of sonar have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImagingParams {
    /// Rays of a beam, 1 to 100 000.
    pub rays_per_beam: u32,
    /// Angle from the first ray of a beam to the last, rad, 0 to pi.
    pub opening_rad: f64,
    /// Angle of the highest ray of a beam below the horizon, rad, -pi/2 to pi/2.
    pub tilt_rad: f64,
    /// How far it hears, m, 0.01 to 100 000.
    pub range_m: f64,
    /// Buckets of a beam, 1 to 100 000.
    pub buckets: u32,
    /// Factor of what is heard, 0 to 1e6.
    pub gain: f64,
    /// Mean and standard deviation of the error of a ray's distance, m, -1000 to 1000 and 0 to 1000.
    pub distance_error_m: [f64; 2],
}

impl Default for ImagingParams {
    /// Those of the reference: 500 rays over 90 deg, 15 deg below the horizon, 100 m in 1000 buckets, an error of 1 m.
    fn default() -> Self {
        Self {
            rays_per_beam: 500,
            opening_rad: FRAC_PI_2,
            tilt_rad: PI / 12.0,
            range_m: 100.0,
            buckets: 1000,
            gain: 4.0,
            distance_error_m: [0.0, 1.0],
        }
    }
}

/// A piece of distance along a beam.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bucket {
    /// How many rays were heard in it.
    pub hits: u32,
    /// Mean return of these rays times the gain, 0 to 1.
    pub level: f64,
}

impl Bucket {
    /// The level in 255ths, rounded down.
    #[must_use]
    pub fn byte(&self) -> u8 {
        byte(self.level)
    }
}

/// One ping. A ping that is read again keeps its buffers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImagingPing {
    /// Buckets, beam by beam, each from near to far.
    pub buckets: Vec<Bucket>,
    /// Rays, beam by beam, in the order of their angles, with true distances: the point cloud.
    pub echoes: Vec<Option<Echo>>,
}

/// A checked sonar with its rays.
#[derive(Clone, Debug)]
pub struct ImagingSonar {
    params: ImagingParams,
    beams: Vec<BeamRays>,
    hits: Vec<Option<Hit>>,
}

#[derive(Clone, Debug)]
struct BeamRays {
    fan: Fan,
    /// Directions of angle 0 and of a right angle in the sensor's axes.
    axes: [DVec3; 2],
}

impl ImagingSonar {
    /// A side scan: beam 0 to port, its rays towards the keel; beam 1 to starboard, its rays from the keel outwards.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn side_scan(params: ImagingParams) -> Result<Self, ParamError> {
        let from_down_rad = FRAC_PI_2 - params.tilt_rad - 0.5 * params.opening_rad;
        let beam = |middle_rad| (middle_rad, [DVec3::NEG_Z, DVec3::NEG_Y]);
        Self::new(params, &[beam(-from_down_rad), beam(from_down_rad)])
    }

    /// A sonar that looks forward with 1 to 10 000 beams from port to starboard over `width_rad`, 0 to 2 pi; the rays of a beam lead
    /// downwards.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn forward_looking(params: ImagingParams, beams: u32, width_rad: f64) -> Result<Self, ParamError> {
        ParamError::check_range("beams", f64::from(beams), 1.0, 10_000.0)?;
        ParamError::check_range("width_rad", width_rad, 0.0, TAU)?;
        let middle_rad = params.tilt_rad + 0.5 * params.opening_rad;
        let out = |beam| angle::unit(-even_angle_rad(beam, beams, width_rad)).extend(0.0);
        let beams: Vec<_> = (0..beams).map(|beam| (middle_rad, [out(beam), DVec3::NEG_Z])).collect();
        Self::new(params, &beams)
    }

    /// Beams by their middle angles and the axes of their planes.
    fn new(params: ImagingParams, beams: &[(f64, [DVec3; 2])]) -> Result<Self, ParamError> {
        params.check(beams.len())?;
        let rays = params.rays_per_beam;
        let beam = |&(middle_rad, axes): &(f64, [DVec3; 2])| {
            let angles = (0..rays).map(|ray| middle_rad + even_angle_rad(ray, rays, params.opening_rad));
            Ok(BeamRays { fan: Fan::new(&angles.collect::<Vec<f64>>(), params.range_m)?, axes })
        };
        let beams = beams.iter().map(beam).collect::<Result<_, ParamError>>()?;
        Ok(Self { params, beams, hits: vec![None; rays as usize] })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &ImagingParams {
        &self.params
    }

    /// Pings from a pose. The reading depends on the pose, the scene and the errors alone. With a standard deviation above 0 every ray
    /// draws one error, whether it meets something or not.
    ///
    /// # Errors
    /// If the pose is farther than 1e7 m from the world's origin, not finite, or its rotation is not of length 1 to 1e-6.
    pub fn ping<S: Surface + ?Sized, M: Fn(u32) -> Material>(
        &mut self,
        pose: &SensorPose,
        scene: &Scene<'_, S, M>,
        errors: &mut Stream,
        ping: &mut ImagingPing,
    ) -> Result<(), ParamError> {
        let Self { params, beams, hits } = self;
        let count = params.buckets as usize;
        ping.echoes.clear();
        ping.buckets.clear();
        ping.buckets.resize(count * beams.len(), Bucket::default());
        for (BeamRays { fan, axes }, buckets) in beams.iter_mut().zip(ping.buckets.chunks_exact_mut(count)) {
            pose.place(fan, *axes)?;
            scene.surface.cast_fan(fan, hits);
            let first = ping.echoes.len();
            ping.echoes.extend(fan.rays().iter().zip(&*hits).map(|(ray, &hit)| scene.echo(ray, hit)));
            params.fill(buckets, &ping.echoes[first..], errors);
        }
        Ok(())
    }
}

impl ImagingParams {
    fn check(&self, beams: usize) -> Result<(), ParamError> {
        let [mean_m, deviation_m] = self.distance_error_m;
        ParamError::check_range("rays_per_beam", f64::from(self.rays_per_beam), 1.0, 100_000.0)?;
        ParamError::check_range("opening_rad", self.opening_rad, 0.0, PI)?;
        ParamError::check_range("tilt_rad", self.tilt_rad, -FRAC_PI_2, FRAC_PI_2)?;
        ParamError::check_range("range_m", self.range_m, 0.01, 100_000.0)?;
        ParamError::check_range("buckets", f64::from(self.buckets), 1.0, 100_000.0)?;
        ParamError::check_range("gain", self.gain, 0.0, 1e6)?;
        ParamError::check_range("distance_error_m", mean_m, -1000.0, 1000.0)?;
        ParamError::check_range("distance_error_m", deviation_m, 0.0, 1000.0)?;
        let all = [("rays_per_beam", self.rays_per_beam, MAX_FAN_RAYS), ("buckets", self.buckets, MAX_BUCKETS)];
        for (field, of_a_beam, most) in all {
            let count = of_a_beam as usize * beams;
            if count > most {
                return Err(ParamError::new(field, format!("makes {count} in all beams, must be at most {most}")));
            }
        }
        Ok(())
    }

    /// Fills the empty buckets of a beam.
    fn fill(&self, buckets: &mut [Bucket], echoes: &[Option<Echo>], errors: &mut Stream) {
        let ([mean_m, deviation_m], bucket_m) = (self.distance_error_m, self.range_m / f64::from(self.buckets));
        for echo in echoes {
            let error_m = if deviation_m > 0.0 { mean_m + deviation_m * errors.normal() } else { mean_m };
            let Some(echo) = echo else { continue };
            // A negative distance becomes 0.
            let heard_m = echo.distance_m + error_m;
            if let Some(bucket) = buckets.get_mut((heard_m / bucket_m) as usize) {
                bucket.hits += 1;
                bucket.level += echo.intensity;
            }
        }
        for bucket in buckets.iter_mut().filter(|bucket| bucket.hits > 0) {
            bucket.level = (self.gain * bucket.level / f64::from(bucket.hits)).min(1.0);
        }
    }
}
