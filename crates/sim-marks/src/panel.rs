//! Words, numbers and curves beside the plane.

use super::{Figure, Phrase, Tint};
use serde::{Deserialize, Serialize};

/// A curve over the time of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Unit.
    pub unit: String,
    /// Stream of the party that it is about.
    pub of: String,
    /// Curves, the first one in front; without a fold they are about one owner.
    pub curves: Vec<Figure>,
    /// Name of the limit that belongs to it.
    pub limit: Option<String>,
    /// Ends of the axis; none: those of the values.
    pub range: Option<[f64; 2]>,
    /// Stream of readings whose columns the curves are, at times of their own, with the owner in the numbers of `of`; none: its own rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readings: Option<String>,
}

impl Plot {
    /// Curves about the owners of a stream, without a limit, on the axis of their values.
    #[must_use]
    pub fn new(of: &str, title: &str, unit: &str, curves: Vec<Figure>) -> Self {
        Self { title: title.into(), unit: unit.into(), of: of.into(), curves, limit: None, range: None, readings: None }
    }

    /// Columns of a stream of readings of one owner, in their unit with so many digits.
    #[must_use]
    pub fn of_readings(of: &str, readings: &str, title: &str, unit: &str, columns: &[&str], digits: u8) -> Self {
        let curves = columns.iter().map(|column| Figure::column(column, digits)).collect();
        Self { readings: Some(readings.into()), ..Self::new(of, title, unit, curves) }
    }
}

/// Rows of a stream with times of their own, which a page lists beside the pictures and follows as time goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// Its stream.
    pub stream: String,
    /// Title, in a word.
    pub title: String,
    /// Stream of the party in whose numbers its owners are.
    pub of: String,
    /// Columns of few different texts, by which rows can be chosen.
    pub kinds: Vec<String>,
    /// Columns of what is said.
    pub words: Vec<String>,
}

/// The words and numbers beside the plane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Height that it needs, in heights of the type.
    pub height: f64,
    /// Its sections, below the name of the run and the time.
    pub sections: Vec<Section>,
}

/// A section of the panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// Smallest values of the columns of limits, now and so far, and what is asked.
    Distances {
        /// Title, with the unit.
        title: String,
        /// Words and name of the limit for each row.
        rows: Vec<[String; 2]>,
    },
    /// A bar that says whether limits are broken.
    Verdict(Verdict),
    /// Lines of words and numbers.
    Facts(Vec<Fact>),
    /// The colours of the wells, or of a raster.
    Scale,
    /// Owners, one by one.
    List(List),
    /// What marks mean, and how long a round length is if that is asked for.
    Key {
        /// Whether it has a scale bar.
        has_bar: bool,
    },
}

/// What is said of broken limits. `{}` stands for a number or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Names of the limits.
    pub limits: Vec<String>,
    /// If none is or was broken.
    pub none: String,
    /// If some are: before what is counted, as in `TOO NEAR: {}`.
    pub now: String,
    /// If the last ones ended just now.
    pub just_now: Option<String>,
    /// What is counted, one and many: `{} pair`, `{} pairs`.
    pub counted: [String; 2],
    /// Up to four are named, one and many: `car {}`, `cars {}`, or by their names if all have one; none: pairs are counted, not owners.
    pub named: Option<[String; 2]>,
    /// How often in the past, once and more often: `{} violation so far`; none: what is broken stays so.
    pub past: Option<[String; 2]>,
}

/// A line of words on the left and on the right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Stream of the party.
    pub of: String,
    /// A line for each owner; else one for all.
    pub is_each: bool,
    /// What.
    pub title: Phrase,
    /// How much.
    pub value: Phrase,
}

/// A list of owners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// Stream of the party.
    pub of: String,
    /// Title.
    pub title: String,
    /// How many are listed; the others are counted.
    pub at_most: usize,
    /// Colour of the sign in front of each.
    pub sign: Tint,
    /// What stands behind it.
    pub name: Phrase,
    /// Cells, flush right: heading, place of the right end as a share of the width, and the first phrase that can be said.
    pub cells: Vec<(String, f64, Vec<Phrase>)>,
    /// A second line: all phrases that can be said.
    pub below: Vec<Phrase>,
}
