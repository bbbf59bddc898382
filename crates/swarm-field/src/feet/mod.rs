//! Feet that idle, move out, roam and return (spec 1.2.2, readings A11 to A15 and A23).
//!
//! A foot's path is a chain of segments, each generated ahead into a buffer of places, one per path frame (1/step_hz s):
//!
//! ```text
//! place(n) = plan(n) + offset(n)          plan: eased segments that begin and end at rest
//! line:  |plan - from| = v t_a E(t/t_a) .. v t .. , E the integral of the quintic ease          (move out, return)
//! sway:  plan = start + W shift + w (A cos phi e1 + B sin phi e2), w, W eased, e1 turning now and then   (idle, roam)
//! orbit: plan = centre + r unit(phi0 + omega t), eased in once                                       (gait `Orbit`)
//! offset: integral of a bounded coloured velocity noise with a leak, softly held below `offset_bound_mm`
//! ```
//!
//! A play rate in [0, 1] says how many path frames pass in a tick: 1 is the spec's own motion, less is a foot that waits for a
//! robot. What is in the buffer never changes, except by [`Feet::retarget`] from rest, so a filter may rely on
//! [`Feet::path_mm`] as the truth. Robots see a [`Forecast`]: the same path with a bounded error of estimation.
//!
//! Draws are addressed by (purpose, foot, segment or frame): one more foot leaves the others' walks as they were.
//! The model says nothing of legs, balance or collisions between feet.

mod forecast;
mod gait;
mod noise;
mod params;
mod segment;
mod track;

pub use forecast::Forecast;
pub use params::{Destination, FeetModel, FeetParams, FootPhase, Gait, Manner, Travel};

use forecast::EstimateError;
use sim_core::{DVec2, RunKey, StateHash};
use track::Track;

/// State of all feet: complete and hashable.
#[derive(Clone, Debug)]
pub struct Feet {
    tracks: Vec<Track>,
    errors: Vec<EstimateError>,
    tick: u64,
}

impl Feet {
    /// All feet at rest at their homes, in Idle (or at their places on the orbit).
    #[must_use]
    pub fn new(model: &FeetModel, key: RunKey) -> Self {
        let homes = gait::homes_mm(model, key);
        let tracks = homes.iter().enumerate().map(|(k, &home)| Track::new(model, key, k, home)).collect();
        let errors = (0..homes.len()).map(|k| EstimateError::new(model, key, k)).collect();
        Self { tracks, errors, tick: 0 }
    }

    /// Number of feet.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tracks.len()
    }

    /// True if nobody walks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// True place of foot `k` now.
    #[must_use]
    pub fn position_mm(&self, k: usize) -> DVec2 {
        self.tracks[k].place_mm(0.0)
    }

    /// Velocity that foot `k` had in the last tick: displacement times the tick rate, play rate included.
    #[must_use]
    pub fn velocity_mm_s(&self, k: usize) -> DVec2 {
        self.tracks[k].velocity_mm_s()
    }

    /// State of the walk that foot `k` is in now.
    #[must_use]
    pub fn phase(&self, k: usize) -> FootPhase {
        self.tracks[k].phase()
    }

    /// True place of foot `k` after `frames` more path frames, from 0 to [`Feet::path_frames`], linear between whole frames;
    /// beyond the end, the last place known.
    #[must_use]
    pub fn path_mm(&self, k: usize, frames: f64) -> DVec2 {
        self.tracks[k].place_mm(frames)
    }

    /// How many frames of path are always known ahead: the forecast and 24 more. 0 if there is no foot.
    #[must_use]
    pub fn path_frames(&self) -> usize {
        self.tracks.first().map_or(0, Track::frames_ahead)
    }

    /// Moves every foot by `rates[k]` path frames: 1 is the spec's own motion, 0 is waiting; anything outside [0, 1] is
    /// brought into it, and a rate that is missing counts as 1.
    pub fn advance(&mut self, model: &FeetModel, key: RunKey, rates: &[f64]) {
        self.tick += 1;
        for (k, track) in self.tracks.iter_mut().enumerate() {
            track.advance(model, key, k, rates.get(k).copied().unwrap_or(1.0));
            self.errors[k].advance(model, key, k, self.tick);
        }
    }

    /// Lets foot `k`, which must stand (play rate exactly 0), forget where it was going and walk from rest to a new target on the
    /// side away from `from_mm`. The noise of its track holds still for the first second.
    pub fn retarget(&mut self, k: usize, model: &FeetModel, key: RunKey, from_mm: DVec2) {
        self.tracks[k].retarget(model, key, k, from_mm);
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.tick);
        for (track, error) in self.tracks.iter().zip(&self.errors) {
            track.hash_into(hash);
            error.hash_into(hash);
        }
    }

    /// What robots may know of foot `k`: its places from now on as if it played its path at rate 1, with the error of
    /// estimation (reading A23).
    pub fn forecast(&self, k: usize, model: &FeetModel, out: &mut Forecast) {
        self.forecast_at_rate(k, model, 1.0, 0.0, out);
    }

    /// The same for a foot that played its path at `rate` in the last tick and plays it `rate_up_per_tick` faster in each to
    /// come, up to 1.
    pub fn forecast_at_rate(&self, k: usize, model: &FeetModel, rate: f64, rate_up_per_tick: f64, out: &mut Forecast) {
        forecast::fill(&self.tracks[k], &self.errors[k], model, [rate, rate_up_per_tick], out);
    }

    /// What robots may know now of foot `k` as it will be from `ticks` later on, if it plays its path at rate 1: the forecast, moved to
    /// start where the foot can be seen to be now, less its first ticks. Of as many at the far end nothing is known: there the foot
    /// goes straight on, where feet may be.
    pub fn forecast_from(&self, k: usize, model: &FeetModel, ticks: usize, out: &mut Forecast) {
        self.forecast(k, model, out);
        out.advance(ticks, self.position_mm(k), model);
    }
}
