//! What the mat yields: its streams with their columns, and the rows of each.

use crate::cube_streams::{self, cube_stream, message_stream};
use crate::near_misses::near_miss_stream;
use crate::things::{Spot, ThingKind};
use crate::world::{MatModel, MatWorld};
use sim_core::angle::wrap_rad;
use sim_world::{Cadence, Column, RowSink, Stream, Value, World, event_stream};
use swarm_agents::measures::{FOLLOWED_MM_S, MOVING_MM_S};

/// The streams of a mat. A stream exists where there is something to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatStream {
    Agents,
    Swarm,
    Feet,
    Patches,
    Goals,
    Cubes,
    Messages,
    Target,
    Things(ThingKind),
    Events,
    NearMisses,
}

/// The streams that a model's runs yield, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    kinds: Vec<MatStream>,
    pub streams: Vec<Stream>,
}

impl Outputs {
    pub fn new(model: &MatModel) -> Self {
        let cubes = model.bodies.cubes().map_or(0, |cubes| cubes.cubes.len());
        let scripted = if model.has_goal_script() { model.agent_count } else { 0 };
        let some = |count: usize, kind, stream: fn(u64) -> Stream| (count > 0).then(|| (kind, stream(count as u64)));
        let list = [
            some(model.agent_count, MatStream::Agents, agent_stream),
            some(model.agent_count, MatStream::Swarm, |_| swarm_stream()),
            some(model.feet.params().count, MatStream::Feet, foot_stream),
            some(model.patches.params().count, MatStream::Patches, patch_stream),
            some(scripted, MatStream::Goals, goal_stream),
            (cubes > 0).then(|| (MatStream::Cubes, cube_stream(cubes as u64, !model.card_titles.is_empty()))),
            some(cubes, MatStream::Messages, |_| message_stream()),
            Some((MatStream::Target, target_stream())),
            some(model.things.count(ThingKind::Mat), MatStream::Things(ThingKind::Mat), mat_stream),
            some(model.things.count(ThingKind::Card), MatStream::Things(ThingKind::Card), card_stream),
            some(model.things.count(ThingKind::Wall), MatStream::Things(ThingKind::Wall), wall_stream),
            Some((MatStream::Events, event_stream())),
            Some((MatStream::NearMisses, near_miss_stream())),
        ];
        let (kinds, streams) = list.into_iter().flatten().unzip();
        Self { kinds, streams }
    }

    /// Place of a stream in the list.
    pub fn place(&self, kind: MatStream) -> Option<usize> {
        self.kinds.iter().position(|&known| known == kind)
    }

    /// The stream at a place.
    pub fn kind(&self, place: usize) -> Option<MatStream> {
        self.kinds.get(place).copied()
    }
}

fn agent_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("agent", "number of the robot"),
        Column::number("x_mm", "place of its centre, to the right"),
        Column::number("y_mm", "place of its centre, down"),
        Column::number("heading_rad", "where it points, from +x towards +y"),
        Column::number("speed_mm_s", "speed along its heading"),
        Column::number("omega_rad_s", "turn rate"),
        Column::number("vx_mm_s", "velocity, to the right"),
        Column::number("vy_mm_s", "velocity, down"),
        Column::number("wish_x_mm_s", "velocity that it wished, to the right"),
        Column::number("wish_y_mm_s", "velocity that it wished, down"),
        Column::number("nearest_agent_mm", "distance to the nearest other robot"),
        Column::number("nearest_foot_mm", "distance to the nearest foot"),
    ]);
    Stream::new("agents", "a robot after a step", Cadence::Sampled { owners }, columns)
}

/// One row a step for all robots; the columns are named like the measures over the whole run, as far as there is one.
fn swarm_stream() -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::number("min_robot_robot_mm", "smallest distance of two robots"),
        Column::number("nearest_robot_mean_mm", "mean distance to the nearest other robot"),
        Column::number("min_robot_foot_mm", "smallest distance of a robot and a foot"),
        Column::number("speed_mean_mm_s", "mean speed"),
        Column::number("speed_max_mm_s", "highest speed"),
        Column::number("moving_share", "share of robots faster than 10 mm/s"),
        Column::number("wish_difference_mean_mm_s", "mean difference between a velocity and its wish"),
        Column::number("wish_followed_share", "share of robots within 5 mm/s of their wish"),
        Column::integer("violations", "distances broken so far, each counted once"),
    ]);
    Stream::new("swarm", "all robots after a step", Cadence::Sampled { owners: 1 }, columns)
}

