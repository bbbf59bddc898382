//! The one place that touches the rigid-body engine (`rapier3d-f64`): bodies, their colliders, the wheels' contacts.
//!
//! Bodies have upright axes here (forward, left, up) and the world's z points up. A cube is a box on four small balls that touch the ground
//! alone: the lowest points of two are the wheels' ground contacts, a third carries the rear, the fourth catches the nose. The last two are
//! the ends of one rod.
//!
//! # Traction
//! A wheel's contact is an ordinary contact with friction, but the friction strives for the velocity that the motor gives the tyre
//! instead of for rest, as on a conveyor belt. So the engine solves traction, load, pushing and blocking in one go: along the ground the
//! impulse of a wheel stays in the disc of radius mu N dt (friction circle), and N is the load that this very step puts on the wheel.
//!
//! Friction acts at the place and in the direction that the wheel has in the *middle* of the step, predicted from the present turn rate.
//! Taken at the beginning, a cube that spins would be thrown off its centre by half a millimetre a step: see `docs/models/contact.md`.

use crate::{geometry, params::PhysicsModel, params::Wall};
use glam::{DQuat, DVec3};
use rapier3d_f64::prelude::*;
use sim_core::ops;

/// Lowest points of the two skids (cube axes): in the middle, so that the loads of a standing cube on its three feet are determined by its
/// weight alone. The front one floats: it only catches a cube that brakes.
const REAR_SKID: DVec3 = DVec3::new(-0.013, 0.0, geometry::BODY_CENTRE_HEIGHT_M);
const FRONT_SKID: DVec3 = DVec3::new(0.013, 0.0, geometry::BODY_CENTRE_HEIGHT_M - 0.000_15);

/// Radius of the balls that stand for wheels and skids: small enough to stay inside of the body, so that a cube on its side lies flat.
const FOOT_RADIUS_M: f64 = 0.0025;

/// A box whose lowest point is farther up than this, and does not sink, has no contact with the ground.
const HULL_MARGIN_M: f64 = 0.0005;

/// How far ahead along its way a body's contacts are looked for at most, so that one that falls from a table does not end up in the floor:
/// the way of one step, up to this.
const PREDICTION_M: f64 = 0.2;

/// A tyre slower than this stands still. The slowest command that moves a cube asks for 22 mm/s.
const RESTING_M_S: f64 = 0.001;

/// Bodies that press on a wall sink in by micrometres: one that is less deep in it does not stand in it.
const TOUCHING_M: f64 = 0.000_1;

const GROUND: Group = Group::GROUP_1;
const BODY: Group = Group::GROUP_2;
const FOOT: Group = Group::GROUP_3;

/// What a collider belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Ground,
    Wall(usize),
    Body(usize),
    Wheel(usize, usize),
}

impl Part {
    fn to_tag(self) -> u128 {
        let tag = |kind: u128, a: usize, b: usize| kind | (a as u128) << 8 | (b as u128) << 72;
        match self {
            Self::Ground => tag(0, 0, 0),
            Self::Wall(wall) => tag(1, wall, 0),
            Self::Body(cube) => tag(2, cube, 0),
            Self::Wheel(cube, side) => tag(3, cube, side),
        }
    }

    fn from_tag(tag: u128) -> Self {
        let (a, b) = ((tag >> 8) as u64 as usize, (tag >> 72) as usize);
        match tag & 0xff {
            0 => Self::Ground,
            1 => Self::Wall(a),
            2 => Self::Body(a),
            _ => Self::Wheel(a, b),
        }
    }
}

/// Where a body is and how it moves. Axes: body upright (forward, left, up), world z up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyState {
    pub position_m: DVec3,
    pub world_from_body: DQuat,
    pub velocity_m_s: DVec3,
    pub omega_rad_s: DVec3,
}

impl BodyState {
    pub fn is_finite(&self) -> bool {
        self.position_m.is_finite()
            && self.world_from_body.is_finite()
            && self.velocity_m_s.is_finite()
            && self.omega_rad_s.is_finite()
    }

    /// Velocity of the body's point that is now at `point_m`.
    pub fn velocity_at(&self, point_m: DVec3) -> DVec3 {
        self.velocity_m_s + self.omega_rad_s.cross(point_m - self.position_m)
    }
}

/// Impulse that two parts exchanged in an engine step, along the normal of their contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    pub parts: [Part; 2],
    pub impulse_n_s: f64,
    /// From the first part to the second.
    pub normal: DVec3,
}

