//! Ways of feet among what stands on the mat: straight from corner to corner, always at a distance.
//!
//! Round every corner that points outwards stand two turning points, the ends of a chord that touches the circle of the distance. The ways
//! between turning points that see each other form a graph; its shortest ways are known before the run.

use crate::domain::Domain;
use crate::obstacles::Obstacles;
use sim_core::{DVec2, Rect, ops};
use std::sync::Arc;

/// Most turning points: two for each corner.
const MAX_TURNS: usize = 512;
/// By how much turning points stand farther off than ways have to be.
const SLACK: f64 = 1.001;
/// By how much rounding may bring a foot nearer, mm.
const TOUCH_MM: f64 = 1e-6;
/// Distance of the places at which is looked whether there is a place for a foot at all, mm, and the largest number of them.
const LOOK_MM: f64 = 10.0;
const MAX_LOOKS: f64 = 40_000.0;

/// What stands on the mat, for the plans of feet. Fixed for a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Routes {
    obstacles: Arc<Obstacles>,
    /// Distance that a plan keeps from obstacles, mm.
    clear_mm: f64,
    turns_mm: Vec<DVec2>,
    /// Shortest way from a turning point to another one, mm, row by row; infinite if there is none.
    way_mm: Vec<f64>,
    /// A place where a foot may be.
    refuge_mm: DVec2,
}

impl Routes {
    /// Ways in `domain` that stay `clear_mm` off the obstacles.
    ///
    /// # Errors
    /// If the obstacles leave no place for a foot, or have too many corners.
    pub(super) fn new(obstacles: Arc<Obstacles>, domain: &Domain, clear_mm: f64) -> Result<Self, String> {
        let mut routes = Self { obstacles, clear_mm, ..Self::default() };
        if routes.is_open() {
            return Ok(routes);
        }
        routes.refuge_mm = routes.find_refuge(domain.shared()).ok_or_else(|| {
            format!("walls and obstacles leave no place for a foot, whose centre keeps {clear_mm:.1} mm from them")
        })?;
        routes.find_turns(domain);
        if routes.turns_mm.len() > MAX_TURNS {
            return Err(format!("walls and obstacles have too many corners for feet, more than {}", MAX_TURNS / 2));
        }
        routes.find_ways(domain);
        Ok(routes)
    }

