//! The grid on the plane, the frame round it and the scales along it.

use super::canvas::{Canvas, Look};
use super::layout::{Layout, Plane};
use super::style::GRID;
use crate::draw::{Ink, Path};
use sim_core::{DVec2, Rect};

/// Distances between two lines that are round, from the smallest.
const STEPS: [f64; 18] =
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];

/// Distance between two lines of the grid: about eight cells on the shorter side but not too many on the longer one, in round numbers.
pub(super) fn step(plane: Plane) -> f64 {
    let size = plane.area.size();
    let aim = (size.min_element() / 8.0).max(size.max_element() / 24.0);
    STEPS.into_iter().find(|step| *step >= aim).unwrap_or(10_000.0)
}

/// Round places between two ends.
fn marks(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(move |n| n as f64 * step)
}

/// Faint lines.
pub(super) fn draw(canvas: &mut Canvas<'_>) {
    let area = canvas.view.plane.area;
    let step = step(canvas.view.plane);
    let mut path = Path::default();
    for x in marks(area.min.x, area.max.x, step) {
        path = path.and(Path::line(&[canvas.px(DVec2::new(x, area.min.y)), canvas.px(DVec2::new(x, area.max.y))]));
    }
    for y in marks(area.min.y, area.max.y, step) {
        path = path.and(Path::line(&[canvas.px(DVec2::new(area.min.x, y)), canvas.px(DVec2::new(area.max.x, y))]));
    }
    canvas.draw(path, Ink::line(canvas.theme().ink.faded(0.08), canvas.pen(1.0)));
}

/// Cuts off what reaches beyond the plane's rim, and frames the plane; in alarm if something must not be.
pub(super) fn draw_frame(canvas: &mut Canvas<'_>, layout: &Layout, unit: &str, is_alarm: bool) {
    let (theme, sheet, size) = (canvas.theme(), layout.sheet, layout.size);
    let ground = Ink::fill(theme.ground);
    let rect = |x0, y0, x1, y1| Path::rect(Rect { min: DVec2::new(x0, y0), max: DVec2::new(x1, y1) });
    canvas.draw(rect(0.0, 0.0, size.x, sheet.min.y), ground);
    canvas.draw(rect(0.0, sheet.max.y, size.x, size.y), ground);
    canvas.draw(rect(0.0, 0.0, sheet.min.x, size.y), ground);
    canvas.draw(rect(sheet.max.x, 0.0, size.x, size.y), ground);
    let plane = Path::rect(canvas.view.plane_px());
    if is_alarm {
        canvas.draw(Path::rect(sheet), Ink::line(theme.alarm, canvas.pen(7.0)));
        canvas.draw(plane, Ink::line(theme.alarm, canvas.pen(1.5)));
    } else {
        canvas.draw(plane, Ink::line(theme.faint, canvas.pen(1.5)));
    }
    if canvas.shows(GRID) {
        draw_scale(canvas, layout, unit);
    }
}

/// The unit along the left and the lower side.
fn draw_scale(canvas: &mut Canvas<'_>, layout: &Layout, unit: &str) {
    let Plane { area, .. } = canvas.view.plane;
    let step = 2.0 * step(canvas.view.plane);
    let look = Look::new(canvas.theme().faint).size(0.8);
    let em = canvas.type_px;
    // Multiples of a tenth are not exact.
    let digits = if step < 1.0 { 2 } else { 0 };
    let words = |value: f64| format!("{value:.digits$}");
    for x in marks(area.min.x, area.max.x, step) {
        let at = DVec2::new(canvas.px(DVec2::new(x, area.min.y)).x, layout.sheet.max.y + 1.1 * em);
        let unit = if x + step > area.max.x { format!(" {unit}") } else { String::new() };
        canvas.write(at, words(x) + &unit, look.middle());
    }
    for y in marks(area.min.y, area.max.y, step) {
        let at = DVec2::new(layout.sheet.min.x - 0.4 * em, canvas.px(DVec2::new(area.min.x, y)).y + 0.3 * em);
        canvas.write(at, words(y), look.end());
    }
}
