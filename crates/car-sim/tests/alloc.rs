//! A step of cars that drive, meet, feel, scan and decide allocates nothing once buffers have their size. Each thread counts its own: the
//! harness allocates whenever it likes.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::driver::{Pursuit, PursuitParams, Route, Scan, WallFollower, WallFollowerParams};
use car_sim::{
    Car, CarModel, CarParams, DEFAULT_IMU_MOUNT, Instrument, InstrumentKind, LidarParams, Observed, Pose, ScanBuffers,
    Scene, Segment, SegmentMap, Simulator, SimulatorParams, Start, Status, Traffic,
};
use sim_core::sensing::{Address, ErrorParams, Sensor, SensorParams};
use sim_core::{DVec2, RunKey};
use std::f64::consts::TAU;
use test_alloc::allocations_of;

fn room() -> SegmentMap {
    let corner = |k: usize| [(-4.0, -3.0), (6.0, -3.0), (6.0, 4.0), (-4.0, 4.0)][k % 4].into();
    SegmentMap::from_segments(&[0, 1, 2, 3].map(|k| Segment::new(corner(k), corner(k + 1)))).unwrap()
}

fn instruments(model: &CarModel) -> Vec<Instrument> {
    let errors = ErrorParams { noise_std: 0.01, walk_std_per_sqrt_s: 0.001, ..ErrorParams::default() };
    let params = SensorParams { period_ticks: 10, delay_ticks: 25, loss: 0.1, errors, ..SensorParams::default() };
    let lidar = LidarParams { increment_rad: TAU / 90.0, ..LidarParams::default() };
    let kinds = [
        InstrumentKind::Lidar { params: lidar, sweep_s: 0.0 },
        InstrumentKind::Gyro(DEFAULT_IMU_MOUNT),
        InstrumentKind::Accelerometer(DEFAULT_IMU_MOUNT),
        InstrumentKind::Speed,
        InstrumentKind::Position { antenna_in_base_m: DVec2::ZERO },
    ];
    kinds.map(|kind| Instrument::new(kind, params, model).unwrap()).into()
}

#[test]
fn a_step_allocates_nothing() {
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    let (model, map) = (CarModel::new(CarParams::default()).unwrap(), room());
    let square = [(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (0.0, 2.0)].map(DVec2::from).to_vec();
    let pursuit = Pursuit::new(&model, Route::new(square, true).unwrap(), PursuitParams::default()).unwrap();
    let follower = WallFollower::new(&model, Pose::ORIGIN, WallFollowerParams::default()).unwrap();
    let start = |x, y| Car::placed(&model, &map, &Start::at(Pose::new(x, y, 0.0))).unwrap();
    let mut cars = [start(0.0, 0.0), start(-3.0, 3.0)];
    let mut progress = pursuit.join(cars[0].base(&model));
    let instruments = instruments(&model);
    let mut sensors: Vec<Sensor> = instruments.iter().map(Instrument::start).collect();
    let (mut traffic, mut buffers) = (Traffic::new(), ScanBuffers::default());
    let mut readings = 0;
    let mut step = || {
        cars[0].set_command(&model, &pursuit.decide(&mut progress, cars[0].base(&model), 0.5)).unwrap();
        let scan = sensors[0].latest().map_or(&[][..], |reading| reading.values);
        let scan = Scan { first_rad: 0.0, increment_rad: TAU / 90.0, ranges_m: scan };
        cars[1].set_command(&model, &follower.decide(&scan)).unwrap();
        cars.iter_mut().for_each(|car| car.step(&model, &map));
        traffic.replace(cars.iter().map(|car| car.outline(&model)));
        cars.iter_mut().enumerate().for_each(|(own, car)| car.meet(&traffic, own));
        let scene = Scene { map: &map, traffic: &traffic, own_car: Some(1) };
        let observed = Observed { car: &cars[1], model: &model, scene };
        for (number, (instrument, sensor)) in instruments.iter().zip(&mut sensors).enumerate() {
            let address = Address::new(RunKey { seed: 1, run_index: 0 }, 1, number as u32);
            readings += usize::from(instrument.step(sensor, address, &observed, &mut buffers));
        }
    };
    (0..200).for_each(|_| step());
    assert_eq!(allocations_of(|| (0..3000).for_each(|_| step())), 0);
    assert!(readings > 5 * 200, "{readings}");
    assert_eq!([cars[0].status(), cars[1].status()], [Status::InProgress; 2]);
}

/// A state that is read into one of another moment is the one that is asked for, to the last bit of every number.
#[test]
fn reading_the_state_of_a_car_again_allocates_nothing_and_is_the_same() {
    let errors = ErrorParams { noise_std: 0.01, ..ErrorParams::default() };
    let params = SimulatorParams {
        seed: 7,
        lidar_errors: errors,
        gyro_errors: errors,
        accelerometer_errors: errors,
        ..SimulatorParams::default()
    };
    let mut simulator = Simulator::new(params).unwrap();
    simulator.reset_map(room());
    simulator.set_base_control(0.8, 0.5).unwrap();
    let mut buffers = ScanBuffers::default();
    let mut state = simulator.truck_state();
    simulator.read_truck_state(&mut state, &mut buffers);
    // As text, numbers differ when their bits do, whatever their sign, and one that is not a number equals itself.
    for _ in 0..20 {
        simulator.advance(0.1).unwrap();
        let before = format!("{state:?}");
        assert_eq!(allocations_of(|| simulator.read_truck_state(&mut state, &mut buffers)), 0);
        assert_eq!(format!("{state:?}"), format!("{:?}", simulator.truck_state()));
        assert_ne!(format!("{state:?}"), before);
    }
    assert_eq!(simulator.car().status(), Status::InProgress);
    // A state of another car, whose scan is longer, is written over too.
    state.lidar_ranges_m.extend([f64::NAN; 9]);
    simulator.read_truck_state(&mut state, &mut buffers);
    assert_eq!(format!("{state:?}"), format!("{:?}", simulator.truck_state()));
}
