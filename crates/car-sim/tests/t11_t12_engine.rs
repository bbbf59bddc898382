//! Test groups T11 and T12 of the car facts: collision and clock. And what follows from the meaning of each call of the engine.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Pose, Segment, SegmentMap, Simulator, SimulatorParams, Status};
use proptest::prelude::*;
use sim_core::{DVec2, StateHash};
use std::f64::consts::{FRAC_PI_2, PI};

fn simulator() -> Simulator {
    Simulator::new(SimulatorParams::default()).unwrap()
}

fn wall(from: (f64, f64), to: (f64, f64)) -> SegmentMap {
    SegmentMap::from_segments(&[Segment::new(from.into(), to.into())]).unwrap()
}

fn room() -> SegmentMap {
    let at = |x, y| DVec2::new(x, y);
    let corners = [at(-2.0, -2.0), at(6.0, -2.0), at(6.0, 3.0), at(-2.0, 3.0)];
    let edges: Vec<_> = (0..4).map(|k| Segment::new(corners[k], corners[(k + 1) % 4])).collect();
    SegmentMap::from_segments(&edges).unwrap()
}

fn hash_of(simulator: &Simulator) -> u64 {
    let mut hash = StateHash::new();
    simulator.hash_into(&mut hash);
    hash.finish()
}

#[test]
fn t11_a_wall_ahead_is_hit_in_step_2585_and_the_clock_stops() {
    let mut simulator = simulator();
    simulator.reset_map(wall((2.0, -1.0), (2.0, 1.0)));
    simulator.set_base_control(0.8, 0.0).unwrap();
    simulator.advance(2.584).unwrap();
    assert_eq!(simulator.car().status(), Status::InProgress);
    simulator.advance(10.0).unwrap();
    assert_eq!((simulator.car().status(), simulator.car().steps()), (Status::Collision, 2585));
    let state = simulator.truck_state();
    assert_eq!(state.car.time_ns, 2_585_000_000);
    // 0.32 m while speeding up for 0.8 s, then 0.8 m/s.
    assert!((state.car.base.position_m.x - (0.32 + 0.8 * 1.785)).abs() < 1e-12);
    simulator.set_base_control(-0.5, 0.0).unwrap();
    simulator.advance(5.0).unwrap();
    let after = simulator.truck_state();
    assert_eq!((after.car.base, after.car.time_ns), (state.car.base, state.car.time_ns));
}

/// Each edge of the true outline: the front 0.2525 m ahead of the base point, the rear as far behind it, the flanks 0.1565 m beside it.
/// The car starts 1 mm off the wall and moves towards it, or passes along it.
#[test]
fn t11_every_edge_of_the_outline_collides() {
    let status_after = |map: SegmentMap, v: f64, c: f64, seconds: f64| {
        let mut simulator = simulator();
        simulator.reset_map(map);
        assert_eq!(simulator.car().status(), Status::InProgress);
        simulator.set_base_control(v, c).unwrap();
        simulator.advance(seconds).unwrap();
        simulator.car().status()
    };
    // v = 1 m/s^2 t: 1 mm takes 45 ms.
    assert_eq!(status_after(wall((0.2535, -1.0), (0.2535, 1.0)), 0.8, 0.0, 0.044), Status::InProgress);
    assert_eq!(status_after(wall((0.2535, -1.0), (0.2535, 1.0)), 0.8, 0.0, 0.046), Status::Collision);
    assert_eq!(status_after(wall((-0.2535, -1.0), (-0.2535, 1.0)), -0.5, 0.0, 0.044), Status::InProgress);
    assert_eq!(status_after(wall((-0.2535, -1.0), (-0.2535, 1.0)), -0.5, 0.0, 0.046), Status::Collision);
    for side in [1.0, -1.0] {
        let flank = || wall((-1.0, side * 0.1575), (1.0, side * 0.1575));
        assert_eq!(status_after(flank(), 0.8, 0.0, 3.0), Status::InProgress, "driving along a wall");
        assert_eq!(status_after(flank(), 0.8, side, 1.0), Status::Collision, "steering into it");
        // The rear swings out: steering away from a wall beside the rear bumper.
        let beside_rear = wall((-1.0, side * 0.1575), (-0.2, side * 0.1575));
        assert_eq!(status_after(beside_rear, 0.8, -side * 1.6, 0.5), Status::Collision, "swinging the rear into it");
    }
}

