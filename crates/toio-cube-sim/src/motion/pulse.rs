//! Pulses: a vector that grows above a threshold and shrinks again.

use sim_core::{DVec3, StateHash};

/// Longest time above half of the peak, s. A shock lasts some milliseconds and the window of 40 ms makes it that much longer; a hand
/// needs more.
const LONGEST_S: f64 = 0.065;
/// Rounding of a sum of steps.
const ROUNDING_S: f64 = 1e-9;

/// A pulse that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pulse {
    /// Time from the rise above the threshold to the fall below half of the peak.
    pub width_s: f64,
}

impl Pulse {
    /// True if it can be a shock.
    pub fn is_short(self) -> bool {
        self.width_s <= LONGEST_S + ROUNDING_S
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    #[default]
    Idle,
    Active {
        peak: DVec3,
        age_s: f64,
    },
    /// Over, but still above half of the threshold: its tail is not a pulse of its own.
    Tail,
}

/// Watches one vector for pulses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PulseGauge {
    phase: Phase,
}

impl PulseGauge {
    /// Processes the value of this step. Returns the pulse that ends with it. A swing back ends a pulse too: what counts is the part along
    /// the peak.
    pub fn step(&mut self, value: DVec3, threshold: f64, step_s: f64) -> Option<Pulse> {
        let strength = value.length();
        match self.phase {
            Phase::Idle if strength >= threshold => self.phase = Phase::Active { peak: value, age_s: 0.0 },
            Phase::Active { peak, age_s } => {
                let (along, age_s) = (value.dot(peak) / peak.length(), age_s + step_s);
                let peak = if along > peak.length() { value } else { peak };
                if along < 0.5 * peak.length() {
                    self.phase = if strength < 0.5 * threshold { Phase::Idle } else { Phase::Tail };
                    return Some(Pulse { width_s: age_s });
                }
                self.phase = Phase::Active { peak, age_s };
            }
            Phase::Tail if strength < 0.5 * threshold => self.phase = Phase::Idle,
            Phase::Idle | Phase::Tail => {}
        }
        None
    }

    /// True between pulses.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        let (number, peak, age_s) = match self.phase {
            Phase::Idle => (0, DVec3::ZERO, 0.0),
            Phase::Active { peak, age_s } => (1, peak, age_s),
            Phase::Tail => (2, DVec3::ZERO, 0.0),
        };
        hash.u64(number);
        peak.to_array().into_iter().for_each(|value| hash.f64(value));
        hash.f64(age_s);
    }
}
