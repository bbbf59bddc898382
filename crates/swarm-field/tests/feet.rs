//! Laws of the feet's motion, over many seeds: continuity, speed, acceleration, containment, durations, forecasts.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{DVec2, Rect, RunKey, StateHash};
use swarm_field::{Destination, Feet, FeetModel, FeetParams, FootPhase, Forecast, Gait, Travel};

const HZ: f64 = 60.0;
/// Rounding of places of some hundred mm, differenced and multiplied by 60^2.
const ROUNDING: f64 = 1e-6;

fn mat() -> Rect {
    Rect::from_size(400.0, 400.0)
}

fn key(seed: u64) -> RunKey {
    RunKey { seed, run_index: 0 }
}

fn model(params: FeetParams) -> FeetModel {
    FeetModel::new(params, mat(), 0.6, 60).unwrap()
}

fn quiet() -> FeetParams {
    FeetParams { noise_std_mm_s: 0.0, estimation_noise_mm: 0.0, ..FeetParams::default() }
}

/// Places and phases of foot 0 at every tick, played at rate 1.
fn walk(model: &FeetModel, key: RunKey, ticks: usize) -> (Vec<DVec2>, Vec<FootPhase>) {
    let mut feet = Feet::new(model, key);
    let rates = vec![1.0; feet.len()];
    let mut places = vec![feet.position_mm(0)];
    let mut phases = vec![feet.phase(0)];
    for _ in 0..ticks {
        feet.advance(model, key, &rates);
        places.push(feet.position_mm(0));
        phases.push(feet.phase(0));
    }
    (places, phases)
}

fn hash(feet: &Feet) -> u64 {
    let mut hash = StateHash::new();
    feet.hash_into(&mut hash);
    hash.finish()
}

/// Runs of equal phases that begin and end inside the walk: phase, first tick, number of ticks.
fn episodes(phases: &[FootPhase]) -> Vec<(FootPhase, usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for tick in 1..phases.len() {
        if phases[tick] != phases[tick - 1] {
            found.push((phases[tick - 1], start, tick - start));
            start = tick;
        }
    }
    found
}

const TRAVELS: [Travel; 3] = [Travel::Core, Travel::Edge, Travel::Full];

#[test]
fn no_foot_ever_jumps_or_leaves() {
    for travel in TRAVELS {
        for destination in [Destination::Mixed, Destination::Edge, Destination::Corner] {
            let model = model(FeetParams { travel, destination, ..FeetParams::default() });
            for seed in 0..8 {
                let (places, _) = walk(&model, key(seed), 6_000);
                for (tick, pair) in places.windows(2).enumerate() {
                    let speed = pair[0].distance(pair[1]) * HZ;
                    assert!(speed <= 215.0 + ROUNDING, "{travel:?} seed {seed} tick {tick}: {speed} mm/s");
                    assert!(model.domain().contains(pair[1]), "{travel:?} seed {seed} tick {tick}: {}", pair[1]);
                }
            }
        }
    }
}

/// The plan itself, noise off: within the declared speed, and within the declared acceleration from frame to frame, also at changes
/// of state. The bound is 1.875 v / t_a = 375 mm/s^2 (reference, section 4).
#[test]
fn the_plan_keeps_its_acceleration_bound() {
    for travel in TRAVELS {
        let model = model(FeetParams { travel, ..quiet() });
        assert_eq!(model.acceleration_bound_mm_s2(), 375.0);
        for seed in 0..20 {
            let (places, phases) = walk(&model, key(seed), 6_000);
            for (tick, w) in places.windows(3).enumerate() {
                let (speed, acceleration) = (w[0].distance(w[1]) * HZ, (w[2] - 2.0 * w[1] + w[0]).length() * HZ * HZ);
                assert!(speed <= 200.0 + ROUNDING, "{travel:?} seed {seed} tick {tick} {:?}: {speed}", phases[tick]);
                assert!(
                    acceleration <= 375.0 + ROUNDING,
                    "{travel:?} {seed} {tick} {:?}: {acceleration}",
                    phases[tick + 1]
                );
            }
        }
    }
}

