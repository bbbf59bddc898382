//! What stands on the mat, and the distance that robots keep from it.
//!
//! # Equation
//! A robot whose centre is `D'` from every point of an edge in two successive ticks, and moves by at most `s` in between, is no nearer than
//! `sqrt(D'^2 - (s/2)^2)` on the way. So `D' = sqrt(margin^2 + (s/2)^2)` in every tick keeps the margin between ticks, too. This holds
//! point by point, so edges may meet in corners of any kind.
//!
//! An edge bounds the velocity of a robot as a foot that stands does: it closes no faster than can be stopped in the gap. The bound is
//! linear along the line to the edge's nearest point. An edge is convex, so the bound is conservative for the distance after the step.

use crate::SwarmModel;
use crate::drive::{WALL_SHARE, stoppable_mm_s};
use sim_core::DVec2;
use std::sync::Arc;
use swarm_field::Obstacles;

/// Obstacles with the distance to keep from them. Fixed for a run.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    obstacles: Arc<Obstacles>,
    margin_mm: f64,
    clear_mm: f64,
}

impl Walls {
    /// Robots of `swarm` keep `margin_mm` from obstacles.
    #[must_use]
    pub fn new(obstacles: Arc<Obstacles>, margin_mm: f64, swarm: &SwarmModel) -> Self {
        let half_step_mm = 0.5 * swarm.limits.v_max_mm_s * swarm.step_s;
        let clear_mm = (margin_mm * margin_mm + half_step_mm * half_step_mm).sqrt() * (1.0 + 1e-12);
        Self { obstacles, margin_mm, clear_mm }
    }

    /// True if nothing stands on the mat.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// What stands on the mat.
    #[must_use]
    pub fn obstacles(&self) -> &Arc<Obstacles> {
        &self.obstacles
    }

    /// Distance that is kept in every tick, mm, so that the margin is kept between two of them.
    #[must_use]
    pub fn clear_mm(&self) -> f64 {
        self.clear_mm
    }

    /// True if a robot may be at a place in a tick.
    #[inline]
    #[must_use]
    pub fn is_clear(&self, place_mm: DVec2) -> bool {
        self.is_empty() || self.obstacles.is_clear(place_mm, self.clear_mm)
    }

    /// By how much a robot comes nearer than its margin on the way between two places, mm; 0 if it does not. Of a way into or through an
    /// obstacle it is the margin and the length of the way.
    #[must_use]
    pub fn lack_mm(&self, from_mm: DVec2, to_mm: DVec2) -> f64 {
        if self.is_empty() || self.obstacles.is_way_clear(from_mm, to_mm, self.margin_mm.max(1e-9)) {
            return 0.0;
        }
        match self.obstacles.way_distance_mm(from_mm, to_mm) {
            0.0 => self.margin_mm + from_mm.distance(to_mm),
            distance_mm => (self.margin_mm - distance_mm).max(0.0),
        }
    }

    /// The velocity nearest to `velocity_mm_s`, edge by edge, from which a robot at `place_mm` stops before each edge, mm/s.
    #[inline]
    #[must_use]
    pub fn bounded(&self, swarm: &SwarmModel, place_mm: DVec2, velocity_mm_s: DVec2) -> DVec2 {
        if self.is_empty() { velocity_mm_s } else { self.bounded_by_edges(swarm, place_mm, velocity_mm_s) }
    }

    fn bounded_by_edges(&self, swarm: &SwarmModel, place_mm: DVec2, velocity_mm_s: DVec2) -> DVec2 {
        let a_mm_s2 = WALL_SHARE * swarm.limits.a_max_mm_s2;
        let far_mm = self.clear_mm + swarm.edge_reach_mm;
        let mut v = velocity_mm_s;
        for ring in self.obstacles.near(place_mm, far_mm).map(|number| &self.obstacles.rings()[number as usize]) {
            for nearest_mm in ring.nearest_of_edges_mm(place_mm) {
                let off = place_mm - nearest_mm;
                let length = off.length();
                if length > 0.0 && length < far_mm {
                    let away = off / length;
                    let stoppable = stoppable_mm_s(length - self.clear_mm, a_mm_s2, swarm.step_s);
                    let lack = -stoppable - v.dot(away);
                    v += away * lack.max(0.0);
                }
            }
        }
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clearances, Drive, Limits};
    use sim_core::Rect;
    use swarm_field::Ring;

    fn swarm() -> SwarmModel {
        let mat = Rect::from_size(600.0, 600.0);
        SwarmModel::new(mat, Clearances::default(), Limits::default(), Drive::Point, 60).unwrap()
    }

    /// A square of 200 mm in the middle of the mat, with a margin of 16 mm.
    fn walls() -> Walls {
        let corners = [(200.0, 200.0), (400.0, 200.0), (400.0, 400.0), (200.0, 400.0)].map(DVec2::from);
        Walls::new(Arc::new(Obstacles::new(vec![Ring::new(corners.into())])), 16.0, &swarm())
    }

    /// 252 mm/s are 4.2 mm a step: sqrt(16^2 + 2.1^2) = 16.1372.
    #[test]
    fn the_clear_distance_covers_half_a_step() {
        assert!((walls().clear_mm() - 16.137_224).abs() < 1e-6);
        assert!(walls().is_clear(DVec2::new(183.8, 300.0)) && !walls().is_clear(DVec2::new(183.9, 300.0)));
        assert!(!walls().is_clear(DVec2::new(300.0, 300.0)));
    }

    /// 8 mm before the distance: the root of v / 60 + v^2 / 4200 = 8 is 151.614 mm/s, as before the edge of the mat.
    #[test]
    fn before_a_wall_it_is_damped_to_what_can_be_stopped() {
        let walls = walls();
        let place = DVec2::new(200.0 - walls.clear_mm() - 8.0, 300.0);
        let v = walls.bounded(&swarm(), place, DVec2::new(252.0, 60.0));
        assert!((v.x - 151.614).abs() < 0.01 && v.y == 60.0, "{v}");
        let away = DVec2::new(-252.0, 60.0);
        assert_eq!(walls.bounded(&swarm(), place, away), away);
    }

    #[test]
    fn what_lacks_to_the_margin_is_that_of_the_way() {
        let lack = |a: (f64, f64), b: (f64, f64)| walls().lack_mm(a.into(), b.into());
        assert_eq!(lack((180.0, 180.0), (180.0, 420.0)), 0.0);
        assert_eq!(lack((190.0, 210.0), (190.0, 212.0)), 6.0);
        assert_eq!(lack((199.0, 300.0), (203.0, 300.0)), 20.0);
        // Both ends are 16 mm from the corner, which the middle of the way passes at 16 / sqrt 2.
        let past = lack((184.0, 200.0), (200.0, 184.0));
        assert!((past - 16.0 * (1.0 - std::f64::consts::FRAC_1_SQRT_2)).abs() < 1e-9, "{past}");
    }
}
