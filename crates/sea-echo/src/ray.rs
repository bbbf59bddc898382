//! A ray and a triangle: the one arithmetic that every way of casting calls.
//!
//! # Method
//! Woop, Benthin and Wald, "Watertight ray/triangle intersection", Journal of Computer Graphics Techniques 2(1), 2013. Corners are seen
//! from the ray's origin and sheared so that the ray runs along one axis. In the plane across it the triangle holds the origin if three
//! edge functions, `c.x b.y - c.y b.x` and so on, have no two different signs. Two triangles compute the same number for their
//! common edge with opposite signs, bit for bit.
//!
//! Rounding is monotone, so a rounded edge function has the right sign or is 0, and 0 counts as met. Where the triangle is so narrow
//! across the ray that rounding could decide, the functions are computed again from exact products (Dekker 1971). A reported place is
//! therefore on its triangle to a few roundings of its coordinates, however flat the angle is. Bounds of cells and boxes rely on that.

use sim_core::{DVec3, ParamError};

/// A ray that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub(crate) origin_m: DVec3,
    pub(crate) direction: DVec3,
    pub(crate) length_m: f64,
    shear: Shear,
}

/// What turns a ray into an axis: places along its longest component, and the two others by their slope.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shear {
    /// Axes of the world that become x, y and z.
    axes: [usize; 3],
    /// Slopes of x and y over z.
    slope: [f64; 2],
    /// Distance along the ray for a metre of z.
    distance_per_z: f64,
}

/// Where a ray meets a surface first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the ray's origin, m.
    pub distance_m: f64,
    /// Number of the triangle.
    pub triangle: u32,
}

/// Largest coordinate of an origin, m.
pub(crate) const MAX_COORDINATE_M: f64 = 1e7;
/// Longest ray, m.
pub(crate) const MAX_LENGTH_M: f64 = 1e7;

impl Ray {
    /// A ray from a place, m, along a direction of any length, that ends after `length_m`.
    ///
    /// # Errors
    /// If the direction has no length, or a value is not finite or out of its range: coordinates up to 1e7 m, lengths from 0 to 1e7 m.
    pub fn new(origin_m: DVec3, direction: DVec3, length_m: f64) -> Result<Self, ParamError> {
        let length = direction.length();
        if !(1e-100..1e100).contains(&length) {
            return Err(ParamError::new("direction", format!("is {direction}, must be finite and longer than 0")));
        }
        ParamError::check_range("length_m", length_m, 0.0, MAX_LENGTH_M)?;
        check_place("origin_m", origin_m)?;
        Ok(Self::along_unit(origin_m, direction / length, length_m))
    }

    /// A ray along a direction of length 1.
    pub(crate) fn along_unit(origin_m: DVec3, direction: DVec3, length_m: f64) -> Self {
        Self { origin_m, direction, length_m, shear: Shear::new(direction) }
    }

    /// Where it begins, m.
    #[must_use]
    pub fn origin_m(&self) -> DVec3 {
        self.origin_m
    }

    /// Its direction, of length 1.
    #[must_use]
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// How far it goes, m.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.length_m
    }

    /// The place at a distance, m.
    #[must_use]
    pub fn at(&self, distance_m: f64) -> DVec3 {
        self.origin_m + self.direction * distance_m
    }

    /// Distance to a triangle with these corners, m, from either side; none if the ray passes by it, runs along its plane or ends before.
    #[must_use]
    pub fn meets(&self, corners_m: [DVec3; 3]) -> Option<f64> {
        self.meets_sheared(corners_m.map(|corner_m| self.sheared(corner_m - self.origin_m)))
    }

    /// A place relative to the origin, m, in axes in which the ray is the z axis.
    #[inline]
    pub(crate) fn sheared(&self, from_origin_m: DVec3) -> DVec3 {
        let Shear { axes: [x, y, z], slope: [slope_x, slope_y], .. } = self.shear;
        let place = from_origin_m.to_array();
        DVec3::new(place[x] - slope_x * place[z], place[y] - slope_y * place[z], place[z])
    }

    /// Four places at once, given as their coordinates along each axis.
    #[inline]
    pub(crate) fn sheared_four(&self, from_origin_m: &[[f64; 4]; 3]) -> [DVec3; 4] {
        let Shear { axes: [x, y, z], slope: [slope_x, slope_y], .. } = self.shear;
        let [x, y, z] = [&from_origin_m[x], &from_origin_m[y], &from_origin_m[z]];
        let one = |n: usize| DVec3::new(x[n] - slope_x * z[n], y[n] - slope_y * z[n], z[n]);
        [one(0), one(1), one(2), one(3)]
    }

    /// [`Ray::meets`] for corners that are sheared.
    #[inline]
    pub(crate) fn meets_sheared(&self, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        self.meets_by_edges([a, b, c], [edge(c, b), edge(a, c), edge(b, a)])
    }

    /// [`Ray::meets_sheared`] with the edge functions opposite to the corners.
    #[inline]
    pub(crate) fn meets_by_edges(&self, corners: [DVec3; 3], edges: [f64; 3]) -> Option<f64> {
        if have_one_sign(edges) { self.distance_m(corners, edges) } else { None }
    }

    #[inline]
    fn distance_m(&self, [a, b, c]: [DVec3; 3], mut edges: [f64; 3]) -> Option<f64> {
        let size = a.x.abs() + a.y.abs() + (b.x.abs() + b.y.abs()) + (c.x.abs() + c.y.abs());
        if size * size >= NARROW * (edges[0] + edges[1] + edges[2]).abs() {
            edges = exact_edges([a, b, c])?;
        }
        let [of_a, of_b, of_c] = edges;
        let z = (of_a * a.z + of_b * b.z + of_c * c.z) / (of_a + of_b + of_c);
        // A zero has one sign: that of edge functions that are 0 depends on the way of casting.
        let distance_m = z * self.shear.distance_per_z + 0.0;
        (distance_m >= 0.0 && distance_m <= self.length_m).then_some(distance_m)
    }
}

