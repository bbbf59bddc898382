//! The complete state of the cubes, and buffers beside it.

use super::link::{Link, Loss, TracedMessage, drop_of, hash_bytes};
use super::model::{ClientAct, CubeModel, CubesModel, Hand, HandDoes};
use super::senses::printed_under;
use super::step::Trace;
use crate::events::WorldEvent;
use sim_core::{DVec2, ParamError, RunKey, StateHash, Tick};
use sim_world::StepError;
use std::fmt;
use toio_cube_sim::att::Request;
use toio_cube_sim::micros::Micros;
use toio_cube_sim::wire::{Command, Message};
use toio_cube_sim::{Actuators, Cube, CubeParams, PowerState, Printed, Refusal, Senses};
use toio_mat::{Ground, plane_mm_from_world_m};
use toio_physics::{CubeReport, CubeStart, Physics, Wall, WheelCommand, geometry};

/// Cubes with their firmware and radio, and the hands that are at work.
#[derive(Clone)]
pub struct Cubes {
    pub(super) physics: Physics,
    pub(super) cubes: Vec<OneCube>,
    /// What is printed on the plane now.
    pub(super) ground: Ground,
    /// Entries of the script that have begun.
    pub(super) hands_begun: usize,
}

/// What a cube is beside its body.
#[derive(Clone, Debug)]
pub(super) struct OneCube {
    pub firmware: Cube,
    pub link: Link,
    /// What the firmware asked of the motors, for the coming step.
    pub command: WheelCommand,
    /// What the cube shows and sounds.
    pub shown: Actuators,
    /// What the ID sensor sees.
    pub printed: Printed,
    /// It is off all mats, off the plane and beyond all walls.
    pub is_outside: bool,
    /// Number of the charger that it stands on.
    pub charger: Option<usize>,
    /// A hand holds the button until this step.
    pub pressed_until: Tick,
    /// Steps of the program that are done.
    pub program_done: usize,
    /// Notifications that came to the client in the last step.
    pub inbox: Vec<Message>,
}

