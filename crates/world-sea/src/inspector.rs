//! What a run on the sea is judged by, taken from every step.
//!
//! ```text
//! distance      sum of the straight ways of the origin from step to step
//! depth         of the origin below still water
//! altitude      of the origin above the bottom right below it
//! tilt          angle between the vehicle's and the world's z axis
//! depth error   distance of the origin from the depth or altitude that the driver steers for
//! yaw error     angle between the nose and the heading that the driver steers for
//! ```
//!
//! An error counts only while the driver steers: it has actuators for it, and they are not in hands from outside.

use crate::acoustics::{AcousticLog, DELIVERED};
use crate::events::SeaEvent;
use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::readings::Readings;
use crate::sonar::{self, Device};
use crate::world::{SeaState, VehicleRun};
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::BodyState;
use sea_sim::driver::Level;
use sea_sim::water::Water;
use sim_core::angle::wrap_rad;
use sim_core::measure::{Bound, Fold, Measure, Metric};
use sim_core::{DVec3, ops};

/// All measures in table order. `docs/models/sea-measures.md` says what each one means.
pub const MEASURES: &[Measure] = {
    use {Bound as B, Fold as F};
    &[
        // The acceptance lines.
        Measure::new("collisions", "count", B::ZERO, F::Sum),
        Measure::new("out_of_world", "count", B::ZERO, F::Sum),
        Measure::new("non_finite", "count", B::ZERO, F::Sum),
        // What went wrong.
        Measure::new("mishaps", "count", B::Free, F::Sum),
        Measure::new("groundings", "count", B::Free, F::Sum),
        Measure::new("watchdogs", "count", B::Free, F::Sum),
        // Motion.
        Measure::new("distance_m", "m", B::Free, F::Mean),
        Measure::new("speed_mean_m_s", "m/s", B::Free, F::Mean),
        Measure::new("speed_max_m_s", "m/s", B::Free, F::Max),
        Measure::new("turn_rate_max_rad_s", "rad/s", B::Free, F::Max),
        Measure::new("tilt_max_rad", "rad", B::Free, F::Max),
        Measure::new("depth_max_m", "m", B::Free, F::Max),
        Measure::new("altitude_min_m", "m", B::Free, F::Min),
        Measure::new("under_water_share", "1", B::Free, F::Mean),
        // Steering.
        Measure::new("waypoints_passed", "count", B::Free, F::Sum),
        Measure::new("depth_error_mean_m", "m", B::Free, F::Mean),
        Measure::new("depth_error_max_m", "m", B::Free, F::Max),
        Measure::new("yaw_error_mean_rad", "rad", B::Free, F::Mean),
        // Sonars.
        Measure::new("sonar_pings", "count", B::Free, F::Sum),
        Measure::new("sonar_hit_share", "1", B::Free, F::Mean),
        Measure::new("map_coverage", "1", B::Free, F::Mean),
        Measure::new("map_error_rms_m", "m", B::Free, F::Mean),
        // Modems.
        Measure::new("packets_sent", "count", B::Free, F::Sum),
        Measure::new("packets_delivered", "count", B::Free, F::Sum),
        Measure::new("packet_delay_mean_s", "s", B::Free, F::Mean),
    ]
};

/// What a measure is held to.
#[must_use]
pub fn limit(measure: &Measure) -> Option<f64> {
    measure.bound.limit(|_| None)
}

/// What rounding may take from or add to the length of an axis, times a hundred.
const UPRIGHT_TOLERANCE: f64 = 1e-13;

/// Sum and largest of numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    count: u64,
    sum: f64,
    max: f64,
}

impl Figures {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.max = self.max.max(value);
    }

    fn mean(&self) -> f64 {
        share(self.sum, self.count as f64)
    }

    fn largest(&self) -> f64 {
        if self.count > 0 { self.max } else { f64::NAN }
    }
}

/// Not a number for an empty whole.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { f64::NAN }
}

