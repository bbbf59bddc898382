//! What a robot proposes that no plan leads: its wish.
//!
//! Robots that are held back by each other need a way out. One that is held back is shaken a little, or exact rows would never buckle. From
//! time to time it steps aside for a quarter of a second, or two that want to change places would stand face to face for ever.

use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use crate::{Neighbours, purpose};
use sim_core::DVec2;

/// Difference from its wish within which a robot counts as following it, mm/s.
const FOLLOWED_MM_S: f64 = 5.0;
/// Distance beyond `d_r_mm` within which a robot ahead holds another one back, mm.
const CONTACT_MM: f64 = 2.0;
/// Cosine of the angle within which a robot is ahead.
const AHEAD: f64 = 0.5;
/// Steps aside in a second.
const CHANCES_PER_S: u64 = 4;
/// Share of its chances to step aside that a robot takes while it is held back.
const ASIDE_SHARE: f64 = 0.03;

/// The velocity that robot `i` proposes, within what edges and walls allow, mm/s.
pub(super) fn velocity_mm_s(model: &FilterModel, input: &FilterInput<'_>, near: &Neighbours, i: usize) -> DVec2 {
    let wish_mm_s = input.wish_mm_s[i];
    let is_followed = input.agents.velocity_mm_s[i].distance_squared(wish_mm_s) < FOLLOWED_MM_S * FOLLOWED_MM_S;
    let proposed_mm_s = if is_followed { wish_mm_s } else { way_out_mm_s(model, input, near, i) };
    model.bounded(input.agents.position_mm[i], proposed_mm_s)
}

/// The wish, shaken a little, or a step aside where another robot stands ahead.
fn way_out_mm_s(model: &FilterModel, input: &FilterInput<'_>, near: &Neighbours, i: usize) -> DVec2 {
    let wish_mm_s = input.wish_mm_s[i];
    let chance = input.tick.0 * CHANCES_PER_S / u64::from(model.swarm.step_hz);
    let mut aside = input.key.stream(purpose::STEP_ASIDE, i as u64, chance);
    if aside.range(0.0, 1.0) < ASIDE_SHARE && is_held_back(model, input, near, i) {
        return if aside.range(0.0, 1.0) < 0.5 { wish_mm_s.perp() } else { -wish_mm_s.perp() };
    }
    let jitter_mm_s = model.tuning.pull.jitter_mm / model.knot_s();
    wish_mm_s + input.key.stream(purpose::FILTER_JITTER, i as u64, input.tick.0).normal2() * jitter_mm_s
}

/// True if another robot stands ahead of robot `i`, where it wishes to go.
fn is_held_back(model: &FilterModel, input: &FilterInput<'_>, near: &Neighbours, i: usize) -> bool {
    let places_mm = &input.agents.position_mm;
    let contact_mm = model.swarm.clearances.d_r_mm + CONTACT_MM;
    near.of(i).iter().any(|&j| {
        let to_other = places_mm[j as usize] - places_mm[i];
        let distance_mm = to_other.length();
        distance_mm < contact_mm && to_other.dot(input.wish_mm_s[i]) > AHEAD * distance_mm * input.wish_mm_s[i].length()
    })
}