/// Edge function of the edge between two corners: twice the area that it makes with the ray.
#[inline]
pub(crate) fn edge(p: DVec3, q: DVec3) -> f64 {
    p.x * q.y - p.y * q.x
}

/// From here on, the square of a triangle's size against twice its area, exact products decide.
const NARROW: f64 = 4096.0;

impl Shear {
    fn new(direction: DVec3) -> Self {
        let d = direction.to_array();
        let size = d.map(f64::abs);
        let longest = if size[0] >= size[1] && size[0] >= size[2] { 0 } else { 1 + usize::from(size[2] > size[1]) };
        let axes @ [x, y, z] = [(longest + 1) % 3, (longest + 2) % 3, longest];
        Self { axes, slope: [d[x] / d[z], d[y] / d[z]], distance_per_z: 1.0 / d[z] }
    }
}

#[inline]
fn have_one_sign([u, v, w]: [f64; 3]) -> bool {
    (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)
}

/// Edge functions out of exact products; none if the ray passes by, or if all are 0, as those of a triangle seen edge-on.
#[cold]
fn exact_edges([a, b, c]: [DVec3; 3]) -> Option<[f64; 3]> {
    let edge = |p: DVec3, q: DVec3| difference_of_products([p.x, q.y], [p.y, q.x]);
    let edges = [edge(c, b), edge(a, c), edge(b, a)];
    (have_one_sign(edges) && edges[0] + edges[1] + edges[2] != 0.0).then_some(edges)
}

/// `a b - c d`, whose sign is exact.
fn difference_of_products([a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
    let (first, second) = (a * b, c * d);
    (first - second) + (rounding_of_product(a, b, first) - rounding_of_product(c, d, second))
}

/// What the rounded product of two numbers lacks (Dekker 1971).
fn rounding_of_product(a: f64, b: f64, product: f64) -> f64 {
    let ([a_high, a_low], [b_high, b_low]) = (halves(a), halves(b));
    a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
}

/// A number as the sum of two with 26 bits each (Veltkamp 1968).
fn halves(value: f64) -> [f64; 2] {
    let scaled = 134_217_729.0 * value;
    let high = scaled - (scaled - value);
    [high, value - high]
}

impl Hit {
    /// Keeps the nearer one of two hits; of equal distances that of the smaller triangle.
    #[inline]
    pub(crate) fn keep_nearer(best: &mut Option<Self>, distance_m: Option<f64>, triangle: u32) {
        let Some(distance_m) = distance_m else { return };
        let is_nearer = |known: &Self| {
            distance_m < known.distance_m || (distance_m == known.distance_m && triangle < known.triangle)
        };
        if best.as_ref().is_none_or(is_nearer) {
            *best = Some(Self { distance_m, triangle });
        }
    }
}

/// Refuses a place that is not finite or too far away.
pub(crate) fn check_place(field: &'static str, place_m: DVec3) -> Result<(), ParamError> {
    place_m
        .to_array()
        .into_iter()
        .try_for_each(|value| ParamError::check_range(field, value, -MAX_COORDINATE_M, MAX_COORDINATE_M))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_differences_of_products_are_exact() {
        // (1 + e)(1 - e) = 1 - e^2 rounds to 1; in whole numbers the difference to 1 is -2^-60.
        let e = 1.0 / f64::from(1 << 30);
        assert_eq!((1.0 + e) * (1.0 - e) - 1.0, 0.0);
        assert_eq!(difference_of_products([1.0 + e, 1.0 - e], [1.0, 1.0]), -e * e);
        assert_eq!(difference_of_products([3.0, 5.0], [7.0, 2.0]), 1.0);
    }

    /// By rounded edge functions alone, 0, 0 and 9e-16, this triangle in line with the ray would be met, 0.6 m beside the ray.
    #[test]
    fn a_triangle_seen_edge_on_is_not_met_beside_the_ray() {
        let ray = Ray::new(DVec3::ZERO, DVec3::Z, 10.0).unwrap();
        let [a, b, c] = [[1.5, 1.200_000_000_000_000_2], [3.5, 2.800_000_000_000_000_3], [0.5, 0.4]];
        let corners = [a, b, c].map(|[x, y]| DVec3::new(x, y, 1.0));
        assert_eq!(ray.meets(corners), None);
        // Not so one whose corner the ray passes through.
        assert_eq!(ray.meets([DVec3::Z, DVec3::X + DVec3::Z, DVec3::Y + DVec3::Z]), Some(1.0));
    }
}
