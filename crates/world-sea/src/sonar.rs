//! Multibeam sonars: their pings, and the rows of `sonar` and of a table for each.
//!
//! A ping is a fan of exact rays against the bottom, from where the sensor is and as it is turned at that moment. What a beam reads is a
//! channel of a sensor as any other: with errors, a delay and losses. Model and limits: `docs/models/sea-sensors.md`.

use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::readings::{Arrival, Readings};
use crate::streams::{head, reading_stream};
use crate::world::{SeaWorld, VehicleRun};
use sea_echo::multibeam::Ping;
use sea_echo::{HeightGrid, Material, Multibeam, MultibeamParams, Scene, SensorPose};
use sea_sim::pose::Pose;
use sea_sim::terrain::Terrain;
use sim_core::sensing::{Address, Mount, MountParams, Sensor, SensorModel, SensorParams};
use sim_core::{DQuat, DVec2, DVec3, ParamError, RunKey, Tick};
use sim_world::{Column, ColumnKind, RowSink, Stream, Value};

/// A level bottom without borders, as a grid: half its side, m, and a cell of it, m. No ray goes beyond.
const LEVEL_HALF_M: f64 = 1e7;
const LEVEL_CELL_M: f64 = 1e5;

/// A multibeam of a vehicle.
#[derive(Clone, Debug)]
pub struct MultibeamSetup {
    /// Its name; a vehicle has no other sonar of that name.
    pub name: String,
    position_in_body_m: DVec3,
    body_from_sensor: DQuat,
    multibeam: Multibeam,
    sensor: SensorModel,
}

impl MultibeamSetup {
    /// Checks the parameters. A step is `step_s` long.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(
        name: String,
        mount: MountParams,
        params: MultibeamParams,
        (sensing, step_s): (SensorParams, f64),
    ) -> Result<Self, ParamError> {
        Ok(Self {
            name,
            position_in_body_m: Mount::new(mount)?.position_in_body_m(),
            body_from_sensor: DQuat::from_array(mount.body_from_sensor_xyzw).normalize(),
            multibeam: Multibeam::new(params)?,
            sensor: SensorModel::new(sensing, step_s)?,
        })
    }

    /// How its beams leave.
    #[must_use]
    pub fn params(&self) -> &MultibeamParams {
        self.multibeam.params()
    }

    /// When it pings, and what goes wrong.
    #[must_use]
    pub fn sensor(&self) -> &SensorModel {
        &self.sensor
    }

    /// Its state before the first ping.
    pub(crate) fn start(&self) -> Sensor {
        Sensor::new(&self.sensor, self.params().beams as usize)
    }

    /// Number of the ping that was sent after a step, from 0.
    fn ping_number(&self, taken: Tick) -> u64 {
        let params = self.sensor.params();
        (taken.0 - params.phase_ticks) / params.period_ticks
    }

    /// Distances that the beams of a ping read, m; infinite without an echo. False, with no ping, where coordinates are too large.
    fn ping(&self, body: &Pose, bottom: &HeightGrid, echo: (&mut Multibeam, &mut Ping), ranges_m: &mut [f64]) -> bool {
        let pose = SensorPose {
            position_m: body.point_m(self.position_in_body_m),
            world_from_sensor: body.world_from_body * self.body_from_sensor,
        };
        let (multibeam, ping) = echo;
        // Materials change levels alone, which no table has.
        let scene = Scene { surface: bottom, material_of: |_| Material::Other };
        if multibeam.ping(&pose, &scene, ping).is_err() {
            return false;
        }
        let read = ping.beams.iter().map(|beam| beam.range_m.unwrap_or(f64::INFINITY));
        ranges_m.iter_mut().zip(read).for_each(|(range_m, read_m)| *range_m = read_m);
        true
    }
}

/// The bottom as sonars meet it: the same heights, in the same two triangles a cell. None without a bottom, or if no vehicle has anything
/// that casts rays.
///
/// # Errors
/// If the bottom ends farther from the origin than rays go.
pub(crate) fn bottom(terrain: Option<&Terrain>, vehicles: &[VehicleSetup]) -> Result<Option<HeightGrid>, ParamError> {
    if vehicles.iter().all(|vehicle| vehicle.has_no_rays()) {
        return Ok(None);
    }
    let grid = |terrain: &Terrain| match terrain {
        Terrain::Flat(flat) => {
            let posts = (2.0 * LEVEL_HALF_M / LEVEL_CELL_M) as usize + 1;
            let heights_m = vec![flat.z_m(); posts * posts];
            HeightGrid::new(DVec2::splat(-LEVEL_HALF_M), LEVEL_CELL_M, posts, heights_m)
        }
        Terrain::Grid(grid) => {
            let params = grid.params();
            HeightGrid::new(params.origin_m, params.cell_m, params.columns, params.heights_m.clone())
        }
    };
    terrain.map(grid).transpose()
}

/// Buffers of pings.
#[derive(Clone, Debug, Default)]
pub(crate) struct SonarScratch {
    /// The rays of each multibeam of each vehicle.
    by_vehicle: Vec<Vec<Multibeam>>,
    ping: Ping,
}

