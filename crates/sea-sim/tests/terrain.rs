//! The bottom: heights, rays against every triangle and against another library, files, and hills of a seed.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{Ray as ParryRay, RayCast};
use parry3d_f64::shape::TriMesh;
use proptest::prelude::*;
use sea_sim::terrain::{FlatBottom, GeneratedParams, HeightGrid, HeightGridParams, Material, PngParams, Ray, Terrain};
use sim_core::{DVec2, DVec3, Purpose, RunKey, Stream};

const KEY: RunKey = RunKey { seed: 5, run_index: 0 };
const SAND: Material = Material(3);

fn hills() -> GeneratedParams {
    GeneratedParams {
        origin_m: DVec2::new(-20.0, -15.0),
        cell_m: 1.0,
        posts: [41, 31],
        base_z_m: -10.0,
        slope: DVec2::new(0.05, -0.02),
        relief_m: 4.0,
        feature_m: 12.0,
        layers: 4,
        material: SAND,
    }
}

fn grid() -> HeightGrid {
    HeightGrid::generated(&hills(), KEY).unwrap()
}

/// Three columns, two rows.
fn small() -> HeightGridParams {
    HeightGridParams {
        origin_m: DVec2::new(10.0, 20.0),
        cell_m: 2.0,
        columns: 3,
        rows: 2,
        heights_m: vec![0.0, 1.0, 4.0, 2.0, 5.0, 5.0],
        materials: vec![Material(1), Material(2)],
    }
}

fn stream(n: u64) -> Stream {
    KEY.stream(Purpose::new(1000), n, 0)
}

#[test]
fn heights_are_those_of_two_triangles_a_cell() {
    let grid = HeightGrid::new(small()).unwrap();
    let at = |x: f64, y: f64| grid.ground(x, y).unwrap();
    // Posts, an edge, the diagonal of the first cell (0 to 5), and the middle of each of its triangles.
    for (x, y, z) in [(10.0, 20.0, 0.0), (14.0, 22.0, 5.0), (11.0, 20.0, 0.5), (11.0, 21.0, 2.5)] {
        assert_eq!(at(x, y).z_m, z);
    }
    assert!((at(10.0 + 4.0 / 3.0, 20.0 + 2.0 / 3.0).z_m - (0.0 + 1.0 + 5.0) / 3.0).abs() < 1e-14);
    assert!((at(10.0 + 2.0 / 3.0, 20.0 + 4.0 / 3.0).z_m - (0.0 + 2.0 + 5.0) / 3.0).abs() < 1e-14);
    // Southern triangle: 1 in 2 towards east, 4 in 2 towards north.
    assert!((at(11.5, 20.2).normal - DVec3::new(-0.5, -2.0, 1.0).normalize()).length() < 1e-15);
    assert_eq!((at(11.0, 21.0).material, at(13.0, 21.0).material), (Material(1), Material(2)));
    for (x, y) in [(9.99, 21.0), (14.01, 21.0), (11.0, 19.99), (11.0, 22.01), (f64::NAN, 21.0), (11.0, f64::INFINITY)] {
        assert!(grid.ground(x, y).is_none(), "{x} {y}");
    }
}

/// All triangles of a grid, built here from its heights: the cell's diagonal runs from south-west to north-east.
fn all_triangles(grid: &HeightGrid) -> Vec<[DVec3; 3]> {
    let p = grid.params();
    let post = |column: usize, row: usize| {
        let (x, y) = (p.origin_m.x + p.cell_m * column as f64, p.origin_m.y + p.cell_m * row as f64);
        DVec3::new(x, y, p.heights_m[row * p.columns + column])
    };
    let cells = (0..p.rows - 1).flat_map(|row| (0..p.columns - 1).map(move |column| (column, row)));
    cells
        .flat_map(|(c, r)| {
            let (sw, se, nw, ne) = (post(c, r), post(c + 1, r), post(c, r + 1), post(c + 1, r + 1));
            [[sw, se, ne], [sw, ne, nw]]
        })
        .collect()
}

