//! The sensors that a car may carry: what each measures when nothing goes wrong. What does go wrong, and when it is measured, is
//! [`sim_core::sensing`], the same for all of them.

use crate::{Car, CarModel, Inertial, Lidar, LidarParams, Scanner, Scene};
use sim_core::sensing::{Address, Mount, MountParams, Sensor, SensorModel, SensorParams};
use sim_core::{DVec2, ParamError, Tick};

/// What is measured, and where on the car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstrumentKind {
    /// Ranges, m: one channel a ray.
    Lidar {
        /// Mount, field of view, range.
        params: LidarParams,
        /// Time that a scan takes, s, 0 to 10; ray 0 leaves first. With 0 all rays leave at once. Earlier poses are those of a car that
        /// has kept its steering angle and its acceleration.
        sweep_s: f64,
    },
    /// Turn rates about the sensor's three axes, rad/s.
    Gyro(MountParams),
    /// Specific force along the sensor's three axes, m/s^2.
    Accelerometer(MountParams),
    /// Speed of the base point from the wheels, m/s: one channel.
    Speed,
    /// Turn rate from the wheels, rad/s: one channel.
    YawRate,
    /// Place of an antenna in the world, m: two channels, x and y.
    Position {
        /// Where the antenna is on the car, m, at most 100 m away along each axis.
        antenna_in_base_m: DVec2,
    },
}

/// The same, checked and ready.
#[derive(Clone, Debug, PartialEq)]
enum Quantity {
    Lidar { lidar: Lidar, sweep_s: f64 },
    Gyro(Mount),
    Accelerometer(Mount),
    Speed,
    YawRate,
    Position(Mount),
}

/// A sensor of a car. Fixed for a run; its state is a [`Sensor`].
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    quantity: Quantity,
    sensor: SensorModel,
}

/// The truth that sensors look at.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// The car that carries them.
    pub car: &'a Car,
    /// What car it is.
    pub model: &'a CarModel,
    /// What there is to be seen.
    pub scene: Scene<'a>,
}

/// Buffers of a scan. They may be shared by all lidars and thrown away at any time.
#[derive(Clone, Debug, Default)]
pub struct ScanBuffers {
    scanner: Scanner,
    ranges_m: Vec<f64>,
}

impl Instrument {
    /// Checks the parameters. A tick of the sensor is a step of the car. The range of values that a lidar reports lies within its
    /// `range_min_m` to `range_max_m`, whatever noise adds: beyond it there is no return.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(kind: InstrumentKind, mut params: SensorParams, model: &CarModel) -> Result<Self, ParamError> {
        let quantity = match kind {
            InstrumentKind::Lidar { params: lidar, sweep_s } => {
                ParamError::check_range("sweep_s", sweep_s, 0.0, 10.0)?;
                params.errors.range = params.errors.range.narrowed(lidar.range_min_m, lidar.range_max_m);
                Quantity::Lidar { lidar: Lidar::new(lidar)?, sweep_s }
            }
            InstrumentKind::Gyro(mount) => Quantity::Gyro(Mount::new(mount)?),
            InstrumentKind::Accelerometer(mount) => Quantity::Accelerometer(Mount::new(mount)?),
            InstrumentKind::Speed => Quantity::Speed,
            InstrumentKind::YawRate => Quantity::YawRate,
            InstrumentKind::Position { antenna_in_base_m } => {
                let position_in_body_m = antenna_in_base_m.extend(0.0);
                Quantity::Position(Mount::new(MountParams { position_in_body_m, ..MountParams::default() })?)
            }
        };
        Ok(Self { quantity, sensor: SensorModel::new(params, model.step_s())? })
    }

    /// When it measures, and what goes wrong.
    #[must_use]
    pub fn sensor(&self) -> &SensorModel {
        &self.sensor
    }

    /// Mount, field of view and range of a lidar.
    #[must_use]
    pub fn lidar(&self) -> Option<&LidarParams> {
        match &self.quantity {
            Quantity::Lidar { lidar, .. } => Some(lidar.params()),
            _ => None,
        }
    }

    /// Values of a reading.
    #[must_use]
    pub fn channels(&self) -> usize {
        match &self.quantity {
            Quantity::Lidar { lidar, .. } => lidar.ray_count(),
            Quantity::Gyro(_) | Quantity::Accelerometer(_) => 3,
            Quantity::Speed | Quantity::YawRate => 1,
            Quantity::Position(_) => 2,
        }
    }

    /// Its state before the first measurement.
    #[must_use]
    pub fn start(&self) -> Sensor {
        Sensor::new(&self.sensor, self.channels())
    }

    /// One tick, to be called after each step of the car that carries it: measures and delivers what is due. True if a reading arrived.
    pub fn step(
        &self,
        sensor: &mut Sensor,
        address: Address,
        observed: &Observed<'_>,
        buffers: &mut ScanBuffers,
    ) -> bool {
        let tick = Tick(observed.car.steps());
        sensor.step(&self.sensor, address, tick, |values| self.measure_ideal(observed, buffers, values))
    }

    /// What it would read at this moment with all its errors but without its schedule, delay and loss: one value a channel. Depends on
    /// the moment, not on how often it is asked.
    #[must_use]
    pub fn read_now(&self, address: Address, observed: &Observed<'_>, buffers: &mut ScanBuffers) -> Vec<f64> {
        let mut values = vec![0.0; self.channels()];
        self.read_now_into(address, observed, buffers, &mut values);
        values
    }

    /// The same into `values`, one a channel. It allocates nothing once `buffers` have their size.
    pub fn read_now_into(
        &self,
        address: Address,
        observed: &Observed<'_>,
        buffers: &mut ScanBuffers,
        values: &mut [f64],
    ) {
        self.measure_ideal(observed, buffers, values);
        self.sensor.errors().apply(address, Tick(observed.car.steps()), values);
    }

    fn measure_ideal(&self, observed: &Observed<'_>, buffers: &mut ScanBuffers, values: &mut [f64]) {
        let &Observed { car, model, .. } = observed;
        let felt = |mount| Inertial::felt(model.ackermann(), car.motion(), mount);
        match &self.quantity {
            Quantity::Lidar { lidar, sweep_s } => {
                scan(lidar, *sweep_s, observed, buffers);
                values.copy_from_slice(&buffers.ranges_m);
            }
            Quantity::Gyro(mount) => values.copy_from_slice(&felt(mount).gyro_rad_s.to_array()),
            Quantity::Accelerometer(mount) => values.copy_from_slice(&felt(mount).accelerometer_m_s2.to_array()),
            Quantity::Speed => values[0] = car.base_twist(model).velocity_m_s,
            Quantity::YawRate => values[0] = car.base_twist(model).yaw_rate_rad_s(),
            Quantity::Position(mount) => {
                let antenna_in_base_m = mount.position_in_body_m().truncate();
                values.copy_from_slice(&car.base(model).point(antenna_in_base_m).to_array());
            }
        }
    }
}

fn scan(lidar: &Lidar, sweep_s: f64, observed: &Observed<'_>, buffers: &mut ScanBuffers) {
    let &Observed { car, model, scene } = observed;
    if sweep_s == 0.0 {
        lidar.scan(scene, car.base(model), &mut buffers.scanner, &mut buffers.ranges_m);
        return;
    }
    let base_at = |ray: usize| {
        let time_left_s = sweep_s * (1.0 - ray as f64 / lidar.ray_count() as f64);
        model.ackermann().base_of(car.motion().rear_before(model.ackermann(), time_left_s))
    };
    lidar.scan_in_motion(scene, base_at, &mut buffers.ranges_m);
}
