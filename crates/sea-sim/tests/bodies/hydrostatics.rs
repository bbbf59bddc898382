//! Force points, pressure on triangles, meshes and cells against closed forms and published values.

use crate::support::{Water, body_load, run_loaded};
use glam::DVec3;
use proptest::prelude::*;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::mesh::{Mesh, pressure_on_triangle};
use sea_sim::body::{
    BodyParams, BodyState, BuoyancyParams, CellParams, DampingParams, DecayParams, Loads, MeshParams, PointParams,
    SubmergedParams,
};
use sea_sim::spatial::Vec6;
use sea_sim::vehicle::{RigidParams, Vehicle, VehicleState};
use std::f64::consts::PI;

const FRESH: f64 = 997.0;
const SEA: f64 = 1025.0;
const G: f64 = 9.81;

fn diagonal(x: f64, y: f64, z: f64) -> [[f64; 3]; 3] {
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

fn body(mass_kg: f64, buoyancy: BuoyancyParams) -> BodyParams {
    BodyParams { mass_kg, inertia_kg_m2: diagonal(1.0, 1.0, 1.0), buoyancy, ..BodyParams::default() }
}

fn vehicle(body: BodyParams) -> Vehicle {
    Vehicle::from_rigid(&RigidParams { body, actuators: Vec::new() }).unwrap()
}

/// The body of the published force-point cases: one point, 5 kg, 0.01 m³, full force from 0.5 m on.
fn point_body(decay_per_s: f64) -> Vehicle {
    let points = PointParams {
        volume_m3: 0.01,
        depth_before_submerged_m: 0.5,
        max_force_n: 1000.0,
        points_m: vec![[0.0; 3]],
        ..Default::default()
    };
    let decay =
        DecayParams { water_linear_per_s: decay_per_s, air_linear_per_s: decay_per_s, ..DecayParams::default() };
    let damping = DampingParams { decay: Some(decay), ..DampingParams::default() };
    vehicle(BodyParams { damping, ..body(5.0, BuoyancyParams::Points(points)) })
}

/// Depths of the point at times, released at rest.
fn depths(vehicle: &Vehicle, start_m: f64, step_s: f64, times_s: &[f64]) -> Vec<f64> {
    let start = BodyState { position_m: DVec3::new(0.0, 0.0, -start_m), ..BodyState::default() };
    let mut state = vehicle.start(start);
    let mut before = 0.0;
    let each = times_s.iter().map(|time| {
        let steps = ((time - before) / step_s).round() as u64;
        before = *time;
        state = run_loaded(vehicle, &Water::flat(FRESH), state, &Loads::default(), (step_s, steps));
        -state.body.position_m.z
    });
    each.collect()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < tolerance, "{found:?} is not {expected:?}");
    }
}

/// The point rests where `rho g V d / D = m g`.
#[test]
fn a_force_point_floats_at_its_depth() {
    let rest = depths(&point_body(1.0), 0.0, 0.02, &[60.0])[0];
    assert!((rest - 0.5 * 5.0 / (FRESH * 0.01)).abs() < 1e-9, "{rest}");
    assert!((rest - 0.250_752).abs() < 5e-7);
}

/// DOP853 at 1e-11 of the same equation; the kink at the full depth costs the last digits.
#[test]
fn a_force_point_swings_as_computed_elsewhere() {
    let undamped = depths(&point_body(0.0), 0.0, 0.001, &[0.1, 0.25, 0.5, 0.75, 1.0]);
    assert_near(&undamped, &[0.047472, 0.248972, 0.501482, 0.256315, 0.000108], 1e-6);
    let damped = depths(&point_body(1.0), 0.0, 0.001, &[0.5, 1.0, 2.0, 5.0]);
    assert_near(&damped, &[0.445602, 0.099432, 0.159653, 0.231165], 1e-6);
    let coarse = depths(&point_body(1.0), 0.0, 0.02, &[0.5, 1.0, 2.0, 5.0]);
    assert_near(&coarse, &damped, 2e-5);
}

#[test]
fn a_light_body_leaps_out_of_the_water() {
    let found = depths(&point_body(0.0), 2.0, 0.001, &[0.25, 0.5, 0.6, 0.75, 1.0, 1.5]);
    assert_near(&found, &[1.695277, 0.781107, 0.248134, -0.514943, -1.301564, -1.035431], 2e-6);
}

