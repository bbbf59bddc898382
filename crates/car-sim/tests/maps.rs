//! Maps from files: what they become, and what is said of bad ones.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{GrayImage, OccupancySpec, Outermost, Outline, Pose, Segment, SegmentMap};
use sim_core::{DVec2, Purpose, Rect, RunKey, Stream};

const CAR: Rect = Rect { min: DVec2::new(-0.2525, -0.1565), max: DVec2::new(0.2525, 0.1565) };

/// A floor of 10 by 6 m with a pillar as a hole, and a second pillar as a polygon of its own.
const FLOOR: &str = r#"{
  "type": "FeatureCollection", "name": "floor", "crs": { "type": "name" },
  "features": [
    { "type": "Feature", "properties": { "id": 1 }, "geometry": { "type": "Polygon", "coordinates": [
      [[0, 0], [10, 0], [10, 6], [0, 6], [0, 0]],
      [[6, 3], [6, 4], [7, 4], [7, 3], [6, 3]] ] } },
    { "type": "Feature", "geometry": { "type": "Polygon", "coordinates": [
      [[-1e0, 0], [-1e0, 1], [-2, 1], [-2, 0], [-1e0, 0]] ] } },
    { "type": "Feature", "geometry": { "type": "Polygon", "coordinates": [
      [[2, 2], [3, 2], [3, 3], [2, 3], [2, 2]] ] } }
  ]
}"#;

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

#[test]
fn geojson_becomes_segments() {
    let map = SegmentMap::from_geojson(FLOOR).unwrap();
    assert_eq!(map.segments().len(), 16);
    assert_eq!(map.segments()[0], Segment::new(at(0.0, 0.0), at(10.0, 0.0)));
    assert_eq!(map.segments()[3], Segment::new(at(0.0, 6.0), at(0.0, 0.0)));
    assert_eq!(map.segments()[4], Segment::new(at(6.0, 3.0), at(6.0, 4.0)));
    assert_eq!(map.bounds_m(), Some(Rect { min: at(-2.0, 0.0), max: at(10.0, 6.0) }));
}

#[test]
fn corners_make_the_same_map_again() {
    let map = SegmentMap::from_geojson(FLOOR).unwrap();
    let (rings, outermost) = map.corners().unwrap();
    assert_eq!((rings.len(), outermost), (4, Outermost::Floor));
    assert_eq!(rings[1], [at(6.0, 3.0), at(6.0, 4.0), at(7.0, 4.0), at(7.0, 3.0)]);
    assert_eq!(SegmentMap::from_corners(&rings, outermost).unwrap(), map);
    // The same rings, taken as solid things: floors and their outside change places.
    let solid = SegmentMap::from_corners(&rings, Outermost::Solid).unwrap();
    assert!(solid.is_solid_at(at(5.0, 3.0)) && !solid.is_solid_at(at(6.5, 3.5)));
    assert_eq!(SegmentMap::from_segments(map.segments()).unwrap().corners(), None);
    let error =
        SegmentMap::from_corners(&[vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 0.0)]], Outermost::Floor).unwrap_err();
    assert_eq!(error.to_string(), "[0]: has 2 different corners, a ring needs three");
    assert!(SegmentMap::from_corners(&[], Outermost::Floor).is_err());
}

#[test]
fn pillars_are_solid_floors_and_the_outside_are_not() {
    let map = SegmentMap::from_geojson(FLOOR).unwrap();
    for (x, y, is_solid) in [
        (6.5, 3.5, true),
        (2.5, 2.5, true),
        (5.0, 3.0, false),
        (8.0, 3.5, false),
        (-1.5, 0.5, false),
        (-5.0, 3.0, false),
        (20.0, 3.0, false),
        (6.5, 5.0, false),
    ] {
        assert_eq!(map.is_solid_at(at(x, y)), is_solid, "at [{x}, {y}]");
    }
    assert!(!SegmentMap::empty().is_solid_at(at(0.0, 0.0)));
}

