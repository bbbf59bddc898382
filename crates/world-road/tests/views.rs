//! The view of a road names only what its runs have, whatever its cars carry, and shows walls and cars where they are.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::measure::Measure;
use sim_core::{DVec2, RunKey};
use sim_world::view::{Draw, Mark, Section, Shape};
use sim_world::{Model, RunInfo, StartError, Stream, StreamSet, View, World, WorldKind};
use std::sync::Arc;
use test_runs::{MEETING, ROADS, ROUTE, road_model, views};
use world_road::RoadModel;

#[test]
fn every_stream_and_column_of_a_view_is_there() {
    for (name, members) in ROADS {
        for trace in ["wide", "long", "off"] {
            let model = road_model(&format!(r#""trace": {{"lidar": "{trace}"}}, {members}"#));
            assert_eq!(views::missing(&*model), [""; 0], "{name}, {trace}");
        }
    }
    assert_eq!(views::missing(&*road_model(r#""cars": [{}]"#)), [""; 0]);
}

/// A model with another view.
#[derive(Debug)]
struct Redrawn(Arc<RoadModel>, View);

#[rustfmt::skip] // A getter is a line.
impl Model for Redrawn {
    fn kind(&self) -> &'static dyn WorldKind { self.0.kind() }
    fn info(&self) -> RunInfo<'_> { self.0.info() }
    fn outputs(&self) -> &[Stream] { self.0.outputs() }
    fn inputs(&self) -> &[Stream] { self.0.inputs() }
    fn view(&self) -> View { self.1.clone() }
    fn limit(&self, measure: &Measure) -> Option<f64> { Model::limit(&*self.0, measure) }
    fn cpu_estimate_s(&self) -> f64 { self.0.cpu_estimate_s() }
    fn start(self: Arc<Self>, key: RunKey, wanted: &StreamSet) -> Result<Box<dyn World>, StartError> {
        Arc::clone(&self.0).start(key, wanted)
    }
}

/// The search finds each name that is misspelt: it would find one that a change forgets.
#[test]
fn a_misspelt_name_in_a_view_is_found() {
    let model = road_model(ROUTE);
    let text = serde_json::to_string(&model.view()).unwrap();
    let cases = [
        (r#""x":"x_m""#, r#""x":"x_mm""#, "cars.x_mm"),
        (r#""angles":["yaw_rad"]"#, r#""angles":["yaw"]"#, "cars.yaw"),
        (r#""taken":"taken_s""#, r#""taken":"time""#, "lidar.time"),
        (r#""on":"cars""#, r#""on":"trucks""#, "party trucks"),
        (r#""is_not":["status""#, r#""is_not":["state""#, "cars.state"),
        (r#""layer":"trails""#, r#""layer":"trail""#, "layer trail"),
        ("steer_left_rad", "steer_l_rad", "cars.steer_l_rad"),
        (r#""limits":["collision"]"#, r#""limits":["crash"]"#, "limit crash"),
        (r#"{"nearest":"lidar"}"#, r#"{"nearest":"radar"}"#, "scanner radar"),
        (r#""column":"speed_m_s""#, r#""column":"speed""#, "cars.speed"),
    ];
    for (name, misspelt, expected) in cases {
        let changed = text.replace(name, misspelt);
        assert_ne!(changed, text, "{name} stands in the view");
        let redrawn = Redrawn(Arc::clone(&model), serde_json::from_str(&changed).unwrap());
        let found = views::missing(&redrawn);
        assert!(found.iter().any(|found| found == expected), "{misspelt}: {found:?}");
    }
}

/// The corners of the polygons of a view, mark by mark.
fn polygons(view: &View) -> Vec<Vec<Vec<[f64; 2]>>> {
    let of_mark = |mark: &Mark| match &mark.draw {
        Draw::Polygons { shapes, .. } => Some(shapes.iter().map(|shape| shape.points.clone()).collect()),
        _ => None,
    };
    view.marks.iter().filter_map(of_mark).collect()
}

#[test]
fn walls_are_drawn_where_the_scenario_has_them() {
    let ring = r#"[[0, 0], [9, 0], [9, 5], [0, 5]]"#;
    let view = road_model(&format!(
        r#""map": {{"floor_m": [{ring}], "walls_m": [[[1, 3], [2, 4], [3, 3]]]}}, "cars": [{{"start": {{"x_m": 5, "y_m": 2}}}}]"#
    ))
    .view();
    let corners = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 5.0], [0.0, 5.0]];
    let [floor, rings, solid, walls] = &polygons(&view)[..] else { panic!("{:?}", polygons(&view)) };
    assert_eq!((floor, rings, solid.len()), (&vec![corners.clone()], &vec![corners], 0));
    assert_eq!(walls, &vec![vec![[1.0, 3.0], [2.0, 4.0], [3.0, 3.0]]]);
    let area = &view.projections[0].area;
    assert_eq!(area.fixed, Some([[0.0, 0.0], [9.0, 5.0]]));
    assert_eq!((view.unit.as_str(), view.projections.len(), view.projections[0].is_up), ("m", 1, true));

    // On a free plane the cars alone say what is shown.
    let free = road_model(r#""cars": [{}]"#).view();
    assert_eq!(free.projections[0].area.fixed, None);
    let (stream, reaches_m) = &free.projections[0].area.holds[0];
    // Half of the default body's diagonal: its base point is its middle.
    let reach_m = DVec2::new(0.505 / 2.0, 0.313 / 2.0).length();
    assert_eq!((stream.as_str(), reaches_m.len()), ("cars", 1));
    assert!((reaches_m[0] - reach_m).abs() < 1e-12, "{reaches_m:?}");
}

#[test]
fn a_car_is_drawn_in_its_size_with_four_wheels() {
    let view = road_model(
        r#""cars": [{"params": {"body_length_m": 0.6, "base_to_rear_bumper_m": 0.25, "body_width_m": 0.3}}]"#,
    )
    .view();
    let parts_of = |mark: &Mark| match &mark.draw {
        Draw::Body { parts, .. } => Some(parts.clone()),
        _ => None,
    };
    let bodies: Vec<_> = view.marks.iter().filter_map(parts_of).collect();
    let [parts] = &bodies[..] else { panic!("{} bodies", bodies.len()) };
    let Shape::Box([rear_m, right_m], [front_m, left_m], _) = parts[0].shape else { panic!("{:?}", parts[0].shape) };
    assert_eq!((rear_m, right_m, left_m), (-0.25, -0.15, 0.15));
    assert!((front_m - 0.35).abs() < 1e-12, "{front_m}");
    // The front wheels turn about their hubs: L - l_b ahead, half of the track to the side.
    let turned: Vec<(&str, [f64; 2])> =
        parts.iter().filter_map(|part| part.turn.as_ref().map(|(column, hub)| (column.as_str(), *hub))).collect();
    assert_eq!(turned.len(), 2);
    for ((column, hub_m), (expected, side_m)) in
        turned.iter().zip([("steer_left_rad", 0.1065), ("steer_right_rad", -0.1065)])
    {
        assert_eq!(*column, expected);
        assert!((hub_m[0] - (0.405 - 0.2025)).abs() < 1e-12 && (hub_m[1] - side_m).abs() < 1e-12, "{hub_m:?}");
    }
}

#[test]
fn scans_are_shown_where_there_are_any() {
    let has = |members: &str| {
        let view = road_model(members).view();
        let marks = view.marks.iter().filter(|mark| matches!(mark.draw, Draw::Scan { .. })).count();
        (view.scanners.len(), marks, view.plots.len())
    };
    // Two of the plots are those of turn rates and accelerations.
    assert_eq!(has(MEETING), (1, 2, 6));
    assert_eq!(has(&format!(r#""trace": {{"lidar": "off"}}, {MEETING}"#)), (0, 0, 5));
    assert_eq!(has(r#""cars": [{}]"#), (0, 0, 3));

    let mounted = r#""cars": [{}, {"start": {"x_m": 3}, "sensors": {"lidar": {"mount": {"x_m": 0.2, "y_m": 0.1, "yaw_deg": 90},
        "angle_min_deg": -45, "angle_max_deg": 45, "increment_deg": 5, "range_min_m": 0.3}}}]"#;
    let mount = road_model(mounted).view().scanners[0].mounts[0];
    assert_eq!((mount.owner, mount.at, mount.is_full_turn, mount.least), (1, [0.2, 0.1], false, 0.3));
    let near = |value: f64, degrees: f64| (value - degrees.to_radians()).abs() < 1e-12;
    assert!(near(mount.first_rad, 45.0) && near(mount.step_rad, 5.0), "{mount:?}");
}

/// More than a dozen cars are counted; the panel grows no further.
#[test]
fn the_panel_lists_a_dozen_cars() {
    let panel = |cars: usize| {
        let list: Vec<String> = (0..cars).map(|n| format!(r#"{{"start": {{"x_m": {}}}}}"#, 2 * n)).collect();
        road_model(&format!(r#""cars": [{}]"#, list.join(", "))).view().panel
    };
    let heights = [1, 2, 12, 13, 14, 20].map(|cars| panel(cars).height);
    assert!(heights[0] < heights[1] && heights[1] < heights[2] && heights[2] < heights[3], "{heights:?}");
    assert_eq!((heights[3], heights[4]), (heights[4], heights[5]));
    let most = panel(20).sections.into_iter().find_map(|section| match section {
        Section::List(list) => Some(list.at_most),
        _ => None,
    });
    assert_eq!(most, Some(12));
}
