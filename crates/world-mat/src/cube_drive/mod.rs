//! The swarm driven through full cubes: decided motions that run ahead, and pilots that make bodies follow them.
//!
//! The safety filter decides motions for wheels, with clearances that are wider by a declared tracking error. What it decides in a step
//! is for the bodies `lead_steps` later: so much time a command needs to act, and alike for all robots, so latency costs no distance. One
//! [`Pilot`] a cube is a program as a client would write it: it sees ID notifications, decoded from their bytes and some time old, and
//! writes motor commands. How far a body is off its decided motion is measured in every step and held to the bound.
//!
//! Feet: those that may wait do so by the certificate, so their ways are decided together with the robots', as far ahead; what bodies
//! meet are the feet decided `lead_steps` ago. Feet that never wait know nothing of robots, and robots nothing of their future: the
//! filter sees them by a forecast that was made `lead_steps` before the moment for which it decides.
//!
//! Source of the clearances: `docs/models/cube-drive.md`.

mod connection;
mod estimate;
mod pilot;
mod steering;

pub use connection::LinkTiming;
pub(crate) use pilot::AXLE_AHEAD_OF_BODY_MM;
pub use pilot::{Pilot, PilotModel};
pub use steering::Gains;

use crate::cubes::{CubeModel, Cubes, CubesModel, CubesScratch};
use sim_core::{DVec2, StateHash, Tick, angle};
use std::collections::VecDeque;
use swarm_agents::Agents;
use swarm_field::Feet;
use toio_cube_sim::micros::Micros;
use toio_cube_sim::wire::{Command, ConfigCommand, IdCondition};
use toio_physics::CubeStart;

/// What is fixed about the swarm's cubes.
#[derive(Clone, Debug)]
pub struct CubeDriveModel {
    /// Declared bound of the distance between a body and its decided motion, mm.
    pub tracking_mm: f64,
    /// Steps by which decisions are ahead of bodies, at least 1.
    pub lead_steps: usize,
    /// What pilots know of their cubes and links.
    pub pilot: PilotModel,
}

/// Decided motions that bodies have still to follow, feet that bodies have still to meet, and the pilots.
#[derive(Clone, Debug)]
pub struct CubeDrive {
    /// The decided motions of the step before, of this step, and of the `lead_steps` to come.
    decided: VecDeque<Agents>,
    /// The feet of the `lead_steps` to come.
    feet: VecDeque<Feet>,
    pilots: Vec<Pilot>,
}

impl CubeDrive {
    /// Robots at rest. `feet` are those of the `lead_steps` to come.
    #[must_use]
    pub fn start(model: &CubeDriveModel, robots: &Agents, feet: VecDeque<Feet>) -> Self {
        let pilots = (0..robots.len()).map(|i| Pilot::start(robots.position_mm[i], robots.heading_rad[i])).collect();
        Self { decided: vec![robots.clone(); model.lead_steps + 2].into(), feet, pilots }
    }

    /// The motions that were decided last: the present of those who decide.
    #[must_use]
    pub fn last_decided(&self) -> &Agents {
        &self.decided[self.decided.len() - 1]
    }

    /// The motions that the bodies are to have followed in the last step: before and after it.
    #[must_use]
    pub fn due(&self) -> (&Agents, &Agents) {
        (&self.decided[0], &self.decided[1])
    }

    /// The feet that robots have been decided for.
    #[must_use]
    pub fn last_feet(&self) -> &Feet {
        &self.feet[self.feet.len() - 1]
    }

    /// The same, to be led elsewhere.
    pub(crate) fn last_feet_mut(&mut self) -> &mut Feet {
        let last = self.feet.len() - 1;
        &mut self.feet[last]
    }

    /// Takes the feet of the next step to be decided; returns those that the bodies meet now.
    pub(crate) fn move_feet(&mut self, feet: Feet) -> Option<Feet> {
        self.feet.push_back(feet);
        self.feet.pop_front()
    }

    /// Takes what has been decided. `next` is left with numbers that mean nothing.
    pub(crate) fn decide(&mut self, next: &mut Agents) {
        if let Some(mut oldest) = self.decided.pop_front() {
            std::mem::swap(&mut oldest, next);
            self.decided.push_back(oldest);
        }
    }

    /// Pilots read what has come to them and write to their cubes.
    pub(crate) fn steer(&mut self, model: &CubeDriveModel, tick: Tick, cubes: &mut Cubes, trace: &mut CubesScratch) {
        let now = Micros::from_tick(tick, model.pilot.step_hz);
        for (i, pilot) in self.pilots.iter_mut().enumerate() {
            let decided = self.decided.iter().skip(1).map(|agents| agents.motion(i));
            let command = pilot.step(&model.pilot, tick, cubes.inbox(i), decided);
            cubes.send(i, now, &Command::Motor(command), trace);
        }
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        self.decided.iter().for_each(|agents| agents.hash_into(hash));
        self.feet.iter().for_each(|feet| feet.hash_into(hash));
        self.pilots.iter().for_each(|pilot| pilot.hash_into(hash));
    }
}

/// The model of the swarm's cubes with each of them at its robot's place.
#[must_use]
pub fn placed(model: &CubesModel, robots: &Agents) -> CubesModel {
    let place = |(i, cube): (usize, &CubeModel)| {
        let start =
            CubeStart { axle_m: robots.position_mm[i] / 1000.0, heading_rad: robots.heading_rad[i], ..cube.start };
        CubeModel { start, ..cube.clone() }
    };
    CubesModel { cubes: model.cubes.iter().enumerate().map(place).collect(), ..model.clone() }
}

/// What a client asks of its cube before the run: to tell its place as often as it can, also where nothing changes.
#[must_use]
pub fn first_command() -> Command {
    Command::Config(ConfigCommand::IdNotify { interval_10_ms: 1, condition: IdCondition::Always })
}

/// The bodies after a step, the middle of the axle as the place of each. `before` are the bodies before it.
pub(crate) fn bodies(cubes: &Cubes, before: &Agents, step_s: f64, after: &mut Agents) {
    after.resize(cubes.len());
    for i in 0..cubes.len() {
        let body = cubes.view(i).body();
        let (position_mm, heading_rad) = (body.axle_m() * 1000.0, body.heading_rad());
        let velocity_mm_s: DVec2 = (position_mm - before.position_mm[i]) / step_s;
        after.position_mm[i] = position_mm;
        after.velocity_mm_s[i] = velocity_mm_s;
        after.heading_rad[i] = heading_rad;
        after.speed_mm_s[i] = velocity_mm_s.dot(angle::unit(heading_rad));
        after.omega_rad_s[i] = angle::wrap_rad(heading_rad - before.heading_rad[i]) / step_s;
    }
}
