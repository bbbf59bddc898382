//! A counting allocator for tests: how often a piece of work allocates.
//!
//! A program that uses [`allocations_of`] runs on the system allocator with a counter per thread. The test harness allocates on other
//! threads, so it does not disturb a count.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Number of allocations and reallocations of `work` on the present thread.
pub fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Counts an allocation. A thread at its end has no counter any more, and none of its allocations can be asked for.
fn count() {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

#[expect(unsafe_code, reason = "the trait of allocators is unsafe; every call goes on to the system allocator")]
// SAFETY: each method passes its arguments unchanged to the system allocator, which keeps the contract of the trait.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::sync::atomic::{AtomicU8, Ordering};

    #[test]
    fn every_way_to_allocate_counts_once() {
        assert_eq!(allocations_of(|| drop(black_box(Box::new(1_u64)))), 1);
        assert_eq!(allocations_of(|| drop(black_box(vec![0_u8; 100]))), 1);
        let mut grown = Vec::with_capacity(1);
        assert_eq!(allocations_of(|| black_box(&mut grown).extend_from_slice(&[1_u8, 2, 3])), 1);
        assert_eq!(allocations_of(|| black_box(&mut grown).clear()), 0);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test is about another thread")]
    fn allocations_of_other_threads_do_not_count() {
        static TURN: AtomicU8 = AtomicU8::new(0);
        let wait_for = |turn| {
            while TURN.load(Ordering::Acquire) != turn {
                std::thread::yield_now();
            }
        };
        let other = std::thread::spawn(move || {
            wait_for(1);
            drop(black_box(vec![0_u8; 100]));
            TURN.store(2, Ordering::Release);
        });
        let counted = allocations_of(|| {
            TURN.store(1, Ordering::Release);
            wait_for(2);
        });
        assert_eq!((counted, other.join().is_ok()), (0, true));
    }
}