fn foot_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("foot", "number of the foot"),
        Column::text("state", "phase of its walk"),
        Column::number("x_mm", "place of its centre, to the right"),
        Column::number("y_mm", "place of its centre, down"),
        Column::number("vx_mm_s", "velocity, to the right"),
        Column::number("vy_mm_s", "velocity, down"),
    ]);
    Stream::new("feet", "a foot after a step", Cadence::Sampled { owners }, columns)
}

fn patch_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("patch", "number of the point of interest"),
        Column::number("x_mm", "place of its centre, to the right"),
        Column::number("y_mm", "place of its centre, down"),
        Column::number("sigma_mm", "standard deviation of its hill"),
        Column::number("peak", "height of its hill"),
    ]);
    Stream::new("patches", "a point of interest after a step", Cadence::Sampled { owners }, columns)
}

fn goal_stream(owners: u64) -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("agent", "number of the robot"),
        Column::integer("goal", "number of the goal among those that this robot was given, from 1"),
        Column::number("x_mm", "place that it is sent to, to the right"),
        Column::number("y_mm", "place that it is sent to, down"),
        Column::number("left_mm", "distance that its centre has left"),
    ]);
    Stream::new("goals", "the goal of a robot after a step, while it has one", Cadence::Sampled { owners }, columns)
        .sparse()
}

fn target_stream() -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::number("x_mm", "place of the pole, to the right"),
        Column::number("y_mm", "place of the pole, down"),
    ]);
    Stream::new("target", "the target pole after a step, while one stands", Cadence::Sampled { owners: 1 }, columns)
        .sparse()
}

fn mat_stream(owners: u64) -> Stream {
    let columns = thing_columns("mat", "number of the printed mat, as in mat.printed");
    Stream::new("mats", "a movable mat after a step, while it lies there", Cadence::Sampled { owners }, columns)
        .sparse()
}

fn card_stream(owners: u64) -> Stream {
    let columns = thing_columns("card", "number of the card");
    Stream::new("cards", "a movable card after a step, while it lies there", Cadence::Sampled { owners }, columns)
        .sparse()
}

fn wall_stream(owners: u64) -> Stream {
    let columns = thing_columns("wall", "number of the wall, as in mat.walls");
    Stream::new("walls", "a movable wall after a step, while it stands", Cadence::Sampled { owners }, columns).sparse()
}

fn thing_columns(word: &'static str, about: &'static str) -> impl Iterator<Item = Column> {
    Column::moment().into_iter().chain([
        Column::integer(word, about),
        Column::number("x_mm", "place of its middle, to the right"),
        Column::number("y_mm", "place of its middle, down"),
        Column::number("yaw_rad", "how it is turned, from +x towards +y"),
    ])
}

/// Hands the rows of a stream on.
pub(crate) fn rows(world: &MatWorld, stream: MatStream, out: &mut RowSink<'_>) {
    match stream {
        MatStream::Agents => agent_rows(world, out),
        MatStream::Swarm => swarm_rows(world, out),
        MatStream::Feet => foot_rows(world, out),
        MatStream::Patches => patch_rows(world, out),
        MatStream::Goals => goal_rows(world, out),
        MatStream::Cubes => cube_streams::cube_rows(world, out),
        MatStream::Messages => cube_streams::message_rows(world, out),
        MatStream::Target => target_rows(world, out),
        MatStream::Things(kind) => thing_rows(world, kind, out),
        MatStream::Events => world.event_rows(out),
        MatStream::NearMisses => world.near_miss_rows(out),
    }
}

