//! What the sea yields: its streams with their columns, and the rows of each. Readings of sensors come when they arrive.

use crate::acoustic_tables as acoustic;
use crate::forces;
use crate::model::{SeaModel, SensorKind, SensorSetup, VehicleSetup};
use crate::particles;
use crate::readings::Arrival;
use crate::scanner::{self, ScannerKind};
use crate::sonar;
use crate::sound;
use crate::survey;
use crate::waypoints;
use crate::world::{SeaWorld, VehicleRun};
use sea_sim::Medium;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::sensor::BEAMS;
use sim_core::DVec3;
use sim_world::{Cadence, Column, ColumnKind, RowSink, Stream, Value, World, event_stream};
use std::borrow::Cow;

/// The streams of a sea. Those of sensors exist where a vehicle carries one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeaStream {
    Vehicles,
    Actuators,
    Imu,
    Pressure,
    Gnss,
    Compass,
    Battery,
    Altimeter,
    Range,
    Dvl,
    Leak,
    Sonar,
    /// Of a sonar, by its vehicle and its place in the vehicle's list.
    Ping(usize, usize),
    /// The places that its rays met.
    Points(usize, usize),
    Water,
    Sound,
    Scans(ScannerKind),
    /// Of a lidar or a depth camera, by its vehicle and its place in the vehicle's list.
    Scanner(usize, u32),
    Acoustic,
    Ranging,
    Waypoints,
    Forces,
    Particles,
    Map,
    Events,
}

/// The streams that a model's runs yield, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    kinds: Vec<SeaStream>,
    pub streams: Vec<Stream>,
}

impl Outputs {
    pub fn new(model: &SeaModel) -> Self {
        use {SeaStream as S, SensorKind as K};
        let sensor = |kind, stream: fn(u64) -> Stream, of: fn(SensorKind) -> bool| {
            let at_most: u64 = model.vehicles.iter().map(|vehicle| most_rows(model, vehicle, of)).sum();
            (model.has_sensor_tables && at_most > 0).then(|| (kind, stream(at_most)))
        };
        let actuators: usize = model.vehicles.iter().map(|vehicle| vehicle.vehicle.actuator_names().len()).sum();
        let is_heard = model.has_sensor_tables && model.acoustics.is_some();
        let list = [
            Some((S::Vehicles, vehicle_stream(model.vehicles.len() as u64))),
            (actuators > 0).then(|| (S::Actuators, actuator_stream(actuators as u64))),
            sensor(S::Imu, imu_stream, |kind| matches!(kind, K::Gyro | K::Accelerometer | K::Attitude)),
            sensor(S::Pressure, pressure_stream, |kind| kind == K::Pressure),
            sensor(S::Gnss, gnss_stream, |kind| kind == K::Gnss),
            sensor(S::Compass, compass_stream, |kind| kind == K::Compass),
            sensor(S::Battery, battery_stream, |kind| kind == K::Battery),
            sensor(S::Altimeter, altimeter_stream, |kind| kind == K::Altimeter),
            sensor(S::Range, range_stream, |kind| matches!(kind, K::Range(_))),
            sensor(S::Dvl, dvl_stream, |kind| matches!(kind, K::DvlRanges | K::DvlVelocities)),
            sensor(S::Leak, leak_stream, |kind| kind == K::Leak),
            sonar_stream(model).map(|stream| (S::Sonar, stream)),
            scan_stream(model, ScannerKind::Lidar),
            scan_stream(model, ScannerKind::DepthCamera),
            (!model.probes.is_empty()).then(|| (S::Water, water_stream(model.probes.len() as u64))),
            sound::stream(model).map(|stream| (S::Sound, stream)),
            is_heard.then(|| (S::Acoustic, acoustic::acoustic_stream())),
            acoustic::ranging_stream(model).filter(|_| is_heard).map(|stream| (S::Ranging, stream)),
            waypoints::stream(model).map(|stream| (S::Waypoints, stream)),
            forces::stream(model).map(|stream| (S::Forces, stream)),
            particles::stream(model).map(|stream| (S::Particles, stream)),
            survey::stream(model).map(|stream| (S::Map, stream)),
            Some((S::Events, event_stream())),
        ];
        let (kinds, streams) =
            list.into_iter().flatten().chain(ping_streams(model)).chain(scanner_streams(model)).unzip();
        Self { kinds, streams }
    }

