//! Rays: every way of casting against every triangle, another library, and closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod scenes;

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{Ray as ParryRay, RayCast};
use parry3d_f64::shape::TriMesh;
use proptest::prelude::*;
use scenes::{angles, direction, fan_axes, mesh_of, nearest_of_all, origin, plane, sonar_angles, stream, wild_terrain};
use sea_echo::{Fan, HeightGrid, Hit, Ray, Surface, SurfaceSet, TriangleMesh};
use sim_core::{DVec2, DVec3, ops};
use test_alloc::allocations_of;

type Bits = Option<(u64, u32)>;

fn bits(hit: Option<Hit>) -> Bits {
    hit.map(|hit| (hit.distance_m.to_bits(), hit.triangle))
}

/// A terrain in all its forms.
struct Terrain {
    grid: HeightGrid,
    mesh: TriangleMesh,
    triangles: Vec<[DVec3; 3]>,
}

impl Terrain {
    fn new(grid: HeightGrid) -> Self {
        let triangles = (0..grid.triangle_count()).map(|triangle| grid.corners_m(triangle)).collect();
        Self { mesh: mesh_of(&grid), triangles, grid }
    }

    /// What triangle by triangle, cell by cell and the tree say of a ray, which must be one thing.
    fn cast(&self, ray: &Ray) -> Bits {
        let nearest = nearest_of_all(&self.triangles, ray);
        let expected = nearest.map(|(distance_m, triangle)| (distance_m.to_bits(), triangle));
        assert_eq!(bits(self.grid.cast(ray)), expected, "cell by cell, {ray:?}");
        assert_eq!(bits(self.mesh.cast(ray)), expected, "tree, {ray:?}");
        expected
    }
}

/// Fans of all kinds from 50 poses over a terrain; returns how many rays met something.
fn compare_fans(seed: u64) -> usize {
    let mut s = stream(seed);
    let terrain = Terrain::new(wild_terrain(&mut s));
    let mut fans = sonar_angles().map(|angles| Fan::new(&angles, [40.0, 400.0][(seed % 2) as usize]).unwrap());
    let mut met = 0;
    for _ in 0..50 {
        let (from, axes) = (origin(&mut s, &terrain.grid), fan_axes(&mut s));
        for fan in &mut fans {
            fan.place(from, axes).unwrap();
            let mut hits = vec![None; fan.rays().len()];
            terrain.grid.cast_fan(fan, &mut hits);
            for (ray, &hit) in fan.rays().iter().zip(&hits) {
                assert_eq!(bits(hit), terrain.cast(ray), "fan, {ray:?}");
            }
            met += hits.iter().flatten().count();
        }
    }
    met
}

