//! Following a route: pure pursuit with a speed profile.
//!
//! # Model
//! ```text
//! aim     the point of the route `lookahead` ahead of the point nearest to the rear axle     lookahead = clamp(time v, min, max)
//! steer   k = 2 y / (x^2 + y^2)             the circle from the rear axle, along the car, through the aim at (x, y) in the axle's axes
//! bend    c = angle / l,  l = min(half of both neighbouring pieces, lookahead min)          of the route, within l of a waypoint
//! speed   v^2 = min over bends ahead of (a_lat / c + 2 b way to the bend), at most the cruising speed; 0 at the end of an open route
//! ```
//! b is half of what the car can brake, so that the profile can be kept. Source: R. C. Coulter, "Implementation of the Pure Pursuit Path
//! Tracking Algorithm", CMU-RI-TR-92-01 (geometry); the speed profile is the usual backward pass.
//!
//! # Where it stops being true
//! Corners are cut by about the lookahead. The car only drives forward: an aim behind it makes it turn as tightly as it can.

use super::MIN_CRUISE_M_S;
use super::route::Route;
use crate::{CarModel, Command, Pose, Twist};
use sim_core::{DVec2, ParamError, StateHash, angle};

/// How a route is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PursuitParams {
    /// Cruising speed, m/s, up to the car's largest.
    pub speed_m_s: f64,
    /// Largest sideways acceleration in bends, m/s^2.
    pub lateral_acceleration_m_s2: f64,
    /// The aim is as far ahead as the car drives in this time, s.
    pub lookahead_s: f64,
    /// Least distance of the aim, m.
    pub lookahead_min_m: f64,
    /// Largest distance of the aim, m.
    pub lookahead_max_m: f64,
}

impl Default for PursuitParams {
    fn default() -> Self {
        Self {
            speed_m_s: 0.8,
            lateral_acceleration_m_s2: 0.5,
            lookahead_s: 0.8,
            lookahead_min_m: 0.4,
            lookahead_max_m: 2.0,
        }
    }
}

impl PursuitParams {
    /// Smallest and largest sideways acceleration in bends.
    pub const LATERAL_ACCELERATION_M_S2: [f64; 2] = [0.001, 1000.0];
    /// Shortest and longest time to the aim.
    pub const LOOKAHEAD_S: [f64; 2] = [0.0, 100.0];
    /// Smallest and largest value of the least distance of the aim.
    pub const LOOKAHEAD_MIN_M: [f64; 2] = [0.01, 100.0];
    /// Farthest aim.
    pub const FARTHEST_AIM_M: f64 = 1000.0;

    fn check(&self, model: &CarModel) -> Result<(), ParamError> {
        let lateral_m_s2 = self.lateral_acceleration_m_s2;
        ParamError::check_range("speed_m_s", self.speed_m_s, MIN_CRUISE_M_S, model.params().velocity_max_m_s)?;
        ParamError::check_within("lateral_acceleration_m_s2", lateral_m_s2, Self::LATERAL_ACCELERATION_M_S2)?;
        ParamError::check_within("lookahead_s", self.lookahead_s, Self::LOOKAHEAD_S)?;
        ParamError::check_within("lookahead_min_m", self.lookahead_min_m, Self::LOOKAHEAD_MIN_M)?;
        ParamError::check_range("lookahead_max_m", self.lookahead_max_m, self.lookahead_min_m, Self::FARTHEST_AIM_M)
    }
}

/// How far from the end of an open route the car is asked to stand, m.
const ARRIVED_M: f64 = 0.005;
/// Share of what a car can brake that the profile counts on.
const BRAKING_SHARE: f64 = 0.5;

/// State of a follower: the way that it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Way along the route to the point nearest to the car, m; on a closed route less than its length.
    pub way_m: f64,
    /// Times that a closed route has been gone round.
    pub rounds: u64,
}

impl Progress {
    /// Puts the state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.f64(self.way_m);
        hash.u64(self.rounds);
    }
}

/// A follower of one route for one model of car.
#[derive(Clone, Debug, PartialEq)]
pub struct Pursuit {
    route: Route,
    params: PursuitParams,
    rear_in_base_m: DVec2,
    model: CarModel,
    braking_m_s2: f64,
    /// The bend at the end of each piece.
    bends: Vec<Bend>,
}

/// A bend of the route at a waypoint, or its end.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bend {
    /// It reaches so far before and behind the waypoint.
    reach_m: f64,
    /// Square of the largest speed in it that leaves enough way to brake for all that follow.
    speed2_m2_s2: f64,
}

