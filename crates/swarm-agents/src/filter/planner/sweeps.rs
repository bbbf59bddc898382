//! Projection sweeps: a band is corrected on one constraint after the other (Gauss-Seidel, "position based").
//!
//! Knots of different times meet in bends and steps alone. So each of the other constraints is projected at all knots before the next
//! one: wide comparisons find the knots that break it.

use super::band::Plan;
use super::blocks::Blocks;
use super::contacts::{Contact, ContactLists};
use super::escape_paths::EscapePaths;
use super::limits::{MotionLimits, SweepLimits};
use super::rows::{KnotSet, Row};
use super::surroundings::Surroundings;
use crate::Agents;
use sim_core::DVec2;
use swarm_field::Ring;
use wide::f64x4;

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
    /// Lists the contacts of the block. From then on all of its robots that are led count as moved.
    pub(super) fn start(&mut self, plan: &Plan) {
        self.contacts.find_contacts(self.limits, plan, self.surroundings, self.blocks, self.block);
        self.blocks.contacts_listed(self.block);
        self.blocks.robots(self.block).iter().for_each(|&i| self.moved[i as usize] = plan.led[i as usize]);
    }

    /// Projects the block once on every constraint; returns true if it is clean then.
    pub(super) fn sweep(&mut self, plan: &mut Plan, sweep: usize) -> bool {
        let mut max = MaxCorrection(0.0);
        self.push_pairs(plan, &mut max);
        self.push_from_feet(&mut plan.rows, &mut max);
        self.push_off_tails(&mut plan.rows, plan.last);
        let shares = self.limits.escape_shares_in(sweep);
        let escape_mm = self.escape_paths.attract(&self.surroundings.tubes, shares, &mut plan.rows, self.moved);
        self.keep_inside(&mut plan.rows, KnotSet::up_to(plan.last), &mut max);
        self.limit_motion(&mut plan.rows, plan.last, &mut max);
        self.blocks.end_sweep(self.block, max.0, max.0 + escape_mm);
        self.blocks.is_clean(self.block, self.limits.clean_mm)
    }

    /// Moves both robots of a pair that is too near. Robots that are not led stay; one that is in the way of a robot that is led becomes
    /// led, too.
    fn push_pairs(&mut self, plan: &mut Plan, max: &mut MaxCorrection) {
        let (Plan { rows, led, .. }, pair) = (plan, self.limits.pair);
        for &Contact { robot, other, knots } in &self.contacts.robots {
            let (i, j) = (robot as usize, other as usize);
            if led[i] != led[j] && rows[i].meets(&rows[j], pair.clear_mm, knots) {
                (led[i], led[j]) = (true, true);
            }
            if !(led[i] && led[j]) {
                continue;
            }
            let near = rows[i].nearer_than(pair.apart_mm, &rows[j], knots);
            if near.is_empty() {
                continue;
            }
            // A knot that is not pushed moves by zero.
            let mut lacks = f64x4::ZERO;
            for (k, mask) in near.chunks() {
                let (a, b) = (rows[i].wide(k), rows[j].wide(k));
                let (along, length) = (a - b).directions();
                let lack = (pair.apart_mm - length).fast_max(f64x4::ZERO);
                let push = (along * (0.5 * (pair.relaxation * lack))) & mask;
                rows[i].set_wide(k, a + push);
                rows[j].set_wide(k, b - push);
                lacks = lacks.fast_max(lack & mask);
            }
            let mut worst = MaxCorrection(0.0);
            lacks.to_array().into_iter().for_each(|lack| worst.note(lack));
            max.note(worst.0);
            self.blocks.note_push(other, worst.0);
            self.moved[i] = true;
            self.moved[j] = true;
        }
    }

    /// Moves knots out of the predicted feet.
    fn push_from_feet(&mut self, rows: &mut [Row], max: &mut MaxCorrection) {
        for &Contact { robot, other, knots } in &self.contacts.feet {
            let i = robot as usize;
            for k in knots {
                let (distance_mm, foot_mm) =
                    (self.limits.foot.at_mm(k), self.surroundings.feet.place_mm(other as usize, k));
                let d = rows[i].at_mm(k) - foot_mm;
                if d.length_squared() < distance_mm * distance_mm {
                    let (along, length) = direction(d);
                    rows[i].set_mm(k, foot_mm + along * distance_mm);
                    max.note(distance_mm - length);
                    self.moved[i] = true;
                }
            }
        }
    }

    /// Moves last knots softly off the path of a foot after them.
    fn push_off_tails(&mut self, rows: &mut [Row], last: usize) {
        let distance_mm = self.limits.foot.at_mm(last);
        let tail = (last, self.limits.foot.tail_knots);
        for &(i, foot) in &self.contacts.tails {
            let (i, place) = (i as usize, rows[i as usize].at_mm(last));
            let d = place - self.surroundings.feet.nearest_on_tail_mm(foot as usize, tail, place);
            let length = d.length();
            if length > 0.0 && length < distance_mm {
                rows[i].set_mm(last, place + d * (TAIL_WEIGHT * (distance_mm - length) / length));
                self.moved[i] = true;
            }
        }
    }

    /// Moves knots back into the box. The bands that were not moved since they were limited are inside.
    fn keep_inside(&mut self, rows: &mut [Row], knots: KnotSet, max: &mut MaxCorrection) {
        for i in self.blocks.robots(self.block).iter().map(|&i| i as usize).filter(|&i| self.moved[i]) {
            let outside = rows[i].outside(self.limits.bounds, knots);
            if !outside.is_empty() {
                max.note(rows[i].clamp(outside, self.limits.bounds));
            }
            for ring in self.surroundings.near_walls.of(i) {
                keep_off(&mut rows[i], knots, ring, self.limits.wall_mm, max);
            }
        }
    }

    /// Shortens steps and bends that the drive could not follow, of the robots that were moved.
    fn limit_motion(&mut self, rows: &mut [Row], last: usize, max: &mut MaxCorrection) {
        let (limits, bends) = (self.limits.motion, KnotSet::up_to(last - 1));
        for i in self.blocks.robots(self.block).iter().map(|&i| i as usize) {
            if std::mem::take(&mut self.moved[i]) {
                let row = &mut rows[i];
                let straight = row.at_mm(0) + self.agents.velocity_mm_s[i] * limits.knot_s;
                let mut has_moved = limits.reach_first_knot(straight, row, max);
                // Up to the first knot that breaks a limit there is nothing to correct.
                let strained = row.strained(limits.bend_mm, limits.segment_mm, bends);
                for k in strained.take(1).flat_map(|first| first..last) {
                    has_moved |= limits.straighten(row, k, max);
                }
                self.moved[i] = has_moved;
            }
        }
    }
}

