//! Bodies in contact: pushing, blocking, falling, tilted mats (fault 19; "must be shown" 2).

mod common;

use common::{STOP, World, assert_near, cube, units};
use glam::DVec3;
use sim_core::{DVec2, Rect, ops};
use std::f64::consts::{FRAC_PI_2, PI};
use toio_physics::{BodyParams, GRAVITY_M_S2, HandAction, PhysicsParams, Touched, Wall, geometry};

fn two(gap_mm: f64, second_heading_deg: f64) -> World {
    // Axle to front face: 15.9 - 3.8 = 12.1 mm; axle to rear face: 19.7 mm.
    let second_face_mm = if second_heading_deg == 180.0 { 12.1 } else { 19.7 };
    let second = cube(1, 12.1 + gap_mm + second_face_mm, 0.0, second_heading_deg);
    World::new(PhysicsParams::default(), &[cube(0, 0.0, 0.0, 0.0), second])
}

/// Two equal cubes driven against each other stop each other half way, in contact, without passing into each other.
#[test]
fn head_on_cubes_block_each_other() {
    let mut world = two(40.0, 180.0);
    world.run(3.0, &[units(60.0, 60.0), units(60.0, 60.0)]);
    let (left, right) = (world.report(0), world.report(1));
    let middle_mm = 500.0 * (left.centre_m.x + right.centre_m.x);
    assert_near(middle_mm, 12.1 + 20.0, 1.5);
    // Faces touch: 31.8 mm between centres, less what contact gives and more what turning adds.
    assert_near(1000.0 * (right.centre_m.x - left.centre_m.x), 31.8, 0.3);
    for report in [left, right] {
        assert_near(report.velocity_m_s.length(), 0.0, 0.005);
        assert!(report.wheels[0].motor_m_s > 0.168, "the motors go on");
    }
}

/// Fault 19: a driven cube pushes a standing one before it, slower than it would go alone, and both move on together.
#[test]
fn fault_19_a_driven_cube_pushes_a_standing_one() {
    let mut world = two(10.0, 0.0);
    let before_mm = world.x_mm(1);
    world.run(2.0, &[units(50.0, 50.0), STOP]);
    let pushed_mm = world.x_mm(1) - before_mm;
    // Alone the driver would come 281.4 mm far in that time, lag and gap leave 266 for the pushed one.
    assert!((200.0..268.0).contains(&pushed_mm), "{pushed_mm}");
    assert_near(1000.0 * (world.report(1).centre_m.x - world.report(0).centre_m.x), 31.8, 0.2);
    assert_near(world.report(0).velocity_m_s.x, world.report(1).velocity_m_s.x, 1e-3);
}

/// Fault 19 from the other side: a collision pushes a driven cube back.
#[test]
fn fault_19_a_driven_cube_is_pushed_back() {
    let mut world = two(5.0, 180.0);
    let before_mm = world.x_mm(0);
    world.run(1.5, &[units(20.0, 20.0), units(100.0, 100.0)]);
    assert!(world.x_mm(0) < before_mm + 1.0, "{}", world.x_mm(0));
    // The strong one is no stronger than its tyres, so it need not win by much; it must not lose.
    assert!(world.x_mm(1) < 12.1 + 5.0 + 12.1 + 0.5, "{}", world.x_mm(1));
}

/// A cube that coasts into a free one: the momentum of both after the bump is the momentum before, less the friction of one tick;
/// no energy comes from nowhere.
#[test]
fn a_bump_keeps_momentum_and_makes_no_energy() {
    let body = BodyParams { tyre_friction: 0.0, resting_friction: 0.0, skid_friction: 0.0, ..BodyParams::default() };
    let params = PhysicsParams { body, ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0), cube(1, 60.0, 4.0, 10.0)]);
    world.run(0.5, &[STOP, STOP]);
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::new(0.005, 0.0, 0.0), at_m: DVec3::ZERO });
    let momentum = |world: &World| 0.025 * (world.report(0).velocity_m_s + world.report(1).velocity_m_s);
    let inertia = body.inertia_kg_m2();
    let energy = |world: &World| -> f64 {
        (0..2)
            .map(|k| world.report(k))
            .map(|r| 0.5 * (0.025 * r.velocity_m_s.length_squared() + (inertia * r.omega_rad_s).dot(r.omega_rad_s)))
            .sum()
    };
    world.step(&[STOP, STOP]);
    let (before, energy_before) = (momentum(&world), energy(&world));
    assert_near(before.x, 0.005, 1e-5);
    let mut bumps = 0;
    world.run_and(0.6, &[STOP, STOP], |world| {
        bumps += world.physics.impacts().iter().filter(|impact| impact.is_new).count();
        assert_near((momentum(world) - before).truncate().length(), 0.0, 2e-5);
        assert!(energy(world) <= energy_before * 1.01, "{} of {energy_before}", energy(world));
    });
    assert!(bumps >= 1);
    assert!(world.report(1).velocity_m_s.x > 0.05);
}

