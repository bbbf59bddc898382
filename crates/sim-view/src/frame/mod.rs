//! What is where at a moment of a run.
//!
//! [`FrameReader`] reads a moment from the tables that the view names. Places between two rows are linear between them and angles turn the
//! short way; everything else is that of the nearer row. The way ahead is where the table tells that the owner went; beyond the last row
//! it goes on as fast as it was. A broken limit stays for half a second, so that one between two rows is seen.

mod ahead;
mod breaks;
mod events;
mod figures;
mod flags;
mod party;
mod reader;
mod scans;
mod so_far;
mod track;

pub(crate) use figures::Teller;
pub use figures::{Value, text_of};
pub use reader::FrameReader;
pub use scans::Scan;

use sim_core::{DVec2, DVec3};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Places that are farther from 0 are refused, in units of the plane: a thousand times the largest mat, and farther than any road.
pub const FARTHEST: f64 = 1e7;

/// A moment of a run. Lists are in the order of the view's.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The moment.
    pub time_s: f64,
    /// The step of the nearest row.
    pub step: u64,
    /// Owners of each party.
    pub parties: Vec<PartyFrame>,
    /// The newest scans of each scanner that have arrived.
    pub scans: Vec<Vec<Scan>>,
    /// Numbers of the owners for which each flag holds.
    pub flags: Vec<BTreeSet<u64>>,
    /// Who breaks each limit now, or did shortly before.
    pub breaks: Vec<Vec<Break>>,
    /// What has happened to each limit until then.
    pub so_far: Vec<SoFar>,
}

/// A party at a moment.
#[derive(Clone, Debug, Default)]
pub struct PartyFrame {
    /// Its owners, by number.
    pub actors: Vec<Actor>,
    /// Texts of the rows, by place.
    pub texts: Arc<Vec<String>>,
    /// Names of the limits that the party must keep, and where their columns stand in a row.
    pub limited: Vec<(String, usize)>,
}

/// An owner at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// Its number.
    pub id: u64,
    /// Where it is.
    pub place: DVec3,
    /// Yaw, pitch (front up) and roll (the side of larger y down); 0 where it has none.
    pub angles: [f64; 3],
    /// The row of the stream, moved to the moment. A missing value is not a number; a text is its place in [`PartyFrame::texts`].
    pub row: Vec<f64>,
    /// Where it was, oldest first, up to now.
    pub trail: Vec<DVec3>,
    /// Where it goes, from now on at even times.
    pub way: Way,
}

/// Places and velocities at even times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Way {
    /// Time between two of them.
    pub step_s: f64,
    /// The places.
    pub places: Vec<DVec3>,
    /// The velocities on the plane.
    pub velocities: Vec<DVec2>,
}

/// A limit that is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Break {
    /// Number of the owner that must keep the limit.
    pub owner: u64,
    /// Number of the other one, if it is a distance to another.
    pub other: Option<u64>,
    /// True once it is kept again.
    pub is_over: bool,
    /// The value that breaks it, or the worst one once it is over; none where only its beginning is known.
    pub value: Option<f64>,
}

/// What has happened to a limit from the start up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoFar {
    /// The worst value of its column.
    pub worst: Option<f64>,
    /// How often it was broken.
    pub times: u64,
}
