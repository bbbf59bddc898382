//! Six-dimensional vectors and matrices of a rigid body, in blocks of three: velocities, wrenches, inertia.
//!
//! A pair of a linear and an angular part stands for a velocity (m/s, rad/s), a momentum (kg m/s, kg m²/s) or a
//! wrench (N, N m), all in body axes about the body's origin.

use glam::{DMat3, DVec3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A linear and an angular vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec6 {
    /// The linear part: velocity, momentum or force.
    pub linear: DVec3,
    /// The angular part: turn rate, angular momentum or moment.
    pub angular: DVec3,
}

impl Vec6 {
    /// Both parts zero.
    pub const ZERO: Self = Self { linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// A linear and an angular vector.
    #[must_use]
    pub const fn new(linear: DVec3, angular: DVec3) -> Self {
        Self { linear, angular }
    }

    /// The wrench about the origin of a force that acts at a point.
    #[inline]
    #[must_use]
    pub fn from_force_at(force_n: DVec3, point_m: DVec3) -> Self {
        Self { linear: force_n, angular: point_m.cross(force_n) }
    }

    /// Six numbers, the linear ones first.
    #[must_use]
    pub fn to_array(self) -> [f64; 6] {
        let (l, a) = (self.linear, self.angular);
        [l.x, l.y, l.z, a.x, a.y, a.z]
    }

    /// Six numbers, the linear ones first.
    #[must_use]
    pub fn from_array(n: [f64; 6]) -> Self {
        Self { linear: DVec3::new(n[0], n[1], n[2]), angular: DVec3::new(n[3], n[4], n[5]) }
    }

    /// The product with a wrench (power, W) or a momentum (twice an energy, J).
    #[must_use]
    pub fn dot(self, other: Self) -> f64 {
        self.linear.dot(other.linear) + self.angular.dot(other.angular)
    }

    /// Whether all six numbers are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        // Without a branch for each half: states are checked at every step.
        self.linear.is_finite() & self.angular.is_finite()
    }
}

impl Add for Vec6 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl AddAssign for Vec6 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec6 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }
}

impl Neg for Vec6 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { linear: -self.linear, angular: -self.angular }
    }
}

impl Mul<f64> for Vec6 {
    type Output = Self;
    #[inline]
    fn mul(self, k: f64) -> Self {
        Self { linear: self.linear * k, angular: self.angular * k }
    }
}

/// Skew-symmetric matrix of a vector: `skew(a) b = a × b`.
#[must_use]
pub fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// A symmetric 6 x 6 inertia: `[[linear, coupling], [couplingᵀ, angular]]`, in kg, kg m and kg m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia6 {
    /// Upper left block, symmetric.
    pub linear: DMat3,
    /// Upper right block.
    pub coupling: DMat3,
    /// Lower right block, symmetric.
    pub angular: DMat3,
}

impl Inertia6 {
    /// No inertia.
    pub const ZERO: Self = Self { linear: DMat3::ZERO, coupling: DMat3::ZERO, angular: DMat3::ZERO };

    /// From a matrix in rows, of which the upper triangle of blocks is read.
    #[must_use]
    pub fn from_rows(rows: &[[f64; 6]; 6]) -> Self {
        let block = |row: usize, column: usize| {
            let at = |i: usize, j: usize| rows[row + i][column + j];
            let column = |j: usize| DVec3::new(at(0, j), at(1, j), at(2, j));
            DMat3::from_cols(column(0), column(1), column(2))
        };
        Self { linear: block(0, 0), coupling: block(0, 3), angular: block(3, 3) }
    }

    /// The whole matrix in rows.
    #[must_use]
    pub fn to_rows(&self) -> [[f64; 6]; 6] {
        let mut rows = [[0.0; 6]; 6];
        for i in 0..3 {
            for j in 0..3 {
                rows[i][j] = self.linear.col(j)[i];
                rows[i][j + 3] = self.coupling.col(j)[i];
                rows[j + 3][i] = self.coupling.col(j)[i];
                rows[i + 3][j + 3] = self.angular.col(j)[i];
            }
        }
        rows
    }

