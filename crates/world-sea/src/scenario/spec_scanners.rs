//! Lidars and depth cameras among the sensors of a vehicle.

use super::spec_sensors::{MountSpec, SCAN_MS, block};
use schemars::JsonSchema;
use sea_echo::scan::MAX_SCAN_RAYS;
use serde::{Deserialize, Serialize};
use sim_input::schema::NAME_PATTERN;
use sim_world::sensing::SensingSpec;

/// Lidars by their patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LidarDevice {
    /// Velodyne VLP-16: 16 channels from -15 to 15 degrees.
    #[serde(rename = "vlp_16")]
    Vlp16,
    /// Velodyne HDL-32E: 32 channels from -30.67 to 10.67 degrees.
    #[serde(rename = "hdl_32e")]
    Hdl32e,
    /// Velodyne VLS-128: 128 channels from -25 to 15 degrees.
    #[serde(rename = "vls_128")]
    Vls128,
    /// Livox Mid-360, by its published field of view and rate: 20 000 rays a scan in a pattern that repeats after a million.
    #[serde(rename = "mid_360")]
    Mid360,
    /// Any number of channels, evenly spread.
    Even,
    /// A table of directions, such as that of a lidar that never repeats.
    Table,
}

/// A lidar. It works in air alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LidarSpec {
    /// Its name, without `-`.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Its pattern.
    pub device: LidarDevice,
    /// Where it is on the vehicle; azimuth 0 is its x, it spins towards its y.
    pub mount: MountSpec,
    /// Steps of a turn, of lidars with channels; at each all channels measure.
    #[schemars(range(min = 1, max = 36_000))]
    pub azimuths: u32,
    /// Of `even`: number of channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1024))]
    pub channels: Option<u32>,
    /// Of `even`: elevations of the lowest and the highest channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]", inner(range(min = -90, max = 90)))]
    pub elevations_deg: Option<[f64; 2]>,
    /// Of `table`: a file of directions, relative to the scenario, with the columns `azimuth_deg,elevation_deg`. It is read into
    /// `directions_deg`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub pattern_file: Option<String>,
    /// Of `table`: directions [azimuth, elevation], in the order of their rays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<[f64; 2]>", length(min = 1, max = MAX_SCAN_RAYS), inner(inner(range(min = -720, max = 720))))]
    pub directions_deg: Option<Vec<[f64; 2]>>,
    /// Of `table` and `mid_360`: rays of a scan; the next one goes on in the table. Unless given, all of a table and 20 000 of `mid_360`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = MAX_SCAN_RAYS))]
    pub rays_per_scan: Option<u32>,
    /// Distances between which a ray comes back.
    #[schemars(inner(range(min = 0, max = 100_000)))]
    pub range_m: [f64; 2],
    /// Whether each scan is written to `lidar-VEHICLE-NAME.csv`, a column a ray.
    pub table: bool,
    /// When it scans and what goes wrong, in m.
    #[serde(deserialize_with = "block::<SCAN_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for LidarSpec {
    fn default() -> Self {
        Self {
            name: "main".to_owned(),
            device: LidarDevice::Vlp16,
            mount: MountSpec::default(),
            azimuths: 3600,
            channels: None,
            elevations_deg: None,
            pattern_file: None,
            directions_deg: None,
            rays_per_scan: None,
            range_m: [0.5, 130.0],
            table: false,
            sensing: SensingSpec { every_ms: SCAN_MS, ..SensingSpec::default() },
        }
    }
}

/// A depth camera. It makes no errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DepthCameraSpec {
    /// Its name, without `-`.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Where it is on the vehicle; it looks along its x, the picture's right is its minus y.
    pub mount: MountSpec,
    /// Pixels of a row and of a column.
    #[schemars(inner(range(min = 1, max = 4096)))]
    pub pixels: [u32; 2],
    /// Focal length.
    #[schemars(range(min = 0.1, max = 10_000))]
    pub focal_mm: f64,
    /// Width and height of the chip.
    #[schemars(inner(range(min = 0.1, max = 1000)))]
    pub chip_mm: [f64; 2],
    /// Distances between which it sees something.
    #[schemars(inner(range(min = 0, max = 100_000)))]
    pub range_m: [f64; 2],
    /// Whether each picture is written to `depth-VEHICLE-NAME.csv`, two columns a pixel.
    pub table: bool,
    /// Time from one picture to the next, whole ms.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every_ms: u64,
}

impl Default for DepthCameraSpec {
    fn default() -> Self {
        Self {
            name: "main".to_owned(),
            mount: MountSpec::default(),
            pixels: [160, 120],
            focal_mm: 50.0,
            chip_mm: [36.0, 24.0],
            range_m: [0.1, 100.0],
            table: false,
            every_ms: 1000,
        }
    }
}
