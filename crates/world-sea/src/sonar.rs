//! Sonars of vehicles: their setups, what they look at, and their pings.
//!
//! A ping is a fan, or several, of exact rays from where the sensor is and as it is turned at that moment. What it reads is the list of
//! channels of a sensor as any other: late, lost, and for distances with errors. Model and limits: `docs/models/sea-sensors.md`.

pub(crate) use crate::sonar_scene::{
    BOTTOM, EchoScene, HullMaterial, ObjectShape, Rope, RopePoint, SceneParts, SonarView, bottom, scene,
    vehicle_instance,
};
pub(crate) use crate::sonar_setup::SonarParts;
pub use crate::sonar_setup::{Device, Display, Extras, Imager, Scan, SonarKind, SonarSetup};
pub(crate) use crate::sonar_tables::{ping_rows, ping_stream, point_rows, point_stream, sonar_rows, sonar_stream};

use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::readings::Readings;
use crate::survey;
use crate::world::VehicleRun;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use sea_echo::imaging::{ImagingPing, angle_code, angle_of_code};
use sea_echo::multibeam::Ping;
use sea_echo::{Bodies, Echo, Scene, SensorPose};
use sea_sim::pose::Pose;
use sea_sim::purpose;
use sim_core::sensing::Address;
use sim_core::{DQuat, RunKey, Stream, Tick, ops};
use std::f64::consts::FRAC_PI_2;

/// Values of a ray in the list of points: place, return, class, number of what it met.
pub(crate) const POINT: usize = 6;
/// Values before the lists of beams that make a map: place, roll, pitch and yaw.
pub(crate) const LOCATED: usize = 6;
/// Values before the lists of an image: buckets with a ray, least distance, mean level.
pub(crate) const IMAGE_HEAD: usize = 3;

/// Buffers of pings.
#[derive(Clone, Debug, Default)]
pub(crate) struct SonarScratch {
    by_vehicle: Vec<VehicleSonars>,
    /// What moves, where it is in this step.
    bodies: Bodies,
}

/// Rays and buffers of the sonars of a vehicle.
#[derive(Clone, Debug, Default)]
struct VehicleSonars {
    devices: Vec<Device>,
    ping: Ping,
    image: ImagingPing,
    /// Of which of them a reading arrived in this step.
    has_arrived: Vec<bool>,
}

impl SonarScratch {
    /// Takes the rays from the model where they are missing.
    fn prepare(&mut self, model: &SeaModel) {
        if self.by_vehicle.len() != model.vehicles.len() {
            let own = |setup: &VehicleSetup| VehicleSonars {
                devices: setup.sonars.iter().map(|own| own.device.clone()).collect(),
                has_arrived: vec![false; setup.sonars.len()],
                ..VehicleSonars::default()
            };
            self.by_vehicle = model.vehicles.iter().map(own).collect();
        }
    }

    /// Hands over what arrived from the sonars of a vehicle.
    pub fn deliver(&self, model: &SeaModel, (number, run): (usize, &VehicleRun), readings: &mut Readings) {
        let Some(own) = self.by_vehicle.get(number) else { return };
        let sensors = model.vehicles[number].sonars.iter().zip(&run.sonars).zip(&own.has_arrived);
        for ((own, sensor), _) in sensors.filter(|(_, has_arrived)| **has_arrived) {
            readings.push(number, SensorKind::Sonar(own.kind, own.place), sensor.latest());
        }
    }
}

/// The sonars of all vehicles ping if that is due, and take what arrives. Each vehicle writes to its own buffers alone, and its draws have
/// addresses: the bytes are the same whichever thread it is.
pub(crate) fn sense(
    (model, key, tick): (&SeaModel, RunKey, Tick),
    vehicles: &mut [VehicleRun],
    scratch: &mut SonarScratch,
) {
    let Some(scene) = &model.echo_scene else { return };
    scratch.prepare(model);
    let pinging = model.vehicles.iter().filter(|setup| setup.sonars.iter().any(|own| own.pings(tick))).count();
    if pinging > 0 {
        scene.place_bodies(model, vehicles, &mut scratch.bodies);
    }
    let SonarScratch { by_vehicle, bodies } = scratch;
    let sense = |(number, (run, own)): (usize, (&mut VehicleRun, &mut VehicleSonars))| {
        let seen = Seen { scene, view: scene.seen_by(number, bodies) };
        own.sense((model, key, tick), &seen, (&model.vehicles[number], run));
    };
    if pinging > 1 && has_other_workers() {
        vehicles.par_iter_mut().zip(by_vehicle).enumerate().with_max_len(1).for_each(sense);
    } else {
        vehicles.iter_mut().zip(by_vehicle).enumerate().for_each(sense);
    }
}

