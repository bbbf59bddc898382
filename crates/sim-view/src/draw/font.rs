//! Letters as outlines, so that a picture looks alike on every machine.

use super::path::{Path, Step};
use super::scene::{Anchor, Text, Weight};
use sim_core::DVec2;
use std::sync::OnceLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Name of the typeface, for those who look for it on their own machine.
pub const NAME: &str = "Ubuntu";

/// The typeface is a light one: its letters get a line of this width round them, in heights of the type.
const REGULAR: f64 = 0.018;
const BOLD: f64 = 0.055;

fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face<'static>> = OnceLock::new();
    FACE.get_or_init(|| {
        Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).expect("the typeface comes with the program")
    })
}

/// Width of the line round the letters of a text, in px.
#[must_use]
pub fn thickening(text: &Text) -> f64 {
    text.size * if text.weight == Weight::Bold { BOLD } else { REGULAR }
}

/// Width of words in px.
#[must_use]
pub fn width(words: &str, size: f64) -> f64 {
    let units: u32 = words.chars().map(|letter| advance(glyph(letter))).sum();
    f64::from(units) * scale(size)
}

/// The outline of a text, in px of its picture.
#[must_use]
pub fn outline(text: &Text) -> Path {
    let scale = scale(text.size);
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    let mut pen = Pen {
        at: text.at - DVec2::new(shift * width(&text.words, text.size), 0.0),
        scale,
        path: Path::default(),
        here: DVec2::ZERO,
    };
    for letter in text.words.chars() {
        let glyph = glyph(letter);
        // Blanks have no outline.
        let _ = face().outline_glyph(glyph, &mut pen);
        pen.at.x += f64::from(advance(glyph)) * scale;
    }
    pen.path
}

fn scale(size: f64) -> f64 {
    size / f64::from(face().units_per_em())
}

/// What the typeface does not have is shown as its empty box.
fn glyph(letter: char) -> GlyphId {
    face().glyph_index(letter).unwrap_or(GlyphId(0))
}

fn advance(glyph: GlyphId) -> u32 {
    face().glyph_hor_advance(glyph).unwrap_or(0).into()
}

struct Pen {
    at: DVec2,
    scale: f64,
    path: Path,
    here: DVec2,
}

impl Pen {
    /// Letters are drawn with y up, in units of the typeface.
    fn place(&self, x: f32, y: f32) -> DVec2 {
        self.at + DVec2::new(f64::from(x), -f64::from(y)) * self.scale
    }

    fn push(&mut self, step: Step, here: DVec2) {
        self.path.0.push(step);
        self.here = here;
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        self.push(Step::Move(to), to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        self.push(Step::Line(to), to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (handle, to) = (self.place(x1, y1), self.place(x, y));
        let third = |end: DVec2| end + (handle - end) * (2.0 / 3.0);
        self.push(Step::Cubic(third(self.here), third(to), to), to);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let to = self.place(x, y);
        self.push(Step::Cubic(self.place(x1, y1), self.place(x2, y2), to), to);
    }

    fn close(&mut self) {
        self.path.0.push(Step::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Color;

    #[test]
    fn numbers_of_equal_length_are_equally_wide_so_that_films_do_not_jitter() {
        let zeros = width("000.0", 20.0);
        assert!(zeros > 30.0 && zeros == width("111.1", 20.0) && zeros == width("987.6", 20.0));
    }

    #[test]
    fn anchors_hold_their_end() {
        let text = |anchor| Text {
            at: DVec2::new(100.0, 50.0),
            size: 20.0,
            anchor,
            weight: Weight::Regular,
            color: Color::hex(0),
            words: "HHHH".into(),
        };
        let span = |anchor| {
            let xs: Vec<f64> = outline(&text(anchor))
                .0
                .iter()
                .filter_map(|step| if let Step::Line(p) = step { Some(p.x) } else { None })
                .collect();
            [xs.iter().copied().fold(f64::MAX, f64::min), xs.iter().copied().fold(f64::MIN, f64::max)]
        };
        let [start, middle, end] = [Anchor::Start, Anchor::Middle, Anchor::End].map(span);
        let width = width("HHHH", 20.0);
        assert!(start[0] > 100.0 && start[1] < 100.0 + width);
        assert!((middle[0] + middle[1] - 200.0).abs() < 1e-9 && end[1] < 100.0 && end[0] > 100.0 - width);
    }
}
