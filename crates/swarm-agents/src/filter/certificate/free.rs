//! What a robot proposes that no plan leads: its wish.
//!
//! Robots that are held back by each other need a way out. One that is held back is shaken a little, or exact rows would never buckle. From
//! time to time it steps aside for a third of a second, or two that want to change places would stand face to face for ever.

use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use crate::{Neighbours, purpose};
use sim_core::{DVec2, StateHash};

/// Difference from its wish within which a robot counts as following it, mm/s.
const FOLLOWED_MM_S: f64 = 5.0;
/// Distance beyond `d_r_mm` within which a robot ahead holds another one back, mm.
pub(super) const CONTACT_MM: f64 = 2.0;
/// Cosine of the angle within which a robot is ahead.
const AHEAD: f64 = 0.5;
/// Largest jitter on the wish of a robot that another one holds back, on each axis, mm/s.
const SHAKE_MM_S: f64 = 1.0;
/// Chances to step aside in a second.
const CHANCES_PER_S: f64 = 3.0;
/// Chances that a robot takes while the time for which it is held back grows by a factor of e.
const CHANCES_TAKEN: f64 = 0.5;
/// Largest share of its chances that a robot takes while it is held back.
const ASIDE_SHARE: f64 = 0.2;

/// For how long robots have been held back.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldBack {
    /// Ticks in which robot `i` did not follow its wish, less those in which it did; not below 0.
    ticks: Vec<u32>,
}

impl HeldBack {
    /// Starts with robots that were never held back.
    pub(super) fn start(&mut self, robots: usize) {
        self.ticks.clear();
        self.ticks.resize(robots, 0);
    }

    /// Counts the `passed` ticks since the decision before.
    pub(super) fn count(&mut self, input: &FilterInput<'_>, passed: u32) {
        for (i, ticks) in self.ticks.iter_mut().enumerate().take(input.wish_mm_s.len()) {
            *ticks = if is_followed(input, i) { ticks.saturating_sub(passed) } else { ticks.saturating_add(passed) };
        }
    }

    /// Adds the counts to a state hash.
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.ticks.iter().for_each(|&ticks| hash.u64(u64::from(ticks)));
    }

    /// The share of its chances to step aside that robot `i` takes: about one chance in the first seconds, and one whenever the time has
    /// grown sevenfold. So robots that all wish to be at one place come to rest.
    fn aside_share(&self, i: usize, step_s: f64) -> f64 {
        ASIDE_SHARE.min(CHANCES_TAKEN / (CHANCES_PER_S * step_s * f64::from(self.ticks[i])))
    }
}

/// True if robot `i` moves as it wishes.
fn is_followed(input: &FilterInput<'_>, i: usize) -> bool {
    input.agents.velocity_mm_s[i].distance_squared(input.wish_mm_s[i]) < FOLLOWED_MM_S * FOLLOWED_MM_S
}

/// The velocity that robot `i` proposes, mm/s.
pub(super) fn velocity_mm_s(
    model: &FilterModel,
    input: &FilterInput<'_>,
    (held_back, near): (&HeldBack, &Neighbours),
    i: usize,
) -> DVec2 {
    if is_followed(input, i) || !is_blocked(model, input, near, i) {
        return input.wish_mm_s[i];
    }
    let share = held_back.aside_share(i, model.swarm.step_s);
    aside_mm_s(model, input, i, share).unwrap_or_else(|| shaken_mm_s(input, i))
}

/// A step to one side, with this probability.
fn aside_mm_s(model: &FilterModel, input: &FilterInput<'_>, i: usize, share: f64) -> Option<DVec2> {
    let chance = (input.tick.0 as f64 * CHANCES_PER_S * model.swarm.step_s) as u64;
    let mut stream = input.key.stream(purpose::STEP_ASIDE, i as u64, chance);
    let left_mm_s = input.wish_mm_s[i].perp();
    (stream.range(0.0, 1.0) < share).then(|| if stream.range(0.0, 1.0) < 0.5 { left_mm_s } else { -left_mm_s })
}

/// The wish with a little jitter.
fn shaken_mm_s(input: &FilterInput<'_>, i: usize) -> DVec2 {
    let mut stream = input.key.stream(purpose::FILTER_JITTER, i as u64, input.tick.0);
    let mut draw = || stream.range(-SHAKE_MM_S, SHAKE_MM_S);
    input.wish_mm_s[i] + DVec2::new(draw(), draw())
}

/// True if another robot stands ahead of robot `i`, where it wishes to go.
fn is_blocked(model: &FilterModel, input: &FilterInput<'_>, near: &Neighbours, i: usize) -> bool {
    let places_mm = &input.agents.position_mm;
    let contact_mm = model.swarm.clearances.d_r_mm + CONTACT_MM;
    near.of(i).iter().any(|&j| {
        let to_other = places_mm[j as usize] - places_mm[i];
        let distance2 = to_other.length_squared();
        distance2 < contact_mm * contact_mm
            && to_other.dot(input.wish_mm_s[i]) > AHEAD * (distance2 * input.wish_mm_s[i].length_squared()).sqrt()
    })
}
