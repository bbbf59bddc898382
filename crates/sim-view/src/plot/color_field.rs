//! Values over a plane in colours.

use super::axes::{Axes, label, round_step};
use super::{Chart, Look, Quantity, TYPE_PX, write};
use crate::draw::{Anchor, Image, Scene, Shape};
use sim_core::{DVec2, Rect};

/// Clearance on the right for the bar of colours, px.
const BAR_PX: f64 = 8.0 * TYPE_PX;

/// What the colours of a field mean.
pub(crate) struct ColorField<'a> {
    /// From the low to the high end.
    pub colors: &'a [[u8; 3]],
    /// Values at both ends.
    pub range: [f64; 2],
    /// What they are.
    pub words: &'a str,
}

impl ColorField<'_> {
    fn color(&self, value: f64) -> [u8; 3] {
        let share = ((value - self.range[0]) / (self.range[1] - self.range[0])).clamp(0.0, 1.0);
        self.colors[(share * (self.colors.len() - 1) as f64).round() as usize]
    }
}

/// A chart as high as it must be for one scale along both axes.
pub(crate) fn with_one_scale(chart: &Chart, axes: [(&Quantity, [f64; 2]); 2]) -> Chart {
    let frame = Axes::draw(&mut chart.scene(), &beside_bar(chart), axes, 0).area.size();
    let [x_extent, y_extent] = axes.map(|(_, [low, high])| high - low);
    let height = chart.size.y - frame.y + frame.x * y_extent / x_extent;
    Chart { size: DVec2::new(chart.size.x, height), ..chart.clone() }
}

/// The chart without the place of its bar.
fn beside_bar(chart: &Chart) -> Chart {
    Chart { size: chart.size - DVec2::new(BAR_PX, 0.0), ..chart.clone() }
}

/// Axes of both quantities with their ranges, and the value at each px between them; nothing where there is none.
pub(crate) fn color_field(
    chart: &Chart,
    axes: [(&Quantity, [f64; 2]); 2],
    field: &ColorField<'_>,
    value_at: impl Fn(DVec2) -> Option<f64>,
) -> Scene {
    let mut scene = chart.scene();
    let narrow = beside_bar(chart);
    let drawn = Axes::draw(&mut scene, &narrow, axes, 0);
    let frame = Rect { min: drawn.area.min.round(), max: drawn.area.max.round() };
    let [width, height] = frame.size().to_array().map(|side| side.max(1.0) as usize);
    let unknown = chart.theme.floor().rgb;
    let along = |[low, high]: [f64; 2], share: f64| low + share * (high - low);
    let pixel = |n: usize| {
        let [x, y] = [(n % width) as f64 + 0.5, (n / width) as f64 + 0.5];
        let place = [along(axes[0].1, x / width as f64), along(axes[1].1, 1.0 - y / height as f64)];
        value_at(place.into()).filter(|value| value.is_finite()).map_or(unknown, |value| field.color(value))
    };
    let pixels = (0..width * height).map(pixel).collect();
    scene.shapes.push(Shape::Image(frame, Image { width, pixels }));
    drawn.close(&mut scene, &narrow);
    draw_bar(&mut scene, chart, frame, field);
    scene
}

fn draw_bar(scene: &mut Scene, chart: &Chart, area: Rect, field: &ColorField<'_>) {
    let left = area.max.x + 1.5 * TYPE_PX;
    let bar = Rect { min: DVec2::new(left, area.min.y), max: DVec2::new(left + 1.1 * TYPE_PX, area.max.y) };
    let pixels = field.colors.iter().rev().copied().collect();
    scene.shapes.push(Shape::Image(bar, Image { width: 1, pixels }));
    let look = Look::new(chart.theme.faint);
    let step = round_step(field.range[1] - field.range[0], 50.0);
    for (value, height) in field.range.into_iter().zip([bar.max.y, bar.min.y + 0.8 * TYPE_PX]) {
        write(scene, DVec2::new(bar.max.x + 0.5 * TYPE_PX, height), &label(value, step), look);
    }
    let at = DVec2::new(chart.size.x - TYPE_PX, area.min.y - 0.9 * TYPE_PX);
    write(scene, at, field.words, Look::new(chart.theme.ink).anchored(Anchor::End));
}