/// Whether the run is made by one of several workers. Others that are idle take parts of a step.
fn has_other_workers() -> bool {
    rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1
}

impl VehicleSonars {
    fn sense(
        &mut self,
        (model, key, tick): (&SeaModel, RunKey, Tick),
        seen: &Seen<'_>,
        (setup, run): (&VehicleSetup, &mut VehicleRun),
    ) {
        let Self { devices, ping, image, has_arrived } = self;
        let pose = run.motion.body.pose();
        let is_located = setup.sonars.iter().any(|own| own.extras.located);
        let believed = is_located.then(|| survey::believed(model, setup, run));
        let states = run.sonars.iter_mut().zip(&mut run.sonar_returns).zip(has_arrived);
        for ((own, device), ((sensor, returns), has_arrived)) in setup.sonars.iter().zip(devices).zip(states) {
            let address = Address::new(key, setup.draws, own.address());
            let measure = |values: &mut [f64]| {
                let (pose, mut draws) = (own.pose(&pose, tick), own.draws(key, setup.draws, tick));
                let is_read = match device {
                    Device::Beams(beams) => {
                        let before = believed.filter(|_| own.extras.located);
                        own.read_beams((beams, ping), (&pose, seen, before), &mut draws, values)
                    }
                    Device::Image(imager) => {
                        own.read_image((imager, image), (&pose, seen), (&mut draws, returns), values)
                    }
                };
                own.add_errors(address, tick, values);
                is_read
            };
            *has_arrived = sensor.step_if(&own.sensor, address, tick, measure);
        }
    }
}

/// What the sonars of a vehicle look at now.
struct Seen<'a> {
    scene: &'a EchoScene,
    view: SonarView<'a>,
}

impl Seen<'_> {
    /// Number of what a triangle is part of; 0 for none.
    fn instance(&self, triangle: Option<u32>) -> f64 {
        f64::from(triangle.map_or(0, |triangle| self.scene.label(&self.view, triangle).1))
    }
}

impl SonarSetup {
    /// Whether it pings now.
    fn pings(&self, tick: Tick) -> bool {
        let times = self.sensor.params();
        tick.is_due(times.period_ticks, times.phase_ticks)
    }

    fn draws(&self, key: RunKey, vehicle: u32, tick: Tick) -> Stream {
        key.stream(purpose::SONAR, (u64::from(vehicle) << 32) | u64::from(self.address()), tick.0)
    }

    /// Where it is, and how it is turned.
    fn pose(&self, body: &Pose, tick: Tick) -> SensorPose {
        let world_from_sensor = body.world_from_body * self.body_from_sensor;
        let turned = |angle_rad: f64| {
            let (sin, cos) = ops::sin_cos(0.5 * angle_rad);
            world_from_sensor * DQuat::from_xyzw(0.0, 0.0, sin, cos)
        };
        SensorPose {
            position_m: body.point_m(self.position_in_body_m),
            world_from_sensor: self
                .scan()
                .map_or(world_from_sensor, |scan| turned(scan.angle_rad(self.ping_number(tick)))),
        }
    }

