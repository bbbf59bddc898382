//! How well robots know where they are: sensors for the place and the heading of each, with the errors that all sensors share.
//!
//! ```text
//! estimated place    the last one that arrived, on the mat; before the first, where the robot was put
//! estimated heading  likewise
//! estimated motion   the true one, as wheels tell it, turned from the true heading to the estimated one
//! body              moves from where it is as was decided for where it estimates to be, turned likewise; the mat's rim stops it
//! ```
//! A perfect sensor changes no bit of a run. Between two readings a robot does not reckon on: that is what late and seldom readings cost.

use sim_core::sensing::{Address, Sensor, SensorModel};
use sim_core::{DVec2, Rect, RunKey, StateHash, Tick, angle};
use swarm_agents::Agents;
use swarm_agents::drive::Motion;

/// Numbers of a robot's sensors in the addresses of their draws: append, never renumber.
const POSITION: u32 = 0;
const HEADING: u32 = 1;

/// The sensors of each robot. Fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSensingModel {
    /// Place, two channels, mm.
    pub position: SensorModel,
    /// Heading, rad.
    pub heading: SensorModel,
    /// The mat: no robot leaves it or estimates a place outside it.
    pub mat: Rect,
}

/// What sensors have under way and what robots believe. Complete state.
#[derive(Clone, Debug)]
pub struct AgentSensing {
    position: Vec<Sensor>,
    heading: Vec<Sensor>,
    estimated: Agents,
}

impl AgentSensing {
    /// Every robot knows where it was put.
    #[must_use]
    pub fn start(model: &AgentSensingModel, agents: &Agents) -> Self {
        Self {
            position: vec![Sensor::new(&model.position, 2); agents.len()],
            heading: vec![Sensor::new(&model.heading, 1); agents.len()],
            estimated: agents.clone(),
        }
    }

    /// One tick: measures what is due and reads what arrives.
    pub fn step(&mut self, model: &AgentSensingModel, key: RunKey, tick: Tick, truth: &Agents) {
        for i in 0..truth.len() {
            let (body, mut estimated) = (truth.motion(i), self.estimated.motion(i));
            let address = |sensor| Address::new(key, i as u32, sensor);
            let put_place = |values: &mut [f64]| values.copy_from_slice(&body.position_mm.to_array());
            if self.position[i].step(&model.position, address(POSITION), tick, put_place) {
                let reading = self.position[i].latest().map(|reading| DVec2::from_slice(reading.values));
                // A value that was lost is infinite: the last one holds.
                if let Some(place_mm) = reading.filter(|place_mm| place_mm.is_finite()) {
                    estimated.position_mm = model.mat.clamp(place_mm);
                }
            }
            let put_heading = |values: &mut [f64]| values[0] = body.heading_rad;
            if self.heading[i].step(&model.heading, address(HEADING), tick, put_heading) {
                let reading = self.heading[i].latest().map(|reading| reading.values[0]);
                if let Some(heading_rad) = reading.filter(|heading_rad| heading_rad.is_finite()) {
                    estimated.heading_rad = angle::wrap_rad(heading_rad);
                }
            }
            estimated.velocity_mm_s = turned(body.velocity_mm_s, body.heading_rad, estimated.heading_rad);
            (estimated.speed_mm_s, estimated.omega_rad_s) = (body.speed_mm_s, body.omega_rad_s);
            self.estimated.set(i, estimated);
        }
    }

    /// The robots as they believe to be.
    #[must_use]
    pub fn estimated(&self) -> &Agents {
        &self.estimated
    }

    /// Turns motions that were decided for the robots as they believe to be into those that their bodies make.
    pub fn apply_actuation(&self, model: &AgentSensingModel, step_s: f64, truth: &Agents, next: &mut Agents) {
        for i in 0..truth.len() {
            let (body, estimated) = (truth.motion(i), self.estimated.motion(i));
            if body != estimated {
                next.set(i, embodied(model.mat, step_s, [body, estimated], next.motion(i)));
            }
        }
    }

    /// Takes the state into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.position.iter().chain(&self.heading).for_each(|sensor| sensor.hash_into(hash));
        self.estimated.hash_into(hash);
    }
}

/// A vector turned by what takes one heading to another.
fn turned(v: DVec2, from_rad: f64, to_rad: f64) -> DVec2 {
    if from_rad == to_rad { v } else { angle::unit(to_rad - from_rad).rotate(v) }
}

/// The motion that a body makes when another was decided for where it estimates to be.
fn embodied(mat: Rect, step_s: f64, [body, estimated]: [Motion; 2], decided: Motion) -> Motion {
    let to_body = |v| turned(v, estimated.heading_rad, body.heading_rad);
    let turn_rad = angle::wrap_rad(decided.heading_rad - estimated.heading_rad);
    let free = Motion {
        position_mm: body.position_mm + to_body(decided.position_mm - estimated.position_mm),
        velocity_mm_s: to_body(decided.velocity_mm_s),
        heading_rad: angle::wrap_rad(body.heading_rad + turn_rad),
        ..decided
    };
    let position_mm = mat.clamp(free.position_mm);
    if position_mm == free.position_mm {
        return free;
    }
    let velocity_mm_s = (position_mm - body.position_mm) / step_s;
    let speed_mm_s = velocity_mm_s.length().copysign(decided.speed_mm_s);
    Motion { position_mm, velocity_mm_s, speed_mm_s, ..free }
}
