//! The phases of a step that concern cubes, in the order in which they run.

use super::link::{Direction, Incoming, Loss, TracedMessage};
use super::model::{CubeModel, CubesModel, ProgramStep};
use super::senses::senses_of;
use super::state::{Cubes, CubesScratch, OneCube, place_mm};
use crate::events::{EventObject, WorldEvent};
use sim_core::Tick;
use sim_world::StepError;
use toio_cube_sim::att::{ReadAnswer, Request};
use toio_cube_sim::micros::Micros;
use toio_cube_sim::{Characteristic, Event, PowerState, Senses};
use toio_physics::{Touched, WheelCommand};

/// Hands begin what the script has for the moment at which the step begins.
pub(crate) fn take_hold(
    model: &CubesModel,
    tick: Tick,
    cubes: &mut Cubes,
    scratch: &mut CubesScratch,
) -> Result<(), StepError> {
    while let Some(hand) = model.script.get(cubes.hands_begun).filter(|hand| hand.tick < tick) {
        cubes.take_hand(model, tick, hand, scratch)?;
        cubes.hands_begun += 1;
    }
    Ok(())
}

/// Motors turn, bodies move, push and fall.
pub(crate) fn move_bodies(
    model: &CubesModel,
    tick: Tick,
    cubes: &mut Cubes,
    scratch: &mut CubesScratch,
) -> Result<(), StepError> {
    scratch.commands.clear();
    scratch.commands.extend(cubes.cubes.iter().map(|cube| cube.command));
    cubes.physics.step(&model.physics, &scratch.commands).map_err(|source| StepError::other(tick, source))?;
    for impact in cubes.physics.impacts().iter().filter(|impact| impact.is_new) {
        let object = match impact.other {
            Touched::Cube(other) => EventObject::Cube(other as u32),
            Touched::Wall(wall) => model.standing[wall],
        };
        scratch.events.push(WorldEvent::touch(tick, impact.cube, object, impact.impulse_n_s));
    }
    Ok(())
}

/// Sensors of cubes measure where they are and what is done to them.
pub(crate) fn read_sensors(model: &CubesModel, tick: Tick, cubes: &mut Cubes, scratch: &mut CubesScratch) {
    scratch.senses.clear();
    for (k, cube) in cubes.cubes.iter_mut().enumerate() {
        let report = &cubes.physics.reports()[k];
        let charger = model.chargers.iter().position(|charger| !report.is_away && charger.charges(report));
        let charger_ma = charger.map_or(0.0, |charger| model.chargers[charger].current_ma);
        let button_is_pressed = tick <= cube.pressed_until;
        let senses = Senses { button_is_pressed, charger_ma, ..senses_of(model, &cubes.ground, &cubes.physics, k) };
        cube.printed = senses.printed;
        scratch.senses.push(senses);
        let is_outside = !report.is_away && model.is_outside(&cubes.ground, place_mm(report));
        if std::mem::replace(&mut cube.is_outside, is_outside) != is_outside {
            let kind = if is_outside { "cube_left" } else { "cube_returned" };
            scratch.events.push(WorldEvent::for_cube(tick, kind, k, None));
        }
        let was_on = std::mem::replace(&mut cube.charger, charger);
        if charger != was_on {
            let left = was_on.map(|charger| WorldEvent::charger(tick, "cube_off_charger", k, charger));
            let reached = charger.map(|charger| WorldEvent::charger(tick, "cube_on_charger", k, charger));
            scratch.events.extend(left.into_iter().chain(reached));
        }
    }
}

/// Clients do what their programs have for this moment.
pub(crate) fn run_programs(model: &CubesModel, tick: Tick, cubes: &mut Cubes, scratch: &mut CubesScratch) {
    let now = model.moment(tick);
    for (k, CubeModel { program, .. }) in model.cubes.iter().enumerate() {
        while let Some(ProgramStep { act, .. }) =
            program.get(cubes.cubes[k].program_done).filter(|step| step.tick <= tick)
        {
            cubes.cubes[k].program_done += 1;
            cubes.take_act(k, now, act, model.cubes[k].subscribes, scratch);
        }
    }
}

