//! Curves with bands.

use super::axes::{Axes, round_range};
use super::{Chart, Look, Quantity, TYPE_PX, write};
use crate::draw::{Anchor, Ink, Path, Scene, font};
use sim_core::DVec2;

/// A place of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Where along the axis below.
    pub x: f64,
    /// Lower end, value, upper end.
    pub values: [f64; 3],
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it shows.
    pub name: String,
    /// Its places, in the order of x.
    pub places: Vec<Band>,
}

/// Curves over a common axis, each in a band, with their names above. Places with a value that is not finite are left out.
#[must_use]
pub fn curves(chart: &Chart, [x, y]: [&Quantity; 2], series: &[Series]) -> Scene {
    let places = || series.iter().flat_map(|curve| &curve.places).filter(|place| is_finite(place));
    let x_range = round_range(places().map(|place| place.x));
    let y_range = round_range(places().flat_map(|place| place.values));
    let mut scene = chart.scene();
    let axes = Axes::draw(&mut scene, chart, [(x, x_range), (y, y_range)]);
    let mut right = axes.area.max.x;
    for (n, curve) in series.iter().enumerate().rev() {
        let color = chart.theme.series[n % chart.theme.series.len()];
        let place = |place: &Band, end: usize| DVec2::new(axes.x.at(place.x), axes.y.at(place.values[end]));
        let shown: Vec<&Band> = curve.places.iter().filter(|place| is_finite(place)).collect();
        let line = |end: usize| shown.iter().map(move |band| place(band, end));
        let band: Vec<DVec2> = line(0).chain(line(2).rev()).collect();
        let middle: Vec<DVec2> = line(1).collect();
        scene.draw(Path::polygon(&band), Ink::fill(color.faded(0.25)));
        scene.draw(Path::line(&middle), Ink::line(color, 2.2));
        let at = DVec2::new(right, axes.area.min.y - 0.9 * TYPE_PX);
        write(&mut scene, at, &curve.name, Look::new(color).anchored(Anchor::End));
        right -= font::width(&curve.name, TYPE_PX) + 1.2 * TYPE_PX;
    }
    axes.close(&mut scene, chart);
    scene
}

fn is_finite(place: &Band) -> bool {
    place.x.is_finite() && place.values.iter().all(|value| value.is_finite())
}
