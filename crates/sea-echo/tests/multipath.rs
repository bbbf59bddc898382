//! Echoes by way of the surface, and returns of the ping before. Expected values: lengths of images, the sonar equation, exact counts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sea_echo::acoustic::{db, loss_db};
use sea_echo::imaging::{ImagingPing, Slips};
use sea_echo::mesh::MeshParams;
use sea_echo::{
    AcousticParams, Acoustics, BeamPattern, HeightGrid, ImagingParams, ImagingSonar, Material, Multipath, PointTarget,
    Scene, SensorPose, Surface, TriangleMesh,
};
use sim_core::{DQuat, DVec2, DVec3, Purpose, RunKey, Stream, ops};

const ABSORPTION_DB_KM: f64 = 70.0;

fn draws() -> Stream {
    RunKey { seed: 1, run_index: 0 }.stream(Purpose::new(77), 0, 0)
}

fn bottom(z_m: f64) -> HeightGrid {
    HeightGrid::new(DVec2::splat(-500.0), 100.0, 11, vec![z_m; 121]).unwrap()
}

fn acoustics(pattern: BeamPattern, multipath: Option<Multipath>) -> Acoustics {
    Acoustics::new(AcousticParams {
        looks: 0,
        noise_level_db: -200.0,
        tvg: None,
        pulse_s: 5e-4,
        absorption_db_km: ABSORPTION_DB_KM,
        width_rad: 1.0,
        across_rad: 0.5,
        pattern,
        multipath,
        ..AcousticParams::default()
    })
    .unwrap()
}

fn still(roughness_m: f64) -> Option<Multipath> {
    Some(Multipath { surface_z_m: 0.0, roughness_m, wave_number_per_m: 40.0, bottom_loss_db: 12.0 })
}

/// One ray of a beam, down by a tilt, in bins of 0.1 m up to 100 m.
fn sonar(tilt_rad: f64) -> ImagingSonar {
    let params = ImagingParams { rays_per_beam: 1, opening_rad: 0.0, tilt_rad, ..ImagingParams::default() };
    ImagingSonar::forward_looking(params, 1, 0.0).unwrap()
}

const SENSOR: DVec3 = DVec3::new(0.0, 0.0, -10.0);

/// Levels of the bins that a sonar at -10 m hears.
fn heard(
    mut sonar: ImagingSonar,
    (surface, targets): (&dyn Surface, &[PointTarget]),
    acoustics: &Acoustics,
) -> Vec<f64> {
    let pose = SensorPose { position_m: SENSOR, world_from_sensor: DQuat::IDENTITY };
    let scene = Scene { surface, material_of: |_| Material::Mud };
    let mut ping = ImagingPing::default();
    sonar.hear(&pose, (&scene, targets), (acoustics, &mut draws()), &mut ping).unwrap();
    ping.buckets.iter().map(|bucket| bucket.level).collect()
}

/// Checks that bins are heard from some distances on for the 0.375 m of a pulse, at levels, and nothing else is.
#[track_caller]
fn check(levels: &[f64], expected: &[(f64, f64)]) {
    for (bin, &level_db) in levels.iter().enumerate() {
        let [near_m, far_m] = [0.1 * bin as f64, 0.1 * (bin + 1) as f64];
        let covers = |&&(from_m, _): &&(f64, f64)| from_m <= near_m + 1e-9 && far_m <= from_m + 0.375 + 1e-9;
        let touches = expected.iter().any(|&(from_m, _)| from_m < far_m && near_m < from_m + 0.375);
        match expected.iter().find(covers) {
            Some(&(_, expected_db)) => assert!((level_db - expected_db).abs() < 1e-6, "{bin} {level_db} {expected_db}"),
            None => assert!(touches || level_db < -150.0, "{bin} {level_db}"),
        }
    }
}

