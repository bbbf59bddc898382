//! Wave spectra: how much of a sea's energy lies at which frequency.
//!
//! # Equation
//! ```text
//! Pierson-Moskowitz   S(w) = 0.0081 g^2 w^-5 exp(-1.25 (w_p/w)^4)          w_p = (0.74/1.25)^(1/4) g/U for a wind of U
//! JONSWAP             S(w) = (1 - 0.287 ln c) 5/16 H_s^2 w_p^4 w^-5 exp(-1.25 (w_p/w)^4) c^r
//!                     r = exp(-(w - w_p)^2 / (2 s^2 w_p^2))    s = 0.07 up to w_p, 0.09 above
//! ```
//! c is the peak enhancement. `m0` is the integral of S, and `H_s = 4 sqrt(m0)`. Sources: Pierson and Moskowitz 1964; Hasselmann et al.
//! 1973; DNV-RP-C205, section 3.5.5.

use crate::GRAVITY_M_S2;
use sim_core::{ParamError, ops};
use std::f64::consts::TAU;

/// Phillips' constant of the Pierson-Moskowitz spectrum.
const PHILLIPS: f64 = 0.0081;

/// Shape of a sea's energy over frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spectrum {
    /// A fully developed sea: its height follows from its period.
    PiersonMoskowitz {
        /// Period of the peak, s, 0.5 to 60.
        peak_period_s: f64,
    },
    /// A sea that grows under wind, with its height and period given.
    Jonswap {
        /// Significant wave height, m, 0 to 40.
        significant_height_m: f64,
        /// Period of the peak, s, 0.5 to 60.
        peak_period_s: f64,
        /// Peak enhancement, 1 to 10; 3.3 on average.
        gamma: f64,
    },
}

impl Spectrum {
    /// The fully developed sea under a steady wind, m/s at 19.5 m.
    #[must_use]
    pub fn from_wind(speed_m_s: f64) -> Self {
        let peak_rad_s = (0.74_f64 / 1.25).sqrt().sqrt() * GRAVITY_M_S2 / speed_m_s;
        Self::PiersonMoskowitz { peak_period_s: TAU / peak_rad_s }
    }

