//! Shake: swings of the acceleration back and forth.
//!
//! A swing begins when the acceleration, averaged over 20 ms, is at least 4 m/s² and points against the one before (by more than 120
//! degrees). Three swings that end one after the other, each within 40 to 350 ms (1.4 to 12 Hz), are a shake; its level follows the
//! middle one of their peaks, so that a single jolt does not count. It is over when no swing has ended for 350 ms.

use super::window::Window;
use sim_core::{DVec3, StateHash, ops};
use std::f64::consts::LN_10;

/// Time over which the acceleration is averaged, s.
const MEAN_S: f64 = 0.02;
/// Acceleration of level 1, m/s².
const MIN_M_S2: f64 = 4.0;
/// Shortest and longest swing, s.
const SHORTEST_S: f64 = 0.04;
const LONGEST_S: f64 = 0.35;
/// Cosine of the least angle between one swing and the next.
const AGAINST: f64 = -0.5;
/// Swings that make a shake.
const SWINGS: usize = 3;

/// Peak acceleration of a level, m/s²: level 10 is ten times level 1.
pub(super) fn least_m_s2(level: u8) -> f64 {
    MIN_M_S2 * ops::exp(LN_10 * (f64::from(level) - 1.0) / 9.0)
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShakeGauge {
    step_s: f64,
    /// Accelerations, m/s².
    recent: Window<DVec3>,
    /// Strongest acceleration of the present swing, m/s², and how long ago the swing began.
    peak_m_s2: DVec3,
    age_s: f64,
    /// Peaks of the last swings that are over, the newest last, and how many there are.
    ended_m_s2: [f64; SWINGS],
    count: usize,
}

impl ShakeGauge {
    pub fn new(step_s: f64) -> Self {
        let recent = Window::new(MEAN_S, step_s);
        Self { step_s, recent, peak_m_s2: DVec3::ZERO, age_s: 0.0, ended_m_s2: [0.0; SWINGS], count: 0 }
    }

    /// Processes the acceleration of this step, m/s².
    pub fn step(&mut self, acceleration_m_s2: DVec3) {
        self.recent.push(acceleration_m_s2);
        self.age_s += self.step_s;
        if self.age_s > LONGEST_S {
            self.count = 0;
            self.peak_m_s2 = DVec3::ZERO;
            self.age_s = 0.0;
        }
        let mean_m_s2 = self.recent.sum() / self.recent.len() as f64;
        let strength_m_s2 = mean_m_s2.length();
        if strength_m_s2 < MIN_M_S2 {
            return;
        }
        let peak = self.peak_m_s2.length();
        if peak == 0.0 {
            self.begin(mean_m_s2);
        } else if mean_m_s2.dot(self.peak_m_s2) < AGAINST * strength_m_s2 * peak {
            self.end_swing(peak);
            self.begin(mean_m_s2);
        } else if strength_m_s2 > peak {
            self.peak_m_s2 = mean_m_s2;
        }
    }

    fn begin(&mut self, acceleration_m_s2: DVec3) {
        self.peak_m_s2 = acceleration_m_s2;
        self.age_s = 0.0;
    }

    fn end_swing(&mut self, peak_m_s2: f64) {
        if self.age_s < SHORTEST_S {
            // Too quick for a hand: the ringing of a shock.
            self.count = 0;
            return;
        }
        self.ended_m_s2.rotate_left(1);
        self.ended_m_s2[SWINGS - 1] = peak_m_s2;
        self.count = (self.count + 1).min(SWINGS);
    }

    /// 0 for none, else 1 to 10.
    pub fn level(&self) -> u8 {
        if self.count < SWINGS {
            return 0;
        }
        let [a, b, c] = self.ended_m_s2;
        let middle_m_s2 = a.max(b).min(c).max(a.min(b));
        (1..=10).rev().find(|&level| middle_m_s2 >= least_m_s2(level)).unwrap_or(0)
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        for value in self.recent.iter().chain([self.peak_m_s2]).flat_map(|v| v.to_array()).chain(self.ended_m_s2) {
            hash.f64(value);
        }
        hash.f64(self.age_s);
        hash.u64(self.count as u64);
    }
}
