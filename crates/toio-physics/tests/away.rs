//! Cubes that are taken out of the world and brought back.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{STOP, World, assert_near, cube, units};
use glam::DVec3;
use sim_core::{DVec2, Rect};
use toio_physics::{
    BringError, CubeReport, CubeStart, GRAVITY_M_S2, HandAction, Magnet, Mount, PhysicsParams, PlacedMagnet, Touched,
    Wall, geometry,
};

/// The driver at 0 mm looks at another cube at 80 mm. Axle to front face: 12.1 mm; axle to rear face: 19.7 mm.
fn pair() -> World {
    World::new(PhysicsParams::default(), &[cube(0, 0.0, 0.0, 0.0), cube(1, 80.0, 0.0, 0.0)])
}

fn take(world: &mut World, cube: usize) {
    world.physics.take_away(&world.model, cube).unwrap();
}

/// With its axle's middle at (x, y) millimetres and a heading in degrees.
fn bring(world: &mut World, cube: usize, [x_mm, y_mm]: [f64; 2], heading_deg: f64) -> Result<(), BringError> {
    world.physics.bring(&world.model, cube, DVec2::new(x_mm, y_mm) / 1000.0, heading_deg.to_radians())
}

/// 50 units are 140.7 mm/s and the lag costs 4 mm: 3 s bring a cube past 400 mm where nothing stands in its way.
#[test]
fn a_cube_that_is_away_blocks_none_and_one_that_is_back_does() {
    let drive = [units(50.0, 50.0), STOP];
    let mut world = pair();
    take(&mut world, 1);
    world.run(3.0, &drive);
    assert_near(world.x_mm(0), 281.4 / 2.0 * 3.0 - 4.1, 1.0);
    assert!(world.physics.impacts().is_empty());
    bring(&mut world, 1, [520.0, 0.0], 90.0).unwrap();
    assert_eq!((world.x_mm(1).round(), world.y_mm(1).round()), (520.0, 0.0));
    let mut touched = false;
    world.run_and(1.5, &drive, |world| {
        touched |= world.physics.impacts().iter().any(|impact| (impact.cube, impact.other) == (0, Touched::Cube(1)));
    });
    assert!(touched);
    // It pushes the other one before it: faces touch, 31.8 mm between the centres as it lies across.
    let apart = world.report(1).centre_in_plane_m() - world.report(0).centre_in_plane_m();
    assert!(apart.length() > 0.0313, "{apart}");
}

/// Away, nothing moves it: it neither falls nor turns its wheels, whatever its commands are, and measures what it does at rest.
#[test]
fn the_report_of_a_cube_that_is_away_rests() {
    let mut world = pair();
    world.run(0.5, &[units(60.0, 20.0); 2]);
    world.hand(1, HandAction::Lift { height_m: 0.2, duration_s: 0.5 });
    world.run(1.0, &[units(60.0, 20.0); 2]);
    let before = world.report(1);
    take(&mut world, 1);
    let rests = |report: CubeReport| {
        assert!(report.is_away && !report.is_held);
        assert_eq!(
            (report.centre_m, report.velocity_m_s, report.omega_rad_s),
            (before.centre_m, DVec3::ZERO, DVec3::ZERO)
        );
        for wheel in report.wheels {
            assert_eq!((wheel.motor_m_s, wheel.ground_m_s, wheel.load_n, wheel.is_on_ground), (0.0, 0.0, 0.0, false));
        }
        let force = report.specific_force_m_s2;
        assert_near(force.length(), GRAVITY_M_S2, 1e-9);
        assert_eq!(force, report.peak_specific_force_m_s2);
    };
    rests(world.report(1));
    world.hand(1, HandAction::Tap { impulse_n_s: DVec3::X * 0.01, at_m: DVec3::ZERO });
    world.run(1.0, &[units(60.0, 20.0); 2]);
    rests(world.report(1));
    bring(&mut world, 1, [-100.0, 50.0], 30.0).unwrap();
    world.step(&[STOP, STOP]);
    let report = world.report(1);
    assert!(!report.is_away && report.wheels.iter().all(|wheel| wheel.is_on_ground && wheel.motor_m_s == 0.0));
    // What the ground gives in a tick: docs/models/contact.md has a tilt of 0.007 degrees.
    assert_near(report.heading_rad().to_degrees(), 30.0, 0.01);
    assert!(report.velocity_m_s.length() < 1e-3, "{}", report.velocity_m_s);
    world.run(0.2, &[STOP, STOP]);
    assert_near(1000.0 * report.lift_m(), 0.0, 0.02);
    let load_n: f64 = world.report(1).wheels.iter().map(|wheel| wheel.load_n).sum();
    assert_near(load_n, 0.025 * GRAVITY_M_S2 * 13.0 / 16.8, 0.01);
}

