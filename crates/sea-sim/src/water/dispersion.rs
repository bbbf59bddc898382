//! Which wavelength belongs to which period.
//!
//! # Equation
//! Linear (Airy) waves on water of depth h: `w^2 = g k tanh(k h)`; deep water: `w^2 = g k`. Group speed:
//! `c_g = w/(2 k) (1 + 2 k h / sinh(2 k h))`. Source: Dean and Dalrymple, Water Wave Mechanics, 1991, chapter 3.

use crate::GRAVITY_M_S2;
use sim_core::ops;

/// Wavenumber, rad/m, of waves of angular frequency `omega_rad_s` on water of depth `depth_m` (infinite: deep water). Both positive.
/// Relative error: below 1e-14.
#[must_use]
pub fn wavenumber_rad_m(omega_rad_s: f64, depth_m: f64) -> f64 {
    let deep = omega_rad_s * omega_rad_s / GRAVITY_M_S2;
    if !depth_m.is_finite() {
        return deep;
    }
    // With y = k h: y tanh y = a. Newton from a start that is exact in both limits; y tanh y is convex where it matters.
    let a = deep * depth_m;
    let mut y = if a < 1.0 { a.sqrt() } else { a };
    for _ in 0..MAX_NEWTON_STEPS {
        let tanh = ops::tanh(y);
        let change = (y * tanh - a) / (tanh + y * (1.0 - tanh * tanh));
        y -= change;
        if change.abs() <= 1e-15 * y {
            break;
        }
    }
    y / depth_m
}

/// Six are enough everywhere; the rest is for the last bit.
const MAX_NEWTON_STEPS: u32 = 12;

/// Speed at which a group of such waves travels, m/s.
#[must_use]
pub fn group_speed_m_s(omega_rad_s: f64, depth_m: f64) -> f64 {
    let k = wavenumber_rad_m(omega_rad_s, depth_m);
    let double = 2.0 * k * depth_m;
    // 2 k h / sinh(2 k h) is below 1e-300 there, and sinh overflows soon after.
    let shallow = if double < 700.0 { double / ops::sinh(double) } else { 0.0 };
    0.5 * omega_rad_s / k * (1.0 + shallow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Published to eight digits for g = 9.81 (the roots of the dispersion relation, worked out independently).
    #[test]
    fn wavenumbers_of_known_periods() {
        let cases = [
            (5.0, f64::INFINITY, 0.160_972_14),
            (8.0, f64::INFINITY, 0.062_879_74),
            (8.0, 10.0, 0.088_622_44),
            (8.0, 20.0, 0.070_762_43),
            (5.0, 5.0, 0.207_302_73),
        ];
        for (period_s, depth_m, expected) in cases {
            let k = wavenumber_rad_m(TAU / period_s, depth_m);
            assert!((k - expected).abs() < 5.1e-9, "{period_s} s, {depth_m} m: {k}");
        }
        assert!((TAU / wavenumber_rad_m(TAU / 5.0, f64::INFINITY) - 39.0327).abs() < 5e-5);
        assert!((TAU / wavenumber_rad_m(TAU / 8.0, f64::INFINITY) - 99.9238).abs() < 5e-5);
        assert!((TAU / 5.0 / wavenumber_rad_m(TAU / 5.0, f64::INFINITY) - 7.806_55).abs() < 5e-6);
    }

    #[test]
    fn the_relation_holds_over_twelve_decades_of_depth() {
        for exponent in -60..60 {
            let depth_m = ops::exp(0.23 * f64::from(exponent));
            for omega in [0.05, 0.5, 3.0, 20.0] {
                let k = wavenumber_rad_m(omega, depth_m);
                let squared = GRAVITY_M_S2 * k * ops::tanh(k * depth_m);
                assert!((squared / (omega * omega) - 1.0).abs() < 1e-13, "{omega} rad/s, {depth_m} m: {k}");
            }
        }
    }

    /// Group speed of T 8 s on 10 m: closed form. Limits: half of the phase speed in deep water, sqrt(g h) in shallow water.
    #[test]
    fn groups_travel_at_the_speed_of_the_closed_form() {
        assert!((group_speed_m_s(TAU / 8.0, 10.0) - 7.179_538).abs() < 5e-7);
        let omega = TAU / 5.0;
        let phase_speed = omega / wavenumber_rad_m(omega, f64::INFINITY);
        assert!((group_speed_m_s(omega, f64::INFINITY) / phase_speed - 0.5).abs() < 1e-12);
        assert!((group_speed_m_s(0.001, 10.0) / (GRAVITY_M_S2 * 10.0).sqrt() - 1.0).abs() < 1e-6);
    }
}
