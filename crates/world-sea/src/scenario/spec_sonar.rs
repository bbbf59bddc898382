//! Sonars of a vehicle, and the section `sonar`: what they look at beside the terrain.

use super::spec::FAR_M;
use super::spec_sensors::{MountSpec, PING_MS, block, every_ms};
use schemars::JsonSchema;
use sea_echo::acoustic::MAX_LOOKS;
use sea_echo::{AcousticParams, BeamPattern, ImagingParams, Material, MultibeamParams};
use serde::{Deserialize, Serialize};
use sim_core::sensing::SensorParams;
use sim_input::schema::NAME_PATTERN;
use sim_world::sensing::SensingSpec;
use std::collections::BTreeMap;

/// What a sonar reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SonarMode {
    /// Distances and returns along straight rays, at once and without levels.
    #[default]
    Rays,
    /// Levels in decibels by the sonar equation, with noise and speckle. A ping waits for the one before.
    Acoustic,
}

/// How the power of a beam falls off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PatternName {
    /// Not at all.
    Even,
    /// As that of a line of senders.
    Sinc,
    /// As a Gaussian.
    Gaussian,
}

impl PatternName {
    pub(super) fn pattern(self) -> BeamPattern {
        match self {
            Self::Even => BeamPattern::Even,
            Self::Sinc => BeamPattern::Sinc,
            Self::Gaussian => BeamPattern::Gaussian,
        }
    }
}

/// Sound of a sonar. It counts in the mode `acoustic` alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AcousticSpec {
    /// Frequency, kHz. It decides on the absorption.
    #[schemars(range(min = 0.4, max = 1000))]
    pub frequency_khz: f64,
    /// Source level, dB re 1 uPa at 1 m.
    #[schemars(range(min = 0, max = 300))]
    pub source_level_db: f64,
    /// Level of the noise in the receiver's band, dB re 1 uPa.
    #[schemars(range(min = -200, max = 200))]
    pub noise_level_db: f64,
    /// Length of a pulse, ms.
    #[schemars(range(min = 0.001, max = 1000))]
    pub pulse_ms: f64,
    /// Width of a beam across its plane at half power: of a side scan along the track.
    #[schemars(range(min = 0.01, max = 180))]
    pub across_deg: f64,
    /// How its power falls off.
    pub pattern: PatternName,
    /// How many looks of speckle are averaged; 0: no speckle.
    #[schemars(range(min = 0, max = MAX_LOOKS))]
    pub looks: u32,
    /// Factor k of the display's k log r + 2 alpha r; `null`: levels as they are received.
    #[schemars(range(min = 0, max = 100))]
    pub tvg: Option<f64>,
    /// What the display adds, dB.
    #[schemars(range(min = -200, max = 200))]
    pub gain_db: f64,
    /// How far a beam must be above the noise to read a distance, dB.
    #[schemars(range(min = 0, max = 100))]
    pub threshold_db: f64,
    /// Absorption; `null`: that of the water at the frequency.
    #[schemars(range(min = 0, max = 10_000))]
    pub absorption_db_km: Option<f64>,
    /// Echoes by way of the surface, of `sss`, `fls` and `msis`; `null`: straight ways alone.
    pub multipath: Option<MultipathSpec>,
}

/// Echoes by way of the surface, as still water mirrors the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MultipathSpec {
    /// Standard deviation of the surface's height: waves take from what is mirrored.
    #[schemars(range(min = 0, max = 100))]
    pub roughness_m: f64,
    /// What the bottom takes from sound that it mirrors, dB: of the second return alone.
    #[schemars(range(min = 0, max = 200))]
    pub bottom_loss_db: f64,
}

impl Default for MultipathSpec {
    fn default() -> Self {
        Self { roughness_m: 0.0, bottom_loss_db: 10.0 }
    }
}

