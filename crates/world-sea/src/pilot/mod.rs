//! Who drives a vehicle: commands by the clock, headings and depths, a route, places in the air. A driver knows what sensors told.

mod helm;
mod navigator;

pub use helm::{Gains, Helm};
pub(crate) use navigator::Heard;
pub use navigator::Navigator;

use helm::Autopilots;
use sea_sim::actuator::MAX_ACTUATORS;
use sea_sim::driver::{Geometric, Level, Readings, Route, RouteProgress, Target, Timed, Waypoint};
use sim_core::{DVec3, StateHash, Tick};

/// What a driver asks of each actuator; none: nothing.
pub type Orders = [Option<f64>; MAX_ACTUATORS];

/// Which actuators are in hands from outside.
pub(crate) type Held = [bool; MAX_ACTUATORS];

/// A driver. Fixed for a run.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a vehicle has one")]
pub enum DriverModel {
    /// None.
    None,
    /// Commands by the clock.
    Commands {
        /// The list.
        timed: Timed,
        /// Whether commands in force are given again at each step, so that no actuator misses them. A hydrofoil takes a second stop
        /// for another one.
        is_repeated: bool,
    },
    /// Headings and depths, or a route.
    Steer(Steering),
    /// Places in the air.
    Hover(Hover),
}

impl DriverModel {
    /// Its route; none if it follows none.
    pub(crate) fn route(&self) -> Option<&Route> {
        match self {
            Self::Steer(Steering { plan: Plan::Route(route, _), .. }) => Some(route),
            _ => None,
        }
    }

    /// Whether it can steer for depths.
    pub(crate) fn can_dive(&self) -> bool {
        matches!(self, Self::Steer(Steering { helm, .. }) if !helm.levelled_by(None).is_empty())
    }
}

/// A driver that steers.
#[derive(Clone, Debug)]
pub struct Steering {
    /// How the vehicle is steered.
    pub helm: Helm,
    /// Where to.
    pub plan: Plan,
    /// How the autopilots are set.
    pub gains: Gains,
}

/// Where to steer.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Headings and depths, in the order of their steps.
    Setpoints(Vec<TimedSetpoint>),
    /// A route, and how fast.
    Route(Route, f64),
}

/// What to steer for. What is none is left as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setpoint {
    /// Yaw, rad.
    pub yaw_rad: Option<f64>,
    /// Depth or altitude.
    pub level: Option<Level>,
    /// Command of the propellers, or whatever is fast for the vehicle.
    pub speed: Option<f64>,
    /// Place of a quadrotor, m.
    pub place_m: Option<DVec3>,
}

/// A setpoint and the step from which it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedSetpoint {
    /// The step.
    pub step: u64,
    /// What to steer for.
    pub setpoint: Setpoint,
}

/// A driver of a quadrotor.
#[derive(Clone, Debug)]
pub struct Hover {
    /// The controller.
    pub geometric: Geometric,
    /// Its rotors: front, right, back, left.
    pub rotors: [usize; 4],
    /// Places in the order of their steps.
    pub plan: Vec<TimedTarget>,
}

/// A place and the step from which it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedTarget {
    /// The step.
    pub step: u64,
    /// The place.
    pub target: Target,
}

impl Setpoint {
    /// This one where it says something, `other` where it does not.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            yaw_rad: self.yaw_rad.or(other.yaw_rad),
            level: self.level.or(other.level),
            speed: self.speed.or(other.speed),
            place_m: self.place_m.or(other.place_m),
        }
    }

    fn hash_into(&self, hash: &mut StateHash) {
        let (depth_m, altitude_m) = match self.level {
            Some(Level::DepthM(depth_m)) => (Some(depth_m), None),
            Some(Level::AltitudeM(altitude_m)) => (None, Some(altitude_m)),
            None => (None, None),
        };
        let place_m = [0, 1, 2].map(|axis| self.place_m.map(|place_m| place_m[axis]));
        for value in [self.yaw_rad, depth_m, altitude_m, self.speed].into_iter().chain(place_m) {
            hash_option(value, hash);
        }
    }
}

fn hash_option(value: Option<f64>, hash: &mut StateHash) {
    hash.u64(u64::from(value.is_some()));
    hash.f64(value.unwrap_or_default());
}

