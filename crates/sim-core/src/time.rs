//! Time is a count of fixed steps; seconds are computed from it for people and never summed.

/// Number of steps since the start of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tick(pub u64);

impl Tick {
    /// Seconds since the start, at `step_hz` steps a second.
    #[must_use]
    pub fn seconds(self, step_hz: u32) -> f64 {
        self.0 as f64 / f64::from(step_hz)
    }

    /// The tick after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// True on every `period`-th tick, counted from `phase`. A sensor or a table that is due at a rate uses this.
    #[must_use]
    pub fn is_due(self, period: u64, phase: u64) -> bool {
        self.0 >= phase && (self.0 - phase).is_multiple_of(period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_minutes_are_exact() {
        assert_eq!(Tick(36_000).seconds(60), 600.0);
        assert_eq!(Tick(1).next(), Tick(2));
    }

    #[test]
    fn due_every_period_from_its_phase() {
        let due: Vec<u64> = (0..10).filter(|&t| Tick(t).is_due(3, 2)).collect();
        assert_eq!(due, [2, 5, 8]);
    }
}
