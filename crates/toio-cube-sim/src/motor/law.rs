//! The law that steers a cube to a target (toio facts, section 8.3).
//!
//! ```text
//! speed      constant     s                        a = (s² - z²) k / (2 d)      k = dots a second per unit
//!            accelerate   z + a t
//!            decelerate   s - a t
//!            both         s - 2 a |t - (s - z) / (2 a)|                         all clipped to [z, s]
//! clock      t = min(T(p) + E, T(p + l))        T(x): time of the curve at x dots of the way
//! steering   rot = 0.6 D, limited to M      D = bearing of the target - heading, in [-180, 180) degrees
//! mix        w = |tr / M|      rot' = rot (w |tr / 50| + 1 - w)      left = tr + rot'      right = tr - rot'
//! ```
//!
//! `tr`, `rot`, `s` (largest speed), `z` (dead zone) and `M` (most that a motor does) are command units, `d` is the length of the
//! way in dots, `p` where the present leg begins on it, `l` the leg's length, `E` the time in seconds that the cube has been driving in
//! this leg. Source: the Unity simulator, but for the clock; the device's own law is not published. In that simulator one clock runs over
//! all legs and through every turn on the spot, so that the curve is over before the way is.

use super::constants::SPEED_PER_UNIT_M_S;
use crate::{
    behaviour::Limiting,
    wire::{Movement, SpeedCurve},
};
use sim_core::ops;

/// Steering: command units of rotation per degree of bearing error.
const STEERING_GAIN: f64 = 0.6;
/// Bearing error below which [`Movement::TurnThenMove`] moves.
const MOVE_WITHIN_DEG: f64 = 15.0;
/// Translation at which the rotation is kept as it is.
const MIX_SPEED: f64 = 50.0;

/// What the motors can do, and the scale of the mat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MotorLimits {
    pub(crate) dead_zone: f64,
    pub(crate) max_command: f64,
    pub(crate) dots_per_m: f64,
    pub(crate) limiting: Limiting,
}

/// Where the cube is on its mat, in whole dots and degrees, as the ID sensor says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fix {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) deg: f64,
}

/// Translation and rotation, in command units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drive {
    pub(crate) translation: f64,
    pub(crate) rotation: f64,
}

/// The same direction in [-180, 180) (section 8): half a turn is one counter-clockwise.
pub(crate) fn wrap_deg(angle_deg: f64) -> f64 {
    let turned = angle_deg.rem_euclid(360.0);
    if turned >= 180.0 { turned - 360.0 } else { turned }
}

/// Speed over time on one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpeedPlan {
    curve: SpeedCurve,
    max_speed: f64,
    dead_zone: f64,
    length_dot: f64,
    acceleration: f64,
}

impl SpeedPlan {
    /// Plan for a way of `length_dot`. A way shorter than a dot counts as one dot, so that the acceleration stays finite.
    pub(crate) fn new(curve: SpeedCurve, max_speed: u8, length_dot: f64, limits: &MotorLimits) -> Self {
        let max_speed = f64::from(max_speed).min(limits.max_command);
        let dead_zone = limits.dead_zone;
        let dots_per_unit = SPEED_PER_UNIT_M_S * limits.dots_per_m;
        let length_dot = length_dot.max(1.0);
        let acceleration = squares(max_speed, dead_zone) * dots_per_unit / (2.0 * length_dot);
        Self { curve, max_speed, dead_zone, length_dot, acceleration }
    }

    pub(crate) fn max_speed(&self) -> f64 {
        self.max_speed
    }

    /// Acceleration, in command units a second.
    pub(crate) fn acceleration(&self) -> f64 {
        self.acceleration
    }

    /// Time at which the curve has covered `way_dot` of the length, s.
    pub(crate) fn time_at(&self, way_dot: f64) -> f64 {
        let Self { curve, max_speed, dead_zone, length_dot, acceleration } = *self;
        let gained = squares(max_speed, dead_zone) * (way_dot / length_dot).clamp(0.0, 1.0);
        let rise_s = |gained: f64, a: f64| ((dead_zone * dead_zone + gained).sqrt() - dead_zone) / a;
        let fall_s = |lost: f64, a: f64| (max_speed - (max_speed * max_speed - lost).sqrt()) / a;
        let half = 0.5 * squares(max_speed, dead_zone);
        match curve {
            SpeedCurve::Constant => 0.0,
            SpeedCurve::Accelerate => rise_s(gained, acceleration),
            SpeedCurve::Decelerate => fall_s(gained, acceleration),
            SpeedCurve::AccelerateThenDecelerate => {
                let steep = 2.0 * acceleration;
                rise_s(2.0 * gained.min(half), steep) + fall_s(2.0 * (gained - half).max(0.0), steep)
            }
        }
    }

