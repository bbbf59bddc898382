//! Specific force of a tap whose impulse a contact takes back.
//!
//! # Equation
//! A tap is over in a few milliseconds. On a cube that stands on the ground, the body is struck first and caught afterwards: an
//! accelerometer shows two peaks of opposite sign. An engine step that holds both shows neither, because the velocity at its end is the
//! velocity at its beginning. The step's balance of momentum yields how much was taken back:
//! ```text
//! C = m (v' - v) - J - O            what contacts gave
//! c = -C.j - max(0, O.j)            what of it was against the tap, beyond what carried the rest; clamped to 0..|J|
//! f = (v' - v) / h - g + c j / (m h)
//! ```
//! J = |J| j: impulse of taps; O: of gravity and of all else that hands do; v, v': velocity before and after; h: length of the step;
//! f: specific force. So a tap adds J / (m h) to a cube's specific force, whether it flies, stands or leans against a wall: the first of
//! the two peaks, as the mean over the step.
//!
//! # Where it stops being true
//! The second peak is left out, so that the specific force does not sum up to the velocity over that step. A driven wheel that pulls
//! against the tap counts as an answer to it: 7 m/s^2 at the most.

use glam::DVec3;

/// Impulses that hands gave a cube in an engine step, N s, in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given {
    /// By taps.
    pub blow_n_s: DVec3,
    /// By grips and pushes.
    pub other_n_s: DVec3,
}

impl Given {
    /// The part of the taps' impulse that contacts took back within the step, from the change of the cube's momentum.
    pub fn taken_back_n_s(&self, change_n_s: DVec3, gravity_n_s: DVec3) -> DVec3 {
        let size = self.blow_n_s.length();
        if size == 0.0 {
            return DVec3::ZERO;
        }
        let along = self.blow_n_s / size;
        let other = (self.other_n_s + gravity_n_s).dot(along);
        let contacts = change_n_s.dot(along) - size - other;
        along * (-contacts - other.max(0.0)).clamp(0.0, size)
    }
}