impl Pursuit {
    /// Checks the parameters and works out the speed profile.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(model: &CarModel, route: Route, params: PursuitParams) -> Result<Self, ParamError> {
        params.check(model)?;
        let braking_m_s2 = BRAKING_SHARE * model.params().deceleration_limit_m_s2;
        Ok(Self {
            bends: bends(&route, &params, braking_m_s2),
            rear_in_base_m: DVec2::new(-model.params().base_to_rear_axle_m, 0.0),
            model: *model,
            braking_m_s2,
            route,
            params,
        })
    }

    /// The route.
    #[must_use]
    pub fn route(&self) -> &Route {
        &self.route
    }

    /// Where a car joins that has not followed yet: at the nearest point of the whole route.
    #[must_use]
    pub fn join(&self, base: Pose) -> Progress {
        let way_m = self.route.nearest_way_m(base.point(self.rear_in_base_m), 0.0, self.route.length_m());
        Progress { way_m: self.route.wrapped_m(way_m), rounds: 0 }
    }

    /// What to do with the base point at `base` (as far as the driver knows) at `velocity_m_s`. Moves the progress on.
    #[must_use]
    pub fn decide(&self, progress: &mut Progress, base: Pose, velocity_m_s: f64) -> Command {
        let rear_m = base.point(self.rear_in_base_m);
        self.move_on(progress, rear_m);
        let PursuitParams { lookahead_s, lookahead_min_m, lookahead_max_m, .. } = self.params;
        let lookahead_m = (lookahead_s * velocity_m_s.abs()).clamp(lookahead_min_m, lookahead_max_m);
        let aim_m = self.route.point_m(progress.way_m + lookahead_m);
        let aim_in_rear_m = angle::unit(-base.yaw_rad).rotate(aim_m - rear_m);
        Command {
            velocity_m_s: self.speed_m_s(progress.way_m),
            curvature_1_m: self.curvature_1_m(aim_in_rear_m),
            acceleration_m_s2: None,
        }
    }

    fn move_on(&self, progress: &mut Progress, rear_m: DVec2) {
        let way_m = self.route.nearest_way_m(rear_m, progress.way_m, self.params.lookahead_max_m);
        progress.way_m = self.route.wrapped_m(way_m);
        progress.rounds += u64::from(progress.way_m < way_m);
    }

    /// Curvature of the base point's path that leads the rear axle to an aim in its axes.
    fn curvature_1_m(&self, aim_m: DVec2) -> f64 {
        let limit_1_m = self.model.curvature_limit_1_m();
        if aim_m.x <= 0.0 {
            return limit_1_m.copysign(aim_m.y);
        }
        let rear = Twist { curvature_1_m: 2.0 * aim_m.y / aim_m.length_squared(), velocity_m_s: 0.0 };
        self.model.ackermann().base_from_rear(rear).curvature_1_m.clamp(-limit_1_m, limit_1_m)
    }

    fn speed_m_s(&self, way_m: f64) -> f64 {
        let left_m = self.route.length_m() - way_m;
        if !self.route.is_closed() && left_m <= ARRIVED_M {
            return 0.0;
        }
        let piece = self.route.piece_at(way_m);
        let [from_start_m, to_end_m] = [way_m - self.route.way_to_m(piece), self.route.way_to_m(piece + 1) - way_m];
        let next = self.bends[piece];
        let speed2 = next.speed2_m2_s2 + 2.0 * self.braking_m_s2 * (to_end_m - next.reach_m).max(0.0);
        let speed2 = match self.bend_before(piece) {
            Some(last) if from_start_m < last.reach_m => speed2.min(last.speed2_m2_s2),
            _ => speed2,
        };
        speed2.sqrt().min(self.params.speed_m_s)
    }

    fn bend_before(&self, piece: usize) -> Option<Bend> {
        let before = if self.route.is_closed() {
            (piece + self.bends.len() - 1) % self.bends.len()
        } else {
            piece.checked_sub(1)?
        };
        Some(self.bends[before])
    }
}

/// The bend at the end of each piece: how fast it can be driven, and how fast with enough way to brake for all that follow.
fn bends(route: &Route, params: &PursuitParams, braking_m_s2: f64) -> Vec<Bend> {
    let pieces = route.pieces();
    let mut bends: Vec<Bend> = (0..pieces).map(|piece| bend(route, piece, params)).collect();
    // Twice around: the first turn of a closed route starts without knowing what follows.
    for piece in (0..2 * pieces).rev() {
        let (this, next) = (piece % pieces, (piece + 1) % pieces);
        if route.is_closed() || next > this {
            let [from, to] = route.piece(next);
            let straight_m = (from.distance(to) - bends[next].reach_m).max(0.0);
            let braked2 = bends[next].speed2_m2_s2 + 2.0 * braking_m_s2 * straight_m;
            bends[this].speed2_m2_s2 = bends[this].speed2_m2_s2.min(braked2);
        }
    }
    bends
}

fn bend(route: &Route, piece: usize, params: &PursuitParams) -> Bend {
    if !route.is_closed() && piece + 1 == route.pieces() {
        return Bend { reach_m: 0.0, speed2_m2_s2: 0.0 };
    }
    let [here, next] = [route.piece(piece), route.piece(piece + 1)].map(|[from, to]| to - from);
    let turn_rad = angle::wrap_rad(angle::heading_of(next) - angle::heading_of(here)).abs();
    let reach_m = (0.5 * (here.length() + next.length())).min(params.lookahead_min_m);
    let cruising2 = params.speed_m_s * params.speed_m_s;
    // Straight on, the quotient is infinite.
    Bend { reach_m, speed2_m2_s2: (params.lateral_acceleration_m_s2 * reach_m / turn_rad).min(cruising2) }
}
