//! Projection sweeps: a band is corrected on one constraint after the other (Gauss-Seidel, "position based").

use super::band::Plan;
use super::blocks::Blocks;
use super::contacts::ContactLists;
use super::escape_paths::EscapePaths;
use super::limits::{MotionLimits, PairLimits, SweepLimits};
use super::surroundings::Surroundings;
use crate::Agents;
use sim_core::DVec2;

/// Weight with which a sweep pushes the last knot off the path of a foot after that knot.
const TAIL_WEIGHT: f64 = 0.15;

/// The largest correction of a hard constraint in a sweep so far, mm.
struct MaxCorrection(f64);

impl MaxCorrection {
    #[inline]
    fn note(&mut self, correction_mm: f64) {
        if correction_mm > self.0 {
            self.0 = correction_mm;
        }
    }
}

/// The sweeps of one block of a band.
pub(super) struct BlockSweeper<'a> {
    pub(super) limits: &'a SweepLimits,
    pub(super) agents: &'a Agents,
    pub(super) surroundings: &'a Surroundings,
    pub(super) escape_paths: &'a EscapePaths,
    pub(super) contacts: &'a mut ContactLists,
    pub(super) blocks: &'a mut Blocks,
    /// Robots with knots that moved since their motion was limited.
    pub(super) moved: &'a mut [bool],
    pub(super) block: usize,
}

impl BlockSweeper<'_> {
    /// Lists the contacts of the block. From then on all of its robots count as moved.
    pub(super) fn start(&mut self, plan: &Plan) {
        self.contacts.find_contacts(self.limits, plan, self.surroundings, self.blocks, self.block);
        self.blocks.robots(self.block).iter().for_each(|&i| self.moved[i as usize] = true);
    }

    /// Projects the block once on every constraint; returns true if it is clean then.
    pub(super) fn sweep(&mut self, plan: &mut Plan, sweep: usize) -> bool {
        let mut max = MaxCorrection(0.0);
        let mut escape_mm = 0.0_f64;
        let (pair, shares) = (self.limits.pair_in(sweep), self.limits.escape_shares_in(sweep));
        let last = plan.last;
        for step in 0..last {
            let k = if sweep.is_multiple_of(2) { step + 1 } else { last - step };
            let knots = plan.knot_mut_mm(k);
            self.push_pairs(knots, k, pair, &mut max);
            self.push_from_feet(knots, k, &mut max);
            if k == last {
                self.push_off_tails(knots, last);
            }
            escape_mm =
                escape_mm.max(self.escape_paths.attract(&self.surroundings.tubes, k, shares, knots, self.moved));
            self.keep_inside(knots, &mut max);
        }
        self.limit_motion(plan, &mut max);
        self.contacts.note_stray(max.0 + escape_mm);
        self.blocks.end_sweep(self.block, max.0);
        self.blocks.is_clean(self.block, self.limits.clean_mm)
    }

    /// Moves both robots of a pair that is too near: hard below one distance, softly below another.
    fn push_pairs(&mut self, knots: &mut [DVec2], k: usize, pair: PairLimits, max: &mut MaxCorrection) {
        let (moved, blocks) = (&mut *self.moved, &mut *self.blocks);
        let from_mm = if pair.soft_weight > 0.0 { pair.soft_mm } else { pair.hard_mm };
        let from2 = from_mm * from_mm;
        for &(first, second) in self.contacts.robots.at(k) {
            let (i, j) = (first as usize, second as usize);
            let d = knots[i] - knots[j];
            let d2 = d.length_squared();
            if d2 >= from2 {
                continue;
            }
            let length = d2.sqrt();
            let along = if length > 1e-6 { d / length } else { DVec2::X };
            let lack = pair.hard_mm - length;
            let mut by = pair.soft_weight * (pair.soft_mm - length);
            if lack > 0.0 {
                by += pair.relaxation * lack;
                max.note(lack);
                blocks.note_push(second, lack);
            }
            knots[i] += along * (0.5 * by);
            knots[j] -= along * (0.5 * by);
            moved[i] = true;
            moved[j] = true;
        }
    }

    /// Moves knots out of the predicted feet.
    fn push_from_feet(&mut self, knots: &mut [DVec2], k: usize, max: &mut MaxCorrection) {
        let distance_mm = self.limits.foot.at_mm(k);
        let (moved, feet) = (&mut *self.moved, &self.surroundings.feet);
        for &(robot, foot) in self.contacts.feet.at(k) {
            let i = robot as usize;
            let place = feet.place_mm(foot as usize, k);
            let d = knots[i] - place;
            let d2 = d.length_squared();
            if d2 < distance_mm * distance_mm {
                let length = d2.sqrt();
                let along = if length > 1e-6 { d / length } else { DVec2::X };
                knots[i] = place + along * distance_mm;
                max.note(distance_mm - length);
                moved[i] = true;
            }
        }
    }

    /// Moves last knots softly off the path of a foot after them.
    fn push_off_tails(&mut self, knots: &mut [DVec2], last: usize) {
        let distance_mm = self.limits.foot.at_mm(last);
        let tail = (last, self.limits.foot.tail_knots);
        for &(i, foot) in &self.contacts.tails {
            let i = i as usize;
            let d = knots[i] - self.surroundings.feet.nearest_on_tail_mm(foot as usize, tail, knots[i]);
            let length = d.length();
            if length > 0.0 && length < distance_mm {
                knots[i] += d * (TAIL_WEIGHT * (distance_mm - length) / length);
                self.moved[i] = true;
            }
        }
    }

    /// Moves knots back into the box.
    fn keep_inside(&mut self, knots: &mut [DVec2], max: &mut MaxCorrection) {
        let (bounds, moved) = (self.limits.bounds, &mut *self.moved);
        for &robot in self.blocks.robots(self.block) {
            let p = &mut knots[robot as usize];
            if !bounds.contains(*p) {
                let inside = bounds.clamp(*p);
                max.note(inside.distance(*p));
                *p = inside;
                moved[robot as usize] = true;
            }
        }
    }

    /// Shortens steps and bends that the drive could not follow, of the robots that were moved.
    fn limit_motion(&mut self, plan: &mut Plan, max: &mut MaxCorrection) {
        let (n, last, limits) = (plan.robots, plan.last, self.limits.motion);
        let (moved, velocities_mm_s) = (&mut *self.moved, &self.agents.velocity_mm_s[..]);
        let knots = &mut plan.knots_mm[..];
        for i in self.blocks.robots(self.block).iter().map(|&i| i as usize) {
            if std::mem::take(&mut moved[i]) {
                let straight = knots[i] + velocities_mm_s[i] * limits.knot_s;
                let mut has_moved = limits.reach_first_knot(straight, &mut knots[n + i], max);
                for k in 1..last {
                    has_moved |= limits.straighten(knots, (k, n, i), max);
                }
                moved[i] = has_moved;
            }
        }
    }
}

