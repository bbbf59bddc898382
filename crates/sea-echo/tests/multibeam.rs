//! The multibeam by rays: closed forms of the reference, beams out of several rays, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod scenes;

use scenes::{level, plane};
use sea_echo::multibeam::Ping;
use sea_echo::{HeightGrid, Material, Multibeam, MultibeamParams, Scene, SensorPose};
use sim_core::{DQuat, DVec2, DVec3, ops};
use std::f64::consts::FRAC_PI_2;
use test_alloc::allocations_of;

fn ping_of(params: MultibeamParams, pose: &SensorPose, bottom: &HeightGrid, material: Material) -> Ping {
    let mut ping = Ping::default();
    let scene = Scene { surface: bottom, material_of: |_| material };
    Multibeam::new(params).unwrap().ping(pose, &scene, &mut ping).unwrap();
    ping
}

/// T-94 of the reference.
#[test]
fn beams_leave_at_even_angles_from_port_to_starboard() {
    let params = MultibeamParams::default();
    let deg = |beam| params.beam_angle_rad(beam).to_degrees();
    assert!((deg(0) + 22.5).abs() < 1e-12 && (deg(255) - 22.5).abs() < 1e-12);
    assert!((0..255).all(|beam| (deg(beam + 1) - deg(beam) - 45.0 / 255.0).abs() < 1e-12));
    let ping = ping_of(params, &level(DVec3::ZERO), &plane(-10.0, DVec2::ZERO), Material::Mud);
    let place = |beam: usize| ping.echoes[beam].unwrap().place_m;
    // The sensor looks east, so that port is north. To the digits of the reference.
    assert!((place(0) - DVec3::new(0.0, 4.142136, -10.0)).length() < 5e-7);
    assert!((place(255) - DVec3::new(0.0, -4.142136, -10.0)).length() < 5e-7);
    // Heading north, starboard is east.
    let north = SensorPose { world_from_sensor: DQuat::from_rotation_z(FRAC_PI_2), ..level(DVec3::ZERO) };
    let ping = ping_of(params, &north, &plane(-10.0, DVec2::ZERO), Material::Mud);
    assert!((ping.echoes[255].unwrap().place_m - DVec3::new(4.142136, 0.0, -10.0)).length() < 5e-7);
}

/// T-95 of the reference: beams at 0, 22.5, 45 and 67.5 deg on either side.
#[test]
fn levels_on_a_flat_bottom_are_those_of_the_reference() {
    let params = MultibeamParams { beams: 7, opening_rad: 135_f64.to_radians(), ..MultibeamParams::default() };
    let bottom = plane(-10.0, DVec2::ZERO);
    let mud = ping_of(params, &level(DVec3::ZERO), &bottom, Material::Mud);
    let rock = ping_of(params, &level(DVec3::ZERO), &bottom, Material::Rock);
    let expected = [
        (10.0, 0.18, 45, 183),
        (10.8239, 0.164_776, 42, 168),
        (14.1421, 0.121_421, 30, 123),
        (26.1313, 0.056_537, 14, 57),
    ];
    for (away, (range_m, intensity, mud_byte, rock_byte)) in expected.into_iter().enumerate() {
        for beam in [3 - away, 3 + away] {
            let (read, echo) = (mud.beams[beam], mud.echoes[beam].unwrap());
            assert!((read.range_m.unwrap() - range_m).abs() < 5e-5, "{beam}");
            assert!((read.intensity - intensity).abs() < 5e-7, "{beam}");
            assert_eq!((read.hits, echo.class, echo.byte()), (1, 1, mud_byte), "{beam}");
            assert_eq!(rock.echoes[beam].unwrap().byte(), rock_byte, "{beam}");
        }
    }
}

