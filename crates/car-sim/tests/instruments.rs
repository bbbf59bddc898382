//! Sensors of cars in traffic: what each reads in a known situation, and that none of them depends on what is not its business.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{
    Car, CarModel, CarParams, Command, DEFAULT_IMU_MOUNT, Instrument, InstrumentKind, LidarParams, Observed, Pose,
    ScanBuffers, Scene, Segment, SegmentMap, Start, Status, Traffic,
};
use sim_core::sensing::{Address, ErrorParams, Sensor, SensorParams, ValueRange};
use sim_core::{DVec2, RunKey, StateHash, Tick};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const KEY: RunKey = RunKey { seed: 3, run_index: 1 };

fn model() -> CarModel {
    CarModel::new(CarParams::default()).unwrap()
}

fn read(kind: InstrumentKind, errors: ErrorParams, car: &Car, scene: Scene<'_>) -> Vec<f64> {
    let model = model();
    let instrument = Instrument::new(kind, SensorParams { errors, ..SensorParams::default() }, &model).unwrap();
    let observed = Observed { car, model: &model, scene };
    instrument.read_now(Address::new(KEY, 0, 0), &observed, &mut ScanBuffers::default())
}

fn alone<'a>(map: &'a SegmentMap, traffic: &'a Traffic) -> Scene<'a> {
    Scene { map, traffic, own_car: None }
}

fn placed(base: Pose, steering_rad: f64, velocity_m_s: f64) -> Car {
    Car::placed(&model(), &SegmentMap::empty(), &Start { base, steering_rad, velocity_m_s }).unwrap()
}

/// Car facts, T2: at d = 0.2 and 0.5 m/s the car turns at 0.248983686041 rad/s.
#[test]
fn each_sensor_reads_what_is_known_of_a_left_turn() {
    let (map, traffic) = (SegmentMap::empty(), Traffic::new());
    let car = placed(Pose::new(1.0, 2.0, FRAC_PI_2), 0.2, 0.5);
    let ideal = |kind| read(kind, ErrorParams::default(), &car, alone(&map, &traffic));
    let near = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-11, "{found:?}");
    };
    near(ideal(InstrumentKind::Speed), &[0.5]);
    near(ideal(InstrumentKind::YawRate), &[0.248_983_686_041]);
    near(ideal(InstrumentKind::Gyro(DEFAULT_IMU_MOUNT)), &[0.0, -0.248_983_686_041, 0.0]);
    // A car that looks along +y has its own left at -x.
    near(ideal(InstrumentKind::Position { antenna_in_base_m: DVec2::new(0.1, 0.05) }), &[0.95, 2.1]);
    let force = ideal(InstrumentKind::Accelerometer(DEFAULT_IMU_MOUNT));
    assert_eq!(force[1], -9.81);
}

#[test]
fn a_lidar_sees_the_other_car_and_not_its_own() {
    let model = model();
    let (car, other) = (placed(Pose::ORIGIN, 0.0, 0.0), placed(Pose::new(2.0, 0.0, FRAC_PI_2), 0.0, 0.0));
    let mut traffic = Traffic::new();
    traffic.replace([car.outline(&model), other.outline(&model)]);
    let map = SegmentMap::empty();
    let lidar = LidarParams { increment_rad: TAU / 4.0, ..LidarParams::default() };
    let scene = Scene { map: &map, traffic: &traffic, own_car: Some(0) };
    let ranges_m = read(InstrumentKind::Lidar { params: lidar, sweep_s: 0.0 }, ErrorParams::default(), &car, scene);
    // The other car stands across: its flank is half of its width of 0.313 m before its middle.
    assert!((ranges_m[0] - (2.0 - 0.1565)).abs() < 1e-12);
    assert_eq!(ranges_m[1..], [f64::INFINITY; 3]);
}

/// Share of a deviate above `z` deviations: 1/2 erfc(z / sqrt 2), from a table of the normal distribution.
const ABOVE_HALF_A_DEVIATION: f64 = 0.308_538;