    /// The stream at a place.
    pub fn kind(&self, place: usize) -> Option<SeaStream> {
        self.kinds.get(place).copied()
    }
}

/// Most rows that sensors of a vehicle make together: those with the same times share rows, but for receivers of beacons.
fn most_rows(model: &SeaModel, vehicle: &VehicleSetup, of: fn(SensorKind) -> bool) -> u64 {
    let times = |sensor: &SensorSetup| {
        let params = sensor.instrument.sensor().params();
        (params.period_ticks, params.phase_ticks, params.delay_ticks)
    };
    let sensors: Vec<&SensorSetup> = vehicle.sensors.iter().filter(|sensor| of(sensor.kind)).collect();
    let shares = |place: usize| {
        let (sensor, before) = (sensors[place], &sensors[..place]);
        !matches!(sensor.kind, SensorKind::Range(_)) && before.iter().any(|other| times(other) == times(sensor))
    };
    (0..sensors.len())
        .filter(|&place| !shares(place))
        .map(|place| model.readings(sensors[place].instrument.sensor()))
        .sum()
}

/// The stream of all pings; none without a sonar.
fn sonar_stream(model: &SeaModel) -> Option<Stream> {
    let at_most: u64 = sonar::sonars(model).map(|(_, _, own)| model.readings(own.sensor())).sum();
    (model.has_sensor_tables && at_most > 0).then(|| sonar::sonar_stream(at_most))
}

/// The stream of the scans of lidars or depth cameras in short.
fn scan_stream(model: &SeaModel, kind: ScannerKind) -> Option<(SeaStream, Stream)> {
    let stream = scanner::short_stream(model, kind).filter(|_| model.has_sensor_tables)?;
    Some((SeaStream::Scans(kind), stream))
}

/// The streams of single lidars and depth cameras that are asked for.
fn scanner_streams(model: &SeaModel) -> impl Iterator<Item = (SeaStream, Stream)> {
    scanner::scanners(model).filter(|_| model.has_sensor_tables).filter_map(|(vehicle, place, own)| {
        Some((SeaStream::Scanner(vehicle, place), scanner::full_stream(model, vehicle, own)?))
    })
}

/// The streams of single sonars.
fn ping_streams(model: &SeaModel) -> impl Iterator<Item = (SeaStream, Stream)> {
    sonar::sonars(model).filter(|_| model.has_sensor_tables).flat_map(|(vehicle, place, own)| {
        let points = || (SeaStream::Points(vehicle, place), sonar::point_stream(model, vehicle, own));
        let pings = (SeaStream::Ping(vehicle, place), sonar::ping_stream(model, vehicle, own));
        std::iter::once(pings).chain(own.extras.points.then(points))
    })
}

fn vehicle_column() -> Column {
    Column::integer("vehicle", "number of the vehicle")
}

fn vehicle_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        vehicle_column(),
        Column::number("x_m", "place of its origin, east"),
        Column::number("y_m", "place of its origin, north"),
        Column::number("z_m", "place of its origin, up"),
        Column::number("roll_rad", "roll, positive lifts the left side"),
        Column::number("pitch_rad", "pitch, positive lowers the nose"),
        Column::number("yaw_rad", "yaw, from east towards north"),
        Column::number("u_m_s", "velocity over ground along its axes, forward"),
        Column::number("v_m_s", "velocity to the left"),
        Column::number("w_m_s", "velocity upward"),
        Column::number("p_rad_s", "turn rate about forward"),
        Column::number("q_rad_s", "turn rate about left"),
        Column::number("r_rad_s", "turn rate about up"),
        Column::number("depth_m", "depth below still water, negative above it"),
        Column::number("altitude_m", "height above the bottom right below; missing where there is none"),
        Column::text(
            "status",
            "`out_of_world`, `collision`, `grounded`, `under_water`, `air` or `surface`: the first that holds",
        ),
    ]);
    Stream::new("vehicles", "a vehicle after a step", Cadence::Sampled { owners }, columns)
}

