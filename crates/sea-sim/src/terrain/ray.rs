//! Rays against a grid of heights.
//!
//! # Method
//! The ray walks from cell to cell (Amanatides and Woo 1987). A cell whose four heights lie all above or all below the piece of ray over
//! it is passed by; else both triangles are met exactly: with the corners relative to the ray's origin, `e_ab = d . (a x b)` tells on
//! which side of the edge ab the ray passes. Two triangles that share an edge compute the same number with opposite signs, bit for bit, so
//! no ray slips through between them. The distance is `n . a / n . d`.

use super::grid::{Cell, HeightGrid, Material};
use sim_core::{DVec3, ParamError};

/// A ray that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins, m.
    pub(super) origin_m: DVec3,
    /// Its direction, of length 1.
    pub(super) direction: DVec3,
    /// How far it goes, m.
    pub(super) length_m: f64,
}

/// Where a ray meets the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the ray's origin, m.
    pub distance_m: f64,
    /// Place, m.
    pub position_m: DVec3,
    /// Unit vector that stands on the bottom, upwards.
    pub normal: DVec3,
    /// What the bottom is made of.
    pub material: Material,
}

impl Ray {
    /// A ray from a place, m, along a direction of any length, that ends after `length_m`.
    ///
    /// # Errors
    /// If the direction has no length, or a value is not finite or negative.
    pub fn new(origin_m: DVec3, direction: DVec3, length_m: f64) -> Result<Self, ParamError> {
        let length = direction.length();
        ParamError::check_range("direction", length, f64::MIN_POSITIVE, f64::MAX)?;
        ParamError::check_range("length_m", length_m, 0.0, 1e7)?;
        if !origin_m.is_finite() {
            return Err(ParamError::new("origin_m", format!("is {origin_m}, must be finite")));
        }
        Ok(Self { origin_m, direction: direction / length, length_m })
    }

    /// The place at a distance, m.
    #[must_use]
    pub fn at(&self, distance_m: f64) -> DVec3 {
        self.origin_m + self.direction * distance_m
    }

    /// Distance to a triangle; none if the ray passes by it, runs along its plane or ends before.
    pub(super) fn meets(&self, triangle: [DVec3; 3]) -> Option<f64> {
        let [a, b, c] = triangle.map(|corner| corner - self.origin_m);
        let d = self.direction;
        let (ab, bc, ca) = (d.dot(a.cross(b)), d.dot(b.cross(c)), d.dot(c.cross(a)));
        let inside = (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0);
        if !inside {
            return None;
        }
        let normal = (b - a).cross(c - a);
        let distance_m = normal.dot(a) / normal.dot(d);
        (distance_m >= 0.0 && distance_m <= self.length_m).then_some(distance_m)
    }
}

/// Cells along a ray, one after the other.
struct Walk {
    cell: [isize; 2],
    step: [isize; 2],
    /// Distance at which the ray crosses the next border of columns and of rows.
    next_m: [f64; 2],
    /// Distance between two borders.
    between_m: [f64; 2],
    /// Where the ray enters the present cell, and where it leaves the grid or ends.
    from_m: f64,
    end_m: f64,
}

impl HeightGrid {
    /// The first place where a ray meets the bottom, from either side.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<Hit> {
        let mut walk = self.walk(ray)?;
        loop {
            let cell = self.cell_of(walk.cell)?;
            let to_m = walk.next_m[0].min(walk.next_m[1]).min(walk.end_m);
            if self.may_meet(cell, ray, walk.from_m, to_m)
                && let Some(hit) = self.cast_in_cell(cell, ray)
            {
                return Some(hit);
            }
            if to_m >= walk.end_m {
                return None;
            }
            walk.advance();
        }
    }

    /// The walk from where the ray enters the grid; none if it misses the grid's outline.
    fn walk(&self, ray: &Ray) -> Option<Walk> {
        let [low, high] = self.span_m();
        let cell_m = self.params().cell_m;
        let (mut from_m, mut end_m) = (0.0_f64, ray.length_m);
        for axis in 0..2 {
            let (origin, direction) = (ray.origin_m[axis], ray.direction[axis]);
            if direction == 0.0 {
                if origin < low[axis] || origin > high[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low[axis] - origin) / direction, (high[axis] - origin) / direction);
            (from_m, end_m) = (from_m.max(a.min(b)), end_m.min(a.max(b)));
        }
        if from_m > end_m {
            return None;
        }
        let start = ray.at(from_m);
        let mut walk = Walk {
            cell: [0; 2],
            step: [0; 2],
            next_m: [f64::INFINITY; 2],
            between_m: [f64::INFINITY; 2],
            from_m,
            end_m,
        };
        for axis in 0..2 {
            let last = [self.params().columns, self.params().rows][axis] as isize - 2;
            let direction = ray.direction[axis];
            walk.cell[axis] = (((start[axis] - low[axis]) / cell_m) as isize).clamp(0, last);
            if direction != 0.0 {
                walk.step[axis] = if direction > 0.0 { 1 } else { -1 };
                let border = low[axis] + cell_m * (walk.cell[axis] + isize::from(direction > 0.0)) as f64;
                walk.next_m[axis] = (border - ray.origin_m[axis]) / direction;
                walk.between_m[axis] = cell_m / direction.abs();
            }
        }
        Some(walk)
    }

    fn cell_of(&self, [column, row]: [isize; 2]) -> Option<Cell> {
        let cell = Cell { column: usize::try_from(column).ok()?, row: usize::try_from(row).ok()? };
        (cell.column + 1 < self.params().columns && cell.row + 1 < self.params().rows).then_some(cell)
    }

    /// False if the ray stays above or below all of a cell from one distance to another.
    fn may_meet(&self, cell: Cell, ray: &Ray, from_m: f64, to_m: f64) -> bool {
        let (a, b) = (ray.at(from_m).z, ray.at(to_m).z);
        let heights = self.corners(cell).map(|post| post.z);
        let lowest = heights.into_iter().fold(f64::INFINITY, f64::min);
        let highest = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        // Distances of borders are rounded: a ray may be over the cell a little longer than they say.
        let slack = ROUNDING * (1.0 + to_m.abs() + a.abs() + b.abs());
        a.min(b) <= highest + slack && a.max(b) >= lowest - slack
    }

    fn cast_in_cell(&self, cell: Cell, ray: &Ray) -> Option<Hit> {
        let nearest = |best: Option<(f64, [DVec3; 3])>, triangle: [DVec3; 3]| match (ray.meets(triangle), best) {
            (Some(distance_m), Some((best_m, _))) if distance_m >= best_m => best,
            (Some(distance_m), _) => Some((distance_m, triangle)),
            (None, _) => best,
        };
        let (distance_m, [a, b, c]) = self.triangles(cell).into_iter().fold(None, nearest)?;
        let normal = (b - a).cross(c - a).normalize();
        Some(Hit { distance_m, position_m: ray.at(distance_m), normal, material: self.material(cell) })
    }
}

/// Bound of the relative rounding of a few products.
const ROUNDING: f64 = 1e-12;

impl Walk {
    fn advance(&mut self) {
        let axis = usize::from(self.next_m[1] < self.next_m[0]);
        self.from_m = self.next_m[axis];
        self.next_m[axis] += self.between_m[axis];
        self.cell[axis] += self.step[axis];
    }
}
