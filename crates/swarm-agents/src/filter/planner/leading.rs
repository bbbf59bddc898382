//! Which robots a plan leads.
//!
//! Robots do what they wish as long as they are not in the way. A plan leads those that would be in the way if they did no more than
//! follow their stored trajectories, which end at rest: in the way of a foot, or of the band of a robot that is led. All others are
//! left alone.

use super::band::Plan;
use super::escape_paths;
use super::limits::SweepLimits;
use super::rows::{KnotSet, Row};
use super::surroundings::Surroundings;
use crate::filter::trajectories::StoredMotion;
use crate::{Agents, Neighbours};

/// Buffers for the choice.
#[derive(Clone, Debug, Default)]
pub(super) struct LeadingScratch {
    /// Stored trajectories at the knots.
    stored: Vec<Row>,
    /// Robots that are led, to be compared with their neighbours.
    queue: Vec<u32>,
    /// Robots that were led by the plan before.
    were_led: Vec<bool>,
}

impl LeadingScratch {
    /// Chooses the robots. A robot that was led and still is keeps its band; the band of any other one becomes its stored trajectory.
    ///
    /// A robot that flows with others around a foot stays led although its band is free: if it stopped there, it would be in their way.
    /// Without that, robots are led and released by turns, and jam.
    pub(super) fn choose(
        &mut self,
        plan: &mut Plan,
        limits: &SweepLimits,
        surroundings: &Surroundings,
        stored: &StoredMotion<'_>,
        agents: &Agents,
    ) {
        if limits.leads_all() {
            plan.led.fill(true);
            return;
        }
        self.stored.clear();
        self.stored
            .extend((0..agents.len()).map(|i| plan.row_of(agents.position_mm[i], |tick| stored.place_mm(i, tick))));
        let robots = 0..plan.rows.len();
        robots.clone().filter(|&i| !plan.led[i]).for_each(|i| plan.rows[i] = self.stored[i]);
        self.were_led.clone_from(&plan.led);
        plan.led.fill(false);
        self.lead_near_feet(plan, limits, surroundings);
        self.lead_in_the_way(plan, limits, &surroundings.neighbours);
        robots.filter(|&i| self.were_led[i] && !plan.led[i]).for_each(|i| plan.rows[i] = self.stored[i]);
    }

    /// Leads robots in the way of feet, and those that would rest where none can stay.
    fn lead_near_feet(&self, plan: &mut Plan, limits: &SweepLimits, surroundings: &Surroundings) {
        for &(i, foot) in surroundings.near_feet.pairs() {
            let row = &self.stored[i as usize];
            let is_near = |k: usize| {
                let near_mm = limits.foot.at_mm(k) + limits.lead_mm;
                row.at_mm(k).distance_squared(surroundings.feet.place_mm(foot as usize, k)) < near_mm * near_mm
            };
            plan.led[i as usize] |= (0..=plan.last).any(is_near);
        }
        for (led, row) in plan.led.iter_mut().zip(&self.stored) {
            *led |= escape_paths::leaves_tube(&surroundings.tubes, row, plan.last);
        }
    }

    /// Leads robots in the way of robots that are led, and so on.
    fn lead_in_the_way(&mut self, plan: &mut Plan, limits: &SweepLimits, neighbours: &Neighbours) {
        let knots = KnotSet::up_to(plan.last);
        self.queue.clear();
        self.queue.reserve(plan.led.len());
        self.queue.extend((0..plan.led.len() as u32).filter(|&i| plan.led[i as usize]));
        while let Some(leader) = self.queue.pop() {
            let band = &plan.rows[leader as usize];
            for &i in neighbours.of(leader as usize) {
                let led = &mut plan.led[i as usize];
                if !*led && self.stored[i as usize].meets(band, limits.pair.clear_mm, knots) {
                    *led = true;
                    self.queue.push(i);
                }
            }
        }
    }
}
