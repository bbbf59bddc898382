//! Echoes by way of the surface, by images.
//!
//! # Equations
//! A ray has met a place P at distance r0 from the sensor S. Still water has the image P' of P above it; the level plane through P has
//! the image P'' of P' below it. So sound also goes over the surface, r1 = |P' - S|, and off the bottom and over the surface,
//! r2 = |P'' - S|. Three echoes are heard beside the straight one, the last where what is met is level to 30 deg:
//!
//! ```text
//! at (r0 + r1)/2, both ways round     at r1     at (r0 + r2)/2, both ways round: over a level bottom the second return
//! level = SL - TL(r_a) - TL(r_b) + S + 10 log A + B_a + B_b - L_a - L_b
//! L_1 = 40 (k sigma sin t)^2 log e, t the grazing angle at the surface        L_2 the same, and the loss at the bottom
//! ```
//!
//! S and A are those of the straight way, B_a is the beam's one-way power where way a leaves. The way over the surface is heard if
//! nothing is in between; that off the bottom takes the bottom for level all round. Small targets have ways over the surface alone.
//! Source: image sources as in Urick, Principles of Underwater Sound, 1983; coherent loss of a rough surface as in the sea facts,
//! section 8.

use super::{BeamRays, Bucket, ImagingSonar, TOUCHING};
use crate::acoustic::{Acoustics, PointTarget, loss_db, power};
use crate::echo::{Scene, SensorPose};
use crate::material::Material;
use crate::multipath::Multipath;
use crate::ray::Ray;
use crate::surface::Surface;
use sim_core::DVec3;

/// A way one way.
#[derive(Clone, Copy)]
struct Leg {
    length_m: f64,
    /// Share of the power at 1 m that arrives, the beam's pattern included.
    share: f64,
}

/// Something that returns sound: its strength, dB, and the length in distance of its patch, m.
#[derive(Clone, Copy)]
struct Place {
    at_m: DVec3,
    strength_db: f64,
    patch_m: f64,
    is_level: bool,
}

/// Cosine of the steepest slope that counts as level: 30 deg.
const LEVEL: f64 = 0.866;

/// The way over the surface to a place and its image, unless something is in it: from the sensor to the image, m.
fn by_surface(multipath: &Multipath, [from_m, to_m]: [DVec3; 2], surface: &(impl Surface + ?Sized)) -> Option<DVec3> {
    let depths_m = [from_m, to_m].map(|end_m| multipath.surface_z_m - end_m.z);
    if depths_m.iter().any(|&depth_m| depth_m <= 0.0) {
        return None;
    }
    let bounce_m = from_m.lerp(to_m, depths_m[0] / (depths_m[0] + depths_m[1])).with_z(multipath.surface_z_m);
    let is_clear = |from_m: DVec3, to_m: DVec3| {
        let way_m = to_m - from_m;
        let ray = Ray::new(from_m, way_m, way_m.length() * (1.0 - TOUCHING));
        ray.is_ok_and(|ray| surface.cast(&ray).is_none())
    };
    (is_clear(from_m, bounce_m) && is_clear(bounce_m, to_m)).then(|| multipath.mirrored(to_m) - from_m)
}

impl BeamRays {
    fn leg(&self, pose: &SensorPose, way_m: DVec3, acoustics: &Acoustics) -> Leg {
        let length_m = way_m.length();
        let spread = power(-loss_db(length_m, acoustics.params().absorption_db_km));
        Leg { length_m, share: spread * self.one_way(pose, way_m / length_m, acoustics) }
    }
}

impl ImagingSonar {
    /// Adds what comes by way of the surface from all that the rays of a ping have met, and from targets.
    pub(super) fn add_surface_echoes<S: Surface + ?Sized, M: Fn(u32) -> Material>(
        &self,
        (multipath, acoustics): (&Multipath, &Acoustics),
        (pose, scene, targets): (&SensorPose, &Scene<'_, S, M>, &[PointTarget]),
        (buckets, echoes): (&mut [Bucket], &[Option<crate::echo::Echo>]),
    ) {
        let Self { params, beams, .. } = self;
        let ray_rad = params.ray_rad(acoustics);
        let of_beams = buckets.chunks_exact_mut(params.buckets as usize);
        for ((beam, buckets), echoes) in
            beams.iter().zip(of_beams).zip(echoes.chunks_exact(params.rays_per_beam as usize))
        {
            for (echo, ray) in echoes.iter().zip(beam.fan.rays()) {
                let Some(echo) = echo else { continue };
                let solid_angle_sr = ray_rad * acoustics.params().across_rad;
                let met = (echo.distance_m, echo.cos_incidence);
                let strength_db = acoustics.patch_db(echo.material, met, solid_angle_sr);
                let patch_m = params.patch_m(beam, (echo, ray), ray_rad);
                let place = Place { at_m: echo.place_m, strength_db, patch_m, is_level: echo.normal.z.abs() > LEVEL };
                self.add_images((multipath, acoustics), (pose, beam, place), scene.surface, buckets);
            }
            for target in targets.iter().filter(|target| params.distance_to(pose, target, scene.surface).is_some()) {
                let place =
                    Place { at_m: target.place_m, strength_db: target.strength_db, patch_m: 0.0, is_level: false };
                self.add_images((multipath, acoustics), (pose, beam, place), scene.surface, buckets);
            }
        }
    }

    /// The echoes of one place.
    fn add_images(
        &self,
        (multipath, acoustics): (&Multipath, &Acoustics),
        (pose, beam, place): (&SensorPose, &BeamRays, Place),
        surface: &(impl Surface + ?Sized),
        buckets: &mut [Bucket],
    ) {
        let (from_m, Place { at_m, strength_db, patch_m, is_level }) = (pose.position_m, place);
        let straight = beam.leg(pose, at_m - from_m, acoustics);
        let sent = power(acoustics.params().source_level_db + strength_db);
        let mut add = |legs: [Leg; 2], both_ways: f64| {
            let distance_m = 0.5 * (legs[0].length_m + legs[1].length_m);
            let heard = both_ways * sent * legs[0].share * legs[1].share;
            if distance_m - 0.5 * patch_m < self.params.range_m {
                self.params.add(buckets, heard, (distance_m, patch_m, acoustics.resolution_m()));
            }
        };
        if let Some(way_m) = by_surface(multipath, [from_m, at_m], surface) {
            let mut over = beam.leg(pose, way_m, acoustics);
            over.share *= multipath.surface_share(way_m / over.length_m);
            add([straight, over], 2.0);
            add([over, over], 1.0);
        }
        let image_m = multipath.mirrored(at_m);
        if is_level && image_m.z > at_m.z && from_m.z < multipath.surface_z_m {
            let way_m = image_m.with_z(2.0 * at_m.z - image_m.z) - from_m;
            let mut second = beam.leg(pose, way_m, acoustics);
            second.share *= multipath.surface_share(way_m / second.length_m) * power(-multipath.bottom_loss_db);
            add([straight, second], 2.0);
        }
    }
}
