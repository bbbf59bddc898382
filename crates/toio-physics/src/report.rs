//! Reports of the physics about a cube after a tick.

use crate::frame::{self, Attitude};
use crate::geometry;
use glam::{DQuat, DVec3};
use sim_core::DVec2;

/// Where a cube is, how it moves and what it measures, at the end of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeReport {
    /// Body centre in the world (z up from the mat).
    pub centre_m: DVec3,
    /// The turn from the cube's axes (X forward, Y right, Z down) to the plane's (x right, y down, z into the mat).
    pub plane_from_cube: DQuat,
    /// Attitude against the horizon; on a mat that is not tilted, that of `plane_from_cube`.
    pub attitude: Attitude,
    /// Velocity of the body centre in the world.
    pub velocity_m_s: DVec3,
    /// Turn rate in the cube's axes.
    pub omega_rad_s: DVec3,
    /// Specific force at the body centre in the cube's axes, mean over the tick: what an accelerometer shows, 9.81 upwards at rest. A tap
    /// shows in full, also if the ground takes it back within the tick.
    pub specific_force_m_s2: DVec3,
    /// The largest of the means over the tick's engine steps; the same as the mean if the tick has only one.
    pub peak_specific_force_m_s2: DVec3,
    /// Left and right wheel.
    pub wheels: [WheelReport; 2],
    /// Whether a hand holds it.
    pub is_held: bool,
    /// Whether it is out of the world. The report then rests where the body was taken, with the wheels off the ground.
    pub is_away: bool,
}

impl CubeReport {
    /// Where a place on the cube (its own axes, from the body centre) is in the world.
    #[must_use]
    pub fn world_of(&self, place_m: DVec3) -> DVec3 {
        self.centre_m + frame::upright(self.plane_from_cube * place_m)
    }

    /// The middle of the axle, in the plane.
    #[must_use]
    pub fn axle_m(&self) -> DVec2 {
        frame::plane_from_world(self.world_of(geometry::AXLE))
    }

    /// The body centre, in the plane.
    #[must_use]
    pub fn centre_in_plane_m(&self) -> DVec2 {
        frame::plane_from_world(self.centre_m)
    }

    /// Height of the middle of the axle over that of a standing cube, along the mat's normal: 0 on the wheels, positive lifted.
    #[must_use]
    pub fn lift_m(&self) -> f64 {
        self.world_of(geometry::AXLE).z - geometry::WHEEL_DIAMETER_M / 2.0
    }

    /// Heading in the mat's plane, in (-pi, pi].
    #[must_use]
    pub fn heading_rad(&self) -> f64 {
        Attitude::from_turn(self.plane_from_cube).yaw_rad
    }
}

/// One wheel after a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelReport {
    /// Speed of the tyre's surface, as the motor turns it.
    pub motor_m_s: f64,
    /// Speed of the body over the ground at the wheel, along the rolling direction. The difference is slip.
    pub ground_m_s: f64,
    /// Whether there is ground within 1 mm below the wheel (toio facts, section 8.1).
    pub is_on_ground: bool,
    /// Load on the wheel, mean over the tick.
    pub load_n: f64,
}

/// What a cube touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// A wall, by its place in the list of walls.
    Wall(usize),
    /// Another cube, by its place in the list of cubes.
    Cube(usize),
}

/// An impulse between a cube and a wall or another cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The cube, by its place in the list of cubes; of two, the one with the smaller id.
    pub cube: usize,
    /// What it touched.
    pub other: Touched,
    /// Impulse of the tick, normal to the contact, N s. A steady push of 1 N over 20 ms is 0.02 N s.
    pub impulse_n_s: f64,
    /// Direction from the cube to the other, in the world.
    pub normal: DVec3,
    /// Whether they did not press on each other in the tick before.
    pub is_new: bool,
}
