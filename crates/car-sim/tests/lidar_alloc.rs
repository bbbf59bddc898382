//! A scan allocates nothing once its buffers have their size. Each thread counts its own: the harness allocates whenever it likes.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Lidar, LidarParams, Outline, Pose, Scanner, Scene, Segment, SegmentMap, Traffic};
use sim_core::{DVec2, Rect};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// A thread that is about to end has no counter any more, and is not watched.
fn count() {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

#[expect(unsafe_code, reason = "an allocator can be counted in no other way; every call goes on to the system's")]
// SAFETY: each method passes its arguments unchanged to the system allocator, whose contract is the trait's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Short walls on a lattice.
fn map(walls: i32) -> SegmentMap {
    let wall = |k: i32| {
        let from = DVec2::new(f64::from(k % 30), f64::from(k / 30));
        Segment::new(from, from + DVec2::new(0.3, 0.4))
    };
    SegmentMap::from_segments(&(0..walls).map(wall).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_scan_allocates_nothing() {
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    let lidar = Lidar::new(LidarParams { increment_rad: 0.02, ..LidarParams::default() }).unwrap();
    let (mut scanner, mut ranges_m, mut traffic) = (Scanner::new(), Vec::new(), Traffic::new());
    let body = Rect { min: DVec2::new(-0.25, -0.15), max: DVec2::new(0.25, 0.15) };
    // Few segments are drawn whole, many ring by ring.
    for walls in [10, 1100] {
        let map = map(walls);
        let mut hits = 0;
        let mut step = |step: i32| {
            // Cars spread, so that the cells around them change in number.
            let place = |car: i32| Pose::new(f64::from(car * step) * 0.1, f64::from(car % 3 + step), f64::from(car));
            traffic.replace((0..20).map(|car| Outline::new(body, place(car))));
            let scene = Scene { map: &map, traffic: &traffic, own_car: Some(0) };
            lidar.scan(scene, place(0), &mut scanner, &mut ranges_m);
            lidar.scan_in_motion(scene, |ray| Pose::new(ray as f64 * 0.001, 0.0, 0.0), &mut ranges_m);
            hits += ranges_m.iter().filter(|range_m| range_m.is_finite()).count();
        };
        step(0);
        assert_eq!(allocations_of(|| (1..40).for_each(&mut step)), 0);
        assert!(hits > 100, "{hits}");
    }
}
