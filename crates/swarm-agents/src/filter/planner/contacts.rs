//! Lists of the pairs that a sweep may have to push apart.

use super::band::Plan;
use super::blocks::Blocks;
use super::limits::SweepLimits;
use super::rows::KnotSet;
use super::surroundings::Surroundings;
use crate::Neighbours;
use sim_core::DVec2;

/// Distance beyond the one to be kept up to which a pair is listed as a contact, mm.
const CONTACT_SLACK_MM: f64 = 4.0;
/// The same for a robot and a foot, mm.
const FOOT_SLACK_MM: f64 = 10.0;
/// Distance beyond `d_r_mm` up to which two bands are listed as a pair, mm.
const PAIR_SLACK_MM: f64 = 25.0;
/// Motion of a knot after which bands may have met robots that are not in their contacts, mm: two bands stray towards each other.
pub(super) const CONTACT_STRAY_MM: f64 = CONTACT_SLACK_MM / 2.0;
/// Motion of a knot after which bands may have met robots that are not in their pairs, mm. It is a third of the slack, not half of it:
/// pairs are looked for at even knots alone, and two bands can be nearer between these.
pub(super) const PAIR_STRAY_MM: f64 = PAIR_SLACK_MM / 3.0;
/// Reserved pairs per robot.
const PAIRS_PER_ROBOT: usize = 15;

/// A robot, and another one or a foot, that come near each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) robot: u32,
    pub(super) other: u32,
    /// The knots at which they are near.
    pub(super) knots: KnotSet,
}

impl Contact {
    /// None if there is no such knot.
    fn at_any((robot, other): (u32, u32), knots: KnotSet) -> Option<Self> {
        (!knots.is_empty()).then_some(Self { robot, other, knots })
    }
}

/// Pairs of bands, and the contacts of the block that is swept.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactLists {
    /// Pairs whose bands come near each other, block by block; a pair across a border stands in both blocks.
    pairs: Vec<(u32, u32)>,
    /// Pairs of block `b` stand at `pairs_start[b]..pairs_start[b + 1]`.
    pairs_start: Vec<usize>,
    /// Those pairs of robots that are led.
    led_pairs: Vec<(u32, u32)>,
    /// Contacts of two robots.
    pub(super) robots: Vec<Contact>,
    /// Contacts of a robot and a foot.
    pub(super) feet: Vec<Contact>,
    /// Robots whose last knot is near the path of a foot after that knot.
    pub(super) tails: Vec<(u32, u32)>,
}

impl ContactLists {
    /// Reserves memory for the worst case, a swarm that crowds into one block.
    pub(super) fn reserve(&mut self, plan: &Plan, foot_pairs: usize) {
        let n = plan.rows.len();
        self.robots.reserve((n * PAIRS_PER_ROBOT).saturating_sub(self.robots.len()));
        self.led_pairs.reserve((n * PAIRS_PER_ROBOT).saturating_sub(self.led_pairs.len()));
        self.feet.reserve(foot_pairs.saturating_sub(self.feet.len()));
        self.tails.reserve(n.saturating_sub(self.tails.len()));
    }

    /// Pairs of robots that are led, of all blocks.
    pub(super) fn led_pairs(&self) -> &[(u32, u32)] {
        &self.led_pairs
    }

    /// Lists the pairs of neighbours whose bands come near each other at some even knot. Robots are at `places_mm` now.
    pub(super) fn find_pairs(
        &mut self,
        d_r_mm: f64,
        neighbours: &Neighbours,
        bands: (&Plan, &[DVec2]),
        blocks: &Blocks,
    ) {
        let meet = meeting(d_r_mm, bands);
        self.pairs.clear();
        self.pairs.reserve(bands.1.len() * PAIRS_PER_ROBOT);
        self.pairs_start.clear();
        self.pairs_start.push(0);
        for block in 0..blocks.count() {
            for &i in blocks.robots(block) {
                let others = neighbours.of(i as usize).iter();
                let listed = others.filter(|&&j| j > i || blocks.of(j) != block);
                self.pairs.extend(listed.filter(|&&j| meet(i, j)).map(|&j| (i, j)));
            }
            self.pairs_start.push(self.pairs.len());
        }
    }

