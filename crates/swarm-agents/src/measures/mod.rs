//! Measures of a run, taken from every step and from between steps, never from the decimated tables.
//!
//! An [`Inspector`] observes each step once: robots and feet before and after it, the wishes, the filter's decisions. Between two steps
//! every centre moves straight and evenly by assumption. The distance of a pair is the smallest one on the way (reading A24):
//!
//! ```text
//! a = relative place before, c = relative travel in the step, s = clamp(-a.c / |c|^2, 0, 1), swept distance = |a + s c|
//! ```
//!
//! The measures, their units, bounds and order stand in [`MEASURES`]; `docs/models/measures.md` explains each of them. Sums run in
//! id order, so the figures are as repeatable as the run itself. A step allocates nothing after the buffers have grown.
//!
//! Where it stops being true: a motion that curves strongly within one step is nearer or farther than its chord. Both drives of this
//! crate move in straight lines within a step, so for them the swept distance is exact.

mod attraction;
mod catalogue;
mod distances;
mod events;
mod feet;
mod goals;
mod histogram;
mod liveliness;
mod motion;
mod pockets;
mod reuse;
mod violations;
mod wishes;

pub use catalogue::{DISTANCE_TOLERANCE_MM, LIMIT_TOLERANCE, MEASURES};
pub use distances::{SEARCH_RADIUS_MM, swept_distance_mm};
pub use events::{Event, EventRow, Party, RobotLimit, Separation};
pub use liveliness::MOVING_MM_S;
pub use wishes::FOLLOWED_MM_S;

use crate::filter::Decision;
use crate::filter::comparison::WishComparison;
use crate::goals::Goals;
use crate::{Agents, SwarmModel, Walls};
use attraction::Attraction;
use catalogue::{Table, share};
use distances::Distances;
use events::EventLog;
use feet::FootUse;
use goals::GoalUse;
use liveliness::Liveliness;
use motion::Motions;
use pockets::Pockets;
use sim_core::measure::Metric;
use sim_core::{DVec2, Rect, Tick};
use swarm_field::{FootPhase, Patches};
use violations::Episodes;
use wishes::WishUse;

/// Own coverage and the lag behind wishes are taken from this many robots, those with the smallest ids, so that memory stays linear on
/// large mats.
const TRACKED_ROBOTS: usize = 64;

/// Bounds of the measures, from the checked parameters of the swarm.
#[derive(Clone, Debug)]
pub struct MeasureModel {
    /// Number of robots.
    pub robots: usize,
    /// Number of feet.
    pub feet: usize,
    /// Where robot centres may be.
    pub bounds: Rect,
    /// What stands on the mat, with the distance that robot centres keep from it.
    pub walls: Walls,
    /// The mat.
    pub mat: Rect,
    /// Smallest allowed distance of two robot centres, mm.
    pub d_r_mm: f64,
    /// Smallest allowed distance of a robot centre and a foot centre, mm.
    pub d_h_mm: f64,
    /// Speed limit, mm/s.
    pub v_max_mm_s: f64,
    /// Limit of the change of the velocity vector, mm/s2.
    pub a_max_mm_s2: f64,
    /// Limit of the turn rate, rad/s.
    pub omega_max_rad_s: f64,
    /// Largest allowed distance of a robot from its decided motion, mm; none where it executes that motion exactly.
    pub tracking_mm: Option<f64>,
    /// Steps a second.
    pub step_hz: u32,
}

impl MeasureModel {
    /// The measures of `robots` robots and `feet` feet under the limits and clearances of `swarm`.
    #[must_use]
    pub fn new(swarm: &SwarmModel, robots: usize, feet: usize) -> Self {
        Self {
            robots,
            feet,
            bounds: swarm.bounds,
            walls: Walls::default(),
            mat: swarm.mat,
            d_r_mm: swarm.clearances.d_r_mm,
            d_h_mm: swarm.clearances.d_h_mm,
            v_max_mm_s: swarm.limits.v_max_mm_s,
            a_max_mm_s2: swarm.limits.a_max_mm_s2,
            omega_max_rad_s: swarm.limits.omega_max_rad_s,
            tracking_mm: None,
            step_hz: swarm.step_hz,
        }
    }

