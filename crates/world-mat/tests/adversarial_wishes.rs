//! A controller that wants collisions, in front of the filter `joint` with considerate feet: no limit is ever violated.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use proptest::sample::select;
use sim_core::{DVec2, Purpose, RunKey};
use sim_world::{Input, Model, Value, World};
use test_runs::{key, mat_model};
use world_mat::MatWorld;

const STEPS: u64 = 1200;
/// Side of the mat.
const MAT_MM: f64 = 400.0;
const D_R_MM: f64 = 60.0;
const D_H_MM: f64 = 100.0;
/// Fastest wish that an input may ask for.
const MAX_WISH_MM_S: f64 = 10_000.0;
/// What rounding may take from a distance, as the acceptance lines allow it.
const ROUNDING_MM: f64 = 1e-6;

/// Draws of the adversary.
const ADVERSARY: Purpose = Purpose::new(2_000_000);

/// What the adversary makes a robot wish, until it changes its mind.
#[derive(Clone, Copy, Debug)]
enum Plot {
    /// The robot's own wish.
    GivenBack,
    /// Always the same velocity.
    Straight(DVec2),
    /// There and back, a change at every step.
    Shaking(DVec2),
    /// At a foot, at this speed.
    AtFoot(usize, f64),
    /// At another robot, at this speed.
    AtRobot(usize, f64),
}

/// One plot for each robot.
struct Adversary {
    key: RunKey,
    /// Chance that a robot's plot changes in a step.
    restlessness: f64,
    plots: Vec<Plot>,
}

impl Adversary {
    fn new(seed: u64, restlessness: f64, robots: usize) -> Self {
        Self { key: RunKey { seed, run_index: 0 }, restlessness, plots: vec![Plot::GivenBack; robots] }
    }

    fn change_minds(&mut self, tick: u64, feet: usize) {
        let robots = self.plots.len();
        for (robot, plot) in self.plots.iter_mut().enumerate() {
            let mut draw = self.key.stream(ADVERSARY, robot as u64, tick);
            if draw.uniform() >= self.restlessness {
                continue;
            }
            // As often slow as fast: a wish within the limits is followed to the letter.
            let speed_mm_s = if draw.below(2) == 0 { draw.range(0.0, 250.0) } else { draw.range(0.0, MAX_WISH_MM_S) };
            let velocity_mm_s = draw.direction() * speed_mm_s;
            *plot = match draw.below(6) {
                0 => Plot::GivenBack,
                1 => Plot::Straight(velocity_mm_s),
                2 => Plot::Shaking(velocity_mm_s),
                3 => Plot::AtRobot(draw.below(robots as u64) as usize, speed_mm_s),
                _ => Plot::AtFoot(draw.below(feet as u64) as usize, speed_mm_s),
            };
        }
    }

    /// The wish of a robot; none gives it back.
    fn wish_mm_s(&self, robot: usize, robots_mm: &[DVec2], feet_mm: &[DVec2], tick: u64) -> Option<DVec2> {
        let towards = |place_mm: DVec2, speed_mm_s: f64| (place_mm - robots_mm[robot]).normalize_or_zero() * speed_mm_s;
        match self.plots[robot] {
            Plot::GivenBack => None,
            Plot::Straight(velocity_mm_s) => Some(velocity_mm_s),
            Plot::Shaking(velocity_mm_s) => Some(if tick.is_multiple_of(2) { velocity_mm_s } else { -velocity_mm_s }),
            Plot::AtFoot(foot, speed_mm_s) => Some(towards(feet_mm[foot], speed_mm_s)),
            Plot::AtRobot(other, speed_mm_s) => Some(towards(robots_mm[other], speed_mm_s)),
        }
    }

    fn rows(&self, robots_mm: &[DVec2], feet_mm: &[DVec2], tick: u64) -> Vec<[Value<'static>; 3]> {
        let row = |robot: usize| match self.wish_mm_s(robot, robots_mm, feet_mm, tick) {
            Some(wish) => [robot.into(), wish.x.into(), wish.y.into()],
            None => [robot.into(), Value::Missing, Value::Missing],
        };
        (0..self.plots.len()).map(row).collect()
    }
}

fn feet_mm(world: &MatWorld) -> Vec<DVec2> {
    (0..world.feet().len()).map(|k| world.feet().position_mm(k)).collect()
}

/// Least distance of two points that go straight from one step to the next.
fn least_mm([a_before, a]: [DVec2; 2], [b_before, b]: [DVec2; 2]) -> f64 {
    let (from, way) = (b_before - a_before, (b - a) - (b_before - a_before));
    let nearest = if way == DVec2::ZERO { 0.0 } else { (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0) };
    (from + nearest * way).length()
}

/// Checks the distances of a step apart from the measures of the world.
fn check_distances(robots_mm: [&[DVec2]; 2], feet_mm: [&[DVec2]; 2], tick: u64) -> Result<(), TestCaseError> {
    let ways = |places: [&[DVec2]; 2]| places[0].iter().zip(places[1]).map(|(&a, &b)| [a, b]).collect::<Vec<_>>();
    let (robots, feet) = (ways(robots_mm), ways(feet_mm));
    for (i, &robot) in robots.iter().enumerate() {
        for &other in &robots[..i] {
            let apart_mm = least_mm(robot, other);
            prop_assert!(apart_mm >= D_R_MM - ROUNDING_MM, "step {}: robots at {} mm", tick, apart_mm);
        }
        for &foot in &feet {
            let apart_mm = least_mm(robot, foot);
            prop_assert!(apart_mm >= D_H_MM - ROUNDING_MM, "step {}: a foot at {} mm", tick, apart_mm);
        }
    }
    Ok(())
}