/// The engine's complete state, and its buffers.
pub(crate) struct Engine {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd_solver: CCDSolver,
    /// Handle of each cube's body, in the order in which the caller lists cubes.
    handles: Vec<RigidBodyHandle>,
    walls: Vec<StandingWall>,
    /// Buffers only: a new one may take over at any time.
    pipeline: PhysicsPipeline,
    drives: Vec<[WheelDrive; 2]>,
    /// Cubes whose body carries a force. Empty between steps.
    pushed: Vec<usize>,
}

impl Clone for Engine {
    fn clone(&self) -> Self {
        Self {
            bodies: self.bodies.clone(),
            colliders: self.colliders.clone(),
            islands: self.islands.clone(),
            broad_phase: self.broad_phase.clone(),
            narrow_phase: self.narrow_phase.clone(),
            impulse_joints: self.impulse_joints.clone(),
            multibody_joints: self.multibody_joints.clone(),
            soft_bodies: self.soft_bodies.clone(),
            ccd_solver: self.ccd_solver.clone(),
            handles: self.handles.clone(),
            walls: self.walls.clone(),
            pipeline: PhysicsPipeline::new(),
            drives: self.drives.clone(),
            pushed: Vec::new(),
        }
    }
}

impl Engine {
    /// Ground, walls, then bodies. `poses` are in the caller's order, `insertion` lists their indices in the order of their ids.
    pub fn new(model: &PhysicsModel, poses: &[(DVec3, DQuat)], insertion: &[usize]) -> Self {
        let mut engine = Self {
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd_solver: CCDSolver::new(),
            handles: vec![RigidBodyHandle::invalid(); poses.len()],
            walls: Vec::with_capacity(model.params().walls.len()),
            pipeline: PhysicsPipeline::new(),
            drives: vec![[WheelDrive::default(); 2]; poses.len()],
            pushed: Vec::new(),
        };
        engine.colliders.insert(ground(model));
        for (k, wall) in model.params().walls.iter().enumerate() {
            let stands = !model.params().away_walls.contains(&k);
            let collider = wall_collider(model, wall).enabled(stands).user_data(Part::Wall(k).to_tag());
            let handle = engine.colliders.insert(collider);
            engine.walls.push(StandingWall { handle, first: stands.then(|| wall_pose(wall)) });
        }
        for &cube in insertion {
            engine.handles[cube] = engine.insert_cube(model, cube, poses[cube]);
        }
        engine
    }

