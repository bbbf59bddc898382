//! Hands that lift, place, drag, tilt, turn, shake, push and tap cubes.
//!
//! # Equation
//! A gripping hand leads the body along a path X(t), q(t) by bounded impulses, once an engine step of length h:
//! ```text
//! v_hand = (X(t+h) - X(t)) / h + (X(t) - x) / max(T, h)            J = m (v_hand - v),      |J| <= F h
//! w_hand = the same of the turns                                   L = I (w_hand - w),      |L| <= M h
//! ```
//! and carries its weight by a force beside them (as an impulse it would make the body hop by g h^2 / 2 in every step).
//! x, v, w: place, velocity, turn rate of the body; T = 0.05 s the stiffness of the grip (an error fades with this time constant),
//! F = 10 N, M = 0.05 N m its strength: forty times a cube's weight, and less than what a person can do. Paths start and end at
//! rest, without a jump in acceleration: s(u) = u^3 (10 - 15 u + 6 u^2), the polynomial of least jerk, is the way of a lift, and the
//! amplitude of a shake while it sets in and fades. A drag has a goal that may move: its X follows the goal as dX/dt = (goal - X) / D,
//! with D = 0.1 s, at no more than 1 m/s and 20 rad/s. A push is a force, a tap an impulse; neither holds anything.
//!
//! A pull holds one point p of the body and leads it after a goal in the plane; the body turns about that point as it likes:
//! ```text
//! v_hand = (goal - p) / T, at most 1 m/s        J = (v_hand - v_p) / (1 / m + r^2 / I_z),      |J| <= 0.8 N h
//! ```
//! r: distance of p from the body centre, I_z: inertia about the vertical, v_p: velocity of p. J lies in the plane and turns the body
//! about the vertical alone, so that a pull tips no cube. 0.8 N are three times what slides a cube with locked wheels.
//!
//! # Where it stops being true
//! The hand has no body: nothing bumps into it, and no reaction acts on it. All numbers of the grip are ours: nothing is published.

use crate::engine::BodyState;
use crate::frame::{self, Attitude};
use crate::geometry;
use crate::params::{MAX_PLACE_M, PhysicsModel};
use glam::{DQuat, DVec3};
use sim_core::{DVec2, ParamError, StateHash, ops};
use std::f64::consts::{PI, TAU};

/// Time constant with which a held body follows an error.
const GRIP_TIME_S: f64 = 0.05;
/// Largest force of a grip.
const GRIP_FORCE_N: f64 = 10.0;
/// Largest moment of a grip.
const GRIP_MOMENT_N_M: f64 = 0.05;
/// How high a hand carries a cube over the straight way when it places it elsewhere: over other cubes.
const CARRY_HEIGHT_M: f64 = 0.04;
/// Time constant with which a drag follows its goal.
const DRAG_TIME_S: f64 = 0.1;
/// Largest speed of a drag.
const DRAG_SPEED_M_S: f64 = 1.0;
/// Largest turn rate of a drag.
const DRAG_RATE_RAD_S: f64 = 20.0;
/// Largest force of a pull.
const PULL_FORCE_N: f64 = 0.8;
/// A way over the mat shorter than this is not carried high.
const SHORT_WAY_M: f64 = 0.005;