#[test]
fn t11_touching_counts() {
    let mut simulator = simulator();
    simulator.reset_map(wall((0.2525, -1.0), (0.2525, 1.0)));
    assert_eq!(simulator.car().status(), Status::Collision);
    simulator.reset_map(wall((0.252_500_001, -1.0), (0.252_500_001, 1.0)));
    assert_eq!(simulator.car().status(), Status::InProgress);
}

#[test]
fn t11_a_long_call_does_not_jump_over_a_wall() {
    let mut simulator = simulator();
    // Thinner than anything the car does in one call, and wholly behind it at the end of the call were it not stopped.
    simulator.reset_map(wall((1.0, 0.05), (1.001, 0.05)));
    simulator.set_base_control(0.8, 0.0).unwrap();
    simulator.advance(1000.0).unwrap();
    assert_eq!(simulator.car().status(), Status::Collision);
    assert!(simulator.truck_state().car.base.position_m.x < 0.749);
}

/// A floor of 10 x 6 m with a pillar of 2 x 2 m, in which the car has room.
fn floor_with_pillar() -> SegmentMap {
    let ring =
        |x0: f64, y0: f64, x1: f64, y1: f64| format!("[[{x0},{y0}],[{x1},{y0}],[{x1},{y1}],[{x0},{y1}],[{x0},{y0}]]");
    let rings = format!("[{},{}]", ring(0.0, 0.0, 10.0, 6.0), ring(6.0, 2.0, 8.0, 4.0));
    let polygon = format!(r#"{{"type":"Feature","geometry":{{"type":"Polygon","coordinates":{rings}}}}}"#);
    SegmentMap::from_geojson(&format!(r#"{{"type":"FeatureCollection","features":[{polygon}]}}"#)).unwrap()
}

#[test]
fn t11_the_inside_of_a_pillar_counts_and_that_of_a_floor_does_not() {
    let mut simulator = simulator();
    simulator.reset_base(Pose::new(3.0, 3.0, 0.0), 0.0, 0.0).unwrap();
    simulator.reset_map(floor_with_pillar());
    assert_eq!(simulator.car().status(), Status::InProgress);
    simulator.reset_base(Pose::new(7.0, 3.0, 0.0), 0.0, 0.0).unwrap();
    assert_eq!(simulator.car().status(), Status::Collision, "wholly within the pillar");
    simulator.erase_map();
    simulator.reset_map(floor_with_pillar());
    assert_eq!(simulator.car().status(), Status::Collision, "a pillar that appears around the car");
}

#[test]
fn t12_any_cut_of_a_second_is_a_second() {
    let after = |cuts: &[(usize, f64)]| {
        let mut simulator = simulator();
        simulator.reset_base(Pose::new(1.0, 2.0, 0.3), 0.1, 0.2).unwrap();
        simulator.set_base_control(0.8, -1.2).unwrap();
        cuts.iter().for_each(|&(count, seconds)| (0..count).for_each(|_| simulator.advance(seconds).unwrap()));
        assert_eq!(simulator.truck_state().car.time_ns, 1_000_000_000);
        hash_of(&simulator)
    };
    let whole = after(&[(1, 1.0)]);
    assert_eq!(after(&[(1000, 0.001)]), whole);
    assert_eq!(after(&[(100, 0.01)]), whole);
    assert_eq!(after(&[(10, 0.1)]), whole);
    // Calls shorter than a step add up.
    assert_eq!(after(&[(10_000, 0.000_1)]), whole);
    assert_eq!(after(&[(1, 0.333_333_333), (3, 0.222_222_222), (1, 0.000_000_001)]), whole);
}

/// Counts and times at which `trunc(seconds / step)` in double arithmetic loses a step.
#[test]
fn t12_no_step_is_lost() {
    let params = SimulatorParams::default();
    let car = car_sim::CarParams { step_ns: 5_000_000, ..params.car };
    let mut simulator = Simulator::new(SimulatorParams { car, ..params }).unwrap();
    (0..29).for_each(|_| simulator.advance(0.005).unwrap());
    assert_eq!(simulator.truck_state().car.time_ns, 145_000_000);
    let mut simulator = self::simulator();
    simulator.advance(1.001 - 1.0).unwrap();
    assert_eq!(simulator.truck_state().car.time_ns, 1_000_000);
}

#[test]
fn reset_base_restarts_clock_command_and_draws() {
    let mut params = SimulatorParams::default();
    params.lidar_errors.noise_std = 0.01;
    params.gyro_errors.noise_std = 0.01;
    let mut simulator = Simulator::new(params).unwrap();
    simulator.reset_map(room());
    let first = simulator.truck_state();
    simulator.set_base_control(0.5, 1.0).unwrap();
    simulator.advance(0.500_4).unwrap();
    assert_ne!(simulator.truck_state().gyro_rad_s, first.gyro_rad_s);
    simulator.reset_base(Pose::ORIGIN, 0.0, 0.0).unwrap();
    assert_eq!(simulator.truck_state(), first);
    // Nothing of the 0.4 ms that were left is carried over the reset, and the car is asked to stand.
    simulator.advance(0.000_6).unwrap();
    assert_eq!(simulator.truck_state().car.time_ns, 0);
    simulator.advance(1.0).unwrap();
    assert_eq!(simulator.truck_state().car.base, Pose::ORIGIN);
}

#[test]
fn after_a_reset_in_motion_the_car_brakes() {
    let mut simulator = simulator();
    simulator.reset_base(Pose::new(0.0, 0.0, FRAC_PI_2), 0.0, 0.5).unwrap();
    let state = simulator.truck_state();
    assert!((state.car.base_velocity_in_world_m_s - DVec2::new(0.0, 0.5)).length() < 1e-15);
    assert_eq!((state.car.target_motor_rps, state.car.target_steering.middle_rad), (0.0, 0.0));
    simulator.advance(1.0).unwrap();
    // v^2 / (2 b) = 0.25 / 4.
    assert!((simulator.truck_state().car.base.position_m - DVec2::new(0.0, 0.0625)).length() < 1e-12);
}

#[test]
fn a_collision_ends_with_each_of_the_resets() {
    let hit = || {
        let mut simulator = simulator();
        simulator.reset_map(wall((0.5, -1.0), (0.5, 1.0)));
        simulator.set_base_control(0.8, 0.0).unwrap();
        simulator.advance(3.0).unwrap();
        assert_eq!(simulator.car().status(), Status::Collision);
        simulator
    };
    let mut erased = hit();
    let before = erased.truck_state();
    erased.erase_map();
    let after = erased.truck_state();
    assert_eq!(after.car.status, Status::InProgress);
    assert_eq!((after.car.base, after.car.time_ns), (before.car.base, before.car.time_ns), "the car is kept");
    erased.advance(0.1).unwrap();
    assert_eq!(erased.truck_state().car.time_ns, before.car.time_ns + 100_000_000);

    let mut replaced = hit();
    replaced.reset_map(wall((9.0, -1.0), (9.0, 1.0)));
    assert_eq!(replaced.car().status(), Status::InProgress);
    replaced.reset_map(wall((0.4, -1.0), (0.4, 1.0)));
    assert_eq!(replaced.car().status(), Status::Collision, "looked for at once on a new map");

    let mut moved = hit();
    moved.reset_base(Pose::new(0.0, 0.0, PI), 0.0, 0.0).unwrap();
    assert_eq!(moved.car().status(), Status::InProgress);
    moved.reset_base(Pose::new(0.4, 0.0, 0.0), 0.0, 0.0).unwrap();
    assert_eq!(moved.car().status(), Status::Collision, "looked for at once at a new place");
}

#[test]
fn targets_change_at_once_and_the_car_does_not() {
    let mut simulator = simulator();
    let before = simulator.truck_state();
    simulator.set_base_control(0.8, 0.5).unwrap();
    let after = simulator.truck_state();
    // Car facts, T1.
    assert!((after.car.target_motor_rps - 28.651_644_918_2).abs() < 1e-9);
    assert!((after.car.target_steering.left_rad - 0.211_830_600_497).abs() < 1e-9);
    assert_eq!((after.car.motor_rps, after.car.steering), (before.car.motor_rps, before.car.steering));
    assert_eq!((after.gyro_rad_s, after.accelerometer_m_s2), (before.gyro_rad_s, before.accelerometer_m_s2));
}

#[test]
fn commands_beyond_the_limits_count_as_the_limits() {
    let mut simulator = simulator();
    simulator.set_base_control(99.0, -99.0).unwrap();
    let target = simulator.truck_state().car.target_twist;
    assert_eq!((target.velocity_m_s, target.curvature_1_m), (0.8, -simulator.model().curvature_limit_1_m()));
    simulator.set_base_control(-99.0, 0.0).unwrap();
    assert_eq!(simulator.truck_state().car.target_twist.velocity_m_s, -0.5);
}

/// The acceleration argument holds for both phases and can only lower the limits: min(argument, limit of the phase).
#[test]
fn an_acceleration_argument_lowers_both_rates() {
    let speeds = |acceleration_m_s2: f64| {
        let mut simulator = simulator();
        simulator.set_base_control_with_acceleration(0.8, acceleration_m_s2, 0.0).unwrap();
        simulator.advance(0.1).unwrap();
        let gained = simulator.truck_state().car.base_twist.velocity_m_s;
        simulator.reset_base(Pose::ORIGIN, 0.0, 0.8).unwrap();
        simulator.set_base_control_with_acceleration(0.0, acceleration_m_s2, 0.0).unwrap();
        simulator.advance(0.1).unwrap();
        [gained, 0.8 - simulator.truck_state().car.base_twist.velocity_m_s]
    };
    for (argument, [gained, lost]) in [(0.5, [0.05, 0.05]), (1.5, [0.1, 0.15]), (9.0, [0.1, 0.2]), (0.0, [0.0, 0.0])] {
        let found = speeds(argument);
        assert!((found[0] - gained).abs() < 1e-12 && (found[1] - lost).abs() < 1e-12, "{argument}: {found:?}");
    }
}

#[test]
fn asking_changes_nothing() {
    let mut params = SimulatorParams::default();
    params.lidar_errors.noise_std = 0.02;
    params.accelerometer_errors.walk_std_per_sqrt_s = 0.1;
    let mut simulator = Simulator::new(params).unwrap();
    simulator.reset_map(room());
    simulator.set_base_control(0.6, 0.7).unwrap();
    simulator.advance(0.25).unwrap();
    let before = hash_of(&simulator);
    let states = [simulator.truck_state(), simulator.truck_state()];
    assert_eq!(states[0], states[1]);
    assert_eq!(hash_of(&simulator), before);
}

proptest! {
    /// Commands at whole nanoseconds, and the time between them cut in two at any nanosecond: the same bits, sensors included.
    #[test]
    fn t12_cuts_change_no_bit(
        legs in prop::collection::vec(
            (-0.6_f64..0.9, -1.7_f64..1.7, prop::option::of(0.0_f64..3.0), 1_u64..900_000_000, 0.0_f64..1.0),
            1..6,
        ),
        seed in 0_u64..1000,
    ) {
        let mut params = SimulatorParams { seed, ..SimulatorParams::default() };
        params.lidar.increment_rad = 0.1;
        params.lidar_errors.noise_std = 0.02;
        params.gyro_errors.walk_std_per_sqrt_s = 0.1;
        let mut whole = Simulator::new(params).unwrap();
        whole.reset_map(room());
        let mut cut = whole.clone();
        for (v, c, acceleration, time_ns, share) in legs {
            for simulator in [&mut whole, &mut cut] {
                match acceleration {
                    Some(a) => simulator.set_base_control_with_acceleration(v, a, c).unwrap(),
                    None => simulator.set_base_control(v, c).unwrap(),
                }
            }
            let first_ns = (share * time_ns as f64) as u64;
            whole.advance(time_ns as f64 / 1e9).unwrap();
            cut.advance(first_ns as f64 / 1e9).unwrap();
            cut.advance((time_ns - first_ns) as f64 / 1e9).unwrap();
            prop_assert_eq!(hash_of(&whole), hash_of(&cut));
            prop_assert_eq!(whole.truck_state(), cut.truck_state());
        }
    }
}
