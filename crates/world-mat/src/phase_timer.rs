//! Where a step's time goes: the phases of a step, and a timer that is called when one ends.

/// Phases of a step, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Hands take hold of cubes.
    Script,
    /// Feet walk, patches drift.
    Feet,
    /// What sensors tell, forecasts and potential.
    Field,
    /// Preferred velocities.
    Wish,
    /// The safety filter.
    Filter,
    /// Robots take their next places; cubes move, read their sensors and run their firmware.
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

/// Called at the end of each phase.
pub trait PhaseTimer {
    /// This phase has just ended.
    fn ended(&mut self, phase: Phase);
}

/// Times nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTimer;

impl PhaseTimer for NoTimer {
    #[inline]
    fn ended(&mut self, _phase: Phase) {}
}

/// Adds up the time of each phase over many steps. Call [`PhaseTimes::begin`] before each step.
pub struct PhaseTimes<'a> {
    now_s: &'a dyn Fn() -> f64,
    last_s: f64,
    total_s: [f64; Phase::ALL.len()],
}

impl<'a> PhaseTimes<'a> {
    /// Nothing added up yet. `now_s` reads a clock, s.
    #[must_use]
    pub fn new(now_s: &'a dyn Fn() -> f64) -> Self {
        Self { last_s: now_s(), now_s, total_s: [0.0; Phase::ALL.len()] }
    }

    /// The next phase begins now: what went before belongs to no phase.
    pub fn begin(&mut self) {
        self.last_s = (self.now_s)();
    }

    /// Seconds spent in a phase so far.
    #[must_use]
    pub fn total_s(&self, phase: Phase) -> f64 {
        self.total_s[phase as usize]
    }
}

impl PhaseTimer for PhaseTimes<'_> {
    fn ended(&mut self, phase: Phase) {
        let now_s = (self.now_s)();
        self.total_s[phase as usize] += now_s - self.last_s;
        self.last_s = now_s;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn each_phase_gets_the_time_since_the_last_one() {
        // Reads 0, 1, 3, 6, 10, ... seconds.
        let readings = Cell::new(0_u32);
        let clock = || {
            let n = readings.replace(readings.get() + 1);
            f64::from(n * (n + 1) / 2)
        };
        let mut times = PhaseTimes::new(&clock); // 0
        times.begin(); // 1
        times.ended(Phase::Feet); // 3
        times.ended(Phase::Filter); // 6
        times.begin(); // 10
        times.ended(Phase::Feet); // 15
        assert_eq!(Phase::ALL.map(|phase| times.total_s(phase)), [0.0, 7.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    }

    #[test]
    fn the_list_of_phases_is_in_their_order() {
        assert!(Phase::ALL.iter().enumerate().all(|(place, &phase)| phase as usize == place));
    }
}
