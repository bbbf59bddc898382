//! Bodies that move between pings. Expected values: closed forms of spheres, tubes and planes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sea_echo::imaging::ImagingPing;
use sea_echo::mesh::MeshParams;
use sea_echo::{
    Bodies, Body, BodyShape, Capsule, Fan, HeightGrid, ImagingParams, ImagingSonar, Material, Ray, Scene, SensorPose,
    Surface, TriangleMesh, WithBodies,
};
use sim_core::{DQuat, DVec2, DVec3, RunKey, angle};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// A level bottom at -40 m.
fn bottom() -> HeightGrid {
    HeightGrid::new(DVec2::splat(-500.0), 100.0, 11, vec![-40.0; 121]).unwrap()
}

fn body(shape: BodyShape, owner: Option<u32>) -> Body {
    Body { shape, material: Material::Buoy, owner, instance: 7 }
}

fn capsule(ends_m: [DVec3; 2], radius_m: f64) -> BodyShape {
    BodyShape::Capsule(Capsule { ends_m, radius_m })
}

/// A cube of 2 m about its origin, from outside.
fn cube() -> Arc<TriangleMesh> {
    let corner = |n: u32| DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2)) * 2.0 - 1.0;
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Arc::new(TriangleMesh::new(MeshParams { vertices_m: (0..8).map(corner).collect(), triangles }).unwrap())
}

fn ray(from_m: DVec3, way: DVec3) -> Ray {
    Ray::new(from_m, way, 100.0).unwrap()
}

/// A tube of 0.5 m across the ray at 20 m reads 19.5 m, its cap 20 - 0.5 cos(asin(0.3/0.5)) m; both with their normals.
#[test]
fn capsules_are_met_at_their_skin() {
    let (fixed, mut bodies) = (bottom(), Bodies::default());
    bodies.push(body(capsule([DVec3::new(20.0, -2.0, -10.0), DVec3::new(20.0, 3.0, -10.0)], 0.5), None));
    let seen = WithBodies { fixed: &fixed, bodies: &bodies, own: 0, surface_z_m: 0.0 };
    let across = seen.cast(&ray(DVec3::new(0.0, 0.0, -10.0), DVec3::X)).unwrap();
    assert!((across.distance_m - 19.5).abs() < 1e-12);
    assert!(seen.normal_at(across.triangle, DVec3::new(19.5, 0.0, -10.0)).distance(DVec3::NEG_X) < 1e-12);
    let cap = seen.cast(&ray(DVec3::new(0.0, 3.3, -10.0), DVec3::X)).unwrap();
    assert!((cap.distance_m - 19.6).abs() < 1e-12, "{}", cap.distance_m);
    let normal = seen.normal_at(cap.triangle, DVec3::new(19.6, 3.3, -10.0));
    assert!(normal.distance(DVec3::new(-0.8, 0.6, 0.0)) < 1e-12, "{normal}");
    let (met, own) = seen.body_of(cap.triangle).unwrap();
    assert_eq!((met.instance, own, met.material.class()), (7, 0, 3));
    // The bottom is behind it, and beside it.
    let beside = seen.cast(&ray(DVec3::new(0.0, 0.0, -10.0), DVec3::NEG_Z)).unwrap();
    assert_eq!((beside.distance_m, seen.body_of(beside.triangle).is_none()), (30.0, true));
}

/// A cube turned by 45 degrees about the vertical, its edge towards the sensor: 20 - sqrt 2 m, and its sides at 45 degrees.
#[test]
fn meshes_move_with_their_place_and_turn() {
    let (fixed, mut bodies) = (bottom(), Bodies::default());
    let turn = DQuat::from_rotation_z(FRAC_PI_2 / 2.0);
    bodies.push(body(capsule([DVec3::new(0.0, 50.0, -10.0); 2], 1.0), None));
    bodies.push(body(BodyShape::Mesh(cube(), DVec3::new(20.0, 0.0, -10.0), turn), None));
    let seen = WithBodies { fixed: &fixed, bodies: &bodies, own: 0, surface_z_m: 0.0 };
    let edge = seen.cast(&ray(DVec3::new(0.0, 0.0, -10.3), DVec3::X)).unwrap();
    assert!((edge.distance_m - (20.0 - 2.0_f64.sqrt())).abs() < 1e-12, "{}", edge.distance_m);
    let side = seen.cast(&ray(DVec3::new(0.0, 0.5, -10.3), DVec3::X)).unwrap();
    assert!((side.distance_m - (20.5 - 2.0_f64.sqrt())).abs() < 1e-12, "{}", side.distance_m);
    let normal = seen.normal_at(side.triangle, DVec3::ZERO);
    assert!(normal.distance(DVec3::new(-1.0, 1.0, 0.0).normalize()) < 1e-12, "{normal}");
    let corners = seen.corners_m(side.triangle);
    let place_m = DVec3::new(side.distance_m, 0.5, -10.3);
    assert!(corners.iter().all(|&corner_m| (corner_m - place_m).dot(normal).abs() < 1e-12));
}

