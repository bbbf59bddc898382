//! Scenarios of the sea, their models and runs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, reason = "each test uses a part of it")]

use sim_core::RunKey;
use sim_run::scenario::{Loaded, parse};
use sim_world::{Input, Model, Value, World, Worlds, check_row};
use std::sync::Arc;
use test_runs::rows::Rows;
use world_sea::{Sea, SeaModel, SeaWorld};

/// The sea alone.
pub const WORLDS: Worlds = Worlds(&[&Sea]);

/// Address of the draws of a run with seed 1.
pub const KEY: RunKey = RunKey { seed: 1, run_index: 0 };

/// The text of a scenario whose keys, beside name and world, are given as `"key": value` members.
pub fn text(members: &str) -> String {
    format!("{{\"name\": \"x\", \"world\": \"sea\",\n{members}}}")
}

/// The scenario with these members.
pub fn loaded(members: &str) -> Loaded {
    parse(WORLDS, &text(members), "a.json", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Its model.
pub fn model(members: &str) -> Arc<SeaModel> {
    loaded(members).model.as_any().downcast().unwrap()
}

/// A run of it at its start.
pub fn world(members: &str) -> SeaWorld {
    SeaWorld::new(model(members), KEY).unwrap()
}

/// So many steps.
pub fn steps(world: &mut SeaWorld, count: u64) {
    for _ in 0..count {
        world.step().unwrap();
    }
}

/// All events of so many steps: kind, vehicle and object.
pub fn events(world: &mut SeaWorld, count: u64) -> Vec<(u64, String)> {
    let mut told = Vec::new();
    for _ in 0..count {
        world.step().unwrap();
        for event in world.events() {
            let text = format!("{} {} {}", event.kind, event.vehicle, event.object);
            told.push((event.tick.0, text.trim_end().to_owned()));
        }
    }
    told
}

/// One step with rows of streams, which must pass the checks that rows of programs and files pass.
pub fn step_with(world: &mut SeaWorld, rows: &[(&str, &[Value<'_>])]) -> Result<(), String> {
    let model = world.model();
    let place = |name: &str| model.inputs().iter().position(|stream| stream.name == name).unwrap();
    let inputs: Vec<Input<'_>> = rows.iter().map(|&(name, row)| Input { stream: place(name), row }).collect();
    for input in &inputs {
        let stream = &model.inputs()[input.stream];
        check_row(stream, input.row).and_then(|()| model.check_input(input)).map_err(|fault| fault.in_words(stream))?;
    }
    world.step_with(&inputs).unwrap();
    Ok(())
}

/// The numbers of a column of a stream, row by row; not a number where it is missing.
pub fn numbers(world: &SeaWorld, stream: &str, column: &str) -> Vec<f64> {
    let outputs = world.model().outputs();
    let place = outputs.iter().position(|other| other.name == stream).unwrap();
    let column = outputs[place].column(column).unwrap();
    let mut numbers = Vec::new();
    world.rows(place, &mut |row| numbers.push(row[column].as_number().unwrap_or(f64::NAN)));
    numbers
}

/// The rows of a world.
pub fn rows(world: &SeaWorld) -> Rows<'_> {
    Rows { model: world.model(), world }
}

/// The only list of a column that arrived now.
pub fn list(world: &SeaWorld, stream: &str, column: &str) -> Vec<f64> {
    let mut lists = rows(world).lists(stream, column);
    assert_eq!(lists.len(), 1, "{stream} {column}");
    lists.remove(0)
}
