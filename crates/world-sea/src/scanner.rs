//! Lidars and depth cameras of vehicles: rays against the bottom and the hulls of other vehicles, and the tables of both.
//!
//! A lidar works in air alone: under water it sees nothing, and its rays end at still water. A depth camera sees through the surface, in
//! clear water and without light. Model and limits: `docs/models/sea-scanners.md`.

use crate::bodies;
use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::readings::{Arrival, Readings};
use crate::sonar::{BOTTOM, vehicle_instance};
use crate::streams::{head, reading_stream};
use crate::world::{SeaWorld, VehicleRun};
use sea_echo::scan::ScanPattern;
use sea_echo::{Capsule, Ray, Surface};
use sim_core::sensing::{Address, Mount, MountParams, Sensor, SensorModel, SensorParams};
use sim_core::{DQuat, DVec3, ParamError, RunKey, Tick, ops};
use sim_world::{Column, ColumnKind, RowSink, Stream, Value};

/// What a scanner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScannerKind {
    /// A lidar: distances along rays.
    Lidar,
    /// A depth camera: distances along its axis, and what is there.
    DepthCamera,
}

/// A lidar or a depth camera of a vehicle.
#[derive(Clone, Debug)]
pub struct ScannerSetup {
    /// Its name; a vehicle has no other of its kind with that name.
    pub name: String,
    /// What it is.
    pub kind: ScannerKind,
    position_in_body_m: DVec3,
    body_from_sensor: DQuat,
    pattern: ScanPattern,
    /// Rays of a scan: it goes on in the pattern where the one before ended.
    rays: usize,
    range_m: [f64; 2],
    /// Whether each scan is written to a table of its own.
    has_table: bool,
    sensor: SensorModel,
}

/// What a scanner is made of.
#[derive(Clone, Debug)]
pub struct ScannerParams {
    /// What it is.
    pub kind: ScannerKind,
    /// Its rays.
    pub pattern: ScanPattern,
    /// Rays of a scan, at most those of the pattern; none: all.
    pub rays_per_scan: Option<u32>,
    /// Between which distances it sees, m.
    pub range_m: [f64; 2],
    /// Whether each scan is written to a table of its own.
    pub has_table: bool,
}

impl ScannerSetup {
    /// Checks the parameters. A step is `step_s` long.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(
        name: String,
        mount: MountParams,
        params: ScannerParams,
        (mut sensing, step_s): (SensorParams, f64),
    ) -> Result<Self, ParamError> {
        let ScannerParams { kind, pattern, rays_per_scan, range_m, has_table } = params;
        let all = pattern.directions().len();
        let rays = rays_per_scan.map_or(all, |rays| rays as usize);
        ParamError::check_range("rays_per_scan", rays as f64, 1.0, all as f64)?;
        ParamError::check_span("range_m", range_m, [0.0, 100_000.0])?;
        if kind == ScannerKind::Lidar {
            sensing.errors.range = sensing.errors.range.narrowed(range_m[0], range_m[1]);
        }
        Ok(Self {
            name,
            kind,
            position_in_body_m: Mount::new(mount)?.position_in_body_m(),
            body_from_sensor: DQuat::from_array(mount.body_from_sensor_xyzw).normalize(),
            pattern,
            rays,
            range_m,
            has_table,
            sensor: SensorModel::new(sensing, step_s)?,
        })
    }

    /// When it scans, and what goes wrong.
    #[must_use]
    pub fn sensor(&self) -> &SensorModel {
        &self.sensor
    }

    /// Rays of a scan.
    #[must_use]
    pub fn rays(&self) -> usize {
        self.rays
    }

    /// Columns of its own table that are rays; none without such a table.
    #[must_use]
    pub fn table_columns(&self) -> Option<usize> {
        self.has_table.then_some(self.values())
    }

    /// Its state before the first scan. A camera has a second channel for each pixel: what is there.
    pub(crate) fn start(&self) -> Sensor {
        Sensor::new(&self.sensor, self.values())
    }

    fn values(&self) -> usize {
        if self.kind == ScannerKind::DepthCamera { 2 * self.rays } else { self.rays }
    }

    /// Number of the scan that was taken after a step, from 0.
    fn scan_number(&self, taken: Tick) -> u64 {
        let params = self.sensor.params();
        (taken.0 - params.phase_ticks) / params.period_ticks
    }

    /// Direction of a ray of a scan, in the sensor's axes.
    fn direction(&self, scan: u64, ray: usize) -> DVec3 {
        let directions = self.pattern.directions();
        let first = (scan * self.rays as u64 % directions.len() as u64) as usize;
        directions[(first + ray) % directions.len()]
    }
}

