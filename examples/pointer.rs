//! Robots that follow a pointer, which moves on a circle around the middle of the mat.
//!
//! ```text
//! cargo run --release -p examples --bin pointer
//! sim-cli run scenarios/swarm-30.json --inputs out/mine --out out/again
//! ```
//!
//! The second line repeats the run bit for bit from its record: `final_state_hash` is the same in both `run.json`.

use sim_run::{Session, scenario};
use sim_world::{Input, Value};
use sim_worlds::WORLDS;
use std::error::Error;
use std::path::Path;

/// Middle of the mat, mm.
const MIDDLE_MM: [f64; 2] = [200.0, 200.0];
/// Tangent of half the angle by which the pointer moves on in a step: a turn takes 20 s at 60 steps a second.
const HALF_ANGLE: f64 = 0.002_618;

fn main() -> Result<(), Box<dyn Error>> {
    run(Path::new("scenarios/swarm-30.json"), Path::new("out/mine"))
}

/// Runs the scenario with this controller and writes the run folder `out`.
pub fn run(file: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    let loaded = scenario::load(WORLDS, file, &[])?;
    let mut session = Session::start(&loaded.model, loaded.model.key(0), &loaded.options(out))?;
    let wishes = session.input("wishes")?;
    let mut arm_mm = [120.0, 0.0];
    while !session.is_done() {
        let robots = session.numbers("agents", ["x_mm", "y_mm"])?;
        let towards_pointer = |(robot, place_mm): (usize, &[f64; 2])| {
            let [vx_mm_s, vy_mm_s] = [0, 1].map(|axis| 2.0 * (MIDDLE_MM[axis] + arm_mm[axis] - place_mm[axis]));
            [Value::from(robot), vx_mm_s.into(), vy_mm_s.into()]
        };
        let rows: Vec<_> = robots.iter().enumerate().map(towards_pointer).collect();
        session.step(&Input::rows(wishes, &rows))?;
        arm_mm = turned(arm_mm);
    }
    session.finish()?;
    Ok(())
}

/// The arm a step later, by the rational form of a rotation.
fn turned([x, y]: [f64; 2]) -> [f64; 2] {
    let square = HALF_ANGLE * HALF_ANGLE;
    let (cos, sin) = ((1.0 - square) / (1.0 + square), 2.0 * HALF_ANGLE / (1.0 + square));
    [cos * x - sin * y, sin * x + cos * y]
}
