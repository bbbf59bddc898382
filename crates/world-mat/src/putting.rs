//! Robots that a hand puts elsewhere, where that breaks no distance; and robots that part for a filter that could not begin among them.

use crate::events::{EventObject, WorldEvent};
use crate::world::{MatModel, MatState};
use sim_core::{DVec2, Tick};
use swarm_agents::drive::Motion;
use swarm_agents::filter::clear_distances_mm;
use swarm_agents::measures::Party;
use swarm_agents::{Agents, Neighbours};
use swarm_field::Manner;

/// Robots part until they have so much more than the distance that they must keep, mm.
const SPARE_MM: f64 = 2.0;
/// Share of the lack of distance that a robot makes good in a second, away from the other one and across: rows along an edge that only push
/// apart stand.
const PART_PER_S: DVec2 = DVec2::new(6.0, 4.0);

/// Wishes of robots that part: away from all others that are too near, as far as they are. Feet are not looked at: the filter that waits
/// leads robots away from them.
pub(crate) fn part(model: &MatModel, robots: &Agents, wishes_mm_s: &mut [DVec2]) {
    let distance_mm = clear_distances_mm(&model.filter).0 + SPARE_MM;
    let mut neighbours = Neighbours::default();
    neighbours.rebuild(&robots.position_mm, distance_mm);
    for (i, (wish, &place_mm)) in wishes_mm_s.iter_mut().zip(&robots.position_mm).enumerate() {
        let ways = neighbours.of(i).iter().map(|&j| {
            // Two at one place go apart along the axes, by their numbers.
            let aside = if (j as usize) < i { DVec2::X } else { DVec2::NEG_X };
            away(place_mm, robots.position_mm[j as usize], distance_mm, aside)
        });
        *wish = ways.sum::<DVec2>().rotate(PART_PER_S);
    }
}

/// The way from another body that restores a distance, mm; `aside` where both are at one place.
fn away(place_mm: DVec2, other_mm: DVec2, distance_mm: f64, aside: DVec2) -> DVec2 {
    let way = place_mm - other_mm;
    way.normalize_or(aside) * (distance_mm - way.length()).max(0.0)
}

/// Puts a robot at a place (mm; heading in rad, none leaves it), at rest, if nothing is too near. Returns the event of either.
pub(crate) fn put(
    model: &MatModel,
    tick: Tick,
    (robot, (place_mm, heading_rad)): (usize, (DVec2, Option<f64>)),
    state: &mut MatState,
) -> WorldEvent {
    let heading_rad = heading_rad.unwrap_or(state.agents.heading_rad[robot]);
    if let Some(object) = in_the_way(model, robot, place_mm, state) {
        return WorldEvent::put_refused(tick, robot, object);
    }
    if !state.filter.put(&model.filter, robot, place_mm, heading_rad) {
        return WorldEvent::put_refused(tick, robot, EventObject::Word("path"));
    }
    let velocity_mm_s = DVec2::ZERO;
    let rest = Motion { position_mm: place_mm, velocity_mm_s, heading_rad, speed_mm_s: 0.0, omega_rad_s: 0.0 };
    state.agents.set(robot, rest);
    WorldEvent::put(tick, robot, place_mm)
}

/// What is too near to a place for a robot to stand there.
fn in_the_way(model: &MatModel, robot: usize, place_mm: DVec2, state: &MatState) -> Option<EventObject> {
    if !model.swarm.bounds.contains(place_mm) {
        return Some(EventObject::Word("edge"));
    }
    if !model.filter.walls.is_clear(place_mm) {
        return Some(EventObject::Word("wall"));
    }
    let (pair_mm, _) = clear_distances_mm(&model.filter);
    let is_near = |&(other, other_mm): &(usize, &DVec2)| other != robot && other_mm.distance(place_mm) < pair_mm;
    if let Some((other, _)) = state.agents.position_mm.iter().enumerate().find(is_near) {
        return Some(EventObject::Party(Party::Agent(other as u32)));
    }
    let foot = (0..state.feet.len()).find(|&k| comes_near(model, state, k, place_mm));
    foot.map(|k| EventObject::Party(Party::Foot(k as u32)))
}

/// True if a foot is too near to a place, or one that robots rely on to wait may be there before it has stopped.
fn comes_near(model: &MatModel, state: &MatState, foot: usize, place_mm: DVec2) -> bool {
    let (_, foot_mm) = clear_distances_mm(&model.filter);
    let filter = &model.filter;
    let (frames, slack_mm) = match filter.manner {
        Manner::Stubborn => (0, 0.0),
        // It goes along its path, and may stop between two frames.
        Manner::Considerate => (state.feet.path_frames(), filter.foot_speed_max_mm_s * filter.swarm.step_s),
    };
    let is_near = |frame: usize| state.feet.path_mm(foot, frame as f64).distance(place_mm) < foot_mm + slack_mm;
    (0..=frames).any(is_near)
}
