//! Events of a run: the rows of `events.csv`.

use sim_core::Tick;
use std::fmt;

/// Which of the two safety distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// Between two robots: D_r.
    RobotRobot,
    /// Between a robot and a foot: D_h.
    RobotFoot,
}

/// Which bound of a single robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotLimit {
    /// Speed, mm/s.
    Speed,
    /// Acceleration, mm/s2.
    Acceleration,
    /// Turn rate, rad/s.
    TurnRate,
    /// Distance outside the box of centres, mm.
    Outside,
}

/// A party of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    /// No party: the cell stays empty.
    None,
    /// A robot by its id.
    Agent(u32),
    /// A foot by its id.
    Foot(u32),
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Agent(id) => write!(f, "agent {id}"),
            Self::Foot(id) => write!(f, "foot {id}"),
        }
    }
}

/// Something that the inspector observed. Ids are those of robots and feet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A pair came nearer than allowed.
    ViolationBegin {
        /// First step in which it was too near.
        tick: Tick,
        /// Which distance.
        separation: Separation,
        /// Robot with the smaller id, or the robot.
        agent: u32,
        /// Robot with the larger id, or the foot.
        other: u32,
        /// Swept distance of that step, mm.
        distance_mm: f64,
        /// True if a foot had enclosed a robot of the pair in a corner: no controller can help there.
        sealed_pocket: bool,
    },
    /// The pair parted again (or the run ended).
    ViolationEnd {
        /// First step in which it was no longer too near.
        tick: Tick,
        /// Which distance.
        separation: Separation,
        /// Robot with the smaller id, or the robot.
        agent: u32,
        /// Robot with the larger id, or the foot.
        other: u32,
        /// Deepest shortfall of the episode, mm.
        depth_mm: f64,
        /// Number of steps that it lasted.
        steps: u64,
    },
    /// A robot exceeded a bound of its own; reported at the first of consecutive steps.
    LimitExceeded {
        /// The step.
        tick: Tick,
        /// Which bound.
        limit: RobotLimit,
        /// The robot.
        agent: u32,
        /// The measured value, in the unit of the bound.
        value: f64,
    },
    /// A number of a robot or a foot is not finite.
    NonFinite {
        /// The step.
        tick: Tick,
        /// The robot or foot.
        party: Party,
    },
    /// A foot near two walls enclosed robots in the corner behind it.
    PocketSealed {
        /// The step.
        tick: Tick,
        /// The foot.
        foot: u32,
        /// Number of robots inside.
        robots: u32,
    },
    /// The smallest swept distance of the whole run.
    ClosestApproach {
        /// The step at whose end it was reached or just passed.
        tick: Tick,
        /// Which distance.
        separation: Separation,
        /// Robot with the smaller id, or the robot.
        agent: u32,
        /// Robot with the larger id, or the foot.
        other: u32,
        /// The distance, mm.
        distance_mm: f64,
    },
}

/// The columns of one row of `events.csv` after `step,time_s`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventRow {
    /// Kind of event.
    pub kind: &'static str,
    /// First party.
    pub subject: Party,
    /// Second party.
    pub object: Party,
    /// Its value.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
}

impl Event {
    /// The step of the event.
    #[must_use]
    pub fn tick(&self) -> Tick {
        match *self {
            Self::ViolationBegin { tick, .. }
            | Self::ViolationEnd { tick, .. }
            | Self::LimitExceeded { tick, .. }
            | Self::NonFinite { tick, .. }
            | Self::PocketSealed { tick, .. }
            | Self::ClosestApproach { tick, .. } => tick,
        }
    }

    /// The event as a row of the table.
    #[must_use]
    pub fn row(&self) -> EventRow {
        match *self {
            Self::ViolationBegin { separation, agent, other, distance_mm, sealed_pocket, .. } => {
                pair_row(begin_kind(separation, sealed_pocket), separation, agent, other, distance_mm)
            }
            Self::ViolationEnd { separation, agent, other, depth_mm, .. } => {
                let kind = match separation {
                    Separation::RobotRobot => "d_r_violation_end",
                    Separation::RobotFoot => "d_h_violation_end",
                };
                pair_row(kind, separation, agent, other, depth_mm)
            }
            Self::LimitExceeded { limit, agent, value, .. } => {
                let (kind, unit) = match limit {
                    RobotLimit::Speed => ("speed_limit_exceeded", "mm/s"),
                    RobotLimit::Acceleration => ("accel_limit_exceeded", "mm/s2"),
                    RobotLimit::TurnRate => ("turn_limit_exceeded", "rad/s"),
                    RobotLimit::Outside => ("outside_mat", "mm"),
                };
                EventRow { kind, subject: Party::Agent(agent), object: Party::None, value, unit }
            }
            Self::NonFinite { party, .. } => {
                EventRow { kind: "non_finite", subject: party, object: Party::None, value: 1.0, unit: "count" }
            }
            Self::PocketSealed { foot, robots, .. } => EventRow {
                kind: "pocket_sealed",
                subject: Party::Foot(foot),
                object: Party::None,
                value: f64::from(robots),
                unit: "count",
            },
            Self::ClosestApproach { separation, agent, other, distance_mm, .. } => {
                let kind = match separation {
                    Separation::RobotRobot => "closest_robot_robot",
                    Separation::RobotFoot => "closest_robot_foot",
                };
                pair_row(kind, separation, agent, other, distance_mm)
            }
        }
    }
}

fn begin_kind(separation: Separation, sealed_pocket: bool) -> &'static str {
    match (separation, sealed_pocket) {
        (Separation::RobotRobot, false) => "d_r_violation_begin",
        (Separation::RobotRobot, true) => "d_r_violation_begin_in_sealed_pocket",
        (Separation::RobotFoot, false) => "d_h_violation_begin",
        (Separation::RobotFoot, true) => "d_h_violation_begin_in_sealed_pocket",
    }
}

fn pair_row(kind: &'static str, separation: Separation, agent: u32, other: u32, value: f64) -> EventRow {
    let object = match separation {
        Separation::RobotRobot => Party::Agent(other),
        Separation::RobotFoot => Party::Foot(other),
    };
    EventRow { kind, subject: Party::Agent(agent), object, value, unit: "mm" }
}

/// Events since the log was last cleared. Holds a fixed number, so that a step never allocates; events that do not fit are counted.
#[derive(Clone, Debug)]
pub(super) struct EventLog {
    events: Vec<Event>,
    capacity: usize,
    dropped: u64,
}

impl EventLog {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { events: Vec::with_capacity(capacity), capacity, dropped: 0 }
    }

    pub(super) fn push(&mut self, event: Event) {
        if self.events.len() < self.capacity {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }
}
