//! Which rays a lidar has.

use crate::pose::Pose;
use sim_core::ParamError;
use std::f64::consts::TAU;

/// Most rays of a scan.
const MAX_RAYS: f64 = 100_000.0;
/// Share of an increment by which the last ray may miss the end of the field of view by rounding.
const COUNT_SLACK: f64 = 1e-6;
/// Farthest that a lidar may see, m, and farthest from a car's base point that it may be mounted.
const FARTHEST_M: f64 = 1e5;

/// Mount, field of view and range of a lidar. Ray `k` leaves at `angle_min_rad + k increment_rad`, counter-clockwise from the x axis of
/// the lidar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LidarParams {
    /// Where the lidar is on the car.
    pub mount: Pose,
    /// First angle, from -TAU to TAU.
    pub angle_min_rad: f64,
    /// Last angle: above the first one, by a full turn at most.
    pub angle_max_rad: f64,
    /// Angle between two rays, above 0.
    pub increment_rad: f64,
    /// Nearer things read minus infinity, m.
    pub range_min_m: f64,
    /// Farther things read plus infinity, m; at this very range they are seen.
    pub range_max_m: f64,
}

impl Default for LidarParams {
    /// 3200 rays all round, up to 25 m, at the base point (car facts, section 2).
    fn default() -> Self {
        Self {
            mount: Pose::ORIGIN,
            angle_min_rad: 0.0,
            angle_max_rad: TAU,
            increment_rad: TAU / 3200.0,
            range_min_m: 0.0,
            range_max_m: 25.0,
        }
    }
}

impl LidarParams {
    /// Number of rays, from 1. All round it is the turn over the increment, rounded, since the ray at the last angle would repeat the
    /// first; otherwise both ends have a ray, as far as the increment meets the last one.
    ///
    /// # Errors
    /// If a parameter is not finite or out of its range, or if that makes more than 100,000 rays.
    pub fn ray_count(&self) -> Result<usize, ParamError> {
        ParamError::check_range("mount.x_m", self.mount.position_m.x, -FARTHEST_M, FARTHEST_M)?;
        ParamError::check_range("mount.y_m", self.mount.position_m.y, -FARTHEST_M, FARTHEST_M)?;
        ParamError::check_range("mount.yaw_rad", self.mount.yaw_rad, -TAU, TAU)?;
        ParamError::check_span(
            "angle_min_rad and angle_max_rad",
            [self.angle_min_rad, self.angle_max_rad],
            [-TAU, 2.0 * TAU],
        )?;
        let view_rad = self.angle_max_rad - self.angle_min_rad;
        let refuse = |field, message: String| Err(ParamError::new(field, message));
        if !(self.increment_rad > 0.0 && self.increment_rad <= TAU) {
            return refuse("increment_rad", format!("is {}, must be above 0 and at most a turn", self.increment_rad));
        }
        if view_rad > TAU + COUNT_SLACK * self.increment_rad {
            return refuse("angle_max_rad", format!("is {view_rad} after angle_min_rad, at most a turn is allowed"));
        }
        if view_rad <= 0.0 {
            return refuse("angle_max_rad", format!("is {}, must be above angle_min_rad", self.angle_max_rad));
        }
        ParamError::check_range("range_max_m", self.range_max_m, 0.0, FARTHEST_M)?;
        if !(self.range_min_m >= 0.0 && self.range_min_m < self.range_max_m) {
            return refuse("range_min_m", format!("is {}, must be from 0 and below range_max_m", self.range_min_m));
        }
        let is_full_turn = view_rad >= TAU - COUNT_SLACK * self.increment_rad;
        let count = if is_full_turn {
            (TAU / self.increment_rad).round()
        } else {
            (view_rad / self.increment_rad + COUNT_SLACK).floor() + 1.0
        };
        if count > MAX_RAYS {
            return refuse(
                "increment_rad",
                format!("is {}, which makes {count} rays; {MAX_RAYS} are allowed", self.increment_rad),
            );
        }
        Ok(count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rays(angle_min_deg: f64, angle_max_deg: f64, increment_deg: f64) -> usize {
        let params = LidarParams {
            angle_min_rad: angle_min_deg.to_radians(),
            angle_max_rad: angle_max_deg.to_radians(),
            increment_rad: increment_deg.to_radians(),
            ..LidarParams::default()
        };
        params.ray_count().unwrap()
    }

    /// Car facts, section 6: cutting instead of rounding loses a ray of each of these.
    #[test]
    fn a_full_turn_has_rounded_ray_counts() {
        assert_eq!(LidarParams::default().ray_count().unwrap(), 3200);
        assert_eq!([rays(0.0, 360.0, 0.1125), rays(0.0, 360.0, 0.225), rays(0.0, 360.0, 0.9)], [3200, 1600, 400]);
        assert_eq!([rays(-180.0, 180.0, 1.0), rays(-180.0, 180.0, 0.25), rays(0.0, 360.0, 7.0)], [360, 1440, 51]);
    }

    #[test]
    fn a_sector_has_a_ray_at_both_ends() {
        assert_eq!([rays(-135.0, 135.0, 0.25), rays(0.0, 90.0, 90.0), rays(0.0, 359.0, 1.0)], [1081, 2, 360]);
        // What the increment does not meet has no ray, and a single one is left if it is wider than the view.
        assert_eq!([rays(0.0, 10.0, 3.0), rays(0.0, 10.0, 11.0)], [4, 1]);
    }

    #[test]
    fn what_makes_no_scan_is_refused() {
        let good = LidarParams::default();
        let refused = |params: LidarParams| params.ray_count().unwrap_err().field;
        assert_eq!(refused(LidarParams { increment_rad: 0.0, ..good }), "increment_rad");
        assert_eq!(refused(LidarParams { increment_rad: f64::NAN, ..good }), "increment_rad");
        assert_eq!(refused(LidarParams { increment_rad: 1e-9, ..good }), "increment_rad");
        assert_eq!(refused(LidarParams { angle_max_rad: 0.0, ..good }), "angle_max_rad");
        assert_eq!(refused(LidarParams { angle_max_rad: 7.0, ..good }), "angle_max_rad");
        assert_eq!(refused(LidarParams { angle_max_rad: f64::NAN, ..good }), "angle_min_rad and angle_max_rad");
        assert_eq!(refused(LidarParams { range_max_m: f64::INFINITY, ..good }), "range_max_m");
        assert_eq!(refused(LidarParams { range_min_m: 25.0, ..good }), "range_min_m");
        assert_eq!(refused(LidarParams { range_min_m: f64::NAN, ..good }), "range_min_m");
        assert_eq!(refused(LidarParams { mount: Pose::new(0.0, f64::NAN, 0.0), ..good }), "mount.y_m");
    }
}
