//! `sim-cli streams`: what a scenario of each world yields and takes, for people and for programs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use serde_json::Value;

/// A vehicle in still water.
const SEA: &str =
    r#"{ "name": "sea", "world": "sea", "steps": 60, "vehicles": [{ "name": "auv", "model": "remus100" }] }"#;

/// The streams of a list as `NAME: COLUMN [UNIT], ...`.
fn listed(streams: &Value) -> Vec<String> {
    let column = |column: &Value| {
        let (name, unit) = (column["name"].as_str().unwrap(), column["unit"].as_str().unwrap());
        assert!(!column["about"].as_str().unwrap().is_empty(), "{name}");
        if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
    };
    let stream = |stream: &Value| {
        let columns: Vec<String> = stream["columns"].as_array().unwrap().iter().map(column).collect();
        format!("{}: {}", stream["name"].as_str().unwrap(), columns.join(", "))
    };
    streams.as_array().unwrap().iter().map(stream).collect()
}

/// Names of the files in a list of the text form.
fn named(text: &str) -> Vec<&str> {
    let names = text.lines().filter(|line| !line.starts_with(' '));
    names.filter_map(|line| Some(line.split_once(".csv: ")?.0)).collect()
}

#[test]
fn the_streams_of_every_world_are_listed_for_people_and_for_programs() {
    let place = Place::new();
    place.write("sea.json", SEA);
    let cases = [
        ("small", "target: step, time_s [s], x_mm [mm], y_mm [mm]", "wishes: agent, vx_mm_s [mm/s], vy_mm_s [mm/s]"),
        (
            "road",
            "cars: step, time_s [s], car, x_m [m], y_m [m], yaw_rad [rad], speed_m_s [m/s]",
            "commands: car, speed_m_s [m/s], steer_rad [rad], acceleration_m_s2 [m/s\u{b2}]",
        ),
        (
            "sea",
            "actuators: step, time_s [s], vehicle, actuator, command, actual, unit",
            "teleport: vehicle, x_m [m], y_m [m], z_m [m], roll_rad [rad], pitch_rad [rad], yaw_rad [rad]",
        ),
    ];
    for (name, output, input) in cases {
        let json = place.ends(&format!("streams {name}.json --format json"), 0).result();
        assert_eq!((&json["kind"], &json["name"]), (&"streams".into(), &name.into()));
        let (outputs, inputs) = (listed(&json["outputs"]), listed(&json["inputs"]));
        assert!(outputs.iter().any(|stream| stream.starts_with(output)), "{outputs:#?}");
        assert!(inputs.iter().any(|stream| stream == input), "{inputs:#?}");

        let text = place.ends(&format!("streams {name}.json"), 0).out;
        let (yields, takes) = text.split_once(&format!("\n{name} takes\n")).unwrap();
        assert!(yields.starts_with(&format!("{name} yields\n\n")), "{text}");
        let name_of = |stream: &String| stream.split_once(':').unwrap().0.to_owned();
        assert_eq!(named(yields), outputs.iter().map(name_of).collect::<Vec<_>>());
        assert_eq!(named(takes), inputs.iter().map(|stream| format!("inputs-{}", name_of(stream))).collect::<Vec<_>>());
        // Unit and range stand beside a column.
        let column = input.rsplit(", ").next().unwrap();
        let (column, unit) = column.split_once(' ').unwrap();
        let line = takes.lines().find(|line| line.trim_start().starts_with(&format!("{column} "))).unwrap();
        assert!(line.contains(&format!(" {unit}")), "{line}");
    }
    // They follow the scenario, as a run does.
    let text = place.ends("streams small.json --set feet.count=0", 0).out;
    assert!(!text.contains("feet.csv") && text.contains("  vx_mm_s  velocity wished"), "{text}");
    place.ends("streams none.json", 2);
}
