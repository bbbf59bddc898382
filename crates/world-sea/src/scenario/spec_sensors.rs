//! The section `sensors` of a vehicle: what it carries. All sensors share one block, [`SensingSpec`].

use super::spec_acoustics::ModemSpec;
use super::spec_scanners::{DepthCameraSpec, LidarSpec};
use super::spec_sonar::{ImagingSpec, MultibeamSpec, SingleBeamSpec};
use schemars::JsonSchema;
use sea_sim::sensor::{ATMOSPHERE_PA, Battery, DvlParams};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Map;
use sim_core::sensing::MountParams;
use sim_world::sensing::SensingSpec;

/// Time from one measurement to the next unless it is given: of inertial units, ms.
const IMU_MS: u64 = 20;
/// The same of gauges and compasses.
const FAST_MS: u64 = 100;
/// The same of logs and echo sounders.
pub(super) const PING_MS: u64 = 200;
/// The same of receivers and batteries.
const SLOW_MS: u64 = 1000;

/// The same of lidars.
pub(super) const SCAN_MS: u64 = 100;

/// Most lidars, and most depth cameras, of a vehicle.
const SCANNERS_MAX: usize = 8;
/// Most sonars of a kind of a vehicle.
const SONARS_MAX: usize = 8;

/// What a vehicle carries; `null`: not that.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SensorsSpec {
    /// An inertial unit: turn rates, specific force and attitude.
    pub imu: Option<ImuSpec>,
    /// A pressure gauge.
    pub pressure: Option<PressureSpec>,
    /// A receiver of satellites. It works while its antenna is above the water.
    pub gnss: Option<GnssSpec>,
    /// A compass: heading, clockwise from north.
    pub compass: Option<CompassSpec>,
    /// A battery.
    pub battery: Option<BatterySpec>,
    /// A Doppler velocity log: velocity over the bottom or through the water.
    pub dvl: Option<DvlSpec>,
    /// An echo sounder in a direction of the world: height above what it hits.
    pub altimeter: Option<AltimeterSpec>,
    /// A receiver of the scenario's beacons: the distance to each.
    pub range: Option<RangeSpec>,
    /// A leak detector: whether the script has let water in.
    pub leak: Option<LeakSpec>,
    /// Multibeam sonars: distances to the bottom along beams side by side.
    #[schemars(length(min = 1, max = SONARS_MAX))]
    pub mbes: Option<Vec<MultibeamSpec>>,
    /// Echo sounders with one beam: the least distance to the bottom.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = SONARS_MAX))]
    pub single_beam: Option<Vec<SingleBeamSpec>>,
    /// Side scans: levels over distance to port and to starboard. The table of each is `sidescan-VEHICLE-NAME.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = SONARS_MAX))]
    pub sss: Option<Vec<ImagingSpec>>,
    /// Sonars that look forward: levels over distance along beams side by side. The table of each is `fls-VEHICLE-NAME.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = SONARS_MAX))]
    pub fls: Option<Vec<ImagingSpec>>,
    /// Sonars with one beam that turns from ping to ping. The table of each is `msis-VEHICLE-NAME.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = SONARS_MAX))]
    pub msis: Option<Vec<ImagingSpec>>,
    /// Lidars: distances to what is in air.
    #[schemars(length(min = 1, max = SCANNERS_MAX))]
    pub lidar: Option<Vec<LidarSpec>>,
    /// Depth cameras: distances and what is there, pixel by pixel.
    #[schemars(length(min = 1, max = SCANNERS_MAX))]
    pub depth_camera: Option<Vec<DepthCameraSpec>>,
    /// An acoustic modem.
    pub modem: Option<ModemSpec>,
}

/// Place and axes of a sensor in the vehicle's axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MountSpec {
    /// Place: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub position_m: [f64; 3],
    /// The rotation from the sensor's axes to the vehicle's, as a quaternion [x, y, z, w] of length 1.
    #[schemars(inner(range(min = -1.01, max = 1.01)))]
    pub orientation_xyzw: [f64; 4],
}

