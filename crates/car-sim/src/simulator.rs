//! One car on one map: the engine with which programs drive a car step by step.

use crate::vehicle::DEFAULT_IMU_MOUNT;
use crate::{
    Car, CarModel, CarParams, CarReport, Command, Instrument, InstrumentKind, LidarParams, Observed, Pose, ScanBuffers,
    Scene, SegmentMap, Start, Status, Traffic,
};
use sim_core::sensing::{Address, ErrorParams, MountParams, SensorParams};
use sim_core::{DVec3, ParamError, RunKey, StateHash};

/// All parameters of the engine. The default is the car of the car facts, with perfect sensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatorParams {
    /// The car.
    pub car: CarParams,
    /// Its lidar.
    pub lidar: LidarParams,
    /// What is wrong with each range, m.
    pub lidar_errors: ErrorParams,
    /// Where its IMU is.
    pub imu_mount: MountParams,
    /// What is wrong with each turn rate, rad/s.
    pub gyro_errors: ErrorParams,
    /// What is wrong with each acceleration, m/s^2.
    pub accelerometer_errors: ErrorParams,
    /// Seed of all draws.
    pub seed: u64,
}

impl Default for SimulatorParams {
    fn default() -> Self {
        Self {
            car: CarParams::default(),
            lidar: LidarParams::default(),
            lidar_errors: ErrorParams::default(),
            imu_mount: DEFAULT_IMU_MOUNT,
            gyro_errors: ErrorParams::default(),
            accelerometer_errors: ErrorParams::default(),
            seed: 0,
        }
    }
}

/// The car and what its sensors read, at one moment. SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct TruckState {
    /// Time, status, pose, twist, steering, wheels and motor.
    pub car: CarReport,
    /// One range a ray, m: +infinity where there was no return, -infinity for what is too near.
    pub lidar_ranges_m: Vec<f64>,
    /// Turn rates in the IMU's axes.
    pub gyro_rad_s: DVec3,
    /// Specific force in the IMU's axes.
    pub accelerometer_m_s2: DVec3,
}

/// The same without the scan: a plain value that costs no rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TruckMotion {
    /// Time, status, pose, twist, steering, wheels and motor.
    pub car: CarReport,
    /// Turn rates in the IMU's axes.
    pub gyro_rad_s: DVec3,
    /// Specific force in the IMU's axes.
    pub accelerometer_m_s2: DVec3,
}

/// Numbers of the sensors in the addresses of their draws.
const LIDAR: u32 = 0;
const GYRO: u32 = 1;
const ACCELEROMETER: u32 = 2;

/// Longest time that can be asked for in one call, s.
const MAX_ADVANCE_S: f64 = 1e6;

/// One car on one map.
///
/// A call that fails leaves everything as it was.
///
/// ```
/// use car_sim::{Segment, SegmentMap, Simulator, SimulatorParams, Status};
/// use sim_core::DVec2;
///
/// let mut simulator = Simulator::new(SimulatorParams::default())?;
/// simulator.reset_map(SegmentMap::from_segments(&[Segment::new(DVec2::new(2.0, -1.0), DVec2::new(2.0, 1.0))])?);
/// simulator.set_base_control(0.8, 0.0)?;
/// simulator.advance(1.0)?;
/// let state = simulator.truck_state();
/// assert!((state.car.base.position_m.x - 0.48).abs() < 1e-12);
/// assert!((state.lidar_ranges_m[0] - 1.52).abs() < 1e-12);
/// simulator.advance(5.0)?;
/// // It hit the wall, and its clock stands.
/// let state = simulator.truck_state();
/// assert_eq!((state.car.status, state.car.time_ns), (Status::Collision, 2_585_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulator {
    model: CarModel,
    lidar: Instrument,
    gyro: Instrument,
    accelerometer: Instrument,
    key: RunKey,
    map: SegmentMap,
    no_traffic: Traffic,
    car: Car,
    /// Time that was asked for and is too short for a step, ns.
    carried_ns: u64,
}

