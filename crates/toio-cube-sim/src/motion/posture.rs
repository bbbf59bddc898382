//! Flat and posture from the exact attitude (toio facts, sections 6.5, 8.7 and 9).

use crate::behaviour::PostureCones;
use sim_core::{DVec3, ops};

/// Half the opening angle of the cones of the postures where it is fixed, degrees.
const FIXED_CONE_DEG: f64 = 45.0;
/// Rounding of an attitude at the very edge of a cone.
const EDGE: f64 = 1e-12;

/// The side that faces up. The numbers are the wire's, by the device specification: front up is 4, not 3 (fault 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Posture {
    /// On its wheels.
    Top = 1,
    /// Upside down.
    Bottom = 2,
    /// Nose down.
    Rear = 3,
    /// Nose up.
    Front = 4,
    /// On its left side.
    Right = 5,
    /// On its right side.
    Left = 6,
}

/// True if the angle between the bottom and the horizontal plane is at most the threshold, right way up or upside down. `down` points
/// down in the body's axes.
pub(super) fn is_flat(down: DVec3, threshold_deg: u8) -> bool {
    down.z.abs() >= cos_deg(f64::from(threshold_deg)) - EDGE
}

/// Half the opening angle of the cones.
pub(super) fn cone_deg(cones: PostureCones, flat_threshold_deg: u8) -> f64 {
    match cones {
        PostureCones::Fixed => FIXED_CONE_DEG,
        PostureCones::FlatThreshold => f64::from(flat_threshold_deg),
    }
}

/// The side whose normal is within `cone_deg` of the world's up, in the order of the table; nothing between the cones.
pub(super) fn from_down(down: DVec3, cone_deg: f64) -> Option<Posture> {
    let up = -down;
    let sides = [
        (Posture::Top, -up.z),
        (Posture::Bottom, up.z),
        (Posture::Front, up.x),
        (Posture::Rear, -up.x),
        (Posture::Right, up.y),
        (Posture::Left, -up.y),
    ];
    let least = cos_deg(cone_deg) - EDGE;
    sides.into_iter().find(|&(_, cosine)| cosine >= least).map(|(side, _)| side)
}

fn cos_deg(degrees: f64) -> f64 {
    ops::cos(degrees.to_radians())
}