/// Three cubes that are driven about in a small pen, and a guest far beside it that may be away.
fn pen(guest: Option<bool>) -> World {
    let walls = Wall::around(Rect::from_size(0.3, 0.3), 0.02, 0.01).to_vec();
    let mut starts = vec![cube(0, 60.0, 60.0, 10.0), cube(2, 200.0, 80.0, 170.0), cube(3, 140.0, 200.0, 250.0)];
    starts.extend(guest.map(|is_away| CubeStart { is_away, ..cube(1, 400.0, 400.0, 45.0) }));
    World::new(PhysicsParams { walls, ..PhysicsParams::default() }, &starts)
}

fn drive(world: &mut World, tick: u32) {
    let command = |id: u32| {
        let wave = |k: u32| f64::from((id * 31 + k * 17 + (tick / 25) * 43) % 230) - 115.0;
        units(wave(1), wave(2))
    };
    let mut commands = [0, 2, 3].map(command).to_vec();
    commands.resize(world.physics.reports().len(), STOP);
    world.step(&commands);
}

/// What others do does not depend on a cube that is away: bit for bit as in a world that does not have it.
#[test]
fn others_go_on_as_if_a_cube_that_is_away_did_not_exist() {
    let (mut alone, mut world) = (pen(None), pen(Some(true)));
    let mut touches = 0;
    for tick in 0..1000 {
        drive(&mut alone, tick);
        drive(&mut world, tick);
        assert_eq!(alone.physics.reports(), &world.physics.reports()[..3], "tick {tick}");
        touches += alone.physics.impacts().len();
    }
    assert!(touches > 20, "the pen is too large for a test of contact");
}

/// One that leaves in mid-run leaves nothing behind: a cube that was pushed by it coasts, turns and drives as one that is alone.
#[test]
fn a_cube_that_was_pushed_goes_on_alone() {
    let mut world = pair();
    world.run(1.0, &[units(50.0, 50.0), STOP]);
    assert!(world.physics.impacts().iter().any(|impact| impact.other == Touched::Cube(1)), "it pushes");
    let from_mm = world.x_mm(1);
    take(&mut world, 0);
    world.run(0.5, &[STOP, STOP]);
    // A body that is let go at less than 141 mm/s slides on its standing wheels by v^2 / (2 mu g), 5 mm at most.
    assert!((0.0..5.1).contains(&(world.x_mm(1) - from_mm)), "{}", world.x_mm(1) - from_mm);
    let (x_mm, y_mm) = (world.x_mm(1), world.y_mm(1));
    world.run(2.0, &[STOP, units(50.0, 50.0)]);
    // The motor's closed form: 140.7 mm/s less 4.07 mm of lag; it veers by less than 1 % (docs/models/contact.md).
    assert_near(world.x_mm(1) - x_mm, 281.4 - 4.1, 1.5);
    assert_near(world.y_mm(1) - y_mm, 0.0, 3.0);
    assert!(world.physics.impacts().is_empty());
}

/// A cube that is away adds to the hash; once it is back where it was, nothing tells that it was gone.
#[test]
fn the_hash_sees_that_a_cube_is_away() {
    let (mut world, still) = (pair(), pair());
    take(&mut world, 1);
    assert_ne!(world.hash(), still.hash());
    bring(&mut world, 1, [80.0, 0.0], 0.0).unwrap();
    assert_eq!(world.hash(), still.hash());
}

