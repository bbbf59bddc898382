//! Goals that change in time: given when they are due, reached, measured, written and drawn.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{loaded_beside, numbers, said_beside, start, walk};
use sim_world::{Model, World};
use test_runs::{mat_model, same, scenario, views};
use world_mat::MatWorld;

/// Two robots on a mat without feet and patches, and without fluctuation.
fn two(script: &str) -> String {
    format!(
        r#""feet": {{"count": 0}}, "patches": {{"count": 0}}, "agents": {{"count": 2, "sigma_v": 0,
            "start": [{{"x_mm": 60, "y_mm": 60}}, {{"x_mm": 60, "y_mm": 340}}],
            "goals": {{"arrival_mm": 5, "gain_per_s": 4, "script": [{script}]}}}}"#
    )
}

const SCRIPT: &str = r#"{"time_s": 2, "robot": 0, "at_mm": [340, 200]}, {"time_s": 0, "robot": 0, "at_mm": [200, 60]},
    {"time_s": 1, "robot": 1, "at_mm": [60, 200]}, {"time_s": 4, "robot": 1, "at_mm": null}"#;

fn goals(world: &MatWorld) -> Vec<[f64; 4]> {
    let column = |name| numbers(world, "goals", name);
    let (agent, goal, x, y) = (column("agent"), column("goal"), column("x_mm"), column("y_mm"));
    (0..agent.len()).map(|row| [agent[row], goal[row], x[row], y[row]]).collect()
}

/// The script by hand: whatever its order in the file, each robot has the goal of its latest row.
#[test]
fn each_robot_has_the_goal_of_its_latest_row() {
    let mut world = start(&two(SCRIPT));
    assert_eq!(goals(&world), [[0.0; 4]; 0]);
    walk(&mut world, 1);
    assert_eq!(goals(&world), [[0.0, 1.0, 200.0, 60.0]]);
    walk(&mut world, 58);
    assert_eq!(goals(&world), [[0.0, 1.0, 200.0, 60.0]], "step 59");
    walk(&mut world, 1);
    assert_eq!(goals(&world), [[0.0, 1.0, 200.0, 60.0], [1.0, 1.0, 60.0, 200.0]], "step 60 is one second");
    walk(&mut world, 60);
    assert_eq!(goals(&world), [[0.0, 2.0, 340.0, 200.0], [1.0, 1.0, 60.0, 200.0]]);
    walk(&mut world, 120);
    assert_eq!(goals(&world), [[0.0, 2.0, 340.0, 200.0]], "robot 1 is free from 4 s on");
}

/// Three goals are given, each for 2 s or more. 140 to 198 mm at no more than 140 mm/s, and the last 35 mm with a gain of 4 per s, take
/// 1 s to 1.8 s.
#[test]
fn goals_are_reached_and_counted() {
    let mut world = start(&two(SCRIPT));
    let mut first = None;
    for step in 1..=600_u64 {
        walk(&mut world, 1);
        let place = world.agents().position_mm[0];
        if first.is_none() && place.distance(sim_core::DVec2::new(200.0, 60.0)) <= 5.0 {
            first = Some(step as f64 / 60.0);
        }
    }
    let metrics = world.finish();
    let value = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value;
    assert_eq!([value("goals_given"), value("goal_arrival_share")], [3.0, 1.0]);
    let mean_s = value("goal_time_to_arrive_s");
    assert!(first.unwrap() > 0.5 && mean_s > 0.5 && mean_s < 2.5, "{first:?} {mean_s}");
}

