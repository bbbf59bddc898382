//! Directions of lidars and depth cameras, and what they make of distances.
//!
//! A lidar that spins sends its channels one after the other, step by step of a turn. A camera has a ray through the middle of each
//! pixel of a pinhole's picture, row by row from the top, in a row from left to right. Axes: x forward, y left, z up; azimuths count from
//! forward to the left. Sources: REF 12.10 and 12.11 of the sea facts; Velodyne's manuals of the VLP-16, HDL-32E and VLS-128.

use sim_core::{DVec3, ParamError, ops};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Most rays of a scan.
pub const MAX_SCAN_RAYS: usize = 1_000_000;

/// Elevations of the channels of a VLS-128 in the order in which they fire, degrees.
#[expect(clippy::approx_constant, reason = "6.28 degrees are no turn")]
const VLS_128_DEG: [f64; 128] = [
    -11.742, -1.99, 3.4, -5.29, -0.78, 4.61, -4.08, 1.31, -6.5, -1.11, 4.28, -4.41, 0.1, 6.48, -3.2, 2.19, -3.86, 1.53,
    -9.244, -1.77, 2.74, -5.95, -0.56, 4.83, -2.98, 2.41, -6.28, -0.89, 3.62, -5.07, 0.32, 7.58, -0.34, 5.18, -3.64,
    1.75, -25.0, -2.43, 2.96, -5.73, 0.54, 9.7, -2.76, 2.63, -7.65, -1.55, 3.84, -4.85, 3.18, -5.51, -0.12, 5.73, -4.3,
    1.09, -16.042, -2.21, 4.06, -4.63, 0.76, 15.0, -3.42, 1.97, -6.85, -1.33, -5.62, -0.23, 5.43, -3.53, 0.98, -19.582,
    -2.32, 3.07, -4.74, 0.65, 11.75, -2.65, 1.86, -7.15, -1.44, 3.95, -2.1, 3.29, -5.4, -0.01, 4.5, -4.19, 1.2,
    -13.565, -1.22, 4.17, -4.52, 0.87, 6.08, -3.31, 2.08, -6.65, 1.42, -10.346, -1.88, 3.51, -6.06, -0.67, 4.72, -3.97,
    2.3, -6.39, -1.0, 4.39, -5.18, 0.21, 6.98, -3.09, 4.98, -3.75, 1.64, -8.352, -2.54, 2.85, -5.84, -0.45, 8.43,
    -2.87, 2.52, -6.17, -1.66, 3.73, -4.96, 0.43,
];

/// Lidars that spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spinner {
    /// Velodyne VLP-16: 16 channels, -15 to 15 degrees.
    Vlp16,
    /// Velodyne HDL-32E: 32 channels, -30.67 to 10.67 degrees.
    Hdl32e,
    /// Velodyne VLS-128: 128 channels, -25 to 15 degrees, denser about the horizon.
    Vls128,
}

impl Spinner {
    /// Elevations of its channels in the order in which they fire, rad.
    #[must_use]
    pub fn elevations_rad(self) -> Vec<f64> {
        // Both fire the lower and the upper half in turn.
        let in_turn = |channels: u32, low_deg: f64, step_deg: f64| {
            let deg = move |channel: u32| low_deg + step_deg * f64::from(channel);
            (0..channels / 2).flat_map(move |channel| [deg(channel), deg(channel + channels / 2)]).collect()
        };
        let deg: Vec<f64> = match self {
            Self::Vlp16 => in_turn(16, -15.0, 2.0),
            Self::Hdl32e => in_turn(32, -92.0 / 3.0, 4.0 / 3.0),
            Self::Vls128 => VLS_128_DEG.to_vec(),
        };
        deg.into_iter().map(f64::to_radians).collect()
    }
}

/// A lidar that never repeats within its table: it sweeps up and down while it turns, and no turn falls on the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rosette {
    /// Rays a second.
    pub rays_hz: f64,
    /// Turns a second.
    pub turns_hz: f64,
    /// Sweeps up and down in a turn; beside a whole number, so that turns do not meet.
    pub sweeps_per_turn: f64,
    /// Elevations between which it sweeps, rad.
    pub elevations_rad: [f64; 2],
}

