//! Currents: how the water flows where there are no waves.
//!
//! A current is a velocity field; a force field ([`crate::field`]) is something else. Currents of a world add up. Each gives its velocity,
//! its gradient and its rate of change at a fixed place, out of which the acceleration of the water follows (the material derivative).
//! Model, sources and limits: `docs/models/currents.md`.

mod drift;
mod grid;
mod layers;

pub use drift::{Drift, DriftParams};
pub use grid::{CurrentGrid, CurrentGridParams};
pub use layers::Layers;

use glam::DMat3;
use sim_core::{DVec3, ParamError, RunKey, StateHash};

/// Fastest current that is accepted along each axis, m/s.
pub const MAX_CURRENT_M_S: f64 = 20.0;

/// A current at one place and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Velocity, m/s.
    pub velocity_m_s: DVec3,
    /// Derivatives of the velocity by place, 1/s: column j is the derivative along axis j.
    pub gradient_1_s: DMat3,
    /// Rate of change of the velocity at a fixed place, m/s^2.
    pub local_acceleration_m_s2: DVec3,
}

impl Flow {
    /// Water that stands still.
    pub const STILL: Self =
        Self { velocity_m_s: DVec3::ZERO, gradient_1_s: DMat3::ZERO, local_acceleration_m_s2: DVec3::ZERO };

    /// The same everywhere and always.
    #[must_use]
    pub fn steady(velocity_m_s: DVec3) -> Self {
        Self { velocity_m_s, ..Self::STILL }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            velocity_m_s: self.velocity_m_s + other.velocity_m_s,
            gradient_1_s: self.gradient_1_s + other.gradient_1_s,
            local_acceleration_m_s2: self.local_acceleration_m_s2 + other.local_acceleration_m_s2,
        }
    }
}

/// One current.
#[derive(Clone, Debug, PartialEq)]
pub enum Current {
    /// The same everywhere and always.
    Uniform(DVec3),
    /// A table over depth.
    Layers(Layers),
    /// A table over place.
    Grid(CurrentGrid),
    /// A current that wanders: the same everywhere, with a memory.
    GaussMarkov(DriftParams),
}

/// The currents of a world. Fixed for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Currents {
    list: Vec<Current>,
    step_s: f64,
}

/// State of the currents that wander, one a current of that kind.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentState {
    drifts: Vec<Drift>,
    /// Time at which the present step begins, in steps.
    tick: u64,
}

impl Currents {
    /// Currents that add up, in a world whose steps are `step_s` long.
    ///
    /// # Errors
    /// If a velocity or a parameter is out of its range.
    pub fn new(list: Vec<Current>, step_s: f64) -> Result<Self, ParamError> {
        ParamError::check_range("step_s", step_s, 1e-6, 1e3)?;
        for current in &list {
            match current {
                Current::Uniform(velocity_m_s) => check_velocity(*velocity_m_s)?,
                Current::GaussMarkov(params) => params.check()?,
                Current::Layers(_) | Current::Grid(_) => {}
            }
        }
        Ok(Self { list, step_s })
    }

    /// State at time 0.
    #[must_use]
    pub fn start(&self, key: RunKey) -> CurrentState {
        let drifts = self.wandering().zip(0..).map(|(params, owner)| Drift::start(params, self.step_s, key, owner));
        CurrentState { drifts: drifts.collect(), tick: 0 }
    }

    /// One step further.
    pub fn step(&self, state: &mut CurrentState, key: RunKey) {
        state.tick += 1;
        for ((params, drift), owner) in self.wandering().zip(&mut state.drifts).zip(0..) {
            drift.step(params, self.step_s, key, (owner, state.tick));
        }
    }

    /// The sum of the currents at a place, m, whose depth below still water is `depth_m`, at a time, s, of the present step.
    #[must_use]
    pub fn flow(&self, state: &CurrentState, position_m: DVec3, depth_m: f64, time_s: f64) -> Flow {
        let mut drifts = state.drifts.iter();
        let share = (time_s / self.step_s - state.tick as f64).clamp(0.0, 1.0);
        self.list.iter().fold(Flow::STILL, |sum, current| {
            sum.plus(match current {
                Current::Uniform(velocity_m_s) => Flow::steady(*velocity_m_s),
                Current::Layers(layers) => layers.flow(depth_m),
                Current::Grid(grid) => grid.flow(position_m, depth_m),
                Current::GaussMarkov(_) => drifts.next().map_or(Flow::STILL, |drift| drift.flow(share, self.step_s)),
            })
        })
    }

    fn wandering(&self) -> impl Iterator<Item = &DriftParams> {
        self.list.iter().filter_map(|current| match current {
            Current::GaussMarkov(params) => Some(params),
            _ => None,
        })
    }
}

impl CurrentState {
    /// Puts the state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.tick);
        self.drifts.iter().for_each(|drift| drift.hash_into(hash));
    }
}

fn check_velocity(velocity_m_s: DVec3) -> Result<(), ParamError> {
    velocity_m_s
        .to_array()
        .into_iter()
        .try_for_each(|v| ParamError::check_range("velocity_m_s", v, -MAX_CURRENT_M_S, MAX_CURRENT_M_S))
}
