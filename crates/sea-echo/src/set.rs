//! Several surfaces as one, such as a bottom with wrecks on it.

use crate::fan::Fan;
use crate::ray::{Hit, Ray};
use crate::surface::Surface;
use sim_core::{DVec3, ParamError};

/// Surfaces whose triangles count one surface after the other.
#[derive(Clone, Debug)]
pub struct SurfaceSet<S: Surface> {
    /// Each surface with the number of its first triangle.
    parts: Vec<(u32, S)>,
    count: u32,
}

impl<S: Surface> SurfaceSet<S> {
    /// One or more surfaces. The first is met by whole fans at once, the others ray by ray: the bottom comes first.
    ///
    /// # Errors
    /// If there is no surface, or they have more than 4 294 967 295 triangles together.
    pub fn new(surfaces: impl IntoIterator<Item = S>) -> Result<Self, ParamError> {
        let mut set = Self { parts: Vec::new(), count: 0 };
        for surface in surfaces {
            let count = set.count.checked_add(surface.triangle_count());
            set.parts.push((set.count, surface));
            set.count = count.ok_or_else(|| ParamError::new("surfaces", "have more than 4294967295 triangles"))?;
        }
        if set.parts.is_empty() {
            return Err(ParamError::new("surfaces", "has no surface, must have 1 or more"));
        }
        Ok(set)
    }

    /// Which of the surfaces a triangle is part of, and its number in that surface.
    #[must_use]
    pub fn part_of(&self, triangle: u32) -> (usize, u32) {
        let part = self.parts.partition_point(|&(first, _)| first <= triangle) - 1;
        (part, triangle - self.parts[part].0)
    }

    /// Keeps the nearest of what a ray has met and what it meets of the surfaces behind the first so many.
    fn cast_behind(&self, skipped: usize, ray: &Ray, best: &mut Option<Hit>) {
        for (first, surface) in &self.parts[skipped..] {
            if let Some(Hit { distance_m, triangle }) = surface.cast(ray) {
                Hit::keep_nearer(best, Some(distance_m), first + triangle);
            }
        }
    }
}

impl<S: Surface> Surface for SurfaceSet<S> {
    fn triangle_count(&self) -> u32 {
        self.count
    }

    fn corners_m(&self, triangle: u32) -> [DVec3; 3] {
        let (part, triangle) = self.part_of(triangle);
        self.parts[part].1.corners_m(triangle)
    }

    fn cast(&self, ray: &Ray) -> Option<Hit> {
        let mut best = None;
        self.cast_behind(0, ray, &mut best);
        best
    }

    fn cast_fan(&self, fan: &Fan, hits: &mut [Option<Hit>]) {
        self.parts[0].1.cast_fan(fan, hits);
        fan.rays().iter().zip(hits).for_each(|(ray, hit)| self.cast_behind(1, ray, hit));
    }

    fn normal_at(&self, triangle: u32, place_m: DVec3) -> DVec3 {
        let (part, triangle) = self.part_of(triangle);
        self.parts[part].1.normal_at(triangle, place_m)
    }

    fn is_round(&self, triangle: u32) -> bool {
        let (part, triangle) = self.part_of(triangle);
        self.parts[part].1.is_round(triangle)
    }
}
