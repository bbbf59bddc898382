//! Feet: their waiting, and how the swarm opens and closes round them.

use super::catalogue::{Table, ratio, share};
use super::distances::{Distances, NEAR_FOOT_MM};
use super::liveliness::Liveliness;
use super::reuse::InnerReuse;
use super::{MeasureModel, Observation};
use sim_core::DVec2;
use swarm_field::FootPhase;

/// Path speed factor below which a foot is blocked.
const BLOCKED_BELOW: f64 = 0.05;

/// State of one foot, and its clocks.
#[derive(Clone, Copy, Debug, Default)]
struct Foot {
    phase: Option<FootPhase>,
    lost: f64,
    blocked_steps: u64,
    /// Steps since it arrived, while not all robots are clear of it.
    arrived: Option<u64>,
    /// The place that it left and the steps since no foot holds that place, while no robot has filled it.
    left: Option<(DVec2, u64)>,
}

/// Waits, arrivals and departures of all feet.
#[derive(Clone, Debug)]
pub(super) struct FootUse {
    feet: Vec<Foot>,
    steps: u64,
    slowed: u64,
    stopped: u64,
    blocked_longest: u64,
    arrivals: u64,
    cleared: u64,
    clear_steps: u64,
    refills: u64,
    refill_steps: u64,
    refill_longest: u64,
    reuse: InnerReuse,
}

impl FootUse {
    pub(super) fn new(model: &MeasureModel) -> Self {
        Self {
            feet: vec![Foot::default(); model.feet],
            steps: 0,
            slowed: 0,
            stopped: 0,
            blocked_longest: 0,
            arrivals: 0,
            cleared: 0,
            clear_steps: 0,
            refills: 0,
            refill_steps: 0,
            refill_longest: 0,
            reuse: InnerReuse::new(model),
        }
    }

    pub(super) fn step(
        &mut self,
        model: &MeasureModel,
        seen: &Observation<'_>,
        distances: &Distances,
        liveliness: &Liveliness,
    ) {
        self.steps += 1;
        for k in 0..self.feet.len() {
            let phase = seen.feet_phase[k];
            let before = self.feet[k].phase.replace(phase);
            self.wait(k, seen.path_speed_factors.get(k).copied().unwrap_or(1.0));
            self.arrive(k, before, phase, distances.foot_nearest2(k));
            self.leave(model, k, before, seen, liveliness);
        }
        self.reuse.step(model, seen);
    }

    fn wait(&mut self, k: usize, rate: f64) {
        let foot = &mut self.feet[k];
        foot.lost += 1.0 - rate;
        foot.blocked_steps = if rate < BLOCKED_BELOW { foot.blocked_steps + 1 } else { 0 };
        self.blocked_longest = self.blocked_longest.max(foot.blocked_steps);
        self.slowed += u64::from(rate < 1.0);
        self.stopped += u64::from(rate < BLOCKED_BELOW);
    }

    /// An arrival is the end of a walk: the foot begins to roam round its target, or to idle at home.
    fn arrive(&mut self, k: usize, before: Option<FootPhase>, phase: FootPhase, nearest2: f64) {
        let foot = &mut self.feet[k];
        if before != Some(phase) {
            let arrives = matches!(before, Some(FootPhase::MoveOut | FootPhase::Return))
                && matches!(phase, FootPhase::Roam | FootPhase::Idle);
            self.arrivals += u64::from(arrives);
            foot.arrived = arrives.then_some(0);
        }
        let Some(steps) = foot.arrived else { return };
        if nearest2 > NEAR_FOOT_MM * NEAR_FOOT_MM {
            self.cleared += 1;
            self.clear_steps += steps;
            foot.arrived = None;
        } else {
            foot.arrived = Some(steps + 1);
        }
    }

    /// A departure is the beginning of a walk. The clock of the place left starts when no foot holds it any more.
    fn leave(
        &mut self,
        model: &MeasureModel,
        k: usize,
        before: Option<FootPhase>,
        seen: &Observation<'_>,
        liveliness: &Liveliness,
    ) {
        let phase = seen.feet_phase[k];
        let departs =
            before.is_some_and(|before| before != phase) && matches!(phase, FootPhase::MoveOut | FootPhase::Return);
        if departs {
            self.feet[k].left = Some((seen.feet_before_mm[k], 0));
        }
        let Some((place, steps)) = self.feet[k].left else { return };
        let d_h2 = model.d_h_mm * model.d_h_mm;
        if seen.feet_after_mm.iter().any(|foot| foot.distance_squared(place) < d_h2) {
            // Held: not released yet, or taken by a foot again before a robot came.
            self.feet[k].left = (steps == 0).then_some((place, 0));
            return;
        }
        self.refill_longest = self.refill_longest.max(steps);
        if liveliness.is_used_near(place, 0.5 * model.d_h_mm) {
            self.refills += 1;
            self.refill_steps += steps;
            self.feet[k].left = None;
        } else {
            self.feet[k].left = Some((place, steps + 1));
        }
    }

    pub(super) fn report_reuse(&self, model: &MeasureModel, table: &mut Table<'_>) {
        table.push("inner_reuse_mean_s", self.reuse.mean_s(model));
        table.push("inner_reuse_max_s", self.reuse.max_s(model));
    }

    pub(super) fn report(&self, model: &MeasureModel, table: &mut Table<'_>) {
        let foot_steps = self.steps * self.feet.len() as u64;
        let lost: f64 = self.feet.iter().map(|foot| foot.lost).sum();
        let worst = self.feet.iter().map(|foot| ratio(foot.lost, self.steps as f64)).fold(f64::NAN, f64::max);
        table.push("foot_waits", ratio(lost, foot_steps as f64));
        table.push("foot_waits_worst", worst);
        table.push("foot_slowed_share", share(self.slowed, foot_steps));
        table.push("foot_stopped_share", share(self.stopped, foot_steps));
        let blocked_s = if foot_steps == 0 { f64::NAN } else { model.seconds(self.blocked_longest) };
        table.push("foot_block_longest_s", blocked_s);
        table.push("arrivals_cleared_share", share(self.cleared, self.arrivals));
        table.push("arrival_clear_mean_s", ratio(self.clear_steps as f64, self.cleared as f64) / model.rate_hz());
        table.push("refill_mean_s", ratio(self.refill_steps as f64, self.refills as f64) / model.rate_hz());
        let refill_s =
            if self.refills + self.refill_longest == 0 { f64::NAN } else { model.seconds(self.refill_longest) };
        table.push("refill_max_s", refill_s);
    }
}
