//! Wishes: signs (reading A1), units (A3, A4), noise (A5, A6), and addresses of the draws.

mod common;

use common::{KEY, field_of_run, field_with, mat_model};
use sim_core::{DVec2, RunKey, StateHash, Tick, ops};
use swarm_agents::goals::{Goals, GoalsModel, GoalsParams};
use swarm_agents::wish::{NoiseMode, WishModel, WishParams, WishState, wishes};
use swarm_agents::{Agents, Drive};
use swarm_field::Gaussians;

fn model(params: WishParams) -> WishModel {
    WishModel::new(params, &mat_model(Drive::Point)).expect("legal numbers")
}

fn quiet() -> WishParams {
    WishParams { sigma_v: 0.0, ..WishParams::default() }
}

fn noisy(noise: NoiseMode) -> WishParams {
    WishParams { noise, ..WishParams::default() }
}

/// Wishes of robots that stay where they are, tick by tick.
fn wishes_at(params: WishParams, field: &Gaussians, places: &[DVec2], ticks: u64, mut each: impl FnMut(u64, &[DVec2])) {
    let model = model(params);
    let agents = Agents::at_rest(places.to_vec());
    let mut state = WishState::new(&model, places.len(), KEY);
    let mut out = vec![DVec2::ZERO; places.len()];
    for tick in 1..=ticks {
        wishes(&model, &mut state, field, &agents, None, KEY, Tick(tick), &mut out);
        each(tick, &out);
    }
}

fn one_wish(params: WishParams, field: &Gaussians, place: DVec2) -> DVec2 {
    let mut wish = DVec2::ZERO;
    wishes_at(params, field, &[place], 1, |_, out| wish = out[0]);
    wish
}

/// Reading A1: away from a foot, on all sides of it.
#[test]
fn beside_a_foot_robots_wish_away() {
    let foot = DVec2::new(200.0, 200.0);
    let (field, _) = field_with(&[foot], 0);
    for k in 0..12 {
        let away = sim_core::angle::unit(f64::from(k) * 0.523) * 100.0;
        let wish = one_wish(quiet(), &field, foot + away);
        assert!(wish.dot(away) > 0.99 * wish.length() * 100.0 && wish.length() > 10.0, "{away}: {wish}");
    }
}

/// Reading A1: towards a patch, at half a radius and at one and a half from it.
#[test]
fn beside_a_patch_robots_wish_towards_it() {
    let bounds = mat_model(Drive::Point).bounds;
    let mut tried = 0;
    for seed in 0..10 {
        let (field, patches) = field_of_run(&[], 1, RunKey { seed, run_index: 0 });
        let (center, sigma) = (patches.center_mm(0), patches.sigma_mm(0));
        for share in [0.5, 1.5] {
            for k in 0..8 {
                let place = center + sim_core::angle::unit(f64::from(k) * 0.785) * (share * sigma);
                if bounds.contains(place) {
                    tried += 1;
                    assert!(one_wish(quiet(), &field, place).dot(center - place) > 0.0, "seed {seed}: {place}");
                }
            }
        }
    }
    assert!(tried >= 80, "{tried}");
}

/// Reading A4: 0.9 is 54 000 mm2/s and 0.05 is 3 mm/s. The steepest slope of a resting foot of sigma 40 mm, one sigma
/// from its middle, is 4.7 per metre (0.3107 / 40 mm * exp(-1/2)), hence 4.2 mm a frame or 254 mm/s: just beyond the
/// speed limit. At two sigma: 0.3107 * 2/40 * exp(-2) * 54 000.
#[test]
fn a_foot_pulls_with_the_numbers_of_the_specification() {
    assert_eq!(model(WishParams::default()).gain_mm2_s(), 54_000.0);
    assert_eq!(model(WishParams::default()).noise_std_mm_s(), 3.0);
    let foot = DVec2::new(200.0, 200.0);
    let (field, _) = field_with(&[foot], 0);
    let steepest = field.gradient(foot + DVec2::new(40.0, 0.0)).x;
    assert!((steepest * 1000.0 - 4.7).abs() < 0.1, "{steepest}");
    let depth = (1.0 - ops::exp(-1.5)) / 2.5;
    let expected = depth * (2.0 / 40.0) * ops::exp(-2.0) * 54_000.0;
    let wish = one_wish(quiet(), &field, foot + DVec2::new(80.0, 0.0));
    // The grid of 5 mm errs by at most 1.8 % of the largest slope (swarm facts 3.5), 4.5 mm/s.
    assert!((wish.x - expected).abs() < 4.5 && wish.y.abs() < 0.1, "{wish} {expected}");
}

#[test]
fn no_wish_is_faster_than_the_robot() {
    let foot = DVec2::new(200.0, 200.0);
    let (field, _) = field_with(&[foot, foot, foot], 0);
    let params = WishParams { sigma_v: 2.0, ..WishParams::default() };
    wishes_at(params, &field, &[foot + DVec2::new(40.0, 0.0)], 200, |_, out| assert!(out[0].length() <= 252.0 + 1e-9));
}

