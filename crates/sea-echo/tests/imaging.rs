//! Side scan and forward-looking sonar by rays: closed forms of the reference, buckets, errors of distances, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod scenes;

use scenes::{level, plane, stream};
use sea_echo::imaging::{ImagingPing, Slips, angle_code, angle_of_code};
use sea_echo::{HeightGrid, ImagingParams, ImagingSonar, Material, Scene, Surface, SurfaceSet, TriangleMesh};
use sim_core::{DVec2, DVec3, ops};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use test_alloc::allocations_of;

/// The side scan of the reference's SAM, without errors.
const SAM: ImagingParams = ImagingParams {
    rays_per_beam: 256,
    opening_rad: FRAC_PI_4,
    tilt_rad: FRAC_PI_4,
    range_m: 100.0,
    buckets: 1000,
    gain: 1.0,
    distance_error_m: [0.0, 0.0],
    slips: Slips::NONE,
};

fn ping_of(sonar: &mut ImagingSonar, height_m: f64, surface: &impl Surface, seed: u64) -> ImagingPing {
    let mut ping = ImagingPing::default();
    let scene = Scene { surface, material_of: |_| Material::Rock };
    sonar.ping(&level(DVec3::Z * height_m), &scene, &mut stream(seed), &mut ping).unwrap();
    ping
}

fn bottom() -> HeightGrid {
    plane(0.0, DVec2::ZERO)
}

/// T-96 of the reference.
#[test]
fn a_side_scan_fills_the_buckets_of_the_reference() {
    let mut sonar = ImagingSonar::side_scan(SAM).unwrap();
    for (height_m, first, last) in [(10.0, 100, 141), (20.0, 200, 282), (5.0, 50, 70)] {
        let ping = ping_of(&mut sonar, height_m, &bottom(), 0);
        assert_eq!((ping.buckets.len(), ping.echoes.len()), (2000, 512));
        for side in ping.buckets.chunks_exact(1000) {
            assert!((0..1000).all(|n| (side[n].hits > 0) == (first..=last).contains(&n)), "{height_m}");
            assert_eq!(side.iter().map(|bucket| bucket.hits).sum::<u32>(), 256);
        }
        // From 45 deg to port to the keel, and from there to 45 deg to starboard; port is north here.
        let across_m = |ray: usize| ping.echoes[ray].unwrap().place_m.y / height_m;
        for (ray, expected) in [(0, 1.0), (255, 0.0), (256, 0.0), (511, -1.0)] {
            assert!((across_m(ray) - expected).abs() < 1e-14, "{ray}");
        }
    }
}

/// A bucket holds the mean of the closed form `(R - d)/R cos i 0.8` over its rays, times the gain.
#[test]
fn levels_are_means_of_closed_forms() {
    let params = ImagingParams { buckets: 50, gain: 1.2, ..SAM };
    let ping = ping_of(&mut ImagingSonar::side_scan(params).unwrap(), 12.5, &bottom(), 0);
    let rays = (0..256).map(|ray| FRAC_PI_4 * f64::from(ray) / 255.0);
    let distances: Vec<f64> = rays.map(|angle_rad| 12.5 / ops::cos(angle_rad)).collect();
    for side in ping.buckets.chunks_exact(50) {
        for (bucket, n) in side.iter().zip(0..) {
            let own = distances.iter().filter(|d| (2.0 * f64::from(n)..2.0 * f64::from(n + 1)).contains(d));
            let returned: Vec<f64> = own.map(|d| (100.0 - d) / 100.0 * 12.5 / d * 0.8).collect();
            assert_eq!(bucket.hits as usize, returned.len(), "{n}");
            let mean = returned.iter().sum::<f64>() / returned.len().max(1) as f64;
            assert!((bucket.level - 1.2 * mean).abs() < 1e-13, "{n}");
        }
    }
    // What is louder than 1 is cut off there; in 255ths nothing runs over.
    let loud =
        ping_of(&mut ImagingSonar::side_scan(ImagingParams { gain: 1e6, ..params }).unwrap(), 12.5, &bottom(), 0);
    assert!(loud.buckets.iter().all(|bucket| (bucket.level == 1.0) == (bucket.hits > 0)));
    assert_eq!((loud.buckets[6].byte(), loud.buckets[5].byte()), (255, 0));
}

