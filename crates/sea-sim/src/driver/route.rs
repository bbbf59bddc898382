//! Routes: waypoints, and the course to steer by line of sight with a lookahead (Fossen 2021, section 12.4).

use crate::check;
use glam::DVec2;
use sim_core::angle::{heading_of, wrap_rad};
use sim_core::{ParamError, StateHash, ops};

/// Height of a waypoint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Level {
    /// Depth below the surface, m.
    DepthM(f64),
    /// Height above the bottom, m.
    AltitudeM(f64),
}

/// A place to go to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct Waypoint {
    /// East and north, m.
    pub place_m: [f64; 2],
    /// Height on the way there.
    pub level: Level,
}

/// A route.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct RouteParams {
    /// Waypoints in order.
    pub waypoints: Vec<Waypoint>,
    /// Distance at which a waypoint is reached, m.
    pub radius_m: f64,
    /// Distance ahead on the path at which to aim, m.
    pub lookahead_m: f64,
    /// Whether the last waypoint leads back to the first.
    #[cfg_attr(feature = "schema", serde(default))]
    pub is_loop: bool,
}

/// A checked route.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    params: RouteParams,
}

/// How far along a route a vehicle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteProgress {
    /// Where the present leg begins.
    from_m: DVec2,
    /// The waypoint that it leads to.
    next: usize,
}

impl RouteProgress {
    /// Puts it into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.vec2(self.from_m);
        hash.u64(self.next as u64);
    }
}

/// What to steer for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guidance {
    /// Yaw, counter-clockwise from east, rad.
    pub yaw_rad: f64,
    /// Height.
    pub level: Level,
    /// Number of the waypoint ahead.
    pub waypoint: usize,
    /// How many waypoints before it have been passed just now, one after the other.
    pub passed: usize,
    /// Whether the last waypoint of a route that is no loop has been reached.
    pub is_finished: bool,
}

impl Route {
    /// A route from its parameters.
    ///
    /// # Errors
    /// If there is no waypoint, a number is not finite, a distance is not positive, or a loop does not lead away from its first waypoint.
    pub fn new(params: RouteParams) -> Result<Self, ParamError> {
        check::not_empty("route.waypoints", params.waypoints.len())?;
        for waypoint in &params.waypoints {
            check::all_finite("route.waypoints.place_m", &waypoint.place_m)?;
            let (Level::DepthM(level) | Level::AltitudeM(level)) = waypoint.level;
            check::finite("route.waypoints.level", level)?;
        }
        check::positive("route.radius_m", params.radius_m)?;
        check::positive("route.lookahead_m", params.lookahead_m)?;
        let route = Self { params };
        let first = route.place(0);
        let leads_away = |number: usize| route.place(number).distance(first) > route.params.radius_m;
        if route.params.is_loop && !(0..route.params.waypoints.len()).any(leads_away) {
            let message = "all lie within the radius of the first: a loop must lead away from it";
            return Err(ParamError::new("route.waypoints", message));
        }
        Ok(route)
    }

    /// Its waypoints.
    #[must_use]
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.params.waypoints
    }

    /// Distance at which a waypoint is reached, m.
    #[must_use]
    pub fn radius_m(&self) -> f64 {
        self.params.radius_m
    }

    /// Progress at the start, from a place.
    #[must_use]
    pub fn start(&self, from_m: DVec2) -> RouteProgress {
        RouteProgress { from_m, next: 0 }
    }

    /// What to steer for at a place. Waypoints within the radius are passed, one after the other; and so are those on whose far side the
    /// place lies, which is parted by the plane through the waypoint normal to the leg that leads to it (Breivik and Fossen 2009).
    pub fn guide(&self, progress: &mut RouteProgress, place_m: DVec2) -> Guidance {
        let count = self.params.waypoints.len();
        let mut passed = 0;
        // At most one turn of a loop, should all waypoints lie within the radius.
        for _ in 0..count {
            let is_last = !self.params.is_loop && progress.next + 1 >= count;
            let goal = self.place(progress.next);
            if is_last || !self.is_reached(progress, place_m) {
                break;
            }
            *progress = RouteProgress { from_m: goal, next: (progress.next + 1) % count };
            passed += 1;
        }
        let goal = self.place(progress.next);
        let leg = goal - progress.from_m;
        // A leg between two waypoints at one place has no direction.
        let along = heading_of(if leg == DVec2::ZERO { goal - place_m } else { leg });
        let (sin, cos) = ops::sin_cos(along);
        let offset = place_m - progress.from_m;
        let aside_m = cos * offset.y - sin * offset.x;
        let correction = ops::atan2(aside_m, self.params.lookahead_m);
        let is_last = !self.params.is_loop && progress.next + 1 == count;
        Guidance {
            yaw_rad: wrap_rad(along - correction),
            level: self.params.waypoints[progress.next].level,
            waypoint: progress.next,
            passed,
            is_finished: is_last && self.is_reached(progress, place_m),
        }
    }

    /// Whether a place is within the radius of the waypoint ahead or beyond it, along the leg.
    fn is_reached(&self, progress: &RouteProgress, place_m: DVec2) -> bool {
        let goal = self.place(progress.next);
        let (leg, beyond) = (goal - progress.from_m, place_m - goal);
        beyond.length() <= self.params.radius_m || beyond.dot(leg) > 0.0
    }

    fn place(&self, number: usize) -> DVec2 {
        DVec2::from_array(self.params.waypoints[number].place_m)
    }
}