fn actuator_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        vehicle_column(),
        Column::text("actuator", "name of the actuator"),
        Column::number("command", "command in force"),
        Column::number("actual", "where it is"),
        Column::text("unit", "unit of both"),
    ]);
    Stream::new("actuators", "an actuator after a step", Cadence::Sampled { owners }, columns)
}

fn water_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::text("probe", "name of the probe"),
        Column::number("eta_m", "height of the surface above still water"),
        Column::number("vx_m_s", "velocity of the water, east"),
        Column::number("vy_m_s", "velocity of the water, north"),
        Column::number("vz_m_s", "velocity of the water, up"),
        Column::number("pressure_pa", "pressure beyond that of the air"),
    ]);
    Stream::new("water", "the water at a probe after a step", Cadence::Sampled { owners }, columns)
}

/// The columns that rows of all sensors begin with.
pub(crate) fn reading_stream(
    name: impl Into<Cow<'static, str>>,
    about: &'static str,
    at_most: u64,
    columns: impl IntoIterator<Item = Column>,
) -> Stream {
    let head = [
        vehicle_column(),
        Column::text("sensor", "name of the sensor"),
        Column::number("taken_s", "time at which it was measured"),
    ];
    let columns = Column::moment().into_iter().chain(head).chain(columns);
    Stream::new(name, about, Cadence::OnEvent { at_most: Some(at_most) }, columns)
}

fn imu_stream(at_most: u64) -> Stream {
    let columns = [
        Column::number("gyro_x_rad_s", "turn rate about its x axis"),
        Column::number("gyro_y_rad_s", "turn rate about its y axis"),
        Column::number("gyro_z_rad_s", "turn rate about its z axis"),
        Column::number("accel_x_m_s2", "specific force along its x axis"),
        Column::number("accel_y_m_s2", "specific force along its y axis"),
        Column::number("accel_z_m_s2", "specific force along its z axis"),
        Column::number("roll_rad", "roll of the vehicle"),
        Column::number("pitch_rad", "pitch of the vehicle, positive lowers the nose"),
        Column::number("yaw_rad", "yaw of the vehicle, from east towards north"),
    ];
    reading_stream("imu", "a reading of an inertial unit when it arrives", at_most, columns)
}

fn pressure_stream(at_most: u64) -> Stream {
    let columns = [
        Column::number("pressure_pa", "pressure"),
        Column::integer(
            "saturated",
            "1 at an end of the gauge's range, which may stand for a pressure beyond it; else 0",
        ),
    ];
    reading_stream("pressure", "a reading of a pressure gauge when it arrives", at_most, columns)
}

fn gnss_stream(at_most: u64) -> Stream {
    let columns = [
        Column::number("x_m", "place of the antenna, east"),
        Column::number("y_m", "place of the antenna, north"),
        Column::number("z_m", "place of the antenna, up"),
        Column::number("lat_deg", "latitude, north positive"),
        Column::number("lon_deg", "longitude, east positive"),
        Column::number("height_m", "height above the ellipsoid"),
    ];
    reading_stream("gnss", "a fix of a satellite receiver when it arrives", at_most, columns)
}

fn compass_stream(at_most: u64) -> Stream {
    let columns = [Column::number("heading_rad", "heading, clockwise from north")];
    reading_stream("compass", "a reading of a compass when it arrives", at_most, columns)
}

fn battery_stream(at_most: u64) -> Stream {
    let columns = [Column::number("voltage_v", "voltage"), Column::number("charge_percent", "charge")];
    reading_stream("battery", "a reading of a battery when it arrives", at_most, columns)
}

fn altimeter_stream(at_most: u64) -> Stream {
    let columns = [Column::number("altitude_m", "height above what it hit; where that is nothing, above still water")];
    reading_stream("altimeter", "a reading of an echo sounder when it arrives", at_most, columns)
}

fn range_stream(at_most: u64) -> Stream {
    let columns =
        [Column::text("beacon", "name of the beacon"), Column::number("range_m", "distance; missing unheard")];
    reading_stream("range", "the distance to a beacon when it arrives", at_most, columns)
}

