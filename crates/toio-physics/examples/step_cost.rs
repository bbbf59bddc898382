//! Prints what a step of the physics costs on this machine: cubes that drive about on a walled mat and bump into each other.
//!
//! `cargo run --release -p toio-physics --example step_cost`, or with `-- CUBES ROUNDS` for one crowd: what a profiler wants, since
//! counts of instructions are repeatable on a busy machine and times are not.

use sim_core::{DVec2, Rect};
use std::error::Error;
use std::time::Instant;
use toio_physics::{CubeStart, MotorParams, Physics, PhysicsModel, PhysicsParams, Wall, WheelCommand};

/// Area of the mat for each cube: thirty on a mat of 560 mm.
const ROOM_M: f64 = 0.102;
/// Rounds of which the least disturbed counts.
const ROUNDS: u32 = 40;
/// Ticks of a round.
const TICKS: u32 = 20;

/// Cubes on a square grid in a walled square.
fn crowd(cubes: u32, substeps: u32) -> Result<(PhysicsModel, Physics), Box<dyn Error>> {
    let columns = f64::from(cubes).sqrt().ceil();
    let mat = Rect::from_size(columns * ROOM_M, columns * ROOM_M);
    let walls = Wall::around(mat, 0.03, 0.02).to_vec();
    let model = PhysicsModel::new(PhysicsParams { substeps, walls, ..PhysicsParams::default() })?;
    let start = |id: u32| {
        let place = DVec2::new(f64::from(id) % columns, (f64::from(id) / columns).floor());
        let motor = MotorParams::default();
        CubeStart { id, axle_m: (place + 0.5) * ROOM_M, heading_rad: f64::from(id % 60) * 2.4, motor, is_away: false }
    };
    let starts: Vec<CubeStart> = (0..cubes).map(start).collect();
    let physics = Physics::new(&model, &starts, &[])?;
    Ok((model, physics))
}

/// Every cube changes its course once a second.
fn commands(cubes: u32, tick: u32) -> Vec<WheelCommand> {
    let units = |cube: u32, wheel: u32| f64::from((cube * 37 + wheel * 59 + (tick + cube * 7) / 50 * 83) % 160) - 50.0;
    let command = |cube| WheelCommand {
        left_units: units(cube, 0),
        right_units: units(cube, 1),
        active_share: 1.0,
        is_forced_stop: false,
    };
    (0..cubes).map(command).collect()
}

/// Time of a step, us, in the least disturbed round, and pairs that touch.
#[expect(clippy::disallowed_methods, reason = "the clock is what this example is for")]
fn cost(cubes: u32, substeps: u32, rounds: u32) -> Result<(f64, f64), Box<dyn Error>> {
    let (model, mut physics) = crowd(cubes, substeps)?;
    let (mut least_us, mut touching) = (f64::INFINITY, 0);
    for round in 0..rounds {
        let start = Instant::now();
        for tick in round * TICKS..(round + 1) * TICKS {
            physics.step(&model, &commands(cubes, tick))?;
            touching += physics.impacts().len();
        }
        least_us = least_us.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(TICKS));
    }
    Ok((least_us, touching as f64 / f64::from(rounds * TICKS)))
}

#[expect(clippy::print_stdout, reason = "an example talks to a person")]
fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<u32> = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let crowds = match *asked {
        [] => vec![
            (1, 1, ROUNDS),
            (30, 1, ROUNDS),
            (30, 4, ROUNDS),
            (100, 1, ROUNDS),
            (300, 1, ROUNDS),
            (1000, 1, ROUNDS),
        ],
        [cubes, rounds] => vec![(cubes, 1, rounds)],
        _ => return Err("give cubes and rounds, or nothing".into()),
    };
    println!("cubes substeps  us/step  us/cube  touching");
    for (cubes, substeps, rounds) in crowds {
        let (least_us, touching) = cost(cubes, substeps, rounds)?;
        println!("{cubes:5} {substeps:8} {least_us:8.1} {:8.2} {touching:9.1}", least_us / f64::from(cubes));
    }
    Ok(())
}