impl Default for MountSpec {
    fn default() -> Self {
        let MountParams { position_in_body_m, body_from_sensor_xyzw } = MountParams::default();
        Self { position_m: position_in_body_m.into(), orientation_xyzw: body_from_sensor_xyzw }
    }
}

/// Inertial units that came along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImuDevice {
    /// Without any error but those of the keys.
    Perfect,
    /// Analog Devices ADIS16448.
    Adis16448,
    /// Sparton AHRS-M2.
    SpartonM2,
}

/// An inertial unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ImuSpec {
    /// A device with errors of its own: those of `gyro` and `accelerometer` are then left out.
    pub device: ImuDevice,
    /// Where it is on the vehicle and which way its axes point.
    pub mount: MountSpec,
    /// When turn rates are measured and what goes wrong, in rad/s.
    #[serde(deserialize_with = "block::<IMU_MS, _>")]
    pub gyro: SensingSpec,
    /// When specific forces are measured and what goes wrong, in m/s².
    #[serde(deserialize_with = "block::<IMU_MS, _>")]
    pub accelerometer: SensingSpec,
    /// When the attitude is measured and what goes wrong, in rad.
    #[serde(deserialize_with = "block::<IMU_MS, _>")]
    pub attitude: SensingSpec,
}

impl Default for ImuSpec {
    fn default() -> Self {
        let sensing = every_ms(IMU_MS);
        Self {
            device: ImuDevice::Perfect,
            mount: MountSpec::default(),
            gyro: sensing,
            accelerometer: sensing,
            attitude: sensing,
        }
    }
}

/// A pressure gauge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PressureSpec {
    /// Where it is on the vehicle: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub position_m: [f64; 3],
    /// What it reads in air: 101325, or 0 for a gauge that reads the water alone.
    #[schemars(range(min = 0, max = 200_000))]
    pub in_air_pa: f64,
    /// When it measures and what goes wrong, in Pa.
    #[serde(deserialize_with = "block::<FAST_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for PressureSpec {
    fn default() -> Self {
        Self { position_m: [0.0; 3], in_air_pa: ATMOSPHERE_PA, sensing: every_ms(FAST_MS) }
    }
}

/// A receiver of satellites.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GnssSpec {
    /// Where its antenna is on the vehicle: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub antenna_m: [f64; 3],
    /// When it measures and what goes wrong, in m.
    #[serde(deserialize_with = "block::<SLOW_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for GnssSpec {
    fn default() -> Self {
        Self { antenna_m: [0.0, 0.0, 0.1], sensing: every_ms(SLOW_MS) }
    }
}

/// A compass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CompassSpec {
    /// When it measures and what goes wrong, in rad.
    #[serde(deserialize_with = "block::<FAST_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for CompassSpec {
    fn default() -> Self {
        Self { sensing: every_ms(FAST_MS) }
    }
}

/// A battery that loses charge evenly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BatterySpec {
    /// Charge at the start.
    #[schemars(range(min = 0, max = 100))]
    pub start_percent: f64,
    /// Charge lost a minute, percent.
    #[schemars(range(min = 0, max = 100))]
    pub drain_per_min: f64,
    /// Voltage when empty and when full.
    #[schemars(inner(range(min = 0, max = 1000)))]
    pub voltages_v: [f64; 2],
    /// When it is measured and what goes wrong, in V.
    #[serde(deserialize_with = "block::<SLOW_MS, _>")]
    pub sensing: SensingSpec,
}

impl BatterySpec {
    /// The battery itself.
    pub(super) fn battery(&self) -> Battery {
        Battery {
            start_percent: self.start_percent,
            drain_percent_per_min: self.drain_per_min,
            voltages_v: self.voltages_v,
        }
    }
}

impl Default for BatterySpec {
    fn default() -> Self {
        let Battery { start_percent, drain_percent_per_min, voltages_v } = Battery::default();
        Self { start_percent, drain_per_min: drain_percent_per_min, voltages_v, sensing: every_ms(SLOW_MS) }
    }
}

/// Velocity logs that came along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DvlDeviceName {
    /// Without any error but those of the keys.
    Perfect,
    /// Teledyne RDI Pathfinder 600.
    Pathfinder,
}

