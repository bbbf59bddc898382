//! Measures of cubes, each counted once more from the rows of every step by the definitions of docs/models/cube-measures.md.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_near, cube, cubes, numbers, start, texts, vectors};
use sim_world::{Model, World};
use std::collections::BTreeMap;
use std::path::Path;
use world_mat::CUBE_MEASURES;

/// What the rows of a run tell.
#[derive(Default)]
struct Told {
    messages: f64,
    lost: f64,
    targets: Vec<u8>,
    touches: f64,
    exits: f64,
    way_mm: f64,
    with_position: f64,
    cube_steps: f64,
}

fn run(members: &str, steps: u64) -> (Told, BTreeMap<&'static str, f64>) {
    let mut world = start(members);
    let mut told = Told::default();
    let mut places = vectors(&world, "cubes", ["x_mm", "y_mm"]);
    for _ in 0..steps {
        world.step().unwrap();
        let now = vectors(&world, "cubes", ["x_mm", "y_mm"]);
        told.way_mm += places.iter().zip(&now).map(|(before, after)| before.distance(*after)).sum::<f64>();
        places = now;
        let read = numbers(&world, "cubes", "mat_x");
        told.cube_steps += read.len() as f64;
        told.with_position += read.iter().filter(|dot| dot.is_finite()).count() as f64;
        for (way, message) in texts(&world, "messages", "dir").iter().zip(world.messages()) {
            let lost = way.starts_with("drop_");
            *(if lost { &mut told.lost } else { &mut told.messages }) += 1.0;
            if let ("notify", [0x83 | 0x84, _, code]) = (way.as_str(), message.bytes.as_slice()) {
                told.targets.push(*code);
            }
        }
        let kinds = texts(&world, "events", "kind");
        told.touches += kinds.iter().filter(|kind| *kind == "cube_touch").count() as f64;
        told.exits += kinds.iter().filter(|kind| *kind == "cube_left").count() as f64;
    }
    let measures = world.finish().into_iter().map(|metric| (metric.name, metric.value)).collect();
    (told, measures)
}

/// A cube that reaches a target and misses one whose time is too short, writes bytes that no cube knows, and drives off the mat; another
/// one stands in its way.
#[test]
fn measures_count_what_the_rows_tell() {
    let runner = r#""at_dot": [150, 250], "program": [
        {"at_s": 0.1, "motor_target": {"x": 180, "y": 250, "request_id": 1, "max_speed": 40}},
        {"at_s": 3, "motor_target": {"x": 330, "y": 100, "request_id": 2, "timeout_s": 1, "max_speed": 10}},
        {"at_s": 4.5, "write": "102", "hex": "77 01"},
        {"at_s": 5, "motor_run": {"left": 60, "right": 60}}]"#;
    let list = format!("{}, {}", cube("runner", runner), cube("other", r#""at_dot": [205, 250]"#));
    let (told, measures) = run(&cubes(&list), 720);
    assert_eq!(told.targets, [0, 1], "arrived, then a timeout");
    assert!(told.lost > 0.0 && told.touches > 0.0 && told.exits > 0.0 && told.with_position < told.cube_steps);
    for (name, value) in [
        ("cube_messages", told.messages),
        ("cube_messages_lost", told.lost),
        ("cube_targets_reached", 1.0),
        ("cube_targets_missed", 1.0),
        ("cube_touches", told.touches),
        ("cube_exits", told.exits),
    ] {
        assert_eq!(measures[name], value, "{name}");
    }
    assert_near(measures["cube_way_mean_mm"], told.way_mm / 2.0, 1e-9, "way");
    assert_near(measures["cube_position_share"], told.with_position / told.cube_steps, 1e-12, "share");
}

#[test]
fn cubes_without_a_swarm_are_held_to_nothing_of_a_swarm() {
    let mut world = start(&cubes(&cube("a", r#""at_dot": [150, 250]"#)));
    let judged: Vec<&str> = world.finish().iter().filter(|metric| metric.limit.is_some()).map(|m| m.name).collect();
    assert_eq!(judged, ["non_finite"]);
    assert_eq!((world.model().words().agent, world.model().words().heading), ("cube", "Cubes"));
}

#[test]
fn a_swarm_without_cubes_has_no_figure_of_cubes() {
    let mut world = start(r#""agents": {"count": 2}"#);
    let metrics = world.finish();
    let of_cubes: Vec<_> = metrics.iter().filter(|metric| metric.name.starts_with("cube_")).collect();
    assert_eq!(of_cubes.len(), CUBE_MEASURES.len());
    assert!(of_cubes.iter().all(|metric| metric.value.is_nan()));
    assert_eq!(world.model().words().agent, "robot");
}

#[test]
fn the_page_of_the_measures_lists_them_in_their_order_with_their_units() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models/cube-measures.md");
    let page = std::fs::read_to_string(page).unwrap();
    let cells = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .map(|(name, rest)| (name.to_owned(), rest.split(" | ").next().unwrap_or_default().to_owned()));
    let known = CUBE_MEASURES.iter().map(|measure| (measure.name.to_owned(), measure.unit.to_owned()));
    assert_eq!(cells.collect::<Vec<_>>(), known.collect::<Vec<_>>());
}
