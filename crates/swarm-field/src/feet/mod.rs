//! Feet that idle, move out, roam and return (spec 1.2.2, readings A11 to A15 and A23).
//!
//! A foot's path is a chain of segments, each generated ahead into a buffer of places, one per path frame (1/step_hz s):
//!
//! ```text
//! place(n) = plan(n) + offset(n)          plan: eased segments that begin and end at rest
//! line:  |plan - from| = v t_a E(t/t_a) .. v t .. , E the integral of the quintic ease          (move out, return)
//! sway:  plan = start + W shift + w (A cos phi e1 + B sin phi e2), w, W eased, e1 turning at times   (idle, roam)
//! orbit: plan = centre + r unit(phi0 + omega t), eased in once                                       (gait `Orbit`)
//! offset: integral of a bounded coloured velocity noise with a leak, softly held below `offset_bound_mm`
//! ```
//!
//! A foot may follow points that come from outside instead ([`Feet::follow`]); of such a path only the next places are known.
//!
//! The path speed factor, 0 to 1, is the number of path frames in a tick. 1 is the spec's own motion, less is a foot that waits for a
//! robot. The buffer of a walk never changes, except by [`Feet::retarget`] from rest, so a filter may rely on [`Feet::path_mm`] as the
//! truth. Robots receive a [`Forecast`]: the same path with a bounded error of estimation.
//!
//! Draws are addressed by (purpose, foot, segment or frame): one more foot leaves the others' walks as they were.
//! Legs, balance and collisions between feet are outside the model.

mod follow;
mod forecast;
mod gait;
mod noise;
mod params;
mod recording;
mod routes;
mod segment;
mod track;

pub use forecast::Forecast;
pub(crate) use params::FORECAST_S;
pub use params::{Destination, FeetModel, FeetParams, FootPhase, Gait, Manner};
pub use recording::{RecordedPlace, SMOOTHING_S};

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

    /// True if there is no foot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// True place of foot `k` now.
    #[must_use]
    pub fn position_mm(&self, k: usize) -> DVec2 {
        self.tracks[k].place_mm(0.0)
    }

    /// Velocity of foot `k` in the last tick, mm/s: displacement times the tick rate, path speed factor included.
    #[must_use]
    pub fn velocity_mm_s(&self, k: usize) -> DVec2 {
        self.tracks[k].velocity_mm_s()
    }

    /// Present phase of the walk of foot `k`.
    #[must_use]
    pub fn phase(&self, k: usize) -> FootPhase {
        self.tracks[k].phase()
    }

    /// True place of foot `k` after `frames` more path frames, from 0 to [`Feet::path_frames`], linear between whole frames;
    /// beyond the end, the last place known. For a foot that follows a point, true up to [`FeetModel::committed_frames`].
    #[must_use]
    pub fn path_mm(&self, k: usize, frames: f64) -> DVec2 {
        self.tracks[k].place_mm(frames)
    }

    /// Number of path frames that are always known ahead: the forecast and 0.4 s more. 0 if there is no foot.
    #[must_use]
    pub fn path_frames(&self) -> usize {
        self.tracks.first().map_or(0, Track::frames_ahead)
    }

    /// Moves every foot by `path_speed_factors[k]` path frames: 1 is the spec's own motion, 0 is waiting. Factors are clamped to [0, 1]; a
    /// missing one counts as 1.
    pub fn advance(&mut self, model: &FeetModel, key: RunKey, path_speed_factors: &[f64]) {
        self.tick += 1;
        for (k, track) in self.tracks.iter_mut().enumerate() {
            track.advance(model, key, k, path_speed_factors.get(k).copied().unwrap_or(1.0));
            self.errors[k].advance(model, key, k, self.tick);
        }
    }

    /// Gives foot `k`, which must stand (path speed factor exactly 0), a new target on the side away from `from_mm`; it walks there from
    /// rest. The noise of its track holds still for the first second. A foot that follows a point keeps it.
    pub fn retarget(&mut self, k: usize, model: &FeetModel, key: RunKey, from_mm: DVec2) {
        self.tracks[k].retarget(model, key, k, from_mm);
    }

    /// Lets foot `k` follow a point from now on, mm, clamped to [`FeetModel::domain`]. It goes on from its present motion and stops on the
    /// point. Limits: [`FeetModel::speed_bound_mm_s`] and [`FeetModel::follow_acceleration_mm_s2`]; near a border its own walk may leave it
    /// a sharper stop to finish.
    ///
    /// `None`, or a point that is not finite, brings it to rest, where it stays: its own walk is not resumed. A foot that was never given a
    /// point is not affected. The next [`FeetModel::committed_frames`] frames of its path stay as they are. What comes after them is not
    /// known yet: there [`Feet::path_mm`] and the forecasts go straight on. Its phase is Roam while it moves, Idle at rest.
    pub fn follow(&mut self, k: usize, model: &FeetModel, target_mm: Option<DVec2>) {
        self.tracks[k].follow(model, target_mm);
    }

    /// Lets all feet follow their recording, if there is one, so that they are where it has them a moment after `time_s`, s: the frames
    /// that a new point leaves as they are, and the distance in which a foot of that speed stops, are reckoned with.
    pub fn follow_recording(&mut self, model: &FeetModel, time_s: f64) {
        for (k, track) in self.tracks.iter_mut().enumerate() {
            if let Some(target_mm) = model.recorded_target_mm(k, time_s) {
                track.follow(model, Some(target_mm));
            }
        }
    }

    /// Adds the complete state to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.tick);
        for (track, error) in self.tracks.iter().zip(&self.errors) {
            track.hash_into(hash);
            error.hash_into(hash);
        }
    }

    /// Forecast of foot `k` for robots: its places from now on at a path speed factor of 1, with the error of estimation (reading A23).
    pub fn forecast(&self, k: usize, model: &FeetModel, out: &mut Forecast) {
        self.forecast_at_rate(k, model, 1.0, 0.0, out);
    }

    /// The same for a foot with a path speed factor of `rate` in the last tick. It grows by `rate_up_per_tick` in each tick to come, up to
    /// 1.
    pub fn forecast_at_rate(&self, k: usize, model: &FeetModel, rate: f64, rate_up_per_tick: f64, out: &mut Forecast) {
        forecast::fill(&self.tracks[k], &self.errors[k], model, [rate, rate_up_per_tick], out);
    }

    /// Forecast of foot `k` for robots that starts `ticks` later, at a path speed factor of 1. It is the forecast moved to start at the
    /// present place of the foot, less its first ticks. Its last ticks are unknown: there the foot goes straight on, where feet may be.
    pub fn forecast_from(&self, k: usize, model: &FeetModel, ticks: usize, out: &mut Forecast) {
        self.forecast(k, model, out);
        out.advance(ticks, self.position_mm(k), model);
    }
}