/// The golden ratio less 1: of all shares of a sweep the one whose multiples stay farthest apart.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl Rosette {
    /// By the field of view and the rate that Livox publishes of its Mid-360: 360 by 59 degrees, -7 to 52, 200 000 rays a second. How its
    /// mirrors turn is not published: 20 turns a second and 50.618 sweeps a turn are a choice.
    #[must_use]
    pub fn mid_360() -> Self {
        let elevations_rad = [-7.0_f64, 52.0].map(f64::to_radians);
        Self { rays_hz: 200_000.0, turns_hz: 20.0, sweeps_per_turn: 50.0 + GOLDEN, elevations_rad }
    }

    /// Azimuth and elevation of a ray, rad: `2 pi frac(f n/F)` and a triangle wave of `m f n/F` sweeps, from the lowest elevation on.
    #[must_use]
    pub fn angles_rad(&self, ray: u32) -> [f64; 2] {
        let turns = f64::from(ray) * self.turns_hz / self.rays_hz;
        let sweep = (turns * self.sweeps_per_turn).fract();
        let share = 1.0 - (2.0 * sweep - 1.0).abs();
        let [low_rad, high_rad] = self.elevations_rad;
        [TAU * turns.fract(), low_rad + share * (high_rad - low_rad)]
    }

    /// Its first so many rays.
    ///
    /// # Errors
    /// If there is no ray or more than a million.
    pub fn pattern(&self, rays: u32) -> Result<ScanPattern, ParamError> {
        ScanPattern::of_angles(rays as usize, (0..rays).map(|ray| self.angles_rad(ray)))
    }
}

/// Elevations of channels that are spread evenly between two, both included, rad.
#[must_use]
pub fn even_elevations_rad(channels: u32, [low_rad, high_rad]: [f64; 2]) -> Vec<f64> {
    let step_rad = (high_rad - low_rad) / f64::from(channels.saturating_sub(1).max(1));
    (0..channels).map(|channel| low_rad + step_rad * f64::from(channel)).collect()
}

/// A pinhole with its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinhole {
    /// Pixels of a row and of a column.
    pub pixels: [u32; 2],
    /// Focal length over the width and over the height of the picture.
    pub focal: [f64; 2],
}

/// Unit vectors along the rays of a scan.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanPattern {
    directions: Vec<DVec3>,
}

impl ScanPattern {
    /// All channels at each of so many steps of a turn, from forward to the left.
    ///
    /// # Errors
    /// If there is no ray or more than a million, or an elevation is not from -90 to 90 degrees.
    pub fn spinning(elevations_rad: &[f64], azimuths: u32) -> Result<Self, ParamError> {
        let azimuth_rad = |step: u32| TAU * f64::from(step) / f64::from(azimuths);
        let angles =
            (0..azimuths).flat_map(|step| elevations_rad.iter().map(move |&up_rad| [azimuth_rad(step), up_rad]));
        Self::of_angles(elevations_rad.len() * azimuths as usize, angles)
    }

    /// A table of azimuths and elevations, rad.
    ///
    /// # Errors
    /// As [`ScanPattern::spinning`], or if an azimuth is more than a turn.
    pub fn table(angles_rad: &[[f64; 2]]) -> Result<Self, ParamError> {
        Self::of_angles(angles_rad.len(), angles_rad.iter().copied())
    }

    fn of_angles(count: usize, angles_rad: impl Iterator<Item = [f64; 2]>) -> Result<Self, ParamError> {
        check_count(count)?;
        let direction = |[azimuth_rad, up_rad]: [f64; 2]| {
            ParamError::check_range("azimuth_rad", azimuth_rad, -TAU, TAU)?;
            ParamError::check_range("elevation_rad", up_rad, -FRAC_PI_2, FRAC_PI_2)?;
            let ((sin, cos), (up, across)) = (ops::sin_cos(azimuth_rad), ops::sin_cos(up_rad));
            Ok(DVec3::new(across * cos, across * sin, up))
        };
        Ok(Self { directions: angles_rad.map(direction).collect::<Result<_, ParamError>>()? })
    }

    /// The pixels of a pinhole's picture.
    ///
    /// # Errors
    /// If there is no pixel or more than a million, or a focal length is not from 0.01 to 100 times the picture.
    pub fn pinhole(pinhole: &Pinhole) -> Result<Self, ParamError> {
        let Pinhole { pixels: [columns, rows], focal } = *pinhole;
        check_count(columns as usize * rows as usize)?;
        focal.into_iter().try_for_each(|focal| ParamError::check_range("focal", focal, 0.01, 100.0))?;
        let beside = |pixel: u32, count: u32, focal: f64| (0.5 - (f64::from(pixel) + 0.5) / f64::from(count)) / focal;
        let pixel = |row: u32, column: u32| {
            DVec3::new(1.0, beside(column, columns, focal[0]), beside(row, rows, focal[1])).normalize()
        };
        Ok(Self { directions: (0..rows).flat_map(|row| (0..columns).map(move |column| pixel(row, column))).collect() })
    }

    /// Unit vectors along its rays, in the scanner's axes.
    #[must_use]
    pub fn directions(&self) -> &[DVec3] {
        &self.directions
    }
}

fn check_count(count: usize) -> Result<(), ParamError> {
    if (1..=MAX_SCAN_RAYS).contains(&count) {
        return Ok(());
    }
    Err(ParamError::new("rays", format!("are {count}, must be 1 to {MAX_SCAN_RAYS}")))
}

/// Intensity of a lidar's return from a distance, m, at most 255: that of 0.5 m, falling with the square.
#[must_use]
pub fn intensity(distance_m: f64) -> f64 {
    (255.0 * (0.5 / distance_m) * (0.5 / distance_m)).min(255.0)
}
