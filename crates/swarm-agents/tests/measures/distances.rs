//! Distances at and between steps, violations and their episodes, sealed pockets.

use crate::stage::{Stage, mm, model};
use proptest::prelude::*;
use sim_core::{DVec2, Tick};
use swarm_agents::measures::{Event, SEARCH_RADIUS_MM, Separation, swept_distance_mm};

/// Two robots pass each other in opposite directions, 59.9 mm apart at the middle of the step, 60.03 mm at its ends.
#[test]
fn a_crossing_between_two_steps_is_seen() {
    let mut stage = Stage::new(&[mm(100.0, 100.0), mm(104.0, 159.9)], &[]);
    stage.go(&[mm(104.0, 100.0), mm(100.0, 159.9)], &[]);
    stage.expect("min_robot_robot_mm", 59.9);
    stage.expect("d_r_violations", 1.0);
    stage.expect("d_r_deepest_mm", 0.1);
    assert_eq!(stage.metric("min_robot_robot_mm").ok, Some(false));
    assert_eq!(stage.metric("d_r_violations").ok, Some(false));
    let shown = stage.inspector.nearest_robot_mm(0).unwrap();
    assert!((shown - (16.0_f64 + 59.9 * 59.9).sqrt()).abs() < 1e-9, "the table shows the distance at the step");
}

/// Closed forms: relative place (3, 4) with travel (-6, 0) passes at 4; leaving is nearest at the start, coming at the end.
#[test]
fn swept_distance_in_closed_form() {
    let robot = mm(50.0, 50.0);
    let swept = |from: DVec2, to: DVec2| swept_distance_mm(robot, robot, robot + from, robot + to);
    assert_eq!(swept(mm(3.0, 4.0), mm(-3.0, 4.0)), 4.0);
    assert_eq!(swept(mm(3.0, 4.0), mm(6.0, 8.0)), 5.0);
    assert_eq!(swept(mm(6.0, 8.0), mm(3.0, 4.0)), 5.0);
    assert_eq!(swept(mm(3.0, 4.0), mm(3.0, 4.0)), 5.0);
    // Both move alike: a convoy keeps its distance.
    assert_eq!(swept_distance_mm(mm(0.0, 0.0), mm(9.0, 9.0), mm(3.0, 4.0), mm(12.0, 13.0)), 5.0);
}

/// A foot of 200 mm/s and a robot of 252 mm/s pass each other at 99.97 mm; at the steps they are more than 100 mm apart.
#[test]
fn a_foot_that_passes_between_two_steps_is_seen() {
    let (foot_travel, robot_travel) = (200.0 / 60.0, 252.0 / 60.0);
    let half = 0.5 * (foot_travel + robot_travel);
    let mut stage = Stage::new(&[mm(200.0, 100.0)], &[mm(200.0 + half, 199.97)]);
    stage.go(&[mm(200.0 + robot_travel, 100.0)], &[mm(200.0 + half - foot_travel, 199.97)]);
    stage.expect("min_robot_foot_mm", 99.97);
    stage.expect("d_h_violations", 1.0);
    stage.expect("d_h_violating_steps", 1.0);
    stage.expect("d_h_deepest_mm", 0.03);
    stage.expect("d_r_violations", 0.0);
    assert!(stage.inspector.nearest_foot_mm(0).unwrap() > 100.0);
    assert!(stage.value("min_robot_robot_mm").is_nan(), "one robot has no neighbour");
    assert_eq!(stage.metric("min_robot_robot_mm").ok, None);
}

/// Reading A24: below the limit less 1e-6 mm counts.
#[test]
fn a_millionth_of_a_millimetre_is_forgiven() {
    for (distance_mm, count) in [(60.0, 0.0), (60.0 - 0.5e-6, 0.0), (60.0 - 2e-6, 1.0)] {
        let mut stage = Stage::new(&[mm(100.0, 100.0), mm(100.0, 100.0 + distance_mm)], &[]);
        stage.rest(1);
        stage.expect("d_r_violations", count);
        assert_eq!(stage.metric("min_robot_robot_mm").ok, Some(count == 0.0));
    }
    for (distance_mm, count) in [(100.0 - 0.5e-6, 0.0), (100.0 - 2e-6, 1.0)] {
        let mut stage = Stage::new(&[mm(100.0, 100.0)], &[mm(100.0 + distance_mm, 100.0)]);
        stage.rest(1);
        stage.expect("d_h_violations", count);
    }
}

