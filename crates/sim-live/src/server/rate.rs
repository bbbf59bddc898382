//! How many messages a client may send.

use std::time::Duration;

/// Messages a second in the long run, and at once after a silence.
const A_SECOND: f64 = 200.0;
const BURST: f64 = 400.0;

/// A count that fills with time.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    left: f64,
    at: Duration,
}

impl Rate {
    /// A full one.
    #[must_use]
    pub fn new(now: Duration) -> Self {
        Self { left: BURST, at: now }
    }

    /// Counts a message; false if it is one too many.
    pub fn take(&mut self, now: Duration) -> bool {
        let filled = self.left + A_SECOND * now.saturating_sub(self.at).as_secs_f64();
        (self.left, self.at) = (filled.min(BURST), now);
        let has_left = self.left >= 1.0;
        if has_left {
            self.left -= 1.0;
        }
        has_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_then_so_many_a_second() {
        let mut rate = Rate::new(Duration::ZERO);
        let mut taken = |ms: u64, asked: usize| (0..asked).filter(|_| rate.take(Duration::from_millis(ms))).count();
        assert_eq!(taken(0, 1000), 400);
        assert_eq!(taken(500, 1000), 100);
        assert_eq!(taken(60_000, 1000), 400);
    }
}
