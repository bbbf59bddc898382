//! What every run keeps to, whatever its world: rows as its streams declare them, forks that go on as their original.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_world::{Cadence, ColumnKind, Model, Stream, StreamSet, Value, World};
use std::collections::BTreeSet;
use std::sync::Arc;
use test_runs::{KINDS, ROADS, SEAS, key, road_scenario, scenario, sea_scenario};

const STEPS: u64 = 400;

/// The models of all kinds of scenarios.
fn models() -> impl Iterator<Item = (&'static str, Arc<dyn Model>)> {
    let mats = KINDS.iter().map(|(name, members)| (*name, scenario(members).model));
    let roads = ROADS.iter().map(|(name, members)| (*name, road_scenario(members).model));
    mats.chain(roads).chain(SEAS.iter().map(|(name, members)| (*name, sea_scenario(members).model)))
}

/// A run of which all streams are wanted.
fn start(model: &Arc<dyn Model>) -> Box<dyn World> {
    Arc::clone(model).start(key(0), &StreamSet::all(model.outputs())).unwrap()
}

fn walk(world: &mut dyn World, steps: u64) {
    (0..steps).for_each(|_| world.step(&[]).unwrap());
}

/// True if the value may stand in a column of the kind.
fn fits(value: &Value<'_>, kind: ColumnKind) -> bool {
    match (value, kind) {
        (Value::Missing, _)
        | (Value::Integer(_), ColumnKind::Integer)
        | (Value::Number(_), ColumnKind::Number)
        | (Value::Text(_), ColumnKind::Text)
        | (Value::Bytes(_), ColumnKind::Bytes) => true,
        (Value::Numbers(values), ColumnKind::Numbers(most)) => values.len() <= most as usize,
        _ => false,
    }
}

fn check_row(row: &[Value<'_>], stream: &Stream, run: &str) {
    assert_eq!(row.len(), stream.columns.len(), "{run}: {}", stream.name);
    for (value, column) in row.iter().zip(&stream.columns) {
        assert!(fits(value, column.kind), "{run}: {}.{} is {value:?}", stream.name, column.name);
        let range = column.range.zip(value.as_number());
        let is_inside = range.is_none_or(|([min, max], number)| (min..=max).contains(&number));
        assert!(is_inside, "{run}: {}.{} is {value:?}", stream.name, column.name);
    }
}

/// Checks the rows that each stream has now; returns how many there are of each.
fn check_rows(world: &dyn World, streams: &[Stream], run: &str) -> Vec<u64> {
    let count = |(place, stream): (usize, &Stream)| {
        let mut rows = 0;
        world.rows(place, &mut |row| {
            check_row(row, stream, run);
            let is_of_now = row[0] == Value::Integer(world.tick().0 as i64);
            assert!(is_of_now || !matches!(stream.cadence, Cadence::Sampled { .. }), "{run}: {} {row:?}", stream.name);
            rows += 1;
        });
        rows
    };
    streams.iter().enumerate().map(count).collect()
}

#[test]
fn rows_are_as_their_streams_declare_them() {
    let mut with_rows = BTreeSet::new();
    for (run, model) in models() {
        let streams = model.outputs();
        let mut world = start(&model);
        let mut total = check_rows(&*world, streams, run);
        for _ in 0..STEPS {
            walk(&mut *world, 1);
            let counts = check_rows(&*world, streams, run);
            for (stream, &rows) in streams.iter().zip(&counts) {
                match stream.cadence {
                    Cadence::Sampled { .. } if stream.is_sparse && rows == 0 => {}
                    Cadence::Sampled { owners } => assert_eq!(rows, owners, "{run}: {}", stream.name),
                    Cadence::AtEnd => assert_eq!(rows, 0, "{run}: {}", stream.name),
                    Cadence::OnEvent { .. } => {}
                }
            }
            total.iter_mut().zip(counts).for_each(|(total, rows)| *total += rows);
        }
        world.finish();
        let last = check_rows(&*world, streams, run);
        for ((stream, rows), last) in streams.iter().zip(total).zip(last) {
            if let Cadence::OnEvent { at_most: Some(most) } = stream.cadence {
                assert!(rows <= most, "{run}: {rows} rows of {}", stream.name);
            }
            if rows + last > 0 {
                with_rows.insert(stream.name.clone());
            }
        }
    }
    // Every stream has been seen with rows, but for those that need rows from outside.
    let names = |model: &Arc<dyn Model>| -> Vec<_> {
        model.outputs().iter().filter(|stream| !stream.is_sparse).map(|stream| stream.name.clone()).collect()
    };
    let declared: BTreeSet<_> = models().flat_map(|(_, model)| names(&model)).collect();
    assert_eq!(with_rows, declared);
}

#[test]
fn names_of_streams_and_of_their_columns_are_unique() {
    for (run, model) in models() {
        let names: BTreeSet<_> = model.outputs().iter().map(|stream| &stream.name).collect();
        assert_eq!(names.len(), model.outputs().len(), "{run}");
        for stream in model.outputs() {
            let columns: BTreeSet<_> = stream.csv_columns().collect();
            assert_eq!(columns.len(), stream.csv_columns().count(), "{run}: {}", stream.name);
        }
    }
}

#[test]
fn measures_come_in_the_order_of_their_kind() {
    for (run, model) in models() {
        let mut world = start(&model);
        walk(&mut *world, 20);
        let names: Vec<&str> = world.finish().iter().map(|metric| metric.name).collect();
        let expected: Vec<&str> = model.kind().measures().iter().map(|measure| measure.name).collect();
        assert_eq!(names, expected, "{run}");
    }
}

#[test]
fn a_fork_goes_on_as_its_original_and_one_that_is_dropped_changes_nothing() {
    for (run, model) in models() {
        let (mut alone, mut original) = (start(&model), start(&model));
        walk(&mut *alone, 150 + STEPS);
        walk(&mut *original, 150);
        let mut dropped = original.fork();
        walk(&mut *dropped, 40);
        drop(dropped);
        let mut fork = original.fork();
        assert_eq!((fork.tick(), fork.state_hash()), (original.tick(), original.state_hash()), "{run}");
        walk(&mut *fork, STEPS);
        walk(&mut *original, STEPS);
        assert_eq!(fork.state_hash(), alone.state_hash(), "{run}: fork");
        assert_eq!(original.state_hash(), alone.state_hash(), "{run}: original");
        let measured = [alone, original, fork].map(|mut world| format!("{:?}", world.finish()));
        assert!(measured.iter().all(|measures| *measures == measured[0]), "{run}: {measured:?}");
    }
}