    fn rate_hz(&self) -> f64 {
        f64::from(self.step_hz)
    }

    fn seconds(&self, steps: u64) -> f64 {
        steps as f64 / self.rate_hz()
    }
}

/// One step as the inspector sees it. Slices run over robots or feet in id order.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The step that `after` belongs to.
    pub tick: Tick,
    /// Robots before the step.
    pub before: &'a Agents,
    /// Robots after the step.
    pub after: &'a Agents,
    /// The motions decided for this step, before and after it, where robots only follow them. The limits of motion then apply to them, and
    /// the tracking error to the robots.
    pub decided: Option<(&'a Agents, &'a Agents)>,
    /// Foot centres before the step, mm.
    pub feet_before_mm: &'a [DVec2],
    /// Foot centres after the step, mm.
    pub feet_after_mm: &'a [DVec2],
    /// Phase of each foot after the step.
    pub feet_phase: &'a [FootPhase],
    /// Wished velocities at the input of the filter in this step, mm/s.
    pub wish_mm_s: &'a [DVec2],
    /// Where robots are sent, if anywhere.
    pub goals: Option<&'a Goals>,
    /// What could be made of the wishes, in the steps that compare them.
    pub comparison: Option<&'a WishComparison>,
    /// Path speed factors of the feet in this step, 0 to 1; a missing factor counts as 1.
    pub path_speed_factors: &'a [f64],
    /// Results of the proposals; may be empty for filters without decisions.
    pub decisions: &'a [Decision],
    /// The patches of this step.
    pub patches: &'a Patches,
    /// Danger, -U_foot, at the robots; may be empty in steps that do not compute it.
    pub danger: &'a [f64],
}

/// Observes a run step by step and reports its measures at the end.
#[derive(Clone, Debug)]
pub struct Inspector {
    model: MeasureModel,
    log: EventLog,
    steps: u64,
    last_tick: Tick,
    distances: Distances,
    robot_episodes: Episodes,
    foot_episodes: Episodes,
    violating_steps: u64,
    pockets: Pockets,
    motions: Motions,
    liveliness: Liveliness,
    attraction: Attraction,
    wishes: WishUse,
    feet: FootUse,
    goals: GoalUse,
}

impl Inspector {
    /// An inspector before the first step.
    #[must_use]
    pub fn new(model: &MeasureModel) -> Self {
        Self {
            log: EventLog::with_capacity(256 + 4 * model.robots),
            steps: 0,
            last_tick: Tick(0),
            distances: Distances::new(model),
            robot_episodes: Episodes::new(Separation::RobotRobot, model.d_r_mm, model.robots, model.robots),
            foot_episodes: Episodes::new(Separation::RobotFoot, model.d_h_mm, model.robots, model.feet),
            violating_steps: 0,
            pockets: Pockets::new(model),
            motions: Motions::new(model),
            liveliness: Liveliness::new(model),
            attraction: Attraction::default(),
            wishes: WishUse::new(model),
            feet: FootUse::new(model),
            goals: GoalUse::new(model),
            model: model.clone(),
        }
    }

    /// Observes the start, so that the nearest distances of step 0 can be read. The first step is the first that counts.
    pub fn start(&mut self, agents: &Agents, feet_mm: &[DVec2]) {
        self.distances.snapshot(&agents.position_mm, feet_mm);
    }

    /// Observes one step. A step with a number that is not finite is counted as such and otherwise left out.
    ///
    /// # Panics
    /// If the observation is not of as many robots and feet as the model.
    pub fn step(&mut self, seen: &Observation<'_>) {
        assert_eq!(seen.after.position_mm.len(), self.model.robots, "robots of the observation and of the model");
        assert_eq!(seen.feet_after_mm.len(), self.model.feet, "feet of the observation and of the model");
        self.steps += 1;
        self.last_tick = seen.tick;
        if !self.motions.all_finite(seen, &mut self.log) {
            return;
        }
        self.motions.step(&self.model, seen, &mut self.log);
        self.distances.step(&self.model, seen, self.motions.longest_travel_mm());
        self.pockets.step(&self.model, seen, &mut self.log);
        self.follow_episodes(seen.tick);
        self.liveliness.step(&self.model, seen, self.motions.ways_mm());
        self.attraction.step(&self.model, seen);
        self.wishes.step(seen);
        self.feet.step(&self.model, seen, &self.distances, &self.liveliness);
        self.goals.step(seen);
    }

