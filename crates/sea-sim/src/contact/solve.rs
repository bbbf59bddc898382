//! Impulses that keep surfaces apart, under full mass matrices.
//!
//! # Equation
//! For a point at r of a body and a direction d, both along the body's axes, `J = (d, r x d)`: `J . nu` is the point's velocity along d,
//! and an impulse p there changes nu by `M^-1 J p`. At each contact p = (p_n, p_t) with p_n >= 0, |p_t| <= mu p_n, and
//! ```text
//! displacement   s_n >= -gap            or, if surfaces overlap, >= a fifth of the overlap;     tangential: towards 0
//! velocity       J_n . nu >= -e (J_n . nu)_free      for contacts that carried load;             tangential: towards 0
//! ```
//! s is how far the point has moved in the step: exact at the end pose, and linear around it (`J . change`) while sweeps look for a
//! change. A fast spin makes that inexact, so it is done three times. Sweeps are Gauss-Seidel over contacts in their order, each solved
//! for its normal and then for its two tangents together.

use super::{Contact, ContactBody, ContactLaw, ContactParams, Round, Touched};
use crate::pose::{Pose, Twist, halves, twist};
use sim_core::DVec3;

/// Times that displacements are made linear around the end pose: the error is squared each time.
const ROUNDS: u32 = 3;

/// A change by less is linear enough: it moves a point 1 m away by 5e-9 m across.
const SMALL_TURN_RAD: f64 = 1e-4;

/// Most sweeps over all contacts. Two contacts of a rod lose three quarters of their error in each: 40 reach the last bit.
const SWEEPS: u32 = 40;

/// Change of an impulse, as a share of the impulse along the normal, below which it counts as found.
const SETTLED: f64 = 1e-13;

/// Share of an overlap that is taken out in a step.
const RECOVERY: f64 = 0.2;

/// Approach speeds below this give nothing back: a body that rests does not hop, m/s.
const MIN_BOUNCE_M_S: f64 = 0.01;

/// Buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    rows: Vec<Row>,
    /// Pose of each body at the end of the step, and the motion that sweeps change.
    ends: Vec<Pose>,
    twists: Vec<Twist>,
}

/// A contact ready for sweeps.
#[derive(Clone, Debug)]
struct Row {
    surface: ContactParams,
    sides: [Option<Side>; 2],
    /// Inverse masses along the normal and, as a symmetric matrix xx, xy, yy, along the tangents.
    normal_response: f64,
    tangent_response: [f64; 3],
    /// Motion along the normal and both tangents when sweeps begin.
    offset: [f64; 3],
    /// What the motion along the normal must reach.
    target: f64,
    impulse: [f64; 3],
}

/// One body of a contact: rows and their responses along the normal and both tangents.
#[derive(Clone, Debug)]
struct Side {
    body: usize,
    jacobian: [Twist; 3],
    response: [Twist; 3],
    /// How far the point has moved in the step along the three.
    moved_m: [f64; 3],
}