/// Four points share the force: none of it turns a level body. A load acts whole, it is not divided by the number of
/// points.
#[test]
fn four_points_carry_a_level_body_and_a_load_acts_whole() {
    let mass_kg = FRESH * 0.01;
    let points = PointParams {
        volume_m3: 0.01,
        depth_before_submerged_m: 0.03,
        max_force_n: 1000.0,
        points_m: vec![[0.5, 0.5, 0.0], [0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [-0.5, -0.5, 0.0]],
        ..Default::default()
    };
    let vehicle = vehicle(body(mass_kg, BuoyancyParams::Points(points)));
    let at_depth = |z: f64| {
        let start = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, z), ..BodyState::default() });
        vehicle
            .rates(&start, &Water::flat(FRESH), &body_load([4.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 0.0)
            .unwrap()
            .acceleration
    };
    for z in [-0.5, -10.0] {
        let acceleration = at_depth(z);
        assert!((acceleration.linear - DVec3::new(4.0 / mass_kg, 0.0, 0.0)).length() < 1e-12, "{acceleration:?}");
        assert!(acceleration.angular.length() < 1e-12);
    }
}

/// The cap on the whole body's force is divided like the force.
#[test]
fn the_largest_force_is_that_of_the_whole_body() {
    let points = PointParams {
        volume_m3: 1.0,
        depth_before_submerged_m: 0.03,
        max_force_n: 1000.0,
        points_m: vec![[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]],
        ..Default::default()
    };
    let vehicle = vehicle(body(10.0, BuoyancyParams::Points(points)));
    let start = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, -5.0), ..BodyState::default() });
    let rates = vehicle.rates(&start, &Water::flat(FRESH), &Loads::default(), 0.0).unwrap();
    assert!((rates.acceleration.linear.z - (100.0 - G)).abs() < 1e-9);
}

/// v' = a - d v, exactly: not the first-order forms of physics engines.
#[test]
fn decay_is_the_continuous_one() {
    let decay = DecayParams { water_linear_per_s: 1.02, water_angular_per_s: 1.5, ..DecayParams::default() };
    let damping = DampingParams { decay: Some(decay), ..DampingParams::default() };
    let submerged = SubmergedParams { volume_m3: 0.01, center_m: [0.0; 3] };
    let params = BodyParams { damping, ..body(FRESH * 0.01, BuoyancyParams::Submerged(submerged)) };
    let vehicle = vehicle(params);
    let mut start = vehicle.start(BodyState::default());
    start.body.velocity.linear = DVec3::X;
    let after = run_loaded(&vehicle, &Water::deep(FRESH), start, &Loads::default(), (0.02, 250));
    assert!((after.body.velocity.linear.x - 0.006_096_75).abs() < 5e-9, "{}", after.body.velocity.linear.x);
    let pushed = body_load([2.0 * FRESH * 0.01, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let after = run_loaded(&vehicle, &Water::deep(FRESH), vehicle.start(BodyState::default()), &pushed, (0.02, 2000));
    assert!((after.body.velocity.linear.x - 2.0 / 1.02).abs() < 1e-9);
}

/// A box of edge lengths around the origin.
fn box_mesh(size: [f64; 3]) -> MeshParams {
    let corner = |k: usize| std::array::from_fn(|i| if (k >> i) & 1 == 1 { 0.5 * size[i] } else { -0.5 * size[i] });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]: &[u32; 4]| [[a, b, c], [a, c, d]]).collect();
    MeshParams { vertices_m: (0..8).map(corner).collect(), triangles, ..Default::default() }
}