/// What a hand does to a cube. An action that grips replaces whatever grip was there; a push or a tap goes beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandAction {
    /// Raise the cube as it is, until its lowest point is `height_m` (0 to 1 m) above the mat, in `duration_s`; then hold it there.
    Lift {
        /// Height of the lowest point at the end.
        height_m: f64,
        /// Time that it takes, 0.02 to 60 s.
        duration_s: f64,
    },
    /// Carry the cube to where it stands on its wheels, let go.
    Place {
        /// Where the middle of the axle goes, in the plane.
        axle_m: DVec2,
        /// Heading at the end.
        heading_rad: f64,
        /// Height of the ground under the wheels at the end, over the mat, 0 to 1 m: 0, or the top of another cube.
        height_m: f64,
        /// Time that it takes, 0.02 to 60 s.
        duration_s: f64,
    },
    /// Hold the cube level and lead it after a goal. Each further drag moves the goal; the hand holds on until a release or another
    /// action.
    Drag {
        /// Where the middle of the axle goes, in the plane.
        axle_m: DVec2,
        /// Heading.
        heading_rad: f64,
        /// Height of the wheels over the mat, 0 to 1 m; up to 5 mm the ID sensor still reads.
        height_m: f64,
    },
    /// Hold the cube by a point and pull that after a goal in the plane. Each further pull moves the goal; the hand holds on until a
    /// release or another action.
    Pull {
        /// Where the held point goes, in the plane.
        goal_m: DVec2,
        /// The held point, from the body centre: ahead and to the right, up to 30 mm away.
        at_m: DVec2,
    },
    /// Tilt the cube, over its lowest point, to a roll and pitch against the mat, and hold it there. Its heading stays, and so does the
    /// height of its lowest point.
    Tilt {
        /// Right side down is positive; -pi to pi.
        roll_rad: f64,
        /// Nose up is positive; -pi/2 to pi/2.
        pitch_rad: f64,
        /// Time that it takes, 0.02 to 60 s.
        duration_s: f64,
    },
    /// Turn the cube about the vertical through its centre, and hold it there.
    Turn {
        /// By how much, clockwise seen from above positive; up to 100 rad.
        angle_rad: f64,
        /// Time that it takes, 0.02 to 60 s.
        duration_s: f64,
    },
    /// Shake the cube back and forth as a sine, from where it is; then let go, or hold on if it was held before. The amplitude grows
    /// from 0 in the first swing and fades in the last one; in the first and second half, if there are fewer than two.
    Shake {
        /// Direction in the world (z up); any length but 0.
        direction: DVec3,
        /// Largest distance from the middle, 0 to 0.1 m.
        amplitude_m: f64,
        /// Swings a second, 0.1 Hz to a tenth of the tick rate: a slower sampling would not be that sine.
        frequency_hz: f64,
        /// How long, 0.02 to 60 s.
        duration_s: f64,
    },
    /// Let go.
    Release {},
    /// Press on the cube.
    Push {
        /// Force in the world (z up), up to 2 N.
        force_n: DVec3,
        /// Where it acts, in the cube's axes from the body centre, up to 30 mm.
        at_m: DVec3,
        /// How long, 0.02 to 60 s.
        duration_s: f64,
    },
    /// Tap the cube once.
    Tap {
        /// Impulse in the cube's axes, up to 0.05 N s: 2 m/s.
        impulse_n_s: DVec3,
        /// Where it acts, in the cube's axes from the body centre, up to 30 mm.
        at_m: DVec3,
    },
}

impl HandAction {
    /// Lowest and highest place of a held cube, m.
    pub const HEIGHT_M: [f64; 2] = [0.0, 1.0];
    /// Shortest and longest time of an action, s.
    pub const DURATION_S: [f64; 2] = [0.02, 60.0];
    /// Smallest and largest amplitude of shaking, m.
    pub const AMPLITUDE_M: [f64; 2] = [0.0, 0.1];
    /// Lowest frequency of shaking, Hz; the highest is a share of the step rate.
    pub const MIN_FREQUENCY_HZ: f64 = 0.1;
    /// Highest frequency of shaking, as a share of the step rate.
    pub const MAX_FREQUENCY_SHARE: f64 = 0.1;
    /// Smallest and largest force of a push, N.
    pub const FORCE_N: [f64; 2] = [0.0, 2.0];
    /// Smallest and largest momentum of a tap, N s.
    pub const IMPULSE_N_S: [f64; 2] = [0.0, 0.05];