/// How far a driver has come, and what it believes.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// Entries of its list that have begun.
    given: usize,
    /// Commands of its list in force.
    standing: Orders,
    /// What its own list asks for.
    own: Setpoint,
    /// What came from outside, which takes the place of its own.
    outside: Setpoint,
    /// Steps since the last of it.
    outside_age: u64,
    /// What it steers for.
    goal: Setpoint,
    progress: Option<RouteProgress>,
    has_arrived: bool,
    autopilots: Autopilots,
    /// Where it believes to be.
    pub navigator: Navigator,
}

/// What happened on a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// The waypoint with this number.
    Waypoint(usize),
    /// The last waypoint.
    End(usize),
}

/// What was passed in a step: waypoints in their order, then the end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passes {
    first: usize,
    count: usize,
    /// Waypoints of the route.
    of: usize,
    end: Option<usize>,
}

impl Passes {
    pub fn each(self) -> impl Iterator<Item = Passed> {
        let Self { first, count, of, end } = self;
        (first..first + count).map(move |number| Passed::Waypoint(number % of)).chain(end.map(Passed::End))
    }
}

impl Pilot {
    /// A driver at the start of a run, of a vehicle at a place, m.
    #[must_use]
    pub fn start(driver: &DriverModel, place_m: DVec3) -> Self {
        let (mut progress, mut autopilots) = (None, Autopilots::default());
        if let DriverModel::Steer(Steering { plan, gains, .. }) = driver {
            autopilots = Autopilots::start(gains);
            if let Plan::Route(route, _) = plan {
                progress = Some(route.start(place_m.truncate()));
            }
        }
        Self {
            given: 0,
            standing: [None; MAX_ACTUATORS],
            own: Setpoint::default(),
            outside: Setpoint::default(),
            outside_age: 0,
            goal: Setpoint::default(),
            progress,
            has_arrived: false,
            autopilots,
            navigator: Navigator::start(place_m, Tick(0)),
        }
    }

    /// What it steers for.
    #[must_use]
    pub fn goal(&self) -> &Setpoint {
        &self.goal
    }

