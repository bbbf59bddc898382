//! Minimum-jerk easing: from 0 to 1 with speed and acceleration zero at both ends.
//!
//! `e(s) = 10 s^3 - 15 s^4 + 6 s^5`, s in [0, 1] (swarm reference, section 4). Steepest slope 1.875 in the middle, largest
//! second derivative 5.774. Outside [0, 1] it stays at 0 and 1.

/// Steepest slope of [`quintic`].
pub const PEAK_SLOPE: f64 = 1.875;

/// The easing itself.
#[inline]
#[must_use]
pub fn quintic(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
}

/// Integral of [`quintic`] from 0 to `s`: 1/2 at 1, then growing like `s - 1/2`.
#[inline]
#[must_use]
pub fn quintic_integral(s: f64) -> f64 {
    if s >= 1.0 {
        return s - 0.5;
    }
    let s = s.max(0.0);
    s * s * s * s * (2.5 + s * (s - 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_flat_and_the_middle_has_the_stated_slope() {
        assert_eq!((quintic(-1.0), quintic(0.0), quintic(1.0), quintic(7.0)), (0.0, 0.0, 1.0, 1.0));
        let slope = |s: f64| (quintic(s + 1e-5) - quintic(s - 1e-5)) / 2e-5;
        assert!((slope(0.5) - PEAK_SLOPE).abs() < 1e-6);
        assert!(slope(1e-4) < 1e-5 && slope(1.0 - 1e-4) < 1e-5);
        let bend = |s: f64| (quintic(s + 1e-4) + quintic(s - 1e-4) - 2.0 * quintic(s)) / 1e-8;
        let largest = (1..1000).map(|i| bend(f64::from(i) * 1e-3).abs()).fold(0.0, f64::max);
        assert!((largest - 5.774).abs() < 1e-3, "{largest}");
    }

    #[test]
    fn the_integral_is_the_integral() {
        let n = 4000;
        let mut sum = 0.0;
        for i in 0..n {
            let s = (f64::from(i) + 0.5) / f64::from(n) * 1.5;
            sum += quintic(s) * 1.5 / f64::from(n);
            let end = (f64::from(i) + 1.0) / f64::from(n) * 1.5;
            assert!((sum - quintic_integral(end)).abs() < 1e-6);
        }
        assert_eq!(quintic_integral(1.0), 0.5);
    }
}
