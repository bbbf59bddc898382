//! Distances between robots and to feet: the nearest at each step, the smallest along the way, and the pairs that came too near.
//!
//! A pair only matters in a step if its distance at the end is below `reach = max(limit, record) + the travels of both`. Its swept distance
//! is at least its last distance less the relative travel. So the swept distance is computed for those pairs alone, and still is exact.

use super::catalogue::{DISTANCE_TOLERANCE_MM, Table, share};
use super::events::{Event, Separation};
use super::{MeasureModel, Observation};
use crate::swept::swept_mm2;
use sim_core::grid::Span;
use sim_core::{DVec2, Grid, Tick};

/// In swarms with more than 4096 pairs, pairs farther apart than this are skipped. A larger smallest distance is then reported as not
/// available.
pub const SEARCH_RADIUS_MM: f64 = 130.0;

/// Distances that are compared side by side.
const LANES: usize = 4;
/// Number of pairs (feet included) up to which all of them are compared in each step.
pub const ALL_PAIRS_UP_TO: usize = 4096;

/// Distance at which robots are comfortable: two circles of 35 mm do not touch (reading A7).
const COMFORT_MM: f64 = 70.0;

/// Robots nearer to a foot than this count as near it.
pub(super) const NEAR_FOOT_MM: f64 = 120.0;

/// Smallest distance of two points that move straight and evenly from `a_before` to `a_after` and from `b_before` to `b_after`, mm.
#[must_use]
pub fn swept_distance_mm(a_before: DVec2, a_after: DVec2, b_before: DVec2, b_after: DVec2) -> f64 {
    swept_mm2(b_before - a_before, b_after - a_after).sqrt()
}

/// A pair that came nearer than its limit in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    pub(super) agent: u32,
    pub(super) other: u32,
    pub(super) distance_mm: f64,
}

/// The smallest swept distance so far.
#[derive(Clone, Copy, Debug)]
struct Closest {
    tick: Tick,
    agent: u32,
    other: u32,
    squared_mm2: f64,
}

impl Closest {
    const NONE: Self = Self { tick: Tick(0), agent: 0, other: 0, squared_mm2: f64::INFINITY };

    fn event(&self, separation: Separation) -> Option<Event> {
        self.squared_mm2.is_finite().then(|| Event::ClosestApproach {
            tick: self.tick,
            separation,
            agent: self.agent,
            other: self.other,
            distance_mm: self.squared_mm2.sqrt(),
        })
    }

    fn report(&self, model: &MeasureModel, table: &mut Table<'_>, names: [&'static str; 2]) {
        let found = self.squared_mm2.is_finite();
        table.push(names[0], if found { self.squared_mm2.sqrt() } else { f64::NAN });
        table.push(names[1], if found { self.tick.seconds(model.step_hz) } else { f64::NAN });
    }
}

/// One kind of pairs: its record and what came too near in the last step.
#[derive(Clone, Debug)]
struct Watch {
    limit2_mm2: f64,
    limit_mm: f64,
    closest: Closest,
    contacts: Vec<Contact>,
}

impl Watch {
    fn new(limit_mm: f64, pairs: usize) -> Self {
        let broken_below_mm = limit_mm - DISTANCE_TOLERANCE_MM;
        Self {
            limit2_mm2: broken_below_mm * broken_below_mm,
            limit_mm,
            closest: Closest::NONE,
            contacts: Vec::with_capacity(pairs),
        }
    }

    /// Square of the distance after the step beyond which no pair can matter.
    fn gate2(&self, smallest_now2: f64, travel_mm: f64) -> f64 {
        let record_mm = self.closest.squared_mm2.min(smallest_now2).sqrt();
        let gate_mm =
            self.limit_mm.max(if record_mm.is_finite() { record_mm } else { 0.0 }) + travel_mm + DISTANCE_TOLERANCE_MM;
        gate_mm * gate_mm
    }

    #[inline]
    fn record(&mut self, tick: Tick, agent: usize, other: usize, squared_mm2: f64) {
        let (agent, other) = (agent as u32, other as u32);
        if squared_mm2 < self.closest.squared_mm2 {
            self.closest = Closest { tick, agent, other, squared_mm2 };
        }
        if squared_mm2 < self.limit2_mm2 {
            self.contacts.push(Contact { agent, other, distance_mm: squared_mm2.sqrt() });
        }
    }
}

