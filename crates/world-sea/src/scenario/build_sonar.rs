//! From the multibeams of a vehicle to their setups.

use super::build::rad;
use super::build_vehicle::{VehicleBuild, mount};
use super::spec::SeaScenario;
use super::spec_sensors::{MultibeamMode, MultibeamSpec};
use crate::sonar::MultibeamSetup;
use sea_echo::MultibeamParams;
use sim_core::ParamError;
use sim_input::diagnostic::Fault;

/// Most rays of all multibeams of a scenario, and most distances of theirs that may be under way at once: what fits in memory.
const RAYS_MAX: u64 = 2_000_000;
const UNDER_WAY_MAX: u64 = 10_000_000;

impl SeaScenario {
    /// None if the multibeams are too large to be built.
    pub(super) fn check_multibeams(&self, faults: &mut Vec<Fault>) -> Option<()> {
        let (mut rays, mut under_way) = (0, 0);
        for (number, vehicle) in self.vehicles.iter().enumerate() {
            for (place, spec) in vehicle.sensors.mbes.iter().flatten().enumerate() {
                let beams = u64::from(spec.beams);
                rays += beams * u64::from(spec.rays_per_beam);
                under_way += beams * (spec.sensing.delay_ms / spec.sensing.every_ms.max(1) + 1);
                let (key, what, count, most) = match () {
                    () if rays > RAYS_MAX => ("beams", "rays", rays, RAYS_MAX),
                    () if under_way > UNDER_WAY_MAX => {
                        ("sensing.delay_ms", "distances under way", under_way, UNDER_WAY_MAX)
                    }
                    () => continue,
                };
                let path = format!("vehicles[{number}].sensors.mbes[{place}].{key}");
                let message = format!("makes {count} {what} with the multibeams before it, at most {most} are allowed");
                faults.push(Fault::new(path, message));
                return None;
            }
        }
        Some(())
    }
}

impl VehicleBuild<'_> {
    /// The multibeams of the vehicle; what is wrong with them is noted.
    pub(super) fn multibeams(&mut self, specs: &[MultibeamSpec]) -> Vec<MultibeamSetup> {
        if !specs.is_empty() && !self.scenario.terrain.is_given() {
            self.wrong("sensors.mbes", "hears nothing: the scenario has no terrain", None);
        }
        let mut made = Vec::with_capacity(specs.len());
        for (place, spec) in specs.iter().enumerate() {
            let block = format!("mbes[{place}]");
            self.check_multibeam_name(place, specs);
            self.check_period(&format!("{block}.sensing"), spec.sensing.every_ms);
            self.check_ping_time(&block, spec);
            made.extend(self.multibeam(&block, spec));
        }
        made
    }

    /// A name is part of that of a table: with hyphens in it, two tables could have one name.
    fn check_multibeam_name(&mut self, place: usize, specs: &[MultibeamSpec]) {
        let (name, key) = (&specs[place].name, format!("sensors.mbes[{place}].name"));
        if name.contains('-') {
            self.wrong(&key, format!("is {name:?}, must have no hyphen: its table is mbes-VEHICLE-NAME.csv"), None);
        }
        if let Some(other) = specs[..place].iter().position(|other| other.name == *name) {
            self.wrong(&key, format!("is {name:?}, the name of mbes[{other}] too"), None);
        }
    }

    /// Warns of pings that come faster than sound from the range and back.
    fn check_ping_time(&mut self, block: &str, spec: &MultibeamSpec) {
        let MultibeamMode::Rays = spec.mode;
        let (range_m, every_ms) = (spec.range_m, spec.sensing.every_ms);
        let there_and_back_ms = 2e3 * range_m / self.scenario.water.made_of().sound_speed_m_s(0.0);
        if (every_ms as f64) < there_and_back_ms {
            let message = format!(
                "is {every_ms}, less than the {there_and_back_ms:.0} ms of sound over range_m {range_m} and back: \
                 the mode rays does not wait for it"
            );
            self.faults.push(Fault::new(format!("{}.sensors.{block}.sensing.every_ms", self.path), message).warning());
        }
    }

    fn multibeam(&mut self, block: &str, spec: &MultibeamSpec) -> Option<MultibeamSetup> {
        let params = MultibeamParams {
            beams: spec.beams,
            opening_rad: rad(spec.opening_deg),
            range_m: spec.range_m,
            rays_per_beam: spec.rays_per_beam,
            beam_width_rad: rad(spec.beam_width_deg),
        };
        let sensing = (self.ranging(&spec.sensing), 1.0 / f64::from(self.scenario.step_hz));
        let made = MultibeamSetup::new(spec.name.clone(), mount(&spec.mount), params, sensing);
        made.map_err(|error| self.wrong(&format!("sensors.{block}.{}", key_of(&error)), error.message, None)).ok()
    }
}

/// The key of a multibeam that a refused parameter follows from.
fn key_of(error: &ParamError) -> String {
    match error.field {
        "position_in_body_m" => "mount.position_m".to_owned(),
        "body_from_sensor_xyzw" => "mount.orientation_xyzw".to_owned(),
        "opening_rad" => "opening_deg".to_owned(),
        "beam_width_rad" => "beam_width_deg".to_owned(),
        "delay_ticks" => "sensing.delay_ms".to_owned(),
        field @ ("beams" | "range_m" | "rays_per_beam") => field.to_owned(),
        field => format!("sensing.{field}"),
    }
}