    /// Checks that bodies accept it at `step_hz` steps a second.
    ///
    /// # Errors
    /// For a value out of its range.
    pub fn check(&self, step_hz: u32) -> Result<(), ParamError> {
        let (check, within) = (ParamError::check_range, ParamError::check_within);
        match *self {
            Self::Lift { height_m, duration_s } => {
                within("height_m", height_m, Self::HEIGHT_M)?;
                check_duration(duration_s)
            }
            Self::Place { axle_m, heading_rad, height_m, duration_s } => {
                check_goal(axle_m, heading_rad, height_m)?;
                check_duration(duration_s)
            }
            Self::Drag { axle_m, heading_rad, height_m } => check_goal(axle_m, heading_rad, height_m),
            Self::Pull { goal_m, at_m } => {
                check_goal(goal_m, 0.0, 0.0)?;
                check("at_m", at_m.length(), 0.0, 0.03)
            }
            Self::Tilt { roll_rad, pitch_rad, duration_s } => {
                check("roll_rad", roll_rad, -PI, PI)?;
                check("pitch_rad", pitch_rad, -0.5 * PI, 0.5 * PI)?;
                check_duration(duration_s)
            }
            Self::Turn { angle_rad, duration_s } => {
                check("angle_rad", angle_rad, -100.0, 100.0)?;
                check_duration(duration_s)
            }
            Self::Shake { direction, amplitude_m, frequency_hz, duration_s } => {
                check("direction", direction.length(), 1e-6, 1e6)?;
                within("amplitude_m", amplitude_m, Self::AMPLITUDE_M)?;
                let max_hz = Self::MAX_FREQUENCY_SHARE * f64::from(step_hz);
                check("frequency_hz", frequency_hz, Self::MIN_FREQUENCY_HZ, max_hz)?;
                check_duration(duration_s)
            }
            Self::Release {} => Ok(()),
            Self::Push { force_n, at_m, duration_s } => {
                within("force_n", force_n.length(), Self::FORCE_N)?;
                check("at_m", at_m.length(), 0.0, 0.03)?;
                check_duration(duration_s)
            }
            Self::Tap { impulse_n_s, at_m } => {
                within("impulse_n_s", impulse_n_s.length(), Self::IMPULSE_N_S)?;
                check("at_m", at_m.length(), 0.0, 0.03)
            }
        }
    }
}

pub(crate) fn check_goal(axle_m: DVec2, heading_rad: f64, height_m: f64) -> Result<(), ParamError> {
    ParamError::check_range("axle_m", axle_m.x, -MAX_PLACE_M, MAX_PLACE_M)?;
    ParamError::check_range("axle_m", axle_m.y, -MAX_PLACE_M, MAX_PLACE_M)?;
    ParamError::check_range("heading_rad", heading_rad, -1000.0, 1000.0)?;
    ParamError::check_within("height_m", height_m, HandAction::HEIGHT_M)
}

fn check_duration(duration_s: f64) -> Result<(), ParamError> {
    ParamError::check_within("duration_s", duration_s, HandAction::DURATION_S)
}

/// All that hands do to one cube.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hands {
    grip: Option<Grip>,
    pull: Option<Pull>,
    pushes: Vec<Push>,
    taps: Vec<Tap>,
}

/// Impulses and forces of the coming engine step. World axes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Touch {
    /// Of a tap, which is over long before the step is.
    Blow {
        impulse_n_s: DVec3,
        angular_n_m_s: DVec3,
    },
    /// Of a grip, spread over the step.
    Kick {
        impulse_n_s: DVec3,
        angular_n_m_s: DVec3,
    },
    Force {
        force_n: DVec3,
        at_m: DVec3,
    },
}

impl Hands {
    pub fn begin(&mut self, model: &PhysicsModel, body: &BodyState, action: HandAction) -> Result<(), ParamError> {
        action.check(model.params().step_hz)?;
        match action {
            HandAction::Release {} => (self.grip, self.pull) = (None, None),
            HandAction::Pull { goal_m, at_m } => (self.grip, self.pull) = (None, Some(Pull { goal_m, at_m })),
            HandAction::Push { force_n, at_m, duration_s } => {
                self.pushes.push(Push { force_n, at_m, left: engine_steps(model, duration_s) });
            }
            HandAction::Tap { impulse_n_s, at_m } => self.taps.push(Tap { impulse_n_s, at_m }),
            HandAction::Drag { .. } if self.grip.as_mut().is_some_and(|grip| grip.retarget(action)) => {}
            _ => {
                self.pull = None;
                self.grip = Grip::new(model, body, action, self.grip.is_some());
            }
        }
        Ok(())
    }

    pub fn is_holding(&self) -> bool {
        self.grip.is_some() || self.pull.is_some()
    }

