//! What a scenario of the road may say: with `spec_sensors`, `spec_driver` and the types of models that they hold, the only place where its
//! keys are described.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::spec_driver::DriverSpec;
use super::spec_sensors::SensorsSpec;
use crate::lidar_rows::LidarRows;
use car_sim::CarParams;
use sim_input::schema::{NAME_PATTERN, SEED_MAX};

/// The word for this world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoadName {
    /// Cars with Ackermann steering, lidar and inertial unit among walls.
    #[default]
    Road,
}

/// A scenario of the road: walls, cars with sensors and drivers, and for how long. SI units stand in the keys. x and y lie on the plane,
/// yaw counts counter-clockwise from +x, seen from above; a car's own axes are x forward and y left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoadScenario {
    /// Where editors find the schema of this file, relative to the file. The simulator does not read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub schema: Option<String>,
    /// Name of the scenario: letters, digits, `-` and `_`, at most 64. The run folder is called so.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Which world this is. Each world has keys of its own.
    pub world: RoadName,
    /// Seed of everything random. Another seed is another run of the same scenario.
    #[serde(default = "default_seed")]
    #[schemars(range(min = 0, max = SEED_MAX))]
    pub seed: u64,
    /// Steps in a simulated second, which must divide 1000: drivers decide once a step, cars move in steps of 1 ms.
    #[serde(default = "default_step_hz")]
    #[schemars(range(min = 1, max = 1000))]
    pub step_hz: u32,
    /// Length of a run in steps. 60000 steps at 100 a second are ten minutes. `duration_s` may take its place.
    #[serde(default = "default_steps")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub steps: u64,
    /// The walls; without any, the plane is free.
    #[serde(default)]
    pub map: MapSpec,
    /// The cars. They see and hit each other.
    #[schemars(length(min = 1, max = 1000))]
    pub cars: Vec<CarSpec>,
    /// Files of what comes in from outside, by input stream, relative to the scenario; `sim-cli streams` lists the streams and their
    /// columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// How much of the run is written to the tables.
    #[serde(default)]
    pub trace: RoadTraceSpec,
}

fn default_seed() -> u64 {
    1
}

fn default_step_hz() -> u32 {
    100
}

fn default_steps() -> u64 {
    60_000
}

/// The walls: a file, or thin walls beside either floors or solid things. A file is read into these lists when the scenario is loaded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MapSpec {
    /// A map file, relative to the scenario: GeoJSON (`.geojson`, `.json`) with polygons and lines in m, or a ROS map (`.yaml`, `.yml`)
    /// with its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub file: Option<String>,
    /// How far walls that are traced from a picture may be off its cells; half a cell makes slanting walls straight.
    #[schemars(range(min = 0, max = 100))]
    pub tolerance_m: f64,
    /// Thin walls: each a line through its points, [x, y] each.
    #[schemars(length(max = 20_000), inner(length(min = 2, max = 20_000), inner(inner(range(min = -100_000, max = 100_000)))))]
    pub walls_m: Vec<Vec<[f64; 2]>>,
    /// Rings, each by its corners, the first not repeated at the end. The outermost are walls around floors, those on a floor or across
    /// its wall are solid things, which may overlap.
    #[schemars(length(max = 20_000), inner(length(min = 3, max = 20_000), inner(inner(range(min = -100_000, max = 100_000)))))]
    pub floor_m: Vec<Vec<[f64; 2]>>,
    /// Rings as in `floor_m`, but the outermost are solid things, and rings in them are hollows.
    #[schemars(length(max = 20_000), inner(length(min = 3, max = 20_000), inner(inner(range(min = -100_000, max = 100_000)))))]
    pub solid_m: Vec<Vec<[f64; 2]>>,
}

/// A car: where it starts, what car it is, what it carries and who drives it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CarSpec {
    /// Where and how it starts.
    pub start: StartSpec,
    /// What car it is. The defaults are those of a car at a scale of 1:10.
    pub params: CarParamsSpec,
    /// What it carries.
    pub sensors: SensorsSpec,
    /// Who drives it: exactly one of the keys, or none for a car that stands.
    pub driver: DriverSpec,
}

/// The start of a car. Places are those of its base point, by default the middle between its axles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StartSpec {
    /// Place along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_m: f64,
    /// Place along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_m: f64,
    /// Where its front points, counter-clockwise from +x.
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
    /// Middle steering angle, positive to the left.
    #[schemars(range(min = -90, max = 90))]
    pub steering_deg: f64,
    /// Speed of the base point; negative drives back.
    #[schemars(range(min = -CarParams::MAX_SPEED_M_S, max = CarParams::MAX_SPEED_M_S))]
    pub velocity_m_s: f64,
}