/// A target 30 m ahead and 5 m deep: straight 30.41 m; over the surface 33.54 m, to which its image is; and half of each, twice.
#[test]
fn a_target_is_heard_by_the_image_of_the_sensor() {
    let deep = bottom(-480.0);
    let target = PointTarget { place_m: DVec3::new(30.0, 0.0, -5.0), strength_db: -3.0 };
    let [straight_m, over_m] = [(30.0_f64 * 30.0 + 25.0).sqrt(), (30.0_f64 * 30.0 + 225.0).sqrt()];
    let level = |a_m: f64, b_m: f64| 215.0 - 3.0 - loss_db(a_m, ABSORPTION_DB_KM) - loss_db(b_m, ABSORPTION_DB_KM);
    let scene = (&deep as &dyn Surface, [target]);
    let run = |multipath| heard(sonar(0.0), (scene.0, &scene.1), &acoustics(BeamPattern::Even, multipath));
    check(&run(None), &[(straight_m, level(straight_m, straight_m))]);
    for roughness_m in [0.0, 0.02] {
        let sin = 15.0 / over_m;
        let lost_db = -db(ops::exp(-4.0 * (40.0 * roughness_m * sin) * (40.0 * roughness_m * sin)));
        check(
            &run(still(roughness_m)),
            &[
                (straight_m, level(straight_m, straight_m)),
                (0.5 * (straight_m + over_m), level(straight_m, over_m) + db(2.0) - lost_db),
                (over_m, level(over_m, over_m) - 2.0 * lost_db),
            ],
        );
    }
}

/// The beam's pattern counts where the way over the surface leaves it: a Gaussian 1 rad wide, half a metre up a metre.
#[test]
fn ways_over_the_surface_leave_the_axis() {
    let deep = bottom(-480.0);
    let target = PointTarget { place_m: DVec3::new(30.0, 0.0, -10.0), strength_db: 0.0 };
    let over_m = (900.0_f64 + 400.0).sqrt();
    let angle_rad = ops::atan2(20.0, 30.0);
    let one_way_db = db(BeamPattern::Gaussian.power(angle_rad, 1.0));
    let level = |a_m: f64, b_m: f64| 215.0 - loss_db(a_m, ABSORPTION_DB_KM) - loss_db(b_m, ABSORPTION_DB_KM);
    let levels = heard(sonar(0.0), (&deep, &[target]), &acoustics(BeamPattern::Gaussian, still(0.0)));
    check(
        &levels,
        &[
            (30.0, level(30.0, 30.0)),
            (0.5 * (30.0 + over_m), level(30.0, over_m) + db(2.0) + one_way_db),
            (over_m, level(over_m, over_m) + 2.0 * one_way_db),
        ],
    );
}

/// Straight down from 10 m under the surface, 30 m above the bottom: the second return comes from 2 x 30 + 10 m, by an image 110 m away.
#[test]
fn a_level_bottom_returns_a_second_time() {
    let ground = bottom(-40.0);
    let run =
        |multipath| heard(sonar(std::f64::consts::FRAC_PI_2), (&ground, &[]), &acoustics(BeamPattern::Even, multipath));
    let strength_db = -27.0 + db(900.0 * 0.5);
    let level =
        |a_m: f64, b_m: f64| 215.0 + strength_db - loss_db(a_m, ABSORPTION_DB_KM) - loss_db(b_m, ABSORPTION_DB_KM);
    check(&run(None), &[(30.0, level(30.0, 30.0))]);
    check(&run(still(0.0)), &[(30.0, level(30.0, 30.0)), (70.0, level(30.0, 110.0) + db(2.0) - 12.0)]);
    // From the surface itself it would be twice the depth: waves of 5 cm take 4 (40 x 0.05)^2 = 16 nepers of power.
    let rough = -db(ops::exp(-16.0));
    check(&run(still(0.05)), &[(30.0, level(30.0, 30.0)), (70.0, level(30.0, 110.0) + db(2.0) - 12.0 - rough)]);
}

