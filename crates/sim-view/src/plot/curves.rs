//! Curves with bands.

use super::axes::{Axes, LINE};
use super::{Chart, Look, Quantity, TYPE_PX, write};
use crate::draw::{Anchor, Ink, Path, Scene, font};
use sim_core::DVec2;

/// Curves beyond which colours repeat.
pub const MAX_CURVES: usize = 6;

/// Places up to which a curve has a dot at each.
const MAX_DOTS: usize = 16;

/// How far apart places of different curves at one value stand, px.
const DODGE_PX: f64 = 5.0;

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

/// Curves over a common axis, with their names above. One curve, or long ones, lie in bands; several with few places have a line through
/// each place instead, since bands over each other hide one another. Places with a value that is not finite are left out.
#[must_use]
pub fn curves(chart: &Chart, [x, y]: [&Quantity; 2], series: &[Series]) -> Scene {
    let places = || series.iter().flat_map(|curve| &curve.places).filter(|place| is_finite(place));
    let x_range = x.range_of(places().map(|place| place.x));
    let y_range = y.range_of(places().flat_map(|place| place.values));
    let lines = legend_lines(chart, &y.words(), series);
    let mut scene = chart.scene();
    let axes = Axes::draw(&mut scene, chart, [(x, x_range), (y, y_range)], lines.len());
    let is_crowded = series.len() > 1 && series.iter().all(|curve| curve.places.len() <= MAX_DOTS);
    for (n, curve) in series.iter().enumerate().rev() {
        let shift_px = if is_crowded { DODGE_PX * (n as f64 - 0.5 * (series.len() - 1) as f64) } else { 0.0 };
        draw_curve(&mut scene, chart, (&axes, is_crowded.then_some(shift_px)), (n, curve));
    }
    if let Some(guide) = &y.guide {
        axes.guide_across(&mut scene, chart, guide);
    }
    axes.close(&mut scene, chart);
    if lines.is_empty() {
        let entries: Vec<usize> = (0..series.len()).collect();
        write_line(&mut scene, chart, (axes.area.max.x, axes.area.min.y - 0.9 * TYPE_PX), series, &entries);
    }
    for (n, entries) in lines.iter().enumerate() {
        let height = (1.9 + LINE * (n + 1) as f64) * TYPE_PX;
        let width = line_width(series, entries);
        write_line(&mut scene, chart, (TYPE_PX + width, height), series, entries);
    }
    scene
}

/// `crowded_px` is how far the places of a curve among others stand aside.
fn draw_curve(
    scene: &mut Scene,
    chart: &Chart,
    (axes, crowded_px): (&Axes, Option<f64>),
    (n, curve): (usize, &Series),
) {
    let color = chart.theme.series[n % chart.theme.series.len()];
    let shown: Vec<&Band> = curve.places.iter().filter(|place| is_finite(place)).collect();
    let place = |band: &Band, end: usize| {
        DVec2::new(axes.x.at(band.x) + crowded_px.unwrap_or(0.0), axes.y.at(band.values[end]))
    };
    let line = |end: usize| shown.iter().map(move |band| place(band, end));
    let middle: Vec<DVec2> = line(1).collect();
    if crowded_px.is_none() {
        let band: Vec<DVec2> = line(0).chain(line(2).rev()).collect();
        scene.draw(Path::polygon(&band), Ink::fill(color.faded(0.25)));
    }
    scene.draw(Path::line(&middle), Ink::line(color, 2.2));
    if middle.len() > MAX_DOTS {
        return;
    }
    for (band, &at) in shown.iter().zip(&middle) {
        if crowded_px.is_some() {
            scene.draw(Path::line(&[place(band, 0), place(band, 2)]), Ink::line(color.faded(0.8), 1.4));
        }
        scene.draw(Path::circle(at, 0.28 * TYPE_PX), Ink::fill(color).with_line(chart.theme.ground, 1.2));
    }
}

/// The names of the curves in lines of their own, where they do not fit beside the name of the left axis.
fn legend_lines(chart: &Chart, left_name: &str, series: &[Series]) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..series.len()).collect();
    let width_px = chart.size.x - 2.0 * TYPE_PX;
    if font::width(left_name, TYPE_PX) + line_width(series, &all) + 2.0 * TYPE_PX <= width_px {
        return Vec::new();
    }
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for n in all {
        match lines.last_mut() {
            Some(line) if line_width(series, line) + GAP * TYPE_PX + width(series, n) <= width_px => line.push(n),
            _ => lines.push(vec![n]),
        }
    }
    lines
}

/// Between two names, in heights of the type.
const GAP: f64 = 1.2;

fn width(series: &[Series], n: usize) -> f64 {
    font::width(&series[n].name, TYPE_PX)
}

fn line_width(series: &[Series], entries: &[usize]) -> f64 {
    let gaps = entries.len().saturating_sub(1) as f64 * GAP * TYPE_PX;
    entries.iter().map(|&n| width(series, n)).sum::<f64>() + gaps
}

/// Writes names in the colours of their curves so that they end at `right`.
fn write_line(scene: &mut Scene, chart: &Chart, (mut right, height): (f64, f64), series: &[Series], entries: &[usize]) {
    for &n in entries.iter().rev() {
        let color = chart.theme.series[n % chart.theme.series.len()];
        write(scene, DVec2::new(right, height), &series[n].name, Look::new(color).anchored(Anchor::End));
        right -= width(series, n) + GAP * TYPE_PX;
    }
}

fn is_finite(place: &Band) -> bool {
    place.x.is_finite() && place.values.iter().all(|value| value.is_finite())
}
