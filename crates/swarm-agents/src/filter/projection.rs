//! The joint one-step projection: all velocities at once, changed as little as it takes to keep the next distances.
//!
//! For a pair, a foot and a wall the closing speed along the line between them is bounded by what can still be stopped in the gap:
//! [`stoppable_mm_s`]. A linear bound along the line is conservative for the true
//! distance after the step. At zero gap it asks for "do not close", never for separation, so standing still always solves a tight chain.

use super::{FilterInput, FilterModel};
use crate::boundary::bounded;
use crate::drive::stoppable_mm_s;
use crate::{Neighbours, SwarmModel};
use sim_core::DVec2;

/// Share of the acceleration limit that stopping may count on.
const BRAKE_SHARE: f64 = 0.8;
/// Rounds after which the rest is left to the certificate.
const ROUNDS: usize = 30;
/// Change of a velocity, mm/s, below which a round counts as clean.
const CLEAN_MM_S: f64 = 0.05;

/// Projects `velocities_mm_s` in place. `d_r_mm` and `d_h_mm` are the distances to keep, the between-frames margin included.
pub fn project(
    model: &FilterModel,
    input: &FilterInput<'_>,
    neighbours: &Neighbours,
    distances_mm: (f64, f64),
    velocities_mm_s: &mut [DVec2],
) {
    for _ in 0..ROUNDS {
        let mut change = clear_feet(model, input, distances_mm.1, velocities_mm_s);
        change = change.max(separate_pairs(&model.swarm, input, neighbours, distances_mm.0, velocities_mm_s));
        for (i, v) in velocities_mm_s.iter_mut().enumerate() {
            let inside = bounded(&model.swarm, input.agents.position_mm[i], *v);
            let reachable = within_reach(&model.swarm, input.agents.velocity_mm_s[i], inside);
            change = change.max((reachable - *v).abs().max_element());
            *v = reachable;
        }
        if change < CLEAN_MM_S {
            break;
        }
    }
}

fn separate_pairs(
    swarm: &SwarmModel,
    input: &FilterInput<'_>,
    neighbours: &Neighbours,
    d_r_mm: f64,
    v: &mut [DVec2],
) -> f64 {
    let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
    let far_mm = d_r_mm + 2.0 * swarm.stopping_mm() + 8.0;
    let mut change = 0.0_f64;
    for &(i, j) in neighbours.pairs() {
        let (i, j) = (i as usize, j as usize);
        let d = input.agents.position_mm[i] - input.agents.position_mm[j];
        let d2 = d.length_squared();
        if d2 > far_mm * far_mm {
            continue;
        }
        let length = d2.sqrt();
        let n = d / length;
        let closing = -(v[i] - v[j]).dot(n);
        let excess = closing - stoppable_mm_s(length - d_r_mm - 0.02, 2.0 * a, swarm.step_s);
        if excess > 0.0 {
            v[i] += n * (0.5 * excess);
            v[j] -= n * (0.5 * excess);
            change = change.max(excess);
        }
    }
    change
}

fn clear_feet(model: &FilterModel, input: &FilterInput<'_>, d_h_mm: f64, v: &mut [DVec2]) -> f64 {
    let swarm = &model.swarm;
    let a = BRAKE_SHARE * swarm.limits.a_max_mm_s2;
    let far_mm = d_h_mm + 40.0;
    let mut change = 0.0_f64;
    for (i, vi) in v.iter_mut().enumerate() {
        for k in 0..input.feet.len() {
            let d = input.agents.position_mm[i] - input.feet.position_mm(k);
            let d2 = d.length_squared();
            if d2 > far_mm * far_mm {
                continue;
            }
            let length = d2.sqrt();
            let n = d / length;
            let foot_away = (input.feet.path_mm(k, 1.0) - input.feet.position_mm(k)).dot(n) / swarm.step_s;
            let least = ((d_h_mm - length) / swarm.step_s)
                .max(foot_away - stoppable_mm_s(length - d_h_mm - 0.05, a, swarm.step_s));
            let lack = least - vi.dot(n);
            if lack > 0.0 {
                *vi += n * lack;
                change = change.max(lack);
            }
        }
    }
    change
}

/// The nearest velocity that the limits of acceleration and speed allow one step after `before_mm_s`, walls left aside.
#[must_use]
pub fn within_reach(swarm: &SwarmModel, before_mm_s: DVec2, wanted_mm_s: DVec2) -> DVec2 {
    let change = (wanted_mm_s - before_mm_s).clamp_length_max(swarm.velocity_step_mm_s());
    (before_mm_s + change).clamp_length_max(swarm.limits.v_max_mm_s)
}
