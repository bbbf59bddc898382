//! Published numbers of the toio cube and its mats, each once: sizes, wheels, motors, dots per metre.
//!
//! SI units; motor commands in the firmware's own units. Source: toio facts, sections 1 and 2, from the vendor's drawings and graphs
//! (toio-spec, CC BY 4.0). The crate must not know firmware, physics or scenarios: it holds constants.
//!
//! ```
//! // Section 2.2: 0.002814343 m/s per unit, 0.32365 m/s and 24.33 rad/s at 115 units.
//! let top_m_s = toio_hardware::SPEED_PER_UNIT_M_S * toio_hardware::MOTOR_RANGE_V2_1.saturation_units;
//! assert!((top_m_s - 0.323_65).abs() < 1e-5);
//! assert!((2.0 * top_m_s / toio_hardware::TREAD_M - 24.33).abs() < 0.01);
//! ```

use std::f64::consts::PI;

/// Side of the square footprint, m.
pub const FOOTPRINT_M: f64 = 0.0318;
/// Height of the body's top face above the ground, without studs or top plate, m.
pub const BODY_HEIGHT_M: f64 = 0.0224;
/// Height with the four studs on top, m.
pub const STUD_HEIGHT_M: f64 = 0.0243;
/// Height with the top plate put on, m.
pub const PLATE_HEIGHT_M: f64 = 0.0256;
/// Diameter of a wheel, m.
pub const WHEEL_DIAMETER_M: f64 = 0.0125;
/// Distance between the ground contacts of the two wheels, m.
pub const TREAD_M: f64 = 0.0266;
/// Distance of the axle ahead of the body centre, m.
pub const AXLE_AHEAD_M: f64 = 0.0038;

/// Wheel speed per command unit, m/s: 4.3 turns a minute of a wheel of 12.5 mm.
pub const SPEED_PER_UNIT_M_S: f64 = 4.3 * PI * WHEEL_DIAMETER_M / 60.0;

/// Range of motor commands that change the speed of a wheel, command units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorRange {
    /// Smallest command that turns the wheel.
    pub least_units: f64,
    /// Command above which the wheel does not turn faster.
    pub saturation_units: f64,
}

/// Range of protocol 2.0.0.
pub const MOTOR_RANGE_V2_0: MotorRange = MotorRange { least_units: 10.0, saturation_units: 100.0 };
/// Range of protocol 2.1.0 and later.
pub const MOTOR_RANGE_V2_1: MotorRange = MotorRange { least_units: 8.0, saturation_units: 115.0 };

/// Time constant with which a wheel follows its command, s. The published 40 ms belong to Euler steps of 20 ms, each of which halves the
/// error; so does an exact first-order lag of 20 ms / ln 2.
pub const MOTOR_LAG_S: f64 = 0.0289;

/// Dots on a metre of a collection mat: 411 on the 0.560 m of its side.
pub const COLLECTION_DOTS_PER_M: f64 = 411.0 / 0.560;

/// Standard gravity, m/s².
pub const GRAVITY_M_S2: f64 = 9.806_65;
