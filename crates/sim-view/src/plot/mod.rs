//! Plots for reports: a distribution, intervals, a map over two axes, curves with bands.
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
mod curves;
mod heat_map;
mod histogram;
mod intervals;

pub use curves::{Band, Series, curves};
pub use heat_map::{Steps, heat_map};
pub use histogram::histogram;
pub use intervals::{Interval, intervals};

use crate::draw::{Anchor, Color, Scene, Text, Weight};
use crate::theme::Theme;
use sim_core::DVec2;

/// Height of the type, px.
const TYPE_PX: f64 = 13.0;

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
        write(
            &mut scene,
            DVec2::new(TYPE_PX, 1.9 * TYPE_PX),
            &self.title,
            Look { size: 1.15, weight: Weight::Bold, ..Look::new(self.theme.ink) },
        );
        scene
    }
}

/// What an axis counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// What it is.
    pub name: String,
    /// In which unit; empty for plain numbers.
    pub unit: String,
}

impl Quantity {
    /// A quantity; `"1"` and nothing are units of plain numbers.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        let unit: String = unit.into();
        Self { name: name.into(), unit: if unit == "1" { String::new() } else { unit } }
    }

    fn words(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{}, {}", self.name, self.unit) }
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
