//! The wall clock. It decides when a step is made and never what it computes.

use std::time::{Duration, Instant};

/// Counts time from its start.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// A clock that starts now.
    #[expect(clippy::disallowed_methods, reason = "a live session follows the wall clock")]
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
