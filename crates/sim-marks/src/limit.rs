//! What events tell: flags, and limits that must be kept.

use serde::{Deserialize, Serialize};

/// Something about an owner that events tell: the last event that matches says whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// Stream of the party.
    pub of: String,
    /// Stream of the events, whose owner has the party's numbers.
    pub events: String,
    /// Columns and texts of the events that matter.
    pub matching: Vec<[String; 2]>,
    /// Column and text of those that say that it holds.
    pub holds: [String; 2],
}

/// What must be kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// Its name.
    pub name: String,
    /// Stream of the party that must keep it.
    pub of: String,
    /// What must hold in each row.
    pub rule: Rule,
    /// Stream of the party to which a distance is kept: the nearest is the other one.
    pub to: Option<String>,
    /// Streams whose owners of the same number are painted in alarm too.
    pub paints: Vec<String>,
    /// Events that tell of breaks, those between two rows too.
    pub events: Option<Breaks>,
    /// Measures of the summary with the smallest value of the whole run and its time in s.
    pub least: Option<[String; 2]>,
}

/// What must hold in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A column is not below a bound.
    AtLeast(String, f64),
    /// A column is not above a bound.
    AtMost(String, f64),
    /// A column does not have this text.
    IsNot(String, String),
}

/// Events of a stream with the columns `kind`, `subject`, `object` and `value` that tell of breaks of a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breaks {
    /// The stream.
    pub stream: String,
    /// What the kind of a beginning begins with.
    pub begin: String,
    /// What the kind of an end begins with; its value is by how much the limit was missed at most. None: it never ends.
    pub end: Option<String>,
    /// Word before the number of the subject: `agent` in `agent 3`.
    pub subject: String,
    /// Word before the number of the object.
    pub object: Option<String>,
}
