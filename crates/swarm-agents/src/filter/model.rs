//! What is fixed for the filter during a run.

use super::planner::tuning::{FRAMES_PER_KNOT, Tuning};
use crate::SwarmModel;
use sim_core::ParamError;
use swarm_field::{Domain, Manner};

/// The proposer of motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// Planner, projection and certificate: this project's own.
    Joint,
    /// The spec's literal text: a penalty on velocities that would come too near.
    Penalty,
    /// Optimal reciprocal collision avoidance with half planes: the usual baseline.
    Orca,
    /// The wish itself, within the limits of the drive.
    None,
    /// A random velocity each tick: the adversary that tests the certificate.
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
