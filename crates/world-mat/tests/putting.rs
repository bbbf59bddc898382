//! Robots that are put elsewhere, and filters that are changed while a run goes on.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{check, number, numbers, row, start, step_with, texts, vectors, walk};
use sim_core::DVec2;
use sim_world::{Input, Value, World};
use test_runs::mat_model;
use world_mat::MatWorld;

/// Robots alone on a mat, which stand: nothing draws them.
const STANDING: &str = r#""agents": {"count": 2, "sigma_v": 0, "start": [{"x_mm": 100, "y_mm": 200}, {"x_mm": 300, "y_mm": 200}]},
    "feet": {"count": 0}, "patches": {"count": 0}"#;

fn put(world: &mut MatWorld, agent: i64, to: DVec2) {
    let cells = [("agent", Value::Integer(agent)), ("x_mm", Value::Number(to.x)), ("y_mm", Value::Number(to.y))];
    step_with(world, "places", &cells);
}

fn choose(world: &mut MatWorld, filter: &'static str) {
    step_with(world, "filters", &[("filter", Value::Text(filter))]);
}

fn places(world: &MatWorld) -> Vec<DVec2> {
    vectors(world, "agents", ["x_mm", "y_mm"])
}

fn measure(world: &MatWorld, name: &str) -> f64 {
    let metrics = world.clone().finish();
    metrics.iter().find(|metric| metric.name == name).unwrap().value
}