/// A wall on the left and one on the right, half a deviation of the noise within the nearest and the farthest range. REP 117: a detection
/// that is too near reads -infinity, none within the range +infinity.
#[test]
fn noise_moves_no_range_out_of_the_range_of_the_lidar() {
    let wall = |y: f64| Segment::new(DVec2::new(-50.0, y), DVec2::new(50.0, y));
    let map = SegmentMap::from_segments(&[wall(0.25), wall(-9.9)]).unwrap();
    let (traffic, model) = (Traffic::new(), model());
    let params = LidarParams {
        angle_min_rad: -FRAC_PI_2,
        angle_max_rad: FRAC_PI_2,
        increment_rad: PI,
        range_min_m: 0.15,
        range_max_m: 10.0,
        ..LidarParams::default()
    };
    let errors = ErrorParams { noise_std: 0.2, ..ErrorParams::default() };
    let sensing = SensorParams { errors, ..SensorParams::default() };
    let lidar = Instrument::new(InstrumentKind::Lidar { params, sweep_s: 0.0 }, sensing, &model).unwrap();
    let car = Car::new(&model);
    let observed = Observed { car: &car, model: &model, scene: alone(&map, &traffic) };
    let scans = 20_000;
    let [mut too_near, mut too_far] = [0, 0];
    for sensor in 0..scans {
        let ranges_m = lidar.read_now(Address::new(KEY, 0, sensor), &observed, &mut ScanBuffers::default());
        let [right_m, left_m] = ranges_m[..] else { panic!("two rays: {ranges_m:?}") };
        assert!((0.15..=10.0).contains(&left_m) || left_m == f64::NEG_INFINITY, "{left_m}");
        assert!((0.15..=10.0).contains(&right_m) || right_m == f64::INFINITY, "{right_m}");
        too_near += u32::from(left_m == f64::NEG_INFINITY);
        too_far += u32::from(right_m == f64::INFINITY);
    }
    // Standard error of a share: 0.0033.
    for count in [too_near, too_far] {
        let share = f64::from(count) / f64::from(scans);
        assert!((share - ABOVE_HALF_A_DEVIATION).abs() < 0.015, "{share}");
    }
}

#[test]
fn a_narrower_range_of_the_sensor_counts_and_one_beside_the_lidars_is_refused() {
    let model = model();
    let with_range = |min, max| {
        let errors = ErrorParams { range: ValueRange::Signalling { min, max }, ..ErrorParams::default() };
        let kind = InstrumentKind::Lidar { params: LidarParams::default(), sweep_s: 0.0 };
        Instrument::new(kind, SensorParams { errors, ..SensorParams::default() }, &model)
    };
    let narrow = with_range(-3.0, 12.0).unwrap();
    assert_eq!(narrow.sensor().errors().params().range, ValueRange::Signalling { min: 0.0, max: 12.0 });
    assert_eq!(with_range(26.0, 30.0).unwrap_err().field, "range");
}

/// Two cars drive at each other and one stands aside. Closed form: 0.8 m/s after 0.32 m, the bumpers 0.2525 m ahead: each has
/// 0.7475 m to go.
#[test]
fn cars_that_meet_both_end_and_no_other_does() {
    let (model, map) = (model(), SegmentMap::empty());
    let start = |x, y, yaw| placed(Pose::new(x, y, yaw), 0.0, 0.0);
    let mut cars = [start(-1.0, 0.0, 0.0), start(1.0, 0.0, PI), start(0.0, 0.4, 0.0)];
    let command = Command { velocity_m_s: 0.8, curvature_1_m: 0.0, acceleration_m_s2: None };
    cars[0].set_command(&model, &command).unwrap();
    cars[1].set_command(&model, &command).unwrap();
    let mut traffic = Traffic::new();
    for _ in 0..3000 {
        cars.iter_mut().for_each(|car| car.step(&model, &map));
        traffic.replace(cars.iter().map(|car| car.outline(&model)));
        cars.iter_mut().enumerate().for_each(|(own, car)| car.meet(&traffic, own));
    }
    assert_eq!(
        [cars[0].status(), cars[1].status(), cars[2].status()],
        [Status::Collision, Status::Collision, Status::InProgress]
    );
    // 0.8 s + (0.7475 - 0.32) / 0.8 s = 1.334375 s: the first step that touches is 1335.
    assert_eq!([cars[0].steps(), cars[1].steps(), cars[2].steps()], [1335, 1335, 3000]);
}

/// A drive in a room with all sensors, each with its own rate, delay and errors.
struct Rig {
    model: CarModel,
    map: SegmentMap,
    traffic: Traffic,
    instruments: Vec<Instrument>,
    car: Car,
    sensors: Vec<Sensor>,
}

impl Rig {
    fn new(kinds: &[InstrumentKind]) -> Self {
        let model = model();
        let corner = |k: usize| [(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)][k % 4].into();
        let map = SegmentMap::from_segments(&[0, 1, 2, 3].map(|k| Segment::new(corner(k), corner(k + 1)))).unwrap();
        let errors =
            ErrorParams { noise_std: 0.01, bias_std: 0.02, walk_std_per_sqrt_s: 0.01, ..ErrorParams::default() };
        let instrument = |(k, kind): (usize, &InstrumentKind)| {
            let params = SensorParams {
                period_ticks: 7 + k as u64,
                delay_ticks: 11,
                loss: 0.1,
                errors,
                ..SensorParams::default()
            };
            Instrument::new(*kind, params, &model).unwrap()
        };
        let instruments: Vec<Instrument> = kinds.iter().enumerate().map(instrument).collect();
        let mut car = Car::placed(&model, &map, &Start::at(Pose::ORIGIN)).unwrap();
        car.set_command(&model, &Command { velocity_m_s: 0.5, curvature_1_m: 1.0, acceleration_m_s2: None }).unwrap();
        let sensors = instruments.iter().map(Instrument::start).collect();
        Self { model, map, traffic: Traffic::new(), instruments, car, sensors }
    }

