//! The lamp: toio facts, sections 6.3, 8.8, 10 and the light rows of section 14.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{StateHash, Tick};
use toio_cube_sim::light::{Lamp, LightOp, MAX_LIGHT_OPS, Rgb};
use toio_cube_sim::micros::{Micros, units_of_10_ms};

const RED: Rgb = Rgb::new(255, 0, 0);
const GREEN: Rgb = Rgb::new(0, 255, 0);
const BLUE: Rgb = Rgb::new(0, 0, 255);
const WHITE: Rgb = Rgb::new(255, 255, 255);

fn ms(ms: u64) -> Micros {
    Micros::from_ms(ms)
}

fn op(duration_10_ms: u8, color: Rgb) -> LightOp {
    LightOp { duration_10_ms, color }
}

/// V16: red for 160 ms.
#[test]
fn v16_red_for_160_ms() {
    let mut lamp = Lamp::default();
    assert_eq!(lamp.color(ms(0)), Rgb::DARK);
    lamp.on(ms(1000), 0x10, RED);
    assert_eq!(lamp.color(ms(1000)), RED);
    assert_eq!(lamp.color(Micros(1_159_999)), RED);
    assert_eq!(lamp.color(ms(1160)), Rgb::DARK);
}

#[test]
fn a_duration_of_0_is_endless_until_the_next_command() {
    let mut lamp = Lamp::default();
    lamp.on(ms(0), 0, BLUE);
    assert_eq!(lamp.color(ms(1_000_000_000)), BLUE);
    lamp.off();
    assert_eq!(lamp.color(ms(1_000_000_001)), Rgb::DARK);
}

/// V17 and V18: green 300 ms, blue 300 ms, endlessly and twice.
#[test]
fn v17_v18_green_and_blue() {
    let ops = [op(0x1e, GREEN), op(0x1e, BLUE)];
    for (repeat, end_ms) in [(0, u64::MAX), (1, 600), (2, 1200), (255, 153_000)] {
        let mut lamp = Lamp::default();
        lamp.play(ms(50), repeat, &ops).unwrap();
        for at_ms in [0, 1, 299, 300, 599, 600, 899, 900, 1199, 1200, 60_000, 152_999, 153_000] {
            let expected = match at_ms {
                _ if at_ms >= end_ms => Rgb::DARK,
                _ if at_ms % 600 < 300 => GREEN,
                _ => BLUE,
            };
            assert_eq!(lamp.color(ms(50 + at_ms)), expected, "repeat {repeat}, {at_ms} ms");
        }
    }
}

/// Section 6.3: 1 to 29 operations, durations 1 to 255; a refused command changes nothing.
#[test]
fn wrong_sequences_are_refused_and_change_nothing() {
    let mut lamp = Lamp::default();
    lamp.on(ms(0), 0, RED);
    let before = lamp.clone();
    assert!(lamp.play(ms(1), 1, &[]).is_err());
    assert!(lamp.play(ms(1), 1, &[op(1, BLUE); MAX_LIGHT_OPS + 1]).is_err());
    assert!(lamp.play(ms(1), 1, &[op(1, BLUE), op(0, GREEN)]).is_err());
    assert!(lamp.blink(ms(1), 0, 9, BLUE).is_err());
    assert_eq!(lamp, before);
    assert_eq!(MAX_LIGHT_OPS, 29);
    lamp.play(ms(1), 1, &[op(255, BLUE); MAX_LIGHT_OPS]).unwrap();
    assert_eq!(lamp.color(ms(2550 * 29)), BLUE);
    assert_eq!(lamp.color(ms(1 + 2550 * 29)), Rgb::DARK);
}

/// V21: smooth white blink of 100 ms, endless. The curve is the raised cosine: 0, half, full, half, 0 at the quarters.
#[test]
fn v21_smooth_blink() {
    let mut lamp = Lamp::default();
    lamp.blink(ms(30), 0, 0x0a, WHITE).unwrap();
    for cycle in [0, 1, 1000] {
        for (at_ms, level) in [(0, 0), (25, 128), (50, 255), (75, 128)] {
            let found = lamp.color(ms(30 + 100 * cycle + at_ms)).g;
            assert!(found.abs_diff(level) <= 1, "{found}, not {level} at {at_ms} ms of cycle {cycle}");
        }
    }
    let mut lamp = Lamp::default();
    lamp.blink(ms(0), 3, 255, Rgb::new(200, 100, 0)).unwrap();
    assert_eq!(lamp.color(ms(1275)), Rgb::new(200, 100, 0));
    assert_eq!(lamp.color(ms(2 * 2550 + 1275)), Rgb::new(200, 100, 0));
    assert_eq!(lamp.color(ms(3 * 2550 + 1275)), Rgb::DARK);
}