impl SonarScratch {
    /// Takes the rays from the model where they are missing.
    pub fn prepare(&mut self, model: &SeaModel) {
        if self.by_vehicle.len() != model.vehicles.len() {
            let rays = |setup: &VehicleSetup| setup.multibeams.iter().map(|own| own.multibeam.clone()).collect();
            self.by_vehicle = model.vehicles.iter().map(rays).collect();
        }
    }
}

/// The sonars of a vehicle ping if that is due, and deliver what arrives.
pub(crate) fn sense(
    (model, key, tick): (&SeaModel, RunKey, Tick),
    (number, run): (usize, &mut VehicleRun),
    scratch: &mut SonarScratch,
    readings: &mut Readings,
) {
    let Some(bottom) = &model.echo_bottom else { return };
    let (setup, pose) = (&model.vehicles[number], run.motion.body.pose());
    let SonarScratch { by_vehicle, ping } = scratch;
    let with_rays = setup.multibeams.iter().zip(&mut by_vehicle[number]);
    for (place, ((own, rays), sensor)) in (0..).zip(with_rays.zip(&mut run.multibeams)) {
        let kind = SensorKind::Multibeam(place);
        let address = Address::new(key, setup.draws, kind.address());
        let measure = |ranges_m: &mut [f64]| own.ping(&pose, bottom, (rays, ping), ranges_m);
        if sensor.step_if(&own.sensor, address, tick, measure) {
            readings.push(number, kind, sensor.latest());
        }
    }
}

/// The multibeams of all vehicles, with the number of the vehicle and their place in its list.
pub(crate) fn multibeams(model: &SeaModel) -> impl Iterator<Item = (usize, usize, &MultibeamSetup)> {
    model
        .vehicles
        .iter()
        .enumerate()
        .flat_map(|(number, setup)| setup.multibeams.iter().enumerate().map(move |(place, own)| (number, place, own)))
}

/// The stream of all pings in short.
pub(crate) fn sonar_stream(at_most: u64) -> Stream {
    let columns = [
        ping_column(),
        Column::integer("beams", "beams of the sonar"),
        Column::integer("hits", "beams that read a distance"),
        Column::number("min_m", "least distance; missing if no beam read one"),
        Column::number(
            "nadir_m",
            "distance of the middle beam, of an even number the one to starboard of the middle; missing without an echo",
        ),
        Column::number("mean_level_db", "mean level of the beams; missing in the mode rays, which has no levels"),
    ];
    reading_stream("sonar", "a ping of a sonar when it arrives", at_most, columns)
}

/// The stream of the pings of one multibeam, a column a beam.
pub(crate) fn beam_stream(model: &SeaModel, vehicle: usize, own: &MultibeamSetup) -> Stream {
    let name = format!("mbes-{}-{}", model.vehicles[vehicle].name, own.name);
    let range = "distance that a beam read, from port to starboard; missing without an echo, -inf if it was too near";
    let columns = [ping_column(), Column::new("beam_#_m", ColumnKind::Numbers(own.params().beams), range)];
    reading_stream(name, "a ping of a multibeam when it arrives", model.readings(&own.sensor), columns)
}

fn ping_column() -> Column {
    Column::integer("ping", "number of the ping, from 0; of one that was lost there is no row")
}

/// The pings that arrived, with their sonars.
fn pings(world: &SeaWorld) -> impl Iterator<Item = (&Arrival, u32, &MultibeamSetup)> {
    world.readings().arrivals().iter().filter_map(|arrival| {
        let SensorKind::Multibeam(place) = arrival.kind else { return None };
        Some((arrival, place, &world.model().vehicles[arrival.vehicle].multibeams[place as usize]))
    })
}

pub(crate) fn sonar_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for (arrival, _, own) in pings(world) {
        let ranges_m = world.readings().values(arrival);
        let finite = || ranges_m.iter().copied().filter(|range_m| range_m.is_finite());
        let least_m = finite().fold(f64::INFINITY, f64::min);
        let [a, b, c, d, e] = head(world, arrival, &own.name);
        let counts = [own.ping_number(arrival.taken), ranges_m.len() as u64, finite().count() as u64].map(Value::from);
        let [ping, beams, hits] = counts;
        // Infinity counts as missing.
        let nadir_m = ranges_m.get(ranges_m.len() / 2).copied();
        out(&[a, b, c, d, e, ping, beams, hits, least_m.into(), nadir_m.into(), Value::Missing]);
    }
}

pub(crate) fn beam_rows(world: &SeaWorld, (vehicle, place): (usize, u32), out: &mut RowSink<'_>) {
    let of_sonar = |(arrival, other, _): &(&Arrival, u32, _)| arrival.vehicle == vehicle && *other == place;
    for (arrival, _, own) in pings(world).filter(of_sonar) {
        let [a, b, c, d, e] = head(world, arrival, &own.name);
        let ranges_m = world.readings().values(arrival);
        out(&[a, b, c, d, e, own.ping_number(arrival.taken).into(), Value::Numbers(ranges_m)]);
    }
}
