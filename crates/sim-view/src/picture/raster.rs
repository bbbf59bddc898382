//! Rasters: values of the plane in colours, and from the side the ground that they are.

use super::canvas::Canvas;
use super::ink::Of;
use super::layout::PlaneView;
use crate::draw::{Image, Ink, Path, Shape};
use crate::folder::FolderError;
use crate::theme::Theme;
use sim_core::{DVec2, DVec3, Rect};
use sim_world::view::{Axis, Color, Raster};

/// Colours from one end to the other.
pub(super) const COLORS: usize = 129;
/// Shares of a cell below this are rounding.
const NEAR: f64 = 1e-9;

/// The colours of a raster from its low to its high end, so many of them.
pub(crate) fn colors(theme: &Theme, raster: &Raster, count: usize) -> Vec<[u8; 3]> {
    gradient(theme, &raster.colors, count)
}

/// So many colours on straight lines between colours at even places.
pub(crate) fn gradient(theme: &Theme, colors: &[Color], count: usize) -> Vec<[u8; 3]> {
    let stops: Vec<[u8; 3]> = colors.iter().map(|color| theme.color(color).rgb).collect();
    let last = stops.len().saturating_sub(1);
    let color = |n: usize| {
        let at = (n * last) as f64 / (count - 1) as f64;
        let low = (at.floor() as usize).min(last.saturating_sub(1));
        let [a, b] = [stops[low], stops[(low + 1).min(last)]];
        let mix = |n: usize| f64::from(a[n]) + (f64::from(b[n]) - f64::from(a[n])) * (at - low as f64);
        std::array::from_fn(|n| mix(n).round() as u8)
    };
    (0..count).map(color).collect()
}

/// Draws a raster as the projection shows it.
pub(super) fn draw(canvas: &mut Canvas<'_>, raster: &Raster) -> Result<(), FolderError> {
    match canvas.view.plane.level_axis() {
        Some(level) => draw_ground(canvas, raster, level),
        None => {
            let colors = colors(canvas.theme(), raster, COLORS);
            let image = image(raster, &canvas.view, &colors, canvas.theme().floor().rgb);
            canvas.scene.shapes.extend(image);
            Ok(())
        }
    }
}

/// The ground up to the highest value across the view, and up to the lowest one again.
fn draw_ground(canvas: &mut Canvas<'_>, raster: &Raster, level: Axis) -> Result<(), FolderError> {
    let Some(ink) = &raster.ground else { return Ok(()) };
    let ink = canvas.ink(ink, Of::STILL)?;
    let area = canvas.view.plane.area;
    let bottom = if canvas.view.plane.axes[1] == Axis::Z { area.min.y } else { area.min.x };
    let grid = Grid(raster);
    for fold in [f64::max, f64::min] {
        let surface = (0..grid.along(level)).map(|n| Some((grid.at(level, n), grid.across(level, n).reduce(fold)?)));
        for run in runs(surface) {
            let at = |place: &(f64, f64)| canvas.px_of(seen_at(level, *place));
            let line: Vec<DVec2> = run.iter().map(at).collect();
            let ends = [run.len() - 1, 0].map(|end| at(&(run[end].0, bottom)));
            canvas.draw(Path::polygon(&[&line[..], &ends].concat()), Ink { line: None, ..ink });
            canvas.draw(Path::line(&line), Ink { fill: None, ..ink });
        }
    }
    Ok(())
}

/// The ground where the plane of the picture cuts it at a place; nothing in a plan.
pub(super) fn draw_profile(canvas: &mut Canvas<'_>, raster: &Raster, place: DVec3, ink: Ink) {
    let Some(level) = canvas.view.plane.level_axis() else { return };
    let grid = Grid(raster);
    let surface = (0..grid.along(level)).map(|n| {
        let at = grid.at(level, n);
        let under = if level == Axis::X { DVec2::new(at, place.y) } else { DVec2::new(place.x, at) };
        Some((at, grid.sample(under)?))
    });
    for run in runs(surface) {
        let line: Vec<DVec2> = run.iter().map(|&place| canvas.px_of(seen_at(level, place))).collect();
        canvas.draw(Path::line(&line), ink);
    }
}

/// A place of a side view.
fn seen_at(level: Axis, (at, z): (f64, f64)) -> DVec3 {
    if level == Axis::X { DVec3::new(at, 0.0, z) } else { DVec3::new(0.0, at, z) }
}

