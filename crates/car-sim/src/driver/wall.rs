//! Following a wall by the lidar alone.
//!
//! # Model
//! Arcs fan out from the rear axle, from the tightest towards the wall to the tightest away from it. The car takes the first one whose
//! farther part keeps the wanted distance from everything the lidar sees; between that arc and the one before it, which comes too near, the
//! curvature is halved in. If every arc comes too near, it takes the one that stays farthest away. Only the farther part counts, so that a
//! car that is too near already finds its way back gently. It slows down in bends, and where obstacles are near. Where no wall is in
//! sight it drives straight on.
//!
//! # Where it stops being true
//! It remembers nothing, does not drive backwards and does not know its own width: the wanted distance must exceed half of that.

use super::MIN_CRUISE_M_S;
use crate::vehicle::arc_end;
use crate::{CarModel, Command, Pose, Twist};
use sim_core::{DVec2, ParamError, angle};

/// A lidar's scan as a driver gets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan<'a> {
    /// Direction of the first ray in the lidar's axes.
    pub first_rad: f64,
    /// From ray to ray, counter-clockwise.
    pub increment_rad: f64,
    /// One range a ray, m; infinite where there was no return.
    pub ranges_m: &'a [f64],
}

/// On which hand a wall is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Side {
    /// Left.
    #[default]
    Left,
    /// Right.
    Right,
}

impl Side {
    fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// A wall and how it is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(default, deny_unknown_fields))]
pub struct WallFollowerParams {
    /// On which hand the wall is.
    pub side: Side,
    /// Wanted distance from the wall to the car's axis; more than half of the car's width.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.001, max = Self::MAX_DISTANCE_M)))]
    pub distance_m: f64,
    /// How far ahead is looked: the length of the arcs.
    #[cfg_attr(feature = "schema", schemars(range(min = Self::HORIZON_M[0], max = Self::HORIZON_M[1])))]
    pub horizon_m: f64,
    /// Speed on the straight, up to the car's largest.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_CRUISE_M_S, max = crate::CarParams::MAX_SPEED_M_S)))]
    pub speed_m_s: f64,
}

impl WallFollowerParams {
    /// Largest distance from the wall; the least is half of the car's width.
    const MAX_DISTANCE_M: f64 = 100.0;
    /// Shortest and longest arcs.
    const HORIZON_M: [f64; 2] = [0.01, 1000.0];
}

impl Default for WallFollowerParams {
    fn default() -> Self {
        Self { side: Side::Left, distance_m: 0.6, horizon_m: 1.2, speed_m_s: 0.8 }
    }
}

impl WallFollowerParams {
    fn check(&self, model: &CarModel) -> Result<(), ParamError> {
        let half_width_m = 0.5 * model.params().body_width_m;
        ParamError::check_range("distance_m", self.distance_m, half_width_m, Self::MAX_DISTANCE_M)?;
        ParamError::check_within("horizon_m", self.horizon_m, Self::HORIZON_M)?;
        ParamError::check_range("speed_m_s", self.speed_m_s, MIN_CRUISE_M_S, model.params().velocity_max_m_s)
    }
}

/// Sectors of a scan; the nearest return of each counts.
const SECTORS: usize = 90;
/// Arcs in the fan.
const ARCS: u32 = 21;
/// Halvings between two arcs.
const HALVINGS: u32 = 8;
/// Places along an arc, as shares of the horizon, where the distance to obstacles is measured.
const PLACES: [f64; 4] = [0.4, 0.6, 0.8, 1.0];
/// Share of the speed that is left in the tightest bend, and where obstacles are nearest.
const SLOWEST_SHARE: f64 = 0.4;

/// Returns of a scan, one a sector at most, in the axes of the rear axle.
struct Obstacles {
    points_m: [DVec2; SECTORS],
    count: usize,
}

/// A follower for one model of car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallFollower {
    params: WallFollowerParams,
    model: CarModel,
    /// The lidar in the axes of the rear axle.
    lidar: Pose,
    /// Tightest arc of the rear axle, 1/m.
    tightest_1_m: f64,
}