/// Robots 0 and 1 are too near in steps 2 to 4 and 6; robots 1 and 2 in steps 3 and 4.
#[test]
fn episodes_begin_and_end() {
    let places = |a: f64, b: f64| [mm(50.0, 200.0), mm(50.0 + a, 200.0), mm(50.0 + a + b, 200.0)];
    let mut stage = Stage::new(&places(70.0, 70.0), &[]);
    for (a, b) in [(70.0, 70.0), (58.0, 70.0), (57.0, 59.0), (58.0, 59.5), (70.0, 70.0), (59.0, 70.0)] {
        // Every step is shown as a jump after a moment's rest there, so that the swept distance is that of the new place.
        stage.agents.position_mm = places(a, b).to_vec();
        stage.go(&places(a, b), &[]);
    }
    stage.close();
    stage.expect("d_r_violations", 6.0);
    stage.expect("d_r_violating_steps", 4.0);
    stage.expect("violating_step_share", 4.0 / 6.0);
    stage.expect("d_r_episodes", 3.0);
    stage.expect("d_r_deepest_mm", 3.0);
    let story: Vec<String> = stage.events.iter().map(tell).collect();
    let expected = [
        "2 begin 0 1 58",
        "3 begin 1 2 59",
        "5 end 0 1 depth 3 steps 3",
        "5 end 1 2 depth 1 steps 2",
        "6 begin 0 1 59",
        "7 end 0 1 depth 1 steps 1",
        "3 closest 0 1 57",
    ];
    assert_eq!(story, expected);
    assert_eq!(stage.value("min_robot_robot_at_s"), 3.0 / 60.0);
}

