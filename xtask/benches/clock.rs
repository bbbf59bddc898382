//! The clock of benches.

use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "this is the clock of the bench")]
fn now() -> Instant {
    Instant::now()
}

/// Keeps the shorter of two times.
pub fn keep_shortest(shortest_s: &mut f64, work: impl FnOnce()) {
    let start = now();
    work();
    *shortest_s = shortest_s.min(start.elapsed().as_secs_f64());
}
