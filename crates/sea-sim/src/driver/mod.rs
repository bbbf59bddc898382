//! Drivers: who gives commands. A driver sees what sensors told, never the truth, and a reading that has not come
//! leaves its loop as it was.

mod autopilot;
mod geometric;
mod route;
mod timed;
mod trim;

pub use autopilot::{
    DepthAutopilot, DepthAutopilotParams, HeadingPid, HeadingPidParams, HeadingSmc, HeadingSmcParams, ReferenceModel,
    twin_propeller_speeds,
};
pub use geometric::{Geometric, GeometricParams, Target, ThrustAndMoment};
pub use route::{Guidance, Level, Route, RouteParams, RouteProgress, Waypoint};
pub use timed::{Timed, TimedCommand};
pub use trim::{TrimCommands, TrimHold, TrimHoldParams};

use crate::attitude::RollPitchYaw;
use glam::DVec3;

/// What sensors told, as far as they did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Readings {
    /// Place: east, north, up.
    pub position_m: Option<DVec3>,
    /// Depth below the surface, m.
    pub depth_m: Option<f64>,
    /// Height above the bottom, m.
    pub altitude_m: Option<f64>,
    /// Attitude.
    pub attitude: Option<RollPitchYaw>,
    /// Turn rate in body axes: about forward, left, up.
    pub turn_rate_rad_s: Option<DVec3>,
    /// Velocity in body axes: forward, left, up.
    pub velocity_m_s: Option<DVec3>,
}
