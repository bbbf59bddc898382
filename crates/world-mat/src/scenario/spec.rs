//! What a scenario file may say: dull structs, one a section, with the range, the unit and the meaning of each key.
//!
//! A key is described here, or on the type of the model that it goes into as it is, and nowhere else. The JSON Schema is generated from
//! it, the checks of a file walk that schema, and the defaults are the models', which are the swarm spec's own: a file with nothing but
//! `name` and `world` is the spec's scenario.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::spec_agents::{GoalsSpec, ShapeSpec, StartSpec};
use super::spec_cubes::{CubeSpec, RadioSpec};
use super::spec_mat::{CardSpec, MagnetSpec, MatSpec};
use super::spec_script::HandSpec;
use super::spec_standing::ChargerSpec;
use sim_input::schema::{NAME_PATTERN, SEED_MAX};
use sim_world::sensing::SensingSpec;
use swarm_agents::filter::FilterKind;
use swarm_agents::wish::{NoiseMode, WishParams};
use swarm_agents::{Clearances, Limits};
use swarm_field::{FeetParams, FieldParams, PatchesParams};

/// The word for this world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatName {
    /// Robots, feet and points of interest, toio cubes and hands on a flat mat.
    #[default]
    Mat,
}

/// A scenario of the mat: who is on it, and for how long. Units stand in the keys. The origin is the
/// mat's top left corner, x runs to the right, y down, headings from +x towards +y: clockwise seen from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatScenario {
    /// Where editors find the schema of this file, relative to the file. The simulator does not read it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub schema: Option<String>,
    /// Name of the scenario: letters, digits, `-` and `_`, at most 64. The run folder is called so.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Which world this is. Each world has keys of its own.
    pub world: MatName,
    /// Seed of everything random. Another seed is another run of the same scenario.
    #[serde(default = "default_seed")]
    #[schemars(range(min = 0, max = SEED_MAX))]
    pub seed: u64,
    /// Steps in a simulated second.
    #[serde(default = "default_step_hz")]
    #[schemars(range(min = 30, max = 240))]
    pub step_hz: u32,
    /// Length of a run in steps. 36000 steps at 60 a second are ten minutes. `duration_s` may take its place.
    #[serde(default = "default_steps")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub steps: u64,
    /// The mat on which robots drive and feet walk.
    #[serde(default)]
    pub mat: MatSpec,
    /// The feet that walk over the mat.
    #[serde(default)]
    pub feet: FeetParams,
    /// The drifting points of interest that draw robots.
    #[serde(default)]
    pub patches: PatchesParams,
    /// The potential that feet and patches make: negative at feet, positive at patches.
    #[serde(default)]
    pub field: FieldParams,
    /// The robots and what they want.
    #[serde(default)]
    pub agents: AgentsSpec,
    /// The distances to keep and who keeps them.
    #[serde(default)]
    pub safety: SafetySpec,
    /// What a robot's drive can do.
    #[serde(default)]
    pub limits: Limits,
    /// The toio cubes.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    pub cubes: Vec<CubeSpec>,
    /// Cards and stickers, the lowest first. They lie on top of all mats.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    pub cards: Vec<CardSpec>,
    /// Magnets on the plane or on cubes.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    pub magnets: Vec<MagnetSpec>,
    /// Chargers on the plane. A hand puts a cube on one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub chargers: Vec<ChargerSpec>,
    /// What hands do to cubes; the order in which it is written does not matter.
    #[serde(default)]
    #[schemars(length(max = 100_000))]
    pub script: Vec<HandSpec>,
    /// Files of what comes in from outside, by input stream, relative to the scenario; `sim-cli streams` lists the streams and their
    /// columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// How much of the run is written to the tables.
    #[serde(default)]
    pub trace: TraceSpec,
}

fn default_seed() -> u64 {
    1
}

fn default_step_hz() -> u32 {
    60
}

fn default_steps() -> u64 {
    36_000
}

impl MatScenario {
    /// The spec's own scenario under another name: every key at its default.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            schema: None,
            name: name.to_owned(),
            world: MatName::Mat,
            seed: default_seed(),
            step_hz: default_step_hz(),
            steps: default_steps(),
            mat: MatSpec::default(),
            feet: FeetParams::default(),
            patches: PatchesParams::default(),
            field: FieldParams::default(),
            agents: AgentsSpec::default(),
            safety: SafetySpec::default(),
            limits: Limits::default(),
            cubes: Vec::new(),
            cards: Vec::new(),
            magnets: Vec::new(),
            chargers: Vec::new(),
            script: Vec::new(),
            inputs: BTreeMap::new(),
            trace: TraceSpec::default(),
        }
    }
}

/// How a robot moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriveSpec {
    /// The velocity is integrated and the heading follows it within its turn limit: the spec's own.
    Point,
    /// Two wheels: the robot moves along its heading, forwards or backwards.
    Differential,
    /// Each robot is a toio cube, driven over its radio by a program that hears where the cube was.
    Cube,
}