/// A plate at x = 10 m, from 6 to 4 m deep, hides the way over the surface, which is 5 m deep there, and not the straight one.
#[test]
fn plates_hide_what_comes_over_the_surface() {
    let plate = |x_m: f64| {
        let corner = |y_m: f64, z_m: f64| DVec3::new(x_m, y_m, z_m);
        let vertices_m = vec![corner(-2.0, -6.0), corner(2.0, -6.0), corner(2.0, -4.0), corner(-2.0, -4.0)];
        TriangleMesh::new(MeshParams { vertices_m, triangles: vec![[0, 1, 2], [0, 2, 3]] }).unwrap()
    };
    let target = PointTarget { place_m: DVec3::new(40.0, 0.0, -10.0), strength_db: 0.0 };
    let over_m = (1600.0_f64 + 400.0).sqrt();
    let ways = |x_m: f64| {
        let levels = heard(sonar(0.0), (&plate(x_m), &[target]), &acoustics(BeamPattern::Even, still(0.0)));
        [40.0, over_m].map(|at_m: f64| levels[(at_m / 0.1) as usize + 1] > 50.0)
    };
    // Half-way it is below the bounce; on the way down from it, at x = 30 m, it is in between again.
    assert_eq!([ways(10.0), ways(20.0), ways(30.0)], [[true, false], [true, true], [true, false]]);
}

/// Three pings of a sonar that comes nearer to the bottom: with the slip each ray returns what it returned in the ping before, at first 0.
#[test]
fn returns_of_the_ping_before_are_a_slip() {
    let ground = bottom(-40.0);
    let params = ImagingParams {
        rays_per_beam: 1,
        opening_rad: 0.0,
        tilt_rad: std::f64::consts::FRAC_PI_2,
        distance_error_m: [0.0; 2],
        gain: 1.0,
        slips: Slips { returns_of_previous: true, ..Slips::NONE },
        ..ImagingParams::default()
    };
    let mut sonar = ImagingSonar::forward_looking(params, 1, 0.0).unwrap();
    let scene = Scene { surface: &ground, material_of: |_| Material::Mud };
    let (mut before, mut ping) = (vec![0.0], ImagingPing::default());
    let mut expected = 0.0;
    for z_m in [-10.0, -15.0, -20.0] {
        let position_m = DVec3::new(0.0, 0.0, z_m);
        let pose = SensorPose { position_m, world_from_sensor: DQuat::IDENTITY };
        sonar.ping_after(&pose, &scene, (&mut draws(), &mut before), &mut ping).unwrap();
        let altitude_m = 40.0 + z_m;
        let bucket = ping.buckets[(altitude_m / 0.1) as usize];
        assert_eq!(bucket.hits, 1, "{z_m}");
        assert!((bucket.level - expected).abs() < 1e-12, "{z_m} {} {expected}", bucket.level);
        expected = (100.0 - altitude_m) / 100.0 * 0.2;
    }
    // A ping that meets nothing returns nothing the next time.
    let pose = SensorPose { position_m: DVec3::new(0.0, 0.0, 200.0), world_from_sensor: DQuat::IDENTITY };
    sonar.ping_after(&pose, &scene, (&mut draws(), &mut before), &mut ping).unwrap();
    assert_eq!((before[0], ping.buckets.iter().map(|bucket| bucket.hits).sum::<u32>()), (0.0, 0));
}

/// Values out of their ranges.
#[test]
fn wrong_losses_are_refused() {
    let right = still(0.0).unwrap();
    for wrong in [
        Multipath { roughness_m: -1.0, ..right },
        Multipath { wave_number_per_m: 0.0, ..right },
        Multipath { bottom_loss_db: f64::NAN, ..right },
    ] {
        assert!(Acoustics::new(AcousticParams { multipath: Some(wrong), ..AcousticParams::default() }).is_err());
    }
}