/// The impulse of an impact is the change of momentum that it makes, and it is new in its first tick alone.
#[test]
fn impacts_tell_pair_impulse_and_beginning() {
    let mut world = two(10.0, 0.0);
    let mut first = None;
    for _ in 0..50 {
        let before = world.report(1).velocity_m_s.x;
        world.step(&[units(100.0, 100.0), STOP]);
        if let Some(impact) = world.physics.impacts().first() {
            first = Some((*impact, world.report(1).velocity_m_s.x - before));
            break;
        }
    }
    let (impact, change_m_s) = first.unwrap();
    assert_eq!((impact.cube, impact.other, impact.is_new), (0, Touched::Cube(1), true));
    assert!(impact.normal.x > 0.99, "{:?}", impact.normal);
    // What friction of the standing cube's feet took in the tick at most: 0.9 of its weight in 20 ms are 4.4 mN s.
    let momentum = 0.025 * change_m_s;
    assert!(impact.impulse_n_s >= momentum - 1e-4 && impact.impulse_n_s <= momentum + 0.0044, "{impact:?} {momentum}");
    world.step(&[units(100.0, 100.0), STOP]);
    assert!(world.physics.impacts().iter().all(|impact| !impact.is_new));
}

/// A wall blocks; its impact is told.
#[test]
fn a_wall_blocks() {
    let walls = Wall::around(Rect { min: DVec2::splat(-0.05), max: DVec2::splat(0.05) }, 0.02, 0.01).to_vec();
    for heading_deg in [0.0, 90.0, 180.0, 270.0] {
        let params = PhysicsParams { walls: walls.clone(), ..PhysicsParams::default() };
        let mut world = World::new(params, &[cube(0, 0.0, 0.0, heading_deg)]);
        let mut touched = false;
        world.run_and(1.5, &[units(80.0, 80.0)], |world| {
            touched |= world.physics.impacts().iter().any(|impact| matches!(impact.other, Touched::Wall(_)));
        });
        let centre = world.report(0).centre_in_plane_m() * 1000.0;
        // A face at 50 mm: the centre is at 34.1 mm along the heading.
        assert_near(centre.length(), 34.1, 0.5);
        assert!(touched);
    }
}