/// Writes come to the cubes, firmware runs on what was measured, notifications go out and come to the clients.
pub(crate) fn run_firmware(model: &CubesModel, tick: Tick, cubes: &mut Cubes, scratch: &mut CubesScratch) {
    let now = model.moment(tick);
    let CubesScratch { senses, messages, events, .. } = scratch;
    for (k, (cube, senses)) in cubes.cubes.iter_mut().zip(&*senses).enumerate() {
        let mut trace = Trace { cube: k, messages };
        let was = (cube.shown.is_connected, cube.shown.power);
        cube.receive(now, &mut trace);
        cube.run_firmware(&model.cubes[k], now, senses, &mut trace);
        cube.notify(now, &mut trace);
        note_changes(tick, k, was, cube, events);
    }
}

/// Connections and power that are not as they were.
fn note_changes(tick: Tick, k: usize, was: (bool, PowerState), cube: &OneCube, events: &mut Vec<WorldEvent>) {
    if cube.shown.is_connected != was.0 {
        let kind = if cube.shown.is_connected { "cube_connected" } else { "cube_disconnected" };
        events.push(WorldEvent::for_cube(tick, kind, k, None));
    }
    if cube.shown.power != was.1 {
        let word = match cube.shown.power {
            PowerState::Off => "off",
            PowerState::Starting => "starting",
            PowerState::On => "on",
            PowerState::Stopping => "stopping",
        };
        events.push(WorldEvent::for_cube(tick, "cube_power", k, Some(word)));
    }
}

/// Where what goes over one cube's radio is noted.
pub(super) struct Trace<'a> {
    pub cube: usize,
    pub messages: &'a mut Vec<TracedMessage>,
}

impl Trace<'_> {
    fn note(&mut self, direction: Direction, characteristic: Characteristic, bytes: &[u8]) {
        self.messages.push(TracedMessage { cube: self.cube, direction, characteristic, bytes: bytes.to_vec() });
    }
}

impl OneCube {
    fn receive(&mut self, now: Micros, trace: &mut Trace<'_>) {
        while let Some(request) = self.link.next_request(now) {
            let direction = match request {
                Request::Write(..) => Direction::Write,
                Request::Read(_) => Direction::Read,
                Request::Subscribe(..) => Direction::Subscribe,
            };
            trace.note(direction, request.characteristic(), request.bytes());
            let Some(answer) = self.firmware.serve(&request) else { continue };
            if let Err(refused) = self.link.answer(now, answer) {
                let value = answer.value.as_deref().unwrap_or_default();
                trace.note(Direction::DropAnswer(Loss::from(refused)), answer.characteristic, value);
            }
        }
    }

    /// The firmware's step, and what goes out of it.
    fn run_firmware(&mut self, model: &CubeModel, now: Micros, senses: &Senses, trace: &mut Trace<'_>) {
        let outputs = self.firmware.step(senses);
        self.shown = outputs.actuators;
        let [left_units, right_units] = self.shown.motor_units;
        let stops = model.stops_at_once && (!self.shown.is_connected || senses.button_is_pressed);
        let active_share = self.shown.motor_share;
        self.command = WheelCommand { left_units, right_units, active_share, is_forced_stop: stops };
        let mut granted = None;
        for event in &outputs.events {
            match event {
                Event::Dropped { characteristic, bytes, why } => {
                    trace.note(Direction::DropWrite(Loss::Refused(*why)), *characteristic, bytes);
                }
                Event::IntervalRequested { min, max } => {
                    granted = self.link.grant_interval(now, *min, *max).or(granted)
                }
            }
        }
        for message in &outputs.messages {
            if let Err(refused) = self.link.notify(now, *message) {
                trace.note(Direction::DropNotify(Loss::from(refused)), message.characteristic, &message.bytes);
            }
        }
        if let Some(units) = granted {
            self.firmware.set_connection_interval(units);
        }
    }

    /// Ends the connection on the radio, and notes what was under way.
    pub fn lose_link(&mut self, now: Micros, trace: &mut Trace<'_>) {
        for (direction, characteristic, bytes) in self.link.clear(now) {
            trace.note(direction, characteristic, &bytes);
        }
    }

    /// What has come to the client. Nothing comes over a link that is no more.
    fn notify(&mut self, now: Micros, trace: &mut Trace<'_>) {
        self.inbox.clear();
        if !self.shown.is_connected {
            self.lose_link(now, trace);
        }
        while let Some(incoming) = self.link.next_incoming(now) {
            match incoming {
                Incoming::Notification(message) => {
                    trace.note(Direction::Notify, message.characteristic, &message.bytes);
                    self.inbox.push(message);
                }
                Incoming::Answer(ReadAnswer { characteristic, value }) => {
                    trace.note(Direction::Answer, characteristic, value.as_deref().unwrap_or_default());
                }
            }
        }
    }
}
