//! Levels of echoes against closed forms that are worked out here as products of powers, not as sums of decibels.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod scenes;

use scenes::{level, plane, stream};
use sea_echo::acoustic::{db, quantised, speckle};
use sea_echo::imaging::{ImagingPing, Slips};
use sea_echo::multibeam::{BeamReading, Ping};
use sea_echo::{
    AcousticParams, Acoustics, BeamPattern, HeightGrid, ImagingParams, ImagingSonar, Material, Multibeam,
    MultibeamParams, PointTarget, Scattering, ScatteringTable, Scene, Surface, SurfaceSet, TriangleMesh,
};
use sim_core::{DVec2, DVec3, ops};
use std::f64::consts::{FRAC_PI_2, LN_10};
use test_alloc::allocations_of;

/// Without speckle, and with noise far below every echo.
fn quiet() -> AcousticParams {
    AcousticParams { looks: 0, noise_level_db: -200.0, tvg: None, ..AcousticParams::default() }
}

fn ten_to(exponent: f64) -> f64 {
    ops::exp(LN_10 * exponent)
}

/// Power of an echo at the receiver by the sonar equation, as a product.
fn echo_power(params: &AcousticParams, distance_m: f64, strength: f64) -> f64 {
    let (d2, absorbed) = (distance_m * distance_m, ten_to(-2e-4 * params.absorption_db_km * distance_m));
    ten_to(0.1 * params.source_level_db) / (d2 * d2) * absorbed * strength
}

fn ping_of(params: MultibeamParams, acoustics: AcousticParams, height_m: f64) -> Ping {
    let (bottom, mut ping) = (plane(0.0, DVec2::ZERO), Ping::default());
    let scene = Scene { surface: &bottom, material_of: |_| Material::Mud };
    let mut sonar = Multibeam::new(params).unwrap();
    sonar.ping(&level(DVec3::Z * height_m), &scene, &mut ping).unwrap();
    sonar.hear(&Acoustics::new(acoustics).unwrap(), &mut stream(1), &mut ping);
    ping
}

fn image_of(params: ImagingParams, acoustics: AcousticParams, at: (f64, &dyn Surface, &[PointTarget])) -> ImagingPing {
    let (height_m, surface, targets) = at;
    let (mut sonar, mut ping) = (ImagingSonar::side_scan(params).unwrap(), ImagingPing::default());
    let scene = Scene { surface, material_of: |_| Material::Mud };
    let acoustics = Acoustics::new(acoustics).unwrap();
    let draws = &mut stream(2);
    sonar.hear(&level(DVec3::Z * height_m), (&scene, targets), (&acoustics, draws), &mut ping).unwrap();
    ping
}

fn bottom() -> HeightGrid {
    plane(0.0, DVec2::ZERO)
}

/// Nothing within reach.
fn deep() -> HeightGrid {
    plane(-5000.0, DVec2::ZERO)
}

/// -3.0103 dB at half the width one way, as the sea facts have it for narrow beams.
#[test]
fn beams_have_half_their_power_at_half_their_width() {
    for width_deg in [0.5_f64, 1.5, 20.0, 50.0, 120.0] {
        let width_rad = width_deg.to_radians();
        for pattern in [BeamPattern::Sinc, BeamPattern::Gaussian] {
            let half_db = db(pattern.power(0.5 * width_rad, width_rad));
            assert!((half_db - db(0.5)).abs() < 1e-11, "{pattern:?} {width_deg} {half_db}");
            assert_eq!(pattern.power(0.0, width_rad), 1.0);
        }
    }
    // The first side lobe of (sin x/x)^2 is at x = 4.493409, 13.26 dB down; the form of the facts, narrow beams.
    let (width_rad, angle_rad) = (0.01, ops::asin(4.493_409 * 0.01 / (0.885_893 * std::f64::consts::PI)));
    assert!((db(BeamPattern::Sinc.power(angle_rad, width_rad)) + 13.26).abs() < 0.005);
    assert_eq!(BeamPattern::Even.power(1.0, 0.1), 1.0);
}