    fn insert_cube(
        &mut self,
        model: &PhysicsModel,
        cube: usize,
        (position_m, rotation): (DVec3, DQuat),
    ) -> RigidBodyHandle {
        let body = &model.params().body;
        let mass = MassProperties::new(DVec3::ZERO, body.mass_kg, body.inertia_kg_m2());
        // Never asleep: a resting cube still measures gravity, and one law for all makes cost and results independent of the past.
        let builder = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(position_m, rotation))
            .additional_mass_properties(mass)
            .can_sleep(false)
            .soft_ccd_prediction(PREDICTION_M);
        let handle = self.bodies.insert(builder);
        let hull = hull(model).user_data(Part::Body(cube).to_tag());
        self.colliders.insert_with_parent(hull, handle, &mut self.bodies);
        for (side, base) in [geometry::LEFT_WHEEL_BASE, geometry::RIGHT_WHEEL_BASE].into_iter().enumerate() {
            let wheel = wheel(base).user_data(Part::Wheel(cube, side).to_tag());
            self.colliders.insert_with_parent(wheel, handle, &mut self.bodies);
        }
        let skids = skids(model).user_data(Part::Body(cube).to_tag());
        self.colliders.insert_with_parent(skids, handle, &mut self.bodies);
        handle
    }

    /// Where a cube is, or was taken away. Every cube has a body from beginning to end.
    pub fn body(&self, cube: usize) -> BodyState {
        let body = &self.bodies[self.handles[cube]];
        BodyState {
            position_m: body.translation(),
            world_from_body: *body.rotation(),
            velocity_m_s: body.linvel(),
            omega_rad_s: body.angvel(),
        }
    }

    /// Takes a cube's body out of the simulation, at rest where it is.
    pub fn take_away(&mut self, cube: usize) {
        let body = &mut self.bodies[self.handles[cube]];
        body.set_linvel(DVec3::ZERO, false);
        body.set_angvel(DVec3::ZERO, false);
        body.set_enabled(false);
    }

    /// Puts a body that was taken away back, at rest.
    pub fn bring(&mut self, cube: usize, (position_m, rotation): (DVec3, DQuat)) {
        let body = &mut self.bodies[self.handles[cube]];
        body.set_position(Pose::from_parts(position_m, rotation), false);
        body.set_enabled(true);
    }

    /// Lets a wall stand at a place, or nowhere.
    pub fn set_wall(&mut self, wall: usize, to: Option<&Wall>) {
        let Some(collider) = self.colliders.get_mut(self.walls[wall].handle) else { return };
        collider.set_enabled(to.is_some());
        if let Some(to) = to {
            collider.set_position(wall_pose(to));
        }
    }

    /// Walls that do not stand as at the start, each with its middle and its turn if it stands at all.
    pub fn moved_walls(&self) -> impl Iterator<Item = (usize, Option<(DVec3, DQuat)>)> + '_ {
        self.walls.iter().enumerate().filter_map(|(k, wall)| {
            let collider = &self.colliders[wall.handle];
            let now = collider.is_enabled().then(|| *collider.position());
            (now != wall.first).then(|| (k, now.map(|pose| (pose.translation, pose.rotation))))
        })
    }

    /// True if a cube's box reaches into a wall, whether it stands or not.
    pub fn is_in_wall(&self, cube: usize, wall: &Wall) -> bool {
        let body = &self.bodies[self.handles[cube]];
        // The box is the first collider of a body.
        let Some(hull) = body.colliders().first().and_then(|handle| self.colliders.get(*handle)) else { return false };
        let Some(offset) = hull.position_wrt_parent() else { return false };
        let block = Cuboid::new(half_size(wall) - DVec3::splat(TOUCHING_M));
        let met = rapier3d_f64::parry::query::intersection_test(
            &(*body.position() * *offset),
            hull.shape(),
            &wall_pose(wall),
            &block,
        );
        met.is_ok_and(|met| met.intersecting)
    }

    /// Adds an impulse through the centre of mass and an angular one.
    pub fn kick(&mut self, cube: usize, impulse_n_s: DVec3, angular_n_m_s: DVec3) {
        let body = &mut self.bodies[self.handles[cube]];
        body.apply_impulse(impulse_n_s, true);
        body.apply_torque_impulse(angular_n_m_s, true);
    }

    /// Adds a force that acts during the coming engine step at a point of the world.
    pub fn push(&mut self, cube: usize, force_n: DVec3, at_m: DVec3) {
        self.bodies[self.handles[cube]].add_force_at_point(force_n, at_m, true);
        self.pushed.push(cube);
    }

    /// One engine step in which each wheel's tyre strives for its speed (m/s, left and right).
    pub fn step(&mut self, model: &PhysicsModel, tyre_speeds_m_s: &[[f64; 2]]) {
        let step_s = model.substep_s();
        for (cube, &speeds) in tyre_speeds_m_s.iter().enumerate() {
            self.drives[cube] = WheelDrive::pair(model, &self.body(cube), speeds);
        }
        let hooks = Contacts { drives: &self.drives, step_s };
        self.pipeline.step(
            model.gravity_m_s2(),
            &integration(step_s),
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd_solver,
            &hooks,
            &(),
        );
        for cube in self.pushed.drain(..) {
            let body = &mut self.bodies[self.handles[cube]];
            body.reset_forces(false);
            body.reset_torques(false);
        }
    }

    /// Whether the engine put a body out of use in the last step because its state was not finite.
    pub fn is_sound(&self) -> bool {
        self.pipeline.quarantine().is_empty()
    }

    /// Whether that was this cube's body.
    pub fn is_out_of_use(&self, cube: usize) -> bool {
        self.pipeline.quarantine().bodies().contains(&self.handles[cube])
    }

    /// Calls `visit` for all pairs that pressed on each other in the last step.
    pub fn for_each_exchange(&self, mut visit: impl FnMut(Exchange)) {
        for pair in self.narrow_phase.contact_pairs() {
            let Some(contacts) = pair.rigid() else { continue };
            let part = |handle| part(&self.colliders, handle);
            let (Some(first), Some(second)) = (part(pair.collider1), part(pair.collider2)) else { continue };
            for manifold in contacts.solver_manifolds() {
                let impulse_n_s: f64 = manifold.points.iter().map(|point| point.data.impulse).sum();
                if impulse_n_s > 0.0 && !manifold.data.solver_contacts.is_empty() {
                    visit(Exchange { parts: [first, second], impulse_n_s, normal: manifold.data.normal });
                }
            }
        }
    }
}

