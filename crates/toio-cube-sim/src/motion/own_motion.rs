//! What of an acceleration the cube's own wheels explain, so that a start at full power is not taken for a collision.
//!
//! # Model
//! The wheels ask for a velocity w of the body centre in the plane of the wheels, `w = ((l + r) / 2, -0.0038 m * (l - r) / 0.0266 m)`:
//! the centre lies 3.8 mm behind the axle and so is carried sideways in a turn (toio facts, sections 1.1 and 2.3). Traction pulls
//! the centre's velocity u towards w, with at most `TRACTION_M_S2`, as friction does. So in a step of dt the change of u that
//! traction explains lies on the line from zero to `w - u`, at most `TRACTION_M_S2 dt` long; the part of the change that is measured
//! beyond the nearest point of this line is unexplained. u is carried along by integration. Since that drifts, u is drawn to w: quickly
//! while the body accelerates just as w does, for then the wheels grip (or the cube is blocked, and u does not matter), slowly else.

use super::MotionInput;
use sim_core::{DVec2, DVec3, StateHash, ops};
use toio_hardware::{AXLE_AHEAD_M, TREAD_M};

/// Most acceleration that rubber on a mat can give, m/s²: a friction coefficient of 1.2.
pub(super) const TRACTION_M_S2: f64 = 12.0;
/// Time constants with which the integrated velocity returns to the wheels' while they grip and while they slip, s.
const RETURN_GRIPPING_S: f64 = 0.1;
const RETURN_SLIPPING_S: f64 = 2.0;
/// Difference of the accelerations of body and wheels below which they grip, m/s².
const GRIPPING_M_S2: f64 = 1.0;
/// Rim speed below which a wheel stands, m/s, and for how long both must stand until they explain nothing any more, s.
const STANDING_M_S: f64 = 0.002;
const STANDING_S: f64 = 0.3;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OwnMotion {
    /// Velocity of the body centre over the mat, in the body's axes.
    velocity_m_s: DVec2,
    /// Velocity that the wheels asked for one step earlier.
    wanted_m_s: DVec2,
    /// How long both wheels have been standing.
    standing_s: f64,
}

impl OwnMotion {
    /// The change of velocity in this step, m/s, that the wheels do not explain.
    pub fn step(&mut self, input: &MotionInput, acceleration: DVec3, is_falling: bool, step_s: f64) -> DVec3 {
        let [left, right] = input.wheel_speed_m_s;
        let change = acceleration * step_s;
        let wanted = DVec2::new(0.5 * (left + right), -AXLE_AHEAD_M * (left - right) / TREAD_M);
        let stands = left.abs().max(right.abs()) < STANDING_M_S;
        self.standing_s = if stands { self.standing_s + step_s } else { 0.0 };
        // The axes have turned under the velocities since the last step.
        let (sin, cos) = ops::sin_cos(-input.angular_rate_rad_s.z * step_s);
        let [carried, wanted_before] = [self.velocity_m_s, self.wanted_m_s].map(|v| DVec2::new(cos, sin).rotate(v));
        self.wanted_m_s = wanted;
        if is_falling || self.standing_s > STANDING_S {
            self.velocity_m_s = wanted;
            return change;
        }
        let in_plane = change.truncate();
        let grips = (in_plane - (wanted - wanted_before)).length() < GRIPPING_M_S2 * step_s;
        let return_s = if grips { RETURN_GRIPPING_S } else { RETURN_SLIPPING_S };
        let pull = (wanted - carried).clamp_length_max(TRACTION_M_S2 * step_s);
        self.velocity_m_s = carried + in_plane;
        self.velocity_m_s += (wanted - self.velocity_m_s) * (step_s / return_s);
        (in_plane - nearest_on_line(pull, in_plane)).extend(change.z)
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.vec2(self.velocity_m_s);
        hash.vec2(self.wanted_m_s);
        hash.f64(self.standing_s);
    }
}

/// The point nearest to `p` on the line from zero to `end`.
fn nearest_on_line(end: DVec2, p: DVec2) -> DVec2 {
    let length_squared = end.length_squared();
    if length_squared > 0.0 { end * (p.dot(end) / length_squared).clamp(0.0, 1.0) } else { DVec2::ZERO }
}

/// A change of velocity less the part of it that a loss of support explains: downwards, at most what gravity does in the step. So
/// neither an edge that a cube tips over nor a hand that lets it down is a shock.
pub(super) fn without_lost_support(change_m_s: DVec3, down: DVec3, gravity_m_s: f64) -> DVec3 {
    change_m_s - down * change_m_s.dot(down).clamp(0.0, gravity_m_s)
}