/// The measures that must be zero.
const VIOLATIONS: [&str; 7] = [
    "d_r_violations",
    "d_h_violations",
    "outside_mat",
    "accel_limit_violations",
    "turn_limit_violations",
    "speed_limit_violations",
    "non_finite",
];

fn check_measures(world: &mut MatWorld) -> Result<(), TestCaseError> {
    let metrics = world.finish();
    for name in VIOLATIONS {
        let metric = metrics.iter().find(|metric| metric.name == name).unwrap();
        prop_assert_eq!(metric.value, 0.0, "{}", name);
    }
    prop_assert!(metrics.iter().all(|metric| metric.ok != Some(false)), "{:?}", metrics);
    Ok(())
}

/// Who makes the robots' wishes in a step: a row for each robot, from the places of robots and feet.
type Rows<'a> = dyn FnMut(&[DVec2], &[DVec2], u64) -> Vec<[Value<'static>; 3]> + 'a;

fn check_run(members: &str, rows_of: &mut Rows<'_>, run_index: u64) -> Result<(), TestCaseError> {
    let model = mat_model(members);
    let wishes = model.inputs().iter().position(|stream| stream.name == "wishes").unwrap();
    let mut world = MatWorld::new(model.clone(), key(run_index)).unwrap();
    for tick in 1..=STEPS {
        let (robots, feet) = (world.agents().position_mm.clone(), feet_mm(&world));
        let rows = rows_of(&robots, &feet, tick);
        let inputs = Input::rows(wishes, &rows);
        for input in &inputs {
            prop_assert_eq!(sim_run::inputs::check_input(&*model, input), Ok(()));
        }
        World::step(&mut world, &inputs).unwrap();
        check_distances([&robots, &world.agents().position_mm], [&feet, &feet_mm(&world)], tick)?;
    }
    check_measures(&mut world)
}

/// Where all robots are sent at once.
#[derive(Clone, Copy, Debug)]
enum Meeting {
    /// To a foot.
    Foot,
    /// To a point anywhere on the mat, corners and walls among them.
    Point,
    /// To the first robot.
    Robot,
    /// To one point at even steps and away from it at odd ones.
    ThereAndAway,
}

/// All robots towards one place, at one speed; both change every so many steps.
struct Conspiracy {
    key: RunKey,
    meeting: Meeting,
    every: u64,
}

impl Conspiracy {
    fn rows(&self, robots_mm: &[DVec2], feet_mm: &[DVec2], tick: u64) -> Vec<[Value<'static>; 3]> {
        let mut draw = self.key.stream(ADVERSARY, 0, tick / self.every);
        let speed_mm_s = if draw.below(2) == 0 { draw.range(0.0, 252.0) } else { MAX_WISH_MM_S };
        let point_mm = DVec2::new(draw.range(0.0, MAT_MM), draw.range(0.0, MAT_MM));
        let (place_mm, sign) = match self.meeting {
            Meeting::Foot => (feet_mm[draw.below(feet_mm.len() as u64) as usize], 1.0),
            Meeting::Point => (point_mm, 1.0),
            Meeting::Robot => (robots_mm[0], 1.0),
            Meeting::ThereAndAway => (point_mm, if tick.is_multiple_of(2) { 1.0 } else { -1.0 }),
        };
        let row = |robot: usize| {
            let wish = (place_mm - robots_mm[robot]).normalize_or_zero() * speed_mm_s * sign;
            [robot.into(), wish.x.into(), wish.y.into()]
        };
        (0..robots_mm.len()).map(row).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, max_shrink_iters: 8, ..ProptestConfig::default() })]

    #[test]
    fn no_wish_breaks_a_limit(
        drive in select(vec!["point", "differential"]),
        travel in select(vec!["core", "edge", "full"]),
        robots in 4..19_usize,
        feet in 1..3_usize,
        restlessness in select(vec![0.005, 0.05, 0.5]),
        seed in any::<u32>(),
    ) {
        let members = format!(
            r#""agents": {{"count": {robots}, "drive": "{drive}"}}, "patches": {{"count": 3}},
               "feet": {{"count": {feet}, "travel": "{travel}", "manner": "considerate"}}"#
        );
        let mut adversary = Adversary::new(u64::from(seed), restlessness, robots);
        let mut rows = |robots_mm: &[DVec2], feet_mm: &[DVec2], tick: u64| {
            adversary.change_minds(tick, feet_mm.len());
            adversary.rows(robots_mm, feet_mm, tick)
        };
        check_run(&members, &mut rows, u64::from(seed))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 8, ..ProptestConfig::default() })]

    /// All robots are sent to one foot, to one point or to one of them, at up to the fastest wish; in the extreme to another
    /// one in every step. Crowds cost the filter most, so there are fewer runs.
    #[test]
    fn no_conspiracy_breaks_a_limit(
        meeting in select(vec![Meeting::Foot, Meeting::Point, Meeting::Robot, Meeting::ThereAndAway]),
        every in select(vec![1_u64, 1, 8, 90]),
        drive in select(vec!["point", "differential"]),
        travel in select(vec!["core", "edge", "full"]),
        robots in 4..24_usize,
        feet in 1..3_usize,
        seed in any::<u32>(),
    ) {
        let members = format!(
            r#""agents": {{"count": {robots}, "drive": "{drive}"}}, "patches": {{"count": 0}},
               "feet": {{"count": {feet}, "travel": "{travel}", "idle_s": [2, 3], "manner": "considerate"}}"#
        );
        let conspiracy = Conspiracy { key: RunKey { seed: u64::from(seed), run_index: 1 }, meeting, every };
        let mut rows = |robots_mm: &[DVec2], feet_mm: &[DVec2], tick: u64| conspiracy.rows(robots_mm, feet_mm, tick);
        check_run(&members, &mut rows, u64::from(seed))?;
    }
}