impl MotionLimits {
    /// Brings the first knot within reach of the present velocity; true if that moved it.
    #[inline]
    fn reach_first_knot(&self, straight_mm: DVec2, knot_mm: &mut DVec2, max: &mut MaxCorrection) -> bool {
        let off = *knot_mm - straight_mm;
        let off2 = off.length_squared();
        if off2 <= self.first_bend_mm * self.first_bend_mm {
            return false;
        }
        let length = off2.sqrt();
        *knot_mm = straight_mm + off * (self.first_bend_mm / length);
        max.note(length - self.first_bend_mm);
        true
    }

    /// Limits the bend at knot `k` of robot `i` of `n`, and the step after it; true if that moved knots.
    #[inline]
    fn straighten(&self, x: &mut [DVec2], (k, n, i): (usize, usize, usize), max: &mut MaxCorrection) -> bool {
        let (a, b, c) = ((k - 1) * n + i, k * n + i, (k + 1) * n + i);
        let mut moved = false;
        let bend = x[a] - x[b] * 2.0 + x[c];
        let bend2 = bend.length_squared();
        if bend2 > self.bend_mm * self.bend_mm {
            let length = bend2.sqrt();
            let excess = bend * (1.0 - self.bend_mm / length);
            if k == 1 {
                // The first of the three knots is the robot's present place and cannot move.
                x[b] += excess * 0.4;
                x[c] -= excess * 0.2;
            } else {
                x[a] -= excess / 6.0;
                x[b] += excess / 3.0;
                x[c] -= excess / 6.0;
            }
            max.note(0.25 * (length - self.bend_mm));
            moved = true;
        }
        let step = x[c] - x[b];
        let step2 = step.length_squared();
        if step2 > self.segment_mm * self.segment_mm {
            let length = step2.sqrt();
            let excess = step * (0.5 * (1.0 - self.segment_mm / length));
            x[b] += excess;
            x[c] -= excess;
            max.note(length - self.segment_mm);
            moved = true;
        }
        moved
    }
}
