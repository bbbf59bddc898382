//! Hands: what they do, and what they refuse.

mod common;

use common::{STOP, World, assert_near, cube, units};
use glam::DVec3;
use sim_core::{DVec2, ops};
use std::f64::consts::PI;
use toio_physics::{GRAVITY_M_S2, HandAction, PhysicsParams, StepError, Wall, WheelCommand};

const AT_CENTRE: DVec3 = DVec3::ZERO;

/// Lifted to a height, held there at rest, weight in the hand: the accelerometer still shows gravity.
#[test]
fn lift_holds_at_the_height() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.1, duration_s: 0.5 });
    world.run(1.0, &[STOP]);
    let report = world.report(0);
    assert_near(report.lift_m(), 0.1, 1e-4);
    assert!(report.is_held);
    assert_near((report.specific_force_m_s2 - DVec3::new(0.0, 0.0, -GRAVITY_M_S2)).length(), 0.0, 0.01);
    world.run(5.0, &[STOP]);
    assert_near(world.report(0).lift_m(), 0.1, 1e-4);
}

/// The least-jerk path peaks at 5.77 h / T^2 (its second derivative 60 u - 180 u^2 + 120 u^3 at u = 0.211): 2.3 m/s^2 for 0.1 m in 0.5 s.
#[test]
fn a_lift_is_felt_as_its_acceleration() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.1, duration_s: 0.5 });
    let mut peak = 0.0_f64;
    world.run_and(0.5, &[STOP], |world| peak = peak.max(-world.report(0).specific_force_m_s2.z - GRAVITY_M_S2));
    assert_near(peak, 5.7735 * 0.1 / 0.25, 0.25);
}

#[test]
fn place_puts_the_cube_on_its_wheels_and_lets_go() {
    let mut world = World::alone();
    let goal = DVec2::new(0.2, -0.1);
    world.hand(0, HandAction::Place { axle_m: goal, heading_rad: 2.0, height_m: 0.0, duration_s: 1.0 });
    let mut highest = 0.0_f64;
    world.run_and(1.5, &[STOP], |world| highest = highest.max(world.report(0).lift_m()));
    let report = world.report(0);
    assert_near(report.axle_m().distance(goal) * 1000.0, 0.0, 0.5);
    assert_near(report.heading_rad(), 2.0, 0.01);
    assert_near(report.lift_m(), 0.0, 2e-5);
    assert!(!report.is_held && highest > 0.03, "carried over the mat: {highest}");
    world.run(0.5, &[units(50.0, 50.0)]);
    assert!(world.report(0).axle_m().distance(goal) > 0.05);
}

/// Signs of toio facts, section 1.5: positive roll is right side down, positive pitch nose up.
#[test]
fn tilt_holds_the_attitude_over_the_lowest_point() {
    for (roll_rad, pitch_rad) in [(0.5, 0.0), (-1.2, 0.3), (3.0, -0.4), (0.0, 1.5)] {
        let mut world = World::alone();
        world.hand(0, HandAction::Tilt { roll_rad, pitch_rad, duration_s: 0.5 });
        world.run(1.5, &[STOP]);
        let report = world.report(0);
        assert_near(report.attitude.roll_rad, roll_rad, 0.01);
        assert_near(report.attitude.pitch_rad, pitch_rad, 0.01);
        let up = -report.specific_force_m_s2 / GRAVITY_M_S2;
        // The accelerometer's Y shows minus g sin(roll) cos(pitch), its X plus g sin(pitch).
        assert_near(up.x, -ops::sin(pitch_rad), 0.02);
        assert_near(up.y, ops::sin(roll_rad) * ops::cos(pitch_rad), 0.02);
        let corners = [-1.0, 1.0].map(|x| {
            [-1.0, 1.0].map(|y| {
                let bottom = report.world_of(DVec3::new(0.0159 * x, 0.0159 * y, 0.0112)).z;
                bottom.min(report.world_of(DVec3::new(0.0159 * x, 0.0159 * y, -0.0131)).z)
            })
        });
        let lowest = corners.iter().flatten().fold(f64::INFINITY, |a: f64, &b| a.min(b));
        assert_near(lowest, 0.0, 5e-4);
    }
}

