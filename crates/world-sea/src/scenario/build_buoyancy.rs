//! Whether the water carries a vehicle where it starts and where its driver wants it.

use super::build_vehicle::VehicleBuild;
use super::spec_vehicle::{SetpointsSpec, VehicleSpec, WaypointsSpec};
use crate::pilot::Helm;
use sea_sim::body::{BodyState, Loads};
use sea_sim::vehicle::{Vehicle, VehicleParams};
use sim_core::DVec3;
use sim_input::diagnostic::Fault;

/// Share of its weight by which a vehicle without ballast may be off the weight of its water: the speed that this takes is little.
const TRIMMED: f64 = 0.005;
/// Depth at which a vehicle is tried, so that no hull reaches the surface, m.
const DEEP_M: f64 = 1000.0;

/// What a vehicle weighs and what the water carries of it, in kg.
#[derive(Clone, Copy)]
struct Trim {
    /// By its ballast, from the smallest to the largest.
    weight_kg: [f64; 2],
    displaced_kg: f64,
}

/// A depth that a driver wants.
struct Wanted {
    key: String,
    level_m: f64,
    is_at_rest: bool,
}

impl Trim {
    /// Which way it goes without speed, in words; none if its ballast, or next to nothing, holds it.
    fn way(&self, has_ballast: bool) -> Option<&'static str> {
        let [least, most] = self.weight_kg;
        let off = if has_ballast { 0.0 } else { TRIMMED };
        match self.displaced_kg {
            displaced if displaced > most * (1.0 + off) => Some("rise"),
            displaced if displaced < least * (1.0 - off) => Some("sink"),
            _ => None,
        }
    }

    fn in_words(&self) -> String {
        let kg = |mass: f64| (1e3 * mass).round() / 1e3;
        let [least, most] = self.weight_kg.map(kg);
        let weight = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        format!("it weighs {weight} kg, its volume carries {} kg", kg(self.displaced_kg))
    }
}

impl VehicleBuild<'_> {
    fn trim(&self, vehicle: &Vehicle) -> Option<Trim> {
        let displaced_kg = vehicle.body()?.displaced_kg(self.scenario.water.density_kg_m3)?;
        Some(Trim { weight_kg: vehicle.mass_range_kg()?, displaced_kg })
    }

    /// A vehicle that starts at the surface floats. Without propellers nothing else can carry it.
    pub fn check_floating(&mut self, spec: &VehicleSpec, vehicle: &Vehicle, params: &VehicleParams) {
        let (z_m, level_m) = (spec.start.z_m, self.scenario.water.level_m);
        let is_at_surface = (z_m - level_m).abs() <= 0.5 * params.size_m[2];
        let Some(trim) = self.trim(vehicle).filter(|trim| is_at_surface && trim.way(false) == Some("sink")) else {
            return;
        };
        let start = vehicle.start(BodyState::default());
        let has_propellers =
            (0..vehicle.actuator_names().len()).any(|place| vehicle.propeller(&start, place).is_some());
        if has_propellers {
            let message = format!("is {z_m}, at the surface, where it sinks at rest: {}", trim.in_words());
            self.faults.push(Fault::new(format!("{}.start.z_m", self.path), message).warning());
        } else {
            let message = format!("is {z_m}, at the surface, where it cannot float: {}", trim.in_words());
            self.wrong("start.z_m", message, None);
        }
    }

    /// The depths and altitudes of a list, each with the speed that holds then. Commands at the start may give it one until the list does.
    pub fn check_setpoints(&mut self, spec: &SetpointsSpec, (own, helm): (&VehicleSpec, &Helm), vehicle: &Vehicle) {
        let (mut is_at_rest, mut wanted) = (own.start.commands.values().all(|&value| value == 0.0), Vec::new());
        for (number, entry) in spec.list.iter().enumerate() {
            is_at_rest = entry.speed.map_or(is_at_rest, |speed| speed == 0.0);
            let levels = [("depth_m", entry.depth_m), ("altitude_m", entry.altitude_m)];
            wanted.extend(levels.into_iter().filter_map(|(key, level_m)| {
                let key = format!("driver.setpoints.list[{number}].{key}");
                Some(Wanted { key, level_m: level_m?, is_at_rest })
            }));
        }
        self.check_depths(&wanted, helm, vehicle);
    }

    /// The depths and altitudes of a route.
    pub fn check_route(&mut self, spec: &WaypointsSpec, helm: &Helm, vehicle: &Vehicle) {
        let points = spec.points.iter().enumerate().flat_map(|(number, point)| {
            let levels = [("depth_m", point.depth_m), ("altitude_m", point.altitude_m)];
            levels.map(|(key, level_m)| (format!("driver.waypoints.points[{number}].{key}"), level_m))
        });
        let is_at_rest = spec.speed == 0.0;
        let wanted = points.filter_map(|(key, level_m)| Some(Wanted { key, level_m: level_m?, is_at_rest }));
        self.check_depths(&wanted.collect::<Vec<_>>(), helm, vehicle);
    }

    /// Refuses the first depth below the surface that a vehicle cannot hold at rest, or else warns of the first that takes speed.
    fn check_depths(&mut self, wanted: &[Wanted], helm: &Helm, vehicle: &Vehicle) {
        let Some(trim) = self.trim(vehicle) else { return };
        let way = match helm {
            Helm::Fins { .. } => trim.way(false),
            Helm::Nozzle { trim: ballast, .. } => trim.way(ballast.is_some()),
            Helm::Thrusters { up, .. } => self.way_of_thrust(vehicle, up),
            Helm::Twin { .. } | Helm::Hydrofoil => None,
        };
        let Some(way) = way else { return };
        let below = || wanted.iter().filter(|wanted| wanted.level_m > 0.0);
        if let Some(Wanted { key, level_m, .. }) = below().find(|wanted| wanted.is_at_rest) {
            self.wrong(key, format!("is {level_m} at rest, where it can only {way}: {}", trim.in_words()), None);
        } else if let Some(Wanted { key, level_m, .. }) = below().next() {
            let message = format!("is {level_m}, which takes speed: at rest it can only {way}; {}", trim.in_words());
            self.faults.push(Fault::new(format!("{}.{key}", self.path), message).warning());
        }
    }

    /// Which way a vehicle goes whatever its upward thrusters do, in words; none if they can hold it.
    fn way_of_thrust(&self, vehicle: &Vehicle, up: &[usize]) -> Option<&'static str> {
        let water = self.still_water();
        let position_m = DVec3::new(0.0, 0.0, self.scenario.water.level_m - DEEP_M);
        let [least, most] = [0, 1].map(|end| {
            let mut state = vehicle.start(BodyState { position_m, ..BodyState::default() });
            for &thruster in up {
                state.actuators[thruster] = vehicle.command_range(thruster).map_or(0.0, |range| range[end]);
            }
            let rates = vehicle.rates(&state, &water, &Loads::default(), 0.0);
            rates.map_or(0.0, |rates| rates.acceleration.linear.z)
        });
        match (least.min(most), least.max(most)) {
            (lowest, _) if lowest > 0.0 => Some("rise"),
            (_, highest) if highest < 0.0 => Some("sink"),
            _ => None,
        }
    }
}
