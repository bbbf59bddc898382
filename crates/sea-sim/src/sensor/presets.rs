//! Errors of public devices.
//!
//! Noise densities become deviations of single readings by the square root of the rate at which they are taken. Sources are beside the
//! numbers; all are those of public simulators or data sheets, not of our own measurements.

use super::dvl::{DvlParams, Track};
use sim_core::sensing::ErrorParams;
use std::f64::consts::PI;

/// Errors of an inertial measurement unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertialErrors {
    /// Of the turn rates, rad/s.
    pub gyro: ErrorParams,
    /// Of the specific forces, m/s^2.
    pub accelerometer: ErrorParams,
}

/// A Doppler velocity log with its errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DvlDevice {
    /// Geometry.
    pub params: DvlParams,
    /// Errors of the distances along beams, m.
    pub ranges: ErrorParams,
    /// Errors of the speeds along beams, m/s.
    pub velocities: ErrorParams,
}

/// The errors of an inertial unit, `adis16448` or `sparton_m2`, that is read `rate_hz` times a second; none for another name.
#[must_use]
pub fn inertial(name: &str, rate_hz: f64) -> Option<InertialErrors> {
    let root = rate_hz.sqrt();
    match name {
        // Analog Devices ADIS16448, as in uuv_simulator, uuv_sensor_ros_plugins, and rotors_simulator.
        "adis16448" => Some(InertialErrors {
            gyro: ErrorParams {
                noise_std: 3.394e-4 * root,
                walk_std_per_sqrt_s: 3.8785e-5,
                walk_correlation_s: 1000.0,
                bias_std: 8.7e-3,
                ..ErrorParams::default()
            },
            accelerometer: ErrorParams {
                noise_std: 4.0e-3 * root,
                walk_std_per_sqrt_s: 6.0e-3,
                walk_correlation_s: 300.0,
                bias_std: 0.196,
                ..ErrorParams::default()
            },
        }),
        // Sparton AHRS-M2: 0.04 deg/s/sqrt(Hz), 6.415 deg/h; 250 ug/sqrt(Hz), 0.07441 mg: the data that osrf/lrauv quotes.
        "sparton_m2" => Some(InertialErrors {
            gyro: ErrorParams {
                noise_std: 0.04 * DEGREE_RAD * root,
                bias_std: 6.415 * DEGREE_RAD / 3600.0,
                ..ErrorParams::default()
            },
            accelerometer: ErrorParams {
                noise_std: 250e-6 * STANDARD_GRAVITY_M_S2 * root,
                bias_std: 0.07441e-3 * STANDARD_GRAVITY_M_S2,
                ..ErrorParams::default()
            },
        }),
        _ => None,
    }
}

/// The Doppler velocity log `pathfinder`, which tracks the bottom or, with `in_water`, the layer below it; none for another name.
#[must_use]
pub fn dvl(name: &str, in_water: bool) -> Option<DvlDevice> {
    // Teledyne RDI Pathfinder 600, as in osrf/lrauv: beams at 30 degrees, 0.1 to 80 m in steps of 0.01 m.
    (name == "pathfinder").then(|| DvlDevice {
        params: DvlParams {
            beam_angle_rad: 30.0 * DEGREE_RAD,
            range_m: [0.1, 80.0],
            track: if in_water { Track::Water { layer_m: [20.0, 60.0], bins: 10 } } else { Track::Bottom },
            ..DvlParams::default()
        },
        ranges: ErrorParams { quantum: 0.01, ..ErrorParams::default() },
        velocities: ErrorParams { noise_std: if in_water { 0.0035 } else { 0.002 }, ..ErrorParams::default() },
    })
}

const DEGREE_RAD: f64 = PI / 180.0;

/// What data sheets call g.
const STANDARD_GRAVITY_M_S2: f64 = 9.806_65;
