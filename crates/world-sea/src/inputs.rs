//! What the sea takes: commands of actuators, setpoints of drivers, other places.

use crate::acoustics::{Message, PacketKind};
use crate::control::ControlSource;
use crate::events::{EventObject, Moment, SeaEvent};
use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::pilot::{DriverModel, Setpoint};
use crate::scenario::BYTES_MAX;
use crate::world::{SeaState, VehicleRun};
use sea_sim::Sea;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::BodyState;
use sea_sim::driver::Level;
use sea_sim::spatial::Vec6;
use sea_sim::water::Water;
use sim_core::DVec3;
use sim_input::nearest::{did_you_mean, nearest};
use sim_world::{Cadence, Column, Input, RowFault, Stream, Value};
use std::f64::consts::TAU;

/// Places of the streams.
const COMMANDS: usize = 0;
const SETPOINTS: usize = 1;
const TELEPORT: usize = 2;
const MESSAGES: usize = 3;

/// Place of the column of the vehicle, in all streams.
const VEHICLE: usize = 0;
/// Places of the columns of a command.
const ACTUATOR: usize = 1;
const VALUE: usize = 2;
/// Places of the columns of a setpoint.
const YAW: usize = 1;
const DEPTH: usize = 2;
const ALTITUDE: usize = 3;
const SPEED: usize = 4;
const SETPOINT_PLACE: usize = 5;
/// Places of the columns of a new place.
const PLACE: usize = 1;
const ANGLES: usize = 4;
/// Places of the columns of a message.
const TO: usize = 1;
const BYTES: usize = 2;
/// Length of a message that does not say it, bytes.
const PLAIN_BYTES: f64 = 32.0;

/// Largest number that may be asked for, in whatever unit.
const MOST: f64 = 1e6;

/// The input streams of a sea.
#[must_use]
pub(crate) fn streams(model: &SeaModel) -> Vec<Stream> {
    let names = || model.vehicles.iter().map(|vehicle| vehicle.name.clone());
    let vehicle = || Column::integer("vehicle", "number of the vehicle, or its name").with_names(names());
    let number = |name, about| Column::number(name, about).with_range(-MOST, MOST);
    let depth = |name, about| Column::number(name, about).with_range(0.0, 12_000.0);
    let height = |name, about| Column::number(name, about).with_range(-12_000.0, 12_000.0);
    let angle = |name, about| Column::number(name, about).with_range(-TAU, TAU);
    let commands = [
        vehicle(),
        Column::text("actuator", "name of the actuator"),
        number("value", "what it shall do, in its unit; missing gives it back to the driver"),
    ];
    let setpoints = [
        vehicle(),
        angle("yaw_rad", "heading, from east towards north"),
        depth("depth_m", "depth below the surface; not beside altitude_m"),
        depth("altitude_m", "height above the bottom"),
        number("speed", "command of the propellers, or speed, as in the scenario"),
        number("x_m", "place of a quadrotor, east"),
        number("y_m", "place of a quadrotor, north"),
        number("z_m", "place of a quadrotor, up"),
    ];
    let teleport = [
        vehicle(),
        number("x_m", "place, east"),
        number("y_m", "place, north"),
        height("z_m", "place, up"),
        angle("roll_rad", "roll; missing is 0, as of the other angles"),
        angle("pitch_rad", "pitch, positive lowers the nose"),
        angle("yaw_rad", "yaw, from east towards north"),
    ];
    let stream =
        |name, about, columns: Vec<Column>| Stream::new(name, about, Cadence::OnEvent { at_most: None }, columns);
    let mut streams = vec![
        stream(
            "commands",
            "a command that an actuator keeps until the next one, in place of its driver's",
            commands.into(),
        ),
        stream(
            "setpoints",
            "what a driver shall steer for, in place of its own list; a row without values gives it back",
            setpoints.into(),
        ),
        stream(
            "teleport",
            "another place for a vehicle, above the bottom, where it is at rest; a missing coordinate stays, a missing angle is 0",
            teleport.into(),
        ),
    ];
    if model.acoustics.is_some() {
        let messages = [
            vehicle(),
            Column::integer("to", "the vehicle that it is for; missing: all with modems").with_names(names()),
            Column::integer("bytes", "length; missing is 32").with_range(1.0, f64::from(BYTES_MAX)),
        ];
        streams.push(stream("messages", "a message that the modem of a vehicle sends", messages.into()));
    }
    streams
}

