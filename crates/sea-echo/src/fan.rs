//! Rays in a plane from one place: a ping of a sonar.

use crate::bounds::Bounds;
use crate::ray::{MAX_LENGTH_M, Ray, check_place};
use sim_core::{DVec2, DVec3, ParamError, angle};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::Range;

/// Most rays of a fan.
pub const MAX_FAN_RAYS: usize = 1_000_000;
/// How far the axes that a fan is given may be from length 1 and from a right angle.
const AXES_TOLERANCE: f64 = 1e-6;

/// Rays in a plane at fixed angles, which move with a sensor.
#[derive(Clone, Debug)]
pub struct Fan {
    /// Cosine and sine of each ray's angle.
    units: Vec<DVec2>,
    length_m: f64,
    /// Slope of each ray over the middle of its sector.
    pub(crate) slopes: Vec<f64>,
    pub(crate) sectors: Vec<Sector>,
    pub(crate) rays: Vec<Ray>,
    /// Directions of angle 0 and of a right angle.
    axes: [DVec3; 2],
}

/// Neighbouring rays within a right angle.
#[derive(Clone, Debug)]
pub(crate) struct Sector {
    pub rays: Range<usize>,
    /// Cosine and sine of its middle.
    middle: DVec2,
}

impl Fan {
    /// Rays of one length, m, at angles in ascending order, rad; all together they span at most a full turn. They start at the world's
    /// origin with angle 0 along x and a right angle along y.
    ///
    /// # Errors
    /// If there is no ray or more than a million, the angles are not finite, not ascending or more than a turn apart, or the length is
    /// not from 0 to 1e7 m.
    pub fn new(angles_rad: &[f64], length_m: f64) -> Result<Self, ParamError> {
        let (Some(&first), Some(&last)) = (angles_rad.first(), angles_rad.last()) else {
            return Err(ParamError::new("angles_rad", "has no ray, must have 1 or more"));
        };
        if angles_rad.len() > MAX_FAN_RAYS {
            let message = format!("has {} rays, must have at most {MAX_FAN_RAYS}", angles_rad.len());
            return Err(ParamError::new("angles_rad", message));
        }
        for pair in angles_rad.windows(2) {
            ParamError::check_span("angles_rad", [pair[0], pair[1]], [-TAU, TAU])?;
        }
        // A turn out of fractions may be a rounding wider than a turn.
        ParamError::check_range("angles_rad", last - first, 0.0, TAU + 1e-9)?;
        ParamError::check_range("length_m", length_m, 0.0, MAX_LENGTH_M)?;
        let units: Vec<DVec2> = angles_rad.iter().map(|&angle_rad| angle::unit(angle_rad)).collect();
        let sectors = sectors(angles_rad);
        let slope_in = |sector: &Sector, unit: &DVec2| sector.middle.perp_dot(*unit) / sector.middle.dot(*unit);
        let slopes = sectors.iter().flat_map(|sector| units[sector.rays.clone()].iter().map(|u| slope_in(sector, u)));
        let slopes = slopes.collect();
        let rays = Vec::with_capacity(units.len());
        let mut fan = Self { slopes, units, length_m, sectors, rays, axes: [DVec3::X, DVec3::Y] };
        fan.turn_rays(DVec3::ZERO);
        Ok(fan)
    }

    /// Moves the fan: its origin, m, and the directions of angle 0 and of a right angle, each of length 1 and across the other. Roundings
    /// of the directions are taken out.
    ///
    /// # Errors
    /// If a coordinate is not from -1e7 to 1e7 m, or the directions are not so to 1e-6.
    pub fn place(&mut self, origin_m: DVec3, axes: [DVec3; 2]) -> Result<(), ParamError> {
        check_place("origin_m", origin_m)?;
        let [zero, quarter] = axes;
        for (value, wanted) in [(zero.length(), 1.0), (quarter.length(), 1.0), (zero.dot(quarter), 0.0)] {
            ParamError::check_range("axes", value, wanted - AXES_TOLERANCE, wanted + AXES_TOLERANCE)?;
        }
        let zero = zero.normalize();
        self.axes = [zero, (quarter - zero * zero.dot(quarter)).normalize()];
        self.turn_rays(origin_m);
        Ok(())
    }

    /// The rays in the order of their angles.
    #[must_use]
    pub fn rays(&self) -> &[Ray] {
        &self.rays
    }

    fn turn_rays(&mut self, origin_m: DVec3) {
        let ([zero, quarter], length_m) = (self.axes, self.length_m);
        let turned =
            self.units.iter().map(|unit| Ray::along_unit(origin_m, zero * unit.x + quarter * unit.y, length_m));
        self.rays.clear();
        self.rays.extend(turned);
    }

    /// Direction across the plane.
    pub(crate) fn normal(&self) -> DVec3 {
        self.axes[0].cross(self.axes[1])
    }

    /// A box around the rays of a sector, from their origin, a rounding wider than it is. The arc of their ends lies between the chord of
    /// the first and the last one and the corner where the tangents there meet.
    pub(crate) fn bounds_of(&self, sector: &Sector) -> Bounds {
        let [first, last] = [sector.rays.start, sector.rays.end - 1].map(|ray| self.rays[ray].direction);
        let corner = (first + last) / (1.0 + first.dot(last));
        let bounds = Bounds::around([DVec3::ZERO, first, last, corner].map(|end| end * self.length_m));
        let slack_m = bounds.slack_m(DVec3::ZERO);
        Bounds { low_m: bounds.low_m - slack_m, high_m: bounds.high_m + slack_m }
    }

    /// Direction of the middle of a sector, and the direction across it towards larger angles.
    pub(crate) fn middle(&self, sector: &Sector) -> [DVec3; 2] {
        let ([zero, quarter], middle) = (self.axes, sector.middle);
        [zero * middle.x + quarter * middle.y, quarter * middle.x - zero * middle.y]
    }
}

/// Ascending angles in groups within a right angle.
fn sectors(angles_rad: &[f64]) -> Vec<Sector> {
    let (mut sectors, mut first) = (Vec::new(), 0);
    while first < angles_rad.len() {
        let count = angles_rad[first..].partition_point(|&angle_rad| angle_rad - angles_rad[first] <= FRAC_PI_2);
        let rays = first..first + count;
        let middle = angle::unit(0.5 * (angles_rad[first] + angles_rad[rays.end - 1]));
        first = rays.end;
        sectors.push(Sector { rays, middle });
    }
    sectors
}
