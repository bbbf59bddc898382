//! Lists of the pairs that a sweep may have to push apart.

use super::band::Plan;
use super::blocks::Blocks;
use super::limits::SweepLimits;
use super::surroundings::Surroundings;
use crate::Neighbours;

/// Distance beyond the one to be kept up to which a pair is listed as a contact, mm.
const CONTACT_SLACK_MM: f64 = 4.0;
/// The same for a robot and a foot, mm.
const FOOT_SLACK_MM: f64 = 10.0;
/// Distance beyond `d_r_mm` up to which two bands are listed as a pair, mm.
const PAIR_SLACK_MM: f64 = 25.0;
/// Reserved contacts per robot and knot; six discs touch a seventh.
const CONTACTS_PER_ROBOT: usize = 6;
/// Reserved pairs per robot.
const PAIRS_PER_ROBOT: usize = 15;

/// Pairs that are near each other, knot by knot: those of knot `k` stand at `start[k]..start[k + 1]`.
#[derive(Clone, Debug, Default)]
pub(super) struct KnotPairs {
    candidates: Vec<(u32, u32)>,
    start: Vec<usize>,
    pairs: Vec<(u32, u32)>,
}

impl KnotPairs {
    /// Pairs at knot `k`.
    #[inline]
    pub(super) fn at(&self, k: usize) -> &[(u32, u32)] {
        &self.pairs[self.start[k]..self.start[k + 1]]
    }

    fn reserve(&mut self, candidates: usize, pairs: usize) {
        self.candidates.reserve(candidates.saturating_sub(self.candidates.len()));
        self.pairs.reserve(pairs.saturating_sub(self.pairs.len()));
    }

    /// Replaces the pairs that may be near each other.
    fn propose(&mut self, candidates: impl Iterator<Item = (u32, u32)>) {
        self.candidates.clear();
        self.candidates.extend(candidates);
    }

    /// Keeps, for each knot from 1 to `last`, the candidates whose squared distance there is below that knot's `near_mm` squared.
    fn select(&mut self, last: usize, near_mm: impl Fn(usize) -> f64, distance2: impl Fn(usize, u32, u32) -> f64) {
        self.pairs.clear();
        self.start.clear();
        self.start.resize(2, 0);
        for k in 1..=last {
            let near2 = near_mm(k) * near_mm(k);
            self.pairs.extend(self.candidates.iter().filter(|&&(i, j)| distance2(k, i, j) < near2));
            self.start.push(self.pairs.len());
        }
    }
}

/// Distances within which bands are listed as pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairReach {
    /// Distance of two bands at some knot, mm.
    near_mm: f64,
    /// Distance of two robots up to which their bands are compared at all, mm.
    robots_mm: f64,
}

impl PairReach {
    /// The reach for a distance to keep of `d_r_mm`. Robots that leave for one escape path meet from farther away: then the reach is wide.
    pub(super) fn new(d_r_mm: f64, is_wide: bool) -> Self {
        Self { near_mm: d_r_mm + PAIR_SLACK_MM, robots_mm: if is_wide { 5.0 } else { 2.75 } * d_r_mm }
    }
}

/// Pairs of bands, and the contacts of the block that is swept.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactLists {
    near: Neighbours,
    /// Pairs whose bands come near each other, block by block; a pair across a border stands in both blocks.
    pairs: Vec<(u32, u32)>,
    /// Pairs of block `b` stand at `pairs_start[b]..pairs_start[b + 1]`.
    pairs_start: Vec<usize>,
    /// Contacts of two robots.
    pub(super) robots: KnotPairs,
    /// Contacts of a robot and a foot.
    pub(super) feet: KnotPairs,
    /// Robots whose last knot is near the path of a foot after that knot.
    pub(super) tails: Vec<(u32, u32)>,
    /// Upper bound on the motion of a knot since pairs were listed, mm.
    stray_from_pairs_mm: f64,
    /// The same since contacts were listed.
    stray_from_contacts_mm: f64,
}

impl ContactLists {
    /// Reserves memory for the worst case, a swarm that crowds into one block.
    pub(super) fn reserve(&mut self, plan: &Plan, foot_pairs: usize) {
        let (n, last) = (plan.robots, plan.last);
        self.robots.reserve(n * PAIRS_PER_ROBOT, last * n * CONTACTS_PER_ROBOT);
        self.feet.reserve(foot_pairs, last * n);
        self.tails.reserve(n.saturating_sub(self.tails.len()));
    }

