//! What the road yields: its streams with their columns, and the rows of each. Readings of sensors come when they arrive.

use crate::lidar_rows::LidarRows;
use crate::model::{CarSetup, RoadModel, SensorKind, TICKS_PER_S};
use crate::readings::Arrival;
use crate::world::RoadWorld;
use car_sim::{CarReport, DRIVE_QUANTITIES, Status};
use sim_world::{Cadence, Column, ColumnKind, RowSink, Stream, Value, World, event_stream};

/// The streams of a road. Those of sensors exist where a car carries one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoadStream {
    Cars,
    Lidar,
    Imu,
    Odometry,
    Position,
    Events,
}

/// The streams that a model's runs yield, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    kinds: Vec<RoadStream>,
    pub streams: Vec<Stream>,
}

impl Outputs {
    pub fn new(model: &RoadModel) -> Self {
        let readings = |kind| model.cars.iter().map(|car| model.readings(car, kind)).sum::<u64>();
        let pair = |a, b| readings(a).max(readings(b));
        let imu = pair(SensorKind::Gyro, SensorKind::Accelerometer);
        let odometry = pair(SensorKind::Speed, SensorKind::YawRate);
        let position = readings(SensorKind::Position);
        let some = |at_most: u64, kind, stream: fn(u64) -> Stream| (at_most > 0).then(|| (kind, stream(at_most)));
        let list = [
            Some((RoadStream::Cars, car_stream(model.cars.len() as u64))),
            lidar_stream(model).map(|stream| (RoadStream::Lidar, stream)),
            some(imu, RoadStream::Imu, imu_stream),
            some(odometry, RoadStream::Odometry, odometry_stream),
            some(position, RoadStream::Position, position_stream),
            Some((RoadStream::Events, event_stream())),
        ];
        let (kinds, streams) = list.into_iter().flatten().unzip();
        Self { kinds, streams }
    }

    /// The stream at a place.
    pub fn kind(&self, place: usize) -> Option<RoadStream> {
        self.kinds.get(place).copied()
    }
}

/// Columns of a car before those of its drive.
const CAR_COLUMNS: usize = 14;

fn car_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("car", "number of the car"),
        Column::number("x_m", "place of its base point, to the right"),
        Column::number("y_m", "place of its base point, up"),
        Column::number("yaw_rad", "where it points, counter-clockwise from +x"),
        Column::number("speed_m_s", "speed of its base point along its axis"),
        Column::number("yaw_rate_rad_s", "turn rate"),
        Column::number("steer_rad", "steering angle of the middle of its front axle"),
        Column::number("steer_left_rad", "steering angle of its left front wheel"),
        Column::number("steer_right_rad", "steering angle of its right front wheel"),
        Column::number("motor_rps", "turns of its motor"),
        Column::number("target_rps", "turns that its motor is to reach"),
        Column::text("status", "`in_progress`, or `collision` once it has hit something"),
    ]);
    let columns = columns.chain(DRIVE_QUANTITIES.map(|(name, about)| Column::number(name, about)));
    Stream::new("cars", "a car after a step", Cadence::Sampled { owners }, columns)
}

/// The columns that rows of all sensors begin with.
fn reading_stream(
    name: &'static str,
    about: &'static str,
    at_most: u64,
    columns: impl IntoIterator<Item = Column>,
) -> Stream {
    let taken =
        [Column::integer("car", "number of the car"), Column::number("taken_s", "time at which it was measured")];
    let columns = Column::moment().into_iter().chain(taken).chain(columns);
    Stream::new(name, about, Cadence::OnEvent { at_most: Some(at_most) }, columns)
}

fn lidar_stream(model: &RoadModel) -> Option<Stream> {
    let rays = model.cars.iter().map(CarSetup::rays).max().unwrap_or_default();
    let scans = |car| model.readings(car, SensorKind::Lidar);
    let range = "distance to what a ray hit; missing without a return, -inf if it was too near";
    match model.lidar_rows {
        _ if rays == 0 => None,
        LidarRows::Off => None,
        LidarRows::Wide => {
            let columns = [Column::new("ray_#_m", ColumnKind::Numbers(rays as u32), range)];
            let at_most = model.cars.iter().map(scans).sum();
            Some(reading_stream("lidar", "a scan when it arrives", at_most, columns))
        }
        LidarRows::Long => {
            let columns = [Column::integer("ray", "number of the ray"), Column::number("range_m", range)];
            let at_most = model.cars.iter().map(|car| scans(car).saturating_mul(car.rays() as u64)).sum();
            Some(reading_stream("lidar", "a ray of a scan when it arrives", at_most, columns))
        }
    }
}

fn imu_stream(at_most: u64) -> Stream {
    let columns = [
        Column::number("gyro_x_rad_s", "turn rate about the forward axis"),
        Column::number("gyro_y_rad_s", "turn rate about the left axis"),
        Column::number("gyro_z_rad_s", "turn rate about the upward axis"),
        Column::number("accel_x_m_s2", "specific force forward"),
        Column::number("accel_y_m_s2", "specific force to the left"),
        Column::number("accel_z_m_s2", "specific force upward"),
    ];
    reading_stream("imu", "a reading of an inertial unit when it arrives", at_most, columns)
}

