//! Measures of the mat, each worked out once more from the rows of every step by the definitions of docs/models/measures.md.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{STEP_HZ, assert_near, numbers, start, texts, vectors, walk};
use sim_core::{DVec2, angle};
use sim_world::World;
use std::collections::BTreeMap;
use world_mat::MatWorld;

const D_R_MM: f64 = 60.0;
const D_H_MM: f64 = 100.0;
const TOLERANCE_MM: f64 = 1e-6;
/// Faster than this a robot moves, mm/s.
const MOVING_MM_S: f64 = 10.0;
/// The mat of 400 mm less the wall margin of 16 mm.
const BOX_MM: [f64; 2] = [16.0, 384.0];

/// Bodies after a step.
#[derive(Clone)]
struct Moment {
    robots_mm: Vec<DVec2>,
    feet_mm: Vec<DVec2>,
    headings_rad: Vec<f64>,
    velocities_mm_s: Vec<DVec2>,
    wishes_mm_s: Vec<DVec2>,
}

impl Moment {
    fn of(world: &MatWorld) -> Self {
        let has_feet = !world.feet().is_empty();
        Self {
            robots_mm: vectors(world, "agents", ["x_mm", "y_mm"]),
            feet_mm: if has_feet { vectors(world, "feet", ["x_mm", "y_mm"]) } else { Vec::new() },
            headings_rad: numbers(world, "agents", "heading_rad"),
            velocities_mm_s: vectors(world, "agents", ["vx_mm_s", "vy_mm_s"]),
            wishes_mm_s: vectors(world, "agents", ["wish_x_mm_s", "wish_y_mm_s"]),
        }
    }

    /// Distance of a robot from the nearest of some places, without its own.
    fn nearest_mm(&self, robot: usize, others: &[DVec2], own: Option<usize>) -> f64 {
        let others = others.iter().enumerate().filter(|(number, _)| Some(*number) != own);
        others.map(|(_, place)| place.distance(self.robots_mm[robot])).fold(f64::INFINITY, f64::min)
    }
}

/// A run by its rows and its measures.
struct Run {
    moments: Vec<Moment>,
    measures: BTreeMap<&'static str, f64>,
    events: Vec<(String, String, String, f64)>,
}

fn run(members: &str, steps: u64) -> Run {
    let mut world = start(members);
    let mut moments = vec![Moment::of(&world)];
    let mut events = Vec::new();
    for _ in 0..steps {
        walk(&mut world, 1);
        moments.push(Moment::of(&world));
        let parties = texts(&world, "events", "subject").into_iter().zip(texts(&world, "events", "object"));
        let values = texts(&world, "events", "kind").into_iter().zip(numbers(&world, "events", "value"));
        events.extend(parties.zip(values).map(|((subject, object), (kind, value))| (kind, subject, object, value)));
    }
    let measures = world.finish().into_iter().map(|metric| (metric.name, metric.value)).collect();
    Run { moments, measures, events }
}

impl Run {
    fn expect(&self, name: &str, expected: f64, tolerance: f64) {
        assert_near(self.measures[name], expected, tolerance, name);
    }

    fn steps(&self) -> impl Iterator<Item = (&Moment, &Moment)> {
        self.moments.iter().zip(&self.moments[1..])
    }

