//! The grid on the plane, the frame round it and the scales along it.

use super::canvas::{Canvas, Look};
use super::layout::{Pane, Plane, PlaneView};
use super::style::GRID;
use crate::draw::{Ink, Path};
use sim_core::{DVec2, Rect};
use sim_world::view::{Axis, Projection};

/// Distances between two lines that are round, from the smallest.
const STEPS: [f64; 18] =
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];

/// Distance between two lines of the grid: about eight cells on the shorter side but not too many on the longer one, in round numbers.
pub(super) fn step(plane: Plane) -> f64 {
    let size = plane.area.size();
    round_up((size.min_element() / 8.0).max(size.max_element() / 24.0))
}

/// The same to the right and across; each axis for itself where they have scales of their own.
fn steps(view: &PlaneView) -> [f64; 2] {
    let size = view.plane.area.size();
    if view.stretch == 1.0 { [step(view.plane); 2] } else { [round_up(size.x / 16.0), round_up(size.y / 8.0)] }
}

fn round_up(aim: f64) -> f64 {
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
    let [right, across] = steps(&canvas.view);
    let mut path = Path::default();
    for x in marks(area.min.x, area.max.x, right) {
        path = path.and(Path::line(&[canvas.px(DVec2::new(x, area.min.y)), canvas.px(DVec2::new(x, area.max.y))]));
    }
    for y in marks(area.min.y, area.max.y, across) {
        path = path.and(Path::line(&[canvas.px(DVec2::new(area.min.x, y)), canvas.px(DVec2::new(area.max.x, y))]));
    }
    canvas.draw(path, Ink::line(canvas.theme().ink.faded(0.08), canvas.pen(1.0)));
}

/// What stands round a pane.
#[derive(Clone, Copy)]
pub(super) struct Rim<'a> {
    pub pane: &'a Pane,
    /// Size of the whole picture.
    pub size: DVec2,
    pub unit: &'a str,
    /// The projection, where there are several.
    pub projection: Option<&'a Projection>,
    pub is_alarm: bool,
}

/// Cuts off what reaches beyond the plane's rim, and frames the plane; in alarm if something must not be.
pub(super) fn draw_frame(canvas: &mut Canvas<'_>, rim: Rim<'_>) {
    let (theme, sheet, size) = (canvas.theme(), rim.pane.sheet, rim.size);
    let ground = Ink::fill(theme.ground);
    let rect = |x0, y0, x1, y1| Path::rect(Rect { min: DVec2::new(x0, y0), max: DVec2::new(x1, y1) });
    canvas.draw(rect(0.0, 0.0, size.x, sheet.min.y), ground);
    canvas.draw(rect(0.0, sheet.max.y, size.x, size.y), ground);
    canvas.draw(rect(0.0, 0.0, sheet.min.x, size.y), ground);
    canvas.draw(rect(sheet.max.x, 0.0, size.x, size.y), ground);
    let plane = Path::rect(canvas.view.plane_px());
    if rim.is_alarm {
        canvas.draw(Path::rect(sheet), Ink::line(theme.alarm, canvas.pen(7.0)));
        canvas.draw(plane, Ink::line(theme.alarm, canvas.pen(1.5)));
    } else {
        canvas.draw(plane, Ink::line(theme.faint, canvas.pen(1.5)));
    }
    if canvas.shows(GRID) {
        draw_scale(canvas, rim);
    }
}

/// The unit along the left and the lower side, and which axes they are.
fn draw_scale(canvas: &mut Canvas<'_>, Rim { pane: Pane { sheet, .. }, unit, projection, .. }: Rim<'_>) {
    let Plane { area, .. } = canvas.view.plane;
    let [right, across] = steps(&canvas.view).map(|step| 2.0 * step);
    let look = Look::new(canvas.theme().faint).size(0.8);
    let em = canvas.type_px;
    // Multiples of a tenth are not exact.
    let words = |value: f64, step: f64| format!("{value:.*}", if step < 1.0 { 2 } else { 0 });
    for x in marks(area.min.x, area.max.x, right) {
        let at = DVec2::new(canvas.px(DVec2::new(x, area.min.y)).x, sheet.max.y + 1.1 * em);
        let unit = if x + right > area.max.x { format!(" {unit}") } else { String::new() };
        canvas.write(at, words(x, right) + &unit, look.middle());
    }
    for y in marks(area.min.y, area.max.y, across) {
        let at = DVec2::new(sheet.min.x - 0.4 * em, canvas.px(DVec2::new(area.min.x, y)).y + 0.3 * em);
        canvas.write(at, words(y, across), look.end());
    }
    if let Some(projection) = projection {
        let at = DVec2::new(sheet.min.x, sheet.min.y - 0.35 * em);
        canvas.write(at, caption(projection, canvas.view.stretch, unit), look);
    }
}

/// Which axes a projection shows: `side: z over x in m, vertical exaggeration 8.2`.
fn caption(Projection { name, axes, .. }: &Projection, stretch: f64, unit: &str) -> String {
    let [right, across] = axes.map(|axis| match axis {
        Axis::X => 'x',
        Axis::Y => 'y',
        Axis::Z => 'z',
    });
    let longer = if stretch == 1.0 { String::new() } else { format!(", vertical exaggeration {stretch:.1}") };
    format!("{name}: {across} over {right} in {unit}{longer}")
}