fn leak_stream(at_most: u64) -> Stream {
    let columns = [
        Column::integer("leak", "1 with water inside, else 0"),
        Column::integer("count", "measurements so far that found water"),
    ];
    reading_stream("leak", "a reading of a leak detector when it arrives", at_most, columns)
}

fn dvl_stream(at_most: u64) -> Stream {
    let columns = [
        Column::number("u_m_s", "velocity along its x axis; missing without lock"),
        Column::number("v_m_s", "velocity along its y axis"),
        Column::number("w_m_s", "velocity along its z axis"),
        Column::number("altitude_m", "height above the bottom along its z axis"),
        Column::number("beam_1_m", "distance along a beam; missing if it did not come back"),
        Column::number("beam_2_m", "distance along the second beam"),
        Column::number("beam_3_m", "distance along the third beam"),
        Column::number("beam_4_m", "distance along the fourth beam"),
        Column::new("lock", ColumnKind::Integer, "1 with a velocity, else 0"),
    ];
    reading_stream("dvl", "a reading of a velocity log when it arrives", at_most, columns)
}

/// Hands the rows of a stream on.
pub(crate) fn rows(world: &SeaWorld, stream: SeaStream, out: &mut RowSink<'_>) {
    use SensorKind as K;
    match stream {
        SeaStream::Vehicles => vehicle_rows(world, out),
        SeaStream::Actuators => actuator_rows(world, out),
        SeaStream::Water => water_rows(world, out),
        SeaStream::Sound => sound::rows(world, out),
        SeaStream::Scans(kind) => scanner::short_rows(world, kind, out),
        SeaStream::Scanner(vehicle, place) => scanner::full_rows(world, (vehicle, place), out),
        SeaStream::Acoustic => acoustic::acoustic_rows(world, out),
        SeaStream::Ranging => acoustic::ranging_rows(world, out),
        SeaStream::Waypoints => waypoints::rows(world, out),
        SeaStream::Forces => world.force_rows(out),
        SeaStream::Particles => particles::rows(world, out),
        SeaStream::Map => survey::rows(world, out),
        SeaStream::Events => world.event_rows(out),
        SeaStream::Imu => imu_rows(world, out),
        SeaStream::Dvl => dvl_rows(world, out),
        SeaStream::Gnss => gnss_rows(world, out),
        SeaStream::Battery => battery_rows(world, out),
        SeaStream::Range => range_rows(world, out),
        SeaStream::Leak => leak_rows(world, out),
        SeaStream::Sonar => sonar::sonar_rows(world, out),
        SeaStream::Ping(vehicle, place) => sonar::ping_rows(world, (vehicle, place), out),
        SeaStream::Points(vehicle, place) => sonar::point_rows(world, (vehicle, place), out),
        SeaStream::Pressure => pressure_rows(world, out),
        SeaStream::Compass => single_rows(world, (K::Compass, "compass"), out),
        SeaStream::Altimeter => single_rows(world, (K::Altimeter, "altimeter"), out),
    }
}

/// Step and time, with which every row begins.
pub(crate) fn moment(world: &SeaWorld) -> [Value<'static>; 2] {
    [world.tick().0.into(), world.time_s().into()]
}

fn vehicle_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    let model = world.model();
    for (number, run) in world.state().vehicles.iter().enumerate() {
        let body = &run.motion.body;
        let at_m = body.position_m;
        let RollPitchYaw { roll_rad, pitch_rad, yaw_rad } = RollPitchYaw::from_quat(body.attitude);
        let [u, v, w, p, q, r] = body.velocity.to_array().map(Value::Number);
        let altitude_m = model.ground(at_m).map_or(Value::Missing, |ground| Value::Number(at_m.z - ground.z_m));
        out(&[
            step,
            time_s,
            number.into(),
            at_m.x.into(),
            at_m.y.into(),
            at_m.z.into(),
            roll_rad.into(),
            pitch_rad.into(),
            yaw_rad.into(),
            u,
            v,
            w,
            p,
            q,
            r,
            (model.level_m - at_m.z).into(),
            altitude_m,
            status(world, run).into(),
        ]);
    }
}