fn integration(step_s: f64) -> IntegrationParameters {
    IntegrationParameters {
        dt: step_s,
        min_ccd_dt: step_s / 100.0,
        length_unit: 0.03,
        friction_model: FrictionModel::Coulomb,
        // Stiff enough that a standing cube sinks by 4 micrometres and tilts by 0.007 degrees.
        static_contact_softness: SpringCoefficients { natural_frequency: 240.0, damping_ratio: 5.0 },
        // Load and traction of the three feet depend on each other: with one sweep, as is usual, a cube that spins its wheels veers off by
        // most of a degree, because one wheel is solved last. `docs/models/contact.md` has the measurement.
        num_internal_stabilization_iterations: 3,
        // Contacts predicted along the way (see `PREDICTION_M`) do here; a search for what a body passed through costs more.
        max_ccd_substeps: 0,
        normalized_prediction_distance: 0.004,
        // Every contact is found again in every step. Moving cubes need that anyway, and asking which contacts may be kept costs more.
        contact_recycling: false,
        ..IntegrationParameters::default()
    }
}

/// A body's box: friction of its sides by the product rule, so that the ground, which is smoother than a side, has a say.
fn hull(model: &PhysicsModel) -> ColliderBuilder {
    let body = &model.params().body;
    let half = 0.5 * geometry::FOOTPRINT_M;
    let (bottom, top) =
        (geometry::CLEARANCE_M - geometry::BODY_CENTRE_HEIGHT_M, body.top_height_m - geometry::BODY_CENTRE_HEIGHT_M);
    ColliderBuilder::cuboid(half, half, 0.5 * (top - bottom))
        .translation(DVec3::new(0.0, 0.0, 0.5 * (top + bottom)))
        .density(0.0)
        .friction(body.side_friction.sqrt())
        .friction_combine_rule(CoefficientCombineRule::Multiply)
        .restitution(body.restitution)
        .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS)
        .collision_groups(InteractionGroups::new(BODY, GROUND | BODY, InteractionTestMode::And))
}

/// The ball of a foot whose lowest point is `base` (cube axes): its centre.
fn foot_centre(base: DVec3) -> DVec3 {
    crate::frame::upright(base) + DVec3::Z * FOOT_RADIUS_M
}

/// Both skids: a rounded rod whose ends are their balls. Flat ground touches the ends alone, and one collider costs less than two.
fn skids(model: &PhysicsModel) -> ColliderBuilder {
    ColliderBuilder::capsule_from_endpoints(foot_centre(REAR_SKID), foot_centre(FRONT_SKID), FOOT_RADIUS_M)
        .density(0.0)
        .friction(model.params().body.side_friction.sqrt())
        .friction_combine_rule(CoefficientCombineRule::Multiply)
        .collision_groups(InteractionGroups::new(FOOT, GROUND, InteractionTestMode::And))
}

/// A wheel's ball, whose lowest point is `base` (cube axes).
fn wheel(base: DVec3) -> ColliderBuilder {
    ColliderBuilder::ball(FOOT_RADIUS_M)
        .translation(foot_centre(base))
        .density(0.0)
        .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS)
        .collision_groups(InteractionGroups::new(FOOT, GROUND, InteractionTestMode::And))
}

fn ground(model: &PhysicsModel) -> ColliderBuilder {
    let body = &model.params().body;
    ColliderBuilder::new(SharedShape::halfspace(DVec3::Z))
        .friction(body.skid_friction / body.side_friction.sqrt())
        .restitution(0.0)
        .restitution_combine_rule(CoefficientCombineRule::Min)
        .collision_groups(InteractionGroups::new(GROUND, BODY | FOOT, InteractionTestMode::And))
        .user_data(Part::Ground.to_tag())
}

/// A wall with its first pose; none if it is away at the start.
#[derive(Clone, Copy)]
struct StandingWall {
    handle: ColliderHandle,
    first: Option<Pose>,
}

/// The ends of a wall's middle line on the ground.
fn ends(wall: &Wall) -> [DVec3; 2] {
    [wall.from_m, wall.to_m].map(|end_m| crate::frame::world_from_plane(end_m, 0.0))
}

fn half_size(wall: &Wall) -> DVec3 {
    let [from, to] = ends(wall);
    0.5 * DVec3::new((to - from).length(), wall.thickness_m, wall.height_m)
}

fn wall_pose(wall: &Wall) -> Pose {
    let [from, to] = ends(wall);
    let along = to - from;
    let middle = 0.5 * (from + to) + DVec3::Z * (0.5 * wall.height_m);
    Pose::from_parts(middle, crate::frame::about(DVec3::Z, ops::atan2(along.y, along.x)))
}

