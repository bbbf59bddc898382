//! The state: complete, cloneable, the same in any storage order, and always finite.

mod common;

use common::{World, cube, units};
use glam::DVec3;
use proptest::prelude::*;
use sim_core::{DVec2, Rect};
use toio_physics::{
    BodyParams, CubeStart, HandAction, MotorParams, Physics, PhysicsModel, PhysicsParams, Wall, WheelCommand,
};

fn walled() -> PhysicsParams {
    let walls = Wall::around(Rect::from_size(0.3, 0.3), 0.02, 0.01).to_vec();
    PhysicsParams { walls, ..PhysicsParams::default() }
}

fn crowd() -> Vec<CubeStart> {
    let at = |k: u32| 50.0 + 60.0 * f64::from(k);
    (0..12).map(|k| cube(10 + k, at(k % 4), at(k / 4), 50.0 * f64::from(k))).collect()
}

/// By id, so that storage order does not matter.
fn command(id: u32, tick: u32) -> WheelCommand {
    let wave = |k: u32| f64::from((id * 31 + k * 17 + (tick / 20) * 43) % 230) - 115.0;
    units(wave(1), wave(2))
}

/// Twelve cubes in a small pen, driven about and pestered.
fn live(world: &mut World, starts: &[CubeStart], ticks: std::ops::Range<u32>) {
    for tick in ticks {
        for (k, start) in starts.iter().enumerate() {
            match (tick + start.id * 13) % 200 {
                50 => world
                    .hand(k, HandAction::Tap { impulse_n_s: DVec3::new(0.0, 0.006, -0.002), at_m: DVec3::X * 0.01 }),
                100 => world.hand(k, HandAction::Lift { height_m: 0.03, duration_s: 0.3 }),
                130 => world.hand(k, HandAction::Release {}),
                _ => (),
            }
        }
        let commands: Vec<_> = starts.iter().map(|start| command(start.id, tick)).collect();
        world.step(&commands);
    }
}

/// A clone made in mid-run, with hands at work and bodies in contact, goes on bit for bit.
#[test]
fn a_clone_goes_on_bit_for_bit() {
    let starts = crowd();
    let mut world = World::new(walled(), &starts);
    live(&mut world, &starts, 0..305);
    let mut copy = World { model: world.model.clone(), physics: world.physics.clone() };
    assert_eq!(world.hash(), copy.hash());
    live(&mut world, &starts, 305..700);
    live(&mut copy, &starts, 305..700);
    assert_eq!(world.hash(), copy.hash());
    assert_eq!(world.physics.reports(), copy.physics.reports());
    assert_eq!(world.physics.impacts(), copy.physics.impacts());
}

/// Shuffled storage, ids kept: the same trajectories to the last bit.
#[test]
fn storage_order_does_not_matter() {
    let starts = crowd();
    let mut shuffled = starts.clone();
    shuffled.reverse();
    shuffled.swap(2, 7);
    let (mut one, mut other) = (World::new(walled(), &starts), World::new(walled(), &shuffled));
    let mut impacts = 0;
    for chunk in 0..20 {
        live(&mut one, &starts, chunk * 25..(chunk + 1) * 25);
        live(&mut other, &shuffled, chunk * 25..(chunk + 1) * 25);
        assert_eq!(one.hash(), other.hash(), "chunk {chunk}");
        let rows = |world: &World, starts: &[CubeStart]| -> Vec<(u32, u64)> {
            world.physics.impacts().iter().map(|i| (starts[i.cube].id, i.impulse_n_s.to_bits())).collect()
        };
        assert_eq!(rows(&one, &starts), rows(&other, &shuffled));
        impacts += one.physics.impacts().len();
    }
    assert!(impacts > 20, "the pen is too large for a test of contact");
}

/// The hash sees every cube's motion, its motors and its hands.
#[test]
fn the_hash_sees_everything() {
    let base = World::alone().hash();
    let mut driven = World::alone();
    driven.step(&[units(50.0, 50.0)]);
    let mut still = World::alone();
    still.step(&[units(0.0, 0.0)]);
    let mut lifted = World::alone();
    lifted.hand(0, HandAction::Lift { height_m: 0.1, duration_s: 1.0 });
    let mut tapped = World::alone();
    tapped.hand(0, HandAction::Tap { impulse_n_s: DVec3::X * 0.01, at_m: DVec3::ZERO });
    let hashes = [base, driven.hash(), still.hash(), lifted.hash(), tapped.hash()];
    for (k, hash) in hashes.iter().enumerate() {
        assert!(!hashes[..k].contains(hash), "{k}");
    }
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let model = PhysicsModel::new(PhysicsParams::default()).unwrap();
    let refused = |starts: &[CubeStart]| Physics::new(&model, starts, &[]).err().unwrap().field;
    assert_eq!(refused(&[cube(1, 0.0, 0.0, 0.0), cube(1, 100.0, 0.0, 0.0)]), "id");
    assert_eq!(refused(&[cube(0, f64::NAN, 0.0, 0.0)]), "axle_m");
    let motor = MotorParams { tau_s: -1.0, ..MotorParams::default() };
    assert_eq!(refused(&[CubeStart { motor, ..cube(0, 0.0, 0.0, 0.0) }]), "tau_s");
}

