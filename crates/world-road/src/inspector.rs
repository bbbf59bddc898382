//! What a run on the road is judged by, taken from every step.
//!
//! ```text
//! distance    sum of the straight ways of the base point from step to step
//! off route   distance of the middle of the rear axle from the point of the route that it has come to
//! laps        whole lengths of its closed route that a car has come since its start
//! lap         from one pass of the first waypoint of a closed route to the next
//! ```
//! A car that has hit something stands: it drives no distance and its speed does not count any more.

use crate::driver::DriverModel;
use crate::events::RoadEvent;
use crate::model::{CarSetup, RoadModel};
use crate::world::{CarState, RoadState};
use car_sim::driver::{Progress, Pursuit, Route};
use car_sim::{Pose, Status};
use sim_core::measure::{Bound, Fold, Measure, Metric};
use sim_core::{DVec2, Tick};

/// Slower than this a car stands, m/s.
const STANDING_M_S: f64 = 1e-3;
/// So near to the end of an open route a car has arrived, m: drivers stop up to 5 mm before it.
const ARRIVED_M: f64 = 0.01;

/// All measures in table order. `docs/models/road-measures.md` says what each one means.
pub const MEASURES: &[Measure] = {
    use {Bound as B, Fold as F};
    &[
        // The acceptance lines.
        Measure::new("collisions", "count", B::ZERO, F::Sum),
        Measure::new("non_finite", "count", B::ZERO, F::Sum),
        // Motion.
        Measure::new("distance_m", "m", B::Free, F::Mean),
        Measure::new("speed_mean_m_s", "m/s", B::Free, F::Mean),
        Measure::new("speed_max_m_s", "m/s", B::Free, F::Max),
        Measure::new("yaw_rate_max_rad_s", "rad/s", B::Free, F::Max),
        Measure::new("lateral_accel_max_m_s2", "m/s2", B::Free, F::Max),
        Measure::new("standing_share", "1", B::Free, F::Mean),
        // Routes.
        Measure::new("waypoints_passed", "count", B::Free, F::Sum),
        Measure::new("laps", "count", B::Free, F::Sum),
        Measure::new("lap_mean_s", "s", B::Free, F::Mean),
        Measure::new("lap_best_s", "s", B::Free, F::Min),
        Measure::new("off_route_max_m", "m", B::Free, F::Max),
        Measure::new("off_route_mean_m", "m", B::Free, F::Mean),
    ]
};

/// What a measure is held to.
#[must_use]
pub fn limit(measure: &Measure) -> Option<f64> {
    measure.bound.limit(|_| None)
}

/// What is remembered of a car.
#[derive(Clone, Debug)]
struct CarSeen {
    base_m: DVec2,
    collided: bool,
    /// Way along its route, rounds included, m: at first and now.
    first_way_m: f64,
    way_m: f64,
    arrived: bool,
    /// Step in which the car last passed its first waypoint.
    lap_began: Option<Tick>,
}

impl CarSeen {
    fn new(setup: &CarSetup, state: &CarState) -> Self {
        let way_m = match &setup.driver {
            DriverModel::Route(pursuit) => way_m(pursuit, state.progress),
            DriverModel::None | DriverModel::Plan(_) | DriverModel::Wall(_) => 0.0,
        };
        Self {
            base_m: state.car.base(&setup.model).position_m,
            collided: state.car.status() == Status::Collision,
            first_way_m: way_m,
            way_m,
            arrived: false,
            lap_began: None,
        }
    }
}

/// Way along a route, rounds included, m.
fn way_m(pursuit: &Pursuit, progress: Progress) -> f64 {
    progress.rounds as f64 * pursuit.route().length_m() + progress.way_m
}

/// The waypoints that lie behind `before_m` and up to `now_m`; of the end of an open route the arrival tells.
fn passed(route: &Route, before_m: f64, now_m: f64) -> impl Iterator<Item = usize> + '_ {
    let length_m = route.length_m();
    let (round, rounds, points) = if route.is_closed() {
        ((before_m / length_m).floor(), 2, route.waypoints_m().len())
    } else {
        (0.0, 1, route.waypoints_m().len() - 1)
    };
    (0..rounds).flat_map(move |more| {
        let start_m = (round + f64::from(more)) * length_m;
        let ways_m = route.ways_m().iter().take(points).map(move |way_m| start_m + way_m);
        ways_m.enumerate().filter(move |&(_, way_m)| before_m < way_m && way_m <= now_m).map(|(point, _)| point)
    })
}

/// Sum, smallest and largest of numbers.
#[derive(Clone, Copy, Debug)]
struct Figures {
    count: u64,
    sum: f64,
    min: f64,
    max: f64,
}

