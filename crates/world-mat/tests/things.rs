//! Printed mats, cards and walls that can be moved: how they are drawn, and what people can do with them on a live stage.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{check, cube, rows, start, step_with, walk};
use sim_world::view::{Draw, Quantity, Section, Shape};
use sim_world::{Cell, Control, Gesture, Model, Value, World};
use std::sync::Arc;
use test_runs::{mat_model, views};
use world_mat::MatModel;

fn members(key: &str) -> String {
    let key = if key.is_empty() { String::new() } else { format!(r#", "{key}": true"#) };
    let cube = cube("a", r#""at_mm": [300, 300]"#);
    format!(
        r#""agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}}, "cubes": [{cube}],
           "mat": {{"printed": [{{"kind": "collection-ring", "x_mm": 300, "y_mm": 300}},
                    {{"kind": "simple", "x_mm": 900, "y_mm": 300 {key}}}],
                "walls": [{{"from_mm": [100, 100], "to_mm": [100, 300], "thickness_mm": 12 {key}}}]}},
           "cards": [{{"item": "typhoon", "x_mm": 80, "y_mm": 320}}, {{"item": "rush", "x_mm": 400, "y_mm": 320 {key}}}]"#
    )
}

fn outlines(model: &MatModel) -> usize {
    let fixed = |draw: &Draw| if let Draw::Polygons { shapes, .. } = draw { shapes.len() } else { 0 };
    model.view().marks.iter().map(|mark| fixed(&mark.draw)).sum()
}

/// Each is drawn once: what is fixed as a polygon that stands still, what can be moved as a body of its own party.
#[test]
fn what_can_be_moved_is_drawn_where_it_lies() {
    for (key, still) in [("", 5), ("movable", 2), ("away", 2)] {
        let model = mat_model(&members(key));
        assert_eq!(outlines(&model), still, "{key}");
        assert_eq!(views::missing(&*model), [""; 0], "{key}");
        let view = model.view();
        let parties: Vec<&str> = view.parties.iter().map(|party| &*party.stream).collect();
        let more: &[&str] = if key.is_empty() { &[] } else { &["mats", "cards", "walls"] };
        assert_eq!(parties, [&["cubes", "target"], more].concat(), "{key}");
    }
    let model = mat_model(&members("movable"));
    let view = model.view();
    let size = |stream: &str, number: u64| {
        let own = |mark: &&sim_world::view::Mark| mark.of.as_deref() == Some(stream) && mark.owners == [number];
        let bodies = view.marks.iter().filter(own).filter_map(|mark| match &mark.draw {
            Draw::Body { parts, .. } => Some(&parts[0].shape),
            _ => None,
        });
        let [Shape::Polygon(corners)] = bodies.collect::<Vec<_>>()[..] else { panic!("{stream} {number}") };
        [corners[2][0] - corners[0][0], corners[2][1] - corners[0][1]]
    };
    // A card of the collection is 57.5 mm wide (docs/models/mat.md); a wall is as long as its middle line.
    assert_eq!(size("cards", 1), [57.5, 57.5]);
    let wall = size("walls", 0);
    assert!((wall[0] - 200.0).abs() < 1e-9 && (wall[1] - 12.0).abs() < 1e-9, "{wall:?}");
}

/// Outlines that stand still do not tell what lies under a cube; its row does.
#[test]
fn the_list_of_cubes_says_which_card_is_read() {
    let reads = |key: &str| {
        let panel = mat_model(&members(key)).view().panel;
        let lists = panel.sections.into_iter().filter_map(|section| match section {
            Section::List(list) => Some(list.cells[0].2[0].figures[0].of.clone()),
            _ => None,
        });
        lists.collect::<Vec<_>>()
    };
    assert!(matches!(&reads("")[..], [Quantity::Over { polygons, .. }] if polygons == "cards"));
    assert_eq!(reads("movable"), [Quantity::Column("card".into())]);
    let mut world = start(&members("away"));
    walk(&mut world, 1);
    assert_eq!(rows(&world).numbers("cubes", "mat_x"), [250.0]);
    let at = [
        ("card", Value::Integer(1)),
        ("does", Value::Text("lay")),
        ("x_mm", Value::Number(300.0)),
        ("y_mm", Value::Number(300.0)),
    ];
    step_with(&mut world, "cards", &at);
    assert_eq!(rows(&world).texts("cubes", "card"), ["Rush"]);
}

fn of_things(controls: &[Control]) -> Vec<String> {
    let is_thing = |control: &&Control| ["mats", "cards", "walls"].contains(&&*control.row.stream);
    let text = |control: &Control| {
        format!("{:?} {:?} {}", control.gesture, control.of.as_deref().unwrap_or("plane"), control.about)
    };
    controls.iter().filter(is_thing).map(text).collect()
}

/// What a page offers is what a session takes, and cubes are meant before what lies under them.
#[test]
fn things_are_dragged_and_chosen_on_a_stage() {
    let model: Arc<MatModel> = mat_model(&members("away"));
    let controls = model.controls();
    assert_eq!(
        of_things(&controls),
        [
            "ShiftDrop \"walls\" drag a wall with the shift key: it stands where you let go, unless a cube is there",
            "ShiftDrop \"cards\" drag a card with the shift key: it lies where you let go",
            "ShiftDrop \"mats\" drag a mat with the shift key: it lies where you let go",
            "Choose \"plane\" mat 1, simple: lay it, or take it away",
            "Choose \"plane\" card 1, Rush: lay it, or take it away",
            "Choose \"plane\" wall 0: put it, or take it away",
        ]
    );
    let push = controls.iter().position(|control| control.gesture == Gesture::ShiftDrag).unwrap();
    let drop = controls.iter().position(|control| control.gesture == Gesture::ShiftDrop).unwrap();
    assert!(push < drop);
    let is_of_things = |control: &&Control| control.gesture == Gesture::Choose && control.row.stream != "hands";
    for control in controls.iter().filter(is_of_things) {
        for at in 0..2 {
            let cells: Vec<(&str, Value<'_>)> =
                control.row.cells.iter().map(|(name, cell)| (&**name, given(cell, at))).collect();
            let (place, row) = common::row(&model, &control.row.stream, &cells);
            assert_eq!(check(&model, place, &row), Ok(()), "{}", control.about);
        }
        // The word that holds at the start.
        assert!(control.row.cells.iter().any(|(_, cell)| given(cell, 0) == Value::Text("take")), "{}", control.about);
    }
    assert_eq!(of_things(&mat_model(&members("")).controls()), [""; 0]);
}

/// What a page fills in.
fn given(cell: &Cell, at: usize) -> Value<'_> {
    match cell {
        Cell::Number(number) => Value::Integer(*number as i64),
        Cell::Choice(words) => Value::Text(&words[at]),
        other => panic!("{other:?}"),
    }
}

/// A fork goes on with the things where they are.
#[test]
fn a_fork_keeps_things_where_they_are() {
    let mut world = start(&members("movable"));
    step_with(
        &mut world,
        "mats",
        &[
            ("mat", Value::Integer(1)),
            ("does", Value::Text("lay")),
            ("x_mm", Value::Number(300.0)),
            ("y_mm", Value::Number(310.0)),
        ],
    );
    let mut copy = world.clone();
    for world in [&mut world, &mut copy] {
        walk(world, 5);
        step_with(world, "mats", &[("mat", Value::Integer(1)), ("does", Value::Text("take"))]);
        walk(world, 5);
    }
    assert_eq!(world.state_hash(), copy.state_hash());
    world.drop_scratch();
    assert_eq!(world.state_hash(), copy.state_hash());
}
