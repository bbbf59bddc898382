//! Feet that follow a recording, by the rows of their stream and by messages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{STEP_HZ, loaded_beside, said_beside, start, vectors, walk};
use sim_core::{DVec2, angle, ops};
use sim_world::Model;
use std::f64::consts::TAU;
use test_runs::{same, scenario};

/// A large mat with feet that may go anywhere, without noise, and a recording.
fn recorded(recording: &str) -> String {
    format!(
        r#""agents": {{"count": 0}}, "patches": {{"count": 0}}, "mat": {{"width_mm": 900, "height_mm": 900}},
           "field": {{"cell_mm": 15}}, "feet": {{"travel": "full", "noise_std_mm_s": 0, "recording": [{recording}]}}"#
    )
}

fn row(time_s: f64, at_mm: DVec2) -> String {
    format!(r#"{{"time_s": {time_s}, "foot": 0, "at_mm": [{}, {}]}}"#, at_mm.x, at_mm.y)
}

/// Rows at 7 Hz of a way with a pause at its start.
fn rows(way_mm: impl Fn(f64) -> DVec2, seconds: f64) -> String {
    let times = (0..=(7.0 * seconds) as u32).map(|k| f64::from(k) / 7.0);
    times.map(|time_s| row(time_s, way_mm(time_s))).collect::<Vec<_>>().join(",")
}

/// A straight way at 100 mm/s: the mean over any window is the way itself, so the foot is on it, once it has come to its speed.
#[test]
fn a_foot_is_on_its_recorded_way_at_its_time() {
    let way_mm = |time_s: f64| DVec2::new(100.0 + 100.0 * (time_s - 2.0).clamp(0.0, 5.0), 300.0);
    let mut world = start(&recorded(&rows(way_mm, 9.0)));
    assert!(vectors(&world, "feet", ["x_mm", "y_mm"])[0].distance(way_mm(0.0)) < 1e-9);
    for step in 1..=540 {
        walk(&mut world, 1);
        let (time_s, at_mm) = (f64::from(step) / STEP_HZ, vectors(&world, "feet", ["x_mm", "y_mm"])[0]);
        // Steady from a second after the start to half a second before the end of the move; a step is 1.7 mm.
        if (3.0..6.5).contains(&time_s) {
            assert!(at_mm.distance(way_mm(time_s)) < 2.0, "{time_s} s: {at_mm}");
        }
    }
    assert!(vectors(&world, "feet", ["x_mm", "y_mm"])[0].distance(way_mm(9.0)) < 0.1);
}

/// A circle of radius r at w rad/s has, averaged over 0.5 s, the radius r sin(w/4)/(w/4).
#[test]
fn a_recorded_circle_shrinks_by_its_mean_over_half_a_second() {
    let (radius_mm, rate_rad_s) = (100.0, TAU / 8.0);
    let middle_mm = DVec2::splat(450.0);
    let way_mm = |time_s: f64| middle_mm + radius_mm * angle::unit(rate_rad_s * time_s);
    let mut world = start(&recorded(&rows(way_mm, 24.0)));
    let quarter_rad = 0.25 * rate_rad_s;
    let expected_mm = radius_mm * ops::sin(quarter_rad) / quarter_rad;
    walk(&mut world, 600);
    for _ in 0..480 {
        walk(&mut world, 1);
        let radius_mm = vectors(&world, "feet", ["x_mm", "y_mm"])[0].distance(middle_mm);
        // Chords of a recording at 7 Hz lie 0.16 mm within the circle; a foot that stops ahead cuts the bend by up to v^2/2a of arc.
        assert!((radius_mm - expected_mm).abs() < 4.0, "{radius_mm} mm, not {expected_mm} mm");
    }
}

#[test]
fn a_robot_keeps_clear_of_a_recorded_foot_and_nothing_is_promised() {
    let way_mm = |time_s: f64| DVec2::new(100.0 + 60.0 * time_s, 450.0);
    let swarm = recorded(&rows(way_mm, 10.0)).replace(r#""agents": {"count": 0}"#, r#""agents": {"count": 6}"#);
    let mut world = start(&swarm);
    assert_eq!(world.model().guarantee(&sim_world::StreamSet::default()).unwrap().level, "best_effort");
    for _ in 0..600 {
        walk(&mut world, 1);
        let foot_mm = vectors(&world, "feet", ["x_mm", "y_mm"])[0];
        for robot_mm in vectors(&world, "agents", ["x_mm", "y_mm"]) {
            assert!(robot_mm.distance(foot_mm) >= 100.0 - 1e-6, "{robot_mm} {foot_mm}");
        }
    }
}

/// The same recording from a file, whose columns stand in another order.
#[test]
fn a_file_of_places_is_read_into_the_scenario() {
    let file = "foot,y_mm,x_mm,time_s\n0,100,100,0\n0,100,150,1.5\n";
    let places = r#"{"time_s": 0, "foot": 0, "at_mm": [100, 100]}, {"time_s": 1.5, "foot": 0, "at_mm": [150, 100]}"#;
    let members = recorded("").replace(r#""recording": []"#, r#""recording_csv": "way.csv""#);
    let from_file = loaded_beside(&[("way.csv", file)], &members);
    assert!(same(&from_file, &scenario(&recorded(places))), "{}", from_file.resolved);
}

#[test]
fn wrong_recordings_are_refused_by_their_row() {
    let two = |second: &str| recorded(&format!(r#"{{"time_s": 0, "foot": 0, "at_mm": [100, 100]}}, {second}"#));
    let feet = |more: &str| {
        let place = r#"{"time_s": 0, "foot": 0, "at_mm": [100, 100]}"#;
        recorded(place).replace(r#""recording""#, &format!(r#"{more}, "recording""#))
    };
    for (members, words) in [
        (
            two(r#"{"time_s": 0, "foot": 0, "at_mm": [101, 100]}"#),
            "row 1 (from 0) is at 0 s, after one of foot 0 at 0 s",
        ),
        (two(r#"{"time_s": 1, "foot": 1, "at_mm": [101, 100]}"#), "row 1 (from 0) is of foot 1, of 1 feet from 0"),
        // 250 mm in 0.5 s.
        (two(r#"{"time_s": 0.5, "foot": 0, "at_mm": [350, 100]}"#), "makes a foot walk 500 mm/s, smoothed over 0.5 s"),
        (two(r#"{"time_s": 9, "foot": 0, "at_mm": [100, 1100]}"#), "row 1 (from 0) is where this foot may not be"),
        (two(r#"{"time_s": -1, "foot": 0, "at_mm": [100, 100]}"#), "feet.recording[1].time_s"),
        (two(r#"{"time_s": 1, "foot": 0.5, "at_mm": [100, 100]}"#), "feet.recording[1].foot"),
        (two(r#"{"time_s": 1, "foot": 0, "at_mm": [100]}"#), "feet.recording[1].at_mm"),
        (two(r#"{"time": 1, "foot": 0, "at_mm": [100, 100]}"#), "time"),
        (feet(r#""count": 2"#), "has no place of foot 1 of 2"),
        (feet(r#""home_mm": [[200, 200]]"#), "stand beside a recording"),
        (feet(r#""gait": "orbit""#), "is orbit beside a recording"),
        (recorded("").replace(r#""travel": "full""#, r#""travel": "full", "recording_csv": "none.csv""#), "none.csv"),
    ] {
        let said = said_beside(&[], &members).join("\n");
        assert!(said.contains(words), "{members}\n{said}");
    }
}
