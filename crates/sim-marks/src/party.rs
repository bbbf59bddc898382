//! What moves, and the range finders that it carries.

use serde::{Deserialize, Serialize};

/// A coordinate: a number or a column of the row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Coord {
    /// The same for all.
    Fixed(f64),
    /// A column.
    Column(String),
}

impl From<f64> for Coord {
    fn from(number: f64) -> Self {
        Self::Fixed(number)
    }
}

impl From<&str> for Coord {
    fn from(column: &str) -> Self {
        Self::Column(column.into())
    }
}

/// A place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// To the right in a plan.
    pub x: Coord,
    /// Across.
    pub y: Coord,
    /// Upwards.
    pub z: Coord,
}

impl Place {
    /// A place on the plane.
    #[must_use]
    pub fn plane(x: impl Into<Coord>, y: impl Into<Coord>) -> Self {
        Self { x: x.into(), y: y.into(), z: Coord::Fixed(0.0) }
    }
}

/// What moves: the owners of a sampled stream. Between two rows places and `linear` columns are linear, angles turn the short way, and
/// everything else is that of the nearer row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    /// Its stream.
    pub stream: String,
    /// One of them in words: `robot`.
    pub one: String,
    /// Many of them in words: `robots`.
    pub many: String,
    /// Where they are.
    pub place: Place,
    /// Columns of yaw, pitch (front up) and roll (the side of larger y down), as far as there are any. In a right-handed view, pitch and
    /// roll are positive the other way.
    pub angles: Vec<String>,
    /// Columns of the velocity along x and y.
    pub velocity: Option<[String; 2]>,
    /// Further columns that are linear between two rows.
    pub linear: Vec<String>,
    /// Nothing lies between two rows in which this column differs: another one has taken the number.
    pub while_same: Option<String>,
    /// Names of the owners, by number; empty where they have none. A name stands in place of `one` and the number in what people read.
    pub names: Vec<String>,
    /// How near a click must be to mean one of them; none if they cannot be followed.
    pub reach: Option<f64>,
    /// Whether they come and go: at a moment, or in a whole run, there may be no row of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_sparse: bool,
}

impl Party {
    /// The owners of a stream, in words one and many of them, where they are; nothing else is known of them.
    #[must_use]
    pub fn new(stream: &str, [one, many]: [&str; 2], place: Place) -> Self {
        Self {
            stream: stream.into(),
            one: one.into(),
            many: many.into(),
            place,
            angles: Vec::new(),
            velocity: None,
            linear: Vec::new(),
            while_same: None,
            names: Vec::new(),
            reach: None,
            is_sparse: false,
        }
    }

    /// The same of a sparse stream.
    #[must_use]
    pub fn sparse(self) -> Self {
        Self { is_sparse: true, ..self }
    }

    /// The name of an owner, if it has one.
    #[must_use]
    pub fn name_of(&self, owner: u64) -> Option<&str> {
        let name = usize::try_from(owner).ok().and_then(|owner| self.names.get(owner))?;
        (!name.is_empty()).then_some(name)
    }
}

/// A range finder on each owner of a party, whose newest scan is shown from where it was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scanner {
    /// Its stream of scans, with the owner in the party's numbers.
    pub stream: String,
    /// Stream of the party that carries it.
    pub on: String,
    /// Column of the time at which a scan was taken.
    pub taken: String,
    /// Column of the ranges; missing where nothing came back, minus infinity where it was too near.
    pub ranges: String,
    /// Column of the ray's number, where each ray has a row.
    pub ray: Option<String>,
    /// Where it is mounted on whom.
    pub mounts: Vec<Mount>,
}

/// A range finder on its carrier. Ray `k` leaves at `first_rad + k step_rad`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mount {
    /// Number of the carrier.
    pub owner: u64,
    /// Place in the carrier's axes.
    pub at: [f64; 2],
    /// Angle of the first ray from the carrier's x axis.
    pub first_rad: f64,
    /// Angle between two rays.
    pub step_rad: f64,
    /// True if the rays go all round.
    pub is_full_turn: bool,
    /// What is nearer counts as this range.
    pub least: f64,
}