/// What the columns cannot say.
pub(crate) fn check(model: &SeaModel, input: &Input<'_>) -> Result<(), RowFault> {
    let Some(vehicle) = vehicle_of(model, input) else { return Ok(()) };
    let (setup, stream) = (&model.vehicles[vehicle], &model.inputs[input.stream]);
    let said = check_control(setup, input.stream).and_then(|()| match input.stream {
        COMMANDS => check_command(setup, input.row),
        SETPOINTS => check_setpoint(setup, stream, input.row),
        TELEPORT => check_teleport(model, vehicle, input.row),
        _ => check_message(model, vehicle, input.row),
    });
    said.map_err(|(column, message)| RowFault::for_column(stream, &stream.columns[column].name, message))
}

/// The place of a column, and what is wrong there.
type Wrong = (usize, String);

/// Refuses rows that none of a vehicle's sources of control lets in.
fn check_control(setup: &VehicleSetup, stream: usize) -> Result<(), Wrong> {
    if setup.control_sources.iter().any(|&source| lets_in(source, stream)) {
        return Ok(());
    }
    let name = &setup.name;
    let message = match stream {
        COMMANDS => format!("is {name}, whose control_source is driver: it takes no commands from outside"),
        _ => format!("is {name}, whose control_source is not shared: its driver takes no setpoints from outside"),
    };
    Err((VEHICLE, message))
}

/// Whether a vehicle with a source of control takes rows of a stream.
fn lets_in(source: ControlSource, stream: usize) -> bool {
    match stream {
        COMMANDS => source != ControlSource::Driver,
        SETPOINTS => source == ControlSource::Shared,
        _ => true,
    }
}

