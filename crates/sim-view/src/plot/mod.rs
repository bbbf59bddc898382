//! Plots for reports: distributions, intervals, a map over two axes, curves with bands, dots.
//!
//! Each is a function from numbers to a [`Scene`], which [`svg::document`](crate::draw::svg::document) writes. Values that are not finite
//! are left out, and the plot says how many.
//!
//! ```
//! use sim_view::draw::svg;
//! use sim_view::plot::{Chart, Quantity, histogram};
//! use sim_view::theme::Theme;
//!
//! let chart = Chart::new("Nearest robots of 200 runs", &Theme::light());
//! let distances_mm: Vec<f64> = (0..200).map(|run| 60.0 + f64::from(run % 17) * 0.1).collect();
//! let scene = histogram(&chart, &Quantity::new("distance", "mm"), &distances_mm, Some(60.0));
//! assert!(svg::document(&scene, 1.0).contains("distance, mm"));
//! ```

mod axes;
mod box_plots;
mod color_field;
mod curves;
mod heat_map;
mod histogram;
mod intervals;
mod rows;
mod scatter;

pub use box_plots::{BoxPlot, box_plots};
pub(crate) use color_field::{ColorField, color_field, with_one_scale};
pub use curves::{Band, MAX_CURVES, Series, curves};
pub use heat_map::{Steps, heat_map};
pub use histogram::histogram;
pub use intervals::{Interval, intervals};
pub use scatter::scatter;

use crate::draw::{Anchor, Color, Scene, Text, Weight, font};
use crate::theme::Theme;
use sim_core::DVec2;

/// Height of the type, px.
const TYPE_PX: f64 = 13.0;

/// Height of a title, in heights of the type.
const TITLE: f64 = 1.15;

/// What all plots have.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Words above it.
    pub title: String,
    /// Width and height, px.
    pub size: DVec2,
    /// Its colours.
    pub theme: Theme,
}

impl Chart {
    /// A plot of the usual size.
    #[must_use]
    pub fn new(title: impl Into<String>, theme: &Theme) -> Self {
        Self { title: title.into(), size: DVec2::new(640.0, 360.0), theme: theme.clone() }
    }

    /// An empty plot with its title.
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(self.size, self.theme.ground);
        // A long title is written smaller.
        let share = (self.size.x - 2.0 * TYPE_PX) / font::width(&self.title, TITLE * TYPE_PX).max(1.0);
        let look = Look { size: TITLE * share.min(1.0), weight: Weight::Bold, ..Look::new(self.theme.ink) };
        write(&mut scene, DVec2::new(TYPE_PX, 1.9 * TYPE_PX), &self.title, look);
        scene
    }
}

/// What an axis counts, and how it is divided.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// What it is.
    pub name: String,
    /// In which unit; empty for plain numbers.
    pub unit: String,
    /// True if equal ratios, not equal differences, are equally far apart.
    pub is_log: bool,
    /// Where it begins and ends; nothing for round numbers round all values.
    pub range: Option<[f64; 2]>,
    /// What is marked on it, and how; none for round numbers.
    pub marks: Vec<(f64, String)>,
    /// A line to compare with.
    pub guide: Option<Guide>,
}

/// A line across a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// Where it is.
    pub at: f64,
    /// What is written beside it.
    pub words: String,
    /// True if values beyond it are wrong.
    pub is_alarm: bool,
}

impl Guide {
    /// A limit that is asked.
    #[must_use]
    pub fn limit(at: f64) -> Self {
        Self { at, words: format!("limit {at}"), is_alarm: true }
    }

    fn color(&self, theme: &Theme) -> Color {
        if self.is_alarm { theme.alarm } else { theme.ink }
    }
}

impl Quantity {
    /// A quantity; `"1"` and nothing are units of plain numbers.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        let unit: String = unit.into();
        let unit = if unit == "1" { String::new() } else { unit };
        Self { name: name.into(), unit, is_log: false, range: None, marks: Vec::new(), guide: None }
    }

    /// The same from one end to the other.
    #[must_use]
    pub fn within(self, range: [f64; 2]) -> Self {
        Self { range: Some(range), ..self }
    }

    /// The same with a line to compare with.
    #[must_use]
    pub fn guided(self, guide: Guide) -> Self {
        Self { guide: Some(guide), ..self }
    }

    fn words(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{}, {}", self.name, self.unit) }
    }

    /// Its range, or a round one that holds the values and the guide.
    fn range_of(&self, values: impl Iterator<Item = f64>) -> [f64; 2] {
        let guide = self.guide.as_ref().map(|guide| guide.at);
        self.range.unwrap_or_else(|| axes::round_range(values.chain(guide)))
    }
}

/// How words look.
#[derive(Clone, Copy)]
struct Look {
    /// In heights of the type.
    size: f64,
    anchor: Anchor,
    weight: Weight,
    color: Color,
}

impl Look {
    fn new(color: Color) -> Self {
        Self { size: 1.0, anchor: Anchor::Start, weight: Weight::Regular, color }
    }

    fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}

fn write(scene: &mut Scene, at: DVec2, words: &str, look: Look) {
    let Look { size, anchor, weight, color } = look;
    scene.write(Text { at, size: size * TYPE_PX, anchor, weight, color, words: words.to_owned() });
}