/// The shadow of a box of height h at a distance r over the ground, from a sonar at height H, is h r/(H - h) long.
#[test]
fn a_box_throws_a_shadow_of_its_closed_form() {
    let (sonar_m, box_m, far_side_m) = (10.0, 1.0, 21.0);
    let cuboid = scenes::cuboid(DVec3::new(20.0, 2.0, 2.0 * box_m));
    let cuboid = TriangleMesh::new(scenes::moved(cuboid, DVec3::new(0.0, far_side_m - 1.0, 0.0))).unwrap();
    let bottom = bottom();
    let scene = SurfaceSet::new([&bottom as &dyn Surface, &cuboid]).unwrap();
    let params = ImagingParams { rays_per_beam: 20_000, opening_rad: 1.5, tilt_rad: 0.05, ..SAM };
    let ping = ping_of(&mut ImagingSonar::side_scan(params).unwrap(), sonar_m, &scene, 0);
    let slant_m = |ground_m: f64| DVec2::new(ground_m, sonar_m).length();
    let shadow_m = far_side_m + box_m * far_side_m / (sonar_m - box_m);
    // The last return before the shadow is that of the upper far edge; the first one behind it comes from the bottom.
    let edge_m = DVec2::new(far_side_m, sonar_m - box_m).length();
    let side = &ping.buckets[..1000];
    let [edge, end] = [edge_m, slant_m(shadow_m)].map(|slant_m| (slant_m / 0.1) as usize);
    assert!(side[edge].hits > 0 && side[end].hits > 0);
    assert!(side[edge + 1..end].iter().all(|bucket| bucket.hits == 0));
    assert!((end - edge) > 15, "{edge} to {end}");
    // On the other side there is no box and no shadow.
    assert!(ping.buckets[1000..][101..end].iter().all(|bucket| bucket.hits > 0));
}

/// T-97 of the reference, inside a sphere of 20 m: all rays level, one beam straight ahead.
#[test]
fn forward_looking_beams_turn_from_port_to_starboard() {
    let params = ImagingParams { rays_per_beam: 1, opening_rad: 0.0, tilt_rad: 0.0, ..SAM };
    let mut sonar = ImagingSonar::forward_looking(params, 31, 30_f64.to_radians()).unwrap();
    let sphere = TriangleMesh::new(scenes::sphere(20.0, 4)).unwrap();
    let ping = ping_of(&mut sonar, 0.0, &sphere, 0);
    for (beam, echo) in (0..).zip(&ping.echoes) {
        let (sin, cos) = ops::sin_cos((f64::from(beam) - 15.0).to_radians());
        let way = echo.unwrap().place_m.normalize();
        assert!((way - DVec3::new(cos, -sin, 0.0)).length() < 1e-14, "{beam}");
    }
    assert!((ping.echoes[15].unwrap().place_m.normalize() - DVec3::X).length() < 1e-15);
}

/// Rays lead downwards from the tilt on; over a level bottom their distance is h/sin, whatever the beam.
#[test]
fn forward_looking_rays_meet_the_bottom_at_closed_forms() {
    let params = ImagingParams { rays_per_beam: 11, opening_rad: 0.5, tilt_rad: 0.2, ..SAM };
    let mut sonar = ImagingSonar::forward_looking(params, 9, 2.0).unwrap();
    let ping = ping_of(&mut sonar, 8.0, &bottom(), 0);
    assert_eq!((ping.buckets.len(), ping.echoes.len()), (9000, 99));
    for (ray, echo) in ping.echoes.iter().enumerate() {
        let (beam, below_rad) = (ray / 11, 0.2 + 0.05 * (ray % 11) as f64);
        let echo = echo.unwrap();
        assert!((echo.distance_m - 8.0 / ops::sin(below_rad)).abs() < 1e-12, "{ray}");
        let (sin, cos) = ops::sin_cos(-1.0 + 0.25 * beam as f64);
        let out_m = 8.0 / ops::sin(below_rad) * ops::cos(below_rad);
        assert!((echo.place_m - DVec3::new(cos * out_m, -sin * out_m, 0.0)).length() < 1e-12, "{ray}");
    }
}

