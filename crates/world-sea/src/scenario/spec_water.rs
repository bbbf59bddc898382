//! The section `water`: what it is made of, its waves, currents, fields, and where it is probed.

use super::spec::{FAR_M, NamedPlaceSpec};
use schemars::JsonSchema;
use sea_sim::current::MAX_CURRENT_M_S;
use sea_sim::water::{MAX_COMPONENTS, SeaWater};
use serde::{Deserialize, Serialize};

/// The water.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WaterSpec {
    /// Height of still water.
    #[schemars(range(min = -12_000, max = 12_000))]
    pub level_m: f64,
    /// Density of the water.
    #[schemars(range(min = 900, max = 1200))]
    pub density_kg_m3: f64,
    /// Temperature, degrees Celsius.
    #[schemars(range(min = -4, max = 40))]
    pub temperature_c: f64,
    /// Salinity, practical salinity units.
    #[schemars(range(min = 0, max = 45))]
    pub salinity_psu: f64,
    /// Acidity of the water.
    #[schemars(range(min = 7, max = 9))]
    pub ph: f64,
    /// The waves.
    pub waves: WavesSpec,
    /// Currents; they add up.
    #[schemars(length(max = 100))]
    pub currents: Vec<CurrentSpec>,
    /// Force fields; they add up. They push vehicles, whatever the water does.
    #[schemars(length(max = 100))]
    pub fields: Vec<FieldSpec>,
    /// Places at which the water is written to `water.csv`.
    #[schemars(length(max = 1000))]
    pub probes: Vec<NamedPlaceSpec>,
    /// Frequencies whose absorption at each probe is written to `sound.csv`, beside the speed of sound. They are those of modems, velocity
    /// logs and sonars; an empty list leaves the table out.
    #[schemars(length(max = 100), inner(range(min = 400, max = 1_000_000)))]
    pub sound_hz: Vec<f64>,
}

impl Default for WaterSpec {
    fn default() -> Self {
        let SeaWater { density_kg_m3, temperature_c, salinity_psu, ph } = SeaWater::default();
        Self {
            level_m: 0.0,
            density_kg_m3,
            temperature_c,
            salinity_psu,
            ph,
            waves: WavesSpec::default(),
            currents: Vec::new(),
            fields: Vec::new(),
            probes: Vec::new(),
            sound_hz: vec![10e3, 25e3, 100e3, 450e3],
        }
    }
}

/// Kinds of waves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WavesKind {
    /// None.
    #[default]
    Flat,
    /// One wave.
    Regular,
    /// A fully developed sea: its height follows from its period.
    PiersonMoskowitz,
    /// A sea that grows under wind.
    Jonswap,
}

/// The waves. A key that does nothing for their kind is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WavesSpec {
    /// What waves they are.
    pub kind: WavesKind,
    /// Of `regular` the height from trough to crest, of `jonswap` the significant height; 0.5 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 40))]
    pub height_m: Option<f64>,
    /// Period; of a sea that of its peak; 5 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.1, max = 10_000))]
    pub period_s: Option<f64>,
    /// Direction that waves travel to, from east towards north; 0 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -360, max = 360))]
    pub heading_deg: Option<f64>,
    /// Phase of `regular` at the origin at time 0; with 0, unless given, a crest is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -360, max = 360))]
    pub phase_deg: Option<f64>,
    /// Standard deviation of the directions of a sea; 20 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 68))]
    pub spreading_deg: Option<f64>,
    /// Number of waves that a sea is the sum of; 100 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = MAX_COMPONENTS))]
    pub components: Option<u32>,
    /// Peak enhancement of `jonswap`; 3.3 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 1, max = 10))]
    pub gamma: Option<f64>,
    /// Depth that the waves feel; `null`: deep water.
    #[schemars(range(min = 0.1, max = 12_000))]
    pub depth_m: Option<f64>,
    /// Sharpness of crests, 0 unless given: above 0 the surface has trochoids in place of sines. The motion of the water stays that of
    /// sines.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 1))]
    pub steepness: Option<f64>,
}

/// A current: exactly one of its keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CurrentSpec {
    /// The same everywhere and always: [east, north, up], m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = -MAX_CURRENT_M_S, max = MAX_CURRENT_M_S)))]
    pub uniform_m_s: Option<[f64; 3]>,
    /// A table over depth, with depths that increase. Between two rows the velocity changes evenly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<LayerSpec>", length(min = 1, max = 10_000))]
    pub layers: Option<Vec<LayerSpec>>,
    /// A table over place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CurrentGridSpec")]
    pub grid: Option<CurrentGridSpec>,
    /// A JSON file with the keys of `grid`, relative to the scenario. It is read into `grid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub grid_file: Option<String>,
    /// A current that wanders about a mean, the same everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DriftSpec")]
    pub gauss_markov: Option<DriftSpec>,
}

/// A row of a table over depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LayerSpec {
    /// Depth below still water.
    #[schemars(range(min = -100, max = 12_000))]
    pub depth_m: f64,
    /// Velocity there: [east, north, up], m/s.
    #[schemars(inner(range(min = -MAX_CURRENT_M_S, max = MAX_CURRENT_M_S)))]
    pub velocity_m_s: [f64; 3],
}