    fn step(&mut self, buffers: &mut ScanBuffers) {
        self.car.step(&self.model, &self.map);
        let scene = Scene { map: &self.map, traffic: &self.traffic, own_car: None };
        let observed = Observed { car: &self.car, model: &self.model, scene };
        for (number, (instrument, sensor)) in self.instruments.iter().zip(&mut self.sensors).enumerate() {
            instrument.step(sensor, Address::new(KEY, 0, number as u32), &observed, buffers);
        }
    }

    fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.car.hash_into(&mut hash);
        self.sensors.iter().for_each(|sensor| sensor.hash_into(&mut hash));
        hash.finish()
    }
}

fn all_kinds() -> [InstrumentKind; 6] {
    let lidar = LidarParams { increment_rad: TAU / 64.0, ..LidarParams::default() };
    [
        InstrumentKind::Lidar { params: lidar, sweep_s: 0.0 },
        InstrumentKind::Gyro(DEFAULT_IMU_MOUNT),
        InstrumentKind::Accelerometer(DEFAULT_IMU_MOUNT),
        InstrumentKind::Speed,
        InstrumentKind::YawRate,
        InstrumentKind::Position { antenna_in_base_m: DVec2::ZERO },
    ]
}

#[test]
fn a_snapshot_goes_on_bit_for_bit_and_buffers_hold_nothing() {
    let mut rig = Rig::new(&all_kinds());
    let mut kept = ScanBuffers::default();
    (0..500).for_each(|_| rig.step(&mut kept));
    let (car, sensors) = (rig.car.clone(), rig.sensors.clone());
    (0..500).for_each(|_| rig.step(&mut kept));
    let first = rig.hash();
    (rig.car, rig.sensors) = (car, sensors);
    (0..500).for_each(|_| rig.step(&mut ScanBuffers::default()));
    assert_eq!(rig.hash(), first);
}

#[test]
fn a_reading_is_the_truth_of_its_tick_with_the_errors_of_its_tick() {
    let mut rig = Rig::new(&all_kinds());
    let mut buffers = ScanBuffers::default();
    let mut taken_then = Vec::new();
    for step in 1..=60 {
        rig.step(&mut buffers);
        let scene = Scene { map: &rig.map, traffic: &rig.traffic, own_car: None };
        let observed = Observed { car: &rig.car, model: &rig.model, scene };
        let now = |(k, instrument): (usize, &Instrument)| {
            instrument.read_now(Address::new(KEY, 0, k as u32), &observed, &mut ScanBuffers::default())
        };
        let readings: Vec<Vec<f64>> = rig.instruments.iter().enumerate().map(now).collect();
        taken_then.push(readings);
        for (k, sensor) in rig.sensors.iter().enumerate() {
            if let Some(reading) = sensor.latest() {
                assert!(reading.taken.0 + 11 <= step);
                assert!(reading.taken.is_due(7 + k as u64, 0) && reading.taken > Tick(0));
                assert_eq!(reading.values, taken_then[reading.taken.0 as usize - 1][k]);
            }
        }
    }
    assert!(rig.sensors.iter().all(|sensor| sensor.latest().is_some()));
}

#[test]
fn one_sensor_more_changes_no_other() {
    let kinds = all_kinds();
    let (mut few, mut many) = (Rig::new(&kinds[..3]), Rig::new(&kinds));
    let mut buffers = ScanBuffers::default();
    for _ in 0..200 {
        few.step(&mut buffers);
        many.step(&mut buffers);
    }
    assert_eq!(many.sensors[..3], few.sensors[..]);
}

/// A scan that takes 0.1 s while the car speeds up on a circle: each of 100 rays is what a scan at once read a millisecond later than the
/// one before.
#[test]
fn rays_of_a_sweep_leave_one_after_the_other() {
    let mut rig = Rig::new(&[]);
    let lidar = |sweep_s| InstrumentKind::Lidar {
        params: LidarParams { increment_rad: TAU / 100.0, ..LidarParams::default() },
        sweep_s,
    };
    rig.car.reset(&rig.model, &rig.map, &Start { base: Pose::ORIGIN, steering_rad: 0.3, velocity_m_s: 0.1 }).unwrap();
    let curvature_1_m = rig.car.base_twist(&rig.model).curvature_1_m;
    rig.car.set_command(&rig.model, &Command { velocity_m_s: 0.7, curvature_1_m, acceleration_m_s2: None }).unwrap();
    let scan_now = |rig: &Rig, sweep_s| {
        let scene = Scene { map: &rig.map, traffic: &rig.traffic, own_car: None };
        read(lidar(sweep_s), ErrorParams::default(), &rig.car, scene)
    };
    let mut buffers = ScanBuffers::default();
    (0..200).for_each(|_| rig.step(&mut buffers));
    let mut expected = Vec::new();
    for ray in 0..100 {
        expected.push(scan_now(&rig, 0.0)[ray]);
        rig.step(&mut buffers);
    }
    let (swept, at_once) = (scan_now(&rig, 0.1), scan_now(&rig, 0.0));
    let worst = |scan: &[f64]| scan.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst(&swept) < 1e-9, "{}", worst(&swept));
    assert!(worst(&at_once) > 0.01);
}
