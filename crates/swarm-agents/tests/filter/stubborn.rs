//! Feet that never wait, where the joint filter promises distances between robots and walls, and is measured on feet.

use crate::certified::setting;
use crate::world::{Setting, World, broken, broken_with_feet, towards_the_foot};
use sim_core::DVec2;
use std::ops::Range;
use swarm_agents::Drive;
use swarm_agents::filter::FilterKind;
use swarm_field::Manner;

/// By construction, in any setting that fits, even where all robots run at a foot.
fn robots_and_walls_are_kept_clear(cases: Range<u64>) {
    for case in cases {
        let mut setting = setting(case);
        setting.kind = FilterKind::Joint;
        setting.feet.manner = Manner::Stubborn;
        let Some(mut world) = World::new(&setting) else { continue };
        for tick in 0..300 {
            let seen = if case % 4 < 2 { world.step() } else { world.step_with(towards_the_foot) };
            assert_eq!(broken(&world, &seen), None, "case {case}, tick {tick}: {setting:?}");
        }
    }
}

#[test]
fn robots_and_walls_are_kept_clear_of_whatever_feet_do() {
    robots_and_walls_are_kept_clear(0..40);
}

/// The other half of the settings, so that two cores share the work.
#[test]
fn robots_and_walls_are_kept_clear_of_whatever_feet_do_elsewhere() {
    robots_and_walls_are_kept_clear(40..80);
}

/// Measured, not proven: one foot in the core among 30 robots, for a minute each.
#[test]
fn the_shipped_swarm_keeps_clear_of_its_foot() {
    for seed in 0..4 {
        let mut world = World::new(&Setting::shipped(FilterKind::Joint, Manner::Stubborn, 500 + seed)).unwrap();
        for tick in 0..60 * 60 {
            let seen = world.step();
            assert_eq!(broken_with_feet(&world, &seen), None, "seed {seed}, tick {tick}");
        }
    }
}

/// The baselines break distances under stubborn feet: were they certified too, the comparison would mean nothing.
#[test]
fn baselines_are_executed_as_they_are() {
    for kind in [FilterKind::Penalty, FilterKind::Orca, FilterKind::Nearest, FilterKind::None] {
        let mut setting = Setting::shipped(kind, Manner::Stubborn, 3);
        setting.feet.idle_s = [2.0, 2.5];
        let mut world = World::new(&setting).unwrap();
        let bad = (0..20 * 60).filter(|_| {
            let seen = world.step();
            broken_with_feet(&world, &seen).is_some()
        });
        let bad = bad.count();
        assert!(bad > 10, "{kind:?}: {bad}");
    }
}

/// A robot that a foot has come upon wants to go where another still stands, and the other wants to give way along a wall: each held back
/// for the other's sake, both would stand for ever. Places and headings are those of a run in which they did.
#[test]
fn two_robots_that_held_each_other_back_go_on() {
    let foot_mm = DVec2::new(276.0, 143.0);
    let mut setting = Setting::with_standing_foot(FilterKind::Joint, Manner::Stubborn, foot_mm);
    setting.drive = Drive::Differential;
    setting.wall_margin_mm = 21.0;
    let (below, above) = (DVec2::new(304.4, 75.6), DVec2::new(334.5, 23.4));
    let mut world = World::with_robots(&setting, &[below, above]);
    world.state.agents.heading_rad = vec![1.45, -3.13];
    for _ in 0..60 {
        world.step_with(|_, _, wish| wish.fill(DVec2::ZERO));
    }
    let [now_below, now_above] = [0, 1].map(|i| world.state.agents.position_mm[i]);
    assert!(now_above.distance(above) > 5.0, "the one at the wall gives way: {now_above}");
    assert!(now_below.distance(foot_mm) > 100.0, "the one at the foot leaves: {now_below}");
}
