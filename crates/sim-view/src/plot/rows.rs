//! Charts of rows: a line for each of several things, from above, with its numbers along one scale.

use super::axes::{Axes, widest};
use super::{Chart, Quantity};
use crate::draw::Scene;
use sim_core::DVec2;

/// A row: its name, and the numbers that are drawn.
pub(super) type Row<'a, const N: usize> = (&'a str, [f64; N]);

/// How the numbers of a row are drawn, each at its place.
pub(super) type DrawRow<const N: usize> = fn(&mut Scene, &Chart, [DVec2; N]);

/// The chart of some rows and the guide of their quantity. Rows with a number that is not finite have their name only.
pub(super) fn rows<const N: usize>(
    chart: &Chart,
    quantity: &Quantity,
    (rows, has_lines): (&[Row<'_, N>], bool),
    draw: DrawRow<N>,
) -> Scene {
    let mut scene = chart.scene();
    let names: Vec<String> = rows.iter().map(|(name, _)| (*name).to_owned()).collect();
    let range = quantity.range_of(rows.iter().flat_map(|(_, numbers)| *numbers));
    let lines = [rows.len() as f64, 0.0];
    let axes = Axes::below(&mut scene, chart, (quantity, range), (lines, widest(&names)), 0);
    if let Some(guide) = &quantity.guide {
        axes.guide_up(&mut scene, chart, guide);
    }
    for (n, (name, numbers)) in rows.iter().enumerate() {
        let height = axes.y.at(n as f64 + 0.5);
        if has_lines {
            axes.line_across(&mut scene, chart, height);
        }
        axes.name_at(&mut scene, chart, height, name);
        if numbers.iter().all(|number| number.is_finite()) {
            draw(&mut scene, chart, numbers.map(|number| DVec2::new(axes.x.at(number), height)));
        }
    }
    axes.close(&mut scene, chart);
    scene
}
