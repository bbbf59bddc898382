//! How many dots are printed on a metre (toio facts, section 1.2).

use sim_core::ParamError;
use toio_hardware::COLLECTION_DOTS_PER_M;

/// Dots per metre of a print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatScale {
    dot_per_m: f64,
}

impl Default for MatScale {
    /// 733.93 dot/m, which the published simulators use.
    fn default() -> Self {
        Self::COLLECTION
    }
}

impl MatScale {
    /// 411 dots on the 0.560 m of a collection mat's side: 733.928571 dot/m, 1.36253 mm a dot.
    pub const COLLECTION: Self = Self { dot_per_m: COLLECTION_DOTS_PER_M };
    /// 305 dots on the 420 mm of an A3 sheet: 726.190476 dot/m, 1.37705 mm a dot. Fits what was measured on hardware better.
    pub const A3_SHEETS: Self = Self { dot_per_m: 305.0 / 0.420 };

    /// Fewest and most dots on a metre.
    pub const DOT_PER_M: [f64; 2] = [100.0, 10_000.0];

    /// A scale of one's own, 100 to 10000 dot/m.
    ///
    /// # Errors
    /// If the value is outside; a scale per millimetre or in millimetres per dot is, too.
    pub fn new(dot_per_m: f64) -> Result<Self, ParamError> {
        ParamError::check_within("dot_per_m", dot_per_m, Self::DOT_PER_M)?;
        Ok(Self { dot_per_m })
    }

    /// Dots on a metre.
    #[must_use]
    pub fn dot_per_m(self) -> f64 {
        self.dot_per_m
    }

    /// A length, speed or other quantity per length, from millimetres to dots.
    #[must_use]
    pub fn dot_from_mm(self, length_mm: f64) -> f64 {
        length_mm * self.dot_per_m / 1000.0
    }

    /// The same from dots to millimetres.
    #[must_use]
    pub fn mm_from_dot(self, length_dot: f64) -> f64 {
        length_dot * 1000.0 / self.dot_per_m
    }
}