/// A clone that is made while a cube is away goes on bit for bit, also through its return.
#[test]
fn a_clone_with_a_cube_away_goes_on_bit_for_bit() {
    let mut world = pair();
    world.run(0.3, &[units(40.0, 60.0), units(-30.0, 30.0)]);
    take(&mut world, 1);
    world.run(0.2, &[units(40.0, 60.0), STOP]);
    let mut copy = World { model: world.model.clone(), physics: world.physics.clone() };
    for world in [&mut world, &mut copy] {
        world.run(0.5, &[units(80.0, 80.0), STOP]);
        bring(world, 1, [-120.0, 30.0], 200.0).unwrap();
        world.run(2.0, &[units(-80.0, -80.0), units(50.0, 50.0)]);
    }
    assert_eq!(world.hash(), copy.hash());
    assert_eq!(world.physics.reports(), copy.physics.reports());
}

/// Refused, nothing has changed.
#[test]
fn a_cube_is_not_brought_into_a_wall_or_another_cube() {
    let wall = Wall { from_m: DVec2::new(0.3, -0.1), to_m: DVec2::new(0.3, 0.1), height_m: 0.02, thickness_m: 0.01 };
    let params = PhysicsParams { walls: vec![wall], ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(4, 0.0, 0.0, 0.0), cube(7, 80.0, 0.0, 0.0), cube(9, 160.0, 0.0, 0.0)]);
    assert_eq!(bring(&mut world, 1, [-200.0, 0.0], 0.0), Err(BringError::There));
    take(&mut world, 1);
    let before = world.hash();
    let in_the_way = |touched| Err(BringError::InTheWay(touched));
    // Squares of 31.8 mm whose middles are 31 mm apart overlap; turned by 45 degrees they do up to 38.4 mm.
    assert_eq!(bring(&mut world, 1, [31.0, 0.0], 0.0), in_the_way(Touched::Cube(0)));
    assert_eq!(bring(&mut world, 1, [160.0, 31.0], 0.0), in_the_way(Touched::Cube(2)));
    assert_eq!(bring(&mut world, 1, [160.0, 37.0], 45.0), in_the_way(Touched::Cube(2)));
    assert_eq!(bring(&mut world, 1, [300.0 - 12.1 - 4.0, 0.0], 0.0), in_the_way(Touched::Wall(0)));
    assert!(matches!(bring(&mut world, 1, [f64::NAN, 0.0], 0.0), Err(BringError::Param(_))));
    assert!(matches!(bring(&mut world, 3, [0.0, 0.0], 0.0), Err(BringError::Param(_))));
    assert_eq!(world.hash(), before);
    bring(&mut world, 1, [300.0 - 12.1 - 5.1, 0.0], 0.0).unwrap();
    take(&mut world, 1);
    bring(&mut world, 1, [32.0, 0.0], 0.0).unwrap();
}

/// A wall is in the way where it stands now, and a cube that is away is in the way of no wall.
#[test]
fn walls_that_move_are_in_the_way_where_they_stand() {
    let wall = |x_m: f64| Wall {
        from_m: DVec2::new(x_m, -0.1),
        to_m: DVec2::new(x_m, 0.1),
        height_m: 0.02,
        thickness_m: 0.01,
    };
    let mut world =
        World::new(PhysicsParams { walls: vec![wall(0.3)], ..PhysicsParams::default() }, &[cube(4, 0.0, 0.0, 0.0)]);
    take(&mut world, 0);
    let in_the_way = Err(BringError::InTheWay(Touched::Wall(0)));
    assert_eq!(bring(&mut world, 0, [300.0, 0.0], 0.0), in_the_way);
    world.physics.set_wall(&world.model, 0, Some(&wall(0.0))).unwrap();
    assert_eq!(bring(&mut world, 0, [0.0, 0.0], 0.0), in_the_way);
    bring(&mut world, 0, [300.0, 0.0], 0.0).unwrap();
    take(&mut world, 0);
    world.physics.set_wall(&world.model, 0, None).unwrap();
    bring(&mut world, 0, [0.0, 0.0], 0.0).unwrap();
}

/// What is held above the top of a standing cube is in no way, and neither is another one that is away. One that is lifted lower is.
#[test]
fn only_what_is_low_enough_is_in_the_way() {
    let mut world = pair();
    take(&mut world, 1);
    // A standing cube is 24.3 mm high.
    for (height_m, is_free) in [(0.02, false), (0.03, true)] {
        world.hand(0, HandAction::Lift { height_m, duration_s: 0.5 });
        world.run(1.0, &[STOP, STOP]);
        assert_eq!(bring(&mut world, 1, [0.0, 0.0], 0.0).is_ok(), is_free, "{height_m}");
    }
    let mut world = pair();
    take(&mut world, 0);
    take(&mut world, 1);
    bring(&mut world, 0, [80.0, 0.0], 0.0).unwrap();
    assert_eq!(bring(&mut world, 1, [80.0, 0.0], 0.0), Err(BringError::InTheWay(Touched::Cube(0))));
}

