//! What a scenario of the sea may say: with `spec_water`, `spec_vehicle`, `spec_sensors` and the vehicles' files, the only place where
//! its keys are described.

use super::spec_acoustics::AcousticsSpec;
use super::spec_sonar::SonarSpec;
use super::spec_vehicle::{StartSpec, VehicleSpec};
use super::spec_water::WaterSpec;
use crate::control::ControlSource;
use schemars::JsonSchema;
use sea_sim::contact::ContactParams;
use serde::{Deserialize, Serialize};
use sim_core::DVec3;
use sim_input::schema::{NAME_PATTERN, SEED_MAX};
use std::collections::BTreeMap;

/// Farthest place from the origin along an axis, m.
pub(super) const FAR_M: f64 = 1_000_000.0;

/// Most steps in a simulated second.
pub(super) const STEP_HZ_MAX: u32 = 10_000;

/// The word for this world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeaName {
    /// Vehicles in moving water over a bottom.
    #[default]
    Sea,
}

/// A scenario of the sea: water, a bottom, vehicles with sensors and drivers, and for how long. SI units stand in the keys. x is east,
/// y north, z up; a vehicle's own axes are x forward, y left, z up. Yaw counts from east towards north.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeaScenario {
    /// Where editors find the schema of this file, relative to the file. The simulator does not read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub schema: Option<String>,
    /// Name of the scenario: letters, digits, `-` and `_`, at most 64. The run folder is called so.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Which world this is. Each world has keys of its own.
    pub world: SeaName,
    /// Seed of everything random. Another seed is another run of the same scenario.
    #[serde(default = "default_seed")]
    #[schemars(range(min = 0, max = SEED_MAX))]
    pub seed: u64,
    /// Steps in a simulated second.
    #[serde(default = "default_step_hz")]
    #[schemars(range(min = 1, max = STEP_HZ_MAX))]
    pub step_hz: u32,
    /// Length of a run in steps. 30000 steps at 50 a second are ten minutes. `duration_s` may take its place.
    #[serde(default = "default_steps")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub steps: u64,
    /// Where on Earth the world's origin lies.
    #[serde(default)]
    pub origin: OriginSpec,
    /// The bottom; without any of its keys there is none.
    #[serde(default)]
    pub terrain: TerrainSpec,
    /// How hulls touch the bottom and each other.
    #[serde(default)]
    pub contact: ContactSpec,
    /// The water: what it is made of, its waves, currents and fields.
    #[serde(default)]
    pub water: WaterSpec,
    /// Beacons whose distance receivers measure.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub beacons: Vec<NamedPlaceSpec>,
    /// What sonars look at beside the terrain, and the map that they make.
    #[serde(default, skip_serializing_if = "SonarSpec::is_default")]
    pub sonar: SonarSpec,
    /// Sound between modems, and what they send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "AcousticsSpec")]
    pub acoustics: Option<AcousticsSpec>,
    /// The vehicles.
    #[schemars(length(min = 1, max = 10_000))]
    pub vehicles: Vec<VehicleSpec>,
    /// What happens at which time beyond what drivers do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50_000))]
    pub script: Vec<ScriptSpec>,
    /// Files of what comes in from outside, by input stream, relative to the scenario; `sim-cli streams` lists the streams and their
    /// columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// How much of the run is written to the tables.
    #[serde(default)]
    pub trace: SeaTraceSpec,
}

fn default_seed() -> u64 {
    1
}

fn default_step_hz() -> u32 {
    50
}

fn default_steps() -> u64 {
    30_000
}

/// Where the world's origin lies: by `lat_deg` and `lon_deg`, or by `utm`. Without them it is the island of Asko in the Baltic Sea.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OriginSpec {
    /// Latitude, north positive; 58.8226 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -90, max = 90))]
    pub lat_deg: Option<f64>,
    /// Longitude, east positive; 17.6317 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -180, max = 180))]
    pub lon_deg: Option<f64>,
    /// Its place on the universal transverse Mercator grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "UtmSpec")]
    pub utm: Option<UtmSpec>,
    /// What x and y are.
    pub frame: FrameSpec,
}

/// A place on the universal transverse Mercator grid of WGS 84.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UtmSpec {
    /// Number of the zone, 1 to 60, from 180 degrees west eastwards.
    #[schemars(range(min = 1, max = 60))]
    pub zone: u8,
    /// On which side of the equator it lies.
    pub hemisphere: HemisphereSpec,
    /// Easting; 500000 on the zone's central meridian.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub easting_m: f64,
    /// Northing, from 0 at the equator in the north, from 10000000 there in the south.
    #[schemars(range(min = 0, max = 10_000_000))]
    pub northing_m: f64,
}