/// Clockwise seen from above is positive, and more than a turn is more than a turn.
#[test]
fn turn_turns_in_place() {
    let mut world = World::alone();
    world.hand(0, HandAction::Turn { angle_rad: 8.0, duration_s: 2.0 });
    let (mut turned, mut last) = (0.0, 0.0);
    world.run_and(2.5, &[STOP], |world| {
        let heading = world.report(0).heading_rad();
        turned += sim_core::angle::wrap_rad(heading - last);
        last = heading;
    });
    assert_near(turned, 8.0, 0.01);
    assert_near(world.report(0).centre_m.truncate().distance(DVec2::new(-0.0038, 0.0)) * 1000.0, 0.0, 0.5);
}

/// The centre follows the sine: amplitude and number of swings are as asked.
#[test]
fn shake_is_a_sine() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.05, duration_s: 0.3 });
    world.run(0.6, &[STOP]);
    let centre = world.report(0).centre_m;
    let direction = DVec3::new(0.0, 3.0, 0.0);
    world.hand(0, HandAction::Shake { direction, amplitude_m: 0.02, frequency_hz: 2.5, duration_s: 2.0 });
    let (mut largest, mut crossings, mut last) = (0.0_f64, 0, 0.0);
    world.run_and(2.0, &[STOP], |world| {
        let offset = (world.report(0).centre_m - centre).y;
        largest = largest.max(offset.abs());
        crossings += u32::from(offset * last < 0.0);
        last = offset;
    });
    assert_near(largest, 0.02, 0.001);
    // Two crossings a swing, and the ends are at rest on the middle.
    assert!((9..=10).contains(&crossings), "{crossings}");
    world.run(0.5, &[STOP]);
    assert!(world.report(0).is_held, "it was held before");
    assert_near((world.report(0).centre_m - centre).length(), 0.0, 1e-3);
}

/// A shake sets in and ends without a jump. With x = A s(f t) sin(2 pi f t), s(u) <= 10 u^3 and sin(u) <= u, a first tick of length h goes
/// x(h) <= 20 pi A f^4 h^4 far from rest; and no tick's acceleration is above the largest of x'', A f^2 (4 pi^2 + 4 pi s'max + s''max)
/// with s'max = 15 / 8 and s''max = 10 / sqrt(3).
#[test]
fn a_shake_sets_in_and_fades() {
    let (amplitude_m, frequency_hz, tick_s) = (0.02, 2.5, 0.02);
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.05, duration_s: 0.3 });
    world.run(3.0, &[STOP]);
    world.hand(0, HandAction::Shake { direction: DVec3::X, amplitude_m, frequency_hz, duration_s: 2.0 });
    let mut felt = Vec::new();
    world.run_and(2.2, &[STOP], |world| felt.push(world.report(0).specific_force_m_s2.x));
    let start =
        20.0 * PI * amplitude_m * frequency_hz * frequency_hz * (frequency_hz * tick_s) * (frequency_hz * tick_s);
    assert!(felt[0].abs() <= start + 1e-6, "{} is more than {start}", felt[0]);
    // The end is the beginning, backwards: the last tick of the path, and the one in which it rests.
    for rest in [felt[100], felt[101]] {
        assert!(rest.abs() <= start + 1e-3, "{rest} is more than {start}");
    }
    let most = amplitude_m * frequency_hz * frequency_hz * (4.0 * PI * PI + 7.5 * PI + 10.0 / 3.0_f64.sqrt());
    let peak = felt.iter().fold(0.0_f64, |peak, a| peak.max(a.abs()));
    assert!(peak <= most, "{peak} is more than {most}");
    // In the middle it is the whole sine: A (2 pi f)^2 is 4.93 m/s^2, less 1 % for the sampling at 20 a swing.
    let middle = felt[25..75].iter().fold(0.0_f64, |peak, a| peak.max(a.abs()));
    assert_near(middle, 4.0 * PI * PI * amplitude_m * frequency_hz * frequency_hz, 0.1);
}

/// Too short for whole swings of growing and fading, it still starts and ends at rest where it was.
#[test]
fn a_short_shake_ends_where_it_began() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.05, duration_s: 0.3 });
    world.run(3.0, &[STOP]);
    let centre = world.report(0).centre_m;
    // 0.7 swings: a plain sine would end at -0.95 of its amplitude.
    world.hand(0, HandAction::Shake { direction: DVec3::X, amplitude_m: 0.02, frequency_hz: 1.0, duration_s: 0.7 });
    let mut farthest = 0.0_f64;
    world.run_and(0.7, &[STOP], |world| farthest = farthest.max((world.report(0).centre_m - centre).x));
    assert_near((world.report(0).centre_m - centre).length(), 0.0, 1e-4);
    assert_near(world.report(0).velocity_m_s.length(), 0.0, 0.01);
    assert!(farthest > 0.01, "{farthest}");
}