/// The first of these that holds.
fn status(world: &SeaWorld, run: &VehicleRun) -> &'static str {
    let conditions = &run.conditions;
    let is_now = |step: Option<u64>| step == Some(world.tick().0) && world.tick().0 > 0;
    match () {
        () if conditions.is_outside => "out_of_world",
        () if is_now(conditions.struck_step) => "collision",
        () if is_now(conditions.bottom_step) => "grounded",
        () if conditions.is_under => "under_water",
        () if conditions.is_in_air => "air",
        () => "surface",
    }
}

fn actuator_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    for (number, (setup, run)) in world.model().vehicles.iter().zip(&world.state().vehicles).enumerate() {
        let (names, units) = (setup.vehicle.actuator_names(), setup.vehicle.actuator_units());
        for (place, (name, unit)) in names.iter().zip(units).enumerate() {
            let (command, actual) = (run.motion.commands[place], run.motion.actuators[place]);
            let (name, unit) = (name.as_str().into(), unit.as_str().into());
            out(&[step, time_s, number.into(), name, command.into(), actual.into(), unit]);
        }
    }
}

fn water_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    for probe in &world.model().probes {
        let at_m = probe.position_m;
        let sample = world.sea().at(at_m, world.time_s());
        let eta_m = sample.surface_m + at_m.z - world.model().level_m;
        let pressure_pa = world.water().pressure_pa(at_m, world.time_s());
        let [vx, vy, vz] = sample.velocity_m_s.to_array().map(Value::Number);
        out(&[step, time_s, probe.name.as_str().into(), eta_m.into(), vx, vy, vz, pressure_pa.into()]);
    }
}

/// The values that rows of all sensors begin with.
pub(crate) fn head<'a>(world: &SeaWorld, arrival: &Arrival, sensor: &'a str) -> [Value<'a>; 5] {
    let [step, time_s] = moment(world);
    let taken_s = arrival.taken.seconds(world.model().step_hz);
    [step, time_s, arrival.vehicle.into(), sensor.into(), taken_s.into()]
}

/// A number that was lost is missing.
fn told(value: f64) -> Value<'static> {
    if value == f64::INFINITY { Value::Missing } else { value.into() }
}

fn single_rows(world: &SeaWorld, (kind, name): (SensorKind, &'static str), out: &mut RowSink<'_>) {
    for arrival in world.readings().arrivals().iter().filter(|arrival| arrival.kind == kind) {
        let [a, b, c, d, e] = head(world, arrival, name);
        out(&[a, b, c, d, e, told(world.readings().values(arrival)[0])]);
    }
}

fn pressure_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for arrival in world.readings().arrivals().iter().filter(|arrival| arrival.kind == SensorKind::Pressure) {
        let [a, b, c, d, e] = head(world, arrival, "pressure");
        let setup = &world.model().vehicles[arrival.vehicle];
        let Some(place) = setup.sensor(SensorKind::Pressure) else { continue };
        let range = setup.sensors[place].instrument.sensor().params().errors.range;
        let pressure_pa = world.readings().values(arrival)[0];
        let saturated = Value::Integer(i64::from(range.is_saturated(pressure_pa)));
        out(&[a, b, c, d, e, told(pressure_pa), saturated]);
    }
}

fn gnss_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for arrival in world.readings().arrivals().iter().filter(|arrival| arrival.kind == SensorKind::Gnss) {
        let values = world.readings().values(arrival);
        let mut row = [Value::Missing; 11];
        row[..5].copy_from_slice(&head(world, arrival, "gnss"));
        row[5..8].iter_mut().zip(values).for_each(|(cell, &value)| *cell = told(value));
        let place_m = DVec3::from_slice(values);
        if place_m.is_finite() {
            let place = world.model().georef.geodetic(place_m);
            row[8..].copy_from_slice(&[place.latitude_deg, place.longitude_deg, place.height_m].map(Value::Number));
        }
        out(&row);
    }
}

