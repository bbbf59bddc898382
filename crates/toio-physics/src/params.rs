//! Parameters of bodies, ground and walls, and the checked model made of it.

use crate::{frame, geometry, motor::MotorParams};
use glam::{DQuat, DVec3};
use sim_core::{DVec2, ParamError, Rect, angle, ops};
use toio_hardware::GRAVITY_M_S2;

/// What a cube's body is made of. The defaults are reasoned in `docs/models/contact.md`: nothing of this is published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyParams {
    /// Mass, 5 to 500 g (a cube may carry 200 g).
    pub mass_kg: f64,
    /// Height of the highest solid part above the ground: body, studs or top plate, 22.4 to 60 mm.
    pub top_height_m: f64,
    /// Friction of a driven tyre on the mat, 0 to 2.
    pub tyre_friction: f64,
    /// What a tyre whose motor stands still holds against, 0 to `tyre_friction`: less than its grip, because the gear train can be turned
    /// from outside, so that a driven cube pushes one that stands.
    pub resting_friction: f64,
    /// Friction of body on mat: the skid under its rear, or any side of it after a fall; 0 to 2.
    pub skid_friction: f64,
    /// Friction of a body on another body and on walls, 0.01 to 2.
    pub side_friction: f64,
    /// Share of the approach speed that comes back when bodies or walls meet, 0 to 0.9.
    pub restitution: f64,
}

impl Default for BodyParams {
    fn default() -> Self {
        Self {
            mass_kg: 0.025,
            top_height_m: geometry::STUD_HEIGHT_M,
            tyre_friction: 0.9,
            resting_friction: 0.2,
            skid_friction: 0.2,
            side_friction: 0.3,
            restitution: 0.2,
        }
    }
}

impl BodyParams {
    /// Smallest and largest mass.
    pub const MASS_KG: [f64; 2] = [0.005, 0.5];
    /// Smallest and largest friction of tyre or body on the mat.
    pub const FRICTION: [f64; 2] = [0.0, 2.0];
    /// Smallest and largest friction of a body on another body and on walls.
    pub const SIDE_FRICTION: [f64; 2] = [0.01, 2.0];
    /// Smallest and largest share of the approach speed that comes back.
    pub const RESTITUTION: [f64; 2] = [0.0, 0.9];

    fn check(&self) -> Result<(), ParamError> {
        ParamError::check_within("mass_kg", self.mass_kg, Self::MASS_KG)?;
        ParamError::check_range("top_height_m", self.top_height_m, geometry::BODY_HEIGHT_M, 0.06)?;
        ParamError::check_within("tyre_friction", self.tyre_friction, Self::FRICTION)?;
        ParamError::check_range("resting_friction", self.resting_friction, 0.0, self.tyre_friction)?;
        ParamError::check_within("skid_friction", self.skid_friction, Self::FRICTION)?;
        ParamError::check_within("side_friction", self.side_friction, Self::SIDE_FRICTION)?;
        ParamError::check_within("restitution", self.restitution, Self::RESTITUTION)
    }

    /// Moments of inertia about the body's axes through its centre, kg m^2: those of a solid box of the body's size.
    #[must_use]
    pub fn inertia_kg_m2(&self) -> DVec3 {
        let (a, h) = (geometry::FOOTPRINT_M, geometry::BODY_HEIGHT_M);
        let across = self.mass_kg * (a * a + h * h) / 12.0;
        DVec3::new(across, across, self.mass_kg * a * a / 6.0)
    }
}

/// A straight wall that stands on the mat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// One end of its middle line, in the plane.
    pub from_m: DVec2,
    /// The other end.
    pub to_m: DVec2,
    /// Height above the mat.
    pub height_m: f64,
    /// Thickness.
    pub thickness_m: f64,
}

impl Wall {
    /// Smallest and largest height and thickness.
    pub const SIZE_M: [f64; 2] = [0.001, 1.0];

    /// Four walls whose inner faces are the sides of `inside_m` (plane, metres).
    #[must_use]
    pub fn around(inside_m: Rect, height_m: f64, thickness_m: f64) -> [Self; 4] {
        let out = DVec2::splat(0.5 * thickness_m);
        let (low, high) = (inside_m.min - out, inside_m.max + out);
        let wall = |from_m, to_m| Self { from_m, to_m, height_m, thickness_m };
        // Each reaches past its corner, so that no gap is left there.
        let (x, y) = (DVec2::new(out.x, 0.0), DVec2::new(0.0, out.y));
        [
            wall(low - x, DVec2::new(high.x, low.y) + x),
            wall(DVec2::new(high.x, low.y) - y, high + y),
            wall(high + x, DVec2::new(low.x, high.y) - x),
            wall(DVec2::new(low.x, high.y) + y, low - y),
        ]
    }

    /// The same wall elsewhere: its middle and its direction in the plane; length, height and thickness stay.
    #[must_use]
    pub fn moved_to(&self, middle_m: DVec2, heading_rad: f64) -> Self {
        let half_m = angle::unit(heading_rad) * (0.5 * self.from_m.distance(self.to_m));
        Self { from_m: middle_m - half_m, to_m: middle_m + half_m, ..*self }
    }