/// Standard deviation and correlation of the fluctuation of one component on a flat field, over robots and ticks.
fn deviation_and_memory(noise: NoiseMode, step_hz: u32) -> (f64, f64) {
    let mut swarm = mat_model(Drive::Point);
    swarm.step_hz = step_hz;
    swarm.step_s = 1.0 / f64::from(step_hz);
    let model = WishModel::new(noisy(noise), &swarm).expect("legal numbers");
    let (field, _) = field_with(&[], 0);
    let robots = 200;
    let agents = Agents::at_rest(vec![DVec2::splat(200.0); robots]);
    let mut state = WishState::new(&model, robots, KEY);
    let mut out = vec![DVec2::ZERO; robots];
    let (mut squares, mut products, mut count) = (0.0, 0.0, 0.0);
    for tick in 1..=600 {
        let before = out.clone();
        wishes(&model, &mut state, &field, &agents, None, KEY, Tick(tick), &mut out);
        if tick > 1 {
            squares += out.iter().map(|v| v.length_squared()).sum::<f64>();
            products += out.iter().zip(&before).map(|(a, b)| a.dot(*b)).sum::<f64>();
            count += 2.0 * robots as f64;
        }
    }
    ((squares / count).sqrt(), products / squares)
}

/// Reading A5: 3 mm/s in each component whatever the step rate, and a memory of exp(-step / 0.25 s). 240 000 values
/// with a memory of 15 steps have a statistical error of about 0.5 %; 3 % is six of those.
#[test]
fn coloured_noise_is_the_same_at_every_step_rate() {
    for hz in [60, 30] {
        let (deviation, memory) = deviation_and_memory(NoiseMode::Coloured, hz);
        assert!((deviation / 3.0 - 1.0).abs() < 0.03, "{hz} Hz: {deviation}");
        assert!((memory - ops::exp(-1.0 / (0.25 * f64::from(hz)))).abs() < 0.01, "{hz} Hz: {memory}");
    }
}

#[test]
fn white_noise_forgets_at_once() {
    let (deviation, memory) = deviation_and_memory(NoiseMode::White, 60);
    assert!((deviation / 3.0 - 1.0).abs() < 0.01 && memory.abs() < 0.02, "{deviation} {memory}");
}

/// The first tick is as noisy as any other: 2000 values have a statistical error of 1.6 %.
#[test]
fn coloured_noise_has_always_been_there() {
    let (field, _) = field_with(&[], 0);
    wishes_at(noisy(NoiseMode::Coloured), &field, &vec![DVec2::splat(200.0); 1000], 1, |_, out| {
        let deviation = (out.iter().map(|v| v.length_squared()).sum::<f64>() / 2000.0).sqrt();
        assert!((deviation / 3.0 - 1.0).abs() < 0.08, "{deviation}");
    });
}

/// Draws belong to a robot and a tick: with more robots the first ones wish exactly the same.
#[test]
fn adding_a_robot_leaves_the_others_as_they_were() {
    let (field, _) = field_with(&[DVec2::new(150.0, 250.0)], 10);
    let places: Vec<DVec2> =
        (0..9).map(|k| DVec2::new(40.0 + 40.0 * f64::from(k), 60.0 + 30.0 * f64::from(k))).collect();
    for noise in [NoiseMode::Coloured, NoiseMode::White, NoiseMode::Boltzmann] {
        let mut few = Vec::new();
        wishes_at(noisy(noise), &field, &places[..5], 40, |_, out| few.push(out.to_vec()));
        wishes_at(noisy(noise), &field, &places, 40, |tick, out| assert_eq!(few[tick as usize - 1], out[..5]));
    }
}

/// The state is complete: a clone goes on in the same way, and another seed in another.
#[test]
fn a_clone_goes_on_alike() {
    let (field, _) = field_with(&[], 10);
    let agents = Agents::at_rest(vec![DVec2::new(100.0, 150.0), DVec2::new(300.0, 250.0)]);
    for noise in [NoiseMode::Coloured, NoiseMode::White, NoiseMode::Boltzmann] {
        let model = model(noisy(noise));
        let mut state = WishState::new(&model, 2, KEY);
        let mut out = [DVec2::ZERO; 2];
        let mut run = |state: &mut WishState, key: RunKey, from: u64| {
            for tick in from..from + 37 {
                wishes(&model, state, &field, &agents, None, key, Tick(tick), &mut out);
            }
            let mut hash = StateHash::new();
            state.hash_into(&mut hash);
            (hash.finish(), out)
        };
        run(&mut state, KEY, 1);
        let mut clone = state.clone();
        let mut other = state.clone();
        assert_eq!(run(&mut state, KEY, 38), run(&mut clone, KEY, 38));
        assert_ne!(run(&mut other, RunKey { seed: 12, run_index: 0 }, 38).0, run(&mut clone, KEY, 38).0);
    }
}

