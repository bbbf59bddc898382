//! Forecast of a foot for robots: its path for the coming window, with a bounded error (reading A23).
//!
//! `mean(tau) = path(tau) + e_max (0.7 a + 0.3 b tau / T)`, with a and b slow random vectors of length 1 at most. They are errors of the
//! place and of the velocity. Its length never exceeds e_max. Velocities are differences of the means.

use super::params::FeetModel;
use super::track::{Track, path_speed_factor};
use crate::purpose;
use sim_core::{DVec2, RunKey, StateHash};

const PLACE_SHARE: f64 = 0.7;

/// Predicted places and velocities of one foot at whole ticks from now, 0 to `forecast_frames` (both included).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Predicted places, error of estimation included.
    pub mean_mm: Vec<DVec2>,
    /// Velocities of those places.
    pub velocity_mm_s: Vec<DVec2>,
}

impl Forecast {
    /// Place and velocity `ticks` from now, linear between whole ticks, the last known beyond the end. `None` if it is empty.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, ticks: f64) -> Option<(DVec2, DVec2)> {
        let last = self.mean_mm.len().min(self.velocity_mm_s.len()).checked_sub(1)?;
        let at = ticks.max(0.0).min(last as f64);
        let (i, share) = (at as usize, at - at.floor());
        let j = (i + 1).min(last);
        Some((self.mean_mm[i].lerp(self.mean_mm[j], share), self.velocity_mm_s[i].lerp(self.velocity_mm_s[j], share)))
    }

    /// Moves the whole forecast to start at `seen_mm`, drops its first ticks, and extends it straight on by as many at its end.
    pub(super) fn advance(&mut self, ticks: usize, seen_mm: DVec2, model: &FeetModel) {
        let Some(&start_mm) = self.mean_mm.first() else { return };
        self.mean_mm.iter_mut().for_each(|mean| *mean += seen_mm - start_mm);
        let (Some(&end_mm), Some(&end_mm_s)) = (self.mean_mm.last(), self.velocity_mm_s.last()) else { return };
        let ticks = ticks.min(self.mean_mm.len());
        self.mean_mm.drain(..ticks);
        self.velocity_mm_s.drain(..ticks);
        let tick_s = 1.0 / f64::from(model.step_hz());
        for tick in 1..=ticks {
            self.mean_mm.push(model.domain().clamp(end_mm + end_mm_s * (tick as f64 * tick_s)));
            self.velocity_mm_s.push(end_mm_s);
        }
    }
}

/// The two slow error vectors of one foot, in units of e_max; each stays in the unit disc.
#[derive(Clone, Copy, Debug)]
pub(super) struct EstimateError {
    place: DVec2,
    growth: DVec2,
}

impl EstimateError {
    pub(super) fn new(model: &FeetModel, key: RunKey, foot: usize) -> Self {
        let mut error = Self { place: DVec2::ZERO, growth: DVec2::ZERO };
        error.advance(model, key, foot, 0);
        error
    }

    pub(super) fn advance(&mut self, model: &FeetModel, key: RunKey, foot: usize, tick: u64) {
        if model.params().estimation_noise_mm == 0.0 {
            return;
        }
        let mut stream = key.stream(purpose::FOOT_ESTIMATE, foot as u64, tick);
        self.place = model.estimate.next2(self.place, stream.normal2()).clamp_length_max(1.0);
        self.growth = model.estimate.next2(self.growth, stream.normal2()).clamp_length_max(1.0);
    }

    /// Error at `share` of the window ahead.
    fn at_mm(&self, share: f64, bound_mm: f64) -> DVec2 {
        (self.place * PLACE_SHARE + self.growth * ((1.0 - PLACE_SHARE) * share)) * bound_mm
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.vec2(self.place);
        hash.vec2(self.growth);
    }
}

/// Fills `out` for a foot with a path speed factor of `rate` in the last tick, which climbs by `up` in each tick to come.
pub(super) fn fill(track: &Track, error: &EstimateError, model: &FeetModel, [rate, up]: [f64; 2], out: &mut Forecast) {
    let last = model.forecast_frames();
    let hz = f64::from(model.step_hz());
    let (mut frames, mut rate) = (0.0, path_speed_factor(rate));
    let bound_mm = model.params().estimation_noise_mm;
    out.mean_mm.clear();
    // One tick more than the forecast, for the velocity at its end.
    out.mean_mm.extend((0..=last + 1).map(|tick| {
        let share = tick.min(last) as f64 / last.max(1) as f64;
        let mean_mm = track.place_mm(frames) + error.at_mm(share, bound_mm);
        rate = (rate + up).min(1.0);
        frames += rate;
        mean_mm
    }));
    out.velocity_mm_s.clear();
    out.velocity_mm_s.push((out.mean_mm[1] - out.mean_mm[0]) * hz);
    out.velocity_mm_s.extend(out.mean_mm.windows(3).map(|around| (around[2] - around[0]) * (0.5 * hz)));
    out.mean_mm.truncate(last + 1);
}
