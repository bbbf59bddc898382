//! Robots start where the scenario says, and are refused where they cannot.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{loaded_beside, numbers, said_beside, start, walk};
use sim_world::World;
use test_runs::{key, mat_model, same, scenario};
use world_mat::MatWorld;

const THREE: &str = r#""agents": {"count": 3, "start": [
    {"x_mm": 60, "y_mm": 60, "heading_deg": 90}, {"x_mm": 340, "y_mm": 60.5}, {"x_mm": 60, "y_mm": 340, "heading_deg": -180}]}"#;

#[test]
fn robots_start_at_rest_at_their_places_and_headings_whatever_the_seed() {
    for run in 0..5 {
        let world = MatWorld::new(mat_model(THREE), key(run)).unwrap();
        assert_eq!(numbers(&world, "agents", "x_mm"), [60.0, 340.0, 60.0]);
        assert_eq!(numbers(&world, "agents", "y_mm"), [60.0, 60.5, 340.0]);
        // 90 and 180 degrees; -180 is written as 180.
        assert_eq!(numbers(&world, "agents", "heading_rad"), [std::f64::consts::FRAC_PI_2, 0.0, std::f64::consts::PI]);
        assert_eq!(numbers(&world, "agents", "speed_mm_s"), [0.0; 3]);
    }
}

/// A hundred starts with robots where feet live: without the rule some home would be drawn among them. Feet keep 100 mm and 5 more.
#[test]
fn homes_of_feet_are_drawn_clear_of_the_places() {
    let places: Vec<String> = [[130, 130], [270, 130], [130, 270], [270, 270], [200, 130]]
        .iter()
        .map(|[x, y]| format!(r#"{{"x_mm": {x}, "y_mm": {y}}}"#))
        .collect();
    let members = format!(
        r#""mat": {{"width_mm": 600, "height_mm": 600}}, "agents": {{"count": 5, "start": [{}]}}"#,
        places.join(", ")
    );
    for run in 0..100 {
        let world = MatWorld::new(mat_model(&members), key(run)).unwrap();
        let nearest = numbers(&world, "agents", "nearest_foot_mm").into_iter().fold(f64::INFINITY, f64::min);
        assert!(nearest >= 105.0, "run {run}: {nearest}");
    }
}

/// The same places from a file, whose columns stand in another order beside one that is not read.
#[test]
fn a_file_of_places_is_read_into_the_scenario() {
    let file = "heading_deg, x_mm, note, y_mm\n90, 60, a, 60\n, 340, b, 60.5\n-180, 60, c, 340\n";
    let members = r#""agents": {"count": 3, "start_csv": "places.csv"}"#;
    let from_file = loaded_beside(&[("places.csv", file)], members);
    assert!(same(&from_file, &scenario(THREE)), "{}", from_file.resolved);
}

/// Ten minutes would take long here: two are enough to see that a start that is legal stays so.
#[test]
fn robots_as_near_as_allowed_break_no_distance_from_the_first_step_on() {
    let mut world = start(
        r#""feet": {"manner": "considerate", "home_mm": [[200, 200]]}, "agents": {"count": 2, "start": [
            {"x_mm": 200, "y_mm": 99.8}, {"x_mm": 260.2, "y_mm": 99.8}]}"#,
    );
    walk(&mut world, 600);
    assert_eq!(world.violations(), 0);
}

