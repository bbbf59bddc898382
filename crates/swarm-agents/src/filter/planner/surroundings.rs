//! What the bands of one plan have to avoid: the predicted feet.

use super::band::Plan;
use super::foot_prediction::{Extrapolation, FootPrediction};
use super::tube::Tubes;
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use crate::filter::near_feet::NearFeet;

/// Predicted feet, and the places that they leave.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// Places and velocities of the feet at the knots.
    pub(super) feet: FootPrediction,
    /// Feet that can meet a robot before the horizon.
    pub(super) near_feet: NearFeet,
    /// Places from which a lone robot can still get away.
    pub(super) tubes: Tubes,
}

impl Surroundings {
    /// Predicts the feet `age` ticks after the last plan.
    pub(super) fn rebuild(&mut self, model: &FilterModel, plan: &mut Plan, age: usize, input: &FilterInput<'_>) {
        Extrapolation::update(&mut plan.extrapolations, model, input.forecasts, age);
        self.feet.predict(model, &plan.rates, plan.extrapolations.iter().copied(), input);
        self.tubes.rebuild(model, &self.feet, &plan.rates, &plan.extrapolations, input);
        self.near_feet.rebuild(&input.agents.position_mm, input.feet_mm(), foot_radius_mm(model));
    }
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