/// A table of velocities over place. Outside, the nearest velocity on its border holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurrentGridSpec {
    /// Place of the south-western velocity, [x, y].
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub from_m: [f64; 2],
    /// Distance between two neighbours.
    #[schemars(range(min = 0.01, max = 1_000_000))]
    pub cell_m: f64,
    /// Velocities from west to east.
    #[schemars(range(min = 2, max = 1_000_000))]
    pub columns: usize,
    /// Velocities from south to north.
    #[schemars(range(min = 2, max = 1_000_000))]
    pub rows: usize,
    /// Depths of the layers below still water, increasing; one layer holds at all depths.
    #[schemars(length(min = 1, max = 10_000), inner(range(min = -100, max = 12_000)))]
    pub depths_m: Vec<f64>,
    /// Velocities, [east, north, up]: layer by layer, in a layer row by row from south, in a row from west to east.
    #[schemars(length(min = 4, max = 1_000_000), inner(inner(range(min = -MAX_CURRENT_M_S, max = MAX_CURRENT_M_S))))]
    pub velocities_m_s: Vec<[f64; 3]>,
}

/// A current that wanders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DriftSpec {
    /// Mean velocity: [east, north, up], m/s.
    #[schemars(inner(range(min = -MAX_CURRENT_M_S, max = MAX_CURRENT_M_S)))]
    pub mean_m_s: [f64; 3],
    /// Standard deviation towards east and towards north.
    #[schemars(range(min = 0, max = 5))]
    pub std_m_s: f64,
    /// Time after which the departure from the mean has lost all but 1/e of its memory.
    #[schemars(range(min = 0.1, max = 10_000_000))]
    pub correlation_s: f64,
}

impl Default for DriftSpec {
    fn default() -> Self {
        Self { mean_m_s: [0.0; 3], std_m_s: 0.1, correlation_s: 300.0 }
    }
}

/// A force field. It pushes along `along`, towards `towards`, away from `away_from` or by a `propeller`: exactly one of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FieldSpec {
    /// Direction of the push in the world, of any length but 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = -FAR_M, max = FAR_M)))]
    pub along: Option<[f64; 3]>,
    /// Place that it pushes towards, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = -FAR_M, max = FAR_M)))]
    pub towards: Option<[f64; 3]>,
    /// Place that it pushes away from, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = -FAR_M, max = FAR_M)))]
    pub away_from: Option<[f64; 3]>,
    /// The stream of a vehicle's propeller, which pushes the other vehicles.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PropellerFieldSpec")]
    pub propeller: Option<PropellerFieldSpec>,
    /// Force on a whole vehicle, N; of a propeller `max_force_n` says it.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub force_n: f64,
    /// It acts in this box alone: corners with the smallest and the largest coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[[f64; 3]; 2]", inner(inner(range(min = -FAR_M, max = FAR_M))))]
    pub box_m: Option<[[f64; 3]; 2]>,
    /// It acts in this sphere alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SphereSpec")]
    pub sphere: Option<SphereSpec>,
    /// Whether it pushes vehicles under water only.
    pub only_under_water: bool,
    /// Whether it pushes vehicles only that are not fully under water.
    pub only_above_water: bool,
    /// A random force is added, uniform up to these sizes along x, y and z, N.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = 0, max = 1_000_000)))]
    pub uniform_n: Option<[f64; 3]>,
    /// A random force is added, normal with these standard deviations, N.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = 0, max = 1_000_000)))]
    pub gaussian_n: Option<[f64; 3]>,
}

/// The stream of a propeller: `force_n_per_rpm` times its turns a minute over the square of the distance from a tip ahead of it. It pushes
/// along the axis ahead of the tip and away from the tip behind it; in reverse it pushes nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PropellerFieldSpec {
    /// Name of the vehicle.
    pub vehicle: String,
    /// Name of its propeller, whose unit is rpm.
    pub actuator: String,
    /// How far the tip lies ahead of the propeller.
    #[serde(default = "default_tip_m")]
    #[schemars(range(min = 0, max = 100))]
    pub tip_m: f64,
    /// Force on a whole vehicle at 1 m from the tip, N for each turn a minute.
    #[serde(default = "default_force_n_per_rpm")]
    #[schemars(range(min = 0, max = 1000))]
    pub force_n_per_rpm: f64,
    /// Largest force, N.
    #[serde(default = "default_max_force_n")]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub max_force_n: f64,
    /// Distance from the tip beyond which nothing is felt.
    #[serde(default = "default_reach_m")]
    #[schemars(range(min = 0, max = 1000))]
    pub reach_m: f64,
}

fn default_tip_m() -> f64 {
    0.2
}

fn default_force_n_per_rpm() -> f64 {
    0.005
}

fn default_max_force_n() -> f64 {
    1.0
}

fn default_reach_m() -> f64 {
    10.0
}

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereSpec {
    /// Its centre.
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub center_m: [f64; 3],
    /// Its radius.
    #[schemars(range(min = 0, max = FAR_M))]
    pub radius_m: f64,
}
