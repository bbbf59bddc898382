//! The wall clock. It tells people how long things take; nothing else ever depends on it.

use sim_run::Stopwatch;
use std::time::Instant;

/// Counts seconds from its making.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts now.
    #[expect(clippy::disallowed_methods, reason = "the command line is where time is measured")]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Stopwatch for WallClock {
    fn now_s(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
