//! Where a step's time goes: the phases of a step, and who is told when one ends.

use crate::timing::Stopwatch;

/// Phases of a step, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Hands take hold of cubes.
    Script,
    /// Feet walk, patches drift.
    Feet,
    /// Forecasts and potential.
    Field,
    /// Preferred velocities.
    Wish,
    /// The safety filter.
    Filter,
    /// Robots take their next places; cubes move, feel and think.
    Act,
    /// Measures.
    Inspect,
}

impl Phase {
    /// All phases, in the order in which they run.
    pub const ALL: [Self; 7] =
        [Self::Script, Self::Feet, Self::Field, Self::Wish, Self::Filter, Self::Act, Self::Inspect];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Feet => "feet",
            Self::Field => "field",
            Self::Wish => "wish",
            Self::Filter => "filter",
            Self::Act => "act",
            Self::Inspect => "inspect",
        }
    }
}

/// Told at the end of each phase.
pub trait Laps {
    /// This phase has just ended.
    fn lap(&mut self, phase: Phase);
}

/// Nobody listens, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLaps;

impl Laps for NoLaps {
    #[inline]
    fn lap(&mut self, _phase: Phase) {}
}

/// Adds up the time of each phase over many steps. Call [`PhaseTimes::begin`] before each step.
pub struct PhaseTimes<'a> {
    stopwatch: &'a dyn Stopwatch,
    last_s: f64,
    total_s: [f64; Phase::ALL.len()],
}

impl<'a> PhaseTimes<'a> {
    /// Nothing added up yet.
    #[must_use]
    pub fn new(stopwatch: &'a dyn Stopwatch) -> Self {
        Self { last_s: stopwatch.now_s(), stopwatch, total_s: [0.0; Phase::ALL.len()] }
    }

    /// The next phase begins now: what went before belongs to no phase.
    pub fn begin(&mut self) {
        self.last_s = self.stopwatch.now_s();
    }

    /// Seconds spent in a phase so far.
    #[must_use]
    pub fn total_s(&self, phase: Phase) -> f64 {
        self.total_s[phase as usize]
    }
}

impl Laps for PhaseTimes<'_> {
    fn lap(&mut self, phase: Phase) {
        let now_s = self.stopwatch.now_s();
        self.total_s[phase as usize] += now_s - self.last_s;
        self.last_s = now_s;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Reads 0, 1, 3, 6, 10 ... seconds.
    struct Widening(AtomicU32);

    impl Stopwatch for Widening {
        fn now_s(&self) -> f64 {
            let n = self.0.fetch_add(1, Ordering::Relaxed);
            f64::from(n * (n + 1) / 2)
        }
    }

    #[test]
    fn each_phase_gets_the_time_since_the_last_one() {
        let clock = Widening(AtomicU32::new(0));
        let mut times = PhaseTimes::new(&clock); // 0
        times.begin(); // 1
        times.lap(Phase::Feet); // 3
        times.lap(Phase::Filter); // 6
        times.begin(); // 10
        times.lap(Phase::Feet); // 15
        assert_eq!(Phase::ALL.map(|phase| times.total_s(phase)), [0.0, 7.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    }

    #[test]
    fn the_list_of_phases_is_in_their_order() {
        assert!(Phase::ALL.iter().enumerate().all(|(place, &phase)| phase as usize == place));
    }
}