/// Sides of the equator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HemisphereSpec {
    /// North of it.
    North,
    /// South of it.
    South,
}

/// What x and y of the world are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameSpec {
    /// East and north on the plane that touches the Earth at the origin.
    #[default]
    Tangent,
    /// East and north of the universal transverse Mercator grid.
    Grid,
}

/// The bottom: exactly one of `flat_z_m`, `file`, `generated` and `heights`, or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainSpec {
    /// A level bottom at this height, negative below the world's zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -12_000, max = 12_000))]
    pub flat_z_m: Option<f64>,
    /// A file of heights, relative to the scenario: ESRI ASCII (`.asc`) or a picture of 16 bits of grey (`.png`). It is read into
    /// `heights`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub file: Option<String>,
    /// Distance between two posts: of a picture it must be given; of an ESRI ASCII file it must be that of the file if it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.001, max = 100_000))]
    pub cell_m: Option<f64>,
    /// Heights that black and white stand for in a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]", inner(range(min = -12_000, max = 12_000)))]
    pub picture_z_m: Option<[f64; 2]>,
    /// Place of the south-western post of a picture, [x, y].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]", inner(range(min = -FAR_M, max = FAR_M)))]
    pub picture_at_m: Option<[f64; 2]>,
    /// A bottom with hills made of a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "GeneratedSpec")]
    pub generated: Option<GeneratedSpec>,
    /// A grid of heights.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HeightsSpec")]
    pub heights: Option<HeightsSpec>,
    /// Number of its material: `contact.materials` says how that touches.
    #[schemars(range(min = 0, max = 255))]
    pub material: u8,
}

impl TerrainSpec {
    /// Whether there is a bottom.
    pub(super) fn is_given(&self) -> bool {
        let Self { flat_z_m, file, generated, heights, .. } = self;
        flat_z_m.is_some() || file.is_some() || generated.is_some() || heights.is_some()
    }
}

/// A bottom with hills.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GeneratedSpec {
    /// Seed of the hills; `null`: the scenario's. All runs of a batch have the same hills.
    #[schemars(range(min = 0, max = SEED_MAX))]
    pub seed: Option<u64>,
    /// Place of the south-western corner, [x, y].
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub from_m: [f64; 2],
    /// Extent from west to east and from south to north.
    #[schemars(inner(range(min = 0.01, max = FAR_M)))]
    pub size_m: [f64; 2],
    /// Distance between two posts.
    #[schemars(range(min = 0.01, max = 10_000))]
    pub cell_m: f64,
    /// Height at the world's origin without hills.
    #[schemars(range(min = -12_000, max = 12_000))]
    pub base_z_m: f64,
    /// Rise towards east and towards north, m a m.
    #[schemars(inner(range(min = -2, max = 2)))]
    pub slope: [f64; 2],
    /// Highest hill above the base and deepest hole below it.
    #[schemars(range(min = 0, max = 1000))]
    pub relief_m: f64,
    /// Distance from the widest hills to the next ones.
    #[schemars(range(min = 0.01, max = 1_000_000))]
    pub feature_m: f64,
    /// Layers of hills, each half as wide and as high as the one before.
    #[schemars(range(min = 1, max = 16))]
    pub layers: u32,
}

impl Default for GeneratedSpec {
    fn default() -> Self {
        Self {
            seed: None,
            from_m: [-200.0, -200.0],
            size_m: [400.0, 400.0],
            cell_m: 2.0,
            base_z_m: -20.0,
            slope: [0.0, 0.0],
            relief_m: 8.0,
            feature_m: 80.0,
            layers: 4,
        }
    }
}

/// A grid of heights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeightsSpec {
    /// Place of the south-western post, [x, y].
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub from_m: [f64; 2],
    /// Distance between two posts.
    #[schemars(range(min = 0.001, max = 100_000))]
    pub cell_m: f64,
    /// Posts from west to east.
    #[schemars(range(min = 2, max = 1_000_000))]
    pub columns: usize,
    /// Heights: row by row from south, in a row from west to east.
    #[schemars(length(min = 4, max = 1_000_000), inner(range(min = -12_000, max = 12_000)))]
    pub z_m: Vec<f64>,
    /// Numbers of the materials of its cells in the same order, a column and a row less than posts. Without it all cells are of
    /// `terrain.material`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<u8>", length(min = 1, max = 1_000_000), inner(range(min = 0, max = 255)))]
    pub materials: Option<Vec<u8>>,
}