impl Default for AcousticSpec {
    fn default() -> Self {
        let AcousticParams { source_level_db, noise_level_db, pulse_s, looks, tvg, gain_db, threshold_db, .. } =
            AcousticParams::default();
        Self {
            frequency_khz: 450.0,
            source_level_db,
            noise_level_db,
            pulse_ms: 1e3 * pulse_s,
            across_deg: 1.0,
            pattern: PatternName::Sinc,
            looks,
            tvg,
            gain_db,
            threshold_db,
            absorption_db_km: None,
            multipath: None,
        }
    }
}

/// A multibeam sonar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MultibeamSpec {
    /// Its name, without `-`: its table is `mbes-VEHICLE-NAME.csv`.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// What it reads.
    pub mode: SonarMode,
    /// Where it is on the vehicle; beams leave across its x, around its minus z.
    pub mount: MountSpec,
    /// Number of beams, from port to starboard.
    #[schemars(range(min = 1, max = 10_000))]
    pub beams: u32,
    /// Angle from the first beam to the last.
    #[schemars(range(min = 0, max = 180))]
    pub opening_deg: f64,
    /// How far it hears.
    #[schemars(range(min = 0.01, max = 100_000))]
    pub range_m: f64,
    /// Rays of a beam: it reads the mean distance of those that meet the bottom.
    #[schemars(range(min = 1, max = 1000))]
    pub rays_per_beam: u32,
    /// Width of a beam across the track, over which its rays are spread.
    #[schemars(range(min = 0, max = 90))]
    pub beam_width_deg: f64,
    /// Its sound.
    pub acoustic: AcousticSpec,
    /// Whether its table has classes of what beams met.
    pub classes: bool,
    /// Whether its table has numbers that tell apart what beams met: 1 the bottom, from 2 on vehicles, then objects and ropes.
    pub instances: bool,
    /// Whether places that its rays met are written to `points-mbes-VEHICLE-NAME.csv`.
    pub points: bool,
    /// Whether its table has a row a beam, not a row a ping.
    pub long: bool,
    /// When it pings and what goes wrong, in m.
    #[serde(deserialize_with = "block::<PING_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for MultibeamSpec {
    fn default() -> Self {
        let MultibeamParams { beams, opening_rad, range_m, rays_per_beam, beam_width_rad, .. } =
            MultibeamParams::default();
        Self {
            name: "main".to_owned(),
            mode: SonarMode::Rays,
            mount: MountSpec::default(),
            beams,
            opening_deg: opening_rad.to_degrees(),
            range_m,
            rays_per_beam,
            beam_width_deg: beam_width_rad.to_degrees(),
            acoustic: AcousticSpec::default(),
            classes: false,
            instances: false,
            points: false,
            long: false,
            sensing: every_ms(PING_MS),
        }
    }
}

/// An echo sounder with one beam: it reads the least distance of its rays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SingleBeamSpec {
    /// Its name, without `-`: its table is `singlebeam-VEHICLE-NAME.csv`.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// What it reads.
    pub mode: SonarMode,
    /// Where it is on the vehicle; the beam leaves along its minus z.
    pub mount: MountSpec,
    /// How far it hears.
    #[schemars(range(min = 0.01, max = 100_000))]
    pub range_m: f64,
    /// Rays of the beam, side by side across its x.
    #[schemars(range(min = 1, max = 1000))]
    pub rays_per_beam: u32,
    /// Width of the beam, over which its rays are spread.
    #[schemars(range(min = 0, max = 90))]
    pub beam_width_deg: f64,
    /// Its sound.
    pub acoustic: AcousticSpec,
    /// Whether its table has classes of what it met.
    pub classes: bool,
    /// Whether its table has a number that tells apart what it met: 1 the bottom, from 2 on vehicles, then objects and ropes.
    pub instances: bool,
    /// When it pings and what goes wrong, in m.
    #[serde(deserialize_with = "block::<PING_MS, _>")]
    pub sensing: SensingSpec,
}

