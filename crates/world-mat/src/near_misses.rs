//! The near misses of a run: for each of a few, which bodies were near it and how they moved, step by step, before and after.
//!
//! A call is a step at which a robot came nearer to its limit, D_r to another robot or D_h to a foot, than at any other step of the two
//! seconds before. A nearer step within these two seconds takes its place; so calls are two seconds apart, and the nearest step of the run
//! is always among them. Of the calls, the five with the smallest margin are kept.
//!
//! The last steps are kept in a ring, so that a call can be written down with what came before it. Its buffers get their size when it is
//! made: recording a step allocates nothing.

use crate::world::MatWorld;
use sim_core::{DVec2, Tick};
use sim_world::{Cadence, Column, RowSink, Stream, Value, World};

/// Calls that are kept.
pub const MAX_CALLS: usize = 5;

/// Time from a call back to the start of its clip, and on to its end.
const BEFORE_S: f64 = 1.0;
const AFTER_S: f64 = 0.5;

/// Least time between two calls.
const APART_S: f64 = 2.0;

/// Robots and feet further than this from the call's robot, at the call, are left out of its clip.
const REACH_MM: f64 = 150.0;

/// Most robots and feet in a clip: the nearest.
const MAX_ROBOTS: usize = 32;
const MAX_FEET: usize = 4;

/// Lengths and angles are rounded to this: clips are to be looked at, and a batch has many of them.
const DECIMALS: f64 = 1e4;

/// The stream of near misses, which comes at the end of a run.
pub(crate) fn near_miss_stream() -> Stream {
    let columns = [
        Column::integer("call", "number of the near miss, 0 the nearest"),
        Column::integer("step", "number of the step, 0 at the start"),
        Column::number("time_s", "time since the start"),
        Column::text("kind", "robot or foot"),
        Column::integer("owner", "number of the robot or foot"),
        Column::number("x_mm", "place of its centre, to the right"),
        Column::number("y_mm", "place of its centre, down"),
        Column::number("heading_rad", "where it points, from +x towards +y"),
        Column::number("vx_mm_s", "velocity, to the right"),
        Column::number("vy_mm_s", "velocity, down"),
        Column::number("distance_mm", "distance of the two of the near miss, in their own rows"),
    ];
    Stream::new("closest", "a body near a near miss, at a step", Cadence::AtEnd, columns)
}

/// Hands the clips of a run on, the nearest first.
pub(crate) fn near_miss_rows(clips: &[Clip], step_hz: u32, out: &mut RowSink<'_>) {
    let rounded = |value: f64| Value::Number((value * DECIMALS).round() / DECIMALS);
    let maybe = |value: Option<f64>| value.map_or(Value::Missing, rounded);
    for (call, clip) in clips.iter().enumerate() {
        for ClipRow { step, owner, body, distance_mm } in &clip.rows {
            let (kind, number) = match owner {
                Owner::Robot(number) => ("robot", number),
                Owner::Foot(number) => ("foot", number),
            };
            out(&[
                call.into(),
                (*step).into(),
                Tick(*step).seconds(step_hz).into(),
                kind.into(),
                Value::Integer((*number).into()),
                rounded(body.position_mm.x),
                rounded(body.position_mm.y),
                maybe(body.heading_rad),
                rounded(body.velocity_mm_s.x),
                rounded(body.velocity_mm_s.y),
                maybe(*distance_mm),
            ]);
        }
    }
}

/// Robot or foot, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A robot.
    Robot(u32),
    /// A foot.
    Foot(u32),
}

/// Where a body was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Centre.
    pub position_mm: DVec2,
    /// Heading; none for a foot.
    pub heading_rad: Option<f64>,
    /// Velocity with which it came here.
    pub velocity_mm_s: DVec2,
}

/// One body at one step of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipRow {
    /// The step.
    pub step: u64,
    /// Who.
    pub owner: Owner,
    /// Where.
    pub body: Body,
    /// Distance between the two of the call, in their own rows.
    pub distance_mm: Option<f64>,
}

/// A close call and the steps round it.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Step of the call.
    pub step: u64,
    /// The distance then, less its limit.
    pub margin_mm: f64,
    /// The robot that it happened to.
    pub robot: u32,
    /// What it came near to.
    pub other: Owner,
    /// Those who were near, step by step, in each step the robots by number and then the feet.
    pub rows: Vec<ClipRow>,
}

