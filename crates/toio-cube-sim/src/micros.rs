//! Moments in whole microseconds: the common measure of ticks, of the firmware's units of 10 ms and of the radio's units of 1.25 ms.
//!
//! A comparison of a difference of two such moments with a multiple of 10 ms is exact for every step rate up to 1000 Hz: the moment
//! of a tick is rounded down by less than a microsecond, and no tick is nearer than 10 microseconds to such a multiple unless it
//! is on it.

use sim_core::Tick;

/// A moment since the start of the run, or a span between two moments, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub u64);

impl Micros {
    /// The moment at which `tick` begins, rounded down, at `step_hz` (above 0) ticks a second.
    #[must_use]
    pub fn from_tick(tick: Tick, step_hz: u32) -> Self {
        // Whole seconds first, so that no run is long enough to overflow.
        let hz = u64::from(step_hz.max(1));
        Self(tick.0 / hz * 1_000_000 + tick.0 % hz * 1_000_000 / hz)
    }

    /// A span of whole milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1000)
    }

    /// A span of `units` times 10 ms, the unit of durations in most commands.
    #[must_use]
    pub const fn from_10_ms(units: u64) -> Self {
        Self(units * 10_000)
    }

    /// The same in seconds.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The span since `earlier`; nothing if that is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }

    /// The moment `span` after this one.
    #[must_use]
    pub const fn after(self, span: Self) -> Self {
        Self(self.0 + span.0)
    }
}

/// The wire's unit of durations for a duration in milliseconds: tens, rounded down, held in 0 to 255 (2550 ms) as clients do, never
/// wrapped round. Mind that many commands read 0 as endless.
#[must_use]
pub fn units_of_10_ms(ms: i64) -> u8 {
    (ms / 10).clamp(0, 255) as u8
}
