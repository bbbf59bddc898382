//! Numbers and words about owners.

use serde::{Deserialize, Serialize};

/// When something is drawn or said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// A number is above a bound.
    Above(Quantity, f64),
    /// A number is below a bound.
    Below(Quantity, f64),
    /// A flag holds.
    Flag(String),
    /// The owner breaks a limit.
    Alarm,
}

/// A number of an owner at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A column; a text in words.
    Column(String),
    /// The owner's number.
    Owner,
    /// The owner's name.
    Name,
    /// Length of a vector.
    Length([String; 2]),
    /// Length of the difference of two vectors.
    Difference([String; 2], [String; 2]),
    /// Size of the mean of two columns.
    Middle([String; 2]),
    /// How far from upright by pitch and roll, rad.
    Tilt([String; 2]),
    /// The smallest range of the newest scan of the scanner with this stream.
    Nearest(String),
    /// Distance to the nearest other one of the same stream.
    Apart,
    /// 1 if one of another stream is nearer than its own column, else 0.
    Within(String, String),
    /// Label of the last of the polygons with this name that holds a place in the owner's axes, up to a height.
    Over {
        /// Name of the polygons.
        polygons: String,
        /// The place in the owner's axes.
        at: [f64; 2],
        /// Nothing is under an owner that is higher.
        up_to: f64,
    },
}

impl Quantity {
    /// The column, if it is one.
    #[must_use]
    pub fn as_column(&self) -> Option<&str> {
        if let Self::Column(name) = self { Some(name) } else { None }
    }
}

/// One number of all owners.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The mean.
    Mean,
    /// Which share of them is above a bound, 0 to 1.
    ShareAbove(f64),
    /// How many there are.
    Count,
}

/// A number to be written or plotted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Which number.
    pub of: Quantity,
    /// Over all owners; none: of one.
    pub over: Option<Fold>,
    /// What it is multiplied by.
    pub factor: f64,
    /// Digits after the point.
    pub digits: u8,
}

impl Figure {
    /// A quantity of one owner with so many digits.
    #[must_use]
    pub fn new(of: Quantity, digits: u8) -> Self {
        Self { of, over: None, factor: 1.0, digits }
    }

    /// A column of one owner with so many digits.
    #[must_use]
    pub fn column(name: &str, digits: u8) -> Self {
        Self::new(Quantity::Column(name.into()), digits)
    }

    /// The same over all owners.
    #[must_use]
    pub fn over(self, fold: Fold) -> Self {
        Self { over: Some(fold), ..self }
    }

    /// The same times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { factor, ..self }
    }
}

/// Words with numbers in them. Those of which a number is missing are not said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phrase {
    /// The words; `{}` stands for the numbers in their order.
    pub words: String,
    /// The numbers.
    pub figures: Vec<Figure>,
    /// Said if one of these holds; always if there are none.
    pub when: Vec<Condition>,
}

impl Phrase {
    /// Words with numbers in their places.
    #[must_use]
    pub fn new(words: &str, figures: impl IntoIterator<Item = Figure>) -> Self {
        Self { words: words.into(), figures: figures.into_iter().collect(), when: Vec::new() }
    }

    /// The same, said if a condition holds.
    #[must_use]
    pub fn when(self, condition: Condition) -> Self {
        Self { when: vec![condition], ..self }
    }
}
