//! The band: a short future path of every robot, kept from plan to plan.

use super::foot_prediction::{Extrapolation, RatePrediction};
use super::limits::FootLimits;
use super::rows::{KnotSet, Row};
use crate::Agents;
use crate::filter::exchange::Decision;
use crate::filter::trajectories::StoredMotion;
use sim_core::{DVec2, StateHash};

/// Plans after which a band that its robot still cannot follow is replaced again. Sweeps of several plans add up, so most bands are
/// repaired before.
const PLANS_TO_REPAIR: u32 = 6;
/// Expected growth of a considerate foot's path speed factor in a sixtieth of a second.
const RATE_CLIMB: f64 = 0.02;
/// Growth in a sixtieth of a second of what is expected of a foot that moves, and share that a blocked one loses.
const PATIENCE_GAIN: f64 = 0.02;
const PATIENCE_LOSS: f64 = 0.03;
/// Smallest share of that growth expected of a blocked foot: in the end robots give way.
const MIN_PATIENCE: f64 = 0.3;

/// Knots of all robots and what is expected of the feet.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The last knot.
    pub(super) last: usize,
    /// Ticks from one knot to the next.
    pub(super) knot_ticks: usize,
    /// The band of each robot. Knot 0 is the robot's place at the time of the plan; knots after the last one mean nothing.
    pub(super) rows: Vec<Row>,
    /// Ticks since the plan was made.
    pub(super) age: usize,
    /// Whether the plan leads robot `i`; if not, the robot does what it wishes, see [`super::leading`].
    pub(super) led: Vec<bool>,
    /// Places of feet that do not wait, at the knots, and the distances to keep from them.
    pub(super) feet: Vec<Row>,
    pub(super) foot_limits: FootLimits,
    /// Plans in a row that robot `i` could not follow.
    refused: Vec<u32>,
    /// Share of its progress expected of each considerate foot, 0 to 1: a blocked foot is expected to go on waiting.
    patience: Vec<f64>,
    /// Expected path speed factor of each foot.
    pub(super) rates: Vec<RatePrediction>,
    /// Expected motion of each foot beyond its forecast.
    pub(super) extrapolations: Vec<Extrapolation>,
}

impl Plan {
    /// Place of robot `i` at `frames` ticks after the plan, mm: linear between knots and constant after the last.
    #[inline(always)]
    #[must_use]
    pub fn place_mm(&self, i: usize, frames: usize) -> DVec2 {
        // Division of small numbers is quicker.
        let (frames, knot_ticks) = (frames as u32, self.knot_ticks as u32);
        let (row, knot) = (&self.rows[i], (frames / knot_ticks) as usize);
        if knot >= self.last {
            return row.at_mm(self.last);
        }
        let part = f64::from(frames % knot_ticks) / f64::from(knot_ticks);
        let (a, b) = (row.at_mm(knot), row.at_mm(knot + 1));
        a + (b - a) * part
    }

    /// Ticks from one knot to the next.
    #[must_use]
    pub fn knot_ticks(&self) -> usize {
        self.knot_ticks
    }

    /// Ticks since the plan was made.
    #[must_use]
    pub fn age(&self) -> usize {
        self.age
    }

    /// Whether the plan leads each robot.
    #[must_use]
    pub fn led(&self) -> &[bool] {
        &self.led
    }

    /// True if a new plan is due: `ticks` after the last one, and at once where more than `max_refused` robots that are led could not
    /// follow it, by their `decisions` in the last tick.
    #[must_use]
    pub fn is_due(&self, ticks: usize, decisions: &[Decision], max_refused: usize) -> bool {
        let refused = self.led.iter().zip(decisions).filter(|&(&led, &decision)| led && is_refused(decision));
        self.rows.len() != decisions.len() || self.age >= ticks || refused.count() > max_refused
    }

    /// Counts refused proposals of a new plan: their robots plan on from the trajectory that they execute instead.
    pub fn note_decisions(&mut self, decisions: &[Decision]) {
        for ((count, &decision), &led) in self.refused.iter_mut().zip(decisions).zip(&self.led) {
            *count = if led && is_refused(decision) { *count + 1 } else { 0 };
        }
    }

    /// A tick goes by.
    pub fn end_tick(&mut self) {
        self.age += 1;
    }

    /// The row of a robot that is at `now_mm`, and `ticks` ticks from now at `place_mm(ticks)`.
    pub(in crate::filter) fn row_of(&self, now_mm: DVec2, place_mm: impl Fn(usize) -> DVec2) -> Row {
        Row::along(self.last, |k| match (k * self.knot_ticks).saturating_sub(self.age) {
            0 => now_mm,
            ticks => place_mm(ticks),
        })
    }

