//! The section `sensors` of a car: what it carries. All sensors share one block, [`SensingSpec`].

use car_sim::{DEFAULT_IMU_MOUNT, LidarParams};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::sensing::MountParams;
use sim_world::sensing::SensingSpec;

/// What a car carries; `null`: not that.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SensorsSpec {
    /// A plane lidar.
    pub lidar: Option<LidarSpec>,
    /// An inertial unit: gyro and accelerometer at one place.
    pub imu: Option<ImuSpec>,
    /// Speed and turn rate as wheels that do not slip tell them.
    pub odometry: Option<OdometrySpec>,
    /// An antenna that receives its place in the world.
    pub position: Option<PositionSpec>,
}

/// A plane lidar. Rays leave counter-clockwise; ray 0 at `angle_min_deg` from its x axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LidarSpec {
    /// Where it is on the car.
    pub mount: LidarMountSpec,
    /// First angle.
    #[schemars(range(min = -360, max = 360))]
    pub angle_min_deg: f64,
    /// Last angle: above the first one, by a full turn at most. Of a full turn it has no ray of its own.
    #[schemars(range(min = -360, max = 720))]
    pub angle_max_deg: f64,
    /// Angle between two rays.
    #[schemars(range(min = 0.0036, max = 360))]
    pub increment_deg: f64,
    /// What is nearer counts as too near.
    #[schemars(range(min = 0, max = 100_000))]
    pub range_min_m: f64,
    /// What is farther is not seen.
    #[schemars(range(min = 0.001, max = 100_000))]
    pub range_max_m: f64,
    /// Time that a scan takes, ray after ray, while the car moves; with 0 all rays leave at once.
    #[schemars(range(min = 0, max = 10_000))]
    pub sweep_ms: f64,
    /// When it measures and what goes wrong, in m.
    pub sensing: SensingSpec,
}

impl Default for LidarSpec {
    fn default() -> Self {
        let lidar = LidarParams::default();
        Self {
            mount: LidarMountSpec::default(),
            angle_min_deg: lidar.angle_min_rad.to_degrees(),
            angle_max_deg: lidar.angle_max_rad.to_degrees(),
            increment_deg: lidar.increment_rad.to_degrees(),
            range_min_m: lidar.range_min_m,
            range_max_m: lidar.range_max_m,
            sweep_ms: 0.0,
            sensing: SensingSpec::default(),
        }
    }
}

/// Place of a lidar in the car's axes, from the base point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LidarMountSpec {
    /// Place forward of the base point.
    #[schemars(range(min = -100, max = 100))]
    pub x_m: f64,
    /// Place to the left of the base point.
    #[schemars(range(min = -100, max = 100))]
    pub y_m: f64,
    /// Turn of its x axis, counter-clockwise.
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
}

/// An inertial unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ImuSpec {
    /// Where it is on the car and which way its axes point.
    pub mount: SensorMountSpec,
    /// When the gyro measures and what goes wrong, in rad/s.
    pub gyro: SensingSpec,
    /// When the accelerometer measures and what goes wrong, in m/s².
    pub accelerometer: SensingSpec,
}

/// Place and axes of a sensor. The default is the camera of the 1:10 car: x right, y down, z forward.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SensorMountSpec {
    /// Place in the car's axes, from the base point: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub position_m: [f64; 3],
    /// The rotation from the sensor's axes to the car's, as a quaternion [x, y, z, w] of length 1.
    #[schemars(inner(range(min = -1.01, max = 1.01)))]
    pub orientation_xyzw: [f64; 4],
}

impl Default for SensorMountSpec {
    fn default() -> Self {
        let MountParams { position_in_body_m, body_from_sensor_xyzw } = DEFAULT_IMU_MOUNT;
        Self { position_m: position_in_body_m.into(), orientation_xyzw: body_from_sensor_xyzw }
    }
}

/// Odometry of the wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OdometrySpec {
    /// When the speed of the base point is measured and what goes wrong, in m/s.
    pub speed: SensingSpec,
    /// When the turn rate is measured and what goes wrong, in rad/s.
    pub yaw_rate: SensingSpec,
}

/// An antenna.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PositionSpec {
    /// Where it is in the car's axes, from the base point: [forward, left].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub antenna_m: [f64; 2],
    /// When it measures and what goes wrong, in m.
    pub sensing: SensingSpec,
}