/// T-98 of the reference: 1e5 rays straight down with an error of 1 m, read in buckets of 0.1 m.
#[test]
fn errors_of_distances_have_their_mean_and_deviation() {
    let params = ImagingParams {
        rays_per_beam: 50_000,
        opening_rad: 0.0,
        tilt_rad: FRAC_PI_2,
        distance_error_m: [0.0, 1.0],
        ..SAM
    };
    let mut sonar = ImagingSonar::side_scan(params).unwrap();
    let ping = ping_of(&mut sonar, 10.0, &bottom(), 1);
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (n, bucket) in ping.buckets.iter().enumerate() {
        let (hits, error_m) = (f64::from(bucket.hits), 0.1 * ((n % 1000) as f64 + 0.5) - 10.0);
        (count, sum, squares) = (count + hits, sum + hits * error_m, squares + hits * error_m * error_m);
    }
    let mean_m = sum / count;
    // Sheppard: buckets add a twelfth of the square of their width.
    let deviation_m = (squares / count - mean_m * mean_m - 0.1 * 0.1 / 12.0).sqrt();
    assert_eq!(count, 1e5);
    assert!(mean_m.abs() < 0.01 && (deviation_m - 1.0).abs() < 0.01, "{mean_m} {deviation_m}");
    assert_eq!(ping, ping_of(&mut sonar, 10.0, &bottom(), 1));
    assert_ne!(ping, ping_of(&mut sonar, 10.0, &bottom(), 2));
    // Points are where they are.
    assert!(ping.echoes.iter().all(|echo| (echo.unwrap().distance_m - 10.0).abs() < 1e-13));
}

/// A ray that meets nothing draws its error too: what others read does not depend on it.
#[test]
fn errors_of_rays_do_not_depend_on_other_rays() {
    let params = ImagingParams { rays_per_beam: 2, opening_rad: FRAC_PI_4, distance_error_m: [0.0, 1.0], ..SAM };
    let mut sonar = ImagingSonar::side_scan(params).unwrap();
    // At 9 m a ray at 45 deg is 12.7 m long; with a range of 10 m it meets nothing.
    let near = ImagingParams { range_m: 10.0, buckets: 100, ..params };
    let all = ping_of(&mut sonar, 9.0, &bottom(), 3);
    let some = ping_of(&mut ImagingSonar::side_scan(near).unwrap(), 9.0, &bottom(), 3);
    assert_eq!(some.echoes.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true, false]);
    let heard = |ping: &ImagingPing, side: usize, of: usize| {
        ping.buckets[side * of..][..100].iter().map(|bucket| bucket.hits).collect::<Vec<_>>()
    };
    for side in 0..2 {
        let (one, other) = (heard(&all, side, 1000), heard(&some, side, 100));
        assert!(other.iter().sum::<u32>() <= 1 && one.iter().zip(&other).all(|(all, some)| some <= all), "{side}");
    }
}

#[test]
fn what_is_heard_outside_of_the_range_is_dropped() {
    let heard = |mean_m: f64| {
        let params = ImagingParams { distance_error_m: [mean_m, 0.0], rays_per_beam: 9, opening_rad: 0.0, ..SAM };
        let ping = ping_of(&mut ImagingSonar::side_scan(params).unwrap(), 5.0, &bottom(), 0);
        ping.buckets.iter().position(|bucket| bucket.hits == 9)
    };
    // 45 deg at 5 m: 7.07 m. What would be heard before the ping is heard at once.
    assert_eq!(
        [heard(0.0), heard(-6.0), heard(-20.0), heard(92.9), heard(93.0)],
        [Some(70), Some(10), Some(0), Some(999), None]
    );
}