#[test]
fn a_car_touches_the_same_segments_as_all_of_them_one_by_one() {
    let map = SegmentMap::from_geojson(FLOOR).unwrap();
    let stream = &mut stream(0);
    let mut touching = 0;
    for _ in 0..5000 {
        let pose = Pose::new(13.0 * stream.uniform() - 3.0, 8.0 * stream.uniform() - 1.0, 7.0 * stream.uniform());
        let outline = Outline::new(CAR, pose);
        let expected = map.segments().iter().any(|segment| outline.touches_segment(segment));
        assert_eq!(map.touches(&outline), expected, "{pose:?}");
        touching += usize::from(expected);
    }
    assert!((500..4500).contains(&touching), "{touching}");
    assert!(!SegmentMap::empty().touches(&Outline::new(CAR, Pose::ORIGIN)));
}

#[test]
fn a_bad_map_is_refused_and_says_where() {
    let error = |from: &str, to: &str| {
        let text = FLOOR.replacen(from, to, 1);
        assert_ne!(text, FLOOR, "`{from}` is in the map");
        SegmentMap::from_geojson(&text).unwrap_err().to_string()
    };
    let first_ring = "features[0].geometry.coordinates[0]";
    assert_eq!(error("\"features\": [", "\"features\": "), "line 7, column 5: is not JSON: key must be a string");
    assert_eq!(error("10, 6", "10, NaN"), "line 5, column 30: is not JSON: expected value");
    assert_eq!(error("10, 6", "10, 1e999"), "line 5, column 34: is not JSON: number out of range");
    assert_eq!(error("FeatureCollection", "Feature"), "the file: has no \"geometry\"");
    assert_eq!(error("\"features\"", "\"parts\""), "the file: has no \"features\"");
    assert_eq!(
        error("Polygon", "polygon"),
        "features[0].geometry.type: is \"polygon\", must be one of FeatureCollection, Feature, Polygon, MultiPolygon, \
         LineString, MultiLineString, GeometryCollection"
    );
    assert_eq!(error("[10, 0]", "[10]"), format!("{first_ring}[1]: is [10], must be [x, y] in metres"));
    assert_eq!(error("[10, 0]", "10"), format!("{first_ring}[1]: is 10, must be a list"));
    assert_eq!(
        error("[10, 0]", "[1e6, 0]"),
        format!("{first_ring}[1]: [1000000, 0] must be within 100000 m of the origin along each axis")
    );
    assert_eq!(
        error("[0, 6], [0, 0]", "[0, 6]"),
        format!("{first_ring}: does not end where it begins: repeat [0, 0] as its last point")
    );
    assert_eq!(
        error("[10, 6], [0, 6]", "[0, 6], [10, 6]"),
        format!(
            "{first_ring}: its edge from [10, 0] to [0, 6] crosses the edge from [10, 6] to [0, 0] of the same ring"
        )
    );
    assert_eq!(
        error("[6, 3], [6, 4], [7, 4], [7, 3], [6, 3]", "[6, 3], [6, 3], [7, 4], [6, 3]"),
        "features[0].geometry.coordinates[1]: has 2 different corners, a ring needs three"
    );
    let empty = r#"{ "type": "FeatureCollection", "features": [] }"#;
    let error = SegmentMap::from_geojson(empty).unwrap_err().to_string();
    assert_eq!(error, "the file: has no obstacle; for a free plane, give no map");
}

#[test]
fn segments_that_are_no_place_are_refused() {
    let error = |segment: Segment| SegmentMap::from_segments(&[segment]).unwrap_err().to_string();
    let no_place = "must be within 100000 m of the origin along each axis";
    assert_eq!(error(Segment::new(at(0.0, f64::NAN), at(1.0, 0.0))), format!("segment 0: [0, NaN] {no_place}"));
    assert_eq!(error(Segment::new(at(0.0, 0.0), at(f64::INFINITY, 0.0))), format!("segment 0: [inf, 0] {no_place}"));
    assert_eq!(error(Segment::new(at(1.0, 1.0), at(1.0, 1.0))), "map: has no obstacle; for a free plane, give no map");
}