/// Smooth means: no step of the brightness greater than its slope allows, pi / T of the full brightness a second.
#[test]
fn a_smooth_blink_has_no_steps() {
    let mut lamp = Lamp::default();
    lamp.blink(ms(0), 2, 100, WHITE).unwrap();
    let levels: Vec<f64> = (0..2200).map(|t| f64::from(lamp.color(ms(t)).r)).collect();
    let most = levels.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    assert!(most <= 255.0 * std::f64::consts::PI / 1000.0 + 1.0, "{most}");
    assert_eq!(levels.iter().fold(0.0_f64, |a, &b| a.max(b)), 255.0);
}

/// Fault 17, light: channels and durations beyond their range become the nearer end; the Unity simulator wraps them round.
#[test]
fn fault_17_light_is_clamped_not_wrapped() {
    assert_eq!(Rgb::clamped(256, -1, 300), Rgb::new(255, 0, 255));
    assert_eq!(Rgb::clamped(i64::MAX, i64::MIN, 128), Rgb::new(255, 0, 128));
    assert_eq!([3000, 2560, 2559, 160, 9, 0, -10, i64::MIN].map(units_of_10_ms), [255, 255, 255, 16, 0, 0, 0, 0]);
}

/// Durations depend on the step only by rounding to the next tick: a lamp of d times 10 ms is lit for ceil(d * hz / 100) ticks.
#[test]
fn durations_are_exact_at_every_step_rate() {
    for step_hz in [50, 60, 75, 90, 100, 120, 240, 333, 999, 1000] {
        for start in [0_u64, 1, 2, 7, 12_345_677] {
            for duration in [1_u8, 3, 16, 30, 255] {
                let mut lamp = Lamp::default();
                lamp.on(Micros::from_tick(Tick(start), step_hz), duration, RED);
                let lit = |k: u64| lamp.color(Micros::from_tick(Tick(start + k), step_hz)) == RED;
                let expected = (u64::from(duration) * u64::from(step_hz)).div_ceil(100);
                assert!((0..expected).all(lit) && !lit(expected), "{step_hz} Hz, {start}, {duration}");
            }
        }
    }
}

#[test]
fn the_hash_tells_shows_apart() {
    let hash = |lamp: &Lamp| {
        let mut hash = StateHash::new();
        lamp.hash_into(&mut hash);
        hash.finish()
    };
    let mut lamps = vec![Lamp::default(); 6];
    lamps[1].on(ms(0), 0, RED);
    lamps[2].on(ms(0), 1, RED);
    lamps[3].play(ms(0), 0, &[op(1, RED)]).unwrap();
    lamps[4].play(ms(0), 0, &[op(1, RED), op(1, BLUE)]).unwrap();
    lamps[5].blink(ms(0), 0, 10, RED).unwrap();
    let mut hashes: Vec<u64> = lamps.iter().map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 6);
}

proptest! {
    /// Section 8.8 by brute force: lay the operations out in slots of 10 ms and look up the slot.
    #[test]
    fn a_sequence_is_its_slots(
        durations in prop::collection::vec(1_u8..=255, 1..=29),
        repeat in 1_u8..4,
        at in 0_u64..60_000,
    ) {
        let color = |i: usize| Rgb::new(i as u8 + 1, 0, 0);
        let ops: Vec<LightOp> = durations.iter().enumerate().map(|(i, &d)| op(d, color(i))).collect();
        let slots: Vec<Rgb> = ops.iter().flat_map(|op| vec![op.color; op.duration_10_ms.into()]).collect();
        let mut lamp = Lamp::default();
        lamp.play(ms(0), repeat, &ops).unwrap();
        let slot = (at / 10) as usize;
        let expected = if slot < slots.len() * usize::from(repeat) { slots[slot % slots.len()] } else { Rgb::DARK };
        prop_assert_eq!(lamp.color(ms(at)), expected);
    }
}