/// A beam of one ray: the source's power through the two-way loss, from a patch by Lambert.
#[test]
fn levels_of_a_level_bottom_are_those_of_the_sonar_equation() {
    let params = MultibeamParams { beams: 31, opening_rad: 2.0, beam_width_rad: 0.02, ..MultibeamParams::default() };
    let acoustics = AcousticParams { width_rad: 0.02, across_rad: 0.015, tvg: Some(20.0), gain_db: -7.0, ..quiet() };
    let ping = ping_of(params, acoustics.clone(), 12.0);
    for (beam, read) in (0..).zip(&ping.beams) {
        let cos = ops::cos(params.beam_angle_rad(beam));
        let distance_m = 12.0 / cos;
        let strength = ten_to(-2.7) * cos * cos * (distance_m * distance_m * 0.02 * 0.015 / cos);
        let shown = echo_power(&acoustics, distance_m, strength) * distance_m * distance_m * ten_to(-0.7);
        let shown = shown * ten_to(2e-4 * acoustics.absorption_db_km * distance_m);
        let (expected_db, level_db) = (db(shown), read.level_db.unwrap());
        assert!((level_db - expected_db).abs() < 1e-9, "{beam} {level_db} {expected_db}");
        assert!((read.range_m.unwrap() - distance_m).abs() < 1e-12 && read.class == 1);
    }
}

/// Three rays: powers add, two ways through the pattern; the distance is weighted by amplitudes, or that of the first return.
#[test]
fn beams_of_several_rays_add_powers() {
    let (width_rad, height_m) = (0.6, 20.0);
    let params =
        MultibeamParams { beams: 1, rays_per_beam: 3, beam_width_rad: width_rad, ..MultibeamParams::default() };
    let acoustics = AcousticParams { width_rad, across_rad: 0.1, pattern: BeamPattern::Gaussian, ..quiet() };
    let ping = ping_of(params, acoustics.clone(), height_m);
    let (mut sum, mut amplitudes, mut weighted) = (0.0, 0.0, 0.0);
    for off_rad in [-0.2, 0.0, 0.2] {
        let cos = ops::cos(off_rad);
        let distance_m = height_m / cos;
        let one_way = ops::exp(-4.0 * ops::ln(2.0) * (off_rad / width_rad) * (off_rad / width_rad));
        let strength = ten_to(-2.7) * cos * distance_m * distance_m * 0.2 * 0.1;
        let heard = echo_power(&acoustics, distance_m, strength) * one_way * one_way;
        (sum, amplitudes, weighted) = (sum + heard, amplitudes + heard.sqrt(), weighted + heard.sqrt() * distance_m);
    }
    let beam = ping.beams[0];
    assert!((beam.level_db.unwrap() - db(sum)).abs() < 1e-9, "{beam:?} {}", db(sum));
    assert!((beam.range_m.unwrap() - weighted / amplitudes).abs() < 1e-12);
    let first = ping_of(MultibeamParams { reading: BeamReading::First, ..params }, acoustics, height_m);
    assert!((first.beams[0].range_m.unwrap() - height_m).abs() < 1e-12);
}

/// Below the noise by a threshold nothing is detected, though the level is there.
#[test]
fn a_beam_must_stand_out_of_the_noise() {
    let params = MultibeamParams { beams: 1, beam_width_rad: 0.02, ..MultibeamParams::default() };
    let loud = AcousticParams { width_rad: 0.02, across_rad: 0.02, ..quiet() };
    let echo_db = ping_of(params, loud.clone(), 30.0).beams[0].level_db.unwrap();
    for (above_db, is_heard) in [(10.1, true), (9.4, false)] {
        // Signal and noise together are above the noise by 10 log(1 + s): 10 dB ask for s = 9, 9.54 dB.
        let noise_level_db = echo_db - above_db;
        let beam = ping_of(params, AcousticParams { noise_level_db, ..loud.clone() }, 30.0).beams[0];
        assert_eq!((beam.range_m.is_some(), beam.hits), (is_heard, 1), "{above_db}");
        assert!(beam.level_db.unwrap() >= echo_db - 0.1);
    }
}

