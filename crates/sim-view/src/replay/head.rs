//! The head of a page's data, as `page/data.js` reads it.

use serde::Serialize;
use sim_core::Rect;
use sim_world::view::View;
use std::collections::BTreeMap;

/// Where a column is, and how its numbers are meant.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnHead {
    pub name: String,
    pub decimals: u8,
    /// Numbers of one value.
    pub width: usize,
    /// What the numbers stand for, if they stand for words.
    pub words: Option<Vec<String>>,
    /// Where it begins among the columns' bytes.
    pub at: usize,
}

/// A table: for each column all rows of the first owner, then all of the next; of a value of many numbers, all rows of each number.
#[derive(Clone, Debug, Serialize)]
pub struct TableHead {
    pub owners: Vec<u64>,
    pub rows: usize,
    pub columns: Vec<ColumnHead>,
}

/// The tables that one film is made of.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TablesHead {
    /// Steps and times of the rows of sampled streams.
    pub frames: Option<TableHead>,
    /// Sampled streams, by name.
    pub sampled: BTreeMap<String, TableHead>,
    /// Streams whose rows have times of their own, by name: a table for each owner.
    pub events: BTreeMap<String, Vec<TableHead>>,
    /// Rows that are listed, by the name of their stream.
    pub logs: BTreeMap<String, TableHead>,
}

/// How a film is drawn, and the part of the plane that each projection shows: its least and its largest corner.
#[derive(Clone, Debug, Serialize)]
pub struct Scenery {
    pub view: View,
    pub areas: Vec<[[f64; 2]; 2]>,
}

impl Scenery {
    pub fn new(view: View, areas: impl IntoIterator<Item = Rect>) -> Self {
        let areas = areas.into_iter().map(|Rect { min, max }| [min.to_array(), max.to_array()]).collect();
        Self { view, areas }
    }
}

/// A line of the page's title.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    pub label: &'static str,
    pub value: String,
}

/// A measure.
#[derive(Clone, Debug, Serialize)]
pub struct Measure {
    pub metric: String,
    pub value: Option<f64>,
    pub unit: String,
    pub limit: Option<f64>,
    pub ok: Option<bool>,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    pub step: u64,
    pub time_s: f64,
    pub kind: String,
    pub subject: String,
    pub object: String,
    pub value: Option<f64>,
    pub unit: String,
}

/// What pages of runs and of batches share.
#[derive(Clone, Debug, Serialize)]
pub struct Common {
    pub title: String,
    pub complete: bool,
    pub facts: Vec<Fact>,
    pub notes: Vec<String>,
    pub summary: Vec<Measure>,
    /// All of `scenario.json`.
    pub scenario: serde_json::Value,
}

/// The head of a run's page.
#[derive(Clone, Debug, Serialize)]
pub struct RunHead {
    pub kind: &'static str,
    #[serde(flatten)]
    pub common: Common,
    #[serde(flatten)]
    pub scenery: Scenery,
    pub events: Vec<Event>,
    pub tables: TablesHead,
}
