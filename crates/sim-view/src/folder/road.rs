//! `scenario.json` of the road, as far as a picture needs it. Lengths in m, x and y on the plane; angles counter-clockwise from +x.

use serde::{Deserialize, Serialize};

/// A line or a ring by its corners, [x, y] each.
pub type Corners = Vec<[f64; 2]>;

/// The scenario of a run on the road, every default written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoadScenario {
    /// Steps a second.
    pub step_hz: u32,
    /// The walls.
    pub map: MapSpec,
    /// The cars.
    pub cars: Vec<CarSpec>,
    /// How the tables were written.
    pub trace: RoadTraceSpec,
}

/// The walls: at most one of the lists holds something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MapSpec {
    /// Thin walls.
    pub walls_m: Vec<Corners>,
    /// Rings round floors; rings on a floor are solid things.
    pub floor_m: Vec<Corners>,
    /// Rings round solid things; rings in them are hollows.
    pub solid_m: Vec<Corners>,
}

/// A car.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CarSpec {
    /// How large it is.
    pub params: CarParamsSpec,
    /// What it carries.
    pub sensors: SensorsSpec,
}

/// Sizes of a car. Its base point lies on its middle line; its axes are x forward and y left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CarParamsSpec {
    /// From bumper to bumper.
    pub body_length_m: f64,
    /// From flank to flank.
    pub body_width_m: f64,
    /// From the base point back to the rear bumper.
    pub base_to_rear_bumper_m: f64,
    /// From axle to axle.
    pub wheelbase_m: f64,
    /// From wheel centre to wheel centre of an axle.
    pub track_m: f64,
    /// From the base point back to the rear axle.
    pub base_to_rear_axle_m: f64,
    /// Radius of a wheel.
    pub wheel_radius_m: f64,
    /// Width of a wheel.
    pub wheel_width_m: f64,
}

/// What a car carries, of what can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensorsSpec {
    /// Its lidar.
    #[serde(default)]
    pub lidar: Option<LidarSpec>,
}

/// A lidar. Ray k leaves at `angle_min_deg + k increment_deg` from its x axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LidarSpec {
    /// Where it is on the car.
    pub mount: LidarMountSpec,
    /// First angle.
    pub angle_min_deg: f64,
    /// Last angle.
    pub angle_max_deg: f64,
    /// Angle between two rays.
    pub increment_deg: f64,
    /// What is nearer counts as too near.
    pub range_min_m: f64,
}

/// Place of a lidar in the car's axes, from the base point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LidarMountSpec {
    /// Forward.
    pub x_m: f64,
    /// To the left.
    pub y_m: f64,
    /// Turn of its x axis.
    pub yaw_deg: f64,
}

/// How the tables were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoadTraceSpec {
    /// Form of `lidar.csv`: `wide`, `long` or `off`.
    pub lidar: String,
}

impl RoadScenario {
    /// True if there must be a table of scans.
    #[must_use]
    pub fn has_scans(&self) -> bool {
        self.trace.lidar != "off" && self.cars.iter().any(|car| car.sensors.lidar.is_some())
    }
}
