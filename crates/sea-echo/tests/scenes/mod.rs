//! Terrains, sensors and solids that the tests of this crate share.
#![allow(dead_code, reason = "each test program uses a part")]

use sea_echo::{HeightGrid, MeshParams, Ray, SensorPose, Surface, TriangleMesh};
use sim_core::{DQuat, DVec2, DVec3, Purpose, RunKey, Stream};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

pub fn stream(seed: u64) -> Stream {
    RunKey { seed, run_index: 0 }.stream(Purpose::new(1000), 0, 0)
}

/// A direction of length 1, even over the sphere.
pub fn direction(s: &mut Stream) -> DVec3 {
    let z = s.range(-1.0, 1.0);
    (s.direction() * (1.0 - z * z).sqrt()).extend(z)
}

/// A terrain of 13 x 11 posts: steps of a quarter of a metre, plateaus, spikes of up to 300 m either way, and walls of one cell.
pub fn wild_terrain(s: &mut Stream) -> HeightGrid {
    let (columns, rows) = (13, 11);
    let mut heights: Vec<f64> = (0..columns * rows).map(|_| 0.25 * s.range(-40.0, -20.0).floor()).collect();
    for _ in 0..3 {
        let (column, row, wide, high) = (s.below(9) as usize, s.below(7) as usize, 1 + s.below(4), 1 + s.below(4));
        let height_m = s.range(-12.0, -3.0);
        for (east, north) in (0..=wide as usize).flat_map(|east| (0..=high as usize).map(move |north| (east, north))) {
            heights[(row + north) * columns + column + east] = height_m;
        }
    }
    (0..s.below(4)).for_each(|_| heights[s.below(143) as usize] += s.range(-300.0, 300.0));
    let (wall, top_m) = (s.below(11) as usize, s.range(-2.0, 6.0));
    (0..columns).for_each(|column| heights[wall * columns + column] = top_m);
    let cell_m = [1.0, 0.1, 3.7][s.below(3) as usize];
    let origin_m = [DVec2::ZERO, DVec2::new(-7.3, 1234.5), DVec2::new(649_947.25, 6_521_967.5)][s.below(3) as usize];
    HeightGrid::new(origin_m, cell_m, columns, heights).unwrap()
}

/// A plane z = z0 + slope . (x, y) over 200 x 200 m about the origin, in cells of 5 m.
pub fn plane(z0_m: f64, slope: DVec2) -> HeightGrid {
    let post = |n: usize| z0_m + slope.dot(DVec2::new((n % 41) as f64, (n / 41) as f64) * 5.0 - 100.0);
    HeightGrid::new(DVec2::splat(-100.0), 5.0, 41, (0..41 * 41).map(post).collect()).unwrap()
}

/// A sensor with the world's axes.
pub fn level(position_m: DVec3) -> SensorPose {
    SensorPose { position_m, world_from_sensor: DQuat::IDENTITY }
}

/// All corners of a surface and their triangles, for meshes of any library.
pub fn triangles_of(surface: &impl Surface) -> MeshParams {
    let vertices_m: Vec<DVec3> = (0..surface.triangle_count()).flat_map(|n| surface.corners_m(n)).collect();
    let triangles = (0..surface.triangle_count()).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
    MeshParams { vertices_m, triangles }
}

pub fn mesh_of(surface: &impl Surface) -> TriangleMesh {
    TriangleMesh::new(triangles_of(surface)).unwrap()
}

/// Distance and number of the nearest of all triangles, of equal ones the first.
pub fn nearest_of_all(triangles: &[[DVec3; 3]], ray: &Ray) -> Option<(f64, u32)> {
    let mut best: Option<(f64, u32)> = None;
    for (number, &corners) in (0..).zip(triangles) {
        if let Some(distance_m) = ray.meets(corners)
            && best.is_none_or(|(best_m, _)| distance_m < best_m)
        {
            best = Some((distance_m, number));
        }
    }
    best
}

/// Angles from the first to the last, both included.
pub fn angles(first_deg: f64, last_deg: f64, count: u32) -> Vec<f64> {
    let step = |n: u32| (first_deg + (last_deg - first_deg) * f64::from(n) / f64::from(count - 1)).to_radians();
    (0..count).map(step).collect()
}

