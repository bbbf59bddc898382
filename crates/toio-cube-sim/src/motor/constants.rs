//! Numbers of the drive (toio facts, sections 1.1, 1.2 and 2).

use std::f64::consts::PI;

/// Wheel speed per command unit, m/s: 4.3 turns a minute of a wheel of 12.5 mm.
pub const SPEED_PER_UNIT_M_S: f64 = 4.3 * PI * 0.0125 / 60.0;

/// Distance between the wheels' contacts, m.
pub const TREAD_M: f64 = 0.0266;

/// Dots of a mat per metre, as the Unity simulator has it.
pub const DEFAULT_DOTS_PER_M: f64 = 411.0 / 0.56;

/// Smallest largest speed that `03` and `04` take.
pub const MIN_TRAVEL_SPEED: u8 = 10;

/// Seconds until a target is given up if the command says 0.
pub const DEFAULT_TIMEOUT_S: u8 = 10;

/// Command units of either wheel that turn the cube by so many degrees a second on the spot.
#[must_use]
pub fn rotation_units(rate_deg_s: f64) -> f64 {
    rate_deg_s.to_radians() * TREAD_M / SPEED_PER_UNIT_M_S / 2.0
}
