//! Numbers of the drive (toio facts, sections 1.1, 1.2 and 2).

pub use toio_hardware::{SPEED_PER_UNIT_M_S, TREAD_M};

/// Smallest largest speed that `03` and `04` take.
pub const MIN_TRAVEL_SPEED: u8 = 10;

/// Seconds until a target is given up if the command says 0.
pub const DEFAULT_TIMEOUT_S: u8 = 10;

/// Command units of either wheel that turn the cube by so many degrees a second on the spot.
#[must_use]
pub fn rotation_units(rate_deg_s: f64) -> f64 {
    rate_deg_s.to_radians() * TREAD_M / SPEED_PER_UNIT_M_S / 2.0
}
