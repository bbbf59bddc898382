//! The same key gives the same run: whatever was cloned, thrown away or added beside it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::{DVec2, Tick};
use sim_world::{StepError, World};
use std::sync::Arc;
use test_runs::{KINDS, key, mat_model, world};
use world_mat::world::MatWorld;

const STEPS: u64 = 300;

fn hashes(world: &mut MatWorld, steps: u64) -> Vec<u64> {
    (0..steps)
        .map(|_| {
            world.step().unwrap();
            world.state_hash()
        })
        .collect()
}

#[test]
fn the_same_key_gives_the_same_states_and_another_key_others() {
    for (kind, members) in KINDS {
        let first = hashes(&mut world(members, 3), STEPS);
        assert_eq!(first, hashes(&mut world(members, 3), STEPS), "{kind}");
        let other = hashes(&mut world(members, 4), STEPS);
        assert!(first.iter().zip(&other).all(|(a, b)| a != b), "{kind}: another run index");
    }
}

#[test]
fn a_state_cloned_in_mid_run_goes_on_as_the_original() {
    for (kind, members) in KINDS {
        let mut original = world(members, 0);
        hashes(&mut original, 137);
        let mut copy = MatWorld::resume(mat_model(members), key(0), original.state().clone());
        assert_eq!(copy.state_hash(), original.state_hash(), "{kind}");
        assert_eq!(hashes(&mut copy, STEPS), hashes(&mut original, STEPS), "{kind}");
    }
}

#[test]
fn scratch_thrown_away_before_every_step_changes_nothing() {
    for (kind, members) in KINDS {
        let mut kept = world(members, 0);
        let mut dropped = world(members, 0);
        for _ in 0..STEPS {
            dropped.drop_scratch();
            kept.step().unwrap();
            dropped.step().unwrap();
            assert_eq!(kept.state_hash(), dropped.state_hash(), "{kind}, step {}", kept.tick().0);
        }
        assert_eq!(format!("{:?}", kept.finish()), format!("{:?}", dropped.finish()), "{kind}: measures");
    }
}

#[test]
fn one_model_serves_many_worlds_without_mixing_them() {
    let model = mat_model(KINDS[0].1);
    let alone: Vec<_> = (0..3).map(|i| hashes(&mut MatWorld::new(Arc::clone(&model), key(i)).unwrap(), 100)).collect();
    let mut worlds: Vec<_> = (0..3).map(|i| MatWorld::new(Arc::clone(&model), key(i)).unwrap()).collect();
    let mut mixed = vec![Vec::new(); 3];
    for _ in 0..100 {
        for (world, hashes) in worlds.iter_mut().zip(&mut mixed) {
            world.step().unwrap();
            hashes.push(world.state_hash());
        }
    }
    assert_eq!(alone, mixed);
}

fn feet_and_patches(world: &MatWorld) -> Vec<[f64; 4]> {
    let feet = world.feet();
    let patches = world.patches();
    let of_foot = |k| (feet.position_mm(k), feet.velocity_mm_s(k));
    let foot_rows = (0..feet.len()).map(of_foot).map(|(p, v)| [p.x, p.y, v.x, v.y]);
    let of_patch = |k| (patches.center_mm(k), patches.sigma_mm(k), patches.peak(k));
    let patch_rows = (0..patches.len()).map(of_patch).map(|(c, s, p)| [c.x, c.y, s, p]);
    foot_rows.chain(patch_rows).collect()
}

#[test]
fn one_more_robot_leaves_stubborn_feet_and_patches_as_they_were() {
    let mut few = world(r#""agents": {"count": 10}"#, 0);
    let mut more = world(r#""agents": {"count": 11}"#, 0);
    for _ in 0..600 {
        few.step().unwrap();
        more.step().unwrap();
        assert_eq!(feet_and_patches(&few), feet_and_patches(&more), "step {}", few.tick().0);
    }
}

/// Without the pull of the field a wish is nothing but its fluctuation.
#[test]
fn one_more_robot_leaves_the_fluctuation_of_the_others_as_it_was() {
    for noise in ["coloured", "white"] {
        let of = |count| world(&format!(r#""agents": {{"count": {count}, "alpha": 0, "noise": "{noise}"}}"#), 0);
        let (mut few, mut more) = (of(10), of(11));
        for _ in 0..200 {
            few.step().unwrap();
            more.step().unwrap();
            assert_eq!(few.wishes_mm_s(), &more.wishes_mm_s()[..10], "{noise}, step {}", few.tick().0);
            assert!(few.wishes_mm_s().iter().all(|w| *w != DVec2::ZERO));
        }
    }
}

#[test]
fn one_more_patch_or_foot_leaves_the_others_as_they_were() {
    let mut few = world(r#""agents": {"count": 4}, "patches": {"count": 5}"#, 0);
    let mut more = world(r#""agents": {"count": 4}, "patches": {"count": 6}, "feet": {"count": 2}"#, 0);
    for _ in 0..600 {
        few.step().unwrap();
        more.step().unwrap();
        let (few_rows, more_rows) = (feet_and_patches(&few), feet_and_patches(&more));
        assert_eq!(few_rows[0], more_rows[0], "foot 0 at step {}", few.tick().0);
        assert_eq!(few_rows[1..6], more_rows[2..7], "patches at step {}", few.tick().0);
    }
}

/// Robots are stored by id, so another order of storage is another naming. Where nothing is drawn per robot and no robot
/// avoids another, names must not matter at all: the swarm whose robots swap their names makes the same motions.
#[test]
fn renaming_robots_renames_their_motions_and_nothing_else() {
    let members = r#""agents": {"count": 9, "sigma_v": 0}, "safety": {"filter": "none"}"#;
    let mut plain = world(members, 0);
    let mut state = plain.state().clone();
    let agents = &mut state.agents;
    agents.position_mm.reverse();
    agents.velocity_mm_s.reverse();
    agents.heading_rad.reverse();
    agents.speed_mm_s.reverse();
    agents.omega_rad_s.reverse();
    let mut renamed = MatWorld::resume(mat_model(members), key(0), state);
    for _ in 0..STEPS {
        plain.step().unwrap();
        renamed.step().unwrap();
        let turned: Vec<DVec2> = renamed.agents().position_mm.iter().rev().copied().collect();
        assert_eq!(plain.agents().position_mm, turned, "step {}", plain.tick().0);
    }
}

#[test]
fn a_robot_whose_motion_is_not_finite_is_named_with_step_and_phase() {
    let members = r#""steps": 1300, "agents": {"count": 5}, "safety": {"filter": "none"}"#;
    let mut before = world(members, 0);
    (0..40).for_each(|_| before.step().unwrap());
    let mut state = before.state().clone();
    state.agents.velocity_mm_s[3] = DVec2::new(f64::NAN, 10.0);
    let mut broken = MatWorld::resume(mat_model(members), key(0), state);
    assert_eq!(broken.step().unwrap_err(), StepError::not_finite("robot 3", "filter", Tick(41)));
}

#[test]
fn the_hash_notices_the_last_bit_of_every_robot() {
    let world = world(KINDS[0].1, 0);
    let before = world.state_hash();
    for i in 0..world.agents().len() {
        let mut state = world.state().clone();
        state.agents.position_mm[i].y = f64::from_bits(state.agents.position_mm[i].y.to_bits() ^ 1);
        assert_ne!(state.hash(), before, "robot {i}");
    }
    let mut state = world.state().clone();
    state.requests.path_speed_factors[0] = 0.5;
    assert_ne!(state.hash(), before, "path speed factor");
}
