//! Sonars by rays whose beams are lines of buckets over distance: side scan and forward looking.
//!
//! # Equations
//! The n rays of a beam are spread evenly over the opening B, from the tilt t below the horizon down: with their middle at `t + B/2`.
//! A side scan has two beams, to port and to starboard. A sonar that looks forward has m beams, spread evenly over its width from port to
//! starboard.
//!
//! A ray is heard at `d' = max(0, d + N(mu, sigma))` and counts in bucket `floor(d'/(R/k))` of k, if there is one. A bucket holds the mean
//! return of its rays times the gain, at most 1. Source: REF 12.7 of the sea facts; levels that overflow are cut off.
//!
//! With [acoustics](crate::acoustic) a ray stands for a patch that is `D = r dtheta |n.m|/|n.d|` long in distance, with the normal n,
//! the ray's direction d and m across it in the plane of the beam. Its power comes as long as the pulse passes over the patch: the
//! overlap of the distances r - D/2 to r + D/2 with the pulse c tau/2, over D. A bucket reads the mean power over its length, with noise
//! and speckle.

mod multipath;

use crate::acoustic::{Acoustics, PointTarget, power};
use crate::echo::{Echo, Scene, SensorPose, byte, even_angle_rad};
use crate::fan::{Fan, MAX_FAN_RAYS};
use crate::material::Material;
use crate::ray::{Hit, Ray};
use crate::surface::Surface;
use sim_core::{DVec3, ParamError, Stream, angle, ops};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// What touches a target by this share of its distance does not hide it.
const TOUCHING: f64 = 1e-9;
/// A patch shorter than this share of a pulse counts as a point.
const SHORT: f64 = 1e-3;

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
    /// What the original does otherwise.
    pub slips: Slips,
}

/// What the SMaRC simulator's sonars do otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slips {
    /// Rays that meet nothing are heard at distance 0, without a return.
    pub misses_in_first: bool,
    /// A level of 256/255 and more begins again at 0.
    pub levels_wrap: bool,
    /// A ray returns what it returned in the ping before, at the distance of this one.
    pub returns_of_previous: bool,
}

impl Slips {
    /// None of them.
    pub const NONE: Self = Self { misses_in_first: false, levels_wrap: false, returns_of_previous: false };
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
            slips: Slips::NONE,
        }
    }
}

/// A piece of distance along a beam.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bucket {
    /// How many rays were heard in it.
    pub hits: u32,
    /// Mean return of these rays times the gain, 0 to 1; with acoustics what the display shows, dB.
    pub level: f64,
    /// Mean angle of these rays in the plane of the beam, rad: of a side scan from straight down towards starboard, of others from ahead
    /// downwards; 0 without any.
    pub angle_rad: f64,
    /// Class of what returned most; 0 if nothing did.
    pub class: u8,
    /// The triangle that returned most; none if nothing did.
    pub triangle: Option<u32>,
    /// The largest return.
    strongest: f64,
}

/// Power that has come up to so many metres from where a patch begins, times metres: of a power of 1, as long as a pulse is over it.
fn heard_up_to_m(at_m: f64, patch_m: f64, pulse_m: f64) -> f64 {
    if patch_m < SHORT * pulse_m {
        return (at_m - 0.5 * patch_m).clamp(0.0, pulse_m);
    }
    let ramp = |from_m: f64| 0.5 * (at_m - from_m).max(0.0) * (at_m - from_m).max(0.0);
    (ramp(0.0) - ramp(patch_m) - ramp(pulse_m) + ramp(patch_m + pulse_m)) / patch_m
}

/// Steps of an angle's code in a rad.
const CODES_PER_RAD: f64 = 20_860.0;

/// Code of an angle from -pi to 0 rad in 16 bits, as the reference's interferometric side scan has it.
#[must_use]
pub fn angle_code(angle_rad: f64) -> u16 {
    ((PI + angle_rad) * CODES_PER_RAD).round() as u16
}

