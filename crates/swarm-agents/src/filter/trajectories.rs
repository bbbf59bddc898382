//! Short trajectories of all robots, place by place, each ending at rest.

use crate::Drive;
use crate::swept::swept_mm2;
use sim_core::{DVec2, StateHash};

/// Places, and headings of differential drives, of each robot in the coming ticks; after the last one the robot stays where it is. The
/// heading of a point plays no part in safety and follows its motion.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    horizon: usize,
    /// Place of robot `i` in frame `j`, at `i * horizon + j`; frame 0 is the tick being decided.
    place_mm: Vec<DVec2>,
    /// Headings at the same numbers, as unit vectors; empty for points.
    ahead: Vec<DVec2>,
    /// Frame from which each robot rests: all later places and headings are those of this frame.
    rest: Vec<usize>,
    /// Farthest place of each trajectory from a common reference (the robot's present place), mm.
    reach_mm: Vec<f64>,
}

impl Trajectories {
    /// Sizes the set: `robots` trajectories of `horizon` frames.
    pub fn resize(&mut self, drive: Drive, robots: usize, horizon: usize) {
        self.horizon = horizon;
        self.place_mm.resize(robots * horizon, DVec2::ZERO);
        self.ahead.resize(if drive == Drive::Differential { robots * horizon } else { 0 }, DVec2::X);
        self.rest.resize(robots, 0);
        self.reach_mm.resize(robots, 0.0);
    }

    /// Number of frames.
    #[must_use]
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// Number of trajectories.
    #[must_use]
    pub fn len(&self) -> usize {
        self.reach_mm.len()
    }

    /// True if there is no trajectory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reach_mm.is_empty()
    }

    /// Places of robot `i`.
    #[inline]
    #[must_use]
    pub fn places_mm(&self, i: usize) -> &[DVec2] {
        &self.place_mm[i * self.horizon..(i + 1) * self.horizon]
    }

    /// Places of robot `i` up to the frame in which it comes to rest.
    #[inline]
    #[must_use]
    pub fn moving_mm(&self, i: usize) -> &[DVec2] {
        &self.places_mm(i)[..=self.rest[i]]
    }

    /// Heading of robot `i` in frame `j` as a unit vector; for a point any.
    #[must_use]
    pub fn ahead(&self, i: usize, j: usize) -> DVec2 {
        self.ahead.get(i * self.horizon + j).copied().unwrap_or(DVec2::X)
    }

    /// Sets frame `j` of robot `i`, the heading as a unit vector. That of a point is dropped. What comes after counts as motion up to
    /// [`Self::rest_from`].
    #[inline]
    pub fn set(&mut self, i: usize, j: usize, place_mm: DVec2, ahead: DVec2) {
        self.place_mm[i * self.horizon + j] = place_mm;
        self.rest[i] = self.horizon - 1;
        if let Some(heading) = self.ahead.get_mut(i * self.horizon + j) {
            *heading = ahead;
        }
    }

    /// Robot `i` stays where frame `from` left it.
    #[inline(always)]
    pub fn rest_from(&mut self, i: usize, from: usize) {
        let (first, end) = (i * self.horizon + from, (i + 1) * self.horizon);
        let place_mm = self.place_mm[first];
        self.place_mm[first..end].fill(place_mm);
        self.rest[i] = from;
        if let Some(headings) = self.ahead.get_mut(first..end) {
            headings.fill(headings[0]);
        }
    }

    /// Recomputes the farthest distance of robot `i` from `origin_mm`.
    #[inline]
    pub fn measure_reach(&mut self, i: usize, origin_mm: DVec2) {
        let farthest2 = self.moving_mm(i).iter().fold(0.0_f64, |far, p| far.max(p.distance_squared(origin_mm)));
        self.reach_mm[i] = farthest2.sqrt();
    }

    /// Farthest distance of robot `i` from the origin given to [`Self::measure_reach`], mm.
    #[inline]
    #[must_use]
    pub fn reach_mm(&self, i: usize) -> f64 {
        self.reach_mm[i]
    }

    /// Copies trajectory `i` of another set, its reach included.
    pub fn copy(&mut self, i: usize, from: &Self) {
        let range = i * self.horizon..(i + 1) * self.horizon;
        self.place_mm[range.clone()].copy_from_slice(&from.place_mm[range.clone()]);
        if let Some(headings) = self.ahead.get_mut(range.clone()) {
            headings.copy_from_slice(&from.ahead[range]);
        }
        self.rest[i] = from.rest[i];
        self.reach_mm[i] = from.reach_mm[i];
    }

    /// Drops the first `frames` frames of all trajectories; the robots stay at rest at the end.
    pub fn shift(&mut self, frames: usize) {
        for (i, rest) in self.rest.iter_mut().enumerate() {
            let moving = i * self.horizon..=i * self.horizon + *rest;
            drop_first(&mut self.place_mm[moving.clone()], frames);
            if let Some(headings) = self.ahead.get_mut(moving) {
                drop_first(headings, frames);
            }
            *rest = rest.saturating_sub(frames);
        }
    }

    /// True if two trajectories are clear of each other, from the present difference of the robots' places on, mm.
    #[inline(always)]
    #[must_use]
    pub fn are_clear(&self, i: usize, j: usize, now_mm: DVec2, clear: PairClearance) -> bool {
        let last = self.rest[i].max(self.rest[j]);
        let (a, b) = (&self.places_mm(i)[..=last], &self.places_mm(j)[..=last]);
        let is_far = |off_mm: DVec2| off_mm.length_squared() >= clear.frames_mm * clear.frames_mm;
        let (mut before_mm, mut was_far) = (now_mm, is_far(now_mm));
        a.iter().zip(b).all(|(p, q)| {
            let after_mm = *p - *q;
            let ends_far = is_far(after_mm);
            let is_clear = (was_far & ends_far) || swept_mm2(before_mm, after_mm) >= clear.swept_mm * clear.swept_mm;
            (before_mm, was_far) = (after_mm, ends_far);
            is_clear
        })
    }

    /// Adds all places and headings to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.place_mm.iter().for_each(|&p| hash.vec2(p));
        self.ahead.iter().for_each(|&ahead| hash.vec2(ahead));
    }
}

