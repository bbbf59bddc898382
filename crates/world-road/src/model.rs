//! Everything about a run on the road that does not change while it goes on.

use crate::driver::DriverModel;
use crate::lidar_rows::LidarRows;
use crate::streams::Outputs;
use car_sim::{CarModel, Instrument, SegmentMap, Start};
use sim_world::Stream;

/// Length of an integration step of a car, ns.
pub const SUBSTEP_NS: u64 = 1_000_000;
/// Integration steps, which are the ticks of sensors, in a second.
pub const TICKS_PER_S: u32 = 1000;

/// What may be mounted on a car. The number is part of the address of a sensor's draws: append, never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum SensorKind {
    /// A scan.
    Lidar = 0,
    /// Turn rates.
    Gyro = 1,
    /// Specific force.
    Accelerometer = 2,
    /// Speed from the wheels.
    Speed = 3,
    /// Turn rate from the wheels.
    YawRate = 4,
    /// Place.
    Position = 5,
}

/// A sensor of a car.
#[derive(Clone, Debug)]
pub struct SensorSetup {
    /// What it is. A car has at most one of a kind.
    pub kind: SensorKind,
    /// What it measures, when, and how badly.
    pub instrument: Instrument,
}

/// A car of the road.
#[derive(Clone, Debug)]
pub struct CarSetup {
    /// What car it is.
    pub model: CarModel,
    /// Where it starts.
    pub start: Start,
    /// What it carries.
    pub sensors: Vec<SensorSetup>,
    /// Who drives it.
    pub driver: DriverModel,
}

impl CarSetup {
    /// Place of the sensor of a kind in its list.
    #[must_use]
    pub fn sensor(&self, kind: SensorKind) -> Option<usize> {
        self.sensors.iter().position(|sensor| sensor.kind == kind)
    }

    /// Values of a scan; 0 without a lidar.
    #[must_use]
    pub fn rays(&self) -> usize {
        self.sensor(SensorKind::Lidar).map_or(0, |at| self.sensors[at].instrument.channels())
    }
}

/// Corners of walls in m: lines in one list or rings in one of the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapOutlines {
    /// Thin walls.
    pub walls_m: Vec<Vec<[f64; 2]>>,
    /// Rings round floors; rings on a floor are solid things.
    pub floor_m: Vec<Vec<[f64; 2]>>,
    /// Rings round solid things; rings in them are hollows.
    pub solid_m: Vec<Vec<[f64; 2]>>,
}

/// The model of the road.
#[derive(Clone, Debug)]
pub struct RoadModel {
    /// Name of the scenario.
    pub name: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// Steps of a run.
    pub steps: u64,
    /// Steps a second; divides [`TICKS_PER_S`].
    pub step_hz: u32,
    /// Steps between two rows of `cars.csv`, as the scenario asks for it.
    pub trace_every: u64,
    /// How scans are written.
    pub lidar_rows: LidarRows,
    /// The walls.
    pub map: SegmentMap,
    /// The walls as they were given, for those who draw them.
    pub outlines: MapOutlines,
    /// The cars.
    pub cars: Vec<CarSetup>,
    /// The streams that its runs yield.
    pub(crate) outputs: Outputs,
    /// The streams that its runs take.
    pub(crate) inputs: Vec<Stream>,
}

/// Time that an integration step of a car takes, and a ray of a scan, s. Rough: a scan among thousands of walls takes longer.
const SUBSTEP_S: f64 = 0.5e-6;
const RAY_S: f64 = 20e-9;

impl RoadModel {
    /// Integration steps in a step.
    #[must_use]
    pub fn substeps(&self) -> u64 {
        u64::from(TICKS_PER_S / self.step_hz)
    }

    /// Most readings of a car's sensor in a run.
    pub(crate) fn readings(&self, car: &CarSetup, kind: SensorKind) -> u64 {
        car.sensor(kind).map_or(0, |at| {
            let period_ticks = car.sensors[at].instrument.sensor().params().period_ticks;
            self.steps.saturating_mul(self.substeps()) / period_ticks + 1
        })
    }

    /// Rough processor time of a run on a machine of 2024, s.
    pub(crate) fn cpu_s(&self) -> f64 {
        let substeps = (self.steps * self.substeps()) as f64;
        let of_car = |car: &CarSetup| {
            substeps * SUBSTEP_S + self.readings(car, SensorKind::Lidar) as f64 * car.rays() as f64 * RAY_S
        };
        self.cars.iter().map(of_car).sum()
    }
}