/// The own vehicle is left out, and what is above still water.
#[test]
fn the_own_vehicle_and_what_is_in_air_are_not_met() {
    let (fixed, mut bodies) = (bottom(), Bodies::default());
    bodies.push(body(capsule([DVec3::new(5.0, 0.0, -10.0); 2], 1.0), Some(3)));
    bodies.push(body(capsule([DVec3::new(9.0, 0.0, -10.0); 2], 1.0), Some(2)));
    let read = |own: u32, surface_z_m: f64, way: DVec3| {
        let seen = WithBodies { fixed: &fixed, bodies: &bodies, own, surface_z_m };
        seen.cast(&ray(DVec3::new(0.0, 0.0, -10.0), way)).map(|hit| hit.distance_m)
    };
    assert_eq!([read(0, 0.0, DVec3::X), read(3, 0.0, DVec3::X)], [Some(4.0), Some(8.0)]);
    assert_eq!([read(0, -10.0, DVec3::X), read(0, -10.001, DVec3::X)], [Some(4.0), None]);
    // A sphere half out of the water is met from below, not through the surface.
    bodies.push(body(capsule([DVec3::new(0.0, 0.0, 0.0); 2], 1.0), None));
    let up = |from_m: DVec3, surface_z_m: f64| {
        let seen = WithBodies { fixed: &fixed, bodies: &bodies, own: 0, surface_z_m };
        seen.cast(&ray(from_m, DVec3::Z)).map(|hit| hit.distance_m)
    };
    assert_eq!(up(DVec3::new(0.0, 0.0, -10.0), 0.0), Some(9.0));
    assert_eq!(up(DVec3::new(0.0, 0.0, -10.0), -1.5), None);
}

/// Fans, rays one by one, and any order of the bodies: the same distances to the bit.
#[test]
fn fans_and_orders_give_the_same_bits() {
    let fixed = bottom();
    let angles: Vec<f64> = (0..181).map(|n| f64::from(n) * 0.015 - 1.35).collect();
    let mut fan = Fan::new(&angles, 60.0).unwrap();
    let mut draws = RunKey { seed: 5, run_index: 0 }.stream(sim_core::Purpose::new(77), 0, 0);
    let mut met = 0;
    for _ in 0..300 {
        let place = |draws: &mut sim_core::Stream| {
            let [x, y, z] = [draws.uniform(), draws.uniform(), draws.uniform()];
            DVec3::new(60.0 * x - 30.0, 60.0 * y - 30.0, -5.0 - 30.0 * z)
        };
        let mut list = Vec::new();
        for _ in 0..6 {
            let [a, b] = [place(&mut draws), place(&mut draws)];
            list.push(body(capsule([a, a.lerp(b, 0.2)], 0.2 + 2.0 * draws.uniform()), None));
            let turn = DQuat::from_scaled_axis(place(&mut draws) * 0.1);
            list.push(body(BodyShape::Mesh(cube(), b, turn), None));
        }
        let all = |list: &[Body]| {
            let mut bodies = Bodies::default();
            list.iter().for_each(|body| bodies.push(body.clone()));
            bodies
        };
        let (bodies, turned_round) = (all(&list), all(&list.iter().rev().cloned().collect::<Vec<_>>()));
        let heading = angle::unit(6.3 * draws.uniform());
        fan.place(place(&mut draws), [DVec3::NEG_Z, heading.extend(0.0)]).unwrap();
        let seen = WithBodies { fixed: &fixed, bodies: &bodies, own: 0, surface_z_m: 0.0 };
        let mut hits = vec![None; angles.len()];
        seen.cast_fan(&fan, &mut hits);
        let other = WithBodies { bodies: &turned_round, ..seen };
        for (ray, hit) in fan.rays().iter().zip(&hits) {
            assert_eq!(seen.cast(ray), *hit);
            let bits = |hit: Option<sea_echo::Hit>| hit.map(|hit| hit.distance_m.to_bits());
            assert_eq!(bits(other.cast(ray)), bits(*hit));
            met += usize::from(hit.is_some_and(|hit| seen.body_of(hit.triangle).is_some()));
        }
    }
    assert!(met > 1000, "{met}");
}

