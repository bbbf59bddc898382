//! How far wishes are carried out.

use crate::stage::{HZ, Stage, mm};
use sim_core::{DVec2, angle};
use swarm_agents::filter::comparison::WishComparison;

/// A comparison with the same drive and feasible velocity for all robots.
fn comparison(drive_mm_s: DVec2, feasible_mm_s: DVec2, is_free: &[bool]) -> WishComparison {
    let mut comparison = WishComparison::default();
    comparison.drive_mm_s = vec![drive_mm_s; is_free.len()];
    comparison.feasible_mm_s = vec![feasible_mm_s; is_free.len()];
    comparison.is_free = is_free.to_vec();
    comparison
}

/// Robots at 1, 5.9 and 11 mm/s wish for 1 mm/s. The drive allows 5 mm/s, the next step 15. Only the first two are free.
#[test]
fn shares_of_followed_wishes() {
    let places = [mm(50.0, 50.0), mm(50.0, 150.0), mm(50.0, 250.0)];
    let mut stage = Stage::new(&places, &[]);
    stage.wish_mm_s = Some(vec![mm(1.0, 0.0); 3]);
    stage.comparison = Some(comparison(mm(5.0, 0.0), mm(15.0, 0.0), &[true, true, false]));
    let after = [1.0, 5.9, 11.0].map(|speed| speed / HZ);
    stage.go(&[0, 1, 2].map(|i| places[i] + mm(after[i], 0.0)), &[]);
    // |1 - 1| and |5.9 - 1| are within 5 mm/s of the wish, |11 - 1| is not.
    stage.expect("wish_followed_share", 2.0 / 3.0);
    stage.expect("wish_difference_mean_mm_s", 14.9 / 3.0);
    // |11 - 15| is within 5 mm/s of what is feasible.
    stage.expect("wish_feasible_followed_share", 1.0 / 3.0);
    stage.expect("wish_free_share", 2.0 / 3.0);
    // |1 - 5| and |5.9 - 5| are within 5 mm/s of what the drive allows.
    stage.expect("wish_followed_free_share", 1.0);
    // The sum of v w is 1 + 5.9, that of w w 2, and that of v v 1 + 5.9^2.
    stage.expect("wish_gain", 6.9 / 2.0);
    stage.expect("wish_cosine", 6.9 / (2.0 * (1.0 + 5.9 * 5.9_f64)).sqrt());
}

/// Steps without a comparison leave those measures out, and count for the others.
#[test]
fn steps_without_comparison_do_not_count() {
    let mut stage = Stage::new(&[mm(50.0, 50.0)], &[]);
    stage.rest(3);
    stage.expect("wish_followed_share", 1.0);
    for name in
        ["wish_feasible_followed_share", "wish_free_share", "wish_followed_free_share", "wish_gain", "wish_lag_s"]
    {
        assert!(stage.value(name).is_nan(), "{name}");
    }
    stage.comparison = Some(comparison(DVec2::ZERO, mm(9.0, 0.0), &[false]));
    stage.rest(1);
    stage.expect("wish_feasible_followed_share", 0.0);
    stage.expect("wish_free_share", 0.0);
    assert!(stage.value("wish_followed_free_share").is_nan(), "no robot is free");
}

/// A wish that turns by 10 degrees a step, executed at half its length and 9 steps late, a quarter of a turn: the gain and the cosine with
/// the wish of the same step are 0, and the lag is 9 / 60 s.
#[test]
fn the_lag_of_a_turning_wish() {
    let mut stage = Stage::new(&[mm(200.0, 200.0)], &[]);
    let wish = |step: i32| angle::unit(f64::from(step) * 10.0_f64.to_radians()) * 60.0;
    for step in 1..=360 {
        stage.wish_mm_s = Some(vec![wish(step)]);
        stage.comparison = (step % 7 == 0).then(|| comparison(DVec2::ZERO, DVec2::ZERO, &[true]));
        let next = stage.agents.position_mm[0] + 0.5 * wish(step - 9) / HZ;
        stage.go(&[next], &[]);
    }
    stage.expect("wish_lag_s", 9.0 / 60.0);
    stage.expect("wish_gain", 0.0);
    stage.expect("wish_cosine", 0.0);
}