/// Every state begins and ends at rest, so velocity and acceleration pass through zero at each change.
#[test]
fn states_change_at_rest() {
    let model = model(quiet());
    for seed in 0..20 {
        let (places, phases) = walk(&model, key(seed), 6_000);
        for tick in 2..phases.len() - 2 {
            if phases[tick] != phases[tick - 1] {
                // One frame from rest with jerk j moves by j dt^3 / 6; the plans' jerk is below 4000 mm/s^3 (60 * 200 / 1^2 / 3).
                let step = places[tick - 1].distance(places[tick - 2]).max(places[tick].distance(places[tick - 1]));
                assert!(step < 0.01, "seed {seed} tick {tick} into {:?}: {step} mm", phases[tick]);
            }
        }
    }
}

#[test]
fn states_follow_each_other_and_last_as_declared() {
    let model = model(FeetParams::default());
    let next = |phase| match phase {
        FootPhase::Idle => FootPhase::MoveOut,
        FootPhase::MoveOut => FootPhase::Roam,
        FootPhase::Roam => FootPhase::Return,
        FootPhase::Return | FootPhase::Orbit => FootPhase::Idle,
    };
    let (mut idles, mut roams) = (Vec::new(), Vec::new());
    for seed in 0..30 {
        let (places, phases) = walk(&model, key(seed), 9_000);
        assert_eq!(phases[0], FootPhase::Idle);
        for (phase, start, ticks) in episodes(&phases) {
            assert_eq!(phases[start + ticks], next(phase));
            let seconds = ticks as f64 / HZ;
            let length = places[start].distance(places[start + ticks]);
            match phase {
                FootPhase::Idle => idles.push(seconds),
                FootPhase::Roam => roams.push(seconds),
                // Two ramps of 1 to 2 s at least; on a path of L the time is 2 t_a or t_a + L / v (reading A14).
                _ => assert!(
                    (2.0..=4.1 + length / 120.0).contains(&seconds),
                    "{phase:?} took {seconds} s over {length} mm"
                ),
            }
        }
    }
    let within = |v: &[f64], low: f64, high: f64| v.iter().all(|s| (low - 0.02..=high + 0.02).contains(s));
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    assert!(within(&idles, 5.0, 8.0) && within(&roams, 3.0, 6.0));
    // About 280 of each, uniform: standard error 0.05 s.
    assert!(
        (mean(&idles) - 6.5).abs() < 0.25 && (mean(&roams) - 4.5).abs() < 0.25,
        "{} {}",
        mean(&idles),
        mean(&roams)
    );
}

#[test]
fn idle_steps_within_its_radius_and_speed_and_returns_to_its_middle() {
    let model = model(quiet());
    let mut largest: f64 = 0.0;
    for seed in 0..30 {
        let (places, phases) = walk(&model, key(seed), 6_000);
        for (phase, start, ticks) in episodes(&phases) {
            if phase != FootPhase::Idle {
                continue;
            }
            let middle = places[start.saturating_sub(1)];
            for tick in start..start + ticks {
                let radius = places[tick].distance(middle);
                assert!(radius <= 30.0 + ROUNDING, "seed {seed} tick {tick}: {radius} mm");
                assert!(tick == 0 || places[tick].distance(places[tick - 1]) * HZ <= 120.0 + ROUNDING);
                largest = largest.max(radius);
            }
            assert!(places[start + ticks - 1].distance(middle) < 1e-9);
        }
    }
    assert!(largest > 25.0, "the stepping must be worth its name: {largest} mm");
}

