//! Charts: pictures of a stream's values, beside the pictures of a moment.

use super::Color;
use serde::{Deserialize, Serialize};

/// A picture of values of a stream in colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Its name, as `--chart` takes it.
    pub name: String,
    /// Words above it.
    pub title: String,
    /// The stream.
    pub stream: String,
    /// How its values lie in the picture.
    pub layout: ChartLayout,
    /// Colours from the low to the high end, at even values.
    pub colors: Vec<Color>,
    /// Values at both ends; none: those that occur.
    pub range: Option<[f64; 2]>,
    /// Whether a range of values that occur is made even about 0.
    pub is_even: bool,
    /// What the values are, with their unit.
    pub words: String,
}

/// How values lie in a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartLayout {
    /// A line a row, over time: columns of many numbers side by side.
    Waterfall {
        /// The columns.
        strips: Vec<Strip>,
        /// What lies across, with its unit.
        across: String,
    },
    /// A cell a row, in the plan.
    Cells {
        /// Columns of the middle of a cell.
        place: [String; 2],
        /// Size of a cell along both.
        size: [f64; 2],
        /// Column of the values.
        value: String,
    },
    /// A sector a row, seen from above with straight ahead upwards: the newest rows at a time.
    Sectors {
        /// Column of the direction, rad, from straight ahead to the left.
        angle: String,
        /// Angle of a sector, rad.
        width: f64,
        /// The column of many numbers, from near to far.
        strip: Strip,
        /// How many of the newest rows are seen.
        rows: usize,
    },
}

/// A column of many numbers, at even places from one length to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strip {
    /// The column.
    pub column: String,
    /// Where its first number begins and its last one ends; the first may be the larger one.
    pub span: [f64; 2],
}
