//! A step, the watch for near misses in it, and the reading of sampled rows allocate nothing once their buffers have grown. One test,
//! alone in its process: the counter counts every thread.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::Model;
use sim_world::{Cadence, StreamSet};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use test_runs::{KINDS, ROADS, key, model, road_scenario};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[expect(unsafe_code, reason = "an allocator can be counted in no other way; every call goes on to the system's")]
// SAFETY: each method passes its arguments unchanged to the system allocator, whose contract is the trait's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

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
