//! Distances between robots and to feet: the nearest at each step, the smallest along the way, and the pairs that came too near.
//!
//! A pair only matters in a step if its distance at the end is below `reach = max(limit, record) + the travels of both`. Its swept distance
//! is at least its last distance less the relative travel. So the swept distance is computed for those pairs alone, and still is exact.

use super::catalogue::{DISTANCE_TOLERANCE_MM, Table, share};
use super::events::{Event, Separation};
use super::{MeasureModel, Observation};
use crate::swept::swept_mm2;
use sim_core::grid::Span;
use sim_core::{DVec2, Grid, Ones, Tick};
use wide::f64x4;

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
    fn gate2(&self, travel_mm: f64) -> f64 {
        let gate_mm = self.limit_mm.max(self.closest.squared_mm2.sqrt()) + travel_mm + DISTANCE_TOLERANCE_MM;
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
    nearest: Nearest,
    steps: u64,
    comfortable_steps: u64,
    nearest_sum_mm: f64,
    nearest_count: u64,
    near_foot: u64,
}

/// Squares of the nearest distances of one moment, mm^2.
#[derive(Clone, Debug)]
struct Nearest {
    ids: Vec<u32>,
    x_mm: Vec<f64>,
    y_mm: Vec<f64>,
    /// From each robot to another one.
    robot2: Vec<f64>,
    /// From each robot to a foot.
    foot2: Vec<f64>,
    /// From each foot to a robot.
    foot_robot2: Vec<f64>,
    crowd: Option<Crowd>,
}

/// Robots of a swarm too large for all pairs, found through a grid, and their squared distances in its order.
#[derive(Clone, Debug, Default)]
struct Crowd {
    grid: Grid,
    robot2: Vec<f64>,
    foot2: Vec<f64>,
}

/// What is looked at, and how far.
#[derive(Clone, Copy, Debug)]
struct Look<'a> {
    robots_mm: &'a [DVec2],
    feet_mm: &'a [DVec2],
    /// Distance up to which the nearest ones are found.
    radius_mm: f64,
    /// Squares of the distances up to which pairs of robots are visited, and those of a robot and a foot.
    gates2: (f64, f64),
}

impl Nearest {
    fn new(robots: usize, feet: usize, is_small: bool) -> Self {
        Self {
            ids: (0..robots as u32).collect(),
            x_mm: vec![0.0; robots],
            y_mm: vec![0.0; robots],
            robot2: vec![f64::INFINITY; robots],
            foot2: vec![f64::INFINITY; robots],
            foot_robot2: vec![f64::INFINITY; feet],
            crowd: (!is_small).then(Crowd::default),
        }
    }

    /// Finds the nearest distances, and visits the near pairs of two robots, and those of a robot and a foot.
    fn look(&mut self, look: &Look<'_>, visit_robots: impl FnMut(usize, usize), visit_foot: impl FnMut(usize, usize)) {
        self.foot_robot2.fill(f64::INFINITY);
        if self.crowd.is_some() {
            self.look_around(look, visit_robots, visit_foot);
        } else {
            self.look_at_all(look, visit_robots, visit_foot);
        }
    }

    fn look_at_all(
        &mut self,
        look: &Look<'_>,
        mut visit_robots: impl FnMut(usize, usize),
        mut visit_foot: impl FnMut(usize, usize),
    ) {
        self.robot2.fill(f64::INFINITY);
        self.foot2.fill(f64::INFINITY);
        for (i, p) in look.robots_mm.iter().enumerate() {
            self.x_mm[i] = p.x;
            self.y_mm[i] = p.y;
        }
        let all = Span { first: 0, ids: &self.ids, x_mm: &self.x_mm, y_mm: &self.y_mm };
        for (i, &p) in look.robots_mm.iter().enumerate() {
            let later = all.part(i + 1..look.robots_mm.len());
            let visit = |j: u32| visit_robots(i, j as usize);
            let nearest2 = lower_to_distance(&mut self.robot2, &later, p, look.gates2.0, visit);
            lower(&mut self.robot2[i], nearest2);
        }
        for (foot, &p) in look.feet_mm.iter().enumerate() {
            let visit = |i: u32| visit_foot(i as usize, foot);
            self.foot_robot2[foot] = lower_to_distance(&mut self.foot2, &all, p, look.gates2.1, visit);
        }
    }