/// The angle of a code, rad.
#[must_use]
pub fn angle_of_code(code: u16) -> f64 {
    f64::from(code) / CODES_PER_RAD - PI
}

impl Bucket {
    /// Notes a ray with its return and its angle.
    fn note(&mut self, echo: &Echo, returned: f64, angle_rad: f64) {
        self.hits += 1;
        self.angle_rad += angle_rad;
        if returned > self.strongest {
            (self.strongest, self.class, self.triangle) = (returned, echo.class, Some(echo.triangle));
        }
    }

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
    /// Angle of each ray in the plane of the beam.
    angles_rad: Vec<f64>,
    middle_rad: f64,
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
            let angles_rad: Vec<f64> = angles.collect();
            Ok(BeamRays { fan: Fan::new(&angles_rad, params.range_m)?, angles_rad, middle_rad, axes })
        };
        let beams = beams.iter().map(beam).collect::<Result<_, ParamError>>()?;
        Ok(Self { params, beams, hits: vec![None; rays as usize] })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &ImagingParams {
        &self.params
    }

    /// Number of beams.
    #[must_use]
    pub fn beams(&self) -> usize {
        self.beams.len()
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
        self.ping_after(pose, scene, (errors, &mut []), ping)
    }

    /// The same after another ping. With [`Slips::returns_of_previous`], `before` has the returns of that ping's rays, 0 for a miss, and
    /// has those of this one afterwards; rays beyond its end return their own.
    ///
    /// # Errors
    /// As [`ImagingSonar::ping`].
    pub fn ping_after<S: Surface + ?Sized, M: Fn(u32) -> Material>(
        &mut self,
        pose: &SensorPose,
        scene: &Scene<'_, S, M>,
        (errors, before): (&mut Stream, &mut [f64]),
        ping: &mut ImagingPing,
    ) -> Result<(), ParamError> {
        self.cast(pose, scene, ping)?;
        let Self { params, .. } = self;
        if params.slips.returns_of_previous {
            for (echo, before) in ping.echoes.iter_mut().zip(before) {
                let own = echo.map_or(0.0, |echo| echo.intensity);
                let returned = std::mem::replace(before, own);
                echo.iter_mut().for_each(|echo| echo.intensity = returned);
            }
        }
        let rays = ping.echoes.chunks_exact(params.rays_per_beam as usize);
        let beams = self.beams.iter().zip(ping.buckets.chunks_exact_mut(params.buckets as usize));
        for ((BeamRays { angles_rad, .. }, buckets), echoes) in beams.zip(rays) {
            params.fill(buckets, (echoes, angles_rad), errors);
        }
        Ok(())
    }

    /// The same by acoustics, with small targets. Errors of distances and gains do not count; each bucket draws its speckle.
    ///
    /// # Errors
    /// As [`ImagingSonar::ping`].
    pub fn hear<S: Surface + ?Sized, M: Fn(u32) -> Material>(
        &mut self,
        pose: &SensorPose,
        (scene, targets): (&Scene<'_, S, M>, &[PointTarget]),
        (acoustics, draws): (&Acoustics, &mut Stream),
        ping: &mut ImagingPing,
    ) -> Result<(), ParamError> {
        self.cast(pose, scene, ping)?;
        let Self { params, beams, .. } = &*self;
        let (rays, count) = (params.rays_per_beam as usize, params.buckets as usize);
        for (beam, echoes) in beams.iter().zip(0..) {
            let own = (&mut ping.buckets[echoes * count..][..count], &ping.echoes[echoes * rays..][..rays]);
            params.add_patches(beam, own, acoustics);
        }
        for target in targets {
            let Some(distance_m) = params.distance_to(pose, target, scene.surface) else { continue };
            for (beam, buckets) in beams.iter().zip(ping.buckets.chunks_exact_mut(count)) {
                let pattern = beam.two_way(pose, target.place_m, acoustics);
                let heard = power(acoustics.echo_level_db(distance_m, target.strength_db)) * pattern;
                params.add(buckets, heard, (distance_m, 0.0, acoustics.resolution_m()));
            }
        }
        if let Some(multipath) = &acoustics.params().multipath {
            let read = (&mut *ping.buckets, &*ping.echoes);
            self.add_surface_echoes((multipath, acoustics), (pose, scene, targets), read);
        }
        let bucket_m = self.params.bucket_m();
        for buckets in ping.buckets.chunks_exact_mut(count) {
            for (bucket, number) in buckets.iter_mut().zip(0..) {
                let read = acoustics.receive(bucket.level, draws);
                bucket.level = acoustics.displayed_db(read, bucket_m * (f64::from(number) + 0.5));
            }
        }
        Ok(())
    }

    /// Casts all rays and empties the buckets.
    fn cast<S: Surface + ?Sized, M: Fn(u32) -> Material>(
        &mut self,
        pose: &SensorPose,
        scene: &Scene<'_, S, M>,
        ping: &mut ImagingPing,
    ) -> Result<(), ParamError> {
        let Self { params, beams, hits } = self;
        ping.echoes.clear();
        ping.buckets.clear();
        ping.buckets.resize(params.buckets as usize * beams.len(), Bucket::default());
        for BeamRays { fan, axes, .. } in beams {
            pose.place(fan, *axes)?;
            scene.surface.cast_fan(fan, hits);
            ping.echoes.extend(scene.echoes(fan.rays().iter().zip(hits.iter().copied())));
        }
        Ok(())
    }
}

