//! How worlds are drawn: the limits and static things of a view are those of the scenario, and its columns stand in the tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::scenario::parse;
use sim_world::View;
use sim_world::view::{Draw, Rule};
use sim_worlds::WORLDS;

/// The view of a scenario.
fn view_of(text: &str) -> View {
    parse(WORLDS, text, "scenario.json", &[]).unwrap().model.view()
}

#[test]
fn limits_are_those_that_runs_are_judged_by_also_where_the_filter_keeps_a_reserve() {
    for drive in ["point", "cube"] {
        let agents = format!(r#""agents": {{ "count": 3, "drive": "{drive}" }}"#);
        let printed = r#""mat": { "printed": [{ "kind": "collection-ring", "x_mm": 200, "y_mm": 200 }] }"#;
        let text = format!(r#"{{ "name": "v", "world": "mat", "steps": 60, {agents}, {printed} }}"#);
        let rules: Vec<Rule> = view_of(&text).limits.into_iter().map(|limit| limit.rule).collect();
        let expected = [("nearest_agent_mm", 60.0), ("nearest_foot_mm", 100.0)];
        assert_eq!(rules, expected.map(|(column, bound)| Rule::AtLeast(column.into(), bound)), "{drive}");
    }
}

#[test]
fn what_is_not_there_has_no_marks_and_what_is_placed_stands_where_it_is() {
    let text = r#"{ "name": "v", "world": "mat", "steps": 60, "feet": { "count": 0 }, "patches": { "count": 0 },
        "agents": { "count": 2, "goals": { "sites_mm": [[60, 80]] } },
        "mat": { "walls": [{ "from_mm": [100, 300], "to_mm": [200, 300], "thickness_mm": 10 }] } }"#;
    let view = view_of(text);
    let streams: Vec<&str> = view.parties.iter().map(|party| party.stream.as_str()).collect();
    assert_eq!((streams, view.limits.len(), view.sound.is_none()), (vec!["agents", "target"], 1, true));
    assert!(!view.marks.iter().any(|mark| matches!(mark.draw, Draw::Wells(_) | Draw::Ellipse { .. })));
    let polygons: Vec<Vec<[f64; 2]>> = view
        .marks
        .iter()
        .filter_map(|mark| match &mark.draw {
            Draw::Polygons { shapes, .. } => Some(shapes[0].points.clone()),
            _ => None,
        })
        .collect();
    // A diamond round the site, and a wall of 10 mm along y = 300 mm.
    assert_eq!(polygons[0], [[67.0, 80.0], [60.0, 87.0], [53.0, 80.0], [60.0, 73.0]]);
    assert_eq!(polygons[1], [[100.0, 305.0], [200.0, 305.0], [200.0, 295.0], [100.0, 295.0]]);
}

#[test]
fn cars_of_different_sizes_have_bodies_of_their_own_and_lidars_their_mounts() {
    let car = |x_m: f64, more: &str| format!(r#"{{ "start": {{ "x_m": {x_m}, "y_m": 0 }} {more} }}"#);
    let lidar = r#", "sensors": { "lidar": { "mount": { "x_m": 0.25, "y_m": 0.1, "yaw_deg": 90 } } }"#;
    let small = r#", "params": { "body_width_m": 0.25 }"#;
    let cars = [car(0.0, lidar), car(2.0, small), car(4.0, "")].join(",");
    let view = view_of(&format!(r#"{{ "name": "v", "world": "road", "steps": 10, "cars": [{cars}] }}"#));
    let bodies = view.marks.iter().filter(|mark| matches!(mark.draw, Draw::Body { .. }));
    let owners: Vec<&[u64]> = bodies.map(|mark| mark.owners.as_slice()).collect();
    assert_eq!(owners, [&[0, 2][..], &[1]]);
    let mount = view.scanners[0].mounts[0];
    assert_eq!((view.scanners[0].mounts.len(), mount.owner, mount.at), (1, 0, [0.25, 0.1]));
}
