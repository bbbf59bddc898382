//! One foot: its buffer of places to come, how far it is in it, and the walker or the point from outside that fills the far end.

use super::follow::{self, Guide};
use super::gait::{Step, Walker};
use super::noise::NoiseState;
use super::params::{FeetModel, FootPhase};
use crate::ease::quintic;
use sim_core::{DVec2, RunKey, StateHash};

/// After a new start the noise holds still for this long, then comes back within as long again.
const NOISE_HOLD_S: f64 = 1.0;

/// A rate brought into [0, 1]; what is not a number stands still.
pub(super) fn path_speed_factor(rate: f64) -> f64 {
    if rate > 0.0 { rate.min(1.0) } else { 0.0 }
}

/// Frames of a followed path that a new point leaves as they are, counted from the last place passed: the frames that are promised, and one
/// for a foot that is between two places.
fn kept_frames(model: &FeetModel) -> usize {
    model.committed_frames() + 1
}

/// One place of the path.
#[derive(Clone, Copy, Debug)]
struct PathFrame {
    plan_mm: DVec2,
    offset_mm: DVec2,
    phase: FootPhase,
}

impl PathFrame {
    fn place_mm(&self) -> DVec2 {
        self.plan_mm + self.offset_mm
    }
}

/// Path, progress and walker of one foot.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Ring of places; `head` is the last one passed.
    ring: Vec<PathFrame>,
    head: usize,
    /// Share of the way from the head to the place after it, in [0, 1).
    fraction: f64,
    velocity_mm_s: DVec2,
    home_mm: DVec2,
    step: Step,
    /// Frames of `step` that are in the ring or passed.
    step_frame: u64,
    /// Segments begun so far: address of their draws.
    segments: u64,
    noise: NoiseState,
    /// Frames generated so far: address of their noise.
    frames: u64,
    /// Frame from which the noise holds still, if it ever does.
    held_from: Option<u64>,
    guide: Guide,
}

impl Track {
    pub(super) fn new(model: &FeetModel, key: RunKey, foot: usize, home_mm: DVec2) -> Self {
        let (start_mm, step) = Walker { model, key, foot, home_mm }.first();
        let here = PathFrame { plan_mm: start_mm, offset_mm: DVec2::ZERO, phase: step.phase };
        let mut track = Self {
            ring: vec![here; model.forecast_frames() + model.frames_beyond_forecast() + 2],
            head: 0,
            fraction: 0.0,
            velocity_mm_s: DVec2::ZERO,
            home_mm,
            step,
            step_frame: 0,
            segments: 1,
            noise: NoiseState::default(),
            frames: 0,
            held_from: None,
            guide: Guide::OwnWalk,
        };
        track.fill(model, key, foot, here);
        track
    }

    /// Whole frames that [`Track::place_mm`] can look ahead.
    pub(super) fn frames_ahead(&self) -> usize {
        self.ring.len() - 2
    }

    pub(super) fn velocity_mm_s(&self) -> DVec2 {
        self.velocity_mm_s
    }

    pub(super) fn phase(&self) -> FootPhase {
        self.ring[self.head].phase
    }

    #[inline(always)]
    pub(super) fn place_mm(&self, frames: f64) -> DVec2 {
        let (plan, offset) = self.split_mm(frames);
        plan + offset
    }

    #[inline]
    fn split_mm(&self, frames: f64) -> (DVec2, DVec2) {
        let at = (self.fraction + frames.max(0.0)).min((self.ring.len() - 1) as f64);
        // A conversion to 32 bits is quicker.
        let whole = at as u32 as usize;
        let share = at - whole as f64;
        let a = self.frame(whole);
        if share == 0.0 {
            return (a.plan_mm, a.offset_mm);
        }
        let b = self.frame(whole + 1);
        (a.plan_mm.lerp(b.plan_mm, share), a.offset_mm.lerp(b.offset_mm, share))
    }

    fn frame(&self, ahead: usize) -> &PathFrame {
        &self.ring[self.index(ahead)]
    }

    #[inline]
    fn index(&self, ahead: usize) -> usize {
        let i = self.head + ahead;
        if i < self.ring.len() { i } else { i - self.ring.len() }
    }

    pub(super) fn advance(&mut self, model: &FeetModel, key: RunKey, foot: usize, rate: f64) {
        let before = self.place_mm(0.0);
        self.fraction += path_speed_factor(rate);
        if self.fraction >= 1.0 {
            self.fraction -= 1.0;
            let farthest = self.head;
            self.head = self.index(1);
            if self.guide == Guide::OwnWalk {
                self.ring[farthest] = self.generate(model, key, foot);
            } else {
                self.follow_on(model);
            }
        }
        self.velocity_mm_s = (self.place_mm(0.0) - before) * f64::from(model.step_hz());
    }

