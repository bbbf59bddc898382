//! Laws of the patches' drift, fading and exchange.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{DVec2, Rect, RunKey, StateHash, Tick};
use swarm_field::{Patches, PatchesModel, PatchesParams};

const HZ: f64 = 60.0;

fn mat() -> Rect {
    Rect::from_size(400.0, 400.0)
}

fn key(seed: u64) -> RunKey {
    RunKey { seed, run_index: 0 }
}

fn model(params: PatchesParams) -> PatchesModel {
    PatchesModel::new(params, mat(), 60).unwrap()
}

/// Calls `look` with the patches before and after each tick.
fn drift(model: &PatchesModel, seed: u64, ticks: u64, mut look: impl FnMut(&Patches, &Patches)) -> Patches {
    let mut now = Patches::new(model, key(seed));
    for tick in 1..=ticks {
        let before = now.clone();
        now.advance(model, key(seed), Tick(tick));
        look(&before, &now);
    }
    now
}

#[test]
fn patches_stay_on_the_mat_within_their_sizes_and_speeds() {
    let model = model(PatchesParams::default());
    for seed in 0..5 {
        let (mut slowest, mut fastest) = (f64::INFINITY, 0.0_f64);
        drift(&model, seed, 12_000, |before, after| {
            for k in 0..after.len() {
                assert!(mat().contains(after.center_mm(k)));
                assert!((30.0..=60.0).contains(&after.sigma_mm(k)) && (0.0..=0.3).contains(&after.peak(k)));
                if after.generation(k) == before.generation(k) {
                    let speed = after.center_mm(k).distance(before.center_mm(k)) * HZ;
                    assert!(speed <= 15.0 + 1e-9, "{speed}");
                    let inside = mat().inset(1.0).contains(after.center_mm(k));
                    assert!(!inside || speed >= 5.0 - 1e-9, "{speed}");
                    slowest = if inside { slowest.min(speed) } else { slowest };
                    fastest = fastest.max(speed);
                }
            }
        });
        assert!(slowest < 7.0 && fastest > 13.0, "the range is used: {slowest} to {fastest}");
    }
}

/// Full height at the start, and no step in height afterwards: at most the quintic's slope 1.875 / 2 s; a new patch begins at nothing.
#[test]
fn heights_change_smoothly_and_new_patches_begin_at_nothing() {
    let model = model(PatchesParams::default());
    for seed in 0..5 {
        let start = Patches::new(&model, key(seed));
        assert!((0..start.len()).all(|k| start.peak(k) >= 0.15 && start.generation(k) == 0));
        let mut exchanges = Vec::new();
        let mut tick = 0;
        drift(&model, seed, 36_000, |before, after| {
            tick += 1;
            for k in 0..after.len() {
                assert!((after.peak(k) - before.peak(k)).abs() <= 0.3 * 1.875 / 2.0 / HZ + 1e-12);
                if after.generation(k) != before.generation(k) {
                    assert!(after.peak(k) < 1e-4 && before.peak(k) < 1e-4);
                    exchanges.push((tick, k));
                }
            }
        });
        // 10 patches, 600 s, a mean life of 40 s: about 145.
        assert!((110..180).contains(&exchanges.len()), "{}", exchanges.len());
        let together = exchanges.windows(2).filter(|w| w[0].0 == w[1].0).count();
        assert!(together < 5, "lives are staggered");
        for k in 0..10 {
            let ticks: Vec<i32> = exchanges.iter().filter(|e| e.1 == k).map(|e| e.0).collect();
            assert!(ticks.windows(2).all(|w| (1_200..=3_600).contains(&(w[1] - w[0]))), "20 to 60 s each");
        }
    }
}

/// The heading turns by at most 1 rad/s between mirrors, so the walk is smooth; and no two patches move in step.
#[test]
fn drift_is_smooth_and_each_patch_goes_its_own_way() {
    let model = model(PatchesParams { lifetime_s: [900.0, 900.0], ..PatchesParams::default() });
    let mut steps: Vec<Vec<DVec2>> = vec![Vec::new(); 10];
    drift(&model, 7, 3_000, |before, after| {
        for (k, steps) in steps.iter_mut().enumerate() {
            if after.generation(k) != before.generation(k) {
                steps.clear();
                continue;
            }
            let step = after.center_mm(k) - before.center_mm(k);
            if mat().inset(1.0).contains(after.center_mm(k))
                && let Some(last) = steps.last()
            {
                let turn = last.angle_to(step).abs();
                assert!(turn <= 1.0 / HZ + 1e-9 || !mat().inset(1.0).contains(before.center_mm(k)), "{turn}");
            }
            steps.push(step);
        }
    });
    for a in 0..10 {
        for b in 0..a {
            let both = steps[a].iter().rev().zip(steps[b].iter().rev());
            let (count, together) =
                both.fold((0.0, 0.0), |(n, sum), (s, t)| (n + 1.0, sum + s.normalize().dot(t.normalize())));
            assert!(count > 600.0 && f64::abs(together / count) < 0.95, "{a} and {b} move in step");
        }
    }
}

