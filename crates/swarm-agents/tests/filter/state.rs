//! The state is complete: a clone goes on alike, and buffers may be thrown away between any two ticks.

use crate::world::{Setting, World};
use swarm_agents::Drive;
use swarm_agents::filter::FilterKind;
use swarm_field::{Manner, Travel};

const KINDS: [FilterKind; 5] =
    [FilterKind::Joint, FilterKind::Penalty, FilterKind::Orca, FilterKind::Random, FilterKind::Nearest];
const MANNERS: [Manner; 2] = [Manner::Considerate, Manner::Stubborn];

fn world(kind: FilterKind, manner: Manner) -> World {
    let mut setting = Setting::shipped(kind, manner, 9);
    setting.robots = 20;
    setting.feet.travel = Travel::Full;
    setting.feet.idle_s = [2.0, 2.5];
    setting.drive = if kind == FilterKind::Orca { Drive::Differential } else { Drive::Point };
    World::new(&setting).unwrap()
}

#[test]
fn a_clone_goes_on_as_the_original_does() {
    for kind in KINDS {
        for manner in MANNERS {
            let mut original = world(kind, manner);
            // Not a multiple of the planner's period.
            (0..101).for_each(|_| drop(original.step()));
            let mut clone = World::resume(world(kind, manner).fixed, original.state.clone());
            for tick in 0..120 {
                original.step();
                clone.step();
                assert_eq!(original.hash(), clone.hash(), "{kind:?} {manner:?} tick {tick}");
            }
        }
    }
}

#[test]
fn buffers_hold_no_memory() {
    for (kind, manner) in KINDS.into_iter().flat_map(|kind| MANNERS.map(|manner| (kind, manner))) {
        let (mut kept, mut dropped) = (world(kind, manner), world(kind, manner));
        for tick in 0..200 {
            dropped.drop_scratch();
            kept.step();
            dropped.step();
            assert_eq!(kept.hash(), dropped.hash(), "{kind:?} {manner:?} tick {tick}");
        }
    }
}

/// Another seed is another run: a hash that forgot the robots would not see it.
#[test]
fn the_hash_sees_a_robot_that_moved_a_hair() {
    let mut a = world(FilterKind::Joint, Manner::Considerate);
    let mut b = world(FilterKind::Joint, Manner::Considerate);
    assert_eq!(a.hash(), b.hash());
    b.state.agents.position_mm[3].x += 1e-9;
    assert_ne!(a.hash(), b.hash());
    a.step();
    b.step();
    assert_ne!(a.hash(), b.hash());
}