#[test]
fn a_second_ping_does_not_allocate() {
    let bottom = bottom();
    let scene = Scene { surface: &bottom, material_of: |_| Material::Mud };
    let params = ImagingParams { rays_per_beam: 20, ..ImagingParams::default() };
    let mut sonar = ImagingSonar::forward_looking(params, 15, 1.0).unwrap();
    let (mut ping, mut errors) = (ImagingPing::default(), stream(0));
    let mut go = |x_m: f64, ping: &mut ImagingPing| {
        sonar.ping(&level(DVec3::new(x_m, 0.0, 10.0)), &scene, &mut errors, ping).unwrap();
    };
    go(0.0, &mut ping);
    assert_eq!(allocations_of(|| go(3.0, &mut ping)), 0);
}

#[test]
fn wrong_values_are_refused_by_name() {
    let refused = |params| ImagingSonar::side_scan(params).unwrap_err().to_string();
    let many = ImagingParams { rays_per_beam: 100_000, ..SAM };
    assert_eq!(refused(ImagingParams { rays_per_beam: 0, ..SAM }), "rays_per_beam is 0, must be from 1 to 100000");
    assert!(refused(ImagingParams { opening_rad: 400_f64.to_radians(), ..SAM }).starts_with("opening_rad is 6.98"));
    assert!(refused(ImagingParams { tilt_rad: f64::NAN, ..SAM }).starts_with("tilt_rad is NaN"));
    assert_eq!(refused(ImagingParams { range_m: 0.0, ..SAM }), "range_m is 0, must be from 0.01 to 100000");
    assert_eq!(refused(ImagingParams { buckets: 0, ..SAM }), "buckets is 0, must be from 1 to 100000");
    assert_eq!(refused(ImagingParams { gain: -1.0, ..SAM }), "gain is -1, must be from 0 to 1000000");
    let error = ImagingParams { distance_error_m: [0.0, -1.0], ..SAM };
    assert_eq!(refused(error), "distance_error_m is -1, must be from 0 to 1000");
    let forward =
        |params, beams, width_rad| ImagingSonar::forward_looking(params, beams, width_rad).unwrap_err().to_string();
    assert_eq!(forward(SAM, 0, 1.0), "beams is 0, must be from 1 to 10000");
    assert!(forward(SAM, 3, 7.0).starts_with("width_rad is 7, must be from 0 to 6.28"));
    assert_eq!(forward(many, 11, 1.0), "rays_per_beam makes 1100000 in all beams, must be at most 1000000");
    let fine = ImagingParams { rays_per_beam: 1, buckets: 10_000, ..SAM };
    assert_eq!(forward(fine, 1001, 1.0), "buckets makes 10010000 in all beams, must be at most 10000000");
    let mut sonar = ImagingSonar::side_scan(SAM).unwrap();
    let (bottom, mut ping) = (bottom(), ImagingPing::default());
    let scene = Scene { surface: &bottom, material_of: |_| Material::Mud };
    let error = sonar.ping(&level(DVec3::X * f64::NAN), &scene, &mut stream(0), &mut ping).unwrap_err();
    assert_eq!(error.field, "origin_m");
}

/// A bucket's angle is the mean of its rays' angles from straight down towards starboard; 16 bits hold it to half a step.
#[test]
fn buckets_tell_from_where_they_are_heard() {
    let params = ImagingParams { rays_per_beam: 2000, ..SAM };
    let ping = ping_of(&mut ImagingSonar::side_scan(params).unwrap(), 10.0, &bottom(), 0);
    for (side, number) in [(-1.0, 120), (1.0, 1120)] {
        // Rays between 12.0 and 12.1 m, 10 m above the bottom.
        let [from, to] = [12.0, 12.1].map(|slant_m| ops::acos(10.0 / slant_m));
        let bucket = ping.buckets[number];
        assert!((bucket.angle_rad - side * 0.5 * (from + to)).abs() < FRAC_PI_4 / 1999.0, "{bucket:?}");
        assert_eq!(bucket.class, 1);
        let angle_rad = bucket.angle_rad - FRAC_PI_2;
        assert!((angle_of_code(angle_code(angle_rad)) - angle_rad).abs() <= 0.5 / 20_860.0 + 1e-15);
    }
    assert_eq!([-std::f64::consts::PI, 0.0].map(angle_code), [0, 65_534]);
    assert!((0..=u16::MAX).all(|code| angle_code(angle_of_code(code)) == code));
}