fn battery_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for arrival in world.readings().arrivals().iter().filter(|arrival| arrival.kind == SensorKind::Battery) {
        let [a, b, c, d, e] = head(world, arrival, "battery");
        let taken_s = arrival.taken.seconds(world.model().step_hz);
        let battery = world.model().vehicles[arrival.vehicle].battery;
        let charge = battery.map_or(Value::Missing, |battery| battery.charge_percent(taken_s).into());
        out(&[a, b, c, d, e, told(world.readings().values(arrival)[0]), charge]);
    }
}

fn leak_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for arrival in world.readings().arrivals().iter().filter(|arrival| arrival.kind == SensorKind::Leak) {
        let [a, b, c, d, e] = head(world, arrival, "leak");
        let [leak, count] = [0, 1].map(|place| Value::Integer(world.readings().values(arrival)[place] as i64));
        out(&[a, b, c, d, e, leak, count]);
    }
}

fn range_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    for arrival in world.readings().arrivals() {
        let SensorKind::Range(beacon) = arrival.kind else { continue };
        let [a, b, c, d, e] = head(world, arrival, "range");
        let name = world.model().beacons[beacon as usize].name.as_str();
        out(&[a, b, c, d, e, name.into(), told(world.readings().values(arrival)[0])]);
    }
}

/// Rows of sensors of one unit; readings of the same moment share a row, whatever arrived between them. `kinds` are in the order of the
/// columns.
fn joined_rows<const KINDS: usize>(
    world: &SeaWorld,
    kinds: [SensorKind; KINDS],
    mut out: impl FnMut(&Arrival, [Option<&[f64]>; KINDS]),
) {
    let readings = world.readings();
    // Readings arrive vehicle by vehicle.
    for of_vehicle in readings.arrivals().chunk_by(|a, b| a.vehicle == b.vehicle) {
        let of_kind = |kind: SensorKind| of_vehicle.iter().find(move |arrival| arrival.kind == kind);
        let arrivals = kinds.map(of_kind);
        for (place, first) in arrivals.iter().enumerate() {
            let Some(first) = first else { continue };
            let is_same = |other: &&Arrival| other.taken == first.taken;
            if arrivals[..place].iter().flatten().any(|&other| is_same(&other)) {
                continue;
            }
            let same = arrivals.map(|other| other.filter(is_same));
            out(first, same.map(|other| other.map(|arrival| readings.values(arrival))));
        }
    }
}

fn imu_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    use SensorKind as K;
    joined_rows(world, [K::Gyro, K::Accelerometer, K::Attitude], |arrival, parts| {
        let mut row = [Value::Missing; 14];
        row[..5].copy_from_slice(&head(world, arrival, "imu"));
        for (part, cells) in parts.into_iter().zip(row[5..].chunks_mut(3)) {
            cells.iter_mut().zip(part.unwrap_or_default()).for_each(|(cell, &value)| *cell = told(value));
        }
        out(&row);
    });
}

fn dvl_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    use SensorKind as K;
    joined_rows(world, [K::DvlRanges, K::DvlVelocities], |arrival, [ranges_m, speeds_m_s]| {
        let Some(dvl) = &world.model().vehicles[arrival.vehicle].dvl else { return };
        let beams = |values: Option<&[f64]>| values.and_then(|values| <[f64; BEAMS]>::try_from(values).ok());
        let (ranges_m, speeds_m_s) = (beams(ranges_m), beams(speeds_m_s));
        let velocity_m_s = speeds_m_s.and_then(|speeds| dvl.velocity_m_s(&speeds));
        let mut row = [Value::Missing; 14];
        row[..5].copy_from_slice(&head(world, arrival, "dvl"));
        if let Some(velocity_m_s) = velocity_m_s {
            row[5..8].copy_from_slice(&velocity_m_s.to_array().map(Value::Number));
        }
        if let Some(ranges_m) = ranges_m {
            row[8] = dvl.altitude_m(&ranges_m).map_or(Value::Missing, Value::Number);
            row[9..13].copy_from_slice(&ranges_m.map(told));
        }
        row[13] = Value::Integer(i64::from(velocity_m_s.is_some()));
        out(&row);
    });
}