/// Buckets of 5 cm that an echo of 15 cm covers read its level; others read the noise.
#[test]
fn a_small_target_is_heard_at_its_level_for_the_length_of_a_pulse() {
    let params = ImagingParams { buckets: 2000, opening_rad: 0.8, tilt_rad: 0.1, ..ImagingParams::default() };
    let acoustics =
        AcousticParams { pulse_s: 2e-4, width_rad: 0.8, across_rad: 0.03, pattern: BeamPattern::Gaussian, ..quiet() };
    // To starboard of a sensor that looks east is south; 0.5 rad below the horizon is the middle of the beam.
    let (sin, cos) = ops::sin_cos(0.6);
    let (along_rad, strength_db) = (0.01, -12.0);
    let (sin_a, cos_a) = ops::sin_cos(along_rad);
    let place_m = DVec3::new(sin_a, -cos_a * cos, -cos_a * sin) * 40.0;
    let ping = image_of(params, acoustics.clone(), (0.0, &deep(), &[PointTarget { place_m, strength_db }]));
    let gaussian = |angle_rad: f64, width_rad: f64| {
        ops::exp(-4.0 * ops::ln(2.0) * (angle_rad / width_rad) * (angle_rad / width_rad))
    };
    let one_way = gaussian(0.1, 0.8) * gaussian(along_rad, 0.03);
    let expected_db = db(echo_power(&acoustics, 40.0, ten_to(-1.2)) * one_way * one_way);
    let side = &ping.buckets[2000..];
    for covered in [800, 801, 802] {
        assert!((side[covered].level - expected_db).abs() < 1e-9, "{covered} {} {expected_db}", side[covered].level);
    }
    assert!(side[799].level < -190.0 && side[803].level < -190.0);
    assert!(ping.buckets[..2000].iter().all(|bucket| bucket.level < expected_db - 100.0));
    // Behind a wall it is not heard.
    let wall = TriangleMesh::new(scenes::moved(scenes::cuboid(DVec3::splat(4.0)), place_m * 0.5)).unwrap();
    let hidden = image_of(params, acoustics, (0.0, &wall, &[PointTarget { place_m, strength_db }]));
    assert!(hidden.buckets[2800..2803].iter().all(|bucket| bucket.level < -190.0));
}

/// A rigid sphere returns a^2/4. Two of them, one behind the other, are two echoes from c tau/2 on.
#[test]
fn spheres_are_told_apart_from_half_a_pulse_on() {
    let params = ImagingParams { buckets: 4000, opening_rad: 0.8, tilt_rad: 0.1, ..ImagingParams::default() };
    let acoustics = AcousticParams { pulse_s: 2e-4, width_rad: 0.8, looks: 0, noise_level_db: 20.0, ..quiet() };
    let resolution_m = Acoustics::new(acoustics.clone()).unwrap().resolution_m();
    assert!((resolution_m - 0.15).abs() < 1e-15);
    let way = DVec3::new(0.0, -ops::cos(0.5), -ops::sin(0.5));
    let gap_db = |apart_m: f64| {
        let targets = [30.0, 30.0 + apart_m].map(|distance_m| PointTarget::sphere(way * distance_m, 0.2));
        let ping = image_of(params, acoustics.clone(), (0.0, &deep(), &targets));
        let number = |distance_m: f64| 4000 + (distance_m / 0.025) as usize;
        ping.buckets[number(30.0) + 1..number(30.0 + apart_m)].iter().map(|b| b.level).fold(f64::INFINITY, f64::min)
    };
    let sphere_db = db(echo_power(&acoustics, 30.0, 0.01));
    assert!(gap_db(0.9 * resolution_m) > sphere_db - 0.1, "{} {sphere_db}", gap_db(0.9 * resolution_m));
    assert!((gap_db(1.6 * resolution_m) - 20.0).abs() < 1e-9);
}

/// Power over a level bottom as long as the pulse decides: the patch `(c tau/2) theta r/cos t` of the facts.
#[test]
fn an_image_of_a_level_bottom_has_the_level_of_its_patch() {
    let params = ImagingParams {
        rays_per_beam: 2000,
        opening_rad: 1.5,
        tilt_rad: 0.05,
        buckets: 1000,
        ..ImagingParams::default()
    };
    let acoustics = AcousticParams { pattern: BeamPattern::Even, across_rad: 0.02, pulse_s: 1e-4, ..quiet() };
    let ping = image_of(params, acoustics.clone(), (15.0, &bottom(), &[]));
    for number in (200..800).step_by(13) {
        // A pulse before the middle of a bucket is at its end, on average half a pulse nearer.
        let distance_m = (f64::from(number) + 0.5) * 0.1 - 0.5 * 0.075;
        let sin = 15.0 / distance_m;
        let area_m2 = 0.075 * 0.02 * distance_m / (1.0 - sin * sin).sqrt();
        let expected_db = db(echo_power(&acoustics, distance_m, ten_to(-2.7) * sin * sin * area_m2));
        let read_db = ping.buckets[number as usize].level;
        assert!((read_db - expected_db).abs() < 0.05, "{number} {read_db} {expected_db}");
    }
    // Before the bottom there is water alone.
    assert!(ping.buckets[..149].iter().all(|bucket| bucket.level < -190.0));
}