impl Default for Figures {
    fn default() -> Self {
        Self { count: 0, sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Figures {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    fn mean(&self) -> f64 {
        share(self.sum, self.count as f64)
    }
}

/// Not a number for an empty whole.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { f64::NAN }
}

/// Watches a run. It is no part of the state.
#[derive(Clone, Debug)]
pub struct RoadInspector {
    cars: Vec<CarSeen>,
    steps: u64,
    collisions: u64,
    distance_m: f64,
    speed_max_m_s: f64,
    yaw_rate_max_rad_s: f64,
    lateral_accel_max_m_s2: f64,
    standing_car_steps: u64,
    waypoints: u64,
    /// Times of laps, s.
    laps: Figures,
    /// Distances off routes, m.
    off_route: Figures,
}

impl RoadInspector {
    pub(crate) fn new(model: &RoadModel, state: &RoadState) -> Self {
        Self {
            cars: model.cars.iter().zip(&state.cars).map(|(setup, state)| CarSeen::new(setup, state)).collect(),
            steps: 0,
            collisions: 0,
            distance_m: 0.0,
            speed_max_m_s: 0.0,
            yaw_rate_max_rad_s: 0.0,
            lateral_accel_max_m_s2: 0.0,
            standing_car_steps: 0,
            waypoints: 0,
            laps: Figures::default(),
            off_route: Figures::default(),
        }
    }

    /// Cars that have hit something.
    #[must_use]
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    /// Records a step, and what happened on routes.
    pub(crate) fn observe(&mut self, model: &RoadModel, state: &RoadState, events: &mut Vec<RoadEvent>) {
        self.steps += 1;
        for (number, (setup, car)) in model.cars.iter().zip(&state.cars).enumerate() {
            self.observe_motion(number, setup, car);
            if let DriverModel::Route(pursuit) = &setup.driver {
                let axle = Pose::new(-setup.model.params().base_to_rear_axle_m, 0.0, 0.0);
                let axle_m = car.car.base(&setup.model).compose(axle).position_m;
                self.observe_route((model.step_hz, state.tick), number, pursuit, axle_m, car.progress, events);
            }
        }
    }

    fn observe_motion(&mut self, number: usize, setup: &CarSetup, state: &CarState) {
        let seen = &mut self.cars[number];
        let base_m = state.car.base(&setup.model).position_m;
        self.distance_m += base_m.distance(seen.base_m);
        seen.base_m = base_m;
        if seen.collided {
            self.standing_car_steps += 1;
            return;
        }
        seen.collided = state.car.status() == Status::Collision;
        self.collisions += u64::from(seen.collided);
        let twist = state.car.base_twist(&setup.model);
        let (speed_m_s, yaw_rate_rad_s) = (twist.velocity_m_s.abs(), twist.yaw_rate_rad_s().abs());
        self.speed_max_m_s = self.speed_max_m_s.max(speed_m_s);
        self.yaw_rate_max_rad_s = self.yaw_rate_max_rad_s.max(yaw_rate_rad_s);
        self.lateral_accel_max_m_s2 = self.lateral_accel_max_m_s2.max(speed_m_s * yaw_rate_rad_s);
        self.standing_car_steps += u64::from(speed_m_s < STANDING_M_S);
    }

    fn observe_route(
        &mut self,
        (step_hz, tick): (u32, Tick),
        number: usize,
        pursuit: &Pursuit,
        axle_m: DVec2,
        progress: Progress,
        events: &mut Vec<RoadEvent>,
    ) {
        let (route, seen) = (pursuit.route(), &mut self.cars[number]);
        let moment = (tick, tick.seconds(step_hz));
        self.off_route.add(axle_m.distance(route.point_m(progress.way_m)));
        let (before_m, now_m) = (seen.way_m, way_m(pursuit, progress));
        seen.way_m = now_m;
        for waypoint in passed(route, before_m, now_m) {
            self.waypoints += 1;
            events.push(RoadEvent::waypoint(moment, number, waypoint));
            if route.is_closed()
                && waypoint == 0
                && let Some(began) = seen.lap_began.replace(tick)
            {
                let lap_s = Tick(tick.0 - began.0).seconds(step_hz);
                self.laps.add(lap_s);
                events.push(RoadEvent::lap(moment, number, lap_s));
            }
        }
        if !route.is_closed() && !seen.arrived && now_m >= route.length_m() - ARRIVED_M {
            seen.arrived = true;
            self.waypoints += 1;
            events.push(RoadEvent::arrival(moment, number, route.waypoints_m().len() - 1));
        }
    }

    /// The measures, in the order of [`MEASURES`].
    #[must_use]
    pub fn finish(&self, model: &RoadModel) -> Vec<Metric> {
        let car_steps = (self.steps * self.cars.len() as u64) as f64;
        let laps = model.cars.iter().zip(&self.cars).filter_map(|(setup, seen)| match &setup.driver {
            DriverModel::Route(pursuit) if pursuit.route().is_closed() => {
                Some(((seen.way_m - seen.first_way_m) / pursuit.route().length_m()).floor())
            }
            _ => None,
        });
        let has_route = self.off_route.count > 0;
        let values = [
            self.collisions as f64,
            // A number that is not finite ends a run, which then has no measures.
            0.0,
            self.distance_m,
            share(self.distance_m * f64::from(model.step_hz), car_steps),
            self.speed_max_m_s,
            self.yaw_rate_max_rad_s,
            self.lateral_accel_max_m_s2,
            share(self.standing_car_steps as f64, car_steps),
            if has_route { self.waypoints as f64 } else { f64::NAN },
            laps.reduce(|all, laps| all + laps).unwrap_or(f64::NAN),
            self.laps.mean(),
            if self.laps.count > 0 { self.laps.min } else { f64::NAN },
            if has_route { self.off_route.max } else { f64::NAN },
            self.off_route.mean(),
        ];
        let metric = |(measure, value): (&Measure, f64)| measure.metric(value, limit(measure));
        MEASURES.iter().zip(values).map(metric).collect()
    }
}