    fn follow_episodes(&mut self, tick: Tick) {
        let (robots, feet) = (self.distances.robot_contacts(), self.distances.foot_contacts());
        self.violating_steps += u64::from(!robots.is_empty() || !feet.is_empty());
        self.robot_episodes.step(tick, robots, &mut self.pockets, &mut self.log);
        self.foot_episodes.step(tick, feet, &mut self.pockets, &mut self.log);
    }

    /// Distance from robot `i` to the nearest other centre after the last step, mm. `None` if it is alone, or if in a swarm too large for
    /// all pairs no centre is within [`SEARCH_RADIUS_MM`].
    #[must_use]
    pub fn nearest_robot_mm(&self, i: usize) -> Option<f64> {
        self.distances.nearest_robot_mm(i)
    }

    /// Distance from robot `i` to the nearest foot centre after the last step, mm; `None` as for [`Self::nearest_robot_mm`].
    #[must_use]
    pub fn nearest_foot_mm(&self, i: usize) -> Option<f64> {
        self.distances.nearest_foot_mm(i)
    }

    /// Events since [`Self::clear_events`], in the order of their steps. Holds at least as many as 256 + 4 a robot.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.log.events()
    }

    /// Drops all events. The caller that records them calls it after each step.
    pub fn clear_events(&mut self) {
        self.log.clear();
    }

    /// Number of events that did not fit because [`Self::clear_events`] came too late. The counts of [`Self::finish`] stay complete.
    #[must_use]
    pub fn dropped_events(&self) -> u64 {
        self.log.dropped()
    }

    /// First robot or foot with a number that is not finite, and when.
    #[must_use]
    pub fn first_non_finite(&self) -> Option<(Tick, Party)> {
        self.motions.first_non_finite()
    }

    /// Ends the run: closes open episodes and adds the records of the closest approaches to the events.
    pub fn close(&mut self) {
        let end = self.last_tick.next();
        self.robot_episodes.step(end, &[], &mut self.pockets, &mut self.log);
        self.foot_episodes.step(end, &[], &mut self.pockets, &mut self.log);
        for event in self.distances.closest_events().into_iter().flatten() {
            self.log.push(event);
        }
    }

    /// The measures of all steps seen so far, in the order of [`MEASURES`].
    #[must_use]
    pub fn finish(&self) -> Vec<Metric> {
        let mut table = Table::new(&self.model);
        table.count("d_r_violations", self.robot_episodes.contacts());
        table.count("d_h_violations", self.foot_episodes.contacts());
        self.motions.report_limits(&mut table);
        self.distances.report_closest(&self.model, &mut table);
        table.count("d_r_violating_steps", self.robot_episodes.violating_steps());
        table.count("d_h_violating_steps", self.foot_episodes.violating_steps());
        table.push("violating_step_share", share(self.violating_steps, self.steps));
        table.count("d_r_episodes", self.robot_episodes.episodes());
        table.count("d_h_episodes", self.foot_episodes.episodes());
        table.push("d_r_deepest_mm", self.robot_episodes.deepest_mm());
        table.push("d_h_deepest_mm", self.foot_episodes.deepest_mm());
        self.pockets.report(&mut table);
        table.push("outside_max_mm", self.motions.outside_max_mm());
        self.distances.report_crowd(&mut table);
        self.motions.report(&self.model, &mut table);
        self.wishes.report(&self.model, &mut table);
        self.attraction.report_decisions(&mut table);
        self.liveliness.report(&self.model, self.motions.path_length_mean_mm(&self.model), &mut table);
        self.attraction.report_inner(&mut table);
        self.feet.report_reuse(&self.model, &mut table);
        self.attraction.report(&mut table);
        self.feet.report(&self.model, &mut table);
        self.goals.report(&self.model, &mut table);
        table.finish()
    }
}
