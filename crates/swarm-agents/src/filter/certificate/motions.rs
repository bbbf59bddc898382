//! Motions of one robot: the way back to its band, braking to a stop, bounds on a step of its own.

use super::projection::FOOT_GAP_MM;
use crate::SwarmModel;
use crate::drive::{self, State, stoppable_mm_s};
use crate::filter::planner::band::Plan;
use crate::filter::trajectories::Trajectories;
use sim_core::DVec2;

/// Share of the acceleration limit that bounds on a coming velocity count on for stopping.
pub(super) const BRAKE_SHARE: f64 = 0.8;

/// Velocity of the coming frame on the way back to the band, mm/s, from a place and a velocity, mm and mm/s. It comes from the constant
/// acceleration `a` that meets it in `n` frames, which move a robot by `n v dt + a dt^2 n (n + 1) / 2`. They last from knot to knot: in
/// half of that a robot follows every tremble of the band, at four times the jerk; more make a smoother path that cuts corners.
#[inline(always)]
pub(super) fn track(
    swarm: &SwarmModel,
    plan: &Plan,
    i: usize,
    frame: usize,
    (place_mm, velocity_mm_s): (DVec2, DVec2),
) -> DVec2 {
    let n = plan.knot_ticks() as f64;
    let target = plan.place_mm(i, frame + plan.knot_ticks());
    let off = target - place_mm - velocity_mm_s * (n * swarm.step_s);
    velocity_mm_s + off * (2.0 / (n * (n + 1.0) * swarm.step_s))
}

/// Writes the frames from `from` on: braking as hard as the drive may.
pub(super) fn brake(swarm: &SwarmModel, trajectories: &mut Trajectories, i: usize, from: usize, last: &State) {
    if let Some(places_mm) = drive::straight_stop_mm(swarm, last) {
        let mut frame = from;
        for place_mm in places_mm.take(trajectories.horizon() - from) {
            trajectories.set(i, frame, place_mm, last.ahead);
            frame += 1;
        }
        trajectories.rest_from(i, frame - 1);
        return;
    }
    let mut state = *last;
    for frame in from..trajectories.horizon() {
        state = drive::braked(swarm, &state);
        if state.velocity_mm_s == DVec2::ZERO {
            trajectories.rest_from(i, frame - 1);
            return;
        }
        trajectories.set(i, frame, state.position_mm, state.ahead);
    }
}

/// A body to keep a distance from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    /// Its place in the coming tick, mm.
    pub(super) next_mm: DVec2,
    /// Distance to keep, mm.
    pub(super) distance_mm: f64,
}

/// A bound on a velocity: no less than `min_mm_s` along the unit vector `away`.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    pub(super) away: DVec2,
    pub(super) min_mm_s: f64,
}

impl HalfPlane {
    /// What a velocity lacks to the bound, mm/s; none if it keeps it.
    #[inline]
    pub(super) fn lack_mm_s(&self, velocity_mm_s: DVec2) -> Option<f64> {
        let lack = self.min_mm_s - velocity_mm_s.dot(self.away);
        (lack > 0.0).then_some(lack)
    }

    /// True if a velocity that differs from `velocity_mm_s` by up to `change_mm_s` can break the bound.
    #[inline]
    pub(super) fn can_bind(&self, velocity_mm_s: DVec2, change_mm_s: f64) -> bool {
        velocity_mm_s.dot(self.away) - change_mm_s < self.min_mm_s
    }
}

impl Obstacle {
    /// The bound on the closing speed of a robot at `place_mm`: what `a_mm_s2` can stop in the gap. None from far away.
    pub(super) fn bound(&self, swarm: &SwarmModel, place_mm: DVec2, a_mm_s2: f64) -> Option<HalfPlane> {
        let d = place_mm - self.next_mm;
        let d2 = d.length_squared();
        let far = self.distance_mm + FOOT_GAP_MM;
        if d2 > far * far || d2 == 0.0 {
            return None;
        }
        let length = d2.sqrt();
        let stoppable = stoppable_mm_s(length - self.distance_mm - 0.02, a_mm_s2, swarm.step_s);
        Some(HalfPlane { away: d / length, min_mm_s: ((self.distance_mm - length) / swarm.step_s).max(-stoppable) })
    }
}