    /// True if a row comes nearer than `distance_mm` to the band of robot `j` from now on.
    pub(in crate::filter) fn meets_band(&self, row: &Row, j: usize, distance_mm: f64) -> bool {
        self.rows[j].meets(row, distance_mm, self.knots_ahead())
    }

    /// True if a row comes too near to a foot that does not wait from now on.
    pub(in crate::filter) fn meets_foot(&self, row: &Row, foot: usize) -> bool {
        self.feet.get(foot).is_some_and(|feet| {
            self.knots_ahead().any(|k| {
                let distance_mm = self.foot_limits.at_mm(k);
                row.at_mm(k).distance_squared(feet.at_mm(k)) < distance_mm * distance_mm
            })
        })
    }

    /// The knots after this tick.
    fn knots_ahead(&self) -> KnotSet {
        KnotSet::up_to(self.last).after(self.age / self.knot_ticks)
    }

    /// Adds the band to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        (0..=self.last).for_each(|k| self.rows.iter().for_each(|row| hash.vec2(row.at_mm(k))));
        hash.u64(self.age as u64);
        self.led.iter().for_each(|&led| hash.u64(u64::from(led)));
        self.refused.iter().for_each(|&c| hash.u64(u64::from(c)));
        self.patience.iter().for_each(|&p| hash.f64(p));
        self.extrapolations.iter().for_each(|foot| foot.hash_into(hash));
    }

    /// Predicts that feet speed up from their present path speed factors, blocked ones less and less. A tick takes `sixtieths` of a second
    /// over 60.
    pub(super) fn predict_rates(&mut self, stored: &StoredMotion<'_>, sixtieths: f64) {
        let rates = stored.path_speed_factors;
        self.patience.resize(rates.len(), 1.0);
        self.rates.clear();
        for (patience, &now) in self.patience.iter_mut().zip(rates) {
            for _ in 0..self.age {
                *patience = if now > 0.0 {
                    (*patience + PATIENCE_GAIN * sixtieths).min(1.0)
                } else {
                    (*patience * (1.0 - PATIENCE_LOSS * sixtieths)).max(MIN_PATIENCE)
                };
            }
            self.rates.push(RatePrediction { now, climb: RATE_CLIMB * sixtieths * *patience });
        }
    }

    /// Moves the band on by the ticks since the last plan, and starts it at the robots' places.
    ///
    /// From time to time the stored trajectory, which is clear, replaces the band of a robot that could not follow it. A torn band restarts
    /// at rest: one with two neighbouring knots farther apart than `torn_mm`. Otherwise both would pass through a foot or a neighbour
    /// for ever.
    pub(super) fn shift(&mut self, agents: &Agents, last: usize, stored: &StoredMotion<'_>, torn_mm: f64) {
        if self.rows.len() != agents.len() || self.last != last {
            self.reset(agents, last);
            return;
        }
        let knot_ticks = self.knot_ticks;
        let (whole, ticks) = (self.age / knot_ticks, self.age % knot_ticks);
        for (i, row) in self.rows.iter_mut().enumerate() {
            (0..whole).for_each(|_| move_on(row, last, 1.0));
            if ticks > 0 {
                move_on(row, last, ticks as f64 / knot_ticks as f64);
            }
            row.set_mm(0, agents.position_mm[i]);
            let is_torn = (0..last).any(|k| row.at_mm(k).distance_squared(row.at_mm(k + 1)) > torn_mm * torn_mm);
            if self.refused[i] % PLANS_TO_REPAIR == 1 {
                (1..=last).for_each(|k| row.set_mm(k, stored.place_mm(i, k * knot_ticks)));
            } else if is_torn {
                *row = Row::at_rest(agents.position_mm[i]);
            }
        }
    }

    /// The band of robots that stand where they are.
    fn reset(&mut self, agents: &Agents, last: usize) {
        self.last = last;
        self.rows.clear();
        self.rows.extend(agents.position_mm.iter().map(|&place_mm| Row::at_rest(place_mm)));
        self.refused.clear();
        self.refused.resize(agents.len(), 0);
        self.led.clear();
        self.led.resize(agents.len(), false);
    }
}

/// True if a robot took nothing of its proposal.
fn is_refused(decision: Decision) -> bool {
    matches!(decision, Decision::Solo | Decision::Stored)
}

/// Moves a band on by a part of a knot, 0 to 1; its end goes straight on.
fn move_on(row: &mut Row, last: usize, part: f64) {
    let end = row.at_mm(last);
    let last_step = end - row.at_mm(last - 1);
    for k in 0..last {
        let (here, next) = (row.at_mm(k), row.at_mm(k + 1));
        row.set_mm(k, if part < 1.0 { here + (next - here) * part } else { next });
    }
    row.set_mm(last, end + last_step * part);
}
