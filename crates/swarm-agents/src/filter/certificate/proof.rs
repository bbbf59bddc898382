//! The guarantee, and the distances that it needs.
//!
//! # Definitions
//! A set holds a trajectory per robot and a speed profile per foot that may wait. It is *mutually clear* if in every coming frame all pairs
//! of robots keep `d_r_mm`, and all robots keep `d_h_mm` to all feet. Places are compared at equal times, so convoys are possible. The box
//! needs no comparison: every step of a trajectory is made by [`crate::drive`], and none of its steps leads out.
//!
//! # Theorem
//! Invariant: the stored set is mutually clear and starts at the present places.
//!
//! 1. At the start all robots and feet rest at clear places: the set that stays there is clear.
//! 2. A renewal ends with a clear set. It starts from proposals and raises one robot of each conflict to a more cautious level, at last to
//!    its stored trajectory. A foot in the way slows, at last by its stored profile. Levels only rise, so the search ends. The top level of
//!    all is the stored set, which is clear. Raised robots then try again one by one: replacing one trajectory by another that is clear of
//!    all others keeps the set clear.
//!    Two robots are compared if they can meet: both have a reach, the stored trajectory lies within it, and no proposal beyond is taken.
//! 3. The remainder of a clear set after one executed frame is clear.
//!
//! Nothing is assumed of the proposals. With stubborn feet the same holds between robots and at the walls; feet never slow there, so the
//! planner alone keeps the distance to them.
//!
//! # Assumptions
//! The foot's own path is known for its braking length, because the simulator makes it. Trajectories are executed as stored, and the
//! horizon covers the longest stop.
//!
//! # Between frames
//! A pair at distance `D'` in two successive frames that moves by at most `s` in between dips to no less than `sqrt(D'^2 - (s/2)^2)`. A
//! robot and a foot keep such a `D'` in every frame. Two robots may be nearer in a frame: then their smallest distance on the straight way
//! from frame to frame counts. Most pairs that pass slowly need no more than `d_r_mm`.

use super::foot_rates::profile_frames;
use super::levels::follow_ticks;
use crate::filter::model::FilterModel;
use crate::filter::trajectories::PairClearance;

/// Distance beyond `d_r_mm` that two robots keep on the way between frames, so that rounding breaks nothing, mm.
const SWEPT_SLACK_MM: f64 = 0.01;

/// Distances in every frame with which `d_r_mm` and `d_h_mm` are kept between frames, too.
#[derive(Clone, Copy, Debug)]
pub(in crate::filter) struct ClearDistances {
    pub(in crate::filter) pair_mm: f64,
    pub(in crate::filter) foot_mm: f64,
    pair_swept_mm: f64,
}

impl ClearDistances {
    pub(in crate::filter) fn new(model: &FilterModel) -> Self {
        let swarm = &model.swarm;
        let step_mm = swarm.limits.v_max_mm_s * swarm.step_s;
        let foot_step_mm = step_mm + model.foot_speed_max_mm_s * swarm.step_s;
        let (d_r, d_h) = (swarm.clearances.d_r_mm, swarm.clearances.d_h_mm);
        Self {
            pair_mm: (d_r * d_r + step_mm * step_mm).sqrt(),
            foot_mm: (d_h * d_h + 0.25 * foot_step_mm * foot_step_mm).sqrt(),
            pair_swept_mm: d_r + SWEPT_SLACK_MM,
        }
    }

    /// What two trajectories keep.
    pub(super) fn pair(&self) -> PairClearance {
        PairClearance { frames_mm: self.pair_mm, swept_mm: self.pair_swept_mm }
    }
}

/// Frames after which every robot rests: the longest following of a plan and a stop from full speed.
pub(super) fn moving_frames(model: &FilterModel) -> usize {
    let swarm = &model.swarm;
    let stop = (swarm.limits.v_max_mm_s / (swarm.limits.a_max_mm_s2 * swarm.step_s)).ceil() as usize + 1;
    follow_ticks(model, 0) + stop
}

/// Frames of a trajectory: no fewer than a speed profile has.
pub(super) fn horizon(model: &FilterModel) -> usize {
    moving_frames(model).max(profile_frames(model) + 1)
}
