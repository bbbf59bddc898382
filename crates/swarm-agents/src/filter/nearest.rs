//! The velocities nearest to the wishes that keep all one-step constraints: a measuring stick for filters.
//!
//! The one-step projection alone, without look-ahead: it changes all wishes together as little as possible so that each closing speed can
//! be stopped in its gap. Nothing follows for the ticks after: a crowd in front of a foot that never waits is caught by a hair.

use super::certificate::projection::{FOOT_GAP_MM, MAX_ROUNDS, Near, ProjectionScratch, pair_radius_mm, project};
use super::certificate::proof::ClearDistances;
use super::exchange::FilterInput;
use super::model::FilterModel;
use super::near_feet::NearFeet;
use crate::Neighbours;
use sim_core::DVec2;

/// Buffers of [`project_wishes`].
#[derive(Clone, Debug, Default)]
pub(super) struct NearestScratch {
    neighbours: Neighbours,
    near_feet: NearFeet,
    projection: ProjectionScratch,
}

/// Replaces wishes that keep the walls, mm/s, by the nearest velocities that the drive's limits and the one-step constraints allow as well.
pub(super) fn project_wishes(
    model: &FilterModel,
    scratch: &mut NearestScratch,
    input: &FilterInput<'_>,
    wishes_mm_s: &mut [DVec2],
) {
    let places_mm = &input.agents.position_mm;
    let clear = ClearDistances::new(model);
    scratch.neighbours.rebuild(places_mm, pair_radius_mm(&model.swarm, clear.pair_mm));
    scratch.near_feet.rebuild(places_mm, input.feet_mm(), clear.foot_mm + FOOT_GAP_MM);
    let near = Near {
        robots: &scratch.neighbours,
        feet: &scratch.near_feet,
        led: &[],
        ahead_ticks: 0.0,
        max_rounds: MAX_ROUNDS,
    };
    project(model, &mut scratch.projection, input, &near, (clear.pair_mm, clear.foot_mm), wishes_mm_s);
}
