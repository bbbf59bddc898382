//! One cube's client: what it hears, what it believes, what it writes.

use super::connection::{Connection, LinkTiming};
use super::estimate::{Estimate, Pose};
use super::steering::{Gains, steer};
use sim_core::{DVec2, StateHash, Tick, angle};
use std::collections::VecDeque;
use swarm_agents::drive::Motion;
use toio_cube_sim::wire::{IdReport, Message, MotorCommand, Notification, PositionId};
use toio_mat::{Dot, Ground, PositionReading};
use toio_physics::{MotorParams, geometry};

/// Time after which a cube that hears no more stops, in units of 10 ms.
const TIMEOUT_10_MS: u8 = 20;
/// Writes that are remembered: more than can be under way.
const WRITES: usize = 24;

/// What a pilot knows of its cube before it starts.
#[derive(Clone, Debug)]
pub struct PilotModel {
    /// Steps a second, of the client and of its cube.
    pub step_hz: u32,
    /// The mats, where they lie.
    pub ground: Ground,
    /// From the point that readings call the centre to the middle of the axle, along the heading, mm.
    pub axle_ahead_mm: f64,
    /// Distance of the wheels, mm.
    pub tread_mm: f64,
    /// Both motors.
    pub motor: MotorParams,
    /// The link; none if it is perfect.
    pub link: Option<LinkTiming>,
    /// The tracking law.
    pub gains: Gains,
}

impl PilotModel {
    /// Length of a step, s.
    #[must_use]
    pub fn step_s(&self) -> f64 {
        1.0 / f64::from(self.step_hz)
    }

    fn pose(&self, id: PositionId) -> Option<Pose> {
        let dot = |x: u16, y: u16| Dot { x: i32::from(x), y: i32::from(y) };
        let reading = PositionReading {
            center: dot(id.centre_x, id.centre_y),
            sensor: dot(id.sensor_x, id.sensor_y),
            degrees: id.centre_deg,
        };
        let centre = self.ground.pose_from_reading(reading)?;
        let place_mm = centre.position_mm + angle::unit(centre.heading_rad) * self.axle_ahead_mm;
        Some(Pose { place_mm, heading_rad: centre.heading_rad })
    }
}

/// A write that was sent.
#[derive(Clone, Copy, Debug)]
struct Write {
    /// The step in which it is expected to reach the cube: it drives the wheels from the next one on.
    arrives: u64,
    units: [i16; 2],
}

/// The state of a client.
#[derive(Clone, Debug)]
pub struct Pilot {
    estimate: Estimate,
    connection: Connection,
    writes: VecDeque<Write>,
}

impl Pilot {
    /// A client that knows where its cube stands.
    #[must_use]
    pub fn start(place_mm: DVec2, heading_rad: f64) -> Self {
        Self {
            estimate: Estimate::at_rest(Pose { place_mm, heading_rad }),
            connection: Connection::default(),
            writes: VecDeque::new(),
        }
    }

    /// What it writes at the end of step `tick`. `decided` are the motions that were decided for its cube from this step on.
    pub fn step(
        &mut self,
        model: &PilotModel,
        tick: Tick,
        inbox: &[Message],
        decided: impl ExactSizeIterator<Item = Motion>,
    ) -> MotorCommand {
        self.estimate.advance(model, self.units_at(tick.0 - 1));
        inbox.iter().for_each(|message| self.hear(model, tick, message));
        let arrives = self.connection.write_arrives(model.link.as_ref(), tick.0);
        let from =
            (tick.0..arrives).fold(self.estimate.now(), |rolling, step| rolling.advanced(model, self.units_at(step)));
        let last = decided.len() - 1;
        let decided: Vec<Motion> = decided.skip(((arrives - tick.0) as usize).min(last)).collect();
        let wheels = steer(model, &from, &decided);
        self.writes.push_back(Write { arrives, units: [wheels.left, wheels.right] });
        if self.writes.len() > WRITES {
            self.writes.pop_front();
        }
        MotorCommand::RunFor { wheels, duration_10_ms: TIMEOUT_10_MS }
    }

    fn hear(&mut self, model: &PilotModel, tick: Tick, message: &Message) {
        let Ok(Notification::Id(report)) = message.decode() else { return };
        let steps_ago = self.connection.hear(model.link.as_ref(), tick.0);
        let IdReport::Position(id) = report else { return };
        if let Some(pose) = model.pose(id) {
            self.estimate.correct(pose, steps_ago);
        }
    }

    /// The commands that are expected to drive the wheels in the step after `step`.
    fn units_at(&self, step: u64) -> [i16; 2] {
        self.writes.iter().rev().find(|write| write.arrives <= step).map_or([0; 2], |write| write.units)
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.estimate.hash_into(hash);
        self.connection.hash_into(hash);
        for write in &self.writes {
            hash.u64(write.arrives);
            write.units.iter().for_each(|&units| hash.u64(units as u64));
        }
    }
}

/// From the middle of the body to that of the axle, mm.
pub(crate) const AXLE_AHEAD_OF_BODY_MM: f64 = 1000.0 * geometry::AXLE_AHEAD_M;