    /// The waypoint ahead on its route: its number and itself; none without a route.
    pub(crate) fn waypoint<'a>(&self, driver: &'a DriverModel) -> Option<(usize, &'a Waypoint)> {
        Some((self.given, driver.route()?.waypoints().get(self.given)?))
    }

    /// What of its goal its driver really steers for. An actuator in hands from outside obeys no driver, and no helm does what it has no
    /// actuators for.
    pub(crate) fn steered(&self, driver: &DriverModel, is_held: &Held) -> Setpoint {
        let is_free = |actuators: &[usize]| !actuators.is_empty() && actuators.iter().all(|&place| !is_held[place]);
        let (turns, levels) = match driver {
            DriverModel::None | DriverModel::Commands { .. } => (false, false),
            DriverModel::Steer(Steering { helm, .. }) => {
                let speed = self.goal.speed;
                (is_free(helm.turned_by(speed)), is_free(helm.levelled_by(speed)))
            }
            DriverModel::Hover(hover) => (is_free(&hover.rotors), false),
        };
        let Setpoint { yaw_rad, level, .. } = self.goal;
        Setpoint { yaw_rad: yaw_rad.filter(|_| turns), level: level.filter(|_| levels), ..self.goal }
    }

    /// Takes a setpoint from outside; one that says nothing gives the vehicle back to its own list.
    pub(crate) fn take(&mut self, setpoint: Setpoint) {
        let is_empty = setpoint == Setpoint::default();
        self.outside = if is_empty { setpoint } else { setpoint.or(self.outside) };
        self.outside_age = 0;
    }

    /// Steers for nothing, whatever it was asked: it is off.
    pub(crate) fn rest(&mut self) {
        (self.outside, self.goal) = Default::default();
    }

    /// Lets what came from outside grow older. Its age in steps if it has just been forgotten.
    pub(crate) fn watch(&mut self, watchdog_steps: Option<u64>) -> Option<u64> {
        if self.outside == Setpoint::default() {
            return None;
        }
        let age = self.outside_age;
        let is_silent = watchdog_steps.is_some_and(|steps| age > steps);
        if is_silent {
            self.outside = Setpoint::default();
        }
        self.outside_age += 1;
        is_silent.then_some(age)
    }

    /// Forgets where it came from: the vehicle is at another place from a step on, and a route begins again.
    pub(crate) fn move_to(&mut self, driver: &DriverModel, place_m: DVec3, since: Tick) {
        self.navigator = Navigator::start(place_m, since);
        if let DriverModel::Steer(Steering { plan: Plan::Route(route, _), .. }) = driver {
            self.progress = Some(route.start(place_m.truncate()));
            (self.given, self.has_arrived) = (0, false);
        }
    }

    /// What it asks for in the step that begins after `step` others, and what it passed.
    pub(crate) fn decide(
        &mut self,
        driver: &DriverModel,
        seen: &Readings,
        (step, step_s): (u64, f64),
    ) -> (Orders, Passes) {
        match driver {
            DriverModel::None => ([None; MAX_ACTUATORS], Passes::default()),
            DriverModel::Commands { timed, is_repeated } => {
                if !is_repeated {
                    self.standing = [None; MAX_ACTUATORS];
                }
                let due = timed.due(self.given, step);
                for command in due {
                    self.standing[command.actuator] = Some(command.value);
                }
                self.given += due.len();
                (self.standing, Passes::default())
            }
            DriverModel::Steer(steering) => {
                let passed = self.plan(&steering.plan, seen, step);
                self.goal = self.outside.or(self.own);
                (self.autopilots.steer(&steering.helm, &self.goal, seen, step_s), passed)
            }
            DriverModel::Hover(hover) => (self.hover(hover, seen, step), Passes::default()),
        }
    }

    /// Brings its own setpoint up to date.
    fn plan(&mut self, plan: &Plan, seen: &Readings, step: u64) -> Passes {
        match plan {
            Plan::Setpoints(list) => {
                while let Some(next) = list.get(self.given).filter(|next| next.step <= step) {
                    self.own = next.setpoint.or(self.own);
                    self.given += 1;
                }
                Passes::default()
            }
            Plan::Route(route, speed) => self.follow(route, *speed, seen),
        }
    }

    fn follow(&mut self, route: &Route, speed: f64, seen: &Readings) -> Passes {
        let (Some(progress), Some(place_m)) = (&mut self.progress, seen.position_m) else { return Passes::default() };
        let guidance = route.guide(progress, place_m.truncate());
        let is_end = guidance.is_finished && !self.has_arrived;
        let end = is_end.then_some(guidance.waypoint);
        let passes = Passes { first: self.given, count: guidance.passed, of: route.waypoints().len(), end };
        self.given = guidance.waypoint;
        self.has_arrived |= guidance.is_finished;
        let speed = if self.has_arrived { 0.0 } else { speed };
        self.own = Setpoint {
            yaw_rad: if self.has_arrived { self.own.yaw_rad } else { Some(guidance.yaw_rad) },
            level: Some(guidance.level),
            speed: Some(speed),
            place_m: None,
        };
        passes
    }

    fn hover(&mut self, hover: &Hover, seen: &Readings, step: u64) -> Orders {
        while hover.plan.get(self.given).is_some_and(|next| next.step <= step) {
            self.given += 1;
        }
        let mut orders = [None; MAX_ACTUATORS];
        let Some(own) = self.given.checked_sub(1).and_then(|last| hover.plan.get(last)) else { return orders };
        let target = Target {
            position_m: self.outside.place_m.unwrap_or(own.target.position_m),
            yaw_rad: self.outside.yaw_rad.unwrap_or(own.target.yaw_rad),
            ..own.target
        };
        self.goal = Setpoint { yaw_rad: Some(target.yaw_rad), place_m: Some(target.position_m), ..Setpoint::default() };
        if let Some(speeds) = hover.geometric.decide(&target, seen) {
            hover.rotors.iter().zip(speeds).for_each(|(&rotor, speed)| orders[rotor] = Some(speed));
        }
        orders
    }

    /// Puts the state into a hash.
    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.given as u64);
        hash.u64(self.outside_age);
        hash.u64(u64::from(self.has_arrived));
        self.standing.iter().for_each(|&order| hash_option(order, hash));
        [self.own, self.outside, self.goal].iter().for_each(|setpoint| setpoint.hash_into(hash));
        if let Some(progress) = &self.progress {
            progress.hash_into(hash);
        }
        self.autopilots.hash_into(hash);
        self.navigator.hash_into(hash);
    }
}
