//! The view of a mat names only what its runs have, whatever is on it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{cube, cubes, start, walk};
use sim_world::Model;
use sim_world::World;
use sim_world::view::Draw;
use test_runs::{KINDS, mat_model, views};
use world_mat::phase_timer::{Phase, PhaseTimer};

#[test]
fn every_stream_and_column_of_a_view_is_there() {
    for (name, members) in KINDS {
        assert_eq!(views::missing(&*mat_model(members)), [""; 0], "{name}");
    }
    let more = [
        r#""agents": {"count": 0}, "feet": {"count": 0}, "patches": {"count": 0}"#.to_owned(),
        r#""agents": {"count": 0}"#.to_owned(),
        r#""feet": {"count": 0}"#.to_owned(),
        r#""patches": {"count": 0}, "agents": {"count": 2, "goals": {"sites_mm": [[60, 80]]}}"#.to_owned(),
        r#""feet": {"gait": "orbit", "orbit_radius_mm": 60}"#.to_owned(),
        cubes(&[cube("a", r#""at_mm": [200, 300]"#), cube("b", r#""at_mm": [300, 300]"#)].join(", ")),
    ];
    for members in more {
        assert_eq!(views::missing(&*mat_model(&members)), [""; 0], "{members}");
    }
}

/// What is not on the mat has neither marks nor a party.
#[test]
fn parties_are_those_that_are_on_the_mat() {
    let parties = |members: &str| {
        let view = mat_model(members).view();
        view.parties.iter().map(|party| party.stream.clone()).collect::<Vec<_>>().join(" ")
    };
    assert!(parties(r#""agents": {"count": 2}"#).contains("agents"));
    assert!(parties(r#""agents": {"count": 2}"#).contains("feet"));
    assert!(!parties(r#""agents": {"count": 2}, "feet": {"count": 0}"#).contains("feet"));
    assert_eq!(parties(&cubes(&cube("a", r#""at_mm": [300, 300]"#))), "cubes target");
    let wells = |members: &str| mat_model(members).view().marks.iter().any(|mark| matches!(mark.draw, Draw::Wells(_)));
    assert!(wells(r#""agents": {"count": 2}"#) && !wells(&cubes(&cube("a", r#""at_mm": [300, 300]"#))));
}

/// Cubes are called as the scenario calls them.
#[test]
fn cubes_have_their_names() {
    let list = [cube("ann", r#""at_mm": [200, 300]"#), cube("bob", r#""at_mm": [300, 300]"#)].join(", ");
    let view = mat_model(&cubes(&list)).view();
    assert_eq!(view.parties[0].names, ["ann", "bob"]);
    assert_eq!(view.unit, "mm");
}

/// Writes down which phases end.
#[derive(Default)]
struct Written(Vec<&'static str>);

impl PhaseTimer for Written {
    fn ended(&mut self, phase: Phase) {
        self.0.push(phase.name());
    }
}

/// The table of the architecture page: the phases of a step in their order, each once.
#[test]
fn a_step_goes_through_its_phases_in_the_order_of_the_page() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/architecture.md")).unwrap();
    let table = page.split("## A step is a page").nth(1).unwrap();
    let rows =
        table.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'));
    let listed: Vec<&str> = rows.map(|row| row.trim_matches('|').split('|').next().unwrap().trim()).collect();
    for members in [r#""agents": {"count": 3}"#, test_runs::SWARM_OF_CUBES, test_runs::CUBES] {
        let (mut world, mut written) = (start(members), Written::default());
        world.step_with(&[], &mut written).unwrap();
        let timed: Vec<&str> = listed.iter().copied().filter(|phase| written.0.contains(phase)).collect();
        assert_eq!(written.0, timed, "{listed:?}");
        assert_eq!(written.0.len(), Phase::ALL.len());
    }
}

/// A step with a timer is the same step.
#[test]
fn a_timer_changes_nothing() {
    let members = r#""agents": {"count": 5}"#;
    let (mut timed, mut plain) = (start(members), start(members));
    for _ in 0..60 {
        timed.step_with(&[], &mut Written::default()).unwrap();
        walk(&mut plain, 1);
    }
    assert_eq!(timed.state_hash(), plain.state_hash());
}