/// All bodies at one step.
#[derive(Clone, Debug, Default)]
struct Snapshot {
    step: u64,
    robots: Vec<Body>,
    feet: Vec<Body>,
}

/// Records the near misses of a run.
#[derive(Clone, Debug)]
pub struct NearMissRecorder {
    ring: Vec<Snapshot>,
    /// Steps recorded.
    taken: usize,
    steps_before: u64,
    steps_after: u64,
    steps_apart: u64,
    clips: Vec<Clip>,
    /// Calls kept so far: the first clips.
    kept: usize,
    /// Place of the call whose clip is not written down yet.
    pending: Option<usize>,
    near: Vec<Owner>,
    distances_mm: Vec<(f64, u32)>,
}

impl NearMissRecorder {
    /// Buffers for the runs of a world.
    #[must_use]
    pub fn new(world: &MatWorld) -> Self {
        let step_hz = f64::from(world.model().step_hz);
        let steps = |seconds: f64| (seconds * step_hz).round() as u64;
        let (steps_before, steps_after) = (steps(BEFORE_S), steps(AFTER_S));
        let moments = (steps_before + steps_after + 1) as usize;
        let (robots, feet) = (world.agents().position_mm.len(), world.feet().len());
        let moment = || Snapshot { step: 0, robots: Vec::with_capacity(robots), feet: Vec::with_capacity(feet) };
        let rows = moments * (robots.min(MAX_ROBOTS) + feet.min(MAX_FEET));
        let clip =
            || Clip { step: 0, margin_mm: 0.0, robot: 0, other: Owner::Robot(0), rows: Vec::with_capacity(rows) };
        Self {
            ring: (0..moments).map(|_| moment()).collect(),
            taken: 0,
            steps_before,
            steps_after,
            steps_apart: steps(APART_S),
            clips: (0..MAX_CALLS).map(|_| clip()).collect(),
            kept: 0,
            pending: None,
            near: Vec::with_capacity(MAX_ROBOTS + MAX_FEET),
            distances_mm: Vec::with_capacity(robots.max(feet)),
        }
    }

    /// Records the step that has just been made.
    pub fn record(&mut self, world: &MatWorld) {
        self.store(world);
        let step = world.tick().0;
        if let Some((robot, margin_mm)) = smallest_margin(world) {
            self.consider(world, step, robot, margin_mm);
        }
        if let Some(at) = self.pending.filter(|&at| self.clips[at].step + self.steps_after == step) {
            self.write_down(at);
        }
    }

    /// The calls, those with the smallest margin first; of equals, the earlier one.
    #[must_use]
    pub fn finish(mut self) -> Vec<Clip> {
        if let Some(at) = self.pending {
            self.write_down(at);
        }
        self.clips.truncate(self.kept);
        self.clips.sort_by(|a, b| a.margin_mm.total_cmp(&b.margin_mm).then(a.step.cmp(&b.step)));
        self.clips
    }

    fn store(&mut self, world: &MatWorld) {
        let at = self.taken % self.ring.len();
        self.taken += 1;
        let moment = &mut self.ring[at];
        let (agents, feet) = (world.agents(), world.feet());
        moment.step = world.tick().0;
        moment.robots.clear();
        moment.robots.extend((0..agents.position_mm.len()).map(|i| Body {
            position_mm: agents.position_mm[i],
            heading_rad: Some(agents.heading_rad[i]),
            velocity_mm_s: agents.velocity_mm_s[i],
        }));
        moment.feet.clear();
        moment.feet.extend((0..feet.len()).map(|k| Body {
            position_mm: feet.position_mm(k),
            heading_rad: None,
            velocity_mm_s: feet.velocity_mm_s(k),
        }));
    }

    /// Makes the step a call if it is nearer than what it would push out.
    fn consider(&mut self, world: &MatWorld, step: u64, robot: u32, margin_mm: f64) {
        let recent = self.clips[..self.kept].iter().position(|clip| clip.step + self.steps_apart > step);
        let worst = (0..self.kept).max_by(|&a, &b| self.clips[a].margin_mm.total_cmp(&self.clips[b].margin_mm));
        let at = match (recent, worst) {
            (Some(recent), _) if margin_mm < self.clips[recent].margin_mm => recent,
            (None, _) if self.kept < MAX_CALLS => self.kept,
            (None, Some(worst)) if margin_mm < self.clips[worst].margin_mm => worst,
            _ => return,
        };
        self.kept = self.kept.max(at + 1);
        let clip = &mut self.clips[at];
        (clip.step, clip.margin_mm, clip.robot, clip.other) = (step, margin_mm, robot, nearest_to(world, robot));
        self.pending = Some(at);
    }

