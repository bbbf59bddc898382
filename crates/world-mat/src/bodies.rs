//! What the robots are, and which cubes there are beside them: discs, cubes that follow programs and hands, or cubes that the swarm drives.

use crate::cube_drive::{self, CubeDrive, CubeDriveModel};
use crate::cubes::{Cubes, CubesModel};
use sim_core::{ParamError, RunKey, StateHash};
use std::collections::VecDeque;
use swarm_agents::Agents;
use swarm_field::Feet;

/// The fixed part.
#[derive(Clone, Debug)]
pub enum BodiesModel {
    /// Robots are discs, and there are no cubes.
    Discs,
    /// Robots are discs, if there are any; cubes follow programs and hands.
    Scripted(CubesModel),
    /// Robot `i` is cube `i`.
    Driven(CubesModel, CubeDriveModel),
}

impl BodiesModel {
    /// From what a scenario asks for.
    #[must_use]
    pub fn new(cubes: Option<CubesModel>, drive: Option<CubeDriveModel>) -> Self {
        match (cubes, drive) {
            (None, _) => Self::Discs,
            (Some(cubes), None) => Self::Scripted(cubes),
            (Some(cubes), Some(drive)) => Self::Driven(cubes, drive),
        }
    }

    /// The cubes, if there are any.
    #[must_use]
    pub fn cubes(&self) -> Option<&CubesModel> {
        match self {
            Self::Discs => None,
            Self::Scripted(cubes) | Self::Driven(cubes, _) => Some(cubes),
        }
    }

    /// How the swarm drives them, if it does.
    #[must_use]
    pub fn drive(&self) -> Option<&CubeDriveModel> {
        match self {
            Self::Driven(_, drive) => Some(drive),
            Self::Discs | Self::Scripted(_) => None,
        }
    }
}

/// The part that changes.
#[derive(Clone, Debug)]
pub enum Bodies {
    /// No cubes.
    Discs,
    /// Cubes beside the robots.
    Scripted(Cubes),
    /// Robots that are cubes, with what they have still to do.
    Driven(Cubes, CubeDrive),
}

impl Bodies {
    /// The start; those of a swarm stand where its robots were laid out. `feet_ahead` are the feet of the steps to come, for as many as
    /// decisions are ahead of bodies.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn start(
        model: &BodiesModel,
        agents: &Agents,
        feet_ahead: impl Iterator<Item = Feet>,
        key: RunKey,
    ) -> Result<Self, ParamError> {
        match model {
            BodiesModel::Discs => Ok(Self::Discs),
            BodiesModel::Scripted(cubes) => Cubes::start(cubes, key).map(Self::Scripted),
            BodiesModel::Driven(cubes, drive) => {
                let mut cubes = Cubes::start(&cube_drive::placed(cubes, agents), key)?;
                cubes.prepare(&cube_drive::first_command());
                let ahead: VecDeque<Feet> = feet_ahead.take(drive.lead_steps).collect();
                Ok(Self::Driven(cubes, CubeDrive::start(drive, agents, ahead)))
            }
        }
    }

    /// The cubes, if there are any.
    #[must_use]
    pub fn cubes(&self) -> Option<&Cubes> {
        match self {
            Self::Discs => None,
            Self::Scripted(cubes) | Self::Driven(cubes, _) => Some(cubes),
        }
    }

    /// The same, for a client that writes to them.
    pub fn cubes_mut(&mut self) -> Option<&mut Cubes> {
        match self {
            Self::Discs => None,
            Self::Scripted(cubes) | Self::Driven(cubes, _) => Some(cubes),
        }
    }

    /// What the swarm's cubes have still to do, if it drives any.
    #[must_use]
    pub fn drive(&self) -> Option<&CubeDrive> {
        match self {
            Self::Driven(_, drive) => Some(drive),
            Self::Discs | Self::Scripted(_) => None,
        }
    }

    pub(crate) fn drive_mut(&mut self) -> Option<&mut CubeDrive> {
        match self {
            Self::Driven(_, drive) => Some(drive),
            Self::Discs | Self::Scripted(_) => None,
        }
    }

    /// Adds the complete state to a state hash.
    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        if let Some(cubes) = self.cubes() {
            cubes.hash_into(hash);
        }
        if let Some(drive) = self.drive() {
            drive.hash_into(hash);
        }
    }
}
