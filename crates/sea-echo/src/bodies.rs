//! Things that move between pings: hulls and ropes as capsules, and meshes on vehicles.

use crate::capsule::Capsule;
use crate::fan::Fan;
use crate::material::Material;
use crate::mesh::TriangleMesh;
use crate::ray::{Hit, Ray};
use crate::surface::Surface;
use sim_core::{DQuat, DVec3};
use std::sync::Arc;

/// Share of a length that roundings of a ray may move it by, at most.
const ROUNDING: f64 = 1e-9;

/// The form of a body, where it is now.
#[derive(Clone, Debug)]
pub enum BodyShape {
    /// A capsule in the world.
    Capsule(Capsule),
    /// A mesh, at a place in the world, m, and turned by a rotation of length 1 from its axes to the world's.
    Mesh(Arc<TriangleMesh>, DVec3, DQuat),
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its form.
    pub shape: BodyShape,
    /// What it is made of.
    pub material: Material,
    /// Number of the vehicle that it belongs to: sonars of that vehicle do not meet it. None: it belongs to no vehicle.
    pub owner: Option<u32>,
    /// Number by which tables tell it apart.
    pub instance: u32,
}

/// Bodies in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Each body with the number of its first triangle; a capsule counts as one.
    list: Vec<(u32, Body)>,
    count: u32,
}

impl Bodies {
    /// Removes all bodies and keeps the memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.count = 0;
    }

    /// Adds a body behind the others. Numbers of triangles beyond 4 294 967 295 are not told apart.
    pub fn push(&mut self, body: Body) {
        let triangles = match &body.shape {
            BodyShape::Capsule(_) => 1,
            BodyShape::Mesh(mesh, ..) => mesh.triangle_count(),
        };
        self.list.push((self.count, body));
        self.count = self.count.saturating_add(triangles);
    }

    /// The body that a triangle is part of, counted from the first body, and its number in that body.
    ///
    /// # Panics
    /// If there is no body.
    #[must_use]
    pub fn part_of(&self, triangle: u32) -> (&Body, u32) {
        let (first, body) = &self.list[self.list.partition_point(|&(first, _)| first <= triangle) - 1];
        (body, triangle - first)
    }
}

/// A fixed surface with bodies before it, as the sonars of one vehicle meet them. Triangles of bodies count behind those of the surface.
#[derive(Clone, Copy, Debug)]
pub struct WithBodies<'a, S: Surface> {
    /// What does not move.
    pub fixed: &'a S,
    /// What moves.
    pub bodies: &'a Bodies,
    /// The vehicle whose bodies are left out.
    pub own: u32,
    /// Height of the still surface, m: what is above it is not met, and nothing is from above it.
    pub surface_z_m: f64,
}

impl<S: Surface> WithBodies<'_, S> {
    fn bodies(&self) -> impl Iterator<Item = &(u32, Body)> {
        self.bodies.list.iter().filter(|(_, body)| body.owner != Some(self.own))
    }

    /// The body of a triangle, and its number in that body; none for one of the fixed surface.
    #[must_use]
    pub fn body_of(&self, triangle: u32) -> Option<(&Body, u32)> {
        triangle.checked_sub(self.fixed.triangle_count()).map(|behind| self.bodies.part_of(behind))
    }

    /// Keeps the nearer of what a ray has met and a body.
    fn cast_body(&self, (first, body): &(u32, Body), ray: &Ray, best: &mut Option<Hit>) {
        let first = self.fixed.triangle_count() + first;
        let rises = ray.direction().z;
        let depth_m = self.surface_z_m - ray.origin_m().z;
        let is_in_water = |hit: &Hit| depth_m >= 0.0 && rises * hit.distance_m <= depth_m;
        if let Some(hit) = body.shape.cast(ray).filter(is_in_water) {
            Hit::keep_nearer(best, Some(hit.distance_m), first + hit.triangle);
        }
    }
}

