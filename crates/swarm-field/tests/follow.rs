//! Laws of feet that follow points from outside: exact stops, limits of the motion, the committed path, the forecast, the state.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{DVec2, Rect, RunKey, StateHash};
use swarm_field::{Feet, FeetModel, FeetParams, FootPhase, Forecast, Gait, Travel};

const KEY: RunKey = RunKey { seed: 5, run_index: 0 };
/// Rounding of places of some hundred mm, differenced and multiplied by 240^2.
const ROUNDING: f64 = 1e-5;
/// Largest speed, 200 + 15 mm/s, and that over the shortest ramp of 1 s.
const SPEED_MM_S: f64 = 215.0;
const ACCELERATION_MM_S2: f64 = 215.0;
/// Ticks at 60 Hz and a factor of 1 after which a foot answers to a point: 0.15 s, and the tick in which it comes.
const LATENCY: usize = 10;
/// State hash of the walk of three feet before feet could follow points.
const BASE_HASH: u64 = 0xef20_748d_1a99_f4fe;
const TRAVELS: [Travel; 3] = [Travel::Core, Travel::Edge, Travel::Full];

fn model_at(params: FeetParams, side_mm: f64, hz: u32) -> FeetModel {
    FeetModel::new(params, Rect::from_size(side_mm, side_mm), 0.6, hz).unwrap()
}

fn model(params: FeetParams) -> FeetModel {
    model_at(params, 400.0, 60)
}

/// Feet without noise that stand still at the given place for their first 5 s.
fn standing(home_mm: DVec2) -> FeetParams {
    FeetParams { travel: Travel::Full, idle_radius_mm: 0.0, home_mm: vec![home_mm.into()], ..quiet() }
}

fn quiet() -> FeetParams {
    FeetParams { noise_std_mm_s: 0.0, estimation_noise_mm: 0.0, ..FeetParams::default() }
}

fn advanced(model: &FeetModel, ticks: usize) -> Feet {
    let mut feet = Feet::new(model, KEY);
    (0..ticks).for_each(|_| feet.advance(model, KEY, &[]));
    feet
}

/// Places of foot 0 in the coming ticks, the present one first.
fn places(feet: &mut Feet, model: &FeetModel, ticks: usize) -> Vec<DVec2> {
    let mut places = vec![feet.position_mm(0)];
    for _ in 0..ticks {
        feet.advance(model, KEY, &[]);
        places.push(feet.position_mm(0));
    }
    places
}

fn hash(feet: &Feet) -> u64 {
    let mut hash = StateHash::new();
    feet.hash_into(&mut hash);
    hash.finish()
}

/// Nor does a missing point, or one that is not a number, make it follow.
#[test]
fn a_foot_without_a_point_walks_as_ever() {
    let model = model(FeetParams { count: 3, travel: Travel::Edge, ..FeetParams::default() });
    let mut feet = Feet::new(&model, KEY);
    for tick in 0..2_000 {
        feet.follow(tick % 3, &model, [None, Some(DVec2::NAN)][tick % 2]);
        feet.advance(&model, KEY, &[1.0, 0.9, 0.5]);
    }
    assert_eq!(hash(&feet), BASE_HASH);
}

#[test]
fn a_foot_that_follows_leaves_the_others_as_they_were() {
    let model = model(FeetParams { count: 2, ..FeetParams::default() });
    let (mut alone, mut feet) = (Feet::new(&model, KEY), Feet::new(&model, KEY));
    feet.follow(1, &model, Some(DVec2::new(130.0, 270.0)));
    for _ in 0..1_000 {
        alone.advance(&model, KEY, &[]);
        feet.advance(&model, KEY, &[]);
        assert_eq!(alone.position_mm(0), feet.position_mm(0));
        assert_eq!(alone.path_mm(0, 60.0), feet.path_mm(0, 60.0));
    }
    assert_eq!(feet.position_mm(1), DVec2::new(130.0, 270.0));
    assert_ne!(alone.position_mm(1), feet.position_mm(1));
}