#[test]
fn cruise_speeds_lie_in_their_range_where_the_way_is_long_enough() {
    let model = model(FeetParams { travel: Travel::Full, destination: Destination::Corner, ..quiet() });
    let mut fastest_moves = Vec::new();
    for seed in 0..20 {
        let (places, phases) = walk(&model, key(seed), 9_000);
        for (phase, start, ticks) in episodes(&phases) {
            if phase == FootPhase::MoveOut {
                let path = &places[start.max(1) - 1..start + ticks];
                let fastest = path.windows(2).map(|w| w[0].distance(w[1]) * HZ).fold(0.0, f64::max);
                let length = path[0].distance(*path.last().unwrap());
                // Long enough for any draw: v t_a <= 200 * 2 would be 400 mm; slower ones are bounded by L / t_a >= L / 2.
                assert!(
                    fastest >= 119.0_f64.min(length / 2.0 - 1.0) && fastest <= 200.0 + ROUNDING,
                    "{fastest} over {length}"
                );
                fastest_moves.push(fastest);
            }
        }
    }
    let spread = fastest_moves.iter().copied().fold(0.0, f64::max) - fastest_moves.iter().copied().fold(1e9, f64::min);
    assert!(fastest_moves.len() > 50 && spread > 40.0);
}

#[test]
fn return_ends_near_the_initial_place_and_move_out_goes_far() {
    let home = DVec2::new(190.0, 210.0);
    let model = model(FeetParams { travel: Travel::Full, home_mm: vec![home.into()], ..quiet() });
    let (mut moves, mut far) = (0, 0);
    for seed in 0..10 {
        let (places, phases) = walk(&model, key(seed), 9_000);
        assert_eq!(places[0], home);
        for (phase, start, ticks) in episodes(&phases) {
            let end = places[start + ticks - 1];
            match phase {
                FootPhase::Return => assert!(end.distance(home) <= 22.0, "returned {} mm away", end.distance(home)),
                FootPhase::MoveOut => {
                    moves += 1;
                    far += usize::from(end.distance(places[start]) >= 100.0);
                }
                _ => {}
            }
        }
    }
    assert!(moves > 40 && far * 10 >= moves * 9, "{far} of {moves}");
}

#[test]
fn destinations_are_what_they_say() {
    let ends = |travel, destination| -> Vec<DVec2> {
        let model = model(FeetParams { travel, destination, ..quiet() });
        let (places, phases) = walk(&model, key(5), 20_000);
        let moves = episodes(&phases).into_iter().filter(|e| e.0 == FootPhase::MoveOut);
        moves.map(|(_, start, ticks)| places[start + ticks - 1]).collect()
    };
    let to_side = |v: f64, min: f64| (v - min).abs().min((400.0 - min - v).abs());
    for p in ends(Travel::Core, Destination::Edge) {
        assert!(to_side(p.x, 120.0).min(to_side(p.y, 120.0)) < 1e-9, "{p}");
    }
    for p in ends(Travel::Full, Destination::Corner) {
        assert!(to_side(p.x, 0.0) < 1e-9 && to_side(p.y, 0.0) < 1e-9, "{p}");
    }
    let mixed = ends(Travel::Full, Destination::Mixed);
    let on_edge = mixed.iter().filter(|p| to_side(p.x, 0.0).min(to_side(p.y, 0.0)) < 1e-9).count();
    assert!(on_edge * 4 > mixed.len() && on_edge * 4 < mixed.len() * 3, "{on_edge} of {}", mixed.len());
}

/// With nothing to hide, what robots are told is what happens: noise of the track included, at every tick.
#[test]
fn the_forecast_is_the_later_truth() {
    let model = model(FeetParams { estimation_noise_mm: 0.0, ..FeetParams::default() });
    assert_eq!(model.forecast_frames(), 36);
    let (places, _) = walk(&model, key(9), 3_100);
    let mut feet = Feet::new(&model, key(9));
    let mut forecast = Forecast::default();
    for now in 0..3_000 {
        feet.forecast(0, &model, &mut forecast);
        assert_eq!(forecast.mean_mm.len(), 37);
        assert_eq!(forecast.mean_mm[..], places[now..now + 37]);
        assert_eq!(forecast.velocity_mm_s[0], (places[now + 1] - places[now]) * HZ);
        assert_eq!(forecast.velocity_mm_s[36], (places[now + 37] - places[now + 35]) * (0.5 * HZ));
        feet.advance(&model, key(9), &[1.0]);
    }
}