/// Any attitude over a slope: where position + r direction is on the plane, and the angle between both.
#[test]
fn ranges_and_levels_on_a_slope_are_closed_forms() {
    let slope = DVec2::new(0.15, -0.3);
    let params = MultibeamParams { beams: 61, opening_rad: 1.2, range_m: 60.0, ..MultibeamParams::default() };
    let turn = DQuat::from_rotation_z(0.7) * DQuat::from_rotation_y(0.2) * DQuat::from_rotation_x(-0.15);
    let pose = SensorPose { position_m: DVec3::new(2.0, -5.0, -3.0), world_from_sensor: turn };
    let ping = ping_of(params, &pose, &plane(-25.0, slope), Material::Buoy);
    let upright = (-slope).extend(1.0).normalize();
    for (beam, read) in (0..).zip(&ping.beams) {
        let (sin, cos) = ops::sin_cos(params.beam_angle_rad(beam));
        let way = turn * DVec3::new(0.0, -sin, -cos);
        let height_m = (pose.position_m + DVec3::Z * 25.0).dot(upright);
        let expected_m = height_m / -way.dot(upright);
        // Coordinates of 100 m, with some roundings of a rotation.
        assert!((read.range_m.unwrap() - expected_m).abs() < 1e-12, "{beam}");
        let intensity = (60.0 - expected_m) / 60.0 * -way.dot(upright) * 0.99;
        assert!((read.intensity - intensity).abs() < 1e-13, "{beam}");
    }
}

/// Rays over the width of a beam: a mean of closed forms; beams that overlap have it each.
#[test]
fn a_beam_is_the_mean_of_its_rays() {
    let (width, rays, height_m) = (0.2, 9, 12.0);
    let params = MultibeamParams {
        beams: 5,
        opening_rad: 0.4,
        rays_per_beam: rays,
        beam_width_rad: width,
        ..MultibeamParams::default()
    };
    let ping = ping_of(params, &level(DVec3::ZERO), &plane(-height_m, DVec2::ZERO), Material::Other);
    assert_eq!((ping.beams.len(), ping.echoes.len()), (5, 45));
    for (beam, read) in (0..).zip(&ping.beams) {
        let middle = -0.2 + 0.1 * f64::from(beam);
        let angles = (0..rays).map(|ray| middle + width * ((f64::from(ray) + 0.5) / f64::from(rays) - 0.5));
        let distances: Vec<f64> = angles.map(|angle_rad| height_m / ops::cos(angle_rad)).collect();
        let mean_m = distances.iter().sum::<f64>() / f64::from(rays);
        assert_eq!(read.hits, rays);
        assert!((read.range_m.unwrap() - mean_m).abs() < 1e-13, "{beam}");
        let returned = distances.iter().map(|d| (100.0 - d) / 100.0 * height_m / d * 0.5).sum::<f64>();
        assert!((read.intensity - returned / f64::from(rays)).abs() < 1e-14, "{beam}");
        let echoes = ping.echoes[9 * beam as usize..][..9].iter().flatten();
        assert!(echoes.zip(&distances).all(|(echo, d)| (echo.distance_m - d).abs() < 1e-13), "{beam}");
    }
}

/// Over the border of the bottom half of the rays of the beam meet nothing; out of range all of them.
#[test]
fn misses_count_as_no_return() {
    let params = MultibeamParams {
        beams: 1,
        rays_per_beam: 10,
        beam_width_rad: 0.3,
        range_m: 40.0,
        ..MultibeamParams::default()
    };
    let border = level(DVec3::new(0.0, 100.0, 0.0));
    let ping = ping_of(params, &border, &plane(-20.0, DVec2::ZERO), Material::Rope);
    let whole = ping_of(params, &level(DVec3::ZERO), &plane(-20.0, DVec2::ZERO), Material::Rope);
    let (half, all) = (ping.beams[0], whole.beams[0]);
    assert_eq!((half.hits, all.hits), (5, 10));
    // The bottom lies to starboard; both halves of a whole beam are alike.
    assert!(ping.echoes[..5].iter().all(Option::is_none) && ping.echoes[5..].iter().all(Option::is_some));
    assert!((half.range_m.unwrap() - all.range_m.unwrap()).abs() < 1e-13);
    assert!((half.intensity - all.intensity / 2.0).abs() < 1e-14);
    let far = ping_of(params, &level(DVec3::Z * 20.001), &plane(-20.0, DVec2::ZERO), Material::Rope);
    assert_eq!((far.beams[0].range_m, far.beams[0].hits, far.beams[0].intensity), (None, 0, 0.0));
    // The range itself is heard, without a return.
    let limit = ping_of(
        MultibeamParams { rays_per_beam: 1, ..params },
        &level(DVec3::Z * 20.0),
        &plane(-20.0, DVec2::ZERO),
        Material::Rope,
    );
    assert_eq!((limit.beams[0].range_m, limit.beams[0].intensity), (Some(40.0), 0.0));
}