/// A cube on a low block lies on its flat bottom: its wheels, which reach 1 mm farther down, have nothing to roll on. They turn, it stays.
#[test]
fn a_cube_on_a_block_goes_nowhere() {
    let (from_m, to_m) = (DVec2::new(0.1, 0.0), DVec2::new(0.144, 0.0));
    let block = Wall { from_m, to_m, height_m: 0.008, thickness_m: 0.044 };
    let params = PhysicsParams { walls: vec![block], ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
    let axle_m = DVec2::new(0.122 + 0.0038, 0.0);
    world.hand(0, HandAction::Place { axle_m, heading_rad: 0.0, height_m: 0.007, duration_s: 0.5 });
    world.run(1.0, &[STOP]);
    let placed = world.report(0);
    // Half of the body's 22.4 mm over its bottom, which is 1 mm clear of what the wheels stand on, less that millimetre.
    assert_near(1000.0 * placed.centre_m.z, 8.0 + 11.2 - 1.0, 0.1);
    assert_near(1000.0 * placed.centre_m.x, 122.0, 0.5);
    world.run(2.0, &[units(100.0, -100.0)]);
    let driven = world.report(0);
    assert_near(1000.0 * placed.centre_m.distance(driven.centre_m), 0.0, 0.05);
    assert_near(driven.heading_rad(), placed.heading_rad(), 1e-3);
    assert!(driven.wheels.iter().all(|wheel| wheel.motor_m_s.abs() > 0.28 && !wheel.is_on_ground));
}

/// No cube leaves a walled mat, however it drives.
#[test]
fn walls_hold_a_crowd() {
    let walls = Wall::around(Rect::from_size(0.2, 0.2), 0.02, 0.01).to_vec();
    let starts: Vec<_> = (0..9)
        .map(|k| cube(k, 40.0 + 60.0 * f64::from(k % 3), 40.0 + 60.0 * f64::from(k / 3), 40.0 * f64::from(k)))
        .collect();
    let mut world = World::new(PhysicsParams { walls, ..PhysicsParams::default() }, &starts);
    let commands: Vec<_> = (0..9).map(|k| units(115.0 - 5.0 * f64::from(k), 60.0 + 6.0 * f64::from(k))).collect();
    world.run_and(10.0, &commands, |world| {
        for report in world.physics.reports() {
            let centre = report.centre_in_plane_m() * 1000.0;
            assert!(centre.min_element() > 14.0 && centre.max_element() < 186.0, "{centre:?}");
            assert!(report.lift_m() > -0.002, "{}", report.lift_m());
        }
    });
}

/// At rest, an accelerometer shows gravity upwards, which is minus Z; nothing creeps in a minute.
#[test]
fn rest_is_rest() {
    let mut world = World::alone();
    world.run(1.0, &[STOP]);
    let before = world.report(0);
    world.run(60.0, &[STOP]);
    let after = world.report(0);
    assert_near((after.specific_force_m_s2 - DVec3::new(0.0, 0.0, -GRAVITY_M_S2)).length(), 0.0, 0.005);
    assert_near((after.centre_m - before.centre_m).length(), 0.0, 1e-7);
    assert_near(after.attitude.roll_rad.abs().max(after.attitude.pitch_rad.abs()), 0.0, 0.001);
    assert_eq!(after.peak_specific_force_m_s2, after.specific_force_m_s2);
}

/// Lifted by a height, turned to an attitude, let go.
fn dropped(roll_rad: f64, pitch_rad: f64, height_m: f64) -> World {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: height_m + 0.05, duration_s: 0.5 });
    world.run(0.6, &[STOP]);
    world.hand(0, HandAction::Tilt { roll_rad, pitch_rad, duration_s: 0.5 });
    world.run(0.6, &[STOP]);
    world.hand(0, HandAction::Lift { height_m, duration_s: 0.5 });
    world.run(0.8, &[STOP]);
    world.hand(0, HandAction::Release {});
    world
}

/// Free fall: weightless, and t = sqrt(2 h / g) = 143 ms for 100 mm (fault 19: falls are not slow).
#[test]
fn a_cube_dropped_flat_falls_freely_and_stands() {
    let mut world = dropped(0.0, 0.0, 0.1);
    let mut ticks = 0;
    world.run_and(0.12, &[STOP], |world| {
        ticks += 1;
        assert_near(world.report(0).specific_force_m_s2.length(), 0.0, 1e-6);
        let fallen_m = 0.1 - world.report(0).lift_m();
        let t = f64::from(ticks) * 0.02;
        // The engine's steps of 5 ms fall by up to g t 5 ms / 2 farther than the parabola.
        assert_near(fallen_m, 0.5 * GRAVITY_M_S2 * t * t, 0.5 * GRAVITY_M_S2 * t * 0.005 + 2e-4);
    });
    let mut peak = 0.0_f64;
    world.run_and(1.0, &[STOP], |world| peak = peak.max(world.report(0).specific_force_m_s2.length()));
    // 1.4 m/s lost within a tick or two are at least 35 m/s^2.
    assert!(peak > 35.0, "{peak}");
    let report = world.report(0);
    assert_near(report.lift_m(), 0.0, 2e-5);
    assert_near(report.attitude.roll_rad.abs().max(report.attitude.pitch_rad.abs()), 0.0, 0.001);
}

/// Dropped on an edge (45 degrees about the long way), a cube comes to lie on one of the two faces of that edge; dropped just off the
/// flat, it rights itself; flipped, it lies on its back; on its side, it stays there.
#[test]
fn a_dropped_cube_comes_to_lie_on_a_face() {
    for (roll, pitch, expected_up) in [
        (0.2, 0.0, Some(-DVec3::Z)),
        (0.0, -0.3, Some(-DVec3::Z)),
        (PI, 0.0, Some(DVec3::Z)),
        (PI - 0.2, 0.1, Some(DVec3::Z)),
        (FRAC_PI_2, 0.0, Some(-DVec3::Y)),
        (-FRAC_PI_2, 0.0, Some(DVec3::Y)),
        (0.0, FRAC_PI_2, Some(DVec3::X)),
        (0.0, -FRAC_PI_2, Some(-DVec3::X)),
        (0.25 * PI, 0.0, None),
        (0.0, -0.25 * PI, None),
    ] {
        let mut world = dropped(roll, pitch, 0.02);
        world.run(3.0, &[STOP]);
        let report = world.report(0);
        // Up in the cube's axes, out of the accelerometer, as the cube itself knows it.
        let up = report.specific_force_m_s2 / GRAVITY_M_S2;
        assert_near(up.length(), 1.0, 0.01);
        // A degree of slack: the body lies on studs or side edges with their give.
        assert!(up.abs().max_element() > 0.999, "{roll} {pitch}: {up:?}");
        assert_near(report.velocity_m_s.length(), 0.0, 1e-3);
        if let Some(expected) = expected_up {
            assert!(up.dot(expected) > 0.999, "{roll} {pitch}: {up:?}");
        }
    }
}

