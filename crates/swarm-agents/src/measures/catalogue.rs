//! The list of measures: one line each, in the order in which tables show them. The order is part of the outward shape: new measures
//! are appended to their group and old ones keep their names.

use super::MeasureModel;

/// Allowed excess over a limit, as a share of the limit: rounding of the state must not count as breaking a bound.
pub const LIMIT_TOLERANCE: f64 = 1e-6;

/// Allowed shortfall of a distance, in mm (reading A24).
pub const DISTANCE_TOLERANCE_MM: f64 = 1e-6;

/// One measured figure of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Name, which never changes: tables and scripts refer to it.
    pub name: &'static str,
    /// Value in `unit`; NaN where it has no meaning (no feet, no patches, no pair): an empty cell of a table.
    pub value: f64,
    /// Unit; `1` for shares and ratios, `count` for counts.
    pub unit: &'static str,
    /// The bound that applies, if there is one.
    pub limit: Option<f64>,
    /// Whether the bound is met; `None` without a bound or without a value.
    pub ok: Option<bool>,
}

/// True if all measures meet their bounds.
#[must_use]
pub fn accepted(metrics: &[Metric]) -> bool {
    metrics.iter().all(|metric| metric.ok != Some(false))
}

/// Combination of the values of many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Counts add up.
    Sum,
    /// Shares, means and quantiles: the mean over the runs that have a value.
    Mean,
    /// The smallest of the runs.
    Min,
    /// The largest of the runs.
    Max,
    /// Without meaning over several runs (a time within one run): left out.
    Skip,
}

/// The bound of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    Free,
    /// Must be exactly zero.
    Zero,
    /// At most the tolerance of distances.
    Tiny,
    /// At least the robot-robot distance.
    RobotDistance,
    /// At least the robot-foot distance.
    FootDistance,
    /// At most the speed limit.
    Speed,
    /// At most the acceleration limit.
    Acceleration,
    /// At most the turn limit.
    TurnRate,
    /// At most the declared tracking error, where one is declared.
    Tracking,
}

impl Bound {
    fn limit(self, model: &MeasureModel) -> Option<f64> {
        match self {
            Self::Free => None,
            Self::Zero => Some(0.0),
            Self::Tiny => Some(DISTANCE_TOLERANCE_MM),
            Self::RobotDistance => Some(model.d_r_mm),
            Self::FootDistance => Some(model.d_h_mm),
            Self::Speed => Some(model.v_max_mm_s),
            Self::Acceleration => Some(model.a_max_mm_s2),
            Self::TurnRate => Some(model.omega_max_rad_s),
            Self::Tracking => model.tracking_mm,
        }
    }

    /// Whether `value` keeps to `limit`, tolerance included.
    #[must_use]
    pub fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Free => true,
            Self::Zero | Self::Tiny | Self::Tracking => value <= limit,
            Self::RobotDistance | Self::FootDistance => value >= limit - DISTANCE_TOLERANCE_MM,
            Self::Speed | Self::Acceleration | Self::TurnRate => value <= limit * (1.0 + LIMIT_TOLERANCE),
        }
    }
}

/// Name, unit and bound of a measure.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Name of the measure.
    pub name: &'static str,
    /// Unit of its value.
    pub unit: &'static str,
    /// Its bound.
    pub bound: Bound,
    /// Combination over runs.
    pub fold: Fold,
}

impl Definition {
    /// The bound for a model, in the unit of the measure.
    #[must_use]
    pub fn limit(&self, model: &MeasureModel) -> Option<f64> {
        self.bound.limit(model)
    }
}

const fn line(name: &'static str, unit: &'static str, bound: Bound, fold: Fold) -> Definition {
    Definition { name, unit, bound, fold }
}

