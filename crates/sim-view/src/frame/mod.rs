//! What is where at a moment of a run: of one on the mat here, of one on the road in [`road`].
//!
//! [`FrameReader`] reads a moment from the tables. Places between two rows are linear between them and headings turn the short way;
//! everything else (velocities, states, distances) is that of the nearer row. A foot's way ahead is where the table says it went; beyond
//! the last row it goes on as fast as it was. A violation stays for half a second, so that one between two rows is seen.

mod ahead;
mod reader;
pub mod road;
mod so_far;
mod track;
mod violations;

pub use reader::FrameReader;

use crate::folder::{AgentRow, CubeRow, FootRow};
use std::collections::BTreeSet;
use swarm_field::{Forecast, Hill};

/// A moment of a run on the mat.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The moment.
    pub time_s: f64,
    /// The step of the nearest row.
    pub step: u64,
    /// Robots, by number: their rows, moved to the moment.
    pub robots: Vec<AgentRow>,
    /// Feet, by number.
    pub feet: Vec<Foot>,
    /// Patches, by number.
    pub patches: Vec<Patch>,
    /// Cubes, by number: their rows, moved to the moment.
    pub cubes: Vec<CubeRow>,
    /// Cubes whose client was told that the button is down.
    pub pressed: BTreeSet<u64>,
    /// Distances that are broken, or were shortly before, as `events.csv` has it: those between rows too.
    pub violations: Vec<Violation>,
    /// What happened until then.
    pub so_far: SoFar,
}

/// A foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// Its row, moved to the moment.
    pub row: FootRow,
    /// Where it goes, from now to the end of the field's window, at even times.
    pub ahead: Forecast,
}

/// A patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Its number.
    pub id: u64,
    /// Where it is, how wide and how high.
    pub hill: Hill,
}

/// Two that are too near to each other, or were.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Number of the robot.
    pub robot: u64,
    /// Whom it came too near to.
    pub other: Other,
    /// True once they are apart again.
    pub is_over: bool,
    /// The smallest distance, which is known once it is over.
    pub least_mm: Option<f64>,
}

/// Whom a robot came too near to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// Another robot.
    Robot(u64),
    /// A foot.
    Foot(u64),
}

/// What happened from the start up to a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoFar {
    /// Smallest distance between two robots.
    pub robot_robot_mm: Option<f64>,
    /// Smallest distance between a robot and a foot.
    pub robot_foot_mm: Option<f64>,
    /// How often two robots came too near to each other.
    pub robot_violations: u64,
    /// How often a robot and a foot did.
    pub foot_violations: u64,
}