    /// True if nothing stands on the mat.
    pub(super) fn is_open(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// A place where a foot may be.
    pub(super) fn refuge_mm(&self) -> DVec2 {
        self.refuge_mm
    }

    /// True if a foot may be planned at a place.
    pub(super) fn is_clear(&self, place_mm: DVec2) -> bool {
        self.obstacles.is_clear(place_mm, self.clear_mm)
    }

    /// How far a plan may stray from the straight way between two places, mm.
    pub(super) fn margin_mm(&self, from_mm: DVec2, to_mm: DVec2) -> f64 {
        (self.obstacles.way_distance_mm(from_mm, to_mm) - self.clear_mm).max(0.0)
    }

    /// True if every point of an obstacle is off a circle by the distance.
    pub(super) fn is_circle_clear(&self, centre_mm: DVec2, radius_mm: f64) -> bool {
        self.obstacles.rings().iter().all(|ring| {
            let farthest = ring.corners_mm().iter().map(|corner| corner.distance(centre_mm)).fold(0.0, f64::max);
            let nearest = self.obstacles.distance_mm(centre_mm);
            nearest >= radius_mm + self.clear_mm || farthest <= radius_mm - self.clear_mm
        })
    }

    /// The next straight target from `from_mm` on the shortest way to `to_mm`; none if there is no way.
    pub(super) fn next_stop(&self, domain: &Domain, from_mm: DVec2, to_mm: DVec2) -> Option<DVec2> {
        if self.is_open() {
            return Some(domain.next_stop(from_mm, to_mm));
        }
        if self.sees(domain, from_mm, to_mm) {
            return Some(to_mm);
        }
        let count = self.turns_mm.len();
        let mut left_mm = [f64::INFINITY; MAX_TURNS];
        for (left, &turn) in left_mm.iter_mut().zip(&self.turns_mm) {
            if self.sees(domain, turn, to_mm) {
                *left = turn.distance(to_mm);
            }
        }
        let mut best = (f64::INFINITY, None);
        for (a, &turn) in self.turns_mm.iter().enumerate() {
            let ways = &self.way_mm[a * count..(a + 1) * count];
            let onward = ways.iter().zip(&left_mm).map(|(way, left)| way + left).fold(f64::INFINITY, f64::min);
            let length = from_mm.distance(turn) + onward;
            if length < best.0 && turn != from_mm && self.sees(domain, from_mm, turn) {
                best = (length, Some(turn));
            }
        }
        best.1
    }

    fn sees(&self, domain: &Domain, a: DVec2, b: DVec2) -> bool {
        domain.parts().iter().any(|part| part.contains(a) && part.contains(b))
            && self.obstacles.is_way_clear(a, b, self.clear_mm - TOUCH_MM)
    }

    fn find_refuge(&self, area: Rect) -> Option<DVec2> {
        let size = area.size();
        let step_mm = LOOK_MM.max((size.x * size.y / MAX_LOOKS).sqrt());
        let counts = (size / step_mm).floor();
        let (columns, rows) = (counts.x as usize + 1, counts.y as usize + 1);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let mut places = places.map(|(column, row)| area.min + DVec2::new(column as f64, row as f64) * step_mm);
        places.find(|&place| self.is_clear(place))
    }

    fn find_turns(&mut self, domain: &Domain) {
        let off_mm = self.clear_mm * SLACK;
        let is_free = |end: &DVec2| domain.contains(*end) && self.is_clear(*end);
        let mut turns_mm = Vec::new();
        for ring in self.obstacles.rings() {
            let corners = ring.corners_mm();
            let count = corners.len();
            for (i, &corner) in corners.iter().enumerate() {
                let before = (corner - corners[(i + count - 1) % count]).normalize_or_zero();
                let after = (corners[(i + 1) % count] - corner).normalize_or_zero();
                let turn_rad = ops::atan2(before.perp_dot(after), before.dot(after));
                // The outside lies to the right of an edge.
                let [out_before, out_after] = [before, after].map(|way| -way.perp());
                let (sine, cosine) = ops::sin_cos(0.25 * turn_rad.max(0.0));
                let along = sine / cosine;
                let ends = [out_before + before * along, out_after - after * along].map(|end| corner + end * off_mm);
                turns_mm.extend(ends.into_iter().filter(|_| turn_rad > 0.0).filter(is_free));
            }
        }
        // The bands of a cross meet in the middle.
        turns_mm.extend(Some(domain.shared().center()).filter(is_free));
        self.turns_mm = turns_mm;
    }

    /// Shortest ways between all turning points (Floyd and Warshall).
    fn find_ways(&mut self, domain: &Domain) {
        let count = self.turns_mm.len();
        self.way_mm = vec![f64::INFINITY; count * count];
        for a in 0..count {
            self.way_mm[a * count + a] = 0.0;
            for b in 0..a {
                if self.sees(domain, self.turns_mm[a], self.turns_mm[b]) {
                    let length = self.turns_mm[a].distance(self.turns_mm[b]);
                    (self.way_mm[a * count + b], self.way_mm[b * count + a]) = (length, length);
                }
            }
        }
        for over in 0..count {
            for a in 0..count {
                let first = self.way_mm[a * count + over];
                if first.is_finite() {
                    for b in 0..count {
                        let length = first + self.way_mm[over * count + b];
                        let way = &mut self.way_mm[a * count + b];
                        *way = way.min(length);
                    }
                }
            }
        }
    }
}
