//! Who drives a car.

use car_sim::Command;
use car_sim::driver::{CommandList, Pursuit, Scan, WallFollower};

/// A driver. Its only state is the progress along a route.
#[derive(Clone, Debug)]
pub enum DriverModel {
    /// None: the car stands, or rolls out if it starts with a speed.
    None,
    /// Commands by the clock, to the ms.
    Plan(CommandList),
    /// A route, with the car's place and speed known exactly.
    Route(Pursuit),
    /// A wall, with nothing known but scans as they arrive. Before the first one the car stands.
    Wall(WallEyes),
}

/// A driver that follows walls, and how it is to read its lidar.
#[derive(Clone, Debug)]
pub struct WallEyes {
    /// What it does about a scan.
    pub follower: WallFollower,
    /// Direction of the first ray, in the lidar's axes.
    pub first_rad: f64,
    /// From ray to ray.
    pub increment_rad: f64,
}

impl WallEyes {
    /// What it does about the ranges of a scan.
    pub(super) fn decide(&self, ranges_m: &[f64]) -> Command {
        let Self { follower, first_rad, increment_rad } = *self;
        follower.decide(&Scan { first_rad, increment_rad, ranges_m })
    }
}