#[test]
fn a_forecast_from_a_later_moment_knows_no_more() {
    const LATER: usize = 5;
    let model = model(FeetParams { estimation_noise_mm: 0.0, ..FeetParams::default() });
    let mut feet = Feet::new(&model, key(3));
    let (mut now, mut later) = (Forecast::default(), Forecast::default());
    for _ in 0..900 {
        feet.advance(&model, key(3), &[1.0]);
        feet.forecast(0, &model, &mut now);
        feet.forecast_from(0, &model, LATER, &mut later);
        assert_eq!((later.mean_mm.len(), later.velocity_mm_s.len()), (37, 37));
        for tick in 0..=36 - LATER {
            assert!(later.mean_mm[tick].distance(now.mean_mm[tick + LATER]) < 1e-9);
            assert_eq!(later.velocity_mm_s[tick], now.velocity_mm_s[tick + LATER]);
        }
        for tick in 37 - LATER..37 {
            assert!(model.domain().contains(later.mean_mm[tick]), "straight on, but where feet may be");
            assert_eq!(later.velocity_mm_s[tick], now.velocity_mm_s[36]);
        }
    }
}

/// Where a foot is can be seen: the error of the place is left out, its growth over the window, 30 % of the bound, is not. Both ends of the
/// 5 of 36 ticks have their share of it.
#[test]
fn a_forecast_from_a_later_moment_starts_at_what_is_seen() {
    let model = model(FeetParams { estimation_noise_mm: 5.0, ..FeetParams::default() });
    let mut feet = Feet::new(&model, key(4));
    let mut later = Forecast::default();
    let mut largest_mm = 0.0_f64;
    for _ in 0..900 {
        feet.advance(&model, key(4), &[1.0]);
        feet.forecast_from(0, &model, 5, &mut later);
        largest_mm = largest_mm.max(later.mean_mm[0].distance(feet.path_mm(0, 5.0)));
    }
    assert!(largest_mm > 0.0 && largest_mm <= 5.0 * 0.3 * 5.0 / 36.0 + 1e-9, "{largest_mm}");
}

#[test]
fn a_slow_forecast_is_the_truth_of_a_slow_foot() {
    let model = model(FeetParams { estimation_noise_mm: 0.0, ..FeetParams::default() });
    let mut feet = Feet::new(&model, key(2));
    (0..500).for_each(|_| feet.advance(&model, key(2), &[1.0]));
    let mut forecast = Forecast::default();
    feet.forecast_at_rate(0, &model, 0.2, 0.05, &mut forecast);
    let mut rate: f64 = 0.2;
    for place in &forecast.mean_mm {
        assert!(feet.position_mm(0).distance(*place) < 1e-9);
        rate = (rate + 0.05).min(1.0);
        feet.advance(&model, key(2), &[rate]);
    }
}

#[test]
fn the_estimation_error_is_bounded_slow_and_not_zero() {
    let params = FeetParams { estimation_noise_mm: 5.0, ..FeetParams::default() };
    let model = model(params);
    let mut feet = Feet::new(&model, key(4));
    let mut forecast = Forecast::default();
    let (mut sum, mut largest) = (0.0, 0.0_f64);
    for _ in 0..5_000 {
        feet.advance(&model, key(4), &[1.0]);
        feet.forecast(0, &model, &mut forecast);
        for (ahead, mean) in forecast.mean_mm.iter().enumerate() {
            let error = mean.distance(feet.path_mm(0, ahead as f64));
            assert!(error <= 5.0 + 1e-9);
            largest = largest.max(error);
            sum += error;
        }
    }
    let mean = sum / (5_000.0 * 37.0);
    assert!(mean > 1.0 && largest > 4.0, "mean {mean}, largest {largest}");
}

