//! A step, and the watch for its closest calls, allocate nothing once their buffers have grown. A step runs on
//! one thread, whose allocations are counted.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use test_alloc::allocations_of;
use test_runs::{KINDS, ROADS, road, world};
use world_mat::near_misses::NearMissRecorder;

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
        let mut world = world(members, 0);
        let mut closest = NearMissRecorder::new(&world);
        let mut step = || {
            world.step().unwrap();
            closest.take(&world);
        };
        (0..WARM_UP).for_each(|_| step());
        let allocations = allocations_of(|| (0..WATCHED).for_each(|_| step()));
        assert_eq!(allocations, 0, "{kind}: allocations in {WATCHED} steps");
    }
    for (kind, members) in ROADS {
        let mut world = road(members, 0);
        let mut step = || world.step().unwrap();
        (0..WARM_UP).for_each(|_| step());
        let allocations = allocations_of(|| (0..WATCHED).for_each(|_| step()));
        assert_eq!(allocations, 0, "{kind}: allocations in {WATCHED} steps");
    }
}