/// How robots of drive `cube` are driven.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CubeDriveSpec {
    /// Most that a body may be off the motion that was decided for it: a run in which one is farther off is not accepted.
    #[schemars(range(min = 0, max = 100))]
    pub tracking_mm: f64,
    /// How much more, for each body concerned, decided motions keep of the distances to robots and feet; `null`: as much as
    /// `tracking_mm`, with which what holds for decided motions holds for bodies.
    #[schemars(range(min = 0, max = 100))]
    pub margin_mm: Option<f64>,
    /// Steps by which decisions are ahead of bodies.
    #[schemars(range(min = 1, max = 60))]
    pub lead_steps: u32,
    /// The link between a robot's program and its cube.
    pub radio: RadioSpec,
}

impl Default for CubeDriveSpec {
    fn default() -> Self {
        Self {
            tracking_mm: 5.0,
            margin_mm: None,
            lead_steps: 5,
            radio: RadioSpec { interval_ms: 10.0, ..RadioSpec::default() },
        }
    }
}

/// The robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AgentsSpec {
    /// Number of robots; 0 if there is no swarm.
    #[schemars(range(min = 0, max = 100_000))]
    pub count: u32,
    /// How a robot moves.
    pub drive: DriveSpec,
    /// Pull of the field (alpha), the spec's number: mm in a frame of 1/60 s for a slope of 1 per m.
    #[schemars(range(min = WishParams::ALPHA[0], max = WishParams::ALPHA[1]))]
    pub alpha: f64,
    /// Strength of the fluctuation (sigma v), the spec's number: standard deviation in mm in a frame of 1/60 s.
    #[schemars(range(min = WishParams::SIGMA_V[0], max = WishParams::SIGMA_V[1]))]
    pub sigma_v: f64,
    /// Where the fluctuation comes from.
    pub noise: NoiseMode,
    /// Memory of the coloured noise.
    #[schemars(range(min = 0.01, max = WishParams::CORRELATION_S[1]))]
    pub noise_correlation_s: f64,
    /// Temperature of the `boltzmann` noise (T e), in units of the potential.
    #[schemars(range(min = WishParams::TEMPERATURE[0], max = WishParams::TEMPERATURE[1]))]
    pub temperature: f64,
    /// How robots of drive `cube` are driven.
    pub cube: CubeDriveSpec,
    /// How well robots know where they are; `null`: exactly.
    pub sensing: Option<AgentSensingSpec>,
    /// Places that robots are sent to, besides what the field says; `null`: none.
    pub goals: Option<GoalsSpec>,
    /// Outline and size of a robot; left out: a toio cube, a square of 31.8 mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeSpec>,
    /// Where each robot starts, one place for each; left out: drawn by chance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100_000))]
    pub start: Vec<StartSpec>,
    /// A CSV file in place of `start`, relative to the scenario: columns `x_mm`, `y_mm` and, if wanted, `heading_deg`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub start_csv: Option<String>,
}

impl Default for AgentsSpec {
    fn default() -> Self {
        let wish = WishParams::default();
        Self {
            count: 30,
            drive: DriveSpec::Point,
            alpha: wish.alpha,
            sigma_v: wish.sigma_v,
            noise: wish.noise,
            noise_correlation_s: wish.correlation_s,
            temperature: wish.temperature,
            cube: CubeDriveSpec::default(),
            sensing: None,
            goals: None,
            shape: None,
            start: Vec::new(),
            start_csv: None,
        }
    }
}

/// What tells a robot of drive `point` or `differential` where it is. Cubes have sensors of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AgentSensingSpec {
    /// When its place is measured and what goes wrong, in mm.
    pub position: SensingSpec,
    /// When its heading is measured and what goes wrong, in rad.
    pub heading: SensingSpec,
}

/// The distances to keep, all between centres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SafetySpec {
    /// Least distance of a robot from a foot.
    #[schemars(range(min = 1, max = 1000))]
    pub d_h_mm: f64,
    /// Least distance of a robot from another.
    #[schemars(range(min = 1, max = 1000))]
    pub d_r_mm: f64,
    /// Least distance of a robot from the mat's edge, and from walls and obstacles.
    #[schemars(range(min = 0, max = 1000))]
    pub wall_margin_mm: f64,
    /// Who has the last word about a robot's motion.
    pub filter: FilterKind,
}

impl Default for SafetySpec {
    fn default() -> Self {
        let Clearances { d_h_mm, d_r_mm, wall_margin_mm } = Clearances::default();
        Self { d_h_mm, d_r_mm, wall_margin_mm, filter: FilterKind::Joint }
    }
}

/// What is written to the tables. The measures always see every step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TraceSpec {
    /// Every how many steps a row is written for each robot, foot, patch and cube.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every: u64,
}

impl Default for TraceSpec {
    fn default() -> Self {
        Self { every: 6 }
    }
}
