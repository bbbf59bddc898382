//! The pull on a band: towards the wish, along the flow round moving feet, and away from near feet.

use super::band::Plan;
use super::surroundings::Surroundings;
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use sim_core::ops;

/// Time in which a band makes up for what it lacks to the comfort distance from a foot, s.
const FOOT_COMFORT_S: f64 = 0.3;

/// Turns the velocities of the bands of led robots towards wish, flow and comfort.
pub(super) fn pull(model: &FilterModel, plan: &mut Plan, surroundings: &Surroundings, input: &FilterInput<'_>) {
    let (tuning, knot_s) = (model.tuning.pull, model.knot_s());
    let Surroundings { feet, near_feet, .. } = surroundings;
    let weight = 1.0 - ops::exp(-knot_s / tuning.time_s);
    let fade = ops::exp(-knot_s / tuning.wish_fade_s);
    let d_h_mm = model.swarm.clearances.d_h_mm;
    let comfort_mm = model.swarm.by_density(plan.rows.len(), (tuning.foot_comfort_mm, 0.0));
    let led = &plan.led;
    for (i, row) in plan.rows.iter_mut().enumerate().filter(|&(i, _)| led[i]) {
        let mut wish = input.wish_mm_s[i].clamp_length_max(tuning.max_wish_mm_s);
        let mut old = row.at_mm(0);
        let mut place = old;
        for k in 0..plan.last {
            let next_old = row.at_mm(k + 1);
            let velocity = (next_old - old) / knot_s;
            let mut wanted = wish;
            for foot in near_feet.of(i) {
                wanted += feet.flow_mm_s(foot, k, place, d_h_mm) * tuning.flow;
                if comfort_mm > 0.0 {
                    wanted += feet.lack_mm(foot, k, place, d_h_mm + comfort_mm) / FOOT_COMFORT_S;
                }
            }
            place += (velocity + (wanted - velocity) * weight) * knot_s;
            old = next_old;
            row.set_mm(k + 1, place);
            wish *= fade;
        }
    }
}