    pub(crate) fn check(&self) -> Result<(), ParamError> {
        ParamError::check_within("height_m", self.height_m, Self::SIZE_M)?;
        ParamError::check_within("thickness_m", self.thickness_m, Self::SIZE_M)?;
        for end in [self.from_m, self.to_m] {
            ParamError::check_range("from_m", end.x, -MAX_PLACE_M, MAX_PLACE_M)?;
            ParamError::check_range("to_m", end.y, -MAX_PLACE_M, MAX_PLACE_M)?;
        }
        if self.from_m.distance(self.to_m) >= 0.001 {
            return Ok(());
        }
        Err(ParamError::new("to_m", "is less than 1 mm from from_m"))
    }
}

/// Everything a scenario can say of the physics. The default is a level mat without walls, stepped 50 times a second.
#[derive(Clone, Debug, PartialEq)]
pub struct PhysicsParams {
    /// Ticks a second, 10 to 1000.
    pub step_hz: u32,
    /// Engine steps in a tick, 1 to 64. Why 1 is enough: `docs/models/contact.md`.
    pub substeps: u32,
    /// Angle by which the whole mat is tilted, 0 to 80 degrees in radians.
    pub tilt_rad: f64,
    /// Heading in the plane that points downhill.
    pub downhill_rad: f64,
    /// Walls that stand on the mat.
    pub walls: Vec<Wall>,
    /// Numbers of the walls that do not stand there at the start.
    pub away_walls: Vec<usize>,
    /// The bodies of all cubes.
    pub body: BodyParams,
}

impl PhysicsParams {
    /// Fewest and most engine steps in a tick.
    pub const SUBSTEPS: [u32; 2] = [1, 64];
    /// Largest tilt of the mat, degrees.
    pub const MAX_TILT_DEG: f64 = 80.0;
}

impl Default for PhysicsParams {
    fn default() -> Self {
        Self {
            step_hz: 50,
            substeps: 1,
            tilt_rad: 0.0,
            downhill_rad: 0.0,
            walls: Vec::new(),
            away_walls: Vec::new(),
            body: BodyParams::default(),
        }
    }
}

/// Farthest place from the origin, along an axis, that anything may be put at.
pub(crate) const MAX_PLACE_M: f64 = 1000.0;

/// Checked parameters and what follows from them. Fixed for a run.
#[derive(Clone, Debug)]
pub struct PhysicsModel {
    params: PhysicsParams,
    level_from_world: DQuat,
}

impl PhysicsModel {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(params: PhysicsParams) -> Result<Self, ParamError> {
        ParamError::check_range("step_hz", f64::from(params.step_hz), 10.0, 1000.0)?;
        ParamError::check_within("substeps", f64::from(params.substeps), PhysicsParams::SUBSTEPS.map(f64::from))?;
        ParamError::check_range("tilt_rad", params.tilt_rad, 0.0, PhysicsParams::MAX_TILT_DEG.to_radians())?;
        ParamError::check_range("downhill_rad", params.downhill_rad, -10.0, 10.0)?;
        params.walls.iter().try_for_each(Wall::check)?;
        if let Some(wall) = params.away_walls.iter().find(|wall| **wall >= params.walls.len()) {
            return Err(ParamError::new("away_walls", format!("names wall {wall}, there are {}", params.walls.len())));
        }
        params.body.check()?;
        let downhill = frame::world_from_plane(angle::unit(params.downhill_rad), 0.0);
        let level_from_world = frame::about(DVec3::Z.cross(downhill), params.tilt_rad);
        Ok(Self { params, level_from_world })
    }

    /// What the scenario said.
    #[must_use]
    pub fn params(&self) -> &PhysicsParams {
        &self.params
    }

    /// Length of a tick, s.
    #[must_use]
    pub fn tick_s(&self) -> f64 {
        1.0 / f64::from(self.params.step_hz)
    }

    /// Length of an engine step, s.
    #[must_use]
    pub fn substep_s(&self) -> f64 {
        self.tick_s() / f64::from(self.params.substeps)
    }

    /// Gravity in the world, m/s^2. On a tilted mat it is gravity that leans: the world is attached to the mat.
    #[must_use]
    pub fn gravity_m_s2(&self) -> DVec3 {
        let (sin, cos) = ops::sin_cos(self.params.tilt_rad);
        let downhill = frame::world_from_plane(angle::unit(self.params.downhill_rad), 0.0);
        GRAVITY_M_S2 * (sin * downhill - cos * DVec3::Z)
    }

    /// The turn from the world's axes to those whose z points away from the centre of the earth.
    #[must_use]
    pub fn level_from_world(&self) -> DQuat {
        self.level_from_world
    }
}

/// A cube at the start of a run: standing on the mat, or away from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeStart {
    /// Its number, unlike that of every other cube. The order in which cubes are listed does not matter; the numbers' order does.
    pub id: u32,
    /// Where the middle of the axle stands, in the plane.
    pub axle_m: DVec2,
    /// Heading.
    pub heading_rad: f64,
    /// Both motors.
    pub motor: MotorParams,
    /// It is away until it is brought: its place may be taken.
    pub is_away: bool,
}

impl CubeStart {
    pub(crate) fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("axle_m", self.axle_m.x, -MAX_PLACE_M, MAX_PLACE_M)?;
        ParamError::check_range("axle_m", self.axle_m.y, -MAX_PLACE_M, MAX_PLACE_M)?;
        ParamError::check_range("heading_rad", self.heading_rad, -1000.0, 1000.0)?;
        self.motor.check()
    }
}
