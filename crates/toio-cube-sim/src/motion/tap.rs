//! Double taps: two short pulses along Z, each with quiet behind it, within a time.
//!
//! The times are those of the tap engines of common acceleration sensors, whose setting has eight levels too: a shock of up to 50 ms,
//! 30 ms of quiet, then a window of 50 to 700 ms for the second tap.

use super::pulse::PulseGauge;
use sim_core::{DVec3, StateHash};

/// Quiet behind a tap, s: a swing back and forth has none, and neither has a fall between two bounces.
const QUIET_S: f64 = 0.03;
/// Shock and quiet, s, before the window for the second tap opens.
const SHUT_S: f64 = 0.08;
/// Length of that window by level, s.
const WINDOW_S: [f64; 8] = [0.05, 0.1, 0.15, 0.2, 0.25, 0.375, 0.5, 0.7];
/// Rounding of a sum of steps.
const ROUNDING_S: f64 = 1e-9;

/// Longest time between the beginnings of two taps, s.
pub(super) fn longest_gap_s(level: u8) -> f64 {
    SHUT_S + WINDOW_S[usize::from(level).min(WINDOW_S.len() - 1)]
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TapGauge {
    pulses: PulseGauge,
    /// How long ago the pulse began that is under way or waits for its quiet, s.
    pulse_age_s: Option<f64>,
    /// How long it has been quiet since that pulse, once it is over and was short enough.
    quiet_s: Option<f64>,
    /// How long ago the first tap of a pair began, s.
    first_age_s: Option<f64>,
}

impl TapGauge {
    /// Processes the strength along Z of this step. Returns true if a second tap is complete.
    pub fn step(&mut self, strength: f64, threshold: f64, level: u8, step_s: f64) -> bool {
        for age in [&mut self.pulse_age_s, &mut self.first_age_s, &mut self.quiet_s].into_iter().flatten() {
            *age += step_s;
        }
        let was_idle = self.pulses.is_idle();
        let pulse = self.pulses.step(DVec3::Z * strength, threshold, step_s);
        if was_idle && !self.pulses.is_idle() {
            // A pulse that begins where another one has had no quiet belongs to a swing: neither is a tap.
            self.pulse_age_s = if self.quiet_s.take().is_some() { None } else { Some(0.0) };
        }
        if let Some(pulse) = pulse {
            self.quiet_s = (pulse.is_short() && self.pulse_age_s.is_some()).then_some(0.0);
        } else if strength >= 0.5 * threshold {
            self.quiet_s = self.quiet_s.map(|_| 0.0);
        }
        if self.quiet_s.is_none_or(|quiet_s| quiet_s < QUIET_S - ROUNDING_S) {
            return false;
        }
        self.quiet_s = None;
        self.pulse_age_s.take().is_some_and(|age_s| self.complete(age_s, level))
    }

    /// A tap that began `age_s` ago is complete. Returns true if it is the second one of a pair.
    fn complete(&mut self, age_s: f64, level: u8) -> bool {
        let is_second = self.first_age_s.is_some_and(|first_s| first_s - age_s <= longest_gap_s(level) + ROUNDING_S);
        self.first_age_s = if is_second { None } else { Some(age_s) };
        is_second
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        self.pulses.hash_into(hash);
        for age in [self.pulse_age_s, self.quiet_s, self.first_age_s] {
            hash.f64(age.unwrap_or(-1.0));
        }
    }
}
