//! The world of cubes and its step.

use crate::blow::Given;
use crate::engine::{BodyState, Engine, Part};
use crate::footprint::Footprint;
use crate::frame::{self, Attitude};
use crate::geometry;
use crate::hands::{self, HandAction, Hands, Touch};
use crate::magnets::{Mount, PlacedMagnet};
use crate::motor::{LagLaw, Motor, MotorParams};
use crate::params::{CubeStart, PhysicsModel, PhysicsParams, Wall};
use crate::report::{CubeReport, Impact, Touched, WheelReport};
use glam::DVec3;
use sim_core::{DVec2, ParamError, StateHash};
use std::fmt;

/// How far below a wheel the ground may be for it to count as standing (toio facts, section 8.1).
const WHEEL_REACH_M: f64 = 0.001;

/// What a cube's firmware asks of its motors during a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelCommand {
    /// Left motor, command units; negative drives back. Beyond the saturation it counts as that.
    pub left_units: f64,
    /// Right motor.
    pub right_units: f64,
    /// Part of the tick, from its beginning, for which both commands hold, 0 to 1; after it they are 0. A timed command ends inside a
    /// tick.
    pub active_share: f64,
    /// The wheels stop at once, without lag, and a body that stands on them stops with them: forced stop, button held or not connected,
    /// as the Unity simulator has it, which overwrites the body's velocity (toio facts, section 2.3).
    pub is_forced_stop: bool,
}

impl Default for WheelCommand {
    /// No command, for a whole tick.
    fn default() -> Self {
        Self { left_units: 0.0, right_units: 0.0, active_share: 1.0, is_forced_stop: false }
    }
}

/// A step that could not be made. The state is then no longer good for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// There must be one command for each cube.
    CommandCount {
        /// Commands given.
        given: usize,
        /// Cubes there are.
        cubes: usize,
    },
    /// A command is not a finite number, or its share of the tick not in 0 to 1.
    Command {
        /// The id of its cube.
        id: u32,
    },
    /// A cube's motion stopped being finite.
    NonFinite {
        /// The cube's id.
        id: u32,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandCount { given, cubes } => write!(f, "{given} wheel commands were given for {cubes} cubes"),
            Self::Command { id } => write!(
                f,
                "the wheel command of cube {id} is not a finite number, or holds for a share that is not in 0 to 1"
            ),
            Self::NonFinite { id } => write!(f, "the motion of cube {id} is no longer finite"),
        }
    }
}

impl std::error::Error for StepError {}

/// Why a cube is not brought back.
#[derive(Clone, Debug, PartialEq)]
pub enum BringError {
    /// There is no such cube, or a value is out of its range.
    Param(ParamError),
    /// It is not away.
    There,
    /// It would stand in a wall, or where another cube is low enough to touch it.
    InTheWay(Touched),
}

impl fmt::Display for BringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(error) => error.fmt(f),
            Self::There => f.write_str("the cube is not away"),
            Self::InTheWay(Touched::Wall(wall)) => write!(f, "wall {wall} is in the way"),
            Self::InTheWay(Touched::Cube(cube)) => write!(f, "the cube at place {cube} is in the way"),
        }
    }
}

impl std::error::Error for BringError {}

impl From<ParamError> for BringError {
    fn from(error: ParamError) -> Self {
        Self::Param(error)
    }
}

/// Complete state of the cubes, hands and magnets of a world. A clone goes on bit for bit like the original.
///
/// Cubes are addressed by their place in the list given to [`Physics::new`]. Everything that could depend on an order goes by their ids,
/// so that the list may be in any order.
#[derive(Clone)]
pub struct Physics {
    engine: Engine,
    cubes: Vec<Cube>,
    /// Places in `cubes`, by increasing id.
    order: Vec<usize>,
    magnets: Vec<PlacedMagnet>,
    /// Walls where they stand now; none for one that is away.
    walls: Vec<Option<Wall>>,
    reports: Vec<CubeReport>,
    impacts: Vec<Impact>,
    /// Buffers of a step.
    last_impacts: Vec<Impact>,
    tyre_speeds_m_s: Vec<[f64; 2]>,
    given: Vec<Given>,
}

#[derive(Clone)]
struct Cube {
    id: u32,
    params: MotorParams,
    motors: [Motor; 2],
    hands: Hands,
    /// The command of the last tick was a forced stop.
    was_stopped: bool,
}