impl Cubes {
    /// Cubes at rest at their places, switched on, those with a client connected; but for those that are away.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn start(model: &CubesModel, key: RunKey) -> Result<Self, ParamError> {
        let starts: Vec<CubeStart> = model.cubes.iter().map(|cube| cube.start).collect();
        let physics = Physics::new(&model.physics, &starts, &model.magnets)?;
        let cubes: Result<Vec<_>, ParamError> = model.cubes.iter().map(|cube| OneCube::start(cube, key)).collect();
        let mut cubes = cubes?;
        for (k, cube) in cubes.iter_mut().enumerate() {
            cube.printed = printed_under(model, &model.ground, &physics, k);
            let report = &physics.reports()[k];
            cube.is_outside = !report.is_away && model.is_outside(&model.ground, place_mm(report));
        }
        Ok(Self { physics, cubes, ground: model.ground.clone(), hands_begun: 0 })
    }

    /// Clients have written `command` and been heard before the run begins.
    pub(crate) fn prepare(&mut self, command: &Command) {
        for OneCube { firmware, .. } in &mut self.cubes {
            firmware.write(command.characteristic(), &command.encode(firmware.params().protocol));
        }
    }

    /// Number of cubes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cubes.len()
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cubes.is_empty()
    }

    /// A cube as it stands after the last step.
    ///
    /// # Panics
    /// If there is no cube of that number.
    #[must_use]
    pub fn view(&self, cube: usize) -> CubeView<'_> {
        CubeView { report: &self.physics.reports()[cube], cube: &self.cubes[cube] }
    }

    /// What came to a cube's client in the last step, oldest first.
    ///
    /// # Panics
    /// If there is no cube of that number.
    #[must_use]
    pub fn inbox(&self, cube: usize) -> &[Message] {
        &self.cubes[cube].inbox
    }

    /// A cube's client writes, through its radio. `now` is the [moment](CubesModel::moment) of the last step made or of the one that is
    /// being made; the cube gets it at the end of that one at the earliest. What the radio does not take is traced as dropped.
    ///
    /// # Panics
    /// If there is no cube of that number.
    pub fn send(&mut self, cube: usize, now: Micros, command: &Command, trace: &mut CubesScratch) {
        let bytes = command.encode(self.cubes[cube].firmware.params().protocol);
        self.request(cube, now, Request::Write(command.characteristic(), bytes), trace);
    }

    /// A hand begins something in the step `tick`, and that is told. With a cube that is away it does nothing but bring it.
    ///
    /// # Errors
    /// If the bodies refuse it.
    pub(crate) fn take_hand(
        &mut self,
        model: &CubesModel,
        tick: Tick,
        hand: &Hand,
        scratch: &mut CubesScratch,
    ) -> Result<(), StepError> {
        let Hand { tick: told, cube, word, does } = *hand;
        let mut event = WorldEvent::hand(told, cube, word);
        match does {
            HandDoes::Bring { place_mm, heading_rad } => {
                event = self.bring(model, (tick, told), cube, (place_mm, heading_rad))?;
            }
            _ if self.is_away(cube) => event = WorldEvent::hand_refused(told, cube, word),
            HandDoes::TakeAway => {
                self.take_away(model, tick, cube, scratch)?;
                event = WorldEvent::taken_away(told, cube);
            }
            HandDoes::Move(action) => {
                let begun = self.physics.hand(&model.physics, cube, model.over_chargers(action));
                begun.map_err(|error| StepError::other(tick, error))?;
            }
            HandDoes::SwitchOn => self.cubes[cube].firmware.power_on(),
            HandDoes::SwitchOff => self.cubes[cube].firmware.power_off(),
            HandDoes::PressUntil(end) => {
                let held = &mut self.cubes[cube].pressed_until;
                *held = end.max(*held);
            }
            HandDoes::ReleaseButton => self.cubes[cube].pressed_until = Tick(0),
        }
        scratch.events.push(event);
        Ok(())
    }

    /// Something else is printed on the plane from now on.
    pub(crate) fn lay(&mut self, ground: Ground) {
        self.ground = ground;
    }

    /// The first cube that reaches into a wall.
    pub(crate) fn cube_in_wall(&self, wall: &Wall) -> Option<usize> {
        self.physics.cube_in_wall(wall)
    }

    /// Puts a wall of the scenario elsewhere, or takes it away.
    ///
    /// # Errors
    /// If the bodies refuse it.
    pub(crate) fn set_wall(&mut self, model: &CubesModel, wall: usize, to: Option<&Wall>) -> Result<(), ParamError> {
        self.physics.set_wall(&model.physics, wall, to)
    }

    /// A client does something at `now`; one that connects begins all notifications at once if it `subscribes`.
    pub(crate) fn take_act(
        &mut self,
        cube: usize,
        now: Micros,
        act: &ClientAct,
        subscribes: bool,
        trace: &mut CubesScratch,
    ) {
        match act {
            ClientAct::Ask(request) => self.request(cube, now, request.clone(), trace),
            ClientAct::Connect => self.cubes[cube].connect(now, subscribes),
            ClientAct::Disconnect => {
                self.cubes[cube].firmware.disconnect();
                self.cubes[cube].lose_link(now, &mut Trace { cube, messages: &mut trace.messages });
            }
        }
    }

    /// The same with anything that a client can ask.
    pub(crate) fn request(&mut self, cube: usize, now: Micros, request: Request, trace: &mut CubesScratch) {
        let OneCube { firmware, link, .. } = &mut self.cubes[cube];
        let sent = if firmware.is_connected() {
            link.request(now, request.clone()).map_err(Loss::from)
        } else {
            Err(Loss::Refused(Refusal::NotConnected))
        };
        if let Err(why) = sent {
            let (characteristic, bytes) = (request.characteristic(), request.bytes().to_vec());
            trace.messages.push(TracedMessage { cube, direction: drop_of(&request, why), characteristic, bytes });
        }
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        self.physics.hash_into(hash);
        hash.u64(self.hands_begun as u64);
        self.cubes.iter().for_each(|cube| cube.hash_into(hash));
    }
}

impl fmt::Debug for Cubes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cubes")
            .field("cubes", &self.cubes)
            .field("hands_begun", &self.hands_begun)
            .finish_non_exhaustive()
    }
}