/// A vehicle 2 m long crosses the fan of a sonar that looks ahead: it is in the beam that its bearing is in, at the distance of its skin.
#[test]
fn a_body_crosses_a_fan_beam_by_beam() {
    let params = ImagingParams {
        rays_per_beam: 1,
        opening_rad: 0.0,
        tilt_rad: 0.0,
        range_m: 50.0,
        buckets: 500,
        distance_error_m: [0.0; 2],
        ..ImagingParams::default()
    };
    let (beams, width) = (61_u32, 60_f64.to_radians());
    let mut sonar = ImagingSonar::forward_looking(params, beams, width).unwrap();
    let fixed = bottom();
    let pose = SensorPose { position_m: DVec3::new(0.0, 0.0, -10.0), world_from_sensor: DQuat::IDENTITY };
    for n in 0..50 {
        let y_m = f64::from(n) * 0.5 - 12.5;
        let mut bodies = Bodies::default();
        let end_m = |x_m: f64| DVec3::new(x_m, y_m, -10.0);
        bodies.push(body(capsule([end_m(29.0), end_m(31.0)], 0.4), Some(1)));
        let seen = WithBodies { fixed: &fixed, bodies: &bodies, own: 0, surface_z_m: 0.0 };
        let scene = Scene {
            surface: &seen,
            material_of: |triangle| seen.body_of(triangle).map_or(Material::Mud, |(body, _)| body.material),
        };
        let mut ping = ImagingPing::default();
        let mut errors = RunKey { seed: 1, run_index: 0 }.stream(sim_core::Purpose::new(78), 0, 0);
        sonar.ping(&pose, &scene, &mut errors, &mut ping).unwrap();
        for (beam, echo) in ping.echoes.iter().enumerate() {
            let bearing = 0.5 * width - width * beam as f64 / f64::from(beams - 1);
            let way = angle::unit(bearing).extend(0.0);
            // The nearest place of the axis to the ray, in the plane of both: closed form of a stadium cut by a line.
            let expected = stadium(way.truncate(), [29.0, 31.0], y_m, 0.4);
            match (echo, expected) {
                (Some(echo), Some(distance_m)) => {
                    assert!((echo.distance_m - distance_m).abs() < 1e-9, "{n} {beam}");
                    assert_eq!((echo.class, seen.body_of(echo.triangle).unwrap().0.instance), (3, 7));
                }
                (None, None) => {}
                other => panic!("{n} {beam} {other:?}"),
            }
        }
        assert!(ping.echoes.iter().flatten().count() > 0, "{n}");
    }
}

/// Distance from the origin along a way to a stadium between two x at a y: the least of its straight sides and of its round ends.
fn stadium(way: DVec2, [from_x, to_x]: [f64; 2], y_m: f64, radius_m: f64) -> Option<f64> {
    let side = |y: f64| {
        let distance_m = y / way.y;
        let x = distance_m * way.x;
        (distance_m > 0.0 && (from_x..=to_x).contains(&x)).then_some(distance_m)
    };
    let end = |x: f64| {
        let middle_m = way.dot(DVec2::new(x, y_m));
        let squared = radius_m * radius_m - (x * x + y_m * y_m - middle_m * middle_m);
        (squared >= 0.0).then(|| middle_m - squared.sqrt())
    };
    [side(y_m - radius_m), side(y_m + radius_m), end(from_x), end(to_x)].into_iter().flatten().reduce(f64::min)
}
