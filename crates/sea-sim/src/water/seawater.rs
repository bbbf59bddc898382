//! Sound speed and absorption of sea water from its temperature, salinity, depth and acidity.
//!
//! Sources: Mackenzie 1981 (sound speed); Francois and Garrison 1982 (absorption); Thorp 1967 (absorption, cold ocean).

use sim_core::{ParamError, ops};
use std::f64::consts::LN_10;

/// What the water is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeaWater {
    /// Density, kg/m^3, 500 to 2000.
    pub density_kg_m3: f64,
    /// Temperature, degrees Celsius, -4 to 40.
    pub temperature_c: f64,
    /// Salinity, practical salinity units, 0 to 50.
    pub salinity_psu: f64,
    /// Acidity, pH, 6 to 9.
    pub ph: f64,
}

impl Default for SeaWater {
    /// The ocean: 1025 kg/m^3, 10 degrees, 35 psu, pH 8.
    fn default() -> Self {
        Self { density_kg_m3: 1025.0, temperature_c: 10.0, salinity_psu: 35.0, ph: 8.0 }
    }
}

impl SeaWater {
    /// Refuses what is out of its range.
    ///
    /// # Errors
    /// Names the value.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("density_kg_m3", self.density_kg_m3, 500.0, 2000.0)?;
        ParamError::check_range("temperature_c", self.temperature_c, -4.0, 40.0)?;
        ParamError::check_range("salinity_psu", self.salinity_psu, 0.0, 50.0)?;
        ParamError::check_range("ph", self.ph, 6.0, 9.0)
    }

    /// Speed of sound at a depth, m, in m/s. Mackenzie's nine terms: 2 to 30 degrees, 25 to 40 psu, to 8000 m, within 0.07 m/s; fresher
    /// water is an extrapolation.
    #[must_use]
    pub fn sound_speed_m_s(&self, depth_m: f64) -> f64 {
        let (t, s, d) = (self.temperature_c, self.salinity_psu - 35.0, depth_m);
        1448.96 + 4.591 * t - 5.304e-2 * t * t + 2.374e-4 * t * t * t + 1.340 * s + 1.630e-2 * d + 1.675e-7 * d * d
            - 1.025e-2 * t * s
            - 7.139e-13 * t * d * d * d
    }

    /// Absorption of sound of a frequency, kHz, at a depth, m, in dB/km: boric acid, magnesium sulphate and water after Francois and
    /// Garrison; 0.4 to 1000 kHz.
    #[must_use]
    pub fn absorption_db_km(&self, frequency_khz: f64, depth_m: f64) -> f64 {
        let (t, s, d) = (self.temperature_c, self.salinity_psu, depth_m);
        let kelvin = 273.0 + t;
        let sound_speed = 1412.0 + 3.21 * t + 1.19 * s + 0.0167 * d;
        let relaxation =
            |f_khz: f64| f_khz * frequency_khz * frequency_khz / (f_khz * f_khz + frequency_khz * frequency_khz);
        let boric_khz = 2.8 * (s / 35.0).sqrt() * power_of_ten(4.0 - 1245.0 / kelvin);
        let boric = 8.86 / sound_speed * power_of_ten(0.78 * self.ph - 5.0);
        let sulphate_khz = 8.17 * power_of_ten(8.0 - 1990.0 / kelvin) / (1.0 + 0.0018 * (s - 35.0));
        let sulphate = 21.44 * s / sound_speed * (1.0 + 0.025 * t) * (1.0 - 1.37e-4 * d + 6.2e-9 * d * d);
        let at_surface = if t <= 20.0 {
            4.937e-4 - 2.59e-5 * t + 9.11e-7 * t * t - 1.50e-8 * t * t * t
        } else {
            3.964e-4 - 1.146e-5 * t + 1.45e-7 * t * t - 6.5e-10 * t * t * t
        };
        let water = at_surface * (1.0 - 3.83e-5 * d + 4.9e-10 * d * d);
        boric * relaxation(boric_khz) + sulphate * relaxation(sulphate_khz) + water * frequency_khz * frequency_khz
    }
}

/// Thorp's absorption of sound in cold ocean water, dB/km, of a frequency in kHz: for comparison with older programs.
#[must_use]
pub fn thorp_absorption_db_km(frequency_khz: f64) -> f64 {
    let f2 = frequency_khz * frequency_khz;
    0.11 * f2 / (1.0 + f2) + 44.0 * f2 / (4100.0 + f2) + 2.75e-4 * f2 + 0.003
}

fn power_of_ten(x: f64) -> f64 {
    ops::exp(LN_10 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALTIC: SeaWater = SeaWater { density_kg_m3: 1005.0, temperature_c: 8.0, salinity_psu: 7.0, ph: 8.0 };

    /// Worked out from the published formulas by an independent script.
    #[test]
    fn absorption_and_sound_speed_of_two_waters() {
        let ocean =
            [(10.0, 0.9565), (25.0, 4.963), (50.0, 15.2832), (100.0, 33.3995), (450.0, 109.1982), (900.0, 298.6289)];
        for (khz, db_km) in ocean {
            assert!((SeaWater::default().absorption_db_km(khz, 50.0) - db_km).abs() < 6e-5, "{khz}");
        }
        for (khz, db_km) in [(10.0, 0.2539), (25.0, 1.2298), (100.0, 9.2868), (450.0, 76.8969), (900.0, 281.7042)] {
            assert!((BALTIC.absorption_db_km(khz, 20.0) - db_km).abs() < 6e-5, "{khz}");
        }
        for (khz, db_km) in [(10.0, 1.187), (25.0, 6.1048), (50.0, 17.4671), (100.0, 34.0687)] {
            assert!((thorp_absorption_db_km(khz) - db_km).abs() < 6e-5, "{khz}");
        }
        assert!((SeaWater::default().sound_speed_m_s(50.0) - 1490.6188).abs() < 6e-5);
        assert!((BALTIC.sound_speed_m_s(20.0) - 1447.5171).abs() < 6e-5);
    }

    #[test]
    fn fresh_water_absorbs_too_and_is_finite() {
        let fresh = SeaWater { salinity_psu: 0.0, ..BALTIC };
        let db_km = fresh.absorption_db_km(100.0, 5.0);
        assert!(db_km > 0.0 && db_km < BALTIC.absorption_db_km(100.0, 5.0));
    }
}