impl Cube {
    /// Motors stand, and hands let go.
    fn rest(&mut self) {
        (self.motors, self.hands, self.was_stopped) = Default::default();
    }
}

impl Physics {
    /// Cubes that stand on the mat, and magnets.
    ///
    /// # Errors
    /// If a value is out of its range, a cube that is not away stands in a wall, two cubes have one id, or a magnet's cube does not
    /// exist.
    pub fn new(model: &PhysicsModel, starts: &[CubeStart], magnets: &[PlacedMagnet]) -> Result<Self, ParamError> {
        starts.iter().try_for_each(CubeStart::check)?;
        check_walls(model, starts)?;
        let mut order: Vec<usize> = (0..starts.len()).collect();
        order.sort_by_key(|&cube| starts[cube].id);
        if let Some(pair) = order.windows(2).find(|pair| starts[pair[0]].id == starts[pair[1]].id) {
            return Err(ParamError::new("id", format!("{} is that of two cubes", starts[pair[0]].id)));
        }
        let poses: Vec<_> = starts.iter().map(|start| hands::standing(start.axle_m, start.heading_rad)).collect();
        let engine = Engine::new(model, &poses, &order);
        let cube = |start: &CubeStart| Cube {
            id: start.id,
            params: start.motor,
            motors: [Motor::default(); 2],
            hands: Hands::default(),
            was_stopped: false,
        };
        let cubes: Vec<Cube> = starts.iter().map(cube).collect();
        let mut physics = Self {
            reports: (0..cubes.len()).map(|k| at_rest(model, &engine.body(k), false)).collect(),
            tyre_speeds_m_s: vec![[0.0; 2]; cubes.len()],
            given: vec![Given::default(); cubes.len()],
            magnets: magnets.iter().map(|magnet| magnet.checked(cubes.len())).collect::<Result<_, _>>()?,
            walls: standing_walls(model),
            impacts: Vec::new(),
            last_impacts: Vec::new(),
            engine,
            cubes,
            order,
        };
        for cube in (0..starts.len()).filter(|&cube| starts[cube].is_away) {
            physics.take_away(model, cube)?;
        }
        physics.observe_ground();
        Ok(physics)
    }

    /// Motion and sensor values of the cubes, in the order in which they were given.
    #[must_use]
    pub fn reports(&self) -> &[CubeReport] {
        &self.reports
    }

    /// What touched what in the last tick: walls and other cubes, not the ground. By increasing ids.
    #[must_use]
    pub fn impacts(&self) -> &[Impact] {
        &self.impacts
    }

    /// Starts what a hand does to a cube; it acts from the next step on. Nothing happens to a cube that is away.
    ///
    /// # Errors
    /// If there is no such cube or a value is out of its range.
    pub fn hand(&mut self, model: &PhysicsModel, cube: usize, action: HandAction) -> Result<(), ParamError> {
        self.check_cube(cube)?;
        if self.reports[cube].is_away {
            return action.check(model.params().step_hz);
        }
        self.cubes[cube].hands.begin(model, &self.engine.body(cube), action)
    }

    /// Takes a cube's body out of the world, and a magnet on it: it touches nothing and does not fall, its motors rest and hands let go
    /// of it.
    ///
    /// # Errors
    /// If there is no such cube.
    pub fn take_away(&mut self, model: &PhysicsModel, cube: usize) -> Result<(), ParamError> {
        self.check_cube(cube)?;
        self.cubes[cube].rest();
        self.engine.take_away(cube);
        self.reports[cube] = at_rest(model, &self.engine.body(cube), true);
        Ok(())
    }

    /// Brings back a cube that is away: it stands on the mat at rest, with the middle of its axle at `axle_m` in the plane.
    ///
    /// # Errors
    /// If there is no such cube, it is not away, a value is out of its range or something is in the way. Nothing has changed then.
    pub fn bring(
        &mut self,
        model: &PhysicsModel,
        cube: usize,
        axle_m: DVec2,
        heading_rad: f64,
    ) -> Result<(), BringError> {
        self.check_cube(cube)?;
        if !self.reports[cube].is_away {
            return Err(BringError::There);
        }
        hands::check_goal(axle_m, heading_rad, 0.0)?;
        if let Some(thing) = self.in_the_way(model, &Footprint::from_axle(axle_m, heading_rad)) {
            return Err(BringError::InTheWay(thing));
        }
        self.engine.bring(cube, hands::standing(axle_m, heading_rad));
        self.reports[cube] = at_rest(model, &self.engine.body(cube), false);
        self.observe_ground();
        Ok(())
    }

