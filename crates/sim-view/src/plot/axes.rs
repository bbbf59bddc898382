//! Scales, round numbers along them, and the lines that show them.

use super::{Chart, Guide, Look, Quantity, TYPE_PX, write};
use crate::draw::{Anchor, Ink, Path, Scene, font};
use sim_core::{DVec2, Rect, ops};

/// Round numbers along an axis, about this many.
const TICKS: f64 = 6.0;

/// Height of a line of words, in heights of the type.
pub(super) const LINE: f64 = 1.4;

/// From values to places along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub values: [f64; 2],
    pub px: [f64; 2],
    pub is_log: bool,
}

impl Scale {
    fn new(quantity: &Quantity, values: [f64; 2], px: [f64; 2]) -> Self {
        Self { values, px, is_log: quantity.is_log && values[0] > 0.0 }
    }

    pub fn at(&self, value: f64) -> f64 {
        let along = |value: f64| if self.is_log { ops::ln(value.max(f64::MIN_POSITIVE)) } else { value };
        let [low, high] = self.values.map(along);
        self.px[0] + (self.px[1] - self.px[0]) * (along(value) - low) / (high - low)
    }
}

/// What stands along an axis: places and words.
fn marks(quantity: &Quantity, range: [f64; 2]) -> Vec<(f64, String)> {
    if !quantity.marks.is_empty() {
        return quantity.marks.clone();
    }
    if quantity.is_log && range[0] > 0.0 {
        let found = log_ticks(range);
        // Between two powers there may be none.
        if found.len() > 1 {
            return found.into_iter().map(|value| (value, value.to_string())).collect();
        }
    }
    let step = round_step(range[1] - range[0], TICKS);
    ticks(range).into_iter().map(|value| (value, label(value, step))).collect()
}

/// 1, 2 and 5 times the powers of ten in a range; powers alone if that is enough.
fn log_ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let mut power = 1.0;
    while power > low {
        power /= 10.0;
    }
    while power * 10.0 <= low {
        power *= 10.0;
    }
    let mut found = Vec::new();
    while power <= high && found.len() < 100 {
        found.extend([1.0, 2.0, 5.0].map(|factor| factor * power));
        power *= 10.0;
    }
    found.retain(|value| (low * 0.999..=high * 1.001).contains(value));
    if found.len() as f64 > 2.0 * TICKS { found.into_iter().step_by(3).collect() } else { found }
}

/// The step between round numbers: 1, 2 or 5 times a power of ten, so that about `count` of them fill `extent`.
pub(super) fn round_step(extent: f64, count: f64) -> f64 {
    let rough = extent / count;
    if rough.is_nan() || rough <= f64::MIN_POSITIVE || rough.is_infinite() {
        return 1.0;
    }
    let mut power = 1.0;
    while power * 10.0 <= rough {
        power *= 10.0;
    }
    while power > rough {
        power /= 10.0;
    }
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(10.0 * power)
}

/// Round numbers in a range.
pub(super) fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let step = round_step(high - low, TICKS);
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).clamp(0.0, 100.0) as u32;
    (0..=count).map(|n| (first + f64::from(n)) * step).collect()
}

/// The smallest range with round ends that holds all values; one round them if they are all the same.
pub(super) fn round_range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let ends = values.filter(|value| value.is_finite()).fold(None, |ends: Option<[f64; 2]>, value| {
        let [low, high] = ends.unwrap_or([value, value]);
        Some([low.min(value), high.max(value)])
    });
    let [low, high] = ends.unwrap_or([0.0, 1.0]);
    let extent = if high > low { high - low } else { low.abs().max(1.0) };
    let step = round_step(extent, TICKS);
    let (first, last) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
    if last > first { [first, last] } else { [first - step, first + step] }
}

/// A number with as many decimals as its neighbours need.
pub(super) fn label(value: f64, step: f64) -> String {
    let mut decimals = 0;
    let mut rest = step.abs();
    while decimals < 9 && (rest - rest.round()).abs() > 1e-6 * rest.max(1e-9) {
        rest *= 10.0;
        decimals += 1;
    }
    if value.abs() >= 1e6 || (decimals >= 6) {
        return format!("{value:.1e}");
    }
    // Adding 0 makes -0 a plain zero.
    format!("{:.decimals$}", value + 0.0).replace('-', "\u{2212}")
}

/// Where a plot is drawn: an axis below and one on the left, with their names.
pub(super) struct Axes {
    pub area: Rect,
    pub x: Scale,
    pub y: Scale,
    /// Where the name of the left axis ends.
    name_end: f64,
}

impl Axes {
    /// Both axes with round numbers, lines across, and names; above there is space for some more lines of words.
    pub fn draw(scene: &mut Scene, chart: &Chart, [x, y]: [(&Quantity, [f64; 2]); 2], lines_above: usize) -> Self {
        let (numbers, names): (Vec<f64>, Vec<String>) = marks(y.0, y.1).into_iter().unzip();
        let mut axes = Self::below(scene, chart, x, (y.1, widest(&names)), lines_above);
        axes.y = Scale::new(y.0, y.1, axes.y.px);
        for (&value, name) in numbers.iter().zip(&names) {
            let height = axes.y.at(value);
            axes.line_across(scene, chart, height);
            axes.name_at(scene, chart, height, name);
        }
        axes.write_left_name(scene, chart, &y.0.words());
        axes
    }