    /// Translation speed after a time, in command units.
    pub(crate) fn speed(&self, elapsed_s: f64) -> f64 {
        let Self { curve, max_speed, dead_zone, acceleration, .. } = *self;
        let speed = match curve {
            SpeedCurve::Constant => max_speed,
            SpeedCurve::Accelerate => dead_zone + acceleration * elapsed_s,
            SpeedCurve::Decelerate => max_speed - acceleration * elapsed_s,
            SpeedCurve::AccelerateThenDecelerate => {
                let middle_s = (max_speed - dead_zone) / (2.0 * acceleration);
                max_speed - 2.0 * acceleration * (elapsed_s - middle_s).abs()
            }
        };
        speed.clamp(dead_zone, max_speed)
    }
}

/// Difference of the squares of two speeds.
fn squares(high: f64, low: f64) -> f64 {
    high * high - low * low
}

/// Bearing of (dx, dy) dots, in degrees clockwise from x.
fn bearing_deg(dx: f64, dy: f64) -> f64 {
    ops::atan2(dy, dx).to_degrees()
}

/// Translation and rotation towards a target that lies (dx, dy) dots away.
pub(crate) fn approach(movement: Movement, fix: &Fix, [dx, dy]: [f64; 2], speed: f64, limits: &MotorLimits) -> Drive {
    let error_deg = wrap_deg(bearing_deg(dx, dy) - fix.deg);
    let (turn_deg, translation) = match movement {
        Movement::Arc if error_deg.abs() > 90.0 => (wrap_deg(error_deg + 180.0), -speed),
        Movement::Arc | Movement::ArcForward => (error_deg, speed),
        Movement::TurnThenMove => (error_deg, if error_deg.abs() < MOVE_WITHIN_DEG { speed } else { 0.0 }),
    };
    let rotation = (STEERING_GAIN * turn_deg).clamp(-limits.max_command, limits.max_command);
    Drive { translation, rotation }
}

/// Turn on the spot, with `remaining_deg` to go.
pub(crate) fn turn(remaining_deg: f64, max_speed: f64, limits: &MotorLimits) -> Drive {
    let units = remaining_deg.abs().clamp(limits.dead_zone, max_speed);
    Drive { translation: 0.0, rotation: units.copysign(remaining_deg) }
}

/// Commands of the left and the right wheel.
pub(crate) fn mix(drive: Drive, limits: &MotorLimits) -> [f64; 2] {
    let Drive { translation, rotation } = drive;
    let share = (translation / limits.max_command).abs();
    let rotation = rotation * (share * (translation / MIX_SPEED).abs() + 1.0 - share);
    let max = limits.max_command;
    let wheels = match limits.limiting {
        Limiting::Symmetric => {
            // Both wheels shift by the same amount until the faster one fits; a turn that no shift makes fit is cut.
            let rotation = rotation.clamp(-max, max);
            let margin = max - rotation.abs();
            let translation = translation.clamp(-margin, margin);
            [translation + rotation, translation - rotation]
        }
        Limiting::LeftFirst => {
            let limited = limit_left_first([translation + rotation, translation - rotation], max);
            // What is too far below is treated as its mirror image.
            limit_left_first(limited.map(|wheel| -wheel), max).map(|wheel| -wheel)
        }
    };
    // The second way can push one wheel out again where it pulls the other one in; the motor does no more than it can.
    wheels.map(|wheel| wheel.clamp(-max, max))
}

fn limit_left_first([left, right]: [f64; 2], max: f64) -> [f64; 2] {
    let left = left - (left.max(right) - max).max(0.0);
    let right = right - (left.max(right) - max).max(0.0);
    [left, right]
}
