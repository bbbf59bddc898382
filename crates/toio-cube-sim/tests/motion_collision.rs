//! Collisions: felt at every level, direction and step rate; not felt in driving, falling and being handled.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Bench, RATES_HZ, Seen, UNIT_M_S, shock};
use proptest::prelude::*;
use sim_core::{DVec3, ops};
use toio_cube_sim::attitude::Euler;
use toio_cube_sim::behaviour::PostureCones;
use toio_cube_sim::motion::{MotionInput, MotionSensor, collision_jolt_m_s2};

/// Change of velocity of a level: its jolt over the window of 40 ms that docs/models/motion-events.md declares.
fn threshold_m_s(level: u8) -> f64 {
    collision_jolt_m_s2(level) * 0.04
}

/// A hit of a given change of velocity on a cube that stands, as seen by a sensor of a given level.
fn hit(hz: u32, level: u8, change_m_s: DVec3, span_s: f64) -> Seen {
    let mut bench = Bench::new(hz);
    bench.friction = 0.0;
    bench.sensor.settings_mut().set_collision_level(level).unwrap();
    bench.stand(0.5, |_| DVec3::ZERO);
    // Not at the beginning of a step, so that the shock falls in two.
    bench.stand(0.5, |t| change_m_s * shock(t, 0.0137, span_s, 1.0));
    bench.seen
}

/// The declared mapping: 0.03 m/s in 40 ms at level 1, 0.3 m/s at level 10, equal ratios.
#[test]
fn levels_are_log_spaced_over_a_decade() {
    assert!((threshold_m_s(1) - 0.03).abs() < 1e-12);
    assert!((threshold_m_s(10) - 0.3).abs() < 1e-12);
    for level in 1..10 {
        let ratio = threshold_m_s(level + 1) / threshold_m_s(level);
        assert!((ratio * ratio * ratio - 2.154_434_690_031_884).abs() < 1e-9, "{ratio}");
    }
}

#[test]
fn every_level_answers_at_its_threshold_at_every_step_rate() {
    for hz in RATES_HZ {
        for level in 1..=10 {
            let below = hit(hz, level, DVec3::X * (0.9 * threshold_m_s(level)), 0.01);
            assert_eq!(below, Seen::default(), "{hz} Hz, level {level}");
            let above = hit(hz, level, DVec3::X * (1.1 * threshold_m_s(level)), 0.01);
            assert_eq!(above, Seen { collisions: 1, ..Seen::default() }, "{hz} Hz, level {level}");
        }
    }
}

#[test]
fn short_and_long_shocks_from_all_sides_count_once() {
    for hz in RATES_HZ {
        for span_s in [0.002, 0.005, 0.01, 0.02] {
            for side in 0..8 {
                let (sin, cos) = ops::sin_cos(f64::from(side) * std::f64::consts::FRAC_PI_4);
                let seen = hit(hz, 7, DVec3::new(cos, sin, 0.0) * 0.25, span_s);
                assert_eq!(seen.collisions, 1, "{hz} Hz, {span_s} s, side {side}");
            }
        }
    }
}

/// Driving at a wall: the body loses all its speed in 8 ms while the wheels go on turning and push it against the wall.
fn drive_at_wall(hz: u32, units: f64, level: u8) -> Seen {
    let mut bench = Bench::new(hz);
    bench.sensor.settings_mut().set_collision_level(level).unwrap();
    bench.run(1.0, |_| [units; 2], |_| DVec3::ZERO);
    assert_eq!(bench.seen, Seen::default());
    let speed = units * UNIT_M_S;
    // Friction pulls at 0.8 g as long as the wheels spin: the wall holds against it.
    let wall = |t: f64| -shock(t, 0.011, 0.008, speed) - if t > 0.011 { 0.8 * common::GRAVITY } else { 0.0 };
    bench.run(1.0, |_| [units; 2], |t| DVec3::new(wall(t), 0.0, 0.0));
    bench.seen
}