    /// Refuses what is out of its range.
    ///
    /// # Errors
    /// Names the value.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("peak_period_s", self.peak_period_s(), 0.5, 60.0)?;
        if let Self::Jonswap { significant_height_m, gamma, .. } = *self {
            ParamError::check_range("significant_height_m", significant_height_m, 0.0, 40.0)?;
            ParamError::check_range("gamma", gamma, 1.0, 10.0)?;
        }
        Ok(())
    }

    /// Period of the peak, s.
    #[must_use]
    pub fn peak_period_s(&self) -> f64 {
        match *self {
            Self::PiersonMoskowitz { peak_period_s } | Self::Jonswap { peak_period_s, .. } => peak_period_s,
        }
    }

    /// Angular frequency of the peak, rad/s.
    #[must_use]
    pub fn peak_rad_s(&self) -> f64 {
        TAU / self.peak_period_s()
    }

    /// Significant wave height, four standard deviations of the surface, m.
    #[must_use]
    pub fn significant_height_m(&self) -> f64 {
        match *self {
            Self::PiersonMoskowitz { .. } => {
                let peak = self.peak_rad_s();
                4.0 * (PHILLIPS * GRAVITY_M_S2 * GRAVITY_M_S2 / 5.0).sqrt() / (peak * peak)
            }
            Self::Jonswap { significant_height_m, .. } => significant_height_m,
        }
    }

    /// Spectral density at an angular frequency above 0, m^2 s/rad.
    #[must_use]
    pub fn density_m2_s(&self, omega_rad_s: f64) -> f64 {
        let peak = self.peak_rad_s();
        let ratio2 = (peak / omega_rad_s) * (peak / omega_rad_s);
        let fall =
            ops::exp(-1.25 * ratio2 * ratio2) / (omega_rad_s * omega_rad_s * omega_rad_s * omega_rad_s * omega_rad_s);
        match *self {
            Self::PiersonMoskowitz { .. } => PHILLIPS * GRAVITY_M_S2 * GRAVITY_M_S2 * fall,
            Self::Jonswap { significant_height_m: height, gamma, .. } => {
                let width = if omega_rad_s <= peak { 0.07 } else { 0.09 };
                let offset = (omega_rad_s - peak) / (width * peak);
                let enhancement = ops::exp(ops::ln(gamma) * ops::exp(-0.5 * offset * offset));
                let peak4 = peak * peak * peak * peak;
                (1.0 - 0.287 * ops::ln(gamma)) * 0.3125 * height * height * peak4 * fall * enhancement
            }
        }
    }

    /// The same over wavenumber in deep water, m^3/rad: `S(k) dk = S(w) dw`.
    #[must_use]
    pub fn density_over_wavenumber_m3(&self, wavenumber_rad_m: f64) -> f64 {
        let omega = (GRAVITY_M_S2 * wavenumber_rad_m).sqrt();
        self.density_m2_s(omega) * 0.5 * omega / wavenumber_rad_m
    }

    /// Integral of the density from one frequency to another by Simpson's rule over `pieces` pieces, m^2.
    #[must_use]
    pub(super) fn energy_m2(&self, from_rad_s: f64, to_rad_s: f64, pieces: u32) -> f64 {
        let half = 0.5 * (to_rad_s - from_rad_s) / f64::from(pieces);
        let density = |half_steps: u32| self.density_m2_s(from_rad_s + half * f64::from(half_steps));
        let simpson = |piece: u32| density(2 * piece) + 4.0 * density(2 * piece + 1) + density(2 * piece + 2);
        half / 3.0 * (0..pieces).map(simpson).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jonswap(gamma: f64) -> Spectrum {
        Spectrum::Jonswap { significant_height_m: 2.0, peak_period_s: 8.0, gamma }
    }

    /// m0 in closed form: 0.0081 g^2/(5 w_p^4).
    #[test]
    fn a_pierson_moskowitz_sea_has_the_height_of_its_period() {
        for (peak_period_s, m0, height_m) in [(5.0, 0.062_519_2, 1.000_154), (8.0, 0.409_726_0, 2.560_394)] {
            let sea = Spectrum::PiersonMoskowitz { peak_period_s };
            let peak = sea.peak_rad_s();
            assert!((sea.significant_height_m() - height_m).abs() < 5e-7);
            assert!((sea.energy_m2(0.3 * peak, 30.0 * peak, 20_000) - m0).abs() < 2e-6 * m0 + 5e-8);
        }
    }

    /// Densities worked out from the formula by hand for H_s 2 m, T_p 8 s.
    #[test]
    fn densities_of_jonswap() {
        let cases = [(1.0, 0.455_987, 0.295_601), (3.3, 0.989_142, 0.196_637), (5.0, 1.226_812, 0.161_632)];
        for (gamma, at_peak, at_one) in cases {
            let sea = jonswap(gamma);
            assert!((sea.density_m2_s(sea.peak_rad_s()) - at_peak).abs() < 6e-7);
            assert!((sea.density_m2_s(1.0) - at_one).abs() < 6e-7);
            let m0 = sea.energy_m2(0.2 * sea.peak_rad_s(), 30.0 * sea.peak_rad_s(), 20_000);
            assert!((4.0 * m0.sqrt() / 2.0 - 1.0).abs() < 0.0015, "gamma {gamma}");
        }
    }

    /// (0.0081/2) k^-3 exp(-0.74 g^2/(k^2 U^4)), to the digits that an independent program prints; its first number is cut, not rounded.
    #[test]
    fn densities_over_wavenumber_under_a_wind() {
        let k = [0.062_831_85, 0.125_663_71, 0.314_159_27];
        let digits = [
            (5.0, [(4.766e-12, 1e-15), (1.500_196e-3, 5e-10), (0.041_173_4, 5e-8)]),
            (10.0, [(2.688_413, 5e-7), (1.300_081, 5e-7), (0.121_525_8, 5e-8)]),
        ];
        for (wind, expected) in digits {
            for (k, (expected, half)) in k.into_iter().zip(expected) {
                let density = Spectrum::from_wind(wind).density_over_wavenumber_m3(k);
                assert!((density - expected).abs() < half, "{wind} m/s, {k}: {density}");
            }
        }
    }

    #[test]
    fn values_out_of_range_are_named() {
        let refused = |sea: Spectrum| sea.check().unwrap_err().field;
        assert_eq!(refused(Spectrum::PiersonMoskowitz { peak_period_s: f64::NAN }), "peak_period_s");
        assert_eq!(refused(jonswap(0.5)), "gamma");
        let tall = Spectrum::Jonswap { significant_height_m: -1.0, peak_period_s: 8.0, gamma: 1.0 };
        assert_eq!(refused(tall), "significant_height_m");
    }
}