/// Drops the first values of a list that ends with one that stays.
fn drop_first<T: Copy>(values: &mut [T], count: usize) {
    let last = values.len() - 1;
    values.copy_within(count.min(last).., 0);
    let stays = values[last.saturating_sub(count)];
    values[last.saturating_sub(count)..].fill(stays);
}

/// Distances that two trajectories keep.
#[derive(Clone, Copy, Debug)]
pub struct PairClearance {
    /// Distance in two frames that is enough for the way between them, too, mm.
    pub frames_mm: f64,
    /// Distance to keep on the way between two frames where the one in a frame is smaller, mm.
    pub swept_mm: f64,
}

/// The motion that robots and feet are executing, as the planner reads it: the remainder of the certificate's stored set.
#[derive(Clone, Copy, Debug)]
pub struct StoredMotion<'a> {
    /// Trajectories since the last renewal.
    pub trajectories: &'a Trajectories,
    /// Ticks since the last renewal.
    pub age: usize,
    /// Path speed factor of each foot in the last tick, 0 to 1.
    pub path_speed_factors: &'a [f64],
}

impl StoredMotion<'_> {
    /// Place of robot `i` after `ticks` ticks from now, at least one, mm.
    #[must_use]
    pub fn place_mm(&self, i: usize, ticks: usize) -> DVec2 {
        self.trajectories.places_mm(i)[(self.age + ticks - 1).min(self.trajectories.horizon() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Robot 0 moves for three frames, robot 1 for one; each rests where it ends.
    fn two() -> Trajectories {
        let mut two = Trajectories::default();
        two.resize(Drive::Point, 2, 6);
        for (i, last) in [(0, 3), (1, 1)] {
            for j in 0..=last {
                two.set(i, j, DVec2::new(10.0 * j as f64, 100.0 * i as f64), DVec2::X);
            }
            two.rest_from(i, last);
        }
        two
    }

    fn x_mm(set: &Trajectories, i: usize) -> Vec<f64> {
        set.places_mm(i).iter().map(|place| place.x).collect()
    }

    #[test]
    fn a_shift_drops_frames_and_keeps_the_rest() {
        for frames in 0..8 {
            let mut set = two();
            set.shift(frames.min(5));
            for (i, last) in [(0, 3), (1, 1)] {
                let left: Vec<f64> = (0..6).map(|j| 10.0 * (j + frames.min(5)).min(last) as f64).collect();
                assert_eq!(x_mm(&set, i), left, "robot {i}, {frames} frames");
                assert_eq!(set.moving_mm(i).len(), (last + 1).saturating_sub(frames).max(1));
            }
        }
    }

    /// Robots that are far apart at present keep this distance in every frame, and on the way between them.
    fn keep(set: &Trajectories, distance_mm: f64) -> bool {
        set.are_clear(0, 1, DVec2::new(1e3, 0.0), PairClearance { frames_mm: distance_mm, swept_mm: distance_mm })
    }

    #[test]
    fn distances_count_up_to_the_rest_of_both() {
        let mut set = two();
        // They are 100 mm apart beside each other, and sqrt(100^2 + 20^2) mm at the end.
        assert!(keep(&set, 100.0) && !keep(&set, 100.01));
        set.set(1, 2, DVec2::new(20.0, 20.0), DVec2::X);
        set.rest_from(1, 2);
        assert!(keep(&set, 20.0) && !keep(&set, 20.01));
        let mut one_moves = two();
        one_moves.set(1, 5, DVec2::new(30.0, 7.0), DVec2::X);
        assert!(!keep(&one_moves, 7.01), "a frame set late counts");
        set.measure_reach(0, DVec2::new(-4.0, 0.0));
        assert_eq!(set.reach_mm(0), 34.0);
    }

    /// Robot 1 passes robot 0, which rests, at 60 mm. Frames 8 mm apart lie `offset` mm before and after the nearest place: where both are
    /// at 60.147 mm or more, nothing else counts; where one is nearer, the way between them does, from the present on.
    #[test]
    fn near_frames_are_compared_on_the_way_between_them() {
        let passes = |across_mm: f64, offset_mm: f64| {
            let mut set = Trajectories::default();
            set.resize(Drive::Point, 2, 3);
            set.rest_from(0, 0);
            (0..3).for_each(|j| set.set(1, j, DVec2::new(8.0 * j as f64 - offset_mm, across_mm), DVec2::X));
            let now_mm = DVec2::new(8.0 + offset_mm, -across_mm);
            set.are_clear(0, 1, now_mm, PairClearance { frames_mm: 60.147, swept_mm: 60.01 })
        };
        assert!(passes(60.02, 0.0) && passes(60.02, 1.0), "slow enough to be as near as that");
        assert!(
            !passes(60.0, 0.0) && !passes(60.0, 1.0) && !passes(60.0, -2.0),
            "from the present to the first frame, too"
        );
        assert!(passes(60.0, -30.0), "past it");
        assert!(passes(60.147, 3.0));
    }
}
