//! Goals given, and how many of them robots reach, and when.

use super::catalogue::{Table, ratio, share};
use super::{MeasureModel, Observation};
use sim_core::{DVec2, Tick};

/// Goals of all robots. A goal is given where a robot has one that it did not have a step before; it is reached when the robot's centre
/// first is within the distance of an arrival, as long as the robot has it.
#[derive(Clone, Debug)]
pub(super) struct GoalUse {
    robots: Vec<Pursuit>,
    given: u64,
    reached: u64,
    ticks_sum: u64,
}

/// A robot on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Pursuit {
    site_mm: Option<DVec2>,
    /// First step with this goal.
    since: Tick,
    has_arrived: bool,
}

impl GoalUse {
    pub(super) fn new(model: &MeasureModel) -> Self {
        Self { robots: vec![Pursuit::default(); model.robots], given: 0, reached: 0, ticks_sum: 0 }
    }

    pub(super) fn step(&mut self, seen: &Observation<'_>) {
        let Some(goals) = seen.goals else { return };
        let near2 = goals.arrival_mm() * goals.arrival_mm();
        for (i, pursuit) in self.robots.iter_mut().enumerate() {
            let site_mm = goals.site_mm(i);
            if site_mm != pursuit.site_mm {
                *pursuit = Pursuit { site_mm, since: seen.tick, has_arrived: false };
                self.given += u64::from(site_mm.is_some());
            }
            let Some(site_mm) = site_mm.filter(|_| !pursuit.has_arrived) else { continue };
            if seen.after.position_mm[i].distance_squared(site_mm) <= near2 {
                pursuit.has_arrived = true;
                self.reached += 1;
                self.ticks_sum += seen.tick.0 + 1 - pursuit.since.0;
            }
        }
    }

    pub(super) fn report(&self, model: &MeasureModel, table: &mut Table<'_>) {
        table.count("goals_given", self.given);
        table.push("goal_arrival_share", share(self.reached, self.given));
        table.push("goal_time_to_arrive_s", ratio(model.seconds(self.ticks_sum), self.reached as f64));
    }
}
