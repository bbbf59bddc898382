//! Folders of a world that the program does not know: whatever made them, they are drawn.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use sim_run::{Control, Worlds, run_one, scenario};
use test_pendulum::Pendulum;

const SWING: &str = r#"{"name": "swing", "world": "pendulum", "seed": 1, "steps": 100,
    "length_m": 2.0, "start_rad": 0.5, "spread_rad": 0.0}"#;

/// A place with a run of a pendulum in `out/swing`, which the library made.
fn with_swing() -> Place {
    let place = Place::new();
    let swing = scenario::parse(Worlds(&[&Pendulum]), SWING, "swing.json", &[]).unwrap();
    let options = swing.options(place.path("out/swing"));
    run_one(&swing.model, swing.model.key(0), &options, &Control::none()).unwrap();
    place
}

#[test]
fn a_run_of_a_world_of_ones_own_has_pictures_films_and_a_page() {
    let place = with_swing();
    let said = place.ends("render out/swing --at 0.5 --out swing.svg", 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("swing.svg: the row at 0.50 s\n", ""));
    assert!(place.read("swing.svg").contains(">swing<"));
    let said = place.ends("render out/swing --gif swing.gif --from 0 --to 1 --fps 5 --size 320", 0);
    assert_eq!(said.out, "swing.gif: 6 frames, 1.2 s\n");
    let said = place.ends("replay out/swing", 0);
    assert!(said.err.is_empty() && said.out.ends_with("kB): open it in a browser\n"), "{} {}", said.out, said.err);
    assert!(place.read("out/swing/replay.html").contains("<title>swing</title>"));
}

/// It runs only worlds that it knows.
#[test]
fn a_scenario_of_a_world_of_ones_own_is_refused() {
    let place = Place::new();
    place.write("swing.json", SWING);
    let said = place.ends("run swing.json -q", 2);
    assert!(said.err.contains("pendulum") && said.err.contains("road"), "{}", said.err);
}
