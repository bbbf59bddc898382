//! A potential in colours: the time integral of moving Gaussian wells, and hills.
//!
//! ```text
//! U(x) = scale ( sum_hills peak G(x - c, sigma_h^2 I)  -  sum_wells int_0^T exp(-beta tau) G(x - mu(tau), S(tau)) dtau )
//! G(d, S) = exp(-d' S^-1 d / 2),   S(tau) = sigma^2 I + q q',   q = stretch v, at most 6 sigma long
//! ```
//!
//! The integral is a Gauss-Legendre sum of six nodes. The sum is computed at the nodes of a grid and is bilinear between them.

use super::layout::PlaneView;
use crate::draw::{Diverging, Image, Shape};
use crate::folder::{FolderError, RunFolder};
use crate::frame::{Actor, Frame, Teller};
use sim_core::{DVec2, Rect, angle::heading_of, ops};
use sim_world::view::Wells;

/// Nodes and weights of the sum on -1 to 1 (Abramowitz and Stegun, table 25.4).
const NODES: [(f64, f64); 6] = [
    (-0.932_469_514_203_152, 0.171_324_492_379_170),
    (-0.661_209_386_466_265, 0.360_761_573_048_139),
    (-0.238_619_186_083_197, 0.467_913_934_572_691),
    (0.238_619_186_083_197, 0.467_913_934_572_691),
    (0.661_209_386_466_265, 0.360_761_573_048_139),
    (0.932_469_514_203_152, 0.171_324_492_379_170),
];
/// Longest stretch of a well, in its standard deviations at rest.
pub(super) const MAX_STRETCH: f64 = 6.0;
/// A Gaussian is cut off where 4e-6 of it is left, in standard deviations.
const CUT: f64 = 5.0;
/// Cells of the grid along the longer side of the area.
const CELLS: f64 = 256.0;
/// Colours from one end to the other; an odd number has a middle.
const COLORS: usize = 255;

/// A Gaussian with a height.
#[derive(Clone, Copy, Debug)]
struct Gaussian {
    center: DVec2,
    /// Inverse covariance: xx, xy, yy.
    inverse: [f64; 3],
    reach: DVec2,
    height: f64,
}

impl Gaussian {
    /// With the covariance `sigma^2 I + q q'`.
    fn new(center: DVec2, sigma: f64, q: DVec2, height: f64) -> Self {
        let (xx, xy, yy) = (sigma * sigma + q.x * q.x, q.x * q.y, sigma * sigma + q.y * q.y);
        let det = xx * yy - xy * xy;
        let reach = CUT * DVec2::new(xx.sqrt(), yy.sqrt());
        Self { center, inverse: [yy / det, -xy / det, xx / det], reach, height }
    }

    fn at(&self, place: DVec2) -> f64 {
        let (d, [xx, xy, yy]) = (place - self.center, self.inverse);
        self.height * ops::exp(-0.5 * (xx * d.x * d.x + 2.0 * xy * d.x * d.y + yy * d.y * d.y))
    }
}

/// How far a well is stretched along its motion.
pub(super) fn stretch(velocity: DVec2, sigma: f64, stretch_s: f64) -> DVec2 {
    (velocity * stretch_s).clamp_length_max(MAX_STRETCH * sigma)
}

/// Half axes of a well at one standard deviation and the heading of the longer one.
pub(super) fn spread(velocity: DVec2, sigma: f64, stretch_s: f64) -> ([f64; 2], f64) {
    let stretch = stretch(velocity, sigma, stretch_s).length();
    ([(sigma * sigma + stretch * stretch).sqrt(), sigma], heading_of(velocity))
}

/// The colours from the lowest to the highest.
pub(super) fn colors(map: &Diverging) -> Vec<[u8; 3]> {
    (0..COLORS).map(|n| map.at(2.0 * n as f64 / (COLORS - 1) as f64 - 1.0)).collect()
}

/// The Gaussians of a moment; none if there is nothing to see.
fn gaussians(folder: &RunFolder, frame: &Frame, wells: &Wells) -> Result<Vec<Gaussian>, FolderError> {
    let mut all = Vec::new();
    let moving = Teller::new(folder, frame, &wells.wells)?;
    for actor in &moving.now.actors {
        all.extend(NODES.iter().filter_map(|node| well(actor, wells, *node)));
    }
    let hills = Teller::new(folder, frame, &wells.hills)?;
    if !hills.now.actors.is_empty() {
        let [sigma, peak] = [hills.place(&wells.hill[0])?, hills.place(&wells.hill[1])?];
        let hill = |hill: &Actor| {
            Gaussian::new(hill.place.truncate(), hill.row[sigma], DVec2::ZERO, wells.scale * hill.row[peak])
        };
        all.extend(hills.now.actors.iter().map(hill));
    }
    let is_drawable =
        |g: &Gaussian| g.inverse.iter().all(|x| x.is_finite()) && g.height.is_finite() && g.reach.is_finite();
    all.retain(is_drawable);
    Ok(all)
}

/// A node's part of the integral over the way of a well.
fn well(actor: &Actor, wells: &Wells, (node, weight): (f64, f64)) -> Option<Gaussian> {
    let tau_s = 0.5 * (1.0 + node) * wells.window_s;
    let (place, velocity) = actor.way.at(tau_s)?;
    let weight = 0.5 * weight * wells.window_s * ops::exp(-wells.beta_per_s * tau_s);
    let q = stretch(velocity, wells.sigma, wells.stretch_s);
    Some(Gaussian::new(place.truncate(), wells.sigma, q, -wells.scale * weight))
}

/// Values at the corners of even cells.
struct Grid {
    area: Rect,
    columns: usize,
    rows: usize,
    step: DVec2,
    values: Vec<f64>,
}