/// A play rate below 1 changes when a foot is somewhere, never where its path leads.
#[test]
fn rates_slow_the_path_and_do_not_bend_it() {
    let model = model(FeetParams::default());
    let (places, _) = walk(&model, key(3), 700);
    let mut feet = Feet::new(&model, key(3));
    for _ in 0..1_200 {
        feet.advance(&model, key(3), &[0.5]);
    }
    assert!(feet.position_mm(0).distance(places[600]) < 1e-9);
    let before = feet.position_mm(0);
    feet.advance(&model, key(3), &[0.0]);
    assert_eq!(feet.position_mm(0), before);
    assert_eq!(feet.velocity_mm_s(0), DVec2::ZERO);
    feet.advance(&model, key(3), &[f64::NAN]);
    assert_eq!(feet.position_mm(0), before, "a rate that is not a number does not move a foot");
}

#[test]
fn the_known_path_does_not_change_as_it_is_played() {
    let model = model(FeetParams::default());
    let mut feet = Feet::new(&model, key(8));
    assert!(feet.path_frames() >= model.forecast_frames() + 24);
    for _ in 0..2_000 {
        let known: Vec<DVec2> = (0..=feet.path_frames()).map(|n| feet.path_mm(0, n as f64)).collect();
        feet.advance(&model, key(8), &[1.0]);
        for (n, place) in known.iter().enumerate().skip(1) {
            assert_eq!(*place, feet.path_mm(0, n as f64 - 1.0));
        }
    }
}

/// Re-aiming starts from the very place, from rest, and leads away from what was in the way.
#[test]
fn retargeting_is_continuous_and_leads_away() {
    let model = model(FeetParams { travel: Travel::Full, ..FeetParams::default() });
    for seed in 0..200 {
        let mut feet = Feet::new(&model, key(seed));
        for _ in 0..300 + 7 * seed {
            feet.advance(&model, key(seed), &[0.93]);
        }
        feet.advance(&model, key(seed), &[0.0]);
        let here = feet.position_mm(0);
        let toward_middle = (DVec2::new(200.0, 200.0) - here).normalize_or(DVec2::X);
        let robot = here - toward_middle * 101.0;
        feet.retarget(0, &model, key(seed), robot);
        assert!(feet.position_mm(0).distance(here) < 1e-9);
        assert_eq!(feet.phase(0), FootPhase::MoveOut);
        let mut previous = here;
        for tick in 0..100 {
            feet.advance(&model, key(seed), &[1.0]);
            let place = feet.position_mm(0);
            // From rest: at most a_f t^2 / 2, and a frame more of rounding in t; the noise holds still.
            let t = (f64::from(tick) + 1.0) / HZ;
            assert!(t > 1.0 || place.distance(here) <= 0.5 * 375.0 * t * t + ROUNDING);
            assert!(place.distance(previous) * HZ <= 215.0 + ROUNDING);
            assert!((place - robot).length() >= 100.0 || t > 1.0, "seed {seed}: nearer to what it was to leave");
            previous = place;
        }
        assert!(previous.distance(robot) > here.distance(robot), "seed {seed}");
    }
}

#[test]
fn orbits_are_even_and_keep_radius_and_speed() {
    let model = model(FeetParams { count: 3, gait: Gait::Orbit, ..quiet() });
    let mut feet = Feet::new(&model, key(1));
    let middle = DVec2::new(200.0, 200.0);
    let mut before = Vec::new();
    for tick in 0..3_000 {
        for k in 0..3 {
            let arm = feet.position_mm(k) - middle;
            assert!((arm.length() - 80.0).abs() < 1e-9);
            let next = feet.position_mm((k + 1) % 3) - middle;
            assert!((arm.dot(next) / 6400.0 + 0.5).abs() < 1e-9, "120 degrees between neighbours");
            assert_eq!(feet.phase(k), FootPhase::Orbit);
            if tick > 150 {
                // The chord of a frame is shorter than its arc by (w dt)^2 / 24 = 7e-5.
                assert!((feet.velocity_mm_s(k).length() / 200.0 - 1.0).abs() < 1e-4);
            }
        }
        before.push(feet.position_mm(0));
        feet.advance(&model, key(1), &[1.0; 3]);
    }
    let bound = model.acceleration_bound_mm_s2();
    let sharpest = before.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).length() * HZ * HZ).fold(0.0, f64::max);
    assert!(sharpest <= bound && sharpest > 490.0, "v^2 / r = 500 <= {sharpest} <= {bound}");
}

