//! Where feet may be.

use sim_core::{DVec2, Rect};

/// Where the centre of a foot may be (reading A12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Travel {
    /// At least `core_inset_mm` from every edge of the mat: no robot can be trapped.
    #[default]
    Core,
    /// Anywhere but in the squares of side `core_inset_mm` at the mat's corners.
    Edge,
    /// Anywhere on the mat.
    Full,
}

/// The set of places that a foot's centre may take: a rectangle, or a cross made of two bands (reading A12 of the spec).
///
/// `core`: the mat with every side moved in. `edge`: the mat without its four corner squares, so a foot can touch the middle of an edge
/// but never closes a corner off. `full`: the whole mat. Each is the union of two overlapping rectangles, the same one twice where one is
/// enough. Every straight line between two places of one rectangle stays inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    parts: [Rect; 2],
}

impl Domain {
    /// The domain of a travel profile; `inset_mm` is the distance of `core` from the mat's edge and the side of the corner
    /// squares of `edge`.
    #[must_use]
    pub fn new(travel: Travel, mat: Rect, inset_mm: f64) -> Self {
        let inset = DVec2::splat(inset_mm);
        let parts = match travel {
            Travel::Core => [mat.inset(inset_mm); 2],
            Travel::Full => [mat; 2],
            Travel::Edge => {
                let (dx, dy) = (DVec2::new(inset.x, 0.0), DVec2::new(0.0, inset.y));
                [Rect { min: mat.min + dy, max: mat.max - dy }, Rect { min: mat.min + dx, max: mat.max - dx }]
            }
        };
        Self { parts }
    }

    /// The same domain with a rim of `margin_mm` taken off: a disc of that radius round any of its points lies in the domain.
    #[must_use]
    pub fn shrunk(self, margin_mm: f64) -> Self {
        Self { parts: self.parts.map(|part| part.inset(margin_mm)) }
    }

    /// The two rectangles whose union is the domain.
    #[must_use]
    pub fn parts(&self) -> &[Rect; 2] {
        &self.parts
    }

    /// The rectangle that both parts share.
    #[must_use]
    pub fn shared(&self) -> Rect {
        let [a, b] = self.parts;
        Rect { min: a.min.max(b.min), max: a.max.min(b.max) }
    }

    /// True if there is no place at all, or the two parts do not meet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shared().is_empty()
    }

    /// True if a foot's centre may be at `p_mm`.
    #[must_use]
    pub fn contains(&self, p_mm: DVec2) -> bool {
        self.parts.iter().any(|part| part.contains(p_mm))
    }

    /// Nearest place that is allowed.
    #[must_use]
    pub fn clamp(&self, p_mm: DVec2) -> DVec2 {
        let [a, b] = self.parts.map(|part| part.clamp(p_mm));
        if a.distance_squared(p_mm) <= b.distance_squared(p_mm) { a } else { b }
    }

    /// The next straight target from `from_mm` on the way to `to_mm`: that place, or first the middle if the line cuts a corner square.
    /// Both places must be in the domain.
    #[must_use]
    pub fn next_stop(&self, from_mm: DVec2, to_mm: DVec2) -> DVec2 {
        let direct = self.parts.iter().any(|part| part.contains(from_mm) && part.contains(to_mm));
        if direct { to_mm } else { self.shared().clamp(from_mm) }
    }

    /// A part that holds `p_mm`; `prefer` (0 or 1) decides where both do. The nearer one if none does.
    #[must_use]
    pub(crate) fn part_at(&self, p_mm: DVec2, prefer: usize) -> Rect {
        let [first, second] = [self.parts[prefer & 1], self.parts[1 - (prefer & 1)]];
        if first.outside_mm(p_mm) <= second.outside_mm(p_mm) { first } else { second }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mat() -> Rect {
        Rect::from_size(400.0, 400.0)
    }

    #[test]
    fn three_profiles_of_the_spec_mat() {
        let at = |travel, x, y| Domain::new(travel, mat(), 120.0).contains(DVec2::new(x, y));
        assert!(at(Travel::Core, 120.0, 280.0) && !at(Travel::Core, 119.9, 200.0));
        assert!(at(Travel::Edge, 0.0, 200.0) && at(Travel::Edge, 200.0, 400.0) && !at(Travel::Edge, 119.0, 119.0));
        assert!(at(Travel::Full, 0.0, 0.0) && !at(Travel::Full, -0.1, 200.0));
    }

    /// A foot nearer than this to two walls would seal a pocket (reference 5.4): `core` and `edge` never are.
    #[test]
    fn core_and_edge_never_seal_a_corner() {
        for travel in [Travel::Core, Travel::Edge] {
            let domain = Domain::new(travel, mat(), 120.0);
            for i in 0..=80 {
                for j in 0..=80 {
                    let p = DVec2::new(f64::from(i) * 5.0, f64::from(j) * 5.0);
                    let near = |v: f64| v.min(400.0 - v) < 116.0;
                    assert!(!(domain.contains(p) && near(p.x) && near(p.y)), "{travel:?} {p}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn clamp_lands_inside_and_no_inside_point_is_nearer(
            x in -100.0..500.0, y in -100.0..500.0, qx in 0.0..400.0, qy in 0.0..400.0, profile in 0..3,
        ) {
            let travel = [Travel::Core, Travel::Edge, Travel::Full][profile as usize];
            let domain = Domain::new(travel, mat(), 120.0);
            let (p, q) = (DVec2::new(x, y), DVec2::new(qx, qy));
            let nearest = domain.clamp(p);
            prop_assert!(domain.contains(nearest));
            prop_assert!(!domain.contains(q) || q.distance(p) >= nearest.distance(p) - 1e-12);
        }

        #[test]
        fn two_straight_legs_reach_everything_without_leaving(
            ax in 0.0..400.0, ay in 0.0..400.0, bx in 0.0..400.0, by in 0.0..400.0,
        ) {
            let domain = Domain::new(Travel::Edge, mat(), 120.0);
            let (a, b) = (domain.clamp(DVec2::new(ax, ay)), domain.clamp(DVec2::new(bx, by)));
            let stop = domain.next_stop(a, b);
            prop_assert_eq!(domain.next_stop(stop, b), b);
            for i in 0..=50 {
                let s = f64::from(i) / 50.0;
                prop_assert!(domain.shrunk(-1e-9).contains(a.lerp(stop, s)));
                prop_assert!(domain.shrunk(-1e-9).contains(stop.lerp(b, s)));
            }
        }
    }
}
