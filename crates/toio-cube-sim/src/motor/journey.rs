//! A running `03` or `04`: legs, the turn at the end of each, and how it ends.

use super::constants::DEFAULT_TIMEOUT_S;
use super::law::{Fix, MotorLimits, SpeedPlan, approach, mix, turn, wrap_deg};
use crate::behaviour::{ArrivalRule, Behaviour, RelativeOrigin};
use crate::micros::Micros;
use crate::wire::{ErrorCode, KEEP, MotorReport, Target, TargetHeading, Travel, Turn};
use sim_core::StateHash;
use toio_hardware::MOTOR_LAG_S;

/// Which command a journey belongs to, and so which answer it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Target,
    Targets,
}

impl Kind {
    pub(super) fn answer(self, request_id: u8, code: ErrorCode) -> MotorReport {
        match self {
            Self::Target => MotorReport::Target { request_id, code },
            Self::Targets => MotorReport::Targets { request_id, code },
        }
    }
}

/// Which way to turn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Shorter,
    /// 1 clockwise, -1 counter-clockwise, with so many whole turns on top.
    Round {
        sign: f64,
        turns: f64,
    },
}

/// What to turn to on arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    None,
    Heading {
        deg: f64,
        way: Way,
    },
    /// So far from the heading on arrival, clockwise positive.
    FromArrival(f64),
}

impl Goal {
    /// Three numbers that no two goals share.
    fn numbers(self) -> [f64; 3] {
        match self {
            Self::None => [0.0, 2.0, 0.0],
            Self::FromArrival(deg) => [deg, 3.0, 0.0],
            Self::Heading { deg, way: Way::Shorter } => [deg, 0.0, 0.0],
            Self::Heading { deg, way: Way::Round { sign, turns } } => [deg, sign, turns],
        }
    }
}

/// A target with nothing left open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    x: f64,
    y: f64,
    goal: Goal,
}

/// Fills in what the targets leave as it is: from the fix at the time of writing, then each from the one before.
pub(super) fn resolve(targets: &[Target], fix: &Fix, relative: RelativeOrigin) -> Vec<Leg> {
    let here = Goal::Heading { deg: fix.deg, way: Way::Shorter };
    let mut previous = Leg { x: fix.x, y: fix.y, goal: here };
    let mut legs = Vec::with_capacity(targets.len());
    for target in targets {
        let or = |dots: u16, kept: f64| if dots == KEEP { kept } else { f64::from(dots) };
        let goal = goal_of(target.heading, previous.goal, fix, relative);
        previous = Leg { x: or(target.x, previous.x), y: or(target.y, previous.y), goal };
        legs.push(previous);
    }
    legs
}

fn goal_of(heading: TargetHeading, previous: Goal, fix: &Fix, relative: RelativeOrigin) -> Goal {
    let deg = f64::from(heading.deg());
    let round = |sign: f64| Goal::Heading { deg, way: Way::Round { sign, turns: 0.0 } };
    let relative_to = |sign: f64| match relative {
        RelativeOrigin::Arrival => Goal::FromArrival(sign * deg),
        RelativeOrigin::Writing => {
            Goal::Heading { deg: fix.deg + sign * deg, way: Way::Round { sign, turns: (deg / 360.0).floor() } }
        }
    };
    match heading.turn() {
        Turn::Shorter => Goal::Heading { deg, way: Way::Shorter },
        Turn::Clockwise => round(1.0),
        Turn::CounterClockwise => round(-1.0),
        Turn::RelativeClockwise => relative_to(1.0),
        Turn::RelativeCounterClockwise => relative_to(-1.0),
        Turn::None => Goal::None,
        Turn::AsWritten => match previous {
            Goal::Heading { deg, .. } => Goal::Heading { deg, way: Way::Shorter },
            other => other,
        },
    }
}

/// Length of the way from `fix` to the end of each leg, in dots.
fn ends_dot(legs: &[Leg], fix: &Fix) -> Vec<f64> {
    let mut from = [fix.x, fix.y];
    let mut sum = 0.0;
    let end = |leg: &Leg| {
        let [dx, dy] = [leg.x - from[0], leg.y - from[1]];
        sum += (dx * dx + dy * dy).sqrt();
        from = [leg.x, leg.y];
        sum
    };
    legs.iter().map(end).collect()
}

