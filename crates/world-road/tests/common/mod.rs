//! Rows of a run on the road as numbers, and steps with commands.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

use sim_world::{Input, Model, Value, World};
use test_runs::rows::Rows;
pub use test_runs::rows::assert_near;
use world_road::RoadWorld;

fn rows(world: &RoadWorld) -> Rows<'_> {
    Rows { model: world.model(), world }
}

/// The numbers of a column; not a number where it is missing.
pub fn numbers(world: &RoadWorld, stream: &str, column: &str) -> Vec<f64> {
    rows(world).numbers(stream, column)
}

/// The number of the only row.
pub fn number(world: &RoadWorld, stream: &str, column: &str) -> f64 {
    rows(world).number(stream, column)
}

/// The lists of a column.
pub fn lists(world: &RoadWorld, stream: &str, column: &str) -> Vec<Vec<f64>> {
    rows(world).lists(stream, column)
}

/// The texts of a column.
pub fn texts(world: &RoadWorld, stream: &str, column: &str) -> Vec<String> {
    rows(world).texts(stream, column)
}

/// A command for a car: speed, steering, acceleration, as far as they are given.
pub type CommandRow = (i64, [Option<f64>; 3]);

/// One step with these commands, which must pass the checks that rows of programs and files pass.
pub fn step_with(world: &mut RoadWorld, commands: &[CommandRow]) {
    let rows: Vec<[Value<'_>; 4]> = commands
        .iter()
        .map(|(car, [speed, steer, acceleration])| {
            [Value::Integer(*car), (*speed).into(), (*steer).into(), (*acceleration).into()]
        })
        .collect();
    let inputs = Input::rows(0, &rows);
    for input in &inputs {
        sim_world::check_row(&world.model().inputs()[0], input.row).unwrap();
        world.model().check_input(input).unwrap();
    }
    world.step_with(&inputs).unwrap();
}

/// So many steps into which nothing comes.
pub fn walk(world: &mut RoadWorld, steps: u64) {
    (0..steps).for_each(|_| world.step().unwrap());
}

/// The value of a measure of a run at its end.
pub fn measured(world: &mut RoadWorld, name: &str) -> f64 {
    world.finish().iter().find(|metric| metric.name == name).unwrap().value
}
