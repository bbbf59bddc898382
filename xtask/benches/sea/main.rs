//! The program that `cargo xtask bench` runs for vehicles of the sea: it times steps of 20 ms, chunk by chunk in
//! turn, and prints `name value` lines. Of all chunks the shortest counts, since other programs can only make one
//! longer.

#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

use anyhow::{Context, Result};
use sea_sim::body::{BodyState, Loads};
use sea_sim::vehicle::{Vehicle, VehicleParams, VehicleState};
use sea_sim::{Medium, WaterSample};
use sim_core::DVec3;
use std::time::Instant;

/// Step of the physics, s.
const STEP_S: f64 = 0.02;
/// Steps of a chunk, and turns.
const CHUNK: u32 = 2000;
const ROUNDS: usize = 50;

/// Water at rest with its surface at a height.
struct Still {
    surface_z_m: f64,
}

impl Medium for Still {
    fn at(&self, position_m: DVec3, _: f64) -> WaterSample {
        WaterSample {
            surface_m: self.surface_z_m - position_m.z,
            velocity_m_s: DVec3::ZERO,
            acceleration_m_s2: DVec3::ZERO,
            dynamic_pressure_pa: 0.0,
            density_kg_m3: 1026.0,
        }
    }
}

/// A vehicle under way and the time of its fastest chunk.
struct Runner {
    name: &'static str,
    vehicle: Vehicle,
    state: VehicleState,
    water: Still,
    shortest_s: f64,
}

impl Runner {
    fn new(name: &'static str, surface_z_m: f64, commands: &[(&str, f64)]) -> Result<Self> {
        let path = format!("{}/../vehicles/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).with_context(|| path.clone())?;
        let params: VehicleParams = serde_json::from_str(&text).with_context(|| path.clone())?;
        let vehicle = Vehicle::new(&params)?;
        let mut state = vehicle.start(BodyState::default());
        for (actuator, value) in commands {
            vehicle.command(&mut state, vehicle.actuator(actuator).context("an actuator of the bench")?, *value);
        }
        Ok(Self { name, vehicle, state, water: Still { surface_z_m }, shortest_s: f64::INFINITY })
    }

    fn chunk(&mut self) -> Result<()> {
        let start = now();
        for step in 0..CHUNK {
            // Commands stay young, whatever watchdog there is.
            self.state.command_age.fill(0);
            self.vehicle.step(&mut self.state, &self.water, &Loads::default(), (f64::from(step) * STEP_S, STEP_S))?;
        }
        self.shortest_s = self.shortest_s.min(start.elapsed().as_secs_f64());
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock of the bench")]
fn now() -> Instant {
    Instant::now()
}

fn main() -> Result<()> {
    let mut runners = [
        Runner::new("remus100", 1000.0, &[("propeller", 1525.0), ("rudder", 0.05)])?,
        Runner::new("otter", 0.0, &[("left", 80.0), ("right", 100.0)])?,
        Runner::new(
            "sam",
            1e6,
            &[("propeller_front", 800.0), ("propeller_back", 800.0), ("nozzle_yaw", 0.05), ("vbs", 60.0)],
        )?,
    ];
    for _ in 0..ROUNDS {
        runners.iter_mut().try_for_each(Runner::chunk)?;
    }
    for runner in &runners {
        println!("{}_step_us {}", runner.name, 1e6 * runner.shortest_s / f64::from(CHUNK));
    }
    Ok(())
}