    /// A ping of distances. False, with no ping, where coordinates are too large.
    fn read_beams(
        &self,
        (beams, ping): (&mut sea_echo::Multibeam, &mut Ping),
        (pose, seen, believed): (&SensorPose, &Seen<'_>, Option<[f64; LOCATED]>),
        draws: &mut Stream,
        values: &mut [f64],
    ) -> bool {
        let material_of = |triangle| seen.scene.label(&seen.view, triangle).0;
        if beams.ping(pose, &Scene { surface: &seen.view, material_of }, ping).is_err() {
            return false;
        }
        if let Some(acoustics) = &self.acoustics {
            beams.hear(acoustics, draws, ping);
        }
        let ranges_m = ping.beams.iter().map(|beam| beam.range_m.unwrap_or(f64::INFINITY));
        let levels_db = ping.beams.iter().filter_map(|beam| beam.level_db);
        let classes = if_wanted(self.extras.classes, &ping.beams).map(|beam| f64::from(beam.class));
        let instances = if_wanted(self.extras.instances, &ping.beams).map(|beam| seen.instance(beam.triangle));
        let read = believed
            .into_iter()
            .flatten()
            .chain(ranges_m)
            .chain(levels_db)
            .chain(classes)
            .chain(instances)
            .chain(self.points(&ping.echoes, seen));
        write(values, read);
        true
    }

    /// The same of an image.
    fn read_image(
        &self,
        (imager, image): (&mut Imager, &mut ImagingPing),
        (pose, seen): (&SensorPose, &Seen<'_>),
        (draws, returns): (&mut Stream, &mut [f64]),
        values: &mut [f64],
    ) -> bool {
        let material_of = |triangle| seen.scene.label(&seen.view, triangle).0;
        let surface = Scene { surface: &seen.view, material_of };
        let read = match &self.acoustics {
            Some(acoustics) => imager.sonar.hear(pose, (&surface, &seen.scene.targets), (acoustics, draws), image),
            None => imager.sonar.ping_after(pose, &surface, (draws, returns), image),
        };
        if read.is_err() {
            return false;
        }
        let buckets = &image.buckets;
        let (display, is_acoustic) = (&imager.display, self.acoustics.is_some());
        let least_m = image.echoes.iter().flatten().map(|echo| echo.distance_m).fold(f64::INFINITY, f64::min);
        let mean_db = || buckets.iter().map(|bucket| bucket.level).sum::<f64>() / buckets.len() as f64;
        let hits = buckets.iter().filter(|bucket| bucket.hits > 0).count() as f64;
        let head = [hits, least_m, if is_acoustic { mean_db() } else { f64::INFINITY }];
        let levels = buckets.iter().map(|bucket| display.shown(bucket.level, is_acoustic));
        let coded = |angle_rad: f64| angle_of_code(angle_code(angle_rad - FRAC_PI_2));
        let angles = if_wanted(self.extras.angles, buckets);
        let angles = angles.map(|bucket| if bucket.hits > 0 { coded(bucket.angle_rad) } else { f64::INFINITY });
        let classes = if_wanted(self.extras.classes, buckets).map(|bucket| f64::from(bucket.class));
        let instances = if_wanted(self.extras.instances, buckets).map(|bucket| seen.instance(bucket.triangle));
        let rest = write_list(write_list(values, head.into_iter()), levels);
        write(rest, angles.chain(classes).chain(instances).chain(self.points(&image.echoes, seen)));
        true
    }

    /// The point cloud, if it is asked for.
    fn points<'a>(&self, echoes: &'a [Option<Echo>], seen: &'a Seen<'_>) -> impl Iterator<Item = f64> + 'a {
        if_wanted(self.extras.points, echoes).flat_map(move |echo| {
            echo.map_or([f64::INFINITY; POINT], |echo| {
                let [x, y, z] = echo.place_m.to_array();
                [x, y, z, echo.intensity, f64::from(echo.class), seen.instance(Some(echo.triangle))]
            })
        })
    }
}

/// All of a list, or nothing.
fn if_wanted<T>(is_wanted: bool, all: &[T]) -> std::slice::Iter<'_, T> {
    if is_wanted { all.iter() } else { [].iter() }
}

/// Writes a list of values, which takes less time than values one by one; what is left.
fn write_list(values: &mut [f64], read: impl ExactSizeIterator<Item = f64>) -> &mut [f64] {
    let (own, rest) = values.split_at_mut(read.len());
    own.iter_mut().zip(read).for_each(|(value, read)| *value = read);
    rest
}

/// Writes the values of a reading. A chain of lists hands its values on faster than it is asked for the next one.
fn write(values: &mut [f64], read: impl Iterator<Item = f64>) {
    let mut values = values.iter_mut();
    read.for_each(|read| {
        if let Some(value) = values.next() {
            *value = read;
        }
    });
}

/// The sonars of all vehicles, with the number of the vehicle and their place in its list.
pub(crate) fn sonars(model: &SeaModel) -> impl Iterator<Item = (usize, usize, &SonarSetup)> {
    let vehicles = model.vehicles.iter().enumerate();
    vehicles.flat_map(|(number, setup)| setup.sonars.iter().enumerate().map(move |(place, own)| (number, place, own)))
}