/// Measures of a run while it goes on.
#[derive(Clone, Debug)]
pub struct SeaInspector {
    steps: u64,
    vehicles: u64,
    collisions: u64,
    out_of_world: u64,
    groundings: u64,
    watchdogs: u64,
    waypoints: u64,
    distance_m: f64,
    /// Squares of the largest speed, m²/s², and turn rate, rad²/s²: the root of the largest square is the largest root.
    speed_max_squared: f64,
    turn_rate_max_squared: f64,
    tilt_max_rad: f64,
    /// Least height of the tip of a vehicle's z axis over its foot, as a share of its length.
    least_upright: f64,
    depth_max_m: f64,
    altitude_min_m: f64,
    under_water_steps: u64,
    depth_error_m: Figures,
    yaw_error_rad: Figures,
    pings: u64,
    /// Beams of these pings, and those of them that read a distance.
    beams: u64,
    hits: u64,
    packets_sent: u64,
    packet_delay_s: Figures,
}

impl SeaInspector {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(state: &SeaState) -> Self {
        Self {
            steps: 0,
            vehicles: state.vehicles.len() as u64,
            collisions: 0,
            out_of_world: 0,
            groundings: 0,
            watchdogs: 0,
            waypoints: 0,
            distance_m: 0.0,
            speed_max_squared: 0.0,
            turn_rate_max_squared: 0.0,
            tilt_max_rad: 0.0,
            least_upright: f64::INFINITY,
            depth_max_m: f64::NEG_INFINITY,
            altitude_min_m: f64::INFINITY,
            under_water_steps: 0,
            depth_error_m: Figures::default(),
            yaw_error_rad: Figures::default(),
            pings: 0,
            beams: 0,
            hits: 0,
            packets_sent: 0,
            packet_delay_s: Figures::default(),
        }
    }

    /// Acceptance lines broken so far.
    #[must_use]
    pub fn violations(&self) -> u64 {
        self.collisions + self.out_of_world
    }

    /// Looks at the state after a step. `before` are the bodies where it began.
    pub(crate) fn look(
        &mut self,
        (model, water): (&SeaModel, &Water),
        state: &SeaState,
        before: &[BodyState],
        (events, readings, log): (&[SeaEvent], &Readings, &AcousticLog),
    ) {
        self.steps += 1;
        for event in events {
            match event.kind {
                "collision" => self.collisions += 1,
                "out_of_world" => self.out_of_world += 1,
                "grounded" => self.groundings += 1,
                "watchdog" => self.watchdogs += 1,
                "waypoint" | "arrival" => self.waypoints += 1,
                _ => {}
            }
        }
        self.count_pings(model, readings);
        self.count_packets(log);
        for ((setup, run), before) in model.vehicles.iter().zip(&state.vehicles).zip(before) {
            self.look_at((model, water), setup, (run, before));
        }
    }

    /// Counts pings that arrived, and beams of those that read distances. What arrives at the start of a run belongs to no step.
    pub(crate) fn count_pings(&mut self, model: &SeaModel, readings: &Readings) {
        for ping in readings.arrivals() {
            let SensorKind::Sonar(kind, place) = ping.kind else { continue };
            self.pings += 1;
            let own = model.vehicles[ping.vehicle].sonar(kind, place);
            let Some(own) = own.filter(|own| matches!(own.device, Device::Beams(_))) else { continue };
            let ranges_m = own.lists(readings.values(ping)).first;
            self.beams += ranges_m.len() as u64;
            self.hits += ranges_m.iter().filter(|range_m| range_m.is_finite()).count() as u64;
        }
    }

    fn count_packets(&mut self, log: &AcousticLog) {
        self.packets_sent += log.sent;
        for packet in log.receptions().iter().filter(|packet| packet.outcome == DELIVERED) {
            self.packet_delay_s.add(packet.arrived_s - packet.sent_s);
        }
    }

