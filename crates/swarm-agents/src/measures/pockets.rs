//! Sealed pockets: corners that a foot closes while robots are inside (swarm reference 5.4).
//!
//! Let a foot stand `u` and `w` from two walls of the box of robot centres, both less than D_h, and farther than D_h from their corner.
//! Then the corner still has legal places, but no path leads out of them past the foot. A robot between the foot and the corner is
//! enclosed; if the foot walks on into the corner, the robot is lost whatever it does. Pockets of two feet, and those blocked by robots,
//! are ignored.

use super::catalogue::Table;
use super::distances::Contact;
use super::events::{Event, EventLog, Separation};
use super::{MeasureModel, Observation};
use sim_core::{DVec2, Rect};

/// Enclosed robots, and the violations among them.
#[derive(Clone, Debug)]
pub(super) struct Pockets {
    shut_in: Vec<bool>,
    anyone_shut_in: bool,
    sealed_by: Vec<bool>,
    sealed: u64,
    violations: u64,
}

impl Pockets {
    pub(super) fn new(model: &MeasureModel) -> Self {
        Self {
            shut_in: vec![false; model.robots],
            anyone_shut_in: false,
            sealed_by: vec![false; model.feet],
            sealed: 0,
            violations: 0,
        }
    }

    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>, log: &mut EventLog) {
        if self.anyone_shut_in {
            self.shut_in.fill(false);
            self.anyone_shut_in = false;
        }
        for (foot, &foot_mm) in seen.feet_after_mm.iter().enumerate() {
            let robots = match corner_behind(&model.bounds, foot_mm, model.d_h_mm) {
                Some(corner_mm) => self.shut_in_between(&seen.after.position_mm, foot_mm, corner_mm),
                None => 0,
            };
            if robots > 0 && !self.sealed_by[foot] {
                self.sealed += 1;
                log.push(Event::PocketSealed { tick: seen.tick, foot: foot as u32, robots });
            }
            self.sealed_by[foot] = robots > 0;
        }
    }

    fn shut_in_between(&mut self, robots_mm: &[DVec2], foot_mm: DVec2, corner_mm: DVec2) -> u32 {
        let span = Rect { min: foot_mm.min(corner_mm), max: foot_mm.max(corner_mm) };
        let mut robots = 0;
        for (shut_in, &robot_mm) in self.shut_in.iter_mut().zip(robots_mm) {
            if span.contains(robot_mm) {
                *shut_in = true;
                robots += 1;
            }
        }
        self.anyone_shut_in |= robots > 0;
        robots
    }

    /// Counts a contact if a robot of it is enclosed; true then.
    pub(super) fn note(&mut self, separation: Separation, contact: &Contact) -> bool {
        let other = separation == Separation::RobotRobot && self.shut_in[contact.other as usize];
        let shut_in = other || self.shut_in[contact.agent as usize];
        self.violations += u64::from(shut_in);
        shut_in
    }

    pub(super) fn report(&self, table: &mut Table<'_>) {
        table.count("sealed_pockets", self.sealed);
        table.count("sealed_pocket_violations", self.violations);
    }
}

/// The corner that a foot closes: both walls within reach of its disc. On its last steps into the corner, when the disc covers the corner,
/// too, the robots before it still count as enclosed.
fn corner_behind(bounds: &Rect, foot_mm: DVec2, d_h_mm: f64) -> Option<DVec2> {
    let wall = |at: f64, low: f64, high: f64| {
        if at > low && at - low < d_h_mm {
            Some(low)
        } else if at < high && high - at < d_h_mm {
            Some(high)
        } else {
            None
        }
    };
    let x = wall(foot_mm.x, bounds.min.x, bounds.max.x)?;
    let y = wall(foot_mm.y, bounds.min.y, bounds.max.y)?;
    Some(DVec2::new(x, y))
}