/// Distance to a triangle by Moeller and Trumbore's method, with borders a little wider than the triangle.
fn moeller_trumbore(triangle: &[DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let [a, b, c] = *triangle;
    let (e1, e2) = (b - a, c - a);
    let p = direction.cross(e2);
    let det = e1.dot(p);
    let t = origin - a;
    let u = t.dot(p) / det;
    let q = t.cross(e1);
    let v = direction.dot(q) / det;
    let distance = e2.dot(q) / det;
    (u >= -1e-12 && v >= -1e-12 && u + v <= 1.0 + 1e-12 && distance >= 0.0).then_some(distance)
}

fn random_ray(n: u64) -> (DVec3, DVec3) {
    let mut s = stream(n);
    let origin = DVec3::new(s.range(-30.0, 30.0), s.range(-25.0, 25.0), s.range(-14.0, 4.0));
    let direction = DVec3::new(s.range(-1.0, 1.0), s.range(-1.0, 1.0), s.range(-0.5, 0.2));
    (origin, direction.normalize())
}

#[test]
fn rays_meet_the_nearest_of_all_triangles() {
    let grid = grid();
    let triangles = all_triangles(&grid);
    let mut hits = 0;
    for n in 0..2000 {
        let (origin, direction) = random_ray(n);
        let expected =
            triangles.iter().filter_map(|t| moeller_trumbore(t, origin, direction)).fold(f64::INFINITY, f64::min);
        let hit = grid.cast(&Ray::new(origin, direction, 100.0).unwrap());
        assert_eq!(hit.is_some(), expected < 100.0, "{n}: {hit:?} {expected}");
        if let Some(hit) = hit {
            hits += 1;
            assert!((hit.distance_m - expected).abs() < 1e-9, "{n}: {hit:?} {expected}");
            assert!((hit.position_m - (origin + direction * hit.distance_m)).length() < 1e-12);
            let ground = grid.ground(hit.position_m.x, hit.position_m.y).unwrap();
            assert!((ground.z_m - hit.position_m.z).abs() < 1e-9);
            assert_eq!(hit.material, SAND);
        }
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn another_library_agrees() {
    let grid = grid();
    let triangles = all_triangles(&grid);
    let vertices: Vec<Vector> = triangles.iter().flatten().map(|v| Vector::new(v.x, v.y, v.z)).collect();
    let indices = (0..triangles.len() as u32).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
    let mesh = TriMesh::new(vertices, indices).unwrap();
    for n in 0..5000 {
        let (origin, direction) = random_ray(n);
        let theirs = mesh.cast_ray(
            &Pose::IDENTITY,
            &ParryRay::new(
                Vector::new(origin.x, origin.y, origin.z),
                Vector::new(direction.x, direction.y, direction.z),
            ),
            60.0,
            false,
        );
        let ours = grid.cast(&Ray::new(origin, direction, 60.0).unwrap()).map(|hit| hit.distance_m);
        match (ours, theirs) {
            (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{n}: {a} {b}"),
            (a, b) => assert_eq!(a, b, "{n}"),
        }
    }
}

/// Rays along posts, edges and diagonals, where rounding decides which triangle is met: none may slip through.
#[test]
fn no_ray_slips_between_triangles() {
    let grid = grid();
    for n in 0..4000_u32 {
        let mut s = stream(u64::from(n) + 10_000);
        let (column, row) = (s.below(39) as f64 - 19.0, s.below(29) as f64 - 14.0);
        let offset = [DVec2::ZERO, DVec2::new(0.3, 0.0), DVec2::new(0.0, 0.7), DVec2::new(0.4, 0.4)][(n % 4) as usize];
        let target = DVec2::new(column, row) + offset;
        let ground = grid.ground(target.x, target.y).unwrap();
        let down = grid.cast(&Ray::new(target.extend(20.0), DVec3::NEG_Z, 100.0).unwrap()).unwrap();
        assert!((down.position_m.z - ground.z_m).abs() < 1e-12, "{target}");
        // Along a row of posts, along a diagonal, and from anywhere to the very point: something at or before it is met.
        let anywhere = DVec3::new(s.range(-20.0, 20.0), s.range(-15.0, 15.0), 9.0);
        let origins = [DVec3::new(-20.0, target.y, 9.0), DVec3::new(target.x, -15.0, 9.0), anywhere];
        for origin in origins {
            let to = target.extend(ground.z_m - 1e-9) - origin;
            let hit = grid.cast(&Ray::new(origin, to, to.length() + 1e-6).unwrap());
            assert!(hit.is_some_and(|hit| hit.distance_m <= to.length() + 1e-6), "{target} {origin}");
        }
    }
}

#[test]
fn rays_end_and_begin_where_they_should() {
    let flat = Terrain::Flat(FlatBottom::new(-10.0, SAND).unwrap());
    let ray = |origin, direction, length| Ray::new(origin, direction, length).unwrap();
    let slanted = flat.cast(&ray(DVec3::ZERO, DVec3::new(0.0, 3.0, -4.0), 20.0)).unwrap();
    assert!((slanted.distance_m - 12.5).abs() < 1e-14 && (slanted.position_m.y - 7.5).abs() < 1e-14);
    assert!(flat.cast(&ray(DVec3::ZERO, DVec3::new(0.0, 3.0, -4.0), 12.4)).is_none());
    assert!(flat.cast(&ray(DVec3::ZERO, DVec3::X, 1e6)).is_none());
    assert!(flat.cast(&ray(DVec3::ZERO, DVec3::Z, 1e6)).is_none());
    assert!(flat.cast(&ray(DVec3::new(0.0, 0.0, -12.0), DVec3::Z, 5.0)).is_some(), "from below too");
    let terrain = Terrain::Grid(grid());
    assert!(terrain.cast(&ray(DVec3::new(0.0, 0.0, 30.0), DVec3::NEG_Z, 20.0)).is_none(), "too short");
    assert!(terrain.cast(&ray(DVec3::new(500.0, 0.0, 3.0), DVec3::X, 1e6)).is_none(), "away from it");
    assert!(
        terrain.cast(&ray(DVec3::new(500.0, 0.0, 3.0), DVec3::new(-1.0, 0.0, -0.025), 1e6)).is_some(),
        "from outside"
    );
    assert!(Ray::new(DVec3::ZERO, DVec3::ZERO, 1.0).is_err());
    assert!(Ray::new(DVec3::ZERO, DVec3::X, f64::NAN).is_err());
    let error = Ray::new(DVec3::new(f64::NAN, 0.0, 0.0), DVec3::X, 1.0).unwrap_err().to_string();
    assert!(error.starts_with("origin_m is [NaN"), "{error}");
}

#[test]
fn a_seed_makes_hills_within_their_height() {
    let grid = grid();
    let p = grid.params();
    let height = |index: usize| p.heights_m[index];
    let base = |index: usize| {
        let (x, y) = (p.origin_m.x + (index % 41) as f64, p.origin_m.y + (index / 41) as f64);
        -10.0 + 0.05 * x - 0.02 * y
    };
    let hills: Vec<f64> = (0..41 * 31).map(|n| height(n) - base(n)).collect();
    assert!(hills.iter().all(|hill| hill.abs() <= 4.0));
    assert!(hills.iter().any(|&hill| hill > 1.0) && hills.iter().any(|&hill| hill < -1.0));
    assert_eq!(grid, HeightGrid::generated(&self::hills(), KEY).unwrap());
    assert_ne!(grid, HeightGrid::generated(&self::hills(), RunKey { seed: 6, ..KEY }).unwrap());
    // Half the cell shows the same hills.
    let finer = HeightGrid::generated(&GeneratedParams { cell_m: 0.5, posts: [81, 61], ..self::hills() }, KEY).unwrap();
    for n in 0..31 {
        assert_eq!(finer.params().heights_m[2 * n * 81], p.heights_m[n * 41]);
    }
}

#[test]
fn a_file_is_read_row_by_row_from_north() {
    let text = "ncols 3\nnrows 2\nxllcorner 9\nyllcorner 19\nCELLSIZE 2\nNODATA_value -9999\n2 5 5\n0 1 4.0\n";
    let grid = HeightGrid::from_esri_ascii(text, SAND).unwrap();
    assert_eq!(grid.params(), &HeightGridParams { materials: vec![SAND], ..small() });
    let centred = text.replace("xllcorner 9", "XLLCENTER 10").replace("yllcorner 19", "yllcenter 20");
    assert_eq!(HeightGrid::from_esri_ascii(&centred, SAND).unwrap(), grid);
    let refused =
        |from: &str, to: &str| HeightGrid::from_esri_ascii(&text.replace(from, to), SAND).unwrap_err().to_string();
    assert_eq!(
        refused("2 5 5\n", "2 -9999 5\n"),
        "heights_m lacks 1 of 6 posts (NODATA), the first in row 1, column 2"
    );
    assert_eq!(refused("4.0", "rock"), "heights_m has \"rock\" in row 2, column 3, must be a number");
    assert_eq!(refused("4.0", "nan"), "heights_m has \"nan\" in row 2, column 3, must be a number");
    assert_eq!(refused("2 5 5\n", "nan 5 5\n"), "heights_m has \"nan\" in row 1, column 1, must be a number");
    assert_eq!(refused("4.0", ""), "heights_m has 5 heights, must have 2 rows of 3");
    assert_eq!(refused("ncols 3", "ncols three"), "ncols is \"three\", must be a whole number");
    assert_eq!(refused("CELLSIZE 2\n", ""), "cellsize is missing from the head");
    assert_eq!(refused("CELLSIZE 2\n", "dx 2\n"), "head has the unknown key dx");
    assert_eq!(refused("CELLSIZE 2", "cellsize 0"), "cell_m is 0, must be from 0.001 to 100000");
    assert_eq!(refused("ncols 3", "ncols 99999999999"), "heights_m has 6 heights, must have 2 rows of 99999999999");
    assert_eq!(HeightGrid::from_esri_ascii("", SAND).unwrap_err().to_string(), "ncols is missing from the head");
}

/// A PNG file of three by two pixels out of its samples' bytes.
fn png_file(color: png::ColorType, depth: png::BitDepth, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(samples).unwrap();
    bytes
}

fn grey_file(shades: [u16; 6]) -> Vec<u8> {
    let samples: Vec<u8> = shades.iter().flat_map(|shade| shade.to_be_bytes()).collect();
    png_file(png::ColorType::Grayscale, png::BitDepth::Sixteen, &samples)
}

/// Black is -20 m, white 12.7675 m: a shade is half a millimetre.
fn picture() -> PngParams {
    PngParams {
        origin_m: DVec2::new(10.0, 20.0),
        cell_m: 2.0,
        range_z_m: [-20.0, 12.7675],
        posts: Some([3, 2]),
        missing: None,
        material: SAND,
    }
}

/// The northern row stands first in the picture.
#[test]
fn a_picture_of_sixteen_bits_is_read_row_by_row_from_north() {
    let grid = HeightGrid::from_png(&grey_file([44_000, 50_000, 50_001, 40_000, 0, 65_535]), &picture()).unwrap();
    let expected = [0.0, -20.0, 12.7675, 2.0, 5.0, 5.0005];
    for (found, expected) in grid.params().heights_m.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!((grid.params().columns, grid.params().rows, grid.params().cell_m), (3, 2, 2.0));
    let post = grid.ground(14.0, 22.0).unwrap();
    assert!((post.z_m - 5.0005).abs() < 1e-12 && post.material == SAND);
    // Depths as they are often drawn: white is deep.
    let turned = PngParams { range_z_m: [0.0, -65.535], ..picture() };
    let grid = HeightGrid::from_png(&grey_file([1000; 6]), &turned).unwrap();
    assert!(grid.params().heights_m.iter().all(|height| (height + 1.0).abs() < 1e-12));
}

#[test]
fn wrong_pictures_are_refused_with_the_reason() {
    let shades = [1, 2, 3, 4, 5, 6];
    let refused = |bytes: &[u8], params: &PngParams| HeightGrid::from_png(bytes, params).unwrap_err().to_string();
    let eight = png_file(png::ColorType::Grayscale, png::BitDepth::Eight, &[0; 6]);
    assert_eq!(refused(&eight, &picture()), "heights_m has 8 bits of grey, must have 16 bits of grey");
    let colours = png_file(png::ColorType::Rgb, png::BitDepth::Sixteen, &[0; 36]);
    assert_eq!(
        refused(&colours, &picture()),
        "heights_m has 16 bits of red, green and blue, must have 16 bits of grey"
    );
    let larger = PngParams { posts: Some([3, 3]), ..picture() };
    assert_eq!(refused(&grey_file(shades), &larger), "heights_m is 3 x 2 posts, must be 3 x 3");
    let gaps = PngParams { missing: Some(0), ..picture() };
    assert_eq!(
        refused(&grey_file([1, 2, 3, 4, 0, 0]), &gaps),
        "heights_m lacks 2 of 6 posts (grey 0), the first in row 2, column 2"
    );
    assert!(HeightGrid::from_png(&grey_file(shades), &PngParams { posts: None, ..gaps }).is_ok());
    let nan = PngParams { range_z_m: [0.0, f64::NAN], ..picture() };
    assert_eq!(refused(&grey_file(shades), &nan), "range_z_m is NaN, must be from -12000 to 12000");
    let cell = PngParams { cell_m: 0.0, ..picture() };
    assert_eq!(refused(&grey_file(shades), &cell), "cell_m is 0, must be from 0.001 to 100000");
    let whole = grey_file(shades);
    for length in 0..whole.len() - 12 {
        let message = refused(&whole[..length], &picture());
        assert!(message.starts_with("heights_m is a damaged PNG: "), "{length}: {message}");
    }
    // A head that claims 65536 x 65536 pixels: refused before memory is asked for.
    let mut huge = whole;
    huge[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    assert!(refused(&huge, &picture()).starts_with("heights_m is "));
}

#[test]
fn wrong_values_are_refused_by_name() {
    let refused = |params| HeightGrid::new(params).unwrap_err().to_string();
    let nan = HeightGridParams { heights_m: vec![0.0, 1.0, 4.0, 2.0, f64::NAN, 5.0], ..small() };
    assert_eq!(refused(nan), "heights_m has NaN in row 1, column 1, must be from -12000 to 12000");
    assert_eq!(refused(HeightGridParams { columns: 1, ..small() }), "columns is 1, must be 2 or more");
    let few = HeightGridParams { rows: 3, ..small() };
    assert_eq!(refused(few), "heights_m has 6 heights, must have 3 rows of 3 and at most 50000000 in all");
    let materials = HeightGridParams { materials: vec![SAND; 3], ..small() };
    assert_eq!(refused(materials), "materials has 3 entries, must have 1 or 2");
    assert_eq!(
        refused(HeightGridParams { cell_m: f64::NAN, ..small() }),
        "cell_m is NaN, must be from 0.001 to 100000"
    );
    assert_eq!(FlatBottom::new(f64::NAN, SAND).unwrap_err().field, "flat_z_m");
    let generated = |params| HeightGrid::generated(&params, KEY).unwrap_err().to_string();
    assert_eq!(generated(GeneratedParams { layers: 0, ..hills() }), "layers is 0, must be from 1 to 16");
    assert_eq!(generated(GeneratedParams { posts: [0, 5], ..hills() }), "columns is 0, must be 2 or more");
    assert_eq!(generated(GeneratedParams { relief_m: f64::NAN, ..hills() }), "relief_m is NaN, must be from 0 to 1000");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(place in 0..90_usize, value: u8) {
        let mut bytes = grey_file([1, 2, 3, 4, 5, 6]);
        let place = place.min(bytes.len() - 1);
        bytes[place] = value;
        let _ = HeightGrid::from_png(&bytes, &picture());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(ncols|nrows|xllcorner|yllcenter|cellsize|[0-9. ]{0,4}|nan|\n| ){0,30}") {
        let _ = HeightGrid::from_esri_ascii(&text, SAND);
    }
}
