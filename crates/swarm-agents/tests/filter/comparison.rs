//! What could be made of wishes: the drive alone, the one-step constraints, and who is free.

use crate::world::{STEP_S, Setting, World, mat};
use proptest::prelude::*;
use sim_core::DVec2;
use swarm_agents::Drive;
use swarm_agents::filter::FilterKind;
use swarm_field::Manner;

/// Largest change of the velocity in a step: 3000 mm/s^2 at 60 Hz.
const STEP_MM_S: f64 = 50.0;
const MIDDLE: DVec2 = DVec2::splat(200.0);

fn alone(kind: FilterKind, places_mm: &[DVec2]) -> World {
    World::with_robots(&Setting::without_feet(kind, Manner::Stubborn), places_mm)
}

/// A lone robot at rest answers a wish with its whole acceleration, and is there after `|w| / 50 mm/s` steps, rounded up.
#[test]
fn a_lone_robot_answers_a_step_of_its_wish_with_all_its_acceleration() {
    let mut world = alone(FilterKind::Nearest, &[MIDDLE]);
    let wish = DVec2::new(72.0, -96.0);
    for speed_mm_s in [50.0, 100.0, 120.0, 120.0] {
        let could = world.compare(&[wish]);
        world.step_with(|_, _, wishes| wishes[0] = wish);
        let v = world.state.agents.velocity_mm_s[0];
        assert!(v.distance(wish * (speed_mm_s / 120.0)) < 1e-3, "{v}");
        assert!(v.distance(could.drive_mm_s[0]) < 1e-3 && v.distance(could.feasible_mm_s[0]) < 1e-3);
        assert!(could.is_free[0]);
    }
}

/// A robot that carries out 100 mm/s from rest gets `100 * 0.7 - 100^2 / (2 * 3000)` = 68.33 mm far in 0.7 s. It is free if it keeps
/// 20 mm more than the distance to what stands ahead: 120 mm to a foot, 80 mm to a robot.
#[test]
fn free_is_who_keeps_twenty_millimetres_more_for_seven_tenths_of_a_second() {
    let (wish, way_mm) = (DVec2::new(100.0, 0.0), 70.0 - 10_000.0 / 6_000.0);
    for (more_mm, is_free) in [(0.1, true), (-0.1, false)] {
        let foot_mm = DVec2::new(60.0 + way_mm + 120.0 + more_mm, 200.0);
        let setting = Setting::with_standing_foot(FilterKind::Joint, Manner::Stubborn, foot_mm);
        let world = World::with_robots(&setting, &[DVec2::new(60.0, 200.0)]);
        assert_eq!(world.compare(&[wish]).is_free, [is_free], "a foot {more_mm} mm farther");
        let other_mm = MIDDLE + DVec2::X * (way_mm + 80.0 + more_mm);
        let could = alone(FilterKind::Joint, &[MIDDLE, other_mm]).compare(&[wish, DVec2::ZERO]);
        assert_eq!(could.is_free[0], is_free, "a robot {more_mm} mm farther");
        let wall = alone(FilterKind::Joint, &[DVec2::new(400.0 - way_mm - more_mm, 200.0)]);
        assert_eq!(wall.compare(&[wish]).is_free, [is_free], "a wall {more_mm} mm farther");
    }
}

/// Others are expected to go straight on: one that comes makes a robot at rest unfree, one that goes away does not.
#[test]
fn others_are_expected_to_go_straight_on() {
    let mut world = alone(FilterKind::Joint, &[MIDDLE, MIDDLE + DVec2::X * 140.0]);
    for (speed_mm_s, is_free) in [(0.0, true), (-84.0, true), (-87.0, false), (87.0, true)] {
        // 60 mm of 140 may be used up in 0.7 s: 85.7 mm/s.
        world.state.agents.velocity_mm_s[1].x = speed_mm_s;
        assert_eq!(world.compare(&[DVec2::ZERO; 2]).is_free[0], is_free, "{speed_mm_s}");
    }
}

/// Two robots that wish into each other at a gap of g close at no more than u, with `u dt + u^2 / (2 a) = g - 0.02 mm` and
/// a = 2 * 0.8 * a_max; their wishes across the line stay as they are.
#[test]
fn feasible_wishes_close_a_gap_no_faster_than_both_can_brake() {
    let kept_mm = DVec2::new(60.0, 252.0 * STEP_S).length();
    let gap_mm = 1.0;
    let world = alone(FilterKind::Nearest, &[MIDDLE, MIDDLE + DVec2::X * (kept_mm + gap_mm)]);
    let could = world.compare(&[DVec2::new(40.0, 9.0), DVec2::new(-40.0, -7.0)]);
    let [first, second] = [could.feasible_mm_s[0], could.feasible_mm_s[1]];
    let (u, a) = (first.x - second.x, 2.0 * 0.8 * 3000.0);
    assert!((u * STEP_S + u * u / (2.0 * a) - (gap_mm - 0.02)).abs() < 1e-2, "{u}");
    assert!((first.x + second.x).abs() < 1e-9, "both give way alike: {first} {second}");
    assert!((first.y - 9.0).abs() < 1e-9 && (second.y + 7.0).abs() < 1e-9, "{first} {second}");
    assert_eq!(could.is_free, [false, false]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is wished: what is feasible lies within the drive's reach, and far from others and walls it is the drive's own answer.
    #[test]
    fn feasible_velocities_are_within_reach(
        places in proptest::collection::vec((20.0..380.0, 20.0..380.0), 1..6),
        wishes in proptest::collection::vec((-300.0..300.0, -300.0..300.0), 6),
    ) {
        let places: Vec<DVec2> = places.into_iter().map(DVec2::from).collect();
        let wishes: Vec<DVec2> = wishes.into_iter().map(DVec2::from).take(places.len()).collect();
        let could = alone(FilterKind::Nearest, &places).compare(&wishes);
        for (i, &v) in could.feasible_mm_s.iter().enumerate() {
            prop_assert!(v.length() <= STEP_MM_S * (1.0 + 1e-9));
            let is_near = |(j, &q): (usize, &DVec2)| j != i && q.distance(places[i]) < 100.0;
            let is_inside = mat().inset(60.0).contains(places[i]);
            if is_inside && !places.iter().enumerate().any(is_near) {
                prop_assert!(v.distance(could.drive_mm_s[i]) < 1e-3, "{} {}", v, could.drive_mm_s[i]);
            }
        }
    }
}

/// Wheels that head along x and wish along y turn by 0.2 rad in a step at most. What is feasible for them is what `nearest` executes, and
/// no velocity straight along y.
#[test]
fn what_is_feasible_is_what_wheels_can_do() {
    let setting =
        Setting { drive: Drive::Differential, ..Setting::without_feet(FilterKind::Nearest, Manner::Stubborn) };
    let mut world = World::with_robots(&setting, &[MIDDLE]);
    let wish = DVec2::new(0.0, 100.0);
    for _ in 0..3 {
        let could = world.compare(&[wish]).feasible_mm_s[0];
        world.step_with(|_, _, wishes| wishes[0] = wish);
        assert!(world.state.agents.velocity_mm_s[0].distance(could) < 1e-9, "{could}");
        assert!(could.y > 1.0 && could.x > could.y, "{could}");
    }
}
