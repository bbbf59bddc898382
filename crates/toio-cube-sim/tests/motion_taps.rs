//! Double taps: two short pulses along Z within the level's time, and nothing else.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Bench, RATES_HZ, Seen, shock};
use sim_core::{DVec3, ops};
use std::f64::consts::TAU;
use toio_cube_sim::motion::double_tap_s;

/// Finger taps on the top: each pushes the body down for 12 ms and the mat pushes it back as far for 18 ms.
fn taps(starts_s: &[f64], strength_m_s: f64) -> impl Fn(f64) -> DVec3 {
    let starts_s = starts_s.to_vec();
    move |t| {
        let one =
            |&start: &f64| shock(t, start, 0.012, strength_m_s) - shock(t, start + 0.012, 0.018, 0.4 * strength_m_s);
        DVec3::Z * starts_s.iter().map(one).sum::<f64>()
    }
}

fn tapped(hz: u32, level: u8, starts_s: &[f64], strength_m_s: f64) -> Seen {
    let mut bench = Bench::new(hz);
    bench.sensor.settings_mut().set_double_tap_level(level).unwrap();
    bench.stand(0.5, |_| DVec3::ZERO);
    bench.stand(3.0, taps(starts_s, strength_m_s));
    bench.seen
}

const DOUBLE: Seen = Seen { collisions: 0, double_taps: 1, most_shake: 0 };

/// The declared times: 80 ms of shock and quiet, then 50 to 700 ms.
#[test]
fn the_time_between_taps_grows_with_the_level() {
    let expected_ms = [130.0, 180.0, 230.0, 280.0, 330.0, 455.0, 580.0, 780.0];
    for (level, expected) in (0..8).zip(expected_ms) {
        assert!((double_tap_s(level) * 1000.0 - expected).abs() < 1e-9, "level {level}");
    }
}

#[test]
fn two_taps_within_the_time_of_every_level_are_a_double_tap() {
    for hz in RATES_HZ {
        for level in 0..8 {
            let longest_s = double_tap_s(level);
            for gap_s in [0.1, longest_s - 0.025] {
                assert_eq!(tapped(hz, level, &[0.213, 0.213 + gap_s], 0.5), DOUBLE, "{hz} Hz, level {level}, {gap_s}");
            }
            let too_long = longest_s + 0.025;
            assert_eq!(tapped(hz, level, &[0.213, 0.213 + too_long], 0.5), Seen::default(), "{hz} Hz, level {level}");
        }
    }
}

#[test]
fn one_tap_is_none_three_are_one_four_are_two() {
    for hz in RATES_HZ {
        let count = |starts: &[f64]| tapped(hz, 5, starts, 0.5).double_taps;
        assert_eq!(count(&[0.2]), 0);
        assert_eq!(count(&[0.2, 0.4, 0.6]), 1);
        assert_eq!(count(&[0.2, 0.4, 1.2, 1.4]), 2);
        assert_eq!(count(&[0.2, 0.4, 0.6, 0.8]), 2);
    }
}

/// The device specification lets the collision level set the strength of taps too.
#[test]
fn the_collision_level_sets_the_strength_of_taps() {
    for hz in RATES_HZ {
        for (level, strength, expected) in [(1, 0.09, 1), (7, 0.09, 0), (7, 0.5, 1), (10, 0.2, 0), (10, 0.8, 1)] {
            let mut bench = Bench::new(hz);
            bench.sensor.settings_mut().set_collision_level(level).unwrap();
            bench.stand(0.5, |_| DVec3::ZERO);
            bench.stand(1.0, taps(&[0.2, 0.45], strength));
            assert_eq!(bench.seen.double_taps, expected, "{hz} Hz, level {level}, {strength} m/s");
        }
    }
}

#[test]
fn taps_are_felt_while_driving_and_upside_down() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        bench.run(0.5, |_| [80.0, 100.0], |_| DVec3::ZERO);
        bench.run(1.0, |_| [80.0, 100.0], taps(&[0.2, 0.4], 0.5));
        assert_eq!(bench.seen, DOUBLE, "{hz} Hz, driving");

        let mut bench = Bench::new(hz);
        bench.attitude.roll_rad = std::f64::consts::PI;
        bench.stand(0.5, |_| DVec3::ZERO);
        bench.seen = Seen::default();
        bench.stand(1.0, taps(&[0.2, 0.4], -0.5));
        assert_eq!(bench.seen, DOUBLE, "{hz} Hz, upside down");
    }
}

#[test]
fn hits_from_the_side_are_no_taps() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        bench.stand(0.5, |_| DVec3::ZERO);
        bench.stand(1.0, |t| DVec3::X * (shock(t, 0.2, 0.01, 0.4) + shock(t, 0.45, 0.01, -0.4)));
        assert_eq!(bench.seen.double_taps, 0, "{hz} Hz");
    }
}

/// Up and down in a hand: swings have no quiet between them, so they are no taps.
#[test]
fn a_vertical_shake_is_no_double_tap() {
    for hz in RATES_HZ {
        for f in [2.0, 3.0, 5.0, 8.0] {
            for amplitude in [5.0, 9.0, 15.0, 30.0] {
                let mut bench = Bench::new(hz);
                bench.stand(0.5, |_| DVec3::ZERO);
                bench.stand(2.0, |t| DVec3::Z * (amplitude * ops::sin(TAU * f * t)));
                assert_eq!(bench.seen.double_taps, 0, "{hz} Hz, {f} Hz, {amplitude} m/s2");
            }
        }
    }
}

/// Two presses of 250 ms each, as strong as a tap in the end: a hand, not a finger's tap.
#[test]
fn slow_presses_are_no_taps() {
    for hz in RATES_HZ {
        let mut bench = Bench::new(hz);
        bench.stand(0.5, |_| DVec3::ZERO);
        bench.stand(2.0, |t| DVec3::Z * (shock(t, 0.2, 0.25, 0.8) + shock(t, 0.6, 0.25, -0.8)));
        assert_eq!(bench.seen, Seen::default(), "{hz} Hz");
    }
}
