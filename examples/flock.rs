//! Robots that flock: each goes along with its neighbours, towards their middle, and away from those that are near.
//!
//! ```text
//! cargo run --release -p examples --bin flock
//! sim-cli run scenarios/swarm-30.json --inputs out/mine --out out/again
//! ```
//!
//! The second line repeats the run bit for bit from its record: `final_state_hash` is the same in both `run.json`.

use sim_run::{Session, scenario};
use sim_world::{Input, Value};
use sim_worlds::WORLDS;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    run(Path::new("scenarios/swarm-30.json"), Path::new("out/mine"))
}

/// Runs the scenario with this controller and writes the run folder `out`.
pub fn run(file: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let loaded = scenario::load(WORLDS, file, &[])?;
    let mut session = Session::start(&loaded.model, loaded.model.key(0), &loaded.options(out))?;
    let wishes = session.input("wishes")?;
    while !session.is_done() {
        let robots = session.numbers("agents", ["x_mm", "y_mm", "vx_mm_s", "vy_mm_s"])?;
        let row = |me: usize| {
            let [vx_mm_s, vy_mm_s] = wish_mm_s(&robots[me], &robots);
            [Value::from(me), vx_mm_s.into(), vy_mm_s.into()]
        };
        let rows: Vec<_> = (0..robots.len()).map(row).collect();
        session.step(&Input::rows(wishes, &rows))?;
    }
    session.finish()?;
    Ok(())
}

/// The velocity that a robot wishes. A robot is its place in mm and its velocity in mm/s.
fn wish_mm_s(me: &[f64; 4], robots: &[[f64; 4]]) -> [f64; 2] {
    let (flock, crowd) = (mean_within(120.0, me, robots), mean_within(75.0, me, robots));
    [0, 1].map(|axis| {
        let alignment = 2.0 * flock[axis + 2];
        let cohesion = 0.5 * (flock[axis] - me[axis]);
        let separation = 4.0 * (me[axis] - crowd[axis]);
        let centering = 0.5 * (200.0 - me[axis]);
        alignment + cohesion + separation + centering
    })
}

/// The mean of the robots within a distance, this one included.
fn mean_within(reach_mm: f64, me: &[f64; 4], robots: &[[f64; 4]]) -> [f64; 4] {
    let squared = |way_mm: f64| way_mm * way_mm;
    let is_near = |other: &&[f64; 4]| squared(other[0] - me[0]) + squared(other[1] - me[1]) < squared(reach_mm);
    let near: Vec<_> = robots.iter().filter(is_near).collect();
    [0, 1, 2, 3].map(|at| near.iter().map(|other| other[at]).sum::<f64>() / near.len() as f64)
}
