//! The sensors that a vehicle may carry: what each measures when nothing goes wrong. What does go wrong, and when it is measured, is
//! [`sim_core::sensing`], the same for all of them.
//!
//! Model, sources and limits: `docs/models/sea-sensors.md`.

mod battery;
mod dvl;
mod inertial;
mod presets;

pub use battery::Battery;
pub use dvl::{BEAMS, Dvl, DvlParams, Track};
pub use inertial::{heading_rad, specific_force_m_s2};
pub use presets::{DvlDevice, InertialErrors, dvl, inertial};

use crate::attitude::RollPitchYaw;
use crate::check;
use crate::pose::{Pose, Twist, halves};
use crate::sea::Sea;
use crate::terrain::{Ray, Terrain};
use sim_core::sensing::{Address, Mount, MountParams, Sensor, SensorModel, SensorParams};
use sim_core::{DVec3, ParamError, Tick};

/// Pressure of the air at the surface, Pa.
pub const ATMOSPHERE_PA: f64 = 101_325.0;

/// What is measured, and where on the vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstrumentKind {
    /// Absolute pressure, Pa: one channel.
    Pressure {
        /// Where the gauge is on the vehicle, m.
        position_in_body_m: DVec3,
        /// Pressure that it reads in air, Pa: [`ATMOSPHERE_PA`], or 0 for a gauge that reads the water alone. 0 to 200 000.
        in_air_pa: f64,
    },
    /// Turn rates about the sensor's three axes, rad/s.
    Gyro(MountParams),
    /// Specific force along the sensor's three axes, m/s^2: what a mass on a spring feels, 9.81 upwards at rest.
    Accelerometer(MountParams),
    /// Roll, pitch and yaw of the vehicle, rad: three channels. Roll and pitch lift the left side and lower the nose; yaw is counted from
    /// east towards north.
    Attitude,
    /// Heading, rad clockwise from the world's north, in (-pi, pi] before errors: one channel.
    Compass,
    /// Distances along the beams of a Doppler velocity log, m: one channel a beam, infinite where nothing comes back.
    DvlRanges(DvlParams),
    /// Speeds along the same beams, m/s.
    DvlVelocities(DvlParams),
    /// Place of an antenna in the world, m: three channels. No reading while it is under water.
    Gnss {
        /// Where the antenna is on the vehicle, m.
        antenna_in_body_m: DVec3,
    },
    /// Height above the bottom in a direction of the world, m: the sensor's height less that of the place hit; of the still water if none
    /// is.
    Depth {
        /// Where the sensor is on the vehicle, m.
        position_in_body_m: DVec3,
        /// Direction in the world, of any length but 0.
        direction: DVec3,
        /// How far it sees, m, 0 to 12 000.
        reach_m: f64,
    },
    /// Distance to a beacon, m; infinite from `reach_m` on: one channel.
    Range {
        /// Where the receiver is on the vehicle, m.
        position_in_body_m: DVec3,
        /// Which of the beacons.
        beacon: usize,
        /// Distance at which it hears nothing any more, m, 0 to 1e6.
        reach_m: f64,
    },
    /// Voltage of a battery, V: one channel.
    Battery(Battery),
    /// 1 with water inside the vehicle, else 0, and how many measurements found some: two channels.
    Leak,
}

/// The same, checked and ready.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    Pressure { at_m: DVec3, in_air_pa: f64 },
    Gyro(Mount),
    Accelerometer(Mount),
    Attitude,
    Compass,
    DvlRanges(Dvl),
    DvlVelocities(Dvl),
    Gnss { at_m: DVec3 },
    Depth { at_m: DVec3, direction: DVec3, reach_m: f64 },
    Range { at_m: DVec3, beacon: usize, reach_m: f64 },
    Battery(Battery),
    Leak,
}

/// A sensor of a vehicle. Fixed for a run; its state is a [`Sensor`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instrument {
    quantity: Quantity,
    sensor: SensorModel,
}

/// The truth that sensors look at.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// Pose of the vehicle.
    pub pose: Pose,
    /// Velocity of its origin and turn rate, along and about its axes, m/s and rad/s.
    pub velocity: Twist,
    /// Rates of change of those six numbers, m/s^2 and rad/s^2.
    pub acceleration: Twist,
    /// The water.
    pub sea: Sea<'a>,
    /// The bottom, if there is one.
    pub terrain: Option<&'a Terrain>,
    /// Places of beacons, m.
    pub beacons_m: &'a [DVec3],
    /// Whether there is water inside the vehicle.
    pub is_leaking: bool,
    /// Measurements of its leak detector that found water, this one included.
    pub leaks_found: u64,
    /// Time, s.
    pub time_s: f64,
}

impl Observed<'_> {
    /// Velocity of a point of the vehicle along its axes, m/s.
    #[must_use]
    pub fn velocity_at_m_s(&self, in_body_m: DVec3) -> DVec3 {
        let (velocity, rate) = halves(&self.velocity);
        velocity + rate.cross(in_body_m)
    }
}

