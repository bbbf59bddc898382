//! The tables of the road: cars every few steps, readings of sensors when they arrive, and everything that happened.

use crate::error::RunError;
use crate::run_folder::{CARS_CSV, EVENTS_CSV, IMU_CSV, LIDAR_CSV, ODOMETRY_CSV, POSITION_CSV};
use crate::tables::events;
use crate::tables::file::{Row, TableFile};
use crate::tables::mat::FLUSH_EVERY_RECORDS;
use crate::world::road::{Arrival, CarSetup, LidarRows, RoadModel, RoadWorld, SensorKind, TICKS_PER_S};
use crate::world::seam::RunTables;
use car_sim::{CarReport, Status};
use std::path::Path;

const CARS_HEADER: &str = "step,time_s,car,x_m,y_m,yaw_rad,speed_m_s,yaw_rate_rad_s,\
    steer_rad,steer_left_rad,steer_right_rad,motor_rps,target_rps,status";
const IMU_HEADER: &str = "step,time_s,car,taken_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,\
    accel_x_m_s2,accel_y_m_s2,accel_z_m_s2";
const ODOMETRY_HEADER: &str = "step,time_s,car,taken_s,speed_m_s,yaw_rate_rad_s";
const POSITION_HEADER: &str = "step,time_s,car,taken_s,x_m,y_m";
const LONG_LIDAR_HEADER: &str = "step,time_s,car,taken_s,ray,range_m";

/// The tables of a run that is going on. Those of sensors exist where a car carries one.
#[derive(Debug)]
pub struct RoadTables {
    every: u64,
    records: u64,
    lidar_rows: LidarRows,
    /// Rays of the scan with the most of them.
    rays: usize,
    cars: TableFile,
    lidar: Option<TableFile>,
    imu: Option<TableFile>,
    odometry: Option<TableFile>,
    position: Option<TableFile>,
    events: TableFile,
}

impl RunTables for RoadTables {
    type World = RoadWorld;

    fn create(folder: &Path, world: &RoadWorld, every: u64) -> Result<Self, RunError> {
        let model = world.model();
        let has =
            |kinds: &[SensorKind]| model.cars.iter().any(|car| kinds.iter().any(|&kind| car.sensor(kind).is_some()));
        let some = |is_there: bool, name: &str, header: &str| {
            is_there.then(|| TableFile::create(folder, name, header)).transpose()
        };
        let rays = model.cars.iter().map(CarSetup::rays).max().unwrap_or_default();
        let mut tables = Self {
            every: every.max(1),
            records: 0,
            lidar_rows: model.lidar_rows,
            rays,
            cars: TableFile::create(folder, CARS_CSV, CARS_HEADER)?,
            lidar: some(rays > 0 && model.lidar_rows != LidarRows::Off, LIDAR_CSV, &lidar_header(model, rays))?,
            imu: some(has(&[SensorKind::Gyro, SensorKind::Accelerometer]), IMU_CSV, IMU_HEADER)?,
            odometry: some(has(&[SensorKind::Speed, SensorKind::YawRate]), ODOMETRY_CSV, ODOMETRY_HEADER)?,
            position: some(has(&[SensorKind::Position]), POSITION_CSV, POSITION_HEADER)?,
            events: TableFile::create(folder, EVENTS_CSV, events::HEADER)?,
        };
        tables.record(world)?;
        Ok(tables)
    }

    fn record(&mut self, world: &RoadWorld) -> Result<(), RunError> {
        self.record_events(world)?;
        self.record_readings(world);
        if world.tick().is_due(self.every, 0) {
            let (step, time_s) = (world.tick().0, world.time_s());
            for (number, report) in world.reports().enumerate() {
                write_car(self.cars.row().integer(step).number(time_s).integer(number as u64), &report);
            }
            self.records += 1;
            if self.records.is_multiple_of(FLUSH_EVERY_RECORDS) {
                return self.flush();
            }
        }
        self.tables().try_for_each(TableFile::flush_if_large)
    }

    fn record_events(&mut self, world: &RoadWorld) -> Result<(), RunError> {
        world.events().iter().for_each(|event| events::append(&mut self.events, world.model().step_hz, event));
        self.events.flush_if_large()
    }

    fn flush(&mut self) -> Result<(), RunError> {
        self.tables().map(TableFile::flush).reduce(Result::and).unwrap_or(Ok(()))
    }

