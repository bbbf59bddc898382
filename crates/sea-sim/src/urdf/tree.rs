//! The tree that joints make of links: its checks, frames and masses.

use super::UrdfError;
use super::structure::{Inertial, Joint, Structure};
use crate::body::RigidMass;
use crate::pose::Pose;
use glam::{DMat3, DVec3};

/// A link in the frame of the root, all joints at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Its number among the links.
    pub link: usize,
    pub pose: Pose,
    /// Number of the joint that it hangs on; none for the root.
    pub joint: Option<usize>,
}

impl Structure {
    /// Refuses links and joints that are not one tree.
    ///
    /// # Errors
    /// Names the links.
    pub(super) fn check_tree(&self) -> Result<(), UrdfError> {
        if self.links.is_empty() {
            return Err(UrdfError::new("the robot has no link"));
        }
        for joint in &self.joints {
            for name in [&joint.parent, &joint.child] {
                if self.link(name).is_none() {
                    return Err(UrdfError::new(format!("joint `{}`: there is no link `{name}`", joint.name)));
                }
            }
        }
        for link in &self.links {
            let above: Vec<&str> = self.joints_to(&link.name).map(|joint| joint.name.as_str()).collect();
            if above.len() > 1 {
                let joints = above.join("`, `");
                return Err(UrdfError::new(format!("link `{}` hangs on several joints: `{joints}`", link.name)));
            }
        }
        let roots: Vec<&str> = self
            .links
            .iter()
            .map(|link| link.name.as_str())
            .filter(|name| self.joints_to(name).next().is_none())
            .collect();
        if roots.len() > 1 {
            return Err(UrdfError::new(format!("several links hang on nothing: `{}`", roots.join("`, `"))));
        }
        self.check_loops()
    }

    /// With one parent a link at most, a link that the root does not reach hangs on a loop.
    fn check_loops(&self) -> Result<(), UrdfError> {
        let reached = self.place_all();
        let lost = |number: &usize| !reached.iter().any(|placed| placed.link == *number);
        let names: Vec<&str> = (0..self.links.len()).filter(lost).map(|n| self.links[n].name.as_str()).collect();
        if names.is_empty() {
            return Ok(());
        }
        Err(UrdfError::new(format!("these links hang on a loop of joints: `{}`", names.join("`, `"))))
    }

    fn joints_to<'a>(&'a self, child: &'a str) -> impl Iterator<Item = &'a Joint> {
        self.joints.iter().filter(move |joint| joint.child == child)
    }

    /// All links that the root reaches, parents before children.
    pub(super) fn place_all(&self) -> Vec<Placed> {
        let root = self.links.iter().position(|link| self.joints_to(&link.name).next().is_none());
        let mut placed: Vec<Placed> =
            root.map(|link| Placed { link, pose: Pose::ORIGIN, joint: None }).into_iter().collect();
        let mut next = 0;
        while let Some(parent) = placed.get(next).copied() {
            next += 1;
            for (number, joint) in self.joints.iter().enumerate() {
                if joint.parent != self.links[parent.link].name {
                    continue;
                }
                let Some(link) = self.links.iter().position(|link| link.name == joint.child) else { continue };
                let pose = composed(&parent.pose, &joint.pose_at(joint.rest()));
                placed.push(Placed { link, pose, joint: Some(number) });
            }
        }
        placed
    }

    /// Mass of placed links as one, about the root's origin and along its axes.
    pub(super) fn mass_of<'a>(&self, links: impl Iterator<Item = &'a Placed>) -> RigidMass {
        let nothing = RigidMass::at(0.0, DVec3::ZERO, DMat3::ZERO);
        links
            .filter_map(|placed| Some((placed, self.links[placed.link].inertial.as_ref()?)))
            .filter(|(_, inertial)| inertial.mass_kg > 0.0)
            .fold(nothing, |sum, (placed, inertial)| sum.plus(&mass_at(&placed.pose, inertial)))
    }
}

/// The frame `inner`, given in the frame `outer`, in the frame that `outer` is given in.
pub(super) fn composed(outer: &Pose, inner: &Pose) -> Pose {
    Pose {
        position_m: outer.point_m(inner.position_m),
        world_from_body: (outer.world_from_body * inner.world_from_body).normalize(),
    }
}

fn mass_at(link: &Pose, inertial: &Inertial) -> RigidMass {
    let frame = composed(link, &inertial.origin.pose());
    let ([xx, yy, zz], [xy, xz, yz]) = (inertial.moments_kg_m2, inertial.products_kg_m2);
    let own = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let turn = DMat3::from_quat(frame.world_from_body);
    RigidMass::at(inertial.mass_kg, frame.position_m, turn * own * turn.transpose())
}

/// Inertia of a mass about its own centre of gravity (Steiner).
pub(super) fn central_inertia(mass: &RigidMass) -> DMat3 {
    let arm = crate::spatial::skew(mass.center_m());
    mass.inertia_kg_m2 + arm * arm * mass.mass_kg
}
