//! From `agents.cube` to the cubes of a swarm and what drives them.

use sim_core::{DVec2, RunKey};
use swarm_agents::Wheels;
use toio_cube_sim::Protocol;
use toio_cube_sim::radio::{INTERVAL_UNIT_MS, Radio, StackDelay};
use toio_mat::{CenterPoint, Ground, PlanePose, Printed};
use toio_physics::{CubeStart, SPEED_PER_UNIT_M_S, geometry};

use super::params_cubes::{center_point, motor_params, radio_params};
use super::spec::{DriveSpec, MatScenario};
use super::spec_cubes::CubeSpec;
use crate::cube_drive::{AXLE_AHEAD_OF_BODY_MM, CubeDriveModel, Gains, LinkTiming, PilotModel};
use crate::cubes::{CubeModel, CubesModel};
use sim_input::diagnostic::Fault;

/// Highest step rate at which a cube tells its place in every step: it does so every 10 ms at most.
const MAX_STEP_HZ: u32 = 100;
/// Lowest step rate that the firmware takes.
const MIN_STEP_HZ: u32 = 50;
/// Share of the speed of a cube's wheels that decided motions may ask for.
const WHEEL_SHARE: f64 = 0.8;
/// Distance of the places at which the print of the mat is looked at, mm.
const LOOK_MM: f64 = 10.0;

impl MatScenario {
    /// The swarm's cubes, all at the origin until robots are laid out, and what is wrong with them.
    pub(super) fn swarm_cubes(&self, ground: &Ground, faults: &mut Vec<Fault>) -> Vec<CubeModel> {
        let before = faults.len();
        if !self.cubes.is_empty() {
            let message = "must be empty where agents.drive is \"cube\": the swarm brings its own cubes";
            faults.push(Fault::new("cubes", message).depends("agents.drive"));
        }
        if !(MIN_STEP_HZ..=MAX_STEP_HZ).contains(&self.step_hz) {
            let message = format!(
                "is {}, but cubes that drive need {MIN_STEP_HZ} to {MAX_STEP_HZ} steps a second: the firmware as many, and \
                 no more than they can tell their places",
                self.step_hz
            );
            faults.push(Fault::new("step_hz", message).depends("agents.drive"));
        }
        faults.extend(self.print_missing(ground));
        faults.extend(self.wheels_too_slow());
        let cubes: Vec<CubeModel> = (0..self.agents.count as usize).map(|index| self.swarm_cube(index)).collect();
        let key = RunKey { seed: self.seed, run_index: 0 };
        let radio = cubes.first().and_then(|cube| cube.radio.clone());
        if let Some(error) = radio.and_then(|radio| Radio::<()>::new(radio, key, 0).err()) {
            faults.push(Fault::from_param("agents.cube.radio", error.field, &error));
        }
        if faults.len() > before { Vec::new() } else { cubes }
    }

    fn swarm_cube(&self, index: usize) -> CubeModel {
        let spec = CubeSpec { radio: self.agents.cube.radio.clone(), ..CubeSpec::named(&format!("robot-{index}")) };
        let firmware = self.firmware(index, &spec);
        CubeModel {
            start: CubeStart {
                id: index as u32,
                axle_m: DVec2::ZERO,
                heading_rad: 0.0,
                motor: motor_params(&spec, firmware.protocol),
                is_away: false,
            },
            firmware,
            radio: radio_params(&spec.radio),
            center: center_point(&spec),
            is_connected: true,
            subscribes: true,
            stops_at_once: false,
            program: Vec::new(),
            name: spec.name,
        }
    }

    /// What decided motions may ask of a cube's wheels: less than they can, so that pilots can catch up.
    pub(super) fn wheels(&self) -> Wheels {
        Wheels { speed_max_mm_s: WHEEL_SHARE * wheel_speed_max_mm_s(), tread_mm: 1000.0 * geometry::TREAD_M }
    }

    /// Wheels must turn as fast as decided motions ask.
    fn wheels_too_slow(&self) -> Option<Fault> {
        let allowed = self.wheels().speed_max_mm_s.floor();
        (self.limits.v_max_mm_s > allowed).then(|| {
            let message = format!("is {}, but the wheels of a cube allow {allowed} mm/s", self.limits.v_max_mm_s);
            let fault = Fault::new("limits.v_max_mm_s", message).depends("agents.drive");
            Fault { suggestion: Some(allowed.to_string()), ..fault }
        })
    }

    /// Position IDs must be printed wherever the sensor of a cube may be.
    fn print_missing(&self, ground: &Ground) -> Option<Fault> {
        let sensor_mm = 1000.0 * DVec2::new(geometry::ID_SENSOR.x - geometry::AXLE.x, geometry::ID_SENSOR.y).length();
        let area_mm = self.mat_rect().inset(self.safety.wall_margin_mm - sensor_mm);
        let count = (area_mm.size() / LOOK_MM).ceil().max(DVec2::ONE);
        let blank = |place_mm: DVec2| {
            let sensor = PlanePose { position_mm: place_mm, heading_rad: 0.0 };
            !matches!(ground.printed_under(sensor, CenterPoint::BODY_CENTER), Printed::Position(_))
        };
        let places = (0..=count.y as u64).flat_map(|row| (0..=count.x as u64).map(move |column| (column, row)));
        let place =
            |(column, row): (u64, u64)| area_mm.min + DVec2::new(column as f64, row as f64) / count * area_mm.size();
        places.map(place).find(|&place_mm| blank(place_mm)).map(|place_mm| {
            let message = format!(
                "has no position IDs at [{:.0}, {:.0}] mm, where the sensor of a cube may be: cubes could not tell where they are",
                place_mm.x, place_mm.y
            );
            Fault::new("mat.printed", message).depends("agents.drive")
        })
    }

    /// What drives the swarm's cubes, if it does.
    pub(super) fn cube_drive_model(&self, cubes: &Option<CubesModel>) -> Option<CubeDriveModel> {
        let spec = &self.agents.cube;
        let (cubes, _) = (cubes.as_ref()?, (self.agents.drive == DriveSpec::Cube).then_some(())?);
        let cube = cubes.cubes.first()?;
        let steps = |ms: f64| ms / 1000.0 * f64::from(self.step_hz);
        let ready = |delay: StackDelay| [delay.fixed_ms, delay.fixed_ms + delay.jitter_ms].map(steps);
        let link = cube.radio.as_ref().map(|radio| LinkTiming {
            interval: steps(INTERVAL_UNIT_MS * f64::from(radio.interval_units)),
            write_ready: ready(radio.to_cube),
            notify_ready: ready(radio.from_cube),
        });
        let axle_ahead_mm = if cube.center == CenterPoint::AXLE_MIDPOINT { 0.0 } else { AXLE_AHEAD_OF_BODY_MM };
        let pilot = PilotModel {
            step_hz: self.step_hz,
            ground: cubes.ground.clone(),
            axle_ahead_mm,
            tread_mm: 1000.0 * geometry::TREAD_M,
            motor: cube.start.motor,
            link,
            gains: Gains::default(),
        };
        Some(CubeDriveModel { tracking_mm: spec.tracking_mm, lead_steps: spec.lead_steps as usize, pilot })
    }
}

/// Largest speed of a wheel of a swarm's cube, mm/s.
fn wheel_speed_max_mm_s() -> f64 {
    let motor = motor_params(&CubeSpec::named(""), Protocol::default()).characteristic;
    1000.0 * SPEED_PER_UNIT_M_S * motor.greatest_units()
}
