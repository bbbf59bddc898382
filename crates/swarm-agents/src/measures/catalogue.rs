//! The list of measures: one line each, in the order in which tables show them. The order is part of the outward shape: new measures
//! are appended to their group and old ones keep their names.

use super::MeasureModel;
use sim_core::measure::{Bound, Fold, Limit, Measure, Metric, Tolerance};

/// Allowed excess over a limit, as a share of the limit: rounding of the state must not count as breaking a bound.
pub const LIMIT_TOLERANCE: f64 = 1e-6;

/// Allowed shortfall of a distance, in mm (reading A24).
pub const DISTANCE_TOLERANCE_MM: f64 = 1e-6;

impl MeasureModel {
    /// What a measure of the swarm is held to, in the measure's unit. Without robots, only numbers that are not finite break something.
    #[must_use]
    pub fn limit(&self, measure: &Measure) -> Option<f64> {
        if self.robots == 0 && measure.name != "non_finite" {
            return None;
        }
        measure.bound.limit(|name| match name {
            "d_r_mm" => Some(self.d_r_mm),
            "d_h_mm" => Some(self.d_h_mm),
            "v_max_mm_s" => Some(self.v_max_mm_s),
            "a_max_mm_s2" => Some(self.a_max_mm_s2),
            "omega_max_rad_s" => Some(self.omega_max_rad_s),
            "tracking_mm" => self.tracking_mm,
            _ => None,
        })
    }
}

/// What measures of the swarm are held to.
mod bound {
    use super::{Bound, DISTANCE_TOLERANCE_MM, LIMIT_TOLERANCE, Limit, Tolerance};

    pub const FREE: Bound = Bound::Free;
    pub const ZERO: Bound = Bound::ZERO;
    pub const TINY: Bound = Bound::AtMost(Limit::Constant(DISTANCE_TOLERANCE_MM), Tolerance::Exact);
    pub const ROBOT_DISTANCE: Bound = distance("d_r_mm");
    pub const FOOT_DISTANCE: Bound = distance("d_h_mm");
    pub const SPEED: Bound = rate("v_max_mm_s");
    pub const ACCELERATION: Bound = rate("a_max_mm_s2");
    pub const TURN_RATE: Bound = rate("omega_max_rad_s");
    pub const TRACKING: Bound = Bound::AtMost(Limit::Parameter("tracking_mm"), Tolerance::Exact);

    const fn distance(parameter: &'static str) -> Bound {
        Bound::AtLeast(Limit::Parameter(parameter), Tolerance::Absolute(DISTANCE_TOLERANCE_MM))
    }

    const fn rate(parameter: &'static str) -> Bound {
        Bound::AtMost(Limit::Parameter(parameter), Tolerance::Relative(LIMIT_TOLERANCE))
    }
}

