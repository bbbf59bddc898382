//! Dots: one quantity against another.

use super::axes::Axes;
use super::{Chart, Quantity};
use crate::draw::{Ink, Path, Scene};
use sim_core::DVec2;

/// Radius of a dot, px.
const DOT_PX: f64 = 2.6;

/// A dot for each pair of values, on the axis below and on the left one. Pairs with a value that is not finite are left out.
#[must_use]
pub fn scatter(chart: &Chart, [x, y]: [&Quantity; 2], pairs: &[[f64; 2]]) -> Scene {
    let finite = || pairs.iter().filter(|pair| pair.iter().all(|value| value.is_finite()));
    let ranges = [x.range_of(finite().map(|pair| pair[0])), y.range_of(finite().map(|pair| pair[1]))];
    let mut scene = chart.scene();
    let axes = Axes::draw(&mut scene, chart, [(x, ranges[0]), (y, ranges[1])], 0);
    for &[a, b] in finite() {
        let dot = Path::circle(DVec2::new(axes.x.at(a), axes.y.at(b)), DOT_PX);
        scene.draw(dot, Ink::fill(chart.theme.series[0].faded(0.5)));
    }
    if let Some(guide) = &y.guide {
        axes.guide_across(&mut scene, chart, guide);
    }
    axes.close(&mut scene, chart);
    scene
}