impl OneCube {
    fn start(model: &CubeModel, key: RunKey) -> Result<Self, ParamError> {
        let owner = model.firmware.owner;
        let mut cube = Self {
            firmware: Cube::new(CubeParams { key, ..model.firmware.clone() })?,
            link: Link::new(model.radio.as_ref(), key, owner)?,
            command: WheelCommand::default(),
            shown: Actuators::default(),
            printed: Printed::Nothing,
            is_outside: false,
            charger: None,
            pressed_until: Tick(0),
            program_done: 0,
            inbox: Vec::new(),
        };
        if model.start.is_away {
            cube.firmware.cut_power();
            cube.shown.power = PowerState::Off;
        } else if model.is_connected {
            cube.connect(Micros(0), model.subscribes);
        }
        Ok(cube)
    }

    /// The client connects, if the cube lets it, over a link that knows nothing of the one before.
    pub fn connect(&mut self, now: Micros, subscribes: bool) {
        if !self.firmware.connect() {
            return;
        }
        if subscribes {
            self.firmware.subscribe_all();
        }
        // Nothing is under way: what was is lost with the connection before.
        self.link.clear(now).for_each(drop);
        if let Some(units) = self.link.interval_units() {
            self.firmware.set_connection_interval(units);
        }
    }

    fn hash_into(&self, hash: &mut StateHash) {
        self.firmware.hash_into(hash);
        self.link.hash_into(hash);
        hash.f64(self.command.left_units);
        hash.f64(self.command.right_units);
        hash.u64(u64::from(self.command.is_forced_stop));
        hash.u64(u64::from(self.is_outside) | self.charger.map_or(0, |charger| charger as u64 + 1) << 1);
        hash.u64(self.pressed_until.0);
        hash.u64(self.program_done as u64);
        hash.u64(self.inbox.len() as u64);
        self.inbox.iter().for_each(|message| hash_bytes(message.characteristic, &message.bytes, hash));
    }
}

/// A cube after a step, for tables and tests: the truth, which no client knows.
#[derive(Clone, Copy, Debug)]
pub struct CubeView<'a> {
    report: &'a CubeReport,
    cube: &'a OneCube,
}

impl<'a> CubeView<'a> {
    /// Its body.
    #[must_use]
    pub fn body(&self) -> &'a CubeReport {
        self.report
    }

    /// True if it is not on the mat.
    #[must_use]
    pub fn is_away(&self) -> bool {
        self.report.is_away
    }

    /// Its firmware.
    #[must_use]
    pub fn firmware(&self) -> &'a Cube {
        &self.cube.firmware
    }

    /// What it shows and sounds, and what it asks of its motors.
    #[must_use]
    pub fn actuators(&self) -> &'a Actuators {
        &self.cube.shown
    }

    /// What its ID sensor sees.
    #[must_use]
    pub fn printed(&self) -> &'a Printed {
        &self.cube.printed
    }

    /// The middle of its body on the plane.
    #[must_use]
    pub fn place_mm(&self) -> DVec2 {
        place_mm(self.report)
    }

    /// How far the middle of its body is above that of a cube that stands on the mat.
    #[must_use]
    pub fn height_mm(&self) -> f64 {
        (self.report.centre_m.z - geometry::BODY_CENTRE_HEIGHT_M) * 1000.0
    }
}

/// The middle of a body on the plane.
pub(super) fn place_mm(report: &CubeReport) -> DVec2 {
    plane_mm_from_world_m(DVec2::new(report.centre_m.x, report.centre_m.y))
}

/// Buffers of a step, and what it has to tell. What is in it decides nothing.
#[derive(Clone, Debug, Default)]
pub struct CubesScratch {
    pub(super) senses: Vec<Senses>,
    pub(super) commands: Vec<WheelCommand>,
    pub(super) messages: Vec<TracedMessage>,
    pub(super) events: Vec<WorldEvent>,
}

impl CubesScratch {
    /// Messages of the last step, in the order of the cubes and of their arrival.
    #[must_use]
    pub fn messages(&self) -> &[TracedMessage] {
        &self.messages
    }

    /// Forgets what the last step had to tell.
    pub(crate) fn forget(&mut self) {
        self.messages.clear();
        self.events.clear();
    }

    /// What happened in the last step.
    #[must_use]
    pub fn events(&self) -> &[WorldEvent] {
        &self.events
    }
}
