//! Polygons that stand on the mat. Nothing may enter them: not robots, not feet, not points of interest.
//!
//! A ring of corners is all that is known of one. Distances are those from its edges, and 0 inside, so rings need not be convex. A place
//! outside that stays farther than half a step from every edge cannot get inside between two steps.

use sim_core::{DVec2, Rect};

/// A closed ring of at least three corners that does not cross itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// With the inside to the left of each edge, as y runs up; mm.
    corners_mm: Vec<DVec2>,
    extent: Rect,
}

/// Twice the area of a ring, mm^2; positive if it turns from +x towards +y.
#[must_use]
pub fn twice_area_mm2(corners_mm: &[DVec2]) -> f64 {
    edges_of(corners_mm).map(|[from, to]| from.perp_dot(to)).sum()
}

/// Edges of a ring, each from a corner to the next one.
fn edges_of(corners_mm: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> + '_ {
    let next = corners_mm.iter().skip(1).chain(corners_mm.first());
    corners_mm.iter().zip(next).map(|(&from, &to)| [from, to])
}

/// The first two edges of a ring, by number, that cross or touch although they are not neighbours.
#[must_use]
pub fn crossing(corners_mm: &[DVec2]) -> Option<[usize; 2]> {
    let edges: Vec<[DVec2; 2]> = edges_of(corners_mm).collect();
    let count = edges.len();
    (0..count).find_map(|i| {
        let others = (i + 2..count).filter(|j| (j + 1) % count != i);
        others.into_iter().find(|&j| do_cross(edges[i], edges[j])).map(|j| [i, j])
    })
}

/// True if two segments have a point in common.
fn do_cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let (abc, abd, cda, cdb) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if (abc > 0.0) != (abd > 0.0) && (cda > 0.0) != (cdb > 0.0) {
        return true;
    }
    let touches = |p: DVec2, from: DVec2, to: DVec2| nearest_on(from, to, p).distance_squared(p) == 0.0;
    touches(a, c, d) || touches(b, c, d) || touches(c, a, b) || touches(d, a, b)
}

/// Point of a segment that is nearest to `p`.
#[inline]
fn nearest_on(from: DVec2, to: DVec2, p: DVec2) -> DVec2 {
    let way = to - from;
    let length2 = way.length_squared();
    let share = if length2 > 0.0 { ((p - from).dot(way) / length2).clamp(0.0, 1.0) } else { 0.0 };
    from + way * share
}

impl Ring {
    /// A ring from corners in either sense.
    #[must_use]
    pub fn new(mut corners_mm: Vec<DVec2>) -> Self {
        if twice_area_mm2(&corners_mm) < 0.0 {
            corners_mm.reverse();
        }
        let first = corners_mm.first().copied().unwrap_or_default();
        let around = |extent: Rect, p: &DVec2| Rect { min: extent.min.min(*p), max: extent.max.max(*p) };
        let extent = corners_mm.iter().fold(Rect { min: first, max: first }, around);
        Self { corners_mm, extent }
    }

    /// Its corners, mm.
    #[must_use]
    pub fn corners_mm(&self) -> &[DVec2] {
        &self.corners_mm
    }

    /// Its area, mm^2.
    #[must_use]
    pub fn area_mm2(&self) -> f64 {
        0.5 * twice_area_mm2(&self.corners_mm)
    }

    /// Its edges, with the outside to the right, mm; seen with y downwards, they run clockwise.
    pub fn edges_mm(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        edges_of(&self.corners_mm)
    }

    /// True if `p` lies inside: a ray from it crosses the edges an odd number of times.
    #[must_use]
    pub fn contains(&self, p: DVec2) -> bool {
        let crossed =
            |[a, b]: &[DVec2; 2]| (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y);
        self.extent.contains(p) && self.edges_mm().filter(crossed).count() % 2 == 1
    }

    /// The nearest point on the edges, mm, and the direction out of the ring there.
    fn nearest(&self, p: DVec2) -> (DVec2, DVec2) {
        let mut best = (DVec2::INFINITY, DVec2::X);
        for [from, to] in self.edges_mm() {
            let q = nearest_on(from, to, p);
            if q.distance_squared(p) < best.0.distance_squared(p) {
                best = (q, (from - to).perp().normalize_or_zero());
            }
        }
        best
    }

