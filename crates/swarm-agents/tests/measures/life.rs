//! Movement, places, patches, wishes.

use crate::stage::{HZ, Stage, at_rest, mm, model, patches};
use sim_core::{DVec2, Rect, RunKey, ops};
use swarm_agents::filter::Decision;
use swarm_agents::purpose;
use swarm_field::FootPhase;

/// Along y = 90 from x = 45 to x = 145: cells 2 to 7 of row 4, 6 of 20 x 20.
#[test]
fn coverage_of_a_known_way() {
    let mut stage = Stage::new(&[mm(45.0, 90.0)], &[]);
    (1..=50).for_each(|step| stage.go(&[mm(45.0 + 2.0 * f64::from(step), 90.0)], &[]));
    stage.expect("coverage_share", 6.0 / 400.0);
    stage.expect("coverage_per_robot_share", 6.0 / 400.0);
}

/// Two robots share the mat's coverage, each has its own.
#[test]
fn coverage_of_each_robot_is_its_own() {
    let mut stage = Stage::new(&[mm(50.0, 50.0), mm(150.0, 150.0)], &[]);
    stage.rest(1);
    stage.go(&[mm(50.0, 50.0), mm(170.0, 150.0)], &[]);
    stage.expect("coverage_share", 3.0 / 400.0);
    stage.expect("coverage_per_robot_share", 1.5 / 400.0);
}

/// With 20 mm of margin the outer ring of cells only touches the box; with a hair less it can be reached.
#[test]
fn cells_that_cannot_be_reached_do_not_count() {
    for (margin_mm, cells) in [(20.0, 18.0 * 18.0), (19.9, 400.0), (35.0, 18.0 * 18.0), (0.0, 400.0)] {
        let mut narrow = model(1, 0);
        narrow.bounds = narrow.mat.inset(margin_mm);
        let mut stage = Stage::with_model(narrow, &[mm(200.0, 200.0)], &[]);
        stage.rest(1);
        stage.expect("coverage_share", 1.0 / cells);
    }
}

/// Half of the visits in one cell, a quarter in each of two others: entropy 1.5 ln 2.
#[test]
fn entropy_of_uneven_use() {
    let mut stage = Stage::new(&[mm(50.0, 50.0), mm(150.0, 150.0)], &[]);
    stage.rest(4);
    (0..4).for_each(|_| stage.go(&[mm(50.0, 50.0), mm(250.0, 150.0)], &[]));
    stage.expect("occupancy_entropy", 1.5 * ops::ln(2.0) / ops::ln(400.0));
}

#[test]
fn moving_is_faster_than_ten() {
    let mut stage = Stage::new(&[mm(50.0, 50.0), mm(50.0, 150.0)], &[mm(300.0, 300.0)]);
    for step in 1..=6 {
        let way = f64::from(step) / HZ;
        stage.phases[0] = if step <= 2 { FootPhase::Roam } else { FootPhase::MoveOut };
        // In the third step both rest.
        let speeds = if step == 3 { [0.0, 0.0] } else { [9.0 * way, 11.0 * way] };
        stage.agents.position_mm = vec![mm(50.0, 50.0), mm(50.0, 150.0)];
        stage.go(
            &[mm(50.0 + speeds[0] / f64::from(step), 50.0), mm(50.0 + speeds[1] / f64::from(step), 150.0)],
            &[mm(300.0, 300.0)],
        );
    }
    stage.expect("moving_share", 5.0 / 12.0);
    stage.expect("moving_share_roam", 0.5);
    stage.expect("path_length_mean_mm", 5.0 * 20.0 / HZ / 2.0);
}

#[test]
fn an_orbiting_foot_roams_too() {
    let mut stage = Stage::new(&[mm(50.0, 50.0)], &[mm(300.0, 300.0)]);
    stage.rest(1);
    assert!(stage.value("moving_share_roam").is_nan());
    stage.phases[0] = FootPhase::Orbit;
    stage.rest(1);
    stage.expect("moving_share_roam", 0.0);
}

/// Still for 30 steps, one quick step, still for 20.
#[test]
fn the_longest_standstill() {
    let mut stage = Stage::new(&[mm(50.0, 50.0)], &[]);
    stage.rest(30);
    stage.go(&[mm(51.0, 50.0)], &[]);
    stage.rest(20);
    stage.expect("still_longest_s", 0.5);
}

/// Half a second right, half a second down: net over way is 1 / sqrt 2. There and back: 0. The second run has one of each.
#[test]
fn straightness_of_a_corner_and_of_trembling() {
    let corner = |step: i32| mm(100.0 + f64::from(step.min(30)), 100.0 + f64::from((step - 30).max(0)));
    let mut stage = Stage::new(&[corner(0)], &[]);
    (1..=60).for_each(|step| stage.go(&[corner(step)], &[]));
    stage.expect("straightness_1s", 0.5_f64.sqrt());
    (1..=60).for_each(|step| stage.go(&[corner(60) + mm(f64::from(step % 2), 0.0)], &[]));
    stage.expect("straightness_1s", 0.5_f64.sqrt() / 2.0);
}

/// The box ends at 16 mm; within 10 mm of it is along the wall.
#[test]
fn along_the_wall() {
    let mut stage = Stage::new(&[mm(25.0, 200.0), mm(27.0, 100.0), mm(200.0, 376.0), mm(200.0, 20.0)], &[]);
    stage.rest(2);
    stage.expect("wall_share", 0.75);
}