    /// Pairs of all blocks.
    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Records that a sweep moved knots by up to `moved_mm`.
    pub(super) fn note_stray(&mut self, moved_mm: f64) {
        self.stray_from_pairs_mm += moved_mm;
        self.stray_from_contacts_mm += moved_mm;
    }

    /// True if bands may have met robots that are not in their pairs.
    pub(super) fn are_pairs_stale(&self) -> bool {
        self.stray_from_pairs_mm > PAIR_SLACK_MM / 3.0
    }

    /// True if bands may have met robots that are not in their contacts.
    pub(super) fn are_contacts_stale(&self) -> bool {
        self.stray_from_contacts_mm > CONTACT_SLACK_MM / 2.0
    }

    /// Lists the pairs whose bands come near each other at some knot.
    pub(super) fn find_pairs(&mut self, reach: PairReach, plan: &Plan, blocks: &Blocks) {
        let n = plan.robots;
        self.stray_from_pairs_mm = 0.0;
        self.near.rebuild(&plan.knots_mm[..n], reach.robots_mm);
        let near2 = reach.near_mm * reach.near_mm;
        let meets = |i: usize, j: usize| {
            (0..=plan.last)
                .step_by(2)
                .any(|k| plan.knots_mm[k * n + i].distance_squared(plan.knots_mm[k * n + j]) < near2)
        };
        self.pairs.clear();
        self.pairs.reserve(n * PAIRS_PER_ROBOT);
        self.pairs_start.clear();
        self.pairs_start.push(0);
        for block in 0..blocks.count() {
            for &i in blocks.robots(block) {
                let others = self.near.of(i as usize).iter();
                let listed = others.filter(|&&j| j > i || blocks.of(j) != block);
                self.pairs.extend(listed.filter(|&&j| meets(i as usize, j as usize)).map(|&j| (i, j)));
            }
            self.pairs_start.push(self.pairs.len());
        }
    }

    /// Lists, knot by knot, the contacts that a sweep of a block may have to push apart.
    pub(super) fn find_contacts(
        &mut self,
        limits: &SweepLimits,
        plan: &Plan,
        surroundings: &Surroundings,
        blocks: &Blocks,
        block: usize,
    ) {
        self.stray_from_contacts_mm = 0.0;
        self.find_robots(limits, plan, block);
        self.find_feet(limits, plan, surroundings, blocks.robots(block));
        self.find_tails(limits, plan, surroundings);
    }

    fn find_robots(&mut self, limits: &SweepLimits, plan: &Plan, block: usize) {
        let (n, knots) = (plan.robots, &plan.knots_mm);
        let near_mm = (limits.pair.hard_mm + CONTACT_SLACK_MM).max(limits.pair.soft_mm);
        let pairs = self.pairs_start[block]..self.pairs_start[block + 1];
        self.robots.propose(self.pairs[pairs].iter().copied());
        self.robots.select(
            plan.last,
            |_| near_mm,
            |k, i, j| knots[k * n + i as usize].distance_squared(knots[k * n + j as usize]),
        );
    }

    fn find_feet(&mut self, limits: &SweepLimits, plan: &Plan, surroundings: &Surroundings, robots: &[u32]) {
        let (n, knots) = (plan.robots, &plan.knots_mm);
        let near_feet = |&i: &u32| surroundings.near_feet.of(i as usize).map(move |foot| (i, foot as u32));
        self.feet.propose(robots.iter().flat_map(near_feet));
        self.feet.select(
            plan.last,
            |k| limits.foot.at_mm(k) + FOOT_SLACK_MM,
            |k, i, foot| knots[k * n + i as usize].distance_squared(surroundings.feet.place_mm(foot as usize, k)),
        );
    }

    fn find_tails(&mut self, limits: &SweepLimits, plan: &Plan, surroundings: &Surroundings) {
        self.tails.clear();
        if limits.foot.tail_knots == 0 {
            return;
        }
        let near_mm = limits.foot.at_mm(plan.last) + FOOT_SLACK_MM;
        let tail = (plan.last, limits.foot.tail_knots);
        let ends_mm = plan.knot_mm(plan.last);
        let is_near_tail = |&&(i, foot): &&(u32, u32)| {
            let place = ends_mm[i as usize];
            let nearest = surroundings.feet.nearest_on_tail_mm(foot as usize, tail, place);
            nearest.distance_squared(place) < near_mm * near_mm
        };
        self.tails.extend(self.feet.candidates.iter().filter(is_near_tail));
    }
}