/// An icosahedron on the unit sphere, each face cut in four so many times.
fn icosphere(cuts: u32) -> MeshParams {
    let t = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let unit = |v: DVec3| v.normalize();
    let mut corners: Vec<DVec3> = [
        (-1.0, t, 0.0),
        (1.0, t, 0.0),
        (-1.0, -t, 0.0),
        (1.0, -t, 0.0),
        (0.0, -1.0, t),
        (0.0, 1.0, t),
        (0.0, -1.0, -t),
        (0.0, 1.0, -t),
        (t, 0.0, -1.0),
        (t, 0.0, 1.0),
        (-t, 0.0, -1.0),
        (-t, 0.0, 1.0),
    ]
    .map(|(x, y, z)| unit(DVec3::new(x, y, z)))
    .into();
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..cuts {
        let mut middles = std::collections::BTreeMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |i: u32, j: u32| {
                *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                    corners.push(unit(corners[i as usize] + corners[j as usize]));
                    corners.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    MeshParams { vertices_m: corners.iter().map(|v| v.to_array()).collect(), triangles, ..Default::default() }
}

#[test]
fn meshes_have_their_volume() {
    assert!((Mesh::new(&box_mesh([2.0, 3.0, 4.0])).unwrap().volume_m3() - 24.0).abs() < 1e-12);
    let sphere = 4.0 * PI / 3.0;
    let volumes: Vec<f64> = (0..5).map(|cuts| Mesh::new(&icosphere(cuts)).unwrap().volume_m3()).collect();
    assert!(
        volumes.windows(2).all(|pair| pair[0] < pair[1]) && volumes[4] < sphere && sphere - volumes[4] < 0.02,
        "{volumes:?}"
    );
}

/// Values of `asv_wave_sim`'s physics test, reproduced by Gauss quadrature.
#[test]
fn pressure_on_triangles_is_as_computed_elsewhere() {
    let p = DVec3::new;
    #[rustfmt::skip]
    let rows = [
        ([p(5.0, 0.0, 0.0), p(-5.0, 0.0, -2.0), p(5.0, 0.0, -2.0)], 134_070.0, p(1.25, 0.0, -1.5)),
        ([p(5.0, 0.0, -9.0), p(-5.0, 0.0, -11.0), p(5.0, 0.0, -11.0)], 1_039_042.5, p(1.612_903_225_8, 0.0, -10.354_838_71)),
        ([p(5.0, 0.0, 0.0), p(-5.0, 0.0, 0.0), p(-5.0, 0.0, -2.0)], 67_035.0, p(-2.5, 0.0, -1.0)),
        ([p(5.0, 0.0, -9.0), p(-5.0, 0.0, -9.0), p(-5.0, 0.0, -11.0)], 972_007.5, p(-1.724_137_931, 0.0, -9.689_655_172)),
    ];
    for (points, force_n, center_m) in rows {
        let (force, center) = pressure_on_triangle(points, points.map(|point| -point.z));
        assert!((force * SEA * G - force_n).abs() < 1e-6 * force_n, "{} N", force * SEA * G);
        assert!((center - center_m).length() < 1e-8, "{center}");
    }
}

#[test]
fn half_a_box_carries_half_of_its_water() {
    for (size, force_n) in [([1.0, 1.0, 1.0], 5_027.625), ([10.0, 4.0, 2.0], 402_210.0)] {
        let (volume, moment) = Mesh::new(&box_mesh(size)).unwrap().submerged(DVec3::Z, |point| -point.z);
        assert!((volume * SEA * G - force_n).abs() < 1e-6);
        assert!(moment.cross(DVec3::Z).length() < 1e-12);
    }
}

/// Wall-sided formula `GZ = sin f (GM + BM tan² f / 2)` of a box of 2 x 1 x 0.5 m, half under water.
#[test]
fn a_heeled_box_rights_itself_by_the_wall_sided_formula() {
    let mesh = Mesh::new(&box_mesh([2.0, 1.0, 0.5])).unwrap();
    for heel_deg in [1.0, 5.0, 10.0, 20.0] {
        let f = heel_deg * PI / 180.0;
        let rotation = RollPitchYaw { roll_rad: f, ..RollPitchYaw::default() }.to_quat();
        let up = rotation.conjugate() * DVec3::Z;
        let (volume, moment) = mesh.submerged(up, |point| -(rotation * point).z);
        let righting = -(moment * (SEA * G)).cross(up).x;
        let (gm, bm) = (0.5 * 0.5 * -0.5 + 1.0 / (12.0 * 0.25), 1.0 / (12.0 * 0.25));
        let tangent = libm::tan(f);
        let gz = libm::sin(f) * (gm + 0.5 * bm * tangent * tangent);
        assert!((volume - 0.5).abs() < 1e-12);
        assert!((righting - SEA * G * 0.5 * gz).abs() < 1e-8, "{heel_deg}: {righting} is not {}", SEA * G * 0.5 * gz);
        if heel_deg == 10.0 {
            assert!((gz - 0.037_076_5).abs() < 5e-8 && (righting - 186.4069).abs() < 5e-5);
        }
    }
}

/// A mesh in mm, stretched along one axis: the volume goes with the product of the factors, places with their own.
#[test]
fn a_mesh_has_its_scale() {
    let scale = [0.001, 0.003, 0.001];
    let mesh = Mesh::new(&MeshParams { scale, ..box_mesh([2000.0, 3000.0, 4000.0]) }).unwrap();
    assert!((mesh.volume_m3() - 24.0 * 3.0).abs() < 1e-12, "{}", mesh.volume_m3());
    assert!((mesh.radius_m() - DVec3::new(1.0, 4.5, 2.0).length()).abs() < 1e-12, "{}", mesh.radius_m());
}

/// Two points, far apart: as soon as either is under water the whole body has the decay of water. A rate of -1 keeps the body's own.
#[test]
fn any_wet_point_switches_the_decay() {
    let decay = DecayParams {
        own_linear_per_s: 0.5,
        own_angular_per_s: 0.25,
        water_linear_per_s: 1.02,
        water_angular_per_s: -1.0,
        air_linear_per_s: -1.0,
        air_angular_per_s: 0.1,
    };
    let points = PointParams {
        volume_m3: 0.001,
        depth_before_submerged_m: 0.03,
        max_force_n: 1000.0,
        points_m: vec![[2.0, 0.0, 0.0], [-2.0, 0.0, 0.0]],
        ..Default::default()
    };
    let damping = DampingParams { decay: Some(decay), ..DampingParams::default() };
    let vehicle = vehicle(BodyParams { damping, ..body(5.0, BuoyancyParams::Points(points)) });
    let pitched = |pitch_rad: f64| RollPitchYaw { pitch_rad, ..RollPitchYaw::default() }.to_quat();
    // The lowest point is 2 m sin(0.1) = 0.1997 m below the origin, whichever it is.
    for (z, pitch_rad, linear, angular) in
        [(0.19, 0.1, 1.02, 0.25), (0.19, -0.1, 1.02, 0.25), (-1.0, 0.1, 1.02, 0.25), (0.21, 0.1, 0.5, 0.1)]
    {
        let (position_m, attitude) = (DVec3::new(0.0, 0.0, z), pitched(pitch_rad));
        // Across the plane of gravity and buoyancy, and about the axis through both points.
        let velocity = Vec6::from_array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        let state = vehicle.start(BodyState { position_m, attitude, velocity });
        let rates = vehicle.rates(&state, &Water::flat(FRESH), &Loads::default(), 0.0).unwrap();
        let found = [-rates.acceleration.linear.y, -rates.acceleration.angular.x];
        assert_near(&found, &[linear, angular], 1e-12);
    }
}

/// The centre of gravity is the mean of the points if these say so: the body floats level over them, and its weight has no arm.
#[test]
fn the_mean_of_the_points_may_be_the_centre_of_gravity() {
    let points = PointParams {
        volume_m3: 0.01,
        depth_before_submerged_m: 0.03,
        max_force_n: 1000.0,
        points_m: vec![[0.5, 0.1, 0.0], [0.3, -0.4, 0.2], [-0.2, 0.0, 0.1]],
        is_center_of_gravity: true,
    };
    let vehicle = vehicle(body(FRESH * 0.01, BuoyancyParams::Points(points)));
    let start = vehicle.start(BodyState { position_m: DVec3::new(0.0, 0.0, -5.0), ..BodyState::default() });
    let center_m = vehicle.mass(&start).unwrap().center_m();
    assert!((center_m - DVec3::new(0.2, -0.1, 0.1)).length() < 1e-15, "{center_m}");
    let rates = vehicle.rates(&start, &Water::flat(FRESH), &Loads::default(), 0.0).unwrap();
    assert!(rates.acceleration.linear.length() < 1e-12 && rates.acceleration.angular.length() < 1e-12);
}

/// Righting moment of a heeled box against the clipped mesh, relative, by a function of the number of parts along each axis.
fn righting_error(parts: impl Fn(usize) -> BuoyancyParams, n: usize) -> f64 {
    let heeled = RollPitchYaw { roll_rad: 0.15, pitch_rad: 0.05, yaw_rad: 0.0 }.to_quat();
    let angular = |buoyancy: BuoyancyParams| {
        let vehicle = vehicle(body(500.0, buoyancy));
        let start = vehicle.start(BodyState { attitude: heeled, ..BodyState::default() });
        vehicle.rates(&start, &Water::flat(SEA), &Loads::default(), 0.0).unwrap().acceleration.angular
    };
    let exact = angular(BuoyancyParams::Mesh(box_mesh([2.0, 1.0, 0.5])));
    (angular(parts(n)) - exact).length() / exact.length()
}

/// A place in the box of 2 x 1 x 0.5 m, by the number of a part and how high in it.
fn place_in_box(k: usize, n: usize, height: f64) -> [f64; 3] {
    let at = |k: usize, share: f64| (k as f64 + share) / n as f64 - 0.5;
    [2.0 * at(k % n, 0.5), at(k / n % n, 0.5), 0.5 * at(k / n / n, height)]
}

/// A box in n x n x n cells comes nearer to the clipped mesh as n grows.
#[test]
fn finer_cells_are_nearer_to_the_mesh() {
    let cells = |n: usize| {
        let cell = |k| CellParams {
            center_m: place_in_box(k, n, 0.5),
            volume_m3: 1.0 / (n * n * n) as f64,
            height_m: 0.5 / n as f64,
        };
        BuoyancyParams::Cells((0..n * n * n).map(cell).collect())
    };
    let errors = [2, 4, 8].map(|n| righting_error(cells, n));
    assert!(errors[1] < 0.5 * errors[0] && errors[2] < 0.5 * errors[1], "{errors:?}");
}

/// So does one on n x n x n force points, each at the bottom of its part and full from the part's height on.
#[test]
fn more_force_points_are_nearer_to_the_mesh() {
    let points = |n: usize| {
        BuoyancyParams::Points(PointParams {
            volume_m3: 1.0,
            depth_before_submerged_m: 0.5 / n as f64,
            max_force_n: 1e9,
            points_m: (0..n * n * n).map(|k| place_in_box(k, n, 0.0)).collect(),
            ..Default::default()
        })
    };
    let errors = [2, 4, 8, 16].map(|n| righting_error(points, n));
    assert!(errors.windows(2).all(|pair| pair[1] < 0.7 * pair[0]) && errors[3] < 0.1, "{errors:?}");
}

/// Buoyancy above the centre of gravity rights a body, below it the body capsizes.
#[test]
fn the_side_of_the_buoyancy_decides_over_stability() {
    let largest_roll = |center_z: f64| {
        let submerged = SubmergedParams { volume_m3: 0.01, center_m: [0.0, 0.0, center_z] };
        let vehicle = vehicle(body(FRESH * 0.01, BuoyancyParams::Submerged(submerged)));
        let tilted = RollPitchYaw { roll_rad: 0.08, ..RollPitchYaw::default() }.to_quat();
        let mut state: VehicleState = vehicle.start(BodyState { attitude: tilted, ..BodyState::default() });
        (0..1000).fold(0.0_f64, |most, _| {
            state = run_loaded(&vehicle, &Water::deep(FRESH), state, &Loads::default(), (0.02, 1));
            most.max(RollPitchYaw::from_quat(state.body.attitude).roll_rad.abs())
        })
    };
    assert!(largest_roll(0.05) <= 0.08 + 1e-9, "{}", largest_roll(0.05));
    assert!(largest_roll(-0.05) > 3.0);
}

proptest! {
    /// Wherever a closed mesh lies, the share of the volume under water lies between none and all, and grows with
    /// depth.
    #[test]
    fn a_mesh_goes_under_steadily(roll in -3.0..3.0_f64, pitch in -1.5..1.5_f64, z in -2.0..2.0_f64) {
        let mesh = Mesh::new(&box_mesh([2.0, 1.0, 0.5])).unwrap();
        let rotation = RollPitchYaw { roll_rad: roll, pitch_rad: pitch, yaw_rad: 0.3 }.to_quat();
        let under = |z: f64| mesh.submerged(rotation.conjugate() * DVec3::Z, |point| -(rotation * point).z - z).0;
        let (low, high) = (under(z - 0.1), under(z));
        prop_assert!((-1e-12..=1.0 + 1e-12).contains(&high) && low >= high - 1e-12);
    }
}

/// The file that is meant to be copied, let go 3 m deep in water in which it is 0.75 kg light: it rises and floats there with 0.75/30.75 of
/// its height of 0.3 m dry. Let go 3 m high, it falls and comes to the same.
#[test]
fn the_vehicle_to_copy_floats_at_the_surface() {
    let vehicle = crate::support::vehicle("custom");
    let rest_m = 0.3 * 0.75 / 30.75 - 0.15;
    for start_m in [-3.0, 3.0] {
        let position_m = DVec3::new(0.0, 0.0, start_m);
        let mut state = vehicle.start(BodyState { position_m, ..BodyState::default() });
        for _ in 0..60 {
            state = run_loaded(&vehicle, &Water::flat(SEA), state, &Loads::default(), (0.02, 50));
            assert!(state.body.position_m.z < start_m.max(0.0), "it leaves the water: {}", state.body.position_m);
        }
        assert!((state.body.position_m.z - rest_m).abs() < 1e-3, "{} is not {rest_m}", state.body.position_m);
        assert!(state.body.velocity.linear.length() < 1e-3, "{:?}", state.body.velocity);
    }
}