#[test]
fn a_wall_at_full_speed_is_one_collision_at_every_level() {
    for hz in RATES_HZ {
        for level in [1, 7, 10] {
            assert_eq!(drive_at_wall(hz, 115.0, level).collisions, 1, "{hz} Hz, level {level}");
        }
    }
}

#[test]
fn a_gentle_touch_is_felt_by_the_most_sensitive_level_only() {
    for hz in RATES_HZ {
        // 25 units are 70 mm/s: above 0.030 m/s, below 0.139 m/s.
        assert_eq!(drive_at_wall(hz, 25.0, 1).collisions, 1, "{hz} Hz");
        assert_eq!(drive_at_wall(hz, 25.0, 7).collisions, 0, "{hz} Hz");
    }
}

/// Friction takes away up to 0.15 m/s of the hit within a step of 20 ms.
#[test]
fn a_hit_is_felt_while_driving() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        bench.run(0.5, |_| [115.0, 60.0], |_| DVec3::ZERO);
        bench.run(0.3, |_| [115.0, 60.0], |t| DVec3::Y * shock(t, 0.1, 0.01, 0.45));
        assert_eq!(bench.seen.collisions, 1, "{hz} Hz");
    }
}

/// Full power both ways, spins, arcs and stops, on slippery and on sticky mats: nothing but the wheels acts.
#[test]
fn driving_alone_is_no_event() {
    let figures: [[f64; 2]; 8] = [
        [115.0, 115.0],
        [-115.0, -115.0],
        [0.0, 0.0],
        [115.0, -115.0],
        [-115.0, 115.0],
        [115.0, 0.0],
        [60.0, 115.0],
        [-115.0, -20.0],
    ];
    for hz in RATES_HZ {
        for friction in [0.3, 0.6, 0.9, 1.2, 3.0] {
            for span_s in [0.06, 0.11, 0.25, 0.7] {
                let mut bench = Bench::new(hz);
                bench.friction = friction;
                let figure = |t: f64| {
                    let k = (t / span_s) as usize;
                    figures[(k * 5 + k / 8) % figures.len()]
                };
                bench.run(12.0, figure, |_| DVec3::ZERO);
                assert_eq!(bench.seen, Seen::default(), "{hz} Hz, friction {friction}, figures of {span_s} s");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_program_of_motor_commands_is_an_event(
        commands in prop::collection::vec((-115.0_f64..115.0, -115.0_f64..115.0, 0.03_f64..0.5), 1..12),
        rate in 0..RATES_HZ.len(),
        friction in 0.3_f64..1.5,
    ) {
        let mut bench = Bench::new(RATES_HZ[rate]);
        bench.friction = friction;
        for (left, right, span_s) in commands {
            bench.run(span_s, |_| [left, right], |_| DVec3::ZERO);
        }
        prop_assert_eq!(bench.seen, Seen::default());
    }
}

proptest! {
    /// Whatever comes in, the report stays lawful and the sensor comes to rest again.
    #[test]
    fn no_motion_breaks_the_sensor(
        motions in prop::collection::vec(prop::array::uniform10(-1e4_f64..1e4), 1..60),
        rate in 0..RATES_HZ.len(),
    ) {
        let hz = RATES_HZ[rate];
        let mut sensor = MotionSensor::new(PostureCones::Fixed, hz).unwrap();
        let rest = MotionInput {
            specific_force_m_s2: DVec3::NEG_Z * common::GRAVITY,
            angular_rate_rad_s: DVec3::ZERO,
            attitude: Euler::default(),
            wheel_speed_m_s: [0.0; 2],
        };
        for [fx, fy, fz, wx, wy, wz, roll, pitch, left, right] in motions {
            sensor.step(&MotionInput {
                specific_force_m_s2: DVec3::new(fx, fy, fz),
                angular_rate_rad_s: DVec3::new(wx, wy, wz),
                attitude: Euler { roll_rad: roll, pitch_rad: pitch, yaw_rad: 0.0 },
                wheel_speed_m_s: [left, right],
            });
            prop_assert!(sensor.peek().shake <= 10);
        }
        for _ in 0..hz {
            sensor.step(&rest);
        }
        sensor.take_report();
        prop_assert!((0..hz).all(|_| !sensor.step(&rest)));
        let report = sensor.peek();
        prop_assert!(report.flat && report.posture as u8 == 1 && report.shake == 0 && !report.collision);
    }
}

/// Toio facts, section 8.7: collision clears itself after one report; a read does not clear it.
#[test]
fn a_collision_clears_itself_after_one_report() {
    let mut bench = Bench::new(100);
    bench.stand(0.5, |_| DVec3::ZERO);
    let mut sensor = bench.sensor.clone();
    let mut feel = |t: f64| {
        let input = MotionInput {
            specific_force_m_s2: DVec3::new(shock(t, 0.0, 0.01, 0.5), 0.0, -common::GRAVITY),
            angular_rate_rad_s: DVec3::ZERO,
            attitude: Euler::default(),
            wheel_speed_m_s: [0.0; 2],
        };
        sensor.step(&input)
    };
    let news: usize = (0..20).filter(|&k| feel((f64::from(k) + 0.5) / 100.0)).count();
    assert_eq!(news, 1);
    assert!(sensor.peek().collision && sensor.peek().collision);
    assert!(sensor.take_report().collision);
    assert!(!sensor.peek().collision && !sensor.take_report().collision);
}

#[test]
fn two_hits_are_two_collisions() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        let twice = |t: f64| DVec3::Y * (shock(t, 0.1, 0.01, 0.4) + shock(t, 0.4, 0.01, -0.4));
        bench.stand(0.5, |_| DVec3::ZERO);
        bench.stand(0.8, twice);
        assert_eq!(bench.seen.collisions, 2, "{hz} Hz");
    }
}

/// A fall of `height_m`, a landing within 6 ms with some bounce, and rest: the specific force that an accelerometer would show.
fn drop_from(hz: u32, height_m: f64, down_in_body: DVec3) -> (Seen, Seen) {
    let g = common::GRAVITY;
    let fall_s = (2.0 * height_m / g).sqrt();
    let impact = g * fall_s;
    let (bounce, span_s) = (0.3, 0.006);
    let bounce_s = 2.0 * bounce * impact / g;
    let landed_s = 0.2 + fall_s;
    let support = move |t: f64| {
        let falls = (0.2..landed_s).contains(&t) || (landed_s + span_s..landed_s + span_s + bounce_s).contains(&t);
        let shocks = shock(t, landed_s, span_s, impact * (1.0 + bounce))
            + shock(t, landed_s + span_s + bounce_s, span_s, impact * bounce);
        if falls { 0.0 } else { g + shocks }
    };
    let mut bench = Bench::new(hz);
    bench.attitude = Euler {
        roll_rad: if down_in_body == DVec3::Y { std::f64::consts::FRAC_PI_2 } else { 0.0 },
        ..Euler::default()
    };
    bench.held(landed_s - 0.02, |t| -down_in_body * support(t));
    let in_flight = bench.seen;
    bench.held(1.0, |t| -down_in_body * support(t + landed_s - 0.02));
    (in_flight, bench.seen)
}

#[test]
fn a_drop_is_silent_in_flight_and_one_collision_at_landing() {
    for hz in RATES_HZ {
        for height_m in [0.03, 0.1, 0.3] {
            for down in [DVec3::Z, DVec3::Y] {
                let (in_flight, landed) = drop_from(hz, height_m, down);
                assert_eq!(in_flight.collisions + in_flight.double_taps, 0, "{hz} Hz, {height_m} m, {down}");
                assert_eq!(landed.collisions, 1, "{hz} Hz, {height_m} m, {down}");
                assert_eq!((landed.double_taps, landed.most_shake), (0, 0), "{hz} Hz, {height_m} m, {down}");
            }
        }
    }
}

/// A hand that lifts by 50 mm in 0.4 s and puts down again: minimum-jerk motion, at most 1.8 m/s².
#[test]
fn being_lifted_and_put_down_is_no_shock() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        let rise = |t: f64| {
            let s = t / 0.4;
            if s < 1.0 { 0.05 / 0.16 * (60.0 * s - 180.0 * s * s + 120.0 * s * s * s) } else { 0.0 }
        };
        let height_jerk = |t: f64| if t < 1.0 { rise(t) } else { -rise(t - 1.0) };
        bench.held(2.0, |t| DVec3::new(0.0, 0.0, -common::GRAVITY - height_jerk(t)));
        assert_eq!(bench.seen, Seen::default(), "{hz} Hz");
    }
}

