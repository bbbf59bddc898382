//! Intervals: a dot for what was found, and a whisker for what it may be.

use super::axes::{Axes, widest};
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
    let mut scene = chart.scene();
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let range = quantity.range_of(rows.iter().flat_map(|row| row.values));
    let lines = [rows.len() as f64, 0.0];
    let axes = Axes::below(&mut scene, chart, (quantity, range), (lines, widest(&names)), 0);
    if let Some(guide) = &quantity.guide {
        axes.guide_up(&mut scene, chart, guide);
    }
    for (n, row) in rows.iter().enumerate() {
        let height = axes.y.at(n as f64 + 0.5);
        axes.line_across(&mut scene, chart, height);
        axes.name_at(&mut scene, chart, height, &row.name);
        if row.values.iter().all(|value| value.is_finite()) {
            draw_interval(&mut scene, chart, row.values.map(|value| DVec2::new(axes.x.at(value), height)));
        }
    }
    axes.close(&mut scene, chart);
    scene
}

fn draw_interval(scene: &mut Scene, chart: &Chart, [low, middle, high]: [DVec2; 3]) {
    let color = chart.theme.series[0];
    let cap = DVec2::new(0.0, 0.35 * TYPE_PX);
    let whisker =
        Path::line(&[low, high]).and(Path::line(&[low - cap, low + cap])).and(Path::line(&[high - cap, high + cap]));
    scene.draw(whisker, Ink::line(color, 2.0));
    scene.draw(Path::circle(middle, 0.38 * TYPE_PX), Ink::fill(color).with_line(chart.theme.ground, 1.5));
}
