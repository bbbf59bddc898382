//! Shake: its level follows the strength, from 2 to 8 Hz, along every axis; driving back and forth is none.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Bench, RATES_HZ, Seen};
use sim_core::{DVec3, StateHash, ops};
use std::f64::consts::TAU;
use toio_cube_sim::motion::shake_m_s2;

/// A hand shakes a cube whose wheels stand, sinusoidally.
fn shaken(hz: u32, axis: DVec3, frequency: f64, amplitude_m_s2: f64) -> Bench {
    let mut bench = Bench::new(hz);
    bench.friction = 0.0;
    bench.stand(0.5, |_| DVec3::ZERO);
    bench.stand(1.5, |t| axis * (amplitude_m_s2 * ops::sin(TAU * frequency * t)));
    bench
}

/// Half way between a level and the next, in ratio.
fn amplitude_of(level: u8) -> f64 {
    (shake_m_s2(level) * shake_m_s2(level + 1)).sqrt()
}

/// The declared mapping: 4 m/s² at level 1, 40 m/s² at level 10.
#[test]
fn levels_are_log_spaced_over_a_decade() {
    assert!((shake_m_s2(1) - 4.0).abs() < 1e-12 && (shake_m_s2(10) - 40.0).abs() < 1e-9);
    assert!((shake_m_s2(4) - 4.0 * 2.154_434_690_031_884).abs() < 1e-9);
}

#[test]
fn the_level_follows_the_amplitude() {
    for hz in RATES_HZ {
        for frequency in [2.0, 3.0, 4.0, 5.0, 8.0] {
            for level in 1..=10 {
                let found = shaken(hz, DVec3::Y, frequency, amplitude_of(level)).sensor.peek().shake;
                // Three samples a swing at 8 Hz and 50 steps a second may miss the peak by cos(pi 8 / 50) = 0.88, half a level.
                let slack = u8::from(hz < 100 && frequency > 5.0);
                assert!(found <= level && found + slack >= level, "{hz} Hz, {frequency} Hz: {found}, not {level}");
            }
        }
    }
}

#[test]
fn every_axis_of_a_held_cube_shakes_alike() {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.48, 0.64, 0.6)];
    for hz in RATES_HZ {
        for axis in axes {
            // Twice gravity and more, so that weightlessness is only passed through.
            assert_eq!(shaken(hz, axis, 4.0, amplitude_of(8)).sensor.peek().shake, 8, "{hz} Hz, {axis}");
        }
    }
}

#[test]
fn weak_slow_and_single_swings_are_no_shake() {
    for hz in RATES_HZ {
        assert_eq!(shaken(hz, DVec3::X, 4.0, 3.5).seen.most_shake, 0, "{hz} Hz: weak");
        assert_eq!(shaken(hz, DVec3::X, 1.0, 20.0).seen.most_shake, 0, "{hz} Hz: slow");
        let mut bench = Bench::new(hz);
        bench.friction = 0.0;
        bench.stand(0.5, |_| DVec3::ZERO);
        bench.stand(1.5, |t| if t < 0.5 { DVec3::X * (10.0 * ops::sin(TAU * 2.0 * t)) } else { DVec3::ZERO });
        assert_eq!(bench.seen.most_shake, 0, "{hz} Hz: once back and forth");
    }
}

/// A knock in the middle of a shake does not change its level: it follows the middle one of three peaks.
#[test]
fn a_single_jolt_does_not_count() {
    for hz in RATES_HZ {
        let mut bench = shaken(hz, DVec3::Y, 4.0, amplitude_of(4));
        bench.seen = Seen::default();
        // One swing of half a period, four times as strong.
        bench.stand(0.625, |t| {
            let strength = if (0.25..0.375).contains(&t) { 4.0 } else { 1.0 };
            DVec3::Y * (strength * amplitude_of(4) * ops::sin(TAU * 4.0 * t))
        });
        assert_eq!(bench.sensor.peek().shake, 4, "{hz} Hz");
        assert!(bench.seen.most_shake <= 4, "{hz} Hz");
    }
}

#[test]
fn a_shake_ends_soon_after_the_hand_rests() {
    for hz in RATES_HZ {
        let mut bench = shaken(hz, DVec3::Y, 5.0, amplitude_of(6));
        assert_eq!(bench.sensor.peek().shake, 6);
        bench.stand(0.4, |_| DVec3::ZERO);
        assert_eq!(bench.sensor.peek().shake, 0, "{hz} Hz");
    }
}

/// Full power back and forth, 4 times a second: 16 m/s² of the cube's own making.
#[test]
fn driving_back_and_forth_is_no_shake() {
    for hz in RATES_HZ {
        for friction in [0.5, 0.8, 1.2] {
            let mut bench = Bench::new(hz);
            bench.friction = friction;
            let command = |t: f64| if ((t * 8.0) as u64).is_multiple_of(2) { [115.0; 2] } else { [-115.0; 2] };
            bench.run(3.0, command, |_| DVec3::ZERO);
            assert_eq!(bench.seen, Seen::default(), "{hz} Hz, {friction}");
        }
    }
}

/// While the cube is shaken, its swings are not reported as hits too; a slow swing is none from the start.
#[test]
fn a_shake_is_no_collision() {
    for hz in RATES_HZ {
        for frequency in [2.0, 3.0] {
            for level in 1..=10 {
                let seen = shaken(hz, DVec3::X, frequency, amplitude_of(level)).seen;
                assert_eq!(seen.collisions, 0, "{hz} Hz, {frequency} Hz, level {level}");
            }
        }
        // A quick and strong one cannot be told from a hit before it has come back.
        assert!(shaken(hz, DVec3::X, 8.0, amplitude_of(10)).seen.collisions <= 2, "{hz} Hz");
    }
}

/// A clone goes on like the original, and the hash tells one history from another.
#[test]
fn the_state_is_complete() {
    let hash = |bench: &Bench| {
        let mut hash = StateHash::new();
        bench.sensor.hash_into(&mut hash);
        hash.finish()
    };
    let (mut a, b) = (shaken(100, DVec3::X, 5.0, 20.0), shaken(100, DVec3::X, 5.0, 20.0));
    assert_eq!(hash(&a), hash(&b));
    let mut copy = Bench::new(100);
    copy.sensor = a.sensor.clone();
    // Wheels and velocity of the bench play no part in what is given by hand.
    for bench in [&mut a, &mut copy] {
        bench.held(0.1, |t| DVec3::new(30.0 * t, 0.0, -common::GRAVITY));
    }
    assert_eq!(hash(&a), hash(&copy));
    assert_ne!(hash(&a), hash(&b));
    assert_ne!(hash(&shaken(100, DVec3::X, 5.0, 20.001)), hash(&b));
}
