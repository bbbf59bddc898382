//! What is fixed for the filter during a run.

use super::planner::tuning::{FRAMES_PER_KNOT, Tuning};
use crate::SwarmModel;
use sim_core::ParamError;
use swarm_field::{Domain, Manner};

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
    /// Proposer of motions.
    pub kind: FilterKind,
    /// Whether feet wait for robots.
    pub manner: Manner,
    /// Where foot centres may be.
    pub domain: Domain,
    /// Numbers of the planner.
    pub tuning: Tuning,
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
            return Err(ParamError::new("wall_margin_mm", "leaves no room for a robot on this mat"));
        }
        let params = feet.params();
        Ok(Self {
            kind,
            manner: params.manner,
            domain: *feet.domain(),
            foot_speed_max_mm_s: feet.speed_bound_mm_s(),
            tuning: Tuning::new(swarm.drive, params),
            forecast_frames: feet.forecast_frames(),
            swarm,
        })
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

    /// Ticks between two plans; in between the stored trajectories are executed.
    #[must_use]
    pub fn period(&self) -> u64 {
        if self.kind == FilterKind::Joint { FRAMES_PER_KNOT as u64 } else { 1 }
    }

    /// Time from one knot of a plan to the next, s.
    #[must_use]
    pub(super) fn knot_s(&self) -> f64 {
        FRAMES_PER_KNOT as f64 * self.swarm.step_s
    }
}