/// 30 log r makes a bottom level that scatters alike at all angles, 20 log r a beam straight down at all heights.
#[test]
fn time_varied_gain_flattens_a_level_bottom() {
    let even = ScatteringTable::default().with(Material::Mud, Scattering::Table(vec![[0.0, -30.0]]));
    let acoustics = AcousticParams { pattern: BeamPattern::Even, tvg: Some(30.0), scattering: even, ..quiet() };
    let params = ImagingParams { rays_per_beam: 3000, opening_rad: 1.5, tilt_rad: 0.05, ..ImagingParams::default() };
    let ping = image_of(params, acoustics, (12.0, &bottom(), &[]));
    // From 2.2 heights on the patch is within 0.5 dB of what it is far away; 90 m are within the rays.
    let side = &ping.buckets[(2.3 * 12.0 / 0.1) as usize..900];
    let mean_db = side.iter().map(|bucket| bucket.level).sum::<f64>() / side.len() as f64;
    assert!(side.iter().all(|bucket| (bucket.level - mean_db).abs() < 0.5), "{mean_db}");
    let params = MultibeamParams { beams: 1, beam_width_rad: 0.02, ..MultibeamParams::default() };
    let straight = AcousticParams { width_rad: 0.02, tvg: Some(20.0), ..quiet() };
    let shown_db = |height_m: f64| ping_of(params, straight.clone(), height_m).beams[0].level_db.unwrap();
    for height_m in [3.0, 17.0, 90.0] {
        assert!((shown_db(height_m) - shown_db(10.0)).abs() < 1e-9, "{height_m}");
    }
}

/// A million looks: the standard error of mean and deviation is 0.1 %. Sixteen looks have a quarter of the contrast.
#[test]
fn speckle_deviates_by_its_mean() {
    let mut draws = stream(5);
    let mut moments = |looks: u32| {
        let read: Vec<f64> = (0..1_000_000).map(|_| speckle(looks, &mut draws)).collect();
        let mean = read.iter().sum::<f64>() / 1e6;
        (mean, (read.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / 1e6).sqrt())
    };
    let (mean, deviation) = moments(1);
    assert!((mean - 1.0).abs() < 0.01 && (deviation / mean - 1.0).abs() < 0.01, "{mean} {deviation}");
    let (mean, deviation) = moments(16);
    assert!((mean - 1.0).abs() < 0.01 && (deviation / mean - 0.25).abs() < 0.0025, "{mean} {deviation}");
    assert_eq!(speckle(0, &mut draws), 1.0);
}

/// Water alone: noise with its speckle, at the level of the noise on average.
#[test]
fn without_an_echo_there_is_noise() {
    let acoustics = AcousticParams { noise_level_db: 61.0, looks: 1, ..quiet() };
    let params = ImagingParams { buckets: 50_000, rays_per_beam: 2, ..ImagingParams::default() };
    let ping = image_of(params, acoustics, (0.0, &deep(), &[]));
    let mean = ping.buckets.iter().map(|bucket| ten_to(0.1 * bucket.level)).sum::<f64>() / 1e5;
    // 1e5 looks: 0.3 % is 0.014 dB.
    assert!((db(mean) - 61.0).abs() < 0.06, "{}", db(mean));
    assert!(ping.buckets.iter().all(|bucket| bucket.hits == 0 && bucket.class == 0));
}

/// A box of 1 m at 21 m over the ground from a sonar at 10 m: `h r/(H - h)` of the bottom read noise alone.
#[test]
fn a_shadow_has_its_closed_form() {
    let (sonar_m, box_m, far_side_m) = (10.0, 1.0, 21.0);
    let cuboid = scenes::moved(scenes::cuboid(DVec3::new(20.0, 2.0, 2.0)), DVec3::new(0.0, far_side_m - 1.0, 0.0));
    let cuboid = TriangleMesh::new(cuboid).unwrap();
    let bottom = bottom();
    let scene = SurfaceSet::new([&bottom as &dyn Surface, &cuboid]).unwrap();
    let params = ImagingParams { rays_per_beam: 20_000, opening_rad: 1.5, tilt_rad: 0.05, ..ImagingParams::default() };
    let acoustics = AcousticParams { pattern: BeamPattern::Even, pulse_s: 4e-5, noise_level_db: 10.0, ..quiet() };
    let ping = image_of(params, acoustics, (sonar_m, &scene, &[]));
    let slant_m = |ground_m: f64, up_m: f64| DVec2::new(ground_m, sonar_m - up_m).length();
    let edge = (slant_m(far_side_m, box_m) / 0.1) as usize;
    let end = (slant_m(far_side_m + box_m * far_side_m / (sonar_m - box_m), 0.0) / 0.1) as usize;
    let dark: Vec<usize> = (edge - 5..end + 5).filter(|&number| ping.buckets[number].level < 10.1).collect();
    let [first, last] = [dark[0], dark[dark.len() - 1]];
    assert!(first.abs_diff(edge + 1) <= 1 && last.abs_diff(end - 1) <= 1, "{first} {last} {edge} {end}");
    assert_eq!(dark.len(), last - first + 1);
}

