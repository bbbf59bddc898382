//! Patterns of lidars and cameras. Expected values: REF 12.10 and 12.11 of the sea facts, Velodyne's manuals.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sea_echo::scan::{Pinhole, Rosette, ScanPattern, Spinner, even_elevations_rad, intensity};
use sea_echo::{Capsule, Ray};
use sim_core::{DVec3, ops};

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

fn degrees(spinner: Spinner) -> Vec<f64> {
    spinner.elevations_rad().iter().map(|rad| (1e3 * rad.to_degrees()).round() / 1e3).collect()
}

/// Counts of REF: 57 600, 115 200 and 460 800 points at 0.1 degrees.
#[test]
fn patterns_have_the_channels_of_their_devices() {
    for (spinner, channels, low, high) in
        [(Spinner::Vlp16, 16, -15.0, 15.0), (Spinner::Hdl32e, 32, -30.667, 10.667), (Spinner::Vls128, 128, -25.0, 15.0)]
    {
        let mut all = degrees(spinner);
        let pattern = ScanPattern::spinning(&spinner.elevations_rad(), 3600).unwrap();
        assert_eq!((all.len(), pattern.directions().len()), (channels, channels * 3600));
        all.sort_by(f64::total_cmp);
        assert_eq!((all[0], all[channels - 1]), (low, high));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
    }
    assert_eq!(degrees(Spinner::Vlp16)[..5], [-15.0, 1.0, -13.0, 3.0, -11.0]);
    assert_eq!(degrees(Spinner::Hdl32e)[..4], [-30.667, -9.333, -29.333, -8.0]);
    let even: Vec<f64> = even_elevations_rad(5, [-0.2, 0.2]);
    even.iter().zip([-0.2, -0.1, 0.0, 0.1, 0.2]).for_each(|(found, expected)| near(*found, expected, 1e-15));
    assert_eq!(even_elevations_rad(1, [-0.2, 0.2]), [-0.2]);
}

/// The published figures of a Mid-360: 360 by 59 degrees from -7 to 52, 200 000 rays a second. No direction comes twice in 5 s, and what
/// one scan of 20 000 rays leaves out of the cells of a degree, ten scans have met.
#[test]
fn a_rosette_fills_its_view_and_does_not_repeat() {
    let rosette = Rosette::mid_360();
    assert_eq!(rosette.rays_hz, 200_000.0);
    let pattern = rosette.pattern(1_000_000).unwrap();
    let mut all: Vec<[u64; 3]> = pattern.directions().iter().map(|way| way.to_array().map(f64::to_bits)).collect();
    all.sort_unstable();
    assert!(all.len() == 1_000_000 && all.windows(2).all(|pair| pair[0] != pair[1]));
    let angles = |ray: u32| rosette.angles_rad(ray).map(f64::to_degrees);
    let scan = || (0..20_000).map(angles);
    let ends = scan().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [_, up]| [low.min(up), high.max(up)]);
    assert!((-7.0..-6.5).contains(&ends[0]) && (51.5..=52.0).contains(&ends[1]), "{ends:?}");
    let share = |rays: u32| {
        let mut is_met = vec![false; 360 * 59];
        for [azimuth, up] in (0..rays).map(angles) {
            is_met[azimuth as usize * 59 + ((up + 7.0) as usize).min(58)] = true;
        }
        is_met.iter().filter(|is_met| **is_met).count() as f64 / (360.0 * 59.0)
    };
    assert!(share(20_000) < 0.6 && share(200_000) > 0.999, "{} {}", share(20_000), share(200_000));
    // Upwards and downwards alike: the mean elevation is that of the middle.
    near(scan().map(|[_, up]| up).sum::<f64>() / 20_000.0, 22.5, 0.2);
    assert!(rosette.pattern(1_000_001).is_err() && rosette.pattern(0).is_err());
}

/// All channels of a step, then those of the next one, to the left.
#[test]
fn rays_go_step_by_step() {
    let pattern = ScanPattern::spinning(&[0.0, 0.5], 4).unwrap();
    let (up, across) = (ops::sin(0.5), ops::cos(0.5));
    let expected = [DVec3::X, DVec3::new(across, 0.0, up), DVec3::Y, DVec3::new(0.0, across, up), DVec3::NEG_X];
    for (found, expected) in pattern.directions().iter().zip(expected) {
        assert!(found.distance(expected) < 1e-15);
    }
    let table = ScanPattern::table(&[[0.0, 0.0], [0.0, 0.5]]).unwrap();
    assert_eq!(table.directions(), &pattern.directions()[..2]);
}

/// T-102: a sphere of 20 m round the lidar. T-103: 5 m.
#[test]
fn a_sphere_round_a_lidar_is_at_its_radius_t102() {
    let sphere = Capsule { ends_m: [DVec3::new(1.0, 2.0, 3.0); 2], radius_m: 20.0 };
    let pattern = ScanPattern::spinning(&Spinner::Vlp16.elevations_rad(), 360).unwrap();
    for &way in pattern.directions() {
        let distance_m = sphere.cast(&Ray::new(DVec3::new(1.0, 2.0, 3.0), way, 130.0).unwrap()).unwrap();
        near(distance_m, 20.0, 1e-12);
        near(intensity(distance_m), 0.159_375, 1e-12);
    }
    near(intensity(5.0), 2.55, 1e-15);
    assert_eq!(intensity(0.1), 255.0);
}

/// T-101: a wall 5 m ahead has the depth 5 at all pixels; a ray to the middle of the corner's pixel is that much longer. T-100: 888.889 and
/// 1000 pixels of focal length with 50 mm over 36 by 24 mm.
#[test]
fn a_wall_has_one_depth_t101() {
    let pinhole = Pinhole { pixels: [640, 480], focal: [50.0 / 36.0, 50.0 / 24.0] };
    near(pinhole.focal[0] * 640.0, 888.889, 5e-4);
    near(pinhole.focal[1] * 480.0, 1000.0, 1e-9);
    let pattern = ScanPattern::pinhole(&pinhole).unwrap();
    let length_m = |ray: usize| 5.0 / pattern.directions()[ray].x;
    for ray in (0..640 * 480).step_by(7919) {
        near(length_m(ray) * pattern.directions()[ray].x, 5.0, 1e-14);
    }
    let [right, down] = [319.5 / (pinhole.focal[0] * 640.0), 239.5 / (pinhole.focal[1] * 480.0)];
    near(length_m(0), 5.0 * (1.0 + right * right + down * down).sqrt(), 1e-12);
    // Upper left, then to the right: the first pixel is to the left and up.
    let first = pattern.directions()[0];
    assert!(
        first.y > 0.0 && first.z > 0.0 && pattern.directions()[639].y < 0.0 && pattern.directions()[640].z < first.z
    );
}

#[test]
fn wrong_patterns_are_refused() {
    let said = |made: Result<ScanPattern, sim_core::ParamError>| made.unwrap_err().to_string();
    assert_eq!(said(ScanPattern::table(&[])), "rays are 0, must be 1 to 1000000");
    assert_eq!(said(ScanPattern::spinning(&[0.0; 128], 10_000)), "rays are 1280000, must be 1 to 1000000");
    assert!(said(ScanPattern::table(&[[0.0, 1.6]])).starts_with("elevation_rad is 1.6, must be from -1.57"));
    let pinhole = Pinhole { pixels: [4, 4], focal: [0.001, 1.0] };
    assert_eq!(said(ScanPattern::pinhole(&pinhole)), "focal is 0.001, must be from 0.01 to 100");
}