    fn check_cube(&self, cube: usize) -> Result<(), ParamError> {
        let count = self.cubes.len();
        if cube < count { Ok(()) } else { Err(ParamError::new("cube", format!("is {cube}, there are {count}"))) }
    }

    /// What a cube would touch that stands on this place: a wall, or the cube of the smallest id whose box reaches down to its top.
    fn in_the_way(&self, model: &PhysicsModel, place: &Footprint) -> Option<Touched> {
        let is_in = |wall: &Option<Wall>| wall.as_ref().is_some_and(|wall| Footprint::from_wall(wall).overlaps(place));
        let is_low_there = |&cube: &usize| {
            let body = self.engine.body(cube);
            let lowest_m = body.position_m.z - hands::reach_down_m(model, body.world_from_body);
            let is_over = || Footprint::from_body(&model.params().body, &body).overlaps(place);
            !self.reports[cube].is_away && lowest_m < model.params().body.top_height_m && is_over()
        };
        let wall = self.walls.iter().position(is_in).map(Touched::Wall);
        wall.or_else(|| self.order.iter().copied().find(is_low_there).map(Touched::Cube))
    }

    /// Puts a magnet elsewhere.
    ///
    /// # Errors
    /// If there is no such magnet or cube, or a value is out of its range.
    pub fn move_magnet(&mut self, magnet: usize, mount: Mount) -> Result<(), ParamError> {
        let count = self.magnets.len();
        let Some(placed) = self.magnets.get_mut(magnet) else {
            return Err(ParamError::new("magnet", format!("is {magnet}, there are {count}")));
        };
        *placed = PlacedMagnet { mount, ..*placed }.checked(self.cubes.len())?;
        Ok(())
    }

    /// The first cube by its id that reaches into a wall, whether that stands or not.
    #[must_use]
    pub fn cube_in_wall(&self, wall: &Wall) -> Option<usize> {
        let is_in = |&cube: &usize| !self.reports[cube].is_away && self.engine.is_in_wall(cube, wall);
        self.order.iter().copied().find(is_in)
    }

    /// Puts a wall where `to` stands, or takes it away, from the next step on. Its own length, height and thickness stay.
    ///
    /// # Errors
    /// If there is no such wall, a place is out of its range, or a cube reaches into it.
    pub fn set_wall(&mut self, model: &PhysicsModel, wall: usize, to: Option<&Wall>) -> Result<(), ParamError> {
        let count = model.params().walls.len();
        if wall >= count {
            return Err(ParamError::new("wall", format!("is {wall}, there are {count}")));
        }
        if let Some(to) = to {
            to.check()?;
            if let Some(cube) = self.cube_in_wall(to) {
                return Err(ParamError::new("wall", format!("would stand in cube {}", self.cubes[cube].id)));
            }
        }
        self.engine.set_wall(wall, to);
        self.walls[wall] = to.copied();
        Ok(())
    }

    /// Field of all magnets at a cube's sensor, in the cube's own axes (X forward, Y right, Z down), A/m. `None` if there is no such cube.
    #[must_use]
    pub fn field_at_sensor_a_m(&self, cube: usize) -> Option<DVec3> {
        let report = self.reports.get(cube)?;
        let sensor_m = report.world_of(geometry::MAGNET_SENSOR);
        // A magnet's field in the sensor's own axes: everything is turned into them before it is summed.
        let field = |placed: &PlacedMagnet| match placed.mount {
            Mount::World { at_m, north } => {
                let into_cube = |v: DVec3| report.plane_from_cube.conjugate() * frame::upright(v);
                placed.magnet.field_a_m(into_cube(north), into_cube(sensor_m - at_m))
            }
            Mount::Cube { cube: carrier, at_m, north } if carrier == cube => {
                placed.magnet.field_a_m(north, geometry::MAGNET_SENSOR - at_m)
            }
            Mount::Cube { cube: carrier, .. } if self.reports[carrier].is_away => DVec3::ZERO,
            Mount::Cube { cube: carrier, at_m, north } => {
                let carrier = &self.reports[carrier];
                let turn = report.plane_from_cube.conjugate();
                let apart = turn * frame::upright(sensor_m - carrier.world_of(at_m));
                placed.magnet.field_a_m(turn * (carrier.plane_from_cube * north), apart)
            }
        };
        Some(self.magnets.iter().map(field).sum())
    }