/// How hulls touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSpec {
    /// Coefficient of friction.
    #[schemars(range(min = 0, max = 10))]
    pub friction: f64,
    /// Share of the approach speed that is given back.
    #[schemars(range(min = 0, max = 1))]
    pub restitution: f64,
    /// Materials of the bottom that touch in another way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 256))]
    pub materials: Vec<MaterialSpec>,
}

/// How a material of the bottom touches. What it does not say is that of `contact`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSpec {
    /// Its number, as in `terrain`.
    #[schemars(range(min = 0, max = 255))]
    pub material: u8,
    /// Coefficient of friction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 10))]
    pub friction: Option<f64>,
    /// Share of the approach speed that is given back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 1))]
    pub restitution: Option<f64>,
}

impl Default for ContactSpec {
    fn default() -> Self {
        let ContactParams { friction, restitution } = ContactParams::default();
        Self { friction, restitution, materials: Vec::new() }
    }
}

/// A place with a name: of a beacon, or of a probe of the water.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedPlaceSpec {
    /// Its name, for tables and pictures.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Its place, east of the origin.
    #[schemars(range(min = -FAR_M, max = FAR_M))]
    pub x_m: f64,
    /// Its place, north of the origin.
    #[schemars(range(min = -FAR_M, max = FAR_M))]
    pub y_m: f64,
    /// Its height over the origin.
    #[schemars(range(min = -12_000, max = 12_000))]
    pub z_m: f64,
}

impl NamedPlaceSpec {
    /// The place.
    pub(super) fn place_m(&self) -> DVec3 {
        DVec3::new(self.x_m, self.y_m, self.z_m)
    }
}

/// Something that happens to a vehicle at a time: exactly one of `teleport`, `push_n_s`, `force`, `leak` and
/// `control_source`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptSpec {
    /// When: at the first step that begins then or later.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub at_s: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// It is at another place, above the bottom; without `commands` and `hover`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "StartSpec")]
    pub teleport: Option<StartSpec>,
    /// It gets an impulse at its origin along the world's axes, N s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = -1_000_000, max = 1_000_000)))]
    pub push_n_s: Option<[f64; 3]>,
    /// A force pulls at it from now on, in place of the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ForceSpec")]
    pub force: Option<ForceSpec>,
    /// Whether there is water inside from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub leak: Option<bool>,
    /// Whose commands it obeys from now on. What the source before asked for is forgotten; actuators keep their commands until new ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ControlSource")]
    pub control_source: Option<ControlSource>,
}

/// A constant force along the world's axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForceSpec {
    /// The force: [east, north, up], N; three zeros end it.
    #[schemars(inner(range(min = -1_000_000, max = 1_000_000)))]
    pub world_n: [f64; 3],
    /// Where on the vehicle it pulls: [forward, left, up] of its origin.
    #[serde(default)]
    #[schemars(inner(range(min = -1000, max = 1000)))]
    pub at_m: [f64; 3],
}

/// What is written to the tables. The measures always see every step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeaTraceSpec {
    /// Every how many steps a row is written for each vehicle, actuator and probe. Readings of sensors are written whenever they arrive.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every: u64,
    /// Whether readings of sensors are written.
    pub sensors: bool,
    /// Whether the forces on each vehicle are written, one by one.
    pub forces: bool,
    /// Particles that show force fields in pictures; `null`: none.
    pub particles: Option<ParticlesSpec>,
}

impl Default for SeaTraceSpec {
    fn default() -> Self {
        Self { every: 5, sensors: true, forces: false, particles: None }
    }
}

/// Particles that show force fields. Each begins at a place that is drawn inside a field with a border (`box_m`, `sphere`, or the reach
/// of a `propeller`), is carried along, and begins again after its lifetime or where it leaves all of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParticlesSpec {
    /// How many there are.
    #[schemars(range(min = 1, max = 10_000))]
    pub count: u32,
    /// Time after which one begins again.
    #[schemars(range(min = 0.1, max = 1_000_000))]
    pub lifetime_s: f64,
    /// Radius in pictures.
    #[schemars(range(min = 0.001, max = 100))]
    pub radius_m: f64,
    /// Velocity for each newton of a field.
    #[schemars(range(min = 0, max = 1000))]
    pub m_s_per_n: f64,
}

impl Default for ParticlesSpec {
    fn default() -> Self {
        Self { count: 200, lifetime_s: 5.0, radius_m: 0.05, m_s_per_n: 0.5 }
    }
}
