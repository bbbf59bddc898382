//! What the road takes: commands for its cars.

use crate::driver::DriverModel;
use crate::model::RoadModel;
use crate::view::CARS;
use crate::world::RoadState;
use car_sim::{CarModel, Command, Twist};
use sim_world::{Cadence, Cell, Column, Control, Gesture, Input, RowFault, RowSpec, Stream, Value};

/// Fastest speed that can be asked for, m/s; a car's own limits are narrower.
const MAX_SPEED_M_S: f64 = 100.0;
/// Largest acceleration that can be asked for, m/s^2.
const MAX_ACCELERATION_M_S2: f64 = 1000.0;

/// Places of the columns.
const CAR: usize = 0;
const SPEED: usize = 1;
const STEER: usize = 2;
const ACCELERATION: usize = 3;

/// The input streams of a road.
#[must_use]
pub(crate) fn streams(model: &RoadModel) -> Vec<Stream> {
    let most_cars = model.cars.len().saturating_sub(1) as f64;
    let steer_rad = model.cars.iter().map(|car| car.model.steering_limit_rad()).fold(0.0, f64::max);
    let columns = [
        Column::integer("car", "number of the car").with_range(0.0, most_cars),
        Column::number("speed_m_s", "speed of its base point; missing gives the car back to its driver, or stops it")
            .with_range(-MAX_SPEED_M_S, MAX_SPEED_M_S),
        Column::number(
            "steer_rad",
            "steering angle of the middle of its front axle, to the left; missing is straight on",
        )
        .with_range(-steer_rad, steer_rad),
        Column::number("acceleration_m_s2", "most that its speed changes by; missing leaves its own limits")
            .with_range(0.0, MAX_ACCELERATION_M_S2),
    ];
    let about = "a command that a car keeps until the next one, in place of its driver's";
    vec![Stream::new("commands", about, Cadence::OnEvent { at_most: None }, columns)]
}

/// Share of the speed that all cars reach which a key that is held asks for.
const KEY_SPEED: f64 = 0.5;

/// What people on a live stage can do: drive the car that is followed.
pub(crate) fn controls(model: &RoadModel) -> Vec<Control> {
    let least =
        |limit: fn(&CarModel) -> f64| model.cars.iter().map(|car| limit(&car.model)).fold(f64::INFINITY, f64::min);
    if model.cars.is_empty() {
        return Vec::new();
    }
    let speed_m_s = KEY_SPEED * least(|car| car.params().velocity_max_m_s);
    let steer_rad = least(CarModel::steering_limit_rad);
    let cells = [("car", Cell::Owner), ("speed_m_s", Cell::Forward(speed_m_s)), ("steer_rad", Cell::Left(steer_rad))];
    let about =
        "arrow keys or a gamepad: drive the car that is followed; without them it has its driver back, or stops";
    let drive = Control::new(about, Gesture::Steer, RowSpec::new("commands", cells));
    vec![drive.of(CARS).with_end(RowSpec::new("commands", [("car", Cell::Owner)]))]
}

/// What the columns cannot say: steering without a speed means nothing.
pub(crate) fn check(model: &RoadModel, input: &Input<'_>) -> Result<(), RowFault> {
    let is_given = |column: usize| input.row[column] != Value::Missing;
    if !is_given(SPEED) && (is_given(STEER) || is_given(ACCELERATION)) {
        return Err(RowFault::for_column(
            &model.inputs[input.stream],
            "speed_m_s",
            "is missing beside the other values",
        ));
    }
    Ok(())
}

/// Takes the rows of a step in their order.
pub(crate) fn take(model: &RoadModel, inputs: &[Input<'_>], state: &mut RoadState) {
    for Input { row, .. } in inputs {
        let Some(car) = row[CAR].as_number() else { continue };
        let car = car as usize;
        let setup = &model.cars[car];
        let command = |speed_m_s: f64| Command {
            velocity_m_s: speed_m_s,
            curvature_1_m: curvature_1_m(&setup.model, row[STEER].as_number().unwrap_or(0.0)),
            acceleration_m_s2: row[ACCELERATION].as_number(),
        };
        // A car without a driver stands.
        let own_m_s = matches!(setup.driver, DriverModel::None).then_some(0.0);
        state.cars[car].command = row[SPEED].as_number().or(own_m_s).map(command);
    }
}

/// Curvature of the base point's path at a middle steering angle.
fn curvature_1_m(model: &CarModel, steer_rad: f64) -> f64 {
    let ackermann = model.ackermann();
    let rear = Twist { curvature_1_m: ackermann.rear_curvature_1_m(steer_rad), velocity_m_s: 1.0 };
    ackermann.base_from_rear(rear).curvature_1_m
}
