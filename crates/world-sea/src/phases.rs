//! The phases of a step on the sea, in the order in which they run.

use crate::control::ControlSource;
use crate::events::{EventObject, Moment, SeaEvent};
use crate::inputs;
use crate::loads::{self, FieldMoment, turning};
use crate::model::{ScriptedChange, SeaModel, SensorKind, VehicleSetup};
use crate::pilot::{DriverModel, Passed};
use crate::readings::Readings;
use crate::scanner;
use crate::senses;
use crate::sonar;
use crate::world::{SeaScratch, SeaState, VehicleRun};
use sea_sim::Sea;
use sea_sim::actuator::received_hz;
use sea_sim::body::BodyState;
use sea_sim::pose::Twist;
use sea_sim::sensor::Observed;
use sea_sim::spatial::Vec6;
use sea_sim::terrain::Terrain;
use sea_sim::vehicle::VehicleState;
use sea_sim::water::{Nearby, Water};
use sim_core::sensing::Address;
use sim_core::{DVec3, RunKey, Tick};
use sim_world::StepError;

/// Where events of a step go.
type Happened<'a> = (Moment, &'a mut Vec<SeaEvent>);

/// A hull whose top is out of the water is at the surface; one whose top is this far under it is under water, m.
const SURFACE_BAND_M: f64 = 0.02;

/// A vehicle that has risen by this since it last touched the bottom is clear of it, m.
const CLEAR_M: f64 = 0.1;

/// What rides by rules begins on the water.
pub(crate) fn settle(model: &SeaModel, water: &Water, state: &mut SeaState) {
    let SeaState { currents, vehicles, .. } = state;
    let sea = Sea { water, currents: &model.currents, state: currents };
    for (setup, run) in model.vehicles.iter().zip(vehicles) {
        setup.vehicle.settle(&mut run.motion, &sea, 0.0);
    }
}

/// Entries of the script that are due.
pub(crate) fn play_script(
    model: &SeaModel,
    water: &Water,
    (state, begin_s): (&mut SeaState, f64),
    (moment, events): Happened<'_>,
) {
    while let Some(entry) = model.script.get(state.scripted).filter(|entry| entry.step < state.tick.0) {
        state.scripted += 1;
        let setup = &model.vehicles[entry.vehicle];
        match entry.change {
            ScriptedChange::Teleport(body) => {
                inputs::move_to((model, water), (entry.vehicle, body), (state, begin_s));
            }
            ScriptedChange::Push(impulse_n_s) => {
                let SeaState { currents, vehicles, .. } = &mut *state;
                let sea = Sea { water, currents: &model.currents, state: currents };
                let motion = &mut vehicles[entry.vehicle].motion;
                let in_body = motion.body.attitude.conjugate() * impulse_n_s;
                setup.vehicle.push(motion, Vec6::new(in_body, DVec3::ZERO), &sea, begin_s);
            }
            ScriptedChange::Force(force) => state.vehicles[entry.vehicle].force = force,
            ScriptedChange::ControlSource(source) => {
                state.vehicles[entry.vehicle].obey(source);
                events.push(moment.event("control", entry.vehicle).about(EventObject::Control(source)));
            }
            ScriptedChange::Leak(is_leaking) => {
                state.vehicles[entry.vehicle].conditions.is_leaking = is_leaking;
                events.push(moment.event("leak", entry.vehicle).of(f64::from(u8::from(is_leaking)), "1"));
            }
        }
    }
}

/// Drivers decide on what has arrived; what comes from outside takes the place of theirs, until it is too old.
pub(crate) fn decide(model: &SeaModel, state: &mut SeaState, (moment, events): Happened<'_>) {
    let step = state.tick.0 - 1;
    for (number, (setup, run)) in model.vehicles.iter().zip(&mut state.vehicles).enumerate() {
        watch(setup, (number, run), model.step_s(), (moment, &mut *events));
        if !matches!(setup.driver, DriverModel::None) {
            let VehicleRun { sensors, pilot, .. } = &mut *run;
            let seen = pilot.navigator.read(&senses::heard(model, setup, sensors), (Tick(step), model.step_s()));
            if run.control_source != ControlSource::Inputs {
                obey_driver(setup, (number, run), (&seen, step, model.step_s()), (moment, &mut *events));
            }
        }
        note_saturation(setup, (number, run), u64::from(model.step_hz), (moment, &mut *events));
    }
}