/// Time that a cube has been driving in a leg: a turn on the spot stops the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LegClock {
    driven: Micros,
    running_since: Option<Micros>,
}

impl LegClock {
    fn elapsed(&self, now: Micros) -> Micros {
        self.driven.after(self.running_since.map_or(Micros(0), |since| now.since(since)))
    }

    fn set_running(&mut self, now: Micros, is_running: bool) {
        self.driven = self.elapsed(now);
        self.running_since = is_running.then_some(now);
    }
}

/// What is left of a turn on the spot, followed by how the heading changes: it does not start again when the cube has turned a
/// little too far, and whole turns count.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turning {
    remaining_deg: f64,
    last_deg: f64,
}

impl Turning {
    fn start(goal: Goal, at_deg: f64, rule: ArrivalRule) -> Self {
        let remaining_deg = match goal {
            Goal::None => 0.0,
            Goal::FromArrival(deg) => deg,
            Goal::Heading { deg, way } => {
                let shorter = wrap_deg(deg - at_deg);
                match way {
                    Way::Shorter => shorter,
                    Way::Round { sign, turns } => {
                        let first =
                            if is_turned(shorter, rule) { shorter } else { sign * (sign * shorter).rem_euclid(360.0) };
                        first + sign * 360.0 * turns
                    }
                }
            }
        };
        Self { remaining_deg, last_deg: at_deg }
    }

    /// What will be left after the wheels have come to rest, if they are stopped now.
    fn rest_deg(&self, turn_deg_s: f64) -> f64 {
        self.remaining_deg - turn_deg_s * MOTOR_LAG_S
    }

    fn follow(&mut self, deg: f64) {
        self.remaining_deg -= wrap_deg(deg - self.last_deg);
        self.last_deg = deg;
    }
}

fn is_near([dx, dy]: [f64; 2], rule: ArrivalRule) -> bool {
    match rule {
        ArrivalRule::Specified => dx.abs() <= 15.0 && dy.abs() <= 15.0,
        ArrivalRule::Unity => dx * dx + dy * dy < 100.0,
    }
}

fn is_turned(remaining_deg: f64, rule: ArrivalRule) -> bool {
    match rule {
        ArrivalRule::Specified => remaining_deg.abs() <= 4.0,
        ArrivalRule::Unity => remaining_deg.abs() < 15.0,
    }
}

/// A `03` or `04` that waits for its turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) travel: Travel,
    pub(super) legs: Vec<Leg>,
}

impl Plan {
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        let Travel { request_id, timeout_s, movement, max_speed, speed_curve } = self.travel;
        let bytes = [self.kind as u8, request_id, timeout_s, movement as u8, max_speed, speed_curve as u8];
        bytes.iter().for_each(|&byte| hash.u64(byte.into()));
        hash.u64(self.legs.len() as u64);
        for leg in &self.legs {
            let [deg, sign, turns] = leg.goal.numbers();
            [leg.x, leg.y, deg, sign, turns].iter().for_each(|&value| hash.f64(value));
        }
    }
}

/// A `03` or `04` under way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Journey {
    plan: Plan,
    speed: SpeedPlan,
    /// Where each leg ends on the way, dots.
    ends_dot: Vec<f64>,
    leg_index: usize,
    leg_started: Micros,
    leg_clock: LegClock,
    turning: Option<Turning>,
}

/// What a step of a journey comes to.
pub(super) enum Progress {
    /// Commands of the left and the right wheel.
    Drive([f64; 2]),
    Ended(ErrorCode),
}

/// What a journey needs to know at every step.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) now: Micros,
    /// Present turn rate by the speed of the wheels, degrees a second, clockwise positive.
    pub(super) turn_deg_s: f64,
    pub(super) limits: &'a MotorLimits,
    pub(super) behaviour: &'a Behaviour,
}