/// Hulls in the world, and the scanner that looks at them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScanScratch {
    /// Each hull: its vehicle, the sphere around it, and its capsules by their places.
    hulls: Vec<(usize, Capsule, std::ops::Range<usize>)>,
    capsules: Vec<Capsule>,
}

impl ScanScratch {
    fn look_at(&mut self, model: &SeaModel, vehicles: &[VehicleRun]) {
        self.hulls.clear();
        self.capsules.clear();
        for (number, (setup, run)) in model.vehicles.iter().zip(vehicles).enumerate() {
            let first = self.capsules.len();
            self.capsules.extend(bodies::capsules(setup, run));
            self.hulls.push((number, bodies::sphere(setup, run), first..self.capsules.len()));
        }
    }

    /// The nearest hull along a ray but that of the vehicle that looks, m, and its vehicle.
    fn hull(&self, ray: &Ray, own: usize) -> Option<(f64, usize)> {
        let is_met = |(number, sphere, _): &&(usize, Capsule, std::ops::Range<usize>)| {
            *number != own && sphere.cast(ray).is_some_and(|distance_m| distance_m <= ray.length_m())
        };
        let near = |(number, _, capsules): &(usize, Capsule, std::ops::Range<usize>)| {
            let met = self.capsules[capsules.clone()].iter().filter_map(|capsule| capsule.cast(ray));
            met.reduce(f64::min).map(|distance_m| (distance_m, *number))
        };
        let nearer = |one: (f64, usize), other: (f64, usize)| if other.0 < one.0 { other } else { one };
        self.hulls.iter().filter(is_met).filter_map(near).reduce(nearer)
    }
}

/// Vehicles as scanners of one of them see them.
struct Eye<'a> {
    model: &'a SeaModel,
    scratch: &'a ScanScratch,
    own: usize,
    scan: u64,
}

impl Eye<'_> {
    /// Fills the values of a scan: distances, of a camera those along its axis and then what is there.
    fn scan(&self, setup: &ScannerSetup, run: &VehicleRun, values: &mut [f64]) {
        let pose = run.motion.body.pose();
        let (place_m, turn) = (pose.point_m(setup.position_in_body_m), pose.world_from_body * setup.body_from_sensor);
        let is_lidar = setup.kind == ScannerKind::Lidar;
        for ray in 0..setup.rays {
            let in_sensor = setup.direction(self.scan, ray);
            let seen = self.seen((place_m, turn * in_sensor), setup.range_m, is_lidar);
            let (distance_m, what) = seen.unwrap_or((f64::INFINITY, 0));
            if is_lidar {
                values[ray] = distance_m;
            } else {
                values[ray] = distance_m * in_sensor.x;
                values[setup.rays + ray] = f64::from(what);
            }
        }
    }

    /// What is first along a way: its distance, m, and its number.
    fn seen(&self, (place_m, way): (DVec3, DVec3), range_m: [f64; 2], is_lidar: bool) -> Option<(f64, u32)> {
        let level_m = self.model.level_m;
        let height_m = place_m.z - level_m;
        let reach_m = match is_lidar {
            true if height_m <= 0.0 => return None,
            true if way.z < 0.0 => range_m[1].min(height_m / -way.z),
            _ => range_m[1],
        };
        let ray = Ray::new(place_m, way, reach_m).ok()?;
        let hull = self.scratch.hull(&ray, self.own).map(|(distance_m, number)| (distance_m, vehicle_instance(number)));
        // In air there is land alone.
        let has_land = !is_lidar || self.model.highest_z_m > level_m;
        let bottom = self.model.echo_bottom.as_ref().filter(|_| has_land).and_then(|bottom| bottom.cast(&ray));
        let bottom = bottom.map(|hit| (hit.distance_m, BOTTOM));
        let nearer = |one: (f64, u32), other: (f64, u32)| if other.0 < one.0 { other } else { one };
        hull.into_iter().chain(bottom).reduce(nearer).filter(|(distance_m, _)| *distance_m >= range_m[0])
    }
}

