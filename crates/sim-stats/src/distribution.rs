//! Quantiles of the distributions behind the intervals.
//!
//! Each is found by halving, on the distribution function, until no number is left between the ends. That is slower than the usual
//! approximations and has nothing that could fail: the inverse beta functions of the libraries that were looked at stop early for small
//! quantiles (1e-3 off at 3 of 1,000,000), while their distribution functions are right to 1e-9.

use sim_core::ops;
use special::Beta;
use std::f64::consts::SQRT_2;

/// Where an increasing function crosses a level that it `is_below` on the left of the crossing.
fn crossing(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Quantile of the beta distribution with shapes `a`, `b` > 0, for 0 < `probability` < 1.
pub(super) fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let ln_beta = a.ln_beta(b);
    crossing(0.0, 1.0, |x| x.inc_beta(a, b, ln_beta) < probability)
}

/// The number that Student's t with `freedom` > 0 degrees of freedom stays within, on both sides, with the chance `inside`.
pub(super) fn student_t_reach(freedom: f64, inside: f64) -> f64 {
    if freedom < MANY { reach_by_beta(freedom, inside) } else { reach_of_many(freedom, inside) }
}

/// From here on the expansion is within 1e-10 for 95 %; the time that the beta function takes grows with the degrees of freedom.
const MANY: f64 = 100.0;

/// With y = t^2 / (freedom + t^2), y has the beta distribution with shapes 1/2 and freedom/2.
fn reach_by_beta(freedom: f64, inside: f64) -> f64 {
    let y = beta_quantile(0.5, 0.5 * freedom, inside);
    (freedom * y / (1.0 - y)).sqrt()
}

/// Cornish and Fisher's expansion around the normal quantile z (Abramowitz and Stegun, 26.7.5).
fn reach_of_many(freedom: f64, inside: f64) -> f64 {
    let z = normal_quantile(0.5 + 0.5 * inside);
    let s = z * z;
    let terms = [
        1.0,
        (s + 1.0) / 4.0,
        ((5.0 * s + 16.0) * s + 3.0) / 96.0,
        (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0,
        ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92_160.0,
    ];
    z * terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
}

/// Chance that a standard normal deviate is at most `z`.
pub(super) fn normal_probability(z: f64) -> f64 {
    0.5 * ops::erfc(-z / SQRT_2)
}

/// The z below which a standard normal deviate stays with the chance `probability`, 0 < `probability` < 1. Outside, the infinity
/// of that side.
pub fn normal_quantile(probability: f64) -> f64 {
    if probability <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if probability > 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    // Below -38.5 the chance is less than the smallest number.
    crossing(-39.0, 0.0, |z| normal_probability(z) < probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) -> bool {
        (value / expected - 1.0).abs() < 1e-12
    }

    /// Beta(1, b): F(x) = 1 - (1 - x)^b. Beta(a, 1): F(x) = x^a. Beta(2, 2): F(x) = 3 x^2 - 2 x^3, half of it at 1/2.
    #[test]
    fn beta_quantiles_with_closed_forms() {
        for n in [1.0, 2.0, 10.0, 50.0, 1000.0] {
            assert!(near(beta_quantile(1.0, n, 0.95), -ops::exp_m1(ops::ln(0.05) / n)), "{n}");
            assert!(near(beta_quantile(n, 1.0, 0.025), ops::exp(ops::ln(0.025) / n)), "{n}");
        }
        assert!(near(beta_quantile(2.0, 2.0, 0.5), 0.5));
    }

    /// One degree of freedom: tan(pi inside / 2). Two: with p = (1 + inside) / 2, (2 p - 1) / sqrt(2 p (1 - p)).
    #[test]
    fn student_t_with_closed_forms() {
        assert!(near(student_t_reach(1.0, 0.95), ops::tan(0.475 * std::f64::consts::PI)));
        assert!(near(student_t_reach(2.0, 0.95), 0.95 / (2.0_f64 * 0.975 * 0.025).sqrt()));
        assert!(near(student_t_reach(2.0, 0.5), 0.5 / (2.0_f64 * 0.75 * 0.25).sqrt()));
    }

    /// Two ways that share nothing but the halving.
    #[test]
    fn the_expansion_for_many_degrees_of_freedom_is_close_enough() {
        for freedom in [MANY, 150.0, 1_000.0] {
            let error = reach_of_many(freedom, 0.95) / reach_by_beta(freedom, 0.95) - 1.0;
            assert!(error.abs() < 1e-10, "{freedom}: {error:e}");
        }
        assert!((student_t_reach(1e12, 0.95) - 1.959_963_984_542).abs() < 1e-11);
    }

    /// 1.959963984540054 and 1.2815515655446004: printed in every table of the normal distribution.
    #[test]
    fn normal_quantiles() {
        assert!(near(normal_quantile(0.975), 1.959_963_984_540_054));
        assert!(near(normal_quantile(0.1), -1.281_551_565_544_600_4));
        assert!(normal_quantile(0.5).abs() < 1e-15);
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn quantile_and_probability_undo_each_other() {
        for probability in [1e-300, 1e-12, 0.003, 0.3, 0.5, 0.8, 0.999] {
            assert!(near(normal_probability(normal_quantile(probability)), probability), "{probability}");
        }
    }
}