const SPEC: &str =
    "image: a.pgm\nresolution: 0.5\norigin: [-3, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

fn stream(owner: u64) -> Stream {
    RunKey { seed: 3, run_index: 0 }.stream(Purpose::new(7), owner, 0)
}

/// A binary PGM: 0 is occupied, 255 free, 205 unknown.
fn pgm(width: usize, height: usize, shades: &[u8]) -> GrayImage {
    let mut bytes = format!("P5\n# made here\n{width} {height}\n255\n").into_bytes();
    bytes.extend(shades);
    GrayImage::from_bytes(&bytes).unwrap()
}

fn random_shades(stream: &mut Stream, count: usize) -> Vec<u8> {
    (0..count).map(|_| [0, 255, 205][(stream.uniform() * 3.0) as usize]).collect()
}

#[test]
fn an_occupied_cell_lies_where_the_yaml_file_says() {
    let spec = OccupancySpec::from_yaml(SPEC).unwrap();
    // The second row from the top and the third column of a picture of three rows.
    let image = pgm(4, 3, &[255, 255, 255, 255, 255, 205, 0, 255, 255, 255, 255, 255]);
    let map = SegmentMap::from_occupancy(&spec, &image, 0.0).unwrap();
    assert_eq!(map.segments().len(), 4);
    assert_eq!(map.bounds_m(), Some(Rect { min: at(-2.0, 2.5), max: at(-1.5, 3.0) }));
    assert!(map.is_solid_at(at(-1.75, 2.75)) && !map.is_solid_at(at(-2.25, 2.75)));
}

/// With tolerance 0 the borders are those of the cells: what is solid, and how long the borders are, is counted cell by cell.
#[test]
fn random_grids_are_traced_exactly() {
    let spec = OccupancySpec::from_yaml(SPEC).unwrap();
    for number in 0..40 {
        let shades = random_shades(&mut stream(number), 12 * 9);
        let is_occupied =
            |x: i32, y: i32| (0..12).contains(&x) && (0..9).contains(&y) && shades[(12 * (8 - y) + x) as usize] == 0;
        let map = SegmentMap::from_occupancy(&spec, &pgm(12, 9, &shades), 0.0).unwrap();
        let mut sides = 0;
        for (x, y) in (-1..12).flat_map(|x| (-1..9).map(move |y| (x, y))) {
            let center = at(-3.0 + 0.5 * (f64::from(x) + 0.5), 2.0 + 0.5 * (f64::from(y) + 0.5));
            assert_eq!(map.is_solid_at(center), is_occupied(x, y), "cell {x}, {y}");
            sides += usize::from(is_occupied(x, y) != is_occupied(x + 1, y));
            sides += usize::from(is_occupied(x, y) != is_occupied(x, y + 1));
        }
        let length_m: f64 = map.segments().iter().map(|segment| segment.span_m().length()).sum();
        assert!((length_m - 0.5 * sides as f64).abs() < 1e-9, "{length_m} m for {sides} sides");
    }
}

fn distance_m(point: DVec2, map: &SegmentMap) -> f64 {
    let to_segment = |segment: &Segment| {
        let span = segment.span_m();
        let share = ((point - segment.from_m).dot(span) / span.length_squared()).clamp(0.0, 1.0);
        point.distance(segment.from_m + span * share)
    };
    map.segments().iter().map(to_segment).fold(f64::INFINITY, f64::min)
}

fn farthest_m(from: &SegmentMap, to: &SegmentMap) -> f64 {
    let points = from.segments().iter().flat_map(|s| (0..=8).map(|k| s.from_m.lerp(s.to_m, f64::from(k) / 8.0)));
    points.map(|point| distance_m(point, to)).fold(0.0, f64::max)
}