/// Turned over by hand about each axis: gravity wanders through the body's axes, and nothing else happens.
#[test]
fn being_turned_over_is_no_shock() {
    for hz in RATES_HZ {
        let mut sensor = MotionSensor::new(PostureCones::Fixed, hz).unwrap();
        for k in 0..hz {
            let turned = std::f64::consts::TAU * f64::from(k) / f64::from(hz);
            let attitude = Euler { roll_rad: turned, ..Euler::default() };
            sensor.step(&MotionInput {
                specific_force_m_s2: -attitude.down_in_body() * common::GRAVITY,
                angular_rate_rad_s: DVec3::X * std::f64::consts::TAU,
                attitude,
                wheel_speed_m_s: [0.0; 2],
            });
        }
        let report = sensor.peek();
        assert!(!report.collision && !report.double_tap && report.shake == 0, "{hz} Hz: {report:?}");
    }
}

/// Tipping over an edge: half of the weight is not carried for 50 ms, first along Z, then, lying on a side, along Y.
#[test]
fn losing_support_is_no_shock() {
    for hz in RATES_HZ {
        for (roll_rad, down) in [(0.0, DVec3::Z), (std::f64::consts::FRAC_PI_2, DVec3::Y)] {
            let mut bench = Bench::new(hz);
            bench.attitude = Euler { roll_rad, ..Euler::default() };
            bench.held(0.5, |_| -down * common::GRAVITY);
            bench.seen = Seen::default();
            bench.held(0.5, |t| -down * common::GRAVITY * if (0.1..0.15).contains(&t) { 0.5 } else { 1.0 });
            assert_eq!(bench.seen, Seen::default(), "{hz} Hz, {down}");
        }
    }
}

