//! Walls that are put elsewhere, taken away and brought back.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{STOP, World, assert_near, cube, units};
use sim_core::DVec2;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};
use toio_physics::{HandAction, PhysicsModel, PhysicsParams, Touched, Wall};

/// Across the x axis with its near face at `face_mm`.
fn across(face_mm: f64) -> Wall {
    let x_m = (face_mm + 5.0) / 1000.0;
    Wall { from_m: DVec2::new(x_m, -0.1), to_m: DVec2::new(x_m, 0.1), height_m: 0.03, thickness_m: 0.01 }
}

/// A cube at the origin that points at a wall.
fn before(wall: Wall, away_walls: Vec<usize>) -> World {
    World::new(PhysicsParams { walls: vec![wall], away_walls, ..PhysicsParams::default() }, &[cube(0, 0.0, 0.0, 0.0)])
}

fn set(world: &mut World, to: Option<&Wall>) {
    world.physics.set_wall(&world.model, 0, to).unwrap();
}

/// The front of a body is 12.1 mm ahead of its axle (toio facts, section 1.1).
const FRONT_MM: f64 = 12.1;

#[test]
fn a_wall_blocks_exactly_while_it_stands() {
    let mut world = before(across(60.0), vec![0]);
    let forward = [units(50.0, 50.0)];
    let touches = |world: &World| world.physics.impacts().iter().any(|impact| impact.other == Touched::Wall(0));
    world.run_and(1.0, &forward, |world| assert!(!touches(world)));
    // 141 mm/s, and 4 mm of the first second for the lag of the motors.
    assert_near(world.x_mm(0), 136.6, 1.0);
    set(&mut world, Some(&across(200.0)));
    let mut touched = false;
    world.run_and(1.0, &forward, |world| touched |= touches(world));
    assert!(touched);
    assert_near(world.x_mm(0), 200.0 - FRONT_MM, 0.5);
    set(&mut world, None);
    world.run(1.0, &forward);
    assert_near(world.x_mm(0), 200.0 - FRONT_MM + 141.0, 6.0);
}

/// A wall that was never in the way changes no motion.
#[test]
fn a_wall_that_is_away_is_as_none() {
    let (mut away, mut none) =
        (before(across(30.0), vec![0]), World::new(PhysicsParams::default(), &[cube(0, 0.0, 0.0, 0.0)]));
    for world in [&mut away, &mut none] {
        world.run(2.0, &[units(60.0, 40.0)]);
    }
    assert_eq!(away.report(0), none.report(0));
    assert_eq!(away.hash(), none.hash());
}

/// A turned wall stands as the same wall of a model that has it there from the start.
#[test]
fn a_wall_blocks_where_it_was_put() {
    let turned = across(300.0).moved_to(DVec2::new(0.08, 0.01), FRAC_PI_2 + FRAC_PI_6);
    assert_near(turned.from_m.distance(turned.to_m), 0.2, 1e-12);
    let (mut moved, mut first) = (before(across(300.0), Vec::new()), before(turned, Vec::new()));
    set(&mut moved, Some(&turned));
    for world in [&mut moved, &mut first] {
        world.run(2.0, &[units(50.0, 50.0)]);
    }
    let apart = moved.report(0).centre_m.distance(first.report(0).centre_m);
    assert!(apart < 1e-9, "{apart}");
    // Its front lies flat against the wall.
    assert_near(moved.report(0).heading_rad(), FRAC_PI_6, 0.01);
}

#[test]
fn only_a_wall_that_is_elsewhere_is_in_the_hash() {
    let mut world = before(across(60.0), Vec::new());
    let first = world.hash();
    set(&mut world, Some(&across(80.0)));
    let elsewhere = world.hash();
    set(&mut world, None);
    let away = world.hash();
    assert!(first != elsewhere && first != away && elsewhere != away);
    set(&mut world, Some(&across(60.0)));
    assert_eq!(world.hash(), first);
}

#[test]
fn a_clone_keeps_the_walls_where_they_are() {
    let mut world = before(across(60.0), Vec::new());
    set(&mut world, Some(&across(100.0)));
    world.run(0.3, &[units(50.0, 50.0)]);
    let mut copy = World { model: world.model.clone(), physics: world.physics.clone() };
    for world in [&mut world, &mut copy] {
        world.run(1.0, &[units(50.0, 50.0)]);
        set(world, None);
        world.run(0.5, &[units(50.0, 50.0)]);
    }
    assert_eq!(world.hash(), copy.hash());
    assert!(world.x_mm(0) > 130.0);
}

/// No wall stands in a cube: not 0.2 mm deep, but 0.2 mm before it; not below one that is lifted less than the wall is high.
#[test]
fn a_wall_does_not_stand_in_a_cube() {
    let mut world = before(across(60.0), vec![0]);
    let met = |world: &World, face_mm: f64| world.physics.cube_in_wall(&across(face_mm));
    assert_eq!(met(&world, FRONT_MM + 0.2), None);
    assert_eq!(met(&world, FRONT_MM - 0.2), Some(0));
    let refused = world.physics.set_wall(&world.model, 0, Some(&across(0.0))).unwrap_err();
    assert_eq!(refused.to_string(), "wall would stand in cube 0");
    world.run(1.0, &[units(30.0, 30.0)]);
    assert!(world.physics.impacts().is_empty(), "the refused wall does not stand");
    for (height_m, in_the_way) in [(0.02, Some(0)), (0.04, None)] {
        world.hand(0, HandAction::Lift { height_m, duration_s: 0.5 });
        world.run(1.0, &[STOP]);
        let face_mm = world.x_mm(0);
        assert_eq!(met(&world, face_mm), in_the_way, "{height_m}");
    }
}

/// One that a cube presses on can be put where it stands.
#[test]
fn a_wall_that_is_pressed_on_does_not_stand_in_the_cube() {
    let mut world = before(across(60.0), Vec::new());
    world.run(2.0, &[units(100.0, 100.0)]);
    assert!(!world.physics.impacts().is_empty());
    set(&mut world, Some(&across(60.0)));
}

#[test]
fn walls_that_are_not_there_are_refused() {
    let mut world = before(across(60.0), Vec::new());
    let refused = world.physics.set_wall(&world.model, 1, None).unwrap_err();
    assert_eq!(refused.to_string(), "wall is 1, there are 1");
    let far = across(2e6);
    assert_eq!(world.physics.set_wall(&world.model, 0, Some(&far)).unwrap_err().field, "from_m");
    let params = PhysicsParams { walls: vec![across(60.0)], away_walls: vec![1], ..PhysicsParams::default() };
    assert_eq!(PhysicsModel::new(params).unwrap_err().field, "away_walls");
}