/// Rays to posts and to middles of edges, from straight above and along borders of cells; and rays along edges, in the plane of both
/// triangles beside them.
fn compare_at_borders(seed: u64) {
    let mut s = stream(seed);
    let terrain = Terrain::new(wild_terrain(&mut s));
    let span = [terrain.triangles[0][0], terrain.triangles[terrain.triangles.len() - 1][1]].map(DVec3::truncate);
    for &[a, b, c] in &terrain.triangles {
        let target = [a, b, c, a.midpoint(b), b.midpoint(c), c.midpoint(a)][s.below(6) as usize];
        let down = terrain.cast(&Ray::new(target.with_z(900.0), DVec3::NEG_Z, 1500.0).unwrap());
        let place = target.truncate();
        // On the border of the grid, a middle that is rounded may be outside.
        if place.cmpgt(span[0]).all() && place.cmplt(span[1]).all() {
            let hit_m = f64::from_bits(down.unwrap().0);
            // A middle at 6.5e6 m is rounded by 5e-10 m, and spikes rise by up to 3000.
            assert!((hit_m - (900.0 - target.z)).abs() < 1e-5, "{target}: {hit_m}");
        }
        let beside = [DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)][s.below(3) as usize] * s.range(-30.0, 30.0);
        let from = target + beside + DVec3::Z * s.range(0.0, 40.0);
        terrain.cast(&Ray::new(from, target - from, 100.0).unwrap());
        terrain.cast(&Ray::new(a, b - a, 100.0).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_way_of_casting_gives_the_same_bits(seed: u64) {
        let met = compare_fans(seed);
        // Of 3000 rays; most look down from over the terrain.
        prop_assert!(met > 150, "{met}");
    }

    #[test]
    fn rays_through_posts_and_along_borders_are_met(seed: u64) {
        compare_at_borders(seed);
    }
}

/// A terrain with a sphere and a box in it, of which one touches the terrain, against one mesh of all triangles.
#[test]
fn surfaces_together_are_one_surface() {
    let terrain = hills();
    let sphere = TriangleMesh::new(scenes::moved(scenes::sphere(2.0, 3), DVec3::new(3.0, 1.0, -5.0))).unwrap();
    let cube =
        TriangleMesh::new(scenes::moved(scenes::cuboid(DVec3::splat(4.0)), DVec3::new(-6.0, 2.0, -9.0))).unwrap();
    let set = SurfaceSet::new([&terrain as &dyn Surface, &sphere, &cube]).unwrap();
    let all = mesh_of(&set);
    let mut fan = Fan::new(&angles(-70.0, 70.0, 61), 60.0).unwrap();
    let (mut hits, mut met) = (vec![None; 61], [0; 3]);
    for seed in 0..200 {
        let mut s = stream(seed);
        fan.place(origin(&mut s, &terrain), fan_axes(&mut s)).unwrap();
        set.cast_fan(&fan, &mut hits);
        for (ray, &hit) in fan.rays().iter().zip(&hits) {
            assert_eq!(bits(hit), bits(all.cast(ray)), "{ray:?}");
            assert_eq!(bits(hit), bits(set.cast(ray)), "{ray:?}");
            let Some(Hit { triangle, .. }) = hit else { continue };
            let (part, own) = set.part_of(triangle);
            let surfaces: [&dyn Surface; 3] = [&terrain, &sphere, &cube];
            assert_eq!(surfaces[part].corners_m(own), set.corners_m(triangle));
            met[part] += 1;
        }
    }
    assert!(met.iter().all(|&met| met > 50), "{met:?}");
    // Of two triangles at one place the one that comes first counts.
    let twice = SurfaceSet::new([&cube, &cube]).unwrap();
    let down = Ray::new(DVec3::new(-5.0, 2.5, 0.0), DVec3::NEG_Z, 20.0).unwrap();
    assert_eq!(twice.cast(&down).map(|hit| twice.part_of(hit.triangle).0), Some(0));
    assert_eq!(
        SurfaceSet::<&TriangleMesh>::new([]).err().unwrap().to_string(),
        "surfaces has no surface, must have 1 or more"
    );
}

/// A level bottom without a border in sight: cells of 100 km.
#[test]
fn large_cells_are_as_exact_as_small_ones() {
    let bottom = HeightGrid::new(DVec2::splat(-1e5), 1e5, 3, vec![-10.0; 9]).unwrap();
    for seed in 0..2000 {
        let mut s = stream(seed);
        let from = DVec3::new(s.range(-1000.0, 1000.0), s.range(-1000.0, 1000.0), s.range(-9.0, 90.0));
        let way = direction(&mut s);
        let ray = Ray::new(from, way.with_z(-way.z.abs() - 0.05), 1000.0).unwrap();
        let expected_m = (from.z + 10.0) / -ray.direction().z;
        let hit_m = bottom.cast(&ray).map_or(f64::INFINITY, |hit| hit.distance_m);
        // Places of 1e5 m are rounded by 7e-12 m, the least angle is 0.05.
        assert!((hit_m - expected_m).abs() < 1e-9 || (expected_m > 1000.0 && hit_m.is_infinite()), "{ray:?}");
    }
}

fn parry_mesh(surface: &impl Surface) -> TriMesh {
    let all = scenes::triangles_of(surface);
    let vertices = all.vertices_m.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
    TriMesh::new(vertices, all.triangles).unwrap()
}

fn parry_distance_m(mesh: &TriMesh, ray: &Ray) -> Option<f64> {
    let [from, way] = [ray.origin_m(), ray.direction()].map(|v| Vector::new(v.x, v.y, v.z));
    mesh.cast_ray(&Pose::IDENTITY, &ParryRay::new(from, way), ray.length_m(), false)
}

/// Hills of 4 m over 41 x 31 posts.
fn hills() -> HeightGrid {
    let mut s = stream(3);
    HeightGrid::new(DVec2::new(-20.0, -15.0), 1.0, 41, (0..41 * 31).map(|_| s.range(-12.0, -8.0)).collect()).unwrap()
}

#[test]
fn another_library_agrees() {
    let terrain = hills();
    let sphere = TriangleMesh::new(scenes::sphere(7.0, 4)).unwrap();
    let peers = [parry_mesh(&terrain), parry_mesh(&sphere)];
    let mut met = 0;
    for seed in 0..10_000 {
        let mut s = stream(seed);
        let from = DVec3::new(s.range(-25.0, 25.0), s.range(-20.0, 20.0), s.range(-13.0, 9.0));
        let ray = Ray::new(from, direction(&mut s) + DVec3::new(0.0, 0.0, -0.4), 60.0).unwrap();
        for (ours, peer) in [(terrain.cast(&ray), &peers[0]), (sphere.cast(&ray), &peers[1])] {
            match (ours.map(|hit| hit.distance_m), parry_distance_m(peer, &ray)) {
                // What is asked; coordinates of 25 m are rounded to 4e-15 m.
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{seed}: {a} {b}"),
                (a, b) => assert_eq!(a, b, "{seed}"),
            }
            met += usize::from(ours.is_some());
        }
    }
    assert!(met > 3000, "{met}");
}

/// T-94 of the reference (ends of a fan of 256 rays over 45 deg) and ranges h/cos on a level bottom and on a slope.
#[test]
fn ranges_on_planes_are_closed_forms() {
    let mut fan = Fan::new(&angles(-22.5, 22.5, 256), 100.0).unwrap();
    fan.place(DVec3::new(3.0, -2.0, 0.0), [DVec3::NEG_Z, DVec3::X]).unwrap();
    let mut hits = vec![None; 256];
    plane(-10.0, DVec2::ZERO).cast_fan(&fan, &mut hits);
    for (ray, hit) in fan.rays().iter().zip(&hits) {
        // A rounding of the direction's 1 and of the height's 10.
        assert!((hit.unwrap().distance_m - 10.0 / -ray.direction().z).abs() < 1e-13);
    }
    let across_m = |n: usize| fan.rays()[n].at(hits[n].unwrap().distance_m).x - 3.0;
    assert!((across_m(0) + 4.142136).abs() < 5e-7 && (across_m(255) - 4.142136).abs() < 5e-7);

    let slope = DVec2::new(0.3, -0.7);
    let tilted = plane(-40.0, slope);
    let mut tilt = Fan::new(&angles(-60.0, 60.0, 101), 150.0).unwrap();
    let from = DVec3::new(3.0, -2.0, 5.0);
    let zero = DVec3::new(0.3, 0.2, -1.0).normalize();
    tilt.place(from, [zero, zero.cross(DVec3::Y).normalize()]).unwrap();
    let mut hits = vec![None; 101];
    tilted.cast_fan(&tilt, &mut hits);
    let mut met = 0;
    for (ray, hit) in tilt.rays().iter().zip(&hits) {
        // Where z0 + slope . (x, y) = z.
        let way = ray.direction();
        let expected_m = (-40.0 + slope.dot(from.truncate()) - from.z) / (way.z - slope.dot(way.truncate()));
        let is_over = ray.at(expected_m).truncate().abs().max_element() < 100.0;
        assert_eq!(hit.is_some(), is_over && (0.0..=150.0).contains(&expected_m), "{way}");
        if let Some(hit) = hit {
            met += 1;
            // Coordinates of 150 m and an angle of 0.1 rad or more.
            assert!((hit.distance_m - expected_m).abs() < 1e-11, "{way}");
            assert!((tilted.normal(hit.triangle) - (-slope).extend(1.0).normalize()).length() < 1e-14);
        }
    }
    assert!(met > 60, "{met}");
}

/// Rays of a fan to posts far away, where triangles on both sides of a border are met at one distance: a fan must not end before the
/// second one, which may have the smaller number.
#[test]
fn fans_look_on_both_sides_of_a_border() {
    let terrain = Terrain::new(plane(-10.0, DVec2::ZERO));
    for (n, height_m) in (0..400).map(|n| (n, 1.0 + f64::from(n % 20))) {
        let away_m = 5.0 * f64::from(n / 20) - 50.0;
        let mut fan = Fan::new(&[ops::atan2(away_m, height_m)], 100.0).unwrap();
        for quarter in [DVec3::X, DVec3::Y] {
            fan.place(DVec3::Z * (height_m - 10.0), [DVec3::NEG_Z, quarter]).unwrap();
            let mut hits = [None];
            terrain.grid.cast_fan(&fan, &mut hits);
            assert_eq!(bits(hits[0]), terrain.cast(&fan.rays()[0]), "{away_m} m away, {height_m} m high");
            assert!((hits[0].unwrap().distance_m - DVec2::new(away_m, height_m).length()).abs() < 1e-12);
        }
    }
}

/// A step of 4 m within one cell of 5 m at x = 0: levels on either side, and a slope of 0.8 in between.
#[test]
fn a_step_hides_what_is_behind_it() {
    let heights = (0..41 * 41).map(|n| if n % 41 <= 20 { -10.0 } else { -6.0 }).collect();
    let terrain = HeightGrid::new(DVec2::splat(-100.0), 5.0, 41, heights).unwrap();
    let cast = |from: DVec3, way: DVec3| terrain.cast(&Ray::new(from, way, 300.0).unwrap()).map(|hit| hit.distance_m);
    let from = DVec3::new(-30.0, 1.0, -8.0);
    // Level, 2 m over the lower level: half the way up the slope, at x = 2.5.
    assert_eq!(cast(from, DVec3::X), Some(32.5));
    // Downwards by 2 m in 30: the foot of the step; and in 20: the lower level before it.
    assert!((cast(from, DVec3::new(30.0, 0.0, -2.0)).unwrap() - DVec2::new(30.0, 2.0).length()).abs() < 1e-12);
    assert!((cast(from, DVec3::new(20.0, 0.0, -2.0)).unwrap() - DVec2::new(20.0, 2.0).length()).abs() < 1e-12);
    // Over its edge at x = 5, z = -6: upwards by 2 m in 35 is its limit.
    assert!(cast(from, DVec3::new(35.0, 0.0, 1.999)).is_some());
    assert_eq!(cast(from, DVec3::new(35.0, 0.0, 2.001)), None);
    // From below: the bottom is met from both sides.
    assert_eq!(cast(DVec3::new(-30.0, 1.0, -30.0), DVec3::Z), Some(20.0));
    assert_eq!(cast(DVec3::new(30.0, 1.0, -30.0), DVec3::Z), Some(24.0));
}

/// T-102 of the reference: from the middle of a sphere of 20 m everything is at 20 m.
#[test]
fn a_sphere_is_met_at_its_radius() {
    let params = scenes::sphere(20.0, 5);
    let corners = params.vertices_m.clone();
    let sphere = TriangleMesh::new(params).unwrap();
    let cast = |way: DVec3| sphere.cast(&Ray::new(DVec3::ZERO, way, 100.0).unwrap()).unwrap().distance_m;
    for corner in corners {
        assert!((cast(corner) - 20.0).abs() < 1e-13);
    }
    // No edge is longer than one of the first split's middle triangle, 90 deg in 32 parts and stretched by at most pi/2: triangles with
    // edges e lie at sqrt(R^2 - e^2/3) or beyond.
    let edge_m = 20.0 * std::f64::consts::FRAC_PI_2 * std::f64::consts::FRAC_PI_2 / 32.0;
    let nearest_m = (400.0 - edge_m * edge_m / 3.0).sqrt();
    let mut s = stream(1);
    for _ in 0..5000 {
        let distance_m = cast(direction(&mut s));
        assert!((nearest_m..20.0 + 1e-13).contains(&distance_m), "{distance_m}");
    }
}

#[test]
fn rays_end_where_they_should() {
    let terrain = plane(-10.0, DVec2::ZERO);
    let cast = |length_m: f64| terrain.cast(&Ray::new(DVec3::ZERO, DVec3::NEG_Z, length_m).unwrap());
    assert!(cast(10.0).is_some() && cast(10.0_f64.next_down()).is_none() && cast(0.0).is_none());
    // At a post that eight triangles could share: the first of them. The place itself is met at 0.
    let at_post = terrain.cast(&Ray::new(DVec3::new(0.0, 0.0, -10.0), DVec3::NEG_Z, 0.0).unwrap()).unwrap();
    assert_eq!((at_post.distance_m, terrain.cell_of(at_post.triangle), at_post.triangle % 2), (0.0, [19, 19], 0));
    // Fans that end before the bottom, look away from it, or have nothing below them.
    let mut fan = Fan::new(&angles(-30.0, 30.0, 5), 9.0).unwrap();
    let mut hits = vec![Some(at_post); 5];
    for (from, down) in [(DVec3::ZERO, DVec3::NEG_Z), (DVec3::ZERO, DVec3::Z), (DVec3::X * 500.0, DVec3::NEG_Z)] {
        fan.place(from, [down, DVec3::Y]).unwrap();
        terrain.cast_fan(&fan, &mut hits);
        assert_eq!(hits, [None; 5], "{from} {down}");
        hits.fill(Some(at_post));
    }
    // More rays than hits: the rest is left out.
    fan.place(DVec3::Z * -5.0, [DVec3::NEG_Z, DVec3::Y]).unwrap();
    terrain.cast_fan(&fan, &mut hits[..2]);
    assert!((hits[1].unwrap().distance_m - 5.0 / ops::cos(15_f64.to_radians())).abs() < 1e-14);
    assert_eq!(hits[2], Some(at_post));
}

#[test]
fn casting_does_not_allocate() {
    let terrain = hills();
    let sphere = TriangleMesh::new(scenes::sphere(7.0, 4)).unwrap();
    let mut fan = Fan::new(&angles(-120.0, 120.0, 200), 50.0).unwrap();
    let mut hits = vec![None; 200];
    let counted = allocations_of(|| {
        fan.place(DVec3::new(0.5, 0.2, -3.0), [DVec3::NEG_Z, DVec3::Y]).unwrap();
        terrain.cast_fan(&fan, &mut hits);
        assert!(hits[100].is_some());
        sphere.cast_fan(&fan, &mut hits);
        assert!(hits[0].is_some() && terrain.cast(&fan.rays()[100]).is_some());
    });
    assert_eq!(counted, 0);
}

#[test]
fn wrong_values_are_refused_by_name() {
    let ray = |from, way, length| Ray::new(from, way, length).unwrap_err().to_string();
    let nan = f64::NAN;
    for way in [DVec3::ZERO, DVec3::splat(nan), DVec3::X * f64::INFINITY] {
        assert_eq!(ray(DVec3::ZERO, way, 1.0), format!("direction is {way}, must be finite and longer than 0"));
    }
    assert_eq!(ray(DVec3::ZERO, DVec3::X, nan), "length_m is NaN, must be from 0 to 10000000");
    assert_eq!(ray(DVec3::Y * nan, DVec3::X, 1.0), "origin_m is NaN, must be from -10000000 to 10000000");
    let grid =
        |columns, heights: &[f64]| HeightGrid::new(DVec2::ZERO, 1.0, columns, heights.into()).unwrap_err().to_string();
    assert_eq!(
        grid(3, &[0.0, 1.0, 4.0, 2.0, nan, 5.0]),
        "heights_m has NaN in row 1, column 1, must be from -12000 to 12000"
    );
    for (columns, count) in [(1, 4), (0, 4), (3, 4), (3, 3), (2, 0)] {
        let message = format!("heights_m has {count} heights, must have 2 or more full rows of {columns} >= 2");
        assert_eq!(grid(columns, &vec![0.0; count]), message);
    }
    let placed = |at, cell_m| HeightGrid::new(at, cell_m, 2, vec![0.0; 4]).unwrap_err().to_string();
    assert_eq!(placed(DVec2::ZERO, nan), "cell_m is NaN, must be from 0.001 to 100000");
    assert_eq!(placed(DVec2::Y * nan, 1.0), "origin_m is NaN, must be from -10000000 to 10000000");
    assert_eq!(placed(DVec2::splat(1e7), 1.0), "origin_m is 10000001, must be from -10000000 to 10000000");
    let fan = |angles: &[f64], length_m| Fan::new(angles, length_m).unwrap_err().to_string();
    assert_eq!(fan(&[], 1.0), "angles_rad has no ray, must have 1 or more");
    assert_eq!(fan(&[0.0; 1_000_001], 1.0), "angles_rad has 1000001 rays, must have at most 1000000");
    assert!(fan(&[0.2, 0.1], 1.0).ends_with("must run from the smaller to the larger"));
    assert!(fan(&[nan], 1.0).starts_with("angles_rad is NaN") && fan(&[-4.0, 4.0], 1.0).starts_with("angles_rad is 8"));
    assert_eq!(fan(&[0.0], -1.0), "length_m is -1, must be from 0 to 10000000");
    let mut fan = Fan::new(&[0.0], 1.0).unwrap();
    let mut place = |from, axes| fan.place(from, axes).unwrap_err().field;
    assert_eq!(place(DVec3::ZERO, [DVec3::X, DVec3::X]), "axes");
    assert_eq!(place(DVec3::ZERO, [DVec3::X * 2.0, DVec3::Y]), "axes");
    assert_eq!(place(DVec3::ZERO, [DVec3::X * nan, DVec3::Y]), "axes");
    assert_eq!(place(DVec3::X * nan, [DVec3::X, DVec3::Y]), "origin_m");
}
