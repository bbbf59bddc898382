//! Feet that never wait, where the joint filter promises distances between robots and walls, and is measured on feet.

use crate::world::{Setting, World, broken, broken_with_feet, towards_the_foot};
use swarm_agents::Drive;
use swarm_agents::filter::FilterKind;
use swarm_field::{Manner, Travel};

/// By construction, even where everybody runs at the foot, in the corners and with either drive.
#[test]
fn robots_and_walls_are_kept_clear_of_whatever_feet_do() {
    for seed in 0..10 {
        let mut setting = Setting::shipped(FilterKind::Joint, Manner::Stubborn, 100 + seed);
        setting.feet.travel = [Travel::Core, Travel::Edge, Travel::Full][seed as usize % 3];
        setting.feet.idle_s = [2.0, 2.5];
        setting.drive = if seed % 2 == 0 { Drive::Point } else { Drive::Differential };
        let mut world = World::new(&setting).unwrap();
        for tick in 0..20 * 60 {
            let seen = if seed % 4 < 2 { world.step() } else { world.step_with(towards_the_foot) };
            assert_eq!(broken(&world, &seen), None, "seed {seed}, tick {tick}");
        }
    }
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
    for kind in [FilterKind::Penalty, FilterKind::Orca, FilterKind::None] {
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