/// Moves knots of a band off a ring.
fn keep_off(row: &mut Row, knots: KnotSet, ring: &Ring, distance_mm: f64, max: &mut MaxCorrection) {
    for k in knots {
        let place = row.at_mm(k);
        if let Some(clear) = ring.push_out_mm(place, distance_mm) {
            row.set_mm(k, clear);
            max.note(clear.distance(place));
        }
    }
}

/// Direction and length of a difference of places; that of two equal places is chosen.
#[inline]
fn direction(d: DVec2) -> (DVec2, f64) {
    let length = d.length_squared().sqrt();
    (if length > 1e-6 { d / length } else { DVec2::X }, length)
}

impl MotionLimits {
    /// Brings the first knot within reach of the present velocity; true if that moved it.
    #[inline]
    fn reach_first_knot(&self, straight_mm: DVec2, row: &mut Row, max: &mut MaxCorrection) -> bool {
        let off = row.at_mm(1) - straight_mm;
        let off2 = off.length_squared();
        if off2 <= self.first_bend_mm * self.first_bend_mm {
            return false;
        }
        let length = off2.sqrt();
        row.set_mm(1, straight_mm + off * (self.first_bend_mm / length));
        max.note(length - self.first_bend_mm);
        true
    }

    /// Limits the bend at knot `k`, and the step after it; true if that moved knots.
    #[inline]
    fn straighten(&self, row: &mut Row, k: usize, max: &mut MaxCorrection) -> bool {
        let mut moved = false;
        let (mut a, mut b, mut c) = (row.at_mm(k - 1), row.at_mm(k), row.at_mm(k + 1));
        let bend = a - b * 2.0 + c;
        let bend2 = bend.length_squared();
        if bend2 > self.bend_mm * self.bend_mm {
            let length = bend2.sqrt();
            let excess = bend * (1.0 - self.bend_mm / length);
            if k == 1 {
                // The first of the three knots is the robot's present place and cannot move.
                b += excess * 0.4;
                c -= excess * 0.2;
            } else {
                a -= excess / 6.0;
                b += excess / 3.0;
                c -= excess / 6.0;
            }
            max.note(0.25 * (length - self.bend_mm));
            moved = true;
        }
        let step = c - b;
        let step2 = step.length_squared();
        if step2 > self.segment_mm * self.segment_mm {
            let length = step2.sqrt();
            let excess = step * (0.5 * (1.0 - self.segment_mm / length));
            b += excess;
            c -= excess;
            max.note(length - self.segment_mm);
            moved = true;
        }
        if moved {
            row.set_mm(k - 1, a);
            row.set_mm(k, b);
            row.set_mm(k + 1, c);
        }
        moved
    }
}