#[test]
fn a_file_of_goals_in_seconds_or_steps_is_read_into_the_scenario() {
    let by_list = scenario(&two(SCRIPT));
    let members = two("").replace(r#""script": []"#, r#""script_csv": "goals.csv""#);
    let seconds = "time_s,robot,x_mm,y_mm\n2,0,340,200\n0,0,200,60\n1,1,60,200\n4,1,,\n";
    let steps = "step,robot,x_mm,y_mm\n120,0,340,200\n0,0,200,60\n60,1,60,200\n240,1,,\n";
    for file in [seconds, steps] {
        let from_file = loaded_beside(&[("goals.csv", file)], &members);
        assert!(same(&from_file, &by_list), "{}", from_file.resolved);
    }
}

#[test]
fn goals_of_a_script_are_drawn_and_those_of_others_have_no_table() {
    let model = mat_model(&two(SCRIPT));
    assert_eq!(views::missing(&*model), [""; 0]);
    let view = model.view();
    assert!(view.parties.iter().any(|party| party.stream == "goals"));
    assert_eq!(view.marks.iter().filter(|mark| mark.of.as_deref() == Some("goals")).count(), 2);
    let others = mat_model(r#""agents": {"count": 1, "goals": {"sites_mm": [[60, 60]]}}"#);
    assert!(others.outputs().iter().all(|stream| stream.name != "goals"));
}

#[test]
fn wrong_goals() {
    let said_of = |script: &str| said_beside(&[], &two(script));
    let file =
        |text: &str| said_beside(&[("g.csv", text)], &two("").replace(r#""script": []"#, r#""script_csv": "g.csv""#));
    assert_eq!(
        said_of(r#"{"time_s": 0, "robot": 2, "at_mm": [200, 60]}"#),
        ["agents.goals.script[0].robot: is 2, but robots are numbered from 0 to 1"]
    );
    assert_eq!(
        said_of(r#"{"time_s": 0, "robot": 0, "at_mm": [400, 60]}"#),
        ["agents.goals.script[0].at_mm: is [400, 60], where no robot may be; the nearest place is [384, 60]"]
    );
    assert_eq!(
        said_of(r#"{"time_s": 1, "robot": 0, "at_mm": [200, 60]}, {"time_s": 1.001, "robot": 0, "at_mm": [200, 90]}"#),
        [
            "agents.goals.script[1].time_s: is 1.001, when agents.goals.script[0] sends robot 0 elsewhere: one goal at a time"
        ]
    );
    assert_eq!(
        said_of(r#"{"time_s": 600, "robot": 0, "at_mm": [200, 60]}"#),
        ["warning: agents.goals.script: has 1 of 1 goals after the end of the run: no robot gets them"]
    );
    assert_eq!(
        said_of(r#"{"time_s": 1, "robot": 0, "at_mm": [200, 60]}, {"time_s": 2, "robot": 1, "at_mm": [230, 60]}"#),
        [
            "warning: agents.goals.script[1].at_mm: is 30.0 mm from where robot 0 is sent at the time: robots stay 60 mm apart, so one of them cannot arrive"
        ]
    );
    assert_eq!(
        said_of(r#"{"time_s": -1, "robot": 0, "at_mm": [200, 60]}"#),
        ["agents.goals.script[0].time_s: is -1, must be a number from 0 to 1000000000 s"]
    );
    assert_eq!(said_of(""), ["agents.goals.sites_mm: is empty, and so is script: name at least one place"]);
    let both = two(r#"{"time_s": 1, "robot": 0, "at_mm": [200, 60]}"#)
        .replace(r#""arrival_mm": 5"#, r#""sites_mm": [[60, 60]]"#);
    assert_eq!(said_beside(&[], &both), ["agents.goals.script: stands beside sites_mm: choose one of them"]);
    assert_eq!(
        file("time_s,robot,x_mm,y_mm\n0,0,60,\n"),
        [r#"agents.goals.script_csv: "g.csv", line 2, column y_mm: is missing"#]
    );
    assert_eq!(
        file("robot,x_mm,y_mm\n0,60,60\n"),
        [r#"agents.goals.script_csv: "g.csv", line 2, column time_s: is missing, and so is step"#]
    );
    assert_eq!(
        file("time_s,step,robot,x_mm,y_mm\n1,60,0,60,60\n"),
        [r#"agents.goals.script_csv: "g.csv", line 2, column step: stands beside time_s: choose one of them"#]
    );
    assert_eq!(
        file("time_s,robot,x_mm,y_mm\n1,0.5,60,60\n"),
        [r#"agents.goals.script_csv: "g.csv", line 2, column robot: is "0.5", must be a whole number from 0 to 99999"#]
    );
    assert_eq!(file("time_s,robot,x_mm,y_mm\n700,0,60,60\n").len(), 1, "a warning, like that of a list");
}