/// Actuators that are not in hands from outside follow the driver.
fn obey_driver(
    setup: &VehicleSetup,
    (number, run): (usize, &mut VehicleRun),
    (seen, step, step_s): (&sea_sim::driver::Readings, u64, f64),
    (moment, events): Happened<'_>,
) {
    let (orders, passes) = run.pilot.decide(&setup.driver, seen, (step, step_s));
    for (actuator, order) in orders.iter().enumerate() {
        if let (Some(value), false) = (order, run.is_held[actuator]) {
            setup.vehicle.command(&mut run.motion, actuator, *value);
        }
    }
    for passed in passes.each() {
        let (kind, waypoint) = match passed {
            Passed::Waypoint(waypoint) => ("waypoint", waypoint),
            Passed::End(waypoint) => ("arrival", waypoint),
        };
        events.push(moment.event(kind, number).about(EventObject::Waypoint(waypoint as u32)));
    }
}

/// Forgets what came from outside too long ago: actuators go to rest, as by a watchdog of their own.
fn watch(setup: &VehicleSetup, (number, run): (usize, &mut VehicleRun), step_s: f64, (moment, events): Happened<'_>) {
    let mut silent_steps = run.pilot.watch(setup.watchdog_steps);
    if run.is_held.contains(&true) {
        if setup.watchdog_steps.is_some_and(|steps| run.held_age > steps) {
            for (actuator, is_held) in run.is_held.iter_mut().enumerate().filter(|(_, is_held)| **is_held) {
                *is_held = false;
                run.motion.commands[actuator] = setup.vehicle.rest(actuator);
            }
            silent_steps = Some(run.held_age);
        }
        run.held_age += 1;
    }
    if let Some(steps) = silent_steps {
        let event = moment.event("watchdog", number).about(EventObject::Input);
        events.push(event.of(received_hz(steps, step_s), "Hz"));
    }
}

/// Tells of commands beyond the range of their actuators; of those of one actuator once, until it has been within for a second.
fn note_saturation(
    setup: &VehicleSetup,
    (number, run): (usize, &mut VehicleRun),
    silence_steps: u64,
    (moment, events): Happened<'_>,
) {
    for actuator in 0..setup.vehicle.actuator_names().len() {
        let Some([least, most]) = setup.vehicle.command_range(actuator) else { continue };
        let command = run.motion.commands[actuator];
        if (least..=most).contains(&command) {
            continue;
        }
        let last = run.conditions.saturated_step[actuator].replace(moment.tick.0);
        if last.is_none_or(|step| step + silence_steps < moment.tick.0) {
            let event = moment.event("saturated", number).about(EventObject::Actuator(actuator as u32));
            events.push(event.of(command, ""));
        }
    }
}

