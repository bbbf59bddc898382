//! What is drawn.

use super::color::Color;
use super::path::Path;
use sim_core::{DVec2, Rect};

/// A picture: shapes on a ground, the first ones lowest.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Width and height in px.
    pub size: DVec2,
    /// Colour of the ground.
    pub ground: Color,
    /// What lies on it.
    pub shapes: Vec<Shape>,
}

/// One thing in a picture.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An outline.
    Outline(Path, Ink),
    /// A line of text.
    Text(Text),
    /// An image, stretched over a rectangle.
    Image(Rect, Image),
    /// Shapes of which only what lies in a rectangle is seen.
    Clip(Rect, Vec<Shape>),
}

/// How an outline is drawn: filled, then along its line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ink {
    /// Colour of the inside, if it has one.
    pub fill: Option<Color>,
    /// True if the inside is what an odd number of its parts encloses, so that rings in rings are holes.
    pub has_holes: bool,
    /// Its line, if it has one.
    pub line: Option<Line>,
}

impl Ink {
    /// Filled, without a line.
    #[must_use]
    pub fn fill(color: Color) -> Self {
        Self { fill: Some(color), ..Self::default() }
    }

    /// A line, not filled.
    #[must_use]
    pub fn line(color: Color, width: f64) -> Self {
        Self { line: Some(Line { color, width, dash: None }), ..Self::default() }
    }

    /// The same with a line round it.
    #[must_use]
    pub fn with_line(self, color: Color, width: f64) -> Self {
        Self { line: Some(Line { color, width, dash: None }), ..self }
    }

    /// The same with rings in rings as holes.
    #[must_use]
    pub fn with_holes(self) -> Self {
        Self { has_holes: true, ..self }
    }

    /// The same with its line in pieces of `on`, `off` apart.
    #[must_use]
    pub fn dashed(mut self, on: f64, off: f64) -> Self {
        if let Some(line) = &mut self.line {
            line.dash = Some([on, off]);
        }
        self
    }
}

/// A line with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its colour.
    pub color: Color,
    /// Its width in px.
    pub width: f64,
    /// Lengths of its pieces and of the gaps between them; none if it is whole.
    pub dash: Option<[f64; 2]>,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Where it stands: on the base line, at the end that `anchor` names.
    pub at: DVec2,
    /// Height of the type in px.
    pub size: f64,
    /// Which end of the text is at `at`.
    pub anchor: Anchor,
    /// How strong it is.
    pub weight: Weight,
    /// Its colour.
    pub color: Color,
    /// What it says.
    pub words: String,
}

/// Which end of a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// How strong a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// For most.
    Regular,
    /// For what is looked for first.
    Bold,
}

/// Pixels without transparency, row by row from the upper left.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Red, green and blue of each.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }
}

impl Scene {
    /// An empty picture.
    #[must_use]
    pub fn new(size: DVec2, ground: Color) -> Self {
        Self { size, ground, shapes: Vec::new() }
    }

    /// Puts an outline on top.
    pub fn draw(&mut self, path: Path, ink: Ink) {
        self.shapes.push(Shape::Outline(path, ink));
    }

    /// Puts a text on top.
    pub fn write(&mut self, text: Text) {
        self.shapes.push(Shape::Text(text));
    }
}
