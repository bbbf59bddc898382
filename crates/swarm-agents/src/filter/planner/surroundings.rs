//! What the bands of one plan have to avoid: predicted feet, walls and each other.

use super::band::Plan;
use super::foot_prediction::{Extrapolation, FootPrediction};
use super::tube::Tubes;
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use crate::filter::near_feet::NearFeet;
use crate::{Neighbours, Walls};
use sim_core::DVec2;
use swarm_field::Ring;

/// Distances of two robots, in units of `d_r_mm`, up to which their bands can meet: in general, and where robots leave for one escape path
/// from farther away.
const REACH: (f64, f64) = (2.75, 5.0);

/// Predicted feet, and the places that they leave.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// Places and velocities of the feet at the knots.
    pub(super) feet: FootPrediction,
    /// Robots whose bands can meet.
    pub(super) neighbours: Neighbours,
    /// Feet that can meet a robot before the horizon.
    pub(super) near_feet: NearFeet,
    /// Walls that a band can come near to.
    pub(super) near_walls: NearWalls,
    /// Places from which a lone robot can still get away.
    pub(super) tubes: Tubes,
}

/// Walls near robots.
#[derive(Clone, Debug, Default)]
pub(super) struct NearWalls {
    walls: Walls,
    /// Numbers of rings; those of robot `i` stand at `start[i]..start[i + 1]`.
    rings: Vec<u32>,
    start: Vec<usize>,
}

impl NearWalls {
    fn rebuild(&mut self, walls: &Walls, places_mm: &[DVec2], radius_mm: f64) {
        self.rings.clear();
        self.start.clear();
        if walls.is_empty() {
            return;
        }
        self.walls = walls.clone();
        self.start.push(0);
        for &place_mm in places_mm {
            self.rings.extend(walls.obstacles().near(place_mm, radius_mm));
            self.start.push(self.rings.len());
        }
    }

    /// The rings that the band of robot `i` can come near to.
    pub(super) fn of(&self, i: usize) -> impl Iterator<Item = &Ring> {
        let span = self.start.get(i..=i + 1).map_or(0..0, |span| span[0]..span[1]);
        self.rings[span].iter().map(|&ring| &self.walls.obstacles().rings()[ring as usize])
    }
}

impl Surroundings {
    /// Predicts the feet, `plan.age` ticks after the last plan.
    pub(super) fn rebuild(&mut self, model: &FilterModel, plan: &mut Plan, input: &FilterInput<'_>) {
        Extrapolation::update(&mut plan.extrapolations, model, input.forecasts, plan.age);
        self.feet.predict(model, &plan.rates, plan.extrapolations.iter().copied(), input);
        self.tubes.rebuild(model, &self.feet, &plan.rates, &plan.extrapolations, input);
        let places_mm = &input.agents.position_mm;
        self.neighbours.rebuild(places_mm, self.pair_radius_mm(model));
        self.near_feet.rebuild(places_mm, input.feet_mm(), foot_radius_mm(model));
        self.near_walls.rebuild(&model.walls, places_mm, wall_radius_mm(model));
    }

    /// Distance within which the bands of two robots can meet, mm.
    fn pair_radius_mm(&self, model: &FilterModel) -> f64 {
        let reach = if self.tubes.expected.is_active() { REACH.1 } else { REACH.0 };
        reach * model.swarm.clearances.d_r_mm
    }
}

/// Distance within which a band can come near to a wall, mm.
fn wall_radius_mm(model: &FilterModel) -> f64 {
    let way_mm = model.tuning.horizon.knots as f64 * model.knot_s() * model.swarm.limits.v_max_mm_s;
    model.walls.clear_mm() + way_mm
}

/// Distance within which a foot can meet a robot before the horizon, mm.
fn foot_radius_mm(model: &FilterModel) -> f64 {
    let (horizon, margins, knot_s) = (&model.tuning.horizon, &model.tuning.margins, model.knot_s());
    let (horizon_s, tail_s) = (horizon.knots as f64 * knot_s, horizon.tail_knots as f64 * knot_s);
    let closing_mm_s = model.swarm.limits.v_max_mm_s + model.foot_speed_max_mm_s;
    model.swarm.clearances.d_h_mm
        + margins.foot_mm
        + horizon_s * (margins.foot_growth_mm_s + closing_mm_s)
        + tail_s * model.foot_speed_max_mm_s
}