#[test]
fn a_shake_from_the_mat_ends_by_itself() {
    let mut world = World::alone();
    world.hand(0, HandAction::Shake { direction: DVec3::X, amplitude_m: 0.01, frequency_hz: 4.0, duration_s: 1.0 });
    world.run(0.5, &[STOP]);
    assert!(world.report(0).is_held);
    world.run(0.6, &[STOP]);
    assert!(!world.report(0).is_held);
}

/// A tap of J gives J / m, and is felt as J / (m dt) for one tick.
#[test]
fn tap_is_an_impulse() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.1, duration_s: 0.3 });
    world.run(0.5, &[STOP]);
    world.hand(0, HandAction::Release {});
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::new(0.0, 0.01, 0.0), at_m: AT_CENTRE });
    world.step(&[STOP]);
    // Along the cube's Y: to its right, which is the plane's y and minus the world's.
    assert_near(world.report(0).velocity_m_s.y, -0.01 / 0.025, 1e-3);
    assert_near(world.report(0).specific_force_m_s2.y, 0.01 / 0.025 / 0.02, 0.05);
    world.step(&[STOP]);
    assert_near(world.report(0).specific_force_m_s2.y, 0.0, 0.05);
}

/// A standing cube feels a tap downwards just as one in the air does: gravity and J / (m h) for one tick, at every rate of ticks that a
/// tap of a few milliseconds fits into; then gravity alone. The ground takes the impulse back, so the cube stays where it is.
#[test]
fn a_tap_is_felt_although_the_ground_takes_it_back() {
    for step_hz in [50, 100, 250, 500] {
        for impulse_n_s in [0.005, 0.01, 0.02] {
            let params = PhysicsParams { step_hz, ..PhysicsParams::default() };
            let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
            world.run(0.5, &[STOP]);
            let before = world.report(0);
            world.hand(0, HandAction::Tap { impulse_n_s: DVec3::Z * impulse_n_s, at_m: AT_CENTRE });
            world.step(&[STOP]);
            let blow_m_s2 = impulse_n_s / 0.025 * f64::from(step_hz);
            let felt = world.report(0).specific_force_m_s2 + DVec3::Z * GRAVITY_M_S2;
            // A fiftieth for what the soft ground leaves to the ticks after; aside, what uneven answers of the three feet make, and what
            // their friction, 0.2 g, makes of it afterwards.
            let aside_m_s2 = 0.12 * blow_m_s2 + 0.2 * GRAVITY_M_S2;
            assert_near(felt.z, blow_m_s2, 0.02 * blow_m_s2);
            assert_near(felt.truncate().length(), 0.0, aside_m_s2);
            world.run_and(0.2, &[STOP], |world| {
                let felt = world.report(0).specific_force_m_s2 + DVec3::Z * GRAVITY_M_S2;
                assert_near(felt.z, 0.0, 0.02 * blow_m_s2);
                assert_near(felt.truncate().length(), 0.0, aside_m_s2);
            });
            assert_near((world.report(0).centre_m - before.centre_m).length(), 0.0, 2e-3);
        }
    }
}

/// In the air nothing takes a tap back, and none of gravity counts as if: weightless but for J / (m h), whichever way the tap goes.
#[test]
fn a_tap_in_free_fall_is_felt_once() {
    for direction in [DVec3::X, -DVec3::Y, DVec3::Z, -DVec3::Z] {
        let mut world = World::alone();
        world.hand(0, HandAction::Lift { height_m: 0.2, duration_s: 0.3 });
        world.run(1.0, &[STOP]);
        world.hand(0, HandAction::Release {});
        world.hand(0, HandAction::Tap { impulse_n_s: direction * 0.01, at_m: AT_CENTRE });
        world.step(&[STOP]);
        assert_near((world.report(0).specific_force_m_s2 - direction * 20.0).length(), 0.0, 1e-3);
    }
}

/// A push against the tap is no answer of a contact: both are felt, here 10 mN s against 0.5 N for 20 ms.
#[test]
fn a_push_against_a_tap_is_not_taken_for_the_ground() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.2, duration_s: 0.3 });
    world.run(1.0, &[STOP]);
    world.hand(0, HandAction::Release {});
    world.hand(0, HandAction::Push { force_n: -DVec3::X * 0.5, at_m: AT_CENTRE, duration_s: 0.02 });
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::X * 0.01, at_m: AT_CENTRE });
    world.step(&[STOP]);
    assert_near(world.report(0).specific_force_m_s2.length(), 0.0, 1e-3);
}

