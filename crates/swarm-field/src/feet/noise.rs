//! Noise of a foot's track: coloured velocity noise, integrated, bounded in speed and in distance.
//!
//! ```text
//! n' = OU(std, 0.5 s), |n| cut at 2.75 std         velocity noise
//! o' = o + (n - o / 2 s) dt                        integral with a leak
//! offset = o / sqrt(1 + |o|^2 / B^2), B = 1.2 s std     never B or more from the plan
//! ```
//!
//! The soft bound shortens every step, and the leak adds at most 0.385 B / 2 s = 0.23 std to the speed. So the offset moves by less than 3
//! std dt in a frame.

use crate::purpose;
use sim_core::{DVec2, OrnsteinUhlenbeck, RunKey, StateHash};

const CORRELATION_S: f64 = 0.5;
const CUT_STDS: f64 = 2.75;
const LEAK_S: f64 = 2.0;
const BOUND_S: f64 = 1.2;

/// Coefficients for one step length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackNoise {
    process: OrnsteinUhlenbeck,
    cut_mm_s: f64,
    bound_mm: f64,
    step_s: f64,
}

impl TrackNoise {
    /// Speed of the offset never exceeds this many standard deviations.
    pub(super) const SPEED_STDS: f64 = 3.0;

    pub(super) fn new(std_mm_s: f64, step_s: f64) -> Self {
        Self {
            process: OrnsteinUhlenbeck::new(std_mm_s, CORRELATION_S, step_s),
            cut_mm_s: CUT_STDS * std_mm_s,
            bound_mm: BOUND_S * std_mm_s,
            step_s,
        }
    }

    pub(super) fn offset_bound_mm(&self) -> f64 {
        self.bound_mm
    }
}

/// Velocity noise and its leaky integral for one foot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NoiseState {
    velocity_mm_s: DVec2,
    integral_mm: DVec2,
}

impl NoiseState {
    /// Noise at rest at a given offset from the plan.
    pub(super) fn holding(offset_mm: DVec2, noise: &TrackNoise) -> Self {
        let share =
            (offset_mm.length_squared() / (noise.bound_mm * noise.bound_mm).max(f64::MIN_POSITIVE)).min(0.999_999);
        Self { velocity_mm_s: DVec2::ZERO, integral_mm: offset_mm / (1.0 - share).sqrt() }
    }

    /// Next frame; `weight` in [0, 1] holds the track still at 0. Returns the new offset from the plan.
    pub(super) fn advance(&mut self, noise: &TrackNoise, weight: f64, key: RunKey, foot: usize, frame: u64) -> DVec2 {
        if noise.bound_mm == 0.0 {
            return DVec2::ZERO;
        }
        let draw = key.stream(purpose::FOOT_NOISE, foot as u64, frame).normal2();
        let wanted = noise.process.next2(self.velocity_mm_s, draw);
        let speed = wanted.length();
        self.velocity_mm_s = if speed > noise.cut_mm_s { wanted * (noise.cut_mm_s / speed) } else { wanted };
        let drift = self.velocity_mm_s - self.integral_mm / LEAK_S;
        self.integral_mm += drift * (weight * noise.step_s);
        self.offset_mm(noise)
    }

    pub(super) fn offset_mm(&self, noise: &TrackNoise) -> DVec2 {
        let share = self.integral_mm.length_squared() / (noise.bound_mm * noise.bound_mm).max(f64::MIN_POSITIVE);
        self.integral_mm / (1.0 + share).sqrt()
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.vec2(self.velocity_mm_s);
        hash.vec2(self.integral_mm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slack that a scenario declares rests on this: 3 standard deviations, whatever the draws.
    #[test]
    fn the_offset_is_bounded_in_speed_and_length_and_is_not_idle() {
        let (noise, key) = (TrackNoise::new(5.0, 1.0 / 60.0), RunKey { seed: 2, run_index: 0 });
        let (mut state, mut before) = (NoiseState::default(), DVec2::ZERO);
        let (mut sum2, frames) = (0.0, 200_000);
        for frame in 1..=frames {
            let offset = state.advance(&noise, 1.0, key, 0, frame);
            assert!((offset - before).length() * 60.0 <= 15.0 && offset.length() < 6.0);
            sum2 += state.velocity_mm_s.length_squared();
            before = offset;
        }
        // The cut takes a few percent of the declared 5 mm/s in each component.
        let std = f64::sqrt(0.5 * sum2 / frames as f64);
        assert!((4.6..5.0).contains(&std), "{std}");
    }

    #[test]
    fn holding_still_stays_where_it_is() {
        let (noise, key) = (TrackNoise::new(5.0, 1.0 / 60.0), RunKey { seed: 2, run_index: 0 });
        let offset = DVec2::new(3.0, -4.9);
        let mut state = NoiseState::holding(offset, &noise);
        for frame in 0..60 {
            assert!(state.advance(&noise, 0.0, key, 0, frame).distance(offset) < 1e-12);
        }
    }
}