fn kind_of(setup: &ScannerSetup, place: u32) -> SensorKind {
    match setup.kind {
        ScannerKind::Lidar => SensorKind::Lidar(place),
        ScannerKind::DepthCamera => SensorKind::DepthCamera(place),
    }
}

/// All scanners scan if that is due, and deliver what arrives.
pub(crate) fn sense(
    (model, key, tick): (&SeaModel, RunKey, Tick),
    vehicles: &mut [VehicleRun],
    scratch: &mut ScanScratch,
    readings: &mut Readings,
) {
    let is_due = |own: &ScannerSetup| {
        let params = own.sensor.params();
        tick.is_due(params.period_ticks, params.phase_ticks)
    };
    if scanners(model).any(|(_, _, own)| is_due(own)) {
        scratch.look_at(model, vehicles);
    }
    for (number, (setup, run)) in model.vehicles.iter().zip(vehicles).enumerate() {
        let mut sensors = std::mem::take(&mut run.scanners);
        for (place, (own, sensor)) in (0..).zip(setup.scanners.iter().zip(&mut sensors)) {
            let kind = kind_of(own, place);
            let address = Address::new(key, setup.draws, kind.address());
            let measure = |values: &mut [f64]| {
                let eye = Eye { model, scratch, own: number, scan: own.scan_number(tick) };
                eye.scan(own, run, values);
            };
            if sensor.step(&own.sensor, address, tick, measure) {
                readings.push(number, kind, sensor.latest());
            }
        }
        run.scanners = sensors;
    }
}