impl Default for SingleBeamSpec {
    fn default() -> Self {
        let MultibeamSpec { name, mode, mount, range_m, acoustic, classes, instances, sensing, .. } =
            MultibeamSpec::default();
        let (rays_per_beam, beam_width_deg) = (16, 6.0);
        Self { name, mode, mount, range_m, rays_per_beam, beam_width_deg, acoustic, classes, instances, sensing }
    }
}

impl From<&SingleBeamSpec> for MultibeamSpec {
    fn from(spec: &SingleBeamSpec) -> Self {
        let SingleBeamSpec { name, mode, mount, range_m, rays_per_beam, beam_width_deg, acoustic, sensing, .. } =
            spec.clone();
        let SingleBeamSpec { classes, instances, .. } = *spec;
        let (beams, opening_deg) = (1, 0.0);
        let own = Self { name, mode, mount, range_m, rays_per_beam, beam_width_deg, acoustic, ..Self::default() };
        Self { beams, opening_deg, classes, instances, sensing, ..own }
    }
}

/// When a sonar pings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PingSpec {
    /// Time from one ping to the next, whole ms.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every_ms: u64,
    /// Time of the first ping, whole ms.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub phase_ms: u64,
    /// Time from a ping to its arrival, whole ms.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub delay_ms: u64,
    /// Share of pings that never arrive.
    #[schemars(range(min = 0, max = 1))]
    pub loss: f64,
}

impl Default for PingSpec {
    fn default() -> Self {
        Self { every_ms: PING_MS, phase_ms: 0, delay_ms: 0, loss: SensorParams::default().loss }
    }
}

impl PingSpec {
    pub(super) fn sensing(&self) -> SensingSpec {
        let Self { every_ms, phase_ms, delay_ms, loss } = *self;
        SensingSpec { every_ms, phase_ms, delay_ms, loss, ..SensingSpec::default() }
    }
}

/// What the SMaRC simulator's sonars do otherwise, in the mode `rays`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CompatSpec {
    /// Rays that meet nothing are heard in the first bin, without a return.
    pub misses_in_first: bool,
    /// Levels beyond the largest begin again at 0.
    pub levels_wrap: bool,
    /// Rays return what they returned in the ping before, at the distances of this one.
    pub returns_of_previous: bool,
}

/// A sonar that reads levels over distance: a side scan, one that looks forward, or one whose beam turns. A key that does nothing for its
/// kind is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ImagingSpec {
    /// Its name, without `-`: it is part of that of its table.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// What it reads.
    pub mode: SonarMode,
    /// Where it is on the vehicle and which way its x looks.
    pub mount: MountSpec,
    /// Of `sss`, false unless given: whether its table has the angles at which bins were heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub interferometric: Option<bool>,
    /// Of `fls`, 64 unless given: number of beams, from port to starboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 10_000))]
    pub beams: Option<u32>,
    /// Of `fls`, 30 unless given: angle from the first beam to the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 360))]
    pub width_deg: Option<f64>,
    /// Of `msis`, 1.8 unless given: angle by which the beam turns from ping to ping.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.1, max = 360))]
    pub step_deg: Option<f64>,
    /// Of `msis`, 360 unless given: sector that it turns through, back and forth about its x; all round with 360.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.1, max = 360))]
    pub sector_deg: Option<f64>,
    /// Rays of a beam, from the tilt down.
    #[schemars(range(min = 1, max = 100_000))]
    pub rays_per_beam: u32,
    /// Angle from the first ray of a beam to the last.
    #[schemars(range(min = 0, max = 180))]
    pub opening_deg: f64,
    /// Angle of the highest ray of a beam below the sensor's level.
    #[schemars(range(min = -90, max = 90))]
    pub tilt_deg: f64,
    /// How far it hears.
    #[schemars(range(min = 0.01, max = 100_000))]
    pub range_m: f64,
    /// Bins of a beam.
    #[schemars(range(min = 1, max = 20_000))]
    pub bins: u32,
    /// Bits of a level: 8 or 16 for whole numbers from 0, 32 for the level itself.
    #[schemars(range(min = 8, max = 32))]
    pub bits: u32,
    /// Levels that 0 and the largest number of 8 or 16 bits stand for in the mode `acoustic`, dB.
    #[schemars(inner(range(min = -300, max = 400)))]
    pub display_db: [f64; 2],
    /// Factor of returns in the mode `rays`.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub gain: f64,
    /// Standard deviation of the distance at which a ray is heard, in the mode `rays`.
    #[schemars(range(min = 0, max = 1000))]
    pub distance_std_m: f64,
    /// Mean error of that distance.
    #[schemars(range(min = -1000, max = 1000))]
    pub distance_bias_m: f64,
    /// What the original does otherwise.
    pub compat: CompatSpec,
    /// Width of a beam in its plane at half power, in the mode `acoustic`.
    #[schemars(range(min = 0.01, max = 180))]
    pub beam_width_deg: f64,
    /// Its sound.
    pub acoustic: AcousticSpec,
    /// Whether its table has classes of what was met.
    pub classes: bool,
    /// Whether its table has numbers that tell apart what was met: 1 the bottom, from 2 on vehicles, then objects and ropes.
    pub instances: bool,
    /// Whether places that its rays met are written to a table of their own, `points-...`.
    pub points: bool,
    /// Whether its table has a row a bin, not a row a ping or beam.
    pub long: bool,
    /// When it pings.
    pub sensing: PingSpec,
}