impl Instrument {
    /// Checks the parameters. A tick of the sensor is `step_s` long.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(kind: InstrumentKind, params: SensorParams, step_s: f64) -> Result<Self, ParamError> {
        Ok(Self { quantity: Quantity::new(kind)?, sensor: SensorModel::new(params, step_s)? })
    }

    /// When it measures, and what goes wrong.
    #[must_use]
    pub fn sensor(&self) -> &SensorModel {
        &self.sensor
    }

    /// Values of a reading.
    #[must_use]
    pub fn channels(&self) -> usize {
        match self.quantity {
            Quantity::Gyro(_) | Quantity::Accelerometer(_) | Quantity::Attitude | Quantity::Gnss { .. } => 3,
            Quantity::DvlRanges(_) | Quantity::DvlVelocities(_) => BEAMS,
            Quantity::Leak => 2,
            Quantity::Pressure { .. } | Quantity::Compass | Quantity::Battery(_) => 1,
            Quantity::Depth { .. } | Quantity::Range { .. } => 1,
        }
    }

    /// Its state before the first measurement.
    #[must_use]
    pub fn start(&self) -> Sensor {
        Sensor::new(&self.sensor, self.channels())
    }

    /// One tick, to be called after each step of the vehicle that carries it: measures and delivers what is due. True if a reading arrived.
    pub fn step(&self, sensor: &mut Sensor, address: Address, tick: Tick, observed: &Observed<'_>) -> bool {
        sensor.step_if(&self.sensor, address, tick, |values| self.measure_ideal(observed, values))
    }

    /// What it would read at this moment without any error, one value a channel. False, with no values, where there is nothing to read: an
    /// antenna under water.
    pub fn measure_ideal(&self, observed: &Observed<'_>, values: &mut [f64]) -> bool {
        let pose = &observed.pose;
        match self.quantity {
            Quantity::Pressure { at_m, in_air_pa } => {
                values[0] = in_air_pa + observed.sea.water.pressure_pa(pose.point_m(at_m), observed.time_s);
            }
            Quantity::Gyro(mount) => set(values, mount.in_sensor_axes(halves(&observed.velocity).1)),
            Quantity::Accelerometer(mount) => set(values, inertial::felt(observed, &mount)),
            Quantity::Attitude => {
                let angles = RollPitchYaw::from_quat(pose.world_from_body);
                values.copy_from_slice(&[angles.roll_rad, angles.pitch_rad, angles.yaw_rad]);
            }
            Quantity::Compass => values[0] = heading_rad(pose),
            Quantity::DvlRanges(dvl) => dvl.measure(observed, values, &mut [0.0; BEAMS]),
            Quantity::DvlVelocities(dvl) => dvl.measure(observed, &mut [0.0; BEAMS], values),
            Quantity::Gnss { at_m } => {
                let place_m = pose.point_m(at_m);
                set(values, place_m);
                return place_m.z > observed.sea.water.surface_near_m(place_m, 0.0, observed.time_s);
            }
            Quantity::Depth { at_m, direction, reach_m } => {
                let place_m = pose.point_m(at_m);
                let hit = Ray::new(place_m, direction, reach_m).ok().and_then(|ray| observed.terrain?.cast(&ray));
                values[0] = place_m.z - hit.map_or(observed.sea.water.level_m(), |hit| hit.position_m.z);
            }
            Quantity::Range { at_m, beacon, reach_m } => {
                let distance = |&place_m: &DVec3| pose.point_m(at_m).distance(place_m);
                let heard = observed.beacons_m.get(beacon).map(distance).filter(|&distance_m| distance_m < reach_m);
                values[0] = heard.unwrap_or(f64::INFINITY);
            }
            Quantity::Leak => {
                values.copy_from_slice(&[f64::from(u8::from(observed.is_leaking)), observed.leaks_found as f64]);
            }
            Quantity::Battery(battery) => values[0] = battery.voltage_v(battery.charge_percent(observed.time_s)),
        }
        true
    }
}

impl Quantity {
    fn new(kind: InstrumentKind) -> Result<Self, ParamError> {
        let place = |position_in_body_m: DVec3| -> Result<DVec3, ParamError> {
            Ok(Mount::new(MountParams { position_in_body_m, ..MountParams::default() })?.position_in_body_m())
        };
        Ok(match kind {
            InstrumentKind::Pressure { position_in_body_m, in_air_pa } => {
                ParamError::check_range("in_air_pa", in_air_pa, 0.0, 200_000.0)?;
                Self::Pressure { at_m: place(position_in_body_m)?, in_air_pa }
            }
            InstrumentKind::Gyro(mount) => Self::Gyro(Mount::new(mount)?),
            InstrumentKind::Accelerometer(mount) => Self::Accelerometer(Mount::new(mount)?),
            InstrumentKind::Attitude => Self::Attitude,
            InstrumentKind::Compass => Self::Compass,
            InstrumentKind::DvlRanges(params) => Self::DvlRanges(Dvl::new(params)?),
            InstrumentKind::DvlVelocities(params) => Self::DvlVelocities(Dvl::new(params)?),
            InstrumentKind::Gnss { antenna_in_body_m } => Self::Gnss { at_m: place(antenna_in_body_m)? },
            InstrumentKind::Depth { position_in_body_m, direction, reach_m } => {
                check::direction("direction", direction.to_array())?;
                ParamError::check_range("reach_m", reach_m, 0.0, 12_000.0)?;
                Self::Depth { at_m: place(position_in_body_m)?, direction, reach_m }
            }
            InstrumentKind::Range { position_in_body_m, beacon, reach_m } => {
                ParamError::check_range("reach_m", reach_m, 0.0, 1e6)?;
                Self::Range { at_m: place(position_in_body_m)?, beacon, reach_m }
            }
            InstrumentKind::Battery(battery) => Self::Battery(battery.checked()?),
            InstrumentKind::Leak => Self::Leak,
        })
    }
}

fn set(values: &mut [f64], vector: DVec3) {
    values.copy_from_slice(&vector.to_array());
}