    /// One tick. `commands` are in the order in which cubes were given.
    ///
    /// # Errors
    /// If the commands do not fit the cubes or are not finite, or motion stopped being finite.
    pub fn step(&mut self, model: &PhysicsModel, commands: &[WheelCommand]) -> Result<(), StepError> {
        self.check_commands(commands)?;
        self.begin_reports();
        self.stop_bodies(model, commands);
        for substep in 0..model.params().substeps {
            self.turn_wheels(model, commands, substep);
            self.touch(model);
            self.engine.step(model, &self.tyre_speeds_m_s);
            self.observe(model)?;
            self.exchange(model);
        }
        self.finish_impacts();
        self.observe_ground();
        Ok(())
    }

    /// Puts the complete state into `hash`, by increasing ids.
    pub fn hash_into(&self, hash: &mut StateHash) {
        for &k in &self.order {
            let (cube, body) = (&self.cubes[k], self.engine.body(k));
            hash.u64(u64::from(cube.id));
            hands::hash_vector(hash, body.position_m);
            hands::hash_vector(hash, body.world_from_body.xyz());
            hash.f64(body.world_from_body.w);
            hands::hash_vector(hash, body.velocity_m_s);
            hands::hash_vector(hash, body.omega_rad_s);
            cube.motors.iter().for_each(|motor| motor.hash_into(hash));
            cube.hands.hash_into(hash);
            hash.u64(cube.was_stopped.into());
            if self.reports[k].is_away {
                hash.u64(1);
            }
        }
        self.magnets.iter().for_each(|magnet| magnet.hash_into(hash));
        for (wall, place) in self.engine.moved_walls() {
            hash.u64(wall as u64);
            hash.u64(u64::from(place.is_some()));
            let (middle_m, turn) = place.unwrap_or_default();
            hands::hash_vector(hash, middle_m);
            hands::hash_vector(hash, turn.xyz());
            hash.f64(turn.w);
        }
    }

    fn check_commands(&self, commands: &[WheelCommand]) -> Result<(), StepError> {
        if commands.len() != self.cubes.len() {
            return Err(StepError::CommandCount { given: commands.len(), cubes: self.cubes.len() });
        }
        for (cube, command) in self.cubes.iter().zip(commands) {
            let is_finite = command.left_units.is_finite() && command.right_units.is_finite();
            if !is_finite || !(0.0..=1.0).contains(&command.active_share) {
                return Err(StepError::Command { id: cube.id });
            }
        }
        Ok(())
    }

    fn begin_reports(&mut self) {
        for report in self.reports.iter_mut().filter(|report| !report.is_away) {
            report.specific_force_m_s2 = DVec3::ZERO;
            report.peak_specific_force_m_s2 = DVec3::ZERO;
            report.wheels.iter_mut().for_each(|wheel| wheel.load_n = 0.0);
        }
        std::mem::swap(&mut self.impacts, &mut self.last_impacts);
        self.impacts.clear();
    }

    /// Bodies on their wheels whose forced stop begins lose their motion along the mat.
    fn stop_bodies(&mut self, model: &PhysicsModel, commands: &[WheelCommand]) {
        let params = &model.params().body;
        for (k, command) in commands.iter().enumerate() {
            let begins =
                command.is_forced_stop && !std::mem::replace(&mut self.cubes[k].was_stopped, command.is_forced_stop);
            let stands = self.reports[k].wheels.iter().any(|wheel| wheel.is_on_ground);
            if !begins || !stands || self.cubes[k].hands.is_holding() {
                continue;
            }
            let body = self.engine.body(k);
            let along_mat = DVec3::new(body.velocity_m_s.x, body.velocity_m_s.y, 0.0);
            let turn_in_body = body.world_from_body.conjugate() * (DVec3::Z * body.omega_rad_s.z);
            let angular_n_m_s = body.world_from_body * (params.inertia_kg_m2() * turn_in_body);
            self.engine.kick(k, -along_mat * params.mass_kg, -angular_n_m_s);
        }
    }