impl Work {
    /// Makes displacements, then velocities obey the contacts, and writes down the impulses.
    pub(super) fn resolve(&mut self, bodies: &mut [ContactBody<'_>], law: &dyn ContactLaw, contacts: &mut [Contact]) {
        self.correct_displacements(bodies, law, contacts);
        if self.rows.iter().all(|row| row.impulse[0] == 0.0) {
            return;
        }
        self.correct_velocities(bodies, contacts);
        for (row, contact) in self.rows.iter().zip(contacts) {
            contact.impulse_n_s = row.impulse[0];
        }
    }

    fn correct_displacements(&mut self, bodies: &mut [ContactBody<'_>], law: &dyn ContactLaw, contacts: &[Contact]) {
        self.ends.clear();
        self.ends.extend(bodies.iter().map(ContactBody::end_pose));
        self.rows.clear();
        let row = |contact: &Contact| Row::new(contact, law.between(contact.touched), bodies, &self.ends);
        self.rows.extend(contacts.iter().map(row));
        for round in 0..ROUNDS {
            if round > 0 {
                self.make_linear(bodies, contacts);
            }
            for (row, contact) in self.rows.iter_mut().zip(contacts) {
                row.target = if contact.gap_m >= 0.0 { -contact.gap_m } else { -RECOVERY * contact.gap_m };
                row.offset = row.moved_m();
            }
            self.twists.clear();
            self.twists.resize(bodies.len(), [0.0; 6]);
            self.sweep();
            self.ends.iter_mut().zip(&self.twists).for_each(|(end, change)| *end = end.displaced(change));
            if self.twists.iter().all(|change| halves(change).1.length() < SMALL_TURN_RAD) {
                break;
            }
        }
        // A body that touched nothing keeps its displacement to the last bit.
        for side in self.rows.iter().filter(|row| row.impulse[0] > 0.0).flat_map(|row| row.sides.iter().flatten()) {
            let body = &mut bodies[side.body];
            body.displacement = body.pose.displacement_to(&self.ends[side.body]);
        }
    }

    fn correct_velocities(&mut self, bodies: &mut [ContactBody<'_>], contacts: &[Contact]) {
        self.make_linear(bodies, contacts);
        self.twists.clear();
        self.twists.extend(bodies.iter().map(|body| body.velocity));
        for row in &mut self.rows {
            let carried = row.impulse[0] > 0.0;
            (row.impulse, row.offset) = ([0.0; 3], [0.0; 3]);
            let approach_m_s = row.motion(0, &self.twists);
            let gives_back = approach_m_s < -MIN_BOUNCE_M_S;
            row.target = match (carried, gives_back) {
                (false, _) => f64::NEG_INFINITY,
                (true, true) => -row.surface.restitution * approach_m_s,
                (true, false) => 0.0,
            };
        }
        self.sweep();
        bodies.iter_mut().zip(&self.twists).for_each(|(body, twist)| body.velocity = *twist);
    }

    /// Makes rows again around the end poses and keeps their impulses.
    fn make_linear(&mut self, bodies: &[ContactBody<'_>], contacts: &[Contact]) {
        for (row, contact) in self.rows.iter_mut().zip(contacts) {
            let impulse = row.impulse;
            *row = Row { impulse, ..Row::new(contact, row.surface, bodies, &self.ends) };
        }
    }

    fn sweep(&mut self) {
        for _ in 0..SWEEPS {
            let mut is_settled = true;
            for row in &mut self.rows {
                is_settled &= row.relax(&mut self.twists);
            }
            if is_settled {
                return;
            }
        }
    }
}

impl Row {
    fn new(contact: &Contact, surface: ContactParams, bodies: &[ContactBody<'_>], ends: &[Pose]) -> Self {
        let (first, second) = contact.normal.any_orthonormal_pair();
        let axes = [contact.normal, first, second];
        let side = |body: usize, round: Round, sign: f64| {
            Side::new((body, &bodies[body]), &ends[body], round, axes.map(|axis| axis * sign))
        };
        let other = match contact.touched {
            Touched::Bottom(_) => None,
            Touched::Body(other) => Some(side(other, contact.rounds[1], -1.0)),
        };
        let sides = [Some(side(contact.body, contact.rounds[0], 1.0)), other];
        let between = |a: usize, b: usize| -> f64 {
            sides.iter().flatten().map(|side| dot(&side.jacobian[a], &side.response[b])).sum()
        };
        let (normal_response, tangent_response) = (between(0, 0), [between(1, 1), between(1, 2), between(2, 2)]);
        Self { surface, sides, normal_response, tangent_response, offset: [0.0; 3], target: 0.0, impulse: [0.0; 3] }
    }

    /// How far the two points of the contact have moved apart in the step.
    fn moved_m(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.sides.iter().flatten().map(|side| side.moved_m[axis]).sum())
    }

    /// Present motion along one of the contact's axes.
    fn motion(&self, axis: usize, twists: &[Twist]) -> f64 {
        let change: f64 = self.sides.iter().flatten().map(|side| dot(&side.jacobian[axis], &twists[side.body])).sum();
        self.offset[axis] + change
    }

    /// One visit: first the normal, then both tangents. True if it changed next to nothing.
    fn relax(&mut self, twists: &mut [Twist]) -> bool {
        let before = self.impulse;
        let error = self.target - self.motion(0, twists);
        let normal = (self.impulse[0] + error / self.normal_response).max(0.0);
        if normal == 0.0 && before == [0.0; 3] {
            return true;
        }
        self.push([normal, self.impulse[1], self.impulse[2]], twists);
        let (a, b) = (self.motion(1, twists), self.motion(2, twists));
        let [xx, xy, yy] = self.tangent_response;
        let determinant = xx * yy - xy * xy;
        let x = self.impulse[1] - (yy * a - xy * b) / determinant;
        let y = self.impulse[2] - (xx * b - xy * a) / determinant;
        let (limit, size) = (self.surface.friction * normal, (x * x + y * y).sqrt());
        let share = if size > limit { limit / size } else { 1.0 };
        self.push([normal, x * share, y * share], twists);
        (0..3).all(|axis| (self.impulse[axis] - before[axis]).abs() <= SETTLED * normal)
    }

    /// Changes the impulse to a new one.
    fn push(&mut self, impulse: [f64; 3], twists: &mut [Twist]) {
        for side in self.sides.iter().flatten() {
            for (axis, response) in side.response.iter().enumerate() {
                let change = impulse[axis] - self.impulse[axis];
                twists[side.body].iter_mut().zip(response).for_each(|(x, response)| *x += change * response);
            }
        }
        self.impulse = impulse;
    }
}

impl Side {
    /// A body with a round surface, whose axes are the normal towards it and both tangents.
    fn new((index, body): (usize, &ContactBody<'_>), end: &Pose, round: Round, axes: [DVec3; 3]) -> Self {
        let axis_in_body_m = body.pose.in_body(round.axis_m - body.pose.position_m);
        let arm_m = axis_in_body_m - end.in_body(axes[0]) * round.radius_m;
        let jacobian = axes.map(|axis| {
            let along = end.in_body(axis);
            twist(along, arm_m.cross(along))
        });
        let response = jacobian.map(|row| body.inverse_mass.map(|mass_row| dot(&mass_row, &row)));
        // The axis moves with the body; the surface rolls on, and what touches is always the point below the axis.
        let (_, turn) = halves(&body.pose.displacement_to(end));
        let rolled = (body.pose.world_from_body * turn).cross(-axes[0] * round.radius_m);
        let moved = end.point_m(axis_in_body_m) - round.axis_m + rolled;
        Self { body: index, jacobian, response, moved_m: axes.map(|axis| moved.dot(axis)) }
    }
}

fn dot(a: &Twist, b: &Twist) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