impl BodyShape {
    /// Where a ray meets it first.
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        match self {
            Self::Capsule(capsule) => capsule.cast(ray).map(|distance_m| Hit { distance_m, triangle: 0 }),
            Self::Mesh(mesh, place_m, world_from_mesh) => {
                let back = world_from_mesh.conjugate();
                let origin_m = back * (ray.origin_m() - *place_m);
                mesh.cast(&Ray::new(origin_m, back * ray.direction(), ray.length_m()).ok()?)
            }
        }
    }

    /// Middle and radius of a sphere around it, m.
    fn sphere(&self) -> (DVec3, f64) {
        match self {
            Self::Capsule(Capsule { ends_m: [first, second], radius_m }) => {
                (first.midpoint(*second), 0.5 * first.distance(*second) + radius_m)
            }
            Self::Mesh(mesh, place_m, world_from_mesh) => {
                let (middle_m, radius_m) = mesh.sphere();
                (*place_m + *world_from_mesh * middle_m, radius_m)
            }
        }
    }

    /// Whether rays of a fan may meet it.
    fn is_near(&self, fan: &Fan) -> bool {
        let Some(ray) = fan.rays().first() else { return false };
        let (middle_m, radius_m) = self.sphere();
        let way_m = middle_m - ray.origin_m();
        let reach_m = ray.length_m() + radius_m;
        let is_in_plane = || way_m.dot(fan.normal()).abs() <= radius_m + ROUNDING * (1.0 + reach_m);
        way_m.length() <= reach_m * (1.0 + ROUNDING) && is_in_plane()
    }
}

/// Whether the line along a ray may meet a sphere, given by its middle and radius. The radius is taken larger than it is, so that rounding
/// leaves none out.
#[inline]
fn passes_near(ray: &Ray, (middle_m, radius_m): (DVec3, f64)) -> bool {
    let way_m = middle_m - ray.origin_m();
    let (squared, along_m) = (way_m.length_squared(), way_m.dot(ray.direction()));
    let near_m = 1.001 * radius_m + 1e-6 * (1.0 + ray.length_m());
    squared - along_m * along_m <= near_m * near_m
}

impl<S: Surface> Surface for WithBodies<'_, S> {
    fn triangle_count(&self) -> u32 {
        self.fixed.triangle_count().saturating_add(self.bodies.count)
    }

    /// Of a capsule the ends of its axis, the first one twice.
    fn corners_m(&self, triangle: u32) -> [DVec3; 3] {
        match self.body_of(triangle).map(|(body, own)| (&body.shape, own)) {
            None => self.fixed.corners_m(triangle),
            Some((BodyShape::Capsule(Capsule { ends_m: [first, second], .. }), _)) => [*first, *second, *first],
            Some((BodyShape::Mesh(mesh, place_m, turn), own)) => {
                mesh.corners_m(own).map(|corner_m| *place_m + *turn * corner_m)
            }
        }
    }

    fn cast(&self, ray: &Ray) -> Option<Hit> {
        let mut best = self.fixed.cast(ray);
        self.bodies().for_each(|body| self.cast_body(body, ray, &mut best));
        best
    }

    fn cast_fan(&self, fan: &Fan, hits: &mut [Option<Hit>]) {
        self.fixed.cast_fan(fan, hits);
        for body in self.bodies().filter(|(_, body)| body.shape.is_near(fan)) {
            let sphere = body.1.shape.sphere();
            let near = fan.rays().iter().zip(&mut *hits).filter(|(ray, _)| passes_near(ray, sphere));
            near.for_each(|(ray, hit)| self.cast_body(body, ray, hit));
        }
    }

    fn normal_at(&self, triangle: u32, place_m: DVec3) -> DVec3 {
        match self.body_of(triangle).map(|(body, own)| (&body.shape, own)) {
            None => self.fixed.normal_at(triangle, place_m),
            Some((BodyShape::Capsule(capsule), _)) => {
                (place_m - capsule.nearest_on_axis_m(place_m)).normalize_or(DVec3::Z)
            }
            Some((BodyShape::Mesh(mesh, _, turn), own)) => *turn * mesh.normal(own),
        }
    }

    fn is_round(&self, triangle: u32) -> bool {
        self.body_of(triangle).is_some_and(|(body, _)| matches!(body.shape, BodyShape::Capsule(_)))
    }
}
