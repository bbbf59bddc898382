//! A moment of a run on the road.
//!
//! Places between two rows are linear between them and yaws turn the short way; speeds, steering and status are those of the nearer row. A
//! scan is drawn from where its car's rows say that the lidar was when the scan was taken. A collision between two rows is known from
//! `events.csv`.

use super::reader::turned;
use super::track::{Pair, Track};
use crate::folder::{CarRow, EventRow, FolderError, LidarSpec, NewestScans, RoadScenario, RunFolder, Scan, Table};
use sim_core::{DVec2, angle::unit};
use std::collections::{BTreeMap, BTreeSet};

/// Length of the trails.
pub const TRAIL_S: f64 = 10.0;
/// Later by less is not later.
const SAME_S: f64 = 1e-9;

/// A moment of a run on the road. Lengths in m.
#[derive(Clone, Debug, Default)]
pub struct RoadFrame {
    /// The moment.
    pub time_s: f64,
    /// The step of the nearest row.
    pub step: u64,
    /// Cars, by number: their rows, moved to the moment.
    pub cars: Vec<CarRow>,
    /// Where each of them was in the last [`TRAIL_S`], oldest first, in the order of `cars`.
    pub trails_m: Vec<Vec<DVec2>>,
    /// The last scan of each car that has arrived.
    pub scans: Vec<ScanInPlace>,
    /// Cars that have hit something.
    pub collided: BTreeSet<u64>,
}

/// A scan on the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanInPlace {
    /// Number of the car.
    pub car: u64,
    /// When it was taken.
    pub taken_s: f64,
    /// Where the lidar was.
    pub origin_m: DVec2,
    /// Where each ray ended; nothing where nothing came back, or too near.
    pub hits_m: Vec<Option<DVec2>>,
    /// The smallest range; what was too near counts as the least that the lidar tells.
    pub nearest_m: Option<f64>,
    /// True if the rays go all round.
    pub is_full_turn: bool,
}

/// Reads moments of a run on the road. Memory holds the rows of a trail; going forwards costs one pass over the tables.
#[derive(Debug)]
pub struct RoadFrameReader<'a> {
    folder: &'a RunFolder,
    scenario: &'a RoadScenario,
    cars: Option<Track<CarRow>>,
    trails: Option<Track<CarRow>>,
    /// The rows round the time of a scan.
    poses: Option<Track<CarRow>>,
    scans: NewestScans,
    /// Scans on the plane, by car, as long as they are the newest.
    in_place: BTreeMap<u64, ScanInPlace>,
    collisions: Collisions,
    last_s: f64,
}

impl<'a> RoadFrameReader<'a> {
    /// Opens the tables.
    ///
    /// # Errors
    /// If the run is one of another world, or a table cannot be read.
    pub fn new(folder: &'a RunFolder) -> Result<Self, FolderError> {
        let (span, scenario) = (folder.span(), folder.road()?);
        let track = |ahead_s| Ok(folder.steps()?.map(|table| Track::new(table, span, ahead_s)));
        Ok(Self {
            folder,
            scenario,
            cars: track(0.0)?,
            trails: track(TRAIL_S)?,
            poses: track(0.0)?,
            scans: folder.newest_scans()?,
            in_place: BTreeMap::new(),
            collisions: Collisions::new(folder)?,
            last_s: f64::NEG_INFINITY,
        })
    }

    /// The moment `time_s`; before the first and after the last row, that row.
    ///
    /// # Errors
    /// If a row that is needed is wrong.
    pub fn at(&mut self, time_s: f64) -> Result<RoadFrame, FolderError> {
        let span = self.folder.span();
        let time_s = time_s.clamp(span.first.time_s, span.last.time_s);
        if time_s < self.last_s {
            self.scans = self.folder.newest_scans()?;
            self.in_place.clear();
            self.collisions = Collisions::new(self.folder)?;
        }
        self.last_s = time_s;
        let (step, cars) = cars_at(&mut self.cars, time_s)?.unwrap_or((span.first.step, Vec::new()));
        let mut collided = self.collisions.up_to(time_s)?.clone();
        collided.extend(cars.iter().filter(|car| car.has_collided).map(|car| car.car));
        let trails_m = self.trails(&cars, time_s)?;
        Ok(RoadFrame { time_s, step, trails_m, scans: self.scans(time_s)?, collided, cars })
    }