/// After a mirror the patch leads away from the border, and away it goes.
#[test]
fn a_mirrored_patch_comes_back_inside() {
    let model = model(PatchesParams { speed_mm_s: [15.0; 2], lifetime_s: [900.0; 2], ..PatchesParams::default() });
    let mut mirrors = 0;
    let mut leaving: Vec<Option<(DVec2, u32)>> = vec![None; 10];
    drift(&model, 11, 12_000, |before, after| {
        for (k, leaving) in leaving.iter_mut().enumerate() {
            let (from, to) = (before.center_mm(k), after.center_mm(k));
            // The step in which it is mirrored is shorter than the others, unless it was a patch's exchange.
            if before.generation(k) == after.generation(k) && from.distance(to) * HZ < 14.9 {
                assert!(leaving.is_none_or(|(_, ticks)| ticks > 0), "patch {k} is mirrored twice at {to}");
                mirrors += 1;
                *leaving = Some((to, 0));
            } else if let Some((place, ticks)) = leaving {
                *ticks += 1;
                let near = |p: DVec2| p.min(DVec2::splat(400.0) - p).min_element();
                assert!(*ticks > 3 || near(to) > near(*place), "patch {k} hugs the border at {to}");
                *place = to;
            }
        }
    });
    assert!(mirrors > 5, "{mirrors}");
}

/// Targets of turn and speed change once a second, at a moment of its own for each patch.
#[test]
fn patches_change_their_minds_at_different_moments() {
    let model = model(PatchesParams { lifetime_s: [900.0; 2], ..PatchesParams::default() });
    let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); 10];
    drift(&model, 5, 300, |before, after| {
        for (k, speeds) in speeds.iter_mut().enumerate() {
            speeds.push(after.center_mm(k).distance(before.center_mm(k)) * HZ);
        }
    });
    // The speed follows its target by a falling exponential: its bend is largest where the target changes.
    let moment = |speeds: &Vec<f64>| {
        let bend = |i: usize| (speeds[i + 1] - 2.0 * speeds[i] + speeds[i - 1]).abs();
        let largest = (1..speeds.len() - 1).max_by(|&a, &b| bend(a).total_cmp(&bend(b))).unwrap();
        largest % 60
    };
    let mut moments: Vec<usize> = speeds.iter().map(moment).collect();
    moments.sort_unstable();
    moments.dedup();
    assert!(moments.len() >= 7, "{moments:?}");
}

#[test]
fn patches_reach_the_whole_mat() {
    let model = model(PatchesParams::default());
    let mut seen = [[false; 8]; 8];
    drift(&model, 3, 36_000, |_, after| {
        for k in 0..after.len() {
            let cell = (after.center_mm(k) / 50.0).min(DVec2::splat(7.0));
            seen[cell.y as usize][cell.x as usize] = true;
        }
    });
    assert!(seen.as_flattened().iter().filter(|&&s| s).count() >= 60);
}

#[test]
fn a_patch_more_leaves_the_others_as_they_were() {
    let (few, more) = (
        PatchesParams { count: 5, ..PatchesParams::default() },
        PatchesParams { count: 9, ..PatchesParams::default() },
    );
    let few = drift(&model(few), 2, 9_000, |_, _| {});
    let more = drift(&model(more), 2, 9_000, |_, _| {});
    for k in 0..few.len() {
        assert_eq!(
            (few.center_mm(k), few.peak(k), few.generation(k)),
            (more.center_mm(k), more.peak(k), more.generation(k))
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let hash = |seed, ticks| {
        let mut hash = StateHash::new();
        drift(&model(PatchesParams::default()), seed, ticks, |_, _| {}).hash_into(&mut hash);
        hash.finish()
    };
    assert_eq!(hash(1, 5_000), hash(1, 5_000));
    assert_ne!(hash(1, 5_000), hash(2, 5_000));
    assert_ne!(hash(1, 5_000), hash(1, 5_001));
}

#[test]
fn lives_too_short_to_fade_and_empty_ranges_are_refused() {
    let refuse = |params: PatchesParams, field: &str| {
        assert_eq!(PatchesModel::new(params, mat(), 60).err().unwrap().field, field);
    };
    refuse(PatchesParams { lifetime_s: [3.0, 60.0], ..PatchesParams::default() }, "lifetime_s");
    refuse(PatchesParams { radius_mm: [0.0, 60.0], ..PatchesParams::default() }, "radius_mm");
    refuse(PatchesParams { peak: [0.3, 0.1], ..PatchesParams::default() }, "peak");
    refuse(PatchesParams { speed_mm_s: [5.0, f64::INFINITY], ..PatchesParams::default() }, "speed_mm_s");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn bounds_hold_for_any_parameters(
        slow in 0.0..300.0, more in 0.0..200.0, life in 4.0..10.0, fade in 0.0..2.0, seed in 0_u64..1000, width in 20.0..500.0,
    ) {
        let area = Rect::from_size(width, 300.0);
        let (speed_mm_s, lifetime_s) = ([slow, slow + more], [life, life + 2.0]);
        let params = PatchesParams { count: 3, speed_mm_s, lifetime_s, fade_s: fade, ..PatchesParams::default() };
        let model = PatchesModel::new(params, area, 60).unwrap();
        let mut patches = Patches::new(&model, key(seed));
        for tick in 1..1_500 {
            patches.advance(&model, key(seed), Tick(tick));
            for k in 0..3 {
                prop_assert!(area.contains(patches.center_mm(k)) && (0.0..=0.3).contains(&patches.peak(k)));
            }
        }
    }
}