/// With four engine steps in a tick the tap falls into one of them: four times as large there, the same in the mean.
#[test]
fn a_tap_is_felt_in_one_engine_step() {
    let params = PhysicsParams { substeps: 4, ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
    world.run(0.5, &[STOP]);
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::Z * 0.01, at_m: AT_CENTRE });
    world.step(&[STOP]);
    assert_near(world.report(0).specific_force_m_s2.z, 20.0 - GRAVITY_M_S2, 0.4);
    assert_near(world.report(0).peak_specific_force_m_s2.z, 80.0 - GRAVITY_M_S2, 1.6);
}

/// Upwards the ground takes nothing back: it lets go, and the cube flies with J / m less the gravity of one tick.
#[test]
fn a_tap_upwards_lifts_off() {
    let mut world = World::alone();
    world.run(0.5, &[STOP]);
    world.hand(0, HandAction::Tap { impulse_n_s: -DVec3::Z * 0.02, at_m: AT_CENTRE });
    world.step(&[STOP]);
    assert_near(world.report(0).velocity_m_s.z, 0.02 / 0.025 - GRAVITY_M_S2 * 0.02, 0.01);
    assert_near(world.report(0).specific_force_m_s2.z, -0.02 / 0.025 / 0.02, 0.5);
}

/// Along the ground the feet take back mu m g h of it, here 1 of 10 mN s; what is felt is the whole of it.
#[test]
fn a_tap_along_the_ground_is_felt_in_full() {
    let mut world = World::alone();
    world.run(0.5, &[STOP]);
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::X * 0.01, at_m: AT_CENTRE });
    world.step(&[STOP]);
    let report = world.report(0);
    assert_near(report.velocity_m_s.x, 0.01 / 0.025 - 0.2 * GRAVITY_M_S2 * 0.02, 0.02);
    assert_near(report.specific_force_m_s2.x, 0.01 / 0.025 / 0.02, 0.1);
}

/// What holds a cube on a slope is not taken for an answer to the tap: downhill, one of J adds J / (m h) to the g sin 8 degrees uphill that
/// a resting cube feels, though friction gives in the tick all that it can.
#[test]
fn a_tap_downhill_adds_to_what_rest_feels() {
    let slope_rad = 8.0_f64.to_radians();
    let params = PhysicsParams { tilt_rad: slope_rad, ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
    world.run(0.5, &[STOP]);
    let resting_m_s2 = -GRAVITY_M_S2 * ops::sin(slope_rad);
    assert_near(world.report(0).specific_force_m_s2.x, resting_m_s2, 0.02);
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::X * 0.01, at_m: AT_CENTRE });
    world.step(&[STOP]);
    assert_near(world.report(0).specific_force_m_s2.x, resting_m_s2 + 20.0, 0.1);
}

/// Against a wall it is the wall that takes it back.
#[test]
fn a_tap_against_a_wall_is_felt() {
    let wall = Wall { from_m: DVec2::new(0.02, -0.1), to_m: DVec2::new(0.02, 0.1), height_m: 0.03, thickness_m: 0.01 };
    let params = PhysicsParams { walls: vec![wall], ..PhysicsParams::default() };
    // The front face, 12.1 mm ahead of the axle, stands before the wall's face at 15 mm; then it is driven against it.
    let mut world = World::new(params, &[cube(0, 2.0, 0.0, 0.0)]);
    world.run(0.5, &[units(20.0, 20.0)]);
    world.run(0.5, &[STOP]);
    world.hand(0, HandAction::Tap { impulse_n_s: DVec3::X * 0.01, at_m: AT_CENTRE });
    world.step(&[STOP]);
    let report = world.report(0);
    assert!(report.velocity_m_s.x < 0.05, "{}", report.velocity_m_s);
    assert_near(report.specific_force_m_s2.x, 0.01 / 0.025 / 0.02, 1.0);
}

/// Two taps in one tick are one of both.
#[test]
fn taps_of_one_tick_add_up() {
    let mut world = World::alone();
    world.run(0.5, &[STOP]);
    for _ in 0..2 {
        world.hand(0, HandAction::Tap { impulse_n_s: DVec3::Z * 0.005, at_m: AT_CENTRE });
    }
    world.step(&[STOP]);
    assert_near(world.report(0).specific_force_m_s2.z, 20.0 - GRAVITY_M_S2, 0.4);
}

