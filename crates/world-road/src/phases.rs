//! The phases of a step on the road, in the order in which they run. `now` counts integration steps since the start, as the cars and their
//! sensors do.

use crate::driver::DriverModel;
use crate::events::RoadEvent;
use crate::model::{CarSetup, RoadModel, SUBSTEP_NS, SensorKind, TICKS_PER_S};
use crate::readings::Readings;
use crate::world::{CarState, RoadScratch, RoadState};
use car_sim::{Car, Command, Observed, Scene, Status, Traffic};
use sim_core::sensing::{Address, Sensor};
use sim_core::{RunKey, Tick};
use sim_world::StepError;

/// Drivers with eyes decide on what they know; a command from outside takes the place of theirs. `before` is the step before this one.
pub(crate) fn decide(model: &RoadModel, before: Tick, state: &mut RoadState) {
    for (setup, CarState { car, sensors, progress, command }) in model.cars.iter().zip(&mut state.cars) {
        let command = match &setup.driver {
            _ if command.is_some() => *command,
            DriverModel::None | DriverModel::Plan(_) => None,
            DriverModel::Route(pursuit) => {
                Some(pursuit.decide(progress, car.base(&setup.model), car.base_twist(&setup.model).velocity_m_s))
            }
            DriverModel::Wall(eyes) => new_scan(model, before, setup, sensors).map(|ranges_m| eyes.decide(ranges_m)),
        };
        if let Some(command) = command {
            command_car(setup, car, &command);
        }
    }
}

/// The ranges of a scan that arrived in the step before. On an older one everything has been decided, and the command is still in force.
fn new_scan<'a>(model: &RoadModel, before: Tick, setup: &CarSetup, sensors: &'a [Sensor]) -> Option<&'a [f64]> {
    let at = setup.sensor(SensorKind::Lidar)?;
    let scan = sensors[at].latest()?;
    let arrived = scan.taken.0 + setup.sensors[at].instrument.sensor().params().delay_ticks;
    (arrived + model.substeps() > before.0 * model.substeps()).then_some(scan.values)
}

/// Drivers with a plan read what it says for the coming integration step.
pub(crate) fn read_plans(model: &RoadModel, now: Tick, state: &mut RoadState) {
    for (setup, state) in model.cars.iter().zip(&mut state.cars) {
        if let (DriverModel::Plan(plan), None) = (&setup.driver, &state.command) {
            command_car(setup, &mut state.car, &plan.at((now.0 - 1) * SUBSTEP_NS));
        }
    }
}

/// Drivers give finite commands: those of files are checked, those of decisions are clamped. Any other one would leave the last in force.
fn command_car(setup: &CarSetup, car: &mut Car, command: &Command) {
    let taken = car.set_command(&setup.model, command);
    debug_assert!(taken.is_ok(), "{command:?}");
}

/// One integration step of each car that drives.
pub(crate) fn move_cars(model: &RoadModel, state: &mut RoadState) {
    for (setup, state) in model.cars.iter().zip(&mut state.cars) {
        state.car.step(&setup.model, &model.map);
    }
}

/// Ends the drives of cars that touch each other, and notes who has hit what in this integration step.
pub(crate) fn collide(
    model: &RoadModel,
    now: Tick,
    state: &mut RoadState,
    traffic: &mut Traffic,
    events: &mut Vec<RoadEvent>,
) {
    let (tick, time_s) = (state.tick, now.seconds(TICKS_PER_S));
    for (number, (setup, state)) in model.cars.iter().zip(&state.cars).enumerate() {
        // The clock of a car that hit something earlier stands.
        if state.car.status() == Status::Collision && state.car.steps() == now.0 {
            let speed_m_s = state.car.base_twist(&setup.model).velocity_m_s;
            events.push(RoadEvent::collision((tick, time_s), number, None, speed_m_s));
        }
    }
    if state.cars.len() < 2 {
        return;
    }
    show_outlines(model, state, traffic);
    for (number, (setup, state)) in model.cars.iter().zip(&mut state.cars).enumerate() {
        if state.car.status() == Status::InProgress {
            state.car.meet(traffic, number);
            if let (Status::Collision, Some(outline)) = (state.car.status(), traffic.outlines().get(number)) {
                let other = traffic.touched_by(outline, Some(number));
                let speed_m_s = state.car.base_twist(&setup.model).velocity_m_s;
                events.push(RoadEvent::collision((tick, time_s), number, other, speed_m_s));
            }
        }
    }
}

/// Fills in the outlines of all cars.
pub(crate) fn show_outlines(model: &RoadModel, state: &RoadState, traffic: &mut Traffic) {
    let cars = model.cars.iter().zip(&state.cars);
    traffic.replace(cars.map(|(setup, state)| state.car.outline(&setup.model)));
}

/// Sensors of the cars that have moved measure what is due, and deliver what arrives.
pub(crate) fn sense(
    (model, key): (&RoadModel, RunKey),
    now: Tick,
    state: &mut RoadState,
    scratch: &mut RoadScratch,
    readings: &mut Readings,
) {
    let RoadScratch { traffic, scans } = scratch;
    for (number, (setup, state)) in model.cars.iter().zip(&mut state.cars).enumerate() {
        let CarState { car, sensors, .. } = state;
        if car.steps() != now.0 {
            continue;
        }
        let scene = Scene { map: &model.map, traffic, own_car: Some(number) };
        let observed = Observed { car, model: &setup.model, scene };
        for (mounted, sensor) in setup.sensors.iter().zip(sensors) {
            let address = Address::new(key, number as u32, mounted.kind as u32);
            if mounted.instrument.step(sensor, address, &observed, scans) {
                readings.push(number, mounted.kind, now, sensor.latest());
            }
        }
    }
}

/// # Errors
/// If a car is no longer at a finite place.
pub(crate) fn check_finite(model: &RoadModel, state: &RoadState) -> Result<(), StepError> {
    let lost = model.cars.iter().zip(&state.cars).position(|(setup, state)| !state.car.base(&setup.model).is_finite());
    lost.map_or(Ok(()), |car| Err(StepError::not_finite(format_args!("car {car}"), "move", state.tick)))
}
