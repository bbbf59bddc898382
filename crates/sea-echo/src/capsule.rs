//! Round things that rays meet: spheres and capsules, such as hulls, buoys and ropes.

use crate::ray::Ray;
use sim_core::DVec3;

/// All places within a radius of a piece of line; a sphere if the piece has no length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Ends of the piece of line, m.
    pub ends_m: [DVec3; 2],
    /// Radius, m.
    pub radius_m: f64,
}

/// Square of the sine of the angle between a ray and an axis below which only the caps are met.
const ALONG_AXIS: f64 = 1e-20;

impl Capsule {
    /// From which distance to which a line along a ray is inside, m, before and behind the ray's ends too; none if it passes by.
    ///
    /// The capsule is the union of a tube and two spheres. It is convex, so that the distances inside are from the least entry to the
    /// largest exit.
    #[must_use]
    pub fn span_m(&self, ray: &Ray) -> Option<[f64; 2]> {
        let [first, second] = self.ends_m;
        let spans = [self.tube_span_m(ray), self.sphere_span_m(ray, first), self.sphere_span_m(ray, second)];
        let union = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
        spans.into_iter().flatten().reduce(union)
    }

    /// Distance to the first place of its skin along a ray, m: from inside too; none if the ray ends before or passes by.
    #[must_use]
    pub fn cast(&self, ray: &Ray) -> Option<f64> {
        let [enters_m, leaves_m] = self.span_m(ray)?;
        let distance_m = if enters_m >= 0.0 { enters_m } else { leaves_m };
        (distance_m >= 0.0 && distance_m <= ray.length_m()).then_some(distance_m)
    }

    /// The place of its axis that is nearest to a place, m.
    #[must_use]
    pub fn nearest_on_axis_m(&self, place_m: DVec3) -> DVec3 {
        let [first, second] = self.ends_m;
        let axis = second - first;
        let squared = axis.length_squared();
        let share = if squared > 0.0 { ((place_m - first).dot(axis) / squared).clamp(0.0, 1.0) } else { 0.0 };
        first + axis * share
    }

    fn sphere_span_m(&self, ray: &Ray, center_m: DVec3) -> Option<[f64; 2]> {
        let from_center = ray.origin_m() - center_m;
        let middle_m = -from_center.dot(ray.direction());
        let beside = from_center + ray.direction() * middle_m;
        let squared = self.radius_m * self.radius_m - beside.length_squared();
        (squared >= 0.0).then(|| [middle_m - squared.sqrt(), middle_m + squared.sqrt()])
    }

    /// The part of the line in the tube between both ends.
    fn tube_span_m(&self, ray: &Ray) -> Option<[f64; 2]> {
        let [first, second] = self.ends_m;
        let length_m = first.distance(second);
        let axis = (second - first) / length_m;
        let from_first = ray.origin_m() - first;
        let (way, start) = (ray.direction(), from_first.dot(axis));
        let (along, across) = (way.dot(axis), way - axis * way.dot(axis));
        let slant = across.length_squared();
        // An axis without a length has no direction.
        if slant.is_nan() || slant < ALONG_AXIS {
            return None;
        }
        let beside = from_first - axis * start;
        let middle_m = -beside.dot(across) / slant;
        let squared = (self.radius_m * self.radius_m - (beside + across * middle_m).length_squared()) / slant;
        if squared < 0.0 {
            return None;
        }
        let ends = [0.0, length_m].map(|end_m| (end_m - start) / along);
        let (from, to) = if along == 0.0 {
            if !(0.0..=length_m).contains(&start) {
                return None;
            }
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (ends[0].min(ends[1]), ends[0].max(ends[1]))
        };
        let span = [from.max(middle_m - squared.sqrt()), to.min(middle_m + squared.sqrt())];
        (span[0] <= span[1]).then_some(span)
    }
}