    fn look_at(
        &mut self,
        (model, water): (&SeaModel, &Water),
        setup: &VehicleSetup,
        (run, before): (&VehicleRun, &BodyState),
    ) {
        let body = &run.motion.body;
        let depth_m = water.level_m() - body.position_m.z;
        let altitude_m = model.ground(body.position_m).map(|ground| body.position_m.z - ground.z_m);
        self.distance_m += body.position_m.distance(before.position_m);
        self.speed_max_squared = self.speed_max_squared.max(body.velocity.linear.length_squared());
        self.turn_rate_max_squared = self.turn_rate_max_squared.max(body.velocity.angular.length_squared());
        let up = body.attitude * DVec3::Z;
        // One that stands more upright than one before it tilts less, by more than rounding.
        if up.z < self.least_upright + UPRIGHT_TOLERANCE {
            self.least_upright = self.least_upright.min(up.z);
            self.tilt_max_rad = self.tilt_max_rad.max(ops::atan2(up.truncate().length(), up.z));
        }
        self.depth_max_m = self.depth_max_m.max(depth_m);
        self.altitude_min_m = self.altitude_min_m.min(altitude_m.unwrap_or(f64::INFINITY));
        self.under_water_steps += u64::from(run.conditions.is_under);
        let goal = run.pilot.steered(&setup.driver, &run.is_held);
        let level_error_m = match goal.level {
            Some(Level::DepthM(wanted_m)) => Some(depth_m - wanted_m),
            Some(Level::AltitudeM(wanted_m)) => altitude_m.map(|altitude_m| altitude_m - wanted_m),
            None => None,
        };
        if let Some(error_m) = level_error_m {
            self.depth_error_m.add(error_m.abs());
        }
        if let Some(yaw_rad) = goal.yaw_rad {
            let now_rad = RollPitchYaw::from_quat(body.attitude).yaw_rad;
            self.yaw_error_rad.add(wrap_rad(now_rad - yaw_rad).abs());
        }
    }

    /// The measures, in the order of [`MEASURES`], with those of the map.
    #[must_use]
    pub fn finish(&self, model: &SeaModel, [map_coverage, map_error_rms_m]: [f64; 2]) -> Vec<Metric> {
        let vehicle_steps = (self.steps * self.vehicles) as f64;
        let finite = |value: f64| if value.is_finite() { value } else { f64::NAN };
        let of_packets = |count: u64| if model.acoustics.is_some() { count as f64 } else { f64::NAN };
        let mishaps = self.collisions + self.out_of_world + self.groundings;
        let values = [
            self.collisions as f64,
            self.out_of_world as f64,
            // A number that is not finite ends a run, which then has no measures.
            0.0,
            mishaps as f64,
            self.groundings as f64,
            self.watchdogs as f64,
            self.distance_m,
            share(self.distance_m * f64::from(model.step_hz), vehicle_steps),
            self.speed_max_squared.sqrt(),
            self.turn_rate_max_squared.sqrt(),
            self.tilt_max_rad,
            finite(self.depth_max_m),
            finite(self.altitude_min_m),
            share(self.under_water_steps as f64, vehicle_steps),
            if model.vehicles.iter().any(|setup| setup.driver.route().is_some()) {
                self.waypoints as f64
            } else {
                f64::NAN
            },
            self.depth_error_m.mean(),
            self.depth_error_m.largest(),
            self.yaw_error_rad.mean(),
            if sonar::sonars(model).next().is_some() { self.pings as f64 } else { f64::NAN },
            share(self.hits as f64, self.beams as f64),
            map_coverage,
            map_error_rms_m,
            of_packets(self.packets_sent),
            of_packets(self.packet_delay_s.count),
            self.packet_delay_s.mean(),
        ];
        let metric = |(measure, value): (&Measure, f64)| measure.metric(value, limit(measure));
        MEASURES.iter().zip(values).map(metric).collect()
    }
}
