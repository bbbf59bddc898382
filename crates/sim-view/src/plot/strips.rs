//! Distributions side by side, each as a strip of its quantiles.

use super::axes::{Axes, widest};
use super::{Chart, Quantity, TYPE_PX};
use crate::draw::{Ink, Path, Scene};
use sim_core::{DVec2, Rect};

/// One distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Of what.
    pub name: String,
    /// Smallest value, quantiles 5, 25, 50, 75 and 95 %, and largest value.
    pub quantiles: [f64; 7],
}

/// A row for each distribution, from above: a hair from the smallest to the largest value, a line that holds nine tenths, a box that holds
/// the middle half, a mark at the median. Rows with a value that is not finite stay empty.
#[must_use]
pub fn strips(chart: &Chart, quantity: &Quantity, rows: &[Strip]) -> Scene {
    let mut scene = chart.scene();
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let range = quantity.range_of(rows.iter().flat_map(|row| row.quantiles));
    let lines = [rows.len() as f64, 0.0];
    let axes = Axes::below(&mut scene, chart, (quantity, range), (lines, widest(&names)), 0);
    if let Some(guide) = &quantity.guide {
        axes.guide_up(&mut scene, chart, guide);
    }
    for (n, row) in rows.iter().enumerate() {
        let height = axes.y.at(n as f64 + 0.5);
        axes.name_at(&mut scene, chart, height, &row.name);
        if row.quantiles.iter().all(|value| value.is_finite()) {
            draw_strip(&mut scene, chart, row.quantiles.map(|value| DVec2::new(axes.x.at(value), height)));
        }
    }
    axes.close(&mut scene, chart);
    scene
}

fn draw_strip(scene: &mut Scene, chart: &Chart, [least, q05, q25, median, q75, q95, most]: [DVec2; 7]) {
    let color = chart.theme.series[0];
    let half = DVec2::new(0.0, 0.42 * TYPE_PX);
    scene.draw(Path::line(&[least, most]), Ink::line(color.faded(0.6), 1.0));
    scene.draw(Path::line(&[q05, q95]), Ink::line(color, 2.4));
    scene.draw(Path::rect(Rect { min: q25 - half, max: q75 + half }), Ink::fill(color));
    scene.draw(Path::line(&[median - half, median + half]), Ink::line(chart.theme.ground, 2.2));
}