/// From rest over L: `L / v + v / a`, or `2 sqrt(L / a)` where the speed is not reached (L < v^2 / a = 215 mm).
#[test]
fn a_point_is_reached_in_the_time_of_the_trapezoid() {
    let start = DVec2::new(300.0, 300.0);
    for hz in [30, 60, 100, 240] {
        for way in [DVec2::new(1_500.0, 0.0), DVec2::new(300.0, 400.0), DVec2::new(-60.0, 80.0), DVec2::new(0.0, 0.4)] {
            let (model, length) = (model_at(standing(start), 2_000.0, hz), way.length());
            let mut feet = Feet::new(&model, KEY);
            feet.follow(0, &model, Some(start + way));
            let path = places(&mut feet, &model, 12 * hz as usize);
            let seconds = if length < SPEED_MM_S {
                2.0 * (length / ACCELERATION_MM_S2).sqrt()
            } else {
                length / SPEED_MM_S + SPEED_MM_S / ACCELERATION_MM_S2
            };
            let arrival = path.iter().position(|&place| place == start + way).unwrap();
            let latency = (9 * hz).div_ceil(60) + 1;
            let expected = f64::from(latency) + seconds * f64::from(hz);
            assert!((arrival as f64 - expected).abs() <= 2.0, "{hz} Hz, {length} mm: tick {arrival}, not {expected}");
            assert!(path[arrival..].iter().all(|&place| place == start + way), "it stays");
            for pair in path.windows(2) {
                let [before, after] = [pair[0], pair[1]].map(|place| (place - start).dot(way) / length);
                assert!(
                    after >= before - 1e-9 && after <= length + 1e-9,
                    "{hz} Hz: {after} mm of {length} after {before}"
                );
                assert!((pair[1] - start).perp_dot(way).abs() < 1e-6 * length, "straight");
            }
        }
    }
}

/// A foot near a wall still uses its whole acceleration: the point on the border is no exception.
#[test]
fn a_point_outside_is_its_nearest_place_in_the_domain() {
    let model = model(standing(DVec2::new(200.0, 200.0)));
    for (point, nearest) in
        [(DVec2::new(-500.0, 200.0), DVec2::new(0.0, 200.0)), (DVec2::new(900.0, 1_000.0), DVec2::new(400.0, 400.0))]
    {
        let mut feet = Feet::new(&model, KEY);
        feet.follow(0, &model, Some(point));
        let path = places(&mut feet, &model, 300);
        let arrival = path.iter().position(|&place| place == nearest).unwrap() as f64;
        let length = nearest.distance(path[0]);
        let seconds =
            if length < SPEED_MM_S { 2.0 * (length / ACCELERATION_MM_S2).sqrt() } else { length / SPEED_MM_S + 1.0 };
        assert!((arrival - LATENCY as f64 - 60.0 * seconds).abs() <= 2.0);
    }
}

#[test]
fn without_a_point_it_comes_to_rest_and_stays() {
    let model = model_at(standing(DVec2::splat(300.0)), 2_000.0, 60);
    let mut feet = Feet::new(&model, KEY);
    assert_eq!(feet.phase(0), FootPhase::Idle);
    feet.follow(0, &model, Some(DVec2::new(1_900.0, 300.0)));
    (0..120).for_each(|_| feet.advance(&model, KEY, &[]));
    assert_eq!(feet.phase(0), FootPhase::Roam);
    assert!((feet.velocity_mm_s(0) - DVec2::new(SPEED_MM_S, 0.0)).length() < 1e-9);
    let before = feet.position_mm(0);
    feet.follow(0, &model, None);
    let path = places(&mut feet, &model, 2_000);
    // The committed way, then v^2 / (2 a) = 107.5 mm, less half a frame's way in the discrete form.
    let expected_mm = SPEED_MM_S * (LATENCY as f64 - 0.5) / 60.0 + 107.5;
    assert!((path[80].x - before.x - expected_mm).abs() < 0.05, "{}", path[80].x - before.x);
    assert!(path[80..].iter().all(|&place| place == path[80]), "its own walk is not resumed");
    assert_eq!((feet.phase(0), feet.velocity_mm_s(0)), (FootPhase::Idle, DVec2::ZERO));
    feet.retarget(0, &model, KEY, before);
    assert!(places(&mut feet, &model, 200).iter().all(|&place| place == path[80]), "it keeps what it was told");
}

