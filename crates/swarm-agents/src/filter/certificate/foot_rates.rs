//! Speed profiles of the feet: how a foot that may wait moves along its path in the coming ticks.
//!
//! A path speed factor of 1 moves a foot by one frame of its path in a tick, 0 lets it stand. A profile falls to 0 at its end, as a
//! trajectory ends at rest.

use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use sim_core::{DVec2, StateHash};
use swarm_field::Manner;

/// Change of a path speed factor in a sixtieth of a second when a foot speeds up.
const RATE_UP: f64 = 0.05;
/// The same when it brakes. With quicker braking feet come closer and jam more.
const RATE_DOWN: f64 = 0.1;
/// The same when it slows only a little.
const RATE_EASE: f64 = 0.03;
/// Level of caution at which a foot keeps its stored profile.
pub(super) const FOOT_STORED: u8 = 3;
/// Path speed factor below which a foot counts as held up.
const SLOW_RATE: f64 = 0.2;
/// Time for which a foot is held up before it gives its target up, s.
const PATIENCE_S: f64 = 1.0;

/// Frames of a profile: after them a foot that sped up for a whole period has come to rest.
pub(super) fn profile_frames(model: &FilterModel) -> usize {
    (1.0 / (RATE_DOWN * model.sixtieths())).ceil() as usize + model.knot_ticks
}

/// The stored profiles of all feet.
#[derive(Clone, Debug, Default)]
pub(super) struct FootRates {
    /// Frames of a profile.
    frames: usize,
    /// Path speed factor of foot `k` in the tick after frame `m`, at `k * frames + m`.
    profiles: Vec<f64>,
    /// Path speed factor of each foot in the last tick.
    last: Vec<f64>,
    /// Ticks for which each foot has been held up.
    slow_ticks: Vec<u32>,
}

impl FootRates {
    /// Number of feet.
    pub(super) fn len(&self) -> usize {
        self.last.len()
    }

    /// Path speed factors in the last tick.
    pub(super) fn last(&self) -> &[f64] {
        &self.last
    }

    /// Sets all profiles to the factor of the first tick.
    pub(super) fn start(&mut self, model: &FilterModel, feet: usize) {
        let factor = model.initial_path_speed_factor();
        self.frames = profile_frames(model);
        self.profiles.clear();
        self.profiles.resize(feet * self.frames, factor);
        self.last.clear();
        self.last.resize(feet, factor);
        self.slow_ticks.clear();
        self.slow_ticks.resize(feet, 0);
    }

    /// Drops the first `frames` frames of all profiles; the feet stand at the end.
    pub(super) fn shift(&mut self, frames: usize) {
        for rates in self.profiles.chunks_exact_mut(self.frames) {
            rates.copy_within(frames.., 0);
            let left = rates.len() - frames;
            rates[left..].fill(0.0);
        }
    }

    /// Replaces the profiles.
    pub(super) fn store(&mut self, proposals: &FootProposals) {
        self.profiles.clone_from(&proposals.rates);
    }

    fn profile(&self, k: usize) -> &[f64] {
        &self.profiles[k * self.frames..(k + 1) * self.frames]
    }

    /// Executes frame `frame` of the profile of foot `k`: returns its path speed factor.
    pub(super) fn execute(&mut self, k: usize, frame: usize) -> f64 {
        let factor = self.profile(k)[frame.min(self.frames - 1)];
        self.last[k] = factor;
        self.slow_ticks[k] = if factor < SLOW_RATE { self.slow_ticks[k] + 1 } else { 0 };
        factor
    }

    /// True if foot `k` has been held up for so long that it gives its target up. It comes to rest first.
    pub(super) fn gives_up(&self, model: &FilterModel, k: usize) -> bool {
        f64::from(self.slow_ticks[k]) * model.swarm.step_s >= PATIENCE_S
    }

    /// True if foot `k` has given its target up and stands, now and in the rest of its profile. Its patience starts again then.
    pub(super) fn takes_other_target(&mut self, model: &FilterModel, k: usize) -> bool {
        let stands = self.last[k] == 0.0 && self.profile(k).iter().all(|&rate| rate == 0.0);
        let turns = stands && self.gives_up(model, k);
        if turns {
            self.slow_ticks[k] = 0;
        }
        turns
    }

    /// Adds the profiles to a state hash.
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.profiles.iter().chain(&self.last).for_each(|&r| hash.f64(r));
        self.slow_ticks.iter().for_each(|&t| hash.u64(u64::from(t)));
    }
}

/// The profiles that a search proposes.
#[derive(Clone, Debug, Default)]
pub(super) struct FootProposals {
    /// Level of caution of each foot, up to [`FOOT_STORED`].
    pub(super) level: Vec<u8>,
    /// Feet that have to slow before the set can be clear.
    pub(super) slowing: Vec<bool>,
    /// Place of foot `k` in frame `m`, at `k * horizon + m`.
    place_mm: Vec<DVec2>,
    /// Path speed factor of foot `k` in the tick after frame `m`, at `k * profile_frames + m`.
    rates: Vec<f64>,
    horizon: usize,
}

impl FootProposals {
    /// Starts a search: feet that give their target up keep their stored profile, all others propose to speed up.
    pub(super) fn start(&mut self, model: &FilterModel, kept: &FootRates, horizon: usize) {
        let feet = kept.len();
        let level = |k| if model.manner == Manner::Considerate && kept.gives_up(model, k) { FOOT_STORED } else { 0 };
        self.level.clear();
        self.level.extend((0..feet).map(level));
        self.slowing.resize(feet, false);
        self.place_mm.resize(feet * horizon, DVec2::ZERO);
        self.rates.resize(feet * kept.frames, 0.0);
        self.horizon = horizon;
    }

    /// Places of foot `k` in all frames, mm.
    #[inline]
    pub(super) fn places_mm(&self, k: usize) -> &[DVec2] {
        &self.place_mm[k * self.horizon..(k + 1) * self.horizon]
    }

    /// Computes profile and places of a foot at its present level. 0 proposes to speed up, 1 to keep the present factor, 2 to slow a
    /// little, [`FOOT_STORED`] is stored.
    pub(super) fn place(&mut self, model: &FilterModel, input: &FilterInput<'_>, kept: &FootRates, k: usize) {
        let (frames, sixtieths) = (kept.frames, model.sixtieths());
        let mut rate = kept.last[k];
        let mut phase = 0.0;
        for m in 0..self.horizon {
            self.place_mm[k * self.horizon + m] = input.foot_mm(k, phase);
            let rising = (m as u64) < model.period();
            rate = match (model.manner, self.level[k]) {
                (Manner::Stubborn, _) => 1.0,
                (_, FOOT_STORED) => kept.profile(k).get(m).copied().unwrap_or(0.0),
                (_, 0) if rising => (rate + RATE_UP * sixtieths).min(1.0),
                (_, 1) if rising => rate,
                (_, 2) if rising => (rate - RATE_EASE * sixtieths).max(0.0),
                _ => (rate - RATE_DOWN * sixtieths).max(0.0),
            };
            if m < frames {
                self.rates[k * frames + m] = rate;
            }
            phase += rate;
        }
    }
}