/// It lies on its side: 31.8 mm wide still, and its box, 23.3 mm high, now stands out to one side of the wheels' line.
#[test]
fn a_cube_on_its_side_is_in_the_way_where_it_lies() {
    let mut world = pair();
    world.hand(0, HandAction::Tilt { roll_rad: std::f64::consts::FRAC_PI_2, pitch_rad: 0.0, duration_s: 1.0 });
    world.run(1.5, &[STOP, STOP]);
    world.hand(0, HandAction::Release {});
    world.run(1.0, &[STOP, STOP]);
    take(&mut world, 1);
    let corners_m = |report: CubeReport| {
        let half = geometry::FOOTPRINT_M / 2.0;
        let [bottom, top] = [geometry::CLEARANCE_M, 0.0243].map(|above| geometry::BODY_CENTRE_HEIGHT_M - above);
        [bottom, top].map(|z| report.world_of(DVec3::new(0.0, half, z))).map(|corner| -corner.y)
    };
    let [one, other] = corners_m(world.report(0));
    let (least, most) = (one.min(other), one.max(other));
    assert_near(1000.0 * (most - least), 23.3, 0.1);
    let centre_x_mm = 1000.0 * world.report(0).centre_m.x;
    // A cube across it, whose face comes within 1 mm of its box, or reaches 1 mm into it.
    let beside = |y_m: f64| [centre_x_mm + 3.8, 1000.0 * y_m];
    assert!(bring(&mut world, 1, beside(most + 0.0149), 0.0).is_err());
    assert!(bring(&mut world, 1, beside(least - 0.0149), 0.0).is_err());
    bring(&mut world, 1, beside(most + 0.0169), 0.0).unwrap();
    take(&mut world, 1);
    bring(&mut world, 1, beside(least - 0.0169), 0.0).unwrap();
}

/// A start that is away may overlap anything, and stands once it is brought elsewhere.
#[test]
fn a_start_that_is_away_takes_no_place() {
    let walls = Wall::around(Rect::from_size(0.3, 0.3), 0.02, 0.01).to_vec();
    let away = |start: CubeStart| CubeStart { is_away: true, ..start };
    let starts = [cube(0, 100.0, 100.0, 0.0), away(cube(1, 100.0, 100.0, 0.0)), away(cube(2, 0.0, 0.0, 0.0))];
    let mut world = World::new(PhysicsParams { walls, ..PhysicsParams::default() }, &starts);
    world.run(1.0, &[units(20.0, 20.0), STOP, STOP]);
    assert_near(world.y_mm(0), 100.0, 0.3);
    assert!(world.x_mm(0) > 145.0, "nothing holds it: {}", world.x_mm(0));
    assert!(world.report(1).is_away && world.report(2).is_away);
    bring(&mut world, 1, [200.0, 200.0], 0.0).unwrap();
    world.run(0.5, &[STOP; 3]);
    assert_near(world.x_mm(1), 200.0, 0.1);
}

/// The magnet on a cube leaves with it.
#[test]
fn the_magnet_of_a_cube_that_is_away_is_felt_by_none() {
    let mount = Mount::Cube { cube: 1, at_m: DVec3::ZERO, north: DVec3::X };
    let magnet = PlacedMagnet { magnet: Magnet::reference(), mount };
    let starts = [cube(0, 0.0, 0.0, 0.0), cube(1, 60.0, 0.0, 0.0)];
    let mut world = World::with_magnets(PhysicsParams::default(), &starts, &[magnet]);
    let there = world.physics.field_at_sensor_a_m(0).unwrap();
    assert!(there.length() > 1.0, "{there}");
    take(&mut world, 1);
    assert_eq!(world.physics.field_at_sensor_a_m(0), Some(DVec3::ZERO));
    bring(&mut world, 1, [60.0, 0.0], 0.0).unwrap();
    let back = world.physics.field_at_sensor_a_m(0).unwrap();
    assert!((back - there).length() < 1e-9, "{back} {there}");
}