/// The stretches of two places or more without a gap.
fn runs(places: impl Iterator<Item = Option<(f64, f64)>>) -> Vec<Vec<(f64, f64)>> {
    let mut runs = vec![Vec::new()];
    for place in places {
        match (place, runs.last_mut()) {
            (Some(place), Some(run)) => run.push(place),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| run.len() >= 2);
    runs
}

/// The values of a raster by their places.
#[derive(Clone, Copy)]
struct Grid<'a>(&'a Raster);

impl Grid<'_> {
    fn size(&self) -> [usize; 2] {
        [self.0.columns, self.0.values.len() / self.0.columns.max(1)]
    }

    /// The rectangle with a value at each corner.
    fn area(&self) -> Rect {
        let min = DVec2::from_array(self.0.from);
        let [columns, rows] = self.size().map(|count| (count - 1) as f64);
        Rect { min, max: min + DVec2::from_array(self.0.step) * DVec2::new(columns, rows) }
    }

    /// How many values there are along an axis.
    fn along(&self, level: Axis) -> usize {
        self.size()[usize::from(level != Axis::X)]
    }

    /// Where the `n`-th value along an axis is.
    fn at(&self, level: Axis, n: usize) -> f64 {
        let axis = usize::from(level != Axis::X);
        self.0.from[axis] + n as f64 * self.0.step[axis]
    }

    /// The known values at the `n`-th place along an axis.
    fn across(&self, level: Axis, n: usize) -> impl Iterator<Item = f64> {
        let Raster { columns, values, .. } = self.0;
        let is_along_x = level == Axis::X;
        let (first, every) = if is_along_x { (n, *columns) } else { (n * columns, 1) };
        let end = if is_along_x { values.len() } else { first + columns };
        values[first..end].iter().step_by(every).copied().flatten()
    }

    /// The value at a place, bilinear; none outside, or if one that counts is not known.
    fn sample(&self, place: DVec2) -> Option<f64> {
        let [columns, rows] = self.size();
        let at = (place - DVec2::from_array(self.0.from)) / DVec2::from_array(self.0.step);
        let cell = |at: f64, count: usize| {
            let is_inside = at >= -NEAR && at <= (count - 1) as f64 + NEAR;
            let low = at.floor().clamp(0.0, (count - 2) as f64);
            is_inside.then_some((low as usize, (at - low).clamp(0.0, 1.0)))
        };
        let ((column, u), (row, v)) = (cell(at.x, columns)?, cell(at.y, rows)?);
        let corners = [(0, 0, (1.0 - u) * (1.0 - v)), (1, 0, u * (1.0 - v)), (0, 1, (1.0 - u) * v), (1, 1, u * v)];
        let counts = corners.into_iter().filter(|(.., weight)| *weight > NEAR);
        counts.map(|(right, up, weight)| Some(self.0.values[(row + up) * columns + column + right]? * weight)).sum()
    }
}

/// The values in the plan, a pixel of the image for each px of the picture; nothing if it does not show any of them.
fn image(raster: &Raster, view: &PlaneView, colors: &[[u8; 3]], unknown: [u8; 3]) -> Option<Shape> {
    let (grid, seen, [low, high]) = (Grid(raster), view.plane.area, raster.range);
    let known = grid.area();
    let is_swapped = view.plane.axes[0] == Axis::Y;
    let turned = |place: DVec2| if is_swapped { DVec2::new(place.y, place.x) } else { place };
    let shown = Rect { min: turned(known.min).max(seen.min), max: turned(known.max).min(seen.max) };
    if shown.size().min_element() <= 0.0 {
        return None;
    }
    let [a, b] = [view.px(shown.min), view.px(shown.max)];
    let frame = Rect { min: a.min(b).floor(), max: a.max(b).ceil() };
    let [width, height] = frame.size().to_array().map(|side| side as usize);
    let color = |place: DVec2| {
        let value = grid.sample(turned(place.clamp(shown.min, shown.max)));
        let share = |value: f64| ((value - low) / (high - low)).clamp(0.0, 1.0);
        value.map_or(unknown, |value| colors[(share(value) * (colors.len() - 1) as f64).round() as usize])
    };
    let pixels = (0..height).flat_map(|row| (0..width).map(move |column| DVec2::new(column as f64, row as f64) + 0.5));
    let pixels = pixels.map(|pixel| color(view.place(frame.min + pixel))).collect();
    Some(Shape::Image(frame, Image { width, pixels }))
}
