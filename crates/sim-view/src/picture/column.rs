//! The words and numbers beside the plane, as any world's panel puts them one below the other.

use super::canvas::{Canvas, Look};
use crate::draw::{Ink, Path, font};
use crate::folder::RunRecord;
use sim_core::{DVec2, Rect};

/// Height of a note of two lines.
pub(super) const NOTE_LINES: f64 = 2.8;

/// Height of the letters of a verdict.
const VERDICT_SIZE: f64 = 0.95;

/// The panel as it fills from above.
pub(super) struct Column<'c, 'a> {
    pub canvas: &'c mut Canvas<'a>,
    pub area: Rect,
    pub y: f64,
}

impl<'c, 'a> Column<'c, 'a> {
    pub fn new(canvas: &'c mut Canvas<'a>, area: Rect) -> Self {
        Self { canvas, area, y: area.min.y }
    }

    /// Heights of the type, px.
    pub fn em(&self, count: f64) -> f64 {
        count * self.canvas.type_px
    }

    pub fn skip(&mut self, count: f64) {
        self.y += self.em(count);
    }

    /// A place on the present line.
    pub fn at(&self, x: f64) -> DVec2 {
        DVec2::new(x, self.y)
    }

    pub fn left(&self) -> DVec2 {
        self.at(self.area.min.x)
    }

    pub fn right(&self) -> DVec2 {
        self.at(self.area.max.x)
    }

    pub fn faint(&self) -> Look {
        Look::new(self.canvas.theme().faint)
    }

    pub fn ink(&self) -> Look {
        Look::new(self.canvas.theme().ink)
    }

    pub fn write(&mut self, at: DVec2, words: impl Into<String>, look: Look) {
        self.canvas.write(at, words, look);
    }

    pub fn rule(&mut self) {
        self.skip(0.9);
        let path = Path::line(&[self.left(), self.right()]);
        let ink = Ink::line(self.canvas.theme().hairline, self.canvas.pen(1.0));
        self.canvas.draw(path, ink);
        self.skip(1.6);
    }

    /// Words cut to a width.
    pub fn fitted(&self, words: &str, size: f64, width: f64) -> String {
        let wide = |text: &str| font::width(text, self.em(size)) > width;
        if !wide(words) {
            return words.to_owned();
        }
        let mut kept = words.to_owned();
        while !kept.is_empty() && wide(&format!("{kept}\u{2026}")) {
            kept.pop();
        }
        kept + "\u{2026}"
    }

    /// Which run it is, and when.
    pub fn heading(&mut self, record: &RunRecord, time_s: f64, step: u64) {
        let width = self.area.size().x;
        self.skip(1.1);
        let name = self.fitted(&record.scenario, 1.35, width);
        self.write(self.left(), name, self.ink().size(1.35).bold());
        self.skip(1.45);
        let words = format!("seed {}, run {}, version {}", record.seed, record.run_index, record.version);
        let words = self.fitted(&words, 0.85, width);
        self.write(self.left(), words, self.faint().size(0.85));
        self.skip(3.2);
        let time = format!("{:.2}", time_s);
        self.write(self.left(), time.clone(), self.ink().size(2.8));
        let after = self.area.min.x + font::width(&time, self.em(2.8)) + self.em(0.4);
        self.write(self.at(after), "s", self.faint().size(1.4));
        self.write(self.right(), format!("step {step} of {}", record.steps), self.faint().size(0.85).end());
    }

    /// A line: what, and how much.
    pub fn fact(&mut self, what: &str, value: &str) {
        self.skip(1.5);
        self.write(self.left(), what, self.ink());
        self.write(self.right(), value, self.ink().end());
    }

    /// A bar that says whether something is as it must not be now, or was before.
    pub fn verdict_bar(&mut self, words: &str, is_now: bool, has_been: bool) {
        let theme = self.canvas.theme();
        let (fill, look) = match (is_now, has_been) {
            (true, _) => (Some(theme.alarm), Look::new(theme.on_alarm).bold()),
            (false, false) => (None, self.faint()),
            (false, true) => (None, Look::new(theme.alarm).bold()),
        };
        self.skip(1.1);
        let bar = Rect { min: self.left(), max: self.right() + DVec2::new(0.0, self.em(1.9)) };
        let line = if has_been { theme.alarm } else { theme.hairline };
        let ink = fill.map_or_else(|| Ink::line(line, self.canvas.pen(1.2)), Ink::fill);
        self.canvas.draw(Path::rect(bar), ink);
        self.skip(1.3);
        // Letters become smaller, down to two thirds, before words are cut. Bold ones are a tenth wider at most.
        let (width, wide) = (bar.size().x, font::width(words, self.em(1.1 * VERDICT_SIZE)));
        let size = VERDICT_SIZE * (0.999 * width / wide).clamp(2.0 / 3.0, 1.0);
        let words = self.fitted(words, 1.1 * size, width);
        self.write(self.at(bar.center().x), words, look.size(size).middle());
        self.skip(0.6);
    }

    /// A small drawing and what it means.
    pub fn sign(&mut self, words: &str, drawings: Vec<(Path, Ink)>) {
        for (path, ink) in drawings {
            self.canvas.draw(path, ink);
        }
        let words = self.fitted(words, 0.85, self.area.size().x - self.em(2.4));
        self.write(self.at(self.area.min.x + self.em(2.4)), words, self.faint().size(0.85));
        self.skip(1.55);
    }

    /// What a reader of the run should know.
    pub fn notes(&mut self, notes: &[String]) {
        let look = Look::new(self.canvas.theme().alarm).size(0.85);
        for note in notes {
            self.skip(0.4);
            for line in self.broken(note, 0.85) {
                self.write(self.left(), line, look);
                self.skip(1.2);
            }
        }
    }

    /// Words on lines that fit.
    fn broken(&self, words: &str, size: f64) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in words.split_whitespace() {
            let longer = lines.last().map_or_else(String::new, |line| {
                if line.is_empty() { word.to_owned() } else { format!("{line} {word}") }
            });
            let fits = font::width(&longer, self.em(size)) <= self.area.size().x;
            match lines.last_mut() {
                Some(line) if fits || line.is_empty() => *line = longer,
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}
