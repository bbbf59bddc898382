//! Collisions that are none: cubes that drive about on an empty mat, at several step rates.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use sim_core::{DVec2, StateHash};
use toio_cube_sim::attitude::Euler;
use toio_cube_sim::behaviour::PostureCones;
use toio_cube_sim::motion::{MotionInput, MotionSensor};
use toio_physics::{CubeReport, CubeStart, MotorParams, Physics, PhysicsModel, PhysicsParams, WheelCommand};

const CUBES: u32 = 10;
const SECONDS: u32 = 60;

/// A number from 0 to 1 for each cube and moment.
fn draw(words: [u32; 3]) -> f64 {
    let mut hash = StateHash::new();
    words.iter().for_each(|&word| hash.u64(word.into()));
    (hash.finish() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Commands of a cube: new ones every 0.4 s, a quarter of them rest, at moments that all step rates have.
fn command(cube: u32, time_s: f64) -> WheelCommand {
    let stretch = (time_s / 0.4 + 1e-9) as u32;
    let units = |side| 230.0 * draw([cube, stretch, side]) - 115.0;
    let rests = draw([cube, stretch, 2]) < 0.25;
    let [left_units, right_units] = if rests { [0.0; 2] } else { [units(0), units(1)] };
    WheelCommand { left_units, right_units, ..WheelCommand::default() }
}

fn input(report: &CubeReport) -> MotionInput {
    let attitude = report.attitude;
    MotionInput {
        specific_force_m_s2: report.specific_force_m_s2,
        angular_rate_rad_s: report.omega_rad_s,
        attitude: Euler { roll_rad: attitude.roll_rad, pitch_rad: attitude.pitch_rad, yaw_rad: attitude.yaw_rad },
        wheel_speed_m_s: report.wheels.map(|wheel| wheel.motor_m_s),
    }
}

/// Collisions reported in 600 cube-seconds at these levels.
fn collisions<const N: usize>(step_hz: u32, levels: [u8; N]) -> [u32; N] {
    let model = PhysicsModel::new(PhysicsParams { step_hz, ..PhysicsParams::default() }).unwrap();
    let motor = MotorParams::default();
    let start = |id: u32| CubeStart {
        id,
        axle_m: DVec2::new(f64::from(id) * 40.0, 0.0),
        heading_rad: 0.0,
        motor,
        is_away: false,
    };
    let starts: Vec<CubeStart> = (0..CUBES).map(start).collect();
    let mut physics = Physics::new(&model, &starts, &[]).unwrap();
    let sensor = |level| {
        let mut sensor = MotionSensor::new(PostureCones::Fixed, step_hz).unwrap();
        sensor.settings_mut().set_collision_level(level).unwrap();
        sensor
    };
    let mut sensors: Vec<[MotionSensor; N]> = (0..CUBES).map(|_| levels.map(sensor)).collect();
    let mut counts = [0; N];
    for tick in 0..SECONDS * step_hz {
        let time_s = f64::from(tick) / f64::from(step_hz);
        let commands: Vec<WheelCommand> = (0..CUBES).map(|cube| command(cube, time_s)).collect();
        physics.step(&model, &commands).unwrap();
        for (report, sensors) in physics.reports().iter().zip(&mut sensors) {
            for (sensor, count) in sensors.iter_mut().zip(&mut counts) {
                sensor.step(&input(report));
                *count += u32::from(sensor.take_report().collision);
            }
        }
    }
    counts
}

#[test]
fn driving_is_hardly_ever_a_collision_at_any_step_rate() {
    let counts = [50, 60, 100, 240].map(|step_hz| collisions(step_hz, [1, 2, 3, 4, 5, 7]));
    for [first, _, _, fourth, fifth, seventh] in counts {
        assert!(fourth <= 12 && fifth <= 4 && seventh == 0, "{counts:?}");
        assert!(counts.iter().all(|other| 2 * other[0] >= first && other[0] <= 2 * first), "{counts:?}");
    }
}