    /// The momentum of a velocity.
    #[inline]
    #[must_use]
    pub fn momentum(&self, velocity: Vec6) -> Vec6 {
        Vec6 {
            linear: self.linear * velocity.linear + self.coupling * velocity.angular,
            angular: self.coupling.transpose() * velocity.linear + self.angular * velocity.angular,
        }
    }

    /// Whether all beside the diagonal is zero.
    #[must_use]
    pub fn is_diagonal(&self) -> bool {
        let d = self.diagonal();
        *self == Self { linear: diagonal_of(&d[..3]), coupling: DMat3::ZERO, angular: diagonal_of(&d[3..]) }
    }

    /// The sum of two inertias, the second one times a factor.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: f64) -> Self {
        Self {
            linear: self.linear + other.linear * factor,
            coupling: self.coupling + other.coupling * factor,
            angular: self.angular + other.angular * factor,
        }
    }

    /// The six numbers on the diagonal.
    #[must_use]
    pub fn diagonal(&self) -> [f64; 6] {
        let (l, a) = (&self.linear, &self.angular);
        [l.x_axis.x, l.y_axis.y, l.z_axis.z, a.x_axis.x, a.y_axis.y, a.z_axis.z]
    }
}

fn diagonal_of(d: &[f64]) -> DMat3 {
    DMat3::from_diagonal(DVec3::from_slice(d))
}

/// Coriolis and centripetal wrench that acts on a body: minus `C(nu) nu` of Fossen (2021, theorem 3.2), as cross
/// products with the momentum of the same velocity.
#[inline]
#[must_use]
pub fn coriolis_wrench(velocity: Vec6, momentum: Vec6) -> Vec6 {
    let (v, w, p, h) = (velocity.linear, velocity.angular, momentum.linear, momentum.angular);
    Vec6 { linear: p.cross(w), angular: p.cross(v) + h.cross(w) }
}

/// Cholesky factor of a positive definite 6 x 6 inertia, for accelerations from wrenches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cholesky6 {
    lower: [[f64; 6]; 6],
    /// Reciprocals of the diagonal: a product is cheaper than a quotient.
    inverse: [f64; 6],
}

impl Cholesky6 {
    /// The factor, or none if the inertia is not positive definite.
    #[must_use]
    pub fn new(inertia: &Inertia6) -> Option<Self> {
        Self::from_rows(&inertia.to_rows())
    }

    /// The factor of a symmetric matrix in rows, of which the lower triangle is read.
    #[must_use]
    pub fn from_rows(rows: &[[f64; 6]; 6]) -> Option<Self> {
        let mut lower = [[0.0; 6]; 6];
        let mut inverse = [0.0; 6];
        for i in 0..6 {
            for j in 0..i {
                let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
                lower[i][j] = (rows[i][j] - known) * inverse[j];
            }
            let known: f64 = (0..i).map(|k| lower[i][k] * lower[i][k]).sum();
            let square = rows[i][i] - known;
            if square.is_nan() || square <= 0.0 {
                return None;
            }
            lower[i][i] = square.sqrt();
            inverse[i] = 1.0 / lower[i][i];
        }
        Some(Self { lower, inverse })
    }

    /// The velocity (or acceleration) of a momentum (or wrench).
    #[inline]
    #[must_use]
    pub fn solve(&self, right: Vec6) -> Vec6 {
        let mut x = right.to_array();
        for i in 0..6 {
            for j in 0..i {
                x[i] -= self.lower[i][j] * x[j];
            }
            x[i] *= self.inverse[i];
        }
        for i in (0..6).rev() {
            for j in i + 1..6 {
                x[i] -= self.lower[j][i] * x[j];
            }
            x[i] *= self.inverse[i];
        }
        Vec6::from_array(x)
    }