    /// The axis below alone; on the left there is space for words of a width, and values of a range.
    pub fn below(
        scene: &mut Scene,
        chart: &Chart,
        x: (&Quantity, [f64; 2]),
        left: ([f64; 2], f64),
        lines_above: usize,
    ) -> Self {
        let min = DVec2::new(left.1 + 2.0 * TYPE_PX, (4.4 + LINE * lines_above as f64) * TYPE_PX);
        let area = Rect { min, max: chart.size - DVec2::new(2.0, 4.0) * TYPE_PX };
        let y = Scale { values: left.0, px: [area.max.y, area.min.y], is_log: false };
        let axes = Self { area, x: Scale::new(x.0, x.1, [area.min.x, area.max.x]), y, name_end: 0.0 };
        let look = Look::new(chart.theme.faint).anchored(Anchor::Middle);
        let mut free_from = f64::NEG_INFINITY;
        for (value, words) in marks(x.0, x.1) {
            let at = axes.x.at(value);
            let line = Path::line(&[DVec2::new(at, area.max.y), DVec2::new(at, area.max.y + 4.0)]);
            scene.draw(line, Ink::line(chart.theme.faint, 1.0));
            // Where marks are crowded, not each has space for its words.
            let half = 0.5 * font::width(&words, TYPE_PX);
            if at - half >= free_from {
                write(scene, DVec2::new(at, area.max.y + 1.5 * TYPE_PX), &words, look);
                free_from = at + half + 0.5 * TYPE_PX;
            }
        }
        let name_at = DVec2::new(area.center().x, area.max.y + 2.9 * TYPE_PX);
        write(scene, name_at, &x.0.words(), Look { color: chart.theme.ink, ..look });
        axes
    }

    /// The line below, drawn last so that nothing covers it.
    pub fn close(&self, scene: &mut Scene, chart: &Chart) {
        let Rect { min, max } = self.area;
        let line = Path::line(&[DVec2::new(min.x, max.y), max]);
        scene.draw(line, Ink::line(chart.theme.faint, 1.2));
    }

    fn write_left_name(&mut self, scene: &mut Scene, chart: &Chart, words: &str) {
        let at = DVec2::new(TYPE_PX, self.area.min.y - 0.9 * TYPE_PX);
        self.name_end = at.x + font::width(words, TYPE_PX);
        write(scene, at, words, Look::new(chart.theme.ink));
    }

    pub fn line_across(&self, scene: &mut Scene, chart: &Chart, height: f64) {
        let line = Path::line(&[DVec2::new(self.area.min.x, height), DVec2::new(self.area.max.x, height)]);
        scene.draw(line, Ink::line(chart.theme.hairline, 1.0));
    }

    /// Words left of the axis.
    pub fn name_at(&self, scene: &mut Scene, chart: &Chart, height: f64, words: &str) {
        let at = DVec2::new(self.area.min.x - 0.6 * TYPE_PX, height + 0.33 * TYPE_PX);
        write(scene, at, words, Look::new(chart.theme.faint).anchored(Anchor::End));
    }

    /// A guide across the axis below, with its words above.
    pub fn guide_up(&self, scene: &mut Scene, chart: &Chart, guide: &Guide) {
        let x = self.x.at(guide.at);
        let Rect { min, max } = self.area;
        let color = guide.color(&chart.theme);
        let line = Path::line(&[DVec2::new(x, min.y - 0.3 * TYPE_PX), DVec2::new(x, max.y)]);
        scene.draw(line, Ink::line(color, 1.6).dashed(6.0, 4.0));
        let look = Look::new(color);
        let is_right = x > self.area.center().x;
        let at = if is_right { x + 4.0 } else { (x - 4.0).max(self.name_end + TYPE_PX) };
        let look = if is_right { look.anchored(Anchor::End) } else { look };
        write(scene, DVec2::new(at, min.y - 0.9 * TYPE_PX), &guide.words, look);
    }

    /// A guide across the axis on the left, with its words at its right end.
    pub fn guide_across(&self, scene: &mut Scene, chart: &Chart, guide: &Guide) {
        let height = self.y.at(guide.at);
        let color = guide.color(&chart.theme);
        let line = Path::line(&[DVec2::new(self.area.min.x, height), DVec2::new(self.area.max.x, height)]);
        scene.draw(line, Ink::line(color, 1.6).dashed(6.0, 4.0));
        let at = DVec2::new(self.area.max.x, height - 0.4 * TYPE_PX);
        // What lies below the words does not make them hard to read.
        let min = at - DVec2::new(font::width(&guide.words, TYPE_PX) + 3.0, 0.9 * TYPE_PX);
        scene.draw(
            Path::rect(Rect { min, max: at + DVec2::new(0.0, 0.25 * TYPE_PX) }),
            Ink::fill(chart.theme.ground.faded(0.75)),
        );
        write(scene, at, &guide.words, Look::new(color).anchored(Anchor::End));
    }
}

/// Width of the widest of some words.
pub(super) fn widest(words: &[String]) -> f64 {
    words.iter().map(|words| font::width(words, TYPE_PX)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_ranges_are_round() {
        assert_eq!([0.7, 12.0, 65.0].map(|extent| round_step(extent, 6.0)), [0.2, 2.0, 20.0]);
        assert!((round_step(3e-5, 6.0) - 5e-6).abs() < 1e-18 && round_step(0.0, 6.0) == 1.0);
        assert_eq!(round_range([61.3, 60.2, 62.9].into_iter()), [60.0, 63.0]);
        assert_eq!(round_range([f64::NAN, 5.0].into_iter()), [4.0, 6.0]);
        assert_eq!(round_range(std::iter::empty()), [0.0, 1.0]);
        assert_eq!(ticks([0.0, 1.0]).len(), 6);
    }

    #[test]
    fn numbers_have_the_decimals_that_their_step_needs() {
        let labels = [label(60.5, 0.5), label(-2.0, 1.0), label(0.25, 0.05), label(-0.0, 0.5), label(2e7, 1e6)];
        assert_eq!(labels, ["60.5", "\u{2212}2", "0.25", "0.0", "2.0e7"]);
    }
}
