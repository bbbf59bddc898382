//! What is where at a moment of a run.
//!
//! [`FrameReader`] reads a moment from the tables. Places between two rows are linear between them and headings turn the short way;
//! everything else (velocities, states, distances) is that of the nearer row. A foot's way ahead is where the table says it went; beyond
//! the last row it goes on as fast as it was.

mod ahead;
mod reader;
mod so_far;
mod track;

pub use reader::FrameReader;

use sim_core::DVec2;
use swarm_field::{Forecast, Hill};

/// A moment of a run.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The moment.
    pub time_s: f64,
    /// The step of the nearest row.
    pub step: u64,
    /// Robots, by number.
    pub robots: Vec<Robot>,
    /// Feet, by number.
    pub feet: Vec<Foot>,
    /// Patches, by number.
    pub patches: Vec<Patch>,
    /// Cubes, by number.
    pub cubes: Vec<Cube>,
    /// What happened until then.
    pub so_far: SoFar,
}

/// A robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// Its number.
    pub id: u64,
    /// Its centre.
    pub position_mm: DVec2,
    /// Its heading.
    pub heading_rad: f64,
    /// Its velocity.
    pub velocity_mm_s: DVec2,
    /// The velocity that it would have liked.
    pub wish_mm_s: DVec2,
    /// Distance to the nearest other robot.
    pub nearest_robot_mm: Option<f64>,
    /// Distance to the nearest foot.
    pub nearest_foot_mm: Option<f64>,
}

/// A foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// Its number.
    pub id: u64,
    /// `idle`, `move_out`, `roam`, `return` or `orbit`.
    pub state: String,
    /// Its centre.
    pub position_mm: DVec2,
    /// Its velocity.
    pub velocity_mm_s: DVec2,
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

/// A cube.
#[derive(Clone, Debug, PartialEq)]
pub struct Cube {
    /// Its number.
    pub id: u64,
    /// Middle of its body.
    pub position_mm: DVec2,
    /// Height above that of a cube that stands on the mat.
    pub z_mm: f64,
    /// Clockwise seen from above.
    pub yaw_rad: f64,
    /// Nose up.
    pub pitch_rad: f64,
    /// Right side down.
    pub roll_rad: f64,
    /// What it reads on a mat: dots and degrees.
    pub mat: Option<[f64; 3]>,
    /// Speeds of its tyres.
    pub wheels_mm_s: [f64; 2],
    /// Its lamp.
    pub lamp: [u8; 3],
    /// The note that sounds.
    pub note: Option<u8>,
    /// Whether its client was told that the button is down.
    pub button: bool,
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