/// All measures in table order. `docs/models/measures.md` says what each one means.
pub const MEASURES: &[Measure] = {
    use Fold as F;

    &[
        // The acceptance lines.
        Measure::new("d_r_violations", "count", bound::ZERO, F::Sum),
        Measure::new("d_h_violations", "count", bound::ZERO, F::Sum),
        Measure::new("outside_mat", "count", bound::ZERO, F::Sum),
        Measure::new("accel_limit_violations", "count", bound::ZERO, F::Sum),
        Measure::new("turn_limit_violations", "count", bound::ZERO, F::Sum),
        Measure::new("speed_limit_violations", "count", bound::ZERO, F::Sum),
        Measure::new("non_finite", "count", bound::ZERO, F::Sum),
        // Distances.
        Measure::new("min_robot_robot_mm", "mm", bound::ROBOT_DISTANCE, F::Min),
        Measure::new("min_robot_robot_at_s", "s", bound::FREE, F::Skip),
        Measure::new("min_robot_foot_mm", "mm", bound::FOOT_DISTANCE, F::Min),
        Measure::new("min_robot_foot_at_s", "s", bound::FREE, F::Skip),
        Measure::new("d_r_violating_steps", "count", bound::FREE, F::Sum),
        Measure::new("d_h_violating_steps", "count", bound::FREE, F::Sum),
        Measure::new("violating_step_share", "1", bound::FREE, F::Mean),
        Measure::new("d_r_episodes", "count", bound::FREE, F::Sum),
        Measure::new("d_h_episodes", "count", bound::FREE, F::Sum),
        Measure::new("d_r_deepest_mm", "mm", bound::FREE, F::Max),
        Measure::new("d_h_deepest_mm", "mm", bound::FREE, F::Max),
        Measure::new("sealed_pockets", "count", bound::FREE, F::Sum),
        Measure::new("sealed_pocket_violations", "count", bound::FREE, F::Sum),
        Measure::new("outside_max_mm", "mm", bound::TINY, F::Max),
        Measure::new("comfort_share", "1", bound::FREE, F::Mean),
        Measure::new("nearest_robot_mean_mm", "mm", bound::FREE, F::Mean),
        Measure::new("near_foot_share", "1", bound::FREE, F::Mean),
        // Motion.
        Measure::new("motion_error_max_mm", "mm", bound::TINY, F::Max),
        Measure::new("tracking_error_max_mm", "mm", bound::TRACKING, F::Max),
        Measure::new("speed_max_mm_s", "mm/s", bound::SPEED, F::Max),
        Measure::new("speed_mean_mm_s", "mm/s", bound::FREE, F::Mean),
        Measure::new("accel_max_mm_s2", "mm/s2", bound::ACCELERATION, F::Max),
        Measure::new("accel_p99_mm_s2", "mm/s2", bound::FREE, F::Mean),
        Measure::new("accel_mean_mm_s2", "mm/s2", bound::FREE, F::Mean),
        Measure::new("speed_change_max_mm_s2", "mm/s2", bound::FREE, F::Max),
        Measure::new("speed_change_p99_mm_s2", "mm/s2", bound::FREE, F::Mean),
        Measure::new("speed_change_mean_mm_s2", "mm/s2", bound::FREE, F::Mean),
        Measure::new("turn_rate_max_rad_s", "rad/s", bound::TURN_RATE, F::Max),
        Measure::new("turn_rate_p99_rad_s", "rad/s", bound::FREE, F::Mean),
        Measure::new("turn_rate_mean_rad_s", "rad/s", bound::FREE, F::Mean),
        Measure::new("jerk_rms_mm_s3", "mm/s3", bound::FREE, F::Mean),
        Measure::new("jerk_rms_normalised", "1", bound::FREE, F::Mean),
        // What the filter left of the wish.
        Measure::new("wish_followed_share", "1", bound::FREE, F::Mean),
        Measure::new("wish_difference_mean_mm_s", "mm/s", bound::FREE, F::Mean),
        Measure::new("wish_feasible_followed_share", "1", bound::FREE, F::Mean),
        Measure::new("wish_free_share", "1", bound::FREE, F::Mean),
        Measure::new("wish_followed_free_share", "1", bound::FREE, F::Mean),
        Measure::new("wish_gain", "1", bound::FREE, F::Mean),
        Measure::new("wish_cosine", "1", bound::FREE, F::Mean),
        Measure::new("wish_lag_s", "s", bound::FREE, F::Mean),
        Measure::new("proposal_share", "1", bound::FREE, F::Mean),
        Measure::new("brake_share", "1", bound::FREE, F::Mean),
        Measure::new("solo_share", "1", bound::FREE, F::Mean),
        Measure::new("fallback_share", "1", bound::FREE, F::Mean),
        // Liveliness.
        Measure::new("moving_share", "1", bound::FREE, F::Mean),
        Measure::new("moving_share_roam", "1", bound::FREE, F::Mean),
        Measure::new("path_length_mean_mm", "mm", bound::FREE, F::Mean),
        Measure::new("straightness_1s", "1", bound::FREE, F::Mean),
        Measure::new("still_longest_s", "s", bound::FREE, F::Max),
        Measure::new("coverage_share", "1", bound::FREE, F::Mean),
        Measure::new("coverage_per_robot_share", "1", bound::FREE, F::Mean),
        Measure::new("occupancy_entropy", "1", bound::FREE, F::Mean),
        Measure::new("wall_share", "1", bound::FREE, F::Mean),
        Measure::new("inner_use_ratio", "1", bound::FREE, F::Mean),
        Measure::new("inner_reuse_mean_s", "s", bound::FREE, F::Mean),
        Measure::new("inner_reuse_max_s", "s", bound::FREE, F::Max),
        // Attraction and danger.
        Measure::new("near_patch_ratio", "1", bound::FREE, F::Mean),
        Measure::new("near_patch_share", "1", bound::FREE, F::Mean),
        Measure::new("near_patch_area_share", "1", bound::FREE, F::Mean),
        Measure::new("danger_mean", "1", bound::FREE, F::Mean),
        // Feet and the space around them.
        Measure::new("foot_waits", "1", bound::FREE, F::Mean),
        Measure::new("foot_waits_worst", "1", bound::FREE, F::Max),
        Measure::new("foot_slowed_share", "1", bound::FREE, F::Mean),
        Measure::new("foot_stopped_share", "1", bound::FREE, F::Mean),
        Measure::new("foot_block_longest_s", "s", bound::FREE, F::Max),
        Measure::new("arrivals_cleared_share", "1", bound::FREE, F::Mean),
        Measure::new("arrival_clear_mean_s", "s", bound::FREE, F::Mean),
        Measure::new("refill_mean_s", "s", bound::FREE, F::Mean),
        Measure::new("refill_max_s", "s", bound::FREE, F::Max),
        // Goals.
        Measure::new("goals_given", "count", bound::FREE, F::Sum),
        Measure::new("goal_arrival_share", "1", bound::FREE, F::Mean),
        Measure::new("goal_time_to_arrive_s", "s", bound::FREE, F::Mean),
    ]
};

/// Collects the values of a run in the order of [`MEASURES`].
pub(super) struct Table<'a> {
    model: &'a MeasureModel,
    metrics: Vec<Metric>,
}

impl<'a> Table<'a> {
    pub(super) fn new(model: &'a MeasureModel) -> Self {
        Self { model, metrics: Vec::with_capacity(MEASURES.len()) }
    }

    /// Takes the next value; the name is given again so that a reader sees what is reported where.
    pub(super) fn push(&mut self, name: &'static str, value: f64) {
        let measure = &MEASURES[self.metrics.len()];
        debug_assert_eq!(measure.name, name, "measures are reported in the order of their list");
        self.metrics.push(measure.metric(value, self.model.limit(measure)));
    }

    pub(super) fn count(&mut self, name: &'static str, value: u64) {
        self.push(name, value as f64);
    }

    pub(super) fn finish(self) -> Vec<Metric> {
        debug_assert_eq!(self.metrics.len(), MEASURES.len(), "every measure is reported");
        self.metrics
    }
}

/// `part / whole`, NaN for an empty whole.
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { f64::NAN }
}

/// Share of counts, NaN for an empty whole.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    ratio(part as f64, whole as f64)
}