/// An arm of the cross, the middle, another arm: in two legs, since the straight line cuts a corner square.
#[test]
fn a_corner_square_is_passed_by_the_middle() {
    let home_mm = vec![[20.0, 260.0]];
    let model = model(FeetParams { travel: Travel::Edge, idle_radius_mm: 0.0, home_mm, ..quiet() });
    let mut feet = Feet::new(&model, KEY);
    feet.follow(0, &model, Some(DVec2::new(270.0, 10.0)));
    let path = places(&mut feet, &model, 400);
    assert!(path.iter().all(|&place| model.domain().contains(place)));
    assert_eq!(*path.last().unwrap(), DVec2::new(270.0, 10.0));
}

#[test]
fn the_forecast_goes_straight_on_after_the_committed_path() {
    let model = model(FeetParams { travel: Travel::Full, estimation_noise_mm: 0.0, ..FeetParams::default() });
    let mut feet = advanced(&model, 450);
    let mut forecast = Forecast::default();
    for tick in 0..600 {
        let angle = f64::from(tick) * 0.02;
        feet.follow(0, &model, Some(DVec2::splat(200.0) + DVec2::from_angle(angle) * 250.0));
        feet.advance(&model, KEY, &[]);
        feet.forecast(0, &model, &mut forecast);
        let [before, last] = [LATENCY - 1, LATENCY].map(|n| forecast.mean_mm[n]);
        for (n, &mean) in forecast.mean_mm.iter().enumerate() {
            assert_eq!(mean, feet.path_mm(0, n as f64));
            let straight = model.domain().clamp(last + (last - before) * (n as f64 - LATENCY as f64));
            assert!(n <= LATENCY || mean.distance(straight) < 1e-9);
        }
    }
}

#[test]
fn the_state_holds_the_point_and_a_clone_goes_on_alike() {
    let model = model(FeetParams { count: 2, ..FeetParams::default() });
    let led = |target| {
        let mut feet = advanced(&model, 500);
        feet.follow(1, &model, target);
        feet
    };
    let (a, b) = (DVec2::new(150.0, 250.0), DVec2::new(250.0, 150.0));
    let mut rests = led(Some(a));
    rests.follow(1, &model, None);
    let hashes = [led(None), led(Some(a)), led(Some(b)), rests].map(|feet| hash(&feet));
    for (i, one) in hashes.iter().enumerate() {
        assert!(hashes[i + 1..].iter().all(|other| other != one), "{hashes:x?}");
    }
    let go_on = |mut feet: Feet| {
        (0..300).for_each(|_| feet.advance(&model, KEY, &[1.0, 0.7]));
        feet.follow(1, &model, Some(b));
        (0..300).for_each(|_| feet.advance(&model, KEY, &[1.0, 0.7]));
        hash(&feet)
    };
    let feet = led(Some(a));
    assert_eq!(go_on(feet.clone()), go_on(feet));
}

