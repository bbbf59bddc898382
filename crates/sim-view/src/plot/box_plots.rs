//! Distributions side by side, each as a box_plot of its quantiles.

use super::rows::{self, Row};
use super::{Chart, Quantity, TYPE_PX};
use crate::draw::{Ink, Path, Scene};
use sim_core::{DVec2, Rect};

/// One distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// Of what.
    pub name: String,
    /// Smallest value, quantiles 5, 25, 50, 75 and 95 %, and largest value.
    pub quantiles: [f64; 7],
}

/// A row for each distribution, from above: a whisker from the smallest to the largest value, a line that holds nine tenths, a box that
/// holds the middle half, a mark at the median. Rows with a value that is not finite stay empty.
#[must_use]
pub fn box_plots(chart: &Chart, quantity: &Quantity, rows: &[BoxPlot]) -> Scene {
    let drawn: Vec<Row<'_, 7>> = rows.iter().map(|row| (row.name.as_str(), row.quantiles)).collect();
    rows::rows(chart, quantity, (&drawn, false), draw_strip)
}

fn draw_strip(scene: &mut Scene, chart: &Chart, [least, q05, q25, median, q75, q95, most]: [DVec2; 7]) {
    let color = chart.theme.series[0];
    let half = DVec2::new(0.0, 0.42 * TYPE_PX);
    scene.draw(Path::line(&[least, most]), Ink::line(color.faded(0.6), 1.0));
    scene.draw(Path::line(&[q05, q95]), Ink::line(color, 2.4));
    scene.draw(Path::rect(Rect { min: q25 - half, max: q75 + half }), Ink::fill(color));
    scene.draw(Path::line(&[median - half, median + half]), Ink::line(chart.theme.ground, 2.2));
}