    /// The point of each edge that is nearest to `p`, mm.
    pub fn nearest_of_edges_mm(&self, p: DVec2) -> impl Iterator<Item = DVec2> + '_ {
        self.edges_mm().map(move |[from, to]| nearest_on(from, to, p))
    }

    /// Distance of `p` from the ring, mm; 0 inside.
    fn distance_mm(&self, p: DVec2) -> f64 {
        if self.contains(p) { 0.0 } else { self.nearest(p).0.distance(p) }
    }

    /// The place nearest to `p` at `distance_mm` from the nearest edge, if `p` is nearer or inside.
    #[must_use]
    pub fn push_out_mm(&self, p: DVec2, distance_mm: f64) -> Option<DVec2> {
        if self.extent.outside_mm(p) >= distance_mm {
            return None;
        }
        let (edge_mm, outwards) = self.nearest(p);
        let off = p - edge_mm;
        let length = off.length();
        let is_inside = self.contains(p);
        if !is_inside && length >= distance_mm {
            return None;
        }
        let away = if length < 1e-9 { outwards } else { off * (if is_inside { -1.0 } else { 1.0 } / length) };
        Some(edge_mm + away * distance_mm)
    }

    /// Distance of the way from `from` to `to` from the ring, mm; 0 if it enters it.
    fn way_distance_mm(&self, from: DVec2, to: DVec2) -> f64 {
        if self.contains(from) || self.edges_mm().any(|edge| do_cross(edge, [from, to])) {
            return 0.0;
        }
        // Two segments that do not cross are nearest at an end of one of them.
        let ends = |[a, b]: [DVec2; 2]| {
            let of_way = [a, b].map(|p| nearest_on(from, to, p).distance_squared(p));
            let of_edge = [from, to].map(|p| nearest_on(a, b, p).distance_squared(p));
            of_way.into_iter().chain(of_edge).fold(f64::INFINITY, f64::min)
        };
        self.edges_mm().map(ends).fold(f64::INFINITY, f64::min).sqrt()
    }
}

/// All that stands on the mat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Obstacles {
    rings: Vec<Ring>,
}

impl Obstacles {
    /// Obstacles with these rings.
    #[must_use]
    pub fn new(rings: Vec<Ring>) -> Self {
        Self { rings }
    }