    /// Calls `touch` for everything that hands do in the coming engine step, and goes on by one.
    pub fn advance(&mut self, model: &PhysicsModel, body: &BodyState, mut touch: impl FnMut(Touch)) {
        let in_world = |in_cube: DVec3| body.world_from_body * frame::upright(in_cube);
        for tap in self.taps.drain(..) {
            let impulse_n_s = in_world(tap.impulse_n_s);
            touch(Touch::Blow { impulse_n_s, angular_n_m_s: in_world(tap.at_m).cross(impulse_n_s) });
        }
        for push in &mut self.pushes {
            touch(Touch::Force { force_n: push.force_n, at_m: body.position_m + in_world(push.at_m) });
            push.left -= 1;
        }
        self.pushes.retain(|push| push.left > 0);
        if let Some(pull) = &self.pull {
            touch(pull.lead(model, body));
        }
        if let Some(grip) = &mut self.grip {
            let weight_n = model.gravity_m_s2() * model.params().body.mass_kg;
            touch(Touch::Force { force_n: -weight_n, at_m: body.position_m });
            touch(grip.lead(model, body));
            if grip.is_over() {
                self.grip = None;
            }
        }
    }

    pub fn hash_into(&self, hash: &mut StateHash) {
        let holds = usize::from(self.grip.is_some()) | usize::from(self.pull.is_some()) << 1;
        [self.taps.len(), self.pushes.len(), holds].iter().for_each(|&count| hash.u64(count as u64));
        for tap in &self.taps {
            hash_vector(hash, tap.impulse_n_s);
            hash_vector(hash, tap.at_m);
        }
        for push in &self.pushes {
            hash.u64(push.left);
            hash_vector(hash, push.force_n);
            hash_vector(hash, push.at_m);
        }
        if let Some(grip) = &self.grip {
            grip.hash_into(hash);
        }
        if let Some(pull) = &self.pull {
            hash.vec2(pull.goal_m);
            hash.vec2(pull.at_m);
        }
    }
}

pub(crate) fn hash_vector(hash: &mut StateHash, v: DVec3) {
    hash.f64(v.x);
    hash.f64(v.y);
    hash.f64(v.z);
}

#[derive(Clone, Debug)]
struct Push {
    force_n: DVec3,
    at_m: DVec3,
    left: u64,
}

#[derive(Clone, Debug)]
struct Tap {
    impulse_n_s: DVec3,
    at_m: DVec3,
}

/// A hand that holds a point of a body and leads it after a goal.
#[derive(Clone, Debug)]
struct Pull {
    goal_m: DVec2,
    at_m: DVec2,
}

impl Pull {
    /// The impulse of the coming engine step.
    fn lead(&self, model: &PhysicsModel, body: &BodyState) -> Touch {
        let params = &model.params().body;
        let arm_m = body.world_from_body * frame::upright(self.at_m.extend(0.0));
        let goal_m = frame::world_from_plane(self.goal_m, 0.0);
        let in_plane = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
        let way_m = in_plane(goal_m - body.position_m - arm_m);
        let wanted_m_s = (way_m / GRIP_TIME_S).clamp_length_max(DRAG_SPEED_M_S);
        let velocity_m_s = in_plane(body.velocity_m_s + body.omega_rad_s.cross(arm_m));
        let mass_kg = 1.0 / (1.0 / params.mass_kg + self.at_m.length_squared() / params.inertia_kg_m2().z);
        let most_n_s = PULL_FORCE_N * model.substep_s();
        let impulse_n_s = (mass_kg * (wanted_m_s - velocity_m_s)).clamp_length_max(most_n_s);
        Touch::Kick { impulse_n_s, angular_n_m_s: DVec3::Z * arm_m.cross(impulse_n_s).z }
    }
}

/// Whole engine steps in a duration, at least one.
fn engine_steps(model: &PhysicsModel, duration_s: f64) -> u64 {
    ((duration_s / model.substep_s()).round() as u64).max(1)
}

/// A hand that holds a body and leads it along a path.
#[derive(Clone, Debug)]
struct Grip {
    from_m: DVec3,
    world_from_body: DQuat,
    path: Path,
    /// Engine steps of the path, and how many of them are done.
    steps: u64,
    done: u64,
    lets_go: bool,
}

#[derive(Clone, Debug)]
enum Path {
    /// By a way and about a rotation vector (world), over a hump.
    Carry { way_m: DVec3, rotation_rad: DVec3, hump_m: f64 },
    /// Back and forth: amplitude and direction in one, and swings in all.
    Swing { amplitude_m: DVec3, swings: f64 },
    /// After a goal that may move. The grip's own pose is where the hand is.
    Follow { goal_m: DVec3, goal: DQuat },
}