/// Discs, so that there is something to make straight.
fn discs(stream: &mut Stream) -> Vec<u8> {
    let discs: Vec<(f64, f64, f64)> =
        (0..6).map(|_| (40.0 * stream.uniform(), 30.0 * stream.uniform(), 1.0 + 6.0 * stream.uniform())).collect();
    let shade = |x: i32, y: i32| {
        let is_in = |&(cx, cy, r): &(f64, f64, f64)| {
            (f64::from(x) - cx).abs().max((f64::from(y) - cy).abs() * 0.7) < r
                && (f64::from(x) - cx + f64::from(y) - cy).abs() < r
        };
        if discs.iter().any(is_in) { 0 } else { 255 }
    };
    (0..30).flat_map(|y| (0..40).map(move |x| (x, y))).map(|(x, y)| shade(x, y)).collect()
}

#[test]
fn simpler_borders_keep_the_tolerance_both_ways() {
    let spec = OccupancySpec::from_yaml(SPEC).unwrap();
    let mut fewer = 0.0;
    for number in 0..12 {
        let stream = &mut stream(number);
        let shades = if number % 3 == 0 { random_shades(stream, 40 * 30) } else { discs(stream) };
        let image = pgm(40, 30, &shades);
        let exact = SegmentMap::from_occupancy(&spec, &image, 0.0).unwrap();
        for tolerance_m in [0.2, 0.36, 1.0] {
            let simple = SegmentMap::from_occupancy(&spec, &image, tolerance_m).unwrap();
            // Rounding moves points by 1e-15 m.
            assert!(farthest_m(&exact, &simple) <= tolerance_m + 1e-12, "map {number}");
            assert!(farthest_m(&simple, &exact) <= tolerance_m + 1e-12, "map {number}");
            fewer += simple.segments().len() as f64 / exact.segments().len() as f64;
        }
    }
    assert!(fewer / 36.0 < 0.8, "slopes are made straight: {}", fewer / 36.0);
}

/// A line one cell wide, drawn at a slant: its cells meet at corners. From one side no ray may see through it.
#[test]
fn a_slanting_wall_of_single_cells_has_no_holes() {
    let spec = OccupancySpec::from_yaml(SPEC).unwrap();
    let mut shades = vec![255; 20 * 20];
    (0..20).for_each(|k| shades[20 * k + k] = 0);
    for tolerance_m in [0.0, 0.25, 0.5] {
        let map = SegmentMap::from_occupancy(&spec, &pgm(20, 20, &shades), tolerance_m).unwrap();
        let scene = car_sim::Scene { map: &map, traffic: &car_sim::Traffic::new(), own_car: None };
        let lidar = car_sim::Lidar::new(car_sim::LidarParams::default()).unwrap();
        let mut ranges_m = Vec::new();
        // The wall runs from the upper left corner of the grid down to the lower right; the car stands below it and looks at its middle.
        let car = Pose::new(0.0, 5.0, std::f64::consts::FRAC_PI_4);
        lidar.scan(scene, car, &mut car_sim::Scanner::new(), &mut ranges_m);
        let ahead = (0..3200).filter(|ray| !(300..2900).contains(ray));
        assert!(ahead.map(|ray| ranges_m[ray]).all(f64::is_finite), "tolerance {tolerance_m}");
    }
}

#[test]
fn pictures_of_all_kinds_mean_the_same() {
    let binary = pgm(3, 2, &[0, 100, 255, 255, 205, 0]);
    let plain = GrayImage::from_bytes(b"P2 # plain\n3 2 255 0 100 255\n255 205 0\n").unwrap();
    let wide: Vec<u8> =
        b"P5 3 2 65535\n".iter().copied().chain([0, 100, 255, 255, 205, 0].into_iter().flat_map(|v| [v, v])).collect();
    assert_eq!(plain, binary);
    assert_eq!(GrayImage::from_bytes(&wide).unwrap(), binary);
    let png_of = |color: png::ColorType, samples: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
        encoder.set_color(color);
        encoder.write_header().unwrap().write_image_data(samples).unwrap();
        GrayImage::from_bytes(&bytes).unwrap()
    };
    assert_eq!(png_of(png::ColorType::Grayscale, &[0, 100, 255, 255, 205, 0]), binary);
    let rgb = [[0; 3], [50, 100, 150], [255; 3], [255; 3], [205; 3], [0; 3]];
    assert_eq!(png_of(png::ColorType::Rgb, rgb.as_flattened()), binary);
    let rgba: Vec<u8> = rgb.iter().flat_map(|c| [c[0], c[1], c[2], 7]).collect();
    assert_eq!(png_of(png::ColorType::Rgba, &rgba), binary);
}

