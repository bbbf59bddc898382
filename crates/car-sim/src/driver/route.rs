//! A route: straight pieces between waypoints, open or closed, measured by the way along it.

use crate::map::FARTHEST_M;
use sim_core::{DVec2, ParamError};

/// Nearest that neighbouring waypoints may be, m.
const MIN_PIECE_M: f64 = 1e-3;

/// A line through waypoints.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    waypoints_m: Vec<DVec2>,
    /// Way from the first waypoint to each one, and last to the end of the route, which is the first one again if it is closed.
    ways_m: Vec<f64>,
    is_closed: bool,
}

impl Route {
    /// A route through `waypoints_m`, which leads back from the last to the first if it is closed.
    ///
    /// # Errors
    /// If there are fewer than two waypoints (three for a closed route), one is not finite or beyond 100 km, or neighbours are less than
    /// 1 mm apart.
    pub fn new(waypoints_m: Vec<DVec2>, is_closed: bool) -> Result<Self, ParamError> {
        let (least, count) = (if is_closed { 3 } else { 2 }, waypoints_m.len());
        if count < least {
            return Err(ParamError::new("waypoints_m", format!("has {count} points, must have {least} or more")));
        }
        let is_placed = |p: &DVec2| p.x.abs() <= FARTHEST_M && p.y.abs() <= FARTHEST_M;
        if let Some(index) = waypoints_m.iter().position(|p| !is_placed(p)) {
            let DVec2 { x, y } = waypoints_m[index];
            let message =
                format!("has [{x}, {y}] as point {index}, must be within {FARTHEST_M} m of the origin along each axis");
            return Err(ParamError::new("waypoints_m", message));
        }
        let mut route = Self { ways_m: vec![0.0], waypoints_m, is_closed };
        for piece in 0..route.pieces() {
            let length_m = route.piece(piece)[0].distance(route.piece(piece)[1]);
            if length_m < MIN_PIECE_M {
                let message = format!("has points {piece} and {} less than 1 mm apart", (piece + 1) % count);
                return Err(ParamError::new("waypoints_m", message));
            }
            route.ways_m.push(route.ways_m[piece] + length_m);
        }
        Ok(route)
    }

    /// Waypoints, m.
    #[must_use]
    pub fn waypoints_m(&self) -> &[DVec2] {
        &self.waypoints_m
    }

    /// True if it leads back to its first waypoint.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Its whole length, m.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.ways_m[self.pieces()]
    }

    /// Way from the first waypoint to each one, m, and last to the end of the route, which is the first one again if it is closed.
    #[must_use]
    pub fn ways_m(&self) -> &[f64] {
        &self.ways_m
    }

    pub(super) fn pieces(&self) -> usize {
        if self.is_closed { self.waypoints_m.len() } else { self.waypoints_m.len() - 1 }
    }

    /// Ends of a piece; counted on around a closed route.
    pub(super) fn piece(&self, piece: usize) -> [DVec2; 2] {
        let count = self.waypoints_m.len();
        [self.waypoints_m[piece % count], self.waypoints_m[(piece + 1) % count]]
    }

    /// Way from the first waypoint to the start of a piece, m.
    pub(super) fn way_to_m(&self, piece: usize) -> f64 {
        self.ways_m[piece]
    }

    /// The piece on which a way ends, for ways from 0 to the length.
    pub(super) fn piece_at(&self, way_m: f64) -> usize {
        let begun = self.ways_m.partition_point(|&start_m| start_m <= way_m);
        begun.saturating_sub(1).min(self.pieces() - 1)
    }

    /// The point at the end of a way. A closed route goes round and round; an open one goes straight on past its end.
    #[must_use]
    pub fn point_m(&self, way_m: f64) -> DVec2 {
        let way_m = self.wrapped_m(way_m);
        let piece = self.piece_at(way_m);
        let [from, to] = self.piece(piece);
        from + (to - from).normalize() * (way_m - self.ways_m[piece])
    }

    pub(super) fn wrapped_m(&self, way_m: f64) -> f64 {
        if self.is_closed { way_m.rem_euclid(self.length_m()) } else { way_m }
    }

    /// The way to the point of the route nearest to `point_m`, looked for from `from_m` for `window_m` ahead.
    #[must_use]
    pub fn nearest_way_m(&self, point_m: DVec2, from_m: f64, window_m: f64) -> f64 {
        let mut piece = self.piece_at(from_m);
        let mut start_m = self.ways_m[piece];
        let (mut best_m, mut best_way_m) = (f64::INFINITY, from_m);
        while start_m <= from_m + window_m && (self.is_closed || piece < self.pieces()) {
            let [a, b] = self.piece(piece);
            let length_m = a.distance(b);
            let along_m = ((point_m - a).dot(b - a) / length_m).clamp(0.0, length_m);
            let way_m = (start_m + along_m).clamp(from_m, from_m + window_m);
            let distance_m = point_m.distance(a + (b - a) / length_m * (way_m - start_m));
            if distance_m < best_m {
                (best_m, best_way_m) = (distance_m, way_m);
            }
            start_m += length_m;
            piece += 1;
        }
        best_way_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(is_closed: bool) -> Route {
        let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        Route::new(corners.map(DVec2::from).to_vec(), is_closed).unwrap()
    }

    #[test]
    fn ways_and_points() {
        assert_eq!((square(false).length_m(), square(true).length_m()), (12.0, 16.0));
        assert_eq!(square(false).point_m(5.0), DVec2::new(4.0, 1.0));
        assert_eq!(square(false).point_m(13.0), DVec2::new(-1.0, 4.0));
        assert_eq!(square(true).point_m(13.0), DVec2::new(0.0, 3.0));
        assert_eq!(square(true).point_m(21.0), DVec2::new(4.0, 1.0));
    }

    #[test]
    fn the_nearest_point_is_looked_for_ahead_only() {
        let point = DVec2::new(3.5, 2.0);
        assert_eq!(square(false).nearest_way_m(point, 0.0, 12.0), 6.0);
        assert_eq!(square(false).nearest_way_m(point, 0.0, 2.0), 2.0);
        assert_eq!(square(false).nearest_way_m(point, 7.0, 5.0), 7.0);
        // Round the corner of a closed route: the way goes on counting.
        assert_eq!(square(true).nearest_way_m(DVec2::new(1.0, 0.2), 15.0, 4.0), 17.0);
    }

    #[test]
    fn what_is_no_route_is_refused() {
        let error = |points: &[(f64, f64)], is_closed| {
            Route::new(points.iter().copied().map(DVec2::from).collect(), is_closed).unwrap_err().message
        };
        assert_eq!(error(&[(0.0, 0.0)], false), "has 1 points, must have 2 or more");
        assert_eq!(error(&[(0.0, 0.0), (1.0, 0.0)], true), "has 2 points, must have 3 or more");
        assert_eq!(error(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], false), "has points 1 and 2 less than 1 mm apart");
        assert_eq!(error(&[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], true), "has points 2 and 0 less than 1 mm apart");
        assert!(error(&[(0.0, 0.0), (f64::NAN, 0.0)], false).starts_with("has [NaN, 0] as point 1"));
    }
}
