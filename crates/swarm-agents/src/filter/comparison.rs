//! What could be made of the wishes of a tick, to compare the executed velocities with. Nothing in a run reads it but its measures.

use super::exchange::FilterInput;
use super::model::FilterModel;
use super::nearest::{NearestScratch, project_wishes};
use crate::Neighbours;
use crate::drive;
use sim_core::DVec2;

/// Time for which a free robot could carry its wish out, s: the length of the planner's band.
const FREE_S: f64 = 0.7;
/// Distance beyond `d_r_mm` and `d_h_mm` that a free robot keeps in this time, mm.
const FREE_MM: f64 = 20.0;
/// Places on the way at which the distances are looked at.
const LOOKS: u32 = 14;

/// Ticks between two comparisons: 31 up to a hundred robots, and more in larger swarms, so that the cost of a robot stays small. The
/// number is odd, so every tick between two plans is seen alike.
#[must_use]
pub fn compared_every(robots: usize) -> u64 {
    (31 * robots.div_ceil(100).max(1) as u64) | 1
}

/// Comparison of the wishes of all robots, by robot.
#[derive(Clone, Debug, Default)]
pub struct WishComparison {
    /// What the drive's limits and the walls alone make of each wish in this tick, mm/s.
    pub drive_mm_s: Vec<DVec2>,
    /// What the drive makes of the velocities nearest to the wishes that keep the one-step constraints, mm/s.
    pub feasible_mm_s: Vec<DVec2>,
    /// Whether a robot is free: its wish carried out for 0.7 s keeps 20 mm more than each distance from the ways of all others.
    pub is_free: Vec<bool>,
    nearest: NearestScratch,
    neighbours: Neighbours,
    /// Expected places of the feet at the looks, those of a look together, mm.
    feet_mm: Vec<DVec2>,
}

impl WishComparison {
    /// Compares the wishes of a tick. Robots are expected to go straight on, feet to go their own way.
    pub fn compare(&mut self, model: &FilterModel, input: &FilterInput<'_>) {
        let (swarm, agents) = (&model.swarm, input.agents);
        let driven = |i, mm_s| drive::advance(swarm, &agents.motion(i), mm_s).velocity_mm_s;
        self.drive_mm_s.clear();
        self.drive_mm_s.extend(input.wish_mm_s.iter().enumerate().map(|(i, &wish)| driven(i, wish)));
        self.feasible_mm_s.clear();
        self.feasible_mm_s.extend(input.bounded_wishes_mm_s(model));
        project_wishes(model, &mut self.nearest, input, &mut self.feasible_mm_s);
        self.feasible_mm_s.iter_mut().enumerate().for_each(|(i, velocity)| *velocity = driven(i, *velocity));
        let reach_mm = 2.0 * swarm.limits.v_max_mm_s * FREE_S;
        self.neighbours.rebuild(&agents.position_mm, swarm.clearances.d_r_mm + FREE_MM + reach_mm);
        self.expect_feet(swarm.step_s, input);
        let (neighbours, feet_mm) = (&self.neighbours, &self.feet_mm[..]);
        self.is_free.clear();
        self.is_free.extend((0..agents.len()).map(|i| is_free(model, (neighbours, feet_mm), input, i)));
    }

    fn expect_feet(&mut self, step_s: f64, input: &FilterInput<'_>) {
        let at_look = |look| (0..input.feet.len()).map(move |foot| input.foot_mm(foot, look_s(look) / step_s));
        self.feet_mm.clear();
        self.feet_mm.extend((1..=LOOKS).flat_map(at_look));
    }
}

/// Time from now to a look, s.
fn look_s(look: u32) -> f64 {
    FREE_S * f64::from(look) / f64::from(LOOKS)
}

/// True if robot `i` could carry its wish out, with the feet at their expected places.
fn is_free(
    model: &FilterModel,
    (neighbours, feet_mm): (&Neighbours, &[DVec2]),
    input: &FilterInput<'_>,
    i: usize,
) -> bool {
    let (agents, swarm, clearances) = (input.agents, &model.swarm, &model.swarm.clearances);
    let (d_r_mm, d_h_mm) = (clearances.d_r_mm + FREE_MM, clearances.d_h_mm + FREE_MM);
    let start = (agents.position_mm[i], agents.velocity_mm_s[i]);
    (1..=LOOKS).all(|look| {
        let after_s = look_s(look);
        let feet_mm = &feet_mm[(look - 1) as usize * input.feet.len()..][..input.feet.len()];
        let place_mm = wished_place_mm(start, input.wish_mm_s[i], swarm.limits.a_max_mm_s2, after_s);
        let is_clear =
            |other_mm: DVec2, distance_mm: f64| other_mm.distance_squared(place_mm) >= distance_mm * distance_mm;
        let straight_on_mm = |j: usize| agents.position_mm[j] + agents.velocity_mm_s[j] * after_s;
        swarm.bounds.contains(place_mm)
            && model.walls.is_clear(place_mm)
            && feet_mm.iter().all(|&foot_mm| is_clear(foot_mm, d_h_mm))
            && neighbours.of(i).iter().all(|&j| is_clear(straight_on_mm(j as usize), d_r_mm))
    })
}

/// Place after a time in which the velocity first turns to the wish, as fast as the limit of acceleration allows, and then stays, mm:
/// `p + v t + (w - v) t^2 / (2 t_w)` up to `t_w = |w - v| / a`, then straight on.
fn wished_place_mm((place_mm, velocity_mm_s): (DVec2, DVec2), wish_mm_s: DVec2, a_mm_s2: f64, after_s: f64) -> DVec2 {
    let change_mm_s = wish_mm_s - velocity_mm_s;
    let turn_s = change_mm_s.length() / a_mm_s2;
    if after_s < turn_s {
        return place_mm + velocity_mm_s * after_s + change_mm_s * (0.5 * after_s * after_s / turn_s);
    }
    place_mm + wish_mm_s * after_s - change_mm_s * (0.5 * turn_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_swarms_are_compared_less_often_and_at_odd_ticks() {
        assert_eq!([0, 1, 100, 101, 1000, 10_000].map(compared_every), [31, 31, 31, 63, 311, 3101]);
    }

    #[test]
    fn a_wish_across_bends_the_way_and_then_leads_straight_on() {
        let start = (DVec2::ZERO, DVec2::new(100.0, 0.0));
        let wish = DVec2::new(100.0, 200.0);
        // 200 mm/s at 1000 mm/s^2 take 0.2 s: 20 mm ahead and 20 mm aside; 0.1 s later 10 and 20 mm more.
        let at = |after_s| wished_place_mm(start, wish, 1000.0, after_s);
        assert!(at(0.1).distance(DVec2::new(10.0, 5.0)) < 1e-12);
        assert!(at(0.2).distance(DVec2::new(20.0, 20.0)) < 1e-12);
        assert!(at(0.3).distance(DVec2::new(30.0, 40.0)) < 1e-12);
        assert_eq!(wished_place_mm((DVec2::X, DVec2::ZERO), DVec2::ZERO, 1000.0, 0.5), DVec2::X);
    }
}
