//! Drawings whose obstacles overlap, and those of other shapes than polygons.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Outermost, Segment, SegmentMap};
use proptest::prelude::*;
use sim_core::{DVec2, Rect};

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A floor of 10 by 6 m and more geometries.
fn drawing(geometries: &[&str]) -> String {
    let floor = r#"{ "type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 6], [0, 6], [0, 0]]] }"#;
    let feature = |geometry: &&str| format!(r#"{{ "type": "Feature", "properties": null, "geometry": {geometry} }}"#);
    let features: Vec<String> = [floor].iter().chain(geometries).map(feature).collect();
    format!(r#"{{ "type": "FeatureCollection", "features": [{}] }}"#, features.join(", "))
}

fn polygon(corners: &[(f64, f64)]) -> String {
    let points: Vec<String> = corners.iter().chain(&corners[..1]).map(|(x, y)| format!("[{x}, {y}]")).collect();
    format!(r#"{{ "type": "Polygon", "coordinates": [[{}]] }}"#, points.join(", "))
}

fn rectangle(Rect { min, max }: Rect) -> String {
    polygon(&[(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)])
}

fn area(left: f64, low: f64, right: f64, high: f64) -> Rect {
    Rect { min: at(left, low), max: at(right, high) }
}

/// The map with solid rectangles on the floor, whether written as polygons, or read from a resolved scenario.
fn with_solids(solids: &[Rect]) -> SegmentMap {
    let geometries: Vec<String> = solids.iter().copied().map(rectangle).collect();
    let texts: Vec<&str> = geometries.iter().map(String::as_str).collect();
    let map = SegmentMap::from_geojson(&drawing(&texts)).unwrap();
    let (rings, outermost) = map.corners().unwrap();
    assert_eq!(SegmentMap::from_corners(&rings, outermost).unwrap(), map);
    map
}

#[test]
fn pillars_that_overlap_are_one_solid_thing() {
    let map = with_solids(&[area(2.0, 2.0, 4.0, 4.0), area(3.0, 3.0, 5.0, 5.0)]);
    assert_eq!(map.segments().len(), 12);
    for (x, y) in [(2.5, 2.5), (3.5, 3.5), (4.5, 4.5), (2.5, 3.9), (4.9, 3.1)] {
        assert!(map.is_solid_at(at(x, y)), "at [{x}, {y}]");
    }
    for (x, y) in [(2.5, 4.5), (4.5, 2.5), (1.0, 1.0), (11.0, 3.0)] {
        assert!(!map.is_solid_at(at(x, y)), "at [{x}, {y}]");
    }
}

#[test]
fn a_pillar_through_the_wall_is_solid_on_both_sides_of_it() {
    let map = with_solids(&[area(9.0, 2.0, 11.0, 4.0), area(8.5, 3.5, 9.5, 4.5)]);
    for (x, y, is_solid) in [
        (9.5, 3.0, true),
        (10.5, 3.0, true),
        (9.25, 3.75, true),
        (8.75, 4.25, true),
        (8.75, 3.0, false),
        (10.5, 5.0, false),
    ] {
        assert_eq!(map.is_solid_at(at(x, y)), is_solid, "at [{x}, {y}]");
    }
}

/// No edge passes through another one where rectangles share the lines of a grid.
#[test]
fn pillars_along_common_lines_overlap_too() {
    let map = with_solids(&[area(2.0, 2.0, 4.0, 4.0), area(3.0, 2.0, 5.0, 4.0)]);
    for x in [2.5, 3.5, 4.5] {
        assert!(map.is_solid_at(at(x, 3.0)), "at {x}");
    }
    // A corner that touches the opposite edge from within, and one that leans on the wall.
    let map = with_solids(&[area(2.0, 2.0, 4.0, 4.0), area(4.0, 1.0, 6.0, 3.0), area(6.0, 0.0, 7.0, 1.0)]);
    for (x, y, is_solid) in [(3.0, 3.0, true), (5.0, 2.0, true), (6.5, 0.5, true), (5.0, 3.5, false), (6.5, 1.5, false)]
    {
        assert_eq!(map.is_solid_at(at(x, y)), is_solid, "at [{x}, {y}]");
    }
}

#[test]
fn what_is_drawn_twice_counts_once() {
    let twice = [area(2.0, 2.0, 4.0, 4.0), area(2.0, 2.0, 4.0, 4.0), area(0.0, 0.0, 10.0, 6.0)];
    let map = with_solids(&twice);
    assert!(map.is_solid_at(at(3.0, 3.0)) && !map.is_solid_at(at(6.0, 3.0)));
}

/// A courtyard in a block, a kiosk in the courtyard, and a beam across the wall of the block.
#[test]
fn a_hollow_in_something_solid_is_free_but_for_what_crosses_into_it() {
    let map = with_solids(&[
        area(1.0, 1.0, 7.0, 5.0),
        area(2.0, 2.0, 6.0, 4.0),
        area(3.0, 2.5, 4.0, 3.5),
        area(5.0, 2.5, 8.0, 3.0),
    ]);
    for (x, y, is_solid) in [
        (1.5, 3.0, true),
        (2.5, 3.0, false),
        (3.5, 3.0, true),
        (5.5, 2.75, true),
        (5.5, 3.5, false),
        (6.5, 2.75, true),
        (7.5, 2.75, true),
        (7.5, 3.5, false),
    ] {
        assert_eq!(map.is_solid_at(at(x, y)), is_solid, "at [{x}, {y}]");
    }
}

#[test]
fn solid_things_without_a_floor_overlap_as_well() {
    let square = |x: f64, y: f64| vec![at(x, y), at(x + 2.0, y), at(x + 2.0, y + 2.0), at(x, y + 2.0)];
    let map = SegmentMap::from_corners(&[square(0.0, 0.0), square(1.0, 1.0)], Outermost::Solid).unwrap();
    for (x, y, is_solid) in [(0.5, 0.5, true), (1.5, 1.5, true), (2.5, 2.5, true), (0.5, 2.5, false), (9.0, 9.0, false)]
    {
        assert_eq!(map.is_solid_at(at(x, y)), is_solid, "at [{x}, {y}]");
    }
}

proptest! {
    /// Rectangles of one size never nest, so a point is solid if and only if one of them holds it. Half of them lie on the lines of a
    /// grid, so that many share corners and edges with each other and with the wall.
    #[test]
    fn a_point_is_solid_if_some_rectangle_holds_it(
        cells in prop::collection::vec((-1_i32..=18, -1_i32..=10), 1..8),
        places in prop::collection::vec((-1.4_f64..9.4, -0.9_f64..5.9), 0..8),
        points in prop::collection::vec((-3.0_f64..13.0, -3.0_f64..9.0), 50),
    ) {
        let on_grid = cells.iter().map(|&(x, y)| (0.5 * f64::from(x), 0.5 * f64::from(y)));
        let solids: Vec<Rect> = on_grid.chain(places).map(|(x, y)| area(x, y, x + 1.5, y + 1.0)).collect();
        let map = with_solids(&solids);
        for (x, y) in points {
            let is_held = solids.iter().any(|solid| solid.contains(at(x, y)));
            prop_assert_eq!(map.is_solid_at(at(x, y)), is_held, "at [{}, {}]", x, y);
        }
    }
}

#[test]
fn lines_are_thin_walls() {
    let map = SegmentMap::from_geojson(&drawing(&[
        r#"{ "type": "LineString", "coordinates": [[1, 1], [2, 1], [2, 1], [2, 2, 0.5]] }"#,
        r#"{ "type": "MultiLineString", "coordinates": [[[3, 3], [4, 3], [4, 4], [3, 3]], [[5, 5], [-5, 5]]] }"#,
        "null",
    ]))
    .unwrap();
    let segment = |x1, y1, x2, y2| Segment::new(at(x1, y1), at(x2, y2));
    let expected = [
        segment(1.0, 1.0, 2.0, 1.0),
        segment(2.0, 1.0, 2.0, 2.0),
        segment(3.0, 3.0, 4.0, 3.0),
        segment(4.0, 3.0, 4.0, 4.0),
        segment(4.0, 4.0, 3.0, 3.0),
        segment(5.0, 5.0, -5.0, 5.0),
    ];
    assert_eq!((map.segments().len(), map.walls()), (10, &expected[..]));
    assert!(!map.is_solid_at(at(3.9, 3.5)), "a closed line has no inside");
    let (rings, outermost) = map.corners().unwrap();
    assert_eq!(SegmentMap::from_corners_and_walls(&rings, outermost, map.walls()).unwrap(), map);
}

#[test]
fn collections_are_what_they_hold() {
    let square =
        "[[[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]], [[2.5, 2.5], [2.5, 3.5], [3.5, 3.5], [3.5, 2.5], [2.5, 2.5]]]";
    let triangle = "[[[6, 2], [8, 2], [7, 4], [6, 2]]]";
    let polygon = |rings: &str| format!(r#"{{ "type": "Polygon", "coordinates": {rings} }}"#);
    let apart = SegmentMap::from_geojson(&drawing(&[&polygon(square), &polygon(triangle)])).unwrap();
    let many = format!(r#"{{ "type": "MultiPolygon", "coordinates": [{square}, {triangle}] }}"#);
    assert_eq!(SegmentMap::from_geojson(&drawing(&[&many])).unwrap(), apart);
    let nested = format!(
        r#"{{ "type": "GeometryCollection", "geometries": [{}, {{ "type": "GeometryCollection", "geometries": [{}] }}] }}"#,
        polygon(square),
        polygon(triangle)
    );
    assert_eq!(SegmentMap::from_geojson(&drawing(&[&nested])).unwrap(), apart);
    assert!(apart.is_solid_at(at(7.0, 3.0)) && !apart.is_solid_at(at(3.0, 3.0)));
    let feature = format!(r#"{{ "type": "Feature", "geometry": {} }}"#, polygon(triangle));
    assert_eq!(SegmentMap::from_geojson(&feature), SegmentMap::from_geojson(&polygon(triangle)));
    let walls = SegmentMap::from_geojson(r#"{ "type": "LineString", "coordinates": [[0, 0], [1, 0]] }"#).unwrap();
    assert_eq!((walls.walls().len(), walls.corners()), (1, None));
}

#[test]
fn bad_geometries_are_named() {
    let error = |geometry: &str| SegmentMap::from_geojson(&drawing(&[geometry])).unwrap_err().to_string();
    let types = "FeatureCollection, Feature, Polygon, MultiPolygon, LineString, MultiLineString, GeometryCollection";
    assert_eq!(
        error(r#"{ "type": "Point", "coordinates": [1, 1] }"#),
        format!("features[1].geometry.type: is \"Point\", must be one of {types}")
    );
    assert_eq!(
        error(r#"{ "type": "LineString", "coordinates": [[1, 1]] }"#),
        "features[1].geometry.coordinates: has 1 points, a line has at least two"
    );
    assert_eq!(
        error(r#"{ "type": "MultiLineString", "coordinates": [[[1, 1], [1, 2e5]]] }"#),
        "features[1].geometry.coordinates[0][1]: [1, 200000] must be within 100000 m of the origin along each axis"
    );
    assert_eq!(
        error(r#"{ "type": "GeometryCollection", "geometries": [{ "type": "Polygon", "coordinates": [] }] }"#),
        "features[1].geometry.geometries[0].coordinates: is empty, a polygon has at least one ring"
    );
    assert_eq!(
        error(&polygon(&[(1.0, 1.0), (3.0, 3.0), (3.0, 1.0), (1.0, 3.0)])),
        "features[1].geometry.coordinates[0]: its edge from [1, 1] to [3, 3] crosses the edge from [3, 1] to [1, 3] of the same ring"
    );
    let empty = r#"{ "type": "Feature", "geometry": null }"#;
    let error = SegmentMap::from_geojson(empty).unwrap_err().to_string();
    assert_eq!(error, "the file: has no obstacle; for a free plane, give no map");
}