    fn look_around(
        &mut self,
        look: &Look<'_>,
        mut visit_robots: impl FnMut(usize, usize),
        mut visit_foot: impl FnMut(usize, usize),
    ) {
        let Some(Crowd { grid, robot2, foot2 }) = &mut self.crowd else { return };
        grid.rebuild(look.robots_mm, look.radius_mm);
        for distances in [&mut *robot2, &mut *foot2] {
            distances.clear();
            distances.resize(look.robots_mm.len(), f64::INFINITY);
        }
        let radius2 = look.radius_mm * look.radius_mm;
        let (robot_gate2, foot_gate2) = (look.gates2.0.min(radius2), look.gates2.1.min(radius2));
        grid.for_each_with_later(|slot, later| {
            let (i, place_mm) = (grid.id(slot), grid.place_mm(slot));
            for span in &later {
                let visit = |j: u32| visit_robots(i.min(j) as usize, i.max(j) as usize);
                let nearest2 = lower_to_distance(robot2, span, place_mm, robot_gate2, visit);
                lower(&mut robot2[slot], nearest2);
            }
        });
        for (foot, &place_mm) in look.feet_mm.iter().enumerate() {
            grid.for_each_near(place_mm, |span| {
                let visit = |i: u32| visit_foot(i as usize, foot);
                let nearest2 = lower_to_distance(foot2, &span, place_mm, foot_gate2, visit);
                lower(&mut self.foot_robot2[foot], nearest2);
            });
        }
        // The grid finds some that are farther away, too.
        let within = |squared: f64| if squared <= radius2 { squared } else { f64::INFINITY };
        self.foot_robot2.iter_mut().for_each(|squared| *squared = within(*squared));
        for ((&i, &robot2), &foot2) in grid.all().ids.iter().zip(&*robot2).zip(&*foot2) {
            self.robot2[i as usize] = within(robot2);
            self.foot2[i as usize] = within(foot2);
        }
    }
}

impl Distances {
    pub(super) fn new(model: &MeasureModel) -> Self {
        let (n, k) = (model.robots, model.feet);
        let robot_pairs = n * n.saturating_sub(1) / 2;
        let is_small = robot_pairs + n * k <= ALL_PAIRS_UP_TO;
        Self {
            robots: Watch::new(model.d_r_mm, robot_pairs.min(ALL_PAIRS_UP_TO)),
            feet: Watch::new(model.d_h_mm, (n * k).min(ALL_PAIRS_UP_TO)),
            nearest: Nearest::new(n, k, is_small),
            steps: 0,
            comfortable_steps: 0,
            nearest_sum_mm: 0.0,
            nearest_count: 0,
            near_foot: 0,
        }
    }

    /// Computes the nearest distances of one moment.
    pub(super) fn snapshot(&mut self, robots_mm: &[DVec2], feet_mm: &[DVec2]) {
        let look = Look { robots_mm, feet_mm, radius_mm: SEARCH_RADIUS_MM, gates2: (0.0, 0.0) };
        self.nearest.look(&look, |_, _| {}, |_, _| {});
    }