fn check_command(setup: &VehicleSetup, row: &[Value<'_>]) -> Result<(), Wrong> {
    let names = setup.vehicle.actuator_names();
    let Value::Text(name) = row[ACTUATOR] else { return Err((ACTUATOR, "is missing".to_owned())) };
    if names.iter().any(|known| known == name) {
        return Ok(());
    }
    let hint = did_you_mean(nearest(name, names.iter().map(String::as_str)));
    Err((ACTUATOR, format!("is {name:?}, {} has {}{hint}", setup.name, listed(names))))
}

fn check_setpoint(setup: &VehicleSetup, stream: &Stream, row: &[Value<'_>]) -> Result<(), Wrong> {
    let is_given = |column: usize| row[column] != Value::Missing;
    let columns = || YAW..SETPOINT_PLACE + 3;
    if !columns().any(|column| obeys(setup, column)) {
        let number = row[VEHICLE].as_number().unwrap_or_default();
        return Err((VEHICLE, format!("is {number}: {} has no driver that obeys setpoints", setup.name)));
    }
    if let Some(column) = columns().find(|&column| is_given(column) && !obeys(setup, column)) {
        let obeyed = columns().filter(|&column| obeys(setup, column));
        let names: Vec<String> = obeyed.map(|column| stream.columns[column].name.to_string()).collect();
        let list = listed(&names);
        let message = format!("means nothing to {}: its driver has actuators and sensors for {list}", setup.name);
        return Err((column, message));
    }
    if is_given(DEPTH) && is_given(ALTITUDE) {
        return Err((ALTITUDE, "cannot be given beside depth_m".to_owned()));
    }
    match (0..3).filter(|axis| is_given(SETPOINT_PLACE + axis)).count() {
        0 | 3 => Ok(()),
        _ => Err((SETPOINT_PLACE, "must be given with y_m and z_m, or none of them".to_owned())),
    }
}

/// A coordinate that stays is known at its step alone.
fn check_teleport(model: &SeaModel, vehicle: usize, row: &[Value<'_>]) -> Result<(), Wrong> {
    if (0..3).any(|axis| row[PLACE + axis] == Value::Missing) {
        return Ok(());
    }
    let wrong = model.misplaced(vehicle, &teleported(&BodyState::default(), row));
    wrong.map_or(Ok(()), |misplaced| Err((PLACE + misplaced.axis(), misplaced.to_string())))
}

/// Whether a driver can steer for what a column of a setpoint says.
fn obeys(setup: &VehicleSetup, column: usize) -> bool {
    match &setup.driver {
        DriverModel::None | DriverModel::Commands { .. } => false,
        DriverModel::Hover(_) => column == YAW || column >= SETPOINT_PLACE,
        DriverModel::Steer(_) => {
            let can_dive = setup.driver.can_dive();
            match column {
                YAW | SPEED => true,
                DEPTH => can_dive && setup.sensor(SensorKind::Pressure).is_some(),
                ALTITUDE => can_dive && (setup.dvl.is_some() || setup.sensor(SensorKind::Altimeter).is_some()),
                _ => false,
            }
        }
    }
}

/// Names as a list in words.
pub(crate) fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Takes the rows of a step in their order. One that would put a vehicle where it cannot be, or that its source of control at the step
/// does not let in, does nothing but an event.
pub(crate) fn take(
    (model, water): (&SeaModel, &Water),
    inputs: &[Input<'_>],
    (state, begin_s): (&mut SeaState, f64),
    (moment, events): (Moment, &mut Vec<SeaEvent>),
) {
    for input in inputs {
        let Some(vehicle) = vehicle_of(model, input) else { continue };
        let run = &mut state.vehicles[vehicle];
        let is_refused = match input.stream {
            stream if !lets_in(run.control_source, stream) => true,
            COMMANDS => {
                command(&model.vehicles[vehicle], input.row, run);
                false
            }
            SETPOINTS => {
                run.pilot.take(setpoint(input.row));
                false
            }
            MESSAGES => !state.acoustics.wait(begin_s, message(vehicle, input.row)),
            _ => {
                let body = teleported(&run.motion.body, input.row);
                let is_misplaced = model.misplaced(vehicle, &body).is_some();
                if !is_misplaced {
                    move_to((model, water), (vehicle, body), (state, begin_s));
                }
                is_misplaced
            }
        };
        if is_refused {
            events.push(moment.event("refused", vehicle).about(EventObject::Input));
        }
    }
}

/// Both must have modems.
fn check_message(model: &SeaModel, vehicle: usize, row: &[Value<'_>]) -> Result<(), Wrong> {
    let to = row[TO].as_number().map(|number| number as usize).filter(|&number| number < model.vehicles.len());
    for (column, vehicle) in [(VEHICLE, Some(vehicle)), (TO, to)] {
        let without = vehicle.map(|vehicle| &model.vehicles[vehicle]).filter(|setup| setup.modem.is_none());
        if let Some(setup) = without {
            return Err((column, format!("is {}, which has no modem", setup.name)));
        }
    }
    if to == Some(vehicle) {
        return Err((TO, format!("is {}, which is the sender", model.vehicles[vehicle].name)));
    }
    Ok(())
}

fn message(vehicle: usize, row: &[Value<'_>]) -> Message {
    let bytes = row[BYTES].as_number().unwrap_or(PLAIN_BYTES) as u32;
    let to = row[TO].as_number().map(|number| number as u32);
    Message { from: vehicle as u32, to, bytes, kind: PacketKind::Plain }
}

fn vehicle_of(model: &SeaModel, input: &Input<'_>) -> Option<usize> {
    let number = input.row[VEHICLE].as_number()? as usize;
    (number < model.vehicles.len()).then_some(number)
}

fn command(setup: &VehicleSetup, row: &[Value<'_>], run: &mut VehicleRun) {
    let Value::Text(name) = row[ACTUATOR] else { return };
    let Some(actuator) = setup.vehicle.actuator(name) else { return };
    let value = row[VALUE].as_number();
    run.is_held[actuator] = value.is_some();
    run.held_age = 0;
    if let Some(value) = value {
        setup.vehicle.command(&mut run.motion, actuator, value);
    }
}

fn setpoint(row: &[Value<'_>]) -> Setpoint {
    let number = |column: usize| row[column].as_number();
    let place = |axis: usize| number(SETPOINT_PLACE + axis);
    let place_m = match [place(0), place(1), place(2)] {
        [Some(x), Some(y), Some(z)] => Some(DVec3::new(x, y, z)),
        _ => None,
    };
    Setpoint {
        yaw_rad: number(YAW),
        level: number(DEPTH).map(Level::DepthM).or(number(ALTITUDE).map(Level::AltitudeM)),
        speed: number(SPEED),
        place_m,
    }
}

/// At rest where a row says, from where it is now.
fn teleported(now: &BodyState, row: &[Value<'_>]) -> BodyState {
    let coordinate = |axis: usize| row[PLACE + axis].as_number().unwrap_or(now.position_m[axis]);
    let angle = |place: usize| row[ANGLES + place].as_number().unwrap_or_default();
    let angles = RollPitchYaw { roll_rad: angle(0), pitch_rad: angle(1), yaw_rad: angle(2) };
    let position_m = DVec3::new(coordinate(0), coordinate(1), coordinate(2));
    BodyState { position_m, attitude: angles.to_quat(), velocity: Vec6::ZERO }
}

/// A vehicle is at another place.
pub(crate) fn move_to(
    (model, water): (&SeaModel, &Water),
    (vehicle, body): (usize, BodyState),
    (state, begin_s): (&mut SeaState, f64),
) {
    let SeaState { tick, currents, vehicles, .. } = state;
    let (setup, run) = (&model.vehicles[vehicle], &mut vehicles[vehicle]);
    run.motion.body = body;
    run.conditions.aground_at_m = None;
    setup.vehicle.settle(&mut run.motion, &Sea { water, currents: &model.currents, state: currents }, begin_s);
    run.pilot.move_to(&setup.driver, body.position_m, *tick);
}