#[test]
fn a_robot_stands_where_it_is_put() {
    for filter in ["joint", "none"] {
        let mut world = start(&format!(r#"{STANDING}, "safety": {{"filter": "{filter}"}}"#));
        walk(&mut world, 7);
        let place = Value::Number(150.0);
        let turned = ("heading_deg", Value::Number(90.0));
        step_with(&mut world, "places", &[("agent", Value::Integer(1)), ("x_mm", place), ("y_mm", place), turned]);
        assert_eq!(texts(&world, "events", "kind"), ["agent_put"]);
        assert_eq!(places(&world)[1], DVec2::new(150.0, 150.0), "{filter}");
        // Nothing but rounding moves a robot that has nothing to wish for.
        assert!(places(&world)[0].distance(DVec2::new(100.0, 200.0)) < 0.5, "{filter}");
        assert!((numbers(&world, "agents", "heading_rad")[1] - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        walk(&mut world, 10);
        assert!(places(&world)[1].distance(DVec2::new(150.0, 150.0)) < 0.5);
        assert_eq!(measure(&world, "accel_limit_violations"), 0.0);
    }
}

/// 60 mm between robots, 16 mm to the edge of the mat: the defaults.
#[test]
fn a_robot_stays_where_a_place_would_break_a_distance() {
    let mut world = start(STANDING);
    for (to, object) in [([300.0, 255.0], "agent 1"), ([12.0, 200.0], "edge"), ([900.0, 200.0], "edge")] {
        put(&mut world, 0, DVec2::from_array(to));
        assert_eq!(texts(&world, "events", "kind"), ["agent_put_refused"]);
        assert_eq!(texts(&world, "events", "object"), [object]);
        assert!(places(&world)[0].distance(DVec2::new(100.0, 200.0)) < 0.5);
    }
    let mut world = start(r#""agents": {"count": 1}"#);
    let foot_mm = vectors(&world, "feet", ["x_mm", "y_mm"])[0];
    put(&mut world, 0, foot_mm + DVec2::new(if foot_mm.x < 200.0 { 80.0 } else { -80.0 }, 0.0));
    assert_eq!(texts(&world, "events", "object")[0], "foot 0");
}

#[test]
fn rows_without_a_place_or_a_known_filter_are_refused() {
    let model = mat_model(STANDING);
    let fault = |stream: &str, cells: &[(&str, Value<'_>)]| {
        let (place, row) = row(&model, stream, cells);
        check(&model, place, &row).unwrap_err().message
    };
    assert_eq!(fault("places", &[("agent", Value::Integer(0)), ("x_mm", Value::Number(1.0))]), "is missing");
    let words = r#"is "join", must be joint, penalty, orca, nearest, none"#;
    assert_eq!(fault("filters", &[("filter", Value::Text("join"))]), words);
}

/// SplitMix64, in 0 to 1.
fn draw(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 11) as f64 / (1_u64 << 53) as f64
}

/// The certificate goes on from any place that it lets a robot be put to: feet that wait never come too near.
#[test]
fn robots_that_are_put_anywhere_keep_all_proven_distances() {
    let settings = [
        r#""agents": {"count": 8}, "feet": {"manner": "considerate"}"#,
        r#""agents": {"count": 8, "drive": "differential"}, "feet": {"manner": "considerate"}"#,
        r#""agents": {"count": 12}, "feet": {"count": 0}"#,
    ];
    for members in settings {
        let (mut world, mut seed) = (start(members), 17);
        let robots = places(&world).len();
        let mut accepted = 0;
        for _ in 0..150 {
            let agent = (draw(&mut seed) * robots as f64) as i64;
            put(&mut world, agent, DVec2::new(draw(&mut seed), draw(&mut seed)) * 400.0);
            accepted += texts(&world, "events", "kind").iter().filter(|kind| *kind == "agent_put").count();
            walk(&mut world, 5);
        }
        assert!(accepted > 20, "{accepted} of 150: {members}");
        for measure_name in ["d_r_violations", "d_h_violations", "outside_mat", "accel_limit_violations"] {
            assert_eq!(measure(&world, measure_name), 0.0, "{measure_name}: {members}");
        }
    }
}

fn wish(world: &MatWorld, agent: i64, velocity: DVec2) -> (usize, Vec<Value<'static>>) {
    let (x, y) = (Value::Number(velocity.x), Value::Number(velocity.y));
    row(world.model(), "wishes", &[("agent", Value::Integer(agent)), ("vx_mm_s", x), ("vy_mm_s", y)])
}

/// Two robots that wish towards each other meet in the middle after 100 mm each at 80 mm/s, which `none` lets them do. Then `joint` parts
/// them.
#[test]
fn without_a_filter_distances_break_and_the_filter_makes_them_good_again() {
    let mut world = start(STANDING);
    let gap = |world: &MatWorld| places(world)[0].distance(places(world)[1]);
    choose(&mut world, "none");
    assert_eq!(texts(&world, "events", "kind")[0], "filter");
    let rows = [wish(&world, 0, DVec2::new(80.0, 0.0)), wish(&world, 1, DVec2::new(-80.0, 0.0))];
    let inputs: Vec<Input<'_>> = rows.iter().map(|(stream, row)| Input { stream: *stream, row }).collect();
    World::step(&mut world, &inputs).unwrap();
    walk(&mut world, 70);
    assert!(gap(&world) < 20.0, "{}", gap(&world));
    assert_eq!(world.violations(), 1);
    choose(&mut world, "joint");
    walk(&mut world, 300);
    assert!(gap(&world) >= 60.0, "{}", gap(&world));
    let broken = world.violations();
    walk(&mut world, 600);
    assert!(gap(&world) >= 60.0 && world.violations() == broken, "{}", gap(&world));
}

/// Thirty robots without a filter among a foot for ten seconds, then with the filter again.
#[test]
fn a_crowd_parts_when_the_filter_comes_back() {
    let mut world = start(r#""agents": {"count": 30}"#);
    walk(&mut world, 60);
    choose(&mut world, "none");
    walk(&mut world, 600);
    let broken = world.violations();
    assert!(broken > 10, "{broken}");
    choose(&mut world, "joint");
    walk(&mut world, 600);
    let nearest = numbers(&world, "agents", "nearest_agent_mm").into_iter().fold(f64::INFINITY, f64::min);
    assert!(nearest >= 60.0, "{nearest}");
    assert!(number(&world, "swarm", "violations") >= broken as f64);
}