    /// Observes one step in which no robot travelled farther than `longest_travel_mm`.
    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>, longest_travel_mm: f64) {
        let foot_travel_mm = longest_travel(seen.feet_before_mm, seen.feet_after_mm);
        let (pair_travel_mm, foot_pair_travel_mm) = (2.0 * longest_travel_mm, longest_travel_mm + foot_travel_mm);
        let needed_mm = (model.d_r_mm + pair_travel_mm).max(model.d_h_mm + foot_pair_travel_mm) + 1.0;
        let (before, after) = (&seen.before.position_mm[..], &seen.after.position_mm[..]);
        let (feet_before, feet_after) = (seen.feet_before_mm, seen.feet_after_mm);
        let look = Look {
            robots_mm: after,
            feet_mm: feet_after,
            radius_mm: SEARCH_RADIUS_MM.max(needed_mm),
            gates2: (self.robots.gate2(pair_travel_mm), self.feet.gate2(foot_pair_travel_mm)),
        };
        let Self { robots, feet, nearest, .. } = self;
        robots.contacts.clear();
        feet.contacts.clear();
        let visit_robots =
            |i: usize, j: usize| robots.record(seen.tick, i, j, swept_mm2(before[j] - before[i], after[j] - after[i]));
        let visit_foot = |i: usize, foot: usize| {
            let squared_mm2 = swept_mm2(feet_before[foot] - before[i], feet_after[foot] - after[i]);
            feet.record(seen.tick, i, foot, squared_mm2);
        };
        nearest.look(&look, visit_robots, visit_foot);
        // They come foot by foot, and in the order of the grid's cells.
        for watch in [&mut self.robots, &mut self.feet] {
            watch.contacts.sort_unstable_by_key(|contact| (contact.agent, contact.other));
        }
        self.add_up();
    }

    fn add_up(&mut self) {
        self.steps += 1;
        self.comfortable_steps += u64::from(smallest(&self.nearest.robot2) >= COMFORT_MM * COMFORT_MM);
        for &squared in &self.nearest.robot2 {
            if squared.is_finite() {
                self.nearest_sum_mm += squared.sqrt();
                self.nearest_count += 1;
            }
        }
        for &squared in &self.nearest.foot2 {
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
        finite_root(self.nearest.robot2[i])
    }

    pub(super) fn nearest_foot_mm(&self, i: usize) -> Option<f64> {
        finite_root(self.nearest.foot2[i])
    }

    /// Squared distance from a foot to the robot nearest to it, infinite if there is none.
    pub(super) fn foot_nearest2(&self, foot: usize) -> f64 {
        self.nearest.foot_robot2[foot]
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
        let looks = if self.nearest.foot_robot2.is_empty() { 0 } else { self.steps * self.nearest.foot2.len() as u64 };
        table.push("near_foot_share", share(self.near_foot, looks));
    }
}

/// Lowers the element of each point of a span to the squared distance from `p`, where that is smaller; returns the smallest of these
/// distances. Visits the points whose squared distance is at most `gate2`.
#[inline]
fn lower_to_distance(nearest2: &mut [f64], span: &Span<'_>, p: DVec2, gate2: f64, mut visit: impl FnMut(u32)) -> f64 {
    let (fours, rest) = nearest2[span.first..][..span.ids.len()].as_chunks_mut::<LANES>();
    let ((x_fours, x_rest), (y_fours, y_rest)) = (span.x_mm.as_chunks(), span.y_mm.as_chunks());
    let (id_fours, id_rest) = span.ids.as_chunks::<LANES>();
    let (x, y, gates2) = (f64x4::splat(p.x), f64x4::splat(p.y), f64x4::splat(gate2));
    let mut smallest2 = f64x4::splat(f64::INFINITY);
    for (((nearest2, ids), &x_mm), &y_mm) in fours.iter_mut().zip(id_fours).zip(x_fours).zip(y_fours) {
        let (dx, dy) = (f64x4::new(x_mm) - x, f64x4::new(y_mm) - y);
        let squared = dx * dx + dy * dy;
        *nearest2 = squared.fast_min(f64x4::new(*nearest2)).to_array();
        smallest2 = squared.fast_min(smallest2);
        let near = squared.simd_le(gates2).to_bitmask();
        Ones(u64::from(near)).for_each(|lane| visit(ids[lane as usize]));
    }
    let mut smallest2 = smallest(&smallest2.to_array());
    for (((nearest2, &id), &x_mm), &y_mm) in rest.iter_mut().zip(id_rest).zip(x_rest).zip(y_rest) {
        let squared = p.distance_squared(DVec2::new(x_mm, y_mm));
        lower(nearest2, squared);
        lower(&mut smallest2, squared);
        if squared <= gate2 {
            visit(id);
        }
    }
    smallest2
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
