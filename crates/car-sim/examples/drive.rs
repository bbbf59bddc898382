//! Drives a car along commands from the command line and writes where it was as CSV.
//!
//! ```text
//! cargo run -p car-sim --example drive -- X_M,Y_M,YAW_RAD,STEERING_RAD,VELOCITY_M_S VELOCITY_M_S,CURVATURE_1_M,SECONDS...
//! ```
//! The first argument is the start, each further one a leg. A row every 10 ms, at the base point and at the rear axle.

#![expect(clippy::print_stdout, reason = "it is a program")]

use car_sim::driver::CommandList;
use car_sim::{Car, CarModel, CarParams, Command, Pose, SegmentMap, Start};
use std::error::Error;

const ROW_STEPS: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (start, legs) = arguments.split_first().ok_or("give a start, and then legs: see the head of this example")?;
    let [x_m, y_m, yaw_rad, steering_rad, velocity_m_s] = numbers(start)?;
    let mut plan = Vec::new();
    for leg in legs {
        let [velocity_m_s, curvature_1_m, seconds] = numbers(leg)?;
        plan.push((seconds, Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None }));
    }
    let steps = plan.iter().map(|(seconds, _)| (seconds * 1000.0).round() as u64).sum::<u64>();
    let model = CarModel::new(CarParams::default())?;
    let start = Start { base: Pose::new(x_m, y_m, yaw_rad), steering_rad, velocity_m_s };
    drive(&model, &start, &CommandList::from_legs(&plan)?, steps)
}

fn drive(model: &CarModel, start: &Start, plan: &CommandList, steps: u64) -> Result<(), Box<dyn Error>> {
    let map = SegmentMap::empty();
    let mut car = Car::placed(model, &map, start)?;
    println!("time_s,x_m,y_m,yaw_rad,speed_m_s,steer_rad,rear_x_m,rear_y_m,rear_speed_m_s");
    for step in 0..=steps {
        if step % ROW_STEPS == 0 {
            let (report, motion) = (car.report(model), car.motion());
            println!(
                "{},{},{},{},{},{},{},{},{}",
                report.time_ns as f64 / 1e9,
                report.base.position_m.x,
                report.base.position_m.y,
                report.base.yaw_rad,
                report.base_twist.velocity_m_s,
                motion.steering_rad,
                motion.rear.position_m.x,
                motion.rear.position_m.y,
                motion.velocity_m_s
            );
        }
        car.set_command(model, &plan.at(step * model.params().step_ns))?;
        car.step(model, &map);
    }
    Ok(())
}

fn numbers<const N: usize>(text: &str) -> Result<[f64; N], Box<dyn Error>> {
    let values = text.split(',').map(|word| word.trim().parse::<f64>().map_err(|error| format!("`{word}`: {error}")));
    let values: Vec<f64> = values.collect::<Result<_, _>>()?;
    values.try_into().map_err(|_| format!("`{text}` must be {N} numbers with commas between them").into())
}
