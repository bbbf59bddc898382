//! One Gaussian, and the few that approximate a foot's integral over the window.

use super::FieldModel;
use crate::feet::Forecast;
use sim_core::{DVec2, ops};

/// Largest stretch kappa |v| in units of s0.
pub(super) const MAX_STRETCH: f64 = 6.0;

/// `amplitude exp(-(a dx^2 + 2 b dx dy + c dy^2) / 2)` round a centre.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Well {
    pub(super) center_mm: DVec2,
    pub(super) amplitude: f64,
    /// Inverse covariance (a, b, c), per mm^2.
    pub(super) inverse: [f64; 3],
    /// Standard deviations along x and y.
    pub(super) spread_mm: DVec2,
}

impl Well {
    pub(super) fn round(center_mm: DVec2, sigma_mm: f64, amplitude: f64) -> Self {
        let inverse = 1.0 / (sigma_mm * sigma_mm);
        Self { center_mm, amplitude, inverse: [inverse, 0.0, inverse], spread_mm: DVec2::splat(sigma_mm) }
    }

    /// Covariance s0^2 I + q q' with q = kappa v; its inverse in closed form (Sherman and Morrison; reference 3.7).
    pub(super) fn moving(center_mm: DVec2, sigma_mm: f64, stretch_mm: DVec2, amplitude: f64) -> Self {
        let q = stretch_mm.clamp_length_max(MAX_STRETCH * sigma_mm);
        let s2 = sigma_mm * sigma_mm;
        let along = 1.0 / (s2 + q.length_squared());
        let inverse = [(1.0 - q.x * q.x * along) / s2, -q.x * q.y * along / s2, (1.0 - q.y * q.y * along) / s2];
        let spread_mm = DVec2::new((s2 + q.x * q.x).sqrt(), (s2 + q.y * q.y).sqrt());
        Self { center_mm, amplitude, inverse, spread_mm }
    }

    pub(super) fn value(&self, p_mm: DVec2) -> f64 {
        let d = p_mm - self.center_mm;
        let [a, b, c] = self.inverse;
        self.amplitude * ops::exp(-0.5 * (a * d.x * d.x + 2.0 * b * d.x * d.y + c * d.y * d.y))
    }

    pub(super) fn gradient(&self, p_mm: DVec2) -> DVec2 {
        let d = p_mm - self.center_mm;
        let [a, b, c] = self.inverse;
        -DVec2::new(a * d.x + b * d.y, b * d.x + c * d.y) * self.value(p_mm)
    }
}

/// Gauss-Legendre rule on [-1, 1].
pub(super) struct Rule<const N: usize> {
    nodes: [f64; N],
    weights: [f64; N],
}

/// Four nodes: polynomials of degree 7 exactly.
pub(super) const GL4: Rule<4> = Rule {
    nodes: [-0.861_136_311_594_052_6, -0.339_981_043_584_856_3, 0.339_981_043_584_856_3, 0.861_136_311_594_052_6],
    weights: [0.347_854_845_137_453_85, 0.652_145_154_862_546_1, 0.652_145_154_862_546_1, 0.347_854_845_137_453_85],
};

/// Six nodes: polynomials of degree 11 exactly.
pub(super) const GL6: Rule<6> = Rule {
    nodes: [
        -0.932_469_514_203_152,
        -0.661_209_386_466_264_5,
        -0.238_619_186_083_196_9,
        0.238_619_186_083_196_9,
        0.661_209_386_466_264_5,
        0.932_469_514_203_152,
    ],
    weights: [
        0.171_324_492_379_170_36,
        0.360_761_573_048_138_6,
        0.467_913_934_572_691_04,
        0.467_913_934_572_691_04,
        0.360_761_573_048_138_6,
        0.171_324_492_379_170_36,
    ],
};