/// Axes of a fan: turned at random, or along the grid, where planes run along borders of cells and rays through posts.
pub fn fan_axes(s: &mut Stream) -> [DVec3; 2] {
    let along_grid = [
        [DVec3::NEG_Z, DVec3::X],
        [DVec3::NEG_Z, DVec3::Y],
        [DVec3::NEG_Z, DVec3::new(0.6, -0.8, 0.0)],
        [DVec3::X, DVec3::Y],
        [DVec3::Y, DVec3::NEG_Z],
    ];
    if s.below(2) == 0 {
        return along_grid[s.below(5) as usize];
    }
    // Most sensors look more or less downwards.
    let zero = if s.below(3) == 0 { direction(s) } else { (direction(s) * 0.4 + DVec3::NEG_Z).normalize() };
    [zero, zero.cross(direction(s)).normalize()]
}

/// A place over, in or under a terrain: anywhere, over a post or at it, or over the border of a cell.
pub fn origin(s: &mut Stream, terrain: &HeightGrid) -> DVec3 {
    let corner = |s: &mut Stream| terrain.corners_m(s.below(u64::from(terrain.triangle_count())) as u32);
    let [a, b, _] = corner(s);
    let over_m = s.range(-3.0, 25.0);
    match s.below(5) {
        0 => a.with_z(over_m),
        1 => a,
        2 => a.midpoint(b).with_z(over_m),
        _ => {
            let c = corner(s)[2];
            a.lerp(c, s.range(-0.3, 1.3)).with_z(over_m)
        }
    }
}

/// A sphere about the origin out of an octahedron, each triangle split into four so often. Corners are on the sphere to a rounding.
pub fn sphere(radius_m: f64, splits: u32) -> MeshParams {
    let mut vertices_m = vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..splits {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices_m.push(vertices_m[a as usize].midpoint(vertices_m[b as usize]).normalize());
                vertices_m.len() as u32 - 1
            })
        };
        let four = |&[a, b, c]: &[u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.iter().flat_map(four).collect();
    }
    vertices_m.iter_mut().for_each(|vertex| *vertex *= radius_m);
    MeshParams { vertices_m, triangles }
}

/// A torus about the z axis: radii of its ring and of its tube, m, and corners along both.
pub fn torus([ring_m, tube_m]: [f64; 2], [long, round]: [u32; 2]) -> MeshParams {
    let at = |n: u32| {
        let ring = DVec2::from_angle(TAU * f64::from(n / round) / f64::from(long));
        let tube = DVec2::from_angle(TAU * f64::from(n % round) / f64::from(round)) * tube_m;
        (ring * (ring_m + tube.x)).extend(tube.y)
    };
    let corner = |i: u32, j: u32| (i % long) * round + j % round;
    let cell = |n: u32| {
        let (i, j) = (n / round, n % round);
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
        [[a, b, d], [a, d, c]]
    };
    let count = long * round;
    MeshParams { vertices_m: (0..count).map(at).collect(), triangles: (0..count).flat_map(cell).collect() }
}

/// A box about the origin with edges of so many metres.
pub fn cuboid(size_m: DVec3) -> MeshParams {
    let corner = |n: u32| {
        let sign = |bit: u32| if n & bit == 0 { -0.5 } else { 0.5 };
        DVec3::new(sign(1), sign(2), sign(4)) * size_m
    };
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    MeshParams { vertices_m: (0..8).map(corner).collect(), triangles }
}

/// A mesh that is moved.
pub fn moved(mut params: MeshParams, by_m: DVec3) -> MeshParams {
    params.vertices_m.iter_mut().for_each(|vertex| *vertex += by_m);
    params
}

/// Fans like those of sonars: multibeam, one side of a side scan, forward looking, and all round.
pub fn sonar_angles() -> [Vec<f64>; 5] {
    let quarter = FRAC_PI_2.to_degrees();
    [
        angles(-22.5, 22.5, 12),
        angles(-70.0, 70.0, 13),
        angles(0.0, quarter, 13),
        angles(60.0, 95.0, 10),
        angles(-180.0, 2.0 * quarter, 13).into_iter().filter(|angle| *angle < PI).collect(),
    ]
}