impl WallFollower {
    /// A follower with a lidar that is mounted at `lidar_in_base`.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn new(model: &CarModel, lidar_in_base: Pose, params: WallFollowerParams) -> Result<Self, ParamError> {
        params.check(model)?;
        if !lidar_in_base.is_finite() {
            return Err(ParamError::new("lidar_in_base", "is not finite"));
        }
        Ok(Self {
            params,
            model: *model,
            lidar: Pose::new(model.params().base_to_rear_axle_m, 0.0, 0.0).compose(lidar_in_base),
            tightest_1_m: model.ackermann().rear_curvature_1_m(model.steering_limit_rad()),
        })
    }

    /// What to do about a scan.
    #[must_use]
    pub fn decide(&self, scan: &Scan<'_>) -> Command {
        let obstacles = self.obstacles(scan);
        let reach_m = self.params.horizon_m + self.params.distance_m;
        let nearest_m = obstacles.points().iter().map(|p| p.length()).fold(f64::INFINITY, f64::min);
        if nearest_m > reach_m {
            return Command { velocity_m_s: self.params.speed_m_s, ..Command::default() };
        }
        let rear_1_m = self.arc_1_m(&obstacles);
        let margin = (self.margin_m(&obstacles, rear_1_m) / self.params.distance_m).min(1.0);
        let ease = (1.0 - rear_1_m.abs() / self.tightest_1_m.max(f64::MIN_POSITIVE)).min(margin);
        let share = SLOWEST_SHARE + (1.0 - SLOWEST_SHARE) * ease.max(0.0);
        let base = self.model.ackermann().base_from_rear(Twist { curvature_1_m: rear_1_m, velocity_m_s: 0.0 });
        Command {
            velocity_m_s: share * self.params.speed_m_s,
            curvature_1_m: base.curvature_1_m,
            acceleration_m_s2: None,
        }
    }

    /// The nearest return of each sector.
    fn obstacles(&self, scan: &Scan<'_>) -> Obstacles {
        let mut obstacles = Obstacles { points_m: [DVec2::ZERO; SECTORS], count: 0 };
        let rays = scan.ranges_m.len().div_ceil(SECTORS).max(1);
        for (sector, ranges_m) in scan.ranges_m.chunks(rays).enumerate() {
            let nearest = ranges_m.iter().enumerate().filter(|(_, range_m)| range_m.is_finite());
            if let Some((ray, &range_m)) = nearest.min_by(|a, b| a.1.total_cmp(b.1)) {
                let direction_rad = scan.first_rad + (sector * rays + ray) as f64 * scan.increment_rad;
                obstacles.points_m[obstacles.count] = self.lidar.point(range_m * angle::unit(direction_rad));
                obstacles.count += 1;
            }
        }
        obstacles
    }

    /// Curvature of the arc that is taken, 1/m.
    fn arc_1_m(&self, obstacles: &Obstacles) -> f64 {
        let towards_wall_1_m = self.params.side.sign() * self.tightest_1_m;
        let arc = |number: u32| towards_wall_1_m * (1.0 - 2.0 * f64::from(number) / f64::from(ARCS - 1));
        let is_free = |curvature_1_m: f64| self.margin_m(obstacles, curvature_1_m) >= self.params.distance_m;
        match (0..ARCS).find(|&number| is_free(arc(number))) {
            Some(0) => arc(0),
            Some(number) => {
                let (mut blocked, mut free) = (arc(number - 1), arc(number));
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (blocked + free);
                    *(if is_free(middle) { &mut free } else { &mut blocked }) = middle;
                }
                free
            }
            None => {
                let margin_m = |number: &u32| self.margin_m(obstacles, arc(*number));
                (0..ARCS).max_by(|a, b| margin_m(a).total_cmp(&margin_m(b))).map_or(0.0, arc)
            }
        }
    }

    /// Distance from the farther part of an arc to the nearest obstacle, m.
    fn margin_m(&self, obstacles: &Obstacles, curvature_1_m: f64) -> f64 {
        let squares = PLACES.into_iter().flat_map(|share| {
            let place_m = arc_end(curvature_1_m, share * self.params.horizon_m).position_m;
            obstacles.points().iter().map(move |point| point.distance_squared(place_m))
        });
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }
}

impl Obstacles {
    fn points(&self) -> &[DVec2] {
        &self.points_m[..self.count]
    }
}