/// A Doppler velocity log with four slanted beams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DvlSpec {
    /// A device with geometry and errors of its own: other keys but `mount`, times and `water_layer_m` are then left out, and the layer of
    /// `pathfinder` is [20, 60].
    pub device: DvlDeviceName,
    /// Where it is on the vehicle; beams leave around its minus z.
    pub mount: MountSpec,
    /// Angle between a beam and its minus z.
    #[schemars(range(min = 3, max = 68))]
    pub beam_angle_deg: f64,
    /// Directions of the four beams about its z, from x towards y.
    #[schemars(length(min = 4, max = 4), inner(range(min = -360, max = 360)))]
    pub azimuths_deg: Vec<f64>,
    /// Distances along a beam between which it comes back.
    #[schemars(inner(range(min = 0, max = 12_000)))]
    pub range_m: [f64; 2],
    /// It measures against the water of a layer, between these distances below it; `null`: against the bottom.
    #[schemars(inner(range(min = 0, max = 12_000)))]
    pub water_layer_m: Option<[f64; 2]>,
    /// When distances are measured and what goes wrong, in m.
    #[serde(deserialize_with = "block::<PING_MS, _>")]
    pub ranges: SensingSpec,
    /// When speeds along beams are measured and what goes wrong, in m/s.
    #[serde(deserialize_with = "block::<PING_MS, _>")]
    pub velocities: SensingSpec,
}

impl Default for DvlSpec {
    fn default() -> Self {
        let DvlParams { beam_angle_rad, azimuths_rad, range_m, .. } = DvlParams::default();
        Self {
            device: DvlDeviceName::Perfect,
            mount: MountSpec::default(),
            beam_angle_deg: beam_angle_rad.to_degrees(),
            azimuths_deg: azimuths_rad.map(f64::to_degrees).to_vec(),
            range_m,
            water_layer_m: None,
            ranges: every_ms(PING_MS),
            velocities: every_ms(PING_MS),
        }
    }
}

/// An echo sounder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AltimeterSpec {
    /// Where it is on the vehicle: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub position_m: [f64; 3],
    /// Direction in the world, of any length but 0.
    #[schemars(inner(range(min = -1000, max = 1000)))]
    pub direction: [f64; 3],
    /// How far it sees.
    #[schemars(range(min = 0, max = 12_000))]
    pub reach_m: f64,
    /// When it measures and what goes wrong, in m.
    #[serde(deserialize_with = "block::<PING_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for AltimeterSpec {
    fn default() -> Self {
        Self { position_m: [0.0; 3], direction: [0.0, 0.0, -1.0], reach_m: 200.0, sensing: every_ms(PING_MS) }
    }
}

/// A receiver of beacons.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RangeSpec {
    /// Where it is on the vehicle: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub position_m: [f64; 3],
    /// Distance at which it hears nothing any more.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub reach_m: f64,
    /// When it measures and what goes wrong, in m.
    #[serde(deserialize_with = "block::<SLOW_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for RangeSpec {
    fn default() -> Self {
        Self { position_m: [0.0; 3], reach_m: 1000.0, sensing: every_ms(SLOW_MS) }
    }
}

/// A leak detector. It makes no errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LeakSpec {
    /// Time from one measurement to the next, whole ms.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every_ms: u64,
}

impl Default for LeakSpec {
    /// About seven times a second, as on SAM: seven steps of 20 ms.
    fn default() -> Self {
        Self { every_ms: 140 }
    }
}

pub(super) fn every_ms(every_ms: u64) -> SensingSpec {
    SensingSpec { every_ms, ..SensingSpec::default() }
}

/// Reads a block whose `every_ms` is that of its sensor unless it is given.
pub(super) fn block<'de, const EVERY_MS: u64, D: Deserializer<'de>>(reader: D) -> Result<SensingSpec, D::Error> {
    let mut keys = Map::deserialize(reader)?;
    keys.entry("every_ms").or_insert_with(|| EVERY_MS.into());
    serde_json::from_value(keys.into()).map_err(D::Error::custom)
}