/// Beside the centre it turns the body: L = r x J over I = m a^2 / 6 about the vertical.
#[test]
fn a_tap_beside_the_centre_turns() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.1, duration_s: 0.3 });
    world.run(0.5, &[STOP]);
    world.hand(0, HandAction::Release {});
    let tap = HandAction::Tap { impulse_n_s: DVec3::new(0.0, 0.001, 0.0), at_m: DVec3::new(0.01, 0.0, 0.0) };
    world.hand(0, tap);
    world.step(&[STOP]);
    assert_near(world.report(0).omega_rad_s.z, 1e-5 / (0.025 * 0.0318 * 0.0318 / 6.0), 0.03);
}

/// A push less than what the feet hold moves nothing; a stronger one moves the cube, as long as it lasts.
#[test]
fn push_against_friction() {
    let pushed_mm = |force_n: f64| {
        let mut world = World::alone();
        world.run(0.5, &[STOP]);
        let before = world.x_mm(0);
        let push = HandAction::Push { force_n: DVec3::X * force_n, at_m: DVec3::new(0.0, 0.0, 0.011), duration_s: 0.4 };
        world.hand(0, push);
        world.run(1.0, &[STOP]);
        assert_near(world.report(0).velocity_m_s.length(), 0.0, 1e-6);
        world.x_mm(0) - before
    };
    // Standing feet all hold with 0.2 of 0.245 N: 49 mN.
    assert_near(pushed_mm(0.04), 0.0, 0.01);
    // 100 mN less 49 on 25 g: 2.04 m/s^2 for 0.4 s are 163 mm, then it slides on for 0.816^2 / (2 * 1.96) = 170 mm.
    assert_near(pushed_mm(0.1), 333.0, 10.0);
}

#[test]
fn what_cannot_be_is_refused_with_its_name() {
    let mut world = World::alone();
    let mut refused = |action| world.physics.hand(&world.model, 0, action).unwrap_err().field;
    assert_eq!(refused(HandAction::Lift { height_m: -0.1, duration_s: 1.0 }), "height_m");
    assert_eq!(refused(HandAction::Lift { height_m: 0.1, duration_s: f64::NAN }), "duration_s");
    assert_eq!(
        refused(HandAction::Place { axle_m: DVec2::NAN, heading_rad: 0.0, height_m: 0.0, duration_s: 1.0 }),
        "axle_m"
    );
    assert_eq!(refused(HandAction::Tilt { roll_rad: 4.0, pitch_rad: 0.0, duration_s: 1.0 }), "roll_rad");
    assert_eq!(refused(HandAction::Tilt { roll_rad: 0.0, pitch_rad: 2.0, duration_s: 1.0 }), "pitch_rad");
    assert_eq!(refused(HandAction::Turn { angle_rad: f64::INFINITY, duration_s: 1.0 }), "angle_rad");
    let shake = |direction, amplitude_m, frequency_hz| HandAction::Shake {
        direction,
        amplitude_m,
        frequency_hz,
        duration_s: 1.0,
    };
    assert_eq!(refused(shake(DVec3::ZERO, 0.01, 2.0)), "direction");
    assert_eq!(refused(shake(DVec3::X, 0.2, 2.0)), "amplitude_m");
    assert_eq!(refused(shake(DVec3::X, 0.01, 6.0)), "frequency_hz");
    assert_eq!(refused(HandAction::Push { force_n: DVec3::X * 30.0, at_m: AT_CENTRE, duration_s: 1.0 }), "force_n");
    assert_eq!(refused(HandAction::Tap { impulse_n_s: DVec3::X, at_m: AT_CENTRE }), "impulse_n_s");
    assert_eq!(refused(HandAction::Tap { impulse_n_s: DVec3::ZERO, at_m: DVec3::X }), "at_m");
    let error = world.physics.hand(&world.model, 1, HandAction::Release {}).unwrap_err();
    assert_eq!(error.field, "cube");
}

#[test]
fn commands_that_do_not_fit_are_refused() {
    let mut world = World::alone();
    let error = world.physics.step(&world.model, &[]).unwrap_err();
    assert_eq!(error, StepError::CommandCount { given: 0, cubes: 1 });
    let command = WheelCommand { left_units: f64::NAN, ..WheelCommand::default() };
    assert_eq!(world.physics.step(&world.model, &[command]).unwrap_err(), StepError::Command { id: 0 });
}