    /// The inverse matrix in rows: velocities of unit impulses.
    #[must_use]
    pub fn inverse_rows(&self) -> [[f64; 6]; 6] {
        // The inverse is symmetric: its columns are its rows.
        std::array::from_fn(|i| {
            let unit = std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
            self.solve(Vec6::from_array(unit)).to_array()
        })
    }
}

/// Eigenvalues of a symmetric 6 x 6 matrix by Jacobi rotations, in no order. For messages, not for steps.
#[must_use]
pub fn eigenvalues(rows: &[[f64; 6]; 6]) -> [f64; 6] {
    const SWEEPS: usize = 30; // Convergence is quadratic; six to eight suffice.
    let mut a = *rows;
    for _ in 0..SWEEPS {
        for p in 0..5 {
            for q in p + 1..6 {
                rotate(&mut a, p, q);
            }
        }
    }
    std::array::from_fn(|i| a[i][i])
}

/// Makes the element (p, q) zero by a rotation.
fn rotate(a: &mut [[f64; 6]; 6], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (before, after) = (a[p], a[q]);
    for k in 0..6 {
        (a[p][k], a[q][k]) = (c * before[k] - s * after[k], s * before[k] + c * after[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [[f64; 6]; 6] = [
        [85.5, 0.0, 0.0, 0.0, -19.75, 0.0],
        [0.0, 162.5, 0.0, 19.75, 0.0, 12.25],
        [0.0, 0.0, 135.0, 0.0, -12.25, 0.0],
        [0.0, 19.75, 0.0, 24.89048, 0.0, 5.54087],
        [-19.75, 0.0, -12.25, 0.0, 45.48162, 0.0],
        [0.0, 12.25, 0.0, 5.54087, 0.0, 42.65145],
    ];

    #[test]
    fn rows_go_in_and_out() {
        assert_eq!(Inertia6::from_rows(&ROWS).to_rows(), ROWS);
    }

    #[test]
    fn solving_undoes_the_product() {
        let inertia = Inertia6::from_rows(&ROWS);
        let velocity = Vec6::from_array([1.0, -2.0, 0.5, 0.3, -0.7, 1.1]);
        let found = Cholesky6::new(&inertia).unwrap().solve(inertia.momentum(velocity)) - velocity;
        assert!(found.to_array().iter().all(|error| error.abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn the_inverse_times_the_matrix_is_one() {
        let inverse = Cholesky6::from_rows(&ROWS).unwrap().inverse_rows();
        for (i, row) in inverse.iter().enumerate() {
            // The matrix is symmetric: its rows are its columns.
            for (j, column) in ROWS.iter().enumerate() {
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-14, "{i} {j}: {product}");
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor_and_a_negative_eigenvalue() {
        let mut rows = ROWS;
        rows[0][4] = -200.0;
        rows[4][0] = -200.0;
        assert!(Cholesky6::from_rows(&rows).is_none());
        assert!(eigenvalues(&rows).iter().any(|&value| value < 0.0));
    }

    /// Trace and determinant are the sum and the product of the eigenvalues.
    #[test]
    fn eigenvalues_keep_trace_and_determinant() {
        let values = eigenvalues(&ROWS);
        let trace: f64 = (0..6).map(|i| ROWS[i][i]).sum();
        assert!((values.iter().sum::<f64>() - trace).abs() < 1e-10);
        let lower = Cholesky6::from_rows(&ROWS).unwrap().lower;
        let determinant: f64 = (0..6).map(|i| lower[i][i] * lower[i][i]).product();
        assert!((values.iter().product::<f64>() / determinant - 1.0).abs() < 1e-12);
    }

    /// The wrench of a spinning top's own rotation does no work.
    #[test]
    fn the_coriolis_wrench_does_no_work() {
        let inertia = Inertia6::from_rows(&ROWS);
        let velocity = Vec6::from_array([1.0, -2.0, 0.5, 0.3, -0.7, 1.1]);
        let wrench = coriolis_wrench(velocity, inertia.momentum(velocity));
        assert!(wrench.linear.length() > 1.0 && wrench.dot(velocity).abs() < 1e-12);
    }
}