/// A cube that reaches into a wall is refused with both numbers; one beside it, or turned so that its corner just clears it, is not.
#[test]
fn a_cube_in_a_wall_is_refused() {
    let wall = |x_m: f64| Wall {
        from_m: DVec2::new(x_m, -0.1),
        to_m: DVec2::new(x_m, 0.1),
        height_m: 0.02,
        thickness_m: 0.01,
    };
    let model =
        PhysicsModel::new(PhysicsParams { walls: vec![wall(-1.0), wall(0.05)], ..PhysicsParams::default() }).unwrap();
    let start = |axle_mm: f64, deg: f64| Physics::new(&model, &[cube(3, axle_mm, 0.0, deg)], &[]);
    // The front is 12.1 mm ahead of the axle and the wall's face at 45 mm.
    assert!(start(32.8, 0.0).is_ok());
    let error = start(33.0, 0.0).err().unwrap();
    assert_eq!(error.to_string(), "axle_m puts cube 3 into wall 1");
    // Turned by 45 degrees, half the diagonal, 22.5 mm, reaches ahead of a middle 2.7 mm behind the axle.
    assert!(start(25.1, 45.0).is_ok() && start(25.3, 45.0).is_err());
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let refused = |params| PhysicsModel::new(params).err().unwrap().field;
    let base = PhysicsParams::default;
    assert_eq!(refused(PhysicsParams { step_hz: 5, ..base() }), "step_hz");
    assert_eq!(refused(PhysicsParams { substeps: 0, ..base() }), "substeps");
    assert_eq!(refused(PhysicsParams { tilt_rad: 1.5, ..base() }), "tilt_rad");
    let wall = Wall { from_m: DVec2::ZERO, to_m: DVec2::ZERO, height_m: 0.02, thickness_m: 0.01 };
    assert_eq!(refused(PhysicsParams { walls: vec![wall], ..base() }), "to_m");
    let body = |change: fn(&mut BodyParams)| {
        let mut body = BodyParams::default();
        change(&mut body);
        PhysicsParams { body, ..base() }
    };
    assert_eq!(refused(body(|b| b.mass_kg = 0.0)), "mass_kg");
    assert_eq!(refused(body(|b| b.top_height_m = 0.01)), "top_height_m");
    assert_eq!(refused(body(|b| b.tyre_friction = f64::NAN)), "tyre_friction");
    assert_eq!(refused(body(|b| b.resting_friction = 1.0)), "resting_friction");
    assert_eq!(refused(body(|b| b.side_friction = 0.0)), "side_friction");
    assert_eq!(refused(body(|b| b.restitution = 1.0)), "restitution");
}

fn any_action() -> impl Strategy<Value = HandAction> {
    let unit = || (-1.0_f64..1.0, -1.0_f64..1.0, -1.0_f64..1.0).prop_map(|(x, y, z)| DVec3::new(x, y, z));
    let time = || 0.02_f64..0.5;
    prop_oneof![
        (0.0_f64..0.3, time()).prop_map(|(height_m, duration_s)| HandAction::Lift { height_m, duration_s }),
        (0.0_f64..0.3, 0.0_f64..0.3, -4.0_f64..4.0, time()).prop_map(|(x, y, heading_rad, duration_s)| {
            HandAction::Place { axle_m: DVec2::new(x, y), heading_rad, height_m: 0.0, duration_s }
        }),
        (-3.1_f64..3.1, -1.5_f64..1.5, time()).prop_map(|(roll_rad, pitch_rad, duration_s)| HandAction::Tilt {
            roll_rad,
            pitch_rad,
            duration_s
        }),
        (-20.0_f64..20.0, time()).prop_map(|(angle_rad, duration_s)| HandAction::Turn { angle_rad, duration_s }),
        (unit(), 0.0_f64..0.1, 0.1_f64..5.0, time()).prop_map(|(direction, amplitude_m, frequency_hz, duration_s)| {
            HandAction::Shake { direction: direction + DVec3::X * 2.0, amplitude_m, frequency_hz, duration_s }
        }),
        Just(HandAction::Release {}),
        (unit(), unit(), time()).prop_map(|(force, at, duration_s)| {
            HandAction::Push { force_n: force * 1.15, at_m: at * 0.017, duration_s }
        }),
        (unit(), unit()).prop_map(|(impulse, at)| HandAction::Tap { impulse_n_s: impulse * 0.028, at_m: at * 0.017 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever hands and firmware do, everything stays finite, above the mat, and of a speed that was put in.
    #[test]
    fn never_anything_non_finite(
        events in prop::collection::vec((0_u32..200, 0_usize..4, any_action()), 0..40),
        commands in prop::collection::vec((-300.0_f64..300.0, -300.0_f64..300.0, any::<bool>()), 4 * 10),
        substeps in 1_u32..4,
    ) {
        let starts: Vec<_> = (0..4).map(|k| cube(k, 60.0 + 70.0 * f64::from(k % 2), 60.0 + 70.0 * f64::from(k / 2), 0.0)).collect();
        let mut world = World::new(PhysicsParams { substeps, ..walled() }, &starts);
        for tick in 0..200 {
            for (_, cube, action) in events.iter().filter(|event| event.0 == tick) {
                world.hand(*cube, *action);
            }
            let row = |k: usize| {
                let (left_units, right_units, stop) = commands[4 * (tick as usize / 20) + k];
                WheelCommand { left_units, right_units, active_share: 1.0, is_forced_stop: stop }
            };
            world.step(&[row(0), row(1), row(2), row(3)]);
            for report in world.physics.reports() {
                prop_assert!(report.centre_m.is_finite() && report.omega_rad_s.is_finite());
                prop_assert!(report.specific_force_m_s2.is_finite() && report.attitude.pitch_rad.is_finite());
                prop_assert!((report.plane_from_cube.length() - 1.0).abs() < 1e-6);
                // Contacts are soft: what hits the mat at metres a second or is pressed into it sinks in for a moment.
                prop_assert!(report.centre_m.z > -0.02, "{}", report.centre_m);
            }
        }
    }
}
