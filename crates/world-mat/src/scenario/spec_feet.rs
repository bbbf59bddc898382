//! The sections `feet` and `patches` of a scenario file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the centre of a foot may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TravelSpec {
    /// At least `core_inset_mm` from every edge of the mat: no robot can be trapped.
    Core,
    /// Anywhere but in the squares of side `core_inset_mm` at the mat's corners.
    Edge,
    /// Anywhere on the mat.
    Full,
}

/// What a foot does about a robot in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MannerSpec {
    /// Walks on as if there were no robots: the spec to the letter.
    Stubborn,
    /// Slows down or waits while a robot is in the way.
    Considerate,
}

/// How a foot walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GaitSpec {
    /// Stands, goes somewhere, roams there, comes back: the spec's four states.
    Walk,
    /// Goes round in a circle without pause.
    Orbit,
}

/// Where a walking foot goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DestinationSpec {
    /// To an edge or to a random place, by turns of chance.
    Mixed,
    /// Always to an edge, as far as `travel` allows.
    Edge,
    /// Always to a corner, as far as `travel` allows.
    Corner,
}

/// The feet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FeetSpec {
    /// Number of feet.
    #[schemars(range(min = 0, max = 10_000))]
    pub count: u32,
    /// Where the centre of a foot may be.
    pub travel: TravelSpec,
    /// What a foot does about a robot in its way.
    pub manner: MannerSpec,
    /// Distance of the feet's centres from the mat's edge when `travel` is `core`; side of the forbidden squares at the mat's
    /// corners when it is `edge`.
    #[schemars(range(min = 0, max = 50_000))]
    pub core_inset_mm: f64,
    /// How a foot walks.
    pub gait: GaitSpec,
    /// Where a walking foot goes.
    pub destination: DestinationSpec,
    /// How long a foot stands before it goes, shortest and longest.
    #[schemars(inner(range(min = 2, max = 3600)))]
    pub idle_s: [f64; 2],
    /// How far a standing foot shifts about its place.
    #[schemars(range(min = 0, max = 500))]
    pub idle_radius_mm: f64,
    /// Highest speed of a standing foot's shifting.
    #[schemars(range(min = 1, max = 2000))]
    pub idle_speed_max_mm_s: f64,
    /// How long a foot takes to reach its speed, and to lose it, shortest and longest.
    #[schemars(inner(range(min = 0.1, max = 60)))]
    pub acceleration_s: [f64; 2],
    /// Walking speed, lowest and highest.
    #[schemars(inner(range(min = 1, max = 2000)))]
    pub speed_mm_s: [f64; 2],
    /// How long a foot roams about its destination, shortest and longest.
    #[schemars(inner(range(min = 2, max = 3600)))]
    pub roam_s: [f64; 2],
    /// Radius of the circle when `gait` is `orbit`.
    #[schemars(range(min = 1, max = 50_000))]
    pub orbit_radius_mm: f64,
    /// Speed on the circle when `gait` is `orbit`.
    #[schemars(range(min = 1, max = 2000))]
    pub orbit_speed_mm_s: f64,
    /// Standard deviation of the noise on each component of a foot's velocity.
    #[schemars(range(min = 0, max = 100))]
    pub noise_std_mm_s: f64,
    /// How much faster than planned a foot may get through noise; at least three times `noise_std_mm_s`.
    #[schemars(range(min = 0, max = 1000))]
    pub speed_slack_mm_s: f64,
    /// Largest error of the feet's predicted places that robots are told.
    #[schemars(range(min = 0, max = 100))]
    pub estimation_noise_mm: f64,
    /// Where each foot begins and comes back to, [x, y] each, one for each foot; empty: drawn by chance.
    #[schemars(length(max = 10_000), inner(inner(range(min = 0, max = 100_000))))]
    pub home_mm: Vec<[f64; 2]>,
}

impl Default for FeetSpec {
    fn default() -> Self {
        Self {
            count: 1,
            travel: TravelSpec::Core,
            manner: MannerSpec::Stubborn,
            core_inset_mm: 120.0,
            gait: GaitSpec::Walk,
            destination: DestinationSpec::Mixed,
            idle_s: [5.0, 8.0],
            idle_radius_mm: 30.0,
            idle_speed_max_mm_s: 120.0,
            acceleration_s: [1.0, 2.0],
            speed_mm_s: [120.0, 200.0],
            roam_s: [3.0, 6.0],
            orbit_radius_mm: 80.0,
            orbit_speed_mm_s: 200.0,
            noise_std_mm_s: 5.0,
            speed_slack_mm_s: 15.0,
            estimation_noise_mm: 5.0,
            home_mm: Vec::new(),
        }
    }
}

/// The patches: Gaussian hills of the potential that drift and are exchanged for new ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PatchesSpec {
    /// Number of patches.
    #[schemars(range(min = 0, max = 100_000))]
    pub count: u32,
    /// Radius of a patch, the standard deviation of its hill, smallest and largest.
    #[schemars(inner(range(min = 5, max = 1000)))]
    pub radius_mm: [f64; 2],
    /// Height of a patch in units of `lambda_rho`, lowest and highest; the spec allows at most 0.3.
    #[schemars(inner(range(min = 0, max = 0.3)))]
    pub peak: [f64; 2],
    /// Speed of the drift, lowest and highest.
    #[schemars(inner(range(min = 0, max = 500)))]
    pub speed_mm_s: [f64; 2],
    /// How long a patch stays before it is exchanged, shortest and longest.
    #[schemars(inner(range(min = 1, max = 100_000)))]
    pub lifetime_s: [f64; 2],
    /// How long a patch takes to appear, and to vanish.
    #[schemars(range(min = 0, max = 600))]
    pub fade_s: f64,
}

impl Default for PatchesSpec {
    fn default() -> Self {
        Self {
            count: 10,
            radius_mm: [30.0, 60.0],
            peak: [0.15, 0.3],
            speed_mm_s: [5.0, 15.0],
            lifetime_s: [20.0, 60.0],
            fade_s: 2.0,
        }
    }
}