#[test]
fn wrong_places() {
    let one = |place: &str| format!(r#""agents": {{"count": 1, "start": [{place}]}}"#);
    let two = |x_mm: f64| {
        format!(r#""agents": {{"count": 2, "start": [{{"x_mm": 60, "y_mm": 60}}, {{"x_mm": {x_mm}, "y_mm": 60}}]}}"#)
    };
    let places = |x_mm: &str| [("p.csv", format!("x_mm,y_mm,heading_deg\n60,60,0\n{x_mm},60,0\n"))];
    let by_file = r#""agents": {"count": 2, "start_csv": "p.csv"}"#;
    let said_of = |members: &str| said_beside(&[], members);
    let said_of_file =
        |x_mm: &str| said_beside(&places(x_mm).each_ref().map(|(name, text)| (*name, text.as_str())), by_file);
    assert_eq!(
        said_of(&one(r#"{"x_mm": 60, "y_mm": 60}, {"x_mm": 160, "y_mm": 60}"#)),
        ["agents.start: has 2 places for 1 robots: give one each, or none"]
    );
    assert_eq!(
        said_of(&one(r#"{"x_mm": 5, "y_mm": 60}"#)),
        ["agents.start[0]: is [5, 60], where no robot may be; the nearest place is [16, 60]"]
    );
    // sqrt(60^2 + 4.2^2): two robots that pass each other at 252 mm/s between two steps of a sixtieth.
    assert_eq!(
        said_of(&two(120.1)),
        ["agents.start[1]: is [120.1, 60], 60.1 mm from robot 0; must be at least 60.15 mm"]
    );
    assert_eq!(said_of(&two(120.2)), [""; 0]);
    // sqrt(100^2 + ((4.2 + 215 / 60) / 2)^2), with a foot of 200 mm/s and 15 mm/s of slack.
    assert_eq!(
        said_of(r#""feet": {"home_mm": [[160, 160]]}, "agents": {"count": 1, "start": [{"x_mm": 160, "y_mm": 60}]}"#),
        ["agents.start[0]: is [160, 60], 100.0 mm from foot 0; must be at least 100.08 mm"]
    );
    assert_eq!(
        said_of(&one(r#"{"x_mm": 60, "y_mm": 60, "heading_deg": 400}"#)),
        ["agents.start[0].heading_deg: is 400, must be a number from -360 to 360 °"]
    );
    assert_eq!(
        said_of(&one(r#"{"x_mm": 60}"#)),
        ["agents.start[0].y_mm: is missing; must be a number from 0 to 100000 mm"]
    );
    assert_eq!(
        said_of_file("a"),
        [r#"agents.start_csv: "p.csv", line 3, column x_mm: is "a", must be a number from 0 to 100000"#]
    );
    assert_eq!(
        said_of_file("60.2"),
        ["agents.start[1]: is [60.2, 60], 0.2 mm from robot 0; must be at least 60.15 mm"]
    );
    assert_eq!(
        said_beside(&[("p.csv", "X_MM,y_mm\n1,2\n")], by_file),
        [r#"agents.start_csv: "p.csv" has no column x_mm; did you mean "X_MM"?"#]
    );
    assert_eq!(said_beside(&[("p.csv", "x_mm,y_mm\n")], by_file), [r#"agents.start_csv: "p.csv" has no rows"#]);
    assert_eq!(
        said_beside(
            &[("p.csv", "x_mm,y_mm\n60,60\n")],
            r#""agents": {"count": 1, "start_csv": "p.csv", "start": [{"x_mm": 60, "y_mm": 60}]}"#
        ),
        [r#"agents.start_csv: "p.csv" cannot be read beside start: choose one of them"#]
    );
    assert!(said_beside(&[], by_file)[0].starts_with(r#"agents.start_csv: "p.csv" cannot be opened"#));
}

/// Where a foot stands that was drawn, the start says which robot is in its way.
#[test]
fn a_start_without_space_for_a_foot_names_both() {
    let places: Vec<String> =
        (0..16).map(|i| format!(r#"{{"x_mm": {}, "y_mm": {}}}"#, 50 + 100 * (i % 4), 50 + 100 * (i / 4))).collect();
    let model = mat_model(&format!(r#""agents": {{"count": 16, "start": [{}]}}"#, places.join(", ")));
    let error = MatWorld::new(model, key(0)).unwrap_err().to_string();
    assert!(
        error.contains("mm from foot 0, and must be 100.1 mm away; move it in agents.start, or give feet.home_mm"),
        "{error}"
    );
}
