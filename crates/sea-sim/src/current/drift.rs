//! A current that wanders about a mean: a first-order Gauss-Markov process.
//!
//! # Equation
//! `du = -u/T dt + noise` for the departure u of each horizontal component from its mean, exact at the steps of the world: standard
//! deviation s and correlation time T whatever the step (Fossen, Handbook of Marine Craft Hydrodynamics, 2011, section 8.3). Between steps
//! the velocity changes evenly, so that its rate of change is known.

use super::{Flow, check_velocity};
use crate::purpose;
use glam::DMat3;
use sim_core::{DVec2, DVec3, OrnsteinUhlenbeck, ParamError, RunKey, StateHash};

/// A wandering current, the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftParams {
    /// Mean velocity, m/s.
    pub mean_m_s: DVec3,
    /// Standard deviation of the velocity towards east and towards north, m/s, 0 to 5.
    pub std_m_s: f64,
    /// Time after which the departure from the mean has lost all but 1/e of its memory, s, 0.1 to 1e7.
    pub correlation_s: f64,
}

impl DriftParams {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check_velocity(self.mean_m_s)?;
        ParamError::check_range("std_m_s", self.std_m_s, 0.0, 5.0)?;
        ParamError::check_range("correlation_s", self.correlation_s, 0.1, 1e7)
    }

    fn process(&self, step_s: f64) -> OrnsteinUhlenbeck {
        OrnsteinUhlenbeck::new(self.std_m_s, self.correlation_s, step_s)
    }
}

/// Velocity of a wandering current at the start and at the end of the present step, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    from_m_s: DVec3,
    to_m_s: DVec3,
}

impl Drift {
    /// The state at time 0, drawn from the process at rest.
    pub(super) fn start(params: &DriftParams, step_s: f64, key: RunKey, owner: u64) -> Self {
        let first = params.std_m_s * draw(key, owner, 0);
        let second = params.process(step_s).next2(first, draw(key, owner, 1));
        Self { from_m_s: params.mean_m_s + first.extend(0.0), to_m_s: params.mean_m_s + second.extend(0.0) }
    }

    /// One step further, to the step that begins at a tick.
    pub(super) fn step(&mut self, params: &DriftParams, step_s: f64, key: RunKey, (owner, tick): (u64, u64)) {
        let departure = (self.to_m_s - params.mean_m_s).truncate();
        self.from_m_s = self.to_m_s;
        let next = params.process(step_s).next2(departure, draw(key, owner, tick + 1));
        self.to_m_s = params.mean_m_s + next.extend(0.0);
    }

    /// The current after a share of the step.
    pub(super) fn flow(&self, share: f64, step_s: f64) -> Flow {
        let change = self.to_m_s - self.from_m_s;
        Flow {
            velocity_m_s: self.from_m_s + change * share,
            gradient_1_s: DMat3::ZERO,
            local_acceleration_m_s2: change / step_s,
        }
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.from_m_s.to_array().into_iter().chain(self.to_m_s.to_array()).for_each(|v| hash.f64(v));
    }
}

fn draw(key: RunKey, owner: u64, tick: u64) -> DVec2 {
    key.stream(purpose::CURRENT_DRIFT, owner, tick).normal2()
}