impl Journey {
    /// Starts now: its clocks and the length of its way count from here, however long it has waited.
    pub(super) fn start(plan: Plan, fix: &Fix, now: Micros, limits: &MotorLimits) -> Self {
        let ends_dot = ends_dot(&plan.legs, fix);
        let length_dot = ends_dot.last().copied().unwrap_or_default();
        let speed = SpeedPlan::new(plan.travel.speed_curve, plan.travel.max_speed, length_dot, limits);
        let leg_clock = LegClock::default();
        Self { plan, speed, ends_dot, leg_index: 0, leg_started: now, leg_clock, turning: None }
    }

    pub(super) fn kind(&self) -> Kind {
        self.plan.kind
    }

    pub(super) fn answer(&self, code: ErrorCode) -> MotorReport {
        self.plan.kind.answer(self.plan.travel.request_id, code)
    }

    /// One step: through as many legs as are finished now.
    pub(super) fn advance(&mut self, fix: Option<&Fix>, context: Context<'_>) -> Progress {
        if self.is_late(context) {
            return Progress::Ended(ErrorCode::Timeout);
        }
        let Some(fix) = fix else { return Progress::Ended(ErrorCode::IdMissed) };
        while let Some(&leg) = self.plan.legs.get(self.leg_index) {
            if let Some(wheels) = self.drive_leg(&leg, fix, context) {
                return Progress::Drive(wheels);
            }
            self.leg_index += 1;
            self.leg_started = context.now;
            self.leg_clock = LegClock::default();
            self.turning = None;
        }
        Progress::Ended(ErrorCode::Arrived)
    }

    fn is_late(&self, context: Context<'_>) -> bool {
        let timeout_s = match self.plan.travel.timeout_s {
            0 => DEFAULT_TIMEOUT_S,
            given => given,
        };
        context.now.since(self.leg_started) > Micros::from_ms(1000 * u64::from(timeout_s))
    }

    /// Wheel commands for this leg, or none if it is finished.
    fn drive_leg(&mut self, leg: &Leg, fix: &Fix, context: Context<'_>) -> Option<[f64; 2]> {
        let limits = context.limits;
        let rule = context.behaviour.arrival;
        let offset = [leg.x - fix.x, leg.y - fix.y];
        let has_just_arrived = self.turning.is_none();
        if has_just_arrived && !is_near(offset, rule) {
            let drive = approach(self.plan.travel.movement, fix, offset, self.translation(context.now), limits);
            self.leg_clock.set_running(context.now, drive.translation != 0.0);
            return Some(mix(drive, limits));
        }
        let turning = self.turning.get_or_insert_with(|| Turning::start(leg.goal, fix.deg, rule));
        turning.follow(fix.deg);
        let looks_later = has_just_arrived && rule == ArrivalRule::Unity && turning.remaining_deg != 0.0;
        let is_estimated = rule == ArrivalRule::Specified && leg.goal != Goal::None;
        let rests_turned = !is_estimated || is_turned(turning.rest_deg(context.turn_deg_s), rule);
        if is_turned(turning.remaining_deg, rule) && rests_turned && !looks_later {
            return None;
        }
        Some(mix(turn(turning.remaining_deg, self.speed.max_speed(), limits), limits))
    }

    /// Speed of the curve at this point of the leg, command units. The part of the curve that belongs to the leg is over with it, so that a
    /// leg that takes longer than planned goes on at the speed of its end.
    fn translation(&self, now: Micros) -> f64 {
        let end_of = |legs: usize| if legs == 0 { 0.0 } else { self.ends_dot[legs - 1] };
        let [start_s, end_s] = [self.leg_index, self.leg_index + 1].map(|legs| self.speed.time_at(end_of(legs)));
        self.speed.speed((start_s + self.leg_clock.elapsed(now).seconds()).min(end_s))
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        self.plan.hash_into(hash);
        let LegClock { driven, running_since } = self.leg_clock;
        let words = [self.leg_index as u64, self.leg_started.0, driven.0, running_since.map_or(0, |since| since.0 + 1)];
        words.iter().for_each(|&word| hash.u64(word));
        // They depend on where the journey began.
        hash.f64(self.speed.acceleration());
        self.ends_dot.iter().for_each(|&end| hash.f64(end));
        hash.u64(self.turning.is_some().into());
        if let Some(Turning { remaining_deg, last_deg }) = self.turning {
            hash.f64(remaining_deg);
            hash.f64(last_deg);
        }
    }
}