impl Simulator {
    /// A car at rest at the origin of an empty map.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn new(params: SimulatorParams) -> Result<Self, ParamError> {
        let model = CarModel::new(params.car)?;
        let instrument =
            |kind, errors| Instrument::new(kind, SensorParams { errors, ..SensorParams::default() }, &model);
        Ok(Self {
            lidar: instrument(InstrumentKind::Lidar { params: params.lidar, sweep_s: 0.0 }, params.lidar_errors)?,
            gyro: instrument(InstrumentKind::Gyro(params.imu_mount), params.gyro_errors)?,
            accelerometer: instrument(InstrumentKind::Accelerometer(params.imu_mount), params.accelerometer_errors)?,
            key: RunKey { seed: params.seed, run_index: 0 },
            map: SegmentMap::empty(),
            no_traffic: Traffic::new(),
            car: Car::new(&model),
            carried_ns: 0,
            model,
        })
    }

    /// Places the base point, with the middle steering angle and the base point's speed. Clock, command and draws start again; a collision
    /// is looked for at once.
    ///
    /// # Errors
    /// If a number is not finite or beyond the car's limits.
    pub fn reset_base(&mut self, base: Pose, middle_steering_rad: f64, velocity_m_s: f64) -> Result<(), ParamError> {
        let start = Start { base, steering_rad: middle_steering_rad, velocity_m_s };
        self.car.reset(&self.model, &self.map, &start)?;
        self.carried_ns = 0;
        Ok(())
    }

    /// Replaces the map. The car stays as it is, but for a collision, which is forgotten and looked for on the new map. A file that is
    /// no map never gets here: reading it is what fails.
    pub fn reset_map(&mut self, map: SegmentMap) {
        self.map = map;
        self.car.change_map(&self.model, &self.map);
    }

    /// Takes all obstacles away. The car stays as it is, but for a collision, which is forgotten.
    pub fn erase_map(&mut self) {
        self.reset_map(SegmentMap::empty());
    }

    /// Asks for a speed and a curvature of the base point, within the car's limits, from the next step on.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_base_control(&mut self, velocity_m_s: f64, curvature_1_m: f64) -> Result<(), ParamError> {
        self.car.set_command(&self.model, &Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None })
    }

    /// The same, with gains and losses of speed no larger than `acceleration_m_s2`.
    ///
    /// # Errors
    /// If a number is not finite or the acceleration is negative.
    pub fn set_base_control_with_acceleration(
        &mut self,
        velocity_m_s: f64,
        acceleration_m_s2: f64,
        curvature_1_m: f64,
    ) -> Result<(), ParamError> {
        let acceleration_m_s2 = Some(acceleration_m_s2);
        self.car.set_command(&self.model, &Command { velocity_m_s, curvature_1_m, acceleration_m_s2 })
    }

    /// Goes on by a time, which counts in whole nanoseconds, in whole steps: what is left of it is carried to the next call. After a
    /// collision nothing moves and the clock stands until a reset.
    ///
    /// # Errors
    /// If the time is not 0 to 1e6 s.
    pub fn advance(&mut self, seconds: f64) -> Result<(), ParamError> {
        ParamError::check_range("seconds", seconds, 0.0, MAX_ADVANCE_S)?;
        let step_ns = self.model.params().step_ns;
        self.carried_ns += (seconds * 1e9).round() as u64;
        while self.carried_ns >= step_ns && self.car.status() == Status::InProgress {
            self.carried_ns -= step_ns;
            self.car.step(&self.model, &self.map);
        }
        if self.car.status() == Status::Collision {
            self.carried_ns = 0;
        }
        Ok(())
    }

    /// Everything there is to know at this moment. Asking changes nothing: errors of sensors belong to the moment.
    #[must_use]
    pub fn truck_state(&self) -> TruckState {
        let TruckMotion { car, gyro_rad_s, accelerometer_m_s2 } = self.truck_motion();
        let mut state = TruckState { car, lidar_ranges_m: Vec::new(), gyro_rad_s, accelerometer_m_s2 };
        self.scan(&mut state.lidar_ranges_m, &mut ScanBuffers::default());
        state
    }

    /// Writes everything there is to know at this moment into `state`. It allocates nothing once `state` and `buffers` have their size.
    pub fn read_truck_state(&self, state: &mut TruckState, buffers: &mut ScanBuffers) {
        let TruckMotion { car, gyro_rad_s, accelerometer_m_s2 } = self.truck_motion();
        (state.car, state.gyro_rad_s, state.accelerometer_m_s2) = (car, gyro_rad_s, accelerometer_m_s2);
        self.scan(&mut state.lidar_ranges_m, buffers);
    }

    /// What there is to know at this moment without the lidar. It allocates nothing.
    #[must_use]
    pub fn truck_motion(&self) -> TruckMotion {
        let read = |instrument: &Instrument, number| {
            let mut values = [0.0; 3];
            let address = Address::new(self.key, 0, number);
            instrument.read_now_into(address, &self.observed(), &mut ScanBuffers::default(), &mut values);
            DVec3::from_array(values)
        };
        TruckMotion {
            car: self.car.report(&self.model),
            gyro_rad_s: read(&self.gyro, GYRO),
            accelerometer_m_s2: read(&self.accelerometer, ACCELEROMETER),
        }
    }

    fn scan(&self, ranges_m: &mut Vec<f64>, buffers: &mut ScanBuffers) {
        ranges_m.resize(self.lidar.channels(), 0.0);
        let address = Address::new(self.key, 0, LIDAR);
        self.lidar.read_now_into(address, &self.observed(), buffers, ranges_m);
    }

    fn observed(&self) -> Observed<'_> {
        let scene = Scene { map: &self.map, traffic: &self.no_traffic, own_car: None };
        Observed { car: &self.car, model: &self.model, scene }
    }

    /// What car it is.
    #[must_use]
    pub fn model(&self) -> &CarModel {
        &self.model
    }

    /// The obstacles.
    #[must_use]
    pub fn map(&self) -> &SegmentMap {
        &self.map
    }

    /// The car.
    #[must_use]
    pub fn car(&self) -> &Car {
        &self.car
    }

    /// Puts the state into `hash`. The map is not part of it.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.car.hash_into(hash);
        hash.u64(self.carried_ns);
    }
}