impl Grid {
    fn new(area: Rect) -> Self {
        let size = area.size();
        let cell = size.max_element() / CELLS;
        let count = |side: f64| (side / cell).ceil().clamp(1.0, CELLS) as usize + 1;
        let (columns, rows) = (count(size.x), count(size.y));
        let step = size / DVec2::new((columns - 1) as f64, (rows - 1) as f64);
        Self { area, columns, rows, step, values: vec![0.0; columns * rows] }
    }

    fn add(&mut self, gaussian: &Gaussian) {
        let low = (gaussian.center - gaussian.reach - self.area.min) / self.step;
        let high = (gaussian.center + gaussian.reach - self.area.min) / self.step;
        let range = |low: f64, high: f64, count: usize| {
            (low.ceil().max(0.0) as usize)..count.min((high + 1.0).max(0.0) as usize)
        };
        for row in range(low.y, high.y, self.rows) {
            for column in range(low.x, high.x, self.columns) {
                let place = self.area.min + self.step * DVec2::new(column as f64, row as f64);
                self.values[row * self.columns + column] += gaussian.at(place);
            }
        }
    }

    fn sample(&self, place: DVec2) -> f64 {
        let at = (place - self.area.min) / self.step;
        let cell = |at: f64, count: usize| {
            let low = at.floor().clamp(0.0, (count - 2) as f64);
            (low as usize, (at - low).clamp(0.0, 1.0))
        };
        let ((column, u), (row, v)) = (cell(at.x, self.columns), cell(at.y, self.rows));
        let value = |dx: usize, dy: usize| self.values[(row + dy) * self.columns + column + dx];
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        mix(mix(value(0, 0), value(1, 0), u), mix(value(0, 1), value(1, 1), u), v)
    }
}

/// The potential all over the plane, a pixel of the image for each px of the picture; nothing if there are neither wells nor hills.
pub(super) fn image(
    (folder, frame): (&RunFolder, &Frame),
    wells: &Wells,
    view: &PlaneView,
    map: &Diverging,
) -> Result<Option<Shape>, FolderError> {
    let gaussians = gaussians(folder, frame, wells)?;
    if gaussians.is_empty() {
        return Ok(None);
    }
    let mut grid = Grid::new(view.plane.area);
    gaussians.iter().for_each(|gaussian| grid.add(gaussian));
    let colors = colors(map);
    let color_of = |potential: f64| {
        let share = if wells.extent > 0.0 { (potential / wells.extent).clamp(-1.0, 1.0) } else { 0.0 };
        colors[(0.5 * (share + 1.0) * (COLORS - 1) as f64).round() as usize]
    };
    let plane = view.plane_px();
    let area = Rect { min: plane.min.floor(), max: plane.max.ceil() };
    let [width, height] = area.size().to_array().map(|side| side as usize);
    let place = |column: usize, row: usize| view.place(area.min + DVec2::new(column as f64 + 0.5, row as f64 + 0.5));
    let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let pixels = pixels.map(|(column, row)| color_of(grid.sample(place(column, row)))).collect();
    Ok(Some(Shape::Image(area, Image { width, pixels })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Way;
    use sim_core::DVec3;

    fn wells() -> Wells {
        Wells {
            wells: "feet".into(),
            hills: "patches".into(),
            hill: ["sigma_mm".into(), "peak".into()],
            scale: 1.0,
            sigma: 40.0,
            stretch_s: 0.2,
            beta_per_s: 2.5,
            window_s: 0.6,
            frames: 36,
            extent: 0.37,
            words: Default::default(),
        }
    }

    #[test]
    fn a_well_at_rest_is_as_deep_as_the_integral_and_round() {
        let place = DVec3::new(200.0, 100.0, 0.0);
        let way = Way { step_s: 0.6, places: vec![place; 2], velocities: vec![DVec2::ZERO; 2] };
        let actor = Actor { id: 0, place, angles: [0.0; 3], row: vec![], trail: vec![], way };
        let sum =
            |at: DVec2| NODES.iter().filter_map(|node| well(&actor, &wells(), *node)).map(|g| g.at(at)).sum::<f64>();
        // lambda (1 - exp(-beta T)) / beta, and exp(-1/2) of it one standard deviation away.
        let depth = (1.0 - ops::exp(-1.5)) / 2.5;
        assert!((sum(place.truncate()) + depth).abs() < 1e-6);
        for off in [DVec2::new(40.0, 0.0), DVec2::new(0.0, -40.0)] {
            assert!((sum(place.truncate() + off) + depth * ops::exp(-0.5)).abs() < 1e-6);
        }
    }

    #[test]
    fn a_moving_well_is_long_along_its_motion_up_to_a_bound() {
        let (half_axes, heading_rad) = spread(DVec2::new(0.0, 150.0), 40.0, 0.2);
        // 30 mm of stretch beside 40 mm: 50 mm.
        assert!((half_axes[0] - 50.0).abs() < 1e-9 && half_axes[1] == 40.0);
        assert!((heading_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        let ([long, _], _) = spread(DVec2::new(1e6, 0.0), 40.0, 0.2);
        assert!((long - 40.0 * 37.0_f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn the_grid_is_the_sum_at_its_nodes_and_between_them() {
        let mut grid = Grid::new(Rect::from_size(400.0, 200.0));
        let hill = Gaussian::new(DVec2::new(100.0, 50.0), 30.0, DVec2::ZERO, 0.5);
        grid.add(&hill);
        for place in
            [DVec2::new(100.0, 50.0), DVec2::new(131.3, 22.2), DVec2::new(60.0, 90.1), DVec2::new(399.0, 199.0)]
        {
            assert!((grid.sample(place) - hill.at(place)).abs() < 5e-4, "{place}");
        }
    }
}