impl<const N: usize> Rule<N> {
    /// The Gaussians whose sum is `lambda int_0^T exp(-beta tau) G dtau` for one foot. All are empty if the forecast is.
    pub(super) fn wells(&self, model: &FieldModel, forecast: &Forecast) -> [Well; N] {
        let p = model.params();
        let last = forecast.mean_mm.len().saturating_sub(1) as f64;
        std::array::from_fn(|n| {
            let share = 0.5 * (1.0 + self.nodes[n]);
            let Some((center_mm, velocity_mm_s)) = forecast.at(share * last) else {
                return Well::round(DVec2::ZERO, 1.0, 0.0);
            };
            let weight = 0.5 * self.weights[n] * p.window_s * ops::exp(-p.beta_per_s * share * p.window_s);
            Well::moving(center_mm, p.sigma_mm, velocity_mm_s * p.stretch_s, p.lambda_rho * weight)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{FieldParams, closed_form_danger};
    use sim_core::Rect;

    /// A rule with n nodes integrates every power below 2 n without error.
    #[test]
    fn rules_are_exact_to_their_degree() {
        fn check<const N: usize>(rule: &Rule<N>) {
            for degree in 0..2 * N {
                let power = |x: f64| (0..degree).fold(1.0, |product, _| product * x);
                let sum: f64 = rule.nodes.iter().zip(&rule.weights).map(|(&x, w)| w * power(x)).sum();
                let exact = if degree % 2 == 0 { 2.0 / (degree as f64 + 1.0) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-14, "{N} nodes, degree {degree}: {sum}");
            }
        }
        check(&GL4);
        check(&GL6);
    }

    /// Reference 3.3, row of four nodes, relative to the resting depth. (Six nodes: `tests/field.rs`, through the public way.)
    #[test]
    fn four_nodes_err_as_the_reference_says() {
        let table = [
            (120.0, 40.0, 40.0, 7e-6),
            (120.0, 60.0, 40.0, 5e-7),
            (200.0, 40.0, 40.0, 3e-4),
            (200.0, 60.0, 40.0, 1e-5),
            (200.0, 80.0, 45.0, 2e-6),
        ];
        for (speed, along, sigma_mm, expected) in table {
            let stretch_s = f64::sqrt(along * along - sigma_mm * sigma_mm) / speed;
            let params = FieldParams { sigma_mm, stretch_s, ..FieldParams::default() };
            let model = FieldModel::new(params, Rect::from_size(400.0, 400.0)).unwrap();
            let velocity = DVec2::new(speed, 0.0);
            let path = Forecast {
                mean_mm: (0..=36).map(|n| velocity * (f64::from(n) / 60.0)).collect(),
                velocity_mm_s: vec![velocity; 37],
            };
            let wells = GL4.wells(&model, &path);
            let error = |x: f64| {
                let p = DVec2::new(x, 0.0);
                let sum: f64 = wells.iter().map(|well| well.value(p)).sum();
                (sum - closed_form_danger(&model, DVec2::ZERO, velocity, p)).abs()
            };
            let worst = (-150..=250).map(|x| error(2.0 * f64::from(x))).fold(0.0, f64::max) / model.resting_depth();
            assert!(
                worst < 2.0 * expected && worst > 0.3 * expected,
                "{speed} {along}/{sigma_mm}: {worst:e}, {expected:e}"
            );
        }
    }

    #[test]
    fn the_inverse_is_the_inverse() {
        let q = DVec2::new(30.0, -25.0);
        let well = Well::moving(DVec2::ZERO, 40.0, q, 1.0);
        let [a, b, c] = well.inverse;
        let covariance = [1600.0 + 900.0, -750.0, 1600.0 + 625.0];
        assert!((a * covariance[0] + b * covariance[1] - 1.0).abs() < 1e-14);
        assert!((a * covariance[1] + b * covariance[2]).abs() < 1e-14);
        assert!((b * covariance[1] + c * covariance[2] - 1.0).abs() < 1e-14);
        assert_eq!(well.spread_mm, DVec2::new(50.0, covariance[2].sqrt()));
    }
}
