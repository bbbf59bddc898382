//! `scenario.json` of the mat, as far as a picture needs it. Keys that are not named here are left to whoever reads the text.

use serde::{Deserialize, Serialize};

/// The scenario of a run on the mat, every default written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatScenario {
    /// Name.
    pub name: String,
    /// Steps a second.
    pub step_hz: u32,
    /// Steps that were asked for.
    pub steps: u64,
    /// The mat.
    pub mat: MatSpec,
    /// The feet.
    pub feet: FeetSpec,
    /// The patches.
    pub patches: CountSpec,
    /// The potential.
    pub field: FieldSpec,
    /// The robots.
    pub agents: AgentsSpec,
    /// Distances to keep.
    pub safety: SafetySpec,
    /// What robots can do.
    pub limits: LimitsSpec,
    /// The cubes.
    #[serde(default)]
    pub cubes: Vec<CubeSpec>,
    /// The cards on the plane.
    #[serde(default)]
    pub cards: Vec<CardSpec>,
    /// How the tables were written.
    pub trace: TraceSpec,
}

/// A group of which only the number matters here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountSpec {
    /// How many.
    pub count: u64,
}

/// The mat: a rectangle from the origin, with what is printed and what stands on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatSpec {
    /// Extent along x.
    pub width_mm: f64,
    /// Extent along y.
    pub height_mm: f64,
    /// Printed mats on it.
    #[serde(default)]
    pub printed: Vec<PrintedSpec>,
    /// Dots a metre of the printed mats.
    #[serde(default = "standard_dot_per_m")]
    pub dot_per_m: f64,
    /// Walls on it.
    #[serde(default)]
    pub walls: Vec<WallSpec>,
}

fn standard_dot_per_m() -> f64 {
    411.0 / 0.56
}

/// A printed mat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedSpec {
    /// Name of the kind.
    pub kind: String,
    /// Middle of the sheet.
    pub x_mm: f64,
    /// Middle of the sheet.
    pub y_mm: f64,
    /// How far it is turned, clockwise seen from above.
    pub yaw_deg: f64,
    /// First and last dot of a custom mat, [x1, y1, x2, y2].
    #[serde(default)]
    pub range_dot: Option<[u16; 4]>,
}

/// A wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallSpec {
    /// One end of its middle line.
    pub from_mm: [f64; 2],
    /// The other end.
    pub to_mm: [f64; 2],
    /// Thickness.
    pub thickness_mm: f64,
}

/// The feet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeetSpec {
    /// How many.
    pub count: u64,
    /// Where they may go: `core`, `edge` or `full`.
    pub travel: String,
    /// `stubborn` or `considerate`.
    pub manner: String,
    /// How far `core` and the corners of `edge` are from the mat's edge.
    pub core_inset_mm: f64,
}

/// The potential.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldSpec {
    /// Height of everything.
    pub lambda_rho: f64,
    /// How fast later times count less.
    pub beta_per_s: f64,
    /// How far ahead feet count.
    pub window_s: f64,
    /// Largest side of a cell of the simulator's grid.
    pub cell_mm: f64,
    /// Standard deviation of a resting foot's well.
    pub sigma_mm: f64,
    /// How much a well grows along the motion, as time.
    pub stretch_s: f64,
}

/// The robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentsSpec {
    /// How many.
    pub count: u64,
    /// `point`, `differential` or `cube`.
    pub drive: String,
}

/// Distances to keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SafetySpec {
    /// Between a robot's centre and a foot's.
    pub d_h_mm: f64,
    /// Between the centres of two robots.
    pub d_r_mm: f64,
    /// Between a robot's centre and the edge of the mat.
    pub wall_margin_mm: f64,
    /// Name of the filter.
    pub filter: String,
}

/// What robots can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitsSpec {
    /// Largest speed.
    pub v_max_mm_s: f64,
    /// Largest acceleration.
    pub a_max_mm_s2: f64,
    /// Largest turn rate.
    pub omega_max_rad_s: f64,
}

/// A cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeSpec {
    /// Its name; empty if it has none.
    #[serde(default)]
    pub name: Option<String>,
}

/// A card on the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardSpec {
    /// Name of the item that is printed on it; none for a card of its own value.
    #[serde(default)]
    pub item: Option<String>,
    /// Standard ID of a card without an item.
    #[serde(default)]
    pub value: Option<u32>,
    /// Its sides, if they are not the item's own.
    #[serde(default)]
    pub size_mm: Option<[f64; 2]>,
    /// Its middle.
    pub x_mm: f64,
    /// Its middle.
    pub y_mm: f64,
    /// How far it is turned, clockwise seen from above.
    #[serde(default)]
    pub yaw_deg: f64,
}

/// How the tables were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSpec {
    /// Steps between two rows, unless the command line said otherwise: the tables themselves know.
    pub every: u64,
}
