//! A plane lidar, exact: each ray reads the distance to the nearest border, to rounding.
//!
//! The model and its limits are `docs/models/lidar.md`; what a ray reads of a segment is in `sight`. Every way of scanning does the same
//! arithmetic for a ray and a segment and keeps the nearest hit, so they agree bit for bit; they differ in the pairs that they look at.
//! [`Lidar::scan`] looks at those that may matter, [`Lidar::scan_every_pair`] at all.

mod arc;
mod beam;
mod params;
mod scanner;
mod sight;

pub use params::LidarParams;
pub use scanner::Scanner;

use crate::map::{Segment, SegmentMap};
use crate::pose::Pose;
use crate::traffic::Traffic;
use beam::Beam;
use sight::{larger, smaller};
use sim_core::{DVec2, ParamError, angle};

/// Share by which a range may pass a limit by rounding and is still within it.
const LIMIT_SLACK: f64 = 4e-15;

/// What a lidar sees.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// What stands still.
    pub map: &'a SegmentMap,
    /// All cars.
    pub traffic: &'a Traffic,
    /// The car that carries the lidar, which the lidar does not see.
    pub own_car: Option<usize>,
}

/// A lidar on a car. Fixed for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Lidar {
    params: LidarParams,
    /// Unit vectors along the rays, in the axes of the car.
    rays_in_car: Vec<DVec2>,
}

impl Lidar {
    /// A lidar with these parameters.
    ///
    /// # Errors
    /// If a parameter is out of its range: see [`LidarParams`].
    pub fn new(params: LidarParams) -> Result<Self, ParamError> {
        let ray = |k| angle::unit(params.mount.yaw_rad + angle_of(&params, k));
        Ok(Self { params, rays_in_car: (0..params.ray_count()?).map(ray).collect() })
    }

    /// Its parameters.
    #[must_use]
    pub fn params(&self) -> &LidarParams {
        &self.params
    }

    /// Number of rays.
    #[must_use]
    pub fn ray_count(&self) -> usize {
        self.rays_in_car.len()
    }

    /// Angle of a ray from the lidar's x axis.
    #[must_use]
    pub fn angle_rad(&self, ray: usize) -> f64 {
        angle_of(&self.params, ray)
    }

    /// Scans from a car that is at `car` for all rays. `ranges_m` gets a range a ray, m: infinite if there is nothing within
    /// `range_max_m`, minus infinity if it is nearer than `range_min_m`.
    pub fn scan(&self, scene: Scene<'_>, car: Pose, scanner: &mut Scanner, ranges_m: &mut Vec<f64>) {
        scanner.scan(self, scene, car);
        ranges_m.clear();
        ranges_m.extend_from_slice(scanner.inverse_ranges());
        self.limit(ranges_m);
    }

    /// The same by looking at every pair of a ray and a segment.
    pub fn scan_every_pair(&self, scene: Scene<'_>, car: Pose, ranges_m: &mut Vec<f64>) {
        self.scan_in_motion_every_pair(scene, |_| car, ranges_m);
    }

    /// Scans while the car moves: ray `k` leaves when the car is at `car_at(k)`. Other cars stand where they are.
    pub fn scan_in_motion(&self, scene: Scene<'_>, car_at: impl Fn(usize) -> Pose, ranges_m: &mut Vec<f64>) {
        let inverse_range = |ray| {
            let beam = self.beam(ray, car_at(ray));
            beam.into_traffic(scene.traffic, scene.own_car, beam.into_map(scene.map, 0.0))
        };
        ranges_m.clear();
        ranges_m.extend((0..self.ray_count()).map(inverse_range));
        self.limit(ranges_m);
    }

    /// The same by looking at every pair of a ray and a segment.
    pub fn scan_in_motion_every_pair(&self, scene: Scene<'_>, car_at: impl Fn(usize) -> Pose, ranges_m: &mut Vec<f64>) {
        let inverse_range = |ray| {
            let beam = self.beam(ray, car_at(ray));
            let mut nearest = 0.0;
            scene.visit_all(|segment| nearest = larger(nearest, beam.inverse_range(segment)));
            nearest
        };
        ranges_m.clear();
        ranges_m.extend((0..self.ray_count()).map(inverse_range));
        self.limit(ranges_m);
    }

    fn beam(&self, ray: usize, car: Pose) -> Beam {
        let forward = angle::unit(car.yaw_rad);
        Beam {
            origin_m: self.origin_m(car, forward),
            direction: forward.rotate(self.rays_in_car[ray]),
            range_max_m: self.params.range_max_m,
        }
    }

    /// Place of the lidar in the world.
    fn origin_m(&self, car: Pose, forward: DVec2) -> DVec2 {
        car.position_m + forward.rotate(self.params.mount.position_m)
    }

    /// Turns inverse ranges into ranges within the limits.
    fn limit(&self, ranges_m: &mut [f64]) {
        let LidarParams { range_min_m, range_max_m, .. } = self.params;
        let (low_m, high_m) = (range_min_m * (1.0 - LIMIT_SLACK), range_max_m * (1.0 + LIMIT_SLACK));
        for range in ranges_m {
            let range_m = 1.0 / *range;
            let within_m = larger(smaller(range_m, range_max_m), range_min_m);
            let from_low_m = if range_m < low_m { f64::NEG_INFINITY } else { within_m };
            *range = if range_m > high_m { f64::INFINITY } else { from_low_m };
        }
    }
}

/// A product, not a sum of increments: errors do not add up.
fn angle_of(params: &LidarParams, ray: usize) -> f64 {
    params.angle_min_rad + ray as f64 * params.increment_rad
}

impl Scene<'_> {
    fn visit_all(&self, mut visit: impl FnMut(&Segment)) {
        self.map.segments().iter().for_each(&mut visit);
        for (car, outline) in self.traffic.outlines().iter().enumerate() {
            if Some(car) != self.own_car {
                outline.edges().iter().for_each(&mut visit);
            }
        }
    }
}
