//! From where a world is seen, and how much of it.
//!
//! A projection without z is a plan, one with z a side view. What a mark draws in either stands beside it.

use serde::{Deserialize, Serialize};

/// A picture of the world along one of its axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Projection {
    /// What it is: `plan`, `side`.
    pub name: String,
    /// The axes to the right and across.
    pub axes: [Axis; 2],
    /// True if the second axis points up in the picture.
    pub is_up: bool,
    /// What is seen.
    pub area: Area,
    /// Height of the picture as a share of its width: the second axis has a scale of its own. None: both axes have the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
}

/// An axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// To the right in a plan.
    X,
    /// Across.
    Y,
    /// Upwards.
    Z,
}

/// A part of a plane: a rectangle, made larger so that it holds all places of some parties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Least and largest corner of what does not move.
    pub fixed: Option<[[f64; 2]; 2]>,
    /// Streams of parties whose places it holds in the whole run, and how far each owner reaches, by number; the last one for all others.
    pub holds: Vec<(String, Vec<f64>)>,
    /// Clearance round all of it, as a share of the longer side, and the least of it as a length. Where the second axis has a scale of
    /// its own, as a share of each side.
    pub margin: [f64; 2],
}