/// A mat tilted by 20 degrees: resting and driving on it is no event.
#[test]
fn a_tilted_mat_is_no_event() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        bench.attitude = Euler { pitch_rad: 0.35, roll_rad: 0.1, ..Euler::default() };
        bench.run(2.0, |t| if t < 1.0 { [0.0; 2] } else { [115.0, 115.0] }, |_| DVec3::ZERO);
        assert_eq!(bench.seen, Seen::default(), "{hz} Hz");
    }
}

#[test]
fn settings_outside_their_range_change_nothing() {
    let mut sensor = MotionSensor::new(PostureCones::Fixed, 50).unwrap();
    let settings = sensor.settings_mut();
    assert_eq!((settings.flat_threshold_deg(), settings.collision_level(), settings.double_tap_level()), (45, 7, 5));
    for bad in [0, 46, 255] {
        assert!(settings.set_flat_threshold_deg(bad).is_err());
    }
    for bad in [0, 11, 255] {
        assert!(settings.set_collision_level(bad).is_err());
    }
    for bad in [8, 255] {
        assert!(settings.set_double_tap_level(bad).is_err());
    }
    assert_eq!((settings.flat_threshold_deg(), settings.collision_level(), settings.double_tap_level()), (45, 7, 5));
    for (flat, collision, tap) in [(1, 1, 0), (45, 10, 7)] {
        settings.set_flat_threshold_deg(flat).unwrap();
        settings.set_collision_level(collision).unwrap();
        settings.set_double_tap_level(tap).unwrap();
        let set = (settings.flat_threshold_deg(), settings.collision_level(), settings.double_tap_level());
        assert_eq!(set, (flat, collision, tap));
    }
    assert!(MotionSensor::new(PostureCones::Fixed, 49).is_err());
    assert!(MotionSensor::new(PostureCones::Fixed, 1001).is_err());
}