fn odometry_stream(at_most: u64) -> Stream {
    let columns = [
        Column::number("speed_m_s", "speed told by the wheels"),
        Column::number("yaw_rate_rad_s", "turn rate told by the wheels"),
    ];
    reading_stream("odometry", "a reading of the wheels when it arrives", at_most, columns)
}

fn position_stream(at_most: u64) -> Stream {
    let columns = [Column::number("x_m", "place, to the right"), Column::number("y_m", "place, up")];
    reading_stream("position", "a reading of a position sensor when it arrives", at_most, columns)
}

/// Hands the rows of a stream on.
pub(crate) fn rows(world: &RoadWorld, stream: RoadStream, out: &mut RowSink<'_>) {
    use SensorKind as Kind;
    match stream {
        RoadStream::Cars => car_rows(world, out),
        RoadStream::Lidar => lidar_rows(world, out),
        RoadStream::Imu => paired_rows(world, [Kind::Gyro, Kind::Accelerometer], 3, out),
        RoadStream::Odometry => paired_rows(world, [Kind::Speed, Kind::YawRate], 1, out),
        RoadStream::Position => position_rows(world, out),
        RoadStream::Events => world.event_rows(out),
    }
}

fn car_rows(world: &RoadWorld, out: &mut RowSink<'_>) {
    for (number, report) in world.reports().enumerate() {
        car_row([world.tick().0.into(), world.time_s().into(), number.into()], &report, out);
    }
}

fn car_row([step, time_s, number]: [Value<'_>; 3], car: &CarReport, out: &mut RowSink<'_>) {
    let status = match car.status {
        Status::InProgress => "in_progress",
        Status::Collision => "collision",
    };
    let known = [
        step,
        time_s,
        number,
        car.base.position_m.x.into(),
        car.base.position_m.y.into(),
        car.base.yaw_rad.into(),
        car.base_twist.velocity_m_s.into(),
        car.yaw_rate_rad_s.into(),
        car.steering.middle_rad.into(),
        car.steering.left_rad.into(),
        car.steering.right_rad.into(),
        car.motor_rps.into(),
        car.target_motor_rps.into(),
        status.into(),
    ];
    let mut row = [Value::Missing; CAR_COLUMNS + DRIVE_QUANTITIES.len()];
    row[..CAR_COLUMNS].copy_from_slice(&known);
    row[CAR_COLUMNS..].copy_from_slice(&car.drive_values().map(Value::Number));
    out(&row);
}

/// The values that rows of all sensors begin with.
fn head(world: &RoadWorld, arrival: &Arrival) -> [Value<'static>; 4] {
    [
        world.tick().0.into(),
        arrival.arrived.seconds(TICKS_PER_S).into(),
        arrival.car.into(),
        arrival.taken.seconds(TICKS_PER_S).into(),
    ]
}

fn lidar_rows(world: &RoadWorld, out: &mut RowSink<'_>) {
    for arrival in arrivals_of(world, SensorKind::Lidar) {
        let ([step, time_s, car, taken_s], ranges_m) = (head(world, arrival), world.readings().values(arrival));
        if world.model().lidar_rows == LidarRows::Wide {
            out(&[step, time_s, car, taken_s, Value::Numbers(ranges_m)]);
            continue;
        }
        for (ray, &range_m) in ranges_m.iter().enumerate() {
            out(&[step, time_s, car, taken_s, ray.into(), range_m.into()]);
        }
    }
}

fn position_rows(world: &RoadWorld, out: &mut RowSink<'_>) {
    for arrival in arrivals_of(world, SensorKind::Position) {
        let ([step, time_s, car, taken_s], values) = (head(world, arrival), world.readings().values(arrival));
        out(&[step, time_s, car, taken_s, values[0].into(), values[1].into()]);
    }
}

fn arrivals_of(world: &RoadWorld, kind: SensorKind) -> impl Iterator<Item = &Arrival> {
    world.readings().arrivals().iter().filter(move |arrival| arrival.kind == kind)
}

/// Rows of two sensors of one unit, `channels` values each; two readings of the same moment share a row.
fn paired_rows(world: &RoadWorld, [first, second]: [SensorKind; 2], channels: usize, out: &mut RowSink<'_>) {
    let mut arrivals = world.readings().arrivals().iter().peekable();
    while let Some(arrival) = arrivals.next() {
        let pair = if arrival.kind == first {
            let is_partner = |next: &&Arrival| next.kind == second && is_of_same_moment(next, arrival);
            [Some(arrival), arrivals.next_if(is_partner)]
        } else if arrival.kind == second {
            [None, Some(arrival)]
        } else {
            continue;
        };
        let mut row = [Value::Missing; 10];
        row[..4].copy_from_slice(&head(world, arrival));
        for (at, arrival) in pair.into_iter().enumerate() {
            let values = arrival.map_or(&[][..], |arrival| world.readings().values(arrival));
            let cells = row[4 + at * channels..].iter_mut();
            cells.zip(values).for_each(|(cell, &value)| *cell = value.into());
        }
        out(&row[..4 + 2 * channels]);
    }
}

fn is_of_same_moment(a: &Arrival, b: &Arrival) -> bool {
    (a.car, a.arrived, a.taken) == (b.car, b.arrived, b.taken)
}