#[test]
fn retargeting_turns_an_orbit_round() {
    let model = model(FeetParams { gait: Gait::Orbit, ..quiet() });
    let mut feet = Feet::new(&model, key(1));
    (0..400).for_each(|_| feet.advance(&model, key(1), &[1.0]));
    let velocity = feet.velocity_mm_s(0);
    feet.advance(&model, key(1), &[0.0]);
    feet.retarget(0, &model, key(1), feet.position_mm(0) + velocity);
    (0..120).for_each(|_| feet.advance(&model, key(1), &[1.0]));
    let arm = feet.position_mm(0) - DVec2::new(200.0, 200.0);
    assert!(arm.perp_dot(feet.velocity_mm_s(0)) < 0.0, "it went clockwise on the page, now it goes back");
}

#[test]
fn a_foot_more_leaves_the_others_as_they_were() {
    for travel in TRAVELS {
        let (two, three) = (
            FeetParams { count: 2, travel, ..FeetParams::default() },
            FeetParams { count: 3, travel, ..FeetParams::default() },
        );
        let (two, three) = (model(two), model(three));
        let (mut a, mut b) = (Feet::new(&two, key(6)), Feet::new(&three, key(6)));
        let (mut seen_a, mut seen_b) = (Forecast::default(), Forecast::default());
        for _ in 0..3_000 {
            for k in 0..2 {
                assert_eq!(a.position_mm(k), b.position_mm(k));
                a.forecast(k, &two, &mut seen_a);
                b.forecast(k, &three, &mut seen_b);
                assert_eq!(seen_a, seen_b);
            }
            a.advance(&two, key(6), &[1.0; 2]);
            b.advance(&three, key(6), &[1.0; 3]);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_a_clone_goes_on_alike() {
    let model = model(FeetParams { count: 4, travel: Travel::Edge, ..FeetParams::default() });
    let run = |seed, ticks| {
        let mut feet = Feet::new(&model, key(seed));
        (0..ticks).for_each(|_| feet.advance(&model, key(seed), &[1.0, 0.9, 0.5, 1.0]));
        feet
    };
    assert_eq!(hash(&run(1, 2_000)), hash(&run(1, 2_000)));
    assert_ne!(hash(&run(1, 2_000)), hash(&run(2, 2_000)));
    assert_ne!(hash(&run(1, 2_000)), hash(&run(1, 2_001)));
    let mut clone = run(1, 1_000).clone();
    (0..1_000).for_each(|_| clone.advance(&model, key(1), &[1.0, 0.9, 0.5, 1.0]));
    assert_eq!(hash(&clone), hash(&run(1, 2_000)));
}

/// On a plaza a foot stays within a walk of its home, and homes are all over the place.
#[test]
fn large_mats_have_homes_everywhere_and_short_walks() {
    let plaza = Rect::from_size(14_000.0, 14_000.0);
    let params = FeetParams { count: 300, travel: Travel::Full, ..FeetParams::default() };
    let model = FeetModel::new(params, plaza, 0.6, 60).unwrap();
    let mut feet = Feet::new(&model, key(1));
    let homes: Vec<DVec2> = (0..feet.len()).map(|k| feet.position_mm(k)).collect();
    for quarter in [DVec2::new(3_500.0, 3_500.0), DVec2::new(10_500.0, 3_500.0), DVec2::new(10_500.0, 10_500.0)] {
        let near = homes.iter().filter(|h| (**h - quarter).abs().max_element() < 3_500.0).count();
        assert!((50..100).contains(&near), "75 expected, {near} found");
    }
    let rates = vec![1.0; feet.len()];
    let mut roamed = vec![false; feet.len()];
    for _ in 0..1_500 {
        feet.advance(&model, key(1), &rates);
        for (k, home) in homes.iter().enumerate() {
            assert!((feet.position_mm(k) - *home).abs().max_element() <= 400.0 + 150.0);
            roamed[k] |= feet.phase(k) == FootPhase::Roam;
        }
    }
    assert!(roamed.iter().all(|&r| r), "25 s reach Roam");
}

#[test]
fn settings_that_cannot_work_are_refused_with_a_reason() {
    let refuse = |params: FeetParams, field: &str| {
        let error = FeetModel::new(params, mat(), 0.6, 60).err().unwrap();
        assert_eq!(error.field, field, "{error}");
    };
    refuse(FeetParams { core_inset_mm: 195.0, ..FeetParams::default() }, "core_inset_mm");
    refuse(FeetParams { speed_slack_mm_s: 14.0, ..FeetParams::default() }, "speed_slack_mm_s");
    refuse(FeetParams { speed_mm_s: [200.0, 120.0], ..FeetParams::default() }, "speed_mm_s");
    refuse(FeetParams { idle_s: [f64::NAN, 8.0], ..FeetParams::default() }, "idle_s");
    refuse(FeetParams { home_mm: vec![[50.0, 200.0]], ..FeetParams::default() }, "home_mm");
    refuse(FeetParams { home_mm: vec![[200.0; 2]; 2], ..FeetParams::default() }, "home_mm");
    refuse(FeetParams { gait: Gait::Orbit, orbit_radius_mm: 100.0, ..FeetParams::default() }, "orbit_radius_mm");
}

prop_compose! {
    fn any_params()(
        travel in 0_usize..3, destination in 0_usize..3, inset in 100.0..180.0, slow in 20.0..200.0, more in 0.0..200.0,
        ramp in 0.5..2.0, radius in 0.0..60.0, idle_speed in 1.0..200.0, noise in 0.0..6.0, home in any::<bool>(),
    ) -> FeetParams {
        FeetParams {
            travel: TRAVELS[travel],
            destination: [Destination::Mixed, Destination::Edge, Destination::Corner][destination],
            core_inset_mm: inset,
            speed_mm_s: [slow, slow + more],
            acceleration_s: [ramp, 1.5 * ramp],
            idle_radius_mm: radius,
            idle_speed_max_mm_s: idle_speed,
            noise_std_mm_s: noise,
            speed_slack_mm_s: 3.0 * noise,
            home_mm: if home { vec![[inset + 1.0, 200.0]] } else { vec![] },
            ..FeetParams::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever the numbers: inside, never faster than declared, never sharper than declared but for the noise.
    #[test]
    fn bounds_hold_for_any_parameters(params in any_params(), seed in 0_u64..1000, rate in 0.1..=1.0) {
        let noise = params.noise_std_mm_s;
        let Ok(model) = FeetModel::new(params, mat(), 0.6, 60) else { return Ok(()) };
        let mut feet = Feet::new(&model, key(seed));
        let mut previous = [feet.position_mm(0); 2];
        for tick in 0..1_500 {
            feet.advance(&model, key(seed), &[if tick < 900 { 1.0 } else { rate }]);
            let place = feet.position_mm(0);
            prop_assert!(place.is_finite() && model.domain().contains(place), "{}", place);
            prop_assert!(place.distance(previous[1]) * HZ <= model.speed_bound_mm_s() + ROUNDING);
            if noise == 0.0 && tick < 900 {
                let bend = (place - 2.0 * previous[1] + previous[0]).length() * HZ * HZ;
                prop_assert!(bend <= model.acceleration_bound_mm_s2() + ROUNDING);
            }
            previous = [previous[1], place];
        }
    }
}
