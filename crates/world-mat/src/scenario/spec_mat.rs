//! The sections `mat`, `cards` and `magnets` of a scenario file: what lies and stands on the plane.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::{card_names, mat_names};
use super::spec_standing::BorderSpec;
use toio_mat::{Card, MatScale};
use toio_physics::{BodyParams, PhysicsParams, Wall};

/// The mat: the rectangle on which the swarm lives, what is printed, and what cubes roll on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MatSpec {
    /// Extent of the mat along x.
    #[schemars(range(min = 100, max = 100_000))]
    pub width_mm: f64,
    /// Extent of the mat along y.
    #[schemars(range(min = 100, max = 100_000))]
    pub height_mm: f64,
    /// The printed mats that cubes can read, the lowest first; they may lie anywhere on the plane.
    #[schemars(length(max = 1000))]
    pub printed: Vec<PrintedMatSpec>,
    /// Dots on a metre of every printed mat: 733.93, which the published simulators use; A3 sheets have 726.19.
    #[schemars(range(min = MatScale::DOT_PER_M[0], max = MatScale::DOT_PER_M[1]))]
    pub dot_per_m: f64,
    /// How far the whole plane is tilted.
    #[schemars(range(min = 0, max = PhysicsParams::MAX_TILT_DEG))]
    pub tilt_deg: f64,
    /// The heading that points downhill when the plane is tilted.
    #[schemars(range(min = -360, max = 360))]
    pub downhill_deg: f64,
    /// Walls that cubes run into, and that robots, feet and points of interest keep out of.
    #[schemars(length(max = 1000))]
    pub walls: Vec<WallSpec>,
    /// Obstacles of any outline, such as pillars: the same as walls to all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub obstacles: Vec<ObstacleSpec>,
    /// What is at the border of plane, printed mats and walls; left out: `none`.
    #[serde(skip_serializing_if = "BorderSpec::is_none")]
    pub border: BorderSpec,
    /// How cubes and ground rub and bounce.
    pub contact: ContactSpec,
}

impl Default for MatSpec {
    fn default() -> Self {
        Self {
            width_mm: 400.0,
            height_mm: 400.0,
            printed: Vec::new(),
            dot_per_m: MatScale::default().dot_per_m(),
            tilt_deg: 0.0,
            downhill_deg: 0.0,
            walls: Vec::new(),
            obstacles: Vec::new(),
            border: BorderSpec::None,
            contact: ContactSpec::default(),
        }
    }
}

/// A printed mat and where it lies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrintedMatSpec {
    /// Which mat it is.
    #[schemars(schema_with = "mat_names")]
    pub kind: String,
    /// Where its middle lies on the plane, along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_mm: f64,
    /// Where its middle lies on the plane, along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_mm: f64,
    /// By how much it is turned, clockwise seen from above.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
    /// What is printed on a `custom` mat: the corners [x1, y1, x2, y2], both of them printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[u16; 4]", inner(range(min = 0, max = 65_534)))]
    pub range_dot: Option<[u16; 4]>,
    /// The mat can be moved and taken away while the world runs, by rows of the input stream `mats`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub movable: bool,
    /// The mat can be moved, and begins beside the table: no cube reads it before a row brings it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub away: bool,
}

/// A straight wall that stands on the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallSpec {
    /// One end of its middle line, [x, y].
    #[schemars(inner(range(min = -100_000, max = 100_000)))]
    pub from_mm: [f64; 2],
    /// The other end, [x, y].
    #[schemars(inner(range(min = -100_000, max = 100_000)))]
    pub to_mm: [f64; 2],
    /// Height above the mat.
    #[serde(default = "default_wall_height_mm")]
    #[schemars(range(min = 1000.0 * Wall::SIZE_M[0], max = 1000.0 * Wall::SIZE_M[1]))]
    pub height_mm: f64,
    /// Thickness of the wall.
    #[serde(default = "default_wall_thickness_mm")]
    #[schemars(range(min = 1000.0 * Wall::SIZE_M[0], max = 1000.0 * Wall::SIZE_M[1]))]
    pub thickness_mm: f64,
    /// The wall can be moved and taken away while the world runs, by rows of the input stream `walls`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub movable: bool,
    /// The wall can be moved, and begins beside the table: no cube runs into it before a row brings it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub away: bool,
}

/// An obstacle that stands on the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleSpec {
    /// Corners of its outline, [x, y] each, in their order round it; the outline must not cross itself.
    #[schemars(length(min = 3, max = 200), inner(inner(range(min = -100_000, max = 100_000))))]
    pub corners_mm: Vec<[f64; 2]>,
    /// Height above the mat.
    #[serde(default = "default_wall_height_mm")]
    #[schemars(range(min = 1000.0 * Wall::SIZE_M[0], max = 1000.0 * Wall::SIZE_M[1]))]
    pub height_mm: f64,
}