impl BeamRays {
    /// Power two ways towards a place.
    fn two_way(&self, pose: &SensorPose, place_m: DVec3, acoustics: &Acoustics) -> f64 {
        let one_way = self.one_way(pose, (place_m - pose.position_m).normalize(), acoustics);
        one_way * one_way
    }

    /// Power one way along a direction in the world.
    fn one_way(&self, pose: &SensorPose, way: DVec3, acoustics: &Acoustics) -> f64 {
        let [zero, quarter] = self.axes.map(|axis| pose.world_from_sensor * axis);
        let across = way.dot(zero.cross(quarter)).clamp(-1.0, 1.0);
        let in_plane_rad = angle::wrap_rad(ops::atan2(way.dot(quarter), way.dot(zero)) - self.middle_rad);
        // Behind the sensor it is no longer in front of the beam.
        if in_plane_rad.abs() > FRAC_PI_2 { 0.0 } else { acoustics.one_way(in_plane_rad, ops::asin(across)) }
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

    fn bucket_m(&self) -> f64 {
        self.range_m / f64::from(self.buckets)
    }

    /// Angle of a ray in the plane of its beam, from the beam's middle.
    fn off_axis_rad(&self, ray: u32) -> f64 {
        even_angle_rad(ray, self.rays_per_beam, self.opening_rad)
    }

    /// Fills the empty buckets of a beam.
    fn fill(&self, buckets: &mut [Bucket], (echoes, angles_rad): (&[Option<Echo>], &[f64]), errors: &mut Stream) {
        let ([mean_m, deviation_m], bucket_m) = (self.distance_error_m, self.bucket_m());
        // Deviates come in pairs: two rays share one.
        let mut second = None;
        let mut deviate = || {
            second.take().unwrap_or_else(|| {
                let pair = errors.normal2();
                second = Some(pair.y);
                pair.x
            })
        };
        for (echo, &angle_rad) in echoes.iter().zip(angles_rad) {
            let error_m = if deviation_m > 0.0 { mean_m + deviation_m * deviate() } else { mean_m };
            let Some(echo) = echo else {
                buckets[0].hits += u32::from(self.slips.misses_in_first);
                continue;
            };
            // A negative distance becomes 0.
            let heard_m = echo.distance_m + error_m;
            if let Some(bucket) = buckets.get_mut((heard_m / bucket_m) as usize) {
                bucket.level += echo.intensity;
                bucket.note(echo, echo.intensity, angle_rad);
            }
        }
        for bucket in buckets.iter_mut().filter(|bucket| bucket.hits > 0) {
            let level = self.gain * bucket.level / f64::from(bucket.hits);
            let wrapped = || (255.0 * level).floor() % 256.0 / 255.0;
            bucket.level = if self.slips.levels_wrap { wrapped() } else { level.min(1.0) };
            bucket.angle_rad /= f64::from(bucket.hits);
        }
    }

    /// Angle that a ray stands for, rad; a single ray stands for all of the beam.
    fn ray_rad(&self, acoustics: &Acoustics) -> f64 {
        let between_rad = self.opening_rad / f64::from(self.rays_per_beam.max(2) - 1);
        if between_rad > 0.0 && self.rays_per_beam > 1 { between_rad } else { acoustics.params().width_rad }
    }

    /// Length in distance of the patch that a ray of a beam stands for, m.
    fn patch_m(&self, beam: &BeamRays, (echo, ray): (&Echo, &Ray), ray_rad: f64) -> f64 {
        let m = beam.fan.normal().cross(ray.direction());
        let tangent = (echo.normal.dot(m) / echo.normal.dot(ray.direction())).abs();
        (echo.distance_m * ray_rad * tangent).min(self.range_m)
    }

    /// Adds the powers of the patches of a beam.
    fn add_patches(&self, beam: &BeamRays, (buckets, echoes): (&mut [Bucket], &[Option<Echo>]), acoustics: &Acoustics) {
        let bucket_m = self.bucket_m();
        let ray_rad = self.ray_rad(acoustics);
        for ((echo, ray), number) in echoes.iter().zip(beam.fan.rays()).zip(0..) {
            let Some(echo) = echo else { continue };
            let off_axis_rad = self.off_axis_rad(number);
            let heard = power(acoustics.level_of(echo, ray_rad)) * acoustics.two_way(off_axis_rad, 0.0);
            let patch_m = self.patch_m(beam, (echo, ray), ray_rad);
            self.add(buckets, heard, (echo.distance_m, patch_m, acoustics.resolution_m()));
            if let Some(bucket) = buckets.get_mut((echo.distance_m / bucket_m) as usize) {
                bucket.note(echo, heard, beam.middle_rad + off_axis_rad);
            }
        }
        for bucket in buckets.iter_mut().filter(|bucket| bucket.hits > 0) {
            bucket.angle_rad /= f64::from(bucket.hits);
        }
    }

    /// Adds a power from a patch in the middle of so many metres, heard for the length of a pulse.
    fn add(&self, buckets: &mut [Bucket], heard: f64, (distance_m, patch_m, pulse_m): (f64, f64, f64)) {
        let (bucket_m, start_m) = (self.bucket_m(), distance_m - 0.5 * patch_m);
        let end_m = start_m + patch_m + pulse_m;
        let first = (start_m / bucket_m) as usize;
        let last = ((end_m / bucket_m) as usize + 1).min(buckets.len());
        let mut before_m = heard_up_to_m(first as f64 * bucket_m - start_m, patch_m, pulse_m);
        for (bucket, number) in buckets.iter_mut().zip(1..).take(last).skip(first) {
            let up_to_m = heard_up_to_m(f64::from(number) * bucket_m - start_m, patch_m, pulse_m);
            bucket.level += heard * (up_to_m - before_m) / bucket_m;
            before_m = up_to_m;
        }
    }

    /// Distance to a target that no surface hides, m.
    fn distance_to(&self, pose: &SensorPose, target: &PointTarget, surface: &(impl Surface + ?Sized)) -> Option<f64> {
        let way_m = target.place_m - pose.position_m;
        let distance_m = way_m.length();
        let ray = Ray::new(pose.position_m, way_m, distance_m * (1.0 - TOUCHING)).ok()?;
        (distance_m <= self.range_m && surface.cast(&ray).is_none()).then_some(distance_m)
    }
}
