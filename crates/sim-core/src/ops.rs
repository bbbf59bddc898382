//! The one door for mathematics that processors and C libraries may round differently.
//!
//! Addition, multiplication, division, square root and rounding are exact in IEEE arithmetic and need no door. The
//! functions below come from the pure Rust `libm`, compiled with the program, so that a run has the same bits everywhere.
//! `clippy.toml` bans the standard library's versions.

macro_rules! portable {
    ($($(#[$doc:meta])* $name:ident => $libm:ident;)*) => {
        $($(#[$doc])* #[inline] #[must_use] pub fn $name(x: f64) -> f64 { libm::$libm(x) })*
    };
}

portable! {
    /// Sine of an angle in radians.
    sin => sin;
    /// Cosine of an angle in radians.
    cos => cos;
    /// Tangent of an angle in radians.
    tan => tan;
    /// Arc sine, in radians; NaN outside [-1, 1].
    asin => asin;
    /// Arc cosine, in radians; NaN outside [-1, 1].
    acos => acos;
    /// Hyperbolic sine.
    sinh => sinh;
    /// Hyperbolic cosine.
    cosh => cosh;
    /// Hyperbolic tangent.
    tanh => tanh;
    /// Inverse hyperbolic sine.
    asinh => asinh;
    /// Inverse hyperbolic tangent; NaN outside [-1, 1].
    atanh => atanh;
    /// e to the power x.
    exp => exp;
    /// Two to the power x.
    exp2 => exp2;
    /// e to the power x, less one, exact for small x.
    exp_m1 => expm1;
    /// Natural logarithm; NaN below zero.
    ln => log;
    /// Error function.
    erf => erf;
    /// Complementary error function, `1 - erf(x)` without cancellation.
    erfc => erfc;
}

/// Sine and cosine of an angle in radians.
#[inline]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Angle in radians, in (-pi, pi], of the vector (x, y) from the x axis towards the y axis.
#[inline]
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, SQRT_2};

    /// Values with closed forms; one unit in the last place of libm's documented error.
    #[test]
    fn known_values() {
        let near = |a: f64, b: f64| (a - b).abs() <= 2.0 * f64::EPSILON * b.abs().max(1.0);
        assert!(near(sin(FRAC_PI_2), 1.0) && near(cos(0.0), 1.0) && near(tan(FRAC_PI_4), 1.0));
        assert!(near(asin(1.0), FRAC_PI_2) && near(acos(0.0), FRAC_PI_2) && near(atan2(1.0, 1.0), FRAC_PI_4));
        assert!(near(ln(2.0), LN_2) && near(exp(LN_2), 2.0) && near(exp_m1(LN_2), 1.0) && near(exp2(0.5), SQRT_2));
        assert!(near(sinh(LN_2), 0.75) && near(cosh(LN_2), 1.25) && near(asinh(0.75), LN_2) && near(atanh(0.6), LN_2));
        assert!(near(tanh(LN_2), 0.6) && near(erf(0.0), 0.0) && near(erf(1.0) + erfc(1.0), 1.0));
        let (s, c) = sin_cos(FRAC_PI_4);
        assert!(near(s, c) && near(s * s + c * c, 1.0));
    }

    #[test]
    fn exp_m1_keeps_small_arguments() {
        assert_eq!(exp_m1(1e-18), 1e-18);
    }
}