/// Nearest distances of the present and records of the past.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    robots: Watch,
    feet: Watch,
    ids: Vec<u32>,
    x_mm: Vec<f64>,
    y_mm: Vec<f64>,
    nearest_robot2: Vec<f64>,
    nearest_foot2: Vec<f64>,
    foot_nearest2: Vec<f64>,
    crowd: Option<Crowd>,
    steps: u64,
    comfortable_steps: u64,
    nearest_sum_mm: f64,
    nearest_count: u64,
    near_foot: u64,
}

/// Robots of a swarm too large for all pairs, found through a grid, and their squared distances in its order.
#[derive(Clone, Debug, Default)]
struct Crowd {
    grid: Grid,
    /// To the nearest robot of all.
    robot2: Vec<f64>,
    /// To the nearest of the robots that come later.
    later_robot2: Vec<f64>,
    /// To the nearest foot.
    foot2: Vec<f64>,
}

impl Crowd {
    /// Finds the distances of robots, and those from feet, that are no longer than the radius. Longer ones may come out, too.
    fn look(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2], radius_mm: f64, foot_nearest2: &mut [f64]) {
        let Self { grid, robot2, later_robot2, foot2 } = self;
        grid.rebuild(robots_mm, radius_mm);
        for distances in [&mut *robot2, &mut *later_robot2, &mut *foot2] {
            distances.clear();
            distances.resize(robots_mm.len(), f64::INFINITY);
        }
        grid.for_each_with_later(|slot, later| {
            let place_mm = grid.place_mm(slot);
            let [beside2, below2] = later.map(|span| lower_to_span(robot2, &span, place_mm));
            later_robot2[slot] = beside2.min(below2);
            lower(&mut robot2[slot], later_robot2[slot]);
        });
        for (&place_mm, nearest2) in feet_mm.iter().zip(foot_nearest2) {
            grid.for_each_near(place_mm, |span| lower(nearest2, lower_to_span(foot2, &span, place_mm)));
        }
    }

    /// Visits all pairs of robots with a squared distance of at most `limit2`.
    fn for_each_pair(&self, limit2: f64, mut visit: impl FnMut(usize, usize)) {
        self.grid.for_each_with_later(|slot, later| {
            if self.later_robot2[slot] <= limit2 {
                let (i, place_mm) = (self.grid.id(slot), self.grid.place_mm(slot));
                let mut found = |j: u32| visit(i.min(j) as usize, i.max(j) as usize);
                later.iter().for_each(|span| span.for_each_within(place_mm, limit2, &mut found));
            }
        });
    }
}

/// [`lower_to_distance`] for the points of a span.
fn lower_to_span(nearest2: &mut [f64], span: &Span<'_>, p: DVec2) -> f64 {
    lower_to_distance(&mut nearest2[span.first..][..span.ids.len()], span.x_mm, span.y_mm, p)
}

impl Distances {
    pub(super) fn new(model: &MeasureModel) -> Self {
        let (n, k) = (model.robots, model.feet);
        let robot_pairs = n * n.saturating_sub(1) / 2;
        let is_small = robot_pairs + n * k <= ALL_PAIRS_UP_TO;
        Self {
            robots: Watch::new(model.d_r_mm, robot_pairs.min(ALL_PAIRS_UP_TO)),
            feet: Watch::new(model.d_h_mm, (n * k).min(ALL_PAIRS_UP_TO)),
            ids: (0..n as u32).collect(),
            x_mm: vec![0.0; n],
            y_mm: vec![0.0; n],
            nearest_robot2: vec![f64::INFINITY; n],
            nearest_foot2: vec![f64::INFINITY; n],
            foot_nearest2: vec![f64::INFINITY; k],
            crowd: (!is_small).then(Crowd::default),
            steps: 0,
            comfortable_steps: 0,
            nearest_sum_mm: 0.0,
            nearest_count: 0,
            near_foot: 0,
        }
    }