    /// Motors go on; tyres get the mean speed of the engine step. The Unity law goes by whole ticks.
    fn turn_wheels(&mut self, model: &PhysicsModel, commands: &[WheelCommand], substep: u32) {
        for (k, command) in commands.iter().enumerate().filter(|&(k, _)| !self.reports[k].is_away) {
            let (cube, speeds) = (&mut self.cubes[k], &mut self.tyre_speeds_m_s[k]);
            if command.is_forced_stop {
                cube.motors.iter_mut().for_each(Motor::force_stop);
                *speeds = [0.0; 2];
                continue;
            }
            let (step_s, steps_before) = match cube.params.lag_law {
                LagLaw::Exact => (model.substep_s(), f64::from(substep)),
                LagLaw::Unity if substep == 0 => (model.tick_s(), 0.0),
                LagLaw::Unity => continue,
            };
            let share = (command.active_share * model.tick_s() / step_s - steps_before).clamp(0.0, 1.0);
            let units = [command.left_units, command.right_units];
            for (side, motor) in cube.motors.iter_mut().enumerate() {
                speeds[side] = motor.advance_in_part(&cube.params, units[side], share, step_s);
            }
        }
    }

    /// Hands act on bodies.
    fn touch(&mut self, model: &PhysicsModel) {
        for &k in &self.order {
            let body = self.engine.body(k);
            let mut given = Given::default();
            self.cubes[k].hands.advance(model, &body, |touch| match touch {
                Touch::Blow { impulse_n_s, angular_n_m_s } => {
                    given.blow_n_s += impulse_n_s;
                    self.engine.kick(k, impulse_n_s, angular_n_m_s);
                }
                Touch::Kick { impulse_n_s, angular_n_m_s } => {
                    given.other_n_s += impulse_n_s;
                    self.engine.kick(k, impulse_n_s, angular_n_m_s);
                }
                Touch::Force { force_n, at_m } => {
                    given.other_n_s += force_n * model.substep_s();
                    self.engine.push(k, force_n, at_m);
                }
            });
            self.given[k] = given;
        }
    }

    /// Places, motions and specific forces after an engine step.
    fn observe(&mut self, model: &PhysicsModel) -> Result<(), StepError> {
        let is_sound = self.engine.is_sound();
        let share = model.substep_s() / model.tick_s();
        let (gravity_m_s2, mass_kg) = (model.gravity_m_s2(), model.params().body.mass_kg);
        let gravity_n_s = gravity_m_s2 * mass_kg * model.substep_s();
        for &k in &self.order {
            if self.reports[k].is_away {
                continue;
            }
            let body = self.engine.body(k);
            if !body.is_finite() || (!is_sound && self.engine.is_out_of_use(k)) {
                return Err(StepError::NonFinite { id: self.cubes[k].id });
            }
            let report = &mut self.reports[k];
            let change_m_s = body.velocity_m_s - report.velocity_m_s;
            let taken_back_m_s = self.given[k].taken_back_n_s(change_m_s * mass_kg, gravity_n_s) / mass_kg;
            let force = in_cube_axes(&body, (change_m_s + taken_back_m_s) / model.substep_s() - gravity_m_s2);
            report.specific_force_m_s2 += force * share;
            if force.length_squared() > report.peak_specific_force_m_s2.length_squared() {
                report.peak_specific_force_m_s2 = force;
            }
            place(report, model, &body);
            report.is_held = self.cubes[k].hands.is_holding();
        }
        Ok(())
    }

    /// Loads of wheels and impulses between bodies in an engine step.
    fn exchange(&mut self, model: &PhysicsModel) {
        let (reports, impacts, cubes) = (&mut self.reports, &mut self.impacts, &self.cubes);
        self.engine.for_each_exchange(|exchange| {
            let impulse_n_s = exchange.impulse_n_s;
            let (cube, other, normal) = match exchange.parts {
                [Part::Wheel(cube, side), Part::Ground] | [Part::Ground, Part::Wheel(cube, side)] => {
                    reports[cube].wheels[side].load_n += impulse_n_s / model.tick_s();
                    return;
                }
                [Part::Body(a), Part::Body(b)] if cubes[a].id < cubes[b].id => (a, Touched::Cube(b), exchange.normal),
                [Part::Body(a), Part::Body(b)] => (b, Touched::Cube(a), -exchange.normal),
                [Part::Body(cube), Part::Wall(wall)] => (cube, Touched::Wall(wall), exchange.normal),
                [Part::Wall(wall), Part::Body(cube)] => (cube, Touched::Wall(wall), -exchange.normal),
                _ => return,
            };
            impacts.push(Impact { cube, other, impulse_n_s, normal, is_new: false });
        });
    }