/// One step of each vehicle through the moving water, as if nothing were in its way.
///
/// # Errors
/// If a vehicle leaves the range of numbers.
pub(crate) fn move_vehicles(
    (model, key, water): (&SeaModel, RunKey, &Water),
    (state, begin_s): (&mut SeaState, f64),
    scratch: &mut SeaScratch,
    (moment, events): Happened<'_>,
) -> Result<(), StepError> {
    let SeaState { tick, currents, vehicles, .. } = state;
    let sea = Sea { water, currents: &model.currents, state: currents };
    let step_s = model.step_s();
    look_back(model, vehicles, scratch);
    let SeaScratch { propellers, around: waters, .. } = scratch;
    let fields = FieldMoment { propellers, key, tick: *tick };
    for (number, (setup, run)) in model.vehicles.iter().zip(vehicles).enumerate() {
        let body = &run.motion.body;
        let middle_m = body.position_m + body.world_velocity_m_s() * (0.5 * step_s);
        // One sum over the waves for all stages and points of a step.
        let around = sea.nearby(middle_m, begin_s + 0.5 * step_s);
        waters.push(around);
        let loads = loads::loads(model, (setup, run), (&around, begin_s), &fields);
        let VehicleState { commands, command_age, .. } = run.motion;
        setup
            .vehicle
            .step(&mut run.motion, &around, &loads, (begin_s, step_s))
            .map_err(|_| StepError::not_finite(format_args!("vehicle {number} ({})", setup.name), "move", *tick))?;
        // Within a step a command changes by the watchdog of its actuator alone.
        for actuator in 0..setup.vehicle.actuator_names().len() {
            if run.motion.commands[actuator] != commands[actuator] {
                let event = moment.event("watchdog", number).about(EventObject::Actuator(actuator as u32));
                events.push(event.of(received_hz(u64::from(command_age[actuator]), step_s), "Hz"));
            }
        }
    }
    Ok(())
}

/// Keeps what holds where a step begins, whatever order vehicles move in.
pub(crate) fn look_back(model: &SeaModel, vehicles: &[VehicleRun], scratch: &mut SeaScratch) {
    scratch.around.clear();
    scratch.before.clear();
    scratch.before.extend(vehicles.iter().map(|run| run.motion.body));
    scratch.propellers.clear();
    scratch.propellers.extend(turning(model, vehicles));
}

/// Notes who is under water, who is aground and who has left the world.
pub(crate) fn observe(model: &SeaModel, water: &Water, state: &mut SeaState, (moment, events): Happened<'_>) {
    for (number, (setup, run)) in model.vehicles.iter().zip(&mut state.vehicles).enumerate() {
        let at_m = run.motion.body.position_m;
        let half_height_m = 0.5 * setup.size_m[2];
        let surface_m = water.surface_near_m(at_m, half_height_m + SURFACE_BAND_M, moment.time_s);
        let top_depth_m = surface_m - at_m.z - half_height_m;
        let conditions = &mut run.conditions;
        let is_under = top_depth_m > if conditions.is_under { 0.0 } else { SURFACE_BAND_M };
        if is_under != conditions.is_under {
            let kind = if is_under { "submerged" } else { "surfaced" };
            events.push(moment.event(kind, number).of(at_m.z, "m"));
        }
        let ground = model.ground(at_m);
        let height_m = ground.map_or(f64::INFINITY, |ground| at_m.z - ground.z_m);
        conditions.aground_at_m = if conditions.bottom_step == Some(moment.tick.0) {
            Some(height_m)
        } else {
            conditions.aground_at_m.filter(|touched_m| height_m <= touched_m + CLEAR_M)
        };
        let is_outside = matches!(model.terrain, Some(Terrain::Grid(_))) && ground.is_none();
        if is_outside && !conditions.is_outside {
            events.push(moment.event("out_of_world", number).of(at_m.z, "m"));
        }
        (conditions.is_under, conditions.is_outside) = (is_under, is_outside);
        conditions.is_in_air = top_depth_m + setup.size_m[2] < 0.0;
    }
}