    fn finish(mut self) -> Result<(), RunError> {
        self.flush()?;
        let Self { cars, lidar, imu, odometry, position, events, .. } = self;
        let sensors = [lidar, imu, odometry, position].into_iter().flatten();
        [cars].into_iter().chain(sensors).chain([events]).try_for_each(TableFile::finish)
    }
}

impl RoadTables {
    fn tables(&mut self) -> impl Iterator<Item = &mut TableFile> {
        let Self { cars, lidar, imu, odometry, position, events, .. } = self;
        let sensors = [lidar, imu, odometry, position].into_iter().flatten();
        [cars].into_iter().chain(sensors).chain([events])
    }

    /// A row for each reading; two of one unit that belong together share theirs.
    fn record_readings(&mut self, world: &RoadWorld) {
        let readings = world.readings();
        let mut arrivals = readings.arrivals().iter().peekable();
        while let Some(arrival) = arrivals.next() {
            let mut partner = |kind| arrivals.next_if(|next| next.kind == kind && is_of_same_moment(next, arrival));
            match arrival.kind {
                SensorKind::Lidar => self.record_scan(world, arrival),
                SensorKind::Gyro => {
                    let other = partner(SensorKind::Accelerometer);
                    write_readings(&mut self.imu, world, &[Some(arrival), other], 3);
                }
                SensorKind::Accelerometer => write_readings(&mut self.imu, world, &[None, Some(arrival)], 3),
                SensorKind::Speed => {
                    let other = partner(SensorKind::YawRate);
                    write_readings(&mut self.odometry, world, &[Some(arrival), other], 1);
                }
                SensorKind::YawRate => write_readings(&mut self.odometry, world, &[None, Some(arrival)], 1),
                SensorKind::Position => write_readings(&mut self.position, world, &[Some(arrival)], 2),
            }
        }
    }

    fn record_scan(&mut self, world: &RoadWorld, arrival: &Arrival) {
        let Some(table) = &mut self.lidar else { return };
        let ranges_m = world.readings().values(arrival);
        if self.lidar_rows == LidarRows::Long {
            for (ray, &range_m) in ranges_m.iter().enumerate() {
                head(table.row(), world, arrival).integer(ray as u64).range(range_m).end();
            }
            return;
        }
        let row = ranges_m.iter().fold(head(table.row(), world, arrival), |row, &range_m| row.range(range_m));
        (ranges_m.len()..self.rays).fold(row, |row, _| row.maybe(None)).end();
    }
}

fn is_of_same_moment(a: &Arrival, b: &Arrival) -> bool {
    (a.car, a.arrived, a.taken) == (b.car, b.arrived, b.taken)
}

/// A column a ray.
fn lidar_header(model: &RoadModel, rays: usize) -> String {
    if model.lidar_rows == LidarRows::Long {
        return LONG_LIDAR_HEADER.to_owned();
    }
    let columns = (0..rays).map(|ray| format!(",ray_{ray}_m"));
    format!("step,time_s,car,taken_s{}", columns.collect::<String>())
}

/// The columns that rows of all sensors begin with.
fn head<'a>(row: Row<'a>, world: &RoadWorld, arrival: &Arrival) -> Row<'a> {
    let row = row.integer(world.tick().0).number(arrival.arrived.seconds(TICKS_PER_S));
    row.integer(arrival.car as u64).number(arrival.taken.seconds(TICKS_PER_S))
}

/// A row with the values of several readings, `channels` each; those that are not there stay empty.
fn write_readings(table: &mut Option<TableFile>, world: &RoadWorld, arrivals: &[Option<&Arrival>], channels: usize) {
    let (Some(table), Some(first)) = (table, arrivals.iter().copied().flatten().next()) else { return };
    let row = arrivals.iter().fold(head(table.row(), world, first), |row, arrival| match arrival {
        Some(arrival) => world.readings().values(arrival).iter().fold(row, |row, &value| row.number(value)),
        None => (0..channels).fold(row, |row, _| row.maybe(None)),
    });
    row.end();
}

fn write_car(row: Row<'_>, car: &CarReport) {
    let status = match car.status {
        Status::InProgress => "in_progress",
        Status::Collision => "collision",
    };
    let row = row.number(car.base.position_m.x).number(car.base.position_m.y).number(car.base.yaw_rad);
    let row = row.number(car.base_twist.velocity_m_s).number(car.yaw_rate_rad_s);
    let row = row.number(car.steering.middle_rad).number(car.steering.left_rad).number(car.steering.right_rad);
    row.number(car.motor_rps).number(car.target_motor_rps).text(status).end();
}