/// On its back a cube cannot drive.
#[test]
fn a_flipped_cube_does_not_drive() {
    let mut world = dropped(PI, 0.0, 0.005);
    world.run(2.0, &[STOP]);
    let before = world.report(0).centre_m;
    world.run(1.0, &[units(100.0, 100.0)]);
    assert_near((world.report(0).centre_m - before).length(), 0.0, 1e-6);
    assert!(world.report(0).wheels.iter().all(|wheel| !wheel.is_on_ground && wheel.load_n == 0.0));
}

fn tilted(tilt_deg: f64, downhill_deg: f64) -> World {
    let params = PhysicsParams {
        tilt_rad: tilt_deg.to_radians(),
        downhill_rad: f64::to_radians(downhill_deg),
        ..PhysicsParams::default()
    };
    World::new(params, &[cube(0, 0.0, 0.0, 0.0)])
}

/// A tilted mat tilts the cube's attitude and what its accelerometer shows, and does not move it while friction holds.
#[test]
fn a_cube_on_a_tilted_mat() {
    // Downhill ahead is nose down, downhill to the right is right side down; what is felt points uphill and up.
    let (sin, cos) = ops::sin_cos(8.0_f64.to_radians());
    for (downhill, roll, pitch, felt) in [
        (0.0, 0.0, -8.0, DVec3::new(-sin, 0.0, -cos)),
        (180.0, 0.0, 8.0, DVec3::new(sin, 0.0, -cos)),
        (90.0, 8.0, 0.0, DVec3::new(0.0, -sin, -cos)),
        (-90.0, -8.0, 0.0, DVec3::new(0.0, sin, -cos)),
    ] {
        let mut world = tilted(8.0, downhill);
        world.run(1.0, &[STOP]);
        let before = world.report(0);
        assert_near(before.attitude.roll_rad.to_degrees(), roll, 0.1);
        assert_near(before.attitude.pitch_rad.to_degrees(), pitch, 0.1);
        assert_near((before.specific_force_m_s2 - GRAVITY_M_S2 * felt).length(), 0.0, 0.02);
        world.run(10.0, &[STOP]);
        assert_near((world.report(0).centre_m - before.centre_m).length() * 1000.0, 0.0, 0.01);
    }
}

/// Too steep, and it slides: tan 20 degrees is more than the 0.2 with which standing wheels hold; a = g (sin - mu cos) = 1.51 m/s^2.
#[test]
fn a_steep_mat_makes_it_slide() {
    let mut world = tilted(20.0, 0.0);
    world.run(0.5, &[STOP]);
    let before = world.report(0).velocity_m_s.x;
    world.run(0.5, &[STOP]);
    assert_near((world.report(0).velocity_m_s.x - before) / 0.5, 1.51, 0.03);
}

/// Driven wheels climb: on 10 degrees they carry 65 % of the weight and pull with 58 % of it, where 24 % are needed.
#[test]
fn a_cube_climbs() {
    let mut world = tilted(10.0, 180.0);
    world.run(2.0, &[units(50.0, 50.0)]);
    assert_near(world.x_mm(0), 140.7 * (2.0 - 0.0289), 3.0);
}

/// A cube set on another's top stays there.
#[test]
fn cubes_stack() {
    let mut world = two(30.0, 0.0);
    let on_top = world.report(1).axle_m();
    world.hand(0, HandAction::Lift { height_m: 0.06, duration_s: 0.5 });
    world.run(0.6, &[STOP, STOP]);
    // Placing goes down to the mat: the hand meets the other cube on the way, and lets go.
    world.hand(0, HandAction::Place { axle_m: on_top, heading_rad: 0.0, height_m: 0.0, duration_s: 2.0 });
    world.run(4.0, &[STOP, STOP]);
    assert_near(world.report(0).lift_m(), geometry::STUD_HEIGHT_M, 0.002);
}
