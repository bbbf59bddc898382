//! The planner's share: robots go where they wish if nothing is in the way, and do not jam where they can pass.

use crate::world::{Nearest, Setting, World};
use sim_core::DVec2;
use swarm_agents::Drive;
use swarm_agents::filter::FilterKind;
use swarm_field::Manner;

fn empty(drive: Drive) -> Setting {
    let mut setting = Setting::without_feet(FilterKind::Joint, Manner::Stubborn);
    setting.wall_margin_mm = 16.0;
    setting.drive = drive;
    setting
}

fn empty_mat(robots: &[DVec2], drive: Drive) -> World {
    World::with_robots(&empty(drive), robots)
}

#[test]
fn without_feet_and_wishes_robots_stay() {
    for drive in [Drive::Point, Drive::Differential] {
        let places: Vec<DVec2> =
            (0..9).map(|i| DVec2::new(60.0 + 90.0 * f64::from(i % 3), 60.0 + 90.0 * f64::from(i / 3))).collect();
        let mut world = empty_mat(&places, drive);
        for _ in 0..300 {
            world.step_with(|_, _, wish| wish.fill(DVec2::ZERO));
        }
        let farthest =
            places.iter().zip(&world.state.agents.position_mm).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(farthest < 3.0, "{drive:?}: {farthest}");
    }
}

/// What the fading wish leaves: a knot's velocity v obeys dv/dt = (W exp(-h / 0.5 s) - v) / 0.3 s while its time h ahead runs from
/// 0.67 s to 0. Solved by hand from v(0.67 s) = W exp(-1.33), v(0) = 0.636 W. A planner that follows more of the wish is welcome.
#[test]
fn a_lone_robot_follows_its_wish() {
    for wish in [DVec2::new(60.0, 0.0), DVec2::new(-50.0, 70.0)] {
        let mut world = empty_mat(&[DVec2::new(200.0, 200.0)], Drive::Point);
        for _ in 0..75 {
            world.step_with(|_, _, wishes| wishes[0] = wish);
        }
        let velocity = world.state.agents.velocity_mm_s[0];
        let share = velocity.dot(wish) / wish.length_squared();
        assert!((0.6..1.03).contains(&share), "{velocity} for {wish}");
        assert!(
            velocity.perp_dot(wish).abs() < 5.0 * wish.length(),
            "no more than 5 mm/s aside: {velocity} for {wish}"
        );
    }
}

/// Six robots in an exact row along a wall that want to change places with each other: none can without leaving the row. Whose paths cross
/// for good may still stand in each other's way; over six seeds half of them get there.
#[test]
fn a_row_along_a_wall_is_not_stuck_for_ever() {
    let arrived: usize = (0..6).map(arrivals_from_a_row).sum();
    assert!(arrived >= 18, "{arrived} of 36");
}

fn arrivals_from_a_row(seed: u64) -> usize {
    let places: Vec<DVec2> = (0..6).map(|i| DVec2::new(20.0 + 65.0 * f64::from(i), 16.0)).collect();
    let targets: Vec<DVec2> = places.iter().rev().copied().collect();
    let mut world = World::with_robots(&Setting { seed, ..empty(Drive::Point) }, &places);
    let (mut nearest, mut left_the_wall) = (Nearest::NONE, false);
    for _ in 0..20 * 60 {
        let seen = world.step_with(|agents, _, wish| {
            for (i, wish) in wish.iter_mut().enumerate() {
                *wish = ((targets[i] - agents.position_mm[i]) * 2.0).clamp_length_max(120.0);
            }
        });
        nearest = nearest.and(Nearest::from_tick(&seen, &world.state.agents));
        left_the_wall |= world.state.agents.position_mm.iter().any(|p| p.y > 60.0);
    }
    assert!(left_the_wall && nearest.pair_mm >= 60.0, "seed {seed}");
    targets.iter().zip(&world.state.agents.position_mm).filter(|(a, b)| a.distance(**b) < 20.0).count()
}
