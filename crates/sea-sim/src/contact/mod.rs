//! Contact of vehicles with the bottom and with each other, under their full mass matrices.
//!
//! # Method
//! After a step without contact each body has a displacement and a velocity. Contacts are found at the pose where the step began, among all
//! places that the displacement could reach, so that nothing is passed through. Then impulses are found twice, by projected Gauss-Seidel
//! sweeps in a fixed order: for the displacement, so that no gap becomes negative and no friction is overcome that is not, and for the
//! velocity of the contacts that carried load. Both obey Coulomb's law and the body's mass with the water it drags along: a matrix, not a
//! number. Since displacements are corrected too, a body at rest on a slope does not creep.
//!
//! Model, sources and limits: `docs/models/sea-contact.md`.

mod closest;
mod find;
mod hull;
mod law;
mod solve;
mod sweep;

pub use find::{depth_in_bottom_m, hull_distance_m};
pub use hull::{Capsule, Hull, MAX_CAPSULES, capsules_in_box};
pub use law::{ContactLaw, ContactParams, MaterialTable};
pub use sweep::sweep;

use crate::pose::{Pose, Twist, halves};
use crate::terrain::{Material, Terrain};
use sim_core::DVec3;

/// A body at the end of a step that knew no contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactBody<'a> {
    /// Its outline.
    pub hull: &'a Hull,
    /// Pose where the step began.
    pub pose: Pose,
    /// Displacement of the step along and about the body's axes at its beginning, m and rad; what comes out is free of penetration.
    pub displacement: Twist,
    /// Velocity at the end of the step along and about the body's axes, m/s and rad/s; what comes out does not run into anything.
    pub velocity: Twist,
    /// Inverse of the mass matrix, added mass included, about the body's origin and along its axes.
    pub inverse_mass: [[f64; 6]; 6],
}

/// What a body may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// The bottom, of a material.
    Bottom(Material),
    /// Another body, by its place in the list.
    Body(usize),
}

/// A place where two surfaces may meet during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The body, by its place in the list.
    pub body: usize,
    /// What it may touch.
    pub touched: Touched,
    /// Place in the world where the step began, m.
    pub point_m: DVec3,
    /// Unit vector towards the body.
    pub normal: DVec3,
    /// Distance between the surfaces where the step began, m; negative if they overlap.
    pub gap_m: f64,
    /// Impulse on the body along the normal, N s; 0 if the surfaces did not meet.
    pub impulse_n_s: f64,
    /// The two surfaces, the body's first; of the bottom nothing is known but where it is.
    rounds: [Round; 2],
}

/// The round surface of a hull near a contact: a circle about a point of its axis. It rolls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Round {
    /// Point of the axis in the world where the step began, m.
    axis_m: DVec3,
    radius_m: f64,
}

/// Finds contacts and makes bodies obey them. It holds buffers only: dropping it changes no result.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    contacts: Vec<Contact>,
    work: solve::Work,
    neighbours: find::Neighbours,
}

impl ContactSolver {
    /// Corrects the displacements and velocities of bodies, and returns their contacts, nearest places first by body: those with an impulse
    /// touched. The law tells the coefficients of each. It allocates nothing once its buffers have their size.
    pub fn resolve(
        &mut self,
        bodies: &mut [ContactBody<'_>],
        terrain: Option<&Terrain>,
        law: &dyn ContactLaw,
    ) -> &[Contact] {
        self.contacts.clear();
        if let Some(terrain) = terrain {
            for (index, body) in bodies.iter().enumerate() {
                find::bottom(index, body, terrain, |contact| self.contacts.push(contact));
            }
        }
        find::pairs(bodies, &mut self.neighbours, &mut self.contacts);
        if !self.contacts.is_empty() {
            self.work.resolve(bodies, law, &mut self.contacts);
        }
        &self.contacts
    }
}

/// How much farther than without contact a point may come: a rod that is stopped at one end moves one and a half times as fast at the
/// other.
const WHIP: f64 = 2.0;

impl ContactBody<'_> {
    /// Pose where the step ends.
    #[must_use]
    pub fn end_pose(&self) -> Pose {
        self.pose.displaced(&self.displacement)
    }

    /// How far the step may carry any point of the hull, m.
    fn reach_m(&self) -> f64 {
        let (along, about) = halves(&self.displacement);
        WHIP * (along.length() + about.length() * self.hull.radius_m())
    }
}
