//! A map of a quantity over two others.

use super::axes::{label, round_step, widest};
use super::{Chart, Look, Quantity, TYPE_PX, write};
use crate::draw::{Anchor, Color, Image, Ink, Path, Scene, Shape};
use sim_core::{DVec2, Rect};

/// Colours in the bar that explains them.
const COLORS: usize = 128;

/// The values that one axis takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// What it counts.
    pub quantity: Quantity,
    /// Its values, as they are written.
    pub names: Vec<String>,
}

impl Steps {
    /// Numbers.
    #[must_use]
    pub fn numbers(quantity: Quantity, values: &[f64]) -> Self {
        Self { quantity, names: values.iter().map(f64::to_string).collect() }
    }
}

/// A cell for each pair of values, its number written in it: row by row from below, `cells[row * columns + column]`. Cells without a
/// value stay empty.
#[must_use]
pub fn heat_map(chart: &Chart, [x, y]: [&Steps; 2], quantity: &Quantity, cells: &[Option<f64>]) -> Scene {
    let mut scene = chart.scene();
    let [names_x, names_y] = [&x.names, &y.names];
    let min = DVec2::new(widest(names_y) + 2.0 * TYPE_PX, 4.4 * TYPE_PX);
    let area = Rect { min, max: chart.size - DVec2::new(9.0, 4.0) * TYPE_PX };
    let cell = area.size() / DVec2::new(x.names.len().max(1) as f64, y.names.len().max(1) as f64);
    let range = Range::from_cells(quantity, cells);
    let is_large = range.widest(cells) + 6.0 <= cell.x && cell.y >= 1.2 * TYPE_PX;
    for (n, value) in cells.iter().enumerate() {
        let (column, row) = (n % x.names.len().max(1), n / x.names.len().max(1));
        let low = DVec2::new(area.min.x + column as f64 * cell.x, area.max.y - (row + 1) as f64 * cell.y);
        let value = value.filter(|v| v.is_finite());
        draw_cell(&mut scene, chart, Rect { min: low, max: low + cell }, value, &range, is_large);
    }
    let look = Look::new(chart.theme.faint).anchored(Anchor::Middle);
    let every = (widest(names_x) / cell.x + 0.5).ceil().max(1.0) as usize;
    for (n, name) in names_x.iter().enumerate().step_by(every) {
        let at = DVec2::new(area.min.x + (n as f64 + 0.5) * cell.x, area.max.y + 1.4 * TYPE_PX);
        write(&mut scene, at, name, look);
    }
    let every = (1.3 * TYPE_PX / cell.y).ceil().max(1.0) as usize;
    for (n, name) in names_y.iter().enumerate().step_by(every) {
        let at = DVec2::new(area.min.x - 0.6 * TYPE_PX, area.max.y - (n as f64 + 0.5) * cell.y + 0.33 * TYPE_PX);
        write(&mut scene, at, name, look.anchored(Anchor::End));
    }
    let ink = Look::new(chart.theme.ink);
    write(
        &mut scene,
        DVec2::new(area.center().x, area.max.y + 2.9 * TYPE_PX),
        &x.quantity.words(),
        ink.anchored(Anchor::Middle),
    );
    write(&mut scene, DVec2::new(TYPE_PX, area.min.y - 0.9 * TYPE_PX), &y.quantity.words(), ink);
    draw_bar(&mut scene, chart, area, quantity, &range);
    scene
}

/// The colours' ends.
struct Range {
    ends: [f64; 2],
}

impl Range {
    fn from_cells(quantity: &Quantity, cells: &[Option<f64>]) -> Self {
        if let Some(ends) = quantity.range {
            return Self { ends };
        }
        let finite = || cells.iter().flatten().copied().filter(|value| value.is_finite());
        let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        let ends = if low < high {
            [low, high]
        } else if low == high {
            [low - 0.5, low + 0.5]
        } else {
            [0.0, 1.0]
        };
        Self { ends }
    }

    fn share(&self, value: f64) -> f64 {
        ((value - self.ends[0]) / (self.ends[1] - self.ends[0])).clamp(0.0, 1.0)
    }

    fn widest(&self, cells: &[Option<f64>]) -> f64 {
        let names: Vec<String> = cells.iter().flatten().map(|&value| self.label(value)).collect();
        widest(&names)
    }

    fn label(&self, value: f64) -> String {
        label(value, round_step(self.ends[1] - self.ends[0], 50.0))
    }
}

/// Cividis: even in lightness, and the same to red-green blind eyes.
fn color(share: f64) -> Color {
    let colorous::Color { r, g, b } = colorous::CIVIDIS.eval_continuous(share);
    Color { rgb: [r, g, b], alpha: 1.0 }
}

fn draw_cell(scene: &mut Scene, chart: &Chart, cell: Rect, value: Option<f64>, range: &Range, is_large: bool) {
    let inner = Path::rect(cell.inset(0.75));
    let Some(value) = value else {
        return scene.draw(inner, Ink::line(chart.theme.hairline, 1.0));
    };
    let share = range.share(value);
    scene.draw(inner, Ink::fill(color(share)));
    if !is_large {
        return;
    }
    let on = Color::hex(if share > 0.5 { 0x10151b } else { 0xffffff });
    let at = cell.center() + DVec2::new(0.0, 0.33 * TYPE_PX);
    write(scene, at, &range.label(value), Look::new(on).anchored(Anchor::Middle));
}

fn draw_bar(scene: &mut Scene, chart: &Chart, area: Rect, quantity: &Quantity, range: &Range) {
    let left = area.max.x + 1.5 * TYPE_PX;
    let bar = Rect { min: DVec2::new(left, area.min.y), max: DVec2::new(left + 1.1 * TYPE_PX, area.max.y) };
    let pixels = (0..COLORS).map(|n| color(1.0 - n as f64 / (COLORS - 1) as f64).rgb).collect();
    scene.shapes.push(Shape::Image(bar, Image { width: 1, pixels }));
    let look = Look::new(chart.theme.faint);
    for (value, height) in range.ends.into_iter().zip([bar.max.y, bar.min.y + 0.8 * TYPE_PX]) {
        write(scene, DVec2::new(bar.max.x + 0.5 * TYPE_PX, height), &range.label(value), look);
    }
    let at = DVec2::new(chart.size.x - TYPE_PX, area.min.y - 0.9 * TYPE_PX);
    write(scene, at, &quantity.words(), Look::new(chart.theme.ink).anchored(Anchor::End));
}