impl Default for ImagingSpec {
    fn default() -> Self {
        let ImagingParams { rays_per_beam, opening_rad, tilt_rad, range_m, buckets, gain, distance_error_m, .. } =
            ImagingParams::default();
        Self {
            name: "main".to_owned(),
            mode: SonarMode::Rays,
            mount: MountSpec::default(),
            interferometric: None,
            beams: None,
            width_deg: None,
            step_deg: None,
            sector_deg: None,
            rays_per_beam,
            opening_deg: opening_rad.to_degrees(),
            // A twelfth of pi is a rounding off 15 degrees.
            tilt_deg: (1e9 * tilt_rad.to_degrees()).round() / 1e9,
            range_m,
            bins: buckets,
            bits: 8,
            display_db: [20.0, 120.0],
            gain,
            distance_std_m: distance_error_m[1],
            distance_bias_m: distance_error_m[0],
            compat: CompatSpec::default(),
            beam_width_deg: 50.0,
            acoustic: AcousticSpec::default(),
            classes: false,
            instances: false,
            points: false,
            long: false,
            sensing: PingSpec::default(),
        }
    }
}

/// Materials as sonars hear them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MaterialName {
    /// Rock.
    Rock,
    /// Mud.
    #[default]
    Mud,
    /// Algae.
    Algae,
    /// A buoy.
    Buoy,
    /// A rope.
    Rope,
    /// Anything else.
    Other,
}

impl MaterialName {
    pub(super) fn material(self) -> Material {
        match self {
            Self::Rock => Material::Rock,
            Self::Mud => Material::Mud,
            Self::Algae => Material::Algae,
            Self::Buoy => Material::Buoy,
            Self::Rope => Material::Rope,
            Self::Other => Material::Other,
        }
    }
}

/// What sonars look at beside the terrain and the hulls of other vehicles. Hulls pass through it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SonarSpec {
    /// What the bottom is made of.
    pub bottom: MaterialName,
    /// What a square metre of a material returns in the mode `acoustic`; by Lambert with -27 dB unless it is given.
    pub scattering: BTreeMap<MaterialName, ScatteringSpec>,
    /// Objects, such as wrecks, at places in the world or on vehicles.
    #[schemars(length(max = 1000))]
    pub objects: Vec<ObjectSpec>,
    /// Ropes and tethers, as chains of capsules.
    #[schemars(length(max = 1000))]
    pub ropes: Vec<RopeSpec>,
    /// What the hulls of vehicles are made of, by their names: `other` unless given, of a `buoy` `buoy`.
    pub hulls: BTreeMap<String, MaterialName>,
    /// Small targets, heard in the mode `acoustic` by sonars that read levels over distance.
    #[schemars(length(max = 1000))]
    pub targets: Vec<TargetSpec>,
    /// A map of the bottom out of what multibeams and echo sounders read, at the places where vehicles believe to be; `null`: none.
    pub map: Option<MapSpec>,
}

