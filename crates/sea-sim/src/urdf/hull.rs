//! What touches of an imported vehicle, as capsules, and what its shapes displace.

use super::UrdfError;
use super::components::Collider;
use super::import::{Importer, ShapePlace};
use super::mesh_file::{mesh_volume_m3, read_mesh};
use super::structure::ShapeKind;
use crate::body::MeshParams;
use crate::contact::{Capsule, capsules_in_box};
use crate::pose::Pose;
use crate::vehicle::CapsuleParams;
use glam::DVec3;
use std::f64::consts::PI;

impl Importer<'_> {
    /// The hull: the colliders of the components, or without any the shapes of the URDF that touch. A box, or a mesh as the box around
    /// it, is up to four capsules along its x axis; a cylinder is the capsule inside it. A mesh that cannot be read is left out.
    pub(super) fn hull(&mut self, own: &[Collider], shapes: &[ShapePlace]) -> Vec<CapsuleParams> {
        let mut hull = Vec::new();
        if own.is_empty() {
            for shape in shapes.iter().filter(|shape| shape.collides) {
                hull.extend(self.touching(&format!("collision of {}", shape.link), &shape.kind, &shape.origin.pose()));
            }
        }
        for (number, collider) in own.iter().enumerate() {
            let name = format!("collider {}", number + 1);
            if let Some(pose) = self.mount_pose(&name, &collider.mount) {
                hull.extend(self.touching(&name, &collider.kind, &pose));
            }
        }
        hull
    }

    fn touching(&mut self, name: &str, kind: &ShapeKind, pose: &Pose) -> Vec<CapsuleParams> {
        let found = self.capsules(kind, pose);
        found.map_err(|error| self.disable(name, error.to_string())).unwrap_or_default()
    }

    fn capsules(&self, kind: &ShapeKind, pose: &Pose) -> Result<Vec<CapsuleParams>, UrdfError> {
        let upright = |radius_m: f64, length_m: f64| {
            let half = DVec3::new(0.0, 0.0, (0.5 * length_m - radius_m).max(0.0));
            vec![Capsule { ends_m: [-half, half], radius_m: radius_m.min(0.5 * length_m) }]
        };
        let capsules = match kind {
            ShapeKind::Box { size_m } => capsules_in_box(*size_m),
            ShapeKind::Cylinder { radius_m, length_m } => upright(*radius_m, *length_m),
            ShapeKind::Capsule { radius_m, length_m } => upright(*radius_m, length_m.max(2.0 * radius_m)),
            ShapeKind::Sphere { radius_m } => vec![Capsule::sphere(DVec3::ZERO, *radius_m)],
            ShapeKind::Mesh { file, scale } => {
                let [least, most] = extent(&self.mesh(file)?, *scale);
                let middle = (least + most) * 0.5;
                let around = capsules_in_box((most - least).to_array());
                around.into_iter().map(|c| Capsule { ends_m: c.ends_m.map(|end| end + middle), ..c }).collect()
            }
        };
        let placed = |c: Capsule| CapsuleParams {
            ends_m: c.ends_m.map(|end| pose.point_m(end).to_array()),
            radius_m: c.radius_m,
        };
        Ok(capsules.into_iter().map(placed).collect())
    }

    /// Volume of a shape, m³.
    pub(super) fn shape_volume_m3(&self, kind: &ShapeKind) -> Result<f64, UrdfError> {
        let ball = |radius_m: f64| 4.0 / 3.0 * PI * radius_m * radius_m * radius_m;
        let tube = |radius_m: f64, length_m: f64| PI * radius_m * radius_m * length_m;
        Ok(match kind {
            ShapeKind::Box { size_m: [length_m, beam_m, height_m] } => length_m * beam_m * height_m,
            ShapeKind::Cylinder { radius_m, length_m } => tube(*radius_m, *length_m),
            ShapeKind::Capsule { radius_m, length_m } => {
                ball(*radius_m) + tube(*radius_m, (length_m - 2.0 * radius_m).max(0.0))
            }
            ShapeKind::Sphere { radius_m } => ball(*radius_m),
            ShapeKind::Mesh { file, scale } => {
                mesh_volume_m3(&self.mesh(file)?, *scale).map_err(|error| of_file(file, &error))?
            }
        })
    }

    fn mesh(&self, file: &str) -> Result<MeshParams, UrdfError> {
        let bytes = (self.read)(file).map_err(|why| UrdfError::new(format!("`{file}` {why}")))?;
        read_mesh(file, &bytes).map_err(|error| of_file(file, &error))
    }
}

fn of_file(file: &str, error: &UrdfError) -> UrdfError {
    UrdfError::new(format!("`{file}`: {error}"))
}

/// The corners of the box around a mesh with factors along its axes.
fn extent(mesh: &MeshParams, scale: [f64; 3]) -> [DVec3; 2] {
    let corners = mesh.vertices_m.iter().map(|&corner| DVec3::from_array(corner) * DVec3::from_array(scale));
    corners.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[least, most], corner| [least.min(corner), most.max(corner)])
}
