//! What rays meet.

use crate::fan::Fan;
use crate::ray::{Hit, Ray};
use sim_core::DVec3;
use std::fmt::Debug;
use std::sync::Arc;

/// Numbered triangles.
pub trait Surface: Debug + Send + Sync {
    /// Number of triangles.
    fn triangle_count(&self) -> u32;

    /// Corners of a triangle, m, counter-clockwise seen from outside or from above.
    fn corners_m(&self, triangle: u32) -> [DVec3; 3];

    /// The first triangle that a ray meets, from either side; of several at one distance that of the smallest number.
    fn cast(&self, ray: &Ray) -> Option<Hit>;

    /// [`Surface::cast`] for each ray of a fan, to the bit. Rays beyond the end of `hits` are left out.
    fn cast_fan(&self, fan: &Fan, hits: &mut [Option<Hit>]) {
        for (ray, hit) in fan.rays().iter().zip(hits) {
            *hit = self.cast(ray);
        }
    }

    /// Unit vector that stands on a triangle, outwards or upwards; not a number for one without an area.
    fn normal(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.corners_m(triangle);
        (b - a).cross(c - a).normalize()
    }

    /// The same where a ray met it, at a place in the world, m: round things count as one triangle, whose normal depends on the place.
    fn normal_at(&self, triangle: u32, place_m: DVec3) -> DVec3 {
        let _ = place_m;
        self.normal(triangle)
    }

    /// Whether the normal depends on the place.
    fn is_round(&self, triangle: u32) -> bool {
        let _ = triangle;
        false
    }
}

/// A surface behind a pointer.
macro_rules! behind_pointer {
    ($($pointer:ty),*) => {
        $(impl<S: Surface + ?Sized> Surface for $pointer {
            fn triangle_count(&self) -> u32 {
                (**self).triangle_count()
            }

            fn corners_m(&self, triangle: u32) -> [DVec3; 3] {
                (**self).corners_m(triangle)
            }

            fn cast(&self, ray: &Ray) -> Option<Hit> {
                (**self).cast(ray)
            }

            fn cast_fan(&self, fan: &Fan, hits: &mut [Option<Hit>]) {
                (**self).cast_fan(fan, hits);
            }

            fn normal_at(&self, triangle: u32, place_m: DVec3) -> DVec3 {
                (**self).normal_at(triangle, place_m)
            }

            fn is_round(&self, triangle: u32) -> bool {
                (**self).is_round(triangle)
            }
        })*
    };
}

behind_pointer!(&S, Arc<S>);