/// Laws by table are linear between their rows and even beyond.
#[test]
fn scattering_may_be_a_table() {
    let law = Scattering::Table(vec![[0.2, -40.0], [0.7, -20.0], [1.5, -18.0]]);
    let at = |grazing_rad: f64| law.strength_db(ops::sin(grazing_rad));
    for (grazing_rad, expected_db) in
        [(0.0, -40.0), (0.1, -40.0), (0.45, -30.0), (1.1, -19.0), (1.5, -18.0), (FRAC_PI_2, -18.0)]
    {
        assert!((at(grazing_rad) - expected_db).abs() < 1e-9, "{grazing_rad}");
    }
    assert!((Scattering::Lambert(-20.0).strength_db(0.5) + 20.0 - db(0.25)).abs() < 1e-12);
}

#[test]
fn displays_have_whole_numbers() {
    assert_eq!([8, 16, 32].map(|bits| quantised(0.5, bits)), [127.0, 32_767.0, 0.5]);
    assert_eq!([-0.1, 0.0, 1.0, 1.5].map(|share| quantised(share, 8)), [0.0, 0.0, 255.0, 255.0]);
}

/// The original's slips: misses fall into the first bucket, and levels of 256/255 begin at 0.
#[test]
fn slips_of_the_original_can_be_had() {
    let params = ImagingParams {
        rays_per_beam: 10,
        opening_rad: 0.0,
        tilt_rad: FRAC_PI_2,
        distance_error_m: [0.0, 0.0],
        slips: Slips { misses_in_first: true, levels_wrap: true, ..Slips::NONE },
        gain: 3.0,
        ..ImagingParams::default()
    };
    let mut ping = ImagingPing::default();
    let mut ping_over = |surface: &HeightGrid| {
        let scene = Scene { surface, material_of: |_| Material::Rock };
        let mut sonar = ImagingSonar::side_scan(params).unwrap();
        sonar.ping(&level(DVec3::Z * 10.05), &scene, &mut stream(0), &mut ping).unwrap();
        [ping.buckets[0].hits, u32::from(ping.buckets[100].byte())]
    };
    assert_eq!(ping_over(&deep()), [10, 0]);
    // 0.8995 x 0.8 x 3 x 255 is 550.49: 550 less 2 x 256 are 38.
    assert_eq!(ping_over(&bottom()), [0, 38]);
}

#[test]
fn a_second_image_does_not_allocate() {
    let bottom = bottom();
    let scene = Scene { surface: &bottom, material_of: |_| Material::Mud };
    let acoustics = Acoustics::new(AcousticParams::default()).unwrap();
    let mut sonar = ImagingSonar::forward_looking(ImagingParams::default(), 5, 0.5).unwrap();
    let (mut ping, mut draws) = (ImagingPing::default(), stream(3));
    let targets = [PointTarget::sphere(DVec3::X * 20.0, 0.2)];
    let mut go = |ping: &mut ImagingPing| {
        sonar.hear(&level(DVec3::Z * 8.0), (&scene, &targets), (&acoustics, &mut draws), ping).unwrap();
    };
    go(&mut ping);
    assert_eq!(allocations_of(|| go(&mut ping)), 0);
}

#[test]
fn wrong_values_are_refused_by_name() {
    let refused = |params| Acoustics::new(params).unwrap_err().to_string();
    let good = AcousticParams::default();
    assert_eq!(
        refused(AcousticParams { source_level_db: -1.0, ..good.clone() }),
        "source_level_db is -1, must be from 0 to 300"
    );
    assert_eq!(refused(AcousticParams { pulse_s: 0.0, ..good.clone() }), "pulse_s is 0, must be from 0.000001 to 1");
    assert!(refused(AcousticParams { across_rad: f64::NAN, ..good.clone() }).starts_with("across_rad is NaN"));
    assert_eq!(refused(AcousticParams { looks: 1001, ..good.clone() }), "looks is 1001, must be from 0 to 1000");
    let with =
        |law| AcousticParams { scattering: ScatteringTable::default().with(Material::Rope, law), ..good.clone() };
    assert_eq!(refused(with(Scattering::Table(vec![]))), "scattering has no row, must have 1 or more");
    let turned = Scattering::Table(vec![[0.5, -20.0], [0.5, -10.0]]);
    assert_eq!(refused(with(turned)), "scattering has angles that do not ascend: 0.5 rad after 0.5 rad");
    assert!(refused(with(Scattering::Lambert(61.0))).starts_with("scattering is 61"));
}