/// Share of the free area near a patch by a lattice of 1 mm, an independent way to the same number.
fn lattice_share(stage: &Stage, foot: Option<DVec2>) -> f64 {
    let (mut free, mut near) = (0u32, 0u32);
    for x in 0..368 {
        for y in 0..368 {
            let p = mm(16.5 + f64::from(x), 16.5 + f64::from(y));
            if foot.is_some_and(|foot| foot.distance(p) < 100.0) {
                continue;
            }
            free += 1;
            let patches = &stage.patches;
            near += u32::from((0..patches.len()).any(|k| patches.center_mm(k).distance(p) <= patches.sigma_mm(k)));
        }
    }
    f64::from(near) / f64::from(free)
}

/// Robots that are thrown evenly over the free area are as often near a patch as the area is, and as often in the middle.
#[test]
fn even_use_of_the_area_is_indifference() {
    let foot = mm(250.0, 180.0);
    let mut stage = Stage::new(&[mm(50.0, 50.0); 10], &[foot]);
    stage.patches = patches(6, stage.model.mat);
    let mut stream = RunKey { seed: 1, run_index: 0 }.stream(purpose::PLACEMENT, 0, 0);
    for _ in 0..4000 {
        let mut robots = Vec::new();
        while robots.len() < 10 {
            let p = mm(stream.range(16.0, 384.0), stream.range(16.0, 384.0));
            if p.distance(foot) >= 100.0 {
                robots.push(p);
            }
        }
        stage.go(&robots, &[foot]);
    }
    // 40,000 draws: a standard error of 0.0025 of a share, about 0.7 % of the ratio; 16,000 even points are better than that.
    let expected = lattice_share(&stage, Some(foot));
    assert!((stage.value("near_patch_area_share") - expected).abs() < 0.003);
    assert!((stage.value("near_patch_share") - expected).abs() < 0.01);
    assert!((stage.value("near_patch_ratio") - 1.0).abs() < 0.03);
    assert!((stage.value("inner_use_ratio") - 1.0).abs() < 0.05);
}

/// A robot that stays at a patch is always near: the ratio is one over the area's share.
#[test]
fn staying_at_a_patch() {
    let mut stage = Stage::new(&[mm(200.0, 200.0)], &[]);
    stage.patches = patches(1, Rect { min: mm(190.0, 190.0), max: mm(210.0, 210.0) });
    let (center, sigma_mm) = (stage.patches.center_mm(0), stage.patches.sigma_mm(0));
    (0..3000).for_each(|_| stage.go(&[center + mm(0.99 * sigma_mm, 0.0)], &[]));
    stage.expect("near_patch_share", 1.0);
    let area = std::f64::consts::PI * sigma_mm * sigma_mm / (368.0 * 368.0);
    assert!((stage.value("near_patch_area_share") / area - 1.0).abs() < 0.01);
    assert!((stage.value("near_patch_ratio") * area - 1.0).abs() < 0.01);
    (0..3000).for_each(|_| stage.go(&[center + mm(0.0, 1.01 * sigma_mm)], &[]));
    stage.expect("near_patch_share", 0.5);
}

/// With 40 patches a robot is looked at every third step. Of ten robots, the first four are far from all patches.
#[test]
fn many_patches_are_looked_at_in_turn() {
    let mut stage = Stage::new(&[mm(50.0, 50.0); 10], &[]);
    stage.patches = patches(40, Rect::from_size(250.0, 250.0));
    let mut robots = [stage.patches.center_mm(17); 10];
    robots[..4].fill(mm(380.0, 380.0));
    (0..30).for_each(|_| stage.go(&robots, &[]));
    stage.expect("near_patch_share", 0.6);
}

#[test]
fn without_patches_there_is_no_attraction() {
    let mut stage = Stage::new(&[mm(50.0, 50.0)], &[]);
    stage.rest(10);
    for name in ["near_patch_ratio", "near_patch_share", "near_patch_area_share"] {
        assert!(stage.value(name).is_nan() && stage.metric(name).ok.is_none());
    }
}

/// The inner square is 100 to 300 mm: 200 x 200 of the box's 368 x 368.
#[test]
fn use_of_the_middle() {
    let mut stage = Stage::new(&[mm(101.0, 299.0), mm(99.0, 200.0), mm(200.0, 301.0), mm(50.0, 50.0)], &[]);
    stage.rest(2500);
    let expected = 0.25 / (200.0 * 200.0 / (368.0 * 368.0));
    assert!((stage.value("inner_use_ratio") / expected - 1.0).abs() < 0.01);
}

/// Differences of 4.9 and 5.1 mm/s between wish and execution.
#[test]
fn the_wish_and_what_is_left_of_it() {
    let mut stage = Stage::new(&[mm(50.0, 50.0), mm(150.0, 50.0)], &[]);
    stage.wish_mm_s = Some(vec![mm(0.0, 4.9), mm(5.1, 0.0)]);
    stage.rest(3);
    stage.expect("wish_followed_share", 0.5);
    stage.expect("wish_difference_mean_mm_s", 5.0);
}

#[test]
fn decisions_and_danger() {
    let mut stage = Stage::new(&[mm(50.0, 50.0), mm(150.0, 50.0)], &[]);
    stage.rest(1);
    for name in ["proposal_share", "brake_share", "solo_share", "fallback_share", "danger_mean"] {
        assert!(stage.value(name).is_nan(), "{name}: no decisions");
    }
    use Decision::{Brake, Proposed, Solo, Stored};
    for decisions in [[Proposed, Brake], [Proposed, Proposed], [Stored, Solo], [Proposed, Stored], [Stored, Brake]] {
        stage.decisions = decisions.to_vec();
        stage.danger = vec![0.1, 0.2];
        stage.rest(1);
    }
    stage.expect("proposal_share", 0.4);
    stage.expect("brake_share", 0.2);
    stage.expect("solo_share", 0.1);
    stage.expect("fallback_share", 0.3);
    stage.expect("danger_mean", 0.15);
    assert_eq!(at_rest(&[mm(1.0, 1.0)]).position_mm.len(), 1);
}