    /// Computes the nearest distances of one moment.
    pub(super) fn snapshot(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2]) {
        self.look_within(robots_mm, feet_mm, SEARCH_RADIUS_MM);
    }

    fn look_within(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2], radius_mm: f64) {
        self.nearest_robot2.fill(f64::INFINITY);
        self.nearest_foot2.fill(f64::INFINITY);
        self.foot_nearest2.fill(f64::INFINITY);
        if self.crowd.is_some() {
            self.look_around(robots_mm, feet_mm, radius_mm);
        } else {
            self.look_at_all(robots_mm, feet_mm);
        }
    }

    fn look_at_all(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2]) {
        for (i, p) in robots_mm.iter().enumerate() {
            self.x_mm[i] = p.x;
            self.y_mm[i] = p.y;
        }
        let all = Span { first: 0, ids: &self.ids, x_mm: &self.x_mm, y_mm: &self.y_mm };
        for (i, &p) in robots_mm.iter().enumerate() {
            let nearest2 = lower_to_span(&mut self.nearest_robot2, &all.part(i + 1..robots_mm.len()), p);
            lower(&mut self.nearest_robot2[i], nearest2);
        }
        for (foot, &p) in feet_mm.iter().enumerate() {
            self.foot_nearest2[foot] = lower_to_span(&mut self.nearest_foot2, &all, p);
        }
    }

    fn look_around(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2], radius_mm: f64) {
        let Some(crowd) = &mut self.crowd else { return };
        crowd.look(robots_mm, feet_mm, radius_mm, &mut self.foot_nearest2);
        let radius2 = radius_mm * radius_mm;
        let within = |squared: f64| if squared <= radius2 { squared } else { f64::INFINITY };
        self.foot_nearest2.iter_mut().for_each(|squared| *squared = within(*squared));
        for ((&i, &robot2), &foot2) in crowd.grid.all().ids.iter().zip(&crowd.robot2).zip(&crowd.foot2) {
            self.nearest_robot2[i as usize] = within(robot2);
            self.nearest_foot2[i as usize] = within(foot2);
        }
    }

    /// Observes one step in which no robot travelled farther than `longest_travel_mm`.
    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>, longest_travel_mm: f64) {
        let foot_travel_mm = longest_travel(seen.feet_before_mm, seen.feet_after_mm);
        let (pair_travel_mm, foot_pair_travel_mm) = (2.0 * longest_travel_mm, longest_travel_mm + foot_travel_mm);
        let needed_mm = (model.d_r_mm + pair_travel_mm).max(model.d_h_mm + foot_pair_travel_mm) + 1.0;
        self.look_within(&seen.after.position_mm, seen.feet_after_mm, SEARCH_RADIUS_MM.max(needed_mm));
        self.robots.contacts.clear();
        self.feet.contacts.clear();
        let robot_gate2 = self.robots.gate2(smallest(&self.nearest_robot2), pair_travel_mm);
        let foot_gate2 = self.feet.gate2(smallest(&self.foot_nearest2), foot_pair_travel_mm);
        if self.crowd.is_some() {
            self.sweep_around(seen, robot_gate2, foot_gate2);
        } else {
            self.sweep_all(seen, robot_gate2, foot_gate2);
        }
        self.add_up();
    }

    fn sweep_all(&mut self, seen: &Observation<'_>, robot_gate2: f64, foot_gate2: f64) {
        let (before, after) = (&seen.before.position_mm[..], &seen.after.position_mm[..]);
        let all = Span { first: 0, ids: &self.ids, x_mm: &self.x_mm, y_mm: &self.y_mm };
        for i in (0..after.len()).filter(|&i| self.nearest_robot2[i] <= robot_gate2) {
            all.part(i + 1..after.len()).for_each_within(after[i], robot_gate2, |j| {
                let j = j as usize;
                self.robots.record(seen.tick, i, j, swept_mm2(before[j] - before[i], after[j] - after[i]));
            });
        }
        for i in 0..after.len() {
            if self.nearest_foot2[i] <= foot_gate2 {
                self.sweep_feet_of(seen, i, foot_gate2);
            }
        }
    }

    fn sweep_feet_of(&mut self, seen: &Observation<'_>, i: usize, foot_gate2: f64) {
        let (before, after) = (seen.before.position_mm[i], seen.after.position_mm[i]);
        for (foot, (&from, &to)) in seen.feet_before_mm.iter().zip(seen.feet_after_mm).enumerate() {
            if after.distance_squared(to) <= foot_gate2 {
                self.feet.record(seen.tick, i, foot, swept_mm2(from - before, to - after));
            }
        }
    }

    fn sweep_around(&mut self, seen: &Observation<'_>, robot_gate2: f64, foot_gate2: f64) {
        let Some(crowd) = &self.crowd else { return };
        let (before, after) = (&seen.before.position_mm[..], &seen.after.position_mm[..]);
        crowd.for_each_pair(robot_gate2, |i, j| {
            self.robots.record(seen.tick, i, j, swept_mm2(before[j] - before[i], after[j] - after[i]));
        });
        for (foot, (&from, &to)) in seen.feet_before_mm.iter().zip(seen.feet_after_mm).enumerate() {
            if self.foot_nearest2[foot] <= foot_gate2 {
                let mut record = |i: u32| {
                    let i = i as usize;
                    self.feet.record(seen.tick, i, foot, swept_mm2(from - before[i], to - after[i]));
                };
                crowd.grid.for_each_near(to, |span| span.for_each_within(to, foot_gate2, &mut record));
            }
        }
        // The grid has them in the order of its cells.
        for watch in [&mut self.robots, &mut self.feet] {
            watch.contacts.sort_unstable_by_key(|contact| (contact.agent, contact.other));
        }
    }

    fn add_up(&mut self) {
        self.steps += 1;
        self.comfortable_steps += u64::from(smallest(&self.nearest_robot2) >= COMFORT_MM * COMFORT_MM);
        for &squared in &self.nearest_robot2 {
            if squared.is_finite() {
                self.nearest_sum_mm += squared.sqrt();
                self.nearest_count += 1;
            }
        }
        for &squared in &self.nearest_foot2 {
            self.near_foot += u64::from(squared < NEAR_FOOT_MM * NEAR_FOOT_MM);
        }
    }

    /// Pairs of robots that came too near in the last step, in ascending order.
    pub(super) fn robot_contacts(&self) -> &[Contact] {
        &self.robots.contacts
    }

    /// Robots and feet that came too near in the last step, in ascending order.
    pub(super) fn foot_contacts(&self) -> &[Contact] {
        &self.feet.contacts
    }

    pub(super) fn nearest_robot_mm(&self, i: usize) -> Option<f64> {
        finite_root(self.nearest_robot2[i])
    }

    pub(super) fn nearest_foot_mm(&self, i: usize) -> Option<f64> {
        finite_root(self.nearest_foot2[i])
    }

    /// Squared distance from a foot to the robot nearest to it, infinite if there is none.
    pub(super) fn foot_nearest2(&self, foot: usize) -> f64 {
        self.foot_nearest2[foot]
    }

    pub(super) fn closest_events(&self) -> [Option<Event>; 2] {
        [self.robots.closest.event(Separation::RobotRobot), self.feet.closest.event(Separation::RobotFoot)]
    }

    pub(super) fn report_closest(&self, model: &MeasureModel, table: &mut Table<'_>) {
        self.robots.closest.report(model, table, ["min_robot_robot_mm", "min_robot_robot_at_s"]);
        self.feet.closest.report(model, table, ["min_robot_foot_mm", "min_robot_foot_at_s"]);
    }

    pub(super) fn report_crowd(&self, table: &mut Table<'_>) {
        table.push("comfort_share", share(self.comfortable_steps, self.steps));
        table.push("nearest_robot_mean_mm", self.nearest_sum_mm / self.nearest_count as f64);
        let looks = if self.foot_nearest2.is_empty() { 0 } else { self.steps * self.nearest_foot2.len() as u64 };
        table.push("near_foot_share", share(self.near_foot, looks));
    }
}

