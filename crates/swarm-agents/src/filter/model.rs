//! What is fixed for the filter during a run.

use super::planner::tuning::{Tuning, ticks_per_knot};
use crate::boundary::bounded;
use crate::{SwarmModel, Walls};
use sim_core::{DVec2, ParamError};
use swarm_field::{Domain, Manner};

/// Largest number of ticks from one decision to the next: each takes its share of the rounds of the projection.
const MAX_DECISION_TICKS: usize = 4;

/// Who has the last word about a robot's motion: the proposer of motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum FilterKind {
    /// Planner, joint projection and certificate: the filter that keeps the distances.
    Joint,
    /// A penalty on velocities that come too near: the spec to the letter.
    Penalty,
    /// Half-planes of permitted velocities for each robot (ORCA, optimal reciprocal collision avoidance): the usual baseline.
    Orca,
    /// The velocities nearest to the wishes that keep the constraints of one step, without look-ahead: the measuring stick of obedience.
    Nearest,
    /// Nothing but the limits of the drive and the edge of the mat.
    None,
    /// A random velocity each tick: the adversary that tests the certificate. Scenarios cannot choose it.
    #[cfg_attr(feature = "schema", serde(skip))]
    Random,
}

/// Everything about the filter that is fixed during a run.
#[derive(Clone, Debug)]
pub struct FilterModel {
    /// Box, limits, clearances and drive.
    pub swarm: SwarmModel,
    /// What stands on the mat.
    pub walls: Walls,
    /// Proposer of motions.
    pub kind: FilterKind,
    /// Whether feet wait for robots.
    pub manner: Manner,
    /// Where foot centres may be.
    pub domain: Domain,
    /// Numbers of the planner.
    pub tuning: Tuning,
    /// Ticks from one knot of a plan to the next.
    pub knot_ticks: usize,
    /// Largest speed of a foot in any phase, mm/s. An assumption of the proof.
    pub foot_speed_max_mm_s: f64,
    /// The window T of the forecast, in ticks. The motion of a foot beyond it is unknown.
    pub forecast_frames: usize,
}

impl FilterModel {
    /// Checks that clearances and limits go together.
    ///
    /// # Errors
    /// If the box is empty.
    pub fn new(swarm: SwarmModel, kind: FilterKind, feet: &swarm_field::FeetModel) -> Result<Self, ParamError> {
        if swarm.bounds.is_empty() {
            return Err(ParamError::new("wall_margin_mm", "leaves no space for a robot on this mat"));
        }
        let params = feet.params();
        Ok(Self {
            kind,
            manner: params.manner,
            domain: *feet.domain(),
            foot_speed_max_mm_s: feet.speed_bound_mm_s(),
            tuning: Tuning::new(swarm.drive, params, false),
            forecast_frames: feet.forecast_frames(),
            knot_ticks: ticks_per_knot(swarm.step_hz),
            walls: Walls::default(),
            swarm,
        })
    }

    /// The same filter for bodies that follow its decisions late: a plan leads all of them at all times, since wishes change too fast.
    #[must_use]
    pub fn for_late_bodies(self, feet: &swarm_field::FeetModel) -> Self {
        Self { tuning: Tuning::new(self.swarm.drive, feet.params(), true), ..self }
    }

    /// The same filter on a mat with walls.
    #[must_use]
    pub fn among(self, walls: Walls) -> Self {
        Self { walls, ..self }
    }

    /// The velocity nearest to `velocity_mm_s` from which a robot at `place_mm` stops before the mat's edge and before walls, mm/s.
    pub(super) fn bounded(&self, place_mm: DVec2, velocity_mm_s: DVec2) -> DVec2 {
        self.walls.bounded(&self.swarm, place_mm, bounded(&self.swarm, place_mm, velocity_mm_s))
    }

    /// True if proposals pass through the certificate.
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.kind == FilterKind::Joint || self.manner == Manner::Considerate
    }

    /// Path speed factor of every foot in the first tick. A considerate foot starts from rest: the invariant of the certificate needs it.
    #[must_use]
    pub fn initial_path_speed_factor(&self) -> f64 {
        if self.manner == Manner::Stubborn { 1.0 } else { 0.0 }
    }

    /// Ticks for which a foot's path speed factor may rise: from one knot to the next where there is a plan.
    #[must_use]
    pub fn period(&self) -> u64 {
        if self.kind == FilterKind::Joint { self.knot_ticks as u64 } else { 1 }
    }

    /// Ticks for which a plan is good, where every robot can follow it.
    #[must_use]
    pub fn plan_ticks(&self) -> usize {
        self.tuning.horizon.plan_knots * self.knot_ticks
    }

    /// Ticks from one decision to the next, where no new plan is due earlier. Without a plan, every tick is decided.
    #[must_use]
    pub fn decision_ticks(&self) -> usize {
        if self.kind != FilterKind::Joint {
            return 1;
        }
        (self.plan_ticks() / self.tuning.horizon.plan_decisions).clamp(1, MAX_DECISION_TICKS)
    }

    /// Length of a tick in sixtieths of a second: numbers per tick were chosen at 60 Hz.
    #[must_use]
    pub(super) fn sixtieths(&self) -> f64 {
        60.0 / f64::from(self.swarm.step_hz)
    }

    /// Time from one knot of a plan to the next, s.
    #[must_use]
    pub(super) fn knot_s(&self) -> f64 {
        self.knot_ticks as f64 * self.swarm.step_s
    }
}

#[cfg(test)]
pub(super) mod fixture {
    use super::*;
    use crate::{Clearances, Drive, Limits};
    use sim_core::Rect;
    use swarm_field::{FeetModel, FeetParams};

    /// Points with the default limits at 60 Hz on a mat of 400 mm, before one foot in the core that never waits.
    pub(in crate::filter) fn in_the_core() -> (FilterModel, FeetModel) {
        let mat = Rect::from_size(400.0, 400.0);
        let swarm = SwarmModel::new(mat, Clearances::default(), Limits::default(), Drive::Point, 60).unwrap();
        let feet = FeetModel::new(FeetParams::default(), mat, 0.6, 60).unwrap();
        (FilterModel::new(swarm, FilterKind::Joint, &feet).unwrap(), feet)
    }
}
