//! Runs the REMUS 100 of Fossen's tables and prints where it was.
//!
//! ```text
//! cargo run -p sea-sim --example remus_track -- STEP_MS
//! ```
//! It writes CSV: the three manoeuvres of the tables for 60 s, a row every 0.1 s, in the axes of the tables (north, east, down;
//! forward, right, down; angles in rad). `tests/compare_remus.py` reads it.

#![expect(clippy::print_stdout, reason = "it is a program")]

use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::{BodyState, Loads};
use sea_sim::vehicle::{Vehicle, VehicleState};
use sea_sim::{Medium, WaterSample};
use sim_core::DVec3;
use std::error::Error;
use std::f64::consts::PI;

/// Time between two rows, and length of a manoeuvre, ms.
const ROW_MS: f64 = 100.0;
const LENGTH_MS: f64 = 60_000.0;

/// Commands of the propeller (rpm), of rudder and stern plane (rad).
const MANOEUVRES: [(&str, [(&str, f64); 3]); 3] = [
    ("straight", [("propeller", 1525.0), ("rudder", 0.0), ("stern", 0.0)]),
    ("rudder", [("propeller", 1000.0), ("rudder", 5.0 * PI / 180.0), ("stern", 0.0)]),
    ("stern", [("propeller", 1525.0), ("rudder", 0.0), ("stern", -5.0 * PI / 180.0)]),
];

/// Deep water at rest, of the density of the tables.
struct Still;

impl Medium for Still {
    fn at(&self, position_m: DVec3, _: f64) -> WaterSample {
        let (surface_m, density_kg_m3) = (1000.0 - position_m.z, 1026.0);
        WaterSample { surface_m, density_kg_m3, ..WaterSample::default() }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let step_ms = std::env::args().nth(1).ok_or("say the step in ms")?;
    print_tracks(step_ms.parse()?)
}

fn remus() -> Result<Vehicle, Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vehicles/remus100.json");
    Ok(Vehicle::new(&serde_json::from_str(&std::fs::read_to_string(path)?)?)?)
}

fn print_tracks(step_ms: f64) -> Result<(), Box<dyn Error>> {
    let steps_a_row = (ROW_MS / step_ms).round();
    if !(steps_a_row >= 1.0 && (steps_a_row * step_ms - ROW_MS).abs() < 1e-9) {
        return Err(format!("a step of {step_ms} ms does not divide {ROW_MS} ms").into());
    }
    println!("manoeuvre,time_s,x_m,y_m,z_m,roll_rad,pitch_rad,yaw_rad,u_m_s,v_m_s,w_m_s,p_rad_s,q_rad_s,r_rad_s");
    let (vehicle, steps) = (remus()?, (LENGTH_MS / ROW_MS * steps_a_row) as u32);
    for (name, commands) in MANOEUVRES {
        let mut state = vehicle.start(BodyState::default());
        for step in 0..steps {
            move_on(&vehicle, &mut state, &commands, (1e-3 * step_ms * f64::from(step), 1e-3 * step_ms))?;
            if (step + 1) % steps_a_row as u32 == 0 {
                let time_s = 1e-3 * step_ms * f64::from(step + 1);
                println!("{name},{time_s:.1},{}", numbers(&state.body));
            }
        }
    }
    Ok(())
}

fn move_on(
    vehicle: &Vehicle,
    state: &mut VehicleState,
    commands: &[(&str, f64)],
    span_s: (f64, f64),
) -> Result<(), Box<dyn Error>> {
    for (name, value) in commands {
        vehicle.command(state, vehicle.actuator(name).ok_or("the vehicle lacks an actuator")?, *value);
    }
    Ok(vehicle.step(state, &Still, &Loads::default(), span_s)?)
}

/// Place, angles, speeds and rates in the axes of the tables: half a turn about the forward axis.
fn numbers(state: &BodyState) -> String {
    let angles = RollPitchYaw::from_quat(state.attitude);
    let (p, v) = (state.position_m, state.velocity);
    let turned = [p, DVec3::new(angles.roll_rad, angles.pitch_rad, angles.yaw_rad), v.linear, v.angular];
    let cells: Vec<String> =
        turned.into_iter().flat_map(|it| [it.x, -it.y, -it.z]).map(|number| number.to_string()).collect();
    cells.join(",")
}