fn agent_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    let agents = world.agents();
    for (i, wish) in world.wishes_mm_s().iter().enumerate() {
        let (place, velocity) = (agents.position_mm[i], agents.velocity_mm_s[i]);
        out(&[
            step,
            time_s,
            i.into(),
            place.x.into(),
            place.y.into(),
            agents.heading_rad[i].into(),
            agents.speed_mm_s[i].into(),
            agents.omega_rad_s[i].into(),
            velocity.x.into(),
            velocity.y.into(),
            wish.x.into(),
            wish.y.into(),
            world.inspector().nearest_robot_mm(i).into(),
            world.inspector().nearest_foot_mm(i).into(),
        ]);
    }
}

fn swarm_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    let (agents, inspector) = (world.agents(), world.inspector());
    let robots = agents.position_mm.len();
    let share = |count: usize| count as f64 / robots as f64;
    let nearest_mm = || (0..robots).filter_map(|i| inspector.nearest_robot_mm(i));
    let feet_mm = (0..robots).filter_map(|i| inspector.nearest_foot_mm(i));
    let speeds_mm_s = || agents.velocity_mm_s.iter().map(|velocity| velocity.length());
    let pairs = || agents.velocity_mm_s.iter().zip(world.wishes_mm_s());
    let differences_mm_s = || pairs().map(|(velocity, wish)| velocity.distance(*wish));
    let neighbours = nearest_mm().count();
    let nearest_mean_mm = (neighbours > 0).then(|| nearest_mm().sum::<f64>() / neighbours as f64);
    out(&[
        step,
        time_s,
        nearest_mm().reduce(f64::min).into(),
        nearest_mean_mm.into(),
        feet_mm.reduce(f64::min).into(),
        (speeds_mm_s().sum::<f64>() / robots as f64).into(),
        speeds_mm_s().fold(0.0, f64::max).into(),
        share(speeds_mm_s().filter(|&speed| speed > MOVING_MM_S).count()).into(),
        (differences_mm_s().sum::<f64>() / robots as f64).into(),
        share(differences_mm_s().filter(|&difference| difference <= FOLLOWED_MM_S).count()).into(),
        world.violations().into(),
    ]);
}

fn foot_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    let feet = world.feet();
    for k in 0..feet.len() {
        let (place, velocity) = (feet.position_mm(k), feet.velocity_mm_s(k));
        let state = feet.phase(k).as_str().into();
        let numbers = [place.x, place.y, velocity.x, velocity.y].map(Value::from);
        out(&[step, time_s, k.into(), state, numbers[0], numbers[1], numbers[2], numbers[3]]);
    }
}

fn patch_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    let patches = world.patches();
    for k in 0..patches.len() {
        let place = patches.center_mm(k);
        out(&[
            step,
            time_s,
            k.into(),
            place.x.into(),
            place.y.into(),
            patches.sigma_mm(k).into(),
            patches.peak(k).into(),
        ]);
    }
}

fn goal_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let Some(goals) = &world.state().goals else { return };
    let [step, time_s] = moment(world);
    for (i, place) in world.agents().position_mm.iter().enumerate() {
        if let Some(goal) = goals.site_mm(i) {
            out(&[
                step,
                time_s,
                i.into(),
                goals.number(i).into(),
                goal.x.into(),
                goal.y.into(),
                goal.distance(*place).into(),
            ]);
        }
    }
}

fn target_rows(world: &MatWorld, out: &mut RowSink<'_>) {
    let Some(target_mm) = world.target_mm() else { return };
    let [step, time_s] = moment(world);
    out(&[step, time_s, target_mm.x.into(), target_mm.y.into()]);
}

fn thing_rows(world: &MatWorld, kind: ThingKind, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    for (number, Spot { pose, .. }) in world.state().things.movable(kind).filter(|(_, spot)| spot.is_there) {
        let yaw_rad = wrap_rad(pose.heading_rad);
        out(&[step, time_s, number.into(), pose.position_mm.x.into(), pose.position_mm.y.into(), yaw_rad.into()]);
    }
}

/// Step and time of the last step, the first two values of a row.
pub(crate) fn moment(world: &MatWorld) -> [Value<'static>; 2] {
    [world.tick().0.into(), world.time_s().into()]
}