/// All measures in table order. `docs/models/measures.md` explains each one.
pub const DEFINITIONS: &[Definition] = {
    use {Bound as B, Fold as F};
    &[
        // The acceptance lines.
        line("d_r_violations", "count", B::Zero, F::Sum),
        line("d_h_violations", "count", B::Zero, F::Sum),
        line("outside_mat", "count", B::Zero, F::Sum),
        line("accel_limit_violations", "count", B::Zero, F::Sum),
        line("turn_limit_violations", "count", B::Zero, F::Sum),
        line("speed_limit_violations", "count", B::Zero, F::Sum),
        line("non_finite", "count", B::Zero, F::Sum),
        // Distances.
        line("min_robot_robot_mm", "mm", B::RobotDistance, F::Min),
        line("min_robot_robot_at_s", "s", B::Free, F::Skip),
        line("min_robot_foot_mm", "mm", B::FootDistance, F::Min),
        line("min_robot_foot_at_s", "s", B::Free, F::Skip),
        line("d_r_violating_steps", "count", B::Free, F::Sum),
        line("d_h_violating_steps", "count", B::Free, F::Sum),
        line("violating_step_share", "1", B::Free, F::Mean),
        line("d_r_episodes", "count", B::Free, F::Sum),
        line("d_h_episodes", "count", B::Free, F::Sum),
        line("d_r_deepest_mm", "mm", B::Free, F::Max),
        line("d_h_deepest_mm", "mm", B::Free, F::Max),
        line("sealed_pockets", "count", B::Free, F::Sum),
        line("sealed_pocket_violations", "count", B::Free, F::Sum),
        line("outside_max_mm", "mm", B::Tiny, F::Max),
        line("comfort_share", "1", B::Free, F::Mean),
        line("nearest_robot_mean_mm", "mm", B::Free, F::Mean),
        line("near_foot_share", "1", B::Free, F::Mean),
        // Motion.
        line("motion_error_max_mm", "mm", B::Tiny, F::Max),
        line("tracking_error_max_mm", "mm", B::Tracking, F::Max),
        line("speed_max_mm_s", "mm/s", B::Speed, F::Max),
        line("speed_mean_mm_s", "mm/s", B::Free, F::Mean),
        line("accel_max_mm_s2", "mm/s2", B::Acceleration, F::Max),
        line("accel_p99_mm_s2", "mm/s2", B::Free, F::Mean),
        line("accel_mean_mm_s2", "mm/s2", B::Free, F::Mean),
        line("speed_change_max_mm_s2", "mm/s2", B::Free, F::Max),
        line("speed_change_p99_mm_s2", "mm/s2", B::Free, F::Mean),
        line("speed_change_mean_mm_s2", "mm/s2", B::Free, F::Mean),
        line("turn_rate_max_rad_s", "rad/s", B::TurnRate, F::Max),
        line("turn_rate_p99_rad_s", "rad/s", B::Free, F::Mean),
        line("turn_rate_mean_rad_s", "rad/s", B::Free, F::Mean),
        line("jerk_rms_mm_s3", "mm/s3", B::Free, F::Mean),
        line("jerk_rms_normalised", "1", B::Free, F::Mean),
        // What the filter left of the wish.
        line("wish_followed_share", "1", B::Free, F::Mean),
        line("wish_difference_mean_mm_s", "mm/s", B::Free, F::Mean),
        line("proposal_share", "1", B::Free, F::Mean),
        line("brake_share", "1", B::Free, F::Mean),
        line("solo_share", "1", B::Free, F::Mean),
        line("fallback_share", "1", B::Free, F::Mean),
        // Liveliness.
        line("moving_share", "1", B::Free, F::Mean),
        line("moving_share_roam", "1", B::Free, F::Mean),
        line("path_length_mean_mm", "mm", B::Free, F::Mean),
        line("straightness_1s", "1", B::Free, F::Mean),
        line("still_longest_s", "s", B::Free, F::Max),
        line("coverage_share", "1", B::Free, F::Mean),
        line("coverage_per_robot_share", "1", B::Free, F::Mean),
        line("occupancy_entropy", "1", B::Free, F::Mean),
        line("wall_share", "1", B::Free, F::Mean),
        line("inner_use_ratio", "1", B::Free, F::Mean),
        line("inner_reuse_mean_s", "s", B::Free, F::Mean),
        line("inner_reuse_max_s", "s", B::Free, F::Max),
        // Attraction and danger.
        line("near_patch_ratio", "1", B::Free, F::Mean),
        line("near_patch_share", "1", B::Free, F::Mean),
        line("near_patch_area_share", "1", B::Free, F::Mean),
        line("danger_mean", "1", B::Free, F::Mean),
        // Feet and the space around them.
        line("foot_waits", "1", B::Free, F::Mean),
        line("foot_waits_worst", "1", B::Free, F::Max),
        line("foot_slowed_share", "1", B::Free, F::Mean),
        line("foot_stopped_share", "1", B::Free, F::Mean),
        line("foot_block_longest_s", "s", B::Free, F::Max),
        line("arrivals_cleared_share", "1", B::Free, F::Mean),
        line("arrival_clear_mean_s", "s", B::Free, F::Mean),
        line("refill_mean_s", "s", B::Free, F::Mean),
        line("refill_max_s", "s", B::Free, F::Max),
    ]
};

/// Collects the values of a run in the order of [`DEFINITIONS`].
pub(super) struct Table<'a> {
    model: &'a MeasureModel,
    metrics: Vec<Metric>,
}

impl<'a> Table<'a> {
    pub(super) fn new(model: &'a MeasureModel) -> Self {
        Self { model, metrics: Vec::with_capacity(DEFINITIONS.len()) }
    }

    /// Adds the next value. The name is repeated so that a reader sees the order.
    pub(super) fn put(&mut self, name: &'static str, value: f64) {
        let definition = &DEFINITIONS[self.metrics.len()];
        debug_assert_eq!(definition.name, name, "measures are reported in the order of their list");
        let limit = definition.limit(self.model);
        let ok = limit.filter(|_| !value.is_nan()).map(|limit| definition.bound.holds(value, limit));
        self.metrics.push(Metric { name, value, unit: definition.unit, limit, ok });
    }

    pub(super) fn count(&mut self, name: &'static str, value: u64) {
        self.put(name, value as f64);
    }

    pub(super) fn finish(self) -> Vec<Metric> {
        debug_assert_eq!(self.metrics.len(), DEFINITIONS.len(), "every measure is reported");
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