/// A hand is no stiffer than it is at any rate of steps.
#[test]
fn hands_are_stable_at_every_rate() {
    for step_hz in [10, 25, 50, 60, 240, 1000] {
        let params = PhysicsParams { step_hz, ..PhysicsParams::default() };
        let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
        world.hand(0, HandAction::Lift { height_m: 0.05, duration_s: 0.5 });
        world.run(2.0, &[STOP]);
        assert_near(world.report(0).lift_m(), 0.05, 1e-3);
        assert_near(world.report(0).velocity_m_s.length(), 0.0, 1e-3);
    }
}

/// A lifted cube that is tilted stays as high as it is: its lowest point, whichever that becomes.
#[test]
fn a_lifted_cube_is_tilted_in_the_air() {
    let mut world = World::alone();
    world.hand(0, HandAction::Lift { height_m: 0.1, duration_s: 0.5 });
    world.run(1.5, &[STOP]);
    world.hand(0, HandAction::Tilt { roll_rad: 0.5, pitch_rad: 0.0, duration_s: 0.5 });
    let mut least_m = f64::INFINITY;
    world.run_and(1.5, &[STOP], |world| least_m = least_m.min(world.report(0).centre_m.z));
    let report = world.report(0);
    assert!(least_m > 0.1, "{least_m} m");
    assert_near(report.attitude.roll_rad, 0.5, 0.01);
    // Half of 31.8 mm times the sine of the roll, and 11.2 mm times its cosine, below the centre.
    assert_near(report.centre_m.z, 0.1 + 0.0159 * 0.479_426 + 0.0112 * 0.877_583, 0.001);
}

/// A cube is put on top of another one, 24.3 mm high with its studs, and stays there.
#[test]
fn a_cube_is_put_on_another_one() {
    let mut world = World::new(PhysicsParams::default(), &[cube(0, 0.0, 0.0, 0.0), cube(1, 100.0, 0.0, 0.0)]);
    let place = HandAction::Place { axle_m: DVec2::new(0.1, 0.0), heading_rad: 0.0, height_m: 0.0245, duration_s: 1.0 };
    world.hand(0, place);
    world.run(3.0, &[STOP, STOP]);
    let report = world.report(0);
    assert!(!report.is_held);
    // The bottom of its box is 1 mm above its feet, which stand on mats only.
    assert_near(report.centre_m.z, 0.0243 + 0.0102, 0.001);
    assert_near(world.report(1).centre_m.z, 0.0112, 0.0002);
}

/// What a mouse sends: a goal that moves 60 times a second, by 100 mm in a second. The cube follows level at its height, is held all the
/// time and stands where it is let go.
#[test]
fn a_drag_follows_a_moving_goal() {
    let params = PhysicsParams { step_hz: 60, ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
    let mut highest_m = 0.0_f64;
    for k in 1..=120 {
        let x_m = 0.1 * (f64::from(k) / 60.0).min(1.0);
        world.hand(0, HandAction::Drag { axle_m: DVec2::new(x_m, 0.0), heading_rad: 0.0, height_m: 0.002 });
        world.step(&[STOP]);
        let report = world.report(0);
        assert!(report.is_held && report.attitude.pitch_rad.abs() < 0.05, "tick {k}: {report:?}");
        highest_m = highest_m.max(report.lift_m());
    }
    assert!(highest_m < 0.003, "{highest_m} m");
    assert_near(world.x_mm(0), 100.0, 0.5);
    world.hand(0, HandAction::Release {});
    world.run(0.5, &[STOP]);
    assert_near(world.report(0).lift_m(), 0.0, 1e-4);
    assert_near(world.x_mm(0), 100.0, 1.0);
}

/// A place that replaces another one under way carries no higher than one does: 40 mm and the millimetres of the grip's own error.
#[test]
fn repeated_places_do_not_throw_a_cube_up() {
    let params = PhysicsParams { step_hz: 60, ..PhysicsParams::default() };
    let mut world = World::new(params, &[cube(0, 0.0, 0.0, 0.0)]);
    let mut highest_m = 0.0_f64;
    for k in 1..=120 {
        let axle_m = DVec2::new(0.1 * f64::from(k) / 120.0 + 0.05, 0.0);
        world.hand(0, HandAction::Place { axle_m, heading_rad: 0.0, height_m: 0.0, duration_s: 0.2 });
        world.run(1.0 / 60.0, &[STOP]);
        highest_m = highest_m.max(world.report(0).lift_m());
    }
    assert!(highest_m < 0.045, "{highest_m} m");
}
