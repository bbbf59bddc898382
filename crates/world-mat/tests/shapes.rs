//! The outline of robots: drawn, and checked against the distances; nothing in a run depends on it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{said_beside, start, walk};
use sim_world::view::{Draw, Shape};
use sim_world::{Model, World};
use test_runs::mat_model;

fn with_shape(shape: &str) -> String {
    format!(r#""agents": {{"count": 5, "shape": {shape}}}"#)
}

const SQUARE: &str = r#"{"outline": "square", "size_mm": 42}"#;
const DISC: &str = r#"{"outline": "disc", "size_mm": 60}"#;

#[test]
fn the_outline_is_drawn_in_its_size() {
    let body = |members: &str| {
        let view = mat_model(members).view();
        let reach = view.parties.iter().find(|party| party.stream == "agents").unwrap().reach.unwrap();
        let mark = view
            .marks
            .into_iter()
            .find(|mark| matches!(mark.draw, Draw::Body { .. }) && mark.of.as_deref() == Some("agents"));
        let mark = mark.unwrap();
        let Draw::Body { parts, .. } = mark.draw else { panic!("no body") };
        (parts[0].shape.clone(), mark.key.unwrap(), reach)
    };
    let (square, words, reach) = body(&with_shape(SQUARE));
    assert!(matches!(square, Shape::Box([x0, y0], [x1, y1], _) if [x0, y0, x1, y1] == [-21.0, -21.0, 21.0, 21.0]));
    assert_eq!((words.as_str(), reach), ("robot 42 mm, bar at its front", 0.7 * 42.0));
    let (disc, ..) = body(&with_shape(DISC));
    assert!(matches!(disc, Shape::Disc([x, y], radius) if [x, y, radius] == [0.0, 0.0, 30.0]));
    let (cube, words, _) = body(r#""agents": {"count": 5}"#);
    assert!(matches!(cube, Shape::Box(_, [x, _], corner) if (x - 15.9).abs() < 1e-9 && corner == 4.0));
    assert_eq!(words, "robot 31.8 mm, bar at its front");
}

#[test]
fn a_run_does_not_depend_on_the_outline() {
    let hash = |members: &str| {
        let mut world = start(members);
        walk(&mut world, 120);
        world.state_hash()
    };
    assert_eq!(hash(&with_shape(DISC)), hash(r#""agents": {"count": 5}"#));
}

/// What was measured was measured for centres: it holds for any outline, and says so.
#[test]
fn the_promise_says_what_it_means_for_bodies() {
    let text = |members: &str| mat_model(members).guarantee(&Default::default()).unwrap().text;
    let plain = text(r#""agents": {"count": 5}"#);
    assert_eq!(
        text(&with_shape(SQUARE)),
        format!("{plain}; distances are between centres, and two squares of 42 mm cannot touch beyond 59.4 mm")
    );
    assert_eq!(
        text(&with_shape(DISC)),
        format!("{plain}; distances are between centres, and two discs of 60 mm cannot touch beyond 60.0 mm")
    );
}

#[test]
fn wrong_shapes() {
    let said_of = |shape: &str| said_beside(&[], &with_shape(shape));
    assert_eq!(said_of(SQUARE), [""; 0]);
    assert_eq!(
        said_of(r#"{"outline": "square", "size_mm": 50}"#),
        [
            "agents.shape.size_mm: is 50, and two squares of 50 mm can touch when their centres are 70.7 mm apart, which safety.d_r_mm (60) allows; must be at most 42.4 mm"
        ]
    );
    assert_eq!(
        said_of(r#"{"outline": "disc", "size_mm": 60.5}"#),
        [
            "agents.shape.size_mm: is 60.5, and two discs of 60.5 mm can touch when their centres are 60.5 mm apart, which safety.d_r_mm (60) allows; must be at most 60 mm"
        ]
    );
    assert_eq!(
        said_of(r#"{"outline": "hexagon", "size_mm": 30}"#),
        [r#"agents.shape.outline: is "hexagon", must be one of "square", "disc""#]
    );
    assert_eq!(
        said_of(r#"{"outline": "disc", "size_mm": 0}"#),
        ["agents.shape.size_mm: is 0, must be a number from 1 to 1000 mm"]
    );
    assert_eq!(
        said_of(r#"{"outline": "disc"}"#),
        ["agents.shape.size_mm: is missing; must be a number from 1 to 1000 mm"]
    );
    assert_eq!(said_of(r#"{"size_mm": 30}"#), [r#"agents.shape.outline: is missing; must be one of "square", "disc""#]);
    assert_eq!(
        said_of(r#"{"outline": "disc", "diameter_mm": 30}"#)[1],
        "agents.shape.diameter_mm: unknown key; known here: outline, size_mm"
    );
    assert!(said_of(r#""disc""#)[0].starts_with(r#"agents.shape: is "disc", must be"#));
    assert_eq!(
        said_beside(
            &[],
            &format!(r#""feet": {{"count": 0}}, "safety": {{"d_h_mm": 20, "d_r_mm": 60}}, {}"#, with_shape(DISC))
        ),
        ["agents.shape.size_mm: is 60, so that a robot reaches over the centre of a foot safety.d_h_mm (20) away"]
    );
    let walls = r#""feet": {"count": 0},
        "mat": {"width_mm": 800, "height_mm": 600, "walls": [{"from_mm": [400, 0], "to_mm": [400, 200]}]}"#;
    assert_eq!(
        said_beside(&[], &format!("{walls}, {}", with_shape(SQUARE))),
        [
            "warning: agents.shape.size_mm: is 42: a robot reaches 29.7 mm from its centre, so it can touch walls, from which safety.wall_margin_mm keeps its centre 16 mm"
        ]
    );
    let cubes = r#""mat": {"printed": [{"kind": "collection-ring", "x_mm": 200, "y_mm": 200}]}, "feet": {"manner": "considerate"},
        "limits": {"v_max_mm_s": 220, "a_max_mm_s2": 2000, "omega_max_rad_s": 6}, "agents": {"count": 3, "drive": "cube", "shape": {"outline": "disc", "size_mm": 30}}"#;
    assert_eq!(
        said_beside(&[], cubes),
        [r#"agents.shape: is for robots of drive "point" or "differential": a cube is a square of 31.8 mm"#]
    );
}
