//! Colours, lines and letters.

use serde::{Deserialize, Serialize};

/// Fill and line. Without either nothing is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ink {
    /// Colour of the inside.
    pub fill: Option<Tint>,
    /// The line round it.
    pub line: Option<Line>,
}

impl Ink {
    /// A fill without a line.
    #[must_use]
    pub fn fill(tint: Tint) -> Self {
        Self { fill: Some(tint), line: None }
    }

    /// A line without a fill.
    #[must_use]
    pub fn line(line: Line) -> Self {
        Self { fill: None, line: Some(line) }
    }

    /// The same with a line.
    #[must_use]
    pub fn with_line(self, line: Line) -> Self {
        Self { line: Some(line), ..self }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its colour.
    pub tint: Tint,
    /// Its width.
    pub width: Width,
    /// Lengths of dash and gap, px.
    pub dash: Option<[f64; 2]>,
}

impl Line {
    /// A whole line.
    #[must_use]
    pub fn new(tint: Tint, width: Width) -> Self {
        Self { tint, width, dash: None }
    }

    /// The same in dashes.
    #[must_use]
    pub fn dashed(self, dash: f64, gap: f64) -> Self {
        Self { dash: Some([dash, gap]), ..self }
    }
}

/// Width of a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// In px.
    Px(f64),
    /// In px, and thinner where the plane is shown small.
    Fine(f64),
    /// As a length on the plane.
    Length(f64),
    /// As a length on the plane, at most so many px.
    Limited(f64, f64),
}

/// A colour, more or less of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tint {
    /// The colour.
    pub color: Color,
    /// How much of it, 0 to 1.
    pub alpha: f64,
    /// A column that decides how much: the first number where it is 0, `alpha` where it is the second number or more.
    pub by: Option<(String, f64, f64)>,
}

/// A colour by what it is for; a theme knows which it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// The ground of the whole picture.
    Ground,
    /// Lines and words that matter.
    Ink,
    /// Other lines and words.
    Faint,
    /// What can be moved over.
    Floor,
    /// What cannot.
    Solid,
    /// A body.
    Body,
    /// What is on a body.
    OnBody,
    /// An arrow.
    Arrow,
    /// What is to be avoided, and the low end of a potential.
    Warm,
    /// What is on it.
    OnWarm,
    /// What attracts, and the high end of a potential.
    Cool,
    /// What must not be.
    Alarm,
    /// What is on it.
    OnAlarm,
    /// The colour of the owner, by its number.
    Owner,
    /// Columns of red, green and blue, 0 to 255.
    Lamp([String; 3]),
    /// Red, green and blue.
    Rgb([u8; 3]),
}

impl Color {
    /// All of the colour.
    #[must_use]
    pub fn full(self) -> Tint {
        self.faded(1.0)
    }

    /// So much of the colour.
    #[must_use]
    pub fn faded(self, alpha: f64) -> Tint {
        Tint { color: self, alpha, by: None }
    }
}

/// How words look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lettering {
    /// Colour.
    pub tint: Tint,
    /// Height as a length on the plane, and more in heights of the type.
    pub size: [f64; 2],
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether a label stands in the middle of its outline and is made smaller to fit; else in the upper left corner.
    pub is_centred: bool,
}
