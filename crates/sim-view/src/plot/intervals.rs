//! Intervals: a dot for what was found, and a whisker for what it may be.

use super::rows::{self, Row};
use super::{Chart, Quantity, TYPE_PX};
use crate::draw::{Ink, Path, Scene};
use sim_core::DVec2;

/// One line of the plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// What was measured.
    pub name: String,
    /// Lower end, value, upper end.
    pub values: [f64; 3],
}

/// A row for each interval, from above, and the guide of the quantity. Rows with a value that is not finite have no dot.
#[must_use]
pub fn intervals(chart: &Chart, quantity: &Quantity, rows: &[Interval]) -> Scene {
    let drawn: Vec<Row<'_, 3>> = rows.iter().map(|row| (row.name.as_str(), row.values)).collect();
    rows::rows(chart, quantity, (&drawn, true), draw_interval)
}

fn draw_interval(scene: &mut Scene, chart: &Chart, [low, middle, high]: [DVec2; 3]) {
    let color = chart.theme.series[0];
    let cap = DVec2::new(0.0, 0.35 * TYPE_PX);
    let whisker =
        Path::line(&[low, high]).and(Path::line(&[low - cap, low + cap])).and(Path::line(&[high - cap, high + cap]));
    scene.draw(whisker, Ink::line(color, 2.0));
    scene.draw(Path::circle(middle, 0.38 * TYPE_PX), Ink::fill(color).with_line(chart.theme.ground, 1.5));
}