#[test]
fn classes_and_reflectivities_are_those_of_the_reference() {
    let all = [Material::Rock, Material::Mud, Material::Algae, Material::Buoy, Material::Rope, Material::Other];
    assert_eq!(all.map(Material::class), [1, 1, 2, 3, 4, 0]);
    assert_eq!(all.map(Material::reflectivity), [0.8, 0.2, 0.25, 0.99, 0.4, 0.5]);
    // A bottom that is rock in the north and algae in the south.
    let bottom = plane(-10.0, DVec2::ZERO);
    let material_of = |triangle| if bottom.cell_of(triangle)[1] >= 20 { Material::Rock } else { Material::Algae };
    let mut ping = Ping::default();
    let scene = Scene { surface: &bottom, material_of };
    Multibeam::new(MultibeamParams::default()).unwrap().ping(&level(DVec3::X), &scene, &mut ping).unwrap();
    let classes: Vec<u8> = ping.echoes.iter().map(|echo| echo.unwrap().class).collect();
    assert_eq!(classes, [[1; 128], [2; 128]].concat());
}

#[test]
fn a_second_ping_does_not_allocate() {
    let bottom = plane(-10.0, DVec2::new(0.1, 0.1));
    let scene = Scene { surface: &bottom, material_of: |_| Material::Mud };
    let mut sonar = Multibeam::new(MultibeamParams { rays_per_beam: 4, ..MultibeamParams::default() }).unwrap();
    let mut ping = Ping::default();
    let mut go = |x_m: f64, ping: &mut Ping| sonar.ping(&level(DVec3::X * x_m), &scene, ping).unwrap();
    go(0.0, &mut ping);
    let first = ping.clone();
    assert_eq!(allocations_of(|| go(3.0, &mut ping)), 0);
    assert_ne!(first, ping);
    // A reading depends on the pose and the bottom, not on earlier pings.
    go(0.0, &mut ping);
    assert_eq!(first, ping);
}

#[test]
fn wrong_values_are_refused_by_name() {
    let good = MultibeamParams::default();
    let refused = |params| Multibeam::new(params).unwrap_err().to_string();
    assert_eq!(refused(MultibeamParams { beams: 0, ..good }), "beams is 0, must be from 1 to 10000");
    let wide = MultibeamParams { opening_rad: 400_f64.to_radians(), ..good };
    assert!(refused(wide).starts_with("opening_rad is 6.98"));
    assert!(refused(MultibeamParams { opening_rad: f64::NAN, ..good }).starts_with("opening_rad is NaN"));
    assert_eq!(refused(MultibeamParams { range_m: 0.0, ..good }), "range_m is 0, must be from 0.01 to 100000");
    assert_eq!(refused(MultibeamParams { rays_per_beam: 0, ..good }), "rays_per_beam is 0, must be from 1 to 1000");
    let many = MultibeamParams { beams: 10_000, rays_per_beam: 101, ..good };
    assert_eq!(refused(many), "rays_per_beam makes 1010000 rays in all, must be at most 1000000");
    assert!(refused(MultibeamParams { beam_width_rad: -0.1, ..good }).starts_with("beam_width_rad is -0.1"));
    let mut sonar = Multibeam::new(good).unwrap();
    let bottom = plane(-10.0, DVec2::ZERO);
    let scene = Scene { surface: &bottom, material_of: |_| Material::Mud };
    let mut ping = |pose: SensorPose| sonar.ping(&pose, &scene, &mut Ping::default()).unwrap_err().field;
    assert_eq!(ping(level(DVec3::Y * f64::NAN)), "origin_m");
    assert_eq!(
        ping(SensorPose { world_from_sensor: DQuat::from_xyzw(0.0, 0.0, 0.0, 1.1), ..level(DVec3::ZERO) }),
        "axes"
    );
}