/// A point far outside, anywhere near, none at all, or not a number.
fn any_point() -> impl Strategy<Value = Option<DVec2>> {
    prop_oneof![
        8 => (-100.0..500.0, -100.0..500.0).prop_map(|(x, y)| Some(DVec2::new(x, y))),
        1 => (-1e9..1e9, -1e9..1e9).prop_map(|(x, y)| Some(DVec2::new(x, y))),
        1 => Just(None),
        1 => Just(Some(DVec2::NAN)),
        1 => Just(Some(DVec2::new(f64::INFINITY, 3.0))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any sequence of points, from any moment of a walk: finite, inside at all times between ticks too, within the limits. The walk may
    /// reach a border as fast as its own bound of 375 mm/s^2 allows in each direction; after a rest the limit is that of a follower.
    #[test]
    fn the_limits_hold_for_all_points(
        travel in 0_usize..3, hz in prop::sample::select(vec![30_u32, 60, 240]), seed in 0_u64..1_000, warm_s in 0.0..20.0,
        rests in any::<bool>(), points in prop::collection::vec((any_point(), 1_usize..60), 1..30),
    ) {
        let key = RunKey { seed, run_index: 0 };
        let model = model_at(FeetParams { travel: TRAVELS[travel], ..quiet() }, 400.0, hz);
        let mut feet = Feet::new(&model, key);
        (0..(warm_s * f64::from(hz)) as usize).for_each(|_| feet.advance(&model, key, &[]));
        if rests {
            feet.follow(0, &model, Some(feet.position_mm(0)));
            (0..6 * hz).for_each(|_| feet.advance(&model, key, &[]));
        }
        let hz = f64::from(hz);
        let limit_mm_s2 = if rests { ACCELERATION_MM_S2 } else { 375.0 * std::f64::consts::SQRT_2 };
        let (mut here, mut velocity) = (feet.position_mm(0), feet.velocity_mm_s(0));
        for (point, ticks) in points {
            feet.follow(0, &model, point);
            for _ in 0..ticks {
                prop_assert!(model.domain().shrunk(-1e-9).contains(feet.path_mm(0, 0.5)));
                feet.advance(&model, key, &[]);
                let next = feet.position_mm(0);
                let next_mm_s = (next - here) * hz;
                prop_assert!(next.is_finite() && model.domain().contains(next), "{}", next);
                prop_assert!(next_mm_s.length() <= SPEED_MM_S + ROUNDING);
                let acceleration = (next_mm_s - velocity).length() * hz;
                prop_assert!(acceleration <= limit_mm_s2 + ROUNDING, "{}", acceleration);
                (here, velocity) = (next, next_mm_s);
            }
        }
    }

    /// Noise, orbits and slow feet: no more than finite, inside and below the largest speed. A point that stays is reached.
    #[test]
    fn a_point_that_stays_is_reached_from_any_motion(
        travel in 0_usize..3, orbits in any::<bool>(), seed in 0_u64..1_000, warm in 0_usize..2_000,
        before in any_point(), x in -50.0..450.0, y in -50.0..450.0, factor in 0.3..=1.0,
    ) {
        let key = RunKey { seed, run_index: 0 };
        let gait = if orbits { Gait::Orbit } else { Gait::Walk };
        let travel = if orbits { Travel::Full } else { TRAVELS[travel] };
        let model = model(FeetParams { travel, gait, ..FeetParams::default() });
        let mut feet = Feet::new(&model, key);
        (0..warm).for_each(|_| feet.advance(&model, key, &[]));
        for (point, ticks) in [(before, 40), (Some(DVec2::new(x, y)), (600.0 / factor) as usize)] {
            feet.follow(0, &model, point);
            for _ in 0..ticks {
                let here = feet.position_mm(0);
                feet.advance(&model, key, &[factor]);
                let next = feet.position_mm(0);
                prop_assert!(model.domain().shrunk(-1e-9).contains(next));
                prop_assert!(next.distance(here) * 60.0 <= SPEED_MM_S + ROUNDING);
            }
        }
        let reached_mm = feet.position_mm(0).distance(model.domain().clamp(DVec2::new(x, y)));
        prop_assert!(reached_mm < 1e-9, "{} mm away", reached_mm);
        prop_assert_eq!(feet.phase(0), FootPhase::Idle);
    }

    /// The certificate's longest profile, 4 ticks at a factor of 1 and a tenth less in each tick then: the path told it before, whatever
    /// points come meanwhile.
    #[test]
    fn the_committed_path_is_the_truth(
        seed in 0_u64..1_000,
        warm in 0_usize..1_500,
        first in 0.0..=1.0,
        lead in 0_usize..30,
        jumps in prop::collection::vec(any_point(), 60),
    ) {
        let key = RunKey { seed, run_index: 0 };
        let model = model(FeetParams { travel: Travel::Full, ..FeetParams::default() });
        let mut feet = Feet::new(&model, key);
        (0..warm).for_each(|_| feet.advance(&model, key, &[first]));
        for &point in &jumps[..lead] {
            feet.follow(0, &model, point);
            feet.advance(&model, key, &[first]);
        }
        let told = feet.clone();
        let mut frames = 0.0;
        for (tick, &point) in jumps[lead..lead + 16].iter().enumerate() {
            let factor = ((13 - tick as i32).clamp(0, 10) as f64) / 10.0;
            feet.follow(0, &model, point);
            feet.advance(&model, key, &[factor]);
            frames += factor;
            prop_assert!(feet.position_mm(0).distance(told.path_mm(0, frames)) < 1e-9);
        }
        prop_assert!((frames - 8.5).abs() < 1e-9);
    }
}