    /// One impact for each pair, by increasing ids.
    fn finish_impacts(&mut self) {
        let cubes = &self.cubes;
        let rank = |impact: &Impact| match impact.other {
            Touched::Wall(wall) => (cubes[impact.cube].id, 0, wall as u64),
            Touched::Cube(other) => (cubes[impact.cube].id, 1, u64::from(cubes[other].id)),
        };
        self.impacts.sort_by_key(rank);
        self.impacts.dedup_by(|next, kept| {
            let is_same = rank(next) == rank(kept);
            if is_same {
                kept.impulse_n_s += next.impulse_n_s;
            }
            is_same
        });
        for impact in &mut self.impacts {
            impact.is_new = self.last_impacts.binary_search_by_key(&rank(impact), rank).is_err();
        }
    }

    /// Wheels: speeds, and whether there is ground below them.
    fn observe_ground(&mut self) {
        for (k, report) in self.reports.iter_mut().enumerate().filter(|(_, report)| !report.is_away) {
            let body = self.engine.body(k);
            let down = -(body.world_from_body * DVec3::Z);
            let forward = body.world_from_body * DVec3::X;
            for (side, base) in [geometry::LEFT_WHEEL_BASE, geometry::RIGHT_WHEEL_BASE].into_iter().enumerate() {
                let base = report.world_of(base);
                let wheel = &mut report.wheels[side];
                wheel.motor_m_s = self.cubes[k].motors[side].speed_m_s();
                wheel.ground_m_s = body.velocity_at(base).dot(forward);
                // Along the body's own down, as a probe fixed to the cube would reach.
                wheel.is_on_ground = down.z < 0.0 && base.z <= WHEEL_REACH_M * -down.z;
            }
        }
    }
}

/// The walls as they stand at the start.
fn standing_walls(model: &PhysicsModel) -> Vec<Option<Wall>> {
    let PhysicsParams { walls, away_walls, .. } = model.params();
    walls.iter().enumerate().map(|(k, wall)| (!away_walls.contains(&k)).then_some(*wall)).collect()
}

/// Refuses a cube that stands in a wall: the engine would squeeze it out.
fn check_walls(model: &PhysicsModel, starts: &[CubeStart]) -> Result<(), ParamError> {
    let walls = standing_walls(model);
    for start in starts.iter().filter(|start| !start.is_away) {
        let cube = Footprint::from_start(start);
        let is_in = |wall: &Option<Wall>| wall.as_ref().is_some_and(|wall| Footprint::from_wall(wall).overlaps(&cube));
        if let Some(wall) = walls.iter().position(is_in) {
            return Err(ParamError::new("axle_m", format!("puts cube {} into wall {wall}", start.id)));
        }
    }
    Ok(())
}

/// A vector of the world in the cube's own axes.
fn in_cube_axes(body: &BodyState, v: DVec3) -> DVec3 {
    frame::upright(body.world_from_body.conjugate() * v)
}

fn place(report: &mut CubeReport, model: &PhysicsModel, body: &BodyState) {
    report.centre_m = body.position_m;
    report.plane_from_cube = frame::flipped(body.world_from_body);
    report.attitude = Attitude::from_turn(frame::flipped(model.level_from_world() * body.world_from_body));
    report.velocity_m_s = body.velocity_m_s;
    report.omega_rad_s = in_cube_axes(body, body.omega_rad_s);
}

fn at_rest(model: &PhysicsModel, body: &BodyState, is_away: bool) -> CubeReport {
    let force = in_cube_axes(body, -model.gravity_m_s2());
    let mut report = CubeReport {
        centre_m: body.position_m,
        plane_from_cube: frame::flipped(body.world_from_body),
        attitude: Attitude::default(),
        velocity_m_s: DVec3::ZERO,
        omega_rad_s: DVec3::ZERO,
        specific_force_m_s2: force,
        peak_specific_force_m_s2: force,
        wheels: [WheelReport::default(); 2],
        is_held: false,
        is_away,
    };
    place(&mut report, model, body);
    report
}