    /// Follows a point from outside, `None` to come to rest; what is not finite counts as none.
    pub(super) fn follow(&mut self, model: &FeetModel, target_mm: Option<DVec2>) {
        let walks = self.guide == Guide::OwnWalk;
        self.guide = match target_mm.filter(|target| target.is_finite()) {
            Some(target_mm) => Guide::Point(model.domain().clamp(target_mm)),
            None if walks => return,
            None => Guide::Rest,
        };
        if walks {
            self.go_straight_on(model);
        }
    }

    /// Commits one more place of a followed path.
    fn follow_on(&mut self, model: &FeetModel) {
        let target_mm = if let Guide::Point(target_mm) = self.guide { Some(target_mm) } else { None };
        let kept = kept_frames(model);
        let [before, here] = [self.frame(kept - 2), self.frame(kept - 1)].map(PathFrame::place_mm);
        let plan_mm = follow::next_place_mm(model, target_mm, [before, here]);
        let phase = if plan_mm == here { FootPhase::Idle } else { FootPhase::Roam };
        let last = self.index(kept);
        self.ring[last] = PathFrame { plan_mm, offset_mm: DVec2::ZERO, phase };
        self.go_straight_on(model);
    }

    /// Fills the path behind the committed places: straight on at the last velocity, as far as feet may go.
    fn go_straight_on(&mut self, model: &FeetModel) {
        let kept = kept_frames(model);
        let last = *self.frame(kept);
        let step_mm = last.place_mm() - self.frame(kept - 1).place_mm();
        for ahead in 1..self.ring.len() - kept {
            let plan_mm = model.domain().clamp(last.place_mm() + step_mm * ahead as f64);
            let i = self.index(kept + ahead);
            self.ring[i] = PathFrame { plan_mm, offset_mm: DVec2::ZERO, phase: last.phase };
        }
    }

    pub(super) fn retarget(&mut self, model: &FeetModel, key: RunKey, foot: usize, from_mm: DVec2) {
        if self.guide != Guide::OwnWalk {
            return;
        }
        let (plan_mm, offset_mm) = self.split_mm(0.0);
        let walker = Walker { model, key, foot, home_mm: self.home_mm };
        self.step = walker.away(self.phase(), plan_mm, from_mm, self.segments);
        self.segments += 1;
        self.step_frame = 0;
        self.noise = NoiseState::holding(offset_mm, &model.noise);
        self.held_from = Some(self.frames);
        self.fraction = 0.0;
        self.head = 0;
        let here = PathFrame { plan_mm, offset_mm, phase: self.step.phase };
        self.fill(model, key, foot, here);
    }

    /// Fills the whole ring behind `here`.
    fn fill(&mut self, model: &FeetModel, key: RunKey, foot: usize, here: PathFrame) {
        self.ring[0] = here;
        for i in 1..self.ring.len() {
            self.ring[i] = self.generate(model, key, foot);
        }
    }

    /// The next place at the far end of the path.
    fn generate(&mut self, model: &FeetModel, key: RunKey, foot: usize) -> PathFrame {
        if self.step_frame >= self.step.segment.frames() {
            let at_mm = self.step.segment.place_mm(self.step_frame);
            self.step = Walker { model, key, foot, home_mm: self.home_mm }.after(&self.step, at_mm, self.segments);
            self.segments += 1;
            self.step_frame = 0;
        }
        self.step_frame += 1;
        self.frames += 1;
        let held_s = |from: u64| (self.frames - from) as f64 / f64::from(model.step_hz());
        let weight = self.held_from.map_or(1.0, |from| quintic((held_s(from) - NOISE_HOLD_S) / NOISE_HOLD_S));
        PathFrame {
            plan_mm: self.step.segment.place_mm(self.step_frame),
            offset_mm: self.noise.advance(&model.noise, weight, key, foot, self.frames),
            phase: self.step.phase,
        }
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        for ahead in 0..self.ring.len() {
            let frame = self.frame(ahead);
            hash.vec2(frame.plan_mm);
            hash.vec2(frame.offset_mm);
            hash.u64(frame.phase as u64);
        }
        hash.f64(self.fraction);
        hash.vec2(self.velocity_mm_s);
        hash.vec2(self.home_mm);
        self.step.segment.hash_into(hash);
        hash.vec2(self.step.onward_mm.unwrap_or(DVec2::splat(-1.0)));
        for v in [self.step_frame, self.segments, self.frames, self.held_from.map_or(0, |f| f + 1)] {
            hash.u64(v);
        }
        self.noise.hash_into(hash);
        self.guide.hash_into(hash);
    }
}