/// Sensors measure what is due and deliver what arrives.
pub(crate) fn sense(
    (model, key, water): (&SeaModel, RunKey, &Water),
    state: &mut SeaState,
    scratch: &mut SeaScratch,
    readings: &mut Readings,
) {
    let SeaState { tick, currents, vehicles, .. } = state;
    sonar::sense((model, key, *tick), vehicles, &mut scratch.sonar);
    let sea = Sea { water, currents: &model.currents, state: currents };
    let time_s = tick.seconds(model.step_hz);
    for (number, (setup, run)) in model.vehicles.iter().zip(&mut *vehicles).enumerate() {
        scratch.sonar.deliver(model, (number, run), readings);
        if setup.sensors.is_empty() {
            continue;
        }
        let is_leaking = run.conditions.is_leaking;
        run.leaks_found += u64::from(is_leaking && is_due(setup, SensorKind::Leak, *tick));
        let is_felt = is_due(setup, SensorKind::Accelerometer, *tick);
        // At the start these are the fields of the step to come.
        let fields = FieldMoment { propellers: &scratch.propellers, key, tick: tick.next() };
        let last = LastStep::of(scratch, number);
        let acceleration =
            if is_felt { acceleration((model, &fields), setup, run, (&sea, last, time_s)) } else { [0.0; 6] };
        let observed = Observed {
            pose: run.motion.body.pose(),
            velocity: run.motion.body.velocity.to_array(),
            acceleration,
            sea,
            terrain: model.terrain.as_ref(),
            beacons_m: &model.beacons_m,
            is_leaking,
            leaks_found: run.leaks_found,
            time_s,
        };
        for (mounted, sensor) in setup.sensors.iter().zip(&mut run.sensors) {
            let address = Address::new(key, setup.draws, mounted.kind.address());
            if mounted.instrument.step(sensor, address, *tick, &observed) {
                readings.push(number, mounted.kind, sensor.latest());
            }
        }
    }
    scanner::sense((model, key, *tick), vehicles, &mut scratch.scan, readings);
}

/// Whether a vehicle carries a sensor that measures now.
fn is_due(setup: &VehicleSetup, kind: SensorKind, tick: Tick) -> bool {
    setup.sensor(kind).is_some_and(|place| {
        let params = setup.sensors[place].instrument.sensor().params();
        tick.is_due(params.period_ticks, params.phase_ticks)
    })
}

/// What a vehicle went through in the step that ends now.
struct LastStep<'a> {
    before: &'a BodyState,
    around: &'a Nearby,
    has_touched: bool,
}

impl<'a> LastStep<'a> {
    /// None where a run begins.
    fn of(scratch: &'a SeaScratch, number: usize) -> Option<Self> {
        let (before, around) = (scratch.before.get(number)?, scratch.around.get(number)?);
        let has_touched = scratch.touch.has_touched.get(number).copied().unwrap_or(false);
        Some(Self { before, around, has_touched })
    }
}

/// Rates of change of the six velocities: by the forces, or over the last step where these are not all.
fn acceleration(
    (model, fields): (&SeaModel, &FieldMoment<'_>),
    setup: &VehicleSetup,
    run: &VehicleRun,
    (sea, last, time_s): (&Sea<'_>, Option<LastStep<'_>>, f64),
) -> Twist {
    let by_forces = || {
        // The water of the step that led here reaches to its end: waves are summed up once a step.
        let at_start = || sea.nearby(run.motion.body.position_m, time_s);
        let around = last.as_ref().map_or_else(at_start, |last| *last.around);
        let loads = loads::loads(model, (setup, run), (&around, time_s), fields);
        setup.vehicle.rates(&run.motion, &around, &loads, time_s).map(|rates| rates.acceleration)
    };
    let over_step = || {
        let change = |last: &LastStep<'_>| (run.motion.body.velocity - last.before.velocity) * (1.0 / model.step_s());
        last.as_ref().map(change)
    };
    let is_partly_unknown = last.as_ref().is_some_and(|last| last.has_touched || model.has_fields);
    let rates = if is_partly_unknown { over_step() } else { by_forces().or_else(over_step) };
    rates.unwrap_or(Vec6::ZERO).to_array()
}

/// # Errors
/// If a vehicle is no longer at a finite place.
pub(crate) fn check_finite(model: &SeaModel, state: &SeaState) -> Result<(), StepError> {
    let lost = state.vehicles.iter().position(|run| !run.motion.is_finite());
    lost.map_or(Ok(()), |number| {
        let party = format!("vehicle {number} ({})", model.vehicles[number].name);
        Err(StepError::not_finite(party, "touch", state.tick))
    })
}