/// Sizes and limits of a car.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CarParamsSpec {
    /// From bumper to bumper.
    #[schemars(range(min = CarParams::LENGTH_M[0], max = CarParams::LENGTH_M[1]))]
    pub body_length_m: f64,
    /// From flank to flank.
    #[schemars(range(min = CarParams::LENGTH_M[0], max = CarParams::LENGTH_M[1]))]
    pub body_width_m: f64,
    /// From the base point back to the rear bumper; at most the length of the body.
    #[schemars(range(min = 0, max = CarParams::LENGTH_M[1]))]
    pub base_to_rear_bumper_m: f64,
    /// From axle to axle.
    #[schemars(range(min = CarParams::LENGTH_M[0], max = CarParams::LENGTH_M[1]))]
    pub wheelbase_m: f64,
    /// From wheel centre to wheel centre of an axle.
    #[schemars(range(min = CarParams::LENGTH_M[0], max = CarParams::LENGTH_M[1]))]
    pub track_m: f64,
    /// From the base point back to the rear axle; at most the wheelbase.
    #[schemars(range(min = 0, max = CarParams::LENGTH_M[1]))]
    pub base_to_rear_axle_m: f64,
    /// Radius of a wheel.
    #[schemars(range(min = CarParams::LENGTH_M[0], max = CarParams::LENGTH_M[1]))]
    pub wheel_radius_m: f64,
    /// Width of a wheel; for drawings.
    #[schemars(range(min = CarParams::LENGTH_M[0], max = CarParams::LENGTH_M[1]))]
    pub wheel_width_m: f64,
    /// Wheel turns per motor turn.
    #[schemars(range(min = CarParams::RATE[0], max = CarParams::RATE[1]))]
    pub motor_ratio: f64,
    /// Farthest that the inner front wheel steers.
    #[schemars(range(min = 0, max = CarParams::MAX_STEERING_DEG))]
    pub inner_steering_limit_deg: f64,
    /// Farthest that the outer front wheel steers.
    #[schemars(range(min = 0, max = CarParams::MAX_STEERING_DEG))]
    pub outer_steering_limit_deg: f64,
    /// Largest curvature of the base point's path, if the wheels allow it.
    #[schemars(range(min = 0, max = CarParams::MAX_CURVATURE_1_M))]
    pub curvature_limit_1_m: f64,
    /// How fast the middle steering angle changes.
    #[schemars(range(min = CarParams::RATE[0], max = CarParams::RATE[1]))]
    pub steering_rate_rad_s: f64,
    /// Fastest backwards, as a negative number.
    #[schemars(range(min = -CarParams::MAX_SPEED_M_S, max = 0))]
    pub velocity_min_m_s: f64,
    /// Fastest forwards.
    #[schemars(range(min = CarParams::RATE[0], max = CarParams::MAX_SPEED_M_S))]
    pub velocity_max_m_s: f64,
    /// Largest gain of speed.
    #[schemars(range(min = CarParams::RATE[0], max = CarParams::RATE[1]))]
    pub acceleration_limit_m_s2: f64,
    /// Largest loss of speed, as a positive number.
    #[schemars(range(min = CarParams::RATE[0], max = CarParams::RATE[1]))]
    pub deceleration_limit_m_s2: f64,
}

impl Default for CarParamsSpec {
    fn default() -> Self {
        let car = CarParams::default();
        Self {
            body_length_m: car.body_length_m,
            body_width_m: car.body_width_m,
            base_to_rear_bumper_m: car.base_to_rear_bumper_m,
            wheelbase_m: car.wheelbase_m,
            track_m: car.track_m,
            base_to_rear_axle_m: car.base_to_rear_axle_m,
            wheel_radius_m: car.wheel_radius_m,
            wheel_width_m: car.wheel_width_m,
            motor_ratio: car.motor_ratio,
            inner_steering_limit_deg: car.inner_steering_limit_rad.to_degrees(),
            outer_steering_limit_deg: car.outer_steering_limit_rad.to_degrees(),
            curvature_limit_1_m: car.curvature_limit_1_m,
            steering_rate_rad_s: car.steering_rate_rad_s,
            velocity_min_m_s: car.velocity_min_m_s,
            velocity_max_m_s: car.velocity_max_m_s,
            acceleration_limit_m_s2: car.acceleration_limit_m_s2,
            deceleration_limit_m_s2: car.deceleration_limit_m_s2,
        }
    }
}

/// What is written to the tables. The measures always see every step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadTraceSpec {
    /// Every how many steps a row is written for each car. Readings of sensors are written whenever they arrive.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every: u64,
    /// How scans are written.
    pub lidar: LidarRows,
}

impl Default for RoadTraceSpec {
    fn default() -> Self {
        Self { every: 10, lidar: LidarRows::Wide }
    }
}