    /// True if nothing stands on the mat.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rings.is_empty()
    }

    /// The rings.
    #[must_use]
    pub fn rings(&self) -> &[Ring] {
        &self.rings
    }

    /// The rings that come nearer than `distance_mm` to a place, perhaps, by number.
    pub fn near(&self, p: DVec2, distance_mm: f64) -> impl Iterator<Item = u32> + '_ {
        let is_near = move |ring: &Ring| ring.extent.outside_mm(p) < distance_mm;
        self.rings.iter().enumerate().filter(move |(_, ring)| is_near(ring)).map(|(number, _)| number as u32)
    }

    /// Distance of `p` from the nearest of them, mm; 0 inside, infinite if there is none.
    #[must_use]
    pub fn distance_mm(&self, p: DVec2) -> f64 {
        self.rings.iter().map(|ring| ring.distance_mm(p)).fold(f64::INFINITY, f64::min)
    }

    /// True if `p` is at least `distance_mm` from all of them.
    #[must_use]
    pub fn is_clear(&self, p: DVec2, distance_mm: f64) -> bool {
        self.rings.iter().all(|ring| ring.extent.outside_mm(p) >= distance_mm || ring.distance_mm(p) >= distance_mm)
    }

    /// Distance of the straight way between two places from the nearest of them, mm; 0 if it enters one.
    #[must_use]
    pub fn way_distance_mm(&self, from: DVec2, to: DVec2) -> f64 {
        self.rings.iter().map(|ring| ring.way_distance_mm(from, to)).fold(f64::INFINITY, f64::min)
    }

    /// True if the straight way between two places stays at least `distance_mm` from all of them.
    #[must_use]
    pub fn is_way_clear(&self, from: DVec2, to: DVec2, distance_mm: f64) -> bool {
        let way = Rect { min: from.min(to), max: from.max(to) }.inset(-distance_mm);
        let is_far = |extent: Rect| {
            extent.min.x > way.max.x || extent.max.x < way.min.x || extent.min.y > way.max.y || extent.max.y < way.min.y
        };
        self.rings.iter().all(|ring| is_far(ring.extent) || ring.way_distance_mm(from, to) >= distance_mm)
    }

    /// `p`, moved off every ring that is nearer than `distance_mm`, one after the other.
    #[must_use]
    pub fn push_out_mm(&self, p: DVec2, distance_mm: f64) -> DVec2 {
        self.rings.iter().fold(p, |p, ring| ring.push_out_mm(p, distance_mm).unwrap_or(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ring(corners: &[(f64, f64)]) -> Ring {
        Ring::new(corners.iter().map(|&corner| corner.into()).collect())
    }

    /// An L of 300 x 300 mm whose legs are 100 mm wide.
    fn l_shape() -> Ring {
        ring(&[(0.0, 0.0), (300.0, 0.0), (300.0, 100.0), (100.0, 100.0), (100.0, 300.0), (0.0, 300.0)])
    }

    #[test]
    fn distances_of_an_l_by_hand() {
        let l = Obstacles::new(vec![l_shape()]);
        let at = |x, y| l.distance_mm(DVec2::new(x, y));
        assert_eq!([at(50.0, 50.0), at(250.0, 50.0), at(200.0, 150.0), at(130.0, 160.0)], [0.0, 0.0, 50.0, 30.0]);
        assert_eq!([at(303.0, -4.0), at(-7.0, 100.0), at(340.0, 130.0)], [5.0, 7.0, 50.0]);
        assert_eq!(l.rings()[0].area_mm2(), 50_000.0);
    }

    #[test]
    fn ways_through_it_are_not_clear() {
        let l = Obstacles::new(vec![l_shape()]);
        let way = |a: (f64, f64), b: (f64, f64)| l.way_distance_mm(a.into(), b.into());
        assert_eq!(way((200.0, -50.0), (200.0, 150.0)), 0.0);
        assert_eq!(way((130.0, 130.0), (300.0, 130.0)), 30.0);
        // From leg to leg past the inner corner, whose distance from the line x + y = 260 is 60 / sqrt 2.
        assert!((way((110.0, 150.0), (150.0, 110.0)) - 10.0).abs() < 1e-12);
        assert!(l.is_way_clear(DVec2::new(130.0, 130.0), DVec2::new(300.0, 130.0), 30.0));
        assert!(!l.is_way_clear(DVec2::new(130.0, 130.0), DVec2::new(300.0, 130.0), 30.1));
    }

    #[test]
    fn rings_that_cross_themselves_are_found() {
        let corners = |list: &[(f64, f64)]| list.iter().map(|&corner| DVec2::from(corner)).collect::<Vec<_>>();
        assert_eq!(crossing(&corners(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)])), Some([0, 2]));
        assert_eq!(crossing(l_shape().corners_mm()), None);
        assert_eq!(crossing(&corners(&[(0.0, 0.0), (10.0, 0.0), (5.0, 8.0)])), None);
        assert_eq!(twice_area_mm2(&corners(&[(0.0, 0.0), (10.0, 0.0), (0.0, 8.0)])), 80.0);
    }

    proptest! {
        /// What is pushed out keeps the distance from the edge that it was nearest to, and is no longer inside; a place that is clear
        /// is left alone.
        #[test]
        fn pushed_places_are_clear(x in -60.0..360.0, y in -60.0..360.0, distance in 0.5..40.0) {
            let square = ring(&[(100.0, 100.0), (100.0, 200.0), (250.0, 200.0), (250.0, 100.0)]);
            let (p, obstacles) = (DVec2::new(x, y), Obstacles::new(vec![square]));
            let pushed = obstacles.push_out_mm(p, distance);
            prop_assert!(obstacles.distance_mm(pushed) >= distance - 1e-9);
            prop_assert!(!obstacles.is_clear(p, distance) || pushed == p);
        }

        /// The distance of a way is the least distance of its places, looked at every tenth of a percent.
        #[test]
        fn distance_of_a_way(ax in -50.0..350.0, ay in -50.0..350.0, bx in -50.0..350.0, by in -50.0..350.0) {
            let l = Obstacles::new(vec![l_shape()]);
            let (a, b) = (DVec2::new(ax, ay), DVec2::new(bx, by));
            let least = (0..=1000).map(|i| l.distance_mm(a.lerp(b, f64::from(i) / 1000.0))).fold(f64::INFINITY, f64::min);
            let found = l.way_distance_mm(a, b);
            prop_assert!(found <= least + 1e-9 && least - found <= a.distance(b) / 2000.0 + 1e-9, "{found} {least}");
        }
    }
}