fn wall_collider(model: &PhysicsModel, wall: &Wall) -> ColliderBuilder {
    let (body, half) = (&model.params().body, half_size(wall));
    ColliderBuilder::cuboid(half.x, half.y, half.z)
        .position(wall_pose(wall))
        .friction(body.side_friction.sqrt())
        .restitution(body.restitution)
        .collision_groups(InteractionGroups::new(GROUND, BODY, InteractionTestMode::And))
}

/// What a wheel's contact strives for during an engine step.
#[derive(Clone, Copy, Debug, Default)]
struct WheelDrive {
    /// Velocity of the body over the ground at which the tyre would roll without slip.
    rolling_m_s: DVec3,
    /// Friction coefficient of the tyre.
    friction: f64,
    /// The body's centre, about which contacts turn.
    centre_m: DVec3,
    /// Sine and cosine of half the turn about the vertical that is predicted for this step.
    half_turn: (f64, f64),
}

impl WheelDrive {
    fn pair(model: &PhysicsModel, body: &BodyState, speeds_m_s: [f64; 2]) -> [Self; 2] {
        let (sin, cos) = ops::sin_cos(0.5 * model.substep_s() * body.omega_rad_s.z);
        let params = &model.params().body;
        let friction_at =
            |speed: f64| if speed.abs() < RESTING_M_S { params.resting_friction } else { params.tyre_friction };
        let forward = body.world_from_body * DVec3::X;
        // Along the ground; a body that stands on its nose has no rolling direction, and its wheels touch nothing.
        let along = DVec3::new(forward.x, forward.y, 0.0).normalize_or_zero();
        let rolling = about_vertical(along, (sin, cos));
        speeds_m_s.map(|speed| Self {
            rolling_m_s: rolling * speed,
            friction: friction_at(speed),
            centre_m: body.position_m,
            half_turn: (sin, cos),
        })
    }
}

fn about_vertical(v: DVec3, (sin, cos): (f64, f64)) -> DVec3 {
    DVec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z)
}

/// The engine asks this about contacts.
struct Contacts<'a> {
    drives: &'a [[WheelDrive; 2]],
    step_s: f64,
}

fn part(colliders: &ColliderSet, handle: ColliderHandle) -> Option<Part> {
    colliders.get(handle).map(|collider| Part::from_tag(collider.user_data))
}

impl Contacts<'_> {
    /// Whether a box may come down to the ground in this step: by its lowest point, and the fastest that a point of it may sink.
    fn may_land(&self, hull: &Collider, body: &RigidBody) -> bool {
        let tumbling_m_s = body.angvel().truncate().length() * 2.0 * geometry::FOOTPRINT_M;
        let sinking_m_s = tumbling_m_s - body.linvel().z;
        hull.compute_aabb().mins.z < HULL_MARGIN_M + sinking_m_s.max(0.0) * self.step_s
    }
}

impl PhysicsHooks for Contacts<'_> {
    /// Asked about boxes. One that stands on its feet needs no contact of its own with the ground, and most boxes always stand.
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let part = |handle| part(context.colliders, handle);
        let (hull, body) = match (part(context.collider1), part(context.collider2)) {
            (Some(Part::Ground), _) => (context.collider2, context.rigid_body2),
            (_, Some(Part::Ground)) => (context.collider1, context.rigid_body1),
            _ => return Some(SolverFlags::default()),
        };
        let (hull, body) = (context.colliders.get(hull)?, context.bodies.get(body?)?);
        self.may_land(hull, body).then(SolverFlags::default)
    }

    /// Asked about wheels.
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let part = |handle| part(context.colliders, handle);
        // The engine moves the first collider's surface by the tangent velocity, hence the sign.
        let (cube, side, sign) = match (part(context.collider1), part(context.collider2)) {
            (Some(Part::Wheel(cube, side)), _) => (cube, side, -1.0),
            (_, Some(Part::Wheel(cube, side))) => (cube, side, 1.0),
            _ => return,
        };
        let drive = &self.drives[cube][side];
        let Some(manifold) = context.rigid_mut() else { return };
        *manifold.friction = drive.friction;
        for contact in manifold.solver_contacts.iter_mut() {
            contact.tangent_velocity = drive.rolling_m_s * sign;
            for anchor in [&mut contact.anchor1, &mut contact.anchor2] {
                *anchor = drive.centre_m + about_vertical(*anchor - drive.centre_m, drive.half_turn);
            }
        }
    }
}
