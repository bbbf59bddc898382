//! Rows of a run on the mat as numbers, and steps with rows from outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

use sim_core::DVec2;
use sim_input::diagnostic::Diagnostic;
use sim_run::scenario::{self, Loaded};
use sim_world::{Input, Model, RowFault, Value, World, check_row};
use sim_worlds::WORLDS;
use std::path::Path;
use test_runs::rows::Rows;
pub use test_runs::rows::assert_near;
use test_runs::{key, mat_model, mat_text};
use world_mat::{MatModel, MatWorld};

/// Steps a second of the default scenario.
pub const STEP_HZ: f64 = 60.0;

/// A robot alone on a large mat, without anything that could move or draw it.
pub const ALONE: &str = r#""agents": {"count": 1, "sigma_v": 0}, "feet": {"count": 0}, "patches": {"count": 0},
    "mat": {"width_mm": 900, "height_mm": 900}, "field": {"cell_mm": 15}"#;

/// Cubes without a swarm, on a collection mat whose middle, dot (250, 250), lies at (300, 300) mm.
pub fn cubes(list: &str) -> String {
    format!(
        r#""agents": {{"count": 0}}, "feet": {{"count": 0}}, "patches": {{"count": 0}},
           "mat": {{"printed": [{{"kind": "collection-ring", "x_mm": 300, "y_mm": 300}}]}}, "cubes": [{list}]"#
    )
}

/// A cube over a perfect link, with further members.
pub fn cube(name: &str, more: &str) -> String {
    format!(r#"{{"name": "{name}", "radio": {{"link": "perfect"}}, {more}}}"#)
}

pub fn start(members: &str) -> MatWorld {
    MatWorld::new(mat_model(members), key(0)).unwrap()
}

pub fn walk(world: &mut MatWorld, steps: u64) {
    (0..steps).for_each(|_| world.step().unwrap());
}

pub fn rows(world: &MatWorld) -> Rows<'_> {
    Rows { model: world.model(), world }
}

pub fn numbers(world: &MatWorld, stream: &str, column: &str) -> Vec<f64> {
    rows(world).numbers(stream, column)
}

pub fn number(world: &MatWorld, stream: &str, column: &str) -> f64 {
    rows(world).number(stream, column)
}

pub fn texts(world: &MatWorld, stream: &str, column: &str) -> Vec<String> {
    rows(world).texts(stream, column)
}

/// Two columns as vectors.
pub fn vectors(world: &MatWorld, stream: &str, [x, y]: [&str; 2]) -> Vec<DVec2> {
    numbers(world, stream, x).into_iter().zip(numbers(world, stream, y)).map(|(x, y)| DVec2::new(x, y)).collect()
}

/// A row by the names of its columns; the others are missing.
pub fn row<'a>(model: &MatModel, stream: &str, cells: &[(&str, Value<'a>)]) -> (usize, Vec<Value<'a>>) {
    let place = model.inputs().iter().position(|known| known.name == stream).unwrap();
    let columns = &model.inputs()[place];
    let mut row = vec![Value::Missing; columns.columns.len()];
    cells.iter().for_each(|(name, value)| row[columns.column(name).unwrap_or_else(|| panic!("{name}"))] = *value);
    (place, row)
}

/// The checks that rows of programs and files pass.
pub fn check(model: &MatModel, stream: usize, row: &[Value<'_>]) -> Result<(), RowFault> {
    check_row(&model.inputs()[stream], row)?;
    model.check_input(&Input { stream, row })
}

/// One step with a row of a stream.
pub fn step_with(world: &mut MatWorld, stream: &str, cells: &[(&str, Value<'_>)]) {
    let (place, row) = row(world.model(), stream, cells);
    assert_eq!(check(world.model(), place, &row), Ok(()));
    World::step(world, &[Input { stream: place, row: &row }]).unwrap();
}

/// Writes a scenario with these members and the files that it names, and hands its path over.
fn with_files<T>(files: &[(&str, &str)], members: &str, use_it: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join("a.json");
    std::fs::write(&path, mat_text(members)).unwrap();
    use_it(&path)
}

/// All that is said about a scenario with these members and files, without places in its text.
pub fn said_beside(files: &[(&str, &str)], members: &str) -> Vec<String> {
    let message = |said: &Diagnostic| said.to_string().split_once(": ").unwrap().1.to_owned();
    with_files(files, members, |path| match scenario::load(WORLDS, path, &[]) {
        Ok(loaded) => loaded.warnings.iter().map(message).collect(),
        Err(refused) => {
            let said: Vec<String> = refused.items.iter().map(message).collect();
            assert!(
                !said.iter().all(|said| said.starts_with("warning: ")),
                "refused with nothing but warnings: {said:?}"
            );
            said
        }
    })
}

/// The scenario with these members and files.
pub fn loaded_beside(files: &[(&str, &str)], members: &str) -> Loaded {
    with_files(files, members, |path| scenario::load(WORLDS, path, &[]).unwrap_or_else(|refused| panic!("{refused}")))
}
