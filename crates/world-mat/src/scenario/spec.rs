//! What a scenario file may say: dull structs, one a section, with the range, the unit and the meaning of each key.
//!
//! This is the only place where a key is described. The JSON Schema is generated from it, the checks of a file walk that
//! schema, and the defaults are the swarm spec's own, so a file with nothing but `name` and `world` is the spec's scenario.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::spec_cubes::{CubeSpec, RadioSpec};
use super::spec_feet::{FeetSpec, PatchesSpec};
use super::spec_mat::{CardSpec, MagnetSpec, MatSpec};
use super::spec_script::HandSpec;
use sim_input::schema::{NAME_PATTERN, SEED_MAX};
use sim_world::sensing::SensingSpec;

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
    /// Length of a run in steps. 36000 steps at 60 a second are ten minutes.
    #[serde(default = "default_steps")]
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub steps: u64,
    /// The mat on which robots drive and feet walk.
    #[serde(default)]
    pub mat: MatSpec,
    /// The feet that walk over the mat.
    #[serde(default)]
    pub feet: FeetSpec,
    /// The drifting points of interest that draw robots.
    #[serde(default)]
    pub patches: PatchesSpec,
    /// The potential that feet and patches make: negative at feet, positive at patches.
    #[serde(default)]
    pub field: FieldSpec,
    /// The robots and what they want.
    #[serde(default)]
    pub agents: AgentsSpec,
    /// The distances to keep and who keeps them.
    #[serde(default)]
    pub safety: SafetySpec,
    /// What a robot's drive can do.
    #[serde(default)]
    pub limits: LimitsSpec,
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
            feet: FeetSpec::default(),
            patches: PatchesSpec::default(),
            field: FieldSpec::default(),
            agents: AgentsSpec::default(),
            safety: SafetySpec::default(),
            limits: LimitsSpec::default(),
            cubes: Vec::new(),
            cards: Vec::new(),
            magnets: Vec::new(),
            script: Vec::new(),
            inputs: BTreeMap::new(),
            trace: TraceSpec::default(),
        }
    }
}

/// The potential.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FieldSpec {
    /// Scale of the whole potential (lambda rho of the spec).
    #[schemars(range(min = 0, max = 100))]
    pub lambda_rho: f64,
    /// How fast a foot's predicted future counts less (beta): weight exp(-beta tau).
    #[schemars(range(min = 0, max = 100))]
    pub beta_per_s: f64,
    /// How far a foot's future is predicted and counts (T).
    #[schemars(range(min = 0.05, max = 5))]
    pub window_s: f64,
    /// Distance between the nodes of the grid on which the potential is kept.
    #[schemars(range(min = 1, max = 100))]
    pub cell_mm: f64,
    /// Width of a resting foot's well: standard deviation of its Gaussian.
    #[schemars(range(min = 5, max = 1000))]
    pub sigma_mm: f64,
    /// How much a moving foot's well is stretched along the motion: seconds of travel added to its width.
    #[schemars(range(min = 0, max = 5))]
    pub stretch_s: f64,
}

impl Default for FieldSpec {
    fn default() -> Self {
        Self { lambda_rho: 1.0, beta_per_s: 2.5, window_s: 0.6, cell_mm: 5.0, sigma_mm: 40.0, stretch_s: 0.2 }
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

/// Where the fluctuation of a robot's wish comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoiseSpec {
    /// Noise with a memory of `noise_correlation_s`, the same at every step rate.
    Coloured,
    /// A fresh draw each step: the spec to the letter.
    White,
    /// No added noise: a direction is drawn, better ones more often, by the potential ahead over `temperature`.
    Boltzmann,
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
    #[schemars(range(min = 0, max = 100))]
    pub alpha: f64,
    /// Strength of the fluctuation (sigma v), the spec's number: standard deviation in mm in a frame of 1/60 s.
    #[schemars(range(min = 0, max = 10))]
    pub sigma_v: f64,
    /// Where the fluctuation comes from.
    pub noise: NoiseSpec,
    /// Memory of the coloured noise.
    #[schemars(range(min = 0.01, max = 60))]
    pub noise_correlation_s: f64,
    /// Temperature of the `boltzmann` noise (T e), in units of the potential.
    #[schemars(range(min = 0.001, max = 100))]
    pub temperature: f64,
    /// How robots of drive `cube` are driven.
    pub cube: CubeDriveSpec,
    /// How well robots know where they are; `null`: exactly.
    pub sensing: Option<AgentSensingSpec>,
    /// Places that robots are sent to, besides what the field says; `null`: none.
    pub goals: Option<GoalsSpec>,
}

impl Default for AgentsSpec {
    fn default() -> Self {
        Self {
            count: 30,
            drive: DriveSpec::Point,
            alpha: 0.9,
            sigma_v: 0.05,
            noise: NoiseSpec::Coloured,
            noise_correlation_s: 0.25,
            temperature: 0.3,
            cube: CubeDriveSpec::default(),
            sensing: None,
            goals: None,
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

/// Places that robots are sent to, each robot to one of them, so that the sum of the ways is least.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoalsSpec {
    /// The places, [x, y] each.
    #[schemars(length(min = 1, max = 1000), inner(inner(range(min = 0, max = 100_000))))]
    pub sites_mm: Vec<[f64; 2]>,
    /// Time from one assignment to the next.
    #[serde(default = "default_goals_every_s")]
    #[schemars(range(min = 0.1, max = 3600))]
    pub every_s: f64,
    /// Pull towards the place: speed gained per distance left.
    #[serde(default = "default_goals_gain_per_s")]
    #[schemars(range(min = 0, max = 100))]
    pub gain_per_s: f64,
}

fn default_goals_every_s() -> f64 {
    3.0
}

fn default_goals_gain_per_s() -> f64 {
    1.0
}

/// Who has the last word about a robot's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FilterSpec {
    /// Planner, joint projection and certificate: the filter that keeps the distances.
    Joint,
    /// A penalty on velocities that come too near: the spec to the letter.
    Penalty,
    /// Half-planes of permitted velocities for each robot (ORCA), the method that people know.
    Orca,
    /// Nothing but the limits of the drive and the edge of the mat.
    None,
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
    /// Least distance of a robot from the mat's edge.
    #[schemars(range(min = 0, max = 1000))]
    pub wall_margin_mm: f64,
    /// Who has the last word about a robot's motion.
    pub filter: FilterSpec,
}

impl Default for SafetySpec {
    fn default() -> Self {
        Self { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: 16.0, filter: FilterSpec::Joint }
    }
}

/// What a robot's drive can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsSpec {
    /// Highest speed.
    #[schemars(range(min = 1, max = 2000))]
    pub v_max_mm_s: f64,
    /// Largest change of the velocity vector.
    #[schemars(range(min = 10, max = 100_000))]
    pub a_max_mm_s2: f64,
    /// Highest turn rate of the heading.
    #[schemars(range(min = 0.1, max = 100))]
    pub omega_max_rad_s: f64,
}

impl Default for LimitsSpec {
    fn default() -> Self {
        Self { v_max_mm_s: 252.0, a_max_mm_s2: 3000.0, omega_max_rad_s: 12.0 }
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
