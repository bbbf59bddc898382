//! A step, the recorder of near misses in it, and the reading of sampled rows allocate nothing once their buffers have grown. A step
//! runs on one thread, whose allocations are counted.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::Model;
use sim_world::{Cadence, StreamSet};
use std::sync::Arc;
use test_alloc::allocations_of;
use test_runs::{KINDS, ROADS, key, model, road_scenario};

/// Warm-up: one simulated minute, so that idle, walking and roaming feet, crowded and empty neighbourhoods have all
/// been seen.
const WARM_UP: u64 = 3_600;
const WATCHED: u64 = 1_200;

/// Kinds whose step may allocate, and where: the assignment of goals calls a library that does, every few seconds; cubes
/// do for the bytes of messages and in the physics engine.
const ALLOWED: &[&str] = &["goals", "cubes", "swarm of cubes"];

#[test]
fn a_step_after_warm_up_allocates_nothing() {
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    for (kind, members) in KINDS.iter().filter(|(kind, _)| !ALLOWED.contains(kind)) {
        check(kind, model(members));
    }
    for (kind, members) in ROADS {
        check(kind, road_scenario(members).model);
    }
}

fn check(kind: &str, model: Arc<dyn Model>) {
    // Texts of events and messages are made as they come.
    let is_sampled = |place: &usize| matches!(model.outputs()[*place].cadence, Cadence::Sampled { .. });
    let sampled: Vec<usize> = (0..model.outputs().len()).filter(is_sampled).collect();
    let mut world = Arc::clone(&model).start(key(0), &StreamSet::all(model.outputs())).unwrap();
    let mut values = 0;
    let mut step = || {
        world.step(&[]).unwrap();
        sampled.iter().for_each(|&stream| world.rows(stream, &mut |row| values += row.len()));
    };
    (0..WARM_UP).for_each(|_| step());
    let allocations = allocations_of(|| (0..WATCHED).for_each(|_| step()));
    assert_eq!(allocations, 0, "{kind}: allocations in {WATCHED} steps");
    assert!(values > 0, "{kind}");
}