impl SonarSpec {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What a square metre returns: one of its keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScatteringSpec {
    /// By Lambert: the level at right angles, dB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -200, max = 60))]
    pub lambert_db: Option<f64>,
    /// Grazing angles, degrees, in ascending order, each with a level, dB; linear between, even beyond.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<[f64; 2]>", length(min = 1, max = 1000), inner(inner(range(min = -200, max = 90))))]
    pub table: Option<Vec<[f64; 2]>>,
}

/// An object on the bottom: exactly one of `box_m`, `mesh_file` and `mesh`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectSpec {
    /// Vehicle whose shape it is: it moves with that vehicle, along the vehicle's axes, and sonars meet it in place of the hull's capsules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub vehicle: Option<String>,
    /// Its place: that of the middle of a box, of the origin of a mesh.
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub position_m: [f64; 3],
    /// How it is turned, from east towards north.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
    /// What it is made of.
    #[serde(default = "other")]
    pub material: MaterialName,
    /// A box: length, width and height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 3]", inner(range(min = 0.001, max = 100_000)))]
    pub box_m: Option<[f64; 3]>,
    /// A mesh in m, an `.obj` or `.stl` file relative to the scenario. It is read into `mesh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub mesh_file: Option<String>,
    /// Corners and triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MeshSpec")]
    pub mesh: Option<MeshSpec>,
}

fn other() -> MaterialName {
    MaterialName::Other
}

/// A rope: capsules from each of its places to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RopeSpec {
    /// Places along it.
    #[schemars(length(min = 2, max = 1000))]
    pub points: Vec<RopePointSpec>,
    /// Radius of the rope.
    #[schemars(range(min = 0.001, max = 100))]
    pub radius_m: f64,
    /// What it is made of.
    #[serde(default = "rope")]
    pub material: MaterialName,
}

/// A place along a rope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RopePointSpec {
    /// Vehicle that it is tied to: then the place is along that vehicle's axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub vehicle: Option<String>,
    /// Place in the world, or on the vehicle.
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub position_m: [f64; 3],
}

fn rope() -> MaterialName {
    MaterialName::Rope
}

/// Most corners and triangles of a mesh that a scenario holds.
pub(super) const MESH_MAX: usize = 200_000;

/// A closed surface of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshSpec {
    /// Places of the corners.
    #[schemars(length(min = 3, max = MESH_MAX), inner(inner(range(min = -FAR_M, max = FAR_M))))]
    pub vertices_m: Vec<[f64; 3]>,
    /// Numbers of the three corners of each triangle, counter-clockwise seen from outside.
    #[schemars(length(min = 1, max = MESH_MAX), inner(inner(range(min = 0, max = MESH_MAX))))]
    pub triangles: Vec<[u32; 3]>,
}

/// A small target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetSpec {
    /// Place of the target.
    #[schemars(inner(range(min = -FAR_M, max = FAR_M)))]
    pub position_m: [f64; 3],
    /// Its strength, dB: of a rigid sphere of radius a, 20 log(a/2).
    #[schemars(range(min = -200, max = 100))]
    pub strength_db: f64,
}

/// A map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MapSpec {
    /// Side of its cells.
    #[schemars(range(min = 0.01, max = 10_000))]
    pub cell_m: f64,
}

impl Default for MapSpec {
    fn default() -> Self {
        Self { cell_m: 5.0 }
    }
}