    fn trails(&mut self, cars: &[CarRow], time_s: f64) -> Result<Vec<Vec<DVec2>>, FolderError> {
        let Some(track) = &mut self.trails else { return Ok(Vec::new()) };
        track.go_to((time_s - TRAIL_S).max(self.folder.span().first.time_s))?;
        let mut trails_m = vec![Vec::new(); cars.len()];
        for (_, rows) in track.window().filter(|(moment, _)| moment.time_s <= time_s + SAME_S) {
            for ((n, car), trail_m) in cars.iter().enumerate().zip(&mut trails_m) {
                let same = rows.get(n).filter(|row| row.car == car.car);
                let row = same.or_else(|| rows.iter().find(|row| row.car == car.car));
                trail_m.extend(row.map(|row| row.position_m));
            }
        }
        cars.iter().zip(&mut trails_m).for_each(|(car, trail_m)| trail_m.push(car.position_m));
        Ok(trails_m)
    }

    fn scans(&mut self, time_s: f64) -> Result<Vec<ScanInPlace>, FolderError> {
        for (&car, scan) in self.scans.up_to(time_s)? {
            if self.in_place.get(&car).is_some_and(|known| known.taken_s == scan.taken_s) {
                continue;
            }
            let spec = self.scenario.cars.get(car as usize).and_then(|spec| spec.sensors.lidar);
            let cars = cars_at(&mut self.poses, scan.taken_s)?.map(|(_, cars)| cars).unwrap_or_default();
            let pose = cars.iter().find(|row| row.car == car);
            match (spec, pose) {
                (Some(spec), Some(pose)) => self.in_place.insert(car, in_place(scan, &spec, pose)),
                _ => self.in_place.remove(&car),
            };
        }
        Ok(self.in_place.values().cloned().collect())
    }
}

/// The cars at a moment, and the step of the nearest row.
fn cars_at(track: &mut Option<Track<CarRow>>, time_s: f64) -> Result<Option<(u64, Vec<CarRow>)>, FolderError> {
    let Some(track) = track else { return Ok(None) };
    track.go_to(time_s)?;
    let Some(around) = track.around(time_s) else { return Ok(None) };
    let cars = around.pairs(|row| row.car).map(|Pair { before, after, nearer }| CarRow {
        position_m: before.position_m.lerp(after.position_m, around.share),
        yaw_rad: turned(before.yaw_rad, after.yaw_rad, around.share),
        ..nearer.clone()
    });
    Ok(Some((around.step, cars.collect())))
}

fn in_place(scan: &Scan, spec: &LidarSpec, car: &CarRow) -> ScanInPlace {
    let mount = &spec.mount;
    let origin_m = car.position_m + unit(car.yaw_rad).rotate(DVec2::new(mount.x_m, mount.y_m));
    let first_rad = car.yaw_rad + (mount.yaw_deg + spec.angle_min_deg).to_radians();
    let hit = |(ray, range_m): (usize, &Option<f64>)| {
        let range_m = range_m.filter(|range_m| range_m.is_finite())?;
        Some(origin_m + unit(first_rad + ray as f64 * spec.increment_deg.to_radians()) * range_m)
    };
    ScanInPlace {
        car: scan.car,
        taken_s: scan.taken_s,
        origin_m,
        hits_m: scan.ranges_m.iter().enumerate().map(hit).collect(),
        nearest_m: nearest_m(scan, spec),
        is_full_turn: spec.angle_max_deg - spec.angle_min_deg > 360.0 - 0.5 * spec.increment_deg,
    }
}

/// The smallest range of a scan; what was too near counts as the least that the lidar tells.
#[must_use]
pub fn nearest_m(scan: &Scan, spec: &LidarSpec) -> Option<f64> {
    scan.ranges_m.iter().flatten().map(|range_m| range_m.max(spec.range_min_m)).reduce(f64::min)
}

/// Cars that have hit something, as the events tell it.
#[derive(Debug)]
struct Collisions {
    events: Option<Table<EventRow>>,
    next: Option<EventRow>,
    cars: BTreeSet<u64>,
}

impl Collisions {
    fn new(folder: &RunFolder) -> Result<Self, FolderError> {
        Ok(Self { events: folder.events()?, next: None, cars: BTreeSet::new() })
    }

    fn up_to(&mut self, time_s: f64) -> Result<&BTreeSet<u64>, FolderError> {
        let Some(events) = &mut self.events else { return Ok(&self.cars) };
        while let Some(event) = self.next.take().map(Ok).or_else(|| events.next()).transpose()? {
            if event.moment.time_s > time_s + SAME_S {
                self.next = Some(event);
                break;
            }
            let car = event.subject.strip_prefix("car ").and_then(|number| number.parse::<u64>().ok());
            self.cars.extend(car.filter(|_| event.kind == "collision"));
        }
        Ok(&self.cars)
    }
}