    /// Lists those of these pairs of which both robots are led.
    pub(super) fn find_led_pairs(&mut self, d_r_mm: f64, neighbours: &Neighbours, bands: (&Plan, &[DVec2])) {
        let (led, meet) = (&bands.0.led, meeting(d_r_mm, bands));
        let pairs = neighbours.pairs().filter(|&(i, j)| led[i as usize] && led[j as usize]);
        self.led_pairs.clear();
        self.led_pairs.extend(pairs.filter(|&(i, j)| meet(i, j)));
    }

    /// Lists the contacts that a sweep of a block may have to push apart.
    pub(super) fn find_contacts(
        &mut self,
        limits: &SweepLimits,
        plan: &Plan,
        surroundings: &Surroundings,
        blocks: &Blocks,
        block: usize,
    ) {
        self.find_robots(limits, plan, block);
        self.find_feet(limits, plan, surroundings, blocks.robots(block));
        self.find_tails(limits, plan, surroundings, blocks.robots(block));
    }

    fn find_robots(&mut self, limits: &SweepLimits, plan: &Plan, block: usize) {
        let near_mm = limits.pair.apart_mm + CONTACT_SLACK_MM;
        let knots = KnotSet::up_to(plan.last);
        let pairs = &self.pairs[self.pairs_start[block]..self.pairs_start[block + 1]];
        self.robots.clear();
        self.robots.extend(pairs.iter().filter_map(|&(i, j)| {
            let (a, b) = (&plan.rows[i as usize], &plan.rows[j as usize]);
            Contact::at_any((i, j), a.nearer_than(near_mm, b, knots))
        }));
    }

    fn find_feet(&mut self, limits: &SweepLimits, plan: &Plan, surroundings: &Surroundings, robots: &[u32]) {
        self.feet.clear();
        for &i in robots {
            self.feet.extend(surroundings.near_feet.of(i as usize).filter_map(|foot| {
                let is_near = |&k: &usize| {
                    let near_mm = limits.foot.at_mm(k) + FOOT_SLACK_MM;
                    let (a, b) = (plan.rows[i as usize].at_mm(k), surroundings.feet.place_mm(foot, k));
                    a.distance_squared(b) < near_mm * near_mm
                };
                Contact::at_any((i, foot as u32), (1..=plan.last).filter(is_near).collect())
            }));
        }
    }

    fn find_tails(&mut self, limits: &SweepLimits, plan: &Plan, surroundings: &Surroundings, robots: &[u32]) {
        self.tails.clear();
        if limits.foot.tail_knots == 0 {
            return;
        }
        let near_mm = limits.foot.at_mm(plan.last) + FOOT_SLACK_MM;
        let tail = (plan.last, limits.foot.tail_knots);
        let is_near_tail = |&(i, foot): &(u32, u32)| {
            let place = plan.rows[i as usize].at_mm(plan.last);
            let nearest = surroundings.feet.nearest_on_tail_mm(foot as usize, tail, place);
            nearest.distance_squared(place) < near_mm * near_mm
        };
        let near_feet = |&i: &u32| surroundings.near_feet.of(i as usize).map(move |foot| (i, foot as u32));
        self.tails.extend(robots.iter().flat_map(near_feet).filter(is_near_tail));
    }
}

/// Whether the bands of two robots come near each other at some even knot. Robots are at the given places now, mm.
fn meeting<'a>(d_r_mm: f64, (plan, places_mm): (&'a Plan, &'a [DVec2])) -> impl Fn(u32, u32) -> bool + 'a {
    let near_mm = d_r_mm + PAIR_SLACK_MM;
    let even = KnotSet::up_to(plan.last).even();
    move |i, j| {
        let (i, j) = (i as usize, j as usize);
        places_mm[i].distance_squared(places_mm[j]) < near_mm * near_mm
            || plan.rows[i].meets(&plan.rows[j], near_mm, even)
    }
}