fn tell(event: &Event) -> String {
    match *event {
        Event::ViolationBegin { tick: Tick(t), agent, other, distance_mm, .. } => {
            format!("{t} begin {agent} {other} {distance_mm:.0}")
        }
        Event::ViolationEnd { tick: Tick(t), agent, other, depth_mm, steps, .. } => {
            format!("{t} end {agent} {other} depth {depth_mm:.0} steps {steps}")
        }
        Event::ClosestApproach { tick: Tick(t), agent, other, distance_mm, .. } => {
            format!("{t} closest {agent} {other} {distance_mm:.0}")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn the_closest_approach_to_a_foot_is_remembered() {
    let mut stage = Stage::new(&[mm(60.0, 200.0), mm(340.0, 200.0)], &[mm(200.0, 200.0)]);
    for foot_x in [202.0, 205.0, 203.0] {
        stage.go(&[mm(60.0, 200.0), mm(340.0, 200.0)], &[mm(foot_x, 200.0)]);
    }
    stage.close();
    stage.expect("min_robot_foot_mm", 135.0);
    assert_eq!(stage.value("min_robot_foot_at_s"), 2.0 / 60.0);
    let closest = stage.events.iter().find(|event| event.row().kind == "closest_robot_foot").unwrap();
    let row = closest.row();
    assert_eq!((row.subject.to_string(), row.object.to_string(), row.unit), ("agent 1".into(), "foot 0".into(), "mm"));
    assert!((row.value - 135.0).abs() < 1e-9 && closest.tick() == Tick(2));
}

#[test]
fn comfort_nearest_and_near_the_foot() {
    let foot = mm(200.0, 300.0);
    let line = |gap: f64| [mm(30.0, 30.0), mm(30.0 + gap, 30.0), mm(30.0 + gap + 80.0, 30.0)];
    let mut stage = Stage::new(&line(69.0), &[foot]);
    for gap in [69.0, 70.0, 71.0, 75.0] {
        stage.go(&line(gap), &[foot]);
    }
    stage.expect("comfort_share", 0.75);
    // Nearest neighbours: gap, gap, 80.
    stage.expect("nearest_robot_mean_mm", (69.0 + 70.0 + 71.0 + 75.0) / 4.0 * 2.0 / 3.0 + 80.0 / 3.0);
    stage.expect("near_foot_share", 0.0);

    let mut stage = Stage::new(&[mm(200.0, 181.0), mm(200.0, 179.0)], &[foot]);
    stage.rest(3);
    stage.expect("near_foot_share", 0.5);
}

/// The foot stands 90 mm from two walls of the box and 127 mm from their corner. Robot 0 is in the corner behind it, robot 1 is not.
#[test]
fn robots_shut_in_a_corner_are_told_from_others() {
    let robots = [mm(20.0, 20.0), mm(250.0, 106.0)];
    let mut stage = Stage::new(&robots, &[mm(130.0, 130.0)]);
    stage.rest(1);
    assert!(stage.events.is_empty(), "114 mm from both walls leaves a way out");
    stage.go(&robots, &[mm(106.0, 106.0)]);
    stage.go(&robots, &[mm(105.0, 105.0)]);
    assert_eq!(stage.events, [Event::PocketSealed { tick: Tick(2), foot: 0, robots: 1 }]);
    stage.expect("sealed_pockets", 1.0);
    stage.expect("sealed_pocket_violations", 0.0);
    stage.go(&robots, &[mm(80.0, 80.0)]);
    stage.expect("sealed_pocket_violations", 1.0);
    let begin = stage.events.last().unwrap().row();
    assert_eq!(begin.kind, "d_h_violation_begin_in_sealed_pocket");
    assert_eq!((begin.subject.to_string(), begin.object.to_string()), ("agent 0".into(), "foot 0".into()));
    // A violation outside of a pocket has the plain name.
    stage.go(&robots, &[mm(160.0, 106.0)]);
    assert_eq!(stage.events.last().unwrap().row().kind, "d_h_violation_begin");
    stage.expect("sealed_pocket_violations", 1.0);
    // Robot 0 in two steps, for the second begins where the first ended, and robot 1 in one.
    stage.expect("d_h_violations", 3.0);
}

/// A pocket can be in any corner, and each way into it counts once.
#[test]
fn every_corner_can_be_shut() {
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        let from_middle = |u: f64, w: f64| mm(200.0 + x * u, 200.0 + y * w);
        let mut stage = Stage::new(&[from_middle(180.0, 180.0)], &[from_middle(50.0, 95.0)]);
        for foot in [(70.0, 95.0), (90.0, 95.0), (92.0, 95.0), (80.0, 95.0), (90.0, 95.0)] {
            stage.go(&[from_middle(180.0, 180.0)], &[from_middle(foot.0, foot.1)]);
        }
        stage.expect("sealed_pockets", 2.0);
        stage.expect("sealed_pocket_violations", 0.0);
    }
}

#[test]
fn a_number_that_is_not_finite_is_named() {
    let mut stage = Stage::new(&[mm(100.0, 100.0), mm(200.0, 100.0)], &[mm(200.0, 300.0)]);
    stage.rest(2);
    let mut after = stage.agents.clone();
    after.omega_rad_s[1] = f64::NAN;
    stage.show(after, &[mm(200.0, 300.0)]);
    stage.expect("non_finite", 1.0);
    assert_eq!(stage.metric("non_finite").ok, Some(false));
    let (tick, party) = stage.inspector.first_non_finite().unwrap();
    assert_eq!((tick, party.to_string()), (Tick(3), "agent 1".to_string()));
    let after = stage.agents.clone();
    stage.show(after, &[mm(f64::INFINITY, 300.0)]);
    stage.expect("non_finite", 3.0);
    assert_eq!(stage.inspector.first_non_finite().unwrap().0, Tick(3), "the first one stays");
}

#[test]
fn the_start_is_shown_but_not_counted() {
    let mut stage = Stage::new(&[mm(100.0, 100.0), mm(150.0, 100.0)], &[mm(200.0, 100.0)]);
    let (agents, feet) = (stage.agents.clone(), stage.feet_mm.clone());
    stage.inspector.start(&agents, &feet);
    assert_eq!(stage.inspector.nearest_robot_mm(1), Some(50.0));
    assert_eq!(stage.inspector.nearest_foot_mm(0), Some(100.0));
    assert_eq!(stage.value("d_r_violations"), 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Small swarms try all pairs, large ones search a grid, and far pairs are skipped by a bound. All of it must agree with plain
    /// loops over all pairs and steps.
    #[test]
    fn any_swarm_agrees_with_plain_loops(
        places in prop::collection::vec((16.0_f64..784.0, 16.0_f64..784.0, -6.0_f64..6.0, -6.0_f64..6.0), 2..130),
        feet in prop::collection::vec((0.0_f64..800.0, 0.0_f64..800.0, -4.0_f64..4.0, -4.0_f64..4.0), 0..4),
    ) {
        let at = |list: &[(f64, f64, f64, f64)], t: f64| -> Vec<DVec2> {
            list.iter().map(|&(x, y, dx, dy)| mm(x, y) + t * mm(dx, dy)).collect()
        };
        let mut wide = model(places.len(), feet.len());
        wide.mat.max = mm(800.0, 800.0);
        wide.bounds = wide.mat.inset(16.0);
        let mut stage = Stage::with_model(wide, &at(&places, 0.0), &at(&feet, 0.0));
        let (mut d_r, mut d_h, mut closest, mut closest_foot) = (0.0, 0.0, f64::INFINITY, f64::INFINITY);
        for t in 0..3 {
            let (p, q) = (at(&places, f64::from(t)), at(&places, f64::from(t + 1)));
            let (f, g) = (at(&feet, f64::from(t)), at(&feet, f64::from(t + 1)));
            stage.go(&q, &g);
            for i in 0..p.len() {
                for j in 0..i {
                    let swept = sampled_distance(p[i] - p[j], q[i] - q[j]);
                    d_r += f64::from(u8::from(swept < 60.0 - 1e-6));
                    closest = f64::min(closest, swept);
                }
                for k in 0..f.len() {
                    let swept = sampled_distance(p[i] - f[k], q[i] - g[k]);
                    d_h += f64::from(u8::from(swept < 100.0 - 1e-6));
                    closest_foot = f64::min(closest_foot, swept);
                }
            }
        }
        prop_assert_eq!(stage.value("d_r_violations"), d_r);
        prop_assert_eq!(stage.value("d_h_violations"), d_h);
        for (name, expected) in [("min_robot_robot_mm", closest), ("min_robot_foot_mm", closest_foot)] {
            let value = stage.value(name);
            let beyond = value.is_nan() && expected > SEARCH_RADIUS_MM - 17.0;
            prop_assert!(beyond || (value - expected).abs() < 1e-9 || expected > SEARCH_RADIUS_MM - 17.0, "{name} {value} {expected}");
        }
    }

    /// A copy in mid-run goes on like the original.
    #[test]
    fn a_copy_goes_on_alike(x in 20.0_f64..180.0) {
        let mut stage = Stage::new(&[mm(x, 100.0), mm(200.0, 100.0)], &[mm(300.0, 300.0)]);
        stage.rest(5);
        let mut copy = Stage { inspector: stage.inspector.clone(), ..Stage::new(&[mm(x, 100.0), mm(200.0, 100.0)], &[mm(300.0, 300.0)]) };
        copy.tick = stage.tick;
        for some in [&mut stage, &mut copy] {
            some.go(&[mm(x + 2.0, 101.0), mm(200.0, 100.0)], &[mm(301.0, 300.0)]);
        }
        let bits = |stage: &Stage| -> Vec<u64> { stage.inspector.finish().iter().map(|metric| metric.value.to_bits()).collect() };
        prop_assert_eq!(bits(&stage), bits(&copy));
    }
}

/// Smallest distance by ternary search over the way: convex, so it converges; 200 thirds leave nothing.
fn sampled_distance(before: DVec2, after: DVec2) -> f64 {
    let at = |s: f64| before.lerp(after, s).length();
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a) < at(b) { high = b } else { low = a }
    }
    at(low).min(at(0.0)).min(at(1.0))
}

#[test]
fn kinds_of_events_have_names_of_their_own() {
    let pair =
        |separation| Event::ViolationEnd { tick: Tick(1), separation, agent: 1, other: 2, depth_mm: 0.5, steps: 4 };
    assert_eq!(pair(Separation::RobotRobot).row().kind, "d_r_violation_end");
    assert_eq!(pair(Separation::RobotRobot).row().object.to_string(), "agent 2");
    assert_eq!(pair(Separation::RobotFoot).row().kind, "d_h_violation_end");
    assert_eq!(pair(Separation::RobotFoot).row().object.to_string(), "foot 2");
}
