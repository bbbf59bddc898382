//! Outlines, and the parts of bodies.

use super::{Condition, Ink};
use serde::{Deserialize, Serialize};

/// A polygon or a line by its corners.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The corners.
    pub points: Vec<[f64; 2]>,
    /// What is written on it.
    pub label: Option<String>,
}

/// A part of a body, in its axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its shape.
    pub shape: Shape,
    /// Fill and line.
    pub ink: Ink,
    /// The same in alarm.
    pub alarm: Option<Ink>,
    /// Column of an angle by which it is turned about a place.
    pub turn: Option<(String, [f64; 2])>,
    /// Drawn if one of these holds; always if there are none.
    pub when: Vec<Condition>,
}

/// A shape in a body's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A closed polygon.
    Polygon(Vec<[f64; 2]>),
    /// An open line.
    Line(Vec<[f64; 2]>),
    /// A disc by centre and radius.
    Disc([f64; 2], f64),
    /// A rectangle by least and largest corner, and the radius of its corners.
    Box([f64; 2], [f64; 2], f64),
    /// An upright convex prism by its outline, and its least and largest height: its silhouette, from any side.
    Prism(Vec<[f64; 2]>, [f64; 2]),
}