    /// Mean over all robots in all steps.
    fn mean(&self, of: impl Fn(&Moment, &Moment, usize) -> f64) -> f64 {
        let robots = self.moments[0].robots_mm.len();
        let values: Vec<f64> = self
            .steps()
            .flat_map(|(before, now)| (0..robots).map(|robot| of(before, now, robot)).collect::<Vec<_>>())
            .collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    fn most(&self, of: impl Fn(&Moment, &Moment, usize) -> f64) -> f64 {
        let robots = self.moments[0].robots_mm.len();
        self.steps()
            .flat_map(|(before, now)| (0..robots).map(|robot| of(before, now, robot)).collect::<Vec<_>>())
            .fold(0.0, f64::max)
    }

    /// Swept distances of the pairs of a step: of robots, or of robots and feet.
    fn swept_mm(&self, with_feet: bool) -> Vec<BTreeMap<(usize, usize), f64>> {
        let of_step = |(before, now): (&Moment, &Moment)| {
            let mut pairs = BTreeMap::new();
            for robot in 0..now.robots_mm.len() {
                let (others_before, others, first) = if with_feet {
                    (&before.feet_mm, &now.feet_mm, 0)
                } else {
                    (&before.robots_mm, &now.robots_mm, robot + 1)
                };
                for other in first..others.len() {
                    let (a, b) = (others_before[other] - before.robots_mm[robot], others[other] - now.robots_mm[robot]);
                    pairs.insert((robot, other), swept_mm(a, b));
                }
            }
            pairs
        };
        self.steps().map(of_step).collect()
    }
}

/// Least length of a vector that goes evenly from one value to another: `|a + s c|` with `s = clamp(-a.c / |c|^2, 0, 1)`.
fn swept_mm(from: DVec2, to: DVec2) -> f64 {
    let way = to - from;
    let share = if way == DVec2::ZERO { 0.0 } else { (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0) };
    (from + share * way).length()
}

fn share(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// A crowd without a filter and a foot that never waits, so that distances are broken, now and then.
const CARELESS: &str = r#""agents": {"count": 12, "sigma_v": 3}, "safety": {"filter": "none"},
    "feet": {"count": 2, "travel": "full", "idle_s": [2, 2.5]}"#;

#[test]
fn violations_are_those_of_swept_distances() {
    let run = run(CARELESS, 1200);
    let mut violating = vec![false; 1200];
    for (kind, with_feet, limit_mm) in [("r", false, D_R_MM), ("h", true, D_H_MM)] {
        let swept = run.swept_mm(with_feet);
        let is_broken = |distance: f64| distance < limit_mm - TOLERANCE_MM;
        let pairs: usize = swept.iter().map(|pairs| pairs.values().filter(|mm| is_broken(**mm)).count()).sum();
        assert!(pairs > 0, "the run breaks D_{kind}");
        run.expect(&format!("d_{kind}_violations"), pairs as f64, 0.0);
        let least = swept.iter().flat_map(BTreeMap::values).copied().fold(f64::INFINITY, f64::min);
        let name = if with_feet { "min_robot_foot_mm" } else { "min_robot_robot_mm" };
        run.expect(name, least, TOLERANCE_MM);
        run.expect(&format!("d_{kind}_deepest_mm"), limit_mm - least, TOLERANCE_MM);
        let step = swept.iter().position(|pairs| pairs.values().any(|mm| *mm == least)).unwrap() + 1;
        run.expect(&name.replace("_mm", "_at_s"), step as f64 / STEP_HZ, 1e-9);

        let mut steps = 0;
        for (step, pairs) in swept.iter().enumerate() {
            let is_violating = pairs.values().any(|mm| is_broken(*mm));
            steps += usize::from(is_violating);
            violating[step] |= is_violating;
        }
        run.expect(&format!("d_{kind}_violating_steps"), steps as f64, 0.0);
        // An episode begins where the same two were not too near in the step before.
        let episodes: usize = (0..swept.len())
            .map(|step| {
                let begins = |pair: &(usize, usize)| step == 0 || !is_broken(swept[step - 1][pair]);
                swept[step].iter().filter(|(pair, mm)| is_broken(**mm) && begins(pair)).count()
            })
            .sum();
        run.expect(&format!("d_{kind}_episodes"), episodes as f64, 0.0);
        let begun = run.events.iter().filter(|event| event.0.starts_with(&format!("d_{kind}_violation_begin"))).count();
        assert_eq!(begun, episodes, "events of D_{kind}");
    }
    let share = violating.iter().filter(|is| **is).count() as f64 / 1200.0;
    run.expect("violating_step_share", share, 1e-12);
}

/// Each violation that begins is told with its first swept distance, and with the depth of its episode when it ends.
#[test]
fn events_tell_of_the_depth_of_an_episode() {
    let run = run(CARELESS, 900);
    let swept = run.swept_mm(false);
    let of = |pair: (usize, usize)| (format!("agent {}", pair.0), format!("agent {}", pair.1));
    let mut told = run.events.iter().filter(|event| event.0.starts_with("d_r_violation_end"));
    let mut ends = 0;
    let mut deepest: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for pairs in &swept {
        let mut ended: Vec<_> = Vec::new();
        for (pair, &mm) in pairs {
            if mm < D_R_MM - TOLERANCE_MM {
                let deep = deepest.entry(*pair).or_insert(0.0);
                *deep = deep.max(D_R_MM - mm);
            } else if let Some(deep) = deepest.remove(pair) {
                ended.push((of(*pair), deep));
            }
        }
        for _ in 0..ended.len() {
            let (_, subject, object, value) = told.next().unwrap();
            let at = ended.iter().position(|(names, _)| names == &(subject.clone(), object.clone())).unwrap();
            assert_near(*value, ended.swap_remove(at).1, TOLERANCE_MM, "depth");
            ends += 1;
        }
    }
    assert!(ends > 3, "{ends} episodes end");
    // Those that go on at the end of the run have no end.
    assert!(told.next().is_none());
}

#[test]
fn nearness_is_that_of_the_rows() {
    let run = run(r#""agents": {"count": 12}, "feet": {"count": 2, "travel": "full", "manner": "considerate"}"#, 900);
    run.expect(
        "nearest_robot_mean_mm",
        run.mean(|_, now, robot| now.nearest_mm(robot, &now.robots_mm, Some(robot))),
        1e-6,
    );
    run.expect(
        "near_foot_share",
        run.mean(|_, now, robot| share(now.nearest_mm(robot, &now.feet_mm, None) < 120.0)),
        1e-9,
    );
    let apart = |now: &Moment| (0..12).all(|robot| now.nearest_mm(robot, &now.robots_mm, Some(robot)) >= 70.0);
    let comfort = run.steps().filter(|(_, now)| apart(now)).count() as f64 / 900.0;
    run.expect("comfort_share", comfort, 1e-9);
    let at_wall = |place: DVec2| {
        let gaps = [place.x - BOX_MM[0], BOX_MM[1] - place.x, place.y - BOX_MM[0], BOX_MM[1] - place.y];
        gaps.into_iter().fold(f64::INFINITY, f64::min) <= 10.0
    };
    run.expect("wall_share", run.mean(|_, now, robot| share(at_wall(now.robots_mm[robot]))), 1e-9);
    run.expect("outside_mat", 0.0, 0.0);
    run.expect("d_r_violations", 0.0, 0.0);
}

#[test]
fn motion_is_that_of_the_rows() {
    for drive in ["point", "differential"] {
        let run = run(
            &format!(r#""agents": {{"count": 10, "drive": "{drive}"}}, "feet": {{"count": 1, "idle_s": [2, 2.5]}}"#),
            900,
        );
        let speed = |before: &Moment, now: &Moment, robot: usize| {
            now.robots_mm[robot].distance(before.robots_mm[robot]) * STEP_HZ
        };
        run.expect("speed_max_mm_s", run.most(speed), 1e-6);
        run.expect("speed_mean_mm_s", run.mean(speed), 1e-6);
        let change = |before: &Moment, now: &Moment, robot: usize| {
            now.velocities_mm_s[robot].distance(before.velocities_mm_s[robot]) * STEP_HZ
        };
        run.expect("accel_max_mm_s2", run.most(change), 1e-3);
        run.expect("accel_mean_mm_s2", run.mean(change), 1e-3);
        let turn = |before: &Moment, now: &Moment, robot: usize| {
            angle::wrap_rad(now.headings_rad[robot] - before.headings_rad[robot]).abs() * STEP_HZ
        };
        run.expect("turn_rate_max_rad_s", run.most(turn), 1e-6);
        run.expect("turn_rate_mean_rad_s", run.mean(turn), 1e-6);
        run.expect("moving_share", run.mean(|before, now, robot| share(speed(before, now, robot) > MOVING_MM_S)), 1e-9);
        run.expect("path_length_mean_mm", run.mean(speed) * 900.0 / STEP_HZ, 1e-6);
        let off = |now: &Moment, robot: usize| now.velocities_mm_s[robot].distance(now.wishes_mm_s[robot]);
        run.expect("wish_difference_mean_mm_s", run.mean(|_, now, robot| off(now, robot)), 1e-6);
        run.expect("wish_followed_share", run.mean(|_, now, robot| share(off(now, robot) <= 5.0)), 1e-9);
        assert!(run.measures["motion_error_max_mm"] <= 1e-6, "{}", run.measures["motion_error_max_mm"]);
    }
}

/// The longest time in which one robot stays below 10 mm/s.
#[test]
fn stillness_is_that_of_the_rows() {
    let run = run(r#""agents": {"count": 6}, "feet": {"count": 1, "idle_s": [2, 2.5]}"#, 900);
    let mut longest = 0;
    for robot in 0..6 {
        let mut still = 0;
        for (before, now) in run.steps() {
            let speed_mm_s = now.robots_mm[robot].distance(before.robots_mm[robot]) * STEP_HZ;
            still = if speed_mm_s < MOVING_MM_S { still + 1 } else { 0 };
            longest = longest.max(still);
        }
    }
    assert!(longest > 1, "{longest}");
    run.expect("still_longest_s", f64::from(longest) / STEP_HZ, 1e-9);
}

/// Cells of 20 mm from the mat's corner; those that a centre between 16 and 384 mm can reach are all 20 by 20.
#[test]
fn coverage_is_the_share_of_cells_that_were_visited() {
    let run = run(r#""agents": {"count": 9}, "feet": {"count": 1, "idle_s": [2, 2.5]}"#, 900);
    let cell = |place: DVec2| ((place.x / 20.0).floor() as usize, (place.y / 20.0).floor() as usize);
    let visited = |robots: &[usize]| {
        let cells: std::collections::BTreeSet<_> = run.moments[1..]
            .iter()
            .flat_map(|now| robots.iter().map(|&robot| cell(now.robots_mm[robot])).collect::<Vec<_>>())
            .collect();
        cells.len() as f64 / 400.0
    };
    run.expect("coverage_share", visited(&(0..9).collect::<Vec<_>>()), 2.0 / 400.0);
    let own = (0..9).map(|robot| visited(&[robot])).sum::<f64>() / 9.0;
    run.expect("coverage_per_robot_share", own, 2.0 / 400.0);
}

/// Without a foot, a patch or a second robot the question does not arise.
#[test]
fn measures_of_what_is_not_there_have_no_value() {
    let run = run(r#""agents": {"count": 1}, "feet": {"count": 0}, "patches": {"count": 0}"#, 60);
    let of_others =
        ["min_robot_robot_mm", "min_robot_foot_mm", "nearest_robot_mean_mm", "near_patch_share", "foot_waits"];
    for name in of_others.into_iter().chain(["refill_mean_s", "inner_reuse_mean_s", "arrivals_cleared_share"]) {
        assert!(run.measures[name].is_nan(), "{name} is {}", run.measures[name]);
    }
    for name in ["d_r_violations", "d_h_violations", "outside_mat", "non_finite"] {
        run.expect(name, 0.0, 0.0);
    }
}

/// Verdicts: what is held to a limit is met or not, everything else has no verdict.
#[test]
fn verdicts_follow_from_limits() {
    for (members, is_safe) in
        [(r#""agents": {"count": 6}, "feet": {"manner": "considerate"}"#, true), (CARELESS, false)]
    {
        let mut world = start(members);
        walk(&mut world, 600);
        let violations = world.violations();
        let metrics = World::finish(&mut world);
        assert!(metrics.iter().all(|metric| metric.limit.is_some() || metric.ok.is_none()));
        assert_eq!(metrics.iter().all(|metric| metric.ok != Some(false)), is_safe);
        assert_eq!(violations == 0, is_safe, "{violations}");
    }
}