/// The scanners of all vehicles, with the number of the vehicle and their place in its list.
pub(crate) fn scanners(model: &SeaModel) -> impl Iterator<Item = (usize, u32, &ScannerSetup)> {
    let of_vehicle = |(number, setup): (usize, &'_ VehicleSetup)| (number, setup.scanners.len());
    let places = model.vehicles.iter().enumerate().map(of_vehicle);
    places.flat_map(move |(number, count)| {
        (0..count).map(move |place| (number, place as u32, &model.vehicles[number].scanners[place]))
    })
}

/// Readings of scanners of a kind in a run, at most.
fn at_most(model: &SeaModel, kind: ScannerKind) -> u64 {
    let of_kind = scanners(model).filter(|(_, _, own)| own.kind == kind);
    of_kind.map(|(_, _, own)| model.readings(&own.sensor)).sum()
}

/// The streams of scans in short; none without a scanner of the kind.
pub(crate) fn short_stream(model: &SeaModel, kind: ScannerKind) -> Option<Stream> {
    let at_most = at_most(model, kind);
    let count = |name, about| Column::integer(name, about);
    (at_most > 0).then(|| match kind {
        ScannerKind::Lidar => {
            let columns = [
                count("scan", "number of the scan, from 0"),
                count("rays", "rays of the scan"),
                count("hits", "rays that came back"),
                Column::number("min_m", "least distance; missing if no ray came back"),
                Column::number("azimuth_rad", "direction of the nearest place from the lidar's x to its y"),
                Column::number("elevation_rad", "its direction upwards"),
            ];
            reading_stream("lidar", "a scan of a lidar when it arrives", at_most, columns)
        }
        ScannerKind::DepthCamera => {
            let columns = [
                count("picture", "number of the picture, from 0"),
                count("pixels", "pixels of the picture"),
                count("hits", "pixels with something in range"),
                Column::number("min_m", "least depth along the camera's axis; missing if there is none"),
                count("vehicles", "vehicles that are seen"),
            ];
            reading_stream("depth_camera", "a picture of a depth camera when it arrives", at_most, columns)
        }
    })
}

/// The stream of the scans of one scanner, a column a ray; none unless it is asked for.
pub(crate) fn full_stream(model: &SeaModel, vehicle: usize, own: &ScannerSetup) -> Option<Stream> {
    let (name, rays) = (&model.vehicles[vehicle].name, own.rays as u32);
    let at_most = model.readings(&own.sensor);
    own.has_table.then(|| match own.kind {
        ScannerKind::Lidar => {
            let about = "distance along a ray; missing if it did not come back, -inf if noise made it too short";
            let columns = [
                Column::integer("scan", "number of the scan"),
                Column::new("ray_#_m", ColumnKind::Numbers(rays), about),
            ];
            reading_stream(format!("lidar-{name}-{}", own.name), "a scan of a lidar when it arrives", at_most, columns)
        }
        ScannerKind::DepthCamera => {
            let columns = [
                Column::integer("picture", "number of the picture"),
                Column::new("depth_#_m", ColumnKind::Numbers(rays), "depth of a pixel; missing without anything"),
                Column::new("id_#", ColumnKind::Numbers(rays), "0 nothing, 1 the bottom, from 2 on vehicles"),
            ];
            let name = format!("depth-{name}-{}", own.name);
            reading_stream(name, "a picture of a depth camera when it arrives", at_most, columns)
        }
    })
}

/// The scans that arrived, with their scanners.
fn scans(world: &SeaWorld) -> impl Iterator<Item = (&Arrival, u32, &ScannerSetup)> {
    world.readings().arrivals().iter().filter_map(|arrival| {
        let (SensorKind::Lidar(place) | SensorKind::DepthCamera(place)) = arrival.kind else { return None };
        Some((arrival, place, &world.model().vehicles[arrival.vehicle].scanners[place as usize]))
    })
}

pub(crate) fn short_rows(world: &SeaWorld, kind: ScannerKind, out: &mut RowSink<'_>) {
    for (arrival, _, own) in scans(world).filter(|(_, _, own)| own.kind == kind) {
        let values = world.readings().values(arrival);
        let (depths_m, ids) = values.split_at(own.rays);
        let finite = || depths_m.iter().copied().enumerate().filter(|(_, value)| value.is_finite());
        let nearest = finite().reduce(|one, other| if other.1 < one.1 { other } else { one });
        let least_m = nearest.map_or(Value::Missing, |(_, value)| value.into());
        let scan = own.scan_number(arrival.taken);
        let [a, b, c, d, e] = head(world, arrival, &own.name);
        let [number, rays, hits] = [scan, own.rays as u64, finite().count() as u64].map(Value::from);
        match kind {
            ScannerKind::Lidar => {
                let angles = nearest.map(|(ray, _)| {
                    let way = own.direction(scan, ray);
                    [ops::atan2(way.y, way.x), ops::atan2(way.z, way.truncate().length())]
                });
                let [azimuth, elevation] = angles.map_or([Value::Missing; 2], |angles| angles.map(Value::from));
                out(&[a, b, c, d, e, number, rays, hits, least_m, azimuth, elevation]);
            }
            ScannerKind::DepthCamera => {
                let is_seen = |vehicle: &usize| ids.contains(&f64::from(vehicle_instance(*vehicle)));
                let seen = (0..world.model().vehicles.len()).filter(is_seen).count();
                out(&[a, b, c, d, e, number, rays, hits, least_m, seen.into()]);
            }
        }
    }
}

pub(crate) fn full_rows(world: &SeaWorld, (vehicle, place): (usize, u32), out: &mut RowSink<'_>) {
    let of_scanner = |(arrival, other, _): &(&Arrival, u32, _)| arrival.vehicle == vehicle && *other == place;
    for (arrival, _, own) in scans(world).filter(of_scanner) {
        let [a, b, c, d, e] = head(world, arrival, &own.name);
        let number = own.scan_number(arrival.taken).into();
        let (ranges_m, ids) = world.readings().values(arrival).split_at(own.rays);
        match own.kind {
            ScannerKind::Lidar => out(&[a, b, c, d, e, number, Value::Numbers(ranges_m)]),
            ScannerKind::DepthCamera => {
                out(&[a, b, c, d, e, number, Value::Numbers(ranges_m), Value::Numbers(ids)]);
            }
        }
    }
}