impl Grip {
    /// `None` for an action that does not grip.
    fn new(model: &PhysicsModel, body: &BodyState, action: HandAction, was_held: bool) -> Option<Self> {
        let lowest_m = body.position_m.z - reach_down_m(model, body.world_from_body);
        let (path, duration_s, lets_go) = match action {
            HandAction::Lift { height_m, duration_s } => {
                (Path::carry(DVec3::Z * (height_m - lowest_m), DVec3::ZERO, lowest_m), duration_s, false)
            }
            HandAction::Place { axle_m, heading_rad, height_m, duration_s } => {
                let (goal_m, goal) = standing(axle_m, heading_rad);
                let turn = frame::rotation_of(goal * body.world_from_body.conjugate());
                (Path::carry(goal_m + DVec3::Z * height_m - body.position_m, turn, lowest_m), duration_s, true)
            }
            HandAction::Drag { axle_m, heading_rad, height_m } => {
                let (goal_m, goal) = standing(axle_m, heading_rad);
                (Path::Follow { goal_m: goal_m + DVec3::Z * height_m, goal }, model.substep_s(), false)
            }
            HandAction::Tilt { roll_rad, pitch_rad, duration_s } => {
                let yaw_rad = Attitude::from_turn(frame::flipped(body.world_from_body)).yaw_rad;
                let goal = frame::flipped(Attitude { roll_rad, pitch_rad, yaw_rad }.plane_from_cube());
                let turn = frame::rotation_of(goal * body.world_from_body.conjugate());
                let way_m = DVec3::Z * (lowest_m.max(0.0) + reach_down_m(model, goal) - body.position_m.z);
                (Path::carry(way_m, turn, lowest_m), duration_s, false)
            }
            // Clockwise seen from above is the negative sense about a z that points up.
            HandAction::Turn { angle_rad, duration_s } => {
                (Path::carry(DVec3::ZERO, DVec3::Z * -angle_rad, lowest_m), duration_s, false)
            }
            HandAction::Shake { direction, amplitude_m, frequency_hz, duration_s } => {
                let amplitude_m = direction.normalize() * amplitude_m;
                (Path::Swing { amplitude_m, swings: frequency_hz * duration_s }, duration_s, !was_held)
            }
            HandAction::Release {} | HandAction::Pull { .. } | HandAction::Push { .. } | HandAction::Tap { .. } => {
                return None;
            }
        };
        let steps = engine_steps(model, duration_s);
        let (from_m, world_from_body) = (body.position_m, body.world_from_body);
        Some(Self { from_m, world_from_body, path, steps, done: 0, lets_go })
    }

    /// Moves the goal of a drag. Returns false if the grip is not one, or the action is not.
    fn retarget(&mut self, action: HandAction) -> bool {
        let (HandAction::Drag { axle_m, heading_rad, height_m }, Path::Follow { goal_m, goal }) =
            (action, &mut self.path)
        else {
            return false;
        };
        let (place_m, turn) = standing(axle_m, heading_rad);
        (*goal_m, *goal) = (place_m + DVec3::Z * height_m, turn);
        true
    }

    fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.steps);
        hash.u64(self.done);
        hash.u64(u64::from(self.lets_go));
        hash_vector(hash, self.from_m);
        hash_vector(hash, self.world_from_body.xyz());
        match self.path {
            Path::Carry { way_m, rotation_rad, hump_m } => {
                hash_vector(hash, way_m);
                hash_vector(hash, rotation_rad);
                hash.f64(hump_m);
            }
            Path::Swing { amplitude_m, swings } => {
                hash_vector(hash, amplitude_m);
                hash.f64(swings);
            }
            Path::Follow { goal_m, goal } => {
                hash_vector(hash, goal_m);
                hash_vector(hash, goal.xyz());
            }
        }
    }

    fn is_over(&self) -> bool {
        self.lets_go && self.done >= self.steps
    }

    /// The impulses of the coming engine step.
    fn lead(&mut self, model: &PhysicsModel, body: &BodyState) -> Touch {
        let step_s = model.substep_s();
        let (place, turn) = self.pose(self.done);
        self.done = (self.done + 1).min(self.steps);
        self.follow(step_s);
        let (next_place, next_turn) = self.pose(self.done);
        let stiffness = 1.0 / GRIP_TIME_S.max(step_s);
        let velocity = (next_place - place) / step_s + (place - body.position_m) * stiffness;
        let omega = frame::rotation_of(next_turn * turn.conjugate()) / step_s
            + frame::rotation_of(turn * body.world_from_body.conjugate()) * stiffness;
        let params = &model.params().body;
        let impulse = params.mass_kg * (velocity - body.velocity_m_s);
        let change = body.world_from_body.conjugate() * (omega - body.omega_rad_s);
        let angular = body.world_from_body * (params.inertia_kg_m2() * change);
        Touch::Kick {
            impulse_n_s: impulse.clamp_length_max(GRIP_FORCE_N * step_s),
            angular_n_m_s: angular.clamp_length_max(GRIP_MOMENT_N_M * step_s),
        }
    }

    /// The hand of a drag goes on towards its goal.
    fn follow(&mut self, step_s: f64) {
        let Path::Follow { goal_m, goal } = self.path else { return };
        let share = (step_s / DRAG_TIME_S).min(1.0);
        self.from_m += ((goal_m - self.from_m) * share).clamp_length_max(DRAG_SPEED_M_S * step_s);
        let turn = frame::rotation_of(goal * self.world_from_body.conjugate()) * share;
        self.world_from_body = frame::turn_by(turn.clamp_length_max(DRAG_RATE_RAD_S * step_s)) * self.world_from_body;
    }

    /// Where the path is after a number of engine steps.
    fn pose(&self, done: u64) -> (DVec3, DQuat) {
        let u = done as f64 / self.steps as f64;
        match self.path {
            Path::Carry { way_m, rotation_rad, hump_m } => {
                let s = eased(u);
                let hump = 16.0 * s * s * (1.0 - s) * (1.0 - s) * hump_m;
                (self.from_m + way_m * s + DVec3::Z * hump, frame::turn_by(rotation_rad * s) * self.world_from_body)
            }
            Path::Swing { amplitude_m, swings } => {
                let swung = swings * u;
                let ramp = (0.5 * swings).min(1.0);
                let share = eased((swung.min(swings - swung) / ramp).min(1.0));
                (self.from_m + amplitude_m * (share * ops::sin(TAU * swung)), self.world_from_body)
            }
            Path::Follow { .. } => (self.from_m, self.world_from_body),
        }
    }
}

/// From 0 to 1 as `u` goes from 0 to 1, with speed and acceleration 0 at both ends.
fn eased(u: f64) -> f64 {
    u * u * u * (10.0 - u * (15.0 - 6.0 * u))
}

impl Path {
    /// From a height over the mat. What is held high already is not carried higher.
    fn carry(way_m: DVec3, rotation_rad: DVec3, height_m: f64) -> Self {
        let is_far = DVec2::new(way_m.x, way_m.y).length() > SHORT_WAY_M;
        let hump_m = if is_far { (CARRY_HEIGHT_M - height_m.max(0.0)).max(0.0) } else { 0.0 };
        Self::Carry { way_m, rotation_rad, hump_m }
    }
}

/// Body centre and turn of a cube that stands on the mat.
pub(crate) fn standing(axle_m: DVec2, heading_rad: f64) -> (DVec3, DQuat) {
    let world_from_body = frame::flipped(Attitude::level(heading_rad).plane_from_cube());
    let axle = frame::world_from_plane(axle_m, geometry::WHEEL_DIAMETER_M / 2.0);
    (axle - world_from_body * frame::upright(geometry::AXLE), world_from_body)
}

/// How far a body that is turned so reaches down from its centre.
pub(crate) fn reach_down_m(model: &PhysicsModel, world_from_body: DQuat) -> f64 {
    let up = world_from_body.conjugate() * DVec3::Z;
    let half = 0.5 * geometry::FOOTPRINT_M;
    let top = model.params().body.top_height_m - geometry::BODY_CENTRE_HEIGHT_M;
    let along_z = if up.z > 0.0 { up.z * geometry::BODY_CENTRE_HEIGHT_M } else { -up.z * top };
    half * (up.x.abs() + up.y.abs()) + along_z
}
