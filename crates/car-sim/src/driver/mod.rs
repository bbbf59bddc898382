//! Drivers: lists of commands, routes of waypoints, and walls seen by a lidar. Pure functions of what they are given; none sees
//! the truth unless its caller passes it.

mod commands;
mod pursuit;
mod route;
mod wall;

/// Slowest speed that a driver can be asked to keep, m/s.
pub const MIN_CRUISE_M_S: f64 = 0.001;

pub use commands::{CommandList, TimedCommand};
pub use pursuit::{Progress, Pursuit, PursuitParams};
pub use route::Route;
pub use wall::{Scan, Side, WallFollower, WallFollowerParams};