pub(super) fn default_wall_height_mm() -> f64 {
    50.0
}

pub(super) fn default_wall_thickness_mm() -> f64 {
    10.0
}

/// What bodies are like. None of it is published; `docs/models/contact.md` gives the reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSpec {
    /// Mass of a cube.
    #[schemars(range(min = 1000.0 * BodyParams::MASS_KG[0], max = 1000.0 * BodyParams::MASS_KG[1]))]
    pub mass_g: f64,
    /// Friction of tyre on mat.
    #[schemars(range(min = BodyParams::FRICTION[0], max = BodyParams::FRICTION[1]))]
    pub tyre_friction: f64,
    /// What a tyre whose motor stands still holds against, at most `tyre_friction`; left out: 0.2, or `tyre_friction` if that is less.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 2))]
    pub resting_friction: Option<f64>,
    /// Friction of body on mat.
    #[schemars(range(min = BodyParams::FRICTION[0], max = BodyParams::FRICTION[1]))]
    pub skid_friction: f64,
    /// Friction of a body on another body and on walls.
    #[schemars(range(min = BodyParams::SIDE_FRICTION[0], max = BodyParams::SIDE_FRICTION[1]))]
    pub side_friction: f64,
    /// Share of the approach speed that comes back when bodies or walls meet.
    #[schemars(range(min = BodyParams::RESTITUTION[0], max = BodyParams::RESTITUTION[1]))]
    pub restitution: f64,
    /// Steps of the physics engine in a step of the simulation.
    #[schemars(range(min = PhysicsParams::SUBSTEPS[0], max = PhysicsParams::SUBSTEPS[1]))]
    pub substeps: u32,
}

impl Default for ContactSpec {
    fn default() -> Self {
        let body = BodyParams::default();
        Self {
            mass_g: 1000.0 * body.mass_kg,
            tyre_friction: body.tyre_friction,
            resting_friction: None,
            skid_friction: body.skid_friction,
            side_friction: body.side_friction,
            restitution: body.restitution,
            substeps: PhysicsParams::default().substeps,
        }
    }
}

/// A card, sticker or other item with a Standard ID. Cards lie on top of mats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CardSpec {
    /// Which item it is; or `value` for one of your own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "card_names")]
    pub item: Option<String>,
    /// Standard ID of a print of your own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 0, max = u32::MAX))]
    pub value: Option<u32>,
    /// Width and height of a print of your own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]", inner(range(min = Card::SIDE_MM[0], max = Card::SIDE_MM[1])))]
    pub size_mm: Option<[f64; 2]>,
    /// Where its middle lies on the plane, along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_mm: f64,
    /// Where its middle lies on the plane, along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_mm: f64,
    /// By how much it is turned, clockwise seen from above.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
    /// The card can be moved and taken away while the world runs, by rows of the input stream `cards`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub movable: bool,
    /// The card can be moved, and begins beside the table: no cube reads it before a row brings it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub away: bool,
}

/// What magnet it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MagnetKindSpec {
    /// Neodymium N40, 4 x 4 x 2 mm, magnetised through the 2 mm: the one that the states are documented for.
    Reference,
    /// The stock magnet of the Unity simulator, as strong as that simulator takes it to be.
    UnityStock,
}

/// A magnet on the plane or on a cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MagnetSpec {
    /// What magnet it is.
    #[serde(default = "default_magnet")]
    pub kind: MagnetKindSpec,
    /// Flux of each of the nine charges of its north face, in Mx; left out: that of its kind, 224.9 or 130.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 10_000))]
    pub charge_mx: Option<f64>,
    /// Distance of each face from its middle; left out: that of its kind, 1 or 0.6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.1, max = 20))]
    pub half_length_mm: Option<f64>,
    /// Distance between neighbouring charges of a face; left out: that of its kind, 1.414 or 1.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 10))]
    pub pitch_mm: Option<f64>,
    /// The cube that carries it; `null`: it has a fixed place.
    #[serde(default)]
    pub cube: Option<String>,
    /// Its middle: on the plane [x, y, height]; on a cube [forward, right, down] from the middle of the body, which is 11.2 mm high.
    #[schemars(inner(range(min = -100_000, max = 100_000)))]
    pub at_mm: [f64; 3],
    /// Where its north pole points, in the same axes; any length but 0.
    #[serde(default = "default_north")]
    #[schemars(inner(range(min = -1000, max = 1000)))]
    pub north: [f64; 3],
}

fn default_magnet() -> MagnetKindSpec {
    MagnetKindSpec::Reference
}

fn default_north() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}