    /// Copies what the ring holds of a call's time.
    fn write_down(&mut self, at: usize) {
        self.pending = None;
        let Self { ring, taken, clips, near, distances_mm, steps_before, steps_after, .. } = self;
        let clip = &mut clips[at];
        clip.rows.clear();
        let first = taken.saturating_sub(ring.len());
        let moments = || (first..*taken).map(|n| &ring[n % ring.len()]);
        let Some(call) = moments().find(|moment| moment.step == clip.step) else { return };
        choose_near(call, clip.robot, distances_mm, near);
        let steps = clip.step.saturating_sub(*steps_before)..=clip.step + *steps_after;
        for moment in moments().filter(|moment| steps.contains(&moment.step)) {
            let pair = [Owner::Robot(clip.robot), clip.other];
            let apart_mm = moment.body(pair[0]).position_mm.distance(moment.body(pair[1]).position_mm);
            clip.rows.extend(near.iter().map(|&owner| ClipRow {
                step: moment.step,
                owner,
                body: moment.body(owner),
                distance_mm: pair.contains(&owner).then_some(apart_mm),
            }));
        }
    }
}

impl Snapshot {
    fn body(&self, owner: Owner) -> Body {
        match owner {
            Owner::Robot(i) => self.robots[i as usize],
            Owner::Foot(k) => self.feet[k as usize],
        }
    }
}

/// The robot with the smallest margin to its limits, and how much that is. Beyond some distance no body is seen in large swarms.
fn smallest_margin(world: &MatWorld) -> Option<(u32, f64)> {
    let clearances = &world.model().swarm.clearances;
    let inspector = world.inspector();
    let margin_mm = |i: usize| {
        let robot = inspector.nearest_robot_mm(i).map(|distance| distance - clearances.d_r_mm);
        let foot = inspector.nearest_foot_mm(i).map(|distance| distance - clearances.d_h_mm);
        robot.into_iter().chain(foot).reduce(f64::min)
    };
    let margins = (0..world.agents().position_mm.len()).filter_map(|i| margin_mm(i).map(|margin| (i as u32, margin)));
    margins.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What leaves a robot the smallest margin.
fn nearest_to(world: &MatWorld, robot: u32) -> Owner {
    let clearances = &world.model().swarm.clearances;
    let (places_mm, feet) = (&world.agents().position_mm, world.feet());
    let from_mm = places_mm[robot as usize];
    let robots = (0..places_mm.len() as u32).filter(|&i| i != robot).map(|i| {
        let margin_mm = places_mm[i as usize].distance(from_mm) - clearances.d_r_mm;
        (Owner::Robot(i), margin_mm)
    });
    let feet = (0..feet.len()).map(|k| {
        let margin_mm = feet.position_mm(k).distance(from_mm) - clearances.d_h_mm;
        (Owner::Foot(k as u32), margin_mm)
    });
    robots.chain(feet).min_by(|a, b| a.1.total_cmp(&b.1)).map_or(Owner::Robot(robot), |(owner, _)| owner)
}

/// Fills `near` with the robots and feet round a robot: the nearest of them, each kind by number.
fn choose_near(call: &Snapshot, robot: u32, distances_mm: &mut Vec<(f64, u32)>, near: &mut Vec<Owner>) {
    let from_mm = call.robots[robot as usize].position_mm;
    near.clear();
    let mut choose = |bodies: &[Body], most: usize, owner: fn(u32) -> Owner| {
        distances_mm.clear();
        let all = bodies.iter().zip(0..).map(|(body, number)| (body.position_mm.distance(from_mm), number));
        distances_mm.extend(all.filter(|&(distance_mm, _)| distance_mm <= REACH_MM));
        distances_mm.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        distances_mm.truncate(most);
        distances_mm.sort_unstable_by_key(|&(_, number)| number);
        near.extend(distances_mm.iter().map(|&(_, number)| owner(number)));
    };
    choose(&call.robots, MAX_ROBOTS, Owner::Robot);
    choose(&call.feet, MAX_FEET, Owner::Foot);
}