/// A goal adds its pull, 1 /s over 30 mm, to what the field says; the field is flat here.
#[test]
fn a_goal_pulls_too() {
    let (swarm, place) = (mat_model(Drive::Point), DVec2::new(200.0, 200.0));
    let (field, _) = field_with(&[], 0);
    let params = GoalsParams { sites_mm: vec![[place.x, place.y + 30.0]], ..GoalsParams::default() };
    let goals_model = GoalsModel::new(params, &swarm).unwrap();
    let agents = Agents::at_rest(vec![place]);
    let mut goals = Goals::new(&goals_model, 1);
    goals.advance(&goals_model, &agents, Tick(1));
    let model = model(quiet());
    let mut out = [DVec2::ZERO];
    let mut state = WishState::new(&model, 1, KEY);
    wishes(&model, &mut state, &field, &agents, Some(&goals), KEY, Tick(1), &mut out);
    assert_eq!(out[0], DVec2::new(0.0, 30.0));
}

/// Reading A6: beside a foot directions away from it are drawn more often, by the ratio of their weights. Of all draws
/// of one candidate pair (straight away and straight towards, 75.6 mm) the share of the better one is 1 / (1 + exp(-dU
/// / T_e)).
#[test]
fn boltzmann_draws_by_the_potential() {
    let foot = DVec2::new(200.0, 200.0);
    let (field, _) = field_with(&[foot], 0);
    let place = foot + DVec2::new(100.0, 0.0);
    // A memory of one step: each tick draws again and the wish is all but 1/e of the way there.
    let params = WishParams { noise: NoiseMode::Boltzmann, correlation_s: 0.0, ..WishParams::default() };
    let (mut away, mut towards, mut still) = (0_u32, 0_u32, 0_u32);
    let mut last = vec![DVec2::ZERO; 500];
    wishes_at(params, &field, &[place; 500], 200, |_, out| {
        for (wish, last) in out.iter().zip(&mut last) {
            let keep = ops::exp(-1.0);
            let chosen = (*wish - *last * keep) / (1.0 - keep);
            *last = *wish;
            away += u32::from(chosen.distance(DVec2::new(126.0, 0.0)) < 1e-6);
            towards += u32::from(chosen.distance(DVec2::new(-126.0, 0.0)) < 1e-6);
            still += u32::from(chosen.length() < 1e-6);
        }
    });
    let u = |v: f64| field.potential(place + DVec2::new(v * 0.6, 0.0));
    let ratio = ops::exp((u(126.0) - u(-126.0)) / 0.3);
    let share = f64::from(away) / f64::from(away + towards);
    // About 4000 draws: a standard error of 0.8 %.
    assert!(away + towards > 2000 && (share - ratio / (1.0 + ratio)).abs() < 0.03, "{share} {ratio}");
    assert!(share > 0.6 && still > 500);
}

/// No jumps: with the usual memory a wish changes by at most 1 - exp(-1/15) of the largest distance of two candidates
/// in a tick.
#[test]
fn boltzmann_wishes_are_smooth() {
    let (field, _) = field_with(&[DVec2::new(200.0, 200.0)], 5);
    let mut last = [DVec2::ZERO; 20];
    let (most, mut moved) = ((1.0 - ops::exp(-1.0 / 15.0)) * 2.0 * 126.0, false);
    wishes_at(noisy(NoiseMode::Boltzmann), &field, &[DVec2::new(330.0, 330.0); 20], 600, |_, out| {
        for (wish, last) in out.iter().zip(&mut last) {
            assert!(wish.distance(*last) <= most + 1e-9);
            moved |= wish.length() > 20.0;
            *last = *wish;
        }
    });
    assert!(moved);
}

/// Candidates that lead out of the box do not count: at the right wall no robot is drawn to the right.
#[test]
fn boltzmann_stays_in_the_box() {
    let (field, _) = field_with(&[], 0);
    let params = WishParams { noise: NoiseMode::Boltzmann, correlation_s: 0.0, ..WishParams::default() };
    wishes_at(params, &field, &[DVec2::new(384.0, 200.0); 50], 100, |_, out| assert!(out.iter().all(|v| v.x <= 1e-9)));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let swarm = mat_model(Drive::Point);
    let base = WishParams::default();
    let field = |params| WishModel::new(params, &swarm).unwrap_err().field;
    assert_eq!(field(WishParams { alpha: f64::NAN, ..base }), "alpha");
    assert_eq!(field(WishParams { sigma_v: -0.1, ..base }), "sigma_v");
    assert_eq!(field(WishParams { correlation_s: f64::INFINITY, ..base }), "correlation_s");
    assert_eq!(field(WishParams { temperature: 0.0, ..base }), "temperature");
}