/// The files and what they show: `tests/truth/pictures.py`. Blocks of JPEG bend shades by a few steps of 255 at most.
#[test]
fn jpeg_files_of_one_colour_and_of_three() {
    let spec = OccupancySpec::from_yaml(SPEC).unwrap();
    for bytes in [&include_bytes!("truth/gray.jpg")[..], include_bytes!("truth/color.jpg")] {
        let image = GrayImage::from_bytes(bytes).unwrap();
        assert_eq!((image.width(), image.height()), (24, 16));
        let map = SegmentMap::from_occupancy(&spec, &image, 0.0).unwrap();
        // Cells of 0.5 m from [-3, 2]; the block is at the upper edge.
        assert_eq!(map.bounds_m(), Some(Rect { min: at(1.0, 6.0), max: at(5.0, 10.0) }));
        assert_eq!(map.segments().len(), 4);
    }
}

#[test]
fn a_damaged_jpeg_is_an_error_or_another_picture_but_no_panic() {
    for whole in [&include_bytes!("truth/gray.jpg")[..], include_bytes!("truth/color.jpg")] {
        for place in 0..whole.len() {
            let cut = GrayImage::from_bytes(&whole[..place]);
            assert!(cut.is_err() || place + 2 >= whole.len(), "cut at {place}");
            for bit in 0..8 {
                let mut bytes = whole.to_vec();
                bytes[place] ^= 1 << bit;
                let _ = GrayImage::from_bytes(&bytes);
            }
        }
    }
}

#[test]
fn a_bad_picture_is_refused_and_says_where() {
    let error = |bytes: &[u8]| GrayImage::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "image: is none of PGM (P2, P5), PNG and JPEG");
    assert_eq!(error(b"P6 1 1 255 "), "image: is none of PGM (P2, P5), PNG and JPEG");
    assert_eq!(error(b"P5 3"), "image: has no height at byte 4, where a whole number should be");
    assert_eq!(error(b"P5 3 2 255 ab"), "image: has 2 cells, its size of 3 x 2 asks for 6");
    assert_eq!(error(b"P2 2 1 255 0 x"), "image: has no value at byte 13, where a whole number should be");
    assert_eq!(error(b"P5 0 2 255 "), "image: is 0 x 2, must have from 1 to 67108864 cells");
    assert_eq!(
        error(b"P5 99999999 99999999 255 "),
        "image: is 99999999 x 99999999, must have from 1 to 67108864 cells"
    );
    assert_eq!(error(b"P5 1 1 0 a"), "image: has the largest value 0, must be from 1 to 65535");
    assert!(error(b"\xFF\xD8\xFF\xE0").starts_with("image: is a damaged JPEG: "));
    assert!(error(b"\x89PNG\r\n\x1a\nxxxx").starts_with("image: is a damaged PNG: "));
    let spec = OccupancySpec::from_yaml(SPEC).unwrap();
    let refused = |shade, tolerance_m| {
        SegmentMap::from_occupancy(&spec, &pgm(1, 1, &[shade]), tolerance_m).unwrap_err().to_string()
    };
    assert_eq!(refused(255, 0.0), "a.pgm: has no occupied cell; for a free plane, give no map");
    assert_eq!(refused(0, f64::NAN), "tolerance_m: is NaN, must be 0 or more");
}