/// Lowers each element to the squared distance from `p`, where that is smaller; returns the smallest of these distances.
#[inline]
fn lower_to_distance(nearest2: &mut [f64], x_mm: &[f64], y_mm: &[f64], p: DVec2) -> f64 {
    // One for each lane, so that no lane waits for another.
    let mut smallest = [f64::INFINITY; LANES];
    let mut lanes = nearest2.chunks_exact_mut(LANES);
    let (mut x_lanes, mut y_lanes) = (x_mm.chunks_exact(LANES), y_mm.chunks_exact(LANES));
    for ((nearest, x), y) in (&mut lanes).zip(&mut x_lanes).zip(&mut y_lanes) {
        for lane in 0..LANES {
            let (dx, dy) = (x[lane] - p.x, y[lane] - p.y);
            let squared = dx * dx + dy * dy;
            lower(&mut nearest[lane], squared);
            lower(&mut smallest[lane], squared);
        }
    }
    let rest = lanes.into_remainder().iter_mut().zip(x_lanes.remainder()).zip(y_lanes.remainder());
    for ((nearest, &x), &y) in rest {
        let squared = p.distance_squared(DVec2::new(x, y));
        lower(nearest, squared);
        lower(&mut smallest[0], squared);
    }
    smallest.into_iter().fold(f64::INFINITY, f64::min)
}

#[inline]
fn lower(value: &mut f64, candidate: f64) {
    *value = if candidate < *value { candidate } else { *value };
}

fn smallest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn finite_root(squared: f64) -> Option<f64> {
    squared.is_finite().then(|| squared.sqrt())
}

fn longest_travel(before: &[DVec2], after: &[DVec2]) -> f64 {
    before.iter().zip(after).map(|(p, q)| p.distance_squared(*q)).fold(0.0, f64::max).sqrt()
}
