//! Surfaces of triangles in any order, such as wrecks and hulls.

mod file;
pub use file::check_file_bytes;
mod tree;

use crate::bounds::Bounds;
use crate::ray::{Hit, Ray, check_place};
use crate::surface::Surface;
use sim_core::{DVec3, ParamError};
use tree::Tree;

/// Most triangles of a mesh, and most corners of one.
pub const MAX_TRIANGLES: usize = 20_000_000;
/// Largest mesh file, bytes.
pub const MAX_FILE_BYTES: u64 = 2_000_000_000;

/// Corners and triangles. Files: [`MeshParams::from_obj`], [`MeshParams::from_stl`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshParams {
    /// Corners, m, each coordinate from -1e7 to 1e7.
    pub vertices_m: Vec<DVec3>,
    /// The three corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A checked mesh in a tree of boxes.
#[derive(Clone, Debug)]
pub struct TriangleMesh {
    params: MeshParams,
    tree: Tree,
    bounds: Bounds,
}

impl MeshParams {
    /// Refuses a surface with a hole, or with triangles that are turned the other way than their neighbours.
    ///
    /// # Errors
    /// If an edge is not passed as often in one direction as in the other: with the number of such edges and the ends of one.
    pub fn check_closed(&self) -> Result<(), ParamError> {
        self.check()?;
        let edge = |[a, b]: [u32; 2]| ([a.min(b), a.max(b)], if a < b { 1 } else { -1 });
        let edges_of = |&[a, b, c]: &[u32; 3]| [edge([a, b]), edge([b, c]), edge([c, a])];
        let mut edges: Vec<([u32; 2], i32)> = self.triangles.iter().flat_map(edges_of).collect();
        edges.sort_unstable();
        let mut open = edges
            .chunk_by(|one, other| one.0 == other.0)
            .filter(|same| same.iter().map(|(_, direction)| direction).sum::<i32>() != 0);
        let Some(first) = open.next() else { return Ok(()) };
        let [from, to] = first[0].0.map(|corner| self.vertices_m[corner as usize]);
        let message = format!("has {} open edges, one from {from} to {to}: must be closed", 1 + open.count());
        Err(ParamError::new("triangles", message))
    }

    fn check(&self) -> Result<(), ParamError> {
        let Self { vertices_m, triangles } = self;
        if triangles.is_empty() {
            return Err(ParamError::new("triangles", "has no triangle, must have 1 or more"));
        }
        for (field, count) in [("triangles", triangles.len()), ("vertices_m", vertices_m.len())] {
            if count > MAX_TRIANGLES {
                return Err(ParamError::new(field, format!("has {count} entries, must have at most {MAX_TRIANGLES}")));
            }
        }
        vertices_m.iter().try_for_each(|&vertex_m| check_place("vertices_m", vertex_m))?;
        let is_wrong = |corners: &[u32; 3]| corners.iter().any(|&corner| corner as usize >= vertices_m.len());
        if let Some(triangle) = triangles.iter().position(is_wrong) {
            let message = format!(
                "has the corners {:?} in triangle {triangle}, must be below {}",
                triangles[triangle],
                vertices_m.len()
            );
            return Err(ParamError::new("triangles", message));
        }
        Ok(())
    }
}

impl TriangleMesh {
    /// Checks a mesh and builds its tree. It may be open.
    ///
    /// # Errors
    /// If there is no triangle, there are more than 2e7 triangles or corners, a coordinate is not from -1e7 to 1e7 m, or a triangle names a
    /// corner that is not there.
    pub fn new(params: MeshParams) -> Result<Self, ParamError> {
        params.check()?;
        let corners = |corners: &[u32; 3]| corners.map(|corner| params.vertices_m[corner as usize]);
        let boxes: Vec<Bounds> = params.triangles.iter().map(|triangle| Bounds::around(corners(triangle))).collect();
        let tree = Tree::new(&boxes);
        Ok(Self { bounds: tree.bounds(), tree, params })
    }

    /// What was given.
    #[must_use]
    pub fn params(&self) -> &MeshParams {
        &self.params
    }

    /// Middle and radius of a sphere around it, m.
    pub(crate) fn sphere(&self) -> (DVec3, f64) {
        let Bounds { low_m, high_m } = self.bounds;
        (low_m.midpoint(high_m), 0.5 * low_m.distance(high_m))
    }

    /// The nearest of the triangles within a distance of a ray, m, given the distance to each.
    pub(crate) fn cast_wider(&self, ray: &Ray, wider_m: f64, meet: impl Fn(u32) -> Option<f64>) -> Option<Hit> {
        self.tree.cast(ray, wider_m + self.bounds.slack_m(ray.origin_m), meet)
    }
}

impl Surface for TriangleMesh {
    fn triangle_count(&self) -> u32 {
        self.params.triangles.len() as u32
    }

    fn corners_m(&self, triangle: u32) -> [DVec3; 3] {
        self.params.triangles[triangle as usize].map(|corner| self.params.vertices_m[corner as usize])
    }

    fn cast(&self, ray: &Ray) -> Option<Hit> {
        self.cast_wider(ray, 0.0, |triangle| ray.meets(self.corners_m(triangle)))
    }
}
