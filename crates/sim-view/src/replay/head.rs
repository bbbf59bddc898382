//! The head of a page's data, as `page/data.js` reads it.

use super::setting::Setting;
use serde::Serialize;

/// Where a column is, and how its numbers are meant.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnHead {
    pub name: &'static str,
    pub decimals: u8,
    /// What the numbers stand for, if they stand for words.
    pub words: Option<Vec<String>>,
    /// Where it begins among the columns' bytes.
    pub at: usize,
}

/// A table: for each column all rows of the first owner, then all of the next.
#[derive(Clone, Debug, Serialize)]
pub struct TableHead {
    pub owners: Vec<u64>,
    pub rows: usize,
    pub columns: Vec<ColumnHead>,
}

/// The scans of a car: when they arrived and were taken, and the ranges, each ray an owner.
#[derive(Clone, Debug, Serialize)]
pub struct ScansHead {
    pub car: u64,
    pub times: TableHead,
    pub ranges: TableHead,
}

/// The tables that one film is made of.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TablesHead {
    pub frames: Option<TableHead>,
    pub agents: Option<TableHead>,
    pub feet: Option<TableHead>,
    pub patches: Option<TableHead>,
    pub cubes: Option<TableHead>,
    pub cars: Option<TableHead>,
    pub scans: Vec<ScansHead>,
    pub series: Option<TableHead>,
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
    pub setting: Setting,
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
    pub events: Vec<Event>,
    pub tables: TablesHead,
}
