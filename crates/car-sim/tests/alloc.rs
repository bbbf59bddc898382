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
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::f64::consts::TAU;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// A thread that is about to end has no counter any more, and is not watched.
fn count() {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

#[expect(unsafe_code, reason = "an allocator can be counted in no other way; every call goes on to the system's")]
// SAFETY: each method passes its arguments unchanged to the system allocator, whose contract is the trait's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

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

/// What a program reads in every step: the whole state into buffers of its own, or all of it but the lidar.
#[test]
fn a_state_is_read_without_allocating() {
    let errors = ErrorParams { noise_std: 0.01, walk_std_per_sqrt_s: 0.001, ..ErrorParams::default() };
    let params = SimulatorParams { lidar_errors: errors, gyro_errors: errors, ..SimulatorParams::default() };
    let mut simulator = Simulator::new(params).unwrap();
    simulator.reset_map(room());
    simulator.set_base_control(0.5, 0.8).unwrap();
    let (mut state, mut buffers) = (simulator.truck_state(), ScanBuffers::default());
    simulator.read_truck_state(&mut state, &mut buffers);
    for _ in 0..50 {
        simulator.advance(0.01).unwrap();
        let (mut motion, fresh) = (simulator.truck_motion(), simulator.truck_state());
        let allocations = allocations_of(|| {
            simulator.read_truck_state(&mut state, &mut buffers);
            motion = simulator.truck_motion();
        });
        assert_eq!(allocations, 0);
        assert_eq!(state, fresh);
        assert_eq!(
            (motion.car, motion.gyro_rad_s, motion.accelerometer_m_s2),
            (fresh.car, fresh.gyro_rad_s, fresh.accelerometer_m_s2)
        );
    }
}
